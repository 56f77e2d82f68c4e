//! The traits of every game: sides, outcomes, moves that can be made and unmade, moves as text, and
//! descriptions for users. This module does not depend on any particular game, engine or screen.

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

pub use about::{
    BoardConfig, BoardSizes, GameDefinition, GameInfo, GameSetting, NumberMeaning, RuleLesson, SIZE_KEY,
    SettingKind,
};
pub use encoding::GameEncoding;
pub(crate) use millis::JsonMillis;
pub(crate) use object::JsonObject;
pub use refusal_code::RefusalCode;
pub use setup::{BadSetup, PositionSetup, SetupChange};

use crate::parallel::run_on_threads;
pub use crate::side::{BySide, Side};
use crate::text;
use crate::text::{SideName, Text};

/// Outcome of a finished game, independent of the side to move.
///
/// ```
/// use crosspath::game::{Outcome, Side};
/// assert_eq!(Outcome::Win(Side::First).to_string(), "first");
/// assert_eq!(Outcome::Draw.to_string(), "draw");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", expecting = "expected first, second or draw")]
pub enum Outcome {
    /// The game is drawn.
    Draw,
    /// This side has won.
    #[serde(untagged)]
    Win(Side),
}

impl Outcome {
    /// Returns the winner, if there is one.
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

/// Rules of a game for two players. The implementing type is a position, which moves change.
///
/// Search code calls [`Game::make_move`], which trusts its caller. Other callers use [`Game::try_make_move`],
/// which checks the move and explains why it refuses it.
///
/// ```
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// let undo = game.make_move(Cell(4));
/// assert!(game.try_make_move(Cell(4)).is_err(), "the cell is taken");
/// game.unmake_move(Cell(4), undo);
/// assert_eq!(game, TicTacToe::new(3)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A move, one or two bytes in size.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// Data that [`Game::unmake_move`] needs to restore the position.
    type Undo: Send + 'static;
    /// Reason why a move is not legal.
    type Refusal: std::error::Error;

    /// Returns the side to move. After the end of the game this is the side that would move next.
    fn to_move(&self) -> Side;

    /// Returns the outcome, or `None` while the game is still in progress.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move to `out`, always in the same order. A finished game has no legal moves.
    fn push_legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move. Playing an illegal move is a bug of the caller and leaves the position
    /// unspecified.
    fn make_move(&mut self, mv: Self::Move) -> Self::Undo;

    /// Undoes `mv`, which must be the last move made. `undo` is the value that [`Game::make_move`] returned
    /// for it.
    fn unmake_move(&mut self, mv: Self::Move, undo: Self::Undo);

    /// Returns a 64-bit hash key. Equal positions have equal keys, whatever the order of the moves that led
    /// to them. The key covers everything that affects the rest of the game, including the side to move.
    fn position_key(&self) -> u64;

    /// Checks that `mv` is a legal move.
    ///
    /// # Errors
    /// Returns the reason if the move is not legal.
    fn check_legality(&self, mv: Self::Move) -> Result<(), Self::Refusal>;

    /// Reports whether the move is legal.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.check_legality(mv).is_ok()
    }

    /// Plays `mv` if it is legal.
    ///
    /// # Errors
    /// Returns the reason if the move is not legal. The position is then unchanged.
    fn try_make_move(&mut self, mv: Self::Move) -> Result<Self::Undo, Self::Refusal> {
        self.check_legality(mv)?;
        Ok(self.make_move(mv))
    }
}

/// A refusal with a stable code and one or two sentences for people: the text that was read, the problem, and
/// a valid alternative.
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
    /// Sentences that explain the refusal.
    pub text: Text,
}

impl Refusal {
    /// Returns a refusal with this code and these sentences.
    ///
    /// ```
    /// use crosspath::game::{Refusal, RefusalCode};
    /// let refusal = Refusal::new(RefusalCode::Taken, "b2 is taken.");
    /// assert_eq!(refusal.to_string(), "b2 is taken.");
    /// ```
    pub fn new(code: RefusalCode, text: impl Into<Text>) -> Self {
        Refusal { code, text: text.into() }
    }

