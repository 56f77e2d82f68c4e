//! Shards of self-play, read: games, and the positions that have not come before. Knows moves as numbers only.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::record::{Ending, GameRecord, Searched};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{Report, UnitsError};
use crate::arena::stats::float;
use crate::game::{Outcome, Side};
use crate::registry::Entry;

/// Reads the games of shards. A position that has come before, in the same game or another one, is dropped and counted.
///
/// ```
/// use crosspath::arena::{jobs::Job, selfplay::Reader};
/// use crosspath::registry::GAMES;
/// let job = r#"{"crosspath":"job","schema":1,"kind":"selfplay","seed":"1","units":9,
///     "game":"tic-tac-toe","engine":"level:1","limits":{"nodes":10}}"#;
/// let shard = Job::read(GAMES, job.as_bytes())?.shard(0, 1, 1)?;
/// let mut reader = Reader::default();
/// let mut distinct = 0;
/// reader.read(&shard, |_, _| distinct += 1)?;
/// assert_eq!((reader.games, reader.positions - reader.duplicates), (9, distinct));
/// assert!(reader.duplicates >= 8, "each game begins with the empty board");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reader {
    known: BTreeSet<u64>,
    /// Games read.
    pub games: u64,
    /// Moves in them, openings included.
    pub plies: u64,
    /// Positions that were thought about.
    pub positions: u64,
    /// Those of them that had come before.
    pub duplicates: u64,
    /// Draws, wins of First, wins of Second.
    pub results: [u64; 3],
    /// Games by how they ended, in the order of [`Ending::ALL`].
    pub endings: [u64; 3],
}

impl Reader {
    /// Reads a shard; `position` is told of each position that is new.
    ///
    /// # Errors
    /// Names the unit that is no game.
    pub fn read(
        &mut self,
        shard: &Shard,
        mut position: impl FnMut(&GameRecord, &Searched),
    ) -> Result<(), UnitsError> {
        let mut game = GameRecord::default();
        for (unit, bytes) in shard.units() {
            let wrong = |why| UnitsError(format!("unit {unit} is not a self-play game: {why}"));
            game.read(bytes).map_err(wrong)?;
            self.games += 1;
            self.plies += game.moves.len() as u64;
            let result = match game.outcome {
                Outcome::Draw => 0,
                Outcome::Win(Side::First) => 1,
                Outcome::Win(Side::Second) => 2,
            };
            self.results[result] += 1;
            let ending = Ending::ALL.iter().position(|&ending| ending == game.ending).unwrap_or_default();
            self.endings[ending] += 1;
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

    fn in_json(&self) -> Map<String, Value> {
        let [draws, first, second] = self.results;
        let [by_rules, by_repetition, by_length] = self.endings;
        let Reader { games, plies, positions, duplicates, .. } = self;
        let all = json!({
            "games": games, "plies": plies, "positions": positions, "duplicates": duplicates,
            "first": first, "second": second, "draws": draws,
            "by_rules": by_rules, "by_repetition": by_repetition, "by_length": by_length,
        });
        if let Value::Object(object) = all { object } else { Map::new() }
    }
}

/// Tells about the games of a shard.
pub(in crate::arena) fn report(_: &'static [Entry], shard: &Shard) -> Result<Report, UnitsError> {
    let mut reader = Reader::default();
    reader.read(shard, |_, _| ())?;
    let percent = float(100 * reader.duplicates) / float(reader.positions.max(1));
    let [draws, first, second] = reader.results;
    let words = format!(
        "{}: {} games, {} positions, {} of them duplicates ({percent:.1}%)\nfirst won {first}, second won {second}, draws {draws}\n",
        shard.header.text("game"),
        reader.games,
        reader.positions,
        reader.duplicates,
    );
    Ok(Report { words, json: reader.in_json(), fault: None })
}
