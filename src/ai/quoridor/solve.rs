//! Small boards solved exactly: every wall set, every hand, every pair of cells. Knows the rules; a game that never
//! ends is a draw, no cap on the plies.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::ai::{SearchBudget, SolveControl, after_move, legal_moves};
use crate::game::{Game, Outcome, Side};
use crate::games::quoridor::{Cell, MAX_SIZE, Move, MoveKind, Orientation, Quoridor, Wall, Walls};

/// Result of best play.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::ai::quoridor::solve::solve;
/// use crosspath::game::Outcome;
/// use crosspath::games::quoridor::Quoridor;
/// let stop = AtomicBool::new(false);
/// let game = Quoridor::with_walls(3, 3, 0)?;
/// let solution = solve(&game, &SolveControl::quiet(Limits::default(), &stop))?;
/// assert_eq!(solution.moves.len(), 3);
/// assert_eq!(solution.plies.is_none(), solution.outcome == Outcome::Draw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoridorSolution {
    /// Outcome of the game.
    pub outcome: Outcome,
    /// The moves that win for the side to move, in the order of the move list.
    pub winning: Vec<Move>,
    /// Every legal move with how the game ends after it, and after how many plies, this one included.
    pub moves: Vec<(Move, Outcome, Option<u32>)>,
    /// Plies to the end, the winner hurrying and the loser delaying; `None` in a draw.
    pub plies: Option<u32>,
    /// Positions enumerated: wall sets that can arise, hands, pawns that both have a path, sides to move.
    pub states: usize,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// There are more positions than allowed.
    #[error("there are more than {0} positions")]
    TooMany(usize),
    /// The system has no room for the tables, which need this number of MiB.
    #[error("there is not enough memory for the tables, which need {0} MiB")]
    NoMemory(usize),
    /// The tables need more memory than is allowed, in MiB.
    #[error("the tables need {needed} MiB, but only {allowed} MiB are allowed")]
    NotAllowed {
        /// Memory that they need.
        needed: usize,
        /// Memory that is allowed.
        allowed: usize,
    },
    /// Already the wall sets are too many for any table in the memory allowed, in MiB.
    #[error("the tables need far more than the {0} MiB allowed")]
    FarTooLarge(usize),
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

/// The memory that may be taken where nothing else is said, in MiB.
const MEMORY_MIB: usize = 256;

/// Places of a table for each position, at most; a wall set stands for at least one position in this number of places.
const PLACES: usize = 16;

/// A thread with its lists of one set, or the answer, takes no more bytes.
const MAX_THREAD_BYTES: usize = 8 << 20;

/// A value for the side to move: 0 draw or not yet known, `d + 1` won in `d` plies, `-(d + 1)` lost in `d` plies.
type RaceValue = i16;

/// Values that are filled in between two looks at the clock.
const FILLED_AT_ONCE: usize = 1 << 18;

/// No position: a pawn has no path to its goal from there, or both pawns are on one cell or both at home.
const NO_POSITION: RaceValue = RaceValue::MIN;

/// Solves the position from the last wall to the first: the tables of two numbers of walls are in memory at a time. The
/// answer is the same on any number of threads.
///
/// ```
/// use crosspath::ai::quoridor::solve::solve;
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::game::{Outcome, Side};
/// use crosspath::games::quoridor::Quoridor;
/// let start = Quoridor::with_walls(3, 3, 1)?;
/// let stop = false.into();
/// let solution = solve(&start, &SolveControl::quiet(Limits::default(), &stop)).expect("small enough");
/// assert_eq!(solution.outcome, Outcome::Win(Side::Second));
/// assert_eq!(solution.states, 4_150);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
///
/// # Errors
/// `TooMany` beyond the number of positions allowed, `NotAllowed` or `FarTooLarge` beyond the memory allowed,
/// `NoMemory` beyond that of the system, `Stopped` when it was told to.
pub fn solve(game: &Quoridor, control: &SolveControl<'_>) -> Result<QuoridorSolution, Unsolved> {
    let walls = buildable(game).len();
    Bounds::of(control).check_first_wall(game, walls)?;
    match walls {
        0..=64 => solve_on::<1>(game, control),
        65..=128 => solve_on::<2>(game, control),
        129..=512 => solve_on::<8>(game, control),
        _ => solve_on::<{ MAX_WALLS.div_ceil(64) }>(game, control),
    }
}

