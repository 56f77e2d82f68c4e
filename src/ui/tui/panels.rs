//! The panels beside the board: what the game counts, the moves, the machine or the values of the moves.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;

use super::draw::{Line, cut, draw_lines, draw_list, frame, piece_glyph, put, width_of};
use super::layout::{HIGH, columns_for_panel, layout, number};
use super::review;
use super::scene::{Phase, Scene};
use super::theme::Part;
use crate::ai::{Proof, Score, Value, Worth};
use crate::canvas::{Glyphs, Role};
use crate::game::Side;
use crate::messages::screen::Players;
use crate::messages::{by_value, every_move_loses, screen as sentences};
use crate::play::Match;
use crate::session::{self, Candidate, Report};
use crate::text;
use crate::text::columns::wrap;
use crate::text::{Text, of_move};

/// Rows of the engine panel inside its frame: what the position is worth, how far it looked, the best three moves.
const ENGINE_ROWS: u16 = 5;
/// How often a move was looked at is told where so much room is left for its line: the answer to it.
const MIN_LINE_WIDTH: u16 = 5;
/// The columns of what a row of the engine panel is about, in a frame with so many columns inside.
const fn head_columns(inside: u16) -> usize {
    if inside < 30 { 6 } else { 7 }
}

/// The fewest rows for the values of a small board, so that the panel keeps its place.
const MIN_VALUE_ROWS: u16 = 2;
/// The moves keep this number of rows, frame included, before the engine panel is left out.
const MIN_MOVES: u16 = 4;
/// The moves keep so many before there is a legend: six rounds.
const SPARE_MOVES: u16 = 8;
/// On their own side of the board the moves have rows for so many rounds, then for twice as many.
const MOVES_STEP: u16 = 10;
/// The moves keep so many before a review has more than its least rows.
const MANY_MOVES: u16 = 7;

/// In a high window the engine panel has room for more moves, as far as it needs it.
const MORE_ENGINE_ROWS: u16 = 8;
/// A legend leaves the engine so many rows, frame included, also where that needs fewer: it does not come and go.
const STEADY_ENGINE: u16 = 8;

/// The panels; of height 0 where one has no room.
struct Places {
    tally: Rect,
    moves: Rect,
    engine: Rect,
    review: Rect,
    legend: Rect,
    score: Rect,
    /// Whether the window is so high that the engine tells its numbers in rows of their own.
    is_high: bool,
}

fn places(scene: &Scene<'_>, position: &dyn session::Position) -> Option<Places> {
    places_with(scene, position, scene.drawing.shows_engine)
}

fn places_with(scene: &Scene<'_>, position: &dyn session::Position, shows_engine: bool) -> Option<Places> {
    let places = layout(position, scene.size);
    let mut all = places.panel?;
    let is_high = all.height + 5 >= HIGH;
    let lines = number(position.drawn().side_panel(scene.looks.glyphs, room(all)).len());
    let has_score = !scene.is_watched() && all.height >= lines + ENGINE_ROWS + MIN_MOVES + 4;
    let score = if has_score { score_rows(scene, all, places.below_board) } else { 0 };
    let score = Rect { y: all.y + all.height - score, height: score, ..all };
    all.height -= score.height;
    let signs = match number(legend(scene, position, all.width).len()) {
        0 => 0,
        signs => signs + 2,
    };
    let top = if lines > 1 && lines + 1 + MIN_MOVES <= all.height { lines + 1 } else { 0 };
    let rest = all.height - top;
    // At the end there is nothing to think about.
    let wanted = match position.outcome() {
        Some(_) => 1,
        None => engine_rows(scene, all.width, is_high),
    } + 2;
    let spare = match scene.has_ways() {
        _ if places.left_panel.is_some() => 0,
        true => MANY_MOVES, // their signs are to be told
        false => SPARE_MOVES,
    };
    let wanted = beside_legend(wanted, rest, signs + spare);
    let [least, many] = if places.left_panel.is_some() { [0, 0] } else { [MIN_MOVES, MANY_MOVES] };
    // Where there is room for one of the engine and the review, the one that was asked for last is there.
    let both = many + if shows_engine && position.outcome().is_none() { wanted } else { 0 };
    let alone = if scene.drawing.prefers_review { least } else { both };
    let ways = [(true, both), (false, both), (false, alone)];
    let rows = ways.map(|(is_high, others)| (review::rows(scene, is_high), others));
    let review = rows.into_iter().find(|(rows, others)| rest >= rows + others).map_or(0, |(rows, _)| rows);
    let is_told = review > 0 && position.outcome().is_some(); // the review says how the game went
    let moves = if review > 0 { many } else { least };
    let engine = if shows_engine && !is_told && rest >= wanted + review + moves { wanted } else { 0 };
    let rest = rest - review;
    // The legend stands where the engine and the moves leave rows.
    let beside = if engine > 0 && spare == SPARE_MOVES { engine.max(STEADY_ENGINE) } else { engine };
    let has_room = rest >= beside + signs + spare;
    let [signs, left_signs] = legend_rows(scene, signs, has_room, places.left_panel);
    let rest = rest - signs;
    let left = places.left_panel.map(|left| moves_on_the_left(scene, left, all, left_signs));
    let beside = if left.is_some() { 0 } else { rest - engine };
    let below = |y: u16, height: u16| Rect { y, height, ..all };
    let first = all.y + top;
    let legend = match left {
        Some(left) if left_signs > 0 => Rect { y: left.bottom(), height: left_signs, ..left },
        _ => below(first + beside + engine + review, signs),
    };
    Some(Places {
        tally: below(all.y, top),
        moves: left.unwrap_or(below(first, beside)),
        engine: below(first + beside, engine),
        review: below(first + beside + engine, review),
        legend,
        score,
        is_high,
    })
}

