//! A job: a file that says what is to be done, cut into numbered units. Knows the kinds of jobs by their names; what a
//! unit is, each kind says itself.

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

/// Why a job cannot be done, ever.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

impl JobError {
    pub(in crate::arena) fn new(why: impl Display) -> Self {
        JobError(why.to_string())
    }
}

/// Why a unit was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// It would not be done another time either.
    #[error("{0}")]
    Failed(String),
    /// It may be done another time or elsewhere.
    #[error("{0}")]
    Retry(String),
}

/// One of the kinds of jobs.
#[derive(Clone, Copy, Debug)]
pub struct KindSpec {
    /// Its name in jobs and shards.
    pub name: &'static str,
    /// Reads the members of a job that are its own.
    pub read: fn(&mut Members) -> Result<Box<dyn Kind>, JobError>,
    /// Tells about units that are done.
    pub report: fn(&'static [Entry], &Shard) -> Result<Report, String>,
}

/// What is told about units that are done.
#[derive(Clone, Debug)]
pub struct Report {
    /// In lines.
    pub words: String,
    /// The same as an object.
    pub json: Map<String, Value>,
    /// What is wrong although all is done, such as forfeits: the exit code is 1 then.
    pub fault: Option<String>,
}

/// What is to be done, as one kind of job has it. The content of a unit depends on the job and its number alone.
pub trait Kind: Debug + Sync {
    /// How its units are kept apart in a shard.
    fn layout(&self) -> RecordLayout;
    /// What stands in the header of a shard beside what all have. `deterministic` is among it.
    fn header(&self) -> Map<String, Value>;
    /// Somebody who does units one after the other.
    ///
    /// # Errors
    /// If that is not possible here and now.
    fn worker(&self) -> Result<Box<dyn Worker + '_>, WorkError>;
    /// The bodies of all these units.
    ///
    /// # Errors
    /// The first one that a worker meets.
    fn run(&self, units: Range<u32>, threads: usize) -> Result<Vec<Vec<u8>>, WorkError> {
        bodies(&|| self.worker(), units, threads)
    }
    /// Whether it talks on the standard streams while it works, so that no shard can go there.
    fn takes_streams(&self) -> bool {
        false
    }
    /// The job that goes on where this one ends, made of all its units; `None` if nothing is left to do.
    ///
    /// # Errors
    /// If such a job has no next one, or the units are not its own.
    fn next(&self, _: &Shard) -> Result<Option<String>, String> {
        Err("only a job of kind tune has a next generation".to_owned())
    }
    /// A program that it starts, and who names it so; a job of others may name any.
    fn program(&self) -> Option<String> {
        None
    }
}

/// Does units.
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

/// Returns the bodies of these units; the order and number of threads change nothing.
///
/// # Errors
/// The first one that a worker meets.
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

/// A job that can be done.
#[derive(Debug)]
pub struct Job {
    /// Its hash: that of the bytes of its file.
    pub hash: u64,
    /// How many units it has.
    pub units: u32,
    /// The name of its kind.
    pub kind: &'static str,
    /// What is to be done.
    pub work: Box<dyn Kind>,
}

impl Job {
    /// The header of one of its shards.
    #[must_use]
    pub fn header(&self, index: u32, count: u32) -> Header {
        let of_block = (index, count, self.units);
        Header::new((self.hash, self.kind), self.work.layout(), of_block, &self.work.header())
    }

    /// Does one block of the units. Neither threads nor blocks change what is done in a unit.
    ///
    /// # Errors
    /// If one of them cannot be done.
    pub fn shard(&self, index: u32, count: u32, threads: usize) -> Result<Shard, WorkError> {
        let bodies = self.work.run(block(index, count, self.units), threads)?;
        Ok(self.shard_of(index, count, &bodies))
    }

    /// All units, each done by one of these workers.
    ///
    /// # Errors
    /// The first one that a worker meets.
    pub fn whole(&self, worker: &NewWorker<'_>, threads: usize) -> Result<Shard, WorkError> {
        Ok(self.shard_of(0, 1, &bodies(worker, 0..self.units, threads)?))
    }

    /// A block of units with these bodies.
    #[must_use]
    pub fn shard_of(&self, index: u32, count: u32, bodies: &[Vec<u8>]) -> Shard {
        let units = block(index, count, self.units);
        Shard::new(self.header(index, count), units.zip(bodies.iter().map(Vec::as_slice)))
    }
}
