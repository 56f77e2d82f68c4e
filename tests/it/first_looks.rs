//! The screen for a new player: each sign is explained by a word beside it.

use crosspath::canvas::GlyphSet;
use crosspath::play::{GameMode, MatchRules, MoveFile};
use crosspath::ui::tui::key_table::{KeyAction, KeyContext, bindings_in_context};
use crossterm::event::KeyCode;

use crate::screens::{QUORIDOR, board};
use crate::sentences::said;
use crate::tui_harness::{Rig, record, spec};

#[test]
fn the_hex_panel_explains_stones_still_needed() {
    let rig = Rig::two("hex", "size=5 swap=off", "", (80, 24));
    assert!(rig.picture().contains(said!("stones-to-go-by")), "{}", rig.picture());
}

#[test]
fn the_menu_explains_how_to_change_options() {
    for glyphs in [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii] {
        let mut rig = Rig::menu(glyphs, (80, 24));
        let picture = rig.picture();
        let keys = if glyphs == GlyphSet::Unicode { "← →" } else { "Left Right" };
        let signs = if glyphs == GlyphSet::Ascii { "< >" } else { "◂ ▸" };
        let foot = said!("change-with-tab", signs, keys);
        assert!(picture.contains(foot), "{picture}");
        assert!(glyphs != GlyphSet::Ascii || picture.is_ascii(), "{picture}");
        rig.press(KeyCode::Tab);
        assert!(!rig.picture().contains("change: Tab"), "the key bar says it now: {}", rig.picture());
    }
}

#[test]
fn the_win_chance_bar_has_a_label() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let rig = board("hex", "size=11", "c2 f6", GlyphSet::Unicode, size);
        let picture = rig.picture();
        let row = picture.lines().find(|row| row.contains("% █")).expect("a bar");
        assert!(row.contains("chances Red "), "{picture}");
    }
}

#[test]
fn the_help_says_that_games_are_saved_on_quit() {
    for context in [KeyContext::Board, KeyContext::Wall, KeyContext::Looking] {
        let quit = bindings_in_context(context).find(|binding| binding.act == KeyAction::Quit).unwrap();
        assert!(quit.long.contains(said!("saved-from-its-first-move")), "{}", quit.long);
    }
}

#[test]
fn wall_mode_explains_the_next_step() {
    let mut rig = board("quoridor", "size=9", QUORIDOR, GlyphSet::Unicode, (100, 35));
    rig.press(KeyCode::Char('w'));
    let picture = rig.picture();
    assert!(picture.contains(said!("arrows-move-place")), "{picture}");
    assert!(!picture.contains("Placing"), "nothing is built yet: {picture}");
}

#[test]
fn the_replay_title_shows_the_date_and_no_file_name() {
    let text = "# crosspath hex size=5 swap=off\n# first: human\n# second: crosspath level 4\n# date: 2026-02-03\n1. c3 b2\n";
    let path = "/home/me/.local/state/crosspath/done-00c0ffee00c0ffee.journal".to_owned();
    for size in [(80, 24), (160, 50)] {
        let replay = MoveFile { path: path.clone(), record: Box::new(record(text)) };
        let rig = Rig::new(
            MatchRules::default(),
            spec("hex", "size=5", GameMode::Replay),
            Some(replay),
            GlyphSet::Unicode,
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
        MatchRules::default(),
        spec("hex", "size=5", GameMode::Replay),
        Some(file),
        GlyphSet::Unicode,
        (160, 50),
    );
    assert!(
        rig.picture().contains(said!("replay-of", "game.txt")),
        "another file is named: {}",
        rig.picture()
    );
}
