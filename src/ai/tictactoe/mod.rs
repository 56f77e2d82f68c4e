//! Tic-tac-toe engines and the levels built from them. This module is independent of any user interface.

pub mod certificate;
mod classic;
#[doc(hidden)] // internals, public for tests only
pub mod consequence;
pub mod exact;
mod greedy;
#[doc(hidden)] // internals, public for tests only
pub mod hint;
#[doc(hidden)] // internals, public for tests only
pub mod lines;
#[doc(hidden)] // internals, public for tests only
pub mod searching_levels;
#[doc(hidden)] // internals, public for tests only
pub mod symmetry;
#[doc(hidden)] // internals, public for tests only
pub mod threats;

use crate::ai::tictactoe::classic::ClassicMinimaxStrategy;
use crate::ai::tictactoe::exact::{ProofMethod, ScoreMeaning, SolveScope, SolverMode};
use crate::ai::tictactoe::greedy::{GreedySkill, RuleBasedStrategy};
use crate::ai::tictactoe::searching_levels::{
    ExactStrategy, ThreatSearchStrategy, ThreePlyStrategy, TrapCounting,
};
use crate::ai::{
    BoardOverlay, BuildEngine, Engine, EngineConfig, EngineKind, GameEngines, GameHistory, HasEngines,
    LevelSpec, Limits, MoveChoice, MoveTask, ProofStatus, ScoreUnit, SearchControl, SolveControl,
    SolveResult, Strategy, StrategyEngine, StrategyResult, WIN_VALUE,
};
use crate::game::{Game, Outcome, Side};
use crate::games::tictactoe::{Cell, TicTacToe};
use crate::text;

/// Returns the tic-tac-toe levels, weakest first, starting with `classic`.
///
/// ```
/// use crosspath::ai::EngineKind;
/// let levels: Vec<EngineKind> = crosspath::ai::tictactoe::tictactoe_levels().iter().map(|level_spec| level_spec.level).collect();
/// assert_eq!((levels[0], levels[8]), (EngineKind::Classic, EngineKind::Level(8)));
/// ```
#[must_use]
pub fn tictactoe_levels() -> Vec<LevelSpec<TicTacToe>> {
    let (limits, scale) = (Limits::default(), ScoreUnit::UNITLESS);
    let engine =
        |level, about, build: BuildEngine<TicTacToe>| LevelSpec { level, about, build, limits, scale };
    vec![
        engine(
            EngineKind::Classic,
            "The original program: searches every possible game, up to a million positions.",
            |_, config| Ok(box_engine(config, ClassicMinimaxStrategy)),
        ),
        engine(EngineKind::Level(1), "Plays at random.", |_, config| {
            Ok(box_engine(config, RuleBasedStrategy(GreedySkill::Random)))
        }),
        engine(EngineKind::Level(2), "Wins at once if it can; otherwise plays at random.", |_, config| {
            Ok(box_engine(config, RuleBasedStrategy(GreedySkill::Wins)))
        }),
        engine(
            EngineKind::Level(3),
            "Wins at once or stops you from winning; otherwise plays at random.",
            |_, config| Ok(box_engine(config, RuleBasedStrategy(GreedySkill::Blocks))),
        ),
        engine(EngineKind::Level(4), "Sees wins one move ahead and prefers open lines.", |_, config| {
            Ok(box_engine(config, RuleBasedStrategy(GreedySkill::Lines)))
        }),
        engine(EngineKind::Level(5), "Searches three moves ahead.", |_, config| {
            Ok(box_engine(config, ThreePlyStrategy::new()))
        }),
        engine(EngineKind::Level(6), "Finds wins by threats and searches far ahead.", |_, config| {
            Ok(box_engine(config, ThreatSearchStrategy::new()))
        }),
        engine(
            EngineKind::Level(7),
            "Never loses a position that it can prove to be at least a draw. On 3x3 it cannot be beaten.",
            |_, config| Ok(box_engine(config, ExactStrategy::new(TrapCounting::Ignored))),
        ),
        engine(
            EngineKind::Level(8),
            "Never loses a position that it can prove to be at least a draw, and sets traps. On 3x3 a draw is the best you can get.",
            |_, config| Ok(box_engine(config, ExactStrategy::new(TrapCounting::Counted))),
        ),
    ]
}

impl HasEngines for TicTacToe {
    fn game_engines() -> GameEngines<Self> {
        GameEngines {
            reason: Some(hint::explain_move),
            consequence: Some(consequence::explain_mistake),
            values: Some(hint::exact_move_values_until),
            solve: Some(solve_position),
            overlays: PAIRING_OVERLAYS,
            ..GameEngines::from_levels(tictactoe_levels())
        }
    }
}

/// Board overlays that show the pairing strategy of each side, if it has one.
const PAIRING_OVERLAYS: &[BoardOverlay<TicTacToe>] = &[
    BoardOverlay {
        title: |[x, _]| text!("{x}'s pairing strategy: reply on the same letter and {x} never loses"),
        marks: |at| pairing_overlay_marks(at.now, Side::First),
    },
    BoardOverlay {
        title: |[_, o]| text!("{o}'s pairing strategy: reply on the same letter and {o} never loses"),
        marks: |at| pairing_overlay_marks(at.now, Side::Second),
    },
];

