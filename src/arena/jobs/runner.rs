//! Runs units on several threads and counts their results in unit order.
//!
//! This module does not depend on the kind of unit.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::parallel::NumberQueue;

/// Receives the results of units on the thread that started the run.
pub(in crate::arena) trait ResultSink<T, E> {
    /// Receives a result as soon as it arrives. The order is unspecified.
    ///
    /// # Errors
    /// Returns any error that should end the run.
    fn receive(&mut self, unit: u64, result: T) -> Result<(), E>;

    /// Counts a unit whose results have all arrived. Called in unit order. `ControlFlow::Break`
    /// ends the run.
    ///
    /// # Errors
    /// Returns any error that should end the run.
    fn count_unit(&mut self, unit: u64) -> Result<ControlFlow<()>, E>;
}

/// Message from a worker thread: a result of a unit, or `None` once the unit is finished.
type WorkerMessage<T, E> = Result<(u64, Option<T>), E>;

/// Hands out units to one worker thread and forwards their results.
#[derive(Debug)]
pub struct UnitDispatcher<'a, T, E> {
    queue: &'a NumberQueue,
    /// Units whose results the sink already has from an earlier run.
    done: &'a BTreeSet<u64>,
    stop: &'a AtomicBool,
    sender: Sender<WorkerMessage<T, E>>,
}

impl<T, E> UnitDispatcher<'_, T, E> {
    /// Takes the next unit. Returns `None` if there are no more units or the run has ended.
    #[must_use]
    pub fn next_unit(&self) -> Option<u64> {
        let unit = self.queue.take_numbers().find(|unit| !self.done.contains(unit))?;
        (!self.stop.load(Ordering::Relaxed)).then_some(unit)
    }

    /// Returns the stop flag, which asks units to end early. Once it is set, results are discarded.
    #[must_use]
    pub fn stop_flag(&self) -> &AtomicBool {
        self.stop
    }

    /// Sends a result of a unit. A unit may have several results.
    pub fn send_result(&self, unit: u64, result: T) {
        let _ = self.sender.send(Ok((unit, Some(result)))); // the receiver is gone once the run has ended
    }

    /// Reports that all results of a unit have been sent.
    pub fn finish_unit(&self, unit: u64) {
        let _ = self.sender.send(Ok((unit, None)));
    }
}

/// Runs units on several threads, each of which calls `work`. Skips the units in `done`, whose results the
/// sink already has. The sink counts units in the same order for any number of threads.
///
/// # Errors
/// Returns the first error of a thread or of the sink, which ends the run.
pub(in crate::arena) fn run_units<T: Send, E: Send>(
    units: Range<u64>,
    done: &BTreeSet<u64>,
    threads: usize,
    work: &(impl Fn(&UnitDispatcher<'_, T, E>) -> Result<(), E> + Sync),
    sink: &mut dyn ResultSink<T, E>,
) -> Result<(), E> {
    let Range { start, end } = units;
    let most = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
    let (queue, stop) = (NumberQueue::new(start..end), AtomicBool::new(false));
    thread::scope(|scope| {
        let (sender, messages) = mpsc::channel();
        for &unit in done.range(start..end) {
            let _ = sender.send(Ok((unit, None))); // the receiver is still alive
        }
        for _ in 0..threads.clamp(1, most.max(1)) {
            let desk = UnitDispatcher { queue: &queue, done, stop: &stop, sender: sender.clone() };
            scope.spawn(move || work(&desk).unwrap_or_else(|error| drop(desk.sender.send(Err(error)))));
        }
        drop(sender);
        let ended = deliver_results(start, messages, sink);
        stop.store(true, Ordering::Relaxed);
        ended
    })
}

/// Forwards messages to the sink until all units are counted, the sink breaks, or an error occurs.
fn deliver_results<T, E>(
    first: u64,
    messages: Receiver<WorkerMessage<T, E>>,
    sink: &mut dyn ResultSink<T, E>,
) -> Result<(), E> {
    let (mut next, mut finished) = (first, BTreeSet::new());
    for message in messages {
        match message? {
            (unit, Some(result)) => sink.receive(unit, result)?,
            (unit, None) => _ = finished.insert(unit),
        }
        while finished.remove(&next) {
            if sink.count_unit(next)?.is_break() {
                return Ok(());
            }
            next += 1;
        }
    }
    Ok(())
}
