//! Counts of the walls that lengthen a side's shortest path, on boards up to 9x9. They are inputs of the
//! network.

#![allow(
    clippy::inline_always,
    reason = "a function that is not inlined is not compiled for the vectors of its caller"
)]

use super::board::SearchBoard;
use crate::ai::net::{Avx2Dispatcher, VectorizableLoops};
use crate::game::Side;
use crate::games::quoridor::{Bitboard, Cell, MAX_SMALL_GRAPH_SIZE, Orientation, Quoridor};

/// Number of files, and of rows, of the largest supported board.
const MAX_SIZE: usize = MAX_SMALL_GRAPH_SIZE;
/// Number of walls that are tried together.
const LANES: usize = 16;
/// Numbers of added steps for which the walls are counted.
const COUNTED_STEPS: [u16; 3] = [1, 2, 4];

/// Effect on the shortest path of a side of the walls that can be placed next, whoever places them.
///
/// Walls that leave the side no path do not count. Walls that leave the other side no path do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DetourCounts {
    /// Largest number of steps that one wall adds.
    pub longest: u8,
    /// Numbers of walls that add at least 1, 2 and 4 steps.
    pub walls: [u8; 3],
}

/// Cache of detour counts, which depend on the walls on the board and the pawn of a side only.
pub(super) struct DetourCache {
    entries: Vec<(u64, DetourCounts)>,
    vectors: Avx2Dispatcher,
}

impl DetourCache {
    /// Creates a cache with a number of entries, at least 1.
    pub(super) fn with_entries(entries: usize) -> Self {
        // A position has the key 0 of an empty entry only with probability 2^-64.
        DetourCache {
            entries: vec![(0, DetourCounts::default()); entries],
            vectors: Avx2Dispatcher::detect(),
        }
    }

    /// Returns the counts of the mover's path, and of the other side's path.
    pub(super) fn counts_for_mover<S: Bitboard>(&mut self, board: &SearchBoard<S>) -> [DetourCounts; 2] {
        [board.mover(), board.mover().other()].map(|side| self.counts(board, side))
    }

    /// Grows the cache to a number of entries, which clears it.
    pub(super) fn grow(&mut self, entries: usize) {
        if self.entries.len() < entries {
            self.entries = vec![(0, DetourCounts::default()); entries];
        }
    }

    /// Returns the counts of a side's path; all zero if the other side has no walls left.
    pub(super) fn counts<S: Bitboard>(&mut self, board: &SearchBoard<S>, side: Side) -> DetourCounts {
        if board.walls_left(side.other()) == 0 {
            return DetourCounts::default();
        }
        let key = board.path_key(side);
        let room = self.entries.len();
        #[expect(clippy::cast_possible_truncation, reason = "the low bits select the entry")]
        let entry = &mut self.entries[key as usize % room];
        if entry.0 != key {
            *entry = (key, count_detours(board, side, self.vectors));
        }
        entry.1
    }
}

/// Counts the walls that lengthen a side's shortest path. The board is at most 9x9.
fn count_detours<S: Bitboard>(board: &SearchBoard<S>, side: Side, vectors: Avx2Dispatcher) -> DetourCounts {
    debug_assert!(board.size().0.max(board.size().1) <= MAX_SIZE, "the floods have {MAX_SIZE} rows");
    let mut counts = DetourCounts::default();
    // A wall that does not cut the current shortest path does not lengthen it.
    let mut posts = board.free_walls_cutting_path(side);
    while posts.iter().any(|posts| !posts.is_empty()) {
        let (mut floods, mut used) = (LaneFloods::new(board, side), 0);
        for (orientation, posts) in Orientation::BOTH.into_iter().zip(&mut posts) {
            while let Some(post) = posts.lowest_index().filter(|_| used < LANES) {
                *posts = *posts & !S::from_index(post);
                floods.place_wall(used, orientation, S::cell_at_index(post));
                used += 1;
            }
        }
        for &added in &vectors.run_loops(&floods)[..used] {
            counts.longest = counts.longest.max(u8::try_from(added).unwrap_or(u8::MAX));
            for (count, least) in counts.walls.iter_mut().zip(COUNTED_STEPS) {
                *count += u8::from(added >= least);
            }
        }
    }
    counts
}

/// Bits of one row of cells on each of several boards.
type RowLanes = [u16; LANES];

