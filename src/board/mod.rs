//! Square boards and what can be asked of their rows, columns and diagonals.
//! Knows no rules: what a full line means is the games' business.

pub mod hexgrid;
pub mod lines;
pub mod names;
pub mod paths;

use std::fmt::{self, Display};

/// The largest board, as many columns as there are letters.
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
        if (1..=MAX_SIZE).contains(&size) {
            Ok(Grid { size, cells: vec![fill; size * size] })
        } else {
            Err(SizeError { got: size, least: 1, most: MAX_SIZE })
        }
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

    /// Whether no two cells of a row are equal. O(n²).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such row.
    pub fn row_all_different(&self, row: usize) -> Result<bool, OutOfRange> {
        let cells: Vec<T> = self.row(row)?.collect();
        Ok((1..cells.len()).all(|i| !cells[..i].contains(&cells[i])))
    }

    /// Whether every cell of a row holds `value`. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such row.
    pub fn row_is(&self, row: usize, value: T) -> Result<bool, OutOfRange> {
        Ok(all_are(self.row(row)?, value))
    }

    /// Whether all cells of a row are equal, whatever they hold. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such row.
    pub fn row_is_uniform(&self, row: usize) -> Result<bool, OutOfRange> {
        Ok(is_uniform(self.row(row)?))
    }

    /// Whether every cell of a column holds `value`. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such column.
    pub fn column_is(&self, col: usize, value: T) -> Result<bool, OutOfRange> {
        Ok(all_are(self.column(col)?, value))
    }

    /// Whether all cells of a column are equal, whatever they hold. O(n).
    ///
    /// # Errors
    /// `OutOfRange` if there is no such column.
    pub fn column_is_uniform(&self, col: usize) -> Result<bool, OutOfRange> {
        Ok(is_uniform(self.column(col)?))
    }

    /// Whether every cell of the diagonal from the top left holds `value`. O(n).
    #[must_use]
    pub fn main_diagonal_is(&self, value: T) -> bool {
        all_are(self.main_diagonal(), value)
    }

    /// Whether all cells of the diagonal from the top left are equal. O(n).
    #[must_use]
    pub fn main_diagonal_is_uniform(&self) -> bool {
        is_uniform(self.main_diagonal())
    }

    /// Whether every cell of the diagonal from the top right holds `value`. O(n).
    #[must_use]
    pub fn anti_diagonal_is(&self, value: T) -> bool {
        all_are(self.anti_diagonal(), value)
    }

    /// Whether all cells of the diagonal from the top right are equal. O(n).
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
            for (col, cell) in row.iter().enumerate() {
                let gap = if col == 0 { "" } else { " " };
                write!(f, "{gap}{cell}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&str]) -> Grid<char> {
        let mut grid = Grid::new(rows.len(), ' ').unwrap();
        for (r, row) in rows.iter().enumerate() {
            for (c, cell) in row.chars().enumerate() {
                grid.set(r, c, cell).unwrap();
            }
        }
        grid
    }

    #[test]
    fn sizes_1_to_26_exist_side_by_side() {
        let all: Vec<Grid<u8>> = (1..=26).map(|size| Grid::new(size, 0).unwrap()).collect();
        assert!(all.iter().zip(1..).all(|(grid, size)| grid.size() == size));
        for got in [0, 27, usize::MAX] {
            assert_eq!(Grid::new(got, 0).unwrap_err(), SizeError { got, least: 1, most: 26 });
        }
    }

    #[test]
    fn an_index_of_n_is_off_the_board_and_changes_nothing() {
        let mut grid = grid(&["abc", "def", "ghi"]);
        let before = grid.clone();
        grid.set(0, 0, 'a').unwrap();
        grid.set(2, 2, 'i').unwrap();
        assert_eq!(grid.set(3, 0, 'z'), Err(OutOfRange { what: "row", got: 3, size: 3 }));
        assert_eq!(grid.set(0, 3, 'z'), Err(OutOfRange { what: "column", got: 3, size: 3 }));
        assert_eq!(grid, before);
        assert_eq!((grid.get(2, 0), grid.get(3, 0), grid.get(0, 3)), (Some('g'), None, None));
    }

    #[test]
    fn it_prints_one_blank_between_cells_and_none_at_the_end() {
        assert_eq!(grid(&["X_O", "_X_", "O_X"]).to_string(), "X _ O\n_ X _\nO _ X\n");
        assert_eq!(grid(&["X"]).to_string(), "X\n");
    }

    #[test]
    fn search_gives_the_first_cell_and_rfind_the_last() {
        let mut all = grid(&["___", "___", "___"]);
        all.fill('X');
        assert_eq!((all.find('X'), all.rfind('X')), (Some((0, 0)), Some((2, 2))));
        assert_eq!((all.find('O'), all.rfind('O')), (None, None));
        assert_eq!(grid(&["__X", "X__", "_X_"]).find('X'), Some((0, 2)));
        assert_eq!(position_code(all.rfind('X').unwrap()), 22);
        assert_eq!(position_code((9, 9)), 99);
    }

    #[test]
    fn rows_and_columns_tell_equal_to_c_from_equal_among_themselves() {
        let grid = grid(&["XXX", "_O_", "abc"]);
        assert_eq!(
            (grid.row_is(0, 'X'), grid.row_is(0, 'O'), grid.row_is(1, '_')),
            (Ok(true), Ok(false), Ok(false))
        );
        assert_eq!((grid.row_is_uniform(0), grid.row_is_uniform(1)), (Ok(true), Ok(false)));
        assert_eq!((grid.row_all_different(2), grid.row_all_different(1)), (Ok(true), Ok(false)));
        let turned = self::grid(&["X_a", "XOb", "X_c"]);
        assert_eq!((turned.column_is(0, 'X'), turned.column_is(1, '_')), (Ok(true), Ok(false)));
        assert_eq!((turned.column_is_uniform(0), turned.column_is_uniform(2)), (Ok(true), Ok(false)));
        let bad = |what| OutOfRange { what, got: 3, size: 3 };
        assert_eq!(grid.row_is(3, 'X'), Err(bad("row")));
        assert_eq!(grid.row_is_uniform(3), Err(bad("row")));
        assert_eq!(grid.row_all_different(3), Err(bad("row")));
        assert_eq!(grid.column_is(3, 'X'), Err(bad("column")));
        assert_eq!(grid.column_is_uniform(3), Err(bad("column")));
    }

    #[test]
    fn diagonals_of_odd_even_and_single_boards() {
        let odd = grid(&["X_O", "_O_", "O_X"]);
        assert!(odd.anti_diagonal_is('O') && odd.anti_diagonal_is_uniform());
        assert!(!odd.main_diagonal_is('X') && !odd.main_diagonal_is_uniform());
        let even = grid(&["X__O", "_XO_", "_OX_", "O__X"]);
        assert!(even.main_diagonal_is('X') && even.anti_diagonal_is('O'));
        assert!(even.main_diagonal_is_uniform() && even.anti_diagonal_is_uniform());
        let one = grid(&["_"]);
        assert!(one.main_diagonal_is('_') && one.anti_diagonal_is('_'));
        assert!(one.main_diagonal_is_uniform() && one.anti_diagonal_is_uniform());
        assert_eq!(one.row_all_different(0), Ok(true));
    }
}
