//! Exact solver for small boards: all wall sets, walls left and pawn cells. An endless game is a draw; plies
//! have no cap. This module depends only on the rules.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::ai::{SearchBudget, SolveControl, legal_moves, with_move_made};
use crate::game::{Game, Outcome, Side};
use crate::games::quoridor::{Cell, MAX_QUORIDOR_SIZE, Move, MoveKind, Orientation, Quoridor, Wall, Walls};

/// Result of best play.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::ai::quoridor::solve::solve_quoridor;
/// use crosspath::game::Outcome;
/// use crosspath::games::quoridor::Quoridor;
/// let stop = AtomicBool::new(false);
/// let game = Quoridor::with_walls(3, 3, 0)?;
/// let solution = solve_quoridor(&game, &SolveControl::without_reports(Limits::default(), &stop))?;
/// assert_eq!(solution.moves.len(), 3);
/// assert_eq!(solution.plies.is_none(), solution.outcome == Outcome::Draw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoridorSolution {
    /// Outcome of the game.
    pub outcome: Outcome,
    /// Moves that win for the side to move, in the order of the move list.
    pub winning: Vec<Move>,
    /// Every legal move with the outcome after it and the number of plies to the end, this move included.
    pub moves: Vec<(Move, Outcome, Option<u32>)>,
    /// Plies to the end if the winner hurries and the loser delays; `None` in a draw.
    pub plies: Option<u32>,
    /// Number of positions enumerated: reachable wall sets, walls left, pawn cells with a path for both, and
    /// sides to move.
    pub states: usize,
}

/// Reason why a position was not solved.
///
/// ```
/// use crosspath::ai::quoridor::solve::{QuoridorSolveError, solve_quoridor};
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::games::quoridor::Quoridor;
/// let (limits, stop) = (Limits { nodes: Some(10), ..Limits::default() }, false.into());
/// let control = SolveControl::without_reports(limits, &stop);
/// let error = solve_quoridor(&Quoridor::with_walls(3, 3, 1)?, &control).unwrap_err();
/// assert_eq!(error, QuoridorSolveError::TooMany(10));
/// assert_eq!(error.to_string(), "there are more than 10 positions");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuoridorSolveError {
    /// There are more positions than allowed.
    #[error("there are more than {0} positions")]
    TooMany(usize),
    /// The system has no memory for the tables, which need this number of MiB.
    #[error("there is not enough memory for the tables, which need {0} MiB")]
    NoMemory(usize),
    /// The tables need more memory than is allowed.
    #[error("the tables need {needed} MiB, but only {allowed} MiB are allowed")]
    NotAllowed {
        /// Memory needed, in MiB.
        needed: usize,
        /// Memory allowed, in MiB.
        allowed: usize,
    },
    /// The wall sets alone are too many for tables within the memory allowed, in MiB.
    #[error("the tables need far more than the {0} MiB allowed")]
    FarTooLarge(usize),
    /// The solver was stopped.
    #[error("stopped")]
    Stopped,
}

/// Memory allowed by default, in MiB.
const DEFAULT_SOLVER_MEMORY_MIB: usize = 256;

/// Upper bound on the number of table slots per position: every wall set has at least one position in this
/// many slots.
const MAX_SLOTS_PER_POSITION: usize = 16;

/// Upper bound of the memory that a thread needs for the lists of one wall set, or for the answer.
const MAX_BYTES_PER_THREAD: usize = 8 << 20;

/// Value for the side to move: 0 for a draw or not yet known, `d + 1` for a win in `d` plies, `-(d + 1)` for
/// a loss in `d` plies.
type SolverValue = i16;

/// Number of values initialized between two checks of the clock.
const VALUES_PER_FILL_CHUNK: usize = 1 << 18;

/// Value of a slot that holds no position: a pawn has no path, both pawns are on one cell, or both are on
/// their goal rows.
const IMPOSSIBLE_POSITION: SolverValue = SolverValue::MIN;

