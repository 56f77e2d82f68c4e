//! Numeric encodings of positions and moves, for files with many games and for neural networks. This module
//! does not depend on any particular game.

use super::Game;

/// Numeric encoding of the moves and positions of a game. All positions of one board use the same move
/// numbers, and their encodings have equal lengths. Laws: `mv(number(m)) == m` and `number(m) < move_count`
/// for every legal move; positions with different keys have different bytes.
///
/// ```
/// use crosspath::game::GameDefinition;
/// use crosspath::games::hex::{Hex, Move, SwapRule};
/// let (game, encoding) = (Hex::new(5, SwapRule::On)?, Hex::encoding().expect("Hex has one"));
/// assert_eq!((encoding.move_count)(&game), 26);
/// assert_eq!((encoding.mv)(&game, 25), Some(Move::Swap));
/// let mut bytes = Vec::new();
/// (encoding.position)(&game, &mut bytes);
/// assert_eq!(bytes.len(), 27);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug)]
pub struct GameEncoding<G: Game> {
    /// Function that returns the number of move numbers on a board. Move numbers start at 0.
    pub move_count: fn(&G) -> u16,
    /// Function that returns the number of a move.
    pub number: fn(&G, G::Move) -> u16,
    /// Function that returns the move with a number. It does not check the legality of the move.
    pub mv: fn(&G, u16) -> Option<G::Move>,
    /// Function that appends the encoded position. The first byte is 0 if First is to move, 1 if Second is.
    pub position: fn(&G, &mut Vec<u8>),
}

#[allow(clippy::expl_impl_clone_on_copy, reason = "deriving it would ask the same of the game")]
impl<G: Game> Clone for GameEncoding<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for GameEncoding<G> {}
