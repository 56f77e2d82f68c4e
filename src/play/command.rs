//! What can be asked of a match, and the one reader of typed lines: text becomes a command here and nowhere else.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::time::Duration;

use strsim::osa_distance;

use crate::ai::EngineKind;
use crate::game::{Refusal, RefusalCode, SIZE, Side};
use crate::play::{AfterEnd, Match, MatchRefusal, NewGame};
use crate::record::without_number;
use crate::registry::{self, GameStart, Variant};
use crate::session::Position;

/// What is asked of a match.
#[derive(Clone, Debug)]
pub enum Command {
    /// Nothing: a blank line, or a comment.
    Nothing,
    /// Plays a typed move at the present position, wherever the player looks.
    Move(String),
    /// Plays a move that was pointed at; where an earlier position is shown it only returns to the present.
    Place(String),
    /// Takes moves back: so many, or a whole turn.
    Undo(Option<usize>),
    /// Plays moves again: so many, or a whole turn.
    Redo(Option<usize>),
    /// Shows a position; the game stays where it is.
    Show(Place),
    /// Goes through the game from its start.
    Replay,
    /// The game goes on from the position that is shown.
    PlayHere,
    /// The line that is shown becomes the main one.
    Promote,
    /// The player to move gives up.
    Resign,
    /// Claims the draw of a position that has come three times.
    ClaimDraw,
    /// The engine that thinks is to answer with the best so far.
    MoveNow,
    /// Sets the engines' level.
    Level(EngineKind),
    /// The player takes this side.
    Side(Side),
    /// What goes on by itself.
    Walk(Walk),
    /// A question that is answered at once.
    Ask(Query),
    /// Asks an engine of its own for a move and its reason, or for what it thinks of the position.
    Advise(Advice),
    /// An adviser judges every position of the line that is shown.
    Review,
    /// It judges no more.
    StopReview,
    /// Another game.
    New(Box<NewGame>),
    /// The same players change sides and begin again, when the game is over.
    Again,
    /// The answer to the question for another game.
    Answer(Another),
    /// What becomes of a game that is over, from now on.
    AfterEnd(AfterEnd),
    /// The player says goodbye.
    Quit,
    /// No more input will come.
    Leave,
    /// The match cannot be continued, for this reason.
    Abandon(String),
}

/// A position to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// After so many moves of the line that is shown.
    Ply(usize),
    /// The present position.
    Present,
    /// So many moves on.
    Next(usize),
    /// So many moves back.
    Back(usize),
    /// The other move, counted from 1, that was played instead of the last one shown.
    Variation(usize),
    /// The same for the one after the line that is shown, and for the one before.
    Other(Turn),
}

/// One of two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// To the next one.
    On,
    /// To the one before.
    Back,
}

/// How a game goes on by itself: a replay, or a match of two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// It goes on.
    Run,
    /// It stops.
    Stop,
    /// One move more.
    Step,
    /// The pause between two moves.
    Pause(Duration),
}

/// A question about the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// All words, or one of them.
    Help(String),
    /// The board.
    Board,
    /// The moves played.
    Moves,
    /// The legal moves.
    Legal,
    /// What a move does.
    Effect(String),
    /// The position in words.
    Where,
    /// The other lines.
    Variations,
    /// A link that shows the position.
    Link,
    /// The numbers of the last search.
    Stats,
    /// The engines' level.
    Level,
    /// What a word of the game itself tells.
    Inspect(&'static str),
}

/// What an adviser is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// A move and its reason.
    Hint,
    /// What each move is worth.
    Eval,
    /// The same, shown beside the board and not told.
    Study,
}

/// Whether another game in a file was, or may be, written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// It stays.
    No,
    /// It goes.
    Yes,
}

/// The answer to the question for another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Another {
    /// Yes.
    Yes,
    /// No.
    No,
}

/// What a line asks for: something of the match, or of the files around it.
#[derive(Clone, Debug)]
pub enum Request {
    /// This command.
    Do(Command),
    /// A game is to be read from a file.
    Load(PathBuf),
    /// The game is to be written into a file, perhaps over another one.
    Save(PathBuf, Overwrite),
}

