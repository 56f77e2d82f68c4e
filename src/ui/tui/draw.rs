//! Drawing primitives for texts, frames and the input field. All other drawing code builds on them.

use std::ops::Range;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::{Color, Style};
use ratatui_core::text::{Line, Span};

use super::frame::FrameContext;
use super::layout::to_u16_saturating;
use super::theme::{ColorDepth, ScreenPart, nearest_xterm_colour};
use crate::canvas::{GlyphSet, PaintRole};
use crate::game::Side;
use crate::messages::screen as sentences;
use crate::session;
use crate::text::{SpanKind as Marked, Text, columns};

/// Returns the number of columns that a text takes.
pub(super) fn text_columns(text: &str) -> u16 {
    to_u16_saturating(columns::display_width(text))
}

/// Writes a text into an area from column `x` and row `y`. Text beyond the area is omitted.
pub(super) fn put_text(buffer: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) {
    let area = area.intersection(buffer.area);
    if y >= area.height || x >= area.width {
        return;
    }
    let mut i = x;
    for glyph in text.chars() {
        let glyph = if glyph.is_control() { '?' } else { glyph };
        let columns = to_u16_saturating(columns::glyph_width(glyph));
        if columns == 0 || i + columns > area.width {
            continue; // a combining mark, or no room
        }
        for column in i..i + columns {
            let part = if column == i { glyph } else { ' ' };
            let cell = &mut buffer[(area.x + column, area.y + y)];
            cell.reset(); // drops the earlier style
            cell.set_char(part).set_style(style);
        }
        i += columns;
    }
}

/// Fills an area with blanks.
pub(super) fn clear_area(buffer: &mut Buffer, area: Rect) {
    area.intersection(buffer.area).positions().for_each(|place| buffer[place].reset());
}

/// Truncates a text between words to at most `width` columns, with an ellipsis.
pub(super) fn truncate_text(text: impl Into<Text>, width: u16, c: &FrameContext<'_>) -> Text {
    columns::truncate_text(text, usize::from(width), c.screen.looks.ellipsis())
}

/// Draws a frame with a heading, clears its interior and returns the area of the interior.
pub(super) fn draw_frame(buffer: &mut Buffer, c: &FrameContext<'_>, area: Rect, title: &str) -> Rect {
    if area.width < 2 || area.height < 2 {
        return Rect { width: 0, height: 0, ..area };
    }
    let [line, bar, corners @ ..] = match c.screen.looks.glyphs {
        GlyphSet::Unicode => ["─", "│", "┌", "┐", "└", "┘"],
        GlyphSet::Narrow | GlyphSet::Ascii => ["-", "|", "+", "+", "+", "+"],
    };
    let (inside, style) = (area.inner(Margin::new(1, 1)), c.screen.looks.part_style(ScreenPart::Faint));
    let line = line.repeat(usize::from(inside.width));
    put_text(buffer, area, 0, 0, &[corners[0], &line, corners[1]].concat(), style);
    for y in 1..area.height - 1 {
        put_text(buffer, area, 0, y, bar, style);
        put_text(buffer, area, area.width - 1, y, bar, style);
    }
    put_text(buffer, area, 0, area.height - 1, &[corners[2], &line, corners[3]].concat(), style);
    let heading = truncate_text(title, inside.width.saturating_sub(3), c);
    if !heading.is_empty() {
        put_text(buffer, area, 2, 0, &format!(" {heading} "), c.screen.looks.part_style(ScreenPart::Heading));
    }
    // The cleared cells are unstyled, so that text inside the frame is not dim.
    clear_area(buffer, inside);
    inside
}

/// Applies the theme's text and background colours to all cells without a colour.
///
/// With 256 colours, all cells get the nearest xterm colours.
pub(super) fn apply_background(buffer: &mut Buffer, c: &FrameContext<'_>) {
    let Some(palette) = c.screen.looks.terminal_theme().palette() else { return };
    for cell in &mut buffer.content {
        if cell.fg == Color::Reset {
            cell.fg = palette.text;
        }
        if cell.bg == Color::Reset {
            cell.bg = palette.ground;
        }
        if matches!(c.screen.looks.depth, ColorDepth::Indexed { .. }) {
            (cell.fg, cell.bg) = (nearest_xterm_colour(cell.fg), nearest_xterm_colour(cell.bg));
        }
    }
}

/// Appends text in this style to a line.
pub(super) fn push_styled(line: &mut Line<'static>, text: impl Into<String>, style: Style) {
    line.push_span(Span::styled(text.into(), style));
}

/// Returns a line without a style.
pub(super) fn unstyled_line(text: impl Into<String>) -> Line<'static> {
    Line::from(Span::raw(text.into()))
}

