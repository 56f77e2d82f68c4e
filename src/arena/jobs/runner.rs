//! The one runner of the arena: units on several threads, their results in the order of the units.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use crate::parallel::Queue;

/// Receives the results of units.
pub(in crate::arena) trait Sink<T, E> {
    /// Sees a result as soon as it arrives, in no certain order.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn arrived(&mut self, _: &T) -> Result<(), E> {
        Ok(())
    }

    /// Takes all results of a unit, one unit after the other; a break ends the run.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn unit(&mut self, unit: u64, results: Vec<T>) -> Result<ControlFlow<()>, E>;
}

/// Holds back what comes early, until it is its turn.
#[derive(Debug)]
pub(in crate::arena) struct InOrder<T> {
    next: u64,
    early: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// Waits for this unit first.
    pub(in crate::arena) fn from(first: u64) -> Self {
        InOrder { next: first, early: BTreeMap::new() }
    }

    /// Adds a unit, which may be early.
    pub(in crate::arena) fn add(&mut self, unit: u64, item: T) {
        self.early.insert(unit, item);
    }

    /// Takes the unit whose turn it is, if it has come.
    pub(in crate::arena) fn pop(&mut self) -> Option<(u64, T)> {
        let item = self.early.remove(&self.next)?;
        self.next += 1;
        Some((self.next - 1, item))
    }
}

/// A message of a thread.
enum News<T> {
    Result(u64, T),
    UnitDone(u64),
}

/// Runs units on threads. Each thread makes one worker, which emits the results of a unit one by one. Neither the number
/// of threads nor their speed changes what the sink takes.
///
/// The workers see `stop` when the run ends early; what they emit after that is dropped.
///
/// # Errors
/// The first error of a worker or of the sink.
pub(in crate::arena) fn run<T: Send, E: Send, W>(
    units: Range<u64>,
    threads: usize,
    new_worker: impl Fn() -> Result<W, E> + Sync,
    sink: &mut dyn Sink<T, E>,
) -> Result<(), E>
where
    W: FnMut(u64, &AtomicBool, &mut dyn FnMut(T)) -> Result<(), E>,
{
    let (first, stop) = (units.start, AtomicBool::new(false));
    let most = usize::try_from(units.end.saturating_sub(first)).unwrap_or(usize::MAX);
    let queue = Queue::new(units);
    thread::scope(|scope| {
        let (sender, news) = mpsc::channel();
        for _ in 0..threads.clamp(1, most.max(1)) {
            let (sender, new_worker, queue, stop) = (sender.clone(), &new_worker, &queue, &stop);
            scope.spawn(move || {
                let mut worker = match new_worker() {
                    Ok(worker) => worker,
                    Err(error) => return sender.send(Err(error)).unwrap_or_default(),
                };
                for unit in queue.take_all() {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    // Nobody listens once the run has ended.
                    let done = worker(unit, stop, &mut |result| {
                        sender.send(Ok(News::Result(unit, result))).unwrap_or_default();
                    });
                    if sender.send(done.map(|()| News::UnitDone(unit))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let delivered = deliver(first, &news, sink);
        stop.store(true, Ordering::Relaxed);
        delivered
    })
}

/// Hands over what arrives until all is done, the sink breaks or something fails.
fn deliver<T, E>(
    first: u64,
    news: &Receiver<Result<News<T>, E>>,
    sink: &mut dyn Sink<T, E>,
) -> Result<(), E> {
    let (mut open, mut done) = (BTreeMap::<u64, Vec<T>>::new(), InOrder::from(first));
    for one in news {
        match one? {
            News::Result(unit, result) => {
                sink.arrived(&result)?;
                open.entry(unit).or_default().push(result);
            }
            News::UnitDone(unit) => done.add(unit, open.remove(&unit).unwrap_or_default()),
        }
        while let Some((unit, results)) = done.pop() {
            if sink.unit(unit, results)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
