//! The start menu on the screen.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;

use super::super::draw::{crossed, cut, draw_lines, frame, put, told, width_of};
use super::super::frame::FrameContext;
use super::super::layout::{has_room, least, number};
use super::super::menu::Menu;
use super::super::theme::Part;
use super::super::tiles;
use crate::canvas::{Glyphs, PaintOptions};
use crate::drawing::Scale;
use crate::game::Side;
use crate::messages::{mistakes, screen as sentences, signed};
use crate::play::Match;
use crate::text;
use crate::text::columns::wrap;
use crate::text::{Span, Text, join};

/// Columns from which on both lists are side by side.
const WIDE: u16 = 72;
/// Columns that the boxes together have at most.
const WIDEST: u16 = 104;
/// Rows of a window that has room for `OPTIONS` options.
const ROOMY: u16 = 24;
const OPTIONS: usize = 9;
/// Columns of the list of games beside the options, and those with room for the longest name of an
/// unfinished game.
const GAMES_WIDTH: [u16; 2] = [34, 48];
/// Columns and rows of a window with room for the board of the chosen game beside the boxes, and
/// the columns of the boxes then.
const BOARD_WINDOW: (u16, u16) = (100, 32);
const COLUMN: u16 = 42;
/// Column of an option's value inside its frame.
const VALUE: u16 = 13;

/// Target of a click in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    /// This game.
    Game(usize),
    /// This option, one step forward or back.
    Row(usize, isize),
    /// The game behind the menu, or the unfinished game.
    Offer,
    /// The mistakes that are due.
    Mistakes,
}

#[derive(Default)]
struct MenuAreas {
    games: Rect,
    options: Rect,
    rules: Rect,
    command: Rect,
    /// Board of the chosen game, where it is drawn in tiles and has room.
    board: Rect,
}

/// Returns the areas of the boxes one below the other, with the board beside them; `None` where
/// there is no room for that.
fn places_with_board(c: &FrameContext<'_>, menu: &Menu) -> Option<MenuAreas> {
    let (width, height) = c.screen.size;
    if !c.screen.looks.has_tiles() || width < BOARD_WINDOW.0 || height < BOARD_WINDOW.1 {
        return None;
    }
    let column = |y, height| Rect { x: 2, y, width: COLUMN, height };
    let games = column(2, number(menu.games().len()) + 5);
    let options = column(games.bottom(), number(menu.rows().len().max(OPTIONS)) + 2);
    let wanted = number(rules(menu, COLUMN, c.screen.looks.glyphs).len()).max(4) + 2;
    let rules = column(options.bottom(), wanted.min(height.saturating_sub(options.bottom() + 3)));
    let x = COLUMN + 4;
    let board = Rect { x, y: 2, width: width - x - 2, height: height - 6 };
    let command = Rect { x: 0, y: height - 3, width, height: 2 };
    (rules.height > 2).then_some(MenuAreas { games, options, rules, command, board })
}

/// Draws the board of the chosen game in the middle of an area, as large as it can be.
fn draw_board(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &Menu, area: Rect) {
    let Some(start) = menu.start() else { return };
    let scene = start.drawn().scene(&PaintOptions::default());
    let size = |scale| {
        let (width, height) = scene.size(scale);
        (number(width), number(height))
    };
    let has_room = |&scale: &Scale| size(scale).0 <= area.width && size(scale).1 <= area.height;
    let Some(scale) = scene.tiling.scales().into_iter().rev().find(has_room) else { return };
    let (width, height) = size(scale);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 3);
    tiles::put_scene(c, buffer, Rect { x, y, width, height }, (&scene, scale), start.drawn().hues());
}

