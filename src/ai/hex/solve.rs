//! Exact values: by search to the end of the game where few cells are empty, elsewhere by the prover. Knows the rules, networks,
//! the general search and the prover.

use std::sync::atomic::AtomicBool;

use crate::ai::alphabeta::{AlphaBeta, FULL};
use crate::ai::hex::path_counts::{FAR, Graph, PathGraph};
use crate::ai::hex::proof::{Certificate, Prover};
use crate::ai::transposition::TranspositionTable;
use crate::ai::{
    Eval, Limits, Score, SearchBudget, SearchControl, SolveControl, Solved, Unproved, Value, WIN,
    WrittenProof, after_move, legal_moves, one_ply_earlier,
};
use crate::game::{BySide, Game, Outcome, Side};
use crate::games::hex::{Cell, Hex, Move, SwapRule};

/// The table, in MiB.
pub(super) const MEMORY: usize = 64;
/// No more is of use for the positions whose distances are found.
const MAX_COUNTED: usize = 256;
/// Up to this many empty cells distances are found as well, and there is no limit unless one is given.
const MAX_EMPTY_FOR_DISTANCES: usize = 16;
/// Up to this size there is no limit unless one is given.
const UNLIMITED: usize = 7;
/// Work done on larger boards where no limit is given: positions, each counted as the square of its number of cells.
const MAX_WORK: usize = 70_000_000;
/// Up to this size the value of every move is told while people play.
const MAX_SIZE_WITH_VALUES: usize = 3;

/// Sees how many stones each side needs at least.
#[derive(Debug, Default)]
struct DistanceEval {
    networks: BySide<PathGraph>,
    /// By cell, for the position looked at last.
    ranks: Vec<i32>,
}

impl DistanceEval {
    fn analyze(&mut self, game: &Hex) -> [u16; 2] {
        let own = game.to_move();
        [own, own.other()].map(|side| self.networks[side].analyze(game, side, Graph::Plain))
    }
}

impl Eval<Hex> for DistanceEval {
    fn value(&mut self, game: &Hex) -> i32 {
        let [own, theirs] = self.analyze(game).map(i32::from);
        theirs - own
    }

    fn move_index_count(&self, game: &Hex) -> usize {
        game.grid().len() + 1
    }

    fn move_index(&self, game: &Hex, mv: Move) -> u16 {
        let move_index = mv.cell().map_or(game.grid().len(), Cell::index);
        u16::try_from(move_index).expect("at most 676")
    }

    fn rank(&mut self, _: &Hex, mv: Move) -> i32 {
        mv.cell().map_or(0, |cell| self.ranks[cell.index()])
    }

    /// A side that needs `n` more stones wins with its `n`th move from here at the soonest.
    fn bounds(&mut self, game: &Hex) -> (i32, i32) {
        let [own, theirs] = self.analyze(game).map(i32::from);
        (2 * theirs - WIN, WIN - (2 * own - 1))
    }

    /// Leaves out what does not end the game although that is possible, or lets the opponent end it.
    fn moves(&mut self, game: &Hex, out: &mut Vec<Move>) {
        let [own, theirs] = self.analyze(game);
        let side = game.to_move();
        let [mine, other] = [side, side.other()].map(|side| &self.networks[side]);
        self.ranks.resize(game.grid().len(), 0);
        for cell in game.empty() {
            let far = |network: &PathGraph| i32::from(network.through(cell).min(999));
            self.ranks[cell.index()] = -(far(mine) + far(other));
        }
        if game.can_swap() {
            game.moves(out);
        } else if own == 1 {
            out.extend(game.empty().find(|&cell| mine.through(cell) == 1).map(Move::Place));
        } else if theirs == 1 {
            out.extend(game.empty().filter(|&cell| other.through(cell) == 1).map(Move::Place));
        } else {
            // A cell on no path from edge to edge of one side is on none of the other's either.
            out.extend(game.empty().filter(|&cell| mine.through(cell) != FAR).map(Move::Place));
        }
    }
}

/// Returns the legal moves with their values, wins and losses by distance; `None` where the budget was spent first.
fn counted(
    game: &Hex,
    memory: TranspositionTable,
    budget: &mut SearchBudget<'_>,
) -> Vec<(Move, Option<i32>)> {
    let mut search = AlphaBeta::new(DistanceEval::default(), memory);
    let mut now = game.clone();
    let value_of = |mv| {
        let value = after_move(&mut now, mv, |after| search.value(after, FULL, (-WIN, WIN), budget));
        (mv, value.map(one_ply_earlier))
    };
    legal_moves(game).into_iter().map(value_of).collect()
}

/// The largest board on which a position counts once against a limit.
const MAX_CELLS_COUNTED_ONCE: usize = 121;

