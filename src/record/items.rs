//! Items of a file before they are replayed: moves, brackets and comments with their lines. This module does
//! not depend on file formats.

use crate::game::{Refusal, Side};
use crate::record::NodeProperty;
use crate::text;
use crate::text::Text;

/// Format of a file's moves.
///
/// ```
/// use crosspath::record::{RecordFormat, RecordReadOptions, load_game};
/// let read = |text: &str| load_game(text.as_bytes(), &RecordReadOptions::default()).map(|game| game.form);
/// assert_eq!(read("(;GM[11]SZ[5];B[c3])"), Ok(RecordFormat::Sgf));
/// assert_eq!(read("#5c1,c3"), Ok(RecordFormat::Link));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// Text record: a header, then moves as words.
    Record,
    /// Game of Hex in SGF.
    Sgf,
    /// List of moves as words.
    List,
    /// Pairs of digits, row and column from 0; every other byte is ignored.
    Digits,
    /// Pairs of numbers, row and column from 0.
    Pairs,
    /// Link of `HexWorld` or trmph.
    Link,
    /// JSON lines of the arena.
    Json,
}

impl RecordFormat {
    /// Reports whether files in this format state their game and board.
    ///
    /// ```
    /// use crosspath::record::RecordFormat;
    /// assert!(RecordFormat::Sgf.states_game() && !RecordFormat::List.states_game());
    /// ```
    #[must_use]
    pub fn states_game(self) -> bool {
        !matches!(self, RecordFormat::List | RecordFormat::Digits | RecordFormat::Pairs)
    }
}

/// A move in a file.
///
/// ```
/// use crosspath::record::split_list_moves;
/// let moves = split_list_moves("1. e2 e8\n2. e3");
/// assert_eq!((moves[2].text.as_str(), moves[2].line), ("e3", 2));
/// assert_eq!(moves[2].side, None, "the list names no sides");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// Move in crosspath's notation.
    pub text: String,
    /// Move as written in the file.
    pub written: String,
    /// Line of the file, from 1.
    pub line: usize,
    /// Side that the file names before the move.
    pub side: Option<Side>,
}

impl RecordedMove {
    /// Returns a move whose text is the text in the file.
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

    /// Returns the reason why the move is refused, with the text in the file if it differs.
    #[must_use]
    pub fn describe_refusal(&self, illegal: &Refusal) -> Text {
        let why = illegal.reason();
        if self.written.eq_ignore_ascii_case(&self.text) || !why.contains(&self.text) {
            return why;
        }
        text!("{why} (written {})", Refusal::sanitize_excerpt(&self.written))
    }
}

/// An item of a game in a file.
///
/// ```
/// use crosspath::record::{MoveList, RecordFormat, RecordItem, RecordedMove};
/// let mv = |text: &str| RecordItem::Move(RecordedMove::new(text, 1));
/// // The variation a1 takes the place of b2.
/// let items = vec![mv("b2"), RecordItem::Open(1), mv("a1"), RecordItem::Close(1), mv("c3")];
/// let list = MoveList { form: RecordFormat::List, items, last_line: 1, has_more: false };
/// assert!(list.moves().map(|mv| mv.text.as_str()).eq(["b2", "a1", "c3"]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordItem {
    /// A move.
    Move(RecordedMove),
    /// Start of a variation in place of the previous move, with its line in the file.
    Open(usize),
    /// End of a variation, with its line in the file.
    Close(usize),
    /// Comment about the position after the previous move.
    Comment(String),
    /// SGF property: a mark on the board, or data of another program.
    Property(NodeProperty),
}

/// Moves of a file.
///
/// ```
/// use crosspath::record::{MoveList, RecordFormat, RecordItem, split_list_moves};
/// let mut items: Vec<RecordItem> = split_list_moves("b2 a1").into_iter().map(RecordItem::Move).collect();
/// items.insert(1, RecordItem::Comment("The centre.".to_owned()));
/// let list = MoveList { form: RecordFormat::List, items, last_line: 1, has_more: false };
/// assert!(list.moves().map(|mv| mv.text.as_str()).eq(["b2", "a1"]), "a comment is not a move");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveList {
    /// Format in which the moves are written.
    pub form: RecordFormat,
    /// Moves and brackets of variations, in the order of the file.
    pub items: Vec<RecordItem>,
    /// Number of the last line, from 1.
    pub last_line: usize,
    /// `true` if the file has more items than are read.
    pub has_more: bool,
}

/// Maximum number of moves, brackets and comments of a file that are read, more than any game has.
pub(super) const MAX_ITEMS_PER_FILE: usize = 60_000;

/// Returns the lines of a text, which end with LF, CR LF or CR, numbered from 1.
pub(super) fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
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
