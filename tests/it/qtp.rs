//! The Quoridor Text Protocol: every command, and typical errors of engines.

use std::io::Write;
use std::time::Duration;

use crosspath::ai::EngineKind;
use crosspath::ai::quoridor::level_specs;
use crosspath::game::{Game, Side};
use crosspath::games::quoridor::Quoridor;
use crosspath::protocol::qtp::clock::QtpClock;
use crosspath::protocol::qtp::{QtpOptions, QtpSession};
use crosspath::stdin::MAX_LINE_BYTES;

use crate::dialogue::{Dialogue, commands, fast_options};

const SYNTAX: &str = "syntax error";
const ILLEGAL: &str = "illegal move";

/// Output that counts writes and flushes.
#[derive(Default)]
struct CountingOutput {
    text: Vec<u8>,
    writes: usize,
    flushes: usize,
}

impl Write for CountingOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.text.extend_from_slice(bytes);
        self.writes += 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.flushes += 1;
        assert_eq!(self.writes, self.flushes, "an answer is one write and one flush");
        Ok(())
    }
}

pub(crate) fn answers(input: impl AsRef<[u8]>) -> String {
    let mut out = CountingOutput::default();
    QtpSession::new(&fast_options(1)).unwrap().serve(input.as_ref(), &mut out).unwrap();
    String::from_utf8(out.text).unwrap()
}

#[test]
fn qp24_known_command_answers_false_for_unknown_names() {
    let mut qtp = Dialogue::new();
    for line in ["known_command nonsense", "known_command NAME", "known_command", "known_command nam"] {
        assert_eq!(qtp.ask(line), "= false", "{line}");
    }
    assert_eq!(qtp.ask("known_command name"), "= true");
    assert_eq!(qtp.ask("known_command name and more"), "= true");
}

#[test]
fn qp25_winner_answers_false_without_a_winner() {
    let mut qtp = Dialogue::new();
    assert_eq!(qtp.ask("winner"), "= false");
    qtp.all("boardsize 3;walls 0;playmove black a3;playmove black a2;playmove black a1");
    assert_eq!(qtp.ask("winner now"), "= true black");
    qtp.all("clear_board;playmove white a1;playmove w a2;playmove w a3");
    assert_eq!(qtp.ask("winner"), "= true white");
}

#[test]
fn qp26_blank_lines_and_comments_get_no_answer() {
    let mut qtp = Dialogue::new();
    for line in ["", " ", "\t \t", "\r", "#", "# name", "   # winner", "\x01\x02", "\x01#\x02", "\x7f"] {
        assert_eq!(qtp.0.answer(line.as_bytes()), None, "{line:?}");
    }
    assert_eq!(qtp.ask("  \tname\t # what is it called? "), "= crosspath");
    assert_eq!(qtp.ask("na\x01me\r"), "= crosspath");
    assert_eq!(qtp.ask("known_command\tname"), "= true");
    assert_eq!(answers("\n\n# a\nname\r\n\n \nwinner"), "= crosspath\n\n= false\n\n");
    assert_eq!(answers(""), "");
    assert_eq!(answers("\n#\n"), "");
}

#[test]
fn qp27_only_odd_sizes_from_3_to_25_are_accepted() {
    let mut qtp = Dialogue::after("boardsize 7;playmove black d6");
    let before = qtp.state();
    for size in [0, 1, 2, 4, 8, 10, 24, 26, 27, 100, 255, 256, 257, 259, 65_535, 65_536, 65_539, i32::MAX] {
        assert_eq!(qtp.fails(format!("boardsize {size}")), "unacceptable size");
    }
    let malformed =
        ["", "-1", "-0", "+9", "0x9", "9.0", "1e1", "９", "2147483648", "4294967305", "x", "9 9", "9x"];
    for size in malformed {
        assert_eq!(qtp.fails(format!("boardsize {size}")), SYNTAX, "{size:?}");
    }
    assert_eq!(qtp.fails("boardsize 18446744073709551625"), SYNTAX);
    assert_eq!(qtp.state(), before);
    for size in (3..=25).step_by(2) {
        assert_eq!(qtp.ask(format!("boardsize {size}")), "=");
        assert_eq!(qtp.position(), Quoridor::new(size).unwrap().position_text());
    }
    assert_eq!(qtp.ask("boardsize   009"), "=");
}

