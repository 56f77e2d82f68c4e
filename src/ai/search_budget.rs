//! Budget of a search: counts nodes and polls the clock and the stop flag. This module is independent of any
//! game.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::ai::{Limits, SearchControl, SearchInfo};
use crate::platform::thread_cpu_time;

/// Total time that the process has been stopped, in milliseconds. No search is charged for this time.
static PROCESS_STOPPED_MS: AtomicU64 = AtomicU64::new(0);
/// Flag that is set while the process is about to stop.
static PROCESS_IS_STOPPING: AtomicBool = AtomicBool::new(false);

/// Calls `stop`, which suspends the process and returns once it resumes. No search is charged for the time
/// in between.
pub(crate) fn exclude_stopped_time(stop: impl FnOnce()) {
    let began = Instant::now();
    PROCESS_IS_STOPPING.store(true, Ordering::SeqCst);
    stop();
    let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    PROCESS_STOPPED_MS.fetch_add(ms, Ordering::SeqCst);
    PROCESS_IS_STOPPING.store(false, Ordering::SeqCst);
}

/// Stopwatch that does not count the time during which the process was stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    started: Instant,
    /// Value of [`PROCESS_STOPPED_MS`] when the stopwatch was started.
    stopped_before: u64,
}

impl Stopwatch {
    /// Starts a stopwatch.
    pub(crate) fn start() -> Self {
        Stopwatch { started: Instant::now(), stopped_before: PROCESS_STOPPED_MS.load(Ordering::SeqCst) }
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        let stopped = PROCESS_STOPPED_MS.load(Ordering::SeqCst) - self.stopped_before;
        self.started.elapsed().saturating_sub(Duration::from_millis(stopped))
    }
}

/// Target interval between two polls of the stop flag. Even if positions suddenly take five times as long,
/// two polls are at most 50 ms apart.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Maximum number of nodes between two polls.
const MAX_NODES_BETWEEN_POLLS: u64 = 1024;

/// Counts nodes against the limits, and polls the clock and the stop flag every few milliseconds.
///
/// It polls after every node if nodes are slow, and after up to 1,024 nodes if they are fast. Polling does
/// not affect the node count.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// let stop = AtomicBool::new(false);
/// let limits = Limits { nodes: Some(2), ..Limits::default() };
/// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(limits, &stop));
/// assert!(budget.count_node() && budget.count_node());
/// assert!(!budget.count_node(), "two positions were allowed");
/// assert!(budget.is_spent());
/// ```
#[derive(Clone, Debug)]
pub struct SearchBudget<'a> {
    /// Nodes counted so far.
    pub nodes: u64,
    most_nodes: u64,
    time: Option<Duration>,
    /// CPU time of the thread at which the search must end.
    cpu_end: Option<Duration>,
    clock: Stopwatch,
    /// Node count at the next poll.
    next_poll: u64,
    /// Number of nodes between two polls.
    poll_step: u64,
    /// Time of the last poll.
    polled: Instant,
    stop: &'a AtomicBool,
    spent: bool,
    /// Node count shared with other threads, if any.
    shared_nodes: Option<&'a AtomicU64>,
    /// Number of nodes already added to the shared count.
    shared_nodes_added: u64,
}

impl<'a> SearchBudget<'a> {
    /// Creates a budget with the limits of a search, and starts its clock. The search itself checks the depth
    /// limit.
    #[must_use]
    pub fn start<M>(control: &SearchControl<'a, M>) -> Self {
        SearchBudget {
            nodes: 0,
            most_nodes: control.limits.nodes.unwrap_or(u64::MAX),
            time: control.limits.time,
            cpu_end: control.limits.cpu_time.and_then(|time| Some(thread_cpu_time()?.saturating_add(time))),
            clock: Stopwatch::start(),
            next_poll: 0,
            poll_step: 1,
            polled: Instant::now(),
            stop: control.stop,
            spent: false,
            shared_nodes: None,
            shared_nodes_added: 0,
        }
    }

