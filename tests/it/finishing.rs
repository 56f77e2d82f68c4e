//! Finishing changes no other play: a level that finishes won games differs from its engine without that only where the
//! game is decided for good.

use std::sync::atomic::AtomicBool;

use crosspath::ai::quoridor::race::race;
use crosspath::ai::{
    EngineConfig, EngineHost, EngineKind, GameHistory, LevelSpec, Limits, Proof, SearchControl,
};
use crosspath::game::{Game, Side};
use crosspath::games::hex::{Hex, SwapRule};
use crosspath::games::quoridor::Quoridor;
use crosspath::random::stream;
use rand::RngExt;

/// Positions for each move: which moves are finishing ones does not depend on them.
const NODES: u64 = 8;

/// Plays games by the engine without finishing, each after a few random moves, and asks the level
/// about every position. Returns the number of positions, of those in which the level knows the
/// win, and of those in which it plays another move than the engine.
fn changes<G: Game + Clone>(
    start: &G,
    specs: impl Fn() -> Vec<LevelSpec<G>>,
    games: u64,
    is_decided: impl Fn(&G) -> bool,
) -> [usize; 3] {
    let host = |kind| {
        let spec = specs().into_iter().find(|spec| spec.level == kind).unwrap();
        EngineHost::new(spec, EngineConfig::new(1, 0), start).unwrap()
    };
    let [mut plain, mut level] = [EngineKind::Net, EngineKind::Level(7)].map(host);
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let stop = AtomicBool::new(false);
    let [mut positions, mut won, mut changed] = [0; 3];
    for number in 0..games {
        let (mut game, mut played, mut random) = (start.clone(), Vec::new(), stream(63, number));
        let random_moves = random.random_range(2..=6);
        while game.outcome().is_none() && played.len() < 200 {
            let mv = if played.len() < random_moves {
                let mut moves = Vec::new();
                game.moves(&mut moves);
                moves[random.random_range(0..moves.len())]
            } else {
                let at = GameHistory { start, played: &played, now: &game };
                let [one, other] = [&mut plain, &mut level].map(|host| {
                    host.new_game(); // nothing of other positions is known
                    host.choose(&at, &SearchControl::quiet(limits, &stop)).unwrap()
                });
                positions += 1;
                won += usize::from(matches!(other.proof, Some(Proof::WinIn(_))));
                if one.mv != other.mv {
                    changed += 1;
                    assert!(matches!(other.proof, Some(Proof::WinIn(_))), "game {number}: {:?}", other.proof);
                    let mut after = game.clone();
                    after.make(other.mv);
                    assert!(is_decided(&after), "game {number}, {:?} instead of {:?}", other.mv, one.mv);
                }
                one.mv
            };
            game.make(mv);
            played.push(mv);
        }
    }
    [positions, won, changed]
}

fn changes_in_hex(games: u64) -> [usize; 3] {
    // The side that has just moved is joined by safe links or stones.
    let is_connected = |game: &Hex| {
        let side = game.to_move().other();
        game.outcome().is_some() || game.stones_to_go(side) == Some(0)
    };
    changes(&Hex::new(11, SwapRule::Off).unwrap(), crosspath::ai::hex::engines, games, is_connected)
}

fn changes_in_quoridor(games: u64) -> [usize; 3] {
    // The side to move has no walls left and loses the race, whatever it does.
    let is_certain = |game: &Quoridor| {
        let mut bare = game.clone();
        for side in Side::BOTH {
            bare.set_walls_left(side, 0);
        }
        game.outcome().is_some()
            || game.walls_left(game.to_move()) == 0 && race(&bare).is_some_and(|plies| plies < 0)
    };
    // With few walls more games end in a race.
    changes(&Quoridor::with_walls(9, 9, 4).unwrap(), crosspath::ai::quoridor::engines, games, is_certain)
}

#[test]
fn finishing_changes_moves_of_decided_games_alone() {
    let (hex, quoridor) = (changes_in_hex(8), changes_in_quoridor(8));
    // Quoridor's search runs by itself where the race is certain.
    assert!(hex[2] > 0 && quoridor[1] > 0, "too little was compared: {hex:?} {quoridor:?}");
}

#[test]
#[ignore = "slow: 1,000 games; cargo test --release"]
fn finishing_changes_moves_of_decided_games_alone_in_500_games_each() {
    let (hex, quoridor) = (changes_in_hex(500), changes_in_quoridor(500));
    assert!(hex[2] > 0 && quoridor[1] > 0);
    println!("positions, known wins, changed moves: Hex {hex:?}, Quoridor {quoridor:?}");
}
