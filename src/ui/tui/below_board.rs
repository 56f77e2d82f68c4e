//! The row below the board: the meaning of the signs on it, and the engine's evaluation of the
//! position. Knows no game.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::draw::{cut, put, put_line, told, width_of};
use super::facts::Facts;
use super::frame::FrameContext;
use super::key_table::Context;
use super::layout::{FrameLayout, PanelId, WIDE};
use super::painting;
use super::panels::{names_numbers, per_cent};
use super::theme::Part;
use crate::canvas::{Canvas, Glyphs, Role};
use crate::game::Side;
use crate::messages::{ending, screen as sentences};
use crate::session::Position;
use crate::text::{SideName, Text, join};

/// Fewest and most columns of the bar of win chances, which has a twelfth of the row. The rest of
/// the row does not change its length.
const BAR: [u16; 2] = [5, 15];
/// Columns between parts of the text, and before the bar.
const GAP: u16 = 2;

/// Both sides with their win chances, as the bar shows them.
struct Chances {
    names: [SideName; 2],
    per_cent: u32,
}

impl Chances {
    /// Returns the win chances in the position, if there is room for them at all.
    fn of(c: &FrameContext<'_>, position: &dyn Position, area: Rect) -> Option<Self> {
        // Where the value of every move is known a win chance says less.
        let is_open = position.outcome().is_none() && position.values().is_empty();
        let is_told = c.screen.drawing.shows_engine && is_open;
        let (side, report) = painting::report(c)
            .filter(|_| is_told && c.screen.size.0 >= WIDE && area.width > WIDE / 2 + 8)?;
        let chance = report.chance?;
        let first = if side == Side::First { chance } else { 1.0 - chance };
        let names = Side::each(|side| position.side_name(side));
        Some(Chances { names, per_cent: per_cent(first) })
    }

    /// Returns `Red 39% ██████` and `░░░░░░░░░ Blue 61%`, with a bar of this number of columns.
    fn bars(&self, glyphs: Glyphs, columns: u16) -> [String; 2] {
        let filled = ((self.per_cent * u32::from(columns) + 50) / 100) as usize;
        let [full, empty] = if glyphs == Glyphs::Unicode { ["█", "░"] } else { ["#", "-"] };
        let (full, empty) = (full.repeat(filled), empty.repeat(usize::from(columns) - filled));
        let [one, other] = self.names;
        let of_first = self.per_cent;
        [format!("{one} {of_first}% {full}"), format!("{empty} {other} {}%", 100 - of_first)]
    }

    /// Returns the number of columns without the bar itself.
    fn width(&self) -> u16 {
        let bars = self.bars(Glyphs::Unicode, 0);
        bars.iter().map(|bar| width_of(bar)).sum()
    }
}

/// Facts that the text depends on; costly ones are computed once per frame.
struct Row<'s> {
    c: &'s FrameContext<'s>,
    position: &'s dyn Position,
    /// Board as it is drawn.
    drawn: &'s Canvas,
    layout: &'s FrameLayout,
    /// `true` if a panel explains the signs.
    has_legend: bool,
    /// `true` if the best moves have their numbers on the board.
    has_numbers: bool,
}

