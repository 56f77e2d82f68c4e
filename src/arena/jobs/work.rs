//! Interface that every kind of job implements: its work, its workers, and its report.

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value};

use super::fields::ArenaJobError;
use super::runner::UnitDispatcher;
use super::shard::{RecordLayout, Shard};
use crate::registry::RegisteredGame;

/// Error in one unit of a job.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// Permanent error: the unit would fail again.
    #[error("{0}")]
    Failed(String),
    /// Temporary error: the unit may succeed later or on another computer.
    #[error("{0}")]
    Retry(String),
}

/// Reasons why no follow-up job can be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NextJobError {
    /// This kind of job has no follow-up job.
    #[error("only a job of kind tune has a next generation")]
    Kind,
    /// Some units are missing: the number present, and the number of units of the job.
    #[error("{0} of {1} units are present; the values are updated once all of them are")]
    Missing(usize, u32),
    /// The units belong to another job.
    #[error(transparent)]
    Units(#[from] ArenaJobError),
}

/// Function that parses a job file, given the registered games.
pub type JobParser = fn(&'static [RegisteredGame], &[u8]) -> Result<Box<dyn ArenaJobKind>, ArenaJobError>;

/// Name and entry points of a kind of job.
#[derive(Clone, Copy, Debug)]
pub struct JobKindSpec {
    /// Name of the kind in jobs and shards.
    pub name: &'static str,
    /// Parses a job file of this kind.
    pub read: JobParser,
    /// Builds a report on the units of a shard.
    pub report: fn(&'static [RegisteredGame], &Shard) -> Result<JobReport, ArenaJobError>,
}

/// Report on finished units of a job.
#[derive(Clone, Debug)]
pub struct JobReport {
    /// Report as text, in lines.
    pub words: String,
    /// Report as a JSON object.
    pub json: Map<String, Value>,
    /// Problem to report although all units finished, such as forfeited games. The exit code is
    /// then 1.
    pub fault: Option<String>,
}

/// Work of a job. The content of a unit depends only on the job and the unit number.
pub trait ArenaJobKind: Debug + Sync {
    /// Returns the layout of the units within a shard.
    fn record_layout(&self) -> RecordLayout {
        RecordLayout::Lines
    }
    /// Returns the kind-specific fields of a shard header, including `deterministic`.
    fn header_fields(&self) -> Map<String, Value>;
    /// Creates a worker, which runs units one after the other.
    ///
    /// # Errors
    /// Returns an error if no worker can be created on this computer at the moment.
    fn create_worker(&self) -> Result<Box<dyn UnitWorker + '_>, UnitError>;
    /// Reports whether the work uses standard input and output.
    ///
    /// If it does, shards cannot be written to standard output, and a single thread runs all units.
    fn uses_standard_streams(&self) -> bool {
        false
    }
    /// Returns the job that continues this one, computed from all its units, or `None` if the work is
    /// complete.
    ///
    /// # Errors
    /// Returns an error if this kind has no next job, or if the units belong to another job.
    fn next_job(&self, _: &Shard) -> Result<Option<String>, NextJobError> {
        Err(NextJobError::Kind)
    }
    /// Describes the external program that the job starts, if any. Jobs from other people may name any
    /// program.
    fn external_program(&self) -> Option<String> {
        None
    }
}

/// Dispatcher for the units of a job. The result of a unit is its body.
pub type JobUnitDispatcher<'a> = UnitDispatcher<'a, Vec<u8>, UnitError>;

/// Runs the units of a job.
pub trait UnitWorker {
    /// Runs one unit and returns its body: a line without its newline, or the bytes of a frame starting
    /// with the unit number. It may end early once `stop` is set, and its result is then discarded.
    ///
    /// # Errors
    /// Returns an error if the unit fails.
    fn run_unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, UnitError>;

    /// Runs units until there are no more.
    ///
    /// # Errors
    /// Returns an error if a unit fails.
    fn run_units(&mut self, desk: &JobUnitDispatcher<'_>) -> Result<(), UnitError> {
        while let Some(unit) = desk.next_unit() {
            let body =
                self.run_unit(u32::try_from(unit).expect("units of a job are u32"), desk.stop_flag())?;
            desk.send_result(unit, body);
            desk.finish_unit(unit);
        }
        Ok(())
    }
}
