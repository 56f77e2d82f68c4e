//! Sentences that know which of their parts name a side, a key or a move. Knows no game, no wording and no screen.
//!
//! A [`Text`] is a plain string with spans over it. The [`text!`](crate::text!) macro builds one as `format!` builds a
//! string: an argument that is [`Marked`], such as the name of a side, leaves a span where it is written. The string
//! itself holds no marks, so nothing has to be stripped from it, and no text from outside can look like one.
//!
//! ```
//! use crosspath::game::Side;
//! use crosspath::text;
//! use crosspath::text::{SideName, Span};
//!
//! let [red, blue] = [SideName::new(Side::First, "Red"), SideName::new(Side::Second, "Blue")];
//! let said = text!("{red} resigned. {blue} wins.");
//! assert_eq!(said, "Red resigned. Blue wins.");
//! assert_eq!(said.spans(), [(0..3, Span::Side(Side::First)), (14..18, Span::Side(Side::Second))]);
//! ```

pub mod columns;

use std::cell::RefCell;
use std::fmt::{self, Alignment, Arguments, Display, Write};
use std::ops::{Deref, Range};

use crate::side::Side;

/// Builds a [`Text`](crate::text::Text) from the arguments of `format!`; arguments that are marked leave their spans in it.
#[macro_export]
macro_rules! text {
    ($($part:tt)*) => {
        $crate::text::Text::of(::std::format_args!($($part)*))
    };
}

/// Kind of thing that a part of a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Span {
    /// A side, or something that belongs to it.
    Side(Side),
    /// A key to press or a command to type.
    Key,
    /// A move, of this side if it has been or is to be played.
    Move(Option<Side>),
}

/// A part of a sentence with what it names. It is written like its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked<T> {
    span: Span,
    content: T,
}

/// The name of a side, such as `Red`.
pub type SideName = Marked<&'static str>;

impl SideName {
    /// The name of this side.
    #[must_use]
    pub const fn new(side: Side, name: &'static str) -> Self {
        Marked { span: Span::Side(side), content: name }
    }
}

/// The name of a key, or a command.
pub type KeyName = Marked<&'static str>;

impl KeyName {
    /// The key of this name.
    #[must_use]
    pub const fn key(name: &'static str) -> Self {
        Marked { span: Span::Key, content: name }
    }
}

/// Marks what belongs to a side: its sign, or a group of words about it.
///
/// ```
/// use crosspath::game::Side;
/// use crosspath::text;
/// use crosspath::text::{Span, of_side};
/// let line = text!("{}   draws 0", of_side(Side::First, "X 3"));
/// assert_eq!((line.as_str(), line.spans()), ("X 3   draws 0", &[(0..3, Span::Side(Side::First))][..]));
/// ```
#[must_use]
pub const fn of_side<T>(side: Side, content: T) -> Marked<T> {
    Marked { span: Span::Side(side), content }
}

/// Marks a move, of this side if it has been or is to be played.
#[must_use]
pub const fn of_move<T>(side: Option<Side>, content: T) -> Marked<T> {
    Marked { span: Span::Move(side), content }
}

impl<T> Deref for Marked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.content
    }
}

impl<T: Display> Display for Marked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = written();
        self.content.fmt(f)?;
        record(start..written(), self.span);
        Ok(())
    }
}

impl PartialEq<str> for SideName {
    fn eq(&self, other: &str) -> bool {
        self.content == other
    }
}

impl PartialEq<&str> for SideName {
    fn eq(&self, other: &&str) -> bool {
        self.content == *other
    }
}

/// Joins moves, of this side if they have been or are to be played, with a separator between them.
#[must_use]
pub fn moves<T: Display>(side: Option<Side>, moves: impl IntoIterator<Item = T>, separator: &str) -> Text {
    join(moves.into_iter().map(|mv| text!("{}", of_move(side, mv))), separator)
}

/// A string with spans over it that say what its parts name. Equal texts have equal strings and spans.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    string: String,
    /// In the order in which they end; one that lies within another comes before it.
    spans: Vec<(Range<usize>, Span)>,
}

/// Length and spans of the text that is being built on this thread.
///
/// Outside of [`Text::of`], and where something is formatted into a string of its own meanwhile, the length does not
/// grow, so that nothing is recorded.
#[derive(Default)]
struct Recording {
    length: usize,
    spans: Vec<(Range<usize>, Span)>,
}

thread_local! {
    static RECORDING: RefCell<Recording> = RefCell::default();
}

/// Returns the length of the text that is being built.
fn written() -> usize {
    RECORDING.with_borrow(|recording| recording.length)
}

fn record(place: Range<usize>, span: Span) {
    if !place.is_empty() {
        RECORDING.with_borrow_mut(|recording| recording.spans.push((place, span)));
    }
}

/// Writes a text and keeps count of it.
struct Recorder(String);

impl Write for Recorder {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.push_str(part);
        RECORDING.with_borrow_mut(|recording| recording.length = self.0.len());
        Ok(())
    }
}

impl Text {
    /// A text without content.
    #[must_use]
    pub const fn new() -> Self {
        Text { string: String::new(), spans: Vec::new() }
    }

    /// Builds a text; the [`text!`](crate::text!) macro calls it.
    ///
    /// # Panics
    /// If an argument cannot be written, as `format!` does.
    #[must_use]
    pub fn of(arguments: Arguments<'_>) -> Self {
        let outer = RECORDING.take();
        let mut recorder = Recorder(String::new());
        let result = recorder.write_fmt(arguments);
        let spans = RECORDING.replace(outer).spans;
        result.expect("an argument of a text can be written");
        Text { string: recorder.0, spans }
    }

