//! Quoridor engines and the levels built from them. This module depends on the rules, not on any user
//! interface.

#[doc(hidden)] // the inside of the engines, open for their tests
pub mod board;
#[doc(hidden)] // the same
pub mod book;
#[doc(hidden)] // the same
pub mod classic;
#[doc(hidden)] // the same
pub mod consequence;
mod constants;
#[doc(hidden)] // the same
pub mod detours;
#[doc(hidden)] // the same
pub mod eval;
mod exact;
mod explain;
pub mod net;
#[doc(hidden)] // the same
pub mod race;
mod running;
#[doc(hidden)] // the same
pub mod search;
pub mod solve;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;
use std::time::Duration;

use rand::RngExt;
use rand::seq::IndexedRandom;

use crate::ai::net::SparseNet;
use crate::ai::transposition::TranspositionTable;
use crate::ai::{
    BENCH_NODES_PER_SEARCH, BuildEngine, Engine, EngineBuildError, EngineConfig, EngineKind, GameEngines,
    HasEngines, InspectCommand, LevelSpec, Limits, MATE_BOUND, MoveTask, NetworkEvaluation, Score, ScoreUnit,
    SearchBudget, SolveControl, SolveResult, Strategy, StrategyEngine, StrategyResult, WIN_VALUE,
    legal_moves, with_move_made,
};
use crate::game::{Game, Outcome};
use crate::games::quoridor::{Cell, Move, Quoridor};
use book::BookEngine;
use classic::QuoridorClassic;
use constants::SearchConstants;
use eval::SCORE_PER_STEP;
use exact::SolveFirstEngine;
use running::RaceEngine;
use search::{Searcher, create_searcher};

/// Returns the levels, `classic` first, then from weakest to strongest.
///
/// ```
/// use crosspath::ai::{EngineKind, quoridor::level_specs};
/// assert_eq!(level_specs()[0].level, EngineKind::Classic);
/// ```
#[must_use]
pub fn level_specs() -> Vec<LevelSpec<Quoridor>> {
    let limits = Limits::default();
    let engine = |level, about, build| LevelSpec::new(level, about, build, QUORIDOR_SCORE_UNIT);
    let by_search = |level, about, nodes| LevelSpec {
        limits: Limits { nodes: Some(nodes), ..limits },
        ..engine(level, about, |game, config| Ok(RaceEngine::boxed(build_network_engine(game, config)?)))
    };
    vec![
        LevelSpec {
            scale: classic::CLASSIC_SCORE_UNIT,
            ..engine(
                EngineKind::Classic,
                "The original engine: searches two moves ahead by path lengths.",
                |_, _| Ok(Box::new(QuoridorClassic::default())),
            )
        },
        engine(
            EngineKind::Level(1),
            "Sees only its own next move, and is often careless.",
            |game, config| {
                let strategy = NoisyAlphaBeta::new(game, 1, 9 * SCORE_PER_STEP / 5);
                Ok(box_strategy_engine(config, EpsilonRandomStrategy(strategy)))
            },
        ),
        engine(
            EngineKind::Level(2),
            "Looks one move ahead and often misjudges the result.",
            |game, config| {
                Ok(box_strategy_engine(config, NoisyAlphaBeta::new(game, 1, 17 * SCORE_PER_STEP / 10)))
            },
        ),
        engine(
            EngineKind::Level(3),
            "Considers your reply too, and sometimes misjudges the result.",
            |game, config| Ok(box_strategy_engine(config, NoisyAlphaBeta::new(game, 2, SCORE_PER_STEP))),
        ),
        level_4(),
        by_search(EngineKind::Level(5), "Counts the walls of both sides and punishes careless ones.", 3_000),
        by_search(EngineKind::Level(6), "Sees walls coming many moves ahead.", 20_000),
        by_search(EngineKind::Level(7), "Searches far ahead, and still answers at once.", 150_000),
        LevelSpec {
            limits: Limits { time: Some(LEVEL_8_MOVE_TIME), ..limits },
            ..engine(
                EngineKind::Level(8),
                "Uses an opening book and searches for two seconds: the strongest level.",
                |game, config| {
                    let exact = SolveFirstEngine::new(build_network_engine(game, config)?, &config.resources);
                    Ok(RaceEngine::boxed(Box::new(BookEngine(Box::new(exact)))))
                },
            )
        },
        engine(EngineKind::Lookahead, "Searches without the network.", |game, config| {
            Ok(box_strategy_engine(config, IterativeDeepening::new(game, config, None)))
        }),
        engine(EngineKind::Net, "Searches with the network that you give it.", build_network_engine),
    ]
}

