//! Panel of the engine, with the value, depth and best moves of the position, or the value of each
//! move.

use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::{line_columns, line_with_side_colours, push_styled, text_columns};
use super::super::facts::{MatchFacts, MatchPhase};
use super::super::frame::FrameContext;
use super::super::layout::{PanelContent, PanelId, to_u16_saturating};
use super::super::painting;
use super::super::screen::AnalysisFocus;
use super::super::theme::ScreenPart;
use super::to_whole_per_cent;
use crate::ai::{DisplayedScore, ProofStatus, Score, ScoreMeaning};
use crate::canvas::{GlyphSet, PaintRole};
use crate::game::Side;
use crate::messages::{group_moves_by_value, is_every_move_losing, screen as sentences};
use crate::session::{self, CandidateMove, SearchReport};
use crate::text;
use crate::text::columns::wrap_text;
use crate::text::{Text, mark_move};

/// Number of rows of the panel without its frame: the value, the depth and the best three moves.
pub(super) const ENGINE_PANEL_ROWS: u16 = 5;
/// Maximum number of rows of the panel in a high window, without its frame.
const HIGH_ENGINE_PANEL_ROWS: u16 = 8;
/// Minimum number of columns for the line after a best move, if the row also shows the visits.
const MIN_LINE_COLUMNS: u16 = 5;
/// Minimum number of rows for the values of the moves. It keeps the size of the panel constant.
const MIN_VALUE_ROWS: u16 = 2;
/// Number of rows for the other side's threats, below the values of the moves.
const THREAT_ROWS: u16 = 2;

/// Returns the width of a row's heading in a frame with `inside` columns.
const fn heading_columns(inside: u16) -> usize {
    if inside < 30 { 6 } else { 7 }
}

/// Text of the engine panel, with the number of rows that it wants.
struct EnginePanelText {
    lines: Vec<Line<'static>>,
    /// Shorter text, used if the rows are too few. It may be empty.
    short: Vec<Line<'static>>,
    /// Number of wanted rows, without the frame.
    rows: u16,
    dots: &'static str,
}

/// Builds the engine panel for a frame of `width` columns; `is_high` is `true` in a high window.
pub(super) fn build_engine_panel(c: &FrameContext<'_>, width: u16, is_high: bool) -> PanelContent {
    let goes_on = c.game.shown_position().is_some_and(|shown| shown.outcome().is_none());
    let known = c.game.shown_position().map_or(&[][..], session::Position::exact_move_values);
    let report = painting::engine_panel_report(c);
    let is_before = |(side, _): (Side, &SearchReport)| !c.game.is_report_for_side_to_move(side);
    let title = match report {
        _ if !known.is_empty() => sentences::CELL_VALUES_HEADING,
        Some(report) if goes_on && is_before(report) => sentences::LAST_SEARCH_HEADING,
        _ => sentences::ENGINE_HEADING,
    };
    let most = if is_high { HIGH_ENGINE_PANEL_ROWS } else { ENGINE_PANEL_ROWS };
    // In a replay the moves and the win-chance curve take the rows of further moves.
    let shown_rows = if c.game.is_replay() { ENGINE_PANEL_ROWS + u16::from(is_high) } else { most };
    let said = match known {
        // After the end there is nothing to search.
        _ if !goes_on => EnginePanelText {
            rows: 1,
            ..wrap_panel_text(c, width, sentences::PANEL_GAME_OVER_MESSAGE.into())
        },
        [] => {
            let said = render_search_text(c, report, width, is_high);
            EnginePanelText { rows: said.rows.min(shown_rows), ..said }
        }
        known => render_values_and_threats(c, known, width.saturating_sub(2), [most, shown_rows]),
    };
    // A steady height keeps the panels below in place from position to position.
    let steady = match known {
        _ if !goes_on => 1,
        [] if c.screen.drawing.studies || c.game.is_between_engines() => shown_rows,
        [] => 1,
        _ => shown_rows + THREAT_ROWS,
    };
    PanelContent {
        id: PanelId::Engine,
        rank: 2,
        min: said.rows + 2,
        wanted: said.rows.max(steady) + 2,
        title: title.to_owned(),
        lines: said.lines,
        short: said.short,
        dots: said.dots,
    }
}

