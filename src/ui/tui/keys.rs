//! What a key does to the screen, and what it asks for outside.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::effect::{Effect, Game, Start};
use super::help::help;
use super::key_table::{self, Action, Context};
use super::menu::Menu;
use super::scene::Phase;
use super::screen::{MAX_TYPED, PAUSES, Remark, Screen};
use super::theme::{Depth, Theme};
use super::{cursor, key_bar, page, panels};
use crate::messages::screen as sentences;
use crate::play::{Advice, Command, Match, Place, Request, Turn, Walk, Word, find};
use crate::session::Position;
use crate::text;
use crate::text::Text;
use crate::ui::Typed;

#[expect(clippy::unnecessary_wraps, reason = "keys that ask nothing answer like the others")]
fn ask(command: Command) -> Option<Effect> {
    Some(Effect::Do(command))
}

/// Esc and a key in one piece are told as Alt and the key; nothing needs Alt, so they are two keys.
pub(super) fn press(screen: &mut Screen, game: Game<'_>, key: &KeyEvent) -> Option<Effect> {
    if !key.modifiers.contains(KeyModifiers::ALT) {
        return press_one(screen, game, key);
    }
    let plain = KeyEvent { modifiers: key.modifiers - KeyModifiers::ALT, ..*key };
    press_one(screen, game, &KeyCode::Esc.into()).or_else(|| press_one(screen, game, &plain))
}

pub(super) fn press_one(screen: &mut Screen, game: Game<'_>, key: &KeyEvent) -> Option<Effect> {
    let context = screen.with(game).context();
    let is_typing =
        screen.prompt.text.is_some() || screen.page.as_ref().is_some_and(|page| page.is_filtering);
    let key = &if screen.looks.habits.has_vi_keys && !is_typing { vi_key(context, *key) } else { *key };
    let act = key_table::find(context, key);
    // These are done whatever is open.
    match act {
        Some(Action::Interrupt) => return Some(Effect::Interrupt),
        Some(Action::Suspend) => return Some(Effect::Suspend),
        Some(Action::Redraw) => return Some(Effect::Redraw),
        _ => {}
    }
    if screen.page.as_ref().is_some_and(|page| page.is_filtering) {
        filter(screen, key);
        return None;
    }
    if screen.page.is_none() && screen.prompt.text.is_some() {
        let effect = edit(screen, game, key);
        if screen.prompt.text.is_none() {
            screen.page = screen.page.take().or(screen.next_page.take());
        }
        return effect;
    }
    if let Some(effect) = answer(screen, game, key).or_else(|| play_digit(screen, game, key)) {
        return Some(effect);
    }
    if screen.with(game).starts_typing(key)
        && let KeyCode::Char(letter) = key.code
    {
        open_field(screen, letter);
        follow_field(screen, game);
        return None;
    }
    screen.prompt.before = None; // whatever was typed before is done with
    if let Some(act) = act {
        return perform(screen, game, act, key);
    }
    disarm(screen);
    if matches!(key.code, KeyCode::Char(letter) if letter.is_ascii_alphanumeric()) {
        match context {
            // It is a key of the board, or begins a move.
            Context::Replay => screen.refuse(sentences::is_shown()),
            Context::Looking => screen.refuse(sentences::is_looked_at()),
            _ => {}
        }
    }
    None
}

/// The key that a letter stands for where `h j k l` move the cursor.
fn vi_key(context: Context, key: KeyEvent) -> KeyEvent {
    let is_board = matches!(context, Context::Board | Context::Wall);
    let code = match key.code {
        KeyCode::Char('h') => KeyCode::Left,
        KeyCode::Char('j') => KeyCode::Down,
        KeyCode::Char('k') => KeyCode::Up,
        KeyCode::Char('l') => KeyCode::Right,
        KeyCode::Char('y') if is_board => KeyCode::PageUp,
        KeyCode::Char('n') if is_board => KeyCode::PageDown,
        KeyCode::Char('Y') => KeyCode::Char('y'),
        code => code,
    };
    if key.modifiers.contains(KeyModifiers::CONTROL) { key } else { KeyEvent { code, ..key } }
}

