//! Nodes and edges of the search tree, stored in two arrays. This module is independent of any game.

/// Marker for a missing node.
pub(super) const NO_NODE: u32 = u32::MAX;

/// Proved result of a node for its mover; distances are in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeProof {
    Open,
    Win(u16),
    Draw,
    Loss(u16),
}

impl NodeProof {
    /// Returns the value of a proved result, from -1 to 1; `None` if nothing is proved.
    pub(super) fn proved_value(self) -> Option<f64> {
        match self {
            NodeProof::Open => None,
            NodeProof::Win(_) => Some(1.0),
            NodeProof::Draw => Some(0.0),
            NodeProof::Loss(_) => Some(-1.0),
        }
    }
}

/// A node of the tree: one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    pub(super) key: u64,
    /// Index of the first edge; a node has no edges before it is evaluated.
    pub(super) begin: u32,
    pub(super) count: u16,
    pub(super) proved: NodeProof,
    /// Upper bound on the number of remaining plies, found by the prover; 0 before the node is analyzed.
    pub(super) most_plies: u16,
    /// Number of visits.
    pub(super) visits: u32,
    /// Sum of the backed-up values for the mover.
    pub(super) sum: f64,
}

impl TreeNode {
    /// Returns the proved value, or else the mean of the backed-up values.
    pub(super) fn mean_value(&self) -> f64 {
        self.proved.proved_value().unwrap_or_else(|| self.sum / f64::from(self.visits.max(1)))
    }
}

/// An edge of the tree: a move in the orientation of its node's board.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeEdge<M> {
    pub(super) mv: M,
    pub(super) prior: f32,
    pub(super) visits: u32,
    pub(super) child: u32,
    /// `true` if the child's board is rotated relative to this node's.
    pub(super) is_turned: bool,
}

/// Search tree with a hash table that finds nodes by their keys.
#[derive(Clone, Debug)]
pub(super) struct SearchTree<M> {
    pub(super) nodes: Vec<TreeNode>,
    pub(super) edges: Vec<TreeEdge<M>>,
    /// Open-addressing hash table of node indices, at most half full.
    table: Vec<u32>,
}

impl<M: Copy> SearchTree<M> {
    pub(super) fn new() -> Self {
        SearchTree { nodes: Vec::new(), edges: Vec::new(), table: vec![NO_NODE; 1 << 10] }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.table.fill(NO_NODE);
    }

    /// Returns the size of the tree in bytes.
    pub(super) fn size_in_bytes(&self) -> usize {
        self.nodes.len() * size_of::<TreeNode>()
            + self.edges.len() * size_of::<TreeEdge<M>>()
            + self.table.len() * 4
    }

    #[allow(clippy::cast_possible_truncation, reason = "the table is smaller than any memory")]
    fn table_slot(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut place = (key ^ key >> 32) as usize & mask;
        while self.table[place] != NO_NODE && self.nodes[self.table[place] as usize].key != key {
            place = (place + 1) & mask;
        }
        place
    }

    /// Returns the node with this key, if there is one.
    pub(super) fn find_node(&self, key: u64) -> Option<u32> {
        Some(self.table[self.table_slot(key)]).filter(|&node| node != NO_NODE)
    }

    /// Adds a node with a new key.
    pub(super) fn add_node(&mut self, key: u64, proved: NodeProof) -> u32 {
        if 2 * self.nodes.len() >= self.table.len() {
            self.table = vec![NO_NODE; 2 * self.table.len()];
            for node in 0..self.nodes.len() {
                let place = self.table_slot(self.nodes[node].key);
                self.table[place] = node_number(node);
            }
        }
        let (place, node) = (self.table_slot(key), node_number(self.nodes.len()));
        self.table[place] = node;
        self.nodes.push(TreeNode { key, begin: 0, count: 0, proved, most_plies: 0, visits: 0, sum: 0.0 });
        node
    }

    pub(super) fn node_mut(&mut self, node: u32) -> &mut TreeNode {
        &mut self.nodes[node as usize]
    }

    /// Returns the edges of a node.
    pub(super) fn edges_of(&self, node: u32) -> &[TreeEdge<M>] {
        let TreeNode { begin, count, .. } = self.nodes[node as usize];
        &self.edges[begin as usize..][..count.into()]
    }

    /// Returns the index of a node's first edge, and the number of its edges.
    pub(super) fn edge_range(&self, node: u32) -> (usize, usize) {
        let TreeNode { begin, count, .. } = self.nodes[node as usize];
        (begin as usize, count.into())
    }

    /// Returns the proved result of the position after an edge, for the side to move in that position.
    pub(super) fn proof_after(&self, edge: &TreeEdge<M>) -> NodeProof {
        self.nodes.get(edge.child as usize).map_or(NodeProof::Open, |node| node.proved)
    }

    /// Derives the proved result of a node from those of its children.
    pub(super) fn propagate_proof(&mut self, node: u32) {
        let mut lost = Some(0);
        let (mut win, mut is_draw) = (None::<u16>, false);
        for edge in self.edges_of(node) {
            match self.proof_after(edge) {
                NodeProof::Loss(plies) => win = Some(win.map_or(plies, |least| least.min(plies))),
                NodeProof::Win(plies) => lost = lost.map(|most: u16| most.max(plies)),
                NodeProof::Draw => is_draw = true,
                NodeProof::Open => lost = None,
            }
        }
        let TreeNode { count, most_plies, .. } = self.nodes[node as usize];
        self.node_mut(node).proved = match (win, lost) {
            (Some(plies), _) => NodeProof::Win(plies.saturating_add(1)),
            (None, Some(_)) if is_draw => NodeProof::Draw,
            // Moves that were pruned may delay the loss for longer.
            (None, Some(plies)) if count > 0 => NodeProof::Loss(plies.saturating_add(1).max(most_plies)),
            _ => return,
        };
    }
}

fn node_number(count: usize) -> u32 {
    u32::try_from(count).expect("a tree has fewer than four billion nodes")
}
