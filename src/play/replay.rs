//! A replay: the moves of a file are shown, and nobody plays.

use crate::play::{
    ActivityContext, ActivityResult, AppliedMove, Command, CommandAnswer, GameActivity, LiveGameState,
    MatchFact, MatchRefusal, MatchTime, Playback,
};

/// Activity of replaying a file.
#[derive(Debug)]
pub(super) struct ReplayActivity {
    playback: Playback,
}

impl ReplayActivity {
    pub(super) fn new(playback: Playback) -> Self {
        ReplayActivity { playback }
    }

    /// Returns the facts for the end of the replay: the result, then the reason if the file cannot be
    /// replayed further.
    fn announce_end(core: &mut LiveGameState) -> Vec<MatchFact> {
        let (is_over, is_stuck) = (core.line.outcome().is_some(), core.source.stuck.is_some());
        if !core.line.has_ended && (is_over || !is_stuck) {
            core.line.has_ended = true;
            let ended = is_over.then(|| MatchFact::FileEnded(core.line.present_position().clone()));
            return ended.into_iter().chain((!is_stuck).then_some(MatchFact::Done)).collect();
        }
        core.source.stuck.take().map(MatchFact::CannotFollow).into_iter().collect()
    }
}

impl GameActivity for ReplayActivity {
    fn execute_command(
        &mut self,
        command: Command,
        core: &mut LiveGameState,
        _context: ActivityContext,
    ) -> ActivityResult {
        let shown = core.line.shown;
        match command {
            // The person moves for both sides until the side command seats an engine.
            Command::PlayHere => {
                let goes_on =
                    CommandAnswer::PlayContinues { redoable: core.reopen_at_shown()?, is_free: true };
                Ok(vec![MatchFact::Replied("play", shown, goes_on), MatchFact::TakesOver(None)])
            }
            Command::Promote => {
                let end = core.promote_shown_line()?;
                core.line.set_present(end);
                core.source.stuck = None;
                Ok(vec![
                    MatchFact::Replied("promote", shown, CommandAnswer::Promoted),
                    MatchFact::Shown(shown),
                ])
            }
            Command::Level(level) => core.set_level(level),
            Command::Redo(_) => Err(MatchRefusal::NothingToRedo),
            Command::Edit(_) => Err(MatchRefusal::NoAnalysis),
            _ => Err(MatchRefusal::OnlyShown { is_over: core.line.outcome().is_some() }),
        }
    }

    fn playback(&self) -> Option<&Playback> {
        Some(&self.playback)
    }

    fn playback_mut(&mut self) -> Option<&mut Playback> {
        Some(&mut self.playback)
    }

    fn is_replay(&self) -> bool {
        true
    }

    fn next_step_time(&self, core: &LiveGameState, _context: ActivityContext) -> Option<MatchTime> {
        let is_untold = if self.playback.pause.is_zero() {
            !core.line.has_ended // the end is not yet announced
        } else {
            core.line.shown != core.line.shown_line_end()
        };
        let goes_on = is_untold || core.source.stuck.is_some();
        (self.playback.is_running && goes_on).then(|| self.playback.next_step_time())
    }

    fn advance_playback(&mut self, core: &mut LiveGameState, _context: ActivityContext) -> Vec<MatchFact> {
        let here = core.line.shown;
        let mut facts = core.take_dropped_notes(|dropped| dropped.at == here);
        let next = core.line.next_node();
        if let Some(node) = next {
            core.line.shown = node;
            let position = core.line.shown_position();
            let goes_on = position.outcome().is_none() || position.early_end().is_some();
            let repetition = Some(position.repetition_count()).filter(|_| goes_on);
            facts.push(MatchFact::Moved(AppliedMove { node, came_back: false, proof: None, repetition }));
        }
        let is_at_end = core.line.shown == core.line.shown_line_end();
        if !self.playback.pause.is_zero() && core.source.stuck.is_none() {
            self.playback.is_running &= !is_at_end;
        } else if next.is_none() && is_at_end {
            facts.extend(ReplayActivity::announce_end(core));
        }
        facts
    }

    fn on_game_started(&mut self, now: MatchTime) {
        self.playback.since = now;
    }
}
