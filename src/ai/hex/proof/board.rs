//! A board for searches: stones as bits, chains that can be unwound, keys of both turns. Knows the rules' board, no engine.

use std::sync::Arc;

use super::cells::Cells;
use crate::board::hexgrid::{Cell, Edge, HexGrid, STEPS};
use crate::game::{Game, Side};
use crate::games::hex::Hex;
use crate::random::mix;

/// Nobody's node: an empty cell, or the place that two edges share.
const NOBODY: u8 = 2;
/// Room for the nodes of the largest board: 676 cells, four edges, and the place at the obtuse corners that two edges share. A
/// power of two, so that a masked number needs no check.
const NODES: usize = 1024;

/// Geometry of a board of one size. Nodes are the cells, the edges (top, bottom, left, right), and one more for the
/// place off the board beside each obtuse corner, which belongs to two edges.
#[derive(Debug)]
pub struct Geometry<const W: usize> {
    /// N.
    pub size: usize,
    /// N * N.
    pub cells: usize,
    /// By cell, the nodes beside it, numbered round it:
    ///
    /// ```text
    ///     1  0
    ///   2  ·  5
    ///     3  4
    /// ```
    pub around: Vec<[u16; 6]>,
    /// The neighbours in this order, and the cell itself twice: a lookup that finds no neighbour takes that.
    around_and_self: Vec<[u16; 8]>,
    /// By cell, the cells beside it.
    pub beside: Vec<Cells<W>>,
    /// All cells.
    pub all: Cells<W>,
    /// By edge, its cells.
    pub edges: [Cells<W>; 4],
    /// By the ring's stones of First, a bit for each set of Second's: 1 if a cell in this ring is dead.
    dead: [u64; 64],
    /// By cell and side, the keys of a stone there and on the turned board.
    keys: Vec<[[u64; 2]; 2]>,
}

const SIDE_KEY: u64 = mix(0x6865_7824, 0);

impl<const W: usize> Geometry<W> {
    fn new(grid: &HexGrid) -> Self {
        let (size, cells) = (grid.size(), grid.len());
        let around: Vec<[u16; 6]> = (0..cells).map(|cell| nodes_around(grid, cell)).collect();
        let and_self = |([a, b, c, d, e, f], cell): (&[u16; 6], u16)| [*a, *b, *c, *d, *e, *f, cell, cell];
        let around_and_self = around.iter().zip(0..).map(and_self).collect();
        let beside = grid.cells().map(|cell| grid.neighbours(cell).iter().map(|cell| cell.index()).collect());
        let edge = |edge| grid.edge(edge).iter().map(|cell| cell.index()).collect();
        let key = |cell: usize, side: u64| mix(0x6865_7825 + side, cell as u64);
        let keys = (0..cells).map(|cell| [0, 1].map(|side| [cell, cells - 1 - cell].map(|at| key(at, side))));
        Geometry {
            size,
            cells,
            around,
            around_and_self,
            beside: beside.collect(),
            all: Cells::first(cells),
            edges: Edge::ALL.map(edge),
            dead: dead_rings(),
            keys: keys.collect(),
        }
    }

    /// Reports whether a cell is dead in a ring with these stones, one bit for each place around it.
    #[inline]
    #[must_use]
    pub(crate) fn is_dead(&self, first: u8, second: u8) -> bool {
        self.dead[usize::from(first)] >> second & 1 == 1
    }
}

/// The nodes around a cell. A place off the board is the edge there.
fn nodes_around(grid: &HexGrid, cell: usize) -> [u16; 6] {
    let last = grid.size().cast_signed() - 1;
    let (row, col) = grid.place(Cell::new(cell));
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
    STEPS.map(|step| u16::try_from(at(step)).expect("at most 681 nodes"))
}

