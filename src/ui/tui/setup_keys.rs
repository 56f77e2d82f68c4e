//! Handles the keys at the analysis board while the player sets up a position with the cursor.

use super::cursor;
use super::effect::ScreenEffect;
use super::key_table::KeyAction;
use super::screen::{AnalysisFocus, Screen, StatusMessage};
use crate::canvas::PaintOptions;
use crate::game::{SetupChange, Side};
use crate::messages::{analysis, screen as sentences};
use crate::play::{AnalysisEdit, Command, Match};

/// Performs an action while a position is set up.
///
/// Returns the action as an error if it does not concern the setup.
pub(super) fn perform_setup_action(
    screen: &mut Screen,
    game: &Match,
    act: KeyAction,
) -> Result<Option<ScreenEffect>, KeyAction> {
    let place = screen.cursor.place.as_ref().map(|place| setup_cell_of(game, place)).ok_or(act);
    let mover = game.shown_position().to_move();
    let change = match act {
        KeyAction::Play => return Ok(cycle_piece(game, screen.cursor.place.as_deref().ok_or(act)?)),
        KeyAction::PutFirst => SetupChange::Put(Side::First, place?),
        KeyAction::PutSecond => SetupChange::Put(Side::Second, place?),
        KeyAction::Remove => SetupChange::Remove(place?),
        KeyAction::OtherSide => SetupChange::Turn(mover.other()),
        KeyAction::FewerWalls | KeyAction::MoreWalls => {
            let left = game.shown_position().to_setup().and_then(|setup| setup.left);
            let Some(left) = left.map(|left| left[mover]) else {
                screen.set_refusal(sentences::NO_WALLS_MESSAGE);
                return Ok(None);
            };
            if act == KeyAction::FewerWalls && left == 0 {
                screen.set_refusal(analysis::no_walls_to_remove_message(
                    game.shown_position().side_name(mover),
                ));
                return Ok(None);
            }
            let left =
                if act == KeyAction::MoreWalls { left.saturating_add(1) } else { left.saturating_sub(1) };
            SetupChange::Left(mover, left)
        }
        KeyAction::Walls => {
            cursor::toggle_cursor_layer(screen, game);
            screen.remark = StatusMessage::Invitation;
            return Ok(None);
        }
        KeyAction::Rotate => {
            cursor::rotate_wall(screen, game, None);
            return Ok(None);
        }
        KeyAction::Undo => return Ok(Some(ScreenEffect::Do(Command::Undo(None)))),
        KeyAction::Redo => return Ok(Some(ScreenEffect::Do(Command::Redo(None)))),
        KeyAction::Escape | KeyAction::SetUp => {
            screen.cursor.focus = AnalysisFocus::Moves;
            screen.cursor.layer = 0;
            screen.remark = StatusMessage::Invitation;
            return Ok(None);
        }
        _ => return Err(act),
    };
    Ok(Some(ScreenEffect::Do(Command::Edit(AnalysisEdit::SetUp(change)))))
}

/// Changes the piece on a cell to the next one, in the order First, Second, none.
pub(super) fn cycle_piece(game: &Match, place: &str) -> Option<ScreenEffect> {
    let canvas = game.shown_position().paint_board(PaintOptions::default());
    let spot = canvas.find_spot(place)?;
    let (side, place) = (canvas.glyph_at(spot.x, spot.y).1.side(), setup_cell_of(game, place));
    let change = match side {
        None => SetupChange::Put(Side::First, place),
        Some(Side::First) => SetupChange::Put(Side::Second, place),
        Some(Side::Second) => SetupChange::Remove(place),
    };
    Some(ScreenEffect::Do(Command::Edit(AnalysisEdit::SetUp(change))))
}

/// Returns the name of a cell. During a swap offer, the cell of the first stone has the swap's
/// name.
fn setup_cell_of(game: &Match, place: &str) -> String {
    let is_named = game.shown_position().named_moves().iter().any(|(name, _)| *name == place);
    let stones = game.shown_position().to_setup().filter(|_| is_named).map(|setup| setup.pieces.first);
    stones.and_then(|stones| stones.into_iter().next()).unwrap_or_else(|| place.to_owned())
}
