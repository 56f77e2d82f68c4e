//! Panels beside the board: the result, the comment, the game's counts, the moves, the engine or
//! the values of the moves, a review, a legend and the score. Their contents are built first, then
//! the rows are distributed among them.

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

use super::draw::{
    draw_frame, draw_framed_lines, line_with_side_colours, piece_glyph, put_line, render_legend_line,
    text_columns,
};
use super::facts::MatchFacts;
use super::frame::FrameContext;
use super::layout::{
    FrameLayout, HIGH_WINDOW_ROWS, PanelContent, PanelId, PlacedPanel, ScreenLayout, layout_in_window,
    min_columns_for_panel, to_u16_saturating,
};
use super::painting;
use super::screen::LayoutCacheKey;
use crate::game::Side;
use crate::messages::ending::list_mistake_marks;
use crate::messages::screen as sentences;
use crate::messages::screen::ScorePlayers;
use crate::play::{HistoryTarget, Match};
use crate::session;
use crate::text::Text;
use pack::{PanelPacking, pack_panels};

/// Returns the layout of the screen with the contents of the panels.
///
/// It is cached until something changes.
pub(super) fn cached_layout(c: &FrameContext<'_>) -> Rc<FrameLayout> {
    let game = c.game.map(Match::game);
    let key = LayoutCacheKey {
        size: c.screen.size,
        looks: c.screen.looks,
        drawing: c.screen.drawing.clone(),
        has_menu: c.screen.menu().is_some(),
        match_event_count: c.screen.match_event_count,
        shown: game.map(|game| (game.number, game.shown_node(), game.present_node())),
    };
    c.screen.layouts.get_or_compute(key, || compute_frame_layout(c))
}

fn compute_frame_layout(c: &FrameContext<'_>) -> FrameLayout {
    let Some(shown) = c.game.shown_position() else {
        return FrameLayout::default();
    };
    let frame = layout_in_window(shown, c.screen.size, c.screen.looks.draws_tiles());
    let Some(all) = frame.panel else {
        return FrameLayout { frame, ..FrameLayout::default() };
    };
    let contents = build_panel_contents(c, shown, &frame, all);
    let wishes = PanelPacking {
        is_watched: c.game.has_no_human_player(),
        is_over: shown.outcome().is_some(),
        has_ways: painting::shows_path_overlay(c),
        shows_engine: c.screen.drawing.shows_engine,
    };
    let rows = |areas: &[Rect], id: PanelId| {
        let mut areas = contents.iter().zip(areas);
        areas.find(|(content, _)| content.id == id).map_or(0, |(_, area)| area.height)
    };
    let areas = pack_panels(&contents, all, wishes);
    let with_engine = pack_panels(&contents, all, PanelPacking { shows_engine: true, ..wishes });
    let [engine, review] = [PanelId::Engine, PanelId::Review].map(|id| rows(&with_engine, id) > 0);
    let hides_engine = !wishes.is_over && !engine && review;
    let settled = contents.into_iter().zip(areas).map(|(content, area)| fit_panel(c, content, area));
    FrameLayout {
        frame,
        panels: settled.collect(),
        has_room_for_engine: engine || hides_engine,
        hides_engine,
    }
}

/// Builds the contents of all panels, for a window with room for panels.
fn build_panel_contents(
    c: &FrameContext<'_>,
    shown: &dyn session::Position,
    frame: &ScreenLayout,
    all: Rect,
) -> Vec<PanelContent> {
    let is_high = all.height + 5 >= HIGH_WINDOW_ROWS;
    let panels = [
        ending::build_ending_panel(c, all.width),
        comment::build_comment_panel(c, all.width),
        build_tally_panel(c, shown, all.width),
        build_legend_panel(c, shown, frame, all.width),
        Some(build_score_panel(c, shown, all, frame.below_board, is_high)),
        Some(build_move_list_panel(c, all.width)),
        Some(engine::build_engine_panel(c, all.width, is_high)),
        review::build_review_panel(c, all.width),
    ];
    panels.into_iter().flatten().collect()
}