/// Returns the limits that are meant: on boards larger than 11x11 a position costs more, by the square of its cells, and counts
/// as often.
fn by_work(limits: Limits, game: &Hex) -> Limits {
    let cells = game.grid().len().max(MAX_CELLS_COUNTED_ONCE) as u64;
    let once = MAX_CELLS_COUNTED_ONCE as u64;
    let positions = |nodes: u64| (nodes.saturating_mul(once * once) / (cells * cells)).max(nodes.min(1));
    Limits { nodes: limits.nodes.map(positions), ..limits }
}

/// Proves who wins a position that is not over, and writes the proof down. Swaps do not count.
pub(super) fn prove(game: &Hex, control: &SolveControl<'_>) -> Result<WrittenProof, Unproved> {
    let search = control.search::<Move>();
    let limits = by_work(search.limits, game);
    let mut budget = SearchBudget::start(&SearchControl { limits, ..search });
    let mib = control.memory_mib.unwrap_or(MEMORY);
    let mut prover = Prover::try_new(game.size(), mib).ok_or(Unproved::Memory)?;
    let Certificate { winner, plies, text } =
        prover.certificate(game, &mut budget).ok_or(Unproved::Limits)?;
    Ok(WrittenProof { winner, plies, nodes: budget.nodes, text })
}

/// Proves who wins, and who wins after each move; `report` receives the part of the moves that is done.
fn proved(
    game: &Hex,
    prover: &mut Prover,
    budget: &mut SearchBudget<'_>,
    report: &dyn Fn(f64),
) -> (Option<Side>, Vec<(Move, Option<Side>)>) {
    let (mut now, side) = (game.clone(), game.to_move());
    let may_swap_later = game.swap_rule == SwapRule::On && game.count() == 0;
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
            None => after_move(&mut now, mv, |after| winner_of(prover, after, budget)),
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

/// Proves who wins a position that may be over, and in which a swap may be legal.
fn winner_of(prover: &mut Prover, game: &mut Hex, budget: &mut SearchBudget<'_>) -> Option<Side> {
    if let Some(outcome) = game.outcome() {
        return outcome.winner();
    }
    let winner = prover.prove(game, budget)?.winner;
    if !game.can_swap() || winner == game.to_move() {
        return Some(winner);
    }
    after_move(game, Move::Swap, |after| winner_of(prover, after, budget))
}

/// The winner of a position and after each of its moves, with distances where at most 16 cells are empty. On boards larger than
/// 7x7 it gives up after some ten seconds if no limit is given.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SearchControl};
/// use crosspath::ai::hex::solve::solve;
/// use crosspath::game::{Outcome, Side};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let (game, stop) = (Hex::new(3, SwapRule::Off)?, AtomicBool::new(false));
/// let solved = solve(&game, &SearchControl::quiet(Limits::default(), &stop));
/// assert_eq!(solved.outcome, Some(Outcome::Win(Side::First)));
/// assert!(solved.moves.iter().any(|&(_, _, plies)| plies == Some(5)), "three stones win at the earliest");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn solve(game: &Hex, control: &SearchControl<'_, Move>) -> Solved<Move> {
    solve_within(game, MEMORY, control, &|_| ())
}

/// Solves a position without distances, which takes much less time where few cells are empty.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SearchControl};
/// use crosspath::ai::hex::solve::winners;
/// use crosspath::game::{Outcome, Side};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let (game, stop) = (Hex::new(3, SwapRule::Off)?, AtomicBool::new(false));
/// let solved = winners(&game, &SearchControl::quiet(Limits::default(), &stop));
/// let wins = solved.moves.iter().filter(|(_, outcome, _)| *outcome == Some(Outcome::Win(Side::First)));
/// assert_eq!((solved.moves.len(), wins.count()), (9, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn winners(game: &Hex, control: &SearchControl<'_, Move>) -> Solved<Move> {
    solve_up_to(0, game, MEMORY, control, &|_| ())
}

/// The winner alone, which takes much less time than that of every move.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SearchControl};
/// use crosspath::ai::hex::solve::winner;
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let (game, stop) = (Hex::new(3, SwapRule::Off)?, AtomicBool::new(false));
/// let winner = winner(&game, &SearchControl::quiet(Limits::default(), &stop));
/// assert_eq!(winner, Some(Side::First));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn winner(game: &Hex, control: &SearchControl<'_, Move>) -> Option<Side> {
    let limits = within_reason(by_work(control.limits, game), game);
    let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
    winner_of(&mut Prover::try_new(game.size(), MEMORY)?, &mut game.clone(), &mut budget)
}

/// Up to this size [`exact`] tells the winner.
const MAX_EXACT_SIZE: usize = 6;