/// Builds the searching engine with the configured network or the built-in one. Without a network, or on
/// boards that the network does not support, it evaluates by the fitted terms alone.
fn build_network_engine(
    game: &Quoridor,
    config: &EngineConfig,
) -> Result<Box<dyn Engine<Quoridor>>, EngineBuildError> {
    config.tuning.check_supported(&constants::TUNABLE_KEYS)?;
    Ok(box_strategy_engine(
        config,
        IterativeDeepening::new(game, config, net::load_network(config)?.as_ref()),
    ))
}

/// Returns level 4, whose search has no network.
fn level_4() -> LevelSpec<Quoridor> {
    let about = "Searches a little ahead and knows what walls are worth.";
    let build: BuildEngine<Quoridor> =
        |game, config| Ok(RaceEngine::boxed(build_terms_engine(game, config)?));
    LevelSpec {
        limits: Limits { nodes: Some(600), ..Limits::default() },
        ..LevelSpec::new(EngineKind::Level(4), about, build, QUORIDOR_SCORE_UNIT)
    }
}

/// Builds the searching engine of level 4, which evaluates by the fitted terms alone unless a network is
/// configured. With the built-in network it would be too strong for its place.
fn build_terms_engine(
    game: &Quoridor,
    config: &EngineConfig,
) -> Result<Box<dyn Engine<Quoridor>>, EngineBuildError> {
    if config.weights.is_some() {
        return build_network_engine(game, config);
    }
    config.tuning.check_supported(&constants::TUNABLE_KEYS)?;
    Ok(box_strategy_engine(config, IterativeDeepening::new(game, config, None)))
}

/// Time per move of level 8.
const LEVEL_8_MOVE_TIME: Duration = Duration::from_secs(2);

/// Evaluates a running game without a search: by the fitted terms, and by the built-in network on boards that
/// it supports.
///
/// The network has no policy output, so `policy` is empty. Returns `None` if the game is over.
///
/// ```
/// use crosspath::ai::quoridor::evaluate;
/// use crosspath::games::quoridor::Quoridor;
/// let evaluation = evaluate(&Quoridor::new(9)?).ok_or("a running game")?;
/// assert!((0.2..0.8).contains(&evaluation.win_chance) && evaluation.policy.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn evaluate(game: &Quoridor) -> Option<NetworkEvaluation<Move>> {
    let win_chance = QUORIDOR_SCORE_UNIT
        .win_chance(Score(net::evaluate_statically(game)))
        .filter(|_| game.outcome().is_none())?;
    Some(NetworkEvaluation { win_chance, policy: Vec::new() })
}

/// Score unit: steps. Win chances are fitted to 800 games of the network at [`DEFAULT_NODES`] nodes per move;
/// see docs/engines.md.
const QUORIDOR_SCORE_UNIT: ScoreUnit = ScoreUnit {
    unit: "steps",
    one: SCORE_PER_STEP,
    decimals: 1,
    odds: Some(176.0),
    bias: -0.1,
    has_bounds: false,
};

impl HasEngines for Quoridor {
    fn game_engines() -> GameEngines<Self> {
        let benched = vec![(EngineKind::Lookahead, BENCH_NODES_PER_SEARCH)];
        let by_net = net::built_in_network().map(|_| (EngineKind::Net, BENCH_NODES_PER_SEARCH));
        GameEngines {
            default_level: EngineKind::Level(5),
            adviser: (EngineKind::Net, Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() }),
            reference: EngineKind::Lookahead,
            benched: benched.into_iter().chain(by_net).collect(),
            reason: Some(explain::explain_move),
            consequence: Some(consequence::explain_mistake),
            inspect_commands: INSPECT_COMMANDS,
            opening: Some(book::find_opening_name),
            tunable: &constants::TUNABLE_KEYS,
            solve: Some(solve_small_board),
            exact: Some(find_exact_outcome),
            ..GameEngines::from_levels(level_specs())
        }
    }
}

