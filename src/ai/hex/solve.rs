//! Exact values: a search to the end of the game if few cells are empty, and the prover otherwise. This
//! module depends on the rules, the path graphs, the general search and the prover.

use std::sync::atomic::AtomicBool;

use crate::ai::alphabeta::{AlphaBeta, UNLIMITED_DEPTH};
use crate::ai::hex::path_counts::{CellAdjacency, PathGraph, UNREACHABLE};
use crate::ai::hex::proof::{HexProver, ProofCertificate};
use crate::ai::transposition::TranspositionTable;
use crate::ai::{
    Eval, Limits, ProofFailure, Score, ScoreMeaning, SearchBudget, SearchControl, SolveControl, SolveResult,
    WIN_VALUE, WrittenProof, legal_moves, value_for_parent, with_move_made,
};
use crate::game::{BySide, Game, Outcome, Side};
use crate::games::hex::{Cell, Hex, Move, SwapRule};

/// Default size of the solver's table in MiB.
pub(super) const DEFAULT_SOLVER_TABLE_MIB: usize = 64;
/// Maximum size of the transposition table for distances in MiB. More memory does not help.
const MAX_DISTANCE_TABLE_MIB: usize = 256;
/// Maximum number of empty cells at which distances are computed. The default work limit does not apply in
/// this case.
const MAX_EMPTY_FOR_DISTANCES: usize = 16;
/// Largest board size that is solved without a default limit.
const MAX_SIZE_WITHOUT_WORK_LIMIT: usize = 7;
/// Default work limit on larger boards; the work of a node is the square of the number of cells.
const DEFAULT_WORK_LIMIT: usize = 70_000_000;
/// Largest board size on which the value of every move is shown during play.
const MAX_SIZE_FOR_MOVE_VALUES: usize = 3;

/// Evaluation by the minimum number of stones that each side still needs.
#[derive(Debug, Default)]
struct DistanceEval {
    networks: BySide<PathGraph>,
    /// Sort rank of each cell in the position analyzed last.
    ranks: Vec<i32>,
}

impl DistanceEval {
    fn measure_distances(&mut self, game: &Hex) -> [u16; 2] {
        let own = game.to_move();
        [own, own.other()]
            .map(|side| self.networks[side].compute_distances(game, side, CellAdjacency::Touching))
    }
}

impl Eval<Hex> for DistanceEval {
    fn value(&mut self, game: &Hex) -> i32 {
        let [own, theirs] = self.measure_distances(game).map(i32::from);
        theirs - own
    }

    fn move_index_count(&self, game: &Hex) -> usize {
        game.grid().len() + 1
    }

    fn move_index(&self, game: &Hex, mv: Move) -> u16 {
        let move_index = mv.cell().map_or(game.grid().len(), Cell::index);
        u16::try_from(move_index).expect("at most 676")
    }

    fn rank_move(&mut self, _: &Hex, mv: Move) -> i32 {
        mv.cell().map_or(0, |cell| self.ranks[cell.index()])
    }

    /// Returns bounds of the value. A side that needs `n` more stones wins with its `n`th move at the
    /// earliest.
    fn proved_bounds(&mut self, game: &Hex) -> (i32, i32) {
        let [own, theirs] = self.measure_distances(game).map(i32::from);
        (2 * theirs - WIN_VALUE, WIN_VALUE - (2 * own - 1))
    }

    /// Appends the moves to search. Leaves out moves that miss an immediate win or allow one.
    fn push_search_moves(&mut self, game: &Hex, out: &mut Vec<Move>) {
        let [own, theirs] = self.measure_distances(game);
        let side = game.to_move();
        let [mine, other] = [side, side.other()].map(|side| &self.networks[side]);
        self.ranks.resize(game.grid().len(), 0);
        for cell in game.empty_cells() {
            let far = |network: &PathGraph| i32::from(network.distance_through(cell).min(999));
            self.ranks[cell.index()] = -(far(mine) + far(other));
        }
        if game.can_swap() {
            game.push_legal_moves(out);
        } else if own == 1 {
            out.extend(game.empty_cells().find(|&cell| mine.distance_through(cell) == 1).map(Move::Place));
        } else if theirs == 1 {
            out.extend(game.empty_cells().filter(|&cell| other.distance_through(cell) == 1).map(Move::Place));
        } else {
            // A cell on no edge-to-edge path of one side is on none of the other side's either.
            out.extend(
                game.empty_cells()
                    .filter(|&cell| mine.distance_through(cell) != UNREACHABLE)
                    .map(Move::Place),
            );
        }
    }
}

