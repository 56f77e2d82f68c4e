//! Jobs: files that describe work, divided into numbered units. Each kind of job defines its own units.

mod fields;
mod job;
pub mod merge;
mod runner;
pub mod shard;
mod work;

pub use fields::ArenaJobError;
pub(super) use fields::{
    JOB_SCHEMA_VERSION, JobHeader, NameOrList, SearchLimitsJson, kind_specific_fields, parse_json_object,
    set_variant_from_json, shard_header_fields, to_json_fields, to_json_line, value_in_range,
};
pub use job::ArenaJob;
pub(crate) use job::MAX_JOB_BYTES;
pub use runner::UnitDispatcher;
pub(super) use runner::{ResultSink, run_units};
pub use work::{
    ArenaJobKind, JobKindSpec, JobParser, JobReport, JobUnitDispatcher, NextJobError, UnitError, UnitWorker,
};
