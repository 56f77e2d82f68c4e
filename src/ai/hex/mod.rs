//! Hex engines and the levels built from them. This module depends on the rules, not on any user interface.

mod analyst;
#[doc(hidden)] // engine internals, public for the tests
pub mod classic;
#[doc(hidden)] // public for the tests
pub mod consequence;
pub mod explain;
mod finishing;
pub mod ladder;
mod lookahead;
pub mod net;
#[doc(hidden)] // public for the tests
pub mod path_blocking;
#[doc(hidden)] // public for the tests
pub mod path_counts;
#[doc(hidden)] // public for the tests
pub mod path_overlap;
pub mod proof;
mod replies;
mod root_prover;
mod shown;
pub mod solve;
mod solving;
pub mod swap;

use std::time::Duration;

use crate::ai::hex::classic::HexClassicEngine;
use crate::ai::hex::finishing::FinishingEngine;
use crate::ai::hex::lookahead::PathLookahead;
use crate::ai::hex::net::{HexNetEngine, NetMoveSelection};
use crate::ai::hex::path_overlap::{ShortestPathFollower, SometimesBlocker};
use crate::ai::hex::solving::SolvingEngine;
use crate::ai::hex::swap::SwapDecider;
use crate::ai::{
    BENCH_NODES_PER_SEARCH, BoardOverlay, Engine, EngineBuildError, EngineConfig, EngineKind, GameEngines,
    GameHistory, HasEngines, InspectCommand, LevelSpec, Limits, MoveTask, NetworkEvaluation, ScoreUnit,
    SearchBudget, Strategy, StrategyEngine, StrategyResult,
};
use crate::game::Side;
use crate::games::hex::{Cell, Hex, Move, SwapRule};
use crate::text;

/// Evaluates a running game with the built-in network, without a search.
///
/// Returns `None` if the game is over or the build has no networks.
///
/// ```
/// use crosspath::ai::hex::evaluate_with_network;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let evaluation = evaluate_with_network(&Hex::new(11, SwapRule::Off)?).ok_or("a build without networks")?;
/// assert!(evaluation.win_chance > 0.5, "the first player has the better chance");
/// assert_eq!(evaluation.policy.len(), 121);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn evaluate_with_network(game: &Hex) -> Option<NetworkEvaluation<Move>> {
    net::evaluate_with_built_in_network(game)
}

/// Returns the level specifications: `classic` first, then the others, weakest first.
///
/// ```
/// use crosspath::ai::EngineKind;
/// let specs = crosspath::ai::hex::level_specs();
/// let levels: Vec<EngineKind> = specs.iter().map(|spec| spec.level).collect();
/// assert_eq!((levels[0], levels[3]), (EngineKind::Classic, EngineKind::Level(3)));
/// ```
#[must_use]
pub fn level_specs() -> Vec<LevelSpec<Hex>> {
    use NetMoveSelection::{PolicyOnly, Search};
    let limits = Limits::default();
    let engine = |level, about, build| LevelSpec::new(level, about, build, STONE_SCORE_UNIT);
    let by_net = |level, about, limits, build| LevelSpec {
        limits,
        ..LevelSpec::new(level, about, build, NETWORK_SCORE_UNIT)
    };
    let glance = Limits { nodes: Some(LEVEL_6_NODES), ..limits };
    let visits = Limits { nodes: Some(LEVEL_7_NODES), ..limits };
    let time = Limits { time: Some(LEVEL_8_MOVE_TIME), ..limits };
    vec![
        engine(
            EngineKind::Classic,
            "The original program: plays where the two shortest paths meet.",
            |_, config| Ok(Box::new(HexClassicEngine::new(config))),
        ),
        engine(
            EngineKind::Level(1),
            "Follows its shortest path, with one random stone in four.",
            |_, config| Ok(box_with_fair_opening(config, ShortestPathFollower::new(Some(4)))),
        ),
        engine(EngineKind::Level(2), "Follows its shortest path and rarely blocks yours.", |_, config| {
            Ok(box_with_fair_opening(config, SometimesBlocker::new(9, 10, Some(8))))
        }),
        engine(EngineKind::Level(3), "Often blocks you and saves its bridges.", |_, config| {
            Ok(box_with_fair_opening(config, SometimesBlocker::new(3, 5, None)))
        }),
        by_net(EngineKind::Level(4), "Knows good shape, but is often careless.", limits, |start, config| {
            build_network_engine(start, config, PolicyOnly { temperature: LEVEL_4_TEMPERATURE }, None)
        }),
        by_net(EngineKind::Level(5), "Knows good shape, and slips now and then.", limits, |start, config| {
            build_network_engine(start, config, PolicyOnly { temperature: LEVEL_5_TEMPERATURE }, None)
        }),
        by_net(
            EngineKind::Level(6),
            "Plays what looks best and knows which connections hold.",
            glance,
            |start, config| build_network_engine(start, config, Search, Some(LEVEL_6_NODES)),
        ),
        by_net(
            EngineKind::Level(7),
            "Searches ahead, and still answers at once.",
            visits,
            |start, config| build_network_engine(start, config, Search, Some(LEVEL_7_NODES)),
        ),
        by_net(
            EngineKind::Level(8),
            "Searches for two seconds: the strongest level.",
            time,
            |start, config| build_network_engine(start, config, Search, None),
        ),
        engine(EngineKind::Lookahead, "Searches two moves ahead by shortest paths.", |_, config| {
            Ok(box_with_fair_opening(config, PathLookahead::default()))
        }),
        by_net(EngineKind::Net, "Plays the network's first choice.", limits, |start, config| {
            HexNetEngine::build(start, config, Search)
        }),
    ]
}

