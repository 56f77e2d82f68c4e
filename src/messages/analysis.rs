//! Messages of the analysis board: in the title and in the status line.

use crate::messages::keys::{FORWARD_ARROW_KEY, LINE_ABOVE_KEY, LINE_BELOW_KEY, TAB_KEY};
use crate::text;
use crate::text::{SideName, Text};

/// Message shown in the title while a position is set up.
pub const SETTING_UP_TITLE: &str = "setting up a position";

/// Message shown if there is no engine line to step through.
pub const NO_ENGINE_LINES_MESSAGE: &str = "The engine has no lines here yet.";

/// Message shown if all moves of the line are on the board.
pub const END_OF_LINE_MESSAGE: &str = "This is the end of the line.";

/// Says that a side has no walls left to remove.
pub fn no_walls_to_remove_message(name: SideName) -> Text {
    text!("{name} has no walls left to take away.")
}

/// Formats the title of an analysis with its move number.
pub fn format_analysis_title(plies: usize, all: usize) -> String {
    format!("analysis, move {plies} of {all}")
}

/// Lists the keys for the engine's lines.
pub fn engine_line_keys_message() -> Text {
    text!(
        "The engine's lines: {LINE_ABOVE_KEY} {LINE_BELOW_KEY} choose one, {FORWARD_ARROW_KEY} plays along it, {TAB_KEY} goes back to the moves."
    )
}

/// Says how many engine lines are shown.
pub fn engine_line_count_message(count: usize) -> Text {
    if count == 1 { "Shows the best line.".into() } else { text!("Shows up to {count} lines.") }
}
