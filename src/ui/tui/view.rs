//! Draws the whole screen: title, board, panels, status line, key bar and layers. It changes no
//! state.

use super::painting;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::terminal::Frame;

use super::draw::{
    apply_background, clear_area, line_with_side_colours, put_line, text_columns, truncate_text,
};
use super::facts::MatchFacts;
use super::frame::FrameContext;
use super::key_table::KeyContext;
use super::layer::LayerRank;
use super::layers::layer_component;
use super::layout::to_u16_saturating;
use super::panels::cached_layout;
use super::status::{is_refusal_shown, status_area};
use super::theme::ScreenPart;
use super::{below_board, key_bar, panels, tiles, title, too_small};
use crate::canvas::Canvas;
use crate::messages::ending;
use crate::session;
use crate::text::columns::wrap_text;
use crate::text::join_texts;

/// Draws the screen and puts the terminal cursor at the focus.
pub fn draw_screen(c: &FrameContext<'_>, frame: &mut Frame<'_>) {
    let cursor = draw_board_and_layers(c, frame.buffer_mut());
    apply_background(frame.buffer_mut(), c);
    if let Some(at) = cursor.filter(|&at| frame.area().contains(at)) {
        frame.set_cursor_position(at);
    }
}

fn draw_board_and_layers(c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
    if buffer.area.is_empty() {
        return None;
    }
    let board = if c.screen.menu().is_none() { c.game.shown_position() } else { None };
    let mut cursor = board.and_then(|shown| draw_game(c, buffer, shown));
    for layer in c.visible_layers() {
        // A page covers the key bar, while the prompt does not.
        if layer.rank() == LayerRank::Page {
            draw_key_bar(c, buffer);
        }
        cursor = layer_component(layer).draw(c, buffer).or(cursor);
    }
    if c.screen.page().is_none() {
        draw_key_bar(c, buffer);
    }
    cursor
}

fn draw_key_bar(c: &FrameContext<'_>, buffer: &mut Buffer) {
    if c.key_context() != KeyContext::Small && c.screen.size.1 > 1 {
        key_bar::draw_key_bar(c, buffer);
    }
}

fn draw_game(c: &FrameContext<'_>, buffer: &mut Buffer, shown: &dyn session::Position) -> Option<Position> {
    let layout = cached_layout(c);
    let places = layout.frame;
    let Some(density) = places.density else { return too_small::draw_too_small_page(c, buffer) };
    let canvas = c.paint_board_with_marks(density)?;
    let focused = match places.scale {
        Some(scale) => tiles::draw_tiled_board(c, buffer, places.board, scale),
        None => draw_board(c, buffer, places.board, &canvas),
    };
    panels::draw_panels(c, &layout, buffer);
    if let Some(area) = places.below_board {
        // A panel beside the board may extend into the same row.
        let beside =
            places.panel.filter(|panel| panel.bottom() > area.y && !panels::leaves_last_row_free(&layout));
        let end = beside.map_or(area.right(), |panel| panel.x.saturating_sub(1));
        let area = Rect { width: end.saturating_sub(area.x), ..area };
        below_board::draw_row_below_board(c, &layout, buffer, area, &canvas);
    }
    if c.screen.typed_line().is_none() {
        draw_status_line(c, buffer);
    }
    title::build_board_title(c, shown).draw(c, buffer);
    focused
}

fn draw_board(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, canvas: &Canvas) -> Option<Position> {
    let on_screen =
        |x: usize, y: usize| Position { x: area.x + to_u16_saturating(x), y: area.y + to_u16_saturating(y) };
    painting::draw_canvas(c, buffer, area, canvas);
    canvas.find_spot(&painting::move_under_cursor(c)?).map(|spot| on_screen(spot.x, spot.y))
}

/// Draws the status line, with the result of a game highlighted.
fn draw_status_line(c: &FrameContext<'_>, buffer: &mut Buffer) {
    let room = cached_layout(c).frame.status.width.saturating_sub(2);
    let mut rows = wrap_text(c.render_status_line(), usize::from(room));
    let area = status_area(c, rows.len());
    if rows.len() > 1 {
        clear_area(buffer, area);
    }
    if rows.len() > usize::from(area.height) {
        let rest = rows.split_off(usize::from(area.height).saturating_sub(1));
        rows.push(truncate_text(join_texts(&rest, " "), room, c));
    }
    let style = c.message_style(!is_refusal_shown(c));
    for (row, y) in rows.iter().zip(0..) {
        let area = Rect { width: room + 1, ..area };
        put_line(buffer, c, area, (1, y), &line_with_side_colours(c, row, style));
    }
    let verdict =
        c.game.shown_position().and_then(|shown| ending::format_result_heading(shown, c.game.human_side()));
    if let (Some(verdict), Some(row)) = (verdict, rows.first())
        && row.starts_with(&verdict)
    {
        let badge = Rect { x: 1, y: area.y, width: text_columns(&verdict), height: 1 };
        buffer.set_style(
            badge.intersection(buffer.area),
            c.screen.looks.part_style(ScreenPart::Heading).bold().reversed(),
        );
    }
}