    /// Returns the refusal of a text that is not a move. `typing` explains how moves are typed.
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
                Self::sanitize_excerpt(read)
            ),
        )
    }

    /// Returns the refusal of a move in a finished game. `how` describes the end of the game.
    ///
    /// ```
    /// use crosspath::game::{Refusal, RefusalCode};
    /// assert_eq!(Refusal::game_over("X won on move 5").code, RefusalCode::GameOver);
    /// ```
    #[must_use]
    pub fn game_over(how: impl Display) -> Self {
        let text = text!("The game is over: {how}. new starts a new game, undo goes back.");
        Refusal::new(RefusalCode::GameOver, text)
    }

    /// Returns the first sentence without its full stop, which states the problem but no alternative.
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

    /// Returns a path or a sentence that is safe to show: control characters become `?`, and at most 200
    /// characters remain.
    ///
    /// ```
    /// use crosspath::game::Refusal;
    /// assert_eq!(Refusal::sanitize_path("games/\u{7}bell.txt"), "games/?bell.txt");
    /// ```
    #[must_use]
    pub fn sanitize_path(path: impl AsRef<Path>) -> String {
        path.as_ref().to_string_lossy().chars().take(200).map(replace_unsafe_char).collect()
    }

    /// Maximum number of characters that [`Refusal::sanitize_excerpt`] returns.
    pub(crate) const MAX_EXCERPT_CHARS: usize = 24;

    /// Returns the text that was read, safe to show: at most 24 characters, with `?` in place of characters
    /// that control the terminal or the writing direction.
    ///
    /// ```
    /// use crosspath::game::Refusal;
    /// assert_eq!(Refusal::sanitize_excerpt("b2\u{1b}[2J"), "b2?[2J");
    /// ```
    #[must_use]
    pub fn sanitize_excerpt(read: &str) -> String {
        read.chars().take(Self::MAX_EXCERPT_CHARS).map(replace_unsafe_char).collect()
    }
}

/// Returns the character, or `?` if it is invisible or controls how other characters are shown.
fn replace_unsafe_char(c: char) -> char {
    let is_unseen = matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    );
    if c.is_control() || is_unseen { '?' } else { c }
}

/// Replaces terminal control characters, writing-direction marks and invisible characters of a text from a
/// file by `?`. Line ends and tabs remain.
///
/// ```
/// # use crosspath::game::sanitize_text;
/// assert_eq!(sanitize_text("Ann\u{1b}[2J \u{202e}neB\n"), "Ann?[2J ?neB\n");
/// ```
#[must_use]
pub fn sanitize_text(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { replace_unsafe_char(c) }).collect()
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.text, f)
    }
}

impl std::error::Error for Refusal {}

/// Conversion of moves to and from text. Law: `parse(format_move(mv)) == mv` for every legal move.
///
/// ```
/// use crosspath::game::Notation;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(11, SwapRule::On)?;
/// assert_eq!(game.format_move(game.parse("F6")?), "f6");
/// assert!(game.parse("f12").is_err(), "there is no row 12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Notation: Game {
    /// Returns the move in the notation of records and screens.
    fn format_move(&self, mv: Self::Move) -> String;

    /// Parses a move in any of the accepted spellings.
    ///
    /// # Errors
    /// Returns `not-understood` if the text is not a move of this game, and `off-board` if it names a cell or
    /// wall outside of the board. The legality of the move is not checked.
    fn parse(&self, text: &str) -> Result<Self::Move, Refusal>;

    /// Returns the names of the other move notations that records may use.
    fn dialects(&self) -> &'static [&'static str] {
        &[]
    }

    /// Converts a move from another notation to crosspath's own; returns `None` if the text is not a move.
    fn translate_from_dialect(&self, _dialect: &str, _text: &str) -> Option<String> {
        None
    }

    /// Returns the position after the side to move has passed, if the game has such a position. Passes occur
    /// in files of other programs. No engine passes, and [`Game::push_legal_moves`] lists no pass.
    fn after_pass(&self) -> Option<Self> {
        None
    }

    /// Returns the moves that are written as a word, such as `swap`, each with a description.
    fn named_moves(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the refusal of a move with an explanation for people. `played` holds the moves of the game so
    /// far.
    fn explain_refusal(&self, mv: Self::Move, refusal: &Self::Refusal, played: &[Self::Move]) -> Refusal;

    /// Returns a sentence about a notable effect of the last move, if there is one. `made` counts earlier
    /// remarks in this game; the wording varies with it so that consecutive remarks differ.
    fn comment_on_last_move(&self, _played: &[Self::Move], _made: usize) -> Option<Text> {
        None
    }
}

