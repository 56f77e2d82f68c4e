//! Effects of the mouse on the screen, and outside of it.

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use ratatui_core::layout::Position;

use super::board_keys::{play_there, step};
use super::component::{Answer, Component};
use super::dispatch::{offer, perform};
use super::effect::Effect;
use super::facts::{Facts, Game};
use super::frame::FrameContext;
use super::key_table::{Action, Context};
use super::layer::Rank;
use super::layout::Layout;
use super::panels::layout_of;
use super::screen::Screen;
use super::{cursor, key_bar, panels, setup_keys, tiles};
use crate::play::{Command, HistoryTarget, Match};

pub(super) fn point(screen: &mut Screen, game: Game<'_>, mouse: MouseEvent) -> Option<Effect> {
    if !screen.looks.has_mouse {
        return None;
    }
    let at = Position { x: mouse.column, y: mouse.row };
    match mouse.kind {
        MouseEventKind::ScrollUp => return wheel(screen, game, Action::Up, -1),
        MouseEventKind::ScrollDown => return wheel(screen, game, Action::Down, 1),
        MouseEventKind::Down(MouseButton::Left) => return click(screen, game, at),
        MouseEventKind::Moved => hover(screen, game?, at),
        MouseEventKind::Down(MouseButton::Right)
            if is_at_the_board(screen) && screen.with(game).base() == Context::Wall =>
        {
            cursor::rotate(screen, game?, None);
            screen.cursor.clicked_at = Some((at.x, at.y));
        }
        _ => {}
    }
    None
}

/// Reports whether the mouse is for the board: only a line that is typed may lie over it.
fn is_at_the_board(screen: &Screen) -> bool {
    screen.layers.iter().all(|layer| layer.rank() == Rank::Prompt)
}

fn wheel(screen: &mut Screen, game: Game<'_>, act: Action, by: isize) -> Option<Effect> {
    if !is_at_the_board(screen) {
        return point_at_layer(screen, game, |layer, c| layer.wheel(act, c));
    }
    let game = game.filter(|game| screen.with(Some(game)).base() != Context::Small)?;
    let here = game.shown().plies();
    let is_possible = if by < 0 { here > 0 } else { here < game.last_ply() };
    is_possible.then(|| step(game, by)).flatten()
}

/// Gives the mouse to the highest layer in which nothing is typed.
fn point_at_layer(
    screen: &mut Screen,
    game: Game<'_>,
    take: impl FnOnce(&mut dyn Component, &FrameContext<'_>) -> Answer,
) -> Option<Effect> {
    offer(screen, game, |layer| layer.rank() != Rank::Prompt, take).effect()
}

/// Returns the move that a place on the screen means.
pub fn hit(c: &FrameContext<'_>, at: Position) -> Option<String> {
    let Layout { board: place, density, scale, .. } = layout_of(c).frame;
    if !place.contains(at) {
        return None;
    }
    if let Some(scale) = scale {
        return tiles::hit(c, place, scale, at);
    }
    let canvas = c.canvas(density?)?;
    canvas.hit(usize::from(at.x - place.x), usize::from(at.y - place.y)).map(str::to_owned)
}

fn hover(screen: &mut Screen, game: &Match, at: Position) {
    if screen.cursor.clicked_at == Some((at.x, at.y)) {
        return;
    }
    let c = screen.with(Some(game));
    if (c.context().takes_moves() || c.context() == Context::SetUp)
        && c.game.is_players_turn()
        && c.screen.typed().is_none()
        && let Some(text) = hit(&c, at)
        && c.screen.cursor.place.as_ref() != Some(&text)
    {
        screen.cursor.clicked_at = None;
        cursor::focus_on(screen, game, &text);
    }
}

fn click(screen: &mut Screen, game: Game<'_>, at: Position) -> Option<Effect> {
    if let Some(act) = key_bar::hit(&screen.with(game), at) {
        return perform(screen, game, act, &KeyCode::Null.into());
    }
    if !is_at_the_board(screen) {
        return point_at_layer(screen, game, |layer, c| layer.click(at, c));
    }
    let (game, c) = (game?, screen.with(game));
    let context = c.base();
    if context == Context::Small {
        return None;
    }
    match panels::hit(&c, &layout_of(&c), at) {
        Some(HistoryTarget::Ply(ply)) => {
            return step(game, ply.cast_signed() - game.shown().plies().cast_signed());
        }
        Some(place) => return Some(Effect::Do(Command::Show(place))),
        None => {}
    }
    let clicked = c.screen.cursor.clicked_at;
    let shown = c.screen.cursor.place.clone().filter(|_| clicked == Some((at.x, at.y)));
    let text = shown.or_else(|| hit(&c, at)).filter(|_| context != Context::Replay)?;
    if context == Context::SetUp {
        cursor::focus_on(screen, game, &text);
        return setup_keys::cycle(game, &text);
    }
    let is_turn = c.game.is_players_turn();
    let was_clicked = clicked.is_some() && c.screen.cursor.place.as_ref() == Some(&text);
    screen.close(Rank::Prompt);
    screen.cursor.before = None;
    if is_turn {
        cursor::focus_on(screen, game, &text);
        // A gap is easily hit in place of the cell beside it: the first click shows the wall.
        if screen.cursor.layer > 0 && !was_clicked {
            screen.cursor.clicked_at = Some((at.x, at.y));
            return None;
        }
    }
    play_there(screen, game, text)
}
