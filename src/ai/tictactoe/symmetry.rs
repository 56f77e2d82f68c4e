//! The eight turns and mirrorings of a square board, and one name for all positions that they make equal. Knows
//! squares and masks, no rules.

use crate::games::tictactoe::{Cell, cells};

/// Number of ways to lay a square on itself.
pub const TURNS: u8 = 8;

/// The largest board that [`Symmetries`] has tables for.
pub const MAX_SIZE: usize = 5;

/// Returns the cell at which a cell of an N x N board comes to lie: turn 0 leaves it; bit 0 mirrors left and right,
/// then bit 1 top and bottom, then bit 2 exchanges rows and columns.
///
/// ```
/// use crosspath::ai::tictactoe::symmetry::turned;
/// use crosspath::games::tictactoe::Cell;
/// assert_eq!(turned(3, Cell(0), 1), Cell(2), "a1 goes to c1");
/// assert_eq!(turned(3, Cell(1), 4), Cell(3), "b1 goes to a2");
/// ```
///
/// # Panics
/// If the board has more than 255 cells.
#[must_use]
pub fn turned(size: usize, cell: Cell, turn: u8) -> Cell {
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

/// The turn that takes back `turn`.
#[must_use]
pub fn undoing(turn: u8) -> u8 {
    // Only the quarter turns do not undo themselves; each undoes the other.
    match turn {
        5 => 6,
        6 => 5,
        turn => turn,
    }
}

/// The mask of the cells to which those of `mask` come.
#[must_use]
pub fn turned_mask(size: usize, mask: u128, turn: u8) -> u128 {
    cells(mask).fold(0, |image, cell| image | turned(size, cell, turn).bit())
}

/// Tables that turn masks of one board size quickly, eight cells at a time.
#[derive(Clone, Debug)]
pub struct Symmetries {
    size: usize,
    /// By turn, group of eight cells and pattern: the image.
    images: Vec<[[u32; 256]; 4]>,
    groups: usize,
}

impl Symmetries {
    /// The tables of a size, if there are any: up to 5x5.
    #[must_use]
    pub fn new(size: usize) -> Option<Self> {
        if size > MAX_SIZE {
            return None;
        }
        let all = (1u128 << (size * size)) - 1;
        let image = |turn: u8, group: usize, pattern: u128| {
            let mask = (pattern << (8 * group)) & all;
            u32::try_from(turned_mask(size, mask, turn)).expect("5x5 cells fit")
        };
        let tables = |turn: u8| -> [[u32; 256]; 4] {
            std::array::from_fn(|group| std::array::from_fn(|pattern| image(turn, group, pattern as u128)))
        };
        Some(Symmetries { size, images: (0..TURNS).map(tables).collect(), groups: (size * size).div_ceil(8) })
    }

    /// The least of the eight images of a pair of masks, as one number, and the turn that gives it.
    #[must_use]
    pub fn least(&self, first: u128, second: u128) -> (u64, u8) {
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

    /// [`turned`] on this board size.
    #[must_use]
    pub fn turned(&self, cell: Cell, turn: u8) -> Cell {
        turned(self.size, cell, turn)
    }
}
