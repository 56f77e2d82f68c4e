//! What a layer does: it takes actions, text and the mouse, and says what it wants of the rest of the screen. Layers do not
//! touch each other.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;

use super::effect::Effect;
use super::frame::FrameContext;
use super::key_table::Action;
use super::layer::Layer;
use crate::text::Text;

/// What a layer wants of the rest of the screen.
#[derive(Debug)]
pub(super) enum LayerEffect {
    /// Another layer is to be opened.
    Open(Box<Layer>),
    /// This one is to be closed.
    Close,
    /// Something is to be said in the status line, or in its place in the menu.
    Say(Text),
    /// The cursor goes to the place of this move.
    Focus(String),
    /// The cursor goes back to where it was before a line was typed.
    PutCursorBack,
    /// Another theme, so many steps on.
    ChangeTheme(isize),
    /// This line was typed.
    Submit(String),
    /// Something is to be done outside of the screen.
    Ask(Effect),
}

/// What comes of something that was offered to a layer.
#[derive(Debug)]
pub(super) enum Answer {
    /// It was for this layer, which wants this.
    Handled(Vec<LayerEffect>),
    /// It was not.
    PassOn,
}

impl Answer {
    /// Done, and nothing else is wanted.
    pub(super) const DONE: Self = Answer::Handled(Vec::new());
}

impl From<LayerEffect> for Answer {
    fn from(effect: LayerEffect) -> Self {
        Answer::Handled(vec![effect])
    }
}

/// A layer as the screen deals with it. While one acts it is out of the stack: `c` has the layers that lie below it, and
/// those above.
pub(super) trait Component {
    /// Does what a key of the table says, or a click on the key bar; `key` is the key, if there was one.
    fn act(&mut self, act: Action, key: &KeyEvent, c: &FrameContext<'_>) -> Answer;

    /// Takes what was typed or pasted and means nothing else.
    fn text(&mut self, _text: &str, _c: &FrameContext<'_>) -> Answer {
        Answer::PassOn
    }

    /// Takes a click.
    fn click(&mut self, _at: Position, _c: &FrameContext<'_>) -> Answer {
        Answer::DONE
    }

    /// Takes a turn of the wheel, up or down.
    fn wheel(&mut self, _act: Action, _c: &FrameContext<'_>) -> Answer {
        Answer::DONE
    }

    /// Draws itself; gives the place of the cursor.
    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position>;
}
