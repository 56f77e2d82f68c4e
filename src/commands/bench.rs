//! `crosspath bench`: fixed searches, one signature a game.

use anyhow::Result;

use super::write_out;
use crate::bench;
use crate::registry::Entry;

pub(super) fn run(games: &'static [Entry]) -> Result<()> {
    let mut signatures = Vec::new();
    for entry in games.iter().filter(|entry| !entry.bench.is_empty()) {
        let result = bench::run(entry);
        let per_ms = u128::from(result.nodes) / result.elapsed.as_millis().max(1);
        write_out(format!("{} nodes {} speed {per_ms} kN/s\n", entry.name, result.nodes))?;
        signatures.push(format!("{}={}", entry.short, result.signature));
    }
    write_out(format!("Bench: {}\n", signatures.join(" ")))
}
