//! Quoridor search: iterative deepening PVS with killers and history. It uses bitboards and the evaluation.

mod order;
mod quiescence;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::board::SearchBoard;
use super::constants::SearchConstants;
use super::detours::DetourCache;
use super::eval::EvalTerms;
use super::net;
use super::race::RaceTableCache;
use crate::ai::alphabeta::AlphaBetaResult;
use crate::ai::net::SparseNet;
use crate::ai::score::shift_mate_distance;
use crate::ai::transposition::{Bound, TranspositionTable, TtEntry};
use crate::ai::{GameHistory, Limits, MATE_BOUND, SearchBudget, SearchControl, SearchInfo, WIN_VALUE};
use crate::game::Game;
use crate::games::quoridor::{
    Bitboard, Bitboard15, Bitboard25, MAX_MIDDLE_GRAPH_SIZE, MAX_SMALL_GRAPH_SIZE, Move, Quoridor,
};
use crate::random::{RandomGenerator, random_stream};
use order::{can_prune_late_wall, late_move_reduction};
use rand::RngExt;

/// Entries of the smallest table.
const MIN_TABLE_ENTRIES: usize = 1 << 10;
/// Largest distance from the root in plies.
const MAX_SEARCH_PLIES: i32 = 256;
/// Largest depth of iterative deepening.
const MAX_SEARCH_DEPTH: i32 = 64;
/// Largest depth at which reverse futility pruning applies.
const MAX_FUTILITY_DEPTH: i32 = 5;

/// Number of entries of the cache of detours on boards that the network supports, a power of two.
const DETOUR_CACHE_ENTRIES: usize = 1 << 15;

/// State of one node of the search tree, apart from its board.
#[derive(Clone, Copy, Default)]
struct SearchNode {
    depth: i32,
    ply: i32,
    /// Index into `path` of the oldest position that can repeat; walls are irreversible.
    repetition_from: usize,
    /// `true` if the last move was a null move.
    has_passed: bool,
    /// Ply of the last wall, or 0 if the search has placed none: the index of the network's wall sums.
    walls: usize,
}

impl SearchNode {
    fn ply_index(self) -> usize {
        self.ply.unsigned_abs() as usize
    }
}

/// Interface of a search on boards of any size. Table and move statistics last until they are cleared.
pub(super) trait Searcher: Send {
    /// Clears the table and the move statistics for a new game.
    fn clear(&mut self);

    /// Resizes the table to about `positions` entries. Entries are kept if the size does not change.
    fn resize_table(&mut self, positions: usize);

    /// Sets the search constants.
    fn set_constants(&mut self, constants: SearchConstants);

