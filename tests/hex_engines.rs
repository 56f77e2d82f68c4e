//! The engines of Hex: the original program's vectors, its defects that must not return, and strength.
#![allow(clippy::unwrap_used)] // a test may panic

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::classic::{Attack, Classic, Classical};
use crosspath::ai::hex::engines;
use crosspath::ai::hex::network::{FAR, Graph, Network};
use crosspath::ai::hex::path_blocking::{Direction, FarEdge, INF, Parity, Path, PathBlocking};
use crosspath::ai::hex::solve::{solve, values};
use crosspath::ai::hex::swap::{openings, wins};
use crosspath::ai::hex::words::{paths_in_words, reason, weights_in_words};
use crosspath::ai::minimax::{Distance, Minimax, Ties};
use crosspath::ai::{Control, Engine, Level, Limits, Meter, Setup, Situation, Solved};
use crosspath::board::hexgrid::Cell;
use crosspath::board::names::read_cell;
use crosspath::game::{Game, Notation, Outcome, Side, View};
use crosspath::games::hex::{Hex, Move, SwapRule};
use crosspath::random::{Generator, stream};
use rand::RngExt;

const SETUP: Setup = Setup { seed: 1, stream: 0 };

struct Record {
    start: Hex,
    played: Vec<Move>,
    now: Hex,
}

