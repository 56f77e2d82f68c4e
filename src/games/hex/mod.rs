//! The rules of Hex on N x N boards, with the swap rule. Knows nothing of engines, text protocols or screens.

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
pub use crate::board::hexgrid::{Cell, Frame};
use crate::board::hexgrid::{Edge, HexGrid};
use crate::board::names::cell_name;
use crate::board::paths::{FAR, distances, shortest};
use crate::game::{BySide, Game, Outcome, Side};
use crate::random::mix;
pub(crate) use explain::edges_in_words;
use union_find::{Chains, NONE};

/// The largest board.
pub const MAX_SIZE: usize = crate::board::MAX_SIZE;

/// Right of Second to take over First's first stone.
///
/// ```
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let mut game = Hex::new(5, SwapRule::default())?;
/// game.try_make(game.parse("c3")?)?;
/// assert!(game.can_swap(), "the rule is on unless it is turned off");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SwapRule {
    /// It may, as its first move.
    #[default]
    On,
    /// It may not.
    Off,
}

/// A move; two bytes.
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
    /// Puts an own stone on this cell.
    Place(Cell),
    /// Second takes over First's only stone: it goes, and an own one appears on the cell with row and column
    /// exchanged.
    Swap,
}

impl Move {
    /// The cell of a stone.
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

/// Why a move is not legal. Reasons are looked for in this order.
///
/// ```
/// use crosspath::game::Game;
/// use crosspath::games::hex::{Hex, IllegalMove, Move, SwapRule};
/// let game = Hex::new(5, SwapRule::On)?;
/// assert_eq!(game.check(Move::Swap), Err(IllegalMove::SwapNotNow));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("the game is over; no move is legal")]
    Over,
    /// There is no such cell.
    #[error("cell {} is off the board; there are {} cells", .0.index(), .1)]
    OffBoard(Cell, usize),
    /// A stone of this side lies there.
    #[error("cell {} is taken by {}; place stones on empty cells", .0.index(), .1)]
    Taken(Cell, Side),
    /// Swapping is the answer to the first move only.
    #[error("a swap is possible only as the second move")]
    SwapNotNow,
    /// The game is played without the swap rule.
    #[error("a swap is not possible: the swap rule is off")]
    SwapOff,
}

/// Data that [`Game::unmake`] needs: the chains that the stone joined to others, at most three.
///
/// Around a cell at most three chains can lie without touching each other; on an edge two and the edge itself; on the
/// only cell of the smallest board its two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    joined: [u16; 3],
}

/// The geometry of a board and the keys of its stones.
#[derive(Debug)]
struct Tables {
    grid: HexGrid,
    keys: Vec<BySide<u64>>,
}

impl Tables {
    /// Returns the tables of a size: computed once, shared by all boards.
    fn of_size(size: usize) -> Result<Arc<Self>, SizeError> {
        static BY_SIZE: [OnceLock<Arc<Tables>>; MAX_SIZE + 1] = [const { OnceLock::new() }; MAX_SIZE + 1];
        SizeError::check(size, 1, MAX_SIZE)?;
        let tables = BY_SIZE[size].get_or_init(|| {
            let grid = HexGrid::new(size).expect("the size was checked");
            let side_keys = |cell: usize| {
                let cell = cell as u64;
                BySide::new(mix(0x6865_7821, cell), mix(0x6865_7822, cell))
            };
            let keys = (0..grid.len()).map(side_keys).collect();
            Arc::new(Tables { grid, keys })
        });
        Ok(Arc::clone(tables))
    }
}

/// A position of Hex. First joins top and bottom, Second left and right. There is no draw.
///
/// Cells are counted row by row; seen on the screen each row starts half a cell further right:
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
///     game.try_make(mv)?;
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
    /// The cells, then the four edges.
    chains: Chains,
    tables: Arc<Tables>,
}

impl PartialEq for Hex {
    fn eq(&self, other: &Self) -> bool {
        (self.swap_rule, &self.stones, self.to_move, self.winner, self.key)
            == (other.swap_rule, &other.stones, other.to_move, other.winner, other.key)
    }
}

impl Eq for Hex {}

