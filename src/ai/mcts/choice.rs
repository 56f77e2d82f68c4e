//! Result of a tree search: the root moves with their lines of play. This module is independent of any
//! particular game.

use super::tree::{NO_NODE, NodeProof, TreeEdge};
use super::{LeafEvaluator, TreeSearch, score_from_value};
use crate::ai::{ComparedMove, ProofStatus, Score, WIN_VALUE};
use crate::game::Game;

/// Maximum length of a reported line, in moves.
const MAX_PV_MOVES: usize = 40;

/// Search statistics of a root move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VisitedMove<M> {
    /// Most visited line of play; it starts with this move.
    pub(crate) line: Vec<M>,
    /// Number of visits of the move.
    pub(crate) visits: u32,
    /// Prior probability of the move.
    pub(crate) prior: f32,
    /// Score of the move for the mover.
    pub(crate) score: Score,
}

impl<M> From<VisitedMove<M>> for ComparedMove<M> {
    fn from(VisitedMove { line, visits, score, .. }: VisitedMove<M>) -> Self {
        ComparedMove { line, score: Some(score), visits }
    }
}

impl<G: Game, E: LeafEvaluator<G>> TreeSearch<G, E> {
    /// Returns the root moves, best first: winning moves, then open moves by visits and priors, then losing
    /// moves.
    pub(crate) fn ranked_root_moves(&self, game: &G) -> Vec<VisitedMove<G::Move>> {
        let (root, is_turned) = self.root;
        let mut edges: Vec<&TreeEdge<G::Move>> = self.tree.edges_of(root).iter().collect();
        edges.sort_by(|a, b| {
            let order = |edge: &TreeEdge<G::Move>| match self.tree.proof_after(edge) {
                NodeProof::Loss(plies) => (0, u32::from(plies), edge.visits),
                NodeProof::Win(plies) => (2, u32::from(u16::MAX - plies), edge.visits),
                NodeProof::Open | NodeProof::Draw => (1, u32::MAX - edge.visits, edge.visits),
            };
            order(a).cmp(&order(b)).then(b.prior.total_cmp(&a.prior))
        });
        edges.into_iter().map(|edge| self.describe_root_edge(game, edge, is_turned)).collect()
    }

    fn describe_root_edge(
        &self,
        game: &G,
        edge: &TreeEdge<G::Move>,
        is_turned: bool,
    ) -> VisitedMove<G::Move> {
        let root = &self.tree.nodes[self.root.0 as usize];
        let score = match (self.tree.proof_after(edge), root.proved) {
            (NodeProof::Loss(plies), _) => Score(WIN_VALUE - 1 - i32::from(plies)),
            (NodeProof::Win(plies), _) => Score(i32::from(plies) + 1 - WIN_VALUE),
            (NodeProof::Draw, _) => Score(0),
            (NodeProof::Open, _) if edge.child != NO_NODE => {
                score_from_value(-self.tree.nodes[edge.child as usize].mean_value())
            }
            // Unvisited: a result that the static check proved for the position holds for each of its
            // moves.
            (NodeProof::Open, NodeProof::Win(plies)) => Score(WIN_VALUE - i32::from(plies)),
            (NodeProof::Open, NodeProof::Loss(plies)) => Score(i32::from(plies) - WIN_VALUE),
            (NodeProof::Open, _) => score_from_value(root.mean_value()),
        };
        let TreeEdge { visits, prior, .. } = *edge;
        VisitedMove { line: self.most_visited_line(game, edge, is_turned), visits, prior, score }
    }

    /// Returns the line of the most visited moves that starts with a root edge.
    fn most_visited_line(&self, game: &G, edge: &TreeEdge<G::Move>, is_turned: bool) -> Vec<G::Move> {
        let (mut game, mut edge, mut is_turned) = (game.clone(), *edge, is_turned);
        let mut line = Vec::new();
        loop {
            let mv = if is_turned { self.evaluator.rotate_move(&game, edge.mv) } else { edge.mv };
            line.push(mv);
            game.make_move(mv);
            is_turned = is_turned != edge.is_turned;
            if edge.child == NO_NODE || line.len() == MAX_PV_MOVES {
                return line;
            }
            let next = self.tree.edges_of(edge.child).iter().filter(|edge| edge.visits > 0);
            let Some(next) = next.max_by_key(|edge| edge.visits) else { return line };
            edge = *next;
        }
    }

    /// Returns the proof status of the root.
    pub(crate) fn root_proof(&self) -> ProofStatus {
        match self.tree.nodes[self.root.0 as usize].proved {
            NodeProof::Open => ProofStatus::Unproved,
            NodeProof::Win(plies) => ProofStatus::WinIn(plies.into()),
            NodeProof::Draw => ProofStatus::Draw,
            NodeProof::Loss(plies) => ProofStatus::LostIn(plies.into()),
        }
    }
}
