//! The mistakes of a game, by its review or by the quick one, and showing them one after the other.

use std::sync::Arc;

use crate::ai::Consequence;
use crate::play::{Acted, Core, Fact, Game, Lesson, Loss, Mark, MatchRefusal};
use crate::record::NodeId;
use crate::session::Position;

impl Core {
    /// Shows what was shown before the mistake.
    pub(super) fn end_lesson(&mut self) -> Vec<Fact> {
        let Some(Lesson { before: (shown, is_gone_through), .. }) = self.lesson.take() else {
            return Vec::new();
        };
        self.line.is_gone_through = is_gone_through;
        self.look("goto", shown)
    }
}

impl Game {
    /// The mistake that is shown.
    #[must_use]
    pub fn lesson(&self) -> Option<&Lesson> {
        self.core.lesson.as_ref()
    }

    /// The moves of the line that is shown that have a mark, by the review as far as it has come, or else by the quick one.
    #[must_use]
    pub fn mistakes(&self) -> Vec<Loss> {
        let of_review: Vec<Loss> = self.marked().into_iter().map(|(_, loss)| loss).collect();
        let [judged, _, all] = self.reviewed();
        if !of_review.is_empty() || judged == all { of_review } else { self.quick_mistakes() }
    }

    /// Shows the position before a mistake: the one that turned the game, then the next one each time.
    pub(super) fn show_mistake(&mut self) -> Acted {
        let mistakes = self.mistakes();
        let place_of = |node: NodeId| mistakes.iter().position(|loss| loss.node == node);
        let worst = || mistakes.iter().rev().max_by(|one, other| one.cost.total_cmp(&other.cost));
        let next = match &self.core.lesson {
            Some(lesson) => place_of(lesson.loss.node).map(|place| (place + 1) % mistakes.len()),
            None => self.likely_turning_point().or(worst().cloned()).and_then(|loss| place_of(loss.node)),
        };
        let number = next.unwrap_or(0);
        let loss = mistakes.get(number).cloned().ok_or(MatchRefusal::NoMistake)?;
        let parent = self.core.line.tree.parent(loss.node).expect("a mistake is a move");
        let line = self.better_line(&loss);
        let before = self.core.lesson.as_ref().map(|lesson| lesson.before);
        let before = before.unwrap_or((self.core.line.shown, self.core.line.is_gone_through));
        let (count, number, consequence) = (mistakes.len(), number + 1, self.consequence(&loss));
        self.core.lesson = Some(Lesson { loss, number, count, consequence, line, step: 0, before });
        self.core.line.shown = parent;
        Ok(vec![Fact::Shown(parent)])
    }

    /// The positions of the better line at a mistake, as far as its moves are legal.
    #[must_use]
    pub fn better_line(&self, loss: &Loss) -> Vec<Arc<dyn Position>> {
        let Some(parent) = self.core.line.tree.parent(loss.node) else { return Vec::new() };
        let mut position = self.position(parent).reopened();
        let mut line = Vec::new();
        for text in &loss.line {
            let Ok(next) = Arc::clone(&position).play(text) else { break };
            line.push(Arc::clone(&next));
            position = next;
        }
        line
    }

    /// Says why a mistake is one, where that is certain. The wording changes from each mistake to the next one.
    #[must_use]
    pub fn consequence(&self, loss: &Loss) -> Option<Consequence<String>> {
        let parent = self.core.line.tree.parent(loss.node)?;
        let played = self.position(loss.node).last()?;
        let wording = self.mistakes().iter().position(|other| other.node == loss.node);
        self.position(parent).reopened().consequence([&played, &loss.better], wording.unwrap_or(0))
    }

    fn quick_mistakes(&self) -> Vec<Loss> {
        let losses = self.line().into_iter().filter_map(|id| self.quick_loss(id));
        losses.filter(|loss| Mark::of(loss.cost).is_some()).collect()
    }
}
