//! Engines of Quoridor finish: a side that wins a race for certain runs, and builds no wall.

use std::sync::atomic::AtomicBool;

use crosspath::ai::quoridor::{engines, race::race};
use crosspath::ai::{EngineConfig, EngineHost, EngineKind, GameHistory, Limits, SearchControl};
use crosspath::game::{Game, Outcome, Side};
use crosspath::games::quoridor::Quoridor;
use crosspath::random::{Generator, stream};
use rand::RngExt;

/// Returns a position whose mover has walls and wins a race against an opponent without any.
fn certain_race(generator: &mut Generator) -> (Quoridor, i32) {
    loop {
        let mut game = Quoridor::with_walls(9, 9, 4).unwrap();
        while game.outcome().is_none() {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            game.make(moves[generator.random_range(0..moves.len())]);
            let (own, other) = (game.walls_left(game.to_move()), game.walls_left(game.to_move().other()));
            if own == 0 || other > 0 || game.outcome().is_some() {
                continue;
            }
            let mut bare = game.clone();
            for side in Side::BOTH {
                bare.set_walls_left(side, 0);
            }
            if let Some(plies) = race(&bare).filter(|&plies| plies > 2) {
                return (game, plies);
            }
        }
    }
}

#[test]
fn who_wins_a_race_for_certain_builds_no_wall() {
    let (mut generator, stop) = (stream(63, 1), AtomicBool::new(false));
    for round in 0..200 {
        let (start, plies) = certain_race(&mut generator);
        let winner = start.to_move();
        let level = [4, 5, 6, 8][round % 4];
        let spec = engines().into_iter().find(|spec| spec.level == EngineKind::Level(level)).unwrap();
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        let mut host = EngineHost::new(spec, EngineConfig::new(1, 0), &start).unwrap();
        let (mut game, mut played) = (start.clone(), Vec::new());
        while game.outcome().is_none() {
            let mv = if game.to_move() == winner {
                let at = GameHistory { start: &start, played: &played, now: &game };
                let mv = host.choose(&at, &SearchControl::quiet(limits, &stop)).unwrap().mv;
                assert_eq!(mv.wall(), None, "level {level} plays {mv:?} in\n{start:?}");
                mv
            } else {
                let mut moves = Vec::new();
                game.moves(&mut moves);
                moves[generator.random_range(0..moves.len())]
            };
            game.make(mv);
            played.push(mv);
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(winner)));
        assert!(played.len() <= usize::try_from(plies).unwrap(), "{} plies, not {plies}", played.len());
    }
}
