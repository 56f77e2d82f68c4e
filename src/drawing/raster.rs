//! A scene as half-block pixels with characters over them, in tints; a theme makes colours of those.

use super::role::Role;
use super::scene::{Scene, Shape, Sign, SignPlace, Texture};
use super::tiling::{Area, Owner, Scale, Site, Tiling};
use crate::game::Side;

/// Where a pixel or a character gets its colour from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// The ground of the screen.
    Ground,
    /// A tile, in one of three shades; from 3 on the same three, closer to each other.
    Tile(usize),
    /// The tile under the cursor.
    Lit,
    /// A tile with a piece that has won.
    Won(Side),
    /// A piece of a side, in one of three shades.
    Piece(Side, usize),
    /// Anything else that has a role.
    Of(Role),
}

/// One character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RasterCell {
    /// An upper and a lower pixel.
    Pixels(Tint, Tint),
    /// A character, its colour and that behind it.
    Glyph(char, Tint, Tint),
}

/// A board as rows of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    width: usize,
    cells: Vec<RasterCell>,
}

impl Raster {
    /// The rows from top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = &[RasterCell]> {
        self.cells.chunks(self.width)
    }
}

/// Draws a scene.
#[must_use]
pub fn raster(scene: &Scene, scale: Scale) -> Raster {
    let (width, height) = scene.size(scale);
    let blank = RasterCell::Pixels(Tint::Ground, Tint::Ground);
    let raster = Raster { width, cells: vec![blank; width * height] };
    let mut painter = Painter { scene, scale, raster };
    painter.ground();
    for item in &scene.items {
        painter.item(item.at, item.shape, item.role);
    }
    painter.name_bands();
    painter.labels();
    for sign in &scene.signs {
        if !painter.is_crowded(sign) {
            painter.sign(*sign);
        }
    }
    painter.raster
}

struct Painter<'s> {
    scene: &'s Scene,
    scale: Scale,
    raster: Raster,
}

