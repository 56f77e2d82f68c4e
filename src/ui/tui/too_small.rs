//! Text page for a window that is too small for the board.

use super::facts::MatchFacts;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;
use ratatui_core::style::Style;

use super::draw::{put_text, truncate_text, with_times_sign};
use super::frame::FrameContext;
use super::layout::{min_columns_for_panel, min_window_size, to_u16_saturating};
use crate::messages::screen::small_window_page;

/// Draws the size of the window, the size that the board needs, and the keys that work.
///
/// If rows are missing, the first line and the way to quit are kept longest.
pub(super) fn draw_too_small_page(c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
    let shown = if c.game.is_replay() { c.game.shown_position() } else { c.game.present_position() }?;
    let (width, height) = c.screen.size;
    let title = with_times_sign(c, &shown.view().title());
    // The least important lines are dropped first.
    let needs = min_window_size(shown);
    let smallest = (to_u16_saturating(needs.0), to_u16_saturating(needs.1));
    let for_panel = min_columns_for_panel(shown, smallest, c.screen.looks.draws_tiles());
    let more = for_panel.filter(|&columns| columns > smallest.0).map(usize::from);
    let mut lines = small_window_page(shown, &title, c.screen.size, (needs, more), c.screen.looks.glyphs);
    while lines.len() > usize::from(height)
        && let Some(least) = (0..lines.len()).max_by_key(|&i| (lines[i].0, i))
    {
        lines.remove(least);
    }
    let margin = if width >= 30 { 2 } else { 0 };
    for ((_, line), y) in lines.iter().zip(0..height) {
        put_text(
            buffer,
            buffer.area,
            margin,
            y,
            &truncate_text(line, width.saturating_sub(margin), c),
            Style::new(),
        );
    }
    let quit = lines.iter().rposition(|(rank, _)| *rank == 0)?;
    Some(Position { x: margin.min(width.saturating_sub(1)), y: to_u16_saturating(quit) })
}
