//! Levels 5 to 8, which search: level 5 briefly, level 6 longer, levels 7 and 8 until they can prove that
//! their move does not lose.

use std::cmp::Reverse;
use std::time::Duration;

use crate::ai::alphabeta::{AlphaBeta, AlphaBetaResult, UNLIMITED_DEPTH};
use crate::ai::tictactoe::certificate::moves_with_pairing_strategy;
use crate::ai::tictactoe::exact::{SolverMode, TicTacToeSolver};
use crate::ai::tictactoe::lines::{
    LeafEvaluation, LineCounts, LineEval, has_single_cell, moves_with_best_line_score,
};
use crate::ai::tictactoe::threats::{find_forced_win, find_forced_win_for};
use crate::ai::tictactoe::{limits_reach_game_end, result_with_proof};
use crate::ai::transposition::TranspositionTable;
use crate::ai::{
    Limits, MATE_BOUND, MoveTask, ProofStatus, Score, SearchBudget, Strategy, StrategyResult,
    all_with_max_key,
};
use crate::game::Game;
use crate::games::tictactoe::{Cell, TicTacToe, cells_in_mask};

/// Node limit of the search for a chain of threats.
const THREAT_CHAIN_NODES: u64 = 20_000;
/// Node limit of the threat search after one reply of the opponent, when traps are counted.
const TRAP_NODES_PER_REPLY: u64 = 2_000;
/// Node limit of the threat searches after all replies together, when traps are counted.
const MAX_TRAP_NODES: u64 = 200_000;
/// Maximum number of moves examined for traps on boards larger than 4x4.
const MAX_MOVES_TRIED_FOR_TRAPS: usize = 8;
/// Default node limit per move if lines are as long as the board.
const DEFAULT_NODES_PER_MOVE: u64 = 1_000_000;
/// Default node limit per move if lines are shorter than the board.
const SHORT_LINE_NODES_PER_MOVE: u64 = 200_000;
/// Default time limit per move if lines are shorter than the board; only a slow machine reaches it.
const SHORT_LINE_TIME_PER_MOVE: Duration = Duration::from_millis(400);

/// Level 5: a three-ply search by the line score. On boards larger than 3x3 it only decides wins and
/// losses, and level 4 chooses otherwise.
#[derive(Debug)]
pub(crate) struct ThreePlyStrategy {
    search: AlphaBeta<TicTacToe, LineEval>,
}

impl ThreePlyStrategy {
    pub(crate) fn new() -> Self {
        ThreePlyStrategy {
            search: AlphaBeta::new(
                LineEval::new(LeafEvaluation::AsItIs),
                TranspositionTable::with_entries(1 << 12),
            ),
        }
    }
}

impl Strategy<TicTacToe> for ThreePlyStrategy {
    fn default_limits(&self, _: &TicTacToe) -> Limits {
        Limits { depth: Some(3), ..Limits::default() }
    }

    fn think(&mut self, task: &mut MoveTask<'_, TicTacToe>) -> StrategyResult<Cell> {
        let game = task.at.now;
        if let Some(thought) = find_immediate_moves(game) {
            return thought;
        }
        // If the game lasts longer than three plies, the best estimate after three plies wins less often
        // than a good line now: 95 % instead of 98 % against random moves on 4x4.
        if game.size() > 3 {
            return choose_best_safe_moves(&mut self.search, task);
        }
        result_from_search(self.search.find_best_move(game, task.generator, &task.control, &mut task.budget))
    }

    fn clear_state(&mut self) {
        *self = ThreePlyStrategy::new();
    }
}

/// Level 6: a short threat search, then 20,000 nodes by the line score; 3x3 is solved exactly.
#[derive(Debug)]
pub(crate) struct ThreatSearchStrategy {
    search: AlphaBeta<TicTacToe, LineEval>,
    solver: Option<TicTacToeSolver>,
}

impl ThreatSearchStrategy {
    pub(crate) fn new() -> Self {
        ThreatSearchStrategy {
            search: AlphaBeta::new(
                LineEval::new(LeafEvaluation::WithThreats),
                TranspositionTable::with_entries(1 << 15),
            ),
            solver: None,
        }
    }
}

impl Strategy<TicTacToe> for ThreatSearchStrategy {
    fn default_limits(&self, _: &TicTacToe) -> Limits {
        Limits { nodes: Some(20_000), ..Limits::default() }
    }

