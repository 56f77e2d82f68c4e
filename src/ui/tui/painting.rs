//! Painting of the board on the screen: its options, its overlay, and its cursor.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Color;

use super::facts::{Facts, Phase};
use super::frame::FrameContext;
use super::layout::{Layout, number};
use super::screen::Focus;
use crate::canvas::{Canvas, PaintOptions, Role, Spot};
use crate::game::Side;
use crate::play::Match;
use crate::session::{Position, SearchReport};
use crate::text::Text;

/// Marks of an overlay: the place, sign and role of each.
pub(super) type Marks = Vec<(String, char, Role)>;

/// Reports whether the arrows step through moves.
fn is_walked(c: &FrameContext<'_>) -> bool {
    let is_at_the_board = matches!(c.screen.cursor.focus, Focus::Cursor | Focus::SetUp);
    c.game.is_replay() || c.game.is_analysis() && !is_at_the_board
}

/// Reports whether the board that is shown has a cursor at some time.
pub(super) fn can_have_cursor(c: &FrameContext<'_>) -> bool {
    !is_walked(c) && c.game.shown().is_some_and(|shown| shown.outcome().is_none())
}

/// Returns the legend of the signs on the board as it is drawn here.
pub(super) fn legend(c: &FrameContext<'_>, position: &dyn Position, frame: &Layout) -> Vec<Text> {
    let drawn = position.drawn();
    if frame.scale.is_some() { drawn.tile_legend() } else { drawn.legend(c.screen.looks.glyphs) }
}

/// Returns which marks the board can have: a cursor, a hint, the numbers of the best moves.
pub(super) fn possible_marks(c: &FrameContext<'_>, has_numbers: bool) -> [bool; 3] {
    let has_hint = c.game.is_some_and(|game| game.game().tree().node(game.game().shown()).hint.is_some());
    [can_have_cursor(c), has_hint || !c.game.is_replay(), has_numbers]
}

/// Returns the options with which a position is painted.
pub(super) fn paint_options<'s>(
    c: &FrameContext<'s>,
    position: &dyn Position,
    density: usize,
) -> PaintOptions<'s> {
    let is_turn = c.game.is_players_turn();
    let is_over = position.outcome().is_some(); // nothing can be put there, and the winning line is to be seen
    let has_cursor = can_have_cursor(c) && !is_over && (c.screen.cursor.layer == 0 || is_turn);
    let game = c.game.map(Match::game).filter(|game| game.lesson().is_none());
    PaintOptions {
        glyphs: c.screen.looks.glyphs,
        density,
        last: None, // the position knows it
        cursor: c.screen.cursor.place.as_deref().filter(|_| has_cursor),
        hint: game.and_then(|game| game.tree().node(game.shown()).hint.as_deref()),
        steps: is_turn,
        ways: has_ways(c) && !is_over,
        turned: c.screen.drawing.is_turned && position.drawn().turns(),
    }
}

impl FrameContext<'_> {
    /// Returns the board as it is drawn in this window.
    pub fn canvas(&self, density: usize) -> Option<Canvas> {
        let shown = self.game.shown()?;
        Some(shown.canvas(paint_options(self, shown, density)))
    }

    /// Returns the titles of the overlays in the order of the key: the paths of both sides, then
    /// those of the engines.
    pub fn overlays(&self) -> Vec<Text> {
        let Some(shown) = self.game.shown() else { return Vec::new() };
        path_overlay_label(self).into_iter().chain(shown.overlays()).collect()
    }
}

/// Puts a painted board into an area.
pub(super) fn put_canvas(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, canvas: &Canvas) {
    let tile = c.screen.looks.ink().palette().map_or(Color::Reset, |palette| palette.tile);
    for y in 0..canvas.height() {
        for x in 0..canvas.width() {
            let (glyph, role) = canvas.at(x, y);
            if let Some(cell) = buffer.cell_mut((area.x + number(x), area.y + number(y))) {
                cell.reset(); // drops its earlier contents
                cell.set_char(glyph).set_style(c.role(role));
                cell.bg = if canvas.is_tile(x, y) { tile } else { Color::Reset };
            }
        }
    }
}

