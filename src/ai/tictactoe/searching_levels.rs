//! The players that search: level 5 a little, level 6 more, levels 7 and 8 until they can prove that their move does
//! not lose. Know the rules, searches and certificates.

use std::cmp::Reverse;
use std::time::Duration;

use crate::ai::alphabeta::{AlphaBeta, AlphaBetaResult, FULL};
use crate::ai::tictactoe::certificate::safe_moves;
use crate::ai::tictactoe::exact::{Bounds, Solver};
use crate::ai::tictactoe::lines::{LeafEvaluation, LineCounts, LineEval, best_by_line_count, is_single};
use crate::ai::tictactoe::threats::{forced_win, forced_win_of};
use crate::ai::tictactoe::{is_deep_enough, proved};
use crate::ai::transposition::TranspositionTable;
use crate::ai::{Candidates, Limits, MATE_BOUND, MoveTask, Proof, Score, SearchBudget, Strategy, most_by};
use crate::game::Game;
use crate::games::tictactoe::{Cell, TicTacToe, cells};

/// Positions that the search for a chain of threats may cost.
const CHAIN_NODES: u64 = 20_000;
/// Positions that this search may cost for one answer of the opponent, when traps are counted, and for all answers.
const TRAP_NODES: u64 = 2_000;
const ALL_TRAP_NODES: u64 = 200_000;
/// Moves that are tried for traps where the board is larger than 4x4.
const TRAPS_TRIED: usize = 8;
/// The positions of a move where no limits are given; where lines are shorter than the board, fewer, and a time that
/// only a slow machine needs.
const DEFAULT_NODES: u64 = 1_000_000;
const SHORT_LINE_NODES: u64 = 200_000;
const SHORT_LINE_TIME: Duration = Duration::from_millis(400);

/// Level 5: three plies by the line score; on boards larger than 3x3 only what they decide, otherwise as level 4.
#[derive(Debug)]
pub(crate) struct ThreePly {
    search: AlphaBeta<TicTacToe, LineEval>,
}

impl ThreePly {
    pub(crate) fn new() -> Self {
        ThreePly {
            search: AlphaBeta::new(
                LineEval::new(LeafEvaluation::AsItIs),
                TranspositionTable::with_entries(1 << 12),
            ),
        }
    }
}

impl Strategy<TicTacToe> for ThreePly {
    fn limits(&self, _: &TicTacToe) -> Limits {
        Limits { depth: Some(3), ..Limits::default() }
    }

    fn think(&mut self, task: &mut MoveTask<'_, TicTacToe>) -> Candidates<Cell> {
        let game = task.at.now;
        if let Some(thought) = urgent(game) {
            return thought;
        }
        // Where more than three plies are to come, the best estimate after three wins less than a good line now:
        // 95 % instead of 98 % against random moves on 4x4.
        if game.size() > 3 {
            return choose_soundly(&mut self.search, task);
        }
        candidates_of(self.search.best(game, task.generator, &task.control, &mut task.budget))
    }

    fn forget(&mut self) {
        *self = ThreePly::new();
    }
}

/// Level 6: a short search for threats, then 20,000 positions by the line score; 3x3 is exact.
#[derive(Debug)]
pub(crate) struct ThreatSearch {
    search: AlphaBeta<TicTacToe, LineEval>,
    solver: Option<Solver>,
}

impl ThreatSearch {
    pub(crate) fn new() -> Self {
        ThreatSearch {
            search: AlphaBeta::new(
                LineEval::new(LeafEvaluation::WithThreats),
                TranspositionTable::with_entries(1 << 15),
            ),
            solver: None,
        }
    }
}

impl Strategy<TicTacToe> for ThreatSearch {
    fn limits(&self, _: &TicTacToe) -> Limits {
        Limits { nodes: Some(20_000), ..Limits::default() }
    }

