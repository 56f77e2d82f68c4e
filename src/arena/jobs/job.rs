//! A parsed job, and the execution of its units.
//!
//! This module uses the kinds of jobs only through their traits.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::runner::{self, ResultSink};
use super::shard::{self, Shard, ShardHeader, unit_range_of_block};
use super::work::{ArenaJobKind, JobKindSpec, UnitError};

/// Maximum size of a job file, in bytes.
pub(crate) const MAX_JOB_BYTES: u64 = 64 << 20;

/// Callback that receives the number and body of each finished unit.
pub(crate) type UnitCallback<'a> = dyn FnMut(u32, &[u8]) -> Result<(), UnitError> + 'a;

/// A job that was parsed and validated.
#[derive(Debug)]
pub struct ArenaJob {
    /// Hash of the bytes of the job file.
    pub hash: u64,
    /// Number of units of the job.
    pub units: u32,
    /// Kind of the job.
    pub kind: &'static JobKindSpec,
    /// The work of the job, specific to its kind.
    pub work: Box<dyn ArenaJobKind>,
}

impl ArenaJob {
    /// Builds the header of the shard for block `index` of `count` blocks.
    #[must_use]
    pub fn shard_header(&self, index: u32, count: u32) -> ShardHeader {
        let of_block = (index, count, self.units);
        ShardHeader::new(
            (self.hash, self.kind.name),
            self.work.record_layout(),
            of_block,
            self.work.header_fields(),
        )
    }

    /// Runs the units of one block and returns them as a shard.
    ///
    /// The contents of a unit depend neither on the number of threads nor on the number of blocks.
    ///
    /// # Errors
    /// Returns an error if a unit fails.
    pub fn compute_shard(&self, index: u32, count: u32, threads: usize) -> Result<Shard, UnitError> {
        self.run_missing_units((index, count), threads, BTreeMap::new(), &mut |_, _| Ok(()))
    }

    /// Runs the units of a block except those in `known`. Calls `on_unit` for each unit as soon as
    /// it is finished.
    ///
    /// # Errors
    /// Returns an error if a unit or `on_unit` fails.
    pub(crate) fn run_missing_units(
        &self,
        (index, count): (u32, u32),
        threads: usize,
        known: BTreeMap<u64, Vec<u8>>,
        on_unit: &mut UnitCallback<'_>,
    ) -> Result<Shard, UnitError> {
        let block = unit_range_of_block(index, count, self.units);
        let threads = if self.work.uses_standard_streams() { 1 } else { threads };
        let done = known.keys().copied().collect();
        let bytes = known.values().map(|body| body.len() as u64).sum();
        let mut bodies = OrderedResults { bytes, received: known, on_unit };
        let units = block.start.into()..block.end.into();
        runner::run_units(
            units,
            &done,
            threads,
            &|desk| self.work.create_worker()?.run_units(desk),
            &mut bodies,
        )?;
        let bodies: Vec<Vec<u8>> = bodies.received.into_values().collect();
        Ok(self.assemble_shard(index, count, &bodies))
    }

    /// Builds the shard of a block from the bodies of its units.
    #[must_use]
    pub fn assemble_shard(&self, index: u32, count: u32, bodies: &[Vec<u8>]) -> Shard {
        let units = unit_range_of_block(index, count, self.units);
        Shard::new(self.shard_header(index, count), units.zip(bodies.iter().map(Vec::as_slice)))
    }
}

/// Collects unit bodies in order, up to the maximum size of a shard.
struct OrderedResults<'a> {
    bytes: u64,
    received: BTreeMap<u64, Vec<u8>>,
    on_unit: &'a mut UnitCallback<'a>,
}

impl ResultSink<Vec<u8>, UnitError> for OrderedResults<'_> {
    fn receive(&mut self, unit: u64, body: Vec<u8>) -> Result<(), UnitError> {
        self.bytes += body.len() as u64;
        if self.bytes > shard::MAX_SHARD_BYTES {
            let most = shard::MAX_SHARD_BYTES >> 20;
            return Err(UnitError::Failed(format!(
                "the shard is longer than {most} MiB; split the job into more parts"
            )));
        }
        (self.on_unit)(u32::try_from(unit).expect("units of a job are u32"), &body)?;
        self.received.insert(unit, body);
        Ok(())
    }

    fn count_unit(&mut self, _: u64) -> Result<ControlFlow<()>, UnitError> {
        Ok(ControlFlow::Continue(()))
    }
}
