//! Numeric encoding of Quoridor: one number per cell, per horizontal wall and per vertical wall, each row by
//! row from a1.

use super::{Cell, Move, MoveKind, Orientation, Quoridor, Wall};
use crate::game::{Game, GameEncoding, Side};

/// Numeric encoding of the moves and positions of Quoridor. The lowest move numbers are those of steps, by
/// target cell. Those of horizontal walls follow, by post, and then those of vertical walls. A position is
/// the side to move; the walls left of White, then of Black, two bytes each; one byte per cell: 0 empty, 1
/// White's pawn, 2 Black's; one byte per post: 0 free, 1 a horizontal wall, 2 a vertical one.
pub(super) const QUORIDOR_ENCODING: GameEncoding<Quoridor> = GameEncoding {
    move_count: |game| to_move_number(count_cells(game) + 2 * count_posts(game)),
    number: |game, mv| match mv.kind() {
        MoveKind::Step(cell) => to_move_number(cell.row() * game.width + cell.file()),
        MoveKind::Wall(Wall { post, orientation }) => to_move_number(
            count_cells(game)
                + orientation.index() * count_posts(game)
                + post.row() * (game.width - 1)
                + post.file(),
        ),
    },
    mv: |game, number| {
        let (cells, posts) = (count_cells(game), count_posts(game));
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
        out.extend(Side::map_both(|side| game.walls_left[side].to_le_bytes()).concat());
        out.resize(base + count_cells(game) + count_posts(game), 0);
        let (cells, posts) = out[base..].split_at_mut(count_cells(game));
        for (side, mark) in Side::BOTH.into_iter().zip(1..) {
            let pawn = game.pawns[side];
            cells[pawn.row() * game.width + pawn.file()] = mark;
        }
        for Wall { post, orientation } in game.walls.all_walls() {
            posts[post.row() * (game.width - 1) + post.file()] = if orientation.index() == 0 { 1 } else { 2 };
        }
    },
};

fn count_cells(game: &Quoridor) -> usize {
    game.width * game.height
}

fn count_posts(game: &Quoridor) -> usize {
    (game.width - 1) * (game.height - 1)
}

fn to_move_number(index: usize) -> u16 {
    u16::try_from(index).expect("at most 625 cells and 1,152 walls")
}
