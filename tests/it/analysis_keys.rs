//! Keys of the analysis board: the cursor sets up a position, the arrows step along the engine's
//! lines.

use std::time::Duration;

use crosspath::journal::{Continued, Folder, Journal, load};
use crosspath::play::{Advice, Command, Match, Mode, Rules};
use crosspath::record::NodeId;
use crosspath::registry;
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};

use crate::rig::{Rig, report, spec};

/// Returns an analysis of a fresh board in a window of 100x35.
fn board(game: &str, settings: &str) -> Rig {
    Rig::of(spec(game, settings, Mode::Analysis), (100, 35))
}

/// Presses Ctrl-U.
fn clear(rig: &mut Rig) {
    let effect = rig.key(KeyCode::Char('u'), KeyModifiers::CONTROL);
    rig.apply(effect);
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
            '⌫' => KeyCode::Backspace,
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

/// Returns the match of a journal, in which every change of the board was written as it came.
fn reopened(journal: &Journal) -> Match {
    let kept = load(&std::fs::read(journal.path().unwrap()).unwrap(), registry::GAMES).unwrap();
    Match::resumed(Rules::default(), kept.spec, kept.record).unwrap()
}

#[test]
fn a_position_that_is_set_up_is_saved_in_one_file_without_a_move() {
    for (game, settings, lines) in [
        ("hex", "size=4", ["b2", "undo", "setup first a1", "setup second b1", "setup turn"]),
        ("quoridor", "size=5", ["d2h", "undo", "setup first c3", "setup second b2h", "setup walls first 1"]),
        ("tic-tac-toe", "size=3", ["b2", "undo", "setup first a1", "setup second c3", "setup turn"]),
    ] {
        let place = tempfile::tempdir().unwrap();
        let mut rig = board(game, settings);
        let mut journal = Journal::new(Some(Folder::at(place.path().to_owned())));
        let mut seen = vec![rig.game().shown().position_text()];
        for line in lines {
            rig.say(line);
            journal.hear(rig.game()).unwrap();
            seen.push(rig.game().shown().position_text());
        }
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1, "{game}: one file");
        let mut game = reopened(&journal);
        assert_eq!(Some(&game.shown().position_text()), seen.last());
        // Each change can be undone, as before it was left.
        for before in seen[2..seen.len() - 1].iter().rev() {
            game.handle(Command::Undo(None), Duration::ZERO);
            assert_eq!(game.shown().position_text(), *before);
        }
        // And each undo is saved too.
        rig.say("undo");
        journal.hear(rig.game()).unwrap();
        assert_eq!(reopened(&journal).shown().position_text(), seen[seen.len() - 2]);
        drop(journal);
        let newest = Continued::newest(&Folder::at(place.path().to_owned()), registry::GAMES);
        assert!(newest.unwrap().is_some(), "--continue opens it");
    }
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

/// Returns an analysis of Quoridor at a position that an engine has studied.
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

#[test]
fn the_word_of_a_key_stays_in_its_line_and_an_emptied_comment_is_deleted() {
    let mut rig = board("hex", "size=4");
    let comments = |rig: &Rig| rig.game().game().tree().node(NodeId::ROOT).comments.clone();
    acts(&mut rig, "Cok⏎");
    assert_eq!(comments(&rig), ["ok"]);
    acts(&mut rig, "C");
    assert!(rig.picture().contains("comment ok"), "the comment can be changed");
    clear(&mut rig);
    acts(&mut rig, "no⏎");
    assert_eq!(comments(&rig), ["no"], "Ctrl-U clears the comment, not the command");
    acts(&mut rig, "C");
    clear(&mut rig);
    acts(&mut rig, "⏎");
    assert_eq!(comments(&rig), Vec::<String>::new());
    acts(&mut rig, "u");
    assert_eq!(comments(&rig), ["no"], "and that can be undone");
    acts(&mut rig, "uu");
    // With nothing in it the line does nothing, and one more Backspace closes it.
    for keys in ["C⏎", "C⌫", "M⌫", "s⌫"] {
        acts(&mut rig, keys);
        assert!(rig.picture().contains("Tab cursor"), "{keys}: {}", rig.picture());
        assert_eq!(comments(&rig), Vec::<String>::new(), "{keys}");
    }
    rig.say("comment -");
    assert!(rig.status().contains("There is no comment on this position."), "{}", rig.status());
}

#[test]
fn a_stone_can_be_marked_also_while_it_may_be_swapped() {
    let mut rig = board("hex", "size=4");
    rig.say("b2");
    acts(&mut rig, "Mb2⏎");
    let marks = &rig.game().game().tree().node(rig.game().game().shown()).properties;
    assert_eq!(marks[0].values, ["b2"], "{}", rig.status());
    rig.say("mark e5");
    assert!(rig.status().contains("mark takes a cell"), "{}", rig.status());
}

#[test]
fn the_analysis_of_a_game_goes_on_when_it_is_opened_again() {
    let mut rig = Rig::two("hex", "size=5 swap=off", "a1 b2 c3", (100, 35));
    for line in ["analyze", "goto 1", "d4", "comment safer"] {
        rig.say(line);
    }
    rig.tell(Command::ReturnToGame);
    assert!(!rig.game().game().is_analysis());
    rig.say("analyze");
    let tree = rig.game().game().tree();
    assert_eq!(tree.len(), 5, "the variation is there");
    assert_eq!(rig.game().shown().played(), ["a1", "b2", "c3"], "at the position that was on the screen");
    rig.say("undo");
    assert!(rig.game().game().tree().ids().all(|id| rig.game().game().tree().node(id).comments.is_empty()));
    // After another move there is more to analyse: a new copy is made.
    rig.tell(Command::ReturnToGame);
    rig.say("e1");
    rig.say("analyze");
    assert_eq!(rig.game().shown().played(), ["a1", "b2", "c3", "e1"]);
    assert_eq!(rig.game().game().tree().len(), 5);
}

#[test]
fn the_last_wall_that_is_taken_away_is_named_and_the_title_says_that_one_sets_up() {
    let mut rig = board("quoridor", "size=5 walls=1");
    acts(&mut rig, "E");
    assert!(rig.picture().lines().next().unwrap().contains("setting up a position"), "{}", rig.picture());
    assert!(rig.picture().contains("+ - walls left"), "{}", rig.picture());
    acts(&mut rig, "--");
    assert!(rig.status().contains("White has no walls left to take away."), "{}", rig.status());
}

#[test]
fn a_mark_on_a_stone_is_drawn_beside_it_or_over_it() {
    let mut rig = board("hex", "size=4 swap=off");
    for line in ["b2", "c3", "mark b2"] {
        rig.say(line);
    }
    let picture = rig.picture();
    assert!(picture.contains("██△██"), "in the middle of a large stone\n{picture}");
    let scene = rig.screen.with(rig.game.as_ref()).scene().unwrap();
    assert!(scene.signs.iter().any(|sign| sign.at == scene.find("b2").unwrap()), "{:?}", scene.signs);
}

#[test]
fn a_stone_that_may_be_swapped_is_set_up_like_others() {
    let mut rig = board("hex", "size=4");
    rig.say("b2");
    acts(&mut rig, "E↑←");
    assert!(rig.picture().contains("setting up"), "{}", rig.picture());
    acts(&mut rig, "2");
    assert_eq!(text(&rig), "- / b2 / 2 / 4", "{}", rig.status());
}