/// Solves a board on which at most `64 * N` walls can be built.
fn solve_on<const N: usize>(
    game: &Quoridor,
    control: &SolveControl<'_>,
) -> Result<QuoridorSolution, Unsolved> {
    let bounds = Bounds::of(control);
    let most_states = bounds.states;
    let space = Space::<N>::of(game);
    // 1. Every wall set that can stand, by the number of walls built from here.
    let mut levels = space.wall_sets(&bounds)?;
    let needed_mib = space.check_memory(&levels, &bounds)?;
    let tables = |(built, sets): (usize, &Vec<WallBits<N>>)| sets.len() * space.splits(built).len();
    let work = Work {
        all: levels.iter().enumerate().map(tables).sum(),
        done: AtomicU64::new(0),
        bounds: &bounds,
        report: control.report,
    };
    // 2. From the fullest boards to the present one: each set rests on those with one wall more.
    let mut states = 0;
    let mut above = Layer::default();
    let mut here = Layer::default();
    while let Some(sets) = levels.pop() {
        let built = levels.len();
        above = here;
        here = Layer { splits: space.splits(built), sets, values: Vec::new() };
        let table = here.splits.len() * space.states();
        let size = here.sets.len().saturating_mul(table);
        if size > most_states.saturating_mul(PLACES) {
            return Err(Unsolved::TooMany(most_states));
        }
        // At its full size at once: to move a large table takes long. Threads find room beside it, and some is spare:
        // where memory is short, the allocator gives a page of its own to each small list.
        let beside = (2 + control.threads) * MAX_THREAD_BYTES;
        if !has_room(size * size_of::<RaceValue>() + beside) || here.values.try_reserve_exact(size).is_err() {
            return Err(Unsolved::NoMemory(needed_mib));
        }
        here.fill(size, &bounds)?;
        let share = here.sets.len().div_ceil(control.threads.max(1));
        let parts = here.sets.chunks(share).zip(here.values.chunks_mut((share * table).max(1)));
        let solved: Result<Vec<usize>, Unsolved> = thread::scope(|scope| {
            let (space, splits, above, work) = (&space, &here.splits, &above, &work);
            let start = |(sets, values)| {
                let solve = move || space.solve_sets(sets, splits, built, above, values, work);
                thread::Builder::new().spawn_scoped(scope, solve)
            };
            let workers: Vec<_> = parts.map(start).collect();
            let count = workers.into_iter().map(|worker| match worker {
                Ok(worker) => worker.join().expect("no part panics"),
                Err(_) => Err(Unsolved::NoMemory(needed_mib)),
            });
            count.collect()
        });
        states += solved?.into_iter().sum::<usize>();
        if states > most_states {
            return Err(Unsolved::TooMany(most_states));
        }
    }
    // 3. The position itself and its moves.
    Ok(space.answer(game, states, &here, &above))
}

/// Limits of a solution: positions, memory of tables and lists, time.
struct Bounds<'a> {
    states: usize,
    memory_mib: usize,
    budget: SearchBudget<'a>,
}

impl<'a> Bounds<'a> {
    fn of(control: &SolveControl<'a>) -> Self {
        let states = control.limits.nodes.and_then(|nodes| usize::try_from(nodes).ok());
        Bounds {
            states: states.unwrap_or(usize::MAX),
            memory_mib: control.memory_mib.unwrap_or(MEMORY_MIB),
            budget: SearchBudget::start::<Move>(&control.search()),
        }
    }

    /// Returns the largest size of tables, in bytes, that is still told exactly: eight times the memory allowed.
    fn progress_interval(&self) -> usize {
        self.memory_mib.saturating_mul(8 << 20)
    }

    /// Checks that the tables with one more wall, of `walls` walls, could be allowed: nothing is listed for this.
    fn check_first_wall(&self, game: &Quoridor, walls: usize) -> Result<(), Unsolved> {
        let cells = game.width() * game.height();
        let places = 2 * cells * cells * (1 + walls);
        if places > self.states.saturating_mul(PLACES) {
            return Err(Unsolved::TooMany(self.states));
        }
        let is_told = places * size_of::<RaceValue>() <= self.progress_interval();
        if is_told { Ok(()) } else { Err(Unsolved::FarTooLarge(self.memory_mib)) }
    }
}

