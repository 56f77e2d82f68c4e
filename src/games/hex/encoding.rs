//! Numeric encoding of Hex: one number per cell, row by row from the top left, and one for the swap.

use super::{Cell, Hex, Move};
use crate::game::{Game, GameEncoding, Side};

/// Numeric encoding of the moves and positions of Hex. A move is the index of its cell, and the swap is the
/// number of cells. A position is the side to move, then 1 if a swap is legal now or may be legal next (else
/// 0), then one byte per cell: 0 empty, 1 Red, 2 Blue.
pub(super) const HEX_ENCODING: GameEncoding<Hex> = GameEncoding {
    move_count: |game| swap_move_number(game) + 1,
    number: |game, mv| mv.cell().map_or(swap_move_number(game), |cell| to_move_number(cell.index())),
    mv: |game, number| match number {
        cell if cell < swap_move_number(game) => Some(Move::Place(Cell::new(cell.into()))),
        mv => (mv == swap_move_number(game)).then_some(Move::Swap),
    },
    position: |game, out| {
        out.extend([game.to_move() as u8, u8::from(game.is_swap_still_possible())]);
        out.extend(game.stones.iter().map(|stone| match stone {
            None => 0,
            Some(Side::First) => 1,
            Some(Side::Second) => 2,
        }));
    },
};

fn to_move_number(index: usize) -> u16 {
    u16::try_from(index).expect("at most 676 cells")
}

fn swap_move_number(game: &Hex) -> u16 {
    to_move_number(game.stones.len())
}
