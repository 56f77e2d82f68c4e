//! The mistakes of a game, found by its review or quick review.
//!
//! One command shows them one after the other.

use std::sync::Arc;

use crate::ai::MistakeConsequence;
use crate::play::{
    ActivityResult, LiveGame, LiveGameState, MatchFact, MatchRefusal, MistakeLesson, MistakeMark, MoveLoss,
    PracticeItem, PracticeTask, TaskOrigin, TaskPosition,
};
use crate::record::{MoveSource, NodeId};
use crate::session::Position;
use crate::text;

/// Review findings about the moves that human players made in a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewFindings {
    /// Blunders, as tasks for practice.
    pub tasks: Vec<PracticeTask>,
    /// Task IDs of the moves that a full review found not to be blunders.
    pub cleared: Vec<String>,
    /// ID of the saved game; `None` unless a full review has covered all its positions.
    pub whole_review: Option<String>,
}

impl LiveGameState {
    /// Returns the positions of the better line at a mistake, up to its first illegal move.
    pub(super) fn better_line(&self, loss: &MoveLoss) -> Vec<Arc<dyn Position>> {
        let Some(parent) = self.line.tree.parent(loss.node) else { return Vec::new() };
        let mut position = self.line.tree.position(parent).without_early_end();
        let mut line = Vec::new();
        for text in &loss.line {
            let Ok(next) = Arc::clone(&position).play(text) else { break };
            line.push(Arc::clone(&next));
            position = next;
        }
        line
    }

    /// Returns the explanation of a mistake; `wording` selects one of several phrasings.
    pub(super) fn explain_mistake(
        &self,
        loss: &MoveLoss,
        wording: usize,
    ) -> Option<MistakeConsequence<String>> {
        let tree = &self.line.tree;
        let (parent, played) = (tree.parent(loss.node)?, tree.position(loss.node).last_move()?);
        let before = tree.position(parent).without_early_end();
        let refutation =
            self.study.evaluations.get(&loss.node).map(|judged| judged.line.clone()).unwrap_or_default();
        let refuted: Vec<String> = [played.clone()].into_iter().chain(refutation).collect();
        let pattern = before.name_line_pattern(&refuted).or_else(|| before.name_line_pattern(&loss.line));
        match (before.explain_mistake([&played, &loss.better], wording), pattern) {
            (Some(found), Some(pattern)) => {
                Some(MistakeConsequence { text: text!("{} {pattern}", found.text), ..found })
            }
            (found, pattern) => found.or_else(|| pattern.map(MistakeConsequence::from_text)),
        }
    }

    /// Closes the mistake lesson and shows the position from before it.
    pub(super) fn end_lesson(&mut self) -> Vec<MatchFact> {
        let Some(MistakeLesson { before: (shown, is_stepped_through), .. }) = self.lesson.take() else {
            return Vec::new();
        };
        self.line.is_stepped_through = is_stepped_through;
        self.show_position("goto", shown)
    }
}

impl LiveGame {
    /// Returns the mistake under practice; `None` for other activities than training.
    #[must_use]
    pub fn practice_item(&self) -> Option<&PracticeItem> {
        self.activity.practice_item()
    }

    /// Returns the open mistake lesson.
    #[must_use]
    pub fn shown_lesson(&self) -> Option<&MistakeLesson> {
        self.core.lesson.as_ref()
    }

    /// Returns the marked mistakes of the shown line.
    ///
    /// They come from the review, or from the quick review if the review is incomplete and has
    /// found none.
    #[must_use]
    pub fn marked_mistakes(&self) -> Vec<MoveLoss> {
        let of_review: Vec<MoveLoss> = self.marked_moves().into_iter().map(|(_, loss)| loss).collect();
        let [judged, _, all] = self.review_counts();
        if !of_review.is_empty() || judged == all { of_review } else { self.quick_review_mistakes() }
    }

    /// Shows the position before a mistake, starting with the turning point.
    pub(super) fn show_next_mistake(&mut self) -> ActivityResult {
        let mistakes = self.marked_mistakes();
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
        let before = before.unwrap_or((self.core.line.shown, self.core.line.is_stepped_through));
        let (count, number, consequence) = (mistakes.len(), number + 1, self.explain_mistake(&loss));
        self.core.lesson = Some(MistakeLesson { loss, number, count, consequence, line, step: 0, before });
        self.core.line.shown = parent;
        Ok(vec![MatchFact::Shown(parent)])
    }

