//! The engines of Quoridor. Know the rules, nothing of screens.

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
    BENCH_NODES, BuildEngine, BuildError, Candidates, Engine, EngineConfig, EngineKind, Engines, Evaluation,
    GameEngines, InspectCommand, LevelSpec, Limits, MATE_BOUND, MoveTask, Score, ScoreUnit, SearchBudget,
    SolveControl, Solved, Strategy, StrategyEngine, WIN, after_move, legal_moves,
};
use crate::game::{Game, Outcome};
use crate::games::quoridor::{Cell, Move, Quoridor};
use book::BookEngine;
use classic::QuoridorClassic;
use constants::SearchConstants;
use eval::STEP;
use exact::Exact;
use running::RaceEngine;
use search::{Searcher, searcher};

/// The levels, weakest first, `classic` in front.
///
/// ```
/// use crosspath::ai::{EngineKind, quoridor::engines};
/// assert_eq!(engines()[0].level, EngineKind::Classic);
/// ```
#[must_use]
pub fn engines() -> Vec<LevelSpec<Quoridor>> {
    let limits = Limits::default();
    let engine =
        |level, about, build: BuildEngine<Quoridor>| LevelSpec { level, about, build, limits, scale: SCALE };
    let by_search = |level, about, nodes| LevelSpec {
        limits: Limits { nodes: Some(nodes), ..limits },
        ..engine(level, about, |game, config| Ok(RaceEngine::boxed(by_network(game, config)?)))
    };
    vec![
        LevelSpec {
            scale: classic::SCALE,
            ..engine(
                EngineKind::Classic,
                "The original engine: searches two moves ahead by path lengths.",
                |_, _| Ok(Box::new(QuoridorClassic::default())),
            )
        },
        engine(
            EngineKind::Level(1),
            "Sees only its own next move, and is often careless.",
            |game, config| Ok(boxed(config, SometimesCareless(NoisyAlphaBeta::new(game, 1, 9 * STEP / 5)))),
        ),
        engine(
            EngineKind::Level(2),
            "Looks one move ahead and often misjudges the result.",
            |game, config| Ok(boxed(config, NoisyAlphaBeta::new(game, 1, 17 * STEP / 10))),
        ),
        engine(
            EngineKind::Level(3),
            "Considers your reply too, and sometimes misjudges the result.",
            |game, config| Ok(boxed(config, NoisyAlphaBeta::new(game, 2, STEP))),
        ),
        by_search(EngineKind::Level(4), "Searches a little ahead and knows what walls are worth.", 250),
        by_search(EngineKind::Level(5), "Counts the walls of both sides and punishes careless ones.", 3_000),
        by_search(EngineKind::Level(6), "Sees walls coming many moves ahead.", 20_000),
        by_search(EngineKind::Level(7), "Searches far ahead, and still answers at once.", 200_000),
        LevelSpec {
            limits: Limits { time: Some(TIME), ..limits },
            ..engine(
                EngineKind::Level(8),
                "Uses an opening book and searches for two seconds: the strongest level.",
                |game, config| {
                    let exact = Exact::before(by_network(game, config)?, &config.resources);
                    Ok(RaceEngine::boxed(Box::new(BookEngine(Box::new(exact)))))
                },
            )
        },
        engine(EngineKind::Lookahead, "Searches without the network.", |game, config| {
            Ok(boxed(config, Deepening::new(game, config, None)))
        }),
        engine(EngineKind::Net, "Searches with the network that you give it.", by_network),
    ]
}

/// The search with the network of the configuration, or the program's own; where there is none, or the board is another, by the
/// fitted terms alone.
fn by_network(game: &Quoridor, config: &EngineConfig) -> Result<Box<dyn Engine<Quoridor>>, BuildError> {
    config.tuning.check_known(&constants::KEYS)?;
    Ok(boxed(config, Deepening::new(game, config, net::of(config)?.as_ref())))
}

/// Thinking time of level 8.
const TIME: Duration = Duration::from_secs(2);

