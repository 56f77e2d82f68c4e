//! Illustrated rules: the lessons of a game on its board, with the rules as text below them.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::component::{LayerAnswer, LayerComponent, LayerEffect};
use super::super::draw::{clear_area, line_with_side_colours, push_styled, put_line};
use super::super::frame::FrameContext;
use super::super::key_table::KeyAction;
use super::super::layer::RulesPages;
use super::super::layout::to_u16_saturating;
use super::super::painting::draw_canvas;
use super::super::theme::ScreenPart;
use super::super::tiles;
use super::super::title::TitleBar;
use crate::canvas::PaintOptions;
use crate::drawing::TilingScale;
use crate::messages::screen as sentences;
use crate::play::GameMode;
use crate::session;
use crate::text::Text;
use crate::text::columns::{display_width, wrap_text};

/// Maximum width of a lesson's sentence, in columns.
const MAX_SENTENCE_WIDTH: u16 = 76;
/// Number of columns between two boards side by side.
const PICTURE_GAP_COLUMNS: u16 = 4;
/// Height of a window from which the row below the title stays empty, in rows.
const MIN_HEIGHT_FOR_TITLE_GAP: u16 = 20;
/// Maximum number of pages, which the layout exceeds only if no board size avoids it.
const MAX_PAGES_TO_TURN: usize = 2;

/// Minimum width of a sentence beside its board, in columns.
const MIN_SENTENCE_WIDTH: u16 = 11;

/// Size of the boards of the lessons.
#[derive(Clone, Copy)]
enum LessonBoardSize {
    /// Boards in tiles of this scale.
    Tiles(TilingScale),
    /// Boards in lines, at the drawing size with this index.
    Lines(usize),
}

impl LessonBoardSize {
    /// Returns the columns and rows of a board at this size, or `None` if it has no such drawing.
    fn columns_and_rows(self, board: &dyn session::Position) -> Option<(u16, u16)> {
        let (width, height) = match self {
            LessonBoardSize::Tiles(scale) => {
                board.as_paint().scene(&PaintOptions::default()).size_in_characters(scale)
            }
            LessonBoardSize::Lines(density) => *board.as_paint().board_sizes().get(density)?,
        };
        Some((to_u16_saturating(width), to_u16_saturating(height)))
    }

    /// Draws a board with marks on the legal steps of its pawn.
    fn draw_board(
        self,
        c: &FrameContext<'_>,
        buffer: &mut Buffer,
        area: Rect,
        board: &dyn session::Position,
    ) {
        let look = PaintOptions { glyphs: c.screen.looks.glyphs, steps: true, ..PaintOptions::default() };
        match self {
            LessonBoardSize::Tiles(scale) => {
                let scene = board.as_paint().scene(&look);
                tiles::draw_scene(c, buffer, area, (&scene, scale), board.as_paint().side_hues());
            }
            LessonBoardSize::Lines(density) => {
                draw_canvas(c, buffer, area, &board.paint_board(PaintOptions { density, ..look }));
            }
        }
    }
}

/// Item of a page, with its area.
enum PlacedRulesItem {
    /// The board of the lesson with this index.
    Board(usize, Rect),
    /// A row of text, with the length of its heading in bytes.
    Row(Rect, Text, usize),
}

/// Returns the area between the title and the key bar.
fn content_area(c: &FrameContext<'_>) -> Rect {
    let (width, height) = c.screen.size;
    let top = 1 + u16::from(height >= MIN_HEIGHT_FOR_TITLE_GAP);
    let side = if width >= 60 { 3 } else { 1 };
    let (width, height) = (width.saturating_sub(2 * side).max(1), height.saturating_sub(top + 1).max(1));
    Rect { x: side, y: top, width, height }
}

/// Returns the total number of rows of the given lines.
fn count_rows(lines: &[(Vec<Text>, usize)]) -> u16 {
    to_u16_saturating(lines.iter().map(|(rows, _)| rows.len()).sum())
}

/// Pages that are filled from top to bottom.
struct RulesPageFiller {
    room: Rect,
    filled: Vec<Vec<PlacedRulesItem>>,
    /// Number of occupied rows of each page.
    used: Vec<u16>,
}

impl RulesPageFiller {
    fn new(room: Rect) -> Self {
        RulesPageFiller { room, filled: vec![Vec::new()], used: vec![0] }
    }

    fn has_room(&self, page: usize, rows: u16, has_gap: bool) -> bool {
        let used = self.used.get(page).copied().unwrap_or(0);
        used == 0 || used + u16::from(has_gap) + rows <= self.room.height
    }

    /// Reserves adjacent rows on a page and returns their area.
    ///
    /// The row above them stays empty if `has_gap` is set, except at the top of the page.
    fn reserve_rows(&mut self, page: usize, rows: u16, has_gap: bool) -> Rect {
        if page == self.filled.len() {
            self.filled.push(Vec::new());
            self.used.push(0);
        }
        let used = &mut self.used[page];
        let top = *used + u16::from(has_gap && *used > 0);
        *used = top + rows;
        Rect { y: self.room.y + top, height: rows, ..self.room }
    }