/// Builds the panel of the moves. At the analysis board it shows the game tree.
fn build_move_list_panel(c: &FrameContext<'_>, width: u16) -> PanelContent {
    let content = moves::build_moves_panel(c, width);
    let Some(game) = c.game.map(Match::game).filter(|game| game.is_analysis()) else { return content };
    let rows = tree::render_tree_rows(c, game, width.saturating_sub(2));
    let wanted = content.wanted.max(to_u16_saturating(rows.len()) + 2);
    PanelContent { lines: rows.into_iter().map(|row| row.line).collect(), wanted, ..content }
}

/// Fits a panel into its area by choosing the visible lines.
fn fit_panel(c: &FrameContext<'_>, mut content: PanelContent, area: Rect) -> PlacedPanel {
    let rows = usize::from(area.height.saturating_sub(2));
    if content.lines.len() > rows && !content.short.is_empty() {
        content.lines = std::mem::take(&mut content.short);
    }
    if content.lines.len() > rows && rows > 0 && !content.dots.is_empty() {
        super::draw::push_styled(&mut content.lines[rows - 1], content.dots, Style::new());
    }
    let analysed = c.game.map(Match::game).filter(|game| game.is_analysis());
    let top = match (content.id, analysed) {
        (PanelId::Moves, Some(game)) => {
            tree::first_visible_tree_row(c, game, area.width.saturating_sub(2), rows)
        }
        (PanelId::Moves, None) => moves::first_visible_move_row(c, to_u16_saturating(rows)),
        _ => 0,
    };
    if top > 0 && analysed.is_none() {
        content.title = sentences::moves_from_heading(2 * top + 1);
    }
    PlacedPanel { content, area, top }
}

/// Builds the panel of the counts that the game displays, such as the walls left.
fn build_tally_panel(
    c: &FrameContext<'_>,
    shown: &dyn session::Position,
    width: u16,
) -> Option<PanelContent> {
    let lines = shown.as_paint().side_panel(c.screen.looks.glyphs, usize::from(width.saturating_sub(4)));
    let [title, lines @ ..] = lines.as_slice() else { return None };
    let rows = to_u16_saturating(lines.len()) + 2;
    Some(PanelContent {
        id: PanelId::Tally,
        rank: 0,
        min: rows,
        wanted: rows,
        title: title.to_string(),
        lines: lines.iter().map(|line| line_with_side_colours(c, line, Style::new())).collect(),
        short: Vec::new(),
        dots: "",
    })
}

