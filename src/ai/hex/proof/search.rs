//! Solver: depth-first proof-number search that expands only the best few moves first. This module depends on
//! the analysis of positions and the table.

use super::analysis::{MustPlayAnalysis, PositionAnalyzer};
use super::board::ProofBoard;
use super::cells::CellSet;
use super::connections::ConnectionLimits;
use super::transposition::{INFINITE_PROOF_NUMBER, ProofEntry, ProofTable};
use crate::ai::SearchBudget;
use crate::game::Side;

/// Divisor of dynamic widening: of n remaining moves, about 1 + n / 4 are considered.
const WIDENING_DIVISOR: usize = 4;

/// Result of a proof search for one position.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::hex::proof::{board::ProofBoard, connections::ConnectionLimits, search::ProofSearch};
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Cell, Hex, SwapRule};
/// // First has the centre of a 3x3 board, with a bridge to each edge.
/// let game = Hex::with_stones(3, SwapRule::Off, &[(Side::First, Cell::new(4))], Side::Second)?;
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
/// let mut search = ProofSearch::<1>::with_limits(1, ConnectionLimits::THOROUGH).ok_or("1 MiB is free")?;
/// let proof = search.prove(&mut ProofBoard::from(&game), &mut budget).ok_or("there is no limit")?;
/// assert_eq!((proof.winner, proof.mv), (Side::First, None));
/// assert!(proof.carrier.iter().eq([1, 2, 6, 7]), "the cells of the two bridges");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchProof<const W: usize> {
    /// Side that wins.
    pub winner: Side,
    /// A winning move, if the mover wins.
    pub mv: Option<usize>,
    /// Empty cells that the winner needs. It wins even if the opponent owned all other empty cells.
    pub carrier: CellSet<W>,
}

/// Proof-number search with its analyzer and table.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::hex::proof::{board::ProofBoard, connections::ConnectionLimits, search::ProofSearch};
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let mut board = ProofBoard::from(&Hex::new(4, SwapRule::Off)?);
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
/// // One word holds the 16 cells of the board.
/// let mut search = ProofSearch::<1>::with_limits(1, ConnectionLimits::THOROUGH).ok_or("1 MiB is free")?;
/// let proof = search.prove(&mut board, &mut budget).ok_or("there is no limit")?;
/// assert_eq!(proof.winner, Side::First);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProofSearch<const W: usize> {
    analyzer: PositionAnalyzer<W>,
    table: ProofTable<W>,
    /// Moves of the position whose children are being summarized.
    moves: Vec<u16>,
    /// Number of combinations at which the search stops.
    most_combinations: u64,
}

/// A remaining move with the proof numbers of the position after it.
#[derive(Clone, Copy, Debug)]
struct ChildNumbers {
    mv: usize,
    /// Proof number of a win for the side to move after `mv`.
    phi: u32,
    /// Proof number of a loss for the side to move after `mv`.
    delta: u32,
}

/// Summary of the table's results for the moves of a position.
enum ChildrenSummary<const W: usize> {
    Won(usize, CellSet<W>),
    Lost(CellSet<W>),
    /// Proof numbers of the position, its best move, and the second smallest delta.
    Open {
        phi: u32,
        delta: u32,
        best: ChildNumbers,
        second: u32,
    },
}

impl<const W: usize> ProofSearch<W> {
    /// Creates a solver with a table of about `mib` MiB and these connection limits. Returns `None` if the
    /// memory cannot be allocated.
    #[must_use]
    pub fn with_limits(mib: usize, limits: ConnectionLimits) -> Option<Self> {
        let (table, analyzer) = (ProofTable::with_memory(mib)?, PositionAnalyzer::with_limits(limits));
        Some(ProofSearch { analyzer, table, moves: Vec::new(), most_combinations: u64::MAX })
    }

    /// Frees the working memory of the analyzer, and sets the connection limits of later searches.
    pub(super) fn reset_analyzer(&mut self, limits: ConnectionLimits) {
        self.analyzer = PositionAnalyzer::with_limits(limits);
    }

