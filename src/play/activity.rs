//! Activities: the kinds of things that can be done with a game. Each kind is a type that takes the
//! commands that not all kinds share, and says which parts of a match it has. A new kind is a new
//! type here, and no condition elsewhere.

use std::fmt::Debug;

use crate::play::{Acted, Clocks, Command, Core, Fact, Judged, Now, Playback, Players, Practice, Rules};
use crate::record::{EditHistory, NodeId};
use crate::session::EngineAnswer;
use crate::thinking::EngineJob;

/// Facts that an activity may know about the match around it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The time.
    pub now: Now,
    /// Rules that hold for all games of the match.
    pub rules: Rules,
    /// `true` if an engine thinks about its next move.
    pub is_thinking: bool,
    /// `true` if that engine may take its time.
    pub is_patient: bool,
    /// `true` if an engine has failed in the present position.
    pub has_failed: bool,
}

/// One kind of thing that can be done with a game.
pub trait Activity: Debug {
    /// Does what a command asks for, of those that not all activities share.
    ///
    /// # Errors
    /// Says why it makes no sense here; then nothing is changed.
    fn act(&mut self, command: Command, core: &mut Core, moment: Moment) -> Acted;

    /// Returns the players, if anybody plays.
    fn players(&self) -> Option<&Players> {
        None
    }

    /// Returns the clocks, where time is measured.
    fn clocks(&self) -> Option<&Clocks> {
        None
    }

    /// Returns the state of the playback, if the activity continues by itself.
    fn playback(&self) -> Option<&Playback> {
        None
    }

    /// Returns the state of the playback, to be changed.
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

    /// Returns the edits that can be undone and redone, where a tree is edited.
    fn edits(&self) -> Option<&EditHistory> {
        None
    }

    /// Returns the mistake that is shown, where your own are practised.
    fn practice(&self) -> Option<&Practice> {
        None
    }

    /// Takes note that an adviser has evaluated the position that was to be checked.
    fn checked(&mut self, _node: NodeId, _judged: Judged, _core: &mut Core) -> Vec<Fact> {
        Vec::new()
    }

    /// Returns the time at which time alone changes something, if the activity continues by itself.
    fn due(&self, _core: &Core, _moment: Moment) -> Option<Now> {
        None
    }

    /// Returns the time at which the clocks alone change something.
    fn clock_due(&self, _core: &Core, _moment: Moment) -> Option<Now> {
        None
    }

    /// Takes the next step of an activity that continues by itself.
    fn step(&mut self, _core: &mut Core, _moment: Moment) -> Vec<Fact> {
        Vec::new()
    }

    /// Does what the clocks ask for by now.
    fn check_clocks(&mut self, _core: &mut Core, _moment: Moment) -> Vec<Fact> {
        Vec::new()
    }

    /// Returns the job that an engine should work on now, given those that are `running`.
    fn job(&self, _core: &Core, _moment: Moment, _running: &[EngineJob]) -> Option<EngineJob> {
        None
    }

    /// Takes note that an engine begins a job.
    fn begins(&mut self, _job: &EngineJob, _core: &Core, _now: Now) {}

    /// Takes note that an engine has finished a job.
    fn answered(&mut self, _thought: &EngineAnswer, _core: &mut Core, _moment: Moment) -> Vec<Fact> {
        Vec::new()
    }

    /// Takes note that the game begins, or continues after it was put aside.
    fn starts(&mut self, _now: Now) {}
}
