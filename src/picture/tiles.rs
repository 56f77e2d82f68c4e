//! Scenes as SVG shapes: the geometry of each tiling at one scale. Shape alone distinguishes the sides:
//! pieces of the first side are solid, those of the second hollow.

use std::collections::BTreeMap;

use super::svg::{SvgElement, SvgFont, SvgLayer, TextAnchor, format_svg_number, render_text_element};
use super::{SvgPalette, count_as_f64};
use crate::drawing::{
    BoardSite, PaintRole, PixelRect, Scene, SceneItem, SceneShape, SceneSign, SignPlace, Tiling, TilingScale,
};
use crate::game::Side;

/// Moves of the empty board, by site.
pub(super) type SiteNames = BTreeMap<BoardSite, String>;

/// Point of the page: x and y.
type SvgPoint = (f64, f64);

/// Font size of coordinates, in SVG units.
const LABEL_SIZE: f64 = 15.0;
/// Width of the bars along two edges of a board of squares, in SVG units.
const EDGE_BAR_WIDTH: f64 = 7.0;
/// Outer edge of the bands at the acute corner, relative to the centre of the first hexagon: above it, at the
/// cut-off corner, and left of it. The edge is 7 units beyond the tips of the hexagons.
const ACUTE_CORNER_OFFSETS: [SvgPoint; 3] = [(-24.9, -37.0), (-34.7, -20.0), (-44.5, -3.0)];
/// Outer edge of the bands at the obtuse corner, relative to the centre of the last hexagon of the first row.
const OBTUSE_CORNER_OFFSET: SvgPoint = (21.4, -37.0);

/// Positions of all parts of a board on the page.
#[derive(Debug)]
pub(super) struct BoardLayout {
    tiling: Tiling,
    scale: TilingScale,
    /// Space left of the board and above it.
    margin: SvgPoint,
    pub(super) size: SvgPoint,
}

impl BoardLayout {
    /// Computes the layout of a scene.
    pub(super) fn for_scene(scene: &Scene) -> Self {
        // Cell, gap, space left of the board, and space for bars above and below it.
        let (cell, gap, left, bar) = match scene.tiling {
            // These hexagons are regular to within 0.1%.
            Tiling::Hexagons { .. } => ((52, 45), (0, 0), 30.0, 0.0),
            Tiling::Squares { has_slots: true, .. } => ((38, 38), (10, 10), 32.0, EDGE_BAR_WIDTH),
            Tiling::Squares { .. } => ((45, 45), (3, 3), 32.0, 0.0),
        };
        let [above, below] = match scene.tiling {
            Tiling::Hexagons { .. } => [14.0, 14.0],
            Tiling::Squares { .. } if scene.has_letters_below => [0.0, 24.0],
            Tiling::Squares { .. } => [24.0, 0.0],
        };
        let (top, bottom) = (above + bar, below + bar);
        let (tiling, scale) = (scene.tiling, TilingScale { cell, gap });
        let (width, height) = tiling.pixel_size(scale);
        let size = (pixels_as_f64(width) + 2.0 * left, pixels_as_f64(height) + top + bottom);
        BoardLayout { tiling, scale, margin: (left, top), size }
    }

    /// Reports whether the board consists of hexagons.
    fn is_hexagonal(&self) -> bool {
        matches!(self.tiling, Tiling::Hexagons { .. })
    }

    /// Returns the left and upper edge, width and height of a site.
    fn site_rect(&self, site: BoardSite) -> [f64; 4] {
        let PixelRect { left, top, width, height } = self.tiling.site_rect(self.scale, site);
        // The tips of hexagons are at the centres of pixels.
        let height = if self.is_hexagonal() { height - 1 } else { height };
        [
            pixels_as_f64(left) + self.margin.0,
            pixels_as_f64(top) + self.margin.1,
            pixels_as_f64(width),
            pixels_as_f64(height),
        ]
    }

    /// Returns the centre of a site.
    fn site_centre(&self, site: BoardSite) -> SvgPoint {
        let [left, top, width, height] = self.site_rect(site);
        (left + width / 2.0, top + height / 2.0)
    }

    /// Returns the width of a cell.
    fn cell_width(&self) -> f64 {
        pixels_as_f64(self.scale.cell.0)
    }