    fn think(&mut self, task: &mut MoveTask<'_, TicTacToe>) -> Candidates<Cell> {
        let game = task.at.now;
        if game.size() <= 3 && is_deep_enough(task) {
            let solver = self.solver.get_or_insert_with(|| solver_for(game));
            if let Some(thought) = choose_exactly(solver, game, &mut task.budget) {
                return thought;
            }
        }
        if let Some(win) = forced_win(game, 200, &mut task.budget) {
            return proved(win.moves, Proof::WinIn(win.plies));
        }
        urgent(game).unwrap_or_else(|| choose_soundly(&mut self.search, task))
    }

    fn forget(&mut self) {
        *self = ThreatSearch::new();
    }
}

/// Use of traps to choose among equal moves: the number of answers that lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapCounting {
    /// Level 8.
    Counted,
    /// Level 7.
    Ignored,
}

/// Levels 7 and 8: only moves that are proved not to lose, as long as there are any.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{GameHistory, Limits, Proof, SearchControl, Strategy};
/// use crosspath::ai::tictactoe::searching_levels::{ExactLevel, TrapCounting};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// use crosspath::random::stream;
/// let stop = AtomicBool::new(false);
/// let control = SearchControl::quiet(Limits::default(), &stop);
/// let start = TicTacToe::new(3)?;
/// let at = GameHistory { start: &start, played: &[], now: &start };
/// let (thought, ..) = ExactLevel::new(TrapCounting::Counted).offer(&at, &mut stream(1, 0), &control);
/// assert_eq!(thought.moves, [0, 2, 6, 8].map(Cell), "a corner sets the most traps");
/// assert_eq!(thought.proof, Some(Proof::Draw));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug)]
pub struct ExactLevel {
    traps: TrapCounting,
    /// Made when they are first wanted.
    solver: Option<Solver>,
    search: Option<AlphaBeta<TicTacToe, LineEval>>,
}

impl ExactLevel {
    /// A player that remembers nothing yet.
    #[must_use]
    pub fn new(traps: TrapCounting) -> Self {
        ExactLevel { traps, solver: None, search: None }
    }

    /// Chooses where no move is certified and the exact values were not to be had at once.
    fn delay_loss(
        &mut self,
        mut known: Vec<(Cell, Option<i32>)>,
        task: &mut MoveTask<'_, TicTacToe>,
    ) -> Candidates<Cell> {
        let game = task.at.now;
        // 1. The exact search, for half of what is left, where it may come to an end
        let is_likely = game.win_length() == game.size() || game.empty().count_ones() <= 25;
        if game.size() > 4 && is_likely && is_deep_enough(task) {
            let half = task.control.limits.nodes.unwrap_or(DEFAULT_NODES) / 2;
            known = task.budget.part(half, |part| self.solver_for(game).moves(game, part));
            if let Some((best, proof)) = verdict(game, &known) {
                return self.best_by_search(best, proof, task);
            }
        }
        // 2. The search by lines, for the rest
        if let Some(thought) = urgent(game) {
            return thought;
        }
        let search = self.search.get_or_insert_with(|| {
            AlphaBeta::new(
                LineEval::new(LeafEvaluation::WithThreats),
                TranspositionTable::with_entries(1 << 18),
            )
        });
        let mut thought = candidates_of(search.best(game, task.generator, &task.control, &mut task.budget));
        // 3. Never a move that is proved to lose while there is another
        let is_lost = |cell: &Cell| known.iter().any(|&(other, value)| other == *cell && value.is_some());
        if thought.moves.iter().all(is_lost) && !known.iter().all(|(_, value)| value.is_some()) {
            let open = known.iter().filter(|(_, value)| value.is_none()).map(|&(cell, _)| cell).collect();
            thought.moves = best_by_line_count(game, open);
        }
        thought
    }

