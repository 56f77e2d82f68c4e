//! Lists to choose from: saved games in the menu, and files after `o`.

use std::fs;
use std::path::PathBuf;

use crosspath::canvas::GlyphSet;
use crosspath::text::Text;
use crosspath::ui::listing::{ListContents, ListRequest, ListRow, ListRowKind};
use crosspath::ui::tui::key_table::KeyContext;
use crosspath::ui::tui::{ListKind, ScreenEvent, ScreenLayer, SelectionList};
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::layout::Position;

use crate::screens::board;
use crate::sentences::said;
use crate::tui_harness::Rig;

/// Returns a list of `count` saved games, every other one unfinished. The path of the first is
/// `live`.
pub(crate) fn saved_games(count: usize) -> ListContents {
    let row = |number: usize| ListRow {
        cells: vec![
            if number.is_multiple_of(3) { "Hex 5x5".to_owned() } else { "Quoridor 9x9".to_owned() },
            format!("vs level {}", number % 8 + 1),
            format!("{number} moves"),
            format!("{} Nov 12:00", number % 30 + 1),
            if number.is_multiple_of(2) { "unfinished" } else { "you won" }.to_owned(),
        ],
        path: if number == 0 { "live".into() } else { PathBuf::from(format!("game{number}")) },
        kind: if number.is_multiple_of(2) { ListRowKind::Unfinished } else { ListRowKind::Over },
    };
    ListContents { request: ListRequest::Saved, rows: (0..count).map(row).collect(), messages: Vec::new() }
}

/// Returns a listing of the current folder. Names of folders end with a slash.
pub(crate) fn files(names: &[&str]) -> ListContents {
    files_in("", names)
}

fn files_in(folder: &str, names: &[&str]) -> ListContents {
    let row = |name: &&str| ListRow {
        cells: vec![(*name).to_owned()],
        path: format!("./{folder}{name}").into(),
        kind: if name.ends_with('/') { ListRowKind::Folder } else { ListRowKind::File },
    };
    ListContents {
        request: ListRequest::Folder(folder.to_owned()),
        rows: names.iter().map(row).collect(),
        messages: Vec::new(),
    }
}

/// Returns the menu with the list of saved games open.
fn open_saved_list(count: usize, glyphs: GlyphSet, size: (u16, u16)) -> Rig {
    let mut rig = Rig::menu(glyphs, size);
    assert_eq!(rig.press(KeyCode::Char('s')), "");
    assert_eq!(rig.screen.take_list_request(), Some(ListRequest::Saved));
    assert_eq!(rig.screen.take_list_request(), None, "it is asked for once");
    rig.event(&ScreenEvent::Listed(saved_games(count)));
    rig
}

#[test]
fn lists_of_0_1_and_1000_saved_games_are_drawn() {
    for count in [0, 1, 1000] {
        for glyphs in [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii] {
            for size in [(80, 24), (100, 35), (60, 20), (40, 12), (20, 5), (5, 3), (1, 1)] {
                let mut rig = open_saved_list(count, glyphs, size);
                for key in [KeyCode::Down, KeyCode::PageDown, KeyCode::End, KeyCode::Up, KeyCode::PageUp] {
                    assert_eq!(rig.press(key), "");
                    let picture = rig.picture();
                    assert!(picture.is_ascii() || glyphs != GlyphSet::Ascii, "{picture}");
                    if count > 0 && size.0 >= 40 {
                        assert!(picture.contains("Hex 5x5") || picture.contains("Quoridor 9x9"), "{picture}");
                    }
                }
                if count == 0 && size.0 >= 60 {
                    assert!(rig.picture().contains(said!("no-game-is-kept")), "{}", rig.picture());
                    assert_eq!(rig.press(KeyCode::Enter), "");
                    assert_eq!(rig.press(KeyCode::Char('d')), "");
                }
                assert_eq!(rig.press(KeyCode::Esc), "");
                assert_eq!(rig.scene().key_context(), KeyContext::Menu);
            }
        }
    }
    let mut rig = open_saved_list(1000, GlyphSet::Unicode, (80, 24));
    rig.press(KeyCode::End);
    assert!(rig.picture().contains("1000/1000"), "{}", rig.picture());
    assert!(rig.picture().contains("999 moves"), "{}", rig.picture());
}

