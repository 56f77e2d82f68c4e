//! SGF over GTP and as move files: the main line and the swap round-trip, and unplayable files
//! change nothing.

use std::fs;

use crosspath::game::{Outcome, Side};
use crosspath::journal::{JournalFolder, MatchJournal};
use crosspath::random::random_stream;
use crosspath::record::sgf::{self, SgfStyle};
use crosspath::record::{GameRecord, RecordReadOptions, load_game, write_record};
use crosspath::registry::GAMES;
use rand::RngExt;

use crate::gtp::{check_dialogue, hex_session, send};
use crate::sentences::said;
use crate::support::{folder, run};
use crate::tui_harness::Rig;

#[test]
fn sgf_files_contain_the_main_line_and_the_swap() {
    let place = folder();
    let file = place.path().join("a game.sgf");
    let name = file.to_str().unwrap();
    let mut engine = hex_session(11, 1);
    check_dialogue(
        &mut engine,
        &[("param_game allow_swap 1", "="), ("play b f3", "="), ("play w swap-pieces", "=")],
    );
    check_dialogue(&mut engine, &[("play b d4", "="), (&format!("savesgf {name}"), "=")]);
    let head = format!("(;FF[4]CA[UTF-8]AP[crosspath:{}]GM[11]SZ[11]", env!("CARGO_PKG_VERSION"));
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text, format!("{head};B[f3];W[swap-pieces]\n;B[d4])\n"), "a line ends before column 72");
    let board = send(&mut engine, "showboard");
    check_dialogue(
        &mut engine,
        &[
            ("boardsize 5", "="),
            ("param_game allow_swap 0", "="),
            (&format!("loadsgf {name}"), "="),
            ("showboard", &board),
            ("undo", "="),
            ("undo", "="),
            ("play w swap-pieces", "? illegal move: white swap-pieces (swap not allowed)"),
            (&format!("loadsgf {name} 3"), "="),
            ("play b d4", "="),
            ("showboard", &board),
            ("loadsgf", "? command needs 1 argument"),
            ("savesgf", "? command needs 1 argument"),
            ("savesgf /dev/null/x.sgf", "? cannot save file"),
            ("showboard", &board),
        ],
    );
    let missing = send(&mut engine, &format!("loadsgf {name}x"));
    assert!(missing.starts_with("? cannot load file: "), "{missing}");
    fs::write(&file, b"(;SZ[4]PB[J\xf6rg]C[a\\\r\nb]AB[a1][b2][d1]AW[c3]AE[d1]PL[W];W[d4])").unwrap();
    let rest = "= b1 c1 d1 a2 c2 d2 a3 b3 d3 a4 b4 c4 resign";
    check_dialogue(&mut engine, &[(&format!("loadsgf {name}"), "="), ("all_legal_moves", rest)]);
    // The file has been changed since the program wrote it.
    check_dialogue(&mut engine, &[("play b resign", "="), (&format!("savesgf {name}"), "? file exists")]);
    check_dialogue(&mut engine, &[(&format!("savesgf {name}2"), "=")]);
    let text = fs::read_to_string(format!("{name}2")).unwrap();
    let end = "SZ[4]PB[Jörg]RE[W+R]AB[a1][b2]AW[c3]PL[W]C[ab]\n;W[d4];B[resign])\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn the_swap_is_read_in_the_form_of_each_program() {
    let place = folder();
    let file = place.path().join("game.sgf");
    let mut engine = hex_session(5, 1);
    let wanted = "=\n  a b c d e\n 1 . . . . . 1\n  2 W . . . . 2\n   3 . . . . . 3\n    4 . . . . B 4\n     5 . . . . . 5\n        a b c d e";
    for text in [
        "(;GM[11]SZ[5];B[b1];W[swap-pieces];B[e4])",
        "(;GM[11]SZ[5];B[b1];W[swap-sides];W[d5])",
        "(;AP[HexGUI:0.8]GM[11]SZ[5:5];B[B1];W[swap-pieces];W[d5])",
        "(;AP[HexGui:0.9.GIT]GM[11]SZ[5];B[ b1 ];W[swap-pieces];W[d5])",
        "(;AP[HexGui:0.10]GM[11]SZ[5];B[b1];W[swap-pieces];B[e4])",
        "(;AP[HexGui:0.10.0]GM[11]SZ[5];B[b1];W[swap-pieces];B[e4])",
        "\u{feff}(;FF[4]SZ[5]C[a \\] b\n](;B[b1](;W[swap-pieces];B[e4])(;W[a1]))(;B[a2]))",
    ] {
        fs::write(&file, text).unwrap();
        assert_eq!(send(&mut engine, &format!("loadsgf {}", file.display())), "=", "{text}");
        assert_eq!(send(&mut engine, "showboard"), wanted, "{text}");
    }
}

