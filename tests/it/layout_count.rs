//! The layout of a screen is made once for a state: an event or a frame makes one at most.

use crosspath::canvas::Glyphs;
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::layout::Position;

use crate::rig::Rig;
use crate::screens::{SIZES, pages};

/// Calls `act`, and fails if more than one layout was made meanwhile.
fn at_most_one<T>(rig: &mut Rig, what: &str, act: impl FnOnce(&mut Rig) -> T) -> T {
    let before = rig.screen.layouts_made();
    let answer = act(rig);
    let made = rig.screen.layouts_made() - before;
    assert!(made <= 1, "{what}: {made} layouts");
    answer
}

#[test]
fn an_event_or_a_frame_makes_one_layout_at_most() {
    let keys = " ?/:abcdefhjknoprstuvwxyz[]+-|ARSTUN19".chars().map(KeyCode::Char);
    let named = [KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::Left, KeyCode::Down, KeyCode::Home];
    let keys: Vec<KeyCode> = keys.chain(named).collect();
    let mut events = 0;
    for size in SIZES.into_iter().chain([(160, 50)]) {
        for (name, mut rig) in pages(Glyphs::Unicode, size) {
            for &code in &keys {
                let what = format!("{name} at {size:?}, {code:?}");
                let effect = at_most_one(&mut rig, &what, |rig| rig.key(code, KeyModifiers::NONE));
                // What is made for the event is there for the frame.
                at_most_one(&mut rig, &what, |rig| rig.picture());
                let again = rig.screen.layouts_made();
                assert_eq!(rig.picture(), rig.picture());
                assert_eq!(rig.screen.layouts_made(), again, "{what}: nothing has changed");
                at_most_one(&mut rig, &what, |rig| rig.scene().wants_study());
                if rig.game.is_some() {
                    at_most_one(&mut rig, &what, |rig| rig.apply(effect));
                }
                events += 1;
            }
            let at = Position { x: size.0 / 3, y: size.1 / 2 };
            for kind in
                [MouseEventKind::Moved, MouseEventKind::Down(MouseButton::Left), MouseEventKind::ScrollUp]
            {
                at_most_one(&mut rig, name, |rig| rig.mouse(kind, at));
            }
        }
    }
    assert!(events > 1000, "only {events} keys were pressed");
}
