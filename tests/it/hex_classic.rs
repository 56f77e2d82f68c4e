//! The level `classic` of Hex: the original program's vectors, and its defects that must not return.

use crosspath::ai::hex::classic::{Attack, Classical, HexClassic};
use crosspath::ai::hex::explain::paths_in_words;
use crosspath::ai::hex::path_blocking::{FarEdge, INF, Parity, Path, PathBlocking, WalkDirection};
use crosspath::ai::{Engine, EngineConfig};
use crosspath::board::hexgrid::Cell;
use crosspath::board::names::read_cell;
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Move, SwapRule};
use crosspath::random::stream;

use crate::hex_help::{Match, PATHS, SETUP, opened, random_move};
use crate::sentences::{lasting, said};

#[test]
fn what_the_word_paths_tells_is_what_it_plays() {
    for (size, swap) in [(5, SwapRule::Off), (5, SwapRule::On), (11, SwapRule::On)] {
        for seed in 0..6 {
            let (mut game, mut random) = (Match::new(size, swap, ""), stream(seed, 0));
            while game.now.outcome().is_none() {
                let said = paths_in_words(&game.at()).pop().unwrap();
                let mv = game.ask(&mut HexClassic::new(&SETUP));
                match said.strip_prefix(lasting(format!("{} ", said!("they-meet-on")))) {
                    Some(cell) => {
                        assert!(cell.starts_with(&format!("{},", game.name(mv))), "{said}\n{}", game.now);
                    }
                    None => assert!(said.starts_with(said!("classic-does-not-follow")), "{said}"),
                }
                assert_eq!(said.ends_with(said!("takes-the-first-stone")), mv == Move::Swap, "{said}");
                game.play(random_move(&game.now, &mut random));
            }
        }
    }
}

/// Returns the original program with the branch that it never reached.
fn attacker() -> HexClassic {
    let mut engine = HexClassic::new(&SETUP);
    engine.attack = Attack::OnTheSamePath;
    engine
}

fn cell(size: usize, text: &str) -> Cell {
    let (col, row) = read_cell(text).unwrap();
    Cell::new(row * size + col)
}

/// Returns the path finder after stones placed in turn, First's first.
fn finder(size: usize, texts: &str) -> PathBlocking {
    let mut board = PathBlocking::new(size).unwrap();
    for (i, text) in texts.split_whitespace().enumerate() {
        board.put(Side::BOTH[i % 2], cell(size, text));
    }
    board
}

fn weights(board: &PathBlocking, side: Side) -> Vec<i32> {
    board.grid().cells().map(|cell| board.weight(side, cell)).collect()
}

/// (row, column, side, direction, parity) as the original wrote them.
fn priority(board: &PathBlocking, row: usize, col: usize, side: Side, d: u8, q: usize) -> [usize; 6] {
    let direction = if d == 1 { WalkDirection::Forth } else { WalkDirection::Back };
    board.priority(board.grid().cell(row, col).unwrap(), side, direction, Parity::BOTH[q])
}

const B: Side = Side::First;
const P: Side = Side::Second;

#[test]
fn the_small_vector_of_the_original_program() {
    let board = finder(3, "b2 c1");
    assert_eq!(weights(&board, P), [4, 4, 0, 6, INF, 4, 6, 6, 4]);
    assert_eq!(weights(&board, B), [4, 4, INF, 2, 0, 4, 2, 2, 4]);
    assert_eq!(priority(&board, 0, 1, B, 1, 1), [4, 3, 2, 1, 0, 5]);
    assert_eq!(priority(&board, 1, 1, B, 1, 0), [3, 4, 2, 5, 1, 0]);
    let mut board = board;
    let walked = board.walk(cell(3, "b1"), B, WalkDirection::Forth, Parity::Odd, 9).unwrap();
    assert_eq!((walked.cells, walked.weight), (["b1", "b2", "a3"].map(|text| cell(3, text)).to_vec(), 6));
    let own = board.path(B, FarEdge::Half).unwrap();
    assert_eq!((own.cells.clone(), own.weight), (["b1", "b2", "b3"].map(|text| cell(3, text)).to_vec(), 6));
    let theirs = board.path(P, FarEdge::Half).unwrap();
    assert_eq!(
        (theirs.cells.clone(), theirs.weight),
        (["a1", "b1", "c1"].map(|text| cell(3, text)).to_vec(), 8)
    );
    assert_eq!((theirs.meets(&own), own.meets(&theirs)), (Some(cell(3, "b1")), Some(cell(3, "b1"))));
}

