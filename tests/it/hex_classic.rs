//! The level `classic` of Hex: test vectors of the original program, and its defects that must not return.

use crosspath::ai::hex::classic::{ClassicPosition, HexClassicEngine, UnchangedPathRule};
use crosspath::ai::hex::explain::describe_classic_paths;
use crosspath::ai::hex::path_blocking::{
    ClassicPathFinder, FarEdgeStarts, INFINITE_WEIGHT, NeighbourOrder, WalkDirection, WeightedPath,
};
use crosspath::ai::{Engine, EngineConfig};
use crosspath::board::hexgrid::Cell;
use crosspath::board::names::parse_cell_name;
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Move, SwapRule};
use crosspath::random::random_stream;

use crate::hex_help::{HexGame, PATHS, SETUP, random_move, random_opening};
use crate::sentences::{lasting, said};

#[test]
fn the_paths_command_agrees_with_the_moves_played() {
    for (size, swap) in [(5, SwapRule::Off), (5, SwapRule::On), (11, SwapRule::On)] {
        for seed in 0..6 {
            let (mut game, mut random) = (HexGame::new(size, swap, ""), random_stream(seed, 0));
            while game.now.outcome().is_none() {
                let sentence = describe_classic_paths(&game.at()).pop().unwrap();
                let mv = game.ask(&mut HexClassicEngine::new(&SETUP));
                match sentence.strip_prefix(lasting(format!("{} ", said!("they-meet-on")))) {
                    Some(cell) => {
                        assert!(cell.starts_with(&format!("{},", game.name(mv))), "{sentence}\n{}", game.now);
                    }
                    None => assert!(sentence.starts_with(said!("classic-does-not-follow")), "{sentence}"),
                }
                assert_eq!(
                    sentence.ends_with(said!("takes-the-first-stone")),
                    mv == Move::Swap,
                    "{sentence}"
                );
                game.play(random_move(&game.now, &mut random));
            }
        }
    }
}

/// Returns an engine with the attack that the original program never reached.
fn attacking_engine() -> HexClassicEngine {
    let mut engine = HexClassicEngine::new(&SETUP);
    engine.attack = UnchangedPathRule::AttackOnOwnPath;
    engine
}

fn parse_cell(size: usize, text: &str) -> Cell {
    let (col, row) = parse_cell_name(text).unwrap();
    Cell::new(row * size + col)
}

/// Returns the path finder after stones placed in turn, beginning with First.
fn path_finder(size: usize, texts: &str) -> ClassicPathFinder {
    let mut board = ClassicPathFinder::new(size).unwrap();
    for (i, text) in texts.split_whitespace().enumerate() {
        board.place_stone(Side::BOTH[i % 2], parse_cell(size, text));
    }
    board
}

fn path_weights(board: &ClassicPathFinder, side: Side) -> Vec<i32> {
    board.grid().cells().map(|cell| board.cell_weight(side, cell)).collect()
}

/// Returns the neighbour priority for the original's arguments: row, column, side, direction, parity.
fn neighbour_priority(
    board: &ClassicPathFinder,
    row: usize,
    col: usize,
    side: Side,
    d: u8,
    q: usize,
) -> [usize; 6] {
    let direction = if d == 1 { WalkDirection::Forward } else { WalkDirection::Backward };
    board.order_neighbours(board.grid().cell_at(row, col).unwrap(), side, direction, NeighbourOrder::ALL[q])
}

const B: Side = Side::First;
const P: Side = Side::Second;

