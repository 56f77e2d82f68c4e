//! Drawing of the board as pawns on square tiles with walls between them. This module does not depend on the
//! terminal.

use super::Quoridor;
use super::moves::{Cell, Move, MoveKind, Orientation, Wall};
use crate::board::names::column_letter;
use crate::canvas::{PaintOptions, PaintRole};
use crate::drawing::{BoardSite, Scene, SceneShape, Tiling, WallTexture};
use crate::game::{Game, Notation, Outcome, Side};

/// Size and orientation of the drawn board.
#[derive(Clone, Copy)]
struct QuoridorSceneLayout {
    files: usize,
    rows: usize,
    is_turned: bool,
}

impl QuoridorSceneLayout {
    fn cell_site(self, cell: Cell) -> BoardSite {
        let (file, row) = (cell.file(), self.rows - 1 - cell.row());
        let (file, row) =
            if self.is_turned { (self.files - 1 - file, self.rows - 1 - row) } else { (file, row) };
        BoardSite::Cell(file.cast_signed(), row.cast_signed())
    }

    fn wall_site(self, Wall { post, orientation }: Wall) -> BoardSite {
        let (file, row) = (post.file(), self.rows - 2 - post.row());
        let (file, row) =
            if self.is_turned { (self.files - 2 - file, self.rows - 2 - row) } else { (file, row) };
        BoardSite::Slot {
            post: (file.cast_signed(), row.cast_signed()),
            is_upright: orientation == Orientation::Vertical,
        }
    }

    fn axis_labels(self) -> [Vec<String>; 2] {
        let seen = |i: usize, count: usize| if self.is_turned { count - 1 - i } else { i };
        let files = (0..self.files).map(|i| column_letter(seen(i, self.files)).to_string());
        [files.collect(), (0..self.rows).map(|i| (self.rows - seen(i, self.rows)).to_string()).collect()]
    }
}

/// Returns the scene of a position with these signs on its cells.
pub(super) fn build_quoridor_scene(
    game: &Quoridor,
    look: &PaintOptions<'_>,
    signs: impl IntoIterator<Item = (Cell, char, PaintRole)>,
) -> Scene {
    let layout = QuoridorSceneLayout { files: game.width(), rows: game.height(), is_turned: look.turned };
    let (columns, rows) = (layout.files.cast_signed(), layout.rows.cast_signed());
    let mut scene = Scene::new(Tiling::Squares { columns, rows, has_slots: true });
    let [top, bottom] = if look.turned {
        [PaintRole::Second, PaintRole::First]
    } else {
        [PaintRole::First, PaintRole::Second]
    };
    scene.rims = [top, PaintRole::Plain, bottom, PaintRole::Plain];
    scene.band_word = Some("goal");
    scene.labels = layout.axis_labels();
    scene.has_letters_below = true;
    let read = |text: Option<&str>| text.and_then(|text| game.parse(text).ok());
    let (cursor, last, hint) = (read(look.cursor), read(look.last), read(look.hint));
    let place = |text: &str| match game.parse(text).ok()?.kind() {
        MoveKind::Step(cell) => Some(layout.cell_site(cell)),
        MoveKind::Wall(wall) => Some(layout.wall_site(wall)),
    };
    add_spots(&mut scene, layout);
    scene.is_upright =
        cursor.and_then(Move::wall).is_some_and(|wall| wall.orientation == Orientation::Vertical);
    if cursor.is_some_and(|mv| mv.wall().is_none()) {
        look.highlight_cursor(&mut scene, place);
    }
    add_walls(game, &mut scene, layout, cursor, hint);
    let winner = game.outcome().and_then(Outcome::winner);
    for side in Side::BOTH {
        let at = layout.cell_site(game.pawn(side));
        if winner == Some(side) {
            scene.put_shape(at, SceneShape::Tile, PaintRole::for_winning_piece(side));
        }
        scene.put_shape(
            at,
            [SceneShape::PawnUp, SceneShape::PawnDown][side.index()],
            PaintRole::for_piece(side),
        );
    }
    for (cell, sign, role) in signs {
        scene.put_sign(layout.cell_site(cell), sign, role);
    }
    let is_pawns = |mv: Option<Move>| mv.is_some_and(|mv| mv.wall().is_none());
    let look = PaintOptions {
        cursor: look.cursor.filter(|_| is_pawns(cursor)),
        hint: look.hint.filter(|_| is_pawns(hint)),
        last: look.last.filter(|_| last.is_some()),
        ..*look
    };
    look.mark_tiles(&mut scene, place);
    if let Some(side) = winner {
        scene.put_brackets(layout.cell_site(game.pawn(side)), ['*', '*'], PaintRole::Last);
    }
    scene
}

/// Adds the walls to the scene: those on the board, the hint and the one at the cursor.
fn add_walls(
    game: &Quoridor,
    scene: &mut Scene,
    layout: QuoridorSceneLayout,
    cursor: Option<Move>,
    hint: Option<Move>,
) {
    for (wall, owner) in game.walls() {
        let texture = [WallTexture::Solid, WallTexture::Dense][owner.index()];
        scene.put_shape(layout.wall_site(wall), SceneShape::Wall(texture), PaintRole::for_piece(owner));
    }
    if let Some(wall) = hint.and_then(Move::wall) {
        scene.put_shape(layout.wall_site(wall), SceneShape::Wall(WallTexture::Hint), PaintRole::Hint);
    }
    if let Some(wall) = cursor.and_then(Move::wall) {
        let (texture, role) = if game.is_legal(wall.into()) {
            (WallTexture::Allowed, PaintRole::Allowed)
        } else {
            (WallTexture::Refused, PaintRole::Refused)
        };
        scene.put_shape(layout.wall_site(wall), SceneShape::Wall(texture), role);
    }
}

/// Registers the cells and the walls by name.
fn add_spots(scene: &mut Scene, layout: QuoridorSceneLayout) {
    let all = |files: usize, rows: usize| {
        (0..files).flat_map(move |file| (0..rows).filter_map(move |row| Cell::at(file, row)))
    };
    scene.spots.extend(all(layout.files, layout.rows).map(|cell| (layout.cell_site(cell), cell.to_string())));
    for post in all(layout.files - 1, layout.rows - 1) {
        for orientation in Orientation::BOTH {
            let wall = Wall { post, orientation };
            scene.spots.push((layout.wall_site(wall), wall.to_string()));
        }
    }
}
