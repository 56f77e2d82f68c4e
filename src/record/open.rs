//! Entry point for reading game files. The content decides the format; ambiguous games are errors.

use std::path::Path;

use crate::game::{NumberMeaning, Outcome, Refusal, RefusalCode, SIZE_KEY, sanitize_text};
use crate::record::disk::{self, FileError};
use crate::record::game_record::{self, NoteCollector};
use crate::record::header::{has_record_header, parse_header, parse_list_settings, split_records};
use crate::record::lists::{self, GuessedGame, ListedGame};
use crate::record::load::{ReplayScript, note_skipped_cell, replay_script};
use crate::record::parse::{
    are_all_moves_cells, parse_digit_moves, parse_list_moves, parse_record_moves, translate_notation,
};
use crate::record::sgf::{self, SgfTurnOrder};
use crate::record::source::{SCANNED_HEAD_BYTES, SourceText};
use crate::record::{BadRecord, GameRecord, NodeId, RecordFault, RecordFormat, RecordNote, StatedResult};
use crate::record::{link, wire};
use crate::registry::{GAMES, GameStart, RegisteredGame, Variant};
use crate::session::Position;

/// Treatment of an illegal pair of digits, if other text in the file is passed over.
///
/// ```
/// use crosspath::record::{NonDigitTextPolicy, RecordReadOptions as Options, load_game};
/// let options = Options { noise: NonDigitTextPolicy::PassedOver, ..Options::default() }.with_strict_digits();
/// assert!(load_game(b"11 11 00", &options).is_ok_and(|record| record.fault.is_some()), "11 is occupied");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigitPairStrictness {
    /// Illegal pairs of digits are dropped.
    Forgiving,
    /// An illegal pair of digits is a fault.
    Strict,
}

/// Treatment of text between the digits of a tic-tac-toe file, which the original C program ignored.
///
/// ```
/// use crosspath::record::{NonDigitTextPolicy, RecordReadOptions, load_game};
/// let options = RecordReadOptions { noise: NonDigitTextPolicy::PassedOver, ..RecordReadOptions::default() };
/// assert!(load_game(b"1-1", &RecordReadOptions::default()).is_err() && load_game(b"1-1", &options).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonDigitTextPolicy {
    /// A digit file may contain only digits and blanks.
    Refused,
    /// A file in no other format is read as a digit file, and other characters are ignored.
    PassedOver,
}

/// Options for reading a file: facts that the file may not state.
///
/// ```
/// use crosspath::{record::{RecordReadOptions, load_game}, registry::{Variant, find_game}};
/// assert!(load_game(b"c3 d4", &RecordReadOptions::default()).is_err(), "it may be Hex or Quoridor");
/// let hint = RecordReadOptions::for_game(find_game("hex")?).with_board(&Variant::of_size(5));
/// assert_eq!(load_game(b"c3 d4", &hint)?.tree.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordReadOptions {
    /// Supported games.
    pub games: &'static [RegisteredGame],
    /// Game of a list that does not state it, if it is known.
    pub game: Option<&'static RegisteredGame>,
    /// Board of a file that does not state it.
    pub variant: Variant,
    /// Number of the requested game in a file of several games, from 1.
    pub number: Option<usize>,
    /// Treatment of text between the digits of a digit file.
    pub noise: NonDigitTextPolicy,
    /// Treatment of an illegal pair of digits.
    pub strictness: DigitPairStrictness,
    /// Turn order of moves in SGF.
    pub freedom: SgfTurnOrder,
}

impl RecordReadOptions {
    /// Returns the options for a file of any of these games.
    ///
    /// ```
    /// use crosspath::{record::RecordReadOptions, registry::GAMES};
    /// assert_eq!(RecordReadOptions::for_games(GAMES).games.len(), 3);
    /// ```
    #[must_use]
    pub fn for_games(games: &'static [RegisteredGame]) -> Self {
        RecordReadOptions {
            games,
            game: None,
            variant: Variant::default(),
            number: None,
            noise: NonDigitTextPolicy::Refused,
            strictness: DigitPairStrictness::Forgiving,
            freedom: SgfTurnOrder::default(),
        }
    }