/// The rows of the score. The row below the board may reach into the last row of the panels, until there is one.
fn score_rows(scene: &Scene<'_>, all: Rect, below_board: Option<Rect>) -> u16 {
    match scores(scene).iter().sum::<u32>() {
        0 => u16::from(below_board.is_some_and(|below_board| below_board.y < all.bottom())),
        _ if all.height + 5 >= HIGH => 3,
        _ => 1,
    }
}

/// The rows of the engine, frame included, of so many: where it can do with fewer it does not take those of a legend.
fn beside_legend(wanted: u16, rest: u16, others: u16) -> u16 {
    let is_tight = (STEADY_ENGINE + others..wanted + others).contains(&rest);
    if is_tight { STEADY_ENGINE } else { wanted }
}

/// The rows of a legend on the right, where it has room there, and on the left: below the moves, where it stays whatever
/// the engine panel needs; but the moves of a whole game are worth more.
fn legend_rows(scene: &Scene<'_>, signs: u16, has_room: bool, left: Option<Rect>) -> [u16; 2] {
    match left.filter(|left| !scene.is_replay() && left.height >= MIN_MOVES + signs) {
        Some(_) => [0, signs],
        None if has_room => [signs, 0],
        None => [0, 0],
    }
}

/// The moves on the left side of the board, above a legend of so many rows. They have the rows that they need, in steps:
/// a box that grows with every round is restless.
fn moves_on_the_left(scene: &Scene<'_>, left: Rect, right: Rect, signs: u16) -> Rect {
    let rounds = number(scene.last_ply() / 2 + 1).div_ceil(MOVES_STEP).saturating_mul(MOVES_STEP);
    let height = (left.height - signs).min(rounds + 2);
    // In the corner below a slanted board they keep to its end.
    let y = if left.y > right.y { left.bottom() - height - signs } else { left.y };
    Rect { y, height, ..left }
}

/// The rows that the engine panel needs.
fn engine_rows(scene: &Scene<'_>, width: u16, is_high: bool) -> u16 {
    let most = if is_high { MORE_ENGINE_ROWS } else { ENGINE_ROWS };
    let inside = Rect { x: 0, y: 0, width: width.saturating_sub(2), height: most };
    let known = scene.shown().map_or(&[][..], session::Position::values);
    // The moves and the curve of a replay have the rows that more than three moves would need.
    let most = if scene.is_replay() { ENGINE_ROWS + u16::from(is_high) } else { most };
    // What is drawn does not jump from position to position.
    let steady = if scene.drawing.studies { ENGINE_ROWS + u16::from(is_high) } else { 1 };
    let rows = match scene.report() {
        _ if !known.is_empty() => {
            number(values(known, inside).len()).clamp(MIN_VALUE_ROWS, most)
                + number(threats(scene, inside).len())
        }
        Some((_, report)) if report.is_without_search() => rows_of(&without_search(scene, report), width),
        Some((side, report)) => number(told(scene, side, report, inside, is_high).len()),
        None => 1,
    };
    if known.is_empty() { rows.clamp(steady, most) } else { rows }
}

