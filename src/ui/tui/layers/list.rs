//! Draws a list over the board or the menu, with the typed text and a preview of the chosen file,
//! and handles its input.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::component::{LayerAnswer, LayerComponent, LayerEffect};
use super::super::draw::{
    draw_frame, draw_framed_lines, draw_input_field, line_with_side_colours, put_line, put_text,
    text_columns, truncate_text,
};
use super::super::effect::{ScreenEffect, StartChoice};
use super::super::frame::FrameContext;
use super::super::key_table::KeyAction;
use super::super::layer::{ConfirmDialog, ScreenLayer};
use super::super::layout::to_u16_saturating;
use super::super::list::{ListKind, SelectionList};
use super::super::panels::cached_layout;
use super::super::screen::MAX_TYPED_CHARS;
use super::super::theme::ScreenPart;
use crate::canvas::GlyphSet;
use crate::messages::lists;
use crate::text::Text;
use crate::text::columns::wrap_text;
use crate::ui::TypedLine;
use crate::ui::listing::{ListRow, ListRowKind};

/// Maximum width of a list, in columns.
const MAX_LIST_WIDTH: u16 = 100;
/// Width of a list from which the preview is shown beside it, in columns.
const MIN_WIDTH_FOR_SIDE_PREVIEW: u16 = 60;
/// Height of a list from which the preview is shown below it, in rows.
const MIN_HEIGHT_FOR_PREVIEW: u16 = 16;
/// Number of rows of the preview below the list.
const PREVIEW_ROWS: u16 = 6;
/// Columns of a saved game in the order in which they are dropped if they do not fit.
///
/// They are the number of moves, the opponent and the date.
const COLUMN_DROP_ORDER: [usize; 3] = [2, 1, 3];

/// Areas of the parts of a list. A part without room has height 0.
struct ListAreas {
    /// Area of the frame.
    area: Rect,
    /// Area of the rows.
    rows: Rect,
    /// Area of the preview, including its frame.
    preview: Rect,
    /// Area of the input field.
    field: Rect,
    /// Area of the message that the chosen row cannot be opened.
    refusal: Rect,
}

fn compute_list_areas(c: &FrameContext<'_>, list: &SelectionList) -> ListAreas {
    let (width, height) = c.screen.size;
    let is_whole = width < 64 || height < 20;
    let area = if is_whole {
        Rect { x: 0, y: 0, width, height: height.saturating_sub(u16::from(height > 3)) }
    } else {
        let wide = if width <= MAX_LIST_WIDTH + 4 { width } else { MAX_LIST_WIDTH };
        Rect { x: (width - wide) / 2, y: 2, width: wide, height: height - 4 }
    };
    let mut rows = area.inner(Margin::new(1, 1));
    let none = Rect { height: 0, ..rows };
    let (mut preview, mut field) = (none, none);
    if let ListKind::Files(_) = list.kind {
        field = Rect { y: rows.bottom().saturating_sub(1), height: rows.height.min(1), ..rows };
        rows.height = rows.height.saturating_sub(1);
        if rows.width >= MIN_WIDTH_FOR_SIDE_PREVIEW {
            let wide = rows.width / 2;
            preview = Rect { x: rows.right() - wide, width: wide, ..rows };
            rows.width -= wide + 1;
        } else if rows.height >= MIN_HEIGHT_FOR_PREVIEW {
            rows.height -= PREVIEW_ROWS;
            preview = Rect { y: rows.bottom(), height: PREVIEW_ROWS, ..rows };
        }
    }
    let refusal = list.wrap_refusal(rows.width);
    let high = to_u16_saturating(refusal.len()).min(rows.height / 2);
    rows.height -= high;
    let refusal = Rect { y: rows.bottom(), height: high, ..rows };
    ListAreas { area, rows, preview, field, refusal }
}

/// Returns the index of the first visible row, so that the chosen row is visible.
fn first_visible_list_row(chosen: usize, rows: u16) -> usize {
    (chosen + 1).saturating_sub(usize::from(rows))
}