/// Evaluates a running game without a search: by the terms, and by the built-in network where that knows the board.
///
/// The network judges positions alone, so there is no policy. Returns `None` for a game that is over.
///
/// ```
/// use crosspath::ai::quoridor::evaluate;
/// use crosspath::games::quoridor::Quoridor;
/// let evaluation = evaluate(&Quoridor::new(9)?).ok_or("a running game")?;
/// assert!((0.2..0.8).contains(&evaluation.win_chance) && evaluation.policy.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn evaluate(game: &Quoridor) -> Option<Evaluation<Move>> {
    let win_chance = SCALE.chance(Score(net::at_a_glance(game))).filter(|_| game.outcome().is_none())?;
    Some(Evaluation { win_chance, policy: Vec::new() })
}

/// Scores count steps. Chances are those that 800 games of [`NODES`] positions a move with the network came to; docs/engines.md has more.
const SCALE: ScoreUnit =
    ScoreUnit { unit: "steps", one: STEP, decimals: 1, odds: Some(200.0), bias: -0.065, has_bounds: false };

impl Engines for Quoridor {
    fn game_engines() -> GameEngines<Self> {
        let benched = vec![(EngineKind::Lookahead, BENCH_NODES)];
        let by_net = net::built_in_network().map(|_| (EngineKind::Net, BENCH_NODES));
        GameEngines {
            default_level: EngineKind::Level(5),
            adviser: (EngineKind::Net, Limits { nodes: Some(NODES), ..Limits::default() }),
            reference: EngineKind::Lookahead,
            benched: benched.into_iter().chain(by_net).collect(),
            reason: Some(explain::reason),
            consequence: Some(consequence::consequence),
            inspect_commands: INSPECT_COMMANDS,
            opening: Some(book::opening),
            tunable: &constants::KEYS,
            solve: Some(solved),
            exact: Some(settled),
            ..GameEngines::of(engines())
        }
    }
}

/// The words of this game alone.
const INSPECT_COMMANDS: &[InspectCommand<Quoridor>] = &[
    InspectCommand { word: "book", short: "show the opening book's move", tell: book::describe_opening },
    InspectCommand {
        word: "paths",
        short: "show the shortest path of each side",
        tell: explain::paths_in_words,
    },
];

/// The exact value of a small board, as the solver's table says it.
fn solved(game: &Quoridor, control: &SolveControl<'_>) -> Solved<Move> {
    let budget = SearchBudget::start::<Move>(&control.search());
    match solve::solve(game, control) {
        Ok(found) => Solved {
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
            let lacks_memory = matches!(why, solve::Unsolved::NoMemory(_));
            let needs_mib = match why {
                solve::Unsolved::NotAllowed { needed, .. } => Some(needed),
                _ => None,
            };
            let elapsed = budget.elapsed();
            Solved { outcome: None, proof, moves, nodes: 0, elapsed, lacks_memory, needs_mib }
        }
    }
}

/// The largest board, in cells, on which [`settled`] tells the value, and the most positions of its table.
const EXACT: (usize, u64) = (15, 1_500_000);

/// The value of a position on a board of up to 3x5 cells, with the moves that keep it, the shortest win in front.
fn settled(game: &Quoridor, stop: &AtomicBool) -> Option<(Outcome, Vec<Move>)> {
    let (cells, states) = EXACT;
    if game.width() * game.height() > cells {
        return None;
    }
    let limits = Limits { nodes: Some(states), ..Limits::default() };
    let found = solve::solve(game, &SolveControl::quiet(limits, stop)).ok()?;
    let mut kept: Vec<_> =
        found.moves.into_iter().filter(|(_, outcome, _)| *outcome == found.outcome).collect();
    kept.sort_by_key(|(_, _, plies)| *plies);
    Some((found.outcome, kept.into_iter().map(|(mv, ..)| mv).collect()))
}

/// The cell that wins at once.
fn winning_step(game: &Quoridor) -> Option<Cell> {
    let row = game.goal_row(game.to_move());
    game.pawn_targets().into_iter().find(|cell| cell.row() == row)
}

