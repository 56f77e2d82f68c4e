//! How the cursor goes from place to place: by where the places stand on the drawn board, for every game alike.

use super::actions::Act;
use super::layout::layout;
use super::state::State;
use crate::canvas::{Canvas, Spot};

/// The board as it would be drawn, also where the window is too small for it.
fn canvas(state: &State) -> Option<Canvas> {
    let density = layout(state.shown()?, state.size).density.unwrap_or(0);
    state.canvas(density)
}

/// Moves the cursor one step within its layer; at the rim it stays.
pub(super) fn step(state: &mut State, act: Act) {
    let Some(canvas) = canvas(state) else { return };
    let layer = state.layer;
    let spots: Vec<&Spot> = canvas.spots().iter().filter(|spot| spot.layer == layer).collect();
    let Some(here) = state.focus(&canvas).or(spots.first().copied()) else { return };
    let to = match act {
        Act::Left => {
            spots.iter().filter(|spot| spot.y == here.y && spot.x < here.x).max_by_key(|spot| spot.x)
        }
        Act::Right => {
            spots.iter().filter(|spot| spot.y == here.y && spot.x > here.x).min_by_key(|spot| spot.x)
        }
        Act::RowStart => spots.iter().filter(|spot| spot.y == here.y).min_by_key(|spot| spot.x),
        Act::RowEnd => spots.iter().filter(|spot| spot.y == here.y).max_by_key(|spot| spot.x),
        // On slanted boards two places are equally near: straight on means along the column of its name.
        Act::Up => spots
            .iter()
            .filter(|spot| spot.y < here.y)
            .min_by_key(|spot| (here.y - spot.y, spot.x.abs_diff(here.x), spot.x)),
        Act::Down => spots
            .iter()
            .filter(|spot| spot.y > here.y)
            .min_by_key(|spot| (spot.y - here.y, spot.x.abs_diff(here.x), std::cmp::Reverse(spot.x))),
        Act::UpRight => spots
            .iter()
            .filter(|spot| spot.y < here.y && spot.x > here.x)
            .min_by_key(|spot| (here.y - spot.y, spot.x - here.x)),
        Act::DownLeft => spots
            .iter()
            .filter(|spot| spot.y > here.y && spot.x < here.x)
            .min_by_key(|spot| (spot.y - here.y, here.x - spot.x)),
        _ => None,
    };
    if let Some(text) = to.map(|spot| spot.text.clone()) {
        focus_on(state, &text);
    }
}

/// Puts the cursor on a place and says what a move there would do.
pub(super) fn focus_on(state: &mut State, text: &str) {
    let Some(canvas) = canvas(state) else { return };
    let Some(spot) = canvas.spots().iter().find(|spot| spot.text == text) else { return };
    let was_between = state.layer > 0;
    if spot.layer > 0 {
        (state.other_layer, state.other_cursor) = (spot.layer, Some(spot.text.clone()));
    }
    (state.layer, state.cursor) = (spot.layer, Some(spot.text.clone()));
    if !state.is_players_turn() {
        return;
    }
    let said = state.now.as_deref().and_then(|now| now.preview(text, state.looks.glyphs));
    match said {
        Some(said) => state.status = said,
        None if was_between => state.status.clear(),
        None => {}
    }
}

/// From the cells to the places between them, and back.
pub(super) fn change_layer(state: &mut State) {
    let Some(canvas) = canvas(state) else { return };
    let has = |layer: u8| canvas.spots().iter().any(|spot| spot.layer == layer);
    if state.layer > 0 {
        state.layer = 0;
        let home = state.now.as_deref().and_then(|now| now.home().or_else(|| Some(now.sample())));
        if let Some(home) = home {
            focus_on(state, &home);
            state.status.clear();
        }
        return;
    }
    if !has(state.other_layer) {
        state.tell(crate::words::screen::NO_WALLS);
        return;
    }
    let here =
        state.focus(&canvas).map_or((canvas.width() / 2, canvas.height() / 2), |spot| (spot.x, spot.y));
    let to = state.other_cursor.clone().or_else(|| nearest(&canvas, state.other_layer, here));
    if let Some(to) = to {
        focus_on(state, &to);
    }
}

/// Turns what lies between the cells: to the other layer, or to the one given.
pub(super) fn rotate(state: &mut State, to: Option<u8>) {
    let Some(canvas) = canvas(state) else { return };
    let Some(here) = state.focus(&canvas).filter(|spot| spot.layer > 0) else { return };
    let last = canvas.spots().iter().map(|spot| spot.layer).max().unwrap_or(0);
    let layer = to.unwrap_or(if here.layer < last { here.layer + 1 } else { 1 });
    if layer == here.layer {
        return;
    }
    if let Some(text) = nearest(&canvas, layer, (here.x, here.y)) {
        focus_on(state, &text);
    }
}

/// The place of a layer nearest to a point; a row counts twice a column.
fn nearest(canvas: &Canvas, layer: u8, (x, y): (usize, usize)) -> Option<String> {
    let spots = canvas.spots().iter().filter(|spot| spot.layer == layer);
    spots.min_by_key(|spot| spot.x.abs_diff(x) + 2 * spot.y.abs_diff(y)).map(|spot| spot.text.clone())
}
