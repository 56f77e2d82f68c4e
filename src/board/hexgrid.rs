//! The geometry of rhombic boards whose cells have six neighbours: cells, edges, neighbours, bridges.
//! Knows no stones and no rules.

use std::num::NonZeroU16;

use super::{MAX_SIZE, SizeError};
use crate::game::Side;

/// The steps to the six neighbours as (rows, columns), numbered round the cell: consecutive ones, and the last and
/// the first, touch each other.
pub const STEPS: [(isize, isize); 6] = [(-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0), (0, 1)];

/// The steps to the six bridge partners, each with the numbers of the two neighbours between.
const BRIDGE_STEPS: [((isize, isize), [usize; 2]); 6] = [
    ((-1, -1), [1, 2]),
    ((-2, 1), [1, 0]),
    ((-1, 2), [0, 5]),
    ((1, 1), [5, 4]),
    ((2, -1), [4, 3]),
    ((1, -2), [3, 2]),
];

/// By edge, the numbers of the two neighbours that lie between a cell of the second row and it.
const EDGE_BRIDGES: [[usize; 2]; 4] = [[1, 0], [4, 3], [2, 3], [5, 0]];

/// A cell of a board, counted row by row from the top left. An `Option<Cell>` needs no more room than a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(NonZeroU16); // One more than the index, which leaves 0 to mean "no cell".

impl Cell {
    /// The cell with this index.
    ///
    /// # Panics
    /// If no board is that large.
    #[must_use]
    pub fn new(index: usize) -> Self {
        assert!(index < MAX_SIZE * MAX_SIZE, "no board has a cell {index}");
        Cell(u16::try_from(index + 1).ok().and_then(NonZeroU16::new).expect("below 677 and not 0"))
    }

    /// The index, `row * N + column`.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

/// One of the four edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    /// Row 0.
    Top,
    /// Row N-1.
    Bottom,
    /// Column 0.
    Left,
    /// Column N-1.
    Right,
}

impl Edge {
    /// All edges.
    pub const ALL: [Edge; 4] = [Edge::Top, Edge::Bottom, Edge::Left, Edge::Right];

    /// 0 to 3, in the order of [`Edge::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Two cells that have two common neighbours and do not touch: whoever holds both and finds both cells between empty
/// can join them whatever the opponent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bridge {
    /// The other end.
    pub end: Cell,
    /// The two cells between.
    pub carrier: [Cell; 2],
}

/// A rhombus of N x N cells.
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
/// let corner = grid.cell(0, 2).expect("on the board");
/// assert_eq!(grid.neighbours(corner).len(), 3, "an obtuse corner");
/// assert_eq!(grid.place(grid.mirrored(corner)), (2, 0));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexGrid {
    size: usize,
    around: Vec<[Option<Cell>; 6]>,
    neighbours: Vec<Vec<Cell>>,
    bridges: Vec<Vec<Bridge>>,
    /// By cell and edge: whether the cell lies on it.
    lies_on: Vec<[bool; 4]>,
    edge_cells: [Vec<Cell>; 4],
}

