//! The rules of Quoridor. Knows nothing of engines, text protocols or screens.

mod about;
mod encoding;
mod explain;
mod lattice;
mod moves;
mod paint;
mod passages;
mod position;
mod scene;
mod walls;

pub mod notation;

pub use moves::{Cell, MAX_SIZE, Move, MoveKind, Orientation, Wall};
pub use position::BadPosition;

pub(crate) use lattice::{Bitboard, Bitboard15, Bitboard25, ShortestPath, WallGraph};
pub(crate) use passages::{AnyWallGraph, MIDDLE, SMALL};
pub(crate) use walls::Walls;

use std::fmt::{self, Debug, Display};

use crate::board::SizeError;
use crate::game::{BySide, Game, Outcome, Side};
use crate::random::mix;

/// The fewest files, and ranks, of a board.
pub const MIN_SIZE: usize = 2;

/// The most walls that a side can hold.
pub const MAX_WALLS: u16 = 999;

/// The walls each side starts with on a board of `size` files and ranks: (7 size - 23) / 4, never below 0.
///
/// ```
/// use crosspath::games::quoridor::default_walls;
/// assert_eq!([3, 5, 7, 9, 25].map(default_walls), [0, 3, 6, 10, 38]);
/// ```
#[must_use]
pub fn default_walls(size: usize) -> u16 {
    u16::try_from((7 * size).saturating_sub(23) / 4).unwrap_or(MAX_WALLS)
}

/// Why a move is not legal. Reasons are looked for in this order.
///
/// ```
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::quoridor::{IllegalMove, Quoridor};
/// let game = Quoridor::new(9)?;
/// assert!(matches!(game.check(game.parse("e4")?), Err(IllegalMove::TooFar(..))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// No cell or post of this board.
    #[error("{0} is not on the board")]
    OffBoard(Move),
    /// The side has no wall in hand.
    #[error("{0} has no walls left")]
    NoneLeft(Side),
    /// A wall of the same orientation is in the place, wholly or by half.
    #[error("{0} overlaps the wall {1}")]
    Overlaps(Wall, Wall),
    /// The other wall stands on the same post.
    #[error("{0} crosses the wall {1}")]
    Crosses(Wall, Wall),
    /// This side would have no path to its goal row.
    #[error("{0} would leave {1} without a path")]
    Encloses(Wall, Side),
    /// The pawn is there already.
    #[error("the pawn is already on {0}")]
    OwnCell(Cell),
    /// The other pawn is there.
    #[error("the other pawn is on {0}")]
    Occupied(Cell),
    /// A wall stands before the cell.
    #[error("the wall {1} blocks the way to {0}")]
    WallBetween(Cell, Wall),
    /// The first cell is too far for the pawn on the second.
    #[error("{0} is not a step from {1}")]
    TooFar(Cell, Cell),
    /// The cell is beside the other pawn, but the straight jump to the second cell is free.
    #[error("{0} is not a step while a straight jump to {1} is possible")]
    JumpIsFree(Cell, Cell),
}

/// Data that [`Game::unmake`] needs to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    mover: Side,
    pawn: Cell,
    to_move: Side,
    key: u64,
}

/// A position of Quoridor on a board of 2 to 25 files and ranks.
///
/// First starts on the middle cell of row 1 and wins on the highest row, Second the other way round. Positions are
/// equal, and have equal keys, when board, pawns, walls, hands and side to move are the same: neither the builder of a
/// wall nor the number of plies counts. A side that cannot move, which happens on two ranks only, draws.
///
/// ```
/// use crosspath::game::{Game, Notation, Side};
/// use crosspath::games::quoridor::Quoridor;
/// let mut game = Quoridor::new(9)?;
/// for text in ["e2", "e8", "e2h"] {
///     let mv = game.parse(text).expect("a move");
///     game.try_make(mv).expect("a legal one");
/// }
/// assert_eq!((game.distance(Side::First), game.distance(Side::Second)), (8, 8));
/// assert_eq!(game.walls_left(Side::First), 9);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone)]
pub struct Quoridor {
    width: usize,
    height: usize,
    pawns: BySide<Cell>,
    hands: BySide<u16>,
    walls: Walls,
    to_move: Side,
    ply: u32,
    cap: Option<u32>,
    key: u64,
}

