//! Moves of Quoridor in the notations of other programs. This module does not depend on positions.

use std::str::FromStr;

use super::moves::{Move, MoveKind, parse_move_name};

/// Notation of cells and walls. Columns and the suffixes `h` and `v` are the same in all notations; the rows
/// differ.
///
/// ```
/// use crosspath::games::quoridor::notation::NotationDialect;
/// assert_eq!(NotationDialect::default(), NotationDialect::Modern);
/// assert_eq!(NotationDialect::Qtp.convert_text("e9", 9).as_deref(), Some("e1"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NotationDialect {
    /// Crosspath's notation: First starts at the bottom; a wall is named by the cell at its lower left.
    #[default]
    Modern,
    /// Notation of the Quoridor Text Protocol: First (black) starts at the top; a wall is named by the cell
    /// at its upper left.
    Qtp,
    /// Notation in which rows are counted from the bottom and First starts at the top; a wall is named by its
    /// lowest cell.
    TopFirst,
}

impl NotationDialect {
    /// Returns the notation's name in the header of a record: `modern`, `qtp`, `top-first`.
    ///
    /// ```
    /// use crosspath::games::quoridor::notation::NotationDialect;
    /// assert_eq!(NotationDialect::TopFirst.name(), "top-first");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NotationDialect::Modern => "modern",
            NotationDialect::Qtp => "qtp",
            NotationDialect::TopFirst => "top-first",
        }
    }

    /// Converts a move between this notation and the modern one, on a board of `height` ranks. The conversion
    /// is its own inverse. Returns `None` if the move is not on the board.
    ///
    /// ```
    /// use crosspath::games::quoridor::{Move, notation::NotationDialect};
    /// let top = Move::at(4, 8, None).ok_or("beyond the largest board")?;
    /// assert_eq!(NotationDialect::Qtp.convert_move(top, 9), Move::at(4, 0, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn convert_move(self, mv: Move, height: usize) -> Option<Move> {
        let (cell, orientation) = match mv.kind() {
            MoveKind::Step(cell) => (cell, None),
            MoveKind::Wall(wall) => (wall.post, Some(wall.orientation)),
        };
        // Rows are counted from 0 here, so row r of the documentation is r - 1.
        let row = match (self, orientation) {
            (NotationDialect::Modern, None) => Some(cell.row()),
            (NotationDialect::Modern, Some(_)) => Some(cell.row()).filter(|row| row + 1 < height),
            (NotationDialect::Qtp, _) | (NotationDialect::TopFirst, None) => {
                height.checked_sub(cell.row() + 1)
            }
            (NotationDialect::TopFirst, Some(_)) => height.checked_sub(cell.row() + 2),
        };
        Move::at(cell.file(), row.filter(|&row| row < height)?, orientation)
    }

    /// Converts a move's text between this notation and the modern one, written as `e3`, `e3h`, `e3v`.
    /// Returns `None` if the text is not a move on that board.
    ///
    /// ```
    /// use crosspath::games::quoridor::notation::NotationDialect;
    /// assert_eq!(NotationDialect::Qtp.convert_text("D8 h", 9).as_deref(), Some("d2h"));
    /// assert_eq!(NotationDialect::TopFirst.convert_text("c3h", 9).as_deref(), Some("c6h"));
    /// ```
    #[must_use]
    pub fn convert_text(self, text: &str, height: usize) -> Option<String> {
        let (file, row, orientation) = parse_move_name(text)?;
        self.convert_move(Move::at(file, row, orientation)?, height).map(|mv| mv.to_string())
    }
}

impl FromStr for NotationDialect {
    type Err = ();

    /// Parses a notation's name in any case.
    fn from_str(text: &str) -> Result<Self, ()> {
        let all = [NotationDialect::Modern, NotationDialect::Qtp, NotationDialect::TopFirst];
        all.into_iter().find(|dialect| text.eq_ignore_ascii_case(dialect.name())).ok_or(())
    }
}
