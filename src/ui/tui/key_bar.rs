//! The key bar: the keys that work here, made from the table of key bindings.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};

use super::draw::{put, width_of, wipe};
use super::facts::{Facts, Phase};
use super::frame::FrameContext;
use super::key_table::{Action, Context, KEY_BINDINGS, KeyBinding};
use super::theme::Part;
use crate::messages::screen::BACK_TO_THE_GAME;
use crate::play::{Match, Practice};

/// Entry of the bar: its key and its word.
struct Entry {
    keys: String,
    word: &'static str,
    act: Action,
    is_possible: bool,
}

impl Entry {
    fn width(&self) -> u16 {
        width_of(&self.keys) + if self.word.is_empty() { 0 } else { 1 + width_of(self.word) }
    }
}

/// Reports whether an action makes sense in this game at all.
pub(super) fn belongs(c: &FrameContext<'_>, act: Action) -> bool {
    match act {
        Action::Walls | Action::Rotate | Action::MoreWalls | Action::FewerWalls => {
            c.canvas(0).is_some_and(|canvas| canvas.spots().iter().any(|spot| spot.layer > 0))
        }
        Action::Swap => c.game.shown().is_some_and(|shown| {
            shown.named_moves().first().is_some_and(|(word, _)| shown.read(word).is_ok())
        }),
        Action::UpRight | Action::DownLeft if c.context().takes_moves() => is_slanted(c),
        Action::Path => !c.overlays().is_empty(),
        Action::Flip => c.game.shown().is_some_and(|shown| shown.drawn().turns()),
        _ => true,
    }
}

/// Reports whether each row of the board is drawn a little further to the right.
fn is_slanted(c: &FrameContext<'_>) -> bool {
    let Some(canvas) = c.canvas(0) else { return false };
    let cells = || canvas.spots().iter().filter(|spot| spot.layer == 0);
    let top = cells().map(|spot| (spot.y, spot.x)).min();
    top.is_some_and(|(_, x)| {
        cells().all(|spot| spot.x >= x) && cells().filter(|spot| spot.x == x).count() == 1
    }) && cells().count() > 1
}

/// Reports whether an action can be done now.
fn is_possible(c: &FrameContext<'_>, act: Action) -> bool {
    match act {
        _ if c.context() == Context::SetUp => true,
        Action::Undo => c.game.present().is_some_and(|present| present.plies() > 0),
        Action::Play | Action::Walls | Action::Rotate => c.game.is_players_turn(),
        Action::Hint => c.game.is_players_turn() || c.game.is_replay() && c.game.phase() == Phase::Asking,
        Action::Redo => c.game.phase() == Phase::Asking && c.game.is_some_and(Match::can_redo),
        Action::PlayOn => {
            c.game.phase() == Phase::Asking && c.game.shown().is_some_and(|shown| shown.outcome().is_none())
        }
        _ => true,
    }
}

/// Reports whether the bar names an action that matters only now and then.
fn is_due(c: &FrameContext<'_>, act: Action) -> bool {
    let is_over = c.game.is_over();
    match act {
        Action::Swap => c.game.is_players_turn() && c.game.taking_over().is_some(),
        Action::Left => c.screen.menu().is_some_and(|menu| menu.row.is_some()),
        Action::New | Action::Again => is_over && !c.game.is_replay(),
        Action::Review => is_over || c.game.is_replay(),
        Action::Analyze => is_over || !c.context().takes_moves(),
        Action::Escape => {
            let here = c.context();
            matches!(
                here,
                Context::Looking | Context::Wall | Context::Field | Context::Files | Context::Rules
            ) || here == Context::Menu && c.game.is_some()
                || here == Context::Board && c.game.is_analysis()
                || matches!(here, Context::Analysis | Context::Lines | Context::SetUp | Context::Training)
        }
        Action::Easier => is_over && !c.game.is_replay() && c.game.is_some_and(Match::has_level_beside),
        Action::TurningPoint | Action::NextTask if c.context() == Context::Training => !is_answered(c),
        Action::TurningPoint => c.game.is_some_and(|game| !game.game().mistakes().is_empty()),
        Action::Back => is_over || !matches!(c.context(), Context::Board | Context::Wall),
        Action::PlayOn => !matches!(c.context(), Context::Board | Context::Wall),
        // Where nothing can be played nothing is offered for it.
        Action::Up
        | Action::Play
        | Action::Walls
        | Action::Rotate
        | Action::Hint
        | Action::Panel
        | Action::Path => !is_over || !c.context().takes_moves() || c.game.is_looking(),
        _ => true,
    }
}

/// Reports whether the mistake that is practised is answered: then Enter goes to the next one.
fn is_answered(c: &FrameContext<'_>) -> bool {
    c.game.practice().is_some_and(Practice::is_answered)
}

/// Returns the entries that fit into `width` columns, each after its column.
fn entries(c: &FrameContext<'_>, width: u16) -> Vec<(u16, Entry)> {
    let found = those_with_room(due(c, width, |_| true), c.context(), width);
    let x = u16::from(columns(&found) <= width + 1);
    placed(found.into_iter().map(|(_, entry)| entry), x)
}

