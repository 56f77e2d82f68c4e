//! Winning lines of a square board as bit masks. This module contains only geometry.

/// All lines of `win_length` cells on an N x N board, with N at most 11.
///
/// A mask has bit `row * N + col` set for each of its cells. The order is rows from the top, columns from the
/// left, falling diagonals, rising diagonals. With `win_length` = N there are 2N + 2 lines. A single cell (N
/// = 1 or `win_length` = 1) is one line, not four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningLines {
    masks: Vec<u128>,
    through: Vec<Vec<u128>>,
}

impl WinningLines {
    /// Returns the lines of `win_length` cells on a `size` x `size` board.
    ///
    /// # Panics
    /// Panics unless 1 <= `win_length` <= `size` <= 11, so that the 121 cells fit into a mask.
    #[must_use]
    pub fn new(size: usize, win_length: usize) -> Self {
        assert!(
            1 <= win_length && win_length <= size && size <= 11,
            "no lines of {win_length} on {size}x{size}"
        );
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let directions = if win_length == 1 { &directions[..1] } else { &directions };
        let mut masks: Vec<u128> = Vec::new();
        for &(step_row, step_col) in directions {
            for row in 0..size {
                for col in 0..size {
                    // Vertical lines are scanned column by column, so that full lines have the documented
                    // order.
                    let (row, col) = if (step_row, step_col) == (1, 0) { (col, row) } else { (row, col) };
                    masks.extend(line_mask(size, win_length, (row, col), (step_row, step_col)));
                }
            }
        }
        let mut through = vec![Vec::new(); size * size];
        for &mask in &masks {
            let mut cells = mask;
            while cells != 0 {
                through[cells.trailing_zeros() as usize].push(mask);
                cells &= cells - 1;
            }
        }
        WinningLines { masks, through }
    }

    /// Returns all lines.
    #[must_use]
    pub fn masks(&self) -> &[u128] {
        &self.masks
    }

    /// Returns the lines that contain `cell`.
    #[must_use]
    pub fn masks_through(&self, cell: usize) -> &[u128] {
        &self.through[cell]
    }
}

/// Returns the line of `length` cells from a start in a direction, or `None` if it leaves the board.
fn line_mask(size: usize, length: usize, start: (usize, usize), step: (isize, isize)) -> Option<u128> {
    let mut mask = 0;
    for i in 0..length.cast_signed() {
        let row = start.0.checked_add_signed(i * step.0).filter(|&row| row < size)?;
        let col = start.1.checked_add_signed(i * step.1).filter(|&col| col < size)?;
        mask |= 1 << (row * size + col);
    }
    Some(mask)
}
