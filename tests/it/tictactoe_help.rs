//! Shared helpers of the tic-tac-toe engine tests: positions, games between engines, and random
//! moves.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use crosspath::ai::tictactoe::tictactoe_levels;
use crosspath::ai::{
    Engine, EngineConfig, EngineKind, GameHistory, Limits, MoveChoice, SearchControl, Strategy,
    StrategyResult,
};
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::tictactoe::{Cell, TicTacToe, cells_in_mask};
use crosspath::random::RandomGenerator;
use rand::RngExt;

pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

pub(crate) fn board(size: usize) -> TicTacToe {
    TicTacToe::new(size).unwrap()
}

pub(crate) fn quiet(limits: Limits) -> SearchControl<'static, Cell> {
    SearchControl::without_reports(limits, &NEVER)
}

/// Returns the choice of a strategy at a position.
pub(crate) fn offered(
    strategy: &mut impl Strategy<TicTacToe>,
    game: &TicTacToe,
    generator: &mut RandomGenerator,
    limits: Limits,
) -> StrategyResult<Cell> {
    strategy
        .think_with_budget(&GameHistory { start: game, played: &[], now: game }, generator, &quiet(limits))
        .0
}

pub(crate) fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

pub(crate) fn after(size: usize, moves: &str) -> TicTacToe {
    let mut game = board(size);
    for text in moves.split_whitespace() {
        let cell = game.parse(text).unwrap();
        game.try_make_move(cell).unwrap();
    }
    game
}

pub(crate) fn legal(game: &TicTacToe) -> Vec<Cell> {
    let mut moves = Vec::new();
    game.push_legal_moves(&mut moves);
    moves
}

pub(crate) fn engine(level: EngineKind, seed: u64) -> Box<dyn Engine<TicTacToe>> {
    let level_spec = tictactoe_levels().into_iter().find(|level_spec| level_spec.level == level).unwrap();
    (level_spec.build)(&board(3), &EngineConfig::new(seed, 0)).unwrap()
}

/// Returns the answer of an engine in a position without a history.
pub(crate) fn ask(engine: &mut dyn Engine<TicTacToe>, game: &TicTacToe, limits: Limits) -> MoveChoice<Cell> {
    engine.new_game();
    engine.choose(&GameHistory { start: game, played: &[], now: game }, &quiet(limits))
}

/// Returns every reachable unfinished position of a board once.
pub(crate) fn unfinished(start: &TicTacToe) -> Vec<TicTacToe> {
    let mut seen = BTreeSet::new();
    let mut found = vec![start.clone()];
    let mut next = 0;
    while next < found.len() {
        let game = found[next].clone();
        next += 1;
        for mv in legal(&game) {
            let mut after = game.clone();
            after.make_move(mv);
            if after.outcome().is_none()
                && seen.insert((after.stones(Side::First), after.stones(Side::Second)))
            {
                found.push(after);
            }
        }
    }
    found
}

pub(crate) fn random_move(game: &TicTacToe, generator: &mut RandomGenerator) -> Cell {
    let moves = legal(game);
    moves[generator.random_range(0..moves.len())]
}

/// Returns a random unfinished position with `stones` stones.
pub(crate) fn random_position(start: &TicTacToe, stones: u32, generator: &mut RandomGenerator) -> TicTacToe {
    loop {
        let mut game = start.clone();
        for _ in 0..stones {
            if game.outcome().is_none() {
                game.make_move(random_move(&game, generator));
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// Plays a game between two engines and checks every move.
pub(crate) fn play(
    start: &TicTacToe,
    first: &mut dyn Engine<TicTacToe>,
    second: &mut dyn Engine<TicTacToe>,
) -> Outcome {
    let mut now = start.clone();
    let mut played = Vec::new();
    loop {
        if let Some(outcome) = now.outcome() {
            return outcome;
        }
        let at = GameHistory { start, played: &played, now: &now };
        let mv = match now.to_move() {
            Side::First => first.choose(&at, &quiet(Limits::default())).mv,
            Side::Second => second.choose(&at, &quiet(Limits::default())).mv,
        };
        now.try_make_move(mv).unwrap();
        played.push(mv);
    }
}

/// Returns the cells on which `side` would complete a line, by trial.
pub(crate) fn winning_cells(game: &TicTacToe, side: Side) -> Vec<Cell> {
    let completes = |cell: &Cell| {
        let own = game.stones(side) | cell.bit();
        game.winning_lines().masks().iter().any(|line| line & own == *line)
    };
    cells_in_mask(game.empty_cells()).filter(completes).collect()
}
