//! The board as marks on square tiles. Knows the rules' board, no terminal.

use super::{Cell, TicTacToe, cells};
use crate::board::names::letter;
use crate::canvas::{PaintOptions, Role};
use crate::drawing::{Scene, Shape, Site, Tiling};
use crate::game::{Notation, Side};

/// The position.
pub(super) fn scene(game: &TicTacToe, look: &PaintOptions<'_>) -> Scene {
    let length = game.size.cast_signed();
    let mut scene = Scene::new(Tiling::Squares { columns: length, rows: length, has_slots: false });
    scene.labels = [
        (0..game.size).map(|i| letter(i).to_string()).collect(),
        (0..game.size).map(|i| (i + 1).to_string()).collect(),
    ];
    let site = |cell: Cell| {
        let (row, column) = game.place(cell);
        Site::Cell(column.cast_signed(), row.cast_signed())
    };
    let place = |text: &str| game.parse(text).ok().map(site);
    scene.spots = cells(game.all_cells()).map(|cell| (site(cell), game.show(cell))).collect();
    look.light(&mut scene, place);
    let won: Vec<Site> = cells(game.won_line().unwrap_or(0)).map(site).collect();
    for &at in &won {
        scene.put(at, Shape::Tile, game.winner.map_or(Role::Plain, Role::won));
    }
    for side in Side::BOTH {
        for cell in cells(game.stones(side)) {
            scene.put(site(cell), [Shape::Cross, Shape::Ring][side.index()], Role::of(side));
        }
    }
    look.mark_tiles(&mut scene, place);
    // What has won is told by signs too.
    for &at in &won {
        scene.bracket(at, ['*', '*'], game.winner.map_or(Role::Last, Role::of));
    }
    scene
}
