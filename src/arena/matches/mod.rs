//! Matches between engines: pairs of games from one opening, with the sides swapped.
//!
//! This module does not depend on any particular game.

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

pub use games_file::{GamesFileError, GamesFileWriter};
pub use opening::Opening;
pub use openings::{Openings, OpeningsError};
pub use plan::{Contestant, ContestantEngine, ContestantError, MatchPlan, MatchPlanError, NoSuchEngine};
pub use report::{MatchReport, TournamentReport};
pub use run::{MatchError, MatchProgress};
pub(super) use run::{PairPlayer, ProgramLifetime};