    /// Returns the positions of the better line at a mistake, up to its first illegal move.
    #[must_use]
    pub fn better_line(&self, loss: &MoveLoss) -> Vec<Arc<dyn Position>> {
        self.core.better_line(loss)
    }

    /// Reports whether a human player made the move that led to a node.
    ///
    /// Moves on the analysis board do not count.
    fn is_human_move(&self, id: NodeId) -> bool {
        let node = self.tree().node(id);
        node.is_from_own_game || node.by == MoveSource::Human && !self.is_analysis()
    }

    /// Returns the review findings about the moves of human players in the shown line.
    ///
    /// Moves without a full review are judged by the quick review, once it is complete.
    #[must_use]
    pub fn review_findings(&self, origin: &TaskOrigin) -> ReviewFindings {
        let (line, mut found) = (self.shown_line(), ReviewFindings::default());
        let is_quick_done =
            self.core.study.quick_end == Some(self.present_node()) && !self.is_quick_review_running();
        let is_judged = |id: NodeId| self.has_review() && self.review_evaluation(id).is_some();
        for (&parent, &id) in line.iter().zip(line.iter().skip(1)) {
            let is_quick = !(is_judged(parent) && is_judged(id));
            if !self.is_human_move(id) || is_quick && !is_quick_done {
                continue;
            }
            let loss = if is_quick { self.quick_review_loss(id) } else { self.move_loss(id) };
            match loss.filter(|loss| MistakeMark::from_cost(loss.cost) == Some(MistakeMark::Blunder)) {
                Some(loss) => {
                    found.tasks.push(self.to_practice_task(
                        parent,
                        loss,
                        TaskOrigin { is_quick, ..origin.clone() },
                    ));
                }
                None if is_quick => {}
                None => found.cleared.push(self.to_task_position(parent).task_id(&self.move_text(id))),
            }
        }
        let is_whole = line.iter().all(|&id| is_judged(id)) && self.shown_line_end() == self.present_node();
        found.whole_review = origin.journal.clone().filter(|_| is_whole);
        found
    }

    fn move_text(&self, id: NodeId) -> String {
        self.position(id).last_move().unwrap_or_default()
    }

    /// Returns the position of a node as a task stores it.
    fn to_task_position(&self, id: NodeId) -> TaskPosition {
        let (position, first) = (self.position(id), self.position(NodeId::ROOT));
        let settings =
            position.settings().iter().map(|(key, value)| ((*key).to_owned(), value.clone().into()));
        TaskPosition {
            game: position.game_name().to_owned(),
            settings: settings.collect(),
            position: first.initial_setup().and_then(|_| first.position_text()),
            moves: position.played_moves(),
        }
    }

    /// Returns a blunder as a practice task.
    fn to_practice_task(&self, parent: NodeId, loss: MoveLoss, origin: TaskOrigin) -> PracticeTask {
        let (before, played) = (self.to_task_position(parent), self.move_text(loss.node));
        let review =
            if origin.is_quick { &self.core.study.quick_evaluations } else { &self.core.study.evaluations };
        let nodes = review.get(&parent).map_or(0, |judged| judged.nodes);
        let refutation = review.get(&loss.node).map(|judged| judged.line.clone()).unwrap_or_default();
        PracticeTask {
            id: before.task_id(&played),
            before,
            side: self.position(parent).to_move(),
            played,
            refutation,
            better: loss.better,
            line: loss.line,
            chance: loss.chance,
            left: loss.left,
            origin: TaskOrigin { nodes, ..origin },
        }
    }

    /// Returns the explanation of a mistake, if it is certain. The phrasing varies between mistakes.
    #[must_use]
    pub fn explain_mistake(&self, loss: &MoveLoss) -> Option<MistakeConsequence<String>> {
        let wording = self.marked_mistakes().iter().position(|other| other.node == loss.node);
        self.core.explain_mistake(loss, wording.unwrap_or(0))
    }

    fn quick_review_mistakes(&self) -> Vec<MoveLoss> {
        let losses = self.shown_line().into_iter().filter_map(|id| self.quick_review_loss(id));
        losses.filter(|loss| MistakeMark::from_cost(loss.cost).is_some()).collect()
    }
}
