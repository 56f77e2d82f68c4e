//! Wall graphs for boards of any size, and distances in them. This module does not depend on turns or the
//! numbers of walls left.

use super::lattice::{Bitboard, Bitboard15, Bitboard25, WallGraph};
use super::moves::{Cell, MAX_QUORIDOR_SIZE, Wall};
use super::walls::{PostRows, Walls};

/// Direction of a pawn's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepDirection {
    Up,
    Left,
    Right,
    Down,
}

impl StepDirection {
    pub(crate) const ALL: [StepDirection; 4] =
        [StepDirection::Up, StepDirection::Left, StepDirection::Right, StepDirection::Down];

    /// Returns the two perpendicular directions.
    pub(crate) fn perpendiculars(self) -> [StepDirection; 2] {
        match self {
            StepDirection::Up | StepDirection::Down => [StepDirection::Left, StepDirection::Right],
            StepDirection::Left | StepDirection::Right => [StepDirection::Up, StepDirection::Down],
        }
    }
}

/// Distance of a cell without a path to the goal.
const UNREACHABLE_STEPS: u16 = u16::MAX;

/// Number of steps from each cell to a goal row, considering walls but not pawns. If they were computed for
/// one cell, only its distance and those of cells nearer to the goal are correct.
pub(crate) struct GoalDistances([[u16; MAX_QUORIDOR_SIZE]; MAX_QUORIDOR_SIZE]);

impl GoalDistances {
    /// Returns the number of steps from a cell, or `None` if there is no path.
    pub(crate) fn distance_from(&self, cell: Cell) -> Option<u16> {
        Some(self.0[cell.row()][cell.file()]).filter(|&steps| steps != UNREACHABLE_STEPS)
    }
}

/// A wall graph on the smallest bitboard that fits the board.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is copied for each wall that is tried, and a box would cost more"
)]
pub(crate) enum AnyWallGraph {
    /// Graph of a board of up to 9 files and ranks.
    Small(WallGraph<u128>),
    /// Graph of a board of up to 15 files and ranks.
    Middle(WallGraph<Bitboard15>),
    /// Graph of a board of up to 25 files and ranks.
    Large(WallGraph<Bitboard25>),
}

/// Evaluates an expression with the [`WallGraph`] inside an [`AnyWallGraph`].
macro_rules! with_sized_graph {
    ($passages:expr, $lattice:ident => $value:expr) => {
        match $passages {
            AnyWallGraph::Small($lattice) => $value,
            AnyWallGraph::Middle($lattice) => $value,
            AnyWallGraph::Large($lattice) => $value,
        }
    };
}

/// Maximum number of files and ranks of a small wall graph.
pub(crate) const MAX_SMALL_GRAPH_SIZE: usize = 9;
pub(crate) const MAX_MIDDLE_GRAPH_SIZE: usize = 15;

impl AnyWallGraph {
    pub(crate) fn from_walls(walls: &Walls, width: usize, height: usize) -> Self {
        match width.max(height) {
            size if size <= MAX_SMALL_GRAPH_SIZE => {
                AnyWallGraph::Small(WallGraph::from_walls(walls, width, height))
            }
            size if size <= MAX_MIDDLE_GRAPH_SIZE => {
                AnyWallGraph::Middle(WallGraph::from_walls(walls, width, height))
            }
            _ => AnyWallGraph::Large(WallGraph::from_walls(walls, width, height)),
        }
    }

    /// Returns the graph with one more wall.
    pub(crate) fn with_wall(&self, Wall { post, orientation }: Wall) -> Self {
        match self {
            AnyWallGraph::Small(lattice) => {
                AnyWallGraph::Small(lattice.with_wall(orientation, Bitboard::from_cell(post)))
            }
            AnyWallGraph::Middle(lattice) => {
                AnyWallGraph::Middle(lattice.with_wall(orientation, Bitboard::from_cell(post)))
            }
            AnyWallGraph::Large(lattice) => {
                AnyWallGraph::Large(lattice.with_wall(orientation, Bitboard::from_cell(post)))
            }
        }
    }

    /// Returns the neighbour in a direction, if it is on the board and no wall lies between.
    pub(crate) fn neighbour_in_direction(&self, from: Cell, direction: StepDirection) -> Option<Cell> {
        with_sized_graph!(self, lattice => lattice.neighbour_in_direction(from, direction))
    }

    /// Calls `found` with every cell to which a pawn on `from` may move while the other pawn is on `other`:
    /// steps, straight jumps, and diagonal jumps if the straight one is blocked.
    pub(crate) fn visit_pawn_targets(&self, from: Cell, other: Cell, found: impl FnMut(Cell)) {
        with_sized_graph!(self, lattice => lattice.visit_pawn_targets(from, other, found));
    }

