//! Games between engines in numbers: matches, self-play, solving and tuning, on one machine or as jobs on many.
//! Knows sessions, levels and programs, no particular game.

pub mod jobs;
pub mod kinds;
pub mod matches;
pub mod report;
pub mod selfplay;
pub mod solving;
pub mod stats;
pub mod tuning;
