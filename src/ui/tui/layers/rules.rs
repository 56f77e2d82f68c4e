//! The rules with pictures: the lessons of a game on its own board, with the rules in sentences below them.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::component::{Answer, Component, LayerEffect};
use super::super::draw::{push, put_line, told, wipe};
use super::super::frame::FrameContext;
use super::super::key_table::Action;
use super::super::layer::RulesPages;
use super::super::layout::number;
use super::super::painting::put_canvas;
use super::super::theme::Part;
use super::super::tiles;
use super::super::title::Title;
use crate::canvas::PaintOptions;
use crate::drawing::Scale;
use crate::messages::screen as sentences;
use crate::play::Mode;
use crate::session;
use crate::text::Text;
use crate::text::columns::{width, wrap};

/// Columns of the widest sentence.
const WIDEST: u16 = 76;
/// Columns between two pictures side by side.
const GAP: u16 = 4;
/// Rows of a window that has an empty row below the title.
const ROOMY: u16 = 20;
/// Number of pages that a reader should have to turn at most.
const FEW: usize = 2;

/// Fewest columns of a sentence beside its board.
const NARROWEST: u16 = 11;

/// Size in which boards are drawn.
#[derive(Clone, Copy)]
enum Drawing {
    /// In tiles of this scale.
    Tiles(Scale),
    /// In lines, by the index of the size.
    Lines(usize),
}

impl Drawing {
    /// Returns the columns and rows of a board, if it can be drawn in this size.
    fn size(self, board: &dyn session::Position) -> Option<(u16, u16)> {
        let (width, height) = match self {
            Drawing::Tiles(scale) => board.drawn().scene(&PaintOptions::default()).size(scale),
            Drawing::Lines(density) => *board.drawn().board_sizes().get(density)?,
        };
        Some((number(width), number(height)))
    }

    /// Draws a board with the steps of its pawn.
    fn put(self, c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, board: &dyn session::Position) {
        let look = PaintOptions { glyphs: c.screen.looks.glyphs, steps: true, ..PaintOptions::default() };
        match self {
            Drawing::Tiles(scale) => {
                let scene = board.drawn().scene(&look);
                tiles::put_scene(c, buffer, area, (&scene, scale), board.drawn().hues());
            }
            Drawing::Lines(density) => {
                put_canvas(c, buffer, area, &board.canvas(PaintOptions { density, ..look }));
            }
        }
    }
}

/// Thing at its place on a page.
enum Placed {
    /// The board of a lesson.
    Board(usize, Rect),
    /// A row of text, whose first bytes, this many, are a heading.
    Row(Rect, Text, usize),
}

/// Returns the part of the window between the title and the key bar.
fn room_of(c: &FrameContext<'_>) -> Rect {
    let (width, height) = c.screen.size;
    let top = 1 + u16::from(height >= ROOMY);
    let side = if width >= 60 { 3 } else { 1 };
    let (width, height) = (width.saturating_sub(2 * side).max(1), height.saturating_sub(top + 1).max(1));
    Rect { x: side, y: top, width, height }
}

/// Returns the number of rows of all these lines.
fn rows_of(lines: &[(Vec<Text>, usize)]) -> u16 {
    number(lines.iter().map(|(rows, _)| rows.len()).sum())
}

/// Pages that are filled from top to bottom.
struct Pages {
    room: Rect,
    filled: Vec<Vec<Placed>>,
    /// Number of rows of each page that are taken.
    used: Vec<u16>,
}

impl Pages {
    fn new(room: Rect) -> Self {
        Pages { room, filled: vec![Vec::new()], used: vec![0] }
    }

    fn has_room(&self, page: usize, rows: u16, has_gap: bool) -> bool {
        let used = self.used.get(page).copied().unwrap_or(0);
        used == 0 || used + u16::from(has_gap) + rows <= self.room.height
    }

    /// Returns the place of rows that stay together on a page, below an empty row unless the page begins with them.
    fn take(&mut self, page: usize, rows: u16, has_gap: bool) -> Rect {
        if page == self.filled.len() {
            self.filled.push(Vec::new());
            self.used.push(0);
        }
        let used = &mut self.used[page];
        let top = *used + u16::from(has_gap && *used > 0);
        *used = top + rows;
        Rect { y: self.room.y + top, height: rows, ..self.room }
    }