    /// Adds lines of text to the pages.
    ///
    /// All lines go together on the first page with enough room, or on a new page while there are
    /// few pages. Otherwise each line goes to the next page with room.
    fn add_text_lines(&mut self, lines: &[(Vec<Text>, usize)]) {
        let (all, gaps) = (count_rows(lines), to_u16_saturating(lines.len()).saturating_sub(1));
        let together = (0..=self.filled.len()).find(|&page| self.has_room(page, all, true));
        let together = together.filter(|&page| page < MAX_PAGES_TO_TURN && all <= self.room.height);
        let is_roomy = together.is_some_and(|page| self.has_room(page, all + gaps, true));
        let mut page = together.unwrap_or(0);
        let mut is_first = true;
        for line in lines {
            let height = count_rows(std::slice::from_ref(line)).min(self.room.height);
            while together.is_none() && !self.has_room(page, height, is_first) {
                (page, is_first) = (page + 1, true);
            }
            let place = self.reserve_rows(page, height, is_roomy || is_first);
            is_first = false;
            let headings = [line.1].into_iter().chain(std::iter::repeat(0));
            for (y, (text, heading)) in (place.y..place.bottom()).zip(line.0.iter().zip(headings)) {
                self.filled[page].push(PlacedRulesItem::Row(
                    Rect { y, height: 1, ..place },
                    text.clone(),
                    heading,
                ));
            }
        }
    }
}

impl RulesPages {
    /// Returns the possible sizes of the boards: in tiles, then in lines, each the largest first.
    fn possible_board_sizes(&self, c: &FrameContext<'_>) -> Vec<LessonBoardSize> {
        let Some((board, _)) = self.lessons.first() else { return Vec::new() };
        let scales = || board.as_paint().scene(&PaintOptions::default()).tiling.scales();
        let tiles = if c.screen.looks.draws_tiles() { scales() } else { Vec::new() };
        let lines = (0..board.as_paint().board_sizes().len()).rev().map(LessonBoardSize::Lines);
        tiles.into_iter().rev().map(LessonBoardSize::Tiles).chain(lines).collect()
    }

    /// Arranges the pages for this window, with the boards as large as possible on few pages.
    ///
    /// If even the smallest boards do not fit, the pages contain only text.
    fn arrange_pages(&self, c: &FrameContext<'_>) -> (LessonBoardSize, Vec<Vec<PlacedRulesItem>>) {
        let room = content_area(c);
        let mut ways = Vec::new();
        for drawing in self.possible_board_sizes(c) {
            for columns in (1..=self.lessons.len()).rev() {
                let Some(pages) = self.arrange_at_size(room, drawing, to_u16_saturating(columns)) else {
                    continue;
                };
                if pages.len() <= MAX_PAGES_TO_TURN {
                    return (drawing, pages);
                }
                ways.push((drawing, pages));
            }
        }
        let fewest = ways.into_iter().min_by_key(|(_, pages)| pages.len());
        fewest.unwrap_or_else(|| (LessonBoardSize::Lines(0), self.arrange_text_only(room)))
    }

    /// Arranges pages with boards of this size in `columns` columns, or returns `None` if a board
    /// does not fit.
    ///
    /// The rules follow the first boards if they fit on their page.
    fn arrange_at_size(
        &self,
        room: Rect,
        drawing: LessonBoardSize,
        columns: u16,
    ) -> Option<Vec<Vec<PlacedRulesItem>>> {
        let column = room.width.saturating_sub(PICTURE_GAP_COLUMNS * (columns - 1)) / columns;
        let mut pages = RulesPageFiller::new(room);
        let mut rules = Some(self.wrap_rules(room.width));
        for (shelf, first) in self.lessons.chunks(usize::from(columns)).zip((0..).step_by(columns.into())) {
            let sizes: Vec<(u16, u16)> =
                shelf.iter().map(|(board, _)| drawing.columns_and_rows(&**board)).collect::<Option<_>>()?;
            let (widest, high) =
                (sizes.iter().map(|size| size.0).max()?, sizes.iter().map(|size| size.1).max()?);
            let texts = |room: u16| -> Vec<Vec<Text>> {
                shelf.iter().map(|(_, text)| wrap_text(*text, room.min(MAX_SENTENCE_WIDTH).into())).collect()
            };
            let rows = |texts: &[Vec<Text>]| to_u16_saturating(texts.iter().map(Vec::len).max().unwrap_or(0));
            let below = texts(column);
            // In a low window the sentence is beside the board.
            let side = column.saturating_sub(widest + 2);
            let is_beside = high + rows(&below) > room.height && side >= MIN_SENTENCE_WIDTH && columns == 1;
            let texts = if is_beside { texts(side) } else { below };
            let height = if is_beside { high.max(rows(&texts)) } else { high + rows(&texts) };
            if widest > column || height > room.height {
                return None;
            }
            let last = pages.filled.len() - 1;
            let page = if pages.has_room(last, height, true) { last } else { last + 1 };
            let place = pages.reserve_rows(page, height, true);
            for (i, ((width, height), text)) in sizes.into_iter().zip(texts).enumerate() {
                let x = place.x + to_u16_saturating(i) * (column + PICTURE_GAP_COLUMNS);
                pages.filled[page]
                    .push(PlacedRulesItem::Board(first + i, Rect { x, y: place.y, width, height }));
                let (right, down) = if is_beside { (width + 2, 0) } else { (0, high) };
                for (row, y) in text.into_iter().zip(place.y + down..) {
                    let area = Rect { x: x + right, y, width: column - right, height: 1 };
                    pages.filled[page].push(PlacedRulesItem::Row(area, row, 0));
                }
            }
            if let Some(rules) = rules.take_if(|rules| pages.has_room(0, count_rows(rules), true)) {
                pages.add_text_lines(&rules);
            }
        }
        if let Some(rules) = rules {
            pages.add_text_lines(&rules);
        }
        Some(pages.filled)
    }

