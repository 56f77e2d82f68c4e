//! The panel of an engine: the value of the position, the depth, the best moves; or the value of
//! every move.

use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::{columns_of, push, told, width_of};
use super::super::facts::{Facts, Phase};
use super::super::frame::FrameContext;
use super::super::layout::{PanelContent, PanelId, number};
use super::super::painting;
use super::super::screen::Focus;
use super::super::theme::Part;
use super::per_cent;
use crate::ai::{DisplayedScore, Proof, Score, Value};
use crate::canvas::{Glyphs, Role};
use crate::game::Side;
use crate::messages::{by_value, every_move_loses, screen as sentences};
use crate::session::{self, CandidateMove, SearchReport};
use crate::text;
use crate::text::columns::wrap;
use crate::text::{Text, of_move};

/// Rows of the panel inside its frame: the value of the position, the depth, the best three moves.
pub(super) const ENGINE_ROWS: u16 = 5;
/// Rows for more moves in a high window, as far as they are needed.
const MORE_ENGINE_ROWS: u16 = 8;
/// Fewest columns that a row with the number of visits leaves for the move's line: the reply to it.
const MIN_LINE_WIDTH: u16 = 5;
/// Fewest rows for the values of a small board, so that the panel keeps its place.
const MIN_VALUE_ROWS: u16 = 2;
/// Rows for the other side's threats, below the values.
const THREAT_ROWS: u16 = 2;

/// Returns the columns for the heading of a row of the panel, in a frame with `inside` columns
/// inside.
const fn head_columns(inside: u16) -> usize {
    if inside < 30 { 6 } else { 7 }
}

/// Text of the panel, and the rows that it takes.
struct Said {
    lines: Vec<Line<'static>>,
    /// Text for fewer rows, where that differs.
    short: Vec<Line<'static>>,
    /// Number of rows that are wanted, without the frame.
    rows: u16,
    dots: &'static str,
}

