//! The keys at the analysis board while a position is set up with the cursor.

use super::cursor;
use super::effect::Effect;
use super::key_table::Action;
use super::screen::{Focus, Screen, StatusMessage};
use crate::canvas::PaintOptions;
use crate::game::{SetupChange, Side};
use crate::messages::{analysis, screen as sentences};
use crate::play::{Command, Edit, Match};

/// Performs an action while a position is set up. Returns an action that has nothing to do with
/// that.
pub(super) fn change(screen: &mut Screen, game: &Match, act: Action) -> Result<Option<Effect>, Action> {
    let place = screen.cursor.place.as_ref().map(|place| cell_of(game, place)).ok_or(act);
    let mover = game.shown().to_move();
    let change = match act {
        Action::Play => return Ok(cycle(game, screen.cursor.place.as_deref().ok_or(act)?)),
        Action::PutFirst => SetupChange::Put(Side::First, place?),
        Action::PutSecond => SetupChange::Put(Side::Second, place?),
        Action::Remove => SetupChange::Remove(place?),
        Action::OtherSide => SetupChange::Turn(mover.other()),
        Action::FewerWalls | Action::MoreWalls => {
            let left = game.shown().as_setup().and_then(|setup| setup.left);
            let Some(left) = left.map(|left| left[mover]) else {
                screen.refuse(sentences::NO_WALLS);
                return Ok(None);
            };
            if act == Action::FewerWalls && left == 0 {
                screen.refuse(analysis::no_walls_to_take(game.shown().side_name(mover)));
                return Ok(None);
            }
            let left = if act == Action::MoreWalls { left.saturating_add(1) } else { left.saturating_sub(1) };
            SetupChange::Left(mover, left)
        }
        Action::Walls => {
            cursor::change_layer(screen, game);
            screen.remark = StatusMessage::Invitation;
            return Ok(None);
        }
        Action::Rotate => {
            cursor::rotate(screen, game, None);
            return Ok(None);
        }
        Action::Undo => return Ok(Some(Effect::Do(Command::Undo(None)))),
        Action::Redo => return Ok(Some(Effect::Do(Command::Redo(None)))),
        Action::Escape | Action::SetUp => {
            screen.cursor.focus = Focus::Moves;
            screen.cursor.layer = 0;
            screen.remark = StatusMessage::Invitation;
            return Ok(None);
        }
        _ => return Err(act),
    };
    Ok(Some(Effect::Do(Command::Edit(Edit::SetUp(change)))))
}

/// Changes the piece on a place to the next one: one of First, one of Second, none.
pub(super) fn cycle(game: &Match, place: &str) -> Option<Effect> {
    let canvas = game.shown().canvas(PaintOptions::default());
    let spot = canvas.find(place)?;
    let (side, place) = (canvas.at(spot.x, spot.y).1.side(), cell_of(game, place));
    let change = match side {
        None => SetupChange::Put(Side::First, place),
        Some(Side::First) => SetupChange::Put(Side::Second, place),
        Some(Side::Second) => SetupChange::Remove(place),
    };
    Some(Effect::Do(Command::Edit(Edit::SetUp(change))))
}

/// Returns the cell of a place; a stone that may be swapped is a place with the name of that move.
fn cell_of(game: &Match, place: &str) -> String {
    let is_named = game.shown().named_moves().iter().any(|(name, _)| *name == place);
    let stones = game.shown().as_setup().filter(|_| is_named).map(|setup| setup.pieces.first);
    stones.and_then(|stones| stones.into_iter().next()).unwrap_or_else(|| place.to_owned())
}