#[test]
fn a_saved_game_is_continued_or_replayed() {
    let mut rig = open_saved_list(5, GlyphSet::Unicode, (80, 24));
    assert_eq!(rig.press(KeyCode::Enter), "start(kept(\"live\"))");
    rig.press(KeyCode::Down);
    assert_eq!(rig.press(KeyCode::Enter), "start(file(\"game1\"))");
    // The first click selects a game, the second opens it.
    let down = MouseEventKind::Down(MouseButton::Left);
    let row = rig.picture().lines().position(|row| row.contains("3 moves")).unwrap();
    let at = Position { x: 10, y: u16::try_from(row).unwrap() };
    assert_eq!(rig.mouse(down, at), "");
    assert_eq!(rig.mouse(down, at), "start(file(\"game3\"))");
}

#[test]
fn a_search_shows_the_games_that_contain_its_text() {
    let mut rig = open_saved_list(30, GlyphSet::Unicode, (80, 24));
    rig.press(KeyCode::Char('/'));
    rig.typed("level 3");
    assert!(rig.picture().contains("1/4"), "{}", rig.picture());
    assert!(!rig.picture().contains("level 4"), "{}", rig.picture());
    rig.press(KeyCode::Enter);
    assert_eq!(rig.press(KeyCode::Enter), "start(kept(\"game2\"))");
    rig.press(KeyCode::Esc);
    assert!(rig.picture().contains("1/30"), "the first Esc shows all again: {}", rig.picture());
    rig.press(KeyCode::Char('/'));
    rig.typed("chess");
    assert!(rig.picture().contains(said!("no-matches-esc-shows-all")), "{}", rig.picture());
}

#[test]
fn every_word_of_a_search_must_match() {
    for (typed, count) in [
        ("hex unfinished", 5),
        ("UNFINISHED  Hex", 5),
        ("5×5 won", 5),
        ("5x5 WON level", 5),
        ("level 3 nov", 4),
        ("hex quoridor", 0),
        ("×", 30),
    ] {
        let mut rig = open_saved_list(30, GlyphSet::Unicode, (80, 24));
        rig.press(KeyCode::Char('/'));
        rig.typed(typed);
        let shown = format!("{}/{count} ", 1.min(count));
        assert!(rig.picture().contains(&shown), "{typed}: {shown}: {}", rig.picture());
    }
}

#[test]
fn a_game_is_deleted_only_after_confirmation() {
    let mut rig = open_saved_list(5, GlyphSet::Unicode, (80, 24));
    for no in [KeyCode::Char('n'), KeyCode::Esc] {
        assert_eq!(rig.press(KeyCode::Char('d')), "");
        assert!(rig.picture().contains("Delete Hex 5x5, vs level 1, 0 moves"), "{}", rig.picture());
        assert_eq!(rig.press(KeyCode::Enter), "", "only y says yes");
        assert_eq!(rig.press(no), "");
        assert!(!rig.picture().contains("Delete Hex"), "{}", rig.picture());
    }
    rig.press(KeyCode::Char('d'));
    assert_eq!(rig.press(KeyCode::Char('y')), "delete(\"live\")");
    // After the deletion the list is loaded again, and the selection keeps its row.
    rig.event(&ScreenEvent::Deleted(None));
    assert_eq!(rig.screen.take_list_request(), Some(ListRequest::Saved));
    let mut rest = saved_games(5);
    rest.rows.remove(0);
    rig.event(&ScreenEvent::Listed(rest));
    assert!(rig.picture().contains("1/4"), "{}", rig.picture());
    rig.event(&ScreenEvent::Deleted(Some("why not".to_owned())));
    assert!(rig.picture().contains("why not"), "{}", rig.picture());
}

