//! Leaving a replay: `q` returns to the list or the menu where it was chosen, and otherwise quits.

use std::time::Duration;

use crosspath::canvas::GlyphSet;
use crosspath::play::{GameMode, Match, MatchRules, MoveFile};
use crosspath::ui::tui::ScreenEvent;
use crosspath::ui::tui::key_table::KeyContext;
use crossterm::event::{KeyCode, KeyModifiers};

use crate::lists::{files, saved_games};
use crate::screens::board;
use crate::tui_harness::{Rig, record, spec};

fn shown_file() -> MoveFile {
    let record = record("# crosspath hex size=5 swap=off\n1. c3 b2\n2. d4 b4\n");
    MoveFile { path: "game1".to_owned(), record: Box::new(record) }
}

/// Shows a file like the program does after a choice in a list.
fn show_file(rig: &mut Rig) {
    if let Some(game) = &mut rig.game {
        let events = game.replay_file(shown_file(), rig.now);
        rig.on_events(&events);
        return;
    }
    let mut game =
        Match::new(MatchRules::default(), spec("hex", "size=5", GameMode::Replay), Some(shown_file()))
            .unwrap();
    let events = game.open(None, Duration::ZERO);
    rig.game = Some(game);
    rig.on_events(&events);
}

fn key_bar(rig: &Rig) -> String {
    rig.picture().lines().nth(usize::from(rig.screen.size.1) - 1).unwrap().to_owned()
}

/// Returns the menu before any game, and the menu opened in a game.
fn menus() -> [Rig; 2] {
    let mut over_a_game = board("hex", "size=5", "b2 c2", GlyphSet::Unicode, (80, 24));
    over_a_game.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
    [Rig::menu(GlyphSet::Unicode, (80, 24)), over_a_game]
}

#[test]
fn q_in_a_replay_returns_to_the_list_of_games() {
    for mut rig in menus() {
        rig.press(KeyCode::Char('s'));
        rig.event(&ScreenEvent::Listed(saved_games(5)));
        rig.press(KeyCode::Down);
        assert_eq!(rig.press(KeyCode::Enter), "start(file(\"game1\"))");
        show_file(&mut rig);
        for _ in 0..2 {
            assert_eq!(rig.scene().key_context(), KeyContext::Replay);
            assert!(key_bar(&rig).contains("q back"), "{}", key_bar(&rig));
            assert_eq!(rig.press(KeyCode::Char('q')), "", "it quits nothing");
            assert_eq!(rig.scene().key_context(), KeyContext::List);
            rig.event(&ScreenEvent::Listed(saved_games(5)));
            assert!(rig.picture().contains("2/5"), "the same row is chosen: {}", rig.picture());
            assert_eq!(rig.press(KeyCode::Enter), "start(file(\"game1\"))");
            show_file(&mut rig);
        }
        rig.press(KeyCode::Char('q'));
        rig.press(KeyCode::Esc);
        assert_eq!(rig.scene().key_context(), KeyContext::Menu);
        rig.press(KeyCode::Esc);
        assert_eq!(rig.scene().key_context(), KeyContext::Replay, "the replay lies behind the menu");
        rig.press(KeyCode::Char('q'));
        assert_eq!(rig.scene().key_context(), KeyContext::List);
        assert_eq!(rig.press(KeyCode::Char('q')), "", "the list is closed");
        assert_eq!(rig.press(KeyCode::Char('q')), "quit", "the menu is left");
    }
}

#[test]
fn q_in_a_replay_returns_to_the_files_and_the_menu() {
    for mut rig in menus() {
        rig.press(KeyCode::Char('o'));
        rig.event(&ScreenEvent::Listed(files(&["../", "a.txt", "b.txt"])));
        rig.typed("b.t");
        assert_eq!(rig.press(KeyCode::Enter), "start(file(\"b.txt\"))");
        show_file(&mut rig);
        assert_eq!(rig.press(KeyCode::Char('q')), "");
        assert_eq!(rig.scene().key_context(), KeyContext::Files);
        assert!(rig.picture().contains("> replay b.t"), "{}", rig.picture());
        rig.press(KeyCode::Esc);
        // The file was named on the command line, without a list.
        rig.typed(":replay b.txt");
        assert_eq!(rig.press(KeyCode::Enter), "start(file(\"b.txt\"))");
        show_file(&mut rig);
        assert_eq!(rig.press(KeyCode::Char('q')), "");
        assert_eq!(rig.scene().key_context(), KeyContext::Menu);
    }
}

#[test]
fn q_quits_if_no_menu_was_open() {
    let mut rig = Rig::replay("hex", "size=5 swap=off", "c3 b2", GlyphSet::Unicode, (80, 24));
    assert!(key_bar(&rig).contains("q quit"), "{}", key_bar(&rig));
    assert_eq!(rig.press(KeyCode::Char('q')), "quit");
    // Playing on from a replay starts a game.
    let [mut rig, _] = menus();
    rig.press(KeyCode::Char('s'));
    show_file(&mut rig);
    rig.act(KeyCode::Char('x'));
    assert_eq!(rig.scene().key_context(), KeyContext::Board);
    assert!(key_bar(&rig).contains("q quit"), "{}", key_bar(&rig));
    assert_eq!(rig.press(KeyCode::Char('q')), "quit");
}

#[test]
fn the_help_says_where_q_leads() {
    let [mut rig, _] = menus();
    rig.press(KeyCode::Char('s'));
    show_file(&mut rig);
    rig.press(KeyCode::Char('?'));
    let lines = &rig.screen.page().unwrap().lines;
    let quit = lines.iter().find(|line| line.starts_with("q\t")).unwrap();
    assert!(quit.contains("menu") && quit.contains("back"), "{quit}");
}