/// Draws the row for a board that has been drawn.
pub(super) fn draw(
    c: &FrameContext<'_>,
    layout: &FrameLayout,
    buffer: &mut Buffer,
    area: Rect,
    drawn: &Canvas,
) {
    let Some(position) = c.game.shown() else { return };
    if let Some((said, is_legal)) = painting::typed_preview(c).filter(|_| layout.frame.status.height < 2) {
        let said = cut(&said, area.width.saturating_sub(2), c);
        put_line(buffer, c, area, (1, 0), &told(c, &said, c.said(is_legal)));
        return;
    }
    let bar = (area.width / 12).clamp(BAR[0], BAR[1]);
    let area = draw_badge(c, layout, buffer, area);
    let has_numbers = c.marks().iter().any(|(.., role)| *role == Role::Hint);
    let facts = Row { c, position, drawn, layout, has_legend: layout.has(PanelId::Legend), has_numbers };
    let chances = Chances::of(c, position, area);
    let all = area.width.saturating_sub(2);
    let beside = |chances: &Option<Chances>| {
        let chances = chances.as_ref().map_or(0, |chances| chances.width() + bar + GAP);
        all.saturating_sub(chances)
    };
    // The overlay takes precedence over the win chances, which the panel has too.
    let label = overlay_label(&facts);
    let is_crowded = label.as_ref().is_some_and(|label| width_of(label) > beside(&chances));
    let needed = text(&facts, label.clone(), [all, 0]);
    let chances =
        chances.filter(|chances| !is_crowded && width_of(&needed) + chances.width() + bar + GAP <= all);
    // Signs that are not on the board are not explained at the cost of the name; the placing of a wall is.
    let word = width_of(sentences::CHANCES) + 1;
    let with_word = |chances: &Chances| width_of(&needed) + chances.width() + bar + GAP + word <= all;
    let has_word = !is_placing(c) && chances.as_ref().is_some_and(with_word);
    let room = beside(&chances) - if has_word { word } else { 0 };
    let text = cut(with_ending(&facts, text(&facts, label, [room; 2]), room), all, c);
    put_line(buffer, c, area, (1, 0), &told(c, &text, c.screen.looks.part(Part::Faint)));
    let Some(chances) = chances else { return };
    let bars = chances.bars(c.screen.looks.glyphs, bar);
    let length = bars.iter().map(|bar| width_of(bar)).sum::<u16>();
    let mut x = area.width.saturating_sub(length + 1);
    if has_word {
        put(buffer, area, x - word, 0, sentences::CHANCES, c.screen.looks.part(Part::Faint));
    }
    for (bar, side) in bars.iter().zip(Side::BOTH) {
        put(buffer, area, x, 0, bar, c.role(Role::of(side)));
        x += width_of(bar);
    }
}

/// Returns the text of the row, preceded by the result of the game where no panel shows it and both
/// have room.
fn with_ending(&Row { c, position, layout, .. }: &Row<'_>, text: Text, room: u16) -> Text {
    let how = ending::how(position, c.game.you(), c.screen.looks.glyphs);
    let Some(how) = how.filter(|_| !layout.has(PanelId::Ending)) else { return text };
    let how = Text::from(how.into_string()); // faint as all of the row, without the colours of sides
    let both = join([how, text.clone()].into_iter().filter(|part| !part.is_empty()), "  ");
    if width_of(&both) <= room { both } else { text }
}

/// Draws the winner, where no panel shows it, or the direction of a wall being placed; returns the
/// rest of the row.
fn draw_badge(c: &FrameContext<'_>, layout: &FrameLayout, buffer: &mut Buffer, area: Rect) -> Rect {
    let ended = c.game.shown().and_then(|shown| ending::verdict(shown, c.game.you()));
    let badge = match ended.filter(|_| !layout.has(PanelId::Ending)) {
        Some(verdict) => format!(" {verdict} "),
        None if is_placing(c) => sentences::wall_badge(c.screen.cursor.layer == 1, c.screen.looks.glyphs),
        None => return area,
    };
    let width = width_of(&badge) + 1;
    if area.width <= width {
        return area;
    }
    put(buffer, area, 1, 0, &badge, c.screen.looks.part(Part::Heading).not_dim().reversed());
    Rect { x: area.x + width, width: area.width - width, ..area }
}

/// Returns the title of the overlay, if it has signs on the board.
fn overlay(c: &FrameContext<'_>, position: &dyn Position) -> Option<Text> {
    let is_there = position.outcome().is_none() && (painting::has_ways(c) || !c.marks().is_empty());
    let index = c.screen.drawing.overlay.checked_sub(1).filter(|_| is_there)?;
    c.overlays().into_iter().nth(index)
}

/// Returns that title, unless it is shown elsewhere: a sign is explained in one place only.
fn overlay_label(&Row { c, position, has_legend, .. }: &Row<'_>) -> Option<Text> {
    let label = overlay(c, position)?;
    let is_told = is_placing(c)
        || painting::has_ways(c) && has_legend
        || c.screen.typed().is_none() && c.status_line().contains(label.as_str());
    (!is_told).then_some(label)
}

fn is_placing(c: &FrameContext<'_>) -> bool {
    c.context() == Context::Wall && c.game.is_players_turn() && c.screen.typed().is_none()
}

