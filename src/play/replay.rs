//! A replay: the moves of a file are shown, and nobody plays.

use crate::play::{Acted, Activity, Answer, Command, Core, Fact, MatchRefusal, Moment, Moved, Now, Playback};

/// File that is replayed.
#[derive(Debug)]
pub(super) struct Replay {
    playback: Playback,
}

impl Replay {
    pub(super) fn new(playback: Playback) -> Self {
        Replay { playback }
    }

    /// Takes note that the file has been shown to its end. If it cannot be followed the next step
    /// says so.
    fn end(core: &mut Core) -> Vec<Fact> {
        let (is_over, is_stuck) = (core.line.outcome().is_some(), core.source.stuck.is_some());
        if !core.line.has_ended && (is_over || !is_stuck) {
            core.line.has_ended = true;
            let ended = is_over.then(|| Fact::FileEnded(core.line.present_position().clone()));
            return ended.into_iter().chain((!is_stuck).then_some(Fact::Done)).collect();
        }
        core.source.stuck.take().map(Fact::CannotFollow).into_iter().collect()
    }
}

impl Activity for Replay {
    fn act(&mut self, command: Command, core: &mut Core, _moment: Moment) -> Acted {
        let shown = core.line.shown;
        match command {
            // Both sides are free until an engine is asked for.
            Command::PlayHere => {
                let goes_on = Answer::GoesOn { redoable: core.open_here()?, is_free: true };
                Ok(vec![Fact::Replied("play", shown, goes_on), Fact::TakesOver(None)])
            }
            Command::Promote => {
                let end = core.promote()?;
                core.line.set_present(end);
                core.source.stuck = None;
                Ok(vec![Fact::Replied("promote", shown, Answer::Promoted), Fact::Shown(shown)])
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

    fn due(&self, core: &Core, _moment: Moment) -> Option<Now> {
        let is_untold = if self.playback.pause.is_zero() {
            !core.line.has_ended // its end is still to be told
        } else {
            core.line.shown != core.line.end()
        };
        let goes_on = is_untold || core.source.stuck.is_some();
        (self.playback.is_running && goes_on).then(|| self.playback.due())
    }

    fn step(&mut self, core: &mut Core, _moment: Moment) -> Vec<Fact> {
        let here = core.line.shown;
        let mut facts = core.take_dropped(|dropped| dropped.at == here);
        let next = core.line.next();
        if let Some(node) = next {
            core.line.shown = node;
            let position = core.line.shown_position();
            let goes_on = position.outcome().is_none() || position.early().is_some();
            let repetition = Some(position.repetition()).filter(|_| goes_on);
            facts.push(Fact::Moved(Moved { node, came_back: false, proof: None, repetition }));
        }
        let is_at_end = core.line.shown == core.line.end();
        if !self.playback.pause.is_zero() && core.source.stuck.is_none() {
            self.playback.is_running &= !is_at_end;
        } else if next.is_none() && is_at_end {
            facts.extend(Replay::end(core));
        }
        facts
    }

    fn starts(&mut self, now: Now) {
        self.playback.since = now;
    }
}
