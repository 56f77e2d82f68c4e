//! Keys of the analysis board: the cursor sets up a position, the arrows walk the engine's lines.

use crosspath::play::{Advice, Command, Mode};
use crosspath::record::NodeId;
use crossterm::event::{KeyCode, MouseButton, MouseEventKind};

use crate::rig::{Rig, report, spec};

/// An analysis of a fresh board in a window of 100x35.
fn board(game: &str, settings: &str) -> Rig {
    Rig::of(spec(game, settings, Mode::Analysis), (100, 35))
}

fn text(rig: &Rig) -> String {
    rig.game().shown().position_text().unwrap()
}

fn acts(rig: &mut Rig, keys: &str) {
    for key in keys.chars() {
        rig.act(match key {
            '→' => KeyCode::Right,
            '←' => KeyCode::Left,
            '↑' => KeyCode::Up,
            '↓' => KeyCode::Down,
            '⏎' => KeyCode::Enter,
            '⇥' => KeyCode::Tab,
            '␛' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        });
    }
}

#[test]
fn a_position_is_set_up_with_the_cursor_and_undone_step_by_step() {
    let mut rig = board("hex", "size=3 swap=off");
    let empty = text(&rig);
    acts(&mut rig, "E");
    assert!(rig.status().starts_with("Setting up"), "{}", rig.status());
    let mut seen = vec![text(&rig)];
    for keys in ["⏎", "⏎", "→1", "↓2", "m", "0"] {
        acts(&mut rig, keys);
        let now = text(&rig);
        assert_ne!(Some(&now), seen.last(), "{keys} changes something");
        seen.push(now);
    }
    // A piece of the first player, then of the second, then nothing.
    assert_eq!(seen[..3], [empty.clone(), "b2 / - / 1 / 3".to_owned(), "- / b2 / 1 / 3".to_owned()]);
    assert_eq!(seen[6], "c2 / b2 / 2 / 3");
    for wanted in seen[..6].iter().rev() {
        acts(&mut rig, "u");
        assert_eq!(text(&rig), *wanted);
    }
    for wanted in &seen[1..] {
        acts(&mut rig, "U");
        assert_eq!(text(&rig), *wanted);
    }
    acts(&mut rig, "␛");
    rig.say("a1");
    assert_eq!(rig.game().shown().plies(), 1, "then it is analysed");
    acts(&mut rig, "uu");
    assert_eq!(text(&rig), seen[5], "after the moves the positions are undone");
}

#[test]
fn a_set_up_after_moves_leaves_the_game_that_undo_brings_back() {
    let mut rig = board("hex", "size=3 swap=off");
    for line in ["a1", "b2", "setup first c1", "setup first c3"] {
        rig.say(line);
    }
    assert_eq!(text(&rig), "a1 c1 c3 / b2 / 1 / 3");
    acts(&mut rig, "uu");
    assert_eq!(rig.game().shown().played(), ["a1", "b2"]);
}

#[test]
fn walls_are_set_up_in_their_gaps_and_counted() {
    let mut rig = board("quoridor", "size=5");
    let left = |rig: &Rig| rig.game().shown().as_setup().unwrap().left.unwrap().first;
    let before = left(&rig);
    acts(&mut rig, "Ew⏎");
    assert_eq!(left(&rig), before - 1, "{}", text(&rig));
    acts(&mut rig, "0");
    assert_eq!(left(&rig), before, "a wall goes back to its hand");
    acts(&mut rig, "-");
    assert_eq!(left(&rig), before - 1);
    acts(&mut rig, "+");
    assert_eq!(left(&rig), before);
    let mut rig = board("hex", "size=3");
    acts(&mut rig, "E+");
    assert!(rig.status().contains("no walls"), "{}", rig.status());
}

#[test]
fn a_position_that_is_set_up_is_a_game_of_its_own() {
    let mut rig = board("hex", "size=4");
    for line in ["b2", "undo"] {
        rig.say(line);
    }
    let before = rig.game().game().number;
    rig.say("setup first a1");
    assert_ne!(rig.game().game().number, before, "the journal of the moves before does not go on");
}

