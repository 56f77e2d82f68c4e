//! Events of a match: the only input of front ends, the log and the journal.

use std::sync::Arc;

use jiff::civil::Date;

use crate::ai::ProofStatus;
use crate::game::{Refusal, SetupChange, Side};
use crate::play::{IncompleteReplay, MatchQuery, MatchRefusal, OverwritePermission, TaskAttempt};
use crate::record::{NodeId, RecordNote};
use crate::session::{EngineAnswer, Position};
use crate::text::{SideName, Text};

/// Event of a match.
///
/// If an event names a node, front ends show the position of that node.
#[derive(Clone, Debug)]
pub enum MatchEvent {
    /// The requested game cannot be played; mode 1 is played instead.
    FellBack(ModeFallback),
    /// A game has started, perhaps in place of another one.
    Started,
    /// A move was played, or a replay shows the next move of its file.
    Moved(AppliedMove),
    /// The present position has changed to this node.
    Present(NodeId),
    /// An earlier position, or a position of another line, is shown.
    Shown(NodeId),
    /// The game ended in this position. Another game may have started since.
    Ended(Arc<dyn Position>),
    /// The players or the level of the engines have changed.
    Seated,
    /// A command was answered.
    Replied(CommandReply),
    /// The last input was refused.
    Refused(MatchRefusal),
    /// A problem occurred that the player did not cause.
    Fault(MatchFault),
    /// The evaluation of a position was updated by an engine.
    Reported(NodeId),
    /// The player has made the first try at the mistake under practice.
    Tried(TaskAttempt),
    /// The match has ended for this reason.
    Left(LeaveReason),
}

/// Move that was just played or shown.
#[derive(Clone, Debug)]
pub struct AppliedMove {
    /// Position after the move.
    pub node: NodeId,
    /// `true` if another position was shown before the move.
    pub came_back: bool,
    /// Change in the proved result, if any.
    pub proof: Option<ProofChange>,
    /// Number of times that the position has occurred; `None` if it need not be reported.
    pub repetition: Option<usize>,
}

/// Change in the proved result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofChange {
    /// The result is no longer proved; reported for the default level and stronger ones.
    Lost,
    /// A result is proved again; reported for the default level and stronger ones.
    Found(ProofStatus),
    /// The engine has just proved a win; the text announces it in the terms of the game.
    Won(Text),
}

/// Answer to a command, with the command and the position.
#[derive(Clone, Debug)]
pub struct CommandReply {
    /// Name of the answered command.
    pub word: &'static str,
    /// Position to which the answer refers.
    pub at: NodeId,
    /// Content of the answer.
    pub answer: CommandAnswer,
}

/// Content of the answer to a command. It omits details that follow from the position.
#[derive(Clone, Debug)]
pub enum CommandAnswer {
    /// Answer to this query, which front ends derive from the position and the match.
    Queried(MatchQuery),
    /// The level of the engines was changed.
    LevelSet,
    /// A suggested move with its search report.
    Hint(Box<EngineAnswer>),
    /// The exact value of every move, known without a search.
    Values,
    /// An engine's evaluation of the position.
    Eval(Box<EngineAnswer>),
    /// These moves were undone.
    Undone(Vec<String>),
    /// The previous game is back.
    PreviousGameRestored,
    /// These moves were redone.
    Redone(Vec<String>),
    /// The present position is shown again.
    BackToPresent,
    /// An earlier position is shown.
    PositionShown,
    /// The game continues from the shown position.
    PlayContinues {
        /// Number of moves that can be redone.
        redoable: usize,
        /// `true` if the player moves for both sides.
        is_free: bool,
    },
    /// The shown line is now the main line.
    Promoted,
    /// The tree of an analysis was edited.
    Edited(EditOutcome),
    /// The player now has this side.
    SideSet(Side),
    /// This side has resigned.
    Resigned(Side),
    /// A draw was claimed.
    DrawClaimed,
    /// A new game has started; the value tells whether the previous one was saved.
    New(UnsavedStatus),
    /// The game was saved to this file.
    Saved(String, OverwritePermission),
    /// The player is asked whether to replace the other game in this file.
    AsksToReplace(String),
    /// A game was loaded from this file; the value tells whether the previous one was saved.
    Loaded(String, UnsavedStatus),
    /// The review of the line that ends at this position has finished or was stopped.
    Reviewed,
    /// A mistake is shown, and the player is asked for a better move.
    MistakeShown,
    /// The player tried a move at a mistake.
    Tried(TryOutcome),
    /// The better move at a mistake is shown.
    Solution,
    /// All due mistakes of the session were practised.
    Practised {
        /// Number of correct first tries.
        right: usize,
        /// Number of mistakes in the session.
        count: usize,
        /// Day on which the next mistake is due; `None` if all are learnt.
        due: Option<Date>,
    },
    /// The player has quit.
    Quit,
}