    /// Returns the options for a file of this game, unless the file states another.
    ///
    /// ```
    /// use crosspath::{record::{RecordReadOptions, load_game}, registry::find_game};
    /// let game = load_game(b"e2 e8", &RecordReadOptions::for_game(find_game("quoridor")?))?;
    /// assert_eq!(game.tree.position(game.end).game_name(), "quoridor");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_game(entry: &'static RegisteredGame) -> Self {
        RecordReadOptions { game: Some(entry), ..RecordReadOptions::for_games(entry.game_list()) }
    }

    /// Returns the options with the board of a file that does not state it.
    ///
    /// ```
    /// use crosspath::{record::{RecordReadOptions, NodeId, load_game}, registry::{Variant, find_game}};
    /// let hint = RecordReadOptions::for_game(find_game("hex")?).with_board(&Variant::of_size(5));
    /// assert_eq!(load_game(b"c3", &hint)?.tree.position(NodeId::ROOT).legal_move_count(), 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_board(self, variant: &Variant) -> Self {
        RecordReadOptions { variant: variant.clone(), ..self }
    }

    /// Returns the options under which an illegal pair of digits is a fault.
    #[must_use]
    pub fn with_strict_digits(self) -> Self {
        RecordReadOptions { strictness: DigitPairStrictness::Strict, ..self }
    }

    /// Returns the options under which either side may move at any time in SGF.
    pub(crate) fn with_any_turn(self) -> Self {
        RecordReadOptions { freedom: SgfTurnOrder { any_turn: true }, ..self }
    }
}

impl Default for RecordReadOptions {
    fn default() -> Self {
        RecordReadOptions::for_games(GAMES)
    }
}

/// Result of opening a file.
///
/// ```
/// use crosspath::record::{RecordReadOptions, OpenedFile, open_game_file};
/// assert!(matches!(open_game_file(b"(;GM[11]SZ[5];B[c3])", &RecordReadOptions::default()), OpenedFile::Game(_)));
/// assert!(matches!(open_game_file(b"", &RecordReadOptions::default()), OpenedFile::NotAGame(_)));
/// ```
#[derive(Debug)]
pub enum OpenedFile {
    /// A readable game.
    Game(Box<GameRecord>),
    /// A journal of crosspath, which holds the saved game of a match.
    Journal,
    /// A file without a readable game.
    NotAGame(NotAGame),
}

/// Error of a file without a readable game. The message follows the file name and a colon.
///
/// ```
/// use crosspath::record::{RecordReadOptions, load_game};
/// let why = load_game(b"\x7fELF\x00\x01", &RecordReadOptions::default()).unwrap_err();
/// assert!(why.line.is_none() && why.to_string().contains("binary"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{why}", line.map_or_else(|| " ".to_owned(), |line| format!("{line}: ")))]
pub struct NotAGame {
    /// Line with the problem, from 1, if the format of the file is known.
    pub line: Option<usize>,
    /// Description of the problem: the apparent content, or the fault in the line.
    pub why: String,
}

impl NotAGame {
    fn new(why: impl Into<String>) -> Self {
        NotAGame { line: None, why: why.into() }
    }

    /// Returns the error for a file that seems to contain `what`.
    fn looking_like(what: &str) -> Self {
        NotAGame::new(format!("the file looks like {what}, not a game; {READABLE_FORMS}"))
    }
}

impl From<BadRecord> for NotAGame {
    fn from(BadRecord { line, why }: BadRecord) -> Self {
        NotAGame { line: Some(line), why }
    }
}

/// List of the readable file formats, as the end of a sentence.
const READABLE_FORMS: &str =
    "crosspath reads its own records, SGF, links of HexWorld and trmph, and lists of moves";