/// Returns the areas of the boxes; of height 0 where there is no room.
fn places(c: &FrameContext<'_>, menu: &Menu) -> MenuAreas {
    if let Some(places) = places_with_board(c, menu) {
        return places;
    }
    let (width, height) = c.screen.size;
    let top = u16::from(height > 16) + 1;
    let wide = width >= WIDE;
    let list = match menu.row {
        // The options have a page of their own.
        None if !wide => {
            menu.games().len() + if offer(c).is_some() { 2 } else { 0 } + usize::from(c.screen.saved.due > 0)
        }
        // All boards are laid out alike, however many options they have.
        _ if height >= ROOMY => menu.rows().len().max(OPTIONS),
        _ => menu.rows().len().max(menu.games().len()),
    };
    let list = number(list) + 2;
    let shell = if height.saturating_sub(2) > list + 1 { 2 } else { 0 };
    let rows = list.min(height.saturating_sub(1 + top + shell));
    let margin = if wide { ((width - WIDE).min(4) / 2).max(width.saturating_sub(WIDEST) / 2) } else { 0 };
    let wanted_rules =
        number(rules(menu, width.saturating_sub(2 * margin), c.screen.looks.glyphs).len()).max(4) + 2;
    // In the middle of the rows, a little above it, where there are rows to spare.
    let used = 1 + shell + top + rows + u16::from(height > 20) + wanted_rules;
    let top = top + height.saturating_sub(used) * 2 / 5;
    let games_width = GAMES_WIDTH[usize::from(width >= WIDEST)];
    let left = Rect { x: margin, y: top, width: if wide { games_width } else { width }, height: rows };
    let options_x = margin + games_width + 1;
    let right = Rect { x: options_x, width: width.saturating_sub(options_x + margin), ..left };
    let none = Rect { height: 0, ..left };
    let (games, options) = match (wide, menu.row) {
        (true, _) => (left, right),
        (false, None) => (left, none),
        (false, Some(_)) => (none, left),
    };
    let rules_top = top + rows + u16::from(height > 20);
    let rules_room = height.saturating_sub(1 + shell + rules_top);
    let rules_width = width.saturating_sub(2 * margin);
    let rules_height = if rules_room >= 6 { wanted_rules.min(rules_room) } else { 0 };
    let rules = Rect { x: margin, y: rules_top, width: rules_width, height: rules_height };
    // Below the boxes, and where they leave room at the sides in line with them.
    let lowest = height.saturating_sub(1 + shell);
    let command_top = if rules.height > 0 { lowest.min(rules.bottom() + 1) } else { lowest };
    let x = if width > WIDEST { margin.saturating_sub(1) } else { 0 };
    let command = Rect { x, y: command_top, width: width - x, height: shell.min(height.saturating_sub(1)) };
    MenuAreas { games, options, rules, command, board: Rect::default() }
}

/// Returns the rules of the chosen game for a box of this width. The first mention of a side shows
/// its piece.
fn rules(menu: &Menu, width: u16, glyphs: Glyphs) -> Vec<Text> {
    let room = usize::from(width.saturating_sub(4)).max(1);
    let Some(start) = menu.start() else { return Vec::new() };
    let mut rules = start.view().rules();
    for side in Side::BOTH {
        let place = |rule: &Text| {
            let mut spans = rule.spans().iter();
            spans.find(|(_, span)| *span == Span::Side(side)).map(|(place, _)| place.clone())
        };
        if let Some((rule, place)) = rules.iter_mut().find_map(|rule| place(rule).map(|place| (rule, place)))
        {
            let (before, behind) = (rule.slice(0..place.start), rule.slice(place.end..rule.len()));
            *rule = text!("{before}{}{behind}", signed(start, side, glyphs));
        }
    }
    rules.into_iter().flat_map(|rule| wrap(rule, room)).collect()
}

/// Draws the menu; returns the place of the cursor.
pub(super) fn draw(c: &FrameContext<'_>, menu: &Menu, buffer: &mut Buffer) -> Option<Position> {
    let places = places(c, menu);
    let mut cursor = None;
    if places.board.height > 0 {
        draw_board(c, buffer, menu, places.board);
    }
    if places.games.height > 2 {
        let inside = frame(buffer, c, places.games, "Game");
        cursor = draw_games(c, buffer, menu, inside);
        draw_offer(c, buffer, menu, inside);
        draw_mistakes(c, buffer, menu, inside);
    }
    if places.options.height > 2 {
        let inside = frame(buffer, c, places.options, menu.entry().title);
        cursor = draw_options(c, buffer, menu, inside).or(cursor);
        if menu.row.is_none() {
            draw_options_foot(c, buffer, places.options);
        }
    }
    if places.rules.height > 2 {
        let (title, lines) = match menu.opponent() {
            Some((level, about)) => {
                (level, wrap(about, usize::from(places.rules.width.saturating_sub(4)).max(1)))
            }
            None => ("Rules in short".to_owned(), rules(menu, places.rules.width, c.screen.looks.glyphs)),
        };
        let lines: Vec<_> = lines.iter().map(|line| told(c, line, Style::new())).collect();
        draw_lines(c, buffer, places.rules, &title, &lines);
    }
    let below_the_boxes = places.rules.y + places.rules.height;
    if let Some(start) = menu.start().filter(|start| !has_room(*start, c.screen.size))
        && let Some(y) = places.command.y.checked_sub(1).filter(|&y| y >= below_the_boxes)
    {
        let texts = sentences::needs_room(least(start), c.screen.size, c.screen.looks.glyphs);
        let text = texts.iter().find(|text| width_of(text) < c.screen.size.0).map_or("", String::as_str);
        put(buffer, Rect { y, height: 1, ..places.command }, 1, 0, text, Style::new());
    }
    draw_command(c, buffer, menu, places.command);
    cursor
}

