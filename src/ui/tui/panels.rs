//! The panels beside the board: what the game counts, the moves, the machine or the values of the moves.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;

use super::draw::{cut, draw_list, frame, put, sign, width_of};
use super::key_table::Context;
use super::layout::{layout, number};
use super::scene::{Phase, Scene};
use super::theme::Part;
use crate::ai::Proof;
use crate::canvas::{Glyphs, Role};
use crate::game::Side;
use crate::messages::{by_value, screen as sentences};
use crate::play::Match;
use crate::session::{self, Candidate, Report};
use crate::ui::text::wrap;

/// Rows of the engine panel inside its frame.
const ENGINE_ROWS: u16 = 5;
/// The moves keep this number of rows, frame included, before the engine panel is left out.
const MIN_MOVES: u16 = 4;

/// In a window so high the engine panel has room for the best moves, and the signs are explained.
const HIGH: u16 = 30;
const MORE_ENGINE_ROWS: u16 = 8;

/// The panels; of height 0 where one has no room.
struct Places {
    tally: Rect,
    moves: Rect,
    engine: Rect,
    legend: Rect,
    score: Rect,
}

fn places(scene: &Scene<'_>, position: &dyn session::Position) -> Option<Places> {
    let mut all = layout(position, scene.size).panel?;
    let is_high = all.height + 5 >= HIGH;
    let lines = number(position.drawn().side_panel(scene.looks.glyphs).len());
    let has_score = !scene.is_watched() && all.height >= lines + ENGINE_ROWS + MIN_MOVES + 4;
    let mut from_below = |rows: u16| {
        all.height -= rows;
        Rect { y: all.y + all.height, height: rows, ..all }
    };
    let score = from_below(u16::from(has_score));
    let signs = number(legend(scene, position, all.width).len());
    let legend = from_below(if is_high && signs > 0 { signs + 2 } else { 0 });
    let engine_rows = if is_high { MORE_ENGINE_ROWS } else { ENGINE_ROWS };
    let top = if lines > 1 && lines + 1 + MIN_MOVES <= all.height { lines + 1 } else { 0 };
    let rest = all.height - top;
    let engine = if rest >= engine_rows + 2 + MIN_MOVES { engine_rows + 2 } else { 0 };
    Some(Places {
        tally: Rect { height: top, ..all },
        moves: Rect { y: all.y + top, height: rest - engine, ..all },
        engine: Rect { y: all.y + top + rest - engine, height: engine, ..all },
        legend,
        score,
    })
}

/// The lines of the legend; those too long for a panel of this width are broken where they have gaps.
fn legend(scene: &Scene<'_>, position: &dyn session::Position, width: u16) -> Vec<String> {
    let lines = position.drawn().legend(scene.looks.glyphs);
    if lines.iter().all(|line| width_of(line) + 3 <= width) {
        return lines;
    }
    let parts = lines.iter().flat_map(|line| line.split("  ").map(str::trim).filter(|part| !part.is_empty()));
    parts.map(str::to_owned).collect()
}

/// Whether the machine's panel has room.
pub(super) fn has_engine(scene: &Scene<'_>) -> bool {
    scene.shown().and_then(|shown| places(scene, shown)).is_some_and(|places| places.engine.height > 0)
}

/// Draws all panels.
pub(super) fn draw(scene: &Scene<'_>, buffer: &mut Buffer) {
    let Some(position) = scene.shown() else { return };
    let Some(places) = places(scene, position) else { return };
    if let [title, lines @ ..] = position.drawn().side_panel(scene.looks.glyphs).as_slice() {
        draw_list(scene, buffer, places.tally, title, lines);
    }
    draw_list(scene, buffer, places.legend, "Legend", &legend(scene, position, places.legend.width));
    let results = scene.game.map_or([0; 3], |game| game.tally().results());
    if places.score.height > 0 && results.iter().sum::<u32>() > 0 {
        let names = Side::each(|side| sign(scene, position, side));
        let names = names.each_ref().map(String::as_str);
        let names = if scene.you().is_some() { sentences::PERSON_AND_MACHINE } else { names };
        let texts = sentences::score(names, results);
        let text = texts.iter().find(|text| width_of(text) <= places.score.width).unwrap_or(&texts[2]);
        put(buffer, places.score, 0, 0, &cut(text, places.score.width, scene), Style::new());
    }
    draw_moves(scene, buffer, places.moves);
    draw_engine(scene, buffer, places.engine);
}

