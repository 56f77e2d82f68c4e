//! Rules of Quoridor. This module does not depend on engines, text protocols or screens.

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

pub use moves::{Cell, MAX_QUORIDOR_SIZE, Move, MoveKind, Orientation, Wall};
pub use position::BadPosition;

pub(crate) use lattice::{Bitboard, Bitboard15, Bitboard25, ShortestPath, WallGraph};
pub(crate) use passages::{AnyWallGraph, MAX_MIDDLE_GRAPH_SIZE, MAX_SMALL_GRAPH_SIZE};
pub(crate) use walls::Walls;

use std::fmt::{self, Debug, Display};

use crate::board::SizeError;
use crate::game::{BySide, Game, Outcome, Side};
use crate::random::mix_seed;

/// Minimum number of files, and of ranks, of a board.
pub const MIN_QUORIDOR_SIZE: usize = 2;

/// Maximum number of walls that a side can have left.
pub const MAX_WALLS_PER_SIDE: u16 = 999;

/// Returns the number of walls with which each side starts on a board of `size` files and ranks: (7 size -
/// 23) / 4, at least 0.
///
/// ```
/// use crosspath::games::quoridor::default_walls_per_side;
/// assert_eq!([3, 5, 7, 9, 25].map(default_walls_per_side), [0, 3, 6, 10, 38]);
/// ```
#[must_use]
pub fn default_walls_per_side(size: usize) -> u16 {
    u16::try_from((7 * size).saturating_sub(23) / 4).unwrap_or(MAX_WALLS_PER_SIDE)
}

/// Reason why a move is not legal. Reasons are checked in the order of the variants.
///
/// ```
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::quoridor::{IllegalMove, Quoridor};
/// let game = Quoridor::new(9)?;
/// assert!(matches!(game.check_legality(game.parse("e4")?), Err(IllegalMove::TooFar(..))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The cell or the wall is not on the board.
    #[error("{0} is not on the board")]
    OffBoard(Move),
    /// The side has no walls left.
    #[error("{0} has no walls left")]
    NoneLeft(Side),
    /// The first wall overlaps the second, or they are equal.
    #[error("{0} overlaps the wall {1}")]
    Overlaps(Wall, Wall),
    /// The first wall crosses the second.
    #[error("{0} crosses the wall {1}")]
    Crosses(Wall, Wall),
    /// The wall would leave this side without a path to its goal row.
    #[error("{0} would leave {1} without a path")]
    Encloses(Wall, Side),
    /// The pawn is already on this cell.
    #[error("the pawn is already on {0}")]
    OwnCell(Cell),
    /// The other pawn is on this cell.
    #[error("the other pawn is on {0}")]
    Occupied(Cell),
    /// The wall lies between the pawn and the cell.
    #[error("the wall {1} blocks the way to {0}")]
    WallBetween(Cell, Wall),
    /// The first cell cannot be reached in one step from the pawn's cell, the second value.
    #[error("{0} is not a step from {1}")]
    TooFar(Cell, Cell),
    /// The first cell is a diagonal jump, but the straight jump to the second cell is possible.
    #[error("{0} is not a step while a straight jump to {1} is possible")]
    JumpIsFree(Cell, Cell),
}

/// Data that [`Game::unmake_move`] needs to restore the position.
///
/// ```
/// use crosspath::{game::{Game, Notation}, games::quoridor::{Quoridor, QuoridorUndo}};
/// let mut game = Quoridor::new(9).expect("a board");
/// let mv = game.parse("e2h").expect("a wall");
/// let undo: QuoridorUndo = game.make_move(mv);
/// game.unmake_move(mv, undo);
/// assert_eq!(game.walls_left(game.to_move()), 10, "the wall can be placed again");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct QuoridorUndo {
    mover: Side,
    pawn: Cell,
    to_move: Side,
    key: u64,
}