/// The rows of a sentence in a frame of this width.
fn rows_of(text: &str, width: u16) -> u16 {
    number(wrap(text, room(Rect { width, ..Rect::default() })).len())
}

/// What is said of a move that no search has found.
fn without_search(scene: &Scene<'_>, report: &session::Report) -> Text {
    let how = if report.is_from_book { sentences::FROM_BOOK } else { sentences::NO_SEARCH };
    if let Some(program) = scene.game.and_then(|game| game.game().spec().program.as_ref()) {
        return sentences::no_word(&program.name()).into();
    }
    match report.pv.first() {
        Some(mv) => text!("{}: {how}", of_move(None, mv)),
        None => how.into(),
    }
}

/// The lines of the legend, with the marks of all games; those too long for a panel of this width are broken where they have gaps.
/// A single line needs no panel: the row below the board tells it.
fn legend(scene: &Scene<'_>, position: &dyn session::Position, width: u16) -> Vec<Text> {
    let mut lines = position.drawn().legend(scene.looks.glyphs);
    if lines.len() < 2 && layout(position, scene.size).below_board.is_some() {
        return Vec::new();
    }
    // Its longest line goes to the frame.
    let room = width.saturating_sub(3);
    let has_numbers = !scene.is_replay() || scene.drawing.studies;
    lines.push(sentences::marks(scene.possible_marks(has_numbers)).join("  ").into());
    lines.iter().flat_map(|line| broken_at_gaps(line, room)).collect()
}

/// A line in as few rows as have room for it, broken where it has wider gaps.
fn broken_at_gaps(line: &Text, room: u16) -> Vec<Text> {
    let mut rows: Vec<Text> = Vec::new();
    for part in line.parts("  ").iter().map(Text::trimmed).filter(|part| !part.is_empty()) {
        match rows.last_mut() {
            Some(row) if width_of(row) + 2 + width_of(&part) <= room => {
                row.push_str("  ");
                row.push(&part);
            }
            _ => rows.push(part),
        }
    }
    if width_of(line) <= room { vec![line.clone()] } else { rows }
}

/// The columns of a line in a frame, with one free on either side.
fn room(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(4))
}

/// Whether what a review finds has room.
pub(super) fn has_room_for_review(scene: &Scene<'_>) -> bool {
    let places = scene.shown().and_then(|shown| places(scene, shown));
    places.is_some_and(|places| places.review.height > 0)
}

/// Whether the machine's panel has room, the review put aside.
pub(super) fn has_room_for_engine(scene: &Scene<'_>) -> bool {
    let places = scene.shown().and_then(|shown| places_with(scene, shown, true));
    places.is_some_and(|places| places.engine.height > 0) || hides_engine(scene)
}

/// What is said where the machine's panel has no room; whether the best moves are marked on the board all the same.
pub(super) fn no_room(scene: &Scene<'_>, has_numbers: bool) -> String {
    let columns = scene.shown().and_then(|shown| columns_for_panel(shown, scene.size));
    sentences::no_panel(columns.filter(|&columns| columns > scene.size.0), has_numbers)
}

/// Whether the machine's panel is there.
pub(super) fn shows_engine(scene: &Scene<'_>) -> bool {
    let places = scene.shown().and_then(|shown| places(scene, shown));
    places.is_some_and(|places| places.engine.height > 0)
}

/// Whether the machine's panel stands where that of the review would.
pub(super) fn hides_review(scene: &Scene<'_>) -> bool {
    shows_engine(scene) && review::rows(scene, false) > 0 && !has_room_for_review(scene)
}

