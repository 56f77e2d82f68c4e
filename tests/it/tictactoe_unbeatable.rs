//! Levels 7 and 8 never lose a tic-tac-toe game that can be drawn, and each level plays better than
//! the one below.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crosspath::ai::tictactoe::certificate::has_pairing_strategy;
use crosspath::ai::tictactoe::searching_levels::{ExactStrategy, TrapCounting};
use crosspath::ai::{EngineKind, GameHistory, Limits};
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::tictactoe::{Cell, TicTacToe};
use crosspath::random::{mix_seed, random_stream};
use rand::RngExt;

use crate::tictactoe_help::{
    after, ask, board, engine, legal, offered, play, quiet, random_move, random_position, unfinished,
};

const RANDOM: EngineKind = EngineKind::Level(1);
const GREEDY: EngineKind = EngineKind::Level(4);
const LEVEL_7: EngineKind = EngineKind::Level(7);
const LEVEL_8: EngineKind = EngineKind::Level(8);

/// Returns the moves from which level 8 chooses at random.
fn offered_moves(master: &mut ExactStrategy, game: &TicTacToe) -> Vec<Cell> {
    offered(master, game, &mut random_stream(game.position_key(), 0), Limits::default()).moves
}

/// Checks every reply of the opponent and every choice of the engine, visiting each position once.
fn check_never_loses(
    master: &mut ExactStrategy,
    game: &mut TicTacToe,
    machine: Side,
    seen: &mut BTreeSet<(u128, u128)>,
) {
    if let Some(outcome) = game.outcome() {
        assert_ne!(outcome.winner(), Some(machine.other()), "lost as {machine}:\n{game}");
        return;
    }
    if !seen.insert((game.stones(Side::First), game.stones(Side::Second))) {
        return;
    }
    let moves = if game.to_move() == machine { offered_moves(master, game) } else { legal(game) };
    for mv in moves {
        game.make_move(mv);
        check_never_loses(master, game, machine, seen);
        game.unmake_move(mv, ());
    }
}

#[test]
fn no_line_of_play_beats_level_8_on_3x3() {
    for traps in [TrapCounting::Counted, TrapCounting::Ignored] {
        for machine in Side::BOTH {
            check_never_loses(&mut ExactStrategy::new(traps), &mut board(3), machine, &mut BTreeSet::new());
        }
    }
}

/// Plays every line of the opponent against the engine with one seed; returns wins, draws and
/// losses.
fn play_every_line(level: EngineKind, machine: Side, seed: u64) -> [u32; 3] {
    let start = board(3);
    let mut results = [0; 3];
    let mut lines = vec![Vec::new()];
    let mut engine = engine(level, seed);
    while let Some(mut played) = lines.pop() {
        let mut now = start.clone();
        for &mv in &played {
            now.make_move(mv);
        }
        if now.outcome().is_none() && now.to_move() == machine {
            let at = GameHistory { start: &start, played: &played, now: &now };
            engine.new_game();
            let mv = engine.choose(&at, &quiet(Limits::default())).mv;
            now.try_make_move(mv).unwrap();
            played.push(mv);
        }
        match now.outcome() {
            Some(Outcome::Win(side)) if side == machine => results[0] += 1,
            Some(Outcome::Draw) => results[1] += 1,
            Some(Outcome::Win(_)) => results[2] += 1,
            None => lines.extend(legal(&now).into_iter().map(|mv| [&played[..], &[mv]].concat())),
        }
    }
    results
}

#[test]
fn strong_levels_survive_every_line_on_3x3_with_every_seed() {
    for level in [EngineKind::Classic, EngineKind::Level(6), LEVEL_7, LEVEL_8] {
        for machine in Side::BOTH {
            for seed in 0..4 {
                let [wins, _, losses] = play_every_line(level, machine, seed);
                assert!(losses == 0 && wins > 0, "level {level} as {machine} with seed {seed}");
            }
        }
    }
}

