//! Positions and screens in which each key of the table can do what it says.

use crosspath::canvas::Glyphs;
use crosspath::play::{Advice, Command};
use crosspath::ui::kept::SavedGame;
use crosspath::ui::tui::key_table::{Action, Context};
use crosspath::ui::tui::{Event, Layer, List, ListKind};
use crossterm::event::{KeyCode, KeyModifiers};

use crate::lists::{files, saved_games};
use crate::practising;
use crate::rig::{Rig, report};
use crate::screens::board;

/// Returns a screen on which the key can do its action.
#[expect(clippy::too_many_lines, reason = "one arm for each context")]
pub(crate) fn stage(act: Action, context: Context) -> Rig {
    let quoridor = |moves: &str| board("quoridor", "size=9", moves, Glyphs::Unicode, (80, 24));
    let mut state = match (act, context) {
        (Action::Swap, _) => Rig::two("hex", "size=5", "c3", (80, 24)),
        (_, Context::Menu) if act != Action::Escape => Rig::menu(Glyphs::Unicode, (80, 24)),
        _ => quoridor("e2 e8 e3 e7"),
    };
    match context {
        Context::Wall => {
            // In the middle, upright where the key is to lay it down.
            state.typed(if matches!(act, Action::Upright) { "d4h" } else { "d4v" });
            state.press(KeyCode::Esc);
            state.hover(if matches!(act, Action::Upright) { "d4h" } else { "d4v" });
        }
        Context::Replay => {
            state.say("replay");
            state.say("goto 2");
        }
        Context::Training => practising::stage(&mut state, act),
        Context::Analysis => {
            state.say("analyze");
            state.say("goto 2");
        }
        Context::Lines => {
            state.say("analyze");
            state.say("goto 2");
            state.tell(Command::Advise(Advice::Study));
            state.answer("d5h", report());
            state.press(KeyCode::Tab);
            state.press(KeyCode::Tab);
            match act {
                Action::Up => state.act(KeyCode::Down),
                Action::Back => state.act(KeyCode::Right),
                _ => {}
            }
        }
        Context::SetUp => {
            state.say("analyze");
            state.say("goto 2");
            state.press(KeyCode::Char('E'));
            state.hover(if act == Action::Rotate { "d4h" } else { "d4" });
        }
        Context::Looking => {
            if matches!(
                act,
                Action::Again | Action::New | Action::Review | Action::TurningPoint | Action::Analyze
            ) {
                state.say("resign");
            }
            state.say("goto 2");
        }
        Context::Menu if act == Action::Escape => {
            state.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
        }
        Context::Rules => {
            state.typed(":rules");
            state.act(KeyCode::Enter);
            if act == Action::Back {
                state.press(KeyCode::Right);
            }
        }
        Context::Page => {
            state.press(KeyCode::Char('?'));
            if !matches!(act, Action::Down | Action::DownLeft | Action::RowEnd) {
                state.press(KeyCode::Down);
            }
        }
        Context::Small => {
            state.screen.size = (20, 5);
        }
        Context::Field => state.typed(":undo"),
        Context::List => {
            state.screen.open(Layer::List(List::new(ListKind::Saved)));
            state.event(&Event::Listed(saved_games(9)));
            if !matches!(
                act,
                Action::Down | Action::DownLeft | Action::RowEnd | Action::Start | Action::Delete
            ) {
                state.press(KeyCode::End);
            }
        }
        Context::Files => {
            state.press(KeyCode::Char('o'));
            state.event(&Event::Listed(files(&["a.txt", "b/", "c.txt"])));
            match act {
                Action::Complete | Action::Erase | Action::Clear => state.typed("b"),
                Action::Down | Action::DownLeft | Action::RowEnd | Action::Submit => {}
                _ => drop(state.press(KeyCode::End)),
            }
        }
        Context::Question => state.ask_to_replace("game.txt"),
        _ => {}
    }
    match (act, context) {
        (Action::GoOn, _) => {
            let words = ["Hex 11x11", "move 12, yesterday 21:40"].map(str::to_owned);
            state.event(&Event::Found(SavedGame { path: "live".into(), words }));
        }
        (Action::Up | Action::Left | Action::RowStart | Action::UpRight, Context::Menu) => {
            state.press(KeyCode::Tab);
            state.press(KeyCode::Down);
        }
        (Action::Mistakes, _) => _ = state.event(&Event::Due(3)),
        (Action::Play, Context::Board | Context::Training) => {
            state.press(KeyCode::Up);
        }
        (Action::Escape, Context::Replay) => state.act(KeyCode::Char(' ')),
        (Action::Escape, Context::Board | Context::Small) => state.say("e4"),
        (
            Action::Again | Action::New | Action::Review | Action::TurningPoint | Action::Analyze,
            Context::Board | Context::Wall,
        ) => {
            state.say("resign");
            if context == Context::Wall {
                state.press(KeyCode::Char('w'));
            }
        }
        _ => {}
    }
    state
}