/// Wraps a sentence to a frame of `width` columns.
fn wrap_panel_text(c: &FrameContext<'_>, width: u16, text: Text) -> EnginePanelText {
    let rows = wrap_text(text, usize::from(width.saturating_sub(4)));
    let lines: Vec<_> = rows.iter().map(|row| line_with_side_colours(c, row, Style::new())).collect();
    EnginePanelText {
        rows: to_u16_saturating(lines.len()),
        lines,
        short: Vec::new(),
        dots: c.screen.looks.ellipsis(),
    }
}

/// Renders the result of a search, or a message if there was none.
fn render_search_text(
    c: &FrameContext<'_>,
    report: Option<(Side, &SearchReport)>,
    width: u16,
    is_high: bool,
) -> EnginePanelText {
    match report {
        Some((_, report)) if report.is_without_search() => {
            wrap_panel_text(c, width, describe_unsearched_move(c, report))
        }
        Some((side, report)) => {
            let lines = render_search_report(c, side, report, width.saturating_sub(2), is_high);
            // Best moves without a row are not marked by an ellipsis.
            let dots = if lists_best_moves(c, side, report) { "" } else { c.screen.looks.ellipsis() };
            EnginePanelText { rows: to_u16_saturating(lines.len()), lines, short: Vec::new(), dots }
        }
        None if c.game.phase() == MatchPhase::Asking && !c.screen.drawing.studies => {
            EnginePanelText { rows: 1, ..wrap_panel_text(c, width, sentences::analysis_key_hint()) }
        }
        None => {
            EnginePanelText { rows: 1, ..wrap_panel_text(c, width, sentences::PANEL_THINKING_MESSAGE.into()) }
        }
    }
}

/// Renders the values of all moves, followed by the winning threats of the other side.
///
/// The panel wants at most `shown` rows of values. If the long form needs more than `most` rows,
/// the short form determines the wanted rows.
fn render_values_and_threats(
    c: &FrameContext<'_>,
    known: &[(String, ScoreMeaning)],
    width: u16,
    [most, shown]: [u16; 2],
) -> EnginePanelText {
    let in_colour = |rows: Vec<Text>| -> Vec<Line<'static>> {
        rows.iter().map(|row| line_with_side_colours(c, row, Style::new())).collect()
    };
    let threats = in_colour(render_threats(c, width));
    let [lines, short] = render_move_values(known, width).map(in_colour);
    let rows = to_u16_saturating(if lines.len() <= usize::from(most) { lines.len() } else { short.len() });
    let rows = rows.clamp(MIN_VALUE_ROWS, shown) + to_u16_saturating(threats.len());
    let [lines, short] = [lines, short].map(|rows| rows.into_iter().chain(threats.iter().cloned()).collect());
    EnginePanelText { lines, short, rows, dots: c.screen.looks.ellipsis() }
}

/// Describes a move that was chosen without a search.
fn describe_unsearched_move(c: &FrameContext<'_>, report: &session::SearchReport) -> Text {
    let how = if report.is_from_book { sentences::FROM_BOOK_REMARK } else { sentences::NO_SEARCH_REMARK };
    if let Some(program) = c.game.and_then(|game| game.game().spec().program.as_ref()) {
        return sentences::no_analysis_message(&program.name()).into();
    }
    match report.pv.first() {
        Some(mv) => text!("{}: {how}", mark_move(None, mv)),
        None => how.into(),
    }
}

/// Renders the values of all moves, in a long and a short form.
///
/// The long form has as many columns as fit. The short form groups the moves by value.
fn render_move_values(values: &[(String, ScoreMeaning)], width: u16) -> [Vec<Text>; 2] {
    let texts: Vec<String> = values.iter().map(|(text, value)| format!("{text} {value}")).collect();
    let widest = texts.iter().map(String::len).max().unwrap_or(1);
    let columns = (usize::from(width) / (widest + 2)).max(1);
    let padded: Vec<String> = texts.iter().map(|text| format!("{text:<widest$}")).collect();
    let room = usize::from(width.saturating_sub(1));
    let lines = group_moves_by_value(values.iter().map(|(text, value)| (text.as_str(), value.to_string())));
    [
        padded.chunks(columns).map(|row| row.join("  ").into()).collect(),
        lines.iter().flat_map(|line| wrap_text(line, room)).collect(),
    ]
}