/// The rings in which a cell is dead: however the ring is filled, the stones of First in it lie in one arc, so that those of
/// Second do too, and the cell joins nothing that is not joined around it.
fn dead_rings() -> [u64; 64] {
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

/// Record of a stone, with which it is taken back: its cell, and the nodes whose chains it joined to the first one
/// beside it.
#[derive(Clone, Copy, Debug)]
struct Put {
    cell: u16,
    /// The first `count` are used.
    joined: [u16; 2],
    count: u8,
    had_winner: bool,
}

const NONE: u16 = u16::MAX;

/// A number below [`NODES`].
#[inline]
fn at(node: u16) -> usize {
    usize::from(node) % NODES
}

/// A node as it is kept.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "there are 681 nodes")]
fn narrow(node: usize) -> u16 {
    node as u16
}

/// A position with the way back to where it began.
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
    geometry: Arc<Geometry<W>>,
    to_move: Side,
    winner: Option<Side>,
    /// The keys of the stones, and of the stones on the turned board.
    keys: [u64; 2],
    stones: [Cells<W>; 2],
    /// By node: 0 First, 1 Second, 2 nobody.
    owner: [u8; NODES],
    /// By node, the node above it in its chain; a root is its own.
    parent: [u16; NODES],
    /// By root, one more than its chain has nodes; 1 for an empty cell.
    weight: [u16; NODES],
    log: Vec<Put>,
}

impl<const W: usize> From<&Hex> for ProofBoard<W> {
    /// Copies the stones and the side to move; the effect of a swap is not known here.
    fn from(game: &Hex) -> Self {
        let grid = game.grid();
        let mut board = ProofBoard {
            geometry: Arc::new(Geometry::new(grid)),
            to_move: game.to_move(),
            winner: None,
            keys: [0; 2],
            stones: [Cells::EMPTY; 2],
            owner: [NOBODY; NODES],
            parent: std::array::from_fn(|node| u16::try_from(node).expect("at most 1,024 nodes")),
            weight: [1; NODES],
            log: Vec::with_capacity(2 * grid.len()),
        };
        for (edge, owner) in [0, 0, 1, 1].into_iter().enumerate() {
            board.owner[grid.len() + edge] = owner;
            board.weight[grid.len() + edge] = 2;
        }
        board.set(game, false);
        board
    }
}

impl<const W: usize> ProofBoard<W> {
    /// Takes over the stones and the side to move of a position of the same size.
    pub(super) fn set(&mut self, game: &Hex, is_turned: bool) {
        while !self.log.is_empty() {
            self.retract();
        }
        self.to_move = game.to_move();
        for cell in game.grid().cells() {
            if let Some(side) = game.stone(cell) {
                let place = if is_turned { game.grid().turned(cell) } else { cell };
                self.put(side, place.index());
            }
        }
    }

    /// The board without stones.
    #[must_use]
    pub fn geometry(&self) -> &Arc<Geometry<W>> {
        &self.geometry
    }

    /// Returns the side to move.
    #[must_use]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The side that has joined its edges.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// The stones of a side.
    #[inline]
    #[must_use]
    pub fn stones(&self, side: Side) -> Cells<W> {
        self.stones[side as usize]
    }