    /// Returns the path data of the outline of a cell.
    fn cell_outline(&self, site: BoardSite) -> String {
        let ([left, top, width, _], (x, _)) = (self.site_rect(site), self.site_centre(site));
        if self.is_hexagonal() {
            return format!(
                "M{} {}l26 15v30l-26 15l-26 -15v-30z",
                format_svg_number(x),
                format_svg_number(top)
            );
        }
        let (straight, bend) = (format_svg_number(width - 6.0), "3 3 0 0 1");
        format!(
            "M{} {}h{straight}a{bend} 3 3v{straight}a{bend} -3 3h-{straight}a{bend} -3 -3v-{straight}a{bend} 3 -3z",
            format_svg_number(left + 3.0),
            format_svg_number(top)
        )
    }
}

/// Returns the piece or wall on a site.
pub(super) fn piece_at(scene: &Scene, site: BoardSite) -> Option<&SceneItem> {
    let is_piece = |shape| !matches!(shape, SceneShape::Tile | SceneShape::Link(_) | SceneShape::Stroke(_));
    scene.items.iter().rfind(|item| item.at == site && is_piece(item.shape))
}

/// Renders all shapes of a scene. Pieces on named sites carry the name of their move.
pub(super) fn render_scene(
    scene: &Scene,
    plan: &BoardLayout,
    names: &SiteNames,
    colours: &'static SvgPalette,
) -> Vec<SvgElement> {
    let mut painter = SvgPainter { scene, plan, names, colours, elements: Vec::new() };
    painter.paint_tiles();
    if plan.is_hexagonal() {
        painter.paint_edge_bands();
    } else {
        painter.paint_edge_bars();
    }
    painter.paint_labels();
    for item in &scene.items {
        painter.paint_item(item);
    }
    for sign in &scene.signs {
        painter.paint_sign(sign);
    }
    painter.elements
}

/// State while a scene is rendered.
struct SvgPainter<'a> {
    scene: &'a Scene,
    plan: &'a BoardLayout,
    names: &'a SiteNames,
    colours: &'static SvgPalette,
    elements: Vec<SvgElement>,
}