#[test]
fn qp28_no_wall_is_placed_with_none_left() {
    let mut qtp = Dialogue::after("walls 1;playwall white a2 h");
    assert_eq!(qtp.fails("playwall white c2 h"), ILLEGAL);
    assert!(qtp.position().contains("/ 1 0 /"));
    qtp.ok("playwall black c2 h");
    assert_eq!(qtp.fails("playwall black e2 h"), ILLEGAL);
    qtp.ok("walls 0");
    assert_eq!(qtp.fails("playwall white e2 h"), ILLEGAL);
    assert!(qtp.ok("legal white").lines().all(|mv| !mv.contains(' ')));
}

#[test]
fn qp29_every_illegal_wall_has_the_same_answer() {
    let mut qtp =
        Dialogue::after("playwall black e5 h;playwall white a9 h;playwall white c9 h;playwall white e9 h");
    for wall in ["e5 h", "d5 h", "f5 h", "e5 v", "i5 h", "a1 h", "j5 v", "e10 h", "e0 v", "y99 h"] {
        assert_eq!(qtp.ask(format!("playwall black {wall}")), "? illegal move", "{wall}");
    }
    qtp.ok("playwall black g9 h");
    assert_eq!(qtp.ask("playwall black h9 v"), "? illegal move", "seals");
    assert_eq!(qtp.ask("playwall black h8 h"), "=");
}

#[test]
fn qp30_undo_of_too_many_moves_undoes_none() {
    let mut qtp = Dialogue::new();
    for line in ["undo", "undo 0", "undo 1", "undo 2147483647"] {
        assert_eq!(qtp.fails(line), "cannot undo", "{line}");
    }
    qtp.all("playmove black e8;playwall white e3 v");
    let before = qtp.state();
    assert_eq!(qtp.fails("undo 3"), "cannot undo");
    for line in ["undo x", "undo -1", "undo 1 1", "undo 2147483648", "redo x"] {
        assert_eq!(qtp.fails(line), SYNTAX, "{line}");
    }
    assert_eq!(qtp.fails("redo"), "cannot redo");
    assert_eq!(qtp.ask("undo 0"), "=");
    assert_eq!(qtp.state(), before);
    assert_eq!(qtp.ask("undo 2"), "=");
    assert_eq!(qtp.fails("undo"), "cannot undo");
    assert_eq!(qtp.position(), "- / - / e1 e9 / 10 10 / 1");
}

#[test]
fn qp31_missing_arguments_are_a_syntax_error() {
    let mut qtp = Dialogue::new();
    let before = qtp.state();
    let lines = "boardsize;walls;playmove;playmove black;playmove e8;playmove e8 black;playmove black 8e;\
        playmove black e;playmove black ee8;playmove black e-8;playmove black e8 e8;playwall;playwall black;\
        playwall black a3;playwall black a3 x;playwall black h a3;playwall a3 h;playwall black a3 h h;genmove;\
        genmove black white;time_left black;time_left 5;legal;reason;reason black;position;perft;hint;analyze;\
        playmove black Z3;playmove purple e8;playwall black a3 horizontally";
    for line in lines.split(';') {
        assert_eq!(qtp.fails(line.trim()), SYNTAX, "{line}");
    }
    assert_eq!(qtp.state(), before);
}

#[test]
fn qp32_an_unknown_colour_is_a_syntax_error() {
    let mut qtp = Dialogue::new();
    let before = qtp.state();
    for color in ["purple", "bl", "black1", "blackwhite", "wh", "1", "e8"] {
        assert_eq!(qtp.fails(format!("genmove {color}")), SYNTAX);
        assert_eq!(qtp.fails(format!("playmove {color} e8")), SYNTAX);
        assert_eq!(qtp.fails(format!("legal {color}")), SYNTAX);
    }
    assert_eq!(qtp.state(), before);
}

