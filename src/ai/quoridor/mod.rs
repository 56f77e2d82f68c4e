//! The engines of Quoridor. Know the rules, nothing of screens.

pub mod classic;
pub mod eval;
pub mod sight;
pub mod solve;

use rand::RngExt;

use crate::ai::alphabeta::AlphaBeta;
use crate::ai::table::Table;
use crate::ai::{
    Build, Choice, Control, Engine, EngineConfig, Info, Kit, Level, Limits, Meter, Scale, Situation, Solved,
    Tier, WIN, one_ply_earlier,
};
use crate::game::{Game, Outcome, Side, View};
use crate::games::quoridor::{Cell, Move, Quoridor};
use crate::random::Generator;
use classic::Classic;
use eval::STEP;
use sight::{Sight, Width};

/// The levels, weakest first, `classic` in front.
#[must_use]
pub fn engines() -> Vec<Tier<Quoridor>> {
    fn tier(level: Level, build: Build<Quoridor>) -> Tier<Quoridor> {
        Tier { level, build, scale: SCALE }
    }
    vec![
        Tier { scale: classic::SCALE, ..tier(Level::Classic, |_, _| Ok(Box::new(Classic::default()))) },
        tier(Level::Number(1), |_, config| Ok(Box::new(Walker::new(config)))),
        tier(Level::Number(2), |_, config| Ok(Box::new(Blurred::new(1, STEP, config)))),
        tier(Level::Number(3), |_, config| Ok(Box::new(Blurred::new(2, 3 * STEP / 10, config)))),
        tier(Level::Number(4), |_, config| Ok(Box::new(Deepening::new(3_000, config)))),
    ]
}

/// Scores count steps; the odds are those of 120 games of level 4 with itself on 9x9.
const SCALE: Scale = Scale { unit: "steps", one: STEP, decimals: 1, odds: Some(280.0) };

/// The levels, the reasons and the solver of small boards.
#[must_use]
pub fn kit() -> Kit<Quoridor> {
    Kit { reason: Some(reason), solve: Some(solved), ..Kit::of(engines()) }
}

/// What a legal move is good for.
fn reason(game: &Quoridor, mv: Move) -> String {
    let me = game.to_move();
    let names = |side: Side| game.side_name(side);
    let steps = |game: &Quoridor| (game.distance(me), game.distance(me.other()));
    let (own, other) = steps(game);
    let mut after = game.clone();
    after.make(mv);
    let (own_after, other_after) = steps(&after);
    let to_go = |steps: u32| if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    match mv.wall() {
        _ if after.outcome() == Some(Outcome::Win(me)) => "reaches the goal row".to_owned(),
        None if own_after < own => format!("leaves {} to the goal row", to_go(own_after)),
        None => "goes round what is in the way".to_owned(),
        Some(_) if other_after > other && other == 1 => {
            format!("keeps {} from its goal row", names(me.other()))
        }
        Some(_) if other_after > other => {
            format!("makes the way of {} longer, {} instead of {other} steps", names(me.other()), other_after)
        }
        Some(_) => "makes no way longer yet, but looks best some moves ahead".to_owned(),
    }
}

/// Positions that the solver looks at unless it is told otherwise: at most 200 MB.
const SOLVER_STATES: usize = 40_000_000;

/// The exact value of a small board, as the solver's table says it.
fn solved(game: &Quoridor, threads: usize, control: &Control<'_, Move>) -> Solved<Move> {
    let meter = Meter::start(control);
    let most = control.limits.nodes.and_then(|nodes| usize::try_from(nodes).ok()).unwrap_or(SOLVER_STATES);
    let is_stopped = || meter.is_due();
    match solve::solve_on_threads(game, most, threads, &is_stopped) {
        Ok(found) => Solved {
            outcome: Some(found.outcome),
            proof: vec![format!("proved by a table of all {} positions that can follow", found.states)],
            moves: found.moves.into_iter().map(|(mv, outcome, plies)| (mv, Some(outcome), plies)).collect(),
            nodes: found.states as u64,
            elapsed: meter.elapsed(),
        },
        Err(why) => {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            let moves = moves.into_iter().map(|mv| (mv, None, None)).collect();
            let proof = vec![format!("not proved: {why}")];
            Solved { outcome: None, proof, moves, nodes: 0, elapsed: meter.elapsed() }
        }
    }
}