/// A word with what `help` says about it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The word.
    pub word: Word,
    /// How it is typed.
    pub name: &'static str,
    /// What follows it.
    pub arguments: &'static str,
    /// What it does, for the list.
    pub short: &'static str,
    /// More about it, for `help WORD`.
    pub long: &'static str,
}

macro_rules! words {
    ($($(#[$doc:meta])* $word:ident $name:literal $arguments:literal $short:literal $long:literal;)*) => {
        /// A word that players can type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Word {
            $($(#[$doc])* $word),*
        }

        /// Every word with its entry, in the order of `help` and of [`Word`].
        pub const WORDS: &[Entry] = &[$(Entry {
            word: Word::$word, name: $name, arguments: $arguments, short: $short, long: $long,
        }),*];
    };
}

words! {
    /// Lists the words, or explains one.
    Help "help" "[WORD]" "list the commands, or explain one" "The first three letters of a command are enough.";
    /// Shows the board.
    Board "board" "" "show the board" "The last move is in ( ).";
    /// Lists the moves played.
    Moves "moves" "" "list the moves played" "Each number stands for a round: one move by each side.";
    /// Lists the legal moves.
    Legal "legal" "[MOVE]" "list the legal moves, or describe one" "Lists them in standard order.";
    /// Tells the position in words.
    Where "where" "" "describe the position" "Useful if you cannot see the board.";
    /// Proposes a move and says why.
    Hint "hint" "" "hint: suggest a move and say why" "The move is shown, not played.";
    /// Tells what each move is worth.
    Eval "eval" "" "analysis: show the value of each move" "Exact if the game can be solved from here.";
    /// Takes moves back.
    Undo "undo" "[N]" "undo moves" "Against an engine: your last move and the reply. With N: N moves.";
    /// Plays moves again.
    Redo "redo" "[N]" "redo undone moves" "Works until you play another move. With N: N moves.";
    /// Looks at an earlier position.
    Goto "goto" "N" "show the position after move N" "goto end returns to the current position. Nothing is undone.";
    /// Looks at the first position, to step on from there.
    Replay "replay" "" "show the game from the start" "Then next and back step through it; goto end returns.";
    /// Steps forward while looking.
    Next "next" "[N]" "step forward through the game" "With N: N moves.";
    /// Steps back while looking.
    Back "back" "[N]" "step back through the game" "With N: N moves.";
    /// Plays on from the position that is shown.
    Play "play" "" "play on from the position shown" "The later moves stay as a side line; redo returns to them.";
    /// Lists the other lines, or shows one.
    Variations "variations" "[N]" "list the side lines at this move, or show one" "Undone moves stay as side lines.";
    /// Makes the line that is shown the main one.
    Promote "promote" "" "make the line shown the main line" "The line it replaces stays as a side line.";
    /// Starts another game.
    New "new" "[GAME [SIZE]]" "start a new game" "Add a game and a size for another board, such as new tic-tac-toe 5.";
    /// Sets the machine's level.
    Level "level" "N" "set the engine's level" "Takes effect at the engine's next move.";
    /// Changes the human's side.
    Side "side" "first|second" "switch sides" "The game continues; the engine plays your old side.";
    /// Gives the game up.
    Resign "resign" "" "resign" "undo takes it back.";
    /// Claims a draw by repetition.
    Draw "draw" "" "claim a draw" "Possible once a position has come up three times; undo takes it back.";
    /// Shows the numbers of the last search.
    Stats "stats" "" "show the statistics of the last search" "With --stats they are shown after each move.";
    /// Judges every move of the game.
    Review "review" "" "review the game" "?! ? ?? mark moves that cost 10, 20 or 40 points of win chance. To review a file, load it first.";
    /// Shows the link of the position.
    Link "link" "" "show a link to the position shown" "A link of HexWorld, for games of Hex. It holds the moves, not the variations and comments. The full screen also copies it, where the terminal can.";
    /// Keeps the game in a file.
    Save "save" "FILE" "save the game to a file" "load continues it, --mode 3 replays it. save! FILE replaces another game without asking.";
    /// Reads a game from a file.
    Load "load" "FILE" "open a game from a file and continue it" "The moves of the file are played, and the game continues from there.";
    /// Leaves.
    Quit "quit" "" "quit" "q, exit and the end of the input do the same.";
}

impl Match {
    /// Reads a line as it was typed. A move always wins over a word.
    ///
    /// # Errors
    /// Says what was read and what would be right.
    pub fn read(&self, line: &str) -> Result<Request, MatchRefusal> {
        if let Some(path) = &self.to_replace
            && let Some(answer) = yes_or_no(line.trim())
        {
            return match answer {
                Another::Yes => Ok(Request::Save(path.clone(), Overwrite::Yes)),
                Another::No => Err(MatchRefusal::NotReplaced(Refusal::shown_path(path))),
            };
        }
        if self.has_question() {
            return self.read_answer(line);
        }
        self.read_line(line)
    }

    /// Reads a line that is not UTF-8: the name of a file is taken as it is, byte for byte.
    ///
    /// # Errors
    /// As [`Match::read`].
    pub fn read_bytes(&self, line: &[u8]) -> Result<Request, MatchRefusal> {
        if let Some(at) = line.iter().position(u8::is_ascii_whitespace)
            && let Ok(word) = str::from_utf8(&line[..at])
            && let Some(request) = read_file_word(word, &path_of(line[at..].trim_ascii()))
        {
            return request;
        }
        self.read(&String::from_utf8_lossy(line))
    }

    fn read_line(&self, line: &str) -> Result<Request, MatchRefusal> {
        let position = self.present_position();
        // The name of a file may hold anything.
        let (first, path) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        if let Some(request) = read_file_word(first, Path::new(path.trim())) {
            return request;
        }
        let text = without_number(line.split('#').next().unwrap_or_default().trim()).trim();
        if text.is_empty() {
            return Ok(Request::Do(Command::Nothing));
        }
        let no_move = match position.read(text) {
            Ok(mv) => return Ok(Request::Do(Command::Move(mv))),
            Err(illegal) => illegal,
        };
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if let Some(word) = find(first) {
            return self.read_word(word, rest.trim()).map(Request::Do);
        }
        let lower = first.to_lowercase();
        let words = position.inspect_words();
        if let Some((word, _)) = words.iter().find(|(word, _)| is_called(word, &lower)) {
            return Ok(Request::Do(Command::Ask(Query::Inspect(word))));
        }
        if ["tui", "mouse", "theme"].contains(&&*lower) {
            return Err(MatchRefusal::BeganInLines);
        }
        if no_move.code == RefusalCode::NotUnderstood
            && let Some(meant) = nearest(first, &**position)
        {
            let read = Refusal::shown(text);
            let text = format!("\"{read}\" is not a move or command. Did you mean {meant}?");
            return Err(MatchRefusal::Unread(Refusal::new(RefusalCode::DidYouMean, text)));
        }
        Err(MatchRefusal::Unread(no_move))
    }

    /// Reads what stands behind a word.
    fn read_word(&self, word: Word, rest: &str) -> Result<Command, MatchRefusal> {
        let Entry { name, arguments, .. } = WORDS[word as usize];
        if arguments.is_empty() && !rest.is_empty() && word != Word::Replay {
            let rest = Refusal::shown(rest);
            let text = format!("{name} takes no argument. Type {name} without \"{rest}\".");
            return Err(MatchRefusal::Unread(Refusal::new(RefusalCode::NotUnderstood, text)));
        }
        let count = || -> Result<Option<usize>, MatchRefusal> {
            let count = rest.parse().ok().filter(|&count| count > 0);
            let wrong = || MatchRefusal::TakesANumber { word: name, read: rest.to_owned() };
            if rest.is_empty() { Ok(None) } else { count.map(Some).ok_or_else(wrong) }
        };
        Ok(match word {
            Word::Help => Command::Ask(Query::Help(rest.to_owned())),
            Word::Board => Command::Ask(Query::Board),
            Word::Moves => Command::Ask(Query::Moves),
            Word::Legal if rest.is_empty() => Command::Ask(Query::Legal),
            Word::Legal => Command::Ask(Query::Effect(rest.to_owned())),
            Word::Where => Command::Ask(Query::Where),
            Word::Hint => Command::Advise(Advice::Hint),
            Word::Eval => Command::Advise(Advice::Eval),
            Word::Undo => Command::Undo(count()?),
            Word::Redo => Command::Redo(count()?),
            Word::Goto if rest.eq_ignore_ascii_case("end") => Command::Show(Place::Present),
            Word::Goto => {
                let ply = rest.parse().ok().filter(|&ply| ply <= self.last_ply());
                let wrong = || MatchRefusal::NoSuchMove { last: self.last_ply(), read: rest.to_owned() };
                Command::Show(Place::Ply(ply.ok_or_else(wrong)?))
            }
            Word::Replay if rest.is_empty() => Command::Replay,
            Word::Replay => return Err(MatchRefusal::ReplayTakesNothing),
            Word::Next => Command::Show(Place::Next(count()?.unwrap_or(1))),
            Word::Back => Command::Show(Place::Back(count()?.unwrap_or(1))),
            Word::Play => Command::PlayHere,
            Word::Variations => match count()? {
                None => Command::Ask(Query::Variations),
                Some(number) => Command::Show(Place::Variation(number)),
            },
            Word::Promote => Command::Promote,
            Word::New => Command::New(Box::new(self.read_new(rest)?)),
            Word::Level => self.read_level(rest)?,
            Word::Side => Command::Side(self.read_side(rest)?),
            Word::Resign => Command::Resign,
            Word::Draw => Command::ClaimDraw,
            Word::Link => Command::Ask(Query::Link),
            Word::Stats => Command::Ask(Query::Stats),
            Word::Review => Command::Review,
            Word::Quit => Command::Quit,
            Word::Save | Word::Load => return Err(MatchRefusal::NeedsFile(name)),
        })
    }

    /// `new`, `new GAME`, `new GAME SIZE`, `new SIZE`.
    fn read_new(&self, rest: &str) -> Result<NewGame, MatchRefusal> {
        if self.rules().after_end == AfterEnd::Leave {
            return Err(MatchRefusal::OnlyOneGame);
        }
        let mut spec = self.same_again();
        if !rest.is_empty() {
            let start = read_game(rest, spec.start.entry, &spec.settings, Variant::default())?;
            let first = start.position().map_err(MatchRefusal::NoSuchBoard)?;
            let is_same = start.entry.name == spec.start.entry.name;
            spec.level = spec.level.filter(|&level| is_same && first.check_level(level).is_ok());
            spec.program = spec.program.filter(|program| program.can_play(start.entry.name));
            spec.choose(start);
        }
        Ok(spec)
    }

    fn read_level(&self, rest: &str) -> Result<Command, MatchRefusal> {
        if !self.game().has_engine() && !self.game().is_record() {
            return Err(MatchRefusal::NoEngineForTheLevel);
        }
        if rest.is_empty() {
            return Ok(Command::Ask(Query::Level));
        }
        let level = level(rest, &**self.present_position());
        level.map(Command::Level).ok_or_else(|| MatchRefusal::NoSuchLevel(rest.to_owned()))
    }

    fn read_side(&self, rest: &str) -> Result<Side, MatchRefusal> {
        let position = self.present_position();
        let is_named = |side: &Side| {
            rest.eq_ignore_ascii_case(&side.to_string())
                || rest.eq_ignore_ascii_case(&position.side_name(*side))
        };
        Side::BOTH.into_iter().find(is_named).ok_or(MatchRefusal::NoSuchSide)
    }

    /// Reads the answer to the question for another game; words mean what they always mean.
    fn read_answer(&self, line: &str) -> Result<Request, MatchRefusal> {
        let text = line.trim();
        let lower = text.to_lowercase();
        let digits = lower.strip_prefix(['-', '+']).unwrap_or(&lower);
        let answer = |another| Ok(Request::Do(Command::Answer(another)));
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            return answer(if digits.bytes().all(|b| b == b'0') { Another::No } else { Another::Yes });
        }
        if ["", "q", "quit"].contains(&&*lower) {
            return answer(Another::No);
        }
        if let Some(another) = yes_or_no(&lower) {
            return answer(another);
        }
        match self.read_line(text) {
            Ok(Request::Do(Command::Nothing | Command::Move(_)))
            | Err(MatchRefusal::Unread(_) | MatchRefusal::BeganInLines) => {
                Err(MatchRefusal::NeitherYesNorNo(line.to_owned()))
            }
            read => read,
        }
    }
}

/// The game and the board that `GAME SIZE`, either of them or nothing names, where `now` is played on `board`;
/// another game than that has the board `other` unless its size is named.
///
/// # Errors
/// Says which game, size or word is wrong.
pub(crate) fn read_game(
    text: &str,
    now: &'static registry::Entry,
    board: &Variant,
    other: Variant,
) -> Result<GameStart, MatchRefusal> {
    let is_size = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let (sizes, names): (Vec<&str>, Vec<&str>) = text.split_whitespace().partition(is_size);
    let entry = match names.first() {
        Some(name) => registry::find_in(now.games(), name).map_err(MatchRefusal::NoSuchGame)?,
        None => now,
    };
    let mut variant = if entry.name == now.name { board.clone() } else { other };
    if let Some(size) = sizes.first() {
        variant.set(SIZE, *size);
    }
    entry.choose(&variant).map_err(MatchRefusal::NoSuchBoard)?;
    if names.len() > 1 || sizes.len() > 1 {
        return Err(MatchRefusal::NewTakes);
    }
    Ok(GameStart::new(entry, variant))
}

/// The line that says the same, as far as there is one.
impl Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |f: &mut fmt::Formatter<'_>, name: &str, count: &Option<usize>| match count {
            Some(count) => write!(f, "{name} {count}"),
            None => f.write_str(name),
        };
        match self {
            Command::Move(text) | Command::Place(text) => f.write_str(text),
            Command::Undo(count) => with(f, "undo", count),
            Command::Redo(count) => with(f, "redo", count),
            Command::Show(Place::Ply(ply)) => write!(f, "goto {ply}"),
            Command::Show(Place::Present) => f.write_str("goto end"),
            Command::Show(Place::Next(count)) => write!(f, "next {count}"),
            Command::Show(Place::Back(count)) => write!(f, "back {count}"),
            Command::Show(Place::Variation(number)) => write!(f, "variations {number}"),
            Command::Show(Place::Other(Turn::On)) => f.write_str("other line"),
            Command::Show(Place::Other(Turn::Back)) => f.write_str("other line back"),
            Command::Replay => f.write_str("replay"),
            Command::PlayHere => f.write_str("play"),
            Command::Promote => f.write_str("promote"),
            Command::Resign => f.write_str("resign"),
            Command::ClaimDraw => f.write_str("draw"),
            Command::MoveNow => f.write_str("move now"),
            Command::Level(level) => write!(f, "level {level}"),
            Command::Side(side) => write!(f, "side {side}"),
            Command::Walk(Walk::Pause(pause)) => write!(f, "pause {} ms", pause.as_millis()),
            Command::Walk(walk) => write!(f, "{walk:?}"),
            Command::Advise(Advice::Hint) => f.write_str("hint"),
            Command::Advise(Advice::Eval) => f.write_str("eval"),
            Command::Advise(Advice::Study) => f.write_str("study"),
            Command::Review => f.write_str("review"),
            Command::StopReview => f.write_str("stop review"),
            Command::New(_) => f.write_str("new"),
            Command::Again => f.write_str("again"),
            Command::Answer(Another::Yes) => f.write_str("y"),
            Command::Answer(Another::No) => f.write_str("n"),
            Command::Ask(query) => write!(f, "{}", query.word()),
            Command::Quit | Command::Leave => f.write_str("quit"),
            Command::Nothing | Command::AfterEnd(_) => Ok(()),
            Command::Abandon(why) => f.write_str(why),
        }
    }
}