#[test]
fn tab_completes_file_names() {
    let mut rig = board("hex", "size=5", "c3", GlyphSet::Unicode, (80, 24));
    rig.press(KeyCode::Char('o'));
    assert_eq!(rig.screen.take_list_request(), Some(ListRequest::Folder(String::new())));
    rig.event(&ScreenEvent::Listed(files(&["../", "games/", "final-one.txt", "final-two.txt", ".hidden"])));
    assert!(!rig.picture().contains(".hidden"), "{}", rig.picture());
    rig.typed("f");
    rig.press(KeyCode::Tab);
    assert!(rig.picture().contains("> load final-"), "{}", rig.picture());
    // If the name cannot be completed further, Tab selects the next file.
    rig.press(KeyCode::Tab);
    assert_eq!(rig.press(KeyCode::Enter), "load final-two.txt");
    assert_eq!(rig.scene().key_context(), KeyContext::Files, "it may be refused");
    rig.load("final-two.txt", crate::tui_harness::record("# crosspath hex size=5\n1. c3 b2\n"));
    assert_eq!(rig.scene().key_context(), KeyContext::Board);
    // Tab on a folder opens it.
    rig.press(KeyCode::Char('o'));
    rig.event(&ScreenEvent::Listed(files(&["../", "games/", "x.txt"])));
    rig.typed("g");
    rig.press(KeyCode::Tab);
    assert!(rig.picture().contains("> load games/"), "{}", rig.picture());
    assert_eq!(rig.screen.take_list_request(), Some(ListRequest::Folder("games/".to_owned())));
    rig.event(&ScreenEvent::Listed(files_in("games/", &["../", "one.sgf"])));
    rig.press(KeyCode::Down);
    assert_eq!(rig.screen.take_list_request(), Some(ListRequest::File("./games/one.sgf".into())));
    let lines = vec![Text::from("Hex 5x5"), "7 moves".into()];
    let contents = ListContents {
        request: ListRequest::File("./games/one.sgf".into()),
        rows: Vec::new(),
        messages: lines,
    };
    rig.event(&ScreenEvent::Listed(contents));
    assert!(rig.picture().contains("7 moves"), "{}", rig.picture());
    assert_eq!(rig.screen.take_list_request(), None);
    assert_eq!(rig.press(KeyCode::Enter), "load games/one.sgf");
}

#[test]
fn a_typed_file_name_needs_no_list() {
    let mut rig = board("hex", "size=5", "c3", GlyphSet::Unicode, (80, 24));
    rig.press(KeyCode::Char('o'));
    rig.event(&ScreenEvent::Paste("/tmp/a game.txt".to_owned()));
    assert_eq!(rig.press(KeyCode::Enter), "load /tmp/a game.txt");
    let mut rig = Rig::menu(GlyphSet::Unicode, (80, 24));
    rig.press(KeyCode::Char('o'));
    rig.typed("a game.txt");
    assert_eq!(rig.press(KeyCode::Enter), "start(file(\"a game.txt\"))");
    // A name that is not in the list is used as typed. The match reports any error.
    let mut rig = board("hex", "size=5", "c3", GlyphSet::Unicode, (80, 24));
    rig.press(KeyCode::Char('o'));
    rig.event(&ScreenEvent::Listed(files(&["x.txt"])));
    rig.typed("none");
    assert_eq!(rig.press(KeyCode::Enter), "load none");
}