    /// Sets the root of the search. A position that occurred since the last wall is a draw if it repeats.
    fn set_root(&mut self, at: &GameHistory<'_, Quoridor>);

    /// Finds the best move by iterative deepening, with a report per depth. Node limits apply to each thread.
    fn find_best_move(
        &mut self,
        at: &GameHistory<'_, Quoridor>,
        generator: &mut RandomGenerator,
        control: &SearchControl<'_, Move>,
        budget: &mut SearchBudget<'_>,
    ) -> AlphaBetaResult<Move>;

    /// Returns the value of a legal root move for its mover, searched `depth` plies beyond the move: exact
    /// inside the window, a bound outside. `None` if the budget ran out. Needs [`Searcher::set_root`].
    fn search_move_value(
        &mut self,
        mv: Move,
        depth: u32,
        window: (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32>;
}

/// Creates a search for the size of the board. A search with a single thread is deterministic.
pub(super) fn create_searcher(
    game: &Quoridor,
    table: TranspositionTable,
    network: Option<&Arc<SparseNet>>,
    threads: usize,
) -> Box<dyn Searcher> {
    match game.width().max(game.height()) {
        size if size <= MAX_SMALL_GRAPH_SIZE => {
            Box::new(AlphaBetaSearch::<u128>::with_threads(table, network, threads))
        }
        size if size <= MAX_MIDDLE_GRAPH_SIZE => {
            Box::new(AlphaBetaSearch::<Bitboard15>::with_threads(table, None, threads))
        }
        _ => Box::new(AlphaBetaSearch::<Bitboard25>::with_threads(table, None, threads)),
    }
}

/// Returns the value of a legal move for its mover, searched `plies` plies beyond the move. Wins and losses
/// are counted from the position before the move.
///
/// ```
/// use crosspath::ai::GameHistory;
/// use crosspath::ai::quoridor::search::search_move_value;
/// use crosspath::game::Notation;
/// use crosspath::games::quoridor::Quoridor;
/// let start = Quoridor::new(9)?;
/// let at = GameHistory { start: &start, played: &[], now: &start };
/// let value = |text: &str| search_move_value(&at, start.parse(text).expect("a move"), 2);
/// assert!(value("e2") > value("d1"), "straight on is better than aside");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
///
/// # Panics
/// If the move is not legal.
#[must_use]
pub fn search_move_value(at: &GameHistory<'_, Quoridor>, mv: Move, plies: u32) -> i32 {
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<Move>(&SearchControl::without_reports(Limits::default(), &stop));
    let mut search = create_searcher(at.now, TranspositionTable::with_entries(1 << 12), None, 1);
    search.set_root(at);
    search.search_move_value(mv, plies, (-WIN_VALUE, WIN_VALUE), &mut budget).expect("nothing ends it")
}

/// A search on boards that fit the bitboard `S`.
struct AlphaBetaSearch<S> {
    /// Root position, from [`Searcher::set_root`].
    root: Option<SearchBoard<S>>,
    /// Table that all threads share.
    table: Arc<TranspositionTable>,
    /// Number of entries requested for the table.
    room: usize,
    /// Searches of the other threads, which share the table (lazy SMP).
    helpers: Vec<AlphaBetaSearch<S>>,
    races: RaceTableCache<S>,
    /// Moves of all nodes on the current path, and the rank of each.
    stack: Vec<Move>,
    ranks: Vec<i32>,
    /// Last two walls that caused a cutoff, by ply.
    killers: Vec<[u16; 2]>,
    /// History scores of cutoffs, by side, kind of move and board index.
    history: Vec<i32>,
    /// Scratch space: ordering scores of walls by slot.
    worths: Vec<i32>,
    /// Keys of the positions since the last wall of the game, then of those on the path from the root.
    path: Vec<u64>,
    /// Lowest path index that a repetition score depends on since the last reset; such values are not stored.
    min_repetition_ply: usize,
    /// Plies until the game is drawn by length.
    plies_left: i32,
    terms: EvalTerms,
    constants: SearchConstants,
    /// Network that corrects the fitted terms on boards that it supports.
    network: Option<Arc<SparseNet>>,
    has_network: bool,
    /// Detours of both paths, which are inputs of the network.
    detours: DetourCache,
    /// Wall sums of the network by ply, written at plies after a wall; those of the root come first.
    walls: Vec<net::WallSums>,
}

impl<S: Bitboard + Send> AlphaBetaSearch<S> {
    fn with_threads(table: TranspositionTable, network: Option<&Arc<SparseNet>>, threads: usize) -> Self {
        let table = Arc::new(table);
        let helpers = (1..threads).map(|_| AlphaBetaSearch::new(&table, network)).collect();
        AlphaBetaSearch { helpers, ..AlphaBetaSearch::new(&table, network) }
    }

    fn new(table: &Arc<TranspositionTable>, network: Option<&Arc<SparseNet>>) -> Self {
        AlphaBetaSearch {
            root: None,
            table: Arc::clone(table),
            room: table.capacity(),
            helpers: Vec::new(),
            races: RaceTableCache::new(),
            stack: Vec::with_capacity(4096),
            ranks: Vec::with_capacity(4096),
            killers: vec![[TranspositionTable::NO_MOVE_INDEX; 2]; MAX_SEARCH_PLIES as usize + 1],
            history: vec![0; 2 * 3 * S::BITS],
            worths: Vec::with_capacity(S::BITS),
            path: Vec::with_capacity(512),
            min_repetition_ply: usize::MAX,
            plies_left: i32::MAX,
            terms: EvalTerms::default(),
            constants: SearchConstants::BUILT_IN,
            network: network.cloned(),
            has_network: false,
            detours: DetourCache::with_entries(1),
            walls: Vec::new(),
        }
    }
}

impl<S: Bitboard + Send> Searcher for AlphaBetaSearch<S> {
    fn clear(&mut self) {
        self.table.clear();
        self.races.clear();
        self.history.fill(0);
        self.helpers.iter_mut().for_each(Searcher::clear);
    }

    fn resize_table(&mut self, positions: usize) {
        let positions = positions.clamp(MIN_TABLE_ENTRIES, usize::MAX / 2).next_power_of_two();
        // If memory was too short for this size before, trying again would not help.
        if self.room != positions {
            self.room = positions;
            self.table = Arc::new(TranspositionTable::with_entries_or_fewer(positions));
            for helper in &mut self.helpers {
                helper.table = Arc::clone(&self.table);
            }
        }
    }

    fn set_constants(&mut self, constants: SearchConstants) {
        self.constants = constants;
        self.helpers.iter_mut().for_each(|helper| helper.set_constants(constants));
    }

    fn find_best_move(
        &mut self,
        at: &GameHistory<'_, Quoridor>,
        generator: &mut RandomGenerator,
        control: &SearchControl<'_, Move>,
        budget: &mut SearchBudget<'_>,
    ) -> AlphaBetaResult<Move> {
        self.set_root(at);
        let mut helpers = std::mem::take(&mut self.helpers);
        let (has_found, looked_at) = (AtomicBool::new(false), AtomicU64::new(0));
        let beside = SearchControl {
            limits: Limits { time: None, cpu_time: None, ..control.limits },
            ..SearchControl::without_reports(control.limits, &has_found)
        };
        let found = thread::scope(|scope| {
            for (helper, number) in helpers.iter_mut().zip(0..) {
                let (beside, looked_at) = (&beside, &looked_at);
                // Each thread shuffles moves of equal rank; every other one starts a ply deeper.
                let (mut generator, first) = (random_stream(number, 0), 2 - i32::from(number % 2 == 1));
                let think = move || {
                    helper.reset_for_root(at);
                    let mut budget = SearchBudget::start(beside).with_shared_node_count(looked_at);
                    helper.deepen_iteratively(first, &mut generator, beside, &mut budget);
                    budget.flush_node_count();
                };
                // If the system starts no more threads, fewer of them search.
                if thread::Builder::new().spawn_scoped(scope, think).is_err() {
                    break;
                }
            }
            let tell = |info: &SearchInfo<Move>| {
                let nodes = info.nodes + looked_at.load(Ordering::Relaxed);
                (control.report)(&SearchInfo { nodes, ..info.clone() });
            };
            let found =
                self.deepen_iteratively(1, generator, &SearchControl { report: &tell, ..*control }, budget);
            has_found.store(true, Ordering::Relaxed);
            found
        });
        self.helpers = helpers;
        budget.nodes += looked_at.into_inner();
        found
    }

    fn set_root(&mut self, at: &GameHistory<'_, Quoridor>) {
        self.table.advance_generation();
        self.reset_for_root(at);
    }

    fn search_move_value(
        &mut self,
        mv: Move,
        depth: u32,
        (alpha, beta): (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        let root = self.root.expect("begin was called");
        let next = root.try_play(mv).expect("a legal move");
        self.path.push(root.zobrist_key());
        let depth = i32::try_from(depth).unwrap_or(MAX_SEARCH_DEPTH).min(MAX_SEARCH_DEPTH) + 1;
        let node = self.child_node(SearchNode { depth, ..SearchNode::default() }, mv);
        let value = -self.search_position(&next, node, (-beta, -alpha), budget);
        self.path.pop();
        (!budget.is_spent()).then_some(value)
    }
}

impl<S: Bitboard + Send> AlphaBetaSearch<S> {
    /// Resets everything except the table for a new root.
    fn reset_for_root(&mut self, at: &GameHistory<'_, Quoridor>) {
        self.root = Some(SearchBoard::from(at.now));
        self.races.start_search();
        self.pop_moves(0);
        self.killers.fill([TranspositionTable::NO_MOVE_INDEX; 2]);
        self.history.iter_mut().for_each(|worth| *worth /= 8);
        self.path.clear();
        let mut game = at.start.clone();
        for &mv in at.played {
            if mv.wall().is_some() {
                self.path.clear();
            } else {
                self.path.push(game.position_key());
            }
            game.make_move(mv);
        }
        let left = |cap: u32| i32::try_from(cap.saturating_sub(at.now.ply())).unwrap_or(i32::MAX);
        self.plies_left = at.now.ply_limit().map_or(i32::MAX, left);
        self.terms = EvalTerms::for_game(at.now);
        self.has_network = self.network.is_some() && net::supports_game(at.now);
        if let (Some(network), Some(root)) = (self.network.as_ref().filter(|_| self.has_network), &self.root)
        {
            self.walls.resize_with(MAX_SEARCH_PLIES as usize + 2, Default::default);
            self.walls[0] = net::wall_sums(network, root);
            self.detours.grow(DETOUR_CACHE_ENTRIES);
        }
    }

    /// Searches deeper and deeper from depth `first` until a limit is met.
    fn deepen_iteratively(
        &mut self,
        first: i32,
        generator: &mut RandomGenerator,
        control: &SearchControl<'_, Move>,
        budget: &mut SearchBudget<'_>,
    ) -> AlphaBetaResult<Move> {
        let board = self.root.expect("the search is made ready first");
        let mut moves = self.order_root_moves(&board, generator);
        let mut found =
            AlphaBetaResult { mv: moves[0], score: None, depth: 0, pv: vec![moves[0]], is_proved: false };
        let deepest = control.limits.depth.map_or(MAX_SEARCH_DEPTH, |depth| {
            i32::try_from(depth).unwrap_or(MAX_SEARCH_DEPTH).clamp(1, MAX_SEARCH_DEPTH)
        });
        for depth in first..=deepest {
            let score = self.search_with_aspiration(&board, &mut moves, depth, found.score, budget);
            // The best move so far comes first even if the depth was not completed.
            found.mv = moves[0];
            let Some(score) = score else {
                if found.pv[0] != found.mv {
                    found.pv = vec![found.mv];
                }
                break;
            };
            found.score = Some(score);
            found.depth = depth.cast_unsigned();
            found.pv = self.principal_variation(board, found.mv, depth);
            (control.report)(&budget.make_info(found.pv.clone(), found.score, found.depth));
            if moves.len() == 1 || score.abs() > MATE_BOUND {
                break;
            }
        }
        found
    }

    /// Returns the legal moves, the most promising first, equal ones in random order.
    fn order_root_moves(&mut self, board: &SearchBoard<S>, generator: &mut RandomGenerator) -> Vec<Move> {
        let mut moves = board.legal_moves();
        assert!(!moves.is_empty(), "a game that is over has no best move");
        for i in (1..moves.len()).rev() {
            moves.swap(i, generator.random_range(0..=i));
        }
        let entry = self.table.probe(board.zobrist_key());
        let known = entry.map_or(TranspositionTable::NO_MOVE_INDEX, |entry| entry.move_index);
        self.push_moves(board, SearchNode { depth: 2, ..SearchNode::default() }, known);
        let rank = |mv: &Move| {
            let place = self.stack.iter().position(|listed| listed == mv);
            place.map_or(i32::MIN, |place| self.ranks[place])
        };
        moves.sort_by_cached_key(|mv| std::cmp::Reverse(rank(mv)));
        self.pop_moves(0);
        moves
    }

    /// Searches the root moves to a depth, first with an aspiration window around the last value. Moves the
    /// best move to the front. Returns `None` if the budget ran out.
    fn search_with_aspiration(
        &mut self,
        board: &SearchBoard<S>,
        moves: &mut [Move],
        depth: i32,
        last: Option<i32>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        let mut half = self.constants.window;
        let near = last.filter(|last| depth > 3 && last.abs() < MATE_BOUND);
        let (mut alpha, mut beta) = near.map_or((-WIN_VALUE, WIN_VALUE), |last| (last - half, last + half));
        loop {
            let value = self.search_root(board, moves, depth, (alpha, beta), budget)?;
            half *= 4;
            if value <= alpha && alpha > -WIN_VALUE {
                alpha = if half > 1_000 { -WIN_VALUE } else { value - half };
            } else if value >= beta && beta < WIN_VALUE {
                beta = if half > 1_000 { WIN_VALUE } else { value + half };
            } else {
                return Some(value);
            }
        }
    }

    fn search_root(
        &mut self,
        board: &SearchBoard<S>,
        moves: &mut [Move],
        depth: i32,
        (mut alpha, beta): (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        let (mut best, lowest) = (-WIN_VALUE, alpha);
        self.min_repetition_ply = usize::MAX;
        self.path.push(board.zobrist_key());
        for i in 0..moves.len() {
            let mv = moves[i];
            let next = board.try_play(mv).expect("the moves of the root are legal");
            let node = self.child_node(SearchNode { depth, ..SearchNode::default() }, mv);
            let mut value = alpha + 1;
            if i > 0 {
                value = -self.search_position(&next, node, (-alpha - 1, -alpha), budget);
            }
            if i == 0 || value > alpha {
                value = -self.search_position(&next, node, (-beta, -alpha), budget);
            }
            if budget.is_spent() {
                self.path.pop();
                return None;
            }
            best = best.max(value);
            if value > alpha || i == 0 {
                moves[..=i].rotate_right(1); // if all fail low, the first one stays in front
                alpha = alpha.max(value);
            }
            if alpha >= beta {
                break;
            }
        }
        self.path.pop();
        // A value that depends on a position of the game is valid in this game only.
        if self.min_repetition_ply >= self.path.len() {
            let bound = classify_bound(best, (lowest, beta));
            let depth = u8::try_from(depth).unwrap_or(u8::MAX);
            let move_index = moves[0].move_index();
            self.table.store(board.zobrist_key(), TtEntry { value: best, bound, depth, move_index });
        }
        Some(best)
    }

    /// Returns the node after a move.
    fn child_node(&mut self, node: SearchNode, mv: Move) -> SearchNode {
        let (mut repetition_from, mut walls) = (node.repetition_from, node.walls);
        if let Some(wall) = mv.wall() {
            repetition_from = self.path.len();
            walls = node.ply_index() + 1;
            if let Some(network) = self.network.as_ref().filter(|_| self.has_network) {
                let (before, behind) = self.walls.split_at_mut(walls);
                net::copy_sums_with_wall(network, &before[node.walls], wall, &mut behind[0]);
            }
        }
        SearchNode { depth: node.depth - 1, ply: node.ply + 1, repetition_from, has_passed: false, walls }
    }

    /// Returns the static value of the position for the mover.
    fn static_eval(&mut self, board: &SearchBoard<S>, node: SearchNode) -> i32 {
        let me = board.mover();
        let sides = [me, me.other()];
        let steps = sides.map(|side| board.steps_to_goal(side));
        let value = self.terms.evaluate(steps, sides.map(|side| board.walls_left(side)));
        match &self.network {
            Some(network) if self.has_network => {
                let detours = self.detours.counts_for_mover(board);
                value + net::network_correction(network, &self.walls[node.walls], board, detours)
            }
            _ => value,
        }
    }

    /// Reports whether the position is a draw: by repetition, or because the game has reached its length cap.
    fn is_drawn(&mut self, key: u64, node: SearchNode) -> bool {
        if node.ply >= self.plies_left {
            self.min_repetition_ply = 0;
            return true;
        }
        let place = self.path[node.repetition_from..].iter().rposition(|&before| before == key);
        if let Some(place) = place {
            self.min_repetition_ply = self.min_repetition_ply.min(node.repetition_from + place);
        }
        place.is_some()
    }

    /// Returns the mover's value: exact inside the window, a bound outside, invalid if the budget ran out.
    fn search_position(
        &mut self,
        board: &SearchBoard<S>,
        node: SearchNode,
        (alpha, beta): (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> i32 {
        if !budget.count_node() {
            return 0;
        }
        let key = board.zobrist_key();
        // Probed early so that the work up to its use hides the memory latency.
        let known = if node.depth > 0 { self.table.probe(key) } else { None };
        if self.is_drawn(key, node) {
            return 0;
        }
        if !(board.pawn_targets() & board.goal_cells()).is_empty() {
            return WIN_VALUE - node.ply - 1;
        }
        if let Some(value) = self.races.probe_or_build(board, budget.nodes) {
            let end = node.ply + value.abs();
            if end < self.plies_left {
                return value.signum() * (WIN_VALUE - end);
            }
        }
        if let Some(end) =
            board.race_win_plies().map(|plies| node.ply + plies).filter(|&end| end < self.plies_left)
        {
            return WIN_VALUE - end;
        }
        if node.depth <= 0 || node.ply >= MAX_SEARCH_PLIES {
            return self.quiescence(board, SearchNode { depth: 0, ..node }, (alpha, beta), budget);
        }
        if let Some(known) = known.filter(|known| i32::from(known.depth) >= node.depth) {
            let value = shift_mate_distance(known.value, node.ply);
            if known.bound.settles(value, (alpha, beta)) {
                return value;
            }
        }
        let is_narrow = beta - alpha == 1;
        let estimate = self.static_eval(board, node);
        if is_narrow && beta.abs() < MATE_BOUND {
            if node.depth <= MAX_FUTILITY_DEPTH && estimate - self.constants.margin * node.depth >= beta {
                return estimate;
            }
            if self.null_move_cutoff(board, node, estimate, beta, budget) {
                return beta;
            }
        }
        let rested = std::mem::replace(&mut self.min_repetition_ply, usize::MAX);
        self.path.push(key);
        let table_move = known.map_or(TranspositionTable::NO_MOVE_INDEX, |known| known.move_index);
        let (best, best_move) = self.search_moves(board, node, table_move, (alpha, beta), budget);
        self.path.pop();
        if budget.is_spent() {
            return 0;
        }
        let bound = classify_bound(best, (alpha, beta));
        // A value that depends on an earlier position is valid on this path only.
        if self.min_repetition_ply >= self.path.len() {
            self.min_repetition_ply = usize::MAX;
            let depth = u8::try_from(node.depth).unwrap_or(u8::MAX);
            let value = shift_mate_distance(best, -node.ply);
            self.table.store(key, TtEntry { value, bound, depth, move_index: best_move });
        }
        self.min_repetition_ply = self.min_repetition_ply.min(rested);
        best
    }

    /// Reports whether a null move fails high; not tried in zugzwang: with adjacent pawns or no walls left.
    fn null_move_cutoff(
        &mut self,
        board: &SearchBoard<S>,
        node: SearchNode,
        estimate: i32,
        beta: i32,
        budget: &mut SearchBudget<'_>,
    ) -> bool {
        let may = !node.has_passed && node.depth >= 3 && estimate >= beta;
        if !may || board.walls_left(board.mover()) == 0 || board.are_pawns_adjacent() {
            return false;
        }
        self.path.push(board.zobrist_key());
        let depth = node.depth - 1 - self.constants.null_reduction - node.depth / self.constants.null_divisor;
        let next = SearchNode {
            depth,
            ply: node.ply + 1,
            repetition_from: self.path.len(),
            has_passed: true,
            walls: node.walls,
        };
        let value = -self.search_position(&board.after_null_move(), next, (-beta, 1 - beta), budget);
        self.path.pop();
        value >= beta && !budget.is_spent()
    }

    /// Returns the value of the best move, and its index.
    fn search_moves(
        &mut self,
        board: &SearchBoard<S>,
        node: SearchNode,
        table_move: u16,
        (mut alpha, beta): (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> (i32, u16) {
        let base = self.stack.len();
        self.push_moves(board, node, table_move);
        let (mut best, mut best_move) = (None, TranspositionTable::NO_MOVE_INDEX);
        let mut searched = 0;
        for i in base..self.stack.len() {
            let (rank, mv) = self.select_next_move(i);
            let is_safe = best.is_some_and(|best| best > -MATE_BOUND);
            if is_safe && can_prune_late_wall(node.depth, searched, rank, mv) {
                break; // later moves are pruned too
            }
            let Some(next) = board.try_play(mv) else { continue };
            let less = late_move_reduction(node.depth, searched, rank, mv);
            let deep = self.child_node(node, mv);
            let mut value = alpha + 1;
            if less > 0 {
                let node = SearchNode { depth: deep.depth - less, ..deep };
                value = -self.search_position(&next, node, (-alpha - 1, -alpha), budget);
            }
            if searched > 0 && value > alpha {
                value = -self.search_position(&next, deep, (-alpha - 1, -alpha), budget);
            }
            if searched == 0 || value > alpha && value < beta {
                value = -self.search_position(&next, deep, (-beta, -alpha), budget);
            }
            if budget.is_spent() {
                break;
            }
            searched += 1;
            if best.is_none_or(|best| value > best) {
                (best, best_move) = (Some(value), mv.move_index());
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.record_cutoff(board.mover(), mv, node);
                break;
            }
        }
        self.pop_moves(base);
        // A side that cannot move draws.
        (best.unwrap_or(0), best_move)
    }

    /// Returns the expected line from the table, starting with `mv`.
    fn principal_variation(&self, board: SearchBoard<S>, mv: Move, depth: i32) -> Vec<Move> {
        let mut line = vec![mv];
        let mut board = board.try_play(mv).expect("the best move is legal");
        while line.len() < depth.unsigned_abs() as usize
            && (board.pawn_targets() & board.goal_cells()).is_empty()
        {
            let Some(known) = self.table.probe(board.zobrist_key()) else { break };
            let Some(mv) = board.legal_moves().into_iter().find(|mv| mv.move_index() == known.move_index)
            else {
                break;
            };
            line.push(mv);
            board = board.try_play(mv).expect("it is one of the legal moves");
        }
        line
    }
}

/// Classifies a value as exact or as a bound, by the window of its search.
fn classify_bound(value: i32, (alpha, beta): (i32, i32)) -> Bound {
    match value {
        value if value >= beta => Bound::Lower,
        value if value <= alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}
