//! Layers as components: a layer takes actions, text and the mouse, and returns effects on the rest
//! of the screen. Layers do not touch each other.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;

use super::effect::Effect;
use super::frame::FrameContext;
use super::key_table::Action;
use super::layer::Layer;
use crate::text::Text;

/// Effect that a layer has on the rest of the screen.
#[derive(Debug)]
pub(super) enum LayerEffect {
    /// Opens another layer.
    Open(Box<Layer>),
    /// Closes this layer.
    Close,
    /// Shows a message in the status line, or in its place in the menu.
    Say(Text),
    /// Moves the cursor to the place of this move.
    Focus(String),
    /// Moves the cursor back to where it was before a line was typed.
    PutCursorBack,
    /// Changes the theme by this number of steps.
    ChangeTheme(isize),
    /// Submits this line, which was typed.
    Submit(String),
    /// Asks for something outside of the screen.
    Ask(Effect),
}

/// Answer of a layer to something that was offered to it.
#[derive(Debug)]
pub(super) enum Answer {
    /// The layer has handled it, with these effects.
    Handled(Vec<LayerEffect>),
    /// It was not for this layer.
    PassOn,
}

impl Answer {
    /// The layer has handled it, without further effects.
    pub(super) const DONE: Self = Answer::Handled(Vec::new());
}

impl From<LayerEffect> for Answer {
    fn from(effect: LayerEffect) -> Self {
        Answer::Handled(vec![effect])
    }
}

/// Interface of a layer to the screen. A layer that acts is taken out of the stack: `c` has the
/// layers below it and above it.
pub(super) trait Component {
    /// Performs an action of the key table, or of a click on the key bar; `key` is the key, if
    /// there was one.
    fn act(&mut self, act: Action, key: &KeyEvent, c: &FrameContext<'_>) -> Answer;

    /// Takes text that was typed or pasted and means nothing else.
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

    /// Draws the layer; returns the place of the cursor.
    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position>;
}