/// Progress of the threads.
struct Work<'a> {
    /// Tables, one a wall set and split of it.
    all: usize,
    done: AtomicU64,
    bounds: &'a Bounds<'a>,
    report: &'a (dyn Fn(f64) + Sync),
}

impl Work<'_> {
    #[expect(clippy::cast_precision_loss, reason = "a part to be shown")]
    fn add(&self, tables: usize) {
        let done = self.done.fetch_add(tables as u64, Ordering::Relaxed) + tables as u64;
        (self.report)(done as f64 / self.all as f64);
    }
}

/// Walls that can be built on the largest board.
const MAX_WALLS: usize = 2 * (MAX_SIZE - 1) * (MAX_SIZE - 1);

/// Walls by their numbers, `64 * N` of them; in the order of the highest walls, then of the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WallBits<const N: usize>([u64; N]);

impl<const N: usize> WallBits<N> {
    const NONE: Self = WallBits([0; N]);

    fn with(mut self, wall: usize) -> Self {
        self.0[N - 1 - wall / 64] |= 1 << (wall % 64);
        self
    }

    fn has(self, wall: usize) -> bool {
        self.0[N - 1 - wall / 64] >> (wall % 64) & 1 != 0
    }

    fn meets(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(mine, others)| mine & others != 0)
    }
}

/// The board and the position to start from.
struct Space<const N: usize> {
    game: Quoridor,
    cells: Vec<Cell>,
    /// The walls that can still be built.
    walls: Vec<Wall>,
    /// For each wall the walls it excludes, itself among them.
    clashes: Vec<WallBits<N>>,
    hands: [u16; 2],
}

/// All solved positions with one number of walls.
#[derive(Default)]
struct Layer<const N: usize> {
    /// Numbers of the walls that First can have built; one table a set and split.
    splits: Vec<u16>,
    /// Walls built from the start on, in order.
    sets: Vec<WallBits<N>>,
    values: Vec<RaceValue>,
}

impl<const N: usize> Layer<N> {
    fn find(&self, walls: WallBits<N>) -> Option<usize> {
        self.sets.binary_search(&walls).ok()
    }

    /// Makes its tables of `size` values in all. Even that takes a while where they are large.
    fn fill(&mut self, size: usize, bounds: &Bounds<'_>) -> Result<(), Unsolved> {
        while self.values.len() < size {
            if bounds.budget.is_due() {
                return Err(Unsolved::Stopped);
            }
            self.values.resize(size.min(self.values.len() + FILLED_AT_ONCE), NO_POSITION);
        }
        Ok(())
    }

    /// The table of a set when First has built `used` of its walls.
    fn table(&self, set: usize, used: u16, states: usize) -> &[RaceValue] {
        let split = self.splits.iter().position(|&split| split == used).expect("a split of this layer");
        let start = (set * self.splits.len() + split) * states;
        &self.values[start..start + states]
    }
}

/// One wall set: where pawns can stand and go, and the sets with one wall more.
struct WallSet {
    /// Cells of First and Second that are both possible.
    pairs: Vec<(usize, usize)>,
    /// For each pair and side the positions its pawn moves lead to, as slices of `targets`.
    steps: Vec<[(usize, usize); 2]>,
    targets: Vec<u32>,
    more: Vec<usize>,
}

