//! A side's connections as an electrical circuit from edge to edge: where most current flows is where the game is decided. Knows
//! connections, no moves.

use super::connections::Connections;

/// The circuits of both sides, and room to compute them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Circuit {
    /// Conductances, row by row, then the triangle of their decomposition.
    matrix: Vec<f64>,
    potential: Vec<f64>,
}

impl Circuit {
    /// Adds to each cell the current that flows through it when 1 flows from edge to edge.
    ///
    /// The conductance of two nodes with a full connection is 1, doubled for each that is a chain or an edge, divided by one more
    /// than the cells that all their connections need. False if that is due to end before it is done.
    pub(crate) fn add_currents<const W: usize>(
        &mut self,
        network: &Connections<W>,
        energy: &mut [f64],
        is_due: &dyn Fn() -> bool,
    ) -> bool {
        // Node 1, the second edge, is the ground, so row n of the matrix belongs to node 0 or n + 1.
        let nodes = network.nodes();
        let size = nodes - 1;
        let row = |node: usize| if node == 0 { 0 } else { node - 1 };
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        for node in (0..nodes).filter(|&node| node != 1) {
            let at = row(node);
            // A little flows to the ground from everywhere, so that what is not connected does no harm.
            self.matrix[at * size + at] += 1e-6;
            for (other, meet) in network.linked(node) {
                let conductance = conductance(network, node, other, meet.len());
                self.matrix[at * size + at] += conductance;
                if other != 1 {
                    self.matrix[at * size + row(other)] -= conductance;
                }
            }
        }
        if !self.solve(size, is_due) {
            return false;
        }
        let potential = |node: usize| if node == 1 { 0.0 } else { self.potential[row(node)] };
        for node in 2..nodes {
            let Some(cell) = network.cell(node) else { continue };
            let flows = network.linked(node).map(|(other, meet)| {
                (potential(node) - potential(other)).abs() * conductance(network, node, other, meet.len())
            });
            energy[cell] += flows.sum::<f64>() / 2.0;
        }
        true
    }

    /// Solves `matrix * potential = (1, 0, 0, …)` for a symmetric positive matrix (Cholesky, without roots).
    fn solve(&mut self, size: usize, is_due: &dyn Fn() -> bool) -> bool {
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
            let known: f64 = (0..row).map(|col| a[row * size + col] * self.potential[col]).sum();
            self.potential[row] -= known;
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|col| a[row * size + col] * self.potential[col]).sum();
            self.potential[row] = (self.potential[row] - known) / a[row * size + row];
        }
        true
    }
}

fn conductance<const W: usize>(network: &Connections<W>, one: usize, other: usize, needed: usize) -> f64 {
    let stones = [one, other].into_iter().filter(|&node| network.cell(node).is_none()).count();
    let base = [1.0, 2.0, 4.0][stones];
    #[expect(clippy::cast_precision_loss, reason = "at most 676 cells")]
    let parts = (needed + 1) as f64;
    base / parts
}