impl HexGrid {
    /// The board of `size` x `size` cells.
    ///
    /// # Errors
    /// `SizeError` unless 1 <= `size` <= 26.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        SizeError::check(size, 1, MAX_SIZE)?;
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
            let around = STEPS.map(|step| grid.beside(cell, step));
            grid.neighbours.push(around.into_iter().flatten().collect());
            grid.bridges.push(grid.bridges_from(cell, &around));
            grid.around.push(around);
            let (row, col) = grid.place(cell);
            let lies_on = [row == 0, row == size - 1, col == 0, col == size - 1];
            grid.lies_on.push(lies_on);
            for edge in (0..4).filter(|&edge| lies_on[edge]) {
                grid.edge_cells[edge].push(cell);
            }
        }
        Ok(grid)
    }

    fn bridges_from(&self, cell: Cell, around: &[Option<Cell>; 6]) -> Vec<Bridge> {
        let bridge = |&(step, [one, other]): &((isize, isize), [usize; 2])| {
            Some(Bridge { end: self.beside(cell, step)?, carrier: [around[one]?, around[other]?] })
        };
        BRIDGE_STEPS.iter().filter_map(bridge).collect()
    }

    fn beside(&self, cell: Cell, step: (isize, isize)) -> Option<Cell> {
        let (row, col) = self.place(cell);
        self.cell(row.checked_add_signed(step.0)?, col.checked_add_signed(step.1)?)
    }

    /// N.
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

    /// Every cell in reading order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.len()).map(Cell::new)
    }

    /// The cell in a row and a column, counted from 0; `None` off the board.
    #[must_use]
    pub fn cell(&self, row: usize, col: usize) -> Option<Cell> {
        (row < self.size && col < self.size).then(|| Cell::new(row * self.size + col))
    }

    /// Row and column of a cell.
    #[must_use]
    pub fn place(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.size, cell.index() % self.size)
    }

    /// The six neighbours by number, `None` off the board.
    #[must_use]
    pub fn around(&self, cell: Cell) -> &[Option<Cell>; 6] {
        &self.around[cell.index()]
    }

    /// The neighbours on the board, in the order of their numbers.
    #[must_use]
    pub fn neighbours(&self, cell: Cell) -> &[Cell] {
        &self.neighbours[cell.index()]
    }

    /// The bridges that start at a cell.
    #[must_use]
    pub fn bridges(&self, cell: Cell) -> &[Bridge] {
        &self.bridges[cell.index()]
    }

    /// Reports whether a cell lies on an edge.
    #[must_use]
    pub fn touches(&self, cell: Cell, edge: Edge) -> bool {
        self.lies_on[cell.index()][edge.index()]
    }

    /// The cells of an edge, from the left or from the top.
    #[must_use]
    pub fn edge(&self, edge: Edge) -> &[Cell] {
        &self.edge_cells[edge.index()]
    }

    /// The two cells between a cell of the second row and its edge; `None` for other cells, and where only one cell
    /// is between.
    #[must_use]
    pub fn edge_bridge(&self, cell: Cell, edge: Edge) -> Option<[Cell; 2]> {
        let around = self.around(cell);
        let [one, other] = EDGE_BRIDGES[edge.index()];
        let carrier = [around[one]?, around[other]?];
        (!self.touches(cell, edge) && carrier.iter().all(|&cell| self.touches(cell, edge))).then_some(carrier)
    }

    /// The cell with row and column exchanged.
    #[must_use]
    pub fn mirrored(&self, cell: Cell) -> Cell {
        Frame { transposed: true }.cell(self, cell)
    }

    /// The cell after a half turn of the board.
    #[must_use]
    pub fn turned(&self, cell: Cell) -> Cell {
        Cell::new(self.len() - 1 - cell.index())
    }
}

/// View of the board on a surface: as it is, or with rows and columns exchanged and sides as well. It leads from one
/// view to the other and back.
///
/// Here a swap mirrors the stone and nobody changes sides; elsewhere the stone stays and the players change sides.
/// After a swap the two are the same game seen in the other frame.
///
/// ```
/// use crosspath::board::hexgrid::Frame;
/// use crosspath::game::Side;
/// let frame = Frame { transposed: true };
/// assert_eq!((frame.place((0, 1)), frame.side(Side::First)), ((1, 0), Side::Second));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// `true` if rows and columns, and the sides, are exchanged.
    pub transposed: bool,
}

impl Frame {
    /// Row and column in the other view, on whatever board.
    #[must_use]
    pub fn place(self, (row, col): (usize, usize)) -> (usize, usize) {
        if self.transposed { (col, row) } else { (row, col) }
    }

    /// The cell in the other view.
    #[must_use]
    pub fn cell(self, grid: &HexGrid, cell: Cell) -> Cell {
        let (row, col) = self.place(grid.place(cell));
        Cell::new(row * grid.size + col)
    }

    /// The side in the other view.
    #[must_use]
    pub fn side(self, side: Side) -> Side {
        if self.transposed { side.other() } else { side }
    }
}
