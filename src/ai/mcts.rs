//! PUCT tree search guided by the policy and value of a [`LeafEvaluator`]. Equal positions share a node,
//! including rotated ones. This module is independent of any particular game or network.

mod tree;

use std::fmt::{self, Debug};
use std::thread;

use rand::RngExt;

use crate::ai::{Score, SearchBudget, exact};
use crate::game::{Game, Outcome};
use crate::random::RandomGenerator;
use tree::{NO_NODE, NodeProof, SearchTree, TreeEdge, TreeNode};

mod analyst;
mod choice;

pub use analyst::NodeProver;

/// Result of the cheap static check done before evaluation.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::mcts::{LeafEvaluator, MctsConstants, TerminalCheck, TreeSearch};
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
///
/// /// Takes every position for a win.
/// struct Optimist;
///
/// impl LeafEvaluator<TicTacToe> for Optimist {
///     type Leaf = ();
///     fn prepare_leaf(&self, _: &TicTacToe, _: Option<Cell>, _: bool, (): &mut ()) {}
///     fn evaluate_leaf(&self, (): &mut ()) {}
///     fn leaf_value(&self, (): &()) -> f32 {
///         0.0
///     }
///     fn move_logit(&self, (): &(), _: Cell) -> f32 {
///         0.0
///     }
///     fn check_terminal(&self, game: &mut TicTacToe, moves: &mut Vec<Cell>) -> TerminalCheck {
///         game.push_legal_moves(moves);
///         TerminalCheck::Win(1)
///     }
/// }
///
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
/// let constants = MctsConstants { exploration: 1.5, first_play: 0.2, prior_temperature: 1.0 };
/// let mut search = TreeSearch::new(Optimist, constants, 1, 16);
/// search.run_search(&mut TicTacToe::new(3)?, None, &mut budget, |_, _, _| ());
/// assert_eq!(budget.nodes, 1, "a proved root needs no search");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalCheck {
    /// No result: the position must be evaluated.
    Open,
    /// The mover wins within this number of plies with any of the moves returned.
    Win(u16),
    /// The mover loses within this number of plies, whatever it plays.
    Loss(u16),
}

/// Evaluator of leaf positions for the tree search.
///
/// ```
/// use crosspath::ai::mcts::{LeafEvaluator, TerminalCheck};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
///
/// /// Judges every position as even, and prefers the centre of 3x3.
/// struct Centre;
///
/// impl LeafEvaluator<TicTacToe> for Centre {
///     type Leaf = ();
///     fn prepare_leaf(&self, _: &TicTacToe, _: Option<Cell>, _: bool, (): &mut ()) {}
///     fn evaluate_leaf(&self, (): &mut ()) {}
///     fn leaf_value(&self, (): &()) -> f32 {
///         0.0
///     }
///     fn move_logit(&self, (): &(), cell: Cell) -> f32 {
///         if cell == Cell(4) { 1.0 } else { 0.0 }
///     }
/// }
///
/// let mut moves = Vec::new();
/// assert_eq!(Centre.check_terminal(&mut TicTacToe::new(3)?, &mut moves), TerminalCheck::Open);
/// moves.sort_by(|a, b| Centre.move_logit(&(), *b).total_cmp(&Centre.move_logit(&(), *a)));
/// assert_eq!((moves[0], moves.len()), (Cell(4), 9), "by default every legal move is searched");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LeafEvaluator<G: Game>: Sync {
    /// Buffer of one leaf: first the prepared input, then the evaluation.
    type Leaf: Default + Send;

    /// Prepares a position that is not over for evaluation, rotated if `is_turned`. `last` is the move that
    /// led to it, if known.
    fn prepare_leaf(&self, game: &G, last: Option<G::Move>, is_turned: bool, leaf: &mut Self::Leaf);

    /// Evaluates a prepared leaf. This is the expensive part, and may run on any thread.
    fn evaluate_leaf(&self, leaf: &mut Self::Leaf);

    /// Returns the value of the evaluated position for the side to move, from -1 (lost) to 1 (won).
    fn leaf_value(&self, leaf: &Self::Leaf) -> f32;

    /// Returns the logit of a legal move of the evaluated position.
    fn move_logit(&self, leaf: &Self::Leaf, mv: G::Move) -> f32;

    /// Appends the moves worth searching, at least one, and returns the result of a cheap static check.
    fn check_terminal(&self, game: &mut G, moves: &mut Vec<G::Move>) -> TerminalCheck {
        game.push_legal_moves(moves);
        TerminalCheck::Open
    }

    /// Returns the key of the position in canonical orientation, and `true` if the board is rotated for it.
    fn canonical_key(&self, game: &G) -> (u64, bool) {
        (game.position_key(), false)
    }

    /// Returns the image of a move on the rotated board. Rotating twice gives the move itself.
    fn rotate_move(&self, _game: &G, mv: G::Move) -> G::Move {
        mv
    }
}

