//! Board for searches: stones as bit sets, chains in a union-find with undo, keys of both rotations. This
//! module depends on the rules' board, not on engines.

use std::sync::Arc;

use super::cells::CellSet;
use crate::board::hexgrid::{Cell, Edge, HexGrid, NEIGHBOUR_STEPS};
use crate::game::{Game, Side};
use crate::games::hex::Hex;
use crate::random::mix_seed;

/// Owner of an empty cell, and of the node that two edges share.
const NO_OWNER: u8 = 2;
/// Capacity for the nodes of the largest board: 676 cells, four edges, and the node at the obtuse corners
/// that two edges share. A power of two, so that a masked index needs no bounds check.
const NODE_CAPACITY: usize = 1024;

/// Geometry of a board of one size.
///
/// Nodes are the cells, the four edges (top, bottom, left, right), and one node for the points beyond the
/// obtuse corners, each of which belongs to two edges.
#[derive(Debug)]
pub struct NodeGeometry<const W: usize> {
    /// Board size N.
    pub size: usize,
    /// Number of cells, N * N.
    pub cells: usize,
    /// Ring of the six nodes around each cell, in this order:
    ///
    /// ```text
    ///     1  0
    ///   2  ·  5
    ///     3  4
    /// ```
    pub around: Vec<[u16; 6]>,
    /// Nodes of each ring, then the cell itself twice. A lookup that finds no neighbour yields the cell.
    around_and_self: Vec<[u16; 8]>,
    /// Neighbouring cells of each cell.
    pub neighbours: Vec<CellSet<W>>,
    /// Set of all cells.
    pub all: CellSet<W>,
    /// Cells of each edge.
    pub edges: [CellSet<W>; 4],
    /// Table of dead rings, indexed by the ring mask of First's stones. Bit `i` is set if the cell is dead
    /// when Second's mask is `i`.
    dead: [u64; 64],
    /// Hash keys of a stone, by cell, side and orientation (the board, then the rotated board).
    keys: Vec<[[u64; 2]; 2]>,
}

const SECOND_TO_MOVE_KEY: u64 = mix_seed(0x6865_7824, 0);

impl<const W: usize> NodeGeometry<W> {
    fn new(grid: &HexGrid) -> Self {
        let (size, cells) = (grid.size(), grid.len());
        let around: Vec<[u16; 6]> = (0..cells).map(|cell| compute_ring_nodes(grid, cell)).collect();
        let and_self = |([a, b, c, d, e, f], cell): (&[u16; 6], u16)| [*a, *b, *c, *d, *e, *f, cell, cell];
        let around_and_self = around.iter().zip(0..).map(and_self).collect();
        let beside = grid.cells().map(|cell| grid.neighbours(cell).iter().map(|cell| cell.index()).collect());
        let edge = |edge| grid.edge_cells(edge).iter().map(|cell| cell.index()).collect();
        let key = |cell: usize, side: u64| mix_seed(0x6865_7825 + side, cell as u64);
        let keys = (0..cells).map(|cell| [0, 1].map(|side| [cell, cells - 1 - cell].map(|at| key(at, side))));
        NodeGeometry {
            size,
            cells,
            around,
            around_and_self,
            neighbours: beside.collect(),
            all: CellSet::first_cells(cells),
            edges: Edge::ALL.map(edge),
            dead: compute_dead_rings(),
            keys: keys.collect(),
        }
    }

    /// Reports whether a cell with these stones in its ring is dead. Each mask has one bit per ring node.
    #[inline]
    #[must_use]
    pub(crate) fn is_dead_ring(&self, first: u8, second: u8) -> bool {
        self.dead[usize::from(first)] >> second & 1 == 1
    }
}

