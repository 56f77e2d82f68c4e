//! Hex as numbers: one a cell, row by row from the top left, and one for the swap.

use super::{Cell, Hex, Move};
use crate::game::{Encoding, Game, Side};

/// A move is the index of its cell, or the number of cells for the swap. A position is the side to move, then 1 if
/// swapping is legal now or may be next (else 0), then each cell: 0 empty, 1 Red, 2 Blue.
pub(super) const ENCODING: Encoding<Hex> = Encoding {
    move_count: |game| swap(game) + 1,
    number: |game, mv| mv.cell().map_or(swap(game), |cell| number(cell.index())),
    mv: |game, number| match number {
        cell if cell < swap(game) => Some(Move::Place(Cell::new(cell.into()))),
        mv => (mv == swap(game)).then_some(Move::Swap),
    },
    position: |game, out| {
        out.extend([game.to_move() as u8, u8::from(game.is_swap_ahead())]);
        out.extend(game.stones.iter().map(|stone| match stone {
            None => 0,
            Some(Side::First) => 1,
            Some(Side::Second) => 2,
        }));
    },
};

fn number(index: usize) -> u16 {
    u16::try_from(index).expect("at most 676 cells")
}

fn swap(game: &Hex) -> u16 {
    number(game.stones.len())
}