/// Renders the other side's threats in rows for a frame of `width` columns.
fn render_threats(c: &FrameContext<'_>, width: u16) -> Vec<Text> {
    let shown = c.game.shown_position();
    let threats = shown.and_then(|shown| shown.view().describe_threats());
    let is_lost = shown.is_some_and(is_every_move_losing);
    let threats = match threats {
        Some(threats) if is_lost => Some(text!("{}: {threats}", sentences::EVERY_MOVE_LOSES_MESSAGE)),
        None if is_lost => Some(text!("{}.", sentences::EVERY_MOVE_LOSES_MESSAGE)),
        threats => threats,
    };
    threats.map(|text| wrap_text(text, usize::from(width.saturating_sub(2)))).unwrap_or_default()
}

/// Formats a number of positions briefly: `400`, `8.1 k`, `480 k`, `1.2 M`.
fn format_position_count(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..10_000 => format!("{}.{} k", count / 1000, count / 100 % 10),
        10_000..1_000_000 => format!("{} k", count / 1000),
        _ => format!("{}.{} M", count / 1_000_000, count / 100_000 % 10),
    }
}

/// Renders a search report: the value, the depth, and the best moves with their lines.
fn render_search_report(
    c: &FrameContext<'_>,
    side: Side,
    report: &SearchReport,
    width: u16,
    is_high: bool,
) -> Vec<Line<'static>> {
    let ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX).max(1);
    let time = if ms < 100 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) };
    let speed = format!("{}/s", format_position_count(report.nodes.saturating_mul(1000) / ms));
    let columns = heading_columns(width);
    let headed = |head: &str, text: &Text| {
        let mut line = Line::default();
        push_styled(&mut line, format!("{head:<columns$}"), c.screen.looks.part_style(ScreenPart::Faint));
        line.spans.extend(line_with_side_colours(c, text, Style::new()).spans);
        line
    };
    let mut lines = vec![headed("value", &render_position_value(c, side, report, width))];
    // A result without a search has no depth.
    let has_looked = report.depth > 0;
    if is_high && has_looked {
        lines.push(headed("depth", &text!("{}   {time}", report.depth)));
        lines.push(headed("nodes", &text!("{}   {speed}", format_position_count(report.nodes))));
    } else if has_looked {
        let all = text!("{}   {time}   {speed}", report.depth);
        let most = usize::from(width).saturating_sub(columns + 1);
        let is_short = all.chars().count() <= most;
        lines.push(headed("depth", &if is_short { all } else { all.slice(0..all.len() - speed.len()) }));
    }
    if report.is_from_book {
        lines.push(headed("known", &sentences::FROM_BOOK_REMARK.into()));
    }
    let room = width.saturating_sub(2);
    if lists_best_moves(c, side, report) {
        lines.extend(render_best_moves(c, side, report, room));
    } else {
        lines.extend(render_line_rows(c, side, &report.pv, room));
    }
    lines
}

/// Reports whether the panel lists the best moves of a report.
///
/// It does not list those of the engine's search before its last move, which belong to another
/// position.
fn lists_best_moves(c: &FrameContext<'_>, side: Side, report: &SearchReport) -> bool {
    report.best_moves().len() > 1
        && c.screen.drawing.engine_line_count() > 1
        && c.game.is_report_for_side_to_move(side)
}

