//! A drawn screen as SVG. Knows cells, no scene: the same cells give the same bytes.

use std::collections::BTreeMap;

use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::style::{Color, Modifier};

use super::theme::Palette;
use crate::picture::escape;

/// A colour as SVG writes it; `None` if it is none of the theme's own.
fn shown(colour: Color) -> Option<String> {
    let Color::Rgb(red, green, blue) = colour else { return None };
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// What a cell is written with, and what is behind it.
fn colours(cell: &Cell, palette: &Palette) -> [Option<String>; 2] {
    let own = |colour, usual| shown(colour).or_else(|| shown(usual));
    let [text, ground] = [own(cell.fg, palette.text), own(cell.bg, palette.ground)];
    if cell.modifier.contains(Modifier::REVERSED) { [ground, text] } else { [text, ground] }
}

/// The size of a character, in tenths of a pixel, and the space around the screen.
const WIDTH: u32 = 96;
const HEIGHT: u32 = 200;
const MARGIN: u32 = 100;
/// The base line of a row, below its top.
const BASE: u32 = 149;

/// Tenths of a pixel as SVG writes them.
fn pixels(tenths: u32) -> String {
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        part => format!("{}.{part}", tenths / 10),
    }
}

/// A screen as a picture, in the colours of its theme: every character at its own place, so that nothing drifts where the
/// viewer has another font. `title` is the text for those who do not see the picture.
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
        for x in 0..area.width {
            let Some(cell) = buffer.cell((area.x + x, area.y + y)) else { continue };
            let (left, top) = (MARGIN + WIDTH * u32::from(x), MARGIN + HEIGHT * u32::from(y));
            let [text, ground] = colours(cell, palette);
            if let Some(colour) = ground.filter(|ground| Some(ground) != behind_all.as_ref()) {
                let (left, top) = (pixels(left), pixels(top));
                behind.extend([
                    "<rect x=\"",
                    &left,
                    "\" y=\"",
                    &top,
                    "\" width=\"9.6\" height=\"20\" fill=\"",
                    &colour,
                    "\"/>\n",
                ]);
            }
            if !cell.symbol().trim().is_empty() && !cell.modifier.contains(Modifier::HIDDEN) {
                let look = attributes(&text.unwrap_or_default(), cell.modifier);
                let group = groups.entry(look).or_default();
                let (left, base, symbol) = (pixels(left), pixels(top + BASE), escape(cell.symbol()));
                group.extend(["<text x=\"", &left, "\" y=\"", &base, "\">", &symbol, "</text>\n"]);
            }
        }
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

/// The look of a character as attributes.
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