/// Returns the panel for a frame of `width` columns, in a window that is high or not.
pub(super) fn content(c: &FrameContext<'_>, width: u16, is_high: bool) -> PanelContent {
    let goes_on = c.game.shown().is_some_and(|shown| shown.outcome().is_none());
    let known = c.game.shown().map_or(&[][..], session::Position::values);
    let report = painting::analysis(c);
    let is_before = |(side, _): (Side, &SearchReport)| !c.game.is_about_the_next_move(side);
    let title = match report {
        _ if !known.is_empty() => sentences::VALUES,
        Some(report) if goes_on && is_before(report) => sentences::ENGINE_BEFORE,
        _ => sentences::ENGINE,
    };
    let most = if is_high { MORE_ENGINE_ROWS } else { ENGINE_ROWS };
    // The moves and the curve of a replay have the rows that more than three moves would need.
    let shown_rows = if c.game.is_replay() { ENGINE_ROWS + u16::from(is_high) } else { most };
    let said = match known {
        // At the end there is nothing to search.
        _ if !goes_on => Said { rows: 1, ..in_rows(c, width, sentences::PANEL_AT_THE_END.into()) },
        [] => {
            let said = searched(c, report, width, is_high);
            Said { rows: said.rows.min(shown_rows), ..said }
        }
        known => valued(c, known, width.saturating_sub(2), [most, shown_rows]),
    };
    // The panels below do not jump from position to position.
    let steady = match known {
        _ if !goes_on => 1,
        [] if c.screen.drawing.studies || c.game.tells_itself() => shown_rows,
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

/// Returns a sentence in a frame of `width` columns.
fn in_rows(c: &FrameContext<'_>, width: u16, text: Text) -> Said {
    let rows = wrap(text, usize::from(width.saturating_sub(4)));
    let lines: Vec<_> = rows.iter().map(|row| told(c, row, Style::new())).collect();
    Said { rows: number(lines.len()), lines, short: Vec::new(), dots: c.screen.looks.dots() }
}

/// Returns the text about a search, or that there was none.
fn searched(c: &FrameContext<'_>, report: Option<(Side, &SearchReport)>, width: u16, is_high: bool) -> Said {
    match report {
        Some((_, report)) if report.is_without_search() => in_rows(c, width, without_search(c, report)),
        Some((side, report)) => {
            let lines = found(c, side, report, width.saturating_sub(2), is_high);
            // Moves without a row of their own are counted together.
            let dots = if is_list(c, side, report) { "" } else { c.screen.looks.dots() };
            Said { rows: number(lines.len()), lines, short: Vec::new(), dots }
        }
        None if c.game.phase() == Phase::Asking && !c.screen.drawing.studies => {
            Said { rows: 1, ..in_rows(c, width, sentences::nothing_known()) }
        }
        None => Said { rows: 1, ..in_rows(c, width, sentences::STUDYING.into()) },
    }
}

/// Returns the values of all moves, and below them the winning threats of the other side; in `most`
/// rows, of which `shown` are wanted.
fn valued(c: &FrameContext<'_>, known: &[(String, Value)], width: u16, [most, shown]: [u16; 2]) -> Said {
    let in_colour = |rows: Vec<Text>| -> Vec<Line<'static>> {
        rows.iter().map(|row| told(c, row, Style::new())).collect()
    };
    let threats = in_colour(threats(c, width));
    let [lines, short] = values(known, width).map(in_colour);
    let rows = number(if lines.len() <= usize::from(most) { lines.len() } else { short.len() });
    let rows = rows.clamp(MIN_VALUE_ROWS, shown) + number(threats.len());
    let [lines, short] = [lines, short].map(|rows| rows.into_iter().chain(threats.iter().cloned()).collect());
    Said { lines, short, rows, dots: c.screen.looks.dots() }
}

/// Returns the text about a move that no search has found.
fn without_search(c: &FrameContext<'_>, report: &session::SearchReport) -> Text {
    let how = if report.is_from_book { sentences::FROM_BOOK } else { sentences::NO_SEARCH };
    if let Some(program) = c.game.and_then(|game| game.game().spec().program.as_ref()) {
        return sentences::no_word(&program.name()).into();
    }
    match report.pv.first() {
        Some(mv) => text!("{}: {how}", of_move(None, mv)),
        None => how.into(),
    }
}

/// Returns the values in as many columns as there is room for, with the moves of each value
/// together.
fn values(values: &[(String, Value)], width: u16) -> [Vec<Text>; 2] {
    let texts: Vec<String> = values.iter().map(|(text, value)| format!("{text} {value}")).collect();
    let widest = texts.iter().map(String::len).max().unwrap_or(1);
    let columns = (usize::from(width) / (widest + 2)).max(1);
    let padded: Vec<String> = texts.iter().map(|text| format!("{text:<widest$}")).collect();
    let room = usize::from(width.saturating_sub(1));
    let lines = by_value(values.iter().map(|(text, value)| (text.as_str(), value.to_string())));
    [
        padded.chunks(columns).map(|row| row.join("  ").into()).collect(),
        lines.iter().flat_map(|line| wrap(line, room)).collect(),
    ]
}

/// Returns the other side's threats, in rows of a frame of `width` columns.
fn threats(c: &FrameContext<'_>, width: u16) -> Vec<Text> {
    let shown = c.game.shown();
    let threats = shown.and_then(|shown| shown.view().threats());
    let is_lost = shown.is_some_and(every_move_loses);
    let threats = match threats {
        Some(threats) if is_lost => Some(text!("{}: {threats}", sentences::EVERY_MOVE_LOSES)),
        None if is_lost => Some(text!("{}.", sentences::EVERY_MOVE_LOSES)),
        threats => threats,
    };
    threats.map(|text| wrap(text, usize::from(width.saturating_sub(2)))).unwrap_or_default()
}

/// Returns a number of positions in few characters: `400`, `8.1 k`, `480 k`, `1.2 M`.
fn short(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..10_000 => format!("{}.{} k", count / 1000, count / 100 % 10),
        10_000..1_000_000 => format!("{} k", count / 1000),
        _ => format!("{}.{} M", count / 1_000_000, count / 100_000 % 10),
    }
}

