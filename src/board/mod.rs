//! Square boards with queries on their rows, columns and diagonals. This module does not depend on the rules
//! of games.

pub mod hexgrid;
pub mod lines;
pub mod names;
pub mod paths;

use std::fmt::{self, Display};

/// Size of the largest board. Columns are named by the 26 letters.
pub const MAX_BOARD_SIZE: usize = 26;

/// Error for a board size outside of the possible range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("size {got} is not possible; sizes are {least} to {most}")]
pub struct SizeError {
    /// Requested size.
    pub got: usize,
    /// Smallest possible size.
    pub least: usize,
    /// Largest possible size.
    pub most: usize,
}

impl SizeError {
    /// Checks that a size is in the range `least` to `most`.
    pub(crate) fn check_size(got: usize, least: usize, most: usize) -> Result<(), SizeError> {
        if (least..=most).contains(&got) { Ok(()) } else { Err(SizeError { got, least, most }) }
    }
}

/// Error for a row or a column outside of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {got} is off the board; it must be below {size}")]
pub struct OutOfRange {
    /// Kind of the index, `row` or `column`.
    pub what: &'static str,
    /// Rejected index, counted from 0.
    pub got: usize,
    /// Size of the board.
    pub size: usize,
}

/// An N x N board of values, rows from the top, columns from the left, both counted from 0.
///
/// ```text
/// (0,0) (0,1) … (0,N-1)     stored row by row
/// (1,0)   ⋱
///   ⋮         (N-1,N-1)
/// ```
///
/// Complexities count the cells visited, with n = N.
///
/// ```
/// use crosspath::board::Grid;
/// let mut grid = Grid::new(3, '_')?;
/// for col in 0..3 {
///     grid.set(0, col, 'X')?;
/// }
/// assert!(grid.is_row_filled_with(0, 'X')?);
/// assert_eq!(grid.to_string(), "X X X\n_ _ _\n_ _ _\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    size: usize,
    cells: Vec<T>,
}

/// Returns the cell (row, col) as one decimal number, `10 * row + col`: (2,2) is 22.
#[must_use]
pub fn position_code((row, col): (usize, usize)) -> usize {
    10 * row + col
}

impl<T: Copy + PartialEq> Grid<T> {
    /// Returns a board of `size` x `size` cells filled with `fill`. O(n²).
    ///
    /// # Errors
    /// `SizeError` unless 1 <= `size` <= [`MAX_BOARD_SIZE`].
    pub fn new(size: usize, fill: T) -> Result<Self, SizeError> {
        SizeError::check_size(size, 1, MAX_BOARD_SIZE)?;
        Ok(Grid { size, cells: vec![fill; size * size] })
    }

    /// Returns the number of cells per side, N. O(1).
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Sets the value of a cell. O(1).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such cell; the board is then unchanged.
    pub fn set(&mut self, row: usize, col: usize, value: T) -> Result<(), OutOfRange> {
        let index = self.check_index("row", row)? * self.size + self.check_index("column", col)?;
        self.cells[index] = value;
        Ok(())
    }

    /// Returns the value of a cell, or `None` off the board. O(1).
    #[must_use]
    pub fn get(&self, row: usize, col: usize) -> Option<T> {
        (row < self.size && col < self.size).then(|| self.cells[row * self.size + col])
    }

    /// Sets every cell to one value. O(n²).
    pub fn fill(&mut self, value: T) {
        self.cells.fill(value);
    }

    /// Returns the first cell in reading order that holds `value`, as (row, col). O(n²).
    #[must_use]
    pub fn find(&self, value: T) -> Option<(usize, usize)> {
        self.cells.iter().position(|&cell| cell == value).map(|index| self.coordinates(index))
    }

    /// Returns the last cell in reading order that holds `value`, as (row, col). O(n²).
    #[must_use]
    pub fn rfind(&self, value: T) -> Option<(usize, usize)> {
        self.cells.iter().rposition(|&cell| cell == value).map(|index| self.coordinates(index))
    }

