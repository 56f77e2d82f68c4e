//! Text whose parts are marked as sides, keys or moves. This module does not depend on games, messages or
//! screens.
//!
//! A [`Text`] is a plain string with spans over it. The [`text!`](crate::text!) macro builds one as `format!`
//! builds a string: an argument that is [`Spanned`], such as the name of a side, leaves a span where it is
//! written. The string itself contains no marks, so nothing has to be stripped from it, and text from outside
//! cannot contain spans.
//!
//! ```
//! use crosspath::game::Side;
//! use crosspath::text;
//! use crosspath::text::{SideName, SpanKind};
//!
//! let [red, blue] = [SideName::new(Side::First, "Red"), SideName::new(Side::Second, "Blue")];
//! let sentence = text!("{red} resigned. {blue} wins.");
//! assert_eq!(sentence, "Red resigned. Blue wins.");
//! assert_eq!(sentence.spans(), [(0..3, SpanKind::Side(Side::First)), (14..18, SpanKind::Side(Side::Second))]);
//! ```

pub mod columns;

use std::cell::RefCell;
use std::fmt::{self, Alignment, Arguments, Display, Write};
use std::ops::{Deref, Range};

use crate::side::Side;

/// Builds a [`Text`](crate::text::Text) from the arguments of `format!`; marked arguments leave spans in it.
#[macro_export]
macro_rules! text {
    ($($part:tt)*) => {
        $crate::text::Text::from_format_args(::std::format_args!($($part)*))
    };
}

/// Kind of item that a span of a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpanKind {
    /// A side, or something that belongs to it.
    Side(Side),
    /// A key to press or a command to type.
    Key,
    /// A move, with its side if the move was or will be played.
    Move(Option<Side>),
}

/// Content that leaves a span in a text. It is displayed like the content alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    span: SpanKind,
    content: T,
}

/// Name of a side, such as `Red`.
pub type SideName = Spanned<&'static str>;

impl SideName {
    /// Creates the name of this side.
    #[must_use]
    pub const fn new(side: Side, name: &'static str) -> Self {
        Spanned { span: SpanKind::Side(side), content: name }
    }
}

/// Name of a key or command.
pub type KeyName = Spanned<&'static str>;

impl KeyName {
    /// Creates the name of a key or command.
    #[must_use]
    pub const fn for_key(name: &'static str) -> Self {
        Spanned { span: SpanKind::Key, content: name }
    }
}

/// Marks content that belongs to a side, such as its sign or a group of words.
///
/// ```
/// use crosspath::game::Side;
/// use crosspath::text;
/// use crosspath::text::{SpanKind, mark_side};
/// let line = text!("{}   draws 0", mark_side(Side::First, "X 3"));
/// assert_eq!((line.as_str(), line.spans()), ("X 3   draws 0", &[(0..3, SpanKind::Side(Side::First))][..]));
/// ```
#[must_use]
pub const fn mark_side<T>(side: Side, content: T) -> Spanned<T> {
    Spanned { span: SpanKind::Side(side), content }
}

/// Marks a move. The side is given if the move was or will be played.
#[must_use]
pub const fn mark_move<T>(side: Option<Side>, content: T) -> Spanned<T> {
    Spanned { span: SpanKind::Move(side), content }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.content
    }
}

impl<T: Display> Display for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = recorded_length();
        self.content.fmt(f)?;
        record_span(start..recorded_length(), self.span);
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

/// Joins moves with a separator and marks each of them. The side is given if the moves were or will be
/// played.
#[must_use]
pub fn join_moves<T: Display>(
    side: Option<Side>,
    moves: impl IntoIterator<Item = T>,
    separator: &str,
) -> Text {
    join_texts(moves.into_iter().map(|mv| text!("{}", mark_move(side, mv))), separator)
}

/// String whose parts are marked by spans. Equal texts have equal strings and spans.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    string: String,
    /// Spans in the order of their ends; a nested span comes before the outer one.
    spans: Vec<(Range<usize>, SpanKind)>,
}

/// Length and spans of the text that is being built on this thread.
///
/// The length stays the same outside of [`Text::from_format_args`], and while an argument is formatted into
/// another string. Spans written meanwhile are empty and are not recorded.
#[derive(Default)]
struct SpanRecording {
    length: usize,
    spans: Vec<(Range<usize>, SpanKind)>,
}

thread_local! {
    static SPAN_RECORDING: RefCell<SpanRecording> = RefCell::default();
}

/// Returns the length of the text that is being built.
fn recorded_length() -> usize {
    SPAN_RECORDING.with_borrow(|recording| recording.length)
}

/// Records a span, unless it is empty.
fn record_span(place: Range<usize>, span: SpanKind) {
    if !place.is_empty() {
        SPAN_RECORDING.with_borrow_mut(|recording| recording.spans.push((place, span)));
    }
}

