//! The levels of Hex above `classic`: path graphs, swaps, strength, the solver, explanations.

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::classic::ClassicPosition;
use crosspath::ai::hex::explain::{describe_classic_paths, explain_move, render_classic_costs};
use crosspath::ai::hex::level_specs;
use crosspath::ai::hex::path_blocking::FarEdgeStarts;
use crosspath::ai::hex::path_counts::{CellAdjacency, PathGraph, UNREACHABLE};
use crosspath::ai::hex::path_overlap::PathBlocker;
use crosspath::ai::hex::solve::{solve_move_values, solve_position};
use crosspath::ai::hex::swap::{balanced_openings, conventional_openings, first_stone_wins};
use crosspath::ai::minimax::{Minimax, TieBreak, WinDistance};
use crosspath::ai::{
    EngineConfig, EngineKind, Limits, ScoreMeaning, SearchBudget, SearchControl, SolveResult,
};
use crosspath::board::hexgrid::Cell;
use crosspath::game::{Game, Notation, Outcome, PositionDescription, Side};
use crosspath::games::hex::{Hex, Move, SwapRule};
use crosspath::random::random_stream;
use crosspath::session::EngineRequest;
use rand::RngExt;

use crate::hex_help::{HexGame, PATHS, SETUP, build_level, play_out, random_move, random_opening};
use crate::sentences::said;
use crate::support::run;

/// Returns the number of games that level `one` wins against `other`, out of `games` with alternating
/// sides. Each begins with two random stones.
fn count_wins(one: EngineKind, other: EngineKind, size: usize, games: u64) -> u64 {
    let mut wins = 0;
    for number in 0..games {
        // Both games of a pair share an opening.
        let game = random_opening(size, 2, &mut random_stream(900 + number / 2, size as u64));
        let own = build_level(one, size, &EngineConfig::new(number, 0));
        let theirs = build_level(other, size, &EngineConfig::new(number, 1));
        let own_side = Side::BOTH[(number % 2) as usize];
        let mut seats = if own_side == Side::First { [own, theirs] } else { [theirs, own] };
        wins += u64::from(play_out(game, &mut seats) == own_side);
    }
    wins
}

// Path graphs, and the levels above.

/// Distances of both sides, without and with bridges, for the positions of [`PATHS`].
const DISTANCES: &str = "\
14 14 7 7
13 14 6 7
13 13 6 7
12 13 6 6
13 13 7 7
11 11 5 5
13 12 6 6
11 11 5 5
10 11 4 5
10 10 4 4
9 9 3 4
9 9 4 4
4 5 2 3
4 4 2 1";

#[test]
fn distances_with_and_without_bridges_match_known_values() {
    for (row, wanted) in PATHS.lines().zip(DISTANCES.lines()) {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let game = HexGame::new(fields[0].parse().unwrap(), SwapRule::Off, fields[1]).now;
        let mut network = PathGraph::default();
        let mut found = Vec::new();
        for graph in [CellAdjacency::Touching, CellAdjacency::TouchingOrBridged] {
            for side in Side::BOTH {
                let distance = network.compute_distances(&game, side, graph);
                found.push(distance.to_string());
                if graph == CellAdjacency::Touching {
                    assert_eq!(Some(distance), game.stones_needed(side));
                }
            }
        }
        assert_eq!(found.join(" "), wanted, "{row}");
    }
}

#[test]
fn path_graphs_agree_with_the_rules_on_random_games() {
    for size in 1..=9 {
        let mut generator = random_stream(31, size as u64);
        let mut game = Hex::new(size, SwapRule::On).unwrap();
        let mut network = PathGraph::default();
        loop {
            for side in Side::BOTH {
                let plain = network.compute_distances(&game, side, CellAdjacency::Touching);
                assert_eq!(plain, game.stones_needed(side).unwrap_or(UNREACHABLE), "{game}");
                let shortest = game.empty_cells().filter(|&cell| {
                    ![0, UNREACHABLE].contains(&plain) && network.distance_through(cell) == plain
                });
                // A stone on a cell of a shortest path makes the path one stone shorter.
                for cell in shortest.collect::<Vec<_>>() {
                    assert!(network.shortest_path_count(cell) > 0);
                    let mut stones: Vec<(Side, Cell)> =
                        game.grid().cells().filter_map(|cell| Some((game.stone_at(cell)?, cell))).collect();
                    stones.push((side, cell));
                    let next = Hex::with_stones(size, SwapRule::Off, &stones, side.other()).unwrap();
                    assert_eq!(next.stones_needed(side), Some(plain - 1));
                }
                assert!(network.compute_distances(&game, side, CellAdjacency::TouchingOrBridged) <= plain);
            }
            if game.outcome().is_some() {
                break;
            }
            game.make_move(random_move(&game, &mut generator));
        }
    }
}

