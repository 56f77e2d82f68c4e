//! Reads the games of self-play shards and counts duplicate positions.
//!
//! This module handles moves only as numbers.

use std::collections::BTreeSet;

use serde::Serialize;

use super::record::{GameEnding, SearchedPosition, SelfplayGame};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{self, ArenaJobError, JobReport};
use crate::arena::stats::count_to_f64;
use crate::game::{Outcome, Side};
use crate::registry::RegisteredGame;

/// Reads the games of shards. Positions that occurred before, in any game, are counted as duplicates and
/// skipped.
///
/// ```
/// use crosspath::arena::{jobs::ArenaJob, selfplay::SelfplayReader};
/// use crosspath::registry::GAMES;
/// let job = r#"{"crosspath":"job","schema":1,"kind":"selfplay","seed":"1","units":9,
///     "game":"tic-tac-toe","engine":"level:1","limits":{"nodes":10}}"#;
/// let shard = ArenaJob::parse(GAMES, job.as_bytes())?.compute_shard(0, 1, 1)?;
/// let mut reader = SelfplayReader::default();
/// let mut distinct = 0;
/// reader.read_shard(&shard, |_, _| distinct += 1)?;
/// assert_eq!((reader.games, reader.positions - reader.duplicates), (9, distinct));
/// assert!(reader.duplicates >= 8, "each game begins with the empty board");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, Serialize)]
pub struct SelfplayReader {
    #[serde(skip)]
    known: BTreeSet<u64>,
    /// Number of games read.
    pub games: u64,
    /// Number of moves in the games, including openings.
    pub plies: u64,
    /// Number of searched positions.
    pub positions: u64,
    /// Number of searched positions that occurred before.
    pub duplicates: u64,
    /// Number of games won by First.
    pub first: u64,
    /// Number of games won by Second.
    pub second: u64,
    /// Number of drawn games.
    pub draws: u64,
    /// Number of games that ended by the rules.
    pub by_rules: u64,
    /// Number of games drawn by threefold repetition.
    pub by_repetition: u64,
    /// Number of games drawn because they reached the maximum length.
    pub by_length: u64,
}

impl SelfplayReader {
    /// Reads a shard and calls `position` for each new position.
    ///
    /// # Errors
    /// Returns an error that names the first invalid unit.
    pub fn read_shard(
        &mut self,
        shard: &Shard,
        mut position: impl FnMut(&SelfplayGame, &SearchedPosition),
    ) -> Result<(), ArenaJobError> {
        let mut game = SelfplayGame::default();
        for (unit, bytes) in shard.units() {
            let wrong = |why| ArenaJobError(format!("unit {unit} is not a self-play game: {why}"));
            game.decode(bytes).map_err(wrong)?;
            self.games += 1;
            self.plies += game.moves.len() as u64;
            *match game.outcome {
                Outcome::Draw => &mut self.draws,
                Outcome::Win(Side::First) => &mut self.first,
                Outcome::Win(Side::Second) => &mut self.second,
            } += 1;
            *match game.ending {
                GameEnding::Rules => &mut self.by_rules,
                GameEnding::Repetition => &mut self.by_repetition,
                GameEnding::Length => &mut self.by_length,
            } += 1;
            for searched in &game.positions {
                self.positions += 1;
                if self.known.insert(searched.key) {
                    position(&game, searched);
                } else {
                    self.duplicates += 1;
                }
            }
        }
        Ok(())
    }
}

/// Builds the report on the games of a shard.
pub(in crate::arena) fn report_selfplay_shard(
    _: &'static [RegisteredGame],
    shard: &Shard,
) -> Result<JobReport, ArenaJobError> {
    let mut reader = SelfplayReader::default();
    reader.read_shard(shard, |_, _| ())?;
    let SelfplayReader { games, positions, duplicates, first, second, draws, .. } = &reader;
    let percent = count_to_f64(100 * duplicates) / count_to_f64(*positions.max(&1));
    let game = shard.header.text_field("game");
    let words = format!(
        "{game}: {games} games, {positions} positions, {duplicates} of them duplicates ({percent:.1}%)\nfirst won {first}, second won {second}, draws {draws}\n"
    );
    Ok(JobReport { words, json: jobs::to_json_fields(&reader), fault: None })
}
