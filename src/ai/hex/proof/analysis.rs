//! Analysis of a position without a search: who has won by connections, or which moves are left. Knows connections,
//! inferior cells and circuits, no tree.

use super::board::ProofBoard;
use super::cells::Cells;
use super::circuit::Circuit;
use super::connections::{Connections, Effort, Semi, StopCondition};
use super::inferior::{Filled, fill_in, inferior};

/// Result of an analysis. Carriers are sets of cells that were empty: their side wins even if the opponent had all
/// other empty cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MustPlayAnalysis<const W: usize> {
    /// The mover wins, with this move.
    Won(usize, Cells<W>),
    /// The mover loses, whatever it plays.
    Lost(Cells<W>),
    /// Neither is known.
    Open {
        /// Every empty cell that is not one of these loses, or is filled in.
        must_play: Cells<W>,
        /// Of those the moves that need to be looked at: if all of them lose, the position is lost.
        moves: Cells<W>,
        /// The carrier if it is lost, with the carriers of those moves.
        needed: Cells<W>,
    },
}

/// Room to analyze positions.
#[derive(Clone, Debug, Default)]
pub struct Analyzer<const W: usize> {
    own: Connections<W>,
    other: Connections<W>,
    circuit: Circuit,
    /// By cell, the current of both sides.
    energy: Vec<f64>,
    /// The moves by their currents.
    order: Vec<usize>,
    /// Combinations of connections tried so far.
    combinations: u64,
}

impl<const W: usize> Analyzer<W> {
    /// An analyzer that looks for connections with some effort.
    #[must_use]
    pub fn with(effort: Effort) -> Self {
        let [own, other] = [effort; 2].map(Connections::with);
        Analyzer { own, other, ..Analyzer::default() }
    }

    /// Analyzes a position that is not over, and puts its moves in order; `None` if it is due to end before. The board is the same
    /// afterwards.
    pub fn analyze(
        &mut self,
        board: &mut ProofBoard<W>,
        is_due: &dyn Fn() -> bool,
    ) -> Option<MustPlayAnalysis<W>> {
        let verdict = self.try_decide(board, is_due)?;
        if let MustPlayAnalysis::Open { moves, .. } = verdict {
            self.sort(board, moves, is_due)?;
        }
        Some(verdict)
    }

    /// Analyzes a position that is not over, without an order of its moves; `None` if it is due to end before.
    pub fn try_decide(
        &mut self,
        board: &mut ProofBoard<W>,
        is_due: &dyn Fn() -> bool,
    ) -> Option<MustPlayAnalysis<W>> {
        let height = board.height();
        let filled = fill_in(board);
        let verdict = self.of_filled(board, filled, is_due);
        while board.height() > height {
            board.retract();
        }
        verdict
    }

    /// The moves of the position that was analyzed last, which was open, the most promising one in front.
    #[must_use]
    pub(crate) fn ordered(&self) -> &[usize] {
        &self.order
    }

    /// Returns the number of combinations of connections tried so far.
    pub(super) fn combinations(&self) -> u64 {
        self.combinations
    }

    fn of_filled(
        &mut self,
        board: &ProofBoard<W>,
        filled: Filled<W>,
        is_due: &dyn Fn() -> bool,
    ) -> Option<MustPlayAnalysis<W>> {
        let (side, other) = (board.to_move(), board.to_move().other());
        let [own_fill, other_fill] = [side, other].map(|side| filled[side as usize]);
        match board.winner() {
            // Any own stone more does no harm; one that was filled in is not lost.
            Some(winner) if winner == side => {
                let mv = own_fill.iter().next().expect("a stone was filled in");
                return Some(MustPlayAnalysis::Won(mv, own_fill));
            }
            Some(_) => return Some(MustPlayAnalysis::Lost(other_fill)),
            None => {}
        }
        let is_done = self.own.build_until_due(board, side, StopCondition::Semi, is_due);
        self.combinations += self.own.tried();
        is_done.then_some(())?;
        if let Some(semi) = self.own.semis().iter().min_by_key(|semi| semi.carrier.len()) {
            return Some(MustPlayAnalysis::Won(semi.key.into(), semi.carrier | own_fill));
        }
        if let Some(carrier) = self.own.full() {
            let mv = carrier.iter().next().expect("the edges were not joined");
            return Some(MustPlayAnalysis::Won(mv, carrier | own_fill));
        }
        let is_done = self.other.build_until_due(board, other, StopCondition::Full, is_due);
        self.combinations += self.other.tried();
        is_done.then_some(())?;
        if let Some(carrier) = self.other.full() {
            return Some(MustPlayAnalysis::Lost(carrier | other_fill));
        }
        let (must_play, needed) = must_play(board.empty(), self.other.semis());
        let left_out = inferior(board, side, must_play);
        let moves = must_play.minus(&left_out.moves);
        let needed = needed | other_fill | left_out.reasons;
        if moves.is_empty() {
            return Some(MustPlayAnalysis::Lost(needed));
        }
        Some(MustPlayAnalysis::Open { must_play, moves, needed })
    }

    /// Orders the moves of the position that was judged last by the currents through them; `None` if it is due to end before.
    fn sort(&mut self, board: &ProofBoard<W>, moves: Cells<W>, is_due: &dyn Fn() -> bool) -> Option<()> {
        self.energy.clear();
        self.energy.resize(board.geometry().cells, 0.0);
        self.circuit.add_currents(&self.own, &mut self.energy, is_due).then_some(())?;
        self.circuit.add_currents(&self.other, &mut self.energy, is_due).then_some(())?;
        self.order.clear();
        self.order.extend(moves.iter());
        let energy = &self.energy;
        self.order.sort_by(|&one, &two| energy[two].total_cmp(&energy[one]));
        Some(())
    }
}

/// Returns the cells that all the opponent's semis need (one of them has to be taken), and the cells of a few semis
/// that suffice to show it.
fn must_play<const W: usize>(empty: Cells<W>, semis: &[Semi<W>]) -> (Cells<W>, Cells<W>) {
    let all = semis.iter().fold(empty, |meet, semi| meet & semi.carrier);
    let (mut meet, mut needed) = (empty, Cells::EMPTY);
    // The semi that leaves fewest cells goes first.
    while meet != all {
        let next =
            semis.iter().min_by_key(|semi| (meet & semi.carrier).len()).expect("they leave fewer cells");
        meet &= next.carrier;
        needed |= next.carrier;
    }
    (all, needed)
}
