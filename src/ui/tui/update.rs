//! What a key or a click does to the screen, and what it asks for outside. Pure: the same event on the same state
//! always does the same.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::actions::{self, Act, Context};
use super::layout::layout;
use super::menu::Menu;
use super::state::{Effect, Event, PAUSES, Phase, State};
use super::view::last_top;
use super::{bar, panels, walk};
use crate::canvas::Canvas;
use crate::command::{self, Word};
use crate::session::Session;
use crate::words::screen as sentences;

/// The longest text the field takes, in characters.
const LONGEST: usize = 200;

/// Takes an event.
pub fn update(state: &mut State, event: &Event) -> Option<Effect> {
    match event {
        Event::Key(key) => press(state, key),
        Event::Mouse(mouse) => point(state, *mouse),
        Event::Resize(width, height) => {
            state.size = (*width, *height);
            Some(Effect::Redraw)
        }
        Event::Tick => tick(state),
        Event::Stop => Some(Effect::Suspend),
        Event::Continue => Some(Effect::Continue),
    }
}

fn line(text: impl Into<String>) -> Effect {
    Effect::Lines(vec![text.into()])
}

/// Esc and a key in one piece are told as Alt and the key; nothing needs Alt, so they are two keys.
fn press(state: &mut State, key: &KeyEvent) -> Option<Effect> {
    if !key.modifiers.contains(KeyModifiers::ALT) {
        return press_one(state, key);
    }
    let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
    let plain = KeyEvent { modifiers: key.modifiers - KeyModifiers::ALT, ..*key };
    press_one(state, &escape).or_else(|| press_one(state, &plain))
}

fn press_one(state: &mut State, key: &KeyEvent) -> Option<Effect> {
    let act = actions::find(state.context(), key);
    if let Some(effect) = act.and_then(always) {
        return Some(effect);
    }
    if state.page.as_ref().is_some_and(|page| page.is_filtering) {
        filter(state, key);
        return None;
    }
    if state.page.is_none() && state.field.is_some() {
        let effect = edit(state, key);
        if state.field.is_none() {
            state.page = state.page.take().or(state.next_page.take());
        }
        return effect;
    }
    if state.starts_typing(key)
        && let KeyCode::Char(letter) = key.code
    {
        open_field(state, letter.to_string());
        follow_field(state);
        return None;
    }
    state.before_field = None; // whatever was typed before is done with
    let was_resigning = disarm(state);
    let is_letter = matches!(key.code, KeyCode::Char(letter) if letter.is_ascii_alphanumeric());
    if act.is_none() && is_letter && state.context() == Context::Replay {
        state.tell(sentences::IS_SHOWN); // it is a key of the board, or begins a move
    }
    perform(state, act?, was_resigning, key)
}

/// Giving up has to be asked for anew; whether it was asked for once.
fn disarm(state: &mut State) -> bool {
    if state.status == sentences::RESIGNING {
        state.status.clear();
    }
    std::mem::take(&mut state.is_resigning)
}

/// What is done whatever is open.
fn always(act: Act) -> Option<Effect> {
    match act {
        Act::Interrupt => Some(Effect::Interrupt),
        Act::Suspend => Some(Effect::Suspend),
        Act::Redraw => Some(Effect::Redraw),
        _ => None,
    }
}

