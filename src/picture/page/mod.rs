//! Self-contained HTML pages: a heading, sections, and a board to step through, in the colours of its sides.

use serde::Serialize;

use super::{SvgTheme, escape_xml, render_css_variables};
use crate::session::Position;

/// Style sheet of all pages.
const PAGE_STYLE_CSS: &str = include_str!("page.css");
/// Script that draws the board and steps through the moves.
const BOARD_PAGE_SCRIPT: &str = include_str!("board.js");

/// HTML of the board with its buttons and move list; [`render_page_script`] makes them work.
pub const BOARD_PAGE_HTML: &str = include_str!("board.html");

/// Renders a whole page in the colours of the sides of a position.
#[must_use]
pub fn render_html_document(title: &str, start: &dyn Position, sections: &str, script: &str) -> String {
    let style = |theme| render_css_variables(start, theme);
    let (light, dark) = (style(SvgTheme::Light), style(SvgTheme::Dark));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n:root {{ {light} }}\n\
         @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n\
         @media print {{ :root {{ {light} }} }}\n{PAGE_STYLE_CSS}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{sections}</main>\n\
         {script}</body>\n</html>\n",
        title = escape_xml(title),
    )
}

/// Renders a section of a page with its heading.
#[must_use]
pub fn render_html_section(heading: &str, body: &str) -> String {
    format!(
        "<section id=\"{}\">\n<h2>{heading}</h2>\n{body}\n</section>\n",
        heading.to_lowercase().replace(' ', "-")
    )
}

/// Renders the script of a page with a [`BOARD_PAGE_HTML`]: its data, which includes a
/// [`GameAnimationData`](super::GameAnimationData), and the page's own script.
///
/// # Panics
/// Panics if the keys of the data are not strings.
#[must_use]
pub fn render_page_script(data: &impl Serialize, own: &str) -> String {
    // `<` could end the script element.
    let data = serde_json::to_string(data).expect("its keys are strings").replace('<', "\\u003c");
    format!(
        "<script id=\"data\" type=\"application/json\">{data}</script>\n<script>\n{BOARD_PAGE_SCRIPT}\n{own}</script>\n"
    )
}