/// Builds an engine that plays by the network, combined with the solvers on boards up to 7x7. Falls back to a
/// lookahead search by path lengths in builds without a network.
fn build_network_engine(
    start: &Hex,
    config: &EngineConfig,
    selection: NetMoveSelection,
    usual: Option<u64>,
) -> Result<Box<dyn Engine<Hex>>, EngineBuildError> {
    let engine = match HexNetEngine::build(start, config, selection) {
        Err(EngineBuildError::NoNet) => box_with_fair_opening(config, PathLookahead::default()),
        engine => engine?,
    };
    if start.size() <= solving::MAX_SOLVED_SIZE {
        return Ok(FinishingEngine::without_prover(Box::new(SolvingEngine::new(config, engine, usual))));
    }
    Ok(match selection {
        NetMoveSelection::PolicyOnly { .. } => FinishingEngine::with_prover(engine),
        NetMoveSelection::Search => FinishingEngine::without_prover(engine),
    })
}

/// Temperature at which level 4 samples moves from the network's policy.
const LEVEL_4_TEMPERATURE: f64 = 1.75;
/// Temperature at which level 5 samples moves from the network's policy.
const LEVEL_5_TEMPERATURE: f64 = 0.85;

/// Node limit of level 6: one node to analyze the root's connections, one for the position after the
/// likeliest move.
const LEVEL_6_NODES: u64 = 2;

/// Node limit of level 7; a move takes at most 0.1 s on boards up to 14x14.
const LEVEL_7_NODES: u64 = 256;

/// Node limit of a hint.
const HINT_NODES: u64 = 400;

/// Time limit of level 8.
const LEVEL_8_MOVE_TIME: Duration = Duration::from_secs(2);

/// Score unit of the network engines: log odds, scaled to match the results of their games
/// (`train/calibration.py`).
const NETWORK_SCORE_UNIT: ScoreUnit =
    ScoreUnit { unit: "", one: 1000, decimals: 2, odds: Some(752.0), bias: -0.04, has_bounds: true };

/// Score unit of the engines without a network: stones. The odds come from 150 games of `lookahead` against
/// itself on 11x11.
const STONE_SCORE_UNIT: ScoreUnit = ScoreUnit {
    unit: "stones",
    one: lookahead::STONE_VALUE,
    decimals: 1,
    odds: Some(85.0),
    bias: 0.0,
    has_bounds: true,
};

impl HasEngines for Hex {
    fn game_engines() -> GameEngines<Self> {
        let usual = GameEngines {
            default_level: EngineKind::Level(5),
            adviser: (EngineKind::Lookahead, Limits::default()),
            reference: EngineKind::Lookahead,
            benched: vec![(EngineKind::Lookahead, BENCH_NODES_PER_SEARCH)],
            reason: Some(explain::explain_move),
            consequence: Some(consequence::explain_mistake),
            pattern: Some(ladder::describe_first_ladder),
            announce: Some(shown::announce_proved_win),
            values: Some(solve::solve_move_values),
            solve: Some(|game, control| {
                let mib = control.memory_mib.unwrap_or(solve::DEFAULT_SOLVER_TABLE_MIB);
                solve::solve_with_memory(game, mib, &control.search_control(), control.report)
            }),
            exact: Some(solve::find_exact_result),
            prove: Some(solve::prove_with_certificate),
            inspect_commands: &HEX_INSPECT_COMMANDS[1..],
            overlays: &HEX_OVERLAYS[..HEX_OVERLAYS.len() - 1],
            tunable: &net::TUNING_KEYS[..net::TUNING_KEYS.len() - 1], // the last one is on or off
            ..GameEngines::from_levels(level_specs())
        };
        if !net::has_built_in_network() {
            return usual;
        }
        GameEngines {
            adviser: (EngineKind::Net, Limits { nodes: Some(HINT_NODES), ..Limits::default() }),
            benched: [usual.benched, vec![(EngineKind::Net, 200)]].concat(),
            inspect_commands: HEX_INSPECT_COMMANDS,
            overlays: HEX_OVERLAYS,
            ..usual
        }
    }
}