/// Whether the review stands where the machine's panel would.
pub(super) fn hides_engine(scene: &Scene<'_>) -> bool {
    let places = scene.shown().filter(|shown| shown.outcome().is_none());
    let places = places.and_then(|shown| places_with(scene, shown, true));
    places.is_some_and(|places| places.engine.height == 0 && places.review.height > 0)
}

/// Draws all panels.
pub(super) fn draw(scene: &Scene<'_>, buffer: &mut Buffer) {
    let Some(position) = scene.shown() else { return };
    let Some(places) = places(scene, position) else { return };
    if let [title, lines @ ..] =
        position.drawn().side_panel(scene.looks.glyphs, room(places.tally)).as_slice()
    {
        draw_list(scene, buffer, places.tally, title, lines);
    }
    let signs = position.drawn().legend_signs(scene.looks.glyphs);
    let lines = legend(scene, position, places.legend.width);
    let lines: Vec<Line> = lines.iter().map(|line| Line::explained(scene, line, &signs)).collect();
    draw_lines(scene, buffer, places.legend, "Legend", &lines);
    let results = scores(scene);
    if places.score.height > 0 && results.iter().sum::<u32>() > 0 {
        let names = Side::each(|side| piece_glyph(scene, position, side));
        let players = match scene.you() {
            Some(_) => Players::HumanAndEngine,
            None => Players::Sides(names.each_ref().map(String::as_str)),
        };
        let [titled, texts @ ..] = sentences::score(players, results);
        if places.score.height > 1 {
            let text =
                texts.iter().find(|text| width_of(text) + 4 <= places.score.width).unwrap_or(&texts[2]);
            draw_list(scene, buffer, places.score, "Score", std::slice::from_ref(text));
        } else {
            let texts = [titled].into_iter().chain(texts).collect::<Vec<_>>();
            let text = texts.iter().find(|text| width_of(text) <= places.score.width).unwrap_or(&texts[3]);
            Line::told(scene, text, Style::new()).put(buffer, scene, places.score, 0, 0);
        }
    }
    draw_moves(scene, buffer, places.moves);
    draw_engine(scene, buffer, places.engine, places.is_high);
    review::draw(scene, buffer, places.review);
}

/// Whether the last row of the panels is free: it waits for a score.
pub(super) fn leaves_last_row(scene: &Scene<'_>) -> bool {
    let places = scene.shown().and_then(|shown| places(scene, shown));
    places.is_some_and(|places| places.score.height > 0) && scores(scene).iter().sum::<u32>() == 0
}

/// The results of the games that were played.
fn scores(scene: &Scene<'_>) -> [u32; 3] {
    scene.game.map_or([0; 3], |game| game.tally().results())
}

/// Whether the panel that says what the signs mean has room.
pub(super) fn has_legend(scene: &Scene<'_>, position: &dyn session::Position) -> bool {
    places(scene, position).is_some_and(|places| places.legend.height > 0)
}

/// Whether that panel has room for what the numbers of the best moves mean.
pub(super) fn names_numbers(scene: &Scene<'_>, position: &dyn session::Position) -> bool {
    let width = places(scene, position).map_or(0, |places| places.legend.width);
    legend(scene, position, width).iter().any(|line| line.contains(sentences::NUMBERS))
}

/// A chance in whole per cent.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between 0 and 100")]
pub(super) fn per_cent(chance: f64) -> u32 {
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
    width.saturating_sub(8).clamp(FIRST_COLUMN + 7, 16)
}

