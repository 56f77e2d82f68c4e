//! Renders the report of a match or tournament as one self-contained HTML page: tables, plots, and all
//! games on a board to step through.

mod films;
mod plots;
mod tables;
mod training;

use super::files::PlayedGames;
use crate::picture::escape_xml;
use crate::picture::page::{BOARD_PAGE_HTML, render_html_document, render_html_section};
use crate::registry::{RegisteredGame, Variant};
use films::PageGames;
pub use training::TrainingRun;

/// Maximum number of engines that a page title names.
const MAX_ENGINES_IN_TITLE: usize = 3;

/// Reasons why a page cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum ReportPageError {
    /// A recorded game contains an illegal move.
    #[error("{file}: game {game} of pair {unit}: {why}")]
    Game {
        /// Name of the file.
        file: String,
        /// Number of the pair, starting at 1.
        unit: u64,
        /// Number of the game within the pair, 1 or 2.
        game: u8,
        /// The move and the reason why it is illegal.
        why: String,
    },
}

/// Renders the page of a match or tournament. The sections of a training run come first if one is given.
///
/// # Errors
/// Returns an error if a recorded game contains an illegal move.
pub fn render_match_page(
    played: &PlayedGames,
    training: Option<&TrainingRun>,
) -> Result<String, ReportPageError> {
    let PlayedGames { report, start, board, files, sprt } = played;
    let mut reel = PageGames::new(start, board);
    for ((file, games), place) in files.iter().zip(1..) {
        // With several files, the file number goes before each pair number.
        let prefix = if files.len() > 1 { format!("{place}-") } else { String::new() };
        for game in games {
            let why = reel.add_game(game, &prefix);
            why.map_err(|why| ReportPageError::Game {
                file: file.clone(),
                unit: game.unit + 1,
                game: game.game + 1,
                why,
            })?;
        }
    }
    let names = &report.names;
    let who = if names.len() > MAX_ENGINES_IN_TITLE {
        format!("{} engines", names.len())
    } else {
        names.join(" vs ")
    };
    let title = format!("{}: {who}", start.view().title());
    let title = training.map_or(title, TrainingRun::page_title);
    let all = files.iter().flat_map(|(_, games)| games);
    let mut sections = training.map(TrainingRun::render_sections).unwrap_or_default();
    let words = format!("<pre>{}</pre>", escape_html_lines(&report.to_text()));
    let meetings = report.meetings.len();
    let folded =
        format!("<details><summary>{meetings} pairings, and the ratings</summary>\n{words}</details>");
    let is_tournament = names.len() > 2;
    let result = render_html_section("Result", if is_tournament { &folded } else { &words });
    let mut told = vec![
        render_html_section("Ratings", &plots::render_rating_intervals(&report.named_ratings())),
        render_html_section("Crosstable", &tables::render_crosstable(report)),
    ];
    // In a tournament, the long list of pairings comes last.
    told.insert(if is_tournament { told.len() } else { 0 }, result);
    sections.extend(told);
    sections.extend([
        sprt.map(|sprt| render_html_section("Test", &plots::render_llr_curves(&sprt, report)))
            .unwrap_or_default(),
        render_html_section("Openings", &tables::render_openings_table(all, start)),
        render_html_section(
            "Games",
            &format!("<div class=\"games\">\n{}{BOARD_PAGE_HTML}</div>", include_str!("games.html")),
        ),
    ]);
    Ok(render_html_document(&title, &**start, &sections.concat(), &reel.render_script(names)))
}

/// Renders the page of a training run without games.
///
/// # Panics
/// Panics if the first game has no default board.
#[must_use]
pub(crate) fn render_training_page(training: &TrainingRun, games: &'static [RegisteredGame]) -> String {
    let start = games[0].start_position(&Variant::default()).expect("the usual board");
    render_html_document(&training.page_title(), &*start, &training.render_sections().concat(), "")
}

/// Escapes each line of a text for HTML.
fn escape_html_lines(text: &str) -> String {
    text.lines().map(escape_xml).collect::<Vec<_>>().join("\n")
}