#[test]
fn qp33_arguments_are_read_in_any_case_and_abbreviated() {
    for (color, vertex, orientation) in
        [("b", "a3", "h"), ("BLACK", "A3", "Horizontal"), ("Black", "a3", "H")]
    {
        let mut qtp = Dialogue::after(&format!(
            "playwall {color} {vertex} {orientation};playmove WHITE E2;playmove w d2"
        ));
        assert_eq!(qtp.ok("history"), "black A3 h\nwhite E2\nwhite D2");
    }
    let mut qtp = Dialogue::after("playwall w a03 VERTICAL;playmove W e0002");
    assert_eq!(qtp.ok("history"), "white A3 v\nwhite E2");
    assert_eq!(qtp.fails("NAME"), "unknown command");
    assert_eq!(qtp.fails("Genmove black"), "unknown command");
}

#[test]
fn qp34_every_answer_is_one_write_and_one_flush() {
    let mut out = CountingOutput::default();
    let input = "name\nnonsense\nboardsize 4\nundo\n\n# x\nshowboard\ngenmove black\nlist_commands\nlegal w\nquit\nname\n";
    let mut engine = QtpSession::new(&QtpOptions { has_stats: true, ..fast_options(1) }).unwrap();
    engine.serve(input.as_bytes(), &mut out).unwrap();
    assert_eq!((out.writes, out.flushes), (9, 9));
    let text = String::from_utf8(out.text).unwrap();
    assert!(text.contains("\n\n# nodes "), "{text}");
    assert!(text.ends_with("\n\n=\n\n"), "quit is answered, what follows is not read");
}

#[test]
fn qp35_a_second_game_equals_one_in_a_fresh_process() {
    let game = |qtp: &mut Dialogue, start: &str| {
        qtp.all(start);
        let mut output = Vec::new();
        for i in 0..30 {
            let color = if i % 2 == 0 { "black" } else { "white" };
            output.push(qtp.ask(format!("genmove {color}")));
        }
        output.push(qtp.ask("showboard"));
        output.push(qtp.ask("history"));
        output
    };
    for level in ["classic", "1", "2", "3", "4"] {
        let options = QtpOptions { level: level.parse().ok(), ..fast_options(7) };
        let start = "boardsize 7;clear_board;walls 5";
        let fresh = game(&mut Dialogue::with(&options), start);
        let mut old = Dialogue::with(&options);
        old.all("boardsize 5;genmove black;genmove white;undo;playwall black b4 h;walls 9");
        game(&mut old, "boardsize 9;clear_board;walls 3");
        old.ok("undo 3");
        assert_eq!(game(&mut old, start), fresh, "level {level}");
        // clear_board alone is enough.
        assert_eq!(game(&mut old, "clear_board"), fresh, "level {level}");
        // A game continued from an earlier search is equal, too.
        let mut fresh = Dialogue::with(&options);
        let mut old = Dialogue::with(&options);
        old.all("genmove black;clear_board");
        for qtp in [&mut fresh, &mut old] {
            qtp.all("playmove black e8;playmove white e2");
        }
        assert_eq!(old.ask("genmove black"), fresh.ask("genmove black"), "level {level}");
        old.ok("clear_board");
        assert_eq!(old.ask("stats"), "? no move generated");
    }
}

#[test]
fn qp36_paths_treat_pawn_cells_as_free() {
    // White's only exit from the pocket is the cell with black's pawn.
    let mut qtp = Dialogue::new();
    for (i, mv) in "E8 E2 E7 E3 E6 E4 E5 E4h A9h E5v A7h D5v C9h".split(' ').enumerate() {
        assert_eq!(qtp.play(["black", "white"][i % 2], mv), "=", "{mv}");
    }
    let legal = qtp.ok("legal white");
    let steps: Vec<&str> = legal.lines().filter(|mv| !mv.contains(' ')).collect();
    assert_eq!((steps.as_slice(), legal.lines().count()), (&["E6"][..], 107));
    let mut qtp =
        Dialogue::after("playwall black a9 h;playwall black c9 h;playwall black e9 h;playwall white g9 h");
    assert_eq!(qtp.ok("reason white h9 v"), "illegal: H9 v would leave black without a path");
    assert_eq!(qtp.ok("reason white h8 h"), "legal");
}

