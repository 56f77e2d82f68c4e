//! Graph of one side's empty cells in which its chains cost nothing. It gives distances between the edges,
//! numbers of shortest paths, and two-distances. This module depends only on the rules.

use crate::board::hexgrid::{Cell, Edge, HexGrid};
use crate::game::Side;
use crate::games::hex::{Hex, goal_edges};

/// Adjacency relation between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellAdjacency {
    /// Cells that touch.
    Touching,
    /// Cells that touch, ends of a bridge whose two cells are empty, and cells of the second row with their
    /// edge.
    TouchingOrBridged,
}

/// Distance of an unreachable cell or edge.
pub const UNREACHABLE: u16 = u16::MAX;

/// Path graph of one side. Its buffers are reused for every position.
///
/// ```
/// use crosspath::ai::hex::path_counts::{CellAdjacency, PathGraph};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(11, SwapRule::On)?;
/// let mut network = PathGraph::default();
/// assert_eq!(network.compute_distances(&game, Side::First, CellAdjacency::Touching), 11);
/// assert_eq!(network.compute_distances(&game, Side::First, CellAdjacency::TouchingOrBridged), 5);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathGraph {
    /// Lists of neighbouring cells: those of cell `i` are `linked[first[i]..first[i + 1]]`. Only empty cells
    /// have any.
    linked: Vec<Cell>,
    /// Start of each cell's list in `linked`.
    first: Vec<usize>,
    /// Distance of each cell from each edge, by edge and cell.
    distance: [Vec<u16>; 2],
    /// Number of shortest paths from each edge to each cell, by edge and cell.
    path_counts: [Vec<u64>; 2],
    /// Two-distance of each cell from each edge, by edge and cell.
    two: [Vec<u16>; 2],
    /// Cells linked to each edge.
    at_edge: [Vec<Cell>; 2],
    is_joined: bool,
    /// Number of the flood fill that visited each cell last.
    met: Vec<u32>,
    /// Number of the current flood fill.
    now: u32,
    queue: Vec<Cell>,
    held: Vec<u8>,
}

impl PathGraph {
    /// Computes the distances of a position for a side. Returns the number of stones the side still needs: 0
    /// if its edges are joined (with bridges, as good as joined), [`UNREACHABLE`] if they cannot be.
    pub fn compute_distances(&mut self, game: &Hex, side: Side, graph: CellAdjacency) -> u16 {
        self.link_cells(game, side, graph);
        for end in 0..2 {
            self.compute_edge_distances(game, end);
        }
        if self.is_joined {
            return 0;
        }
        game.empty_cells().map(|cell| self.distance_through(cell)).min().unwrap_or(UNREACHABLE)
    }

    /// Returns the length of the shortest path through an empty cell, in stones still to be placed.
    #[must_use]
    pub fn distance_through(&self, cell: Cell) -> u16 {
        let [one, other] = [0, 1].map(|end| self.distance[end][cell.index()]);
        if one == UNREACHABLE || other == UNREACHABLE { UNREACHABLE } else { one + other - 1 }
    }

    /// Returns the number of shortest paths through an empty cell.
    #[must_use]
    pub fn shortest_path_count(&self, cell: Cell) -> u64 {
        self.path_counts[0][cell.index()].saturating_mul(self.path_counts[1][cell.index()])
    }

    /// Returns the sum of a cell's two-distances from both edges, or [`UNREACHABLE`] if there is no second
    /// path.
    ///
    /// A two-distance is a distance against an opponent that always blocks the better path. Requires a call
    /// of [`PathGraph::compute_two_distances`].
    #[must_use]
    pub fn two_distance(&self, cell: Cell) -> u16 {
        self.two[0][cell.index()].saturating_add(self.two[1][cell.index()])
    }

    /// Links every empty cell to the empty cells that it touches directly or through the side's chains.
    fn link_cells(&mut self, game: &Hex, side: Side, graph: CellAdjacency) {
        let cells = game.grid().len();
        self.met.resize(cells, 0);
        self.linked.clear();
        self.first.clear();
        self.at_edge.iter_mut().for_each(Vec::clear);
        self.is_joined = false;
        let board = LinkContext { game, side, graph, grid: game.grid(), ends: goal_edges(side) };
        for cell in board.grid.cells() {
            self.first.push(self.linked.len());
            match game.stone_at(cell) {
                None => {
                    let touched = self.flood_chains(&board, cell, true);
                    for (cells, is_touched) in self.at_edge.iter_mut().zip(touched) {
                        cells.extend(is_touched.then_some(cell));
                    }
                }
                // Only chains at the first edge need checking.
                Some(owner) if owner == side && !self.is_joined && board.touches_edge(cell, 0) => {
                    self.is_joined = self.flood_chains(&board, cell, false) == [true; 2];
                }
                Some(_) => {}
            }
        }
        self.first.push(self.linked.len());
    }

