//! Analysis of a position without a search: the winner by virtual connections, or the moves that remain. This
//! module depends on connections, inferior cells and circuits, not on the search.

use super::board::ProofBoard;
use super::cells::CellSet;
use super::circuit::ConnectionCircuit;
use super::connections::{ConnectionGoal, ConnectionLimits, SemiConnection, VirtualConnections};
use super::inferior::{FilledCells, fill_dead_and_captured, find_inferior_moves};

/// Result of an analysis.
///
/// A carrier is a set of empty cells that suffices for its side to win, even if the opponent owned all other
/// empty cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MustPlayAnalysis<const W: usize> {
    /// The mover wins with this move. Holds the move and the winner's carrier.
    Won(usize, CellSet<W>),
    /// The mover loses, whatever it plays. Holds the winner's carrier.
    Lost(CellSet<W>),
    /// No winner is known.
    Open {
        /// Must-play region: every move outside it loses, or is on a cell that is filled in.
        must_play: CellSet<W>,
        /// Must-play moves worth searching: if all of them lose, the position is lost.
        moves: CellSet<W>,
        /// Cells that the opponent needs to win, in addition to its carriers after each of these moves.
        needed: CellSet<W>,
    },
}

/// Analyzer of positions, with its buffers.
#[derive(Clone, Debug, Default)]
pub struct PositionAnalyzer<const W: usize> {
    own: VirtualConnections<W>,
    other: VirtualConnections<W>,
    circuit: ConnectionCircuit,
    /// Current through each cell, summed over the circuits of both sides.
    currents: Vec<f64>,
    /// Moves sorted by current.
    order: Vec<usize>,
    /// Number of combinations of connections tried so far.
    combinations: u64,
}

impl<const W: usize> PositionAnalyzer<W> {
    /// Creates an analyzer whose connection search has these limits.
    #[must_use]
    pub fn with_limits(limits: ConnectionLimits) -> Self {
        let [own, other] = [limits; 2].map(VirtualConnections::with_limits);
        PositionAnalyzer { own, other, ..PositionAnalyzer::default() }
    }

    /// Analyzes a position that is not over, and sorts its moves. Returns `None` if `is_due` stops it early.
    /// Leaves the board unchanged.
    pub fn analyze(
        &mut self,
        board: &mut ProofBoard<W>,
        is_due: &dyn Fn() -> bool,
    ) -> Option<MustPlayAnalysis<W>> {
        let verdict = self.decide_unsorted(board, is_due)?;
        if let MustPlayAnalysis::Open { moves, .. } = verdict {
            self.sort_by_current(board, moves, is_due)?;
        }
        Some(verdict)
    }

    /// Analyzes a position that is not over, without sorting its moves. Returns `None` if `is_due` stops it
    /// early.
    pub fn decide_unsorted(
        &mut self,
        board: &mut ProofBoard<W>,
        is_due: &dyn Fn() -> bool,
    ) -> Option<MustPlayAnalysis<W>> {
        let height = board.placed_count();
        let filled = fill_dead_and_captured(board);
        let verdict = self.decide_filled_board(board, filled, is_due);
        while board.placed_count() > height {
            board.remove_last_stone();
        }
        verdict
    }

    /// Returns the moves of the last analyzed open position, the most promising first.
    #[must_use]
    pub(crate) fn sorted_moves(&self) -> &[usize] {
        &self.order
    }

    /// Returns the number of combinations of connections tried so far.
    pub(super) fn combinations_tried(&self) -> u64 {
        self.combinations
    }

    fn decide_filled_board(
        &mut self,
        board: &ProofBoard<W>,
        filled: FilledCells<W>,
        is_due: &dyn Fn() -> bool,
    ) -> Option<MustPlayAnalysis<W>> {
        let (side, other) = (board.to_move(), board.to_move().other());
        let [own_fill, other_fill] = [side, other].map(|side| filled[side as usize]);
        match board.winner() {
            // An extra stone of the mover does no harm, and a filled-in cell counts as won.
            Some(winner) if winner == side => {
                let mv = own_fill.iter().next().expect("a stone was filled in");
                return Some(MustPlayAnalysis::Won(mv, own_fill));
            }
            Some(_) => return Some(MustPlayAnalysis::Lost(other_fill)),
            None => {}
        }
        let is_done = self.own.build_interruptible(board, side, ConnectionGoal::EdgesSemiConnected, is_due);
        self.combinations += self.own.combinations_tried();
        is_done.then_some(())?;
        if let Some(semi) = self.own.edge_semi_connections().iter().min_by_key(|semi| semi.carrier.len()) {
            return Some(MustPlayAnalysis::Won(semi.key.into(), semi.carrier | own_fill));
        }
        if let Some(carrier) = self.own.smallest_edge_carrier() {
            let mv = carrier.iter().next().expect("the edges were not joined");
            return Some(MustPlayAnalysis::Won(mv, carrier | own_fill));
        }
        let is_done =
            self.other.build_interruptible(board, other, ConnectionGoal::EdgesFullyConnected, is_due);
        self.combinations += self.other.combinations_tried();
        is_done.then_some(())?;
        if let Some(carrier) = self.other.smallest_edge_carrier() {
            return Some(MustPlayAnalysis::Lost(carrier | other_fill));
        }
        let (must_play, needed) =
            find_must_play_region(board.empty_cells(), self.other.edge_semi_connections());
        let left_out = find_inferior_moves(board, side, must_play);
        let moves = must_play.difference(&left_out.moves);
        let needed = needed | other_fill | left_out.reasons;
        if moves.is_empty() {
            return Some(MustPlayAnalysis::Lost(needed));
        }
        Some(MustPlayAnalysis::Open { must_play, moves, needed })
    }

    /// Sorts the moves of the position analyzed last by the currents through them. Returns `None` if `is_due`
    /// stops it early.
    fn sort_by_current(
        &mut self,
        board: &ProofBoard<W>,
        moves: CellSet<W>,
        is_due: &dyn Fn() -> bool,
    ) -> Option<()> {
        self.currents.clear();
        self.currents.resize(board.geometry().cells, 0.0);
        self.circuit.add_currents(&self.own, &mut self.currents, is_due).then_some(())?;
        self.circuit.add_currents(&self.other, &mut self.currents, is_due).then_some(())?;
        self.order.clear();
        self.order.extend(moves.iter());
        let currents = &self.currents;
        self.order.sort_by(|&one, &two| currents[two].total_cmp(&currents[one]));
        Some(())
    }
}

/// Returns the must-play region, and the cells of a few semi-connections that suffice to prove it. The region
/// consists of the cells that all the opponent's semi-connections share.
fn find_must_play_region<const W: usize>(
    empty: CellSet<W>,
    semis: &[SemiConnection<W>],
) -> (CellSet<W>, CellSet<W>) {
    let all = semis.iter().fold(empty, |meet, semi| meet & semi.carrier);
    let (mut meet, mut needed) = (empty, CellSet::EMPTY);
    // Greedy: the semi-connection that leaves the fewest cells goes first.
    while meet != all {
        let next =
            semis.iter().min_by_key(|semi| (meet & semi.carrier).len()).expect("they leave fewer cells");
        meet &= next.carrier;
        needed |= next.carrier;
    }
    (all, needed)
}