/// A position of Quoridor on a board of 2 to 25 files and ranks.
///
/// First starts on the middle cell of row 1 and wins on the highest row; Second plays in the opposite
/// direction. Positions are equal, and have equal keys, if board size, pawns, walls, numbers of walls left
/// and side to move are equal. The owners of walls and the number of plies are ignored. If the side to move
/// has no legal move, which is possible only on two ranks, the game is a draw.
///
/// ```
/// use crosspath::game::{Game, Notation, Side};
/// use crosspath::games::quoridor::Quoridor;
/// let mut game = Quoridor::new(9)?;
/// for text in ["e2", "e8", "e2h"] {
///     let mv = game.parse(text).expect("a move");
///     game.try_make_move(mv).expect("a legal one");
/// }
/// assert_eq!((game.distance_to_goal(Side::First), game.distance_to_goal(Side::Second)), (8, 8));
/// assert_eq!(game.walls_left(Side::First), 9);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone)]
pub struct Quoridor {
    width: usize,
    height: usize,
    pawns: BySide<Cell>,
    walls_left: BySide<u16>,
    walls: Walls,
    to_move: Side,
    ply: u32,
    cap: Option<u32>,
    key: u64,
}

/// Zobrist keys of the parts of a position.
pub(crate) struct ZobristKeys;

impl ZobristKeys {
    const HASH_SEED: u64 = 0x7175_6f72_6964_6f72;
    /// Key for Second to move.
    pub(crate) const SECOND_TO_MOVE: u64 = mix_seed(ZobristKeys::HASH_SEED, 0);

    /// Returns the key of a pawn on a cell.
    pub(crate) fn pawn(side: Side, cell: Cell) -> u64 {
        mix_seed(Self::HASH_SEED + 1 + side.index() as u64, u64::from(cell.row) << 5 | u64::from(cell.file))
    }

    /// Returns the key of the number of walls that a side has left.
    pub(crate) fn walls_left(side: Side, walls: u16) -> u64 {
        mix_seed(Self::HASH_SEED + 3 + side.index() as u64, u64::from(walls))
    }

    /// Returns the key of a wall on the board.
    pub(crate) fn wall(Wall { post, orientation }: Wall) -> u64 {
        mix_seed(
            Self::HASH_SEED + 5 + orientation.index() as u64,
            u64::from(post.row) << 5 | u64::from(post.file),
        )
    }
}

