//! Draws the start menu.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;

use super::super::draw::{
    draw_frame, draw_framed_lines, line_with_side_colours, put_text, text_columns, truncate_text,
    with_times_sign,
};
use super::super::frame::FrameContext;
use super::super::layout::{has_room_for_board, min_window_size, to_u16_saturating};
use super::super::menu::StartMenu;
use super::super::theme::ScreenPart;
use super::super::tiles;
use crate::canvas::{GlyphSet, PaintOptions};
use crate::drawing::TilingScale;
use crate::game::Side;
use crate::messages::{mistakes, screen as sentences, side_name_with_glyph};
use crate::play::Match;
use crate::text;
use crate::text::columns::wrap_text;
use crate::text::{SpanKind, Text, join_texts};

/// Width of a window from which the games and the options are side by side, in columns.
const MIN_WIDTH_FOR_TWO_LISTS: u16 = 72;
/// Maximum total width of the boxes, in columns.
const MAX_BOXES_WIDTH: u16 = 104;
/// Height of a window from which rows are reserved for the options, in rows.
const MIN_HEIGHT_FOR_OPTIONS: u16 = 24;
/// Minimum number of rows for the options in a high window.
const RESERVED_OPTION_ROWS: usize = 9;
/// Widths of the list of games beside the options, in columns.
///
/// The second one is for a window with room for the longest name of an unfinished game.
const GAME_LIST_WIDTHS: [u16; 2] = [34, 48];
/// Minimum columns and rows of a window that shows the chosen board beside the boxes.
const MIN_WINDOW_FOR_BOARD: (u16, u16) = (100, 32);
/// Width of the boxes beside the chosen board, in columns.
const BOX_WIDTH_BESIDE_BOARD: u16 = 42;
/// Column inside the frame at which the value of an option begins.
const OPTION_VALUE_COLUMN: u16 = 13;

/// Target of a click in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MenuClickTarget {
    /// The game with this index.
    Game(usize),
    /// The option with this index, and the step by which its value changes.
    Row(usize, isize),
    /// The offer to continue the game behind the menu, or else the unfinished game.
    Offer,
    /// The offer to practise the mistakes that are due.
    Mistakes,
}

#[derive(Default)]
struct MenuAreas {
    games: Rect,
    options: Rect,
    rules: Rect,
    command: Rect,
    /// Area of the chosen board, if it can be drawn in tiles.
    board: Rect,
}

/// Computes the areas with the boxes in one column and the board beside them.
///
/// Returns `None` if they do not fit.
fn compute_areas_with_board(c: &FrameContext<'_>, menu: &StartMenu) -> Option<MenuAreas> {
    let (width, height) = c.screen.size;
    if !c.screen.looks.draws_tiles() || width < MIN_WINDOW_FOR_BOARD.0 || height < MIN_WINDOW_FOR_BOARD.1 {
        return None;
    }
    let column = |y, height| Rect { x: 2, y, width: BOX_WIDTH_BESIDE_BOARD, height };
    let games = column(2, to_u16_saturating(menu.games().len()) + 5);
    let options =
        column(games.bottom(), to_u16_saturating(menu.option_rows().len().max(RESERVED_OPTION_ROWS)) + 2);
    let wanted =
        to_u16_saturating(wrap_game_rules(menu, BOX_WIDTH_BESIDE_BOARD, c.screen.looks.glyphs).len()).max(4)
            + 2;
    let rules = column(options.bottom(), wanted.min(height.saturating_sub(options.bottom() + 3)));
    let x = BOX_WIDTH_BESIDE_BOARD + 4;
    let board = Rect { x, y: 2, width: width - x - 2, height: height - 6 };
    let command = Rect { x: 0, y: height - 3, width, height: 2 };
    (rules.height > 2).then_some(MenuAreas { games, options, rules, command, board })
}

/// Draws the chosen board as large as possible in an area.
fn draw_chosen_board(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &StartMenu, area: Rect) {
    let Some(start) = menu.first_position() else { return };
    let scene = start.as_paint().scene(&PaintOptions::default());
    let size = |scale| {
        let (width, height) = scene.size_in_characters(scale);
        (to_u16_saturating(width), to_u16_saturating(height))
    };
    let has_room = |&scale: &TilingScale| size(scale).0 <= area.width && size(scale).1 <= area.height;
    let Some(scale) = scene.tiling.scales().into_iter().rev().find(has_room) else { return };
    let (width, height) = size(scale);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 3);
    tiles::draw_scene(c, buffer, Rect { x, y, width, height }, (&scene, scale), start.as_paint().side_hues());
}

