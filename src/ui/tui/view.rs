//! The screen from the c: title, board, panels, status line, key bar, pages. Pure.

use super::painting;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::terminal::Frame;

use super::draw::{crossed, cut, draw_title, lay_ground, piece_glyph, put_line, told, width_of, wipe};
use super::facts::Facts;
use super::frame::FrameContext;
use super::key_table::Context;
use super::layer::Rank;
use super::layers::drawn;
use super::layout::number;
use super::panels::layout_of;
use super::status::{is_answered, is_refused};
use super::theme::Part;
use super::{below_board, key_bar, panels, tiles, too_small};
use crate::canvas::Canvas;
use crate::game::{Outcome, Refusal, Side};
use crate::messages::{ending, screen as sentences};
use crate::play::{Game, Match};
use crate::session;
use crate::text;
use crate::text::columns::{end, wrap};
use crate::text::{Text, join, of_side};

/// Draws everything and puts the terminal's cursor on the focused place.
pub fn draw(c: &FrameContext<'_>, frame: &mut Frame<'_>) {
    let cursor = paint(c, frame.buffer_mut());
    lay_ground(frame.buffer_mut(), c);
    if let Some(at) = cursor.filter(|&at| frame.area().contains(at)) {
        frame.set_cursor_position(at);
    }
}

fn paint(c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
    if buffer.area.is_empty() {
        return None;
    }
    let board = if c.screen.menu().is_none() { c.game.shown() } else { None };
    let mut cursor = board.and_then(|shown| draw_game(c, buffer, shown));
    for layer in c.screen.layers.iter() {
        // A page stands over the key bar; what is typed does not.
        if layer.rank() == Rank::Page {
            draw_key_bar(c, buffer);
        }
        cursor = drawn(layer).draw(c, buffer).or(cursor);
    }
    if c.screen.page().is_none() {
        draw_key_bar(c, buffer);
    }
    cursor
}

fn draw_key_bar(c: &FrameContext<'_>, buffer: &mut Buffer) {
    if c.context() != Context::Small && c.screen.size.1 > 1 {
        key_bar::draw(c, buffer);
    }
}

fn draw_game(c: &FrameContext<'_>, buffer: &mut Buffer, shown: &dyn session::Position) -> Option<Position> {
    let layout = layout_of(c);
    let places = layout.frame;
    let Some(density) = places.density else { return too_small::draw(c, buffer) };
    let title = crossed(c, &shown.view().title());
    let replay = source(c).map(|name| sentences::replay_of(&title, &cut(name, 20, c)));
    let lefts: Vec<&str> = replay.iter().chain([&title]).map(String::as_str).collect();
    let canvas = c.drawn(density)?;
    let focused = match places.scale {
        Some(scale) => tiles::draw(c, buffer, places.board, scale),
        None => draw_board(c, buffer, places.board, &canvas),
    };
    panels::draw(c, &layout, buffer);
    if let Some(area) = places.below_board {
        // Beside the board there may be something in the same row.
        let beside =
            places.panel.filter(|panel| panel.bottom() > area.y && !panels::leaves_last_row(&layout));
        let end = beside.map_or(area.right(), |panel| panel.x.saturating_sub(1));
        let area = Rect { width: end.saturating_sub(area.x), ..area };
        below_board::draw(c, &layout, buffer, area, &canvas);
    }
    if c.screen.typed().is_none() {
        draw_status(c, buffer, places.status, places.board.bottom());
    }
    draw_title(c, buffer, &lefts, &titles(c, shown));
    focused
}

/// A side as titles name it: sign and name.
pub(super) fn side(c: &FrameContext<'_>, position: &dyn session::Position, side: Side) -> Text {
    let (name, sign) = (position.side_name(side), position.drawn().piece_glyph(side, c.screen.looks.glyphs));
    let named = sign.map_or_else(|| name.to_string(), |sign| format!("{sign} {name}"));
    text!("{}", of_side(side, named))
}

/// The name of the file that is shown.
fn source<'s>(c: &FrameContext<'s>) -> Option<&'s str> {
    let path = c.game?.game().source()?;
    Some(path.rsplit('/').next().unwrap_or(path))
}

/// What our own files call a person.
const HUMAN: &str = "human";
/// What the title calls the person who looks at it.
const YOU: &str = "you";

