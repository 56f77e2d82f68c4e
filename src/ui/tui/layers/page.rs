//! Pages of text over the board: help and long answers. They use as many columns as fit, and an
//! entry stays in one column.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::component::{LayerAnswer, LayerComponent, LayerEffect};
use super::super::draw::{
    draw_frame, line_with_side_colours, push_styled, put_line, put_text, text_columns, truncate_text,
};
use super::super::frame::FrameContext;
use super::super::key_table::KeyAction;
use super::super::layer::TextPage;
use super::super::layout::to_u16_saturating;
use super::super::panels::cached_layout;
use super::super::screen::MAX_TYPED_CHARS;
use super::super::theme::ScreenPart;
use crate::messages::screen as sentences;
use crate::text::Text;
use crate::text::columns::wrap_text;

/// Width of a text column including the frame, in characters. A page with one column may be wider.
const TEXT_COLUMN_WIDTH: u16 = 60;
/// Maximum width of a page with one text column, in characters.
const MAX_PAGE_WIDTH: u16 = 78;

/// Maximum number of rows of an entry that is kept in one column of a page. A longer entry is
/// split.
const MAX_UNBROKEN_ROWS: usize = 4;

/// Layout of a page of text in a window.
struct TextPageLayout {
    area: Rect,
    columns: u16,
    /// Width of the text in a column, in characters.
    room: u16,
}

/// Rows of text that stay together on a page.
///
/// The first `key` bytes of the first row are the names of keys.
struct TextPageEntry {
    rows: Vec<Text>,
    key: usize,
}

/// Row of text with its position on a page.
///
/// The first `key` bytes of the text are the names of keys.
struct TextPageRow<'e> {
    column: u16,
    y: u16,
    text: &'e Text,
    key: usize,
}

/// Reports whether pages of text fill the whole window.
fn page_fills_window(c: &FrameContext<'_>) -> bool {
    c.screen.size.0 < 64 || c.screen.size.1 < 20
}

/// Splits lines into entries with rows of `room` characters.
///
/// Each row of a very long line becomes an entry.
fn split_page_entries(lines: &[&Text], room: u16) -> Vec<TextPageEntry> {
    let of_line = |line: &&Text| {
        let rows = wrap_text(*line, usize::from(room));
        let key = line.split_once('\t').map_or(0, |(key, _)| key.len());
        if rows.len() <= MAX_UNBROKEN_ROWS {
            return vec![TextPageEntry { rows, key }];
        }
        let keys = [key].into_iter().chain(std::iter::repeat(0));
        rows.into_iter().zip(keys).map(|(row, key)| TextPageEntry { rows: vec![row], key }).collect()
    };
    lines.iter().flat_map(of_line).collect()
}

impl TextPageLayout {
    /// Lays out lines in as many columns as are needed and fit. Also returns the entries.
    fn for_lines(c: &FrameContext<'_>, lines: &[&Text]) -> (Self, Vec<TextPageEntry>) {
        let (width, height) = c.screen.size;
        if page_fills_window(c) {
            let area = Rect { x: 0, y: 0, width, height: height.saturating_sub(u16::from(height > 3)) };
            let room = width.saturating_sub(4).max(1);
            return (TextPageLayout { area, columns: 1, room }, split_page_entries(lines, room));
        }
        let fits = ((width - 2) / (TEXT_COLUMN_WIDTH - 1)).max(1);
        // Nothing behind the page stays visible at its sides.
        let alone = if width <= MAX_PAGE_WIDTH + 4 { width } else { MAX_PAGE_WIDTH };
        TextPageLayout::arrange_columns(
            c,
            lines,
            (if fits == 1 { alone } else { TEXT_COLUMN_WIDTH }) - 4,
            fits,
        )
    }

    /// Arranges entries in at most `fits` columns of `room` characters.
    ///
    /// As few columns and rows as possible are used.
    fn arrange_columns(
        c: &FrameContext<'_>,
        lines: &[&Text],
        room: u16,
        fits: u16,
    ) -> (Self, Vec<TextPageEntry>) {
        let (width, height) = c.screen.size;
        let highest = height - 4;
        let entries = split_page_entries(lines, room);
        let of_columns = |columns: u16, height: u16| {
            let needed = room + 4 + (columns - 1) * (room + 3);
            let width_of_all = if needed + 4 >= width { width } else { needed };
            let area = Rect { x: (width - width_of_all) / 2, y: 2, width: width_of_all, height };
            TextPageLayout { area, columns, room }
        };
        let holds_all = |sheet: &TextPageLayout| sheet.fill_columns(&entries).1 == entries.len();
        let columns = (1..fits).find(|&columns| holds_all(&of_columns(columns, highest))).unwrap_or(fits);
        let lowest = (3..highest).find(|&height| holds_all(&of_columns(columns, height)));
        (of_columns(columns, lowest.unwrap_or(highest)), entries)
    }

    /// Returns the number of visible rows in a column.
    fn column_height(&self) -> u16 {
        self.area.height.saturating_sub(2).max(1)
    }

