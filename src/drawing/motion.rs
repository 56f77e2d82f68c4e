//! Animation of a move: pictures between that of the position before and that of the position after.

use super::role::Role;
use super::scene::{Scene, SceneItem, Shape, Texture};

/// The pictures in which a wall slides in or a pawn hops, before the last one.
const LANDING: usize = 2;
/// The most pictures in which what has won lights up.
const LIGHTING: usize = 7;

/// The picture number `step` between two positions, from 0; `None` once the last position is to be seen as it is. There are at
/// most nine: a wall slides in, a stone lights up its tile, a pawn leaves its tile, and then what has won lights up.
#[must_use]
pub fn between(before: &Scene, after: &Scene, step: usize) -> Option<Scene> {
    let fresh: Vec<SceneItem> =
        after.items.iter().filter(|item| !before.items.contains(item)).copied().collect();
    let has = |wanted: fn(Shape) -> bool| fresh.iter().any(|item| wanted(item.shape));
    let landing = match () {
        () if has(is_wall) || has(is_pawn) => LANDING,
        () if has(is_stone) => 1,
        () => 0,
    };
    let won = after.items.iter().filter(|item| lights(item)).count();
    let lighting = won.min(LIGHTING);
    if step >= landing + lighting {
        return None;
    }
    let mut scene = after.clone();
    let lit = if step < landing { 0 } else { won * (step - landing + 1) / (lighting + 1) };
    let dark: Vec<SceneItem> = after.items.iter().filter(|item| lights(item)).skip(lit).copied().collect();
    scene.items.retain(|item| {
        let touches = |place| dark.iter().any(|other| other.at == place);
        match item.shape {
            Shape::Link(to) => !touches(item.at) && !touches(to),
            Shape::Stroke(_) => dark.is_empty(),
            _ => !dark.contains(item),
        }
    });
    if step < landing {
        land(&mut scene, before, &fresh, step);
    }
    Some(scene)
}

/// Shows what comes as far as it has come.
fn land(scene: &mut Scene, before: &Scene, fresh: &[SceneItem], step: usize) {
    for item in fresh {
        let Some(place) = scene.items.iter().position(|other| other == item) else { continue };
        let Some(side) = item.role.side() else { continue };
        let tile = SceneItem { shape: Shape::Tile, role: Role::won(side), ..*item };
        match item.shape {
            Shape::Wall(texture @ (Texture::Solid | Texture::Dense)) => {
                scene.items[place].shape = Shape::Slide(texture, step + 1);
            }
            Shape::Disc | Shape::Ring | Shape::Cross => scene.items[place] = tile,
            Shape::PawnUp | Shape::PawnDown => {
                let was =
                    before.items.iter().find(|other| (other.shape, other.role) == (item.shape, item.role));
                let Some(was) = was else { continue };
                // First the goal is lit, then the place that was left.
                let (pawn, lit) = if step == 0 { (was.at, item.at) } else { (item.at, was.at) };
                scene.items[place].at = pawn;
                scene.items.insert(0, SceneItem { at: lit, ..tile });
            }
            Shape::Wall(_) | Shape::Slide(..) | Shape::Tile | Shape::Link(_) | Shape::Stroke(_) => {}
        }
    }
}

fn is_wall(shape: Shape) -> bool {
    matches!(shape, Shape::Wall(Texture::Solid | Texture::Dense))
}

fn is_pawn(shape: Shape) -> bool {
    matches!(shape, Shape::PawnUp | Shape::PawnDown)
}

fn is_stone(shape: Shape) -> bool {
    matches!(shape, Shape::Disc | Shape::Ring | Shape::Cross)
}

/// Reports whether it is a tile that shows who has won.
fn lights(item: &SceneItem) -> bool {
    item.shape == Shape::Tile && matches!(item.role, Role::FirstWon | Role::SecondWon)
}
