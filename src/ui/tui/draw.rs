//! Drawing of characters into cells: texts, frames, the field. Below everything else that draws.

use std::ops::Range;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::{Color, Style};
use ratatui_core::text::{Line, Span};

use super::frame::FrameContext;
use super::layout::number;
use super::theme::{ColorDepth, Part, indexed};
use crate::canvas::{Glyphs, Role};
use crate::game::Side;
use crate::messages::screen as sentences;
use crate::session;
use crate::text::{Span as Marked, Text, columns};

/// Returns the number of columns of a text.
pub(super) fn width_of(text: &str) -> u16 {
    number(columns::width(text))
}

/// Writes into an area from its column `x` and row `y` on; the part that does not fit is left out.
pub(super) fn put(buffer: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) {
    let area = area.intersection(buffer.area);
    if y >= area.height || x >= area.width {
        return;
    }
    let mut i = x;
    for glyph in text.chars() {
        let glyph = if glyph.is_control() { '?' } else { glyph };
        let columns = number(columns::width_of(glyph));
        if columns == 0 || i + columns > area.width {
            continue; // a mark on the character before, or no room
        }
        for column in i..i + columns {
            let part = if column == i { glyph } else { ' ' };
            let cell = &mut buffer[(area.x + column, area.y + y)];
            cell.reset(); // nothing shines through
            cell.set_char(part).set_style(style);
        }
        i += columns;
    }
}

/// Blanks an area, whatever was there.
pub(super) fn wipe(buffer: &mut Buffer, area: Rect) {
    area.intersection(buffer.area).positions().for_each(|place| buffer[place].reset());
}

/// Returns a text in at most `width` columns: cut between words, with dots.
pub(super) fn cut(text: impl Into<Text>, width: u16, c: &FrameContext<'_>) -> Text {
    columns::cut(text, usize::from(width), c.screen.looks.dots())
}

/// Draws a frame with a heading and wipes its inside; returns the inside.
pub(super) fn frame(buffer: &mut Buffer, c: &FrameContext<'_>, area: Rect, title: &str) -> Rect {
    if area.width < 2 || area.height < 2 {
        return Rect { width: 0, height: 0, ..area };
    }
    let [line, bar, corners @ ..] = match c.screen.looks.glyphs {
        Glyphs::Unicode => ["─", "│", "┌", "┐", "└", "┘"],
        Glyphs::Narrow | Glyphs::Ascii => ["-", "|", "+", "+", "+", "+"],
    };
    let (inside, style) = (area.inner(Margin::new(1, 1)), c.screen.looks.part(Part::Faint));
    let line = line.repeat(usize::from(inside.width));
    put(buffer, area, 0, 0, &[corners[0], &line, corners[1]].concat(), style);
    for y in 1..area.height - 1 {
        put(buffer, area, 0, y, bar, style);
        put(buffer, area, area.width - 1, y, bar, style);
    }
    put(buffer, area, 0, area.height - 1, &[corners[2], &line, corners[3]].concat(), style);
    let heading = cut(title, inside.width.saturating_sub(3), c);
    if !heading.is_empty() {
        put(buffer, area, 2, 0, &format!(" {heading} "), c.screen.looks.part(Part::Heading));
    }
    // The blanks inside are plain, so that what is written there stands out.
    wipe(buffer, inside);
    inside
}

/// Gives all cells without a colour of their own the theme's, if it has any, in colours that the
/// terminal has.
pub(super) fn apply_background(buffer: &mut Buffer, c: &FrameContext<'_>) {
    let Some(palette) = c.screen.looks.ink().palette() else { return };
    for cell in &mut buffer.content {
        if cell.fg == Color::Reset {
            cell.fg = palette.text;
        }
        if cell.bg == Color::Reset {
            cell.bg = palette.ground;
        }
        if matches!(c.screen.looks.depth, ColorDepth::Indexed { .. }) {
            (cell.fg, cell.bg) = (indexed(cell.fg), indexed(cell.bg));
        }
    }
}

/// Adds text in this style to the end of a line.
pub(super) fn push(line: &mut Line<'static>, text: impl Into<String>, style: Style) {
    line.push_span(Span::styled(text.into(), style));
}

/// Returns a line in one style.
pub(super) fn plain(text: impl Into<String>) -> Line<'static> {
    Line::from(Span::raw(text.into()))
}

