//! Paints the board on the screen, with its options, overlay and cursor.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Color;

use super::facts::{MatchFacts, MatchPhase};
use super::frame::FrameContext;
use super::layout::{ScreenLayout, to_u16_saturating};
use super::screen::AnalysisFocus;
use crate::canvas::{Canvas, MoveSpot, PaintOptions, PaintRole};
use crate::game::Side;
use crate::play::Match;
use crate::session::{Position, SearchReport};
use crate::text::Text;

/// Marks on the board, each with its cell or wall slot, glyph and role.
pub(super) type BoardMarks = Vec<(String, char, PaintRole)>;

/// Reports whether the arrow keys step through moves.
fn arrows_step_through_moves(c: &FrameContext<'_>) -> bool {
    let is_at_the_board = matches!(c.screen.cursor.focus, AnalysisFocus::Cursor | AnalysisFocus::SetUp);
    c.game.is_replay() || c.game.is_analysis() && !is_at_the_board
}

/// Reports whether the shown board can have a cursor.
pub(super) fn board_can_have_cursor(c: &FrameContext<'_>) -> bool {
    !arrows_step_through_moves(c) && c.game.shown_position().is_some_and(|shown| shown.outcome().is_none())
}

/// Returns the legend of the signs on the board, in tiles or in lines.
pub(super) fn board_legend(c: &FrameContext<'_>, position: &dyn Position, frame: &ScreenLayout) -> Vec<Text> {
    let drawn = position.as_paint();
    if frame.scale.is_some() { drawn.tile_legend() } else { drawn.legend(c.screen.looks.glyphs) }
}

/// Reports whether the board can have a cursor, a hint, and the numbers of the best moves.
pub(super) fn possible_board_marks(c: &FrameContext<'_>, has_numbers: bool) -> [bool; 3] {
    let has_hint =
        c.game.is_some_and(|game| game.game().tree().node(game.game().shown_node()).hint.is_some());
    [board_can_have_cursor(c), has_hint || !c.game.is_replay(), has_numbers]
}

/// Returns the options for painting a position.
pub(super) fn paint_options<'s>(
    c: &FrameContext<'s>,
    position: &dyn Position,
    density: usize,
) -> PaintOptions<'s> {
    let is_turn = c.game.is_players_turn();
    let is_over = position.outcome().is_some(); // no move is possible, and the winning line must stay visible
    let has_cursor = board_can_have_cursor(c) && !is_over && (c.screen.cursor.layer == 0 || is_turn);
    let game = c.game.map(Match::game).filter(|game| game.shown_lesson().is_none());
    PaintOptions {
        glyphs: c.screen.looks.glyphs,
        density,
        last: None, // the position knows it
        cursor: c.screen.cursor.place.as_deref().filter(|_| has_cursor),
        hint: game.and_then(|game| game.tree().node(game.shown_node()).hint.as_deref()),
        steps: is_turn,
        ways: shows_path_overlay(c) && !is_over,
        turned: c.screen.drawing.is_turned && position.as_paint().can_flip(),
    }
}

impl FrameContext<'_> {
    /// Paints the shown board without engine marks, at the drawing size with this index.
    pub fn paint_board(&self, density: usize) -> Option<Canvas> {
        let shown = self.game.shown_position()?;
        Some(shown.paint_board(paint_options(self, shown, density)))
    }

    /// Returns the titles of the overlays in the order in which the overlay key shows them.
    ///
    /// The overlay of both sides' paths comes first, then those of the engines.
    pub fn overlay_titles(&self) -> Vec<Text> {
        let Some(shown) = self.game.shown_position() else { return Vec::new() };
        path_overlay_label(self).into_iter().chain(shown.overlay_titles()).collect()
    }
}

/// Draws a painted board into an area.
pub(super) fn draw_canvas(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, canvas: &Canvas) {
    let tile = c.screen.looks.terminal_theme().palette().map_or(Color::Reset, |palette| palette.tile);
    for y in 0..canvas.height() {
        for x in 0..canvas.width() {
            let (glyph, role) = canvas.glyph_at(x, y);
            if let Some(cell) =
                buffer.cell_mut((area.x + to_u16_saturating(x), area.y + to_u16_saturating(y)))
            {
                cell.reset(); // drops its earlier contents
                cell.set_char(glyph).set_style(c.role_style(role));
                cell.bg = if canvas.is_tile(x, y) { tile } else { Color::Reset };
            }
        }
    }
}

