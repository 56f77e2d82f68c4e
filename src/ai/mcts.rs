//! PUCT tree search guided by the policy and the value of an [`Evaluator`]. Equal positions share a
//! node, turned ones too. Knows no particular game and no network.

mod tree;

use std::fmt::{self, Debug};
use std::thread;

use rand::RngExt;

use crate::ai::{Score, SearchBudget, exact};
use crate::game::{Game, Outcome};
use crate::random::Generator;
use tree::{Edge, NONE, Node, NodeProof, Tree};

mod analyst;
mod choice;

pub use analyst::NodeProver;

/// Result of the cheap static check done before evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalCheck {
    /// Nothing: the moves have to be judged.
    Open,
    /// The mover wins within this number of plies, with any of the moves given.
    Win(u16),
    /// The mover loses within this number of plies, whatever is played.
    Loss(u16),
}

/// Evaluator of positions for the search.
pub trait Evaluator<G: Game>: Sync {
    /// A position to be judged, then what was found; also the room to do it in.
    type Leaf: Default + Send;

    /// Makes a position, which is not over, ready to be judged, on the turned board if that is wanted. `last` is the move
    /// that led to it, if it is known.
    fn prepare(&self, game: &G, last: Option<G::Move>, is_turned: bool, leaf: &mut Self::Leaf);

    /// Judges it: the long part of the work, done on any thread.
    fn evaluate_leaf(&self, leaf: &mut Self::Leaf);

    /// Returns the value of the evaluated position for the mover, from -1 (lost) to 1 (won).
    fn value(&self, leaf: &Self::Leaf) -> f32;

    /// Returns the logit of a legal move of the evaluated position.
    fn logit(&self, leaf: &Self::Leaf, mv: G::Move) -> f32;

    /// Appends the moves worth looking at, at least one, and says what a glance shows.
    fn check_terminal(&self, game: &mut G, moves: &mut Vec<G::Move>) -> TerminalCheck {
        game.moves(moves);
        TerminalCheck::Open
    }

    /// The key under which a position is kept, and whether the board is turned for it.
    fn key(&self, game: &G) -> (u64, bool) {
        (game.key(), false)
    }

    /// A move on the turned board; turning twice changes nothing.
    fn turned(&self, _game: &G, mv: G::Move) -> G::Move {
        mv
    }
}

/// The constants of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsConstants {
    /// Weight of a move's prior against its value.
    pub exploration: f64,
    /// First-play urgency: penalty subtracted from the parent's value for unvisited moves.
    pub first_play: f64,
    /// Logits are divided by this before they become priors.
    pub prior_temperature: f64,
}

/// A search that keeps its tree from move to move of one game.
pub struct TreeSearch<G: Game, E: Evaluator<G>> {
    evaluator: E,
    constants: MctsConstants,
    threads: usize,
    /// Size of the tree, in bytes, above which it begins anew at the beginning of a search.
    most_bytes: usize,
    tree: Tree<G::Move>,
    root: (u32, bool),
    /// Room for the positions that are judged together.
    leaves: Vec<E::Leaf>,
    pending: Vec<PendingLeaf<G::Move>>,
    /// Prover of facts about positions, if there is one.
    asked: Option<analyst::ProverSchedule<G>>,
    /// Scale of the noise on the priors of the root, and its random generator.
    noise: Option<(f64, Generator)>,
    /// The root moves to which the next search is limited; empty if it is not limited.
    root_moves: Vec<G::Move>,
    /// Data that take back the moves from the root on.
    undo: Vec<(G::Move, G::Undo)>,
    /// The plies of the longest way down in this search.
    deepest: usize,
}

/// The way from the root to a node, and the node itself, which waits to be judged.
struct PendingLeaf<M> {
    /// The nodes above, each with its edge.
    path: Vec<(u32, u32)>,
    node: u32,
    /// The moves of its edges on the real board.
    moves: Vec<M>,
    is_turned: bool,
}

impl<M> Default for PendingLeaf<M> {
    fn default() -> Self {
        PendingLeaf { path: Vec::new(), node: NONE, moves: Vec::new(), is_turned: false }
    }
}

/// End of a descent in the tree.
enum DescentEnd {
    /// At a new node, to be judged.
    New,
    /// At a node whose value is known.
    Known,
    /// At a node that waits for its judgement already.
    Waiting,
}

/// Positions that a thread judges in one go.
const BATCH_OF_THREAD: usize = 8;

impl<G: Game, E: Evaluator<G>> Debug for TreeSearch<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Search({} nodes, {:?})", self.tree.nodes.len(), self.constants)
    }
}

