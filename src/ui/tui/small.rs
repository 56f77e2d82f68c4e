//! The page for a window that is too small for the board: text only.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::Style;

use super::state::State;
use super::view::put;
use crate::session::Session;

/// Says what the window is, what the board needs, and what can be done; the first line and the way out before all.
pub(super) fn draw(state: &State, shown: &dyn Session, buffer: &mut Buffer) -> Option<Position> {
    let (width, height) = state.size;
    let times = if state.looks.glyphs == crate::canvas::Glyphs::Unicode { '×' } else { 'x' };
    let needs = shown.densities().first().copied().unwrap_or((0, 0));
    let needs = ((needs.0 + 2).max(40), needs.1 + 3);
    let last = match shown.last() {
        Some(last) if shown.outcome().is_some() => {
            format!("last: {} played {last}; the game is over", shown.side_name(shown.to_move().other()))
        }
        Some(last) => {
            let by = shown.side_name(shown.to_move().other());
            format!("last: {by} played {last}; {} to move", shown.side_name(shown.to_move()))
        }
        None => format!("no move yet; {} to move", shown.side_name(shown.to_move())),
    };
    let title = super::view::crossed(state, &shown.title());
    let window = match width {
        0..30 => format!("{width} {times} {height} is too small."),
        _ => format!("This window is {width} {times} {height}."),
    };
    let wants = match width {
        0..34 => format!("Needed: {} {times} {}.", needs.0, needs.1),
        _ => format!("{title} needs {} {times} {}.", needs.0, needs.1),
    };
    // From the least important on, lines are left out.
    let mut lines: Vec<(u8, String)> = vec![
        (3, String::new()),
        (0, window),
        (1, wants),
        (4, format!("{} {times} {} shows the moves too.", needs.0.max(40) + 24, needs.1)),
        (5, String::new()),
        (4, "Your game is safe. Enlarge, or".to_owned()),
        (2, "p   go on in plain text".to_owned()),
        (0, "q   quit".to_owned()),
        (6, String::new()),
        (3, last),
    ];
    let room = usize::from(height);
    while lines.len() > room
        && let Some(least) = (0..lines.len()).max_by_key(|&i| (lines[i].0, i))
    {
        lines.remove(least);
    }
    let margin = if width >= 30 { 2 } else { 0 };
    let area = buffer.area;
    for ((_, line), y) in lines.iter().zip(0..height) {
        put(buffer, area, margin, y, line, Style::new());
    }
    let quit = lines.iter().position(|(_, line)| line.starts_with('q'))?;
    Some(Position { x: margin.min(width.saturating_sub(1)), y: u16::try_from(quit).unwrap_or(0) })
}
