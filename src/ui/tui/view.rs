//! The screen from the state: title, board, panels, status line, key bar, pages. Pure.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Style};

use super::actions::Context;
use super::layout::{Layout, layout};
use super::state::{Page, Phase, State};
use super::theme::{Part, Theme};
use super::{bar, menu_view, panels};
use crate::canvas::{Glyphs, Role};
use crate::game::Side;
use crate::session::Session;
use crate::words::screen as sentences;

/// A page of text is so wide where there is room.
const PAGE: u16 = 60;

/// Columns of a text; every character of ours is one cell wide.
pub(super) fn width_of(text: &str) -> u16 {
    u16::try_from(text.chars().count()).unwrap_or(u16::MAX)
}

/// Writes into an area from its column `x` and row `y` on; what does not fit is left out.
pub(super) fn put(buffer: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) {
    let area = area.intersection(buffer.area);
    if y >= area.height || x >= area.width {
        return;
    }
    for (glyph, i) in text.chars().zip(x..area.width) {
        let glyph = if glyph.is_control() { '?' } else { glyph };
        if let Some(cell) = buffer.cell_mut((area.x + i, area.y + y)) {
            cell.set_char(glyph).set_style(style);
        }
    }
}

/// A text in at most so many columns: cut between words, with dots.
pub(super) fn cut(text: &str, width: u16, state: &State) -> String {
    if width_of(text) <= width {
        return text.to_owned();
    }
    let room = usize::from(width).saturating_sub(1);
    let head: String = text.chars().take(room).collect();
    let is_whole = text.chars().nth(room).is_none_or(char::is_whitespace);
    let head = match head.rfind(' ') {
        Some(end) if !is_whole && end > room / 2 => &head[..end],
        _ => &head,
    };
    if width == 0 { String::new() } else { format!("{}{}", head.trim_end(), state.dots()) }
}

/// A frame with a heading; gives what is inside. What was there is wiped.
pub(super) fn frame(buffer: &mut Buffer, state: &State, theme: Theme, area: Rect, title: &str) -> Rect {
    let [line, bar, corners @ ..] = match state.looks.glyphs {
        Glyphs::Unicode => ['─', '│', '┌', '┐', '└', '┘'],
        Glyphs::Narrow | Glyphs::Ascii => ['-', '|', '+', '+', '+', '+'],
    };
    let style = state.style(theme.part(Part::Faint));
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
    let heading = cut(title, inside.width.saturating_sub(2), state);
    if !heading.is_empty() {
        put(buffer, area, 2, 0, &format!(" {heading} "), state.style(theme.part(Part::Heading)));
    }
    // The blanks inside are plain, so that what is written there stands out.
    for y in 0..inside.height {
        put(buffer, inside, 0, y, &" ".repeat(usize::from(inside.width)), Style::reset());
    }
    inside
}

impl State {
    /// The style as this terminal may show it.
    pub(super) fn style(&self, style: Style) -> Style {
        if self.looks.has_colour { style } else { Style { fg: style.fg.and(Some(Color::Reset)), ..style } }
    }

    /// What stands for something left out.
    pub(super) fn dots(&self) -> &'static str {
        if self.looks.glyphs == Glyphs::Unicode { "…" } else { "~" }
    }
}

/// Draws everything and puts the terminal's cursor on the focused place.
pub fn draw(state: &State, frame: &mut Frame<'_>) {
    let cursor = paint(state, frame.buffer_mut());
    if let Some(at) = cursor.filter(|&at| frame.area().contains(at)) {
        frame.set_cursor_position(at);
    }
}