/// Renders the best moves, each in a row with as much of its line as fits.
fn render_best_moves(
    c: &FrameContext<'_>,
    side: Side,
    report: &SearchReport,
    room: u16,
) -> Vec<Line<'static>> {
    // Without numbers on the board, the rows have none either.
    let has_places = painting::engine_overlay_marks(c).is_none();
    // All rows give the number of visits in the same form.
    let heads = |counted| -> Vec<Line<'static>> {
        let all = report
            .best_moves()
            .iter()
            .take(c.screen.drawing.engine_line_count())
            .zip((1..).map(|place| has_places.then_some(place)));
        let worth = |one: &CandidateMove| {
            let worth = one
                .worth
                .as_ref()
                .filter(|_| one.score.is_none_or(|score| !is_score_without_unit(report, score)));
            worth.map(|worth| format_score_in_moves(one.score, worth)).unwrap_or_default()
        };
        all.map(|(one, place)| render_best_move(c, side, (one, &worth(one)), place, counted)).collect()
    };
    let ways = [VisitCountForm::InAWord, VisitCountForm::Briefly, VisitCountForm::Not].map(heads);
    let fits =
        |heads: &&Vec<Line<'_>>| heads.iter().all(|head| line_columns(head) + MIN_LINE_COLUMNS <= room);
    let heads = ways.iter().find(fits).unwrap_or(&ways[2]).clone();
    let rows = heads.into_iter().zip(report.best_moves());
    // The line that is stepped through is highlighted at its start.
    let walked = match &c.screen.cursor.focus {
        AnalysisFocus::Lines(walk) if walk.step == 0 => Some(walk.number),
        _ => None,
    };
    let rows = rows.map(|(head, candidate)| append_best_line(c, side, head, candidate, room)).enumerate();
    rows.map(|(number, row)| if Some(number) == walked { highlight_row(row) } else { row }).collect()
}

/// Renders the value of a position in the longest form that fits.
fn render_position_value(c: &FrameContext<'_>, side: Side, report: &SearchReport, width: u16) -> Text {
    let estimate = report.score.filter(|score| is_score_without_unit(report, *score));
    if let (Some(Score(score)), None | Some(ProofStatus::Unproved), Some(shown)) =
        (estimate, report.proof, c.game.shown_position())
    {
        return sentences::describe_advantage(shown.side_name(side), shown.side_name(side.other()), score);
    }
    let (value, unit) = match (&report.worth, report.proof) {
        (Some(worth), None | Some(ProofStatus::Unproved)) => {
            (format_score_in_moves(report.score, worth), worth.unit)
        }
        (worth, Some(ProofStatus::WinIn(plies))) => {
            (format_proved_value(ScoreMeaning::Win(plies), worth.as_ref()), "")
        }
        (worth, Some(ProofStatus::LostIn(plies))) => {
            (format_proved_value(ScoreMeaning::Loss(plies), worth.as_ref()), "")
        }
        (_, Some(ProofStatus::Draw)) => (ScoreMeaning::Draw.to_string(), ""),
        (_, Some(ProofStatus::Certified)) => ("cannot lose".to_owned(), ""),
        (None, None | Some(ProofStatus::Unproved)) => ("unknown".to_owned(), ""),
    };
    let chance = report.chance.filter(|_| report.score.is_some());
    let chance = chance.map(|chance| format!(" ({}%)", to_whole_per_cent(chance))).unwrap_or_default();
    let name = c.game.shown_position().map(|shown| text!("{}", shown.side_name(side))).unwrap_or_default();
    let with_unit = format!("{value} {unit}");
    let worths = [(with_unit.trim_end(), &*chance), (&*value, &*chance), (&*value, "")];
    let worths = worths.map(|(value, chance)| text!("{name} {value}{chance}"));
    let room = usize::from(width) - heading_columns(width).min(usize::from(width));
    worths.iter().find(|worth| usize::from(text_columns(worth)) + 1 < room).unwrap_or(&worths[2]).clone()
}

/// Reports whether a score is an estimate without a unit and without a win chance.
fn is_score_without_unit(report: &SearchReport, score: Score) -> bool {
    let has_unit = report.worth.as_ref().is_some_and(|worth| !worth.unit.is_empty());
    matches!(score.meaning(), ScoreMeaning::Estimate(_)) && report.chance.is_none() && !has_unit
}