#[test]
fn every_position_that_can_be_drawn_is_not_lost() {
    for (size, count) in [(3, 4520), (4, 60)] {
        let start = board(size);
        let mut generator = random_stream(20, 0);
        let positions: Vec<TicTacToe> = if size == 3 {
            unfinished(&start)
        } else {
            (0..count).map(|i| random_position(&start, 3 + i % 10, &mut generator)).collect()
        };
        let mut master = ExactStrategy::new(TrapCounting::Counted);
        for game in positions {
            let thought = offered(&mut master, &game, &mut generator, Limits::default());
            if thought.score < Some(0) {
                continue;
            }
            let (machine, mut now) = (game.to_move(), game.clone());
            while now.outcome().is_none() {
                let moves =
                    if now.to_move() == machine { offered_moves(&mut master, &now) } else { legal(&now) };
                now.make_move(moves[generator.random_range(0..moves.len())]);
            }
            assert_ne!(now.outcome().unwrap().winner(), Some(machine.other()), "held:\n{game}\nlost:\n{now}");
        }
    }
}

#[test]
#[ignore = "slow: every line of the opponent on 4x4; run with --release"]
fn no_line_of_play_beats_level_8_on_4x4() {
    fn follow(
        master: &mut ExactStrategy,
        game: &mut TicTacToe,
        machine: Side,
        seen: &mut BTreeSet<(u128, u128)>,
    ) {
        if let Some(outcome) = game.outcome() {
            assert_ne!(outcome.winner(), Some(machine.other()), "lost as {machine}:\n{game}");
            return;
        }
        if !seen.insert((game.stones(Side::First), game.stones(Side::Second))) {
            return;
        }
        let moves = if game.to_move() == machine {
            let moves = offered_moves(master, game);
            // The choice is fixed in each position.
            vec![moves[random_stream(game.position_key(), 0).random_range(0..moves.len())]]
        } else {
            legal(game)
        };
        for mv in moves {
            game.make_move(mv);
            follow(master, game, machine, seen);
            game.unmake_move(mv, ());
        }
    }
    for machine in Side::BOTH {
        let (started, mut seen) = (Instant::now(), BTreeSet::new());
        follow(&mut ExactStrategy::new(TrapCounting::Counted), &mut board(4), machine, &mut seen);
        println!("4x4 as {machine}: {} positions, 0 losses, {:?}", seen.len(), started.elapsed());
    }
}

#[test]
fn level_8_opens_in_each_corner_equally_often() {
    let mut counts = [0_u32; 9];
    for seed in 0..4000 {
        counts[ask(&mut *engine(LEVEL_8, seed), &board(3), Limits::default()).mv.index()] += 1;
    }
    let corners = [counts[0], counts[2], counts[6], counts[8]];
    assert_eq!(corners.iter().sum::<u32>(), 4000, "{counts:?}");
    let chi_square: f64 = corners.iter().map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0).sum();
    // 3 degrees of freedom, p = 0.001.
    assert!(chi_square < 16.3, "{counts:?}");
    let mut master = ExactStrategy::new(TrapCounting::Counted);
    for corner in ["a1", "c1", "a3", "c3"] {
        assert_eq!(offered_moves(&mut master, &after(3, corner)), [Cell(4)]);
    }
    assert_eq!(offered_moves(&mut master, &after(3, "b2")), [0, 2, 6, 8].map(Cell));
}

/// Exact fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share(u128, u128);

impl Share {
    fn of(top: u128, bottom: u128) -> Self {
        let (mut a, mut b) = (top, bottom);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Share(top / a, bottom / a)
    }

    fn mean(shares: &[Share]) -> Self {
        let sum = shares
            .iter()
            .fold(Share(0, 1), |sum, share| Share::of(sum.0 * share.1 + share.0 * sum.1, sum.1 * share.1));
        Share::of(sum.0, sum.1 * shares.len() as u128)
    }
}

