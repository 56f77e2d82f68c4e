//! The search of Quoridor: principal variations, deeper and deeper, with what moves have taught. Knows the board of bits
//! and the evaluation.

mod order;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::board::SearchBoard;
use super::constants::SearchConstants;
use super::eval::Terms;
use super::net;
use super::race::Races;
use crate::ai::alphabeta::AlphaBetaResult;
use crate::ai::net::SparseNet;
use crate::ai::score::farther;
use crate::ai::transposition::{Bound, TranspositionTable, TtEntry};
use crate::ai::{GameHistory, Info, Limits, MATE_BOUND, SearchBudget, SearchControl, WIN};
use crate::game::Game;
use crate::games::quoridor::{
    Bitboard, Bitboard15, Bitboard25, MIDDLE, Move, Orientation, Quoridor, SMALL, Wall,
};
use crate::random::{Generator, stream};
use order::{is_late, reduction};
use rand::RngExt;

/// The smallest table.
const MIN_ENTRIES: usize = 1 << 10;
/// No line of play is followed further than this.
const MAX_PLIES: i32 = 256;
/// The deepest that a search is asked for.
const MAX_DEPTH: i32 = 64;

/// Up to this depth the margin counts.
const MARGIN_DEPTH: i32 = 5;
/// Plies of quiescence, in which walls that force a detour are searched.
const DETOUR_PLIES: i32 = 4;

/// Place of a position in the tree.
#[derive(Clone, Copy, Default)]
struct SearchNode {
    depth: i32,
    ply: i32,
    /// The first position on the path that can come again: those before the last wall cannot.
    repetition_from: usize,
    /// `true` if the last move was none.
    has_passed: bool,
    /// The ply of the last wall, 0 before the first one of the search: as the network sees it.
    walls: usize,
}

impl SearchNode {
    fn place(self) -> usize {
        self.ply.unsigned_abs() as usize
    }
}

/// Interface of a searcher for engines, whatever the size of its boards. It keeps its table and what it has learnt
/// about moves until it is told to forget.
pub(super) trait Searcher: Send {
    /// Forgets everything learnt, as a new game demands.
    fn forget(&mut self);

    /// Gives the table room for about `positions` positions; what it knows stays where it has that already.
    fn make_room(&mut self, positions: usize);

    /// Takes other constants than its own.
    fn tune(&mut self, constants: SearchConstants);