/// Returns the legal moves with their values, wins and losses by distance. A value is `None` if the budget
/// was spent first.
fn solve_moves_by_distance(
    game: &Hex,
    memory: TranspositionTable,
    budget: &mut SearchBudget<'_>,
) -> Vec<(Move, Option<i32>)> {
    let mut search = AlphaBeta::new(DistanceEval::default(), memory);
    let mut now = game.clone();
    let value_of = |mv| {
        let value = with_move_made(&mut now, mv, |after| {
            search.search_value(after, UNLIMITED_DEPTH, (-WIN_VALUE, WIN_VALUE), budget)
        });
        (mv, value.map(value_for_parent))
    };
    legal_moves(game).into_iter().map(value_of).collect()
}

/// Largest board, in cells, on which a node counts as one node against a limit (11x11).
const MAX_CELLS_AT_UNIT_COST: usize = 121;

/// Scales the node limit to the board. Above 11x11 a node counts for more, in proportion to the square of the
/// number of cells.
fn scale_limits_to_board(limits: Limits, game: &Hex) -> Limits {
    let cells = game.grid().len().max(MAX_CELLS_AT_UNIT_COST) as u64;
    let once = MAX_CELLS_AT_UNIT_COST as u64;
    let positions = |nodes: u64| (nodes.saturating_mul(once * once) / (cells * cells)).max(nodes.min(1));
    Limits { nodes: limits.nodes.map(positions), ..limits }
}

/// Proves the winner of a position that is not over, and writes the proof. Ignores swaps.
pub(super) fn prove_with_certificate(
    game: &Hex,
    control: &SolveControl<'_>,
) -> Result<WrittenProof, ProofFailure> {
    let search = control.search_control::<Move>();
    let limits = scale_limits_to_board(search.limits, game);
    let mut budget = SearchBudget::start(&SearchControl { limits, ..search });
    let mib = control.memory_mib.unwrap_or(DEFAULT_SOLVER_TABLE_MIB);
    let mut prover = HexProver::try_new(game.size(), mib).ok_or(ProofFailure::Memory)?;
    let ProofCertificate { winner, plies, text } =
        prover.write_certificate(game, &mut budget).ok_or(ProofFailure::Limits)?;
    Ok(WrittenProof { winner, plies, nodes: budget.nodes, text })
}

/// Proves the winner, and the winner after each move. `report` receives the fraction of moves done, from 0 to
/// 1.
fn prove_moves(
    game: &Hex,
    prover: &mut HexProver,
    budget: &mut SearchBudget<'_>,
    report: &dyn Fn(f64),
) -> (Option<Side>, Vec<(Move, Option<Side>)>) {
    let (mut now, side) = (game.clone(), game.to_move());
    let may_swap_later = game.swap_rule == SwapRule::On && game.stone_count() == 0;
    let root = if may_swap_later { None } else { prover.prove(game, budget) };
    let is_lost = root.as_ref().is_some_and(|proof| proof.winner != side);
    let moves = legal_moves(game);
    let count = f64::from(u32::try_from(moves.len()).expect("at most 677 moves"));
    let mut values = Vec::new();
    for (number, mv) in (0_u32..).zip(moves) {
        report(f64::from(number) / count);
        let known = root.as_ref().filter(|proof| proof.mv.is_some() && proof.mv == mv.cell());
        let winner = match known {
            Some(proof) => Some(proof.winner),
            None if is_lost && mv != Move::Swap => Some(side.other()),
            None => with_move_made(&mut now, mv, |after| prove_winner(prover, after, budget)),
        };
        values.push((mv, winner));
    }
    let winner = if values.iter().any(|&(_, winner)| winner == Some(side)) {
        Some(side)
    } else {
        values.iter().all(|(_, winner)| winner.is_some()).then_some(side.other())
    };
    (winner.or(root.filter(|_| !game.can_swap()).map(|proof| proof.winner)), values)
}

/// Proves the winner of a position that may be over and in which a swap may be legal.
fn prove_winner(prover: &mut HexProver, game: &mut Hex, budget: &mut SearchBudget<'_>) -> Option<Side> {
    if let Some(outcome) = game.outcome() {
        return outcome.winner();
    }
    let winner = prover.prove(game, budget)?.winner;
    if !game.can_swap() || winner == game.to_move() {
        return Some(winner);
    }
    with_move_made(game, Move::Swap, |after| prove_winner(prover, after, budget))
}

