//! Quoridor engines finish a won race: the winning side steps forward and places no wall.

use std::sync::atomic::AtomicBool;

use crosspath::ai::quoridor::{level_specs, race::solve_race};
use crosspath::ai::{EngineConfig, EngineHost, EngineKind, GameHistory, Limits, SearchControl};
use crosspath::game::{Game, Outcome, Side};
use crosspath::games::quoridor::Quoridor;
use crosspath::random::{RandomGenerator, random_stream};
use rand::RngExt;

/// Returns a position and the plies to its end. The side to move has walls and wins the race
/// against an opponent without walls.
fn certain_race(generator: &mut RandomGenerator) -> (Quoridor, i32) {
    loop {
        let mut game = Quoridor::with_walls(9, 9, 4).unwrap();
        while game.outcome().is_none() {
            let mut moves = Vec::new();
            game.push_legal_moves(&mut moves);
            game.make_move(moves[generator.random_range(0..moves.len())]);
            let (own, other) = (game.walls_left(game.to_move()), game.walls_left(game.to_move().other()));
            if own == 0 || other > 0 || game.outcome().is_some() {
                continue;
            }
            let mut bare = game.clone();
            for side in Side::BOTH {
                bare.set_walls_left(side, 0);
            }
            if let Some(plies) = solve_race(&bare).filter(|&plies| plies > 2) {
                return (game, plies);
            }
        }
    }
}

#[test]
fn a_side_that_wins_the_race_builds_no_wall() {
    let (mut generator, stop) = (random_stream(63, 1), AtomicBool::new(false));
    for round in 0..200 {
        let (start, plies) = certain_race(&mut generator);
        let winner = start.to_move();
        let level = [4, 5, 6, 8][round % 4];
        let spec = level_specs().into_iter().find(|spec| spec.level == EngineKind::Level(level)).unwrap();
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        let mut host = EngineHost::new(spec, EngineConfig::new(1, 0), &start).unwrap();
        let (mut game, mut played) = (start.clone(), Vec::new());
        while game.outcome().is_none() {
            let mv = if game.to_move() == winner {
                let at = GameHistory { start: &start, played: &played, now: &game };
                let mv = host.choose(&at, &SearchControl::without_reports(limits, &stop)).unwrap().mv;
                assert_eq!(mv.wall(), None, "level {level} plays {mv:?} in\n{start:?}");
                mv
            } else {
                let mut moves = Vec::new();
                game.push_legal_moves(&mut moves);
                moves[generator.random_range(0..moves.len())]
            };
            game.make_move(mv);
            played.push(mv);
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(winner)));
        assert!(played.len() <= usize::try_from(plies).unwrap(), "{} plies, not {plies}", played.len());
    }
}