#[test]
fn a_wall_that_changes_hands_goes_back_to_the_first_one() {
    let mut rig = board("quoridor", "size=5");
    let left = |rig: &Rig| rig.game().shown().as_setup().unwrap().left.unwrap();
    let before = left(&rig);
    for line in ["setup first b2h", "setup second b2h", "setup first b2h", "setup remove b2h"] {
        rig.say(line);
    }
    assert_eq!([left(&rig).first, left(&rig).second], [before.first, before.second]);
    rig.say("setup turn");
    assert_eq!(rig.game().shown().to_move(), crosspath::game::Side::Second);
}

#[test]
fn a_review_judges_the_whole_line_wherever_it_is_asked_for() {
    let mut rig = board("tic-tac-toe", "size=3");
    for line in ["b2", "a1", "c3", "goto 0", "review"] {
        rig.say(line);
    }
    assert_eq!(rig.game().game().review_progress(), Some((0, 4)));
    rig.say("goto 2");
    assert!(rig.game().game().review_progress().is_some(), "it goes on");
}

#[test]
fn a_click_sets_up_too() {
    let mut rig = board("hex", "size=5 swap=off");
    acts(&mut rig, "E");
    for wanted in ["b2 / - / 1 / 5", "- / b2 / 1 / 5"] {
        let at = rig.place("b2").unwrap();
        let effect = rig.mouse(MouseEventKind::Down(MouseButton::Left), at);
        rig.say(&effect);
        assert_eq!(text(&rig), wanted);
    }
}

/// An analysis of Quoridor at a position that has been thought about.
fn studied() -> Rig {
    let mut rig = board("quoridor", "size=9");
    for line in ["e2", "e8"] {
        rig.say(line);
    }
    rig.tell(Command::Advise(Advice::Study));
    rig.answer("d5h", report());
    rig
}

#[test]
fn the_arrows_walk_the_lines_of_the_engine() {
    let mut rig = studied();
    let here = rig.game().game().shown();
    acts(&mut rig, "⇥⇥");
    assert!(rig.status().starts_with("The engine's lines"), "{}", rig.status());
    let is_reversed = |rig: &Rig, text: &str| {
        let buffer = rig.buffer();
        let row =
            (0..35).find(|&y| (0..100).map(|x| buffer[(x, y)].symbol()).collect::<String>().contains(text));
        let y = row.unwrap();
        (60..100).any(|x| buffer[(x, y)].modifier.contains(ratatui_core::style::Modifier::REVERSED))
    };
    assert!(is_reversed(&rig, "1. d5h") && !is_reversed(&rig, "2. e5"), "the chosen line stands out");
    acts(&mut rig, "→");
    assert_eq!(rig.game().shown().last().as_deref(), Some("d5h"));
    acts(&mut rig, "→");
    assert!(rig.status().contains("end of the line"), "{}", rig.status());
    acts(&mut rig, "←");
    assert_eq!(rig.game().game().shown(), here);
    acts(&mut rig, "→↓");
    assert_eq!(rig.game().game().shown(), here, "another line begins where all begin");
    acts(&mut rig, "←←");
    assert_eq!(rig.game().game().shown(), here, "and nothing lies before it");
    acts(&mut rig, "⇥→");
    assert_eq!(rig.game().shown().last().as_deref(), Some("d5h"), "the arrows walk the tree again");
    assert_eq!(rig.game().game().tree().children(here).len(), 1);
    assert_eq!(rig.game().game().tree().children(NodeId::ROOT).len(), 1);
}

#[test]
fn one_to_five_lines_are_shown() {
    let mut rig = studied();
    let rows = |rig: &Rig| ["d5h -0.4", "e5 -0.6", "d4 lost"].map(|row| rig.picture().contains(row));
    assert_eq!(rows(&rig), [true; 3]);
    acts(&mut rig, "<<<");
    assert_eq!(rows(&rig), [true, true, false], "{}", rig.picture());
    acts(&mut rig, "<<<");
    assert_eq!(rows(&rig)[1..], [false, false], "{}", rig.picture());
    acts(&mut rig, ">>>>>>");
    assert_eq!(rows(&rig), [true; 3]);
    let mut fresh = board("hex", "size=11");
    acts(&mut fresh, "⇥⇥");
    assert!(fresh.status().contains("no lines here yet"), "{}", fresh.status());
}