/// Does what a key or a click on the key bar means.
fn perform(state: &mut State, act: Act, was_resigning: bool, key: &KeyEvent) -> Option<Effect> {
    if let Some(effect) = always(act) {
        return Some(effect);
    }
    match act {
        Act::Theme => {
            state.looks.theme = state.looks.theme.next();
            state.announce(sentences::theme(state.looks.theme.name()));
        }
        Act::Mouse => {
            state.looks.has_mouse = !state.looks.has_mouse;
            state.announce(sentences::mouse(state.looks.has_mouse));
            return Some(Effect::Mouse(state.looks.has_mouse));
        }
        Act::Help => {
            state.page = if state.page.is_none() { Some(state.help()) } else { None };
        }
        Act::Plain => return Some(Effect::Plain),
        Act::Quit if state.page.is_some() => state.page = None,
        Act::Quit if state.is_replay && !state.is_watched && state.page.is_none() && state.menu.is_none() => {
            state.is_auto = false;
            return Some(line("goto end"));
        }
        Act::Quit => return Some(Effect::Quit),
        _ => {
            return match state.context() {
                Context::Page => {
                    scroll(state, act);
                    None
                }
                Context::Menu => choose(state, act, key),
                Context::Replay => replay(state, act),
                Context::Small if act == Act::New => {
                    open_menu(state);
                    None
                }
                Context::Small => escape(state, act),
                Context::Board | Context::Wall => at_the_board(state, act, was_resigning),
            };
        }
    }
    None
}

fn escape(state: &mut State, act: Act) -> Option<Effect> {
    (act == Act::Escape && state.phase != Phase::Asking).then_some(Effect::Stop)
}

// ---- the board ----

fn at_the_board(state: &mut State, act: Act, was_resigning: bool) -> Option<Effect> {
    match act {
        Act::Up
        | Act::Down
        | Act::Left
        | Act::Right
        | Act::UpRight
        | Act::DownLeft
        | Act::RowStart
        | Act::RowEnd => walk::step(state, act),
        Act::Walls | Act::Rotate | Act::Across | Act::Upright if state.past.is_some() => {
            return look(state, isize::MAX);
        }
        Act::Walls => walk::change_layer(state),
        Act::Rotate => walk::rotate(state, None),
        Act::Across => walk::rotate(state, Some(1)),
        Act::Upright => walk::rotate(state, Some(2)),
        Act::Path => state.change_overlay(),
        Act::Flip => state.turn(),
        Act::Panel => switch_panel(state),
        Act::Escape if state.past.is_some() => return look(state, isize::MAX),
        Act::Escape if state.phase != Phase::Asking => return Some(Effect::Stop),
        Act::Escape if state.layer > 0 => walk::change_layer(state),
        Act::Escape => state.status.clear(),
        Act::Back => return look(state, -1),
        Act::Forward => return look(state, 1),
        Act::Command => open_field(state, String::new()),
        Act::Save => open_field(state, "save ".to_owned()),
        Act::Open => open_field(state, "load ".to_owned()),
        Act::Level => open_field(state, "level ".to_owned()),
        Act::New => open_menu(state),
        Act::Undo => return Some(line("undo")),
        _ if state.phase != Phase::Asking => refuse_now(state),
        Act::Play => {
            let cursor = state.cursor.clone()?;
            return play(state, cursor);
        }
        Act::Redo => return Some(line("redo")),
        Act::Hint => return Some(line("hint")),
        Act::Resign if state.now.as_deref()?.outcome().is_some() => state.tell(sentences::IS_OVER),
        Act::Swap if !bar::belongs(state, Act::Swap) => state.tell(sentences::NO_SWAP),
        Act::Swap => return Some(line(state.now.as_deref()?.named_moves().first()?.0)),
        Act::Again => return again(state),
        Act::Resign if was_resigning => return Some(line("resign")),
        Act::Resign => {
            state.is_resigning = true;
            state.tell(sentences::RESIGNING);
        }
        _ => {}
    }
    None
}

/// Shows what the machine thinks, or no longer.
fn switch_panel(state: &mut State) {
    state.shows_engine = !state.shows_engine;
    state.refresh_values();
    if !panels::has_engine(state) {
        state.tell(sentences::NO_PANEL);
    }
}

/// The menu, on the game that is played.
fn open_menu(state: &mut State) {
    let of = |now: &dyn Session| {
        Menu::of(now, state.mode, state.level, state.you).with_play(state.draws_sides, state.limits)
    };
    state.menu = Some(state.now.as_deref().map_or_else(Menu::default, of));
}

