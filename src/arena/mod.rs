//! Games between engines in numbers: matches, self-play, solving and tuning, on one machine or as jobs on many.
//! Knows sessions, levels and programs, no particular game.

#[doc(hidden)] // the files of jobs and shards, open for the tests of the program
pub mod jobs;
#[doc(hidden)] // the same
pub mod kinds;
pub mod matches;
pub mod report;
pub mod selfplay;
pub mod solving;
pub mod stats;
pub mod tuning;
