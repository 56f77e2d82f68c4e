//! The first lines of a move file: which game on which board, and remarks. Knows text, no moves.

use crate::game::{Numbers, Refusal, SIZE, Side};
use crate::record::parse::{FIRST_WORDS, NO_SWAP, as_text, first_words, lines};
use crate::record::sgf::{BadSgf, Sgf};
use crate::registry::{Entry, OpenError, Variant, find_in};

/// What a file cannot be read for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {why}")]
pub struct BadRecord {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

/// The first line of a text record: the game and its settings.
#[derive(Clone, Debug)]
pub struct Header {
    /// The game.
    pub game: &'static Entry,
    /// Its settings.
    pub variant: Variant,
    /// The line that names them, from 1.
    pub line: usize,
    /// How the moves are written, if not in our own way.
    pub notation: Option<String>,
    /// The remarks behind the first line as `(key, value)`, such as the players' names.
    pub remarks: Vec<(String, String)>,
}

/// Whether these bytes are a text record, or a game in SGF.
#[must_use]
pub fn is_game(bytes: &[u8]) -> bool {
    let text = as_text(bytes);
    text.trim_start().starts_with(FIRST_WORDS) || Sgf::is_one(&text)
}

/// The remark that says after how many moves of the main line a game goes on that is loaded; it goes on after the last
/// one where the remark is missing.
pub(crate) const PRESENT: &str = "present";

/// Reads the header of a text record of one of these games, or of a game in SGF; `None` if the file has none.
///
/// # Errors
/// Names the line and what is wrong in it.
pub fn header(bytes: &[u8], games: &'static [Entry]) -> Result<Option<Header>, BadRecord> {
    if let Some(sgf) = sgf(bytes)? {
        return of_sgf(&sgf, games).map(Some);
    }
    let text = as_text(bytes);
    let mut rows = lines(&text).filter(|(_, row)| !row.trim().is_empty());
    let Some((line, first)) = rows.next().filter(|(_, row)| row.trim_start().starts_with(FIRST_WORDS)) else {
        return Ok(None);
    };
    let bad = |why: String| BadRecord { line, why };
    let mut words = first.trim_start()[FIRST_WORDS.len()..].split_whitespace();
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
    let remarks = rows.map_while(|(_, row)| row.trim().strip_prefix('#')).flat_map(|row| row.split('·'));
    let remarks = remarks.filter_map(|part| part.split_once(':'));
    let remarks = remarks.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect();
    Ok(Some(Header { game, variant, line, notation, remarks }))
}

/// The header of a file; for one without, that of the given board as far as its first words say nothing else.
///
/// # Errors
/// Names the line and what is wrong in it.
pub(super) fn header_or(bytes: &[u8], game: &'static Entry, variant: &Variant) -> Result<Header, BadRecord> {
    if let Some(header) = header(bytes, game.games())? {
        return Ok(header);
    }
    let variant = preamble(bytes, game, variant)?;
    Ok(Header { game, variant, line: 1, notation: None, remarks: Vec::new() })
}

/// The game that a file in SGF tells; `None` if it is no such file.
pub(super) fn sgf(bytes: &[u8]) -> Result<Option<Sgf>, BadRecord> {
    let text = as_text(bytes);
    let game = Sgf::is_one(&text).then(|| Sgf::read(&text)).transpose();
    game.map_err(|BadSgf { line, why }| BadRecord { line, why })
}

/// What the first node of a game in SGF says.
fn of_sgf(sgf: &Sgf, games: &'static [Entry]) -> Result<Header, BadRecord> {
    let bad = |why: String| BadRecord { line: 1, why };
    if !sgf.stones.is_empty() || sgf.to_move == Some(Side::Second) {
        return Err(bad(
            "the game starts from a set-up position; only games from the empty board can be read".to_owned(),
        ));
    }
    let game = find_in(games, SGF_GAME).map_err(|error| bad(error.to_string()))?;
    let swap = if sgf.says("RU") == Some("no-swap") { "off" } else { "on" };
    let variant = Variant::of_size(sgf.size).with("swap", swap);
    let keys = [("PB", "first"), ("PW", "second"), ("EV", "event"), ("DT", "date")];
    let said = keys.into_iter().filter_map(|(key, name)| Some((name.to_owned(), sgf.says(key)?.to_owned())));
    Ok(Header { game, variant, line: 1, notation: None, remarks: said.collect() })
}

/// The game that files in SGF tell here.
const SGF_GAME: &str = "hex";

/// The board of a file without a header: the given one, as far as the file's first words say nothing else.
fn preamble(bytes: &[u8], entry: &Entry, given: &Variant) -> Result<Variant, BadRecord> {
    let mut variant = given.clone();
    let Numbers::Pairs(usual) = entry.numbers else { return Ok(variant) };
    // Each of them once, and what comes after them.
    let words = first_words(&as_text(bytes), 5);
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
