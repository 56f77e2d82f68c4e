//! The engines of Hex and the levels made of them. Know the rules, nothing of screens.

mod analyst;
#[doc(hidden)] // the inside of the engines, open for their tests
pub mod classic;
#[doc(hidden)] // the same
pub mod consequence;
pub mod explain;
mod finishing;
pub mod ladder;
mod lookahead;
pub mod net;
#[doc(hidden)] // the same
pub mod path_blocking;
#[doc(hidden)] // the same
pub mod path_counts;
#[doc(hidden)] // the same
pub mod path_overlap;
pub mod proof;
mod replies;
mod root_prover;
mod shown;
pub mod solve;
mod solving;
pub mod swap;

use std::time::Duration;

use crate::ai::hex::classic::HexClassic;
use crate::ai::hex::finishing::Finishing;
use crate::ai::hex::lookahead::FixedDepth;
use crate::ai::hex::net::{NetEngine, PlayMode};
use crate::ai::hex::path_overlap::{PathFollower, SometimesRandom};
use crate::ai::hex::solving::SolvingEngine;
use crate::ai::hex::swap::SwapDecider;
use crate::ai::{
    BENCH_NODES, BuildEngine, BuildError, Candidates, Engine, EngineConfig, EngineKind, Engines, Evaluation,
    GameEngines, GameHistory, InspectCommand, LevelSpec, Limits, MoveTask, Overlay, ScoreUnit, SearchBudget,
    Strategy, StrategyEngine,
};
use crate::game::Side;
use crate::games::hex::{Cell, Hex, Move, SwapRule};
use crate::text;

/// Evaluates a running game with the built-in network, without a search.
///
/// Returns `None` for a game that is over and in a build without networks.
///
/// ```
/// use crosspath::ai::hex::evaluate;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let evaluation = evaluate(&Hex::new(11, SwapRule::Off)?).ok_or("a build without networks")?;
/// assert!(evaluation.win_chance > 0.5, "whoever begins has the better chance");
/// assert_eq!(evaluation.policy.len(), 121);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn evaluate(game: &Hex) -> Option<Evaluation<Move>> {
    net::evaluation(game)
}

/// The levels, weakest first, `classic` in front.
///
/// ```
/// use crosspath::ai::EngineKind;
/// let levels: Vec<EngineKind> = crosspath::ai::hex::engines().iter().map(|level_spec| level_spec.level).collect();
/// assert_eq!((levels[0], levels[3]), (EngineKind::Classic, EngineKind::Level(3)));
/// ```
#[must_use]
pub fn engines() -> Vec<LevelSpec<Hex>> {
    let limits = Limits::default();
    let engine =
        |level, about, build: BuildEngine<Hex>| LevelSpec { level, about, build, limits, scale: SCALE };
    let by_net =
        |level, about, limits, build| LevelSpec { limits, scale: NET_SCALE, ..engine(level, about, build) };
    let glance = Limits { nodes: Some(LEVEL_6_NODES), ..limits };
    let visits = Limits { nodes: Some(LEVEL_7_NODES), ..limits };
    let time = Limits { time: Some(LEVEL_8_TIME), ..limits };
    vec![
        engine(
            EngineKind::Classic,
            "The original program: plays where the two shortest paths meet.",
            |_, config| Ok(Box::new(HexClassic::new(config))),
        ),
        engine(
            EngineKind::Level(1),
            "Follows its shortest path, with one random stone in four.",
            |_, config| Ok(boxed(config, PathFollower::new(Some(4)))),
        ),
        engine(EngineKind::Level(2), "Follows its shortest path and rarely blocks yours.", |_, config| {
            Ok(boxed(config, SometimesRandom::new(9, 10, Some(8))))
        }),
        engine(EngineKind::Level(3), "Often blocks you and saves its bridges.", |_, config| {
            Ok(boxed(config, SometimesRandom::new(3, 5, None)))
        }),
        by_net(EngineKind::Level(4), "Knows good shape, but is often careless.", limits, |start, config| {
            by_size(start, config, PlayMode::Bare { temperature: LEVEL_4_TEMPERATURE }, None)
        }),
        by_net(EngineKind::Level(5), "Knows good shape, and slips now and then.", limits, |start, config| {
            by_size(start, config, PlayMode::Bare { temperature: LEVEL_5_TEMPERATURE }, None)
        }),
        by_net(
            EngineKind::Level(6),
            "Plays what looks best and knows which connections hold.",
            glance,
            |start, config| by_size(start, config, PlayMode::Search, Some(LEVEL_6_NODES)),
        ),
        by_net(
            EngineKind::Level(7),
            "Searches ahead, and still answers at once.",
            visits,
            |start, config| by_size(start, config, PlayMode::Search, Some(LEVEL_7_NODES)),
        ),
        by_net(
            EngineKind::Level(8),
            "Searches for two seconds: the strongest level.",
            time,
            |start, config| by_size(start, config, PlayMode::Search, None),
        ),
        engine(EngineKind::Lookahead, "Searches two moves ahead by shortest paths.", |_, config| {
            Ok(boxed(config, FixedDepth::default()))
        }),
        by_net(EngineKind::Net, "Plays the network's first choice.", limits, |start, config| {
            NetEngine::boxed(start, config, PlayMode::Search)
        }),
    ]
}

