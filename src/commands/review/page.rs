//! The page of a review: a board to click through, the win chances as a chart, the moves with their marks, and the better
//! lines.

use std::sync::Arc;

use serde::Serialize;

use crate::canvas::Glyphs;
use crate::commands::picture::heading;
use crate::game::Side;
use crate::messages;
use crate::picture::page::{BOARD, document, script, section};
use crate::picture::{Film, FilmData, Step, SvgTheme, escape};
use crate::play::{Game, Loss, Mark};
use crate::record::NodeId;
use crate::session::Position;

const SCRIPT: &str = include_str!("page.js");
const BETTER: &str = include_str!("better.html");

/// Height of the chart, and total width of its bars.
const CHART: (f64, f64) = (140.0, 600.0);
/// Smallest and largest width of a bar.
const BARS: (f64, f64) = (6.0, 40.0);

/// Step: its text, and the shapes that come and go.
type StepRow = (String, Vec<usize>, Vec<usize>);

/// Data of the script of the page.
#[derive(Serialize)]
struct PageData<'a> {
    #[serde(flatten)]
    film: FilmData<'a>,
    steps: Vec<StepRow>,
    /// Mark of each step and First's win chance after it, for the list.
    values: Vec<(&'static str, String)>,
    /// Line below the board after each number of steps.
    captions: Vec<String>,
    mistakes: Vec<Mistake>,
}

/// Marked move: its step, the text about it, the shapes of its signs, and the better line.
#[derive(Serialize)]
struct Mistake {
    step: usize,
    told: String,
    signs: Vec<usize>,
    line: Vec<StepRow>,
}

/// Returns the page of a game that has been reviewed; `remarks` are the properties of its file.
pub(super) fn page(game: &Game, remarks: &[(String, String)]) -> String {
    let line = game.line();
    let start = game.position(NodeId::ROOT);
    let last = game.position(*line.last().expect("a line has a first position"));
    let mut film = Film::new(&**start, SvgTheme::Page);
    let steps = last_steps(&mut film, last, line.len() - 1);
    let steps: Vec<StepRow> = last.played().into_iter().zip(steps).map(row).collect();
    let mistakes =
        game.marked().into_iter().map(|(mark, loss)| mistake(game, mark, &loss, &mut film)).collect();
    let values = line.iter().skip(1).map(|&id| value(game, id)).collect();
    let captions = line.iter().map(|&id| caption(game, id)).collect();
    let data = PageData { film: film.data(), steps, values, captions, mistakes };
    let heading = heading(&**last, remarks);
    let lines = [messages::verdict(game), vec![messages::marks_of_sides(game)]].concat();
    let told = heading.lines.iter().map(|line| escape(line)).chain(lines.iter().map(|line| escape(line)));
    let told = told.map(|line| format!("<p>{line}</p>\n")).collect::<Vec<_>>().concat();
    let sections = [
        section("Findings", &told),
        section("Win chances", &chart(game)),
        section("Game", &format!("{BETTER}{BOARD}")),
    ];
    let title = format!("Review: {}", heading.title);
    document(&title, &**start, &sections.concat(), &script(&data, SCRIPT))
}

fn row((text, step): (String, Step)) -> StepRow {
    (text, step.come, step.go)
}

/// Returns the mark of a move, and First's win chance after it.
fn value(game: &Game, id: NodeId) -> (&'static str, String) {
    let mark = game.marked_move(id).map_or("", |(mark, _)| mark.symbol());
    let chance = game.judged(id).and_then(|judged| judged.chance);
    (mark, chance.map(|chance| format!("{:.0}%", 100.0 * chance)).unwrap_or_default())
}

