//! The engines of tic-tac-toe and the levels made of them. Know the rules, nothing of screens.

pub mod certificate;
mod classic;
#[doc(hidden)] // the inside of the engines, open for their tests
pub mod consequence;
pub mod exact;
mod greedy;
#[doc(hidden)] // the same
pub mod hint;
#[doc(hidden)] // the same
pub mod lines;
#[doc(hidden)] // the same
pub mod searching_levels;
#[doc(hidden)] // the same
pub mod symmetry;
#[doc(hidden)] // the same
pub mod threats;

use crate::ai::tictactoe::classic::TicTacToeClassic;
use crate::ai::tictactoe::exact::{Bounds, ProofMethod, Scope, Value};
use crate::ai::tictactoe::greedy::{RuleBased, Skill};
use crate::ai::tictactoe::searching_levels::{ExactLevel, ThreatSearch, ThreePly, TrapCounting};
use crate::ai::{
    BuildEngine, Candidates, Choice, Engine, EngineConfig, EngineKind, Engines, GameEngines, GameHistory,
    LevelSpec, Limits, MoveTask, Overlay, Proof, ScoreUnit, SearchControl, SolveControl, Solved, Strategy,
    StrategyEngine, WIN,
};
use crate::game::{Game, Outcome, Side};
use crate::games::tictactoe::{Cell, TicTacToe};
use crate::text;

/// The levels, weakest first, `classic` in front.
///
/// ```
/// use crosspath::ai::EngineKind;
/// let levels: Vec<EngineKind> = crosspath::ai::tictactoe::engines().iter().map(|level_spec| level_spec.level).collect();
/// assert_eq!((levels[0], levels[8]), (EngineKind::Classic, EngineKind::Level(8)));
/// ```
#[must_use]
pub fn engines() -> Vec<LevelSpec<TicTacToe>> {
    let (limits, scale) = (Limits::default(), ScoreUnit::PLAIN);
    let engine =
        |level, about, build: BuildEngine<TicTacToe>| LevelSpec { level, about, build, limits, scale };
    vec![
        engine(
            EngineKind::Classic,
            "The original program: searches every possible game, up to a million positions.",
            |_, config| Ok(boxed(config, TicTacToeClassic)),
        ),
        engine(EngineKind::Level(1), "Plays at random.", |_, config| {
            Ok(boxed(config, RuleBased(Skill::Random)))
        }),
        engine(EngineKind::Level(2), "Wins at once if it can; otherwise plays at random.", |_, config| {
            Ok(boxed(config, RuleBased(Skill::Wins)))
        }),
        engine(
            EngineKind::Level(3),
            "Wins at once or stops you from winning; otherwise plays at random.",
            |_, config| Ok(boxed(config, RuleBased(Skill::Blocks))),
        ),
        engine(EngineKind::Level(4), "Sees wins one move ahead and prefers open lines.", |_, config| {
            Ok(boxed(config, RuleBased(Skill::Lines)))
        }),
        engine(EngineKind::Level(5), "Searches three moves ahead.", |_, config| {
            Ok(boxed(config, ThreePly::new()))
        }),
        engine(EngineKind::Level(6), "Finds wins by threats and searches far ahead.", |_, config| {
            Ok(boxed(config, ThreatSearch::new()))
        }),
        engine(
            EngineKind::Level(7),
            "Never loses a position that it can prove to be at least a draw. On 3x3 it cannot be beaten.",
            |_, config| Ok(boxed(config, ExactLevel::new(TrapCounting::Ignored))),
        ),
        engine(
            EngineKind::Level(8),
            "Never loses a position that it can prove to be at least a draw, and sets traps. On 3x3 a draw is the best you can get.",
            |_, config| Ok(boxed(config, ExactLevel::new(TrapCounting::Counted))),
        ),
    ]
}

impl Engines for TicTacToe {
    fn game_engines() -> GameEngines<Self> {
        GameEngines {
            reason: Some(hint::reason),
            consequence: Some(consequence::consequence),
            values: Some(hint::move_values_until),
            solve: Some(solved),
            overlays: OVERLAYS,
            ..GameEngines::of(engines())
        }
    }
}

