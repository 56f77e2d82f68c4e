//! What is done with a game: each kind of activity is a type that takes the commands which not all share, and says what
//! of a match it has. Another kind is another type here, and no condition elsewhere.

use std::fmt::Debug;

use crate::play::{Acted, Clocks, Command, Core, Fact, Judged, Now, Playback, Players, Practice, Rules};
use crate::record::{EditHistory, NodeId};
use crate::session::EngineAnswer;
use crate::thinking::EngineJob;

/// What an activity may know of the match around it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The time.
    pub now: Now,
    /// What holds for all games of the match.
    pub rules: Rules,
    /// `true` if an engine thinks about its next move.
    pub is_thinking: bool,
    /// `true` if that may take its time.
    pub is_patient: bool,
    /// `true` if an engine has failed in the present position.
    pub has_failed: bool,
}

/// What is done with a game.
pub trait Activity: Debug {
    /// Does what a command asks for, of those that not all activities share.
    ///
    /// # Errors
    /// Says why it makes no sense here; then nothing is changed.
    fn act(&mut self, command: Command, core: &mut Core, moment: Moment) -> Acted;

    /// Who plays, if anybody does.
    fn players(&self) -> Option<&Players> {
        None
    }

    /// The clocks, where time is measured.
    fn clocks(&self) -> Option<&Clocks> {
        None
    }

    /// How it goes on by itself, if it does.
    fn playback(&self) -> Option<&Playback> {
        None
    }

    /// The same, to be changed.
    fn playback_mut(&mut self) -> Option<&mut Playback> {
        None
    }

    /// Reports whether a move file is shown.
    fn is_replay(&self) -> bool {
        false
    }

    /// Reports whether a tree is walked and edited freely.
    fn is_analysis(&self) -> bool {
        false
    }

    /// Edits that can be undone and redone, where a tree is edited.
    fn edits(&self) -> Option<&EditHistory> {
        None
    }

    /// The mistake that is shown, where your own are practised.
    fn practice(&self) -> Option<&Practice> {
        None
    }

    /// An adviser has looked at the position that was to be checked.
    fn checked(&mut self, _node: NodeId, _judged: Judged, _core: &mut Core) -> Vec<Fact> {
        Vec::new()
    }

    /// When time alone changes something, if it goes on by itself.
    fn due(&self, _core: &Core, _moment: Moment) -> Option<Now> {
        None
    }

    /// When the clocks alone change something.
    fn clock_due(&self, _core: &Core, _moment: Moment) -> Option<Now> {
        None
    }

    /// Goes on by itself.
    fn step(&mut self, _core: &mut Core, _moment: Moment) -> Vec<Fact> {
        Vec::new()
    }

    /// Does what the clocks ask for by now.
    fn heed_clocks(&mut self, _core: &mut Core, _moment: Moment) -> Vec<Fact> {
        Vec::new()
    }

    /// The thought that is wanted now, where `running` are thought about.
    fn job(&self, _core: &Core, _moment: Moment, _running: &[EngineJob]) -> Option<EngineJob> {
        None
    }

    /// A thought begins.
    fn begins(&mut self, _job: &EngineJob, _core: &Core, _now: Now) {}

    /// The thought that was wanted has come to its end.
    fn answered(&mut self, _thought: &EngineAnswer, _core: &mut Core, _moment: Moment) -> Vec<Fact> {
        Vec::new()
    }

    /// The game begins, or goes on after it was put aside.
    fn starts(&mut self, _now: Now) {}
}
