//! Files that are almost games, or almost those of another program: each is read correctly or refused.

use crosspath::record::{
    GameRecord, NodeId, NodeProperty, OpenedFile, RecordReadOptions, load_game, open_game_file, write_record,
};
use crosspath::registry::find_game;

use crate::support::{file, folder, run};

/// Returns the game, moves and winner of a file, or the reason why it is refused.
fn read_game(text: &str) -> Result<(String, Vec<String>, Option<String>), String> {
    match open_game_file(text.as_bytes(), &RecordReadOptions::default()) {
        OpenedFile::Game(game) => {
            let end = game.tree.position(game.end);
            let ending = end.outcome().and_then(|outcome| Some(outcome.winner()?.to_string()));
            Ok((game.start.entry.name.to_owned(), end.played_moves(), ending))
        }
        OpenedFile::Journal => panic!("a journal: {text}"),
        OpenedFile::NotAGame(why) => Err(why.to_string()),
    }
}

fn assert_reads_as(text: &str, game: &str, moves: &str, winner: Option<&str>) {
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    assert_eq!(read_game(text), Ok((game.to_owned(), moves, winner.map(str::to_owned))), "{text}");
}

#[test]
fn sgf_property_names_may_be_lower_case() {
    assert_reads_as("(;GM[11]SZ[5];b[a1];w[b2];B[c3])", "hex", "a1 b2 c3", None);
    assert_reads_as("(;gm[11]sz[5];b[B2];w[C3];b[d4])", "hex", "b2 c3 d4", None);
    assert_reads_as("(;GaMe[11]SiZe[5];Black[b2])", "hex", "b2", None);
}

#[test]
fn go_games_are_not_read_as_hex() {
    for text in [
        "(;FF[4]SZ[9]KM[6.5]HA[2]AB[gc][cg];W[ee];B[cc])",
        "(;FF[4]SZ[19]RU[Japanese];B[qd];W[dd])",
        "(;GM[1]SZ[9];B[cc])",
    ] {
        assert!(read_game(text).is_err(), "{text}");
    }
}

#[test]
fn results_without_a_reason_end_the_game() {
    assert_reads_as("(;GM[11]SZ[5]RE[B];B[b2];W[c3])", "hex", "b2 c3", Some("first"));
    assert_reads_as("(;GM[11]SZ[5]RE[white];B[b2];W[c3])", "hex", "b2 c3", Some("second"));
}

#[test]
fn record_headers_may_vary_in_case_and_spacing() {
    for first in [
        "#crosspath hex size=5",
        "# Crosspath hex size=5",
        "#\tcrosspath hex size=5",
        "## crosspath hex size=5",
    ] {
        assert_reads_as(&format!("{first}\n1. b2 c3\n"), "hex", "b2 c3", None);
    }
    assert!(read_game("#crosspathology\nb2 c3\n").is_ok_and(|(game, ..)| game == "tic-tac-toe"));
}

#[test]
fn a_file_may_hold_several_records() {
    let text = "# crosspath hex size=11\n1. a1 b2\n# crosspath hex size=5\n1. c3 d4\n";
    assert_reads_as(text, "hex", "a1 b2", None);
    let OpenedFile::Game(second) = open_game_file(
        text.as_bytes(),
        &RecordReadOptions { number: Some(2), ..RecordReadOptions::default() },
    ) else {
        panic!("the second game")
    };
    assert_eq!(second.tree.position(second.end).played_moves(), ["c3", "d4"]);
    assert!(second.notes.is_empty(), "{:?}", second.notes);
    let OpenedFile::Game(first) = open_game_file(text.as_bytes(), &RecordReadOptions::default()) else {
        panic!("the first game")
    };
    assert_eq!(first.notes.len(), 1);
}

#[test]
fn a_list_with_a_second_game_is_refused_at_its_line() {
    for (text, line) in
        [("f6 d4 1-0\nk11 e5 0-1\n", "2:"), ("1. k11 a1\n\n1. f6 d4\n", "3:"), ("e2 e8 e3h 1-0 e7\n", "1:")]
    {
        let why = read_game(text).unwrap_err();
        assert!(why.starts_with(line), "{text}: {why}");
    }
    assert_reads_as("1. e2 e8\n2. e3h e7 1-0\n", "quoridor", "e2 e8 e3h e7", Some("first"));
}