    /// Visits a cell and the side's chains connected to it. Returns which edges they touch.
    fn flood_chains(&mut self, board: &LinkContext<'_>, cell: Cell, kept: bool) -> [bool; 2] {
        self.now += 1;
        self.met[cell.index()] = self.now;
        self.queue.clear();
        self.queue.push(cell);
        let mut touched = [false; 2];
        while let Some(cell) = self.queue.pop() {
            let more = self.visit_neighbours(board, cell, kept);
            touched = [touched[0] || more[0], touched[1] || more[1]];
        }
        touched
    }

    /// Visits the neighbours of a cell: queues the side's stones, and links empty cells if `kept`. Returns
    /// which edges the cell touches.
    fn visit_neighbours(&mut self, board: &LinkContext<'_>, cell: Cell, kept: bool) -> [bool; 2] {
        let LinkContext { game, side, .. } = *board;
        let PathGraph { met, now, queue, linked, .. } = self;
        let mut meet = |other: Cell| {
            if met[other.index()] != *now {
                met[other.index()] = *now;
                match game.stone_at(other) {
                    None if kept => linked.push(other),
                    Some(owner) if owner == side => queue.push(other),
                    _ => {}
                }
            }
        };
        board.grid.neighbours(cell).iter().for_each(|&other| meet(other));
        if board.graph == CellAdjacency::TouchingOrBridged {
            for bridge in board.grid.bridges(cell) {
                if game.are_both_empty(bridge.carrier) {
                    meet(bridge.end);
                }
            }
        }
        [0, 1].map(|end| board.touches_edge(cell, end))
    }

    /// Computes the distances and the numbers of shortest paths from one edge.
    fn compute_edge_distances(&mut self, game: &Hex, end: usize) {
        let cells = game.grid().len();
        let (distance, counts) = (&mut self.distance[end], &mut self.path_counts[end]);
        distance.clear();
        distance.resize(cells, UNREACHABLE);
        counts.clear();
        counts.resize(cells, 0);
        self.queue.clear();
        for &cell in &self.at_edge[end] {
            distance[cell.index()] = 1;
            counts[cell.index()] = 1;
            self.queue.push(cell);
        }
        let mut read = 0;
        while let Some(&cell) = self.queue.get(read) {
            read += 1;
            let next = distance[cell.index()] + 1;
            for &other in &self.linked[self.first[cell.index()]..self.first[cell.index() + 1]] {
                if distance[other.index()] == UNREACHABLE {
                    distance[other.index()] = next;
                    self.queue.push(other);
                }
                if distance[other.index()] == next {
                    counts[other.index()] = counts[other.index()].saturating_add(counts[cell.index()]);
                }
            }
        }
    }

    /// Computes the two-distances of the current position.
    ///
    /// A cell at the edge has two-distance 1, any other cell one more than the second smallest among its
    /// neighbours.
    pub fn compute_two_distances(&mut self) {
        let cells = self.first.len() - 1;
        for end in 0..2 {
            let two = &mut self.two[end];
            two.clear();
            two.resize(cells, UNREACHABLE);
            self.held.clear();
            self.held.resize(cells, 0);
            self.queue.clear();
            for &cell in &self.at_edge[end] {
                two[cell.index()] = 1;
                self.queue.push(cell);
            }
            let mut read = 0;
            while let Some(&cell) = self.queue.get(read) {
                read += 1;
                let next = two[cell.index()] + 1;
                for &other in &self.linked[self.first[cell.index()]..self.first[cell.index() + 1]] {
                    self.held[other.index()] = self.held[other.index()].saturating_add(1);
                    if self.held[other.index()] == 2 && two[other.index()] == UNREACHABLE {
                        two[other.index()] = next;
                        self.queue.push(other);
                    }
                }
            }
        }
    }
}

/// Arguments that decide which cells are linked.
#[derive(Clone, Copy)]
struct LinkContext<'a> {
    game: &'a Hex,
    side: Side,
    graph: CellAdjacency,
    grid: &'a HexGrid,
    ends: [Edge; 2],
}

impl LinkContext<'_> {
    fn touches_edge(&self, cell: Cell, end: usize) -> bool {
        let edge = self.ends[end];
        let is_bridged =
            || self.grid.edge_bridge(cell, edge).is_some_and(|carrier| self.game.are_both_empty(carrier));
        self.grid.is_on_edge(cell, edge) || self.graph == CellAdjacency::TouchingOrBridged && is_bridged()
    }
}
