//! Layers as components. A layer receives actions, text and mouse events, and returns effects on
//! the rest of the screen. Layers never change each other.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;

use super::effect::ScreenEffect;
use super::frame::FrameContext;
use super::key_table::KeyAction;
use super::layer::ScreenLayer;
use crate::text::Text;

/// Effect that a layer has on the rest of the screen.
#[derive(Debug)]
pub(super) enum LayerEffect {
    /// Opens another layer.
    Open(Box<ScreenLayer>),
    /// Closes this layer.
    Close,
    /// Shows a message in the status line, or in the command row of the menu.
    Say(Text),
    /// Moves the cursor to the cell or wall slot of this move.
    Focus(String),
    /// Moves the cursor back to its position before the prompt was opened.
    PutCursorBack,
    /// Changes to the theme this number of steps further in the list of themes.
    ChangeTheme(isize),
    /// Submits a typed line.
    Submit(String),
    /// Requests an effect outside the screen.
    Ask(ScreenEffect),
}

/// Answer of a layer to an event that was offered to it.
#[derive(Debug)]
pub(super) enum LayerAnswer {
    /// The layer has handled the event, with these effects.
    Handled(Vec<LayerEffect>),
    /// The event is not for this layer.
    PassOn,
}

impl LayerAnswer {
    /// Answer of a layer that has handled the event without effects.
    pub(super) const HANDLED: Self = LayerAnswer::Handled(Vec::new());
}

impl From<LayerEffect> for LayerAnswer {
    fn from(effect: LayerEffect) -> Self {
        LayerAnswer::Handled(vec![effect])
    }
}

/// Input handling and drawing of a layer.
///
/// While a layer handles an event it is removed from the stack, so `c` contains only the other
/// layers.
pub(super) trait LayerComponent {
    /// Performs an action triggered by a key or by a click on the key bar.
    ///
    /// For a click, `key` is a null key.
    fn perform(&mut self, act: KeyAction, key: &KeyEvent, c: &FrameContext<'_>) -> LayerAnswer;

    /// Inserts text that was typed or pasted.
    fn insert_text(&mut self, _text: &str, _c: &FrameContext<'_>) -> LayerAnswer {
        LayerAnswer::PassOn
    }

    /// Handles a click at a screen position.
    fn on_click(&mut self, _at: Position, _c: &FrameContext<'_>) -> LayerAnswer {
        LayerAnswer::HANDLED
    }

    /// Handles a step of the mouse wheel; `act` is `Up` or `Down`.
    fn on_wheel(&mut self, _act: KeyAction, _c: &FrameContext<'_>) -> LayerAnswer {
        LayerAnswer::HANDLED
    }

    /// Draws the layer and returns the position of the terminal cursor, if it is shown.
    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position>;
}
