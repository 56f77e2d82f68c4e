//! Move files: recognising their form, reading them, writing the text record. Knows text and sessions, no rules.

pub mod file;

use std::fmt;

use crate::board::names::{cell_name, read_cell};
use crate::game::Illegal;
use crate::registry::{Entry, Numbers, OpenError, Variant, find};
use crate::session::{DRAW, RESIGN, Session};

/// How the moves of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The text record: a header, then moves as words.
    Record,
    /// Moves as words.
    List,
    /// Digits in pairs, row and column from 0; every other byte is noise.
    Digits,
    /// Numbers in pairs, row and column from 0.
    Pairs,
}

/// A move in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// The move, to be played.
    pub text: String,
    /// The move as it stands in the file.
    pub written: String,
    /// Its line, from 1.
    pub line: usize,
}

impl Noted {
    /// A move that is played as it is written.
    #[must_use]
    pub fn new(text: &str, line: usize) -> Self {
        Noted { text: text.to_owned(), written: text.to_owned(), line }
    }

    /// What is wrong with the move, for those who look into the file.
    #[must_use]
    pub fn wrong(&self, illegal: &Illegal) -> String {
        let why = illegal.reason();
        if self.written.eq_ignore_ascii_case(&self.text) || !why.contains(&self.text) {
            return why.to_owned();
        }
        format!("{why} (written {})", Illegal::shown(&self.written))
    }
}

/// The moves of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// How they are written.
    pub form: Form,
    /// The moves in order.
    pub moves: Vec<Noted>,
    /// The last line, from 1.
    pub last_line: usize,
}

/// What a file cannot be read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.why)
    }
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

/// The name of our own way to write moves.
const OWN_NOTATION: &str = "modern";

const FIRST_WORDS: &str = "# crosspath";

/// Reads the header of a text record; `None` if the file has none.
///
/// # Errors
/// Names the line and what is wrong in it.
pub fn header(bytes: &[u8]) -> Result<Option<Header>, BadRecord> {
    let text = as_text(bytes);
    let mut rows = lines(&text).filter(|(_, row)| !row.trim().is_empty());
    let Some((line, first)) = rows.next().filter(|(_, row)| row.trim_start().starts_with(FIRST_WORDS)) else {
        return Ok(None);
    };
    let bad = |error: OpenError| BadRecord { line, why: error.to_string() };
    let mut words = first.trim_start()[FIRST_WORDS.len()..].split_whitespace();
    let Some(name) = words.next() else {
        return Err(BadRecord { line, why: "the game is missing after \"# crosspath\"".to_owned() });
    };
    let game = find(name).map_err(bad)?;
    let (mut variant, mut notation) = (Variant::default(), None);
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            let why = format!("\"{}\" is not key=value, such as size=3", Illegal::shown(word));
            return Err(BadRecord { line, why });
        };
        if key == "notation" && notation.is_none() {
            notation = Some(value.to_owned());
            continue;
        }
        if variant.value(key).is_some() || key == "notation" {
            return Err(BadRecord { line, why: format!("{key} stands there twice") });
        }
        variant.set(key, value).map_err(bad)?;
    }
    let remarks = rows.map_while(|(_, row)| row.trim().strip_prefix('#')).flat_map(|row| row.split('·'));
    let remarks = remarks.filter_map(|part| part.split_once(':'));
    let remarks = remarks.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect();
    Ok(Some(Header { game, variant, line, notation, remarks }))
}

/// A move file as far as it is known before its moves are played.
#[derive(Debug)]
pub struct Opened {
    /// The game.
    pub entry: &'static Entry,
    /// The board.
    pub variant: Variant,
    /// The game before the first move.
    pub session: Box<dyn Session>,
    /// The moves.
    pub script: Script,
    /// What the file says beside the game.
    pub remarks: Vec<(String, String)>,
}

/// Opens the game of a file: that of its header, else the given one.
///
/// # Errors
/// Names the line and what is wrong in the header.
pub fn open(bytes: &[u8], entry: &'static Entry, variant: &Variant) -> Result<Opened, BadRecord> {
    let (entry, variant, line, notation, remarks) = match header(bytes)? {
        Some(Header { game, variant, line, notation, remarks }) => (game, variant, line, notation, remarks),
        None => (entry, preamble(bytes, entry, variant)?, 1, None, Vec::new()),
    };
    let session = entry.session(&variant).map_err(|error| BadRecord { line, why: error.to_string() })?;
    let mut script = moves(bytes, &*session, entry.numbers);
    let notation = notation.map(|notation| notation.to_ascii_lowercase());
    if let Some(dialect) = notation.filter(|notation| notation != OWN_NOTATION) {
        let known = session.dialects();
        if !known.contains(&dialect.as_str()) {
            let names: Vec<&str> = [OWN_NOTATION].iter().chain(known).copied().collect();
            let dialect = Illegal::shown(&dialect);
            let why =
                format!("notation {dialect} is unknown for {}; it may be {}", entry.name, names.join(", "));
            return Err(BadRecord { line, why });
        }
        for noted in &mut script.moves {
            // What is no move in that notation stays as it is, to be refused as what it is.
            noted.text = session.translate(&dialect, &noted.text).unwrap_or_else(|| noted.text.clone());
        }
    }
    Ok(Opened { entry, variant, session, script, remarks })
}