#[test]
fn a_decided_set_up_is_refused_with_the_same_message_everywhere() {
    let place = folder();
    let file = place.path().join("won.sgf");
    let name = file.to_str().unwrap();
    let mut engine = hex_session(5, 1);
    send(&mut engine, "play b c3");
    let board = send(&mut engine, "showboard");
    for (text, winner) in [
        ("(;SZ[3]AB[b1][b2][b3][a1]AW[c1][c2])", "Red connected top to bottom"),
        ("(;SZ[3]AB[b1]AW[a2][b2][c2];B[a1])", "Blue connected left to right"),
        ("# crosspath hex size=3\n# position: b1 b2 b3 / a1 a2 / 2 / 3\n", "Red connected top to bottom"),
    ] {
        fs::write(&file, text).unwrap();
        let why = format!("it is already over ({winner})");
        for command in ["loadsgf FILE", "loadsgf FILE 1"] {
            let message = send(&mut engine, &command.replace("FILE", name));
            assert!(message.starts_with("? cannot load file: ") && message.ends_with(&why), "{message}");
            assert_eq!(send(&mut engine, "showboard"), board, "{text}");
        }
        for arguments in [&["--mode", "3", "--strict"][..], &["picture"], &["convert", "--to", "sgf"]] {
            let shown = run(&[arguments, &[name]].concat(), "");
            assert!(shown.code == Some(65) && shown.err.contains(&why), "{arguments:?}: {}", shown.err);
        }
    }
    let shown = run(&["--game", "hex", "--position", "b1 b2 b3 / a1 a2 / 2 / 3"], "");
    assert!(shown.err.contains("it is already over (Red connected top to bottom)"), "{}", shown.err);
    for bad in ["(;SZ[3]AB[b1][b2][b3]AW[b1])", "(;SZ[3]AB[b1][b2][b3];W[a1])"] {
        fs::write(&file, bad).unwrap();
        let message = send(&mut engine, &format!("loadsgf {name}"));
        assert!(message.starts_with("? cannot load file: "), "{message}");
        assert_eq!(send(&mut engine, "showboard"), board, "{bad}");
    }
}

#[test]
fn a_crosspath_journal_is_refused_with_the_export_command() {
    let place = folder();
    let mut rig = Rig::two("hex", "size=5", "b2", (80, 24));
    let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_path_buf())));
    rig.say("c3");
    journal.record_changes(rig.game()).unwrap();
    let mut engine = hex_session(5, 1);
    let message = send(&mut engine, &format!("loadsgf {}", journal.current_path().unwrap().display()));
    assert_eq!(
        message,
        "? cannot load file: the file is a saved game of crosspath; \
         crosspath games export ID FILE writes it as a file that can be loaded"
    );
}