#[test]
fn weights_and_paths_match_a_3x3_vector_of_the_original() {
    let board = path_finder(3, "b2 c1");
    assert_eq!(path_weights(&board, P), [4, 4, 0, 6, INFINITE_WEIGHT, 4, 6, 6, 4]);
    assert_eq!(path_weights(&board, B), [4, 4, INFINITE_WEIGHT, 2, 0, 4, 2, 2, 4]);
    assert_eq!(neighbour_priority(&board, 0, 1, B, 1, 1), [4, 3, 2, 1, 0, 5]);
    assert_eq!(neighbour_priority(&board, 1, 1, B, 1, 0), [3, 4, 2, 5, 1, 0]);
    let mut board = board;
    let walked =
        board.walk_from(parse_cell(3, "b1"), B, WalkDirection::Forward, NeighbourOrder::Mirrored, 9).unwrap();
    assert_eq!(
        (walked.cells, walked.weight),
        (["b1", "b2", "a3"].map(|text| parse_cell(3, text)).to_vec(), 6)
    );
    let own = board.find_lightest_path(B, FarEdgeStarts::SecondHalf).unwrap();
    assert_eq!(
        (own.cells.clone(), own.weight),
        (["b1", "b2", "b3"].map(|text| parse_cell(3, text)).to_vec(), 6)
    );
    let theirs = board.find_lightest_path(P, FarEdgeStarts::SecondHalf).unwrap();
    assert_eq!(
        (theirs.cells.clone(), theirs.weight),
        (["a1", "b1", "c1"].map(|text| parse_cell(3, text)).to_vec(), 8)
    );
    assert_eq!(
        (theirs.first_common_cell(&own), own.first_common_cell(&theirs)),
        (Some(parse_cell(3, "b1")), Some(parse_cell(3, "b1")))
    );
}

#[test]
fn priorities_match_the_original_inside_and_on_the_rim() {
    let board = path_finder(5, "");
    let inside = [
        (B, [[3, 4, 2, 5, 0, 1], [4, 3, 5, 2, 1, 0], [0, 1, 2, 5, 3, 4], [1, 0, 5, 2, 4, 3]]),
        (P, [[0, 5, 1, 4, 2, 3], [5, 0, 4, 1, 3, 2], [2, 3, 1, 4, 0, 5], [3, 2, 4, 1, 5, 0]]),
    ];
    for (side, rows) in inside {
        for (i, (d, q)) in [(1, 0), (1, 1), (0, 0), (0, 1)].into_iter().enumerate() {
            assert_eq!(neighbour_priority(&board, 2, 2, side, d, q), rows[i], "{side} {d} {q}");
        }
    }
    assert_eq!(neighbour_priority(&board, 0, 0, B, 1, 0), [4, 5, 0, 1, 2, 3]);
    assert_eq!(neighbour_priority(&board, 0, 4, B, 1, 1), [4, 3, 2, 1, 0, 5]);
    assert_eq!(neighbour_priority(&board, 4, 0, P, 1, 0), [0, 5, 1, 2, 3, 4]);
    assert_eq!(neighbour_priority(&board, 4, 4, P, 0, 1), [2, 1, 5, 4, 3, 0]);
}

#[test]
fn weights_are_clamped_in_the_order_of_play() {
    let board = path_finder(5, "c3 d2 a4 b1");
    let b = [
        6,
        INFINITE_WEIGHT,
        6,
        6,
        6,
        6,
        6,
        4,
        INFINITE_WEIGHT,
        6,
        2,
        0,
        0,
        4,
        4,
        0,
        0,
        2,
        4,
        4,
        2,
        4,
        4,
        4,
        4,
    ];
    let p = [
        2,
        0,
        2,
        2,
        2,
        2,
        2,
        4,
        0,
        2,
        6,
        8,
        INFINITE_WEIGHT,
        4,
        4,
        INFINITE_WEIGHT,
        8,
        6,
        4,
        4,
        6,
        4,
        4,
        4,
        4,
    ];
    assert_eq!(path_weights(&board, B), b);
    assert_eq!(path_weights(&board, P), p);
    assert_eq!(neighbour_priority(&board, 3, 1, B, 1, 0), [2, 3, 5, 4, 0, 1]);
    assert_eq!(neighbour_priority(&board, 1, 2, P, 1, 1), [5, 0, 1, 2, 3, 4]);
    // Around c3 are three own stones and an opposing one, which is placed last or first.
    let middle = |texts: &str| path_finder(5, texts).cell_weight(B, parse_cell(5, "c3"));
    assert_eq!(middle("c2 a1 b3 a2 d2 d3"), 2, "f f f e: 4 2 0 0 2");
    assert_eq!(middle("e5 d3 c2 a1 b3 a2 d2"), 0, "e f f f: 4 6 4 2 0");
}