impl<G: Game, E: Evaluator<G>> TreeSearch<G, E> {
    /// Creates a search with an empty tree, on `threads` threads. One thread looks at one position after the other.
    pub fn new(evaluator: E, constants: MctsConstants, threads: usize, memory_mib: usize) -> Self {
        let batch = if threads > 1 { threads * BATCH_OF_THREAD } else { 1 };
        TreeSearch {
            evaluator,
            constants,
            threads,
            most_bytes: memory_mib << 20,
            tree: Tree::new(),
            root: (NONE, false),
            leaves: (0..batch).map(|_| E::Leaf::default()).collect(),
            pending: (0..batch).map(|_| PendingLeaf::default()).collect(),
            asked: None,
            noise: None,
            root_moves: Vec::new(),
            undo: Vec::new(),
            deepest: 0,
        }
    }

    /// Adds noise to each logit of the root from now on: a Gumbel variable times `scale`.
    pub(crate) fn set_noise(&mut self, scale: f64, generator: Generator) {
        self.noise = (scale > 0.0).then_some((scale, generator));
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.root = (NONE, false);
    }

    /// Limits the next search to these root moves. If they all lose, so must all others. An empty list sets no limit.
    pub(crate) fn limit_root(&mut self, moves: impl Iterator<Item = G::Move>) {
        self.root_moves.clear();
        self.root_moves.extend(moves);
    }

