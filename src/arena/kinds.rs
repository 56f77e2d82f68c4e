//! Registry of the kinds of jobs, and the parser of job files.

use crate::arena::jobs::shard::MAX_JOB_UNITS;
use crate::arena::jobs::{self, ArenaJob, ArenaJobError, JOB_SCHEMA_VERSION, JobHeader, JobKindSpec};
use crate::arena::matches::pairs;
use crate::arena::stats::hash::fnv1a;
use crate::arena::{selfplay, solving, tuning};
use crate::game::Refusal;
use crate::registry::RegisteredGame;

/// All kinds of jobs.
pub const JOB_KINDS: &[JobKindSpec] = &[
    JobKindSpec {
        name: "selfplay",
        read: selfplay::parse_selfplay_job,
        report: selfplay::report_selfplay_shard,
    },
    JobKindSpec { name: "solve", read: solving::parse_solve_job, report: solving::report_solve_shard },
    JobKindSpec { name: "arena", read: pairs::parse_match_job, report: pairs::report_match_shard },
    JobKindSpec { name: "tune", read: tuning::parse_tune_job, report: tuning::report_tune_shard },
];

/// Finds a kind of job by its name.
///
/// # Errors
/// Returns an error that lists the valid kinds if there is none with this name.
pub fn find_job_kind(name: &str) -> Result<&'static JobKindSpec, ArenaJobError> {
    JOB_KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<&str> = JOB_KINDS.iter().map(|kind| kind.name).collect();
        ArenaJobError(format!(
            "there is no job kind {:?}; kinds are {}",
            Refusal::sanitize_excerpt(name),
            names.join(", ")
        ))
    })
}

impl ArenaJob {
    /// Parses a job file, given the registered games.
    ///
    /// # Errors
    /// Returns an error that says what is expected if the file is not a valid job.
    pub fn parse(games: &'static [RegisteredGame], bytes: &[u8]) -> Result<Self, ArenaJobError> {
        let JobHeader { crosspath, schema, kind: name, units, .. } = jobs::parse_json_object(bytes)?;
        if crosspath != "job" {
            return Err(ArenaJobError::new("the field crosspath is not \"job\""));
        }
        if schema != JOB_SCHEMA_VERSION {
            return Err(ArenaJobError(format!(
                "the schema is {schema}; this version reads schema {JOB_SCHEMA_VERSION}"
            )));
        }
        if !(1..=MAX_JOB_UNITS).contains(&units) {
            return Err(ArenaJobError(format!("units must be a number from 1 to {MAX_JOB_UNITS}")));
        }
        let kind = find_job_kind(&name)?;
        let work = (kind.read)(games, bytes)?;
        Ok(ArenaJob { hash: fnv1a(bytes), units, kind, work })
    }
}
