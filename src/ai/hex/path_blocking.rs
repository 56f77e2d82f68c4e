//! Path finder of the original Hex program, by cell weights and a depth-first walk. It also finds the cell
//! where both sides' paths meet. This module depends only on the board's geometry.
//!
//! Cells and sides are those of the original program: First connects the first and the last row, Second the
//! first and the last column, and a swap leaves the stone on its cell.

use crate::board::SizeError;
use crate::board::hexgrid::{Cell, Edge, HexGrid};
use crate::game::{BySide, Side};
use crate::games::hex::goal_edges;

/// Weight of a cell with an opponent's stone, and sort key of a neighbour off the board.
pub const INFINITE_WEIGHT: i32 = 1 << 30;

/// Weight of each cell on the empty board.
const INITIAL_CELL_WEIGHT: i32 = 4;
/// Amount by which a neighbouring stone changes a cell's weight.
const NEIGHBOUR_WEIGHT_STEP: i32 = 2;
/// Maximum weight of a cell without an opponent's stone.
const MAX_CELL_WEIGHT: i32 = 8;

/// Costs of walking in a direction: forward 0, sideways 1, backward 10. Indexed by side, walk direction and
/// position in the neighbour order.
const DIRECTION_COSTS: BySide<[[i32; 6]; 2]> =
    BySide::new([[10, 10, 1, 0, 0, 1], [0, 0, 1, 10, 10, 1]], [[0, 1, 10, 10, 1, 0], [10, 1, 0, 0, 1, 10]]);

/// Orders in which neighbours are visited. The second is a mirror image of the first, so each neighbour keeps
/// its cost.
const NEIGHBOUR_ORDERS: BySide<[[usize; 6]; 2]> =
    BySide::new([[0, 1, 2, 3, 4, 5], [1, 0, 5, 4, 3, 2]], [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]]);

/// Direction in which a path is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkDirection {
    /// Starts at row 0 or column 0.
    Forward,
    /// Starts at the last row or column.
    Backward,
}

/// Order in which a walk tries the neighbours of its first cell. The two orders alternate from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeighbourOrder {
    /// The regular order.
    Regular,
    /// The mirror image of the regular order.
    Mirrored,
}

impl NeighbourOrder {
    /// Both orders, in the order in which they are tried.
    pub const ALL: [NeighbourOrder; 2] = [NeighbourOrder::Regular, NeighbourOrder::Mirrored];

    fn opposite(self) -> Self {
        match self {
            NeighbourOrder::Regular => NeighbourOrder::Mirrored,
            NeighbourOrder::Mirrored => NeighbourOrder::Regular,
        }
    }
}

/// Cells of the far edge from which backward walks start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FarEdgeStarts {
    /// The second half of the edge, as in the original program.
    #[default]
    SecondHalf,
    /// The whole edge. This is stronger: it won 73 of 100 games on 14x14 and 60 of 100 on 11x11.
    WholeEdge,
}

/// Path from edge to edge, with its total weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedPath {
    /// Cells of the path, in walking order.
    pub cells: Vec<Cell>,
    /// Sum of the cells' weights.
    pub weight: i32,
}

impl WeightedPath {
    /// Returns the first cell of this path, in walking order, that also lies on `other`.
    #[must_use]
    pub fn first_common_cell(&self, other: &WeightedPath) -> Option<Cell> {
        self.cells.iter().copied().find(|cell| other.cells.contains(cell))
    }
}

/// Stones and cell weights of a position, with a search for light paths through them.
///
/// ```
/// use crosspath::ai::hex::path_blocking::{FarEdgeStarts, ClassicPathFinder};
/// use crosspath::board::hexgrid::Cell;
/// use crosspath::game::Side;
/// let mut board = ClassicPathFinder::new(5)?;
/// board.place_stone(Side::First, Cell::new(12));
/// let path = board.find_lightest_path(Side::First, FarEdgeStarts::SecondHalf).expect("nothing is blocked");
/// assert_eq!(path.weight, 14);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClassicPathFinder {
    grid: HexGrid,
    weights: BySide<Vec<i32>>,
    stones: Vec<Option<Side>>,
    used: Vec<bool>,
}

/// Parameters that stay constant during one walk.
#[derive(Clone, Copy)]
struct WalkParams {
    side: Side,
    direction: WalkDirection,
    goal: Edge,
    longest: usize,
}

