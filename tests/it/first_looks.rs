//! The screen for a reader who knows none of the program's terms: each sign has a word beside it.

use crosspath::canvas::Glyphs;
use crosspath::play::{Mode, MoveFile, Rules};
use crosspath::ui::tui::key_table::{Action, Context, keys};
use crossterm::event::KeyCode;

use crate::rig::{Rig, record, spec};
use crate::screens::{QUORIDOR, board};
use crate::sentences::said;

#[test]
fn the_panel_of_hex_says_what_the_stones_are_needed_for() {
    let rig = Rig::two("hex", "size=5 swap=off", "", (80, 24));
    assert!(rig.picture().contains(said!("stones-to-go-by")), "{}", rig.picture());
}

#[test]
fn the_options_of_the_menu_say_how_they_are_changed() {
    for glyphs in [Glyphs::Unicode, Glyphs::Narrow, Glyphs::Ascii] {
        let mut rig = Rig::menu(glyphs, (80, 24));
        let picture = rig.picture();
        let keys = if glyphs == Glyphs::Unicode { "← →" } else { "Left Right" };
        let signs = if glyphs == Glyphs::Ascii { "< >" } else { "◂ ▸" };
        let foot = said!("change-with-tab", signs, keys);
        assert!(picture.contains(foot), "{picture}");
        assert!(glyphs != Glyphs::Ascii || picture.is_ascii(), "{picture}");
        rig.press(KeyCode::Tab);
        assert!(!rig.picture().contains("change: Tab"), "the key bar says it now: {}", rig.picture());
    }
}

#[test]
fn a_bar_of_chances_has_a_word_where_there_is_room() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let rig = board("hex", "size=11", "c2 f6", Glyphs::Unicode, size);
        let picture = rig.picture();
        let row = picture.lines().find(|row| row.contains("% █")).expect("a bar");
        assert!(row.contains("chances Red "), "{picture}");
    }
}

#[test]
fn the_help_of_a_game_says_that_leaving_loses_nothing() {
    for context in [Context::Board, Context::Wall, Context::Looking] {
        let quit = keys(context).find(|binding| binding.act == Action::Quit).unwrap();
        assert!(quit.long.contains(said!("saved-from-its-first-move")), "{}", quit.long);
    }
}

#[test]
fn placing_a_wall_says_what_to_do_next() {
    let mut rig = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (100, 35));
    rig.press(KeyCode::Char('w'));
    let picture = rig.picture();
    assert!(picture.contains(said!("arrows-move-place")), "{picture}");
    assert!(!picture.contains("Placing"), "nothing is built yet: {picture}");
}

#[test]
fn a_replay_of_a_saved_game_names_its_day_and_no_file() {
    let text = "# crosspath hex size=5 swap=off\n# first: human\n# second: crosspath level 4\n# date: 2026-02-03\n1. c3 b2\n";
    let path = "/home/me/.local/state/crosspath/done-00c0ffee00c0ffee.journal".to_owned();
    for size in [(80, 24), (160, 50)] {
        let replay = MoveFile { path: path.clone(), record: Box::new(record(text)) };
        let rig = Rig::new(
            Rules::default(),
            spec("hex", "size=5", Mode::Replay),
            Some(replay),
            Glyphs::Unicode,
            size,
        );
        let picture = rig.picture();
        let title = picture.lines().next().unwrap();
        assert!(!picture.contains("journal") && !picture.contains("c0ffee"), "{picture}");
        assert!(title.contains("Hex 5×5"), "{title}");
        assert!(title.contains(said!("played-on", "3 Feb 2026")) && title.contains("level 4"), "{title}");
    }
    let file = MoveFile { path: "games/game.txt".to_owned(), record: Box::new(record(text)) };
    let rig = Rig::new(
        Rules::default(),
        spec("hex", "size=5", Mode::Replay),
        Some(file),
        Glyphs::Unicode,
        (160, 50),
    );
    assert!(
        rig.picture().contains(said!("replay-of", "game.txt")),
        "another file is named: {}",
        rig.picture()
    );
}