#[test]
fn priorities_inside_and_on_the_rim() {
    let board = finder(5, "");
    let inside = [
        (B, [[3, 4, 2, 5, 0, 1], [4, 3, 5, 2, 1, 0], [0, 1, 2, 5, 3, 4], [1, 0, 5, 2, 4, 3]]),
        (P, [[0, 5, 1, 4, 2, 3], [5, 0, 4, 1, 3, 2], [2, 3, 1, 4, 0, 5], [3, 2, 4, 1, 5, 0]]),
    ];
    for (side, rows) in inside {
        for (i, (d, q)) in [(1, 0), (1, 1), (0, 0), (0, 1)].into_iter().enumerate() {
            assert_eq!(priority(&board, 2, 2, side, d, q), rows[i], "{side} {d} {q}");
        }
    }
    assert_eq!(priority(&board, 0, 0, B, 1, 0), [4, 5, 0, 1, 2, 3]);
    assert_eq!(priority(&board, 0, 4, B, 1, 1), [4, 3, 2, 1, 0, 5]);
    assert_eq!(priority(&board, 4, 0, P, 1, 0), [0, 5, 1, 2, 3, 4]);
    assert_eq!(priority(&board, 4, 4, P, 0, 1), [2, 1, 5, 4, 3, 0]);
}

#[test]
fn weights_are_clamped_in_the_order_of_play() {
    let board = finder(5, "c3 d2 a4 b1");
    let b = [6, INF, 6, 6, 6, 6, 6, 4, INF, 6, 2, 0, 0, 4, 4, 0, 0, 2, 4, 4, 2, 4, 4, 4, 4];
    let p = [2, 0, 2, 2, 2, 2, 2, 4, 0, 2, 6, 8, INF, 4, 4, INF, 8, 6, 4, 4, 6, 4, 4, 4, 4];
    assert_eq!(weights(&board, B), b);
    assert_eq!(weights(&board, P), p);
    assert_eq!(priority(&board, 3, 1, B, 1, 0), [2, 3, 5, 4, 0, 1]);
    assert_eq!(priority(&board, 1, 2, P, 1, 1), [5, 0, 1, 2, 3, 4]);
    // Around c3: three friends and a foe, the foe last or first.
    let middle = |texts: &str| finder(5, texts).weight(B, cell(5, "c3"));
    assert_eq!(middle("c2 a1 b3 a2 d2 d3"), 2, "f f f e: 4 2 0 0 2");
    assert_eq!(middle("e5 d3 c2 a1 b3 a2 d2"), 0, "e f f f: 4 6 4 2 0");
}