/// Returns the ring of nodes around a cell. An edge takes the place of a neighbour off the board.
fn compute_ring_nodes(grid: &HexGrid, cell: usize) -> [u16; 6] {
    let last = grid.size().cast_signed() - 1;
    let (row, col) = grid.coordinates(Cell::new(cell));
    let at = |(rows, cols): (isize, isize)| {
        let (row, col) = (row.cast_signed() + rows, col.cast_signed() + cols);
        let beyond = [row < 0, row > last, col < 0, col > last];
        let edge = beyond.iter().position(|&is_beyond| is_beyond);
        match edge {
            Some(_) if beyond.iter().filter(|&&is_beyond| is_beyond).count() == 2 => grid.len() + 4,
            Some(edge) => grid.len() + edge,
            None => row.cast_unsigned() * grid.size() + col.cast_unsigned(),
        }
    };
    NEIGHBOUR_STEPS.map(|step| u16::try_from(at(step)).expect("at most 681 nodes"))
}

/// Computes the table of rings in which a cell is dead.
///
/// A cell is dead if the stones of First form one arc however the ring is filled. Then those of Second form
/// one arc, too, and a stone on the cell joins nothing that is not already joined around it.
fn compute_dead_rings() -> [u64; 64] {
    let is_arc = |first: u8| {
        let next = first >> 1 | (first & 1) << 5;
        (first & !next).count_ones() <= 1
    };
    let mut dead = [0; 64];
    for first in 0..64_u8 {
        for second in (0..64_u8).filter(|second| first & second == 0) {
            let open = 63 & !(first | second);
            let is_dead = (0..64_u8).filter(|more| more & !open == 0).all(|more| is_arc(first | more));
            dead[usize::from(first)] |= u64::from(is_dead) << second;
        }
    }
    dead
}

/// Undo record of a stone: its cell, and the roots of the chains that it attached to another chain.
#[derive(Clone, Copy, Debug)]
struct PlacementUndo {
    cell: u16,
    /// Roots of the joined chains. Only the first `count` are valid.
    joined: [u16; 2],
    count: u8,
    had_winner: bool,
}

const NO_NODE: u16 = u16::MAX;

/// Converts a node to an index below [`NODE_CAPACITY`].
#[inline]
fn node_index(node: u16) -> usize {
    usize::from(node) % NODE_CAPACITY
}

/// Converts a node index to its stored form.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "there are 681 nodes")]
fn node_to_u16(node: usize) -> u16 {
    node as u16
}

/// Position of the proof search, with undo.
///
/// ```
/// use crosspath::ai::hex::proof::board::ProofBoard;
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let mut board = ProofBoard::<1>::from(&Hex::new(3, SwapRule::Off)?);
/// for cell in [4, 0, 1, 2, 7] {
///     board.make(cell);
/// }
/// assert_eq!(board.winner(), Some(Side::First));
/// board.unmake();
/// assert_eq!((board.winner(), board.to_move()), (None, Side::First));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProofBoard<const W: usize> {
    geometry: Arc<NodeGeometry<W>>,
    to_move: Side,
    winner: Option<Side>,
    /// Hash key of the stones on the board, and the one on the rotated board.
    keys: [u64; 2],
    stones: [CellSet<W>; 2],
    /// Owner of each node: 0 First, 1 Second, 2 nobody.
    owner: [u8; NODE_CAPACITY],
    /// Parent of each node in its chain. A root is its own parent.
    parent: [u16; NODE_CAPACITY],
    /// Number of nodes in a root's chain plus one; 1 for an empty cell.
    weight: [u16; NODE_CAPACITY],
    log: Vec<PlacementUndo>,
}

