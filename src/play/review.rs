//! Reviews of a game: an adviser evaluates every position of the shown line.
//!
//! Moves that lose win chance are marked.

use std::collections::BTreeMap;

use crate::ai::ProofStatus;
use crate::game::{Outcome, Side};
use crate::play::study::win_chance_for_side;
use crate::play::{
    CommandAnswer, LiveGame, MatchFact, MatchRefusal, MistakeMark, MoveLoss, ReviewEvaluation,
};
use crate::record::NodeId;
use crate::session::EngineAnswer;

/// Evaluations of a review, by node.
type EvaluationsByNode = BTreeMap<NodeId, ReviewEvaluation>;

impl LiveGame {
    /// Returns the review's evaluation of a node; `None` if it has none yet.
    #[must_use]
    pub fn review_evaluation(&self, id: NodeId) -> Option<ReviewEvaluation> {
        self.evaluation_in(&self.core.study.evaluations, id)
    }

    fn evaluation_in(&self, review: &EvaluationsByNode, id: NodeId) -> Option<ReviewEvaluation> {
        match self.position(id).outcome().filter(|_| self.ends_by_rules(id)) {
            Some(outcome) => {
                let chance = outcome.winner().map_or(0.5, |winner| f64::from(winner == Side::First));
                let judged =
                    ReviewEvaluation { chance: Some(chance), best: None, line: Vec::new(), nodes: 0 };
                (!review.is_empty()).then_some(judged)
            }
            None => review.get(&id).cloned(),
        }
    }

    /// Reports whether the game ends at a node by its rules.
    ///
    /// An early end, such as a resignation, does not count, because its position can still be
    /// evaluated.
    fn ends_by_rules(&self, id: NodeId) -> bool {
        let position = self.position(id);
        position.outcome().is_some() && position.early_end().is_none()
    }

    /// Counts the positions of the shown line: `[evaluated, evaluated with a win chance, all]`.
    #[must_use]
    pub fn review_counts(&self) -> [usize; 3] {
        let line = self.shown_line();
        let judged = || line.iter().filter_map(|&id| self.review_evaluation(id));
        [judged().count(), judged().filter(|judged| judged.chance.is_some()).count(), line.len()]
    }

    /// Reports whether a review has evaluated at least one position of this game.
    #[must_use]
    pub fn has_review(&self) -> bool {
        !self.core.study.evaluations.is_empty()
    }

    /// Returns the loss of the move that led to a node; `None` if no better move is known.
    #[must_use]
    pub fn move_loss(&self, node: NodeId) -> Option<MoveLoss> {
        self.move_loss_in(&self.core.study.evaluations, node)
    }

    /// Returns the loss of the move that led to a node, by the quick review.
    pub(super) fn quick_review_loss(&self, node: NodeId) -> Option<MoveLoss> {
        self.move_loss_in(&self.core.study.quick_evaluations, node)
    }

    fn move_loss_in(&self, review: &EvaluationsByNode, node: NodeId) -> Option<MoveLoss> {
        let parent = self.core.line.tree.parent(node)?;
        let mover = self.position(parent).to_move();
        let (before, after) = (self.evaluation_in(review, parent)?, self.evaluation_in(review, node)?);
        let better =
            before.best.clone().filter(|best| self.position(node).last_move().as_ref() != Some(best))?;
        let [chance, left] = [before.win_chance_of(mover)?, after.win_chance_of(mover)?];
        Some(MoveLoss { node, cost: (chance - left).max(0.0), better, line: before.line, chance, left })
    }

    /// Returns the mark and the loss of the move that led to a node; `None` if it has no mark.
    #[must_use]
    pub fn marked_move(&self, node: NodeId) -> Option<(MistakeMark, MoveLoss)> {
        let loss = self.move_loss(node)?;
        Some((MistakeMark::from_cost(loss.cost)?, loss))
    }

    /// Returns the turning point of the shown line: the loser's most costly marked move.
    ///
    /// Of equally costly moves, the earliest is returned. Without a winner, either side's move
    /// counts if it is a mistake or a blunder. `None` until the whole line is evaluated.
    #[must_use]
    pub fn turning_point(&self) -> Option<MoveLoss> {
        self.turning_point_in(&self.core.study.evaluations)
    }

    /// Returns the turning point by the review, or by the quick review until the review is complete.
    #[must_use]
    pub fn likely_turning_point(&self) -> Option<MoveLoss> {
        if self.review_counts()[0] == self.shown_line().len() {
            return self.turning_point();
        }
        self.turning_point_in(&self.core.study.quick_evaluations)
    }

    fn turning_point_in(&self, review: &EvaluationsByNode) -> Option<MoveLoss> {
        let line = self.shown_line();
        if line.iter().any(|&id| self.evaluation_in(review, id).is_none()) {
            return None;
        }
        let winner = self.position(*line.last()?).outcome().and_then(Outcome::winner);
        let is_losers = |id: NodeId| {
            let mover = self.core.line.tree.parent(id).map(|parent| self.position(parent).to_move());
            winner.is_none_or(|winner| mover == Some(winner.other()))
        };
        let losses =
            line.into_iter().filter(|&id| is_losers(id)).filter_map(|id| self.move_loss_in(review, id));
        let worst = losses.rev().max_by(|one, other| one.cost.total_cmp(&other.cost))?;
        let least = if winner.is_some() { MistakeMark::Doubtful } else { MistakeMark::Mistake };
        MistakeMark::from_cost(worst.cost).filter(|&mark| mark >= least).map(|_| worst)
    }

