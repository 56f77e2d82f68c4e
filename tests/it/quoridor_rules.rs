//! The rules of Quoridor compared with tables, recorded games and a second, naive implementation.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use crosspath::game::{Game, Notation, Outcome, PositionDescription, Side, perft};
use crosspath::games::quoridor::{
    Cell, IllegalMove, MAX_QUORIDOR_SIZE, Move, Orientation, Quoridor, Wall, default_walls_per_side,
};
use crosspath::random::random_stream;
use serde_json::Value;

use crate::quoridor_help::{after, all_cells, all_walls, board, moves, play, random_move, wall_names};
use crate::sentences::said;

fn pawn_names(game: &Quoridor) -> Vec<String> {
    game.pawn_targets().iter().map(Cell::to_string).collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn string_list<'a>(value: &'a Value, field: &str) -> Vec<&'a str> {
    value[field].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// Checks the counts of the perft table that `wanted` selects.
fn check_perft(wanted: impl Fn(u64) -> bool) {
    let mut rows = 0;
    for line in include_str!("../data/quoridor.perft").lines().filter(|line| !line.starts_with('#')) {
        let (start, counts) = line.split_once(':').unwrap();
        let mut game = match start.split_once('w') {
            Some((size, walls)) => board(size.parse().unwrap(), walls.parse().unwrap()),
            None => Quoridor::from_position_text(start).unwrap().with_ply_limit(None),
        };
        for (depth, count) in (1..).zip(counts.split_whitespace()) {
            let count: u64 = count.parse().unwrap();
            if wanted(count) {
                assert_eq!(perft(&mut game, depth), count, "{start}, depth {depth}");
                rows += 1;
            }
        }
    }
    assert!(rows > 0);
}

#[test]
fn perft_equals_the_table() {
    check_perft(|count| count < 3_000_000);
}

#[test]
#[ignore = "a quarter of a billion leaves"]
fn perft_equals_the_whole_table() {
    check_perft(|count| count >= 3_000_000);
}

#[test]
fn every_recorded_game_is_replayed() {
    for line in include_str!("../data/quoridor_games.jsonl").lines() {
        let record = json(line);
        let walls = u16::try_from(number(&record["walls"])).unwrap();
        let mut game = board(number(&record["size"]), walls);
        let legal = record["legal"].as_array().unwrap();
        let texts: Vec<&str> = record["moves"].as_str().unwrap().split(' ').collect();
        assert_eq!(texts.len(), legal.len());
        for (text, count) in texts.into_iter().zip(legal) {
            assert_eq!(game.outcome(), None);
            assert_eq!(moves(&game).len(), number(count), "{game}");
            play(&mut game, text);
        }
        let winner = if record["winner"] == "first" { Side::First } else { Side::Second };
        assert_eq!(game.outcome(), Some(Outcome::Win(winner)));
        assert_eq!(moves(&game), []);
    }
}

#[test]
#[ignore = "wall-clock; cargo test --release"]
fn generating_moves_takes_less_than_a_microsecond() {
    let mut positions = Vec::new();
    for line in include_str!("../data/quoridor_games.jsonl").lines() {
        let record = json(line);
        if number(&record["size"]) == 9 {
            let mut game = board(9, u16::try_from(number(&record["walls"])).unwrap());
            for text in record["moves"].as_str().unwrap().split(' ') {
                positions.push(game.clone());
                play(&mut game, text);
            }
        }
    }
    let (mut list, mut count, rounds) = (Vec::new(), 0, 200);
    let begun = Instant::now();
    for game in (0..rounds).flat_map(|_| &positions) {
        list.clear();
        game.push_legal_moves(&mut list);
        count += list.len();
    }
    let each = begun.elapsed() / u32::try_from(rounds * positions.len()).unwrap();
    println!("{each:?} a list of {} moves, {} positions", count / rounds / positions.len(), positions.len());
    assert!(each < Duration::from_micros(1), "{each:?}");
}