/// Reads the content of a file and recognises its format.
///
/// ```
/// use crosspath::record::{RecordReadOptions, OpenedFile, open_game_file};
/// let opened = open_game_file(b"#5c1,b2:sc3d4b4", &RecordReadOptions::default());
/// let OpenedFile::Game(game) = opened else { panic!("a link of HexWorld") };
/// assert_eq!(game.tree.position(game.end).played_moves(), ["b2", "swap", "c3", "d4", "b4"]);
/// ```
#[must_use]
pub fn open_game_file(bytes: &[u8], hint: &RecordReadOptions) -> OpenedFile {
    let source = SourceText::decode(bytes);
    if is_journal_text(&source.text) {
        return OpenedFile::Journal;
    }
    let opened = if source.is_binary {
        Err(NotAGame::looking_like("a binary file"))
    } else {
        parse_game(&source.text, hint)
    };
    let opened = match opened {
        Err(why) if hint.noise == NonDigitTextPolicy::PassedOver && why.line.is_none() => {
            parse_embedded_digits(&String::from_utf8_lossy(bytes), hint, why)
        }
        opened => opened,
    };
    match opened {
        Ok(game) => OpenedFile::Game(Box::new(add_encoding_note(game, &source))),
        Err(why) => OpenedFile::NotAGame(why),
    }
}

/// Adds a note to an SGF game if the encoding that its file names is unknown.
fn add_encoding_note(mut game: GameRecord, source: &SourceText) -> GameRecord {
    if let Some(why) = source.unknown.as_deref().filter(|_| game.form == RecordFormat::Sgf) {
        let why = Refusal::new(RefusalCode::File, why);
        game.notes.insert(0, RecordNote { at: NodeId::ROOT, line: 1, why });
    }
    game
}

/// Reads a file that must contain a game.
///
/// ```
/// use crosspath::record::{RecordReadOptions, load_game};
/// let game = load_game(b"# crosspath tic-tac-toe size=3\n1. b2 a1\n", &RecordReadOptions::default())?;
/// assert_eq!(game.tree.position(game.end).played_moves(), ["b2", "a1"]);
/// assert!(load_game(b"once upon a time", &RecordReadOptions::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Describes the content if it is not a game. Illegal moves are not an error: see [`GameRecord::fault`].
pub fn load_game(bytes: &[u8], hint: &RecordReadOptions) -> Result<GameRecord, NotAGame> {
    match open_game_file(bytes, hint) {
        OpenedFile::Game(game) => Ok(*game),
        OpenedFile::Journal => {
            let why = "the file is a saved game of crosspath; crosspath games export ID FILE writes it as a file that can be loaded";
            Err(NotAGame::new(why))
        }
        OpenedFile::NotAGame(why) => Err(why),
    }
}

/// Returns the bytes of a game that is given as a file name or as a link of `HexWorld` or trmph.
///
/// # Errors
/// Returns the errors of [`disk::load_move_file`].
pub(crate) fn read_game_source(name: &Path) -> Result<Vec<u8>, FileError> {
    let link = name.to_str().filter(|text| link::is_game_link(text) && !name.exists());
    link.map_or_else(|| disk::load_move_file(name), |link| Ok(link.as_bytes().to_vec()))
}

/// Reports whether a text begins like a journal.
fn is_journal_text(text: &str) -> bool {
    let sum = text.get(..8).is_some_and(|sum| sum.bytes().all(|byte| byte.is_ascii_hexdigit()));
    sum && text[8..].starts_with(" {\"seq\":")
}

/// Parses a text in the first format that fits.
fn parse_game(text: &str, hint: &RecordReadOptions) -> Result<GameRecord, NotAGame> {
    match (parse_self_describing(text, hint)?, hint.game) {
        (Some(game), _) => Ok(game),
        (None, Some(entry)) => parse_list_of_game(text, entry, hint),
        (None, None) => parse_unnamed_list(text, hint),
    }
}