fn refuse_now(state: &mut State) {
    state.tell(match state.phase {
        Phase::Advising => sentences::LOOKING_FOR_ADVICE,
        _ if state.past.is_some() && !state.is_watched => sentences::IS_THINKING_MEANWHILE,
        _ if state.is_match() => sentences::MACHINES_PLAY,
        _ => sentences::IS_THINKING,
    });
}

/// Says a move, unless it is not the player's turn.
fn play(state: &mut State, text: String) -> Option<Effect> {
    let now = state.now.as_deref()?;
    if state.past.is_some() && state.phase != Phase::Advising {
        return look(state, isize::MAX); // nobody plays on a board that is not the present one
    }
    if state.phase != Phase::Asking {
        refuse_now(state);
        return None;
    }
    if now.outcome().is_some() {
        state.tell(sentences::IS_OVER);
        return None;
    }
    Some(line(text))
}

/// Another game with sides exchanged, when this one is over.
fn again(state: &mut State) -> Option<Effect> {
    if state.now.as_deref()?.outcome().is_none() {
        state.tell(sentences::GOES_ON);
        return None;
    }
    let swap = state.you.map(|you| format!("side {}", you.other()));
    Some(Effect::Lines(swap.into_iter().chain(["new".to_owned()]).collect()))
}

/// Steps through the positions. While nobody is asked the screen does it by itself.
fn look(state: &mut State, step: isize) -> Option<Effect> {
    let now = state.now.as_deref()?;
    let here = state.shown().map_or(0, Session::plies);
    let there = here.saturating_add_signed(step).min(now.plies());
    if state.phase == Phase::Advising {
        refuse_now(state); // advice is about the position that is shown
        return None;
    }
    state.is_auto = false;
    if state.phase == Phase::Asking {
        let text = match step {
            isize::MAX => "goto end".to_owned(),
            _ if there == here => if step < 0 { "back" } else { "next" }.to_owned(),
            -1 => "back".to_owned(),
            1 => "next".to_owned(),
            ..=-1 => format!("back {}", here - there),
            _ => format!("next {}", there - here),
        };
        return Some(line(text));
    }
    state.past = (there < now.plies()).then(|| now.after(there));
    state.status.clear();
    state.refresh_values();
    None
}

// ---- the field ----

/// Opens the field with this text in it.
fn open_field(state: &mut State, text: String) {
    state.before_field = Some((state.layer, state.cursor.clone()));
    state.field = Some(text);
}

fn edit(state: &mut State, key: &KeyEvent) -> Option<Effect> {
    let mut text = state.field.take()?;
    let has_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Enter => return submit(state, text.trim()),
        KeyCode::Esc => {
            state.put_cursor_back();
            if let Some(cursor) = state.cursor.clone() {
                walk::focus_on(state, &cursor);
            }
            return None;
        }
        KeyCode::Backspace => {
            text.pop();
        }
        KeyCode::Char('h') if has_ctrl => {
            text.pop();
        }
        KeyCode::Char('u') if has_ctrl => text.clear(),
        KeyCode::Char(letter) if !has_ctrl && text.chars().count() < LONGEST => text.push(letter),
        KeyCode::F(1) => state.page = Some(state.help()),
        _ => {}
    }
    state.field = Some(text);
    follow_field(state);
    None
}

fn submit(state: &mut State, text: &str) -> Option<Effect> {
    if text.is_empty() {
        return None;
    }
    if state.menu.is_some() {
        return submit_in_the_menu(state, text);
    }
    if text.eq_ignore_ascii_case("tui") {
        state.tell(sentences::IS_FULL_SCREEN);
        return None;
    }
    let is_move = state.now.as_ref().is_some_and(|now| now.read(text).is_ok());
    if is_move && state.past.is_some() && !state.is_watched && state.phase != Phase::Advising {
        return look(state, isize::MAX); // nobody plays on a board that is not the present one
    }
    if is_move && state.phase != Phase::Asking {
        refuse_now(state);
        state.put_cursor_back();
        return None;
    }
    Some(line(text))
}

