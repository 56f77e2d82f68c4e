//! Rules of Hex on N x N boards, with the swap rule. This module does not depend on engines, text protocols
//! or screens.

mod about;
mod bridges;
mod encoding;
mod explain;
mod paint;
mod safe_links;
mod scene;
mod union_find;

use std::sync::{Arc, OnceLock};

use crate::board::SizeError;
pub use crate::board::hexgrid::{Cell, SwapFrame};
use crate::board::hexgrid::{Edge, HexGrid};
use crate::board::names::cell_name;
use crate::board::paths::{UNREACHABLE, find_shortest_path, shortest_distances};
use crate::game::{BySide, Game, Outcome, Side};
use crate::random::mix_seed;
pub(crate) use explain::describe_goal_edges;
use union_find::{ChainUnionFind, NO_NODE};

/// Size of the largest Hex board.
pub const MAX_HEX_SIZE: usize = crate::board::MAX_BOARD_SIZE;

/// Swap rule, which lets Second take over First's first stone.
///
/// ```
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let mut game = Hex::new(5, SwapRule::default())?;
/// game.try_make_move(game.parse("c3")?)?;
/// assert!(game.can_swap(), "the rule is on unless it is turned off");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SwapRule {
    /// Second may swap as its first move.
    #[default]
    On,
    /// Swapping is not allowed.
    Off,
}

/// A move in Hex, stored in two bytes.
///
/// ```
/// use crosspath::game::Notation;
/// use crosspath::games::hex::{Cell, Hex, Move, SwapRule};
/// let game = Hex::new(5, SwapRule::On)?;
/// assert_eq!(game.parse("a1")?, Move::Place(Cell::new(0)));
/// assert_eq!(game.parse("swap")?, Move::Swap);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Places a stone on this cell.
    Place(Cell),
    /// Swaps: Second removes First's only stone and places one of its own on the cell with row and column
    /// exchanged.
    Swap,
}

impl Move {
    /// Returns the cell of the placed stone, or `None` for a swap.
    ///
    /// ```
    /// use crosspath::games::hex::{Cell, Move};
    /// assert_eq!(Move::from(Cell::new(7)).cell(), Some(Cell::new(7)));
    /// assert_eq!(Move::Swap.cell(), None);
    /// ```
    #[must_use]
    pub fn cell(self) -> Option<Cell> {
        match self {
            Move::Place(cell) => Some(cell),
            Move::Swap => None,
        }
    }
}

impl From<Cell> for Move {
    fn from(cell: Cell) -> Self {
        Move::Place(cell)
    }
}

/// Reason why a move is not legal. Reasons are checked in the order of the variants.
///
/// ```
/// use crosspath::game::Game;
/// use crosspath::games::hex::{Hex, IllegalMove, Move, SwapRule};
/// let game = Hex::new(5, SwapRule::On)?;
/// assert_eq!(game.check_legality(Move::Swap), Err(IllegalMove::SwapNotNow));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over; no move is legal")]
    Over,
    /// The cell is off the board. The second value is the number of cells.
    #[error("cell {} is off the board; there are {} cells", .0.index(), .1)]
    OffBoard(Cell, usize),
    /// The cell holds a stone of this side.
    #[error("cell {} is taken by {}; place stones on empty cells", .0.index(), .1)]
    Taken(Cell, Side),
    /// A swap is legal only as the second move.
    #[error("a swap is possible only as the second move")]
    SwapNotNow,
    /// The game is played without the swap rule.
    #[error("a swap is not possible: the swap rule is off")]
    SwapOff,
}

/// Data that [`Game::unmake_move`] needs: the chains that the stone was joined to, at most three.
///
/// At most three separate chains touch a cell, or two chains and an edge. On a board of one cell, two edges
/// touch it.
///
/// ```
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, HexUndo, SwapRule};
/// let mut game = Hex::new(3, SwapRule::Off)?;
/// let mv = game.parse("b2")?;
/// let undo: HexUndo = game.make_move(mv);
/// game.unmake_move(mv, undo);
/// assert_eq!(game, Hex::new(3, SwapRule::Off)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexUndo {
    joined: [u16; 3],
}

/// Geometry of a board and the Zobrist keys of its stones.
#[derive(Debug)]
struct HexTables {
    grid: HexGrid,
    keys: Vec<BySide<u64>>,
}