/// Constants of the tree search.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::mcts::{LeafEvaluator, MctsConstants, TreeSearch};
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
///
/// struct Even;
/// impl LeafEvaluator<TicTacToe> for Even {
///     type Leaf = ();
///     fn prepare_leaf(&self, _: &TicTacToe, _: Option<Cell>, _: bool, (): &mut ()) {}
///     fn evaluate_leaf(&self, (): &mut ()) {}
///     fn leaf_value(&self, (): &()) -> f32 {
///         0.0
///     }
///     fn move_logit(&self, (): &(), _: Cell) -> f32 {
///         0.0
///     }
/// }
///
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let nodes_to_depth_3 = |exploration| {
///     let constants = MctsConstants { exploration, first_play: 0.2, prior_temperature: 1.0 };
///     let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
///     let mut search = TreeSearch::new(Even, constants, 1, 16); // one thread, memory for 16 MiB
///     search.run_search(&mut game.clone(), Some(3), &mut budget, |_, _, _| ());
///     budget.nodes
/// };
/// assert!(nodes_to_depth_3(4.0) > nodes_to_depth_3(0.1), "more exploration makes the tree wider");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsConstants {
    /// Exploration constant of PUCT: weight of a move's prior against its value.
    pub exploration: f64,
    /// First-play urgency: penalty subtracted from the parent's value for unvisited moves.
    pub first_play: f64,
    /// Temperature by which logits are divided before they become priors.
    pub prior_temperature: f64,
}

/// A tree search that keeps its tree from move to move of one game.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::mcts::{LeafEvaluator, MctsConstants, TreeSearch};
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
///
/// struct Even;
/// impl LeafEvaluator<TicTacToe> for Even {
///     type Leaf = ();
///     fn prepare_leaf(&self, _: &TicTacToe, _: Option<Cell>, _: bool, (): &mut ()) {}
///     fn evaluate_leaf(&self, (): &mut ()) {}
///     fn leaf_value(&self, (): &()) -> f32 {
///         0.0
///     }
///     fn move_logit(&self, (): &(), _: Cell) -> f32 {
///         0.0
///     }
/// }
///
/// let stop = AtomicBool::new(false);
/// let limits = Limits { nodes: Some(500_000), ..Limits::default() };
/// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(limits, &stop));
/// let constants = MctsConstants { exploration: 4.0, first_play: 0.2, prior_temperature: 1.0 };
/// let (mut game, mut search) = (TicTacToe::new(3)?, TreeSearch::new(Even, constants, 1, 16));
/// search.run_search(&mut game, None, &mut budget, |_, _, _| ());
/// assert!(!budget.is_spent(), "the search ended because it proved the draw");
/// let nodes = budget.nodes;
/// search.run_search(&mut game, None, &mut budget, |_, _, _| ());
/// assert_eq!(budget.nodes, nodes, "the tree still contains the proof");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TreeSearch<G: Game, E: LeafEvaluator<G>> {
    evaluator: E,
    constants: MctsConstants,
    threads: usize,
    /// Maximum size of the tree in bytes; a search starts with an empty tree if it is more than half full.
    most_bytes: usize,
    tree: SearchTree<G::Move>,
    root: (u32, bool),
    /// Buffers of the leaves that are evaluated in one batch.
    leaves: Vec<E::Leaf>,
    pending: Vec<PendingLeaf<G::Move>>,
    /// Prover and the schedule of its analyses, if there is one.
    prover_schedule: Option<analyst::ProverSchedule<G>>,
    /// Scale of the Gumbel noise on the root priors, and its random generator.
    noise: Option<(f64, RandomGenerator)>,
    /// Root moves to which the next search is limited; empty if there is no limit.
    root_moves: Vec<G::Move>,
    /// Undo data of the moves made since the root.
    undo: Vec<(G::Move, G::Undo)>,
    /// Depth of the deepest descent of this search, in plies.
    deepest: usize,
}

