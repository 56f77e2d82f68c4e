//! Header of a text record: game, board and remarks. This module does not interpret moves.

use crate::game::{NumberMeaning, Refusal, SIZE_KEY};
use crate::record::items::numbered_lines;
use crate::record::parse::{NO_SWAP_WORD, RECORD_FIRST_WORDS, take_first_words};
use crate::registry::{BoardSetupError, GameStart, RegisteredGame, Variant, find_game_in};

/// Error in a file that cannot be read.
///
/// ```
/// use crosspath::record::{BadRecord, NotAGame, RecordReadOptions, load_game};
/// let error = load_game(b"\n# crosspath\n", &RecordReadOptions::default()).unwrap_err();
/// let why = "the name of the game is missing after \"# crosspath\"".to_owned();
/// let bad = BadRecord { line: 2, why };
/// assert_eq!(bad.to_string(), "2: the name of the game is missing after \"# crosspath\"");
/// assert_eq!(error, NotAGame::from(bad));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {why}")]
pub struct BadRecord {
    /// Line of the file, from 1.
    pub line: usize,
    /// Description of the problem.
    pub why: String,
}

/// Parsed header of a text record: game, board and remarks.
#[derive(Clone, Debug)]
pub(super) struct RecordHeader {
    pub(super) start: GameStart,
    /// Line that names the game, from 1.
    pub(super) line: usize,
    /// Notation of the moves, if it is not crosspath's own.
    pub(super) notation: Option<String>,
    /// Remarks after the first line as `(key, value)`, such as the players' names.
    pub(super) remarks: Vec<(String, String)>,
}

/// Key of the remark with the start position of a game.
pub(super) const POSITION_REMARK: &str = "position";

/// Key of the remark with the number of main-line moves before the current position. Without the remark, the
/// last position is the current one.
pub(crate) const PRESENT_REMARK: &str = "present";
/// SGF property of the current position, if it is not the end of the main line.
pub(super) const PRESENT_PROPERTY: &str = "IP";

/// Reports whether a text begins with the first words of a text record, in any case and with any spacing.
pub(super) fn has_record_header(text: &str) -> bool {
    strip_record_first_words(text).is_some()
}

/// Returns the text after the first words of a record.
fn strip_record_first_words(text: &str) -> Option<&str> {
    let (sign, name) = RECORD_FIRST_WORDS.split_once(' ')?;
    let rest = text.trim_start().strip_prefix(sign)?.trim_start_matches('#').trim_start_matches([' ', '\t']);
    let (word, rest) = rest.split_at_checked(name.len())?;
    let is_word = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (word.eq_ignore_ascii_case(name) && is_word).then_some(rest)
}

/// Splits a text that begins with a record into its records, each with the number of lines before it.
pub(super) fn split_records(text: &str) -> Vec<(usize, &str)> {
    let (mut records, mut start, mut at, mut first) = (Vec::new(), 0, 0, 0);
    for (number, row) in text.split_inclusive('\n').enumerate() {
        if has_record_header(row) && !text[start..at].trim().is_empty() {
            records.push((first, &text[start..at]));
            (start, first) = (at, number);
        }
        at += row.len();
    }
    records.push((first, &text[start..]));
    records
}

/// Reads the header of a text record of one of these games; returns `None` if the text has none.
///
/// # Errors
/// The error names the line and the problem.
pub(super) fn parse_header(
    text: &str,
    games: &'static [RegisteredGame],
) -> Result<Option<RecordHeader>, BadRecord> {
    let mut rows = numbered_lines(text).filter(|(_, row)| !row.trim().is_empty());
    let Some((line, first)) = rows.next().filter(|(_, row)| has_record_header(row)) else {
        return Ok(None);
    };
    let bad = |why: String| BadRecord { line, why };
    let mut words = strip_record_first_words(first).unwrap_or_default().split_whitespace();
    let Some(name) = words.next() else {
        return Err(bad("the name of the game is missing after \"# crosspath\"".to_owned()));
    };
    let game = find_game_in(games, name).map_err(|error| bad(error.to_string()))?;
    let (mut variant, mut notation) = (Variant::default(), None);
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            return Err(bad(format!(
                "\"{}\" is not key=value, such as size=3",
                Refusal::sanitize_excerpt(word)
            )));
        };
        if key == "notation" && notation.is_none() {
            notation = Some(value.to_owned());
            continue;
        }
        if variant.value(key).is_some() || key == "notation" {
            return Err(bad(format!("duplicate setting: {}", Refusal::sanitize_excerpt(key))));
        }
        variant.set_setting(key, value);
    }
    game.resolve_board(&variant).map_err(|error| bad(error.to_string()))?;
    let remarks =
        rows.map_while(|(_, row)| row.trim().strip_prefix('#')).take_while(|row| !row.starts_with(':'));
    let remarks = remarks.flat_map(|row| row.split('·'));
    let remarks = remarks.filter_map(|part| part.split_once(':'));
    let remarks = remarks.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect();
    let mut remarks: Vec<(String, String)> = remarks;
    let mut start = GameStart::new(game, variant);
    if let Some(place) = remarks.iter().position(|(key, _)| key == POSITION_REMARK) {
        let (_, text) = remarks.remove(place);
        start = GameStart::from_position_text(game, start.variant, &text)
            .map_err(|error| bad(error.to_string()))?;
    }
    Ok(Some(RecordHeader { start, line, notation, remarks }))
}

/// Returns the board of a file without a header: `given`, changed by the settings in the file's first words.
pub(super) fn parse_list_settings(
    text: &str,
    entry: &RegisteredGame,
    given: &Variant,
) -> Result<Variant, BadRecord> {
    let mut variant = given.clone();
    let NumberMeaning::Pairs(usual) = entry.numbers else { return Ok(variant) };
    // The words are the two settings, the value of the size, and the word after them.
    let words = take_first_words(text, 5);
    let mut words = words.iter().peekable();
    while let Some(noted) = words.next_if(|noted| [SIZE_KEY, NO_SWAP_WORD].contains(&noted.text.as_str())) {
        if noted.text == NO_SWAP_WORD {
            variant.set_setting("swap", "off");
            continue;
        }
        let value = words.next().map_or("", |size| size.text.as_str());
        let wrong = |error: BoardSetupError| BadRecord { line: noted.line, why: error.to_string() };
        variant.set_setting(SIZE_KEY, value);
        entry.resolve_board(&variant).map_err(wrong)?;
    }
    let is_pairs = words.peek().is_some_and(|noted| noted.text.bytes().all(|b| b.is_ascii_digit()));
    if is_pairs && variant.value(SIZE_KEY).is_none() {
        variant.set_setting(SIZE_KEY, usual);
    }
    Ok(variant)
}
