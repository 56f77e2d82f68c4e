//! Alpha-beta search for any game: principal variation search, iterative deepening, a transposition table, moves
//! ordered by what the search has learnt. Knows only the rules and the [`Eval`] it is given.

use rand::RngExt;

use crate::ai::score::farther;
use crate::ai::transposition::{Bound, TranspositionTable, TtEntry};
use crate::ai::{
    Eval, MATE_BOUND, SearchBudget, SearchControl, WIN, after_move, end_value, legal_moves, one_ply_earlier,
};
use crate::game::Game;
use crate::random::Generator;

/// The depth of a search to the end of the game: it is not counted down. Only for games that end by themselves.
pub const FULL: u8 = u8::MAX;

/// No line of play is followed further than this.
const MAX_PLIES: usize = 512;

/// Above every learnt or guessed rank.
const TABLE_RANK: i32 = i32::MAX;
const KILLER_RANKS: [i32; 2] = [1 << 30, (1 << 30) - 1];
const MAX_HISTORY: i32 = 1 << 20;

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlphaBetaResult<M> {
    /// The best move; legal even if there was no time to search at all.
    pub mv: M,
    /// Its value; `None` if not even one ply was finished.
    pub score: Option<i32>,
    /// Plies looked ahead in the last finished iteration.
    pub depth: u32,
    /// The line of play expected, the best move in front.
    pub pv: Vec<M>,
    /// `true` if the score is the true one, whatever lies beyond the depth.
    pub is_proved: bool,
}

/// An alpha-beta searcher. It keeps its table and what it has learnt about moves until it is told to forget.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::alphabeta::{AlphaBeta, FULL};
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
/// let mut budget = SearchBudget::start::<Cell>(&SearchControl::quiet(Limits::default(), &stop));
/// let mut search = AlphaBeta::new(Flat, TranspositionTable::with_entries(4096));
/// let game = TicTacToe::new(3)?;
/// assert_eq!(search.value(&game, FULL, (-1, 1), &mut budget), Some(0), "a draw");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta<G: Game, E> {
    pub(crate) eval: E,
    table: TranspositionTable,
    /// The moves of all nodes on the way from the root, and beside each its rank.
    stack: Vec<G::Move>,
    ranks: Vec<i32>,
    /// By ply: the move indices of the last two moves that refuted something there.
    killers: Vec<[u16; 2]>,
    /// By side and move index: how often, and how deep, a move has refuted something.
    history: Vec<i32>,
    /// `true` if a value used since this was last cleared depends on where the search ended.
    met_horizon: bool,
}

/// The root moves of an iterative deepening.
struct Root<M> {
    /// In the order drawn by the generator: of equal moves the first is played.
    moves: Vec<M>,
    /// The order of search, indices into `moves`; the best so far in front.
    order: Vec<usize>,
    /// The best move of the last finished iteration, or a better one found since.
    best: usize,
}

impl<G: Game, E: Eval<G>> AlphaBeta<G, E> {
    /// A searcher that has learnt nothing yet.
    #[must_use]
    pub fn new(eval: E, table: TranspositionTable) -> Self {
        AlphaBeta {
            eval,
            table,
            stack: Vec::with_capacity(1024),
            ranks: Vec::with_capacity(1024),
            killers: vec![[TranspositionTable::NO_MOVE_INDEX; 2]; MAX_PLIES + 1],
            history: Vec::new(),
            met_horizon: false,
        }
    }

