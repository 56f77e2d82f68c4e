//! Pages of HTML that need nothing else: a heading, sections, and a board to click through, in the colours of its sides.

use serde::Serialize;

use super::{SvgTheme, escape, variables};
use crate::session::Position;

const STYLE: &str = include_str!("page.css");
const BOARD_SCRIPT: &str = include_str!("board.js");

/// The board of a page with its buttons and the list of moves; [`script`] makes them work.
pub const BOARD: &str = include_str!("board.html");

/// A whole page, in the colours of the sides of a position.
#[must_use]
pub fn document(title: &str, start: &dyn Position, sections: &str, script: &str) -> String {
    let style = |theme| variables(start, theme);
    let (light, dark) = (style(SvgTheme::Light), style(SvgTheme::Dark));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n:root {{ {light} }}\n\
         @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n\
         @media print {{ :root {{ {light} }} }}\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{sections}</main>\n\
         {script}</body>\n</html>\n",
        title = escape(title),
    )
}

/// A part of a page with its heading.
#[must_use]
pub fn section(heading: &str, body: &str) -> String {
    format!(
        "<section id=\"{}\">\n<h2>{heading}</h2>\n{body}\n</section>\n",
        heading.to_lowercase().replace(' ', "-")
    )
}

/// Returns the script of a page with a [`BOARD`]: its data, with a [`FilmData`](super::FilmData) in it, and the part of the script
/// that is this page's own.
///
/// # Panics
/// If the data have keys that are no strings.
#[must_use]
pub fn script(data: &impl Serialize, own: &str) -> String {
    // It stands in HTML.
    let data = serde_json::to_string(data).expect("its keys are strings").replace('<', "\\u003c");
    format!(
        "<script id=\"data\" type=\"application/json\">{data}</script>\n<script>\n{BOARD_SCRIPT}\n{own}</script>\n"
    )
}
