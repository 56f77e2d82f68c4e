//! SVG as text: numbers, escaped text, layers, the page around a drawing. Knows no scene.

use super::{Colours, real};
use crate::text::columns::rows;

/// Layers of a picture, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    Band,
    Tile,
    /// A tile in another colour.
    Lit,
    /// Lines that join pieces.
    Link,
    Piece,
    Mark,
    Text,
}

/// One shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) layer: Layer,
    pub(super) svg: String,
}

impl Element {
    pub(super) fn new(layer: Layer, svg: String) -> Self {
        Element { layer, svg }
    }
}

/// A number with at most two decimals, without zeros at its end.
pub(super) fn number(value: f64) -> String {
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

/// Text as it stands in XML, between tags and in attributes.
///
/// ```
/// assert_eq!(crosspath::picture::escape("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
/// ```
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // XML has no way to write these.
            '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            c if c.is_control() => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Text at a place of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) is_bold: bool,
    pub(super) colour: &'static str,
}

/// Where text stands with respect to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
}

/// Text whose middle line, not base line, is at `y`.
pub(super) fn text(x: f64, y: f64, anchor: Anchor, font: Font, content: &str) -> String {
    let anchor = if anchor == Anchor::Middle { " text-anchor=\"middle\"" } else { "" };
    let weight = if font.is_bold { " font-weight=\"bold\"" } else { "" };
    format!(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{anchor}{weight}>{}</text>",
        number(x),
        number(y + font.size * 0.36),
        number(font.size),
        font.colour,
        escape(content)
    )
}

/// The advance of a character of the page's font, of its size.
pub(super) const ADVANCE: f64 = 0.61;
/// The space around everything.
const MARGIN: f64 = 20.0;
/// The size of ordinary text, and the height of its lines.
pub(super) const TEXT: f64 = 14.0;
pub(super) const LINE: f64 = 22.0;
/// The space between a board and the text below it.
pub(super) const GAP: f64 = 8.0;
/// Wider pictures are shown so wide; nothing is lost, for all shapes are vectors.
const WIDEST: f64 = 880.0;
/// The widest that a page becomes for the sake of its text.
const TEXT_WIDTH: f64 = 440.0;

/// A page that grows downwards.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) colours: &'static Colours,
    title: String,
    style: String,
    body: String,
    width: f64,
    height: f64,
}

impl Document {
    pub(super) fn new(colours: &'static Colours, title: &str) -> Self {
        let (style, body) = (String::new(), String::new());
        Document { colours, title: title.to_owned(), style, body, width: 0.0, height: 0.0 }
    }

    /// Rules for the shapes of the page.
    pub(super) fn set_style(&mut self, style: String) {
        self.style = style;
    }

    /// The page is at least so wide.
    pub(super) fn widen(&mut self, width: f64) {
        self.width = self.width.max(width);
    }

    /// The page is as wide as these lines, if they are not too long.
    pub(super) fn widen_for(&mut self, lines: &[String]) {
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        self.widen((real(longest) * TEXT * ADVANCE).min(TEXT_WIDTH));
    }

    pub(super) fn width(&self) -> f64 {
        self.width
    }

    /// Space below what is there.
    pub(super) fn skip(&mut self, height: f64) {
        self.height += height;
    }

    /// Shapes in a frame of this size, the lowest layer first.
    pub(super) fn put(&mut self, elements: &[Element], size: (f64, f64)) {
        let mut sorted: Vec<&Element> = elements.iter().collect();
        sorted.sort_by_key(|element| element.layer);
        let all: Vec<&str> = sorted.into_iter().map(|element| element.svg.as_str()).collect();
        self.place(&all.join("\n"), size);
    }

    /// SVG in a frame of this size, in the middle of the page; without a width at its left.
    pub(super) fn place(&mut self, svg: &str, (width, height): (f64, f64)) {
        self.widen(width);
        let aside = if width > 0.0 { (self.width - width) / 2.0 } else { 0.0 };
        let shift = format!("{} {}", number(aside), number(self.height));
        self.body.extend(["<g transform=\"translate(", &shift, ")\">\n", svg, "\n</g>\n"]);
        self.height += height;
    }

    /// Lines of text below what is there, broken where they are too long.
    pub(super) fn lines(&mut self, lines: &[String]) {
        let font = Font { size: TEXT, is_bold: false, colour: self.colours.text };
        for line in lines {
            self.line(line, font);
        }
    }

    /// One line of text, broken where it is too long.
    pub(super) fn line(&mut self, line: &str, font: Font) {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        for row in rows(&words.join(" ").into(), columns(self.width, font.size)) {
            let y = self.height + LINE / 2.0;
            self.body += &text(0.0, y, Anchor::Start, font, &row);
            self.body.push('\n');
            self.height += LINE;
        }
    }

    pub(super) fn finish(self) -> String {
        let Document { colours, title, style, body, width, height } = self;
        let (width, height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
        let scale = (WIDEST / width).min(1.0);
        let style = if style.is_empty() { style } else { format!("<style>\n{style}</style>\n") };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" \
             font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\">\n<title>{}</title>\n{style}\
             <rect width=\"100%\" height=\"100%\" rx=\"10\" fill=\"{}\"/>\n<g transform=\"translate({MARGIN} {MARGIN})\">\n\
             {body}</g>\n</svg>\n",
            number(width * scale),
            number(height * scale),
            number(width),
            number(height),
            escape(&title),
            colours.page,
        )
    }
}

/// Returns the number of characters of a size that fit into a width.
fn columns(width: f64, size: f64) -> usize {
    let fits = |count: &usize| real(*count) * size * ADVANCE <= width;
    (1..1000).take_while(fits).last().unwrap_or(1)
}
