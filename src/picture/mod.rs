//! Pictures of boards as SVG: a position, the sheet of a whole game, a game that moves. Knows canvases and positions, no
//! game and no terminal: lines and pieces are drawn from the characters, roles and spots that a game paints.

mod animation;
mod film;
mod grid;
mod shapes;
mod sheet;
mod svg;

use std::sync::Arc;

use crate::canvas::{Canvas, Glyphs, Hue, PaintOptions, Spot};
use crate::game::Side;
use crate::session::Position;

pub use animation::animation;
pub use film::{Film, Step};
pub use sheet::{Heading, sheet};
pub use svg::escape;

use grid::Grid;
use svg::{Document, Element, GAP};

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark signs on white, for print.
    #[default]
    Light,
    /// Light signs on dark, for screens.
    Dark,
    /// The colours that a page gives by the variables of its style: `--page`, `--tile`, `--line`, `--label`, `--text`,
    /// `--mark`, `--first`, `--second`, `--first-won`, `--second-won`.
    Page,
}

/// What each part of a picture is painted with.
#[derive(Debug)]
struct Colours {
    page: &'static str,
    tile: &'static str,
    line: &'static str,
    label: &'static str,
    text: &'static str,
    mark: &'static str,
    sides: [&'static str; 2],
    /// The cells of a winning line.
    won: [&'static str; 2],
}

const LIGHT: Colours = Colours {
    page: "#ffffff",
    tile: "#f4f2ed",
    line: "#a8a69f",
    label: "#6a6a6a",
    text: "#24262b",
    mark: "#6b2fb3",
    sides: ["#b3202e", "#0b55b0"],
    won: ["#f6cfd2", "#cbdff7"],
};

const DARK: Colours = Colours {
    page: "#1e2127",
    tile: "#292d35",
    line: "#5b616c",
    label: "#8b919c",
    text: "#dcdfe4",
    mark: "#ffd68a",
    sides: ["#ff7b86", "#8cc8ff"],
    won: ["#5d2a33", "#204a70"],
};

const PAGE: Colours = Colours {
    page: "var(--page)",
    tile: "var(--tile)",
    line: "var(--line)",
    label: "var(--label)",
    text: "var(--text)",
    mark: "var(--mark)",
    sides: ["var(--first)", "var(--second)"],
    won: ["var(--first-won)", "var(--second-won)"],
};

impl Theme {
    /// The colours for sides that are drawn like this.
    fn colours(self, hues: [Hue; 2]) -> &'static Colours {
        match (self, hues) {
            (Theme::Light, [Hue::White, Hue::Black]) => {
                &Colours { sides: ["#8f4a00", "#000000"], won: ["#f0dcc4", "#d5d5d5"], ..LIGHT }
            }
            (Theme::Dark, [Hue::White, Hue::Black]) => {
                &Colours { sides: ["#ffffff", "#c3a6ff"], won: ["#4a4f59", "#41356b"], ..DARK }
            }
            (Theme::Light, _) => &LIGHT,
            (Theme::Dark, _) => &DARK,
            (Theme::Page, _) => &PAGE,
        }
    }
}

/// A position: its board with the last move marked, and lines of text below it. `title` is the text for those who do
/// not see the picture.
///
/// ```
/// use crosspath::picture::{Theme, board};
/// use crosspath::registry::{Variant, find};
/// let start = find("hex")?.start(&Variant::of_size(5))?;
/// let next = start.play("c3").expect("the middle is free");
/// let svg = board(&*next, "Hex 5x5, Red on c3", &["Blue to move.".to_owned()], Theme::Light);
/// assert!(svg.starts_with("<svg ") && svg.contains(r#"data-side="first" data-at="c3""#));
/// # Ok::<(), crosspath::registry::OpenError>(())
/// ```
#[must_use]
pub fn board(position: &dyn Position, title: &str, below: &[String], theme: Theme) -> String {
    let drawing = Drawing::of(position);
    let mut page = Document::new(theme.colours(position.drawn().hues()), title);
    let elements = drawing.elements(position, Marks::Last, page.colours);
    page.widen_for(below);
    page.put(&elements, drawing.grid.size());
    page.skip(GAP);
    page.lines(below);
    page.finish()
}

/// The colours of a theme for the sides of this position, as the variables that [`Theme::Page`] paints with.
#[must_use]
pub fn variables(position: &dyn Position, theme: Theme) -> String {
    let &Colours { page, tile, line, label, text, mark, sides, won } = theme.colours(position.drawn().hues());
    let all =
        [("page", page), ("tile", tile), ("line", line), ("label", label), ("text", text), ("mark", mark)];
    let of_sides = [("first", sides[0]), ("second", sides[1]), ("first-won", won[0]), ("second-won", won[1])];
    all.into_iter()
        .chain(of_sides)
        .map(|(name, colour)| format!("--{name}: {colour};"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether the last move is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marks {
    None,
    Last,
}

/// How the positions of one game are drawn: all in the same way.
#[derive(Debug)]
struct Drawing {
    density: usize,
    grid: Grid,
    /// The board before the first move, on which every cell has its own name.
    empty: Canvas,
}

impl Drawing {
    /// The smallest way to draw the board in which places have room between them; where no neighbours tell that, the
    /// one after the smallest.
    fn of(position: &dyn Position) -> Self {
        let count = position.drawn().board_sizes().len();
        let start = position.start();
        let canvas_of = |density| painted(&*start, density, Marks::None, None);
        let is_roomy = |&density: &usize| Grid::is_roomy(&canvas_of(density));
        let density = (0..count).find(is_roomy).unwrap_or(1.min(count - 1));
        let empty = canvas_of(density);
        Drawing { density, grid: Grid::of(&empty), empty }
    }

    fn elements(&self, position: &dyn Position, marks: Marks, colours: &'static Colours) -> Vec<Element> {
        let canvas = painted(position, self.density, marks, None);
        let pieces = Side::BOTH.into_iter().flat_map(|side| position.view().pieces(side));
        let places: Vec<Place> = pieces.filter_map(|text| self.place(position, &text)).collect();
        shapes::elements(&canvas, &self.grid, &places, colours)
    }

    /// A position without marks.
    fn canvas(&self, position: &dyn Position) -> Canvas {
        painted(position, self.density, Marks::None, None)
    }

    /// Where a move is on the board: the middle of what it puts there.
    fn place(&self, position: &dyn Position, text: &str) -> Option<Place> {
        let named = |spot: &Spot| Place { x: spot.x, y: spot.y, text: text.to_owned() };
        let spot = self.empty.find(text)?;
        if spot.layer == 0 {
            return Some(named(spot));
        }
        // What covers several places has its name in its middle only while the cursor is on it.
        painted(position, self.density, Marks::None, Some(text)).find(text).map(named)
    }
}

/// Where a move is on a canvas.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    x: usize,
    y: usize,
    text: String,
}

fn painted(position: &dyn Position, density: usize, marks: Marks, cursor: Option<&str>) -> Canvas {
    let last = position.last().filter(|_| marks == Marks::Last);
    let look = PaintOptions {
        glyphs: Glyphs::Unicode,
        density,
        last: last.as_deref(),
        cursor,
        ..PaintOptions::default()
    };
    position.drawn().paint(&look)
}

/// A position and all before it, the first one in front.
fn line_to(position: &Arc<dyn Position>) -> Vec<Arc<dyn Position>> {
    let mut line: Vec<_> =
        std::iter::successors(Some(Arc::clone(position)), |position| position.parent()).collect();
    line.reverse();
    line
}

/// A count as a measure.
fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
