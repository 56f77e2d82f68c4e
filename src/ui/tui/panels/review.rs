//! Panel of a review, with a curve of the win chances after each move and the turning point.

use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::{line_with_side_colours, piece_glyph, push_styled, text_columns, unstyled_line};
use super::super::facts::MatchFacts;
use super::super::frame::FrameContext;
use super::super::layout::{PanelContent, PanelId, to_u16_saturating};
use crate::canvas::{GlyphSet, PaintRole};
use crate::game::Side;
use crate::messages::{describe_better_move, screen as sentences};
use crate::play::{LiveGame, Match};
use crate::record::NodeId;
use crate::text::Text;

/// Number of rows of the win-chance curve in a low and in a high window.
const WIN_CHANCE_CURVE_ROWS: [u16; 2] = [1, 3];

/// Builds the review panel for a frame of `width` columns, or returns `None` if nothing was
/// reviewed.
pub(super) fn build_review_panel(c: &FrameContext<'_>, width: u16) -> Option<PanelContent> {
    let game = reviewed_game(c)?;
    let name = game.position(game.shown_node()).side_name(Side::First);
    // The longest line may reach the frame.
    let room = width.saturating_sub(3);
    let turning_point = render_turning_point(c, game, room);
    // A curve of digits needs one row.
    let high = usize::from(c.screen.looks.glyphs == GlyphSet::Unicode);
    let [short, lines] = [0, high].map(|high| {
        let curve = render_win_chance_curve(c, game, room, WIN_CHANCE_CURVE_ROWS[high]);
        curve.into_iter().chain(turning_point.iter().cloned()).collect::<Vec<_>>()
    });
    let titles = sentences::win_chart_heading(
        name,
        moves_per_curve_column(game, room.into()),
        c.screen.looks.glyphs != GlyphSet::Unicode,
    );
    let title = titles.iter().find(|title| text_columns(title) + 6 <= width).unwrap_or(&titles[2]).clone();
    // If only the engine or the review has room, the one that was requested last is shown.
    let rank = if c.screen.drawing.prefers_review { 1 } else { 3 };
    let [min, wanted] = [&short, &lines].map(|lines| to_u16_saturating(lines.len()) + 2);
    Some(PanelContent { id: PanelId::Review, rank, min, wanted, title, lines, short, dots: "" })
}

fn reviewed_game<'s>(c: &FrameContext<'s>) -> Option<&'s LiveGame> {
    c.game.map(Match::game).filter(|game| game.has_review() || game.review_progress().is_some())
}

/// Renders the curve of First's win chances. The row below it marks the shown move.
///
/// A column shows the win chance after one move, or after the last of several moves if they do not
/// fit.
fn render_win_chance_curve(
    c: &FrameContext<'_>,
    game: &LiveGame,
    room: u16,
    rows: u16,
) -> Vec<Line<'static>> {
    let line = game.shown_line();
    let room = usize::from(room).max(1);
    let stride = moves_per_curve_column(game, room);
    let here = line.iter().position(|&id| id == game.shown_node()).unwrap_or(0);
    let chance = |id: NodeId| game.review_evaluation(id).and_then(|judged| judged.chance);
    let of_plies =
        |plies: &[NodeId]| plies.iter().find(|&&id| id == game.shown_node()).or(plies.last()).copied();
    let columns: Vec<NodeId> = line[1..].chunks(stride).filter_map(of_plies).collect();
    let unknown = if c.screen.looks.glyphs == GlyphSet::Unicode { '·' } else { '.' };
    let style = c.role_style(PaintRole::First);
    let mut lines: Vec<Line<'static>> = (0..rows)
        .map(|row| {
            let mut drawn = Line::default();
            // An evaluation without a win chance is shown by a sign in place of the bar.
            let glyph = |&id: &NodeId| match chance(id) {
                Some(chance) => curve_bar_glyph(c.screen.looks.glyphs, chance, rows, row),
                None if row + 1 == rows && game.review_evaluation(id).is_some() => unknown,
                None => ' ',
            };
            push_styled(&mut drawn, columns.iter().map(glyph).collect::<String>(), style);
            drawn
        })
        .collect();
    let mark = if c.screen.looks.glyphs == GlyphSet::Unicode { "↑" } else { "^" }; // no piece has this glyph
    let texts = sentences::win_chart_label(here, chance(game.shown_node()), unknown);
    lines.push(unstyled_line(if game.review_evaluation(game.shown_node()).is_none() {
        String::new()
    } else if here == 0 {
        texts.iter().find(|text| usize::from(text_columns(text)) <= room).cloned().unwrap_or_default()
    } else {
        let at = (here - 1) / stride;
        let right = texts.each_ref().map(|text| format!("{:at$}{mark} {text}", ""));
        let left = texts.each_ref().map(|text| format!("{text:>0$} {mark}", at.saturating_sub(1)));
        let fits = |text: &&String| usize::from(text_columns(text)) <= room.max(at + 1);
        let is_there = |text: &&String| text.chars().nth(at).is_some_and(|glyph| mark.contains(glyph));
        [&right[0], &left[0], &right[1], &left[1]]
            .into_iter()
            .find(|text| fits(text) && is_there(text))
            .cloned()
            .unwrap_or_default()
    }));
    lines
}

