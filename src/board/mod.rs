//! Square boards and what can be asked of their rows, columns and diagonals.
//! Knows no rules: what a full line means is the games' business.

pub mod hexgrid;
pub mod lines;
pub mod names;
pub mod paths;

use std::fmt::{self, Display};

/// Size of the largest board: the number of letters for columns.
pub const MAX_SIZE: usize = 26;

/// A size that a board cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("size {got} is not possible; sizes are {least} to {most}")]
pub struct SizeError {
    /// The size asked for.
    pub got: usize,
    /// The smallest size.
    pub least: usize,
    /// The largest size.
    pub most: usize,
}

impl SizeError {
    /// Checks that a size is possible.
    pub(crate) fn check(got: usize, least: usize, most: usize) -> Result<(), SizeError> {
        if (least..=most).contains(&got) { Ok(()) } else { Err(SizeError { got, least, most }) }
    }
}

/// An index beyond the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {got} is off the board; it must be below {size}")]
pub struct OutOfRange {
    /// `row` or `column`.
    pub what: &'static str,
    /// The index, counted from 0.
    pub got: usize,
    /// The board's size.
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
/// The costs named below count cells looked at, with n = N.
///
/// ```
/// use crosspath::board::Grid;
/// let mut grid = Grid::new(3, '_')?;
/// for col in 0..3 {
///     grid.set(0, col, 'X')?;
/// }
/// assert!(grid.row_is(0, 'X')?);
/// assert_eq!(grid.to_string(), "X X X\n_ _ _\n_ _ _\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    size: usize,
    cells: Vec<T>,
}

/// The place (row, col) as one number, `10 * row + col`: (2,2) is 22. A form for people; nothing inside uses it.
#[must_use]
pub fn position_code((row, col): (usize, usize)) -> usize {
    10 * row + col
}

impl<T: Copy + PartialEq> Grid<T> {
    /// A board of `size` x `size` cells that all hold `fill`. O(n²).
    ///
    /// # Errors
    /// `SizeError` unless 1 <= `size` <= [`MAX_SIZE`].
    pub fn new(size: usize, fill: T) -> Result<Self, SizeError> {
        SizeError::check(size, 1, MAX_SIZE)?;
        Ok(Grid { size, cells: vec![fill; size * size] })
    }

    /// N. O(1).
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Puts a value into a cell. O(1).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such cell; the board is then unchanged.
    pub fn set(&mut self, row: usize, col: usize, value: T) -> Result<(), OutOfRange> {
        let index = self.checked("row", row)? * self.size + self.checked("column", col)?;
        self.cells[index] = value;
        Ok(())
    }

    /// The value of a cell, `None` off the board. O(1).
    #[must_use]
    pub fn get(&self, row: usize, col: usize) -> Option<T> {
        (row < self.size && col < self.size).then(|| self.cells[row * self.size + col])
    }

    /// Puts one value into every cell. O(n²).
    pub fn fill(&mut self, value: T) {
        self.cells.fill(value);
    }

    /// The first cell in reading order that holds `value`, as (row, col). O(n²).
    #[must_use]
    pub fn find(&self, value: T) -> Option<(usize, usize)> {
        self.cells.iter().position(|&cell| cell == value).map(|index| self.place(index))
    }

    /// The last cell in reading order that holds `value`, as (row, col). O(n²).
    #[must_use]
    pub fn rfind(&self, value: T) -> Option<(usize, usize)> {
        self.cells.iter().rposition(|&cell| cell == value).map(|index| self.place(index))
    }

    /// Reports whether no two cells of a row are equal. O(n²).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such row.
    pub fn row_all_different(&self, row: usize) -> Result<bool, OutOfRange> {
        let cells: Vec<T> = self.row(row)?.collect();
        Ok((1..cells.len()).all(|i| !cells[..i].contains(&cells[i])))
    }

    /// Reports whether every cell of a row holds `value`. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such row.
    pub fn row_is(&self, row: usize, value: T) -> Result<bool, OutOfRange> {
        Ok(all_are(self.row(row)?, value))
    }

    /// Reports whether all cells of a row are equal, whatever they hold. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such row.
    pub fn row_is_uniform(&self, row: usize) -> Result<bool, OutOfRange> {
        Ok(is_uniform(self.row(row)?))
    }

    /// Reports whether every cell of a column holds `value`. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such column.
    pub fn column_is(&self, col: usize, value: T) -> Result<bool, OutOfRange> {
        Ok(all_are(self.column(col)?, value))
    }

    /// Reports whether all cells of a column are equal, whatever they hold. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such column.
    pub fn column_is_uniform(&self, col: usize) -> Result<bool, OutOfRange> {
        Ok(is_uniform(self.column(col)?))
    }

    /// Reports whether every cell of the diagonal from the top left holds `value`. O(n).
    #[must_use]
    pub fn main_diagonal_is(&self, value: T) -> bool {
        all_are(self.main_diagonal(), value)
    }

    /// Reports whether all cells of the diagonal from the top left are equal. O(n).
    #[must_use]
    pub fn main_diagonal_is_uniform(&self) -> bool {
        is_uniform(self.main_diagonal())
    }

    /// Reports whether every cell of the diagonal from the top right holds `value`. O(n).
    #[must_use]
    pub fn anti_diagonal_is(&self, value: T) -> bool {
        all_are(self.anti_diagonal(), value)
    }

    /// Reports whether all cells of the diagonal from the top right are equal. O(n).
    #[must_use]
    pub fn anti_diagonal_is_uniform(&self) -> bool {
        is_uniform(self.anti_diagonal())
    }

    fn checked(&self, what: &'static str, index: usize) -> Result<usize, OutOfRange> {
        if index < self.size { Ok(index) } else { Err(OutOfRange { what, got: index, size: self.size }) }
    }

    fn place(&self, index: usize) -> (usize, usize) {
        (index / self.size, index % self.size)
    }

    fn row(&self, row: usize) -> Result<impl Iterator<Item = T>, OutOfRange> {
        let start = self.checked("row", row)? * self.size;
        Ok(self.cells[start..start + self.size].iter().copied())
    }

    fn column(&self, col: usize) -> Result<impl Iterator<Item = T>, OutOfRange> {
        Ok(self.cells[self.checked("column", col)?..].iter().step_by(self.size).copied())
    }

    fn main_diagonal(&self) -> impl Iterator<Item = T> {
        self.cells.iter().step_by(self.size + 1).copied()
    }

    fn anti_diagonal(&self) -> impl Iterator<Item = T> {
        // By index and not by stride: on one cell a stride of N-1 would be zero.
        (0..self.size).map(|row| self.cells[row * self.size + self.size - 1 - row])
    }
}

fn all_are<T: Copy + PartialEq>(mut cells: impl Iterator<Item = T>, value: T) -> bool {
    cells.all(|cell| cell == value)
}

fn is_uniform<T: Copy + PartialEq>(mut cells: impl Iterator<Item = T>) -> bool {
    let first = cells.next().expect("a board has at least one cell");
    all_are(cells, first)
}

/// One line per row, cells separated by one blank. O(n²).
impl<T: Display> Display for Grid<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks(self.size) {
            let cells: Vec<String> = row.iter().map(T::to_string).collect();
            writeln!(f, "{}", cells.join(" "))?;
        }
        Ok(())
    }
}
