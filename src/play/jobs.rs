//! Engine work in a match: the wanted jobs, their answers, clocks and playback.

use std::mem::take;

use crate::game::BySide;
use crate::play::{
    ActivityContext, AdviceKind, AfterGameEnd, AppliedMove, EngineRole, LeaveReason, LiveGame, Match,
    MatchEvent, MatchFact, MatchFault, MatchTime, PlayerSeat,
};
use crate::record::NodeId;
use crate::session::{EarlyEnd, EngineAnswer, LossReason};
use crate::thinking::{EngineEvent, EngineJob, EngineThreadId};

impl Match {
    /// Returns the state of the match that activities can read.
    pub(super) fn activity_context(&self) -> ActivityContext {
        ActivityContext {
            now: self.now,
            rules: self.rules,
            is_thinking: self.is_thinking(),
            is_patient: self.job_queue.player_jobs().any(|job| !job.is_due),
            has_failed: self.job_queue.failed_at.is_some(),
        }
    }

    /// Returns the engine jobs wanted now. An unchanged job keeps its ID.
    #[must_use]
    pub fn engine_jobs(&self) -> &[EngineJob] {
        &self.job_queue.jobs
    }

    /// Reports whether an engine is searching for its next move.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.job_queue.player_jobs().next().is_some()
    }

    /// Reports whether an external engine, which cannot be interrupted, is searching for its move.
    #[must_use]
    pub fn is_external_engine_thinking(&self) -> bool {
        self.external_engine_job().is_some()
    }

    /// Returns the job of the external engine that is searching for its move.
    pub(crate) fn external_engine_job(&self) -> Option<&EngineJob> {
        self.job_queue.player_jobs().find(|job| job.engine.external_program().is_some())
    }

    /// Reports whether the adviser is working on a hint or an evaluation.
    #[must_use]
    pub fn is_advising(&self) -> bool {
        self.game.core.study.pending_advice.is_some_and(|(_, advice)| advice != AdviceKind::Study)
    }

    /// Reports whether the adviser is free and can still improve the evaluation of the shown position.
    #[must_use]
    pub fn can_request_study(&self) -> bool {
        let study = &self.game.core.study;
        let shown = self.game.shown_node();
        let is_open = if self.game.is_analysis() {
            study.needs_search(shown)
        } else {
            study.last_studied != Some(shown)
        };
        study.pending_advice.is_none() && is_open
    }

    /// Reports whether the next input line may be read: no engine move, advice or replay step is
    /// pending.
    #[must_use]
    pub fn is_ready_for_input(&self) -> bool {
        let is_owed =
            |job: &EngineJob| job.host != EngineThreadId::Study || self.game.next_advice_node().is_some();
        !self.engine_jobs().iter().any(is_owed)
            && (!self.game.playback_state().pause.is_zero() || self.next_playback_step_time().is_none())
    }

    // ---- time ----

    /// Returns the time at which [`Match::tick`] must be called; `None` if nothing is scheduled.
    pub(crate) fn next_deadline(&self) -> Option<MatchTime> {
        let LiveGame { core, activity, .. } = &*self.game;
        let clocks = activity.next_clock_deadline(core, self.activity_context()).filter(|_| !self.has_left);
        self.next_playback_step_time().into_iter().chain(clocks).min()
    }

    /// Returns the time of the next step of a replay or a match between engines.
    fn next_playback_step_time(&self) -> Option<MatchTime> {
        let LiveGame { core, activity, .. } = &*self.game;
        activity.next_step_time(core, self.activity_context()).filter(|_| !self.has_left)
    }

    /// Handles clocks that have run out, and engines that have used up their time budget.
    pub(super) fn check_clocks(&mut self) {
        let context = self.activity_context();
        if !self.has_left {
            let LiveGame { core, activity, .. } = &mut *self.game;
            let facts = activity.check_clocks(core, context);
            self.emit_facts(facts);
        }
    }

    /// Returns the time of the last update: a command, engine news or a tick.
    #[must_use]
    pub fn last_update_time(&self) -> MatchTime {
        self.now
    }

    /// Reports whether the clock of the side to move is running.
    #[must_use]
    pub fn is_clock_running(&self) -> bool {
        let LiveGame { core, activity, .. } = &*self.game;
        activity.clocks().is_some()
            && core.has_running_clocks()
            && (self.is_thinking() || !self.game.is_engine_match())
    }

    /// Returns the time left of each side at `now`; `None` without clocks.
    #[must_use]
    pub fn remaining_times(&self, now: MatchTime) -> Option<BySide<MatchTime>> {
        let (core, position) = (&self.game.core, self.present_position());
        let mut left = core.time_left_at(core.line.present)?;
        if let Some(clocks) = self.game.activity.clocks().filter(|_| self.is_clock_running()) {
            let side = position.to_move();
            left[side] = left[side].saturating_sub(now.saturating_sub(clocks.charged_since));
        }
        if let Some(EarlyEnd::Lost(side, LossReason::TimedOut)) = position.early_end() {
            left[side] = MatchTime::ZERO;
        }
        Some(left)
    }

    /// Advances the match to the time `now`: checks the clocks and takes a due playback step.
    pub fn tick(&mut self, now: MatchTime) -> Vec<MatchEvent> {
        self.now = now;
        self.check_clocks();
        if self.next_playback_step_time().is_some_and(|due| due <= now) {
            let context = self.activity_context();
            let LiveGame { core, activity, .. } = &mut *self.game;
            let facts = activity.advance_playback(core, context);
            self.emit_facts(facts);
        }
        self.finish_update()
    }

    // ---- news ----

    /// Handles news of an engine job: a report, an answer or a failure. News of obsolete jobs is
    /// ignored.
    ///
    /// # Panics
    /// Resumes the panic of an engine that has panicked.
    pub fn handle_engine_news(&mut self, news: EngineEvent, now: MatchTime) -> Vec<MatchEvent> {
        self.now = now;
        self.check_clocks();
        if self.has_leave_event() {
            return self.finish_update(); // the clocks have ended the match
        }
        match news {
            EngineEvent::Report(id, latest) => {
                let report = latest.take();
                if !self.events.is_empty() {
                    return self.finish_update(); // the clocks have changed the match
                }
                let job = self.engine_jobs().iter().find(|job| job.id == id);
                let node = |job: &EngineJob| match job.host {
                    EngineThreadId::Seat(_) => Some(self.game.present_node()),
                    EngineThreadId::Study => self.game.next_advice_node(), // a quick review shows no reports
                };
                if let (Some((job, node)), Some(report)) =
                    (job.and_then(|job| Some((job, node(job)?))), report)
                {
                    let side = job.position.to_move();
                    if self.game.is_analysis() && self.game.has_better_evaluation(node, side, &report) {
                        return take(&mut self.events);
                    }
                    self.game.core.line.tree.node_mut(node).known = Some((side, report));
                    self.events.push(MatchEvent::Reported(node));
                }
                return take(&mut self.events); // the jobs stay as they are
            }
            EngineEvent::Done(id, thought) => {
                let Some(job) = self.job_queue.take_finished(id) else { return self.finish_update() };
                let facts = self.apply_engine_answer(&job, *thought);
                self.emit_facts(facts);
            }
            EngineEvent::Failed(id, why) => {
                let Some(job) = self.job_queue.take_finished(id) else { return self.finish_update() };
                self.record_engine_failure(job.host, why.to_string());
            }
            EngineEvent::Panicked(payload) => std::panic::resume_unwind(payload),
        }
        self.finish_update()
    }

    /// Applies the answer of a finished job.
    fn apply_engine_answer(&mut self, job: &EngineJob, thought: EngineAnswer) -> Vec<MatchFact> {
        let context = self.activity_context();
        let (host, limits) = (job.host, job.limits);
        let LiveGame { core, activity, .. } = &mut *self.game;
        match (host, core.study.pending_advice.take_if(|_| host == EngineThreadId::Study)) {
            (EngineThreadId::Study, Some((node, advice))) => {
                core.record_advice(node, advice, limits, thought)
            }
            (EngineThreadId::Study, None) => self.game.apply_review_answer(thought),
            (EngineThreadId::Seat(_), _) => activity.on_engine_answer(&thought, core, context),
        }
    }

    fn record_engine_failure(&mut self, host: EngineThreadId, why: String) {
        // In line mode nobody can replace the failed engine.
        let ends = !self.game.has_human() && self.rules.after_end != AfterGameEnd::Stay;
        let role = match host {
            EngineThreadId::Study => EngineRole::Adviser,
            EngineThreadId::Seat(_) if self.game.has_human() => EngineRole::Opponent,
            EngineThreadId::Seat(_) if ends => EngineRole::MatchEngineAtEnd,
            EngineThreadId::Seat(_) => EngineRole::MatchEngine,
        };
        if role == EngineRole::Adviser {
            let is_asked = self.game.next_advice_node().is_some();
            (self.game.core.study.pending_advice, self.game.core.study.check) = (None, None);
            let facts = self.game.stop_review();
            if !is_asked {
                return; // failures of the quick review are not reported
            }
            self.emit_facts(facts);
        } else {
            self.job_queue.failed_at = Some(self.game.present_node());
        }
        self.events.push(MatchEvent::Fault(MatchFault::Engine { why: why.clone(), role }));
        if ends {
            self.leave_match(LeaveReason::Failed(why));
        }
    }

    /// Asks the searching engine to answer with its best move so far; the adviser takes precedence.
    pub(super) fn request_move_now(&mut self) -> Vec<MatchFact> {
        let waits_for_advice = self.game.core.study.pending_advice.is_some();
        let is_idle = !waits_for_advice && !self.is_thinking();
        let facts = if is_idle { self.game.stop_review() } else { Vec::new() };
        self.job_queue.request_answers(|host| (host == EngineThreadId::Study) == waits_for_advice);
        facts
    }

    /// Stops or delays the playback while the player reads a text.
    pub(super) fn pause_for_reading(&mut self) {
        let stops = self.rules.after_end == AfterGameEnd::Stay;
        if let Some(playback) = self.game.activity.playback_mut() {
            playback.is_running &= !stops;
            playback.since = self.now;
        }
    }

    // ---- completion of updates ----

    /// Reports whether the pending events end the match.
    pub(super) fn has_leave_event(&self) -> bool {
        self.events.iter().any(|event| matches!(event, MatchEvent::Left(_)))
    }

    /// Completes an update of the match: updates the wanted jobs and returns the events.
    pub(super) fn finish_update(&mut self) -> Vec<MatchEvent> {
        let is_told = |event: &MatchEvent| {
            use MatchEvent::{Ended, Fault, FellBack, Moved, Refused, Replied, Shown, Started};
            matches!(
                event,
                Started | Moved(_) | Ended(_) | Replied(_) | Refused(_) | Fault(_) | FellBack(_) | Shown(_)
            )
        };
        let events = take(&mut self.events);
        if events.iter().any(|event| matches!(event, MatchEvent::Started)) {
            self.game.core.study.last_studied = None;
        }
        if events.iter().any(is_told) {
            // A fallback stays visible after an engine's first move: it was shown only briefly.
            let is_first = self.reported_events.iter().any(|event| matches!(event, MatchEvent::Started));
            let by_engine =
                |event: &MatchEvent| matches!(event, MatchEvent::Moved(moved) if self.is_engine_move(moved));
            let is_kept = is_first && events.iter().any(by_engine);
            self.reported_events.retain(|event| is_kept && matches!(event, MatchEvent::FellBack(_)));
            self.reported_events.extend_from_slice(&events);
            if let Some(playback) = self.game.activity.playback_mut() {
                playback.since = self.now;
            }
        }
        self.has_left |= events.iter().any(|event| matches!(event, MatchEvent::Left(_)));
        if self.game.outcome().is_none()
            && let Some(place) = self.game.counted.take()
        {
            self.tally.remove_result(place); // the result was undone
        }
        let (shown, is_over) = (self.game.shown_node(), self.shown_position().outcome().is_some());
        let is_wanted = |node: NodeId| node == shown && !is_over && !self.has_left;
        let study = &mut self.game.core.study;
        study.pending_advice = study.pending_advice.filter(|&(node, _)| is_wanted(node));
        let present = self.game.present_node();
        self.job_queue.failed_at = self.job_queue.failed_at.filter(|&node| node == present);
        self.update_engine_jobs();
        events
    }

    /// Reports whether an engine plays the side that made this move.
    fn is_engine_move(&self, moved: &AppliedMove) -> bool {
        let side = self.game.position(moved.node).to_move().other();
        matches!(self.game.seat(side), Some(PlayerSeat::Engine(_)))
    }

    /// Updates the wanted jobs; an unchanged job keeps its ID.
    fn update_engine_jobs(&mut self) {
        let (context, old) = (self.activity_context(), take(&mut self.job_queue.jobs));
        if self.has_left {
            return;
        }
        let LiveGame { core, activity, .. } = &mut *self.game;
        let of_seat = activity.engine_job(core, context, &old);
        let wanted = of_seat.into_iter().chain(self.game.adviser_job(context));
        let wanted: Vec<EngineJob> = wanted.collect();
        let LiveGame { core, activity, .. } = &mut *self.game;
        self.job_queue.set_wanted_jobs(&old, wanted, |job| activity.on_job_started(job, core, context.now));
    }
}
