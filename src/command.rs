//! What a player types: moves and words. One reader for every screen; knows no game and does nothing itself.

use crate::ai::Level;
use crate::game::Illegal;
use crate::record::without_number;
use crate::session::Session;

/// A word that players can type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Lists the words, or explains one.
    Help,
    /// Shows the board.
    Board,
    /// Lists the moves played.
    Moves,
    /// Lists the legal moves.
    Legal,
    /// Tells the position in words.
    Where,
    /// Proposes a move and says why.
    Hint,
    /// Tells what each move is worth.
    Eval,
    /// Takes moves back.
    Undo,
    /// Plays moves again.
    Redo,
    /// Looks at an earlier position.
    Goto,
    /// Looks at the first position, to step on from there.
    Replay,
    /// Steps forward while looking.
    Next,
    /// Steps back while looking.
    Back,
    /// Plays on from the position that is shown.
    Play,
    /// Starts another game.
    New,
    /// Sets the machine's level.
    Level,
    /// Changes the human's side.
    Side,
    /// Gives the game up.
    Resign,
    /// Claims a draw by repetition.
    Draw,
    /// Shows the numbers of the last search.
    Stats,
    /// Keeps the game in a file.
    Save,
    /// Reads a game from a file.
    Load,
    /// Leaves.
    Quit,
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
    ($($word:ident $name:literal $arguments:literal $short:literal $long:literal;)*) => {
        /// Every word, in the order of `help`.
        pub const WORDS: &[Entry] = &[$(Entry {
            word: Word::$word, name: $name, arguments: $arguments, short: $short, long: $long,
        }),*];
    };
}

words! {
    Help "help" "[WORD]" "this list, or more about a word" "Three letters of a word are enough.";
    Board "board" "" "show the board" "The last move stands in ( ).";
    Moves "moves" "" "list the moves played" "Each number counts one move of each side.";
    Legal "legal" "[MOVE]" "list the legal moves, or say what one does" "All of them in the order of the rules.";
    Where "where" "" "say the position in words" "For those who cannot or do not want to look at the board.";
    Hint "hint" "" "propose a move and say why" "It is not played, and the machine does not think of it.";
    Eval "eval" "" "say what each move is worth" "Where every move can be followed to the end: exactly.";
    Undo "undo" "[N]" "take moves back" "Against the machine: your move and its answer. With a number: so many moves.";
    Redo "redo" "[N]" "play moves again" "Until you play another move, what undo took back can be played again.";
    Goto "goto" "N" "look at the position after move N" "goto end returns. Nothing is taken back.";
    Replay "replay" "" "look at the game from its start" "Then next and back step through it; goto end returns.";
    Next "next" "[N]" "step forward while looking back" "With a number: so many moves.";
    Back "back" "[N]" "step back, to look at earlier positions" "With a number: so many moves.";
    Play "play" "" "play on from the position that is shown" "What came after it is taken back; redo brings it back.";
    New "new" "[GAME [SIZE]]" "start another game" "With a name and a size another board: new tic-tac-toe 5.";
    Level "level" "N" "set the machine's strength" "From the machine's next move on.";
    Side "side" "first|second" "play the other side" "The game goes on; the machine takes the side you leave.";
    Resign "resign" "" "give the game up" "undo takes that back.";
    Draw "draw" "" "claim a draw" "When a position stands for the third time; undo takes that back.";
    Stats "stats" "" "show the numbers of the last search" "With --stats they are shown after every move.";
    Save "save" "FILE" "keep the game in a file" "The file can be read with load and replayed with --mode 3.";
    Load "load" "FILE" "go on with a game from a file" "The moves of the file are played, and the game goes on from there.";
    Quit "quit" "" "leave" "The word exit and the end of the input do the same.";
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Nothing: blank, or a comment.
    Nothing,
    /// A move, as records write it; perhaps not legal now.
    Move(String),
    /// A word and what follows it.
    Word(Word, String),
    /// A word of the game that is played.
    Insight(&'static str),
}

/// Reads a line. A move always wins over a word.
///
/// # Errors
/// Says what was read and what would be right.
pub fn read(line: &str, session: &dyn Session) -> Result<Command, Illegal> {
    let mut text = line.split('#').next().unwrap_or_default().trim();
    // The name of a file may hold anything.
    let (first, path) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    if let Some(word @ (Word::Save | Word::Load)) = find(first) {
        return Ok(Command::Word(word, path.trim().to_owned()));
    }
    text = without_number(text).trim();
    if text.is_empty() {
        return Ok(Command::Nothing);
    }
    let no_move = match session.read(text) {
        Ok(mv) => return Ok(Command::Move(mv)),
        Err(illegal) => illegal,
    };
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if let Some(word) = find(first) {
        return Ok(Command::Word(word, rest.trim().to_owned()));
    }
    let lower = first.to_lowercase();
    let insights = session.insights();
    if let Some((word, _)) = insights.iter().find(|(word, _)| is_called(word, &lower)) {
        return Ok(Command::Insight(word));
    }
    if no_move.code == "not-understood"
        && let Some(meant) = nearest(first, session)
    {
        let read = Illegal::shown(text);
        return Err(Illegal::new("did-you-mean", format!("I do not know \"{read}\". Did you mean {meant}?")));
    }
    Err(no_move)
}

/// Whether a text is the name or three or more of its first letters.
fn is_called(name: &str, text: &str) -> bool {
    name == text || (text.len() >= 3 && name.starts_with(text))
}

/// The level that a player names, if the game has it; `c` is `classic`.
#[must_use]
pub fn level(text: &str, session: &dyn Session) -> Option<Level> {
    let name = if text.eq_ignore_ascii_case("c") { "classic" } else { text };
    name.parse().ok().filter(|level| session.levels().contains(level))
}

/// The word of that name, or the one that three or more letters begin.
#[must_use]
pub fn find(text: &str) -> Option<Word> {
    let text = text.to_lowercase();
    let called = |name: &str| is_called(name, &text);
    match text.as_str() {
        "?" => return Some(Word::Help),
        _ if called("exit") => return Some(Word::Quit),
        _ => {}
    }
    let mut found = WORDS.iter().filter(|entry| called(entry.name)).map(|entry| entry.word);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The one word that two or fewer slips of the finger turn into the text.
fn nearest(text: &str, session: &dyn Session) -> Option<&'static str> {
    let text = text.to_lowercase();
    if !(3..=8).contains(&text.chars().count()) {
        return None;
    }
    let own = session.named_moves().iter().copied().chain(session.insights()).map(|(name, _)| name);
    let names = WORDS.iter().map(|entry| entry.name).chain(["exit"]).chain(own);
    let mut near: Vec<(usize, &str)> = names.map(|name| (slips(&text, name), name)).collect();
    near.sort_unstable();
    let least = near[0].0;
    let unique = near[1].0 > least;
    // Two slips in a word of four letters make almost any word of it.
    (unique && least <= 2 && 2 * least <= text.chars().count()).then_some(near[0].1)
}

/// How many letters must be added, dropped, replaced or exchanged with their neighbour to make one text the other.
fn slips(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let exchanged = if exchanged { table[i - 2][j - 2] + 1 } else { usize::MAX };
                replaced.min(exchanged).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
            };
        }
    }
    table[a.len()][b.len()]
}
