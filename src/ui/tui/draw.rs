//! Characters into cells: texts, frames, the field. Below everything else that draws.

use std::ops::Range;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::{Color, Style};

use super::layout::number;
use super::scene::Scene;
use super::theme::Part;
use crate::canvas::{Glyphs, Hue, Role};
use crate::game::Side;
use crate::messages::screen as sentences;
use crate::session;
use crate::text::columns;
use crate::text::{Span, Text};

/// Columns of a text.
pub(super) fn width_of(text: &str) -> u16 {
    number(columns::width(text))
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

/// A text in at most so many columns: cut between words, with dots.
pub(super) fn cut(text: impl Into<Text>, width: u16, scene: &Scene<'_>) -> Text {
    columns::cut(text, usize::from(width), scene.dots())
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
    let heading = cut(title, inside.width.saturating_sub(3), scene);
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
        self.looks.ink().part(part)
    }

    /// How what is said of something looks that can be done, or cannot.
    pub(super) fn said(&self, is_possible: bool) -> Style {
        if is_possible { self.part(Part::Heading) } else { self.role(Role::Refused) }
    }

    /// How a character of the board looks on this terminal.
    pub(super) fn role(&self, role: Role) -> Style {
        let hues = self.subject().map_or([Hue::Red, Hue::Blue], |shown| shown.drawn().hues());
        self.looks.ink().role(role, hues)
    }
}

/// Gives all that has no colour of its own those of the theme, if it brings any.
pub(super) fn lay_ground(buffer: &mut Buffer, scene: &Scene<'_>) {
    let Some(palette) = scene.looks.ink().palette() else { return };
    for cell in &mut buffer.content {
        if cell.fg == Color::Reset {
            cell.fg = palette.text;
        }
        if cell.bg == Color::Reset {
            cell.bg = palette.ground;
        }
    }
}

/// A text in parts, each in a style of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(Vec<(String, Style)>);

impl Line {
    /// More text in this style.
    pub(super) fn push(&mut self, text: impl Into<String>, style: Style) {
        self.0.push((text.into(), style));
    }

    /// The parts of another one behind its own.
    pub(super) fn append(&mut self, mut other: Line) {
        self.0.append(&mut other.0);
    }

    /// A text in which the sides have their colours. Keys and moves look like the rest.
    pub(super) fn told(scene: &Scene<'_>, text: &Text, style: Style) -> Self {
        let sides = text.spans().iter().filter_map(|(place, span)| match span {
            Span::Side(side) => Some((place, *side)),
            Span::Key | Span::Move(_) => None,
        });
        let sides: Vec<(&Range<usize>, Side)> = sides.collect();
        let mut ends: Vec<usize> = sides.iter().flat_map(|(place, _)| [place.start, place.end]).collect();
        ends.extend([0, text.len()]);
        ends.sort_unstable();
        let mut line = Line::default();
        for part in ends.windows(2).filter(|part| part[0] < part[1]) {
            // The first of several is the innermost one.
            let side = sides.iter().find(|(place, _)| place.contains(&part[0])).map(|(_, side)| *side);
            let style = side.map_or(style, |side| style.patch(scene.role(Role::of(side))));
            line.push(&text[part[0]..part[1]], style);
        }
        line
    }

    /// A line of a legend: the sides in their colours, or the signs as they are on the board.
    pub(super) fn explained(scene: &Scene<'_>, text: &Text, signs: &[(char, Role)]) -> Self {
        if text.names_a_side() {
            return Line::told(scene, text, Style::new());
        }
        let mut line = Line::default();
        for part in text.split_inclusive(' ') {
            let sign = signs.iter().find(|(sign, _)| part.trim_end().chars().eq([*sign]));
            line.push(part, sign.map_or_else(Style::new, |&(_, role)| scene.role(role).not_reversed()));
        }
        line
    }

    /// Its columns.
    pub(super) fn width(&self) -> u16 {
        self.0.iter().map(|(text, _)| width_of(text)).sum()
    }

    /// Writes it into an area from its column `x` and row `y` on; what does not fit is cut, with dots.
    pub(super) fn put(&self, buffer: &mut Buffer, scene: &Scene<'_>, area: Rect, x: u16, y: u16) {
        let whole: String = self.0.iter().map(|(text, _)| text.as_str()).collect();
        let room = cut(&whole, area.width.saturating_sub(x), scene);
        let (mut x, mut rest) = (x, room.as_str());
        for (text, style) in &self.0 {
            let same = text.chars().zip(rest.chars()).take_while(|(one, other)| one == other);
            let length: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
            put(buffer, area, x, y, &rest[..length], *style);
            x += width_of(&rest[..length]);
            rest = &rest[length..];
        }
        let last = self.0.last().map_or_else(Style::new, |(_, style)| *style);
        put(buffer, area, x, y, rest, last); // the dots
    }
}

/// The sign of a side's pieces, or its name where they have none.
pub(super) fn piece_glyph(scene: &Scene<'_>, position: &dyn session::Position, side: Side) -> String {
    let sign = position.drawn().piece_glyph(side, scene.looks.glyphs);
    sign.map_or_else(|| position.side_name(side).to_string(), String::from)
}

/// Lines in a frame with a heading, the sides in their colours; those too long for it are cut.
pub(super) fn draw_list(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect, title: &str, lines: &[Text]) {
    let lines: Vec<Line> = lines.iter().map(|line| Line::told(scene, line, Style::new())).collect();
    draw_lines(scene, buffer, area, title, &lines);
}

/// The same with lines that have their colours already.
pub(super) fn draw_lines(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect, title: &str, lines: &[Line]) {
    let inside = frame(buffer, scene, area, title);
    for (line, y) in lines.iter().zip(0..inside.height) {
        line.put(buffer, scene, inside, 1, y);
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
    let shown = columns::end(field, usize::from(area.width.saturating_sub(5)));
    put(buffer, area, 1, 0, "> ", scene.part(Part::Key));
    put(buffer, area, 3, 0, shown, Style::new());
    if let Some(wanted) = sentences::wanted_behind(field) {
        let room = area.width.saturating_sub(3 + width_of(shown));
        put(buffer, area, 3 + width_of(shown), 0, &cut(wanted, room, scene), scene.part(Part::Faint));
    }
    let x = (3 + width_of(shown)).min(area.width.saturating_sub(1));
    Position { x: area.x + x, y: area.y }
}
