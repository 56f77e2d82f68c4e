//! Engine jobs and their results, external engines, and the threads that run the jobs.
//!
//! This module depends on positions and engines, but not on matches.

mod pool;
mod program;

use std::sync::{Arc, Mutex, PoisonError};

use crate::ai::{EngineConfig, EngineKind, Limits};
use crate::game::Side;
use crate::session::{AnyEngine, EngineAnswer, EngineError, EngineRequest, Position, SearchReport};
pub(crate) use pool::EngineThreads;
pub use program::{ExternalProgram, ExternalProgramError, ExternalProtocol, ProgramLaunch};

/// Thread on which an engine runs, identified by the engine's task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EngineThreadId {
    /// Thread of the engine that plays a side.
    Seat(Side),
    /// Thread of the engine that gives advice.
    Study,
}

/// Unique number of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EngineJobId(pub u64);

/// Engine of a seat: built-in or external.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnginePlayer {
    /// A built-in engine.
    BuiltIn(EngineKind),
    /// An external engine.
    External(Arc<ExternalProgram>),
}

/// Description of an engine to build for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSeat {
    /// Engine that plays.
    pub player: EnginePlayer,
    /// Configuration with which the engine is built.
    pub config: EngineConfig,
    /// Number of engine changes in this seat. Each change builds a new engine.
    pub turn: u32,
}

/// A request to an engine.
#[derive(Clone, Debug)]
pub struct EngineJob {
    /// Number of the job.
    pub id: EngineJobId,
    /// Thread that runs the job.
    pub host: EngineThreadId,
    /// Engine that runs the job.
    pub engine: EngineSeat,
    /// Position to search.
    pub position: Arc<dyn Position>,
    /// Kind of the request.
    pub purpose: EngineRequest,
    /// Limits that replace those of the engine.
    pub limits: Limits,
    /// `true` if the best answer so far is wanted at once.
    pub is_due: bool,
}

impl EngineSeat {
    /// Returns the external engine of the seat, if it has one.
    pub(crate) fn external_program(&self) -> Option<&Arc<ExternalProgram>> {
        match &self.player {
            EnginePlayer::BuiltIn(_) => None,
            EnginePlayer::External(program) => Some(program),
        }
    }
}

impl EngineJob {
    /// Reports whether this job makes the same request as another.
    pub(crate) fn has_same_request(&self, other: &EngineJob) -> bool {
        self.host == other.host
            && self.engine == other.engine
            && Arc::ptr_eq(&self.position, &other.position)
            && self.purpose == other.purpose
            && self.limits == other.limits
    }
}

/// Event of a job. Receivers ignore it if the job is no longer wanted.
#[derive(Debug)]
pub enum EngineEvent {
    /// The search has a new report.
    Report(EngineJobId, Arc<LatestReport>),
    /// The engine has answered.
    Done(EngineJobId, Box<EngineAnswer>),
    /// The engine failed and gives no answer.
    Failed(EngineJobId, EngineError),
    /// The engine panicked. The receiver resumes the panic with this payload.
    Panicked(Box<dyn std::any::Any + Send>),
}

/// Function that builds an engine. Tests can supply their own.
pub type EngineFactory =
    Arc<dyn Fn(&dyn Position, &EngineSeat) -> Result<Box<dyn AnyEngine>, EngineError> + Send + Sync>;

/// Latest unread report of a search, which replaces older ones.
#[derive(Debug, Default)]
pub struct LatestReport(Mutex<Option<Arc<SearchReport>>>);

impl LatestReport {
    /// Creates an unread report.
    #[must_use]
    pub fn new(report: SearchReport) -> Self {
        LatestReport(Mutex::new(Some(Arc::new(report))))
    }

    /// Takes the report, if nobody has read it yet.
    #[must_use]
    pub fn take(&self) -> Option<Arc<SearchReport>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Replaces the report. Returns `true` if there was no unread one.
    fn replace(&self, report: &SearchReport) -> bool {
        let newest = Some(Arc::new(report.clone()));
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), newest).is_none()
    }
}

/// Returns the factory of the built-in engines.
#[must_use]
pub fn builtin_engine_factory() -> EngineFactory {
    Arc::new(|position, engine| match &engine.player {
        EnginePlayer::BuiltIn(kind) => position.build_engine(*kind, &engine.config),
        EnginePlayer::External(program) => {
            Err(EngineError::Start(format!("{program} is an external engine")))
        }
    })
}