fn draw_moves(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect) {
    let first = first_round(scene, area.height.saturating_sub(2));
    // Moves have one number each, as everywhere; a row has that of its first one.
    let opening = scene.shown().and_then(session::Position::opening);
    let title = match opening {
        _ if first > 0 => sentences::moves_from(2 * first + 1),
        Some(name) => sentences::moves_of_opening(name),
        None => "Moves".to_owned(),
    };
    let inside = frame(buffer, scene, area, &title);
    let Some(game) = scene.game.map(Match::game) else { return };
    let line = game.line();
    let now = game.position(*line.last().expect("a line has a first position"));
    let played = &line[1..];
    for (round, y) in (first..=played.len() / 2).zip(0..inside.height) {
        if round * 2 >= played.len() && now.outcome().is_some() {
            break;
        }
        put(buffer, inside, 0, y, &format!("{:>4}", 2 * round + 1), scene.part(Part::Faint));
        for (side, x) in [(Side::First, FIRST_COLUMN), (Side::Second, second_column(inside.width))] {
            let ply = round * 2 + side.index();
            let text = match played.get(ply) {
                Some(&id) => game.position(id).last().unwrap_or_default(),
                None if ply == played.len() && now.outcome().is_none() => scene.dots().to_owned(),
                None => continue,
            };
            let text = format!("{} {text}", piece_glyph(scene, &**now, side));
            let is_shown = scene.is_looking() || scene.is_replay();
            let is_here = is_shown && played.get(ply) == Some(&game.shown());
            let style = scene.role(Role::of(side));
            let style = if is_here { style.reversed() } else { style };
            let cut = cut(&text, inside.width.saturating_sub(x), scene);
            put(buffer, inside, x, y, &cut, style);
            if let Some((mark, _)) = played.get(ply).and_then(|&id| game.marked_move(id)) {
                let x = x + width_of(&cut) + 1;
                put(buffer, inside, x, y, mark.symbol(), scene.role(Role::Hint));
            }
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

fn draw_engine(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect, is_high: bool) {
    let known = scene.shown().map_or(&[][..], session::Position::values);
    let has_values = !known.is_empty();
    let goes_on = scene.shown().is_some_and(|shown| shown.outcome().is_none());
    let is_before = |(side, _): (Side, &Report)| !scene.is_about_the_next_move(side);
    let title = match scene.report() {
        _ if has_values => sentences::VALUES,
        Some(known) if goes_on && is_before(known) => sentences::ENGINE_BEFORE,
        _ => sentences::ENGINE,
    };
    let inside = area.inner(Margin::new(1, 1));
    let can_ask = goes_on && scene.phase() == Phase::Asking;
    let plain = |text: &Text| Line::told(scene, text, Style::new());
    let in_rows = |text: Text| -> Vec<Line> { wrap(text, room(area)).iter().map(plain).collect() };
    let mut lines: Vec<Line> = match scene.report() {
        _ if !goes_on => in_rows(sentences::PANEL_AT_THE_END.into()),
        _ if has_values => with_threats(scene, known, inside).iter().map(plain).collect(),
        Some((_, report)) if report.is_without_search() => in_rows(without_search(scene, report)),
        Some((side, report)) => told(scene, side, report, inside, is_high),
        None if can_ask && !scene.drawing.studies => in_rows(sentences::nothing_known()),
        None => in_rows(sentences::STUDYING.into()),
    };
    let rows = usize::from(inside.height);
    if lines.len() > rows && rows > 0 {
        lines[rows - 1].push(scene.dots(), Style::new());
    }
    draw_lines(scene, buffer, area, title, &lines);
}

/// The values in as many columns as there is room for; where that is too little, the moves of each value together.
fn values(values: &[(String, Value)], inside: Rect) -> Vec<Text> {
    let texts: Vec<String> = values.iter().map(|(text, value)| format!("{text} {value}")).collect();
    let widest = texts.iter().map(String::len).max().unwrap_or(1);
    let columns = (usize::from(inside.width) / (widest + 2)).max(1);
    let padded: Vec<String> = texts.iter().map(|text| format!("{text:<widest$}")).collect();
    if padded.len() <= columns * usize::from(inside.height) {
        return padded.chunks(columns).map(|row| row.join("  ").into()).collect();
    }
    let room = usize::from(inside.width.saturating_sub(1));
    let lines = by_value(values.iter().map(|(text, value)| (text.as_str(), value.to_string())));
    lines.iter().flat_map(|line| wrap(line, room)).collect()
}

/// What the other side threatens, in rows of a frame with so many columns inside.
fn threats(scene: &Scene<'_>, inside: Rect) -> Vec<Text> {
    let shown = scene.shown();
    let threats = shown.and_then(|shown| shown.view().threats());
    let is_lost = shown.is_some_and(every_move_loses);
    let threats = match threats {
        Some(threats) if is_lost => Some(text!("{}: {threats}", sentences::EVERY_MOVE_LOSES)),
        None if is_lost => Some(text!("{}.", sentences::EVERY_MOVE_LOSES)),
        threats => threats,
    };
    threats.map(|text| wrap(text, usize::from(inside.width.saturating_sub(2)))).unwrap_or_default()
}

/// The values, and below them what the other side would win by.
fn with_threats(scene: &Scene<'_>, known: &[(String, Value)], inside: Rect) -> Vec<Text> {
    let threats = threats(scene, inside);
    let room = Rect { height: inside.height.saturating_sub(number(threats.len())), ..inside };
    values(known, room).into_iter().chain(threats).collect()
}

/// A number of positions in few characters: `400`, `8.1 k`, `480 k`, `1.2 M`.
fn short(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..10_000 => format!("{}.{} k", count / 1000, count / 100 % 10),
        10_000..1_000_000 => format!("{} k", count / 1000),
        _ => format!("{}.{} M", count / 1_000_000, count / 100_000 % 10),
    }
}

/// What an engine has found, as far as there is room: the worth of the position, how far it looked, the best moves with
/// their lines.
fn told(scene: &Scene<'_>, side: Side, report: &Report, inside: Rect, is_high: bool) -> Vec<Line> {
    let ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX).max(1);
    let time = if ms < 100 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) };
    let speed = format!("{}/s", short(report.nodes.saturating_mul(1000) / ms));
    let columns = head_columns(inside.width);
    let headed = |head: &str, text: &Text| {
        let mut line = Line::default();
        line.push(format!("{head:<columns$}"), scene.part(Part::Faint));
        line.append(Line::told(scene, text, Style::new()));
        line
    };
    let mut lines = vec![headed("value", &worth(scene, side, report, inside))];
    // What is known without looking ahead has no depth.
    let has_looked = report.depth > 0;
    if is_high && has_looked {
        lines.push(headed("depth", &text!("{}   {time}", report.depth)));
        lines.push(headed("nodes", &text!("{}   {speed}", short(report.nodes))));
    } else if has_looked {
        let all = text!("{}   {time}   {speed}", report.depth);
        let most = usize::from(inside.width).saturating_sub(columns + 1);
        lines.push(headed(
            "depth",
            &if all.chars().count() <= most { all } else { all.slice(0..all.len() - speed.len()) },
        ));
    }
    if report.is_from_book {
        lines.push(headed("known", &sentences::FROM_BOOK.into()));
    }
    let room = inside.width.saturating_sub(2);
    // Those that it thought about before its own move are no moves of this position.
    if report.best_moves().len() > 1 && scene.is_about_the_next_move(side) {
        // Where other numbers lie over the board the places are not on it.
        let has_places = !scene.has_overlay_marks();
        // All rows say in the same way how often a move was looked at.
        let heads = |counted| -> Vec<Line> {
            let all = report.best_moves().iter().zip((1..).map(|place| has_places.then_some(place)));
            let worth = |one: &Candidate| {
                let worth =
                    one.worth.as_ref().filter(|_| one.score.is_none_or(|score| !is_bare(report, score)));
                worth.map(|worth| in_moves(one.score, worth)).unwrap_or_default()
            };
            all.map(|(one, place)| best(scene, side, (one, &worth(one)), place, counted)).collect()
        };
        let ways = [Counted::InAWord, Counted::Briefly, Counted::Not].map(heads);
        let fits = |heads: &&Vec<Line>| heads.iter().all(|head| head.width() + MIN_LINE_WIDTH <= room);
        let heads = ways.iter().find(fits).unwrap_or(&ways[2]).clone();
        let rows = usize::from(inside.height).saturating_sub(lines.len());
        let rows = heads.into_iter().zip(report.best_moves()).take(rows);
        lines.extend(rows.map(|(head, candidate)| with_line(scene, side, head, candidate, room)));
    } else {
        lines.extend(line_in_rows(scene, side, &report.pv, room));
    }
    lines
}