    /// Searches from a position that is not over until the budget is spent, the value is proved, a way down has as many plies as
    /// `depth`, or the tree has no more room; `report` is called now and then. At least the position itself is judged, unless a
    /// glance shows all.
    pub fn run(
        &mut self,
        game: &mut G,
        depth: Option<u32>,
        budget: &mut SearchBudget<'_>,
        mut report: impl FnMut(&Self, &G, &SearchBudget<'_>),
    ) {
        if self.tree.bytes() > self.most_bytes / 2 {
            self.clear();
        }
        let (key, is_turned) = self.evaluator.key(game);
        let known = self.tree.find(key).filter(|&node| self.tree.nodes[node as usize].count > 0);
        self.root = (known.unwrap_or(NONE), is_turned);
        if known.is_none() {
            self.clear();
            self.root = (self.evaluate_root(game, key, is_turned), is_turned);
            budget.tick();
        }
        if self.wants_analysis(self.root.0, true) {
            self.analyze(game, self.root.0, is_turned);
            self.count_analyses(budget);
        }
        self.apply_root_limit(game);
        self.add_root_noise();
        let most_plies = depth.map_or(usize::MAX, |depth| depth as usize);
        self.deepest = 0;
        let mut next_report = 64;
        while self.tree.node(self.root.0).proved == NodeProof::Open
            && self.tree.bytes() < self.most_bytes
            && self.deepest < most_plies
        {
            if !self.step(game, budget) {
                break;
            }
            if budget.nodes >= next_report {
                next_report = 2 * budget.nodes;
                report(self, game, budget);
            }
        }
    }

    /// Adds noise to the priors of the root, if that is wanted.
    fn add_root_noise(&mut self) {
        let Some((scale, generator)) = &mut self.noise else { return };
        let Node { begin, count, .. } = self.tree.nodes[self.root.0 as usize];
        let edges = &mut self.tree.edges[begin as usize..][..count.into()];
        for edge in edges.iter_mut() {
            // A Gumbel variable g: e to the power of g is one over an exponential variable.
            let uniform = (f64::from(generator.random::<u32>()) + 0.5) / 4_294_967_296.0;
            let factor = exact::exp(-*scale * exact::ln(-exact::ln(uniform)));
            #[allow(clippy::cast_possible_truncation, reason = "24 bits are enough")]
            let prior = (f64::from(edge.prior.max(1e-9)) * factor) as f32;
            edge.prior = prior;
        }
        let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
        for edge in edges {
            edge.prior /= sum;
        }
    }

    /// Judges the root; it has edges even where a glance shows all.
    fn evaluate_root(&mut self, game: &mut G, key: u64, is_turned: bool) -> u32 {
        let mut pending = self.pending.swap_remove(0);
        pending.path.clear();
        pending.moves.clear();
        let proved = proved(self.evaluator.check_terminal(game, &mut pending.moves));
        pending.node = self.tree.add(key, proved);
        pending.is_turned = is_turned;
        self.evaluator.prepare(game, None, is_turned, &mut self.leaves[0]);
        self.evaluator.evaluate_leaf(&mut self.leaves[0]);
        let node = pending.node;
        self.tree.node(node).visits = 1;
        self.tree.node(node).sum = f64::from(self.evaluator.value(&self.leaves[0]));
        self.expand(game, &pending, 0);
        self.pending.push(pending);
        node
    }

    /// Goes down the tree once or a few times, and judges what was found. False when the budget is spent.
    fn step(&mut self, game: &mut G, budget: &mut SearchBudget<'_>) -> bool {
        // 1. Find positions to be judged
        let (mut found, mut goes_on) = (0, true);
        while found < self.pending.len() {
            goes_on = budget.tick();
            if !goes_on {
                break;
            }
            let reached = self.descend(game, found);
            self.count_analyses(budget);
            while let Some((mv, undo)) = self.undo.pop() {
                game.unmake(mv, undo);
            }
            match reached {
                DescentEnd::New => found += 1,
                DescentEnd::Known => {}
                DescentEnd::Waiting => break,
            }
            if self.tree.node(self.root.0).proved != NodeProof::Open {
                break;
            }
        }
        // 2. Judge them
        let (evaluator, leaves) = (&self.evaluator, &mut self.leaves[..found]);
        let part = found.div_ceil(self.threads).max(1);
        let evaluate = |part: &mut [E::Leaf]| part.iter_mut().for_each(|leaf| evaluator.evaluate_leaf(leaf));
        let (own, others) = leaves.split_at_mut(part.min(found));
        if others.is_empty() {
            evaluate(own); // a scope would take memory
        } else {
            thread::scope(|scope| {
                for part in others.chunks_mut(part) {
                    scope.spawn(move || evaluate(part));
                }
                evaluate(own);
            });
        }
        // 3. Tell the nodes above
        for place in 0..found {
            let pending = std::mem::take(&mut self.pending[place]);
            self.expand(game, &pending, place);
            let value = f64::from(self.evaluator.value(&self.leaves[place]));
            self.back_up(&pending.path, pending.node, value);
            self.pending[place] = pending;
        }
        goes_on
    }

    /// Goes from the root to a position that was not judged, or whose value is known. On the way every node counts a visit
    /// that its mover wins, which keeps others of the same batch away; what is found replaces it.
    fn descend(&mut self, game: &mut G, place: usize) -> DescentEnd {
        let (mut node, mut is_turned) = self.root;
        let mut pending = std::mem::take(&mut self.pending[place]);
        pending.path.clear();
        let reached = loop {
            self.tree.node(node).visits += 1;
            self.tree.node(node).sum += 1.0;
            if let Some(value) = self.tree.node(node).proved.value() {
                self.back_up(&pending.path, node, value);
                break DescentEnd::Known;
            }
            if self.tree.node(node).count == 0 {
                self.revert_virtual_visits(&pending.path, node);
                break DescentEnd::Waiting;
            }
            if self.wants_analysis(node, false) {
                self.analyze(game, node, is_turned);
                if let Some(value) = self.tree.node(node).proved.value() {
                    self.back_up(&pending.path, node, value);
                    break DescentEnd::Known;
                }
            }
            let edge = self.select(node);
            pending.path.push((node, edge));
            let Edge { mv, child, is_turned: turns, .. } = self.tree.edges[edge as usize];
            self.tree.edges[edge as usize].visits += 1;
            let mv = if is_turned { self.evaluator.turned(game, mv) } else { mv };
            let undo = game.make(mv);
            self.undo.push((mv, undo));
            if child != NONE {
                (node, is_turned) = (child, is_turned != turns);
                continue;
            }
            let (child, child_is_turned, is_new) =
                self.expand_or_transpose(game, edge, is_turned, &mut pending.moves);
            (node, is_turned) = (child, child_is_turned);
            if is_new && self.tree.node(node).proved == NodeProof::Open {
                self.tree.node(node).visits += 1;
                self.tree.node(node).sum += 1.0;
                (pending.node, pending.is_turned) = (node, is_turned);
                self.evaluator.prepare(game, Some(mv), is_turned, &mut self.leaves[place]);
                break DescentEnd::New;
            }
        };
        self.deepest = self.deepest.max(pending.path.len());
        self.pending[place] = pending;
        reached
    }

    /// The node behind an edge that leads to `game`, whether its board is turned, and whether it is new.
    fn expand_or_transpose(
        &mut self,
        game: &mut G,
        edge: u32,
        is_turned: bool,
        moves: &mut Vec<G::Move>,
    ) -> (u32, bool, bool) {
        let (key, child_is_turned) = self.evaluator.key(game);
        let known = self.tree.find(key);
        let child = known.unwrap_or_else(|| {
            moves.clear();
            let proved = match game.outcome() {
                Some(Outcome::Draw) => NodeProof::Draw,
                Some(Outcome::Win(side)) if side == game.to_move() => NodeProof::Win(0),
                Some(Outcome::Win(_)) => NodeProof::Loss(0),
                None => proved(self.evaluator.check_terminal(game, moves)),
            };
            self.tree.add(key, proved)
        });
        let edge = &mut self.tree.edges[edge as usize];
        (edge.child, edge.is_turned) = (child, is_turned != child_is_turned);
        (child, child_is_turned, known.is_none())
    }

    /// The edge that promises most.
    fn select(&self, node: u32) -> u32 {
        let MctsConstants { exploration, first_play, .. } = self.constants;
        let Node { begin, visits, .. } = self.tree.nodes[node as usize];
        let edges = self.tree.edges_of(node);
        let looked_at: f32 = edges.iter().filter(|edge| edge.visits > 0).map(|edge| edge.prior).sum();
        let scale = exploration * f64::from(visits - 1).sqrt();
        let unknown = self.tree.nodes[node as usize].mean() - first_play * f64::from(looked_at).sqrt();
        let mut best = (f64::NEG_INFINITY, begin);
        for (place, edge) in (begin..).zip(edges) {
            let value = match self.tree.proof_after(edge) {
                NodeProof::Win(_) => continue, // it loses
                _ if edge.child == NONE => unknown,
                _ => -self.tree.nodes[edge.child as usize].mean(),
            };
            let promise = value + scale * f64::from(edge.prior) / f64::from(1 + edge.visits);
            if promise > best.0 {
                best = (promise, place);
            }
        }
        best.1
    }

    /// Gives a judged node its edges.
    fn expand(&mut self, game: &G, pending: &PendingLeaf<G::Move>, place: usize) {
        let leaf = &self.leaves[place];
        let begin = self.tree.edges.len();
        let temperature = self.constants.prior_temperature;
        let logit = |mv| f64::from(self.evaluator.logit(leaf, mv)) / temperature;
        let most = pending.moves.iter().map(|&mv| logit(mv)).fold(f64::NEG_INFINITY, f64::max);
        for &mv in &pending.moves {
            let logit = logit(mv);
            #[allow(clippy::cast_possible_truncation, reason = "24 bits are enough")]
            let prior = exact::exp(logit - most) as f32;
            let mv = if pending.is_turned { self.evaluator.turned(game, mv) } else { mv };
            self.tree.edges.push(Edge { mv, prior, visits: 0, child: NONE, is_turned: false });
        }
        let edges = &mut self.tree.edges[begin..];
        if pending.is_turned {
            edges.reverse(); // so that equals stand in the same order on both boards
        }
        let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
        for edge in edges {
            edge.prior /= sum;
        }
        let node = self.tree.node(pending.node);
        node.begin = u32::try_from(begin).expect("the tree's memory is limited");
        node.count = u16::try_from(pending.moves.len()).expect("no position has so many moves");
    }

    /// Replaces the visits that were counted on the way to a node by its value, for the mover there.
    fn back_up(&mut self, path: &[(u32, u32)], node: u32, value: f64) {
        self.tree.node(node).sum += value - 1.0;
        let (mut value, mut below) = (value, node);
        for &(node, _) in path.iter().rev() {
            value = -value;
            if self.tree.node(below).proved != NodeProof::Open {
                self.tree.propagate_proof(node);
            }
            let node_value = self.tree.node(node).proved.value();
            value = node_value.unwrap_or(value);
            self.tree.node(node).sum += value - 1.0;
            below = node;
        }
    }

    /// Forgets the visits that were counted on the way to a node.
    fn revert_virtual_visits(&mut self, path: &[(u32, u32)], node: u32) {
        let nodes = path.iter().map(|&(node, _)| node).chain([node]);
        for node in nodes {
            self.tree.node(node).visits -= 1;
            self.tree.node(node).sum -= 1.0;
        }
        for &(_, edge) in path {
            self.tree.edges[edge as usize].visits -= 1;
        }
    }
}

fn proved(glance: TerminalCheck) -> NodeProof {
    match glance {
        TerminalCheck::Open => NodeProof::Open,
        TerminalCheck::Win(plies) => NodeProof::Win(plies),
        TerminalCheck::Loss(plies) => NodeProof::Loss(plies),
    }
}

/// The score of a value from -1 to 1: log odds in thousandths.
pub(crate) fn score_of(value: f64) -> Score {
    let chance = (value / 2.0 + 0.5).clamp(0.000_1, 0.999_9);
    #[allow(clippy::cast_possible_truncation, reason = "between -9,211 and 9,211")]
    let score = (1000.0 * exact::ln(chance / (1.0 - chance))).round() as i32;
    Score(score)
}
