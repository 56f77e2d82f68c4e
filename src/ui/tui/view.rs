//! The screen from the scene: title, board, panels, status line, key bar, pages. Pure.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Color;
use ratatui_core::terminal::Frame;

use super::draw::{Line, crossed, cut, draw_field, lay_ground, piece_glyph, put, width_of, wipe};
use super::key_table::Context;
use super::layout::{layout, number};
use super::scene::{Phase, Scene};
use super::theme::Part;
use super::{below_board, key_bar, menu_view, page, panels, too_small};
use crate::canvas::{Canvas, Role};
use crate::game::{Outcome, Refusal, Side};
use crate::messages::screen as sentences;
use crate::play::{Game, Match};
use crate::session;
use crate::text;
use crate::text::columns::{end, wrap};
use crate::text::{Text, join, of_side};

/// Draws everything and puts the terminal's cursor on the focused place.
pub fn draw(scene: &Scene<'_>, frame: &mut Frame<'_>) {
    let cursor = paint(scene, frame.buffer_mut());
    lay_ground(frame.buffer_mut(), scene);
    if let Some(at) = cursor.filter(|&at| frame.area().contains(at)) {
        frame.set_cursor_position(at);
    }
}

fn paint(scene: &Scene<'_>, buffer: &mut Buffer) -> Option<Position> {
    if buffer.area.is_empty() {
        return None;
    }
    let cursor = match scene.shown().filter(|_| scene.menu.is_none()) {
        None => {
            draw_title(scene, buffer, &["crosspath"], &[Text::new()]);
            menu_view::draw(scene, buffer)
        }
        Some(shown) => draw_game(scene, buffer, shown),
    };
    if scene.context() != Context::Small && scene.size.1 > 1 {
        key_bar::draw(scene, buffer);
    }
    scene.page.as_ref().map(|page| page::draw(scene, buffer, page)).or(cursor)
}

fn draw_game(scene: &Scene<'_>, buffer: &mut Buffer, shown: &dyn session::Position) -> Option<Position> {
    let places = layout(shown, scene.size);
    let Some(density) = places.density else { return too_small::draw(scene, buffer) };
    let title = crossed(scene, &shown.view().title());
    let replay = source(scene).map(|name| sentences::replay_of(&title, &cut(name, 20, scene)));
    let lefts: Vec<&str> = replay.iter().chain([&title]).map(String::as_str).collect();
    let canvas = scene.drawn(density)?;
    let focused = draw_board(scene, buffer, places.board, &canvas);
    panels::draw(scene, buffer);
    if let Some(area) = places.below_board {
        // Beside the board there may be something in the same row.
        let beside = places.panel.filter(|panel| panel.bottom() > area.y && !panels::leaves_last_row(scene));
        let end = beside.map_or(area.right(), |panel| panel.x.saturating_sub(1));
        let area = Rect { width: end.saturating_sub(area.x), ..area };
        below_board::draw(scene, buffer, area, &canvas);
    }
    let typed = draw_status(scene, buffer, places.status, places.board.bottom());
    draw_title(scene, buffer, &lefts, &titles(scene, shown));
    typed.or(focused)
}

/// A side as titles name it: sign and name.
pub(super) fn side(scene: &Scene<'_>, position: &dyn session::Position, side: Side) -> Text {
    let (name, sign) = (position.side_name(side), position.drawn().piece_glyph(side, scene.looks.glyphs));
    let named = sign.map_or_else(|| name.to_string(), |sign| format!("{sign} {name}"));
    text!("{}", of_side(side, named))
}

/// The name of the file that is shown.
fn source<'s>(scene: &Scene<'s>) -> Option<&'s str> {
    let path = scene.game?.game().source()?;
    Some(path.rsplit('/').next().unwrap_or(path))
}

/// Who played, as the file of a game says that nobody plays here.
fn players(scene: &Scene<'_>) -> [Option<String>; 2] {
    let remarks = scene.game.filter(|_| scene.is_watched()).map_or(&[][..], |game| game.game().remarks());
    Side::each(|side| {
        let said = remarks.iter().find(|(key, _)| *key == side.to_string());
        // A level of ours needs no name before it.
        said.map(|(_, name)| Refusal::shown(name.strip_prefix("crosspath ").unwrap_or(name)))
    })
}

/// The time that both sides have used, where a wide title tells it.
fn time_used(scene: &Scene<'_>, shown: &dyn session::Position) -> Option<Text> {
    let game = scene.game.map(Match::game).filter(|game| !game.is_record());
    let game = game.filter(|_| scene.size.0 >= 100 && scene.has_clocks)?;
    let signs = Side::each(|side| text!("{}", of_side(side, piece_glyph(scene, shown, side))));
    Some(sentences::time_used(&signs, game.used()))
}

