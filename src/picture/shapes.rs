//! From characters to shapes: lines that join, bars, stones, pawns, labels. What a character shows is decided by the
//! character, its colour by its role.

use std::collections::BTreeSet;

use super::grid::{Grid, Lattice};
use super::svg::{Anchor, Element, Font, Layer, number, text};
use super::{Colours, Place, real};
use crate::canvas::{Canvas, Role, Spot};
use crate::game::Side;

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    Light,
    /// A solid bar.
    Heavy,
    /// A hollow bar.
    Double,
}

/// Left, right, up, down: where a line leaves the middle of its character.
type Arms = [bool; 4];
const LEFT: usize = 0;
const RIGHT: usize = 1;
const UP: usize = 2;
const DOWN: usize = 3;

fn arms(glyph: char) -> Option<(Weight, Arms)> {
    let (weight, arms) = match glyph {
        '─' => (Weight::Light, "lr"),
        '│' => (Weight::Light, "ud"),
        '┌' | '╭' => (Weight::Light, "rd"),
        '┐' | '╮' => (Weight::Light, "ld"),
        '└' | '╰' => (Weight::Light, "ru"),
        '┘' | '╯' => (Weight::Light, "lu"),
        '├' => (Weight::Light, "rud"),
        '┤' => (Weight::Light, "lud"),
        '┬' => (Weight::Light, "lrd"),
        '┴' => (Weight::Light, "lru"),
        '┼' => (Weight::Light, "lrud"),
        '━' => (Weight::Heavy, "lr"),
        '┃' => (Weight::Heavy, "ud"),
        '═' => (Weight::Double, "lr"),
        '║' => (Weight::Double, "ud"),
        _ => return None,
    };
    Some((weight, ['l', 'r', 'u', 'd'].map(|arm| arms.contains(arm))))
}

/// The side whose colour a role has, and whether it has won there.
fn side_of(role: Role) -> Option<(Side, bool)> {
    match role {
        Role::First => Some((Side::First, false)),
        Role::Second => Some((Side::Second, false)),
        Role::FirstWon => Some((Side::First, true)),
        Role::SecondWon => Some((Side::Second, true)),
        _ => None,
    }
}

/// All shapes of a canvas. `places` names what is on the board.
pub(super) fn elements(
    canvas: &Canvas,
    grid: &Grid,
    places: &[Place],
    colours: &'static Colours,
) -> Vec<Element> {
    let cells = canvas.spots().iter().filter(|spot| spot.layer == 0).map(|spot| (spot.x, spot.y)).collect();
    let mut painter = Painter { canvas, grid, places, colours, cells, elements: Vec::new() };
    painter.tiles();
    painter.straight_lines();
    painter.diagonals();
    painter.signs();
    painter.words();
    painter.elements
}

