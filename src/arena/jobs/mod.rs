//! Jobs: files that describe work, cut into numbered units. Knows no kind of job; each kind defines its units.

mod members;
pub mod merge;
mod runner;
pub mod shard;

use std::fmt::{Debug, Display};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value};

use crate::registry::Entry;

pub use members::Members;
pub(super) use members::set_from_json;
pub(crate) use members::{limits_in_json, settings_in_json};
pub(super) use runner::{InOrder, Sink, run};
use shard::{Header, RecordLayout, Shard, block};

/// The longest job, in bytes.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// An error in a job that no other run can avoid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

impl JobError {
    pub(in crate::arena) fn new(why: impl Display) -> Self {
        JobError(why.to_string())
    }
}

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

/// A kind of job.
#[derive(Clone, Copy, Debug)]
pub struct KindSpec {
    /// Its name in jobs and shards.
    pub name: &'static str,
    /// Reads the members of a job file that only this kind has.
    pub read: fn(&mut Members) -> Result<Box<dyn Kind>, JobError>,
    /// Reports on the units of a shard.
    pub report: fn(&'static [Entry], &Shard) -> Result<Report, String>,
}

/// A report on finished units.
#[derive(Clone, Debug)]
pub struct Report {
    /// The report as lines of text.
    pub words: String,
    /// The report as a JSON object.
    pub json: Map<String, Value>,
    /// A fault in spite of which all units are finished, such as forfeits. The exit code is then 1.
    pub fault: Option<String>,
}

/// The work of a job. The content of a unit depends only on the job and the number of the unit.
pub trait Kind: Debug + Sync {
    /// Returns how a shard separates the units.
    fn layout(&self) -> RecordLayout;
    /// Returns the members of a shard's header that only this kind has, `deterministic` among them.
    fn header(&self) -> Map<String, Value>;
    /// Makes a worker, which does one unit after the other.
    ///
    /// # Errors
    /// If no worker can be made on this machine now.
    fn worker(&self) -> Result<Box<dyn Worker + '_>, WorkError>;
    /// Returns the bodies of these units.
    ///
    /// # Errors
    /// The first error of a worker.
    fn run(&self, units: Range<u32>, threads: usize) -> Result<Vec<Vec<u8>>, WorkError> {
        bodies(&|| self.worker(), units, threads)
    }
    /// Reports whether the work uses the standard streams, so that no shard can be written there.
    fn takes_streams(&self) -> bool {
        false
    }
    /// Returns the job that continues this one, made from all its units; `None` if nothing is left to do.
    ///
    /// # Errors
    /// If this kind has no next job, or the units belong to another job.
    fn next(&self, _: &Shard) -> Result<Option<String>, String> {
        Err("only a job of kind tune has a next generation".to_owned())
    }
    /// Describes an external program that the job starts, if it starts one. A job from others may name any program.
    fn program(&self) -> Option<String> {
        None
    }
}

/// Does the units of a job.
pub trait Worker {
    /// Does one unit and appends its body: a line without its end, or the bytes of a frame with the number in front.
    ///
    /// # Errors
    /// If it cannot be done, or was stopped.
    fn unit(&mut self, unit: u32, stop: &AtomicBool, body: &mut Vec<u8>) -> Result<(), WorkError>;
}

/// Makes a worker for each thread.
pub(crate) type NewWorker<'a> = dyn Fn() -> Result<Box<dyn Worker + 'a>, WorkError> + Sync + 'a;

/// The bodies of units in their order; together not longer than a shard may be.
#[derive(Debug, Default)]
pub(in crate::arena) struct Bodies {
    done: Vec<Vec<u8>>,
    bytes: u64,
}

impl Bodies {
    /// Counts the bytes of a body.
    ///
    /// # Errors
    /// If all bodies together are longer than a shard may be.
    pub(in crate::arena) fn count(&mut self, body: &[u8]) -> Result<(), WorkError> {
        self.bytes += body.len() as u64;
        if self.bytes > shard::MAX_BYTES {
            let most = shard::MAX_BYTES >> 20;
            return Err(WorkError::Failed(format!(
                "the shard is longer than {most} MiB; split the job into more parts"
            )));
        }
        Ok(())
    }

    /// Adds the next body.
    pub(in crate::arena) fn push(&mut self, body: Vec<u8>) {
        self.done.push(body);
    }

    /// Returns all of them.
    pub(in crate::arena) fn all(self) -> Vec<Vec<u8>> {
        self.done
    }
}

impl Sink<Vec<u8>, WorkError> for Bodies {
    fn arrived(&mut self, body: &Vec<u8>) -> Result<(), WorkError> {
        self.count(body)
    }

    fn unit(&mut self, _: u64, bodies: Vec<Vec<u8>>) -> Result<ControlFlow<()>, WorkError> {
        self.done.extend(bodies);
        Ok(ControlFlow::Continue(()))
    }
}

/// Returns the bodies of these units. The number of threads does not change them.
///
/// # Errors
/// The first error of a worker.
pub(in crate::arena) fn bodies(
    worker: &NewWorker<'_>,
    units: Range<u32>,
    threads: usize,
) -> Result<Vec<Vec<u8>>, WorkError> {
    let new_worker = || {
        let mut worker = worker()?;
        Ok(move |unit: u64, stop: &AtomicBool, emit: &mut dyn FnMut(Vec<u8>)| {
            let mut body = Vec::new();
            worker.unit(u32::try_from(unit).expect("units of a job are u32"), stop, &mut body)?;
            emit(body);
            Ok(())
        })
    };
    let mut bodies = Bodies::default();
    run(units.start.into()..units.end.into(), threads, new_worker, &mut bodies)?;
    Ok(bodies.done)
}

/// A job that was read and checked.
#[derive(Debug)]
pub struct Job {
    /// The hash of the bytes of its file.
    pub hash: u64,
    /// The number of units.
    pub units: u32,
    /// The name of its kind.
    pub kind: &'static str,
    /// The work.
    pub work: Box<dyn Kind>,
}

impl Job {
    /// Returns the header of a shard.
    #[must_use]
    pub fn header(&self, index: u32, count: u32) -> Header {
        let of_block = (index, count, self.units);
        Header::new((self.hash, self.kind), self.work.layout(), of_block, &self.work.header())
    }

    /// Does one block of the units. The number of threads and blocks does not change the content of a unit.
    ///
    /// # Errors
    /// If one of them cannot be done.
    pub fn shard(&self, index: u32, count: u32, threads: usize) -> Result<Shard, WorkError> {
        let bodies = self.work.run(block(index, count, self.units), threads)?;
        Ok(self.shard_of(index, count, &bodies))
    }

    /// Does all units with these workers.
    ///
    /// # Errors
    /// The first error of a worker.
    pub fn whole(&self, worker: &NewWorker<'_>, threads: usize) -> Result<Shard, WorkError> {
        Ok(self.shard_of(0, 1, &bodies(worker, 0..self.units, threads)?))
    }

    /// Returns the shard of a block of units with these bodies.
    #[must_use]
    pub fn shard_of(&self, index: u32, count: u32, bodies: &[Vec<u8>]) -> Shard {
        let units = block(index, count, self.units);
        Shard::new(self.header(index, count), units.zip(bodies.iter().map(Vec::as_slice)))
    }
}
