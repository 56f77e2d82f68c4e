//! The eight symmetries of a square board, and a canonical form shared by all symmetric positions.

use crate::games::tictactoe::{Cell, cells_in_mask};

/// Number of symmetries of a square.
pub const SYMMETRY_COUNT: u8 = 8;

/// Maximum board size that [`SymmetryTables`] supports.
pub const MAX_TABLE_BOARD_SIZE: usize = 5;

/// Returns the image of a cell of an N x N board under a symmetry. Bit 0 of `turn` mirrors left and right,
/// then bit 1 top and bottom, then bit 2 exchanges rows and columns; 0 is the identity.
///
/// ```
/// use crosspath::ai::tictactoe::symmetry::transform_cell;
/// use crosspath::games::tictactoe::Cell;
/// assert_eq!(transform_cell(3, Cell(0), 1), Cell(2), "a1 goes to c1");
/// assert_eq!(transform_cell(3, Cell(1), 4), Cell(3), "b1 goes to a2");
/// ```
///
/// # Panics
/// If the board has more than 255 cells.
#[must_use]
pub fn transform_cell(size: usize, cell: Cell, turn: u8) -> Cell {
    let (mut row, mut col) = (cell.index() / size, cell.index() % size);
    if turn & 1 != 0 {
        col = size - 1 - col;
    }
    if turn & 2 != 0 {
        row = size - 1 - row;
    }
    if turn & 4 != 0 {
        (row, col) = (col, row);
    }
    Cell(u8::try_from(row * size + col).expect("a board has at most 255 cells"))
}

/// Returns the inverse of a symmetry.
#[must_use]
pub fn inverse_symmetry(turn: u8) -> u8 {
    // Only the quarter turns are not their own inverses; they are each other's.
    match turn {
        5 => 6,
        6 => 5,
        turn => turn,
    }
}

/// Returns the image of a mask of cells under a symmetry.
#[must_use]
pub fn transform_mask(size: usize, mask: u128, turn: u8) -> u128 {
    cells_in_mask(mask).fold(0, |image, cell| image | transform_cell(size, cell, turn).bit())
}

/// Lookup tables that transform masks of one board size, eight cells at a time.
#[derive(Clone, Debug)]
pub struct SymmetryTables {
    size: usize,
    /// Images by symmetry, group of eight cells, and bit pattern.
    images: Vec<[[u32; 256]; 4]>,
    groups: usize,
}

impl SymmetryTables {
    /// Creates the tables for a board size; `None` if it is larger than 5.
    #[must_use]
    pub fn new(size: usize) -> Option<Self> {
        if size > MAX_TABLE_BOARD_SIZE {
            return None;
        }
        let all = (1u128 << (size * size)) - 1;
        let image = |turn: u8, group: usize, pattern: u128| {
            let mask = (pattern << (8 * group)) & all;
            u32::try_from(transform_mask(size, mask, turn)).expect("5x5 cells fit")
        };
        let tables = |turn: u8| -> [[u32; 256]; 4] {
            std::array::from_fn(|group| std::array::from_fn(|pattern| image(turn, group, pattern as u128)))
        };
        Some(SymmetryTables {
            size,
            images: (0..SYMMETRY_COUNT).map(tables).collect(),
            groups: (size * size).div_ceil(8),
        })
    }

    /// Returns the smallest of the eight images of a pair of masks as one number, and the symmetry that
    /// gives it.
    #[must_use]
    pub fn canonical_form(&self, first: u128, second: u128) -> (u64, u8) {
        let mut least = (u64::MAX, 0);
        for (turn, images) in (0..).zip(&self.images) {
            let image = |mask: u128| -> u64 {
                let bytes = mask.to_le_bytes();
                let parts = images.iter().zip(bytes).take(self.groups);
                u64::from(parts.fold(0, |image, (patterns, byte)| image | patterns[usize::from(byte)]))
            };
            let name = image(first) << 32 | image(second);
            if name < least.0 {
                least = (name, turn);
            }
        }
        least
    }

    /// Returns the image of a cell under a symmetry; see [`transform_cell`].
    #[must_use]
    pub fn transform_cell(&self, cell: Cell, turn: u8) -> Cell {
        transform_cell(self.size, cell, turn)
    }
}