    /// Clears the table of positions.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Solves a position that is not over, or returns `None` if the budget is spent first. One node of the
    /// budget is one analyzed position.
    pub fn prove(
        &mut self,
        board: &mut ProofBoard<W>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<SearchProof<W>> {
        let entry = self.search_to_thresholds(board, INFINITE_PROOF_NUMBER, INFINITE_PROOF_NUMBER, budget);
        let is_won = entry.mover_wins()?;
        let side = board.to_move();
        let (_, is_turned) = board.canonical_key();
        let carrier = canonical_cells(board, is_turned, entry.carrier);
        let mv = is_won.then(|| canonical_cell(board, is_turned, entry.best.into()));
        Some(SearchProof { winner: if is_won { side } else { side.other() }, mv, carrier })
    }

    /// Solves a position like [`ProofSearch::prove`] does, but analyzes no new position after `combinations`
    /// combinations of connections.
    pub fn prove_within_combinations(
        &mut self,
        board: &mut ProofBoard<W>,
        combinations: u64,
        budget: &mut SearchBudget<'_>,
    ) -> Option<SearchProof<W>> {
        self.most_combinations = self.analyzer.combinations_tried().saturating_add(combinations);
        let proved = self.prove(board, budget);
        self.most_combinations = u64::MAX;
        proved
    }

    /// Returns the moves of an open position that are not refuted, or no moves if the position was not
    /// analyzed.
    pub(super) fn unrefuted_moves(&self, board: &ProofBoard<W>) -> Vec<usize> {
        let (key, is_turned) = board.canonical_key();
        let open = self.table.find_entry(key).filter(|entry| entry.mover_wins().is_none());
        let moves = open.iter().flat_map(|entry| self.table.moves(entry));
        moves.map(|&mv| canonical_cell(board, is_turned, mv.into())).collect()
    }

    /// Returns the number of combinations of connections tried so far.
    pub(super) fn combinations_tried(&self) -> u64 {
        self.analyzer.combinations_tried()
    }

    /// Reports whether the search must stop before it analyzes another position.
    fn is_out_of_budget(&self, budget: &SearchBudget<'_>) -> bool {
        budget.is_spent() || self.analyzer.combinations_tried() >= self.most_combinations
    }

    /// Searches a position until a proof number reaches its threshold, the position is solved, or the budget
    /// is spent.
    fn search_to_thresholds(
        &mut self,
        board: &mut ProofBoard<W>,
        most_phi: u32,
        most_delta: u32,
        budget: &mut SearchBudget<'_>,
    ) -> ProofEntry<W> {
        let (key, is_turned) = board.canonical_key();
        let Some(mut entry) = self.find_or_analyze(board, budget) else { return ProofEntry::unvisited(key) };
        if entry.mover_wins().is_some() {
            return entry;
        }
        loop {
            match self.summarize_children(board, &mut entry, is_turned) {
                ChildrenSummary::Won(mv, carrier) => {
                    let work = entry.work;
                    entry = ProofEntry::solved(
                        key,
                        Some(canonical_cell(board, is_turned, mv)),
                        canonical_cells(board, is_turned, carrier),
                    );
                    entry.work = work;
                    break;
                }
                ChildrenSummary::Lost(carrier) => {
                    let work = entry.work;
                    entry = ProofEntry::solved(key, None, canonical_cells(board, is_turned, carrier));
                    entry.work = work;
                    break;
                }
                ChildrenSummary::Open { phi, delta, best, second } => {
                    (entry.phi, entry.delta) = (phi, delta);
                    if phi >= most_phi || delta >= most_delta || self.is_out_of_budget(budget) {
                        break;
                    }
                    self.table.store(entry);
                    let child_phi = (most_delta - delta).saturating_add(best.phi).min(INFINITE_PROOF_NUMBER);
                    let child_delta = most_phi.min(second.saturating_add(1));
                    board.make(best.mv);
                    let before = budget.nodes;
                    self.search_to_thresholds(board, child_phi, child_delta, budget);
                    board.unmake();
                    // The table may have moved or evicted the entry.
                    let work = entry.work.saturating_add(saturate_to_u32(budget.nodes - before));
                    let Some(again) = self.find_or_analyze(board, budget) else { return entry };
                    entry = again;
                    entry.work = work;
                    if entry.mover_wins().is_some() {
                        return entry;
                    }
                }
            }
        }
        self.table.store(entry);
        entry
    }

    /// Returns the table entry of a position, analyzing it if it is new. Returns `None` if it is new and the
    /// budget is spent.
    fn find_or_analyze(
        &mut self,
        board: &mut ProofBoard<W>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<ProofEntry<W>> {
        if let Some(entry) = self.table.find_entry(board.canonical_key().0) {
            return Some(entry);
        }
        if self.is_out_of_budget(budget) || !budget.count_node() {
            return None;
        }
        self.analyze_and_store(board, &|| budget.is_time_up_or_stopped())
    }

    /// Analyzes a new position and stores its entry. Returns `None` if `is_due` stops it early.
    fn analyze_and_store(
        &mut self,
        board: &mut ProofBoard<W>,
        is_due: &dyn Fn() -> bool,
    ) -> Option<ProofEntry<W>> {
        let (key, is_turned) = board.canonical_key();
        let verdict = self.analyzer.analyze(board, is_due)?;
        let solved = match verdict {
            MustPlayAnalysis::Won(mv, carrier) => ProofEntry::solved(
                key,
                Some(canonical_cell(board, is_turned, mv)),
                canonical_cells(board, is_turned, carrier),
            ),
            MustPlayAnalysis::Lost(carrier) => {
                ProofEntry::solved(key, None, canonical_cells(board, is_turned, carrier))
            }
            MustPlayAnalysis::Open { needed, .. } => {
                let order =
                    self.analyzer.sorted_moves().iter().map(|&mv| canonical_cell(board, is_turned, mv));
                return Some(self.table.store_open_position(
                    key,
                    order,
                    canonical_cells(board, is_turned, needed),
                ));
            }
        };
        self.table.store(solved);
        Some(solved)
    }

    /// Summarizes the table's results for the moves of a position. Drops refuted moves and every move outside
    /// the refutation's carrier.
    fn summarize_children(
        &mut self,
        board: &ProofBoard<W>,
        entry: &mut ProofEntry<W>,
        is_turned: bool,
    ) -> ChildrenSummary<W> {
        // 1. Refuted and winning moves
        let begin = self.moves.len();
        self.moves.extend_from_slice(self.table.moves(entry));
        let mut keep = CellSet::EVERY_CELL;
        for place in begin..self.moves.len() {
            let mv = canonical_cell(board, is_turned, self.moves[place].into());
            let (child_key, child_turned) = board.canonical_key_after(mv);
            let Some(child) = self.table.find_entry(child_key) else { continue };
            match child.mover_wins() {
                Some(true) => {
                    let carrier = canonical_cells(board, child_turned, child.carrier);
                    entry.carrier |= canonical_cells(board, is_turned, carrier);
                    keep &= carrier;
                }
                Some(false) => {
                    self.moves.truncate(begin);
                    let mut carrier = canonical_cells(board, child_turned, child.carrier);
                    carrier.insert(mv);
                    return ChildrenSummary::Won(mv, carrier);
                }
                None => {}
            }
        }
        self.moves.truncate(begin);
        if keep != CellSet::EVERY_CELL {
            self.table.retain_moves(entry, |mv| keep.contains(canonical_cell(board, is_turned, mv)));
        }
        let moves = self.table.moves(entry);
        if moves.is_empty() {
            return ChildrenSummary::Lost(canonical_cells(board, is_turned, entry.carrier));
        }
        // 2. Proof numbers of the best few moves
        let (mut phi, mut delta, mut second, mut best) =
            (INFINITE_PROOF_NUMBER, 0_u32, INFINITE_PROOF_NUMBER, None);
        for &mv in &moves[..=moves.len().div_ceil(WIDENING_DIVISOR).min(moves.len() - 1)] {
            let mv = canonical_cell(board, is_turned, mv.into());
            let child = self.table.find_entry(board.canonical_key_after(mv).0);
            let child = child.map_or(ChildNumbers { mv, phi: 1, delta: 1 }, |entry| ChildNumbers {
                mv,
                phi: entry.phi,
                delta: entry.delta,
            });
            delta = delta.saturating_add(child.phi).min(INFINITE_PROOF_NUMBER);
            if child.delta < phi {
                second = phi;
                (phi, best) = (child.delta, Some(child));
            } else {
                second = second.min(child.delta);
            }
        }
        let best = best.expect("every open number is finite");
        ChildrenSummary::Open { phi, delta, best, second }
    }
}

fn saturate_to_u32(positions: u64) -> u32 {
    u32::try_from(positions).unwrap_or(u32::MAX)
}

/// Converts a cell between the board and its canonical rotation, the one with the smaller key.
#[inline]
fn canonical_cell<const W: usize>(board: &ProofBoard<W>, is_turned: bool, cell: usize) -> usize {
    if is_turned { board.geometry().cells - 1 - cell } else { cell }
}

/// Converts a set between the board and its canonical rotation, the one with the smaller key.
#[inline]
fn canonical_cells<const W: usize>(board: &ProofBoard<W>, is_turned: bool, cells: CellSet<W>) -> CellSet<W> {
    if is_turned { cells.rotated180(board.geometry().cells) } else { cells }
}