/// Path from the root to a leaf that waits for its evaluation.
struct PendingLeaf<M> {
    /// Nodes above the leaf, each with the edge taken.
    path: Vec<(u32, u32)>,
    node: u32,
    /// Legal moves of the leaf, in the orientation of the real board.
    moves: Vec<M>,
    is_turned: bool,
}

impl<M> Default for PendingLeaf<M> {
    fn default() -> Self {
        PendingLeaf { path: Vec::new(), node: NO_NODE, moves: Vec::new(), is_turned: false }
    }
}

/// Reason why a descent in the tree ended.
enum DescentEnd {
    /// A new node, which must be evaluated.
    New,
    /// A node whose value is proved.
    Known,
    /// A node that already waits for its evaluation.
    Waiting,
}

/// Number of leaves that each thread evaluates per batch.
const LEAVES_PER_THREAD: usize = 8;

impl<G: Game, E: LeafEvaluator<G>> Debug for TreeSearch<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Search({} nodes, {:?})", self.tree.nodes.len(), self.constants)
    }
}

impl<G: Game, E: LeafEvaluator<G>> TreeSearch<G, E> {
    /// Creates a search with an empty tree on `threads` threads. With one thread, leaves are evaluated one
    /// at a time.
    pub fn new(evaluator: E, constants: MctsConstants, threads: usize, memory_mib: usize) -> Self {
        let batch = if threads > 1 { threads * LEAVES_PER_THREAD } else { 1 };
        TreeSearch {
            evaluator,
            constants,
            threads,
            most_bytes: memory_mib << 20,
            tree: SearchTree::new(),
            root: (NO_NODE, false),
            leaves: (0..batch).map(|_| E::Leaf::default()).collect(),
            pending: (0..batch).map(|_| PendingLeaf::default()).collect(),
            prover_schedule: None,
            noise: None,
            root_moves: Vec::new(),
            undo: Vec::new(),
            deepest: 0,
        }
    }

    /// Enables noise on the root logits for all later searches: Gumbel noise times `scale`.
    pub(crate) fn set_root_noise(&mut self, scale: f64, generator: RandomGenerator) {
        self.noise = (scale > 0.0).then_some((scale, generator));
    }

    /// Clears the tree.
    pub fn clear_tree(&mut self) {
        self.tree.clear();
        self.root = (NO_NODE, false);
    }

    /// Limits the next search to these root moves. The caller guarantees that all other moves lose if these
    /// do. An empty list sets no limit.
    pub(crate) fn limit_root_moves(&mut self, moves: impl Iterator<Item = G::Move>) {
        self.root_moves.clear();
        self.root_moves.extend(moves);
    }