    /// Adds rows of text. All lines stand together on the first page that has room for them, or on a page of their own
    /// while pages are few; otherwise each line fills the room that boards have left.
    fn add_lines(&mut self, lines: &[(Vec<Text>, usize)]) {
        let (all, gaps) = (rows_of(lines), number(lines.len()).saturating_sub(1));
        let together = (0..=self.filled.len()).find(|&page| self.has_room(page, all, true));
        let together = together.filter(|&page| page < FEW && all <= self.room.height);
        let is_roomy = together.is_some_and(|page| self.has_room(page, all + gaps, true));
        let mut page = together.unwrap_or(0);
        let mut is_first = true;
        for line in lines {
            let height = rows_of(std::slice::from_ref(line)).min(self.room.height);
            while together.is_none() && !self.has_room(page, height, is_first) {
                (page, is_first) = (page + 1, true);
            }
            let place = self.take(page, height, is_roomy || is_first);
            is_first = false;
            let headings = [line.1].into_iter().chain(std::iter::repeat(0));
            for (y, (text, heading)) in (place.y..place.bottom()).zip(line.0.iter().zip(headings)) {
                self.filled[page].push(Placed::Row(Rect { y, height: 1, ..place }, text.clone(), heading));
            }
        }
    }
}

impl RulesPages {
    /// Returns the sizes in which boards can be drawn here, the largest first: in tiles, or else in
    /// lines.
    fn drawings(&self, c: &FrameContext<'_>) -> Vec<Drawing> {
        let Some((board, _)) = self.lessons.first() else { return Vec::new() };
        let scales = || board.drawn().scene(&PaintOptions::default()).tiling.scales();
        let tiles = if c.screen.looks.has_tiles() { scales() } else { Vec::new() };
        let lines = (0..board.drawn().board_sizes().len()).rev().map(Drawing::Lines);
        tiles.into_iter().rev().map(Drawing::Tiles).chain(lines).collect()
    }

    /// Returns the contents of each page in this window, and the size of boards: the largest that
    /// lets everything fit on few pages. Without room for the smallest board there is text alone.
    fn pages(&self, c: &FrameContext<'_>) -> (Drawing, Vec<Vec<Placed>>) {
        let room = room_of(c);
        let mut ways = Vec::new();
        for drawing in self.drawings(c) {
            for columns in (1..=self.lessons.len()).rev() {
                let Some(pages) = self.arranged(room, drawing, number(columns)) else { continue };
                if pages.len() <= FEW {
                    return (drawing, pages);
                }
                ways.push((drawing, pages));
            }
        }
        let fewest = ways.into_iter().min_by_key(|(_, pages)| pages.len());
        fewest.unwrap_or_else(|| (Drawing::Lines(0), self.as_text(room)))
    }

    /// Returns the pages with boards of this size, in `columns` columns; `None` if one has no room.
    /// The rules are below the first boards if they have room there.
    fn arranged(&self, room: Rect, drawing: Drawing, columns: u16) -> Option<Vec<Vec<Placed>>> {
        let column = room.width.saturating_sub(GAP * (columns - 1)) / columns;
        let mut pages = Pages::new(room);
        let mut rules = Some(self.rule_lines(room.width));
        for (shelf, first) in self.lessons.chunks(usize::from(columns)).zip((0..).step_by(columns.into())) {
            let sizes: Vec<(u16, u16)> =
                shelf.iter().map(|(board, _)| drawing.size(&**board)).collect::<Option<_>>()?;
            let (widest, high) =
                (sizes.iter().map(|size| size.0).max()?, sizes.iter().map(|size| size.1).max()?);
            let texts = |room: u16| -> Vec<Vec<Text>> {
                shelf.iter().map(|(_, text)| wrap(*text, room.min(WIDEST).into())).collect()
            };
            let rows = |texts: &[Vec<Text>]| number(texts.iter().map(Vec::len).max().unwrap_or(0));
            let below = texts(column);
            // In a low window the sentence stands beside the board.
            let side = column.saturating_sub(widest + 2);
            let is_beside = high + rows(&below) > room.height && side >= NARROWEST && columns == 1;
            let texts = if is_beside { texts(side) } else { below };
            let height = if is_beside { high.max(rows(&texts)) } else { high + rows(&texts) };
            if widest > column || height > room.height {
                return None;
            }
            let last = pages.filled.len() - 1;
            let page = if pages.has_room(last, height, true) { last } else { last + 1 };
            let place = pages.take(page, height, true);
            for (i, ((width, height), text)) in sizes.into_iter().zip(texts).enumerate() {
                let x = place.x + number(i) * (column + GAP);
                pages.filled[page].push(Placed::Board(first + i, Rect { x, y: place.y, width, height }));
                let (right, down) = if is_beside { (width + 2, 0) } else { (0, high) };
                for (row, y) in text.into_iter().zip(place.y + down..) {
                    let area = Rect { x: x + right, y, width: column - right, height: 1 };
                    pages.filled[page].push(Placed::Row(area, row, 0));
                }
            }
            if let Some(rules) = rules.take_if(|rules| pages.has_room(0, rows_of(rules), true)) {
                pages.add_lines(&rules);
            }
        }
        if let Some(rules) = rules {
            pages.add_lines(&rules);
        }
        Some(pages.filled)
    }

