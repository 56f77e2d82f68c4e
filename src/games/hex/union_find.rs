//! Chains of stones as a union-find that can be unwound. Knows nodes, no stones.

/// No node.
pub(super) const NONE: u16 = u16::MAX;

/// Disjoint sets of nodes, joined by weight and without shortening of paths, so that the last join can be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chains {
    parent: Vec<u16>,
    weight: Vec<u16>,
}

impl Chains {
    pub(super) fn new(nodes: usize) -> Self {
        let parent = (0..nodes).map(|node| u16::try_from(node).expect("at most 680 nodes")).collect();
        Chains { parent, weight: vec![1; nodes] }
    }

    /// The node that stands for the set of `node`.
    pub(super) fn root(&self, node: usize) -> usize {
        let mut node = node;
        while usize::from(self.parent[node]) != node {
            node = usize::from(self.parent[node]);
        }
        node
    }

    pub(super) fn are_joined(&self, one: usize, other: usize) -> bool {
        self.root(one) == self.root(other)
    }

    /// Joins two sets; gives what [`Chains::part`] needs, `NONE` if they were one already.
    pub(super) fn join(&mut self, one: usize, other: usize) -> u16 {
        let (mut child, mut root) = (self.root(one), self.root(other));
        if child == root {
            return NONE;
        }
        if self.weight[child] > self.weight[root] {
            std::mem::swap(&mut child, &mut root);
        }
        let joined = self.parent[child]; // A root is its own parent.
        self.parent[child] = self.parent[root];
        self.weight[root] += self.weight[child];
        joined
    }

    /// Undoes a join, which must be the last one that has not been undone.
    pub(super) fn part(&mut self, joined: u16) {
        let child = usize::from(joined);
        let root = usize::from(self.parent[child]);
        self.weight[root] -= self.weight[child];
        self.parent[child] = joined;
    }

    /// Makes a node a set of its own. The sets it was joined with must be dissolved as well.
    pub(super) fn isolate(&mut self, node: usize) {
        self.parent[node] = u16::try_from(node).expect("at most 680 nodes");
        self.weight[node] = 1;
    }
}