/// The cell that wins at once.
fn winning_step(game: &Quoridor) -> Option<Cell> {
    let row = game.goal_row(game.to_move());
    game.pawn_targets().into_iter().find(|cell| cell.row() == row)
}

/// The moves after which the opponent cannot win at once; all moves if there are none.
fn safe_moves(game: &mut Quoridor) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut safe = moves.clone();
    safe.retain(|&mv| {
        let undo = game.make(mv);
        let loses = winning_step(game).is_some();
        game.unmake(mv, undo);
        !loses
    });
    if safe.is_empty() { moves } else { safe }
}

/// The answer when the pawn can step onto its goal row.
fn win_at_once(cell: Cell, meter: &Meter<'_>) -> Choice<Move> {
    let mv = Move::from(cell);
    let info = Info { depth: 1, elapsed: meter.elapsed(), ..Info::of(vec![mv], Some(WIN - 1)) };
    Choice { mv, info, status: None }
}

/// Level 1: every other move at random among those that do not throw it back by more than a step, else straight on.
#[derive(Debug)]
struct Walker {
    config: EngineConfig,
    generator: Generator,
}

impl Walker {
    fn new(config: &EngineConfig) -> Self {
        Walker { config: config.clone(), generator: config.generator() }
    }
}

impl Engine<Quoridor> for Walker {
    fn new_game(&mut self) {
        self.generator = self.config.generator();
    }

    fn next_candidate(&mut self) {}

    fn choose(&mut self, at: &Situation<'_, Quoridor>, control: &Control<'_, Move>) -> Choice<Move> {
        let meter = Meter::start(control);
        if let Some(cell) = winning_step(at.now) {
            return win_at_once(cell, &meter);
        }
        let mut game = at.now.clone();
        let me = game.to_move();
        let before = game.distance(me);
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let far_after = |game: &mut Quoridor, mv: Move| {
            let undo = game.make(mv);
            let steps = game.distance(me);
            game.unmake(mv, undo);
            steps
        };
        let candidates: Vec<Move> = if self.generator.random_range(0..2) == 0 {
            moves.into_iter().filter(|&mv| far_after(&mut game, mv) <= before + 1).collect()
        } else {
            moves.retain(|mv| mv.wall().is_none());
            let nearest = moves.iter().map(|&mv| far_after(&mut game, mv)).min();
            moves.into_iter().filter(|&mv| Some(far_after(&mut game, mv)) == nearest).collect()
        };
        let mv = match candidates.as_slice() {
            // Every step may lead far away, and every wall too.
            [] => first_step(at.now),
            some => some[self.generator.random_range(0..some.len())],
        };
        let info = Info { elapsed: meter.elapsed(), ..Info::of(vec![mv], None) };
        Choice { mv, info, status: None }
    }
}

/// The first step of a shortest way, or the first legal move where the other pawn stands there.
fn first_step(game: &Quoridor) -> Move {
    let me: Side = game.to_move();
    let straight = game.shortest_path(me).first().map(|&cell| Move::from(cell));
    straight.filter(|&mv| game.is_legal(mv)).unwrap_or_else(|| {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        *moves.first().expect("a running game has a move")
    })
}

/// The step of a shortest way if it is among the moves, else the first of them.
fn straight_on(game: &Quoridor, moves: &[Move]) -> Move {
    let straight = first_step(game);
    if moves.contains(&straight) { straight } else { moves[0] }
}

/// Positions of which a search remembers what it found: 1.5 MB.
const TABLE: usize = 1 << 16;

/// Levels 2 and 3: a fixed depth, each root move's value blurred by chance.
#[derive(Debug)]
struct Blurred {
    depth: u32,
    /// The most that chance adds or takes away.
    blur: i32,
    search: AlphaBeta<Quoridor, Sight>,
    config: EngineConfig,
    generator: Generator,
}

impl Blurred {
    fn new(depth: u32, blur: i32, config: &EngineConfig) -> Self {
        let search = AlphaBeta::new(Sight::new(Width::Full), Table::with_entries(TABLE));
        Blurred { depth, blur, search, config: config.clone(), generator: config.generator() }
    }
}