/// Returns the text about a report: the value of the position, the depth, the best moves with their
/// lines.
fn found(
    c: &FrameContext<'_>,
    side: Side,
    report: &SearchReport,
    width: u16,
    is_high: bool,
) -> Vec<Line<'static>> {
    let ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX).max(1);
    let time = if ms < 100 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) };
    let speed = format!("{}/s", short(report.nodes.saturating_mul(1000) / ms));
    let columns = head_columns(width);
    let headed = |head: &str, text: &Text| {
        let mut line = Line::default();
        push(&mut line, format!("{head:<columns$}"), c.screen.looks.part(Part::Faint));
        line.spans.extend(told(c, text, Style::new()).spans);
        line
    };
    let mut lines = vec![headed("value", &worth(c, side, report, width))];
    // A result without a search has no depth.
    let has_looked = report.depth > 0;
    if is_high && has_looked {
        lines.push(headed("depth", &text!("{}   {time}", report.depth)));
        lines.push(headed("nodes", &text!("{}   {speed}", short(report.nodes))));
    } else if has_looked {
        let all = text!("{}   {time}   {speed}", report.depth);
        let most = usize::from(width).saturating_sub(columns + 1);
        let is_short = all.chars().count() <= most;
        lines.push(headed("depth", &if is_short { all } else { all.slice(0..all.len() - speed.len()) }));
    }
    if report.is_from_book {
        lines.push(headed("known", &sentences::FROM_BOOK.into()));
    }
    let room = width.saturating_sub(2);
    if is_list(c, side, report) {
        lines.extend(best_moves(c, side, report, room));
    } else {
        lines.extend(line_in_rows(c, side, &report.pv, room));
    }
    lines
}

/// Reports whether the best moves are listed: those from before the engine's own move are not moves
/// of this position.
fn is_list(c: &FrameContext<'_>, side: Side, report: &SearchReport) -> bool {
    report.best_moves().len() > 1 && c.screen.drawing.lines() > 1 && c.game.is_about_the_next_move(side)
}

/// Returns the best moves, each in a row with as much of its line as there is room for.
fn best_moves(c: &FrameContext<'_>, side: Side, report: &SearchReport, room: u16) -> Vec<Line<'static>> {
    // If other numbers are on the board those of the moves are not.
    let has_places = painting::overlay_marks(c).is_none();
    // All rows give the number of visits in the same form.
    let heads = |counted| -> Vec<Line<'static>> {
        let all = report
            .best_moves()
            .iter()
            .take(c.screen.drawing.lines())
            .zip((1..).map(|place| has_places.then_some(place)));
        let worth = |one: &CandidateMove| {
            let worth = one.worth.as_ref().filter(|_| one.score.is_none_or(|score| !is_bare(report, score)));
            worth.map(|worth| in_moves(one.score, worth)).unwrap_or_default()
        };
        all.map(|(one, place)| best(c, side, (one, &worth(one)), place, counted)).collect()
    };
    let ways = [Counted::InAWord, Counted::Briefly, Counted::Not].map(heads);
    let fits = |heads: &&Vec<Line<'_>>| heads.iter().all(|head| columns_of(head) + MIN_LINE_WIDTH <= room);
    let heads = ways.iter().find(fits).unwrap_or(&ways[2]).clone();
    let rows = heads.into_iter().zip(report.best_moves());
    // The line that is stepped through is highlighted at its beginning.
    let walked = match &c.screen.cursor.focus {
        Focus::Lines(walk) if walk.step == 0 => Some(walk.number),
        _ => None,
    };
    let rows = rows.map(|(head, candidate)| with_line(c, side, head, candidate, room)).enumerate();
    rows.map(|(number, row)| if Some(number) == walked { chosen(row) } else { row }).collect()
}

/// Returns the value of a position, in as many words as there is room for.
fn worth(c: &FrameContext<'_>, side: Side, report: &SearchReport, width: u16) -> Text {
    let estimate = report.score.filter(|score| is_bare(report, *score));
    if let (Some(Score(score)), None | Some(Proof::Unproved), Some(shown)) =
        (estimate, report.proof, c.game.shown())
    {
        return sentences::looks_better(shown.side_name(side), shown.side_name(side.other()), score);
    }
    let (value, unit) = match (&report.worth, report.proof) {
        (Some(worth), None | Some(Proof::Unproved)) => (in_moves(report.score, worth), worth.unit),
        (worth, Some(Proof::WinIn(plies))) => (proved(Value::Win(plies), worth.as_ref()), ""),
        (worth, Some(Proof::LostIn(plies))) => (proved(Value::Loss(plies), worth.as_ref()), ""),
        (_, Some(Proof::Draw)) => (Value::Draw.to_string(), ""),
        (_, Some(Proof::Certified)) => ("cannot lose".to_owned(), ""),
        (None, None | Some(Proof::Unproved)) => ("unknown".to_owned(), ""),
    };
    let chance = report.chance.filter(|_| report.score.is_some());
    let chance = chance.map(|chance| format!(" ({}%)", per_cent(chance))).unwrap_or_default();
    let name = c.game.shown().map(|shown| text!("{}", shown.side_name(side))).unwrap_or_default();
    let with_unit = format!("{value} {unit}");
    let worths = [(with_unit.trim_end(), &*chance), (&*value, &*chance), (&*value, "")];
    let worths = worths.map(|(value, chance)| text!("{name} {value}{chance}"));
    let room = usize::from(width) - head_columns(width).min(usize::from(width));
    worths.iter().find(|worth| usize::from(width_of(worth)) + 1 < room).unwrap_or(&worths[2]).clone()
}

