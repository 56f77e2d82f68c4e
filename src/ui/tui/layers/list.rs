//! A list to choose from, over the board or the menu: its rows, the typed text, and the contents of
//! the chosen file.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::component::{Answer, Component, LayerEffect};
use super::super::draw::{cut, draw_field, draw_lines, frame, put, put_line, told, width_of};
use super::super::effect::{Effect, Start};
use super::super::frame::FrameContext;
use super::super::key_table::Action;
use super::super::layer::{Confirm, Layer};
use super::super::layout::number;
use super::super::list::{List, ListKind};
use super::super::panels::layout_of;
use super::super::screen::MAX_TYPED;
use super::super::theme::Part;
use crate::canvas::Glyphs;
use crate::messages::lists;
use crate::text::Text;
use crate::text::columns::wrap;
use crate::ui::Typed;
use crate::ui::listing::{ListRow, RowKind};

/// Columns of the widest list.
const WIDEST: u16 = 100;
/// Columns of a frame that shows the contents of a file beside the list, and rows of one that shows
/// them below it.
const WIDE: u16 = 60;
const HIGH: u16 = 16;
/// Rows for a file's contents below the list.
const PREVIEW_ROWS: u16 = 6;
/// Columns of a saved game in the order in which they are left out for lack of room: the moves, the
/// opponent, the date.
const LESS: [usize; 3] = [2, 1, 3];

/// Areas of the parts of a list; of height 0 where one has no room.
struct ListAreas {
    /// The frame.
    area: Rect,
    /// The rows.
    rows: Rect,
    /// Contents of the chosen file, frame included.
    preview: Rect,
    /// Name that is typed.
    field: Rect,
    /// Reason why nothing was opened.
    refusal: Rect,
}

fn places(c: &FrameContext<'_>, list: &List) -> ListAreas {
    let (width, height) = c.screen.size;
    let is_whole = width < 64 || height < 20;
    let area = if is_whole {
        Rect { x: 0, y: 0, width, height: height.saturating_sub(u16::from(height > 3)) }
    } else {
        let wide = if width <= WIDEST + 4 { width } else { WIDEST };
        Rect { x: (width - wide) / 2, y: 2, width: wide, height: height - 4 }
    };
    let mut rows = area.inner(Margin::new(1, 1));
    let none = Rect { height: 0, ..rows };
    let (mut preview, mut field) = (none, none);
    if let ListKind::Files(_) = list.kind {
        field = Rect { y: rows.bottom().saturating_sub(1), height: rows.height.min(1), ..rows };
        rows.height = rows.height.saturating_sub(1);
        if rows.width >= WIDE {
            let wide = rows.width / 2;
            preview = Rect { x: rows.right() - wide, width: wide, ..rows };
            rows.width -= wide + 1;
        } else if rows.height >= HIGH {
            rows.height -= PREVIEW_ROWS;
            preview = Rect { y: rows.bottom(), height: PREVIEW_ROWS, ..rows };
        }
    }
    let refusal = list.refusal_in(rows.width);
    let high = number(refusal.len()).min(rows.height / 2);
    rows.height -= high;
    let refusal = Rect { y: rows.bottom(), height: high, ..rows };
    ListAreas { area, rows, preview, field, refusal }
}

/// Returns the first row shown of `rows` rows, so that the chosen one is visible.
fn top(chosen: usize, rows: u16) -> usize {
    (chosen + 1).saturating_sub(usize::from(rows))
}

/// Returns the columns of all these rows: those that have room, with their widths.
fn columns<'r>(rows: impl Iterator<Item = &'r ListRow>, room: u16) -> Vec<(usize, u16)> {
    let mut widths: Vec<(usize, u16)> = Vec::new();
    for row in rows {
        widths.resize_with(row.cells.len().max(widths.len()), Default::default);
        for (column, cell) in row.cells.iter().enumerate() {
            widths[column] = (column, widths[column].1.max(width_of(cell)));
        }
    }
    for less in LESS {
        let all: u16 = widths.iter().map(|(_, width)| width + 2).sum();
        if all <= room + 2 || widths.len() < 2 {
            break;
        }
        widths.retain(|(column, _)| *column != less);
    }
    widths
}

