//! What the mouse does to the screen, and what it asks for outside.

use super::facts::{Facts, Game};
use super::panels::layout_of;
use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use ratatui_core::layout::Position;

use super::effect::Effect;
use super::frame::FrameContext;
use super::key_table::{Action, Context};
use super::keys::{change, disarm, perform, play_there, press_one, scroll, step};
use super::layout::Layout;
use super::menu_view;
use super::screen::Screen;
use super::{cursor, key_bar, panels};
use crate::play::Match;

pub(super) fn point(screen: &mut Screen, game: Game<'_>, mouse: MouseEvent) -> Option<Effect> {
    if !screen.looks.has_mouse {
        return None;
    }
    let at = Position { x: mouse.column, y: mouse.row };
    let is_passing =
        matches!(mouse.kind, MouseEventKind::Moved | MouseEventKind::Up(_) | MouseEventKind::Drag(_));
    let asked = if is_passing { None } else { disarm(screen) };
    match mouse.kind {
        MouseEventKind::ScrollUp => return wheel(screen, game, Action::Up, -1),
        MouseEventKind::ScrollDown => return wheel(screen, game, Action::Down, 1),
        MouseEventKind::Down(MouseButton::Left) => return click(screen, game, at, asked),
        MouseEventKind::Moved => hover(screen, game?, at),
        MouseEventKind::Down(MouseButton::Right) if screen.with(game).context() == Context::Wall => {
            cursor::rotate(screen, game?, None);
            screen.cursor.turned_at = Some((at.x, at.y));
        }
        _ => {}
    }
    None
}

fn wheel(screen: &mut Screen, game: Game<'_>, act: Action, by: isize) -> Option<Effect> {
    match screen.with(game).context() {
        Context::Page => scroll(screen, game, act),
        Context::Board | Context::Wall | Context::Looking | Context::Replay => {
            let game = game?;
            let here = game.shown().plies();
            let is_possible = if by < 0 { here > 0 } else { here < game.last_ply() };
            return is_possible.then(|| step(game, by)).flatten();
        }
        Context::Menu | Context::Small => {}
    }
    None
}

/// The move that a place on the screen means.
pub fn hit(c: &FrameContext<'_>, at: Position) -> Option<String> {
    let Layout { board: place, density, .. } = layout_of(c).frame;
    let canvas = c.canvas(density?)?;
    if !place.contains(at) {
        return None;
    }
    canvas.hit(usize::from(at.x - place.x), usize::from(at.y - place.y)).map(str::to_owned)
}

fn hover(screen: &mut Screen, game: &Match, at: Position) {
    if screen.cursor.turned_at == Some((at.x, at.y)) {
        return;
    }
    screen.cursor.turned_at = None;
    let c = screen.with(Some(game));
    if c.context().takes_moves()
        && c.game.is_players_turn()
        && c.screen.prompt.text.is_none()
        && let Some(text) = hit(&c, at)
        && c.screen.cursor.place.as_ref() != Some(&text)
    {
        cursor::focus_on(screen, game, &text);
    }
}

fn click(screen: &mut Screen, game: Game<'_>, at: Position, asked: Option<Action>) -> Option<Effect> {
    let c = screen.with(game);
    if let Some(act) = key_bar::hit(&c, at) {
        let is_typing =
            screen.prompt.text.is_some() || screen.page.as_ref().is_some_and(|page| page.is_filtering);
        if is_typing {
            let code = if act == Action::Escape { KeyCode::Esc } else { KeyCode::Enter };
            return press_one(screen, game, &code.into());
        }
        return perform(screen, game, act, &KeyCode::Null.into());
    }
    match (c.context(), game) {
        (Context::Page | Context::Small, _) => None,
        (Context::Menu, _) | (_, None) => click_menu(screen, game, at),
        (context, Some(game)) => {
            if let Some(ply) = panels::hit(&c, &layout_of(&c), at) {
                return step(game, ply.cast_signed() - game.shown().plies().cast_signed());
            }
            let turned = c.screen.cursor.turned_at == Some((at.x, at.y));
            let shown = c.screen.cursor.place.clone().filter(|_| turned);
            let text = shown.or_else(|| hit(&c, at)).filter(|_| context != Context::Replay)?;
            let is_turn = c.game.is_players_turn();
            (screen.prompt.text, screen.prompt.before) = (None, None);
            if is_turn {
                cursor::focus_on(screen, game, &text);
            }
            play_there(screen, game, text, asked)
        }
    }
}

fn click_menu(screen: &mut Screen, game: Game<'_>, at: Position) -> Option<Effect> {
    let hit = menu_view::hit(&screen.with(game), at)?;
    let menu = screen.menu.as_mut()?;
    match hit {
        menu_view::Hit::Kept => return perform(screen, game, Action::GoOn, &KeyCode::Null.into()),
        menu_view::Hit::Game(number) => {
            menu.choose(number);
            menu.row = None;
        }
        menu_view::Hit::Row(row, by) => {
            menu.row = Some(row);
            change(screen, row, by);
        }
    }
    None
}