impl HexTables {
    /// Returns the tables of a size, which are computed once and shared by all boards.
    fn shared_for_size(size: usize) -> Result<Arc<Self>, SizeError> {
        static BY_SIZE: [OnceLock<Arc<HexTables>>; MAX_HEX_SIZE + 1] =
            [const { OnceLock::new() }; MAX_HEX_SIZE + 1];
        SizeError::check_size(size, 1, MAX_HEX_SIZE)?;
        let tables = BY_SIZE[size].get_or_init(|| {
            let grid = HexGrid::new(size).expect("the size was checked");
            let side_keys = |cell: usize| {
                let cell = cell as u64;
                BySide::new(mix_seed(0x6865_7821, cell), mix_seed(0x6865_7822, cell))
            };
            let keys = (0..grid.len()).map(side_keys).collect();
            Arc::new(HexTables { grid, keys })
        });
        Ok(Arc::clone(tables))
    }
}

/// A position of Hex. First connects top and bottom, Second left and right. There are no draws.
///
/// Cells are numbered row by row. On the screen each row is shifted half a cell to the right:
///
/// ```text
///  0     1    …  N-1
///    N    N+1 …
///      ⋮
///        …          N*N-1
/// ```
///
/// ```
/// use crosspath::game::{Game, Notation, Outcome, Side};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let mut game = Hex::new(3, SwapRule::On)?;
/// for text in ["b1", "swap", "b2", "b1", "b3", "c1"] {
///     let mv = game.parse(text)?;
///     game.try_make_move(mv)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::Second)), "the swapped stone lies on a2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hex {
    pub(crate) swap_rule: SwapRule,
    stones: Vec<Option<Side>>,
    count: u16,
    to_move: Side,
    winner: Option<Side>,
    key: u64,
    /// Union-find over the cells, followed by the four edges.
    chains: ChainUnionFind,
    tables: Arc<HexTables>,
}

impl PartialEq for Hex {
    fn eq(&self, other: &Self) -> bool {
        (self.swap_rule, &self.stones, self.to_move, self.winner, self.key)
            == (other.swap_rule, &other.stones, other.to_move, other.winner, other.key)
    }
}

impl Eq for Hex {}

const SIDE_TO_MOVE_KEY: u64 = mix_seed(0x6865_7820, 0);
const SWAP_RIGHT_KEY: u64 = mix_seed(0x6865_7820, 1);

/// Returns the two edges that a side connects: top and bottom, or left and right.
///
/// ```
/// use crosspath::board::hexgrid::Edge;
/// use crosspath::game::Side;
/// use crosspath::games::hex::goal_edges;
/// assert_eq!(goal_edges(Side::First), [Edge::Top, Edge::Bottom]);
/// ```
#[must_use]
pub fn goal_edges(side: Side) -> [Edge; 2] {
    match side {
        Side::First => [Edge::Top, Edge::Bottom],
        Side::Second => [Edge::Left, Edge::Right],
    }
}

fn cell_indices(cells: &[Cell]) -> impl Iterator<Item = usize> {
    cells.iter().map(|cell| cell.index())
}

impl Hex {
    /// Returns the empty board of `size` x `size` cells.
    ///
    /// ```
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let game = Hex::new(5, SwapRule::Off)?;
    /// assert_eq!(game.size(), 5);
    /// assert!(Hex::new(27, SwapRule::Off).is_err(), "26x26 is the largest board");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `SizeError` unless 1 <= `size` <= 26.
    pub fn new(size: usize, swap_rule: SwapRule) -> Result<Self, SizeError> {
        let tables = HexTables::shared_for_size(size)?;
        let cells = tables.grid.len();
        let mut game = Hex {
            swap_rule,
            stones: vec![None; cells],
            count: 0,
            to_move: Side::First,
            winner: None,
            key: mix_seed(0x6865_7823, size as u64),
            chains: ChainUnionFind::new(cells + 4),
            tables,
        };
        game.key ^= game.swap_right_key();
        Ok(game)
    }

    /// Returns a position with these stones and this side to move. A swap is legal if it could be the second
    /// move: one stone of First and Second to move.
    ///
    /// ```
    /// use crosspath::game::{Game, Side};
    /// use crosspath::games::hex::{Cell, Hex, SwapRule};
    /// let stones = [(Side::First, Cell::new(4)), (Side::First, Cell::new(1))];
    /// let game = Hex::with_stones(3, SwapRule::Off, &stones, Side::Second)?;
    /// assert_eq!((game.stone_count(), game.to_move()), (2, Side::Second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the refusal of the first stone that is off the board, on a taken cell, or placed after the end
    /// of the game.
    ///
    /// # Panics
    /// Panics if no board has that size.
    pub fn with_stones(
        size: usize,
        swap_rule: SwapRule,
        stones: &[(Side, Cell)],
        to_move: Side,
    ) -> Result<Self, IllegalMove> {
        let mut game = Hex::new(size, swap_rule).expect("the caller names a size that exists");
        for &(side, cell) in stones {
            game.set_side_to_move(side);
            game.try_make_move(cell.into())?;
        }
        game.set_side_to_move(to_move);
        Ok(game)
    }