/// Solves a position by retrograde analysis, from the largest number of walls on the board to the smallest.
/// Only the tables of two numbers of walls are in memory at a time. The answer does not depend on the number
/// of threads.
///
/// ```
/// use crosspath::ai::quoridor::solve::solve_quoridor;
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::game::{Outcome, Side};
/// use crosspath::games::quoridor::Quoridor;
/// let start = Quoridor::with_walls(3, 3, 1)?;
/// let stop = false.into();
/// let control = SolveControl::without_reports(Limits::default(), &stop);
/// let solution = solve_quoridor(&start, &control).expect("small enough");
/// assert_eq!(solution.outcome, Outcome::Win(Side::Second));
/// assert_eq!(solution.states, 4_150);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
///
/// # Errors
/// `TooMany` above the number of positions allowed, `NotAllowed` or `FarTooLarge` above the memory allowed,
/// `NoMemory` if the system has too little, `Stopped` if the search was stopped.
pub fn solve_quoridor(
    game: &Quoridor,
    control: &SolveControl<'_>,
) -> Result<QuoridorSolution, QuoridorSolveError> {
    let walls = list_buildable_walls(game).len();
    SolverLimits::from_control(control).check_one_wall_tables(game, walls)?;
    match walls {
        0..=64 => solve_with_wall_bits::<1>(game, control),
        65..=128 => solve_with_wall_bits::<2>(game, control),
        129..=512 => solve_with_wall_bits::<8>(game, control),
        _ => solve_with_wall_bits::<{ MAX_POSSIBLE_WALLS.div_ceil(64) }>(game, control),
    }
}

/// Solves a board on which at most `64 * N` walls can be placed.
fn solve_with_wall_bits<const N: usize>(
    game: &Quoridor,
    control: &SolveControl<'_>,
) -> Result<QuoridorSolution, QuoridorSolveError> {
    let bounds = SolverLimits::from_control(control);
    let most_states = bounds.states;
    let space = SolverStateSpace::<N>::new(game);
    // 1. List every possible wall set, by the number of walls placed from here.
    let mut levels = space.list_wall_sets(&bounds)?;
    let needed_mib = space.check_memory(&levels, &bounds)?;
    let tables = |(built, sets): (usize, &Vec<WallBits<N>>)| sets.len() * space.wall_splits(built).len();
    let work = SolverProgress {
        all: levels.iter().enumerate().map(tables).sum(),
        done: AtomicU64::new(0),
        bounds: &bounds,
        report: control.report,
    };
    // 2. From the fullest boards to the present one: each set depends on those with one more wall.
    let mut states = 0;
    let (mut above, mut here) = (SolvedLayer::default(), SolvedLayer::default());
    while let Some(sets) = levels.pop() {
        let built = levels.len();
        above = here;
        here = SolvedLayer { splits: space.wall_splits(built), sets, values: Vec::new() };
        let table = here.splits.len() * space.state_count();
        let size = here.sets.len().saturating_mul(table);
        if size > most_states.saturating_mul(MAX_SLOTS_PER_POSITION) {
            return Err(QuoridorSolveError::TooMany(most_states));
        }
        // Allocated at full size at once, because moving a large table takes long. Threads need memory beside
        // it, and some is spare: if memory is short, the allocator gives each small list a page of its own.
        let beside = (2 + control.threads) * MAX_BYTES_PER_THREAD;
        let has_memory = can_allocate(size * size_of::<SolverValue>() + beside);
        if !has_memory || here.values.try_reserve_exact(size).is_err() {
            return Err(QuoridorSolveError::NoMemory(needed_mib));
        }
        here.allocate_values(size, &bounds)?;
        let share = here.sets.len().div_ceil(control.threads.max(1));
        let parts = here.sets.chunks(share).zip(here.values.chunks_mut((share * table).max(1)));
        let solved: Result<Vec<usize>, QuoridorSolveError> = thread::scope(|scope| {
            let (space, splits, above, work) = (&space, &here.splits, &above, &work);
            let start = |(sets, values)| {
                let solve = move || space.solve_wall_sets(sets, splits, built, above, values, work);
                thread::Builder::new().spawn_scoped(scope, solve)
            };
            let workers: Vec<_> = parts.map(start).collect();
            let count = workers.into_iter().map(|worker| match worker {
                Ok(worker) => worker.join().expect("no part panics"),
                Err(_) => Err(QuoridorSolveError::NoMemory(needed_mib)),
            });
            count.collect()
        });
        states += solved?.into_iter().sum::<usize>();
        if states > most_states {
            return Err(QuoridorSolveError::TooMany(most_states));
        }
    }
    // 3. Extract the values of the position itself and its moves.
    Ok(space.extract_solution(game, states, &here, &above))
}