impl List {
    /// Opens the chosen row.
    fn open(&mut self, c: &FrameContext<'_>) -> Answer {
        let row = self.row().cloned();
        match (self.kind, row) {
            (ListKind::Saved, None) => Answer::DONE,
            (ListKind::Saved, Some(ListRow { path, kind: RowKind::Unfinished, .. })) => {
                asked(Effect::Start(Start::Kept(path)))
            }
            (ListKind::Saved, Some(row)) => asked(Effect::Start(Start::File(row.path))),
            (ListKind::Files(_), Some(ListRow { cells, kind: RowKind::Folder, .. })) => {
                self.enter(&cells[0]);
                Answer::DONE
            }
            // A name that cannot be typed.
            (ListKind::Files(_), Some(row))
                if row.path.file_name().is_some_and(|name| *name != *row.cells[0]) =>
            {
                asked(Effect::Start(Start::File(row.path)))
            }
            (ListKind::Files(_), None) if self.typed.trim().is_empty() => Answer::DONE,
            (ListKind::Files(word), _) => match c.game.filter(|_| word == "load") {
                Some(game) => asked(Effect::Typed(Typed::of(game, &format!("load {}", self.path_typed())))),
                None => asked(Effect::Start(Start::File(self.path_typed().into()))),
            },
        }
    }

    /// Returns the reason why nothing was opened, in rows of `width` columns, frame included.
    fn refusal_in(&self, width: u16) -> Vec<Text> {
        let room = usize::from(width.saturating_sub(4)).max(1);
        self.refusal.iter().flat_map(|why| wrap(why.clone(), room)).collect()
    }

    /// Asks whether to delete the chosen game.
    fn delete(&self) -> Answer {
        let Some(row) = self.row().filter(|_| self.kind == ListKind::Saved) else { return Answer::DONE };
        let question = lists::delete(&row.cells[..4].join(", "));
        let confirm = Confirm { question, effect: Effect::Delete(row.path.clone()), refusal: None };
        LayerEffect::Open(Box::new(Layer::Confirm(confirm))).into()
    }

    /// Ends the search of a list of games; closes any other list.
    fn leave(&mut self) -> Answer {
        if self.kind != ListKind::Saved || !self.is_typing && self.typed.is_empty() {
            return LayerEffect::Close.into();
        }
        self.is_typing = false;
        self.set_typed(String::new());
        Answer::DONE
    }

    /// Returns the message in place of rows, if there are none.
    fn nothing(&self) -> Option<Text> {
        match self.kind {
            _ if self.rows().len() > 0 => None,
            _ if !self.is_known() => Some(lists::READING.into()),
            ListKind::Saved if self.typed.is_empty() => Some(lists::NO_SAVED.into()),
            ListKind::Saved => Some(lists::no_match()),
            ListKind::Files(_) if self.said.is_empty() => Some(lists::NO_FILE.into()),
            ListKind::Files(_) => None,
        }
    }

    fn draw_rows(&self, c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect) -> Option<Position> {
        let room = area.width.saturating_sub(4);
        let first = top(self.chosen, area.height);
        let columns = columns(self.rows(), room);
        let mark = if c.screen.looks.glyphs == Glyphs::Ascii { ">" } else { "▸" };
        let mut cursor = None;
        for ((i, row), y) in self.rows().enumerate().skip(first).zip(0..area.height) {
            let cell = |&(column, width): &(usize, u16)| {
                let cell = row.cells.get(column).map_or("", String::as_str);
                format!("{cell:<0$}", usize::from(width) + cell.chars().count() - usize::from(width_of(cell)))
            };
            let text = columns.iter().map(cell).collect::<Vec<_>>().join("  ");
            let text = format!("{} {}", if i == self.chosen { mark } else { " " }, text.trim_end());
            let style = c.screen.looks.part(if i == self.chosen { Part::Heading } else { Part::Plain });
            let style = if i == self.chosen { style.reversed() } else { style };
            put(buffer, area, 1, y, &cut(text, area.width.saturating_sub(2), c), style);
            if i == self.chosen {
                cursor = Some(Position { x: area.x + 1.min(area.width.saturating_sub(1)), y: area.y + y });
            }
        }
        let said = self.nothing().into_iter().chain(self.said.iter().cloned());
        let lines = said.flat_map(|text| wrap(text, usize::from(room).max(1)));
        let below = number(self.rows().len().saturating_sub(first)).min(area.height);
        for (line, y) in lines.zip(below..area.height) {
            put_line(buffer, c, area, (1, y), &told(c, &line, Style::new()));
        }
        cursor
    }

    fn draw_preview(&self, c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect) {
        let Some(row) = self.row() else { return };
        let said: Vec<Text> = match row.kind {
            RowKind::Folder => vec![lists::folder()],
            _ => self.preview(&row.path).map_or_else(|| vec![lists::READING.into()], <[Text]>::to_vec),
        };
        let room = usize::from(area.width.saturating_sub(4)).max(1);
        let rows = said.into_iter().flat_map(|text| wrap(text, room));
        let lines: Vec<Line<'_>> = rows.map(|row| told(c, &row, Style::new())).collect();
        draw_lines(c, buffer, area, lists::PREVIEW, &lines);
    }
}

