//! Alpha-beta search for any game: principal variation search with iterative deepening, a transposition
//! table, killer moves and a history table. It depends only on the rules and the [`Eval`] that it is given.

use rand::RngExt;

use crate::ai::score::shift_mate_distance;
use crate::ai::transposition::{Bound, TranspositionTable, TtEntry};
use crate::ai::{
    Eval, MATE_BOUND, SearchBudget, SearchControl, WIN_VALUE, legal_moves, outcome_value, value_for_parent,
    with_move_made,
};
use crate::game::Game;
use crate::random::RandomGenerator;

/// Search depth that is never counted down, so that the search runs to the end of the game. Only for games
/// that always end.
pub const UNLIMITED_DEPTH: u8 = u8::MAX;

/// Maximum distance of a searched position from the root, in plies.
const MAX_SEARCH_PLIES: usize = 512;

/// Rank of the transposition table's move; it exceeds every killer, history or static rank.
const TT_MOVE_RANK: i32 = i32::MAX;
const KILLER_RANKS: [i32; 2] = [1 << 30, (1 << 30) - 1];
const MAX_HISTORY_SCORE: i32 = 1 << 20;

/// Result of an alpha-beta search.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::alphabeta::AlphaBeta;
/// use crosspath::ai::transposition::TranspositionTable;
/// use crosspath::ai::{Eval, Limits, SearchBudget, SearchControl, WIN_VALUE};
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// use crosspath::random::random_stream;
///
/// struct Flat;
/// impl Eval<TicTacToe> for Flat {
///     fn value(&mut self, _: &TicTacToe) -> i32 {
///         0
///     }
///     fn move_index_count(&self, _: &TicTacToe) -> usize {
///         9
///     }
///     fn move_index(&self, _: &TicTacToe, cell: Cell) -> u16 {
///         u16::from(cell.0)
///     }
/// }
///
/// let mut game = TicTacToe::new(3)?;
/// for text in ["a1", "c1", "a2", "c2"] {
///     game.try_make_move(game.parse(text)?)?;
/// }
/// let stop = AtomicBool::new(false);
/// let control = SearchControl::without_reports(Limits::default(), &stop);
/// let mut search = AlphaBeta::new(Flat, TranspositionTable::with_entries(4096));
/// let found =
///     search.find_best_move(&game, &mut random_stream(1, 0), &control, &mut SearchBudget::start(&control));
/// assert_eq!(game.format_move(found.mv), "a3", "it completes the column");
/// assert_eq!((found.score, found.is_proved), (Some(WIN_VALUE - 1), true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlphaBetaResult<M> {
    /// The best move; legal even if there was no time to search.
    pub mv: M,
    /// Value of the best move; `None` if not even depth 1 was finished.
    pub score: Option<i32>,
    /// Depth of the last finished iteration, in plies.
    pub depth: u32,
    /// The principal variation; it starts with the best move.
    pub pv: Vec<M>,
    /// `true` if the score is exact and a deeper search cannot change it.
    pub is_proved: bool,
}

/// An alpha-beta searcher. It keeps its transposition table and its history table until
/// [`AlphaBeta::clear_state`].
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::alphabeta::{AlphaBeta, UNLIMITED_DEPTH};
/// use crosspath::ai::transposition::TranspositionTable;
/// use crosspath::ai::{SearchControl, Eval, Limits, SearchBudget};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
///
/// struct Flat;
/// impl Eval<TicTacToe> for Flat {
///     fn value(&mut self, _: &TicTacToe) -> i32 {
///         0
///     }
///     fn move_index_count(&self, _: &TicTacToe) -> usize {
///         9
///     }
///     fn move_index(&self, _: &TicTacToe, cell: Cell) -> u16 {
///         u16::from(cell.0)
///     }
/// }
///
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<Cell>(&SearchControl::without_reports(Limits::default(), &stop));
/// let mut search = AlphaBeta::new(Flat, TranspositionTable::with_entries(4096));
/// let game = TicTacToe::new(3)?;
/// assert_eq!(search.search_value(&game, UNLIMITED_DEPTH, (-1, 1), &mut budget), Some(0), "a draw");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta<G: Game, E> {
    pub(crate) eval: E,
    table: TranspositionTable,
    /// Moves of all nodes on the path from the root.
    stack: Vec<G::Move>,
    /// Rank of each move on `stack`.
    ranks: Vec<i32>,
    /// Killer moves by ply: the move indices of the last two moves that caused a cutoff.
    killers: Vec<[u16; 2]>,
    /// History scores by side and move index: they grow with the number and the depth of the cutoffs.
    history: Vec<i32>,
    /// `true` if a value used since the last reset depends on the search depth.
    met_horizon: bool,
}