impl<const W: usize> From<&Hex> for ProofBoard<W> {
    /// Copies the stones and the side to move. Ignores the swap rule.
    fn from(game: &Hex) -> Self {
        let grid = game.grid();
        let mut board = ProofBoard {
            geometry: Arc::new(NodeGeometry::new(grid)),
            to_move: game.to_move(),
            winner: None,
            keys: [0; 2],
            stones: [CellSet::EMPTY; 2],
            owner: [NO_OWNER; NODE_CAPACITY],
            parent: std::array::from_fn(|node| u16::try_from(node).expect("at most 1,024 nodes")),
            weight: [1; NODE_CAPACITY],
            log: Vec::with_capacity(2 * grid.len()),
        };
        for (edge, owner) in [0, 0, 1, 1].into_iter().enumerate() {
            board.owner[grid.len() + edge] = owner;
            board.weight[grid.len() + edge] = 2;
        }
        board.set_position(game, false);
        board
    }
}

impl<const W: usize> ProofBoard<W> {
    /// Sets the stones and the side to move to those of a position of the same size, optionally rotated.
    pub(super) fn set_position(&mut self, game: &Hex, is_turned: bool) {
        while !self.log.is_empty() {
            self.remove_last_stone();
        }
        self.to_move = game.to_move();
        for cell in game.grid().cells() {
            if let Some(side) = game.stone_at(cell) {
                let place = if is_turned { game.grid().rotated_180(cell) } else { cell };
                self.place_stone(side, place.index());
            }
        }
    }

    /// Returns the board's geometry.
    #[must_use]
    pub fn geometry(&self) -> &Arc<NodeGeometry<W>> {
        &self.geometry
    }

    /// Returns the side to move.
    #[must_use]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Returns the side that has joined its edges, if any.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Returns the stones of a side.
    #[inline]
    #[must_use]
    pub fn stones(&self, side: Side) -> CellSet<W> {
        self.stones[side as usize]
    }

    /// Returns the empty cells.
    #[inline]
    #[must_use]
    pub fn empty_cells(&self) -> CellSet<W> {
        self.geometry.all.difference(&(self.stones[0] | self.stones[1]))
    }

    /// Returns the key of the position, equal for its 180-degree rotation, and `true` if it is the key of the
    /// rotated board.
    #[inline]
    #[must_use]
    pub fn canonical_key(&self) -> (u64, bool) {
        self.choose_canonical_key(self.keys)
    }

    /// Returns [`ProofBoard::canonical_key`] after the side to move plays on `cell`.
    #[inline]
    #[must_use]
    pub fn canonical_key_after(&self, cell: usize) -> (u64, bool) {
        let [key, turned] = self.geometry.keys[cell][self.to_move as usize];
        let (key, is_turned) = self.choose_canonical_key([self.keys[0] ^ key, self.keys[1] ^ turned]);
        (key ^ SECOND_TO_MOVE_KEY, is_turned)
    }

    #[inline]
    fn choose_canonical_key(&self, [key, turned]: [u64; 2]) -> (u64, bool) {
        let side = if self.to_move == Side::First { 0 } else { SECOND_TO_MOVE_KEY };
        (key.min(turned) ^ side, turned < key)
    }

    /// Returns a mask of the ring nodes around a cell that belong to a side.
    #[inline]
    #[must_use]
    pub fn ring_mask(&self, cell: usize, side: Side) -> u8 {
        let around = &self.geometry.around[cell];
        let mut ring = 0;
        for (place, &node) in around.iter().enumerate() {
            ring |= u8::from(self.owner[node_index(node)] == side as u8) << place;
        }
        ring
    }

    /// Returns the root node of the chain of a stone or an edge.
    #[inline]
    #[must_use]
    pub fn chain_root(&self, node: usize) -> usize {
        // Most nodes are at most two steps below their root, so the first two steps are taken without a
        // branch.
        let mut node = node_index(self.parent[node_index(self.parent[node % NODE_CAPACITY])]);
        loop {
            let above = node_index(self.parent[node]);
            if above == node {
                return node;
            }
            node = above;
        }
    }

    /// Returns the number of stones placed since the board was created, for undoing.
    #[must_use]
    pub fn placed_count(&self) -> usize {
        self.log.len()
    }