/// Finds the winner of a position and after each of its moves, with distances if at most 16 cells are empty.
/// On boards larger than 7x7 it gives up after about ten seconds if no limit is given.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SearchControl};
/// use crosspath::ai::hex::solve::solve_position;
/// use crosspath::game::{Outcome, Side};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let (game, stop) = (Hex::new(3, SwapRule::Off)?, AtomicBool::new(false));
/// let solved = solve_position(&game, &SearchControl::without_reports(Limits::default(), &stop));
/// assert_eq!(solved.outcome, Some(Outcome::Win(Side::First)));
/// assert!(solved.moves.iter().any(|&(_, _, plies)| plies == Some(5)), "three stones win at the earliest");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn solve_position(game: &Hex, control: &SearchControl<'_, Move>) -> SolveResult<Move> {
    solve_with_memory(game, DEFAULT_SOLVER_TABLE_MIB, control, &|_| ())
}

/// Finds the winner of a position and after each of its moves, without distances. This is much faster where
/// few cells are empty.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SearchControl};
/// use crosspath::ai::hex::solve::solve_without_distances;
/// use crosspath::game::{Outcome, Side};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let (game, stop) = (Hex::new(3, SwapRule::Off)?, AtomicBool::new(false));
/// let solved = solve_without_distances(&game, &SearchControl::without_reports(Limits::default(), &stop));
/// let wins = solved.moves.iter().filter(|(_, outcome, _)| *outcome == Some(Outcome::Win(Side::First)));
/// assert_eq!((solved.moves.len(), wins.count()), (9, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn solve_without_distances(game: &Hex, control: &SearchControl<'_, Move>) -> SolveResult<Move> {
    solve_with_distances_up_to(0, game, DEFAULT_SOLVER_TABLE_MIB, control, &|_| ())
}

/// Finds only the winner of a position, which is much faster than solving every move.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SearchControl};
/// use crosspath::ai::hex::solve::find_winner;
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let (game, stop) = (Hex::new(3, SwapRule::Off)?, AtomicBool::new(false));
/// let winner = find_winner(&game, &SearchControl::without_reports(Limits::default(), &stop));
/// assert_eq!(winner, Some(Side::First));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn find_winner(game: &Hex, control: &SearchControl<'_, Move>) -> Option<Side> {
    let limits = with_default_work_limit(scale_limits_to_board(control.limits, game), game);
    let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
    prove_winner(
        &mut HexProver::try_new(game.size(), DEFAULT_SOLVER_TABLE_MIB)?,
        &mut game.clone(),
        &mut budget,
    )
}

/// Largest board size on which [`find_exact_result`] finds the winner.
const MAX_SIZE_FOR_EXACT_RESULT: usize = 6;

/// Returns the winner on a board up to 6x6, with moves that preserve the result.
pub(super) fn find_exact_result(game: &Hex, stop: &AtomicBool) -> Option<(Outcome, Vec<Move>)> {
    let side = game.to_move();
    if game.size() > MAX_SIZE_FOR_EXACT_RESULT {
        return None;
    }
    // Second may choose its side after the first stone, so it wins.
    if game.swap_rule == SwapRule::On && game.stone_count() == 0 && game.size() > 1 {
        return Some((Outcome::Win(side.other()), legal_moves(game)));
    }
    let mut budget = SearchBudget::start::<Move>(&SearchControl::without_reports(Limits::default(), stop));
    let mut prover = HexProver::try_new(game.size(), DEFAULT_SOLVER_TABLE_MIB)?;
    let proof = prover.prove(game, &mut budget)?;
    if proof.winner == side {
        return Some((Outcome::Win(side), proof.mv.map(Move::Place).into_iter().collect()));
    }
    let is_taken = game.can_swap()
        && with_move_made(&mut game.clone(), Move::Swap, |after| {
            prove_winner(&mut prover, after, &mut budget)
        })? == side;
    let (winner, kept) = if is_taken { (side, vec![Move::Swap]) } else { (side.other(), legal_moves(game)) };
    Some((Outcome::Win(winner), kept))
}

/// Returns the limits with a default node limit, about ten seconds, on boards larger than 7x7 without limits.
fn with_default_work_limit(limits: Limits, game: &Hex) -> Limits {
    let is_endless = limits == Limits::default() && game.size() > MAX_SIZE_WITHOUT_WORK_LIMIT;
    let most = || (DEFAULT_WORK_LIMIT / game.grid().len().pow(2)) as u64;
    Limits { nodes: limits.nodes.or_else(|| is_endless.then(most)), ..limits }
}

/// Solves like [`solve_position`] does, with a table of `mib` MiB. `report` receives the fraction of moves
/// done, from 0 to 1.
pub(super) fn solve_with_memory(
    game: &Hex,
    mib: usize,
    control: &SearchControl<'_, Move>,
    report: &dyn Fn(f64),
) -> SolveResult<Move> {
    solve_with_distances_up_to(MAX_EMPTY_FOR_DISTANCES, game, mib, control, report)
}

