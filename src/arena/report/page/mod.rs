//! The report of a match or tournament as one page of HTML that needs nothing else: tables, plots, and all games on a board to
//! click through. Knows games by their positions only.

mod films;
mod plots;
mod tables;
mod training;

use super::files::Played;
use crate::picture::{self, Theme, escape};
use crate::registry::{Entry, Variant};
use crate::session::Position;
use films::Reel;
pub use training::Training;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The most engines that a title names.
const MAX_NAMED: usize = 3;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// A game goes on with a move that is none.
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

/// The page of games; a training run that they belong to stands in front of them.
///
/// # Errors
/// If a game cannot be played.
pub fn page(played: &Played, training: Option<&Training>) -> Result<String, PageError> {
    let Played { report, start, board, files, sprt } = played;
    let mut reel = Reel::new(start, board);
    for ((file, games), place) in files.iter().zip(1..) {
        // Pairs have the number of their file in front where there are several.
        let prefix = if files.len() > 1 { format!("{place}-") } else { String::new() };
        for game in games {
            let why = reel.add(game, &prefix);
            why.map_err(|why| PageError::Game {
                file: file.clone(),
                unit: game.unit + 1,
                game: game.game + 1,
                why,
            })?;
        }
    }
    let names = &report.names;
    let who = if names.len() > MAX_NAMED { format!("{} engines", names.len()) } else { names.join(" vs ") };
    let title = format!("{}: {who}", start.view().title());
    let title = training.map_or(title, Training::title);
    let all = files.iter().flat_map(|(_, games)| games);
    let mut sections = training.map(Training::sections).unwrap_or_default();
    let words = format!("<pre>{}</pre>", escape_lines(&report.in_words()));
    let meetings = report.meetings.len();
    let folded =
        format!("<details><summary>{meetings} pairings, and the ratings</summary>\n{words}</details>");
    let is_tournament = names.len() > 2;
    let result = section("Result", if is_tournament { &folded } else { &words });
    let mut told = vec![
        section("Ratings", &plots::intervals(&report.rated())),
        section("Crosstable", &tables::crosstable(report)),
    ];
    // Of many engines the many meetings come last.
    told.insert(if is_tournament { told.len() } else { 0 }, result);
    sections.extend(told);
    sections.extend([
        sprt.map(|sprt| section("Test", &plots::ratio(&sprt, report))).unwrap_or_default(),
        section("Openings", &tables::openings(all, start)),
        section("Games", include_str!("games.html")),
    ]);
    let data = format!("<script id=\"data\" type=\"application/json\">{}</script>\n", reel.in_json(names));
    let script = format!("{data}<script>\n{SCRIPT}</script>\n");
    Ok(document(&title, &**start, &sections.concat(), &script))
}

/// The page of a training run alone.
///
/// # Panics
/// If the first game has no usual board.
#[must_use]
pub(crate) fn of_training(training: &Training, games: &'static [Entry]) -> String {
    let start = games[0].start(&Variant::default()).expect("the usual board");
    document(&training.title(), &*start, &training.sections().concat(), "")
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
