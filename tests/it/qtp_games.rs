//! Games and pictures in the Quoridor Text Protocol: golden games, test positions, and drawings.

use crosspath::game::{Game, Notation};
use crosspath::games::quoridor::Quoridor;
use crosspath::games::quoridor::notation::NotationDialect;
use crosspath::random::random_stream;
use rand::RngExt;

use crate::dialogue::Dialogue;

const ILLEGAL: &str = "illegal move";

#[test]
fn black_is_the_first_player_and_rows_are_numbered_from_the_top() {
    let mut qtp =
        Dialogue::after("playmove black E8;playmove white E2;playwall black D8 h;playwall white E7 v");
    assert_eq!(qtp.position(), "d2 / e3 / e2 e8 / 9 9 / 1");
    let mut qtp = Dialogue::after("playwall b F9 h;playwall b A8 v;playwall w H2 v");
    assert_eq!(qtp.position(), "f1 / a2 h8 / e1 e9 / 8 9 / 1");
    let mut qtp = Dialogue::after(
        "boardsize 5;playmove b C4;playmove w c2;playwall b B5 h;playwall w c2 h;playwall b B4 v",
    );
    assert_eq!(qtp.position(), "b1 c4 / b2 / c2 c4 / 1 2 / 2 / 5");
    let mut qtp = Dialogue::after("boardsize 7;playwall black F4 h;playwall white B4 v");
    assert_eq!(qtp.position(), "f4 / b4 / d1 d7 / 5 5 / 1 / 7");
}

const GAME_1: &str = "E8 E2 E7 E3 D8h D7h F9h E7v D7 B7h E4h A8v C7 E3h G4h A4h C8 F3 G3v E3 D3v F3 D8 E9v H3h C2v C8 \
    B2h B8 B9h C8 G3 D8 G2 D9 F2 C9 E2 E2h F2 B9 G2 A9 G1 A8 F1 A7 E1 A6 D1 A5 D2 A4 D3 B4 D4 C4 B4 A6v A4 A5h B4 C3 C4 \
    D3 C5 D2 D5 D1";
const GAME_1_MODERN: &str = "e2 e8 e3 e7 d2h d3h f1h e3v d3 b3h e6h a2v c3 e7h g6h a6h c2 f7 g7v e7 d7v f7 d2 e1v h7h \
    c8v c2 b8h b2 b1h c2 g7 d2 g8 d1 f8 c1 e8 e8h f8 b1 g8 a1 g9 a2 f9 a3 e9 a4 d9 a5 d8 a6 d7 b6 d6 c6 b6 a4v a6 a5h b6 \
    c7 c6 d7 c5 d8 d5 d9";
const GAME_2: &str =
    "F4h D2 B4v D7h A3h B7h D6v D3 E7 D4 E6h D5 F7 D6 F6 C6 G6 B6 G5 A6 G4 E4v F4 E3h G4 D4v G5 A7";
const GAME_2_MODERN: &str =
    "f4h d6 b4v d1h a5h b1h d2v d5 e1 d4 e2h d3 f1 d2 f2 c2 g2 b2 g3 a2 g4 e4v f4 e5h g4 d4v g3 a1";

/// Replays a game, compares every position with the rules, and undoes all moves one by one.
fn replay(size: usize, walls: u16, qtp_moves: &str, modern: &str, winner: &str, end: &str) {
    let mut qtp = Dialogue::after(&format!("boardsize {size};clear_board;walls {walls}"));
    let mut game = Quoridor::with_walls(size, size, walls).unwrap();
    let mut texts = vec![game.position_text()];
    let moves: Vec<(&str, &str)> = qtp_moves.split_whitespace().zip(modern.split_whitespace()).collect();
    assert_eq!(qtp_moves.split_whitespace().count(), modern.split_whitespace().count());
    for (i, (mv, modern)) in moves.iter().enumerate() {
        assert_eq!(NotationDialect::Qtp.convert_text(mv, size).as_deref(), Some(*modern));
        assert_eq!(qtp.ask("winner"), "= false", "before ply {}", i + 1);
        let color = if i % 2 == 0 { "black" } else { "white" };
        assert_eq!(qtp.play(color, mv), "=", "{mv}");
        let mv = game.parse(modern).unwrap();
        game.try_make_move(mv).unwrap();
        texts.push(qtp.position());
        assert_eq!(qtp.position(), game.position_text());
    }
    assert_eq!(qtp.ok("winner"), format!("true {winner}"));
    assert_eq!(qtp.position(), end);
    let next = ["black", "white"][moves.len() % 2];
    assert_eq!(qtp.fails(format!("genmove {next}")), "game over");
    assert_eq!(qtp.fails("playmove white e5"), ILLEGAL);
    assert_eq!(qtp.fails("playwall black a2 h"), ILLEGAL);
    let history = qtp.ok("history");
    for text in texts.iter().rev().skip(1) {
        qtp.ok("undo");
        assert_eq!(&qtp.position(), text);
        assert_eq!(qtp.ask("winner"), "= false");
    }
    assert_eq!(qtp.fails("undo"), "cannot undo");
    qtp.ok(&format!("redo {}", moves.len()));
    assert_eq!((qtp.position(), qtp.ok("history")), (end.to_owned(), history));
    assert_eq!(qtp.fails("redo"), "cannot redo");
    qtp.ok(&format!("undo {}", moves.len()));
    assert_eq!(qtp.position(), texts[0]);
}

