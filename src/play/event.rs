//! Events of a match: the one source that every front end, the log and the journal are made from.

use std::sync::Arc;

use jiff::civil::Date;

use crate::ai::Proof;
use crate::game::{Refusal, SetupChange, Side};
use crate::play::{IncompleteReplay, MatchRefusal, Overwrite, Query, Try};
use crate::record::{NodeId, Note};
use crate::session::{EngineAnswer, Position};
use crate::text::{SideName, Text};

/// Event in a match. Front ends draw the node that an event names.
#[derive(Clone, Debug)]
pub enum Event {
    /// The request cannot be played; another game follows.
    FellBack(Fallback),
    /// A game begins, or replaces another one.
    Started,
    /// A move was played, or a move of a file is shown.
    Moved(Moved),
    /// The present position has changed.
    Present(NodeId),
    /// An earlier position is shown, or one of another line.
    Shown(NodeId),
    /// The game is over, in this position. Another game may have begun since.
    Ended(Arc<dyn Position>),
    /// The players, or their strength, have changed.
    Seated,
    /// A command is answered.
    Replied(Reply),
    /// The last input is refused.
    Refused(MatchRefusal),
    /// Something is wrong that is not the player's fault.
    Fault(Fault),
    /// An engine knows more about a position than before.
    Reported(NodeId),
    /// A mistake was tried for the first time since it came up.
    Tried(Try),
    /// The match is left.
    Left(Leaving),
}

/// Move that was played.
#[derive(Clone, Debug)]
pub struct Moved {
    /// Position after the move.
    pub node: NodeId,
    /// `true` if an earlier position had been shown.
    pub came_back: bool,
    /// Change of what is proved.
    pub proof: Option<ProofNews>,
    /// Number of times that the position has now occurred, where that matters.
    pub repetition: Option<usize>,
}

/// Change of what is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofNews {
    /// The result is no longer proved, where the default level or a stronger one plays.
    Lost,
    /// A result is proved again, where the default level or a stronger one plays.
    Found(Proof),
    /// The engine has just proved its win; the text is in the game's terms.
    Won(Text),
}

/// Answer to a command.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Command that is answered.
    pub word: &'static str,
    /// Position that the answer is about.
    pub at: NodeId,
    /// The answer.
    pub answer: Answer,
}

/// Answer to a command. Where only a position matters, it holds nothing more.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The answer to a query, read from the position and the match.
    Told(Query),
    /// The engines' level has changed.
    LevelSet,
    /// A move and its reason.
    Hint(Box<EngineAnswer>),
    /// The value of every move.
    Values,
    /// An engine's evaluation of the position.
    Eval(Box<EngineAnswer>),
    /// These moves were undone.
    TookBack(Vec<String>),
    /// The previous game is back.
    BroughtBack,
    /// These moves were redone.
    PlayedAgain(Vec<String>),
    /// The present position is shown again.
    BackToPresent,
    /// An earlier position is shown.
    Looking,
    /// The game continues from here.
    GoesOn {
        /// Number of moves that can be redone.
        redoable: usize,
        /// `true` if a person moves for both sides, as no engine was requested.
        is_free: bool,
    },
    /// The line that is shown is now the main line.
    Promoted,
    /// The tree of an analysis was changed.
    Edited(EditNews),
    /// The player has taken this side.
    SideSet(Side),
    /// This side resigns.
    GivesUp(Side),
    /// The draw is claimed.
    DrawClaimed,
    /// A new game begins; says whether the previous one was saved.
    New(Unsaved),
    /// The game was saved to this file.
    Saved(String, Overwrite),
    /// This file holds another game, and the player is asked whether to replace it.
    AsksToReplace(String),
    /// A game was loaded from this file; says whether the previous one was saved.
    Loaded(String, Unsaved),
    /// Every position of the line that ends here is reviewed.
    Reviewed,
    /// A mistake is shown, and a better move is asked for.
    Asked,
    /// The result of a try at a mistake.
    Tried(TryNews),
    /// The better move at a mistake is shown.
    Solution,
    /// All mistakes that were due have come up.
    Practised {
        /// Number of first tries that were right.
        right: usize,
        /// Number of mistakes that came up.
        count: usize,
        /// Day on which the next one is due; none if all are learnt.
        due: Option<Date>,
    },
    /// The player has quit.
    Quit,
}

/// Result of a try at a mistake.
#[derive(Clone, Debug, PartialEq)]
pub enum TryNews {
    /// An engine evaluates this move.
    Checking(String),
    /// The move keeps the win chance of the better one.
    Right {
        /// The move.
        text: String,
        /// Win chance that it keeps, from 0 to 1.
        left: f64,
    },
    /// The move does not keep it.
    Wrong {
        /// The move.
        text: String,
        /// Win chance that is left, from 0 to 1.
        left: f64,
        /// The opponent's reply, as a line.
        line: Vec<String>,
    },
}

/// Change of the tree of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditNews {
    /// This move was deleted, with all that follows it.
    Hidden(String),
    /// The position now has this comment, or none.
    Commented(Option<String>),
    /// A cell was marked, or its mark was removed.
    Marked {
        /// The cell.
        cell: String,
        /// `true` if it is marked now.
        is_there: bool,
    },
    /// The last edit was undone.
    Undone,
    /// An edit was redone.
    Redone,
    /// A new analysis begins from a position that was set up.
    SetUp,
    /// A position that was set up was changed again.
    SetUpOn(SetupChange),
}

/// State of the moves that leaving a game would lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// Nothing would be lost.
    No,
    /// A game with moves would be lost.
    Yes,
    /// A game with moves is left, but its journal has it.
    Kept,
    /// A finished game is left, but its journal has it.
    Finished,
}

/// Problem that is not the player's fault.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The side of this name has used up its time, and the game continues.
    TimeIsUp(SideName),
    /// This part of the file with this name was left out.
    Dropped(String, Note),
    /// A file cannot be followed: mode 1 begins on a fresh board.
    Stuck(IncompleteReplay),
    /// An engine has failed.
    Engine {
        /// Reason.
        why: String,
        /// Role of the engine in the match.
        role: EngineRole,
    },
    /// The journal of a game cannot be written, or can be written again.
    Journal {
        /// The game.
        game: String,
        /// Change in what can be written.
        news: SaveNews,
    },
    /// The log cannot be written, for this reason.
    Log(String),
    /// The file of mistakes cannot be written, for this reason.
    Mistakes(String),
}

/// Change in whether the journal has a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveNews {
    /// No move of it can be written, for this reason.
    Never(String),
    /// No more of its moves can be written, for this reason.
    NoLonger(String),
    /// The whole game is written, although it could not be before.
    Again,
}

/// Role of an engine in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineRole {
    /// It plays against a person, who can move in its place.
    Opponent,
    /// It plays against another engine.
    OneOfTwo,
    /// It played against another engine, in a match that ends with its failure.
    OneOfTwoAtTheEnd,
    /// It gives advice.
    Adviser,
}

/// Request that cannot be played; mode 1 is played instead.
#[derive(Clone, Debug)]
pub struct Fallback {
    /// Number of the mode that was requested, if it is a mode.
    pub mode: Option<u8>,
    /// Reason why it cannot be played.
    pub why: Refusal,
}

/// Reason why a match is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// It has ended, or the player wanted to go; says whether moves would be lost.
    Done(Unsaved),
    /// The first refusal ends the match in strict mode.
    Refused,
    /// A file cannot be followed, which ends the match in strict mode.
    BadFile(IncompleteReplay),
    /// An engine has failed where nobody plays.
    Failed(String),
}
