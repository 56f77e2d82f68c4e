//! Numeric encoding of tic-tac-toe: one number per cell, row by row from the top left.

use super::{Cell, TicTacToe};
use crate::game::{Game, GameEncoding, Side};

/// Encoding of tic-tac-toe. A move is the index of its cell. A position is the side to move, then one byte
/// per cell: 0 empty, 1 X, 2 O.
pub(super) const TICTACTOE_ENCODING: GameEncoding<TicTacToe> = GameEncoding {
    move_count: |game| count_cells(game).into(),
    number: |_, cell| cell.0.into(),
    mv: |game, number| u8::try_from(number).ok().filter(|&cell| cell < count_cells(game)).map(Cell),
    position: |game, out| {
        out.push(game.to_move() as u8);
        let owner = |cell: Cell| match Side::BOTH.map(|side| game.stones(side) & cell.bit() != 0) {
            [true, _] => 1,
            [_, true] => 2,
            _ => 0,
        };
        out.extend((0..count_cells(game)).map(|cell| owner(Cell(cell))));
    },
};

fn count_cells(game: &TicTacToe) -> u8 {
    u8::try_from(game.size() * game.size()).expect("at most 100 cells")
}
