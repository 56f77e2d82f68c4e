//! Drawing of the board as marks on square tiles. This module does not depend on the terminal.

use super::{Cell, TicTacToe, cells_in_mask};
use crate::board::names::column_letter;
use crate::canvas::{PaintOptions, PaintRole};
use crate::drawing::{BoardSite, Scene, SceneShape, Tiling};
use crate::game::{Notation, Side};

/// Returns the scene of a position.
pub(super) fn build_tictactoe_scene(game: &TicTacToe, look: &PaintOptions<'_>) -> Scene {
    let length = game.size.cast_signed();
    let mut scene = Scene::new(Tiling::Squares { columns: length, rows: length, has_slots: false });
    scene.labels = [
        (0..game.size).map(|i| column_letter(i).to_string()).collect(),
        (0..game.size).map(|i| (i + 1).to_string()).collect(),
    ];
    let site = |cell: Cell| {
        let (row, column) = game.coordinates(cell);
        BoardSite::Cell(column.cast_signed(), row.cast_signed())
    };
    let place = |text: &str| game.parse(text).ok().map(site);
    scene.spots = cells_in_mask(game.board_mask()).map(|cell| (site(cell), game.format_move(cell))).collect();
    look.highlight_cursor(&mut scene, place);
    let won: Vec<BoardSite> = cells_in_mask(game.winning_line().unwrap_or(0)).map(site).collect();
    for &at in &won {
        scene.put_shape(
            at,
            SceneShape::Tile,
            game.winner.map_or(PaintRole::Plain, PaintRole::for_winning_piece),
        );
    }
    for side in Side::BOTH {
        for cell in cells_in_mask(game.stones(side)) {
            scene.put_shape(
                site(cell),
                [SceneShape::Cross, SceneShape::Ring][side.index()],
                PaintRole::for_piece(side),
            );
        }
    }
    if let (Some(winner), &[first, .., last]) = (game.winner, &*won) {
        scene.put_shape(first, SceneShape::Stroke(last), PaintRole::for_winning_piece(winner));
    }
    look.mark_tiles(&mut scene, place);
    // The winning line is marked by brackets, too.
    for &at in &won {
        scene.put_brackets(at, ['*', '*'], game.winner.map_or(PaintRole::Last, PaintRole::for_piece));
    }
    scene
}