impl SvgPainter<'_> {
    /// Adds a shape on a layer.
    fn add_shape(&mut self, layer: SvgLayer, svg: String) {
        self.elements.push(SvgElement::new(layer, svg));
    }

    /// Returns the colour of a role.
    fn role_colour(&self, role: PaintRole) -> &'static str {
        match role {
            PaintRole::Plain => self.colours.text,
            PaintRole::Label => self.colours.label,
            PaintRole::Frame => self.colours.line,
            role => role.side().map_or(self.colours.mark, |side| self.colours.sides[side.index()]),
        }
    }

    /// Returns the fill and stroke attributes of a role: solid, or hollow for the second side.
    fn fill_and_stroke(&self, role: PaintRole, hollow: &str) -> String {
        let colour = self.role_colour(role);
        let fill = if role.side() == Some(Side::First) { colour } else { hollow };
        format!("fill=\"{fill}\" stroke=\"{colour}\"")
    }

    // ---- the board ----

    /// Adds the tiles, one path per shade. Their strokes have the same colour and close the seams.
    fn paint_tiles(&mut self) {
        let (Tiling::Hexagons { columns, rows } | Tiling::Squares { columns, rows, .. }) = self.plan.tiling;
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let mut paths = [const { String::new() }; 3];
        for cell in cells {
            paths[self.plan.tiling.cell_shade(cell)] +=
                &self.plan.cell_outline(BoardSite::Cell(cell.0, cell.1));
        }
        for (path, colour) in paths.iter().zip(self.colours.tiles).filter(|(path, _)| !path.is_empty()) {
            self.add_shape(
                SvgLayer::Tile,
                format!("<path d=\"{path}\" fill=\"{colour}\" stroke=\"{colour}\"/>"),
            );
        }
    }

    /// Adds the bands along the edges of a board of hexagons, below the hexagons.
    fn paint_edge_bands(&mut self) {
        let Tiling::Hexagons { columns, rows } = self.plan.tiling else { return };
        let corners = [(0, 0), (columns - 1, 0), (columns - 1, rows - 1), (0, rows - 1)];
        let corners = corners.map(|(column, row)| self.plan.site_centre(BoardSite::Cell(column, row)));
        // The other half of the board is the same, rotated by 180 degrees.
        for (half, towards) in [(0, 1.0), (2, -1.0)] {
            let [one, two, three] = [0, 1, 2].map(|i| corners[(half + i) % 4]);
            let from =
                |(x, y): SvgPoint, (dx, dy): SvgPoint, towards: f64| (x + towards * dx, y + towards * dy);
            let [above, cut, _] = ACUTE_CORNER_OFFSETS.map(|by| from(one, by, towards));
            let obtuse = from(two, OBTUSE_CORNER_OFFSET, towards);
            let [_, other_cut, beside] = ACUTE_CORNER_OFFSETS.map(|by| from(three, by, -towards));
            self.paint_edge_band(half, &[cut, above, obtuse, two, one]);
            self.paint_edge_band(half + 1, &[obtuse, beside, other_cut, three, two]);
        }
    }

    /// Adds one band with these corners.
    fn paint_edge_band(&mut self, rim: usize, corners: &[SvgPoint]) {
        let role = self.scene.rims[rim];
        let Some(side) = role.side() else { return };
        let paint = self.fill_and_stroke(role, self.colours.won[side.index()]);
        let svg = format!("<path d=\"{}z\" {paint} stroke-width=\"2.5\"/>", path_through(corners));
        self.add_shape(SvgLayer::Band, svg);
    }

    /// Adds the bars above and below a board of squares.
    fn paint_edge_bars(&mut self) {
        let Tiling::Squares { columns, rows, .. } = self.plan.tiling else { return };
        let [left, top, ..] = self.plan.site_rect(BoardSite::Cell(0, 0));
        let [last, low, width, height] = self.plan.site_rect(BoardSite::Cell(columns - 1, rows - 1));
        let width = last + width - left;
        for (rim, y) in [(0, top - EDGE_BAR_WIDTH - 2.0), (2, low + height + 2.0)] {
            let role = self.scene.rims[rim];
            if role.side().is_some() {
                let svg = self.render_bar("", role, [left, y, width, EDGE_BAR_WIDTH]);
                self.add_shape(SvgLayer::Band, svg);
            }
        }
    }

    /// Renders a bar or wall.
    fn render_bar(&self, name: &str, role: PaintRole, [left, top, width, height]: [f64; 4]) -> String {
        // The stroke is inside the rectangle.
        format!(
            "<rect{name} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1.5\" {} stroke-width=\"2.4\"/>",
            format_svg_number(left + 1.2),
            format_svg_number(top + 1.2),
            format_svg_number(width - 2.4),
            format_svg_number(height - 2.4),
            self.fill_and_stroke(role, self.colours.page)
        )
    }

    /// Adds the coordinate labels. A board of hexagons has them on both sides because its rows are shifted.
    fn paint_labels(&mut self) {
        let (Tiling::Hexagons { columns, rows } | Tiling::Squares { columns, rows, .. }) = self.plan.tiling;
        let (is_hexagonal, is_below) = (self.plan.is_hexagonal(), self.scene.has_letters_below);
        let away = if is_hexagonal { 37.0 } else { 17.0 };
        let font = SvgFont { size: LABEL_SIZE, is_bold: false, colour: self.colours.label };
        let mut put = |x: f64, y: f64, label: &str| {
            let svg = render_text_element(x, y, TextAnchor::Middle, font, label);
            self.elements.push(SvgElement::new(SvgLayer::Text, svg));
        };
        for (label, column) in self.scene.labels[0].iter().zip(0..columns) {
            let [left, top, width, _] = self.plan.site_rect(BoardSite::Cell(column, 0));
            if is_hexagonal || !is_below {
                put(left + width / 2.0, top - if is_hexagonal { 18.0 } else { 12.0 }, label);
            }
            let [left, top, width, height] = self.plan.site_rect(BoardSite::Cell(column, rows - 1));
            if is_hexagonal || is_below {
                put(left + width / 2.0, top + height + 20.0, label);
            }
        }
        for (label, row) in self.scene.labels[1].iter().zip(0..rows) {
            let [left, top, _, height] = self.plan.site_rect(BoardSite::Cell(0, row));
            put(left - away, top + height / 2.0, label);
            let [left, top, width, height] = self.plan.site_rect(BoardSite::Cell(columns - 1, row));
            if is_hexagonal {
                put(left + width + away, top + height / 2.0, label);
            }
        }
    }

    // ---- the items ----

    /// Returns the attributes with side and move of a piece, if its site has a name.
    fn move_attributes(&self, SceneItem { at, role, .. }: &SceneItem) -> String {
        let Some((side, name)) = role.side().zip(self.names.get(at)) else { return String::new() };
        format!(" data-side=\"{side}\" data-at=\"{}\"", super::escape_xml(name))
    }

    /// Adds the shape of one item.
    fn paint_item(&mut self, item: &SceneItem) {
        let SceneItem { at, shape, role } = *item;
        let (middle, thick) = (self.plan.site_centre(at), self.plan.cell_width() / 7.0);
        let colour = self.role_colour(role);
        let (layer, svg) = match shape {
            SceneShape::Tile => {
                let fill = role.side().map_or(colour, |side| self.colours.won[side.index()]);
                let outline = self.plan.cell_outline(at);
                (SvgLayer::Lit, format!("<path d=\"{outline}\" fill=\"{fill}\" stroke=\"{fill}\"/>"))
            }
            SceneShape::Link(to) => (
                SvgLayer::Link,
                render_strokes("", &[middle, self.plan.site_centre(to)], colour, 2.2 * thick),
            ),
            SceneShape::Stroke(to) => {
                // The stroke extends a little beyond both centres.
                let ((ax, ay), (bx, by)) = (middle, self.plan.site_centre(to));
                let share = self.plan.cell_width() * 0.42 / (bx - ax).hypot(by - ay).max(1.0);
                let (dx, dy) = ((bx - ax) * share, (by - ay) * share);
                let ends = [(ax - dx, ay - dy), (bx + dx, by + dy)];
                (SvgLayer::Mark, render_strokes("", &ends, self.colours.text, 0.6 * thick))
            }
            _ => (SvgLayer::Piece, self.render_piece(item, middle, thick)),
        };
        self.add_shape(layer, svg);
    }

    /// Renders a piece.
    fn render_piece(&self, item: &SceneItem, (x, y): SvgPoint, thick: f64) -> String {
        let SceneItem { at, shape, role } = *item;
        let (name, colour) = (self.move_attributes(item), self.role_colour(role));
        let disc = |radius: f64, paint: &str| {
            let [x, y, radius] = [x, y, radius].map(format_svg_number);
            format!("<circle{name} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>")
        };
        // Outer radius of all round pieces.
        let radius = self.plan.cell_width() * 0.37;
        match shape {
            SceneShape::Cross => {
                let by = radius * 0.8;
                let ends = [(x - by, y - by), (x + by, y + by), (x + by, y - by), (x - by, y + by)];
                render_strokes(&name, &ends, colour, thick)
            }
            SceneShape::PawnUp | SceneShape::PawnDown => {
                let up = if shape == SceneShape::PawnUp { 1.0 } else { -1.0 };
                let corners = [(x, y - up * 14.0), (x + 14.0, y + up * 12.0), (x - 14.0, y + up * 12.0)];
                let (line, paint) = (path_through(&corners), self.fill_and_stroke(role, self.colours.page));
                let edge = "stroke-width=\"3.5\" stroke-linejoin=\"round\"";
                format!("<path{name} d=\"{line}z\" {paint} {edge}/>")
            }
            SceneShape::Wall(_) => self.render_bar(&name, role, self.plan.site_rect(at)),
            SceneShape::Ring => {
                let (page, edge) = (self.colours.page, format_svg_number(thick * 0.8));
                let paint = format!("fill=\"{page}\" stroke=\"{colour}\" stroke-width=\"{edge}\"");
                disc(radius - thick * 0.4, &paint)
            }
            _ => disc(radius, &format!("fill=\"{colour}\"")),
        }
    }

    /// Adds a sign in the middle of a site. Brackets are left out because other shapes carry their meaning.
    fn paint_sign(&mut self, sign: &SceneSign) {
        let SignPlace::Middle(glyph) = sign.sign else { return };
        let ((x, y), colour) = (self.plan.site_centre(sign.at), self.role_colour(sign.role));
        let svg = if glyph == '◆' {
            let by = if self.plan.is_hexagonal() { 8.0 } else { 6.5 };
            let corners = path_through(&[(x, y - by), (x + by, y), (x, y + by), (x - by, y)]);
            format!(
                "<path d=\"{corners}z\" fill=\"{colour}\" stroke=\"{}\" stroke-width=\"1.5\"/>",
                self.colours.page
            )
        } else {
            let font = SvgFont { size: 18.0, is_bold: true, colour };
            render_text_element(x, y, TextAnchor::Middle, font, &glyph.to_string())
        };
        self.add_shape(SvgLayer::Mark, svg);
    }
}