/// Returns the row in which a line is typed, if there is one.
pub(super) fn field_row(c: &FrameContext<'_>, menu: &Menu) -> Option<Rect> {
    let area = places(c, menu).command;
    (area.height > 0).then(|| Rect { y: area.bottom() - 1, height: 1, ..area })
}

fn arrows(c: &FrameContext<'_>) -> [&'static str; 2] {
    if c.screen.looks.glyphs == Glyphs::Ascii { ["<", ">"] } else { ["◂", "▸"] }
}

/// Returns the first row that is shown, so that the chosen one is visible.
fn top(chosen: usize, rows: u16) -> usize {
    (chosen + 1).saturating_sub(usize::from(rows))
}

fn draw_games(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &Menu, inside: Rect) -> Option<Position> {
    let mut cursor = None;
    let first = top(menu.game(), inside.height);
    for (i, y) in (first..menu.games().len()).zip(0..inside.height) {
        let entry = &menu.games()[i];
        let mark = if i == menu.game() { arrows(c)[1] } else { " " };
        let sizes = crossed(c, &sentences::sizes(&entry.sizes().all().collect::<Vec<_>>()));
        let text = format!("{mark} {}  {:<12} {sizes}", i + 1, entry.title);
        let is_here = i == menu.game() && menu.row.is_none();
        let style = if i == menu.game() { c.screen.looks.part(Part::Heading) } else { Style::new() };
        let style = if is_here { style.reversed() } else { style };
        put(buffer, inside, 1, y, &cut(&text, inside.width.saturating_sub(1), c), style);
        if is_here && inside.width > 1 {
            cursor = Some(Position { x: inside.x + 1, y: inside.y + y });
        }
    }
    cursor
}

/// Returns the game that lies behind the menu and is not over.
pub(super) fn game_behind<'s>(c: &FrameContext<'s>) -> Option<&'s Match> {
    c.game.filter(|game| game.game().outcome().is_none())
}

/// Returns the game that can be continued, as a key and two lines: the game behind the menu by Esc,
/// or else the unfinished game.
fn offer(c: &FrameContext<'_>) -> Option<(&'static str, [String; 2])> {
    if let Some(game) = game_behind(c) {
        let here = game.present_position();
        return Some(("Esc", sentences::behind_the_menu(&here.view().title(), here.plies())));
    }
    let kept = c.screen.saved.kept.as_ref()?;
    Some(("c", [sentences::continues(&kept.words[0]), kept.words[1].clone()]))
}

/// Draws the game that can be continued, in the last rows of the box of games if they are free.
fn draw_offer(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &Menu, inside: Rect) {
    let (Some((key, lines)), Some(y)) = (offer(c), offer_row(menu, inside)) else { return };
    let x = 5 + width_of(key);
    for (line, y) in lines.iter().zip(y..) {
        put(buffer, inside, x, y, &cut(crossed(c, line), inside.width.saturating_sub(x), c), Style::new());
    }
    put(buffer, inside, 3, y, &cut(key, inside.width.saturating_sub(3), c), c.screen.looks.part(Part::Key));
}

/// Returns the first of the two rows for the game that can be continued.
fn offer_row(menu: &Menu, inside: Rect) -> Option<u16> {
    inside.height.checked_sub(2).filter(|&y| usize::from(y) >= menu.games().len())
}

/// Returns the row for the number of mistakes that are due, above the game that can be continued.
fn mistakes_row(c: &FrameContext<'_>, menu: &Menu, inside: Rect) -> Option<u16> {
    let below = if offer(c).is_some() { 3 } else { 1 };
    let row = inside.height.checked_sub(below).filter(|&y| usize::from(y) >= menu.games().len());
    row.filter(|_| c.screen.saved.due > 0)
}

/// Draws the number of mistakes that are due, if that row is free.
fn draw_mistakes(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &Menu, inside: Rect) {
    let Some(y) = mistakes_row(c, menu, inside) else { return };
    let text = mistakes::in_menu(c.screen.saved.due);
    put(buffer, inside, 3, y, "m", c.screen.looks.part(Part::Key));
    put(buffer, inside, 6, y, &cut(&text, inside.width.saturating_sub(6), c), Style::new());
}

