//! The board as the screen has it painted: how, with which overlay, and what its cursor is on.

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

/// The marks of an overlay: where, which sign, and as what.
pub(super) type Marks = Vec<(String, char, Role)>;

/// Reports whether the arrows walk along moves.
fn is_walked(c: &FrameContext<'_>) -> bool {
    let is_at_the_board = matches!(c.screen.cursor.focus, Focus::Cursor | Focus::SetUp);
    c.game.is_replay() || c.game.is_analysis() && !is_at_the_board
}

/// Reports whether the board that is shown has a cursor at some time.
pub(super) fn can_have_cursor(c: &FrameContext<'_>) -> bool {
    !is_walked(c) && c.game.shown().is_some_and(|shown| shown.outcome().is_none())
}

/// What the signs on the board mean as it is drawn here.
pub(super) fn legend(c: &FrameContext<'_>, position: &dyn Position, frame: &Layout) -> Vec<Text> {
    let drawn = position.drawn();
    if frame.scale.is_some() { drawn.tile_legend() } else { drawn.legend(c.screen.looks.glyphs) }
}

/// Which marks the board can have: a cursor, a hint, the numbers of the best moves.
pub(super) fn possible_marks(c: &FrameContext<'_>, has_numbers: bool) -> [bool; 3] {
    let has_hint = c.game.is_some_and(|game| game.game().tree().node(game.game().shown()).hint.is_some());
    [can_have_cursor(c), has_hint || !c.game.is_replay(), has_numbers]
}

/// How a position is to be painted.
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
    /// The board as it is drawn in this window.
    pub fn canvas(&self, density: usize) -> Option<Canvas> {
        let shown = self.game.shown()?;
        Some(shown.canvas(paint_options(self, shown, density)))
    }

    /// The titles of what can lie over the board, in the order of the key: the ways of both sides, then what the
    /// engines mark.
    pub fn overlays(&self) -> Vec<Text> {
        let Some(shown) = self.game.shown() else { return Vec::new() };
        path_overlay_label(self).into_iter().chain(shown.overlays()).collect()
    }
}

/// Puts a board that is painted into an area.
pub(super) fn put_canvas(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, canvas: &Canvas) {
    let tile = c.screen.looks.ink().palette().map_or(Color::Reset, |palette| palette.tile);
    for y in 0..canvas.height() {
        for x in 0..canvas.width() {
            let (glyph, role) = canvas.at(x, y);
            if let Some(cell) = buffer.cell_mut((area.x + number(x), area.y + number(y))) {
                cell.reset(); // nothing of what was there before
                cell.set_char(glyph).set_style(c.role(role));
                cell.bg = if canvas.is_tile(x, y) { tile } else { Color::Reset };
            }
        }
    }
}

/// What the game shows of both sides' ways.
fn path_overlay_label(c: &FrameContext<'_>) -> Option<Text> {
    c.game.shown()?.drawn().path_overlay_label(c.screen.looks.glyphs)
}

/// Reports whether the ways of both sides lie over the board.
pub(super) fn has_ways(c: &FrameContext<'_>) -> bool {
    c.screen.drawing.overlay == 1 && path_overlay_label(c).is_some()
}

/// The marks of the engines' overlay that lies over the board in place of the numbers of the best moves, if one does;
/// the ways of both sides are none.
pub(super) fn overlay_marks(c: &FrameContext<'_>) -> Option<Marks> {
    let index = c.screen.drawing.overlay.checked_sub(1).filter(|_| !has_ways(c))?;
    let ways = usize::from(path_overlay_label(c).is_some());
    let marks = index.checked_sub(ways).and_then(|index| Some(c.game.shown()?.overlay(index)));
    Some(marks.unwrap_or_default().into_iter().map(|(text, mark)| (text, mark, Role::Path)).collect())
}

/// The place under the cursor on a drawn board.
pub(super) fn focus<'c>(c: &FrameContext<'_>, canvas: &'c Canvas) -> Option<&'c Spot> {
    let shown = c.game.shown()?;
    let last = shown.last();
    // Where there is no cursor the last move is looked at, if there is one.
    let cursor = if is_walked(c) { last.as_deref() } else { c.screen.cursor.place.as_deref() }?;
    // Where the first stone may be taken over its place has the name of that move.
    let named = || shown.named_moves().iter().find_map(|(name, _)| canvas.find(name));
    canvas.find(cursor).or_else(named).or_else(|| canvas.find(&shown.view().sample()))
}

/// The move that the place under the cursor of the drawn board means, where the cursor is to be seen.
pub(super) fn focused(c: &FrameContext<'_>) -> Option<String> {
    let is_hidden =
        c.game.is_watched() && (c.game.phase() != Phase::Asking || c.game.is_match() && c.game.is_running());
    let canvas = c.canvas(0).filter(|_| !is_hidden)?;
    focus(c, &canvas).map(|spot| spot.text.clone())
}

/// What the move would do that is typed now, where its game says that beforehand, and whether it can be played.
pub(super) fn typed_preview(c: &FrameContext<'_>) -> Option<(Text, bool)> {
    let present = c.game.present().filter(|_| c.game.is_players_turn() && c.screen.menu().is_none())?;
    let text = present.read(c.screen.typed()?).ok()?;
    let said = present.drawn().preview(&text, &paint_options(c, present, 0), c.game.you())?;
    Some((said, present.is_legal(&text)))
}

/// The numbers by which cells can be typed now, where digits do nothing else.
pub(super) fn numbers(c: &FrameContext<'_>) -> Option<String> {
    let habits = c.screen.looks.habits;
    let is_asked = c.game.is_players_turn() && !habits.has_digits && !habits.has_vi_keys;
    c.game.present().filter(|_| is_asked)?.view().numbers()
}

/// What the panel of the engine tells: nothing of a game that a person plays before it is asked for (`v`).
pub(super) fn analysis<'s>(c: &FrameContext<'s>) -> Option<(Side, &'s SearchReport)> {
    report(c).filter(|_| c.screen.drawing.studies || c.game.tells_itself())
}

/// What is told about the position on the screen, and for which side. What the machine thought before its own move is
/// told unasked; what it thinks about the next move of a person is told to those who want to know (`v`), and neither a
/// hint nor a review tells it.
pub(super) fn report<'s>(c: &FrameContext<'s>) -> Option<(Side, &'s SearchReport)> {
    let is_thinking = c.game.phase() == Phase::Thinking && !c.game.is_looking();
    let is_told = c.screen.drawing.studies || c.game.tells_itself() || is_thinking;
    c.game.known().filter(|&(side, _)| is_told || !c.game.is_about_the_next_move(side))
}