/// The answer of a key to the question whether a file is to be replaced.
fn answer(screen: &Screen, game: Game<'_>, key: &KeyEvent) -> Option<Effect> {
    let is_asked = game.is_some_and(Match::asks_to_replace) && screen.page.is_none() && screen.menu.is_none();
    let answer = match key.code {
        KeyCode::Char('y' | 'Y') => "y",
        KeyCode::Char('n' | 'N') | KeyCode::Esc => "n",
        _ => return None,
    };
    game.filter(|_| is_asked).map(|game| Effect::Typed(Typed::of(game, answer)))
}

/// Plays the cell of a board of nine that a digit means, as they lie on a number pad.
fn play_digit(screen: &mut Screen, game: Game<'_>, key: &KeyEvent) -> Option<Effect> {
    let digit = key.code.as_char()?.to_digit(10).filter(|&digit| digit > 0)? as usize - 1;
    let scene = screen.with(game);
    if !screen.looks.habits.has_digits || scene.context() != Context::Board || !scene.is_players_turn() {
        return None;
    }
    let canvas = scene.canvas(0)?;
    let mut cells: Vec<_> = canvas.spots().iter().filter(|spot| spot.layer == 0).collect();
    cells.sort_by_key(|spot| (spot.y, spot.x));
    let place = cells.get(3 * (2 - digit / 3) + digit % 3).filter(|_| cells.len() == 9)?.text.clone();
    cursor::focus_on(screen, game?, &place);
    play_there(screen, game?, place, None)
}

/// What has to be asked for twice is to be asked for anew; what was asked for once.
pub(super) fn disarm(screen: &mut Screen) -> Option<Action> {
    let Remark::Again(act) = screen.prompt.remark else { return None };
    screen.prompt.remark = Remark::Invitation;
    Some(act)
}

/// Does what a key or a click on the key bar means.
pub(super) fn perform(screen: &mut Screen, game: Game<'_>, act: Action, key: &KeyEvent) -> Option<Effect> {
    let asked = disarm(screen);
    let scene = screen.with(game);
    let (context, is_own_replay) = (scene.context(), scene.is_replay() && !scene.is_watched());
    let is_reviewing =
        game.is_some_and(|game| game.game().review_progress().is_some() && !game.is_advising());
    match act {
        Action::Theme => take_theme(screen, screen.looks.theme.beside(1, screen.looks.own_themes)),
        Action::Help => screen.page = screen.page.is_none().then_some(help(&scene)),
        Action::Plain => return Some(Effect::Plain),
        Action::New if key.code == KeyCode::Char('N') && context.takes_moves() && !scene.is_over() => {
            screen.refuse(sentences::goes_on());
        }
        Action::Quit if screen.page.is_some() => screen.page = None,
        Action::Quit if is_own_replay && screen.menu.is_none() => return ask(Command::Show(Place::Present)),
        Action::Quit => return Some(Effect::Quit),
        Action::Escape if is_reviewing && !matches!(context, Context::Page | Context::Menu) => {
            return ask(Command::StopReview);
        }
        _ => match (context, game) {
            (Context::Page, _) => scroll(screen, game, act),
            (Context::Menu, _) | (_, None) => return choose(screen, game, act, key),
            (Context::Replay, Some(game)) => return replay(screen, game, act),
            (Context::Small, Some(game)) => return at_any_board(screen, game, act),
            (Context::Looking, Some(game)) => return while_looking(screen, game, act, asked),
            (Context::Board | Context::Wall, Some(game)) => return at_the_board(screen, game, act, asked),
        },
    }
    None
}

// ---- the board ----

/// What a key does wherever a position is shown.
fn at_any_board(screen: &mut Screen, game: &Match, act: Action) -> Option<Effect> {
    match act {
        Action::Back => return step(game, -1),
        Action::Forward => return step(game, 1),
        Action::Path => change_overlay(screen, game),
        Action::Flip => turn(screen, game),
        Action::Panel => return switch_panel(screen, game),
        Action::Escape if screen.with(Some(game)).phase() != Phase::Asking => return ask(Command::MoveNow),
        Action::Command => open_field(screen, ""),
        Action::Save => open_field(screen, "save "),
        Action::Open => open_field(screen, "load "),
        Action::New => screen.menu = Some(Menu::of(game.game())),
        Action::PlayOn => return ask(Command::PlayHere),
        Action::Hint => return ask(Command::Advise(Advice::Hint)),
        _ => cursor::step(screen, game, act), // the keys that move the cursor, where there is one
    }
    None
}

