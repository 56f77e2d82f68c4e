//! HTML tables of a report page.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::arena::matches::Opening;
use crate::arena::matches::TournamentReport;
use crate::arena::matches::game_record::ArenaGame;
use crate::game::{Outcome, Side};
use crate::picture::escape_xml;
use crate::session::Position;

/// Renders the score of each engine against every other: share of points, wins, draws and losses.
pub(super) fn render_crosstable(report: &TournamentReport) -> String {
    let all: Vec<usize> = report.ranked_engines();
    let name = |engine: usize| escape_xml(&report.names[engine]);
    let heads: Vec<String> =
        all.iter().map(|&engine| format!("<th scope=\"col\">{}</th>", name(engine))).collect();
    let head = heads.concat();
    let cell = |own: usize, other: usize| match report.head_to_head_results(own, other) {
        Some([wins, draws, losses]) if wins + draws + losses > 0 => {
            let share = format_percent(2 * wins + draws, 2 * (wins + draws + losses));
            format!("<td><b>{share}</b><br>+{wins} ={draws} -{losses}</td>")
        }
        _ => "<td></td>".to_owned(),
    };
    let row = |own: &usize| {
        let cells: String = all.iter().map(|&other| cell(*own, other)).collect();
        format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", name(*own))
    };
    let rows: String = all.iter().map(row).collect();
    format!(
        "<p>Score of the row's engine against the column's: share of points, games won, drawn and lost.</p>\n\
         <div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><td></td>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>"
    )
}

/// Renders the openings, most frequent first, with the results of each side.
pub(super) fn render_openings_table<'a>(
    games: impl Iterator<Item = &'a ArenaGame>,
    start: &Arc<dyn Position>,
) -> String {
    let mut known: BTreeMap<Opening, [u64; 3]> = BTreeMap::new();
    for game in games {
        let place = match game.result {
            Outcome::Win(Side::First) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Side::Second) => 2,
        };
        known.entry(game.to_opening()).or_default()[place] += 1;
    }
    let mut all: Vec<_> = known.into_iter().collect();
    all.sort_by_key(|(_, results)| std::cmp::Reverse(results.iter().sum::<u64>()));
    let row = |(opening, [first, draws, second]): &(Opening, [u64; 3])| {
        let moves = escape_xml(&opening.to_string());
        let told = if moves.is_empty() { "the empty board" } else { &moves };
        let count = first + draws + second;
        let share = format_percent(2 * first + draws, 2 * count);
        format!(
            "<tr><th scope=\"row\"><button class=\"opening\" data-opening=\"{moves}\">{told}</button></th>\
             <td>{count}</td><td>{first}</td><td>{draws}</td><td>{second}</td><td>{share}</td></tr>\n"
        )
    };
    let rows: String = all.iter().map(row).collect();
    let [one, other] = Side::BOTH.map(|side| start.side_name(side));
    format!(
        "<details><summary>{}; click one to see its games below</summary>\n<div class=\"wide\" tabindex=\"0\"><table>\n\
         <thead><tr><th scope=\"col\">opening</th><th scope=\"col\">games</th><th scope=\"col\">{one} won</th>\
         <th scope=\"col\">drawn</th><th scope=\"col\">{other} won</th><th scope=\"col\">{one}</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div></details>",
        if all.len() == 1 { "one opening".to_owned() } else { format!("{} openings", all.len()) }
    )
}

/// Formats a ratio as a percentage with one decimal.
fn format_percent(part: u64, of: u64) -> String {
    let tenths = (2000 * part + of) / (2 * of).max(1);
    format!("{}.{} %", tenths / 10, tenths % 10)
}
