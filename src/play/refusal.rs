//! Reasons why a match refuses a command.

use crate::game::{BadSetup, Refusal};
use crate::play::Strength;
use crate::registry::OpenError;
use crate::text::Text;

/// Reason for a refusal. A refused command changes no game.
#[derive(Clone, Debug)]
pub enum MatchRefusal {
    /// The line is neither a move nor a command, as the game says.
    Unread(Refusal),
    /// The move is not legal, as the game says.
    IllegalMove {
        /// Reason.
        why: Refusal,
        /// `true` if an earlier position was shown before: it no longer is.
        came_back: bool,
    },
    /// The line is longer than any move or command.
    TooLong,
    /// The game in this file is not replaced.
    NotReplaced(String),
    /// The line has no end.
    Endless,
    /// The answer to the question about another game is neither yes nor no.
    NeitherYesNorNo(String),
    /// There is no such command to be explained.
    NoSuchWord(String),
    /// There is nothing to advise: the game is over.
    NothingToAdvise,
    /// There is nothing to review: no move has been played.
    NothingToReview,
    /// No review has found a mistake.
    NoMistake,
    /// The better line goes no further, on or back.
    EndOfLesson(bool),
    /// There is no level below, or above.
    NoLevelBeside(Strength),
    /// There is nothing to evaluate: the game is over.
    NothingToEvaluate,
    /// There is no such move to go to.
    NoSuchMove {
        /// Number of the last one.
        last: usize,
        /// Text that was read.
        read: String,
    },
    /// There are fewer moves in that direction.
    NoStep {
        /// `true` if the direction is forward.
        is_forward: bool,
        /// `true` if the last or first position is shown already.
        is_there: bool,
    },
    /// There is no such variation, but only this number of them.
    NoSuchVariation(usize),
    /// Nobody plays here.
    OnlyShown {
        /// `true` if the game is over.
        is_over: bool,
    },
    /// The program did not begin on the full screen.
    BeganInLines,
    /// `replay` takes no file.
    ReplayTakesNothing,
    /// No move has been played yet.
    NothingToReplay,
    /// The present position is shown already.
    IsThePresent,
    /// The line that is shown is the main line already.
    IsTheMainLine,
    /// The game is over in the position that is shown.
    IsOverHere,
    /// The command is one of a game, and this is an analysis.
    IsAnalysis,
    /// The command edits an analysis, and this is none.
    NoAnalysis,
    /// The command makes no sense where mistakes are practised.
    IsTraining,
    /// The command is one of the training, and this is none.
    NoTraining,
    /// There is no game to return to from this analysis.
    NothingBehind,
    /// There is no move before the position that is shown.
    NothingToHide,
    /// There is no comment to delete.
    NoComment,
    /// No cell has this name.
    NoSuchCell(String),
    /// A position cannot be changed like this, as the game says.
    BadChange(BadSetup),
    /// The change after `setup` has none of its forms.
    NoSuchChange(String),
    /// No side has that name.
    NoSuchSide,
    /// Two engines play.
    BothSidesAreTaken,
    /// The game is over already.
    OverAlready,
    /// The game is not over yet.
    NotOver,
    /// It is the engine's turn.
    NotYourTurn,
    /// The engine is thinking, and moves wait.
    IsThinking,
    /// Only this number of moves can be undone.
    NothingToUndo(usize),
    /// No move can be redone.
    NothingToRedo,
    /// Only one game is played here.
    OnlyOneGame,
    /// `new` has too many arguments.
    NewTakes,
    /// There is no such game.
    NoSuchGame(OpenError),
    /// There is no such board.
    NoSuchBoard(OpenError),
    /// No engine plays that has a level.
    NoEngineForTheLevel,
    /// The game has no such level.
    NoSuchLevel(String),
    /// The command needs the name of a file.
    NeedsFile(&'static str),
    /// The argument of the command is no number of moves.
    TakesANumber {
        /// The command.
        word: &'static str,
        /// Text that was read.
        read: String,
    },
    /// A move in a file is wrong.
    InFile {
        /// Path of the file.
        path: String,
        /// Line in it.
        line: usize,
        /// Reason.
        why: Text,
    },
    /// A file cannot be read or written, or is not one of the program's; this is the sentence.
    File(String),
}
