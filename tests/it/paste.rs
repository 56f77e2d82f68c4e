//! Pasted text on the full screen: it goes into the field and does nothing by itself.

use crosspath::canvas::Glyphs;
use crosspath::random::stream;
use crosspath::ui::tui::Event;
use crossterm::event::KeyCode;
use rand::RngExt;

use crate::rig::{Rig, in_words};
use crate::screens::board;
use crate::sentences::said;

/// Pastes text; returns the text of its effect.
fn paste(state: &mut Rig, text: &str) -> String {
    in_words(state.event(&Event::Paste(text.to_owned())).as_ref())
}

fn at_the_board() -> Rig {
    board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24))
}

#[test]
fn pasted_text_fills_the_field_and_enter_takes_it() {
    let mut state = at_the_board();
    assert_eq!(paste(&mut state, "d4\r\n"), "");
    assert_eq!(state.screen.typed(), Some("d4"));
    assert_eq!(state.press(KeyCode::Enter), "d4");
    // What is typed before and after it belongs to the same line.
    state.press(KeyCode::Char(':'));
    state.press(KeyCode::Char('s'));
    assert_eq!(paste(&mut state, "ave a\nb.txt"), "");
    state.press(KeyCode::Char('!'));
    assert_eq!(state.screen.typed(), Some("save a b.txt!"));
}

#[test]
fn a_paste_of_keys_does_nothing() {
    let mut state = at_the_board();
    state.press(KeyCode::Char('R'));
    assert_eq!(paste(&mut state, "y"), "", "what is pasted answers no question");
    assert!(state.picture().contains(said!("resign-the-game")), "{}", state.picture());
    assert_eq!(state.screen.typed(), None);
    state.press(KeyCode::Esc);
    let letters =
        ["q", "R", "s", " ", "\n", "\r\n", "y", "n", "N", "a.txt", ":", "quit", "\u{1b}", "\u{3}", "\t", "?"];
    let mut generator = stream(57, 1);
    for mut state in [at_the_board(), Rig::menu(Glyphs::Unicode, (80, 24))] {
        for _ in 0..500 {
            let count = generator.random_range(0..30);
            let text: String =
                (0..count).map(|_| letters[generator.random_range(0..letters.len())]).collect();
            assert_eq!(paste(&mut state, &text), "", "{text:?}");
            if generator.random_range(0..3) == 0 {
                state.press(KeyCode::Esc);
            }
            assert!(state.screen.page().is_none());
        }
    }
}

#[test]
fn a_paste_that_is_too_long_is_ignored_with_one_message() {
    for mut state in [at_the_board(), Rig::menu(Glyphs::Unicode, (80, 24))] {
        assert_eq!(paste(&mut state, &"x".repeat(200)), "");
        assert_eq!(state.screen.typed(), Some(&*"x".repeat(200)));
        assert_eq!(paste(&mut state, "x"), "");
        assert_eq!(state.screen.typed(), None);
        assert!(state.picture().contains(said!("line-is-longer-than", 200)), "{}", state.picture());
    }
}

#[test]
fn a_paste_on_a_page_is_searched_for() {
    let mut state = at_the_board();
    state.press(KeyCode::Char('?'));
    assert_eq!(paste(&mut state, "undo"), "");
    assert_eq!(state.screen.page().unwrap().filter, "");
    state.press(KeyCode::Char('/'));
    assert_eq!(paste(&mut state, "un\ndo"), "");
    assert_eq!(state.screen.page().unwrap().filter, "un do");
    assert_eq!(state.screen.typed(), None);
}
