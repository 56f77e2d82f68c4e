//! What engines think of a game beside those who play it: advice that is asked for, and the review of a line.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ai::{Limits, Proof};
use crate::game::Side;
use crate::play::Advice;
use crate::record::NodeId;
use crate::session::Report;

/// What an adviser thinks of a position.
#[derive(Clone, Debug)]
pub struct Judged {
    /// First's chance to win, from 0 to 1, where the adviser says it; a draw is half a win.
    pub chance: Option<f64>,
    /// The move that it would play; none where the game is over.
    pub best: Option<String>,
    /// How it expects the game to go on, that move first.
    pub line: Vec<String>,
    /// Positions that it searched.
    pub nodes: u64,
}

impl Judged {
    /// A side's chance, from 0 to 1, where the adviser says it.
    #[must_use]
    pub fn chance_of(&self, side: Side) -> Option<f64> {
        self.chance.map(|chance| of_side(side, chance))
    }
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
    /// How the game was expected to go on with it, that move first.
    pub line: Vec<String>,
    /// The chance with the better move, from 0 to 1.
    pub chance: f64,
    /// The chance that was left, from 0 to 1.
    pub left: f64,
}

/// What is asked of engines about a game, and what they have found.
#[derive(Debug, Default)]
pub(super) struct Study {
    /// What is asked beside the game, and about which position.
    pub(super) asked: Option<(NodeId, Advice)>,
    /// Where the last thought came to its end that nobody was told of.
    pub(super) studied: Option<NodeId>,
    /// How often an engine has thought about each position of an analysis, each time longer; `None` once more time would
    /// not tell more.
    pub(super) rounds: BTreeMap<NodeId, Option<u32>>,
    /// The position after a try at a mistake that is judged now.
    pub(super) check: Option<NodeId>,
    /// What the review says of positions.
    pub(super) judged: BTreeMap<NodeId, Judged>,
    /// The end of the line whose positions are judged now.
    pub(super) review_end: Option<NodeId>,
    /// What the quick review of a game that has ended says of positions.
    pub(super) quick: BTreeMap<NodeId, Judged>,
    /// The end of the game that is reviewed quickly; none where nobody wants to know.
    pub(super) quick_end: Option<NodeId>,
    /// The last search of an engine that plays in the game.
    pub(super) last_search: Option<Arc<Report>>,
    /// `true` if nothing was proved at the last move of an engine.
    pub(super) was_unproved: bool,
}

impl Study {
    /// Reports whether an engine still has to think about a position of an analysis.
    pub(super) fn is_open(&self, node: NodeId) -> bool {
        self.rounds.get(&node).is_none_or(Option::is_some)
    }

    /// Takes note of a thought about a position of an analysis, which had these limits.
    pub(super) fn note_round(&mut self, node: NodeId, report: &Report, limits: Limits) {
        let is_proved = report.proof.is_some_and(|proof| proof != Proof::Unproved) || report.is_from_book;
        // Several moves are compared, each with a part of the limit. Whoever used far less has no memory left or has seen all.
        let is_limited = limits.nodes.is_some_and(|most| report.nodes >= most / USED_PART);
        let rounds = self.rounds.get(&node).copied().flatten().unwrap_or(0) + 1;
        self.rounds
            .insert(node, Some(rounds).filter(|&rounds| is_limited && !is_proved && rounds < MAX_ROUNDS));
    }
}

/// A thought that ends by its limit has searched at least this part of it.
const USED_PART: u64 = 20;
/// The most thoughts about a position of an analysis; each has four times the positions of the one before. The last one would
/// take weeks.
const MAX_ROUNDS: u32 = 14;

/// First's chance from a side's, and the other way round.
pub(super) fn of_side(side: Side, chance: f64) -> f64 {
    if side == Side::First { chance } else { 1.0 - chance }
}