/// Solves like [`solve_with_memory`] does, with distances up to `counted_cells` empty cells.
fn solve_with_distances_up_to(
    counted_cells: usize,
    game: &Hex,
    mib: usize,
    control: &SearchControl<'_, Move>,
    report: &dyn Fn(f64),
) -> SolveResult<Move> {
    let is_counted = game.empty_cells().count() <= counted_cells;
    let limits = scale_limits_to_board(control.limits, game);
    let limits = if is_counted { limits } else { with_default_work_limit(limits, game) };
    let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
    let mut lacks_memory = false;
    let (outcome, moves) = if is_counted {
        outcomes_from_values(
            game,
            solve_moves_by_distance(
                game,
                TranspositionTable::with_memory_mib(mib.min(MAX_DISTANCE_TABLE_MIB)),
                &mut budget,
            ),
        )
    } else {
        let prover = HexProver::try_new(game.size(), mib);
        lacks_memory = prover.is_none();
        let nothing = || (None, legal_moves(game).into_iter().map(|mv| (mv, None)).collect());
        let (winner, moves) =
            prover.map_or_else(nothing, |mut prover| prove_moves(game, &mut prover, &mut budget, report));
        let to_outcome = |(mv, winner): (Move, Option<Side>)| (mv, winner.map(Outcome::Win), None);
        (winner.map(Outcome::Win), moves.into_iter().map(to_outcome).collect())
    };
    let proof = match outcome {
        Some(_) => format!("proved by searching {} positions", budget.nodes),
        None if lacks_memory => {
            format!("not proved: there is not enough memory for a table of {mib} MiB; use a smaller --memory")
        }
        None => "not proved within the limits".to_owned(),
    };
    SolveResult {
        outcome,
        proof: vec![proof],
        moves,
        nodes: budget.nodes,
        elapsed: budget.elapsed(),
        lacks_memory,
        needs_mib: None,
    }
}

/// A move, the outcome of the game after it, and the number of plies to that outcome; `None` where unknown.
type MoveOutcome = (Move, Option<Outcome>, Option<u32>);

/// Derives the outcome of a position and of its moves from the values of the moves.
fn outcomes_from_values(game: &Hex, values: Vec<(Move, Option<i32>)>) -> (Option<Outcome>, Vec<MoveOutcome>) {
    let side = game.to_move();
    let to_outcome = |(mv, value): (Move, Option<i32>)| {
        let Some(value) = value else { return (mv, None, None) };
        let winner = if value > 0 { side } else { side.other() };
        let plies = match Score(value).meaning() {
            ScoreMeaning::Win(plies) | ScoreMeaning::Loss(plies) => Some(plies),
            _ => None,
        };
        (mv, Some(Outcome::Win(winner)), plies)
    };
    let moves: Vec<MoveOutcome> = values.into_iter().map(to_outcome).collect();
    let wins = Some(Outcome::Win(side));
    let outcome = if moves.iter().any(|&(_, outcome, _)| outcome == wins) {
        wins
    } else {
        moves.iter().all(|&(_, outcome, _)| outcome.is_some()).then(|| Outcome::Win(side.other()))
    };
    (outcome, moves)
}

/// Returns the value of every legal move in reading order. Returns no moves on boards larger than 3x3, and
/// leaves out moves still unsolved when `stop` is set.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::ScoreMeaning;
/// use crosspath::ai::hex::solve::solve_move_values;
/// use crosspath::game::Notation;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(3, SwapRule::Off)?;
/// let values = solve_move_values(&game, &AtomicBool::new(false));
/// assert!(values.contains(&(game.parse("b2")?, ScoreMeaning::Win(5))), "First connects with its third stone");
/// assert_eq!(values.iter().filter(|(_, value)| matches!(value, ScoreMeaning::Win(_))).count(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn solve_move_values(game: &Hex, stop: &AtomicBool) -> Vec<(Move, ScoreMeaning)> {
    if game.size() > MAX_SIZE_FOR_MOVE_VALUES || game.outcome().is_some() {
        return Vec::new();
    }
    let mut budget = SearchBudget::start::<Move>(&SearchControl::without_reports(Limits::default(), stop));
    let values =
        solve_moves_by_distance(game, TranspositionTable::with_entries(1 << 12), &mut budget).into_iter();
    values.filter_map(|(mv, value)| Some((mv, Score(value?).meaning()))).collect()
}
