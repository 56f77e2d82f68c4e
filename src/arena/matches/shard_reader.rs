//! The games of a job of matches, read from its shards.

use serde_json::Value;

use super::game_record::{ByNumber, GameRecord};
use super::report::Report;
use crate::arena::jobs::shard::Shard;

/// Returns the games of a shard.
pub(in crate::arena) fn games(shard: &Shard) -> Result<ByNumber, String> {
    let (report, mut games) = (announced(shard)?, ByNumber::new());
    for (unit, body) in shard.units() {
        games.extend(pair(unit, body, &report)?.map(|game| ((game.unit, game.game), game)));
    }
    Ok(games)
}

pub(in crate::arena) fn announced(shard: &Shard) -> Result<Report, String> {
    let report = Report::announced(|key| shard.header.get(key));
    report.ok_or_else(|| "the header must name two engines".to_owned())
}

/// Reads the games of a unit.
pub(in crate::arena) fn pair(unit: u32, body: &[u8], report: &Report) -> Result<[GameRecord; 2], String> {
    let pair = pair_of(unit, body, report);
    pair.ok_or_else(|| format!("unit {unit} is not a pair of games from this match"))
}

/// Reads the games of a unit; `None` if they do not belong there.
fn pair_of(unit: u32, body: &[u8], report: &Report) -> Option<[GameRecord; 2]> {
    let line: Value = serde_json::from_slice(body).ok()?;
    let [first, second] = &line["games"].as_array()?[..] else { return None };
    let [a, b] = report.meeting_of(unit.into());
    let read = |value: &Value, number: u8, seats: [usize; 2]| {
        let game = GameRecord::read(value, report.names())?;
        let fits = (game.unit, game.game, game.engines) == (unit.into(), number, seats);
        fits.then_some(game)
    };
    Some([read(first, 0, [a, b])?, read(second, 1, [b, a])?])
}
