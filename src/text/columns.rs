//! Columns of text: display width, line breaks and truncation. Only this module counts columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Text;
use crate::text;

/// Returns the display width of a text in columns.
#[must_use]
pub fn display_width(text: &str) -> usize {
    text.width()
}

/// Returns the display width of a character; 1 if Unicode defines none.
pub(crate) fn glyph_width(glyph: char) -> usize {
    glyph.width().unwrap_or(1)
}

/// Splits a text after at most `columns` columns.
fn split_at_width(text: &str, columns: usize) -> (&str, &str) {
    let mut used = 0;
    let end = text.char_indices().find(|&(_, glyph)| {
        used += glyph_width(glyph);
        used > columns
    });
    text.split_at(end.map_or(text.len(), |(end, _)| end))
}

/// Returns the longest suffix of a text that fits into `columns` columns.
pub(crate) fn suffix_within_width(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let start = text.char_indices().rev().take_while(|&(_, glyph)| {
        used += glyph_width(glyph);
        used <= columns
    });
    &text[start.last().map_or(text.len(), |(start, _)| start)..]
}

/// Shortens a text to at most `columns` columns: cuts it between words and appends `dots`.
pub fn truncate_text(text: impl Into<Text>, columns: usize, dots: &str) -> Text {
    let text = text.into();
    if display_width(&text) <= columns {
        return text;
    }
    if columns == 0 {
        return Text::new();
    }
    let (head, rest) = split_at_width(&text, columns - 1);
    let is_whole = rest.starts_with(char::is_whitespace);
    let head = match head.rfind(' ') {
        Some(end) if !is_whole && display_width(&head[..end]) > (columns - 1) / 2 => &head[..end],
        _ => head,
    };
    text!("{}{dots}", text.slice(0..head.trim_end().len()))
}

/// Splits a text into parts that stay on one line: its words, and numbers with their units.
fn split_into_words(text: &Text) -> Vec<Text> {
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

/// Width of the column before a tab, in columns of the terminal.
const KEY_COLUMN_WIDTH: usize = 12;
/// Text width below which the column before a tab is slightly narrower.
const NARROW_TEXT_COLUMNS: usize = 40;

/// Wraps a text into rows of at most `columns` columns.
///
/// Rows break between words; a word wider than a row breaks anywhere. Text after a tab stays in its own
/// column. No row ends at a non-breaking space (U+00A0), which becomes a plain one, or before `%` or a number
/// that ends a bracket.
pub fn wrap_text(text: impl Into<Text>, columns: usize) -> Vec<Text> {
    let (text, columns) = (text.into(), columns.max(1));
    if let Some((key, _)) = text.split_once('\t') {
        let tab = if columns < NARROW_TEXT_COLUMNS { KEY_COLUMN_WIDTH - 2 } else { KEY_COLUMN_WIDTH };
        let indent = tab.min(columns / 2).max(display_width(key) + 1);
        let rest = text.slice(key.len() + 1..text.len());
        let rows = wrap_text(rest, columns.saturating_sub(indent)).into_iter();
        let keys = [text.slice(0..key.len())].into_iter().chain(std::iter::repeat_with(Text::new));
        return rows.zip(keys).map(|(row, key)| text!("{key:<indent$}{row}")).collect();
    }
    wrap_line(&text, columns).into_iter().map(|row| row.replaced("\u{a0}", " ")).collect()
}

/// Wraps a one-line text into rows like [`wrap_text`]; non-breaking spaces stay.
pub(crate) fn wrap_line(text: &Text, columns: usize) -> Vec<Text> {
    let mut rows = vec![Text::new()];
    for word in split_into_words(text) {
        let row = rows.last_mut().expect("there is always a row");
        let (used, wanted) = (display_width(row), display_width(&word));
        let gap = if used == 0 { "" } else { " " };
        if used + gap.len() + wanted <= columns || wanted <= columns && row.trim().is_empty() {
            row.push_str(gap);
            row.push(&word);
        } else if wanted <= columns {
            rows.push(word);
        } else {
            let room = columns.saturating_sub(used + gap.len());
            let mut at = split_at_width(&word, room).0.len();
            if room > 0 {
                row.push_str(gap);
            }
            row.push(&word.slice(0..at));
            while let Some(first) = word[at..].chars().next() {
                // A character that is wider than the row gets its own row.
                let end = at + split_at_width(&word[at..], columns).0.len().max(first.len_utf8());
                rows.push(word.slice(at..end));
                at = end;
            }
        }
    }
    rows
}