/// The root moves of an iterative-deepening search.
struct RootMoves<M> {
    /// Root moves in random order. Of equally good moves the first one is played.
    moves: Vec<M>,
    /// The search order as indices into `moves`; the best move so far comes first.
    order: Vec<usize>,
    /// Index of the best move of the last finished iteration, or of a better one found since.
    best: usize,
}

impl<G: Game, E: Eval<G>> AlphaBeta<G, E> {
    /// Creates a searcher with an empty history table.
    #[must_use]
    pub fn new(eval: E, table: TranspositionTable) -> Self {
        AlphaBeta {
            eval,
            table,
            stack: Vec::with_capacity(1024),
            ranks: Vec::with_capacity(1024),
            killers: vec![[TranspositionTable::NO_MOVE_INDEX; 2]; MAX_SEARCH_PLIES + 1],
            history: Vec::new(),
            met_horizon: false,
        }
    }

    /// Clears the transposition table and the history table, for a new game.
    pub fn clear_state(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    /// Searches with increasing depth until a limit is reached or the value is proved, and reports after
    /// each depth. The game must not be over.
    ///
    /// Of several best moves each is equally likely to be chosen: the root moves are shuffled, and the
    /// first of the best in that order is taken.
    ///
    /// # Panics
    /// If the game is over.
    pub fn find_best_move(
        &mut self,
        game: &G,
        generator: &mut RandomGenerator,
        control: &SearchControl<'_, G::Move>,
        budget: &mut SearchBudget<'_>,
    ) -> AlphaBetaResult<G::Move> {
        let mut game = game.clone();
        let mut root = RootMoves::shuffled(&game, generator);
        let mut found = AlphaBetaResult {
            mv: root.moves[0],
            score: None,
            depth: 0,
            pv: vec![root.moves[0]],
            is_proved: false,
        };
        let deepest = control
            .limits
            .depth
            .unwrap_or(u32::from(UNLIMITED_DEPTH - 1))
            .clamp(1, u32::from(UNLIMITED_DEPTH - 1));
        self.prepare_search(&game);
        self.table.advance_generation();
        self.order_root_moves(&game, &mut root);
        for depth in 1..=deepest {
            let plies = u8::try_from(depth).expect("at most FULL - 1");
            self.met_horizon = false;
            let score = self.search_root(&mut game, &mut root, plies, budget);
            found.mv = root.moves[root.best];
            let Some(score) = score else {
                if found.pv[0] != found.mv {
                    found.pv = vec![found.mv];
                }
                break;
            };
            found.score = Some(score);
            found.depth = depth;
            found.is_proved = !self.met_horizon || score.abs() > MATE_BOUND;
            found.pv = self.extract_pv(&game, found.mv, depth);
            (control.report)(&budget.make_info(found.pv.clone(), found.score, depth));
            if found.is_proved || root.moves.len() == 1 {
                break;
            }
        }
        found
    }

    /// Returns the value of the position for the side to move, searched `depth` plies deep.
    ///
    /// The value is exact inside the window `(alpha, beta)`, an upper bound at or below `alpha`, and a lower
    /// bound at or above `beta`. Returns `None` if the budget ran out first.
    ///
    /// # Panics
    /// If `alpha` is not below `beta`.
    pub fn search_value(
        &mut self,
        game: &G,
        depth: u8,
        window: (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        assert!(window.0 < window.1, "the window {window:?} is empty");
        self.prepare_search(game);
        let value = self.search_node(&mut game.clone(), depth, 0, window, budget);
        (!budget.is_spent()).then_some(value)
    }

    /// Reports whether a deeper search cannot change the last value of [`AlphaBeta::search_value`].
    pub(crate) fn is_value_proved(&self) -> bool {
        !self.met_horizon
    }

    /// Returns the exact value of every legal move, searched `depth` plies deep, in the order of
    /// [`Game::push_legal_moves`]. The values equal those of plain minimax. If the budget runs out, the moves without
    /// a value are left out.
    pub fn root_move_values(
        &mut self,
        game: &G,
        depth: u8,
        budget: &mut SearchBudget<'_>,
    ) -> Vec<(G::Move, i32)> {
        self.prepare_search(game);
        let mut now = game.clone();
        let value_of = |mv| {
            let look = |after: &mut G| {
                self.search_node(after, depth_after_move(depth), 0, (-WIN_VALUE, WIN_VALUE), budget)
            };
            let value = with_move_made(&mut now, mv, look);
            (!budget.is_spent()).then_some((mv, value_for_parent(value)))
        };
        legal_moves(game).into_iter().map_while(value_of).collect()
    }

    /// Prepares the tables for a search from this position.
    fn prepare_search(&mut self, game: &G) {
        self.stack.clear();
        self.ranks.clear();
        self.met_horizon = false;
        self.killers.fill([TranspositionTable::NO_MOVE_INDEX; 2]);
        self.history.resize(2 * self.eval.move_index_count(game), 0);
        self.history.iter_mut().for_each(|worth| *worth /= 8);
    }

    /// Sorts the root moves by rank, so that the most promising one is searched first.
    fn order_root_moves(&mut self, game: &G, root: &mut RootMoves<G::Move>) {
        self.eval.push_search_moves(game, &mut self.stack);
        self.stack.clear();
        let ranks: Vec<i32> = root.moves.iter().map(|&mv| self.eval.rank_move(game, mv)).collect();
        root.order.sort_by_key(|&index| std::cmp::Reverse(ranks[index]));
    }

    /// Searches the root moves to `depth` and moves the best one to the front. Of equally good moves the one
    /// that comes first in `moves` is chosen, so a move listed before the best so far only has to equal it.
    /// Returns `None` if the budget ran out; a better move found before that is kept.
    fn search_root(
        &mut self,
        game: &mut G,
        root: &mut RootMoves<G::Move>,
        depth: u8,
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        let mut best: Option<(usize, i32)> = None;
        for i in 0..root.order.len() {
            let index = root.order[i];
            let mv = root.moves[index];
            let floor =
                best.map_or(-WIN_VALUE, |(leader, value)| if index < leader { value - 1 } else { value });
            let undo = game.make_move(mv);
            let mut value = floor + 1;
            if best.is_some() {
                value = -self.search_node(game, depth_after_move(depth), 1, (-floor - 1, -floor), budget);
            }
            if value > floor && !budget.is_spent() {
                value = -self.search_node(game, depth_after_move(depth), 1, (-WIN_VALUE, -floor), budget);
            }
            game.unmake_move(mv, undo);
            if budget.is_spent() {
                return None;
            }
            if value > floor {
                // A merely equal move does not replace the choice of a finished iteration.
                if best.is_none_or(|(_, leading)| value > leading) && i > 0 {
                    root.best = index;
                }
                best = Some((index, value));
            }
        }
        let (leader, value) = best?;
        root.best = leader;
        root.order.retain(|&index| index != leader);
        root.order.insert(0, leader);
        Some(value)
    }

    /// Returns the value of a position `ply` plies below the root for the side to move, searched `depth`
    /// plies deep.
    ///
    /// The value is exact inside the window, an upper bound at or below `alpha`, and a lower bound at or
    /// above `beta`. It is meaningless once the budget is spent.
    fn search_node(
        &mut self,
        game: &mut G,
        depth: u8,
        ply: u32,
        window: (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> i32 {
        let (mut alpha, mut beta) = window;
        debug_assert!(alpha < beta);
        // 1. Limits
        if !budget.count_node() {
            return 0;
        }
        // 2. End of the game
        if let Some(outcome) = game.outcome() {
            return outcome_value(outcome, game.to_move(), ply);
        }
        // 3. Transposition table
        let (key, turn) = self.eval.canonical_key(game);
        let mut table_move = TranspositionTable::NO_MOVE_INDEX;
        if let Some(known) = self.table.probe(key) {
            table_move = self.eval.original_move_index(known.move_index, turn);
            if known.depth >= depth {
                let value = shift_mate_distance(known.value, ply.cast_signed());
                if known.bound.settles(value, (alpha, beta)) {
                    self.met_horizon |= known.depth < UNLIMITED_DEPTH;
                    return value;
                }
            }
        }
        // 4. Bounds that are proved without a search
        let (least, most) = self.eval.proved_bounds(game);
        let (least, most) =
            (shift_mate_distance(least, ply.cast_signed()), shift_mate_distance(most, ply.cast_signed()));
        debug_assert!(least <= most);
        if least >= beta || least == most {
            return least;
        }
        if most <= alpha {
            return most;
        }
        // 5. Search horizon
        let is_forced = self.eval.has_forced_move(game);
        if depth == 0 && !is_forced || ply as usize >= MAX_SEARCH_PLIES {
            self.met_horizon = true;
            return self.eval.value(game).clamp(least, most);
        }
        // 6. Generate and rank the moves
        let horizon_before = std::mem::replace(&mut self.met_horizon, false);
        let base = self.stack.len();
        self.push_ranked_moves(game, ply, table_move);
        // 7. Search for the best move between the proved bounds
        let mut best = least;
        let mut best_move = TranspositionTable::NO_MOVE_INDEX;
        let lowest = alpha;
        let after = if is_forced { depth } else { depth_after_move(depth) };
        alpha = alpha.max(least);
        beta = beta.min(most);
        for i in base..self.stack.len() {
            let mv = self.pick_next_move(base, i);
            let move_index = self.eval.move_index(game, mv);
            let less =
                if after == UNLIMITED_DEPTH { 0 } else { self.eval.depth_reduction(game, depth, i - base) };
            let undo = game.make_move(mv);
            let mut value = alpha + 1;
            if less > 0 {
                let depth = after.saturating_sub(less);
                value = -self.search_node(game, depth, ply + 1, (-alpha - 1, -alpha), budget);
            }
            if i > base && value > alpha {
                value = -self.search_node(game, after, ply + 1, (-alpha - 1, -alpha), budget);
            }
            if i == base || (value > alpha && value < beta) {
                value = -self.search_node(game, after, ply + 1, (-beta, -alpha), budget);
            }
            game.unmake_move(mv, undo);
            if budget.is_spent() {
                break;
            }
            if value > best || i == base {
                best = best.max(value);
                best_move = move_index;
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.record_cutoff(game, move_index, depth, ply);
                break;
            }
        }
        self.stack.truncate(base);
        self.ranks.truncate(base);
        if budget.is_spent() {
            return 0;
        }
        // 8. Store the result
        let value = best.min(most);
        let bound = match value {
            value if value <= least || value >= most => Bound::Exact,
            value if value >= beta => Bound::Lower,
            value if value <= lowest => Bound::Upper,
            _ => Bound::Exact,
        };
        // A value that met no horizon holds at any depth. So does a win or a loss, because a shorter one
        // would have been found.
        let is_sure =
            value > MATE_BOUND && bound != Bound::Upper || value < -MATE_BOUND && bound != Bound::Lower;
        self.met_horizon &= !is_sure;
        let depth = if self.met_horizon { depth } else { UNLIMITED_DEPTH };
        let move_index = self.eval.canonical_move_index(best_move, turn);
        self.table.store(
            key,
            TtEntry { value: shift_mate_distance(value, -ply.cast_signed()), bound, depth, move_index },
        );
        self.met_horizon |= horizon_before;
        value
    }

    /// Pushes the moves worth searching and their ranks onto the stack.
    fn push_ranked_moves(&mut self, game: &G, ply: u32, table_move: u16) {
        let base = self.stack.len();
        self.eval.push_search_moves(game, &mut self.stack);
        let learns = self.eval.uses_killers_and_history();
        let killers = self.killers[ply as usize];
        let side = game.to_move().index() * (self.history.len() / 2);
        for i in base..self.stack.len() {
            let mv = self.stack[i];
            let move_index = self.eval.move_index(game, mv);
            let rank = if move_index == table_move {
                TT_MOVE_RANK
            } else if !learns {
                self.eval.rank_move(game, mv)
            } else if let Some(place) = killers.iter().position(|&killer| killer == move_index) {
                KILLER_RANKS[place]
            } else {
                self.eval.rank_move(game, mv).saturating_add(self.history[side + usize::from(move_index)])
            };
            self.ranks.push(rank);
        }
    }

    /// Moves the highest-ranked move at or after index `i` of the stack to index `i`, and returns it.
    fn pick_next_move(&mut self, base: usize, i: usize) -> G::Move {
        debug_assert!(base <= i);
        let mut highest = i;
        for j in i + 1..self.stack.len() {
            if self.ranks[j] > self.ranks[highest] {
                highest = j;
            }
        }
        self.stack.swap(i, highest);
        self.ranks.swap(i, highest);
        self.stack[i]
    }

    /// Records a beta cutoff in the killer and history tables.
    fn record_cutoff(&mut self, game: &G, move_index: u16, depth: u8, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != move_index {
            *killers = [move_index, killers[0]];
        }
        let side = game.to_move().index() * (self.history.len() / 2);
        let worth = &mut self.history[side + usize::from(move_index)];
        let gain = i32::from(depth.min(16));
        *worth += gain * gain;
        if *worth > MAX_HISTORY_SCORE {
            self.history.iter_mut().for_each(|worth| *worth /= 2);
        }
    }

    /// Returns the principal variation that starts with `mv`, as stored in the transposition table.
    fn extract_pv(&mut self, game: &G, mv: G::Move, depth: u32) -> Vec<G::Move> {
        let mut game = game.clone();
        let mut line = vec![mv];
        game.make_move(mv);
        while line.len() < depth as usize && game.outcome().is_none() {
            let (key, turn) = self.eval.canonical_key(&game);
            let Some(known) = self.table.probe(key) else { break };
            let move_index = self.eval.original_move_index(known.move_index, turn);
            let found =
                legal_moves(&game).into_iter().find(|&mv| self.eval.move_index(&game, mv) == move_index);
            let Some(mv) = found else { break };
            line.push(mv);
            game.make_move(mv);
        }
        line
    }
}

impl<M: Copy> RootMoves<M> {
    fn shuffled<G: Game<Move = M>>(game: &G, generator: &mut RandomGenerator) -> Self {
        let mut moves = legal_moves(game);
        assert!(!moves.is_empty(), "a game that is over has no best move");
        for i in (1..moves.len()).rev() {
            moves.swap(i, generator.random_range(0..=i));
        }
        let order = (0..moves.len()).collect();
        RootMoves { moves, order, best: 0 }
    }
}

/// Returns the remaining depth after one move.
fn depth_after_move(depth: u8) -> u8 {
    if depth == UNLIMITED_DEPTH { UNLIMITED_DEPTH } else { depth.saturating_sub(1) }
}
