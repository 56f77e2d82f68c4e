//! Facts that the parts of a match report. Only the match makes events of them.

use std::sync::Arc;

use crate::game::Side;
use crate::play::{Answer, Fault, IncompleteReplay, Moved, Try};
use crate::record::NodeId;
use crate::registry::GameStart;
use crate::session::Position;

/// Fact that a part of the match reports.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A move was played, or a move of a file is shown.
    Moved(Moved),
    /// The game is now at this position.
    Present(NodeId),
    /// This position is shown, though the game is not there.
    Shown(NodeId),
    /// The game is over in its present position.
    Over,
    /// A file has come to the end of its game, in this position.
    FileEnded(Arc<dyn Position>),
    /// Nothing is left to be shown.
    Done,
    /// A file cannot be followed any further.
    CannotFollow(IncompleteReplay),
    /// The players, or their strength, have changed.
    Seated,
    /// A person takes this side where nobody has played, or people take both, in the position that is shown.
    TakesOver(Option<Side>),
    /// An analysis of this position, which was set up by hand, replaces the game.
    SetUp(Box<GameStart>),
    /// Another mistake is shown, or an analysis continues from another first position: it begins
    /// like a game.
    Begun,
    /// A mistake was tried for the first time since it came up.
    Tried(Try),
    /// A command is answered, about this position.
    Replied(&'static str, NodeId, Answer),
    /// Text was shown that needs reading: what continues by itself waits.
    ToBeRead,
    /// An engine knows more about a position than before.
    Reported(NodeId),
    /// Something is wrong that is not the player's fault.
    Fault(Fault),
    /// The engine of this side is to answer with the best so far.
    MoveNow(Side),
}