    /// Reports whether all cells of a row hold different values. O(n²).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such row.
    pub fn is_row_all_different(&self, row: usize) -> Result<bool, OutOfRange> {
        let cells: Vec<T> = self.row_cells(row)?.collect();
        Ok((1..cells.len()).all(|i| !cells[..i].contains(&cells[i])))
    }

    /// Reports whether every cell of a row holds `value`. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such row.
    pub fn is_row_filled_with(&self, row: usize, value: T) -> Result<bool, OutOfRange> {
        Ok(are_all_equal_to(self.row_cells(row)?, value))
    }

    /// Reports whether all cells of a row are equal. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such row.
    pub fn is_row_uniform(&self, row: usize) -> Result<bool, OutOfRange> {
        Ok(are_all_equal(self.row_cells(row)?))
    }

    /// Reports whether every cell of a column holds `value`. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such column.
    pub fn is_column_filled_with(&self, col: usize, value: T) -> Result<bool, OutOfRange> {
        Ok(are_all_equal_to(self.column_cells(col)?, value))
    }

    /// Reports whether all cells of a column are equal. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such column.
    pub fn is_column_uniform(&self, col: usize) -> Result<bool, OutOfRange> {
        Ok(are_all_equal(self.column_cells(col)?))
    }

    /// Reports whether every cell of the diagonal from the top left holds `value`. O(n).
    #[must_use]
    pub fn is_main_diagonal_filled_with(&self, value: T) -> bool {
        are_all_equal_to(self.main_diagonal_cells(), value)
    }

    /// Reports whether all cells of the diagonal from the top left are equal. O(n).
    #[must_use]
    pub fn is_main_diagonal_uniform(&self) -> bool {
        are_all_equal(self.main_diagonal_cells())
    }

    /// Reports whether every cell of the diagonal from the top right holds `value`. O(n).
    #[must_use]
    pub fn is_anti_diagonal_filled_with(&self, value: T) -> bool {
        are_all_equal_to(self.anti_diagonal_cells(), value)
    }

    /// Reports whether all cells of the diagonal from the top right are equal. O(n).
    #[must_use]
    pub fn is_anti_diagonal_uniform(&self) -> bool {
        are_all_equal(self.anti_diagonal_cells())
    }

    fn check_index(&self, what: &'static str, index: usize) -> Result<usize, OutOfRange> {
        if index < self.size { Ok(index) } else { Err(OutOfRange { what, got: index, size: self.size }) }
    }

    fn coordinates(&self, index: usize) -> (usize, usize) {
        (index / self.size, index % self.size)
    }

    fn row_cells(&self, row: usize) -> Result<impl Iterator<Item = T>, OutOfRange> {
        let start = self.check_index("row", row)? * self.size;
        Ok(self.cells[start..start + self.size].iter().copied())
    }

    fn column_cells(&self, col: usize) -> Result<impl Iterator<Item = T>, OutOfRange> {
        Ok(self.cells[self.check_index("column", col)?..].iter().step_by(self.size).copied())
    }

    fn main_diagonal_cells(&self) -> impl Iterator<Item = T> {
        self.cells.iter().step_by(self.size + 1).copied()
    }

    fn anti_diagonal_cells(&self) -> impl Iterator<Item = T> {
        // Cells are indexed because `step_by(N - 1)` would panic on a board of one cell.
        (0..self.size).map(|row| self.cells[row * self.size + self.size - 1 - row])
    }
}

fn are_all_equal_to<T: Copy + PartialEq>(mut cells: impl Iterator<Item = T>, value: T) -> bool {
    cells.all(|cell| cell == value)
}

fn are_all_equal<T: Copy + PartialEq>(mut cells: impl Iterator<Item = T>) -> bool {
    let first = cells.next().expect("a board has at least one cell");
    are_all_equal_to(cells, first)
}

/// Formats one line per row, with cells separated by one blank. O(n²).
impl<T: Display> Display for Grid<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks(self.size) {
            let cells: Vec<String> = row.iter().map(T::to_string).collect();
            writeln!(f, "{}", cells.join(" "))?;
        }
        Ok(())
    }
}
