//! The work of engines in a match: the jobs that are wanted, their answers, and the changes that
//! come with time.

use std::mem::take;

use crate::game::BySide;
use crate::play::{
    Advice, AfterEnd, EngineRole, Event, Fact, Fault, Game, Leaving, Match, Moment, Moved, Now, Seat,
};
use crate::record::NodeId;
use crate::session::{EarlyEnd, EngineAnswer, LossReason};
use crate::thinking::{EngineJob, HostId, News};

impl Match {
    /// Returns the facts that an activity may know about the match now.
    pub(super) fn moment(&self) -> Moment {
        Moment {
            now: self.now,
            rules: self.rules,
            is_thinking: self.is_thinking(),
            is_patient: self.thoughts.of_seats().any(|job| !job.is_due),
            has_failed: self.thoughts.failed_at.is_some(),
        }
    }

    /// Returns the jobs that are wanted now. A job that is still wanted keeps its number.
    #[must_use]
    pub fn jobs(&self) -> &[EngineJob] {
        &self.thoughts.jobs
    }

    /// Reports whether an engine thinks about its next move.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.thoughts.of_seats().next().is_some()
    }

    /// Reports whether an external engine is thinking: nothing makes it answer earlier.
    #[must_use]
    pub fn is_program_thinking(&self) -> bool {
        self.external_job().is_some()
    }

    /// Returns the job that an external engine works on.
    pub(crate) fn external_job(&self) -> Option<&EngineJob> {
        self.thoughts.of_seats().find(|job| job.engine.external().is_some())
    }

    /// Reports whether an engine works on advice.
    #[must_use]
    pub fn is_advising(&self) -> bool {
        self.game.core.study.asked.is_some_and(|(_, advice)| advice != Advice::Study)
    }

    /// Reports whether an adviser is free, and has not just evaluated the position that is shown.
    #[must_use]
    pub fn can_study(&self) -> bool {
        let study = &self.game.core.study;
        let shown = self.game.shown();
        let is_open =
            if self.game.is_analysis() { study.is_open(shown) } else { study.studied != Some(shown) };
        study.asked.is_none() && is_open
    }

    /// Reports whether nothing is pending: no move of an engine, no advice, no step of a replay.
    /// Then the next line may be read.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let is_owed = |job: &EngineJob| job.host != HostId::Study || self.game.advised().is_some();
        !self.jobs().iter().any(is_owed) && (!self.game.pace().pause.is_zero() || self.walk_due().is_none())
    }

    // ---- time ----

    /// Returns the time at which time alone changes something: then [`Match::tick`] is to be
    /// called.
    pub(crate) fn due(&self) -> Option<Now> {
        let Game { core, activity, .. } = &*self.game;
        let clocks = activity.clock_due(core, self.moment()).filter(|_| !self.has_left);
        self.walk_due().into_iter().chain(clocks).min()
    }

    /// Returns the time at which a replay or a match of engines takes its next step.
    fn walk_due(&self) -> Option<Now> {
        let Game { core, activity, .. } = &*self.game;
        activity.due(core, self.moment()).filter(|_| !self.has_left)
    }

    /// Does what the clocks ask for by now.
    pub(super) fn check_clocks(&mut self) {
        let moment = self.moment();
        if !self.has_left {
            let Game { core, activity, .. } = &mut *self.game;
            let facts = activity.check_clocks(core, moment);
            self.tell(facts);
        }
    }

    /// Returns the time of the last command or news.
    #[must_use]
    pub fn now(&self) -> Now {
        self.now
    }

    /// Reports whether the clock of the side to move runs.
    #[must_use]
    pub fn clocks_run(&self) -> bool {
        let Game { core, activity, .. } = &*self.game;
        activity.clocks().is_some() && core.has_clocks() && (self.is_thinking() || !self.game.is_match())
    }

    /// Returns the time that each side has left now; `None` where there are no clocks.
    #[must_use]
    pub fn clocks(&self, now: Now) -> Option<BySide<Now>> {
        let (core, position) = (&self.game.core, self.present_position());
        let mut left = core.clocks_at(core.line.present)?;
        if let Some(clocks) = self.game.activity.clocks().filter(|_| self.clocks_run()) {
            let side = position.to_move();
            left[side] = left[side].saturating_sub(now.saturating_sub(clocks.charged_since));
        }
        if let Some(EarlyEnd::Lost(side, LossReason::TimedOut)) = position.early() {
            left[side] = Now::ZERO;
        }
        Some(left)
    }

    /// Takes note of the time.
    pub fn tick(&mut self, now: Now) -> Vec<Event> {
        self.now = now;
        self.check_clocks();
        if self.walk_due().is_some_and(|due| due <= now) {
            let moment = self.moment();
            let Game { core, activity, .. } = &mut *self.game;
            let facts = activity.step(core, moment);
            self.tell(facts);
        }
        self.finish()
    }

    // ---- news ----

    /// Takes news of a job. News of jobs that are no longer wanted changes nothing.
    ///
    /// # Panics
    /// If an engine has panicked: with what it said.
    pub fn news(&mut self, news: News, now: Now) -> Vec<Event> {
        self.now = now;
        self.check_clocks();
        if self.leaves() {
            return self.finish(); // nobody plays any more
        }
        match news {
            News::Report(id, latest) => {
                let report = latest.take();
                if !self.events.is_empty() {
                    return self.finish(); // the clocks have changed the match; more reports will come
                }
                let job = self.jobs().iter().find(|job| job.id == id);
                let node = |job: &EngineJob| match job.host {
                    HostId::Seat(_) => Some(self.game.present()),
                    HostId::Study => self.game.advised(), // a quick review shows nothing
                };
                if let (Some((job, node)), Some(report)) =
                    (job.and_then(|job| Some((job, node(job)?))), report)
                {
                    let side = job.position.to_move();
                    if self.game.is_analysis() && self.game.knows_more(node, side, &report) {
                        return take(&mut self.events);
                    }
                    self.game.core.line.tree.node_mut(node).known = Some((side, report));
                    self.events.push(Event::Reported(node));
                }
                return take(&mut self.events); // the jobs stay as they are
            }
            News::Done(id, thought) => {
                let Some(job) = self.thoughts.take(id) else { return self.finish() };
                let facts = self.done(&job, *thought);
                self.tell(facts);
            }
            News::Failed(id, why) => {
                let Some(job) = self.thoughts.take(id) else { return self.finish() };
                self.note_failure(job.host, why.to_string());
            }
            News::Panicked(payload) => std::panic::resume_unwind(payload),
        }
        self.finish()
    }

    /// Takes the answer of a finished job.
    fn done(&mut self, job: &EngineJob, thought: EngineAnswer) -> Vec<Fact> {
        let moment = self.moment();
        let (host, limits) = (job.host, job.limits);
        let Game { core, activity, .. } = &mut *self.game;
        match (host, core.study.asked.take_if(|_| host == HostId::Study)) {
            (HostId::Study, Some((node, advice))) => core.note_advice(node, advice, limits, thought),
            (HostId::Study, None) => self.game.judge(thought),
            (HostId::Seat(_), _) => activity.answered(&thought, core, moment),
        }
    }

    fn note_failure(&mut self, host: HostId, why: String) {
        // In lines nobody could put another engine in its place.
        let ends = !self.game.has_human() && self.rules.after_end != AfterEnd::Stay;
        let role = match host {
            HostId::Study => EngineRole::Adviser,
            HostId::Seat(_) if self.game.has_human() => EngineRole::Opponent,
            HostId::Seat(_) if ends => EngineRole::OneOfTwoAtTheEnd,
            HostId::Seat(_) => EngineRole::OneOfTwo,
        };
        if role == EngineRole::Adviser {
            let is_asked = self.game.advised().is_some();
            (self.game.core.study.asked, self.game.core.study.check) = (None, None);
            let facts = self.game.stop_review();
            if !is_asked {
                return; // no message waits for the quick review
            }
            self.tell(facts);
        } else {
            self.thoughts.failed_at = Some(self.game.present());
        }
        self.events.push(Event::Fault(Fault::Engine { why: why.clone(), role }));
        if ends {
            self.leave(Leaving::Failed(why));
        }
    }

    /// Asks the engine that is thinking to answer with its best move so far; an adviser comes
    /// before one that plays.
    pub(super) fn move_now(&mut self) -> Vec<Fact> {
        let waits_for_advice = self.game.core.study.asked.is_some();
        let is_idle = !waits_for_advice && !self.is_thinking();
        let facts = if is_idle { self.game.stop_review() } else { Vec::new() };
        self.thoughts.hurry(|host| (host == HostId::Study) == waits_for_advice);
        facts
    }

    /// Makes a match of engines or a replay wait while the player reads.
    pub(super) fn wait_for_the_reader(&mut self) {
        let stops = self.rules.after_end == AfterEnd::Stay;
        if let Some(playback) = self.game.activity.playback_mut() {
            playback.is_running &= !stops;
            playback.since = self.now;
        }
    }

    // ---- after everything ----

    /// Reports whether the latest events end the match.
    pub(super) fn leaves(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Left(_)))
    }

    /// Completes every change of the match: the messages, and the jobs that are wanted from now on.
    pub(super) fn finish(&mut self) -> Vec<Event> {
        let is_told = |event: &Event| {
            use Event::{Ended, Fault, FellBack, Moved, Refused, Replied, Shown, Started};
            matches!(
                event,
                Started | Moved(_) | Ended(_) | Replied(_) | Refused(_) | Fault(_) | FellBack(_) | Shown(_)
            )
        };
        let events = take(&mut self.events);
        if events.iter().any(|event| matches!(event, Event::Started)) {
            self.game.core.study.studied = None;
        }
        if events.iter().any(is_told) {
            // Before an engine's first move there was no time to read what began the game.
            let is_first = self.said.iter().any(|event| matches!(event, Event::Started));
            let by_engine = |event: &Event| matches!(event, Event::Moved(moved) if self.is_by_engine(moved));
            let is_kept = is_first && events.iter().any(by_engine);
            self.said.retain(|event| is_kept && matches!(event, Event::FellBack(_)));
            self.said.extend_from_slice(&events);
            if let Some(playback) = self.game.activity.playback_mut() {
                playback.since = self.now;
            }
        }
        self.has_left |= events.iter().any(|event| matches!(event, Event::Left(_)));
        if self.game.outcome().is_none()
            && let Some(place) = self.game.counted.take()
        {
            self.tally.uncount(place); // a result that was undone does not count
        }
        let (shown, is_over) = (self.game.shown(), self.shown().outcome().is_some());
        let is_wanted = |node: NodeId| node == shown && !is_over && !self.has_left;
        let study = &mut self.game.core.study;
        study.asked = study.asked.filter(|&(node, _)| is_wanted(node));
        let present = self.game.present();
        self.thoughts.failed_at = self.thoughts.failed_at.filter(|&node| node == present);
        self.refresh_jobs();
        events
    }

    /// Reports whether an engine has the seat of the side that moved.
    fn is_by_engine(&self, moved: &Moved) -> bool {
        let side = self.game.position(moved.node).to_move().other();
        matches!(self.game.seat(side), Some(Seat::Engine(_)))
    }

    /// Updates the jobs that are wanted; a job that has not changed keeps its number.
    fn refresh_jobs(&mut self) {
        let (moment, old) = (self.moment(), take(&mut self.thoughts.jobs));
        if self.has_left {
            return;
        }
        let Game { core, activity, .. } = &mut *self.game;
        let of_seat = activity.job(core, moment, &old);
        let wanted = of_seat.into_iter().chain(self.game.study_job(moment));
        let wanted: Vec<EngineJob> = wanted.collect();
        let Game { core, activity, .. } = &mut *self.game;
        self.thoughts.want(&old, wanted, |job| activity.begins(job, core, moment.now));
    }
}