/// Renders a move number: on a stone or pawn, in the corner of a cell with a cross, in an empty cell, or else
/// on a disc.
pub(super) fn render_move_number(
    scene: &Scene,
    plan: &BoardLayout,
    at: BoardSite,
    (ply, side): (usize, Side),
    colours: &'static SvgPalette,
) -> SvgElement {
    let ((x, y), cell, content) = (plan.site_centre(at), plan.cell_width(), ply.to_string());
    let (own, paper) = (colours.sides[side.index()], colours.page);
    // Colour on solid pieces, and on hollow ones.
    let ink = [paper, own][side.index()];
    let fit = if content.len() > 2 { 0.8 } else { 1.0 };
    let label = |x: f64, y: f64, size: f64, colour: &'static str| {
        render_text_element(
            x,
            y,
            TextAnchor::Middle,
            SvgFont { size: size * fit, is_bold: true, colour },
            &content,
        )
    };
    let shape = piece_at(scene, at).map(|item| item.shape);
    let svg = match (shape, at) {
        (Some(SceneShape::Disc | SceneShape::Ring), _) if plan.is_hexagonal() => {
            label(x, y, cell * 0.32, ink)
        }
        // In the centroid of the triangle.
        (Some(SceneShape::PawnUp), _) => label(x, y + 5.0, 11.0, ink),
        (Some(SceneShape::PawnDown), _) => label(x, y - 5.0, 11.0, ink),
        (Some(shape), BoardSite::Cell(..)) => {
            // A winning line may run behind the number.
            let is_lit = |item: &SceneItem| (item.at, item.shape) == (at, SceneShape::Tile);
            let behind = scene.items.iter().rfind(|item| is_lit(item)).and_then(|item| item.role.side());
            let behind = behind.map_or(colours.tiles[1], |side| colours.won[side.index()]);
            let aside = if shape == SceneShape::Cross {
                0.0
            } else {
                cell * 0.43 - count_as_f64(content.len()) * 1.5
            };
            let halo = format!("<text stroke=\"{behind}\" stroke-width=\"4\" paint-order=\"stroke\"");
            label(x + aside, y + cell * 0.37, cell * 0.22, own).replacen("<text", &halo, 1)
        }
        // The piece has moved away.
        (None, BoardSite::Cell(..)) => label(x, y, cell * 0.3, own),
        _ => {
            let (fill, label) = ([own, paper][side.index()], label(x, y, 11.0, ink));
            let [x, y] = [x, y].map(format_svg_number);
            format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"9.6\" fill=\"{fill}\" stroke=\"{own}\" stroke-width=\"1.5\"/>{label}"
            )
        }
    };
    SvgElement::new(SvgLayer::Text, svg)
}

/// Renders lines from the first point to the second, from the third to the fourth, and so on.
fn render_strokes(name: &str, ends: &[SvgPoint], colour: &str, width: f64) -> String {
    let (path, width) = (ends.chunks(2).map(path_through).collect::<String>(), format_svg_number(width));
    let paint =
        format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"");
    format!("<path{name} d=\"{path}\" {paint}/>")
}

/// Returns path data through points.
fn path_through(points: &[SvgPoint]) -> String {
    let points: Vec<String> =
        points.iter().map(|&(x, y)| format!("{} {}", format_svg_number(x), format_svg_number(y))).collect();
    format!("M{}", points.join("L"))
}

/// Converts a number of pixels to a floating-point number.
fn pixels_as_f64(pixels: isize) -> f64 {
    i32::try_from(pixels).map_or(f64::INFINITY, f64::from)
}
