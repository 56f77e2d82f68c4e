//! Effects of keys, clicks and pastes outside the screen.

use std::path::PathBuf;

use crate::play::{Command, NewGame};
use crate::ui::TypedLine;

/// Effect of an event outside the screen.
#[derive(Clone, Debug)]
pub enum ScreenEffect {
    /// Passes a command to the match.
    Do(Command),
    /// Submits a typed line to the match.
    Typed(Box<TypedLine>),
    /// Quits at the player's request.
    Quit,
    /// Quits because of Ctrl-C.
    Interrupt,
    /// Stops the process until a signal continues it.
    Suspend,
    /// Takes over the terminal again after the process was stopped, whatever the terminal's state.
    Continue,
    /// Redraws the whole screen.
    Redraw,
    /// Turns mouse reporting on or off.
    Mouse(bool),
    /// Starts the game, replay or practice that the player has chosen.
    Start(StartChoice),
    /// Deletes this saved game.
    Delete(PathBuf),
    /// Continues the game in line mode.
    Plain,
}

/// Choice made in the start menu.
#[derive(Clone, Debug)]
pub enum StartChoice {
    /// A new game.
    Game(Box<NewGame>),
    /// A replay of the game in this file.
    File(PathBuf),
    /// Practice of the mistakes that are due today.
    Mistakes,
    /// The unfinished game in this journal.
    Kept(PathBuf),
}
