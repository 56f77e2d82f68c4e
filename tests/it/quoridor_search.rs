//! The Quoridor search: its board compared with the rules, and results that it must find.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crosspath::ai::quoridor::board::matches_rules_board;
use crosspath::ai::quoridor::level_specs;
use crosspath::ai::quoridor::race::solve_race;
use crosspath::ai::quoridor::search::search_move_value;
use crosspath::ai::{
    EngineConfig, EngineResources, GameHistory, Limits, SearchControl, SearchInfo, WIN_VALUE,
};
use crosspath::game::{Game, Notation, Side};
use crosspath::games::quoridor::{Move, Quoridor, default_walls_per_side};
use crosspath::random::random_stream;

use rand::RngExt;

use crate::quoridor_help::{after, board, moves, random_move};

#[test]
fn the_search_board_agrees_with_the_rules() {
    let mut generator = random_stream(23, 1);
    for (width, height, games) in
        [(3, 3, 20), (5, 5, 12), (5, 3, 8), (4, 7, 8), (9, 9, 6), (10, 10, 1), (15, 11, 1), (25, 25, 1)]
    {
        for _ in 0..games {
            let walls = default_walls_per_side(width.max(height)).max(2);
            let mut game = Quoridor::with_walls(width, height, walls).unwrap();
            for _ in 0..if width > 9 { 12 } else { 60 } {
                assert!(matches_rules_board(&game), "{game}");
                let Some(mv) = random_move(&game, &mut generator) else { break };
                game.make_move(mv);
                if game.outcome().is_some() {
                    break;
                }
            }
        }
    }
}

/// Searches with the network on `threads` threads, within `nodes` nodes.
fn search_with_network(now: &Quoridor, threads: u16, nodes: u64) -> SearchInfo<Move> {
    let level_spec = level_specs().pop().unwrap();
    let resources = EngineResources { threads: Some(threads), memory_mib: Some(1) };
    let mut engine = (level_spec.build)(now, &EngineConfig { resources, ..EngineConfig::new(1, 0) }).unwrap();
    let (stop, limits) = (false.into(), Limits { nodes: Some(nodes), ..Limits::default() });
    let at = GameHistory { start: now, played: &[], now };
    engine.choose(&at, &SearchControl::without_reports(limits, &stop)).info
}

#[test]
fn searches_on_several_threads_are_legal_limited_and_find_wins() {
    let mut generator = random_stream(7, 33);
    for (size, walls) in [(3, 1), (5, 2), (9, 10), (11, 10)] {
        let mut game = board(size, walls);
        for _ in 0..8 {
            let Some(mv) = random_move(&game, &mut generator) else { break };
            game.make_move(mv);
            if game.outcome().is_some() {
                break;
            }
            for threads in [1, 2, 5] {
                let info = search_with_network(&game, threads, 2_000);
                assert!(moves(&game).contains(&info.pv[0]), "{threads} threads on {game}");
                assert!(info.nodes <= 2_000 + u64::from(threads), "{} positions on {threads}", info.nodes);
            }
            let (one, again) = (search_with_network(&game, 1, 2_000), search_with_network(&game, 1, 2_000));
            assert_eq!((one.nodes, one.score, &one.pv), (again.nodes, again.score, &again.pv));
        }
    }
    // This race is won, for any number of threads.
    let race = after(5, 1, "a1h a3h");
    let scores = [1, 4].map(|threads| search_with_network(&race, threads, 40_000).score.unwrap());
    assert_eq!(scores[0].meaning(), scores[1].meaning());
}

/// Returns the value of the move `next` after `moves`, searched alone.
fn move_value(start: &Quoridor, moves: &str, next: &str) -> i32 {
    let mut now = start.clone();
    let mut played = Vec::new();
    for text in moves.split_whitespace() {
        let mv = now.parse(text).expect("a move");
        now.make_move(mv);
        played.push(mv);
    }
    search_move_value(&GameHistory { start, played: &played, now: &now }, now.parse(next).expect("a move"), 0)
}

#[test]
fn a_repeated_position_is_searched_as_a_draw() {
    let value_after = |moves: &str, next: &str| move_value(&Quoridor::new(9).unwrap(), moves, next);
    assert_eq!(value_after("e2 e8 e1", "e9"), 0, "the start again");
    assert_eq!(value_after("e2 e8 e1 e9", "e2"), 0, "the position after the first move");
    assert_ne!(value_after("e2 e8 e1", "d8"), 0);
    assert_eq!(value_after("e2 e8 e1 a1h e2 e9 e1", "e8"), 0, "the position after the wall");
    assert_ne!(value_after("e2 e8 e1 a1h", "e2"), 0, "before a wall nothing comes again");
}

