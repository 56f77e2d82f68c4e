//! The prover at the root of the network's search: when it runs, its share of the limits, and the moves it
//! leaves to search. This module depends on the rules and the prover, not on the network.

use crate::ai::hex::proof::connections::ConnectionLimits;
use crate::ai::hex::proof::{ConnectionVerdict, HexProof, HexProver};
use crate::ai::{Limits, SearchBudget, SearchControl};
use crate::games::hex::{Cell, Hex, Move};

/// Maximum number of empty cells at which the prover runs. In games on 11x11, 300 nodes of the prover decide
/// 40% of the positions with 86 to 90 empty cells, 65% of those with 81 to 85, and 89% of those with 71 to
/// 80.
const MAX_EMPTY_FOR_PROVER: usize = 85;
/// Maximum number of empty cells at which the prover gets its large share of the move's limits. Most proofs
/// are short in such positions.
const MAX_EMPTY_FOR_LARGE_SHARE: usize = 60;

/// Divisor of a move's node limit that gives the prover's large share, up to 60 empty cells.
const LARGE_SHARE_NODE_DIVISOR: u64 = 8;
/// Divisor of a move's time limit that gives the prover's large share, up to 60 empty cells.
const LARGE_SHARE_TIME_DIVISOR: u32 = 4;
/// Divisor of a move's node limit that gives the prover's small share, above 60 empty cells. The combination
/// limit matters more in such positions.
const SMALL_SHARE_NODE_DIVISOR: u64 = 12;
/// Divisor of a move's time limit that gives the prover's small share, above 60 empty cells.
const SMALL_SHARE_TIME_DIVISOR: u32 = 10;
/// Nodes that the prover may use even if the move's node limit is small, but never more than the large share.
const MIN_PROVER_NODES: u64 = 32;
/// Minimum number of nodes in the large share; below it, the prover does not run.
const MIN_NODES_TO_RUN_PROVER: u64 = 8;

/// Connection combinations allowed in the small share per node of the move's limit. They take a tenth of the
/// time of one network evaluation on 11x11.
const COMBINATIONS_PER_NODE: u64 = 2_500;
/// Connection combinations allowed in the small share even if the node limit is small.
const MIN_PROVER_COMBINATIONS: u64 = 2_000_000;
/// Cap on [`MIN_PROVER_COMBINATIONS`], per node of the move's limit.
const MAX_COMBINATIONS_PER_NODE: u64 = 20_000;
/// Maximum number of combinations tried for the connections of one side in one position, which take about 2.5
/// ms. Few positions need more, and a complete search can take seconds.
const MAX_COMBINATIONS_PER_POSITION: u64 = 500_000;

/// Size of the prover's table in MiB, enough for a few seconds of search.
const ROOT_PROVER_TABLE_MIB: usize = 4;

/// The prover of one engine. Its table is kept from move to move.
#[derive(Debug, Default)]
pub(super) struct RootProver {
    prover: Option<HexProver>,
}

/// Limits of the prover for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProverShare {
    limits: Limits,
    combinations: u64,
}

impl ProverShare {
    /// Returns the prover's share of a move's limits, or `None` if the prover should not run.
    fn of_limits(limits: Limits, empty: usize) -> Option<Self> {
        // The prover ignores depth limits, so a limit on depth alone would never stop it.
        let has_end = limits.has_time_limit() || limits.nodes.is_some();
        let most_positions = limits.nodes.map(|nodes| nodes / LARGE_SHARE_NODE_DIVISOR);
        if empty > MAX_EMPTY_FOR_PROVER
            || !has_end
            || most_positions.is_some_and(|most| most < MIN_NODES_TO_RUN_PROVER)
        {
            return None;
        }
        if empty <= MAX_EMPTY_FOR_LARGE_SHARE {
            let limits = Limits { nodes: most_positions, ..limits.divide_time(LARGE_SHARE_TIME_DIVISOR) };
            return Some(ProverShare { limits, combinations: u64::MAX });
        }
        let positions = |nodes: u64| {
            (nodes / SMALL_SHARE_NODE_DIVISOR).max(MIN_PROVER_NODES.min(nodes / LARGE_SHARE_NODE_DIVISOR))
        };
        let combinations = |nodes: u64| {
            let least = nodes.saturating_mul(MAX_COMBINATIONS_PER_NODE).min(MIN_PROVER_COMBINATIONS);
            nodes.saturating_mul(COMBINATIONS_PER_NODE).max(least)
        };
        Some(ProverShare {
            limits: Limits {
                nodes: limits.nodes.map(positions),
                ..limits.divide_time(SMALL_SHARE_TIME_DIVISOR)
            },
            combinations: limits.nodes.map_or(u64::MAX, combinations),
        })
    }
}

impl RootProver {
    /// Clears the prover's table.
    pub(super) fn clear_table(&mut self) {
        self.prover = None;
    }

    /// Frees the working memory that is not needed between two moves.
    pub(super) fn release_memory(&mut self) {
        self.prover.iter_mut().for_each(HexProver::release_memory);
    }

    fn prover_for_size(&mut self, size: usize) -> &mut HexProver {
        let limits =
            ConnectionLimits { combinations: MAX_COMBINATIONS_PER_POSITION, ..ConnectionLimits::THOROUGH };
        self.prover.get_or_insert_with(|| HexProver::with_limits(size, ROOT_PROVER_TABLE_MIB, limits))
    }

    /// Tries to prove the winner within the prover's share of the move's limits. Returns the proof and the
    /// budget it used, or `None` if the prover should not run. Without a proof, appends the unrefuted moves
    /// to `left`: if they all lose, every move loses.
    pub(super) fn prove_within_share<'a>(
        &mut self,
        game: &Hex,
        control: &SearchControl<'a, Move>,
        left: &mut Vec<Cell>,
    ) -> Option<(Option<HexProof>, SearchBudget<'a>)> {
        let ProverShare { limits, combinations } =
            ProverShare::of_limits(control.limits, game.empty_cells().count())?;
        let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
        let prover = self.prover_for_size(game.size());
        let proof = prover.prove_within_combinations(game, combinations, &mut budget);
        if proof.is_none() {
            prover.append_unrefuted_moves(game, left);
        }
        Some((proof, budget))
    }

    /// Returns the verdict of connections alone, as [`HexProver::connection_verdict`] does.
    pub(super) fn connection_verdict(&mut self, game: &Hex, moves: &mut Vec<Cell>) -> ConnectionVerdict {
        self.prover_for_size(game.size()).connection_verdict(game, moves)
    }
}