/// Parses a text in a format that states its game; returns `None` for any other text.
fn parse_self_describing(text: &str, hint: &RecordReadOptions) -> Result<Option<GameRecord>, NotAGame> {
    if has_record_header(text) {
        let records = split_records(text);
        let (index, notes) = select_game_by_hint(records.len(), hint)?;
        let (lines, text) = records[index];
        // Line numbers refer to the whole file.
        return Ok(Some(parse_text_record(&format!("{}{text}", "\n".repeat(lines)), hint, notes)?));
    }
    if let Some(game) = find_sgf_game(text, hint)? {
        return Ok(Some(game));
    }
    if let Some(mut links) = link::parse_links(text)? {
        let (index, notes) = select_game_by_hint(links.len(), hint)?;
        return Ok(Some(link::read_link_game(&links.swap_remove(index), hint.games, notes)?));
    }
    if let Some(games) = wire::parse_arena_file(text, hint.games)? {
        let (index, notes) = select_game_by_hint(games.game_count(), hint)?;
        return Ok(Some(games.read_game(index, notes)?));
    }
    Ok(None)
}

/// Selects the requested game of `count`; adds a note if there are several and no number was given.
fn select_game_by_hint(count: usize, hint: &RecordReadOptions) -> Result<(usize, NoteCollector), NotAGame> {
    game_record::select_game(count, hint.number).map_err(|why| NotAGame { line: Some(1), why })
}

/// Reads all games of a file; returns `None` for a list of moves, which does not state its game.
///
/// # Errors
/// The error describes the problem. Illegal moves are not an error: see [`GameRecord::fault`].
pub(crate) fn load_all_games(
    bytes: &[u8],
    hint: &RecordReadOptions,
) -> Result<Option<Vec<GameRecord>>, NotAGame> {
    let source = SourceText::decode(bytes);
    let mut games = Vec::new();
    loop {
        let number = games.len() + 1;
        match parse_self_describing(&source.text, &RecordReadOptions { number: Some(number), ..hint.clone() })
        {
            Ok(Some(game)) => games.push(add_encoding_note(game, &source)),
            Ok(None) => return Ok(None),
            Err(end) if number > 1 && end.why == game_record::no_such_game_text(number - 1, number) => {
                return Ok(Some(games));
            }
            Err(why) => return Err(why),
        }
    }
}

/// Parses a text record.
fn parse_text_record(
    text: &str,
    hint: &RecordReadOptions,
    notes: NoteCollector,
) -> Result<GameRecord, BadRecord> {
    let header = parse_header(text, hint.games)?.expect("it was seen");
    let line = header.line;
    let position = header.start.position().map_err(|error| BadRecord { line, why: error.to_string() })?;
    let mut moves = parse_record_moves(text, &*position);
    if let Some(notation) = header.notation {
        translate_notation(&mut moves, &notation, &*position).map_err(|why| BadRecord { line, why })?;
    }
    let (start, remarks) = (header.start, header.remarks);
    let script = ReplayScript {
        start,
        moves,
        remarks,
        stated: None,
        notes,
        fault: None,
        drops: false,
        ends_early: false,
    };
    Ok(replay_script(script, position))
}