#[test]
fn qp37_a_lost_position_and_no_time_still_yield_a_legal_move() {
    // Black is one step from winning, and white has no wall left and cannot stop it.
    let lost = "position - / - / e8 a5 / 0 0 / 2";
    for level in ["classic", "1", "2", "3", "4"] {
        for limit in ["nodes 1", "movetime 1", "depth 1"] {
            let mut qtp = Dialogue::with(&QtpOptions { level: level.parse().ok(), ..QtpOptions::default() });
            qtp.ok(lost);
            qtp.ok(limit);
            let legal = qtp.ok("legal white");
            let answer = qtp.ok("genmove white");
            assert!(legal.lines().any(|mv| mv == answer), "level {level}, {limit}: {answer}");
        }
    }
}

#[test]
fn qp38_the_end_of_the_input_ends_the_dialogue() {
    assert_eq!(answers("boardsize 5\nplaymove black c4"), "=\n\n=\n\n");
    assert_eq!(answers("known_comm"), "? unknown command\n\n");
}

#[test]
fn qp39_the_listed_commands_are_the_known_ones() {
    let mut qtp = Dialogue::new();
    let names = commands();
    let required = "name known_command list_commands quit boardsize clear_board walls playmove playwall genmove undo \
                    winner showboard";
    for name in required.split_whitespace() {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
    for name in &names {
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{name}");
        assert_eq!(qtp.ask(format!("known_command {name}")), "= true");
        assert_eq!(names.iter().filter(|other| other == &name).count(), 1);
        assert_ne!(Dialogue::new().ask(name), "? unknown command", "{name}");
    }
    for name in ["thread", "time_settings", "komi", "help"] {
        assert_eq!(qtp.ask(format!("known_command {name}")), "= false");
        assert_eq!(qtp.fails(name), "unknown command");
    }
}

#[test]
fn qp52_threads_and_memory_are_shown_and_set() {
    let mut qtp = Dialogue::new();
    assert_eq!((qtp.ok("threads"), qtp.ok("memory")), ("1".to_owned(), "0".to_owned()));
    assert_eq!((qtp.ask("threads 2"), qtp.ask("memory 16")), ("=".to_owned(), "=".to_owned()));
    assert_eq!((qtp.ok("threads"), qtp.ok("memory")), ("2".to_owned(), "16".to_owned()));
    for line in ["threads 0", "threads 257", "threads 65537"] {
        assert_eq!(qtp.fails(line), "unacceptable number of threads");
    }
    assert_eq!(qtp.fails("memory 65537"), "unacceptable amount of memory");
    assert_eq!(qtp.fails("threads two"), SYNTAX);
    assert_eq!((qtp.ok("threads"), qtp.ok("memory")), ("2".to_owned(), "16".to_owned()));
    qtp.ok("movetime 20");
    qtp.ok("genmove black");
    assert_eq!(qtp.ask("memory 0"), "=");
    assert_eq!(qtp.ok("memory"), "0");
}

#[test]
fn the_protocol_page_lists_exactly_the_commands() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/protocol.md");
    let text = std::fs::read_to_string(path).unwrap();
    let part = text.split("\n## ").find(|part| part.starts_with("Quoridor Text Protocol")).unwrap();
    // Rows of the tables: | `name` | arguments | answer | failure | notes |
    let rows = part.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut described: Vec<&str> = rows.map(|row| row.split('`').next().unwrap()).collect();
    described.sort_unstable();
    let mut names = commands();
    names.sort_unstable();
    assert_eq!(described, names);
}

#[test]
fn a_too_long_line_is_one_syntax_error() {
    let mut qtp = Dialogue::new();
    for byte in [b'x', b' ', b'#', b'\0', 0xff] {
        assert_eq!(qtp.fails(vec![byte; MAX_LINE_BYTES + 1]), SYNTAX);
    }
    let fits = [b"name ".to_vec(), vec![b'x'; MAX_LINE_BYTES - 5]].concat();
    assert_eq!(qtp.ask(&fits), "= crosspath");
    let input = [b"name\n".to_vec(), vec![b'y'; 5 * MAX_LINE_BYTES], b"\nwinner\n".to_vec()].concat();
    assert_eq!(answers(input), "= crosspath\n\n? syntax error\n\n= false\n\n");
    assert_eq!(answers(vec![b'y'; 5 * MAX_LINE_BYTES]), "? syntax error\n\n");
}

