//! Shards of self-play, read: games, and the positions that have not come before. Knows moves as numbers only.

use std::collections::BTreeSet;

use serde::Serialize;

use super::record::{Ending, SearchedPosition, SelfplayGame};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{self, JobError, JobReport};
use crate::arena::stats::float;
use crate::game::{Outcome, Side};
use crate::registry::Entry;

/// Reads the games of shards. A position that has come before, in the same game or another one, is dropped and counted.
///
/// ```
/// use crosspath::arena::{jobs::ArenaJob, selfplay::SelfplayReader};
/// use crosspath::registry::GAMES;
/// let job = r#"{"crosspath":"job","schema":1,"kind":"selfplay","seed":"1","units":9,
///     "game":"tic-tac-toe","engine":"level:1","limits":{"nodes":10}}"#;
/// let shard = ArenaJob::read(GAMES, job.as_bytes())?.shard(0, 1, 1)?;
/// let mut reader = SelfplayReader::default();
/// let mut distinct = 0;
/// reader.read(&shard, |_, _| distinct += 1)?;
/// assert_eq!((reader.games, reader.positions - reader.duplicates), (9, distinct));
/// assert!(reader.duplicates >= 8, "each game begins with the empty board");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, Serialize)]
pub struct SelfplayReader {
    #[serde(skip)]
    known: BTreeSet<u64>,
    /// Games read.
    pub games: u64,
    /// Moves in them, openings included.
    pub plies: u64,
    /// Positions that were thought about.
    pub positions: u64,
    /// Positions among these that had come before.
    pub duplicates: u64,
    /// Games that First won.
    pub first: u64,
    /// Games that Second won.
    pub second: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that ended by the rules.
    pub by_rules: u64,
    /// Games in which a position came for the third time.
    pub by_repetition: u64,
    /// Games that were longer than any game.
    pub by_length: u64,
}

impl SelfplayReader {
    /// Reads a shard; `position` is told of each position that is new.
    ///
    /// # Errors
    /// Names the unit that is no game.
    pub fn read(
        &mut self,
        shard: &Shard,
        mut position: impl FnMut(&SelfplayGame, &SearchedPosition),
    ) -> Result<(), JobError> {
        let mut game = SelfplayGame::default();
        for (unit, bytes) in shard.units() {
            let wrong = |why| JobError(format!("unit {unit} is not a self-play game: {why}"));
            game.read(bytes).map_err(wrong)?;
            self.games += 1;
            self.plies += game.moves.len() as u64;
            *match game.outcome {
                Outcome::Draw => &mut self.draws,
                Outcome::Win(Side::First) => &mut self.first,
                Outcome::Win(Side::Second) => &mut self.second,
            } += 1;
            *match game.ending {
                Ending::Rules => &mut self.by_rules,
                Ending::Repetition => &mut self.by_repetition,
                Ending::Length => &mut self.by_length,
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

/// Tells about the games of a shard.
pub(in crate::arena) fn report(_: &'static [Entry], shard: &Shard) -> Result<JobReport, JobError> {
    let mut reader = SelfplayReader::default();
    reader.read(shard, |_, _| ())?;
    let SelfplayReader { games, positions, duplicates, first, second, draws, .. } = &reader;
    let percent = float(100 * duplicates) / float(*positions.max(&1));
    let game = shard.header.text("game");
    let words = format!(
        "{game}: {games} games, {positions} positions, {duplicates} of them duplicates ({percent:.1}%)\nfirst won {first}, second won {second}, draws {draws}\n"
    );
    Ok(JobReport { words, json: jobs::fields(&reader), fault: None })
}
