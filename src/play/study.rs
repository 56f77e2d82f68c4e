//! Evaluations by engines that do not play in the game: advice on request, and the review of a
//! line.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ai::{Limits, Proof};
use crate::game::Side;
use crate::play::Advice;
use crate::record::NodeId;
use crate::session::SearchReport;

/// An adviser's evaluation of a position.
#[derive(Clone, Debug)]
pub struct Judged {
    /// First's win chance, from 0 to 1, where the adviser gives one; a draw is half a win.
    pub chance: Option<f64>,
    /// Best move; `None` where the game is over.
    pub best: Option<String>,
    /// Main line, which begins with the best move.
    pub line: Vec<String>,
    /// Positions that it searched.
    pub nodes: u64,
}

impl Judged {
    /// Returns a side's win chance, from 0 to 1, where the adviser gives one.
    #[must_use]
    pub fn chance_of(&self, side: Side) -> Option<f64> {
        self.chance.map(|chance| of_side(side, chance))
    }
}

/// Mark of a move that costs its side much of its win chance.
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
    /// Returns the mark of a move with this cost, 0 to 1; `None` for a small one.
    #[must_use]
    pub fn of(cost: f64) -> Option<Self> {
        match cost {
            0.4.. => Some(Mark::Blunder),
            0.2.. => Some(Mark::Mistake),
            0.1.. => Some(Mark::Doubtful),
            _ => None,
        }
    }

    /// Returns the symbol that is written after the move.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Mark::Doubtful => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// Move with its cost.
#[derive(Clone, Debug)]
pub struct Loss {
    /// Position after the move.
    pub node: NodeId,
    /// Win chance that the move lost, from 0 to 1.
    pub cost: f64,
    /// The better move.
    pub better: String,
    /// Main line of the better move, which it begins.
    pub line: Vec<String>,
    /// Win chance with the better move, from 0 to 1.
    pub chance: f64,
    /// Win chance that was left, from 0 to 1.
    pub left: f64,
}

/// Requests to engines about a game, and their results.
#[derive(Debug, Default)]
pub(super) struct Study {
    /// Request for advice, and the position that it is about.
    pub(super) asked: Option<(NodeId, Advice)>,
    /// Position of the last completed study, which is not reported.
    pub(super) studied: Option<NodeId>,
    /// Number of searches of each position of an analysis, each one longer; `None` once more time
    /// would give no more. not tell more.
    pub(super) rounds: BTreeMap<NodeId, Option<u32>>,
    /// Position after a try at a mistake that is being evaluated.
    pub(super) check: Option<NodeId>,
    /// Evaluations by the review.
    pub(super) judged: BTreeMap<NodeId, Judged>,
    /// End of the line under review.
    pub(super) review_end: Option<NodeId>,
    /// Evaluations by the quick review of a game that has ended.
    pub(super) quick: BTreeMap<NodeId, Judged>,
    /// End of the game under quick review; `None` without one.
    pub(super) quick_end: Option<NodeId>,
    /// Last search of an engine that plays in the game.
    pub(super) last_search: Option<Arc<SearchReport>>,
    /// `true` if no result was proved at the last move of an engine.
    pub(super) was_unproved: bool,
}

impl Study {
    /// Reports whether an engine still has to search a position of an analysis.
    pub(super) fn is_open(&self, node: NodeId) -> bool {
        self.rounds.get(&node).is_none_or(Option::is_some)
    }

    /// Takes note of a search of a position of an analysis, which had these limits.
    pub(super) fn note_round(&mut self, node: NodeId, report: &SearchReport, limits: Limits) {
        let is_proved = report.proof.is_some_and(|proof| proof != Proof::Unproved) || report.is_from_book;
        // Several moves are compared, each with a part of the limit. Whoever used far less has no memory left or has seen all.
        let is_limited = limits.nodes.is_some_and(|most| report.nodes >= most / USED_PART);
        let rounds = self.rounds.get(&node).copied().flatten().unwrap_or(0) + 1;
        self.rounds
            .insert(node, Some(rounds).filter(|&rounds| is_limited && !is_proved && rounds < MAX_ROUNDS));
    }
}

/// Divisor of the node limit of a search: a search that ends by its limit has used at least this
/// part of it.
const USED_PART: u64 = 20;
/// Maximum number of searches of a position of an analysis; each has four times the nodes of the
/// one before. The last one would take weeks.
const MAX_ROUNDS: u32 = 14;

/// Converts a side's win chance to First's, and back.
pub(super) fn of_side(side: Side, chance: f64) -> f64 {
    if side == Side::First { chance } else { 1.0 - chance }
}