    /// Returns the plain string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.string
    }

    /// Returns the spans, each with the bytes that it covers. One that lies within another comes before it.
    #[must_use]
    pub fn spans(&self) -> &[(Range<usize>, Span)] {
        &self.spans
    }

    /// Reports whether a part of it names a side.
    #[must_use]
    pub fn names_a_side(&self) -> bool {
        self.spans.iter().any(|(_, span)| matches!(span, Span::Side(_)))
    }

    /// Appends a text with its spans.
    pub fn push(&mut self, other: &Text) {
        let start = self.string.len();
        self.string.push_str(&other.string);
        self.spans.extend(other.spans.iter().map(|(place, span)| (moved(place, start), *span)));
    }

    /// Appends a plain string.
    pub fn push_str(&mut self, other: &str) {
        self.string.push_str(other);
    }

    /// Returns a part of it, by bytes.
    ///
    /// # Panics
    /// If an end of the range is no boundary between characters of the string.
    #[must_use]
    pub fn slice(&self, part: Range<usize>) -> Text {
        let cut = |(place, span): &(Range<usize>, Span)| {
            let (start, end) = (place.start.max(part.start), place.end.min(part.end));
            (start < end).then(|| (start - part.start..end - part.start, *span))
        };
        Text {
            string: self.string[part.clone()].to_owned(),
            spans: self.spans.iter().filter_map(cut).collect(),
        }
    }

    /// Returns the part of it that a string slice of it covers.
    fn part(&self, part: &str) -> Text {
        let start = part.as_ptr().addr() - self.string.as_ptr().addr();
        self.slice(start..start + part.len())
    }

    /// Returns the plain string and drops the spans.
    #[must_use]
    pub fn into_string(self) -> String {
        self.string
    }

    /// Returns it without the blanks at both ends.
    #[must_use]
    pub fn trimmed(&self) -> Text {
        self.part(self.string.trim())
    }

    /// Returns it without the full stops at its end.
    #[must_use]
    pub fn without_full_stop(&self) -> Text {
        self.part(self.string.trim_end_matches('.'))
    }

    /// Returns the parts between occurrences of a separator, as `str::split` does.
    #[must_use]
    pub fn parts(&self, separator: &str) -> Vec<Text> {
        self.string.split(separator).map(|part| self.part(part)).collect()
    }

    /// Returns it with another string in place of every occurrence of one. A span over an occurrence covers what
    /// replaces it.
    #[must_use]
    pub fn replaced(&self, from: &str, to: &str) -> Text {
        let mut string = String::with_capacity(self.string.len());
        let mut changes = Vec::new(); // where an occurrence ended, and where its replacement ends
        let mut at = 0;
        for (start, found) in self.string.match_indices(from) {
            string += &self.string[at..start];
            string += to;
            at = start + found.len();
            changes.push((at, string.len()));
        }
        string += &self.string[at..];
        let place = |old: usize| {
            let before = changes.iter().rev().find(|(end, _)| *end <= old);
            let moved = before.map_or(old, |&(end, new)| new + old - end);
            moved.min(string.len())
        };
        let spans = self.spans.iter().map(|(range, span)| (place(range.start)..place(range.end), *span));
        let spans = spans.filter(|(place, _)| !place.is_empty()).collect();
        Text { string, spans }
    }
}

fn moved(place: &Range<usize>, by: usize) -> Range<usize> {
    place.start + by..place.end + by
}

/// Joins texts, with a separator between them.
///
/// ```
/// use crosspath::text::{Text, join};
/// assert_eq!(join(["one", "two"].map(Text::from), ", "), "one, two");
/// ```
#[must_use]
pub fn join<T: Into<Text>>(texts: impl IntoIterator<Item = T>, separator: &str) -> Text {
    let mut all = Text::new();
    for (i, text) in texts.into_iter().enumerate() {
        if i > 0 {
            all.push_str(separator);
        }
        all.push(&text.into());
    }
    all
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.string
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.string
    }
}

impl Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = written();
        f.pad(&self.string)?;
        let end = written();
        // With a width there may be blanks in front; where it is cut nothing is known about its parts.
        let Some(blanks) = (end - start).checked_sub(self.string.len()) else { return Ok(()) };
        let before = match f.align() {
            Some(Alignment::Right) => blanks,
            Some(Alignment::Center) => blanks / 2,
            Some(Alignment::Left) | None => 0,
        };
        for (place, span) in &self.spans {
            record(moved(place, start + before), *span);
        }
        Ok(())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text::from(text.to_owned())
    }
}

impl From<String> for Text {
    fn from(string: String) -> Self {
        Text { string, spans: Vec::new() }
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        Text::from(text.clone())
    }
}

impl From<&Text> for Text {
    fn from(text: &Text) -> Self {
        text.clone()
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.string
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.string == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.string == *other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        self.string == *other
    }
}

impl PartialEq<Text> for str {
    fn eq(&self, other: &Text) -> bool {
        *self == other.string
    }
}

impl PartialEq<Text> for &str {
    fn eq(&self, other: &Text) -> bool {
        **self == other.string
    }
}

impl PartialEq<Text> for String {
    fn eq(&self, other: &Text) -> bool {
        *self == other.string
    }
}
