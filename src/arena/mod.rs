//! Matches between engines, self-play, solving and tuning, on one computer or as jobs on many.
//!
//! This module does not depend on any particular game.

#[doc(hidden)] // public only for the integration tests
pub mod jobs;
#[doc(hidden)] // public only for the integration tests
pub mod kinds;
pub mod matches;
pub mod report;
pub mod selfplay;
pub mod solving;
pub mod stats;
pub mod tuning;
