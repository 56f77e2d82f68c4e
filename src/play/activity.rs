//! Activities: playing, replaying, analysing and training.
//!
//! Each activity is a type that executes its own commands and reports which parts of a match it has
//! (players, clocks, playback). A new activity is a new type. No other module tests which activity
//! is running.

use std::fmt::Debug;

use crate::play::{
    ActivityResult, Command, GameClocks, LiveGameState, MatchFact, MatchRules, MatchTime, Playback, Players,
    PracticeItem, ReviewEvaluation,
};
use crate::record::{EditHistory, NodeId};
use crate::session::EngineAnswer;
use crate::thinking::EngineJob;

/// State of the match that an activity can read.
#[derive(Clone, Copy, Debug)]
pub struct ActivityContext {
    /// Current time of the match.
    pub now: MatchTime,
    /// Rules of the match.
    pub rules: MatchRules,
    /// `true` if an engine is searching for its next move.
    pub is_thinking: bool,
    /// `true` if the searching engine has not been asked to answer at once.
    pub is_patient: bool,
    /// `true` if an engine failed in the present position.
    pub has_failed: bool,
}

/// Activity on a game: playing, replaying, analysing or training.
pub trait GameActivity: Debug {
    /// Executes a command whose effect depends on the activity.
    ///
    /// # Errors
    /// Returns the reason for a refusal; a refused command changes nothing.
    fn execute_command(
        &mut self,
        command: Command,
        core: &mut LiveGameState,
        context: ActivityContext,
    ) -> ActivityResult;

    /// Returns the players; `None` if nobody plays.
    fn players(&self) -> Option<&Players> {
        None
    }

    /// Returns the clocks; `None` if time is not measured.
    fn clocks(&self) -> Option<&GameClocks> {
        None
    }

    /// Returns the playback; `None` if the activity has none.
    fn playback(&self) -> Option<&Playback> {
        None
    }

    /// Returns a mutable reference to the playback; `None` if the activity has none.
    fn playback_mut(&mut self) -> Option<&mut Playback> {
        None
    }

    /// Reports whether the activity replays a move file.
    fn is_replay(&self) -> bool {
        false
    }

    /// Reports whether the activity is an analysis board.
    fn is_analysis(&self) -> bool {
        false
    }

    /// Returns the undo history of an analysis; `None` for other activities.
    fn edit_history(&self) -> Option<&EditHistory> {
        None
    }

    /// Returns the mistake under practice; `None` for other activities than training.
    fn practice_item(&self) -> Option<&PracticeItem> {
        None
    }

    /// Handles an adviser's evaluation of a move that the player tried in training.
    fn on_try_evaluated(
        &mut self,
        _node: NodeId,
        _judged: ReviewEvaluation,
        _core: &mut LiveGameState,
    ) -> Vec<MatchFact> {
        Vec::new()
    }

    /// Returns the time of the next playback step; `None` if no step is due.
    fn next_step_time(&self, _core: &LiveGameState, _context: ActivityContext) -> Option<MatchTime> {
        None
    }

    /// Returns the time at which a clock next requires action; `None` if no clock runs.
    fn next_clock_deadline(&self, _core: &LiveGameState, _context: ActivityContext) -> Option<MatchTime> {
        None
    }

    /// Takes the next step of the playback.
    fn advance_playback(&mut self, _core: &mut LiveGameState, _context: ActivityContext) -> Vec<MatchFact> {
        Vec::new()
    }

    /// Handles clocks that have run out, and engines that have used up their time budget.
    fn check_clocks(&mut self, _core: &mut LiveGameState, _context: ActivityContext) -> Vec<MatchFact> {
        Vec::new()
    }

    /// Returns the job that an engine should work on now; `running` holds the current jobs.
    fn engine_job(
        &self,
        _core: &LiveGameState,
        _context: ActivityContext,
        _running: &[EngineJob],
    ) -> Option<EngineJob> {
        None
    }

    /// Handles the start of an engine job.
    fn on_job_started(&mut self, _job: &EngineJob, _core: &LiveGameState, _now: MatchTime) {}

    /// Handles the answer of an engine that has finished its job.
    fn on_engine_answer(
        &mut self,
        _thought: &EngineAnswer,
        _core: &mut LiveGameState,
        _context: ActivityContext,
    ) -> Vec<MatchFact> {
        Vec::new()
    }

    /// Handles the start of the game, or the return to it from another game.
    fn on_game_started(&mut self, _now: MatchTime) {}
}
