//! Game-playing engines: their common interface, general searches, and the engines of each game. No engine
//! prints, and clocks are read only to enforce the limits of a search.

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

pub use config::{EngineBuildError, EngineConfig, EngineResources, NetworkWeights, TuningOverrides};
pub use consequence::MistakeConsequence;
pub use engine::{ComparedMove, Engine, GameHistory, MoveChoice, SearchControl, SearchInfo};
pub use eval::Eval;
pub use evaluation::NetworkEvaluation;
use game_engines::BENCH_NODES_PER_SEARCH;
pub use game_engines::{
    AnnounceWin, BoardOverlay, BuildEngine, ComputeOverlayMarks, DescribePattern, ExplainMistake,
    FindOutcome, GameEngines, HasEngines, InspectCommand, LevelSpec, SolvePosition,
};
pub use host::EngineHost;
pub(crate) use host::sort_best_first;
pub use kind::{EngineKind, NoSuchLevel};
pub use limits::Limits;
pub use score::{DisplayedScore, MATE_BOUND, ProofStatus, Score, ScoreMeaning, ScoreUnit, WIN_VALUE};
pub(crate) use score::{outcome_value, value_for_parent};
pub use search_budget::SearchBudget;
pub(crate) use search_budget::{Stopwatch, exclude_stopped_time};
pub use solving::{ProofFailure, SolveControl, SolveResult, WrittenProof};
pub(crate) use spec::ENGINE_KINDS_HELP;
pub use spec::{EngineSpec, EngineSpecError, MAX_ENGINE_MEMORY_MIB, MAX_ENGINE_THREADS, parse_duration};
use strategy::StrategyEngine;
pub use strategy::{MoveTask, Strategy, StrategyResult};

/// Returns the bench signature of this version: one number per game that identifies the play of its engines.
/// A test compares it with the current output, so versions with equal signatures play alike.
///
/// ```
/// use crosspath::ai::bench_signature;
/// assert!(bench_signature().contains("hex"), "{}", bench_signature());
/// ```
#[expect(clippy::missing_panics_doc, reason = "the file is the bench's own line")]
#[must_use]
pub fn bench_signature() -> &'static str {
    include_str!("../../tests/data/bench.txt")
        .strip_prefix("Bench: ")
        .expect("the bench prints so")
        .trim_end()
}

/// Returns the legal moves in the order of [`Game::push_legal_moves`].
pub(crate) fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.push_legal_moves(&mut moves);
    moves
}

/// Makes a legal move, calls `look` on the position after it, and unmakes the move. Returns the result of
/// `look`.
pub(crate) fn with_move_made<G: Game, T>(game: &mut G, mv: G::Move, look: impl FnOnce(&mut G) -> T) -> T {
    let undo = game.make_move(mv);
    let seen = look(game);
    game.unmake_move(mv, undo);
    seen
}

/// Returns all elements with the highest key, in their original order.
fn all_with_max_key<T, K: Ord>(all: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let most = all.iter().map(&key).max();
    all.into_iter().filter(|element| Some(key(element)) == most).collect()
}