impl Query {
    /// The word that asks this.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Query::Help(_) => "help",
            Query::Board => "board",
            Query::Moves => "moves",
            Query::Legal | Query::Effect(_) => "legal",
            Query::Where => "where",
            Query::Variations => "variations",
            Query::Link => "link",
            Query::Stats => "stats",
            Query::Level => "level",
            Query::Inspect(word) => word,
        }
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// What a word about a file and its name ask for; `None` if the word is none of these.
fn read_file_word(word: &str, path: &Path) -> Option<Result<Request, MatchRefusal>> {
    let (word, overwrite) = match word.strip_suffix('!').map(find) {
        Some(Some(Word::Save)) => (Word::Save, Overwrite::Yes),
        _ => (find(word)?, Overwrite::No),
    };
    Some(match word {
        Word::Save | Word::Load if path.as_os_str().is_empty() => {
            Err(MatchRefusal::NeedsFile(WORDS[word as usize].name))
        }
        Word::Save => Ok(Request::Save(path.to_path_buf(), overwrite)),
        Word::Load => Ok(Request::Load(path.to_path_buf())),
        _ => return None,
    })
}

/// The answer that a word is, in English, Portuguese, Polish, Greek or German.
fn yes_or_no(word: &str) -> Option<Another> {
    match word.to_lowercase().as_str() {
        "y" | "yes" | "s" | "sim" | "t" | "tak" | "ν" | "ναι" | "nai" | "j" | "ja" => Some(Another::Yes),
        "n" | "no" | "não" | "nao" | "nie" | "ο" | "ό" | "όχι" | "οχι" | "ochi" | "nein" => {
            Some(Another::No)
        }
        _ => None,
    }
}