fn draw_options(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &Menu, inside: Rect) -> Option<Position> {
    let mut cursor = None;
    let [less, more] = arrows(c);
    let rows = menu.rows();
    let first = top(menu.row.unwrap_or(0), inside.height);
    for ((i, row), y) in rows.iter().enumerate().skip(first).zip(0..inside.height) {
        let is_chosen = menu.row == Some(i);
        let style = if is_chosen { c.screen.looks.part(Part::Heading).reversed() } else { Style::new() };
        let name = cut(&row.name, VALUE.min(inside.width).saturating_sub(2), c);
        put(buffer, inside, 1, y, &name, c.screen.looks.part(Part::Faint));
        let theme =
            || sentences::theme_with_ground(c.screen.looks.theme.name(), c.screen.looks.found_theme());
        let value = if row.key == "theme" { theme() } else { crossed(c, &row.value) };
        let value =
            if c.screen.looks.glyphs == Glyphs::Unicode { value } else { value.replace(" · ", ", ") };
        let room = inside.width.saturating_sub(VALUE + 4);
        // A level without its name where there is no room for both.
        let short = value.split_once(" · ").filter(|_| width_of(&value) > room).map(|(short, _)| short);
        let text = format!("{less} {} {more}", short.unwrap_or(&value));
        put(buffer, inside, VALUE, y, &cut(&text, inside.width.saturating_sub(VALUE), c), style);
        if is_chosen && inside.width > VALUE {
            cursor = Some(Position { x: inside.x + VALUE, y: inside.y + y });
        }
    }
    cursor
}

/// Draws the keys that change the options in their frame.
fn draw_options_foot(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect) {
    let foot = sentences::options_foot(arrows(c), &c.screen.looks.keys("← →"));
    if width_of(&foot) + 6 <= area.width {
        put(buffer, area, 2, area.height - 1, &format!(" {foot} "), c.screen.looks.part(Part::Faint));
    }
}

/// Draws the shell command, in one or two rows, unless a line is typed there.
fn draw_command(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &Menu, area: Rect) {
    if area.height == 0 || c.screen.typed().is_some() {
        return;
    }
    let room = usize::from(area.width.saturating_sub(2)).max(1);
    if let Some(notice) = &menu.notice {
        let rows = wrap(notice, room);
        for (i, y) in (0..rows.len()).zip(0..area.height) {
            // Text without a row of its own is cut visibly.
            let row = if y + 1 == area.height { join(&rows[i..], " ") } else { rows[i].clone() };
            put(buffer, area, 1, y, &cut(&row, area.width.saturating_sub(2), c), Style::new());
        }
        return;
    }
    // An option and its value stay together: blanks that are none for the breaking of lines.
    // A word with blanks stands between quotes, and no line breaks within it.
    let quoted = |word: String| {
        if word.contains(' ') { format!("'{word}'").replace(' ', "\u{a0}") } else { word }
    };
    let words: Vec<String> = menu.arguments(c.screen.looks.theme).into_iter().map(quoted).collect();
    let words = words.join(" ").replace(" --", "\n--").replace(' ', "\u{a0}");
    let command = format!("crosspath {}", words.replace('\n', " "));
    let wrap = |text: &str| -> Vec<String> {
        wrap(text, room.saturating_sub(2).max(1)).into_iter().map(Text::into_string).collect()
    };
    let mut rows = wrap(&format!("{SHELL} {command}"));
    if rows.len() > usize::from(area.height) {
        rows = wrap(&command);
    }
    let top = area.height.saturating_sub(number(rows.len()));
    let last = rows.len() - 1;
    for row in &mut rows[..last] {
        *row += " \\"; // text copied from the screen is one command
    }
    for (row, y) in rows.iter().zip(top..area.height) {
        put(buffer, area, 1, y, row, c.screen.looks.part(Part::Key));
        if row.starts_with(SHELL) {
            put(buffer, area, 1, y, SHELL, Style::reset());
        }
    }
}

/// Text before the shell command where both have room.
const SHELL: &str = "From the shell:";

/// Returns the target of a click at a place in the menu.
pub(super) fn hit(c: &FrameContext<'_>, menu: &Menu, at: Position) -> Option<Hit> {
    let places = places(c, menu);
    let [games, options] = [places.games, places.options].map(|area| area.inner(Margin::new(1, 1)));
    let offer = offer_row(menu, games).filter(|_| offer(c).is_some());
    if games.contains(at) && mistakes_row(c, menu, games) == Some(at.y - games.y) {
        return Some(Hit::Mistakes);
    }
    if games.contains(at) && offer.is_some_and(|y| at.y - games.y >= y) {
        return Some(Hit::Offer);
    }
    if games.contains(at) {
        let game = top(menu.game(), games.height) + usize::from(at.y - games.y);
        return (game < menu.games().len()).then_some(Hit::Game(game));
    }
    if options.contains(at) {
        let rows = menu.rows();
        let row = top(menu.row.unwrap_or(0), options.height) + usize::from(at.y - options.y);
        let is_less = at.x.saturating_sub(options.x) <= VALUE + 1;
        return (row < rows.len()).then_some(Hit::Row(row, if is_less { -1 } else { 1 }));
    }
    None
}
