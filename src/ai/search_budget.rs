//! Budget of a search: counts positions, looks at the clock and at the stop flag. Knows no game.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::ai::{Info, Limits, SearchControl};
use crate::platform::thread_time;

/// Time in milliseconds for which the process has been stopped, and `true` if it is about to stop: facts of the whole
/// process, which no search is charged for.
static STOPPED_MS: AtomicU64 = AtomicU64::new(0);
static IS_STOPPING: AtomicBool = AtomicBool::new(false);

/// Stops the process by `stop`, which returns when it goes on. No search is charged for the time between.
pub(crate) fn while_stopped(stop: impl FnOnce()) {
    let began = Instant::now();
    IS_STOPPING.store(true, Ordering::SeqCst);
    stop();
    let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    STOPPED_MS.fetch_add(ms, Ordering::SeqCst);
    IS_STOPPING.store(false, Ordering::SeqCst);
}

/// Measures time, without that for which the process was stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    started: Instant,
    /// Time for which the process had been stopped when the clock was started, in milliseconds.
    stopped_before: u64,
}

impl Stopwatch {
    /// Begins now.
    pub(crate) fn start() -> Self {
        Stopwatch { started: Instant::now(), stopped_before: STOPPED_MS.load(Ordering::SeqCst) }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        let stopped = STOPPED_MS.load(Ordering::SeqCst) - self.stopped_before;
        self.started.elapsed().saturating_sub(Duration::from_millis(stopped))
    }
}

/// The time that may pass between two looks at the stop flag while positions cost about what they cost before. Where
/// they suddenly cost five times as much, the next look is still no later than 50 ms after the last.
const POLL_TIME: Duration = Duration::from_millis(5);
/// The most positions between two looks.
const POLL_NODES: u64 = 1024;

/// Counts positions against the limits, and looks at the clock and the stop flag every few milliseconds: after every
/// position where positions are slow, after 1,024 of them where they are fast. When it looks changes no count.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// let stop = AtomicBool::new(false);
/// let limits = Limits { nodes: Some(2), ..Limits::default() };
/// let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(limits, &stop));
/// assert!(budget.tick() && budget.tick());
/// assert!(!budget.tick(), "two positions were allowed");
/// assert!(budget.is_spent());
/// ```
#[derive(Clone, Debug)]
pub struct SearchBudget<'a> {
    /// Positions counted.
    pub nodes: u64,
    most_nodes: u64,
    time: Option<Duration>,
    /// The processor time of the thread at which the search ends.
    cpu_end: Option<Duration>,
    clock: Stopwatch,
    /// The count at which it looks next, the positions between two looks, and when it has looked last.
    next_poll: u64,
    poll_step: u64,
    polled: Instant,
    stop: &'a AtomicBool,
    spent: bool,
    /// Sum of positions that others read, if there is one, and the number of positions already added to it.
    told: Option<&'a AtomicU64>,
    told_nodes: u64,
}

impl<'a> SearchBudget<'a> {
    /// Starts the clock. Of the limits, the depth is left to the search.
    #[must_use]
    pub fn start<M>(control: &SearchControl<'a, M>) -> Self {
        SearchBudget {
            nodes: 0,
            most_nodes: control.limits.nodes.unwrap_or(u64::MAX),
            time: control.limits.time,
            cpu_end: control.limits.cpu_time.and_then(|time| Some(thread_time()?.saturating_add(time))),
            clock: Stopwatch::start(),
            next_poll: 0,
            poll_step: 1,
            polled: Instant::now(),
            stop: control.stop,
            spent: false,
            told: None,
            told_nodes: 0,
        }
    }

    /// Returns a line of play that the search has found at this depth, in plies, and what its first move is worth.
    pub(super) fn found<M: Copy>(&self, pv: Vec<M>, score: Option<i32>, depth: u32) -> Info<M> {
        Info { nodes: self.nodes, depth, elapsed: self.elapsed(), ..Info::of(pv, score) }
    }

    /// Returns the budget with a sum that others read: what is counted is added to it now and then and by
    /// [`SearchBudget::tell`].
    pub(crate) fn counted_in(self, sum: &'a AtomicU64) -> Self {
        SearchBudget { told: Some(sum), ..self }
    }

    /// Adds what was counted since the last time to the sum.
    pub(crate) fn tell(&mut self) {
        if let Some(sum) = self.told {
            sum.fetch_add(self.nodes - self.told_nodes, Ordering::Relaxed);
            self.told_nodes = self.nodes;
        }
    }

    /// Reports whether the time is over or an answer is wanted now, whatever has been counted.
    pub(crate) fn is_due(&self) -> bool {
        let is_used_up = || self.cpu_end.is_some_and(|end| thread_time().is_some_and(|now| now >= end));
        self.stop.load(Ordering::Relaxed)
            || self.time.is_some_and(|time| self.elapsed() >= time)
            || is_used_up()
    }

    /// The limits without the time that has been used here.
    pub(crate) fn rest_of(&self, limits: Limits) -> Limits {
        let time = limits.time.map(|time| time.saturating_sub(self.elapsed()));
        let cpu_time = self.cpu_end.zip(thread_time()).map(|(end, now)| end.saturating_sub(now));
        Limits { time, cpu_time, ..limits }
    }

    /// Counts one position; false when the search has to end.
    pub fn tick(&mut self) -> bool {
        self.spent |= self.nodes >= self.most_nodes;
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.nodes += u64::from(!self.spent);
        !self.spent
    }

    #[cold]
    fn poll(&mut self) {
        self.spent |= self.is_due();
        self.tell();
        let now = Instant::now();
        let is_quick = now.duration_since(self.polled) < POLL_TIME;
        self.poll_step = if is_quick { (2 * self.poll_step).min(POLL_NODES) } else { 1 };
        self.polled = now;
        self.next_poll = self.nodes + self.poll_step;
    }

    /// Does a part of the work on a budget of its own: at most `nodes` positions, never more than are left here, the
    /// same clock and flag. What that counts is counted here too.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// let stop = AtomicBool::new(false);
    /// let limits = Limits { nodes: Some(2), ..Limits::default() };
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(limits, &stop));
    /// let is_spent = budget.part(1, |part| !(part.tick() && part.tick()));
    /// assert!(is_spent && !budget.is_spent(), "one position is left");
    /// assert_eq!(budget.nodes, 1);
    /// ```
    pub fn part<R>(&mut self, nodes: u64, work: impl FnOnce(&mut SearchBudget<'a>) -> R) -> R {
        let left = if self.spent { 0 } else { self.most_nodes.saturating_sub(self.nodes) };
        let mut part = SearchBudget {
            nodes: 0,
            next_poll: 0,
            most_nodes: nodes.min(left),
            spent: self.spent,
            told: None,
            ..*self
        };
        let done = work(&mut part);
        self.nodes += part.nodes;
        // A part that ended early without having used its share was interrupted, and so is the whole.
        self.spent |= self.nodes >= self.most_nodes || part.spent && part.nodes < part.most_nodes;
        done
    }

    /// Reports whether the search has had to end.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Time since the start, without that for which the process was stopped; zero while it is about to stop.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        if IS_STOPPING.load(Ordering::SeqCst) { Duration::ZERO } else { self.clock.elapsed() }
    }
}