struct Painter<'a> {
    canvas: &'a Canvas,
    grid: &'a Grid,
    places: &'a [Place],
    colours: &'static Colours,
    /// The places of the first layer.
    cells: BTreeSet<(usize, usize)>,
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
            Role::Last | Role::Cursor | Role::Hint | Role::Allowed | Role::Refused | Role::Path => {
                self.colours.mark
            }
            Role::First | Role::FirstWon => self.colours.sides[0],
            Role::Second | Role::SecondWon => self.colours.sides[1],
        }
    }

    /// Whether a place of the first layer is at a character.
    fn is_cell(&self, x: usize, y: usize) -> bool {
        self.cells.contains(&(x, y))
    }

    // ---- cells ----

    fn tiles(&mut self) {
        let Some(lattice) = self.grid.lattice else { return };
        let canvas = self.canvas;
        let outlines = [false, true].map(|has_lines| self.outline(has_lines));
        for spot in canvas.spots().iter().filter(|spot| spot.layer == 0) {
            let side = side_of(canvas.at(spot.x, spot.y).1).filter(|(_, won)| *won);
            let fill = side.map_or(self.colours.tile, |(side, _)| self.colours.won[side.index()]);
            let shape = match lattice {
                Lattice::Hexagonal => self.hexagon(spot),
                Lattice::Square => self.square(spot, &outlines),
            };
            self.add(Layer::Tile, format!("<path d=\"{shape}\" fill=\"{fill}\"/>"));
        }
    }

    /// A cell with lines around it reaches to them; one without leaves a gap.
    fn square(&self, spot: &Spot, outlines: &[(f64, String); 2]) -> String {
        let (x, y) = self.grid.at(spot.x, spot.y);
        let half = self.grid.across / 2;
        let is_line =
            |x: usize| arms(self.canvas.at(x, spot.y).0) == Some((Weight::Light, [false, false, true, true]));
        let has_lines = self.grid.across >= 4 && is_line(spot.x + half) && is_line(spot.x.wrapping_sub(half));
        let (begin, outline) = &outlines[usize::from(has_lines)];
        let top = y - self.side(has_lines) / 2.0;
        format!("M{} {}{outline}", number(x + begin), number(top))
    }

    /// The side of a square cell.
    fn side(&self, has_lines: bool) -> f64 {
        let gap = if has_lines { 0.0 } else { self.grid.column.min(self.grid.pitch / 8.0) };
        self.grid.pitch - gap
    }

    /// Where the outline of a square cell begins, from its middle to the right, and its path from there on.
    fn outline(&self, has_lines: bool) -> (f64, String) {
        let (side, radius) = (self.side(has_lines), if has_lines { 0.0 } else { 3.0 });
        let (straight, bend) = (number(side - 2.0 * radius), number(radius));
        let turn = |to_x: f64, to_y: f64| format!("a{bend} {bend} 0 0 1 {} {}", number(to_x), number(to_y));
        let path = format!(
            "h{straight}{}v{straight}{}h-{straight}{}v-{straight}{}z",
            turn(radius, radius),
            turn(-radius, radius),
            turn(-radius, -radius),
            turn(radius, -radius)
        );
        (radius - side / 2.0, path)
    }

    fn hexagon(&self, spot: &Spot) -> String {
        let (x, y) = self.grid.at(spot.x, spot.y);
        let half = self.grid.pitch / 2.0;
        let (top, bottom) = (self.grid.top(spot.y), self.grid.top(spot.y + 1));
        let peak = half / 3.0_f64.sqrt();
        let points = [
            (x, top - peak),
            (x + half, top),
            (x + half, bottom),
            (x, bottom + peak),
            (x - half, bottom),
            (x - half, top),
        ];
        debug_assert!(y > top);
        let points: Vec<String> =
            points.iter().map(|&(x, y)| format!("{} {}", number(x), number(y))).collect();
        format!("M{}z", points.join("L"))
    }

    // ---- lines ----

    /// The line at a character, with its role; a mark in the middle of a bar belongs to the bar, and behind a coordinate
    /// in a line the line goes on.
    fn line_at(&self, x: usize, y: usize) -> Option<(Weight, Arms, Role)> {
        let (glyph, role) = self.canvas.at(x, y);
        if let Some((weight, arms)) = arms(glyph) {
            return Some((weight, arms, role));
        }
        let beside = |x: usize, y: usize, arm: usize| {
            let (glyph, role) = self.canvas.at(x, y);
            arms(glyph).filter(|(weight, arms)| *weight != Weight::Light && arms[arm]).map(|bar| (bar, role))
        };
        if x > 0 && self.is_word(x, y) {
            let is_open =
                |x: usize, arm: usize| arms(self.canvas.at(x, y).0).is_some_and(|(_, arms)| arms[arm]);
            let is_in_line = is_open(x - 1, RIGHT) && is_open(x + 1, LEFT);
            return is_in_line.then_some((Weight::Light, [true, true, false, false], Role::Frame));
        }
        if self.is_cell(x, y) || role != Role::Last || x == 0 || y == 0 {
            return None;
        }
        let pairs = [((x - 1, y, RIGHT), (x + 1, y, LEFT)), ((x, y - 1, DOWN), (x, y + 1, UP))];
        pairs.into_iter().find_map(|((ax, ay, a), (bx, by, b))| {
            let ((weight, arms), role) = beside(ax, ay, a)?;
            (beside(bx, by, b)?.1 == role).then_some((weight, arms, role))
        })
    }

    /// Merges what runs on in a row or column into one line.
    fn straight_lines(&mut self) {
        let (width, height) = (self.canvas.width(), self.canvas.height());
        for (along, across, before, behind, is_row) in
            [(width, height, LEFT, RIGHT, true), (height, width, UP, DOWN, false)]
        {
            for j in 0..across {
                let mut open: Option<Run> = None;
                for i in 0..along {
                    let (x, y) = if is_row { (i, j) } else { (j, i) };
                    let edge = |i: usize| if is_row { self.grid.left(i) } else { self.grid.top(i) };
                    let (from, to, middle) = (edge(i), edge(i + 1), f64::midpoint(edge(i), edge(i + 1)));
                    let line = self.line_at(x, y);
                    let line = line.or_else(|| self.behind_a_sign(x, y).filter(|_| !is_row));
                    let Some((weight, arms, role)) = line else {
                        self.end(open.take(), j, is_row);
                        continue;
                    };
                    let (has_before, has_behind) = (arms[before], arms[behind]);
                    if !has_before || open.is_some_and(|run| (run.weight, run.role) != (weight, role)) {
                        self.end(open.take(), j, is_row);
                    }
                    if has_before || has_behind {
                        let start = if has_before { from } else { middle };
                        let run =
                            open.get_or_insert(Run { weight, role, from: start, to, first: i, last: i });
                        (run.to, run.last) = (if has_behind { to } else { middle }, i);
                    }
                    if !has_behind {
                        self.end(open.take(), j, is_row);
                    }
                }
                self.end(open.take(), j, is_row);
            }
        }
    }

    /// The part of a border that a side's sign stands on.
    fn behind_a_sign(&self, x: usize, y: usize) -> Option<(Weight, Arms, Role)> {
        let is_line = |x: usize, y: usize| matches!(self.canvas.at(x, y).0, '╱' | '╲' | '╳' | '│');
        let is_on_border = self.is_sign(x, y)
            && x > 0
            && y > 0
            && (is_line(x - 1, y - 1) || is_line(x + 1, y - 1))
            && (is_line(x - 1, y + 1) || is_line(x + 1, y + 1));
        is_on_border.then_some((Weight::Light, [false, false, true, true], self.canvas.at(x, y).1))
    }

    /// Whether a side's sign stands beside the cells.
    fn is_sign(&self, x: usize, y: usize) -> bool {
        let (glyph, role) = self.canvas.at(x, y);
        matches!(glyph, '●' | '○' | '▲' | '▼') && side_of(role).is_some() && !self.is_cell(x, y)
    }

    fn end(&mut self, run: Option<Run>, j: usize, is_row: bool) {
        let Some(run) = run else { return };
        let across = if is_row { self.grid.centre(j) } else { self.grid.middle(j) };
        let point = |along: f64| if is_row { (along, across) } else { (across, along) };
        match run.weight {
            Weight::Light => self.stroke(&[point(run.from), point(run.to)], run.role),
            weight => self.bar(&run, weight, j, is_row),
        }
    }

    fn bar(&mut self, run: &Run, weight: Weight, j: usize, is_row: bool) {
        let middle = usize::midpoint(run.first, run.last);
        let (x, y) = if is_row { (middle, j) } else { (j, middle) };
        let slot = if is_row { self.grid.top(j + 1) - self.grid.top(j) } else { self.grid.column };
        let (from, to) = (run.from + slot * 0.1, run.to - slot * 0.1);
        let (thickness, edge) =
            if weight == Weight::Heavy { (slot * 0.62, 0.0) } else { (slot * 0.5, slot * 0.2) };
        let across = if is_row { self.grid.centre(j) } else { self.grid.middle(j) } - thickness / 2.0;
        let (left, top, width, height) =
            if is_row { (from, across, to - from, thickness) } else { (across, from, thickness, to - from) };
        let colour = self.colour(run.role);
        let paint = match weight {
            Weight::Double => {
                format!(
                    "fill=\"{}\" stroke=\"{colour}\" stroke-width=\"{}\"",
                    self.colours.page,
                    number(edge)
                )
            }
            _ => format!("fill=\"{colour}\""),
        };
        let svg = format!(
            "<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" {paint}/>",
            self.named(run.role, x, y),
            number(left),
            number(top),
            number(width),
            number(height)
        );
        self.add(Layer::Piece, svg);
    }

    /// A line through points; a side's is thick, and hollow for the second one.
    fn stroke(&mut self, points: &[(f64, f64)], role: Role) {
        let points: Vec<String> =
            points.iter().map(|&(x, y)| format!("{} {}", number(x), number(y))).collect();
        let path = points.join("L");
        let line = |colour: &str, width: f64| {
            format!(
                "<path d=\"M{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>",
                number(width)
            )
        };
        let colour = self.colour(role);
        match side_of(role) {
            None => self.add(Layer::Line, line(colour, 1.2)),
            Some((Side::First, _)) => self.add(Layer::Line, line(colour, 4.0)),
            Some((Side::Second, _)) => {
                self.add(Layer::Line, line(colour, 5.0));
                self.add(Layer::Core, line(self.colours.page, 2.0));
            }
        }
    }

    /// Slopes end where they meet: in the corner of a character, or in the middle of the next column.
    fn diagonals(&mut self) {
        for y in 0..self.canvas.height() {
            for x in 0..self.canvas.width() {
                let (glyph, role) = self.canvas.at(x, y);
                for rises in [true, false] {
                    let own = if rises { '╱' } else { '╲' };
                    if glyph != own && glyph != '╳' {
                        continue;
                    }
                    let [upper, lower] =
                        [true, false].map(|is_upper| self.end_of_slope(x, y, rises, is_upper));
                    // What joins two lines of one side belongs to it.
                    let role = match (role, upper.1, lower.1) {
                        (Role::Frame, Some(a), Some(b)) if a == b && side_of(a).is_some() => a,
                        _ => role,
                    };
                    self.stroke(&[upper.0, lower.0], role);
                }
            }
        }
    }

    /// Where a slope ends, and the role of the upright line that it meets there.
    fn end_of_slope(&self, x: usize, y: usize, rises: bool, is_upper: bool) -> ((f64, f64), Option<Role>) {
        let goes_right = rises == is_upper;
        let aside = |by: usize| if goes_right { Some(x + by) } else { x.checked_sub(by) };
        let level = if is_upper { self.grid.top(y) } else { self.grid.top(y + 1) };
        let corner = ((self.grid.left(if goes_right { x + 1 } else { x }), level), None);
        let next_row = if is_upper { y.checked_sub(1) } else { Some(y + 1) };
        let at = |x: Option<usize>, y: Option<usize>| {
            x.zip(y).map_or((' ', Role::Plain), |(x, y)| self.canvas.at(x, y))
        };
        let (beyond, role) = at(aside(1), next_row);
        let (same, other) = if rises { ('╱', '╲') } else { ('╲', '╱') };
        if beyond == same || beyond == '╳' {
            return corner;
        }
        let Some(column) = aside(1) else { return corner };
        let arm = if is_upper { DOWN } else { UP };
        let is_upright = arms(beyond).is_some_and(|(_, arms)| arms[arm])
            || next_row.is_some_and(|row| self.is_sign(column, row));
        if is_upright {
            return ((self.grid.middle(column), level), Some(role));
        }
        let meets = at(aside(2), Some(y)).0 == other;
        if meets { ((self.grid.middle(column), level), None) } else { corner }
    }

    // ---- pieces, marks, text ----

    /// The attributes that name a piece for programs: its side and its place.
    fn named(&self, role: Role, x: usize, y: usize) -> String {
        let Some((side, _)) = side_of(role) else { return String::new() };
        let named = self.places.iter().find(|place| (place.x, place.y) == (x, y));
        let text = named.map(|place| place.text.as_str());
        text.map(|text| format!(" data-side=\"{side}\" data-at=\"{}\"", super::escape(text)))
            .unwrap_or_default()
    }

    fn signs(&mut self) {
        for y in 0..self.canvas.height() {
            for x in 0..self.canvas.width() {
                let (glyph, role) = self.canvas.at(x, y);
                let is_line = arms(glyph).is_some() || matches!(glyph, '╱' | '╲' | '╳');
                if glyph == ' ' || is_line || self.is_word(x, y) {
                    continue;
                }
                if matches!(glyph, '(' | ')' | '*' | '[' | ']' | '<' | '>') && self.bracket(x, y, glyph, role)
                {
                    continue;
                }
                let is_cell = self.is_cell(x, y);
                let (cx, cy) = self.grid.at(x, y);
                let radius = if is_cell { self.grid.pitch * 0.36 } else { self.grid.column * 0.5 };
                let name = self.named(role, x, y);
                let layer = if role == Role::Last { Layer::Mark } else { Layer::Piece };
                let svg = self.glyph(glyph, role, (cx, cy), radius, &name);
                self.add(layer, svg);
            }
        }
    }

    /// A mark around a cell that stands `away` columns beside it; `false` if there is no cell.
    fn bracket(&mut self, x: usize, y: usize, glyph: char, role: Role) -> bool {
        let opens = matches!(glyph, '(' | '[' | '<');
        let cell = |away: usize| {
            let right = Some(x + away).filter(|_| opens || glyph == '*');
            let left = x.checked_sub(away).filter(|_| !opens);
            right.into_iter().chain(left).find(|&x| self.is_cell(x, y))
        };
        let Some(at) = (1..=3).find_map(cell) else { return false };
        // The colour of a cell that has won says the same as its stars. A mark of which a star hides the half is whole.
        let (glyph, opens, role) = match (glyph, self.canvas.at((2 * at).saturating_sub(x), y)) {
            ('*', _) if !side_of(self.canvas.at(at, y).1).is_some_and(|(_, won)| won) => return false,
            ('*', (')', role)) if x < at => ('(', true, role),
            ('*', _) => return true,
            _ => (glyph, opens, role),
        };
        let (cx, cy) = self.grid.at(at, y);
        let radius = self.grid.pitch * 0.45;
        let towards = if opens { -1.0 } else { 1.0 };
        let (dx, dy) = (towards * radius * 0.74, radius * 0.673);
        let path = match glyph {
            '(' | ')' => format!(
                "M{} {}A{r} {r} 0 0 {} {} {}",
                number(cx + dx),
                number(cy - dy),
                u8::from(!opens),
                number(cx + dx),
                number(cy + dy),
                r = number(radius)
            ),
            '[' | ']' => format!(
                "M{} {}h{}v{}h{}",
                number(cx + dx),
                number(cy - dy),
                number(towards * 5.0),
                number(2.0 * dy),
                number(towards * -5.0)
            ),
            _ => format!(
                "M{} {}L{} {}L{} {}",
                number(cx + dx),
                number(cy - dy),
                number(cx + towards * radius),
                number(cy),
                number(cx + dx),
                number(cy + dy)
            ),
        };
        let colour = self.colour(role);
        let attributes = "fill=\"none\" stroke-width=\"3\" stroke-linecap=\"round\"";
        self.add(Layer::Mark, format!("<path d=\"{path}\" {attributes} stroke=\"{colour}\"/>"));
        true
    }

    /// One sign around a middle.
    fn glyph(&self, glyph: char, role: Role, (x, y): (f64, f64), radius: f64, name: &str) -> String {
        let (colour, page) = (self.colour(role), self.colours.page);
        let edge = number((radius * 0.22).max(1.2));
        let solid = format!("fill=\"{colour}\"");
        let hollow = format!("fill=\"{page}\" stroke=\"{colour}\" stroke-width=\"{edge}\"");
        let disc = |radius: f64, paint: &str| {
            let (x, y, r) = (number(x), number(y), number(radius));
            format!("<circle{name} cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {paint}/>")
        };
        let path = |points: &[(f64, f64)], paint: &str| {
            let points = points
                .iter()
                .map(|(dx, dy)| format!("{} {}", number(x + dx * radius), number(y + dy * radius)));
            format!(
                "<path{name} d=\"M{}z\" {paint} stroke-linejoin=\"round\"/>",
                points.collect::<Vec<_>>().join("L")
            )
        };
        match glyph {
            '●' | '⬤' => disc(radius, &solid),
            '○' | 'O' => disc(radius * 0.89, &hollow),
            '◉' => {
                let ring = format!("fill=\"none\" stroke=\"{page}\" stroke-width=\"{edge}\"");
                format!("{}{}", disc(radius, &solid), disc(radius * 0.55, &ring).replace(name, ""))
            }
            '◎' => {
                format!("{}{}", disc(radius * 0.89, &hollow), disc(radius * 0.4, &solid).replace(name, ""))
            }
            // Pawns differ by where they point.
            '▲' | '▴' => path(&[(0.0, -1.0), (1.0, 0.8), (-1.0, 0.8)], &solid),
            '▼' | '▾' => path(&[(0.0, 1.0), (1.0, -0.8), (-1.0, -0.8)], &solid),
            '◆' => path(&[(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)], &solid),
            '·' | '∙' | '⋅' | '.' => disc(1.8, &solid),
            '∘' => disc(3.0, &hollow),
            'X' | 'x' => {
                let r = radius * 0.85;
                let (left, right, top, bottom) = (number(x - r), number(x + r), number(y - r), number(y + r));
                let wide = number((radius * 0.3).max(1.5));
                format!(
                    "<path{name} d=\"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}\" fill=\"none\" \
                     stroke=\"{colour}\" stroke-width=\"{wide}\" stroke-linecap=\"round\"/>"
                )
            }
            other => {
                let font = Font { size: (radius * 1.7).max(13.0), is_bold: side_of(role).is_some(), colour };
                text(x, y, Anchor::Middle, font, &other.to_string()).replacen(
                    "<text",
                    &format!("<text{name}"),
                    1,
                )
            }
        }
    }

    /// Whether a character is one of a word or number beside the cells.
    fn is_word(&self, x: usize, y: usize) -> bool {
        let (glyph, role) = self.canvas.at(x, y);
        let is_told = matches!(role, Role::Label | Role::Plain) || side_of(role).is_some();
        glyph.is_alphanumeric() && is_told && !self.is_cell(x, y)
    }

    /// A word in a line stands above it, one behind a sign near that.
    fn word(&self, x: usize, y: usize, word: &str) -> String {
        let colour = self.colour(self.canvas.at(x, y).1);
        let font = Font { size: (self.grid.column * 1.5).min(LABEL), is_bold: false, colour };
        let is_name = word.len() > 1 && word.chars().all(char::is_alphabetic);
        if is_name && x > 1 && self.is_sign(x - 2, y) && self.canvas.at(x - 1, y).0 == ' ' {
            let left = self.grid.middle(x - 2) + self.grid.column;
            return text(left, self.grid.centre(y), Anchor::Start, font, word);
        }
        let end = x + word.chars().count();
        let middle = f64::midpoint(self.grid.left(x), self.grid.left(end));
        let is_in_line = self.line_at(x, y).is_some();
        let level = if is_in_line { self.grid.top(y) - font.size * 0.3 } else { self.grid.centre(y) };
        text(middle, level, Anchor::Middle, font, word)
    }

    /// Coordinates and other words, each as one text.
    fn words(&mut self) {
        for y in 0..self.canvas.height() {
            let mut x = 0;
            while x < self.canvas.width() {
                let length = (x..self.canvas.width()).take_while(|&x| self.is_word(x, y)).count();
                if length > 0 {
                    let word: String = (x..x + length).map(|x| self.canvas.at(x, y).0).collect();
                    let svg = self.word(x, y, &word);
                    self.add(Layer::Text, svg);
                }
                x += length.max(1);
            }
        }
    }
}

