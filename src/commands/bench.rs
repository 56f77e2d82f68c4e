//! `crosspath bench`: fixed searches, one signature for each engine.

use anyhow::Result;

use super::write_out;
use crate::bench::{self, BenchResult};
use crate::registry::Entry;

pub(super) fn run(games: &'static [Entry]) -> Result<()> {
    let mut signatures = Vec::new();
    for entry in games.iter().filter(|entry| !entry.bench.is_empty()) {
        for BenchResult { suffix, nodes, signature, elapsed } in bench::run(entry) {
            let per_ms = u128::from(nodes) / elapsed.as_millis().max(1);
            write_out(format!("{}{suffix} nodes {nodes} speed {per_ms} kN/s\n", entry.name))?;
            signatures.push(format!("{}{suffix}={signature}", entry.short));
        }
    }
    write_out(format!("Bench: {}\n", signatures.join(" ")))
}
