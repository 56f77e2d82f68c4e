//! The engines of Hex: the original program's vectors, its defects that must not return, and strength.
#![allow(clippy::unwrap_used)] // a test may panic

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::classic::{Attack, Classic, Classical};
use crosspath::ai::hex::engines;
use crosspath::ai::hex::path_blocking::{Direction, FarEdge, INF, Parity, Path, PathBlocking};
use crosspath::ai::{Control, Engine, Level, Limits, Setup, Situation};
use crosspath::board::hexgrid::Cell;
use crosspath::board::names::read_cell;
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Hex, Move, SwapRule};
use crosspath::random::{Generator, stream};
use rand::RngExt;

const SETUP: Setup = Setup { seed: 1, stream: 0 };

struct Played {
    start: Hex,
    played: Vec<Move>,
    now: Hex,
}

impl Played {
    fn new(size: usize, swap: SwapRule, texts: &str) -> Self {
        let start = Hex::new(size, swap).unwrap();
        let mut game = Played { now: start.clone(), start, played: Vec::new() };
        for text in texts.split_whitespace() {
            game.play(game.now.parse(text).unwrap());
        }
        game
    }

    fn play(&mut self, mv: Move) {
        self.now.try_make(mv).unwrap_or_else(|refusal| panic!("{mv:?}: {refusal}\n{}", self.now));
        self.played.push(mv);
    }

    fn at(&self) -> Situation<'_, Hex> {
        Situation { start: &self.start, played: &self.played, now: &self.now }
    }

    fn ask(&self, engine: &mut dyn Engine<Hex>) -> Move {
        let stop = AtomicBool::new(false);
        engine.choose(&self.at(), &Control::quiet(Limits::default(), &stop)).mv
    }

    fn name(&self, mv: Move) -> String {
        self.now.show(mv)
    }
}

fn level(level: Level, size: usize, setup: Setup) -> Box<dyn Engine<Hex>> {
    let tier = engines().into_iter().find(|tier| tier.level == level).unwrap();
    (tier.build)(&Hex::new(size, SwapRule::Off).unwrap(), setup)
}

/// Plays a game to its end from where it is; the engines move as First and Second.
fn play_out(mut game: Played, engines: [&mut dyn Engine<Hex>; 2]) -> Side {
    while game.now.outcome().is_none() {
        let mv = game.ask(&mut *engines[game.now.to_move().index()]);
        game.play(mv);
    }
    game.now.outcome().and_then(Outcome::winner).unwrap()
}

fn random_move(game: &Hex, generator: &mut Generator) -> Move {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves[generator.random_range(0..moves.len())]
}

/// A game that begins with `stones` random stones, without the swap rule.
fn opened(size: usize, stones: usize, generator: &mut Generator) -> Played {
    let mut game = Played::new(size, SwapRule::Off, "");
    for _ in 0..stones {
        game.play(random_move(&game.now, generator));
    }
    game
}

/// How many of `games` games, two random stones in front, level `one` wins against `other`, sides changing.
fn score(one: Level, other: Level, size: usize, games: u64) -> u64 {
    let mut wins = 0;
    for number in 0..games {
        // Both games of a pair have the same opening.
        let game = opened(size, 2, &mut stream(900 + number / 2, size as u64));
        let mut own = level(one, size, Setup { seed: number, stream: 0 });
        let mut theirs = level(other, size, Setup { seed: number, stream: 1 });
        let side = Side::BOTH[(number % 2) as usize];
        let seats: [&mut dyn Engine<Hex>; 2] =
            if side == Side::First { [&mut *own, &mut *theirs] } else { [&mut *theirs, &mut *own] };
        wins += u64::from(play_out(game, seats) == side);
    }
    wins
}

// The level `classic`: weights, priorities, paths.

/// The original program with the branch that it never reached.
fn attacker() -> Classic {
    let mut engine = Classic::new(SETUP);
    engine.attack = Attack::OnTheSamePath;
    engine
}

fn cell(size: usize, text: &str) -> Cell {
    let (col, row) = read_cell(text).unwrap();
    Cell::new(row * size + col)
}

/// The path finder after stones put down in turn, First's in front.
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
    let direction = if d == 1 { Direction::Forth } else { Direction::Back };
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
    let walked = board.walk(cell(3, "b1"), B, Direction::Forth, Parity::Odd, 9).unwrap();
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