    /// Returns the number of steps from a cell to the goal row, with pawns ignored; `None` if there is no
    /// path.
    pub(crate) fn distance_to_row(&self, from: Cell, goal_row: usize) -> Option<u32> {
        with_sized_graph!(self, lattice => lattice.count_steps(Bitboard::from_cell(from), lattice.goal_row_cells(goal_row)))
    }

    /// Reports whether a new wall may enclose an area.
    pub(crate) fn may_enclose(&self, wall: Wall) -> bool {
        with_sized_graph!(self, lattice => lattice.may_enclose(wall))
    }

    /// Returns the posts of the legal walls, by orientation. Legal walls leave each pawn a path. `pawns`
    /// gives each pawn with its goal row.
    pub(crate) fn legal_walls(&self, pawns: [(Cell, usize); 2]) -> [PostRows; 2] {
        with_sized_graph!(self, lattice => {
            let legal = lattice.legal_walls(pawns.map(|(cell, goal_row)| (Bitboard::from_cell(cell), lattice.goal_row_cells(goal_row))));
            legal.map(|posts| std::array::from_fn(|row| if row < lattice.board_size().1 { posts.row_bits(row) } else { 0 }))
        })
    }

    /// Returns the distances to the goal row of `cell` and of all cells nearer to it, or of every cell if
    /// `cell` is `None`.
    pub(crate) fn compute_distances(&self, goal_row: usize, cell: Option<Cell>) -> GoalDistances {
        with_sized_graph!(self, lattice => lattice.compute_distances(goal_row, cell))
    }

    /// Returns a shortest path from a cell to the goal row, without the cell itself. Among equally short
    /// steps it prefers forward, then left, then right. The path is empty if the cell is on the row or has no
    /// path.
    pub(crate) fn shortest_path(&self, from: Cell, goal_row: usize) -> impl Iterator<Item = Cell> {
        let distances = self.compute_distances(goal_row, Some(from));
        let forward = if goal_row >= from.row() { StepDirection::Up } else { StepDirection::Down };
        let back = if forward == StepDirection::Up { StepDirection::Down } else { StepDirection::Up };
        let passages = *self;
        std::iter::successors(Some(from), move |&here| {
            let steps = distances.distance_from(here)?;
            let directions = [forward, StepDirection::Left, StepDirection::Right, back].into_iter();
            let mut nearer =
                directions.filter_map(|direction| passages.neighbour_in_direction(here, direction));
            nearer.find(|&next| distances.distance_from(next).is_some_and(|there| there < steps))
        })
        .skip(1)
    }
}

impl<S: Bitboard> WallGraph<S> {
    fn neighbour_in_direction(&self, from: Cell, direction: StepDirection) -> Option<Cell> {
        let Cell { file, row } = from;
        let [north, east] = self.open;
        let below = || row.checked_sub(1).map(|row| Cell { file, row });
        let left = || file.checked_sub(1).map(|file| Cell { file, row });
        match direction {
            StepDirection::Up => north.contains_cell(from).then_some(Cell { file, row: row + 1 }),
            StepDirection::Down => below().filter(|&cell| north.contains_cell(cell)),
            StepDirection::Right => east.contains_cell(from).then_some(Cell { file: file + 1, row }),
            StepDirection::Left => left().filter(|&cell| east.contains_cell(cell)),
        }
    }

    fn visit_pawn_targets(&self, from: Cell, other: Cell, mut found: impl FnMut(Cell)) {
        for direction in StepDirection::ALL {
            match self.neighbour_in_direction(from, direction) {
                None => (),
                Some(next) if next != other => found(next),
                Some(next) => match self.neighbour_in_direction(next, direction) {
                    Some(behind) => found(behind),
                    None => {
                        direction
                            .perpendiculars()
                            .into_iter()
                            .filter_map(|side| self.neighbour_in_direction(next, side))
                            .for_each(&mut found);
                    }
                },
            }
        }
    }

    fn compute_distances(&self, goal_row: usize, cell: Option<Cell>) -> GoalDistances {
        let mut distances = GoalDistances([[UNREACHABLE_STEPS; MAX_QUORIDOR_SIZE]; MAX_QUORIDOR_SIZE]);
        let (mut front, mut steps) = (self.goal_row_cells(goal_row), 0);
        let mut seen = front;
        while !front.is_empty() {
            front.cells().for_each(|cell| distances.0[cell.row()][cell.file()] = steps);
            if cell.is_some_and(|cell| front.contains_cell(cell)) {
                break;
            }
            front = self.cells_one_step_away(front) & !seen;
            seen = seen | front;
            steps += 1;
        }
        distances
    }
}
