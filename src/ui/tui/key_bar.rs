//! Key bar: the keys that work on the current screen, taken from the table of key bindings.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};

use super::draw::{clear_area, put_text, text_columns};
use super::facts::{MatchFacts, MatchPhase};
use super::frame::FrameContext;
use super::key_table::{KEY_BINDINGS, KeyAction, KeyBinding, KeyContext};
use super::theme::ScreenPart;
use crate::messages::screen::BACK_TO_GAME_LABEL;
use crate::play::{Match, PracticeItem};

/// Entry of the key bar: a key and the name of its action.
struct KeyBarEntry {
    keys: String,
    word: &'static str,
    act: KeyAction,
    is_possible: bool,
}

impl KeyBarEntry {
    fn width(&self) -> u16 {
        text_columns(&self.keys) + if self.word.is_empty() { 0 } else { 1 + text_columns(self.word) }
    }
}

/// Reports whether an action, such as placing a wall, exists in this game.
pub(super) fn action_applies_to_game(c: &FrameContext<'_>, act: KeyAction) -> bool {
    match act {
        KeyAction::Walls | KeyAction::Rotate | KeyAction::MoreWalls | KeyAction::FewerWalls => {
            c.paint_board(0).is_some_and(|canvas| canvas.spots().iter().any(|spot| spot.layer > 0))
        }
        KeyAction::Swap => c.game.shown_position().is_some_and(|shown| {
            shown.named_moves().first().is_some_and(|(word, _)| shown.normalize_move(word).is_ok())
        }),
        KeyAction::UpRight | KeyAction::DownLeft if c.key_context().takes_moves() => is_board_slanted(c),
        KeyAction::Path => !c.overlay_titles().is_empty(),
        KeyAction::Flip => c.game.shown_position().is_some_and(|shown| shown.as_paint().can_flip()),
        _ => true,
    }
}

/// Reports whether each row of the board is shifted to the right of the row above it.
fn is_board_slanted(c: &FrameContext<'_>) -> bool {
    let Some(canvas) = c.paint_board(0) else { return false };
    let cells = || canvas.spots().iter().filter(|spot| spot.layer == 0);
    let top = cells().map(|spot| (spot.y, spot.x)).min();
    top.is_some_and(|(_, x)| {
        cells().all(|spot| spot.x >= x) && cells().filter(|spot| spot.x == x).count() == 1
    }) && cells().count() > 1
}

/// Reports whether an action can be performed now.
fn is_action_possible(c: &FrameContext<'_>, act: KeyAction) -> bool {
    match act {
        _ if c.key_context() == KeyContext::SetUp => true,
        KeyAction::Undo => c.game.present_position().is_some_and(|present| present.plies() > 0),
        KeyAction::Play | KeyAction::Walls | KeyAction::Rotate => c.game.is_players_turn(),
        KeyAction::Hint => {
            c.game.is_players_turn() || c.game.is_replay() && c.game.phase() == MatchPhase::Asking
        }
        KeyAction::Redo => c.game.phase() == MatchPhase::Asking && c.game.is_some_and(Match::can_redo),
        KeyAction::PlayOn => {
            c.game.phase() == MatchPhase::Asking
                && c.game.shown_position().is_some_and(|shown| shown.outcome().is_none())
        }
        _ => true,
    }
}

