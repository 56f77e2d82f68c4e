//! How the panels share the rows beside the board. Knows how many rows each needs and wants, not what it shows.

use ratatui_core::layout::Rect;

use super::super::layout::{Layout, PanelContent, PanelId};
use super::engine::ENGINE_ROWS;
use super::moves::MIN_MOVES;

/// The moves keep so many rows before there is a legend: six rounds.
const SPARE_MOVES: u16 = 8;
/// They keep so many before a review has more than its least rows, or signs are told that are on the board.
const MANY_MOVES: u16 = 7;
/// A legend leaves the engine so many rows, frame included, also where that needs fewer: it does not come and go.
const STEADY_ENGINE: u16 = 8;

/// What is known of the game where rows are shared.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Wishes {
    /// Whether nobody plays.
    pub(super) is_watched: bool,
    /// Whether a game is shown move by move.
    pub(super) is_replay: bool,
    /// Whether the game is over where it is shown.
    pub(super) is_over: bool,
    /// Whether signs lie over the board that a legend explains.
    pub(super) has_ways: bool,
    /// Whether the engine's panel is wanted.
    pub(super) shows_engine: bool,
}

/// The area of each panel, in the order of these contents; of height 0 where one has no room.
pub(super) fn pack(contents: &[PanelContent], frame: &Layout, mut all: Rect, wishes: Wishes) -> Vec<Rect> {
    let find = |id: PanelId| contents.iter().find(|content| content.id == id);
    let [tally, legend, engine, moves] = [PanelId::Tally, PanelId::Legend, PanelId::Engine, PanelId::Moves]
        .map(|id| find(id).map_or(0, |content| content.wanted));
    let left = frame.left_panel;
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
    let beside_moves = if wishes.has_ways { MANY_MOVES } else { SPARE_MOVES }; // signs on the board are to be told
    let spare = if left.is_some() { 0 } else { beside_moves };
    let engine = beside_legend(engine, rest, legend + spare);
    let [least, many] = if left.is_some() { [0, 0] } else { [MIN_MOVES, MANY_MOVES] };
    let review = find(PanelId::Review).map_or(0, |review| {
        let both = many + if wishes.shows_engine && !wishes.is_over { engine } else { 0 };
        let is_first = find(PanelId::Engine).is_none_or(|engine| review.rank < engine.rank);
        let ways =
            [(review.wanted, both), (review.min, both), (review.min, if is_first { least } else { both })];
        ways.into_iter().find(|(rows, others)| rest >= rows + others).map_or(0, |(rows, _)| rows)
    });
    let is_told = review > 0 && wishes.is_over || ending.height > 0; // they say how the game went
    let least_moves = if review > 0 { many } else { least };
    let has_engine = wishes.shows_engine && !is_told && rest >= engine + review + least_moves;
    let engine = if has_engine { engine } else { 0 };
    let rest = rest - review;
    // 4. The legend where the engine and the moves leave rows
    let beside = if engine > 0 && spare == SPARE_MOVES { engine.max(STEADY_ENGINE) } else { engine };
    let has_room = rest >= beside + legend + spare;
    let [legend, left_legend] = legend_rows(legend, has_room, left, wishes);
    let rest = rest - legend;
    // 5. The moves have what is left, or what they want on their own side
    let left = left.map(|left| on_the_left(left, all, moves, left_legend));
    let beside = if left.is_some() { 0 } else { rest - engine };
    let below = |y: u16, height: u16| Rect { y, height, ..all };
    let first = all.y + top;
    let legend = match left {
        Some(left) if left_legend > 0 => Rect { y: left.bottom(), height: left_legend, ..left },
        _ => below(first + beside + engine + review, legend),
    };
    let area = |content: &PanelContent| match content.id {
        PanelId::Ending => ending,
        PanelId::Comment => comment,
        PanelId::Tally => below(all.y, top),
        PanelId::Moves => left.unwrap_or(below(first, beside)),
        PanelId::Engine => below(first + beside, engine),
        PanelId::Review => below(first + beside + engine, review),
        PanelId::Legend => legend,
        PanelId::Score => score,
    };
    contents.iter().map(area).collect()
}

/// Takes so many rows off the end.
fn take_last(all: &mut Rect, height: u16) -> Rect {
    all.height -= height;
    Rect { y: all.bottom(), height, ..*all }
}

/// The rows of the end of the game, as many as it wants or needs; the moves keep their least.
fn ending_rows(ending: &PanelContent, all: Rect) -> u16 {
    let has_room = |&rows: &u16| all.height >= rows + MIN_MOVES;
    [ending.wanted, ending.min].into_iter().find(has_room).unwrap_or(0)
}

/// Takes the rows of a comment off the end: half of all at most, where the moves keep their least below a tally of so
/// many rows.
fn take_comment(comment: Option<&PanelContent>, all: &mut Rect, tally: u16) -> Rect {
    let most = (all.height / 2).min(all.height.saturating_sub(tally + MIN_MOVES));
    let rows = comment.filter(|comment| comment.min <= most).map_or(0, |comment| comment.wanted.min(most));
    take_last(all, rows)
}

/// The rows of the engine, frame included, of so many: where it can do with fewer it does not take those of a legend.
fn beside_legend(wanted: u16, rest: u16, others: u16) -> u16 {
    let is_tight = (STEADY_ENGINE + others..wanted + others).contains(&rest);
    if is_tight { STEADY_ENGINE } else { wanted }
}

/// The rows of a legend on the right, where it has room there, and on the left: below the moves, where it stays whatever
/// the engine needs; but the moves of a whole game are worth more.
fn legend_rows(rows: u16, has_room: bool, left: Option<Rect>, wishes: Wishes) -> [u16; 2] {
    match left {
        Some(left) if !wishes.is_replay && left.height >= MIN_MOVES + rows => [0, rows],
        _ if has_room => [rows, 0],
        _ => [0, 0],
    }
}

/// The moves on the left side of the board, above a legend of so many rows.
fn on_the_left(left: Rect, right: Rect, wanted: u16, legend: u16) -> Rect {
    let height = (left.height - legend).min(wanted);
    // In the corner below a slanted board they keep to its end.
    let y = if left.y > right.y { left.bottom() - height - legend } else { left.y };
    Rect { y, height, ..left }
}