#[test]
fn a_move_onto_the_goal_row_is_seen_one_ply_ahead() {
    let after = |text: &str, mv: &str| move_value(&Quoridor::from_position_text(text).expect(text), "", mv);
    assert_eq!(after("- / - / e2 a2 / 10 10 / 1", "e3"), 2 - WIN_VALUE);
    assert_eq!(after("- / - / d2 e3 / 3 3 / 1", "e2"), 2 - WIN_VALUE, "a jump");
    assert!(after("- / - / e7 d7 / 3 3 / 1", "e8").abs() < WIN_VALUE / 2);
}

/// Returns the values of won and lost positions by key, computed by passes over all positions until
/// nothing changes. All other positions are draws.
fn solve_race_plainly(start: &Quoridor) -> BTreeMap<u64, i32> {
    let (mut games, mut open) = (BTreeMap::new(), VecDeque::from([start.clone()]));
    while let Some(game) = open.pop_front() {
        if games.contains_key(&game.position_key()) {
            continue;
        }
        for mv in moves(&game) {
            let mut next = game.clone();
            next.make_move(mv);
            if next.outcome().is_none() {
                open.push_back(next);
            }
        }
        games.insert(game.position_key(), game);
    }
    let mut values: BTreeMap<u64, i32> = BTreeMap::new();
    for plies in 1.. {
        let mut found = Vec::new();
        for (key, game) in games.iter().filter(|(key, _)| !values.contains_key(key)) {
            let after = moves(game).into_iter().map(|mv| {
                let mut next = game.clone();
                next.make_move(mv);
                if next.outcome().is_some() { Some(0) } else { values.get(&next.position_key()).copied() }
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

/// Compares the race table with the plain solution. Returns how many positions are lost, drawn and
/// won for the side to move.
fn compare_race_tables(start: &Quoridor) -> [usize; 3] {
    let (plain, mut counts) = (solve_race_plainly(start), [0; 3]);
    let (mut seen, mut open) = (BTreeSet::new(), VecDeque::from([start.clone()]));
    while let Some(game) = open.pop_front() {
        if game.outcome().is_some() || !seen.insert(game.position_key()) {
            continue;
        }
        let value = plain.get(&game.position_key()).copied().unwrap_or(0);
        assert_eq!(solve_race(&game), Some(value), "{game:?}");
        counts[usize::try_from(value.signum() + 1).unwrap()] += 1;
        for mv in moves(&game) {
            let mut next = game.clone();
            next.make_move(mv);
            open.push_back(next);
        }
    }
    counts
}

#[test]
fn the_race_table_equals_plain_search() {
    let mut generator = random_stream(3, 11);
    for (size, boards) in [(3_usize, 8), (5, 4)] {
        for _ in 0..boards {
            // Random walls are placed until no side has any left.
            let walls = generator.random_range(0..=u16::try_from(size / 2 + 1).unwrap());
            let mut start = Quoridor::with_walls(size, size, walls).unwrap();
            let is_open = |game: &Quoridor| Side::BOTH.iter().any(|&side| game.walls_left(side) > 0);
            while is_open(&start) && start.outcome().is_none() {
                let all = moves(&start);
                let builds: Vec<_> = all.iter().copied().filter(|mv| mv.wall().is_some()).collect();
                let list = if builds.is_empty() { &all } else { &builds };
                start.make_move(list[generator.random_range(0..list.len())]);
            }
            if start.outcome().is_none() {
                compare_race_tables(&start);
            }
        }
    }
    // Here each side can block the other forever.
    for text in [
        "a1 a2 a4 c3 d2 / b1 b4 d1 / b3 a3 / 0 0 / 1 / 5",
        "a3 a4 b1 b2 d1 d3 d4 / c1 / e3 d3 / 0 0 / 2 / 5",
        "a3 a4 b2 c1 d2 d4 / b4 c4 / e3 d3 / 0 0 / 2 / 5",
        "a5 b4 d1 f2 f6 / a1 e1 e5 / g6 g5 / 0 0 / 2 / 7",
    ] {
        let counts = compare_race_tables(&Quoridor::from_position_text(text).unwrap());
        assert!(counts.iter().all(|&count| count > 0), "{text}: lost, drawn, won {counts:?}");
    }
}

#[test]
fn a_step_forward_is_worth_more_than_one_sideways() {
    for size in (5..=25).step_by(2) {
        let start = Quoridor::new(size).unwrap();
        let file = |column: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[column]);
        let middle = size / 2;
        let ahead = move_value(&start, "", &format!("{}2", file(middle)));
        let aside = move_value(&start, "", &format!("{}1", file(middle + 1)));
        assert!(ahead > aside, "{size}x{size}: {ahead} ahead, {aside} aside");
    }
}
