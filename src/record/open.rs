//! The one door for every file with a game: recognises its form by what it holds and never guesses a game.

use std::path::Path;

use crate::game::{Numbers, Outcome, Refusal, RefusalCode, SIZE, clean};
use crate::record::disk::{self, FileError};
use crate::record::game_record::{self, Notes};
use crate::record::header::{has_header, header, preamble, records};
use crate::record::link;
use crate::record::lists::{self, GuessedGame, ListedGame};
use crate::record::load::{Script, follow, letters_passed_over};
use crate::record::parse::{are_all_cells, of_digits, of_list, of_record, translate};
use crate::record::sgf::{self, Freedom};
use crate::record::source::{HEAD, SourceText};
use crate::record::wire;
use crate::record::{BadRecord, GameRecord, NodeId, Note, RecordFault, RecordFormat, StatedResult};
use crate::registry::{Entry, GAMES, GameStart, Variant};
use crate::session::Position;

/// Treatment of an illegal pair of digits in a digit file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// An illegal pair of digits is dropped.
    Forgiving,
    /// An illegal pair of digits is a fault.
    Strict,
}

/// Treatment of everything between the digits of a tic-tac-toe file; the original C program passed over it.
/// program did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// A digit file has only digits and blanks.
    Refused,
    /// A file that is nothing else is read for its digits.
    PassedOver,
}

/// Facts that are known about a file before it is read.
///
/// ```
/// use crosspath::record::{Hint, load};
/// use crosspath::registry::{Variant, find};
/// assert!(load(b"c3 d4", &Hint::default()).is_err(), "it may be Hex or Quoridor");
/// let hint = Hint::of(find("hex")?).on(&Variant::of_size(5));
/// assert_eq!(load(b"c3 d4", &hint)?.tree.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hint {
    /// The games that files can hold.
    pub games: &'static [Entry],
    /// The game of a list that does not say it; `None` if that is not known.
    pub game: Option<&'static Entry>,
    /// The board of a file that does not say it.
    pub variant: Variant,
    /// Number of the wanted game among several, from 1.
    pub number: Option<usize>,
    /// Content between the digits of a digit file: refused or passed over.
    pub noise: Noise,
    /// Treatment of an illegal pair of digits.
    pub strictness: Strictness,
    /// Freedom with which moves may follow each other in SGF.
    pub freedom: Freedom,
}

impl Hint {
    /// A file of any of these games.
    ///
    /// ```
    /// use crosspath::record::Hint;
    /// use crosspath::registry::GAMES;
    /// assert_eq!(Hint::any(GAMES).games.len(), 3);
    /// ```
    #[must_use]
    pub fn any(games: &'static [Entry]) -> Self {
        Hint {
            games,
            game: None,
            variant: Variant::default(),
            number: None,
            noise: Noise::Refused,
            strictness: Strictness::Forgiving,
            freedom: Freedom::default(),
        }
    }

    /// A file that is of this game where it does not say another.
    ///
    /// ```
    /// use crosspath::record::{Hint, load};
    /// use crosspath::registry::find;
    /// let game = load(b"e2 e8", &Hint::of(find("quoridor")?))?;
    /// assert_eq!(game.tree.position(game.end).name(), "quoridor");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(entry: &'static Entry) -> Self {
        Hint { game: Some(entry), ..Hint::any(entry.games()) }
    }

    /// Returns the hint with the board of a file that does not say it.
    ///
    /// ```
    /// use crosspath::record::{Hint, NodeId, load};
    /// use crosspath::registry::{Variant, find};
    /// let hint = Hint::of(find("hex")?).on(&Variant::of_size(5));
    /// assert_eq!(load(b"c3", &hint)?.tree.position(NodeId::ROOT).legal_count(), 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on(self, variant: &Variant) -> Self {
        Hint { variant: variant.clone(), ..self }
    }

    /// Returns the hint under which no illegal pair of digits is passed over.
    ///
    /// ```
    /// use crosspath::record::{Hint, Strictness};
    /// assert_eq!(Hint::default().strict().strictness, Strictness::Strict);
    /// ```
    #[must_use]
    pub fn strict(self) -> Self {
        Hint { strictness: Strictness::Strict, ..self }
    }

    /// Returns the hint for a program that plays any move for any side.
    pub(crate) fn free(self) -> Self {
        Hint { freedom: Freedom { any_turn: true }, ..self }
    }
}