/// Does what a word says in the start menu, which knows a few. Where a game goes on behind it, that takes all others.
fn submit_in_the_menu(state: &mut State, text: &str) -> Option<Effect> {
    let (word, rest) =
        text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()));
    let theme = state.looks.theme;
    let menu = state.menu.as_mut()?;
    let done = match command::find(word) {
        Some(Word::Help) => {
            state.page = Some(state.help());
            return None;
        }
        Some(Word::Quit) => return Some(Effect::Quit),
        Some(Word::Load | Word::Replay) if !rest.is_empty() => {
            return Some(Effect::Start(["--mode", "3", "--", rest].map(str::to_owned).to_vec()));
        }
        Some(Word::New) => match menu.choose_named(rest) {
            Ok(()) => return Some(Effect::Start(menu.arguments(theme))),
            Err(why) => Err(why),
        },
        Some(Word::Level) if rest.is_empty() => Err(menu.level_in_words()),
        Some(Word::Level) => menu.set_level(rest),
        _ if state.now.is_some() => {
            state.menu = None;
            return submit(state, text);
        }
        _ => Err(sentences::WORDS_OF_THE_MENU.to_owned()),
    };
    menu.notice = done.err();
    None
}

/// The cursor jumps to the place that the field names.
fn follow_field(state: &mut State) {
    let named = state.field.as_deref().zip(state.now.as_deref()).and_then(|(text, now)| now.read(text).ok());
    if let Some(text) = named
        && state.menu.is_none()
    {
        walk::focus_on(state, &text);
    }
}

// ---- replay ----

fn replay(state: &mut State, act: Act) -> Option<Effect> {
    match act {
        Act::Back => return look(state, -1),
        Act::Forward => return look(state, 1),
        Act::TenBack => return look(state, -10),
        Act::TenForward => return look(state, 10),
        Act::First if state.phase == Phase::Asking => return Some(line("goto 0")),
        Act::First => return look(state, isize::MIN),
        Act::Last if state.phase == Phase::Asking && !state.is_watched => {
            return Some(line(format!("goto {}", state.now.as_deref()?.plies())));
        }
        Act::Last => return look(state, isize::MAX),
        Act::Auto => return auto(state),
        Act::Faster => set_pause(state, state.pause.saturating_sub(1)),
        Act::Slower => set_pause(state, (state.pause + 1).min(PAUSES.len() - 1)),
        Act::Path => state.change_overlay(),
        Act::Flip => state.turn(),
        Act::Panel => switch_panel(state),
        Act::Escape if state.phase != Phase::Asking => return Some(Effect::Stop),
        Act::Escape if state.is_match() && state.is_auto => return auto(state),
        Act::Escape => state.is_auto = false,
        Act::Command => open_field(state, String::new()),
        Act::Save => open_field(state, "save ".to_owned()),
        Act::Open => open_field(state, "load ".to_owned()),
        Act::New => open_menu(state),
        _ if state.phase != Phase::Asking => refuse_now(state),
        Act::PlayOn => return Some(line("play")),
        Act::Hint => {
            state.is_auto = false;
            return Some(line("hint"));
        }
        _ => {}
    }
    None
}

fn set_pause(state: &mut State, pause: usize) {
    state.pause = pause;
    state.status = sentences::speed(PAUSES[pause].as_secs_f64());
}

fn auto(state: &mut State) -> Option<Effect> {
    state.is_auto = !state.is_auto;
    state.tell(sentences::runs_by_itself(state.is_auto));
    if !state.is_auto {
        if state.is_match() && state.phase == Phase::Thinking {
            state.tell(sentences::STOPS_SOON);
        }
        return None;
    }
    if state.is_match() {
        // Back to the machines.
        let was_looking = state.past.take().is_some();
        return (was_looking && state.phase == Phase::Asking).then(|| line("goto end"));
    }
    (state.is_at_end() && state.phase == Phase::Asking).then(|| line("goto 0"))
}

