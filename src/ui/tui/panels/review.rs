//! The panel of a review: the win chances after every move as a curve, and the turning point.

use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::{piece_glyph, plain, push, told, width_of};
use super::super::facts::Facts;
use super::super::frame::FrameContext;
use super::super::layout::{PanelContent, PanelId, number};
use crate::canvas::{Glyphs, Role};
use crate::game::Side;
use crate::messages::{better, screen as sentences};
use crate::play::{Game, Match};
use crate::record::NodeId;
use crate::text::Text;

/// Rows of the curve in a low window and in a high one.
const CURVE_ROWS: [u16; 2] = [1, 3];

/// Returns the panel for a frame of `width` columns; `None` where nothing was reviewed.
pub(super) fn content(c: &FrameContext<'_>, width: u16) -> Option<PanelContent> {
    let game = reviewed(c)?;
    let name = game.position(game.shown()).side_name(Side::First);
    // Its longest line reaches the frame.
    let room = width.saturating_sub(3);
    let turning_point = turning_point(c, game, room);
    // Digits need no more rows.
    let high = usize::from(c.screen.looks.glyphs == Glyphs::Unicode);
    let [short, lines] = [0, high].map(|high| {
        let curve = curve(c, game, room, CURVE_ROWS[high]);
        curve.into_iter().chain(turning_point.iter().cloned()).collect::<Vec<_>>()
    });
    let titles =
        sentences::chances_of(name, stride(game, room.into()), c.screen.looks.glyphs != Glyphs::Unicode);
    let title = titles.iter().find(|title| width_of(title) + 6 <= width).unwrap_or(&titles[2]).clone();
    // Where there is room for one of the engine and the review, the one that was asked for last is there.
    let rank = if c.screen.drawing.prefers_review { 1 } else { 3 };
    let [min, wanted] = [&short, &lines].map(|lines| number(lines.len()) + 2);
    Some(PanelContent { id: PanelId::Review, rank, min, wanted, title, lines, short, dots: "" })
}

fn reviewed<'s>(c: &FrameContext<'s>) -> Option<&'s Game> {
    c.game.map(Match::game).filter(|game| game.is_reviewed() || game.review_progress().is_some())
}

/// Returns the curve: a column for every move, or for several moves if not all have room, as high
/// as First's win chance after the last of them; below it the move that is shown is marked.
fn curve(c: &FrameContext<'_>, game: &Game, room: u16, rows: u16) -> Vec<Line<'static>> {
    let line = game.line();
    let room = usize::from(room).max(1);
    let stride = stride(game, room);
    let here = line.iter().position(|&id| id == game.shown()).unwrap_or(0);
    let chance = |id: NodeId| game.judged(id).and_then(|judged| judged.chance);
    let of_plies = |plies: &[NodeId]| plies.iter().find(|&&id| id == game.shown()).or(plies.last()).copied();
    let columns: Vec<NodeId> = line[1..].chunks(stride).filter_map(of_plies).collect();
    let unknown = if c.screen.looks.glyphs == Glyphs::Unicode { '·' } else { '.' };
    let style = c.role(Role::First);
    let mut lines: Vec<Line<'static>> = (0..rows)
        .map(|row| {
            let mut drawn = Line::default();
            // An evaluation without a win chance is shown by a sign in place of the bar.
            let glyph = |&id: &NodeId| match chance(id) {
                Some(chance) => bar(c.screen.looks.glyphs, chance, rows, row),
                None if row + 1 == rows && game.judged(id).is_some() => unknown,
                None => ' ',
            };
            push(&mut drawn, columns.iter().map(glyph).collect::<String>(), style);
            drawn
        })
        .collect();
    let mark = if c.screen.looks.glyphs == Glyphs::Unicode { "↑" } else { "^" }; // no piece looks so
    let texts = sentences::chance_at(here, chance(game.shown()), unknown);
    lines.push(plain(if game.judged(game.shown()).is_none() {
        String::new()
    } else if here == 0 {
        texts.iter().find(|text| usize::from(width_of(text)) <= room).cloned().unwrap_or_default()
    } else {
        let at = (here - 1) / stride;
        let right = texts.each_ref().map(|text| format!("{:at$}{mark} {text}", ""));
        let left = texts.each_ref().map(|text| format!("{text:>0$} {mark}", at.saturating_sub(1)));
        let fits = |text: &&String| usize::from(width_of(text)) <= room.max(at + 1);
        let is_there = |text: &&String| text.chars().nth(at).is_some_and(|glyph| mark.contains(glyph));
        [&right[0], &left[0], &right[1], &left[1]]
            .into_iter()
            .find(|text| fits(text) && is_there(text))
            .cloned()
            .unwrap_or_default()
    }));
    lines
}

/// Returns the number of moves for each column.
fn stride(game: &Game, room: usize) -> usize {
    (game.line().len() - 1).div_ceil(room).max(1)
}

/// Returns the part of a column in one of its rows, the uppermost first.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a chance lies between 0 and 1")]
fn bar(glyphs: Glyphs, chance: f64, rows: u16, row: u16) -> char {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let below = u32::from(8 * (rows - 1 - row));
    // The lowest level is seen, too.
    let level = ((chance * f64::from(8 * rows)) as u32 + 1).min(u32::from(8 * rows));
    match level.saturating_sub(below).min(8) as usize {
        full if glyphs == Glyphs::Unicode => EIGHTHS[full],
        0 => ' ',
        _ => char::from_digit((10.0 * chance).min(9.0) as u32, 10).unwrap_or(' '),
    }
}

/// Returns the turning point, and the progress of the review, in lines for a panel with `room`
/// columns.
fn turning_point(c: &FrameContext<'_>, game: &Game, room: u16) -> Vec<Line<'static>> {
    let in_colour = |text: &Text| told(c, text, Style::new());
    if let Some((done, all)) = game.review_progress() {
        return vec![plain(sentences::reviewing(done, all)), plain(""), plain("")];
    }
    let [judged, _, all] = game.reviewed();
    if judged < all {
        let [text, key] = sentences::judged_in_part(judged, all, c.game.is_analysis());
        let key = if c.game.is_replay() { key } else { Text::new() };
        return vec![in_colour(&text), in_colour(&key), plain("")];
    }
    let Some(loss) = game.turning_point() else { return vec![plain(sentences::NO_TURNING_POINT)] };
    let position = game.position(loss.node);
    let side = position.to_move().other();
    let text = format!("{} {}", piece_glyph(c, &**position, side), position.last().unwrap_or_default());
    // A row of the list of moves has both sides' moves: a bare number would look like that of a row.
    let number = format!(", move {}", position.plies());
    let is_fitting = |head: &&str| width_of(head) + 1 + width_of(&text) + width_of(&number) <= room;
    let head = [sentences::TURNING_POINT, sentences::TURNED_BY].into_iter().find(is_fitting);
    let mut line = plain(format!("{} ", head.unwrap_or(sentences::TURNING_POINT)));
    push(&mut line, text, c.role(Role::of(side)));
    if head.is_some() {
        push(&mut line, number, Style::new());
    }
    let [_, better] = better(game, &loss);
    let mut lines = vec![line, in_colour(&better)];
    let is_there = game.lesson().is_some();
    let key = if is_there { Text::new() } else { sentences::j_shows_it() };
    lines.extend(c.game.is_replay().then(|| in_colour(&key)));
    lines
}