/// Limits of the solver: positions, memory of tables and lists, and time.
struct SolverLimits<'a> {
    states: usize,
    memory_mib: usize,
    budget: SearchBudget<'a>,
}

impl<'a> SolverLimits<'a> {
    fn from_control(control: &SolveControl<'a>) -> Self {
        let states = control.limits.nodes.and_then(|nodes| usize::try_from(nodes).ok());
        SolverLimits {
            states: states.unwrap_or(usize::MAX),
            memory_mib: control.memory_mib.unwrap_or(DEFAULT_SOLVER_MEMORY_MIB),
            budget: SearchBudget::start::<Move>(&control.search_control()),
        }
    }

    /// Returns the largest table size, in bytes, that errors still state exactly: eight times the memory
    /// allowed.
    fn max_reported_table_bytes(&self) -> usize {
        self.memory_mib.saturating_mul(8 << 20)
    }

    /// Checks whether tables with one more wall, chosen from `walls` walls, could fit the limits, without
    /// listing them.
    fn check_one_wall_tables(&self, game: &Quoridor, walls: usize) -> Result<(), QuoridorSolveError> {
        let cells = game.width() * game.height();
        let places = 2 * cells * cells * (1 + walls);
        if places > self.states.saturating_mul(MAX_SLOTS_PER_POSITION) {
            return Err(QuoridorSolveError::TooMany(self.states));
        }
        let is_told = places * size_of::<SolverValue>() <= self.max_reported_table_bytes();
        if is_told { Ok(()) } else { Err(QuoridorSolveError::FarTooLarge(self.memory_mib)) }
    }
}

/// Progress of all solver threads.
struct SolverProgress<'a> {
    /// Total number of tables: one per wall set and per number of its walls that First has placed.
    all: usize,
    done: AtomicU64,
    bounds: &'a SolverLimits<'a>,
    report: &'a (dyn Fn(f64) + Sync),
}

impl SolverProgress<'_> {
    #[expect(clippy::cast_precision_loss, reason = "a part to be shown")]
    fn report_solved_tables(&self, tables: usize) {
        let done = self.done.fetch_add(tables as u64, Ordering::Relaxed) + tables as u64;
        (self.report)(done as f64 / self.all as f64);
    }
}

/// Number of wall placements on the largest board.
const MAX_POSSIBLE_WALLS: usize = 2 * (MAX_QUORIDOR_SIZE - 1) * (MAX_QUORIDOR_SIZE - 1);

/// Set of up to `64 * N` walls by number, ordered by the highest wall, then the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WallBits<const N: usize>([u64; N]);

impl<const N: usize> WallBits<N> {
    const EMPTY: Self = WallBits([0; N]);

    fn with_wall(mut self, wall: usize) -> Self {
        self.0[N - 1 - wall / 64] |= 1 << (wall % 64);
        self
    }

    fn contains(self, wall: usize) -> bool {
        self.0[N - 1 - wall / 64] >> (wall % 64) & 1 != 0
    }

    fn intersects(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(mine, others)| mine & others != 0)
    }
}

/// State space of the solver: the board, and the position to start from.
struct SolverStateSpace<const N: usize> {
    game: Quoridor,
    cells: Vec<Cell>,
    /// Walls that can still be placed.
    walls: Vec<Wall>,
    /// Walls that exclude each wall, including the wall itself.
    clashes: Vec<WallBits<N>>,
    hands: [u16; 2],
}

/// All solved positions with one number of walls.
#[derive(Default)]
struct SolvedLayer<const N: usize> {
    /// Numbers of walls that First can have placed, called splits. Each wall set has one table per split.
    splits: Vec<u16>,
    /// Sets of the walls placed since the start position, sorted.
    sets: Vec<WallBits<N>>,
    values: Vec<SolverValue>,
}

impl<const N: usize> SolvedLayer<N> {
    fn find_wall_set(&self, walls: WallBits<N>) -> Option<usize> {
        self.sets.binary_search(&walls).ok()
    }

