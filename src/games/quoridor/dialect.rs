//! The same move in the notations of other programs: text to text. Knows no position.

use std::str::FromStr;

use super::place::{Lie, MAX_SIZE, read_name};
use crate::board::names::cell_name;

/// A way to name cells and walls. Columns and `h`/`v` are the same in all; the rows differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// First starts at the bottom; a wall is named by the cell at its lower left.
    #[default]
    Modern,
    /// The Quoridor Text Protocol: First (black) starts at the top; a wall is named by the cell at its upper left.
    Qtp,
    /// Rows are counted from First's side, too, but First starts on the highest; a wall is named by the lowest cell.
    TopFirst,
}

impl Dialect {
    /// The name in a record's header: `modern`, `qtp`, `top-first`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Modern => "modern",
            Dialect::Qtp => "qtp",
            Dialect::TopFirst => "top-first",
        }
    }

    /// From this dialect to modern and, since it is its own inverse, from modern to this dialect, on a board of
    /// `height` ranks. Written as `e3`, `e3h`, `e3v`; `None` if the text is no name of that board.
    ///
    /// ```
    /// use crosspath::games::quoridor::dialect::Dialect;
    /// assert_eq!(Dialect::Qtp.convert("D8 h", 9).as_deref(), Some("d2h"));
    /// assert_eq!(Dialect::TopFirst.convert("c3h", 9).as_deref(), Some("c6h"));
    /// ```
    #[must_use]
    pub fn convert(self, text: &str, height: usize) -> Option<String> {
        let (file, row, lie) = read_name(text)?;
        // Counted from 0 here: row r of the table is r - 1.
        let turned = match (self, lie) {
            (Dialect::Modern, None) => Some(row),
            (Dialect::Modern, Some(_)) => Some(row).filter(|row| row + 1 < height),
            (Dialect::Qtp, _) | (Dialect::TopFirst, None) => height.checked_sub(row + 1),
            (Dialect::TopFirst, Some(_)) => height.checked_sub(row + 2),
        };
        let row = turned.filter(|&row| row < height && file < MAX_SIZE)?;
        let suffix = lie.map(Lie::letter).map(String::from).unwrap_or_default();
        Some(cell_name(file, row) + &suffix)
    }
}

impl FromStr for Dialect {
    type Err = ();

    /// Reads [`Dialect::name`] in any case.
    fn from_str(text: &str) -> Result<Self, ()> {
        let all = [Dialect::Modern, Dialect::Qtp, Dialect::TopFirst];
        all.into_iter().find(|dialect| text.eq_ignore_ascii_case(dialect.name())).ok_or(())
    }
}