/// Result of a move that the player tried at a mistake.
#[derive(Clone, Debug, PartialEq)]
pub enum TryOutcome {
    /// An engine is evaluating this move.
    Checking(String),
    /// The move is about as good as the better move.
    Right {
        /// Tried move.
        text: String,
        /// Win chance after the move, from 0 to 1.
        left: f64,
    },
    /// The move loses too much win chance.
    Wrong {
        /// Tried move.
        text: String,
        /// Win chance after the move, from 0 to 1.
        left: f64,
        /// Refutation: the opponent's reply and the moves after it.
        line: Vec<String>,
    },
}

/// Result of an edit of an analysis tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditOutcome {
    /// This move and everything after it were deleted.
    Hidden(String),
    /// The comment was set to this text, or removed.
    Commented(Option<String>),
    /// A cell was marked, or its mark was removed.
    Marked {
        /// Name of the cell.
        cell: String,
        /// `true` if the cell is marked now.
        is_there: bool,
    },
    /// The last edit was undone.
    Undone,
    /// An edit was redone.
    Redone,
    /// A new analysis has started from a position set up by hand.
    SetUp,
    /// The first position of the analysis was changed by hand.
    SetUpOn(SetupChange),
}

/// Save status of a game when the player leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsavedStatus {
    /// The game has no unsaved moves.
    No,
    /// The game has unsaved moves, which would be lost.
    Yes,
    /// The game is unfinished and saved in its journal.
    Kept,
    /// The game is finished and saved in its journal.
    Finished,
}

/// Problem that the player did not cause.
#[derive(Clone, Debug)]
pub enum MatchFault {
    /// The side with this name ran out of time; the game continues.
    TimeIsUp(SideName),
    /// A part of this file was omitted, as the note explains.
    Dropped(String, RecordNote),
    /// A file cannot be replayed to its end, so mode 1 starts on an empty board.
    Stuck(IncompleteReplay),
    /// An engine failed.
    Engine {
        /// Reason for the failure.
        why: String,
        /// Role of the engine in the match.
        role: EngineRole,
    },
    /// The state of a game's journal has changed.
    Journal {
        /// Title of the game.
        game: String,
        /// New state of the journal.
        news: JournalStatus,
    },
    /// The log could not be written, for this reason.
    Log(String),
    /// The file of mistakes could not be written, for this reason.
    Mistakes(String),
}

/// Change in the state of a game's journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalStatus {
    /// No move of the game was written, for this reason.
    NotWritten(String),
    /// Further moves cannot be written, for this reason.
    Interrupted(String),
    /// The whole game is written now, after an earlier failure.
    Restored,
}

/// Role of an engine in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineRole {
    /// Opponent of a human player, who can move for an engine that has failed.
    Opponent,
    /// Player in a match between engines.
    MatchEngine,
    /// Player in a match between engines, if the match ends when this engine fails.
    MatchEngineAtEnd,
    /// Adviser, who gives hints, evaluations and reviews.
    Adviser,
}

/// Request for a game that cannot be played, so that mode 1 is played instead.
#[derive(Clone, Debug)]
pub struct ModeFallback {
    /// Number of the requested mode; `None` if it is not a mode.
    pub mode: Option<u8>,
    /// Reason why the request cannot be played.
    pub why: Refusal,
}

/// Reason for the end of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaveReason {
    /// The match is over or the player quit; the value tells whether moves are unsaved.
    Done(UnsavedStatus),
    /// An input was refused in strict mode.
    Refused,
    /// A file could not be replayed to its end in strict mode.
    BadFile(IncompleteReplay),
    /// An engine failed in a match without human players.
    Failed(String),
}
