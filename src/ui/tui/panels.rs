//! The panels beside the board: what the game counts, the moves, the machine or the values of the moves.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use super::layout::layout;
use super::state::State;
use super::theme::{Part, Theme};
use super::view::{cut, frame, put};
use crate::game::Side;
use crate::session::{Report, Session};

/// Rows of the engine panel inside its frame.
const ENGINE_ROWS: u16 = 5;
/// The moves keep so many rows, frame included, before the engine panel is left out.
const LEAST_MOVES: u16 = 5;

/// The three panels; of height 0 where one has no room.
struct Places {
    tally: Rect,
    moves: Rect,
    engine: Rect,
}

fn places(state: &State, session: &dyn Session) -> Option<Places> {
    let all = layout(session, state.size).panel?;
    let tally = session.tally(state.looks.glyphs);
    let lines = u16::try_from(tally.len()).unwrap_or(0);
    let top = if lines > 1 && lines + 1 + LEAST_MOVES <= all.height { lines + 1 } else { 0 };
    let rest = all.height - top;
    let engine = if rest >= ENGINE_ROWS + 2 + LEAST_MOVES { ENGINE_ROWS + 2 } else { 0 };
    Some(Places {
        tally: Rect { height: top, ..all },
        moves: Rect { y: all.y + top, height: rest - engine, ..all },
        engine: Rect { y: all.y + top + rest - engine, height: engine, ..all },
    })
}

/// Draws all panels.
pub(super) fn draw(state: &State, theme: Theme, buffer: &mut Buffer) {
    let Some(session) = state.shown() else { return };
    let Some(places) = places(state, session) else { return };
    if places.tally.height > 0 {
        let tally = session.tally(state.looks.glyphs);
        let inside = frame(buffer, state, theme, places.tally, &tally[0]);
        for (line, y) in tally[1..].iter().zip(0..) {
            put(buffer, inside, 1, y, &cut(line, inside.width.saturating_sub(1), state), Style::new());
        }
    }
    draw_moves(state, theme, buffer, places.moves);
    if places.engine.height > 0 {
        draw_engine(state, theme, buffer, places.engine);
    }
}

/// The first round that is shown in so many rows, so that the position on the screen is among them.
fn first_round(state: &State, rows: u16) -> usize {
    let (Some(now), Some(shown)) = (state.now.as_deref(), state.shown()) else { return 0 };
    let rows = usize::from(rows);
    let rounds = now.plies() / 2 + 1;
    let here = shown.plies().saturating_sub(1) / 2;
    let last = rounds.saturating_sub(rows);
    if state.past.is_some() { here.saturating_sub(rows / 2).min(last) } else { last }
}

/// Columns of the number, of First's move and of Second's.
const COLUMNS: [u16; 3] = [0, 5, 16];