/// Returns a text in which the sides have their colours. Keys and moves look like the rest.
pub(super) fn told(c: &FrameContext<'_>, text: &Text, style: Style) -> Line<'static> {
    let sides = text.spans().iter().filter_map(|(place, span)| match span {
        Marked::Side(side) => Some((place, *side)),
        Marked::Key | Marked::Move(_) => None,
    });
    let sides: Vec<(&Range<usize>, Side)> = sides.collect();
    let mut ends: Vec<usize> = sides.iter().flat_map(|(place, _)| [place.start, place.end]).collect();
    ends.extend([0, text.len()]);
    ends.sort_unstable();
    let mut line = Line::default();
    for part in ends.windows(2).filter(|part| part[0] < part[1]) {
        // The first of several is the innermost one.
        let side = sides.iter().find(|(place, _)| place.contains(&part[0])).map(|(_, side)| *side);
        let style = side.map_or(style, |side| style.patch(c.role(Role::of(side))));
        push(&mut line, &text[part[0]..part[1]], style);
    }
    line
}

/// Returns a line of a legend: the sides in their colours, or the signs as they are on the board.
pub(super) fn explained(c: &FrameContext<'_>, text: &Text, signs: &[(char, Role)]) -> Line<'static> {
    if text.names_a_side() {
        return told(c, text, Style::new());
    }
    let mut line = Line::default();
    for part in text.split_inclusive(' ') {
        let sign = signs.iter().find(|(sign, _)| part.trim_end().chars().eq([*sign]));
        push(&mut line, part, sign.map_or_else(Style::new, |&(_, role)| c.role(role).not_reversed()));
    }
    line
}

/// Returns the number of columns of a line.
pub(super) fn columns_of(line: &Line<'_>) -> u16 {
    line.spans.iter().map(|span| width_of(&span.content)).sum()
}

/// Writes a line into an area from its column `x` and row `y` on; the part that does not fit is
/// cut, with dots.
pub(super) fn put_line(
    buffer: &mut Buffer,
    c: &FrameContext<'_>,
    area: Rect,
    (x, y): (u16, u16),
    line: &Line<'_>,
) {
    let whole: String = line.spans.iter().map(|span| &*span.content).collect();
    let room = cut(&whole, area.width.saturating_sub(x), c);
    let (mut x, mut rest) = (x, room.as_str());
    for Span { content, style } in &line.spans {
        let same = content.chars().zip(rest.chars()).take_while(|(one, other)| one == other);
        let length: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
        put(buffer, area, x, y, &rest[..length], *style);
        x += width_of(&rest[..length]);
        rest = &rest[length..];
    }
    let last = line.spans.last().map_or_else(Style::new, |span| span.style);
    put(buffer, area, x, y, rest, last); // the dots
}

/// Returns the sign of a side's pieces, or its name where they have none.
pub(super) fn piece_glyph(c: &FrameContext<'_>, position: &dyn session::Position, side: Side) -> String {
    let sign = position.drawn().piece_glyph(side, c.screen.looks.glyphs);
    sign.map_or_else(|| position.side_name(side).to_string(), String::from)
}

/// Draws lines in a frame with a heading; those too long for it are cut.
pub(super) fn draw_lines(
    c: &FrameContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    title: &str,
    lines: &[Line<'_>],
) {
    let inside = frame(buffer, c, area, title);
    for (line, y) in lines.iter().zip(0..inside.height) {
        put_line(buffer, c, inside, (1, y), line);
    }
}

/// Returns the dimensions of a board with a proper sign between them, where the terminal has one.
pub(super) fn crossed(c: &FrameContext<'_>, text: &str) -> String {
    let is_digit = |i: usize| text.as_bytes().get(i).is_some_and(u8::is_ascii_digit);
    let cross = |(i, letter): (usize, char)| {
        let is_between = letter == 'x' && is_digit(i.wrapping_sub(1)) && is_digit(i + 1);
        if is_between && c.screen.looks.glyphs == Glyphs::Unicode { '×' } else { letter }
    };
    text.char_indices().map(cross).collect()
}

/// Draws the field in a row, its end in any case; returns the place of its cursor.
pub(super) fn draw_field(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, field: &str) -> Position {
    let shown = columns::end(field, usize::from(area.width.saturating_sub(5)));
    put(buffer, area, 1, 0, "> ", c.screen.looks.part(Part::Key));
    put(buffer, area, 3, 0, shown, Style::new());
    if let Some(wanted) = sentences::wanted_behind(field) {
        let room = area.width.saturating_sub(3 + width_of(shown));
        put(buffer, area, 3 + width_of(shown), 0, &cut(wanted, room, c), c.screen.looks.part(Part::Faint));
    }
    let x = (3 + width_of(shown)).min(area.width.saturating_sub(1));
    Position { x: area.x + x, y: area.y }
}
