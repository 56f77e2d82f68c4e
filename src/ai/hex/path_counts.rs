//! A side's empty cells as a net in which own chains weigh nothing: distances between the edges, numbers of shortest
//! paths, two-distance. Knows the rules' board.

use crate::board::hexgrid::{Cell, Edge, HexGrid};
use crate::game::Side;
use crate::games::hex::{Hex, edges_of};

/// Relation by which cells count as neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graph {
    /// Those that touch.
    Plain,
    /// Also the ends of a bridge whose two cells are empty, and a cell of the second row and its edge.
    Bridges,
}

/// The distance of what cannot be reached.
pub const FAR: u16 = u16::MAX;

/// The net of one side. Its buffers are used again for every position.
///
/// ```
/// use crosspath::ai::hex::path_counts::{Graph, PathGraph};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(11, SwapRule::On)?;
/// let mut network = PathGraph::default();
/// assert_eq!(network.analyze(&game, Side::First, Graph::Plain), 11);
/// assert_eq!(network.analyze(&game, Side::First, Graph::Bridges), 5);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathGraph {
    /// The neighbours of cell `i` are `linked[first[i]..first[i + 1]]`; only empty cells have any.
    linked: Vec<Cell>,
    first: Vec<usize>,
    /// By end: the distance from that edge, the number of shortest paths from it, the two-distance.
    distance: [Vec<u16>; 2],
    path_counts: [Vec<u64>; 2],
    two: [Vec<u16>; 2],
    /// The cells that are linked to the edge of that end.
    at_edge: [Vec<Cell>; 2],
    is_joined: bool,
    /// By cell, the number of the flood that met it last, and that of the flood now.
    met: Vec<u32>,
    now: u32,
    queue: Vec<Cell>,
    held: Vec<u8>,
}

impl PathGraph {
    /// Looks at a position for a side, and gives its distance: how many stones it needs at least, 0 if its edges are
    /// joined, with bridges: as good as joined; [`FAR`] if they cannot be.
    pub fn analyze(&mut self, game: &Hex, side: Side, graph: Graph) -> u16 {
        self.link(game, side, graph);
        for end in 0..2 {
            self.spread(game, end);
        }
        if self.is_joined {
            return 0;
        }
        game.empty().map(|cell| self.through(cell)).min().unwrap_or(FAR)
    }

    /// The length of the shortest path through an empty cell, in stones that have still to be put down.
    #[must_use]
    pub fn through(&self, cell: Cell) -> u16 {
        let [one, other] = [0, 1].map(|end| self.distance[end][cell.index()]);
        if one == FAR || other == FAR { FAR } else { one + other - 1 }
    }

    /// Returns the number of shortest paths through an empty cell.
    #[must_use]
    pub fn path_count(&self, cell: Cell) -> u64 {
        self.path_counts[0][cell.index()].saturating_mul(self.path_counts[1][cell.index()])
    }

    /// The distances of a cell from both edges when the opponent always blocks the better path, summed; [`FAR`] if
    /// there is no second path somewhere. [`PathGraph::compute_two_distance`] must have been called.
    #[must_use]
    pub fn two(&self, cell: Cell) -> u16 {
        self.two[0][cell.index()].saturating_add(self.two[1][cell.index()])
    }

    /// Links every empty cell with those that it touches, directly or by way of own chains.
    fn link(&mut self, game: &Hex, side: Side, graph: Graph) {
        let cells = game.grid().len();
        self.met.resize(cells, 0);
        self.linked.clear();
        self.first.clear();
        self.at_edge.iter_mut().for_each(Vec::clear);
        self.is_joined = false;
        let board = Links { game, side, graph, grid: game.grid(), ends: edges_of(side) };
        for cell in board.grid.cells() {
            self.first.push(self.linked.len());
            match game.stone(cell) {
                None => {
                    let touched = self.flood(&board, cell, true);
                    for (cells, is_touched) in self.at_edge.iter_mut().zip(touched) {
                        cells.extend(is_touched.then_some(cell));
                    }
                }
                // Only chains at the first edge are looked at.
                Some(owner) if owner == side && !self.is_joined && board.touches(cell, 0) => {
                    self.is_joined = self.flood(&board, cell, false) == [true; 2];
                }
                Some(_) => {}
            }
        }
        self.first.push(self.linked.len());
    }

    /// Visits a cell and the own chains that it touches. Gives which edges they touch.
    fn flood(&mut self, board: &Links<'_>, cell: Cell, kept: bool) -> [bool; 2] {
        self.now += 1;
        self.met[cell.index()] = self.now;
        self.queue.clear();
        self.queue.push(cell);
        let mut touched = [false; 2];
        while let Some(cell) = self.queue.pop() {
            let more = self.visit(board, cell, kept);
            touched = [touched[0] || more[0], touched[1] || more[1]];
        }
        touched
    }

    /// Meets the neighbours of a cell: own stones are gone on from, empty cells are linked if they are `kept`. Gives
    /// which edges the cell touches.
    fn visit(&mut self, board: &Links<'_>, cell: Cell, kept: bool) -> [bool; 2] {
        let Links { game, side, .. } = *board;
        let PathGraph { met, now, queue, linked, .. } = self;
        let mut meet = |other: Cell| {
            if met[other.index()] != *now {
                met[other.index()] = *now;
                match game.stone(other) {
                    None if kept => linked.push(other),
                    Some(owner) if owner == side => queue.push(other),
                    _ => {}
                }
            }
        };
        board.grid.neighbours(cell).iter().for_each(|&other| meet(other));
        if board.graph == Graph::Bridges {
            for bridge in board.grid.bridges(cell) {
                if game.are_empty(bridge.carrier) {
                    meet(bridge.end);
                }
            }
        }
        [0, 1].map(|end| board.touches(cell, end))
    }

    /// Finds the distances from one edge, and the numbers of shortest paths.
    fn spread(&mut self, game: &Hex, end: usize) {
        let cells = game.grid().len();
        let (distance, counts) = (&mut self.distance[end], &mut self.path_counts[end]);
        distance.clear();
        distance.resize(cells, FAR);
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
                if distance[other.index()] == FAR {
                    distance[other.index()] = next;
                    self.queue.push(other);
                }
                if distance[other.index()] == next {
                    counts[other.index()] = counts[other.index()].saturating_add(counts[cell.index()]);
                }
            }
        }
    }

    /// Finds the two-distances of the position looked at: 1 at the edge, elsewhere one more than the second smallest
    /// among the neighbours.
    pub fn compute_two_distance(&mut self) {
        let cells = self.first.len() - 1;
        for end in 0..2 {
            let two = &mut self.two[end];
            two.clear();
            two.resize(cells, FAR);
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
                    if self.held[other.index()] == 2 && two[other.index()] == FAR {
                        two[other.index()] = next;
                        self.queue.push(other);
                    }
                }
            }
        }
    }
}

/// Data that decide which cells are linked.
#[derive(Clone, Copy)]
struct Links<'a> {
    game: &'a Hex,
    side: Side,
    graph: Graph,
    grid: &'a HexGrid,
    ends: [Edge; 2],
}

impl Links<'_> {
    fn touches(&self, cell: Cell, end: usize) -> bool {
        let edge = self.ends[end];
        let is_bridged =
            || self.grid.edge_bridge(cell, edge).is_some_and(|carrier| self.game.are_empty(carrier));
        self.grid.touches(cell, edge) || self.graph == Graph::Bridges && is_bridged()
    }
}