impl Default for Hint {
    fn default() -> Self {
        Hint::any(GAMES)
    }
}

/// Kind of a file, with its content.
///
/// ```
/// use crosspath::record::{Hint, Opened, open};
/// assert!(matches!(open(b"(;GM[11]SZ[5];B[c3])", &Hint::default()), Opened::Game(_)));
/// assert!(matches!(open(b"", &Hint::default()), Opened::NotAGame(_)));
/// ```
#[derive(Debug)]
pub enum Opened {
    /// A game.
    Game(Box<GameRecord>),
    /// A journal of crosspath: the saved game of a match.
    Journal,
    /// Something else.
    NotAGame(NotAGame),
}

/// Why a file is no game, to follow its name and a colon.
///
/// ```
/// use crosspath::record::{Hint, load};
/// let why = load(b"\x7fELF\x00\x01", &Hint::default()).unwrap_err();
/// assert_eq!(why.line, None);
/// assert!(why.to_string().contains("binary"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{why}", line.map_or_else(|| " ".to_owned(), |line| format!("{line}: ")))]
pub struct NotAGame {
    /// The line that is wrong, from 1, where the form of the file is known.
    pub line: Option<usize>,
    /// Reason why it cannot be read: what the file looks like and what can be read, or what is wrong in the line.
    pub why: String,
}

impl NotAGame {
    fn new(why: impl Into<String>) -> Self {
        NotAGame { line: None, why: why.into() }
    }

    /// A file that looks like this.
    fn looks_like(what: &str) -> Self {
        NotAGame::new(format!("the file looks like {what}, not a game; {READABLE}"))
    }
}

impl From<BadRecord> for NotAGame {
    fn from(BadRecord { line, why }: BadRecord) -> Self {
        NotAGame { line: Some(line), why }
    }
}

/// Forms of files that can be read, as the end of a sentence.
const READABLE: &str =
    "crosspath reads its own records, SGF, links of HexWorld and trmph, and lists of moves";

/// Opens a file.
///
/// ```
/// use crosspath::record::{Hint, Opened, open};
/// let Opened::Game(game) = open(b"#5c1,b2:sc3d4b4", &Hint::default()) else { panic!("a link of HexWorld") };
/// assert_eq!(game.tree.position(game.end).played(), ["b2", "swap", "c3", "d4", "b4"]);
/// assert!(matches!(open(b"{\"name\": 3}", &Hint::default()), Opened::NotAGame(_)));
/// ```
#[must_use]
pub fn open(bytes: &[u8], hint: &Hint) -> Opened {
    let source = SourceText::decode(bytes);
    if is_journal(&source.text) {
        return Opened::Journal;
    }
    let opened = if source.is_binary {
        Err(NotAGame::looks_like("a binary file"))
    } else {
        game_of(&source.text, hint)
    };
    let opened = match opened {
        Err(why) if hint.noise == Noise::PassedOver && why.line.is_none() => {
            digits_in(&String::from_utf8_lossy(bytes), hint, why)
        }
        opened => opened,
    };
    match opened {
        Ok(game) => Opened::Game(Box::new(with_encoding(game, &source))),
        Err(why) => Opened::NotAGame(why),
    }
}

/// The game with a note about the encoding that its file names, where that is not known.
fn with_encoding(mut game: GameRecord, source: &SourceText) -> GameRecord {
    if let Some(why) = source.unknown.as_deref().filter(|_| game.form == RecordFormat::Sgf) {
        let why = Refusal::new(RefusalCode::File, why);
        game.notes.insert(0, Note { at: NodeId::ROOT, line: 1, why });
    }
    game
}

/// Opens a file that has to be a game.
///
/// ```
/// use crosspath::record::{Hint, load};
/// let game = load(b"# crosspath tic-tac-toe size=3\n1. b2 a1\n", &Hint::default())?;
/// assert_eq!(game.tree.position(game.end).played(), ["b2", "a1"]);
/// assert!(load(b"once upon a time", &Hint::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Says what it is instead. Wrong moves are no error: see [`GameRecord::fault`].
pub fn load(bytes: &[u8], hint: &Hint) -> Result<GameRecord, NotAGame> {
    match open(bytes, hint) {
        Opened::Game(game) => Ok(*game),
        Opened::Journal => {
            let why = "the file is a saved game of crosspath; crosspath games export ID FILE writes it as a file that can be loaded";
            Err(NotAGame::new(why))
        }
        Opened::NotAGame(why) => Err(why),
    }
}

