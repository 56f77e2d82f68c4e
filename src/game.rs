//! The contract of every game: sides, outcomes, moves that can be made and taken back, moves as text, words for people.
//! Knows no particular game, no engine and no screen.

mod about;
pub(crate) mod as_text;
mod encoding;
mod millis;
mod object;
mod refusal_code;
mod setup;

use std::fmt::{self, Debug, Display};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

pub use about::{About, BoardConfig, Describe, Numbers, RuleLesson, SIZE, Setting, SettingKind, Sizes};
pub use encoding::Encoding;
pub(crate) use millis::Millis;
pub(crate) use object::Object;
pub use refusal_code::RefusalCode;
pub use setup::{BadSetup, Setup, SetupChange};

use crate::parallel::share;
pub use crate::side::{BySide, Side};
use crate::text;
use crate::text::{SideName, Text};

/// Outcome of a game, seen from outside (not from the mover).
///
/// ```
/// use crosspath::game::{Outcome, Side};
/// assert_eq!(Outcome::Win(Side::First).to_string(), "first");
/// assert_eq!(Outcome::Draw.to_string(), "draw");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", expecting = "expected first, second or draw")]
pub enum Outcome {
    /// Nobody has won.
    Draw,
    /// This side has won.
    #[serde(untagged)]
    Win(Side),
}

impl Outcome {
    /// The winner, if there is one.
    ///
    /// ```
    /// use crosspath::game::{Outcome, Side};
    /// assert_eq!(Outcome::Win(Side::Second).winner(), Some(Side::Second));
    /// assert_eq!(Outcome::Draw.winner(), None);
    /// ```
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(side) => Display::fmt(side, f),
            Outcome::Draw => f.write_str("draw"),
        }
    }
}

/// The rules of a game for two, as a position that moves change.
///
/// Two doors lead in: [`Game::make`] trusts its caller and is the search's door; [`Game::try_make`] checks, and says
/// why it refuses.
///
/// ```
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// let undo = game.make(Cell(4));
/// assert!(game.try_make(Cell(4)).is_err(), "the cell is taken");
/// game.unmake(Cell(4), undo);
/// assert_eq!(game, TicTacToe::new(3)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A move; one or two bytes.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// Data that [`Game::unmake`] needs to take a move back.
    type Undo: Send + 'static;
    /// Why a move is not legal.
    type Refusal: std::error::Error;

    /// The side whose turn it is. After the end: the side that would be next.
    fn to_move(&self) -> Side;

    /// `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move to `out`, always in the same order; appends nothing when the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move. An illegal one is a bug of the caller and leaves the position unspecified.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back `mv`, which must be the last move made, with what [`Game::make`] returned for it.
    fn unmake(&mut self, mv: Self::Move, undo: Self::Undo);

    /// A 64-bit key: equal positions have equal keys, whatever the order of moves that led there. All that decides
    /// the future is in it, the side to move included.
    fn key(&self) -> u64;

    /// Reports whether [`Game::moves`] lists `mv`.
    ///
    /// # Errors
    /// Says why it does not.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Refusal>;

    /// Reports whether the move is legal now, without the reason.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Plays `mv` if it is legal.
    ///
    /// # Errors
    /// Says why the move is not legal here; the position is then unchanged.
    fn try_make(&mut self, mv: Self::Move) -> Result<Self::Undo, Self::Refusal> {
        self.check(mv)?;
        Ok(self.make(mv))
    }
}

/// A refusal as people read it: a stable code and one or two sentences that say what was read, what is wrong and what
/// would be right.
///
/// ```
/// use crosspath::game::{Notation, RefusalCode};
/// use crosspath::games::tictactoe::TicTacToe;
/// let refusal = TicTacToe::new(3)?.parse("z9").unwrap_err();
/// assert_eq!(refusal.code, RefusalCode::OffBoard);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of the refusal.
    pub code: RefusalCode,
    /// The sentences.
    pub text: Text,
}

impl Refusal {
    /// A refusal with this code and these sentences.
    ///
    /// ```
    /// use crosspath::game::{Refusal, RefusalCode};
    /// let refusal = Refusal::new(RefusalCode::Taken, "b2 is taken.");
    /// assert_eq!(refusal.to_string(), "b2 is taken.");
    /// ```
    pub fn new(code: RefusalCode, text: impl Into<Text>) -> Self {
        Refusal { code, text: text.into() }
    }

