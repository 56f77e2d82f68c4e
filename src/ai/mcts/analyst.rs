//! Provers that analyze frequently visited nodes: they prune moves and prove wins and losses. This module is
//! independent of any particular game.

use super::tree::{NO_NODE, NodeProof};
use super::{LeafEvaluator, TerminalCheck, TreeSearch, node_proof_from};
use crate::ai::SearchBudget;
use crate::game::Game;

/// Prover that analyzes positions. One analysis takes as long as many evaluations.
///
/// ```
/// use crosspath::ai::mcts::{NodeProver, TerminalCheck};
/// use crosspath::game::{Game, Notation, Outcome};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
///
/// /// Proves a win with the next move.
/// struct NextMove;
///
/// impl NodeProver<TicTacToe> for NextMove {
///     fn analyze_position(&mut self, game: &TicTacToe, moves: &mut Vec<Cell>) -> (TerminalCheck, u16) {
///         game.push_legal_moves(moves);
///         let left = u16::try_from(moves.len()).expect("at most 100 cells");
///         let wins = |mv: &Cell| {
///             let mut after = game.clone();
///             after.make_move(*mv);
///             after.outcome() == Some(Outcome::Win(game.to_move()))
///         };
///         let Some(winning) = moves.iter().copied().find(wins) else { return (TerminalCheck::Open, left) };
///         *moves = vec![winning];
///         (TerminalCheck::Win(1), left)
///     }
/// }
///
/// let mut game = TicTacToe::new(3)?;
/// for text in ["a1", "c1", "a2", "c2"] {
///     game.try_make_move(game.parse(text)?)?;
/// }
/// let mut moves = Vec::new();
/// assert_eq!(NextMove.analyze_position(&game, &mut moves), (TerminalCheck::Win(1), 5));
/// assert_eq!(moves, [game.parse("a3")?], "it completes the column");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait NodeProver<G: Game>: Send {
    /// Analyzes a position that is not over, and returns the result and an upper bound on the number of
    /// remaining moves. Appends a winning move; or, if neither side is known to win, the moves worth
    /// searching: if they all lose, so do all others.
    fn analyze_position(&mut self, game: &G, moves: &mut Vec<G::Move>) -> (TerminalCheck, u16);

    /// Frees the working memory until the next analysis.
    fn release_memory(&mut self) {}
}

/// A prover, and the rule that decides which nodes it analyzes.
pub(super) struct ProverSchedule<G: Game> {
    pub(super) prover: Box<dyn NodeProver<G>>,
    /// Number of visits at which a node is analyzed; the root is always analyzed.
    pub(super) visits: u32,
    /// `true` if the prover is enabled.
    pub(super) is_on: bool,
    /// Number of analyses not yet charged to the budget.
    pub(super) uncounted: u32,
    /// Buffer for the moves that the prover returns.
    moves: Vec<G::Move>,
}

impl<G: Game, E: LeafEvaluator<G>> TreeSearch<G, E> {
    /// Sets a prover that analyzes the root and every node that reaches this number of visits.
    pub(crate) fn set_prover(&mut self, prover: Box<dyn NodeProver<G>>, visits: u32) {
        self.prover_schedule =
            Some(ProverSchedule { prover, visits, is_on: true, uncounted: 0, moves: Vec::new() });
    }

    /// Enables or disables the prover, if there is one.
    pub(crate) fn set_prover_enabled(&mut self, is_on: bool) {
        if let Some(schedule) = &mut self.prover_schedule {
            schedule.is_on = is_on;
        }
    }

    /// Frees the working memory of the prover until the next analysis.
    pub(crate) fn release_prover_memory(&mut self) {
        if let Some(schedule) = &mut self.prover_schedule {
            schedule.prover.release_memory();
        }
    }

    /// Charges the analyses since the last call to the budget, one node each.
    pub(super) fn charge_analyses(&mut self, budget: &mut SearchBudget<'_>) {
        let Some(schedule) = &mut self.prover_schedule else { return };
        for _ in 0..std::mem::take(&mut schedule.uncounted) {
            budget.count_node();
        }
    }

