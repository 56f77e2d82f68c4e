//! The review of a game: an adviser judges every position of the line that is shown; the moves that cost much are marked.

use std::collections::BTreeMap;

use crate::ai::Proof;
use crate::game::{Outcome, Side};
use crate::play::{Answer, Event, Game, Match, MatchRefusal};
use crate::record::NodeId;
use crate::session::Answer as EngineAnswer;

/// What an adviser thinks of a position.
#[derive(Clone, Debug)]
pub struct Judged {
    /// First's chance to win, from 0 to 1, where the adviser says it; a draw is half a win.
    pub chance: Option<f64>,
    /// The move that it would play; none where the game is over.
    pub best: Option<String>,
}

impl Judged {
    /// A side's chance, from 0 to 1, where the adviser says it.
    #[must_use]
    pub fn chance_of(&self, side: Side) -> Option<f64> {
        self.chance.map(|chance| of_side(side, chance))
    }
}

/// What is known of a game that is reviewed, or was.
#[derive(Clone, Debug, Default)]
pub(super) struct Review {
    judged: BTreeMap<NodeId, Judged>,
    /// The end of the line whose positions are judged now.
    end: Option<NodeId>,
}

/// A move that costs its side much of its chance to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// At least 10 per cent: `?!`.
    Doubtful,
    /// At least 20 per cent: `?`.
    Mistake,
    /// At least 40 per cent, or a proved result: `??`.
    Blunder,
}

impl Mark {
    /// The mark of a move that costs so much, 0 to 1; none for little.
    #[must_use]
    pub fn of(cost: f64) -> Option<Self> {
        match cost {
            0.4.. => Some(Mark::Blunder),
            0.2.. => Some(Mark::Mistake),
            0.1.. => Some(Mark::Doubtful),
            _ => None,
        }
    }

    /// The sign that is written behind the move.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Mark::Doubtful => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// A move with what it cost.
#[derive(Clone, Debug)]
pub struct Loss {
    /// The position after the move.
    pub node: NodeId,
    /// How much of the chance to win it cost, from 0 to 1.
    pub cost: f64,
    /// The better move.
    pub better: String,
    /// The chance with the better move, from 0 to 1.
    pub chance: f64,
    /// The chance that was left, from 0 to 1.
    pub left: f64,
}

impl Game {
    /// What the review says of a position, as far as it has come.
    #[must_use]
    pub fn judged(&self, id: NodeId) -> Option<Judged> {
        match self.position(id).outcome().filter(|_| self.is_at_an_end(id)) {
            Some(outcome) => {
                let chance = outcome.winner().map_or(0.5, |winner| f64::from(winner == Side::First));
                self.is_reviewed().then_some(Judged { chance: Some(chance), best: None })
            }
            None => self.review.judged.get(&id).cloned(),
        }
    }

    /// Whether a game ends there by its rules. Who gives up has a position that can be judged like others.
    fn is_at_an_end(&self, id: NodeId) -> bool {
        let position = self.position(id);
        position.outcome().is_some() && position.early().is_none()
    }

    /// How many positions of the line that is shown are judged, of how many the adviser says chances, and how many there are.
    #[must_use]
    pub fn reviewed(&self) -> [usize; 3] {
        let line = self.line();
        let judged = || line.iter().filter_map(|&id| self.judged(id));
        [judged().count(), judged().filter(|judged| judged.chance.is_some()).count(), line.len()]
    }

    /// Whether a review has judged anything of this game.
    #[must_use]
    pub fn is_reviewed(&self) -> bool {
        !self.review.judged.is_empty()
    }

    /// What the move cost that led to a position; `None` where nothing better is known.
    #[must_use]
    pub fn loss(&self, node: NodeId) -> Option<Loss> {
        let parent = self.tree.parent(node)?;
        let mover = self.position(parent).to_move();
        let (before, after) = (self.judged(parent)?, self.judged(node)?);
        let better = before.best.clone().filter(|best| self.position(node).last().as_ref() != Some(best))?;
        let [chance, left] = [before.chance_of(mover)?, after.chance_of(mover)?];
        Some(Loss { node, cost: (chance - left).max(0.0), better, chance, left })
    }