impl Engine<Quoridor> for Blurred {
    /// The search forgets with every move.
    fn new_game(&mut self) {
        self.generator = self.config.generator();
    }

    fn next_candidate(&mut self) {}

    fn choose(&mut self, at: &Situation<'_, Quoridor>, control: &Control<'_, Move>) -> Choice<Move> {
        let mut meter = Meter::start(control);
        if let Some(cell) = winning_step(at.now) {
            return win_at_once(cell, &meter);
        }
        self.search.forget();
        let mut game = at.now.clone();
        let depth = control.limits.depth.unwrap_or(self.depth).clamp(1, MOST_DEPTH);
        let below = u8::try_from(depth - 1).expect("at most MOST_DEPTH");
        // One ply says nothing about the answer; deeper, what lets the opponent win at once is left out.
        let mut moves = safe_moves(&mut game);
        if depth == 1 {
            moves.clear();
            game.moves(&mut moves);
        }
        let fallback = straight_on(at.now, &moves);
        let mut best: Option<(Move, i32)> = None;
        for mv in moves {
            let blur = self.generator.random_range(-self.blur..=self.blur);
            // Wins count from the next position on: one ply more of them fits into the window.
            let floor = best.map_or(-WIN, |(_, most)| (most - blur - 1).clamp(-WIN, WIN - 1));
            let undo = game.make(mv);
            let value = self.search.value(&game, below, (-WIN, -floor), &mut meter);
            game.unmake(mv, undo);
            let Some(value) = value else { break };
            let value = one_ply_earlier(value) + blur;
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((mv, value));
            }
        }
        let (mv, depth) = best.map_or((fallback, 0), |(mv, _)| (mv, depth));
        let score = best.map(|(_, value)| value);
        let info = Info { nodes: meter.nodes, depth, elapsed: meter.elapsed(), ..Info::of(vec![mv], score) };
        Choice { mv, info, status: None }
    }
}

/// Level 4: deeper and deeper until the limits are met.
#[derive(Debug)]
struct Deepening {
    /// Its own limits, kept where none are given.
    limits: Limits,
    search: AlphaBeta<Quoridor, Sight>,
    config: EngineConfig,
    generator: Generator,
}

impl Deepening {
    fn new(nodes: u64, config: &EngineConfig) -> Self {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let search = AlphaBeta::new(Sight::new(Width::Narrow(NARROW)), Table::with_entries(TABLE));
        Deepening { limits, search, config: config.clone(), generator: config.generator() }
    }

    /// The limits of one move: the engine's own, unless any other is given.
    fn limits(&self, given: Limits) -> Limits {
        if given == Limits::default() { self.limits } else { given }
    }
}

impl Engine<Quoridor> for Deepening {
    /// The search forgets with every move.
    fn new_game(&mut self) {
        self.generator = self.config.generator();
    }

    fn next_candidate(&mut self) {}

    fn choose(&mut self, at: &Situation<'_, Quoridor>, control: &Control<'_, Move>) -> Choice<Move> {
        let control = Control { limits: self.limits(control.limits), ..*control };
        let mut meter = Meter::start(&control);
        if let Some(cell) = winning_step(at.now) {
            return win_at_once(cell, &meter);
        }
        self.search.forget();
        self.search.eval().remember(at);
        let found = self.search.best(at.now, &mut self.generator, &control, &mut meter);
        let mut mv = found.mv;
        let mut pv = found.pv;
        if found.depth == 0 {
            // Not even every move was looked at once: a step straight on is better than one drawn by chance.
            mv = straight_on(at.now, &safe_moves(&mut at.now.clone()));
            pv = vec![mv];
        }
        let (nodes, elapsed) = (meter.nodes, meter.elapsed());
        let info = Info { nodes, depth: found.depth, elapsed, ..Info::of(pv, found.score) };
        Choice { mv, info, status: None }
    }
}

/// Deeper than any level looks.
const MOST_DEPTH: u32 = 64;
/// Moves looked at below the root: level 4 wins 148 of 200 games against level 3 and 171 against classic; with 12 moves 135,
/// with 20 moves 130, with 45 moves 202 of 300 (30 moves: 210) against level 3.
const NARROW: usize = 30;