/// The bytes of a game that a person names: those of a file, or a link of `HexWorld` or trmph itself.
///
/// # Errors
/// As [`disk::load`].
pub(crate) fn source(name: &Path) -> Result<Vec<u8>, FileError> {
    let link = name.to_str().filter(|text| link::is_link(text) && !name.exists());
    link.map_or_else(|| disk::load(name), |link| Ok(link.as_bytes().to_vec()))
}

/// Reports whether a text begins as the journal of a game does.
fn is_journal(text: &str) -> bool {
    let sum = text.get(..8).is_some_and(|sum| sum.bytes().all(|byte| byte.is_ascii_hexdigit()));
    sum && text[8..].starts_with(" {\"seq\":")
}

/// Reads a text by the first form that fits.
fn game_of(text: &str, hint: &Hint) -> Result<GameRecord, NotAGame> {
    match (formed(text, hint)?, hint.game) {
        (Some(game), _) => Ok(game),
        (None, Some(entry)) => list_of(text, entry, hint),
        (None, None) => unnamed_list(text, hint),
    }
}

/// Reads a text in a form that says its game; `None` if it is a list of moves or none of the forms.
fn formed(text: &str, hint: &Hint) -> Result<Option<GameRecord>, NotAGame> {
    if has_header(text) {
        let records = records(text);
        let (index, notes) = choose(records.len(), hint)?;
        let (lines, text) = records[index];
        // Lines are counted from the first one of the file.
        return Ok(Some(record(&format!("{}{text}", "\n".repeat(lines)), hint, notes)?));
    }
    if let Some(game) = sgf_in(text, hint)? {
        return Ok(Some(game));
    }
    if let Some(mut links) = link::links(text)? {
        let (index, notes) = choose(links.len(), hint)?;
        return Ok(Some(link::read(&links.swap_remove(index), hint.games, notes)?));
    }
    if let Some(games) = wire::games(text, hint.games)? {
        let (index, notes) = choose(games.count(), hint)?;
        return Ok(Some(games.read(index, notes)?));
    }
    Ok(None)
}

/// Returns the index, from 0, of the wanted game of `count`, with a note where there are several and none was named.
fn choose(count: usize, hint: &Hint) -> Result<(usize, Notes), NotAGame> {
    game_record::choose(count, hint.number).map_err(|why| NotAGame { line: Some(1), why })
}

/// Opens all games of a file that says which game they are of: records, SGF, links, games of the arena. `None` for a list
/// of moves.
///
/// # Errors
/// Says what is wrong with the form of a game. Wrong moves are no error: see [`GameRecord::fault`].
pub(crate) fn games(bytes: &[u8], hint: &Hint) -> Result<Option<Vec<GameRecord>>, NotAGame> {
    let source = SourceText::decode(bytes);
    let mut games = Vec::new();
    loop {
        let number = games.len() + 1;
        match formed(&source.text, &Hint { number: Some(number), ..hint.clone() }) {
            Ok(Some(game)) => games.push(with_encoding(game, &source)),
            Ok(None) => return Ok(None),
            Err(end) if number > 1 && end.why == game_record::no_game(number - 1, number) => {
                return Ok(Some(games));
            }
            Err(why) => return Err(why),
        }
    }
}

/// Reads a text record.
fn record(text: &str, hint: &Hint, notes: Notes) -> Result<GameRecord, BadRecord> {
    let header = header(text, hint.games)?.expect("it was seen");
    let line = header.line;
    let position = header.start.position().map_err(|error| BadRecord { line, why: error.to_string() })?;
    let mut moves = of_record(text, &*position);
    if let Some(notation) = header.notation {
        translate(&mut moves, &notation, &*position).map_err(|why| BadRecord { line, why })?;
    }
    let (start, remarks) = (header.start, header.remarks);
    let script =
        Script { start, moves, remarks, stated: None, notes, fault: None, drops: false, ends_early: false };
    Ok(follow(script, position))
}