/// Computes the areas of the boxes. A box without room has height 0.
fn compute_menu_areas(c: &FrameContext<'_>, menu: &StartMenu) -> MenuAreas {
    if let Some(places) = compute_areas_with_board(c, menu) {
        return places;
    }
    let (width, height) = c.screen.size;
    let top = u16::from(height > 16) + 1;
    let wide = width >= MIN_WIDTH_FOR_TWO_LISTS;
    let list = match menu.row {
        // In a narrow window the options have a page of their own.
        None if !wide => {
            menu.games().len()
                + if continuable_game(c).is_some() { 2 } else { 0 }
                + usize::from(c.screen.saved.due > 0)
        }
        // Boards with fewer options reserve the same number of rows.
        _ if height >= MIN_HEIGHT_FOR_OPTIONS => menu.option_rows().len().max(RESERVED_OPTION_ROWS),
        _ => menu.option_rows().len().max(menu.games().len()),
    };
    let list = to_u16_saturating(list) + 2;
    let shell = if height.saturating_sub(2) > list + 1 { 2 } else { 0 };
    let rows = list.min(height.saturating_sub(1 + top + shell));
    let margin = if wide {
        ((width - MIN_WIDTH_FOR_TWO_LISTS).min(4) / 2).max(width.saturating_sub(MAX_BOXES_WIDTH) / 2)
    } else {
        0
    };
    let wanted_rules = to_u16_saturating(
        wrap_game_rules(menu, width.saturating_sub(2 * margin), c.screen.looks.glyphs).len(),
    )
    .max(4)
        + 2;
    // With spare rows, the boxes are placed a little above the middle.
    let used = 1 + shell + top + rows + u16::from(height > 20) + wanted_rules;
    let top = top + height.saturating_sub(used) * 2 / 5;
    let games_width = GAME_LIST_WIDTHS[usize::from(width >= MAX_BOXES_WIDTH)];
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
    // The shell command is below the boxes, and aligned with them if they leave room at the sides.
    let lowest = height.saturating_sub(1 + shell);
    let command_top = if rules.height > 0 { lowest.min(rules.bottom() + 1) } else { lowest };
    let x = if width > MAX_BOXES_WIDTH { margin.saturating_sub(1) } else { 0 };
    let command = Rect { x, y: command_top, width: width - x, height: shell.min(height.saturating_sub(1)) };
    MenuAreas { games, options, rules, command, board: Rect::default() }
}

/// Returns the rules of the chosen game, wrapped to this width.
///
/// The first mention of a side is preceded by its piece.
fn wrap_game_rules(menu: &StartMenu, width: u16, glyphs: GlyphSet) -> Vec<Text> {
    let room = usize::from(width.saturating_sub(4)).max(1);
    let Some(start) = menu.first_position() else { return Vec::new() };
    let mut rules = start.view().rules_text();
    for side in Side::BOTH {
        let place = |rule: &Text| {
            let mut spans = rule.spans().iter();
            spans.find(|(_, span)| *span == SpanKind::Side(side)).map(|(place, _)| place.clone())
        };
        if let Some((rule, place)) = rules.iter_mut().find_map(|rule| place(rule).map(|place| (rule, place)))
        {
            let (before, behind) = (rule.slice(0..place.start), rule.slice(place.end..rule.len()));
            *rule = text!("{before}{}{behind}", side_name_with_glyph(start, side, glyphs));
        }
    }
    rules.into_iter().flat_map(|rule| wrap_text(rule, room)).collect()
}

