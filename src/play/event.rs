//! What happens in a match, as types: the one text that every front end, the log and the journal are made from.

use std::sync::Arc;

use jiff::civil::Date;

use crate::ai::Proof;
use crate::game::{Refusal, SetupChange, Side};
use crate::play::{MatchRefusal, Overwrite, Query, Stuck, Try};
use crate::record::{NodeId, Note};
use crate::session::{EngineAnswer, Position};
use crate::text::{SideName, Text};

/// Something that has happened. Front ends draw the node that an event names.
#[derive(Clone, Debug)]
pub enum Event {
    /// What was asked for cannot be played; another game follows.
    FellBack(Fallback),
    /// A game begins, or another one takes its place.
    Started,
    /// A move was played, or a move of a file is shown.
    Moved(Moved),
    /// The present position is another one.
    Present(NodeId),
    /// An earlier position is shown, or one of another line.
    Shown(NodeId),
    /// The game is over, in this position. Another game may have begun since.
    Ended(Arc<dyn Position>),
    /// Other players, or another strength.
    Seated,
    /// A word is answered.
    Replied(Reply),
    /// What was read last is refused.
    Refused(MatchRefusal),
    /// Something is wrong that is not the player's fault.
    Fault(Fault),
    /// An engine knows more about a position than before.
    Reported(NodeId),
    /// A mistake was tried for the first time since it was asked.
    Tried(Try),
    /// The match is left.
    Left(Leaving),
}

/// A move that was played.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The position after it.
    pub node: NodeId,
    /// `true` if an earlier position had been shown.
    pub came_back: bool,
    /// What changed about what is proved.
    pub proof: Option<ProofNews>,
    /// How often the position now stands on the board, where that matters.
    pub repetition: Option<usize>,
}

/// A change of what is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofNews {
    /// Nothing is proved any more, where the default level or a stronger one plays.
    Lost,
    /// Something is proved again, where such a level plays.
    Found(Proof),
    /// The machine has proved its win just now, in words of the game.
    Won(Text),
}

/// The answer to a word.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The word.
    pub word: &'static str,
    /// The position that the answer is about.
    pub at: NodeId,
    /// What is answered.
    pub answer: Answer,
}

/// What a word is answered with. Where only a position matters, nothing more is said.
#[derive(Clone, Debug)]
pub enum Answer {
    /// What was asked for, read from the position and the match.
    Told(Query),
    /// The engines' level is another one now.
    LevelSet,
    /// A move and its reason.
    Hint(Box<EngineAnswer>),
    /// What every move is worth.
    Values,
    /// What an engine thinks of the position.
    Eval(Box<EngineAnswer>),
    /// These moves were taken back.
    TookBack(Vec<String>),
    /// The game before this one is there again.
    BroughtBack,
    /// These moves were played again.
    PlayedAgain(Vec<String>),
    /// The present position is shown again.
    BackToPresent,
    /// An earlier position is shown.
    Looking,
    /// The game goes on from here.
    GoesOn {
        /// So many moves can be played again.
        redoable: usize,
        /// `true` if a person moves for both sides, as no engine was asked for.
        is_free: bool,
    },
    /// The line that is shown is the main line now.
    Promoted,
    /// The tree of an analysis was changed.
    Edited(EditNews),
    /// The player has this side now.
    SideSet(Side),
    /// This side gives up.
    GivesUp(Side),
    /// The draw is claimed.
    DrawClaimed,
    /// Another game; whether the one before was not saved.
    New(Unsaved),
    /// The game was written into this file.
    Saved(String, Overwrite),
    /// This file holds another game: is it to be replaced?
    AsksToReplace(String),
    /// A game was read from this file; whether the one before was not saved.
    Loaded(String, Unsaved),
    /// Every position of the line that ends here is judged.
    Reviewed,
    /// A mistake is shown, and a better move is asked for.
    Asked,
    /// What has become of a try at a mistake.
    Tried(TryNews),
    /// The better move at a mistake is shown.
    Solution,
    /// All mistakes that were due have been asked.
    Practised {
        /// So many first tries were right.
        right: usize,
        /// So many mistakes were asked.
        count: usize,
        /// The day on which the next one is due; none if all are learnt.
        due: Option<Date>,
    },
    /// Goodbye.
    Quit,
}

/// What has become of a try at a mistake.
#[derive(Clone, Debug, PartialEq)]
pub enum TryNews {
    /// An engine looks at this move.
    Checking(String),
    /// The move keeps what the better one would.
    Right {
        /// The move.
        text: String,
        /// The chance that it keeps, from 0 to 1.
        left: f64,
    },
    /// The move does not.
    Wrong {
        /// The move.
        text: String,
        /// The chance that is left, from 0 to 1.
        left: f64,
        /// How the opponent answers.
        line: Vec<String>,
    },
}

/// How the tree of an analysis was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditNews {
    /// This move was taken out, with all that follows it.
    Hidden(String),
    /// The position has this comment now, or none.
    Commented(Option<String>),
    /// A cell is marked, or no longer.
    Marked {
        /// The cell.
        cell: String,
        /// `true` if it is marked now.
        is_there: bool,
    },
    /// The last edit was undone.
    Undone,
    /// An edit was done again.
    Redone,
    /// A new analysis begins from a position that was set up.
    SetUp,
    /// A position that was set up was changed once more.
    SetUpOn(SetupChange),
}

/// Whether moves are left behind that no file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// Nothing is left behind.
    No,
    /// A game with moves is.
    Yes,
    /// A game with moves is, but its journal has it.
    Kept,
    /// A game that is over is, and its journal has it.
    Finished,
}

/// Something that is wrong, but not the player's fault.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The side of this name has used up its time, and the game goes on.
    TimeIsUp(SideName),
    /// What was left out of the file with this name.
    Dropped(String, Note),
    /// A file cannot be followed: mode 1 begins on a fresh board.
    Stuck(Stuck),
    /// An engine has failed.
    Engine {
        /// Why.
        why: String,
        /// What it had to do.
        role: EngineRole,
    },
    /// The journal of a game cannot be written, or can be written again.
    Journal {
        /// The game.
        game: String,
        /// What has changed.
        news: SaveNews,
    },
    /// The log cannot be written; why.
    Log(String),
    /// The file of mistakes cannot be written; why.
    Mistakes(String),
}

/// A change in whether the journal has a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveNews {
    /// No move of it can be written; why.
    Never(String),
    /// No more of its moves can be written; why.
    NoLonger(String),
    /// The whole game is written, although it could not be before.
    Again,
}

/// What an engine has to do in a match.
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

/// What was asked for and cannot be played; mode 1 is played instead.
#[derive(Clone, Debug)]
pub struct Fallback {
    /// The number of the mode that was asked for, if it is a mode.
    pub mode: Option<u8>,
    /// Why not.
    pub why: Refusal,
}

/// How a match is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// At its end, or because the player wanted to go; whether moves are left behind that no file has.
    Done(Unsaved),
    /// By the first refusal, where nothing is forgiven.
    Refused,
    /// Because a file cannot be followed, where nothing is forgiven.
    BadFile(Stuck),
    /// Because an engine has failed where nobody plays.
    Failed(String),
}
