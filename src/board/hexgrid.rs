//! Geometry of rhombic boards of hexagonal cells: cells, edges, neighbours, bridges. This module does not
//! depend on stones or rules.

use std::num::NonZeroU16;

use super::{MAX_BOARD_SIZE, SizeError};
use crate::game::Side;

/// Offsets of the six neighbours as (rows, columns), in rotational order. Neighbours with consecutive numbers
/// touch each other, as do the last and the first.
pub const NEIGHBOUR_STEPS: [(isize, isize); 6] = [(-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0), (0, 1)];

/// Offsets of the six bridge partners, each with the numbers of the two neighbours that form the carrier.
const BRIDGE_STEPS: [((isize, isize), [usize; 2]); 6] = [
    ((-1, -1), [1, 2]),
    ((-2, 1), [1, 0]),
    ((-1, 2), [0, 5]),
    ((1, 1), [5, 4]),
    ((2, -1), [4, 3]),
    ((1, -2), [3, 2]),
];

/// Numbers of the two neighbours that form the edge bridge of a cell on the second row, by edge.
const EDGE_BRIDGE_NEIGHBOURS: [[usize; 2]; 4] = [[1, 0], [4, 3], [2, 3], [5, 0]];

/// A cell of a board, numbered row by row from the top left. An `Option<Cell>` has the same size as a `Cell`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(NonZeroU16); // Index plus one, so that `None` is stored as 0.

impl Cell {
    /// Returns the cell with this index.
    ///
    /// # Panics
    /// Panics if the index is beyond the largest board.
    #[must_use]
    pub fn new(index: usize) -> Self {
        assert!(index < MAX_BOARD_SIZE * MAX_BOARD_SIZE, "no board has a cell {index}");
        Cell(u16::try_from(index + 1).ok().and_then(NonZeroU16::new).expect("below 677 and not 0"))
    }

    /// Returns the index, `row * N + column`.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

/// Edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    /// Top edge, row 0.
    Top,
    /// Bottom edge, row N-1.
    Bottom,
    /// Left edge, column 0.
    Left,
    /// Right edge, column N-1.
    Right,
}

impl Edge {
    /// All four edges.
    pub const ALL: [Edge; 4] = [Edge::Top, Edge::Bottom, Edge::Left, Edge::Right];

    /// Returns the number of the edge, 0 to 3, in the order of [`Edge::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A pair of cells that do not touch but have two common neighbours. A player who holds both cells can always
/// connect them while both neighbours are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bridge {
    /// Cell at the other end.
    pub end: Cell,
    /// The two common neighbours.
    pub carrier: [Cell; 2],
}

/// A rhombic board of N x N cells.
///
/// ```text
///  (0,0) (0,1) … (0,N-1)          1  0
///    (1,0) (1,1)   ⋱             2  ·  5      the neighbours of a cell by number
///      ⋮                          3  4
///        (N-1,0)  … (N-1,N-1)
/// ```
///
/// ```
/// use crosspath::board::hexgrid::HexGrid;
/// let grid = HexGrid::new(3)?;
/// let corner = grid.cell_at(0, 2).expect("on the board");
/// assert_eq!(grid.neighbours(corner).len(), 3, "an obtuse corner");
/// assert_eq!(grid.coordinates(grid.mirrored(corner)), (2, 0));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexGrid {
    size: usize,
    around: Vec<[Option<Cell>; 6]>,
    neighbours: Vec<Vec<Cell>>,
    bridges: Vec<Vec<Bridge>>,
    /// Flags by cell and edge: `true` if the cell lies on the edge.
    lies_on: Vec<[bool; 4]>,
    edge_cells: [Vec<Cell>; 4],
}

