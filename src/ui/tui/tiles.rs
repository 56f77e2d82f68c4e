//! Draws the board in tiles of half-block characters in the theme's colours, and finds the moves at
//! screen positions on it.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Style;

use super::facts::MatchFacts;
use super::frame::FrameContext;
use super::layout::to_u16_saturating;
use super::painting;
use crate::canvas::{PaintOptions, PaintRole};
use crate::drawing::{Hue, RasterCell, Scene, SceneShape, TilingScale, rasterize_scene};

impl FrameContext<'_> {
    /// Returns the scene of the board in tiles, with the animation of a move if one is running.
    pub fn board_scene(&self) -> Option<Scene> {
        let scene = self.board_scene_at_rest()?;
        Some(self.animate_scene(&scene).unwrap_or(scene))
    }

    /// Returns the scene of the board with its marks, without animation.
    pub(super) fn board_scene_at_rest(&self) -> Option<Scene> {
        let shown = self.game.shown_position()?;
        let last = shown.last_move();
        let look = PaintOptions { last: last.as_deref(), ..painting::paint_options(self, shown, 0) };
        let mut scene = shown.as_paint().scene(&look);
        for (text, mark, role) in self.board_marks() {
            let is_move = shown.is_legal(&text) && shown.named_moves().iter().all(|(name, _)| *name != text);
            let Some(at) = scene.find_site(&text).filter(|_| is_move || role != PaintRole::Hint) else {
                continue;
            };
            // A noted mark may lie on a piece. Other marks lie only on free places, and not on the
            // wall under the cursor.
            let is_free = |shape: SceneShape| {
                matches!(shape, SceneShape::Tile | SceneShape::Link(_) | SceneShape::Stroke(_))
            };
            if role == PaintRole::Path || scene.items.iter().all(|item| item.at != at || is_free(item.shape))
            {
                scene.put_sign(at, mark, role);
            }
        }
        Some(scene)
    }
}

/// Draws the board in tiles and returns the position of its cursor.
pub(super) fn draw_tiled_board(
    c: &FrameContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    scale: TilingScale,
) -> Option<Position> {
    let (scene, shown) = (c.board_scene()?, c.game.shown_position()?);
    draw_scene(c, buffer, area, (&scene, scale), shown.as_paint().side_hues());
    let text = painting::move_under_cursor(c)?;
    let (x, y) = scene.site_centre(scale, scene.find_site(&text)?);
    Some(Position { x: area.x + to_u16_saturating(x), y: area.y + to_u16_saturating(y) })
}

/// Draws a scene into an area in the theme's colours, where `hues` are those of First and Second.
pub(super) fn draw_scene(
    c: &FrameContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    (scene, scale): (&Scene, TilingScale),
    hues: [Hue; 2],
) {
    let Some(palette) = c.screen.looks.terminal_theme().palette() else { return };
    for (row, y) in rasterize_scene(scene, scale).rows().zip(area.y..) {
        for (cell, x) in row.iter().zip(area.x..) {
            let Some(place) = buffer.cell_mut(Position { x, y }) else { continue };
            place.reset(); // drops its earlier contents
            let colour = |tint| palette.tint_colour(tint, hues);
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

/// Returns the move of the cell or wall slot at a screen position.
pub(super) fn move_at_tile(
    c: &FrameContext<'_>,
    area: Rect,
    scale: TilingScale,
    at: Position,
) -> Option<String> {
    let scene = c.board_scene()?;
    scene.move_at(scale, (usize::from(at.x - area.x), usize::from(at.y - area.y))).map(str::to_owned)
}
