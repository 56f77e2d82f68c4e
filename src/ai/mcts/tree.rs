//! The nodes of a tree search and their edges, in two long rows. Knows no game.

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// Proof about a node, for its mover; numbers are plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeProof {
    Open,
    Win(u16),
    Draw,
    Loss(u16),
}

impl NodeProof {
    /// The value of what is proved.
    pub(super) fn value(self) -> Option<f64> {
        match self {
            NodeProof::Open => None,
            NodeProof::Win(_) => Some(1.0),
            NodeProof::Draw => Some(0.0),
            NodeProof::Loss(_) => Some(-1.0),
        }
    }
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) key: u64,
    /// Index of its first edge; there are none before it was evaluated.
    pub(super) begin: u32,
    pub(super) count: u16,
    pub(super) proved: NodeProof,
    /// Once it was analyzed, after how many plies it is over at the latest; 0 before.
    pub(super) most_plies: u16,
    /// Number of visits.
    pub(super) visits: u32,
    /// The sum of the values found, for its mover.
    pub(super) sum: f64,
}

impl Node {
    /// The mean of the values found.
    pub(super) fn mean(&self) -> f64 {
        self.proved.value().unwrap_or_else(|| self.sum / f64::from(self.visits.max(1)))
    }
}

/// A move of a node, as it is on the node's board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<M> {
    pub(super) mv: M,
    pub(super) prior: f32,
    pub(super) visits: u32,
    pub(super) child: u32,
    /// `true` if the board of the child is turned against this node's.
    pub(super) is_turned: bool,
}

/// All nodes, found by their keys.
#[derive(Clone, Debug)]
pub(super) struct Tree<M> {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge<M>>,
    /// Numbers of nodes, at the places that their keys name or behind; at most half full.
    table: Vec<u32>,
}

impl<M: Copy> Tree<M> {
    pub(super) fn new() -> Self {
        Tree { nodes: Vec::new(), edges: Vec::new(), table: vec![NONE; 1 << 10] }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.table.fill(NONE);
    }

    /// Returns the size of the tree in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges.len() * size_of::<Edge<M>>() + self.table.len() * 4
    }

    #[allow(clippy::cast_possible_truncation, reason = "the table is smaller than any memory")]
    fn place(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut place = (key ^ key >> 32) as usize & mask;
        while self.table[place] != NONE && self.nodes[self.table[place] as usize].key != key {
            place = (place + 1) & mask;
        }
        place
    }

    /// The node of a key.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        Some(self.table[self.place(key)]).filter(|&node| node != NONE)
    }

    /// Adds a node that is not there.
    pub(super) fn add(&mut self, key: u64, proved: NodeProof) -> u32 {
        if 2 * self.nodes.len() >= self.table.len() {
            self.table = vec![NONE; 2 * self.table.len()];
            for node in 0..self.nodes.len() {
                let place = self.place(self.nodes[node].key);
                self.table[place] = number(node);
            }
        }
        let (place, node) = (self.place(key), number(self.nodes.len()));
        self.table[place] = node;
        self.nodes.push(Node { key, begin: 0, count: 0, proved, most_plies: 0, visits: 0, sum: 0.0 });
        node
    }

    pub(super) fn node(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// The edges of a node.
    pub(super) fn edges_of(&self, node: u32) -> &[Edge<M>] {
        let Node { begin, count, .. } = self.nodes[node as usize];
        &self.edges[begin as usize..][..count.into()]
    }

    /// Returns the index of a node's first edge, and the number of its edges.
    pub(super) fn range(&self, node: u32) -> (usize, usize) {
        let Node { begin, count, .. } = self.nodes[node as usize];
        (begin as usize, count.into())
    }

    /// Returns the proof about the position behind an edge, for the side to move there.
    pub(super) fn proof_after(&self, edge: &Edge<M>) -> NodeProof {
        self.nodes.get(edge.child as usize).map_or(NodeProof::Open, |node| node.proved)
    }

    /// Draws from the edges of a node what they prove about it.
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
        let Node { count, most_plies, .. } = self.nodes[node as usize];
        self.node(node).proved = match (win, lost) {
            (Some(plies), _) => NodeProof::Win(plies.saturating_add(1)),
            (None, Some(_)) if is_draw => NodeProof::Draw,
            // Moves that were left out may resist longer.
            (None, Some(plies)) if count > 0 => NodeProof::Loss(plies.saturating_add(1).max(most_plies)),
            _ => return,
        };
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a tree has fewer than four billion nodes")
}
