//! The panels beside the board, what lies below it, and the key that shows what the machine thinks.

use crosspath::canvas::Glyphs;
use crosspath::play::{Command, Place};
use crosspath::session::Report;
use crosspath::worker::HostId;
use crossterm::event::KeyCode;

use crate::review::{answer_all, replay};
use crate::rig::{Rig, report};

const HEX: &str = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8 c9 b10 d5 c5 d4";
const QUORIDOR: &str = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h e3 e5 e2 d5 e3 c5";

/// The rows inside the frame of a panel.
fn inside<'p>(picture: &'p str, title: &str) -> Vec<&'p str> {
    let head = format!("─ {title}");
    picture
        .lines()
        .skip_while(|row| !row.contains(&head))
        .skip(1)
        .take_while(|row| !row.contains("└─"))
        .collect()
}

/// The rows of a panel that have a text.
fn told(rows: &[&str]) -> usize {
    let text = |row: &&&str| row.rsplit('│').nth(1).is_some_and(|text| !text.trim().is_empty());
    rows.iter().filter(text).count()
}

#[test]
fn the_moves_have_the_rows_that_the_engine_does_not_use() {
    for (game, settings, moves) in [("hex", "size=11", HEX), ("quoridor", "size=9", QUORIDOR)] {
        for size in [(80, 24), (100, 35)] {
            let mut rig = Rig::board(game, settings, moves, Glyphs::Unicode, size);
            let check = |rig: &Rig, rounds: usize| {
                let picture = rig.picture();
                let [engine, moves] = ["Engine", "Moves"].map(|title| inside(&picture, title));
                assert_eq!(told(&engine), engine.len(), "blank rows in\n{picture}");
                assert!(told(&moves) >= rounds, "{} of {rounds} rounds in\n{picture}", told(&moves));
            };
            // All that the machine can tell, a line alone, nothing yet.
            check(&rig, 3);
            rig.think(&Report { candidates: Vec::new(), ..report() });
            check(&rig, 5);
            rig.say("undo");
            check(&rig, 7);
        }
    }
}

#[test]
fn a_legend_does_not_come_and_go_with_what_the_engine_says() {
    let mut rig = Rig::board("quoridor", "size=9", "e2 e8", Glyphs::Unicode, (100, 35));
    let has_legend = |rig: &Rig| rig.picture().contains("─ Legend ─");
    assert!(has_legend(&rig));
    rig.say("e3");
    assert!(has_legend(&rig), "{}", rig.picture());
    rig.think(&report());
    assert!(has_legend(&rig), "{}", rig.picture());
}

#[test]
fn the_curve_comes_back_when_the_engine_is_put_away() {
    let mut rig = replay(Glyphs::Unicode, (80, 24));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    rig.tell(Command::Show(Place::Ply(10)));
    let has = |rig: &Rig| ["chances", "─ Engine ─"].map(|title| rig.picture().contains(title));
    assert_eq!(has(&rig), [true, false], "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert_eq!(has(&rig), [false, true], "{}", rig.picture());
    let said = "The machine thinks about every position shown, in place of the curve. v stops it.";
    assert_eq!(rig.status(), said);
    rig.tell(Command::Advise(crosspath::play::Advice::Study));
    rig.think(&report());
    let has_numbers = |rig: &Rig| rig.picture().contains("1-3 best");
    assert!(has_numbers(&rig), "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert_eq!(has(&rig), [true, false], "{}", rig.picture());
    assert!(!has_numbers(&rig), "{}", rig.picture());
    assert_eq!(
        rig.status(),
        "The machine thinks no more: the curve is back. v lets it think about every position."
    );
    // What is asked for last is there.
    rig.act(KeyCode::Char('v'));
    rig.act(KeyCode::Char('a'));
    assert_eq!(has(&rig), [true, false], "{}", rig.picture());
}

#[test]
fn the_key_puts_panel_and_numbers_of_a_replay_away_where_both_have_room() {
    let mut rig = replay(Glyphs::Unicode, (100, 50));
    rig.tell(Command::Show(Place::Ply(10)));
    rig.act(KeyCode::Char('v'));
    rig.tell(Command::Advise(crosspath::play::Advice::Study));
    rig.think(&report());
    assert!(rig.picture().contains("│ 1. d5h"), "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert!(
        !rig.picture().contains("─ Engine ─") && !rig.picture().contains("1-3 best"),
        "{}",
        rig.picture()
    );
}

#[test]
fn a_narrow_window_explains_what_lies_over_the_board_in_a_blank_row() {
    let mut rig = Rig::board("hex", "size=11", HEX, Glyphs::Unicode, (60, 24));
    rig.press(KeyCode::Char('p'));
    rig.say("where");
    rig.press(KeyCode::Esc);
    rig.press(KeyCode::Char('T'));
    assert!(rig.status().starts_with("Theme:"), "{}", rig.status());
    let legend = "Safe links: + Red, - Blue; ways: • Red, ◦ Blue; ◊ both";
    assert_eq!(rig.picture().matches(legend).count(), 1, "{}", rig.picture());
}

#[test]
fn the_first_press_thinks_where_nothing_is_known_and_the_next_one_hides() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "c2 f6 d9", (80, 24));
    let is_there = |rig: &Rig| rig.picture().contains("─ Engine ─");
    for back in [0, 1] {
        if back > 0 {
            rig.tell(Command::Show(Place::Back(back)));
        }
        assert!(is_there(&rig), "{}", rig.picture());
        rig.act(KeyCode::Char('v'));
        let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
        rig.answer_job(job.expect("the machine thinks"), "e8", report());
        assert!(is_there(&rig) && rig.picture().contains("│ 1. d5h"), "{}", rig.picture());
        rig.act(KeyCode::Char('v'));
        assert!(!is_there(&rig), "{}", rig.picture());
        rig.act(KeyCode::Char('v'));
        assert!(is_there(&rig), "{}", rig.picture());
    }
}

#[test]
fn a_move_that_needed_no_search_is_named() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "", (80, 24));
    rig.act(KeyCode::Char('v'));
    let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
    let (pv, candidates) = (vec!["a10".to_owned()], Vec::new());
    let known = Report { nodes: 0, score: None, worth: None, chance: None, pv, candidates, ..report() };
    rig.answer_job(job.expect("the machine thinks"), "a10", known);
    assert!(rig.picture().contains("a10: no search was needed"), "{}", rig.picture());
}