impl WallSet {
    fn of<const N: usize>(space: &Space<N>, walls: WallBits<N>, above: &Layer<N>) -> Self {
        let count = space.cells.len();
        let board = space.board(walls);
        let passages = board.passages();
        let [first, second] = Side::each(|side| {
            let distances = passages.distances(board.goal_row(side), None);
            space.cells.iter().map(|&cell| distances.of(cell).is_some()).collect::<Vec<bool>>()
        });
        let both_home = |a: usize, b: usize| space.is_home(Side::First, a) && space.is_home(Side::Second, b);
        let may_stand = |&(a, b): &(usize, usize)| a != b && first[a] && second[b] && !both_home(a, b);
        let pairs: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(may_stand).collect();
        let (mut steps, mut targets) = (Vec::with_capacity(pairs.len()), Vec::new());
        for &(a, b) in &pairs {
            steps.push(Side::each(|side| {
                let start = targets.len();
                let (own, other) = if side == Side::First { (a, b) } else { (b, a) };
                passages.targets(space.cells[own], space.cells[other], |cell| {
                    let to = space.index(cell);
                    let (a, b) = if side == Side::First { (to, b) } else { (a, to) };
                    targets.push(space.state(a, b, side.other()));
                });
                (start, targets.len())
            }));
        }
        let free = (0..space.walls.len()).filter(|&wall| !walls.meets(space.clashes[wall]));
        let more = free.filter_map(|wall| above.find(walls.with(wall))).collect();
        WallSet { pairs, steps, targets, more }
    }
}

/// Summary of the wall moves of a position: plies, 0 where there is none of the kind.
#[derive(Clone, Copy, Default)]
struct WallMoveSummary {
    any: bool,
    draws: bool,
    soonest_win: RaceValue,
    latest_loss: RaceValue,
}

impl<const N: usize> Space<N> {
    fn of(game: &Quoridor) -> Self {
        let walls = buildable(game);
        let clashes = walls.iter().map(|&a| {
            let clashing = walls.iter().enumerate().filter(|&(_, &b)| clash(a, b));
            clashing.fold(WallBits::NONE, |all, (wall, _)| all.with(wall))
        });
        Space {
            cells: cells(game.width(), game.height()),
            clashes: clashes.collect(),
            walls,
            hands: Side::each(|side| game.walls_left(side)),
            game: game.clone().with_cap(None),
        }
    }

    /// The board with these walls; pawns and hands mean nothing.
    fn board(&self, walls: WallBits<N>) -> Quoridor {
        let mut board = self.game.clone();
        for (number, &wall) in self.walls.iter().enumerate() {
            if walls.has(number) {
                board.place_wall_unchecked(wall);
            }
        }
        board
    }

    fn index(&self, cell: Cell) -> usize {
        cell.row() * self.game.width() + cell.file()
    }

    fn is_home(&self, side: Side, index: usize) -> bool {
        self.cells[index].row() == self.game.goal_row(side)
    }

    fn state(&self, first: usize, second: usize, to_move: Side) -> u32 {
        let state = (first * self.cells.len() + second) * 2 + to_move.index();
        u32::try_from(state).expect("two cells of a board and a side")
    }

    fn states(&self) -> usize {
        self.cells.len() * self.cells.len() * 2
    }

    /// Returns the numbers of walls that First can have built from here, of `built` walls.
    fn splits(&self, built: usize) -> Vec<u16> {
        let fits = |&used: &u16| {
            let others = built.checked_sub(usize::from(used));
            others.is_some_and(|others| others <= usize::from(self.hands[1]))
        };
        (0..=self.hands[0]).filter(fits).collect()
    }

    /// Returns the bytes of the tables of `sets` wall sets, each of `built` walls built from here.
    fn bytes(&self, built: usize, sets: usize) -> usize {
        let values = self.splits(built).len().saturating_mul(self.states());
        sets.saturating_mul(values.saturating_mul(size_of::<RaceValue>()) + size_of::<WallBits<N>>())
    }

    /// The MiB that the tables of two layers take with what is needed beside them, if there is room for them.
    fn check_memory(&self, levels: &[Vec<WallBits<N>>], bounds: &Bounds<'_>) -> Result<usize, Unsolved> {
        let layers: Vec<usize> =
            levels.iter().enumerate().map(|(built, sets)| self.bytes(built, sets.len())).collect();
        let both = |i: usize| layers[i].saturating_add(layers.get(i + 1).copied().unwrap_or_default());
        let lists = levels.iter().map(|sets| size_of_val(&**sets)).sum::<usize>();
        let needed =
            (0..layers.len()).map(both).max().unwrap_or_default().saturating_add(lists + MAX_THREAD_BYTES);
        let (needed_mib, allowed) = (needed.div_ceil(1 << 20), bounds.memory_mib);
        if needed_mib > allowed {
            return Err(Unsolved::NotAllowed { needed: needed_mib, allowed });
        }
        if has_room(needed) { Ok(needed_mib) } else { Err(Unsolved::NoMemory(needed_mib)) }
    }