#[test]
fn an_unplayable_file_changes_nothing() {
    let place = folder();
    let file = place.path().join("game.sgf");
    let mut engine = hex_session(5, 1);
    send(&mut engine, "play b c3");
    let board = send(&mut engine, "showboard");
    for bad in [
        "",
        "(",
        "(;",
        "no game",
        "(;GM[1]SZ[9];B[aa])",
        "(;SZ[27])",
        "(;SZ[3:4])",
        "(;SZ[3];B[d1])",
        "(;SZ[3];B[a1];W[a1])",
        "(;SZ[3];B[a1];W[b1];B[swap-pieces])",
        "(;SZ[3]RU[no-swap];B[a1];W[swap-pieces])",
        "(;SZ[3];B[resign];W[a1])",
        "(;SZ[3];B[a1]",
        "(;SZ[3];B[a1",
        "(;SZ[3];B)",
        "(;SZ[3];B[a1]AW[b1])",
        "(;SZ[3]PL[red])",
        "(;SZ[3];B[a1]W[b1])",
        "(;SZ[3];B[a1][b1])",
        "(;SZ[3];B[a1];SZ[4])",
        "(;SZ[3];B[a1];AE[a1])",
        "(;SZ[3];B[a1]PL[B])",
    ] {
        fs::write(&file, bad).unwrap();
        let message = send(&mut engine, &format!("loadsgf {}", file.display()));
        assert!(message.starts_with("? cannot load file: "), "{bad}: {message}");
        assert_eq!(send(&mut engine, "showboard"), board, "{bad}");
    }
}

#[test]
fn written_sgf_is_read_back_in_both_dialects() {
    let place = folder();
    let file = place.path().join("game.sgf");
    let mut chance = random_stream(3, 1);
    for round in 0..60 {
        let size = chance.random_range(1..=13);
        let mut engine = hex_session(size, 1);
        send(&mut engine, &format!("param_game allow_swap {}", round / 2 % 2));
        send(&mut engine, ["param_game swap_dialect mirror", "param_game swap_dialect benzene"][round % 2]);
        for _ in 0..chance.random_range(0..40) {
            let legal = send(&mut engine, "all_legal_moves");
            let moves: Vec<&str> = legal.trim_start_matches('=').split_whitespace().collect();
            let Some(last) = moves.len().checked_sub(2) else { break };
            let color = ["b", "w"][chance.random_range(0..2)];
            let mv = if moves[last] == "swap-pieces" {
                "swap-pieces"
            } else {
                moves[chance.random_range(0..=last)]
            };
            let color = if mv == "swap-pieces" { "w" } else { color };
            assert_eq!(send(&mut engine, &format!("play {color} {mv}")), "=", "{legal}");
        }
        let board = send(&mut engine, "showboard");
        let _ = fs::remove_file(&file); // written by the engine before
        assert_eq!(send(&mut engine, &format!("savesgf {}", file.display())), "=");
        send(&mut engine, "clear_board");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
        assert_eq!(send(&mut engine, &format!("loadsgf {}", file.display())), "=", "{text}");
        assert_eq!(send(&mut engine, "showboard"), board, "{text}");
    }
}

/// File with a variation, properties, comments, marks, and a result that only `RE` states.
const TREE: &str = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Ben]EV[Cup]XY[1]RE[B+R]C[begin];B[b1]TR[c3]\
    (;W[d4]C[good];B[c2])(;W[c3];B[d2]LB[a1:x]))";

/// Returns the moves of the main line, the moves of the present position, and the number of
/// positions.
fn summarize_game(game: &GameRecord) -> (String, String, usize) {
    let [main, now] = [game.end, game.present].map(|id| game.tree.position(id).played_moves().join(" "));
    (main, now, game.tree.len())
}

