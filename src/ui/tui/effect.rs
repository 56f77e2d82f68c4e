//! Effects of a key, a click or a paste outside of the screen. Knows no key.

use std::path::PathBuf;

use crate::play::{Command, NewGame};
use crate::ui::Typed;

/// Effect outside of the screen.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Passes a command to the match.
    Do(Command),
    /// Passes on a line that was typed.
    Typed(Box<Typed>),
    /// Leaves because the player wants to.
    Quit,
    /// Leaves because of Ctrl-C.
    Interrupt,
    /// Stops the program until it is continued.
    Suspend,
    /// Takes the terminal again, whatever its state is.
    Continue,
    /// Draws everything again.
    Redraw,
    /// Captures the mouse, or releases it.
    Mouse(bool),
    /// Starts another game.
    Start(Start),
    /// Deletes this saved game.
    Delete(PathBuf),
    /// Continues the game in plain text.
    Plain,
}

/// Choice that the menu starts.
#[derive(Clone, Debug)]
pub enum Start {
    /// This game.
    Game(Box<NewGame>),
    /// A replay of the game in this file.
    File(PathBuf),
    /// A practice of the mistakes that are due.
    Mistakes,
    /// The unfinished game in this journal.
    Kept(PathBuf),
}
