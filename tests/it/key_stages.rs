//! Screens on which each key of the table has an effect.

use crosspath::canvas::GlyphSet;
use crosspath::play::{AdviceKind, Command};
use crosspath::ui::kept::SavedGame;
use crosspath::ui::tui::key_table::{KeyAction, KeyContext};
use crosspath::ui::tui::{ListKind, ScreenEvent, ScreenLayer, SelectionList};
use crossterm::event::{KeyCode, KeyModifiers};

use crate::lists::{files, saved_games};
use crate::practising;
use crate::screens::board;
use crate::tui_harness::{Rig, report};

/// Returns a screen on which the key can perform its action.
#[expect(clippy::too_many_lines, reason = "one arm for each context")]
pub(crate) fn stage(act: KeyAction, context: KeyContext) -> Rig {
    let quoridor = |moves: &str| board("quoridor", "size=9", moves, GlyphSet::Unicode, (80, 24));
    let mut state = match (act, context) {
        (KeyAction::Swap, _) => Rig::two("hex", "size=5", "c3", (80, 24)),
        (_, KeyContext::Menu) if act != KeyAction::Escape => Rig::menu(GlyphSet::Unicode, (80, 24)),
        _ => quoridor("e2 e8 e3 e7"),
    };
    match context {
        KeyContext::Wall => {
            // The wall cursor is in the middle. It is horizontal for the key that turns it upright,
            // and vertical otherwise.
            state.typed(if matches!(act, KeyAction::Upright) { "d4h" } else { "d4v" });
            state.press(KeyCode::Esc);
            state.hover(if matches!(act, KeyAction::Upright) { "d4h" } else { "d4v" });
        }
        KeyContext::Replay => {
            state.say("replay");
            state.say("goto 2");
        }
        KeyContext::Training => practising::stage(&mut state, act),
        KeyContext::Analysis => {
            state.say("analyze");
            state.say("goto 2");
        }
        KeyContext::Lines => {
            state.say("analyze");
            state.say("goto 2");
            state.execute(Command::Advise(AdviceKind::Study));
            state.answer("d5h", report());
            state.press(KeyCode::Tab);
            state.press(KeyCode::Tab);
            match act {
                KeyAction::Up => state.act(KeyCode::Down),
                KeyAction::Back => state.act(KeyCode::Right),
                _ => {}
            }
        }
        KeyContext::SetUp => {
            state.say("analyze");
            state.say("goto 2");
            state.press(KeyCode::Char('E'));
            state.hover(if act == KeyAction::Rotate { "d4h" } else { "d4" });
        }
        KeyContext::Looking => {
            if matches!(
                act,
                KeyAction::Again
                    | KeyAction::New
                    | KeyAction::Review
                    | KeyAction::TurningPoint
                    | KeyAction::Analyze
            ) {
                state.say("resign");
            }
            state.say("goto 2");
        }
        KeyContext::Menu if act == KeyAction::Escape => {
            state.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
        }
        KeyContext::Rules => {
            state.typed(":rules");
            state.act(KeyCode::Enter);
            if act == KeyAction::Back {
                state.press(KeyCode::Right);
            }
        }
        KeyContext::Page => {
            state.press(KeyCode::Char('?'));
            if !matches!(act, KeyAction::Down | KeyAction::DownLeft | KeyAction::RowEnd) {
                state.press(KeyCode::Down);
            }
        }
        KeyContext::Small => {
            state.screen.size = (20, 5);
        }
        KeyContext::Field => state.typed(":undo"),
        KeyContext::List => {
            state.screen.open_layer(ScreenLayer::List(SelectionList::new(ListKind::Saved)));
            state.event(&ScreenEvent::Listed(saved_games(9)));
            if !matches!(
                act,
                KeyAction::Down
                    | KeyAction::DownLeft
                    | KeyAction::RowEnd
                    | KeyAction::Start
                    | KeyAction::Delete
            ) {
                state.press(KeyCode::End);
            }
        }
        KeyContext::Files => {
            state.press(KeyCode::Char('o'));
            state.event(&ScreenEvent::Listed(files(&["a.txt", "b/", "c.txt"])));
            match act {
                KeyAction::Complete | KeyAction::Erase | KeyAction::Clear => state.typed("b"),
                KeyAction::Down | KeyAction::DownLeft | KeyAction::RowEnd | KeyAction::Submit => {}
                _ => drop(state.press(KeyCode::End)),
            }
        }
        KeyContext::Question => state.ask_to_replace("game.txt"),
        _ => {}
    }
    match (act, context) {
        (KeyAction::GoOn, _) => {
            let words = ["Hex 11x11", "move 12, yesterday 21:40"].map(str::to_owned);
            state.event(&ScreenEvent::Found(SavedGame { path: "live".into(), description: words }));
        }
        (KeyAction::Up | KeyAction::Left | KeyAction::RowStart | KeyAction::UpRight, KeyContext::Menu) => {
            state.press(KeyCode::Tab);
            state.press(KeyCode::Down);
        }
        (KeyAction::Mistakes, _) => _ = state.event(&ScreenEvent::Due(3)),
        (KeyAction::Play, KeyContext::Board | KeyContext::Training) => {
            state.press(KeyCode::Up);
        }
        (KeyAction::Escape, KeyContext::Replay) => state.act(KeyCode::Char(' ')),
        (KeyAction::Escape, KeyContext::Board | KeyContext::Small) => state.say("e4"),
        (
            KeyAction::Again
            | KeyAction::New
            | KeyAction::Review
            | KeyAction::TurningPoint
            | KeyAction::Analyze,
            KeyContext::Board | KeyContext::Wall,
        ) => {
            state.say("resign");
            if context == KeyContext::Wall {
                state.press(KeyCode::Char('w'));
            }
        }
        _ => {}
    }
    state
}
