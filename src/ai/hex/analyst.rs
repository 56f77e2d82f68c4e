//! Connection and must-play analysis for the tree search. This module depends on the rules and the prover,
//! not on the network.

use crate::ai::hex::proof::connections::ConnectionLimits;
use crate::ai::hex::proof::{ConnectionVerdict, HexProver};
use crate::ai::mcts::{NodeProver, TerminalCheck};
use crate::games::hex::{Cell, Hex, Move};

/// Limits for a fast connection search. In the network's games on 11x11 they find the winner as often as an
/// unlimited search, in a third of the time, and never take long.
pub(super) const FAST_CONNECTION_LIMITS: ConnectionLimits =
    ConnectionLimits { semis_per_or: 4, fulls_per_pair: 10, semis_per_pair: 25, combinations: u64::MAX };

/// Largest board size analyzed from the first stone on.
///
/// Larger boards are analyzed only once the number of stones reaches the board size. Of 130 earlier positions
/// from games on 11x11 only three were decided, and hardly any move was pruned.
pub(super) const MAX_SMALL_BOARD_SIZE: usize = 8;

/// Prover for nodes of the tree search, based on virtual connections.
pub(super) struct ConnectionProver {
    prover: HexProver,
    cells: Vec<Cell>,
}

impl ConnectionProver {
    pub(super) fn new(size: usize) -> Self {
        ConnectionProver {
            prover: HexProver::with_limits(size, 0, FAST_CONNECTION_LIMITS),
            cells: Vec::new(),
        }
    }
}

impl NodeProver<Hex> for ConnectionProver {
    fn analyze_position(&mut self, game: &Hex, moves: &mut Vec<Move>) -> (TerminalCheck, u16) {
        let left = game.empty_cells().count();
        if game.size() > MAX_SMALL_BOARD_SIZE && game.stone_count() < game.size() {
            return (TerminalCheck::Open, plies_to_u16(left));
        }
        self.cells.clear();
        let outlook = self.prover.connection_verdict(game, &mut self.cells);
        moves.extend(self.cells.iter().copied().map(Move::Place));
        let glance = match outlook {
            ConnectionVerdict::Undecided => TerminalCheck::Open,
            ConnectionVerdict::Won(needed) => TerminalCheck::Win(max_plies_to_win(needed, left)),
            ConnectionVerdict::Lost(needed) => TerminalCheck::Loss(max_plies_to_loss(needed, left)),
        };
        (glance, plies_to_u16(left))
    }

    fn release_memory(&mut self) {
        self.prover.release_memory();
    }
}

/// Returns the maximum number of plies in which the mover wins if it needs `needed` of the `left` empty
/// cells. An extra stone never hurts its owner, so the opponent gains nothing by playing elsewhere.
pub(super) fn max_plies_to_win(needed: usize, left: usize) -> u16 {
    let all = if left % 2 == 1 { left } else { left - 1 };
    plies_to_u16((2 * needed).saturating_sub(1).clamp(1, all))
}

/// Returns the maximum number of plies in which the mover loses if the winner needs `needed` of the `left`
/// empty cells.
pub(super) fn max_plies_to_loss(needed: usize, left: usize) -> u16 {
    plies_to_u16((2 * needed).clamp(2, (left - left % 2).max(2)))
}

fn plies_to_u16(plies: usize) -> u16 {
    u16::try_from(plies).expect("at most 676 cells")
}
