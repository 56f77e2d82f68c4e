//! Why a match refuses a command.

use crate::game::{BadSetup, Refusal};
use crate::play::Strength;
use crate::registry::OpenError;
use crate::text::Text;

/// Why something is refused. What is refused changes no game.
#[derive(Clone, Debug)]
pub enum MatchRefusal {
    /// The line is neither a move nor a word, as the game says.
    Unread(Refusal),
    /// The move is not legal, as the game says; whether an earlier position had been shown.
    IllegalMove {
        /// Why not.
        why: Refusal,
        /// `true` if an earlier position had been shown: it no longer is.
        came_back: bool,
    },
    /// The line is longer than any move or word.
    TooLong,
    /// The game in this file stays.
    NotReplaced(String),
    /// The line has no end.
    Endless,
    /// The answer to the question for another game is none.
    NeitherYesNorNo(String),
    /// There is no such word to be explained.
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
        /// The number of the last one.
        last: usize,
        /// What was read.
        read: String,
    },
    /// There are fewer moves in that direction; whether there are none at all.
    NoStep {
        /// The direction.
        is_forward: bool,
        /// `true` if the last or first position is shown already.
        is_there: bool,
    },
    /// There is no such other line; how many there are.
    NoSuchVariation(usize),
    /// Nobody plays here; whether the game is over.
    OnlyShown {
        /// `true` if it is.
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
    /// No game was taken to this analysis.
    NothingBehind,
    /// There is no move before the position that is shown.
    NothingToHide,
    /// There is no comment to delete.
    NoComment,
    /// No cell has this name.
    NoSuchCell(String),
    /// A position cannot be changed like this, as the game says.
    BadChange(BadSetup),
    /// What stands behind `setup` is none of its forms.
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
    /// The engine thinks, and moves wait.
    IsThinking,
    /// Only so many moves can be taken back.
    NothingToUndo(usize),
    /// No move can be played again.
    NothingToRedo,
    /// Only one game is played here.
    OnlyOneGame,
    /// More stands behind `new` than it takes.
    NewTakes,
    /// There is no such game.
    NoSuchGame(OpenError),
    /// There is no such board.
    NoSuchBoard(OpenError),
    /// No engine plays that has a level.
    NoEngineForTheLevel,
    /// The game has no such level.
    NoSuchLevel(String),
    /// The word needs the name of a file.
    NeedsFile(&'static str),
    /// What follows the word is no number of moves.
    TakesANumber {
        /// The word.
        word: &'static str,
        /// What was read.
        read: String,
    },
    /// A move in a file is wrong.
    InFile {
        /// The file.
        path: String,
        /// The line in it.
        line: usize,
        /// What is wrong.
        why: Text,
    },
    /// A file cannot be read or written, or is none of ours; the sentence.
    File(String),
}