    /// Allocates and initializes the tables, `size` values in all. Large tables take a while, so the clock is
    /// checked.
    fn allocate_values(&mut self, size: usize, bounds: &SolverLimits<'_>) -> Result<(), QuoridorSolveError> {
        while self.values.len() < size {
            if bounds.budget.is_time_up_or_stopped() {
                return Err(QuoridorSolveError::Stopped);
            }
            self.values.resize(size.min(self.values.len() + VALUES_PER_FILL_CHUNK), IMPOSSIBLE_POSITION);
        }
        Ok(())
    }

    /// Returns the table of a set in which First has placed `used` of the walls.
    fn value_table(&self, set: usize, used: u16, states: usize) -> &[SolverValue] {
        let split = self.splits.iter().position(|&split| split == used).expect("a split of this layer");
        let start = (set * self.splits.len() + split) * states;
        &self.values[start..start + states]
    }
}

/// Possible pawn cells, pawn moves and added walls of one wall set.
struct WallSet {
    /// Possible pairs of cells of First and Second.
    pairs: Vec<(usize, usize)>,
    /// Range in `targets` of the pawn moves, by pair of cells and side.
    steps: Vec<[(usize, usize); 2]>,
    /// Indices of the positions after pawn moves.
    targets: Vec<u32>,
    /// Indices of the wall sets with one more wall, in the next layer.
    more: Vec<usize>,
}

impl WallSet {
    fn build<const N: usize>(
        space: &SolverStateSpace<N>,
        walls: WallBits<N>,
        above: &SolvedLayer<N>,
    ) -> Self {
        let count = space.cells.len();
        let board = space.board_with_walls(walls);
        let passages = board.any_wall_graph();
        let [first, second] = Side::map_both(|side| {
            let distances = passages.compute_distances(board.goal_row(side), None);
            space.cells.iter().map(|&cell| distances.distance_from(cell).is_some()).collect::<Vec<bool>>()
        });
        let both_home = |a: usize, b: usize| {
            space.is_on_goal_row(Side::First, a) && space.is_on_goal_row(Side::Second, b)
        };
        let may_stand = |&(a, b): &(usize, usize)| a != b && first[a] && second[b] && !both_home(a, b);
        let pairs: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(may_stand).collect();
        let (mut steps, mut targets) = (Vec::with_capacity(pairs.len()), Vec::new());
        for &(a, b) in &pairs {
            steps.push(Side::map_both(|side| {
                let start = targets.len();
                let (own, other) = if side == Side::First { (a, b) } else { (b, a) };
                passages.visit_pawn_targets(space.cells[own], space.cells[other], |cell| {
                    let to = space.cell_index(cell);
                    let (a, b) = if side == Side::First { (to, b) } else { (a, to) };
                    targets.push(space.state_index(a, b, side.other()));
                });
                (start, targets.len())
            }));
        }
        let free = (0..space.walls.len()).filter(|&wall| !walls.intersects(space.clashes[wall]));
        let more = free.filter_map(|wall| above.find_wall_set(walls.with_wall(wall))).collect();
        WallSet { pairs, steps, targets, more }
    }
}

/// Summary of a position's wall moves. Plies are 0 if there is no such move.
#[derive(Clone, Copy, Default)]
struct WallMoveSummary {
    any: bool,
    draws: bool,
    soonest_win: SolverValue,
    latest_loss: SolverValue,
}

impl<const N: usize> SolverStateSpace<N> {
    fn new(game: &Quoridor) -> Self {
        let walls = list_buildable_walls(game);
        let clashes = walls.iter().map(|&a| {
            let clashing = walls.iter().enumerate().filter(|&(_, &b)| walls_clash(a, b));
            clashing.fold(WallBits::EMPTY, |all, (wall, _)| all.with_wall(wall))
        });
        SolverStateSpace {
            cells: list_cells(game.width(), game.height()),
            clashes: clashes.collect(),
            walls,
            hands: Side::map_both(|side| game.walls_left(side)),
            game: game.clone().with_ply_limit(None),
        }
    }

