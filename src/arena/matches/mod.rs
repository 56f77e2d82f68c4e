//! Matches between engines: pairs of games from one opening with the seats exchanged, and what decides that they end.
//! Knows sessions, levels and programs, no particular game.

pub(super) mod fields;
mod game;
pub(super) mod game_record;
pub(super) mod games_file;
mod opening;
pub(super) mod openings;
pub(super) mod pairs;
mod plan;
mod report;
mod run;

pub use games_file::{Records, RecordsError};
pub use opening::Opening;
pub use openings::{Openings, OpeningsError};
pub use plan::{Contestant, ContestantEngine, ContestantError, MatchPlan, NoSuchEngine, PlanError};
pub use report::{MatchReport, TournamentReport};
pub(super) use run::{PairPlayer, Programs};
pub use run::{Progress, RunError};