/// Reports whether the key bar shows an action in the current state.
///
/// Some actions are shown only while they are useful.
fn is_shown_in_key_bar(c: &FrameContext<'_>, act: KeyAction) -> bool {
    let is_over = c.game.is_game_over();
    match act {
        KeyAction::Swap => c.game.is_players_turn() && c.game.available_swap_command().is_some(),
        KeyAction::Left => c.screen.menu().is_some_and(|menu| menu.row.is_some()),
        KeyAction::New | KeyAction::Again => is_over && !c.game.is_replay(),
        KeyAction::Review => is_over || c.game.is_replay(),
        KeyAction::Analyze => is_over || !c.key_context().takes_moves(),
        KeyAction::Escape => {
            let here = c.key_context();
            matches!(
                here,
                KeyContext::Looking
                    | KeyContext::Wall
                    | KeyContext::Field
                    | KeyContext::Files
                    | KeyContext::Rules
            ) || here == KeyContext::Menu && c.game.is_some()
                || here == KeyContext::Board && c.game.is_analysis()
                || matches!(
                    here,
                    KeyContext::Analysis | KeyContext::Lines | KeyContext::SetUp | KeyContext::Training
                )
        }
        KeyAction::Easier => is_over && !c.game.is_replay() && c.game.is_some_and(Match::has_adjacent_level),
        KeyAction::TurningPoint | KeyAction::NextTask if c.key_context() == KeyContext::Training => {
            !is_mistake_answered(c)
        }
        KeyAction::TurningPoint => c.game.is_some_and(|game| !game.game().marked_mistakes().is_empty()),
        KeyAction::Back => is_over || !matches!(c.key_context(), KeyContext::Board | KeyContext::Wall),
        KeyAction::PlayOn => !matches!(c.key_context(), KeyContext::Board | KeyContext::Wall),
        // Where no move can be played, these keys are not offered.
        KeyAction::Up
        | KeyAction::Play
        | KeyAction::Walls
        | KeyAction::Rotate
        | KeyAction::Hint
        | KeyAction::Panel
        | KeyAction::Path => !is_over || !c.key_context().takes_moves() || c.game.shows_other_position(),
        _ => true,
    }
}

/// Reports whether the practised mistake is answered. Enter then goes to the next mistake.
fn is_mistake_answered(c: &FrameContext<'_>) -> bool {
    c.game.practice().is_some_and(PracticeItem::is_answered)
}

/// Returns the entries that fit into `width` columns, each with its first column.
fn placed_bar_entries(c: &FrameContext<'_>, width: u16) -> Vec<(u16, KeyBarEntry)> {
    let found = keep_fitting_entries(relevant_bar_entries(c, width, |_| true), c.key_context(), width);
    let x = u16::from(count_entry_columns(&found) <= width + 1);
    place_bar_entries(found.into_iter().map(|(_, entry)| entry), x)
}

/// Returns the entries for a bar of `width` columns, each with its rank.
///
/// Only actions that `is_wanted` accepts and that are useful now have an entry.
fn relevant_bar_entries(
    c: &FrameContext<'_>,
    width: u16,
    is_wanted: fn(KeyAction) -> bool,
) -> Vec<(u8, KeyBarEntry)> {
    let context = c.key_context();
    let is_reviewing = c.game.is_reviewing();
    let is_choosing_value = c.screen.menu().is_some_and(|menu| menu.row.is_some());
    let entry = |action: &KeyBinding| {
        let act = action.act;
        let is_vi = c.screen.looks.habits.has_vi_keys && context.takes_moves();
        let shown = if is_vi && act == KeyAction::Up { "hjkl" } else { action.shown };
        let keys = c.screen.looks.render_key_names(shown);
        let (rank, word) = action.bar?;
        // While a wall is placed, the row below the board explains the arrows.
        let rank = match (context, act) {
            (KeyContext::Wall, KeyAction::Rotate)
            | (KeyContext::Replay | KeyContext::Looking, KeyAction::TurningPoint) => 1,
            // While an option is changed, the keys for its value come before those that choose an
            // option.
            (KeyContext::Replay, KeyAction::Panel) | (KeyContext::Menu, KeyAction::Left) => 2,
            (KeyContext::Wall, KeyAction::Up) | (KeyContext::Board | KeyContext::Wall, KeyAction::Back) => 4,
            (KeyContext::Replay, KeyAction::Hint) => 5,
            _ => rank,
        };
        let word = match (context, act) {
            _ if width < 20 && context != KeyContext::Field => "",
            (KeyContext::Menu, KeyAction::Escape) if !is_choosing_value => BACK_TO_GAME_LABEL,
            (KeyContext::Replay, KeyAction::Quit)
                if !c.game.has_no_human_player() || c.has_menu_behind_replay() =>
            {
                "back"
            }
            (KeyContext::Wall, KeyAction::Walls) => "pawn",
            (KeyContext::Training, KeyAction::Play) if is_mistake_answered(c) => "next",
            (KeyContext::SetUp, KeyAction::Walls) if c.screen.cursor.layer > 0 => "cells",
            (KeyContext::Replay, KeyAction::Auto) if c.game.is_autoplaying() => "stop",
            (_, KeyAction::Review) if is_reviewing => "stop",
            _ => word,
        };
        Some((rank, KeyBarEntry { keys, word, act, is_possible: is_action_possible(c, act) }))
    };
    let here = KEY_BINDINGS.iter().filter(|action| action.contexts.contains(&context));
    // `action_applies_to_game` may paint a board, so it is called only for actions with an entry in
    // the bar.
    let named = here.filter(|action| action.bar.is_some() && is_wanted(action.act));
    let due =
        named.filter(|action| action_applies_to_game(c, action.act) && is_shown_in_key_bar(c, action.act));
    due.filter_map(entry).collect()
}