/// Returns the columns that fit into `room`, as indices and widths.
fn fitting_columns<'r>(rows: impl Iterator<Item = &'r ListRow>, room: u16) -> Vec<(usize, u16)> {
    let mut widths: Vec<(usize, u16)> = Vec::new();
    for row in rows {
        widths.resize_with(row.cells.len().max(widths.len()), Default::default);
        for (column, cell) in row.cells.iter().enumerate() {
            widths[column] = (column, widths[column].1.max(text_columns(cell)));
        }
    }
    for less in COLUMN_DROP_ORDER {
        let all: u16 = widths.iter().map(|(_, width)| width + 2).sum();
        if all <= room + 2 || widths.len() < 2 {
            break;
        }
        widths.retain(|(column, _)| *column != less);
    }
    widths
}

impl SelectionList {
    /// Opens the chosen row.
    fn open_chosen_row(&mut self, c: &FrameContext<'_>) -> LayerAnswer {
        let row = self.chosen_row().cloned();
        match (self.kind, row) {
            (ListKind::Saved, None) => LayerAnswer::HANDLED,
            (ListKind::Saved, Some(ListRow { path, kind: ListRowKind::Unfinished, .. })) => {
                request_effect(ScreenEffect::Start(StartChoice::Kept(path)))
            }
            (ListKind::Saved, Some(row)) => request_effect(ScreenEffect::Start(StartChoice::File(row.path))),
            (ListKind::Files(_), Some(ListRow { cells, kind: ListRowKind::Folder, .. })) => {
                self.enter_folder(&cells[0]);
                LayerAnswer::HANDLED
            }
            // A file whose name is not valid text cannot be typed, so its path is used.
            (ListKind::Files(_), Some(row))
                if row.path.file_name().is_some_and(|name| *name != *row.cells[0]) =>
            {
                request_effect(ScreenEffect::Start(StartChoice::File(row.path)))
            }
            (ListKind::Files(_), None) if self.typed.trim().is_empty() => LayerAnswer::HANDLED,
            (ListKind::Files(word), _) => match c.game.filter(|_| word == "load") {
                Some(game) => request_effect(ScreenEffect::Typed(TypedLine::parse(
                    game,
                    &format!("load {}", self.chosen_path_text()),
                ))),
                None => {
                    request_effect(ScreenEffect::Start(StartChoice::File(self.chosen_path_text().into())))
                }
            },
        }
    }

    /// Wraps the message that the chosen row cannot be opened.
    ///
    /// `width` is the width of the frame in columns.
    fn wrap_refusal(&self, width: u16) -> Vec<Text> {
        let room = usize::from(width.saturating_sub(4)).max(1);
        self.refusal.iter().flat_map(|why| wrap_text(why.clone(), room)).collect()
    }

    /// Asks for confirmation before the chosen game is deleted.
    fn confirm_delete(&self) -> LayerAnswer {
        let Some(row) = self.chosen_row().filter(|_| self.kind == ListKind::Saved) else {
            return LayerAnswer::HANDLED;
        };
        let question = lists::confirm_delete_question(&row.cells[..4].join(", "));
        let confirm =
            ConfirmDialog { question, effect: ScreenEffect::Delete(row.path.clone()), refusal: None };
        LayerEffect::Open(Box::new(ScreenLayer::Confirm(confirm))).into()
    }

    /// Clears the search in a list of games, or closes the list.
    fn clear_search_or_close(&mut self) -> LayerAnswer {
        if self.kind != ListKind::Saved || !self.is_typing && self.typed.is_empty() {
            return LayerEffect::Close.into();
        }
        self.is_typing = false;
        self.set_typed(String::new());
        LayerAnswer::HANDLED
    }

    /// Returns the message of a list without rows.
    fn empty_list_message(&self) -> Option<Text> {
        match self.kind {
            _ if self.shown_rows().len() > 0 => None,
            _ if !self.has_current_rows() => Some(lists::READING_LIST_MESSAGE.into()),
            ListKind::Saved if self.typed.is_empty() => Some(lists::NO_SAVED_GAMES_MESSAGE.into()),
            ListKind::Saved => Some(lists::no_list_match_message()),
            ListKind::Files(_) if self.messages.is_empty() => Some(lists::NO_MATCHING_FILE_MESSAGE.into()),
            ListKind::Files(_) => None,
        }
    }

