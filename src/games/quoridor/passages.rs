//! Passages between the cells on a board of any size, and distances along them. Knows no walls left and no turns.

use super::lattice::{Bitboard, Bitboard15, Bitboard25, WallGraph};
use super::moves::{Cell, MAX_SIZE, Wall};
use super::walls::{Rows, Walls};

/// One of the four directions a pawn steps in.
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

    /// The two directions at right angles.
    pub(crate) fn sides(self) -> [StepDirection; 2] {
        match self {
            StepDirection::Up | StepDirection::Down => [StepDirection::Left, StepDirection::Right],
            StepDirection::Left | StepDirection::Right => [StepDirection::Up, StepDirection::Down],
        }
    }
}

/// Distance of a cell from which the goal cannot be reached.
const NOWHERE: u16 = u16::MAX;

/// Steps from each cell to a goal row, walls seen, pawns not; right at least for the cells that lie nearer to the
/// goal than the cell it was made for.
pub(crate) struct Distances([[u16; MAX_SIZE]; MAX_SIZE]);

impl Distances {
    /// Steps from the cell, `None` if there is no path.
    pub(crate) fn of(&self, cell: Cell) -> Option<u16> {
        Some(self.0[cell.row()][cell.file()]).filter(|&steps| steps != NOWHERE)
    }
}

/// Passages that are open to pawns, on a lattice of the size that the board needs.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is copied for each wall that is tried, and a box would cost more"
)]
pub(crate) enum AnyWallGraph {
    /// Up to 9 files and ranks.
    Small(WallGraph<u128>),
    /// Up to 15.
    Middle(WallGraph<Bitboard15>),
    /// Up to 25.
    Large(WallGraph<Bitboard25>),
}

/// Evaluates an expression with the lattice of any size.
macro_rules! on {
    ($passages:expr, $lattice:ident => $value:expr) => {
        match $passages {
            AnyWallGraph::Small($lattice) => $value,
            AnyWallGraph::Middle($lattice) => $value,
            AnyWallGraph::Large($lattice) => $value,
        }
    };
}

/// The most files and ranks of a small lattice, and of a middle one.
pub(crate) const SMALL: usize = 9;
pub(crate) const MIDDLE: usize = 15;

impl AnyWallGraph {
    pub(crate) fn of(walls: &Walls, width: usize, height: usize) -> Self {
        match width.max(height) {
            size if size <= SMALL => AnyWallGraph::Small(WallGraph::of(walls, width, height)),
            size if size <= MIDDLE => AnyWallGraph::Middle(WallGraph::of(walls, width, height)),
            _ => AnyWallGraph::Large(WallGraph::of(walls, width, height)),
        }
    }

    /// Returns the passages with one more wall.
    pub(crate) fn with(&self, Wall { post, orientation }: Wall) -> Self {
        match self {
            AnyWallGraph::Small(lattice) => {
                AnyWallGraph::Small(lattice.with(orientation, Bitboard::of(post)))
            }
            AnyWallGraph::Middle(lattice) => {
                AnyWallGraph::Middle(lattice.with(orientation, Bitboard::of(post)))
            }
            AnyWallGraph::Large(lattice) => {
                AnyWallGraph::Large(lattice.with(orientation, Bitboard::of(post)))
            }
        }
    }

    /// The neighbour in that direction, if it is on the board and no wall is between.
    pub(crate) fn step(&self, from: Cell, direction: StepDirection) -> Option<Cell> {
        on!(self, lattice => lattice.step(from, direction))
    }

    /// Visits the cells that a pawn may go to from `from` while the other stands on `other`: steps, and where the other
    /// stands in the way, the jump over it, or beside it if something is behind.
    pub(crate) fn targets(&self, from: Cell, other: Cell, found: impl FnMut(Cell)) {
        on!(self, lattice => lattice.targets(from, other, found));
    }