/// Returns the title of the game's overlay of both sides' paths.
fn path_overlay_label(c: &FrameContext<'_>) -> Option<Text> {
    c.game.shown()?.drawn().path_overlay_label(c.screen.looks.glyphs)
}

/// Reports whether the overlay of both sides' paths is on.
pub(super) fn has_ways(c: &FrameContext<'_>) -> bool {
    c.screen.drawing.overlay == 1 && path_overlay_label(c).is_some()
}

/// Returns the marks of the engines' overlay that replaces the numbers of the best moves, if one is
/// on; the overlay of both sides' paths is none.
pub(super) fn overlay_marks(c: &FrameContext<'_>) -> Option<Marks> {
    let index = c.screen.drawing.overlay.checked_sub(1).filter(|_| !has_ways(c))?;
    let ways = usize::from(path_overlay_label(c).is_some());
    let marks = index.checked_sub(ways).and_then(|index| Some(c.game.shown()?.overlay(index)));
    Some(marks.unwrap_or_default().into_iter().map(|(text, mark)| (text, mark, Role::Path)).collect())
}

/// Returns the place under the cursor on a drawn board.
pub(super) fn focus<'c>(c: &FrameContext<'_>, canvas: &'c Canvas) -> Option<&'c Spot> {
    let shown = c.game.shown()?;
    let last = shown.last();
    // Where there is no cursor the last move is looked at, if there is one.
    let cursor = if is_walked(c) { last.as_deref() } else { c.screen.cursor.place.as_deref() }?;
    // Where a swap is possible the place of the first stone has the name of that move.
    let named = || shown.named_moves().iter().find_map(|(name, _)| canvas.find(name));
    canvas.find(cursor).or_else(named).or_else(|| canvas.find(&shown.view().sample()))
}

/// Returns the move that the place under the cursor of the drawn board means, if the cursor is
/// visible.
pub(super) fn focused(c: &FrameContext<'_>) -> Option<String> {
    let is_hidden =
        c.game.is_watched() && (c.game.phase() != Phase::Asking || c.game.is_match() && c.game.is_running());
    let canvas = c.canvas(0).filter(|_| !is_hidden)?;
    focus(c, &canvas).map(|spot| spot.text.clone())
}

/// Returns the effect of the move being typed, where its game can describe it beforehand, and
/// `true` if it can be played.
pub(super) fn typed_preview(c: &FrameContext<'_>) -> Option<(Text, bool)> {
    let present = c.game.present().filter(|_| c.game.is_players_turn() && c.screen.menu().is_none())?;
    let text = present.read(c.screen.typed()?).ok()?;
    let said = present.drawn().preview(&text, &paint_options(c, present, 0), c.game.you())?;
    Some((said, present.is_legal(&text)))
}

/// Returns the numbers by which cells can be typed now, if digits have no other meaning.
pub(super) fn numbers(c: &FrameContext<'_>) -> Option<String> {
    let habits = c.screen.looks.habits;
    let is_asked = c.game.is_players_turn() && !habits.has_digits && !habits.has_vi_keys;
    c.game.present().filter(|_| is_asked)?.view().numbers()
}

/// Returns the report for the engine's panel: none in a game with a person until it is requested
/// (`v`).
pub(super) fn analysis<'s>(c: &FrameContext<'s>) -> Option<(Side, &'s SearchReport)> {
    report(c).filter(|_| c.screen.drawing.studies || c.game.tells_itself())
}

/// Returns the report about the position on the screen that is shown, and the side that it is for.
/// The engine's report on its own last move is shown unasked; that on the next move of a person
/// only on request (`v`), and neither a hint nor a review shows it.
pub(super) fn report<'s>(c: &FrameContext<'s>) -> Option<(Side, &'s SearchReport)> {
    let is_thinking = c.game.phase() == Phase::Thinking && !c.game.is_looking();
    let is_told = c.screen.drawing.studies || c.game.tells_itself() || is_thinking;
    c.game.known().filter(|&(side, _)| is_told || !c.game.is_about_the_next_move(side))
}