/// What the title says on its right, from long to short.
fn titles(scene: &Scene<'_>, shown: &dyn session::Position) -> Vec<Text> {
    let (plies, all) = (shown.plies(), scene.last_ply());
    let game = scene.game.map(Match::game);
    let level = game.and_then(Game::engine_name);
    let names = Side::each(|s| side(scene, shown, s));
    let players = players(scene);
    let seats = sentences::seats(&names, scene.you(), level.as_deref(), &players);
    let is_over = shown.outcome().is_some();
    let is_past = if scene.is_replay() { !scene.is_watched() } else { scene.is_looking() };
    let at = if scene.is_stopped() {
        sentences::stopped_at(plies, all)
    } else {
        sentences::place(plies, all, is_past, scene.is_replay(), is_over)
    };
    let next = (!is_over).then(|| side(scene, shown, shown.to_move()));
    let turn = sentences::turn_in_title(next.as_ref());
    let seated = seated_turns(scene, shown, &at);
    let mut titles = Vec::new();
    let left = scene.game.and_then(|game| game.clocks(scene.now)).filter(|_| !scene.is_replay());
    let times = left.map(|left| sentences::times(left).into()).or_else(|| time_used(scene, shown));
    let is_told = !is_past && !is_over && !scene.is_stopped() && (!scene.is_replay() || scene.is_match());
    let now =
        if is_told { sentences::moves_now(&at, shown.side_name(shown.to_move())) } else { at.clone().into() };
    titles.extend(times.iter().map(|times| text!("{seats}   {now}   {times}")));
    // A clock that runs is seen before who plays.
    titles.extend(left.and(times).into_iter().flat_map(|times| [text!("{turn}, {at}   {times}"), times]));
    let ended = shown.outcome().filter(|_| scene.is_replay());
    let winner = ended.and_then(Outcome::winner).map(|winner| shown.side_name(winner));
    let result = ended.map(|_| text!("   {}", sentences::ended(winner))).unwrap_or_default();
    let short = if is_over { text!("{at}{result}") } else { text!("{turn}, {at}") };
    titles.push(text!("{seats}   {now}{result}"));
    if let ([Some(one), Some(other)], true) = (&players, scene.is_watched())
        && one == other
    {
        titles.push(text!("{}, {}: {one}   {at}{result}", names[0], names[1]));
    }
    let shorts = short_names(scene, shown, &players);
    titles.extend(shorts.iter().map(|names| text!("{names}   {at}{result}")));
    if !result.is_empty() {
        // The status line tells the result too, but not who played.
        titles.push(text!("{seats}   {now}"));
        titles.extend(shorts.iter().map(|names| text!("{names}   {at}")));
    }
    if left.is_none() && layout(shown, scene.size).panel.is_none() {
        let facts = shown.drawn().facts(scene.looks.glyphs);
        // What stands beside the board elsewhere is seen before who plays.
        let turns = || seated.iter().chain([&short]);
        let told = |facts| turns().map(move |turn| text!("{turn}   {facts}"));
        titles.splice(0..0, facts.iter().flat_map(told));
    }
    titles.extend(seated.into_iter().chain([short, turn, Text::new()]));
    titles
}

/// The players of a game that is watched, by their pieces, from long to short.
fn short_names(scene: &Scene<'_>, shown: &dyn session::Position, players: &[Option<String>; 2]) -> Vec<Text> {
    let own_names = Side::each(|side| shown.side_name(side));
    let short = |most: u16| {
        let names = Side::each(|side| players[side.index()].as_deref().unwrap_or(*own_names[side.index()]));
        let [one, other] = names.map(|name| cut(name, most, scene).into_string());
        // Two that begin alike are told apart by their ends.
        let is_clear = one != other || names[0] == names[1];
        let end = |name: &str| format!("{}{}", scene.dots(), end(name, usize::from(most) - 1));
        let shorts = if is_clear { [one, other] } else { names.map(end) };
        let name = |side: Side| {
            let (sign, name) = (piece_glyph(scene, shown, side), &shorts[side.index()]);
            // What a file calls its players is no name of a side.
            if players[side.index()].is_some() {
                text!("{} {name}", of_side(side, sign))
            } else {
                text!("{}", of_side(side, format!("{sign} {name}")))
            }
        };
        join(Side::each(name), "  ")
    };
    [80, 10].into_iter().filter(|_| scene.is_watched()).map(short).collect()
}