    fn think(&mut self, task: &mut MoveTask<'_, TicTacToe>) -> StrategyResult<Cell> {
        let game = task.at.now;
        if game.size() <= 3 && limits_reach_game_end(task) {
            let solver = self.solver.get_or_insert_with(|| new_solver_for_board(game));
            if let Some(thought) = choose_by_solver(solver, game, &mut task.budget) {
                return thought;
            }
        }
        if let Some(win) = find_forced_win(game, 200, &mut task.budget) {
            return result_with_proof(win.moves, ProofStatus::WinIn(win.plies));
        }
        find_immediate_moves(game).unwrap_or_else(|| choose_best_safe_moves(&mut self.search, task))
    }

    fn clear_state(&mut self) {
        *self = ThreatSearchStrategy::new();
    }
}

/// Use of traps to choose among equal moves. A trap is a reply that loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapCounting {
    /// Level 8: traps are counted.
    Counted,
    /// Level 7: traps are ignored.
    Ignored,
}

/// Levels 7 and 8: play only moves that are proved not to lose, if there are any.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{GameHistory, Limits, ProofStatus, SearchControl, Strategy};
/// use crosspath::ai::tictactoe::searching_levels::{ExactStrategy, TrapCounting};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// use crosspath::random::random_stream;
/// let stop = AtomicBool::new(false);
/// let control = SearchControl::without_reports(Limits::default(), &stop);
/// let start = TicTacToe::new(3)?;
/// let at = GameHistory { start: &start, played: &[], now: &start };
/// let (thought, ..) = ExactStrategy::new(TrapCounting::Counted).think_with_budget(&at, &mut random_stream(1, 0), &control);
/// assert_eq!(thought.moves, [0, 2, 6, 8].map(Cell), "a corner sets the most traps");
/// assert_eq!(thought.proof, Some(ProofStatus::Draw));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug)]
pub struct ExactStrategy {
    traps: TrapCounting,
    /// Exact solver, created at first use.
    solver: Option<TicTacToeSolver>,
    /// Alpha-beta search by the line score, created at first use.
    search: Option<AlphaBeta<TicTacToe, LineEval>>,
}

impl ExactStrategy {
    /// Creates a strategy without any state.
    #[must_use]
    pub fn new(traps: TrapCounting) -> Self {
        ExactStrategy { traps, solver: None, search: None }
    }

    /// Chooses a move if no move is certified and exact values cannot be computed quickly.
    fn choose_unproved(
        &mut self,
        mut known: Vec<(Cell, Option<i32>)>,
        task: &mut MoveTask<'_, TicTacToe>,
    ) -> StrategyResult<Cell> {
        let game = task.at.now;
        // 1. The exact search, with half of the remaining nodes, if it may finish
        let is_likely = game.win_length() == game.size() || game.empty_cells().count_ones() <= 25;
        if game.size() > 4 && is_likely && limits_reach_game_end(task) {
            let half = task.control.limits.nodes.unwrap_or(DEFAULT_NODES_PER_MOVE) / 2;
            known = task
                .budget
                .with_sub_budget(half, |part| self.get_or_create_solver(game).solve_moves(game, part));
            if let Some((best, proof)) = best_proved_moves(game, &known) {
                return self.choose_hardest_moves(best, proof, task);
            }
        }
        // 2. The search by the line score, with the remaining nodes
        if let Some(thought) = find_immediate_moves(game) {
            return thought;
        }
        let search = self.search.get_or_insert_with(|| {
            AlphaBeta::new(
                LineEval::new(LeafEvaluation::WithThreats),
                TranspositionTable::with_entries(1 << 18),
            )
        });
        let mut thought =
            result_from_search(search.find_best_move(game, task.generator, &task.control, &mut task.budget));
        // 3. Avoid moves that are proved to lose while there are others
        let is_lost = |cell: &Cell| known.iter().any(|&(other, value)| other == *cell && value.is_some());
        if thought.moves.iter().all(is_lost) && !known.iter().all(|(_, value)| value.is_some()) {
            let open = known.iter().filter(|(_, value)| value.is_none()).map(|&(cell, _)| cell).collect();
            thought.moves = moves_with_best_line_score(game, open);
        }
        thought
    }

