//! Engine marks on the board: those of an overlay, or the numbers of the best moves if a panel
//! explains them. This module also decides whether the engine should analyse the position.

use super::facts::{MatchFacts, MatchPhase};
use super::frame::FrameContext;
use super::layout::PanelId;
use super::painting;
use super::panels::cached_layout;
use crate::canvas::{Canvas, GlyphSet, MoveSpot, PaintRole};
use crate::play::{Match, MistakeLesson};
use crate::record::NodeProperty;
use crate::session::Position;

/// Maximum number of best moves that are numbered on the board.
const MAX_NUMBERED_MOVES: usize = 3;

/// Roles of characters that are parts of pieces.
const PIECE_ROLES: [PaintRole; 4] =
    [PaintRole::First, PaintRole::Second, PaintRole::FirstWon, PaintRole::SecondWon];

impl FrameContext<'_> {
    /// Reports whether the engine should analyse the shown position.
    ///
    /// It should if analysis is on and there is no result yet.
    pub fn wants_engine_study(&self) -> bool {
        let is_wanted = self.screen.drawing.studies
            && !self.game.is_engine_match()
            && self.game.phase() == MatchPhase::Asking;
        let is_seen = || {
            let layout = cached_layout(self);
            layout.shows_panel(PanelId::Engine) || !layout.has_room_for_engine
        };
        is_wanted && self.screen.menu().is_none() && self.can_study_position() && is_seen()
    }

    /// Reports whether the engine can analyse the shown position and has not done so yet.
    fn can_study_position(&self) -> bool {
        let is_open =
            |shown: &dyn Position| shown.outcome().is_none() && shown.exact_move_values().is_empty();
        if self.game.is_some_and(|game| game.game().shown_lesson().is_some()) {
            return false; // the better move is shown already
        }
        let is_known = !self.game.is_analysis()
            && self.game.engine_report().is_some_and(|(side, _)| self.game.is_report_for_side_to_move(side));
        !is_known
            && self.game.shown_position().is_some_and(is_open)
            && self.game.is_some_and(Match::can_request_study)
    }

    /// Paints the board with the engine's marks, at the drawing size with this index.
    pub fn paint_board_with_marks(&self, density: usize) -> Option<Canvas> {
        let (shown, mut canvas) = (self.game.shown_position()?, self.paint_board(density)?);
        let signs = if painting::shows_path_overlay(self) {
            shown.as_paint().legend_sign_roles(self.screen.looks.glyphs)
        } else {
            Vec::new()
        };
        for (text, mark, role) in self.board_marks() {
            // A mark never replaces a piece. A number may cover the path sign of a side.
            let is_move =
                || shown.is_legal(&text) && shown.named_moves().iter().all(|(name, _)| *name != text);
            let is_place = role == PaintRole::Hint && is_move();
            let is_free = |spot: &&MoveSpot| match canvas.glyph_at(spot.x, spot.y).1 {
                PaintRole::Hint => false, // the sign of a hint between cells
                PaintRole::Allowed | PaintRole::Refused if spot.layer > 0 => false, // the wall under the cursor
                under => is_place || !PIECE_ROLES.contains(&under),
            };
            let Some(spot) = canvas.find_spot(&text) else { continue };
            let (x, y) = (spot.x, spot.y);
            if !is_free(&spot) {
                // A mark on a piece is put beside it, or in the middle of a large piece.
                let beside = canvas.glyph_at(x + 1, y);
                if role == PaintRole::Path && (beside.0 == ' ' || PIECE_ROLES.contains(&beside.1)) {
                    canvas.put_glyph(x + usize::from(beside.0 == ' '), y, mark, role);
                }
                continue;
            }
            // The path sign stays visible if the number has room beside it.
            let is_sign = is_place && signs.contains(&canvas.glyph_at(x, y));
            let has_room =
                canvas.glyph_at(x + 1, y).0 == ' ' || canvas.glyph_at(x + 1, y).1 == PaintRole::Allowed;
            let x = if is_sign && has_room { x + 1 } else { x };
            canvas.put_glyph(x, y, mark, role);
            // The sign of a step beside the number would repeat it.
            if canvas.glyph_at(x + 1, y).1 == PaintRole::Allowed && canvas.move_at(x + 1, y) == Some(&text) {
                canvas.put_glyph(x + 1, y, ' ', PaintRole::Plain);
            }
        }
        Some(canvas)
    }

    /// Returns the mistake on the screen, unless moves of its better line are shown.
    pub(super) fn shown_mistake(&self) -> Option<&MistakeLesson> {
        self.game.and_then(|game| game.game().shown_lesson()).filter(|lesson| lesson.shown_move_count() == 0)
    }

    /// Returns the marks on the board with their cells, glyphs and roles.
    ///
    /// They are those of an overlay, or else the SGF marks and the numbers of the best moves.
    pub(super) fn board_marks(&self) -> Vec<(String, char, PaintRole)> {
        let Some(shown) = self.game.shown_position() else { return Vec::new() };
        if let Some(lesson) = self.shown_mistake() {
            let played = self.game.and_then(|game| game.game().position(lesson.loss.node).last_move());
            let better = (lesson.loss.better.clone(), '!', PaintRole::Hint);
            let signs = lesson.consequence.iter().flat_map(|consequence| consequence.marks.iter().cloned());
            let signs = signs.map(|(place, sign)| (place, sign, PaintRole::Path));
            let played = played.map(|played| (played, '?', PaintRole::Refused));
            return signs.chain(played).chain([better]).collect();
        }
        // The best moves are numbered over the path overlay, but not over other overlays.
        if let Some(marks) = painting::engine_overlay_marks(self) {
            return marks;
        }
        // If the review has replaced the engine's panel, nothing explains the numbers. If the value
        // of every move is known, numbers are not needed.
        let is_open = shown.outcome().is_none() && shown.exact_move_values().is_empty();
        let is_told = self.screen.drawing.shows_engine && is_open && !cached_layout(self).hides_engine;
        // A report on the other side's last move gives no advice to this side.
        let report = painting::visible_engine_report(self)
            .filter(|&(side, _)| is_told && self.game.is_report_for_side_to_move(side));
        let best = report.map_or(&[][..], |(_, report)| report.best_moves());
        let best = if best.len() > 1 {
            &best[..best.len().min(MAX_NUMBERED_MOVES).min(self.screen.drawing.engine_line_count())]
        } else {
            &[]
        };
        let best = best.iter().zip('1'..).map(|(one, number)| (one.text.clone(), number, PaintRole::Hint));
        self.sgf_marks().into_iter().chain(best).collect()
    }

    /// Returns the SGF marks at the shown position: triangles, squares, circles, crosses and
    /// letters.
    fn sgf_marks(&self) -> Vec<(String, char, PaintRole)> {
        let signs = match self.screen.looks.glyphs {
            GlyphSet::Unicode => [("TR", '△'), ("SQ", '□'), ("CR", '○'), ("MA", '×')],
            _ => [("TR", '^'), ("SQ", '#'), ("CR", 'o'), ("MA", 'x')],
        };
        let Some(game) = self.game.map(Match::game).filter(|game| game.shown_lesson().is_none()) else {
            return Vec::new();
        };
        let of_property = |property: &NodeProperty| -> Vec<(String, char, PaintRole)> {
            let sign = signs.iter().find(|(name, _)| *name == property.name).map(|&(_, sign)| sign);
            let marked = |value: &String| {
                let (cell, label) = value.split_once(':').unwrap_or((value, ""));
                let letter = label.chars().next().filter(|_| property.name == "LB");
                Some((cell.to_owned(), sign.or(letter)?, PaintRole::Path))
            };
            property.values.iter().filter_map(marked).collect()
        };
        game.tree().node(game.shown_node()).properties.iter().flat_map(of_property).collect()
    }
}
