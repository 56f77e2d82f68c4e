//! Quiescence search of Quoridor: walls that force a long detour.

use super::{AlphaBetaSearch, MAX_SEARCH_PLIES, SearchNode};
use crate::ai::SearchBudget;
use crate::ai::quoridor::board::SearchBoard;
use crate::games::quoridor::{Bitboard, Move, Orientation, Wall};

/// Maximum number of quiescence plies. Quiescence searches walls that force a detour.
const MAX_QUIESCENCE_PLIES: i32 = 4;

impl<S: Bitboard + Send> AlphaBetaSearch<S> {
    /// Returns the mover's value of a leaf: the static value, improved by walls that force a long detour.
    pub(super) fn quiescence(
        &mut self,
        board: &SearchBoard<S>,
        node: SearchNode,
        (alpha, beta): (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> i32 {
        let mut best = self.static_eval(board, node);
        if best >= beta || node.depth <= -MAX_QUIESCENCE_PLIES || node.ply >= MAX_SEARCH_PLIES {
            return best;
        }
        let me = board.mover();
        let detour = self.constants.detour;
        // These counts are inputs of the network, so they are already known.
        if self.has_network && i32::from(self.detours.counts(board, me.other()).longest) < detour {
            return best;
        }
        let lead = |board: &SearchBoard<S>| board.steps_to_goal(me.other()) - board.steps_to_goal(me);
        for (orientation, posts) in Orientation::BOTH.into_iter().zip(board.detour_wall_slots(detour)) {
            for post in posts.cells() {
                let mv = Move::from(Wall { post, orientation });
                let Some(next) = board.try_play(mv).filter(|next| lead(next) - lead(board) >= detour) else {
                    continue;
                };
                if !budget.count_node() {
                    return 0;
                }
                let behind = self.child_node(node, mv);
                let value = -self.quiescence(&next, behind, (-beta, -alpha.max(best)), budget);
                best = best.max(value);
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }
}