    /// Reports whether a node should be analyzed now, given its number of visits.
    #[inline]
    pub(super) fn needs_analysis(&self, node: u32, is_root: bool) -> bool {
        let Some(schedule) = &self.prover_schedule else { return false };
        let node = &self.tree.nodes[node as usize];
        schedule.is_on
            && node.most_plies == 0
            && node.proved == NodeProof::Open
            && node.count > 1
            && (is_root || node.visits >= schedule.visits)
    }

    /// Analyzes an expanded node: stores a proved result, or prunes the edges not worth searching.
    pub(super) fn analyze_node(&mut self, game: &mut G, node: u32, is_turned: bool) {
        let Some(schedule) = &mut self.prover_schedule else { return };
        schedule.uncounted += 1;
        schedule.moves.clear();
        let (glance, most_plies) = schedule.prover.analyze_position(game, &mut schedule.moves);
        self.tree.node_mut(node).most_plies = most_plies;
        self.tree.node_mut(node).proved = node_proof_from(glance);
        let moves = std::mem::take(&mut schedule.moves);
        match glance {
            TerminalCheck::Open => self.retain_edges(game, node, is_turned, &moves),
            TerminalCheck::Win(plies) => {
                for &mv in &moves {
                    self.record_loss_after_move(game, node, is_turned, mv, plies - 1);
                }
            }
            TerminalCheck::Loss(_) => {}
        }
        if let Some(schedule) = &mut self.prover_schedule {
            schedule.moves = moves;
        }
    }

    /// Drops the root edges that [`TreeSearch::limit_root_moves`] excludes from this search.
    pub(super) fn apply_root_limit(&mut self, game: &G) {
        let moves = std::mem::take(&mut self.root_moves);
        let (root, is_turned) = self.root;
        if !moves.is_empty() && self.tree.node_mut(root).proved == NodeProof::Open {
            self.retain_edges(game, root, is_turned, &moves);
        }
    }

    /// Drops the edges of a node that are not among `moves`, which are in the orientation of the real
    /// board.
    fn retain_edges(&mut self, game: &G, node: u32, is_turned: bool, moves: &[G::Move]) {
        let (begin, count) = self.tree.edge_range(node);
        let (mut kept, mut sum) = (begin, 0.0);
        for place in begin..begin + count {
            let edge = self.tree.edges[place];
            let mv = if is_turned { self.evaluator.rotate_move(game, edge.mv) } else { edge.mv };
            if moves.contains(&mv) {
                sum += edge.prior;
                self.tree.edges[kept] = edge;
                kept += 1;
            }
        }
        // The static check may have found forced replies that were all pruned as no better than another
        // move.
        if kept == begin {
            return;
        }
        for edge in &mut self.tree.edges[begin..kept] {
            edge.prior /= sum;
        }
        self.tree.node_mut(node).count = u16::try_from(kept - begin).expect("fewer than before");
        self.tree.propagate_proof(node);
    }

    /// Records that the position after `mv`, a move on the real board, is lost within `plies` plies.
    fn record_loss_after_move(&mut self, game: &mut G, node: u32, is_turned: bool, mv: G::Move, plies: u16) {
        let (begin, count) = self.tree.edge_range(node);
        let on_board = |edge: G::Move| if is_turned { self.evaluator.rotate_move(game, edge) } else { edge };
        let places = begin..begin + count;
        let Some(place) = places.into_iter().find(|&place| on_board(self.tree.edges[place].mv) == mv) else {
            return;
        };
        let undo = game.make_move(mv);
        if game.outcome().is_none() {
            let (key, child_is_turned) = self.evaluator.canonical_key(game);
            let child =
                self.tree.find_node(key).unwrap_or_else(|| self.tree.add_node(key, NodeProof::Loss(plies)));
            let edge = &mut self.tree.edges[place];
            (edge.child, edge.is_turned) = (child, is_turned != child_is_turned);
            let child = self.tree.node_mut(child);
            if child.proved == NodeProof::Open {
                child.proved = NodeProof::Loss(plies);
            }
        }
        game.unmake_move(mv, undo);
        debug_assert!(self.tree.edges[place].child != NO_NODE || plies == 0);
    }
}
