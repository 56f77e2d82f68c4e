//! The one runner of the arena: units on several threads, their results in the order of the units. Knows nothing of what
//! a unit is.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::parallel::Queue;

/// Receives the results of units, on the thread that started the run.
pub(in crate::arena) trait Sink<T, E> {
    /// Receives a result as soon as it arrives, in no certain order.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn receive(&mut self, unit: u64, result: T) -> Result<(), E>;

    /// Counts a unit all of whose results have arrived, one unit after the other; a break ends the run.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn count(&mut self, unit: u64) -> Result<ControlFlow<()>, E>;
}

/// A message of a thread: a result of a unit, or `None` after its last one.
type Message<T, E> = Result<(u64, Option<T>), E>;

/// Hands out units to one thread and takes in their results.
#[derive(Debug)]
pub struct Desk<'a, T, E> {
    queue: &'a Queue,
    /// The units whose results the sink has from an earlier run.
    done: &'a BTreeSet<u64>,
    stop: &'a AtomicBool,
    sender: Sender<Message<T, E>>,
}

impl<T, E> Desk<'_, T, E> {
    /// Takes the next unit; `None` if there are no more or the run has ended.
    #[must_use]
    pub fn next_unit(&self) -> Option<u64> {
        let unit = self.queue.take_all().find(|unit| !self.done.contains(unit))?;
        (!self.stop.load(Ordering::Relaxed)).then_some(unit)
    }

    /// Returns the flag that ends a unit early. Results are dropped once it is set.
    #[must_use]
    pub fn stop(&self) -> &AtomicBool {
        self.stop
    }

    /// Hands in a result of a unit, which may have several.
    pub fn hand_in(&self, unit: u64, result: T) {
        let _ = self.sender.send(Ok((unit, Some(result)))); // nobody listens once the run has ended
    }

    /// Reports that all results of a unit have been handed in.
    pub fn finish(&self, unit: u64) {
        let _ = self.sender.send(Ok((unit, None)));
    }
}

/// Runs units on threads, each of which runs `work`, except those that are `done` and whose results the sink has. Neither
/// the number of threads nor their speed changes the order in which the sink counts.
///
/// # Errors
/// The first error of a thread or of the sink, which ends the run.
pub(in crate::arena) fn run<T: Send, E: Send>(
    units: Range<u64>,
    done: &BTreeSet<u64>,
    threads: usize,
    work: &(impl Fn(&Desk<'_, T, E>) -> Result<(), E> + Sync),
    sink: &mut dyn Sink<T, E>,
) -> Result<(), E> {
    let Range { start, end } = units;
    let most = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
    let (queue, stop) = (Queue::new(start..end), AtomicBool::new(false));
    thread::scope(|scope| {
        let (sender, messages) = mpsc::channel();
        for &unit in done.range(start..end) {
            let _ = sender.send(Ok((unit, None))); // the receiver lives
        }
        for _ in 0..threads.clamp(1, most.max(1)) {
            let desk = Desk { queue: &queue, done, stop: &stop, sender: sender.clone() };
            scope.spawn(move || work(&desk).unwrap_or_else(|error| drop(desk.sender.send(Err(error)))));
        }
        drop(sender);
        let ended = deliver(start, messages, sink);
        stop.store(true, Ordering::Relaxed);
        ended
    })
}

/// Hands over what arrives until all is done, the sink breaks or something fails.
fn deliver<T, E>(first: u64, messages: Receiver<Message<T, E>>, sink: &mut dyn Sink<T, E>) -> Result<(), E> {
    let (mut next, mut finished) = (first, BTreeSet::new());
    for message in messages {
        match message? {
            (unit, Some(result)) => sink.receive(unit, result)?,
            (unit, None) => _ = finished.insert(unit),
        }
        while finished.remove(&next) {
            if sink.count(next)?.is_break() {
                return Ok(());
            }
            next += 1;
        }
    }
    Ok(())
}
