//! SVG output: numbers, escaped text, layers, and the page around a drawing. This module does not depend on
//! scenes.

use super::{SvgPalette, count_as_f64};
use crate::text::columns::wrap_line;

/// Layer of a picture, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SvgLayer {
    Band,
    Tile,
    /// Highlighted tile.
    Lit,
    /// Lines that connect pieces.
    Link,
    Piece,
    Mark,
    Text,
}

/// SVG shape with its layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SvgElement {
    pub(super) layer: SvgLayer,
    pub(super) svg: String,
}

impl SvgElement {
    /// Creates an element from SVG text.
    pub(super) fn new(layer: SvgLayer, svg: String) -> Self {
        SvgElement { layer, svg }
    }
}

/// Formats a number with at most two decimals, without trailing zeros.
pub(super) fn format_svg_number(value: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "measures of a picture")]
    let hundredths = (value * 100.0).round() as i64;
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, rest) = (hundredths.abs() / 100, hundredths.abs() % 100);
    match (rest / 10, rest % 10) {
        (0, 0) => format!("{sign}{whole}"),
        (tenths, 0) => format!("{sign}{whole}.{tenths}"),
        _ => format!("{sign}{whole}.{rest:02}"),
    }
}

/// Escapes text for XML content and attribute values.
///
/// ```
/// assert_eq!(crosspath::picture::escape_xml("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
/// ```
#[must_use]
pub fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // These are not allowed in XML.
            '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            c if c.is_control() => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Size, weight and colour of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct SvgFont {
    pub(super) size: f64,
    pub(super) is_bold: bool,
    pub(super) colour: &'static str,
}

/// Horizontal alignment of text at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextAnchor {
    Start,
    Middle,
}

/// Renders text whose vertical middle, not its baseline, is at `y`.
pub(super) fn render_text_element(
    x: f64,
    y: f64,
    anchor: TextAnchor,
    font: SvgFont,
    content: &str,
) -> String {
    let anchor = if anchor == TextAnchor::Middle { " text-anchor=\"middle\"" } else { "" };
    let weight = if font.is_bold { " font-weight=\"bold\"" } else { "" };
    format!(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{anchor}{weight}>{}</text>",
        format_svg_number(x),
        format_svg_number(y + font.size * 0.36),
        format_svg_number(font.size),
        font.colour,
        escape_xml(content)
    )
}

/// Width of a character divided by its font size.
pub(super) const CHARACTER_WIDTH_RATIO: f64 = 0.61;
/// Margin of the page, in SVG units.
const PAGE_MARGIN: f64 = 20.0;
/// Font size of ordinary text, in SVG units.
pub(super) const TEXT_SIZE: f64 = 14.0;
/// Height of a line of ordinary text, in SVG units.
pub(super) const LINE_HEIGHT: f64 = 22.0;
/// Space between a board and the text below it, in SVG units.
pub(super) const BOARD_TEXT_GAP: f64 = 8.0;
/// Maximum display width of a picture, in pixels. Wider pictures are scaled down.
const MAX_DISPLAY_WIDTH: f64 = 880.0;
/// Maximum width to which text alone widens a page, in SVG units.
const MAX_WIDTH_FOR_TEXT: f64 = 440.0;

/// SVG page to which content is added from top to bottom.
#[derive(Debug)]
pub(super) struct SvgPage {
    pub(super) colours: &'static SvgPalette,
    title: String,
    style: String,
    body: String,
    width: f64,
    height: f64,
}

impl SvgPage {
    /// Creates an empty page.
    pub(super) fn new(colours: &'static SvgPalette, title: &str) -> Self {
        let (style, body) = (String::new(), String::new());
        SvgPage { colours, title: title.to_owned(), style, body, width: 0.0, height: 0.0 }
    }

    /// Sets the style sheet of the page.
    pub(super) fn set_style(&mut self, style: String) {
        self.style = style;
    }

    /// Widens the page to at least this width.
    pub(super) fn widen_to(&mut self, width: f64) {
        self.width = self.width.max(width);
    }

    /// Makes the page wide enough for these lines, up to [`MAX_WIDTH_FOR_TEXT`].
    pub(super) fn widen_for_lines(&mut self, lines: &[String]) {
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        self.widen_to((count_as_f64(longest) * TEXT_SIZE * CHARACTER_WIDTH_RATIO).min(MAX_WIDTH_FOR_TEXT));
    }

    /// Returns the width of the page without margins.
    pub(super) fn width(&self) -> f64 {
        self.width
    }

    /// Adds vertical space.
    pub(super) fn add_space(&mut self, height: f64) {
        self.height += height;
    }

    /// Adds elements in a frame of this size, lowest layer first.
    pub(super) fn add_elements(&mut self, elements: &[SvgElement], size: (f64, f64)) {
        let mut sorted: Vec<&SvgElement> = elements.iter().collect();
        sorted.sort_by_key(|element| element.layer);
        let all: Vec<&str> = sorted.into_iter().map(|element| element.svg.as_str()).collect();
        self.add_svg(&all.join("\n"), size);
    }

    /// Adds SVG in a frame of this size, centred; left-aligned if its width is 0.
    pub(super) fn add_svg(&mut self, svg: &str, (width, height): (f64, f64)) {
        self.widen_to(width);
        let aside = if width > 0.0 { (self.width - width) / 2.0 } else { 0.0 };
        let shift = format!("{} {}", format_svg_number(aside), format_svg_number(self.height));
        self.body.extend(["<g transform=\"translate(", &shift, ")\">\n", svg, "\n</g>\n"]);
        self.height += height;
    }

    /// Adds lines of ordinary text; long lines are wrapped.
    pub(super) fn add_lines(&mut self, lines: &[String]) {
        let font = SvgFont { size: TEXT_SIZE, is_bold: false, colour: self.colours.text };
        for line in lines {
            self.add_line(line, font);
        }
    }

    /// Adds one line of text; a long one is wrapped.
    pub(super) fn add_line(&mut self, line: &str, font: SvgFont) {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        for row in wrap_line(&words.join(" ").into(), columns_that_fit(self.width, font.size)) {
            let y = self.height + LINE_HEIGHT / 2.0;
            self.body += &render_text_element(0.0, y, TextAnchor::Start, font, &row);
            self.body.push('\n');
            self.height += LINE_HEIGHT;
        }
    }

    /// Returns the SVG of the page.
    pub(super) fn into_svg(self) -> String {
        let SvgPage { colours, title, style, body, width, height } = self;
        let (width, height) = (width + 2.0 * PAGE_MARGIN, height + 2.0 * PAGE_MARGIN);
        let scale = (MAX_DISPLAY_WIDTH / width).min(1.0);
        let style = if style.is_empty() { style } else { format!("<style>\n{style}</style>\n") };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" \
             font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\">\n<title>{}</title>\n{style}\
             <rect width=\"100%\" height=\"100%\" rx=\"10\" fill=\"{}\"/>\n<g transform=\"translate({PAGE_MARGIN} {PAGE_MARGIN})\">\n\
             {body}</g>\n</svg>\n",
            format_svg_number(width * scale),
            format_svg_number(height * scale),
            format_svg_number(width),
            format_svg_number(height),
            escape_xml(&title),
            colours.page,
        )
    }
}

/// Returns the number of characters of a font size that fit into a width.
fn columns_that_fit(width: f64, size: f64) -> usize {
    let fits = |count: &usize| count_as_f64(*count) * size * CHARACTER_WIDTH_RATIO <= width;
    (1..1000).take_while(fits).last().unwrap_or(1)
}
