//! Proofs about positions that the search visits often: moves that need no look, wins and losses. Knows the tree, no
//! particular game.

use super::tree::{NONE, NodeProof};
use super::{Evaluator, TerminalCheck, TreeSearch, proved};
use crate::ai::SearchBudget;
use crate::game::Game;

/// Prover of facts about positions, at a cost of many evaluations each.
pub trait NodeProver<G: Game>: Send {
    /// Analyzes a position that is not over, and returns the largest number of moves that can be left. Appends a move
    /// that wins; or, where neither side is known to win, the moves to look at: if they all lose, all others do, too.
    fn analyze(&mut self, game: &G, moves: &mut Vec<G::Move>) -> (TerminalCheck, u16);

    /// Frees its working memory until it is asked again.
    fn release(&mut self) {}
}

/// An analyst, and when it is asked.
pub(super) struct ProverSchedule<G: Game> {
    pub(super) analyst: Box<dyn NodeProver<G>>,
    /// A position is analyzed when it was reached so often; the root always.
    pub(super) visits: u32,
    /// `true` if it is asked now.
    pub(super) is_on: bool,
    /// Analyses that the budget does not know of yet.
    pub(super) uncounted: u32,
    /// Room for the moves that it gives.
    moves: Vec<G::Move>,
}

impl<G: Game, E: Evaluator<G>> TreeSearch<G, E> {
    /// From now on has positions analyzed that were reached so often, and the root.
    pub(crate) fn set_analyst(&mut self, analyst: Box<dyn NodeProver<G>>, visits: u32) {
        self.asked = Some(ProverSchedule { analyst, visits, is_on: true, uncounted: 0, moves: Vec::new() });
    }

    /// Reports whether the analyst is asked from now on, if there is one.
    pub(crate) fn ask(&mut self, is_on: bool) {
        if let Some(asked) = &mut self.asked {
            asked.is_on = is_on;
        }
    }

    /// Frees the working memory of the analyst until it is asked again.
    pub(crate) fn release_analyst(&mut self) {
        if let Some(asked) = &mut self.asked {
            asked.analyst.release();
        }
    }

    /// Counts the analyses since the last time: each is a position that was searched.
    pub(super) fn count_analyses(&mut self, budget: &mut SearchBudget<'_>) {
        let Some(asked) = &mut self.asked else { return };
        for _ in 0..std::mem::take(&mut asked.uncounted) {
            budget.tick();
        }
    }

    /// Reports whether a node that was reached so often as it was, or at least so often, is to be analyzed now.
    #[inline]
    pub(super) fn wants_analysis(&self, node: u32, is_root: bool) -> bool {
        let Some(asked) = &self.asked else { return false };
        let node = &self.tree.nodes[node as usize];
        asked.is_on
            && node.most_plies == 0
            && node.proved == NodeProof::Open
            && node.count > 1
            && (is_root || node.visits >= asked.visits)
    }

    /// Analyzes the position of a node that has edges: keeps what is proved, or only the edges that need a look.
    pub(super) fn analyze(&mut self, game: &mut G, node: u32, is_turned: bool) {
        let Some(asked) = &mut self.asked else { return };
        asked.uncounted += 1;
        asked.moves.clear();
        let (glance, most_plies) = asked.analyst.analyze(game, &mut asked.moves);
        self.tree.node(node).most_plies = most_plies;
        self.tree.node(node).proved = proved(glance);
        let moves = std::mem::take(&mut asked.moves);
        match glance {
            TerminalCheck::Open => self.keep(game, node, is_turned, &moves),
            TerminalCheck::Win(plies) => {
                for &mv in &moves {
                    self.prove_loss_behind(game, node, is_turned, mv, plies - 1);
                }
            }
            TerminalCheck::Loss(_) => {}
        }
        if let Some(asked) = &mut self.asked {
            asked.moves = moves;
        }
    }

    /// Drops the edges of the root that [`TreeSearch::limit_root`] has left out of this search.
    pub(super) fn apply_root_limit(&mut self, game: &G) {
        let moves = std::mem::take(&mut self.root_moves);
        let (root, is_turned) = self.root;
        if !moves.is_empty() && self.tree.node(root).proved == NodeProof::Open {
            self.keep(game, root, is_turned, &moves);
        }
    }

    /// Drops the edges of a node that are not among these moves, which are those of the real board.
    fn keep(&mut self, game: &G, node: u32, is_turned: bool, moves: &[G::Move]) {
        let (begin, count) = self.tree.range(node);
        let (mut kept, mut sum) = (begin, 0.0);
        for place in begin..begin + count {
            let edge = self.tree.edges[place];
            let mv = if is_turned { self.evaluator.turned(game, edge.mv) } else { edge.mv };
            if moves.contains(&mv) {
                sum += edge.prior;
                self.tree.edges[kept] = edge;
                kept += 1;
            }
        }
        // Forced replies that a glance has found may all be among those that were left out as no better than another.
        if kept == begin {
            return;
        }
        for edge in &mut self.tree.edges[begin..kept] {
            edge.prior /= sum;
        }
        self.tree.node(node).count = u16::try_from(kept - begin).expect("fewer than before");
        self.tree.propagate_proof(node);
    }

    /// Records that the position behind a move, which is one of the real board, is lost within `plies` plies.
    fn prove_loss_behind(&mut self, game: &mut G, node: u32, is_turned: bool, mv: G::Move, plies: u16) {
        let (begin, count) = self.tree.range(node);
        let on_board = |edge: G::Move| if is_turned { self.evaluator.turned(game, edge) } else { edge };
        let places = begin..begin + count;
        let Some(place) = places.into_iter().find(|&place| on_board(self.tree.edges[place].mv) == mv) else {
            return;
        };
        let undo = game.make(mv);
        if game.outcome().is_none() {
            let (key, child_is_turned) = self.evaluator.key(game);
            let child = self.tree.find(key).unwrap_or_else(|| self.tree.add(key, NodeProof::Loss(plies)));
            let edge = &mut self.tree.edges[place];
            (edge.child, edge.is_turned) = (child, is_turned != child_is_turned);
            let child = self.tree.node(child);
            if child.proved == NodeProof::Open {
                child.proved = NodeProof::Loss(plies);
            }
        }
        game.unmake(mv, undo);
        debug_assert!(self.tree.edges[place].child != NONE || plies == 0);
    }
}
