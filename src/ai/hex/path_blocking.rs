//! The path finder of the original Hex program: a weight for each cell and side, a depth-first walk by priorities, and
//! the stone where both paths meet. Knows the board's geometry and nothing of moves and turns.
//!
//! Cells and sides are those of the original program's frame: First joins the rows, Second the columns, and a stone
//! that has been taken over stays on its cell.

use crate::board::SizeError;
use crate::board::hexgrid::{Cell, Edge, HexGrid};
use crate::game::{BySide, Side};
use crate::games::hex::edges_of;

/// The weight of an opponent's stone, and the key of what is off the board.
pub const INF: i32 = 1 << 30;

/// Weight of each cell on the empty board.
const START: i32 = 4;
/// Weight that a neighbouring stone adds or takes away, and the largest sum.
const STEP: i32 = 2;
const MAX: i32 = 8;

/// The costs of going on in a direction: forward nothing, sideways 1, backward 10. The first is that of the neighbour
/// visited first.
const COSTS: BySide<[[i32; 6]; 2]> =
    BySide::new([[10, 10, 1, 0, 0, 1], [0, 0, 1, 10, 10, 1]], [[0, 1, 10, 10, 1, 0], [10, 1, 0, 0, 1, 10]]);

/// The order in which neighbours are visited; the second is a mirror image in which each keeps its cost.
const ORDERS: BySide<[[usize; 6]; 2]> =
    BySide::new([[0, 1, 2, 3, 4, 5], [1, 0, 5, 4, 3, 2]], [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]]);

/// Direction in which a path is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkDirection {
    /// From row 0 or column 0 on.
    Forth,
    /// From the last row or column on.
    Back,
}

/// Order of the neighbours with which a walk begins; it changes with every cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// The first order.
    Even,
    /// Its mirror image.
    Odd,
}

impl Parity {
    /// Both, in the order in which they are tried.
    pub const BOTH: [Parity; 2] = [Parity::Even, Parity::Odd];

    fn other(self) -> Self {
        match self {
            Parity::Even => Parity::Odd,
            Parity::Odd => Parity::Even,
        }
    }
}

/// From which cells of the far edge paths are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FarEdge {
    /// From its second half, as the original did.
    #[default]
    Half,
    /// From all of them: stronger (73-27 of 100 games on 14x14, 60-40 on 11x11).
    Whole,
}

/// A path from edge to edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Its cells from its own start.
    pub cells: Vec<Cell>,
    /// The sum of their weights.
    pub weight: i32,
}

impl Path {
    /// The first cell of this path, in its order, that also lies on the other.
    #[must_use]
    pub fn meets(&self, other: &Path) -> Option<Cell> {
        self.cells.iter().copied().find(|cell| other.cells.contains(cell))
    }
}

/// The weights of a position, and the paths through them.
///
/// ```
/// use crosspath::ai::hex::path_blocking::{FarEdge, PathBlocking};
/// use crosspath::board::hexgrid::Cell;
/// use crosspath::game::Side;
/// let mut board = PathBlocking::new(5)?;
/// board.put(Side::First, Cell::new(12));
/// let path = board.path(Side::First, FarEdge::Half).expect("nothing is blocked");
/// assert_eq!(path.weight, 14);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathBlocking {
    grid: HexGrid,
    weights: BySide<Vec<i32>>,
    stones: Vec<Option<Side>>,
    used: Vec<bool>,
}

/// Data that stay the same during one walk.
#[derive(Clone, Copy)]
struct Walk {
    side: Side,
    direction: WalkDirection,
    goal: Edge,
    longest: usize,
}

