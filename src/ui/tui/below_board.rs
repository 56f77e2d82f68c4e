//! Row below the board, with the meanings of signs on the board and the win chances. It is
//! independent of the game.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::draw::{line_with_side_colours, put_line, put_text, text_columns, truncate_text};
use super::facts::MatchFacts;
use super::frame::FrameContext;
use super::key_table::KeyContext;
use super::layout::{FrameLayout, PanelId, WIDE_WINDOW_COLUMNS};
use super::painting;
use super::panels::{legend_explains_numbers, to_whole_per_cent};
use super::theme::ScreenPart;
use crate::canvas::{Canvas, GlyphSet, PaintRole};
use crate::game::Side;
use crate::messages::{ending, screen as sentences};
use crate::session::Position;
use crate::text::{SideName, Text, join_texts};

/// Minimum and maximum length of the win-chance bar, in columns. The bar takes a twelfth of the
/// row.
const WIN_CHANCE_BAR_COLUMNS: [u16; 2] = [5, 15];
/// Number of columns between parts of the text, and before the bar.
const TEXT_GAP_COLUMNS: u16 = 2;

/// Names and win chances of both sides for the bar.
struct WinChances {
    names: [SideName; 2],
    per_cent: u32,
}

impl WinChances {
    /// Returns the win chances in a position, or `None` if they are unknown or there is no room for
    /// them.
    fn for_position(c: &FrameContext<'_>, position: &dyn Position, area: Rect) -> Option<Self> {
        // Where the value of every move is known, a win chance adds nothing.
        let is_open = position.outcome().is_none() && position.exact_move_values().is_empty();
        let is_told = c.screen.drawing.shows_engine && is_open;
        let (side, report) = painting::visible_engine_report(c).filter(|_| {
            is_told && c.screen.size.0 >= WIDE_WINDOW_COLUMNS && area.width > WIDE_WINDOW_COLUMNS / 2 + 8
        })?;
        let chance = report.chance?;
        let first = if side == Side::First { chance } else { 1.0 - chance };
        let names = Side::map_both(|side| position.side_name(side));
        Some(WinChances { names, per_cent: to_whole_per_cent(first) })
    }

    /// Renders the two halves of the win-chance bar, `Red 39% ██████` and `░░░░░░░░░ Blue 61%`.
    ///
    /// The bar without the names and percentages has `columns` columns.
    fn render_bars(&self, glyphs: GlyphSet, columns: u16) -> [String; 2] {
        let filled = ((self.per_cent * u32::from(columns) + 50) / 100) as usize;
        let [full, empty] = if glyphs == GlyphSet::Unicode { ["█", "░"] } else { ["#", "-"] };
        let (full, empty) = (full.repeat(filled), empty.repeat(usize::from(columns) - filled));
        let [one, other] = self.names;
        let of_first = self.per_cent;
        [format!("{one} {of_first}% {full}"), format!("{empty} {other} {}%", 100 - of_first)]
    }

    /// Returns the number of columns of the names and percentages, without the bar.
    fn columns_without_bar(&self) -> u16 {
        let bars = self.render_bars(GlyphSet::Unicode, 0);
        bars.iter().map(|bar| text_columns(bar)).sum()
    }
}

/// State that the text of the row depends on, computed once per frame.
struct BelowBoardFacts<'s> {
    c: &'s FrameContext<'s>,
    position: &'s dyn Position,
    /// Drawing of the board.
    drawn: &'s Canvas,
    layout: &'s FrameLayout,
    /// `true` if a panel explains the signs.
    has_legend: bool,
    /// `true` if the best moves are numbered on the board.
    has_numbers: bool,
}