fn paint(state: &State, buffer: &mut Buffer) -> Option<Position> {
    let theme = state.looks.theme;
    if buffer.area.width == 0 || buffer.area.height == 0 {
        return None;
    }
    let mut cursor;
    match state.shown().filter(|_| state.menu.is_none()) {
        None => {
            draw_title(state, theme, buffer, "crosspath", &[String::new()]);
            cursor = menu_view::draw(state, theme, buffer);
        }
        Some(shown) => {
            let places = layout(shown, state.size);
            let title = crossed(state, &shown.title());
            let title = match &state.source {
                Some(name) => sentences::replay_of(&title, &cut(name, 20, state)),
                None => title,
            };
            if let Some(density) = places.density {
                cursor = draw_board(state, theme, buffer, &places, density);
                panels::draw(state, theme, buffer);
                cursor = draw_status(state, theme, buffer, places.status).or(cursor);
                draw_title(state, theme, buffer, &title, &titles(state, shown));
                if let Some(area) = places.foot {
                    panels::draw_foot(state, theme, buffer, area);
                }
            } else {
                cursor = super::small::draw(state, shown, buffer);
            }
        }
    }
    if state.context() != Context::Small && state.size.1 > 1 {
        bar::draw(state, theme, buffer);
    }
    match &state.page {
        Some(page) => Some(draw_page(state, theme, buffer, page)),
        None => cursor,
    }
}

/// The measures of a board with a proper sign between them, where the terminal has one.
pub(super) fn crossed(state: &State, text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_digit = |i: Option<usize>| i.and_then(|i| letters.get(i)).is_some_and(char::is_ascii_digit);
    let cross = |(i, &letter): (usize, &char)| {
        let is_between = letter == 'x' && is_digit(i.checked_sub(1)) && is_digit(Some(i + 1));
        if is_between && state.looks.glyphs == Glyphs::Unicode { '×' } else { letter }
    };
    letters.iter().enumerate().map(cross).collect()
}

/// A side as titles name it: sign and name.
pub(super) fn side(state: &State, session: &dyn Session, side: Side) -> String {
    let name = session.side_name(side);
    session.sign(side, state.looks.glyphs).map_or_else(|| name.to_owned(), |sign| format!("{sign} {name}"))
}

/// What the title says on its right, from long to short.
fn titles(state: &State, shown: &dyn Session) -> Vec<String> {
    let plies = shown.plies();
    let all = state.now.as_deref().map_or(plies, Session::plies);
    let level = state.level.map(|level| level.to_string());
    let names = Side::BOTH.map(|s| side(state, shown, s));
    let players = Side::BOTH.map(|s| state.players[s].as_deref().filter(|_| state.is_watched));
    let seats = sentences::seats(names.each_ref().map(String::as_str), state.you, level.as_deref(), players);
    let is_over = shown.outcome().is_some();
    let is_own_replay = state.is_replay && !state.is_watched;
    let is_past = if state.is_replay { is_own_replay } else { state.past.is_some() };
    let at = if state.is_stopped() {
        sentences::stopped_at(plies, all)
    } else {
        sentences::place(plies, all, is_past, state.is_replay, is_over)
    };
    let next = (!is_over).then(|| side(state, shown, shown.to_move()));
    let turn = sentences::turn_in_title(next.as_deref());
    let mut titles = Vec::new();
    if state.size.0 >= 100 && state.has_clocks && state.mode != Some(3) {
        let clock = |side: Side| {
            let seconds = state.used[side].as_secs();
            format!("{}:{:02}", seconds / 60, seconds % 60)
        };
        titles.push(format!("{seats}   {at}   {} / {}", clock(Side::First), clock(Side::Second)));
    }
    let result = match (shown.outcome(), state.is_replay) {
        (Some(outcome), true) => {
            format!("   {}", sentences::ended(outcome.winner().map(|winner| shown.side_name(winner))))
        }
        _ => String::new(),
    };
    let short = if is_over { format!("{at}{result}") } else { format!("{turn}, {at}") };
    titles.push(format!("{seats}   {at}{result}"));
    if let [Some(first), Some(second)] = players {
        let sign = |s: Side| {
            let sign = shown.sign(s, state.looks.glyphs);
            sign.map_or_else(|| shown.side_name(s).to_owned(), String::from)
        };
        let seats = sentences::short_seats(&[sign(Side::First), sign(Side::Second)], [first, second]);
        titles.push(format!("{seats}   {at}{result}"));
    }
    titles.extend([short, turn, String::new()]);
    titles
}

