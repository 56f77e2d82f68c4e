//! The threads on which engines think: one for each host, started when it is first needed.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::{BuildMachine, EngineJob, EngineSeat, HostId, JobId, LatestReport, News};
use crate::session::{EngineAnswer, EngineError, Machine, SearchReport};

/// Whoever hears the news, from whatever thread.
type SendNews = Arc<dyn Fn(News) + Send + Sync>;

/// All threads that think. Dropping it leaves them behind without waiting.
pub(crate) struct Workers {
    tell: SendNews,
    build: BuildMachine,
    hosts: BTreeMap<HostId, Host>,
}

struct Host {
    jobs: Sender<(EngineJob, Arc<Signals>)>,
    /// The job that was handed over last, until something else is wanted.
    current: Option<Current>,
}

/// A job that runs.
struct Current {
    id: JobId,
    is_external: bool,
    signals: Arc<Signals>,
}

/// Signals by which a running job is told to end.
#[derive(Default)]
struct Signals {
    /// Raised when the search is to end.
    stop: AtomicBool,
    /// Raised when nobody wants the answer any more.
    is_dropped: AtomicBool,
    /// Raised when there is an answer, or will be none.
    is_done: AtomicBool,
}

impl Workers {
    /// No thread yet; machines are built by `build`, and news go to `tell`, from whatever thread.
    pub(crate) fn new(build: BuildMachine, tell: impl Fn(News) + Send + Sync + 'static) -> Self {
        Workers { tell: Arc::new(tell), build, hosts: BTreeMap::new() }
    }

    /// Exactly these jobs are wanted now: what else runs is stopped, what is new is begun.
    pub(crate) fn want(&mut self, jobs: &[EngineJob]) {
        self.hosts.retain(|id, host| {
            let is_wanted = |number| jobs.iter().any(|job| (job.host, job.id) == (*id, number));
            let Some(dropped) = host.current.take_if(|current| !is_wanted(current.id)) else { return true };
            dropped.signals.is_dropped.store(true, Ordering::SeqCst);
            dropped.signals.stop.store(true, Ordering::SeqCst);
            // A program ends before another one begins its thought: its thread does that by itself.
            !dropped.is_external || dropped.signals.is_done.load(Ordering::SeqCst)
        });
        for job in jobs {
            let host = self.hosts.entry(job.host).or_insert_with(|| Host::start(&self.tell, &self.build));
            let current = host.current.get_or_insert_with(|| {
                let signals = Arc::new(Signals::default());
                // A thread that has gone has told why.
                let _ = host.jobs.send((job.clone(), Arc::clone(&signals)));
                Current { id: job.id, is_external: job.engine.external().is_some(), signals }
            });
            // A program cannot be hurried; for it a stop means that nobody waits.
            current.signals.stop.store(job.is_due && !current.is_external, Ordering::SeqCst);
        }
    }
}

impl Host {
    fn start(tell: &SendNews, build: &BuildMachine) -> Self {
        let (jobs, queue) = channel();
        let (own_tell, own_build) = (Arc::clone(tell), Arc::clone(build));
        let thread = thread::Builder::new().name("engine".to_owned());
        if let Err(error) = thread.spawn(move || think(&queue, &own_tell, &own_build)) {
            // Without a thread the first job goes nowhere, and nothing more can be done than to say so.
            tell(News::Panicked(Box::new(format!("cannot start a thread for an engine: {error}"))));
        }
        Host { jobs, current: None }
    }
}

/// A machine with what it was built from.
type BuiltMachine = ((&'static str, EngineSeat), Box<dyn Machine>);

/// Does one job after the other, as long as somebody gives some.
fn think(queue: &Receiver<(EngineJob, Arc<Signals>)>, tell: &SendNews, build: &BuildMachine) {
    let mut engine: Option<BuiltMachine> = None;
    for (job, signals) in queue {
        if signals.is_dropped.load(Ordering::SeqCst) {
            continue;
        }
        let latest = Arc::new(LatestReport::default());
        let hear = |report: &SearchReport| {
            if latest.put(report) {
                tell(News::Report(job.id, Arc::clone(&latest)));
            }
        };
        let think = AssertUnwindSafe(|| answer(&job, &mut engine, build, &signals.stop, &hear));
        let thought = catch_unwind(think);
        signals.is_done.store(true, Ordering::SeqCst);
        tell(match thought {
            Ok(Ok(answer)) => News::Done(job.id, Box::new(answer)),
            Ok(Err(why)) => News::Failed(job.id, why),
            Err(payload) => News::Panicked(payload),
        });
    }
}

fn answer(
    job: &EngineJob,
    engine: &mut Option<BuiltMachine>,
    build: &BuildMachine,
    stop: &AtomicBool,
    hear: &(dyn Fn(&SearchReport) + Sync),
) -> Result<EngineAnswer, EngineError> {
    let wanted = (job.position.name(), job.engine.clone());
    if engine.as_ref().is_none_or(|(from, _)| *from != wanted) {
        *engine = Some((wanted, build(&*job.position, &job.engine)?));
    }
    let (_, machine) = engine.as_mut().expect("it was just built");
    machine.answer(job.purpose, &*job.position, job.limits, stop, hear)
}