/// Returns the exact share of wins of level 8 against uniformly random moves, over all its random
/// choices and all replies.
fn win_share(
    master: &mut ExactStrategy,
    game: &mut TicTacToe,
    machine: Side,
    known: &mut BTreeMap<(u128, u128), Share>,
) -> Share {
    if let Some(outcome) = game.outcome() {
        assert_ne!(outcome.winner(), Some(machine.other()));
        return Share(u128::from(outcome.winner() == Some(machine)), 1);
    }
    let key = (game.stones(Side::First), game.stones(Side::Second));
    if let Some(&share) = known.get(&key) {
        return share;
    }
    let moves = if game.to_move() == machine { offered_moves(master, game) } else { legal(game) };
    let mut shares = Vec::new();
    for mv in moves {
        game.make_move(mv);
        shares.push(win_share(master, game, machine, known));
        game.unmake_move(mv, ());
    }
    let share = Share::mean(&shares);
    known.insert(key, share);
    share
}

#[test]
fn level_8_wins_the_exact_share_of_games_against_random_moves_on_3x3() {
    let share = |machine| {
        win_share(
            &mut ExactStrategy::new(TrapCounting::Counted),
            &mut board(3),
            machine,
            &mut BTreeMap::new(),
        )
    };
    assert_eq!((share(Side::First), share(Side::Second)), (Share(95, 96), Share(274, 315)));
}

/// Returns the pairing tables of `tests/data/ttt_pairings.json`, which were computed independently.
fn stored_pairings() -> serde_json::Value {
    serde_json::from_str(include_str!("../data/ttt_pairings.json")).unwrap()
}