    /// Of moves that are equally good by proof, those that people find hardest: by traps, then by lines.
    fn best_by_search(
        &mut self,
        moves: Vec<Cell>,
        proof: Proof,
        task: &mut MoveTask<'_, TicTacToe>,
    ) -> Candidates<Cell> {
        let game = task.at.now;
        let counts = LineCounts::of(game);
        let with_score = |cell| (cell, counts.score_after(game.to_move(), cell), 0);
        let mut scored: Vec<(Cell, i32, u32)> = moves.into_iter().map(with_score).collect();
        if self.traps == TrapCounting::Counted && scored.len() > 1 {
            scored.sort_by_key(|&(cell, score, _)| (Reverse(score), cell));
            let tried = if game.size() > 4 { TRAPS_TRIED } else { scored.len() };
            // All have as many answers, so the numbers of answers that lose compare like the shares.
            task.budget.part(ALL_TRAP_NODES, |part| {
                for (cell, _, traps) in scored.iter_mut().take(tried) {
                    *traps = self.traps_after(game, *cell, part).unwrap_or(0);
                }
            });
        }
        let best = most_by(scored, |&(_, score, traps)| (traps, score));
        let mut moves: Vec<Cell> = best.into_iter().map(|(cell, ..)| cell).collect();
        moves.sort();
        proved(moves, proof)
    }

    /// Counts the answers to a move that lose by proof; `None` if the budget was spent first.
    fn traps_after(&mut self, game: &TicTacToe, cell: Cell, budget: &mut SearchBudget<'_>) -> Option<u32> {
        let side = game.to_move();
        let mut after = game.clone();
        after.make(cell);
        let mut counts = LineCounts::of(&after);
        let mut traps = 0;
        if game.size() <= 3 {
            for answer in cells(after.empty()) {
                after.make(answer);
                let wins = after.outcome().is_none() && self.solver_for(game).wins(&after, budget)?;
                traps += u32::from(wins);
                after.unmake(answer, ());
            }
        } else if counts.least_needed(side).is_some_and(|needed| needed <= 2) {
            let losing = counts.completions(side.other());
            for answer in cells(after.empty() & !losing) {
                counts.make(side.other(), answer);
                traps += u32::from(forced_win_of(&mut counts, side, TRAP_NODES, budget).is_some());
                counts.unmake(side.other(), answer);
            }
        }
        (!budget.is_spent()).then_some(traps)
    }

    fn solver_for(&mut self, game: &TicTacToe) -> &mut Solver {
        self.solver.get_or_insert_with(|| solver_for(game))
    }
}

impl Strategy<TicTacToe> for ExactLevel {
    fn limits(&self, game: &TicTacToe) -> Limits {
        if game.win_length() < game.size() {
            Limits { nodes: Some(SHORT_LINE_NODES), time: Some(SHORT_LINE_TIME), ..Limits::default() }
        } else {
            Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() }
        }
    }

    fn think(&mut self, task: &mut MoveTask<'_, TicTacToe>) -> Candidates<Cell> {
        let game = task.at.now;
        // 1. Win now
        let wins = LineCounts::of(game).completions(game.to_move());
        if wins != 0 {
            return proved(cells(wins).collect(), Proof::WinIn(1));
        }
        // 2. Win by threats; 3x3 is left to the exact search, which knows the shortest win of all
        if game.size() > 3
            && let Some(win) = forced_win(game, CHAIN_NODES, &mut task.budget)
        {
            return proved(win.moves, Proof::WinIn(win.plies));
        }
        // 3. A small board holds no secrets
        let mut known = Vec::new();
        if game.size() <= 4 && is_deep_enough(task) {
            known = self.solver_for(game).moves(game, &mut task.budget);
            if let Some((best, proof)) = verdict(game, &known) {
                return self.best_by_search(best, proof, task);
            }
        }
        // 4. Moves that hold every line
        let safe = safe_moves(game);
        if safe != 0 {
            return self.best_by_search(cells(safe).collect(), Proof::Certified, task);
        }
        // 5. What a search can prove, or at least make likely
        self.delay_loss(known, task)
    }

    fn forget(&mut self) {
        *self = ExactLevel::new(self.traps);
    }
}

fn solver_for(game: &TicTacToe) -> Solver {
    let entries = match game.size() {
        ..=3 => 1 << 12,
        4 => 1 << 16,
        _ => 1 << 19,
    };
    Solver::new(game, Bounds::Certificates, TranspositionTable::with_entries(entries))
}