/// Returns the title of the path overlay, if the game has one.
fn path_overlay_label(c: &FrameContext<'_>) -> Option<Text> {
    c.game.shown_position()?.as_paint().path_overlay_label(c.screen.looks.glyphs)
}

/// Reports whether the overlay of both sides' paths is on.
pub(super) fn shows_path_overlay(c: &FrameContext<'_>) -> bool {
    c.screen.drawing.overlay == 1 && path_overlay_label(c).is_some()
}

/// Returns the marks of the active engine overlay, or `None` if no engine overlay is on.
///
/// The path overlay is not an engine overlay.
pub(super) fn engine_overlay_marks(c: &FrameContext<'_>) -> Option<BoardMarks> {
    let index = c.screen.drawing.overlay.checked_sub(1).filter(|_| !shows_path_overlay(c))?;
    let ways = usize::from(path_overlay_label(c).is_some());
    let marks = index.checked_sub(ways).and_then(|index| Some(c.game.shown_position()?.overlay_marks(index)));
    Some(marks.unwrap_or_default().into_iter().map(|(text, mark)| (text, mark, PaintRole::Path)).collect())
}

/// Returns the cell or wall slot under the cursor on a painted board.
pub(super) fn spot_under_cursor<'c>(c: &FrameContext<'_>, canvas: &'c Canvas) -> Option<&'c MoveSpot> {
    let shown = c.game.shown_position()?;
    let last = shown.last_move();
    // Without a cursor, the place of the last move is used.
    let cursor =
        if arrows_step_through_moves(c) { last.as_deref() } else { c.screen.cursor.place.as_deref() }?;
    // If a swap is possible, the place of the first stone has the name of the swap.
    let named = || shown.named_moves().iter().find_map(|(name, _)| canvas.find_spot(name));
    canvas.find_spot(cursor).or_else(named).or_else(|| canvas.find_spot(&shown.view().sample_move()))
}

/// Returns the move of the cell or wall slot under the cursor, if the cursor is visible.
pub(super) fn move_under_cursor(c: &FrameContext<'_>) -> Option<String> {
    let is_hidden = c.game.has_no_human_player()
        && (c.game.phase() != MatchPhase::Asking || c.game.is_engine_match() && c.game.is_autoplaying());
    let canvas = c.paint_board(0).filter(|_| !is_hidden)?;
    spot_under_cursor(c, &canvas).map(|spot| spot.text.clone())
}

/// Describes the effect of the move being typed, if the game supports it.
///
/// The second value is `true` if the move is legal.
pub(super) fn preview_typed_move(c: &FrameContext<'_>) -> Option<(Text, bool)> {
    let present =
        c.game.present_position().filter(|_| c.game.is_players_turn() && c.screen.menu().is_none())?;
    let text = present.normalize_move(c.screen.typed_line()?).ok()?;
    let said = present.as_paint().move_preview(&text, &paint_options(c, present, 0), c.game.human_side())?;
    Some((said, present.is_legal(&text)))
}

/// Returns the cell numbers that can be typed as moves, unless digit keys have another meaning.
pub(super) fn typable_cell_numbers(c: &FrameContext<'_>) -> Option<String> {
    let habits = c.screen.looks.habits;
    let is_asked = c.game.is_players_turn() && !habits.has_digits && !habits.has_vi_keys;
    c.game.present_position().filter(|_| is_asked)?.view().cell_numbers()
}

/// Returns the report for the engine's panel, with its side.
///
/// In a game with a human there is none until the player requests it (`v`).
pub(super) fn engine_panel_report<'s>(c: &FrameContext<'s>) -> Option<(Side, &'s SearchReport)> {
    visible_engine_report(c).filter(|_| c.screen.drawing.studies || c.game.is_between_engines())
}

/// Returns the report on the shown position that the screen may display, with its side.
///
/// A report on the engine's own last move is always displayed. A report on the next move of a human
/// is displayed only on request (`v`), not because of a hint or a review.
pub(super) fn visible_engine_report<'s>(c: &FrameContext<'s>) -> Option<(Side, &'s SearchReport)> {
    let is_thinking = c.game.phase() == MatchPhase::Thinking && !c.game.shows_other_position();
    let is_told = c.screen.drawing.studies || c.game.is_between_engines() || is_thinking;
    c.game.engine_report().filter(|&(side, _)| is_told || !c.game.is_report_for_side_to_move(side))
}