/// What a position is worth, in as many words as there is room for.
fn worth(scene: &Scene<'_>, side: Side, report: &Report, inside: Rect) -> Text {
    let estimate = report.score.filter(|score| is_bare(report, *score));
    if let (Some(Score(score)), None | Some(Proof::Unproved), Some(shown)) =
        (estimate, report.proof, scene.shown())
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
    let name = scene.shown().map(|shown| text!("{}", shown.side_name(side))).unwrap_or_default();
    let with_unit = format!("{value} {unit}");
    let worths = [(with_unit.trim_end(), &*chance), (&*value, &*chance), (&*value, "")];
    let worths = worths.map(|(value, chance)| text!("{name} {value}{chance}"));
    let room = usize::from(inside.width) - head_columns(inside.width).min(usize::from(inside.width));
    worths.iter().find(|worth| usize::from(width_of(worth)) + 1 < room).unwrap_or(&worths[2]).clone()
}

/// Whether a value is a mere number: people know neither its unit nor what chance it stands for.
fn is_bare(report: &Report, score: Score) -> bool {
    let has_unit = report.worth.as_ref().is_some_and(|worth| !worth.unit.is_empty());
    matches!(score.value(), Value::Estimate(_)) && report.chance.is_none() && !has_unit
}

/// What a score comes to: a win or a loss in the mover's own moves, as everywhere on the screen; else as it is told.
fn in_moves(score: Option<Score>, told: &Worth) -> String {
    match score.map(Score::value) {
        Some(value @ (Value::Win(_) | Value::Loss(_))) => proved(value, Some(told)),
        _ => told.value.clone(),
    }
}