/// Returns the text of a row with `room` columns beside the bar, or with `spare` columns beside a
/// longer bar.
fn text(facts: &Row<'_>, label: Option<Text>, [room, spare]: [u16; 2]) -> Text {
    let &Row { c, position, drawn, layout, has_legend, has_numbers } = facts;
    if let Some(lesson) = c.mistake() {
        return joined(ending::mistake_marks(lesson), room);
    }
    let placing = sentences::wall_mode().into_iter().find(|keys| width_of(keys) <= spare);
    if let Some(keys) = placing.filter(|_| is_placing(c)) {
        return keys;
    }
    let title = overlay(c, position).unwrap_or_default();
    let (mut signs, mut others) = signs(facts, &title);
    signs.retain(|_| !has_legend);
    others.extend(painting::numbers(c).map(|numbers| sentences::by_number(&numbers).into()));
    let has_tiles = layout.frame.scale.is_some();
    let mut marks = sentences::marks(painting::possible_marks(c, has_numbers), has_tiles);
    // Where the game is over, or only shown, signs that are not on the board are left out.
    if position.outcome().is_some() || c.game.is_replay() {
        others.clear();
        marks.retain(|mark| has_tiles || drawn.has(mark.chars().next().unwrap_or(' ')));
    }
    if let Some(label) = label {
        let all: Vec<Text> = [label].into_iter().chain(signs).collect();
        // Where a sign beside those of the title has no room the legend explains all of them in fewer words.
        let is_long = all.len() > 1 && width_of(&join(&all, "  ")) > room;
        let all = if is_long { self::signs(facts, "").0 } else { all };
        return joined(
            all.into_iter().chain(marks.into_iter().map(Text::from).filter(|_| !has_legend)),
            room,
        );
    }
    if has_legend {
        let is_told = !has_numbers || names_numbers(layout);
        return if is_told { Text::new() } else { sentences::NUMBERS.into() };
    }
    // The signs that are there come first, and stand behind the marks of all games; of those the ones that are there.
    let for_marks = room.saturating_sub(width_of(&joined(signs.iter().cloned(), room)));
    for mark in ["<>", "[]", "()"] {
        let columns: u16 = marks.iter().map(|mark| width_of(mark) + GAP).sum();
        // A cursor beside a hint stands in the place of one of its brackets.
        let is_there = mark.chars().any(|sign| drawn.has(sign));
        if columns > for_marks && (!is_there || mark != "<>") {
            marks.retain(|told| !told.starts_with(mark));
        }
    }
    let all: Vec<Text> = marks.into_iter().map(Text::from).chain(signs).collect();
    let more = join(all.iter().cloned().chain(others), "  ");
    if width_of(&more) <= spare { more } else { joined(all, room) }
}

/// Joins those of these texts that have room, in one row.
fn joined(texts: impl IntoIterator<Item = Text>, room: u16) -> Text {
    let mut row = Text::new();
    for text in texts {
        let gap = if row.is_empty() { "" } else { "  " };
        if width_of(&row) + width_of(gap) + width_of(&text) <= room || row.is_empty() {
            row.push_str(gap);
            row.push(&text);
        }
    }
    row
}

/// Returns the meanings of the signs on the board that no title explains, and the meanings of those
/// of the last line of the legend that are not on the board.
fn signs(&Row { c, position, drawn, layout, .. }: &Row<'_>, title: &str) -> (Vec<Text>, Vec<Text>) {
    let known = position.drawn().legend_signs(c.screen.looks.glyphs);
    let is_told = |sign: char| title.split([' ', ',', ';']).any(|word| word.chars().eq([sign]));
    let lines = painting::legend(c, position, &layout.frame);
    let (mut there, mut others) = (Vec::new(), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        for part in line.parts("  ").iter().map(Text::trimmed).filter(|part| !part.is_empty()) {
            let of_part = || {
                part.split(' ').map_while(|word| word.chars().next().filter(|_| word.chars().count() == 1))
            };
            let is_there =
                |sign: char| known.iter().any(|&(other, role)| other == sign && drawn.has_as(sign, role));
            if of_part().any(|sign| is_there(sign) && !is_told(sign)) {
                there.push(part);
            } else if index + 1 == lines.len() && !of_part().any(is_told) {
                others.push(part);
            }
        }
    }
    (there, others)
}
