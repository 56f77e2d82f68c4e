//! Pages of text over the board: help and long answers. In as many columns as fit, each entry in one piece.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::component::{Answer, Component, LayerEffect};
use super::super::draw::{cut, frame, push, put, put_line, told, width_of};
use super::super::frame::FrameContext;
use super::super::key_table::Action;
use super::super::layer::Page;
use super::super::layout::number;
use super::super::panels::layout_of;
use super::super::screen::MAX_TYPED;
use super::super::theme::Part;
use crate::messages::screen as sentences;
use crate::text::Text;
use crate::text::columns::wrap;

/// Columns of a column of text, frame included; a single one may be wider.
const PAGE: u16 = 60;
const WIDEST: u16 = 78;

/// Maximum number of rows of a line that is never broken between columns and pages.
const MAX_UNBROKEN_ROWS: usize = 4;

/// Area of a page of text in this window, and its number of columns of text.
struct Sheet {
    area: Rect,
    columns: u16,
    /// Columns of characters in each column of text.
    room: u16,
}

/// Rows of text that stay together on a page; in the first one the first `key` bytes name keys.
struct Entry {
    rows: Vec<Text>,
    key: usize,
}

/// Row of a page: its column of text, its place in it, and its text, whose first `key` bytes name
/// keys.
struct Row<'e> {
    column: u16,
    y: u16,
    text: &'e Text,
    key: usize,
}

/// Reports whether a page of text takes the whole window.
fn is_whole(c: &FrameContext<'_>) -> bool {
    c.screen.size.0 < 64 || c.screen.size.1 < 20
}

/// Returns the entries of a page for columns of `room` characters: its lines; a long line is one
/// entry for each row.
fn entries(lines: &[&Text], room: u16) -> Vec<Entry> {
    let of_line = |line: &&Text| {
        let rows = wrap(*line, usize::from(room));
        let key = line.split_once('\t').map_or(0, |(key, _)| key.len());
        if rows.len() <= MAX_UNBROKEN_ROWS {
            return vec![Entry { rows, key }];
        }
        let keys = [key].into_iter().chain(std::iter::repeat(0));
        rows.into_iter().zip(keys).map(|(row, key)| Entry { rows: vec![row], key }).collect()
    };
    lines.iter().flat_map(of_line).collect()
}

impl Sheet {
    /// Lays out a page in as many columns as fit and are needed; few lines have one. Returns its
    /// entries too.
    fn of(c: &FrameContext<'_>, lines: &[&Text]) -> (Self, Vec<Entry>) {
        let (width, height) = c.screen.size;
        if is_whole(c) {
            let area = Rect { x: 0, y: 0, width, height: height.saturating_sub(u16::from(height > 3)) };
            let room = width.saturating_sub(4).max(1);
            return (Sheet { area, columns: 1, room }, entries(lines, room));
        }
        let fits = ((width - 2) / (PAGE - 1)).max(1);
        // Nothing behind the page stays visible at its sides.
        let alone = if width <= WIDEST + 4 { width } else { WIDEST };
        Sheet::in_columns(c, lines, (if fits == 1 { alone } else { PAGE }) - 4, fits)
    }

    /// Lays out a page in at most `fits` columns with room for `room` characters: as few and as low
    /// as possible.
    fn in_columns(c: &FrameContext<'_>, lines: &[&Text], room: u16, fits: u16) -> (Self, Vec<Entry>) {
        let (width, height) = c.screen.size;
        let highest = height - 4;
        let entries = entries(lines, room);
        let of_columns = |columns: u16, height: u16| {
            let needed = room + 4 + (columns - 1) * (room + 3);
            let width_of_all = if needed + 4 >= width { width } else { needed };
            let area = Rect { x: (width - width_of_all) / 2, y: 2, width: width_of_all, height };
            Sheet { area, columns, room }
        };
        let holds_all = |sheet: &Sheet| sheet.fill(&entries).1 == entries.len();
        let columns = (1..fits).find(|&columns| holds_all(&of_columns(columns, highest))).unwrap_or(fits);
        let lowest = (3..highest).find(|&height| holds_all(&of_columns(columns, height)));
        (of_columns(columns, lowest.unwrap_or(highest)), entries)
    }

    /// Returns the number of rows of a column that are visible at once.
    fn height(&self) -> u16 {
        self.area.height.saturating_sub(2).max(1)
    }

    /// Returns the rows of the first entries that there is room for, and the number of these
    /// entries. An entry is in one column; no column begins with an empty one.
    fn fill<'e>(&self, entries: &'e [Entry]) -> (Vec<Row<'e>>, usize) {
        let (mut rows, mut column, mut y) = (Vec::new(), 0, 0);
        for (index, entry) in entries.iter().enumerate() {
            if y > 0 && y + number(entry.rows.len()) > self.height() {
                (column, y) = (column + 1, 0);
            }
            if column == self.columns {
                return (rows, index);
            }
            if y == 0 && entry.rows.iter().all(|row| row.is_empty()) {
                continue;
            }
            // The keys in front of an entry, in its first row.
            let mut key = entry.key;
            for text in &entry.rows {
                if y == self.height() {
                    (column, y) = (column + 1, 0);
                }
                if column < self.columns {
                    rows.push(Row { column, y, text, key: std::mem::take(&mut key) });
                    y += 1;
                }
            }
        }
        (rows, entries.len())
    }

    /// Returns the entries with which the visible parts begin, from part to part.
    fn parts(&self, entries: &[Entry]) -> Vec<usize> {
        let mut parts = vec![0];
        let mut at = 0;
        loop {
            let taken = self.fill(&entries[at..]).1;
            at += taken.max(1);
            if at >= entries.len() {
                return parts;
            }
            parts.push(at);
        }
    }
}