/// What stands below the board: the marks, and how the machine judges the game.
pub(super) fn draw_foot(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect) {
    let Some(position) = scene.shown() else { return };
    let report = scene.report().filter(|_| scene.drawing.shows_engine && position.outcome().is_none());
    let chance = report.and_then(|(side, report)| Some((side, report.chance?)));
    let bars = chance.map(|(side, chance)| evaluation_bar(scene, position, side, chance)).unwrap_or_default();
    let length = bars.iter().map(|bar| width_of(bar)).sum::<u16>();
    let is_placing = scene.context() == Context::Wall && scene.is_players_turn();
    let marks = if is_placing { sentences::WALL_MODE } else { sentences::MARKS }.to_owned();
    let last = position.drawn().legend(scene.looks.glyphs).pop().filter(|_| !is_placing);
    let more = last.map(|last| format!("{marks}  {last}"));
    let fits = |text: &String| width_of(text) + length + 4 <= area.width;
    let marks = more.filter(|text| width_of(text) < area.width / 2).into_iter().chain([marks]).find(fits);
    put(buffer, area, 1, 0, &marks.unwrap_or_default(), scene.part(Part::Faint));
    let mut x = area.width.saturating_sub(length + 1);
    for (bar, side) in bars.iter().zip(Side::BOTH) {
        put(buffer, area, x, 0, bar, scene.role(Role::of(side)));
        x += width_of(bar);
    }
}

/// Both sides' chances: `Red 39 % ██████` and `░░░░░░░░░ Blue 61 %`. `chance` is that of the side that has thought.
fn evaluation_bar(
    scene: &Scene<'_>,
    position: &dyn session::Position,
    side: Side,
    chance: f64,
) -> [String; 2] {
    const LENGTH: u32 = 15;
    let first = if side == Side::First { chance } else { 1.0 - chance };
    let per_cent = per_cent(first);
    let filled = ((per_cent * LENGTH + 50) / 100) as usize;
    let [full, empty] = if scene.looks.glyphs == Glyphs::Unicode { ["█", "░"] } else { ["#", "-"] };
    let (full, empty) = (full.repeat(filled), empty.repeat(LENGTH as usize - filled));
    let [one, other] = Side::each(|side| position.side_name(side));
    [format!("{one} {per_cent} % {full}"), format!("{empty} {other} {} %", 100 - per_cent)]
}

/// A chance in whole per cent.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between 0 and 100")]
fn per_cent(chance: f64) -> u32 {
    (chance.clamp(0.0, 1.0) * 100.0).round() as u32
}

/// The first round that is shown in this many rows, so that the position on the screen is among them.
fn first_round(scene: &Scene<'_>, rows: u16) -> usize {
    let Some(shown) = scene.shown() else { return 0 };
    let rows = usize::from(rows);
    let rounds = scene.last_ply() / 2 + 1;
    let here = shown.plies().saturating_sub(1) / 2;
    let last = rounds.saturating_sub(rows);
    if scene.is_looking() { here.saturating_sub(rows / 2).min(last) } else { last }
}

/// The column of First's moves.
const FIRST_COLUMN: u16 = 5;

/// The column of Second's moves inside a frame of this width.
fn second_column(width: u16) -> u16 {
    width.saturating_sub(9).clamp(FIRST_COLUMN + 7, 16)
}

fn draw_moves(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect) {
    let inside = frame(buffer, scene, area, "Moves");
    let Some(game) = scene.game.map(Match::game) else { return };
    let line = game.line();
    let now = game.position(*line.last().expect("a line has a first position"));
    let played = &line[1..];
    let first = first_round(scene, inside.height);
    for (round, y) in (first..=played.len() / 2).zip(0..inside.height) {
        if round * 2 >= played.len() && now.outcome().is_some() {
            break;
        }
        put(buffer, inside, 0, y, &format!("{:>4}", round + 1), scene.part(Part::Faint));
        for (side, x) in [(Side::First, FIRST_COLUMN), (Side::Second, second_column(inside.width))] {
            let ply = round * 2 + side.index();
            let text = match played.get(ply) {
                Some(&id) => game.position(id).last().unwrap_or_default(),
                None if ply == played.len() && now.outcome().is_none() => scene.dots().to_owned(),
                None => continue,
            };
            let text = format!("{} {text}", sign(scene, &**now, side));
            let is_here = scene.is_looking() && played.get(ply) == Some(&game.shown);
            let style = scene.role(Role::of(side));
            let style = if is_here { style.reversed() } else { style };
            put(buffer, inside, x, y, &cut(&text, inside.width.saturating_sub(x), scene), style);
        }
    }
}

/// The number of moves after the move in the list that stands at a place.
pub(super) fn hit(scene: &Scene<'_>, at: Position) -> Option<usize> {
    let area = places(scene, scene.shown()?)?.moves;
    let inside = area.inner(Margin::new(1, 1));
    // The right edge belongs to the list.
    if !(Rect { width: inside.width + 1, ..inside }).contains(at) {
        return None;
    }
    let round = first_round(scene, inside.height) + usize::from(at.y - inside.y);
    let ply = round * 2 + usize::from(at.x - area.x > second_column(inside.width)) + 1;
    (ply <= scene.last_ply()).then_some(ply)
}