/// Reads the game in SGF that begins somewhere in the text; `None` if there is none.
fn sgf_in(text: &str, hint: &Hint) -> Result<Option<GameRecord>, NotAGame> {
    let mut head = text.len().min(HEAD);
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    let mut from = 0;
    while let Some(at) = text[from..head].find('(').map(|at| from + at) {
        from = at + 1;
        if !sgf::is_game(&text[at..]) {
            continue;
        }
        let before = &text[..at];
        let is_alone = before.trim().is_empty();
        let lines = before.matches('\n').count();
        match sgf::read(&text[at..], hint.games, hint.number, hint.freedom) {
            Ok((mut game, length)) => {
                // Brackets of that form stand in other texts, too: a game says something.
                let own = &text[at..at + length];
                let is_written = own.contains('[') || own == "(;)";
                let is_whole = is_alone && is_written && text[at + length..].trim().is_empty();
                let is_played = game.tree.len() > 1 && game.fault.is_none();
                if !is_whole && !is_played && game.start.setup.is_none() {
                    continue;
                }
                game.notes.iter_mut().for_each(|note| note.line += lines);
                if let Some(fault) = &mut game.fault {
                    fault.line += lines;
                }
                game.last_line += lines;
                return Ok(Some(game));
            }
            Err(bad) if is_alone => {
                return Err(NotAGame { line: Some(bad.line + lines), why: bad.why });
            }
            Err(_) => {}
        }
    }
    Ok(None)
}

/// Reads a list of moves of a game that is known.
fn list_of(text: &str, entry: &'static Entry, hint: &Hint) -> Result<GameRecord, NotAGame> {
    let mut games = lists::games(text);
    let mut variant = preamble(text, entry, &hint.variant)?;
    // Where nobody names a size, the list fits on its board.
    if let (Numbers::Pairs(_), Some(GuessedGame::Stones(size)), None) =
        (entry.numbers, games.first().and_then(|game| lists::guess(&game.items)), variant.value(SIZE))
    {
        variant.set(SIZE, size);
    }
    let start = GameStart::new(entry, variant);
    let position = start.position().map_err(|error| NotAGame::new(error.to_string()))?;
    if entry.numbers == Numbers::Digits {
        let are_cells = games.iter().all(|game| are_all_cells(&game.items, &*position));
        if is_of_digits(text) {
            return digits(text, start, hint, Notes::default());
        }
        // In files of this game numbers are digits, and digits stand among nothing else.
        let has_numbers = games.iter().any(|game| lists::has_numbers(&game.items));
        if has_numbers || !are_cells && hint.noise == Noise::PassedOver {
            return Err(what_it_is(text));
        }
    }
    let (index, notes) = choose(games.len(), hint)?;
    let game = followed(games.swap_remove(index), start, &*position, notes)?;
    if game.tree.len() == 1 && game.start.setup.is_none() && (game.fault.is_some() || game.end_is_open()) {
        return match game.fault {
            Some(fault) if fault.surplus.is_none() && is_a_list(text) => {
                Err(NotAGame { line: Some(fault.line), why: fault.why.text.into_string() })
            }
            _ => Err(what_it_is(text)),
        };
    }
    Ok(game)
}

/// Refuses a list in which another game begins without a line that says so.
fn is_one_game(listed: &ListedGame) -> Result<(), NotAGame> {
    let why = "another game begins here; put a line GAME before each game";
    listed.next_game.map_or(Ok(()), |line| Err(NotAGame { line: Some(line), why: why.to_owned() }))
}

/// Follows the moves of a list.
fn followed(
    listed: ListedGame,
    start: GameStart,
    position: &dyn Position,
    notes: Notes,
) -> Result<GameRecord, NotAGame> {
    is_one_game(&listed)?;
    let stated = listed.stated(position);
    let (moves, winner) = of_list(listed.items, position, start.entry.numbers, listed.last_line);
    let stated = stated.or(winner.map(|side| StatedResult::of(Outcome::Win(side))));
    let position = start.position().map_err(|error| NotAGame::new(error.to_string()))?;
    let script = Script {
        start,
        moves,
        remarks: listed.remarks,
        stated,
        notes,
        fault: None,
        drops: false,
        ends_early: false,
    };
    Ok(follow(script, position))
}