    fn draw_rows(&self, c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect) -> Option<Position> {
        let room = area.width.saturating_sub(4);
        let first = first_visible_list_row(self.chosen, area.height);
        let columns = fitting_columns(self.shown_rows(), room);
        let mark = if c.screen.looks.glyphs == GlyphSet::Ascii { ">" } else { "▸" };
        let mut cursor = None;
        for ((i, row), y) in self.shown_rows().enumerate().skip(first).zip(0..area.height) {
            let cell = |&(column, width): &(usize, u16)| {
                let cell = row.cells.get(column).map_or("", String::as_str);
                format!(
                    "{cell:<0$}",
                    usize::from(width) + cell.chars().count() - usize::from(text_columns(cell))
                )
            };
            let text = columns.iter().map(cell).collect::<Vec<_>>().join("  ");
            let text = format!("{} {}", if i == self.chosen { mark } else { " " }, text.trim_end());
            let style = c.screen.looks.part_style(if i == self.chosen {
                ScreenPart::Heading
            } else {
                ScreenPart::Plain
            });
            let style = if i == self.chosen { style.reversed() } else { style };
            put_text(buffer, area, 1, y, &truncate_text(text, area.width.saturating_sub(2), c), style);
            if i == self.chosen {
                cursor = Some(Position { x: area.x + 1.min(area.width.saturating_sub(1)), y: area.y + y });
            }
        }
        let said = self.empty_list_message().into_iter().chain(self.messages.iter().cloned());
        let lines = said.flat_map(|text| wrap_text(text, usize::from(room).max(1)));
        let below = to_u16_saturating(self.shown_rows().len().saturating_sub(first)).min(area.height);
        for (line, y) in lines.zip(below..area.height) {
            put_line(buffer, c, area, (1, y), &line_with_side_colours(c, &line, Style::new()));
        }
        cursor
    }

    fn draw_preview(&self, c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect) {
        let Some(row) = self.chosen_row() else { return };
        let said: Vec<Text> = match row.kind {
            ListRowKind::Folder => vec![lists::folder_message()],
            _ => self
                .preview(&row.path)
                .map_or_else(|| vec![lists::READING_LIST_MESSAGE.into()], <[Text]>::to_vec),
        };
        let room = usize::from(area.width.saturating_sub(4)).max(1);
        let rows = said.into_iter().flat_map(|text| wrap_text(text, room));
        let lines: Vec<Line<'_>> = rows.map(|row| line_with_side_colours(c, &row, Style::new())).collect();
        draw_framed_lines(c, buffer, area, lists::FILE_PREVIEW_HEADING, &lines);
    }
}

/// Requests an effect and keeps the list open, because the program may refuse to open the file.
fn request_effect(effect: ScreenEffect) -> LayerAnswer {
    LayerEffect::Ask(effect).into()
}

impl LayerComponent for SelectionList {
    fn perform(&mut self, act: KeyAction, _: &KeyEvent, c: &FrameContext<'_>) -> LayerAnswer {
        let page: isize = compute_list_areas(c, self).rows.height.max(1).cast_signed().into();
        self.refusal = None;
        match act {
            KeyAction::Help | KeyAction::Theme => return LayerAnswer::PassOn,
            KeyAction::Up => self.move_choice(-1),
            KeyAction::Down => self.move_choice(1),
            KeyAction::UpRight => self.move_choice(-page),
            KeyAction::DownLeft => self.move_choice(page),
            KeyAction::RowStart => self.move_choice(isize::MIN),
            KeyAction::RowEnd => self.move_choice(isize::MAX),
            KeyAction::Submit if self.is_typing && self.kind == ListKind::Saved => self.is_typing = false,
            KeyAction::Submit | KeyAction::Start => return self.open_chosen_row(c),
            KeyAction::Complete => self.complete_typed_name(),
            KeyAction::Erase => {
                let mut typed = std::mem::take(&mut self.typed);
                typed.pop();
                self.set_typed(typed);
            }
            KeyAction::Clear => self.set_typed(String::new()),
            KeyAction::Search => {
                self.is_typing = true;
                self.set_typed(String::new());
            }
            KeyAction::Delete => return self.confirm_delete(),
            KeyAction::Quit => return LayerEffect::Close.into(),
            KeyAction::Escape => return self.clear_search_or_close(),
            _ => {}
        }
        LayerAnswer::HANDLED
    }