    /// The refusal of a text that is no move. `typing` says how moves are typed.
    ///
    /// ```
    /// use crosspath::game::{Refusal, RefusalCode};
    /// let refusal = Refusal::not_understood("b", "A cell is a letter a-c and a number 1-3, such as b2.");
    /// assert_eq!(refusal.code, RefusalCode::NotUnderstood);
    /// assert!(refusal.to_string().starts_with("\"b\" is not a move or command."));
    /// ```
    #[must_use]
    pub fn not_understood(read: &str, typing: &str) -> Self {
        Refusal::new(
            RefusalCode::NotUnderstood,
            format!(
                "\"{}\" is not a move or command. {typing} Type help for the commands.",
                Self::shown(read)
            ),
        )
    }

    /// The refusal of a move in a game that is over; `how` it ended follows the colon.
    ///
    /// ```
    /// use crosspath::game::{Refusal, RefusalCode};
    /// assert_eq!(Refusal::over("X won on move 5").code, RefusalCode::GameOver);
    /// ```
    #[must_use]
    pub fn over(how: impl Display) -> Self {
        let text = text!("The game is over: {how}. new starts a new game, undo goes back.");
        Refusal::new(RefusalCode::GameOver, text)
    }

    /// The first sentence without its full stop: what is wrong, without what would be right.
    ///
    /// ```
    /// use crosspath::game::{Refusal, RefusalCode};
    /// let refusal = Refusal::new(RefusalCode::Taken, "b2 is taken. Choose an empty cell.");
    /// assert_eq!(refusal.reason().to_string(), "b2 is taken");
    /// ```
    #[must_use]
    pub fn reason(&self) -> Text {
        let end = self.text.find(". ").unwrap_or(self.text.len());
        self.text.slice(0..end).without_full_stop()
    }

    /// A path or a sentence, safe to show as in [`Refusal::shown`], at most 200 characters.
    ///
    /// ```
    /// use crosspath::game::Refusal;
    /// assert_eq!(Refusal::shown_path("games/\u{7}bell.txt"), "games/?bell.txt");
    /// ```
    #[must_use]
    pub fn shown_path(path: impl AsRef<Path>) -> String {
        path.as_ref().to_string_lossy().chars().take(200).map(safe).collect()
    }

    /// The most characters of what [`Refusal::shown`] shows.
    pub(crate) const MAX_SHOWN: usize = 24;

    /// Returns the text that was read, safe to show: characters that control the terminal or the direction of writing
    /// as `?`, at most 24 characters.
    ///
    /// ```
    /// use crosspath::game::Refusal;
    /// assert_eq!(Refusal::shown("b2\u{1b}[2J"), "b2?[2J");
    /// ```
    #[must_use]
    pub fn shown(read: &str) -> String {
        read.chars().take(Self::MAX_SHOWN).map(safe).collect()
    }
}

/// The character, or `?` for one that controls what others look like or that nobody sees.
fn safe(c: char) -> char {
    let is_unseen = matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    );
    if c.is_control() || is_unseen { '?' } else { c }
}

/// Cleans text that comes from a file, at the place where it enters: what controls a terminal, turns the direction of writing
/// or cannot be seen becomes `?`. The ends of lines and tabs stay.
///
/// ```
/// # use crosspath::game::clean;
/// assert_eq!(clean("Ann\u{1b}[2J \u{202e}neB\n"), "Ann?[2J ?neB\n");
/// ```
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { safe(c) }).collect()
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.text, f)
    }
}

impl std::error::Error for Refusal {}