    /// Arranges pages without boards, for a window that is too small for them.
    fn arrange_text_only(&self, room: Rect) -> Vec<Vec<PlacedRulesItem>> {
        let mut pages = RulesPageFiller::new(room);
        let lessons = self.lessons.iter().map(|(_, text)| (wrap_text(*text, room.width.into()), 0));
        let with_gap = |(mut rows, heading): (Vec<Text>, usize)| {
            rows.push(Text::new());
            (rows, heading)
        };
        let lines: Vec<_> = self.wrap_rules(room.width).into_iter().chain(lessons).map(with_gap).collect();
        pages.add_text_lines(&lines);
        pages.filled
    }

    /// Wraps the rules into rows. Each line has its heading if the window is wide enough.
    fn wrap_rules(&self, room: u16) -> Vec<(Vec<Text>, usize)> {
        let longest = self.rules.iter().map(|(heading, _)| display_width(heading)).max().unwrap_or(0);
        let line = |(heading, rule): &(&'static str, Text)| {
            if room < 40 {
                return (wrap_text(rule.clone(), room.into()), 0);
            }
            let columns = longest + 2;
            let rows = wrap_text(rule.clone(), usize::from(room.min(MAX_SENTENCE_WIDTH + 8)) - columns)
                .into_iter()
                .enumerate();
            let rows = rows.map(|(i, row)| {
                let mut text = Text::from(format!("{:<columns$}", if i == 0 { *heading } else { "" }));
                text.push(&row);
                text
            });
            (rows.collect(), heading.len())
        };
        self.rules.iter().map(line).collect()
    }

    fn turn_page(&mut self, c: &FrameContext<'_>, by: isize) {
        let last = self.arrange_pages(c).1.len().saturating_sub(1);
        self.page = self.page.min(last).saturating_add_signed(by).min(last);
    }
}

impl LayerComponent for RulesPages {
    fn perform(&mut self, act: KeyAction, _: &KeyEvent, c: &FrameContext<'_>) -> LayerAnswer {
        match act {
            KeyAction::Theme | KeyAction::Help => return LayerAnswer::PassOn,
            KeyAction::Escape | KeyAction::Quit => return LayerEffect::Close.into(),
            KeyAction::Start => {
                let menu = c.screen.menu().filter(|menu| menu.spec.mode != GameMode::Replay);
                let start = menu.map(|menu| LayerEffect::Ask(menu.start_effect()));
                return LayerAnswer::Handled([LayerEffect::Close].into_iter().chain(start).collect());
            }
            KeyAction::Back => self.turn_page(c, -1),
            KeyAction::Forward => self.turn_page(c, 1),
            _ => {}
        }
        LayerAnswer::HANDLED
    }

    fn on_wheel(&mut self, act: KeyAction, c: &FrameContext<'_>) -> LayerAnswer {
        self.turn_page(c, if act == KeyAction::Up { -1 } else { 1 });
        LayerAnswer::HANDLED
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        clear_area(buffer, buffer.area);
        let (drawing, pages) = self.arrange_pages(c);
        let page = self.page.min(pages.len().saturating_sub(1));
        let lefts = vec![sentences::rules_title(&self.title).into()];
        let middles = sentences::rules_page_label(page + 1, pages.len()).into();
        TitleBar { lefts, middles, ..TitleBar::default() }.draw(c, buffer);
        for placed in &pages[page] {
            match placed {
                PlacedRulesItem::Board(lesson, area) => {
                    drawing.draw_board(c, buffer, *area, &*self.lessons[*lesson].0);
                }
                PlacedRulesItem::Row(area, text, heading) => {
                    let mut line = Line::default();
                    push_styled(&mut line, &text[..*heading], c.screen.looks.part_style(ScreenPart::Heading));
                    line.spans.extend(
                        line_with_side_colours(c, &text.slice(*heading..text.len()), Style::new()).spans,
                    );
                    put_line(buffer, c, *area, (0, 0), &line);
                }
            }
        }
        Some(Position { x: 0, y: 0 })
    }
}
