//! Finishing changes only decided games: elsewhere a level that finishes won games plays like its engine
//! without finishing.

use std::sync::atomic::AtomicBool;

use crosspath::ai::quoridor::race::solve_race;
use crosspath::ai::{
    EngineConfig, EngineHost, EngineKind, GameHistory, LevelSpec, Limits, ProofStatus, SearchControl,
};
use crosspath::game::{Game, Side};
use crosspath::games::hex::{Hex, SwapRule};
use crosspath::games::quoridor::Quoridor;
use crosspath::random::random_stream;
use rand::RngExt;

/// Node limit per move. Finishing moves do not depend on it.
const NODE_LIMIT: u64 = 8;

/// Plays games with the engine without finishing, each after a few random moves, and asks the level for a
/// move in every position. Returns the number of positions, of those with a win known to the level, and
/// of those where its move differs from the engine's.
fn count_changes<G: Game + Clone>(
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
    let limits = Limits { nodes: Some(NODE_LIMIT), ..Limits::default() };
    let stop = AtomicBool::new(false);
    let [mut positions, mut won, mut changed] = [0; 3];
    for number in 0..games {
        let (mut game, mut played, mut random) = (start.clone(), Vec::new(), random_stream(63, number));
        let random_moves = random.random_range(2..=6);
        while game.outcome().is_none() && played.len() < 200 {
            let mv = if played.len() < random_moves {
                let mut moves = Vec::new();
                game.push_legal_moves(&mut moves);
                moves[random.random_range(0..moves.len())]
            } else {
                let at = GameHistory { start, played: &played, now: &game };
                let [one, other] = [&mut plain, &mut level].map(|host| {
                    host.new_game(); // forget other positions
                    host.choose(&at, &SearchControl::without_reports(limits, &stop)).unwrap()
                });
                positions += 1;
                won += usize::from(matches!(other.proof, Some(ProofStatus::WinIn(_))));
                if one.mv != other.mv {
                    changed += 1;
                    assert!(
                        matches!(other.proof, Some(ProofStatus::WinIn(_))),
                        "game {number}: {:?}",
                        other.proof
                    );
                    let mut after = game.clone();
                    after.make_move(other.mv);
                    assert!(is_decided(&after), "game {number}, {:?} instead of {:?}", other.mv, one.mv);
                }
                one.mv
            };
            game.make_move(mv);
            played.push(mv);
        }
    }
    [positions, won, changed]
}

fn count_hex_changes(games: u64) -> [usize; 3] {
    // The side that has just moved is connected by bridges or stones.
    let is_connected = |game: &Hex| {
        let side = game.to_move().other();
        game.outcome().is_some() || game.stones_needed_with_bridges(side) == Some(0)
    };
    count_changes(&Hex::new(11, SwapRule::Off).unwrap(), crosspath::ai::hex::level_specs, games, is_connected)
}

fn count_quoridor_changes(games: u64) -> [usize; 3] {
    // The side to move has no walls left and loses the race.
    let is_certain = |game: &Quoridor| {
        let mut bare = game.clone();
        for side in Side::BOTH {
            bare.set_walls_left(side, 0);
        }
        game.outcome().is_some()
            || game.walls_left(game.to_move()) == 0 && solve_race(&bare).is_some_and(|plies| plies < 0)
    };
    // With few walls, more games end in a race.
    count_changes(
        &Quoridor::with_walls(9, 9, 4).unwrap(),
        crosspath::ai::quoridor::level_specs,
        games,
        is_certain,
    )
}

#[test]
fn finishing_changes_only_moves_of_decided_games() {
    let (hex, quoridor) = (count_hex_changes(8), count_quoridor_changes(8));
    // In a certain race, Quoridor's search finishes by itself.
    assert!(hex[2] > 0 && quoridor[1] > 0, "too little was compared: {hex:?} {quoridor:?}");
}

#[test]
#[ignore = "slow: 1,000 games; cargo test --release"]
fn finishing_changes_only_moves_of_decided_games_in_500_games() {
    let (hex, quoridor) = (count_hex_changes(500), count_quoridor_changes(500));
    assert!(hex[2] > 0 && quoridor[1] > 0);
    println!("positions, known wins, changed moves: Hex {hex:?}, Quoridor {quoridor:?}");
}