/// Moves as text. Law: `parse(show(mv)) == mv` for every legal move.
///
/// ```
/// use crosspath::game::Notation;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(11, SwapRule::On)?;
/// assert_eq!(game.show(game.parse("F6")?), "f6");
/// assert!(game.parse("f12").is_err(), "there is no row 12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Notation: Game {
    /// The move as records and screens write it.
    fn show(&self, mv: Self::Move) -> String;

    /// Reads one move in any spelling that people use.
    ///
    /// # Errors
    /// `not-understood` if the text is no move of this game, `off-board` if it names a place that is not there. Whether
    /// the move is legal now is not asked.
    fn parse(&self, text: &str) -> Result<Self::Move, Refusal>;

    /// The names of other ways to write moves that records may use.
    fn dialects(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the move that a text of this dialect names, as crosspath writes it; `None` if the text names none.
    fn translate(&self, _dialect: &str, _text: &str) -> Option<String> {
        None
    }

    /// The position after the side to move has passed, where that makes sense. Passes come from files of other
    /// programs; no engine passes, and [`Game::moves`] lists none.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// Moves that are words of their own, each with what it does.
    fn words(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The sentence for a refused move. `played` are the moves of the game so far.
    fn explain(&self, mv: Self::Move, refusal: &Self::Refusal, played: &[Self::Move]) -> Refusal;

    /// Returns a sentence about what the last of the moves played did, where something happened. `made` remarks were made
    /// before it in this game; the wording changes with their number, so that no two in a row are alike.
    fn comment(&self, _played: &[Self::Move], _made: usize) -> Option<Text> {
        None
    }
}

/// Words for people about a position and its game. Sentences end with a full stop; names do not.
///
/// ```
/// use crosspath::game::{Side, View};
/// use crosspath::games::tictactoe::TicTacToe;
/// let game = TicTacToe::new(3)?;
/// assert_eq!(game.title(), "Tic-tac-toe 3x3");
/// assert_eq!(game.side_name(Side::First).to_string(), "X");
/// assert!(game.ending().is_none(), "the game goes on");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait View {
    /// The game and its board, such as `Tic-tac-toe 3x3`.
    fn title(&self) -> String;

    /// Returns the name of a side: `X`, `Red`, `White`.
    fn side_name(&self, side: Side) -> SideName;

    /// Returns how a side wins, to follow `You win by`: `connecting top to bottom`, `reaching row 9`.
    fn aim(&self, side: Side) -> String;

    /// A move that is legal on the empty board, to show how moves are typed.
    fn sample(&self) -> String;

    /// Returns a sentence on how moves are typed, to follow a name: `A cell is a letter a-c and a number 1-3, such as
    /// b2.`
    fn typing(&self) -> String;

    /// The rules in at most four lines, each at most 72 columns.
    fn rules(&self) -> Vec<Text>;

    /// Returns a heading of one word for each line of the rules, in their order: `Goal`, `Move`.
    fn rule_headings(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns how the game ended, to follow the winner's name or `Draw`: `completed row 1`, `the board is full`.
    /// `None` while the game goes on.
    fn ending(&self) -> Option<Text>;

    /// Returns the pieces of a side on the board, as the texts of the moves that put them there, in reading order.
    fn pieces(&self, side: Side) -> Vec<String>;

    /// The position in words, one short line a fact, for people who cannot see the board. The last move and the side
    /// to move are not among them.
    fn facts(&self) -> Vec<Text>;

    /// Returns a sentence on where the side that does not move would win at once: `X threatens a2 and b3.`
    fn threats(&self) -> Option<Text> {
        None
    }

    /// Returns the numbers of the cells, row by row, where a number is typed as easily: `1 2 3 / 4 5 6 / 7 8 9`.
    fn numbers(&self) -> Option<String> {
        None
    }
}

/// Counts the sequences of exactly `depth` legal moves; a finished game has no continuation.
///
/// ```
/// use crosspath::{game::perft, games::tictactoe::TicTacToe};
/// let mut game = TicTacToe::new(3).expect("3x3 exists");
/// assert_eq!(perft(&mut game, 5), 15_120);
/// ```
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    perft_until(game, depth, &AtomicBool::new(false)).unwrap_or_default() // Nobody stops it.
}

/// Counts as [`perft`] does; returns `None` as soon as the flag is raised.
pub(crate) fn perft_until<G: Game>(game: &mut G, depth: u32, stop: &AtomicBool) -> Option<u64> {
    perft_on(game, depth, &mut Vec::new(), stop)
}

/// Counts as [`perft`] does, on several threads, which share the first moves; returns `None` as soon as `stop` is
/// raised.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::{game::perft_on_threads, games::tictactoe::TicTacToe};
/// let stop = AtomicBool::new(false);
/// assert_eq!(perft_on_threads(&TicTacToe::new(3)?, 5, 2, &stop), Some(15_120));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// Only if a game does.
pub fn perft_on_threads<G: Game>(game: &G, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u64> {
    let Some(below) = depth.checked_sub(1) else { return Some(1) };
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let count = |moves: &mut dyn Iterator<Item = &G::Move>| {
        let mut game = game.clone();
        let mut count = 0;
        for &mv in moves {
            let undo = game.make(mv);
            let found = perft_until(&mut game, below, stop);
            game.unmake(mv, undo);
            count += found?;
        }
        Some(count)
    };
    share(&moves, threads, count).into_iter().sum()
}

fn perft_on<G: Game>(game: &mut G, depth: u32, stack: &mut Vec<G::Move>, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth == 0 {
        return Some(1);
    }
    let base = stack.len();
    game.moves(stack);
    let end = stack.len();
    if depth == 1 {
        stack.truncate(base);
        return Some((end - base) as u64);
    }
    let mut count = 0;
    for i in base..end {
        let mv = stack[i];
        let undo = game.make(mv);
        let below = perft_on(game, depth - 1, stack, stop);
        game.unmake(mv, undo);
        count += below?;
    }
    stack.truncate(base);
    Some(count)
}