    /// Returns the marked moves of the shown line, with their losses.
    #[must_use]
    pub fn marked_moves(&self) -> Vec<(MistakeMark, MoveLoss)> {
        self.shown_line().into_iter().filter_map(|id| self.marked_move(id)).collect()
    }

    /// Returns the progress of a running review: evaluated positions and all positions.
    #[must_use]
    pub fn review_progress(&self) -> Option<(usize, usize)> {
        let way = self.core.line.tree.ancestors(self.review_end()?);
        let is_done = |&id: &NodeId| self.review_evaluation(id).is_some() || self.ends_by_rules(id);
        let (done, open): (Vec<NodeId>, Vec<NodeId>) = way.partition(is_done);
        Some((done.len(), done.len() + open.len()))
    }

    /// Returns the end of the line under review; `None` without a review, or if the game has left that
    /// line.
    fn review_end(&self) -> Option<NodeId> {
        self.core.study.review_end.filter(|&end| {
            self.is_analysis()
                || self.is_stepped_through()
                || self.core.line.tree.is_ancestor_of(end, self.core.line.present)
        })
    }

    /// Returns the next node for the review to evaluate. A move tried at a mistake comes first.
    pub(super) fn next_review_node(&self) -> Option<NodeId> {
        if self.core.study.check.is_some() {
            return self.core.study.check;
        }
        self.first_unevaluated_node(&self.core.study.evaluations, self.review_end()?)
    }

    /// Returns the next node for the quick review to evaluate; `None` if the game has been
    /// continued.
    pub(super) fn next_quick_review_node(&self) -> Option<NodeId> {
        let end =
            self.core.study.quick_end.filter(|&end| end == self.present_node() && self.outcome().is_some());
        self.first_unevaluated_node(&self.core.study.quick_evaluations, end?)
    }

    fn first_unevaluated_node(&self, review: &EvaluationsByNode, end: NodeId) -> Option<NodeId> {
        let is_open = |id: &NodeId| !self.ends_by_rules(*id) && !review.contains_key(id);
        self.core.line.tree.ancestors(end).filter(is_open).last()
    }

    /// Starts the review of the shown line; existing evaluations are kept.
    ///
    /// # Errors
    /// Refuses if no move was played or an engine is thinking.
    pub(super) fn start_review(&mut self, is_thinking: bool) -> Result<Vec<MatchFact>, MatchRefusal> {
        let end = self.shown_line_end();
        if end == NodeId::ROOT {
            return Err(MatchRefusal::NothingToReview);
        }
        if is_thinking {
            return Err(MatchRefusal::IsThinking);
        }
        self.core.study.review_end = Some(end);
        Ok(self.finish_review_if_done())
    }

    /// Reports whether the quick review of the finished game is running.
    #[must_use]
    pub fn is_quick_review_running(&self) -> bool {
        self.next_quick_review_node().is_some()
    }

    /// Stops the review and the quick review, and reports the findings.
    pub(super) fn stop_review(&mut self) -> Vec<MatchFact> {
        self.core.study.quick_end = None;
        let end = self.core.study.review_end.take();
        end.map(|end| MatchFact::Replied("review", end, CommandAnswer::Reviewed)).into_iter().collect()
    }

    /// Records an adviser's evaluation of the next position of the review or the quick review.
    pub(super) fn apply_review_answer(&mut self, thought: EngineAnswer) -> Vec<MatchFact> {
        let Some(node) = self.next_review_node() else { return self.apply_quick_review_answer(&thought) };
        let side = self.position(node).to_move();
        if self.core.study.check.take().is_some() {
            let facts =
                self.activity.on_try_evaluated(node, evaluation_from_answer(side, &thought), &mut self.core);
            return [vec![MatchFact::Reported(node)], facts].concat();
        }
        self.core.study.evaluations.insert(node, evaluation_from_answer(side, &thought));
        self.core.line.tree.node_mut(node).known = Some((side, thought.report));
        [vec![MatchFact::Reported(node)], self.finish_review_if_done()].concat()
    }

    /// Records an evaluation of the quick review. Only the end of the quick review is reported.
    fn apply_quick_review_answer(&mut self, thought: &EngineAnswer) -> Vec<MatchFact> {
        let Some(node) = self.next_quick_review_node() else { return Vec::new() };
        let side = self.position(node).to_move();
        self.core.study.quick_evaluations.insert(node, evaluation_from_answer(side, thought));
        let is_done = self.next_quick_review_node().is_none();
        is_done.then_some(MatchFact::Reported(self.present_node())).into_iter().collect()
    }

    /// Ends the review and reports its findings once all positions are evaluated.
    fn finish_review_if_done(&mut self) -> Vec<MatchFact> {
        if self.next_review_node().is_none() { self.stop_review() } else { Vec::new() }
    }
}

/// Converts an adviser's answer about a position with `side` to move to an evaluation.
fn evaluation_from_answer(side: Side, thought: &EngineAnswer) -> ReviewEvaluation {
    let (report, best) = (&thought.report, &thought.text);
    // A side with a certificate cannot lose. The other side may have one too, so it counts as a draw.
    let certified = (report.proof == Some(ProofStatus::Certified)).then_some(0.5);
    let chance = report.chance.or(certified).map(|chance| win_chance_for_side(side, chance));
    let line = if report.pv.first() == Some(best) { report.pv.clone() } else { vec![best.clone()] };
    ReviewEvaluation { chance, best: Some(best.clone()), line, nodes: report.nodes }
}