fn tick(state: &mut State) -> Option<Effect> {
    if std::mem::take(&mut state.is_resigning) {
        state.status.clear();
        return None;
    }
    if !state.is_auto || state.phase != Phase::Asking {
        return None;
    }
    if state.is_at_end() {
        state.is_auto = false;
        return None;
    }
    Some(line("next"))
}

// ---- pages ----

fn scroll(state: &mut State, act: Act) {
    let rows = usize::from(state.size.1);
    let Some(last) = state.page.as_ref().map(|page| last_top(state, page)) else { return };
    let Some(page) = &mut state.page else { return };
    page.top = page.top.min(last);
    match act {
        Act::Up => page.top = page.top.saturating_sub(1),
        Act::Down => page.top = (page.top + 1).min(last),
        Act::UpRight => page.top = page.top.saturating_sub(rows / 2),
        Act::DownLeft => page.top = (page.top + rows / 2).min(last),
        Act::RowStart => page.top = 0,
        Act::RowEnd => page.top = last,
        Act::Search => (page.is_filtering, page.top) = (true, 0),
        Act::Escape if !page.filter.is_empty() => page.filter.clear(),
        Act::Escape => state.page = None,
        _ => {}
    }
}

fn filter(state: &mut State, key: &KeyEvent) {
    let Some(page) = &mut state.page else { return };
    page.top = 0;
    match key.code {
        KeyCode::Enter => page.is_filtering = false,
        KeyCode::Esc => {
            page.filter.clear();
            page.is_filtering = false;
        }
        KeyCode::Backspace => {
            page.filter.pop();
        }
        KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => page.filter.clear(),
        KeyCode::Char(letter)
            if page.filter.chars().count() < LONGEST && !key.modifiers.contains(KeyModifiers::CONTROL) =>
        {
            page.filter.push(letter);
        }
        _ => {}
    }
}

// ---- the menu ----

fn choose(state: &mut State, act: Act, key: &KeyEvent) -> Option<Effect> {
    let has_game = state.now.is_some();
    let theme = state.looks.theme;
    let menu = state.menu.as_mut()?;
    let rows = menu.rows();
    menu.notice = None;
    match (act, menu.row) {
        (Act::Start, _) => return Some(Effect::Start(menu.arguments(theme))),
        (Act::Pick, _) => {
            if let KeyCode::Char(digit) = key.code {
                let game = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or(0);
                menu.choose(game.wrapping_sub(1));
            }
        }
        (Act::Options, row) => menu.row = if row.is_none() { Some(0) } else { None },
        (Act::Up, None) => menu.choose(menu.game.wrapping_sub(1)),
        (Act::Down, None) => menu.choose(menu.game + 1),
        (Act::Right, None) => menu.row = Some(0),
        (Act::Up, Some(row)) => menu.row = Some(row.saturating_sub(1)),
        (Act::Down, Some(row)) => menu.row = Some((row + 1).min(rows.len() - 1)),
        (Act::Left | Act::Right, Some(row)) => change(state, row, if act == Act::Left { -1 } else { 1 }),
        (Act::Open, _) => open_field(state, "replay ".to_owned()),
        (Act::Command, _) => open_field(state, String::new()),
        (Act::Escape, Some(_)) => menu.row = None,
        (Act::Escape, None) if has_game => state.menu = None,
        _ => {}
    }
    None
}

fn change(state: &mut State, row: usize, step: isize) {
    let Some(menu) = &mut state.menu else { return };
    let Some(key) = menu.rows().get(row).map(|row| row.key) else { return };
    if key == "theme" {
        state.looks.theme = state.looks.theme.next();
    } else {
        menu.change(key, step);
    }
}

// ---- the mouse ----

