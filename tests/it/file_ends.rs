//! Beginnings and ends of games in files: results, early ends, truncated files, and games that Second
//! begins.

use crosspath::game::{Outcome, Side};
use crosspath::record::{GameTree, MoveSource, NodeId, RecordReadOptions, load_game, sgf};
use crosspath::registry::{GameStart, Variant, find_game};
use crosspath::session::{EarlyEnd, LossReason};

use crate::game_files::{played_moves, read_hex};

#[test]
fn results_and_white_to_begin_are_understood() {
    let end = |text: &str| {
        let record = read_hex(text);
        let position = record.tree.position(record.end).clone();
        (position.outcome().and_then(Outcome::winner), position.early_end(), record.notes.len())
    };
    let (first, second) = (Side::First, Side::Second);
    let lost = |side: Side, reason| (Some(side.other()), Some(EarlyEnd::Lost(side, reason)), 0);
    assert_eq!(end("(;SZ[5]RE[B+];B[c3])"), lost(second, LossReason::Unstated));
    assert_eq!(end("(;SZ[5]RE[B+5];B[c3])"), lost(second, LossReason::Unstated));
    assert_eq!(end("(;SZ[5]RE[W];B[c3])"), lost(first, LossReason::Unstated));
    assert_eq!(end("(;SZ[5]RE[W+Resign];B[c3])"), lost(first, LossReason::Resigned));
    assert_eq!(end("(;SZ[5]RE[B+T];B[c3])"), lost(second, LossReason::TimedOut));
    assert_eq!(end("(;SZ[5]RE[W+Forfeit];B[c3])"), lost(first, LossReason::Forfeited));
    assert_eq!(end("(;SZ[5];B[c3];W[FORFEIT])"), lost(second, LossReason::Forfeited));
    // Some programs write every early end as a resignation, with the reason beside it.
    assert_eq!(end("(;SZ[5]RE[B+Time];B[c3];W[resign])"), lost(second, LossReason::TimedOut));
    assert_eq!(end("(;SZ[5]RE[B+];B[c3];W[resign])"), lost(second, LossReason::Resigned));
    assert_eq!(end("(;SZ[5]RE[?];B[c3])"), (None, None, 0));
    // The result on the board overrides the file.
    assert_eq!(end("(;SZ[2]RE[W+];B[a1];W[b1];B[a2])"), (Some(first), None, 1));
    assert_eq!(end("(;SZ[2]RE[B+];B[a1];W[b1];B[a2];W[resign])"), (Some(first), None, 0));
    let golem = read_hex("(;FF[4]SZ[13]RE[B];W[am];B[swap];W[ii];B[de])");
    assert_eq!((played_moves(&golem), golem.notes.len()), ("a13 swap i9 d5".to_owned(), 1));
    let over = load_game(b"(;SZ[2];B[a1];W[b1];B[a2];W[b2])", &RecordReadOptions::default()).unwrap();
    assert_eq!(over.fault.unwrap().surplus.as_deref(), Some("b2"));
}

#[test]
fn unknown_results_are_preserved() {
    for result in ["0", "Draw", "Void", "?"] {
        let record = read_hex(&format!("(;SZ[5]RE[{result}];B[c3])"));
        assert_eq!(record.tree.position(record.end).outcome(), None, "{result}");
        let (text, lost) =
            sgf::write_sgf(&record.tree, record.end, &record.remarks, sgf::SgfStyle::default()).unwrap();
        assert!(text.contains(&format!("RE[{result}]")) && lost.is_empty(), "{text} {lost:?}");
    }
    for result in ["B+R", "W+T", "B+F", "W+"] {
        let record = read_hex(&format!("(;SZ[5]RE[{result}];B[c3])"));
        let (text, _) =
            sgf::write_sgf(&record.tree, record.end, &record.remarks, sgf::SgfStyle::default()).unwrap();
        assert!(text.contains(&format!("RE[{result}]")), "{result}: {text}");
    }
}

