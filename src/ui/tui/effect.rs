//! What a key, a click or a paste asks for outside of the screen. Knows no key.

use std::path::PathBuf;

use crate::play::{Command, NewGame};
use crate::ui::Typed;

/// What is to be done outside.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Something is asked of the match.
    Do(Command),
    /// A line was typed.
    Typed(Box<Typed>),
    /// The player leaves.
    Quit,
    /// The player leaves by Ctrl-C.
    Interrupt,
    /// The program is to be stopped until it is continued.
    Suspend,
    /// The terminal is taken again, whatever has become of it.
    Continue,
    /// Everything is to be drawn again.
    Redraw,
    /// The mouse is to be captured, or no longer.
    Mouse(bool),
    /// Another game is to be started.
    Start(Start),
    /// This saved game is to be deleted.
    Delete(PathBuf),
    /// The game is to go on in plain text.
    Plain,
}

/// What the menu starts.
#[derive(Clone, Debug)]
pub enum Start {
    /// This game.
    Game(Box<NewGame>),
    /// The game in this file, to be shown.
    File(PathBuf),
    /// The mistakes that are due.
    Mistakes,
    /// The game in this journal, to be gone on with.
    Kept(PathBuf),
}
