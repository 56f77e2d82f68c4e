//! The panels beside the board: the result of the game, the comment, the game's counts, the moves,
//! the engine or the values of the moves, a review, a legend, the score. Their contents are made
//! first; then they share the rows.

mod comment;
mod ending;
mod engine;
mod moves;
mod pack;
mod review;
mod tree;

use std::rc::Rc;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Style;

use super::draw::{draw_lines, explained, frame, piece_glyph, put_line, told, width_of};
use super::facts::Facts;
use super::frame::FrameContext;
use super::layout::{
    FrameLayout, HIGH, Layout, Panel, PanelContent, PanelId, columns_for_panel, layout_on, number,
};
use super::painting;
use super::screen::LayoutKey;
use crate::game::Side;
use crate::messages::ending::mistake_marks;
use crate::messages::screen as sentences;
use crate::messages::screen::Players;
use crate::play::{HistoryTarget, Match};
use crate::session;
use crate::text::Text;
use pack::{Wishes, pack};

/// Returns the layout of this screen with the contents of the panels; it is kept as long as nothing
/// changes.
pub(super) fn layout_of(c: &FrameContext<'_>) -> Rc<FrameLayout> {
    let game = c.game.map(Match::game);
    let key = LayoutKey {
        size: c.screen.size,
        looks: c.screen.looks,
        drawing: c.screen.drawing.clone(),
        has_menu: c.screen.menu().is_some(),
        heard: c.screen.heard,
        shown: game.map(|game| (game.number, game.shown(), game.present())),
    };
    c.screen.layouts.of(key, || make(c))
}

fn make(c: &FrameContext<'_>) -> FrameLayout {
    let Some(shown) = c.game.shown() else {
        return FrameLayout::default();
    };
    let frame = layout_on(shown, c.screen.size, c.screen.looks.has_tiles());
    let Some(all) = frame.panel else {
        return FrameLayout { frame, ..FrameLayout::default() };
    };
    let contents = contents(c, shown, &frame, all);
    let wishes = Wishes {
        is_watched: c.game.is_watched(),
        is_over: shown.outcome().is_some(),
        has_ways: painting::has_ways(c),
        shows_engine: c.screen.drawing.shows_engine,
    };
    let rows = |areas: &[Rect], id: PanelId| {
        let mut areas = contents.iter().zip(areas);
        areas.find(|(content, _)| content.id == id).map_or(0, |(_, area)| area.height)
    };
    let areas = pack(&contents, all, wishes);
    let with_engine = pack(&contents, all, Wishes { shows_engine: true, ..wishes });
    let [engine, review] = [PanelId::Engine, PanelId::Review].map(|id| rows(&with_engine, id) > 0);
    let hides_engine = !wishes.is_over && !engine && review;
    let settled = contents.into_iter().zip(areas).map(|(content, area)| settle(c, content, area));
    FrameLayout {
        frame,
        panels: settled.collect(),
        has_room_for_engine: engine || hides_engine,
        hides_engine,
    }
}

/// Returns the contents of the panels in a window with room for them.
fn contents(
    c: &FrameContext<'_>,
    shown: &dyn session::Position,
    frame: &Layout,
    all: Rect,
) -> Vec<PanelContent> {
    let is_high = all.height + 5 >= HIGH;
    let panels = [
        ending::content(c, all.width),
        comment::content(c, all.width),
        tally(c, shown, all.width),
        legend(c, shown, frame, all.width),
        Some(score(c, shown, all, frame.below_board, is_high)),
        Some(list_of_moves(c, all.width)),
        Some(engine::content(c, all.width, is_high)),
        review::content(c, all.width),
    ];
    panels.into_iter().flatten().collect()
}

/// Returns the panel of the moves, or of the tree of an analysis.
fn list_of_moves(c: &FrameContext<'_>, width: u16) -> PanelContent {
    let content = moves::content(c, width);
    let Some(game) = c.game.map(Match::game).filter(|game| game.is_analysis()) else { return content };
    let rows = tree::rows(c, game, width.saturating_sub(2));
    let wanted = content.wanted.max(number(rows.len()) + 2);
    PanelContent { lines: rows.into_iter().map(|row| row.line).collect(), wanted, ..content }
}

