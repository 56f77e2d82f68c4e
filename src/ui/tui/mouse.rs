//! Handles mouse events: clicks, movement and the wheel.

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use ratatui_core::layout::Position;

use super::board_keys::{play_or_confirm_swap, step_through_moves};
use super::component::{LayerAnswer, LayerComponent};
use super::dispatch::{offer_to_top_layer, perform_action};
use super::effect::ScreenEffect;
use super::facts::{MatchFacts, OptionalMatch};
use super::frame::FrameContext;
use super::key_table::{KeyAction, KeyContext};
use super::layer::LayerRank;
use super::layout::ScreenLayout;
use super::panels::cached_layout;
use super::screen::Screen;
use super::{cursor, key_bar, panels, setup_keys, tiles};
use crate::play::{Command, HistoryTarget, Match};

pub(super) fn handle_mouse(
    screen: &mut Screen,
    game: OptionalMatch<'_>,
    mouse: MouseEvent,
) -> Option<ScreenEffect> {
    if !screen.looks.has_mouse {
        return None;
    }
    let at = Position { x: mouse.column, y: mouse.row };
    match mouse.kind {
        MouseEventKind::ScrollUp => return handle_wheel(screen, game, KeyAction::Up, -1),
        MouseEventKind::ScrollDown => return handle_wheel(screen, game, KeyAction::Down, 1),
        MouseEventKind::Down(MouseButton::Left) => return handle_click(screen, game, at),
        MouseEventKind::Moved => handle_hover(screen, game?, at),
        MouseEventKind::Down(MouseButton::Right)
            if is_mouse_for_board(screen)
                && screen.with_match(game).board_key_context() == KeyContext::Wall =>
        {
            cursor::rotate_wall(screen, game?, None);
            screen.cursor.clicked_at = Some((at.x, at.y));
        }
        _ => {}
    }
    None
}

/// Reports whether mouse events are for the board. Among the layers, only the prompt may be open.
fn is_mouse_for_board(screen: &Screen) -> bool {
    screen.layers.iter().all(|layer| layer.rank() == LayerRank::Prompt)
}

fn handle_wheel(
    screen: &mut Screen,
    game: OptionalMatch<'_>,
    act: KeyAction,
    by: isize,
) -> Option<ScreenEffect> {
    if !is_mouse_for_board(screen) {
        return offer_mouse_to_layer(screen, game, |layer, c| layer.on_wheel(act, c));
    }
    let game = game.filter(|game| screen.with_match(Some(game)).board_key_context() != KeyContext::Small)?;
    let here = game.shown_position().plies();
    let is_possible = if by < 0 { here > 0 } else { here < game.last_ply() };
    is_possible.then(|| step_through_moves(game, by)).flatten()
}

/// Offers a mouse event to the highest layer other than the prompt.
fn offer_mouse_to_layer(
    screen: &mut Screen,
    game: OptionalMatch<'_>,
    take: impl FnOnce(&mut dyn LayerComponent, &FrameContext<'_>) -> LayerAnswer,
) -> Option<ScreenEffect> {
    offer_to_top_layer(screen, game, |layer| layer.rank() != LayerRank::Prompt, take).into_effect()
}

/// Returns the move of the cell or wall slot at a screen position.
pub fn move_at_screen_point(c: &FrameContext<'_>, at: Position) -> Option<String> {
    let ScreenLayout { board: place, density, scale, .. } = cached_layout(c).frame;
    if !place.contains(at) {
        return None;
    }
    if let Some(scale) = scale {
        return tiles::move_at_tile(c, place, scale, at);
    }
    let canvas = c.paint_board(density?)?;
    canvas.move_at(usize::from(at.x - place.x), usize::from(at.y - place.y)).map(str::to_owned)
}

fn handle_hover(screen: &mut Screen, game: &Match, at: Position) {
    if screen.cursor.clicked_at == Some((at.x, at.y)) {
        return;
    }
    let c = screen.with_match(Some(game));
    if (c.key_context().takes_moves() || c.key_context() == KeyContext::SetUp)
        && c.game.is_players_turn()
        && c.screen.typed_line().is_none()
        && let Some(text) = move_at_screen_point(&c, at)
        && c.screen.cursor.place.as_ref() != Some(&text)
    {
        screen.cursor.clicked_at = None;
        cursor::move_cursor_to(screen, game, &text);
    }
}

fn handle_click(screen: &mut Screen, game: OptionalMatch<'_>, at: Position) -> Option<ScreenEffect> {
    if let Some(act) = key_bar::key_bar_action_at(&screen.with_match(game), at) {
        return perform_action(screen, game, act, &KeyCode::Null.into());
    }
    if !is_mouse_for_board(screen) {
        return offer_mouse_to_layer(screen, game, |layer, c| layer.on_click(at, c));
    }
    let (game, c) = (game?, screen.with_match(game));
    let context = c.board_key_context();
    if context == KeyContext::Small {
        return None;
    }
    match panels::history_target_at(&c, &cached_layout(&c), at) {
        Some(HistoryTarget::Ply(ply)) => {
            return step_through_moves(game, ply.cast_signed() - game.shown_position().plies().cast_signed());
        }
        Some(place) => return Some(ScreenEffect::Do(Command::Show(place))),
        None => {}
    }
    let clicked = c.screen.cursor.clicked_at;
    let shown = c.screen.cursor.place.clone().filter(|_| clicked == Some((at.x, at.y)));
    let text = shown.or_else(|| move_at_screen_point(&c, at)).filter(|_| context != KeyContext::Replay)?;
    if context == KeyContext::SetUp {
        cursor::move_cursor_to(screen, game, &text);
        return setup_keys::cycle_piece(game, &text);
    }
    let is_turn = c.game.is_players_turn();
    let was_clicked = clicked.is_some() && c.screen.cursor.place.as_ref() == Some(&text);
    screen.close_layer(LayerRank::Prompt);
    screen.cursor.before = None;
    if is_turn {
        cursor::move_cursor_to(screen, game, &text);
        // A gap is easily hit instead of the cell beside it, so the first click only shows the
        // wall.
        if screen.cursor.layer > 0 && !was_clicked {
            screen.cursor.clicked_at = Some((at.x, at.y));
            return None;
        }
    }
    play_or_confirm_swap(screen, game, text)
}