fn draw_title(state: &State, theme: Theme, buffer: &mut Buffer, left: &str, right: &[String]) {
    let width = buffer.area.width;
    let row = Rect { height: 1, ..buffer.area };
    let style = state.style(theme.part(Part::Title));
    put(buffer, row, 0, 0, &" ".repeat(usize::from(width)), style);
    let fits = |text: &&String| width_of(text) + width_of(left) + 5 <= width;
    if let Some(text) = right.iter().find(fits) {
        put(buffer, row, 1, 0, left, style);
        put(buffer, row, width - width_of(text) - 1, 0, text, style);
        return;
    }
    // The side to move matters more than the name of the game.
    let turn = right.iter().rev().find(|text| !text.is_empty()).map_or(left, String::as_str);
    let both = format!("{turn}  {left}");
    let text = if width_of(&both) < width { &both } else { turn };
    put(buffer, row, u16::from(width > width_of(text)), 0, text, style);
}

fn draw_board(
    state: &State,
    theme: Theme,
    buffer: &mut Buffer,
    places: &Layout,
    density: usize,
) -> Option<Position> {
    let canvas = state.canvas(density)?;
    let area = places.board;
    for (y, row) in (0..canvas.height()).zip(0u16..) {
        for (x, column) in (0..canvas.width()).zip(0u16..) {
            let (glyph, role) = canvas.at(x, y);
            let at = (area.x + column, area.y + row);
            if let Some(cell) = buffer.cell_mut(at) {
                cell.set_char(glyph).set_style(state.style(theme.role(role)));
            }
        }
    }
    for (text, mark) in state.marks() {
        let spot = canvas.spots().iter().find(|spot| spot.text == text);
        let Some((x, y)) =
            spot.and_then(|spot| Some((u16::try_from(spot.x).ok()?, u16::try_from(spot.y).ok()?)))
        else {
            continue;
        };
        if let Some(cell) = buffer.cell_mut((area.x + x, area.y + y)) {
            cell.set_char(mark).set_style(state.style(theme.role(Role::Path)));
        }
    }
    if state.is_watched && (state.phase != Phase::Asking || state.is_match() && state.is_auto) {
        return None;
    }
    let spot = state.focus(&canvas)?;
    let offset = |value: usize| u16::try_from(value).unwrap_or(u16::MAX);
    Some(Position { x: area.x + offset(spot.x), y: area.y + offset(spot.y) })
}

/// The field in a row, its end in any case; gives its cursor.
pub(super) fn draw_field(
    state: &State,
    theme: Theme,
    buffer: &mut Buffer,
    area: Rect,
    field: &str,
) -> Position {
    let skip = field.chars().count().saturating_sub(usize::from(area.width.saturating_sub(5)));
    let shown: String = field.chars().skip(skip).collect();
    put(buffer, area, 1, 0, "> ", state.style(theme.part(Part::Key)));
    put(buffer, area, 3, 0, &shown, Style::new());
    let x = (3 + width_of(&shown)).min(area.width.saturating_sub(1));
    Position { x: area.x + x, y: area.y }
}

/// The status line, or the field; gives the cursor of the field.
fn draw_status(state: &State, theme: Theme, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    let room = area.width.saturating_sub(2);
    if let Some(field) = &state.field {
        return Some(draw_field(state, theme, buffer, area, field));
    }
    let mut rows = wrap(&state.status_line(), usize::from(room));
    // Where there is one row only, what is too long for it covers the row above.
    let area = match area.y.checked_sub(1) {
        Some(y) if area.height == 1 && rows.len() > 1 && y > 0 => Rect { y, height: 2, ..area },
        _ => area,
    };
    if rows.len() > 1 {
        for y in 0..area.height {
            put(buffer, area, 0, y, &" ".repeat(usize::from(area.width)), Style::reset());
        }
    }
    if rows.len() > usize::from(area.height) {
        let rest = rows.split_off(usize::from(area.height).saturating_sub(1));
        rows.push(rest.join(" "));
    }
    for (row, y) in rows.iter().zip(0..) {
        put(buffer, area, 1, y, &cut(row, room, state), Style::new());
    }
    None
}