    /// Plays a stone of the side to move on an empty cell.
    #[inline]
    pub fn make(&mut self, cell: usize) {
        self.place_stone(self.to_move, cell);
        self.to_move = self.to_move.other();
    }

    /// Undoes the last move.
    #[inline]
    pub fn unmake(&mut self) {
        self.remove_last_stone();
        self.to_move = self.to_move.other();
    }

    /// Places a stone of a side on an empty cell, without changing the side to move.
    #[inline]
    pub fn place_stone(&mut self, side: Side, cell: usize) {
        debug_assert!(self.owner[cell] == NO_OWNER, "cell {cell} is taken");
        let own = side as usize;
        self.owner[cell] = side as u8;
        self.stones[own].toggle(cell);
        let [key, turned] = self.geometry.keys[cell][own];
        self.keys[0] ^= key;
        self.keys[1] ^= turned;
        let ring = self.ring_mask(cell, side);
        // Neighbours in one arc are already joined, so the first one of each arc is enough.
        let mut arcs = ring & !(ring << 1 | ring >> 5);
        if ring == 63 {
            arcs = 1;
        }
        let nodes = &self.geometry.around_and_self[cell];
        // Attach the stone to the first chain beside it, or to itself. For most stones this is all, and it
        // needs no branch.
        let first = nodes[(arcs | 64).trailing_zeros() as usize];
        arcs &= arcs.wrapping_sub(1);
        // The root of the new stone's chain, tracked so that it need not be looked up again.
        let mut top = self.chain_root(node_index(first));
        self.parent[node_index(node_to_u16(cell))] = node_to_u16(top);
        self.weight[top] += 1;
        let (mut joined, mut count, had_winner) = ([NO_NODE; 2], 0, self.winner.is_some());
        while arcs != 0 {
            let node = nodes[arcs.trailing_zeros() as usize % nodes.len()];
            arcs &= arcs - 1;
            let (child, root) = self.order_roots_by_weight(top, self.chain_root(node_index(node)));
            if child != root {
                self.weight[root] += self.weight[child] - 1;
                [joined[count], self.parent[child]] = [child, root].map(node_to_u16);
                count += 1;
            }
            top = root;
        }
        if count > 0 && !had_winner {
            let edge = self.geometry.cells + 2 * own;
            if self.chain_root(edge) == top && self.chain_root(edge + 1) == top {
                self.winner = Some(side);
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "there are at most two")]
        self.log.push(PlacementUndo { cell: node_to_u16(cell), joined, count: count as u8, had_winner });
    }

    /// Removes the stone that was placed last, without changing the side to move.
    ///
    /// # Panics
    /// Panics if no stone was placed.
    #[inline]
    pub fn remove_last_stone(&mut self) {
        let PlacementUndo { cell, joined, count, had_winner } = self.log.pop().expect("a stone was put");
        let cell = node_index(cell);
        let mut count = usize::from(count);
        while count > 0 {
            count -= 1;
            let child = joined[count];
            let root = node_index(self.parent[node_index(child)]);
            self.weight[root] -= self.weight[node_index(child)] - 1;
            self.parent[node_index(child)] = child;
        }
        let root = node_index(self.parent[cell]);
        self.weight[root] -= 1;
        self.parent[cell] = node_to_u16(cell);
        let own = usize::from(self.owner[cell] & 1);
        self.owner[cell] = NO_OWNER;
        self.stones[own].toggle(cell);
        let [key, turned] = self.geometry.keys[cell][own];
        self.keys[0] ^= key;
        self.keys[1] ^= turned;
        if !had_winner {
            self.winner = None;
        }
    }

    /// Orders two roots: the first one returned is to be attached below the second.
    #[inline]
    fn order_roots_by_weight(&self, one: usize, other: usize) -> (usize, usize) {
        let (one, other) = (one % NODE_CAPACITY, other % NODE_CAPACITY);
        if self.weight[one] > self.weight[other] { (other, one) } else { (one, other) }
    }
}