/// Inspection commands of Quoridor.
const INSPECT_COMMANDS: &[InspectCommand<Quoridor>] = &[
    InspectCommand {
        word: "book",
        short: "show the opening book's move",
        describe: book::describe_book_entry,
    },
    InspectCommand {
        word: "paths",
        short: "show the shortest path of each side",
        describe: explain::describe_shortest_paths,
    },
];

/// Returns the exact value of a small board from the solver's table.
fn solve_small_board(game: &Quoridor, control: &SolveControl<'_>) -> SolveResult<Move> {
    let budget = SearchBudget::start::<Move>(&control.search_control());
    match solve::solve_quoridor(game, control) {
        Ok(found) => SolveResult {
            outcome: Some(found.outcome),
            proof: vec![format!("proved by a table of all {} reachable positions", found.states)],
            moves: found.moves.into_iter().map(|(mv, outcome, plies)| (mv, Some(outcome), plies)).collect(),
            nodes: found.states as u64,
            elapsed: budget.elapsed(),
            lacks_memory: false,
            needs_mib: None,
        },
        Err(why) => {
            let moves = legal_moves(game).into_iter().map(|mv| (mv, None, None)).collect();
            let proof = vec![format!("not proved: {why}")];
            let lacks_memory = matches!(why, solve::QuoridorSolveError::NoMemory(_));
            let needs_mib = match why {
                solve::QuoridorSolveError::NotAllowed { needed, .. } => Some(needed),
                _ => None,
            };
            let elapsed = budget.elapsed();
            SolveResult { outcome: None, proof, moves, nodes: 0, elapsed, lacks_memory, needs_mib }
        }
    }
}

/// Limits up to which [`find_exact_outcome`] gives a value: the cells of the board, and the positions of the
/// table.
const EXACT_OUTCOME_LIMITS: (usize, u64) = (15, 1_500_000);

/// Returns the outcome of a position on a board of up to 3x5 cells, and the moves that keep it, the shortest
/// win first.
fn find_exact_outcome(game: &Quoridor, stop: &AtomicBool) -> Option<(Outcome, Vec<Move>)> {
    let (cells, states) = EXACT_OUTCOME_LIMITS;
    if game.width() * game.height() > cells {
        return None;
    }
    let limits = Limits { nodes: Some(states), ..Limits::default() };
    let found = solve::solve_quoridor(game, &SolveControl::without_reports(limits, stop)).ok()?;
    let mut kept: Vec<_> =
        found.moves.into_iter().filter(|(_, outcome, _)| *outcome == found.outcome).collect();
    kept.sort_by_key(|(_, _, plies)| *plies);
    Some((found.outcome, kept.into_iter().map(|(mv, ..)| mv).collect()))
}

/// Returns the target cell of a pawn move that wins at once, if there is one.
fn find_winning_step(game: &Quoridor) -> Option<Cell> {
    let row = game.goal_row(game.to_move());
    game.pawn_targets().into_iter().find(|cell| cell.row() == row)
}

/// Returns the moves after which the opponent cannot win at once, or all moves if there are none.
fn list_safe_moves(game: &mut Quoridor) -> Vec<Move> {
    let moves = legal_moves(game);
    let mut safe = moves.clone();
    safe.retain(|&mv| with_move_made(game, mv, |game| find_winning_step(game).is_none()));
    if safe.is_empty() { moves } else { safe }
}

/// A strategy that steps onto its goal row if it can, and otherwise follows the wrapped strategy.
struct WinAtOnceStrategy<S>(S);

/// Builds an engine that wins at once if it can, and otherwise follows a strategy.
fn box_strategy_engine<S: Strategy<Quoridor> + 'static>(
    config: &EngineConfig,
    strategy: S,
) -> Box<dyn Engine<Quoridor>> {
    Box::new(StrategyEngine::new(config, WinAtOnceStrategy(strategy)))
}