/// Builds the legend of the signs on the board and of the marks that all games share.
///
/// Lines that are too long are broken at their gaps. A single line has no panel, because the row
/// below the board shows it.
fn build_legend_panel(
    c: &FrameContext<'_>,
    shown: &dyn session::Position,
    frame: &ScreenLayout,
    width: u16,
) -> Option<PanelContent> {
    let mut lines = painting::board_legend(c, shown, frame);
    if lines.len() < 2 && frame.below_board.is_some() {
        return None;
    }
    let signs = shown.as_paint().legend_sign_roles(c.screen.looks.glyphs);
    let has_numbers = !c.game.is_replay() || c.screen.drawing.studies;
    let marks =
        sentences::list_board_marks(painting::possible_board_marks(c, has_numbers), frame.scale.is_some());
    lines.push(marks.join("  ").into());
    lines.extend(c.shown_mistake().into_iter().flat_map(list_mistake_marks));
    // The longest line may reach the frame.
    let room = width.saturating_sub(3);
    let lines: Vec<_> = lines.iter().flat_map(|line| break_at_gaps(line, room)).collect();
    let lines: Vec<_> = lines.iter().map(|line| render_legend_line(c, line, &signs)).collect();
    let rows = to_u16_saturating(lines.len()) + 2;
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

/// Breaks a line at its wider gaps into as few rows as possible.
fn break_at_gaps(line: &Text, room: u16) -> Vec<Text> {
    let mut rows: Vec<Text> = Vec::new();
    for slice_of_substring in line.split_text("  ").iter().map(Text::trimmed).filter(|part| !part.is_empty())
    {
        match rows.last_mut() {
            Some(row) if text_columns(row) + 2 + text_columns(&slice_of_substring) <= room => {
                row.push_str("  ");
                row.push(&slice_of_substring);
            }
            _ => rows.push(slice_of_substring),
        }
    }
    if text_columns(line) <= room { vec![line.clone()] } else { rows }
}

/// Builds the panel of the results so far, with a frame if there are spare rows.
///
/// Without results, the row below the board may extend into the last row of the panels.
fn build_score_panel(
    c: &FrameContext<'_>,
    shown: &dyn session::Position,
    all: Rect,
    below_board: Option<Rect>,
    is_high: bool,
) -> PanelContent {
    let results = match_results(c);
    let is_free = below_board.is_some_and(|below_board| below_board.y < all.bottom());
    let rows = match results.iter().sum::<u32>() {
        0 => u16::from(is_free),
        _ if is_high => 3,
        _ => 1,
    };
    let names = Side::map_both(|side| piece_glyph(c, shown, side));
    let players = match c.game.human_side() {
        Some(_) => ScorePlayers::HumanAndEngine,
        None => ScorePlayers::Sides(names.each_ref().map(String::as_str)),
    };
    let texts = sentences::format_score(players, results);
    let fits = |room: u16| move |text: &&Text| text_columns(text) <= room;
    let text = match rows {
        3 => texts[1..].iter().find(fits(all.width.saturating_sub(4))).unwrap_or(&texts[3]),
        _ => texts.iter().find(fits(all.width)).unwrap_or(&texts[3]),
    };
    let line = line_with_side_colours(c, text, Style::new());
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

fn match_results(c: &FrameContext<'_>) -> [u32; 3] {
    c.game.map_or([0; 3], |game| game.scoreboard().results())
}

/// Returns a message that there is no room for the engine's panel.
///
/// `has_numbers` is `true` if the best moves are still marked on the board.
pub(super) fn explain_missing_panel(c: &FrameContext<'_>, has_numbers: bool) -> String {
    let columns = c
        .game
        .shown_position()
        .and_then(|shown| min_columns_for_panel(shown, c.screen.size, c.screen.looks.draws_tiles()));
    sentences::no_panel_message(columns.filter(|&columns| columns > c.screen.size.0), has_numbers)
}

/// Draws all panels.
pub(super) fn draw_panels(c: &FrameContext<'_>, layout: &FrameLayout, buffer: &mut Buffer) {
    for PlacedPanel { content, area, top } in &layout.panels {
        match (content.id, content.lines.as_slice()) {
            (PanelId::Score, [line]) if area.height == 1 => put_line(buffer, c, *area, (0, 0), line),
            (PanelId::Score, []) => {}
            (PanelId::Moves, lines) => {
                let inside = draw_frame(buffer, c, *area, &content.title);
                for (line, y) in lines.iter().skip(*top).zip(0..inside.height) {
                    put_line(buffer, c, inside, (0, y), line);
                }
            }
            (_, lines) => draw_framed_lines(c, buffer, *area, &content.title, lines),
        }
    }
}

/// Reports whether the last row of the panels is free because there are no results yet.
pub(super) fn leaves_last_row_free(layout: &FrameLayout) -> bool {
    layout.visible_panel(PanelId::Score).is_some_and(|score| score.content.lines.is_empty())
}

/// Reports whether the legend explains the numbers of the best moves.
pub(super) fn legend_explains_numbers(layout: &FrameLayout) -> bool {
    let is_told =
        |line: &ratatui_core::text::Line<'_>| line.to_string().contains(sentences::BEST_MOVES_LEGEND);
    layout.visible_panel(PanelId::Legend).is_some_and(|legend| legend.content.lines.iter().any(is_told))
}

/// Converts a chance from 0 to 1 to a whole percentage.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between 0 and 100")]
pub(super) fn to_whole_per_cent(chance: f64) -> u32 {
    (chance.clamp(0.0, 1.0) * 100.0).round() as u32
}

/// Returns the node or ply of the move at a screen position in the list of moves.
pub(super) fn history_target_at(
    c: &FrameContext<'_>,
    layout: &FrameLayout,
    at: Position,
) -> Option<HistoryTarget> {
    let (panel, game) = (layout.visible_panel(PanelId::Moves)?, c.game?.game());
    if game.is_analysis() {
        return tree::tree_node_at(c, game, panel, at).map(HistoryTarget::Node);
    }
    moves::ply_at(c, panel, at).map(HistoryTarget::Ply)
}