/// Returns the number of moves per column of the curve.
fn moves_per_curve_column(game: &LiveGame, room: usize) -> usize {
    (game.shown_line().len() - 1).div_ceil(room).max(1)
}

/// Returns the glyph for one row of a column of the curve. Rows are counted from the top.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a chance lies between 0 and 1")]
fn curve_bar_glyph(glyphs: GlyphSet, chance: f64, rows: u16, row: u16) -> char {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let below = u32::from(8 * (rows - 1 - row));
    // The lowest level is still visible.
    let level = ((chance * f64::from(8 * rows)) as u32 + 1).min(u32::from(8 * rows));
    match level.saturating_sub(below).min(8) as usize {
        full if glyphs == GlyphSet::Unicode => EIGHTHS[full],
        0 => ' ',
        _ => char::from_digit((10.0 * chance).min(9.0) as u32, 10).unwrap_or(' '),
    }
}

/// Renders the turning point, or the progress of the review, in lines of `room` columns.
fn render_turning_point(c: &FrameContext<'_>, game: &LiveGame, room: u16) -> Vec<Line<'static>> {
    let in_colour = |text: &Text| line_with_side_colours(c, text, Style::new());
    if let Some((done, all)) = game.review_progress() {
        return vec![
            unstyled_line(sentences::format_review_progress(done, all)),
            unstyled_line(""),
            unstyled_line(""),
        ];
    }
    let [judged, _, all] = game.review_counts();
    if judged < all {
        let [text, key] = sentences::incomplete_review_message(judged, all, c.game.is_analysis());
        let key = if c.game.is_replay() { key } else { Text::new() };
        return vec![in_colour(&text), in_colour(&key), unstyled_line("")];
    }
    let Some(loss) = game.turning_point() else {
        return vec![unstyled_line(sentences::NO_TURNING_POINT_MESSAGE)];
    };
    let position = game.position(loss.node);
    let side = position.to_move().other();
    let text = format!("{} {}", piece_glyph(c, &**position, side), position.last_move().unwrap_or_default());
    // The list of moves numbers both sides' moves, so the number is preceded by a word.
    let number = format!(", move {}", position.plies());
    let is_fitting =
        |head: &&str| text_columns(head) + 1 + text_columns(&text) + text_columns(&number) <= room;
    let head =
        [sentences::TURNING_POINT_LABEL, sentences::SHORT_TURNING_POINT_LABEL].into_iter().find(is_fitting);
    let mut line = unstyled_line(format!("{} ", head.unwrap_or(sentences::TURNING_POINT_LABEL)));
    push_styled(&mut line, text, c.role_style(PaintRole::for_piece(side)));
    if head.is_some() {
        push_styled(&mut line, number, Style::new());
    }
    let [_, better] = describe_better_move(game, &loss);
    let mut lines = vec![line, in_colour(&better)];
    let is_there = game.shown_lesson().is_some();
    let key = if is_there { Text::new() } else { sentences::turning_point_key_hint() };
    lines.extend(c.game.is_replay().then(|| in_colour(&key)));
    lines
}
