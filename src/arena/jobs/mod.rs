//! Jobs: files that describe work, cut into numbered units. Knows no kind of job; each kind defines its units.

mod job;
mod members;
pub mod merge;
mod runner;
pub mod shard;
mod work;

pub use job::Job;
pub(crate) use job::MAX_BYTES;
pub use members::{JobError, Members};
pub(super) use members::{SCHEMA, limits_in_json, set_from_json, settings_in_json};
pub use runner::Desk;
pub(super) use runner::{Sink, run};
pub use work::{Kind, KindSpec, NextError, Report, UnitDesk, UnitsError, WorkError, Worker};