#[test]
fn truncated_files_keep_the_moves_before_the_cut() {
    for (text, moves, why) in [
        ("(;SZ[5];B[a1];W[b2];B[c3", "a1 b2", "] is missing"),
        ("(;SZ[5];B[a1];W[b2]C[a com", "a1 b2", "] is missing"),
        ("(;SZ[5]\n;B[a1];W[b2]", "a1 b2", ") is missing"),
        ("(;SZ[5];B[a1](;W[b2])(;W[c3]", "a1 b2", ") is missing"),
    ] {
        let record = read_hex(text);
        assert_eq!(record.tree.position(record.end).played_moves().join(" "), moves, "{text}");
        let fault = record.fault.unwrap();
        assert!(fault.why.reason().contains(why), "{text}: {}", fault.why.reason());
        assert_eq!(fault.line, 1 + text.matches('\n').count(), "{text}");
    }
    for text in ["(;SZ[5", "(;SZ[5]", "(;", "(;SZ[5];B[a1"] {
        assert!(load_game(text.as_bytes(), &RecordReadOptions::default()).is_err(), "{text}");
    }
    let line = |text: &str| read_hex(text).fault.unwrap().line;
    assert_eq!(line("(;SZ[5]\n;B[a1]\n;W[a1]\n\n;B[c3])"), 3, "the line of the move, not of what follows it");
}

#[test]
fn go_coordinates_without_a_game_give_a_note() {
    let notes = |text: &str| read_hex(text).notes.len();
    assert_eq!(notes("(;SZ[13];B[pd];B[dd])".replace("pd", "ed").as_str()), 1);
    assert_eq!(notes("(;GM[11]SZ[13];B[ed])"), 0);
    assert_eq!(notes("(;SZ[13]SO[http://www.littlegolem.com];B[ed])"), 0);
    assert_eq!(notes("(;SZ[13];B[e4])"), 0);
}

#[test]
fn an_empty_board_with_second_to_move_round_trips() {
    let start =
        GameStart::from_position_text(find_game("hex").unwrap(), Variant::of_size(5), "- / - / 2").unwrap();
    let mut tree = GameTree::new(start.position().unwrap());
    let end = tree.play_move(NodeId::ROOT, "a1", MoveSource::Human).unwrap();
    let (text, _) = sgf::write_sgf(&tree, end, &[], sgf::SgfStyle::default()).unwrap();
    let read = read_hex(&text);
    assert_eq!(read.tree.position(NodeId::ROOT).to_move(), Side::Second, "{text}");
    assert_eq!(read.tree.position(read.end).view().list_pieces(Side::Second), ["a1"], "{text}");
    // In files of other programs the colours are exchanged.
    let other = read_hex("(;SZ[5]PL[W];W[a1])");
    assert_eq!(other.tree.position(other.end).view().list_pieces(Side::First), ["a1"]);
}

#[test]
fn files_of_crosspath_omit_passes() {
    let own = read_hex("(;GM[11]AP[crosspath:0.1.0]SZ[5];W[c3];W[b2];B[a1])");
    assert_eq!(played_moves(&own), "pass c3 pass b2 a1");
    let other = read_hex("(;GM[11]SZ[5];B[c3];B[b2])");
    assert!(other.fault.is_some(), "another program's file is wrong there");
}

#[test]
fn player_properties_follow_their_player() {
    let record = read_hex("(;GM[11]SZ[5]PB[Ann]PW[Bob]BR[1d]WR[9d];W[c3]WL[99];B[d4]BL[88])");
    let (text, _) =
        sgf::write_sgf(&record.tree, record.end, &record.remarks, sgf::SgfStyle::default()).unwrap();
    for part in ["PB[Bob]", "PW[Ann]", "BR[9d]", "WR[1d]", ";B[c3]BL[99]", ";W[d4]WL[88]"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn damaged_arena_files_name_the_skipped_line() {
    let head = r#"{"crosspath":"arena","game":"hex","size":5}"#;
    let game =
        r#"{"first":"a","second":"b","opening":[],"moves":["b2","c3"],"result":"first","reason":"resign"}"#;
    let notes = |text: &str| {
        let record = load_game(text.as_bytes(), &RecordReadOptions::default()).unwrap();
        record.notes.iter().map(|note| (note.line, note.why.reason().into_string())).collect::<Vec<_>>()
    };
    assert!(notes(&format!("{head}\n{game}\n")).is_empty());
    let damaged = notes(&format!("{head}\ngarbage\n{game}\n"));
    assert!(damaged[0].0 == 2 && damaged[0].1.contains("damaged"), "{damaged:?}");
    let cut = notes(&format!("{head}\n{game}\n{}\n", &game[..40]));
    assert!(cut[0].0 == 3 && cut[0].1.contains("breaks off"), "{cut:?}");
}
