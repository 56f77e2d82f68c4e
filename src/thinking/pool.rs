//! Engine threads: one per [`EngineThreadId`], started on first use.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::{EngineEvent, EngineFactory, EngineJob, EngineJobId, EngineSeat, EngineThreadId, LatestReport};
use crate::session::{AnyEngine, EngineAnswer, EngineError, SearchReport};

/// Function that receives engine events from any thread.
type EngineEventSender = Arc<dyn Fn(EngineEvent) + Send + Sync>;

/// All engine threads. Dropping this value does not wait for the threads.
pub(crate) struct EngineThreads {
    tell: EngineEventSender,
    build: EngineFactory,
    hosts: BTreeMap<EngineThreadId, EngineThread>,
}

struct EngineThread {
    jobs: Sender<(EngineJob, Arc<JobSignals>)>,
    /// Job that was sent last; `None` once it is no longer wanted.
    current: Option<RunningJob>,
}

/// A running job.
struct RunningJob {
    id: EngineJobId,
    is_external: bool,
    signals: Arc<JobSignals>,
}

/// Signals to and from a running job.
#[derive(Default)]
struct JobSignals {
    /// Set when the search must end.
    stop: AtomicBool,
    /// Set when the answer is no longer wanted.
    is_dropped: AtomicBool,
    /// Set when the job has finished, with or without an answer.
    is_done: AtomicBool,
}

impl EngineThreads {
    /// Creates a pool without threads, which are started on first use.
    ///
    /// `build` builds the engines, and `tell` receives events from any thread.
    pub(crate) fn new(build: EngineFactory, tell: impl Fn(EngineEvent) + Send + Sync + 'static) -> Self {
        EngineThreads { tell: Arc::new(tell), build, hosts: BTreeMap::new() }
    }

    /// Sets the jobs that are wanted: others are stopped, and new ones are started.
    pub(crate) fn set_wanted_jobs(&mut self, jobs: &[EngineJob]) {
        self.hosts.retain(|id, host| {
            let is_wanted = |number| jobs.iter().any(|job| (job.host, job.id) == (*id, number));
            let Some(dropped) = host.current.take_if(|current| !is_wanted(current.id)) else { return true };
            dropped.signals.is_dropped.store(true, Ordering::SeqCst);
            dropped.signals.stop.store(true, Ordering::SeqCst);
            // The thread of an external engine ends it before it starts the next job.
            !dropped.is_external || dropped.signals.is_done.load(Ordering::SeqCst)
        });
        for job in jobs {
            let host =
                self.hosts.entry(job.host).or_insert_with(|| EngineThread::start(&self.tell, &self.build));
            let current = host.current.get_or_insert_with(|| {
                let signals = Arc::new(JobSignals::default());
                // A thread that has ended has reported the reason.
                let _ = host.jobs.send((job.clone(), Arc::clone(&signals)));
                RunningJob { id: job.id, is_external: job.engine.external_program().is_some(), signals }
            });
            // External engines cannot be interrupted; to them a stop means that the answer is not wanted.
            current.signals.stop.store(job.is_due && !current.is_external, Ordering::SeqCst);
        }
    }
}

impl EngineThread {
    fn start(tell: &EngineEventSender, build: &EngineFactory) -> Self {
        let (jobs, queue) = channel();
        let (own_tell, own_build) = (Arc::clone(tell), Arc::clone(build));
        let thread = thread::Builder::new().name("engine".to_owned());
        if let Err(error) = thread.spawn(move || run_engine_jobs(&queue, &own_tell, &own_build)) {
            // Without a thread the job cannot run; all that can be done is to report it.
            tell(EngineEvent::Panicked(Box::new(format!("cannot start a thread for an engine: {error}"))));
        }
        EngineThread { jobs, current: None }
    }
}

/// An engine together with the game and seat for which it was built.
type BuiltEngine = ((&'static str, EngineSeat), Box<dyn AnyEngine>);

/// Runs jobs one after the other until the queue is closed.
fn run_engine_jobs(
    queue: &Receiver<(EngineJob, Arc<JobSignals>)>,
    tell: &EngineEventSender,
    build: &EngineFactory,
) {
    let mut engine: Option<BuiltEngine> = None;
    for (job, signals) in queue {
        if signals.is_dropped.load(Ordering::SeqCst) {
            continue;
        }
        let latest = Arc::new(LatestReport::default());
        let hear = |report: &SearchReport| {
            if latest.replace(report) {
                tell(EngineEvent::Report(job.id, Arc::clone(&latest)));
            }
        };
        let think = AssertUnwindSafe(|| answer_job(&job, &mut engine, build, &signals.stop, &hear));
        let thought = catch_unwind(think);
        signals.is_done.store(true, Ordering::SeqCst);
        tell(match thought {
            Ok(Ok(answer)) => EngineEvent::Done(job.id, Box::new(answer)),
            Ok(Err(why)) => EngineEvent::Failed(job.id, why),
            Err(payload) => EngineEvent::Panicked(payload),
        });
    }
}

fn answer_job(
    job: &EngineJob,
    engine: &mut Option<BuiltEngine>,
    build: &EngineFactory,
    stop: &AtomicBool,
    hear: &(dyn Fn(&SearchReport) + Sync),
) -> Result<EngineAnswer, EngineError> {
    let wanted = (job.position.game_name(), job.engine.clone());
    if engine.as_ref().is_none_or(|(from, _)| *from != wanted) {
        *engine = Some((wanted, build(&*job.position, &job.engine)?));
    }
    let (_, machine) = engine.as_mut().expect("it was just built");
    machine.answer(job.purpose, &*job.position, job.limits, stop, hear)
}
