//! The board in tiles: half-block pixels in the colours of the theme, and the moves that their
//! places mean.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Style;

use super::facts::Facts;
use super::frame::FrameContext;
use super::layout::number;
use super::painting;
use crate::canvas::{PaintOptions, Role};
use crate::drawing::{Hue, RasterCell, Scale, Scene, Shape, raster};

impl FrameContext<'_> {
    /// Returns the board as it is drawn in tiles now.
    pub fn scene(&self) -> Option<Scene> {
        let scene = self.resting_scene()?;
        Some(self.in_motion(&scene).unwrap_or(scene))
    }

    /// Returns the board with the engines' marks, when nothing moves.
    pub(super) fn resting_scene(&self) -> Option<Scene> {
        let shown = self.game.shown()?;
        let last = shown.last();
        let look = PaintOptions { last: last.as_deref(), ..painting::paint_options(self, shown, 0) };
        let mut scene = shown.drawn().scene(&look);
        for (text, mark, role) in self.marks() {
            let is_move = shown.is_legal(&text) && shown.named_moves().iter().all(|(name, _)| *name != text);
            let Some(at) = scene.find(&text).filter(|_| is_move || role != Role::Hint) else { continue };
            // A noted mark may lie on a piece; others never do, nor on the wall under the cursor.
            let is_free = |shape: Shape| matches!(shape, Shape::Tile | Shape::Link(_) | Shape::Stroke(_));
            if role == Role::Path || scene.items.iter().all(|item| item.at != at || is_free(item.shape)) {
                scene.mark(at, mark, role);
            }
        }
        Some(scene)
    }
}

/// Draws the board; returns the place of its cursor.
pub(super) fn draw(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, scale: Scale) -> Option<Position> {
    let (scene, shown) = (c.scene()?, c.game.shown()?);
    put_scene(c, buffer, area, (&scene, scale), shown.drawn().hues());
    let text = painting::focused(c)?;
    let (x, y) = scene.middle(scale, scene.find(&text)?);
    Some(Position { x: area.x + number(x), y: area.y + number(y) })
}

/// Puts a board into an area, in the colours of the theme; `hues` are those of the sides.
pub(super) fn put_scene(
    c: &FrameContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    (scene, scale): (&Scene, Scale),
    hues: [Hue; 2],
) {
    let Some(palette) = c.screen.looks.ink().palette() else { return };
    for (row, y) in raster(scene, scale).rows().zip(area.y..) {
        for (cell, x) in row.iter().zip(area.x..) {
            let Some(place) = buffer.cell_mut(Position { x, y }) else { continue };
            place.reset(); // drops its earlier contents
            let colour = |tint| palette.tint(tint, hues);
            match *cell {
                RasterCell::Pixels(upper, lower) if colour(upper) == colour(lower) => {
                    place.set_char(' ').set_bg(colour(upper));
                }
                RasterCell::Pixels(upper, lower) => {
                    place.set_char('▀').set_fg(colour(upper)).set_bg(colour(lower));
                }
                RasterCell::Glyph(sign, ink, behind) => {
                    let style = Style::new().fg(colour(ink)).bg(colour(behind));
                    place.set_char(sign).set_style(style.bold());
                }
            }
        }
    }
}

/// Returns the move that a place on the board means.
pub(super) fn hit(c: &FrameContext<'_>, area: Rect, scale: Scale, at: Position) -> Option<String> {
    let scene = c.scene()?;
    scene.hit(scale, (usize::from(at.x - area.x), usize::from(at.y - area.y))).map(str::to_owned)
}
