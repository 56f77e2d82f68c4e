//! The report of a match or tournament as one page of HTML that needs nothing else: tables, plots, and all games on a board to
//! click through. Knows games by their positions only.

mod films;
mod plots;
mod tables;
mod training;

use super::files::PlayedGames;
use crate::picture::escape;
use crate::picture::page::{BOARD, document, section};
use crate::registry::{Entry, Variant};
use films::Reel;
pub use training::TrainingRun;

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
pub fn page(played: &PlayedGames, training: Option<&TrainingRun>) -> Result<String, PageError> {
    let PlayedGames { report, start, board, files, sprt } = played;
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
    let title = training.map_or(title, TrainingRun::title);
    let all = files.iter().flat_map(|(_, games)| games);
    let mut sections = training.map(TrainingRun::sections).unwrap_or_default();
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
        section("Games", &format!("<div class=\"games\">\n{}{BOARD}</div>", include_str!("games.html"))),
    ]);
    Ok(document(&title, &**start, &sections.concat(), &reel.script(names)))
}

/// The page of a training run alone.
///
/// # Panics
/// If the first game has no usual board.
#[must_use]
pub(crate) fn of_training(training: &TrainingRun, games: &'static [Entry]) -> String {
    let start = games[0].start(&Variant::default()).expect("the usual board");
    document(&training.title(), &*start, &training.sections().concat(), "")
}

fn escape_lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}