    /// Returns the board with these walls; its pawns and walls left have no meaning.
    fn board_with_walls(&self, walls: WallBits<N>) -> Quoridor {
        let mut board = self.game.clone();
        for (number, &wall) in self.walls.iter().enumerate() {
            if walls.contains(number) {
                board.place_wall_unchecked(wall);
            }
        }
        board
    }

    fn cell_index(&self, cell: Cell) -> usize {
        cell.row() * self.game.width() + cell.file()
    }

    fn is_on_goal_row(&self, side: Side, index: usize) -> bool {
        self.cells[index].row() == self.game.goal_row(side)
    }

    fn state_index(&self, first: usize, second: usize, to_move: Side) -> u32 {
        let state = (first * self.cells.len() + second) * 2 + to_move.index();
        u32::try_from(state).expect("two cells of a board and a side")
    }

    fn state_count(&self) -> usize {
        self.cells.len() * self.cells.len() * 2
    }

    /// Returns the possible numbers of walls that First has placed, out of `built` walls.
    fn wall_splits(&self, built: usize) -> Vec<u16> {
        let fits = |&used: &u16| {
            let others = built.checked_sub(usize::from(used));
            others.is_some_and(|others| others <= usize::from(self.hands[1]))
        };
        (0..=self.hands[0]).filter(fits).collect()
    }

    /// Returns the size in bytes of the tables of `sets` wall sets with `built` walls each.
    fn table_bytes(&self, built: usize, sets: usize) -> usize {
        let values = self.wall_splits(built).len().saturating_mul(self.state_count());
        sets.saturating_mul(values.saturating_mul(size_of::<SolverValue>()) + size_of::<WallBits<N>>())
    }

    /// Returns the MiB that the tables of two layers and their overhead need, if this fits the limits.
    fn check_memory(
        &self,
        levels: &[Vec<WallBits<N>>],
        bounds: &SolverLimits<'_>,
    ) -> Result<usize, QuoridorSolveError> {
        let layers: Vec<usize> =
            levels.iter().enumerate().map(|(built, sets)| self.table_bytes(built, sets.len())).collect();
        let both = |i: usize| layers[i].saturating_add(layers.get(i + 1).copied().unwrap_or_default());
        let lists = levels.iter().map(|sets| size_of_val(&**sets)).sum::<usize>();
        let needed = (0..layers.len())
            .map(both)
            .max()
            .unwrap_or_default()
            .saturating_add(lists + MAX_BYTES_PER_THREAD);
        let (needed_mib, allowed) = (needed.div_ceil(1 << 20), bounds.memory_mib);
        if needed_mib > allowed {
            return Err(QuoridorSolveError::NotAllowed { needed: needed_mib, allowed });
        }
        if can_allocate(needed) { Ok(needed_mib) } else { Err(QuoridorSolveError::NoMemory(needed_mib)) }
    }

    /// Lists the possible wall sets by the number of walls placed from here, each level sorted.
    fn list_wall_sets(&self, bounds: &SolverLimits<'_>) -> Result<Vec<Vec<WallBits<N>>>, QuoridorSolveError> {
        let SolverLimits { states: most_states, memory_mib, .. } = *bounds;
        // Apart from sets that shut a pawn in, a set has a dozen or more positions.
        let most = most_states;
        let mut levels = vec![vec![WallBits::EMPTY]];
        let mut count = 1;
        for built in 1..=usize::from(self.hands[0] + self.hands[1]) {
            let room = bounds.max_reported_table_bytes() / self.table_bytes(built, 1);
            let last = &levels[levels.len() - 1];
            let mut next: Vec<WallBits<N>> = Vec::new();
            // A set is made from the set without its highest new wall, so that each is made once and in
            // order.
            for (wall, &clashes) in self.clashes.iter().enumerate() {
                let below = last.partition_point(|&walls| walls < WallBits::EMPTY.with_wall(wall));
                for sets in last[..below].chunks(1 << 16) {
                    if bounds.budget.is_time_up_or_stopped() {
                        return Err(QuoridorSolveError::Stopped);
                    }
                    next.try_reserve(sets.len()).map_err(|_| QuoridorSolveError::FarTooLarge(memory_mib))?;
                    let free = sets.iter().filter(|walls| !walls.intersects(clashes));
                    next.extend(free.map(|walls| walls.with_wall(wall)));
                    if count + next.len() > most {
                        return Err(QuoridorSolveError::TooMany(most_states));
                    }
                    if next.len() > room {
                        return Err(QuoridorSolveError::FarTooLarge(memory_mib));
                    }
                }
            }
            count += next.len();
            if next.is_empty() {
                break;
            }
            levels.push(next);
        }
        Ok(levels)
    }