#[test]
fn the_first_golden_game_is_won_by_black() {
    let end = "a5 a6 b1 b3 b8 d2 d3 e6 e7 e8 f1 g6 h7 / a2 a4 c8 d7 e1 e3 g7 / d9 d5 / 0 0 / 2";
    replay(9, 10, GAME_1, GAME_1_MODERN, "black", end);
    assert_eq!(Dialogue::new().ok("legal black").lines().count(), 131);
}

#[test]
fn the_second_golden_game_is_won_by_white() {
    let end = "a5 b1 d1 e2 e5 f4 / b4 d2 d4 e4 / g3 a1 / 0 0 / 1 / 7";
    replay(7, 5, GAME_2, GAME_2_MODERN, "white", end);
}

fn read_test_data(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// Plays moves given in modern notation; returns the number of legal moves before each.
fn play_modern_moves(qtp: &mut Dialogue, size: usize, moves: &str) -> Vec<u64> {
    let mut counts = Vec::new();
    for (i, mv) in moves.split_whitespace().enumerate() {
        let color = ["black", "white"][i % 2];
        counts.push(qtp.ok(&format!("legal {color}")).lines().count() as u64);
        let mv = NotationDialect::Qtp.convert_text(mv, size).unwrap();
        assert_eq!(qtp.play(color, &mv), "=", "{mv} in {moves}");
    }
    counts
}

#[test]
fn the_test_positions_have_the_expected_legal_moves() {
    let all: serde_json::Value = serde_json::from_str(&read_test_data("quoridor_positions.json")).unwrap();
    for entry in all.as_array().unwrap() {
        let size = usize::try_from(entry["size"].as_u64().unwrap()).unwrap();
        let mut qtp = Dialogue::after(&format!("boardsize {size};walls {}", entry["walls"]));
        play_modern_moves(&mut qtp, size, entry["moves"].as_str().unwrap());
        let color = if entry["to_move"] == "first" { "black" } else { "white" };
        let legal = qtp.ok(&format!("legal {color}"));
        let modern = |mv: &str| NotationDialect::Qtp.convert_text(mv, size).unwrap();
        let mut steps: Vec<String> = legal.lines().filter(|mv| !mv.contains(' ')).map(modern).collect();
        steps.sort();
        assert_eq!(serde_json::Value::from(steps), entry["pawn"], "{}", entry["name"]);
        let walls = legal.lines().filter(|mv| mv.contains(' ')).count() as u64;
        assert_eq!(entry["legal_walls"], walls, "{}", entry["name"]);
        for wall in entry["illegal_walls"].as_array().into_iter().flatten() {
            let wall = modern(wall.as_str().unwrap());
            assert_eq!(qtp.play(color, &wall), "? illegal move", "{wall} in {}", entry["name"]);
        }
    }
}

#[test]
fn recorded_games_are_replayed() {
    for line in read_test_data("quoridor_games.jsonl").lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let size = usize::try_from(game["size"].as_u64().unwrap()).unwrap();
        let mut qtp = Dialogue::after(&format!("boardsize {size};walls {}", game["walls"]));
        let counts = play_modern_moves(&mut qtp, size, game["moves"].as_str().unwrap());
        assert_eq!(serde_json::Value::from(counts), game["legal"]);
        let winner = if game["winner"] == "first" { "true black" } else { "true white" };
        assert_eq!(qtp.ok("winner"), winner);
    }
}

#[test]
fn the_documented_dialogue_is_reproduced() {
    let mut qtp = Dialogue::after(
        "boardsize 5;clear_board;walls 2;playmove black c4;playmove white c2;playwall black b5 h;\
         playwall white c2 horizontal;playwall black B4 V",
    );
    let picture = "=
     A   B   C   D   E
   +---+---+---+---+---+
 5 |   |   |   |   |   | 5  black walls:  0
   +---+=======+---+---+
 4 |   |   H B |   |   | 4  white walls:  1
   +---+---H---+---+---+
 3 |   |   H   |   |   | 3
   +---+---+---+---+---+
 2 |   |   | W |   |   | 2
   +---+---+=======+---+
 1 |   |   |   |   |   | 1
   +---+---+---+---+---+
     A   B   C   D   E";
    assert_eq!(qtp.ask("showboard"), picture);
    assert_eq!(qtp.fails("playwall black d5 h"), ILLEGAL);
    for wall in ["a5 h", "b5 v", "c5 h", "b4 h", "b3 v", "d2 h"] {
        assert_eq!(qtp.fails(format!("playwall white {wall}")), ILLEGAL, "{wall}");
    }
    for wall in ["d5 h", "c3 h", "a4 h", "a3 v", "d4 v"] {
        assert_eq!(qtp.ask(format!("playwall white {wall}")), "=", "{wall}");
        qtp.ok("undo");
    }
    let legal = qtp.ok("legal white");
    assert!(legal.starts_with("B2\nC3\nD2\nA2 h\nA2 v\nA3 h\n"), "{legal}");
    assert_eq!(legal.lines().count(), 24);
    assert_eq!(qtp.fails("undo 6"), "cannot undo");
    assert_eq!(qtp.ask("showboard"), picture);
    assert_eq!(qtp.ask("undo 5"), "=");
    assert_eq!(qtp.position(), "- / - / c1 c5 / 2 2 / 1 / 5");
}

