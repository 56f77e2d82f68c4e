//! The keys and commands that sentences name. Knows what they do, not how they are read.

use crate::text::KeyName;

/// Starts a new game once this one is over.
pub(super) const NEW: KeyName = KeyName::key("N");
/// Starts a new game at any time.
pub(super) const NEW_NOW: KeyName = KeyName::key("Ctrl-N");
/// Starts a rematch.
pub(super) const REMATCH: KeyName = KeyName::key("A");
/// Starts a rematch at the level below.
pub(super) const EASIER: KeyName = KeyName::key("<");
/// Starts a rematch at the level above.
pub(super) const HARDER: KeyName = KeyName::key(">");
/// Steps forward while another position is shown.
pub(super) const FORWARD_ARROW: KeyName = KeyName::key("→");
/// Starts or stops a review.
pub(super) const REVIEW: KeyName = KeyName::key("a");
pub(super) const REVIEW_LINE: KeyName = KeyName::key("R");
/// Shows the turning point.
pub(super) const TURNING: KeyName = KeyName::key("j");
/// Shows the solution of a mistake that is practised.
pub(super) const SOLUTION: KeyName = KeyName::key("J");
/// Saves the game.
pub(super) const SAVE: KeyName = KeyName::key("s");
/// Opens a file.
pub(super) const OPEN: KeyName = KeyName::key("o");
/// Quits.
pub(super) const QUIT: KeyName = KeyName::key("q");
/// Undoes moves.
pub(super) const UNDO: KeyName = KeyName::key("u");
/// Redoes moves.
pub(super) const REDO: KeyName = KeyName::key("U");
/// Resigns.
pub(super) const RESIGN: KeyName = KeyName::key("R");
/// Swaps.
pub(super) const SWAP: KeyName = KeyName::key("S");
/// Plays on from the position on the screen.
pub(super) const PLAY: KeyName = KeyName::key("x");
/// Turns the analysis on or off.
pub(super) const ANALYSIS: KeyName = KeyName::key("v");
/// Shows the next overlay.
pub(super) const OVERLAY: KeyName = KeyName::key("p");
/// Flips the board.
pub(super) const FLIP: KeyName = KeyName::key("y");
/// Rotates a wall.
pub(super) const ROTATE: KeyName = KeyName::key("r");
/// Changes the theme.
pub(super) const THEME: KeyName = KeyName::key("T");
/// Steps back.
pub(super) const BACK: KeyName = KeyName::key("[");
/// Steps forward.
pub(super) const FORWARD: KeyName = KeyName::key("]");
/// Returns, stops or cancels.
pub(super) const ESC: KeyName = KeyName::key("Esc");
/// Plays or confirms.
pub(super) const ENTER: KeyName = KeyName::key("Enter");
/// Changes the part of the analysis board that the arrows move in.
pub(super) const TAB: KeyName = KeyName::key("Tab");
/// Goes to the line of the engine above or below.
pub(super) const LINE_ABOVE: KeyName = KeyName::key("↑");
pub(super) const LINE_BELOW: KeyName = KeyName::key("↓");
/// Lets the other side move first in a position that is set up.
pub(super) const OTHER_SIDE: KeyName = KeyName::key("m");
/// Goes to the next mistake in line mode; a command.
pub(super) const NEXT_COMMAND: KeyName = KeyName::key("next");
/// Deletes a saved game.
pub(super) const DELETE: KeyName = KeyName::key("d");
/// Searches a list.
pub(super) const SEARCH: KeyName = KeyName::key("/");
/// Answers a question.
pub(super) const YES: KeyName = KeyName::key("y");
/// Answers a question.
pub(super) const NO: KeyName = KeyName::key("n");
/// Starts or stops auto-play.
pub(super) const SPACE: KeyName = KeyName::key("Space");
/// Replaces an external engine by a built-in level; a command.
pub(super) const LEVEL: KeyName = KeyName::key(":level N");
/// Shows the help.
pub(super) const HELP: KeyName = KeyName::key("?");
/// Shows the rules with pictures; a command.
pub(super) const RULES: KeyName = KeyName::key(":rules");
/// Redoes moves in line mode; a command.
pub(super) const REDO_COMMAND: KeyName = KeyName::key("redo");
/// The command that undoes moves and edits.
pub(super) const UNDO_COMMAND: KeyName = KeyName::key("undo");
/// Gives the player the side that moves first and an engine the other one; a command.
pub(super) const SIDE: KeyName = KeyName::key(":side first");
/// Does so in line mode; a command.
pub(super) const SIDE_COMMAND: KeyName = KeyName::key("side first");