/// The engine of the network, or that of small boards, which networks do not know. A program without a network looks ahead by
/// paths.
fn by_size(
    start: &Hex,
    config: &EngineConfig,
    manner: PlayMode,
    usual: Option<u64>,
) -> Result<Box<dyn Engine<Hex>>, BuildError> {
    let engine = match NetEngine::boxed(start, config, manner) {
        Err(BuildError::NoNet) => boxed(config, FixedDepth::default()),
        engine => engine?,
    };
    if start.size() <= solving::MAX_SOLVED_SIZE {
        return Ok(Finishing::by_links(Box::new(SolvingEngine::new(config, engine, usual))));
    }
    Ok(match manner {
        PlayMode::Bare { .. } => Finishing::by_connections(engine),
        PlayMode::Search => Finishing::by_links(engine),
    })
}

/// Temperatures of the network's logits from which levels 4 and 5 draw their moves.
const LEVEL_4_TEMPERATURE: f64 = 1.75;
const LEVEL_5_TEMPERATURE: f64 = 0.85;

/// Positions that level 6 looks at: the one on the board, for its connections, and the one after the likeliest move.
const LEVEL_6_NODES: u64 = 2;

/// Positions that level 7 looks at: a tenth of a second at most up to 14x14.
const LEVEL_7_NODES: u64 = 256;

/// Positions that a hint looks at.
const HINT_NODES: u64 = 400;

/// Thinking time of level 8.
const LEVEL_8_TIME: Duration = Duration::from_secs(2);

/// Scores of the network are log odds, which its games have shown to be too large (`train/calibration.py`).
const NET_SCALE: ScoreUnit =
    ScoreUnit { unit: "", one: 1000, decimals: 2, odds: Some(1333.0), bias: 0.0, has_bounds: true };

/// Scores count stones; the odds are those of 150 games of `lookahead` with itself on 11x11.
const SCALE: ScoreUnit = ScoreUnit {
    unit: "stones",
    one: lookahead::STONE,
    decimals: 1,
    odds: Some(85.0),
    bias: 0.0,
    has_bounds: true,
};

impl Engines for Hex {
    fn game_engines() -> GameEngines<Self> {
        let usual = GameEngines {
            default_level: EngineKind::Level(5),
            adviser: (EngineKind::Lookahead, Limits::default()),
            reference: EngineKind::Lookahead,
            benched: vec![(EngineKind::Lookahead, BENCH_NODES)],
            reason: Some(explain::reason),
            consequence: Some(consequence::consequence),
            pattern: Some(ladder::ladder),
            announce: Some(shown::announced),
            values: Some(solve::values),
            solve: Some(|game, control| {
                let mib = control.memory_mib.unwrap_or(solve::MEMORY);
                solve::solve_within(game, mib, &control.search(), control.report)
            }),
            exact: Some(solve::exact),
            prove: Some(solve::prove),
            inspect_commands: &INSPECT_COMMANDS[1..],
            overlays: &OVERLAYS[..OVERLAYS.len() - 1],
            tunable: &net::CONSTANT_KEYS[..net::CONSTANT_KEYS.len() - 1], // the last one is on or off
            ..GameEngines::of(engines())
        };
        if !net::is_carried() {
            return usual;
        }
        GameEngines {
            adviser: (EngineKind::Net, Limits { nodes: Some(HINT_NODES), ..Limits::default() }),
            benched: [usual.benched, vec![(EngineKind::Net, 200)]].concat(),
            inspect_commands: INSPECT_COMMANDS,
            overlays: OVERLAYS,
            ..usual
        }
    }
}

