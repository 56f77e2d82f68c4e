//! Reasons for which a match refuses an input.

use crate::game::{BadSetup, Refusal};
use crate::play::LevelChange;
use crate::registry::BoardSetupError;
use crate::text::Text;

/// Reason for a refused input. A refused command changes no game.
#[derive(Clone, Debug)]
pub enum MatchRefusal {
    /// The line is neither a move nor a command; the game gives the message.
    Unread(Refusal),
    /// The move is not legal; the game gives the reason.
    IllegalMove {
        /// Reason why the move is not legal.
        why: Refusal,
        /// `true` if another position was shown and the present one is shown now.
        came_back: bool,
    },
    /// The line is longer than any move or command.
    TooLong,
    /// The other game in this file was not overwritten, as the player wished.
    NotReplaced(String),
    /// The line is endless, so no further input can be read.
    Endless,
    /// The answer to the rematch question is neither yes nor no.
    NeitherYesNorNo(String),
    /// The help topic is not a command.
    NoSuchWord(String),
    /// No hint is possible: the game is over.
    NothingToAdvise,
    /// No review is possible: no move has been played.
    NothingToReview,
    /// The reviews have found no mistake.
    NoMistake,
    /// The better line has no further move: forward (`true`) or back (`false`).
    EndOfLesson(bool),
    /// There is no lower or no higher level.
    NoLevelBeside(LevelChange),
    /// No evaluation is possible: the game is over.
    NothingToEvaluate,
    /// The move number is not in the shown line.
    NoSuchMove {
        /// Number of the last move.
        last: usize,
        /// Text that was read.
        read: String,
    },
    /// There are not enough moves in the requested direction.
    NoStep {
        /// `true` if the direction is forward.
        is_forward: bool,
        /// `true` if the last or first position is already shown.
        is_there: bool,
    },
    /// There is no variation with this number; the value is the number of variations.
    NoSuchVariation(usize),
    /// The command needs a human player, and there is none.
    OnlyShown {
        /// `true` if the game is over.
        is_over: bool,
    },
    /// The command needs the full screen, and the program was started in line mode.
    FullScreenOff,
    /// The command `replay` takes no argument.
    ReplayTakesNothing,
    /// No replay is possible: no move has been played.
    NothingToReplay,
    /// The present position is already shown.
    IsThePresent,
    /// The shown line is already the main line.
    IsTheMainLine,
    /// The game is over in the shown position.
    IsOverHere,
    /// The command is not available on the analysis board.
    IsAnalysis,
    /// The command is available only on the analysis board.
    NoAnalysis,
    /// The command is not available in training.
    IsTraining,
    /// The command is available only in training.
    NoTraining,
    /// There is no previous game to return to.
    NoGameToReturnTo,
    /// No move can be deleted: the first position is shown.
    NothingToHide,
    /// The shown position has no comment to delete.
    NoComment,
    /// The board has no cell with this name.
    NoSuchCell(String),
    /// The change leads to an invalid position; the game gives the reason.
    BadChange(BadSetup),
    /// The argument of `setup` has none of the valid forms.
    NoSuchChange(String),
    /// The argument of `side` is not the name of a side.
    NoSuchSide,
    /// The player cannot take a side: engines play both.
    BothSidesAreTaken,
    /// The game is already over.
    OverAlready,
    /// The game is not over yet.
    NotOver,
    /// It is the engine's turn.
    NotYourTurn,
    /// The engine is thinking, so the command must wait.
    IsThinking,
    /// Fewer moves can be undone than requested; the value is the number that can.
    NothingToUndo(usize),
    /// No move can be redone.
    NothingToRedo,
    /// Only one game can be played in this match.
    OnlyOneGame,
    /// The command `new` has too many arguments.
    TooManyNewArguments,
    /// The game is unknown.
    NoSuchGame(BoardSetupError),
    /// The board is not available for the game.
    NoSuchBoard(BoardSetupError),
    /// No playing engine has a level.
    NoEngineForTheLevel,
    /// The game has no such level.
    NoSuchLevel(String),
    /// The command needs a file name.
    NeedsFile(&'static str),
    /// The argument of the command is not a positive number.
    NeedsNumber {
        /// Name of the command.
        word: &'static str,
        /// Text that was read.
        read: String,
    },
    /// A move in a file is invalid.
    InFile {
        /// Path of the file.
        path: String,
        /// Line number in the file, from 1.
        line: usize,
        /// Reason why the move is invalid.
        why: Text,
    },
    /// A file cannot be read or written; the value is the whole message.
    File(String),
}
