//! A scene as shapes of SVG: the geometry of its tiling at one scale. Shapes tell what is on the board, colours repeat it:
//! what belongs to the first side is solid, what belongs to the second one is hollow.

use std::collections::BTreeMap;

use super::svg::{Anchor, Element, Font, Layer, number, text};
use super::{Colours, real};
use crate::drawing::{Area, Role, Scale, Scene, SceneItem, Shape, Sign, SignPlace, Site, Tiling};
use crate::game::Side;

/// The moves that places mean on the empty board.
pub(super) type Names = BTreeMap<Site, String>;

type Point = (f64, f64);

/// The size of coordinates.
const LABEL: f64 = 15.0;
/// The width of the bars along two edges of squares.
const BAR: f64 = 7.0;
/// The outer edge of the bands around hexagons, 7 beyond their tips, from the middle of the first hexagon: above it, at the
/// acute corner, which is cut off, and left of it.
const ACUTE: [Point; 3] = [(-24.9, -37.0), (-34.7, -20.0), (-44.5, -3.0)];
/// The outer edge at the obtuse corner, from the middle of the last hexagon of the first row.
const OBTUSE: Point = (21.4, -37.0);

/// Where everything is on the page.
#[derive(Debug)]
pub(super) struct Plan {
    tiling: Tiling,
    scale: Scale,
    /// The space left of the board and above it.
    margin: Point,
    pub(super) size: Point,
}

impl Plan {
    pub(super) fn of(scene: &Scene) -> Self {
        // The space beside the board, and that for bars above and below it.
        let (cell, gap, left, bar) = match scene.tiling {
            // These are regular to a thousandth.
            Tiling::Hexagons { .. } => ((52, 45), (0, 0), 30.0, 0.0),
            Tiling::Squares { has_slots: true, .. } => ((38, 38), (10, 10), 32.0, BAR),
            Tiling::Squares { .. } => ((45, 45), (3, 3), 32.0, 0.0),
        };
        let [above, below] = match scene.tiling {
            Tiling::Hexagons { .. } => [14.0, 14.0],
            Tiling::Squares { .. } if scene.has_letters_below => [0.0, 24.0],
            Tiling::Squares { .. } => [24.0, 0.0],
        };
        let (top, bottom) = (above + bar, below + bar);
        let (tiling, scale) = (scene.tiling, Scale { cell, gap });
        let (width, height) = tiling.size(scale);
        let size = (measure(width) + 2.0 * left, measure(height) + top + bottom);
        Plan { tiling, scale, margin: (left, top), size }
    }

    fn is_hexagonal(&self) -> bool {
        matches!(self.tiling, Tiling::Hexagons { .. })
    }

    /// Left and upper edge, width and height.
    fn area(&self, site: Site) -> [f64; 4] {
        let Area { left, top, width, height } = self.tiling.area(self.scale, site);
        // The tips of hexagons are in the middle of pixels.
        let height = if self.is_hexagonal() { height - 1 } else { height };
        [measure(left) + self.margin.0, measure(top) + self.margin.1, measure(width), measure(height)]
    }

    fn middle(&self, site: Site) -> Point {
        let [left, top, width, height] = self.area(site);
        (left + width / 2.0, top + height / 2.0)
    }

    /// The width of a cell.
    fn cell(&self) -> f64 {
        measure(self.scale.cell.0)
    }

    /// The outline of a cell.
    fn outline(&self, site: Site) -> String {
        let ([left, top, width, _], (x, _)) = (self.area(site), self.middle(site));
        if self.is_hexagonal() {
            return format!("M{} {}l26 15v30l-26 15l-26 -15v-30z", number(x), number(top));
        }
        let (straight, bend) = (number(width - 6.0), "3 3 0 0 1");
        format!(
            "M{} {}h{straight}a{bend} 3 3v{straight}a{bend} -3 3h-{straight}a{bend} -3 -3v-{straight}a{bend} 3 -3z",
            number(left + 3.0),
            number(top)
        )
    }
}

/// The piece or the wall on a place.
pub(super) fn piece(scene: &Scene, site: Site) -> Option<&SceneItem> {
    let is_piece = |shape| !matches!(shape, Shape::Tile | Shape::Link(_) | Shape::Stroke(_));
    scene.items.iter().rfind(|item| item.at == site && is_piece(item.shape))
}