    /// Chooses among equally good proved moves those that are hardest for people: by the number of traps,
    /// then by line score.
    fn choose_hardest_moves(
        &mut self,
        moves: Vec<Cell>,
        proof: ProofStatus,
        task: &mut MoveTask<'_, TicTacToe>,
    ) -> StrategyResult<Cell> {
        let game = task.at.now;
        let counts = LineCounts::from_game(game);
        let with_score = |cell| (cell, counts.line_score_after(game.to_move(), cell), 0);
        let mut scored: Vec<(Cell, i32, u32)> = moves.into_iter().map(with_score).collect();
        if self.traps == TrapCounting::Counted && scored.len() > 1 {
            scored.sort_by_key(|&(cell, score, _)| (Reverse(score), cell));
            let tried = if game.size() > 4 { MAX_MOVES_TRIED_FOR_TRAPS } else { scored.len() };
            // All moves have equally many replies, so the numbers of traps can be compared directly.
            task.budget.with_sub_budget(MAX_TRAP_NODES, |part| {
                for (cell, _, traps) in scored.iter_mut().take(tried) {
                    *traps = self.count_traps_after(game, *cell, part).unwrap_or(0);
                }
            });
        }
        let best = all_with_max_key(scored, |&(_, score, traps)| (traps, score));
        let mut moves: Vec<Cell> = best.into_iter().map(|(cell, ..)| cell).collect();
        moves.sort();
        result_with_proof(moves, proof)
    }

    /// Counts the replies to a move that are proved to lose; `None` if the budget ran out first.
    fn count_traps_after(
        &mut self,
        game: &TicTacToe,
        cell: Cell,
        budget: &mut SearchBudget<'_>,
    ) -> Option<u32> {
        let side = game.to_move();
        let mut after = game.clone();
        after.make_move(cell);
        let mut counts = LineCounts::from_game(&after);
        let mut traps = 0;
        if game.size() <= 3 {
            for answer in cells_in_mask(after.empty_cells()) {
                after.make_move(answer);
                let wins =
                    after.outcome().is_none() && self.get_or_create_solver(game).prove_win(&after, budget)?;
                traps += u32::from(wins);
                after.unmake_move(answer, ());
            }
        } else if counts.min_stones_needed(side).is_some_and(|needed| needed <= 2) {
            let losing = counts.completing_cells(side.other());
            for answer in cells_in_mask(after.empty_cells() & !losing) {
                counts.place_stone(side.other(), answer);
                traps +=
                    u32::from(find_forced_win_for(&mut counts, side, TRAP_NODES_PER_REPLY, budget).is_some());
                counts.remove_stone(side.other(), answer);
            }
        }
        (!budget.is_spent()).then_some(traps)
    }

    fn get_or_create_solver(&mut self, game: &TicTacToe) -> &mut TicTacToeSolver {
        self.solver.get_or_insert_with(|| new_solver_for_board(game))
    }
}

impl Strategy<TicTacToe> for ExactStrategy {
    fn default_limits(&self, game: &TicTacToe) -> Limits {
        if game.win_length() < game.size() {
            Limits {
                nodes: Some(SHORT_LINE_NODES_PER_MOVE),
                time: Some(SHORT_LINE_TIME_PER_MOVE),
                ..Limits::default()
            }
        } else {
            Limits { nodes: Some(DEFAULT_NODES_PER_MOVE), ..Limits::default() }
        }
    }

    fn think(&mut self, task: &mut MoveTask<'_, TicTacToe>) -> StrategyResult<Cell> {
        let game = task.at.now;
        // 1. Win now
        let wins = LineCounts::from_game(game).completing_cells(game.to_move());
        if wins != 0 {
            return result_with_proof(cells_in_mask(wins).collect(), ProofStatus::WinIn(1));
        }
        // 2. Win by threats; 3x3 is left to the exact search, which finds the shortest win
        if game.size() > 3
            && let Some(win) = find_forced_win(game, THREAT_CHAIN_NODES, &mut task.budget)
        {
            return result_with_proof(win.moves, ProofStatus::WinIn(win.plies));
        }
        // 3. Solve small boards exactly
        let mut known = Vec::new();
        if game.size() <= 4 && limits_reach_game_end(task) {
            known = self.get_or_create_solver(game).solve_moves(game, &mut task.budget);
            if let Some((best, proof)) = best_proved_moves(game, &known) {
                return self.choose_hardest_moves(best, proof, task);
            }
        }
        // 4. Moves with a pairing strategy
        let safe = moves_with_pairing_strategy(game);
        if safe != 0 {
            return self.choose_hardest_moves(cells_in_mask(safe).collect(), ProofStatus::Certified, task);
        }
        // 5. Moves that a search proves or prefers
        self.choose_unproved(known, task)
    }

    fn clear_state(&mut self) {
        *self = ExactStrategy::new(self.traps);
    }
}

fn new_solver_for_board(game: &TicTacToe) -> TicTacToeSolver {
    let entries = match game.size() {
        ..=3 => 1 << 12,
        4 => 1 << 16,
        _ => 1 << 19,
    };
    TicTacToeSolver::new(game, SolverMode::Certificates, TranspositionTable::with_entries(entries))
}