/// Reads a drawing and returns the text of its position, without the side to move.
fn read_picture(lines: &[&str], size: usize) -> String {
    let char_at = |line: usize, column: usize| lines[line].chars().nth(column).unwrap_or(' ');
    let letters = lines[0];
    assert_eq!(lines.len(), 2 * size + 3);
    assert_eq!(letters, lines[lines.len() - 1]);
    for file in 0..size {
        assert_eq!(char_at(0, 5 + 4 * file), char::from(b'A' + u8::try_from(file).unwrap()));
    }
    let name =
        |file: usize, row: usize| format!("{}{}", char::from(b'a' + u8::try_from(file).unwrap()), row + 1);
    let (mut pawns, mut across, mut upright) = ([String::new(), String::new()], Vec::new(), Vec::new());
    for file in 0..size {
        for row in 0..size {
            let (line, column) = (2 * row + 2, 3 + 4 * file);
            for (pawn, letter) in pawns.iter_mut().zip(['B', 'W']) {
                if lines[line][column + 1..column + 4] == format!(" {letter} ") {
                    *pawn = name(file, row);
                }
            }
            let crossing = char_at(line + 1, column + 4);
            if crossing == '=' {
                assert_eq!(&lines[line + 1][column + 1..column + 8], "=======");
                across.push(name(file, row));
            } else if crossing == 'H' {
                assert_eq!((char_at(line, column + 4), char_at(line + 2, column + 4)), ('H', 'H'));
                upright.push(name(file, row));
            } else {
                assert_eq!(crossing, '+');
            }
        }
    }
    let list = |names: &[String]| if names.is_empty() { "-".to_owned() } else { names.join(" ") };
    let count = |character| lines.iter().map(|line| line.matches(character).count()).sum::<usize>();
    let cells = lines.iter().skip(2).step_by(2).map(|line| line.matches('H').count()).sum::<usize>();
    // Every part of a wall belongs to a whole wall. The letter H is also a column label of larger
    // boards.
    assert_eq!(count('='), 7 * across.len());
    let letters = usize::from(size >= 8);
    assert_eq!(cells, 2 * upright.len() + letters);
    let hands: Vec<&str> = [2, 4].map(|line| lines[line].rsplit(':').next().unwrap().trim()).to_vec();
    format!("{} / {} / {} / {}", list(&across), list(&upright), pawns.join(" "), hands.join(" "))
}

#[test]
fn showboard_is_aligned_and_shows_the_position_on_every_board() {
    for size in (3..=25).step_by(2) {
        let mut generator = random_stream(size, 0);
        let size = usize::try_from(size).unwrap();
        let mut qtp = Dialogue::after(&format!("boardsize {size}"));
        for turn in 0..40 {
            let color = ["black", "white"][turn % 2];
            let legal: Vec<String> = qtp.ok(&format!("legal {color}")).lines().map(str::to_owned).collect();
            if legal.is_empty() {
                break;
            }
            let mv = legal[generator.random_range(0..legal.len())].replace(' ', "");
            assert_eq!(qtp.play(color, &mv), "=");
            let picture = qtp.ok("showboard");
            let lines: Vec<&str> = picture.strip_prefix('\n').unwrap().lines().collect();
            assert!(
                picture.lines().skip(1).all(|line| !line.is_empty() && !line.ends_with(' ')),
                "{picture}"
            );
            for (i, line) in lines.iter().enumerate().skip(1).take(2 * size + 1) {
                let rulers: Vec<usize> = (0..=size).map(|file| 3 + 4 * file).collect();
                if i % 2 == 1 {
                    assert_eq!(line.len(), 4 + 4 * size, "{line}");
                    assert!(line.starts_with("   +") && line.ends_with('+'));
                    assert!(rulers.iter().all(|&at| "+=H".contains(&line[at..=at])), "{line}");
                } else {
                    let number = format!("{:2}", size - (i / 2 - 1));
                    assert!(line.starts_with(&format!("{number} |")), "{line}");
                    assert_eq!(&line[4 + 4 * size..6 + 4 * size], number);
                    assert!(rulers.iter().all(|&at| "|H".contains(&line[at..=at])), "{line}");
                    let rest = &line[6 + 4 * size..];
                    assert!(if i <= 4 { rest.contains(" walls: ") } else { rest.is_empty() }, "{line}");
                }
            }
            let text = qtp.position();
            let text: Vec<&str> = text.split(" / ").take(4).collect();
            assert_eq!(read_picture(&lines, size), text.join(" / "));
        }
    }
}