#[test]
fn the_recorded_positions_are_exact() {
    for position in json(include_str!("../data/quoridor_positions.json")).as_array().unwrap() {
        let name = position["name"].as_str().unwrap();
        let walls = u16::try_from(number(&position["walls"])).unwrap();
        let game = after(number(&position["size"]), walls, position["moves"].as_str().unwrap());
        let to_move = if position["to_move"] == "first" { Side::First } else { Side::Second };
        assert_eq!(game.to_move(), to_move, "{name}");
        assert_eq!(pawn_names(&game), string_list(position, "pawn"), "{name}");
        assert_eq!(wall_names(&game).len(), number(&position["legal_walls"]), "{name}");
        if !position["illegal_walls"].is_null() {
            let all: BTreeSet<String> = all_walls(&game).iter().map(Wall::to_string).collect();
            let illegal: Vec<String> = all.difference(&wall_names(&game)).cloned().collect();
            assert_eq!(illegal, string_list(position, "illegal_walls"), "{name}");
        }
        let left = Side::map_both(|side| usize::from(game.walls_left(side)));
        assert_eq!(position["walls_left"].as_array().unwrap().iter().map(number).collect::<Vec<_>>(), left);
    }
}

/// Test positions: size, walls per side, moves, side to move, pawn moves, number of wall moves.
const POSITIONS: [(usize, u16, &str, Side, &str, usize); 20] = {
    use Side::{First, Second};
    [
        (9, 10, "", First, "d1 e2 f1", 128),
        (9, 10, "e2 e8 e3 e7 e4 e6 e5", Second, "d6 e4 e7 f6", 128),
        (9, 10, "e2 e8 e3 e7 e4 e6 e5 a1h", First, "d5 e4 e7 f5", 125),
        (9, 10, "e2 e8 e3 e7 e4 e6 e5 e5h", First, "d5 e4 f5", 124),
        (9, 10, "e2 e8 e3 e7 e4 e6 e5 e6h", First, "d5 d6 e4 f5 f6", 124),
        (9, 10, "e2 e8 e3 e7 e4 e6 e5 e6h a1h e5v", First, "d5 d6 e4", 118),
        (9, 10, "e2 e8 e3 e7 e4 e6 e5 e6h a1h e5v a3h d5v", First, "e4", 109),
        (9, 10, "e2 e8 e3 e7 e4 e6 e5 e6h a1h e5v a3h d5v c1h", Second, "e4", 106),
        (9, 10, "e2 a1h e3 a3h e4 a5h e5 a7h e6 c7h e7 c1h e8", Second, "d9 e7 f9", 110),
        (9, 10, "e2 a1h e3 a3h e4 a5h e5 a7h e6 c7h e7 c1h e8 c3h", First, "d8 d9 e7 f8 f9", 107),
        (5, 3, "d1 d5 d2 e5 d3 e4 a1h e3", First, "c3 d2 d4 e2 e4", 29),
        (5, 3, "d1 d5 d2 e5 d3 e4 a1h e3 d3h a3h", First, "c3 d2 e2", 23),
        (5, 3, "d1 c4 d2 c3 d3", Second, "b3 c2 c4 e3", 32),
        (5, 3, "d1 c4 d2 c3 d3 d3v", First, "b3 d2 d4", 28),
        (9, 10, "e3h e8", First, "d1 e2 f1", 124),
        (9, 10, "e3v e8", First, "d1 e2 f1", 124),
        (9, 10, "a1h c1h e1h g1h", First, "d1 f1", 114),
        (9, 10, "a3h c3h e3h g3h", First, "d1 e2 f1", 116),
        (9, 10, "a3h c3h e3h g3h h3v", Second, "d9 e8 f9", 110),
        (3, 1, "a1h b2", First, "a1 c1", 0),
    ]
};

#[test]
fn jumps_and_walls_match_the_table() {
    for (index, (size, walls, moves, to_move, pawn, wall_count)) in POSITIONS.into_iter().enumerate() {
        let game = after(size, walls, moves);
        assert_eq!(game.to_move(), to_move, "position {}", index + 1);
        assert_eq!(pawn_names(&game).join(" "), pawn, "position {}", index + 1);
        assert_eq!(wall_names(&game).len(), wall_count, "position {}", index + 1);
    }
}

#[test]
fn a_wall_that_blocks_the_last_path_is_illegal() {
    let game = after(9, 10, "a1h c1h e1h g1h");
    assert!(!wall_names(&game).contains("h1v"));
    assert!(wall_names(&game).contains("h2h"));
}