/// The words before the first move of a list that say how it is played: `size 14`, `no-swap`.
const SIZE: &str = "size";
const NO_SWAP: &str = "no-swap";

/// The board of a file without a header: the given one, as far as the file's first words say nothing else.
fn preamble(bytes: &[u8], entry: &Entry, given: &Variant) -> Result<Variant, BadRecord> {
    let mut variant = given.clone();
    let Numbers::Pairs(usual) = entry.numbers else { return Ok(variant) };
    let words = words(&as_text(bytes));
    let mut words = words.iter().peekable();
    while let Some(noted) = words.next_if(|noted| [SIZE, NO_SWAP].contains(&noted.text.as_str())) {
        if noted.text == NO_SWAP {
            variant.swap = Some(false);
            continue;
        }
        let value = words.next().map_or("", |size| size.text.as_str());
        let wrong = |error: OpenError| BadRecord { line: noted.line, why: error.to_string() };
        variant.set(SIZE, value).map_err(wrong)?;
        entry.session(&variant).map_err(wrong)?;
    }
    let is_pairs = words.peek().is_some_and(|noted| noted.text.bytes().all(|b| b.is_ascii_digit()));
    if is_pairs {
        variant.size = variant.size.or(Some(usual));
    }
    Ok(variant)
}

/// The moves of a list without the words before them.
fn without_preamble(mut moves: Vec<Noted>) -> Vec<Noted> {
    while let Some(first) = moves.first() {
        let count = match first.text.as_str() {
            SIZE => 2,
            NO_SWAP => 1,
            _ => break,
        };
        moves.drain(..count.min(moves.len()));
    }
    moves
}

/// Reads the moves of a file. `numbers` says what numbers mean in one without a header.
///
/// Whether the moves are legal is not asked; in digit form, and where any word of a list is no cell of this board, no
/// error is possible before they are played.
///
/// # Panics
/// If the game has digit files but no size among its settings.
#[must_use]
pub fn moves(bytes: &[u8], on: &dyn Session, numbers: Numbers) -> Script {
    let text = as_text(bytes);
    let has_header = text.trim_start().starts_with(FIRST_WORDS);
    let moves = words_of_moves(&words(&text), on);
    let is_name = |Noted { text, .. }: &Noted| {
        let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
        is_word && ([DRAW, RESIGN].contains(&text.as_str()) || on.read(text).is_ok())
    };
    let last_line = lines(&text).last().map_or(1, |(line, _)| line);
    if has_header {
        return Script { form: Form::Record, moves, last_line };
    }
    if numbers == Numbers::Digits && (moves.is_empty() || !moves.iter().all(is_name)) {
        let size =
            on.settings().iter().find(|(key, _)| *key == "size").and_then(|(_, value)| value.parse().ok());
        let size = size.expect("a game with digit files has a size");
        return Script { form: Form::Digits, moves: digit_pairs(bytes, size), last_line };
    }
    let moves = without_preamble(moves);
    let is_number = |noted: &Noted| noted.text.bytes().all(|b| b.is_ascii_digit());
    if matches!(numbers, Numbers::Pairs(_)) && moves.iter().any(is_number) {
        return Script { form: Form::Pairs, moves: number_pairs(moves), last_line };
    }
    let moves = moves.into_iter().flat_map(|noted| run_together(noted, on)).collect();
    Script { form: Form::List, moves, last_line }
}

/// Cells that stand without a gap, `a5d7f3`, one by one; any other word as it is.
fn run_together(noted: Noted, on: &dyn Session) -> Vec<Noted> {
    let Noted { text, line, .. } = &noted;
    if on.read(text).is_ok() || !text.is_ascii() {
        return vec![noted];
    }
    let starts = text
        .char_indices()
        .filter(|&(i, c)| c.is_ascii_alphabetic() && (i == 0 || text.as_bytes()[i - 1].is_ascii_digit()));
    let starts: Vec<usize> = starts.map(|(i, _)| i).chain([text.len()]).collect();
    let parts: Vec<&str> = starts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect();
    if starts[0] == 0 && parts.len() > 1 && parts.iter().all(|part| read_cell(part).is_some()) {
        return parts.iter().map(|part| Noted::new(part, *line)).collect();
    }
    vec![noted]
}