fn at_the_board(screen: &mut Screen, game: &Match, act: Action, asked: Option<Action>) -> Option<Effect> {
    let scene = screen.with(Some(game));
    let is_asking = scene.phase() == Phase::Asking;
    match act {
        Action::Walls => cursor::change_layer(screen, game),
        Action::Rotate => cursor::rotate(screen, game, None),
        Action::Across => cursor::rotate(screen, game, Some(1)),
        Action::Upright => cursor::rotate(screen, game, Some(2)),
        Action::Escape if is_asking && screen.cursor.layer > 0 => cursor::change_layer(screen, game),
        Action::Escape if is_asking => screen.prompt.remark = Remark::Invitation,
        Action::Level => open_field(screen, "level "),
        Action::Undo => return ask(Command::Undo(None)),
        Action::Redo => return ask(Command::Redo(None)),
        Action::Play => return play_there(screen, game, screen.cursor.place.clone()?, asked),
        Action::Swap if !key_bar::belongs(&scene, Action::Swap) => screen.refuse(sentences::NO_SWAP),
        Action::Swap => return play(screen, game, scene.present()?.named_moves().first()?.0.to_owned()),
        Action::Again => return ask(Command::Again),
        Action::Review | Action::TurningPoint => return review(screen, game, act),
        Action::Resign if scene.is_over() => screen.refuse(sentences::is_over()),
        Action::Resign if game.is_thinking() => refuse_now(screen, game),
        Action::Resign if asked == Some(Action::Resign) => return ask(Command::Resign),
        Action::Resign => screen.prompt.remark = Remark::Again(Action::Resign),
        _ => return at_any_board(screen, game, act),
    }
    None
}

/// Says something about the picture. What the player has to know about the position stays to be read behind it.
fn tell_too(screen: &mut Screen, game: &Match, text: impl Into<Text>) {
    let (scene, text) = (screen.with(Some(game)), text.into());
    let comment = scene.shown().filter(|_| scene.is_players_turn()).and_then(Position::comment);
    let both = comment.map(|comment| text!("{text} {comment}")).filter(|both| scene.fits(both));
    screen.tell(both.unwrap_or(text));
}

/// The next thing to lie over the board, or nothing again.
fn change_overlay(screen: &mut Screen, game: &Match) {
    let titles = screen.with(Some(game)).overlays();
    if game.shown().outcome().is_some() {
        screen.refuse(if titles.is_empty() { sentences::NO_OVERLAYS } else { sentences::NO_OVERLAYS_NOW });
        return;
    }
    let was_alone = screen.drawing.overlay == 0;
    loop {
        let now = screen.drawing.overlay;
        screen.drawing.overlay = if now < titles.len() { now + 1 } else { 0 };
        // What has nothing to mark now is passed over.
        let scene = screen.with(Some(game));
        if screen.drawing.overlay == 0 || scene.has_ways() || !scene.marks().is_empty() {
            break;
        }
    }
    let said = match screen.drawing.overlay.checked_sub(1) {
        Some(index) => sentences::overlay(&titles[index]),
        None if titles.is_empty() => sentences::NO_OVERLAYS.into(),
        None if was_alone => sentences::no_overlays_yet(&titles),
        None => sentences::BOARD_ALONE.into(),
    };
    tell_too(screen, game, &said);
    cursor::keep_preview(screen, game, &said);
}

/// Turns the board.
fn turn(screen: &mut Screen, game: &Match) {
    let turns = game.shown().drawn().turns();
    screen.drawing.is_turned ^= turns;
    if turns {
        tell_too(screen, game, sentences::turned(screen.drawing.is_turned));
    } else {
        screen.refuse(sentences::NO_TURN);
    }
}

