//! Facts that the parts of a match report. The match converts them to events.

use std::sync::Arc;

use crate::game::Side;
use crate::play::{AppliedMove, CommandAnswer, IncompleteReplay, MatchFault, TaskAttempt};
use crate::record::NodeId;
use crate::registry::GameStart;
use crate::session::Position;

/// Fact reported by a part of the match, such as an activity.
#[derive(Clone, Debug)]
pub enum MatchFact {
    /// A move was played, or a replay shows the next move of its file.
    Moved(AppliedMove),
    /// The present position is now this node.
    Present(NodeId),
    /// This position is shown and is not the present one.
    Shown(NodeId),
    /// The game ended in the present position.
    Over,
    /// A replay reached the end of its game, in this position.
    FileEnded(Arc<dyn Position>),
    /// The match is over.
    Done,
    /// A file cannot be replayed any further.
    CannotFollow(IncompleteReplay),
    /// The players or the level of the engines have changed.
    Seated,
    /// A human player takes over this side at the shown position; `None` means both sides.
    TakesOver(Option<Side>),
    /// An analysis of this position, set up by hand, replaces the game.
    SetUp(Box<GameStart>),
    /// The board was replaced, by the next mistake in training or by a new first position of an
    /// analysis.
    Begun,
    /// The player has made the first try at the mistake under practice.
    Tried(TaskAttempt),
    /// A command was answered, with reference to this position.
    Replied(&'static str, NodeId, CommandAnswer),
    /// A text was shown that takes time to read, so the playback pauses.
    ToBeRead,
    /// The evaluation of a position was updated by an engine.
    Reported(NodeId),
    /// A problem occurred that the player did not cause.
    Fault(MatchFault),
    /// The engine of this side should play its best move so far.
    MoveNow(Side),
}