impl Quoridor {
    /// Returns the start position on `size` files and ranks with the default number of walls.
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
        Self::with_walls(size, size, default_walls_per_side(size))
    }

    /// Returns the start position on `width` files and `height` ranks with `walls` walls for each side, at
    /// most 999.
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
    /// `SizeError` unless width and height are 2 to 25.
    #[expect(clippy::missing_panics_doc, reason = "the measures are checked first")]
    pub fn with_walls(width: usize, height: usize, walls: u16) -> Result<Self, SizeError> {
        for got in [width, height] {
            SizeError::check_size(got, MIN_QUORIDOR_SIZE, MAX_QUORIDOR_SIZE)?;
        }
        let cell = |row: usize| Cell::at(width / 2, row).expect("both measures were checked");
        let hand = walls.min(MAX_WALLS_PER_SIDE);
        let mut game = Quoridor {
            width,
            height,
            pawns: BySide::new(cell(0), cell(height - 1)),
            walls_left: BySide::new(hand, hand),
            walls: Walls::default(),
            to_move: Side::First,
            ply: 0,
            cap: u32::try_from(4 * width * height).ok(),
            key: 0,
        };
        game.key = game.compute_key();
        Ok(game)
    }

    /// Returns the position with another ply limit: the game is drawn when this number of plies has been
    /// played without a winner. The default is 4 plies per cell; `None` removes the limit.
    ///
    /// ```
    /// use crosspath::games::quoridor::Quoridor;
    /// let game = Quoridor::new(9)?;
    /// assert_eq!(game.with_ply_limit(Some(200)).ply_limit(), Some(200));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_ply_limit(self, cap: Option<u32>) -> Self {
        Quoridor { cap, ..self }
    }

    /// Returns the number of files.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of ranks.
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

    /// Returns the number of walls that a side can still place.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// for text in ["e3h"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// assert_eq!(game.walls_left(Side::First), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn walls_left(&self, side: Side) -> u16 {
        self.walls_left[side]
    }

    /// Returns the number of walls that a side has placed.
    #[must_use]
    pub fn count_walls_built(&self, side: Side) -> usize {
        self.walls_owned_by(side).count()
    }

    fn walls_owned_by(&self, side: Side) -> impl Iterator<Item = Wall> {
        self.walls().filter(move |&(_, owner)| owner == side).map(|(wall, _)| wall)
    }

    /// Returns the walls on the board by file, then row, with their owners.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// for text in ["e3h", "d6v"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// let walls: Vec<String> = game.walls().map(|(wall, side)| format!("{side} {wall}")).collect();
    /// assert_eq!(walls, ["second d6v", "first e3h"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walls(&self) -> impl Iterator<Item = (Wall, Side)> {
        self.walls.all_walls().map(|wall| (wall, self.walls.owner(wall.post)))
    }

    /// Returns the number of walls on the board.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// for text in ["e3h", "e8"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// assert_eq!(game.wall_count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn wall_count(&self) -> u32 {
        self.walls.wall_count()
    }

    /// Reports whether this wall is on the board.
    pub(crate) fn has_wall(&self, wall: Wall) -> bool {
        self.walls.contains_wall(wall)
    }

    /// Returns the number of plies since the start or the set-up of the position.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the number of plies after which the game is drawn.
    #[must_use]
    pub fn ply_limit(&self) -> Option<u32> {
        self.cap
    }

    /// Returns the goal row of a side, counted from 0.
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

    /// Returns the length of a side's shortest path to its goal row, considering walls but neither pawns nor
    /// jumps.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// for text in ["e8h"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// assert_eq!((game.distance_to_goal(Side::First), game.distance_to_goal(Side::Second)), (9, 9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "the rules keep a path open for both")]
    #[must_use]
    pub fn distance_to_goal(&self, side: Side) -> u32 {
        self.distance_to_goal_in(&self.any_wall_graph(), side).expect("a path is always open")
    }

    /// Returns the length of a side's shortest path in a wall graph; `None` if there is no path.
    pub(crate) fn distance_to_goal_in(&self, passages: &AnyWallGraph, side: Side) -> Option<u32> {
        passages.distance_to_row(self.pawns[side], self.goal_row(side))
    }

    /// Returns a shortest path of a side to its goal row, without the pawn's cell. Among equally short steps
    /// it prefers forward.
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
        self.any_wall_graph().shortest_path(self.pawns[side], self.goal_row(side)).collect()
    }

    /// Returns the cells to which the side to move can move its pawn, by file, then row; none after the end
    /// of the game.
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
            self.visit_pawn_targets(&self.any_wall_graph(), |cell| cells.push(cell));
            cells.sort_unstable();
        }
        cells
    }

    /// Calls `found` with every cell to which the pawn of the side to move can move.
    fn visit_pawn_targets(&self, passages: &AnyWallGraph, found: impl FnMut(Cell)) {
        passages.visit_pawn_targets(self.pawns[self.to_move], self.pawns[self.to_move.other()], found);
    }

    /// Reports whether the side to move has no legal move. This is possible only on boards with two ranks,
    /// where a pawn can stand on the opponent's goal row.
    pub(crate) fn has_no_legal_move(&self) -> bool {
        if self.height > MIN_QUORIDOR_SIZE {
            return false;
        }
        let (passages, mut moves) = (self.any_wall_graph(), Vec::new());
        self.visit_pawn_targets(&passages, |cell| moves.push(cell.into()));
        if moves.is_empty() {
            self.push_legal_walls(&passages, &mut moves);
        }
        moves.is_empty()
    }

    /// Adds a wall that overlaps and crosses no other, without changing walls left, side to move or key. The
    /// solver uses it to build boards with given walls.
    pub(crate) fn place_wall_unchecked(&mut self, wall: Wall) {
        self.walls.add_wall(wall, Side::First);
    }

    /// Returns the wall graph in bitboards of type `S`, which must be large enough.
    pub(crate) fn wall_graph<S: Bitboard>(&self) -> WallGraph<S> {
        WallGraph::from_walls(&self.walls, self.width, self.height)
    }

    /// Returns the current wall graph.
    pub(crate) fn any_wall_graph(&self) -> AnyWallGraph {
        AnyWallGraph::from_walls(&self.walls, self.width, self.height)
    }

    /// Sets the side to move without counting a ply. Some protocols let one side play twice.
    ///
    /// ```
    /// use crosspath::game::{Game, Side};
    /// use crosspath::games::quoridor::Quoridor;
    /// let mut game = Quoridor::new(9)?;
    /// game.set_side_to_move(Side::Second);
    /// assert_eq!((game.to_move(), game.ply()), (Side::Second, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_side_to_move(&mut self, side: Side) {
        if side != self.to_move {
            self.to_move = side;
            self.key ^= ZobristKeys::SECOND_TO_MOVE;
        }
    }

    /// Sets the number of walls that a side has left, at most 999.
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
        let walls = walls.min(MAX_WALLS_PER_SIDE);
        self.key ^=
            ZobristKeys::walls_left(side, self.walls_left[side]) ^ ZobristKeys::walls_left(side, walls);
        self.walls_left[side] = walls;
    }

    fn compute_key(&self) -> u64 {
        let size = mix_seed(ZobristKeys::HASH_SEED + 7, (self.width * 32 + self.height) as u64);
        let turn = if self.to_move == Side::First { 0 } else { ZobristKeys::SECOND_TO_MOVE };
        let of_side = |side| {
            ZobristKeys::pawn(side, self.pawns[side]) ^ ZobristKeys::walls_left(side, self.walls_left[side])
        };
        let walls = self.walls.all_walls().map(ZobristKeys::wall).fold(0, |key, wall| key ^ wall);
        size ^ turn ^ of_side(Side::First) ^ of_side(Side::Second) ^ walls
    }

    /// Reports whether the cell or the wall of a move is on the board.
    pub(crate) fn is_on_board(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Step(cell) => self.has_cell(cell),
            MoveKind::Wall(wall) => self.has_post(wall.post),
        }
    }

    fn has_cell(&self, cell: Cell) -> bool {
        cell.file() < self.width && cell.row() < self.height
    }

    fn has_post(&self, post: Cell) -> bool {
        post.file() + 1 < self.width && post.row() + 1 < self.height
    }

    /// Returns the side, First before Second, that the wall would cut off from its goal row.
    fn find_enclosed_side(&self, wall: Wall) -> Option<Side> {
        let passages = self.any_wall_graph();
        if !passages.may_enclose(wall) {
            return None;
        }
        let passages = passages.with_wall(wall);
        Side::BOTH.into_iter().find(|&side| self.distance_to_goal_in(&passages, side).is_none())
    }

    fn check_wall(&self, wall: Wall) -> Result<(), IllegalMove> {
        if self.walls_left[self.to_move] == 0 {
            return Err(IllegalMove::NoneLeft(self.to_move));
        }
        if let Some(other) = self.walls.find_overlapping_wall(wall) {
            return Err(IllegalMove::Overlaps(wall, other));
        }
        if let Some(other) = self.walls.find_crossing_wall(wall) {
            return Err(IllegalMove::Crosses(wall, other));
        }
        self.find_enclosed_side(wall).map_or(Ok(()), |side| Err(IllegalMove::Encloses(wall, side)))
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
            let wall = Wall::between_cells(a, b).find(|&wall| self.walls.contains_wall(wall));
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
        self.visit_pawn_targets(&self.any_wall_graph(), |cell| {
            // A straight move of two cells can only be the jump.
            if apart(own, cell) == 2 && (cell.file == own.file || cell.row == own.row) {
                behind = Some(cell);
            }
        });
        behind.filter(|&jump| jump != to).map_or(Ok(()), |jump| Err(IllegalMove::JumpIsFree(to, jump)))
    }

    /// Appends every legal wall by file, row, horizontal before vertical.
    fn push_legal_walls(&self, passages: &AnyWallGraph, out: &mut Vec<Move>) {
        if self.walls_left[self.to_move] == 0 {
            return;
        }
        let legal = passages.legal_walls(Side::map_both(|side| (self.pawns[side], self.goal_row(side))));
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
    type Undo = QuoridorUndo;
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
        (is_spent || self.has_no_legal_move()).then_some(Outcome::Draw)
    }

    /// Appends the pawn's moves by file, then row, then the walls by file, row, horizontal before vertical.
    fn push_legal_moves(&self, out: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        let base = out.len();
        let passages = self.any_wall_graph();
        self.visit_pawn_targets(&passages, |cell| out.push(Move::from(cell)));
        debug_assert!(
            out.len() > base || self.height == MIN_QUORIDOR_SIZE,
            "the path rule guarantees the pawn a move in {self}"
        );
        out[base..].sort_unstable_by_key(|mv| match mv.kind() {
            MoveKind::Step(cell) => cell,
            MoveKind::Wall(wall) => wall.post,
        });
        self.push_legal_walls(&passages, out);
    }

    fn make_move(&mut self, mv: Move) -> QuoridorUndo {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        let side = self.to_move;
        let undo = QuoridorUndo { mover: side, pawn: self.pawns[side], to_move: side, key: self.key };
        match mv.kind() {
            MoveKind::Step(cell) => {
                self.key ^= ZobristKeys::pawn(side, self.pawns[side]) ^ ZobristKeys::pawn(side, cell);
                self.pawns[side] = cell;
            }
            MoveKind::Wall(wall) => {
                self.key ^= ZobristKeys::wall(wall);
                self.walls.add_wall(wall, side);
                self.set_walls_left(side, self.walls_left[side] - 1);
            }
        }
        self.ply += 1;
        self.set_side_to_move(side.other());
        undo
    }

    fn unmake_move(&mut self, mv: Move, undo: QuoridorUndo) {
        let side = undo.mover;
        match mv.kind() {
            MoveKind::Step(cell) => {
                debug_assert!(self.pawns[side] == cell, "{mv} was not the last move in {self}");
                self.pawns[side] = undo.pawn;
            }
            MoveKind::Wall(wall) => {
                debug_assert!(self.walls.contains_wall(wall), "{mv} was not the last move in {self}");
                self.walls.remove_wall(wall);
                self.walls_left[side] += 1;
            }
        }
        self.ply -= 1;
        self.to_move = undo.to_move;
        self.key = undo.key;
    }

    fn position_key(&self) -> u64 {
        self.key
    }

    fn check_legality(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::Over);
        }
        match mv.kind() {
            MoveKind::Step(cell) if self.has_cell(cell) => self.check_step(cell),
            MoveKind::Wall(wall) if self.has_post(wall.post) => self.check_wall(wall),
            _ => Err(IllegalMove::OffBoard(mv)),
        }
    }
}

impl PartialEq for Quoridor {
    fn eq(&self, other: &Self) -> bool {
        let rest = |game: &Self| (game.width, game.height, game.pawns, game.walls_left, game.to_move);
        rest(self) == rest(other) && self.walls.has_same_walls(&other.walls)
    }
}

impl Eq for Quoridor {}

/// Formats the position as [`Quoridor::position_text`] does.
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