/// Returns the entries of some actions that matter now, each after its rank, for a bar of `width`
/// columns.
fn due(c: &FrameContext<'_>, width: u16, is_wanted: fn(Action) -> bool) -> Vec<(u8, Entry)> {
    let context = c.context();
    let is_reviewing = c.game.is_reviewing();
    let is_choosing_value = c.screen.menu().is_some_and(|menu| menu.row.is_some());
    let entry = |action: &KeyBinding| {
        let act = action.act;
        let is_vi = c.screen.looks.habits.has_vi_keys && context.takes_moves();
        let shown = if is_vi && act == Action::Up { "hjkl" } else { action.shown };
        let keys = c.screen.looks.keys(shown);
        let (rank, word) = action.bar?;
        // While a wall is placed the arrows are explained in another line already.
        let rank = match (context, act) {
            (Context::Wall, Action::Rotate) | (Context::Replay | Context::Looking, Action::TurningPoint) => 1,
            // While an option is changed the keys for that come before those that choose it.
            (Context::Replay, Action::Panel) | (Context::Menu, Action::Left) => 2,
            (Context::Wall, Action::Up) | (Context::Board | Context::Wall, Action::Back) => 4,
            (Context::Replay, Action::Hint) => 5,
            _ => rank,
        };
        let word = match (context, act) {
            _ if width < 20 && context != Context::Field => "",
            (Context::Menu, Action::Escape) if !is_choosing_value => BACK_TO_THE_GAME,
            (Context::Replay, Action::Quit) if !c.game.is_watched() || c.has_menu_behind() => "back",
            (Context::Wall, Action::Walls) => "pawn",
            (Context::Training, Action::Play) if is_answered(c) => "next",
            (Context::SetUp, Action::Walls) if c.screen.cursor.layer > 0 => "cells",
            (Context::Replay, Action::Auto) if c.game.is_running() => "stop",
            (_, Action::Review) if is_reviewing => "stop",
            _ => word,
        };
        Some((rank, Entry { keys, word, act, is_possible: is_possible(c, act) }))
    };
    let here = KEY_BINDINGS.iter().filter(|action| action.contexts.contains(&context));
    // Whether an action belongs here is seen on a board that is painted for it: only for those that have a word.
    let named = here.filter(|action| action.bar.is_some() && is_wanted(action.act));
    let due = named.filter(|action| belongs(c, action.act) && is_due(c, action.act));
    due.filter_map(entry).collect()
}

/// Returns the columns of some entries, side by side.
fn columns(entries: &[(u8, Entry)]) -> u16 {
    entries.iter().map(|(_, entry)| entry.width() + 2).sum()
}

/// Returns those entries that have room, the most useful first.
fn those_with_room(mut found: Vec<(u8, Entry)>, context: Context, width: u16) -> Vec<(u8, Entry)> {
    // The arrows are left out where another entry needs their room.
    let is_arrows = |(_, entry): &(u8, Entry)| entry.act == Action::Up && context == Context::Board;
    let arrows = found.iter().position(is_arrows).filter(|_| columns(&found) > width + 1);
    let word = arrows.map(|arrows| std::mem::take(&mut found[arrows].1.word)).unwrap_or_default();
    // The most useful first, then whatever still has room.
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
    let arrows =
        found.iter().position(is_arrows).filter(|_| columns(&found) + 1 + width_of(word) <= width + 1);
    if let Some(arrows) = arrows.filter(|_| !word.is_empty()) {
        found[arrows].1.word = word;
    }
    found
}

/// Returns the entries side by side, from this column on.
fn placed(entries: impl IntoIterator<Item = Entry>, mut x: u16) -> Vec<(u16, Entry)> {
    let place = |entry: Entry| {
        let here = x;
        x += entry.width() + 2;
        (here, entry)
    };
    entries.into_iter().map(place).collect()
}

fn row(c: &FrameContext<'_>) -> Rect {
    let (width, height) = c.screen.size;
    Rect { x: 0, y: height.saturating_sub(1).max(1), width, height: u16::from(height > 1) }
}

/// Draws the bar into the last row.
pub(super) fn draw(c: &FrameContext<'_>, buffer: &mut Buffer) {
    let area = row(c);
    wipe(buffer, area);
    for (x, entry) in entries(c, area.width) {
        let parts = if entry.is_possible { [Part::Key, Part::Plain] } else { [Part::Faint; 2] };
        let [key, word] = parts.map(|part| c.screen.looks.part(part));
        put(buffer, area, x, 0, &entry.keys, key);
        put(buffer, area, x + width_of(&entry.keys) + 1, 0, entry.word, word);
    }
}

/// Returns the keys for help and for quitting as the bar names them, where they work now.
pub(super) fn help_and_quit(c: &FrameContext<'_>) -> String {
    let found = due(c, u16::MAX, |act| matches!(act, Action::Help | Action::Quit));
    found.iter().map(|(_, entry)| format!("{} {}", entry.keys, entry.word)).collect::<Vec<_>>().join("  ")
}

/// Returns the action whose entry is at a place.
pub(super) fn hit(c: &FrameContext<'_>, at: Position) -> Option<Action> {
    let area = row(c);
    if !area.contains(at) {
        return None;
    }
    let mut entries = entries(c, area.width).into_iter();
    entries.find(|(x, entry)| (*x..x + entry.width()).contains(&at.x)).map(|(_, entry)| entry.act)
}