/// Returns a panel in the area that it got, with the lines that it shows there.
fn settle(c: &FrameContext<'_>, mut content: PanelContent, area: Rect) -> Panel {
    let rows = usize::from(area.height.saturating_sub(2));
    if content.lines.len() > rows && !content.short.is_empty() {
        content.lines = std::mem::take(&mut content.short);
    }
    if content.lines.len() > rows && rows > 0 && !content.dots.is_empty() {
        super::draw::push(&mut content.lines[rows - 1], content.dots, Style::new());
    }
    let analysed = c.game.map(Match::game).filter(|game| game.is_analysis());
    let top = match (content.id, analysed) {
        (PanelId::Moves, Some(game)) => tree::top(c, game, area.width.saturating_sub(2), rows),
        (PanelId::Moves, None) => moves::top(c, number(rows)),
        _ => 0,
    };
    if top > 0 && analysed.is_none() {
        content.title = sentences::moves_from(2 * top + 1);
    }
    Panel { content, area, top }
}

/// Returns the panel of the numbers that the game counts.
fn tally(c: &FrameContext<'_>, shown: &dyn session::Position, width: u16) -> Option<PanelContent> {
    let lines = shown.drawn().side_panel(c.screen.looks.glyphs, usize::from(width.saturating_sub(4)));
    let [title, lines @ ..] = lines.as_slice() else { return None };
    let rows = number(lines.len()) + 2;
    Some(PanelContent {
        id: PanelId::Tally,
        rank: 0,
        min: rows,
        wanted: rows,
        title: title.to_string(),
        lines: lines.iter().map(|line| told(c, line, Style::new())).collect(),
        short: Vec::new(),
        dots: "",
    })
}

/// Returns the legend of the signs, with the marks of all games; lines too long for a panel of this
/// width are broken at their gaps. A single line needs no panel: the row below the board shows it.
fn legend(
    c: &FrameContext<'_>,
    shown: &dyn session::Position,
    frame: &Layout,
    width: u16,
) -> Option<PanelContent> {
    let mut lines = painting::legend(c, shown, frame);
    if lines.len() < 2 && frame.below_board.is_some() {
        return None;
    }
    let signs = shown.drawn().legend_signs(c.screen.looks.glyphs);
    let has_numbers = !c.game.is_replay() || c.screen.drawing.studies;
    let marks = sentences::marks(painting::possible_marks(c, has_numbers), frame.scale.is_some());
    lines.push(marks.join("  ").into());
    lines.extend(c.mistake().into_iter().flat_map(mistake_marks));
    // Its longest line reaches the frame.
    let room = width.saturating_sub(3);
    let lines: Vec<_> = lines.iter().flat_map(|line| broken_at_gaps(line, room)).collect();
    let lines: Vec<_> = lines.iter().map(|line| explained(c, line, &signs)).collect();
    let rows = number(lines.len()) + 2;
    Some(PanelContent {
        id: PanelId::Legend,
        rank: 5,
        min: rows,
        wanted: if lines.is_empty() { 0 } else { rows },
        title: "Legend".to_owned(),
        lines,
        short: Vec::new(),
        dots: "",
    })
}

/// Returns a line in as few rows as have room for it, broken at its wider gaps.
fn broken_at_gaps(line: &Text, room: u16) -> Vec<Text> {
    let mut rows: Vec<Text> = Vec::new();
    for part in line.parts("  ").iter().map(Text::trimmed).filter(|part| !part.is_empty()) {
        match rows.last_mut() {
            Some(row) if width_of(row) + 2 + width_of(&part) <= room => {
                row.push_str("  ");
                row.push(&part);
            }
            _ => rows.push(part),
        }
    }
    if width_of(line) <= room { vec![line.clone()] } else { rows }
}

