//! A job that was read, and how its units are done. Knows kinds of jobs only by their traits.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::runner::{self, Sink};
use super::shard::{self, Shard, ShardHeader, block};
use super::work::{JobKind, JobKindSpec, WorkError};

/// The longest job, in bytes.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// Receives the number and the body of a unit that is done.
pub(crate) type OnUnit<'a> = dyn FnMut(u32, &[u8]) -> Result<(), WorkError> + 'a;

/// A job that was read and checked.
#[derive(Debug)]
pub struct ArenaJob {
    /// The hash of the bytes of its file.
    pub hash: u64,
    /// The number of units.
    pub units: u32,
    /// Its kind.
    pub kind: &'static JobKindSpec,
    /// The work.
    pub work: Box<dyn JobKind>,
}

impl ArenaJob {
    /// Returns the header of a shard.
    #[must_use]
    pub fn header(&self, index: u32, count: u32) -> ShardHeader {
        let of_block = (index, count, self.units);
        ShardHeader::new((self.hash, self.kind.name), self.work.layout(), of_block, self.work.header())
    }

    /// Does one block of the units. The number of threads and blocks does not change the content of a unit.
    ///
    /// # Errors
    /// If one of them cannot be done.
    pub fn shard(&self, index: u32, count: u32, threads: usize) -> Result<Shard, WorkError> {
        self.run((index, count), threads, BTreeMap::new(), &mut |_, _| Ok(()))
    }

    /// Does the units of a block except those whose bodies are `known`. `on_unit` receives each as soon as it is done.
    ///
    /// # Errors
    /// If one of them cannot be done, or `on_unit` fails.
    pub(crate) fn run(
        &self,
        (index, count): (u32, u32),
        threads: usize,
        known: BTreeMap<u64, Vec<u8>>,
        on_unit: &mut OnUnit<'_>,
    ) -> Result<Shard, WorkError> {
        let block = block(index, count, self.units);
        let threads = if self.work.takes_streams() { 1 } else { threads };
        let done = known.keys().copied().collect();
        let bytes = known.values().map(|body| body.len() as u64).sum();
        let mut bodies = OrderedResults { bytes, received: known, on_unit };
        let units = block.start.into()..block.end.into();
        runner::run(units, &done, threads, &|desk| self.work.worker()?.work(desk), &mut bodies)?;
        let bodies: Vec<Vec<u8>> = bodies.received.into_values().collect();
        Ok(self.shard_of(index, count, &bodies))
    }

    /// Returns the shard of a block of units with these bodies.
    #[must_use]
    pub fn shard_of(&self, index: u32, count: u32, bodies: &[Vec<u8>]) -> Shard {
        let units = block(index, count, self.units);
        Shard::new(self.header(index, count), units.zip(bodies.iter().map(Vec::as_slice)))
    }
}

/// The bodies of units, which together are not longer than a shard may be.
struct OrderedResults<'a> {
    bytes: u64,
    received: BTreeMap<u64, Vec<u8>>,
    on_unit: &'a mut OnUnit<'a>,
}

impl Sink<Vec<u8>, WorkError> for OrderedResults<'_> {
    fn receive(&mut self, unit: u64, body: Vec<u8>) -> Result<(), WorkError> {
        self.bytes += body.len() as u64;
        if self.bytes > shard::MAX_BYTES {
            let most = shard::MAX_BYTES >> 20;
            return Err(WorkError::Failed(format!(
                "the shard is longer than {most} MiB; split the job into more parts"
            )));
        }
        (self.on_unit)(u32::try_from(unit).expect("units of a job are u32"), &body)?;
        self.received.insert(unit, body);
        Ok(())
    }

    fn count(&mut self, _: u64) -> Result<ControlFlow<()>, WorkError> {
        Ok(ControlFlow::Continue(()))
    }
}