/// Numbers that the parts of a position add to its key.
pub(crate) struct ZobristKeys;

impl ZobristKeys {
    const TAG: u64 = 0x7175_6f72_6964_6f72;
    /// Number for the turn of Second.
    pub(crate) const TURN: u64 = mix(ZobristKeys::TAG, 0);

    /// Returns the number for a pawn on a cell.
    pub(crate) fn pawn(side: Side, cell: Cell) -> u64 {
        mix(Self::TAG + 1 + side.index() as u64, u64::from(cell.row) << 5 | u64::from(cell.file))
    }

    /// Returns the number for the walls that a side has left.
    pub(crate) fn hand(side: Side, walls: u16) -> u64 {
        mix(Self::TAG + 3 + side.index() as u64, u64::from(walls))
    }

    /// Returns the number for a wall on the board.
    pub(crate) fn wall(Wall { post, orientation }: Wall) -> u64 {
        mix(Self::TAG + 5 + orientation.index() as u64, u64::from(post.row) << 5 | u64::from(post.file))
    }
}

impl Quoridor {
    /// The start on `size` files and ranks with the usual number of walls.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::games::quoridor::Quoridor;
    /// let game = Quoridor::new(9)?;
    /// assert_eq!((game.width(), game.walls_left(Side::First)), (9, 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `SizeError` unless 2 <= `size` <= 25.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        Self::with_walls(size, size, default_walls(size))
    }

    /// Returns the start on `width` files and `height` ranks with `walls` walls for each side, at most 999.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::games::quoridor::Quoridor;
    /// let game = Quoridor::with_walls(5, 7, 3)?;
    /// assert_eq!((game.width(), game.height(), game.walls_left(Side::Second)), (5, 7, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `SizeError` unless both measures are 2 to 25.
    #[expect(clippy::missing_panics_doc, reason = "the measures are checked first")]
    pub fn with_walls(width: usize, height: usize, walls: u16) -> Result<Self, SizeError> {
        for got in [width, height] {
            SizeError::check(got, MIN_SIZE, MAX_SIZE)?;
        }
        let cell = |row: usize| Cell::at(width / 2, row).expect("both measures were checked");
        let hand = walls.min(MAX_WALLS);
        let mut game = Quoridor {
            width,
            height,
            pawns: BySide::new(cell(0), cell(height - 1)),
            hands: BySide::new(hand, hand),
            walls: Walls::default(),
            to_move: Side::First,
            ply: 0,
            cap: u32::try_from(4 * width * height).ok(),
            key: 0,
        };
        game.key = game.fresh_key();
        Ok(game)
    }

    /// Returns the position with another cap: the game is drawn when this number of plies is played without a winner.
    /// At the start the cap is 4 plies for each cell; `None` never ends a game.
    ///
    /// ```
    /// use crosspath::games::quoridor::Quoridor;
    /// let game = Quoridor::new(9)?;
    /// assert_eq!(game.with_cap(Some(200)).cap(), Some(200));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_cap(self, cap: Option<u32>) -> Self {
        Quoridor { cap, ..self }
    }

    /// Files.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Ranks.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the cell of a side's pawn.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::games::quoridor::Quoridor;
    /// let game = Quoridor::new(9)?;
    /// assert_eq!(game.pawn(Side::First).to_string(), "e1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pawn(&self, side: Side) -> Cell {
        self.pawns[side]
    }

    /// Walls that a side can still build.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// for text in ["e3h"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// assert_eq!(game.walls_left(Side::First), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn walls_left(&self, side: Side) -> u16 {
        self.hands[side]
    }

    /// Walls that a side has built.
    #[must_use]
    pub fn walls_built(&self, side: Side) -> usize {
        self.walls_of(side).count()
    }

    fn walls_of(&self, side: Side) -> impl Iterator<Item = Wall> {
        self.walls().filter(move |&(_, owner)| owner == side).map(|(wall, _)| wall)
    }

    /// The walls that stand, by file, then row, with their builders.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// for text in ["e3h", "d6v"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// let walls: Vec<String> = game.walls().map(|(wall, side)| format!("{side} {wall}")).collect();
    /// assert_eq!(walls, ["second d6v", "first e3h"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walls(&self) -> impl Iterator<Item = (Wall, Side)> {
        self.walls.all().map(|wall| (wall, self.walls.owner(wall.post)))
    }

    /// Returns the number of walls on the board.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// for text in ["e3h", "e8"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// assert_eq!(game.wall_count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn wall_count(&self) -> u32 {
        self.walls.count()
    }

    /// Reports whether this wall stands.
    pub(crate) fn has_wall(&self, wall: Wall) -> bool {
        self.walls.has(wall)
    }

    /// Moves played since the start, or since the position was set up.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The number of plies after which the game is drawn.
    #[must_use]
    pub fn cap(&self) -> Option<u32> {
        self.cap
    }

    /// The row a side wins on, counted from 0.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::games::quoridor::Quoridor;
    /// let game = Quoridor::new(9)?;
    /// assert_eq!((game.goal_row(Side::First), game.goal_row(Side::Second)), (8, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn goal_row(&self, side: Side) -> usize {
        match side {
            Side::First => self.height - 1,
            Side::Second => 0,
        }
    }

    /// Steps that a side still needs, walls seen, pawns and jumps ignored.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// for text in ["e8h"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// assert_eq!((game.distance(Side::First), game.distance(Side::Second)), (9, 9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "the rules keep a path open for both")]
    #[must_use]
    pub fn distance(&self, side: Side) -> u32 {
        self.steps_on(&self.passages(), side).expect("a path is always open")
    }

    /// Returns the steps that a side still needs where pawns can pass as `passages` says; `None` if no path is open.
    pub(crate) fn steps_on(&self, passages: &AnyWallGraph, side: Side) -> Option<u32> {
        passages.steps_between(self.pawns[side], self.goal_row(side))
    }

    /// A shortest path of a side to its goal row, without the cell it stands on; straight on where that is as short.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::games::quoridor::Quoridor;
    /// let path = Quoridor::new(5)?.shortest_path(Side::First);
    /// let path: Vec<String> = path.iter().map(ToString::to_string).collect();
    /// assert_eq!(path, ["c2", "c3", "c4", "c5"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shortest_path(&self, side: Side) -> Vec<Cell> {
        self.passages().shortest_way(self.pawns[side], self.goal_row(side)).collect()
    }

    /// The cells the side to move can go to, by file, then row; none after the end.
    ///
    /// ```
    /// use crosspath::games::quoridor::Quoridor;
    /// let game = Quoridor::new(9)?;
    /// let targets: Vec<String> = game.pawn_targets().iter().map(ToString::to_string).collect();
    /// assert_eq!(targets, ["d1", "e2", "f1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pawn_targets(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        if self.outcome().is_none() {
            self.targets(&self.passages(), |cell| cells.push(cell));
            cells.sort_unstable();
        }
        cells
    }

    /// Finds the cells to which the pawn of the side to move can go.
    fn targets(&self, passages: &AnyWallGraph, found: impl FnMut(Cell)) {
        passages.targets(self.pawns[self.to_move], self.pawns[self.to_move.other()], found);
    }

    /// Reports whether the side to move has no move. Only on two ranks, where each pawn may stand on the other's goal
    /// row: on more, the other side's path out is a path for this pawn, too.
    pub(crate) fn is_stuck(&self) -> bool {
        if self.height > MIN_SIZE {
            return false;
        }
        let (passages, mut moves) = (self.passages(), Vec::new());
        self.targets(&passages, |cell| moves.push(cell.into()));
        if moves.is_empty() {
            self.push_walls(&passages, &mut moves);
        }
        moves.is_empty()
    }

    /// Puts up a wall that clashes with none, for nobody's hand and turn: for tables of wall sets. The key is not kept.
    pub(crate) fn place_wall_unchecked(&mut self, wall: Wall) {
        self.walls.build(wall, Side::First);
    }

    /// The walls as sets of bits; of a kind that has room for them.
    pub(crate) fn lattice<S: Bitboard>(&self) -> WallGraph<S> {
        WallGraph::of(&self.walls, self.width, self.height)
    }

    /// Returns the passages that are open to pawns now.
    pub(crate) fn passages(&self) -> AnyWallGraph {
        AnyWallGraph::of(&self.walls, self.width, self.height)
    }

    /// Hands the turn to a side, whoever's it is: protocols let one side play twice. No ply is counted.
    ///
    /// ```
    /// use crosspath::game::{Game, Side};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// game.set_to_move(Side::Second);
    /// assert_eq!((game.to_move(), game.ply()), (Side::Second, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_to_move(&mut self, side: Side) {
        if side != self.to_move {
            self.to_move = side;
            self.key ^= ZobristKeys::TURN;
        }
    }

    /// Gives a side this many walls in hand; at most 999 are kept.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// game.set_walls_left(Side::First, 3);
    /// assert_eq!(game.walls_left(Side::First), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_walls_left(&mut self, side: Side, walls: u16) {
        let walls = walls.min(MAX_WALLS);
        self.key ^= ZobristKeys::hand(side, self.hands[side]) ^ ZobristKeys::hand(side, walls);
        self.hands[side] = walls;
    }

    fn fresh_key(&self) -> u64 {
        let size = mix(ZobristKeys::TAG + 7, (self.width * 32 + self.height) as u64);
        let turn = if self.to_move == Side::First { 0 } else { ZobristKeys::TURN };
        let of_side =
            |side| ZobristKeys::pawn(side, self.pawns[side]) ^ ZobristKeys::hand(side, self.hands[side]);
        let walls = self.walls.all().map(ZobristKeys::wall).fold(0, |key, wall| key ^ wall);
        size ^ turn ^ of_side(Side::First) ^ of_side(Side::Second) ^ walls
    }

    /// Reports whether the board has the cell or the post that a move names.
    pub(crate) fn has_room_for(&self, mv: Move) -> bool {
        match mv.act() {
            MoveKind::Go(cell) => self.is_cell(cell),
            MoveKind::Build(wall) => self.is_post(wall.post),
        }
    }

    fn is_cell(&self, cell: Cell) -> bool {
        cell.file() < self.width && cell.row() < self.height
    }

    fn is_post(&self, post: Cell) -> bool {
        post.file() + 1 < self.width && post.row() + 1 < self.height
    }

    /// The side, First before Second, that the wall would cut off from its goal row.
    fn enclosed_by(&self, wall: Wall) -> Option<Side> {
        let passages = self.passages();
        if !passages.may_close(wall) {
            return None;
        }
        let passages = passages.with(wall);
        Side::BOTH.into_iter().find(|&side| self.steps_on(&passages, side).is_none())
    }

    fn check_wall(&self, wall: Wall) -> Result<(), IllegalMove> {
        if self.hands[self.to_move] == 0 {
            return Err(IllegalMove::NoneLeft(self.to_move));
        }
        if let Some(other) = self.walls.overlapped_by(wall) {
            return Err(IllegalMove::Overlaps(wall, other));
        }
        if let Some(other) = self.walls.crossed_by(wall) {
            return Err(IllegalMove::Crosses(wall, other));
        }
        self.enclosed_by(wall).map_or(Ok(()), |side| Err(IllegalMove::Encloses(wall, side)))
    }

    fn check_step(&self, to: Cell) -> Result<(), IllegalMove> {
        let (own, other) = (self.pawns[self.to_move], self.pawns[self.to_move.other()]);
        if to == own {
            return Err(IllegalMove::OwnCell(to));
        }
        if to == other {
            return Err(IllegalMove::Occupied(to));
        }
        let apart = |a: Cell, b: Cell| a.file.abs_diff(b.file) + a.row.abs_diff(b.row);
        let between = |a, b| {
            let wall = Wall::between(a, b).find(|&wall| self.walls.has(wall));
            wall.map_or(Ok(()), |wall| Err(IllegalMove::WallBetween(to, wall)))
        };
        if apart(own, to) == 1 {
            return between(own, to);
        }
        if apart(own, other) != 1 || apart(other, to) != 1 {
            return Err(IllegalMove::TooFar(to, own));
        }
        between(own, other)?;
        between(other, to)?;
        let mut behind = None;
        self.targets(&self.passages(), |cell| {
            // A cell two steps away in a straight line can only be the jump.
            if apart(own, cell) == 2 && (cell.file == own.file || cell.row == own.row) {
                behind = Some(cell);
            }
        });
        behind.filter(|&jump| jump != to).map_or(Ok(()), |jump| Err(IllegalMove::JumpIsFree(to, jump)))
    }

    /// Appends every legal wall, by file, row, across before upright.
    fn push_walls(&self, passages: &AnyWallGraph, out: &mut Vec<Move>) {
        if self.hands[self.to_move] == 0 {
            return;
        }
        let legal = passages.legal_walls(Side::each(|side| (self.pawns[side], self.goal_row(side))));
        for file in 0..self.width - 1 {
            for row in 0..self.height - 1 {
                let post = Cell::at(file, row).expect("a post of the board");
                for (orientation, legal) in Orientation::BOTH.into_iter().zip(&legal) {
                    if legal[row] >> file & 1 != 0 {
                        out.push(Move::from(Wall { post, orientation }));
                    }
                }
            }
        }
    }
}