/// All shapes of a scene. Pieces on places that have names carry those.
pub(super) fn elements(scene: &Scene, plan: &Plan, names: &Names, colours: &'static Colours) -> Vec<Element> {
    let mut painter = Painter { scene, plan, names, colours, elements: Vec::new() };
    painter.tiles();
    if plan.is_hexagonal() {
        painter.bands();
    } else {
        painter.bars();
    }
    painter.labels();
    for item in &scene.items {
        painter.item(item);
    }
    for sign in &scene.signs {
        painter.sign(sign);
    }
    painter.elements
}

struct Painter<'a> {
    scene: &'a Scene,
    plan: &'a Plan,
    names: &'a Names,
    colours: &'static Colours,
    elements: Vec<Element>,
}

impl Painter<'_> {
    fn add(&mut self, layer: Layer, svg: String) {
        self.elements.push(Element::new(layer, svg));
    }

    fn colour(&self, role: Role) -> &'static str {
        match role {
            Role::Plain => self.colours.text,
            Role::Label => self.colours.label,
            Role::Frame => self.colours.line,
            role => role.side().map_or(self.colours.mark, |side| self.colours.sides[side.index()]),
        }
    }

    /// The fill and the edge of what belongs to a role: solid, or hollow for the second side.
    fn paint(&self, role: Role, hollow: &str) -> String {
        let colour = self.colour(role);
        let fill = if role.side() == Some(Side::First) { colour } else { hollow };
        format!("fill=\"{fill}\" stroke=\"{colour}\"")
    }

    // ---- the board ----

    /// A path for each shade. Edges of their own colour close the seams.
    fn tiles(&mut self) {
        let (Tiling::Hexagons { columns, rows } | Tiling::Squares { columns, rows, .. }) = self.plan.tiling;
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let mut paths = [const { String::new() }; 3];
        for cell in cells {
            paths[self.plan.tiling.shade(cell)] += &self.plan.outline(Site::Cell(cell.0, cell.1));
        }
        for (path, colour) in paths.iter().zip(self.colours.tiles).filter(|(path, _)| !path.is_empty()) {
            self.add(Layer::Tile, format!("<path d=\"{path}\" fill=\"{colour}\" stroke=\"{colour}\"/>"));
        }
    }

    /// The bands around hexagons: they fill the teeth between those, which lie over them.
    fn bands(&mut self) {
        let Tiling::Hexagons { columns, rows } = self.plan.tiling else { return };
        let corners = [(0, 0), (columns - 1, 0), (columns - 1, rows - 1), (0, rows - 1)];
        let corners = corners.map(|(column, row)| self.plan.middle(Site::Cell(column, row)));
        // The other half of the board is the same, turned.
        for (half, towards) in [(0, 1.0), (2, -1.0)] {
            let [one, two, three] = [0, 1, 2].map(|i| corners[(half + i) % 4]);
            let from = |(x, y): Point, (dx, dy): Point, towards: f64| (x + towards * dx, y + towards * dy);
            let [above, cut, _] = ACUTE.map(|by| from(one, by, towards));
            let obtuse = from(two, OBTUSE, towards);
            let [_, other_cut, beside] = ACUTE.map(|by| from(three, by, -towards));
            self.band(half, &[cut, above, obtuse, two, one]);
            self.band(half + 1, &[obtuse, beside, other_cut, three, two]);
        }
    }

    fn band(&mut self, rim: usize, corners: &[Point]) {
        let role = self.scene.rims[rim];
        let Some(side) = role.side() else { return };
        let paint = self.paint(role, self.colours.won[side.index()]);
        let svg = format!("<path d=\"{}z\" {paint} stroke-width=\"2.5\"/>", line(corners));
        self.add(Layer::Band, svg);
    }

    /// The bars above and below squares.
    fn bars(&mut self) {
        let Tiling::Squares { columns, rows, .. } = self.plan.tiling else { return };
        let [left, top, ..] = self.plan.area(Site::Cell(0, 0));
        let [last, low, width, height] = self.plan.area(Site::Cell(columns - 1, rows - 1));
        let width = last + width - left;
        for (rim, y) in [(0, top - BAR - 2.0), (2, low + height + 2.0)] {
            let role = self.scene.rims[rim];
            if role.side().is_some() {
                let svg = self.bar("", role, [left, y, width, BAR]);
                self.add(Layer::Band, svg);
            }
        }
    }

    fn bar(&self, name: &str, role: Role, [left, top, width, height]: [f64; 4]) -> String {
        // The edge lies inside.
        format!(
            "<rect{name} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1.5\" {} stroke-width=\"2.4\"/>",
            number(left + 1.2),
            number(top + 1.2),
            number(width - 2.4),
            number(height - 2.4),
            self.paint(role, self.colours.page)
        )
    }

    /// Those of hexagons stand on both sides, since rows are shifted.
    fn labels(&mut self) {
        let (Tiling::Hexagons { columns, rows } | Tiling::Squares { columns, rows, .. }) = self.plan.tiling;
        let (is_hexagonal, is_below) = (self.plan.is_hexagonal(), self.scene.has_letters_below);
        let away = if is_hexagonal { 37.0 } else { 17.0 };
        let font = Font { size: LABEL, is_bold: false, colour: self.colours.label };
        let mut put = |x: f64, y: f64, label: &str| {
            let svg = text(x, y, Anchor::Middle, font, label);
            self.elements.push(Element::new(Layer::Text, svg));
        };
        for (label, column) in self.scene.labels[0].iter().zip(0..columns) {
            let [left, top, width, _] = self.plan.area(Site::Cell(column, 0));
            if is_hexagonal || !is_below {
                put(left + width / 2.0, top - if is_hexagonal { 18.0 } else { 12.0 }, label);
            }
            let [left, top, width, height] = self.plan.area(Site::Cell(column, rows - 1));
            if is_hexagonal || is_below {
                put(left + width / 2.0, top + height + 20.0, label);
            }
        }
        for (label, row) in self.scene.labels[1].iter().zip(0..rows) {
            let [left, top, _, height] = self.plan.area(Site::Cell(0, row));
            put(left - away, top + height / 2.0, label);
            let [left, top, width, height] = self.plan.area(Site::Cell(columns - 1, row));
            if is_hexagonal {
                put(left + width + away, top + height / 2.0, label);
            }
        }
    }

    // ---- what is on it ----

    /// The attributes that name a piece for programs: its side and its place.
    fn named(&self, SceneItem { at, role, .. }: &SceneItem) -> String {
        let Some((side, name)) = role.side().zip(self.names.get(at)) else { return String::new() };
        format!(" data-side=\"{side}\" data-at=\"{}\"", super::escape(name))
    }

    fn item(&mut self, item: &SceneItem) {
        let SceneItem { at, shape, role } = *item;
        let (middle, thick) = (self.plan.middle(at), self.plan.cell() / 7.0);
        let colour = self.colour(role);
        let (layer, svg) = match shape {
            Shape::Tile => {
                let fill = role.side().map_or(colour, |side| self.colours.won[side.index()]);
                let outline = self.plan.outline(at);
                (Layer::Lit, format!("<path d=\"{outline}\" fill=\"{fill}\" stroke=\"{fill}\"/>"))
            }
            Shape::Link(to) => {
                (Layer::Link, stroke("", &[middle, self.plan.middle(to)], colour, 2.2 * thick))
            }
            Shape::Stroke(to) => {
                // It goes a little further than both middles.
                let ((ax, ay), (bx, by)) = (middle, self.plan.middle(to));
                let share = self.plan.cell() * 0.42 / (bx - ax).hypot(by - ay).max(1.0);
                let (dx, dy) = ((bx - ax) * share, (by - ay) * share);
                let ends = [(ax - dx, ay - dy), (bx + dx, by + dy)];
                (Layer::Mark, stroke("", &ends, self.colours.text, 0.6 * thick))
            }
            _ => (Layer::Piece, self.piece(item, middle, thick)),
        };
        self.add(layer, svg);
    }

    fn piece(&self, item: &SceneItem, (x, y): Point, thick: f64) -> String {
        let SceneItem { at, shape, role } = *item;
        let (name, colour) = (self.named(item), self.colour(role));
        let disc = |radius: f64, paint: &str| {
            let [x, y, radius] = [x, y, radius].map(number);
            format!("<circle{name} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>")
        };
        // The outer edge of all round pieces.
        let radius = self.plan.cell() * 0.37;
        match shape {
            Shape::Cross => {
                let by = radius * 0.8;
                let ends = [(x - by, y - by), (x + by, y + by), (x + by, y - by), (x - by, y + by)];
                stroke(&name, &ends, colour, thick)
            }
            Shape::PawnUp | Shape::PawnDown => {
                let up = if shape == Shape::PawnUp { 1.0 } else { -1.0 };
                let corners = [(x, y - up * 14.0), (x + 14.0, y + up * 12.0), (x - 14.0, y + up * 12.0)];
                let (line, paint) = (line(&corners), self.paint(role, self.colours.page));
                let edge = "stroke-width=\"3.5\" stroke-linejoin=\"round\"";
                format!("<path{name} d=\"{line}z\" {paint} {edge}/>")
            }
            Shape::Wall(_) => self.bar(&name, role, self.plan.area(at)),
            Shape::Ring => {
                let (page, edge) = (self.colours.page, number(thick * 0.8));
                let paint = format!("fill=\"{page}\" stroke=\"{colour}\" stroke-width=\"{edge}\"");
                disc(radius - thick * 0.4, &paint)
            }
            _ => disc(radius, &format!("fill=\"{colour}\"")),
        }
    }

    /// Signs at the sides say what shapes say too.
    fn sign(&mut self, sign: &Sign) {
        let SignPlace::Middle(glyph) = sign.sign else { return };
        let ((x, y), colour) = (self.plan.middle(sign.at), self.colour(sign.role));
        let svg = if glyph == '◆' {
            let by = if self.plan.is_hexagonal() { 8.0 } else { 6.5 };
            let corners = line(&[(x, y - by), (x + by, y), (x, y + by), (x - by, y)]);
            format!(
                "<path d=\"{corners}z\" fill=\"{colour}\" stroke=\"{}\" stroke-width=\"1.5\"/>",
                self.colours.page
            )
        } else {
            let font = Font { size: 18.0, is_bold: true, colour };
            text(x, y, Anchor::Middle, font, &glyph.to_string())
        };
        self.add(Layer::Mark, svg);
    }
}