/// Shows what the machine thinks of every position that is shown, or no longer. Where it has not thought it begins to.
fn switch_panel(screen: &mut Screen, game: &Match) -> Option<Effect> {
    let scene = screen.with(Some(game));
    let is_over = game.shown().outcome().is_some();
    let hides_curve = panels::hides_engine(&scene) || panels::hides_review(&scene);
    // Where nothing has to be thought about the panel alone is there or not.
    let is_known = is_over || scene.tells_itself() || !game.shown().values().is_empty();
    let (has_room, no_room) = (panels::has_room_for_engine(&scene), panels::no_room(&scene, !is_known));
    if !has_room && is_known {
        screen.refuse(if is_over { sentences::NO_THOUGHT_NOW } else { &no_room });
        return None;
    }
    let is_there = panels::shows_engine(&scene) || !has_room;
    // At the end of a replay the panel is there without having been asked for.
    let is_end_of_replay = is_over && scene.is_replay();
    let has_studied = scene.drawing.studies && (is_there || is_end_of_replay);
    let is_on = !(has_studied || is_there && is_known && !is_end_of_replay);
    (screen.drawing.studies, screen.drawing.shows_engine) = (is_on, is_on);
    screen.drawing.prefers_review = !is_on;
    match is_known {
        true if is_end_of_replay => tell_too(screen, game, sentences::studies(is_on, hides_curve)),
        true if is_over && is_on => {} // how the game ended stays to be read
        true => tell_too(screen, game, sentences::panel(is_on)),
        false if is_on && !has_room => tell_too(screen, game, &no_room),
        false => tell_too(screen, game, sentences::studies(is_on, hides_curve)),
    }
    if screen.with(Some(game)).wants_study() { ask(Command::Advise(Advice::Study)) } else { None }
}

fn refuse_now(screen: &mut Screen, game: &Match) {
    let scene = screen.with(Some(game));
    screen.refuse(if scene.is_looking() && !scene.is_watched() {
        sentences::is_thinking_meanwhile()
    } else if scene.is_match() {
        sentences::machines_play()
    } else {
        sentences::refuse_while_thinking(game.is_program_thinking())
    });
}

/// Plays the move of a place. Where the first move stands it is taken over, but not by a key that was hit twice.
pub(super) fn play_there(
    screen: &mut Screen,
    game: &Match,
    place: String,
    asked: Option<Action>,
) -> Option<Effect> {
    let scene = screen.with(Some(game));
    let is_taken_over = scene.is_players_turn() && scene.taking_over() == Some(&place);
    if is_taken_over && asked != Some(Action::Swap) && !game.game().is_looking() {
        screen.prompt.remark = Remark::Again(Action::Swap);
        return None;
    }
    play(screen, game, place)
}

/// Plays a move that was asked for.
fn play(screen: &mut Screen, game: &Match, text: String) -> Option<Effect> {
    let scene = screen.with(Some(game));
    match scene.is_looking() {
        false if game.is_thinking() => refuse_now(screen, game),
        false if scene.is_over() => screen.refuse(sentences::is_over()),
        _ => return ask(Command::Place(text)), // nobody plays on a board that is not the present one
    }
    None
}

/// So many moves on or back, as far as there are any.
pub(super) fn step(game: &Match, step: isize) -> Option<Effect> {
    if game.is_advising() {
        return None; // advice is about the position that is shown
    }
    let here = game.shown().plies();
    let there = here.saturating_add_signed(step).min(game.last_ply());
    let count = there.abs_diff(here).max(1); // beyond the end the match says so
    ask(Command::Show(if step < 0 { Place::Back(count) } else { Place::Next(count) }))
}

// ---- the field ----

/// Opens the field with this text in it.
pub(super) fn open_field(screen: &mut Screen, text: impl Into<String>) {
    screen.prompt.before = Some((screen.cursor.layer, screen.cursor.place.clone()));
    screen.prompt.text = Some(text.into());
}

/// Changes a text by a key of the line that it is typed into.
fn type_into(text: &mut String, key: &KeyEvent) {
    let has_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Backspace => _ = text.pop(),
        KeyCode::Char('u') if has_ctrl => text.clear(),
        KeyCode::Char(letter) if !has_ctrl => text.push(letter),
        _ => {}
    }
}

fn edit(screen: &mut Screen, game: Game<'_>, key: &KeyEvent) -> Option<Effect> {
    let mut text = screen.prompt.text.take()?;
    match key.code {
        KeyCode::Enter => return submit(screen, game, text.trim()),
        KeyCode::Esc => {
            screen.put_cursor_back();
            if let (Some(place), Some(game)) = (screen.cursor.place.clone(), game) {
                cursor::focus_on(screen, game, &place);
            }
            return None;
        }
        KeyCode::Char('h') if key.modifiers.contains(KeyModifiers::CONTROL) => _ = text.pop(),
        KeyCode::F(1) => screen.page = Some(help(&screen.with(game))),
        _ => type_into(&mut text, key),
    }
    fill_field(screen, game, text);
    None
}

