//! Characters into cells: texts, frames, the field. Below everything else that draws.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Style};

use super::scene::Scene;
use super::theme::{Part, Theme};
use crate::canvas::Glyphs;
use crate::ui::text;

/// Columns of a text.
pub(super) fn width_of(text: &str) -> u16 {
    u16::try_from(text::width(text)).unwrap_or(u16::MAX)
}

/// Writes into an area from its column `x` and row `y` on; what does not fit is left out.
pub(super) fn put(buffer: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) {
    let area = area.intersection(buffer.area);
    if y >= area.height || x >= area.width {
        return;
    }
    let mut i = x;
    for glyph in text.chars() {
        let glyph = if glyph.is_control() { '?' } else { glyph };
        let columns = u16::try_from(text::width_of(glyph)).unwrap_or(1);
        if columns == 0 || i + columns > area.width {
            continue; // a mark on the character before, or no room
        }
        for (part, column) in (i..i + columns).enumerate() {
            if let Some(cell) = buffer.cell_mut((area.x + column, area.y + y)) {
                cell.set_char(if part == 0 { glyph } else { ' ' }).set_style(style);
            }
        }
        i += columns;
    }
}

/// A text in at most so many columns: cut between words, with dots.
pub(super) fn cut(text: &str, width: u16, scene: &Scene<'_>) -> String {
    text::cut(text, usize::from(width), scene.dots())
}

/// A frame with a heading; gives what is inside. What was there is wiped.
pub(super) fn frame(buffer: &mut Buffer, scene: &Scene<'_>, theme: Theme, area: Rect, title: &str) -> Rect {
    let [line, bar, corners @ ..] = match scene.looks.glyphs {
        Glyphs::Unicode => ['─', '│', '┌', '┐', '└', '┘'],
        Glyphs::Narrow | Glyphs::Ascii => ['-', '|', '+', '+', '+', '+'],
    };
    let style = scene.style(theme.part(Part::Faint));
    let inside = Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    };
    if area.width < 2 || area.height < 2 {
        return Rect { width: 0, height: 0, ..area };
    }
    let edge = |left: char, middle: char, right: char| -> String {
        let middle = std::iter::repeat_n(middle, usize::from(inside.width));
        [left].into_iter().chain(middle).chain([right]).collect()
    };
    put(buffer, area, 0, 0, &edge(corners[0], line, corners[1]), style);
    for y in 1..area.height - 1 {
        put(buffer, area, 0, y, &edge(bar, ' ', bar), style);
    }
    put(buffer, area, 0, area.height - 1, &edge(corners[2], line, corners[3]), style);
    let heading = cut(title, inside.width.saturating_sub(2), scene);
    if !heading.is_empty() {
        put(buffer, area, 2, 0, &format!(" {heading} "), scene.style(theme.part(Part::Heading)));
    }
    // The blanks inside are plain, so that what is written there stands out.
    for y in 0..inside.height {
        put(buffer, inside, 0, y, &" ".repeat(usize::from(inside.width)), Style::reset());
    }
    inside
}

impl Scene<'_> {
    /// The style as this terminal may show it.
    pub(super) fn style(&self, style: Style) -> Style {
        if self.looks.has_colour { style } else { Style { fg: style.fg.and(Some(Color::Reset)), ..style } }
    }
}

/// The measures of a board with a proper sign between them, where the terminal has one.
pub(super) fn crossed(scene: &Scene<'_>, text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_digit = |i: Option<usize>| i.and_then(|i| letters.get(i)).is_some_and(char::is_ascii_digit);
    let cross = |(i, &letter): (usize, &char)| {
        let is_between = letter == 'x' && is_digit(i.checked_sub(1)) && is_digit(Some(i + 1));
        if is_between && scene.looks.glyphs == Glyphs::Unicode { '×' } else { letter }
    };
    letters.iter().enumerate().map(cross).collect()
}

/// The field in a row, its end in any case; gives its cursor.
pub(super) fn draw_field(
    scene: &Scene<'_>,
    theme: Theme,
    buffer: &mut Buffer,
    area: Rect,
    field: &str,
) -> Position {
    let skip = field.chars().count().saturating_sub(usize::from(area.width.saturating_sub(5)));
    let shown: String = field.chars().skip(skip).collect();
    put(buffer, area, 1, 0, "> ", scene.style(theme.part(Part::Key)));
    put(buffer, area, 3, 0, &shown, Style::new());
    let x = (3 + width_of(&shown)).min(area.width.saturating_sub(1));
    Position { x: area.x + x, y: area.y }
}
