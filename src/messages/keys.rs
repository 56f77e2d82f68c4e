//! The keys and commands that sentences name. Knows what they do, not how they are read.

use crate::text::Key;

/// Starts a new game once this one is over.
pub(super) const NEW: Key = Key::key("N");
/// Starts a new game at any time.
pub(super) const NEW_NOW: Key = Key::key("Ctrl-N");
/// Starts a rematch.
pub(super) const REMATCH: Key = Key::key("A");
/// Starts a rematch at the level below.
pub(super) const EASIER: Key = Key::key("<");
/// Starts a rematch at the level above.
pub(super) const HARDER: Key = Key::key(">");
/// Steps forward while another position is shown.
pub(super) const FORWARD_ARROW: Key = Key::key("→");
/// Starts or stops a review.
pub(super) const REVIEW: Key = Key::key("a");
pub(super) const REVIEW_LINE: Key = Key::key("R");
/// Shows the turning point.
pub(super) const TURNING: Key = Key::key("j");
/// Shows the solution of a mistake that is practised.
pub(super) const SOLUTION: Key = Key::key("J");
/// Saves the game.
pub(super) const SAVE: Key = Key::key("s");
/// Opens a file.
pub(super) const OPEN: Key = Key::key("o");
/// Quits.
pub(super) const QUIT: Key = Key::key("q");
/// Undoes moves.
pub(super) const UNDO: Key = Key::key("u");
/// Redoes moves.
pub(super) const REDO: Key = Key::key("U");
/// Resigns.
pub(super) const RESIGN: Key = Key::key("R");
/// Swaps.
pub(super) const SWAP: Key = Key::key("S");
/// Plays on from the position on the screen.
pub(super) const PLAY: Key = Key::key("x");
/// Turns the analysis on or off.
pub(super) const ANALYSIS: Key = Key::key("v");
/// Shows the next overlay.
pub(super) const OVERLAY: Key = Key::key("p");
/// Flips the board.
pub(super) const FLIP: Key = Key::key("y");
/// Rotates a wall.
pub(super) const ROTATE: Key = Key::key("r");
/// Changes the theme.
pub(super) const THEME: Key = Key::key("T");
/// Steps back.
pub(super) const BACK: Key = Key::key("[");
/// Steps forward.
pub(super) const FORWARD: Key = Key::key("]");
/// Returns, stops or cancels.
pub(super) const ESC: Key = Key::key("Esc");
/// Plays or confirms.
pub(super) const ENTER: Key = Key::key("Enter");
/// Changes the part of the analysis board that the arrows move in.
pub(super) const TAB: Key = Key::key("Tab");
/// Goes to the line of the engine above or below.
pub(super) const LINE_ABOVE: Key = Key::key("↑");
pub(super) const LINE_BELOW: Key = Key::key("↓");
/// Lets the other side move first in a position that is set up.
pub(super) const OTHER_SIDE: Key = Key::key("m");
/// Goes to the next mistake in line mode; a command.
pub(super) const NEXT_COMMAND: Key = Key::key("next");
/// Deletes a saved game.
pub(super) const DELETE: Key = Key::key("d");
/// Searches a list.
pub(super) const SEARCH: Key = Key::key("/");
/// Answers a question.
pub(super) const YES: Key = Key::key("y");
/// Answers a question.
pub(super) const NO: Key = Key::key("n");
/// Starts or stops auto-play.
pub(super) const SPACE: Key = Key::key("Space");
/// Replaces an external engine by a built-in level; a command.
pub(super) const LEVEL: Key = Key::key(":level N");
/// Shows the help.
pub(super) const HELP: Key = Key::key("?");
/// Shows the rules with pictures; a command.
pub(super) const RULES: Key = Key::key(":rules");
/// Redoes moves in line mode; a command.
pub(super) const REDO_COMMAND: Key = Key::key("redo");
/// The command that undoes moves and edits.
pub(super) const UNDO_COMMAND: Key = Key::key("undo");
/// Gives the player the side that moves first and an engine the other one; a command.
pub(super) const SIDE: Key = Key::key(":side first");
/// Does so in line mode; a command.
pub(super) const SIDE_COMMAND: Key = Key::key("side first");