/// Parses a list of cells, or the two ends of a row or column.
fn parse_cells(size: usize, text: &str) -> Vec<Cell> {
    let Some((from, to)) = text.split_once('-') else {
        return text.split(' ').map(|name| parse_cell(size, name)).collect();
    };
    let ((col, row), (last_col, last_row)) = (parse_cell_name(from).unwrap(), parse_cell_name(to).unwrap());
    let line = |from: usize, to: usize| -> Vec<usize> {
        if from <= to { (from..=to).collect() } else { (to..=from).rev().collect() }
    };
    let at = |row: usize, col: usize| Cell::new(row * size + col);
    if col == last_col {
        line(row, last_row).into_iter().map(|row| at(row, col)).collect()
    } else {
        line(col, last_col).into_iter().map(|col| at(row, col)).collect()
    }
}

#[test]
fn paths_and_moves_match_the_original_program() {
    for row in PATHS.lines() {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let size: usize = fields[0].parse().unwrap();
        let mut board = path_finder(size, fields[1]);
        let paths = [(B, fields[2]), (P, fields[3])].map(|(side, text)| {
            let (weight, cells) = text.split_once(' ').unwrap();
            let path = board.find_lightest_path(side, FarEdgeStarts::SecondHalf).unwrap();
            let wanted = WeightedPath { cells: parse_cells(size, cells), weight: weight.parse().unwrap() };
            assert_eq!(path, wanted, "{side} in {row}");
            path
        });
        let game = HexGame::new(size, SwapRule::Off, fields[1]);
        let own = game.now.to_move().index();
        let meeting = paths[1 - own].first_common_cell(&paths[own]).unwrap();
        assert_eq!(meeting, parse_cell(size, fields[4]), "{row}");
        if game.now.stone_count() > 1 {
            let mv = game.ask(&mut HexClassicEngine::new(&SETUP));
            assert_eq!(game.name(mv), fields[4], "{row}");
        }
    }
}

#[test]
fn both_paths_always_meet_on_an_empty_cell() {
    for size in 2..=14 {
        let mut generator = random_stream(21, size as u64);
        let mut game = HexGame::new(size, SwapRule::On, "");
        while game.now.outcome().is_none() {
            let mut position = ClassicPosition::from_history(&game.at());
            let [own, theirs] =
                Side::map_both(|side| position.find_lightest_path(side, FarEdgeStarts::SecondHalf).unwrap());
            for meeting in [own.first_common_cell(&theirs), theirs.first_common_cell(&own)] {
                let cell = position.frame.map_cell(game.now.grid(), meeting.unwrap());
                assert!(game.now.is_legal(cell.into()), "{}", game.now);
            }
            game.play(random_move(&game.now, &mut generator));
        }
    }
}

#[test]
fn classic_opens_left_of_the_centre() {
    let first = |size| {
        let game = HexGame::new(size, SwapRule::On, "");
        game.name(game.ask(&mut HexClassicEngine::new(&SETUP)))
    };
    assert_eq!([1, 2, 3, 5, 11, 14, 26].map(first), ["a1", "a2", "a2", "a3", "d6", "f8", "l14"]);
}

#[test]
fn classic_swaps_only_stones_on_the_diagonal() {
    for size in [2, 3, 11, 14] {
        let mut drawn = Vec::new();
        for seed in 0..20 {
            for swap in [SwapRule::On, SwapRule::Off] {
                let game = HexGame::new(size, swap, "a1");
                let mv = game.ask(&mut HexClassicEngine::new(&EngineConfig::new(seed, 1)));
                assert_eq!(mv == Move::Swap, swap == SwapRule::On);
                let beside = HexGame::new(size, swap, "b1");
                let mv = beside.ask(&mut HexClassicEngine::new(&EngineConfig::new(seed, 1)));
                let cell = mv.cell().expect("it does not swap");
                assert_eq!(beside.now.grid().mirrored(cell), cell);
                drawn.push(cell);
            }
        }
        drawn.sort_unstable();
        drawn.dedup();
        assert!(drawn.len() >= size.min(5), "each cell of the diagonal has its chance");
    }
}

