//! The page for a window that is too small for the board: text only.

use super::facts::Facts;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;
use ratatui_core::style::Style;

use super::draw::{crossed, cut, put};
use super::frame::FrameContext;
use super::layout::{columns_for_panel, least, number};
use crate::messages::screen::too_small;

/// Draws the size of the window, the size that the board needs, and the things that can be done;
/// the first line and the way out come first.
pub(super) fn draw(c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
    let shown = if c.game.is_replay() { c.game.shown() } else { c.game.present() }?;
    let (width, height) = c.screen.size;
    let title = crossed(c, &shown.view().title());
    // From the least important on, lines are left out.
    let needs = least(shown);
    let smallest = (number(needs.0), number(needs.1));
    let for_panel = columns_for_panel(shown, smallest, c.screen.looks.has_tiles());
    let more = for_panel.filter(|&columns| columns > smallest.0).map(usize::from);
    let mut lines = too_small(shown, &title, c.screen.size, (needs, more), c.screen.looks.glyphs);
    while lines.len() > usize::from(height)
        && let Some(least) = (0..lines.len()).max_by_key(|&i| (lines[i].0, i))
    {
        lines.remove(least);
    }
    let margin = if width >= 30 { 2 } else { 0 };
    for ((_, line), y) in lines.iter().zip(0..height) {
        put(buffer, buffer.area, margin, y, &cut(line, width.saturating_sub(margin), c), Style::new());
    }
    let quit = lines.iter().rposition(|(rank, _)| *rank == 0)?;
    Some(Position { x: margin.min(width.saturating_sub(1)), y: number(quit) })
}