/// `size [moves] F weight path S weight path -> move`; `-` spells out a row, a column or a list of cells.
const PATHS: &str = "\
14 | | 56 a1-a14 | 56 a1-n1 | a1
14 | f8 | 50 h1 h2 g3 g4 f5 f6 f7 f8 e9 f9 e10 e11 d12 d13 c14 | 56 a1-n1 | h1
14 | f8 e4 | 50 g1 g2 g3 g4 f5 f6 f7 f8 e9 f9 e10 e11 d12 d13 c14 | 50 a5 b4 c4 d4 e4 f3 f4 g3 h3 i2 j2 k1 l1 m1 n1 | g3
14 | f8 g7 g3 d10 | 46 g1 g2 g3 f4 g4 f5 f6 e7 e8 f8 f9 f10 f11 e12 e13 d14 | 48 a10 b10 c10 d10 e10 f10 g9 h9 i8 j8 k7 l7 m6 n6 | f10
14 | a1 n14 | 50 a1-a14 | 50 n14-a14 | a14
14 | f8 g8 g7 h7 h6 i6 | 40 i1 i2 h3 h4 h5 h6 g7 f8 e9 e10 d11 d12 c13 c14 | 44 a12 b11 c11 d10 e10 f9 g8 h7 i7 i6 j6 j5 k5 l4 m4 n3 | e10
14 | g7 f8 i6 e9 | 46 j1 j2 i3 i4 i5 i6 h7 g7 g8 g9 f10 f11 e12 e13 d14 | 46 a10 b9 c9 d9 e9 f8 f9 g8 h8 i8 j8 k7 l7 m6 n6 | g8
11 | | 44 a1-a11 | 44 a1-k1 | a1
11 | d6 | 38 e1 e2 d3 d4 d5 d6 c7 d7 c8 c9 b10 b11 | 44 a1-k1 | e1
11 | f6 h4 | 38 g1 g2 f3 f4 f5 f6 e7 f7 e8 e9 d10 d11 | 38 a6 b6 c5 d5 e4 f4 g4 h4 i3 i4 j3 k3 | f4
11 | f6 h4 e8 e5 | 38 g1 g2 f3 g3 f4 f5 f6 f7 e8 e9 d9 d10 c11 | 30 a6 b5 c5 d5 e5 f4 g4 h4 i4 i3 j3 k2 | f4
11 | c3 i9 f6 g5 d8 i4 | 32 h1 g2 g3 f4 f5 f6 e7 d8 d9 c9 c10 b11 | 32 a7 b7 c6 d6 e5 f5 g5 h5 i4 j4 j3 k3 | f5
5 | c3 | 14 c1 c2 c3 b4 c4 b5 | 20 a1-e1 | c1
5 | c3 d2 a4 b1 | 12 c1 c2 c3 b4 a4 a5 | 8 a1 b1 c1 d1 d2 e1 | c1";

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
        let game = Played::new(size, SwapRule::Off, fields[1]);
        let own = game.now.to_move().index();
        let meeting = paths[1 - own].meets(&paths[own]).unwrap();
        assert_eq!(meeting, cell(size, fields[4]), "{row}");
        if game.now.count() > 1 {
            let mv = game.ask(&mut Classic::new(SETUP));
            assert_eq!(game.name(mv), fields[4], "{row}");
        }
    }
}

#[test]
fn both_paths_always_meet_on_an_empty_cell() {
    for size in 2..=14 {
        let mut generator = stream(21, size as u64);
        let mut game = Played::new(size, SwapRule::On, "");
        while game.now.outcome().is_none() {
            let mut position = Classical::of(&game.at());
            let [own, theirs] = Side::BOTH.map(|side| position.path(side, FarEdge::Half).unwrap());
            for meeting in [own.meets(&theirs), theirs.meets(&own)] {
                let cell = position.frame.cell_in(&game.now, meeting.unwrap());
                assert!(game.now.is_legal(cell.into()), "{}", game.now);
            }
            game.play(random_move(&game.now, &mut generator));
        }
    }
}

#[test]
fn classic_opens_as_starter_left_of_the_middle() {
    let first = |size| {
        let game = Played::new(size, SwapRule::On, "");
        game.name(game.ask(&mut Classic::new(SETUP)))
    };
    assert_eq!([1, 2, 3, 5, 11, 14, 26].map(first), ["a1", "a2", "a2", "a3", "d6", "f8", "l14"]);
}