/// Converts a text to a line with the names of the sides in their colours.
pub(super) fn line_with_side_colours(c: &FrameContext<'_>, text: &Text, style: Style) -> Line<'static> {
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
        // Of nested spans, the innermost comes first.
        let side = sides.iter().find(|(place, _)| place.contains(&part[0])).map(|(_, side)| *side);
        let style = side.map_or(style, |side| style.patch(c.role_style(PaintRole::for_piece(side))));
        push_styled(&mut line, &text[part[0]..part[1]], style);
    }
    line
}

/// Renders a line of a legend.
///
/// The names of the sides have their colours, and signs have the style that they have on the board.
pub(super) fn render_legend_line(
    c: &FrameContext<'_>,
    text: &Text,
    signs: &[(char, PaintRole)],
) -> Line<'static> {
    if text.contains_side_span() {
        return line_with_side_colours(c, text, Style::new());
    }
    let mut line = Line::default();
    for part in text.split_inclusive(' ') {
        let sign = signs.iter().find(|(sign, _)| part.trim_end().chars().eq([*sign]));
        push_styled(
            &mut line,
            part,
            sign.map_or_else(Style::new, |&(_, role)| c.role_style(role).not_reversed()),
        );
    }
    line
}

/// Returns the number of columns that a line takes.
pub(super) fn line_columns(line: &Line<'_>) -> u16 {
    line.spans.iter().map(|span| text_columns(&span.content)).sum()
}

/// Writes a line into an area from column `x` and row `y`. A line that does not fit is truncated
/// with an ellipsis.
pub(super) fn put_line(
    buffer: &mut Buffer,
    c: &FrameContext<'_>,
    area: Rect,
    (x, y): (u16, u16),
    line: &Line<'_>,
) {
    let whole: String = line.spans.iter().map(|span| &*span.content).collect();
    let room = truncate_text(&whole, area.width.saturating_sub(x), c);
    let (mut x, mut rest) = (x, room.as_str());
    for Span { content, style } in &line.spans {
        let same = content.chars().zip(rest.chars()).take_while(|(one, other)| one == other);
        let length: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
        put_text(buffer, area, x, y, &rest[..length], *style);
        x += text_columns(&rest[..length]);
        rest = &rest[length..];
    }
    let last = line.spans.last().map_or_else(Style::new, |span| span.style);
    put_text(buffer, area, x, y, rest, last); // the ellipsis
}

/// Returns the glyph of a side's pieces, or the name of the side if they have no glyph.
pub(super) fn piece_glyph(c: &FrameContext<'_>, position: &dyn session::Position, side: Side) -> String {
    let sign = position.as_paint().piece_glyph(side, c.screen.looks.glyphs);
    sign.map_or_else(|| position.side_name(side).to_string(), String::from)
}

/// Draws lines in a frame with a heading. Lines that are too long are truncated.
pub(super) fn draw_framed_lines(
    c: &FrameContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    title: &str,
    lines: &[Line<'_>],
) {
    let inside = draw_frame(buffer, c, area, title);
    for (line, y) in lines.iter().zip(0..inside.height) {
        put_line(buffer, c, inside, (1, y), line);
    }
}

/// Replaces the `x` between board dimensions by `×`, if the terminal has that character.
pub(super) fn with_times_sign(c: &FrameContext<'_>, text: &str) -> String {
    let is_digit = |i: usize| text.as_bytes().get(i).is_some_and(u8::is_ascii_digit);
    let cross = |(i, letter): (usize, char)| {
        let is_between = letter == 'x' && is_digit(i.wrapping_sub(1)) && is_digit(i + 1);
        if is_between && c.screen.looks.glyphs == GlyphSet::Unicode { '×' } else { letter }
    };
    text.char_indices().map(cross).collect()
}

/// Draws the input field in a row so that the end of its text is visible.
///
/// Returns the position of the terminal cursor.
pub(super) fn draw_input_field(
    c: &FrameContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    field: &str,
) -> Position {
    let shown = columns::suffix_within_width(field, usize::from(area.width.saturating_sub(5)));
    put_text(buffer, area, 1, 0, "> ", c.screen.looks.part_style(ScreenPart::Key));
    put_text(buffer, area, 3, 0, shown, Style::new());
    if let Some(wanted) = sentences::missing_argument_hint(field) {
        let room = area.width.saturating_sub(3 + text_columns(shown));
        put_text(
            buffer,
            area,
            3 + text_columns(shown),
            0,
            &truncate_text(wanted, room, c),
            c.screen.looks.part_style(ScreenPart::Faint),
        );
    }
    let x = (3 + text_columns(shown)).min(area.width.saturating_sub(1));
    Position { x: area.x + x, y: area.y }
}
