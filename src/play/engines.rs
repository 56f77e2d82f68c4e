//! What is thought about now, and what becomes of the answers.

use std::mem::take;
use std::sync::Arc;

use crate::ai::{EngineConfig, Limits, Proof, Resources, Score};
use crate::play::{Advice, Answer, EngineRole, Event, Fault, Leaving, Match, Moved, Now, ProofNews, Seat};
use crate::random::ADVICE;
use crate::record::{By, NodeId};
use crate::session::{Answer as EngineAnswer, CLAIMABLE, DRAW, Purpose, RESIGN, Report};
use crate::thinking::{EnginePlayer, EngineSeat, HostId, Job, JobId, News};

/// How many moves an adviser compares.
const COMPARED: usize = 5;
/// The seed of every review.
const REVIEW_SEED: u64 = 1;

/// Whether the engine that has thought is content with a draw.
fn is_content(report: &Report) -> bool {
    report.score.is_some_and(|score| score <= Score(0))
}

impl Match {
    /// What should be thought about now. A job that is wanted on keeps its number.
    #[must_use]
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// When time alone changes something: then [`Match::tick`] is to be called.
    pub(crate) fn due(&self) -> Option<Now> {
        self.walk_due().into_iter().chain(self.clock_due()).min()
    }

    /// When a replay or a match of engines takes its next step.
    pub(super) fn walk_due(&self) -> Option<Now> {
        let (game, pace) = (&*self.game, self.game.pace);
        let goes_on = if game.is_match() {
            !self.is_thinking() && self.failed_at.is_none()
        } else if game.is_record() && pace.pause.is_zero() {
            !game.has_ended || game.stuck.is_some() // its end is still to be told
        } else {
            game.is_gone_through() && (game.shown != game.line_end() || game.stuck.is_some())
        };
        (pace.is_running && goes_on && !self.has_left).then(|| pace.since.saturating_add(pace.pause))
    }

    /// Time has gone by.
    pub fn tick(&mut self, now: Now) -> Vec<Event> {
        self.now = now;
        self.heed_clocks();
        if self.walk_due().is_some_and(|due| due <= now) && !self.game.is_match() {
            self.walk_on();
        }
        self.finish()
    }

    /// News of a job. Those of jobs that nobody wants any more change nothing.
    ///
    /// # Panics
    /// If an engine has panicked: with what it said.
    pub fn news(&mut self, news: News, now: Now) -> Vec<Event> {
        self.now = now;
        self.heed_clocks();
        if self.leaves() {
            return self.finish(); // nobody plays any more
        }
        match news {
            News::Report(id, latest) => {
                let report = latest.take();
                if !self.events.is_empty() {
                    return self.finish(); // the clocks have changed the match; more reports will come
                }
                let job = self.jobs.iter().find(|job| job.id == id);
                if let (Some(job), Some(report)) = (job, report) {
                    let (side, host) = (job.position.to_move(), job.host);
                    let node = match host {
                        HostId::Seat(_) => self.game.present,
                        HostId::Study => self.advised().unwrap_or(self.game.present),
                    };
                    self.game.tree.node_mut(node).known = Some((side, report));
                    self.events.push(Event::Reported(node));
                }
                return take(&mut self.events); // what is thought about stays as it is
            }
            News::Done(id, thought) => {
                let Some(job) = self.take_job(id) else { return self.finish() };
                match (job.host, self.study.take_if(|_| job.host == HostId::Study)) {
                    (_, Some((node, advice))) => self.note_advice(node, advice, *thought),
                    (HostId::Study, None) => self.judge(*thought),
                    (HostId::Seat(_), None) => self.engine_moves(&thought),
                }
            }
            News::Failed(id, why) => {
                let Some(job) = self.take_job(id) else { return self.finish() };
                // In lines nobody could put another engine in its place.
                let ends = !self.game.has_human() && self.rules.after_end != super::AfterEnd::Stay;
                let role = match job.host {
                    HostId::Study => EngineRole::Adviser,
                    HostId::Seat(_) if self.game.has_human() => EngineRole::Opponent,
                    HostId::Seat(_) if ends => EngineRole::OneOfTwoAtTheEnd,
                    HostId::Seat(_) => EngineRole::OneOfTwo,
                };
                if role == EngineRole::Adviser {
                    self.study = None;
                    self.stop_review();
                } else {
                    self.failed_at = Some(self.game.present);
                }
                self.events.push(Event::Fault(Fault::Engine { why: why.to_string(), role }));
                if ends {
                    self.leave(Leaving::Failed(why.to_string()));
                }
            }
            News::Panicked(payload) => std::panic::resume_unwind(payload),
        }
        self.finish()
    }