/// Puts this text into the field, which is closed where the text is too long.
pub(super) fn fill_field(screen: &mut Screen, game: Game<'_>, mut text: String) {
    if text.chars().count() > MAX_TYPED {
        screen.prompt.text = None;
        screen.put_cursor_back();
        screen.announce(sentences::TOO_LONG_A_LINE.to_owned());
        return;
    }
    // Who types a word of the game that begins like the key for saving means the word.
    let words = game.map(|game| game.shown().named_moves()).unwrap_or_default();
    let is_meant =
        |word: &&str| word.strip_prefix('s').is_some_and(|rest| text.strip_prefix("save ") == Some(rest));
    let word = words.iter().map(|(word, _)| *word).find(is_meant);
    if let Some(word) =
        word.filter(|word| game.is_some_and(|game| game.shown().legal().iter().any(|mv| mv == word)))
    {
        word.clone_into(&mut text);
    }
    screen.prompt.text = Some(text);
    follow_field(screen, game);
}

fn submit(screen: &mut Screen, game: Game<'_>, text: &str) -> Option<Effect> {
    if text.is_empty() {
        return None;
    }
    if let Some(is_on) = mouse_word(text, screen.looks.has_mouse) {
        screen.looks.has_mouse = is_on;
        screen.announce(sentences::mouse(screen.looks.has_mouse).to_owned());
        return Some(Effect::Mouse(screen.looks.has_mouse));
    }
    if let Some(name) = theme_word(text) {
        let themes = screen.looks.own_themes;
        // Themes of one's own may have capitals.
        let found = Theme::find(name, themes);
        match found.or_else(|why| Theme::find(&name.to_lowercase(), themes).map_err(|_| why)) {
            Ok(theme) => take_theme(screen, theme),
            Err(_) if name.is_empty() => take_theme(screen, screen.looks.theme),
            Err(why) => screen.announce(why.replacen("there is", "There is", 1) + "."),
        }
        return None;
    }
    if screen.menu.is_some() {
        return submit_in_the_menu(screen, game, text);
    }
    if text.eq_ignore_ascii_case("tui") {
        screen.tell(sentences::IS_FULL_SCREEN);
        return None;
    }
    let game = game?;
    let typed = Typed::of(game, text);
    match typed.read {
        Ok(Request::Do(Command::Move(_))) if game.is_thinking() && !game.game().is_looking() => {
            refuse_now(screen, game);
            screen.put_cursor_back();
            None
        }
        Ok(Request::Do(command)) => ask(command),
        _ => Some(Effect::Typed(typed)), // the loop sees to files, and to what is refused
    }
}

/// What the word `mouse`, `mouse on` or `mouse off` asks for.
fn mouse_word(text: &str, is_on: bool) -> Option<bool> {
    match text.to_lowercase().split_whitespace().collect::<Vec<_>>()[..] {
        ["mouse"] => Some(!is_on),
        ["mouse", "on"] => Some(true),
        ["mouse", "off"] => Some(false),
        _ => None,
    }
}

/// The name behind the word `theme`; empty where it stands alone.
fn theme_word(text: &str) -> Option<&str> {
    let (word, name) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    word.eq_ignore_ascii_case("theme").then(|| name.trim())
}

/// Does what a word says in the start menu, which knows a few. Where a game goes on behind it, that takes all others.
fn submit_in_the_menu(screen: &mut Screen, game: Game<'_>, text: &str) -> Option<Effect> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let page = help(&screen.with(game));
    let menu = screen.menu.as_mut()?;
    let done = match find(word) {
        Some(Word::Help) => {
            screen.page = Some(page);
            return None;
        }
        Some(Word::Quit) => return Some(Effect::Quit),
        Some(Word::Load | Word::Replay) if !rest.is_empty() => {
            return Some(Effect::Start(Start::File(rest.into())));
        }
        Some(Word::New) => match menu.choose_named(rest) {
            Ok(()) => return Some(start(menu)),
            Err(why) => Err(why),
        },
        Some(Word::Level) if rest.is_empty() => Err(menu.level_in_words()),
        Some(Word::Level) => menu.set_level(rest),
        _ if game.is_some() => {
            screen.menu = None;
            return submit(screen, game, text);
        }
        _ => Err(sentences::WORDS_OF_THE_MENU.to_owned()),
    };
    menu.notice = done.err();
    None
}