impl<S: Strategy<Quoridor>> Strategy<Quoridor> for WinAtOnceStrategy<S> {
    const PLAYS_RANDOMLY: bool = S::PLAYS_RANDOMLY;

    fn think(&mut self, task: &mut MoveTask<'_, Quoridor>) -> StrategyResult<Move> {
        match find_winning_step(task.at.now) {
            Some(cell) => StrategyResult::from_line(vec![cell.into()], Some(WIN_VALUE - 1), 1),
            None => self.0.think(task),
        }
    }

    fn clear_state(&mut self) {
        self.0.clear_state();
    }
}

/// Average number of level 1 moves per careless move.
const CARELESS_MOVE_INTERVAL: u32 = 12;

/// Level 1: plays like level 2, but sometimes draws a random move that lengthens its path by at most one
/// step.
struct EpsilonRandomStrategy(NoisyAlphaBeta);

impl Strategy<Quoridor> for EpsilonRandomStrategy {
    const PLAYS_RANDOMLY: bool = true;

    fn think(&mut self, task: &mut MoveTask<'_, Quoridor>) -> StrategyResult<Move> {
        if task.generator.random_range(0..CARELESS_MOVE_INTERVAL) > 0 {
            return self.0.think(task);
        }
        let now = task.at.now;
        let mut game = now.clone();
        let me = game.to_move();
        let before = game.distance_to_goal(me);
        let mut moves = legal_moves(&game);
        moves.retain(|&mv| with_move_made(&mut game, mv, |game| game.distance_to_goal(me)) <= before + 1);
        // It may be that every move lengthens the path by more than that.
        let mv = moves.choose(task.generator).copied().unwrap_or_else(|| first_shortest_path_step(now));
        StrategyResult::from_moves(vec![mv])
    }

    fn clear_state(&mut self) {
        self.0.clear_state();
    }
}

/// Returns the first step of a shortest path, or the first legal move if the other pawn is on that cell.
fn first_shortest_path_step(game: &Quoridor) -> Move {
    let straight = game.shortest_path(game.to_move()).first().map(|&cell| Move::from(cell));
    straight
        .filter(|&mv| game.is_legal(mv))
        .or_else(|| legal_moves(game).first().copied())
        .expect("a running game has a move")
}

/// Returns the first step of a shortest path if it is among `moves`, or else the first of `moves`.
fn prefer_shortest_path_step(game: &Quoridor, moves: &[Move]) -> Move {
    let straight = first_shortest_path_step(game);
    if moves.contains(&straight) { straight } else { moves[0] }
}

/// Levels 2 and 3: fixed-depth search that adds random noise to the value of each root move.
struct NoisyAlphaBeta {
    depth: u32,
    /// Maximum size of the noise added to a value, in hundredths of a step.
    blur: i32,
    search: Box<dyn Searcher>,
}

impl NoisyAlphaBeta {
    fn new(game: &Quoridor, depth: u32, blur: i32) -> Self {
        NoisyAlphaBeta {
            depth,
            blur,
            search: create_searcher(game, TranspositionTable::with_entries(1 << 12), None, 1),
        }
    }
}

impl Strategy<Quoridor> for NoisyAlphaBeta {
    const PLAYS_RANDOMLY: bool = true;

    fn think(
        &mut self,
        MoveTask { at, generator, control, budget }: &mut MoveTask<'_, Quoridor>,
    ) -> StrategyResult<Move> {
        self.search.clear();
        self.search.set_root(at);
        let mut game = at.now.clone();
        let depth = control.limits.depth.unwrap_or(self.depth).clamp(1, MAX_FIXED_DEPTH);
        // At depth 1 replies do not count. At greater depth moves that lose at once are left out.
        let moves = if depth == 1 { legal_moves(&game) } else { list_safe_moves(&mut game) };
        let fallback = prefer_shortest_path_step(at.now, &moves);
        let mut best: Option<(Move, i32)> = None;
        for mv in moves {
            let blur = generator.random_range(-self.blur..=self.blur);
            let floor =
                best.map_or(-WIN_VALUE, |(_, most)| (most - blur - 1).clamp(-WIN_VALUE, WIN_VALUE - 1));
            let Some(value) = self.search.search_move_value(mv, depth - 1, (floor, WIN_VALUE), budget) else {
                break;
            };
            // Proved values get no noise, or else a winner might walk in circles.
            let value = if value.abs() > MATE_BOUND { value } else { value + blur };
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((mv, value));
            }
        }
        let (mv, depth) = best.map_or((fallback, 0), |(mv, _)| (mv, depth));
        StrategyResult::from_line(vec![mv], best.map(|(_, value)| value), depth)
    }
}

