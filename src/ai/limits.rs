//! Limits of one search.

use std::time::Duration;

/// Limits of one search. A limit that is `None` does not apply.
///
/// ```
/// use std::time::Duration;
/// use crosspath::ai::Limits;
/// let limits = Limits { nodes: Some(2000), time: Some(Duration::from_secs(1)), ..Limits::default() };
/// assert_eq!((limits.nodes, limits.depth), (Some(2000), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of positions searched.
    pub nodes: Option<u64>,
    /// Maximum time per move.
    pub time: Option<Duration>,
    /// Maximum CPU time of the searching thread; without effect if the system cannot measure it.
    pub cpu_time: Option<Duration>,
}

impl Limits {
    /// Returns these limits, or `others` if no limit is set.
    ///
    /// ```
    /// use crosspath::ai::Limits;
    /// let (given, usual) = (Limits::default(), Limits { depth: Some(4), ..Limits::default() });
    /// assert_eq!(given.or_if_unlimited(usual), usual);
    /// ```
    #[must_use]
    pub fn or_if_unlimited(self, others: Limits) -> Limits {
        if self == Limits::default() { others } else { self }
    }

    /// Returns the limits with every limit of 0 removed.
    pub(crate) fn zero_as_unlimited(self) -> Limits {
        let some = |time: Option<Duration>| time.filter(|time| !time.is_zero());
        let (depth, nodes) = (self.depth.filter(|&depth| depth > 0), self.nodes.filter(|&nodes| nodes > 0));
        Limits { depth, nodes, time: some(self.time), cpu_time: some(self.cpu_time) }
    }

    /// Returns the limits with the time and CPU time divided by `parts`.
    pub(crate) fn divide_time(self, parts: u32) -> Limits {
        let part = |time: Option<Duration>| time.map(|time| time / parts);
        Limits { time: part(self.time), cpu_time: part(self.cpu_time), ..self }
    }

    /// Returns the limits of each of `threads` threads: their share of the nodes and of the CPU time.
    pub(crate) fn per_thread(self, threads: usize) -> Limits {
        let parts = u32::try_from(threads.max(1)).unwrap_or(u32::MAX);
        let nodes = self.nodes.map(|nodes| nodes.div_ceil(parts.into()));
        Limits { nodes, cpu_time: self.cpu_time.map(|time| time / parts), ..self }
    }

    /// Reports whether a time limit may end the search; its result is then not reproducible.
    pub(crate) fn has_time_limit(&self) -> bool {
        self.time.is_some() || self.cpu_time.is_some()
    }

    /// Reports whether neither nodes nor depth are limited, so that only time can end the search.
    pub(crate) fn is_time_only(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none()
    }
}
