//! Quoridor as numbers: one a cell, one a horizontal wall, one a vertical wall, each row by row from a1.

use super::{Cell, Move, MoveKind, Orientation, Quoridor, Wall};
use crate::game::{Encoding, Game, Side};

/// A step is the index of its cell; horizontal walls follow by the index of their post, then vertical ones. A position
/// is the side to move; the walls in hand of White, then of Black, two bytes each; each cell: 0 empty, 1 White's pawn, 2
/// Black's; each post: 0 free, 1 a horizontal wall, 2 a vertical one.
pub(super) const ENCODING: Encoding<Quoridor> = Encoding {
    move_count: |game| number(cell_count(game) + 2 * post_count(game)),
    number: |game, mv| match mv.act() {
        MoveKind::Go(cell) => number(cell.row() * game.width + cell.file()),
        MoveKind::Build(Wall { post, orientation }) => number(
            cell_count(game)
                + orientation.index() * post_count(game)
                + post.row() * (game.width - 1)
                + post.file(),
        ),
    },
    mv: |game, number| {
        let (cells, posts) = (cell_count(game), post_count(game));
        let number = usize::from(number);
        let at = |index: usize, width: usize| Cell::at(index % width, index / width);
        match number.checked_sub(cells) {
            None => at(number, game.width).map(Move::from),
            Some(wall) if wall < 2 * posts => {
                let orientation = Orientation::BOTH[wall / posts];
                at(wall % posts, game.width - 1).map(|post| Wall { post, orientation }.into())
            }
            Some(_) => None,
        }
    },
    position: |game, out| {
        out.push(game.to_move() as u8);
        let base = out.len() + 4;
        out.extend(Side::each(|side| game.hands[side].to_le_bytes()).concat());
        out.resize(base + cell_count(game) + post_count(game), 0);
        let (cells, posts) = out[base..].split_at_mut(cell_count(game));
        for (side, mark) in Side::BOTH.into_iter().zip(1..) {
            let pawn = game.pawns[side];
            cells[pawn.row() * game.width + pawn.file()] = mark;
        }
        for Wall { post, orientation } in game.walls.all() {
            posts[post.row() * (game.width - 1) + post.file()] = if orientation.index() == 0 { 1 } else { 2 };
        }
    },
};

fn cell_count(game: &Quoridor) -> usize {
    game.width * game.height
}

fn post_count(game: &Quoridor) -> usize {
    (game.width - 1) * (game.height - 1)
}

fn number(index: usize) -> u16 {
    u16::try_from(index).expect("at most 625 cells and 1,152 walls")
}
