//! The mistakes of a game, by its review or by the quick one, and the command that shows them one
//! after the other.

use std::sync::Arc;

use crate::ai::Consequence;
use crate::play::{
    Acted, Before, Core, Fact, Game, Lesson, Loss, Mark, MatchRefusal, Origin, Practice, Task,
};
use crate::record::{MoveSource, NodeId};
use crate::session::Position;
use crate::text;

/// Findings of the reviews of a game about the moves that people made in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Their blunders.
    pub tasks: Vec<Task>,
    /// IDs that their other moves would have as tasks, as far as a whole review has judged them.
    pub cleared: Vec<String>,
    /// ID of the saved game, if a whole review has covered every position of it.
    pub whole_review: Option<String>,
}

impl Core {
    /// Returns the positions of the better line at a mistake, as far as its moves are legal.
    pub(super) fn better_line(&self, loss: &Loss) -> Vec<Arc<dyn Position>> {
        let Some(parent) = self.line.tree.parent(loss.node) else { return Vec::new() };
        let mut position = self.line.tree.position(parent).reopened();
        let mut line = Vec::new();
        for text in &loss.line {
            let Ok(next) = Arc::clone(&position).play(text) else { break };
            line.push(Arc::clone(&next));
            position = next;
        }
        line
    }

    /// Returns the reason why a mistake is one, in one of the wordings.
    pub(super) fn consequence(&self, loss: &Loss, wording: usize) -> Option<Consequence<String>> {
        let tree = &self.line.tree;
        let (parent, played) = (tree.parent(loss.node)?, tree.position(loss.node).last()?);
        let before = tree.position(parent).reopened();
        let refutation =
            self.study.judged.get(&loss.node).map(|judged| judged.line.clone()).unwrap_or_default();
        let refuted: Vec<String> = [played.clone()].into_iter().chain(refutation).collect();
        let pattern = before.pattern(&refuted).or_else(|| before.pattern(&loss.line));
        match (before.consequence([&played, &loss.better], wording), pattern) {
            (Some(found), Some(pattern)) => {
                Some(Consequence { text: text!("{} {pattern}", found.text), ..found })
            }
            (found, pattern) => found.or_else(|| pattern.map(Consequence::of)),
        }
    }

    /// Shows the position that was shown before the mistake.
    pub(super) fn end_lesson(&mut self) -> Vec<Fact> {
        let Some(Lesson { before: (shown, is_gone_through), .. }) = self.lesson.take() else {
            return Vec::new();
        };
        self.line.is_gone_through = is_gone_through;
        self.look("goto", shown)
    }
}

impl Game {
    /// Returns the mistake that is shown, where your own are practised.
    #[must_use]
    pub fn practice(&self) -> Option<&Practice> {
        self.activity.practice()
    }

    /// Returns the mistake that is shown.
    #[must_use]
    pub fn lesson(&self) -> Option<&Lesson> {
        self.core.lesson.as_ref()
    }

    /// Returns the moves of the line that is shown that have a mark, by the review as far as it has
    /// come, or else by the quick one.
    #[must_use]
    pub fn mistakes(&self) -> Vec<Loss> {
        let of_review: Vec<Loss> = self.marked().into_iter().map(|(_, loss)| loss).collect();
        let [judged, _, all] = self.reviewed();
        if !of_review.is_empty() || judged == all { of_review } else { self.quick_mistakes() }
    }

    /// Shows the position before a mistake: first the turning point, then the next mistake each
    /// time.
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

    /// Returns the positions of the better line at a mistake, as far as its moves are legal.
    #[must_use]
    pub fn better_line(&self, loss: &Loss) -> Vec<Arc<dyn Position>> {
        self.core.better_line(loss)
    }

    /// Reports whether a person made the move that led to a position; nobody did on the analysis board.
    fn is_by_person(&self, id: NodeId) -> bool {
        let node = self.tree().node(id);
        node.is_from_own_game || node.by == MoveSource::Human && !self.is_analysis()
    }

    /// Returns the findings of the reviews about the moves that people made in the line that is
    /// shown. The quick review counts once it has ended, for moves that no other review has judged.
    #[must_use]
    pub fn findings(&self, origin: &Origin) -> Findings {
        let (line, mut found) = (self.line(), Findings::default());
        let is_quick_done = self.core.study.quick_end == Some(self.present()) && !self.is_reviewed_quickly();
        let is_judged = |id: NodeId| self.is_reviewed() && self.judged(id).is_some();
        for (&parent, &id) in line.iter().zip(line.iter().skip(1)) {
            let is_quick = !(is_judged(parent) && is_judged(id));
            if !self.is_by_person(id) || is_quick && !is_quick_done {
                continue;
            }
            let loss = if is_quick { self.quick_loss(id) } else { self.loss(id) };
            match loss.filter(|loss| Mark::of(loss.cost) == Some(Mark::Blunder)) {
                Some(loss) => {
                    found.tasks.push(self.task(parent, loss, Origin { is_quick, ..origin.clone() }));
                }
                None if is_quick => {}
                None => found.cleared.push(self.before(parent).id(&self.played(id))),
            }
        }
        let is_whole = line.iter().all(|&id| is_judged(id)) && self.line_end() == self.present();
        found.whole_review = origin.journal.clone().filter(|_| is_whole);
        found
    }

    fn played(&self, id: NodeId) -> String {
        self.position(id).last().unwrap_or_default()
    }

    /// Returns a position in the form that tasks have.
    fn before(&self, id: NodeId) -> Before {
        let (position, first) = (self.position(id), self.position(NodeId::ROOT));
        let settings =
            position.settings().iter().map(|(key, value)| ((*key).to_owned(), value.clone().into()));
        Before {
            game: position.name().to_owned(),
            settings: settings.collect(),
            position: first.setup().and_then(|_| first.position_text()),
            moves: position.played(),
        }
    }

    /// Returns a blunder as a task.
    fn task(&self, parent: NodeId, loss: Loss, origin: Origin) -> Task {
        let (before, played) = (self.before(parent), self.played(loss.node));
        let review = if origin.is_quick { &self.core.study.quick } else { &self.core.study.judged };
        let nodes = review.get(&parent).map_or(0, |judged| judged.nodes);
        let refutation = review.get(&loss.node).map(|judged| judged.line.clone()).unwrap_or_default();
        Task {
            id: before.id(&played),
            before,
            side: self.position(parent).to_move(),
            played,
            refutation,
            better: loss.better,
            line: loss.line,
            chance: loss.chance,
            left: loss.left,
            origin: Origin { nodes, ..origin },
        }
    }

    /// Returns the reason why a mistake is one, where that is certain. The wording changes from
    /// each mistake to the next one.
    #[must_use]
    pub fn consequence(&self, loss: &Loss) -> Option<Consequence<String>> {
        let wording = self.mistakes().iter().position(|other| other.node == loss.node);
        self.core.consequence(loss, wording.unwrap_or(0))
    }

    fn quick_mistakes(&self) -> Vec<Loss> {
        let losses = self.line().into_iter().filter_map(|id| self.quick_loss(id));
        losses.filter(|loss| Mark::of(loss.cost).is_some()).collect()
    }
}