    /// Returns the pages of a window without room for any board.
    fn as_text(&self, room: Rect) -> Vec<Vec<Placed>> {
        let mut pages = Pages::new(room);
        let lessons = self.lessons.iter().map(|(_, text)| (wrap(*text, room.width.into()), 0));
        let with_gap = |(mut rows, heading): (Vec<Text>, usize)| {
            rows.push(Text::new());
            (rows, heading)
        };
        let lines: Vec<_> = self.rule_lines(room.width).into_iter().chain(lessons).map(with_gap).collect();
        pages.add_lines(&lines);
        pages.filled
    }

    /// Returns the rules in rows, each line with its heading where there is room for it.
    fn rule_lines(&self, room: u16) -> Vec<(Vec<Text>, usize)> {
        let longest = self.rules.iter().map(|(heading, _)| width(heading)).max().unwrap_or(0);
        let line = |(heading, rule): &(&'static str, Text)| {
            if room < 40 {
                return (wrap(rule.clone(), room.into()), 0);
            }
            let columns = longest + 2;
            let rows =
                wrap(rule.clone(), usize::from(room.min(WIDEST + 8)) - columns).into_iter().enumerate();
            let rows = rows.map(|(i, row)| {
                let mut text = Text::from(format!("{:<columns$}", if i == 0 { *heading } else { "" }));
                text.push(&row);
                text
            });
            (rows.collect(), heading.len())
        };
        self.rules.iter().map(line).collect()
    }

    fn turn(&mut self, c: &FrameContext<'_>, by: isize) {
        let last = self.pages(c).1.len().saturating_sub(1);
        self.page = self.page.min(last).saturating_add_signed(by).min(last);
    }
}

impl Component for RulesPages {
    fn act(&mut self, act: Action, _: &KeyEvent, c: &FrameContext<'_>) -> Answer {
        match act {
            Action::Theme | Action::Help => return Answer::PassOn,
            Action::Escape | Action::Quit => return LayerEffect::Close.into(),
            Action::Start => {
                let menu = c.screen.menu().filter(|menu| menu.spec.mode != Mode::Replay);
                let start = menu.map(|menu| LayerEffect::Ask(menu.started()));
                return Answer::Handled([LayerEffect::Close].into_iter().chain(start).collect());
            }
            Action::Back => self.turn(c, -1),
            Action::Forward => self.turn(c, 1),
            _ => {}
        }
        Answer::DONE
    }

    fn wheel(&mut self, act: Action, c: &FrameContext<'_>) -> Answer {
        self.turn(c, if act == Action::Up { -1 } else { 1 });
        Answer::DONE
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        wipe(buffer, buffer.area);
        let (drawing, pages) = self.pages(c);
        let page = self.page.min(pages.len().saturating_sub(1));
        let lefts = vec![sentences::rules_of(&self.title).into()];
        let middles = sentences::rules_page(page + 1, pages.len()).into();
        Title { lefts, middles, ..Title::default() }.draw(c, buffer);
        for placed in &pages[page] {
            match placed {
                Placed::Board(lesson, area) => drawing.put(c, buffer, *area, &*self.lessons[*lesson].0),
                Placed::Row(area, text, heading) => {
                    let mut line = Line::default();
                    push(&mut line, &text[..*heading], c.screen.looks.part(Part::Heading));
                    line.spans.extend(told(c, &text.slice(*heading..text.len()), Style::new()).spans);
                    put_line(buffer, c, *area, (0, 0), &line);
                }
            }
        }
        Some(Position { x: 0, y: 0 })
    }
}
