//! Rasterizer of scenes: half-block pixels with characters over them, in tints that a theme maps to colours.

use super::role::PaintRole;
use super::scene::{Scene, SceneShape, SceneSign, SignPlace, WallTexture};
use super::tiling::{BoardSite, PixelOwner, PixelRect, Tiling, TilingScale};
use crate::game::Side;

/// Source of the colour of a pixel or character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// Background of the screen.
    Ground,
    /// Tile, in one of three shades (0 to 2). Shades 3 to 5 are the same three with less contrast.
    Tile(usize),
    /// Tile under the cursor.
    Lit,
    /// Tile of a winning line.
    Won(Side),
    /// Piece of a side, in one of three shades.
    Piece(Side, usize),
    /// Other item, in the colour of its role.
    Of(PaintRole),
}

/// Character cell of a raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RasterCell {
    /// Upper and lower pixel.
    Pixels(Tint, Tint),
    /// Character, its tint and the tint of its background.
    Glyph(char, Tint, Tint),
}

/// Rasterized board as rows of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    width: usize,
    cells: Vec<RasterCell>,
}

impl Raster {
    /// Returns the rows from top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = &[RasterCell]> {
        self.cells.chunks(self.width)
    }
}

/// Draws a scene at a scale.
#[must_use]
pub fn rasterize_scene(scene: &Scene, scale: TilingScale) -> Raster {
    let (width, height) = scene.size_in_characters(scale);
    let blank = RasterCell::Pixels(Tint::Ground, Tint::Ground);
    let raster = Raster { width, cells: vec![blank; width * height] };
    let mut painter = RasterPainter { scene, scale, raster };
    painter.paint_background();
    for item in &scene.items {
        painter.paint_item(item.at, item.shape, item.role);
    }
    painter.paint_band_words();
    painter.paint_labels();
    for sign in &scene.signs {
        if !painter.is_sign_crowded(sign) {
            painter.paint_sign(*sign);
        }
    }
    painter.raster
}

/// State of the rasterizer while it draws a scene.
struct RasterPainter<'s> {
    scene: &'s Scene,
    scale: TilingScale,
    raster: Raster,
}