/// Pairs of numbers as cells. A second move that repeats the first takes it over: from then on the board lies on its
/// other side, as the programs that write such files see it.
fn number_pairs(words: Vec<Noted>) -> Vec<Noted> {
    let mut moves = Vec::new();
    let mut first = None;
    let mut is_turned = false;
    let mut words = words.into_iter();
    while let Some(row) = words.next() {
        let Some(col) = words.next() else {
            moves.push(row); // a number alone is no move, and is refused as such
            break;
        };
        let line = row.line;
        let numbers = row.text.parse::<usize>().ok().zip(col.text.parse::<usize>().ok());
        let Some((r, c)) = numbers.filter(|&(_, c)| c < 26) else {
            moves.push(Noted::new(&format!("{} {}", row.text, col.text), line));
            continue;
        };
        let text = if moves.len() == 1 && first == Some((r, c)) {
            is_turned = true;
            "swap".to_owned()
        } else if is_turned {
            if r < 26 { cell_name(r, c) } else { format!("{r} {c}") }
        } else {
            cell_name(c, r)
        };
        first = first.or(Some((r, c)));
        moves.push(Noted { text, ..Noted::new(&format!("{} {}", row.text, col.text), line) });
    }
    moves
}

/// Words that only together are a move, `e3 h`, joined.
fn words_of_moves(words: &[Noted], on: &dyn Session) -> Vec<Noted> {
    /// The most words of a move.
    const MOST: usize = 3;
    let is_move = |text: &str| on.read(text).map_or_else(|no| no.code != "not-understood", |_| true);
    let mut moves = Vec::with_capacity(words.len());
    let mut rest = words;
    while let Some(first) = rest.first() {
        let joined = (2..=MOST.min(rest.len())).rev().find_map(|count| {
            let some = &rest[..count];
            let texts: Vec<&str> = some.iter().map(|noted| noted.text.as_str()).collect();
            let text = texts.join(" ");
            let is_one = is_move(&text) && texts.iter().any(|text| !is_move(text));
            is_one.then(|| (count, Noted::new(&text, first.line)))
        });
        let (count, noted) = joined.unwrap_or_else(|| (1, first.clone()));
        moves.push(noted);
        rest = &rest[count..];
    }
    moves
}

/// The moves of a list: words between blanks, commas and line ends; `#` starts a comment, `12.` is a move number.
#[must_use]
pub fn words(text: &str) -> Vec<Noted> {
    let mut moves = Vec::new();
    for (line, row) in lines(text) {
        let row = row.split('#').next().unwrap_or_default();
        for word in row.split(|c: char| c == ',' || c.is_whitespace()) {
            let word = without_number(word);
            if !word.is_empty() {
                moves.push(Noted::new(word, line));
            }
        }
    }
    moves
}

/// The text without a move number such as `12.` or `3...` in front.
#[must_use]
pub fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let moves = rest.trim_start_matches('.');
    if rest.len() < text.len() && moves.len() < rest.len() { moves.trim_start() } else { text }
}

/// Two digits below `size` are one move; all other bytes are noise. A digit left over at the end is no move.
fn digit_pairs(bytes: &[u8], size: usize) -> Vec<Noted> {
    let mut moves = Vec::new();
    let mut row = None;
    let mut line = 1;
    for &byte in bytes {
        line += usize::from(byte == b'\n');
        if !byte.is_ascii_digit() || usize::from(byte - b'0') >= size {
            continue;
        }
        let digit = char::from(byte);
        match row.take() {
            None => row = Some(digit),
            Some(row) => moves.push(Noted::new(&format!("{row} {digit}"), line)),
        }
    }
    moves
}

/// The text record of a game: header, remarks, numbered moves.
#[must_use]
pub fn write(session: &dyn Session, remarks: &[(String, String)]) -> String {
    let mut first = vec![FIRST_WORDS.to_owned(), session.name().to_owned()];
    first.extend(session.settings().iter().map(|(key, value)| format!("{key}={value}")));
    let mut rows = vec![first.join(" ")];
    rows.extend(remarks.iter().map(|(key, value)| format!("# {key}: {value}")));
    let mut played = session.played();
    played.extend(session.early().map(|early| early.word().to_owned()));
    let rounds: Vec<String> =
        played.chunks(2).zip(1..).map(|(round, number)| format!("{number}. {}", round.join(" "))).collect();
    rows.extend(rounds.chunks(8).map(|row| row.join(" ")));
    rows.push(String::new());
    rows.join("\n")
}

/// Bytes as text: without a byte-order mark, bytes that are not UTF-8 replaced.
fn as_text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

/// Lines ended by LF, CR LF or CR, numbered from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
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