    fn insert_text(&mut self, text: &str, _: &FrameContext<'_>) -> LayerAnswer {
        self.refusal = None;
        if self.is_typing {
            let typed = self.typed.chars().chain(text.chars()).take(MAX_TYPED_CHARS).collect();
            self.set_typed(typed);
        }
        LayerAnswer::HANDLED
    }

    fn on_click(&mut self, at: Position, c: &FrameContext<'_>) -> LayerAnswer {
        let rows = compute_list_areas(c, self).rows;
        let row = usize::from(at.y.saturating_sub(rows.y)) + first_visible_list_row(self.chosen, rows.height);
        match rows.contains(at) && row < self.shown_rows().len() {
            true if row == self.chosen => return self.perform(KeyAction::Start, &KeyCode::Null.into(), c),
            true => self.chosen = row,
            false => {}
        }
        LayerAnswer::HANDLED
    }

    fn on_wheel(&mut self, act: KeyAction, _: &FrameContext<'_>) -> LayerAnswer {
        self.move_choice(if act == KeyAction::Up { -1 } else { 1 });
        LayerAnswer::HANDLED
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        let ListAreas { area, rows, preview, field, refusal } = compute_list_areas(c, self);
        // A sentence that is partly covered by the list is cleared.
        let status = cached_layout(c).frame.status;
        if area.bottom() > status.y {
            status
                .rows()
                .for_each(|row| put_text(buffer, row, 0, 0, &" ".repeat(row.width.into()), Style::new()));
        }
        let title =
            if self.kind == ListKind::Saved { lists::SAVED_GAMES_HEADING } else { lists::OPEN_FILE_HEADING };
        draw_frame(buffer, c, area, title);
        let mut cursor = self.draw_rows(c, buffer, rows);
        if preview.height > 0 {
            self.draw_preview(c, buffer, preview);
        }
        for (row, y) in self.wrap_refusal(refusal.width).iter().zip(0..refusal.height) {
            put_line(buffer, c, refusal, (1, y), &line_with_side_colours(c, row, c.message_style(false)));
        }
        let heading = c.screen.looks.part_style(ScreenPart::Heading);
        let count = self.shown_rows().len();
        let number = format!(" {}/{count} ", (self.chosen + 1).min(count));
        if area.width > 30 && area.height > 1 {
            put_text(buffer, area, area.width - text_columns(&number) - 2, 0, &number, heading);
        }
        let foot_row = area.height.saturating_sub(1);
        match self.kind {
            ListKind::Files(verb) if field.height > 0 => {
                cursor = Some(draw_input_field(c, buffer, field, &format!("{verb} {}", self.typed)));
            }
            ListKind::Files(_) => {}
            ListKind::Saved => {
                let room = area.width.saturating_sub(4);
                let feet = lists::saved_games_footer(&self.typed, self.is_typing);
                let foot = feet.iter().find(|foot| text_columns(foot) <= room).unwrap_or(&feet[1]);
                let foot = truncate_text(foot, room, c);
                put_text(buffer, area, 2, foot_row, &foot, heading);
                if self.is_typing {
                    let x = (area.x + 1 + text_columns(&foot)).min(c.screen.size.0.saturating_sub(1));
                    cursor = Some(Position { x, y: area.y + foot_row });
                }
            }
        }
        cursor.or(Some(Position { x: area.x, y: area.y }))
    }
}
