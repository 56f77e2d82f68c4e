//! The cursor's way from place to place, by the places' positions on the drawn board, for every
//! game alike.

use super::facts::Facts;
use super::frame::FrameContext;
use super::key_table::Action;
use super::painting;
use super::screen::{Focus, Screen, StatusMessage};
use crate::canvas::{Canvas, PaintOptions, Spot};
use crate::messages::screen as sentences;
use crate::play::Match;
use crate::text;
use crate::text::Text;

/// Returns the smallest drawing of the board: the cursor moves the same way in every window.
fn canvas(c: &FrameContext<'_>) -> Option<Canvas> {
    c.canvas(0)
}

/// Moves the cursor one step within its layer; at the edge it stays.
pub(super) fn step(screen: &mut Screen, game: &Match, act: Action) {
    let c = screen.with(Some(game));
    let Some(canvas) = canvas(&c) else { return };
    let layer = c.screen.cursor.layer;
    let spots: Vec<&Spot> = canvas.spots().iter().filter(|spot| spot.layer == layer).collect();
    let Some(here) = painting::focus(&c, &canvas).or(spots.first().copied()) else { return };
    // How far a place is in the direction of the key; `None` if it does not lie there.
    let distance = |spot: &Spot| {
        let (x, y) =
            (spot.x.cast_signed() - here.x.cast_signed(), spot.y.cast_signed() - here.y.cast_signed());
        match act {
            Action::Left if y == 0 && x < 0 => Some((-x, 0, 0)),
            Action::Right if y == 0 && x > 0 => Some((x, 0, 0)),
            Action::RowStart if y == 0 => Some((x, 0, 0)),
            Action::RowEnd if y == 0 => Some((-x, 0, 0)),
            // On slanted boards two places are equally near: straight on means along the column of its name.
            Action::Up if y < 0 => Some((-y, x.abs(), x)),
            Action::Down if y > 0 => Some((y, x.abs(), -x)),
            Action::UpRight if y < 0 && x > 0 => Some((-y, x, 0)),
            Action::DownLeft if y > 0 && x < 0 => Some((y, -x, 0)),
            _ => None,
        }
    };
    let there = spots.iter().filter_map(|spot| Some((distance(spot)?, spot)));
    let to = there.min_by_key(|(distance, _)| *distance);
    if let Some(text) = to.map(|(_, spot)| spot.text.clone()) {
        screen.cursor.clicked_at = None;
        focus_on(screen, game, &text);
    }
}

/// Puts the cursor on a place and shows the effect of a move there.
pub(super) fn focus_on(screen: &mut Screen, game: &Match, text: &str) {
    let c = screen.with(Some(game));
    let Some(canvas) = canvas(&c) else { return };
    let Some(spot) = canvas.find(text) else { return };
    let was_between = c.screen.cursor.layer > 0;
    // Setting up a piece is no move.
    let is_turn = c.game.is_players_turn() && c.screen.cursor.focus != Focus::SetUp;
    let you = c.game.you();
    let present = game.present_position();
    let turned = c.screen.drawing.is_turned && present.drawn().turns();
    let look = PaintOptions { glyphs: c.screen.looks.glyphs, turned, ..PaintOptions::default() };
    let cursor = &mut screen.cursor;
    if spot.layer > 0 {
        (cursor.other_layer, cursor.other_place) = (spot.layer, Some(spot.text.clone()));
    }
    (cursor.layer, cursor.place) = (spot.layer, Some(spot.text.clone()));
    if !is_turn {
        return;
    }
    match present.drawn().preview(text, &look, you) {
        Some(said) if present.is_legal(text) => screen.remark = StatusMessage::Own(said),
        Some(said) => screen.remark = StatusMessage::No(said),
        None if was_between => screen.remark = StatusMessage::Invitation,
        None => {}
    }
}

/// Shows a message while a wall is placed: the wall's effect stays readable before it, where there
/// is room.
pub(super) fn keep_preview(screen: &mut Screen, game: &Match, said: &Text) {
    let Some(place) = screen.cursor.place.clone().filter(|_| screen.cursor.layer > 0) else { return };
    focus_on(screen, game, &place);
    let both = text!("{} {said}", screen.with(Some(game)).status_line());
    let is_new = !both.starts_with(said.as_str());
    screen.tell(if is_new && screen.with(Some(game)).fits(&both) { &both } else { said });
}

/// Moves the cursor from the cells to the places between them, or back.
pub(super) fn change_layer(screen: &mut Screen, game: &Match) {
    let c = screen.with(Some(game));
    let Some(canvas) = canvas(&c) else { return };
    if c.screen.cursor.layer > 0 {
        let present = game.present_position();
        let home = present.drawn().default_cursor().unwrap_or_else(|| present.view().sample());
        screen.cursor.layer = 0;
        focus_on(screen, game, &home);
        screen.remark = StatusMessage::Invitation;
        return;
    }
    let here = painting::focus(&c, &canvas)
        .map_or((canvas.width() / 2, canvas.height() / 2), |spot| (spot.x, spot.y));
    // Where it was last, if a move is possible there; else the nearest place where one is.
    let is_legal = |text: &str| game.present_position().is_legal(text);
    let before = c.screen.cursor.other_place.clone().filter(|text| is_legal(text));
    let layer = c.screen.cursor.other_layer;
    let legal = before.or_else(|| nearest(&canvas, layer, here, is_legal));
    let to = legal.clone().or_else(|| nearest(&canvas, layer, here, |_| true));
    match to {
        // Nothing can be built anywhere: the board says why.
        Some(to)
            if legal.is_none()
                && c.screen.cursor.focus != Focus::SetUp
                && c.game.is_players_turn()
                && !has_legal(&canvas, game) =>
        {
            let why = std::sync::Arc::clone(game.present_position()).play(&to).err();
            screen.refuse(why.map_or_else(|| sentences::NO_WALLS.into(), |why| why.text));
        }
        Some(to) => focus_on(screen, game, &to),
        None => screen.refuse(sentences::NO_WALLS),
    }
}

/// Reports whether anything between the cells is a legal move.
fn has_legal(canvas: &Canvas, game: &Match) -> bool {
    let position = game.present_position();
    canvas.spots().iter().any(|spot| spot.layer > 0 && position.is_legal(&spot.text))
}

/// Rotates the wall under the cursor: to the other layer, or to the one given.
pub(super) fn rotate(screen: &mut Screen, game: &Match, to: Option<u8>) {
    let c = screen.with(Some(game));
    let Some(canvas) = canvas(&c) else { return };
    let Some(here) = painting::focus(&c, &canvas).filter(|spot| spot.layer > 0) else { return };
    let last = canvas.spots().iter().map(|spot| spot.layer).max().unwrap_or(0);
    let layer = to.unwrap_or(if here.layer < last { here.layer + 1 } else { 1 });
    if layer != here.layer
        && let Some(text) = nearest(&canvas, layer, (here.x, here.y), |_| true)
    {
        focus_on(screen, game, &text);
    }
}

/// Returns the wanted place of a layer that is nearest to a point; a row counts as two columns.
fn nearest(
    canvas: &Canvas,
    layer: u8,
    (x, y): (usize, usize),
    is_wanted: impl Fn(&str) -> bool,
) -> Option<String> {
    let spots = canvas.spots().iter().filter(|spot| spot.layer == layer && is_wanted(&spot.text));
    spots.min_by_key(|spot| spot.x.abs_diff(x) + 2 * spot.y.abs_diff(y)).map(|spot| spot.text.clone())
}