/// Keeps the list open until the effect is done: a file may be refused.
fn asked(effect: Effect) -> Answer {
    LayerEffect::Ask(effect).into()
}

impl Component for List {
    fn act(&mut self, act: Action, _: &KeyEvent, c: &FrameContext<'_>) -> Answer {
        let page: isize = places(c, self).rows.height.max(1).cast_signed().into();
        self.refusal = None;
        match act {
            Action::Help | Action::Theme => return Answer::PassOn,
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::UpRight => self.step(-page),
            Action::DownLeft => self.step(page),
            Action::RowStart => self.step(isize::MIN),
            Action::RowEnd => self.step(isize::MAX),
            Action::Submit if self.is_typing && self.kind == ListKind::Saved => self.is_typing = false,
            Action::Submit | Action::Start => return self.open(c),
            Action::Complete => self.complete(),
            Action::Erase => {
                let mut typed = std::mem::take(&mut self.typed);
                typed.pop();
                self.set_typed(typed);
            }
            Action::Clear => self.set_typed(String::new()),
            Action::Search => {
                self.is_typing = true;
                self.set_typed(String::new());
            }
            Action::Delete => return self.delete(),
            Action::Quit => return LayerEffect::Close.into(),
            Action::Escape => return self.leave(),
            _ => {}
        }
        Answer::DONE
    }

    fn text(&mut self, text: &str, _: &FrameContext<'_>) -> Answer {
        self.refusal = None;
        if self.is_typing {
            let typed = self.typed.chars().chain(text.chars()).take(MAX_TYPED).collect();
            self.set_typed(typed);
        }
        Answer::DONE
    }

    fn click(&mut self, at: Position, c: &FrameContext<'_>) -> Answer {
        let rows = places(c, self).rows;
        let row = usize::from(at.y.saturating_sub(rows.y)) + top(self.chosen, rows.height);
        match rows.contains(at) && row < self.rows().len() {
            true if row == self.chosen => return self.act(Action::Start, &KeyCode::Null.into(), c),
            true => self.chosen = row,
            false => {}
        }
        Answer::DONE
    }

    fn wheel(&mut self, act: Action, _: &FrameContext<'_>) -> Answer {
        self.step(if act == Action::Up { -1 } else { 1 });
        Answer::DONE
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        let ListAreas { area, rows, preview, field, refusal } = places(c, self);
        // A sentence with only its beginning visible says nothing.
        let status = layout_of(c).frame.status;
        if area.bottom() > status.y {
            status.rows().for_each(|row| put(buffer, row, 0, 0, &" ".repeat(row.width.into()), Style::new()));
        }
        let title = if self.kind == ListKind::Saved { lists::SAVED } else { lists::FILES };
        frame(buffer, c, area, title);
        let mut cursor = self.draw_rows(c, buffer, rows);
        if preview.height > 0 {
            self.draw_preview(c, buffer, preview);
        }
        for (row, y) in self.refusal_in(refusal.width).iter().zip(0..refusal.height) {
            put_line(buffer, c, refusal, (1, y), &told(c, row, c.said(false)));
        }
        let heading = c.screen.looks.part(Part::Heading);
        let count = self.rows().len();
        let number = format!(" {}/{count} ", (self.chosen + 1).min(count));
        if area.width > 30 && area.height > 1 {
            put(buffer, area, area.width - width_of(&number) - 2, 0, &number, heading);
        }
        let foot_row = area.height.saturating_sub(1);
        match self.kind {
            ListKind::Files(verb) if field.height > 0 => {
                cursor = Some(draw_field(c, buffer, field, &format!("{verb} {}", self.typed)));
            }
            ListKind::Files(_) => {}
            ListKind::Saved => {
                let room = area.width.saturating_sub(4);
                let feet = lists::foot(&self.typed, self.is_typing);
                let foot = feet.iter().find(|foot| width_of(foot) <= room).unwrap_or(&feet[1]);
                let foot = cut(foot, room, c);
                put(buffer, area, 2, foot_row, &foot, heading);
                if self.is_typing {
                    let x = (area.x + 1 + width_of(&foot)).min(c.screen.size.0.saturating_sub(1));
                    cursor = Some(Position { x, y: area.y + foot_row });
                }
            }
        }
        cursor.or(Some(Position { x: area.x, y: area.y }))
    }
}
