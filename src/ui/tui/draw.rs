//! Characters into cells: texts, frames, the field. Below everything else that draws.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::{Color, Style};

use super::layout::number;
use super::scene::Scene;
use super::theme::Part;
use crate::canvas::{Glyphs, Role};
use crate::game::Side;
use crate::session;
use crate::ui::text;

/// Columns of a text.
pub(super) fn width_of(text: &str) -> u16 {
    number(text::width(text))
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
        let columns = number(text::width_of(glyph));
        if columns == 0 || i + columns > area.width {
            continue; // a mark on the character before, or no room
        }
        for column in i..i + columns {
            let part = if column == i { glyph } else { ' ' };
            buffer[(area.x + column, area.y + y)].set_char(part).set_style(style);
        }
        i += columns;
    }
}

/// Blanks an area, whatever was there.
pub(super) fn wipe(buffer: &mut Buffer, area: Rect) {
    area.intersection(buffer.area).positions().for_each(|place| buffer[place].reset());
}

/// A text in at most so many columns: cut between words, with dots.
pub(super) fn cut(text: &str, width: u16, scene: &Scene<'_>) -> String {
    text::cut(text, usize::from(width), scene.dots())
}

/// A frame with a heading; gives what is inside. What was there is wiped.
pub(super) fn frame(buffer: &mut Buffer, scene: &Scene<'_>, area: Rect, title: &str) -> Rect {
    if area.width < 2 || area.height < 2 {
        return Rect { width: 0, height: 0, ..area };
    }
    let [line, bar, corners @ ..] = match scene.looks.glyphs {
        Glyphs::Unicode => ["─", "│", "┌", "┐", "└", "┘"],
        Glyphs::Narrow | Glyphs::Ascii => ["-", "|", "+", "+", "+", "+"],
    };
    let (inside, style) = (area.inner(Margin::new(1, 1)), scene.part(Part::Faint));
    let line = line.repeat(usize::from(inside.width));
    put(buffer, area, 0, 0, &[corners[0], &line, corners[1]].concat(), style);
    for y in 1..area.height - 1 {
        put(buffer, area, 0, y, bar, style);
        put(buffer, area, area.width - 1, y, bar, style);
    }
    put(buffer, area, 0, area.height - 1, &[corners[2], &line, corners[3]].concat(), style);
    let heading = cut(title, inside.width.saturating_sub(2), scene);
    if !heading.is_empty() {
        put(buffer, area, 2, 0, &format!(" {heading} "), scene.part(Part::Heading));
    }
    // The blanks inside are plain, so that what is written there stands out.
    wipe(buffer, inside);
    inside
}

impl Scene<'_> {
    /// How a part of the screen looks on this terminal.
    pub(super) fn part(&self, part: Part) -> Style {
        self.style(self.looks.theme.part(part))
    }

    /// How a character of the board looks on this terminal.
    pub(super) fn role(&self, role: Role) -> Style {
        self.style(self.looks.theme.role(role))
    }

    fn style(&self, style: Style) -> Style {
        if self.looks.has_colour { style } else { Style { fg: style.fg.and(Some(Color::Reset)), ..style } }
    }
}

/// The sign of a side's pieces, or its name where they have none.
pub(super) fn sign(scene: &Scene<'_>, position: &dyn session::Position, side: Side) -> String {
    let sign = position.drawn().piece_glyph(side, scene.looks.glyphs);
    sign.map_or_else(|| position.side_name(side).to_owned(), String::from)
}

/// Lines in a frame with a heading; those too long for it are cut.
pub(super) fn draw_list(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect, title: &str, lines: &[String]) {
    let inside = frame(buffer, scene, area, title);
    for (line, y) in lines.iter().zip(0..inside.height) {
        put(buffer, inside, 1, y, &cut(line, inside.width.saturating_sub(1), scene), Style::new());
    }
}

/// The measures of a board with a proper sign between them, where the terminal has one.
pub(super) fn crossed(scene: &Scene<'_>, text: &str) -> String {
    let is_digit = |i: usize| text.as_bytes().get(i).is_some_and(u8::is_ascii_digit);
    let cross = |(i, letter): (usize, char)| {
        let is_between = letter == 'x' && is_digit(i.wrapping_sub(1)) && is_digit(i + 1);
        if is_between && scene.looks.glyphs == Glyphs::Unicode { '×' } else { letter }
    };
    text.char_indices().map(cross).collect()
}

/// The field in a row, its end in any case; gives its cursor.
pub(super) fn draw_field(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect, field: &str) -> Position {
    let shown = text::end(field, usize::from(area.width.saturating_sub(5)));
    put(buffer, area, 1, 0, "> ", scene.part(Part::Key));
    put(buffer, area, 3, 0, shown, Style::new());
    let x = (3 + width_of(shown)).min(area.width.saturating_sub(1));
    Position { x: area.x + x, y: area.y }
}