impl PathBlocking {
    /// The empty board of `size` x `size` cells.
    ///
    /// # Errors
    /// `SizeError` unless 1 <= `size` <= 26.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        let grid = HexGrid::new(size)?;
        let cells = grid.len();
        let weights = BySide::new(vec![START; cells], vec![START; cells]);
        Ok(PathBlocking { grid, weights, stones: vec![None; cells], used: vec![false; cells] })
    }

    /// The geometry of the board.
    #[must_use]
    pub fn grid(&self) -> &HexGrid {
        &self.grid
    }

    /// Returns the weight of a cell for a side: 0 to 8, 0 for an own stone, [`INF`] for an opponent's.
    ///
    /// # Panics
    /// If the cell is off the board.
    #[must_use]
    pub fn weight(&self, side: Side, cell: Cell) -> i32 {
        self.weights[side][cell.index()]
    }

    /// The empty cells in reading order.
    pub fn empty(&self) -> impl Iterator<Item = Cell> + '_ {
        self.grid.cells().filter(|cell| self.stones[cell.index()].is_none())
    }

    /// Puts a stone down. The order of stones matters, because weights are clamped as they change.
    ///
    /// # Panics
    /// If the cell is off the board or taken.
    pub fn put(&mut self, side: Side, cell: Cell) {
        let stone = &mut self.stones[cell.index()];
        assert!(stone.replace(side).is_none(), "{cell:?} is taken");
        let other = side.other();
        self.weights[side][cell.index()] = 0;
        self.weights[other][cell.index()] = INF;
        for &neighbour in self.grid.neighbours(cell) {
            if self.stones[neighbour.index()] == Some(other) {
                continue;
            }
            let own = &mut self.weights[side][neighbour.index()];
            *own = (*own - STEP).max(0);
            let theirs = &mut self.weights[other][neighbour.index()];
            if *theirs < MAX {
                *theirs += STEP;
            }
        }
    }

    /// The numbers of a cell's neighbours, the most promising first. Those off the board are among them.
    #[must_use]
    pub fn priority(&self, cell: Cell, side: Side, direction: WalkDirection, parity: Parity) -> [usize; 6] {
        let around = self.grid.around(cell);
        let costs = &COSTS[side][direction as usize];
        let mut order = ORDERS[side][parity as usize];
        let mut keys = [INF; 6];
        for (place, &number) in order.iter().enumerate() {
            if let Some(neighbour) = around[number] {
                keys[number] = costs[place] + self.weights[side][neighbour.index()];
            }
        }
        order.sort_by_key(|&number| keys[number]); // Stable: the order among equals is part of the algorithm.
        order
    }

    /// The walk from one cell to the goal edge, at most `longest` cells long; `None` if it gets stuck. A cell that it
    /// has left behind is not tried again.
    pub fn walk(
        &mut self,
        start: Cell,
        side: Side,
        direction: WalkDirection,
        parity: Parity,
        longest: usize,
    ) -> Option<Path> {
        let [_, goal] = ends(side, direction);
        let mut path = Path { cells: Vec::with_capacity(longest), weight: 0 };
        self.used.fill(false);
        let walk = Walk { side, direction, goal, longest };
        self.step(start, parity, walk, &mut path).then_some(path)
    }

    fn step(&mut self, cell: Cell, parity: Parity, walk: Walk, path: &mut Path) -> bool {
        if path.cells.len() >= walk.longest
            || std::mem::replace(&mut self.used[cell.index()], true)
            || self.stones[cell.index()] == Some(walk.side.other())
        {
            return false;
        }
        let weight = self.weights[walk.side][cell.index()];
        path.cells.push(cell);
        path.weight += weight;
        if self.grid.touches(cell, walk.goal) {
            return true;
        }
        for number in self.priority(cell, walk.side, walk.direction, parity) {
            if let Some(neighbour) = self.grid.around(cell)[number]
                && self.step(neighbour, parity.other(), walk, path)
            {
                return true;
            }
        }
        path.cells.pop();
        path.weight -= weight;
        false
    }

    /// The lightest path of a side among those that its walks find; `None` if it is cut off.
    pub fn path(&mut self, side: Side, far_edge: FarEdge) -> Option<Path> {
        let n = self.grid.size();
        // Longer paths are only looked for where no short one is found: easy to reach on 3x3, never seen on 14x14.
        let short = (2 * n).saturating_sub(3).max(n);
        self.lightest(side, far_edge, short).or_else(|| self.lightest(side, far_edge, n * n))
    }

    fn lightest(&mut self, side: Side, far_edge: FarEdge, longest: usize) -> Option<Path> {
        let n = self.grid.size();
        let from = if far_edge == FarEdge::Half { n / 2 } else { 0 };
        let forth = (0..n).map(|i| (WalkDirection::Forth, i));
        let starts = forth.chain((from..n).map(|i| (WalkDirection::Back, i)));
        let walks = starts.flat_map(|(direction, i)| Parity::BOTH.map(|parity| (direction, i, parity)));
        let paths = walks.filter_map(|(direction, i, parity)| {
            let [edge, _] = ends(side, direction);
            self.walk(self.grid.edge(edge)[i], side, direction, parity, longest)
        });
        paths.min_by_key(|path| path.weight) // Of equal ones the first.
    }
}

/// The edges at which a side's walk in a direction starts and ends.
fn ends(side: Side, direction: WalkDirection) -> [Edge; 2] {
    let [near, far] = edges_of(side);
    if direction == WalkDirection::Forth { [near, far] } else { [far, near] }
}
