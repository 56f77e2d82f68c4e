//! Drawing of the board as pieces on hexagonal tiles. This module does not depend on the terminal.

use super::{Cell, Hex, Move};
use crate::board::names::column_letter;
use crate::canvas::{PaintOptions, PaintRole};
use crate::drawing::{BoardSite, Scene, SceneShape, Tiling};
use crate::game::{Notation, Side};

/// Returns the scene of a position with these signs on its cells.
pub(super) fn build_hex_scene(
    game: &Hex,
    look: &PaintOptions<'_>,
    signs: impl IntoIterator<Item = (Cell, char, PaintRole)>,
    marked: impl Fn(&str) -> Option<Cell>,
) -> Scene {
    let size = game.size();
    let length = size.cast_signed();
    let mut scene = Scene::new(Tiling::Hexagons { columns: length, rows: length });
    scene.rims = [PaintRole::First, PaintRole::Second, PaintRole::First, PaintRole::Second];
    let seen = |i: usize| if look.turned { size - 1 - i } else { i };
    scene.labels = [
        (0..size).map(|i| column_letter(seen(i)).to_string()).collect(),
        (0..size).map(|i| (seen(i) + 1).to_string()).collect(),
    ];
    let place_of = |cell: Cell| {
        let cell = if look.turned { game.grid().rotated_180(cell) } else { cell };
        let (row, column) = game.grid().coordinates(cell);
        BoardSite::Cell(column.cast_signed(), row.cast_signed())
    };
    let place = |text: &str| marked(text).map(place_of);
    for cell in game.grid().cells() {
        let is_swap = game.can_swap() && game.stone_at(cell).is_some();
        scene.spots.push((place_of(cell), game.format_move(if is_swap { Move::Swap } else { cell.into() })));
    }
    look.highlight_cursor(&mut scene, place);
    let chain = game.winning_chain();
    let side_of = |cell: Cell| game.stone_at(cell).unwrap_or(Side::First);
    for &cell in &chain {
        scene.put_shape(place_of(cell), SceneShape::Tile, PaintRole::for_winning_piece(side_of(cell)));
    }
    for &cell in &chain {
        // Each pair of adjacent stones is linked once.
        let joined =
            game.grid().neighbours(cell).iter().filter(|&&other| other > cell && chain.contains(&other));
        for &other in joined {
            scene.put_shape(
                place_of(cell),
                SceneShape::Link(place_of(other)),
                PaintRole::for_winning_piece(side_of(cell)),
            );
        }
    }
    for cell in game.grid().cells() {
        if let Some(side) = game.stone_at(cell) {
            scene.put_shape(
                place_of(cell),
                [SceneShape::Disc, SceneShape::Ring][side.index()],
                PaintRole::for_piece(side),
            );
        }
    }
    for (cell, sign, role) in signs {
        scene.put_sign(place_of(cell), sign, role);
    }
    look.mark_tiles(&mut scene, place);
    scene
}
