//! SVG pictures of boards: a position, the sheet of a whole game, an animated game. This module depends on
//! scenes and positions, not on any game or the terminal.

mod animation;
mod film;
pub mod page;
mod sheet;
mod svg;
mod tiles;

use std::sync::Arc;

use crate::canvas::PaintOptions;
use crate::drawing::{BoardSite, Hue, Scene};
use crate::session::Position;

pub use animation::render_animation;
pub use film::{GameAnimation, GameAnimationData, ShapeChange};
pub use sheet::{PictureHeading, render_game_sheet};
pub use svg::escape_xml;

use svg::{BOARD_TEXT_GAP, SvgElement, SvgPage};
use tiles::{BoardLayout, SiteNames};

/// Colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SvgTheme {
    /// Dark shapes on white, for print.
    #[default]
    Light,
    /// Light shapes on a dark background, for screens.
    Dark,
    /// Colours from CSS variables of the page: `--page`, `--tile` and its other shades `--tile-2` and
    /// `--tile-3`, `--line`, `--label`, `--text`, `--mark`, `--first`, `--second`, `--first-won`,
    /// `--second-won`.
    Page,
}

/// Colours of the parts of a picture.
#[derive(Debug)]
struct SvgPalette {
    page: &'static str,
    /// Three shades of tiles. Adjacent hexagons have different shades.
    tiles: [&'static str; 3],
    line: &'static str,
    label: &'static str,
    text: &'static str,
    mark: &'static str,
    sides: [&'static str; 2],
    /// Colour of the tiles of a winning line, by side.
    won: [&'static str; 2],
}

/// Colours of [`SvgTheme::Light`].
const LIGHT_PALETTE: SvgPalette = SvgPalette {
    page: "#ffffff",
    tiles: ["#f4f2ed", "#ece9e2", "#e4e0d7"],
    line: "#a8a69f",
    label: "#6a6a6a",
    text: "#24262b",
    mark: "#6b2fb3",
    sides: ["#b3202e", "#0b55b0"],
    won: ["#f6cfd2", "#cbdff7"],
};

/// Colours of [`SvgTheme::Dark`].
const DARK_PALETTE: SvgPalette = SvgPalette {
    page: "#1e2127",
    tiles: ["#282c34", "#2f343d", "#363c46"],
    line: "#5b616c",
    label: "#8b919c",
    text: "#dcdfe4",
    mark: "#ffd68a",
    sides: ["#ff7b86", "#8cc8ff"],
    won: ["#5d2a33", "#204a70"],
};

/// Colours of [`SvgTheme::Page`].
const CSS_VARIABLE_PALETTE: SvgPalette = SvgPalette {
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
    /// Returns the palette for sides with these hues.
    fn palette(self, hues: [Hue; 2]) -> &'static SvgPalette {
        match (self, hues) {
            (SvgTheme::Light, [Hue::White, Hue::Black]) => {
                &SvgPalette { sides: ["#8f4a00", "#000000"], won: ["#f0dcc4", "#d5d5d5"], ..LIGHT_PALETTE }
            }
            (SvgTheme::Dark, [Hue::White, Hue::Black]) => {
                &SvgPalette { sides: ["#ffffff", "#c3a6ff"], won: ["#4a4f59", "#41356b"], ..DARK_PALETTE }
            }
            (SvgTheme::Light, _) => &LIGHT_PALETTE,
            (SvgTheme::Dark, _) => &DARK_PALETTE,
            (SvgTheme::Page, _) => &CSS_VARIABLE_PALETTE,
        }
    }
}

/// Renders a position: its board with the last move marked, and lines of text below it. `title` is the
/// alternative text.
///
/// ```
/// use crosspath::picture::{SvgTheme, render_board_svg};
/// use crosspath::registry::{Variant, find_game};
/// let start = find_game("hex")?.start_position(&Variant::of_size(5))?;
/// let next = start.play("c3").expect("the middle is free");
/// let svg = render_board_svg(&*next, "Hex 5x5, Red on c3", &["Blue to move.".to_owned()], SvgTheme::Light);
/// assert!(svg.starts_with("<svg ") && svg.contains(r#"data-side="first" data-at="c3""#));
/// # Ok::<(), crosspath::registry::BoardSetupError>(())
/// ```
#[must_use]
pub fn render_board_svg(position: &dyn Position, title: &str, below: &[String], theme: SvgTheme) -> String {
    let drawing = BoardDrawing::for_game_of(position);
    let mut page = SvgPage::new(theme.palette(position.as_paint().side_hues()), title);
    let elements = drawing.position_elements(position, LastMoveMark::Last, page.colours);
    page.widen_for_lines(below);
    page.add_elements(&elements, drawing.plan.size);
    page.add_space(BOARD_TEXT_GAP);
    page.add_lines(below);
    page.into_svg()
}

/// Renders the colours of a theme for the sides of this position as the CSS variables of [`SvgTheme::Page`].
#[must_use]
pub fn render_css_variables(position: &dyn Position, theme: SvgTheme) -> String {
    let &SvgPalette { page, tiles: [tile, tile_2, tile_3], line, label, text, mark, sides, won } =
        theme.palette(position.as_paint().side_hues());
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

/// Choice between a marked and an unmarked last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastMoveMark {
    None,
    Last,
}

/// Layout and site names shared by all drawings of one game.
#[derive(Debug)]
struct BoardDrawing {
    plan: BoardLayout,
    names: SiteNames,
}

impl BoardDrawing {
    /// Creates the drawing for the game of a position. The names of sites come from its first position.
    fn for_game_of(position: &dyn Position) -> Self {
        let empty = position_scene(&*position.start_position(), LastMoveMark::None);
        BoardDrawing { plan: BoardLayout::for_scene(&empty), names: empty.spots.into_iter().collect() }
    }

    /// Returns the SVG elements of a position.
    fn position_elements(
        &self,
        position: &dyn Position,
        marks: LastMoveMark,
        colours: &'static SvgPalette,
    ) -> Vec<SvgElement> {
        tiles::render_scene(&position_scene(position, marks), &self.plan, &self.names, colours)
    }

    /// Returns the site of a move.
    fn find_site(&self, text: &str) -> Option<BoardSite> {
        self.names.iter().find(|(_, name)| *name == text).map(|(site, _)| *site)
    }
}

/// Returns the scene of a position, with or without a mark on the last move.
fn position_scene(position: &dyn Position, marks: LastMoveMark) -> Scene {
    let last = position.last_move().filter(|_| marks == LastMoveMark::Last);
    position.as_paint().scene(&PaintOptions { last: last.as_deref(), ..PaintOptions::default() })
}

/// Returns all positions of a game up to this one, first to last.
fn positions_up_to(position: &Arc<dyn Position>) -> Vec<Arc<dyn Position>> {
    let mut line: Vec<_> =
        std::iter::successors(Some(Arc::clone(position)), |position| position.parent()).collect();
    line.reverse();
    line
}

/// Converts a count to a floating-point number.
fn count_as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
