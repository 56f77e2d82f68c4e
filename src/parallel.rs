//! Work that several threads take from one queue. Knows no game.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Numbers that several threads take, each number once.
#[derive(Debug)]
pub(crate) struct Queue {
    next: AtomicU64,
    end: u64,
}

impl Queue {
    pub(crate) fn new(numbers: Range<u64>) -> Self {
        Queue { next: AtomicU64::new(numbers.start), end: numbers.end }
    }

    /// Takes numbers from the queue until it is empty.
    pub(crate) fn take_all(&self) -> impl Iterator<Item = u64> {
        std::iter::repeat_with(|| self.next.fetch_add(1, Ordering::Relaxed))
            .take_while(|&number| number < self.end)
    }
}

/// Runs the same work on several threads, at least one, which take these items from one queue. Gives what each came to.
///
/// # Panics
/// Only if the work does.
pub(crate) fn share<'i, I: Sync, T: Send>(
    items: &'i [I],
    threads: usize,
    work: impl Fn(&mut dyn Iterator<Item = &'i I>) -> T + Sync,
) -> Vec<T> {
    let queue = Queue::new(0..items.len() as u64);
    let item = |number| usize::try_from(number).ok().and_then(|number| items.get(number));
    thread::scope(|scope| {
        let worker = |_| scope.spawn(|| work(&mut queue.take_all().filter_map(&item)));
        let workers: Vec<_> = (0..threads.max(1)).map(worker).collect();
        let results =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        results.collect()
    })
}
