//! The review of a game: an adviser evaluates every position of the line that is shown; costly
//! moves are marked.

use std::collections::BTreeMap;

use crate::ai::Proof;
use crate::game::{Outcome, Side};
use crate::play::study::of_side;
use crate::play::{Answer, Fact, Game, Judged, Loss, Mark, MatchRefusal};
use crate::record::NodeId;
use crate::session::EngineAnswer;

/// Evaluations of positions by a review.
type Judgements = BTreeMap<NodeId, Judged>;

impl Game {
    /// Returns the review's evaluation of a position, as far as it has come.
    #[must_use]
    pub fn judged(&self, id: NodeId) -> Option<Judged> {
        self.judged_in(&self.core.study.judged, id)
    }

    fn judged_in(&self, review: &Judgements, id: NodeId) -> Option<Judged> {
        match self.position(id).outcome().filter(|_| self.is_at_an_end(id)) {
            Some(outcome) => {
                let chance = outcome.winner().map_or(0.5, |winner| f64::from(winner == Side::First));
                let judged = Judged { chance: Some(chance), best: None, line: Vec::new(), nodes: 0 };
                (!review.is_empty()).then_some(judged)
            }
            None => review.get(&id).cloned(),
        }
    }

    /// Reports whether a game ends there by its rules. A position in which a player resigned can be
    /// evaluated like others.
    fn is_at_an_end(&self, id: NodeId) -> bool {
        let position = self.position(id);
        position.outcome().is_some() && position.early().is_none()
    }

    /// Returns three numbers of positions of the line that is shown: those evaluated, those of them
    /// with a win chance, and all.
    #[must_use]
    pub fn reviewed(&self) -> [usize; 3] {
        let line = self.line();
        let judged = || line.iter().filter_map(|&id| self.judged(id));
        [judged().count(), judged().filter(|judged| judged.chance.is_some()).count(), line.len()]
    }

    /// Reports whether a review has evaluated any position of this game.
    #[must_use]
    pub fn is_reviewed(&self) -> bool {
        !self.core.study.judged.is_empty()
    }

    /// Returns the cost of the move that led to a position; `None` where nothing better is known.
    #[must_use]
    pub fn loss(&self, node: NodeId) -> Option<Loss> {
        self.loss_in(&self.core.study.judged, node)
    }

    /// Returns the cost of a move by the quick review.
    pub(super) fn quick_loss(&self, node: NodeId) -> Option<Loss> {
        self.loss_in(&self.core.study.quick, node)
    }

    fn loss_in(&self, review: &Judgements, node: NodeId) -> Option<Loss> {
        let parent = self.core.line.tree.parent(node)?;
        let mover = self.position(parent).to_move();
        let (before, after) = (self.judged_in(review, parent)?, self.judged_in(review, node)?);
        let better = before.best.clone().filter(|best| self.position(node).last().as_ref() != Some(best))?;
        let [chance, left] = [before.chance_of(mover)?, after.chance_of(mover)?];
        Some(Loss { node, cost: (chance - left).max(0.0), better, line: before.line, chance, left })
    }

    /// Returns the move that led to a position, if it deserves a mark.
    #[must_use]
    pub fn marked_move(&self, node: NodeId) -> Option<(Mark, Loss)> {
        let loss = self.loss(node)?;
        Some((Mark::of(loss.cost)?, loss))
    }

    /// Returns the move of the line that is shown that cost the loser most, the earliest of equals;
    /// where nobody has won, that of either side, if it was a mistake. `None` before the whole line
    /// is evaluated.
    #[must_use]
    pub fn turning_point(&self) -> Option<Loss> {
        self.turning_point_in(&self.core.study.judged)
    }

    /// Returns the turning point of a game that has ended, by its review, or by the quick one
    /// before that is complete.
    #[must_use]
    pub fn likely_turning_point(&self) -> Option<Loss> {
        if self.reviewed()[0] == self.line().len() {
            return self.turning_point();
        }
        self.turning_point_in(&self.core.study.quick)
    }

    fn turning_point_in(&self, review: &Judgements) -> Option<Loss> {
        let line = self.line();
        if line.iter().any(|&id| self.judged_in(review, id).is_none()) {
            return None;
        }
        let winner = self.position(*line.last()?).outcome().and_then(Outcome::winner);
        let is_losers = |id: NodeId| {
            let mover = self.core.line.tree.parent(id).map(|parent| self.position(parent).to_move());
            winner.is_none_or(|winner| mover == Some(winner.other()))
        };
        let losses = line.into_iter().filter(|&id| is_losers(id)).filter_map(|id| self.loss_in(review, id));
        let worst = losses.rev().max_by(|one, other| one.cost.total_cmp(&other.cost))?;
        let least = if winner.is_some() { Mark::Doubtful } else { Mark::Mistake };
        Mark::of(worst.cost).filter(|&mark| mark >= least).map(|_| worst)
    }