/// Who played, as the file of a game says in which no engine has taken the place of one of them.
fn players(c: &FrameContext<'_>) -> [Option<String>; 2] {
    let names = c.game.filter(|game| c.game.is_watched() || !game.game().has_engine());
    let remarks = names.map_or(&[][..], |game| game.game().remarks());
    let said = Side::each(|side| {
        let said = remarks.iter().find(|(key, _)| *key == side.to_string());
        // A level of ours needs no name before it.
        said.map(|(_, name)| Refusal::shown(name.strip_prefix("crosspath ").unwrap_or(name)))
    });
    let is_human = said.each_ref().map(|name| name.as_deref() == Some(HUMAN));
    match is_human {
        // The one person of a game of our own is you.
        [true, false] | [false, true] if c.game.is_watched() => {
            said.map(|name| name.map(|name| if name == HUMAN { YOU.to_owned() } else { name }))
        }
        _ if c.game.is_watched() => said,
        _ => said.map(|name| name.filter(|name| name != HUMAN)),
    }
}

/// The time that both sides have used, where a wide title tells it.
fn time_used(c: &FrameContext<'_>, shown: &dyn session::Position) -> Option<Text> {
    let game = c.game.map(Match::game).filter(|game| !game.is_record());
    let game = game.filter(|_| c.screen.size.0 >= 100 && c.screen.has_clocks)?;
    let signs = Side::each(|side| text!("{}", of_side(side, piece_glyph(c, shown, side))));
    Some(sentences::time_used(&signs, game.used()))
}

/// Where the game stands, or the better line that is shown.
fn place(c: &FrameContext<'_>, shown: &dyn session::Position, is_past: bool) -> String {
    let (plies, all) = (shown.plies(), c.game.last_ply());
    if let Some(lesson) = c.game.map(Match::game).and_then(Game::lesson) {
        ending::in_better_line(lesson.step(), lesson.length())
    } else if c.game.is_stopped() {
        sentences::stopped_at(plies, all)
    } else {
        sentences::place(plies, all, is_past, c.game.is_replay(), shown.outcome().is_some())
    }
}

/// What the title says on its right, from long to short.
fn titles(c: &FrameContext<'_>, shown: &dyn session::Position) -> Vec<Text> {
    let level = c.game.map(Match::game).and_then(Game::engine_name);
    let levels = level.map(|level| sentences::level_in_title(&level, c.screen.looks.glyphs));
    let names = Side::each(|s| side(c, shown, s));
    let players = players(c);
    let seats_at = |level: usize| {
        let level = levels.as_ref().map(|levels| &*levels[level]);
        sentences::seats(&names, c.game.you(), level, &players)
    };
    let seats = [seats_at(0), seats_at(1)];
    let is_over = shown.outcome().is_some();
    let is_past = if c.game.is_replay() { !c.game.is_watched() } else { c.game.is_looking() };
    let at = place(c, shown, is_past);
    let next = (!is_over).then(|| side(c, shown, shown.to_move()));
    let turn = sentences::turn_in_title(next.as_ref());
    let seated = seated_turns(c, shown, &at);
    let mut titles = Vec::new();
    let left = c.game.and_then(|game| game.clocks(c.screen.now)).filter(|_| !c.game.is_replay());
    let times = left.map(|left| sentences::times(left).into()).or_else(|| time_used(c, shown));
    let is_told = !is_past && !is_over && !c.game.is_stopped() && (!c.game.is_replay() || c.game.is_match());
    let now =
        if is_told { sentences::moves_now(&at, shown.side_name(shown.to_move())) } else { at.clone().into() };
    let ended = shown.outcome().filter(|_| c.game.is_replay());
    let winner = ended.and_then(Outcome::winner).map(|winner| shown.side_name(winner));
    let result = ended.map(|_| text!("   {}", sentences::ended(winner))).unwrap_or_default();
    let short = if is_over { text!("{at}{result}") } else { text!("{turn}, {at}") };
    titles.extend(
        times.iter().flat_map(|times| seats.each_ref().map(|seats| text!("{seats}   {now}   {times}"))),
    );
    // A clock that runs is seen before who plays.
    titles.extend(left.and(times).into_iter().flat_map(|times| [text!("{short}   {times}"), times]));
    titles.extend(seats.each_ref().map(|seats| text!("{seats}   {now}{result}")));
    if let ([Some(one), Some(other)], true) = (&players, c.game.is_watched())
        && one == other
    {
        titles.push(text!("{}, {}: {one}   {at}{result}", names[0], names[1]));
    }
    let shorts = short_names(c, shown, &players);
    titles.extend(shorts.iter().map(|names| text!("{names}   {at}{result}")));
    if !result.is_empty() {
        // The status line tells the result too, but not who played.
        titles.extend(seats.each_ref().map(|seats| text!("{seats}   {now}")));
        titles.extend(shorts.iter().map(|names| text!("{names}   {at}")));
    }
    if left.is_none() && layout_of(c).frame.panel.is_none() {
        let facts = shown.drawn().facts(c.screen.looks.glyphs);
        // What stands beside the board elsewhere is seen before who plays.
        let turns = || seated.iter().chain([&short]);
        let told = |facts| turns().map(move |turn| text!("{turn}   {facts}"));
        titles.splice(0..0, facts.iter().flat_map(told));
    }
    titles.extend(seated.into_iter().chain([short, turn, Text::new()]));
    titles
}

