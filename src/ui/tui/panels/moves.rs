//! List of moves. A row shows one move of each side.

use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::{line_columns, push_styled, text_columns, truncate_text};
use super::super::facts::MatchFacts;
use super::super::frame::FrameContext;
use super::super::layout::{PanelContent, PanelId, PlacedPanel, to_u16_saturating};
use super::super::theme::ScreenPart;
use crate::canvas::{GlyphSet, PaintRole};
use crate::game::Side;
use crate::messages::screen as sentences;
use crate::play::LiveGame;
use crate::session;

/// Minimum number of rows of the list of moves, including the frame.
///
/// It takes precedence over the engine's panel.
pub(super) const MIN_MOVE_PANEL_ROWS: u16 = 4;
/// Maximum number of rows that are reserved for rounds. More would be empty for most of a game.
const MAX_ROUND_ROWS: u16 = 20;
/// Width of a move's number with the gap after it, in columns.
const MOVE_NUMBER_COLUMNS: u16 = 4;

/// Returns the column at which the numbers of Second's moves begin in a frame of this width.
pub(super) fn second_side_column(width: u16) -> u16 {
    width.saturating_sub(10).clamp(MOVE_NUMBER_COLUMNS + 5, 13)
}

/// Builds the list of moves for a frame of `width` columns.
pub(super) fn build_moves_panel(c: &FrameContext<'_>, width: u16) -> PanelContent {
    let rounds = c
        .game
        .shown_position()
        .map_or(0, |shown| to_u16_saturating(shown.start_position().legal_move_count() / 2 + 2))
        .min(MAX_ROUND_ROWS);
    let opening = c.game.shown_position().and_then(session::Position::opening_name);
    PanelContent {
        id: PanelId::Moves,
        rank: 4,
        min: MIN_MOVE_PANEL_ROWS,
        wanted: rounds.max(MIN_MOVE_PANEL_ROWS) + 2,
        title: opening.map_or_else(|| "Moves".to_owned(), sentences::opening_moves_heading),
        lines: c.game.map_or_else(Vec::new, |game| render_move_rows(c, game.game(), width.saturating_sub(2))),
        short: Vec::new(),
        dots: "",
    }
}

/// Returns the number of rows of the list, including the row of the next move.
fn count_round_rows(c: &FrameContext<'_>) -> usize {
    let places = c.game.last_ply() + count_skipped_places(c.game.shown_position());
    places / 2 + 1
}

/// Returns the number of empty entries in the first row: 1 if Second made the first move, else 0.
fn count_skipped_places(shown: Option<&dyn session::Position>) -> usize {
    shown.map_or(0, |shown| shown.first_mover().index())
}

/// Renders the rows of the list in `width` columns.
fn render_move_rows(c: &FrameContext<'_>, game: &LiveGame, width: u16) -> Vec<Line<'static>> {
    let line = game.shown_line();
    let now = game.position(*line.last().expect("a line has a first position"));
    let (played, is_over) = (&line[1..], now.outcome().is_some());
    let is_shown = c.game.shows_other_position() || c.game.is_replay();
    let skipped = count_skipped_places(Some(&**now));
    let row = |round: usize| {
        let mut row = Line::default();
        for (side, x) in [(Side::First, 0), (Side::Second, second_side_column(width))] {
            let Some(ply) = (round * 2 + side.index()).checked_sub(skipped) else { continue };
            let text = match played.get(ply) {
                Some(&id) => game.position(id).last_move().unwrap_or_default(),
                None if ply == played.len() && !is_over => next_move_sign(c).to_owned(),
                None => continue,
            };
            // Every move has its own number, as everywhere else.
            write_at_column(
                &mut row,
                x,
                width,
                &format!("{:>3} ", ply + 1),
                c.screen.looks.part_style(ScreenPart::Faint),
            );
            let x = x + MOVE_NUMBER_COLUMNS;
            let is_here = is_shown && played.get(ply) == Some(&game.shown_node());
            let style = c.role_style(PaintRole::for_piece(side));
            let style = if is_here { style.reversed() } else { style };
            write_at_column(&mut row, x, width, &truncate_text(&text, width.saturating_sub(x), c), style);
            let Some(&id) = played.get(ply) else { continue };
            if let Some((mark, _)) = game.marked_move(id) {
                let x = line_columns(&row) + 1;
                write_at_column(&mut row, x, width, mark.symbol(), c.role_style(PaintRole::Hint));
            }
            // The number of variations at this move.
            let others = game.tree().parent(id).map_or(0, |parent| game.tree().children(parent).len() - 1);
            if others > 0 {
                let x = line_columns(&row) + 1;
                write_at_column(
                    &mut row,
                    x,
                    width,
                    &format!("+{others}"),
                    c.screen.looks.part_style(ScreenPart::Faint),
                );
            }
        }
        row
    };
    let last = played.len() + skipped;
    let is_there = |round: &usize| round * 2 < last || !is_over;
    (0..=last / 2).take_while(is_there).map(row).collect()
}

/// Returns the sign that marks the next move in the list.
fn next_move_sign(c: &FrameContext<'_>) -> &'static str {
    if c.screen.looks.glyphs == GlyphSet::Unicode { "…" } else { "..." }
}

/// Writes a text at a column of a row and replaces the text from there on.
fn write_at_column(row: &mut Line<'static>, x: u16, width: u16, text: &str, style: Style) {
    while line_columns(row) > x
        && let Some(span) = row.spans.last_mut()
    {
        if span.content.to_mut().pop().is_none() {
            row.spans.pop();
        }
    }
    let gap = x - line_columns(row);
    if x + text_columns(text) <= width {
        push_styled(row, " ".repeat(gap.into()), Style::new());
        push_styled(row, text, style);
    }
}

/// Returns the index of the first visible row of the list.
///
/// It is chosen so that the shown position is among the `rows` visible rows.
pub(super) fn first_visible_move_row(c: &FrameContext<'_>, rows: u16) -> usize {
    let Some(shown) = c.game.shown_position() else { return 0 };
    let rows = usize::from(rows);
    let here = (shown.plies() + count_skipped_places(Some(shown))).saturating_sub(1) / 2;
    let last = count_round_rows(c).saturating_sub(rows);
    if c.game.shows_other_position() { here.saturating_sub(rows / 2).min(last) } else { last }
}

/// Returns the ply of the move at a screen position in the list.
pub(super) fn ply_at(c: &FrameContext<'_>, panel: &PlacedPanel, at: Position) -> Option<usize> {
    let inside = panel.area.inner(Margin::new(1, 1));
    // The right edge of the frame belongs to the list.
    if !(Rect { width: inside.width + 1, ..inside }).contains(at) {
        return None;
    }
    let round = panel.top + usize::from(at.y - inside.y);
    let place = round * 2 + usize::from(at.x - inside.x >= second_side_column(inside.width)) + 1;
    place
        .checked_sub(count_skipped_places(c.game.shown_position()))
        .filter(|ply| (1..=c.game.last_ply()).contains(ply))
}