    /// The move that led to a position, if it deserves a mark.
    #[must_use]
    pub fn marked_move(&self, node: NodeId) -> Option<(Mark, Loss)> {
        let loss = self.loss(node)?;
        Some((Mark::of(loss.cost)?, loss))
    }

    /// The move of the line that is shown that cost the loser most, the earliest of equals; where nobody has won, that of
    /// either side, if it was a mistake. None before the whole line is judged.
    #[must_use]
    pub fn turning_point(&self) -> Option<Loss> {
        let line = self.line();
        if line.iter().any(|&id| self.judged(id).is_none()) {
            return None;
        }
        let winner = self.position(*line.last()?).outcome().and_then(Outcome::winner);
        let is_losers = |id: NodeId| {
            let mover = self.tree.parent(id).map(|parent| self.position(parent).to_move());
            winner.is_none_or(|winner| mover == Some(winner.other()))
        };
        let losses = line.into_iter().filter(|&id| is_losers(id)).filter_map(|id| self.loss(id));
        let worst = losses.rev().max_by(|one, other| one.cost.total_cmp(&other.cost))?;
        let least = if winner.is_some() { Mark::Doubtful } else { Mark::Mistake };
        Mark::of(worst.cost).filter(|&mark| mark >= least).map(|_| worst)
    }

    /// The moves of the line that is shown that have a mark.
    #[must_use]
    pub fn marked(&self) -> Vec<(Mark, Loss)> {
        self.line().into_iter().filter_map(|id| self.marked_move(id)).collect()
    }

    /// How many positions of a review that goes on are judged, and of how many.
    #[must_use]
    pub fn review_progress(&self) -> Option<(usize, usize)> {
        let way = self.tree.way_back(self.review_end()?);
        let is_done = |&id: &NodeId| self.judged(id).is_some() || self.is_at_an_end(id);
        let (done, open): (Vec<NodeId>, Vec<NodeId>) = way.partition(is_done);
        Some((done.len(), done.len() + open.len()))
    }

    /// The end of the line under review. Who plays on from an earlier position has left it.
    fn review_end(&self) -> Option<NodeId> {
        self.review.end.filter(|&end| self.is_gone_through() || self.tree.leads_to(end, self.present))
    }

    /// The first position that the review still has to judge.
    pub(super) fn next_to_judge(&self) -> Option<NodeId> {
        let is_open = |id: &NodeId| !self.is_at_an_end(*id) && !self.review.judged.contains_key(id);
        self.tree.way_back(self.review_end()?).filter(is_open).last()
    }
}

impl Match {
    /// Begins to judge the positions of the line that is shown; those that are judged stay so.
    pub(super) fn review(&mut self) -> Result<(), MatchRefusal> {
        let end = self.game.line_end();
        if end == NodeId::ROOT {
            return Err(MatchRefusal::NothingToReview);
        }
        if self.is_thinking() {
            return Err(MatchRefusal::IsThinking);
        }
        self.game.review.end = Some(end);
        self.end_review();
        Ok(())
    }

    /// Leaves the rest of the line as it is, and tells what was found.
    pub(super) fn stop_review(&mut self) {
        if let Some(end) = self.game.review.end.take() {
            self.reply("review", end, Answer::Reviewed);
        }
    }

    /// An adviser has thought about the next position of the review.
    pub(super) fn judge(&mut self, thought: EngineAnswer) {
        let Some(node) = self.game.next_to_judge() else { return };
        let side = self.game.position(node).to_move();
        // Who has a certificate cannot lose; that the other side has none is not known, so it counts as a draw.
        let certified = (thought.report.proof == Some(Proof::Certified)).then_some(0.5);
        let chance = thought.report.chance.or(certified).map(|chance| of_side(side, chance));
        let judged = Judged { chance, best: Some(thought.text) };
        self.game.review.judged.insert(node, judged);
        self.game.tree.node_mut(node).known = Some((side, thought.report));
        self.events.push(Event::Reported(node));
        self.end_review();
    }

    /// Tells what the review has found, where all is judged.
    fn end_review(&mut self) {
        if self.game.next_to_judge().is_none() {
            self.stop_review();
        }
    }
}

/// First's chance from a side's, and the other way round.
fn of_side(side: Side, chance: f64) -> f64 {
    if side == Side::First { chance } else { 1.0 - chance }
}