/// A text in rows of at most so many columns, broken between words; a word wider than a row is broken anywhere.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut rows = vec![String::new()];
    for word in text.split(' ') {
        let row = rows.last_mut().expect("there is always a row");
        let (used, wanted) = (row.chars().count(), word.chars().count());
        if used == 0 && wanted <= width {
            row.push_str(word);
        } else if used + 1 + wanted <= width || row.trim().is_empty() && wanted <= width {
            row.push(' ');
            row.push_str(word);
        } else if wanted <= width {
            rows.push(word.to_owned());
        } else {
            let room = if used == 0 { width } else { width.saturating_sub(used + 1) };
            let letters: Vec<char> = word.chars().collect();
            let (here, rest) = letters.split_at(room);
            if used > 0 && room > 0 {
                row.push(' ');
            }
            row.extend(here);
            rows.extend(rest.chunks(width).map(String::from_iter));
        }
    }
    rows
}

/// Where a page of text lies in this window.
fn page_area(state: &State, page: &Page) -> Rect {
    let (width, height) = state.size;
    let all: usize = page.lines.iter().map(|line| wrap(line, page_width(state)).len()).sum();
    if is_whole(state) {
        Rect { x: 0, y: 0, width, height: height.saturating_sub(u16::from(height > 3)) }
    } else {
        let height = (height - 6).min(u16::try_from(all + 2).unwrap_or(u16::MAX));
        Rect { x: (width - PAGE) / 2, y: 3, width: PAGE, height }
    }
}

/// Whether a page of text takes the whole window.
fn is_whole(state: &State) -> bool {
    let (width, height) = state.size;
    width < 64 || height < 20
}

/// Columns of the text of a page.
fn page_width(state: &State) -> usize {
    let width = if is_whole(state) { state.size.0 } else { PAGE };
    usize::from(width.saturating_sub(4)).max(1)
}

/// Rows of the text of a page that are seen at once.
fn page_height(area: Rect) -> usize {
    usize::from(area.height.saturating_sub(2)).max(1)
}

/// The first line of the last part of a page: from here on everything is seen.
pub(super) fn last_top(state: &State, page: &Page) -> usize {
    let mut room = page_height(page_area(state, page));
    let lines = page.shown();
    let fits = |line: &&&str| {
        let rows = wrap(line, page_width(state)).len();
        let is_room = rows <= room;
        room = room.saturating_sub(rows);
        is_room
    };
    (lines.len() - lines.iter().rev().take_while(fits).count()).min(lines.len().saturating_sub(1))
}

fn draw_page(state: &State, theme: Theme, buffer: &mut Buffer, page: &Page) -> Position {
    let (area, room) = (page_area(state, page), page_width(state));
    let inside = frame(buffer, state, theme, area, &page.title);
    let last = last_top(state, page);
    let mut lines = page.shown();
    if lines.is_empty() {
        lines.push(sentences::NO_SUCH_LINE);
    }
    let top = page.top.min(last);
    let rows_of =
        |lines: &[&str]| -> Vec<String> { lines.iter().flat_map(|line| wrap(line, room)).collect() };
    for (row, y) in rows_of(&lines[top..]).iter().zip(0..inside.height) {
        put(buffer, inside, 1, y, row, Style::new());
    }
    let per_page = page_height(area);
    let pages = rows_of(&lines).len().div_ceil(per_page);
    let here = if top == last { pages } else { rows_of(&lines[..top]).len() / per_page + 1 };
    let number = format!(" {here}/{pages} ");
    let heading = state.style(theme.part(Part::Heading));
    if area.width > 20 && area.height > 1 {
        put(buffer, area, area.width - width_of(&number) - 2, 0, &number, heading);
    }
    let foot = sentences::page_foot(&page.filter, page.is_filtering);
    let foot = cut(&foot, area.width.saturating_sub(4), state);
    put(buffer, area, 2, area.height.saturating_sub(1), &foot, heading);
    let x = if page.is_filtering { 1 + width_of(&foot) } else { 2 };
    let x = (area.x + x).min(state.size.0.saturating_sub(1));
    Position { x, y: area.y + area.height.saturating_sub(1) }
}