    /// Returns the moves of the line that is shown that have a mark.
    #[must_use]
    pub fn marked(&self) -> Vec<(Mark, Loss)> {
        self.line().into_iter().filter_map(|id| self.marked_move(id)).collect()
    }

    /// Returns the number of positions evaluated by a running review, and the number of all its
    /// positions.
    #[must_use]
    pub fn review_progress(&self) -> Option<(usize, usize)> {
        let way = self.core.line.tree.ancestors(self.review_end()?);
        let is_done = |&id: &NodeId| self.judged(id).is_some() || self.is_at_an_end(id);
        let (done, open): (Vec<NodeId>, Vec<NodeId>) = way.partition(is_done);
        Some((done.len(), done.len() + open.len()))
    }

    /// Returns the end of the line under review. Playing on from an earlier position leaves that
    /// line.
    fn review_end(&self) -> Option<NodeId> {
        self.core.study.review_end.filter(|&end| {
            self.is_analysis()
                || self.is_gone_through()
                || self.core.line.tree.is_ancestor_of(end, self.core.line.present)
        })
    }

    /// Returns the first position that the review still has to evaluate.
    pub(super) fn next_to_judge(&self) -> Option<NodeId> {
        if self.core.study.check.is_some() {
            return self.core.study.check;
        }
        self.first_open(&self.core.study.judged, self.review_end()?)
    }

    /// Returns the first position that the quick review still has to evaluate. It stops where the
    /// game continues again.
    pub(super) fn next_to_judge_quickly(&self) -> Option<NodeId> {
        let end = self.core.study.quick_end.filter(|&end| end == self.present() && self.outcome().is_some());
        self.first_open(&self.core.study.quick, end?)
    }

    fn first_open(&self, review: &Judgements, end: NodeId) -> Option<NodeId> {
        let is_open = |id: &NodeId| !self.is_at_an_end(*id) && !review.contains_key(id);
        self.core.line.tree.ancestors(end).filter(is_open).last()
    }

    /// Starts the review of the line that is shown; positions already evaluated stay so.
    pub(super) fn review(&mut self, is_thinking: bool) -> Result<Vec<Fact>, MatchRefusal> {
        let end = self.line_end();
        if end == NodeId::ROOT {
            return Err(MatchRefusal::NothingToReview);
        }
        if is_thinking {
            return Err(MatchRefusal::IsThinking);
        }
        self.core.study.review_end = Some(end);
        Ok(self.end_review())
    }

    /// Reports whether the game is over and the quick review of it is running.
    #[must_use]
    pub fn is_reviewed_quickly(&self) -> bool {
        self.next_to_judge_quickly().is_some()
    }

    /// Stops the review and reports what it has found. No quick review continues after it.
    pub(super) fn stop_review(&mut self) -> Vec<Fact> {
        self.core.study.quick_end = None;
        let end = self.core.study.review_end.take();
        end.map(|end| Fact::Replied("review", end, Answer::Reviewed)).into_iter().collect()
    }

    /// Takes an adviser's answer about the next position of the review, or of the quick one.
    pub(super) fn judge(&mut self, thought: EngineAnswer) -> Vec<Fact> {
        let Some(node) = self.next_to_judge() else { return self.judge_quickly(&thought) };
        let side = self.position(node).to_move();
        if self.core.study.check.take().is_some() {
            let facts = self.activity.checked(node, judgement(side, &thought), &mut self.core);
            return [vec![Fact::Reported(node)], facts].concat();
        }
        self.core.study.judged.insert(node, judgement(side, &thought));
        self.core.line.tree.node_mut(node).known = Some((side, thought.report));
        [vec![Fact::Reported(node)], self.end_review()].concat()
    }

    /// Takes an answer of the quick review, which reports nothing before the last position.
    fn judge_quickly(&mut self, thought: &EngineAnswer) -> Vec<Fact> {
        let Some(node) = self.next_to_judge_quickly() else { return Vec::new() };
        let side = self.position(node).to_move();
        self.core.study.quick.insert(node, judgement(side, thought));
        let is_done = self.next_to_judge_quickly().is_none();
        is_done.then_some(Fact::Reported(self.present())).into_iter().collect()
    }

    /// Reports the findings of the review once all positions are evaluated.
    fn end_review(&mut self) -> Vec<Fact> {
        if self.next_to_judge().is_none() { self.stop_review() } else { Vec::new() }
    }
}

/// Returns an adviser's evaluation of a position with this side to move.
fn judgement(side: Side, thought: &EngineAnswer) -> Judged {
    let (report, best) = (&thought.report, &thought.text);
    // A side with a certificate cannot lose; whether the other side has one is not known, so it counts as a draw.
    let certified = (report.proof == Some(Proof::Certified)).then_some(0.5);
    let chance = report.chance.or(certified).map(|chance| of_side(side, chance));
    let line = if report.pv.first() == Some(best) { report.pv.clone() } else { vec![best.clone()] };
    Judged { chance, best: Some(best.clone()), line, nodes: report.nodes }
}
