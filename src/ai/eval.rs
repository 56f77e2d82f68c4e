//! The static evaluation and search hints that a game provides to the alpha-beta search.

use crate::ai::WIN_VALUE;
use crate::game::Game;

/// Static evaluation and search hints of a game. Values are for the side to move; higher is better.
///
/// Only [`Eval::value`], [`Eval::move_index_count`] and [`Eval::move_index`] are required. The other
/// methods speed up the search and must be correct, so that they never change a result. The one exception
/// is an [`Eval::push_search_moves`] that leaves out moves that look poor: it makes the search selective,
/// and all its results are estimates, even wins and losses.
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
    /// Returns the static value of a position that is not over, strictly between `-MATE_BOUND` and
    /// `MATE_BOUND`.
    fn value(&mut self, game: &G) -> i32;

    /// Returns the number of move indices; at most 65,535.
    fn move_index_count(&self, game: &G) -> usize;

    /// Returns the index of a move, below [`Eval::move_index_count`]. Moves with the same index share
    /// killer, history and table entries.
    fn move_index(&self, game: &G, mv: G::Move) -> u16;

    /// Returns the rank of a legal move for move ordering: higher ranks are searched first.
    fn rank_move(&mut self, _game: &G, _mv: G::Move) -> i32 {
        0
    }

    /// Reports whether all legal moves except one lose at once. [`Eval::push_search_moves`] then generates
    /// only that move, and it does not count as a ply.
    fn has_forced_move(&mut self, _game: &G) -> bool {
        false
    }

    /// Returns the late-move reduction of a move, in plies; `number` is the number of moves searched before
    /// it.
    fn depth_reduction(&self, _game: &G, _depth: u8, _number: usize) -> u8 {
        0
    }

    /// Reports whether the search orders moves by killer moves and history as well as by rank.
    fn uses_killers_and_history(&self) -> bool {
        true
    }

    /// Returns proved bounds on the value of a position that is not over, with mate distances counted from
    /// this position. For example, `(0, WIN_VALUE)` says that the mover cannot lose.
    fn proved_bounds(&mut self, _game: &G) -> (i32, i32) {
        (-WIN_VALUE, WIN_VALUE)
    }

    /// Appends the moves worth searching, at least one.
    ///
    /// These are all legal moves except provably redundant ones or, in a selective search, the most promising
    /// ones. The root still searches every legal move.
    fn push_search_moves(&mut self, game: &G, out: &mut Vec<G::Move>) {
        game.push_legal_moves(out);
    }

    /// Returns the transposition table key of the position in canonical orientation, and the symmetry that
    /// leads to that orientation. Positions with equal keys have equal values.
    fn canonical_key(&mut self, game: &G) -> (u64, u8) {
        (game.position_key(), 0)
    }

    /// Returns the index of a move after the symmetry `turn` has been applied to the board.
    fn canonical_move_index(&self, move_index: u16, _turn: u8) -> u16 {
        move_index
    }

    /// Returns the index of a move before the symmetry `turn` was applied: the inverse of
    /// [`Eval::canonical_move_index`].
    fn original_move_index(&self, move_index: u16, _turn: u8) -> u16 {
        move_index
    }
}
