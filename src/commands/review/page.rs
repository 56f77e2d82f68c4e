//! HTML page of a review: a board to step through, a win chance chart, the moves and the better
//! lines.

use std::sync::Arc;

use serde::Serialize;

use crate::canvas::GlyphSet;
use crate::commands::picture::build_sheet_heading;
use crate::game::Side;
use crate::messages;
use crate::picture::page::{BOARD_PAGE_HTML, render_html_document, render_html_section, render_page_script};
use crate::picture::{GameAnimation, GameAnimationData, ShapeChange, SvgTheme, escape_xml};
use crate::play::{LiveGame, MistakeMark, MoveLoss};
use crate::record::NodeId;
use crate::session::Position;

/// Script of the page.
const REVIEW_PAGE_SCRIPT: &str = include_str!("page.js");
/// HTML of the better line below the board.
const BETTER_LINE_HTML: &str = include_str!("better.html");

/// Height of the chart and total width of its bars, in SVG units.
const CHART_SIZE: (f64, f64) = (140.0, 600.0);
/// Minimum and maximum width of a bar, in SVG units.
const BAR_WIDTH_RANGE: (f64, f64) = (6.0, 40.0);

/// Step of the page: its text, and the shapes that it adds and removes.
type StepRow = (String, Vec<usize>, Vec<usize>);

/// Data for the script of the page.
#[derive(Serialize)]
struct ReviewPageData<'a> {
    #[serde(flatten)]
    film: GameAnimationData<'a>,
    steps: Vec<StepRow>,
    /// Mark of each step and First's win chance after it, for the move list.
    values: Vec<(&'static str, String)>,
    /// Captions below the board, indexed by the number of steps taken.
    captions: Vec<String>,
    mistakes: Vec<MistakeData>,
}

/// Marked move: its step, the text about it, the shapes of its signs, and the better line.
#[derive(Serialize)]
struct MistakeData {
    step: usize,
    told: String,
    signs: Vec<usize>,
    line: Vec<StepRow>,
}

/// Renders the page of a reviewed game; `remarks` are the properties of its file.
pub(super) fn render_review_page(game: &LiveGame, remarks: &[(String, String)]) -> String {
    let line = game.shown_line();
    let start = game.position(NodeId::ROOT);
    let last = game.position(*line.last().expect("a line has a first position"));
    let mut film = GameAnimation::new(&**start, SvgTheme::Page);
    let steps = last_move_changes(&mut film, last, line.len() - 1);
    let steps: Vec<StepRow> = last.played_moves().into_iter().zip(steps).map(step_row).collect();
    let mistakes = game
        .marked_moves()
        .into_iter()
        .map(|(mark, loss)| build_mistake_data(game, mark, &loss, &mut film))
        .collect();
    let values = line.iter().skip(1).map(|&id| mark_and_win_chance(game, id)).collect();
    let captions = line.iter().map(|&id| position_caption(game, id)).collect();
    let data = ReviewPageData { film: film.to_page_data(), steps, values, captions, mistakes };
    let heading = build_sheet_heading(&**last, remarks);
    let lines = [messages::summarize_review(game), vec![messages::format_mark_counts(game)]].concat();
    let told =
        heading.lines.iter().map(|line| escape_xml(line)).chain(lines.iter().map(|line| escape_xml(line)));
    let told = told.map(|line| format!("<p>{line}</p>\n")).collect::<Vec<_>>().concat();
    let sections = [
        render_html_section("Findings", &told),
        render_html_section("Win chances", &render_win_chance_chart(game)),
        render_html_section("Game", &format!("{BETTER_LINE_HTML}{BOARD_PAGE_HTML}")),
    ];
    let title = format!("Review: {}", heading.title);
    render_html_document(&title, &**start, &sections.concat(), &render_page_script(&data, REVIEW_PAGE_SCRIPT))
}

/// Returns a step with its text.
fn step_row((text, step): (String, ShapeChange)) -> StepRow {
    (text, step.added, step.removed)
}

/// Returns the mark of a move, and First's win chance after it.
fn mark_and_win_chance(game: &LiveGame, id: NodeId) -> (&'static str, String) {
    let mark = game.marked_move(id).map_or("", |(mark, _)| mark.symbol());
    let chance = game.review_evaluation(id).and_then(|judged| judged.chance);
    (mark, chance.map(|chance| format!("{:.0}%", 100.0 * chance)).unwrap_or_default())
}

/// Returns the caption of a position, which is shown below the board.
fn position_caption(game: &LiveGame, id: NodeId) -> String {
    let position = &**game.position(id);
    let (mark, chance) = mark_and_win_chance(game, id);
    let [first, mover, next] =
        [Side::First, position.to_move().other(), position.to_move()].map(|side| position.side_name(side));
    let last = position.last_move().map(|text| format!("{}. {mover} {text} {mark}", position.plies()));
    let last = last.map(|last| format!("{}. ", last.trim_end())).unwrap_or_default();
    let chance = if chance.is_empty() { chance } else { format!("{first} {chance}. ") };
    let result = messages::describe_result_briefly(position, None, GlyphSet::Unicode).map(String::from);
    format!("{last}{chance}{}", result.unwrap_or_else(|| format!("{next} to move.")))
}

/// Returns the changes of the last `count` moves before a position.
fn last_move_changes(film: &mut GameAnimation, last: &Arc<dyn Position>, count: usize) -> Vec<ShapeChange> {
    let mut steps = film.add_game(last);
    steps.split_off(steps.len().saturating_sub(count))
}

/// Returns a marked move with its better line.
fn build_mistake_data(
    game: &LiveGame,
    mark: MistakeMark,
    loss: &MoveLoss,
    film: &mut GameAnimation,
) -> MistakeData {
    let position = game.position(loss.node);
    let (plies, side) = (position.plies(), position.side_name(position.to_move().other()));
    let [better, _] = messages::describe_better_move(game, loss);
    let line = game.better_line(loss);
    let steps = line.last().map(|last| last_move_changes(film, last, line.len())).unwrap_or_default();
    let texts = line.iter().map(|position| position.last_move().unwrap_or_default());
    let consequence = game.explain_mistake(loss);
    let why = consequence.as_ref().map(|consequence| format!(" {}", consequence.text)).unwrap_or_default();
    let marks = consequence.map(|consequence| consequence.marks).unwrap_or_default();
    let signs = film.add_signs(&**position, &marks);
    let played = position.last_move().unwrap_or_default();
    let told = format!("{plies}. {side} {played} {}, {better}.{why}", mark.symbol());
    MistakeData { step: plies, told, signs, line: texts.zip(steps).map(step_row).collect() }
}

/// Renders First's win chances after every move as bars to click.
fn render_win_chance_chart(game: &LiveGame) -> String {
    let line = game.shown_line();
    let (height, width) = CHART_SIZE;
    let count = u32::try_from(line.len()).map_or(1.0, f64::from);
    let bar = (width / count).clamp(BAR_WIDTH_RANGE.0, BAR_WIDTH_RANGE.1);
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
        let (chance, (mark, _)) =
            (game.review_evaluation(id).and_then(|judged| judged.chance), mark_and_win_chance(game, id));
        let (x, high) = (bar * f64::from(ply), height * chance.unwrap_or(0.0));
        let (middle, y, title) = (x + bar / 2.0, height - high, escape_xml(&position_caption(game, id)));
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