fn start(menu: &Menu) -> Effect {
    Effect::Start(Start::Game(Box::new(menu.spec.clone())))
}

/// The cursor jumps to the place that the field names.
fn follow_field(screen: &mut Screen, game: Game<'_>) {
    let (Some(text), Some(game), None) = (&screen.prompt.text, game, &screen.menu) else { return };
    if let Ok(text) = game.present_position().read(text) {
        cursor::focus_on(screen, game, &text);
    }
}

// ---- other positions ----

/// Nobody plays on a board that is not the present one.
fn while_looking(screen: &mut Screen, game: &Match, act: Action, asked: Option<Action>) -> Option<Effect> {
    match act {
        Action::Present => ask(Command::Show(Place::Present)),
        Action::Escape if !game.is_advising() => ask(Command::Show(Place::Present)),
        Action::First
        | Action::Last
        | Action::OtherBack
        | Action::OtherOn
        | Action::TenBack
        | Action::TenForward => replay(screen, game, act),
        _ => at_the_board(screen, game, act, asked),
    }
}

fn replay(screen: &mut Screen, game: &Match, act: Action) -> Option<Effect> {
    let scene = screen.with(Some(game));
    match act {
        Action::TenBack => step(game, -10),
        Action::TenForward => step(game, 10),
        Action::First => ask(Command::Show(Place::Ply(0))),
        Action::Last if scene.is_watched() => ask(Command::Show(Place::Present)),
        Action::Last => ask(Command::Show(Place::Ply(game.last_ply()))),
        Action::OtherBack => ask(Command::Show(Place::Other(Turn::Back))),
        Action::OtherOn => ask(Command::Show(Place::Other(Turn::On))),
        Action::Auto => auto(screen, game),
        Action::Faster => set_pause(screen, game, -1),
        Action::Slower => set_pause(screen, game, 1),
        Action::Review | Action::TurningPoint => review(screen, game, act),
        Action::Escape if scene.phase() == Phase::Asking && scene.is_running() => auto(screen, game),
        Action::PlayOn | Action::Hint if game.is_thinking() => {
            refuse_now(screen, game);
            None
        }
        _ => at_any_board(screen, game, act),
    }
}

fn review(screen: &mut Screen, game: &Match, act: Action) -> Option<Effect> {
    let found = game.game().turning_point();
    match (act, found) {
        (Action::Review, _) if game.game().review_progress().is_some() => return ask(Command::StopReview),
        (Action::Review, _) if !game.is_thinking() => {
            screen.drawing.prefers_review = true;
            return ask(Command::Review);
        }
        (Action::Review, _) => refuse_now(screen, game),
        (_, Some(loss)) => return ask(Command::Show(Place::Ply(game.game().position(loss.node).plies()))),
        (_, None) => {
            let [judged, _, all] = game.game().reviewed();
            if game.game().review_progress().is_some() {
                screen.refuse(sentences::still_reviewed(judged, all));
            } else {
                screen.refuse(if judged < all {
                    sentences::not_reviewed()
                } else {
                    sentences::NO_TURNING_POINT.into()
                });
            }
        }
    }
    None
}

fn set_pause(screen: &mut Screen, game: &Match, turn: isize) -> Option<Effect> {
    let now = PAUSES.iter().position(|pause| *pause >= game.game().pace().pause).unwrap_or(0);
    let pause = PAUSES[now.saturating_add_signed(turn).min(PAUSES.len() - 1)];
    screen.tell(sentences::speed(pause.as_secs_f64()));
    ask(Command::Walk(Walk::Pause(pause)))
}

fn auto(screen: &mut Screen, game: &Match) -> Option<Effect> {
    let scene = screen.with(Some(game));
    let (is_running, is_match) = (scene.is_running(), scene.is_match());
    let stops_soon = is_running && is_match && game.is_thinking();
    screen.tell(if stops_soon { sentences::stops_soon() } else { sentences::runs_by_itself(!is_running) });
    ask(Command::Walk(if is_running { Walk::Stop } else { Walk::Run }))
}