/// The pairing strategies of both sides, where they have one.
const OVERLAYS: &[Overlay<TicTacToe>] = &[
    Overlay {
        title: |[x, _]| text!("{x}'s pairing strategy: reply on the same letter and {x} never loses"),
        marks: |at| pairs_on_the_board(at.now, Side::First),
    },
    Overlay {
        title: |[_, o]| text!("{o}'s pairing strategy: reply on the same letter and {o} never loses"),
        marks: |at| pairs_on_the_board(at.now, Side::Second),
    },
];

fn pairs_on_the_board(game: &TicTacToe, side: Side) -> Vec<(Cell, char)> {
    certificate::certificate(game, side).map(|strategy| strategy.signs()).unwrap_or_default()
}

/// The table of the solver, in MiB: a board of nine cells has few positions.
fn solver_memory(game: &TicTacToe) -> usize {
    if game.size() <= 3 { 1 } else { 64 }
}

/// The exact value of a position and of all its moves, with the proof in words.
fn solved(game: &TicTacToe, control: &SolveControl<'_>) -> Solved<Cell> {
    let memory = control.memory_mib.unwrap_or_else(|| solver_memory(game));
    let solution = exact::solve(game, Scope::Moves, Bounds::Certificates, memory, &control.search());
    let outcome = |value: Value| match value {
        Value::Win(plies) => (Outcome::Win(game.to_move()), Some(plies)),
        Value::Loss(plies) => (Outcome::Win(game.to_move().other()), Some(plies)),
        Value::Draw | Value::Estimate(_) => (Outcome::Draw, None),
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
    Solved {
        outcome: solution.value.as_ref().map(|(value, _)| outcome(*value).0),
        proof,
        moves: moves.collect(),
        nodes: solution.nodes,
        elapsed: solution.elapsed,
        lacks_memory: false,
        needs_mib: None,
    }
}

/// The stones of the side to move, and those of its opponent.
fn stones(game: &TicTacToe) -> (u128, u128) {
    let side = game.to_move();
    (game.stones(side), game.stones(side.other()))
}

/// Offers moves about which this is proved.
fn proved(moves: Vec<Cell>, proof: Proof) -> Candidates<Cell> {
    let plies = |plies: u32| WIN - plies.cast_signed();
    let (score, depth) = match proof {
        Proof::WinIn(n) => (Some(plies(n)), n),
        Proof::LostIn(n) => (Some(-plies(n)), n),
        Proof::Certified | Proof::Draw => (Some(0), 0),
        Proof::Unproved => (None, 0),
    };
    Candidates { proof: Some(proof), score, depth, ..Candidates::among(moves) }
}

/// Reports whether the limits allow to look to the end of the game.
fn is_deep_enough(task: &MoveTask<'_, TicTacToe>) -> bool {
    task.control.limits.depth.is_none_or(|depth| depth >= task.at.now.empty().count_ones())
}

/// An engine that says of every move what is proved about it.
struct Proving<S>(StrategyEngine<S>);

fn boxed<S: Strategy<TicTacToe> + 'static>(config: &EngineConfig, strategy: S) -> Box<dyn Engine<TicTacToe>> {
    Box::new(Proving(StrategyEngine::new(config, strategy)))
}

impl<S: Strategy<TicTacToe>> Engine<TicTacToe> for Proving<S> {
    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn choose(&mut self, at: &GameHistory<'_, TicTacToe>, control: &SearchControl<'_, Cell>) -> Choice<Cell> {
        let mut choice = self.0.choose(at, control);
        // What ends the game at once needs no other proof; else players that prove nothing say so.
        let mut after = at.now.clone();
        after.make(choice.mv);
        let wins_now = after.outcome() == Some(Outcome::Win(at.now.to_move()));
        let proof = choice.proof.or(wins_now.then_some(Proof::WinIn(1))).unwrap_or(Proof::Unproved);
        if proof == Proof::Draw && choice.info.depth == 0 {
            choice.info.depth = at.now.empty().count_ones();
        }
        Choice { proof: Some(proof), ..choice }
    }
}