fn draw_moves(state: &State, theme: Theme, buffer: &mut Buffer, area: Rect) {
    let inside = frame(buffer, state, theme, area, "Moves");
    let (Some(now), Some(shown)) = (state.now.as_deref(), state.shown()) else { return };
    let played = now.played();
    let first = first_round(state, inside.height);
    let second_column = COLUMNS[2].min(inside.width.saturating_sub(9)).max(COLUMNS[1] + 7);
    for (round, y) in (first..=played.len() / 2).zip(0..inside.height) {
        if round * 2 >= played.len() && now.outcome().is_some() {
            break;
        }
        let number = format!("{:>4}", round + 1);
        put(buffer, inside, COLUMNS[0], y, &number, state.style(theme.part(Part::Faint)));
        for (side, x) in [(Side::First, COLUMNS[1]), (Side::Second, second_column)] {
            let ply = round * 2 + side.index();
            let text = match played.get(ply) {
                Some(text) => text.clone(),
                None if ply == played.len() && now.outcome().is_none() => state.dots().to_owned(),
                None => continue,
            };
            let sign = now.sign(side, state.looks.glyphs);
            let sign = sign.map_or_else(|| now.side_name(side).to_owned(), String::from);
            let is_here = state.past.is_some() && ply + 1 == shown.plies();
            let style = if is_here { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
            let room = inside.width.saturating_sub(x);
            put(buffer, inside, x, y, &cut(&format!("{sign} {text}"), room, state), style);
        }
    }
}

/// The number of moves after the move in the list that stands at a place.
pub(super) fn hit(state: &State, at: Position) -> Option<usize> {
    let area = places(state, state.shown()?)?.moves;
    let is_inside = area.contains(at) && at.y > area.y && at.y + 1 < area.y + area.height && at.x > area.x;
    if !is_inside {
        return None;
    }
    let round = first_round(state, area.height.saturating_sub(2)) + usize::from(at.y - area.y - 1);
    let inside = area.width.saturating_sub(2);
    let second_column = COLUMNS[2].min(inside.saturating_sub(9)).max(COLUMNS[1] + 7);
    let ply = round * 2 + usize::from(at.x - area.x > second_column) + 1;
    (ply <= state.now.as_deref()?.plies()).then_some(ply)
}

fn draw_engine(state: &State, theme: Theme, buffer: &mut Buffer, area: Rect) {
    let has_values = !state.values.is_empty() && state.shows_engine;
    let inside = frame(buffer, state, theme, area, if has_values { "Value of every move" } else { "Engine" });
    let lines = match &state.report {
        _ if !state.shows_engine => vec!["v shows the values".to_owned()],
        _ if has_values => values(&state.values, inside),
        Some(report) => in_words(state, report, inside.width),
        None => Vec::new(),
    };
    for (line, y) in lines.iter().zip(0..inside.height) {
        put(buffer, inside, 1, y, &cut(line, inside.width.saturating_sub(1), state), Style::new());
    }
}

/// The values in as many columns as there is room for.
fn values(values: &[(String, String)], inside: Rect) -> Vec<String> {
    let texts: Vec<String> = values.iter().map(|(text, value)| format!("{text} {value}")).collect();
    let widest = texts.iter().map(String::len).max().unwrap_or(1);
    let columns = (usize::from(inside.width) / (widest + 2)).max(1);
    let padded: Vec<String> = texts.iter().map(|text| format!("{text:<widest$}")).collect();
    padded.chunks(columns).map(|row| row.join("  ")).collect()
}

/// A number of positions in few characters: `480 k`, `1.2 M`.
fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{} k", count / 1000),
        _ => format!("{}.{} M", count / 1_000_000, count / 100_000 % 10),
    }
}

fn in_words(state: &State, report: &Report, width: u16) -> Vec<String> {
    let ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX).max(1);
    let mut lines = Vec::new();
    let value = match (&report.worth, report.status) {
        (Some(worth), None | Some(crate::ai::Status::Unproved)) => worth.clone(),
        (_, Some(status)) => status.to_string(),
        (None, None) => "-".to_owned(),
    };
    lines.push(format!("value  {value}"));
    lines.push(format!("depth  {}   {}.{} s", report.depth, ms / 1000, ms % 1000 / 100));
    let speed = short(report.nodes.saturating_mul(1000) / ms);
    lines.push(format!("nodes  {}  {speed}/s", short(report.nodes)));
    let mut line = "line   ".to_owned();
    let room = usize::from(width).saturating_sub(2);
    for text in &report.pv {
        if line.chars().count() + text.chars().count() > room {
            lines.push(std::mem::replace(&mut line, "       ".to_owned()));
        }
        line += text;
        line.push(' ');
    }
    lines.push(line.trim_end().to_owned());
    if lines.len() > usize::from(ENGINE_ROWS) {
        lines.truncate(usize::from(ENGINE_ROWS));
        if let Some(last) = lines.last_mut() {
            last.push_str(state.dots());
        }
    }
    lines
}
