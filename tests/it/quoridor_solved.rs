//! Level 8 on boards that can be solved: what is won is never given away, whatever the other side does.

use std::sync::atomic::AtomicBool;

use crosspath::ai::quoridor::board::outruns;
use crosspath::ai::quoridor::engines;
use crosspath::ai::quoridor::solve::solve;
use crosspath::ai::{
    EngineConfig, EngineHost, GameHistory, Level, Limits, Proof, SearchControl, SolveControl,
};
use crosspath::game::{Game, Outcome, Side};
use crosspath::games::quoridor::{Move, Quoridor};
use crosspath::random::stream;

use crate::quoridor_help::random_move;

/// How the other side plays.
#[derive(Clone, Copy, Debug)]
enum Against {
    /// By chance, drawn by this number.
    Chance(u64),
    /// So that it lasts as long as possible.
    Delay,
    /// As this level does.
    Level(u8),
}

fn host(level: u8, start: &Quoridor, seed: u64) -> EngineHost<Quoridor> {
    let level_spec = engines().into_iter().find(|one| one.level == Level::Number(level)).unwrap();
    EngineHost::new(level_spec, EngineConfig::new(seed, 0), start).unwrap()
}

/// The move that loses latest, or any that does not lose.
fn delaying(game: &Quoridor) -> Move {
    let stop = AtomicBool::new(false);
    let solution = solve(game, &SolveControl::quiet(Limits::default(), &stop)).unwrap();
    let me = game.to_move();
    let worth = |outcome: Outcome, plies: Option<u32>| match outcome {
        Outcome::Win(side) if side == me => u32::MAX,
        Outcome::Draw => u32::MAX - 1,
        Outcome::Win(_) => plies.unwrap_or(0),
    };
    solution.moves.iter().max_by_key(|row| worth(row.1, row.2)).unwrap().0
}

/// Level 8 plays the side that wins, which it does in no more plies than were promised.
fn wins(start: &Quoridor, against: Against) {
    let stop = AtomicBool::new(false);
    // So many positions are always enough, however slow the machine is.
    let quiet = SearchControl::quiet(Limits { nodes: Some(40_000_000), ..Limits::default() }, &stop);
    let solution = solve(start, &SolveControl::quiet(Limits::default(), &stop)).unwrap();
    let Outcome::Win(winner) = solution.outcome else { panic!("{start} is a draw") };
    let promised = solution.plies.unwrap();
    let (mut game, mut played) = (start.clone(), Vec::new());
    let (mut strong, mut other) =
        (host(8, start, 1), host(if let Against::Level(level) = against { level } else { 1 }, start, 2));
    let mut chance = stream(39, if let Against::Chance(number) = against { number } else { 0 });
    while game.outcome().is_none() {
        let at = GameHistory { start, played: &played, now: &game };
        let mv = if game.to_move() == winner {
            let choice = strong.choose(&at, &quiet).unwrap();
            assert!(matches!(choice.proof, Some(Proof::WinIn(_))), "{game}: {:?}", choice.proof);
            choice.mv
        } else {
            match against {
                Against::Chance(_) => random_move(&game, &mut chance).unwrap(),
                Against::Delay => delaying(&game),
                Against::Level(_) => other.choose(&at, &quiet).unwrap().mv,
            }
        };
        game.try_make(mv).unwrap();
        played.push(mv);
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{start} {against:?}");
    assert!(game.ply() <= promised, "{start} {against:?}: {} plies, {promised} were promised", game.ply());
}

#[test]
fn a_proved_win_is_kept_on_small_boards() {
    for (width, height, walls) in [(3, 3, 1), (3, 3, 4), (4, 3, 3), (3, 4, 2), (2, 7, 2)] {
        let start = Quoridor::with_walls(width, height, walls).unwrap().with_cap(None);
        wins(&start, Against::Delay);
        (0..3).for_each(|number| wins(&start, Against::Chance(number)));
        wins(&start, Against::Level(4));
    }
}

#[test]
#[ignore = "minutes without optimisation; cargo test --release"]
fn second_wins_on_5x5_with_two_walls_against_any_play() {
    let start = Quoridor::with_walls(5, 5, 2).unwrap().with_cap(None);
    let stop = AtomicBool::new(false);
    let solution = solve(&start, &SolveControl::quiet(Limits::default(), &stop)).unwrap();
    assert_eq!(solution.outcome, Outcome::Win(Side::Second));
    for against in
        [Against::Delay, Against::Level(7), Against::Level(3), Against::Chance(1), Against::Chance(2)]
    {
        wins(&start, against);
    }
    for size in [(5, 3, 3), (3, 5, 3), (5, 4, 2), (3, 6, 2)] {
        let start = Quoridor::with_walls(size.0, size.1, size.2).unwrap().with_cap(None);
        wins(&start, Against::Delay);
        wins(&start, Against::Level(7));
    }
}

#[test]
fn who_outruns_a_side_without_walls_has_won() {
    let (mut generator, mut count) = (stream(31, 0), 0);
    let stop = AtomicBool::new(false);
    for number in 0..400_u32 {
        let (width, height, walls) = [(3, 5, 2), (5, 5, 1), (3, 7, 1), (4, 5, 2)][number as usize % 4];
        let mut game = Quoridor::with_walls(width, height, walls).unwrap();
        while game.outcome().is_none() && game.ply() < 24 {
            if let Some(plies) = outruns(&game) {
                let solution = solve(&game, &SolveControl::quiet(Limits::default(), &stop)).unwrap();
                assert_eq!(solution.outcome, Outcome::Win(game.to_move()), "{game}");
                assert!(solution.plies.unwrap() <= plies.unsigned_abs(), "{game}: {plies}");
                count += 1;
                break;
            }
            game.make(random_move(&game, &mut generator).unwrap());
        }
    }
    assert!(count >= 50, "only {count} of 400 games came to such a position");
}