impl RasterPainter<'_> {
    /// Returns the tiling of the scene.
    fn tiling(&self) -> Tiling {
        self.scene.tiling
    }

    /// Returns the shade of a site.
    fn site_shade(&self, site: BoardSite) -> usize {
        let (BoardSite::Cell(column, row) | BoardSite::Slot { post: (column, row), .. }) = site;
        self.tiling().cell_shade((column, row))
    }

    /// Returns the shade of an empty cell. The smallest hexagons look like stripes, so their shades have less
    /// contrast.
    fn empty_tile_shade(&self, site: BoardSite) -> usize {
        self.site_shade(site) + if self.has_smallest_hexagons() { 3 } else { 0 }
    }

    /// Reports whether the scene is drawn with the smallest hexagons.
    fn has_smallest_hexagons(&self) -> bool {
        self.scale.cell.0 == 2 && matches!(self.tiling(), Tiling::Hexagons { .. })
    }

    /// Returns the tint of an item with this role.
    fn role_tint(&self, site: BoardSite, role: PaintRole) -> Tint {
        let shade = if matches!(site, BoardSite::Cell(..)) { self.site_shade(site) } else { 2 };
        let shade = if matches!(self.tiling(), Tiling::Squares { .. }) { 2 } else { shade };
        match role {
            PaintRole::First => Tint::Piece(Side::First, shade),
            PaintRole::Second => Tint::Piece(Side::Second, shade),
            PaintRole::FirstWon => Tint::Piece(Side::First, 2),
            PaintRole::SecondWon => Tint::Piece(Side::Second, 2),
            PaintRole::Plain => Tint::Ground,
            role => Tint::Of(role),
        }
    }

    /// Returns the character cell at a position on the board; `y` counts rows of characters.
    fn cell_mut(&mut self, x: isize, y: isize) -> Option<&mut RasterCell> {
        let (x, y) = (x + self.scene.row_label_columns(), y + self.scene.rows_above_board());
        let width = self.raster.width.cast_signed();
        let is_inside = (0..width).contains(&x) && y >= 0;
        if is_inside { self.raster.cells.get_mut((y * width + x).cast_unsigned()) } else { None }
    }

    /// Sets the tint of one pixel.
    fn set_pixel(&mut self, (x, y): (isize, isize), tint: Tint) {
        let Some(cell) = self.cell_mut(x, y.div_euclid(2)) else { return };
        let (upper, lower) = match *cell {
            RasterCell::Pixels(upper, lower) => (upper, lower),
            RasterCell::Glyph(_, _, behind) => (behind, behind),
        };
        *cell = if y.rem_euclid(2) == 0 {
            RasterCell::Pixels(tint, lower)
        } else {
            RasterCell::Pixels(upper, tint)
        };
    }

    /// Paints the tiles and the bands around them.
    fn paint_background(&mut self) {
        let (width, height) = self.tiling().pixel_size(self.scale);
        for y in 0..height {
            for x in 0..width {
                let tint = match self.tiling().pixel_owner(self.scale, (x, y)) {
                    PixelOwner::Site(site @ BoardSite::Cell(..)) => Tint::Tile(self.empty_tile_shade(site)),
                    PixelOwner::Edge(rim) => match self.scene.rims[rim as usize] {
                        PaintRole::First => Tint::Piece(Side::First, 2),
                        PaintRole::Second => Tint::Piece(Side::Second, 2),
                        role => Tint::Of(role),
                    },
                    _ => continue,
                };
                self.set_pixel((x, y), tint);
            }
        }
        if self.has_smallest_hexagons() {
            self.paint_cell_dots();
        }
    }

    /// Paints a dot on each of the smallest hexagons, where its stone would be; otherwise cells could not be
    /// counted.
    fn paint_cell_dots(&mut self) {
        let Tiling::Hexagons { columns, rows } = self.tiling() else { return };
        let sites = (0..rows).flat_map(|row| (0..columns).map(move |column| BoardSite::Cell(column, row)));
        for site in sites {
            let (x, y) = self.stone_character_position(site);
            let behind = Tint::Tile(self.empty_tile_shade(site));
            if let Some(cell) = self.cell_mut(x, y) {
                *cell = RasterCell::Glyph('·', Tint::Of(PaintRole::Frame), behind);
            }
        }
    }

    /// Returns the position of the stone's character on one of the smallest hexagons. The character to its
    /// left is free for a sign.
    fn stone_character_position(&self, site: BoardSite) -> (isize, isize) {
        let (BoardSite::Cell(column, row) | BoardSite::Slot { post: (column, row), .. }) = site;
        let (x, y) = self.tiling().cell_centre(self.scale, (column, row));
        (x + 1, y.div_euclid(2))
    }

    /// Paints one item of the scene.
    fn paint_item(&mut self, at: BoardSite, shape: SceneShape, role: PaintRole) {
        let tint = self.role_tint(at, role);
        let tint = match (shape, role) {
            (SceneShape::Tile, PaintRole::Cursor) => Tint::Lit,
            (SceneShape::Tile, PaintRole::FirstWon) => Tint::Won(Side::First),
            (SceneShape::Tile, PaintRole::SecondWon) => Tint::Won(Side::Second),
            _ => tint,
        };
        match shape {
            SceneShape::Wall(texture) => self.paint_wall(at, texture, tint, 3),
            SceneShape::Slide(texture, thirds) => self.paint_wall(at, texture, tint, thirds),
            // A link is a third of a cell wide and stays clear of pieces; a stroke is an eighth wide.
            SceneShape::Link(to) => self.paint_stroke((at, to), tint, 17, 38),
            SceneShape::Stroke(to) if self.piece_size() >= 6 => self.paint_stroke((at, to), tint, 6, -1),
            SceneShape::Stroke(_) => {}
            _ if self.paint_glyph_piece(at, shape, tint) => {}
            _ => {
                for (x, y) in area_pixels(self.tiling().site_rect(self.scale, at)) {
                    if self.tiling().pixel_owner(self.scale, (x, y)) == PixelOwner::Site(at)
                        && self.shape_covers_pixel(at, shape, (x, y))
                    {
                        self.set_pixel((x, y), tint);
                    }
                }
            }
        }
    }

    /// Returns the width, in pixels, that determines the size of round pieces.
    fn piece_size(&self) -> isize {
        let (width, height) = self.scale.cell;
        if matches!(self.tiling(), Tiling::Hexagons { .. }) { width } else { width.min(height) }
    }

    /// Returns the offset of a pixel from the centre of a cell, in half pixels.
    fn doubled_offset_from_centre(&self, at: BoardSite, (x, y): (isize, isize)) -> (isize, isize) {
        let (BoardSite::Cell(column, row) | BoardSite::Slot { post: (column, row), .. }) = at;
        let (_, middle) = self.tiling().cell_centre(self.scale, (column, row));
        let area = self.tiling().site_rect(self.scale, BoardSite::Cell(column, row));
        let down = match self.tiling() {
            Tiling::Hexagons { .. } => 2 * (y - middle),
            Tiling::Squares { .. } => 2 * (y - area.top) + 1 - area.height,
        };
        (2 * (x - area.left) + 1 - area.width, down)
    }

    /// Reports whether a pixel lies within a radius, in hundredths of a pixel, around the centre of a cell.
    fn is_within_radius(&self, at: BoardSite, pixel: (isize, isize), radius: isize) -> bool {
        let (x, y) = self.doubled_offset_from_centre(at, pixel);
        (x * x + y * y) * 2500 <= radius * radius
    }

    /// Returns the radius of a stone in hundredths of a pixel. Hexagons are wider than high.
    fn stone_radius(&self) -> isize {
        let share = if matches!(self.tiling(), Tiling::Hexagons { .. }) { 41 } else { 42 };
        share * self.piece_size()
    }

    /// Reports whether a shape on a site covers a pixel.
    fn shape_covers_pixel(&self, at: BoardSite, shape: SceneShape, pixel: (isize, isize)) -> bool {
        let size = self.piece_size();
        // The lines of rings and crosses are a sixth of a cell thick.
        let thick = (size * 100 / 6).max(90);
        let (x, y) = self.doubled_offset_from_centre(at, pixel);
        let is_in_pawn = |from_top: isize| {
            // A pawn is a third as wide at its top as at its foot. Hundredths of a pixel.
            let height = self.scale.cell.1;
            let down = 100 * (from_top + height) / (2 * height);
            let breadth = if down >= 75 { 100 } else { 30 + 60 * down / 100 };
            let half = 40 * size.max(5) * breadth / 100;
            50 * x.abs() <= half && 100 * y.abs() <= 80 * height
        };
        match shape {
            SceneShape::Disc => self.is_within_radius(at, pixel, self.stone_radius()),
            SceneShape::Ring => {
                self.is_within_radius(at, pixel, self.stone_radius())
                    && !self.is_within_radius(at, pixel, self.stone_radius() - thick)
            }
            SceneShape::Cross => {
                let is_on_stroke = (x.abs() - y.abs()).abs() * 10_000 <= 141 * thick;
                is_on_stroke && 100 * x.abs().max(y.abs()) <= 2 * 42 * size
            }
            SceneShape::PawnUp => is_in_pawn(y),
            SceneShape::PawnDown => is_in_pawn(-y),
            SceneShape::Tile
            | SceneShape::Wall(_)
            | SceneShape::Slide(..)
            | SceneShape::Link(_)
            | SceneShape::Stroke(_) => true,
        }
    }

    /// Draws a piece with characters if its cell has too few pixels for the shape; reports whether it did.
    fn paint_glyph_piece(&mut self, at: BoardSite, shape: SceneShape, tint: Tint) -> bool {
        let BoardSite::Cell(column, row) = at else { return false };
        let is_hexagon = matches!(self.tiling(), Tiling::Hexagons { .. });
        let rows: &[&str] = match (shape, is_hexagon, self.scale.cell) {
            (SceneShape::Disc, true, (2, _)) => &[" ●"],
            (SceneShape::Ring, true, (2, _)) => &[" ○"],
            (SceneShape::Disc, true, (4, _)) => &["▗██▖", "▝██▘"],
            (SceneShape::Ring, true, (4, _)) => &["▗▀▀▖", "▝▄▄▘"],
            (SceneShape::Cross, false, (_, 2)) => &["><"],
            (SceneShape::Ring | SceneShape::Disc, false, (_, 2)) => &["()"],
            (SceneShape::PawnUp, false, (_, 2)) => &["▲ "],
            (SceneShape::PawnDown, false, (_, 2)) => &["▼ "],
            (SceneShape::PawnUp, false, (_, 4)) => &["▗██▖", "▟██▙"],
            (SceneShape::PawnDown, false, (_, 4)) => &["▜██▛", "▝██▘"],
            (SceneShape::PawnUp, false, (_, 6)) => &["▄▄", "▟██▙", "▗████▖"],
            (SceneShape::PawnDown, false, (_, 6)) => &["▝████▘", "▜██▛", "▀▀"],
            _ => return false,
        };
        let (x, y) = self.tiling().cell_centre(self.scale, (column, row));
        let ground = match self.cell_mut(x, y.div_euclid(2)) {
            Some(RasterCell::Pixels(upper, _)) => *upper,
            _ => Tint::Tile(self.empty_tile_shade(at)),
        };
        let top = if is_hexagon { y } else { self.tiling().site_rect(self.scale, at).top };
        for (text, y) in rows.iter().zip(top.div_euclid(2)..) {
            let left = x + 1 - text.chars().count().cast_signed() / 2;
            for (sign, x) in text.chars().zip(left..) {
                if let Some(cell) = self.cell_mut(x, y) {
                    match sign {
                        ' ' => {} // the sign beside the smallest stones goes here
                        '█' => *cell = RasterCell::Pixels(tint, tint),
                        sign => *cell = RasterCell::Glyph(sign, tint, ground),
                    }
                }
            }
        }
        true
    }

    /// Fills the first `thirds` thirds of a wall's gap. A preview of a wall does not cover a built wall.
    fn paint_wall(&mut self, at: BoardSite, texture: WallTexture, tint: Tint, thirds: usize) {
        let PixelRect { left, top, mut width, mut height } = self.tiling().site_rect(self.scale, at);
        let length = if height > width { &mut height } else { &mut width };
        *length = *length * thirds.cast_signed() / 3;
        for y in (top..top + height).step_by(2).map(|y| y / 2) {
            for x in left..left + width {
                let Some(cell) = self.cell_mut(x, y) else { continue };
                let is_built = matches!(cell, RasterCell::Glyph(_, Tint::Piece(..), _));
                if !is_built || matches!(texture, WallTexture::Solid | WallTexture::Dense) {
                    *cell = RasterCell::Glyph(texture.fill_glyph(), tint, Tint::Ground);
                }
            }
        }
    }

    /// Draws a stroke between the centres of two sites. `thick` is half its width, `away` its distance from
    /// both centres, in hundredths of a cell.
    fn paint_stroke(&mut self, (from, to): (BoardSite, BoardSite), tint: Tint, thick: isize, away: isize) {
        let [one, other] = [from, to].map(|site| self.tiling().site_rect(self.scale, site));
        let both = PixelRect {
            left: one.left.min(other.left),
            top: one.top.min(other.top),
            width: one.left.abs_diff(other.left).cast_signed() + one.width,
            height: one.top.abs_diff(other.top).cast_signed() + one.height,
        };
        let (thick, size) = (self.piece_size() * thick, self.piece_size());
        for pixel in area_pixels(both) {
            let ((ax, ay), (bx, by)) =
                (self.doubled_offset_from_centre(from, pixel), self.doubled_offset_from_centre(to, pixel));
            let (dx, dy) = (ax - bx, ay - by);
            // The pixel is between both centres, and at most half the width away from their line.
            let (along, length) = (ax * dx + ay * dy, dx * dx + dy * dy);
            let beside = ax * dy - ay * dx;
            let is_near = beside * beside * 2500 <= thick * thick * length;
            let is_free =
                away < 0 || [from, to].iter().all(|&at| !self.is_within_radius(at, pixel, away * size));
            if is_near && (0..=length).contains(&along) && is_free {
                self.set_pixel(pixel, tint);
            }
        }
    }

    /// Writes the band word into the middle of the upper and lower bands.
    fn paint_band_words(&mut self) {
        let Some(word) = self.scene.band_word.map(|word| format!(" {word} ")) else { return };
        let (width, height) = self.tiling().pixel_size(self.scale);
        let left = (width - word.chars().count().cast_signed()) / 2;
        let [above, _, below, _] = self.scene.rims;
        for (role, y) in [(above, 0), (below, height / 2 - 1)] {
            for (sign, x) in word.chars().zip(left.max(0)..) {
                if let (Some(side), Some(cell)) = (role.side(), self.cell_mut(x, y)) {
                    *cell = RasterCell::Glyph(sign, Tint::Piece(side, 2), Tint::Ground);
                }
            }
        }
    }

    /// Writes the coordinate labels.
    fn paint_labels(&mut self) {
        let scene = self.scene;
        let [columns, rows] = &scene.labels;
        let (_, height) = self.tiling().pixel_size(self.scale);
        let y = if scene.has_letters_below { height / 2 } else { -1 };
        for (label, column) in columns.iter().zip(0..) {
            let (x, _) = self.tiling().cell_centre(self.scale, (column, 0));
            self.write_label(x, y, label);
        }
        for (label, row) in rows.iter().zip(0..) {
            let (_, y) = self.tiling().cell_centre(self.scale, (0, row));
            let first = self.tiling().site_rect(self.scale, BoardSite::Cell(0, row)).left;
            let left = if matches!(self.tiling(), Tiling::Hexagons { .. }) {
                first - super::tiling::band_thickness(self.scale)
            } else {
                first
            };
            let x = (left - 1 - label.chars().count().cast_signed()).max(-scene.row_label_columns());
            self.write_label(x, y.div_euclid(2), label);
        }
    }

    /// Writes a label at a position.
    fn write_label(&mut self, x: isize, y: isize, text: &str) {
        for (sign, x) in text.chars().zip(x..) {
            if let Some(cell) = self.cell_mut(x, y) {
                *cell = RasterCell::Glyph(sign, Tint::Of(PaintRole::Label), Tint::Ground);
            }
        }
    }

    /// Reports whether a small piece already has brackets around it, so that another sign would make it
    /// unreadable.
    fn is_sign_crowded(&self, sign: &SceneSign) -> bool {
        let is_bracket = |other: &SceneSign| matches!(other.sign, SignPlace::Sides(_)) && other.at == sign.at;
        sign.role == PaintRole::Last && self.scale.cell.0 == 4 && self.scene.signs.iter().any(is_bracket)
    }

    /// Paints a sign over the scene.
    fn paint_sign(&mut self, SceneSign { at, sign, role }: SceneSign) {
        let (x, y) = self.scene.site_centre(self.scale, at);
        let (x, y) = (
            x.cast_signed() - self.scene.row_label_columns(),
            y.cast_signed() - self.scene.rows_above_board(),
        );
        let PixelRect { left, width, .. } = self.tiling().site_rect(self.scale, at);
        match sign {
            SignPlace::Middle(sign) if self.has_smallest_hexagons() => {
                let (right, y) = self.stone_character_position(at);
                match self.cell_mut(right, y).map(|cell| *cell) {
                    // The last stone changes its own shape.
                    Some(RasterCell::Glyph(stone @ ('●' | '○'), ink, behind)) if role == PaintRole::Last =>
                    {
                        let sign = if stone == '●' { '◆' } else { '◇' };
                        self.cell_mut(right, y)
                            .into_iter()
                            .for_each(|cell| *cell = RasterCell::Glyph(sign, ink, behind));
                    }
                    Some(RasterCell::Glyph('●' | '○' | '◆' | '◇', ..)) => {
                        self.paint_glyph_over(x, y, sign, role);
                    }
                    _ => self.paint_glyph_over(right, y, sign, role),
                }
            }
            SignPlace::Middle(sign) => {
                // A sign does not cover a piece that is one row of characters high.
                let is_low = self.scale.cell.1 == 2 && matches!(self.tiling(), Tiling::Squares { .. });
                let is_piece = matches!(
                    self.cell_mut(x, y),
                    Some(RasterCell::Glyph(_, Tint::Piece(..), Tint::Tile(_) | Tint::Lit | Tint::Won(_)))
                );
                let x = if is_low && is_piece { left + width - 1 } else { x };
                self.paint_glyph_over(x, y, sign, role);
            }
            SignPlace::Sides([one, other]) => {
                // In wide cells the brackets move inwards; the smallest hexagons share one column.
                let inset = if width >= 8 { width / 8 } else { 0 };
                let right = if self.has_smallest_hexagons() { left + 2 } else { left + width - 1 - inset };
                self.paint_glyph_over(left + inset, y, one, role);
                self.paint_glyph_over(right, y, other, role);
            }
        }
    }

    /// Paints a character over a cell; on a piece it has the background colour.
    fn paint_glyph_over(&mut self, x: isize, y: isize, sign: char, role: PaintRole) {
        let tint = self.role_tint(BoardSite::Slot { post: (0, 0), is_upright: false }, role);
        let Some(cell) = self.cell_mut(x, y) else { return };
        let behind = match *cell {
            RasterCell::Pixels(_, lower @ Tint::Piece(..)) => lower,
            RasterCell::Pixels(upper, _) => upper,
            // The smallest stones keep their colour.
            RasterCell::Glyph('█' | '▓' | '●' | '○' | '◆' | '◇', ink, _) => ink,
            RasterCell::Glyph(_, _, behind) => behind,
        };
        let ink = if matches!(behind, Tint::Piece(..)) { Tint::Ground } else { tint };
        *cell = RasterCell::Glyph(sign, ink, behind);
    }
}

/// Returns all pixels of a rectangle.
fn area_pixels(PixelRect { left, top, width, height }: PixelRect) -> impl Iterator<Item = (isize, isize)> {
    (top..top + height).flat_map(move |y| (left..left + width).map(move |x| (x, y)))
}