/// Draws the menu and returns the position of the cursor.
pub(super) fn draw_menu(c: &FrameContext<'_>, menu: &StartMenu, buffer: &mut Buffer) -> Option<Position> {
    let places = compute_menu_areas(c, menu);
    let mut cursor = None;
    if places.board.height > 0 {
        draw_chosen_board(c, buffer, menu, places.board);
    }
    if places.games.height > 2 {
        let inside = draw_frame(buffer, c, places.games, "Game");
        cursor = draw_game_list(c, buffer, menu, inside);
        draw_continuable_game(c, buffer, menu, inside);
        draw_due_mistakes(c, buffer, menu, inside);
    }
    if places.options.height > 2 {
        let inside = draw_frame(buffer, c, places.options, menu.chosen_entry().title);
        cursor = draw_menu_options(c, buffer, menu, inside).or(cursor);
        if menu.row.is_none() {
            draw_option_keys(c, buffer, places.options);
        }
    }
    if places.rules.height > 2 {
        let (title, lines) = match menu.chosen_level_description() {
            Some((level, about)) => {
                (level, wrap_text(about, usize::from(places.rules.width.saturating_sub(4)).max(1)))
            }
            None => (
                "Rules in short".to_owned(),
                wrap_game_rules(menu, places.rules.width, c.screen.looks.glyphs),
            ),
        };
        let lines: Vec<_> = lines.iter().map(|line| line_with_side_colours(c, line, Style::new())).collect();
        draw_framed_lines(c, buffer, places.rules, &title, &lines);
    }
    let below_the_boxes = places.rules.y + places.rules.height;
    if let Some(start) = menu.first_position().filter(|start| !has_room_for_board(*start, c.screen.size))
        && let Some(y) = places.command.y.checked_sub(1).filter(|&y| y >= below_the_boxes)
    {
        let texts =
            sentences::board_too_large_message(min_window_size(start), c.screen.size, c.screen.looks.glyphs);
        let text = texts.iter().find(|text| text_columns(text) < c.screen.size.0).map_or("", String::as_str);
        put_text(buffer, Rect { y, height: 1, ..places.command }, 1, 0, text, Style::new());
    }
    draw_shell_command(c, buffer, menu, places.command);
    cursor
}

/// Returns the row for typed commands, if there is room for it.
pub(super) fn prompt_row(c: &FrameContext<'_>, menu: &StartMenu) -> Option<Rect> {
    let area = compute_menu_areas(c, menu).command;
    (area.height > 0).then(|| Rect { y: area.bottom() - 1, height: 1, ..area })
}

fn arrow_signs(c: &FrameContext<'_>) -> [&'static str; 2] {
    if c.screen.looks.glyphs == GlyphSet::Ascii { ["<", ">"] } else { ["◂", "▸"] }
}

/// Returns the index of the first visible row, so that the chosen row is visible.
fn first_visible_menu_row(chosen: usize, rows: u16) -> usize {
    (chosen + 1).saturating_sub(usize::from(rows))
}

fn draw_game_list(
    c: &FrameContext<'_>,
    buffer: &mut Buffer,
    menu: &StartMenu,
    inside: Rect,
) -> Option<Position> {
    let mut cursor = None;
    let first = first_visible_menu_row(menu.chosen_game_index(), inside.height);
    for (i, y) in (first..menu.games().len()).zip(0..inside.height) {
        let entry = &menu.games()[i];
        let mark = if i == menu.chosen_game_index() { arrow_signs(c)[1] } else { " " };
        let sizes = with_times_sign(
            c,
            &sentences::format_board_sizes(&entry.board_sizes().all_sizes().collect::<Vec<_>>()),
        );
        let text = format!("{mark} {}  {:<12} {sizes}", i + 1, entry.title);
        let is_here = i == menu.chosen_game_index() && menu.row.is_none();
        let style = if i == menu.chosen_game_index() {
            c.screen.looks.part_style(ScreenPart::Heading)
        } else {
            Style::new()
        };
        let style = if is_here { style.reversed() } else { style };
        put_text(buffer, inside, 1, y, &truncate_text(&text, inside.width.saturating_sub(1), c), style);
        if is_here && inside.width > 1 {
            cursor = Some(Position { x: inside.x + 1, y: inside.y + y });
        }
    }
    cursor
}

/// Returns the game behind the menu, if it is not over.
pub(super) fn unfinished_game_behind_menu<'s>(c: &FrameContext<'s>) -> Option<&'s Match> {
    c.game.filter(|game| game.game().outcome().is_none())
}

/// Returns the key and the two label lines for the game that can be continued.
///
/// It is the game behind the menu, or else the unfinished game.
fn continuable_game(c: &FrameContext<'_>) -> Option<(&'static str, [String; 2])> {
    if let Some(game) = unfinished_game_behind_menu(c) {
        let here = game.present_position();
        return Some(("Esc", sentences::game_behind_menu_labels(&here.view().title(), here.plies())));
    }
    let kept = c.screen.saved.kept.as_ref()?;
    Some(("c", [sentences::continue_game_label(&kept.description[0]), kept.description[1].clone()]))
}

