//! The report of a match or tournament as one page of HTML that needs nothing else: tables, plots, and all games on a board to
//! click through. Knows games by their positions only.

mod films;
mod plots;
mod tables;
mod training;

use std::path::Path;

use super::record::{Games, RecordsError};
use super::report::Report;
use super::sprt::Sprt;
use crate::picture::{self, Theme, escape};
use crate::registry::{self, Entry, OpenError, Variant};
use crate::session::Position;
use films::Reel;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The file is none of an arena, or cannot be read.
    #[error(transparent)]
    Records(#[from] RecordsError),
    /// Its header names a game or a board that there is not.
    #[error("{0}: {1}")]
    Board(String, #[source] Box<OpenError>),
    /// A game in it goes on with a move that is none.
    #[error("{file}: game {game} of pair {unit}: {why}")]
    Game {
        /// The file.
        file: String,
        /// The pair, from 1 on.
        unit: u64,
        /// The first or second game of it, 1 or 2.
        game: u8,
        /// The move, and why it is none.
        why: String,
    },
}

/// The page of the games in a file; `report` is what is said of them.
///
/// # Errors
/// If the file is none of an arena's, or has games that cannot be played.
pub fn page(path: &Path, report: &Report, games: &'static [Entry]) -> Result<String, PageError> {
    let Games { header, by_number: records, .. } = Games::read(path)?;
    let file = crate::game::Refusal::shown_path(&path.to_string_lossy());
    let open = |error| PageError::Board(file.clone(), Box::new(error));
    let entry = registry::find_in(games, header["game"].as_str().unwrap_or_default()).map_err(open)?;
    let mut variant = Variant::default();
    for setting in entry.settings {
        match &header[setting.key] {
            serde_json::Value::Bool(is_on) => variant.set(setting.key, if *is_on { "on" } else { "off" }),
            serde_json::Value::String(text) => variant.set(setting.key, text),
            serde_json::Value::Null => {}
            value => variant.set(setting.key, value),
        }
    }
    let start = entry.start(&variant).map_err(open)?;
    let mut reel = Reel::new(&start);
    for game in records.values() {
        let why = reel.add(game);
        why.map_err(|why| PageError::Game {
            file: file.clone(),
            unit: game.unit + 1,
            game: game.game + 1,
            why,
        })?;
    }
    let title = format!("{}: {}", start.view().title(), report.names().join(" against "));
    let sprt = header["sprt"].as_array().and_then(|bounds| match &bounds[..] {
        [elo0, elo1] => Sprt::new(elo0.as_f64()?, elo1.as_f64()?),
        _ => None,
    });
    let sections = [
        section("Result", &format!("<pre>{}</pre>", escape_lines(&report.in_words()))),
        section("Ratings", &plots::intervals(&report.rated())),
        section("Crosstable", &tables::crosstable(report)),
        sprt.map(|sprt| section("Test", &plots::ratio(&sprt, report))).unwrap_or_default(),
        section("Openings", &tables::openings(records.values(), &start)),
        section("Games", include_str!("games.html")),
    ];
    let data =
        format!("<script id=\"data\" type=\"application/json\">{}</script>\n", reel.in_json(report.names()));
    let script = format!("{data}<script>\n{SCRIPT}</script>\n");
    Ok(document(&title, &*start, &sections.concat(), &script))
}

/// The page of a training run, from its log; `None` if the file is none.
#[must_use]
pub fn of_training(path: &Path, games: &'static [Entry]) -> Option<String> {
    let text = String::from_utf8(crate::record::disk::load(path).ok()?).ok()?;
    let stretches = training::stretches(&text)?;
    let start = games.first()?.start(&Variant::default()).ok()?;
    let title = format!("Training: {}", crate::game::Refusal::shown_path(&path.to_string_lossy()));
    Some(document(&title, &*start, &training::sections(&stretches).concat(), ""))
}

/// A whole page, in the colours of the sides of a position.
fn document(title: &str, start: &dyn Position, sections: &str, script: &str) -> String {
    let style = |theme| picture::variables(start, theme);
    let (light, dark) = (style(Theme::Light), style(Theme::Dark));
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

fn section(heading: &str, body: &str) -> String {
    format!(
        "<section id=\"{}\">\n<h2>{heading}</h2>\n{body}\n</section>\n",
        heading.to_lowercase().replace(' ', "-")
    )
}

fn escape_lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}