#[test]
fn the_walls_command_applies_to_this_game_and_the_next_ones_on_the_board() {
    let mut qtp = Dialogue::after("playwall black a3 h;walls 4");
    assert!(qtp.position().contains("/ 4 4 /"));
    assert_eq!(qtp.ok("history"), "black A3 h");
    qtp.all("playwall white e3 h;undo");
    assert!(qtp.position().contains("/ 4 4 /"));
    qtp.ok("undo");
    assert!(qtp.position().contains("/ 5 4 /"), "the wall goes back to its owner");
    qtp.ok("redo 2");
    assert!(qtp.position().contains("/ 4 3 /"));
    qtp.all("undo 2;walls 0");
    assert_eq!(qtp.fails("redo"), "cannot redo", "there is no wall to build it with");
    qtp.ok("walls 4");
    qtp.ok("clear_board");
    assert_eq!(qtp.position(), "- / - / e1 e9 / 4 4 / 1");
    qtp.ok("boardsize 9");
    assert_eq!(qtp.position(), "- / - / e1 e9 / 10 10 / 1");
    qtp.ok("walls 2147483647");
    assert!(qtp.position().contains("/ 999 999 /"));
    qtp.all("playwall black a3 h;walls 999;undo");
    assert!(qtp.position().contains("/ 999 999 /"));
    for walls in ["", "-1", "+1", "x", "1 1", "2147483648"] {
        assert_eq!(qtp.fails(format!("walls {walls}")), SYNTAX);
    }
}

#[test]
fn equal_positions_have_one_key_whether_played_or_set_up() {
    let mut qtp = Dialogue::after("playwall black a3 h;walls 4;undo");
    let mut text = Dialogue::after(&format!("position {}", qtp.position()));
    assert_eq!(qtp.0.position().position_key(), text.0.position().position_key());
    qtp.all("playwall white a3 h;playmove white e2");
    text.all("playwall white a3 h;playmove white e2;playmove white d2;undo");
    assert_eq!(qtp.0.position(), text.0.position());
    assert_eq!(qtp.0.position().position_key(), text.0.position().position_key());
}

#[test]
fn either_colour_plays_at_any_time() {
    let mut qtp = Dialogue::after("playmove white e2;playmove white e3;playmove white e4;playmove black e8");
    assert_eq!(qtp.position(), "- / - / e2 e6 / 10 10 / 2");
    qtp.ok("playmove black e7");
    let answer = qtp.ok("genmove black");
    assert!(qtp.ok("history").ends_with(&format!("black E8\nblack E7\nblack {answer}")));
    qtp.all("undo 3;undo 3");
    assert_eq!(qtp.position(), "- / - / e1 e9 / 10 10 / 1");
}

#[test]
fn repetition_does_not_end_a_game() {
    let mut qtp = Dialogue::new();
    for _ in 0..500 {
        qtp.all("playmove black e8;playmove white e2;playmove black e9;playmove white e1");
    }
    assert_eq!(qtp.ask("winner"), "= false");
    assert!(qtp.ask("genmove black").starts_with("= "));
    qtp.ok("undo 2001");
    assert_eq!(qtp.position(), "- / - / e1 e9 / 10 10 / 1");
}

#[test]
fn reasons_use_the_protocol_names_of_moves() {
    let mut qtp = Dialogue::after("playwall black e5 h;playmove white e2");
    for (question, answer) in [
        ("black e8", "legal"),
        ("white a3 v", "legal"),
        ("black e9", "illegal: the pawn is already on E9"),
        ("black e2", "illegal: the other pawn is on E2"),
        ("black e5", "illegal: E5 is not a step from E9"),
        ("black e10", "illegal: E10 is not on the board"),
        ("black i5 h", "illegal: I5 h is not on the board"),
        ("white f5 h", "illegal: F5 h overlaps the wall E5 h"),
        ("white e5 v", "illegal: E5 v crosses the wall E5 h"),
    ] {
        assert_eq!(qtp.ok(&format!("reason {question}")), answer, "{question}");
    }
    qtp.all("walls 3;position e5 / - / e5 e6 / 0 3 / 1");
    assert_eq!(qtp.ok("reason black e3"), "illegal: the wall E5 h blocks the way to E3");
    assert_eq!(qtp.ok("reason black a3 h"), "illegal: black has no walls left");
    qtp.ok("position - / - / e5 e6 / 0 3 / 1");
    assert_eq!(
        qtp.ok("reason black f4"),
        "illegal: F4 is not a step while a straight jump to E3 is possible"
    );
    qtp.ok("playmove black e3");
    qtp.all("playmove black e2;playmove black e1");
    assert_eq!(qtp.ok("reason white a1"), "illegal: the game is over");
    assert_eq!(qtp.fails("reason white a"), SYNTAX);
}