/// The moves after which the opponent cannot win at once; all moves if there are none.
fn safe_moves(game: &mut Quoridor) -> Vec<Move> {
    let moves = legal_moves(game);
    let mut safe = moves.clone();
    safe.retain(|&mv| after_move(game, mv, |game| winning_step(game).is_none()));
    if safe.is_empty() { moves } else { safe }
}

/// A strategy that steps onto its goal row when it can, and thinks otherwise.
struct Finishing<S>(S);

/// An engine that wins at once when it can and else follows a strategy.
fn boxed<S: Strategy<Quoridor> + 'static>(config: &EngineConfig, strategy: S) -> Box<dyn Engine<Quoridor>> {
    Box::new(StrategyEngine::new(config, Finishing(strategy)))
}

impl<S: Strategy<Quoridor>> Strategy<Quoridor> for Finishing<S> {
    const IS_BY_CHANCE: bool = S::IS_BY_CHANCE;

    fn think(&mut self, task: &mut MoveTask<'_, Quoridor>) -> Candidates<Move> {
        match winning_step(task.at.now) {
            Some(cell) => Candidates::line(vec![cell.into()], Some(WIN - 1), 1),
            None => self.0.think(task),
        }
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}

/// Number of moves of level 1 among which one is careless on average.
const ONE_CARELESS_IN: u32 = 12;

/// Level 1: plays as level 2, but for some moves that are drawn from those that do not throw it back by more than a step.
struct SometimesCareless(NoisyAlphaBeta);

impl Strategy<Quoridor> for SometimesCareless {
    const IS_BY_CHANCE: bool = true;

    fn think(&mut self, task: &mut MoveTask<'_, Quoridor>) -> Candidates<Move> {
        if task.generator.random_range(0..ONE_CARELESS_IN) > 0 {
            return self.0.think(task);
        }
        let now = task.at.now;
        let mut game = now.clone();
        let me = game.to_move();
        let before = game.distance(me);
        let mut moves = legal_moves(&game);
        moves.retain(|&mv| after_move(&mut game, mv, |game| game.distance(me)) <= before + 1);
        // Every step may lead far away, and every wall too.
        let mv = moves.choose(task.generator).copied().unwrap_or_else(|| first_step(now));
        Candidates::among(vec![mv])
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}

/// The first step of a shortest path, or the first legal move where the other pawn stands there.
fn first_step(game: &Quoridor) -> Move {
    let straight = game.shortest_path(game.to_move()).first().map(|&cell| Move::from(cell));
    straight
        .filter(|&mv| game.is_legal(mv))
        .or_else(|| legal_moves(game).first().copied())
        .expect("a running game has a move")
}

/// The step of a shortest path if it is among the moves, else the first of them.
fn straight_on(game: &Quoridor, moves: &[Move]) -> Move {
    let straight = first_step(game);
    if moves.contains(&straight) { straight } else { moves[0] }
}

/// Levels 2 and 3: a fixed depth, each root move's value blurred by chance.
struct NoisyAlphaBeta {
    depth: u32,
    /// The most that chance adds or takes away.
    blur: i32,
    search: Box<dyn Searcher>,
}

impl NoisyAlphaBeta {
    fn new(game: &Quoridor, depth: u32, blur: i32) -> Self {
        NoisyAlphaBeta {
            depth,
            blur,
            search: searcher(game, TranspositionTable::with_entries(1 << 12), None, 1),
        }
    }
}

impl Strategy<Quoridor> for NoisyAlphaBeta {
    const IS_BY_CHANCE: bool = true;