#[test]
fn loading_and_saving_preserves_the_whole_file() {
    let place = folder();
    let file = place.path().join("tree.sgf");
    fs::write(&file, TREE).unwrap();
    for (dialect, commands, main, now, positions, result) in [
        ("mirror", &[][..], "b1 d4 c2", "b1 d4 c2", 6, "RE[B+R]"),
        ("mirror", &["undo", "undo"], "b1 d4 c2", "b1", 6, "RE[B+R]"),
        // Another line of the file, and a line that the file does not have.
        ("benzene", &["undo", "undo", "play w c3", "play b d2"], "b1 d4 c2", "b1 c3 d2", 6, "RE[B+R]"),
        ("mirror", &["undo", "play b d5", "play w a1"], "b1 d4 c2", "b1 d4 d5 a1", 8, "RE[B+R]"),
        // One side may move twice in a row.
        ("mirror", &["undo", "undo", "play b e5"], "b1 d4 c2", "b1 pass e5", 8, "RE[B+R]"),
        // Moves after the end of the file extend its main line, which then has no result.
        ("benzene", &["play w e5", "play b e4"], "b1 d4 c2 e5 e4", "b1 d4 c2 e5 e4", 8, ""),
        ("mirror", &["play w e5", "play b resign"], "b1 d4 c2 e5", "b1 d4 c2 e5", 7, "RE[W+R]"),
        ("mirror", &["undo", "play b resign", "undo"], "b1 d4 c2", "b1 d4", 6, "RE[B+R]"),
    ] {
        let mut engine = hex_session(5, 1);
        send(&mut engine, &format!("param_game swap_dialect {dialect}"));
        assert_eq!(send(&mut engine, &format!("loadsgf {}", file.display())), "=");
        for command in commands {
            assert_eq!(send(&mut engine, command), "=", "{command}");
        }
        let board = send(&mut engine, "showboard");
        let saved = place.path().join("saved.sgf");
        let _ = fs::remove_file(&saved);
        assert_eq!(send(&mut engine, &format!("savesgf {}", saved.display())), "=");
        let text = fs::read_to_string(&saved).unwrap();
        let all = ["PB[Ann]", "PW[Ben]", "EV[Cup]", "XY[1]", "C[begin]", "TR[c3]", "C[good]", "LB[a1:x]"];
        for part in all.into_iter().chain([result]) {
            assert!(text.contains(part), "{commands:?}: {part} in {text}");
        }
        assert_eq!(text.contains("RE["), !result.is_empty(), "{commands:?}: {text}");
        assert_eq!(summarize_game(&load_sgf(&text).unwrap()), (main.into(), now.into(), positions), "{text}");
        let mut other = hex_session(9, 1);
        assert_eq!(send(&mut other, &format!("loadsgf {}", saved.display())), "=", "{text}");
        assert_eq!(send(&mut other, "showboard"), board, "{text}");
    }
}

#[test]
fn another_game_inherits_nothing_from_the_file() {
    let place = folder();
    let (file, saved) = (place.path().join("tree.sgf"), place.path().join("saved.sgf"));
    fs::write(&file, TREE.replace("SZ[5]", "SZ[5]RU[no-swap]")).unwrap();
    for (commands, moves, count) in [
        // A new game keeps the board, and the file has no swap.
        (&["clear_board", "play b b1"][..], "b1", 2),
        (&["boardsize 5", "play b b1"], "b1", 2),
        (&["param_game allow_swap 1", "undo", "undo", "play w swap-pieces"], "b1 swap", 3),
    ] {
        let mut engine = hex_session(5, 1);
        assert_eq!(send(&mut engine, &format!("loadsgf {}", file.display())), "=");
        for command in commands {
            assert_eq!(send(&mut engine, command), "=", "{command}");
        }
        let _ = fs::remove_file(&saved);
        assert_eq!(send(&mut engine, &format!("savesgf {}", saved.display())), "=");
        let text = fs::read_to_string(&saved).unwrap();
        assert!(["Ann", "RE[", "C[", "TR["].iter().all(|part| !text.contains(part)), "{text}");
        assert_eq!(summarize_game(&load_sgf(&text).unwrap()), (moves.into(), moves.into(), count), "{text}");
    }
}

/// Reads a game from the text of a file.
fn load_sgf(text: &str) -> Result<GameRecord, String> {
    load_game(text.as_bytes(), &RecordReadOptions::for_game(&GAMES[0]).with_strict_digits())
        .map_err(|bad| bad.to_string())
}