impl Record {
    fn new(size: usize, swap: SwapRule, texts: &str) -> Self {
        let start = Hex::new(size, swap).unwrap();
        let mut game = Record { now: start.clone(), start, played: Vec::new() };
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
fn play_out(mut game: Record, engines: &mut [&mut dyn Engine<Hex>; 2]) -> Side {
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
fn opened(size: usize, stones: usize, generator: &mut Generator) -> Record {
    let mut game = Record::new(size, SwapRule::Off, "");
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
        let own_side = Side::BOTH[(number % 2) as usize];
        let mut seats: [&mut dyn Engine<Hex>; 2] =
            if own_side == Side::First { [&mut *own, &mut *theirs] } else { [&mut *theirs, &mut *own] };
        wins += u64::from(play_out(game, &mut seats) == own_side);
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
        let game = Record::new(size, SwapRule::Off, fields[1]);
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
        let mut game = Record::new(size, SwapRule::On, "");
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
        let game = Record::new(size, SwapRule::On, "");
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
                let game = Record::new(size, swap, "a1");
                let mv = game.ask(&mut Classic::new(Setup { seed, stream: 1 }));
                assert_eq!(mv == Move::Swap, swap == SwapRule::On);
                let beside = Record::new(size, swap, "b1");
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
    let game = Record::new(14, SwapRule::On, "f6 swap e4");
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
        let mut game = Record::new(size, SwapRule::On, "a1");
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
    let mut game = Record::new(14, SwapRule::On, "g7");
    let mut engine = Classic::new(SETUP);
    game.play(game.ask(&mut engine));
    game.play(game.now.parse("h6").unwrap());
    let mv = game.ask(&mut engine);
    assert!(game.now.is_legal(mv) && game.name(mv) != "h6");
}

#[test]
fn defect_5_a_stone_taken_over_weighs_once() {
    let game = Record::new(5, SwapRule::On, "b2 swap");
    let position = Classical::of(&game.at());
    assert_eq!(weights(&position.board, B), weights(&finder(5, "b2"), B));
    assert_eq!(weights(&position.board, P), weights(&finder(5, "b2"), P));
    // And it is the first stone in the order of play.
    let later = Record::new(5, SwapRule::On, "c4 swap d2 a1");
    let position = Classical::of(&later.at());
    let mut by_hand = finder(5, "c4");
    by_hand.put(P, cell(5, "b4"));
    by_hand.put(B, cell(5, "a1"));
    assert_eq!(weights(&position.board, B), weights(&by_hand, B));
}

#[test]
fn defect_6_the_path_before_is_remembered_and_forgotten_with_its_game() {
    let mut game = Record::new(11, SwapRule::Off, "d6 k11 c11 a1");
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
        let mut game = Record::new(size, SwapRule::On, "");
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
        let mut game = Record::new(14, SwapRule::Off, "");
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
    let positions: Vec<Record> =
        (0..40).map(|number| opened(14, 2 * number, &mut stream(4, number as u64))).collect();
    for game in &positions {
        game.ask(&mut engine);
    }
    let each = began.elapsed() / 40;
    assert!(each.as_millis() < 20, "{each:?}: 1 ms is promised on an idle machine");
}

// Networks, and the levels above.

/// Plain distances of both sides, and with bridges, for the positions of [`PATHS`].
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
fn distances_with_and_without_bridges_are_the_known_ones() {
    for (row, wanted) in PATHS.lines().zip(DISTANCES.lines()) {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let game = Record::new(fields[0].parse().unwrap(), SwapRule::Off, fields[1]).now;
        let mut network = Network::default();
        let mut found = Vec::new();
        for graph in [Graph::Plain, Graph::Bridges] {
            for side in Side::BOTH {
                let distance = network.look(&game, side, graph);
                found.push(distance.to_string());
                if graph == Graph::Plain {
                    assert_eq!(Some(distance), game.stones_needed(side));
                }
            }
        }
        assert_eq!(found.join(" "), wanted, "{row}");
    }
}

#[test]
fn the_networks_agree_with_the_rules_on_random_games() {
    for size in 1..=9 {
        let mut generator = stream(31, size as u64);
        let mut game = Hex::new(size, SwapRule::On).unwrap();
        let mut network = Network::default();
        loop {
            for side in Side::BOTH {
                let plain = network.look(&game, side, Graph::Plain);
                assert_eq!(plain, game.stones_needed(side).unwrap_or(FAR), "{game}");
                let shortest =
                    game.empty().filter(|&cell| ![0, FAR].contains(&plain) && network.through(cell) == plain);
                // Without a stone of its own on it a shortest way would be longer.
                for cell in shortest.collect::<Vec<_>>() {
                    assert!(network.ways(cell) > 0);
                    let mut stones: Vec<(Side, Cell)> =
                        game.grid().cells().filter_map(|cell| Some((game.stone(cell)?, cell))).collect();
                    stones.push((side, cell));
                    let next = Hex::set_up(size, SwapRule::Off, &stones, side.other()).unwrap();
                    assert_eq!(next.stones_needed(side), Some(plain - 1));
                }
                assert!(network.look(&game, side, Graph::Bridges) <= plain);
            }
            if game.outcome().is_some() {
                break;
            }
            game.make(random_move(&game, &mut generator));
        }
    }
}

#[test]
fn two_distances_count_the_second_best_way() {
    let game = Record::new(3, SwapRule::Off, "").now;
    let mut network = Network::default();
    network.look(&game, Side::First, Graph::Plain);
    network.find_two();
    // From the top a1 b1 c1 are 1, a2 b2 2, c2 3 (by b2), a3 3, b3 4, c3 5; from the bottom the same after a half turn.
    let two: Vec<u16> = game.grid().cells().map(|cell| network.two(cell)).collect();
    assert_eq!(two, [6, 5, 4, 5, 4, 5, 4, 5, 6]);
}

fn every_level() -> Vec<Level> {
    engines().iter().map(|tier| tier.level).collect()
}

#[test]
fn every_level_wins_at_once_where_it_can_and_stops_the_only_win_of_the_other() {
    for level_name in every_level().into_iter().filter(|&level| level != Level::Classic) {
        for seed in 0..10 {
            let setup = Setup { seed, stream: 0 };
            let wins = Record::new(5, SwapRule::Off, "c1 a1 c2 a2 c3 a3 c4 e1");
            let mv = wins.ask(&mut *level(level_name, 5, setup));
            assert!(["b5", "c5"].contains(&wins.name(mv).as_str()), "{level_name}");
            let stops = Record::new(5, SwapRule::Off, "c1 c5 c2 e1 c3 e2 c4");
            let mv = stops.ask(&mut *level(level_name, 5, setup));
            assert_eq!(stops.name(mv), "b5", "{level_name}");
        }
    }
}

#[test]
fn every_level_plays_legal_moves_and_the_same_game_with_the_same_seed() {
    for level_name in every_level() {
        for size in [1, 2, 3, 6, 7, 9, 11] {
            let record = |seed| {
                let mut game = Record::new(size, SwapRule::On, "");
                let mut seats = [0, 1].map(|stream| level(level_name, size, Setup { seed, stream }));
                while game.now.outcome().is_none() {
                    let mv = game.ask(&mut *seats[game.now.to_move().index()]);
                    game.play(mv); // refuses what is not legal
                }
                game.played
            };
            assert_eq!(record(3), record(3), "{level_name} on {size}");
        }
    }
}

#[test]
fn every_level_answers_at_once_under_the_smallest_limits() {
    let stop = AtomicBool::new(true);
    let limits = Limits { nodes: Some(0), depth: Some(0), time: Some(std::time::Duration::ZERO) };
    for level_name in every_level() {
        for texts in ["", "f6", "f6 swap", "f6 g5 e8"] {
            let game = Record::new(11, SwapRule::On, texts);
            let mut engine = level(level_name, 11, SETUP);
            let choice = engine.choose(&game.at(), &Control::quiet(limits, &stop));
            assert!(game.now.is_legal(choice.mv));
            assert_eq!(choice.info.pv.first(), Some(&choice.mv));
        }
    }
}

#[test]
fn more_nodes_look_deeper() {
    let game = Record::new(9, SwapRule::Off, "e5 d7 f3");
    let depth = |nodes| {
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut engine = level(Level::Number(4), 9, SETUP);
        let choice = engine.choose(&game.at(), &Control::quiet(limits, &stop));
        assert!(choice.info.nodes <= nodes);
        choice.info.depth
    };
    let depths = [30, 1_000, 30_000].map(depth);
    assert!(depths[0] < depths[1] && depths[1] < depths[2], "{depths:?}");
}

#[test]
fn a_first_stone_is_taken_over_exactly_if_it_wins_on_small_boards() {
    for size in 2..=6 {
        for index in 0..size * size {
            let cell = Cell::new(index);
            let mut game = Record::new(size, SwapRule::On, "");
            game.play(cell.into());
            let mv = game.ask(&mut *level(Level::Number(3), size, SETUP));
            assert_eq!(mv == Move::Swap, wins(size, cell).unwrap(), "{} on {size}", game.name(cell.into()));
        }
    }
}

#[test]
fn the_map_of_winning_first_stones_is_the_table() {
    let table = include_str!("data/hex_openings.txt");
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let (size, map) = row.split_once(' ').unwrap();
        let size: usize = size.parse().unwrap();
        let cells: String = map.split('/').collect();
        for (index, known) in cells.chars().enumerate() {
            assert_eq!(wins(size, Cell::new(index)), Some(known == 'W'));
            let turned = size * size - 1 - index;
            assert_eq!(wins(size, Cell::new(turned)), Some(known == 'W'), "half turn");
        }
    }
    assert_eq!(wins(7, Cell::new(0)), None);
}

#[test]
fn on_large_boards_a_stone_in_the_middle_is_taken_over_and_one_in_the_acute_corner_is_not() {
    for size in [8, 11, 14] {
        let asked = |text: &str| {
            let game = Record::new(size, SwapRule::On, text);
            game.ask(&mut *level(Level::Number(3), size, SETUP))
        };
        let middle = Record::new(size, SwapRule::On, "").now.sample();
        assert_eq!(asked(&middle), Move::Swap, "{size}");
        assert_ne!(asked("a1"), Move::Swap, "{size}");
    }
}

#[test]
fn with_the_swap_rule_the_machine_opens_fairly() {
    for size in 1..=26 {
        let game = Record::new(size, SwapRule::On, "");
        let cells = openings(&game.now);
        assert!(!cells.is_empty() && cells.iter().all(|&cell| game.now.is_legal(cell.into())), "{size}");
        let mv = game.ask(&mut *level(Level::Number(3), size, SETUP));
        assert!(cells.contains(&mv.cell().unwrap()));
    }
    let names = |size| {
        let game = Record::new(size, SwapRule::On, "").now;
        let mut names: Vec<String> = openings(&game).into_iter().map(|cell| game.name(cell)).collect();
        names.sort();
        names
    };
    let listed = "a11 a3 a4 a5 a6 a7 a8 c10 c2 i10 i2 k1 k4 k5 k6 k7 k8 k9";
    assert_eq!(names(11).join(" "), listed);
}

#[test]
fn the_level_above_is_the_stronger() {
    for (one, other, least) in [(2, 1, 12), (3, 2, 18), (4, 3, 11)] {
        let wins = score(Level::Number(one), Level::Number(other), 11, 20);
        assert!(wins >= least, "{one} won {wins} of 20 games against {other}");
    }
    assert!(score(Level::Number(3), Level::Classic, 11, 20) >= 15);
    assert!(score(Level::Number(3), Level::Classic, 14, 20) >= 15);
}

#[test]
fn a_link_that_is_entered_is_mended_by_block() {
    // d8 and b9 are Blue's; Red enters at c8, and c9 keeps them together.
    let game = Record::new(11, SwapRule::Off, "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8");
    let mv = game.ask(&mut *level(Level::Number(3), 11, SETUP));
    assert_eq!(game.name(mv), "c9");
}

// The solver.

fn solved(game: &Hex) -> Solved<Move> {
    let stop = AtomicBool::new(false);
    solve(game, &Control::quiet(Limits::default(), &stop))
}

/// Checks all first moves of a size against the table.
fn openings_are_solved(size: usize) {
    let game = Hex::new(size, SwapRule::Off).unwrap();
    let found = solved(&game);
    assert_eq!(found.outcome, Some(Outcome::Win(Side::First)));
    assert_eq!(found.moves.len(), size * size);
    for (mv, outcome, _) in found.moves {
        let wanted = if wins(size, mv.cell().unwrap()).unwrap() { Side::First } else { Side::Second };
        assert_eq!(outcome, Some(Outcome::Win(wanted)), "{} on {size}", game.show(mv));
    }
}

#[test]
fn the_solver_finds_every_winning_first_move_up_to_4x4() {
    for size in 1..=4 {
        openings_are_solved(size);
    }
}

#[test]
#[ignore = "slow: every first move of 5x5"]
fn the_solver_finds_every_winning_first_move_of_5x5() {
    let game = Hex::new(5, SwapRule::Off).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(u64::MAX), ..Limits::default() };
    let found = solve(&game, &Control::quiet(limits, &stop));

    for (mv, outcome, _) in found.moves {
        let wanted = if wins(5, mv.cell().unwrap()).unwrap() { Side::First } else { Side::Second };
        assert_eq!(outcome, Some(Outcome::Win(wanted)), "{}", game.show(mv));
    }
}

#[test]
fn the_swap_counts_in_the_solution() {
    // Every first stone can be answered so that Second wins: taken over if it wins, left alone if not.
    for size in 2..=3 {
        let found = solved(&Hex::new(size, SwapRule::On).unwrap());
        assert_eq!(found.outcome, Some(Outcome::Win(Side::Second)), "{size}");
    }
    let game = Record::new(3, SwapRule::On, "b2").now;
    let found = solved(&game);
    assert_eq!(
        found.moves.last().map(|&(mv, outcome, _)| (mv, outcome)),
        Some((Move::Swap, Some(Outcome::Win(Side::Second))))
    );
    let only = found.moves.iter().filter(|(_, outcome, _)| *outcome == Some(Outcome::Win(Side::Second)));
    assert_eq!(only.count(), 1, "nothing but the swap wins");
    assert_eq!(solved(&Hex::new(1, SwapRule::On).unwrap()).outcome, Some(Outcome::Win(Side::First)));
}

#[test]
fn the_solver_agrees_with_plain_minimax() {
    for size in 2..=3 {
        for number in 0..12 {
            let mut generator = stream(41, number);
            let swap = if number % 2 == 0 { SwapRule::On } else { SwapRule::Off };
            let mut game = Hex::new(size, swap).unwrap();
            for _ in 0..number % 4 + u64::from(size == 3) {
                if game.outcome().is_none() {
                    game.make(random_move(&game, &mut generator));
                }
            }
            if game.outcome().is_some() {
                continue;
            }
            let stop = AtomicBool::new(false);
            let mut meter = Meter::start::<()>(&Control::quiet(Limits::default(), &stop));
            let oracle = Minimax { bound: 100, distance: Distance::Counted, ties: Ties::First };
            let wanted: Vec<(Move, Option<Outcome>, Option<u32>)> = oracle
                .root_values(&mut game.clone(), u32::MAX, &mut meter)
                .into_iter()
                .map(|(mv, value)| {
                    let winner = if value > 0 { game.to_move() } else { game.to_move().other() };
                    (mv, Some(Outcome::Win(winner)), Some((100 - value.abs()).unsigned_abs()))
                })
                .collect();
            assert_eq!(solved(&game).moves, wanted, "{game}");
        }
    }
}

#[test]
fn without_time_nothing_is_claimed() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(10), ..Limits::default() };
    let found = solve(&Hex::new(4, SwapRule::Off).unwrap(), &Control::quiet(limits, &stop));
    assert_eq!((found.outcome, found.proof.len()), (None, 1));
    assert!(found.moves.iter().all(|&(_, outcome, plies)| outcome.is_none() && plies.is_none()));
}

