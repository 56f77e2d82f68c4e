//! Jobs: files that describe work, cut into numbered units. Knows no kind of job; each kind defines its units.

mod fields;
mod job;
pub mod merge;
mod runner;
pub mod shard;
mod work;

pub use fields::JobError;
pub(super) use fields::{
    JobHead, LimitFields, NameOrList, SCHEMA, fields, header, job_fields, json, read, set_from_json, within,
};
pub use job::ArenaJob;
pub(crate) use job::MAX_BYTES;
pub use runner::Desk;
pub(super) use runner::{Sink, run};
pub use work::{JobKind, JobKindSpec, JobReport, NextError, ReadJob, UnitDesk, UnitWorker, WorkError};
