//! Moves the cursor between the cells and wall slots of the drawn board, in any game.

use super::facts::MatchFacts;
use super::frame::FrameContext;
use super::key_table::KeyAction;
use super::painting;
use super::screen::{AnalysisFocus, Screen, StatusMessage};
use crate::canvas::{Canvas, MoveSpot, PaintOptions};
use crate::messages::screen as sentences;
use crate::play::Match;
use crate::text;
use crate::text::Text;

/// Returns the smallest drawing of the board.
///
/// The cursor moves on this drawing, so that the keys act alike in every window.
fn smallest_canvas(c: &FrameContext<'_>) -> Option<Canvas> {
    c.paint_board(0)
}

/// Moves the cursor one step within its layer. At the edge of the board it stays in place.
pub(super) fn step_cursor(screen: &mut Screen, game: &Match, act: KeyAction) {
    let c = screen.with_match(Some(game));
    let Some(canvas) = smallest_canvas(&c) else { return };
    let layer = c.screen.cursor.layer;
    let spots: Vec<&MoveSpot> = canvas.spots().iter().filter(|spot| spot.layer == layer).collect();
    let Some(here) = painting::spot_under_cursor(&c, &canvas).or(spots.first().copied()) else { return };
    // Distance of a place in the direction of the key, or `None` if it lies elsewhere.
    let distance = |spot: &MoveSpot| {
        let (x, y) =
            (spot.x.cast_signed() - here.x.cast_signed(), spot.y.cast_signed() - here.y.cast_signed());
        match act {
            KeyAction::Left if y == 0 && x < 0 => Some((-x, 0, 0)),
            KeyAction::Right if y == 0 && x > 0 => Some((x, 0, 0)),
            KeyAction::RowStart if y == 0 => Some((x, 0, 0)),
            KeyAction::RowEnd if y == 0 => Some((-x, 0, 0)),
            // On slanted boards two places are equally near. The one in the column of the same name
            // is preferred.
            KeyAction::Up if y < 0 => Some((-y, x.abs(), x)),
            KeyAction::Down if y > 0 => Some((y, x.abs(), -x)),
            KeyAction::UpRight if y < 0 && x > 0 => Some((-y, x, 0)),
            KeyAction::DownLeft if y > 0 && x < 0 => Some((y, -x, 0)),
            _ => None,
        }
    };
    let there = spots.iter().filter_map(|spot| Some((distance(spot)?, spot)));
    let to = there.min_by_key(|(distance, _)| *distance);
    if let Some(text) = to.map(|(_, spot)| spot.text.clone()) {
        screen.cursor.clicked_at = None;
        move_cursor_to(screen, game, &text);
    }
}

/// Moves the cursor to the cell or wall slot of a move, and shows the effect of the move.
pub(super) fn move_cursor_to(screen: &mut Screen, game: &Match, text: &str) {
    let c = screen.with_match(Some(game));
    let Some(canvas) = smallest_canvas(&c) else { return };
    let Some(spot) = canvas.find_spot(text) else { return };
    let was_between = c.screen.cursor.layer > 0;
    // Placing a piece while setting up a position is no move.
    let is_turn = c.game.is_players_turn() && c.screen.cursor.focus != AnalysisFocus::SetUp;
    let you = c.game.human_side();
    let present = game.present_position();
    let turned = c.screen.drawing.is_turned && present.as_paint().can_flip();
    let look = PaintOptions { glyphs: c.screen.looks.glyphs, turned, ..PaintOptions::default() };
    let cursor = &mut screen.cursor;
    if spot.layer > 0 {
        (cursor.other_layer, cursor.other_place) = (spot.layer, Some(spot.text.clone()));
    }
    (cursor.layer, cursor.place) = (spot.layer, Some(spot.text.clone()));
    if !is_turn {
        return;
    }
    match present.as_paint().move_preview(text, &look, you) {
        Some(said) if present.is_legal(text) => screen.remark = StatusMessage::Info(said),
        Some(said) => screen.remark = StatusMessage::Refusal(said),
        None if was_between => screen.remark = StatusMessage::Invitation,
        None => {}
    }
}