#[test]
fn small_boards_tell_the_value_of_every_move() {
    let game = Hex::new(3, SwapRule::Off).unwrap();
    let told = values(&game);
    assert_eq!(told.len(), 9);
    for (mv, value) in told {
        assert_eq!(value.starts_with("wins in "), wins(3, mv.cell().unwrap()).unwrap(), "{value}");
    }
    assert!(values(&Hex::new(4, SwapRule::Off).unwrap()).is_empty());
}

// In words.

#[test]
fn every_legal_move_has_a_reason() {
    for size in [1, 3, 7] {
        let mut generator = stream(12, size as u64);
        let mut game = Hex::new(size, SwapRule::On).unwrap();
        while game.outcome().is_none() {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            for &mv in &moves {
                let why = reason(&game, mv);
                assert!(!why.is_empty() && why.len() < 60 && !why.ends_with('.'), "{why}");
            }
            game.make(moves[generator.random_range(0..moves.len())]);
        }
    }
}

#[test]
fn reasons_name_what_a_move_does() {
    let why = |size, texts, text: &str| {
        let game = Record::new(size, SwapRule::On, texts).now;
        reason(&game, game.parse(text).unwrap())
    };
    assert_eq!(why(11, "f6", "swap"), "takes the stone over");
    assert_eq!(why(3, "b1 a1 b2 a2", "b3"), "joins top and bottom");
    assert_eq!(why(3, "b1 a1 b2 c2 c1", "b3"), "keeps Red from joining top and bottom");
    assert_eq!(why(11, "f6 e8", "a1"), "reaches the top edge");
    assert_eq!(why(11, "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", "c9"), "keeps a link that Red has entered");
    assert_eq!(why(11, "f6 e8", "f10"), "keeps two ways to the bottom edge");
    assert_eq!(why(5, "", "c3"), "blocks Blue's shortest path on the own one");
}

