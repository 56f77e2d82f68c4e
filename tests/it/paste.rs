//! Text pasted into the full screen goes into the input field and triggers nothing.

use crosspath::canvas::GlyphSet;
use crosspath::random::random_stream;
use crosspath::ui::tui::ScreenEvent;
use crossterm::event::KeyCode;
use rand::RngExt;

use crate::screens::board;
use crate::sentences::said;
use crate::tui_harness::{Rig, describe_effect};

/// Pastes text. Returns a description of its effect.
fn paste(state: &mut Rig, text: &str) -> String {
    describe_effect(state.event(&ScreenEvent::Paste(text.to_owned())).as_ref())
}

fn hex_board() -> Rig {
    board("hex", "size=5", "b2 c2", GlyphSet::Unicode, (80, 24))
}

#[test]
fn pasted_text_fills_the_input_field_and_enter_submits_it() {
    let mut state = hex_board();
    assert_eq!(paste(&mut state, "d4\r\n"), "");
    assert_eq!(state.screen.typed_line(), Some("d4"));
    assert_eq!(state.press(KeyCode::Enter), "d4");
    // Text typed before and after the paste belongs to the same line.
    state.press(KeyCode::Char(':'));
    state.press(KeyCode::Char('s'));
    assert_eq!(paste(&mut state, "ave a\nb.txt"), "");
    state.press(KeyCode::Char('!'));
    assert_eq!(state.screen.typed_line(), Some("save a b.txt!"));
}

#[test]
fn pasted_keys_trigger_no_actions() {
    let mut state = hex_board();
    state.press(KeyCode::Char('R'));
    assert_eq!(paste(&mut state, "y"), "", "what is pasted answers no question");
    assert!(state.picture().contains(said!("resign-the-game")), "{}", state.picture());
    assert_eq!(state.screen.typed_line(), None);
    state.press(KeyCode::Esc);
    let letters =
        ["q", "R", "s", " ", "\n", "\r\n", "y", "n", "N", "a.txt", ":", "quit", "\u{1b}", "\u{3}", "\t", "?"];
    let mut generator = random_stream(57, 1);
    for mut state in [hex_board(), Rig::menu(GlyphSet::Unicode, (80, 24))] {
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
fn an_overlong_paste_is_ignored_with_one_message() {
    for mut state in [hex_board(), Rig::menu(GlyphSet::Unicode, (80, 24))] {
        assert_eq!(paste(&mut state, &"x".repeat(200)), "");
        assert_eq!(state.screen.typed_line(), Some(&*"x".repeat(200)));
        assert_eq!(paste(&mut state, "x"), "");
        assert_eq!(state.screen.typed_line(), None);
        assert!(state.picture().contains(said!("line-is-longer-than", 200)), "{}", state.picture());
    }
}

#[test]
fn text_pasted_on_a_page_goes_into_its_search() {
    let mut state = hex_board();
    state.press(KeyCode::Char('?'));
    assert_eq!(paste(&mut state, "undo"), "");
    assert_eq!(state.screen.page().unwrap().filter, "");
    state.press(KeyCode::Char('/'));
    assert_eq!(paste(&mut state, "un\ndo"), "");
    assert_eq!(state.screen.page().unwrap().filter, "un do");
    assert_eq!(state.screen.typed_line(), None);
}