/// Draws the row below a board that has been drawn.
pub(super) fn draw_row_below_board(
    c: &FrameContext<'_>,
    layout: &FrameLayout,
    buffer: &mut Buffer,
    area: Rect,
    drawn: &Canvas,
) {
    let Some(position) = c.game.shown_position() else { return };
    if let Some((said, is_legal)) = painting::preview_typed_move(c).filter(|_| layout.frame.status.height < 2)
    {
        let said = truncate_text(&said, area.width.saturating_sub(2), c);
        put_line(buffer, c, area, (1, 0), &line_with_side_colours(c, &said, c.message_style(is_legal)));
        return;
    }
    let bar = (area.width / 12).clamp(WIN_CHANCE_BAR_COLUMNS[0], WIN_CHANCE_BAR_COLUMNS[1]);
    let area = draw_verdict_or_wall_badge(c, layout, buffer, area);
    let has_numbers = c.board_marks().iter().any(|(.., role)| *role == PaintRole::Hint);
    let has_legend = layout.shows_panel(PanelId::Legend);
    let facts = BelowBoardFacts { c, position, drawn, layout, has_legend, has_numbers };
    let chances = WinChances::for_position(c, position, area);
    let all = area.width.saturating_sub(2);
    let beside = |chances: &Option<WinChances>| {
        let chances =
            chances.as_ref().map_or(0, |chances| chances.columns_without_bar() + bar + TEXT_GAP_COLUMNS);
        all.saturating_sub(chances)
    };
    // The overlay takes precedence over the win chances, which the panel shows too.
    let label = unexplained_overlay_title(&facts);
    let is_crowded = label.as_ref().is_some_and(|label| text_columns(label) > beside(&chances));
    let needed = render_row_text(&facts, label.clone(), [all, 0]);
    let chances = chances.filter(|chances| {
        !is_crowded && text_columns(&needed) + chances.columns_without_bar() + bar + TEXT_GAP_COLUMNS <= all
    });
    // Signs that are not on the board are left out to make room for the word before the bar, but
    // the keys for placing a wall are kept.
    let word = text_columns(sentences::WIN_CHANCES_LABEL) + 1;
    let with_word = |chances: &WinChances| {
        text_columns(&needed) + chances.columns_without_bar() + bar + TEXT_GAP_COLUMNS + word <= all
    };
    let has_word = !is_placing_wall(c) && chances.as_ref().is_some_and(with_word);
    let room = beside(&chances) - if has_word { word } else { 0 };
    let text = truncate_text(prepend_ending(&facts, render_row_text(&facts, label, [room; 2]), room), all, c);
    let faint = c.screen.looks.part_style(ScreenPart::Faint);
    put_line(buffer, c, area, (1, 0), &line_with_side_colours(c, &text, faint));
    let Some(chances) = chances else { return };
    let bars = chances.render_bars(c.screen.looks.glyphs, bar);
    let length = bars.iter().map(|bar| text_columns(bar)).sum::<u16>();
    let mut x = area.width.saturating_sub(length + 1);
    if has_word {
        put_text(buffer, area, x - word, 0, sentences::WIN_CHANCES_LABEL, faint);
    }
    for (bar, side) in bars.iter().zip(Side::BOTH) {
        put_text(buffer, area, x, 0, bar, c.role_style(PaintRole::for_piece(side)));
        x += text_columns(bar);
    }
}

/// Prepends the result of the game to the text, if no panel shows the result and it fits.
fn prepend_ending(
    &BelowBoardFacts { c, position, layout, .. }: &BelowBoardFacts<'_>,
    text: Text,
    room: u16,
) -> Text {
    let how = ending::describe_ending(position, c.game.human_side(), c.screen.looks.glyphs);
    let Some(how) = how.filter(|_| !layout.shows_panel(PanelId::Ending)) else { return text };
    let how = Text::from(how.into_string()); // faint like the rest of the row, without side colours
    let both = join_texts([how, text.clone()].into_iter().filter(|part| !part.is_empty()), "  ");
    if text_columns(&both) <= room { both } else { text }
}

/// Draws the winner if no panel shows it, or the orientation of the wall being placed.
///
/// Returns the rest of the row.
fn draw_verdict_or_wall_badge(
    c: &FrameContext<'_>,
    layout: &FrameLayout,
    buffer: &mut Buffer,
    area: Rect,
) -> Rect {
    let ended =
        c.game.shown_position().and_then(|shown| ending::format_result_heading(shown, c.game.human_side()));
    let badge = match ended.filter(|_| !layout.shows_panel(PanelId::Ending)) {
        Some(verdict) => format!(" {verdict} "),
        None if is_placing_wall(c) => {
            sentences::format_wall_badge(c.screen.cursor.layer == 1, c.screen.looks.glyphs)
        }
        None => return area,
    };
    let width = text_columns(&badge) + 1;
    if area.width <= width {
        return area;
    }
    put_text(buffer, area, 1, 0, &badge, c.screen.looks.part_style(ScreenPart::Heading).not_dim().reversed());
    Rect { x: area.x + width, width: area.width - width, ..area }
}

/// Returns the title of the active overlay, if the overlay marks anything on the board.
fn visible_overlay_title(c: &FrameContext<'_>, position: &dyn Position) -> Option<Text> {
    let is_there =
        position.outcome().is_none() && (painting::shows_path_overlay(c) || !c.board_marks().is_empty());
    let index = c.screen.drawing.overlay.checked_sub(1).filter(|_| is_there)?;
    c.overlay_titles().into_iter().nth(index)
}

/// Returns the title of the active overlay, unless the screen explains it elsewhere.
fn unexplained_overlay_title(
    &BelowBoardFacts { c, position, has_legend, .. }: &BelowBoardFacts<'_>,
) -> Option<Text> {
    let label = visible_overlay_title(c, position)?;
    let is_told = is_placing_wall(c)
        || painting::shows_path_overlay(c) && has_legend
        || c.screen.typed_line().is_none() && c.render_status_line().contains(label.as_str());
    (!is_told).then_some(label)
}

fn is_placing_wall(c: &FrameContext<'_>) -> bool {
    c.key_context() == KeyContext::Wall && c.game.is_players_turn() && c.screen.typed_line().is_none()
}