/// Finds and parses the SGF game in a text; returns `None` if there is none.
fn find_sgf_game(text: &str, hint: &RecordReadOptions) -> Result<Option<GameRecord>, NotAGame> {
    let mut head = text.len().min(SCANNED_HEAD_BYTES);
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    let mut from = 0;
    while let Some(at) = text[from..head].find('(').map(|at| from + at) {
        from = at + 1;
        if !sgf::is_sgf_game(&text[at..]) {
            continue;
        }
        let before = &text[..at];
        let is_alone = before.trim().is_empty();
        let lines = before.matches('\n').count();
        match sgf::read_sgf(&text[at..], hint.games, hint.number, hint.freedom) {
            Ok((mut game, length)) => {
                // Brackets of this form also occur in other texts, so the game must have properties.
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

/// Parses a list of moves of a known game.
fn parse_list_of_game(
    text: &str,
    entry: &'static RegisteredGame,
    hint: &RecordReadOptions,
) -> Result<GameRecord, NotAGame> {
    let mut games = lists::split_listed_games(text);
    let mut variant = parse_list_settings(text, entry, &hint.variant)?;
    // Without a given size, the board is made large enough for the list.
    if let (NumberMeaning::Pairs(_), Some(GuessedGame::Stones(size)), None) = (
        entry.numbers,
        games.first().and_then(|game| lists::guess_game(&game.items)),
        variant.value(SIZE_KEY),
    ) {
        variant.set_setting(SIZE_KEY, size);
    }
    let start = GameStart::new(entry, variant);
    let position = start.position().map_err(|error| NotAGame::new(error.to_string()))?;
    if entry.numbers == NumberMeaning::Digits {
        let are_cells = games.iter().all(|game| are_all_moves_cells(&game.items, &*position));
        if is_all_digits(text) {
            return parse_digit_file(text, start, hint, NoteCollector::default());
        }
        // In files of this game numbers are read as digits, which are not mixed with anything else.
        let has_numbers = games.iter().any(|game| lists::has_numeric_moves(&game.items));
        if has_numbers || !are_cells && hint.noise == NonDigitTextPolicy::PassedOver {
            return Err(describe_unreadable_text(text));
        }
    }
    let (index, notes) = select_game_by_hint(games.len(), hint)?;
    let game = replay_list(games.swap_remove(index), start, &*position, notes)?;
    if game.tree.len() == 1 && game.start.setup.is_none() && (game.fault.is_some() || game.is_unfinished()) {
        return match game.fault {
            Some(fault) if fault.surplus.is_none() && looks_like_move_list(text) => {
                Err(NotAGame { line: Some(fault.line), why: fault.why.text.into_string() })
            }
            _ => Err(describe_unreadable_text(text)),
        };
    }
    Ok(game)
}

/// Returns an error if another game begins in a list without a separator line.
fn check_single_game(listed: &ListedGame) -> Result<(), NotAGame> {
    let why = "another game begins here; put a line GAME before each game";
    listed.next_game.map_or(Ok(()), |line| Err(NotAGame { line: Some(line), why: why.to_owned() }))
}

/// Replays the moves of a list.
fn replay_list(
    listed: ListedGame,
    start: GameStart,
    position: &dyn Position,
    notes: NoteCollector,
) -> Result<GameRecord, NotAGame> {
    check_single_game(&listed)?;
    let stated = listed.stated_result(position);
    let (moves, winner) = parse_list_moves(listed.items, position, start.entry.numbers, listed.last_line);
    let stated = stated.or(winner.map(|side| StatedResult::without_reason(Outcome::Win(side))));
    let position = start.position().map_err(|error| NotAGame::new(error.to_string()))?;
    let script = ReplayScript {
        start,
        moves,
        remarks: listed.remarks,
        stated,
        notes,
        fault: None,
        drops: false,
        ends_early: false,
    };
    Ok(replay_script(script, position))
}

/// Guesses the game and the board of a list that does not state them.
fn guess_board(
    list: &ListedGame,
    of_digits: Option<&'static RegisteredGame>,
    hint: &RecordReadOptions,
) -> Option<(&'static RegisteredGame, Variant)> {
    let of = |kind: &dyn Fn(&RegisteredGame) -> bool| hint.games.iter().find(|entry| kind(entry));
    let variant = hint.variant.clone();
    let has_size = variant.value(SIZE_KEY).is_some();
    let (entry, size) = match lists::guess_game(&list.items) {
        Some(GuessedGame::Marks) => (of_digits, None),
        Some(GuessedGame::Walls) => (of(&game_has_walls), None),
        Some(GuessedGame::Stones(size)) => {
            (of(&|entry| matches!(entry.numbers, NumberMeaning::Pairs(_))), Some(size).filter(|_| !has_size))
        }
        // A size without a game applies to the first game.
        None => (hint.games.first().filter(|_| has_size), None),
    };
    entry.map(|entry| (entry, size.map_or(variant.clone(), |size| variant.with_setting(SIZE_KEY, size))))
}

/// Parses a list that does not state its game, if the game is unambiguous and every word is a legal move.
fn parse_unnamed_list(text: &str, hint: &RecordReadOptions) -> Result<GameRecord, NotAGame> {
    let of_digits = hint.games.iter().find(|entry| entry.numbers == NumberMeaning::Digits);
    if let Some(entry) = of_digits.filter(|_| is_all_digits(text)) {
        let game = parse_digit_file(
            text,
            GameStart::new(entry, hint.variant.clone()),
            hint,
            NoteCollector::default(),
        )?;
        return match &game.fault {
            Some(fault) if hint.noise == NonDigitTextPolicy::Refused => Err(NotAGame {
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
    let mut games = lists::split_listed_games(text);
    let guessed = games.first().and_then(|game| guess_board(game, of_digits, hint));
    let Some((entry, variant)) = guessed else { return Err(describe_unreadable_text(text)) };
    let (index, notes) = select_game_by_hint(games.len(), hint)?;
    let start = GameStart::new(entry, variant);
    let position = start.position().map_err(|error| NotAGame::new(error.to_string()))?;
    let listed = games.swap_remove(index);
    let is_of_cells = || are_all_moves_cells(&listed.items, &*position);
    if hint.noise == NonDigitTextPolicy::PassedOver
        && entry.numbers == NumberMeaning::Digits
        && !is_of_cells()
    {
        return Err(describe_unreadable_text(text)); // the original program reads only digits
    }
    let is_of_the_original = hint.noise == NonDigitTextPolicy::PassedOver && {
        let board = of_digits.and_then(|entry| entry.start_position(&hint.variant).ok());
        board.is_some_and(|board| are_all_moves_cells(&listed.items, &*board))
    };
    let game = replay_list(listed, start, &*position, notes)?;
    if let (Some(_), Some(entry)) = (&game.fault, of_digits.filter(|_| is_of_the_original)) {
        return parse_list_of_game(text, entry, hint); // here the original program's game wins
    }
    match &game.fault {
        None if game.tree.len() > 1 => Ok(game),
        None => Err(describe_unreadable_text(text)),
        Some(_) if !looks_like_move_list(text) => Err(describe_unreadable_text(text)),
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

/// Reports whether a game has walls.
fn game_has_walls(entry: &RegisteredGame) -> bool {
    entry.start_position(&Variant::default()).is_ok_and(|start| start.normalize_move("a1h").is_ok())
}

/// Reports whether a text consists of digits and blanks.
fn is_all_digits(text: &str) -> bool {
    let mut bytes = text.bytes();
    text.bytes().any(|byte| byte.is_ascii_digit())
        && bytes.all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace())
}

/// Parses a file of digits.
fn parse_digit_file(
    text: &str,
    start: GameStart,
    hint: &RecordReadOptions,
    mut notes: NoteCollector,
) -> Result<GameRecord, NotAGame> {
    let position = start.position().map_err(|error| NotAGame::new(error.to_string()))?;
    let is_noisy = hint.noise == NonDigitTextPolicy::PassedOver;
    let is_strict = hint.strictness == DigitPairStrictness::Strict;
    let size = position.settings().iter().find(|(key, _)| *key == SIZE_KEY);
    let size = size.and_then(|(_, size)| size.parse().ok()).filter(|_| is_noisy).unwrap_or(10);
    let moves = parse_digit_moves(text, size);
    let has_moves = moves.moves().next().is_some();
    let noise =
        if is_all_digits(text) { None } else { Some(note_skipped_text(text, start.entry, &*position)) };
    let fault = match noise {
        // In strict mode, a list that does not fit the board is not a digit file either.
        Some(Ok(RecordNote { line, why, .. })) if is_strict => Some(RecordFault { line, why, surplus: None }),
        Some(Ok(note)) if !has_moves => Some(RecordFault::without_move(note.line, note.why.text)),
        _ if !has_moves => {
            Some(RecordFault::without_move(1, "the file has no moves for this game. Try --game NAME."))
        }
        Some(Ok(note)) => {
            notes.add_note(note);
            None
        }
        Some(Err(what)) => {
            notes.add_text(NodeId::ROOT, 1, what);
            None
        }
        None => None,
    };
    let drops = is_noisy && !is_strict;
    let script = ReplayScript {
        start,
        moves,
        remarks: Vec::new(),
        stated: None,
        notes,
        fault,
        drops,
        ends_early: is_noisy,
    };
    Ok(replay_script(script, position))
}

/// Returns a note about the first skipped cell name, or else a message about other skipped text.
fn note_skipped_text(
    text: &str,
    entry: &'static RegisteredGame,
    on: &dyn Position,
) -> Result<RecordNote, &'static str> {
    let other = if begins_with_move_numbers(text) {
        "move numbers are read as digits; remove them"
    } else {
        "the file is read as digits (row, column); everything else in it is skipped"
    };
    note_skipped_cell(text, entry, on).ok_or(other)
}

/// Parses the digits in a text, as the original C program did; fails with `why` in other games.
fn parse_embedded_digits(
    text: &str,
    hint: &RecordReadOptions,
    why: NotAGame,
) -> Result<GameRecord, NotAGame> {
    let of_digits = hint.games.iter().find(|entry| entry.numbers == NumberMeaning::Digits);
    let Some(entry) = hint.game.or(of_digits).filter(|entry| entry.numbers == NumberMeaning::Digits) else {
        return Err(why);
    };
    parse_digit_file(text, GameStart::new(entry, hint.variant.clone()), hint, NoteCollector::default())
}

/// Reports whether all lines begin with move numbers before digits: `1. 0 0`.
fn begins_with_move_numbers(text: &str) -> bool {
    let is_numbered = |row: &str| {
        let rest = row.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        let after = rest.strip_prefix(['.', ')', ':']).unwrap_or_default().trim_start();
        rest.len() < row.trim_start().len() && after.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut rows = text.lines().filter(|row| !row.trim().is_empty()).peekable();
    rows.peek().is_some() && rows.all(is_numbered)
}

/// Reports whether at least half of the words of a text look like moves.
fn looks_like_move_list(text: &str) -> bool {
    let games = lists::split_listed_games(text);
    let words = games.iter().flat_map(|game| &game.items).filter_map(|item| match item {
        crate::record::RecordItem::Move(noted) => Some(noted.text.to_ascii_lowercase()),
        _ => None,
    });
    let (mut moves, mut count) = (0, 0);
    for word in words {
        count += 1;
        let is_word = ["swap", "resign", "pass", "swap-pieces", "b", "w"].contains(&word.as_str());
        moves += usize::from(is_word || lists::split_cells_and_walls(&word, true).is_some());
    }
    count > 0 && moves * 2 >= count
}

/// Describes the apparent content of a text without a readable game.
fn describe_unreadable_text(text: &str) -> NotAGame {
    let begin = text.trim_start();
    let is_json =
        begin.starts_with('{') && begin.contains("\":") || begin.starts_with('[') && begin.ends_with(']');
    if begin.is_empty() {
        NotAGame::new("the file has no moves; it is blank")
    } else if begins_with_move_numbers(text) {
        NotAGame::new("move numbers are read as digits; remove them, and use --game tic-tac-toe")
    } else if looks_like_move_list(text) {
        NotAGame::new(
            "the file is a list of moves that does not say its game; name it with --game NAME and --size N",
        )
    } else if is_json {
        NotAGame::looking_like("JSON")
    } else if begin.starts_with("<?xml") || begin.starts_with("<!") || begin.starts_with("<html") {
        NotAGame::looking_like("a page of HTML or XML")
    } else {
        let first = begin.split_whitespace().next().unwrap_or_default();
        NotAGame::looking_like(&format!(
            "a text that begins with {:?}",
            sanitize_text(&Refusal::sanitize_excerpt(first))
        ))
    }
}

impl GameRecord {
    /// Reports whether the game is unfinished at the end of the file.
    fn is_unfinished(&self) -> bool {
        self.tree.position(self.end).outcome().is_none()
    }
}