impl Painter<'_> {
    fn tiling(&self) -> Tiling {
        self.scene.tiling
    }

    fn shade(&self, site: Site) -> usize {
        let (Site::Cell(column, row) | Site::Slot { post: (column, row), .. }) = site;
        self.tiling().shade((column, row))
    }

    /// The shade of an empty cell: on the smallest hexagons, which look like stripes, the shades are closer.
    fn tile_shade(&self, site: Site) -> usize {
        self.shade(site) + if self.has_smallest_hexagons() { 3 } else { 0 }
    }

    fn has_smallest_hexagons(&self) -> bool {
        self.scale.cell.0 == 2 && matches!(self.tiling(), Tiling::Hexagons { .. })
    }

    /// The tint of something that stands for a role.
    fn tint(&self, site: Site, role: Role) -> Tint {
        let shade = if matches!(site, Site::Cell(..)) { self.shade(site) } else { 2 };
        let shade = if matches!(self.tiling(), Tiling::Squares { .. }) { 2 } else { shade };
        match role {
            Role::First => Tint::Piece(Side::First, shade),
            Role::Second => Tint::Piece(Side::Second, shade),
            Role::FirstWon => Tint::Piece(Side::First, 2),
            Role::SecondWon => Tint::Piece(Side::Second, 2),
            Role::Plain => Tint::Ground,
            role => Tint::Of(role),
        }
    }

    /// The character at a place of the board; `y` counts rows of characters.
    fn cell(&mut self, x: isize, y: isize) -> Option<&mut RasterCell> {
        let (x, y) = (x + self.scene.margin(), y + self.scene.top());
        let width = self.raster.width.cast_signed();
        let is_inside = (0..width).contains(&x) && y >= 0;
        if is_inside { self.raster.cells.get_mut((y * width + x).cast_unsigned()) } else { None }
    }

    fn pixel(&mut self, (x, y): (isize, isize), tint: Tint) {
        let Some(cell) = self.cell(x, y.div_euclid(2)) else { return };
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

    /// The tiles and the bands around them.
    fn ground(&mut self) {
        let (width, height) = self.tiling().size(self.scale);
        for y in 0..height {
            for x in 0..width {
                let tint = match self.tiling().owner(self.scale, (x, y)) {
                    Owner::Site(site @ Site::Cell(..)) => Tint::Tile(self.tile_shade(site)),
                    Owner::Edge(rim) => match self.scene.rims[rim as usize] {
                        Role::First => Tint::Piece(Side::First, 2),
                        Role::Second => Tint::Piece(Side::Second, 2),
                        role => Tint::Of(role),
                    },
                    _ => continue,
                };
                self.pixel((x, y), tint);
            }
        }
        if self.has_smallest_hexagons() {
            self.dots();
        }
    }

    /// A dot where the stone of each cell would stand: the smallest hexagons could not be counted otherwise.
    fn dots(&mut self) {
        let Tiling::Hexagons { columns, rows } = self.tiling() else { return };
        let sites = (0..rows).flat_map(|row| (0..columns).map(move |column| Site::Cell(column, row)));
        for site in sites {
            let (x, y) = self.stone(site);
            let behind = Tint::Tile(self.tile_shade(site));
            if let Some(cell) = self.cell(x, y) {
                *cell = RasterCell::Glyph('·', Tint::Of(Role::Frame), behind);
            }
        }
    }

    /// The character of the stone on one of the smallest hexagons; the one before it is free for a sign.
    fn stone(&self, site: Site) -> (isize, isize) {
        let (Site::Cell(column, row) | Site::Slot { post: (column, row), .. }) = site;
        let (x, y) = self.tiling().centre(self.scale, (column, row));
        (x + 1, y.div_euclid(2))
    }

    fn item(&mut self, at: Site, shape: Shape, role: Role) {
        let tint = self.tint(at, role);
        let tint = match (shape, role) {
            (Shape::Tile, Role::Cursor) => Tint::Lit,
            (Shape::Tile, Role::FirstWon) => Tint::Won(Side::First),
            (Shape::Tile, Role::SecondWon) => Tint::Won(Side::Second),
            _ => tint,
        };
        match shape {
            Shape::Wall(texture) => self.wall(at, texture, tint, 3),
            Shape::Slide(texture, thirds) => self.wall(at, texture, tint, thirds),
            // Half of a third of a cell to each side of the middle, where no piece covers it; or half of an eighth.
            Shape::Link(to) => self.stroke((at, to), tint, 17, 38),
            Shape::Stroke(to) if self.measure() >= 6 => self.stroke((at, to), tint, 6, -1),
            Shape::Stroke(_) => {}
            _ if self.stamp(at, shape, tint) => {}
            _ => {
                for (x, y) in pixels(self.tiling().area(self.scale, at)) {
                    if self.tiling().owner(self.scale, (x, y)) == Owner::Site(at)
                        && self.covers(at, shape, (x, y))
                    {
                        self.pixel((x, y), tint);
                    }
                }
            }
        }
    }

    /// The width and height that round pieces are measured by.
    fn measure(&self) -> isize {
        let (width, height) = self.scale.cell;
        if matches!(self.tiling(), Tiling::Hexagons { .. }) { width } else { width.min(height) }
    }

    /// Twice the distance of a pixel from the middle of a cell.
    fn offset(&self, at: Site, (x, y): (isize, isize)) -> (isize, isize) {
        let (Site::Cell(column, row) | Site::Slot { post: (column, row), .. }) = at;
        let (_, middle) = self.tiling().centre(self.scale, (column, row));
        let area = self.tiling().area(self.scale, Site::Cell(column, row));
        let down = match self.tiling() {
            Tiling::Hexagons { .. } => 2 * (y - middle),
            Tiling::Squares { .. } => 2 * (y - area.top) + 1 - area.height,
        };
        (2 * (x - area.left) + 1 - area.width, down)
    }

    /// Reports whether a pixel lies within a radius, in hundredths of a pixel, around the middle of a cell.
    fn is_within(&self, at: Site, pixel: (isize, isize), radius: isize) -> bool {
        let (x, y) = self.offset(at, pixel);
        (x * x + y * y) * 2500 <= radius * radius
    }

    /// The radius of a stone in hundredths of a pixel; hexagons are wider than they are high.
    fn radius(&self) -> isize {
        let share = if matches!(self.tiling(), Tiling::Hexagons { .. }) { 41 } else { 42 };
        share * self.measure()
    }

    fn covers(&self, at: Site, shape: Shape, pixel: (isize, isize)) -> bool {
        let size = self.measure();
        // Strokes are as thick as a sixth of a cell.
        let thick = (size * 100 / 6).max(90);
        let (x, y) = self.offset(at, pixel);
        let is_in_pawn = |from_top: isize| {
            // A third of its foot at the top, and a step above the foot; all in hundredths of a pixel.
            let height = self.scale.cell.1;
            let down = 100 * (from_top + height) / (2 * height);
            let breadth = if down >= 75 { 100 } else { 30 + 60 * down / 100 };
            let half = 40 * size.max(5) * breadth / 100;
            50 * x.abs() <= half && 100 * y.abs() <= 80 * height
        };
        match shape {
            Shape::Disc => self.is_within(at, pixel, self.radius()),
            Shape::Ring => {
                self.is_within(at, pixel, self.radius()) && !self.is_within(at, pixel, self.radius() - thick)
            }
            Shape::Cross => {
                let is_on_stroke = (x.abs() - y.abs()).abs() * 10_000 <= 141 * thick;
                is_on_stroke && 100 * x.abs().max(y.abs()) <= 2 * 42 * size
            }
            Shape::PawnUp => is_in_pawn(y),
            Shape::PawnDown => is_in_pawn(-y),
            Shape::Tile | Shape::Wall(_) | Shape::Slide(..) | Shape::Link(_) | Shape::Stroke(_) => true,
        }
    }

    /// Draws a piece that has too few pixels for its shape in characters; reports whether it has.
    fn stamp(&mut self, at: Site, shape: Shape, tint: Tint) -> bool {
        let Site::Cell(column, row) = at else { return false };
        let is_hexagon = matches!(self.tiling(), Tiling::Hexagons { .. });
        let rows: &[&str] = match (shape, is_hexagon, self.scale.cell) {
            (Shape::Disc, true, (2, _)) => &[" ●"],
            (Shape::Ring, true, (2, _)) => &[" ○"],
            (Shape::Disc, true, (4, _)) => &["▗██▖", "▝██▘"],
            (Shape::Ring, true, (4, _)) => &["▗▀▀▖", "▝▄▄▘"],
            (Shape::Cross, false, (_, 2)) => &["><"],
            (Shape::Ring | Shape::Disc, false, (_, 2)) => &["()"],
            (Shape::PawnUp, false, (_, 2)) => &["▲ "],
            (Shape::PawnDown, false, (_, 2)) => &["▼ "],
            (Shape::PawnUp, false, (_, 4)) => &["▗██▖", "▟██▙"],
            (Shape::PawnDown, false, (_, 4)) => &["▜██▛", "▝██▘"],
            (Shape::PawnUp, false, (_, 6)) => &["▄▄", "▟██▙", "▗████▖"],
            (Shape::PawnDown, false, (_, 6)) => &["▝████▘", "▜██▛", "▀▀"],
            _ => return false,
        };
        let (x, y) = self.tiling().centre(self.scale, (column, row));
        let ground = match self.cell(x, y.div_euclid(2)) {
            Some(RasterCell::Pixels(upper, _)) => *upper,
            _ => Tint::Tile(self.tile_shade(at)),
        };
        let top = if is_hexagon { y } else { self.tiling().area(self.scale, at).top };
        for (text, y) in rows.iter().zip(top.div_euclid(2)..) {
            let left = x + 1 - text.chars().count().cast_signed() / 2;
            for (sign, x) in text.chars().zip(left..) {
                if let Some(cell) = self.cell(x, y) {
                    match sign {
                        ' ' => {} // beside the smallest stones there is room for a sign
                        '█' => *cell = RasterCell::Pixels(tint, tint),
                        sign => *cell = RasterCell::Glyph(sign, tint, ground),
                    }
                }
            }
        }
        true
    }

    /// Fills the first thirds of the gap of a wall, all three of them for a whole one. A wall that is not built hides no other.
    fn wall(&mut self, at: Site, texture: Texture, tint: Tint, thirds: usize) {
        let Area { left, top, mut width, mut height } = self.tiling().area(self.scale, at);
        let length = if height > width { &mut height } else { &mut width };
        *length = *length * thirds.cast_signed() / 3;
        for y in (top..top + height).step_by(2).map(|y| y / 2) {
            for x in left..left + width {
                let Some(cell) = self.cell(x, y) else { continue };
                let is_built = matches!(cell, RasterCell::Glyph(_, Tint::Piece(..), _));
                if !is_built || matches!(texture, Texture::Solid | Texture::Dense) {
                    *cell = RasterCell::Glyph(texture.sign(), tint, Tint::Ground);
                }
            }
        }
    }

    /// Draws a stroke from middle to middle. In hundredths of a cell: half its width, and how far from both middles it ends.
    fn stroke(&mut self, (from, to): (Site, Site), tint: Tint, thick: isize, away: isize) {
        let [one, other] = [from, to].map(|site| self.tiling().area(self.scale, site));
        let both = Area {
            left: one.left.min(other.left),
            top: one.top.min(other.top),
            width: one.left.abs_diff(other.left).cast_signed() + one.width,
            height: one.top.abs_diff(other.top).cast_signed() + one.height,
        };
        let (thick, size) = (self.measure() * thick, self.measure());
        for pixel in pixels(both) {
            let ((ax, ay), (bx, by)) = (self.offset(from, pixel), self.offset(to, pixel));
            let (dx, dy) = (ax - bx, ay - by);
            // Between both middles, and not further from the line through them than half the stroke.
            let (along, length) = (ax * dx + ay * dy, dx * dx + dy * dy);
            let beside = ax * dy - ay * dx;
            let is_near = beside * beside * 2500 <= thick * thick * length;
            let is_free = away < 0 || [from, to].iter().all(|&at| !self.is_within(at, pixel, away * size));
            if is_near && (0..=length).contains(&along) && is_free {
                self.pixel(pixel, tint);
            }
        }
    }

    /// Writes into the middle of the bands above and below what they are.
    fn name_bands(&mut self) {
        let Some(word) = self.scene.band_word.map(|word| format!(" {word} ")) else { return };
        let (width, height) = self.tiling().size(self.scale);
        let left = (width - word.chars().count().cast_signed()) / 2;
        let [above, _, below, _] = self.scene.rims;
        for (role, y) in [(above, 0), (below, height / 2 - 1)] {
            for (sign, x) in word.chars().zip(left.max(0)..) {
                if let (Some(side), Some(cell)) = (role.side(), self.cell(x, y)) {
                    *cell = RasterCell::Glyph(sign, Tint::Piece(side, 2), Tint::Ground);
                }
            }
        }
    }

    fn labels(&mut self) {
        let scene = self.scene;
        let [columns, rows] = &scene.labels;
        let (_, height) = self.tiling().size(self.scale);
        let y = if scene.has_letters_below { height / 2 } else { -1 };
        for (label, column) in columns.iter().zip(0..) {
            let (x, _) = self.tiling().centre(self.scale, (column, 0));
            self.write(x, y, label);
        }
        for (label, row) in rows.iter().zip(0..) {
            let (_, y) = self.tiling().centre(self.scale, (0, row));
            let first = self.tiling().area(self.scale, Site::Cell(0, row)).left;
            let left = if matches!(self.tiling(), Tiling::Hexagons { .. }) {
                first - super::tiling::thickness(self.scale)
            } else {
                first
            };
            let x = (left - 1 - label.chars().count().cast_signed()).max(-scene.margin());
            self.write(x, y.div_euclid(2), label);
        }
    }

    fn write(&mut self, x: isize, y: isize, text: &str) {
        for (sign, x) in text.chars().zip(x..) {
            if let Some(cell) = self.cell(x, y) {
                *cell = RasterCell::Glyph(sign, Tint::Of(Role::Label), Tint::Ground);
            }
        }
    }

    /// Reports whether a piece of few pixels has brackets around it already: with another sign it could not be told.
    fn is_crowded(&self, sign: &Sign) -> bool {
        let is_bracket = |other: &Sign| matches!(other.sign, SignPlace::Sides(_)) && other.at == sign.at;
        sign.role == Role::Last && self.scale.cell.0 == 4 && self.scene.signs.iter().any(is_bracket)
    }

    fn sign(&mut self, Sign { at, sign, role }: Sign) {
        let (x, y) = self.scene.middle(self.scale, at);
        let (x, y) = (x.cast_signed() - self.scene.margin(), y.cast_signed() - self.scene.top());
        let Area { left, width, .. } = self.tiling().area(self.scale, at);
        match sign {
            SignPlace::Middle(sign) if self.has_smallest_hexagons() => {
                let (right, y) = self.stone(at);
                match self.cell(right, y).map(|cell| *cell) {
                    // The last stone is the sign itself.
                    Some(RasterCell::Glyph(stone @ ('●' | '○'), ink, behind)) if role == Role::Last => {
                        let sign = if stone == '●' { '◆' } else { '◇' };
                        self.cell(right, y)
                            .into_iter()
                            .for_each(|cell| *cell = RasterCell::Glyph(sign, ink, behind));
                    }
                    Some(RasterCell::Glyph('●' | '○' | '◆' | '◇', ..)) => self.over(x, y, sign, role),
                    _ => self.over(right, y, sign, role),
                }
            }
            SignPlace::Middle(sign) => {
                // A piece of one row of characters keeps its shape.
                let is_low = self.scale.cell.1 == 2 && matches!(self.tiling(), Tiling::Squares { .. });
                let is_piece = matches!(
                    self.cell(x, y),
                    Some(RasterCell::Glyph(_, Tint::Piece(..), Tint::Tile(_) | Tint::Lit | Tint::Won(_)))
                );
                let x = if is_low && is_piece { left + width - 1 } else { x };
                self.over(x, y, sign, role);
            }
            SignPlace::Sides([one, other]) => {
                // In wide cells they stand nearer to the middle; the smallest hexagons have no room for both.
                let inset = if width >= 8 { width / 8 } else { 0 };
                let right = if self.has_smallest_hexagons() { left + 2 } else { left + width - 1 - inset };
                self.over(left + inset, y, one, role);
                self.over(right, y, other, role);
            }
        }
    }

    /// A sign over what is there: on a piece in the colour of the ground.
    fn over(&mut self, x: isize, y: isize, sign: char, role: Role) {
        let tint = self.tint(Site::Slot { post: (0, 0), is_upright: false }, role);
        let Some(cell) = self.cell(x, y) else { return };
        let behind = match *cell {
            RasterCell::Pixels(_, lower @ Tint::Piece(..)) => lower,
            RasterCell::Pixels(upper, _) => upper,
            // The colour of the smallest stones stays.
            RasterCell::Glyph('█' | '▓' | '●' | '○' | '◆' | '◇', ink, _) => ink,
            RasterCell::Glyph(_, _, behind) => behind,
        };
        let ink = if matches!(behind, Tint::Piece(..)) { Tint::Ground } else { tint };
        *cell = RasterCell::Glyph(sign, ink, behind);
    }
}

/// All pixels of a box.
fn pixels(Area { left, top, width, height }: Area) -> impl Iterator<Item = (isize, isize)> {
    (top..top + height).flat_map(move |y| (left..left + width).map(move |x| (x, y)))
}