    /// Forgets everything learnt, as a new game demands.
    pub fn forget(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    /// Searches deeper and deeper until a limit is met or nothing is left to find out, and reports after each depth.
    /// The game must not be over.
    ///
    /// Of several best moves each is chosen with the same chance: the root moves are shuffled, and the first of the
    /// best in that order is taken.
    ///
    /// # Panics
    /// If the game is over.
    pub fn best(
        &mut self,
        game: &G,
        generator: &mut Generator,
        control: &SearchControl<'_, G::Move>,
        budget: &mut SearchBudget<'_>,
    ) -> AlphaBetaResult<G::Move> {
        let mut game = game.clone();
        let mut root = Root::shuffled(&game, generator);
        let mut found = AlphaBetaResult {
            mv: root.moves[0],
            score: None,
            depth: 0,
            pv: vec![root.moves[0]],
            is_proved: false,
        };
        let deepest = control.limits.depth.unwrap_or(u32::from(FULL - 1)).clamp(1, u32::from(FULL - 1));
        self.begin(&game);
        self.table.age();
        self.put_in_order(&game, &mut root);
        for depth in 1..=deepest {
            let plies = u8::try_from(depth).expect("at most FULL - 1");
            self.met_horizon = false;
            let score = self.iterate(&mut game, &mut root, plies, budget);
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
            found.pv = self.line(&game, found.mv, depth);
            (control.report)(&budget.found(found.pv.clone(), found.score, depth));
            if found.is_proved || root.moves.len() == 1 {
                break;
            }
        }
        found
    }

    /// The mover's value `depth` plies ahead: exact inside the window `(alpha, beta)`, an upper bound at or below
    /// `alpha`, a lower bound at or above `beta`. `None` if the budget was spent first.
    ///
    /// # Panics
    /// If `alpha` is not below `beta`.
    pub fn value(
        &mut self,
        game: &G,
        depth: u8,
        window: (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        assert!(window.0 < window.1, "the window {window:?} is empty");
        self.begin(game);
        let value = self.search(&mut game.clone(), depth, 0, window, budget);
        (!budget.is_spent()).then_some(value)
    }

    /// Reports whether the last [`AlphaBeta::value`] is true whatever lies beyond its depth.
    pub(crate) fn is_proved(&self) -> bool {
        !self.met_horizon
    }

    /// The exact value of every legal move, `depth` plies ahead, in the order of [`Game::moves`]; equal to that of
    /// plain minimax. When the budget is spent the moves that have no value yet are missing.
    pub fn root_values(&mut self, game: &G, depth: u8, budget: &mut SearchBudget<'_>) -> Vec<(G::Move, i32)> {
        self.begin(game);
        let mut now = game.clone();
        let value_of = |mv| {
            let look = |after: &mut G| self.search(after, below(depth), 0, (-WIN, WIN), budget);
            let value = after_move(&mut now, mv, look);
            (!budget.is_spent()).then_some((mv, one_ply_earlier(value)))
        };
        legal_moves(game).into_iter().map_while(value_of).collect()
    }

    /// Makes ready for a search from this position.
    fn begin(&mut self, game: &G) {
        self.stack.clear();
        self.ranks.clear();
        self.met_horizon = false;
        self.killers.fill([TranspositionTable::NO_MOVE_INDEX; 2]);
        self.history.resize(2 * self.eval.move_index_count(game), 0);
        self.history.iter_mut().for_each(|worth| *worth /= 8);
    }

    /// Puts the root moves into the order of their ranks: the most promising is searched first.
    fn put_in_order(&mut self, game: &G, root: &mut Root<G::Move>) {
        self.eval.moves(game, &mut self.stack);
        self.stack.clear();
        let ranks: Vec<i32> = root.moves.iter().map(|&mv| self.eval.rank(game, mv)).collect();
        root.order.sort_by_key(|&index| std::cmp::Reverse(ranks[index]));
    }

    /// Searches the root moves to `depth` and puts the best in front. Of moves with equal values the first one of the
    /// generator wins, so a move that stands before the best so far need only equal it. `None` if the budget was
    /// spent; a better move found before that is kept.
    fn iterate(
        &mut self,
        game: &mut G,
        root: &mut Root<G::Move>,
        depth: u8,
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        let mut best: Option<(usize, i32)> = None;
        for i in 0..root.order.len() {
            let index = root.order[i];
            let mv = root.moves[index];
            let floor = best.map_or(-WIN, |(leader, value)| if index < leader { value - 1 } else { value });
            let undo = game.make(mv);
            let mut value = floor + 1;
            if best.is_some() {
                value = -self.search(game, below(depth), 1, (-floor - 1, -floor), budget);
            }
            if value > floor && !budget.is_spent() {
                value = -self.search(game, below(depth), 1, (-WIN, -floor), budget);
            }
            game.unmake(mv, undo);
            if budget.is_spent() {
                return None;
            }
            if value > floor {
                // An equal move that stands earlier is no reason to leave a finished iteration's choice.
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

    /// The mover's value of a position `ply` plies below the root, `depth` plies ahead: exact inside the window, an
    /// upper bound at or below `alpha`, a lower bound at or above `beta`; worthless when the budget is spent.
    fn search(
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
        if !budget.tick() {
            return 0;
        }
        // 2. End of the game
        if let Some(outcome) = game.outcome() {
            return end_value(outcome, game.to_move(), ply);
        }
        // 3. Table
        let (key, turn) = self.eval.key(game);
        let mut table_move = TranspositionTable::NO_MOVE_INDEX;
        if let Some(known) = self.table.probe(key) {
            table_move = self.eval.turned_back(known.move_index, turn);
            if known.depth >= depth {
                let value = farther(known.value, ply.cast_signed());
                let decides = match known.bound {
                    Bound::Exact => true,
                    Bound::Lower => value >= beta,
                    Bound::Upper => value <= alpha,
                };
                if decides {
                    self.met_horizon |= known.depth < FULL;
                    return value;
                }
            }
        }
        // 4. What is proved without a search
        let (least, most) = self.eval.bounds(game);
        let (least, most) = (farther(least, ply.cast_signed()), farther(most, ply.cast_signed()));
        debug_assert!(least <= most);
        if least >= beta || least == most {
            return least;
        }
        if most <= alpha {
            return most;
        }
        // 5. Horizon
        let is_forced = self.eval.is_forced(game);
        if depth == 0 && !is_forced || ply as usize >= MAX_PLIES {
            self.met_horizon = true;
            return self.eval.value(game).clamp(least, most);
        }
        // 6. Moves, each with its rank
        let horizon_before = std::mem::replace(&mut self.met_horizon, false);
        let base = self.stack.len();
        self.push_moves(game, ply, table_move);
        // 7. The best move is looked for between the proved bounds
        let mut best = least;
        let mut best_move = TranspositionTable::NO_MOVE_INDEX;
        let lowest = alpha;
        let after = if is_forced { depth } else { below(depth) };
        alpha = alpha.max(least);
        beta = beta.min(most);
        for i in base..self.stack.len() {
            let mv = self.next(base, i);
            let move_index = self.eval.move_index(game, mv);
            let less = if after == FULL { 0 } else { self.eval.reduction(game, depth, i - base) };
            let undo = game.make(mv);
            let mut value = alpha + 1;
            if less > 0 {
                value = -self.search(game, after.saturating_sub(less), ply + 1, (-alpha - 1, -alpha), budget);
            }
            if i > base && value > alpha {
                value = -self.search(game, after, ply + 1, (-alpha - 1, -alpha), budget);
            }
            if i == base || (value > alpha && value < beta) {
                value = -self.search(game, after, ply + 1, (-beta, -alpha), budget);
            }
            game.unmake(mv, undo);
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
        // 8. What was found out
        let value = best.min(most);
        let bound = match value {
            value if value <= least || value >= most => Bound::Exact,
            value if value >= beta => Bound::Lower,
            value if value <= lowest => Bound::Upper,
            _ => Bound::Exact,
        };
        // What met no horizon is true at any depth, and so is a win or a loss: a shorter one would have been seen.
        let is_sure =
            value > MATE_BOUND && bound != Bound::Upper || value < -MATE_BOUND && bound != Bound::Lower;
        self.met_horizon &= !is_sure;
        let depth = if self.met_horizon { depth } else { FULL };
        let move_index = self.eval.turned(best_move, turn);
        self.table
            .store(key, TtEntry { value: farther(value, -ply.cast_signed()), bound, depth, move_index });
        self.met_horizon |= horizon_before;
        value
    }

    /// Puts the moves worth searching on the stack, and beside each its rank.
    fn push_moves(&mut self, game: &G, ply: u32, table_move: u16) {
        let base = self.stack.len();
        self.eval.moves(game, &mut self.stack);
        let learns = self.eval.learns();
        let killers = self.killers[ply as usize];
        let side = game.to_move().index() * (self.history.len() / 2);
        for i in base..self.stack.len() {
            let mv = self.stack[i];
            let move_index = self.eval.move_index(game, mv);
            let rank = if move_index == table_move {
                TABLE_RANK
            } else if !learns {
                self.eval.rank(game, mv)
            } else if let Some(place) = killers.iter().position(|&killer| killer == move_index) {
                KILLER_RANKS[place]
            } else {
                self.eval.rank(game, mv).saturating_add(self.history[side + usize::from(move_index)])
            };
            self.ranks.push(rank);
        }
    }

    /// Brings the move with the highest rank from `i` on to `i`.
    fn next(&mut self, base: usize, i: usize) -> G::Move {
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

    /// Remembers a move that was too good for the opponent to allow.
    fn record_cutoff(&mut self, game: &G, move_index: u16, depth: u8, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != move_index {
            *killers = [move_index, killers[0]];
        }
        let side = game.to_move().index() * (self.history.len() / 2);
        let worth = &mut self.history[side + usize::from(move_index)];
        let gain = i32::from(depth.min(16));
        *worth += gain * gain;
        if *worth > MAX_HISTORY {
            self.history.iter_mut().for_each(|worth| *worth /= 2);
        }
    }

    /// The expected line of play as the table knows it, `mv` in front.
    fn line(&mut self, game: &G, mv: G::Move, depth: u32) -> Vec<G::Move> {
        let mut game = game.clone();
        let mut line = vec![mv];
        game.make(mv);
        while line.len() < depth as usize && game.outcome().is_none() {
            let (key, turn) = self.eval.key(&game);
            let Some(known) = self.table.probe(key) else { break };
            let move_index = self.eval.turned_back(known.move_index, turn);
            let found =
                legal_moves(&game).into_iter().find(|&mv| self.eval.move_index(&game, mv) == move_index);
            let Some(mv) = found else { break };
            line.push(mv);
            game.make(mv);
        }
        line
    }
}

impl<M: Copy> Root<M> {
    fn shuffled<G: Game<Move = M>>(game: &G, generator: &mut Generator) -> Self {
        let mut moves = legal_moves(game);
        assert!(!moves.is_empty(), "a game that is over has no best move");
        for i in (1..moves.len()).rev() {
            moves.swap(i, generator.random_range(0..=i));
        }
        let order = (0..moves.len()).collect();
        Root { moves, order, best: 0 }
    }
}

/// The depth that is left after a move.
fn below(depth: u8) -> u8 {
    if depth == FULL { FULL } else { depth.saturating_sub(1) }
}
