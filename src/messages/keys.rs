//! Keys and commands that messages name. This module does not handle input.

use crate::text::KeyName;

/// Key that starts a new game once this one is over.
pub(super) const NEW_GAME_KEY: KeyName = KeyName::for_key("N");
/// Key that starts a new game at any time.
pub(super) const NEW_GAME_NOW_KEY: KeyName = KeyName::for_key("Ctrl-N");
/// Key that starts a rematch.
pub(super) const REMATCH_KEY: KeyName = KeyName::for_key("A");
/// Key that starts a rematch one level lower.
pub(super) const EASIER_KEY: KeyName = KeyName::for_key("<");
/// Key that starts a rematch one level higher.
pub(super) const HARDER_KEY: KeyName = KeyName::for_key(">");
/// Key that steps forward while an earlier position is shown.
pub(super) const FORWARD_ARROW_KEY: KeyName = KeyName::for_key("→");
/// Key that starts or stops a review.
pub(super) const REVIEW_KEY: KeyName = KeyName::for_key("a");
/// Key that starts or stops a review on the analysis board.
pub(super) const ANALYSIS_REVIEW_KEY: KeyName = KeyName::for_key("R");
/// Key that shows the turning point.
pub(super) const TURNING_POINT_KEY: KeyName = KeyName::for_key("j");
/// Key that shows the solution while a mistake is practised.
pub(super) const SOLUTION_KEY: KeyName = KeyName::for_key("J");
/// Key that saves the game.
pub(super) const SAVE_KEY: KeyName = KeyName::for_key("s");
/// Key that opens a file.
pub(super) const OPEN_KEY: KeyName = KeyName::for_key("o");
/// Key that quits the program.
pub(super) const QUIT_KEY: KeyName = KeyName::for_key("q");
/// Key that undoes moves.
pub(super) const UNDO_KEY: KeyName = KeyName::for_key("u");
/// Key that redoes moves.
pub(super) const REDO_KEY: KeyName = KeyName::for_key("U");
/// Key that resigns the game.
pub(super) const RESIGN_KEY: KeyName = KeyName::for_key("R");
/// Key that swaps sides in Hex.
pub(super) const SWAP_KEY: KeyName = KeyName::for_key("S");
/// Key that plays on from the position on the screen.
pub(super) const PLAY_ON_KEY: KeyName = KeyName::for_key("x");
/// Key that turns the analysis on or off.
pub(super) const ANALYSIS_KEY: KeyName = KeyName::for_key("v");
/// Key that shows the next overlay.
pub(super) const OVERLAY_KEY: KeyName = KeyName::for_key("p");
/// Key that flips the board.
pub(super) const FLIP_KEY: KeyName = KeyName::for_key("y");
/// Key that rotates a wall.
pub(super) const ROTATE_KEY: KeyName = KeyName::for_key("r");
/// Key that changes the theme.
pub(super) const THEME_KEY: KeyName = KeyName::for_key("T");
/// Key that steps back.
pub(super) const BACK_KEY: KeyName = KeyName::for_key("[");
/// Key that steps forward.
pub(super) const FORWARD_KEY: KeyName = KeyName::for_key("]");
/// Key that returns, stops or cancels.
pub(super) const ESC_KEY: KeyName = KeyName::for_key("Esc");
/// Key that plays or confirms.
pub(super) const ENTER_KEY: KeyName = KeyName::for_key("Enter");
/// Key that switches the part of the analysis board that the arrow keys control.
pub(super) const TAB_KEY: KeyName = KeyName::for_key("Tab");
/// Key that goes to the engine line above.
pub(super) const LINE_ABOVE_KEY: KeyName = KeyName::for_key("↑");
/// Key that goes to the engine line below.
pub(super) const LINE_BELOW_KEY: KeyName = KeyName::for_key("↓");
/// Key that changes the side to move while a position is set up.
pub(super) const SIDE_TO_MOVE_KEY: KeyName = KeyName::for_key("m");
/// Command that goes to the next mistake in line mode.
pub(super) const NEXT_MISTAKE_COMMAND: KeyName = KeyName::for_key("next");
/// Key that deletes a saved game.
pub(super) const DELETE_KEY: KeyName = KeyName::for_key("d");
/// Key that searches a list.
pub(super) const SEARCH_KEY: KeyName = KeyName::for_key("/");
/// Key that answers a question with yes.
pub(super) const YES_KEY: KeyName = KeyName::for_key("y");
/// Key that answers a question with no.
pub(super) const NO_KEY: KeyName = KeyName::for_key("n");
/// Key that starts or stops auto-play.
pub(super) const SPACE_KEY: KeyName = KeyName::for_key("Space");
/// Command that replaces an external engine by a built-in level.
pub(super) const LEVEL_COMMAND: KeyName = KeyName::for_key(":level N");
/// Key that shows the help.
pub(super) const HELP_KEY: KeyName = KeyName::for_key("?");
/// Command that shows the rules with pictures.
pub(super) const RULES_COMMAND: KeyName = KeyName::for_key(":rules");
/// Command that redoes moves in line mode.
pub(super) const REDO_COMMAND: KeyName = KeyName::for_key("redo");
/// Command that undoes moves and edits in line mode.
pub(super) const UNDO_COMMAND: KeyName = KeyName::for_key("undo");
/// Full-screen command that lets the player move first and an engine move second.
pub(super) const SCREEN_SIDE_COMMAND: KeyName = KeyName::for_key(":side first");
/// Line-mode command that lets the player move first and an engine move second.
pub(super) const LINE_MODE_SIDE_COMMAND: KeyName = KeyName::for_key("side first");