    /// Solves wall sets with one number of walls, for every split, and returns the number of positions.
    /// `values` holds their tables.
    fn solve_wall_sets(
        &self,
        sets: &[WallBits<N>],
        splits: &[u16],
        built: usize,
        above: &SolvedLayer<N>,
        values: &mut [SolverValue],
        work: &SolverProgress<'_>,
    ) -> Result<usize, QuoridorSolveError> {
        let mut states = 0;
        let mut tables = values.chunks_mut(self.state_count());
        for &walls in sets {
            let set = WallSet::build(self, walls, above);
            states += 2 * splits.len() * set.pairs.len();
            for (&used, table) in splits.iter().zip(&mut tables) {
                if work.bounds.budget.is_time_up_or_stopped() {
                    return Err(QuoridorSolveError::Stopped);
                }
                self.solve_wall_set(&set, used, built, above, table);
            }
            work.report_solved_tables(splits.len());
        }
        Ok(states)
    }

    /// Solves all positions of one wall set in which First has placed `used` of the `built` walls.
    fn solve_wall_set(
        &self,
        set: &WallSet,
        used: u16,
        built: usize,
        above: &SolvedLayer<N>,
        table: &mut [SolverValue],
    ) {
        let hand = |side: Side| {
            let spent = if side == Side::First { usize::from(used) } else { built - usize::from(used) };
            usize::from(self.hands[side.index()]) - spent
        };
        // 1. Set the values of finished games; for the others, summarize the wall moves.
        let mut open: Vec<(u32, usize, usize, WallMoveSummary)> = Vec::new();
        let mut last_by_walls = 0;
        for (pair, &(a, b)) in set.pairs.iter().enumerate() {
            let winner = Side::BOTH.into_iter().find(|&side| self.is_on_goal_row(side, [a, b][side.index()]));
            for side in Side::BOTH {
                let state = self.state_index(a, b, side);
                if let Some(winner) = winner {
                    table[state as usize] = if side == winner { 1 } else { -1 };
                    continue;
                }
                table[state as usize] = 0;
                let by_walls = if hand(side) > 0 {
                    self.summarize_wall_moves(set, (a, b), side, used, above)
                } else {
                    WallMoveSummary::default()
                };
                last_by_walls = last_by_walls.max(by_walls.soonest_win).max(by_walls.latest_loss);
                let (start, end) = set.steps[pair][side.index()];
                open.push((state, start, end, by_walls));
            }
        }
        // 2. Ply by ply, find the positions won or lost in exactly `plies`.
        let mut plies: SolverValue = 1;
        loop {
            let before = open.len();
            open.retain(|&(state, start, end, by_walls)| {
                let steps = set.targets[start..end].iter().map(|&to| table[to as usize]);
                let value = decide_in_plies(plies, steps, by_walls);
                table[state as usize] = value;
                value == 0
            });
            if open.len() == before && plies > last_by_walls {
                break;
            }
            plies += 1;
        }
    }

    fn summarize_wall_moves(
        &self,
        set: &WallSet,
        (a, b): (usize, usize),
        side: Side,
        used: u16,
        above: &SolvedLayer<N>,
    ) -> WallMoveSummary {
        let mut found = WallMoveSummary::default();
        let used = used + u16::from(side == Side::First);
        let state = self.state_index(a, b, side.other()) as usize;
        for &index in &set.more {
            let value = above.value_table(index, used, self.state_count())[state];
            if value == IMPOSSIBLE_POSITION {
                continue;
            }
            found.any = true;
            match value {
                0 => found.draws = true,
                value if value > 0 => found.latest_loss = found.latest_loss.max(value),
                value if found.soonest_win == 0 => found.soonest_win = -value,
                value => found.soonest_win = found.soonest_win.min(-value),
            }
        }
        found
    }

