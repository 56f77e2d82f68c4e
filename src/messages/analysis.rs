//! The sentences of the analysis board: in the title and in the status line.

use crate::messages::keys::{FORWARD_ARROW, LINE_ABOVE, LINE_BELOW, TAB};
use crate::text;
use crate::text::{SideName, Text};

/// Shown in the title while a position is set up.
pub const SETTING_UP: &str = "setting up a position";

/// Shown when there is no line of the engine to step through.
pub const NO_LINES: &str = "The engine has no lines here yet.";

/// Shown when all moves of the line are on the board.
pub const END_OF_THE_LINE: &str = "This is the end of the line.";

/// Says that a side has no walls that could be taken away.
pub fn no_walls_to_take(name: SideName) -> Text {
    text!("{name} has no walls left to take away.")
}

/// Says where an analysis stands.
pub fn analysis_at(plies: usize, all: usize) -> String {
    format!("analysis, move {plies} of {all}")
}

/// Says which keys work at the engine's lines.
pub fn walks_lines() -> Text {
    text!(
        "The engine's lines: {LINE_ABOVE} {LINE_BELOW} choose one, {FORWARD_ARROW} plays along it, {TAB} goes back to the moves."
    )
}

/// Says how many of the engine's lines are shown.
pub fn shows_lines(count: usize) -> Text {
    if count == 1 { "Shows the best line.".into() } else { text!("Shows up to {count} lines.") }
}