    /// Steps from a cell to the goal row, pawns ignored; `None` if there is no path.
    pub(crate) fn steps_between(&self, from: Cell, goal_row: usize) -> Option<u32> {
        on!(self, lattice => lattice.steps(Bitboard::of(from), lattice.goal(goal_row)))
    }

    /// Reports whether a wall, not yet built, may close something off.
    pub(crate) fn may_close(&self, wall: Wall) -> bool {
        on!(self, lattice => lattice.may_close(wall))
    }

    /// By orientation, the posts where a wall can be built that leaves both pawns a way; each pawn with its goal row.
    pub(crate) fn legal_walls(&self, pawns: [(Cell, usize); 2]) -> [Rows; 2] {
        on!(self, lattice => {
            let legal = lattice.legal_walls(pawns.map(|(cell, goal_row)| (Bitboard::of(cell), lattice.goal(goal_row))));
            legal.map(|posts| std::array::from_fn(|row| if row < lattice.size().1 { posts.row(row) } else { 0 }))
        })
    }

    /// Steps to the goal row from `cell` and from all the cells nearer to it; without a cell, from everywhere.
    pub(crate) fn distances(&self, goal_row: usize, cell: Option<Cell>) -> Distances {
        on!(self, lattice => lattice.distances(goal_row, cell))
    }

    /// A shortest path from a cell to the goal row, without the cell itself: straight on wherever that is as short,
    /// else left, else right. Empty if the cell is on the row or there is no path.
    pub(crate) fn shortest_way(&self, from: Cell, goal_row: usize) -> impl Iterator<Item = Cell> {
        let distances = self.distances(goal_row, Some(from));
        let forward = if goal_row >= from.row() { StepDirection::Up } else { StepDirection::Down };
        let back = if forward == StepDirection::Up { StepDirection::Down } else { StepDirection::Up };
        let passages = *self;
        std::iter::successors(Some(from), move |&here| {
            let steps = distances.of(here)?;
            let directions = [forward, StepDirection::Left, StepDirection::Right, back].into_iter();
            let mut nearer = directions.filter_map(|direction| passages.step(here, direction));
            nearer.find(|&next| distances.of(next).is_some_and(|there| there < steps))
        })
        .skip(1)
    }
}

impl<S: Bitboard> WallGraph<S> {
    fn step(&self, from: Cell, direction: StepDirection) -> Option<Cell> {
        let Cell { file, row } = from;
        let [north, east] = self.open;
        let below = || row.checked_sub(1).map(|row| Cell { file, row });
        let left = || file.checked_sub(1).map(|file| Cell { file, row });
        match direction {
            StepDirection::Up => north.has(from).then_some(Cell { file, row: row + 1 }),
            StepDirection::Down => below().filter(|&cell| north.has(cell)),
            StepDirection::Right => east.has(from).then_some(Cell { file: file + 1, row }),
            StepDirection::Left => left().filter(|&cell| east.has(cell)),
        }
    }

    fn targets(&self, from: Cell, other: Cell, mut found: impl FnMut(Cell)) {
        for direction in StepDirection::ALL {
            match self.step(from, direction) {
                None => (),
                Some(next) if next != other => found(next),
                Some(next) => match self.step(next, direction) {
                    Some(behind) => found(behind),
                    None => {
                        direction
                            .sides()
                            .into_iter()
                            .filter_map(|side| self.step(next, side))
                            .for_each(&mut found);
                    }
                },
            }
        }
    }

    fn distances(&self, goal_row: usize, cell: Option<Cell>) -> Distances {
        let mut distances = Distances([[NOWHERE; MAX_SIZE]; MAX_SIZE]);
        let (mut front, mut steps) = (self.goal(goal_row), 0);
        let mut seen = front;
        while !front.is_empty() {
            front.cells().for_each(|cell| distances.0[cell.row()][cell.file()] = steps);
            if cell.is_some_and(|cell| front.has(cell)) {
                break;
            }
            front = self.ring(front) & !seen;
            seen = seen | front;
            steps += 1;
        }
        distances
    }
}
