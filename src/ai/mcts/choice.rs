//! Result of a tree search: the best moves with their lines. Knows no particular game.

use super::tree::{Edge, NONE, NodeProof};
use super::{Evaluator, TreeSearch, score_of};
use crate::ai::{Candidate, Proof, Score, WIN};
use crate::game::Game;

/// The longest line that is told.
const MAX_LINE_MOVES: usize = 40;

/// Findings about a move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VisitedMove<M> {
    /// The line, this move in front.
    pub(crate) line: Vec<M>,
    /// Visits of the search to the move.
    pub(crate) visits: u32,
    /// Its part of all priors.
    pub(crate) prior: f32,
    /// Value for the mover.
    pub(crate) score: Score,
}

impl<M> From<VisitedMove<M>> for Candidate<M> {
    fn from(VisitedMove { line, visits, score, .. }: VisitedMove<M>) -> Self {
        Candidate { line, score: Some(score), visits }
    }
}

impl<G: Game, E: Evaluator<G>> TreeSearch<G, E> {
    /// The moves of the position that was searched, the best in front: those that win, then by visits and priors; those that
    /// lose at the end.
    pub(crate) fn visited_moves(&self, game: &G) -> Vec<VisitedMove<G::Move>> {
        let (root, is_turned) = self.root;
        let mut edges: Vec<&Edge<G::Move>> = self.tree.edges_of(root).iter().collect();
        edges.sort_by(|a, b| {
            let order = |edge: &Edge<G::Move>| match self.tree.proof_after(edge) {
                NodeProof::Loss(plies) => (0, u32::from(plies), edge.visits),
                NodeProof::Win(plies) => (2, u32::from(u16::MAX - plies), edge.visits),
                NodeProof::Open | NodeProof::Draw => (1, u32::MAX - edge.visits, edge.visits),
            };
            order(a).cmp(&order(b)).then(b.prior.total_cmp(&a.prior))
        });
        edges.into_iter().map(|edge| self.visited_moves_after(game, edge, is_turned)).collect()
    }

    fn visited_moves_after(&self, game: &G, edge: &Edge<G::Move>, is_turned: bool) -> VisitedMove<G::Move> {
        let root = &self.tree.nodes[self.root.0 as usize];
        let score = match (self.tree.proof_after(edge), root.proved) {
            (NodeProof::Loss(plies), _) => Score(WIN - 1 - i32::from(plies)),
            (NodeProof::Win(plies), _) => Score(i32::from(plies) + 1 - WIN),
            (NodeProof::Draw, _) => Score(0),
            (NodeProof::Open, _) if edge.child != NONE => {
                score_of(-self.tree.nodes[edge.child as usize].mean())
            }
            // Never looked at: what a glance at the position has shown holds for each of its moves.
            (NodeProof::Open, NodeProof::Win(plies)) => Score(WIN - i32::from(plies)),
            (NodeProof::Open, NodeProof::Loss(plies)) => Score(i32::from(plies) - WIN),
            (NodeProof::Open, _) => score_of(root.mean()),
        };
        let Edge { visits, prior, .. } = *edge;
        VisitedMove { line: self.line(game, edge, is_turned), visits, prior, score }
    }

    /// The moves that were looked at most often, from an edge of the root on.
    fn line(&self, game: &G, edge: &Edge<G::Move>, is_turned: bool) -> Vec<G::Move> {
        let (mut game, mut edge, mut is_turned) = (game.clone(), *edge, is_turned);
        let mut line = Vec::new();
        loop {
            let mv = if is_turned { self.evaluator.turned(&game, edge.mv) } else { edge.mv };
            line.push(mv);
            game.make(mv);
            is_turned = is_turned != edge.is_turned;
            if edge.child == NONE || line.len() == MAX_LINE_MOVES {
                return line;
            }
            let next = self.tree.edges_of(edge.child).iter().filter(|edge| edge.visits > 0);
            let Some(next) = next.max_by_key(|edge| edge.visits) else { return line };
            edge = *next;
        }
    }

    /// Returns the proof about the position that was searched.
    pub(crate) fn proof(&self) -> Proof {
        match self.tree.nodes[self.root.0 as usize].proved {
            NodeProof::Open => Proof::Unproved,
            NodeProof::Win(plies) => Proof::WinIn(plies.into()),
            NodeProof::Draw => Proof::Draw,
            NodeProof::Loss(plies) => Proof::LostIn(plies.into()),
        }
    }
}
