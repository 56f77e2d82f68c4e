//! Positions and moves as numbers, for records of many games and for networks. Knows no particular game.

use super::Game;

/// Numbering of the moves and positions of a game. All positions of one board share the numbering of the moves,
/// and their encodings have equally many bytes. Laws: `mv(number(m)) == m` and `number(m) < move_count` for every legal
/// move; positions with different keys have different bytes.
///
/// ```
/// use crosspath::game::Describe;
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
pub struct Encoding<G: Game> {
    /// Number of move numbers on this board: greater than the number of any move.
    pub move_count: fn(&G) -> u16,
    /// The number of a move.
    pub number: fn(&G, G::Move) -> u16,
    /// The move of a number; whether it is legal now is not asked.
    pub mv: fn(&G, u16) -> Option<G::Move>,
    /// Appends the position, its first byte 0 where First is to move, 1 where Second is.
    pub position: fn(&G, &mut Vec<u8>),
}

#[allow(clippy::expl_impl_clone_on_copy, reason = "deriving it would ask the same of the game")]
impl<G: Game> Clone for Encoding<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Encoding<G> {}