#[test]
fn positions_are_set_and_shown_in_modern_names() {
    let mut qtp = Dialogue::new();
    for text in
        ["e3 / c4 / e1 e7 / 8 10 / 1", "b1 c4 / b2 / c2 c4 / 0 1 / 2 / 5", "- / - / c1 c4 / 1 1 / 1 / 4"]
    {
        qtp.ok(&format!("position {text}"));
        assert_eq!(qtp.position(), text);
        assert_eq!((qtp.ok("history"), qtp.fails("undo")), (String::new(), "cannot undo".to_owned()));
    }
    qtp.ok("position d3e6/-/e4 e6/9 9/1");
    assert_eq!(qtp.position(), "d3 e6 / - / e4 e6 / 9 9 / 1");
    assert_eq!(qtp.ok("perft 1"), "123");
    assert_eq!(qtp.ok("distance"), "black 6 white 6");
    let before = qtp.state();
    for (text, field) in [
        ("x", "form"),
        ("- / - / e1 e1 / 9 9 / 1", "pawns"),
        ("e3 f3 / - / e1 e9 / 9 9 / 1", "horizontal walls"),
        ("- / i3 / e1 e9 / 9 9 / 1", "vertical walls"),
        ("- / - / e1 e9 / 9 1000 / 1", "hands"),
        ("- / - / e1 e9 / 9 11 / 1", "hands"),
        ("a1 / c1 / e1 e9 / 9 10 / 1", "walls"),
        ("- / - / e1 e9 / 9 9 / 3", "side to move"),
        ("- / - / e1 e9 / 9 9 / 1 / 26", "size"),
        ("- / - / e9 e1 / 9 9 / 1", "pawns"),
    ] {
        let why = qtp.fails(format!("position {text}"));
        assert!(why.starts_with(&format!("bad position: {field}: ")), "{text}: {why}");
    }
    let long = qtp.fails(format!("position - / - / e1 e9 / 9 9 / {}", "é\u{85}".repeat(9000)));
    assert!(long.chars().count() <= 200 && !long.chars().any(char::is_control), "{long}");
    assert_eq!(qtp.state(), before);
    assert_eq!(qtp.ok("position - / - / e9 e5 / 9 9 / 2"), "");
    assert_eq!(qtp.ask("winner"), "= true black");
}