/// The largest size of coordinates.
const LABEL: f64 = 15.0;

/// Characters of one line.
#[derive(Clone, Copy, Debug)]
struct Run {
    weight: Weight,
    role: Role,
    from: f64,
    to: f64,
    /// The numbers of its characters along it.
    first: usize,
    last: usize,
}

/// A move's number: on a stone, in the corner of another piece's cell, bare in an empty cell, else on a disc of its own.
pub(super) fn numbered(
    canvas: &Canvas,
    grid: &Grid,
    place: &Place,
    (ply, side): (usize, Side),
    colours: &'static Colours,
) -> Element {
    let (glyph, role) = canvas.at(place.x, place.y);
    let ((x, y), content) = (grid.at(place.x, place.y), ply.to_string());
    let (own, paper, won) = (colours.sides[side.index()], colours.page, grid.pitch * 0.3);
    let label = |x: f64, y: f64, size: f64, colour: &'static str| {
        let font = Font { size, is_bold: true, colour };
        text(x, y, Anchor::Middle, font, &content)
    };
    let is_cell = canvas.spots().iter().any(|spot| spot.layer == 0 && (spot.x, spot.y) == (place.x, place.y));
    let height = grid.pitch * if content.len() > 2 { 0.26 } else { 0.32 };
    let disc = |colour: &str| {
        format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{colour}\"/>", number(x), number(y), number(won))
    };
    // The centre of gravity of a triangle.
    let low = grid.pitch * 0.075;
    let svg = match glyph {
        '●' if is_cell => label(x, y, height, paper),
        '○' if is_cell => label(x, y, height, own),
        '◉' if is_cell => disc(own) + &label(x, y, height, paper),
        '◎' if is_cell => disc(paper) + &label(x, y, height, own),
        '▲' | '▼' if is_cell => {
            let y = if glyph == '▲' { y + low } else { y - low };
            label(x, y, grid.pitch * if content.len() > 2 { 0.19 } else { 0.24 }, paper)
        }
        _ if is_cell && side_of(role).is_some() => {
            let away = grid.pitch * 0.36;
            let font = Font { size: grid.pitch * 0.22, is_bold: true, colour: own };
            let beside =
                if matches!(glyph, 'X' | 'x') { 0.0 } else { away + 3.0 - real(content.len()) * 1.5 };
            text(x + beside, y + away, Anchor::Middle, font, &content)
        }
        // Nothing stands there any more.
        _ if is_cell => label(x, y, height * 0.8, own),
        _ => {
            let radius = grid.pitch * 0.2;
            let height = radius * if content.len() > 2 { 0.95 } else { 1.15 };
            let [fill, ink] = if side == Side::First { [own, paper] } else { [paper, own] };
            format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\" stroke=\"{own}\" stroke-width=\"1.5\"/>{}",
                number(x),
                number(y),
                number(radius),
                label(x, y, height, ink)
            )
        }
    };
    Element::new(Layer::Text, svg)
}
