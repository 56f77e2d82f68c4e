//! Electrical circuit of a side's connections from edge to edge: cells with much current are likely to decide
//! the game. This module depends on connections, not on moves.

use super::connections::VirtualConnections;

/// Solver of edge-to-edge circuits, with its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectionCircuit {
    /// Conductances, row by row; after solving, the triangular factor of the LDL decomposition.
    matrix: Vec<f64>,
    potential: Vec<f64>,
}

impl ConnectionCircuit {
    /// Adds to each cell the current that flows through it when a current of 1 flows from edge to edge.
    ///
    /// The conductance between two nodes with a full connection is 1, doubled for each end that is a chain or
    /// an edge, divided by one more than the number of cells that all their connections need. Returns `false`
    /// if `is_due` stops it early.
    pub(crate) fn add_currents<const W: usize>(
        &mut self,
        network: &VirtualConnections<W>,
        currents: &mut [f64],
        is_due: &dyn Fn() -> bool,
    ) -> bool {
        // Node 1, the second edge, is the ground. Row 0 of the matrix belongs to node 0, row n to node n + 1.
        let nodes = network.node_count();
        let size = nodes - 1;
        let row = |node: usize| if node == 0 { 0 } else { node - 1 };
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        for node in (0..nodes).filter(|&node| node != 1) {
            let at = row(node);
            // A small leak to the ground keeps the matrix regular if some nodes are not connected.
            self.matrix[at * size + at] += 1e-6;
            for (other, meet) in network.full_neighbours(node) {
                let conductance = link_conductance(network, node, other, meet.len());
                self.matrix[at * size + at] += conductance;
                if other != 1 {
                    self.matrix[at * size + row(other)] -= conductance;
                }
            }
        }
        if !self.solve_potentials(size, is_due) {
            return false;
        }
        let potential = |node: usize| if node == 1 { 0.0 } else { self.potential[row(node)] };
        for node in 2..nodes {
            let Some(cell) = network.cell_of_node(node) else { continue };
            let flows = network.full_neighbours(node).map(|(other, meet)| {
                (potential(node) - potential(other)).abs()
                    * link_conductance(network, node, other, meet.len())
            });
            currents[cell] += flows.sum::<f64>() / 2.0;
        }
        true
    }

    /// Solves `matrix * potential = (1, 0, 0, …)` for a symmetric positive definite matrix by an LDL
    /// decomposition. Returns `false` if `is_due` stops it early.
    fn solve_potentials(&mut self, size: usize, is_due: &dyn Fn() -> bool) -> bool {
        let a = &mut self.matrix;
        for k in 0..size {
            if k % 32 == 31 && is_due() {
                return false;
            }
            let (above, below) = a.split_at_mut((k + 1) * size);
            let pivot = &above[k * size..];
            let inverse = 1.0 / pivot[k];
            for row in below.chunks_exact_mut(size) {
                let factor = row[k] * inverse;
                if factor != 0.0 {
                    for (value, above) in row[k..].iter_mut().zip(&pivot[k..]) {
                        *value -= factor * above;
                    }
                    row[k] = factor;
                }
            }
        }
        self.potential.clear();
        self.potential.resize(size, 0.0);
        self.potential[0] = 1.0;
        for row in 1..size {
            let solved: f64 = (0..row).map(|col| a[row * size + col] * self.potential[col]).sum();
            self.potential[row] -= solved;
        }
        for row in (0..size).rev() {
            let solved: f64 = (row + 1..size).map(|col| a[row * size + col] * self.potential[col]).sum();
            self.potential[row] = (self.potential[row] - solved) / a[row * size + row];
        }
        true
    }
}

fn link_conductance<const W: usize>(
    network: &VirtualConnections<W>,
    one: usize,
    other: usize,
    needed: usize,
) -> f64 {
    let stones = [one, other].into_iter().filter(|&node| network.cell_of_node(node).is_none()).count();
    let base = [1.0, 2.0, 4.0][stones];
    #[expect(clippy::cast_precision_loss, reason = "at most 676 cells")]
    let parts = (needed + 1) as f64;
    base / parts
}