/// `wins in 3`, or `wins within 3` where that is no more than a bound.
fn proved(value: Value, told: Option<&Worth>) -> String {
    let text = value.to_string();
    if told.is_some_and(|told| told.is_bound) { text.replacen(" in ", " within ", 1) } else { text }
}

/// How a row says how often a move was looked at: `12 visits`, `12×`, or not at all.
#[derive(Clone, Copy)]
enum Counted {
    InAWord,
    Briefly,
    Not,
}

/// One of the best moves: its place, if that is told, what it is worth, how often it was looked at.
fn best(
    scene: &Scene<'_>,
    side: Side,
    (one, worth): (&Candidate, &str),
    place: Option<usize>,
    counted: Counted,
) -> Line {
    let Candidate { text, visits, .. } = one;
    let mut told = Line::default();
    told.push(place.map_or_else(|| "- ".to_owned(), |place| format!("{place}. ")), scene.role(Role::Hint));
    told.push(text.clone(), scene.role(Role::of(side)));
    told.push(format!(" {worth}"), Style::new());
    let (count, noun) = (short((*visits).into()), if *visits == 1 { "visit" } else { "visits" });
    let times = if scene.looks.glyphs == Glyphs::Unicode { '×' } else { 'x' };
    let visits = match counted {
        _ if *visits == 0 => String::new(),
        Counted::InAWord => format!("  {count} {noun}"),
        Counted::Briefly => format!(" {count}{times}"),
        Counted::Not => String::new(),
    };
    told.push(visits, scene.part(Part::Faint));
    told
}

/// The row of one of the best moves with as much of its line as there is room for.
fn with_line(scene: &Scene<'_>, side: Side, mut told: Line, candidate: &Candidate, room: u16) -> Line {
    let mut gap = "  ";
    for (mv, ply) in candidate.line.iter().zip(0..).skip(1) {
        if told.width() + width_of(mv) + 1 > room {
            break;
        }
        let mover = if ply % 2 == 0 { side } else { side.other() };
        told.push(gap, Style::new());
        told.push(mv.clone(), scene.role(Role::of(mover)).not_bold());
        gap = " ";
    }
    told
}

/// The moves of a line in rows, each in the colour of its side.
fn line_in_rows(scene: &Scene<'_>, side: Side, played: &[String], room: u16) -> Vec<Line> {
    let columns = head_columns(room + 2);
    let head = |text: &str| {
        let mut line = Line::default();
        line.push(format!("{text:<columns$}"), scene.part(Part::Faint));
        line
    };
    let (mut lines, mut line) = (Vec::new(), head("line"));
    for (mv, ply) in played.iter().zip(0..) {
        if line.width() + width_of(mv) > room {
            lines.push(std::mem::replace(&mut line, head("")));
        }
        let mover = if ply % 2 == 0 { side } else { side.other() };
        line.push(mv.clone(), scene.role(Role::of(mover)));
        line.push(" ", Style::new());
    }
    lines.push(line);
    lines
}
