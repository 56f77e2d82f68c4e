//! Matches between engines: pairs of games from one opening with the seats exchanged, and what they say.
//! Knows sessions, levels and programs, no particular game.

pub mod evaluator;
mod files;
mod game;
pub mod hash;
pub mod job;
pub mod merge;
mod openings;
pub mod page;
mod pairs;
mod plan;
pub mod rating;
mod record;
mod report;
mod run;
pub mod selfplay;
pub mod shard;
pub mod solving;
pub mod sprt;
pub mod spsa;
pub mod stats;
pub mod tuning;

pub use files::{FilesError, Played};
pub use openings::{Openings, OpeningsError};
pub use plan::{Contestant, ContestantError, Plan, PlanError, Player};
pub use record::RecordsError;
pub use report::{MatchReport, Report};
pub use run::{Progress, Records, RunError};