/// Board overlays, most of which draw the output of one of the [`HEX_INSPECT_COMMANDS`]. The network's
/// overlay comes last, its command first.
const HEX_OVERLAYS: &[BoardOverlay<Hex>] = &[
    BoardOverlay {
        title: |[red, blue]| text!("Paths of the classic level: r {red}'s, b {blue}'s, & both"),
        marks: explain::mark_classic_paths,
    },
    BoardOverlay {
        title: |[red, _]| text!("Cost of each cell for {red} (low is easy)"),
        marks: |at| explain::mark_classic_costs(at, Side::First),
    },
    BoardOverlay {
        title: |[_, blue]| text!("Cost of each cell for {blue} (low is easy)"),
        marks: |at| explain::mark_classic_costs(at, Side::Second),
    },
    BoardOverlay {
        title: |_| "Must-play: * not losing at once, w winning, = cells the winner needs".into(),
        marks: shown::mark_must_play,
    },
    BoardOverlay {
        title: |[red, _]| text!("{red}'s connections: = cannot be cut, + one move away"),
        marks: |at| shown::mark_connections(at, Side::First),
    },
    BoardOverlay {
        title: |[_, blue]| text!("{blue}'s connections: = cannot be cut, + one move away"),
        marks: |at| shown::mark_connections(at, Side::Second),
    },
    BoardOverlay {
        title: |_| "The network's choices: 9 likeliest, 1 least likely".into(),
        marks: net::mark_policy_moves,
    },
];

/// Commands that show how the network and level `classic` evaluate a position.
const HEX_INSPECT_COMMANDS: &[InspectCommand<Hex>] = &[
    InspectCommand { word: "policy", short: "show the network's choices", describe: net::describe_policy },
    InspectCommand {
        word: "must-play",
        short: "show the moves that do not lose at once, and why",
        describe: shown::describe_must_play,
    },
    InspectCommand {
        word: "weights",
        short: "show the cost of each cell for level classic",
        describe: explain::render_classic_costs,
    },
    InspectCommand {
        word: "paths",
        short: "show the two paths that the classic level sees and where they meet",
        describe: explain::describe_classic_paths,
    },
];

/// Strategy that opens with a balanced stone, may swap the opponent's first stone, and otherwise follows `S`.
struct FairOpeningStrategy<S> {
    swap_decider: SwapDecider,
    strategy: S,
}

/// Returns a boxed engine that opens with a balanced stone, may swap, and otherwise follows `strategy`.
fn box_with_fair_opening<S: Strategy<Hex> + 'static>(
    config: &EngineConfig,
    strategy: S,
) -> Box<dyn Engine<Hex>> {
    Box::new(StrategyEngine::new(
        config,
        FairOpeningStrategy { swap_decider: SwapDecider::default(), strategy },
    ))
}

impl<S: Strategy<Hex>> Strategy<Hex> for FairOpeningStrategy<S> {
    const PLAYS_RANDOMLY: bool = S::PLAYS_RANDOMLY;

    fn think(&mut self, task: &mut MoveTask<'_, Hex>) -> StrategyResult<Move> {
        let game = task.at.now;
        if game.can_swap() && self.swap_decider.should_swap(game, task.generator, &task.control) {
            return StrategyResult::from_moves(vec![Move::Swap]);
        }
        // Subtract the time and nodes that the swap decision used.
        task.control.limits = task.budget.remaining_limits(task.control.limits);
        task.budget = SearchBudget::start(&task.control);
        let is_first = game.swap_rule == SwapRule::On && game.stone_count() == 0;
        if is_first { place_candidates(swap::conventional_openings(game)) } else { self.strategy.think(task) }
    }
}

/// Creates a strategy result with one move per cell, which places a stone on it.
fn place_candidates(cells: Vec<Cell>) -> StrategyResult<Move> {
    StrategyResult::from_moves(cells.into_iter().map(Move::Place).collect())
}

/// Returns the cell of the last stone played, if the last move placed one.
fn last_stone_cell(at: &GameHistory<'_, Hex>) -> Option<Cell> {
    at.played.last().and_then(|mv| mv.cell())
}