fn draw_engine(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect) {
    let shows = scene.drawing.shows_engine;
    let known = scene.shown().filter(|_| shows).map_or(&[][..], session::Position::values);
    let has_values = !known.is_empty();
    let title = if has_values { sentences::VALUES } else { sentences::ENGINE };
    let inside = area.inner(Margin::new(1, 1));
    let goes_on = scene.shown().is_some_and(|shown| shown.outcome().is_none());
    let can_ask = goes_on && scene.phase() == Phase::Asking;
    let mut lines = match scene.report() {
        _ if !shows => vec![sentences::SWITCHED_OFF.to_owned()],
        _ if !goes_on => vec![sentences::PANEL_AT_THE_END.to_owned()],
        _ if has_values => values(known, inside),
        Some((_, report)) if report.is_without_search() => {
            let program = scene.game.and_then(|game| game.game().spec.program.as_ref());
            vec![program.map_or(sentences::NO_SEARCH.to_owned(), |program| sentences::no_word(&program.name))]
        }
        Some((side, report)) => in_words(scene, side, report, inside),
        None if can_ask => vec![sentences::NOTHING_KNOWN.to_owned()],
        None => Vec::new(),
    };
    let rows = usize::from(inside.height);
    if lines.len() > rows && rows > 0 {
        lines[rows - 1] += scene.dots();
    }
    draw_list(scene, buffer, area, title, &lines);
}

/// The values in as many columns as there is room for; where that is too little, the moves of each value together.
fn values(values: &[(String, String)], inside: Rect) -> Vec<String> {
    let texts: Vec<String> = values.iter().map(|(text, value)| format!("{text} {value}")).collect();
    let widest = texts.iter().map(String::len).max().unwrap_or(1);
    let columns = (usize::from(inside.width) / (widest + 2)).max(1);
    let padded: Vec<String> = texts.iter().map(|text| format!("{text:<widest$}")).collect();
    if padded.len() <= columns * usize::from(inside.height) {
        return padded.chunks(columns).map(|row| row.join("  ")).collect();
    }
    let room = usize::from(inside.width.saturating_sub(1));
    let lines = by_value(values.iter().map(|(text, value)| (text.as_str(), value.clone())));
    lines.iter().flat_map(|line| wrap(line, room)).collect()
}

/// A number of positions in few characters: `480 k`, `1.2 M`.
fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{} k", count / 1000),
        _ => format!("{}.{} M", count / 1_000_000, count / 100_000 % 10),
    }
}

fn in_words(scene: &Scene<'_>, side: Side, report: &Report, inside: Rect) -> Vec<String> {
    let ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX).max(1);
    let (value, unit) = match (&report.worth, report.proof) {
        (Some(worth), None | Some(Proof::Unproved)) => (worth.value.clone(), worth.unit),
        (_, Some(Proof::Certified)) => ("cannot lose".to_owned(), ""),
        (_, Some(status)) => (status.to_string(), ""),
        (None, None) => ("-".to_owned(), ""),
    };
    let chance = report.chance.filter(|_| report.score.is_some());
    let chance = chance.map(|chance| format!(" ({} %)", per_cent(chance))).unwrap_or_default();
    let name = scene.shown().map_or("", |shown| shown.side_name(side));
    let with_unit = format!("{value} {unit}");
    let worths = [with_unit.trim_end(), &value].map(|value| format!("value  {name} {value}{chance}"));
    let worth = worths.iter().find(|worth| width_of(worth) < inside.width).unwrap_or(&worths[0]).clone();
    let speed = short(report.nodes.saturating_mul(1000) / ms);
    let mut lines = vec![
        worth,
        format!("depth  {}   {}.{} s", report.depth, ms / 1000, ms % 1000 / 100),
        format!("nodes  {}  {speed}/s", short(report.nodes)),
    ];
    if inside.height > ENGINE_ROWS && report.candidates.len() > 1 {
        lines.extend(report.candidates.iter().zip(1..).map(|(candidate, i)| {
            let Candidate { text, worth, visits, line, .. } = candidate;
            let head = if i == 1 { "best" } else { "" };
            let best = format!("{head:<7}{i}. {text} {}", worth.as_ref().map_or("", |worth| &worth.value));
            if *visits == 0 {
                return best;
            }
            // The line goes on as far as there is room.
            let room = usize::from(inside.width).saturating_sub(2);
            let mut told = format!("{best} x{}", short((*visits).into()));
            for mv in line.iter().skip(1).take_while(|_| i > 1) {
                if told.chars().count() + 1 + mv.chars().count() > room {
                    break;
                }
                told.push(' ');
                told.push_str(mv);
            }
            told
        }));
    }
    let mut line = "line   ".to_owned();
    let room = usize::from(inside.width).saturating_sub(2);
    for text in &report.pv {
        if line.chars().count() + text.chars().count() > room {
            lines.push(std::mem::replace(&mut line, "       ".to_owned()));
        }
        line += text;
        line.push(' ');
    }
    lines.push(line.trim_end().to_owned());
    lines
}
