//! Fixed positions searched with fixed limits: one number a game that changes exactly when the play changes.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::{EngineConfig, EngineKind, Limits};
use crate::registry::Entry;
use crate::session::Purpose;

/// Result of the bench for one engine.
#[derive(Clone, Debug)]
pub struct BenchResult {
    /// Text after the name of the game: empty for the first of its engines, `-net` for another.
    pub suffix: String,
    /// Positions searched.
    pub nodes: u64,
    /// The sum over the searches of positions and 31 times the index of the chosen move among the legal ones.
    pub signature: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// Searches the bench positions of a game with each of the engines that it wants to be measured.
///
/// # Panics
/// If a bench position is not one of the game; a test runs them all.
#[must_use]
pub fn run(entry: &Entry) -> Vec<BenchResult> {
    let suffix = |place, level| if place == 0 { String::new() } else { format!("-{level}") };
    let benched = entry.benched().iter().enumerate();
    benched.map(|(place, &(level, nodes))| measured(entry, suffix(place, level), level, nodes)).collect()
}

fn measured(entry: &Entry, suffix: String, level: EngineKind, nodes: u64) -> BenchResult {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut result = BenchResult { suffix, nodes: 0, signature: 0, elapsed: Duration::ZERO };
    for line in entry.bench.lines() {
        let session = entry.history_of(line).expect("a bench position has settings and legal moves");
        let config = EngineConfig::new(1, 0);
        let mut machine = session.machine(level, &config).expect("there is such an engine");
        let answer = machine.answer(Purpose::Move, &*session, limits, &stop, &|_| ());
        let answer = answer.expect("the machine was built for this game");
        let index = session.legal().iter().position(|text| *text == answer.text);
        let index = index.expect("machines play legal moves");
        result.nodes += answer.report.nodes;
        result.signature += answer.report.nodes + 31 * index as u64;
        result.elapsed += answer.report.elapsed;
    }
    result
}