    /// The empty cells.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> Cells<W> {
        self.geometry.all.minus(&(self.stones[0] | self.stones[1]))
    }

    /// The key of the position, the same when the board is turned by half, and whether it is that of the turned board.
    #[inline]
    #[must_use]
    pub fn key(&self) -> (u64, bool) {
        self.keyed(self.keys)
    }

    /// [`ProofBoard::key`] after a move of the side to move.
    #[inline]
    #[must_use]
    pub fn key_after(&self, cell: usize) -> (u64, bool) {
        let [key, turned] = self.geometry.keys[cell][self.to_move as usize];
        let (key, is_turned) = self.keyed([self.keys[0] ^ key, self.keys[1] ^ turned]);
        (key ^ SIDE_KEY, is_turned)
    }

    #[inline]
    fn keyed(&self, [key, turned]: [u64; 2]) -> (u64, bool) {
        let side = if self.to_move == Side::First { 0 } else { SIDE_KEY };
        (key.min(turned) ^ side, turned < key)
    }

    /// The places around a cell where stones and edges of a side are.
    #[inline]
    #[must_use]
    pub fn ring(&self, cell: usize, side: Side) -> u8 {
        let around = &self.geometry.around[cell];
        let mut ring = 0;
        for (place, &node) in around.iter().enumerate() {
            ring |= u8::from(self.owner[at(node)] == side as u8) << place;
        }
        ring
    }

    /// The node that stands for the chain of a stone or of an edge.
    #[inline]
    #[must_use]
    pub fn root(&self, node: usize) -> usize {
        // Most are at most two steps below their root: these two without a question each.
        let mut node = at(self.parent[at(self.parent[node % NODES])]);
        loop {
            let above = at(self.parent[node]);
            if above == node {
                return node;
            }
            node = above;
        }
    }

    /// Returns the number of stones that were put since the beginning.
    #[must_use]
    pub fn height(&self) -> usize {
        self.log.len()
    }

    /// The side to move puts a stone on an empty cell.
    #[inline]
    pub fn make(&mut self, cell: usize) {
        self.put(self.to_move, cell);
        self.to_move = self.to_move.other();
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self) {
        self.retract();
        self.to_move = self.to_move.other();
    }

    /// Puts a stone of a side on an empty cell; the turn stays.
    #[inline]
    pub fn put(&mut self, side: Side, cell: usize) {
        debug_assert!(self.owner[cell] == NOBODY, "cell {cell} is taken");
        let own = side as usize;
        self.owner[cell] = side as u8;
        self.stones[own].flip(cell);
        let [key, turned] = self.geometry.keys[cell][own];
        self.keys[0] ^= key;
        self.keys[1] ^= turned;
        let ring = self.ring(cell, side);
        // Neighbours in one arc are joined already: its first one is enough.
        let mut arcs = ring & !(ring << 1 | ring >> 5);
        if ring == 63 {
            arcs = 1;
        }
        let nodes = &self.geometry.around_and_self[cell];
        // The stone goes below the first chain beside it, or below itself. Of most stones this is all, and it has no branch.
        let first = nodes[(arcs | 64).trailing_zeros() as usize];
        arcs &= arcs.wrapping_sub(1);
        // The root of the chain of the new stone: its way up need not be gone again.
        let mut top = self.root(at(first));
        self.parent[at(narrow(cell))] = narrow(top);
        self.weight[top] += 1;
        let (mut joined, mut count, had_winner) = ([NONE; 2], 0, self.winner.is_some());
        while arcs != 0 {
            let node = nodes[arcs.trailing_zeros() as usize % nodes.len()];
            arcs &= arcs - 1;
            let (child, root) = self.ordered(top, self.root(at(node)));
            if child != root {
                self.weight[root] += self.weight[child] - 1;
                [joined[count], self.parent[child]] = [child, root].map(narrow);
                count += 1;
            }
            top = root;
        }
        if count > 0 && !had_winner {
            let edge = self.geometry.cells + 2 * own;
            if self.root(edge) == top && self.root(edge + 1) == top {
                self.winner = Some(side);
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "there are at most two")]
        self.log.push(Put { cell: narrow(cell), joined, count: count as u8, had_winner });
    }

    /// Takes back the stone that was put last; the turn stays.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn retract(&mut self) {
        let Put { cell, joined, count, had_winner } = self.log.pop().expect("a stone was put");
        let cell = at(cell);
        let mut count = usize::from(count);
        while count > 0 {
            count -= 1;
            let child = joined[count];
            let root = at(self.parent[at(child)]);
            self.weight[root] -= self.weight[at(child)] - 1;
            self.parent[at(child)] = child;
        }
        let root = at(self.parent[cell]);
        self.weight[root] -= 1;
        self.parent[cell] = narrow(cell);
        let own = usize::from(self.owner[cell] & 1);
        self.owner[cell] = NOBODY;
        self.stones[own].flip(cell);
        let [key, turned] = self.geometry.keys[cell][own];
        self.keys[0] ^= key;
        self.keys[1] ^= turned;
        if !had_winner {
            self.winner = None;
        }
    }

    /// Returns two roots, first the root that is to be below the other.
    #[inline]
    fn ordered(&self, one: usize, other: usize) -> (usize, usize) {
        let (one, other) = (one % NODES, other % NODES);
        if self.weight[one] > self.weight[other] { (other, one) } else { (one, other) }
    }
}
