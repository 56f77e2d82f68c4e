//! Pictures of boards as SVG: a position, the sheet of a whole game, a game that moves. Knows scenes and positions, no game
//! and no terminal.

mod animation;
mod film;
pub mod page;
mod sheet;
mod svg;
mod tiles;

use std::sync::Arc;

use crate::canvas::PaintOptions;
use crate::drawing::{Hue, Scene, Site};
use crate::session::Position;

pub use animation::animation;
pub use film::{Film, FilmData, Step};
pub use sheet::{Heading, sheet};
pub use svg::escape;

use svg::{Document, Element, GAP};
use tiles::{Names, Plan};

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SvgTheme {
    /// Dark signs on white, for print.
    #[default]
    Light,
    /// Light signs on dark, for screens.
    Dark,
    /// The colours that a page gives by the variables of its style: `--page`, `--tile` and two more shades of it,
    /// `--tile-2` and `--tile-3`, `--line`, `--label`, `--text`, `--mark`, `--first`, `--second`, `--first-won`,
    /// `--second-won`.
    Page,
}

/// Colours of the parts of a picture.
#[derive(Debug)]
struct Colours {
    page: &'static str,
    /// Three shades: no two hexagons that touch have the same.
    tiles: [&'static str; 3],
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
    tiles: ["#f4f2ed", "#ece9e2", "#e4e0d7"],
    line: "#a8a69f",
    label: "#6a6a6a",
    text: "#24262b",
    mark: "#6b2fb3",
    sides: ["#b3202e", "#0b55b0"],
    won: ["#f6cfd2", "#cbdff7"],
};

const DARK: Colours = Colours {
    page: "#1e2127",
    tiles: ["#282c34", "#2f343d", "#363c46"],
    line: "#5b616c",
    label: "#8b919c",
    text: "#dcdfe4",
    mark: "#ffd68a",
    sides: ["#ff7b86", "#8cc8ff"],
    won: ["#5d2a33", "#204a70"],
};

const PAGE: Colours = Colours {
    page: "var(--page)",
    tiles: ["var(--tile)", "var(--tile-2)", "var(--tile-3)"],
    line: "var(--line)",
    label: "var(--label)",
    text: "var(--text)",
    mark: "var(--mark)",
    sides: ["var(--first)", "var(--second)"],
    won: ["var(--first-won)", "var(--second-won)"],
};

impl SvgTheme {
    /// The colours for sides that are drawn like this.
    fn colours(self, hues: [Hue; 2]) -> &'static Colours {
        match (self, hues) {
            (SvgTheme::Light, [Hue::White, Hue::Black]) => {
                &Colours { sides: ["#8f4a00", "#000000"], won: ["#f0dcc4", "#d5d5d5"], ..LIGHT }
            }
            (SvgTheme::Dark, [Hue::White, Hue::Black]) => {
                &Colours { sides: ["#ffffff", "#c3a6ff"], won: ["#4a4f59", "#41356b"], ..DARK }
            }
            (SvgTheme::Light, _) => &LIGHT,
            (SvgTheme::Dark, _) => &DARK,
            (SvgTheme::Page, _) => &PAGE,
        }
    }
}

/// A position: its board with the last move marked, and lines of text below it. `title` is the text for those who do
/// not see the picture.
///
/// ```
/// use crosspath::picture::{SvgTheme, board};
/// use crosspath::registry::{Variant, find};
/// let start = find("hex")?.start(&Variant::of_size(5))?;
/// let next = start.play("c3").expect("the middle is free");
/// let svg = board(&*next, "Hex 5x5, Red on c3", &["Blue to move.".to_owned()], SvgTheme::Light);
/// assert!(svg.starts_with("<svg ") && svg.contains(r#"data-side="first" data-at="c3""#));
/// # Ok::<(), crosspath::registry::OpenError>(())
/// ```
#[must_use]
pub fn board(position: &dyn Position, title: &str, below: &[String], theme: SvgTheme) -> String {
    let drawing = Drawing::of(position);
    let mut page = Document::new(theme.colours(position.drawn().hues()), title);
    let elements = drawing.elements(position, Marks::Last, page.colours);
    page.widen_for(below);
    page.put(&elements, drawing.plan.size);
    page.skip(GAP);
    page.lines(below);
    page.finish()
}

/// The colours of a theme for the sides of this position, as the variables that [`SvgTheme::Page`] paints with.
#[must_use]
pub fn variables(position: &dyn Position, theme: SvgTheme) -> String {
    let &Colours { page, tiles: [tile, tile_2, tile_3], line, label, text, mark, sides, won } =
        theme.colours(position.drawn().hues());
    let all = [
        ("page", page),
        ("tile", tile),
        ("tile-2", tile_2),
        ("tile-3", tile_3),
        ("line", line),
        ("label", label),
        ("text", text),
        ("mark", mark),
    ];
    let of_sides = [("first", sides[0]), ("second", sides[1]), ("first-won", won[0]), ("second-won", won[1])];
    all.into_iter()
        .chain(of_sides)
        .map(|(name, colour)| format!("--{name}: {colour};"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// `true` if the last move is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marks {
    None,
    Last,
}

/// Settings with which all positions of one game are drawn.
#[derive(Debug)]
struct Drawing {
    plan: Plan,
    names: Names,
}

impl Drawing {
    /// Before the first move every place has its own name.
    fn of(position: &dyn Position) -> Self {
        let empty = scene(&*position.start(), Marks::None);
        Drawing { plan: Plan::of(&empty), names: empty.spots.into_iter().collect() }
    }

    fn elements(&self, position: &dyn Position, marks: Marks, colours: &'static Colours) -> Vec<Element> {
        tiles::elements(&scene(position, marks), &self.plan, &self.names, colours)
    }

    /// The place that a move means.
    fn place(&self, text: &str) -> Option<Site> {
        self.names.iter().find(|(_, name)| *name == text).map(|(site, _)| *site)
    }
}

fn scene(position: &dyn Position, marks: Marks) -> Scene {
    let last = position.last().filter(|_| marks == Marks::Last);
    position.drawn().scene(&PaintOptions { last: last.as_deref(), ..PaintOptions::default() })
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