/// Reports whether a value is a mere number: its unit is unknown to players, and so is its win
/// chance.
fn is_bare(report: &SearchReport, score: Score) -> bool {
    let has_unit = report.worth.as_ref().is_some_and(|worth| !worth.unit.is_empty());
    matches!(score.value(), Value::Estimate(_)) && report.chance.is_none() && !has_unit
}

/// Returns a score in words: a win or a loss in the mover's own moves, as everywhere on the screen;
/// any other as the game words it.
fn in_moves(score: Option<Score>, told: &DisplayedScore) -> String {
    match score.map(Score::value) {
        Some(value @ (Value::Win(_) | Value::Loss(_))) => proved(value, Some(told)),
        _ => told.value.clone(),
    }
}

/// Returns `wins in 3`, or `wins within 3` where that is only a bound.
fn proved(value: Value, told: Option<&DisplayedScore>) -> String {
    let text = value.to_string();
    if told.is_some_and(|told| told.is_bound) { text.replacen(" in ", " within ", 1) } else { text }
}

/// Form in which a row gives the number of a move's visits: `12 visits`, `12×`, or not at all.
#[derive(Clone, Copy)]
enum Counted {
    InAWord,
    Briefly,
    Not,
}

/// Returns one of the best moves: its number, if that is shown, its value, and the number of its
/// visits.
fn best(
    c: &FrameContext<'_>,
    side: Side,
    (one, worth): (&CandidateMove, &str),
    place: Option<usize>,
    counted: Counted,
) -> Line<'static> {
    let CandidateMove { text, visits, .. } = one;
    let mut told = Line::default();
    push(&mut told, place.map_or_else(|| "- ".to_owned(), |place| format!("{place}. ")), c.role(Role::Hint));
    push(&mut told, text.clone(), c.role(Role::of(side)));
    push(&mut told, format!(" {worth}"), Style::new());
    let (count, noun) = (short((*visits).into()), if *visits == 1 { "visit" } else { "visits" });
    let times = if c.screen.looks.glyphs == Glyphs::Unicode { '×' } else { 'x' };
    let visits = match counted {
        _ if *visits == 0 => String::new(),
        Counted::InAWord => format!("  {count} {noun}"),
        Counted::Briefly => format!(" {count}{times}"),
        Counted::Not => String::new(),
    };
    push(&mut told, visits, c.screen.looks.part(Part::Faint));
    told
}

/// Returns the row of one of the best moves, with as much of its line as there is room for.
fn with_line(
    c: &FrameContext<'_>,
    side: Side,
    mut told: Line<'static>,
    candidate: &CandidateMove,
    room: u16,
) -> Line<'static> {
    let mut gap = "  ";
    for (mv, ply) in candidate.line.iter().zip(0..).skip(1) {
        if columns_of(&told) + width_of(mv) + 1 > room {
            break;
        }
        let mover = if ply % 2 == 0 { side } else { side.other() };
        push(&mut told, gap, Style::new());
        push(&mut told, mv.clone(), c.role(Role::of(mover)).not_bold());
        gap = " ";
    }
    told
}

/// Returns a row that stands out, also by its first sign, which points at it.
fn chosen(mut row: Line<'static>) -> Line<'static> {
    for span in &mut row.spans {
        span.style = span.style.reversed();
    }
    row
}

/// Returns the moves of a line in rows, each in the colour of its side.
fn line_in_rows(c: &FrameContext<'_>, side: Side, played: &[String], room: u16) -> Vec<Line<'static>> {
    let columns = head_columns(room + 2);
    let head = |text: &str| {
        let mut line = Line::default();
        push(&mut line, format!("{text:<columns$}"), c.screen.looks.part(Part::Faint));
        line
    };
    let (mut lines, mut line) = (Vec::new(), head("line"));
    for (mv, ply) in played.iter().zip(0..) {
        if columns_of(&line) + width_of(mv) > room {
            lines.push(std::mem::replace(&mut line, head("")));
        }
        let mover = if ply % 2 == 0 { side } else { side.other() };
        push(&mut line, mv.clone(), c.role(Role::of(mover)));
        push(&mut line, " ", Style::new());
    }
    lines.push(line);
    lines
}