    /// Fills the columns with entries and returns their rows and the number of entries that fit.
    ///
    /// An entry stays in one column, and no column begins with an empty row.
    fn fill_columns<'e>(&self, entries: &'e [TextPageEntry]) -> (Vec<TextPageRow<'e>>, usize) {
        let (mut rows, mut column, mut y) = (Vec::new(), 0, 0);
        for (index, entry) in entries.iter().enumerate() {
            if y > 0 && y + to_u16_saturating(entry.rows.len()) > self.column_height() {
                (column, y) = (column + 1, 0);
            }
            if column == self.columns {
                return (rows, index);
            }
            if y == 0 && entry.rows.iter().all(|row| row.is_empty()) {
                continue;
            }
            // Only the first row of an entry names keys.
            let mut key = entry.key;
            for text in &entry.rows {
                if y == self.column_height() {
                    (column, y) = (column + 1, 0);
                }
                if column < self.columns {
                    rows.push(TextPageRow { column, y, text, key: std::mem::take(&mut key) });
                    y += 1;
                }
            }
        }
        (rows, entries.len())
    }

    /// Returns the index of the first entry of each screenful.
    fn part_starts(&self, entries: &[TextPageEntry]) -> Vec<usize> {
        let mut parts = vec![0];
        let mut at = 0;
        loop {
            let taken = self.fill_columns(&entries[at..]).1;
            at += taken.max(1);
            if at >= entries.len() {
                return parts;
            }
            parts.push(at);
        }
    }
}

impl TextPage {
    /// Returns the index of the first entry of each screenful. Screenfuls do not overlap.
    fn part_starts(&self, c: &FrameContext<'_>) -> Vec<usize> {
        let (sheet, entries) = TextPageLayout::for_lines(c, &self.filtered_lines());
        sheet.part_starts(&entries)
    }

    /// Scrolls the page by a key or the wheel.
    fn scroll(&mut self, act: KeyAction, c: &FrameContext<'_>) {
        let parts = self.part_starts(c);
        let last = parts.last().copied().unwrap_or(0);
        self.top = self.top.min(last);
        let before = parts.iter().rev().find(|&&part| part < self.top).copied().unwrap_or(0);
        let behind = parts.iter().find(|&&part| part > self.top).copied().unwrap_or(last);
        match act {
            KeyAction::Up => self.top = self.top.saturating_sub(1),
            KeyAction::Down => self.top = (self.top + 1).min(last),
            KeyAction::UpRight => self.top = before,
            KeyAction::DownLeft => self.top = behind,
            KeyAction::RowStart => self.top = 0,
            KeyAction::RowEnd => self.top = last,
            _ => {}
        }
    }

    /// Edits the filter text while it is being typed.
    fn edit_filter(&mut self, act: KeyAction) -> LayerAnswer {
        self.top = 0;
        match act {
            KeyAction::Submit => self.is_filtering = false,
            KeyAction::Escape => (self.is_filtering, self.filter) = (false, String::new()),
            KeyAction::Erase => _ = self.filter.pop(),
            KeyAction::Clear => self.filter.clear(),
            _ => {}
        }
        LayerAnswer::HANDLED
    }
}

impl LayerComponent for TextPage {
    fn perform(&mut self, act: KeyAction, _: &KeyEvent, c: &FrameContext<'_>) -> LayerAnswer {
        match act {
            _ if self.is_filtering => return self.edit_filter(act),
            KeyAction::Theme => return LayerAnswer::PassOn,
            KeyAction::Quit | KeyAction::Help => return LayerEffect::Close.into(),
            KeyAction::Search => (self.is_filtering, self.top, self.filter) = (true, 0, String::new()),
            KeyAction::Escape if self.filter.is_empty() => return LayerEffect::Close.into(),
            KeyAction::Escape => self.filter.clear(),
            _ => self.scroll(act, c),
        }
        LayerAnswer::HANDLED
    }

    /// Adds text to the filter, if the filter is being typed.
    fn insert_text(&mut self, text: &str, _: &FrameContext<'_>) -> LayerAnswer {
        if self.is_filtering {
            self.top = 0;
            self.filter = self.filter.chars().chain(text.chars()).take(MAX_TYPED_CHARS).collect();
        }
        LayerAnswer::HANDLED
    }

    fn on_wheel(&mut self, act: KeyAction, c: &FrameContext<'_>) -> LayerAnswer {
        self.scroll(act, c);
        LayerAnswer::HANDLED
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (mut lines, none) = (self.filtered_lines(), sentences::no_line_match_message());
        if lines.is_empty() {
            lines.push(&none);
        }
        let (sheet, entries) = TextPageLayout::for_lines(c, &lines);
        let area = sheet.area;
        // A sentence that is partly covered by the page is cleared.
        let status = cached_layout(c).frame.status;
        if area.bottom() > status.y {
            for row in status.rows() {
                put_text(buffer, row, 0, 0, &" ".repeat(row.width.into()), Style::new());
            }
        }
        let inside = draw_frame(buffer, c, area, &self.title);
        let parts = sheet.part_starts(&entries);
        let top = self.top.min(parts.last().copied().unwrap_or(0));
        for TextPageRow { column, y, text, key } in sheet.fill_columns(&entries[top..]).0 {
            let mut line = Line::default();
            push_styled(&mut line, &text[..key], c.screen.looks.part_style(ScreenPart::Key));
            line.spans.extend(line_with_side_colours(c, &text.slice(key..text.len()), Style::new()).spans);
            put_line(buffer, c, inside, (1 + column * (sheet.room + 3), y), &line);
        }
        let here = parts.partition_point(|&part| part <= top);
        let number = format!(" {here}/{} ", parts.len());
        let heading = c.screen.looks.part_style(ScreenPart::Heading);
        if area.width > 20 && area.height > 1 {
            put_text(buffer, area, area.width - text_columns(&number) - 2, 0, &number, heading);
        }
        let foot = sentences::page_footer(&self.filter, self.is_filtering);
        let foot = truncate_text(&foot, area.width.saturating_sub(4), c);
        let y = area.height.saturating_sub(1);
        put_text(buffer, area, 2, y, &foot, heading);
        let x = if self.is_filtering { 1 + text_columns(&foot) } else { 2 };
        Some(Position { x: (area.x + x).min(c.screen.size.0.saturating_sub(1)), y: area.y + y })
    }
}
