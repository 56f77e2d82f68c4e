//! Distributes the rows beside the board among the panels. It depends on the number of rows that
//! each panel needs and wants, not on the contents.

use ratatui_core::layout::Rect;

use super::super::layout::{PanelContent, PanelId, to_u16_saturating};
use super::engine::ENGINE_PANEL_ROWS;
use super::moves::MIN_MOVE_PANEL_ROWS;

/// Number of rows that the list of moves gets before the legend is shown. They show six rounds.
const MOVE_ROWS_BEFORE_LEGEND: u16 = 8;
/// Number of rows that the list of moves gets before a review gets more than its minimum.
///
/// This number also applies before the signs on the board are explained.
const MOVE_ROWS_BEFORE_REVIEW: u16 = 7;
/// Number of rows that the legend leaves to the engine's panel, including the frame.
///
/// It is constant, so that the legend does not appear and disappear.
const ENGINE_ROWS_BESIDE_LEGEND: u16 = 8;

/// State of the game and the screen on which the distribution depends.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct PanelPacking {
    /// `true` if no human plays.
    pub(super) is_watched: bool,
    /// `true` if the game is over in the shown position.
    pub(super) is_over: bool,
    /// `true` if the path overlay is on, whose signs the legend explains.
    pub(super) has_ways: bool,
    /// `true` if the player wants to see the engine's panel.
    pub(super) shows_engine: bool,
}

/// Returns the areas of the panels in the order of `contents`. A panel without room has height 0.
///
/// A change of one panel's text does not move another panel while both have something to show.
pub(super) fn pack_panels(contents: &[PanelContent], mut all: Rect, wishes: PanelPacking) -> Vec<Rect> {
    let find = |id: PanelId| contents.iter().find(|content| content.id == id);
    let [tally, legend, engine] = [PanelId::Tally, PanelId::Legend, PanelId::Engine]
        .map(|id| find(id).map_or(0, |content| content.wanted));
    // 0. The result of the game has the highest priority.
    let ending = Rect { height: find(PanelId::Ending).map_or(0, |ending| ending_rows(ending, all)), ..all };
    all = Rect { y: ending.bottom(), height: all.height - ending.height, ..all };
    // 1. The score takes the last rows.
    let least = if ending.height > 0 { MIN_MOVE_PANEL_ROWS } else { ENGINE_PANEL_ROWS + MIN_MOVE_PANEL_ROWS };
    let has_score = !wishes.is_watched && all.height >= tally.saturating_sub(1) + least + 4;
    let score = find(PanelId::Score).filter(|_| has_score).map_or(0, |score| score.wanted);
    let score = take_bottom_rows(&mut all, score);
    // 2. The comment is above the score, so that the other panels keep their places.
    let comment = take_comment_rows(find(PanelId::Comment), &mut all, tally);
    let top = if tally > 2 && tally + MIN_MOVE_PANEL_ROWS <= all.height { tally } else { 0 };
    let rest = all.height - top;
    // 3. The review takes precedence over the engine, and both over the legend.
    // The legend has to explain the path signs.
    let spare = if wishes.has_ways { MOVE_ROWS_BEFORE_REVIEW } else { MOVE_ROWS_BEFORE_LEGEND };
    let engine = engine_rows_beside_legend(engine, rest, legend + spare);
    let review = find(PanelId::Review).map_or(0, |review| {
        let both = MOVE_ROWS_BEFORE_REVIEW + if wishes.shows_engine && !wishes.is_over { engine } else { 0 };
        let is_first = find(PanelId::Engine).is_none_or(|engine| review.rank < engine.rank);
        let fewest = if is_first { MIN_MOVE_PANEL_ROWS } else { both };
        let ways = [(review.wanted, both), (review.min, both), (review.min, fewest)];
        ways.into_iter().find(|(rows, others)| rest >= rows + others).map_or(0, |(rows, _)| rows)
    });
    let is_told = review > 0 && wishes.is_over || ending.height > 0; // they show the course of the game
    let least_moves = if review > 0 { MOVE_ROWS_BEFORE_REVIEW } else { MIN_MOVE_PANEL_ROWS };
    let has_engine = wishes.shows_engine && !is_told && rest >= engine + review + least_moves;
    let engine = if has_engine { engine } else { 0 };
    // 4. The legend takes rows that the engine and the moves leave.
    let is_beside = engine > 0 && spare == MOVE_ROWS_BEFORE_LEGEND;
    let beside = if is_beside { engine.max(ENGINE_ROWS_BESIDE_LEGEND) } else { engine };
    let legend = if rest >= review + beside + legend + spare { legend } else { 0 };
    // 5. The moves take the rest as far as they want it. Spare rows become gaps between the panels.
    let left = rest - engine - review - legend;
    let moves = left.min(find(PanelId::Moves).map_or(0, |moves| moves.wanted));
    let gaps = to_u16_saturating([top, engine, review, legend].iter().filter(|rows| **rows > 0).count());
    let gap = u16::from(left - moves >= gaps);
    let mut y = all.y;
    let mut next = |height: u16| {
        let area = Rect { y, height, ..all };
        y += if height > 0 { height + gap } else { 0 };
        area
    };
    let [top, moves, engine, review, legend] = [top, moves, engine, review, legend].map(&mut next);
    let area = |content: &PanelContent| match content.id {
        PanelId::Ending => ending,
        PanelId::Comment => comment,
        PanelId::Tally => top,
        PanelId::Moves => moves,
        PanelId::Engine => Rect { height: engine.height.min(content.min), ..engine },
        PanelId::Review => review,
        PanelId::Legend => legend,
        PanelId::Score => score,
    };
    contents.iter().map(area).collect()
}

/// Takes `height` rows off the bottom of an area and returns them.
fn take_bottom_rows(all: &mut Rect, height: u16) -> Rect {
    all.height -= height;
    Rect { y: all.bottom(), height, ..*all }
}

/// Returns the number of rows for the result of the game.
///
/// It is the number that the result wants, or else needs, if the list of moves keeps its minimum.
fn ending_rows(ending: &PanelContent, all: Rect) -> u16 {
    let has_room = |&rows: &u16| all.height >= rows + MIN_MOVE_PANEL_ROWS;
    [ending.wanted, ending.min].into_iter().find(has_room).unwrap_or(0)
}

/// Takes the rows of a comment off the bottom of an area, at most half of its rows.
///
/// The list of moves keeps its minimum below a tally of `tally` rows.
fn take_comment_rows(comment: Option<&PanelContent>, all: &mut Rect, tally: u16) -> Rect {
    let most = (all.height / 2).min(all.height.saturating_sub(tally + MIN_MOVE_PANEL_ROWS));
    let rows = comment.filter(|comment| comment.min <= most).map_or(0, |comment| comment.wanted.min(most));
    take_bottom_rows(all, rows)
}

/// Returns the number of rows of the engine's panel, including the frame.
///
/// The panel gets fewer rows than `wanted` if this makes room for the legend.
fn engine_rows_beside_legend(wanted: u16, rest: u16, others: u16) -> u16 {
    let is_tight = (ENGINE_ROWS_BESIDE_LEGEND + others..wanted + others).contains(&rest);
    if is_tight { ENGINE_ROWS_BESIDE_LEGEND } else { wanted }
}