fn point(state: &mut State, mouse: MouseEvent) -> Option<Effect> {
    if !state.looks.has_mouse {
        return None;
    }
    let at = Position { x: mouse.column, y: mouse.row };
    if mouse.kind != MouseEventKind::Moved {
        disarm(state);
    }
    match mouse.kind {
        MouseEventKind::ScrollUp => wheel(state, Act::Up, -1),
        MouseEventKind::ScrollDown => wheel(state, Act::Down, 1),
        MouseEventKind::Moved => {
            hover(state, at);
            None
        }
        MouseEventKind::Down(MouseButton::Right) if state.context() == Context::Wall => {
            walk::rotate(state, None);
            state.turned_at = Some((at.x, at.y));
            None
        }
        MouseEventKind::Down(MouseButton::Left) => click(state, at),
        _ => None,
    }
}

fn wheel(state: &mut State, act: Act, step: isize) -> Option<Effect> {
    match state.context() {
        Context::Page => {
            scroll(state, act);
            None
        }
        Context::Board | Context::Wall | Context::Replay => {
            let here = state.shown().map_or(0, Session::plies);
            let last = state.now.as_deref().map_or(0, Session::plies);
            let is_possible = if step < 0 { here > 0 } else { here < last };
            if is_possible { look(state, step) } else { None }
        }
        Context::Menu | Context::Small => None,
    }
}

/// The board with its place on the screen, if it is there.
fn board(state: &State) -> Option<(Rect, Canvas)> {
    let places = layout(state.shown()?, state.size);
    Some((places.board, state.canvas(places.density?)?))
}

/// The move that a place on the screen means.
#[must_use]
pub fn hit(state: &State, at: Position) -> Option<String> {
    let (place, canvas) = board(state)?;
    if !place.contains(at) {
        return None;
    }
    canvas.hit(usize::from(at.x - place.x), usize::from(at.y - place.y)).map(str::to_owned)
}

fn hover(state: &mut State, at: Position) {
    let is_place = matches!(state.context(), Context::Board | Context::Wall);
    if state.turned_at == Some((at.x, at.y)) {
        return;
    }
    state.turned_at = None;
    if is_place
        && state.is_players_turn()
        && state.field.is_none()
        && let Some(text) = hit(state, at)
        && state.cursor.as_ref() != Some(&text)
    {
        walk::focus_on(state, &text);
    }
}

fn click(state: &mut State, at: Position) -> Option<Effect> {
    if let Some(act) = bar::hit(state, at) {
        let is_typing = state.field.is_some() || state.page.as_ref().is_some_and(|page| page.is_filtering);
        if is_typing {
            let code = if act == Act::Escape { KeyCode::Esc } else { KeyCode::Enter };
            return press_one(state, &KeyEvent::new(code, KeyModifiers::NONE));
        }
        let key = KeyEvent::new(KeyCode::Null, KeyModifiers::NONE);
        return perform(state, act, false, &key);
    }
    match state.context() {
        Context::Page | Context::Small => None,
        Context::Menu => {
            click_menu(state, at);
            None
        }
        context => {
            if let Some(ply) = panels::hit(state, at) {
                let here = state.shown().map_or(0, Session::plies);
                return look(state, ply.cast_signed() - here.cast_signed());
            }
            let shown = state.cursor.clone().filter(|_| state.turned_at == Some((at.x, at.y)));
            let text = shown.or_else(|| hit(state, at)).filter(|_| context != Context::Replay)?;
            state.field = None;
            state.before_field = None;
            if state.is_players_turn() {
                walk::focus_on(state, &text);
            }
            play(state, text)
        }
    }
}

fn click_menu(state: &mut State, at: Position) {
    match super::menu_view::hit(state, at) {
        Some(super::menu_view::Hit::Game(game)) => {
            if let Some(menu) = &mut state.menu {
                menu.choose(game);
                menu.row = None;
            }
        }
        Some(super::menu_view::Hit::Row(row, step)) => {
            if let Some(menu) = &mut state.menu {
                menu.row = Some(row);
            }
            change(state, row, step);
        }
        None => {}
    }
}
