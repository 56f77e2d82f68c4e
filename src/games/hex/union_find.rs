//! Union-find structure with undo, which stores chains of stones as sets of node numbers.

/// Marker for "no node".
pub(super) const NO_NODE: u16 = u16::MAX;

/// Disjoint sets of nodes with union by size and without path compression, so that the last union can be
/// undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChainUnionFind {
    parent: Vec<u16>,
    weight: Vec<u16>,
}

impl ChainUnionFind {
    pub(super) fn new(nodes: usize) -> Self {
        let parent = (0..nodes).map(|node| u16::try_from(node).expect("at most 680 nodes")).collect();
        ChainUnionFind { parent, weight: vec![1; nodes] }
    }

    /// Returns the representative of the set that contains `node`.
    pub(super) fn find_root(&self, node: usize) -> usize {
        let mut node = node;
        while usize::from(self.parent[node]) != node {
            node = usize::from(self.parent[node]);
        }
        node
    }

    pub(super) fn are_in_same_set(&self, one: usize, other: usize) -> bool {
        self.find_root(one) == self.find_root(other)
    }

    /// Joins two sets. Returns the value that [`ChainUnionFind::undo_join`] needs, or `NO_NODE` if the nodes
    /// were in the same set already.
    pub(super) fn join_sets(&mut self, one: usize, other: usize) -> u16 {
        let (mut child, mut root) = (self.find_root(one), self.find_root(other));
        if child == root {
            return NO_NODE;
        }
        if self.weight[child] > self.weight[root] {
            std::mem::swap(&mut child, &mut root);
        }
        let joined = self.parent[child]; // A root is its own parent.
        self.parent[child] = self.parent[root];
        self.weight[root] += self.weight[child];
        joined
    }

    /// Undoes a union, given the result of [`ChainUnionFind::join_sets`]. Unions are undone in reverse order.
    pub(super) fn undo_join(&mut self, joined: u16) {
        let child = usize::from(joined);
        let root = usize::from(self.parent[child]);
        self.weight[root] -= self.weight[child];
        self.parent[child] = joined;
    }

    /// Makes a node the only member of its set. All other nodes of the former set must be isolated as well.
    pub(super) fn isolate_node(&mut self, node: usize) {
        self.parent[node] = u16::try_from(node).expect("at most 680 nodes");
        self.weight[node] = 1;
    }
}