/// Returns the caption of a position, which is shown below the board.
fn caption(game: &Game, id: NodeId) -> String {
    let position = &**game.position(id);
    let (mark, chance) = value(game, id);
    let [first, mover, next] =
        [Side::First, position.to_move().other(), position.to_move()].map(|side| position.side_name(side));
    let last = position.last().map(|text| format!("{}. {mover} {text} {mark}", position.plies()));
    let last = last.map(|last| format!("{}. ", last.trim_end())).unwrap_or_default();
    let chance = if chance.is_empty() { chance } else { format!("{first} {chance}. ") };
    let result = messages::short_result(position, None, Glyphs::Unicode).map(String::from);
    format!("{last}{chance}{}", result.unwrap_or_else(|| format!("{next} to move.")))
}

/// Returns the steps of the last `count` moves before a position.
fn last_steps(film: &mut Film, last: &Arc<dyn Position>, count: usize) -> Vec<Step> {
    let mut steps = film.steps(last);
    steps.split_off(steps.len().saturating_sub(count))
}

/// Returns a marked move with its better line.
fn mistake(game: &Game, mark: Mark, loss: &Loss, film: &mut Film) -> Mistake {
    let position = game.position(loss.node);
    let (plies, side) = (position.plies(), position.side_name(position.to_move().other()));
    let [better, _] = messages::better(game, loss);
    let line = game.better_line(loss);
    let steps = line.last().map(|last| last_steps(film, last, line.len())).unwrap_or_default();
    let texts = line.iter().map(|position| position.last().unwrap_or_default());
    let consequence = game.consequence(loss);
    let why = consequence.as_ref().map(|consequence| format!(" {}", consequence.text)).unwrap_or_default();
    let marks = consequence.map(|consequence| consequence.marks).unwrap_or_default();
    let signs = film.signs(&**position, &marks);
    let played = position.last().unwrap_or_default();
    let told = format!("{plies}. {side} {played} {}, {better}.{why}", mark.symbol());
    Mistake { step: plies, told, signs, line: texts.zip(steps).map(row).collect() }
}

/// Returns First's win chances after every move as bars to click.
fn chart(game: &Game) -> String {
    let line = game.line();
    let (height, width) = CHART;
    let count = u32::try_from(line.len()).map_or(1.0, f64::from);
    let bar = (width / count).clamp(BARS.0, BARS.1);
    let first = game.position(NodeId::ROOT).side_name(Side::First);
    let grid = [0, 50, 100].map(|tick| {
        let y = height * (1.0 - f64::from(tick) / 100.0);
        format!(
            "<path d=\"M0 {y:.1}H{:.1}\" class=\"grid\"/><text x=\"-8\" y=\"{:.1}\" text-anchor=\"end\">{tick}%</text>",
            bar * count,
            y + 5.0
        )
    });
    let bars = line.iter().zip(0_u32..).map(|(&id, ply)| {
        let (chance, (mark, _)) = (game.judged(id).and_then(|judged| judged.chance), value(game, id));
        let (x, high) = (bar * f64::from(ply), height * chance.unwrap_or(0.0));
        let (middle, y, title) = (x + bar / 2.0, height - high, escape(&caption(game, id)));
        format!(
            "<g class=\"bar\" role=\"button\" tabindex=\"0\" data-step=\"{ply}\"><title>{title}</title>\
             <rect x=\"{x:.1}\" y=\"0\" width=\"{bar:.1}\" height=\"{height}\" class=\"room\"/>\
             <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{bar:.1}\" height=\"{high:.1}\"/>\
             <text x=\"{middle:.1}\" y=\"-4\" text-anchor=\"middle\" class=\"mark\">{mark}</text></g>",
        )
    });
    let svg = grid.into_iter().chain(bars).collect::<Vec<_>>().concat();
    format!(
        "<p>Win chance of {first} after each move. Click a bar to see its position below.</p>\n\
         <div class=\"wide\" tabindex=\"0\"><svg id=\"chart\" class=\"plot\" role=\"group\" aria-label=\"Win chances\" \
         viewBox=\"-50 -20 {:.1} {:.1}\">{svg}</svg></div>",
        bar * count + 60.0,
        height + 30.0
    )
}