#[test]
fn two_distances_use_the_second_best_neighbour() {
    let game = HexGame::new(3, SwapRule::Off, "").now;
    let mut network = PathGraph::default();
    network.compute_distances(&game, Side::First, CellAdjacency::Touching);
    network.compute_two_distances();
    // From the top a1 b1 c1 are 1, a2 b2 2, c2 3 (by b2), a3 3, b3 4, c3 5. From the bottom they are rotated
    // by 180 degrees.
    let two: Vec<u16> = game.grid().cells().map(|cell| network.two_distance(cell)).collect();
    assert_eq!(two, [6, 5, 4, 5, 4, 5, 4, 5, 6]);
}

fn all_levels() -> Vec<EngineKind> {
    level_specs().iter().map(|level_spec| level_spec.level).collect()
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn every_level_takes_a_win_and_blocks_a_threat() {
    for level_name in all_levels().into_iter().filter(|&level| level != EngineKind::Classic) {
        for seed in 0..10 {
            let setup = EngineConfig::new(seed, 0);
            let wins = HexGame::new(5, SwapRule::Off, "c1 a1 c2 a2 c3 a3 c4 e1");
            let mv = wins.ask(&mut *build_level(level_name, 5, &setup));
            assert!(["b5", "c5"].contains(&wins.name(mv).as_str()), "{level_name}");
            let stops = HexGame::new(5, SwapRule::Off, "c1 c5 c2 e1 c3 e2 c4");
            let mv = stops.ask(&mut *build_level(level_name, 5, &setup));
            assert_eq!(stops.name(mv), "b5", "{level_name}");
        }
    }
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn every_level_plays_legal_reproducible_games() {
    for level_name in all_levels() {
        for size in [1, 2, 3, 7, 11] {
            let record = |seed| {
                let mut game = HexGame::new(size, SwapRule::On, "");
                let mut seats =
                    [0, 1].map(|stream| build_level(level_name, size, &EngineConfig::new(seed, stream)));
                while game.now.outcome().is_none() {
                    let mv = game.ask(&mut *seats[game.now.to_move().index()]);
                    game.play(mv); // panics if the move is illegal
                }
                game.played
            };
            assert_eq!(record(3), record(3), "{level_name} on {size}");
        }
    }
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn every_level_moves_under_zero_limits() {
    let stop = AtomicBool::new(true);
    let limits =
        Limits { nodes: Some(0), depth: Some(0), time: Some(std::time::Duration::ZERO), ..Limits::default() };
    for level_name in all_levels() {
        for texts in ["", "f6", "f6 swap", "f6 g5 e8"] {
            let game = HexGame::new(11, SwapRule::On, texts);
            let mut engine = build_level(level_name, 11, &SETUP);
            let choice = engine.choose(&game.at(), &SearchControl::without_reports(limits, &stop));
            assert!(game.now.is_legal(choice.mv));
            assert_eq!(choice.info.pv.first(), Some(&choice.mv));
        }
    }
}

#[test]
fn more_nodes_reach_a_greater_depth() {
    let game = HexGame::new(9, SwapRule::Off, "e5 d7 f3");
    let depth = |nodes| {
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut engine = build_level(EngineKind::Lookahead, 9, &SETUP);
        let choice = engine.choose(&game.at(), &SearchControl::without_reports(limits, &stop));
        assert!(choice.info.nodes <= nodes);
        choice.info.depth
    };
    let depths = [30, 1_000, 30_000].map(depth);
    assert!(depths[0] < depths[1] && depths[1] < depths[2], "{depths:?}");
}

#[test]
fn on_small_boards_exactly_the_winning_first_stones_are_swapped() {
    for size in 2..=6 {
        for index in 0..size * size {
            let cell = Cell::new(index);
            let mut game = HexGame::new(size, SwapRule::On, "");
            game.play(cell.into());
            let mv = game.ask(&mut *build_level(EngineKind::Level(3), size, &SETUP));
            assert_eq!(
                mv == Move::Swap,
                first_stone_wins(size, cell).unwrap(),
                "{} on {size}",
                game.name(cell.into())
            );
        }
    }
}

#[test]
fn first_stone_wins_matches_the_table() {
    let table = include_str!("../data/hex_openings.txt");
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let (size, map) = row.split_once(' ').unwrap();
        let size: usize = size.parse().unwrap();
        let cells: String = map.split('/').collect();
        for (index, known) in cells.chars().enumerate() {
            assert_eq!(first_stone_wins(size, Cell::new(index)), Some(known == 'W'));
            let turned = size * size - 1 - index;
            assert_eq!(first_stone_wins(size, Cell::new(turned)), Some(known == 'W'), "half turn");
        }
    }
    assert_eq!(first_stone_wins(8, Cell::new(0)), None);
}

/// Compares the winners with the table, which other programs confirm, and on small boards with the
/// prover.
#[test]
fn the_committed_maps_match_the_prover() {
    let rows = include_str!("../../openings/hex-maps.txt").lines().filter(|row| !row.starts_with('#'));
    let mut counts = [0; 8];
    let mut told: Vec<String> = Vec::new();
    for row in rows {
        let [size, stone, winner, within] = row.split(' ').collect::<Vec<&str>>()[..] else {
            panic!("{row}")
        };
        let (size, within): (usize, usize) = (size.parse().unwrap(), within.parse().unwrap());
        let game = HexGame::new(size, SwapRule::Off, stone);
        let first = game.played[0].cell().unwrap();
        assert_eq!(
            (first, first_stone_wins(size, first)),
            (Cell::new(counts[size]), Some(winner == "Red")),
            "{row}"
        );
        assert!(within < size * size, "{row}");
        counts[size] += 1;
        if size <= 4 {
            let outcome = if winner == "Red" { "first" } else { "second" };
            told.push(format!("\"{stone}\":{{\"outcome\":\"{outcome}\",\"plies\":{}}}", within + 1));
        }
    }
    assert_eq!(counts, [0, 1, 4, 9, 16, 25, 36, 49]);
    let found = ["1", "2", "3", "4"].map(|size| {
        let solve = ["solve", "--game", "hex", "--size", size, "--no-swap", "--map", "--json"];
        let said = run(&solve, "").out;
        let (_, moves) = said.split_once("\"moves\":{").expect(&said);
        moves.split_once("},\"nodes\"").expect(&said).0.to_owned()
    });
    assert_eq!(found.join(","), told.join(","));
}

#[test]
fn on_large_boards_central_stones_are_swapped_and_corner_stones_are_not() {
    for size in [8, 11, 14] {
        let asked = |text: &str| {
            let game = HexGame::new(size, SwapRule::On, text);
            game.ask(&mut *build_level(EngineKind::Level(3), size, &SETUP))
        };
        let middle = HexGame::new(size, SwapRule::On, "").now.sample_move();
        assert_eq!(asked(&middle), Move::Swap, "{size}");
        assert_ne!(asked("a1"), Move::Swap, "{size}");
    }
}

#[test]
fn with_the_swap_rule_engines_open_fairly() {
    for size in 1..=26 {
        let game = HexGame::new(size, SwapRule::On, "");
        let cells = conventional_openings(&game.now);
        assert!(!cells.is_empty() && cells.iter().all(|&cell| game.now.is_legal(cell.into())), "{size}");
        let mv = game.ask(&mut *build_level(EngineKind::Level(3), size, &SETUP));
        assert!(cells.contains(&mv.cell().unwrap()));
    }
    let names = |size| {
        let game = HexGame::new(size, SwapRule::On, "").now;
        let mut names: Vec<String> =
            conventional_openings(&game).into_iter().map(|cell| game.format_cell(cell)).collect();
        names.sort();
        names
    };
    let listed = "a11 a3 a4 a5 a6 a7 a8 c10 c2 i10 i2 k1 k4 k5 k6 k7 k8 k9";
    assert_eq!(names(11).join(" "), listed);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn network_levels_open_with_balanced_stones() {
    for size in 7..=19 {
        let game = HexGame::new(size, SwapRule::On, "").now;
        let cells = balanced_openings(&game);
        assert!(cells.len() >= 8, "{size}");
        assert!(cells.iter().all(|&cell| cells.contains(&game.grid().rotated_180(cell))), "{size}");
        assert!(!cells.contains(&Cell::new(0)), "{size}: the corner is no fair stone");
    }
    for size in [6, 20] {
        let game = HexGame::new(size, SwapRule::On, "").now;
        assert_eq!(balanced_openings(&game), conventional_openings(&game), "no searches on {size}x{size}");
    }
    let game = HexGame::new(11, SwapRule::On, "");
    let mv = game.ask(&mut *build_level(EngineKind::Level(6), 11, &SETUP));
    assert!(balanced_openings(&game.now).contains(&mv.cell().unwrap()));
}

#[test]
fn each_level_is_stronger_than_the_one_below() {
    for (one, other, least) in [(2, 1, 11), (3, 2, 12), (4, 3, 11), (5, 4, 11), (6, 5, 11)] {
        let wins = count_wins(EngineKind::Level(one), EngineKind::Level(other), 11, 20);
        assert!(wins >= least, "{one} won {wins} of 20 games against {other}");
    }
    assert!(count_wins(EngineKind::Level(4), EngineKind::Classic, 11, 20) >= 15);
    assert!(count_wins(EngineKind::Lookahead, EngineKind::Classic, 14, 20) >= 15);
}

#[test]
fn the_path_blocker_saves_an_intruded_bridge() {
    // Red intrudes at c8 on Blue's bridge d8-b9, and c9 saves it.
    let game = HexGame::new(11, SwapRule::Off, "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8");
    let mut cells = Vec::new();
    let entered = game.played.last().and_then(|mv| mv.cell());
    PathBlocker::default().append_best_cells(&game.now, entered, &mut cells);
    assert_eq!(cells.iter().map(|&cell| game.now.format_cell(cell)).collect::<Vec<_>>(), ["c9"]);
}

// The solver.

fn solve_game(game: &Hex) -> SolveResult<Move> {
    let stop = AtomicBool::new(false);
    solve_position(game, &SearchControl::without_reports(Limits::default(), &stop))
}

/// Checks all first moves of a board size against the table.
fn check_openings(size: usize) {
    let game = Hex::new(size, SwapRule::Off).unwrap();
    let found = solve_game(&game);
    assert_eq!(found.outcome, Some(Outcome::Win(Side::First)));
    assert_eq!(found.moves.len(), size * size);
    for (mv, outcome, _) in found.moves {
        let wanted =
            if first_stone_wins(size, mv.cell().unwrap()).unwrap() { Side::First } else { Side::Second };
        assert_eq!(outcome, Some(Outcome::Win(wanted)), "{} on {size}", game.format_move(mv));
    }
}

#[test]
fn the_solver_finds_every_winning_first_move_up_to_3x3() {
    // The tests of the solve command cover 4x4.
    for size in 1..=3 {
        check_openings(size);
    }
}

#[test]
fn the_solver_takes_the_swap_into_account() {
    // Second always wins: by swapping a winning first stone, and by leaving a losing one.
    for size in 2..=3 {
        let found = solve_game(&Hex::new(size, SwapRule::On).unwrap());
        assert_eq!(found.outcome, Some(Outcome::Win(Side::Second)), "{size}");
    }
    let game = HexGame::new(3, SwapRule::On, "b2").now;
    let found = solve_game(&game);
    assert_eq!(
        found.moves.last().map(|&(mv, outcome, _)| (mv, outcome)),
        Some((Move::Swap, Some(Outcome::Win(Side::Second))))
    );
    let only = found.moves.iter().filter(|(_, outcome, _)| *outcome == Some(Outcome::Win(Side::Second)));
    assert_eq!(only.count(), 1, "nothing but the swap wins");
    assert_eq!(solve_game(&Hex::new(1, SwapRule::On).unwrap()).outcome, Some(Outcome::Win(Side::First)));
}

#[test]
fn the_solver_agrees_with_minimax() {
    for size in 2..=3 {
        for number in 0..12 {
            let mut generator = random_stream(41, number);
            let swap = if number % 2 == 0 { SwapRule::On } else { SwapRule::Off };
            let mut game = Hex::new(size, swap).unwrap();
            for _ in 0..number % 4 + u64::from(size == 3) {
                if game.outcome().is_none() {
                    game.make_move(random_move(&game, &mut generator));
                }
            }
            if game.outcome().is_some() {
                continue;
            }
            let stop = AtomicBool::new(false);
            let mut budget =
                SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
            let oracle = Minimax { bound: 100, distance: WinDistance::Counted, ties: TieBreak::First };
            let wanted: Vec<(Move, Option<Outcome>, Option<u32>)> = oracle
                .root_move_values(&mut game.clone(), u32::MAX, &mut budget)
                .into_iter()
                .map(|(mv, value)| {
                    let winner = if value > 0 { game.to_move() } else { game.to_move().other() };
                    (mv, Some(Outcome::Win(winner)), Some((100 - value.abs()).unsigned_abs()))
                })
                .collect();
            assert_eq!(solve_game(&game).moves, wanted, "{game}");
        }
    }
}

#[test]
fn a_solver_out_of_nodes_claims_nothing() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(10), ..Limits::default() };
    let found =
        solve_position(&Hex::new(4, SwapRule::Off).unwrap(), &SearchControl::without_reports(limits, &stop));
    assert_eq!((found.outcome, found.proof.len()), (None, 1));
    assert!(found.moves.iter().all(|&(_, outcome, plies)| outcome.is_none() && plies.is_none()));
}

#[test]
fn small_boards_have_a_value_for_every_move() {
    let game = Hex::new(3, SwapRule::Off).unwrap();
    let told = solve_move_values(&game, &AtomicBool::new(false));
    assert_eq!(told.len(), 9);
    for (mv, value) in told {
        assert_eq!(
            matches!(value, ScoreMeaning::Win(_)),
            first_stone_wins(3, mv.cell().unwrap()).unwrap(),
            "{value}"
        );
    }
    assert!(solve_move_values(&Hex::new(4, SwapRule::Off).unwrap(), &AtomicBool::new(false)).is_empty());
}

// Explanations.

#[test]
fn every_legal_move_has_a_reason() {
    for size in [1, 3, 7] {
        let mut generator = random_stream(12, size as u64);
        let mut game = Hex::new(size, SwapRule::On).unwrap();
        while game.outcome().is_none() {
            let mut moves = Vec::new();
            game.push_legal_moves(&mut moves);
            for &mv in &moves {
                let why = explain_move(&game, mv);
                assert!(!why.is_empty() && why.len() < 80 && !why.ends_with('.'), "{why}");
            }
            game.make_move(moves[generator.random_range(0..moves.len())]);
        }
    }
}

#[test]
fn reasons_say_what_a_move_does() {
    let why = |size, texts, text: &str| {
        let game = HexGame::new(size, SwapRule::On, texts).now;
        explain_move(&game, game.parse(text).unwrap())
    };
    assert_eq!(why(11, "f6", "swap"), "takes Red's strong first stone");
    assert_eq!(why(3, "b1 a1 b2 a2", "b3"), "connects top to bottom");
    assert_eq!(why(3, "b1 a1 b2 c2 c1", "b3"), "keeps Red from connecting top to bottom; every move loses");
    assert_eq!(why(3, "b2", "swap"), "takes Red's strong first stone", "after it nothing is lost");
    assert_eq!(why(11, "f6 e8", "a1"), "reaches the top edge");
    assert_eq!(why(11, "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", "c9"), said!("keeps-a-link-that", "Red"));
    assert_eq!(why(11, "f6 e8", "f10"), "makes a bridge to the bottom edge");
    assert_eq!(why(11, "", "a5"), said!("may-take-it-over", "Blue"));
    assert_eq!(why(5, "", "c3"), "connects top to bottom by virtual connections");
    // The panel agrees: 2 before this move, 1 after it.
    let texts = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";
    assert_eq!(why(11, texts, "h5"), said!("blocks-s-shortest-path", "Red", "1", "2"));
}

#[test]
fn an_intruded_bridge_is_reported_with_its_saving_move() {
    let said = |texts: &str| {
        let game = HexGame::new(11, SwapRule::Off, texts);
        game.now.comment_on_last_move(&game.played, 0)
    };
    assert_eq!(said("c2 f6 d9 d8 g7 f4 e8 e5 h4 b9"), None);
    let entered = said("c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8");
    assert_eq!(entered.as_deref(), Some(said!("has-entered-s-link", "Red", "Blue", "c9")));
    let several = said("a1 e5 a2 f6 a3 g4 f5");
    assert_eq!(several.as_deref(), Some(said!("has-entered-links-of", "Red", "3", "Blue", "f4", "e6", "g5")));
}

#[test]
fn classic_weights_are_drawn_and_paths_are_listed() {
    let game = HexGame::new(5, SwapRule::Off, "c3 d2 a4 b1");
    let lines = render_classic_costs(&game.at());
    assert_eq!(
        lines[1..],
        [
            "    a   b   c   d   e",
            " 1  6/2 -/0 6/2 6/2 6/2",
            "  2   6/2 6/2 4/4 -/0 6/2",
            "   3    2/6 0/8 0/- 4/4 4/4",
            "    4     0/- 0/8 2/6 4/4 4/4",
            "     5      2/6 4/4 4/4 4/4 4/4",
        ]
    );
    assert_eq!(
        describe_classic_paths(&game.at()),
        [
            "Red, cost 12: c1 c2 c3 b4 a4 a5",
            "Blue, cost 8: a1 b1 c1 d1 d2 e1",
            said!("they-meet-on-s", "c1", "Red"),
        ]
    );
}

#[test]
fn after_a_swap_weights_and_paths_use_the_current_board() {
    let game = HexGame::new(5, SwapRule::On, "b1 swap");
    let lines = render_classic_costs(&game.at());
    assert_eq!(lines[3], "  2   -/0 6/2 4/4 4/4 4/4", "the stone is Blue's, on a2");
    let mut position = ClassicPosition::from_history(&game.at());
    let path = position.find_lightest_path(Side::Second, FarEdgeStarts::SecondHalf).unwrap();
    let names: Vec<String> =
        path.cells.iter().map(|&cell| game.now.format_cell(game.now.grid().mirrored(cell))).collect();
    assert!(describe_classic_paths(&game.at())[1].ends_with(&names.join(" ")));
}

/// Plays 200 games and asserts at least `least` wins.
fn assert_wins(one: EngineKind, other: EngineKind, size: usize, least: u64) {
    let began = std::time::Instant::now();
    let wins = count_wins(one, other, size, 200);
    println!("{size}x{size}: level {one} won {wins} of 200 games against {other} in {:?}", began.elapsed());
    assert!(wins >= least, "level {one} won {wins} of 200 games against {other} on {size}x{size}");
}

#[test]
#[ignore = "slow: 600 games; cargo test --release"]
fn every_level_wins_60_percent_against_the_level_below() {
    for number in 2..=6 {
        assert_wins(EngineKind::Level(number), EngineKind::Level(number - 1), 11, 120);
    }
}

#[test]
#[ignore = "slow: 400 games; cargo test --release"]
fn level_4_wins_75_percent_against_classic() {
    for size in [11, 14] {
        assert_wins(EngineKind::Level(4), EngineKind::Classic, size, 150);
    }
}

#[test]
#[ignore = "slow: 600 games on the larger board; cargo test --release"]
fn the_order_of_levels_is_the_same_on_14x14() {
    for (one, other) in [(2, 1), (3, 2), (4, 3), (5, 4), (6, 5)] {
        assert_wins(EngineKind::Level(one), EngineKind::Level(other), 14, 101);
    }
}

/// Successive positions are evaluated for opposite sides, so their values nearly cancel out. Without the
/// value of having the move, the sum would be 119 on average.
#[test]
fn successive_evaluations_agree_on_average() {
    let hex = &crosspath::registry::find_game("hex").unwrap();
    let (mut sum, mut pairs) = (0, 0);
    for seed in 1..=6 {
        let mut session = hex.new_history(&crosspath::registry::Variant::parse("size=9")).unwrap();
        let mut machine = session.build_engine(EngineKind::Lookahead, &EngineConfig::new(seed, 0)).unwrap();
        let mut before: Option<i32> = None;
        while session.outcome().is_none() {
            let limits = Limits::default();
            let answer = machine
                .answer(EngineRequest::Move, &*session, limits, &AtomicBool::new(false), &|_| ())
                .unwrap();
            session.play(&answer.text).unwrap();
            let value = answer.report.score.map(|score| score.0).filter(|value| value.abs() < 10_000);
            if let (Some(one), Some(next)) = (before, value) {
                (sum, pairs) = (sum + one + next, pairs + 1);
            }
            before = value;
        }
    }
    assert!(pairs > 100, "{pairs}");
    println!("sum of two values in a row: {} on average of {pairs}", sum / pairs);
    assert!((sum / pairs).abs() < 40, "{} on average of {pairs}", sum / pairs);
}