/// Renders the text of the row.
///
/// The text has `room` columns beside the win-chance bar. Signs that are not on the board are
/// explained if they fit into `spare` columns.
fn render_row_text(facts: &BelowBoardFacts<'_>, label: Option<Text>, [room, spare]: [u16; 2]) -> Text {
    let &BelowBoardFacts { c, position, drawn, layout, has_legend, has_numbers } = facts;
    if let Some(lesson) = c.shown_mistake() {
        return join_fitting_texts(ending::list_mistake_marks(lesson), room);
    }
    let placing = sentences::wall_mode_keys().into_iter().find(|keys| text_columns(keys) <= spare);
    if let Some(keys) = placing.filter(|_| is_placing_wall(c)) {
        return keys;
    }
    let title = visible_overlay_title(c, position).unwrap_or_default();
    let (mut signs, mut others) = sign_meanings(facts, &title);
    signs.retain(|_| !has_legend);
    others.extend(
        painting::typable_cell_numbers(c).map(|numbers| sentences::cell_numbers_caption(&numbers).into()),
    );
    let has_tiles = layout.frame.scale.is_some();
    let mut marks = sentences::list_board_marks(painting::possible_board_marks(c, has_numbers), has_tiles);
    // If the game is over or replayed, only signs that are on the board are explained.
    if position.outcome().is_some() || c.game.is_replay() {
        others.clear();
        marks.retain(|mark| has_tiles || drawn.contains_glyph(mark.chars().next().unwrap_or(' ')));
    }
    if let Some(label) = label {
        let all: Vec<Text> = [label].into_iter().chain(signs).collect();
        // If the title and its signs are too long together, the legend explains all signs in fewer
        // words.
        let is_long = all.len() > 1 && text_columns(&join_texts(&all, "  ")) > room;
        let all = if is_long { self::sign_meanings(facts, "").0 } else { all };
        return join_fitting_texts(
            all.into_iter().chain(marks.into_iter().map(Text::from).filter(|_| !has_legend)),
            room,
        );
    }
    if has_legend {
        let is_told = !has_numbers || legend_explains_numbers(layout);
        return if is_told { Text::new() } else { sentences::BEST_MOVES_LEGEND.into() };
    }
    // Signs on the board come first, behind the marks that all games share. Marks that are not on
    // the board are dropped first.
    let for_marks = room.saturating_sub(text_columns(&join_fitting_texts(signs.iter().cloned(), room)));
    for mark in ["<>", "[]", "()"] {
        let columns: u16 = marks.iter().map(|mark| text_columns(mark) + TEXT_GAP_COLUMNS).sum();
        // Next to a hint, the cursor may cover one of its brackets.
        let is_there = mark.chars().any(|sign| drawn.contains_glyph(sign));
        if columns > for_marks && (!is_there || mark != "<>") {
            marks.retain(|told| !told.starts_with(mark));
        }
    }
    let all: Vec<Text> = marks.into_iter().map(Text::from).chain(signs).collect();
    let more = join_texts(all.iter().cloned().chain(others), "  ");
    if text_columns(&more) <= spare { more } else { join_fitting_texts(all, room) }
}

/// Joins the texts that fit into one row of `room` columns, and skips the others.
fn join_fitting_texts(texts: impl IntoIterator<Item = Text>, room: u16) -> Text {
    let mut row = Text::new();
    for text in texts {
        let gap = if row.is_empty() { "" } else { "  " };
        if text_columns(&row) + text_columns(gap) + text_columns(&text) <= room || row.is_empty() {
            row.push_str(gap);
            row.push(&text);
        }
    }
    row
}

/// Returns the meanings of signs: first those that are on the board, then others.
///
/// The first list omits signs that `title` explains. The second list has the signs of the legend's
/// last line that are not on the board.
fn sign_meanings(
    &BelowBoardFacts { c, position, drawn, layout, .. }: &BelowBoardFacts<'_>,
    title: &str,
) -> (Vec<Text>, Vec<Text>) {
    let known = position.as_paint().legend_sign_roles(c.screen.looks.glyphs);
    let is_told = |sign: char| title.split([' ', ',', ';']).any(|word| word.chars().eq([sign]));
    let lines = painting::board_legend(c, position, &layout.frame);
    let (mut there, mut others) = (Vec::new(), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        for part in line.split_text("  ").iter().map(Text::trimmed).filter(|part| !part.is_empty()) {
            let of_part = || {
                part.split(' ').map_while(|word| word.chars().next().filter(|_| word.chars().count() == 1))
            };
            let is_there = |sign: char| {
                known.iter().any(|&(other, role)| other == sign && drawn.contains_glyph_with_role(sign, role))
            };
            if of_part().any(|sign| is_there(sign) && !is_told(sign)) {
                there.push(part);
            } else if index + 1 == lines.len() && !of_part().any(is_told) {
                others.push(part);
            }
        }
    }
    (there, others)
}