    /// Creates search information from the principal variation, the value of its first move and the depth
    /// in plies.
    pub(super) fn make_info<M: Copy>(&self, pv: Vec<M>, score: Option<i32>, depth: u32) -> SearchInfo<M> {
        SearchInfo { nodes: self.nodes, depth, elapsed: self.elapsed(), ..SearchInfo::from_pv(pv, score) }
    }

    /// Returns the budget with a shared node count, which is updated from time to time and by
    /// [`SearchBudget::flush_node_count`].
    pub(crate) fn with_shared_node_count(self, sum: &'a AtomicU64) -> Self {
        SearchBudget { shared_nodes: Some(sum), ..self }
    }

    /// Adds the nodes counted since the last call to the shared node count.
    pub(crate) fn flush_node_count(&mut self) {
        if let Some(sum) = self.shared_nodes {
            sum.fetch_add(self.nodes - self.shared_nodes_added, Ordering::Relaxed);
            self.shared_nodes_added = self.nodes;
        }
    }

    /// Reports whether the time is up or the stop flag is set, whatever the node count.
    pub(crate) fn is_time_up_or_stopped(&self) -> bool {
        let is_used_up = || self.cpu_end.is_some_and(|end| thread_cpu_time().is_some_and(|now| now >= end));
        self.stop.load(Ordering::Relaxed)
            || self.time.is_some_and(|time| self.elapsed() >= time)
            || is_used_up()
    }

    /// Returns `limits` less the time used so far.
    pub(crate) fn remaining_limits(&self, limits: Limits) -> Limits {
        let time = limits.time.map(|time| time.saturating_sub(self.elapsed()));
        let cpu_time = self.cpu_end.zip(thread_cpu_time()).map(|(end, now)| end.saturating_sub(now));
        Limits { time, cpu_time, ..limits }
    }

    /// Counts one node; returns `false` if the search must end.
    pub fn count_node(&mut self) -> bool {
        self.spent |= self.nodes >= self.most_nodes;
        if self.nodes >= self.next_poll {
            self.poll_limits();
        }
        self.nodes += u64::from(!self.spent);
        !self.spent
    }

    #[cold]
    fn poll_limits(&mut self) {
        self.spent |= self.is_time_up_or_stopped();
        self.flush_node_count();
        let now = Instant::now();
        let is_quick = now.duration_since(self.polled) < POLL_INTERVAL;
        self.poll_step = if is_quick { (2 * self.poll_step).min(MAX_NODES_BETWEEN_POLLS) } else { 1 };
        self.polled = now;
        self.next_poll = self.nodes + self.poll_step;
    }

    /// Runs part of the search with a budget of at most `nodes` nodes, but no more than remain in this one.
    /// It has the same clock and stop flag, and its nodes are counted in this budget, too.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// let stop = AtomicBool::new(false);
    /// let limits = Limits { nodes: Some(2), ..Limits::default() };
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(limits, &stop));
    /// let is_spent = budget.with_sub_budget(1, |part| !(part.count_node() && part.count_node()));
    /// assert!(is_spent && !budget.is_spent(), "one position is left");
    /// assert_eq!(budget.nodes, 1);
    /// ```
    pub fn with_sub_budget<R>(&mut self, nodes: u64, work: impl FnOnce(&mut SearchBudget<'a>) -> R) -> R {
        let left = if self.spent { 0 } else { self.most_nodes.saturating_sub(self.nodes) };
        let mut part = SearchBudget {
            nodes: 0,
            next_poll: 0,
            most_nodes: nodes.min(left),
            spent: self.spent,
            shared_nodes: None,
            ..*self
        };
        let done = work(&mut part);
        self.nodes += part.nodes;
        // A sub-budget that ended before its node limit was interrupted, and so is the whole search.
        self.spent |= self.nodes >= self.most_nodes || part.spent && part.nodes < part.most_nodes;
        done
    }

    /// Reports whether the search must end.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Returns the time since the start without the time during which the process was stopped; zero while
    /// it is about to stop.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        if PROCESS_IS_STOPPING.load(Ordering::SeqCst) { Duration::ZERO } else { self.clock.elapsed() }
    }
}
