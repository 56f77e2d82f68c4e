//! Parts of a kind of job: its work, a worker for each thread, and the report on finished units.

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value};

use super::fields::JobError;
use super::runner::Desk;
use super::shard::{RecordLayout, Shard};
use crate::registry::Entry;

/// An error in one unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// The unit would fail again.
    #[error("{0}")]
    Failed(String),
    /// The unit may succeed later or on another machine.
    #[error("{0}")]
    Retry(String),
}

/// The reason why a job has no next one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NextError {
    /// Nothing follows jobs of its kind.
    #[error("only a job of kind tune has a next generation")]
    Kind,
    /// Some of its units are missing.
    #[error("{0} of {1} units are present; the values are updated once all of them are")]
    Missing(usize, u32),
    /// The units belong to another job.
    #[error(transparent)]
    Units(#[from] JobError),
}

/// Reads the file of a job for these games.
pub type ReadJob = fn(&'static [Entry], &[u8]) -> Result<Box<dyn JobKind>, JobError>;

/// A kind of job.
#[derive(Clone, Copy, Debug)]
pub struct JobKindSpec {
    /// Its name in jobs and shards.
    pub name: &'static str,
    /// Reads the file of a job of this kind.
    pub read: ReadJob,
    /// Reports on the units of a shard.
    pub report: fn(&'static [Entry], &Shard) -> Result<JobReport, JobError>,
}

/// A report on finished units.
#[derive(Clone, Debug)]
pub struct JobReport {
    /// The report as lines of text.
    pub words: String,
    /// The report as a JSON object.
    pub json: Map<String, Value>,
    /// A fault in spite of which all units are finished, such as forfeits. The exit code is then 1.
    pub fault: Option<String>,
}

/// The work of a job. The content of a unit depends only on the job and the number of the unit.
pub trait JobKind: Debug + Sync {
    /// Returns how a shard separates the units.
    fn layout(&self) -> RecordLayout {
        RecordLayout::Lines
    }
    /// Returns the fields of a shard's header that only this kind has, `deterministic` among them.
    fn header(&self) -> Map<String, Value>;
    /// Makes a worker, which does one unit after the other.
    ///
    /// # Errors
    /// If no worker can be made on this machine now.
    fn worker(&self) -> Result<Box<dyn UnitWorker + '_>, WorkError>;
    /// Reports whether the work uses the standard streams. No shard can be written there then, and one thread does all
    /// units.
    fn takes_streams(&self) -> bool {
        false
    }
    /// Returns the job that continues this one, made from all its units; `None` if nothing is left to do.
    ///
    /// # Errors
    /// If this kind has no next job, or the units belong to another job.
    fn next(&self, _: &Shard) -> Result<Option<String>, NextError> {
        Err(NextError::Kind)
    }
    /// Describes an external program that the job starts, if it starts one. A job from others may name any program.
    fn program(&self) -> Option<String> {
        None
    }
}

/// The desk of a thread that does units of a job: the result of each is its body.
pub type UnitDesk<'a> = Desk<'a, Vec<u8>, WorkError>;

/// Does the units of a job.
pub trait UnitWorker {
    /// Does one unit and returns its body: a line without its end, or the bytes of a frame with the number in front. It
    /// may end early once `stop` is set; its result is then dropped.
    ///
    /// # Errors
    /// If it cannot be done.
    fn unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, WorkError>;

    /// Does units until there are no more.
    ///
    /// # Errors
    /// If one of them cannot be done.
    fn work(&mut self, desk: &UnitDesk<'_>) -> Result<(), WorkError> {
        while let Some(unit) = desk.next_unit() {
            let body = self.unit(u32::try_from(unit).expect("units of a job are u32"), desk.stop())?;
            desk.hand_in(unit, body);
            desk.finish(unit);
        }
        Ok(())
    }
}