impl Page {
    /// Returns the beginnings of its parts; parts do not overlap, and none comes after the last.
    fn parts(&self, c: &FrameContext<'_>) -> Vec<usize> {
        let (sheet, entries) = Sheet::of(c, &self.shown());
        sheet.parts(&entries)
    }

    /// Scrolls to a line by a key or the wheel.
    fn scroll(&mut self, act: Action, c: &FrameContext<'_>) {
        let parts = self.parts(c);
        let last = parts.last().copied().unwrap_or(0);
        self.top = self.top.min(last);
        let before = parts.iter().rev().find(|&&part| part < self.top).copied().unwrap_or(0);
        let behind = parts.iter().find(|&&part| part > self.top).copied().unwrap_or(last);
        match act {
            Action::Up => self.top = self.top.saturating_sub(1),
            Action::Down => self.top = (self.top + 1).min(last),
            Action::UpRight => self.top = before,
            Action::DownLeft => self.top = behind,
            Action::RowStart => self.top = 0,
            Action::RowEnd => self.top = last,
            _ => {}
        }
    }

    /// Changes the filter while it is typed.
    fn filter(&mut self, act: Action) -> Answer {
        self.top = 0;
        match act {
            Action::Submit => self.is_filtering = false,
            Action::Escape => (self.is_filtering, self.filter) = (false, String::new()),
            Action::Erase => _ = self.filter.pop(),
            Action::Clear => self.filter.clear(),
            _ => {}
        }
        Answer::DONE
    }
}

impl Component for Page {
    fn act(&mut self, act: Action, _: &KeyEvent, c: &FrameContext<'_>) -> Answer {
        match act {
            _ if self.is_filtering => return self.filter(act),
            Action::Theme => return Answer::PassOn,
            Action::Quit | Action::Help => return LayerEffect::Close.into(),
            Action::Search => (self.is_filtering, self.top, self.filter) = (true, 0, String::new()),
            Action::Escape if self.filter.is_empty() => return LayerEffect::Close.into(),
            Action::Escape => self.filter.clear(),
            _ => self.scroll(act, c),
        }
        Answer::DONE
    }

    /// Takes text into the filter; a page without a filter takes none.
    fn text(&mut self, text: &str, _: &FrameContext<'_>) -> Answer {
        if self.is_filtering {
            self.top = 0;
            self.filter = self.filter.chars().chain(text.chars()).take(MAX_TYPED).collect();
        }
        Answer::DONE
    }

    fn wheel(&mut self, act: Action, c: &FrameContext<'_>) -> Answer {
        self.scroll(act, c);
        Answer::DONE
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (mut lines, none) = (self.shown(), sentences::no_such_line());
        if lines.is_empty() {
            lines.push(&none);
        }
        let (sheet, entries) = Sheet::of(c, &lines);
        let area = sheet.area;
        // A sentence with only its beginning visible says nothing.
        let status = layout_of(c).frame.status;
        if area.bottom() > status.y {
            for row in status.rows() {
                put(buffer, row, 0, 0, &" ".repeat(row.width.into()), Style::new());
            }
        }
        let inside = frame(buffer, c, area, &self.title);
        let parts = sheet.parts(&entries);
        let top = self.top.min(parts.last().copied().unwrap_or(0));
        for Row { column, y, text, key } in sheet.fill(&entries[top..]).0 {
            let mut line = Line::default();
            push(&mut line, &text[..key], c.screen.looks.part(Part::Key));
            line.spans.extend(told(c, &text.slice(key..text.len()), Style::new()).spans);
            put_line(buffer, c, inside, (1 + column * (sheet.room + 3), y), &line);
        }
        let here = parts.partition_point(|&part| part <= top);
        let number = format!(" {here}/{} ", parts.len());
        let heading = c.screen.looks.part(Part::Heading);
        if area.width > 20 && area.height > 1 {
            put(buffer, area, area.width - width_of(&number) - 2, 0, &number, heading);
        }
        let foot = sentences::page_foot(&self.filter, self.is_filtering);
        let foot = cut(&foot, area.width.saturating_sub(4), c);
        let y = area.height.saturating_sub(1);
        put(buffer, area, 2, y, &foot, heading);
        let x = if self.is_filtering { 1 + width_of(&foot) } else { 2 };
        Some(Position { x: (area.x + x).min(c.screen.size.0.saturating_sub(1)), y: area.y + y })
    }
}
