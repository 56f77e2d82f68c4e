//! Engines of Hex finish: a won game is ended on the shortest path.

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::engines;
use crosspath::ai::{EngineConfig, EngineHost, EngineKind, GameHistory, Limits, SearchControl};
use crosspath::game::{Game, Side};
use crosspath::games::hex::{Cell, Hex, Move, SwapRule};
use crosspath::random::{Generator, stream};
use rand::RngExt;

/// Returns the move of an opponent that never blocks: it puts stones into the columns a, b, j and
/// k, and intrudes on a bridge of the last stone in one of `enters_one_in` moves.
fn filler(game: &Hex, last: Cell, enters_one_in: u32, generator: &mut Generator) -> Cell {
    let links: Vec<Cell> = game.safe_links(Side::First);
    if enters_one_in > 0 && !links.is_empty() && generator.random_range(0..enters_one_in) == 0 {
        let near = |cell: &&Cell| game.grid().neighbours(last).contains(cell);
        let entered = links.iter().find(near).unwrap_or(&links[0]);
        return *entered;
    }
    let is_side = |cell: &Cell| [0, 1, 9, 10].contains(&(cell.index() % game.size()));
    let cells: Vec<Cell> = game.empty().filter(is_side).collect();
    let cells = if cells.is_empty() { game.empty().collect() } else { cells };
    cells[generator.random_range(0..cells.len())]
}

/// Returns the number of plies of a game that a level begins against a filler.
fn plies_against_a_filler(level: u8, seed: u64, enters_one_in: u32) -> usize {
    let mut game = Hex::new(11, SwapRule::Off).unwrap();
    let start = game.clone();
    let spec = engines().into_iter().find(|spec| spec.level == EngineKind::Level(level)).unwrap();
    // Level 8 thinks by time; so many positions are enough here.
    let limits = if level == 8 { Limits { nodes: Some(400), ..Limits::default() } } else { spec.limits };
    let mut host = EngineHost::new(spec, EngineConfig::new(seed, 0), &start).unwrap();
    let (mut played, mut generator, stop) = (Vec::new(), stream(seed, 77), AtomicBool::new(false));
    while game.outcome().is_none() {
        let mv = if game.to_move() == Side::First {
            let at = GameHistory { start: &start, played: &played, now: &game };
            host.choose(&at, &SearchControl::quiet(limits, &stop)).unwrap().mv
        } else {
            let last = played.last().and_then(|mv: &Move| mv.cell()).unwrap();
            filler(&game, last, enters_one_in, &mut generator).into()
        };
        game.make(mv);
        played.push(mv);
    }
    assert_eq!(game.outcome().and_then(crosspath::game::Outcome::winner), Some(Side::First));
    played.len()
}

/// Returns the numbers of plies of a level's games, sorted.
fn games(level: u8, seeds: u64, enters_one_in: u32) -> Vec<usize> {
    let mut plies: Vec<usize> =
        (1..=seeds).map(|seed| plies_against_a_filler(level, seed, enters_one_in)).collect();
    plies.sort_unstable();
    plies
}

/// Eleven stones in a row are needed. Levels 4 and 5 draw moves at random before they are
/// connected.
#[test]
fn a_connected_game_is_ended_on_the_shortest_way() {
    for (level, seeds) in [(4, 20), (5, 20), (6, 3), (7, 2)] {
        let plies = games(level, seeds, 0);
        assert!(plies[plies.len() * 3 / 4] <= 25 && plies[plies.len() - 1] <= 31, "{level}: {plies:?}");
        let plies = games(level, seeds, 3);
        assert!(plies[plies.len() - 1] <= 34, "{level}, whose links are entered: {plies:?}");
    }
}

#[test]
#[ignore = "slow: 100 games; cargo test --release"]
fn every_level_from_4_ends_a_connected_game_on_the_shortest_way() {
    for level in 4..=8 {
        for (enters_one_in, most) in [(0, 31), (3, 34)] {
            let plies = games(level, 20, enters_one_in);
            println!("level {level}, entered by one move in {enters_one_in}: {plies:?}");
            assert!(plies[plies.len() - 1] <= most, "{plies:?}");
        }
    }
}
