//! The panel of a review: the chances after every move as a curve, and the move that turned the game.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use super::draw::{Line, draw_lines, sign, width_of};
use super::layout::number;
use super::scene::Scene;
use crate::canvas::{Glyphs, Role};
use crate::game::Side;
use crate::messages::{better, screen as sentences};
use crate::play::{Game, Match};

/// Rows of the curve in a low window and in a high one.
const CURVE_ROWS: [u16; 2] = [1, 3];

/// How many rows the panel needs, frame included; 0 where nothing was reviewed.
pub(super) fn rows(scene: &Scene<'_>, is_high: bool) -> u16 {
    let Some(game) = reviewed(scene) else { return 0 };
    2 + CURVE_ROWS[usize::from(is_high)] + 1 + number(turning_point(scene, game).len())
}

fn reviewed<'s>(scene: &Scene<'s>) -> Option<&'s Game> {
    scene.game.map(Match::game).filter(|game| game.is_reviewed() || game.review_progress().is_some())
}

/// Draws the panel.
pub(super) fn draw(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect) {
    let Some(game) = reviewed(scene).filter(|_| area.height > 3) else { return };
    let name = game.position(game.shown).side_name(Side::First);
    let turning_point = turning_point(scene, game);
    let curve_rows = area.height.saturating_sub(3 + number(turning_point.len())).max(1);
    let mut lines = curve(scene, game, area.width.saturating_sub(3), curve_rows);
    lines.extend(turning_point);
    draw_lines(scene, buffer, area, &sentences::chances_of(name), &lines);
}

/// A column for every move, as high as First's chances after it; below it the move that is shown. Of a long game the part
/// around that.
fn curve(scene: &Scene<'_>, game: &Game, room: u16, rows: u16) -> Vec<Line> {
    let line = game.line();
    let room = usize::from(room).max(1);
    let here = line.iter().position(|&id| id == game.shown).unwrap_or(0);
    let last = line.len().saturating_sub(1);
    let start = (here.saturating_sub(room / 2)).min(last.saturating_sub(room)) + 1;
    let plies = line.iter().skip(start).take(room);
    let chances: Vec<Option<f64>> =
        plies.map(|&id| game.judged(id).and_then(|judged| judged.chance)).collect();
    let style = scene.role(Role::First);
    let mut lines: Vec<Line> = (0..rows)
        .map(|row| {
            let mut drawn = Line::default();
            let glyph = |chance: &Option<f64>| {
                chance.map_or(' ', |chance| bar(scene.looks.glyphs, chance, rows, row))
            };
            drawn.push(chances.iter().map(glyph).collect::<String>(), style);
            drawn
        })
        .collect();
    let chance = game.judged(game.shown).and_then(|judged| judged.chance).filter(|_| here > 0);
    let told = chance.map(|chance| sentences::chance_at(here, chance)).unwrap_or_default();
    let mark = if scene.looks.glyphs == Glyphs::Unicode { "▲" } else { "^" };
    let (at, length) = (here.saturating_sub(start), usize::from(width_of(&told)));
    lines.push(plain(match () {
        () if told.is_empty() => String::new(),
        () if at + 2 + length <= room => format!("{:at$}{mark} {told}", ""),
        () => format!("{:>1$} {mark}", told, at.saturating_sub(1)),
    }));
    lines
}

fn plain(text: impl Into<String>) -> Line {
    let mut line = Line::default();
    line.push(text, Style::new());
    line
}

/// The part of a column in one of its rows, the uppermost first.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a chance lies between 0 and 1")]
fn bar(glyphs: Glyphs, chance: f64, rows: u16, row: u16) -> char {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let below = u32::from(8 * (rows - 1 - row));
    // The lowest level is seen, too.
    let level = ((chance * f64::from(8 * rows)) as u32 + 1).min(u32::from(8 * rows));
    match level.saturating_sub(below).min(8) as usize {
        full if glyphs == Glyphs::Unicode => EIGHTHS[full],
        0 => ' ',
        _ if rows > 1 => '#',
        _ => char::from_digit((10.0 * chance).min(9.0) as u32, 10).unwrap_or(' '),
    }
}

/// The move that turned the game, and where the review is.
fn turning_point(scene: &Scene<'_>, game: &Game) -> Vec<Line> {
    if let Some((done, all)) = game.review_progress() {
        return vec![plain(sentences::reviewing(done, all))];
    }
    let Some(loss) = game.turning_point() else { return vec![plain(sentences::NO_TURNING_POINT)] };
    let position = game.position(loss.node);
    let side = position.to_move().other();
    let mut line = plain(sentences::TURNING_POINT);
    let text = position.last().unwrap_or_default();
    line.push(format!(" {} ", position.plies().div_ceil(2)), Style::new());
    line.push(format!("{} {text}", sign(scene, &**position, side)), scene.role(Role::of(side)));
    let key = (scene.is_replay() && game.shown != loss.node).then_some(sentences::J_GOES_THERE);
    let mut lines = vec![line, Line::told(scene, &better(game, &loss), Style::new(), false)];
    lines.extend(key.map(plain));
    lines
}
