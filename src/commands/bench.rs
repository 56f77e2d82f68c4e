//! Command `crosspath bench`: runs fixed searches and prints a signature per engine.

use anyhow::Result;

use super::write_stdout;
use crate::bench::{self, BenchResult};
use crate::registry::RegisteredGame;

/// Runs `crosspath bench`.
pub(super) fn run_bench_command(games: &'static [RegisteredGame]) -> Result<()> {
    let mut signatures = Vec::new();
    for entry in games.iter().filter(|entry| !entry.bench.is_empty()) {
        for BenchResult { suffix, nodes, signature, elapsed } in bench::run_bench(entry) {
            let per_ms = u128::from(nodes) / elapsed.as_millis().max(1);
            write_stdout(format!("{}{suffix} nodes {nodes} speed {per_ms} kN/s\n", entry.name))?;
            signatures.push(format!("{}{suffix}={signature}", entry.short));
        }
    }
    write_stdout(format!("Bench: {}\n", signatures.join(" ")))
}