    fn extract_solution(
        &self,
        game: &Quoridor,
        states: usize,
        here: &SolvedLayer<N>,
        above: &SolvedLayer<N>,
    ) -> QuoridorSolution {
        let value_in = |layer: &SolvedLayer<N>, walls: WallBits<N>, used: u16, game: &Quoridor| {
            let set = layer.find_wall_set(walls).expect("every set that can arise");
            let [a, b] = Side::map_both(|side| self.cell_index(game.pawn(side)));
            layer.value_table(set, used, self.state_count())[self.state_index(a, b, game.to_move()) as usize]
        };
        let mut game = game.clone().with_ply_limit(None);
        let me = game.to_move();
        let value = value_in(here, WallBits::EMPTY, 0, &game);
        let value_after = |mv: Move, after: &Quoridor| match mv.kind() {
            MoveKind::Step(_) => value_in(here, WallBits::EMPTY, 0, after),
            MoveKind::Wall(wall) => {
                let number = self.walls.iter().position(|&other| other == wall).expect("it can be built");
                value_in(above, WallBits::EMPTY.with_wall(number), u16::from(me == Side::First), after)
            }
        };
        let outcome = |value: SolverValue| match value {
            0 => Outcome::Draw,
            1.. => Outcome::Win(me),
            _ => Outcome::Win(me.other()),
        };
        let moves: Vec<(Move, Outcome, Option<u32>)> = legal_moves(&game)
            .into_iter()
            .map(|mv| {
                // The value is the opponent's, so its sign is reversed. The move itself is one more ply.
                let value = with_move_made(&mut game, mv, |after| value_after(mv, after));
                (mv, outcome(-value), (value != 0).then(|| u32::from(value.unsigned_abs())))
            })
            .collect();
        let winning = moves.iter().filter(|row| row.1 == Outcome::Win(me)).map(|row| row.0).collect();
        let plies = (value != 0).then(|| u32::from(value.unsigned_abs()) - 1);
        QuoridorSolution { outcome: outcome(value), winning, moves, plies, states }
    }
}

/// Returns the value of an unfinished position if it is decided in exactly `plies`, else 0.
fn decide_in_plies(
    plies: SolverValue,
    steps: impl Iterator<Item = SolverValue> + Clone,
    by_walls: WallMoveSummary,
) -> SolverValue {
    // A child lost in d has the value -(d + 1), so this position is won in d + 1.
    let wins = |value: SolverValue| value < 0 && -value <= plies;
    if by_walls.soonest_win == plies || steps.clone().any(wins) {
        return plies + 1;
    }
    let mut any = by_walls.any;
    let mut all_lose = !by_walls.draws && by_walls.soonest_win == 0 && by_walls.latest_loss <= plies;
    for value in steps {
        any = true;
        all_lose &= value > 0 && value <= plies;
    }
    if any && all_lose { -(plies + 1) } else { 0 }
}

/// Reports whether two walls exclude each other; a wall excludes itself.
fn walls_clash(a: Wall, b: Wall) -> bool {
    let mut walls = Walls::default();
    walls.add_wall(a, Side::First);
    walls.find_overlapping_wall(b).or_else(|| walls.find_crossing_wall(b)).is_some()
}

/// Lists the cells of a board, or its wall slots, row by row.
fn list_cells(files: usize, rows: usize) -> Vec<Cell> {
    (0..rows).flat_map(|row| (0..files).filter_map(move |file| Cell::at(file, row))).collect()
}

/// Lists the walls that a side can place, including those that shut a pawn in.
fn list_buildable_walls(game: &Quoridor) -> Vec<Wall> {
    if Side::BOTH.iter().all(|&side| game.walls_left(side) == 0) {
        return Vec::new();
    }
    let posts = list_cells(game.width() - 1, game.height() - 1).into_iter();
    let all = posts.flat_map(|post| Orientation::BOTH.map(|orientation| Wall { post, orientation }));
    let stands: Vec<Wall> = game.walls().map(|(wall, _)| wall).collect();
    all.filter(|&wall| !stands.iter().any(|&other| walls_clash(wall, other))).collect()
}

/// Reports whether the system can allocate this number of bytes.
fn can_allocate(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}