#[test]
fn classic_plays_the_same_moves_in_both_frames_after_a_swap() {
    // In the original's frame the stone stays and the starter continues with the other colour.
    let mut board = path_finder(14, "f6");
    let [b, p] = [B, P].map(|side| board.find_lightest_path(side, FarEdgeStarts::SecondHalf).unwrap());
    let game = HexGame::new(14, SwapRule::On, "f6 swap e4");
    let mut position = ClassicPosition::from_history(&game.at());
    assert!(position.frame.transposed);
    board.place_stone(P, parse_cell(14, "d5"));
    assert_eq!(
        position.find_lightest_path(Side::Second, FarEdgeStarts::SecondHalf),
        board.find_lightest_path(B, FarEdgeStarts::SecondHalf)
    );
    assert_eq!(
        position.find_lightest_path(Side::First, FarEdgeStarts::SecondHalf),
        board.find_lightest_path(P, FarEdgeStarts::SecondHalf)
    );
    assert_ne!(Some(b), position.find_lightest_path(Side::Second, FarEdgeStarts::SecondHalf));
    assert_ne!(Some(p), position.find_lightest_path(Side::First, FarEdgeStarts::SecondHalf));
    let mv = game.ask(&mut HexClassicEngine::new(&SETUP)).cell().unwrap();
    let [own, theirs] = [Side::Second, Side::First]
        .map(|side| position.find_lightest_path(side, FarEdgeStarts::SecondHalf).unwrap());
    assert_eq!(Some(game.now.grid().mirrored(mv)), theirs.first_common_cell(&own));
}

#[test]
fn the_attack_continues_only_while_its_path_is_unchanged() {
    let mut differs = 0;
    for number in [76, 240, 333] {
        let mut game = random_opening(11, 4, &mut random_stream(5, number));
        let mut engine = attacking_engine();
        while game.now.outcome().is_none() {
            let mv = game.ask(&mut engine);
            if mv != game.ask(&mut HexClassicEngine::new(&SETUP)) {
                let mut position = ClassicPosition::from_history(&game.at());
                let own = game.now.to_move();
                let [own, theirs] = [own, own.other()]
                    .map(|side| position.find_lightest_path(side, FarEdgeStarts::SecondHalf).unwrap());
                assert_eq!(mv.cell(), own.first_common_cell(&theirs));
                differs += 1;
            }
            game.play(mv);
            if game.now.outcome().is_none() {
                game.play(game.ask(&mut HexClassicEngine::new(&SETUP)));
            }
        }
    }
    assert!(differs > 0, "the branch is reached");
}

#[test]
fn searching_the_whole_far_edge_finds_lighter_paths() {
    let mut differs = 0;
    for number in 0..40 {
        let game = random_opening(14, 20, &mut random_stream(77, number));
        let [half, whole] = [FarEdgeStarts::SecondHalf, FarEdgeStarts::WholeEdge].map(|far_edge| {
            let path = ClassicPosition::from_history(&game.at())
                .find_lightest_path(game.now.to_move(), far_edge)
                .unwrap();
            path.weight
        });
        assert!(whole <= half);
        differs += u32::from(whole < half);
    }
    assert!(differs > 0);
}

// Defects of the original program that must not return. Numbers 3, 4 and 8 are in `ep5.rs`.

#[test]
fn defect_1_classic_plays_legally_after_its_own_swap() {
    for size in [2, 3, 5, 11, 14] {
        let mut game = HexGame::new(size, SwapRule::On, "a1");
        let mut engine = HexClassicEngine::new(&SETUP);
        let mv = game.ask(&mut engine);
        assert_eq!(mv, Move::Swap);
        game.play(mv);
        game.play(random_move(&game.now, &mut random_stream(1, size as u64)));
        let mv = game.ask(&mut engine);
        assert!(game.now.is_legal(mv));
    }
}