    /// The wall sets that can arise, by the number of walls built from here, each level in order.
    fn wall_sets(&self, bounds: &Bounds<'_>) -> Result<Vec<Vec<WallBits<N>>>, Unsolved> {
        let Bounds { states: most_states, memory_mib, .. } = *bounds;
        // A set stands for a dozen positions or more, but for those that shut a pawn in.
        let most = most_states;
        let mut levels = vec![vec![WallBits::NONE]];
        let mut count = 1;
        for built in 1..=usize::from(self.hands[0] + self.hands[1]) {
            let room = bounds.progress_interval() / self.bytes(built, 1);
            let last = &levels[levels.len() - 1];
            let mut next: Vec<WallBits<N>> = Vec::new();
            // A set comes from the one without its highest new wall: so each comes once, and the lowest come first.
            for (wall, &clashes) in self.clashes.iter().enumerate() {
                let below = last.partition_point(|&walls| walls < WallBits::NONE.with(wall));
                for sets in last[..below].chunks(1 << 16) {
                    if bounds.budget.is_due() {
                        return Err(Unsolved::Stopped);
                    }
                    next.try_reserve(sets.len()).map_err(|_| Unsolved::FarTooLarge(memory_mib))?;
                    let free = sets.iter().filter(|walls| !walls.meets(clashes));
                    next.extend(free.map(|walls| walls.with(wall)));
                    if count + next.len() > most {
                        return Err(Unsolved::TooMany(most_states));
                    }
                    if next.len() > room {
                        return Err(Unsolved::FarTooLarge(memory_mib));
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

    /// Solves some sets of one number of walls, for every split of them; gives how many positions there are. `values` has
    /// room for their tables.
    fn solve_sets(
        &self,
        sets: &[WallBits<N>],
        splits: &[u16],
        built: usize,
        above: &Layer<N>,
        values: &mut [RaceValue],
        work: &Work<'_>,
    ) -> Result<usize, Unsolved> {
        let mut states = 0;
        let mut tables = values.chunks_mut(self.states());
        for &walls in sets {
            let set = WallSet::of(self, walls, above);
            states += 2 * splits.len() * set.pairs.len();
            for (&used, table) in splits.iter().zip(&mut tables) {
                if work.bounds.budget.is_due() {
                    return Err(Unsolved::Stopped);
                }
                self.solve_set(&set, used, built, above, table);
            }
            work.add(splits.len());
        }
        Ok(states)
    }

    /// Solves all positions of one wall set in which First has built `used` of the `built` walls.
    fn solve_set(&self, set: &WallSet, used: u16, built: usize, above: &Layer<N>, table: &mut [RaceValue]) {
        let hand = |side: Side| {
            let spent = if side == Side::First { usize::from(used) } else { built - usize::from(used) };
            usize::from(self.hands[side.index()]) - spent
        };
        // 1. Finished games; of the others what walls do.
        let mut open: Vec<(u32, usize, usize, WallMoveSummary)> = Vec::new();
        let mut last_by_walls = 0;
        for (pair, &(a, b)) in set.pairs.iter().enumerate() {
            let winner = Side::BOTH.into_iter().find(|&side| self.is_home(side, [a, b][side.index()]));
            for side in Side::BOTH {
                let state = self.state(a, b, side);
                if let Some(winner) = winner {
                    table[state as usize] = if side == winner { 1 } else { -1 };
                    continue;
                }
                table[state as usize] = 0;
                let by_walls = if hand(side) > 0 {
                    self.by_walls(set, (a, b), side, used, above)
                } else {
                    WallMoveSummary::default()
                };
                last_by_walls = last_by_walls.max(by_walls.soonest_win).max(by_walls.latest_loss);
                let (start, end) = set.steps[pair][side.index()];
                open.push((state, start, end, by_walls));
            }
        }
        // 2. Ply by ply: what is won or lost in exactly `plies`.
        let mut plies: RaceValue = 1;
        loop {
            let before = open.len();
            open.retain(|&(state, start, end, by_walls)| {
                let steps = set.targets[start..end].iter().map(|&to| table[to as usize]);
                let value = judge(plies, steps, by_walls);
                table[state as usize] = value;
                value == 0
            });
            if open.len() == before && plies > last_by_walls {
                break;
            }
            plies += 1;
        }
    }

    fn by_walls(
        &self,
        set: &WallSet,
        (a, b): (usize, usize),
        side: Side,
        used: u16,
        above: &Layer<N>,
    ) -> WallMoveSummary {
        let mut found = WallMoveSummary::default();
        let used = used + u16::from(side == Side::First);
        let state = self.state(a, b, side.other()) as usize;
        for &index in &set.more {
            let value = above.table(index, used, self.states())[state];
            if value == NO_POSITION {
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

    fn answer(&self, game: &Quoridor, states: usize, here: &Layer<N>, above: &Layer<N>) -> QuoridorSolution {
        let value_in = |layer: &Layer<N>, walls: WallBits<N>, used: u16, game: &Quoridor| {
            let set = layer.find(walls).expect("every set that can arise");
            let [a, b] = Side::each(|side| self.index(game.pawn(side)));
            layer.table(set, used, self.states())[self.state(a, b, game.to_move()) as usize]
        };
        let mut game = game.clone().with_cap(None);
        let me = game.to_move();
        let value = value_in(here, WallBits::NONE, 0, &game);
        let value_after = |mv: Move, after: &Quoridor| match mv.act() {
            MoveKind::Go(_) => value_in(here, WallBits::NONE, 0, after),
            MoveKind::Build(wall) => {
                let number = self.walls.iter().position(|&other| other == wall).expect("it can be built");
                value_in(above, WallBits::NONE.with(number), u16::from(me == Side::First), after)
            }
        };
        let outcome = |value: RaceValue| match value {
            0 => Outcome::Draw,
            1.. => Outcome::Win(me),
            _ => Outcome::Win(me.other()),
        };
        let moves: Vec<(Move, Outcome, Option<u32>)> = legal_moves(&game)
            .into_iter()
            .map(|mv| {
                // A value of the opponent's, so with the other sign; the move itself is one ply more.
                let value = after_move(&mut game, mv, |after| value_after(mv, after));
                (mv, outcome(-value), (value != 0).then(|| u32::from(value.unsigned_abs())))
            })
            .collect();
        let winning = moves.iter().filter(|row| row.1 == Outcome::Win(me)).map(|row| row.0).collect();
        let plies = (value != 0).then(|| u32::from(value.unsigned_abs()) - 1);
        QuoridorSolution { outcome: outcome(value), winning, moves, plies, states }
    }
}

/// The value of an unfinished position if it is decided in exactly `plies`; else 0.
fn judge(
    plies: RaceValue,
    steps: impl Iterator<Item = RaceValue> + Clone,
    by_walls: WallMoveSummary,
) -> RaceValue {
    // A child lost in d has the value -(d + 1), so this position is won in d + 1.
    let wins = |value: RaceValue| value < 0 && -value <= plies;
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

/// Reports whether two walls cannot stand together; a wall cannot stand with itself.
fn clash(a: Wall, b: Wall) -> bool {
    let mut walls = Walls::default();
    walls.build(a, Side::First);
    walls.overlapped_by(b).or_else(|| walls.crossed_by(b)).is_some()
}

/// The cells of a board, or its posts, row by row.
fn cells(files: usize, rows: usize) -> Vec<Cell> {
    (0..rows).flat_map(|row| (0..files).filter_map(move |file| Cell::at(file, row))).collect()
}

/// The walls that somebody has in hand and a place for, whether they shut a pawn in or not.
fn buildable(game: &Quoridor) -> Vec<Wall> {
    if Side::BOTH.iter().all(|&side| game.walls_left(side) == 0) {
        return Vec::new();
    }
    let posts = cells(game.width() - 1, game.height() - 1).into_iter();
    let all = posts.flat_map(|post| Orientation::BOTH.map(|orientation| Wall { post, orientation }));
    let stands: Vec<Wall> = game.walls().map(|(wall, _)| wall).collect();
    all.filter(|&wall| !stands.iter().any(|&other| clash(wall, other))).collect()
}

/// Reports whether the system would give this number of bytes.
fn has_room(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}