/// Whose turn it is where one person plays, from long to short.
fn seated_turns(scene: &Scene<'_>, shown: &dyn session::Position, at: &str) -> Vec<Text> {
    let Some(you) = scene.you().filter(|_| shown.outcome().is_none()) else { return Vec::new() };
    let mover = shown.to_move();
    let sign = text!("{}", of_side(mover, piece_glyph(scene, shown, mover)));
    let names = [side(scene, shown, mover), sign];
    names.map(|name| text!("{}, {at}", sentences::seated_turn(&name, you == mover))).into()
}

/// The title: what is shown on the left, from long to short, and on the right as much as there is room for.
fn draw_title(scene: &Scene<'_>, buffer: &mut Buffer, lefts: &[&str], right: &[Text]) {
    let width = buffer.area.width;
    // Which file is shown matters less than which of its moves.
    let places = &right[..right.len().saturating_sub(2)];
    let fits = |left: &str, text: &Text| width_of(text) + width_of(left) + 5 <= width;
    let left = *lefts.iter().find(|left| places.iter().any(|text| fits(left, text))).unwrap_or(&lefts[0]);
    let row = Rect { height: 1, ..buffer.area };
    let style = scene.part(Part::Title);
    buffer.set_style(row, style);
    if let Some(text) = right.iter().find(|text| fits(left, text)) {
        put(buffer, row, 1, 0, left, style);
        Line::told(scene, text, style).put(buffer, scene, row, width - width_of(text) - 1, 0);
        return;
    }
    // The side to move matters more than the name of the game.
    let turn = right.iter().rev().find(|text| !text.is_empty()).cloned().unwrap_or_else(|| left.into());
    let both = text!("{turn}  {left}");
    let text = if width_of(&both) < width { &both } else { &turn };
    Line::told(scene, text, style).put(buffer, scene, row, u16::from(width > width_of(text)), 0);
}

fn draw_board(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect, canvas: &Canvas) -> Option<Position> {
    let on_screen = |x: usize, y: usize| Position { x: area.x + number(x), y: area.y + number(y) };
    let tile = scene.looks.ink().palette().map_or(Color::Reset, |palette| palette.tile);
    let mut set = |x: usize, y: usize, glyph: char, role: Role| {
        if let Some(cell) = buffer.cell_mut(on_screen(x, y)) {
            cell.reset(); // nothing of what was there before
            cell.set_char(glyph).set_style(scene.role(role));
            cell.bg = if canvas.is_tile(x, y) { tile } else { Color::Reset };
        }
    };
    for y in 0..canvas.height() {
        for x in 0..canvas.width() {
            let (glyph, role) = canvas.at(x, y);
            set(x, y, glyph, role);
        }
    }
    if scene.is_watched() && (scene.phase() != Phase::Asking || scene.is_match() && scene.is_running()) {
        return None;
    }
    scene.focus(canvas).map(|spot| on_screen(spot.x, spot.y))
}

/// The status line, or the field; gives the cursor of the field. The board ends above the row `board`.
fn draw_status(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect, board: u16) -> Option<Position> {
    let room = area.width.saturating_sub(2);
    if let Some(field) = &scene.prompt.text {
        let cursor = draw_field(scene, buffer, area, field);
        // Where there is one row only the row below the board tells it.
        if let Some((said, is_legal)) = scene.typed_preview().filter(|_| area.height > 1) {
            let style = scene.said(is_legal);
            Line::told(scene, &cut(&said, room, scene), style).put(buffer, scene, area, 1, 1);
        }
        return Some(cursor);
    }
    let mut rows = wrap(scene.status_line(), usize::from(room));
    // Where there is one row only, an answer that is too long for it covers the row above; what is told unasked does not.
    let area = match area.y.checked_sub(1) {
        Some(y) if area.height == 1 && rows.len() > 1 && y >= board && scene.is_answered() => {
            Rect { y, height: 2, ..area }
        }
        _ => area,
    };
    if rows.len() > 1 {
        wipe(buffer, area);
    }
    if rows.len() > usize::from(area.height) {
        let rest = rows.split_off(usize::from(area.height).saturating_sub(1));
        rows.push(cut(join(&rest, " "), room, scene));
    }
    let style = scene.said(!scene.is_refused());
    for (row, y) in rows.iter().zip(0..) {
        let area = Rect { width: room + 1, ..area };
        Line::told(scene, row, style).put(buffer, scene, area, 1, y);
    }
    None
}