#[test]
fn defect_2_classic_checks_f8_after_its_own_swap() {
    // Cell (7,5) is f8 in the original's frame and h6 here.
    let mut game = HexGame::new(14, SwapRule::On, "g7");
    let mut engine = HexClassicEngine::new(&SETUP);
    game.play(game.ask(&mut engine));
    game.play(game.now.parse("h6").unwrap());
    let mv = game.ask(&mut engine);
    assert!(game.now.is_legal(mv) && game.name(mv) != "h6");
}

#[test]
fn defect_5_a_swapped_stone_is_weighed_once() {
    let game = HexGame::new(5, SwapRule::On, "b2 swap");
    let position = ClassicPosition::from_history(&game.at());
    assert_eq!(path_weights(&position.board, B), path_weights(&path_finder(5, "b2"), B));
    assert_eq!(path_weights(&position.board, P), path_weights(&path_finder(5, "b2"), P));
    // It is the first stone in the order of play.
    let later = HexGame::new(5, SwapRule::On, "c4 swap d2 a1");
    let position = ClassicPosition::from_history(&later.at());
    let mut by_hand = path_finder(5, "c4");
    by_hand.place_stone(P, parse_cell(5, "b4"));
    by_hand.place_stone(B, parse_cell(5, "a1"));
    assert_eq!(path_weights(&position.board, B), path_weights(&by_hand, B));
}

#[test]
fn defect_6_the_last_path_is_forgotten_with_its_game() {
    let mut game = HexGame::new(11, SwapRule::Off, "d6 k11 c11 a1");
    let mut engine = attacking_engine();
    let once = game.ask(&mut engine);
    engine.new_game();
    assert_eq!(once, game.ask(&mut engine), "a new game is a new engine");
    game.play(once);
    game.play(game.now.parse("k1").unwrap());
    let fresh = game.ask(&mut attacking_engine());
    assert_eq!(fresh, game.ask(&mut HexClassicEngine::new(&SETUP)), "without a path before it defends");
}

#[test]
fn defect_6_paths_of_different_length_differ() {
    let short = path_finder(3, "").find_lightest_path(B, FarEdgeStarts::SecondHalf).unwrap();
    let mut long = short.clone();
    long.cells.push(Cell::new(8));
    assert_ne!(short, long);
}

#[test]
fn defect_7_classic_plays_on_every_board_size() {
    for size in 1..=26 {
        let mut generator = random_stream(8, size as u64);
        let mut game = HexGame::new(size, SwapRule::On, "");
        let mut engine = HexClassicEngine::new(&SETUP);
        while game.now.outcome().is_none() {
            let mv = if game.now.to_move() == Side::First {
                game.ask(&mut engine)
            } else {
                random_move(&game.now, &mut generator)
            };
            game.play(mv);
        }
    }
}

#[test]
fn classic_wins_60_of_60_games_against_random_play_on_14x14() {
    for number in 0..60 {
        let mut generator = random_stream(61, number);
        let side = Side::BOTH[(number % 2) as usize];
        let mut game = HexGame::new(14, SwapRule::Off, "");
        let mut engine = HexClassicEngine::new(&EngineConfig::new(number, side.index() as u64));
        while game.now.outcome().is_none() {
            let mv = if game.now.to_move() == side {
                game.ask(&mut engine)
            } else {
                random_move(&game.now, &mut generator)
            };
            game.play(mv);
        }
        assert_eq!(game.now.outcome(), Some(Outcome::Win(side)), "game {number}");
    }
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn classic_moves_within_20_ms_on_14x14() {
    let began = std::time::Instant::now();
    let mut engine = HexClassicEngine::new(&SETUP);
    let positions: Vec<HexGame> =
        (0..40).map(|number| random_opening(14, 2 * number, &mut random_stream(4, number as u64))).collect();
    for game in &positions {
        game.ask(&mut engine);
    }
    let each = began.elapsed() / 40;
    println!("{each:?} a move");
    assert!(each.as_millis() < 20, "{each:?}: 1 ms is promised on an idle machine");
}
