//! Facts that a search asks about a game beside its rules.

use crate::ai::WIN;
use crate::game::Game;

/// Facts that a search asks about a game beside its rules. Values are the mover's; more is better.
///
/// Only [`Eval::value`], [`Eval::move_index_count`] and [`Eval::move_index`] are needed. What the others say has to be true: they may
/// spare work, never change a result. The one exception is an [`Eval::moves`] that leaves out what looks poor: then the
/// search is selective, and its results are estimates, wins and losses too.
///
/// ```
/// use crosspath::ai::Eval;
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
///
/// /// Sees nothing but the end of the game.
/// struct Flat;
///
/// impl Eval<TicTacToe> for Flat {
///     fn value(&mut self, _: &TicTacToe) -> i32 {
///         0
///     }
///     fn move_index_count(&self, game: &TicTacToe) -> usize {
///         game.size() * game.size()
///     }
///     fn move_index(&self, _: &TicTacToe, cell: Cell) -> u16 {
///         u16::from(cell.0)
///     }
/// }
/// ```
pub trait Eval<G: Game>: Send {
    /// The value of a position that is not over, by looking at it only; between `-MATE_BOUND` and `MATE_BOUND`.
    fn value(&mut self, game: &G) -> i32;

    /// Returns the number of move indices; at most 65,535.
    fn move_index_count(&self, game: &G) -> usize;

    /// A number below [`Eval::move_index_count`] for a move, the same wherever the move means the same. Moves that share a move index
    /// share what the search has learnt about them.
    fn move_index(&self, game: &G, mv: G::Move) -> u16;

    /// Returns the rank of a legal move before it is searched: the higher, the sooner.
    fn rank(&mut self, _game: &G, _mv: G::Move) -> i32 {
        0
    }

    /// Reports whether all legal moves but one lose at once. [`Eval::moves`] gives that one, and it is not counted as a
    /// ply.
    fn is_forced(&mut self, _game: &G) -> bool {
        false
    }

    /// Returns the plies by which a move is searched less deep at first; `number` counts the moves before it.
    fn reduction(&self, _game: &G, _depth: u8, _number: usize) -> u8 {
        0
    }

    /// Reports whether moves that have refuted others come before those with a higher rank.
    fn learns(&self) -> bool {
        true
    }

    /// Proved bounds of the value of a position that is not over, a win counted from here: `(0, WIN)` says that the
    /// mover cannot lose.
    fn bounds(&mut self, _game: &G) -> (i32, i32) {
        (-WIN, WIN)
    }

    /// Appends the moves worth searching, at least one: the legal ones without those that provably change nothing, or,
    /// in a selective search, those that look best. The root looks at every legal move all the same.
    fn moves(&mut self, game: &G, out: &mut Vec<G::Move>) {
        game.moves(out);
    }

    /// The key under which results are kept, and how the board was turned to get it. Positions with equal keys have
    /// equal values.
    fn key(&mut self, game: &G) -> (u64, u8) {
        (game.key(), 0)
    }

    /// The move index of a move on the board turned that way.
    fn turned(&self, move_index: u16, _turn: u8) -> u16 {
        move_index
    }

    /// The move index of a move before the board was turned that way: undoes [`Eval::turned`].
    fn turned_back(&self, move_index: u16, _turn: u8) -> u16 {
        move_index
    }
}
