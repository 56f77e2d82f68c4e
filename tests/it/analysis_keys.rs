//! Keys of the analysis board: setting up a position with the cursor, and stepping through the
//! engine's lines with the arrows.

use std::time::Duration;

use crosspath::journal::{ContinuedGame, JournalFolder, MatchJournal, load_journal};
use crosspath::play::{AdviceKind, Command, GameMode, Match, MatchRules};
use crosspath::record::NodeId;
use crosspath::registry;
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};

use crate::tui_harness::{Rig, report, spec};

/// Returns an analysis of an empty board in a window of 100x35.
fn analysis_board(game: &str, settings: &str) -> Rig {
    Rig::of(spec(game, settings, GameMode::Analysis), (100, 35))
}

/// Presses Ctrl-U.
fn clear_input(rig: &mut Rig) {
    let effect = rig.key(KeyCode::Char('u'), KeyModifiers::CONTROL);
    rig.apply(effect);
}

fn position_text(rig: &Rig) -> String {
    rig.game().shown_position().position_text().unwrap()
}

fn press_keys(rig: &mut Rig, keys: &str) {
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
fn setup_keys_edit_the_position_and_undo_reverts_each_step() {
    let mut rig = analysis_board("hex", "size=3 swap=off");
    let empty = position_text(&rig);
    press_keys(&mut rig, "E");
    assert!(rig.status().starts_with("Setting up"), "{}", rig.status());
    let mut seen = vec![position_text(&rig)];
    for keys in ["⏎", "⏎", "→1", "↓2", "m", "0"] {
        press_keys(&mut rig, keys);
        let now = position_text(&rig);
        assert_ne!(Some(&now), seen.last(), "{keys} changes something");
        seen.push(now);
    }
    // Enter places a piece of First, then one of Second, then removes it.
    assert_eq!(seen[..3], [empty.clone(), "b2 / - / 1 / 3".to_owned(), "- / b2 / 1 / 3".to_owned()]);
    assert_eq!(seen[6], "c2 / b2 / 2 / 3");
    for wanted in seen[..6].iter().rev() {
        press_keys(&mut rig, "u");
        assert_eq!(position_text(&rig), *wanted);
    }
    for wanted in &seen[1..] {
        press_keys(&mut rig, "U");
        assert_eq!(position_text(&rig), *wanted);
    }
    press_keys(&mut rig, "␛");
    rig.say("a1");
    assert_eq!(rig.game().shown_position().plies(), 1, "then it is analysed");
    press_keys(&mut rig, "uu");
    assert_eq!(position_text(&rig), seen[5], "after the moves the positions are undone");
}

#[test]
fn undo_restores_the_moves_before_a_setup() {
    let mut rig = analysis_board("hex", "size=3 swap=off");
    for line in ["a1", "b2", "setup first c1", "setup first c3"] {
        rig.say(line);
    }
    assert_eq!(position_text(&rig), "a1 c1 c3 / b2 / 1 / 3");
    press_keys(&mut rig, "uu");
    assert_eq!(rig.game().shown_position().played_moves(), ["a1", "b2"]);
}

#[test]
fn setup_walls_change_the_walls_left() {
    let mut rig = analysis_board("quoridor", "size=5");
    let left = |rig: &Rig| rig.game().shown_position().to_setup().unwrap().left.unwrap().first;
    let before = left(&rig);
    press_keys(&mut rig, "Ew⏎");
    assert_eq!(left(&rig), before - 1, "{}", position_text(&rig));
    press_keys(&mut rig, "0");
    assert_eq!(left(&rig), before, "a wall goes back to its hand");
    press_keys(&mut rig, "-");
    assert_eq!(left(&rig), before - 1);
    press_keys(&mut rig, "+");
    assert_eq!(left(&rig), before);
    let mut rig = analysis_board("hex", "size=3");
    press_keys(&mut rig, "E+");
    assert!(rig.status().contains("no walls"), "{}", rig.status());
}

/// Returns the match of a journal to which every change of the board was written at once.
fn reload_match(journal: &MatchJournal) -> Match {
    let loaded =
        load_journal(&std::fs::read(journal.current_path().unwrap()).unwrap(), registry::GAMES).unwrap();
    Match::from_record(MatchRules::default(), loaded.spec, loaded.record).unwrap()
}

#[test]
fn setup_changes_are_saved_in_one_file() {
    for (game, settings, lines) in [
        ("hex", "size=4", ["b2", "undo", "setup first a1", "setup second b1", "setup turn"]),
        ("quoridor", "size=5", ["d2h", "undo", "setup first c3", "setup second b2h", "setup walls first 1"]),
        ("tic-tac-toe", "size=3", ["b2", "undo", "setup first a1", "setup second c3", "setup turn"]),
    ] {
        let place = tempfile::tempdir().unwrap();
        let mut rig = analysis_board(game, settings);
        let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_owned())));
        let mut seen = vec![rig.game().shown_position().position_text()];
        for line in lines {
            rig.say(line);
            journal.record_changes(rig.game()).unwrap();
            seen.push(rig.game().shown_position().position_text());
        }
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1, "{game}: one file");
        let mut game = reload_match(&journal);
        assert_eq!(Some(&game.shown_position().position_text()), seen.last());
        // Each change can still be undone.
        for before in seen[2..seen.len() - 1].iter().rev() {
            game.handle_command(Command::Undo(None), Duration::ZERO);
            assert_eq!(game.shown_position().position_text(), *before);
        }
        // Each undo is saved too.
        rig.say("undo");
        journal.record_changes(rig.game()).unwrap();
        assert_eq!(reload_match(&journal).shown_position().position_text(), seen[seen.len() - 2]);
        drop(journal);
        let newest =
            ContinuedGame::newest_unfinished(&JournalFolder::new(place.path().to_owned()), registry::GAMES);
        assert!(newest.unwrap().is_some(), "--continue opens it");
    }
}