#[test]
fn levels_and_limits_are_shown_and_set() {
    let mut qtp = Dialogue::with(&QtpOptions { seed: Some(5), ..QtpOptions::default() });
    let levels: Vec<String> = level_specs()
        .iter()
        .map(|spec| spec.level)
        .filter(|level| level.is_level())
        .map(|level| level.to_string())
        .collect();
    let strongest = levels.last().unwrap().clone();
    assert_eq!(qtp.ok("level"), strongest);
    for level in &levels {
        qtp.ok(&format!("level {level}"));
        assert_eq!(qtp.ok("level"), *level);
    }
    for level in ["0", "9", "256", "257", "Classic", "x", "-1", "+1", "2147483647"] {
        assert_eq!(qtp.fails(format!("level {level}")), "unknown level");
    }
    assert_eq!(qtp.ok("level"), strongest);
    for name in ["movetime", "nodes", "depth"] {
        assert_eq!(qtp.ok(name), "0");
        qtp.all(&format!("{name} 77"));
        assert_eq!(qtp.ok(name), "77");
        assert_eq!(qtp.fails(format!("{name} x")), SYNTAX);
        assert_eq!(qtp.ok(name), "77");
        qtp.ok(&format!("{name} 0"));
        assert_eq!(qtp.ok(name), "0");
    }
    assert_eq!(qtp.ok("seed"), "5");
    qtp.ok("seed 9");
    assert_eq!(qtp.ok("seed"), "9");
    let too_strong = QtpOptions { level: "9".parse().ok(), ..QtpOptions::default() };
    assert!(QtpSession::new(&too_strong).unwrap_err().to_string().contains("levels are classic, 1"));
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn clock_commands_are_obeyed() {
    let mut qtp = Dialogue::with(&QtpOptions { seed: Some(5), ..QtpOptions::default() });
    for color in ["black", "white", "black"] {
        qtp.all(&format!("time_left {color} 1600"));
        let begun = std::time::Instant::now();
        qtp.ok(&format!("genmove {color}"));
        // 1600 ms for at least 8 moves; the rest allows for a busy computer.
        assert!(begun.elapsed().as_millis() < 1500, "{:?}", begun.elapsed());
    }
    assert_eq!(qtp.fails("time_left black"), SYNTAX);
}

#[test]
fn hints_are_legal_and_do_not_affect_play() {
    let mut plain = Dialogue::new();
    let mut advised = Dialogue::new();
    for i in 0..6 {
        let color = ["black", "white"][i % 2];
        let legal: Vec<String> =
            advised.ok(&format!("legal {color}")).lines().map(|mv| mv.replace(' ', "")).collect();
        let before = advised.state();
        let hint = advised.ok(&format!("hint {color}"));
        let words: Vec<&str> = hint.split(' ').collect();
        assert!(legal.iter().any(|mv| mv == words[0]) && words[2] == words[0], "{hint}");
        let table = advised.ok(&format!("analyze {color}"));
        assert!((1..=5).contains(&table.lines().count()), "{table}");
        for line in table.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(legal.iter().any(|mv| mv == words[0]) && words[4] == words[0], "{line}");
            assert!(words[2].parse::<u32>().is_ok() && words[3].parse::<u64>().is_ok(), "{line}");
        }
        assert_eq!(advised.state(), before);
        let line = format!("genmove {color}");
        assert_eq!(advised.ask(&line), plain.ask(&line));
    }
    let mut qtp = Dialogue::after("position - / - / e8 a5 / 0 0 / 1");
    assert!(qtp.ok("analyze black 60").starts_with("E1 win 1 0 E1\n"));
    assert!(qtp.ok("hint b 30").contains(" win "));
    qtp.ok("position - / - / e9 a5 / 0 0 / 1");
    for line in ["hint black", "analyze white 5", "eval", "genmove w"] {
        assert_eq!(qtp.fails(line), "game over");
    }
}

#[test]
fn values_are_in_steps_from_blacks_side() {
    let mut qtp = Dialogue::new();
    assert_eq!(qtp.ok("eval"), "0.23");
    qtp.ok("position - / - / e2 e9 / 10 10 / 1");
    let ahead: f64 = qtp.ok("eval").parse().unwrap();
    assert!(ahead > 0.23, "{ahead}");
    qtp.ok("position - / - / e1 e9 / 10 10 / 2");
    assert_eq!(qtp.ok("eval"), "-0.23");
}

#[test]
fn stats_describe_the_last_search() {
    let mut qtp = Dialogue::new();
    assert_eq!(qtp.fails("stats"), "no move generated");
    let mv = qtp.ok("genmove black").replace(' ', "");
    let stats = qtp.ok("stats");
    let words: Vec<&str> = stats.split(' ').collect();
    assert_eq!(
        [words[0], words[2], words[4], words[6], words[8]],
        ["nodes", "depth", "time", "score", "line"]
    );
    assert_eq!(words[9], mv);
    assert_eq!(qtp.ok("perft 2"), Dialogue::after(&format!("position {}", qtp.position())).ok("perft 2"));
    assert_eq!(qtp.fails("perft 6"), "unacceptable depth");
    assert_eq!(Dialogue::new().ok("perft 3"), "2062264");
}

#[test]
fn an_interrupted_search_is_not_reported_as_a_loss() {
    for nodes in 1..300 {
        let mut qtp = Dialogue::after(&format!("level 4;nodes {nodes};genmove black"));
        assert!(!qtp.ok("stats").contains(" loss "), "{nodes}");
    }
}

#[test]
fn the_game_is_over_for_a_side_without_moves() {
    // Two rows: each pawn may stand where only the opponent's goal is left.
    let mut qtp = Dialogue::after("position - / - / a1 b2 / 0 0 / 1 / 2x2");
    for color in ["black", "white"] {
        let legal = qtp.ok(&format!("legal {color}"));
        if legal.is_empty() {
            assert_eq!(qtp.fails(format!("genmove {color}")), "game over");
        } else {
            qtp.ok(&format!("genmove {color}"));
            qtp.ok("undo");
        }
    }
}