/// Floods of several boards at once, each from a pawn to its goal row. The boards differ in one wall.
struct LaneFloods {
    /// Cells of each row from which a pawn can step to the row below; an extra row above the board is empty.
    open_south: [RowLanes; MAX_SIZE + 1],
    /// Cells of each row from which a pawn can step to the right.
    open_east: [RowLanes; MAX_SIZE],
    /// Cell of the pawn by rows, between two empty rows.
    pawn: [RowLanes; MAX_SIZE + 2],
    /// Goal row, counted with the empty row.
    goal: usize,
    /// Length of the shortest path without an additional wall.
    steps: i32,
}

impl LaneFloods {
    /// Creates the floods of a position without an additional wall.
    fn new<S: Bitboard>(board: &SearchBoard<S>, side: Side) -> Self {
        let (graph, pawns, goals) = board.race_inputs();
        let row_of = |set: S| set.lowest_index().map_or(0, |index| S::cell_at_index(index).row());
        let mut floods = LaneFloods {
            open_south: [[0; LANES]; MAX_SIZE + 1],
            open_east: [[0; LANES]; MAX_SIZE],
            pawn: [[0; LANES]; MAX_SIZE + 2],
            goal: 1 + row_of(goals[side.index()]),
            steps: board.steps_to_goal(side),
        };
        #[expect(clippy::cast_possible_truncation, reason = "a row has at most 9 cells")]
        let row_lanes = |set: S, row: usize| [set.row_bits(row) as u16; LANES];
        let ([north, east], pawn) = (graph.open, pawns[side.index()]);
        for row in 0..MAX_SIZE {
            floods.open_south[row + 1] = row_lanes(north, row);
            floods.open_east[row] = row_lanes(east, row);
        }
        floods.pawn[1 + row_of(pawn)] = row_lanes(pawn, row_of(pawn));
        floods
    }

    /// Places a wall on the board of one lane.
    fn place_wall(&mut self, lane: usize, orientation: Orientation, post: Cell) {
        let (file, row) = (post.file(), post.row());
        match orientation {
            Orientation::Horizontal => self.open_south[row + 1][lane] &= !(0b11 << file),
            Orientation::Vertical => {
                self.open_east[row][lane] &= !(1 << file);
                self.open_east[row + 1][lane] &= !(1 << file);
            }
        }
    }

    /// Adds the cells that are one step away from the reached ones, and returns the added bits of each lane.
    #[inline(always)]
    fn spread(&self, reached: &mut [RowLanes; MAX_SIZE + 2]) -> RowLanes {
        let (mut below, mut added) = ([0; LANES], [0; LANES]);
        for row in 0..MAX_SIZE {
            let here = reached[row + 1];
            for lane in 0..LANES {
                let (own, east) = (here[lane], self.open_east[row][lane]);
                let wider = own
                    | (own & east) << 1
                    | own >> 1 & east
                    | below[lane] & self.open_south[row][lane]
                    | reached[row + 2][lane] & self.open_south[row + 1][lane];
                added[lane] |= wider ^ own;
                reached[row + 1][lane] = wider;
            }
            below = here;
        }
        added
    }
}

impl VectorizableLoops for &LaneFloods {
    /// Steps that the wall adds to the path, per board; 0 if there is no path.
    type Output = RowLanes;

    #[inline(always)]
    fn run_inlined(self) -> RowLanes {
        let mut reached = self.pawn;
        // No added wall shortens the path.
        for _ in 0..self.steps {
            self.spread(&mut reached);
        }
        let mut steps = [0; LANES];
        loop {
            let before = reached[self.goal];
            let added = self.spread(&mut reached);
            let mut open = 0;
            for lane in 0..LANES {
                steps[lane] += u16::from(before[lane] == 0);
                open |= if reached[self.goal][lane] == 0 { added[lane] } else { 0 };
            }
            if open == 0 {
                // A lane that has not reached the goal row has no path to it.
                for lane in 0..LANES {
                    steps[lane] *= u16::from(reached[self.goal][lane] != 0);
                }
                return steps;
            }
        }
    }
}

/// Returns the detour counts of a side in a running game, on boards up to 9x9. Tests use it.
///
/// ```
/// use crosspath::ai::quoridor::detours::count_detours_of_game;
/// use crosspath::game::Side;
/// use crosspath::games::quoridor::Quoridor;
/// // Each wall in front of the pawn adds a step: two per row.
/// let counts = count_detours_of_game(&Quoridor::new(9)?, Side::First).expect("a small board");
/// assert_eq!((counts.longest, counts.walls), (1, [16, 0, 0]));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn count_detours_of_game(game: &Quoridor, side: Side) -> Option<DetourCounts> {
    let is_small = game.width().max(game.height()) <= MAX_SMALL_GRAPH_SIZE;
    is_small.then(|| count_detours(&SearchBoard::<u128>::from(game), side, Avx2Dispatcher::detect()))
}
