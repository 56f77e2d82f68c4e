//! Converts a drawn screen to SVG. The output depends only on the cells of the screen.

use std::collections::BTreeMap;

use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::style::{Color, Modifier};

use super::theme::Palette;
use crate::picture::escape_xml;

/// Returns a colour in SVG notation, or `None` if it is not an RGB colour.
fn svg_colour(colour: Color) -> Option<String> {
    let Color::Rgb(red, green, blue) = colour else { return None };
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// Returns the text colour and the background colour of a cell.
fn text_and_background_colours(cell: &Cell, palette: &Palette) -> [Option<String>; 2] {
    let own = |colour, usual| svg_colour(colour).or_else(|| svg_colour(usual));
    let [text, ground] = [own(cell.fg, palette.text), own(cell.bg, palette.ground)];
    if cell.modifier.contains(Modifier::REVERSED) { [ground, text] } else { [text, ground] }
}

/// Width of a character, in tenths of a pixel.
const CHAR_WIDTH_TENTHS: u32 = 96;
/// Height of a character, in tenths of a pixel.
const CHAR_HEIGHT_TENTHS: u32 = 200;
/// Width of the margin around the screen, in tenths of a pixel.
const SCREEN_MARGIN_TENTHS: u32 = 100;
/// Distance of a row's baseline from its top, in tenths of a pixel.
const BASELINE_TENTHS: u32 = 149;

/// Formats tenths of a pixel as an SVG number.
fn format_tenths_of_pixel(tenths: u32) -> String {
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        part => format!("{}.{part}", tenths / 10),
    }
}

/// Returns the colours of the upper and the lower half of a cell.
///
/// A half has the text colour if a block character fills it, otherwise the background.
fn half_cell_colours(cell: &Cell, text: Option<String>, ground: Option<String>) -> [Option<String>; 2] {
    match cell.symbol() {
        "█" => [text.clone(), text],
        "▀" => [text, ground],
        "▄" => [ground, text],
        _ => [ground.clone(), ground],
    }
}

/// Reports whether a cell shows a character other than a block.
fn has_visible_text(cell: &Cell) -> bool {
    !cell.modifier.contains(Modifier::HIDDEN) && !["", "█", "▀", "▄"].contains(&cell.symbol().trim())
}

/// Renders the backgrounds of a row as rectangles.
///
/// Neighbouring cells of one colour share a rectangle, and so do equal halves.
fn render_row_rectangles(halves: &[Vec<Option<String>>; 2], top: u32) -> String {
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
        let columns = |count| CHAR_WIDTH_TENTHS * u32::try_from(count).unwrap_or_default();
        let top = if is_in[0] { top } else { top + CHAR_HEIGHT_TENTHS / 2 };
        let height = if is_in == [true; 2] { CHAR_HEIGHT_TENTHS } else { CHAR_HEIGHT_TENTHS / 2 };
        let [x, y, width, height] =
            [SCREEN_MARGIN_TENTHS + columns(from), top, columns(count), height].map(format_tenths_of_pixel);
        text.extend(["<rect x=\"", &x, "\" y=\"", &y, "\" width=\"", &width]);
        text.extend(["\" height=\"", &height, "\" fill=\"", colour, "\"/>\n"]);
    }
    text
}

/// Renders a screen as an SVG picture in the colours of its theme.
///
/// Every character has its own position, so that another font in the viewer shifts nothing. `title`
/// is the alternative text of the picture.
///
/// ```
/// use crosspath::ui::tui::{Palette, render_svg_screenshot};
/// use ratatui_core::buffer::Buffer;
/// let svg = render_svg_screenshot(&Buffer::with_lines(["a < b"]), "an example", &Palette::DARK);
/// assert!(svg.contains("width=\"68\" height=\"40\"") && svg.contains(">&lt;</text>"));
/// ```
pub fn render_svg_screenshot(buffer: &Buffer, title: &str, palette: &Palette) -> String {
    let area = buffer.area;
    let (mut behind, mut groups) = (String::new(), BTreeMap::<String, String>::new());
    let behind_all = svg_colour(palette.ground);
    for y in 0..area.height {
        let mut halves = [Vec::new(), Vec::new()];
        for x in 0..area.width {
            let Some(cell) = buffer.cell((area.x + x, area.y + y)) else { continue };
            let (left, base) = (
                SCREEN_MARGIN_TENTHS + CHAR_WIDTH_TENTHS * u32::from(x),
                SCREEN_MARGIN_TENTHS + CHAR_HEIGHT_TENTHS * u32::from(y) + BASELINE_TENTHS,
            );
            let [text, ground] = text_and_background_colours(cell, palette);
            if has_visible_text(cell) {
                let look = svg_text_attributes(text.as_deref().unwrap_or_default(), cell.modifier);
                let group = groups.entry(look).or_default();
                let (left, base, symbol) =
                    (format_tenths_of_pixel(left), format_tenths_of_pixel(base), escape_xml(cell.symbol()));
                group.extend(["<text x=\"", &left, "\" y=\"", &base, "\">", &symbol, "</text>\n"]);
            }
            for (half, colour) in halves.iter_mut().zip(half_cell_colours(cell, text, ground)) {
                half.push(colour.filter(|colour| Some(colour) != behind_all.as_ref()));
            }
        }
        behind += &render_row_rectangles(&halves, SCREEN_MARGIN_TENTHS + CHAR_HEIGHT_TENTHS * u32::from(y));
    }
    let [width, height] = [(CHAR_WIDTH_TENTHS, area.width), (CHAR_HEIGHT_TENTHS, area.height)]
        .map(|(size, count)| format_tenths_of_pixel(size * u32::from(count) + 2 * SCREEN_MARGIN_TENTHS));
    let mut text = String::new();
    for (look, texts) in &groups {
        text.extend(["<g ", look, ">\n", texts, "</g>\n"]);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"16\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{}\" stroke=\"#7f848e\" stroke-opacity=\".4\"/>\n\
         <g shape-rendering=\"crispEdges\">\n{behind}</g>\n{text}</svg>\n",
        escape_xml(title),
        behind_all.unwrap_or_default()
    )
}

/// Renders the style of a character as SVG attributes.
fn svg_text_attributes(colour: &str, modifier: Modifier) -> String {
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
