//! The list of moves: a row for the moves of both sides.

use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::{columns_of, cut, push, width_of};
use super::super::facts::Facts;
use super::super::frame::FrameContext;
use super::super::layout::{Panel, PanelContent, PanelId, number};
use super::super::theme::Part;
use crate::canvas::{Glyphs, Role};
use crate::game::Side;
use crate::messages::screen as sentences;
use crate::play::Game;
use crate::session;

/// Number of rows that the moves keep, frame included, before the engine panel is left out.
pub(super) const MIN_MOVES: u16 = 4;
/// Most rounds that the moves have rows for, even if the game can have more: a high box is empty
/// for most of a game.
const MOST_ROUNDS: u16 = 20;
/// Columns of a number, and of the gap after it.
const NUMBER: u16 = 4;

/// Returns the column of the numbers of Second's moves inside a frame of this width.
pub(super) fn second_column(width: u16) -> u16 {
    width.saturating_sub(10).clamp(NUMBER + 5, 13)
}

/// Returns the panel for a frame of `width` columns.
pub(super) fn content(c: &FrameContext<'_>, width: u16) -> PanelContent {
    let rounds =
        c.game.shown().map_or(0, |shown| number(shown.start().legal_count() / 2 + 2)).min(MOST_ROUNDS);
    let opening = c.game.shown().and_then(session::Position::opening);
    PanelContent {
        id: PanelId::Moves,
        rank: 4,
        min: MIN_MOVES,
        wanted: rounds.max(MIN_MOVES) + 2,
        title: opening.map_or_else(|| "Moves".to_owned(), sentences::moves_of_opening),
        lines: c.game.map_or_else(Vec::new, |game| rows(c, game.game(), width.saturating_sub(2))),
        short: Vec::new(),
        dots: "",
    }
}

/// Returns the number of rows of the moves, with that of the next move.
fn rounds(c: &FrameContext<'_>) -> usize {
    let places = c.game.last_ply() + skipped(c.game.shown());
    places / 2 + 1
}

/// Returns the number of places left empty in the first row: that of First where Second made the
/// first move.
fn skipped(shown: Option<&dyn session::Position>) -> usize {
    shown.map_or(0, |shown| shown.first_mover().index())
}

/// Returns the rows, in `width` columns.
fn rows(c: &FrameContext<'_>, game: &Game, width: u16) -> Vec<Line<'static>> {
    let line = game.line();
    let now = game.position(*line.last().expect("a line has a first position"));
    let (played, is_over) = (&line[1..], now.outcome().is_some());
    let is_shown = c.game.is_looking() || c.game.is_replay();
    let skipped = skipped(Some(&**now));
    let row = |round: usize| {
        let mut row = Line::default();
        for (side, x) in [(Side::First, 0), (Side::Second, second_column(width))] {
            let Some(ply) = (round * 2 + side.index()).checked_sub(skipped) else { continue };
            let text = match played.get(ply) {
                Some(&id) => game.position(id).last().unwrap_or_default(),
                None if ply == played.len() && !is_over => open_move(c).to_owned(),
                None => continue,
            };
            // Every move has its number, as everywhere else.
            put_at(&mut row, x, width, &format!("{:>3} ", ply + 1), c.screen.looks.part(Part::Faint));
            let x = x + NUMBER;
            let is_here = is_shown && played.get(ply) == Some(&game.shown());
            let style = c.role(Role::of(side));
            let style = if is_here { style.reversed() } else { style };
            put_at(&mut row, x, width, &cut(&text, width.saturating_sub(x), c), style);
            let Some(&id) = played.get(ply) else { continue };
            if let Some((mark, _)) = game.marked_move(id) {
                let x = columns_of(&row) + 1;
                put_at(&mut row, x, width, mark.symbol(), c.role(Role::Hint));
            }
            // Number of other moves that were played here.
            let others = game.tree().parent(id).map_or(0, |parent| game.tree().children(parent).len() - 1);
            if others > 0 {
                let x = columns_of(&row) + 1;
                put_at(&mut row, x, width, &format!("+{others}"), c.screen.looks.part(Part::Faint));
            }
        }
        row
    };
    let last = played.len() + skipped;
    let is_there = |round: &usize| round * 2 < last || !is_over;
    (0..=last / 2).take_while(is_there).map(row).collect()
}

/// Returns the sign that stands for the next move.
fn open_move(c: &FrameContext<'_>) -> &'static str {
    if c.screen.looks.glyphs == Glyphs::Unicode { "…" } else { "..." }
}

/// Writes a text at a column of a row of this width, over its present text.
fn put_at(row: &mut Line<'static>, x: u16, width: u16, text: &str, style: Style) {
    while columns_of(row) > x
        && let Some(span) = row.spans.last_mut()
    {
        if span.content.to_mut().pop().is_none() {
            row.spans.pop();
        }
    }
    let gap = x - columns_of(row);
    if x + width_of(text) <= width {
        push(row, " ".repeat(gap.into()), Style::new());
        push(row, text, style);
    }
}

/// Returns the first row shown of `rows` rows, so that the position on the screen is among them.
pub(super) fn top(c: &FrameContext<'_>, rows: u16) -> usize {
    let Some(shown) = c.game.shown() else { return 0 };
    let rows = usize::from(rows);
    let here = (shown.plies() + skipped(Some(shown))).saturating_sub(1) / 2;
    let last = rounds(c).saturating_sub(rows);
    if c.game.is_looking() { here.saturating_sub(rows / 2).min(last) } else { last }
}

/// Returns the number of moves up to the move at a place of this list.
pub(super) fn hit(c: &FrameContext<'_>, panel: &Panel, at: Position) -> Option<usize> {
    let inside = panel.area.inner(Margin::new(1, 1));
    // The right edge belongs to the list.
    if !(Rect { width: inside.width + 1, ..inside }).contains(at) {
        return None;
    }
    let round = panel.top + usize::from(at.y - inside.y);
    let place = round * 2 + usize::from(at.x - inside.x >= second_column(inside.width)) + 1;
    place.checked_sub(skipped(c.game.shown())).filter(|ply| (1..=c.game.last_ply()).contains(ply))
}
