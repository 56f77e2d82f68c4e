//! The board as pieces on hexagonal tiles. Knows the rules' board, no terminal.

use super::{Cell, Hex, Move};
use crate::board::names::letter;
use crate::canvas::{PaintOptions, Role};
use crate::drawing::{Scene, Shape, Site, Tiling};
use crate::game::{Notation, Side};

/// The position with these signs on its cells.
pub(super) fn scene(
    game: &Hex,
    look: &PaintOptions<'_>,
    signs: impl IntoIterator<Item = (Cell, char, Role)>,
    marked: impl Fn(&str) -> Option<Cell>,
) -> Scene {
    let size = game.size();
    let length = size.cast_signed();
    let mut scene = Scene::new(Tiling::Hexagons { columns: length, rows: length });
    scene.rims = [Role::First, Role::Second, Role::First, Role::Second];
    let seen = |i: usize| if look.turned { size - 1 - i } else { i };
    scene.labels = [
        (0..size).map(|i| letter(seen(i)).to_string()).collect(),
        (0..size).map(|i| (seen(i) + 1).to_string()).collect(),
    ];
    let place_of = |cell: Cell| {
        let cell = if look.turned { game.grid().turned(cell) } else { cell };
        let (row, column) = game.grid().place(cell);
        Site::Cell(column.cast_signed(), row.cast_signed())
    };
    let place = |text: &str| marked(text).map(place_of);
    for cell in game.grid().cells() {
        let is_swap = game.can_swap() && game.stone(cell).is_some();
        scene.spots.push((place_of(cell), game.show(if is_swap { Move::Swap } else { cell.into() })));
    }
    look.light(&mut scene, place);
    let chain = game.winning_chain();
    let side_of = |cell: Cell| game.stone(cell).unwrap_or(Side::First);
    for &cell in &chain {
        scene.put(place_of(cell), Shape::Tile, Role::won(side_of(cell)));
    }
    for &cell in &chain {
        // Each link once.
        let joined =
            game.grid().neighbours(cell).iter().filter(|&&other| other > cell && chain.contains(&other));
        for &other in joined {
            scene.put(place_of(cell), Shape::Link(place_of(other)), Role::won(side_of(cell)));
        }
    }
    for cell in game.grid().cells() {
        if let Some(side) = game.stone(cell) {
            scene.put(place_of(cell), [Shape::Disc, Shape::Ring][side.index()], Role::of(side));
        }
    }
    for (cell, sign, role) in signs {
        scene.mark(place_of(cell), sign, role);
    }
    look.mark_tiles(&mut scene, place);
    scene
}
