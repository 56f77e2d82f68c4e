//! Marks of engines over the board: those of an overlay, or the numbers of the best moves where a
//! panel explains them; and the decision whether an engine is to study the position.

use super::facts::{Facts, Phase};
use super::frame::FrameContext;
use super::layout::PanelId;
use super::painting;
use super::panels::layout_of;
use crate::canvas::{Canvas, Glyphs, Role, Spot};
use crate::play::{Lesson, Match};
use crate::record::Property;
use crate::session::Position;

/// Number of best moves that are numbered on the board.
const BEST: usize = 3;

/// Roles of pieces.
const PIECES: [Role; 4] = [Role::First, Role::Second, Role::FirstWon, Role::SecondWon];

impl FrameContext<'_> {
    /// Reports whether the engine is to study the position on the screen: this is wanted, and not
    /// done yet.
    pub fn wants_study(&self) -> bool {
        let is_wanted =
            self.screen.drawing.studies && !self.game.is_match() && self.game.phase() == Phase::Asking;
        let is_seen = || {
            let layout = layout_of(self);
            layout.has(PanelId::Engine) || !layout.has_room_for_engine
        };
        is_wanted && self.screen.menu().is_none() && self.can_be_studied() && is_seen()
    }

    /// Reports whether the engine can study the position on the screen: it has not yet, and it is
    /// free.
    fn can_be_studied(&self) -> bool {
        let is_open = |shown: &dyn Position| shown.outcome().is_none() && shown.values().is_empty();
        if self.game.is_some_and(|game| game.game().lesson().is_some()) {
            return false; // the better move is shown already
        }
        let is_known = !self.game.is_analysis()
            && self.game.known().is_some_and(|(side, _)| self.game.is_about_the_next_move(side));
        !is_known && self.game.shown().is_some_and(is_open) && self.game.is_some_and(Match::can_study)
    }

    /// Returns the board as it is drawn in this window, with the engines' marks.
    pub fn drawn(&self, density: usize) -> Option<Canvas> {
        let (shown, mut canvas) = (self.game.shown()?, self.canvas(density)?);
        let signs = if painting::has_ways(self) {
            shown.drawn().legend_signs(self.screen.looks.glyphs)
        } else {
            Vec::new()
        };
        for (text, mark, role) in self.marks() {
            // Never in place of a piece; a sign of a way in the colour of a side may be below the number of a move.
            let is_move =
                || shown.is_legal(&text) && shown.named_moves().iter().all(|(name, _)| *name != text);
            let is_place = role == Role::Hint && is_move();
            let is_free = |spot: &&Spot| match canvas.at(spot.x, spot.y).1 {
                Role::Hint => false, // the sign of a hint between cells
                Role::Allowed | Role::Refused if spot.layer > 0 => false, // the wall under the cursor
                under => is_place || !PIECES.contains(&under),
            };
            let Some(spot) = canvas.find(&text) else { continue };
            let (x, y) = (spot.x, spot.y);
            if !is_free(&spot) {
                // A mark noted at a piece stands beside it, or in the middle of a large one.
                let beside = canvas.at(x + 1, y);
                if role == Role::Path && (beside.0 == ' ' || PIECES.contains(&beside.1)) {
                    canvas.put(x + usize::from(beside.0 == ' '), y, mark, role);
                }
                continue;
            }
            // The sign of a way stays to be seen, where the number has room beside it.
            let is_sign = is_place && signs.contains(&canvas.at(x, y));
            let has_room = canvas.at(x + 1, y).0 == ' ' || canvas.at(x + 1, y).1 == Role::Allowed;
            let x = if is_sign && has_room { x + 1 } else { x };
            canvas.put(x, y, mark, role);
            // The sign of a step beside it says no more.
            if canvas.at(x + 1, y).1 == Role::Allowed && canvas.hit(x + 1, y) == Some(&text) {
                canvas.put(x + 1, y, ' ', Role::Plain);
            }
        }
        Some(canvas)
    }

    /// Returns the mistake that is shown, before a move of its better line.
    pub(super) fn mistake(&self) -> Option<&Lesson> {
        self.game.and_then(|game| game.game().lesson()).filter(|lesson| lesson.step() == 0)
    }

    /// Returns the engines' marks: those of an overlay, or the numbers of the best moves.
    pub(super) fn marks(&self) -> Vec<(String, char, Role)> {
        let Some(shown) = self.game.shown() else { return Vec::new() };
        if let Some(lesson) = self.mistake() {
            let played = self.game.and_then(|game| game.game().position(lesson.loss.node).last());
            let better = (lesson.loss.better.clone(), '!', Role::Hint);
            let signs = lesson.consequence.iter().flat_map(|consequence| consequence.marks.iter().cloned());
            let signs = signs.map(|(place, sign)| (place, sign, Role::Path));
            let played = played.map(|played| (played, '?', Role::Refused));
            return signs.chain(played).chain([better]).collect();
        }
        // The best moves are marked over ways, but not among other signs.
        if let Some(marks) = painting::overlay_marks(self) {
            return marks;
        }
        // Where the review has taken the panel's place nothing says what the numbers mean; where the worth of every
        // move is known there is nothing to be numbered.
        let is_open = shown.outcome().is_none() && shown.values().is_empty();
        let is_told = self.screen.drawing.shows_engine && is_open && !layout_of(self).hides_engine;
        // The other side's search before its move is no advice to this one.
        let report =
            painting::report(self).filter(|&(side, _)| is_told && self.game.is_about_the_next_move(side));
        let best = report.map_or(&[][..], |(_, report)| report.best_moves());
        let best =
            if best.len() > 1 { &best[..best.len().min(BEST).min(self.screen.drawing.lines())] } else { &[] };
        let best = best.iter().zip('1'..).map(|(one, number)| (one.text.clone(), number, Role::Hint));
        self.noted_marks().into_iter().chain(best).collect()
    }

    /// Returns the marks noted at the position on the screen: triangles, squares, circles, crosses
    /// and letters of SGF.
    fn noted_marks(&self) -> Vec<(String, char, Role)> {
        let signs = match self.screen.looks.glyphs {
            Glyphs::Unicode => [("TR", '△'), ("SQ", '□'), ("CR", '○'), ("MA", '×')],
            _ => [("TR", '^'), ("SQ", '#'), ("CR", 'o'), ("MA", 'x')],
        };
        let Some(game) = self.game.map(Match::game).filter(|game| game.lesson().is_none()) else {
            return Vec::new();
        };
        let of_property = |property: &Property| -> Vec<(String, char, Role)> {
            let sign = signs.iter().find(|(name, _)| *name == property.name).map(|&(_, sign)| sign);
            let marked = |value: &String| {
                let (cell, label) = value.split_once(':').unwrap_or((value, ""));
                let letter = label.chars().next().filter(|_| property.name == "LB");
                Some((cell.to_owned(), sign.or(letter)?, Role::Path))
            };
            property.values.iter().filter_map(marked).collect()
        };
        game.tree().node(game.shown()).properties.iter().flat_map(of_property).collect()
    }
}