/// Views of [`INSPECT_COMMANDS`], laid over the board; the network's view stands first there and last here.
const OVERLAYS: &[Overlay<Hex>] = &[
    Overlay {
        title: |[red, blue]| text!("Paths of the classic level: r {red}'s, b {blue}'s, & both"),
        marks: explain::paths_on_the_board,
    },
    Overlay {
        title: |[red, _]| text!("Cost of each cell for {red} (low is easy)"),
        marks: |at| explain::weights_on_the_board(at, Side::First),
    },
    Overlay {
        title: |[_, blue]| text!("Cost of each cell for {blue} (low is easy)"),
        marks: |at| explain::weights_on_the_board(at, Side::Second),
    },
    Overlay {
        title: |_| "Must-play: * not losing at once, w winning, = cells the winner needs".into(),
        marks: shown::must_play_on_the_board,
    },
    Overlay {
        title: |[red, _]| text!("{red}'s connections: = cannot be cut, + one move away"),
        marks: |at| shown::connections_on_the_board(at, Side::First),
    },
    Overlay {
        title: |[_, blue]| text!("{blue}'s connections: = cannot be cut, + one move away"),
        marks: |at| shown::connections_on_the_board(at, Side::Second),
    },
    Overlay {
        title: |_| "The network's choices: 9 likeliest, 1 least likely".into(),
        marks: net::policy_on_the_board,
    },
];

/// Commands that show how the network and level `classic` see a position.
const INSPECT_COMMANDS: &[InspectCommand<Hex>] = &[
    InspectCommand { word: "policy", short: "show the network's choices", tell: net::policy_in_words },
    InspectCommand {
        word: "must-play",
        short: "show the moves that do not lose at once, and why",
        tell: shown::must_play_in_words,
    },
    InspectCommand {
        word: "weights",
        short: "show the cost of each cell for level classic",
        tell: explain::weights_in_words,
    },
    InspectCommand {
        word: "paths",
        short: "show the two paths that the classic level sees and where they meet",
        tell: explain::paths_in_words,
    },
];

/// A strategy that may take over a first stone, and that opens with fair ones.
struct Opening<S> {
    judge: SwapDecider,
    strategy: S,
}

/// An engine that opens fairly and then follows a strategy.
fn boxed<S: Strategy<Hex> + 'static>(config: &EngineConfig, strategy: S) -> Box<dyn Engine<Hex>> {
    Box::new(StrategyEngine::new(config, Opening { judge: SwapDecider::default(), strategy }))
}

impl<S: Strategy<Hex>> Strategy<Hex> for Opening<S> {
    const IS_BY_CHANCE: bool = S::IS_BY_CHANCE;

    fn think(&mut self, task: &mut MoveTask<'_, Hex>) -> Candidates<Move> {
        let game = task.at.now;
        if game.can_swap() && self.judge.takes_over(game, task.generator, &task.control) {
            return Candidates::among(vec![Move::Swap]);
        }
        // What the judge of the first stone has used is gone.
        task.control.limits = task.budget.rest_of(task.control.limits);
        task.budget = SearchBudget::start(&task.control);
        let is_first = game.swap_rule == SwapRule::On && game.count() == 0;
        if is_first { among(swap::openings(game)) } else { self.strategy.think(task) }
    }
}

/// Offers to put a stone on one of these cells.
fn among(cells: Vec<Cell>) -> Candidates<Move> {
    Candidates::among(cells.into_iter().map(Move::Place).collect())
}

/// Returns the cell of the last stone.
fn last_stone(at: &GameHistory<'_, Hex>) -> Option<Cell> {
    at.played.last().and_then(|mv| mv.cell())
}