    /// Returns the position with another swap rule.
    #[must_use]
    pub(crate) fn with_swap_rule(mut self, swap_rule: SwapRule) -> Self {
        self.key ^= self.swap_right_key();
        self.swap_rule = swap_rule;
        self.key ^= self.swap_right_key();
        self
    }

    /// Sets the side to move.
    pub(crate) fn set_side_to_move(&mut self, side: Side) {
        self.key ^= self.swap_right_key();
        if side != self.to_move {
            self.key ^= SIDE_TO_MOVE_KEY;
            self.to_move = side;
        }
        self.key ^= self.swap_right_key();
    }

    /// Returns the number of cells per side, N.
    #[must_use]
    pub fn size(&self) -> usize {
        self.grid().size()
    }

    /// Returns the geometry of the board.
    ///
    /// ```
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let game = Hex::new(3, SwapRule::Off)?;
    /// let middle = game.grid().cell_at(1, 1).expect("a cell");
    /// assert_eq!(game.grid().neighbours(middle).len(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn grid(&self) -> &HexGrid {
        &self.tables.grid
    }

    /// Returns the owner of the stone on a cell, or `None` if the cell is empty.
    ///
    /// ```
    /// use crosspath::game::{Game, Side};
    /// use crosspath::games::hex::{Cell, Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// let cell = Cell::new(7);
    /// game.try_make_move(cell.into())?;
    /// assert_eq!(game.stone_at(cell), Some(Side::First));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the cell is off the board.
    #[must_use]
    pub fn stone_at(&self, cell: Cell) -> Option<Side> {
        self.stones[cell.index()]
    }

    /// Reports whether both cells of a bridge's carrier are empty.
    pub(crate) fn are_both_empty(&self, carrier: [Cell; 2]) -> bool {
        carrier.iter().all(|&cell| self.stone_at(cell).is_none())
    }

    /// Returns the owners of the stones on all cells in reading order.
    #[must_use]
    pub fn stones(&self) -> &[Option<Side>] {
        &self.stones
    }

    /// Returns the number of stones on the board.
    #[must_use]
    pub fn stone_count(&self) -> usize {
        usize::from(self.count)
    }

    /// Returns a key that a position shares with its 180 degree rotation: the smaller of their two keys. The
    /// second value is `true` if it is the key of the rotated board.
    pub(crate) fn canonical_key(&self) -> (u64, bool) {
        let last = self.stones.len() - 1;
        let stones = self.stones.iter().enumerate();
        let of_stones = stones
            .filter_map(|(cell, &stone)| Some((cell, stone?)))
            .map(|(cell, side)| self.tables.keys[cell][side] ^ self.tables.keys[last - cell][side]);
        let turned = of_stones.fold(self.key, |key, of_stone| key ^ of_stone);
        (self.key.min(turned), turned < self.key)
    }

    /// Reports whether a stone of this side on this empty cell would connect its edges.
    pub(crate) fn would_win(&self, side: Side, cell: Cell) -> bool {
        let own = self.grid().neighbours(cell).iter().filter(|&&beside| self.stone_at(beside) == Some(side));
        let joins = |edge| {
            self.grid().is_on_edge(cell, edge)
                || own.clone().any(|&beside| self.is_connected_to_edge(beside, edge))
        };
        let [from, to] = goal_edges(side);
        joins(from) && joins(to)
    }

    /// Returns the first cell in reading order that holds a stone.
    pub(crate) fn first_stone(&self) -> Option<Cell> {
        self.stones.iter().position(Option::is_some).map(Cell::new)
    }

    /// Returns the empty cells in reading order.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["a1"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// assert_eq!(game.empty_cells().next().map(|cell| game.format_cell(cell)).as_deref(), Some("b1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let cells = self.stones.iter().enumerate();
        cells.filter(|(_, stone)| stone.is_none()).map(|(index, _)| Cell::new(index))
    }

    /// Reports whether [`Move::Swap`] is legal.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::On)?;
    /// assert!(!game.can_swap(), "there is no stone yet");
    /// for text in ["c3"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// assert!(game.can_swap());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn can_swap(&self) -> bool {
        self.count == 1 && self.is_swap_still_possible()
    }

    /// Reports whether the stones on two cells belong to one chain, or to chains joined to the same edge.
    pub(crate) fn are_connected(&self, one: Cell, other: Cell) -> bool {
        self.chains.are_in_same_set(one.index(), other.index())
    }

    /// Reports whether the chain of a stone reaches an edge of its side.
    ///
    /// ```
    /// use crosspath::board::hexgrid::Edge;
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c1", "a5", "c2"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// let cell = game.parse("c2")?.cell().expect("a stone");
    /// assert!(game.is_connected_to_edge(cell, Edge::Top) && !game.is_connected_to_edge(cell, Edge::Bottom));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_connected_to_edge(&self, cell: Cell, edge: Edge) -> bool {
        self.chains.are_in_same_set(cell.index(), self.edge_node(edge))
    }

    /// Returns the winner's shortest chain between its two edges, or an empty list if nobody has won.
    ///
    /// Among several chains of equal length it is the first one in reading order.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(3, SwapRule::Off)?;
    /// for text in ["b1", "a1", "b2", "a2", "b3"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// let chain: Vec<String> = game.winning_chain().into_iter().map(|cell| game.format_cell(cell)).collect();
    /// assert_eq!(chain, ["b1", "b2", "b3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn winning_chain(&self) -> Vec<Cell> {
        let Some(side) = self.winner else { return Vec::new() };
        let grid = self.grid();
        let [from, to] = goal_edges(side);
        let own = |cells: &[Cell]| {
            let mut own: Vec<usize> =
                cell_indices(cells).filter(|&node| self.stones[node] == Some(side)).collect();
            own.sort_unstable();
            own
        };
        let is_goal = |node| grid.is_on_edge(Cell::new(node), to);
        let beside = |node| own(grid.neighbours(Cell::new(node)));
        let chain = find_shortest_path(grid.len(), own(grid.edge_cells(from)), is_goal, beside);
        chain.into_iter().map(Cell::new).collect()
    }

    /// Returns the number of stones that a side still needs to connect its edges, or `None` if it is cut off.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c3"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// assert_eq!(game.stones_needed(Side::First), Some(4));
    /// assert_eq!(game.stones_needed(Side::Second), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stones_needed(&self, side: Side) -> Option<u16> {
        let grid = self.grid();
        let cost = |node: usize| match self.stones[node] {
            None => 1,
            Some(owner) if owner == side => 0,
            Some(_) => UNREACHABLE,
        };
        let [from, to] = goal_edges(side).map(|edge| cell_indices(grid.edge_cells(edge)));
        let beside = |node| cell_indices(grid.neighbours(Cell::new(node)));
        let distances = shortest_distances(grid.len(), from, cost, beside);
        to.map(|node| distances[node]).min().filter(|&needed| needed != UNREACHABLE)
    }

    /// Returns the name of a cell, such as `f6`.
    #[must_use]
    pub fn format_cell(&self, cell: Cell) -> String {
        let (row, col) = self.grid().coordinates(cell);
        cell_name(col, row)
    }

    fn edge_node(&self, edge: Edge) -> usize {
        self.stones.len() + edge.index()
    }

    /// Reports whether a swap is legal now or may be legal after the next move.
    fn is_swap_still_possible(&self) -> bool {
        let is_early = match self.to_move {
            Side::First => self.count == 0,
            Side::Second => {
                self.count == 1 && self.winner.is_none() && self.stones.contains(&Some(Side::First))
            }
        };
        self.swap_rule == SwapRule::On && is_early
    }

    fn swap_right_key(&self) -> u64 {
        if self.is_swap_still_possible() { SWAP_RIGHT_KEY } else { 0 }
    }

    /// Places a stone on an empty cell and joins it to adjacent chains and edges.
    fn place_stone(&mut self, side: Side, cell: Cell) -> HexUndo {
        let Hex { stones, chains, tables, .. } = self;
        let grid = &tables.grid;
        let mut joined = [NO_NODE; 3];
        let mut count = 0;
        let mut join = |node: usize| {
            let child = chains.join_sets(cell.index(), node);
            if child != NO_NODE {
                joined[count] = child;
                count += 1;
            }
        };
        stones[cell.index()] = Some(side);
        for &neighbour in grid.neighbours(cell) {
            if stones[neighbour.index()] == Some(side) {
                join(neighbour.index());
            }
        }
        let edges = goal_edges(side);
        for edge in edges {
            if grid.is_on_edge(cell, edge) {
                join(grid.len() + edge.index());
            }
        }
        let [from, to] = edges.map(|edge| grid.len() + edge.index());
        if count > 0 && chains.are_in_same_set(from, to) {
            self.winner = Some(side);
        }
        self.count += 1;
        self.key ^= self.tables.keys[cell.index()][side];
        HexUndo { joined }
    }

    /// Places a stone of a side on an empty cell, even if the game is over. The side to move does not change.
    ///
    /// # Errors
    /// Returns an error if the cell is off the board or taken.
    pub(crate) fn add_stone(&mut self, side: Side, cell: Cell) -> Result<(), IllegalMove> {
        match self.stones.get(cell.index()) {
            None => Err(IllegalMove::OffBoard(cell, self.stones.len())),
            Some(&Some(owner)) => Err(IllegalMove::Taken(cell, owner)),
            Some(None) => {
                self.key ^= self.swap_right_key();
                self.place_stone(side, cell);
                self.key ^= self.swap_right_key();
                Ok(())
            }
        }
    }

    /// Removes the only stone on the board.
    fn remove_only_stone(&mut self, cell: Cell) {
        debug_assert!(self.count == 1, "there are other stones");
        let side = self.stones[cell.index()].take().expect("a stone lies there");
        self.chains.isolate_node(cell.index());
        for edge in Edge::ALL {
            self.chains.isolate_node(self.stones.len() + edge.index());
        }
        self.count = 0;
        self.key ^= self.tables.keys[cell.index()][side];
    }
}