// ---- pages ----

pub(super) fn scroll(screen: &mut Screen, game: Game<'_>, act: Action) {
    let parts = screen.page.as_ref().map(|page| page::parts(&screen.with(game), page));
    let (Some(parts), Some(page)) = (parts, &mut screen.page) else { return };
    let last = parts.last().copied().unwrap_or(0);
    page.top = page.top.min(last);
    let before = parts.iter().rev().find(|&&part| part < page.top).copied().unwrap_or(0);
    let behind = parts.iter().find(|&&part| part > page.top).copied().unwrap_or(last);
    match act {
        Action::Up => page.top = page.top.saturating_sub(1),
        Action::Down => page.top = (page.top + 1).min(last),
        Action::UpRight => page.top = before,
        Action::DownLeft => page.top = behind,
        Action::RowStart => page.top = 0,
        Action::RowEnd => page.top = last,
        Action::Search => (page.is_filtering, page.top, page.filter) = (true, 0, String::new()),
        Action::Escape if !page.filter.is_empty() => page.filter.clear(),
        Action::Escape => screen.page = None,
        _ => {}
    }
}

fn filter(screen: &mut Screen, key: &KeyEvent) {
    let Some(page) = &mut screen.page else { return };
    page.top = 0;
    match key.code {
        KeyCode::Enter => page.is_filtering = false,
        KeyCode::Esc => {
            page.filter.clear();
            page.is_filtering = false;
        }
        _ => type_into(&mut page.filter, key),
    }
}

// ---- the menu ----

fn choose(screen: &mut Screen, game: Game<'_>, act: Action, key: &KeyEvent) -> Option<Effect> {
    let menu = screen.menu.as_mut()?;
    let rows = menu.rows();
    menu.notice = None;
    match (act, menu.row) {
        (Action::Start, _) => return Some(start(menu)),
        (Action::Pick, _) => {
            let number = key.code.as_char().and_then(|digit| digit.to_digit(10)).unwrap_or(0);
            menu.choose((number as usize).wrapping_sub(1));
        }
        (Action::GoOn, _) => {
            let kept = screen.kept.take().map(|kept| Effect::Start(Start::Kept(kept.path)));
            let nothing = || sentences::nothing_left(screen.unreadable.as_deref()).into_string();
            menu.notice = kept.is_none().then(nothing);
            return kept;
        }
        (Action::Options, row) => menu.row = row.is_none().then_some(0),
        (Action::Up, None) => menu.choose(menu.game().wrapping_sub(1)),
        (Action::Down, None) => menu.choose(menu.game() + 1),
        (Action::Right, None) => menu.row = Some(0),
        (Action::Up, Some(row)) => menu.row = Some(row.saturating_sub(1)),
        (Action::Down, Some(row)) => menu.row = Some((row + 1).min(rows.len() - 1)),
        (Action::Left | Action::Right, Some(row)) => {
            change(screen, row, if act == Action::Left { -1 } else { 1 });
        }
        (Action::Open, _) => open_field(screen, "replay "),
        (Action::Command, _) => open_field(screen, ""),
        (Action::Escape, Some(_)) => menu.row = None,
        (Action::Escape, None) if game.is_some() => screen.menu = None,
        _ => {}
    }
    None
}

pub(super) fn change(screen: &mut Screen, row: usize, step: isize) {
    let Some(menu) = &mut screen.menu else { return };
    let Some(key) = menu.rows().get(row).map(|row| row.key) else { return };
    if key == "theme" {
        screen.looks.theme = screen.looks.theme.beside(step, screen.looks.own_themes);
    } else {
        menu.change(key, step);
    }
}

/// Another theme, which is told.
fn take_theme(screen: &mut Screen, theme: Theme) {
    screen.looks.theme = theme;
    let looks = screen.looks;
    let brings_colours = theme.palette(looks.ground.told()).is_some();
    let why = match looks.depth {
        Depth::None => Some(sentences::NO_COLOURS),
        Depth::Sixteen if brings_colours => Some(sentences::OWN_COLOURS),
        _ => None,
    };
    screen.announce(sentences::theme(theme.name(), why));
}
