//! The first lines of a text record: which game on which board, and remarks. Knows text, no moves.

use crate::game::{Numbers, Refusal, SIZE};
use crate::record::items::lines;
use crate::record::parse::{FIRST_WORDS, NO_SWAP, first_words};
use crate::registry::{Entry, GameStart, OpenError, Variant, find_in};

/// Reason why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {why}")]
pub struct BadRecord {
    /// The line, from 1.
    pub line: usize,
    /// Description of the fault.
    pub why: String,
}

/// The head of a text record: the game, its board, and what is said about it.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) start: GameStart,
    /// The line that names the game, from 1.
    pub(super) line: usize,
    /// Notation of the moves, if it is not crosspath's own.
    pub(super) notation: Option<String>,
    /// The remarks behind the first line as `(key, value)`, such as the players' names.
    pub(super) remarks: Vec<(String, String)>,
}

/// The remark that holds the position from which a game begins.
pub(super) const POSITION: &str = "position";

/// The remark that says after how many moves of the main line a game goes on that is loaded; it goes on after the last
/// one where the remark is missing.
pub(crate) const PRESENT: &str = "present";
/// The property of the position at which the game goes on, where that is not the end of the main line.
pub(super) const PRESENT_PROPERTY: &str = "IP";

/// Reports whether a text begins as a text record does, in whatever letters and with whatever blanks.
pub(super) fn has_header(text: &str) -> bool {
    after_first_words(text).is_some()
}

/// Returns the text behind the first words of a record.
fn after_first_words(text: &str) -> Option<&str> {
    let (sign, name) = FIRST_WORDS.split_once(' ')?;
    let rest = text.trim_start().strip_prefix(sign)?.trim_start_matches('#').trim_start_matches([' ', '\t']);
    let (word, rest) = rest.split_at_checked(name.len())?;
    let is_word = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (word.eq_ignore_ascii_case(name) && is_word).then_some(rest)
}

/// The records of a text that begins with one, each from its first words on, with the lines before it.
pub(super) fn records(text: &str) -> Vec<(usize, &str)> {
    let (mut records, mut start, mut at, mut first) = (Vec::new(), 0, 0, 0);
    for (number, row) in text.split_inclusive('\n').enumerate() {
        if has_header(row) && !text[start..at].trim().is_empty() {
            records.push((first, &text[start..at]));
            (start, first) = (at, number);
        }
        at += row.len();
    }
    records.push((first, &text[start..]));
    records
}

/// Reads the header of a text record of one of these games; `None` if the text has none.
///
/// # Errors
/// Names the line and what is wrong in it.
pub(super) fn header(text: &str, games: &'static [Entry]) -> Result<Option<Header>, BadRecord> {
    let mut rows = lines(text).filter(|(_, row)| !row.trim().is_empty());
    let Some((line, first)) = rows.next().filter(|(_, row)| has_header(row)) else {
        return Ok(None);
    };
    let bad = |why: String| BadRecord { line, why };
    let mut words = after_first_words(first).unwrap_or_default().split_whitespace();
    let Some(name) = words.next() else {
        return Err(bad("the name of the game is missing after \"# crosspath\"".to_owned()));
    };
    let game = find_in(games, name).map_err(|error| bad(error.to_string()))?;
    let (mut variant, mut notation) = (Variant::default(), None);
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            return Err(bad(format!("\"{}\" is not key=value, such as size=3", Refusal::shown(word))));
        };
        if key == "notation" && notation.is_none() {
            notation = Some(value.to_owned());
            continue;
        }
        if variant.value(key).is_some() || key == "notation" {
            return Err(bad(format!("duplicate setting: {}", Refusal::shown(key))));
        }
        variant.set(key, value);
    }
    game.choose(&variant).map_err(|error| bad(error.to_string()))?;
    let remarks =
        rows.map_while(|(_, row)| row.trim().strip_prefix('#')).take_while(|row| !row.starts_with(':'));
    let remarks = remarks.flat_map(|row| row.split('·'));
    let remarks = remarks.filter_map(|part| part.split_once(':'));
    let remarks = remarks.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect();
    let mut remarks: Vec<(String, String)> = remarks;
    let mut start = GameStart::new(game, variant);
    if let Some(place) = remarks.iter().position(|(key, _)| key == POSITION) {
        let (_, text) = remarks.remove(place);
        start = GameStart::of_text(game, start.variant, &text).map_err(|error| bad(error.to_string()))?;
    }
    Ok(Some(Header { start, line, notation, remarks }))
}

/// The board of a file without a header: the given one, as far as the file's first words say nothing else.
pub(super) fn preamble(text: &str, entry: &Entry, given: &Variant) -> Result<Variant, BadRecord> {
    let mut variant = given.clone();
    let Numbers::Pairs(usual) = entry.numbers else { return Ok(variant) };
    // Each of them once, and what comes after them.
    let words = first_words(text, 5);
    let mut words = words.iter().peekable();
    while let Some(noted) = words.next_if(|noted| [SIZE, NO_SWAP].contains(&noted.text.as_str())) {
        if noted.text == NO_SWAP {
            variant.set("swap", "off");
            continue;
        }
        let value = words.next().map_or("", |size| size.text.as_str());
        let wrong = |error: OpenError| BadRecord { line: noted.line, why: error.to_string() };
        variant.set(SIZE, value);
        entry.choose(&variant).map_err(wrong)?;
    }
    let is_pairs = words.peek().is_some_and(|noted| noted.text.bytes().all(|b| b.is_ascii_digit()));
    if is_pairs && variant.value(SIZE).is_none() {
        variant.set(SIZE, usual);
    }
    Ok(variant)
}