impl Game for Hex {
    type Move = Move;
    type Undo = HexUndo;
    type Refusal = IllegalMove;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    /// Appends the empty cells in reading order, then [`Move::Swap`] if it is legal.
    fn push_legal_moves(&self, out: &mut Vec<Move>) {
        if self.winner.is_none() {
            out.extend(self.empty_cells().map(Move::Place));
            out.extend(self.can_swap().then_some(Move::Swap));
        }
    }

    fn make_move(&mut self, mv: Move) -> HexUndo {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in\n{self}");
        let side = self.to_move;
        self.key ^= self.swap_right_key() ^ SIDE_TO_MOVE_KEY;
        let undo = match mv {
            Move::Place(cell) => self.place_stone(side, cell),
            Move::Swap => {
                let cell = self.first_stone().expect("one stone lies on the board");
                self.remove_only_stone(cell);
                self.place_stone(side, self.tables.grid.mirrored(cell))
            }
        };
        self.to_move = side.other();
        self.key ^= self.swap_right_key();
        undo
    }

    fn unmake_move(&mut self, mv: Move, undo: HexUndo) {
        self.key ^= self.swap_right_key() ^ SIDE_TO_MOVE_KEY;
        self.to_move = self.to_move.other();
        self.winner = None; // No move follows a win, so there was no winner before this move.
        match mv {
            Move::Place(cell) => {
                for child in undo.joined.into_iter().rev().filter(|&child| child != NO_NODE) {
                    self.chains.undo_join(child);
                }
                debug_assert!(
                    self.stones[cell.index()] == Some(self.to_move),
                    "{mv:?} was not the last move"
                );
                self.stones[cell.index()] = None;
                self.count -= 1;
                self.key ^= self.tables.keys[cell.index()][self.to_move];
            }
            Move::Swap => {
                let cell = self.first_stone().expect("one stone lies on the board");
                self.remove_only_stone(cell);
                // The single stone is placed again, which restores the earlier chains.
                self.place_stone(self.to_move.other(), self.tables.grid.mirrored(cell));
            }
        }
        self.key ^= self.swap_right_key();
    }

    fn position_key(&self) -> u64 {
        self.key
    }

    fn check_legality(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.winner.is_some() {
            return Err(IllegalMove::Over);
        }
        match mv {
            Move::Place(cell) => match self.stones.get(cell.index()) {
                None => Err(IllegalMove::OffBoard(cell, self.stones.len())),
                Some(&Some(side)) => Err(IllegalMove::Taken(cell, side)),
                Some(None) => Ok(()),
            },
            Move::Swap if self.swap_rule == SwapRule::Off => Err(IllegalMove::SwapOff),
            Move::Swap if !self.can_swap() => Err(IllegalMove::SwapNotNow),
            Move::Swap => Ok(()),
        }
    }
}