/// Descriptions of a position and its game for people. Sentences end with a full stop; names do not.
///
/// ```
/// use crosspath::game::{Side, PositionDescription};
/// use crosspath::games::tictactoe::TicTacToe;
/// let game = TicTacToe::new(3)?;
/// assert_eq!(game.title(), "Tic-tac-toe 3x3");
/// assert_eq!(game.side_name(Side::First).to_string(), "X");
/// assert!(game.describe_ending().is_none(), "the game goes on");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PositionDescription {
    /// Returns the name of the game and its board size, such as `Tic-tac-toe 3x3`.
    fn title(&self) -> String;

    /// Returns the name of a side: `X`, `Red`, `White`.
    fn side_name(&self, side: Side) -> SideName;

    /// Returns the goal of a side as a phrase that continues `You win by`: `connecting top to bottom`,
    /// `reaching row 9`.
    fn describe_goal(&self, side: Side) -> String;

    /// Returns a move that is legal on the empty board, as an example of the notation.
    fn sample_move(&self) -> String;

    /// Returns a sentence that explains how moves are typed:
    /// `A cell is a letter a-c and a number 1-3, such as b2.`
    fn typing_hint(&self) -> String;

    /// Returns the rules in at most four lines, each at most 72 columns.
    fn rules_text(&self) -> Vec<Text>;

    /// Returns a one-word heading for each line of the rules, in the same order: `Goal`, `Move`.
    fn rule_headings(&self) -> &'static [&'static str] {
        &[]
    }

    /// Describes the end of the game, as a phrase that follows the winner's name or `Draw`: `completed row
    /// 1`, `the board is full`. Returns `None` while the game is still in progress.
    fn describe_ending(&self) -> Option<Text>;

    /// Returns the pieces of a side in reading order, as the texts of the moves that placed them.
    fn list_pieces(&self, side: Side) -> Vec<String>;

    /// Returns a description of the position for people who cannot see the board, one fact per line. It
    /// includes neither the last move nor the side to move.
    fn describe_position(&self) -> Vec<Text>;

    /// Returns a sentence about the immediate winning threats of the side that just moved:
    /// `X threatens a2 and b3.`
    fn describe_threats(&self) -> Option<Text> {
        None
    }

    /// Returns the cell numbers row by row, on boards where moves can be typed as numbers:
    /// `1 2 3 / 4 5 6 / 7 8 9`.
    fn cell_numbers(&self) -> Option<String> {
        None
    }
}

/// Counts the sequences of exactly `depth` legal moves. A finished game has no continuation.
///
/// ```
/// use crosspath::{game::perft, games::tictactoe::TicTacToe};
/// let mut game = TicTacToe::new(3).expect("3x3 exists");
/// assert_eq!(perft(&mut game, 5), 15_120);
/// ```
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    perft_until_stopped(game, depth, &AtomicBool::new(false)).unwrap_or_default() // The flag is never set.
}

/// Counts like [`perft`], but returns `None` as soon as `stop` is set.
pub(crate) fn perft_until_stopped<G: Game>(game: &mut G, depth: u32, stop: &AtomicBool) -> Option<u64> {
    perft_with_move_stack(game, depth, &mut Vec::new(), stop)
}

/// Counts like [`perft`] on several threads, which share the first moves. Returns `None` as soon as `stop` is
/// set.
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
/// Panics only if the game's methods panic.
pub fn perft_on_threads<G: Game>(game: &G, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u64> {
    let Some(below) = depth.checked_sub(1) else { return Some(1) };
    let mut moves = Vec::new();
    game.push_legal_moves(&mut moves);
    let count = |moves: &mut dyn Iterator<Item = &G::Move>| {
        let mut game = game.clone();
        let mut count = 0;
        for &mv in moves {
            let undo = game.make_move(mv);
            let found = perft_until_stopped(&mut game, below, stop);
            game.unmake_move(mv, undo);
            count += found?;
        }
        Some(count)
    };
    run_on_threads(&moves, threads, count).into_iter().sum()
}

fn perft_with_move_stack<G: Game>(
    game: &mut G,
    depth: u32,
    stack: &mut Vec<G::Move>,
    stop: &AtomicBool,
) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth == 0 {
        return Some(1);
    }
    let base = stack.len();
    game.push_legal_moves(stack);
    let end = stack.len();
    if depth == 1 {
        stack.truncate(base);
        return Some((end - base) as u64);
    }
    let mut count = 0;
    for i in base..end {
        let mv = stack[i];
        let undo = game.make_move(mv);
        let below = perft_with_move_stack(game, depth - 1, stack, stop);
        game.unmake_move(mv, undo);
        count += below?;
    }
    stack.truncate(base);
    Some(count)
}
