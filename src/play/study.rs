//! Evaluations by advisers: advice on request, and reviews.
//!
//! An adviser is an engine that does not play in the game.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ai::{Limits, ProofStatus};
use crate::game::Side;
use crate::play::AdviceKind;
use crate::record::NodeId;
use crate::session::SearchReport;

/// Evaluation of a position by an adviser.
#[derive(Clone, Debug)]
pub struct ReviewEvaluation {
    /// Win chance of First, from 0 to 1, with draws as half wins; `None` if the adviser gives none.
    pub chance: Option<f64>,
    /// Best move; `None` if the game is over.
    pub best: Option<String>,
    /// Principal variation, starting with the best move.
    pub line: Vec<String>,
    /// Number of nodes searched.
    pub nodes: u64,
}

impl ReviewEvaluation {
    /// Returns the win chance of a side, from 0 to 1; `None` if the adviser gives none.
    #[must_use]
    pub fn win_chance_of(&self, side: Side) -> Option<f64> {
        self.chance.map(|chance| win_chance_for_side(side, chance))
    }
}

/// Annotation mark of a move that loses much win chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MistakeMark {
    /// Doubtful move `?!`: loses at least 10 percentage points of win chance.
    Doubtful,
    /// Mistake `?`: loses at least 20 percentage points of win chance.
    Mistake,
    /// Blunder `??`: loses at least 40 percentage points of win chance.
    Blunder,
}

impl MistakeMark {
    /// Returns the mark of a move that loses this win chance (0 to 1); `None` below 0.1.
    #[must_use]
    pub fn from_cost(cost: f64) -> Option<Self> {
        match cost {
            0.4.. => Some(MistakeMark::Blunder),
            0.2.. => Some(MistakeMark::Mistake),
            0.1.. => Some(MistakeMark::Doubtful),
            _ => None,
        }
    }

    /// Returns the symbol written after the move, such as `?!`.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            MistakeMark::Doubtful => "?!",
            MistakeMark::Mistake => "?",
            MistakeMark::Blunder => "??",
        }
    }
}

/// Win chance lost by a move, with the better move.
#[derive(Clone, Debug)]
pub struct MoveLoss {
    /// Position after the move.
    pub node: NodeId,
    /// Win chance lost by the move, from 0 to 1.
    pub cost: f64,
    /// Best move in the position before the played move.
    pub better: String,
    /// Principal variation, starting with the better move.
    pub line: Vec<String>,
    /// Win chance with the better move, from 0 to 1.
    pub chance: f64,
    /// Win chance after the played move, from 0 to 1.
    pub left: f64,
}

/// Requests to advisers about a game, and their results.
#[derive(Debug, Default)]
pub(super) struct AdviceState {
    /// Pending request for advice, with its node.
    pub(super) pending_advice: Option<(NodeId, AdviceKind)>,
    /// Node of the last completed background study.
    pub(super) last_studied: Option<NodeId>,
    /// Number of completed analysis searches of each node; `None` once a longer search would not
    /// help.
    pub(super) rounds: BTreeMap<NodeId, Option<u32>>,
    /// Node after a move tried at a mistake, while its evaluation is pending.
    pub(super) check: Option<NodeId>,
    /// Evaluations by the review, by node.
    pub(super) evaluations: BTreeMap<NodeId, ReviewEvaluation>,
    /// End of the line under review.
    pub(super) review_end: Option<NodeId>,
    /// Evaluations by the quick review of the finished game, by node.
    pub(super) quick_evaluations: BTreeMap<NodeId, ReviewEvaluation>,
    /// End of the game under quick review; `None` if none was started.
    pub(super) quick_end: Option<NodeId>,
    /// Report of the last search by a playing engine.
    pub(super) last_search: Option<Arc<SearchReport>>,
    /// `true` if the last search by a playing engine proved no result.
    pub(super) was_unproved: bool,
}

impl AdviceState {
    /// Reports whether a longer search of an analysis node may still help.
    pub(super) fn needs_search(&self, node: NodeId) -> bool {
        self.rounds.get(&node).is_none_or(Option::is_some)
    }

    /// Records a completed search of an analysis node with these limits.
    pub(super) fn record_search_round(&mut self, node: NodeId, report: &SearchReport, limits: Limits) {
        let is_proved =
            report.proof.is_some_and(|proof| proof != ProofStatus::Unproved) || report.is_from_book;
        // The compared moves share the node limit. A search that used far less has exhausted the memory
        // or the game tree.
        let is_limited = limits.nodes.is_some_and(|most| report.nodes >= most / LIMITED_SEARCH_NODE_DIVISOR);
        let rounds = self.rounds.get(&node).copied().flatten().unwrap_or(0) + 1;
        self.rounds.insert(
            node,
            Some(rounds).filter(|&rounds| is_limited && !is_proved && rounds < MAX_ANALYSIS_ROUNDS),
        );
    }
}

/// Divisor of the node limit, used to tell whether a search ended because of the limit.
///
/// A search that used fewer nodes than the limit divided by this number ended for another reason.
const LIMITED_SEARCH_NODE_DIVISOR: u64 = 20;
/// Maximum number of searches of an analysis node, each four times as long as the previous one.
const MAX_ANALYSIS_ROUNDS: u32 = 14;

/// Converts a win chance between the view of `side` and the view of First.
pub(super) fn win_chance_for_side(side: Side, chance: f64) -> f64 {
    if side == Side::First { chance } else { 1.0 - chance }
}
