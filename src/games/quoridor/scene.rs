//! The board as pawns on square tiles with walls between them. Knows the rules' board, no terminal.

use super::Quoridor;
use super::moves::{Cell, Move, MoveKind, Orientation, Wall};
use crate::board::names::letter;
use crate::canvas::{PaintOptions, Role};
use crate::drawing::{Scene, Shape, Site, Texture, Tiling};
use crate::game::{Game, Notation, Outcome, Side};

/// Layout of the board.
#[derive(Clone, Copy)]
struct Layout {
    files: usize,
    rows: usize,
    is_turned: bool,
}

impl Layout {
    fn site(self, cell: Cell) -> Site {
        let (file, row) = (cell.file(), self.rows - 1 - cell.row());
        let (file, row) =
            if self.is_turned { (self.files - 1 - file, self.rows - 1 - row) } else { (file, row) };
        Site::Cell(file.cast_signed(), row.cast_signed())
    }

    fn slot(self, Wall { post, orientation }: Wall) -> Site {
        let (file, row) = (post.file(), self.rows - 2 - post.row());
        let (file, row) =
            if self.is_turned { (self.files - 2 - file, self.rows - 2 - row) } else { (file, row) };
        Site::Slot {
            post: (file.cast_signed(), row.cast_signed()),
            is_upright: orientation == Orientation::Vertical,
        }
    }

    fn labels(self) -> [Vec<String>; 2] {
        let seen = |i: usize, count: usize| if self.is_turned { count - 1 - i } else { i };
        let files = (0..self.files).map(|i| letter(seen(i, self.files)).to_string());
        [files.collect(), (0..self.rows).map(|i| (self.rows - seen(i, self.rows)).to_string()).collect()]
    }
}

/// The position with these signs on its cells.
pub(super) fn scene(
    game: &Quoridor,
    look: &PaintOptions<'_>,
    signs: impl IntoIterator<Item = (Cell, char, Role)>,
) -> Scene {
    let layout = Layout { files: game.width(), rows: game.height(), is_turned: look.turned };
    let (columns, rows) = (layout.files.cast_signed(), layout.rows.cast_signed());
    let mut scene = Scene::new(Tiling::Squares { columns, rows, has_slots: true });
    let [top, bottom] = if look.turned { [Role::Second, Role::First] } else { [Role::First, Role::Second] };
    scene.rims = [top, Role::Plain, bottom, Role::Plain];
    scene.band_word = Some("goal");
    scene.labels = layout.labels();
    scene.has_letters_below = true;
    let read = |text: Option<&str>| text.and_then(|text| game.parse(text).ok());
    let (cursor, last, hint) = (read(look.cursor), read(look.last), read(look.hint));
    let place = |text: &str| match game.parse(text).ok()?.act() {
        MoveKind::Go(cell) => Some(layout.site(cell)),
        MoveKind::Build(wall) => Some(layout.slot(wall)),
    };
    spots(&mut scene, layout);
    scene.is_upright =
        cursor.and_then(Move::wall).is_some_and(|wall| wall.orientation == Orientation::Vertical);
    if cursor.is_some_and(|mv| mv.wall().is_none()) {
        look.light(&mut scene, place);
    }
    walls(game, &mut scene, layout, cursor, hint);
    let winner = game.outcome().and_then(Outcome::winner);
    for side in Side::BOTH {
        let at = layout.site(game.pawn(side));
        if winner == Some(side) {
            scene.put(at, Shape::Tile, Role::won(side));
        }
        scene.put(at, [Shape::PawnUp, Shape::PawnDown][side.index()], Role::of(side));
    }
    for (cell, sign, role) in signs {
        scene.mark(layout.site(cell), sign, role);
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
        scene.bracket(layout.site(game.pawn(side)), ['*', '*'], Role::Last);
    }
    scene
}

/// Puts the walls into the scene: those that stand, the one that is proposed and the one at the cursor.
fn walls(game: &Quoridor, scene: &mut Scene, layout: Layout, cursor: Option<Move>, hint: Option<Move>) {
    for (wall, owner) in game.walls() {
        let texture = [Texture::Solid, Texture::Dense][owner.index()];
        scene.put(layout.slot(wall), Shape::Wall(texture), Role::of(owner));
    }
    if let Some(wall) = hint.and_then(Move::wall) {
        scene.put(layout.slot(wall), Shape::Wall(Texture::Hint), Role::Hint);
    }
    if let Some(wall) = cursor.and_then(Move::wall) {
        let (texture, role) = if game.is_legal(wall.into()) {
            (Texture::Allowed, Role::Allowed)
        } else {
            (Texture::Refused, Role::Refused)
        };
        scene.put(layout.slot(wall), Shape::Wall(texture), role);
    }
}

/// Names the cells and the walls.
fn spots(scene: &mut Scene, layout: Layout) {
    let all = |files: usize, rows: usize| {
        (0..files).flat_map(move |file| (0..rows).filter_map(move |row| Cell::at(file, row)))
    };
    scene.spots.extend(all(layout.files, layout.rows).map(|cell| (layout.site(cell), cell.to_string())));
    for post in all(layout.files - 1, layout.rows - 1) {
        for orientation in Orientation::BOTH {
            let wall = Wall { post, orientation };
            scene.spots.push((layout.slot(wall), wall.to_string()));
        }
    }
}
