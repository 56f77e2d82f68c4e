//! The winning lines of a square board as bit masks. Knows geometry only.

/// Every line of `win_length` cells of an N x N board, N at most 11.
///
/// A mask has bit `row * N + col` for each of its cells. The order is rows from the top, columns from the left,
/// diagonals that fall to the right, diagonals that fall to the left; with `win_length` = N that is 2N + 2 lines. A
/// cell alone (N = 1 or `win_length` = 1) is one line, not four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    masks: Vec<u128>,
    through: Vec<Vec<u128>>,
}

impl Lines {
    /// The lines of `win_length` cells on a `size` x `size` board.
    ///
    /// # Panics
    /// Unless 1 <= `win_length` <= `size` <= 11 (121 cells fit into a mask).
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
                    // Columns are scanned inside: the order of the documentation for full lines.
                    let (row, col) = if (step_row, step_col) == (1, 0) { (col, row) } else { (row, col) };
                    masks.extend(line(size, win_length, (row, col), (step_row, step_col)));
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
        Lines { masks, through }
    }

    /// All lines.
    #[must_use]
    pub fn all(&self) -> &[u128] {
        &self.masks
    }

    /// The lines that hold `cell`.
    #[must_use]
    pub fn through(&self, cell: usize) -> &[u128] {
        &self.through[cell]
    }
}

/// The line of `length` cells from a start in a direction, if it stays on the board.
fn line(size: usize, length: usize, start: (usize, usize), step: (isize, isize)) -> Option<u128> {
    let mut mask = 0;
    for i in 0..length.cast_signed() {
        let row = start.0.checked_add_signed(i * step.0).filter(|&row| row < size)?;
        let col = start.1.checked_add_signed(i * step.1).filter(|&col| col < size)?;
        mask |= 1 << (row * size + col);
    }
    Some(mask)
}
