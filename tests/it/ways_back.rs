//! The way back from a replay: to the list or the menu in which it was chosen, else out of the
//! program.

use std::time::Duration;

use crosspath::canvas::Glyphs;
use crosspath::play::{Match, Mode, MoveFile, Rules};
use crosspath::ui::tui::Event;
use crosspath::ui::tui::key_table::Context;
use crossterm::event::{KeyCode, KeyModifiers};

use crate::lists::{files, saved_games};
use crate::rig::{Rig, record, spec};
use crate::screens::board;

fn file() -> MoveFile {
    let record = record("# crosspath hex size=5 swap=off\n1. c3 b2\n2. d4 b4\n");
    MoveFile { path: "game1".to_owned(), record: Box::new(record) }
}

/// Shows a file as the program does when a list has requested it.
fn show(rig: &mut Rig) {
    if let Some(game) = &mut rig.game {
        let events = game.show_file(file(), rig.now);
        rig.hear(&events);
        return;
    }
    let mut game = Match::new(Rules::default(), spec("hex", "size=5", Mode::Replay), Some(file())).unwrap();
    let events = game.open(None, Duration::ZERO);
    rig.game = Some(game);
    rig.hear(&events);
}

fn bar(rig: &Rig) -> String {
    rig.picture().lines().nth(usize::from(rig.screen.size.1) - 1).unwrap().to_owned()
}

/// Returns the menu before any game, and over one.
fn menus() -> [Rig; 2] {
    let mut over_a_game = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    over_a_game.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
    [Rig::menu(Glyphs::Unicode, (80, 24)), over_a_game]
}

#[test]
fn q_in_a_replay_goes_back_to_the_list_it_was_chosen_in() {
    for mut rig in menus() {
        rig.press(KeyCode::Char('s'));
        rig.event(&Event::Listed(saved_games(5)));
        rig.press(KeyCode::Down);
        assert_eq!(rig.press(KeyCode::Enter), "start(file(\"game1\"))");
        show(&mut rig);
        for _ in 0..2 {
            assert_eq!(rig.scene().context(), Context::Replay);
            assert!(bar(&rig).contains("q back"), "{}", bar(&rig));
            assert_eq!(rig.press(KeyCode::Char('q')), "", "it quits nothing");
            assert_eq!(rig.scene().context(), Context::List);
            rig.event(&Event::Listed(saved_games(5)));
            assert!(rig.picture().contains("2/5"), "the same row is chosen: {}", rig.picture());
            assert_eq!(rig.press(KeyCode::Enter), "start(file(\"game1\"))");
            show(&mut rig);
        }
        rig.press(KeyCode::Char('q'));
        rig.press(KeyCode::Esc);
        assert_eq!(rig.scene().context(), Context::Menu);
        rig.press(KeyCode::Esc);
        assert_eq!(rig.scene().context(), Context::Replay, "the replay lies behind the menu");
        rig.press(KeyCode::Char('q'));
        assert_eq!(rig.scene().context(), Context::List);
        assert_eq!(rig.press(KeyCode::Char('q')), "", "the list is closed");
        assert_eq!(rig.press(KeyCode::Char('q')), "quit", "the menu is left");
    }
}

#[test]
fn q_in_a_replay_goes_back_to_the_files_and_to_the_menu() {
    for mut rig in menus() {
        rig.press(KeyCode::Char('o'));
        rig.event(&Event::Listed(files(&["../", "a.txt", "b.txt"])));
        rig.typed("b.t");
        assert_eq!(rig.press(KeyCode::Enter), "start(file(\"b.txt\"))");
        show(&mut rig);
        assert_eq!(rig.press(KeyCode::Char('q')), "");
        assert_eq!(rig.scene().context(), Context::Files);
        assert!(rig.picture().contains("> replay b.t"), "{}", rig.picture());
        rig.press(KeyCode::Esc);
        // A file that was named without a list.
        rig.typed(":replay b.txt");
        assert_eq!(rig.press(KeyCode::Enter), "start(file(\"b.txt\"))");
        show(&mut rig);
        assert_eq!(rig.press(KeyCode::Char('q')), "");
        assert_eq!(rig.scene().context(), Context::Menu);
    }
}

#[test]
fn q_quits_where_no_menu_lies_behind() {
    let mut rig = Rig::replay("hex", "size=5 swap=off", "c3 b2", Glyphs::Unicode, (80, 24));
    assert!(bar(&rig).contains("q quit"), "{}", bar(&rig));
    assert_eq!(rig.press(KeyCode::Char('q')), "quit");
    // Who plays on from a replay plays a game.
    let [mut rig, _] = menus();
    rig.press(KeyCode::Char('s'));
    show(&mut rig);
    rig.act(KeyCode::Char('x'));
    assert_eq!(rig.scene().context(), Context::Board);
    assert!(bar(&rig).contains("q quit"), "{}", bar(&rig));
    assert_eq!(rig.press(KeyCode::Char('q')), "quit");
}

#[test]
fn the_help_says_where_q_goes() {
    let [mut rig, _] = menus();
    rig.press(KeyCode::Char('s'));
    show(&mut rig);
    rig.press(KeyCode::Char('?'));
    let lines = &rig.screen.page().unwrap().lines;
    let quit = lines.iter().find(|line| line.starts_with("q\t")).unwrap();
    assert!(quit.contains("menu") && quit.contains("back"), "{quit}");
}
