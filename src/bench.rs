//! Benchmark: fixed positions searched with fixed limits. It computes one signature per engine, which changes
//! only if the engine's play changes.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::{EngineConfig, EngineKind, Limits};
use crate::registry::RegisteredGame;
use crate::session::EngineRequest;

/// Benchmark result of one engine.
#[derive(Clone, Debug)]
pub struct BenchResult {
    /// Suffix of the game's name that identifies the engine: empty for the first engine, such as `-net` for
    /// another.
    pub suffix: String,
    /// Number of positions searched.
    pub nodes: u64,
    /// Sum, over all searches, of the nodes and 31 times the index of the chosen move among the legal moves.
    pub signature: u64,
    /// Total search time.
    pub elapsed: Duration,
}

/// Runs the benchmark of a game: each of its benchmark engines searches the benchmark positions.
///
/// # Panics
/// Panics if a benchmark position is invalid. A test runs all of them.
#[must_use]
pub fn run_bench(entry: &RegisteredGame) -> Vec<BenchResult> {
    let suffix = |place, level| if place == 0 { String::new() } else { format!("-{level}") };
    let benched = entry.bench_engines().iter().enumerate();
    benched
        .map(|(place, &(level, nodes))| run_engine_bench(entry, suffix(place, level), level, nodes))
        .collect()
}

/// Searches all benchmark positions of a game with one engine.
fn run_engine_bench(entry: &RegisteredGame, suffix: String, level: EngineKind, nodes: u64) -> BenchResult {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut result = BenchResult { suffix, nodes: 0, signature: 0, elapsed: Duration::ZERO };
    for line in entry.bench.lines() {
        let session = entry.parse_game_line(line).expect("a bench position has settings and legal moves");
        let config = EngineConfig::new(1, 0);
        let mut machine = session.build_engine(level, &config).expect("there is such an engine");
        let answer = machine.answer(EngineRequest::Move, &*session, limits, &stop, &|_| ());
        let answer = answer.expect("the machine was built for this game");
        let index = session.legal_moves().iter().position(|text| *text == answer.text);
        let index = index.expect("machines play legal moves");
        result.nodes += answer.report.nodes;
        result.signature += answer.report.nodes + 31 * index as u64;
        result.elapsed += answer.report.elapsed;
    }
    result
}
