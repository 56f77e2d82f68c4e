//! Work queue shared by several threads. This module does not depend on games.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Queue of numbers shared by several threads; each number is taken once.
#[derive(Debug)]
pub(crate) struct NumberQueue {
    next: AtomicU64,
    end: u64,
}

impl NumberQueue {
    /// Creates a queue of all numbers in a range.
    pub(crate) fn new(numbers: Range<u64>) -> Self {
        NumberQueue { next: AtomicU64::new(numbers.start), end: numbers.end }
    }

    /// Returns an iterator that takes numbers from the queue until it is empty.
    pub(crate) fn take_numbers(&self) -> impl Iterator<Item = u64> {
        std::iter::repeat_with(|| self.next.fetch_add(1, Ordering::Relaxed))
            .take_while(|&number| number < self.end)
    }
}

/// Runs `work` on several threads, at least one, which take the items from a shared queue. Returns the result
/// of each thread.
///
/// # Panics
/// Panics if `work` panics.
pub(crate) fn run_on_threads<'i, I: Sync, T: Send>(
    items: &'i [I],
    threads: usize,
    work: impl Fn(&mut dyn Iterator<Item = &'i I>) -> T + Sync,
) -> Vec<T> {
    let queue = NumberQueue::new(0..items.len() as u64);
    let item = |number| usize::try_from(number).ok().and_then(|number| items.get(number));
    thread::scope(|scope| {
        let worker = |_| scope.spawn(|| work(&mut queue.take_numbers().filter_map(&item)));
        let workers: Vec<_> = (0..threads.max(1)).map(worker).collect();
        let results =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        results.collect()
    })
}
