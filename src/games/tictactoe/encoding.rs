//! Tic-tac-toe as numbers: one a cell, row by row from the top left.

use super::{Cell, TicTacToe};
use crate::game::{Encoding, Game, Side};

/// A move is the index of its cell. A position is the side to move, then each cell: 0 empty, 1 X, 2 O.
pub(super) const ENCODING: Encoding<TicTacToe> = Encoding {
    move_count: |game| cell_count(game).into(),
    number: |_, cell| cell.0.into(),
    mv: |game, number| u8::try_from(number).ok().filter(|&cell| cell < cell_count(game)).map(Cell),
    position: |game, out| {
        out.push(game.to_move() as u8);
        let owner = |cell: Cell| match Side::BOTH.map(|side| game.stones(side) & cell.bit() != 0) {
            [true, _] => 1,
            [_, true] => 2,
            _ => 0,
        };
        out.extend((0..cell_count(game)).map(|cell| owner(Cell(cell))));
    },
};

fn cell_count(game: &TicTacToe) -> u8 {
    u8::try_from(game.size() * game.size()).expect("at most 100 cells")
}