/// Cells one by one, or two ends of a row or a column.
fn spelled(size: usize, text: &str) -> Vec<Cell> {
    let Some((from, to)) = text.split_once('-') else {
        return text.split(' ').map(|name| cell(size, name)).collect();
    };
    let ((col, row), (last_col, last_row)) = (read_cell(from).unwrap(), read_cell(to).unwrap());
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
fn both_paths_and_the_move_are_those_of_the_original_program() {
    for row in PATHS.lines() {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let size: usize = fields[0].parse().unwrap();
        let mut board = finder(size, fields[1]);
        let paths = [(B, fields[2]), (P, fields[3])].map(|(side, text)| {
            let (weight, cells) = text.split_once(' ').unwrap();
            let path = board.path(side, FarEdge::Half).unwrap();
            let wanted = Path { cells: spelled(size, cells), weight: weight.parse().unwrap() };
            assert_eq!(path, wanted, "{side} in {row}");
            path
        });
        let game = Match::new(size, SwapRule::Off, fields[1]);
        let own = game.now.to_move().index();
        let meeting = paths[1 - own].meets(&paths[own]).unwrap();
        assert_eq!(meeting, cell(size, fields[4]), "{row}");
        if game.now.count() > 1 {
            let mv = game.ask(&mut HexClassic::new(&SETUP));
            assert_eq!(game.name(mv), fields[4], "{row}");
        }
    }
}

#[test]
fn both_paths_always_meet_on_an_empty_cell() {
    for size in 2..=14 {
        let mut generator = stream(21, size as u64);
        let mut game = Match::new(size, SwapRule::On, "");
        while game.now.outcome().is_none() {
            let mut position = Classical::of(&game.at());
            let [own, theirs] = Side::each(|side| position.path(side, FarEdge::Half).unwrap());
            for meeting in [own.meets(&theirs), theirs.meets(&own)] {
                let cell = position.frame.cell(game.now.grid(), meeting.unwrap());
                assert!(game.now.is_legal(cell.into()), "{}", game.now);
            }
            game.play(random_move(&game.now, &mut generator));
        }
    }
}

#[test]
fn classic_opens_as_starter_left_of_the_middle() {
    let first = |size| {
        let game = Match::new(size, SwapRule::On, "");
        game.name(game.ask(&mut HexClassic::new(&SETUP)))
    };
    assert_eq!([1, 2, 3, 5, 11, 14, 26].map(first), ["a1", "a2", "a2", "a3", "d6", "f8", "l14"]);
}

#[test]
fn classic_takes_over_a_stone_on_the_diagonal_and_no_other() {
    for size in [2, 3, 11, 14] {
        let mut drawn = Vec::new();
        for seed in 0..20 {
            for swap in [SwapRule::On, SwapRule::Off] {
                let game = Match::new(size, swap, "a1");
                let mv = game.ask(&mut HexClassic::new(&EngineConfig::new(seed, 1)));
                assert_eq!(mv == Move::Swap, swap == SwapRule::On);
                let beside = Match::new(size, swap, "b1");
                let mv = beside.ask(&mut HexClassic::new(&EngineConfig::new(seed, 1)));
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
    // The original's frame, by hand: the stone stays, the starter goes on with the other colour.
    let mut board = finder(14, "f6");
    let [b, p] = [B, P].map(|side| board.path(side, FarEdge::Half).unwrap());
    let game = Match::new(14, SwapRule::On, "f6 swap e4");
    let mut position = Classical::of(&game.at());
    assert!(position.frame.transposed);
    board.put(P, cell(14, "d5"));
    assert_eq!(position.path(Side::Second, FarEdge::Half), board.path(B, FarEdge::Half));
    assert_eq!(position.path(Side::First, FarEdge::Half), board.path(P, FarEdge::Half));
    assert_ne!(Some(b), position.path(Side::Second, FarEdge::Half));
    assert_ne!(Some(p), position.path(Side::First, FarEdge::Half));
    let mv = game.ask(&mut HexClassic::new(&SETUP)).cell().unwrap();
    let [own, theirs] = [Side::Second, Side::First].map(|side| position.path(side, FarEdge::Half).unwrap());
    assert_eq!(Some(game.now.grid().mirrored(mv)), theirs.meets(&own));
}

#[test]
fn the_attack_goes_on_with_the_own_path_only_while_it_stays_the_same() {
    let mut differs = 0;
    for number in [76, 240, 333] {
        let mut game = opened(11, 4, &mut stream(5, number));
        let mut engine = attacker();
        while game.now.outcome().is_none() {
            let mv = game.ask(&mut engine);
            if mv != game.ask(&mut HexClassic::new(&SETUP)) {
                let mut position = Classical::of(&game.at());
                let own = game.now.to_move();
                let [own, theirs] =
                    [own, own.other()].map(|side| position.path(side, FarEdge::Half).unwrap());
                assert_eq!(mv.cell(), own.meets(&theirs));
                differs += 1;
            }
            game.play(mv);
            if game.now.outcome().is_none() {
                game.play(game.ask(&mut HexClassic::new(&SETUP)));
            }
        }
    }
    assert!(differs > 0, "the branch is reached");
}

#[test]
fn the_whole_far_edge_finds_paths_that_the_half_does_not() {
    let mut differs = 0;
    for number in 0..40 {
        let game = opened(14, 20, &mut stream(77, number));
        let [half, whole] = [FarEdge::Half, FarEdge::Whole].map(|far_edge| {
            let path = Classical::of(&game.at()).path(game.now.to_move(), far_edge).unwrap();
            path.weight
        });
        assert!(whole <= half);
        differs += u32::from(whole < half);
    }
    assert!(differs > 0);
}

// Defects of the original program that must not return; numbers 3, 4 and 8 in `ep5.rs`.

#[test]
fn defect_1_classic_does_not_fall_on_the_turn_after_its_own_swap() {
    for size in [2, 3, 5, 11, 14] {
        let mut game = Match::new(size, SwapRule::On, "a1");
        let mut engine = HexClassic::new(&SETUP);
        let mv = game.ask(&mut engine);
        assert_eq!(mv, Move::Swap);
        game.play(mv);
        game.play(random_move(&game.now, &mut stream(1, size as u64)));
        let mv = game.ask(&mut engine);
        assert!(game.now.is_legal(mv));
    }
}

#[test]
fn defect_2_after_its_own_swap_classic_looks_whether_f8_is_free() {
    // (7,5) of the original's frame is f8 there, h6 here.
    let mut game = Match::new(14, SwapRule::On, "g7");
    let mut engine = HexClassic::new(&SETUP);
    game.play(game.ask(&mut engine));
    game.play(game.now.parse("h6").unwrap());
    let mv = game.ask(&mut engine);
    assert!(game.now.is_legal(mv) && game.name(mv) != "h6");
}

#[test]
fn defect_5_a_stone_taken_over_weighs_once() {
    let game = Match::new(5, SwapRule::On, "b2 swap");
    let position = Classical::of(&game.at());
    assert_eq!(weights(&position.board, B), weights(&finder(5, "b2"), B));
    assert_eq!(weights(&position.board, P), weights(&finder(5, "b2"), P));
    // And it is the first stone in the order of play.
    let later = Match::new(5, SwapRule::On, "c4 swap d2 a1");
    let position = Classical::of(&later.at());
    let mut by_hand = finder(5, "c4");
    by_hand.put(P, cell(5, "b4"));
    by_hand.put(B, cell(5, "a1"));
    assert_eq!(weights(&position.board, B), weights(&by_hand, B));
}

#[test]
fn defect_6_the_path_before_is_remembered_and_forgotten_with_its_game() {
    let mut game = Match::new(11, SwapRule::Off, "d6 k11 c11 a1");
    let mut engine = attacker();
    let once = game.ask(&mut engine);
    engine.new_game();
    assert_eq!(once, game.ask(&mut engine), "a new game is a new engine");
    game.play(once);
    game.play(game.now.parse("k1").unwrap());
    let fresh = game.ask(&mut attacker());
    assert_eq!(fresh, game.ask(&mut HexClassic::new(&SETUP)), "without a path before it defends");
}

#[test]
fn defect_6_paths_are_equal_only_with_the_same_length_and_cells() {
    let short = finder(3, "").path(B, FarEdge::Half).unwrap();
    let mut long = short.clone();
    long.cells.push(Cell::new(8));
    assert_ne!(short, long);
}

#[test]
fn defect_7_classic_plays_on_every_size() {
    for size in 1..=26 {
        let mut generator = stream(8, size as u64);
        let mut game = Match::new(size, SwapRule::On, "");
        let mut engine = HexClassic::new(&SETUP);
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
fn classic_wins_60_of_60_games_against_random_stones_on_14x14() {
    for number in 0..60 {
        let mut generator = stream(61, number);
        let side = Side::BOTH[(number % 2) as usize];
        let mut game = Match::new(14, SwapRule::Off, "");
        let mut engine = HexClassic::new(&EngineConfig::new(number, side.index() as u64));
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
fn classic_answers_at_once_on_14x14() {
    let began = std::time::Instant::now();
    let mut engine = HexClassic::new(&SETUP);
    let positions: Vec<Match> =
        (0..40).map(|number| opened(14, 2 * number, &mut stream(4, number as u64))).collect();
    for game in &positions {
        game.ask(&mut engine);
    }
    let each = began.elapsed() / 40;
    println!("{each:?} a move");
    assert!(each.as_millis() < 20, "{each:?}: 1 ms is promised on an idle machine");
}