#[test]
fn classic_takes_over_a_stone_on_the_diagonal_and_no_other() {
    for size in [2, 3, 11, 14] {
        let mut drawn = Vec::new();
        for seed in 0..20 {
            for swap in [SwapRule::On, SwapRule::Off] {
                let game = Played::new(size, swap, "a1");
                let mv = game.ask(&mut Classic::new(Setup { seed, stream: 1 }));
                assert_eq!(mv == Move::Swap, swap == SwapRule::On);
                let beside = Played::new(size, swap, "b1");
                let mv = beside.ask(&mut Classic::new(Setup { seed, stream: 1 }));
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
    let game = Played::new(14, SwapRule::On, "f6 swap e4");
    let mut position = Classical::of(&game.at());
    assert!(position.frame.transposed);
    board.put(P, cell(14, "d5"));
    assert_eq!(position.path(Side::Second, FarEdge::Half), board.path(B, FarEdge::Half));
    assert_eq!(position.path(Side::First, FarEdge::Half), board.path(P, FarEdge::Half));
    assert_ne!(Some(b), position.path(Side::Second, FarEdge::Half));
    assert_ne!(Some(p), position.path(Side::First, FarEdge::Half));
    let mv = game.ask(&mut Classic::new(SETUP)).cell().unwrap();
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
            if mv != game.ask(&mut Classic::new(SETUP)) {
                let mut position = Classical::of(&game.at());
                let own = game.now.to_move();
                let [own, theirs] =
                    [own, own.other()].map(|side| position.path(side, FarEdge::Half).unwrap());
                assert_eq!(mv.cell(), own.meets(&theirs));
                differs += 1;
            }
            game.play(mv);
            if game.now.outcome().is_none() {
                game.play(game.ask(&mut Classic::new(SETUP)));
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

// Defects of the original program that must not return; those of the wire are tested in `ep5.rs`.

#[test]
fn defect_1_classic_does_not_fall_on_the_turn_after_its_own_swap() {
    for size in [2, 3, 5, 11, 14] {
        let mut game = Played::new(size, SwapRule::On, "a1");
        let mut engine = Classic::new(SETUP);
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
    let mut game = Played::new(14, SwapRule::On, "g7");
    let mut engine = Classic::new(SETUP);
    game.play(game.ask(&mut engine));
    game.play(game.now.parse("h6").unwrap());
    let mv = game.ask(&mut engine);
    assert!(game.now.is_legal(mv) && game.name(mv) != "h6");
}

#[test]
fn defect_5_a_stone_taken_over_weighs_once() {
    let game = Played::new(5, SwapRule::On, "b2 swap");
    let position = Classical::of(&game.at());
    assert_eq!(weights(&position.board, B), weights(&finder(5, "b2"), B));
    assert_eq!(weights(&position.board, P), weights(&finder(5, "b2"), P));
    // And it is the first stone in the order of play.
    let later = Played::new(5, SwapRule::On, "c4 swap d2 a1");
    let position = Classical::of(&later.at());
    let mut by_hand = finder(5, "c4");
    by_hand.put(P, cell(5, "b4"));
    by_hand.put(B, cell(5, "a1"));
    assert_eq!(weights(&position.board, B), weights(&by_hand, B));
}

#[test]
fn defect_6_the_path_before_is_remembered_and_forgotten_with_its_game() {
    let mut game = Played::new(11, SwapRule::Off, "d6 k11 c11 a1");
    let mut engine = attacker();
    let once = game.ask(&mut engine);
    assert_eq!(once, game.ask(&mut engine), "the same position asked again is a new game");
    game.play(once);
    game.play(game.now.parse("k1").unwrap());
    let fresh = game.ask(&mut attacker());
    assert_eq!(fresh, game.ask(&mut Classic::new(SETUP)), "without a path before it defends");
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
        let mut game = Played::new(size, SwapRule::On, "");
        let mut engine = Classic::new(SETUP);
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
        let mut game = Played::new(14, SwapRule::Off, "");
        let mut engine = Classic::new(Setup { seed: number, stream: side.index() as u64 });
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
fn classic_answers_at_once_on_14x14() {
    let began = std::time::Instant::now();
    let mut engine = Classic::new(SETUP);
    let positions: Vec<Played> =
        (0..40).map(|number| opened(14, 2 * number, &mut stream(4, number as u64))).collect();
    for game in &positions {
        game.ask(&mut engine);
    }
    let each = began.elapsed() / 40;
    println!("{each:?} a move");
    assert!(each.as_millis() < 20, "{each:?}: 1 ms is promised on an idle machine");
}