/// Returns the panel of the results so far, in a frame where there are rows to spare. The row below
/// the board may reach into the last row of the panels until there are results.
fn score(
    c: &FrameContext<'_>,
    shown: &dyn session::Position,
    all: Rect,
    below_board: Option<Rect>,
    is_high: bool,
) -> PanelContent {
    let results = scores(c);
    let is_free = below_board.is_some_and(|below_board| below_board.y < all.bottom());
    let rows = match results.iter().sum::<u32>() {
        0 => u16::from(is_free),
        _ if is_high => 3,
        _ => 1,
    };
    let names = Side::each(|side| piece_glyph(c, shown, side));
    let players = match c.game.you() {
        Some(_) => Players::HumanAndEngine,
        None => Players::Sides(names.each_ref().map(String::as_str)),
    };
    let texts = sentences::score(players, results);
    let fits = |room: u16| move |text: &&Text| width_of(text) <= room;
    let text = match rows {
        3 => texts[1..].iter().find(fits(all.width.saturating_sub(4))).unwrap_or(&texts[3]),
        _ => texts.iter().find(fits(all.width)).unwrap_or(&texts[3]),
    };
    let line = told(c, text, Style::new());
    PanelContent {
        id: PanelId::Score,
        rank: 0,
        min: rows,
        wanted: rows,
        title: "Score".to_owned(),
        lines: if results == [0; 3] { Vec::new() } else { vec![line] },
        short: Vec::new(),
        dots: "",
    }
}

fn scores(c: &FrameContext<'_>) -> [u32; 3] {
    c.game.map_or([0; 3], |game| game.tally().results())
}

/// Returns the message where the engine's panel has no room; `has_numbers` is `true` if the best
/// moves are marked on the board all the same.
pub(super) fn no_room(c: &FrameContext<'_>, has_numbers: bool) -> String {
    let columns =
        c.game.shown().and_then(|shown| columns_for_panel(shown, c.screen.size, c.screen.looks.has_tiles()));
    sentences::no_panel(columns.filter(|&columns| columns > c.screen.size.0), has_numbers)
}

/// Draws all panels.
pub(super) fn draw(c: &FrameContext<'_>, layout: &FrameLayout, buffer: &mut Buffer) {
    for Panel { content, area, top } in &layout.panels {
        match (content.id, content.lines.as_slice()) {
            (PanelId::Score, [line]) if area.height == 1 => put_line(buffer, c, *area, (0, 0), line),
            (PanelId::Score, []) => {}
            (PanelId::Moves, lines) => {
                let inside = frame(buffer, c, *area, &content.title);
                for (line, y) in lines.iter().skip(*top).zip(0..inside.height) {
                    put_line(buffer, c, inside, (0, y), line);
                }
            }
            (_, lines) => draw_lines(c, buffer, *area, &content.title, lines),
        }
    }
}

/// Reports whether the last row of the panels is free: it waits for a score.
pub(super) fn leaves_last_row(layout: &FrameLayout) -> bool {
    layout.panel(PanelId::Score).is_some_and(|score| score.content.lines.is_empty())
}

/// Reports whether the legend says what the numbers of the best moves mean.
pub(super) fn names_numbers(layout: &FrameLayout) -> bool {
    let is_told = |line: &ratatui_core::text::Line<'_>| line.to_string().contains(sentences::NUMBERS);
    layout.panel(PanelId::Legend).is_some_and(|legend| legend.content.lines.iter().any(is_told))
}

/// Returns a chance in whole per cent.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between 0 and 100")]
pub(super) fn per_cent(chance: f64) -> u32 {
    (chance.clamp(0.0, 1.0) * 100.0).round() as u32
}

/// Returns the position after the move at a place of the list.
pub(super) fn hit(c: &FrameContext<'_>, layout: &FrameLayout, at: Position) -> Option<HistoryTarget> {
    let (panel, game) = (layout.panel(PanelId::Moves)?, c.game?.game());
    if game.is_analysis() {
        return tree::hit(c, game, panel, at).map(HistoryTarget::Node);
    }
    moves::hit(c, panel, at).map(HistoryTarget::Ply)
}