/// Shows a message while a wall is placed, following the wall's effect if there is room.
pub(super) fn append_to_wall_preview(screen: &mut Screen, game: &Match, said: &Text) {
    let Some(place) = screen.cursor.place.clone().filter(|_| screen.cursor.layer > 0) else { return };
    move_cursor_to(screen, game, &place);
    let both = text!("{} {said}", screen.with_match(Some(game)).render_status_line());
    let is_new = !both.starts_with(said.as_str());
    screen.set_status(if is_new && screen.with_match(Some(game)).fits_status_line(&both) {
        &both
    } else {
        said
    });
}

/// Moves the cursor from the cells to the wall slots between them, or back.
pub(super) fn toggle_cursor_layer(screen: &mut Screen, game: &Match) {
    let c = screen.with_match(Some(game));
    let Some(canvas) = smallest_canvas(&c) else { return };
    if c.screen.cursor.layer > 0 {
        let present = game.present_position();
        let home = present.as_paint().default_cursor().unwrap_or_else(|| present.view().sample_move());
        screen.cursor.layer = 0;
        move_cursor_to(screen, game, &home);
        screen.remark = StatusMessage::Invitation;
        return;
    }
    let here = painting::spot_under_cursor(&c, &canvas)
        .map_or((canvas.width() / 2, canvas.height() / 2), |spot| (spot.x, spot.y));
    // The last wall place is used if a move is legal there, otherwise the nearest legal one.
    let is_legal = |text: &str| game.present_position().is_legal(text);
    let before = c.screen.cursor.other_place.clone().filter(|text| is_legal(text));
    let layer = c.screen.cursor.other_layer;
    let legal = before.or_else(|| nearest_spot(&canvas, layer, here, is_legal));
    let to = legal.clone().or_else(|| nearest_spot(&canvas, layer, here, |_| true));
    match to {
        // No wall can be placed anywhere: the game's refusal is shown.
        Some(to)
            if legal.is_none()
                && c.screen.cursor.focus != AnalysisFocus::SetUp
                && c.game.is_players_turn()
                && !has_legal_wall(&canvas, game) =>
        {
            let why = std::sync::Arc::clone(game.present_position()).play(&to).err();
            screen.set_refusal(why.map_or_else(|| sentences::NO_WALLS_MESSAGE.into(), |why| why.text));
        }
        Some(to) => move_cursor_to(screen, game, &to),
        None => screen.set_refusal(sentences::NO_WALLS_MESSAGE),
    }
}

/// Reports whether any wall on the board is a legal move.
fn has_legal_wall(canvas: &Canvas, game: &Match) -> bool {
    let position = game.present_position();
    canvas.spots().iter().any(|spot| spot.layer > 0 && position.is_legal(&spot.text))
}

/// Rotates the wall under the cursor to the layer `to`, or to the next layer if `to` is `None`.
pub(super) fn rotate_wall(screen: &mut Screen, game: &Match, to: Option<u8>) {
    let c = screen.with_match(Some(game));
    let Some(canvas) = smallest_canvas(&c) else { return };
    let Some(here) = painting::spot_under_cursor(&c, &canvas).filter(|spot| spot.layer > 0) else { return };
    let last = canvas.spots().iter().map(|spot| spot.layer).max().unwrap_or(0);
    let layer = to.unwrap_or(if here.layer < last { here.layer + 1 } else { 1 });
    if layer != here.layer
        && let Some(text) = nearest_spot(&canvas, layer, (here.x, here.y), |_| true)
    {
        move_cursor_to(screen, game, &text);
    }
}

/// Returns the location in a layer that `is_wanted` accepts and that is nearest to a point.
///
/// A distance of one row counts as two columns.
fn nearest_spot(
    canvas: &Canvas,
    layer: u8,
    (x, y): (usize, usize),
    is_wanted: impl Fn(&str) -> bool,
) -> Option<String> {
    let spots = canvas.spots().iter().filter(|spot| spot.layer == layer && is_wanted(&spot.text));
    spots.min_by_key(|spot| spot.x.abs_diff(x) + 2 * spot.y.abs_diff(y)).map(|spot| spot.text.clone())
}
