//! The comment of a position is shown in a panel, in the status line, or in line mode.

use std::fs;

use crosspath::canvas::GlyphSet;
use crosspath::play::{AfterGameEnd, GameMode, MatchRules, MoveFile};
use crossterm::event::KeyCode;

use crate::sentences::said;
use crate::support::{folder, run};
use crate::tui_harness::{Rig, record, spec};

const LONG_COMMENT: &str =
    "Ann takes the middle, which touches all four lines and is in every opening book that we know of.";

fn record_text() -> String {
    format!("# crosspath tic-tac-toe size=3\n1. b2 # {LONG_COMMENT}\na1 2. c1 # A threat on a3.\na3\n")
}

fn replay_with_comments(size: (u16, u16)) -> Rig {
    let file = MoveFile { path: "ann.txt".to_owned(), record: Box::new(record(&record_text())) };
    let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
    Rig::new(rules, spec("tic-tac-toe", "size=3", GameMode::Replay), Some(file), GlyphSet::Unicode, size)
}

/// Returns the text of the comment panel, without its frame.
fn comment_panel(rig: &Rig) -> Option<String> {
    let picture = rig.picture();
    let mut rows = picture.lines().skip_while(|row| !row.contains("┌─ Comment ─"));
    let x = rows.next()?.split("┌─ Comment ─").next()?.chars().count();
    let inside =
        rows.map(|row| row.chars().skip(x).collect::<String>()).take_while(|row| row.starts_with('│'));
    Some(inside.map(|row| row.trim_matches(['│', ' ']).to_owned()).collect::<Vec<_>>().join(" "))
}

#[test]
fn the_comment_of_the_shown_position_has_a_panel() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let mut rig = replay_with_comments(size);
        assert_eq!(comment_panel(&rig), None, "{}", rig.picture());
        rig.act(KeyCode::Right);
        assert_eq!(comment_panel(&rig).as_deref(), Some(LONG_COMMENT), "{size:?}: {}", rig.picture());
        rig.act(KeyCode::Right);
        assert_eq!(comment_panel(&rig), None);
        rig.act(KeyCode::Right);
        assert_eq!(comment_panel(&rig).as_deref(), Some("A threat on a3."));
        // It stays when the game is played on from there.
        rig.act(KeyCode::Char('x'));
        assert_eq!(comment_panel(&rig).as_deref(), Some("A threat on a3."));
    }
}

#[test]
fn without_room_for_a_panel_the_comment_is_in_the_status_line() {
    let mut rig = replay_with_comments((44, 24));
    rig.say("goto 3");
    assert_eq!(comment_panel(&rig), None, "{}", rig.picture());
    assert!(rig.status().ends_with(" A threat on a3."), "{}", rig.status());
    rig.say("goto 1");
    assert!(rig.picture().contains("Ann takes the middle"), "{}", rig.picture());
}

#[test]
fn the_comment_command_shows_the_comment() {
    let mut rig = replay_with_comments((80, 24));
    rig.say("comment");
    assert_eq!(rig.status(), said!("no-comment-here"));
    rig.say("goto 3");
    rig.say("comment");
    assert_eq!(rig.status(), "A threat on a3.");
}

#[test]
fn line_mode_prints_each_comment_once_after_its_board() {
    let place = folder();
    let path = place.path().join("ann.txt");
    fs::write(&path, record_text()).unwrap();
    let path = path.to_str().unwrap();
    let run = run(&["--mode", "3", path], "");
    for (comment, next) in [(LONG_COMMENT, "2. O a1"), ("A threat on a3.", "4. O a3")] {
        assert_eq!(run.out.matches(comment).count(), 1, "{}", run.out);
        let (before, behind) = run.out.split_once(&format!("\n  {comment}\n")).expect(&run.out);
        assert!(before.lines().last().unwrap().starts_with("  3"), "a board stands before it: {}", run.out);
        assert!(behind.starts_with(next), "{}", run.out);
    }
}