fn string_list(value: &serde_json::Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn the_stored_pairings_cover_every_line_and_never_lose() {
    let data = stored_pairings();
    for size in 5..=10_usize {
        let table = &data["sizes"][size.to_string()];
        let game = board(size);
        let mut mate = vec![None; size * size];
        let mut taken = 0_u128;
        let pairs = table["pairs"].as_array().unwrap();
        assert_eq!(pairs.len(), game.winning_lines().masks().len());
        for (line, pair) in game.winning_lines().masks().iter().zip(pairs) {
            let cells: Vec<Cell> =
                string_list(pair).into_iter().map(|name| game.parse(name).unwrap()).collect();
            let [one, other] = cells[..] else { panic!("a pair has two cells") };
            assert!(one.bit() & line != 0 && other.bit() & line != 0 && one != other);
            assert_eq!(taken & (one.bit() | other.bit()), 0, "disjoint");
            taken |= one.bit() | other.bit();
            mate[one.index()] = Some(other);
            mate[other.index()] = Some(one);
        }
        let free = string_list(&table["free"]).into_iter().map(|name| game.parse(name).unwrap().bit());
        assert_eq!(free.fold(0, |mask, bit| mask | bit), game.empty_cells() & !taken);
        // The pairing is played as a fixed strategy: reply on the paired cell, or anywhere else if
        // it is taken.
        let mut generator = random_stream(21, 0);
        for round in 0..40 {
            let side = Side::BOTH[round % 2];
            let opponent = [RANDOM, GREEDY, LEVEL_8][round % 3];
            let mut opponent = engine(opponent, round as u64);
            let mut now = board(size);
            let mut last: Option<Cell> = None;
            while now.outcome().is_none() {
                let mv = if now.to_move() == side {
                    let answer = last.and_then(|cell| mate[cell.index()]).filter(|&cell| now.is_legal(cell));
                    answer.unwrap_or_else(|| random_move(&now, &mut generator))
                } else {
                    ask(&mut *opponent, &now, Limits { nodes: Some(100), ..Limits::default() }).mv
                };
                now.make_move(mv);
                last = Some(mv);
            }
            assert_ne!(now.outcome().unwrap().winner(), Some(side.other()), "\n{now}");
        }
    }
}

#[test]
fn the_stored_replies_are_the_certified_ones() {
    let data = stored_pairings();
    for size in [3, 4] {
        let table = &data["after_first_moves"][size.to_string()];
        let start = board(size);
        let certified = |game: &TicTacToe| -> Vec<String> {
            let side = game.to_move();
            let holds = |mv: &Cell| {
                let mut next = game.clone();
                next.make_move(*mv);
                has_pairing_strategy(&next, side)
            };
            legal(game).into_iter().filter(holds).map(|mv| game.format_move(mv)).collect()
        };
        assert_eq!(certified(&start), string_list(&table["first_move_gives_pairing"]));
        for mv in legal(&start) {
            let name = start.format_move(mv);
            assert_eq!(
                certified(&after(size, &name)),
                string_list(&table["reply_gives_pairing"][&name]),
                "after {name}"
            );
        }
    }
}

/// Returns wins, draws and losses of a level in games against another, with increasing seeds.
fn play_games(size: usize, level: EngineKind, opponent: EngineKind, machine: Side, games: u64) -> [u64; 3] {
    let start = board(size);
    let mut results = [0; 3];
    for game in 0..games {
        let seed = mix_seed(game, size as u64);
        let (mut own, mut other) = (engine(level, seed), engine(opponent, !seed));
        let outcome = match machine {
            Side::First => play(&start, &mut *own, &mut *other),
            Side::Second => play(&start, &mut *other, &mut *own),
        };
        results[match outcome {
            Outcome::Win(winner) if winner == machine => 0,
            Outcome::Draw => 1,
            Outcome::Win(_) => 2,
        }] += 1;
    }
    results
}

#[test]
fn level_8_never_loses_from_3x3_to_10x10() {
    for size in 3..=10 {
        for machine in Side::BOTH {
            for (opponent, games) in [(RANDOM, 40), (GREEDY, 40), (LEVEL_7, 2)] {
                let [.., losses] = play_games(size, LEVEL_8, opponent, machine, games);
                assert_eq!(losses, 0, "{size}x{size} as {machine} against level {opponent}");
            }
        }
    }
    for size in [1, 2] {
        assert_eq!(play_games(size, LEVEL_8, LEVEL_8, Side::First, 3), [3, 0, 0], "who starts wins");
    }
}

/// Returns the seeds of self-play games of level 8, with five in a row on 7x7, that First lost.
fn games_lost_by_first(seeds: std::ops::Range<u64>) -> Vec<u64> {
    let start = TicTacToe::with_win_length(7, 5).unwrap();
    let is_lost = |seed: &u64| {
        let outcome = play(&start, &mut *engine(LEVEL_8, *seed), &mut *engine(LEVEL_8, !seed));
        outcome == Outcome::Win(Side::Second)
    };
    seeds.filter(is_lost).collect()
}

#[test]
fn five_in_a_row_on_7x7_is_not_lost_by_first() {
    assert_eq!(games_lost_by_first(3..4), [0; 0], "seed 3 was lost once");
}

#[test]
#[ignore = "slow: 100 games; run with --release"]
fn five_in_a_row_on_7x7_is_not_lost_by_first_in_100_games() {
    assert_eq!(games_lost_by_first(0..100), [0; 0]);
}

#[test]
#[ignore = "slow: 400 games for each size, side and opponent; run with --release"]
fn level_8_loses_none_of_thousands_of_games() {
    for size in 3..=10 {
        for machine in Side::BOTH {
            let random = play_games(size, LEVEL_8, RANDOM, machine, 400);
            let greedy = play_games(size, LEVEL_8, GREEDY, machine, 400);
            let seven = play_games(size, LEVEL_8, LEVEL_7, machine, 40);
            println!("{size}x{size} as {machine}: random {random:?}, greedy {greedy:?}, level 7 {seven:?}");
            assert_eq!((random[2], greedy[2], seven[2]), (0, 0, 0));
            if machine == Side::First {
                let least = if size == 3 { 380 } else { 392 };
                assert!(random[0] >= least, "{random:?} at {size}x{size}");
            }
        }
    }
}

/// Returns wins, draws and losses of a level against levels 1 to 4 on one board, from both sides.
fn score_against_pool(level: u8, size: usize, games: u64) -> [u64; 3] {
    let mut total = [0; 3];
    for opponent in 1..=4 {
        for machine in Side::BOTH {
            let part =
                play_games(size, EngineKind::Level(level), EngineKind::Level(opponent), machine, games);
            (0..3).for_each(|i| total[i] += part[i]);
        }
    }
    total
}

fn half_points([wins, draws, _]: [u64; 3]) -> u64 {
    2 * wins + draws
}

#[test]
fn on_3x3_each_level_scores_higher_against_the_pool_than_the_one_below() {
    let table: Vec<[u64; 3]> = (1..=8).map(|level| score_against_pool(level, 3, 500)).collect();
    assert!(table.windows(2).all(|two| half_points(two[0]) < half_points(two[1])), "{table:?}");
    assert!(table[5..].iter().all(|&[.., losses]| losses == 0), "{table:?}");
}

#[test]
#[ignore = "slow: 200 games a pair and size; run with --release"]
fn each_level_scores_higher_against_the_pool_until_it_loses_no_game() {
    let mut totals = [[0; 3]; 8];
    for size in 3..=6 {
        for level in 1..=8 {
            let part = score_against_pool(level, size, 200);
            println!("{size}x{size} level {level}: {part:?}, half points {}", half_points(part));
            (0..3).for_each(|i| totals[usize::from(level) - 1][i] += part[i]);
        }
    }
    println!("all sizes: {:?}", totals.map(|total| (total, half_points(total))));
    for two in totals.windows(2) {
        let are_perfect = two[0][2] == 0 && two[1][2] == 0;
        assert!(are_perfect || half_points(two[0]) < half_points(two[1]), "{totals:?}");
    }
    assert!(totals[5..].iter().all(|&[.., losses]| losses == 0), "{totals:?}");
}

#[test]
#[ignore = "slow: 400 games a pair and size; run with --release"]
fn each_level_holds_its_own_against_the_one_below() {
    for level in 2..=8 {
        let mut total = [0; 3];
        for size in 3..=6 {
            let mut here = [0; 3];
            for machine in Side::BOTH {
                let part =
                    play_games(size, EngineKind::Level(level), EngineKind::Level(level - 1), machine, 200);
                (0..3).for_each(|i| here[i] += part[i]);
            }
            println!("level {level} against {}, {size}x{size}: {here:?}", level - 1);
            (0..3).for_each(|i| total[i] += here[i]);
        }
        assert!(total[0] >= total[2], "level {level} against {}: {total:?}", level - 1);
    }
}

#[test]
#[ignore = "timing: run with --release on an idle machine"]
fn level_8_answers_in_time() {
    for size in 3..=10 {
        let start = board(size);
        let mut times = Vec::new();
        for machine in Side::BOTH {
            for (game, opponent) in [RANDOM, GREEDY, RANDOM, GREEDY].into_iter().enumerate() {
                let (mut own, mut other) = (engine(LEVEL_8, game as u64), engine(opponent, 99 + game as u64));
                let (mut now, mut played) = (start.clone(), Vec::new());
                while now.outcome().is_none() {
                    let at = GameHistory { start: &start, played: &played, now: &now };
                    let is_own = now.to_move() == machine;
                    let mover = if is_own { &mut own } else { &mut other };
                    let began = Instant::now();
                    let choice = mover.choose(&at, &quiet(Limits::default()));
                    if is_own {
                        times.push((began.elapsed(), played.len(), choice.info.nodes));
                    }
                    now.make_move(choice.mv);
                    played.push(choice.mv);
                }
            }
        }
        times.sort();
        let (median, longest) = (times[times.len() / 2].0, times[times.len() - 1]);
        println!("{size}x{size}: median {median:?}, longest {longest:?} of {} moves", times.len());
        let bars = if size == 3 { (2, 2) } else { (10, 100) };
        assert!(median <= Duration::from_millis(bars.0) && longest.0 <= Duration::from_millis(bars.1));
    }
}
