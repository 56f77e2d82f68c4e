//! The prover at the root of the network's search: when it is asked, how much work it may do, and what is left to search. Knows
//! the rules and the prover, no network.

use crate::ai::hex::proof::connections::Effort;
use crate::ai::hex::proof::{HexProof, Prover, VcVerdict};
use crate::ai::{Limits, SearchBudget, SearchControl};
use crate::games::hex::{Cell, Hex, Move};

/// The prover is asked up to this many empty cells. In games on 11x11, 300 positions of the prover decide 40% of the positions
/// with 86 to 90 empty cells, 65% of those with 81 to 85, and 89% of those with 71 to 80.
const MAX_EMPTY: usize = 85;
/// The prover gets a larger share of a move up to this many empty cells, where most proofs are short.
const MAX_EMPTY_FOR_LARGE_SHARE: usize = 60;

/// Divisors of the node limit and of the time limit of a move: up to 60 empty cells, and above, where combinations bound the
/// work and positions hardly do.
const LARGE_NODE_DIVISOR: u64 = 8;
const LARGE_TIME_DIVISOR: u32 = 4;
const NODE_DIVISOR: u64 = 12;
const TIME_DIVISOR: u32 = 10;
/// A small node limit still allows this many positions of the prover, but never more than its larger share.
const MIN_POSITIONS: u64 = 32;
/// The prover is not asked if it may analyze fewer positions than this.
const MIN_POSITIONS_TO_ANALYZE: u64 = 8;

/// Combinations of connections for each node of the move's limit: a tenth of the time that the network takes for one on 11x11.
const COMBINATIONS_PER_NODE: u64 = 2_500;
/// A small node limit still allows this many combinations, but no more than the second number for each node.
const MIN_COMBINATIONS: u64 = 2_000_000;
const MAX_COMBINATIONS_PER_NODE: u64 = 20_000;
/// The most combinations for the connections of one side of one position, some 2.5 ms: few positions need more, and a complete
/// search can take seconds.
const COMBINATIONS_OF_POSITION: u64 = 500_000;

/// The memory of the prover's table, which has room for the positions of some seconds.
const MEMORY_MIB: usize = 4;

/// The prover of one engine, whose table lasts from move to move.
#[derive(Debug, Default)]
pub(super) struct RootProver {
    prover: Option<Prover>,
}

/// The work that the prover may do for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Allowance {
    limits: Limits,
    combinations: u64,
}

impl Allowance {
    /// Returns the prover's share of a move with these limits; `None` if the prover is not asked.
    fn of(limits: Limits, empty: usize) -> Option<Self> {
        // The prover knows no depth: where that alone ends the search, nothing would end the prover.
        let has_end = limits.have_time() || limits.nodes.is_some();
        let most_positions = limits.nodes.map(|nodes| nodes / LARGE_NODE_DIVISOR);
        if empty > MAX_EMPTY || !has_end || most_positions.is_some_and(|most| most < MIN_POSITIONS_TO_ANALYZE)
        {
            return None;
        }
        if empty <= MAX_EMPTY_FOR_LARGE_SHARE {
            let limits = Limits { nodes: most_positions, ..limits.divide_time(LARGE_TIME_DIVISOR) };
            return Some(Allowance { limits, combinations: u64::MAX });
        }
        let positions =
            |nodes: u64| (nodes / NODE_DIVISOR).max(MIN_POSITIONS.min(nodes / LARGE_NODE_DIVISOR));
        let combinations = |nodes: u64| {
            let least = nodes.saturating_mul(MAX_COMBINATIONS_PER_NODE).min(MIN_COMBINATIONS);
            nodes.saturating_mul(COMBINATIONS_PER_NODE).max(least)
        };
        Some(Allowance {
            limits: Limits { nodes: limits.nodes.map(positions), ..limits.divide_time(TIME_DIVISOR) },
            combinations: limits.nodes.map_or(u64::MAX, combinations),
        })
    }
}

impl RootProver {
    /// Clears the table.
    pub(super) fn clear(&mut self) {
        self.prover = None;
    }

    /// Frees the memory that is of no use between two moves.
    pub(super) fn release(&mut self) {
        self.prover.iter_mut().for_each(Prover::release);
    }

    fn prover(&mut self, size: usize) -> &mut Prover {
        let effort = Effort { combinations: COMBINATIONS_OF_POSITION, ..Effort::WHOLE };
        self.prover.get_or_insert_with(|| Prover::with(size, MEMORY_MIB, effort))
    }

    /// Tries to prove who wins within the prover's share of a move. Returns the proof and the budget that it used; `None` if the
    /// prover is not asked. Without a proof, appends the moves that are not refuted: if they all lose, so do all others.
    pub(super) fn prove<'a>(
        &mut self,
        game: &Hex,
        control: &SearchControl<'a, Move>,
        left: &mut Vec<Cell>,
    ) -> Option<(Option<HexProof>, SearchBudget<'a>)> {
        let Allowance { limits, combinations } = Allowance::of(control.limits, game.empty().count())?;
        let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
        let prover = self.prover(game.size());
        let proof = prover.prove_within(game, combinations, &mut budget);
        if proof.is_none() {
            prover.append_moves_left(game, left);
        }
        Some((proof, budget))
    }

    /// Returns what connections alone show, as [`Prover::outlook`] does.
    pub(super) fn outlook(&mut self, game: &Hex, moves: &mut Vec<Cell>) -> VcVerdict {
        self.prover(game.size()).outlook(game, moves)
    }
}