#[test]
fn arena_games_of_every_game_are_read() {
    for (game, settings, moves) in [
        ("hex", r#""size":5,"swap":true"#, r#"["c3","b2"]"#),
        ("hex", r#""size":5,"swap":false"#, r#"["c3","b2"]"#),
        ("quoridor", r#""size":5,"walls":3"#, r#"["c2","c4"]"#),
    ] {
        let text = format!(
            "{{\"crosspath\":\"arena\",\"game\":\"{game}\",{settings}}}\n{{\"moves\":{moves},\"result\":\"first\"}}\n"
        );
        let (name, played, winner) = read_game(&text).unwrap();
        assert_eq!((name.as_str(), played.len(), winner.as_deref()), (game, 2, Some("first")), "{text}");
    }
}

#[test]
fn links_are_found_inside_other_text() {
    for text in [
        "Game #12: https://hexworld.org/board/#5c1,b2c3",
        "[game](https://hexworld.org/board/#5c1,b2c3)",
        "<a href=\"https://hexworld.org/board/#5c1,b2c3\">here</a>",
        "see https://hexworld.org/board/#5c1,b2c3 and tell me",
        "trmph.com/hex/board#5,b2c3",
    ] {
        assert_reads_as(text, "hex", "b2 c3", None);
    }
}

#[test]
fn move_numbers_need_no_space() {
    assert_reads_as("1.e2e82.e3e73.e3h", "quoridor", "e2 e8 e3 e7 e3h", None);
    assert_reads_as("1.f6d42.e8k11", "hex", "f6 d4 e8 k11", None);
    assert_reads_as("1.e2 e8 2.e3 e7 3.d3v", "quoridor", "e2 e8 e3 e7 d3v", None);
}

#[test]
fn load_prefers_the_current_game_for_a_move_list() {
    let folder = folder();
    let walls = file(&folder, "walls.txt", "e2 e8 e3h d6v");
    let thirteen = file(&folder, "thirteen.txt", "a5 d7 f3 m13");
    let cells = file(&folder, "cells.txt", "e2 e8 e3 e7");
    let marks = file(&folder, "marks.txt", "00 11 22");
    let shown = |game: &str, path: &str| {
        let run = run(&["--mode", "2", "--game", game], format!("load {path}\nwhere\nmoves\n"));
        run.out + &run.err
    };
    for game in ["hex", "quoridor", "tic-tac-toe"] {
        assert!(shown(game, &walls).contains("White to move"), "{game}: {}", shown(game, &walls));
        assert!(shown(game, &thirteen).contains("  4 m13"), "{game}: {}", shown(game, &thirteen));
    }
    // A list that fits the game on the board is read as that game.
    assert!(shown("hex", &cells).contains("Red to move"), "{}", shown("hex", &cells));
    assert!(shown("quoridor", &cells).contains("White to move"), "{}", shown("quoridor", &cells));
    assert!(shown("tic-tac-toe", &marks).contains("O to move"), "{}", shown("tic-tac-toe", &marks));
}

#[test]
fn links_are_accepted_as_files_and_as_input() {
    for link in ["https://hexworld.org/board/#5c1,b2c3d4", "#5c1,b2c3d4", "trmph.com/hex/board#5,b2c3d4"] {
        let opened = run(&[link, "--plain"], "");
        assert!(opened.code == Some(0) && opened.out.contains("d4"), "{link}: {}{}", opened.out, opened.err);
        for line in [link.to_owned(), format!("load {link}")] {
            let pasted = run(&["--mode", "2", "--game", "quoridor"], format!("{line}\nmoves\n"));
            assert!(
                pasted.out.contains("    1 b2     2 c3\n    3 d4"),
                "{line}: {}{}",
                pasted.out,
                pasted.err
            );
        }
        let drawn = run(&["picture", link], "");
        assert!(drawn.code == Some(0) && drawn.out.contains("<svg"), "{link}: {}", drawn.err);
        let converted = run(&["convert", link, "--to", "sgf"], "");
        assert!(converted.out.contains(";B[b2];W[c3];B[d4]"), "{link}: {}", converted.out);
    }
    let bad = run(&["https://hexworld.org/board/"], "");
    assert_eq!(bad.code, Some(65), "{}", bad.err);
}

#[test]
fn load_selects_a_game_by_number() {
    let folder = folder();
    let path = file(&folder, "two games.sgf", "(;SZ[5];B[b2])\n(;SZ[5];B[c3];W[d4])\n");
    let lines = format!("load {path}\nmoves\nload {path} 2\nmoves\nload {path} 3\n");
    let run = run(&["--mode", "2", "--game", "hex"], lines);
    assert!(run.out.contains("    1 b2\n") && run.out.contains("    1 c3     2 d4\n"), "{}", run.out);
    assert!(run.err.contains("load FILE N") && run.err.contains("there is no game 3"), "{}", run.out);
}

#[test]
fn the_move_list_keeps_columns_when_second_begins() {
    let begins = ["--mode", "2", "--game", "hex", "--position", "a1 / - / 2 / 5"];
    let played = run(&begins, "c3\nb2\nd4\nmoves\n");
    assert!(played.out.contains("             1 c3\n    2 b2     3 d4\n"), "{}", played.out);
    let events = run(&[&begins[..], &["--json"]].concat(), "");
    assert!(events.out.contains("\"position\":\"a1 / - / 2 / 5\""), "{}", events.out);
    let usual = run(&["--mode", "2", "--game", "hex", "--json"], "");
    assert!(!usual.out.contains("\"position\""), "{}", usual.out);
}

#[test]
fn the_position_flag_starts_a_game_or_names_the_matching_one() {
    let alone = run(&["--position", "a1 / b2 / 1"], "where\n");
    assert!(alone.out.contains("X to move"), "{}{}", alone.out, alone.err);
    let other = run(&["--position", "- / - / e1 e9 / 10 10 / 1"], "");
    assert!(other.code == Some(2) && other.err.contains("--game quoridor"), "{}", other.err);
    let over = run(&["--position", "a1 b1 c1 / a2 b2 / 2"], "");
    assert!(over.code == Some(2) && !over.err.contains("--game"), "{}", over.err);
    let small = ["--game", "quoridor", "--size", "5", "--position", "- / - / c1 c5 / 3 3 / 2"];
    let small = run(&small, "where\n");
    let is_small = small.out.contains(" 5 |") && !small.out.contains(" 6 |");
    assert!(small.code == Some(0) && is_small, "{}{}", small.out, small.err);
}

#[test]
fn unknown_encodings_are_reported_with_the_one_used() {
    for (text, name, read_as) in [
        (&b"(;SZ[5]CA[foo]PB[J\xc3\xb6rg];B[b2])"[..], "J\u{f6}rg", Some("UTF-8")),
        (b"(;SZ[5]CA[foo]PB[J\xf6rg];B[b2])", "J\u{f6}rg", Some("windows-1252")),
        (b"\xef\xbb\xbf(;SZ[5]CA[foo]PB[J\xc3\xb6rg];B[b2])", "J\u{f6}rg", None),
        (b"(;SZ[5]CA[]PB[Ann];B[b2])", "Ann", None),
        (b"(;SZ[5]CA[latin1]PB[J\xf6rg];B[b2])", "J\u{f6}rg", None),
    ] {
        let game = load_game(text, &RecordReadOptions::default()).unwrap();
        assert_eq!(game.remarks[0].1, name);
        let notes: Vec<&str> = game.notes.iter().map(|note| &*note.why.text).collect();
        let wanted = read_as
            .map(|read_as| format!("the encoding CA[foo] is not known; the file is read as {read_as}"));
        assert_eq!(notes, wanted.iter().map(|text| &**text).collect::<Vec<_>>());
    }
    let folder = folder();
    let path = file(&folder, "foo.sgf", "(;SZ[5]CA[foo];B[b2])");
    let shown = run(&["--mode", "3", &path], "");
    assert!(
        shown.err.contains("the encoding CA[foo] is not known") && shown.code == Some(0),
        "{}",
        shown.err
    );
}

#[test]
fn annotation_signs_become_move_properties() {
    let property =
        |name: &str, value: &str| NodeProperty { name: name.to_owned(), values: vec![value.to_owned()] };
    for (text, hint) in [
        ("1. e2! e8? 2. e3!! e7?? 3. e4!? e6?! 4. d4 ! f6", "quoridor"),
        ("e2!,e8?,e3!!,e7??,e4!?,e6?!,d4+!,f6", "quoridor"),
        ("1. e2! e8#? 2. e3+!! e7?? 3. e4!? e6?! 4. d4#! f6", "quoridor"),
        ("b a1!,w a2?,b b4!!,w d3??,b e5!?,w e4?!,b c3!,w c4", "hex"),
    ] {
        let game =
            load_game(text.as_bytes(), &RecordReadOptions::for_game(find_game(hint).unwrap())).unwrap();
        assert!(game.fault.is_none(), "{:?} in {text}", game.fault);
        let marks = |game: &GameRecord| -> Vec<Vec<NodeProperty>> {
            game.tree
                .main_line_from(NodeId::ROOT)
                .skip(1)
                .map(|id| game.tree.node(id).properties.clone())
                .collect()
        };
        let wanted = ["TE 1", "BM 1", "TE 2", "BM 2", "IT ", "DO ", "TE 1"];
        let wanted = wanted.map(|mark| mark.split_once(' ').map(|(name, value)| vec![property(name, value)]));
        let wanted: Vec<Vec<NodeProperty>> = wanted.into_iter().flatten().chain([Vec::new()]).collect();
        assert_eq!(marks(&game), wanted, "{text}");
        // The marks are written and read back.
        let saved = write_record(&game.tree, game.present, &game.remarks);
        assert_eq!(
            marks(&load_game(saved.as_bytes(), &RecordReadOptions::default()).unwrap()),
            wanted,
            "{saved}"
        );
    }
    let folder = folder();
    let path = file(&folder, "list.txt", "b a1!,w a2?,b b4!?,w d3?!");
    let sgf = run(&["convert", "--game", "hex", &path, "--to", "sgf"], "");
    let written = sgf.out.replace('\n', "");
    assert!(written.contains("B[a1]TE[1];W[a2]BM[1];B[b4]IT[];W[d3]DO[]"), "{written}{}", sgf.err);
    let link = run(&["convert", "--game", "hex", &path, "--to", "hexworld"], "");
    assert!(link.err.contains("leaves out the SGF properties BM, DO, IT, TE"), "{}", link.err);
}
