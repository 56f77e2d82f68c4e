//! The kinds of jobs, and the reading of a job's file.

use crate::arena::jobs::shard::MAX_UNITS;
use crate::arena::jobs::{self, ArenaJob, JobError, JobHead, JobKindSpec, SCHEMA};
use crate::arena::matches::pairs;
use crate::arena::stats::hash::fnv1a;
use crate::arena::{selfplay, solving, tuning};
use crate::game::Refusal;
use crate::registry::Entry;

/// Every kind of job.
pub const KINDS: &[JobKindSpec] = &[
    JobKindSpec { name: "selfplay", read: selfplay::read, report: selfplay::report },
    JobKindSpec { name: "solve", read: solving::read, report: solving::report },
    JobKindSpec { name: "arena", read: pairs::read, report: pairs::report },
    JobKindSpec { name: "tune", read: tuning::read, report: tuning::report },
];

/// Returns the kind of this name.
///
/// # Errors
/// If there is none; the error lists the kinds.
pub fn kind(name: &str) -> Result<&'static JobKindSpec, JobError> {
    KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        JobError(format!("there is no job kind {:?}; kinds are {}", Refusal::shown(name), names.join(", ")))
    })
}

impl ArenaJob {
    /// Reads the file of a job for these games.
    ///
    /// # Errors
    /// If the file is not a valid job; the error says what would be.
    pub fn read(games: &'static [Entry], bytes: &[u8]) -> Result<Self, JobError> {
        let JobHead { crosspath, schema, kind: name, units, .. } = jobs::read(bytes)?;
        if crosspath != "job" {
            return Err(JobError::new("the field crosspath is not \"job\""));
        }
        if schema != SCHEMA {
            return Err(JobError(format!("the schema is {schema}; this version reads schema {SCHEMA}")));
        }
        if !(1..=MAX_UNITS).contains(&units) {
            return Err(JobError(format!("units must be a number from 1 to {MAX_UNITS}")));
        }
        let kind = kind(&name)?;
        let work = (kind.read)(games, bytes)?;
        Ok(ArenaJob { hash: fnv1a(bytes), units, kind, work })
    }
}
