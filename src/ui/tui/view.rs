//! The screen: title, board, panels, status line, key bar, pages. Pure.

use super::painting;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::terminal::Frame;

use super::draw::{apply_background, cut, put_line, told, width_of, wipe};
use super::facts::Facts;
use super::frame::FrameContext;
use super::key_table::Context;
use super::layer::Rank;
use super::layers::drawn;
use super::layout::number;
use super::panels::layout_of;
use super::status::{is_refused, status_area};
use super::theme::Part;
use super::{below_board, key_bar, panels, tiles, title, too_small};
use crate::canvas::Canvas;
use crate::messages::ending;
use crate::session;
use crate::text::columns::wrap;
use crate::text::join;

/// Draws everything and puts the terminal's cursor on the focused place.
pub fn draw(c: &FrameContext<'_>, frame: &mut Frame<'_>) {
    let cursor = paint(c, frame.buffer_mut());
    apply_background(frame.buffer_mut(), c);
    if let Some(at) = cursor.filter(|&at| frame.area().contains(at)) {
        frame.set_cursor_position(at);
    }
}

fn paint(c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
    if buffer.area.is_empty() {
        return None;
    }
    let board = if c.screen.menu().is_none() { c.game.shown() } else { None };
    let mut cursor = board.and_then(|shown| draw_game(c, buffer, shown));
    for layer in c.layers() {
        // A page stands over the key bar; what is typed does not.
        if layer.rank() == Rank::Page {
            draw_key_bar(c, buffer);
        }
        cursor = drawn(layer).draw(c, buffer).or(cursor);
    }
    if c.screen.page().is_none() {
        draw_key_bar(c, buffer);
    }
    cursor
}

fn draw_key_bar(c: &FrameContext<'_>, buffer: &mut Buffer) {
    if c.context() != Context::Small && c.screen.size.1 > 1 {
        key_bar::draw(c, buffer);
    }
}

fn draw_game(c: &FrameContext<'_>, buffer: &mut Buffer, shown: &dyn session::Position) -> Option<Position> {
    let layout = layout_of(c);
    let places = layout.frame;
    let Some(density) = places.density else { return too_small::draw(c, buffer) };
    let canvas = c.drawn(density)?;
    let focused = match places.scale {
        Some(scale) => tiles::draw(c, buffer, places.board, scale),
        None => draw_board(c, buffer, places.board, &canvas),
    };
    panels::draw(c, &layout, buffer);
    if let Some(area) = places.below_board {
        // Beside the board there may be something in the same row.
        let beside =
            places.panel.filter(|panel| panel.bottom() > area.y && !panels::leaves_last_row(&layout));
        let end = beside.map_or(area.right(), |panel| panel.x.saturating_sub(1));
        let area = Rect { width: end.saturating_sub(area.x), ..area };
        below_board::draw(c, &layout, buffer, area, &canvas);
    }
    if c.screen.typed().is_none() {
        draw_status(c, buffer);
    }
    title::of_board(c, shown).draw(c, buffer);
    focused
}

fn draw_board(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, canvas: &Canvas) -> Option<Position> {
    let on_screen = |x: usize, y: usize| Position { x: area.x + number(x), y: area.y + number(y) };
    painting::put_canvas(c, buffer, area, canvas);
    canvas.find(&painting::focused(c)?).map(|spot| on_screen(spot.x, spot.y))
}

/// The status line.
fn draw_status(c: &FrameContext<'_>, buffer: &mut Buffer) {
    let room = layout_of(c).frame.status.width.saturating_sub(2);
    let mut rows = wrap(c.status_line(), usize::from(room));
    let area = status_area(c, rows.len());
    if rows.len() > 1 {
        wipe(buffer, area);
    }
    if rows.len() > usize::from(area.height) {
        let rest = rows.split_off(usize::from(area.height).saturating_sub(1));
        rows.push(cut(join(&rest, " "), room, c));
    }
    let style = c.said(!is_refused(c));
    for (row, y) in rows.iter().zip(0..) {
        let area = Rect { width: room + 1, ..area };
        put_line(buffer, c, area, (1, y), &told(c, row, style));
    }
    let verdict = c.game.shown().and_then(|shown| ending::verdict(shown, c.game.you()));
    if let (Some(verdict), Some(row)) = (verdict, rows.first())
        && row.starts_with(&verdict)
    {
        let badge = Rect { x: 1, y: area.y, width: width_of(&verdict), height: 1 };
        buffer
            .set_style(badge.intersection(buffer.area), c.screen.looks.part(Part::Heading).bold().reversed());
    }
}