/// A move's number: on a stone or a pawn, in the corner of a cell with strokes, bare in an empty cell, else on a disc of its own.
pub(super) fn numbered(
    scene: &Scene,
    plan: &Plan,
    at: Site,
    (ply, side): (usize, Side),
    colours: &'static Colours,
) -> Element {
    let ((x, y), cell, content) = (plan.middle(at), plan.cell(), ply.to_string());
    let (own, paper) = (colours.sides[side.index()], colours.page);
    // On what is solid, and on what is hollow.
    let ink = [paper, own][side.index()];
    let fit = if content.len() > 2 { 0.8 } else { 1.0 };
    let label = |x: f64, y: f64, size: f64, colour: &'static str| {
        text(x, y, Anchor::Middle, Font { size: size * fit, is_bold: true, colour }, &content)
    };
    let shape = piece(scene, at).map(|item| item.shape);
    let svg = match (shape, at) {
        (Some(Shape::Disc | Shape::Ring), _) if plan.is_hexagonal() => label(x, y, cell * 0.32, ink),
        // In the centre of gravity.
        (Some(Shape::PawnUp), _) => label(x, y + 5.0, 11.0, ink),
        (Some(Shape::PawnDown), _) => label(x, y - 5.0, 11.0, ink),
        (Some(shape), Site::Cell(..)) => {
            // A line may run behind it.
            let is_lit = |item: &SceneItem| (item.at, item.shape) == (at, Shape::Tile);
            let behind = scene.items.iter().rfind(|item| is_lit(item)).and_then(|item| item.role.side());
            let behind = behind.map_or(colours.tiles[1], |side| colours.won[side.index()]);
            let aside = if shape == Shape::Cross { 0.0 } else { cell * 0.43 - real(content.len()) * 1.5 };
            let halo = format!("<text stroke=\"{behind}\" stroke-width=\"4\" paint-order=\"stroke\"");
            label(x + aside, y + cell * 0.37, cell * 0.22, own).replacen("<text", &halo, 1)
        }
        // Nothing stands there any more.
        (None, Site::Cell(..)) => label(x, y, cell * 0.3, own),
        _ => {
            let (fill, label) = ([own, paper][side.index()], label(x, y, 11.0, ink));
            let [x, y] = [x, y].map(number);
            format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"9.6\" fill=\"{fill}\" stroke=\"{own}\" stroke-width=\"1.5\"/>{label}"
            )
        }
    };
    Element::new(Layer::Text, svg)
}

/// Lines from the first point to the second one, from the third to the fourth.
fn stroke(name: &str, ends: &[Point], colour: &str, width: f64) -> String {
    let (path, width) = (ends.chunks(2).map(line).collect::<String>(), number(width));
    let paint =
        format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"");
    format!("<path{name} d=\"{path}\" {paint}/>")
}

/// A path through points.
fn line(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|&(x, y)| format!("{} {}", number(x), number(y))).collect();
    format!("M{}", points.join("L"))
}

/// Pixels as a measure of the page.
fn measure(pixels: isize) -> f64 {
    i32::try_from(pixels).map_or(f64::INFINITY, f64::from)
}
