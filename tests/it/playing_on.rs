//! A replay that is played on: both sides are free until an engine is asked for, and the players keep their names.

use crosspath::canvas::Glyphs;
use crosspath::game::Side;
use crosspath::play::{AfterEnd, Mode, MoveFile, Rules, Seat};
use crossterm::event::KeyCode;

use crate::rig::{Rig, record, spec};
use crate::sentences::said;

/// A game of Ann and Ben, as it is shown.
fn of_ann_and_ben(size: (u16, u16)) -> Rig {
    shown("first: Ann \u{b7} second: Ben", size)
}

/// A game of these players, as it is shown.
fn shown(players: &str, size: (u16, u16)) -> Rig {
    let text = format!("# crosspath tic-tac-toe size=4\n# {players}\n1. a1 b2 2. c3 d4\n");
    let file = MoveFile { path: "ann.txt".to_owned(), record: Box::new(record(&text)) };
    let rules = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
    Rig::new(rules, spec("tic-tac-toe", "size=4", Mode::Replay), Some(file), Glyphs::Unicode, size)
}

#[test]
fn who_plays_on_from_a_replay_moves_for_both_sides_until_an_engine_is_asked_for() {
    for size in [(80, 24), (160, 50)] {
        let mut rig = of_ann_and_ben(size);
        rig.say("goto 2");
        rig.act(KeyCode::Char('x'));
        let status = rig.status();
        assert!(status.contains(said!("you-move-for-both", ":side first")), "{status}");
        for text in ["a2", "b3", "a3"] {
            rig.say(text);
            assert!(rig.game().jobs().is_empty(), "no engine answers {text}");
            let picture = rig.picture();
            assert!(picture.contains("Ann X") && picture.contains("O Ben"), "{picture}");
        }
        let saved = rig.game().record(Some("2026-01-02"));
        assert!(saved.contains("first: Ann") && saved.contains("second: Ben"), "{saved}");
        assert!(saved.contains("c3") && !saved.contains("2026"), "{saved}");
        // An engine that is asked for takes the other side.
        rig.say("side first");
        assert!(rig.is_thinking(), "it is the move of O");
        let seats = Side::BOTH.map(|side| matches!(rig.game().game().seat(side), Some(Seat::Engine(_))));
        assert_eq!(seats, [false, true]);
        assert!(rig.picture().contains("You X"), "{}", rig.picture());
        assert!(rig.game().record(None).contains("second: Ben"), "the file says who played it");
    }
}

#[test]
fn an_engine_is_asked_for_by_side_where_two_people_play() {
    let mut rig = Rig::two("hex", "size=5", "c3", (80, 24));
    rig.say("level 3");
    assert_eq!(rig.status(), said!("no-machine-plays-here"));
    rig.say("side red");
    assert!(rig.is_thinking());
    rig.say("level 3");
    assert!(rig.picture().contains("level 3"), "{}", rig.picture());
}

#[test]
fn in_a_replay_of_your_own_game_the_title_calls_you_you() {
    let rig = shown("first: crosspath level 2 \u{b7} second: human", (100, 35));
    let picture = rig.picture();
    assert!(picture.contains("level 2 X") && picture.contains("O You"), "{picture}");
    let two = shown("first: human \u{b7} second: human", (100, 35));
    let picture = two.picture();
    assert!(picture.contains("human X") && picture.contains("O human"), "{picture}");
}

#[test]
fn the_list_of_moves_counts_the_side_lines_at_each_move() {
    let mut rig = Rig::two("hex", "size=5", "b2 c2 d2", (80, 24));
    assert!(!rig.picture().contains('+'), "{}", rig.picture());
    for other in ["d3", "d4"] {
        rig.say("undo");
        rig.say(other);
    }
    assert!(rig.picture().contains("3 d4 +2"), "{}", rig.picture());
    rig.say("goto 2");
    rig.act(KeyCode::Right);
    rig.act(KeyCode::Up);
    assert!(rig.picture().contains("+2"), "{}", rig.picture());
}