#[test]
fn black_is_the_first_player() {
    let qtp = Dialogue::after("playmove black e8");
    assert_eq!(qtp.0.position().to_move(), Side::Second);
    assert_eq!(qtp.0.position().pawn(Side::First).to_string(), "e2");
}

#[test]
fn the_first_search_uses_an_eighteenth_of_the_time() {
    let game = Quoridor::new(9).unwrap();
    let mut clock = QtpClock::new(&game);
    assert_eq!(clock.move_budget(Side::First, &game), Duration::from_secs(162) / 18);
    clock.spend_time(Side::First, Duration::from_secs(72));
    assert_eq!(clock.move_budget(Side::First, &game), Duration::from_secs(5));
    assert_eq!(clock.move_budget(Side::Second, &game), Duration::from_secs(9), "each side has its own");
}

#[test]
fn a_search_takes_20_ms_to_24_s() {
    let game = Quoridor::with_walls(25, 25, 0).unwrap();
    let mut clock = QtpClock::new(&game);
    assert_eq!(clock.move_budget(Side::First, &game), Duration::from_millis(450_000 / 24));
    clock.set_time_left(Side::First, Duration::from_secs(1_000_000));
    assert_eq!(clock.move_budget(Side::First, &game), Duration::from_secs(24));
    clock.spend_time(Side::First, Duration::from_secs(2_000_000));
    assert_eq!(clock.move_budget(Side::First, &game), Duration::from_millis(20));
}

#[test]
fn at_least_eight_moves_to_come_are_assumed() {
    let game = Quoridor::with_walls(3, 3, 0).unwrap();
    let clock = QtpClock::new(&game);
    assert_eq!(clock.move_budget(Side::Second, &game), Duration::from_millis(54_000 / 8));
}

#[test]
fn numbers_have_digits_only_and_an_upper_limit() {
    let mut qtp = Dialogue::new();
    for (text, number) in [("0", "0"), ("9", "9"), ("007", "7"), ("2147483647", "2147483647")] {
        assert_eq!(qtp.ask(format!("seed {text}")), "=");
        assert_eq!(qtp.ask("seed"), format!("= {number}"));
    }
    for text in ["+9", "-1", "9x", "2147483648", "99999999999999999999", "9.0", "٣"] {
        assert_eq!(qtp.ask(format!("seed {text}")), format!("? {SYNTAX}"), "{text:?}");
    }
}

#[test]
fn vertices_use_every_letter_from_a_to_y() {
    let mut qtp = Dialogue::new();
    for text in ["A1", "i9", "y25", "E0", "b99", "J011"] {
        assert_eq!(qtp.ask(format!("playmove black {text}")), format!("? {ILLEGAL}"), "{text}");
    }
    for text in ["E", "9", "9e", "ee4", "Z3", "e-1", "e+1", "é4", "e4é"] {
        assert_eq!(qtp.ask(format!("playmove black {text}")), format!("? {SYNTAX}"), "{text:?}");
    }
}

/// The values of two moves differ only in the last bit, which depends on the order of summation.
#[test]
fn classic_adds_its_terms_in_the_order_of_the_original() {
    let mut qtp = Dialogue::with(&QtpOptions {
        level: Some(EngineKind::Classic),
        seed: Some(1),
        ..QtpOptions::default()
    });
    qtp.all("boardsize 13;clear_board;walls 17;playmove black G12;playwall white G7 v;playwall black E13 v");
    qtp.all("playmove white G2;playwall black G11 h;playmove white G3;playmove black G13;playmove white G4");
    qtp.all("playmove black H13;playmove white F4;playmove black H12;playmove white F5;playmove black H11");
    qtp.all("playmove white E5");
    assert_eq!(qtp.ask("genmove black"), "= D13 h");
    qtp.all("boardsize 5;clear_board;walls 3;playmove black C4;playmove white D1;playmove black D4");
    qtp.all(
        "playwall white B5 h;playmove black D3;playwall white D3 v;playwall black C4 h;playmove white D2",
    );
    qtp.all("playwall black B2 h");
    assert_eq!(qtp.ask("genmove white"), "= D2 h");
}