/// Returns the number of columns that entries take side by side.
fn count_entry_columns(entries: &[(u8, KeyBarEntry)]) -> u16 {
    entries.iter().map(|(_, entry)| entry.width() + 2).sum()
}

/// Selects the entries that fit into `width` columns. The most useful entries have priority.
fn keep_fitting_entries(
    mut found: Vec<(u8, KeyBarEntry)>,
    context: KeyContext,
    width: u16,
) -> Vec<(u8, KeyBarEntry)> {
    // The arrows lose their word where another entry needs the columns.
    let is_arrows =
        |(_, entry): &(u8, KeyBarEntry)| entry.act == KeyAction::Up && context == KeyContext::Board;
    let arrows = found.iter().position(is_arrows).filter(|_| count_entry_columns(&found) > width + 1);
    let word = arrows.map(|arrows| std::mem::take(&mut found[arrows].1.word)).unwrap_or_default();
    // The most useful entries come first, then all others that still fit.
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&i| found[i].0);
    let (mut used, mut is_kept) = (0, vec![false; found.len()]);
    for i in order {
        let own = found[i].1.width() + 2;
        if found[i].0 == 0 || used + own <= width + 1 {
            (used, is_kept[i]) = (used + own, true);
        }
    }
    let mut is_kept = is_kept.into_iter();
    found.retain(|_| is_kept.next().unwrap_or(false));
    let arrows = found
        .iter()
        .position(is_arrows)
        .filter(|_| count_entry_columns(&found) + 1 + text_columns(word) <= width + 1);
    if let Some(arrows) = arrows.filter(|_| !word.is_empty()) {
        found[arrows].1.word = word;
    }
    found
}

/// Places entries side by side, starting at column `x`.
fn place_bar_entries(entries: impl IntoIterator<Item = KeyBarEntry>, mut x: u16) -> Vec<(u16, KeyBarEntry)> {
    let place = |entry: KeyBarEntry| {
        let here = x;
        x += entry.width() + 2;
        (here, entry)
    };
    entries.into_iter().map(place).collect()
}

fn key_bar_area(c: &FrameContext<'_>) -> Rect {
    let (width, height) = c.screen.size;
    Rect { x: 0, y: height.saturating_sub(1).max(1), width, height: u16::from(height > 1) }
}

/// Draws the key bar into the last row.
pub(super) fn draw_key_bar(c: &FrameContext<'_>, buffer: &mut Buffer) {
    let area = key_bar_area(c);
    clear_area(buffer, area);
    for (x, entry) in placed_bar_entries(c, area.width) {
        let parts =
            if entry.is_possible { [ScreenPart::Key, ScreenPart::Plain] } else { [ScreenPart::Faint; 2] };
        let [key, word] = parts.map(|part| c.screen.looks.part_style(part));
        put_text(buffer, area, x, 0, &entry.keys, key);
        put_text(buffer, area, x + text_columns(&entry.keys) + 1, 0, entry.word, word);
    }
}

/// Renders the keys for help and for quitting as in the key bar, if they work now.
pub(super) fn render_help_and_quit_keys(c: &FrameContext<'_>) -> String {
    let found = relevant_bar_entries(c, u16::MAX, |act| matches!(act, KeyAction::Help | KeyAction::Quit));
    found.iter().map(|(_, entry)| format!("{} {}", entry.keys, entry.word)).collect::<Vec<_>>().join("  ")
}

/// Returns the action whose entry in the bar is at this position.
pub(super) fn key_bar_action_at(c: &FrameContext<'_>, at: Position) -> Option<KeyAction> {
    let area = key_bar_area(c);
    if !area.contains(at) {
        return None;
    }
    let mut entries = placed_bar_entries(c, area.width).into_iter();
    entries.find(|(x, entry)| (*x..x + entry.width()).contains(&at.x)).map(|(_, entry)| entry.act)
}