/// Strategy that searches by iterative deepening until a limit is reached.
struct IterativeDeepening {
    /// Largest number of table entries allowed.
    most_entries: usize,
    /// Number of table entries allocated.
    room: usize,
    /// Number of threads that search in parallel.
    threads: usize,
    search: Box<dyn Searcher>,
}

/// Nodes searched if no limit is given.
const DEFAULT_NODES: u64 = 20_000;
/// Upper bound of the nodes that a thread searches per microsecond.
const MAX_NODES_PER_MICROSECOND: usize = 2;
/// Memory of the table if none is given, in MiB.
const DEFAULT_TABLE_MEMORY_MIB: usize = 64;

impl IterativeDeepening {
    fn new(game: &Quoridor, config: &EngineConfig, network: Option<&Arc<SparseNet>>) -> Self {
        let most_entries =
            TranspositionTable::entries_for_mib(config.resources.memory_mib_or(DEFAULT_TABLE_MEMORY_MIB));
        // More threads than CPUs would only wait for each other.
        let threads = match config.resources.thread_count() {
            1 => 1, // counting the CPUs would read system files
            asked => asked.min(available_parallelism().map_or(1, usize::from)),
        };
        let mut search = create_searcher(game, TranspositionTable::with_entries(1), network, threads);
        search.set_constants(SearchConstants::from_tuning(&config.tuning));
        IterativeDeepening { most_entries, room: 0, threads, search }
    }

    /// Returns the number of table entries for a search with these limits. A short search gets a small table,
    /// which is quick to allocate, to clear and to access. Time limits vary from move to move, so under a
    /// clock the table never shrinks.
    fn table_entries_for(&self, limits: Limits) -> usize {
        let micros = limits.time.into_iter().chain(limits.cpu_time).min().map(|time| time.as_micros());
        let in_time = micros.map(|micros| {
            usize::try_from(micros)
                .unwrap_or(usize::MAX)
                .saturating_mul(MAX_NODES_PER_MICROSECOND * self.threads)
        });
        let in_limit =
            limits.nodes.map(|nodes| usize::try_from(nodes).unwrap_or(usize::MAX).saturating_mul(4));
        let room = in_time.into_iter().chain(in_limit).min().unwrap_or(usize::MAX).min(self.most_entries);
        if limits.nodes.is_some() { room } else { room.max(self.room) }
    }
}

impl Strategy<Quoridor> for IterativeDeepening {
    fn think(
        &mut self,
        MoveTask { at, generator, control, budget }: &mut MoveTask<'_, Quoridor>,
    ) -> StrategyResult<Move> {
        let limits =
            control.limits.or_if_unlimited(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() });
        control.limits = limits.per_thread(self.threads);
        *budget = SearchBudget::start(control);
        self.room = self.table_entries_for(limits);
        self.search.resize_table(self.room);
        let mut found = self.search.find_best_move(at, generator, control, budget);
        if found.depth == 0 {
            // Not even every root move was searched, so a step along a shortest path is better than a random
            // move.
            found.pv = vec![prefer_shortest_path_step(at.now, &list_safe_moves(&mut at.now.clone()))];
        }
        StrategyResult::from_line(found.pv, found.score, found.depth)
    }

    fn clear_state(&mut self) {
        self.search.clear();
    }
}

/// Largest depth of a fixed-depth search.
const MAX_FIXED_DEPTH: u32 = 64;
