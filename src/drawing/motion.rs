//! Move animation: frames between the position before a move and the position after it.

use super::role::PaintRole;
use super::scene::{Scene, SceneItem, SceneShape, WallTexture};

/// Number of frames in which a wall slides in or a pawn hops.
const LANDING_FRAMES: usize = 2;
/// Maximum number of frames in which a winning line lights up.
const MAX_WIN_LIGHTING_FRAMES: usize = 7;

/// Returns frame `step`, counted from 0, of the animation between two positions; `None` after the last frame.
/// There are at most nine frames: a wall slides in, a stone lights up its tile or a pawn moves, then a
/// winning line lights up.
#[must_use]
pub fn move_animation_frame(before: &Scene, after: &Scene, step: usize) -> Option<Scene> {
    let fresh: Vec<SceneItem> =
        after.items.iter().filter(|item| !before.items.contains(item)).copied().collect();
    let has = |wanted: fn(SceneShape) -> bool| fresh.iter().any(|item| wanted(item.shape));
    let landing = match () {
        () if has(is_built_wall) || has(is_pawn_shape) => LANDING_FRAMES,
        () if has(is_stone_shape) => 1,
        () => 0,
    };
    let won = after.items.iter().filter(|item| is_winning_tile(item)).count();
    let lighting = won.min(MAX_WIN_LIGHTING_FRAMES);
    if step >= landing + lighting {
        return None;
    }
    let mut scene = after.clone();
    let lit = if step < landing { 0 } else { won * (step - landing + 1) / (lighting + 1) };
    let dark: Vec<SceneItem> =
        after.items.iter().filter(|item| is_winning_tile(item)).skip(lit).copied().collect();
    scene.items.retain(|item| {
        let touches = |place| dark.iter().any(|other| other.at == place);
        match item.shape {
            SceneShape::Link(to) => !touches(item.at) && !touches(to),
            SceneShape::Stroke(_) => dark.is_empty(),
            _ => !dark.contains(item),
        }
    });
    if step < landing {
        draw_landing_frame(&mut scene, before, &fresh, step);
    }
    Some(scene)
}

/// Replaces the new pieces of a scene by their shapes in animation frame `step`.
fn draw_landing_frame(scene: &mut Scene, before: &Scene, fresh: &[SceneItem], step: usize) {
    for item in fresh {
        let Some(place) = scene.items.iter().position(|other| other == item) else { continue };
        let Some(side) = item.role.side() else { continue };
        let tile = SceneItem { shape: SceneShape::Tile, role: PaintRole::for_winning_piece(side), ..*item };
        match item.shape {
            SceneShape::Wall(texture @ (WallTexture::Solid | WallTexture::Dense)) => {
                scene.items[place].shape = SceneShape::Slide(texture, step + 1);
            }
            SceneShape::Disc | SceneShape::Ring | SceneShape::Cross => scene.items[place] = tile,
            SceneShape::PawnUp | SceneShape::PawnDown => {
                let was =
                    before.items.iter().find(|other| (other.shape, other.role) == (item.shape, item.role));
                let Some(was) = was else { continue };
                // The first frame lights up the destination, the second one the origin.
                let (pawn, lit) = if step == 0 { (was.at, item.at) } else { (item.at, was.at) };
                scene.items[place].at = pawn;
                scene.items.insert(0, SceneItem { at: lit, ..tile });
            }
            SceneShape::Wall(_)
            | SceneShape::Slide(..)
            | SceneShape::Tile
            | SceneShape::Link(_)
            | SceneShape::Stroke(_) => {}
        }
    }
}

/// Reports whether a shape is a wall that has been built.
fn is_built_wall(shape: SceneShape) -> bool {
    matches!(shape, SceneShape::Wall(WallTexture::Solid | WallTexture::Dense))
}

/// Reports whether a shape is a pawn.
fn is_pawn_shape(shape: SceneShape) -> bool {
    matches!(shape, SceneShape::PawnUp | SceneShape::PawnDown)
}

/// Reports whether a shape is a stone or a cross.
fn is_stone_shape(shape: SceneShape) -> bool {
    matches!(shape, SceneShape::Disc | SceneShape::Ring | SceneShape::Cross)
}

/// Reports whether an item is a tile of a winning line.
fn is_winning_tile(item: &SceneItem) -> bool {
    item.shape == SceneShape::Tile && matches!(item.role, PaintRole::FirstWon | PaintRole::SecondWon)
}