#[test]
fn the_weights_are_drawn_as_a_rhombus_and_the_paths_are_listed() {
    let game = Record::new(5, SwapRule::Off, "c3 d2 a4 b1");
    let lines = weights_in_words(&game.at());
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
        paths_in_words(&game.at()),
        ["Red, sum 12: c1 c2 c3 b4 a4 a5", "Blue, sum 8: a1 b1 c1 d1 d2 e1", "They meet on c1: Red's move.",]
    );
}

#[test]
fn after_a_swap_weights_and_paths_are_told_on_the_board_as_it_is() {
    let game = Record::new(5, SwapRule::On, "b1 swap");
    let lines = weights_in_words(&game.at());
    assert_eq!(lines[3], "  2   -/0 6/2 4/4 4/4 4/4", "the stone is Blue's, on a2");
    let mut position = Classical::of(&game.at());
    let path = position.path(Side::Second, FarEdge::Half).unwrap();
    let names: Vec<String> =
        path.cells.iter().map(|&cell| game.now.name(game.now.grid().mirrored(cell))).collect();
    assert!(paths_in_words(&game.at())[1].ends_with(&names.join(" ")));
}

#[test]
#[ignore = "slow: measures the strength of every level"]
fn levels_measured() {
    let games: u64 = std::env::var("GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let sizes: Vec<usize> = std::env::var("SIZES")
        .map_or(vec![11, 14], |text| text.split(',').map(|size| size.parse().unwrap()).collect());
    for size in sizes {
        for (one, other) in [
            (Level::Number(2), Level::Number(1)),
            (Level::Number(3), Level::Number(2)),
            (Level::Number(3), Level::Classic),
            (Level::Number(4), Level::Number(3)),
            (Level::Number(4), Level::Classic),
        ] {
            let began = std::time::Instant::now();
            let wins = score(one, other, size, games);
            eprint_line(&format!(
                "{size}: {one} against {other}: {wins} of {games} in {:?}",
                began.elapsed()
            ));
        }
    }
}

/// Shows a measured figure even where the test passes.
fn eprint_line(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}