    /// Searches from a position that is not over until the budget is spent, the value is proved, a descent
    /// reaches `depth` plies, or the tree is full. Calls `report` from time to time. The root is always
    /// evaluated.
    pub fn run_search(
        &mut self,
        game: &mut G,
        depth: Option<u32>,
        budget: &mut SearchBudget<'_>,
        mut report: impl FnMut(&Self, &G, &SearchBudget<'_>),
    ) {
        if self.tree.size_in_bytes() > self.most_bytes / 2 {
            self.clear_tree();
        }
        let (key, is_turned) = self.evaluator.canonical_key(game);
        let known = self.tree.find_node(key).filter(|&node| self.tree.nodes[node as usize].count > 0);
        self.root = (known.unwrap_or(NO_NODE), is_turned);
        if known.is_none() {
            self.clear_tree();
            self.root = (self.evaluate_root(game, key, is_turned), is_turned);
            budget.count_node();
        }
        if self.needs_analysis(self.root.0, true) {
            self.analyze_node(game, self.root.0, is_turned);
            self.charge_analyses(budget);
        }
        self.apply_root_limit(game);
        self.add_root_noise();
        let most_plies = depth.map_or(usize::MAX, |depth| depth as usize);
        self.deepest = 0;
        let mut next_report = 64;
        while self.tree.node_mut(self.root.0).proved == NodeProof::Open
            && self.tree.size_in_bytes() < self.most_bytes
            && self.deepest < most_plies
        {
            if !self.run_batch(game, budget) {
                break;
            }
            if budget.nodes >= next_report {
                next_report = 2 * budget.nodes;
                report(self, game, budget);
            }
        }
    }

    /// Adds noise to the priors of the root, if enabled.
    fn add_root_noise(&mut self) {
        let Some((scale, generator)) = &mut self.noise else { return };
        let TreeNode { begin, count, .. } = self.tree.nodes[self.root.0 as usize];
        let edges = &mut self.tree.edges[begin as usize..][..count.into()];
        for edge in edges.iter_mut() {
            // For a Gumbel variable g, e^g is the inverse of an exponential variable.
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

    /// Evaluates and expands the root, even if the static check proves its value.
    fn evaluate_root(&mut self, game: &mut G, key: u64, is_turned: bool) -> u32 {
        let mut pending = self.pending.swap_remove(0);
        pending.path.clear();
        pending.moves.clear();
        let proved = node_proof_from(self.evaluator.check_terminal(game, &mut pending.moves));
        pending.node = self.tree.add_node(key, proved);
        pending.is_turned = is_turned;
        self.evaluator.prepare_leaf(game, None, is_turned, &mut self.leaves[0]);
        self.evaluator.evaluate_leaf(&mut self.leaves[0]);
        let node = pending.node;
        self.tree.node_mut(node).visits = 1;
        self.tree.node_mut(node).sum = f64::from(self.evaluator.leaf_value(&self.leaves[0]));
        self.expand_node(game, &pending, 0);
        self.pending.push(pending);
        node
    }

    /// Collects a batch of leaves, evaluates them and backs up their values. Returns `false` when the
    /// budget is spent.
    fn run_batch(&mut self, game: &mut G, budget: &mut SearchBudget<'_>) -> bool {
        // 1. Collect leaves
        let (mut found, mut goes_on) = (0, true);
        while found < self.pending.len() {
            goes_on = budget.count_node();
            if !goes_on {
                break;
            }
            let reached = self.descend_to_leaf(game, found);
            self.charge_analyses(budget);
            while let Some((mv, undo)) = self.undo.pop() {
                game.unmake_move(mv, undo);
            }
            match reached {
                DescentEnd::New => found += 1,
                DescentEnd::Known => {}
                DescentEnd::Waiting => break,
            }
            if self.tree.node_mut(self.root.0).proved != NodeProof::Open {
                break;
            }
        }
        // 2. Evaluate them
        let (evaluator, leaves) = (&self.evaluator, &mut self.leaves[..found]);
        let part = found.div_ceil(self.threads).max(1);
        let evaluate = |part: &mut [E::Leaf]| part.iter_mut().for_each(|leaf| evaluator.evaluate_leaf(leaf));
        let (own, others) = leaves.split_at_mut(part.min(found));
        if others.is_empty() {
            evaluate(own); // avoids the allocation of a thread scope
        } else {
            thread::scope(|scope| {
                for part in others.chunks_mut(part) {
                    scope.spawn(move || evaluate(part));
                }
                evaluate(own);
            });
        }
        // 3. Back up the values
        for place in 0..found {
            let pending = std::mem::take(&mut self.pending[place]);
            self.expand_node(game, &pending, place);
            let value = f64::from(self.evaluator.leaf_value(&self.leaves[place]));
            self.back_up_value(&pending.path, pending.node, value);
            self.pending[place] = pending;
        }
        goes_on
    }

    /// Descends from the root to a new leaf or a node with a proved value. Applies a virtual loss along the
    /// path; [`TreeSearch::back_up_value`] replaces it with the evaluated value.
    fn descend_to_leaf(&mut self, game: &mut G, place: usize) -> DescentEnd {
        let (mut node, mut is_turned) = self.root;
        let mut pending = std::mem::take(&mut self.pending[place]);
        pending.path.clear();
        let reached = loop {
            self.tree.node_mut(node).visits += 1;
            self.tree.node_mut(node).sum += 1.0;
            if let Some(value) = self.tree.node_mut(node).proved.proved_value() {
                self.back_up_value(&pending.path, node, value);
                break DescentEnd::Known;
            }
            if self.tree.node_mut(node).count == 0 {
                self.revert_virtual_visits(&pending.path, node);
                break DescentEnd::Waiting;
            }
            if self.needs_analysis(node, false) {
                self.analyze_node(game, node, is_turned);
                if let Some(value) = self.tree.node_mut(node).proved.proved_value() {
                    self.back_up_value(&pending.path, node, value);
                    break DescentEnd::Known;
                }
            }
            let edge = self.select_edge(node);
            pending.path.push((node, edge));
            let TreeEdge { mv, child, is_turned: turns, .. } = self.tree.edges[edge as usize];
            self.tree.edges[edge as usize].visits += 1;
            let mv = if is_turned { self.evaluator.rotate_move(game, mv) } else { mv };
            let undo = game.make_move(mv);
            self.undo.push((mv, undo));
            if child != NO_NODE {
                (node, is_turned) = (child, is_turned != turns);
                continue;
            }
            let (child, child_is_turned, is_new) =
                self.expand_or_transpose(game, edge, is_turned, &mut pending.moves);
            (node, is_turned) = (child, child_is_turned);
            if is_new && self.tree.node_mut(node).proved == NodeProof::Open {
                self.tree.node_mut(node).visits += 1;
                self.tree.node_mut(node).sum += 1.0;
                (pending.node, pending.is_turned) = (node, is_turned);
                self.evaluator.prepare_leaf(game, Some(mv), is_turned, &mut self.leaves[place]);
                break DescentEnd::New;
            }
        };
        self.deepest = self.deepest.max(pending.path.len());
        self.pending[place] = pending;
        reached
    }

    /// Returns the child that `edge` leads to, creating it unless the position is already in the tree. Also
    /// returns `true` if its board is rotated, and `true` if the node is new.
    fn expand_or_transpose(
        &mut self,
        game: &mut G,
        edge: u32,
        is_turned: bool,
        moves: &mut Vec<G::Move>,
    ) -> (u32, bool, bool) {
        let (key, child_is_turned) = self.evaluator.canonical_key(game);
        let known = self.tree.find_node(key);
        let child = known.unwrap_or_else(|| {
            moves.clear();
            let proved = match game.outcome() {
                Some(Outcome::Draw) => NodeProof::Draw,
                Some(Outcome::Win(side)) if side == game.to_move() => NodeProof::Win(0),
                Some(Outcome::Win(_)) => NodeProof::Loss(0),
                None => node_proof_from(self.evaluator.check_terminal(game, moves)),
            };
            self.tree.add_node(key, proved)
        });
        let edge = &mut self.tree.edges[edge as usize];
        (edge.child, edge.is_turned) = (child, is_turned != child_is_turned);
        (child, child_is_turned, known.is_none())
    }

    /// Returns the edge with the highest PUCT score.
    fn select_edge(&self, node: u32) -> u32 {
        let MctsConstants { exploration, first_play, .. } = self.constants;
        let TreeNode { begin, visits, .. } = self.tree.nodes[node as usize];
        let edges = self.tree.edges_of(node);
        let looked_at: f32 = edges.iter().filter(|edge| edge.visits > 0).map(|edge| edge.prior).sum();
        let scale = exploration * f64::from(visits - 1).sqrt();
        let unknown = self.tree.nodes[node as usize].mean_value() - first_play * f64::from(looked_at).sqrt();
        let mut best = (f64::NEG_INFINITY, begin);
        for (place, edge) in (begin..).zip(edges) {
            let value = match self.tree.proof_after(edge) {
                NodeProof::Win(_) => continue, // the move loses
                _ if edge.child == NO_NODE => unknown,
                _ => -self.tree.nodes[edge.child as usize].mean_value(),
            };
            let promise = value + scale * f64::from(edge.prior) / f64::from(1 + edge.visits);
            if promise > best.0 {
                best = (promise, place);
            }
        }
        best.1
    }

    /// Adds edges with priors to an evaluated node.
    fn expand_node(&mut self, game: &G, pending: &PendingLeaf<G::Move>, place: usize) {
        let leaf = &self.leaves[place];
        let begin = self.tree.edges.len();
        let temperature = self.constants.prior_temperature;
        let logit = |mv| f64::from(self.evaluator.move_logit(leaf, mv)) / temperature;
        let most = pending.moves.iter().map(|&mv| logit(mv)).fold(f64::NEG_INFINITY, f64::max);
        for &mv in &pending.moves {
            let logit = logit(mv);
            #[allow(clippy::cast_possible_truncation, reason = "24 bits are enough")]
            let prior = exact::exp(logit - most) as f32;
            let mv = if pending.is_turned { self.evaluator.rotate_move(game, mv) } else { mv };
            self.tree.edges.push(TreeEdge { mv, prior, visits: 0, child: NO_NODE, is_turned: false });
        }
        let edges = &mut self.tree.edges[begin..];
        if pending.is_turned {
            edges.reverse(); // so that equal moves have the same order in both orientations
        }
        let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
        for edge in edges {
            edge.prior /= sum;
        }
        let node = self.tree.node_mut(pending.node);
        node.begin = u32::try_from(begin).expect("the tree's memory is limited");
        node.count = u16::try_from(pending.moves.len()).expect("no position has so many moves");
    }

    /// Backs up a value for the mover at `node` along the path, replacing the virtual losses.
    fn back_up_value(&mut self, path: &[(u32, u32)], node: u32, value: f64) {
        self.tree.node_mut(node).sum += value - 1.0;
        let (mut value, mut below) = (value, node);
        for &(node, _) in path.iter().rev() {
            value = -value;
            if self.tree.node_mut(below).proved != NodeProof::Open {
                self.tree.propagate_proof(node);
            }
            let node_value = self.tree.node_mut(node).proved.proved_value();
            value = node_value.unwrap_or(value);
            self.tree.node_mut(node).sum += value - 1.0;
            below = node;
        }
    }

    /// Reverts the virtual visits along the path to a node.
    fn revert_virtual_visits(&mut self, path: &[(u32, u32)], node: u32) {
        let nodes = path.iter().map(|&(node, _)| node).chain([node]);
        for node in nodes {
            self.tree.node_mut(node).visits -= 1;
            self.tree.node_mut(node).sum -= 1.0;
        }
        for &(_, edge) in path {
            self.tree.edges[edge as usize].visits -= 1;
        }
    }
}

fn node_proof_from(glance: TerminalCheck) -> NodeProof {
    match glance {
        TerminalCheck::Open => NodeProof::Open,
        TerminalCheck::Win(plies) => NodeProof::Win(plies),
        TerminalCheck::Loss(plies) => NodeProof::Loss(plies),
    }
}

/// Converts a value from -1 to 1 into a score: log odds in thousandths.
pub(crate) fn score_from_value(value: f64) -> Score {
    let chance = (value / 2.0 + 0.5).clamp(0.000_1, 0.999_9);
    #[allow(clippy::cast_possible_truncation, reason = "between -9,211 and 9,211")]
    let score = (1000.0 * exact::ln(chance / (1.0 - chance))).round() as i32;
    Score(score)
}
