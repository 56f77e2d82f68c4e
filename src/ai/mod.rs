//! Engines: what every engine is given and what it answers, general searches, and the engines of each game. Prints nothing
//! and reads no clock but that of its limits.

pub mod alphabeta;
mod config;
mod consequence;
mod engine;
mod eval;
mod evaluation;
pub mod exact;
mod game_engines;
pub mod hex;
mod host;
mod kind;
mod limits;
pub mod mcts;
pub mod minimax;
pub mod net;
pub mod quoridor;
mod score;
mod search_budget;
mod solving;
mod spec;
mod strategy;
pub mod tictactoe;
pub mod transposition;

use crate::game::Game;

pub use config::{BuildError, EngineConfig, EngineResources, Tuning, Weights};
pub use consequence::Consequence;
pub use engine::{Candidate, Choice, Engine, GameHistory, Info, SearchControl};
pub use eval::Eval;
pub use evaluation::Evaluation;
use game_engines::BENCH_NODES;
pub use game_engines::{
    Announcement, BuildEngine, CompareMoves, Engines, FindOutcome, GameEngines, InspectCommand, LevelSpec,
    NamePattern, Overlay, OverlayMarks, SolvePosition,
};
pub use host::EngineHost;
pub(crate) use host::best_first;
pub use kind::{EngineKind, NoSuchLevel};
pub use limits::Limits;
pub use score::{DisplayedScore, MATE_BOUND, Proof, Score, ScoreUnit, Value, WIN};
pub(crate) use score::{end_value, one_ply_earlier};
pub use search_budget::SearchBudget;
pub(crate) use search_budget::{Stopwatch, while_stopped};
pub use solving::{SolveControl, Solved, Unproved, WrittenProof};
pub(crate) use spec::KINDS;
pub use spec::{EngineSpec, MAX_MIB, MAX_THREADS, SpecError, duration};
use strategy::StrategyEngine;
pub use strategy::{Candidates, MoveTask, Strategy};

/// Returns the line that the bench printed when the play of this version was committed: one number a game. A test holds
/// it to that, so versions with equal signatures play alike.
///
/// ```
/// use crosspath::ai::signature;
/// assert!(signature().contains("hex"), "{}", signature());
/// ```
#[expect(clippy::missing_panics_doc, reason = "the file is the bench's own line")]
#[must_use]
pub fn signature() -> &'static str {
    include_str!("../../tests/data/bench.txt")
        .strip_prefix("Bench: ")
        .expect("the bench prints so")
        .trim_end()
}

/// The legal moves in the order of [`Game::moves`].
pub(crate) fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves
}

/// Makes a legal move, looks at the position after it, and takes the move back.
pub(crate) fn after_move<G: Game, T>(game: &mut G, mv: G::Move, look: impl FnOnce(&mut G) -> T) -> T {
    let undo = game.make(mv);
    let seen = look(game);
    game.unmake(mv, undo);
    seen
}

/// The elements with the highest key, in their order.
fn most_by<T, K: Ord>(all: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let most = all.iter().map(&key).max();
    all.into_iter().filter(|element| Some(key(element)) == most).collect()
}