#[test]
fn pawn_moves_are_listed_before_walls() {
    let game = after(5, 3, "d1 c4 d2 c3 d3");
    let listed: Vec<String> = moves(&game).iter().map(Move::to_string).collect();
    assert_eq!(listed[..8], ["b3", "c2", "c4", "e3", "a1h", "a1v", "a2h", "a2v"]);
    assert_eq!(listed[listed.len() - 3..], ["d3v", "d4h", "d4v"]);
}

/// Naive second implementation of the rules: a list of walls, cells as numbers, and exhaustive
/// trials.
struct Naive {
    size: (i32, i32),
    pawns: [(i32, i32); 2],
    hands: [u16; 2],
    walls: Vec<(i32, i32, char)>,
    side: usize,
}

type Point = (i32, i32);
const DIRECTIONS: [Point; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

impl Naive {
    fn new(width: usize, height: usize, walls: u16) -> Self {
        let (w, h) = (i32::try_from(width).unwrap(), i32::try_from(height).unwrap());
        Naive {
            size: (w, h),
            pawns: [(w / 2, 0), (w / 2, h - 1)],
            hands: [walls; 2],
            walls: Vec::new(),
            side: 0,
        }
    }

    fn goal(&self, side: usize) -> i32 {
        if side == 0 { self.size.1 - 1 } else { 0 }
    }

    fn open(&self, (x, y): Point, (dx, dy): Point) -> Option<Point> {
        let to = (x + dx, y + dy);
        let on_board = (0..self.size.0).contains(&to.0) && (0..self.size.1).contains(&to.1);
        let (low_x, low_y) = (x.min(to.0), y.min(to.1));
        let walled = self.walls.iter().any(|&(wx, wy, orientation)| {
            if dx == 0 {
                orientation == 'h' && wy == low_y && (wx == x || wx + 1 == x)
            } else {
                orientation == 'v' && wx == low_x && (wy == y || wy + 1 == y)
            }
        });
        (on_board && !walled).then_some(to)
    }

    fn distance(&self, side: usize) -> Option<u32> {
        let mut seen = vec![self.pawns[side]];
        let mut queue = VecDeque::from([(self.pawns[side], 0)]);
        while let Some((place, steps)) = queue.pop_front() {
            if place.1 == self.goal(side) {
                return Some(steps);
            }
            for next in DIRECTIONS.into_iter().filter_map(|way| self.open(place, way)) {
                if !seen.contains(&next) {
                    seen.push(next);
                    queue.push_back((next, steps + 1));
                }
            }
        }
        None
    }

    fn moves(&mut self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        if (0..2).any(|side| self.pawns[side].1 == self.goal(side)) {
            return found;
        }
        let name = |(x, y): Point| format!("{}{}", char::from(b'a' + u8::try_from(x).unwrap()), y + 1);
        let (own, other) = (self.pawns[self.side], self.pawns[1 - self.side]);
        for (dx, dy) in DIRECTIONS {
            match self.open(own, (dx, dy)) {
                Some(next) if next == other => match self.open(next, (dx, dy)) {
                    Some(jump) => drop(found.insert(name(jump))),
                    None => found.extend(
                        [(dy, dx), (-dy, -dx)].into_iter().filter_map(|way| self.open(next, way)).map(name),
                    ),
                },
                Some(next) => drop(found.insert(name(next))),
                None => (),
            }
        }
        if self.hands[self.side] == 0 {
            return found;
        }
        for x in 0..self.size.0 - 1 {
            for y in 0..self.size.1 - 1 {
                for orientation in ['h', 'v'] {
                    let clash = self.walls.iter().any(|&(wx, wy, other)| {
                        let apart = if orientation == 'h' { (wx - x).abs() } else { (wy - y).abs() };
                        let in_line = if orientation == 'h' { wy == y } else { wx == x };
                        (wx, wy) == (x, y) || (other == orientation && in_line && apart < 2)
                    });
                    self.walls.push((x, y, orientation));
                    if !clash && self.distance(0).is_some() && self.distance(1).is_some() {
                        found.insert(format!("{}{orientation}", name((x, y))));
                    }
                    self.walls.pop();
                }
            }
        }
        found
    }

    fn make(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let orientation = text.chars().last().filter(char::is_ascii_alphabetic);
        let digits = &text[1..text.len() - usize::from(orientation.is_some())];
        let place = (i32::from(bytes[0] - b'a'), digits.parse::<i32>().unwrap() - 1);
        match orientation {
            Some(orientation) => {
                self.walls.push((place.0, place.1, orientation));
                self.hands[self.side] -= 1;
            }
            None => self.pawns[self.side] = place,
        }
        self.side = 1 - self.side;
    }
}

#[test]
fn two_implementations_agree_on_random_games() {
    let boards = [
        (2, 2, 1, 30),
        (2, 5, 3, 30),
        (3, 3, 4, 40),
        (4, 3, 3, 40),
        (8, 3, 6, 20),
        (3, 7, 5, 20),
        (5, 5, 9, 30),
        (6, 6, 9, 12),
        (7, 7, 12, 10),
        (9, 9, 10, 8),
        (9, 9, 20, 6),
        (11, 6, 12, 5),
        (13, 13, 17, 1),
    ];
    for (board, (width, height, walls, games)) in (0..).zip(boards) {
        for number in 0..games {
            let mut generator = random_stream(board, number);
            let mut game = Quoridor::with_walls(width, height, walls).unwrap().with_ply_limit(None);
            let mut naive = Naive::new(width, height, walls);
            for _ in 0..150 {
                let listed = moves(&game);
                let names: BTreeSet<String> = listed.iter().map(Move::to_string).collect();
                assert_eq!(names.len(), listed.len());
                assert_eq!(names.is_empty(), game.outcome().is_some());
                assert_eq!(names, naive.moves(), "{game}");
                for side in Side::BOTH {
                    assert_eq!(Some(game.distance_to_goal(side)), naive.distance(side.index()), "{game}");
                }
                let Some(mv) = random_move(&game, &mut generator) else { break };
                naive.make(&mv.to_string());
                game.try_make_move(mv).unwrap();
            }
        }
    }
}

/// Reports whether both pawns have a path with these walls, by a search from cell to cell.
fn both_have_paths(game: &Quoridor, walls: &[Wall]) -> bool {
    let (width, height) = (game.width(), game.height());
    let place = |cell: Cell| cell.row() * width + cell.file();
    // For each cell: walls above it and to its right.
    let mut parted = vec![[false; 2]; width * height];
    for (one, other) in walls.iter().flat_map(|wall| wall.separated_cells()) {
        parted[place(one)][usize::from(one.row() == other.row())] = true;
    }
    Side::BOTH.into_iter().all(|side| {
        let (mut seen, mut queue) = (vec![false; width * height], vec![place(game.pawn(side))]);
        while let Some(at) = queue.pop() {
            let (x, y) = (at % width, at / width);
            if y == game.goal_row(side) {
                return true;
            }
            let beside = [
                (y + 1 < height && !parted[at][0]).then(|| at + width),
                (y > 0).then(|| at - width).filter(|&below| !parted[below][0]),
                (x + 1 < width && !parted[at][1]).then(|| at + 1),
                (x > 0).then(|| at - 1).filter(|&left| !parted[left][1]),
            ];
            for next in beside.into_iter().flatten() {
                if !std::mem::replace(&mut seen[next], true) {
                    queue.push(next);
                }
            }
        }
        false
    })
}

/// Checks in `count` positions of random games that a wall is legal exactly if it overlaps and
/// crosses no other and leaves both sides a path.
fn check_walls(count: usize) {
    let mut generator = random_stream(17, 5);
    let (mut positions, mut shut) = (0, 0);
    for (size, walls) in [(9, 10), (5, 8), (9, 20), (7, 12), (10, 14), (3, 4), (9, 10)].into_iter().cycle() {
        let mut game = board(size, walls);
        while let Some(mv) = random_move(&game, &mut generator).filter(|_| positions < count) {
            game.make_move(mv);
            if game.outcome().is_some() || game.walls_left(game.to_move()) == 0 {
                break;
            }
            positions += 1;
            let legal: BTreeSet<Wall> = moves(&game).iter().filter_map(|mv| mv.wall()).collect();
            let standing: Vec<Wall> = game.walls().map(|(wall, _)| wall).collect();
            for wall in all_walls(&game) {
                let is_half = |other: &Wall| {
                    let apart = |a: usize, b: usize| a.abs_diff(b);
                    let (x, y) = (
                        apart(wall.post.file(), other.post.file()),
                        apart(wall.post.row(), other.post.row()),
                    );
                    let along = if wall.orientation == Orientation::Horizontal { (x, y) } else { (y, x) };
                    x + y == 0 || wall.orientation == other.orientation && along == (1, 0)
                };
                let clashes = standing.iter().any(is_half);
                let mut all = standing.clone();
                all.push(wall);
                let is_legal = !clashes && both_have_paths(&game, &all);
                shut += usize::from(!clashes && !is_legal);
                assert_eq!(legal.contains(&wall), is_legal, "{wall} in {game}");
            }
        }
        if positions >= count {
            break;
        }
    }
    assert!(shut * 3 > count, "{shut} walls would have shut a pawn in");
}

#[test]
fn a_wall_is_legal_exactly_if_it_fits_and_leaves_both_paths() {
    check_walls(300);
}

#[test]
#[ignore = "a million positions: over a minute; cargo test --release"]
fn a_wall_is_legal_exactly_if_it_leaves_both_paths_on_a_million_positions() {
    check_walls(1_000_000);
}

#[test]
fn the_largest_board_plays_by_the_same_rules() {
    let mut game = board(MAX_QUORIDOR_SIZE, 99);
    let mut naive = Naive::new(MAX_QUORIDOR_SIZE, MAX_QUORIDOR_SIZE, 99);
    let mut generator = random_stream(25, 25);
    assert_eq!(moves(&game).len(), 3 + 2 * 24 * 24);
    for ply in 0..120 {
        let mv = random_move(&game, &mut generator).unwrap();
        naive.make(&mv.to_string());
        game.try_make_move(mv).unwrap();
        if ply % 60 == 59 {
            let names: BTreeSet<String> = moves(&game).iter().map(Move::to_string).collect();
            assert_eq!(names, naive.moves());
        }
    }
}

#[test]
fn a_move_is_legal_exactly_if_it_is_listed() {
    for seed in 0..12 {
        let mut generator = random_stream(seed, 77);
        let mut game = if seed % 2 == 0 { board(5, 6) } else { board(7, 9) };
        for _ in 0..60 {
            let listed = moves(&game);
            let cells = all_cells(&game).into_iter().map(Move::from);
            for mv in cells.chain(all_walls(&game).into_iter().map(Move::from)) {
                assert_eq!(game.is_legal(mv), listed.contains(&mv), "{mv} in {game}");
            }
            let Some(mv) = random_move(&game, &mut generator) else { break };
            game.try_make_move(mv).unwrap();
        }
    }
}

#[test]
fn make_and_unmake_restore_everything() {
    for seed in 0..6 {
        let mut generator = random_stream(seed, 5);
        let mut game = board(if seed % 2 == 0 { 9 } else { 5 }, 4);
        let mut log = Vec::new();
        while let Some(mv) = random_move(&game, &mut generator).filter(|_| log.len() < 200) {
            let before = (game.clone(), game.position_key(), game.ply(), game.walls().collect::<Vec<_>>());
            let undo = game.make_move(mv);
            game.unmake_move(mv, undo);
            assert_eq!(
                (game.clone(), game.position_key(), game.ply(), game.walls().collect::<Vec<_>>()),
                before
            );
            log.push((mv, game.make_move(mv)));
        }
        for (mv, undo) in log.into_iter().rev() {
            game.unmake_move(mv, undo);
        }
        let fresh = board(game.width(), 4);
        assert_eq!((game.position_key(), game.ply()), (fresh.position_key(), 0));
        assert_eq!(game, fresh);
    }
}

#[test]
fn the_key_ignores_the_order_and_the_owner_of_walls() {
    let mut game = after(9, 10, "a1h c3v e5h g7v");
    let other = after(9, 10, "e5h g7v a1h c3v");
    assert_eq!((&game, game.position_key()), (&other, other.position_key()));
    let mut swapped = after(9, 10, "c3v a1h g7v e5h");
    assert_eq!((&game, game.position_key()), (&swapped, swapped.position_key()));
    assert_eq!(game.count_walls_built(Side::First), 2);
    swapped.set_walls_left(Side::First, 3);
    assert_ne!(game.position_key(), swapped.position_key());
    game.set_walls_left(Side::First, 3);
    assert_eq!(game.position_key(), swapped.position_key());
    game.set_side_to_move(Side::Second);
    assert_ne!(game.position_key(), swapped.position_key());
    assert_ne!(game, swapped);
    assert_ne!(board(9, 10).position_key(), board(11, 10).position_key());
}

#[test]
fn the_ply_limit_draws_unless_the_last_ply_wins() {
    assert_eq!(Quoridor::new(9).unwrap().ply_limit(), Some(324));
    assert_eq!(Quoridor::with_walls(5, 3, 1).unwrap().ply_limit(), Some(60));
    let mut game = board(3, 0).with_ply_limit(Some(3));
    play(&mut game, "a1 c3 a2");
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert_eq!(moves(&game), []);
    assert_eq!(game.describe_ending().unwrap(), said!("moves-without-a-winner", "3"));
    let mut game = board(3, 0).with_ply_limit(Some(4));
    play(&mut game, "b2 a3 a2 b3");
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    let mut game = board(3, 0).with_ply_limit(Some(5));
    play(&mut game, "b2 a3 c2 a2 c3");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(game.describe_ending().unwrap(), said!("reached-row", "3"));
}

#[test]
fn on_two_rows_a_side_without_moves_draws() {
    let mut game = Quoridor::with_walls(3, 2, 2).unwrap();
    play(&mut game, "a1v");
    assert_eq!(game.outcome(), None);
    let stuck = Quoridor::from_position_text("- / a1 / b1 b2 / 0 0 / 2 / 2").unwrap();
    assert_eq!(stuck.outcome(), Some(Outcome::Draw));
    assert_eq!(stuck.describe_ending().unwrap(), said!("cannot-move", "Black"));
    assert_eq!(moves(&stuck), []);
}

#[test]
fn sizes_and_wall_counts_have_limits() {
    for size in [0, 1, 26] {
        assert!(Quoridor::new(size).is_err());
        assert!(Quoridor::with_walls(size, 9, 1).is_err());
        assert!(Quoridor::with_walls(9, size, 1).is_err());
    }
    let usual = [
        (3, 0),
        (5, 3),
        (7, 6),
        (9, 10),
        (11, 13),
        (13, 17),
        (15, 20),
        (17, 24),
        (19, 27),
        (21, 31),
        (23, 34),
    ];
    for (size, walls) in usual.into_iter().chain([(25, 38), (2, 0), (4, 1)]) {
        assert_eq!(default_walls_per_side(size), walls, "{size}");
    }
    assert_eq!(Quoridor::with_walls(9, 9, 5000).unwrap().walls_left(Side::First), 999);
    let game = Quoridor::with_walls(4, 3, 1).unwrap();
    assert_eq!(Side::map_both(|side| game.pawn(side).to_string()), ["c1", "c3"]);
}

fn refusal_reason(game: &Quoridor, text: &str) -> IllegalMove {
    let mut copy = game.clone();
    let refusal = copy.try_make_move(game.parse(text).unwrap()).unwrap_err();
    let state =
        |game: &Quoridor| (game.clone(), game.position_key(), game.ply(), game.walls().collect::<Vec<_>>());
    assert_eq!(state(&copy), state(game), "{text} changed {game}");
    refusal
}

#[test]
fn refusal_reasons_are_checked_in_order() {
    use IllegalMove::{
        Crosses, Encloses, JumpIsFree, NoneLeft, Occupied, OffBoard, Over, Overlaps, OwnCell, TooFar,
        WallBetween,
    };
    let c = |text: &str| {
        Cell::at(usize::from(text.as_bytes()[0] - b'a'), text[1..2].parse::<usize>().unwrap() - 1).unwrap()
    };
    let w = |text: &str| Wall { post: c(text), orientation: Orientation::parse(&text[2..]).unwrap() };
    let over = after(3, 1, "b2 a3 a2 b3 a3");
    assert_eq!(refusal_reason(&over, "a3"), Over);
    assert_eq!(refusal_reason(&over, "a1h"), Over);

    let mut game = after(9, 10, "e3h a1v d6v e8");
    for mv in
        [Move::from(c("j1")), Move::from(w("i1h")), Move::from(w("a9v")), Cell::at(0, 9).unwrap().into()]
    {
        assert_eq!(game.try_make_move(mv).err(), Some(OffBoard(mv)));
    }
    assert_eq!(refusal_reason(&game, "e3h"), Overlaps(w("e3h"), w("e3h")));
    assert_eq!(refusal_reason(&game, "f3h"), Overlaps(w("f3h"), w("e3h")));
    assert_eq!(refusal_reason(&game, "d5v"), Overlaps(w("d5v"), w("d6v")));
    assert_eq!(refusal_reason(&game, "e3v"), Crosses(w("e3v"), w("e3h")));
    let both = after(9, 10, "e3h d3v");
    assert_eq!(refusal_reason(&both, "d3h"), Overlaps(w("d3h"), w("e3h")), "overlap comes before crossing");
    assert_eq!(
        refusal_reason(&after(3, 1, "a1h b2"), "a1h"),
        NoneLeft(Side::First),
        "no wall comes before overlap"
    );

    let sealed = after(9, 10, "a1h c1h e1h g1h");
    assert_eq!(refusal_reason(&sealed, "h1v"), Encloses(w("h1v"), Side::First));
    let sealed = after(9, 10, "a8h c8h e8h g8h");
    assert_eq!(refusal_reason(&sealed, "h8v"), Encloses(w("h8v"), Side::Second));
    let sealed = after(3, 4, "a1h c3");
    assert_eq!(
        refusal_reason(&sealed, "b1v"),
        Encloses(w("b1v"), Side::First),
        "both are shut in: First is named"
    );

    let face = after(9, 10, "e2 e8 e3 e7 e4 e6 e5 a8h");
    assert_eq!(refusal_reason(&face, "e5"), OwnCell(c("e5")));
    assert_eq!(refusal_reason(&face, "e6"), Occupied(c("e6")));
    assert_eq!(refusal_reason(&face, "e8"), TooFar(c("e8"), c("e5")));
    assert_eq!(refusal_reason(&face, "e3"), TooFar(c("e3"), c("e5")));
    assert_eq!(refusal_reason(&face, "d4"), TooFar(c("d4"), c("e5")));
    assert_eq!(refusal_reason(&face, "d6"), JumpIsFree(c("d6"), c("e7")));
    let wall_between = after(9, 10, "e2 e8 e3 e7 e4 e6 e5 e5h");
    assert_eq!(refusal_reason(&wall_between, "e7"), WallBetween(c("e7"), w("e5h")));
    assert_eq!(refusal_reason(&wall_between, "d6"), WallBetween(c("d6"), w("e5h")));
    let wall_behind = after(9, 10, "e2 e8 e3 e7 e4 e6 e5 d6h");
    assert_eq!(refusal_reason(&wall_behind, "e7"), WallBetween(c("e7"), w("d6h")));
    let side_cell = after(9, 10, "e2 e8 e3 e7 e4 e6 e5 e6h a1h e5v");
    assert_eq!(refusal_reason(&side_cell, "f6"), WallBetween(c("f6"), w("e5v")));
    assert_eq!(refusal_reason(&after(9, 10, "e2 e8 e2h e7"), "e3"), WallBetween(c("e3"), w("e2h")));
}

#[test]
fn a_refused_move_leaves_the_position_unchanged() {
    for seed in 0..10 {
        let mut generator = random_stream(seed, 9);
        let mut game = board(5, 3);
        while let Some(mv) = random_move(&game, &mut generator).filter(|_| game.ply() < 60) {
            let everything = all_cells(&game).into_iter().map(Move::from);
            for other in everything.chain(all_walls(&game).into_iter().map(Move::from)) {
                let mut copy = game.clone();
                if copy.try_make_move(other).is_err() {
                    assert_eq!(
                        (&copy, copy.position_key(), copy.ply()),
                        (&game, game.position_key(), game.ply())
                    );
                } else {
                    assert_ne!(copy.position_key(), game.position_key());
                }
            }
            game.try_make_move(mv).unwrap();
        }
    }
}