/// The players of a game that is watched or names them, by their pieces, from long to short.
fn short_names(
    c: &FrameContext<'_>,
    shown: &dyn session::Position,
    players: &[Option<String>; 2],
) -> Vec<Text> {
    let own_names = Side::each(|side| shown.side_name(side));
    let short = |most: u16| {
        let names = Side::each(|side| players[side.index()].as_deref().unwrap_or(*own_names[side.index()]));
        let [one, other] = names.map(|name| cut(name, most, c).into_string());
        // Two that begin alike are told apart by their ends.
        let is_clear = one != other || names[0] == names[1];
        let end = |name: &str| format!("{}{}", c.screen.looks.dots(), end(name, usize::from(most) - 1));
        let shorts = if is_clear { [one, other] } else { names.map(end) };
        let name = |side: Side| {
            let (sign, name) = (piece_glyph(c, shown, side), &shorts[side.index()]);
            // What a file calls its players is no name of a side.
            if players[side.index()].is_some() {
                text!("{} {name}", of_side(side, sign))
            } else {
                text!("{}", of_side(side, format!("{sign} {name}")))
            }
        };
        join(Side::each(name), "  ")
    };
    let is_named = c.game.is_watched() || players.iter().any(Option::is_some);
    [80, 10].into_iter().filter(|_| is_named).map(short).collect()
}

/// Whose turn it is where one person plays, from long to short.
fn seated_turns(c: &FrameContext<'_>, shown: &dyn session::Position, at: &str) -> Vec<Text> {
    let Some(you) = c.game.you().filter(|_| shown.outcome().is_none()) else { return Vec::new() };
    let mover = shown.to_move();
    let sign = text!("{}", of_side(mover, piece_glyph(c, shown, mover)));
    let names = [side(c, shown, mover), sign];
    names.map(|name| text!("{}, {at}", sentences::seated_turn(&name, you == mover))).into()
}

fn draw_board(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, canvas: &Canvas) -> Option<Position> {
    let on_screen = |x: usize, y: usize| Position { x: area.x + number(x), y: area.y + number(y) };
    painting::put_canvas(c, buffer, area, canvas);
    canvas.find(&painting::focused(c)?).map(|spot| on_screen(spot.x, spot.y))
}

/// The status line. The board ends above the row `board`.
fn draw_status(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect, board: u16) {
    let room = area.width.saturating_sub(2);
    let mut rows = wrap(c.status_line(), usize::from(room));
    // Where there is one row only, an answer that is too long for it covers the row above; what is told unasked does not.
    let area = match area.y.checked_sub(1) {
        Some(y) if area.height == 1 && rows.len() > 1 && y >= board && is_answered(c) => {
            Rect { y, height: 2, ..area }
        }
        _ => area,
    };
    if rows.len() > 1 {
        wipe(buffer, area);
    }
    if rows.len() > usize::from(area.height) {
        let rest = rows.split_off(usize::from(area.height).saturating_sub(1));
        rows.push(cut(join(&rest, " "), room, c));
    }
    let style = c.said(!is_refused(c));
    for (row, y) in rows.iter().zip(0..) {
        let area = Rect { width: room + 1, ..area };
        put_line(buffer, c, area, (1, y), &told(c, row, style));
    }
    let verdict = c.game.shown().and_then(|shown| ending::verdict(shown, c.game.you()));
    if let (Some(verdict), Some(row)) = (verdict, rows.first())
        && row.starts_with(&verdict)
    {
        let badge = Rect { x: 1, y: area.y, width: width_of(&verdict), height: 1 };
        buffer
            .set_style(badge.intersection(buffer.area), c.screen.looks.part(Part::Heading).bold().reversed());
    }
}