/// Guesses the game and the board of a list that does not say them.
fn board_of(
    list: &ListedGame,
    of_digits: Option<&'static Entry>,
    hint: &Hint,
) -> Option<(&'static Entry, Variant)> {
    let of = |kind: &dyn Fn(&Entry) -> bool| hint.games.iter().find(|entry| kind(entry));
    let variant = hint.variant.clone();
    let has_size = variant.value(SIZE).is_some();
    let (entry, size) = match lists::guess(&list.items) {
        Some(GuessedGame::Marks) => (of_digits, None),
        Some(GuessedGame::Walls) => (of(&has_walls), None),
        Some(GuessedGame::Stones(size)) => {
            (of(&|entry| matches!(entry.numbers, Numbers::Pairs(_))), Some(size).filter(|_| !has_size))
        }
        // A size without a game is one of the first game, as everywhere.
        None => (hint.games.first().filter(|_| has_size), None),
    };
    entry.map(|entry| (entry, size.map_or(variant.clone(), |size| variant.with(SIZE, size))))
}

/// Reads a list that does not say its game, where it can be of one game only and every word of it is a legal move.
fn unnamed_list(text: &str, hint: &Hint) -> Result<GameRecord, NotAGame> {
    let of_digits = hint.games.iter().find(|entry| entry.numbers == Numbers::Digits);
    if let Some(entry) = of_digits.filter(|_| is_of_digits(text)) {
        let game = digits(text, GameStart::new(entry, hint.variant.clone()), hint, Notes::default())?;
        return match &game.fault {
            Some(fault) if hint.noise == Noise::Refused => Err(NotAGame {
                line: Some(fault.line),
                why: format!(
                    "the digits are no game of {}: {}; name another game with --game",
                    entry.title,
                    fault.why.reason()
                ),
            }),
            _ => Ok(game),
        };
    }
    let mut games = lists::games(text);
    let guessed = games.first().and_then(|game| board_of(game, of_digits, hint));
    let Some((entry, variant)) = guessed else { return Err(what_it_is(text)) };
    let (index, notes) = choose(games.len(), hint)?;
    let start = GameStart::new(entry, variant);
    let position = start.position().map_err(|error| NotAGame::new(error.to_string()))?;
    let listed = games.swap_remove(index);
    let is_of_cells = || are_all_cells(&listed.items, &*position);
    if hint.noise == Noise::PassedOver && entry.numbers == Numbers::Digits && !is_of_cells() {
        return Err(what_it_is(text)); // the original program reads digits alone
    }
    let is_of_the_original = hint.noise == Noise::PassedOver && {
        let board = of_digits.and_then(|entry| entry.start(&hint.variant).ok());
        board.is_some_and(|board| are_all_cells(&listed.items, &*board))
    };
    let game = followed(listed, start, &*position, notes)?;
    if let (Some(_), Some(entry)) = (&game.fault, of_digits.filter(|_| is_of_the_original)) {
        return list_of(text, entry, hint); // that mode is the original's, whose game it is
    }
    match &game.fault {
        None if game.tree.len() > 1 => Ok(game),
        None => Err(what_it_is(text)),
        Some(_) if !is_a_list(text) => Err(what_it_is(text)),
        Some(fault) => Err(NotAGame {
            line: Some(fault.line),
            why: format!(
                "read as {}, {}; name another game with --game NAME and --size N",
                position.view().title(),
                fault.why.reason()
            ),
        }),
    }
}

/// Reports whether walls are moves of a game.
fn has_walls(entry: &Entry) -> bool {
    entry.start(&Variant::default()).is_ok_and(|start| start.read("a1h").is_ok())
}

/// Reports whether a text has only digits and blanks.
fn is_of_digits(text: &str) -> bool {
    let mut bytes = text.bytes();
    text.bytes().any(|byte| byte.is_ascii_digit())
        && bytes.all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace())
}

