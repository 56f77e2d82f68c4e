//! Moves of a file before they are followed: moves, brackets, comments, line by line. Knows no form of file.

use crate::game::{Refusal, Side};
use crate::record::Property;
use crate::text;
use crate::text::Text;

/// Form in which the moves of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// The text record: a header, then moves as words.
    Record,
    /// A game of Hex in SGF.
    Sgf,
    /// Moves as words.
    List,
    /// Digits in pairs, row and column from 0; every other byte is noise.
    Digits,
    /// Numbers in pairs, row and column from 0.
    Pairs,
    /// A link of `HexWorld` or trmph.
    Link,
    /// JSON lines of the arena.
    Json,
}

impl RecordFormat {
    /// Reports whether files of this form say which game they are, and on which board.
    ///
    /// ```
    /// use crosspath::record::RecordFormat;
    /// assert!(RecordFormat::Sgf.names_its_game() && !RecordFormat::List.names_its_game());
    /// ```
    #[must_use]
    pub fn names_its_game(self) -> bool {
        !matches!(self, RecordFormat::List | RecordFormat::Digits | RecordFormat::Pairs)
    }
}

/// A move in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The move, to be played.
    pub text: String,
    /// The move as it stands in the file.
    pub written: String,
    /// Its line, from 1.
    pub line: usize,
    /// The side that the file names before it.
    pub side: Option<Side>,
}

impl RecordedMove {
    /// A move that is played as it is written.
    ///
    /// ```
    /// use crosspath::record::RecordedMove;
    /// let mv = RecordedMove::new("e2", 3);
    /// assert_eq!((mv.text.as_str(), mv.line, mv.side), ("e2", 3, None));
    /// ```
    #[must_use]
    pub fn new(text: &str, line: usize) -> Self {
        RecordedMove { text: text.to_owned(), written: text.to_owned(), line, side: None }
    }

    /// Says why the move is refused, for those who look into the file.
    #[must_use]
    pub fn wrong(&self, illegal: &Refusal) -> Text {
        let why = illegal.reason();
        if self.written.eq_ignore_ascii_case(&self.text) || !why.contains(&self.text) {
            return why;
        }
        text!("{why} (written {})", Refusal::shown(&self.written))
    }
}

/// A part of the game that a file tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordItem {
    /// A move.
    Move(RecordedMove),
    /// A side line begins, in place of the move before; its line in the file.
    Open(usize),
    /// The side line ends.
    Close(usize),
    /// Something is said about the position after the move before.
    Comment(String),
    /// A mark on the board, or what another program has noted.
    Property(Property),
}

/// The moves of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveList {
    /// Form in which they are written.
    pub form: RecordFormat,
    /// The moves in order, and where side lines begin and end.
    pub items: Vec<RecordItem>,
    /// The last line, from 1.
    pub last_line: usize,
    /// `true` if the file has more than are read.
    pub has_more: bool,
}

/// The most moves, brackets and comments of a file that are read: more than any game has.
pub(super) const MAX_ITEMS: usize = 60_000;

/// Lines ended by LF, CR LF or CR, numbered from 1.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut line = 0;
    let mut after_cr = false;
    text.split_inclusive(['\n', '\r']).filter_map(move |row| {
        let only_lf_of_cr_lf = after_cr && row == "\n";
        after_cr = row.ends_with('\r');
        if only_lf_of_cr_lf {
            return None;
        }
        line += 1;
        Some((line, row.trim_end_matches(['\n', '\r'])))
    })
}
