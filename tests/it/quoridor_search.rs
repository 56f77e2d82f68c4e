//! The search of Quoridor: its board against the rules, and results that it has to find.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crosspath::ai::quoridor::board::agrees;
use crosspath::ai::quoridor::engines;
use crosspath::ai::quoridor::race::race;
use crosspath::ai::quoridor::search::value_after;
use crosspath::ai::{EngineConfig, EngineResources, GameHistory, Info, Limits, SearchControl, WIN};
use crosspath::game::{Game, Notation, Side};
use crosspath::games::quoridor::{Move, Quoridor, default_walls};
use crosspath::random::stream;

use rand::RngExt;

use crate::quoridor_help::{after, board, moves, random_move};

#[test]
fn the_board_of_the_search_agrees_with_the_rules() {
    let mut generator = stream(23, 1);
    for (width, height, games) in
        [(3, 3, 20), (5, 5, 12), (5, 3, 8), (4, 7, 8), (9, 9, 6), (10, 10, 1), (15, 11, 1), (25, 25, 1)]
    {
        for _ in 0..games {
            let walls = default_walls(width.max(height)).max(2);
            let mut game = Quoridor::with_walls(width, height, walls).unwrap();
            for _ in 0..if width > 9 { 12 } else { 60 } {
                assert!(agrees(&game), "{game}");
                let Some(mv) = random_move(&game, &mut generator) else { break };
                game.make(mv);
                if game.outcome().is_some() {
                    break;
                }
            }
        }
    }
}

/// Returns the result of the search by the network on `threads` threads, within `nodes` positions.
fn thought(now: &Quoridor, threads: u16, nodes: u64) -> Info<Move> {
    let level_spec = engines().pop().unwrap();
    let resources = EngineResources { threads: Some(threads), memory_mib: Some(1) };
    let mut engine = (level_spec.build)(now, &EngineConfig { resources, ..EngineConfig::new(1, 0) }).unwrap();
    let (stop, limits) = (false.into(), Limits { nodes: Some(nodes), ..Limits::default() });
    let at = GameHistory { start: now, played: &[], now };
    engine.choose(&at, &SearchControl::quiet(limits, &stop)).info
}

#[test]
fn several_threads_play_legal_moves_keep_to_the_limit_and_see_wins() {
    let mut generator = stream(7, 33);
    for (size, walls) in [(3, 1), (5, 2), (9, 10), (11, 10)] {
        let mut game = board(size, walls);
        for _ in 0..8 {
            let Some(mv) = random_move(&game, &mut generator) else { break };
            game.make(mv);
            if game.outcome().is_some() {
                break;
            }
            for threads in [1, 2, 5] {
                let info = thought(&game, threads, 2_000);
                assert!(moves(&game).contains(&info.pv[0]), "{threads} threads on {game}");
                assert!(info.nodes <= 2_000 + u64::from(threads), "{} positions on {threads}", info.nodes);
            }
            let (one, again) = (thought(&game, 1, 2_000), thought(&game, 1, 2_000));
            assert_eq!((one.nodes, one.score, &one.pv), (again.nodes, again.score, &again.pv));
        }
    }
    // A race that is won, whoever looks at it.
    let race = after(5, 1, "a1h a3h");
    let scores = [1, 4].map(|threads| thought(&race, threads, 40_000).score.unwrap());
    assert_eq!(scores[0].value(), scores[1].value());
}

/// Returns the value of a move after these moves on 9x9, evaluated alone.
fn value(start: &Quoridor, moves: &str, next: &str) -> i32 {
    let mut now = start.clone();
    let mut played = Vec::new();
    for text in moves.split_whitespace() {
        let mv = now.parse(text).expect("a move");
        now.make(mv);
        played.push(mv);
    }
    value_after(&GameHistory { start, played: &played, now: &now }, now.parse(next).expect("a move"), 0)
}

#[test]
fn to_come_back_to_a_position_of_the_game_is_a_draw() {
    let value = |moves: &str, next: &str| value(&Quoridor::new(9).unwrap(), moves, next);
    assert_eq!(value("e2 e8 e1", "e9"), 0, "the start again");
    assert_eq!(value("e2 e8 e1 e9", "e2"), 0, "the position after the first move");
    assert_ne!(value("e2 e8 e1", "d8"), 0);
    assert_eq!(value("e2 e8 e1 a1h e2 e9 e1", "e8"), 0, "the position after the wall");
    assert_ne!(value("e2 e8 e1 a1h", "e2"), 0, "before a wall nothing comes again");
}

