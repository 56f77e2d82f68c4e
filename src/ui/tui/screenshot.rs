//! A drawn screen as SVG. Knows cells, no scene: the same cells give the same bytes.

use std::collections::BTreeMap;

use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::style::{Color, Modifier};

use super::theme::Palette;
use crate::picture::escape;

/// Returns a colour as SVG writes it; `None` if it is none of the theme's own.
fn shown(colour: Color) -> Option<String> {
    let Color::Rgb(red, green, blue) = colour else { return None };
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// Returns the colour of a cell's text and of its background.
fn colours(cell: &Cell, palette: &Palette) -> [Option<String>; 2] {
    let own = |colour, usual| shown(colour).or_else(|| shown(usual));
    let [text, ground] = [own(cell.fg, palette.text), own(cell.bg, palette.ground)];
    if cell.modifier.contains(Modifier::REVERSED) { [ground, text] } else { [text, ground] }
}

/// Size of a character, in tenths of a pixel, and of the space around the screen.
const WIDTH: u32 = 96;
const HEIGHT: u32 = 200;
const MARGIN: u32 = 100;
/// Distance of a row's base line from its top.
const BASE: u32 = 149;

/// Returns tenths of a pixel as SVG writes them.
fn pixels(tenths: u32) -> String {
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        part => format!("{}.{part}", tenths / 10),
    }
}

/// Returns the colours of the upper and the lower half of a cell: of its blocks if they fill it,
/// else of its background.
fn halves_of(cell: &Cell, text: Option<String>, ground: Option<String>) -> [Option<String>; 2] {
    match cell.symbol() {
        "█" => [text.clone(), text],
        "▀" => [text, ground],
        "▄" => [ground, text],
        _ => [ground.clone(), ground],
    }
}

/// Reports whether a cell shows a character that is no block.
fn has_text(cell: &Cell) -> bool {
    !cell.modifier.contains(Modifier::HIDDEN) && !["", "█", "▀", "▄"].contains(&cell.symbol().trim())
}

/// Returns the colours of a row of characters, as few rectangles: neighbours of one colour are one,
/// and so are both halves where they are alike.
fn rectangles(halves: &[Vec<Option<String>>; 2], top: u32) -> String {
    let mut runs = BTreeMap::<_, [bool; 2]>::new();
    for (index, half) in halves.iter().enumerate() {
        let mut from = 0;
        for part in half.chunk_by(|left, right| left == right) {
            runs.entry((from, part.len(), part[0].as_ref())).or_default()[index] = true;
            from += part.len();
        }
    }
    let mut text = String::new();
    for ((from, count, colour), is_in) in runs {
        let Some(colour) = colour else { continue };
        let columns = |count| WIDTH * u32::try_from(count).unwrap_or_default();
        let top = if is_in[0] { top } else { top + HEIGHT / 2 };
        let height = if is_in == [true; 2] { HEIGHT } else { HEIGHT / 2 };
        let [x, y, width, height] = [MARGIN + columns(from), top, columns(count), height].map(pixels);
        text.extend(["<rect x=\"", &x, "\" y=\"", &y, "\" width=\"", &width]);
        text.extend(["\" height=\"", &height, "\" fill=\"", colour, "\"/>\n"]);
    }
    text
}

/// Returns a screen as a picture, in the colours of its theme: every character at its own place, so
/// that nothing drifts where the viewer has another font. `title` is the text for those who do not
/// see the picture.
///
/// ```
/// use crosspath::ui::tui::{Palette, screenshot};
/// use ratatui_core::buffer::Buffer;
/// let svg = screenshot(&Buffer::with_lines(["a < b"]), "an example", &Palette::DARK);
/// assert!(svg.contains("width=\"68\" height=\"40\"") && svg.contains(">&lt;</text>"));
/// ```
pub fn screenshot(buffer: &Buffer, title: &str, palette: &Palette) -> String {
    let area = buffer.area;
    let (mut behind, mut groups) = (String::new(), BTreeMap::<String, String>::new());
    let behind_all = shown(palette.ground);
    for y in 0..area.height {
        let mut halves = [Vec::new(), Vec::new()];
        for x in 0..area.width {
            let Some(cell) = buffer.cell((area.x + x, area.y + y)) else { continue };
            let (left, base) = (MARGIN + WIDTH * u32::from(x), MARGIN + HEIGHT * u32::from(y) + BASE);
            let [text, ground] = colours(cell, palette);
            if has_text(cell) {
                let look = attributes(text.as_deref().unwrap_or_default(), cell.modifier);
                let group = groups.entry(look).or_default();
                let (left, base, symbol) = (pixels(left), pixels(base), escape(cell.symbol()));
                group.extend(["<text x=\"", &left, "\" y=\"", &base, "\">", &symbol, "</text>\n"]);
            }
            for (half, colour) in halves.iter_mut().zip(halves_of(cell, text, ground)) {
                half.push(colour.filter(|colour| Some(colour) != behind_all.as_ref()));
            }
        }
        behind += &rectangles(&halves, MARGIN + HEIGHT * u32::from(y));
    }
    let [width, height] = [(WIDTH, area.width), (HEIGHT, area.height)]
        .map(|(size, count)| pixels(size * u32::from(count) + 2 * MARGIN));
    let mut text = String::new();
    for (look, texts) in &groups {
        text.extend(["<g ", look, ">\n", texts, "</g>\n"]);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"16\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{}\" stroke=\"#7f848e\" stroke-opacity=\".4\"/>\n\
         <g shape-rendering=\"crispEdges\">\n{behind}</g>\n{text}</svg>\n",
        escape(title),
        behind_all.unwrap_or_default()
    )
}

/// Returns the style of a character as attributes.
fn attributes(colour: &str, modifier: Modifier) -> String {
    let mut attributes = format!("fill=\"{colour}\"");
    for (is_so, attribute) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
        (Modifier::DIM, " opacity=\".5\""),
    ] {
        if modifier.contains(is_so) {
            attributes += attribute;
        }
    }
    attributes
}
