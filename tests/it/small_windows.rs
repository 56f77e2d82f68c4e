//! Windows without room for a board: one page covers them, and input begun before waits until there
//! is room again.

use crosspath::canvas::Glyphs;
use crosspath::registry::GAMES;
use crosspath::ui::tui::key_table::Context;
use crosspath::ui::tui::{Event, layout};
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::layout::Position;

use crate::rig::Rig;
use crate::screens::board;

const ROOMY: (u16, u16) = (80, 24);
const TIGHT: [(u16, u16); 3] = [(50, 9), (28, 8), (12, 3)];

fn resize(rig: &mut Rig, (width, height): (u16, u16)) {
    rig.event(&Event::Resize(width, height));
}

/// Returns a game in whose window a line is typed.
fn typing() -> Rig {
    let mut rig = board("hex", "size=11", "c3 d4", Glyphs::Unicode, ROOMY);
    rig.typed(":goto 1");
    rig
}

#[test]
fn a_typed_line_waits_while_the_window_is_too_small() {
    let plain = board("hex", "size=11", "c3 d4", Glyphs::Unicode, ROOMY);
    for size in TIGHT {
        let (mut rig, mut other) =
            (typing(), Rig { screen: plain.screen.clone(), game: None, now: plain.now });
        resize(&mut rig, size);
        other.screen.size = size;
        let page = crate::rig::picture(&other.screen.with(plain.game.as_ref()));
        assert_eq!(rig.picture(), page, "{size:?}: nothing but the page");
        assert_eq!(rig.scene().context(), Context::Small);
        resize(&mut rig, ROOMY);
        assert!(rig.picture().contains("> goto 1"), "{}", rig.picture());
        assert_eq!(rig.scene().context(), Context::Field);
        assert_eq!(rig.press(KeyCode::Enter), "goto 1");
    }
}

#[test]
fn keys_are_those_of_the_page_while_a_line_waits() {
    let mut rig = typing();
    resize(&mut rig, TIGHT[1]);
    assert_eq!(rig.press(KeyCode::Char('q')), "quit");
    assert_eq!(rig.press(KeyCode::Char('p')), "plain");
    for key in [KeyCode::Char('z'), KeyCode::Backspace, KeyCode::Enter, KeyCode::Esc] {
        assert_eq!(rig.press(key), "", "{key:?}");
    }
    rig.event(&Event::Paste("undo".to_owned()));
    rig.mouse(MouseEventKind::Down(MouseButton::Left), Position { x: 3, y: 1 });
    rig.press(KeyCode::Char('?'));
    let title = &rig.screen.page().expect("a page").title;
    assert!(title.contains("too small"), "{title}");
    rig.press(KeyCode::Esc);
    resize(&mut rig, ROOMY);
    assert_eq!(rig.screen.typed(), Some("goto 1"), "it is as it was");
}

#[test]
fn a_paste_opens_no_line_that_nobody_sees() {
    let mut rig = board("hex", "size=11", "c3 d4", Glyphs::Unicode, TIGHT[1]);
    let page = rig.picture();
    rig.event(&Event::Paste("e5".to_owned()));
    assert_eq!((rig.screen.typed(), rig.picture()), (None, page));
}

#[test]
fn a_menu_has_no_line_of_the_board_behind_it() {
    let mut rig = typing();
    resize(&mut rig, TIGHT[1]);
    rig.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
    assert_eq!((rig.scene().context(), rig.screen.typed()), (Context::Menu, None));
    resize(&mut rig, ROOMY);
    assert!(!rig.picture().contains("> goto 1"), "{}", rig.picture());
}

/// Returns the sizes that a page names, in their order.
fn sizes_on(picture: &str) -> Vec<(u16, u16)> {
    let words: Vec<&str> = picture.split([' ', '\n', '.', '…']).collect();
    let number = |word: &str| word.parse::<u16>().ok();
    let of_three =
        |three: &[&str]| (three[1] == "×").then(|| Some((number(three[0])?, number(three[2])?))).flatten();
    words.windows(3).filter_map(of_three).collect()
}

#[test]
fn the_page_names_the_least_window_that_shows_the_board() {
    let mut narrowest = u16::MAX;
    for entry in GAMES {
        for size in entry.sizes().all() {
            let mut rig = Rig::two(entry.name, &format!("size={size}"), "", (26, 9));
            let position = std::sync::Arc::clone(rig.game().shown());
            let shows = |window: (u16, u16)| layout(&*position, window).density.is_some();
            if shows(rig.screen.size) {
                continue;
            }
            let what = |rig: &Rig| format!("{} {size}: {}", entry.name, rig.picture());
            let [_, least, ..] = sizes_on(&rig.picture())[..] else { panic!("{}", what(&rig)) };
            assert!(shows(least), "{}", what(&rig));
            assert!(!shows((least.0 - 1, least.1)) && !shows((least.0, least.1 - 1)), "{}", what(&rig));
            narrowest = narrowest.min(least.0);
            // What it says of the move list is true as well, and is said only where a list takes more.
            rig.screen.size = (least.0 - 1, least.1 - 1);
            let sizes = sizes_on(&rig.picture());
            let panel = |window: (u16, u16)| layout(&*position, window).panel.is_some();
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