    /// Makes ready for searches of a running game. What has been on the board since the last wall is a draw if it comes
    /// again.
    fn begin(&mut self, at: &GameHistory<'_, Quoridor>);

    /// Searches deeper and deeper until a limit is met, and reports after each depth. The limits of positions are for each
    /// thread; what all of them have looked at is counted at the end.
    fn best(
        &mut self,
        at: &GameHistory<'_, Quoridor>,
        generator: &mut Generator,
        control: &SearchControl<'_, Move>,
        budget: &mut SearchBudget<'_>,
    ) -> AlphaBetaResult<Move>;

    /// Returns the value of a legal move for its mover in the position of [`Searcher::begin`], searched `depth` plies
    /// behind it: exact inside the window, a bound outside. `None` if the budget was spent first.
    fn value_after(
        &mut self,
        mv: Move,
        depth: u32,
        window: (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32>;
}

/// Creates a searcher for boards of this size, with this table, perhaps with a network, and at least one thread. One
/// alone finds the same every time.
pub(super) fn searcher(
    game: &Quoridor,
    table: TranspositionTable,
    network: Option<&Arc<SparseNet>>,
    threads: usize,
) -> Box<dyn Searcher> {
    match game.width().max(game.height()) {
        size if size <= SMALL => Box::new(Search::<u128>::with_helpers(table, network, threads)),
        size if size <= MIDDLE => Box::new(Search::<Bitboard15>::with_helpers(table, None, threads)),
        _ => Box::new(Search::<Bitboard25>::with_helpers(table, None, threads)),
    }
}

/// Returns the value of a legal move for its mover, searched `plies` plies behind it; wins and losses are counted from
/// the position before it.
///
/// ```
/// use crosspath::ai::GameHistory;
/// use crosspath::ai::quoridor::search::value_after;
/// use crosspath::game::Notation;
/// use crosspath::games::quoridor::Quoridor;
/// let start = Quoridor::new(9)?;
/// let at = GameHistory { start: &start, played: &[], now: &start };
/// let value = |text: &str| value_after(&at, start.parse(text).expect("a move"), 2);
/// assert!(value("e2") > value("d1"), "straight on is better than aside");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
///
/// # Panics
/// If the move is not legal.
#[must_use]
pub fn value_after(at: &GameHistory<'_, Quoridor>, mv: Move, plies: u32) -> i32 {
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<Move>(&SearchControl::quiet(Limits::default(), &stop));
    let mut search = searcher(at.now, TranspositionTable::with_entries(1 << 12), None, 1);
    search.begin(at);
    search.value_after(mv, plies, (-WIN, WIN), &mut budget).expect("nothing ends it")
}

/// A searcher for boards that a set of this kind has room for.
struct Search<S> {
    /// The position of [`Searcher::begin`].
    root: Option<SearchBoard<S>>,
    /// Table of positions that all threads share, and the number of positions for which room was asked.
    table: Arc<TranspositionTable>,
    room: usize,
    /// Searches of the same position, one a thread: by the table they save this one work.
    helpers: Vec<Search<S>>,
    races: Races<S>,
    /// The moves of all nodes on the way from the root, and the rank of each.
    stack: Vec<Move>,
    ranks: Vec<i32>,
    /// By ply: the last two moves that refuted something there.
    killers: Vec<[u16; 2]>,
    /// By side, kind of move and place: how often, and how deep, a move has refuted something.
    history: Vec<i32>,
    /// Scratch: by post, what a wall there is worth before it is searched.
    worths: Vec<i32>,
    /// The keys of the positions from the last wall of the game on, then of those on the way from the root.
    path: Vec<u64>,
    /// The first place on the path that values since this was last cleared rest on.
    min_repetition_ply: usize,
    /// The plies until the game is drawn.
    plies_left: i32,
    terms: Terms,
    constants: SearchConstants,
    /// Network that corrects the terms, where it knows the board.
    network: Option<Arc<SparseNet>>,
    has_network: bool,
    /// By ply: the walls as the network sees them, where the move before built one; in front those of the root.
    walls: Vec<net::WallSums>,
}

impl<S: Bitboard + Send> Search<S> {
    fn with_helpers(table: TranspositionTable, network: Option<&Arc<SparseNet>>, threads: usize) -> Self {
        let table = Arc::new(table);
        let helpers = (1..threads).map(|_| Search::new(&table, network)).collect();
        Search { helpers, ..Search::new(&table, network) }
    }

    fn new(table: &Arc<TranspositionTable>, network: Option<&Arc<SparseNet>>) -> Self {
        Search {
            root: None,
            table: Arc::clone(table),
            room: table.capacity(),
            helpers: Vec::new(),
            races: Races::new(),
            stack: Vec::with_capacity(4096),
            ranks: Vec::with_capacity(4096),
            killers: vec![[TranspositionTable::NO_MOVE_INDEX; 2]; MAX_PLIES as usize + 1],
            history: vec![0; 2 * 3 * S::BITS],
            worths: Vec::with_capacity(S::BITS),
            path: Vec::with_capacity(512),
            min_repetition_ply: usize::MAX,
            plies_left: i32::MAX,
            terms: Terms::default(),
            constants: SearchConstants::BUILT_IN,
            network: network.cloned(),
            has_network: false,
            walls: Vec::new(),
        }
    }
}

impl<S: Bitboard + Send> Searcher for Search<S> {
    fn forget(&mut self) {
        self.table.clear();
        self.races.clear();
        self.history.fill(0);
        self.helpers.iter_mut().for_each(Searcher::forget);
    }

    fn make_room(&mut self, positions: usize) {
        let positions = positions.clamp(MIN_ENTRIES, usize::MAX / 2).next_power_of_two();
        // Where there was no memory for so many there would be none now.
        if self.room != positions {
            self.room = positions;
            self.table = Arc::new(TranspositionTable::halved_to_fit(positions));
            for helper in &mut self.helpers {
                helper.table = Arc::clone(&self.table);
            }
        }
    }

    fn tune(&mut self, constants: SearchConstants) {
        self.constants = constants;
        self.helpers.iter_mut().for_each(|helper| helper.tune(constants));
    }

    fn best(
        &mut self,
        at: &GameHistory<'_, Quoridor>,
        generator: &mut Generator,
        control: &SearchControl<'_, Move>,
        budget: &mut SearchBudget<'_>,
    ) -> AlphaBetaResult<Move> {
        self.begin(at);
        let mut helpers = std::mem::take(&mut self.helpers);
        let (has_found, looked_at) = (AtomicBool::new(false), AtomicU64::new(0));
        let beside = SearchControl {
            limits: Limits { time: None, cpu_time: None, ..control.limits },
            ..SearchControl::quiet(control.limits, &has_found)
        };
        let found = thread::scope(|scope| {
            for (helper, number) in helpers.iter_mut().zip(0..) {
                let (beside, looked_at) = (&beside, &looked_at);
                // Each has moves of equal rank in an order of its own, and every other one begins a ply deeper.
                let (mut generator, first) = (stream(number, 0), 2 - i32::from(number % 2 == 1));
                let think = move || {
                    helper.prepare(at);
                    let mut budget = SearchBudget::start(beside).counted_in(looked_at);
                    helper.deepen_from(first, &mut generator, beside, &mut budget);
                    budget.tell();
                };
                // Where the system gives no more threads, fewer think.
                if thread::Builder::new().spawn_scoped(scope, think).is_err() {
                    break;
                }
            }
            let tell = |info: &Info<Move>| {
                let nodes = info.nodes + looked_at.load(Ordering::Relaxed);
                (control.report)(&Info { nodes, ..info.clone() });
            };
            let found = self.deepen_from(1, generator, &SearchControl { report: &tell, ..*control }, budget);
            has_found.store(true, Ordering::Relaxed);
            found
        });
        self.helpers = helpers;
        budget.nodes += looked_at.into_inner();
        found
    }

    fn begin(&mut self, at: &GameHistory<'_, Quoridor>) {
        self.table.age();
        self.prepare(at);
    }

    fn value_after(
        &mut self,
        mv: Move,
        depth: u32,
        (alpha, beta): (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        let root = self.root.expect("begin was called");
        let next = root.after(mv).expect("a legal move");
        self.path.push(root.key());
        let depth = i32::try_from(depth).unwrap_or(MAX_DEPTH).min(MAX_DEPTH) + 1;
        let node = self.below(SearchNode { depth, ..SearchNode::default() }, mv);
        let value = -self.search(&next, node, (-beta, -alpha), budget);
        self.path.pop();
        (!budget.is_spent()).then_some(value)
    }
}

impl<S: Bitboard + Send> Search<S> {
    /// Makes ready, except for the table.
    fn prepare(&mut self, at: &GameHistory<'_, Quoridor>) {
        self.root = Some(SearchBoard::from(at.now));
        self.races.begin();
        self.pop_moves(0);
        self.killers.fill([TranspositionTable::NO_MOVE_INDEX; 2]);
        self.history.iter_mut().for_each(|worth| *worth /= 8);
        self.path.clear();
        let mut game = at.start.clone();
        for &mv in at.played {
            if mv.wall().is_some() {
                self.path.clear();
            } else {
                self.path.push(game.key());
            }
            game.make(mv);
        }
        let left = |cap: u32| i32::try_from(cap.saturating_sub(at.now.ply())).unwrap_or(i32::MAX);
        self.plies_left = at.now.cap().map_or(i32::MAX, left);
        self.terms = Terms::of(at.now);
        self.has_network = self.network.is_some() && net::knows(at.now);
        if let (Some(network), Some(root)) = (self.network.as_ref().filter(|_| self.has_network), &self.root)
        {
            self.walls.resize_with(MAX_PLIES as usize + 2, Default::default);
            self.walls[0] = net::walls(network, root);
        }
    }

    /// Searches deeper and deeper, from a depth on, until a limit is met.
    fn deepen_from(
        &mut self,
        first: i32,
        generator: &mut Generator,
        control: &SearchControl<'_, Move>,
        budget: &mut SearchBudget<'_>,
    ) -> AlphaBetaResult<Move> {
        let board = self.root.expect("the search is made ready first");
        let mut moves = self.root_moves(&board, generator);
        let mut found =
            AlphaBetaResult { mv: moves[0], score: None, depth: 0, pv: vec![moves[0]], is_proved: false };
        let deepest = control
            .limits
            .depth
            .map_or(MAX_DEPTH, |depth| i32::try_from(depth).unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH));
        for depth in first..=deepest {
            let score = self.deepen(&board, &mut moves, depth, found.score, budget);
            // The best so far stands in front, also where there was no time for the others.
            found.mv = moves[0];
            let Some(score) = score else {
                if found.pv[0] != found.mv {
                    found.pv = vec![found.mv];
                }
                break;
            };
            found.score = Some(score);
            found.depth = depth.cast_unsigned();
            found.pv = self.line(board, found.mv, depth);
            (control.report)(&budget.found(found.pv.clone(), found.score, found.depth));
            if moves.len() == 1 || score.abs() > MATE_BOUND {
                break;
            }
        }
        found
    }

    /// The legal moves: the most promising first, equal ones in the order that the generator draws.
    fn root_moves(&mut self, board: &SearchBoard<S>, generator: &mut Generator) -> Vec<Move> {
        let mut moves = board.moves();
        assert!(!moves.is_empty(), "a game that is over has no best move");
        for i in (1..moves.len()).rev() {
            moves.swap(i, generator.random_range(0..=i));
        }
        let known =
            self.table.probe(board.key()).map_or(TranspositionTable::NO_MOVE_INDEX, |known| known.move_index);
        self.push_moves(board, SearchNode { depth: 2, ..SearchNode::default() }, known);
        let rank = |mv: &Move| {
            let place = self.stack.iter().position(|listed| listed == mv);
            place.map_or(i32::MIN, |place| self.ranks[place])
        };
        moves.sort_by_cached_key(|mv| std::cmp::Reverse(rank(mv)));
        self.pop_moves(0);
        moves
    }

    /// Searches the root moves to a depth, first in a narrow window around the value of the last depth. The best move
    /// comes to the front. `None` if the budget was spent.
    fn deepen(
        &mut self,
        board: &SearchBoard<S>,
        moves: &mut [Move],
        depth: i32,
        last: Option<i32>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        let mut half = self.constants.window;
        let near = last.filter(|last| depth > 3 && last.abs() < MATE_BOUND);
        let (mut alpha, mut beta) = near.map_or((-WIN, WIN), |last| (last - half, last + half));
        loop {
            let value = self.search_root(board, moves, depth, (alpha, beta), budget)?;
            half *= 4;
            if value <= alpha && alpha > -WIN {
                alpha = if half > 1_000 { -WIN } else { value - half };
            } else if value >= beta && beta < WIN {
                beta = if half > 1_000 { WIN } else { value + half };
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
        let (mut best, lowest) = (-WIN, alpha);
        self.min_repetition_ply = usize::MAX;
        self.path.push(board.key());
        for i in 0..moves.len() {
            let mv = moves[i];
            let next = board.after(mv).expect("the moves of the root are legal");
            let node = self.below(SearchNode { depth, ..SearchNode::default() }, mv);
            let mut value = alpha + 1;
            if i > 0 {
                value = -self.search(&next, node, (-alpha - 1, -alpha), budget);
            }
            if i == 0 || value > alpha {
                value = -self.search(&next, node, (-beta, -alpha), budget);
            }
            if budget.is_spent() {
                self.path.pop();
                return None;
            }
            best = best.max(value);
            if value > alpha || i == 0 {
                moves[..=i].rotate_right(1); // even where all are too poor the first to be searched stays in front
                alpha = alpha.max(value);
            }
            if alpha >= beta {
                break;
            }
        }
        self.path.pop();
        // What rests on a position of the game is true in this game only.
        if self.min_repetition_ply >= self.path.len() {
            let bound = bound_of(best, (lowest, beta));
            let depth = u8::try_from(depth).unwrap_or(u8::MAX);
            let move_index = moves[0].move_index();
            self.table.store(board.key(), TtEntry { value: best, bound, depth, move_index });
        }
        Some(best)
    }

    /// The node behind a move.
    fn below(&mut self, node: SearchNode, mv: Move) -> SearchNode {
        let (mut repetition_from, mut walls) = (node.repetition_from, node.walls);
        if let Some(wall) = mv.wall() {
            repetition_from = self.path.len();
            walls = node.place() + 1;
            if let Some(network) = self.network.as_ref().filter(|_| self.has_network) {
                let (before, behind) = self.walls.split_at_mut(walls);
                net::with_wall(network, &before[node.walls], wall, &mut behind[0]);
            }
        }
        SearchNode { depth: node.depth - 1, ply: node.ply + 1, repetition_from, has_passed: false, walls }
    }

    /// Returns the static value of the position for the mover.
    fn estimate(&self, board: &SearchBoard<S>, node: SearchNode) -> i32 {
        let me = board.mover();
        let sides = [me, me.other()];
        let value = self.terms.weigh(sides.map(|side| board.steps(side)), sides.map(|side| board.hand(side)));
        match &self.network {
            Some(network) if self.has_network => value + net::value(network, &self.walls[node.walls], board),
            _ => value,
        }
    }

    /// Reports whether the position was on the path, or the game has lasted too long: a draw then.
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

    /// The mover's value of a position: exact inside the window, an upper bound at or below `alpha`, a lower bound at or
    /// above `beta`; worthless when the budget is spent.
    fn search(
        &mut self,
        board: &SearchBoard<S>,
        node: SearchNode,
        (alpha, beta): (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> i32 {
        if !budget.tick() {
            return 0;
        }
        let key = board.key();
        // Asked for early: what is looked at meanwhile covers the way to memory.
        let known = if node.depth > 0 { self.table.probe(key) } else { None };
        if self.is_drawn(key, node) {
            return 0;
        }
        if !(board.targets() & board.goal()).is_empty() {
            return WIN - node.ply - 1;
        }
        if let Some(value) = self.races.value(board, budget.nodes) {
            let end = node.ply + value.abs();
            if end < self.plies_left {
                return value.signum() * (WIN - end);
            }
        }
        if let Some(end) = board.outruns().map(|plies| node.ply + plies).filter(|&end| end < self.plies_left)
        {
            return WIN - end;
        }
        if node.depth <= 0 || node.ply >= MAX_PLIES {
            return self.quiescence(board, SearchNode { depth: 0, ..node }, (alpha, beta), budget);
        }
        if let Some(known) = known.filter(|known| i32::from(known.depth) >= node.depth) {
            let value = farther(known.value, node.ply);
            let decides = match known.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if decides {
                return value;
            }
        }
        let is_narrow = beta - alpha == 1;
        let estimate = self.estimate(board, node);
        if is_narrow && beta.abs() < MATE_BOUND {
            if node.depth <= MARGIN_DEPTH && estimate - self.constants.margin * node.depth >= beta {
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
        let bound = bound_of(best, (alpha, beta));
        // What rests on an earlier position is true on this path only.
        if self.min_repetition_ply >= self.path.len() {
            self.min_repetition_ply = usize::MAX;
            let depth = u8::try_from(node.depth).unwrap_or(u8::MAX);
            let value = farther(best, -node.ply);
            self.table.store(key, TtEntry { value, bound, depth, move_index: best_move });
        }
        self.min_repetition_ply = self.min_repetition_ply.min(rested);
        best
    }

    /// The mover's value where the search ends: by looking, and by the walls that force a long detour.
    fn quiescence(
        &mut self,
        board: &SearchBoard<S>,
        node: SearchNode,
        (alpha, beta): (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> i32 {
        let mut best = self.estimate(board, node);
        if best >= beta || node.depth <= -DETOUR_PLIES || node.ply >= MAX_PLIES {
            return best;
        }
        let me = board.mover();
        let lead = |board: &SearchBoard<S>| board.steps(me.other()) - board.steps(me);
        let detour = self.constants.detour;
        for (orientation, posts) in Orientation::BOTH.into_iter().zip(board.detours(detour)) {
            for post in posts.cells() {
                let mv = Move::from(Wall { post, orientation });
                let Some(next) = board.after(mv).filter(|next| lead(next) - lead(board) >= detour) else {
                    continue;
                };
                if !budget.tick() {
                    return 0;
                }
                let behind = self.below(node, mv);
                let value = -self.quiescence(&next, behind, (-beta, -alpha.max(best)), budget);
                best = best.max(value);
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// Reports whether the position is so good that even handing the move over is. Not where having to move may hurt.
    fn null_move_cutoff(
        &mut self,
        board: &SearchBoard<S>,
        node: SearchNode,
        estimate: i32,
        beta: i32,
        budget: &mut SearchBudget<'_>,
    ) -> bool {
        let may = !node.has_passed && node.depth >= 3 && estimate >= beta;
        if !may || board.hand(board.mover()) == 0 || board.pawns_touch() {
            return false;
        }
        self.path.push(board.key());
        let depth = node.depth - 1 - self.constants.null_reduction - node.depth / self.constants.null_divisor;
        let next = SearchNode {
            depth,
            ply: node.ply + 1,
            repetition_from: self.path.len(),
            has_passed: true,
            walls: node.walls,
        };
        let value = -self.search(&board.passed(), next, (-beta, 1 - beta), budget);
        self.path.pop();
        value >= beta && !budget.is_spent()
    }

    /// The value of the best move, and its index.
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
            let (rank, mv) = self.next(i);
            let is_safe = best.is_some_and(|best| best > -MATE_BOUND);
            if is_safe && is_late(node.depth, searched, rank, mv) {
                break; // those behind it are no better
            }
            let Some(next) = board.after(mv) else { continue };
            let less = reduction(node.depth, searched, rank, mv);
            let deep = self.below(node, mv);
            let mut value = alpha + 1;
            if less > 0 {
                let node = SearchNode { depth: deep.depth - less, ..deep };
                value = -self.search(&next, node, (-alpha - 1, -alpha), budget);
            }
            if searched > 0 && value > alpha {
                value = -self.search(&next, deep, (-alpha - 1, -alpha), budget);
            }
            if searched == 0 || value > alpha && value < beta {
                value = -self.search(&next, deep, (-beta, -alpha), budget);
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
        // Who cannot move draws.
        (best.unwrap_or(0), best_move)
    }

    /// The expected line of play as the table knows it, `mv` in front.
    fn line(&self, board: SearchBoard<S>, mv: Move, depth: i32) -> Vec<Move> {
        let mut line = vec![mv];
        let mut board = board.after(mv).expect("the best move is legal");
        while line.len() < depth.unsigned_abs() as usize && (board.targets() & board.goal()).is_empty() {
            let Some(known) = self.table.probe(board.key()) else { break };
            let Some(mv) = board.moves().into_iter().find(|mv| mv.move_index() == known.move_index) else {
                break;
            };
            line.push(mv);
            board = board.after(mv).expect("it is one of the legal moves");
        }
        line
    }
}

/// Returns the bound that a value found in a window is on the true one.
fn bound_of(value: i32, (alpha, beta): (i32, i32)) -> Bound {
    match value {
        value if value >= beta => Bound::Lower,
        value if value <= alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}