/// Formats a score. Wins and losses are given in the mover's own moves.
///
/// Any other score has the form of the game.
fn format_score_in_moves(score: Option<Score>, told: &DisplayedScore) -> String {
    match score.map(Score::meaning) {
        Some(value @ (ScoreMeaning::Win(_) | ScoreMeaning::Loss(_))) => {
            format_proved_value(value, Some(told))
        }
        _ => told.value.clone(),
    }
}

/// Formats a proved result as `wins in 3`, or `wins within 3` if it is only a bound.
fn format_proved_value(value: ScoreMeaning, told: Option<&DisplayedScore>) -> String {
    let text = value.to_string();
    if told.is_some_and(|told| told.is_bound) { text.replacen(" in ", " within ", 1) } else { text }
}

/// Form in which the visit count of a move is shown: `12 visits`, `12×`, or not at all.
#[derive(Clone, Copy)]
enum VisitCountForm {
    InAWord,
    Briefly,
    Not,
}

/// Renders one of the best moves with its value and visits, and its number if the board shows it.
fn render_best_move(
    c: &FrameContext<'_>,
    side: Side,
    (one, worth): (&CandidateMove, &str),
    place: Option<usize>,
    counted: VisitCountForm,
) -> Line<'static> {
    let CandidateMove { text, visits, .. } = one;
    let mut told = Line::default();
    push_styled(
        &mut told,
        place.map_or_else(|| "- ".to_owned(), |place| format!("{place}. ")),
        c.role_style(PaintRole::Hint),
    );
    push_styled(&mut told, text.clone(), c.role_style(PaintRole::for_piece(side)));
    push_styled(&mut told, format!(" {worth}"), Style::new());
    let (count, noun) =
        (format_position_count((*visits).into()), if *visits == 1 { "visit" } else { "visits" });
    let times = if c.screen.looks.glyphs == GlyphSet::Unicode { '×' } else { 'x' };
    let visits = match counted {
        _ if *visits == 0 => String::new(),
        VisitCountForm::InAWord => format!("  {count} {noun}"),
        VisitCountForm::Briefly => format!(" {count}{times}"),
        VisitCountForm::Not => String::new(),
    };
    push_styled(&mut told, visits, c.screen.looks.part_style(ScreenPart::Faint));
    told
}

/// Appends as much of a best move's line as fits into its row.
fn append_best_line(
    c: &FrameContext<'_>,
    side: Side,
    mut told: Line<'static>,
    candidate: &CandidateMove,
    room: u16,
) -> Line<'static> {
    let mut gap = "  ";
    for (mv, ply) in candidate.line.iter().zip(0..).skip(1) {
        if line_columns(&told) + text_columns(mv) + 1 > room {
            break;
        }
        let mover = if ply % 2 == 0 { side } else { side.other() };
        push_styled(&mut told, gap, Style::new());
        push_styled(&mut told, mv.clone(), c.role_style(PaintRole::for_piece(mover)).not_bold());
        gap = " ";
    }
    told
}

/// Highlights a row by reversing its colours.
fn highlight_row(mut row: Line<'static>) -> Line<'static> {
    for span in &mut row.spans {
        span.style = span.style.reversed();
    }
    row
}

/// Renders the moves of a line in rows, each in the colour of its side.
fn render_line_rows(c: &FrameContext<'_>, side: Side, played: &[String], room: u16) -> Vec<Line<'static>> {
    let columns = heading_columns(room + 2);
    let head = |text: &str| {
        let mut line = Line::default();
        push_styled(&mut line, format!("{text:<columns$}"), c.screen.looks.part_style(ScreenPart::Faint));
        line
    };
    let (mut lines, mut line) = (Vec::new(), head("line"));
    for (mv, ply) in played.iter().zip(0..) {
        if line_columns(&line) + text_columns(mv) > room {
            lines.push(std::mem::replace(&mut line, head("")));
        }
        let mover = if ply % 2 == 0 { side } else { side.other() };
        push_styled(&mut line, mv.clone(), c.role_style(PaintRole::for_piece(mover)));
        push_styled(&mut line, " ", Style::new());
    }
    lines.push(line);
    lines
}