/// Reads a file of digits.
fn digits(text: &str, start: GameStart, hint: &Hint, mut notes: Notes) -> Result<GameRecord, NotAGame> {
    let position = start.position().map_err(|error| NotAGame::new(error.to_string()))?;
    let is_noisy = hint.noise == Noise::PassedOver;
    let is_strict = hint.strictness == Strictness::Strict;
    let size = position.settings().iter().find(|(key, _)| *key == SIZE);
    let size = size.and_then(|(_, size)| size.parse().ok()).filter(|_| is_noisy).unwrap_or(10);
    let moves = of_digits(text, size);
    let has_moves = moves.moves().next().is_some();
    let noise = if is_of_digits(text) { None } else { Some(passed_over(text, start.entry, &*position)) };
    let fault = match noise {
        // Strictly read, a list that is none of this board is no file of digits either.
        Some(Ok(Note { line, why, .. })) if is_strict => Some(RecordFault { line, why, surplus: None }),
        Some(Ok(note)) if !has_moves => Some(RecordFault::of_file(note.line, note.why.text)),
        _ if !has_moves => {
            Some(RecordFault::of_file(1, "the file has no moves for this game. Try --game NAME."))
        }
        Some(Ok(note)) => {
            notes.push(note);
            None
        }
        Some(Err(what)) => {
            notes.take(NodeId::ROOT, 1, what);
            None
        }
        None => None,
    };
    let drops = is_noisy && !is_strict;
    let script =
        Script { start, moves, remarks: Vec::new(), stated: None, notes, fault, drops, ends_early: is_noisy };
    Ok(follow(script, position))
}

/// Returns a note about what a file of digits passes over: cells in letters, with their line, or something else.
fn passed_over(text: &str, entry: &'static Entry, on: &dyn Position) -> Result<Note, &'static str> {
    let other = if has_move_numbers(text) {
        "move numbers are read as digits; remove them"
    } else {
        "the file is read as digits (row, column); everything else in it is skipped"
    };
    letters_passed_over(text, entry, on).ok_or(other)
}

/// Reads the digits in a text that is nothing else, as the C original does; `why` is what it is instead.
fn digits_in(text: &str, hint: &Hint, why: NotAGame) -> Result<GameRecord, NotAGame> {
    let of_digits = hint.games.iter().find(|entry| entry.numbers == Numbers::Digits);
    let Some(entry) = hint.game.or(of_digits).filter(|entry| entry.numbers == Numbers::Digits) else {
        return Err(why);
    };
    digits(text, GameStart::new(entry, hint.variant.clone()), hint, Notes::default())
}

/// Reports whether lines begin with numbers of moves before digits: `1. 0 0`.
fn has_move_numbers(text: &str) -> bool {
    let is_numbered = |row: &str| {
        let rest = row.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        let after = rest.strip_prefix(['.', ')', ':']).unwrap_or_default().trim_start();
        rest.len() < row.trim_start().len() && after.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut rows = text.lines().filter(|row| !row.trim().is_empty()).peekable();
    rows.peek().is_some() && rows.all(is_numbered)
}

/// Reports whether most words of a text look like moves.
fn is_a_list(text: &str) -> bool {
    let games = lists::games(text);
    let words = games.iter().flat_map(|game| &game.items).filter_map(|item| match item {
        crate::record::RecordItem::Move(noted) => Some(noted.text.to_ascii_lowercase()),
        _ => None,
    });
    let (mut moves, mut count) = (0, 0);
    for word in words {
        count += 1;
        let is_word = ["swap", "resign", "pass", "swap-pieces", "b", "w"].contains(&word.as_str());
        moves += usize::from(is_word || lists::cells_and_walls(&word, true).is_some());
    }
    count > 0 && moves * 2 >= count
}

/// Says what a text is that is no game.
fn what_it_is(text: &str) -> NotAGame {
    let begin = text.trim_start();
    let is_json =
        begin.starts_with('{') && begin.contains("\":") || begin.starts_with('[') && begin.ends_with(']');
    if begin.is_empty() {
        NotAGame::new("the file has no moves; it is blank")
    } else if has_move_numbers(text) {
        NotAGame::new("move numbers are read as digits; remove them, and use --game tic-tac-toe")
    } else if is_a_list(text) {
        NotAGame::new(
            "the file is a list of moves that does not say its game; name it with --game NAME and --size N",
        )
    } else if is_json {
        NotAGame::looks_like("JSON")
    } else if begin.starts_with("<?xml") || begin.starts_with("<!") || begin.starts_with("<html") {
        NotAGame::looks_like("a page of HTML or XML")
    } else {
        let first = begin.split_whitespace().next().unwrap_or_default();
        NotAGame::looks_like(&format!("a text that begins with {:?}", clean(&Refusal::shown(first))))
    }
}

impl GameRecord {
    /// Reports whether the game goes on where the file ends.
    fn end_is_open(&self) -> bool {
        self.tree.position(self.end).outcome().is_none()
    }
}