const SIDE_KEY: u64 = mix(0x6865_7820, 0);
const SWAP_KEY: u64 = mix(0x6865_7820, 1);

/// The edges that a side joins, the one at which its paths begin in front.
///
/// ```
/// use crosspath::board::hexgrid::Edge;
/// use crosspath::game::Side;
/// use crosspath::games::hex::edges_of;
/// assert_eq!(edges_of(Side::First), [Edge::Top, Edge::Bottom]);
/// ```
#[must_use]
pub fn edges_of(side: Side) -> [Edge; 2] {
    match side {
        Side::First => [Edge::Top, Edge::Bottom],
        Side::Second => [Edge::Left, Edge::Right],
    }
}

fn indices(cells: &[Cell]) -> impl Iterator<Item = usize> {
    cells.iter().map(|cell| cell.index())
}

impl Hex {
    /// The empty board of `size` x `size` cells.
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
        let tables = Tables::of_size(size)?;
        let cells = tables.grid.len();
        let mut game = Hex {
            swap_rule,
            stones: vec![None; cells],
            count: 0,
            to_move: Side::First,
            winner: None,
            key: mix(0x6865_7823, size as u64),
            chains: Chains::new(cells + 4),
            tables,
        };
        game.key ^= game.swap_key();
        Ok(game)
    }

    /// A position set up by hand, with this side to move. Swapping is legal if it could be the second move: one stone
    /// of First, Second to move.
    ///
    /// ```
    /// use crosspath::game::{Game, Side};
    /// use crosspath::games::hex::{Cell, Hex, SwapRule};
    /// let stones = [(Side::First, Cell::new(4)), (Side::First, Cell::new(1))];
    /// let game = Hex::set_up(3, SwapRule::Off, &stones, Side::Second)?;
    /// assert_eq!((game.count(), game.to_move()), (2, Side::Second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The refusal of the first stone that is off the board, on a taken cell, or set after the game was over.
    ///
    /// # Panics
    /// If there is no board of that size.
    pub fn set_up(
        size: usize,
        swap_rule: SwapRule,
        stones: &[(Side, Cell)],
        to_move: Side,
    ) -> Result<Self, IllegalMove> {
        let mut game = Hex::new(size, swap_rule).expect("the caller names a size that exists");
        for &(side, cell) in stones {
            game.turn_to(side);
            game.try_make(cell.into())?;
        }
        game.turn_to(to_move);
        Ok(game)
    }

    /// Returns the position under another swap rule.
    #[must_use]
    pub(crate) fn with_swap_rule(mut self, swap_rule: SwapRule) -> Self {
        self.key ^= self.swap_key();
        self.swap_rule = swap_rule;
        self.key ^= self.swap_key();
        self
    }

    /// Gives the turn to a side.
    pub(crate) fn turn_to(&mut self, side: Side) {
        self.key ^= self.swap_key();
        if side != self.to_move {
            self.key ^= SIDE_KEY;
            self.to_move = side;
        }
        self.key ^= self.swap_key();
    }

    /// N.
    #[must_use]
    pub fn size(&self) -> usize {
        self.grid().size()
    }

    /// The geometry of the board.
    ///
    /// ```
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let game = Hex::new(3, SwapRule::Off)?;
    /// let middle = game.grid().cell(1, 1).expect("a cell");
    /// assert_eq!(game.grid().neighbours(middle).len(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn grid(&self) -> &HexGrid {
        &self.tables.grid
    }

    /// The owner of the stone on a cell.
    ///
    /// ```
    /// use crosspath::game::{Game, Side};
    /// use crosspath::games::hex::{Cell, Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// let cell = Cell::new(7);
    /// game.try_make(cell.into())?;
    /// assert_eq!(game.stone(cell), Some(Side::First));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the cell is off the board.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        self.stones[cell.index()]
    }

    /// Reports whether both cells of a link are empty.
    pub(crate) fn are_empty(&self, carrier: [Cell; 2]) -> bool {
        carrier.iter().all(|&cell| self.stone(cell).is_none())
    }

    /// The stones of all cells in reading order.
    #[must_use]
    pub fn stones(&self) -> &[Option<Side>] {
        &self.stones
    }

    /// Returns the number of stones on the board.
    #[must_use]
    pub fn count(&self) -> usize {
        usize::from(self.count)
    }

    /// The smaller one of the [`Game::key`]s of the board and of the same turned by half, and whether it is that of the turned one.
    pub(crate) fn either_key(&self) -> (u64, bool) {
        let last = self.stones.len() - 1;
        let stones = self.stones.iter().enumerate();
        let of_stones = stones
            .filter_map(|(cell, &stone)| Some((cell, stone?)))
            .map(|(cell, side)| self.tables.keys[cell][side] ^ self.tables.keys[last - cell][side]);
        let turned = of_stones.fold(self.key, |key, of_stone| key ^ of_stone);
        (self.key.min(turned), turned < self.key)
    }

    /// Reports whether a stone of this side on an empty cell would join its edges.
    pub(crate) fn would_win(&self, side: Side, cell: Cell) -> bool {
        let own = self.grid().neighbours(cell).iter().filter(|&&beside| self.stone(beside) == Some(side));
        let joins =
            |edge| self.grid().touches(cell, edge) || own.clone().any(|&beside| self.reaches(beside, edge));
        let [from, to] = edges_of(side);
        joins(from) && joins(to)
    }

    /// The first cell in reading order that holds a stone.
    pub(crate) fn first_stone(&self) -> Option<Cell> {
        self.stones.iter().position(Option::is_some).map(Cell::new)
    }

    /// The empty cells in reading order.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["a1"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// assert_eq!(game.empty().next().map(|cell| game.name(cell)).as_deref(), Some("b1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn empty(&self) -> impl Iterator<Item = Cell> + '_ {
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
    ///     game.try_make(mv)?;
    /// }
    /// assert!(game.can_swap());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn can_swap(&self) -> bool {
        self.count == 1 && self.is_swap_ahead()
    }

    /// Reports whether two cells hold stones of one chain, or of one side and joined to the same edge.
    pub(crate) fn are_joined(&self, one: Cell, other: Cell) -> bool {
        self.chains.are_joined(one.index(), other.index())
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
    ///     game.try_make(mv)?;
    /// }
    /// let cell = game.parse("c2")?.cell().expect("a stone");
    /// assert!(game.reaches(cell, Edge::Top) && !game.reaches(cell, Edge::Bottom));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reaches(&self, cell: Cell, edge: Edge) -> bool {
        self.chains.are_joined(cell.index(), self.edge_node(edge))
    }

    /// The winner's shortest chain from its first edge to its second, in that order; empty while the game goes on.
    ///
    /// Of several with equally few stones it is the first that is found in reading order from the top row or the left
    /// column on.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(3, SwapRule::Off)?;
    /// for text in ["b1", "a1", "b2", "a2", "b3"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// let chain: Vec<String> = game.winning_chain().into_iter().map(|cell| game.name(cell)).collect();
    /// assert_eq!(chain, ["b1", "b2", "b3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn winning_chain(&self) -> Vec<Cell> {
        let Some(side) = self.winner else { return Vec::new() };
        let grid = self.grid();
        let [from, to] = edges_of(side);
        let own = |cells: &[Cell]| {
            let mut own: Vec<usize> =
                indices(cells).filter(|&node| self.stones[node] == Some(side)).collect();
            own.sort_unstable();
            own
        };
        let is_goal = |node| grid.touches(Cell::new(node), to);
        let beside = |node| own(grid.neighbours(Cell::new(node)));
        let chain = shortest(grid.len(), own(grid.edge(from)), is_goal, beside);
        chain.into_iter().map(Cell::new).collect()
    }

    /// Returns the number of stones that a side still needs to join its edges; `None` if it never can.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c3"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
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
            Some(_) => FAR,
        };
        let [from, to] = edges_of(side).map(|edge| indices(grid.edge(edge)));
        let beside = |node| indices(grid.neighbours(Cell::new(node)));
        let distances = distances(grid.len(), from, cost, beside);
        to.map(|node| distances[node]).min().filter(|&needed| needed != FAR)
    }

    /// The name of a cell, such as `f6`.
    #[must_use]
    pub fn name(&self, cell: Cell) -> String {
        let (row, col) = self.grid().place(cell);
        cell_name(col, row)
    }

    fn edge_node(&self, edge: Edge) -> usize {
        self.stones.len() + edge.index()
    }

    /// Reports whether swapping is, or may become, legal.
    fn is_swap_ahead(&self) -> bool {
        let is_early = match self.to_move {
            Side::First => self.count == 0,
            Side::Second => {
                self.count == 1 && self.winner.is_none() && self.stones.contains(&Some(Side::First))
            }
        };
        self.swap_rule == SwapRule::On && is_early
    }

    fn swap_key(&self) -> u64 {
        if self.is_swap_ahead() { SWAP_KEY } else { 0 }
    }

    /// Puts a stone on an empty cell and joins it to what it touches.
    fn put(&mut self, side: Side, cell: Cell) -> Undo {
        let Hex { stones, chains, tables, .. } = self;
        let grid = &tables.grid;
        let mut joined = [NONE; 3];
        let mut count = 0;
        let mut join = |node: usize| {
            let child = chains.join(cell.index(), node);
            if child != NONE {
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
        let edges = edges_of(side);
        for edge in edges {
            if grid.touches(cell, edge) {
                join(grid.len() + edge.index());
            }
        }
        let [from, to] = edges.map(|edge| grid.len() + edge.index());
        if count > 0 && chains.are_joined(from, to) {
            self.winner = Some(side);
        }
        self.count += 1;
        self.key ^= self.tables.keys[cell.index()][side];
        Undo { joined }
    }

    /// Puts a stone of a side on an empty cell, also where the game is over. Whose turn it is stays.
    ///
    /// # Errors
    /// If the cell is off the board or taken.
    pub(crate) fn add_stone(&mut self, side: Side, cell: Cell) -> Result<(), IllegalMove> {
        match self.stones.get(cell.index()) {
            None => Err(IllegalMove::OffBoard(cell, self.stones.len())),
            Some(&Some(owner)) => Err(IllegalMove::Taken(cell, owner)),
            Some(None) => {
                self.key ^= self.swap_key();
                self.put(side, cell);
                self.key ^= self.swap_key();
                Ok(())
            }
        }
    }

    /// Takes away the only stone.
    fn take_lone(&mut self, cell: Cell) {
        debug_assert!(self.count == 1, "there are other stones");
        let side = self.stones[cell.index()].take().expect("a stone lies there");
        self.chains.isolate(cell.index());
        for edge in Edge::ALL {
            self.chains.isolate(self.stones.len() + edge.index());
        }
        self.count = 0;
        self.key ^= self.tables.keys[cell.index()][side];
    }
}

impl Game for Hex {
    type Move = Move;
    type Undo = Undo;
    type Refusal = IllegalMove;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    /// The empty cells in reading order, then [`Move::Swap`] if it is legal.
    fn moves(&self, out: &mut Vec<Move>) {
        if self.winner.is_none() {
            out.extend(self.empty().map(Move::Place));
            out.extend(self.can_swap().then_some(Move::Swap));
        }
    }

    fn make(&mut self, mv: Move) -> Undo {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in\n{self}");
        let side = self.to_move;
        self.key ^= self.swap_key() ^ SIDE_KEY;
        let undo = match mv {
            Move::Place(cell) => self.put(side, cell),
            Move::Swap => {
                let cell = self.first_stone().expect("one stone lies on the board");
                self.take_lone(cell);
                self.put(side, self.tables.grid.mirrored(cell))
            }
        };
        self.to_move = side.other();
        self.key ^= self.swap_key();
        undo
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.key ^= self.swap_key() ^ SIDE_KEY;
        self.to_move = self.to_move.other();
        self.winner = None; // No move follows a win, so before this one nobody had won.
        match mv {
            Move::Place(cell) => {
                for child in undo.joined.into_iter().rev().filter(|&child| child != NONE) {
                    self.chains.part(child);
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
                self.take_lone(cell);
                // A stone alone is put back as it was put: the chains are the same as then.
                self.put(self.to_move.other(), self.tables.grid.mirrored(cell));
            }
        }
        self.key ^= self.swap_key();
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
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