/// The winner on a board of up to 6x6 cells, with moves that keep that.
pub(super) fn exact(game: &Hex, stop: &AtomicBool) -> Option<(Outcome, Vec<Move>)> {
    let side = game.to_move();
    if game.size() > MAX_EXACT_SIZE {
        return None;
    }
    // Whatever the first stone is worth, Second takes it or leaves it.
    if game.swap_rule == SwapRule::On && game.count() == 0 && game.size() > 1 {
        return Some((Outcome::Win(side.other()), legal_moves(game)));
    }
    let mut budget = SearchBudget::start::<Move>(&SearchControl::quiet(Limits::default(), stop));
    let mut prover = Prover::try_new(game.size(), MEMORY)?;
    let proof = prover.prove(game, &mut budget)?;
    if proof.winner == side {
        return Some((Outcome::Win(side), proof.mv.map(Move::Place).into_iter().collect()));
    }
    let is_taken = game.can_swap()
        && after_move(&mut game.clone(), Move::Swap, |after| winner_of(&mut prover, after, &mut budget))?
            == side;
    let (winner, kept) = if is_taken { (side, vec![Move::Swap]) } else { (side.other(), legal_moves(game)) };
    Some((Outcome::Win(winner), kept))
}

/// These limits; on boards larger than 7x7 some ten seconds where none are given.
fn within_reason(limits: Limits, game: &Hex) -> Limits {
    let is_endless = limits == Limits::default() && game.size() > UNLIMITED;
    let most = || (MAX_WORK / game.grid().len().pow(2)) as u64;
    Limits { nodes: limits.nodes.or_else(|| is_endless.then(most)), ..limits }
}

/// Solves as [`solve`] does, with a table of `mib` MiB; `report` receives the part of the moves that is done.
pub(super) fn solve_within(
    game: &Hex,
    mib: usize,
    control: &SearchControl<'_, Move>,
    report: &dyn Fn(f64),
) -> Solved<Move> {
    solve_up_to(MAX_EMPTY_FOR_DISTANCES, game, mib, control, report)
}

/// Solves as [`solve_within`] does, with distances up to `counted_cells` empty cells.
fn solve_up_to(
    counted_cells: usize,
    game: &Hex,
    mib: usize,
    control: &SearchControl<'_, Move>,
    report: &dyn Fn(f64),
) -> Solved<Move> {
    let is_counted = game.empty().count() <= counted_cells;
    let limits = by_work(control.limits, game);
    let limits = if is_counted { limits } else { within_reason(limits, game) };
    let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
    let mut lacks_memory = false;
    let (outcome, moves) = if is_counted {
        by_distance(game, counted(game, TranspositionTable::with_memory(mib.min(MAX_COUNTED)), &mut budget))
    } else {
        let prover = Prover::try_new(game.size(), mib);
        lacks_memory = prover.is_none();
        let nothing = || (None, legal_moves(game).into_iter().map(|mv| (mv, None)).collect());
        let (winner, moves) =
            prover.map_or_else(nothing, |mut prover| proved(game, &mut prover, &mut budget, report));
        let told = |(mv, winner): (Move, Option<Side>)| (mv, winner.map(Outcome::Win), None);
        (winner.map(Outcome::Win), moves.into_iter().map(told).collect())
    };
    let proof = match outcome {
        Some(_) => format!("proved by searching {} positions", budget.nodes),
        None if lacks_memory => {
            format!("not proved: there is not enough memory for a table of {mib} MiB; use a smaller --memory")
        }
        None => "not proved within the limits".to_owned(),
    };
    Solved {
        outcome,
        proof: vec![proof],
        moves,
        nodes: budget.nodes,
        elapsed: budget.elapsed(),
        lacks_memory,
        needs_mib: None,
    }
}

/// Outcome of a game after a move, and the number of plies to it, where they are known.
type MoveOutcome = (Move, Option<Outcome>, Option<u32>);

/// The winner of a position and after its moves, by the values of those.
fn by_distance(game: &Hex, values: Vec<(Move, Option<i32>)>) -> (Option<Outcome>, Vec<MoveOutcome>) {
    let side = game.to_move();
    let told = |(mv, value): (Move, Option<i32>)| {
        let Some(value) = value else { return (mv, None, None) };
        let winner = if value > 0 { side } else { side.other() };
        let plies = match Score(value).value() {
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
            _ => None,
        };
        (mv, Some(Outcome::Win(winner)), plies)
    };
    let moves: Vec<MoveOutcome> = values.into_iter().map(told).collect();
    let wins = Some(Outcome::Win(side));
    let outcome = if moves.iter().any(|&(_, outcome, _)| outcome == wins) {
        wins
    } else {
        moves.iter().all(|&(_, outcome, _)| outcome.is_some()).then(|| Outcome::Win(side.other()))
    };
    (outcome, moves)
}

/// Returns the value of every legal move, in reading order; nothing on boards larger than 3x3, and not the moves that
/// are not known when the flag is raised.
#[must_use]
pub fn values(game: &Hex, stop: &AtomicBool) -> Vec<(Move, Value)> {
    if game.size() > MAX_SIZE_WITH_VALUES || game.outcome().is_some() {
        return Vec::new();
    }
    let mut budget = SearchBudget::start::<Move>(&SearchControl::quiet(Limits::default(), stop));
    let values = counted(game, TranspositionTable::with_entries(1 << 12), &mut budget).into_iter();
    values.filter_map(|(mv, value)| Some((mv, Score(value?).value()))).collect()
}
