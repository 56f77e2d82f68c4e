//! Hex engines finish: they end a won game on the shortest path.

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::level_specs;
use crosspath::ai::{EngineConfig, EngineHost, EngineKind, GameHistory, Limits, SearchControl};
use crosspath::game::{Game, Side};
use crosspath::games::hex::{Cell, Hex, Move, SwapRule};
use crosspath::random::{RandomGenerator, random_stream};
use rand::RngExt;

/// Returns the move of an opponent that never blocks: it fills the columns a, b, j and k, and intrudes on
/// a bridge of the last stone in one of `enters_one_in` moves.
fn filler_move(game: &Hex, last: Cell, enters_one_in: u32, generator: &mut RandomGenerator) -> Cell {
    let links: Vec<Cell> = game.safe_connection_cells(Side::First);
    if enters_one_in > 0 && !links.is_empty() && generator.random_range(0..enters_one_in) == 0 {
        let near = |cell: &&Cell| game.grid().neighbours(last).contains(cell);
        let entered = links.iter().find(near).unwrap_or(&links[0]);
        return *entered;
    }
    let is_side = |cell: &Cell| [0, 1, 9, 10].contains(&(cell.index() % game.size()));
    let cells: Vec<Cell> = game.empty_cells().filter(is_side).collect();
    let cells = if cells.is_empty() { game.empty_cells().collect() } else { cells };
    cells[generator.random_range(0..cells.len())]
}

/// Returns the length in plies of a game that a level begins against an opponent that never blocks.
fn count_plies_against_filler(level: u8, seed: u64, enters_one_in: u32) -> usize {
    let mut game = Hex::new(11, SwapRule::Off).unwrap();
    let start = game.clone();
    let spec = level_specs().into_iter().find(|spec| spec.level == EngineKind::Level(level)).unwrap();
    // Level 8 is limited by time. A node limit is enough here.
    let limits = if level == 8 { Limits { nodes: Some(400), ..Limits::default() } } else { spec.limits };
    let mut host = EngineHost::new(spec, EngineConfig::new(seed, 0), &start).unwrap();
    let (mut played, mut generator, stop) = (Vec::new(), random_stream(seed, 77), AtomicBool::new(false));
    while game.outcome().is_none() {
        let mv = if game.to_move() == Side::First {
            let at = GameHistory { start: &start, played: &played, now: &game };
            host.choose(&at, &SearchControl::without_reports(limits, &stop)).unwrap().mv
        } else {
            let last = played.last().and_then(|mv: &Move| mv.cell()).unwrap();
            filler_move(&game, last, enters_one_in, &mut generator).into()
        };
        game.make_move(mv);
        played.push(mv);
    }
    assert_eq!(game.outcome().and_then(crosspath::game::Outcome::winner), Some(Side::First));
    played.len()
}

/// Returns the sorted lengths of a level's games, in plies.
fn game_lengths(level: u8, seeds: u64, enters_one_in: u32) -> Vec<usize> {
    let mut plies: Vec<usize> =
        (1..=seeds).map(|seed| count_plies_against_filler(level, seed, enters_one_in)).collect();
    plies.sort_unstable();
    plies
}

/// Allows more plies than the necessary eleven stones: levels 4 and 5 draw moves at random until they are
/// connected.
#[test]
fn a_won_game_is_finished_in_few_moves() {
    for (level, seeds) in [(4, 20), (5, 20), (6, 3), (7, 2)] {
        let plies = game_lengths(level, seeds, 0);
        assert!(plies[plies.len() * 3 / 4] <= 25 && plies[plies.len() - 1] <= 31, "{level}: {plies:?}");
        let plies = game_lengths(level, seeds, 3);
        assert!(plies[plies.len() - 1] <= 34, "{level}, whose links are entered: {plies:?}");
    }
}

#[test]
#[ignore = "slow: 100 games; cargo test --release"]
fn every_level_from_4_finishes_a_won_game_in_few_moves() {
    for level in 4..=8 {
        for (enters_one_in, most) in [(0, 31), (3, 34)] {
            let plies = game_lengths(level, 20, enters_one_in);
            println!("level {level}, entered by one move in {enters_one_in}: {plies:?}");
            assert!(plies[plies.len() - 1] <= most, "{plies:?}");
        }
    }
}