/// Draws the offer to continue a game into the last rows of the list of games, if they are free.
fn draw_continuable_game(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &StartMenu, inside: Rect) {
    let (Some((key, lines)), Some(y)) = (continuable_game(c), continuable_game_row(menu, inside)) else {
        return;
    };
    let x = 5 + text_columns(key);
    for (line, y) in lines.iter().zip(y..) {
        put_text(
            buffer,
            inside,
            x,
            y,
            &truncate_text(with_times_sign(c, line), inside.width.saturating_sub(x), c),
            Style::new(),
        );
    }
    put_text(
        buffer,
        inside,
        3,
        y,
        &truncate_text(key, inside.width.saturating_sub(3), c),
        c.screen.looks.part_style(ScreenPart::Key),
    );
}

/// Returns the first of the two rows for the offer to continue a game, if they are free.
fn continuable_game_row(menu: &StartMenu, inside: Rect) -> Option<u16> {
    inside.height.checked_sub(2).filter(|&y| usize::from(y) >= menu.games().len())
}

/// Returns the row for the number of due mistakes, above the offer to continue a game.
fn due_mistakes_row(c: &FrameContext<'_>, menu: &StartMenu, inside: Rect) -> Option<u16> {
    let below = if continuable_game(c).is_some() { 3 } else { 1 };
    let row = inside.height.checked_sub(below).filter(|&y| usize::from(y) >= menu.games().len());
    row.filter(|_| c.screen.saved.due > 0)
}

/// Draws the number of due mistakes, if its row is free.
fn draw_due_mistakes(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &StartMenu, inside: Rect) {
    let Some(y) = due_mistakes_row(c, menu, inside) else { return };
    let text = mistakes::format_mistakes_menu_entry(c.screen.saved.due);
    put_text(buffer, inside, 3, y, "m", c.screen.looks.part_style(ScreenPart::Key));
    put_text(buffer, inside, 6, y, &truncate_text(&text, inside.width.saturating_sub(6), c), Style::new());
}

fn draw_menu_options(
    c: &FrameContext<'_>,
    buffer: &mut Buffer,
    menu: &StartMenu,
    inside: Rect,
) -> Option<Position> {
    let mut cursor = None;
    let [less, more] = arrow_signs(c);
    let rows = menu.option_rows();
    let first = first_visible_menu_row(menu.row.unwrap_or(0), inside.height);
    for ((i, row), y) in rows.iter().enumerate().skip(first).zip(0..inside.height) {
        let is_chosen = menu.row == Some(i);
        let style =
            if is_chosen { c.screen.looks.part_style(ScreenPart::Heading).reversed() } else { Style::new() };
        let name = truncate_text(&row.name, OPTION_VALUE_COLUMN.min(inside.width).saturating_sub(2), c);
        put_text(buffer, inside, 1, y, &name, c.screen.looks.part_style(ScreenPart::Faint));
        let theme = || {
            sentences::format_resolved_theme(
                c.screen.looks.theme.name(),
                c.screen.looks.resolved_theme_name(),
            )
        };
        let value = if row.key == "theme" { theme() } else { with_times_sign(c, &row.value) };
        let value =
            if c.screen.looks.glyphs == GlyphSet::Unicode { value } else { value.replace(" · ", ", ") };
        let room = inside.width.saturating_sub(OPTION_VALUE_COLUMN + 4);
        // The name of a level is omitted if it does not fit.
        let short = value.split_once(" · ").filter(|_| text_columns(&value) > room).map(|(short, _)| short);
        let text = format!("{less} {} {more}", short.unwrap_or(&value));
        put_text(
            buffer,
            inside,
            OPTION_VALUE_COLUMN,
            y,
            &truncate_text(&text, inside.width.saturating_sub(OPTION_VALUE_COLUMN), c),
            style,
        );
        if is_chosen && inside.width > OPTION_VALUE_COLUMN {
            cursor = Some(Position { x: inside.x + OPTION_VALUE_COLUMN, y: inside.y + y });
        }
    }
    cursor
}

