//! Connections and must-play for the tree search. Knows the rules and the prover, no network.

use crate::ai::hex::proof::connections::Effort;
use crate::ai::hex::proof::{Prover, VcVerdict};
use crate::ai::mcts::{NodeProver, TerminalCheck};
use crate::games::hex::{Cell, Hex, Move};

/// On 11x11 games of the network this finds who has won as often as no limit does, in a third of the time, and never takes long.
pub(super) const EFFORT: Effort = Effort { joined: 4, fulls: 10, semis: 25, combinations: u64::MAX };

/// Size of the largest board that is analyzed from the first stone on. On larger boards nothing is decided before there
/// are as many stones as a side has cells: of 130 positions of this kind from games on 11x11 three were, and hardly a
/// move was left out.
pub(super) const SMALL: usize = 8;

/// Looks at positions of one game.
pub(super) struct ConnectionProver {
    prover: Prover,
    cells: Vec<Cell>,
}

impl ConnectionProver {
    pub(super) fn new(size: usize) -> Self {
        ConnectionProver { prover: Prover::with(size, 0, EFFORT), cells: Vec::new() }
    }
}

impl NodeProver<Hex> for ConnectionProver {
    fn analyze(&mut self, game: &Hex, moves: &mut Vec<Move>) -> (TerminalCheck, u16) {
        let left = game.empty().count();
        if game.size() > SMALL && game.count() < game.size() {
            return (TerminalCheck::Open, narrow(left));
        }
        self.cells.clear();
        let outlook = self.prover.outlook(game, &mut self.cells);
        moves.extend(self.cells.iter().copied().map(Move::Place));
        let glance = match outlook {
            VcVerdict::Open => TerminalCheck::Open,
            VcVerdict::Won(needed) => TerminalCheck::Win(win_within(needed, left)),
            VcVerdict::Lost(needed) => TerminalCheck::Loss(loss_within(needed, left)),
        };
        (glance, narrow(left))
    }

    fn release(&mut self) {
        self.prover.release();
    }
}

/// Returns the largest number of plies within which the mover wins, if it needs `needed` of the `left` empty cells: its
/// other moves do no harm there, so that the opponent gains nothing by moves elsewhere.
pub(super) fn win_within(needed: usize, left: usize) -> u16 {
    let all = if left % 2 == 1 { left } else { left - 1 };
    narrow((2 * needed).saturating_sub(1).clamp(1, all))
}

/// Returns the largest number of plies within which the mover loses, if the winner needs `needed` of the `left` empty
/// cells.
pub(super) fn loss_within(needed: usize, left: usize) -> u16 {
    narrow((2 * needed).clamp(2, (left - left % 2).max(2)))
}

fn narrow(plies: usize) -> u16 {
    u16::try_from(plies).expect("at most 676 cells")
}
