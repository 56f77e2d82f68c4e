//! Windows without room for a board show one page. A line typed before waits until there is room
//! again.

use crosspath::canvas::GlyphSet;
use crosspath::registry::GAMES;
use crosspath::ui::tui::key_table::KeyContext;
use crosspath::ui::tui::{ScreenEvent, layout_in_lines};
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::layout::Position;

use crate::screens::board;
use crate::tui_harness::Rig;

const ROOMY: (u16, u16) = (80, 24);
const TIGHT: [(u16, u16); 3] = [(50, 9), (28, 8), (12, 3)];

fn resize(rig: &mut Rig, (width, height): (u16, u16)) {
    rig.event(&ScreenEvent::Resize(width, height));
}

/// Returns a game with a partly typed line.
fn game_with_typed_line() -> Rig {
    let mut rig = board("hex", "size=11", "c3 d4", GlyphSet::Unicode, ROOMY);
    rig.typed(":goto 1");
    rig
}

#[test]
fn a_typed_line_waits_while_the_window_is_too_small() {
    let plain = board("hex", "size=11", "c3 d4", GlyphSet::Unicode, ROOMY);
    for size in TIGHT {
        let (mut rig, mut other) =
            (game_with_typed_line(), Rig { screen: plain.screen.clone(), game: None, now: plain.now });
        resize(&mut rig, size);
        other.screen.size = size;
        let page = crate::tui_harness::picture(&other.screen.with_match(plain.game.as_ref()));
        assert_eq!(rig.picture(), page, "{size:?}: nothing but the page");
        assert_eq!(rig.scene().key_context(), KeyContext::Small);
        resize(&mut rig, ROOMY);
        assert!(rig.picture().contains("> goto 1"), "{}", rig.picture());
        assert_eq!(rig.scene().key_context(), KeyContext::Field);
        assert_eq!(rig.press(KeyCode::Enter), "goto 1");
    }
}

#[test]
fn keys_control_the_page_while_a_typed_line_waits() {
    let mut rig = game_with_typed_line();
    resize(&mut rig, TIGHT[1]);
    assert_eq!(rig.press(KeyCode::Char('q')), "quit");
    assert_eq!(rig.press(KeyCode::Char('p')), "plain");
    for key in [KeyCode::Char('z'), KeyCode::Backspace, KeyCode::Enter, KeyCode::Esc] {
        assert_eq!(rig.press(key), "", "{key:?}");
    }
    rig.event(&ScreenEvent::Paste("undo".to_owned()));
    rig.mouse(MouseEventKind::Down(MouseButton::Left), Position { x: 3, y: 1 });
    rig.press(KeyCode::Char('?'));
    let title = &rig.screen.page().expect("a page").title;
    assert!(title.contains("too small"), "{title}");
    rig.press(KeyCode::Esc);
    resize(&mut rig, ROOMY);
    assert_eq!(rig.screen.typed_line(), Some("goto 1"), "it is as it was");
}

#[test]
fn a_paste_opens_no_hidden_input_line() {
    let mut rig = board("hex", "size=11", "c3 d4", GlyphSet::Unicode, TIGHT[1]);
    let page = rig.picture();
    rig.event(&ScreenEvent::Paste("e5".to_owned()));
    assert_eq!((rig.screen.typed_line(), rig.picture()), (None, page));
}

#[test]
fn the_menu_discards_a_typed_line() {
    let mut rig = game_with_typed_line();
    resize(&mut rig, TIGHT[1]);
    rig.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
    assert_eq!((rig.scene().key_context(), rig.screen.typed_line()), (KeyContext::Menu, None));
    resize(&mut rig, ROOMY);
    assert!(!rig.picture().contains("> goto 1"), "{}", rig.picture());
}

/// Returns the window sizes that a page names, in order.
fn sizes_named_on(picture: &str) -> Vec<(u16, u16)> {
    let words: Vec<&str> = picture.split([' ', '\n', '.', '…']).collect();
    let number = |word: &str| word.parse::<u16>().ok();
    let of_three =
        |three: &[&str]| (three[1] == "×").then(|| Some((number(three[0])?, number(three[2])?))).flatten();
    words.windows(3).filter_map(of_three).collect()
}

#[test]
fn the_page_names_the_smallest_window_that_shows_the_board() {
    let mut narrowest = u16::MAX;
    for entry in GAMES {
        for size in entry.board_sizes().all_sizes() {
            let mut rig = Rig::two(entry.name, &format!("size={size}"), "", (26, 9));
            let position = std::sync::Arc::clone(rig.game().shown_position());
            let shows = |window: (u16, u16)| layout_in_lines(&*position, window).density.is_some();
            if shows(rig.screen.size) {
                continue;
            }
            let what = |rig: &Rig| format!("{} {size}: {}", entry.name, rig.picture());
            let [_, least, ..] = sizes_named_on(&rig.picture())[..] else { panic!("{}", what(&rig)) };
            assert!(shows(least), "{}", what(&rig));
            assert!(!shows((least.0 - 1, least.1)) && !shows((least.0, least.1 - 1)), "{}", what(&rig));
            narrowest = narrowest.min(least.0);
            // The size for the move list is correct, too, and is named only if the list needs more.
            rig.screen.size = (least.0 - 1, least.1 - 1);
            let sizes = sizes_named_on(&rig.picture());
            let panel = |window: (u16, u16)| layout_in_lines(&*position, window).panel.is_some();
            match sizes[..] {
                [_, _, more] => {
                    assert!(panel(more) && !panel((more.0 - 1, more.1)), "{}", what(&rig));
                    assert_ne!(more, least);
                }
                _ => assert!(panel(least) || least.1 < 8, "{}", what(&rig)),
            }
        }
    }
    assert!(narrowest < 40, "a small board needs no {narrowest} columns");
}