#[test]
fn a_wall_that_changes_owner_returns_to_its_first_owner() {
    let mut rig = analysis_board("quoridor", "size=5");
    let left = |rig: &Rig| rig.game().shown_position().to_setup().unwrap().left.unwrap();
    let before = left(&rig);
    for line in ["setup first b2h", "setup second b2h", "setup first b2h", "setup remove b2h"] {
        rig.say(line);
    }
    assert_eq!([left(&rig).first, left(&rig).second], [before.first, before.second]);
    rig.say("setup turn");
    assert_eq!(rig.game().shown_position().to_move(), crosspath::game::Side::Second);
}

#[test]
fn a_review_covers_the_whole_line_from_any_position() {
    let mut rig = analysis_board("tic-tac-toe", "size=3");
    for line in ["b2", "a1", "c3", "goto 0", "review"] {
        rig.say(line);
    }
    assert_eq!(rig.game().game().review_progress(), Some((0, 4)));
    rig.say("goto 2");
    assert!(rig.game().game().review_progress().is_some(), "it goes on");
}

#[test]
fn clicks_set_up_pieces() {
    let mut rig = analysis_board("hex", "size=5 swap=off");
    press_keys(&mut rig, "E");
    for wanted in ["b2 / - / 1 / 5", "- / b2 / 1 / 5"] {
        let at = rig.place("b2").unwrap();
        let effect = rig.mouse(MouseEventKind::Down(MouseButton::Left), at);
        rig.say(&effect);
        assert_eq!(position_text(&rig), wanted);
    }
}

/// Returns an analysis of Quoridor at a position that an engine has analysed.
fn analyzed_quoridor() -> Rig {
    let mut rig = analysis_board("quoridor", "size=9");
    for line in ["e2", "e8"] {
        rig.say(line);
    }
    rig.execute(Command::Advise(AdviceKind::Study));
    rig.answer("d5h", report());
    rig
}

#[test]
fn the_arrows_step_through_engine_lines() {
    let mut rig = analyzed_quoridor();
    let here = rig.game().game().shown_node();
    press_keys(&mut rig, "⇥⇥");
    assert!(rig.status().starts_with("The engine's lines"), "{}", rig.status());
    let is_reversed = |rig: &Rig, text: &str| {
        let buffer = rig.buffer();
        let row =
            (0..35).find(|&y| (0..100).map(|x| buffer[(x, y)].symbol()).collect::<String>().contains(text));
        let y = row.unwrap();
        (60..100).any(|x| buffer[(x, y)].modifier.contains(ratatui_core::style::Modifier::REVERSED))
    };
    assert!(is_reversed(&rig, "1. d5h") && !is_reversed(&rig, "2. e5"), "the chosen line stands out");
    press_keys(&mut rig, "→");
    assert_eq!(rig.game().shown_position().last_move().as_deref(), Some("d5h"));
    press_keys(&mut rig, "→");
    assert!(rig.status().contains("end of the line"), "{}", rig.status());
    press_keys(&mut rig, "←");
    assert_eq!(rig.game().game().shown_node(), here);
    press_keys(&mut rig, "→↓");
    assert_eq!(rig.game().game().shown_node(), here, "another line begins where all begin");
    press_keys(&mut rig, "←←");
    assert_eq!(rig.game().game().shown_node(), here, "and nothing lies before it");
    press_keys(&mut rig, "⇥→");
    assert_eq!(
        rig.game().shown_position().last_move().as_deref(),
        Some("d5h"),
        "the arrows walk the tree again"
    );
    assert_eq!(rig.game().game().tree().children(here).len(), 1);
    assert_eq!(rig.game().game().tree().children(NodeId::ROOT).len(), 1);
}

#[test]
fn the_number_of_engine_lines_can_be_changed() {
    let mut rig = analyzed_quoridor();
    let rows = |rig: &Rig| ["d5h -0.4", "e5 -0.6", "d4 lost"].map(|row| rig.picture().contains(row));
    assert_eq!(rows(&rig), [true; 3]);
    press_keys(&mut rig, "<<<");
    assert_eq!(rows(&rig), [true, true, false], "{}", rig.picture());
    press_keys(&mut rig, "<<<");
    assert_eq!(rows(&rig)[1..], [false, false], "{}", rig.picture());
    press_keys(&mut rig, ">>>>>>");
    assert_eq!(rows(&rig), [true; 3]);
    let mut fresh = analysis_board("hex", "size=11");
    press_keys(&mut fresh, "⇥⇥");
    assert!(fresh.status().contains("no lines here yet"), "{}", fresh.status());
}