impl ClassicPathFinder {
    /// Creates an empty board of `size` x `size` cells.
    ///
    /// # Errors
    /// Returns `SizeError` unless 1 <= `size` <= 26.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        let grid = HexGrid::new(size)?;
        let cells = grid.len();
        let weights = BySide::new(vec![INITIAL_CELL_WEIGHT; cells], vec![INITIAL_CELL_WEIGHT; cells]);
        Ok(ClassicPathFinder { grid, weights, stones: vec![None; cells], used: vec![false; cells] })
    }

    /// Returns the board's geometry.
    #[must_use]
    pub fn grid(&self) -> &HexGrid {
        &self.grid
    }

    /// Returns the weight of a cell for a side, from 0 to 8. It is 0 for a stone of the side, and
    /// [`INFINITE_WEIGHT`] for one of the opponent.
    ///
    /// # Panics
    /// Panics if the cell is off the board.
    #[must_use]
    pub fn cell_weight(&self, side: Side, cell: Cell) -> i32 {
        self.weights[side][cell.index()]
    }

    /// Iterates over the empty cells in reading order.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.grid.cells().filter(|cell| self.stones[cell.index()].is_none())
    }

    /// Places a stone. The order of stones matters, because weights are clamped as they change.
    ///
    /// # Panics
    /// Panics if the cell is off the board or occupied.
    pub fn place_stone(&mut self, side: Side, cell: Cell) {
        let stone = &mut self.stones[cell.index()];
        assert!(stone.replace(side).is_none(), "{cell:?} is taken");
        let other = side.other();
        self.weights[side][cell.index()] = 0;
        self.weights[other][cell.index()] = INFINITE_WEIGHT;
        for &neighbour in self.grid.neighbours(cell) {
            if self.stones[neighbour.index()] == Some(other) {
                continue;
            }
            let own = &mut self.weights[side][neighbour.index()];
            *own = (*own - NEIGHBOUR_WEIGHT_STEP).max(0);
            let theirs = &mut self.weights[other][neighbour.index()];
            if *theirs < MAX_CELL_WEIGHT {
                *theirs += NEIGHBOUR_WEIGHT_STEP;
            }
        }
    }

    /// Returns the indices of a cell's neighbours, the most promising first. Indices off the board are
    /// included.
    #[must_use]
    pub fn order_neighbours(
        &self,
        cell: Cell,
        side: Side,
        direction: WalkDirection,
        parity: NeighbourOrder,
    ) -> [usize; 6] {
        let around = self.grid.neighbours_by_direction(cell);
        let costs = &DIRECTION_COSTS[side][direction as usize];
        let mut order = NEIGHBOUR_ORDERS[side][parity as usize];
        let mut keys = [INFINITE_WEIGHT; 6];
        for (place, &number) in order.iter().enumerate() {
            if let Some(neighbour) = around[number] {
                keys[number] = costs[place] + self.weights[side][neighbour.index()];
            }
        }
        order.sort_by_key(|&number| keys[number]); // Stable, as the algorithm requires.
        order
    }

    /// Walks from a cell to the goal edge in at most `longest` cells. Returns `None` if the walk gets stuck.
    /// It never retries a cell from which it has backtracked.
    pub fn walk_from(
        &mut self,
        start: Cell,
        side: Side,
        direction: WalkDirection,
        parity: NeighbourOrder,
        longest: usize,
    ) -> Option<WeightedPath> {
        let [_, goal] = start_and_goal_edges(side, direction);
        let mut path = WeightedPath { cells: Vec::with_capacity(longest), weight: 0 };
        self.used.fill(false);
        let walk = WalkParams { side, direction, goal, longest };
        self.extend_walk(start, parity, walk, &mut path).then_some(path)
    }

    fn extend_walk(
        &mut self,
        cell: Cell,
        parity: NeighbourOrder,
        walk: WalkParams,
        path: &mut WeightedPath,
    ) -> bool {
        if path.cells.len() >= walk.longest
            || std::mem::replace(&mut self.used[cell.index()], true)
            || self.stones[cell.index()] == Some(walk.side.other())
        {
            return false;
        }
        let weight = self.weights[walk.side][cell.index()];
        path.cells.push(cell);
        path.weight += weight;
        if self.grid.is_on_edge(cell, walk.goal) {
            return true;
        }
        for number in self.order_neighbours(cell, walk.side, walk.direction, parity) {
            if let Some(neighbour) = self.grid.neighbours_by_direction(cell)[number]
                && self.extend_walk(neighbour, parity.opposite(), walk, path)
            {
                return true;
            }
        }
        path.cells.pop();
        path.weight -= weight;
        false
    }

    /// Returns the lightest path of a side that its walks find, or `None` if the side is cut off.
    pub fn find_lightest_path(&mut self, side: Side, far_edge: FarEdgeStarts) -> Option<WeightedPath> {
        let n = self.grid.size();
        // Longer paths are tried only if no short one exists, which happens on 3x3 but was never seen on
        // 14x14.
        let short = (2 * n).saturating_sub(3).max(n);
        self.lightest_walk_within(side, far_edge, short)
            .or_else(|| self.lightest_walk_within(side, far_edge, n * n))
    }

    fn lightest_walk_within(
        &mut self,
        side: Side,
        far_edge: FarEdgeStarts,
        longest: usize,
    ) -> Option<WeightedPath> {
        let n = self.grid.size();
        let from = if far_edge == FarEdgeStarts::SecondHalf { n / 2 } else { 0 };
        let forth = (0..n).map(|i| (WalkDirection::Forward, i));
        let starts = forth.chain((from..n).map(|i| (WalkDirection::Backward, i)));
        let walks =
            starts.flat_map(|(direction, i)| NeighbourOrder::ALL.map(|parity| (direction, i, parity)));
        let paths = walks.filter_map(|(direction, i, parity)| {
            let [edge, _] = start_and_goal_edges(side, direction);
            self.walk_from(self.grid.edge_cells(edge)[i], side, direction, parity, longest)
        });
        paths.min_by_key(|path| path.weight) // The first of equal paths.
    }
}

/// Returns the edge at which a side's walk in a direction starts, and its goal edge.
fn start_and_goal_edges(side: Side, direction: WalkDirection) -> [Edge; 2] {
    let [near, far] = goal_edges(side);
    if direction == WalkDirection::Forward { [near, far] } else { [far, near] }
}