impl Game for Quoridor {
    type Move = Move;
    type Undo = Undo;
    type Refusal = IllegalMove;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Some(side) = Side::BOTH.into_iter().find(|&side| self.pawns[side].row() == self.goal_row(side))
        {
            return Some(Outcome::Win(side));
        }
        let is_spent = self.cap.is_some_and(|cap| self.ply >= cap);
        (is_spent || self.is_stuck()).then_some(Outcome::Draw)
    }

    /// The pawn's cells by file, then row; then the walls by file, row, across before upright.
    fn moves(&self, out: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        let base = out.len();
        let passages = self.passages();
        self.targets(&passages, |cell| out.push(Move::from(cell)));
        debug_assert!(
            out.len() > base || self.height == MIN_SIZE,
            "the path rule guarantees the pawn a move in {self}"
        );
        out[base..].sort_unstable_by_key(|mv| match mv.act() {
            MoveKind::Go(cell) => cell,
            MoveKind::Build(wall) => wall.post,
        });
        self.push_walls(&passages, out);
    }

    fn make(&mut self, mv: Move) -> Undo {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        let side = self.to_move;
        let undo = Undo { mover: side, pawn: self.pawns[side], to_move: side, key: self.key };
        match mv.act() {
            MoveKind::Go(cell) => {
                self.key ^= ZobristKeys::pawn(side, self.pawns[side]) ^ ZobristKeys::pawn(side, cell);
                self.pawns[side] = cell;
            }
            MoveKind::Build(wall) => {
                self.key ^= ZobristKeys::wall(wall);
                self.walls.build(wall, side);
                self.set_walls_left(side, self.hands[side] - 1);
            }
        }
        self.ply += 1;
        self.set_to_move(side.other());
        undo
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        let side = undo.mover;
        match mv.act() {
            MoveKind::Go(cell) => {
                debug_assert!(self.pawns[side] == cell, "{mv} was not the last move in {self}");
                self.pawns[side] = undo.pawn;
            }
            MoveKind::Build(wall) => {
                debug_assert!(self.walls.has(wall), "{mv} was not the last move in {self}");
                self.walls.lift(wall);
                self.hands[side] += 1;
            }
        }
        self.ply -= 1;
        self.to_move = undo.to_move;
        self.key = undo.key;
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::Over);
        }
        match mv.act() {
            MoveKind::Go(cell) if self.is_cell(cell) => self.check_step(cell),
            MoveKind::Build(wall) if self.is_post(wall.post) => self.check_wall(wall),
            _ => Err(IllegalMove::OffBoard(mv)),
        }
    }
}

impl PartialEq for Quoridor {
    fn eq(&self, other: &Self) -> bool {
        let rest = |game: &Self| (game.width, game.height, game.pawns, game.hands, game.to_move);
        rest(self) == rest(other) && self.walls.stand_alike(&other.walls)
    }
}

impl Eq for Quoridor {}

/// The position text, as in [`Quoridor::position_text`].
impl Display for Quoridor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position_text())
    }
}

impl Debug for Quoridor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Quoridor({self}, ply {})", self.ply)
    }
}