/// Draws the keys that change options into the frame of the options.
fn draw_option_keys(c: &FrameContext<'_>, buffer: &mut Buffer, area: Rect) {
    let foot = sentences::options_footer(arrow_signs(c), &c.screen.looks.render_key_names("← →"));
    if text_columns(&foot) + 6 <= area.width {
        put_text(
            buffer,
            area,
            2,
            area.height - 1,
            &format!(" {foot} "),
            c.screen.looks.part_style(ScreenPart::Faint),
        );
    }
}

/// Draws the last message or the shell command, unless a line is being typed in that row.
fn draw_shell_command(c: &FrameContext<'_>, buffer: &mut Buffer, menu: &StartMenu, area: Rect) {
    if area.height == 0 || c.screen.typed_line().is_some() {
        return;
    }
    let room = usize::from(area.width.saturating_sub(2)).max(1);
    if let Some(notice) = &menu.notice {
        let rows = wrap_text(notice, room);
        for (i, y) in (0..rows.len()).zip(0..area.height) {
            // The last row is truncated visibly if text remains.
            let row = if y + 1 == area.height { join_texts(&rows[i..], " ") } else { rows[i].clone() };
            put_text(buffer, area, 1, y, &truncate_text(&row, area.width.saturating_sub(2), c), Style::new());
        }
        return;
    }
    // No-break spaces keep an option and its value together. A word with spaces is quoted and not
    // broken.
    let quoted = |word: String| {
        if word.contains(' ') { format!("'{word}'").replace(' ', "\u{a0}") } else { word }
    };
    let words: Vec<String> = menu.shell_arguments(c.screen.looks.theme).into_iter().map(quoted).collect();
    let words = words.join(" ").replace(" --", "\n--").replace(' ', "\u{a0}");
    let command = format!("crosspath {}", words.replace('\n', " "));
    let wrap = |text: &str| -> Vec<String> {
        wrap_text(text, room.saturating_sub(2).max(1)).into_iter().map(Text::into_string).collect()
    };
    let mut rows = wrap(&format!("{SHELL_COMMAND_LABEL} {command}"));
    if rows.len() > usize::from(area.height) {
        rows = wrap(&command);
    }
    let top = area.height.saturating_sub(to_u16_saturating(rows.len()));
    let last = rows.len() - 1;
    for row in &mut rows[..last] {
        *row += " \\"; // a copied command stays valid in a shell
    }
    for (row, y) in rows.iter().zip(top..area.height) {
        put_text(buffer, area, 1, y, row, c.screen.looks.part_style(ScreenPart::Key));
        if row.starts_with(SHELL_COMMAND_LABEL) {
            put_text(buffer, area, 1, y, SHELL_COMMAND_LABEL, Style::reset());
        }
    }
}

/// Label before the shell command, shown if there is room for both.
const SHELL_COMMAND_LABEL: &str = "From the shell:";

/// Returns the target of a click at a position in the menu.
pub(super) fn click_target_at(
    c: &FrameContext<'_>,
    menu: &StartMenu,
    at: Position,
) -> Option<MenuClickTarget> {
    let places = compute_menu_areas(c, menu);
    let [games, options] = [places.games, places.options].map(|area| area.inner(Margin::new(1, 1)));
    let offer = continuable_game_row(menu, games).filter(|_| continuable_game(c).is_some());
    if games.contains(at) && due_mistakes_row(c, menu, games) == Some(at.y - games.y) {
        return Some(MenuClickTarget::Mistakes);
    }
    if games.contains(at) && offer.is_some_and(|y| at.y - games.y >= y) {
        return Some(MenuClickTarget::Offer);
    }
    if games.contains(at) {
        let game =
            first_visible_menu_row(menu.chosen_game_index(), games.height) + usize::from(at.y - games.y);
        return (game < menu.games().len()).then_some(MenuClickTarget::Game(game));
    }
    if options.contains(at) {
        let rows = menu.option_rows();
        let row =
            first_visible_menu_row(menu.row.unwrap_or(0), options.height) + usize::from(at.y - options.y);
        let is_less = at.x.saturating_sub(options.x) <= OPTION_VALUE_COLUMN + 1;
        return (row < rows.len()).then_some(MenuClickTarget::Row(row, if is_less { -1 } else { 1 }));
    }
    None
}
