//! The layout of a screen is computed once per state, so an event or a frame computes at most one.

use crosspath::canvas::GlyphSet;
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::layout::Position;

use crate::screens::{SIZES, pages};
use crate::tui_harness::Rig;

/// Calls `act` and fails if it computes more than one layout.
fn assert_at_most_one_layout<T>(rig: &mut Rig, what: &str, act: impl FnOnce(&mut Rig) -> T) -> T {
    let before = rig.screen.layouts_computed();
    let answer = act(rig);
    let computed = rig.screen.layouts_computed() - before;
    assert!(computed <= 1, "{what}: {computed} layouts");
    answer
}

#[test]
fn an_event_or_a_frame_computes_at_most_one_layout() {
    let keys = " ?/:abcdefhjknoprstuvwxyz[]+-|ARSTUN19".chars().map(KeyCode::Char);
    let named = [KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::Left, KeyCode::Down, KeyCode::Home];
    let keys: Vec<KeyCode> = keys.chain(named).collect();
    let mut events = 0;
    for size in SIZES.into_iter().chain([(160, 50)]) {
        for (name, mut rig) in pages(GlyphSet::Unicode, size) {
            for &code in &keys {
                let what = format!("{name} at {size:?}, {code:?}");
                let effect =
                    assert_at_most_one_layout(&mut rig, &what, |rig| rig.key(code, KeyModifiers::NONE));
                // The frame reuses the layout that the event computed.
                assert_at_most_one_layout(&mut rig, &what, |rig| rig.picture());
                let again = rig.screen.layouts_computed();
                assert_eq!(rig.picture(), rig.picture());
                assert_eq!(rig.screen.layouts_computed(), again, "{what}: nothing has changed");
                assert_at_most_one_layout(&mut rig, &what, |rig| rig.scene().wants_engine_study());
                if rig.game.is_some() {
                    assert_at_most_one_layout(&mut rig, &what, |rig| rig.apply(effect));
                }
                events += 1;
            }
            let at = Position { x: size.0 / 3, y: size.1 / 2 };
            for kind in
                [MouseEventKind::Moved, MouseEventKind::Down(MouseButton::Left), MouseEventKind::ScrollUp]
            {
                assert_at_most_one_layout(&mut rig, name, |rig| rig.mouse(kind, at));
            }
        }
    }
    assert!(events > 1000, "only {events} keys were pressed");
}