/// Whether a text is the name or three or more of its first letters.
fn is_called(name: &str, text: &str) -> bool {
    name == text || (text.len() >= 3 && name.starts_with(text))
}

/// The level that a player names, if the game has it; `c` is `classic`.
#[must_use]
pub fn level(text: &str, position: &dyn Position) -> Option<EngineKind> {
    let name = if text.eq_ignore_ascii_case("c") { "classic" } else { text };
    name.parse().ok().filter(|&level| position.check_level(level).is_ok())
}

/// The word of that name, or the one that three or more letters begin.
#[must_use]
pub fn find(text: &str) -> Option<Word> {
    let text = text.to_lowercase();
    let called = |name: &str| is_called(name, &text);
    match text.as_str() {
        "?" => return Some(Word::Help),
        _ if called("exit") || called("q") => return Some(Word::Quit),
        _ => {}
    }
    let mut found = WORDS.iter().filter(|entry| called(entry.name)).map(|entry| entry.word);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The most slips of the finger between a text and the word that is meant.
const MAX_SLIPS: usize = 2;

/// The one word that two or fewer slips of the finger turn into the text.
fn nearest(text: &str, position: &dyn Position) -> Option<&'static str> {
    let text = text.to_lowercase();
    let letters = text.chars().count();
    if !(3..=8).contains(&letters) {
        return None;
    }
    let own = position.own_words().into_iter().map(|(name, _)| name);
    let names = WORDS.iter().map(|entry| entry.name).chain(["exit"]).chain(own);
    // Every letter more or less is a slip.
    let names = names.filter(|name| name.chars().count().abs_diff(letters) <= MAX_SLIPS);
    let mut near: Vec<(usize, &str)> = names.map(|name| (osa_distance(&text, name), name)).collect();
    near.sort_unstable();
    let &(least, name) = near.first()?;
    let is_unique = near.get(1).is_none_or(|&(next, _)| next > least);
    // Two slips in a word of four letters make almost any word of it.
    (is_unique && least <= MAX_SLIPS && 2 * least <= letters).then_some(name)
}
