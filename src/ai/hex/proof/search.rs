//! The solver: depth-first proof-number search that looks at the best few moves first. Knows positions' analysis and the table.

use super::analysis::{Analyzer, MustPlayAnalysis};
use super::board::ProofBoard;
use super::cells::Cells;
use super::connections::Effort;
use super::transposition::{INFINITE, ProofEntry, ProofTable};
use crate::ai::SearchBudget;
use crate::game::Side;

/// Of the moves that are left, one more than this part is looked at.
const WIDENING_DIVISOR: usize = 4;

/// Result of a proof search for one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchProof<const W: usize> {
    /// The winner.
    pub winner: Side,
    /// A winning move, if the mover wins.
    pub mv: Option<usize>,
    /// The winner wins even if the opponent had all empty cells but these.
    pub carrier: Cells<W>,
}

/// The solver and what it knows.
#[derive(Clone, Debug)]
pub struct ProofSearch<const W: usize> {
    analyzer: Analyzer<W>,
    table: ProofTable<W>,
    /// The moves of all positions on the way, one behind the other.
    moves: Vec<u16>,
    /// The count of combinations at which the search ends.
    most_combinations: u64,
}

/// A move that is left, as the table knows it.
#[derive(Clone, Copy, Debug)]
struct Child {
    mv: usize,
    /// Numbers of the one who moves there.
    phi: u32,
    delta: u32,
}

/// Result of gathering what is known about the moves of a position.
enum Gathered<const W: usize> {
    Won(usize, Cells<W>),
    Lost(Cells<W>),
    /// Own numbers, the best move, and the delta of the second best.
    Open {
        phi: u32,
        delta: u32,
        best: Child,
        second: u32,
    },
}

impl<const W: usize> ProofSearch<W> {
    /// Returns a solver with a table of about `mib` MiB that finds connections with some effort; `None` if the system has no
    /// memory for the table.
    #[must_use]
    pub fn with(mib: usize, effort: Effort) -> Option<Self> {
        let (table, analyzer) = (ProofTable::with_memory(mib)?, Analyzer::with(effort));
        Some(ProofSearch { analyzer, table, moves: Vec::new(), most_combinations: u64::MAX })
    }