fn pairing_overlay_marks(game: &TicTacToe, side: Side) -> Vec<(Cell, char)> {
    certificate::find_pairing_strategy(game, side).map(|strategy| strategy.pair_labels()).unwrap_or_default()
}

/// Returns the default size of the solver's table in MiB; a 3x3 board has few positions.
fn default_solver_mib(game: &TicTacToe) -> usize {
    if game.size() <= 3 { 1 } else { 64 }
}

/// Solves a position and all its moves, and explains the proof.
fn solve_position(game: &TicTacToe, control: &SolveControl<'_>) -> SolveResult<Cell> {
    let memory = control.memory_mib.unwrap_or_else(|| default_solver_mib(game));
    let solution = exact::solve_tictactoe(
        game,
        SolveScope::Moves,
        SolverMode::Certificates,
        memory,
        &control.search_control(),
    );
    let outcome = |value: ScoreMeaning| match value {
        ScoreMeaning::Win(plies) => (Outcome::Win(game.to_move()), Some(plies)),
        ScoreMeaning::Loss(plies) => (Outcome::Win(game.to_move().other()), Some(plies)),
        ScoreMeaning::Draw | ScoreMeaning::Estimate(_) => (Outcome::Draw, None),
    };
    let proof = match &solution.value {
        None => vec!["not proved within the limits".to_owned()],
        Some((_, ProofMethod::Search(nodes))) => vec![format!("proved by searching {nodes} positions")],
        Some((_, ProofMethod::Certificates(both))) => {
            let mut lines = vec![
                "proved by a pairing strategy: each line has a pair of cells with its own letter,".to_owned(),
                "and a player who always replies on the other cell of the pair cannot lose".to_owned(),
            ];
            let first = format!("{:#}", both[0]);
            lines.extend(first.lines().map(|row| format!("  {row}")));
            lines
        }
    };
    let moves = solution.moves.into_iter().map(|(cell, known)| {
        let (outcome, plies) = known.map(|(value, _)| outcome(value)).unzip();
        (cell, outcome, plies.flatten())
    });
    SolveResult {
        outcome: solution.value.as_ref().map(|(value, _)| outcome(*value).0),
        proof,
        moves: moves.collect(),
        nodes: solution.nodes,
        elapsed: solution.elapsed,
        lacks_memory: false,
        needs_mib: None,
    }
}

/// Returns the stones of the side to move and those of its opponent.
fn own_and_opponent_stones(game: &TicTacToe) -> (u128, u128) {
    let side = game.to_move();
    (game.stones(side), game.stones(side.other()))
}

/// Creates a strategy result whose moves all have this proof status.
fn result_with_proof(moves: Vec<Cell>, proof: ProofStatus) -> StrategyResult<Cell> {
    let plies = |plies: u32| WIN_VALUE - plies.cast_signed();
    let (score, depth) = match proof {
        ProofStatus::WinIn(n) => (Some(plies(n)), n),
        ProofStatus::LostIn(n) => (Some(-plies(n)), n),
        ProofStatus::Certified | ProofStatus::Draw => (Some(0), 0),
        ProofStatus::Unproved => (None, 0),
    };
    StrategyResult { proof: Some(proof), score, depth, ..StrategyResult::from_moves(moves) }
}

/// Reports whether the depth limit allows a search to the end of the game.
fn limits_reach_game_end(task: &MoveTask<'_, TicTacToe>) -> bool {
    task.control.limits.depth.is_none_or(|depth| depth >= task.at.now.empty_cells().count_ones())
}

/// Engine that reports a proof status for every move.
struct ProofReportingEngine<S>(StrategyEngine<S>);

fn box_engine<S: Strategy<TicTacToe> + 'static>(
    config: &EngineConfig,
    strategy: S,
) -> Box<dyn Engine<TicTacToe>> {
    Box::new(ProofReportingEngine(StrategyEngine::new(config, strategy)))
}

impl<S: Strategy<TicTacToe>> Engine<TicTacToe> for ProofReportingEngine<S> {
    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn choose(
        &mut self,
        at: &GameHistory<'_, TicTacToe>,
        control: &SearchControl<'_, Cell>,
    ) -> MoveChoice<Cell> {
        let mut choice = self.0.choose(at, control);
        // A move that wins at once proves itself. Strategies without proofs report `Unproved`.
        let mut after = at.now.clone();
        after.make_move(choice.mv);
        let wins_now = after.outcome() == Some(Outcome::Win(at.now.to_move()));
        let proof =
            choice.proof.or(wins_now.then_some(ProofStatus::WinIn(1))).unwrap_or(ProofStatus::Unproved);
        if proof == ProofStatus::Draw && choice.info.depth == 0 {
            choice.info.depth = at.now.empty_cells().count_ones();
        }
        MoveChoice { proof: Some(proof), ..choice }
    }
}
