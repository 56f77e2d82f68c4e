//! Columns of text: how wide it is, where its rows break, where it is cut. The one place that counts columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Text;
use crate::text;

/// Columns of a text.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// Columns of a character; what has none of its own is shown in one.
pub(crate) fn width_of(glyph: char) -> usize {
    glyph.width().unwrap_or(1)
}

/// The front of a text in at most so many columns, and the rest.
fn split(text: &str, columns: usize) -> (&str, &str) {
    let mut used = 0;
    let end = text.char_indices().find(|&(_, glyph)| {
        used += width_of(glyph);
        used > columns
    });
    text.split_at(end.map_or(text.len(), |(end, _)| end))
}

/// The end of a text in at most so many columns.
pub(crate) fn end(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let start = text.char_indices().rev().take_while(|&(_, glyph)| {
        used += width_of(glyph);
        used <= columns
    });
    &text[start.last().map_or(text.len(), |(start, _)| start)..]
}

/// A text in at most so many columns: cut between words, with dots.
pub fn cut(text: impl Into<Text>, columns: usize, dots: &str) -> Text {
    let text = text.into();
    if width(&text) <= columns {
        return text;
    }
    if columns == 0 {
        return Text::new();
    }
    let (head, rest) = split(&text, columns - 1);
    let is_whole = rest.starts_with(char::is_whitespace);
    let head = match head.rfind(' ') {
        Some(end) if !is_whole && width(&head[..end]) > (columns - 1) / 2 => &head[..end],
        _ => head,
    };
    text!("{}{dots}", text.slice(0..head.trim_end().len()))
}

/// Splits a text into parts that stay on one line: its words, and numbers with their units.
fn words(text: &Text) -> Vec<Text> {
    let is_held = |rest: &str| {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.starts_with('%') || behind.len() < rest.len() && behind.starts_with(')')
    };
    let (mut words, mut start) = (Vec::new(), 0);
    for (at, _) in text.match_indices(' ').filter(|(at, _)| !is_held(&text[at + 1..])) {
        words.push(text.slice(start..at));
        start = at + 1;
    }
    words.push(text.slice(start..text.len()));
    words
}

/// The columns of what stands before a tab.
const TAB: usize = 12;
/// In columns so narrow it is a little less.
const NARROW: usize = 40;

/// A text in rows of at most so many columns, broken between words; a word wider than a row is broken anywhere. What
/// stands behind a tab keeps to a column of its own. No row ends at a blank that holds its words together (U+00A0), which
/// becomes a plain one, nor in front of `%` or of a number that ends a bracket.
pub fn wrap(text: impl Into<Text>, columns: usize) -> Vec<Text> {
    let (text, columns) = (text.into(), columns.max(1));
    if let Some((key, _)) = text.split_once('\t') {
        let tab = if columns < NARROW { TAB - 2 } else { TAB };
        let indent = tab.min(columns / 2).max(width(key) + 1);
        let rest = text.slice(key.len() + 1..text.len());
        let rows = wrap(rest, columns.saturating_sub(indent)).into_iter();
        let keys = [text.slice(0..key.len())].into_iter().chain(std::iter::repeat_with(Text::new));
        return rows.zip(keys).map(|(row, key)| text!("{key:<indent$}{row}")).collect();
    }
    rows(&text, columns).into_iter().map(|row| row.replaced("\u{a0}", " ")).collect()
}

/// A text of one line in rows, as [`wrap`] breaks it; blanks that hold words together stay.
pub(crate) fn rows(text: &Text, columns: usize) -> Vec<Text> {
    let mut rows = vec![Text::new()];
    for word in words(text) {
        let row = rows.last_mut().expect("there is always a row");
        let (used, wanted) = (width(row), width(&word));
        let gap = if used == 0 { "" } else { " " };
        if used + gap.len() + wanted <= columns || wanted <= columns && row.trim().is_empty() {
            row.push_str(gap);
            row.push(&word);
        } else if wanted <= columns {
            rows.push(word);
        } else {
            let room = columns.saturating_sub(used + gap.len());
            let mut at = split(&word, room).0.len();
            if room > 0 {
                row.push_str(gap);
            }
            row.push(&word.slice(0..at));
            while let Some(first) = word[at..].chars().next() {
                // A character that is wider than the row has one of its own.
                let end = at + split(&word[at..], columns).0.len().max(first.len_utf8());
                rows.push(word.slice(at..end));
                at = end;
            }
        }
    }
    rows
}