    /// Whether what has happened just now ends the match.
    pub(super) fn leaves(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Left(_)))
    }

    fn take_job(&mut self, id: JobId) -> Option<Job> {
        self.jobs.extract_if(.., |job| job.id == id).next()
    }

    /// After everything that changes the match: what is said, what is thought about from now on.
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
            self.studied = None;
        }
        if events.iter().any(is_told) {
            // Before an engine's first move there was no time to read what began the game.
            let is_first = self.said.iter().any(|event| matches!(event, Event::Started));
            let by_engine = |event: &Event| matches!(event, Event::Moved(moved) if self.is_by_engine(moved));
            let is_kept = is_first && events.iter().any(by_engine);
            self.said.retain(|event| is_kept && matches!(event, Event::FellBack(_)));
            self.said.extend_from_slice(&events);
            self.game.pace.since = self.now;
        }
        self.has_left |= events.iter().any(|event| matches!(event, Event::Left(_)));
        if self.game.counted.is_some() && self.game.outcome().is_none() {
            // A result that has been taken back does not count.
            let place = self.game.counted.take().unwrap_or_default();
            self.tally.uncount(place);
        }
        let is_wanted = |node: NodeId| node == self.game.shown && self.shown().outcome().is_none();
        self.study = self.study.filter(|&(node, _)| is_wanted(node) && !self.has_left);
        self.failed_at = self.failed_at.filter(|&node| node == self.game.present);
        self.refresh_jobs();
        events
    }

    /// Whether an engine has the seat of the side that moved.
    fn is_by_engine(&self, moved: &Moved) -> bool {
        let side = self.game.position(moved.node).to_move().other();
        matches!(self.game.seats[side], Seat::Engine(_))
    }

    /// What is wanted now; a job that is as before keeps its number.
    fn refresh_jobs(&mut self) {
        let old = take(&mut self.jobs);
        let wanted = [self.seat_job(&old), self.study_job()];
        for job in wanted.into_iter().flatten() {
            if let Some(known) = old.iter().find(|known| known.is_same(&job)) {
                self.jobs.push(known.clone());
                continue;
            }
            self.next_job += 1;
            if self.game.is_match() {
                self.game.charged_since = self.now; // a pause is nobody's time
            }
            self.game.pace.steps &= job.host == HostId::Study;
            self.jobs.push(Job { id: JobId(self.next_job), ..job });
        }
    }

    fn seat_job(&self, old: &[Job]) -> Option<Job> {
        let game = &*self.game;
        let position = self.present_position();
        if self.has_left || position.outcome().is_some() || self.failed_at.is_some() {
            return None;
        }
        let side = position.to_move();
        let Seat::Engine(engine) = &game.seats[side] else { return None };
        let job = self.job_of(HostId::Seat(side), engine.clone(), game.present, Purpose::Move);
        if !game.is_match() || old.iter().any(|known| known.is_same(&job)) {
            return Some(job);
        }
        let pace = game.pace;
        let is_due = pace.is_running && self.now >= pace.since.saturating_add(pace.pause);
        (is_due || pace.is_running && pace.pause.is_zero() || pace.steps).then_some(job)
    }

    /// The position that an adviser is to think about now: what was asked, before the next one of a review.
    fn advised(&self) -> Option<NodeId> {
        self.study.map(|(node, _)| node).or_else(|| self.game.next_to_judge().filter(|_| !self.has_left))
    }

    fn study_job(&self) -> Option<Job> {
        let node = self.advised()?;
        let weights = self.game.spec.net.clone();
        // A review says the same of a game every time.
        let asked = (self.rules.seed, self.game.spec.resources);
        let (seed, resources) = if self.study.is_some() { asked } else { (REVIEW_SEED, Resources::DEFAULT) };
        let config = EngineConfig { resources, weights, ..EngineConfig::new(seed, ADVICE) };
        let (level, limits) = self.game.spec.start.entry.adviser();
        let engine = EngineSeat { player: EnginePlayer::Own(level), config, turn: 0 };
        let job = self.job_of(HostId::Study, engine, node, Purpose::Advice(COMPARED));
        if self.study.is_none() {
            // The limits of those who play are none of a review, and who has given up may still be judged.
            let position =
                if job.position.early().is_some() { job.position.reopened() } else { job.position };
            return Some(Job { position, limits, ..job });
        }
        Some(Job { limits: job.limits.or(limits), ..job })
    }

    fn job_of(&self, host: HostId, engine: EngineSeat, node: NodeId, purpose: Purpose) -> Job {
        let limits: Limits = self.game.spec.limits;
        let position = self.game.position(node).clone();
        Job { id: JobId(0), host, engine, position, purpose, limits, is_due: false }
    }

    /// The engine that thinks is to answer with the best so far; an adviser before one that plays.
    pub(super) fn move_now(&mut self) {
        let waits_for_advice = self.study.is_some();
        if !waits_for_advice && !self.is_thinking() {
            self.stop_review();
        }
        for job in &mut self.jobs {
            job.is_due |= (job.host == HostId::Study) == waits_for_advice;
        }
    }

    fn engine_moves(&mut self, thought: &EngineAnswer) {
        let is_content = is_content(&thought.report);
        let position = self.present_position().clone();
        if is_content && position.repetition() >= CLAIMABLE {
            self.end_early(DRAW);
            return self.end();
        }
        if thought.text == RESIGN {
            self.end_early(RESIGN);
            return self.end();
        }
        let present = self.game.present;
        let node = self.game.tree.play(present, &thought.text, By::Machine);
        let node = node.expect("engines play legal moves");
        let side = position.to_move();
        let report = || Arc::clone(&thought.report);
        self.game.tree.node_mut(present).known = Some((side, report()));
        let made = self.game.tree.node_mut(node);
        (made.search, made.known) = (Some(report()), Some((side, report())));
        self.game.last_search = Some(report());
        let proof = self.announced_win(node, &thought.report).or_else(|| self.proof_news(&thought.report));
        let times = self.game.position(node).repetition();
        let is_drawn = is_content && times >= CLAIMABLE;
        self.advance(node, By::Machine, false, proof, is_drawn);
    }

    /// What is to be said to a person when the machine has proved its win by this move.
    fn announced_win(&self, node: NodeId, report: &Report) -> Option<ProofNews> {
        let plies = wins_within(report).filter(|&plies| plies > 1 && self.game.has_human())?;
        let before = self.game.tree.parent(self.game.present);
        let before = before.and_then(|before| self.game.tree.node(before).search.as_deref());
        let is_new = before.and_then(wins_within).is_none();
        self.game.position(node).announcement(plies, is_new).map(ProofNews::Won)
    }

    /// What is to be said when a strong level proves nothing, or proves something again.
    fn proof_news(&mut self, report: &Report) -> Option<ProofNews> {
        if self.game.level < self.game.spec.start.entry.default_level() {
            return None;
        }
        let status = report.proof?;
        let is_proved = status != Proof::Unproved;
        match (std::mem::replace(&mut self.game.was_proved, is_proved), is_proved) {
            (true, false) => Some(ProofNews::Lost),
            (false, true) => Some(ProofNews::Found(status)),
            _ => None,
        }
    }

    /// An adviser has thought about a position.
    fn note_advice(&mut self, node: NodeId, advice: Advice, thought: EngineAnswer) {
        let side = self.game.position(node).to_move();
        let noted = self.game.tree.node_mut(node);
        noted.known = Some((side, Arc::clone(&thought.report)));
        if advice == Advice::Hint {
            noted.hint = Some(thought.text.clone());
        }
        let (word, answer) = match advice {
            Advice::Hint => ("hint", Answer::Hint(Box::new(thought))),
            Advice::Eval => ("eval", Answer::Eval(Box::new(thought))),
            Advice::Study => {
                self.studied = Some(node);
                return self.events.push(Event::Reported(node));
            }
        };
        self.reply(word, node, answer);
        self.wait_for_the_reader();
    }

    /// Something is there to be read: a match of engines waits, a replay too.
    pub(super) fn wait_for_the_reader(&mut self) {
        if self.rules.after_end == super::AfterEnd::Stay {
            self.game.pace.is_running = false;
        }
        self.game.pace.since = self.now;
    }
}

/// Within how many plies the mover wins, as far as it is proved.
fn wins_within(report: &Report) -> Option<u32> {
    match report.proof? {
        Proof::WinIn(plies) => Some(plies),
        _ => None,
    }
}
