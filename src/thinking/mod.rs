//! Jobs for engines and their results, as data; the external programs among them; the threads on which they think.
//! Knows positions and engines, no match.

mod pool;
mod program;

use std::sync::{Arc, Mutex, PoisonError};

use crate::ai::{EngineConfig, EngineKind, Limits};
use crate::game::Side;
use crate::session::{EngineAnswer, EngineError, Machine, Position, Purpose, SearchReport};
pub(crate) use pool::Workers;
pub use program::{ExternalProgram, ExternalProgramError, Language, ProgramStart};

/// Engine that thinks, by its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostId {
    /// The engine that plays a side.
    Seat(Side),
    /// The engine that gives advice.
    Study,
}

/// The number of a job; none is given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// Engine that plays a seat: built-in or external.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnginePlayer {
    /// An engine of this program.
    Own(EngineKind),
    /// An external engine.
    External(Arc<ExternalProgram>),
}

/// An engine before it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSeat {
    /// The engine.
    pub player: EnginePlayer,
    /// Configuration with which it is built.
    pub config: EngineConfig,
    /// Number of times that the seat was given to another engine: each begins anew.
    pub turn: u32,
}

/// Something to be thought about.
#[derive(Clone, Debug)]
pub struct EngineJob {
    /// Its number.
    pub id: JobId,
    /// Engine that is to think.
    pub host: HostId,
    /// Engine to think with.
    pub engine: EngineSeat,
    /// Position to think about.
    pub position: Arc<dyn Position>,
    /// Purpose of the question.
    pub purpose: Purpose,
    /// Limits that replace the engine's own.
    pub limits: Limits,
    /// `true` if the best answer so far is wanted at once.
    pub is_due: bool,
}

impl EngineSeat {
    /// Returns the external engine that plays.
    pub(crate) fn external(&self) -> Option<&Arc<ExternalProgram>> {
        match &self.player {
            EnginePlayer::Own(_) => None,
            EnginePlayer::External(program) => Some(program),
        }
    }
}

impl EngineJob {
    /// Reports whether this asks for the same as another job.
    pub(crate) fn is_same(&self, other: &EngineJob) -> bool {
        self.host == other.host
            && self.engine == other.engine
            && Arc::ptr_eq(&self.position, &other.position)
            && self.purpose == other.purpose
            && self.limits == other.limits
    }
}

/// News of a job. If nobody wants the job any more, they are to be ignored.
#[derive(Debug)]
pub enum News {
    /// The search knows more than before.
    Report(JobId, Arc<LatestReport>),
    /// The answer.
    Done(JobId, Box<EngineAnswer>),
    /// There will be no answer; why.
    Failed(JobId, EngineError),
    /// A bug: the payload of a panic, to be resumed.
    Panicked(Box<dyn std::any::Any + Send>),
}

/// Function that builds a machine; tests build other ones.
pub type BuildMachine =
    Arc<dyn Fn(&dyn Position, &EngineSeat) -> Result<Box<dyn Machine>, EngineError> + Send + Sync>;

/// The newest report of a search that nobody has read: older ones are of no use.
#[derive(Debug, Default)]
pub struct LatestReport(Mutex<Option<Arc<SearchReport>>>);

impl LatestReport {
    /// A report that is there to be read.
    #[must_use]
    pub fn new(report: SearchReport) -> Self {
        LatestReport(Mutex::new(Some(Arc::new(report))))
    }

    /// The report, if nobody has read it.
    #[must_use]
    pub fn take(&self) -> Option<Arc<SearchReport>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Puts a report in place of the one there; whether that had been read.
    fn put(&self, report: &SearchReport) -> bool {
        let newest = Some(Arc::new(report.clone()));
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), newest).is_none()
    }
}

/// The machines of the games themselves.
#[must_use]
pub fn machines() -> BuildMachine {
    Arc::new(|position, engine| match &engine.player {
        EnginePlayer::Own(kind) => position.machine(*kind, &engine.config),
        EnginePlayer::External(program) => {
            Err(EngineError::Start(format!("{program} is an external engine")))
        }
    })
}
