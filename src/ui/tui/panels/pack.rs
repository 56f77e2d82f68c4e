//! Distribution of the rows beside the board among the panels. Knows the rows that each panel needs
//! and wants, not its contents.

use ratatui_core::layout::Rect;

use super::super::layout::{PanelContent, PanelId, number};
use super::engine::ENGINE_ROWS;
use super::moves::MIN_MOVES;

/// Rows that the moves keep before there is a legend: six rounds.
const SPARE_MOVES: u16 = 8;
/// Rows that the moves keep before a review has more than its fewest rows, or signs on the board
/// are explained.
const MANY_MOVES: u16 = 7;
/// Rows that a legend leaves the engine, frame included, even if it needs fewer: so the legend does
/// not come and go.
const STEADY_ENGINE: u16 = 8;

/// State of the game and the screen that the distribution depends on.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Wishes {
    /// `true` if nobody plays.
    pub(super) is_watched: bool,
    /// `true` if the game is over at the position that is shown.
    pub(super) is_over: bool,
    /// `true` if the overlay on the board has signs that a legend explains.
    pub(super) has_ways: bool,
    /// `true` if the engine's panel is wanted.
    pub(super) shows_engine: bool,
}

/// Returns the area of each panel, in the order of these contents; of height 0 where one has no
/// room. The text of a panel does not change the place of another as long as each has something to
/// show.
pub(super) fn pack(contents: &[PanelContent], mut all: Rect, wishes: Wishes) -> Vec<Rect> {
    let find = |id: PanelId| contents.iter().find(|content| content.id == id);
    let [tally, legend, engine] = [PanelId::Tally, PanelId::Legend, PanelId::Engine]
        .map(|id| find(id).map_or(0, |content| content.wanted));
    // 0. How the game ended comes before all others
    let ending = Rect { height: find(PanelId::Ending).map_or(0, |ending| ending_rows(ending, all)), ..all };
    all = Rect { y: ending.bottom(), height: all.height - ending.height, ..all };
    // 1. The score stands at the end of all
    let least = if ending.height > 0 { MIN_MOVES } else { ENGINE_ROWS + MIN_MOVES };
    let has_score = !wishes.is_watched && all.height >= tally.saturating_sub(1) + least + 4;
    let score = find(PanelId::Score).filter(|_| has_score).map_or(0, |score| score.wanted);
    let score = take_last(&mut all, score);
    // 2. Above it stands what the file says: the other panels keep their places
    let comment = take_comment(find(PanelId::Comment), &mut all, tally);
    let top = if tally > 2 && tally + MIN_MOVES <= all.height { tally } else { 0 };
    let rest = all.height - top;
    // 3. The review before the engine, and both before the legend
    let spare = if wishes.has_ways { MANY_MOVES } else { SPARE_MOVES }; // signs on the board need an explanation
    let engine = beside_legend(engine, rest, legend + spare);
    let review = find(PanelId::Review).map_or(0, |review| {
        let both = MANY_MOVES + if wishes.shows_engine && !wishes.is_over { engine } else { 0 };
        let is_first = find(PanelId::Engine).is_none_or(|engine| review.rank < engine.rank);
        let ways = [
            (review.wanted, both),
            (review.min, both),
            (review.min, if is_first { MIN_MOVES } else { both }),
        ];
        ways.into_iter().find(|(rows, others)| rest >= rows + others).map_or(0, |(rows, _)| rows)
    });
    let is_told = review > 0 && wishes.is_over || ending.height > 0; // they show the course of the game
    let least_moves = if review > 0 { MANY_MOVES } else { MIN_MOVES };
    let has_engine = wishes.shows_engine && !is_told && rest >= engine + review + least_moves;
    let engine = if has_engine { engine } else { 0 };
    // 4. The legend where the engine and the moves leave rows
    let beside = if engine > 0 && spare == SPARE_MOVES { engine.max(STEADY_ENGINE) } else { engine };
    let legend = if rest >= review + beside + legend + spare { legend } else { 0 };
    // 5. The moves have what is left, as far as they want it, and the panels stand apart where they leave enough
    let left = rest - engine - review - legend;
    let moves = left.min(find(PanelId::Moves).map_or(0, |moves| moves.wanted));
    let gaps = number([top, engine, review, legend].iter().filter(|rows| **rows > 0).count());
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

/// Takes `height` rows off the end.
fn take_last(all: &mut Rect, height: u16) -> Rect {
    all.height -= height;
    Rect { y: all.bottom(), height, ..*all }
}

/// Returns the rows for the result of the game, as many as it wants or needs; the moves keep their
/// fewest.
fn ending_rows(ending: &PanelContent, all: Rect) -> u16 {
    let has_room = |&rows: &u16| all.height >= rows + MIN_MOVES;
    [ending.wanted, ending.min].into_iter().find(has_room).unwrap_or(0)
}

/// Takes the rows of a comment off the end: half of all at most, where the moves keep their fewest
/// below a tally of `tally` rows.
fn take_comment(comment: Option<&PanelContent>, all: &mut Rect, tally: u16) -> Rect {
    let most = (all.height / 2).min(all.height.saturating_sub(tally + MIN_MOVES));
    let rows = comment.filter(|comment| comment.min <= most).map_or(0, |comment| comment.wanted.min(most));
    take_last(all, rows)
}

/// Returns the rows of the engine, frame included, which wants `wanted` rows: it takes none of a
/// legend if it can do with fewer.
fn beside_legend(wanted: u16, rest: u16, others: u16) -> u16 {
    let is_tight = (STEADY_ENGINE + others..wanted + others).contains(&rest);
    if is_tight { STEADY_ENGINE } else { wanted }
}