/// String of a text that is being built. Writing to it updates the length in [`SpanRecording`].
struct SpanRecorder(String);

impl Write for SpanRecorder {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.push_str(part);
        SPAN_RECORDING.with_borrow_mut(|recording| recording.length = self.0.len());
        Ok(())
    }
}

impl Text {
    /// Creates an empty text.
    #[must_use]
    pub const fn new() -> Self {
        Text { string: String::new(), spans: Vec::new() }
    }

    /// Builds a text from format arguments; the [`text!`](crate::text!) macro calls it.
    ///
    /// # Panics
    /// Panics if an argument cannot be formatted, as in `format!`.
    #[must_use]
    pub fn from_format_args(arguments: Arguments<'_>) -> Self {
        let outer = SPAN_RECORDING.take();
        let mut recorder = SpanRecorder(String::new());
        let result = recorder.write_fmt(arguments);
        let spans = SPAN_RECORDING.replace(outer).spans;
        result.expect("an argument of a text can be written");
        Text { string: recorder.0, spans }
    }

    /// Returns the plain string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.string
    }

    /// Returns the spans with their byte ranges. A nested span comes before the outer one.
    #[must_use]
    pub fn spans(&self) -> &[(Range<usize>, SpanKind)] {
        &self.spans
    }

    /// Reports whether a part of the text names a side.
    #[must_use]
    pub fn contains_side_span(&self) -> bool {
        self.spans.iter().any(|(_, span)| matches!(span, SpanKind::Side(_)))
    }

    /// Appends a text with its spans.
    pub fn push(&mut self, other: &Text) {
        let start = self.string.len();
        self.string.push_str(&other.string);
        self.spans.extend(other.spans.iter().map(|(place, span)| (shift_range(place, start), *span)));
    }

    /// Appends a plain string.
    pub fn push_str(&mut self, other: &str) {
        self.string.push_str(other);
    }

    /// Returns a part of the text, by byte range.
    ///
    /// # Panics
    /// Panics if an end of the range is not at a character boundary.
    #[must_use]
    pub fn slice(&self, part: Range<usize>) -> Text {
        let cut = |(place, span): &(Range<usize>, SpanKind)| {
            let (start, end) = (place.start.max(part.start), place.end.min(part.end));
            (start < end).then(|| (start - part.start..end - part.start, *span))
        };
        Text {
            string: self.string[part.clone()].to_owned(),
            spans: self.spans.iter().filter_map(cut).collect(),
        }
    }

    /// Returns the part of the text that a substring of its string covers.
    fn slice_of_substring(&self, part: &str) -> Text {
        let start = part.as_ptr().addr() - self.string.as_ptr().addr();
        self.slice(start..start + part.len())
    }

    /// Returns the plain string and drops the spans.
    #[must_use]
    pub fn into_string(self) -> String {
        self.string
    }

    /// Returns the text without leading and trailing blanks.
    #[must_use]
    pub fn trimmed(&self) -> Text {
        self.slice_of_substring(self.string.trim())
    }

    /// Returns the text without the full stops at its end.
    #[must_use]
    pub fn without_full_stop(&self) -> Text {
        self.slice_of_substring(self.string.trim_end_matches('.'))
    }

    /// Returns the parts between occurrences of a separator, like `str::split`.
    #[must_use]
    pub fn split_text(&self, separator: &str) -> Vec<Text> {
        self.string.split(separator).map(|part| self.slice_of_substring(part)).collect()
    }

    /// Returns the text with every occurrence of `from` replaced by `to`. A span over an occurrence covers
    /// its replacement.
    #[must_use]
    pub fn replaced(&self, from: &str, to: &str) -> Text {
        let mut string = String::with_capacity(self.string.len());
        let mut changes = Vec::new(); // ends of each occurrence and of its replacement
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

/// Returns a byte range moved by an offset.
fn shift_range(place: &Range<usize>, by: usize) -> Range<usize> {
    place.start + by..place.end + by
}

/// Joins texts with a separator.
///
/// ```
/// use crosspath::text::{Text, join_texts};
/// assert_eq!(join_texts(["one", "two"].map(Text::from), ", "), "one, two");
/// ```
#[must_use]
pub fn join_texts<T: Into<Text>>(texts: impl IntoIterator<Item = T>, separator: &str) -> Text {
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
        let start = recorded_length();
        f.pad(&self.string)?;
        let end = recorded_length();
        // Padding may come first. A truncated text loses its spans.
        let Some(blanks) = (end - start).checked_sub(self.string.len()) else { return Ok(()) };
        let before = match f.align() {
            Some(Alignment::Right) => blanks,
            Some(Alignment::Center) => blanks / 2,
            Some(Alignment::Left) | None => 0,
        };
        for (place, span) in &self.spans {
            record_span(shift_range(place, start + before), *span);
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
