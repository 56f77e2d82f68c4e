//! Moves of Quoridor in the notations of other programs. Knows no position.

use std::str::FromStr;

use super::moves::{Move, MoveKind, read_name};

/// A notation for cells and walls. Columns and `h`/`v` are the same in all; the rows differ.
///
/// ```
/// use crosspath::games::quoridor::notation::Dialect;
/// assert_eq!(Dialect::default(), Dialect::Modern);
/// assert_eq!(Dialect::Qtp.convert("e9", 9).as_deref(), Some("e1"));
/// ```
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
    ///
    /// ```
    /// use crosspath::games::quoridor::notation::Dialect;
    /// assert_eq!(Dialect::TopFirst.name(), "top-first");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Modern => "modern",
            Dialect::Qtp => "qtp",
            Dialect::TopFirst => "top-first",
        }
    }

    /// From this dialect to modern and, since it is its own inverse, from modern to this dialect: the move that has in
    /// the one the name that `mv` has in the other, on a board of `height` ranks; `None` where there is none.
    ///
    /// ```
    /// use crosspath::games::quoridor::{Move, notation::Dialect};
    /// let top = Move::at(4, 8, None).ok_or("beyond the largest board")?;
    /// assert_eq!(Dialect::Qtp.turned(top, 9), Move::at(4, 0, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn turned(self, mv: Move, height: usize) -> Option<Move> {
        let (cell, orientation) = match mv.act() {
            MoveKind::Go(cell) => (cell, None),
            MoveKind::Build(wall) => (wall.post, Some(wall.orientation)),
        };
        // Counted from 0 here: row r of the table is r - 1.
        let row = match (self, orientation) {
            (Dialect::Modern, None) => Some(cell.row()),
            (Dialect::Modern, Some(_)) => Some(cell.row()).filter(|row| row + 1 < height),
            (Dialect::Qtp, _) | (Dialect::TopFirst, None) => height.checked_sub(cell.row() + 1),
            (Dialect::TopFirst, Some(_)) => height.checked_sub(cell.row() + 2),
        };
        Move::at(cell.file(), row.filter(|&row| row < height)?, orientation)
    }

    /// Converts a name between this dialect and modern, written as `e3`, `e3h`, `e3v`; `None` if the text is no name of
    /// that board.
    ///
    /// ```
    /// use crosspath::games::quoridor::notation::Dialect;
    /// assert_eq!(Dialect::Qtp.convert("D8 h", 9).as_deref(), Some("d2h"));
    /// assert_eq!(Dialect::TopFirst.convert("c3h", 9).as_deref(), Some("c6h"));
    /// ```
    #[must_use]
    pub fn convert(self, text: &str, height: usize) -> Option<String> {
        let (file, row, orientation) = read_name(text)?;
        self.turned(Move::at(file, row, orientation)?, height).map(|mv| mv.to_string())
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
