//! Limits of a search.

use std::time::Duration;

/// Limits of a search. What is `None` does not limit.
///
/// ```
/// use std::time::Duration;
/// use crosspath::ai::Limits;
/// let limits = Limits { nodes: Some(2000), time: Some(Duration::from_secs(1)), ..Limits::default() };
/// assert_eq!((limits.nodes, limits.depth), (Some(2000), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub time: Option<Duration>,
    /// Processor time of the thread that searches; none where the system does not tell.
    pub cpu_time: Option<Duration>,
}

impl Limits {
    /// These limits or, where none is given, others.
    ///
    /// ```
    /// use crosspath::ai::Limits;
    /// let (given, usual) = (Limits::default(), Limits { depth: Some(4), ..Limits::default() });
    /// assert_eq!(given.or(usual), usual);
    /// ```
    #[must_use]
    pub fn or(self, others: Limits) -> Limits {
        if self == Limits::default() { others } else { self }
    }

    /// Returns the limits with 0 as no limit.
    pub(crate) fn zero_as_unlimited(self) -> Limits {
        let some = |time: Option<Duration>| time.filter(|time| !time.is_zero());
        let (depth, nodes) = (self.depth.filter(|&depth| depth > 0), self.nodes.filter(|&nodes| nodes > 0));
        Limits { depth, nodes, time: some(self.time), cpu_time: some(self.cpu_time) }
    }

    /// Returns the limits with one of `parts` equal parts of the time.
    pub(crate) fn divide_time(self, parts: u32) -> Limits {
        let part = |time: Option<Duration>| time.map(|time| time / parts);
        Limits { time: part(self.time), cpu_time: part(self.cpu_time), ..self }
    }

    /// Returns the part of the positions and of the CPU time that each of `threads` threads may use.
    pub(crate) fn per_thread(self, threads: usize) -> Limits {
        let parts = u32::try_from(threads.max(1)).unwrap_or(u32::MAX);
        let nodes = self.nodes.map(|nodes| nodes.div_ceil(parts.into()));
        Limits { nodes, cpu_time: self.cpu_time.map(|time| time / parts), ..self }
    }

    /// Reports whether time of any kind may end a search: then it is not the same another time.
    pub(crate) fn have_time(&self) -> bool {
        self.time.is_some() || self.cpu_time.is_some()
    }

    /// Reports whether only time ends a search: it comes as far as it comes, and not as far another time.
    pub(crate) fn is_time_only(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none()
    }
}