    /// Frees the memory that is of no use between two searches; finds connections with this effort from now on.
    pub(super) fn release(&mut self, effort: Effort) {
        self.analyzer = Analyzer::with(effort);
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Solves a position that is not over; `None` if the budget is spent first. A position counts when it is analyzed.
    pub fn prove(
        &mut self,
        board: &mut ProofBoard<W>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<SearchProof<W>> {
        let entry = self.search(board, INFINITE, INFINITE, budget);
        let is_won = entry.is_won()?;
        let side = board.to_move();
        let (_, is_turned) = board.key();
        let carrier = seen(board, is_turned, entry.carrier);
        let mv = is_won.then(|| turned(board, is_turned, entry.best.into()));
        Some(SearchProof { winner: if is_won { side } else { side.other() }, mv, carrier })
    }

    /// Solves a position as [`ProofSearch::prove`] does, and analyzes no new position once `combinations` of connections were tried.
    pub fn prove_within(
        &mut self,
        board: &mut ProofBoard<W>,
        combinations: u64,
        budget: &mut SearchBudget<'_>,
    ) -> Option<SearchProof<W>> {
        self.most_combinations = self.analyzer.combinations().saturating_add(combinations);
        let proved = self.prove(board, budget);
        self.most_combinations = u64::MAX;
        proved
    }

    /// Returns the moves of an open position that are not refuted; no moves if it was not analyzed.
    pub(super) fn moves_left(&self, board: &ProofBoard<W>) -> Vec<usize> {
        let (key, is_turned) = board.key();
        let open = self.table.find(key).filter(|entry| entry.is_won().is_none());
        let moves = open.iter().flat_map(|entry| self.table.moves(entry));
        moves.map(|&mv| turned(board, is_turned, mv.into())).collect()
    }

    /// Returns the number of combinations of connections tried so far.
    pub(super) fn combinations(&self) -> u64 {
        self.analyzer.combinations()
    }

    /// Reports whether the search has to end before it analyzes another position.
    fn is_spent(&self, budget: &SearchBudget<'_>) -> bool {
        budget.is_spent() || self.analyzer.combinations() >= self.most_combinations
    }

    /// Looks until a number reaches its limit, the position is solved, or the budget is spent.
    fn search(
        &mut self,
        board: &mut ProofBoard<W>,
        most_phi: u32,
        most_delta: u32,
        budget: &mut SearchBudget<'_>,
    ) -> ProofEntry<W> {
        let (key, is_turned) = board.key();
        let Some(mut entry) = self.known_result(board, budget) else { return ProofEntry::unknown(key) };
        if entry.is_won().is_some() {
            return entry;
        }
        loop {
            match self.gather(board, &mut entry, is_turned) {
                Gathered::Won(mv, carrier) => {
                    let work = entry.work;
                    entry = ProofEntry::solved(
                        key,
                        Some(turned(board, is_turned, mv)),
                        seen(board, is_turned, carrier),
                    );
                    entry.work = work;
                    break;
                }
                Gathered::Lost(carrier) => {
                    let work = entry.work;
                    entry = ProofEntry::solved(key, None, seen(board, is_turned, carrier));
                    entry.work = work;
                    break;
                }
                Gathered::Open { phi, delta, best, second } => {
                    (entry.phi, entry.delta) = (phi, delta);
                    if phi >= most_phi || delta >= most_delta || self.is_spent(budget) {
                        break;
                    }
                    self.table.store(entry);
                    let child_phi = (most_delta - delta).saturating_add(best.phi).min(INFINITE);
                    let child_delta = most_phi.min(second.saturating_add(1));
                    board.make(best.mv);
                    let before = budget.nodes;
                    self.search(board, child_phi, child_delta, budget);
                    board.unmake();
                    // The table may have moved the entry, or dropped it.
                    let work = entry.work.saturating_add(narrow(budget.nodes - before));
                    let Some(again) = self.known_result(board, budget) else { return entry };
                    entry = again;
                    entry.work = work;
                    if entry.is_won().is_some() {
                        return entry;
                    }
                }
            }
        }
        self.table.store(entry);
        entry
    }

    /// Returns the entry of the table for a position, or that of its analysis; `None` if that is new and the budget is
    /// spent.
    fn known_result(
        &mut self,
        board: &mut ProofBoard<W>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<ProofEntry<W>> {
        if let Some(known) = self.table.find(board.key().0) {
            return Some(known);
        }
        if self.is_spent(budget) || !budget.tick() {
            return None;
        }
        self.expand(board, &|| budget.is_due())
    }

    /// Analyzes a new position and keeps it, unless that has to end.
    fn expand(&mut self, board: &mut ProofBoard<W>, is_due: &dyn Fn() -> bool) -> Option<ProofEntry<W>> {
        let (key, is_turned) = board.key();
        let verdict = self.analyzer.analyze(board, is_due)?;
        let solved = match verdict {
            MustPlayAnalysis::Won(mv, carrier) => {
                ProofEntry::solved(key, Some(turned(board, is_turned, mv)), seen(board, is_turned, carrier))
            }
            MustPlayAnalysis::Lost(carrier) => ProofEntry::solved(key, None, seen(board, is_turned, carrier)),
            MustPlayAnalysis::Open { needed, .. } => {
                let order = self.analyzer.ordered().iter().map(|&mv| turned(board, is_turned, mv));
                return Some(self.table.open(key, order, seen(board, is_turned, needed)));
            }
        };
        self.table.store(solved);
        Some(solved)
    }

    /// Gathers the table's results for the moves of a position. Drops refuted moves and every move outside the
    /// refutation's carrier.
    fn gather(&mut self, board: &ProofBoard<W>, entry: &mut ProofEntry<W>, is_turned: bool) -> Gathered<W> {
        // 1. Refuted moves and winning ones
        let begin = self.moves.len();
        self.moves.extend_from_slice(self.table.moves(entry));
        let mut keep = Cells::ALL;
        for place in begin..self.moves.len() {
            let mv = turned(board, is_turned, self.moves[place].into());
            let (child_key, child_turned) = board.key_after(mv);
            let Some(child) = self.table.find(child_key) else { continue };
            match child.is_won() {
                Some(true) => {
                    let carrier = seen(board, child_turned, child.carrier);
                    entry.carrier |= seen(board, is_turned, carrier);
                    keep &= carrier;
                }
                Some(false) => {
                    self.moves.truncate(begin);
                    let mut carrier = seen(board, child_turned, child.carrier);
                    carrier.insert(mv);
                    return Gathered::Won(mv, carrier);
                }
                None => {}
            }
        }
        self.moves.truncate(begin);
        if keep != Cells::ALL {
            self.table.keep_moves(entry, |mv| keep.contains(turned(board, is_turned, mv)));
        }
        let moves = self.table.moves(entry);
        if moves.is_empty() {
            return Gathered::Lost(seen(board, is_turned, entry.carrier));
        }
        // 2. The numbers of the best few
        let (mut phi, mut delta, mut second, mut best) = (INFINITE, 0_u32, INFINITE, None);
        for &mv in &moves[..=moves.len().div_ceil(WIDENING_DIVISOR).min(moves.len() - 1)] {
            let mv = turned(board, is_turned, mv.into());
            let child = self.table.find(board.key_after(mv).0);
            let child = child.map_or(Child { mv, phi: 1, delta: 1 }, |entry| Child {
                mv,
                phi: entry.phi,
                delta: entry.delta,
            });
            delta = delta.saturating_add(child.phi).min(INFINITE);
            if child.delta < phi {
                second = phi;
                (phi, best) = (child.delta, Some(child));
            } else {
                second = second.min(child.delta);
            }
        }
        let best = best.expect("every open number is finite");
        Gathered::Open { phi, delta, best, second }
    }
}

fn narrow(positions: u64) -> u32 {
    u32::try_from(positions).unwrap_or(u32::MAX)
}

/// A cell as it is on the board with the smaller key, and back.
#[inline]
fn turned<const W: usize>(board: &ProofBoard<W>, is_turned: bool, cell: usize) -> usize {
    if is_turned { board.geometry().cells - 1 - cell } else { cell }
}

/// Returns a set as it is on the board with the smaller key, and back.
#[inline]
fn seen<const W: usize>(board: &ProofBoard<W>, is_turned: bool, cells: Cells<W>) -> Cells<W> {
    if is_turned { cells.turned(board.geometry().cells) } else { cells }
}