/// Returns the moves that need no search: an immediate win, or an answer to a threat.
fn urgent(game: &TicTacToe) -> Option<Candidates<Cell>> {
    let counts = LineCounts::of(game);
    let wins = counts.completions(game.to_move());
    if wins != 0 {
        return Some(proved(cells(wins).collect(), Proof::WinIn(1)));
    }
    let threats = counts.completions(game.to_move().other());
    let proof = if is_single(threats) { Proof::Unproved } else { Proof::LostIn(2) };
    (threats != 0).then(|| proved(cells(threats).collect(), proof))
}

/// The best moves of a small board; of several those that the search would try first.
fn choose_exactly(
    solver: &mut Solver,
    game: &TicTacToe,
    budget: &mut SearchBudget<'_>,
) -> Option<Candidates<Cell>> {
    let values = solver.moves(game, budget);
    let (moves, proof) = verdict(game, &values)?;
    let counts = LineCounts::of(game);
    let moves = most_by(moves, |&cell| counts.rank(game.to_move(), cell));
    Some(proved(moves, proof))
}

/// The best moves and what they come to, if the values that are known decide it: all of them, or one that does not
/// lose. Where all is lost at once, an answer to one of the threats is still an answer.
fn verdict(game: &TicTacToe, values: &[(Cell, Option<i32>)]) -> Option<(Vec<Cell>, Proof)> {
    let best = values.iter().filter_map(|&(_, value)| value).max()?;
    let all_known = values.iter().all(|(_, value)| value.is_some());
    if best < 0 && !all_known {
        return None;
    }
    let proof = Proof::from(Score(best).proved());
    let threats = LineCounts::of(game).completions(game.to_move().other());
    let is_wanted = |cell: &Cell| proof != Proof::LostIn(2) || threats & cell.bit() != 0;
    let moves = values.iter().filter(|&&(_, value)| value == Some(best)).map(|&(cell, _)| cell);
    Some((moves.filter(is_wanted).collect(), proof))
}

/// Returns the moves that a search by lines decides: a win or a loss. Otherwise the best line score of the moves that
/// do not lose within the depth of the search.
fn choose_soundly(
    search: &mut AlphaBeta<TicTacToe, LineEval>,
    task: &mut MoveTask<'_, TicTacToe>,
) -> Candidates<Cell> {
    let MoveTask { at, generator, control, budget } = task;
    let game = at.now;
    // Half of the positions are for the depth, half for the other moves.
    let half = control.limits.nodes.unwrap_or(u64::MAX) / 2;
    let mut thought = budget.part(half, |part| candidates_of(search.best(game, generator, control, part)));
    let depth = u8::try_from(thought.depth).unwrap_or(FULL - 1);
    if thought.score.is_none_or(|score| score.abs() > MATE_BOUND) || depth == 0 {
        return thought;
    }
    let mut left: Vec<Cell> = cells(game.empty()).collect();
    while !left.is_empty() && !budget.is_spent() {
        let finest = best_by_line_count(game, left.clone());
        left.retain(|cell| !finest.contains(cell));
        let holds = |&cell: &Cell| {
            let mut after = game.clone();
            after.make(cell);
            // The opponent's value: no win as far as the search looks.
            after.outcome().is_some()
                || search
                    .value(&after, depth - 1, (MATE_BOUND, MATE_BOUND + 1), budget)
                    .is_some_and(|value| value <= MATE_BOUND)
        };
        let sound: Vec<Cell> = finest.into_iter().filter(holds).collect();
        if !sound.is_empty() {
            if sound != thought.moves {
                // The search has proved its own choice, not these.
                thought.proof = Some(Proof::Unproved);
                thought.score = None;
            }
            thought.moves = sound;
            break;
        }
    }
    thought
}

/// The move that a search by the line score has found.
fn candidates_of(found: AlphaBetaResult<Cell>) -> Candidates<Cell> {
    let AlphaBetaResult { mv, score, depth, pv, is_proved } = found;
    let value = score.map(Score).map(|score| if is_proved { score.proved() } else { score.value() });
    let proof = Some(value.map_or(Proof::Unproved, Proof::from));
    Candidates { proof, score, depth, pv, ..Candidates::among(vec![mv]) }
}
