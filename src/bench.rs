//! Fixed positions searched with fixed limits: one number a game that changes exactly when the play changes.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::{EngineConfig, Limits};
use crate::registry::{Entry, Variant};
use crate::session::Purpose;

/// Positions that each search may look at.
const NODES: u64 = 5_000;

/// What the bench of one game gave.
#[derive(Clone, Copy, Debug)]
pub struct BenchResult {
    /// Positions searched.
    pub nodes: u64,
    /// The sum over the searches of positions and 31 times the index of the chosen move among the legal ones.
    pub signature: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// Searches the bench positions of a game with the engine whose play never changes.
///
/// # Panics
/// If a bench position is not one of the game; a test runs them all.
#[must_use]
pub fn run(entry: &Entry) -> BenchResult {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut result = BenchResult { nodes: 0, signature: 0, elapsed: Duration::ZERO };
    for line in entry.bench.lines() {
        let (settings, moves) = line.split_once(':').expect("a bench position has settings and moves");
        let board = Variant::read(settings);
        let mut session = entry.history(&board).expect("a bench position has a board");
        for text in moves.split_whitespace() {
            session.play(text).expect("a bench position has legal moves");
        }
        let config = EngineConfig::new(1, 0);
        let mut machine = session.machine(entry.reference(), &config).expect("there is such an engine");
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