#[test]
fn lists_of_files_are_drawn_at_every_size_in_unicode_and_ascii() {
    let names: Vec<String> = (0..1000).map(|number| format!("game {number}.txt")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for names in [&[][..], &["one.txt"][..], &names[..]] {
        for glyphs in [GlyphSet::Unicode, GlyphSet::Ascii] {
            for size in [(160, 50), (80, 24), (60, 20), (40, 12), (20, 5), (1, 1)] {
                let mut rig = board("hex", "size=5", "c3", glyphs, size);
                rig.screen.open_layer(ScreenLayer::List(SelectionList::new(ListKind::Files("load"))));
                rig.event(&ScreenEvent::Listed(files(names)));
                for key in [KeyCode::End, KeyCode::PageUp, KeyCode::Up] {
                    rig.press(key);
                    let picture = rig.picture();
                    assert!(picture.is_ascii() || glyphs != GlyphSet::Ascii, "{picture}");
                    assert!(size.1 < 12 || picture.contains("> load"), "{picture}");
                }
                rig.press(KeyCode::Esc);
                assert!(rig.screen.list_mut().is_none());
            }
        }
    }
}

/// Every layer can be opened over every other. Esc closes them one by one, the highest rank first.
#[test]
fn esc_closes_layers_in_order_of_rank() {
    let open: [fn(&mut Rig); 4] = [
        |rig| drop(rig.key(KeyCode::Char('n'), KeyModifiers::CONTROL)),
        |rig| {
            rig.screen.open_layer(ScreenLayer::List(SelectionList::new(ListKind::Saved)));
            rig.event(&ScreenEvent::Listed(saved_games(3)));
        },
        |rig| rig.screen.open_layer(ScreenLayer::Prompt(crosspath::ui::tui::LinePrompt::default())),
        |rig| rig.screen.open_layer(ScreenLayer::Page(crosspath::ui::tui::TextPage::default())),
    ];
    for first in 0..4 {
        for second in 0..4 {
            let mut rig = board("hex", "size=5", "c3", GlyphSet::Unicode, (80, 24));
            open[0](&mut rig);
            open[first](&mut rig);
            open[second](&mut rig);
            for size in [(40, 12), (100, 35), (10, 3), (80, 24)] {
                rig.event(&ScreenEvent::Resize(size.0, size.1));
                rig.picture();
            }
            let mut steps = 0;
            while rig.scene().key_context() != KeyContext::Board {
                let before = rig.scene().key_context();
                assert_eq!(rig.press(KeyCode::Esc), "", "{first} {second}");
                assert_ne!((rig.scene().key_context(), steps > 4), (before, true), "{first} {second}");
                steps += 1;
            }
            assert!(steps >= 1);
        }
    }
}

#[test]
fn the_list_of_files_describes_a_chosen_file() {
    use crosspath::journal::JournalFolder;
    use crosspath::registry::GAMES;
    let place = crate::support::folder();
    let at = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let game = at("game.txt", "# crosspath hex size=5\n# first: Ada\n# second: Bob\nc3 d4\n");
    let other = at("letter.txt", "Dear Bob, here is no game at all.\n");
    fs::create_dir(place.path().join("more")).unwrap();
    let reading = crosspath::ui::FileReadRules::without_board(GAMES);
    let load = |request: ListRequest| {
        crosspath::ui::listing::load_list_contents(request, None::<&JournalFolder>, &reading)
    };
    let typed = format!("{}/", place.path().display());
    let names: Vec<String> =
        load(ListRequest::Folder(typed)).rows.iter().map(|row| row.cells[0].clone()).collect();
    assert_eq!(names, ["../", "more/", "game.txt", "letter.txt"]);
    let describe = |path: PathBuf| {
        load(ListRequest::File(path)).messages.iter().map(ToString::to_string).collect::<Vec<_>>().join("|")
    };
    let about = describe(game);
    for part in ["Hex 5x5", "Ada", "Bob", "2 moves"] {
        assert!(about.contains(part), "{about}");
    }
    assert!(describe(other).starts_with("Not a game"), "{}", describe(place.path().join("letter.txt")));
    assert!(!load(ListRequest::Folder("/no/such/folder/".to_owned())).messages.is_empty());
}