impl HexGrid {
    /// Returns the board of `size` x `size` cells.
    ///
    /// # Errors
    /// `SizeError` unless 1 <= `size` <= 26.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        SizeError::check_size(size, 1, MAX_BOARD_SIZE)?;
        let mut grid = HexGrid {
            size,
            around: Vec::new(),
            neighbours: Vec::new(),
            bridges: Vec::new(),
            lies_on: Vec::new(),
            edge_cells: [const { Vec::new() }; 4],
        };
        for index in 0..size * size {
            let cell = Cell::new(index);
            let around = NEIGHBOUR_STEPS.map(|step| grid.cell_at_offset(cell, step));
            grid.neighbours.push(around.into_iter().flatten().collect());
            grid.bridges.push(grid.find_bridges_from(cell, &around));
            grid.around.push(around);
            let (row, col) = grid.coordinates(cell);
            let lies_on = [row == 0, row == size - 1, col == 0, col == size - 1];
            grid.lies_on.push(lies_on);
            for edge in (0..4).filter(|&edge| lies_on[edge]) {
                grid.edge_cells[edge].push(cell);
            }
        }
        Ok(grid)
    }

    fn find_bridges_from(&self, cell: Cell, around: &[Option<Cell>; 6]) -> Vec<Bridge> {
        let bridge = |&(step, [one, other]): &((isize, isize), [usize; 2])| {
            Some(Bridge { end: self.cell_at_offset(cell, step)?, carrier: [around[one]?, around[other]?] })
        };
        BRIDGE_STEPS.iter().filter_map(bridge).collect()
    }

    fn cell_at_offset(&self, cell: Cell, step: (isize, isize)) -> Option<Cell> {
        let (row, col) = self.coordinates(cell);
        self.cell_at(row.checked_add_signed(step.0)?, col.checked_add_signed(step.1)?)
    }

    /// Returns the number of cells per side, N.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the number of cells.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always a cell")]
    pub fn len(&self) -> usize {
        self.size * self.size
    }

    /// Returns every cell in reading order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.len()).map(Cell::new)
    }

    /// Returns the cell at a row and a column, both counted from 0, or `None` if it is off the board.
    #[must_use]
    pub fn cell_at(&self, row: usize, col: usize) -> Option<Cell> {
        (row < self.size && col < self.size).then(|| Cell::new(row * self.size + col))
    }

    /// Returns the row and the column of a cell.
    #[must_use]
    pub fn coordinates(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.size, cell.index() % self.size)
    }

    /// Returns the six neighbours in the order of [`NEIGHBOUR_STEPS`], `None` for those off the board.
    #[must_use]
    pub fn neighbours_by_direction(&self, cell: Cell) -> &[Option<Cell>; 6] {
        &self.around[cell.index()]
    }

    /// Returns the neighbours that are on the board, in the order of [`NEIGHBOUR_STEPS`].
    #[must_use]
    pub fn neighbours(&self, cell: Cell) -> &[Cell] {
        &self.neighbours[cell.index()]
    }

    /// Returns the bridges from a cell.
    #[must_use]
    pub fn bridges(&self, cell: Cell) -> &[Bridge] {
        &self.bridges[cell.index()]
    }

    /// Reports whether a cell lies on an edge.
    #[must_use]
    pub fn is_on_edge(&self, cell: Cell, edge: Edge) -> bool {
        self.lies_on[cell.index()][edge.index()]
    }

    /// Returns the cells of an edge, from the left or from the top.
    #[must_use]
    pub fn edge_cells(&self, edge: Edge) -> &[Cell] {
        &self.edge_cells[edge.index()]
    }

    /// Returns the two cells between a cell on the second row and its edge. Returns `None` for other cells,
    /// and in the corner where only one cell lies between.
    #[must_use]
    pub fn edge_bridge(&self, cell: Cell, edge: Edge) -> Option<[Cell; 2]> {
        let around = self.neighbours_by_direction(cell);
        let [one, other] = EDGE_BRIDGE_NEIGHBOURS[edge.index()];
        let carrier = [around[one]?, around[other]?];
        (!self.is_on_edge(cell, edge) && carrier.iter().all(|&cell| self.is_on_edge(cell, edge)))
            .then_some(carrier)
    }

    /// Returns the cell with row and column exchanged.
    #[must_use]
    pub fn mirrored(&self, cell: Cell) -> Cell {
        SwapFrame { transposed: true }.map_cell(self, cell)
    }

    /// Returns the cell's image under a 180 degree rotation of the board.
    #[must_use]
    pub fn rotated_180(&self, cell: Cell) -> Cell {
        Cell::new(self.len() - 1 - cell.index())
    }
}

/// Orientation of the board: unchanged, or with rows and columns exchanged and the sides exchanged. The
/// mapping is its own inverse.
///
/// In crosspath a swap mirrors the stone and the players keep their colours. In other programs the stone
/// stays and the players exchange colours. After a swap both conventions describe the same game in different
/// frames.
///
/// ```
/// use crosspath::board::hexgrid::SwapFrame;
/// use crosspath::game::Side;
/// let frame = SwapFrame { transposed: true };
/// assert_eq!((frame.map_coordinates((0, 1)), frame.map_side(Side::First)), ((1, 0), Side::Second));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SwapFrame {
    /// `true` if rows and columns are exchanged, and also the two sides.
    pub transposed: bool,
}

impl SwapFrame {
    /// Returns the row and the column in this frame.
    #[must_use]
    pub fn map_coordinates(self, (row, col): (usize, usize)) -> (usize, usize) {
        if self.transposed { (col, row) } else { (row, col) }
    }

    /// Returns the cell in this frame.
    #[must_use]
    pub fn map_cell(self, grid: &HexGrid, cell: Cell) -> Cell {
        let (row, col) = self.map_coordinates(grid.coordinates(cell));
        Cell::new(row * grid.size + col)
    }

    /// Returns the side in this frame.
    #[must_use]
    pub fn map_side(self, side: Side) -> Side {
        if self.transposed { side.other() } else { side }
    }
}