#[test]
fn clearing_the_comment_field_deletes_the_comment() {
    let mut rig = analysis_board("hex", "size=4");
    let comments = |rig: &Rig| rig.game().game().tree().node(NodeId::ROOT).comments.clone();
    press_keys(&mut rig, "Cok⏎");
    assert_eq!(comments(&rig), ["ok"]);
    press_keys(&mut rig, "C");
    assert!(rig.picture().contains("comment ok"), "the comment can be changed");
    clear_input(&mut rig);
    press_keys(&mut rig, "no⏎");
    assert_eq!(comments(&rig), ["no"], "Ctrl-U clears the comment, not the command");
    press_keys(&mut rig, "C");
    clear_input(&mut rig);
    press_keys(&mut rig, "⏎");
    assert_eq!(comments(&rig), Vec::<String>::new());
    press_keys(&mut rig, "u");
    assert_eq!(comments(&rig), ["no"], "and that can be undone");
    press_keys(&mut rig, "uu");
    // An empty field does nothing, and one more Backspace closes it.
    for keys in ["C⏎", "C⌫", "M⌫", "s⌫"] {
        press_keys(&mut rig, keys);
        assert!(rig.picture().contains("Tab cursor"), "{keys}: {}", rig.picture());
        assert_eq!(comments(&rig), Vec::<String>::new(), "{keys}");
    }
    rig.say("comment -");
    assert!(rig.status().contains("There is no comment on this position."), "{}", rig.status());
}

#[test]
fn the_first_stone_can_be_marked_before_a_swap() {
    let mut rig = analysis_board("hex", "size=4");
    rig.say("b2");
    press_keys(&mut rig, "Mb2⏎");
    let marks = &rig.game().game().tree().node(rig.game().game().shown_node()).properties;
    assert_eq!(marks[0].values, ["b2"], "{}", rig.status());
    rig.say("mark e5");
    assert!(rig.status().contains("mark takes a cell"), "{}", rig.status());
}

#[test]
fn reopening_an_analysis_restores_its_variations() {
    let mut rig = Rig::two("hex", "size=5 swap=off", "a1 b2 c3", (100, 35));
    for line in ["analyze", "goto 1", "d4", "comment safer"] {
        rig.say(line);
    }
    rig.execute(Command::ReturnToGame);
    assert!(!rig.game().game().is_analysis());
    rig.say("analyze");
    let tree = rig.game().game().tree();
    assert_eq!(tree.len(), 5, "the variation is there");
    assert_eq!(
        rig.game().shown_position().played_moves(),
        ["a1", "b2", "c3"],
        "at the position that was on the screen"
    );
    rig.say("undo");
    assert!(
        rig.game().game().tree().node_ids().all(|id| rig.game().game().tree().node(id).comments.is_empty())
    );
    // After another move the game differs, so a new copy is made.
    rig.execute(Command::ReturnToGame);
    rig.say("e1");
    rig.say("analyze");
    assert_eq!(rig.game().shown_position().played_moves(), ["a1", "b2", "c3", "e1"]);
    assert_eq!(rig.game().game().tree().len(), 5);
}

#[test]
fn the_title_shows_setup_and_no_wall_can_be_removed_below_zero() {
    let mut rig = analysis_board("quoridor", "size=5 walls=1");
    press_keys(&mut rig, "E");
    assert!(rig.picture().lines().next().unwrap().contains("setting up a position"), "{}", rig.picture());
    assert!(rig.picture().contains("+ - walls left"), "{}", rig.picture());
    press_keys(&mut rig, "--");
    assert!(rig.status().contains("White has no walls left to take away."), "{}", rig.status());
}

#[test]
fn marks_on_stones_are_drawn() {
    let mut rig = analysis_board("hex", "size=4 swap=off");
    for line in ["b2", "c3", "mark b2"] {
        rig.say(line);
    }
    let picture = rig.picture();
    assert!(picture.contains("██△██"), "in the middle of a large stone\n{picture}");
    let scene = rig.screen.with_match(rig.game.as_ref()).board_scene().unwrap();
    assert!(scene.signs.iter().any(|sign| sign.at == scene.find_site("b2").unwrap()), "{:?}", scene.signs);
}

#[test]
fn a_swappable_stone_can_be_edited_in_setup() {
    let mut rig = analysis_board("hex", "size=4");
    rig.say("b2");
    press_keys(&mut rig, "E↑←");
    assert!(rig.picture().contains("setting up"), "{}", rig.picture());
    press_keys(&mut rig, "2");
    assert_eq!(position_text(&rig), "- / b2 / 2 / 4", "{}", rig.status());
}