#[test]
fn a_step_or_a_jump_onto_the_goal_row_is_seen_a_ply_before() {
    let after = |text: &str, mv: &str| value(&Quoridor::from_position_text(text).expect(text), "", mv);
    assert_eq!(after("- / - / e2 a2 / 10 10 / 1", "e3"), 2 - WIN);
    assert_eq!(after("- / - / d2 e3 / 3 3 / 1", "e2"), 2 - WIN, "a jump");
    assert!(after("- / - / e7 d7 / 3 3 / 1", "e8").abs() < WIN / 2);
}

/// Returns by key the winner and the plies of the win, found by repeating passes until nothing
/// changes; other positions are draws.
fn plain_race(start: &Quoridor) -> BTreeMap<u64, i32> {
    let (mut games, mut open) = (BTreeMap::new(), VecDeque::from([start.clone()]));
    while let Some(game) = open.pop_front() {
        if games.contains_key(&game.key()) {
            continue;
        }
        for mv in moves(&game) {
            let mut next = game.clone();
            next.make(mv);
            if next.outcome().is_none() {
                open.push_back(next);
            }
        }
        games.insert(game.key(), game);
    }
    let mut values: BTreeMap<u64, i32> = BTreeMap::new();
    for plies in 1.. {
        let mut found = Vec::new();
        for (key, game) in games.iter().filter(|(key, _)| !values.contains_key(key)) {
            let after = moves(game).into_iter().map(|mv| {
                let mut next = game.clone();
                next.make(mv);
                if next.outcome().is_some() { Some(0) } else { values.get(&next.key()).copied() }
            });
            let after: Vec<Option<i32>> = after.collect();
            if after.iter().any(|value| value.is_some_and(|value| value <= 0)) {
                found.push((*key, plies));
            } else if !after.is_empty() && after.iter().all(|value| value.is_some_and(|value| value > 0)) {
                found.push((*key, -plies));
            }
        }
        if found.is_empty() && plies > 2 {
            return values;
        }
        values.extend(found);
    }
    unreachable!("there is an end")
}

/// Returns the numbers of positions of the race from here that are lost, drawn and won for the
/// mover; the table agrees on each.
fn compared(start: &Quoridor) -> [usize; 3] {
    let (plain, mut counts) = (plain_race(start), [0; 3]);
    let (mut seen, mut open) = (BTreeSet::new(), VecDeque::from([start.clone()]));
    while let Some(game) = open.pop_front() {
        if game.outcome().is_some() || !seen.insert(game.key()) {
            continue;
        }
        let value = plain.get(&game.key()).copied().unwrap_or(0);
        assert_eq!(race(&game), Some(value), "{game:?}");
        counts[usize::try_from(value.signum() + 1).unwrap()] += 1;
        for mv in moves(&game) {
            let mut next = game.clone();
            next.make(mv);
            open.push_back(next);
        }
    }
    counts
}

#[test]
fn the_table_of_a_race_is_what_plain_search_finds() {
    let mut generator = stream(3, 11);
    for (size, boards) in [(3_usize, 8), (5, 4)] {
        for _ in 0..boards {
            // Walls at random until both hands are empty.
            let walls = generator.random_range(0..=u16::try_from(size / 2 + 1).unwrap());
            let mut start = Quoridor::with_walls(size, size, walls).unwrap();
            let is_open = |game: &Quoridor| Side::BOTH.iter().any(|&side| game.walls_left(side) > 0);
            while is_open(&start) && start.outcome().is_none() {
                let all = moves(&start);
                let builds: Vec<_> = all.iter().copied().filter(|mv| mv.wall().is_some()).collect();
                let list = if builds.is_empty() { &all } else { &builds };
                start.make(list[generator.random_range(0..list.len())]);
            }
            if start.outcome().is_none() {
                compared(&start);
            }
        }
    }
    // Here each can keep the other from passing for ever.
    for text in [
        "a1 a2 a4 c3 d2 / b1 b4 d1 / b3 a3 / 0 0 / 1 / 5",
        "a3 a4 b1 b2 d1 d3 d4 / c1 / e3 d3 / 0 0 / 2 / 5",
        "a3 a4 b2 c1 d2 d4 / b4 c4 / e3 d3 / 0 0 / 2 / 5",
        "a5 b4 d1 f2 f6 / a1 e1 e5 / g6 g5 / 0 0 / 2 / 7",
    ] {
        let counts = compared(&Quoridor::from_position_text(text).unwrap());
        assert!(counts.iter().all(|&count| count > 0), "{text}: lost, drawn, won {counts:?}");
    }
}

#[test]
fn a_step_ahead_is_worth_more_than_one_aside_on_every_board() {
    for size in (5..=25).step_by(2) {
        let start = Quoridor::new(size).unwrap();
        let file = |column: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[column]);
        let middle = size / 2;
        let ahead = value(&start, "", &format!("{}2", file(middle)));
        let aside = value(&start, "", &format!("{}1", file(middle + 1)));
        assert!(ahead > aside, "{size}x{size}: {ahead} ahead, {aside} aside");
    }
}
