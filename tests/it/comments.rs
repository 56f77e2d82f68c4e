//! The comment on a position is shown with it: in a panel, in the status line, and in lines.

use std::fs;

use crosspath::canvas::Glyphs;
use crosspath::play::{AfterEnd, Mode, MoveFile, Rules};
use crossterm::event::KeyCode;

use crate::rig::{Rig, record, spec};
use crate::sentences::said;
use crate::support::{folder, run};

const LONG: &str =
    "Ann takes the middle, which touches all four lines and is in every opening book that we know of.";

fn text() -> String {
    format!("# crosspath tic-tac-toe size=3\n1. b2 # {LONG}\na1 2. c1 # A threat on a3.\na3\n")
}

fn shown(size: (u16, u16)) -> Rig {
    let file = MoveFile { path: "ann.txt".to_owned(), record: Box::new(record(&text())) };
    let rules = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
    Rig::new(rules, spec("tic-tac-toe", "size=3", Mode::Replay), Some(file), Glyphs::Unicode, size)
}

/// Returns the words of the panel, without its frame.
fn panel(rig: &Rig) -> Option<String> {
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
        let mut rig = shown(size);
        assert_eq!(panel(&rig), None, "{}", rig.picture());
        rig.act(KeyCode::Right);
        assert_eq!(panel(&rig).as_deref(), Some(LONG), "{size:?}: {}", rig.picture());
        rig.act(KeyCode::Right);
        assert_eq!(panel(&rig), None);
        rig.act(KeyCode::Right);
        assert_eq!(panel(&rig).as_deref(), Some("A threat on a3."));
        // It stays while the game is played on from there.
        rig.act(KeyCode::Char('x'));
        assert_eq!(panel(&rig).as_deref(), Some("A threat on a3."));
    }
}

#[test]
fn where_no_panel_has_room_the_status_line_has_the_first_line_of_the_comment() {
    let mut rig = shown((44, 24));
    rig.say("goto 3");
    assert_eq!(panel(&rig), None, "{}", rig.picture());
    assert!(rig.status().ends_with(" A threat on a3."), "{}", rig.status());
    rig.say("goto 1");
    assert!(rig.picture().contains("Ann takes the middle"), "{}", rig.picture());
}

#[test]
fn a_command_shows_the_comment() {
    let mut rig = shown((80, 24));
    rig.say("comment");
    assert_eq!(rig.status(), said!("no-comment-here"));
    rig.say("goto 3");
    rig.say("comment");
    assert_eq!(rig.status(), "A threat on a3.");
}

#[test]
fn in_lines_a_comment_follows_its_board_once() {
    let place = folder();
    let path = place.path().join("ann.txt");
    fs::write(&path, text()).unwrap();
    let path = path.to_str().unwrap();
    let run = run(&["--mode", "3", path], "");
    for (comment, next) in [(LONG, "2. O a1"), ("A threat on a3.", "4. O a3")] {
        assert_eq!(run.out.matches(comment).count(), 1, "{}", run.out);
        let (before, behind) = run.out.split_once(&format!("\n  {comment}\n")).expect(&run.out);
        assert!(before.lines().last().unwrap().starts_with("  3"), "a board stands before it: {}", run.out);
        assert!(behind.starts_with(next), "{}", run.out);
    }
}
