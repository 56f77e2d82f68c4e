//! Engines built from a strategy that may return several equally good moves, one of which is drawn at
//! random.

use std::time::Duration;

use rand::RngExt;

use crate::ai::{
    Engine, EngineConfig, GameHistory, Limits, MoveChoice, ProofStatus, SearchBudget, SearchControl,
    SearchInfo,
};
use crate::game::Game;
use crate::random::RandomGenerator;

/// Result of a strategy: equally good moves, one of which the engine draws.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::tictactoe::searching_levels::{ExactStrategy, TrapCounting};
/// use crosspath::ai::{GameHistory, Limits, ProofStatus, SearchControl, Strategy};
/// use crosspath::games::tictactoe::TicTacToe;
/// use crosspath::random::random_stream;
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let control = SearchControl::without_reports(Limits::default(), &stop);
/// let mut strategy = ExactStrategy::new(TrapCounting::Counted);
/// let (result, ..) = strategy.think_with_budget(&at, &mut random_stream(1, 0), &control);
/// assert_eq!((result.moves.len(), result.proof), (4, Some(ProofStatus::Draw)), "all corners draw");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StrategyResult<M> {
    /// Equally good moves, at least one.
    pub moves: Vec<M>,
    /// Proof about each of the moves, if the strategy gives proofs.
    pub proof: Option<ProofStatus>,
    /// Value of the moves for the mover, in the unit of the engine's scores.
    pub score: Option<i32>,
    /// Search depth in plies.
    pub depth: u32,
    /// Expected line of play if there is only one move; otherwise empty.
    pub pv: Vec<M>,
}

impl<M: Copy> StrategyResult<M> {
    /// Creates a result without a value or a proof.
    pub(super) fn from_moves(moves: Vec<M>) -> Self {
        StrategyResult { moves, proof: None, score: None, depth: 0, pv: Vec::new() }
    }

    /// Creates a result with the first move of a principal variation.
    pub(super) fn from_line(pv: Vec<M>, score: Option<i32>, depth: u32) -> Self {
        StrategyResult { moves: vec![pv[0]], proof: None, score, depth, pv }
    }
}

/// Task of a strategy: a game in progress with the random generator, the limits and the budget for the move.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::tictactoe::searching_levels::{ExactStrategy, TrapCounting};
/// use crosspath::ai::{GameHistory, Limits, MoveTask, SearchControl, Strategy, StrategyResult};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// use crosspath::random::random_stream;
///
/// /// Passes its task to another strategy, and keeps the first of the moves.
/// struct FirstOf(ExactStrategy);
///
/// impl Strategy<TicTacToe> for FirstOf {
///     fn think(&mut self, task: &mut MoveTask<'_, TicTacToe>) -> StrategyResult<Cell> {
///         let result = self.0.think(task);
///         StrategyResult { moves: vec![result.moves[0]], ..result }
///     }
/// }
///
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let control = SearchControl::without_reports(Limits::default(), &stop);
/// let mut strategy = FirstOf(ExactStrategy::new(TrapCounting::Counted));
/// let (result, ..) = strategy.think_with_budget(&at, &mut random_stream(1, 0), &control);
/// assert_eq!(result.moves, [Cell(0)], "the first of four equally good corners");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MoveTask<'a, G: Game> {
    pub(super) at: &'a GameHistory<'a, G>,
    pub(super) generator: &'a mut RandomGenerator,
    pub(super) control: SearchControl<'a, G::Move>,
    pub(super) budget: SearchBudget<'a>,
}

/// Rule by which an engine chooses its moves. Its state belongs to one game.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{GameHistory, Limits, MoveTask, SearchControl, Strategy, StrategyResult};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// use crosspath::random::random_stream;
///
/// /// Opens in a corner of 3x3.
/// struct Corners;
///
/// impl Strategy<TicTacToe> for Corners {
///     fn think(&mut self, _: &mut MoveTask<'_, TicTacToe>) -> StrategyResult<Cell> {
///         let moves = [0, 2, 6, 8].map(Cell).to_vec();
///         StrategyResult { moves, proof: None, score: None, depth: 0, pv: Vec::new() }
///     }
/// }
///
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let control = SearchControl::without_reports(Limits::default(), &stop);
/// let (result, nodes, _) = Corners.think_with_budget(&at, &mut random_stream(1, 0), &control);
/// assert_eq!((result.moves.len(), nodes), (4, 0), "it offers four moves without a search");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Strategy<G: Game>: Send {
    /// `true` if the strategy plays randomly: each move of a game then draws from its own seed. Otherwise the
    /// seed only breaks ties, in the same way for every move.
    const PLAYS_RANDOMLY: bool = false;

    /// Returns the limits that apply if none are set.
    fn default_limits(&self, _game: &G) -> Limits {
        Limits::default()
    }

    /// Chooses among the moves of a game in progress.
    fn think(&mut self, task: &mut MoveTask<'_, G>) -> StrategyResult<G::Move>;

    /// Starts the clock and runs [`Strategy::think`]. Returns its result, the number of positions searched
    /// and the time used.
    fn think_with_budget(
        &mut self,
        at: &GameHistory<'_, G>,
        generator: &mut RandomGenerator,
        control: &SearchControl<'_, G::Move>,
    ) -> (StrategyResult<G::Move>, u64, Duration) {
        let control =
            SearchControl { limits: control.limits.or_if_unlimited(self.default_limits(at.now)), ..*control };
        let mut task = MoveTask { at, generator, budget: SearchBudget::start(&control), control };
        (self.think(&mut task), task.budget.nodes, task.budget.elapsed())
    }

    /// Clears all state, for a new game.
    fn clear_state(&mut self) {}
}

/// Engine that plays by a strategy and draws among its equally good moves.
pub(super) struct StrategyEngine<S> {
    config: EngineConfig,
    strategy: S,
}

impl<S> StrategyEngine<S> {
    pub(super) fn new(config: &EngineConfig, strategy: S) -> Self {
        StrategyEngine { config: config.clone(), strategy }
    }
}

impl<G: Game, S: Strategy<G>> Engine<G> for StrategyEngine<S> {
    fn new_game(&mut self) {
        self.strategy.clear_state();
    }

    fn choose(
        &mut self,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> MoveChoice<G::Move> {
        let plies = if S::PLAYS_RANDOMLY { at.played.len() } else { 0 };
        let mut generator = self.config.random_generator_at_ply(plies);
        let (offered, nodes, elapsed) = self.strategy.think_with_budget(at, &mut generator, control);
        let StrategyResult { moves, proof, score, depth, mut pv } = offered;
        let mv = moves[generator.random_range(0..moves.len())];
        if pv.first() != Some(&mv) {
            pv = vec![mv];
        }
        MoveChoice { mv, info: SearchInfo { nodes, depth, elapsed, ..SearchInfo::from_pv(pv, score) }, proof }
    }
}