    fn think(
        &mut self,
        MoveTask { at, generator, control, budget }: &mut MoveTask<'_, Quoridor>,
    ) -> Candidates<Move> {
        self.search.forget();
        self.search.begin(at);
        let mut game = at.now.clone();
        let depth = control.limits.depth.unwrap_or(self.depth).clamp(1, MAX_DEPTH);
        // One ply says nothing about the answer; deeper, what lets the opponent win at once is left out.
        let moves = if depth == 1 { legal_moves(&game) } else { safe_moves(&mut game) };
        let fallback = straight_on(at.now, &moves);
        let mut best: Option<(Move, i32)> = None;
        for mv in moves {
            let blur = generator.random_range(-self.blur..=self.blur);
            let floor = best.map_or(-WIN, |(_, most)| (most - blur - 1).clamp(-WIN, WIN - 1));
            let Some(value) = self.search.value_after(mv, depth - 1, (floor, WIN), budget) else {
                break;
            };
            // What is proved is sure; else who has won would walk in circles.
            let value = if value.abs() > MATE_BOUND { value } else { value + blur };
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((mv, value));
            }
        }
        let (mv, depth) = best.map_or((fallback, 0), |(mv, _)| (mv, depth));
        Candidates::line(vec![mv], best.map(|(_, value)| value), depth)
    }
}

/// Deeper and deeper until the limits are met.
struct Deepening {
    /// The most positions that the table may hold, and those that it has room for.
    most_entries: usize,
    room: usize,
    /// Number of threads that search at the same time.
    threads: usize,
    search: Box<dyn Searcher>,
}

/// Positions that are searched where no limit is given.
const NODES: u64 = 20_000;
/// More positions than a thread looks at in a microsecond.
const NODES_A_MICROSECOND: usize = 2;
/// Memory of the table where nothing else is said, in MiB.
const MEMORY_MIB: usize = 64;

impl Deepening {
    fn new(game: &Quoridor, config: &EngineConfig, network: Option<&Arc<SparseNet>>) -> Self {
        let most_entries = TranspositionTable::entries_in(config.resources.memory_or(MEMORY_MIB));
        // More threads than processors would only wait for each other.
        let threads = match config.resources.thread_count() {
            1 => 1, // to count the processors, the system reads files
            asked => asked.min(available_parallelism().map_or(1, usize::from)),
        };
        let mut search = searcher(game, TranspositionTable::with_entries(1), network, threads);
        search.tune(SearchConstants::of(&config.tuning));
        Deepening { most_entries, room: 0, threads, search }
    }

    /// For how many positions the table gets room. A short search needs a small table, which is soon emptied for the next game;
    /// and memory that no search of this time would fill costs the time it takes to get it, and to reach what lies far apart in
    /// it. A clock gives a move more time and another one less: then the table does not shrink.
    fn room_for(&self, limits: Limits) -> usize {
        let micros = limits.time.into_iter().chain(limits.cpu_time).min().map(|time| time.as_micros());
        let in_time = micros.map(|micros| {
            usize::try_from(micros).unwrap_or(usize::MAX).saturating_mul(NODES_A_MICROSECOND * self.threads)
        });
        let in_limit =
            limits.nodes.map(|nodes| usize::try_from(nodes).unwrap_or(usize::MAX).saturating_mul(4));
        let room = in_time.into_iter().chain(in_limit).min().unwrap_or(usize::MAX).min(self.most_entries);
        if limits.nodes.is_some() { room } else { room.max(self.room) }
    }
}

impl Strategy<Quoridor> for Deepening {
    fn think(
        &mut self,
        MoveTask { at, generator, control, budget }: &mut MoveTask<'_, Quoridor>,
    ) -> Candidates<Move> {
        let limits = control.limits.or(Limits { nodes: Some(NODES), ..Limits::default() });
        control.limits = limits.per_thread(self.threads);
        *budget = SearchBudget::start(control);
        self.room = self.room_for(limits);
        self.search.make_room(self.room);
        let mut found = self.search.best(at, generator, control, budget);
        if found.depth == 0 {
            // Not even every move was looked at once: a step straight on is better than one drawn by chance.
            found.pv = vec![straight_on(at.now, &safe_moves(&mut at.now.clone()))];
        }
        Candidates::line(found.pv, found.score, found.depth)
    }

    fn forget(&mut self) {
        self.search.forget();
    }
}

/// Deeper than any level looks.
const MAX_DEPTH: u32 = 64;