#[test]
fn an_sgf_file_can_be_shown_and_continued() {
    let text = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Ben]\n;B[b1];W[swap-pieces]\n;B[c3];W[e9])";
    let game = load_sgf(text).unwrap();
    let position = game.tree.position(game.end);
    assert_eq!((position.game_name(), position.played_moves().join(" ")), ("hex", "b1 swap c3".to_owned()));
    let fault = game.fault.unwrap();
    assert_eq!(fault.line, 3);
    assert!(fault.why.text.contains("e9"), "{}", fault.why.text);
    assert_eq!(
        game.remarks,
        [("first", "Ann"), ("second", "Ben")].map(|(key, name)| (key.into(), name.into()))
    );
    // Swapping the sides instead of the pieces gives the same game.
    let other = load_sgf("(;SZ[5];B[b1];W[swap-sides];W[c3];B[d1];W[resign])").unwrap();
    let position = other.tree.position(other.end);
    assert_eq!(
        (other.fault.is_none(), position.played_moves().join(" ")),
        (true, "b1 swap c3 a4".to_owned())
    );
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)), "white, now First, gave up");
    for (bad, why) in [
        ("(;GM[1];B[aa])", said!("gm-is-another-game", "1", "1")),
        ("(;SZ[5]\n", said!("the-game-has-no", "2")),
        ("(;SZ[99])", said!("sz-is-no-board", "99", "1", "26")),
    ] {
        let message = load_sgf(bad).unwrap_err();
        assert!(message.contains(why), "{bad}: {message}");
    }
    let out_of_turn = load_sgf("(;SZ[5];B[a1];B[b2])").unwrap().fault.unwrap();
    assert!(out_of_turn.why.text.contains("turn"), "{}", out_of_turn.why.text);
    let place = folder();
    let file = place.path().join("game.sgf");
    fs::write(&file, "(;SZ[3];B[b1];W[a3];B[b2];W[a1];B[b3])").unwrap();
    let shown = run(&["--mode", "3", file.to_str().unwrap()], "");
    assert!(shown.code == Some(0) && shown.out.contains("Red (first)"), "{}{}", shown.out, shown.err);
}

#[test]
fn file_errors_are_reported_without_control_characters() {
    for text in ["(;SZ[\x1b[31m\x7f])", "(;GM[\x1b[31m])", "(;PL[\u{9b}31m])", "(;AB[\x1b])"] {
        let why = load_sgf(text).unwrap_err();
        assert!(!why.contains(char::is_control), "{why:?}");
    }
    let long = load_sgf(&format!("(;{}[", "X".repeat(100_000))).unwrap_err();
    assert!(long.len() < 300, "{} bytes", long.len());
    let nameless = load_sgf(&format!("(;{})", "X".repeat(100_000))).unwrap_err();
    assert!(nameless.len() < 300, "{} bytes", nameless.len());
}

#[test]
fn a_player_name_of_several_lines_adds_no_move() {
    let read = load_sgf("(;SZ[5]PB[Ann\nc3]PW[Bob · present: 0];B[b1];W[b2])").unwrap();
    let text = write_record(&read.tree, read.present, &read.remarks);
    assert!(text.contains("\n# first: Ann c3\n# second: Bob   present: 0\n"), "{text}");
    let again = load_sgf(&text).unwrap();
    assert_eq!(again.tree.position(again.present).played_moves(), ["b1", "b2"], "{text}");
}

#[test]
fn truncated_or_changed_files_do_no_harm() {
    let text = "(;FF[4]GM[11]SZ[5:5]C[a \\] é]AB[a1];B[b2](;W[c3]C[x];B[swap-pieces])(;W[d1]))";
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        let _ = load_game(&bytes[..at], &RecordReadOptions::default());
        for byte in *b"()[];\\\n\0\xffZ9" {
            let mut changed = bytes.to_vec();
            changed[at] = byte;
            if let Ok(game) = load_game(&changed, &RecordReadOptions::default())
                && game.start.entry.name == "hex"
            {
                let (text, _) =
                    sgf::write_sgf(&game.tree, game.present, &game.remarks, SgfStyle::default()).unwrap();
                let again = load_sgf(&text).unwrap();
                let moves = |game: &GameRecord| game.tree.position(game.present).played_moves();
                assert_eq!((moves(&again), again.tree.len()), (moves(&game), game.tree.len()), "{text}");
            }
        }
    }
    // Deeply nested and long files are read without delay.
    let deep = format!("(;SZ[5]{}", "(;B[a1]".repeat(100_000));
    assert!(load_sgf(&deep).is_err());
    let long = format!("(;SZ[5]\n{})", "\n;B[a1];W[b1]".repeat(70_000));
    assert_eq!(load_sgf(&long).unwrap().fault.unwrap().line, 4);
}