/// Returns the moves that need no search: an immediate win, or a block of a threat.
fn find_immediate_moves(game: &TicTacToe) -> Option<StrategyResult<Cell>> {
    let counts = LineCounts::from_game(game);
    let wins = counts.completing_cells(game.to_move());
    if wins != 0 {
        return Some(result_with_proof(cells_in_mask(wins).collect(), ProofStatus::WinIn(1)));
    }
    let threats = counts.completing_cells(game.to_move().other());
    let proof = if has_single_cell(threats) { ProofStatus::Unproved } else { ProofStatus::LostIn(2) };
    (threats != 0).then(|| result_with_proof(cells_in_mask(threats).collect(), proof))
}

/// Returns the best moves of a small board; of several, those with the highest rank.
fn choose_by_solver(
    solver: &mut TicTacToeSolver,
    game: &TicTacToe,
    budget: &mut SearchBudget<'_>,
) -> Option<StrategyResult<Cell>> {
    let values = solver.solve_moves(game, budget);
    let (moves, proof) = best_proved_moves(game, &values)?;
    let counts = LineCounts::from_game(game);
    let moves = all_with_max_key(moves, |&cell| counts.rank_cell(game.to_move(), cell));
    Some(result_with_proof(moves, proof))
}

/// Returns the best moves and their proof status if the known values decide them: all are known, or one
/// does not lose. If every move loses at once, only blocks of a threat are returned.
fn best_proved_moves(game: &TicTacToe, values: &[(Cell, Option<i32>)]) -> Option<(Vec<Cell>, ProofStatus)> {
    let best = values.iter().filter_map(|&(_, value)| value).max()?;
    let all_known = values.iter().all(|(_, value)| value.is_some());
    if best < 0 && !all_known {
        return None;
    }
    let proof = ProofStatus::from(Score(best).proved_meaning());
    let threats = LineCounts::from_game(game).completing_cells(game.to_move().other());
    let is_wanted = |cell: &Cell| proof != ProofStatus::LostIn(2) || threats & cell.bit() != 0;
    let moves = values.iter().filter(|&&(_, value)| value == Some(best)).map(|&(cell, _)| cell);
    Some((moves.filter(is_wanted).collect(), proof))
}

/// Returns the moves that the search by the line score proves to win or lose. Otherwise returns the moves
/// with the best line score among those that do not lose within the search depth.
fn choose_best_safe_moves(
    search: &mut AlphaBeta<TicTacToe, LineEval>,
    task: &mut MoveTask<'_, TicTacToe>,
) -> StrategyResult<Cell> {
    let MoveTask { at, generator, control, budget } = task;
    let game = at.now;
    // Half of the nodes are for the depth, half for the other moves.
    let half = control.limits.nodes.unwrap_or(u64::MAX) / 2;
    let mut thought = budget.with_sub_budget(half, |part| {
        result_from_search(search.find_best_move(game, generator, control, part))
    });
    let depth = u8::try_from(thought.depth).unwrap_or(UNLIMITED_DEPTH - 1);
    if thought.score.is_none_or(|score| score.abs() > MATE_BOUND) || depth == 0 {
        return thought;
    }
    let mut left: Vec<Cell> = cells_in_mask(game.empty_cells()).collect();
    while !left.is_empty() && !budget.is_spent() {
        let finest = moves_with_best_line_score(game, left.clone());
        left.retain(|cell| !finest.contains(cell));
        let holds = |&cell: &Cell| {
            let mut after = game.clone();
            after.make_move(cell);
            // The opponent must have no win within the search depth.
            after.outcome().is_some()
                || search
                    .search_value(&after, depth - 1, (MATE_BOUND, MATE_BOUND + 1), budget)
                    .is_some_and(|value| value <= MATE_BOUND)
        };
        let sound: Vec<Cell> = finest.into_iter().filter(holds).collect();
        if !sound.is_empty() {
            if sound != thought.moves {
                // The search has proved its own choice, not these moves.
                thought.proof = Some(ProofStatus::Unproved);
                thought.score = None;
            }
            thought.moves = sound;
            break;
        }
    }
    thought
}

/// Converts the result of an alpha-beta search into a strategy result.
fn result_from_search(found: AlphaBetaResult<Cell>) -> StrategyResult<Cell> {
    let AlphaBetaResult { mv, score, depth, pv, is_proved } = found;
    let value =
        score.map(Score).map(|score| if is_proved { score.proved_meaning() } else { score.meaning() });
    let proof = Some(value.map_or(ProofStatus::Unproved, ProofStatus::from));
    StrategyResult { proof, score, depth, pv, ..StrategyResult::from_moves(vec![mv]) }
}
