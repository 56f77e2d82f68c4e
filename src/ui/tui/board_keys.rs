//! The keys at the board, and their commands to the match.

use crossterm::event::{KeyCode, KeyEvent};

use super::effect::Effect;
use super::facts::{Facts, Phase};
use super::frame::FrameContext;
use super::key_table::{Action, Context};
use super::layer::{COMMENT, Confirm, Layer, Prompt, comment_of};
use super::layout::PanelId;
use super::list::{List, ListKind};
use super::menu::Menu;
use super::painting;
use super::panels::{self, layout_of};
use super::screen::{Focus, PAUSES, Screen, StatusMessage};
use super::{cursor, key_bar, line_keys, setup_keys};
use crate::messages::screen as sentences;
use crate::play::{
    Advice, Command, Direction, Edit, HistoryTarget, Match, PlaybackControl, Practice, Strength,
};
use crate::session::Position;
use crate::text;
use crate::text::Text;
use crate::ui::Typed;

#[expect(clippy::unnecessary_wraps, reason = "keys that ask nothing answer like the others")]
fn ask(command: Command) -> Option<Effect> {
    Some(Effect::Do(command))
}

/// Performs the action of a key, if the board has it.
pub(super) fn perform(screen: &mut Screen, game: &Match, act: Action, key: &KeyEvent) -> Option<Effect> {
    let c = screen.with(Some(game));
    let context = c.context();
    match act {
        Action::Yes => return Some(Effect::Typed(Typed::of(game, "y"))),
        Action::No => return Some(Effect::Typed(Typed::of(game, "n"))),
        Action::Digit => return play_digit(screen, game, key),
        Action::Plain => return Some(Effect::Plain),
        _ if game.game().practice().is_some() => return at_a_mistake(screen, game, act, key),
        Action::New if key.code == KeyCode::Char('N') && context.takes_moves() && !game.is_over() => {
            screen.refuse(sentences::goes_on());
        }
        Action::Escape | Action::Present if game.game().lesson().is_some() => return ask(Command::EndLesson),
        Action::Quit if c.has_menu_behind() => screen.layers.open_behind(),
        Action::Quit if context == Context::Replay && !game.is_watched() => {
            return ask(Command::Show(HistoryTarget::Present));
        }
        Action::Quit => return Some(Effect::Quit),
        Action::Escape if game.is_reviewing() && !game.is_advising() => return ask(Command::StopReview),
        _ => match context {
            Context::Replay => return replay(screen, game, act),
            Context::Looking => return while_looking(screen, game, act, key),
            Context::Analysis => return at_the_analysis(screen, game, act),
            Context::Lines => {
                return line_keys::walk(screen, act).unwrap_or_else(|act| at_the_analysis(screen, game, act));
            }
            Context::SetUp => {
                return setup_keys::change(screen, game, act)
                    .unwrap_or_else(|act| at_any_board(screen, game, act));
            }
            Context::Board | Context::Wall => return at_the_board(screen, game, act, key),
            _ => return at_any_board(screen, game, act),
        },
    }
    None
}

/// Refuses a letter that means nothing here: it is no key, and begins no move.
pub(super) fn refuse_letter(screen: &mut Screen, game: Option<&Match>, letter: char) {
    match screen.with(game).context() {
        Context::Replay => screen.refuse(sentences::is_shown()),
        Context::Looking => screen.refuse(sentences::is_looked_at()),
        Context::Board | Context::Wall | Context::Analysis | Context::Training => {
            screen.refuse(sentences::no_such_key(letter));
        }
        _ => {}
    }
}

/// Returns the cell of a board of nine that a digit means, arranged as on a number pad.
fn cell_of(c: &FrameContext<'_>, key: &KeyEvent) -> Option<String> {
    let digit = key.code.as_char()?.to_digit(10).filter(|&digit| digit > 0)? as usize - 1;
    if !c.screen.looks.habits.has_digits || c.context() != Context::Board || !c.game.is_players_turn() {
        return None;
    }
    let canvas = c.canvas(0)?;
    let mut cells: Vec<_> = canvas.spots().iter().filter(|spot| spot.layer == 0).collect();
    cells.sort_by_key(|spot| (spot.y, spot.x));
    Some(cells.get(3 * (2 - digit / 3) + digit % 3).filter(|_| cells.len() == 9)?.text.clone())
}

/// Reports whether a digit plays a cell here.
pub(super) fn means_cell(c: &FrameContext<'_>, key: &KeyEvent) -> bool {
    cell_of(c, key).is_some()
}

fn play_digit(screen: &mut Screen, game: &Match, key: &KeyEvent) -> Option<Effect> {
    let place = cell_of(&screen.with(Some(game)), key)?;
    cursor::focus_on(screen, game, &place);
    play_there(screen, game, place)
}

/// Opens a line with this text in it.
fn open_field(screen: &mut Screen, text: &str) {
    screen.open(Layer::Prompt(Prompt { text: text.to_owned(), command: text.to_owned(), next: None }));
}

/// Asks before something that cannot be undone, in case the key was hit by mistake.
fn confirm(screen: &mut Screen, question: Text, command: Command) {
    screen.open(Layer::Confirm(Confirm { question, effect: Effect::Do(command), refusal: None }));
}

// ---- the board ----

/// Performs an action wherever a position is shown.
fn at_any_board(screen: &mut Screen, game: &Match, act: Action) -> Option<Effect> {
    match act {
        Action::Back => return step(game, -1),
        Action::Forward => return step(game, 1),
        Action::Path => change_overlay(screen, game),
        Action::Flip => turn(screen, game),
        Action::Panel => return switch_panel(screen, game),
        Action::Escape if Some(game).phase() != Phase::Asking => return ask(Command::MoveNow),
        Action::Command => open_field(screen, ""),
        Action::Save => open_field(screen, "save "),
        Action::Open => screen.open(Layer::List(List::new(ListKind::Files("load")))),
        Action::New => screen.open(Layer::Menu(Box::new(Menu::of(game.game())))),
        Action::PlayOn => return ask(Command::PlayHere),
        Action::Analyze => return ask(Command::Analyze),
        Action::Hint => return ask(Command::Advise(Advice::Hint)),
        _ => cursor::step(screen, game, act), // the keys that move the cursor, where there is one
    }
    None
}

fn at_the_board(screen: &mut Screen, game: &Match, act: Action, key: &KeyEvent) -> Option<Effect> {
    let c = screen.with(Some(game));
    let is_asking = c.game.phase() == Phase::Asking;
    match act {
        Action::Walls if c.game.is_analysis() && key.code == KeyCode::Tab => line_keys::begin(screen, game),
        Action::Walls => cursor::change_layer(screen, game),
        Action::Rotate => cursor::rotate(screen, game, None),
        Action::Across => cursor::rotate(screen, game, Some(1)),
        Action::Upright => cursor::rotate(screen, game, Some(2)),
        Action::Escape if is_asking && screen.cursor.layer > 0 => cursor::change_layer(screen, game),
        Action::Escape if game.game().is_reviewed_quickly() => return ask(Command::StopReview),
        Action::Escape if c.game.is_analysis() => screen.cursor.focus = Focus::Moves,
        Action::Escape if is_asking => screen.remark = StatusMessage::Invitation,
        Action::Level => open_field(screen, "level "),
        Action::Undo => return ask(Command::Undo(None)),
        Action::Redo => return ask(Command::Redo(None)),
        Action::Play => return play_there(screen, game, screen.cursor.place.clone()?),
        Action::Swap if !key_bar::belongs(&c, Action::Swap) => screen.refuse(sentences::NO_SWAP),
        Action::Swap => return play(screen, game, c.game.present()?.named_moves().first()?.0.to_owned()),
        Action::Again => return ask(Command::Again),
        Action::Easier => return ask(Command::AgainAt(Strength::Lower)),
        Action::Harder => return ask(Command::AgainAt(Strength::Higher)),
        Action::Review | Action::TurningPoint => return review(screen, game, act),
        Action::Resign if c.game.is_over() => screen.refuse(sentences::is_over()),
        Action::Resign if game.is_thinking() => refuse_now(screen, game),
        Action::Resign => confirm(screen, sentences::asks_to_resign(), Command::Resign),
        _ => return at_any_board(screen, game, act),
    }
    None
}

/// Performs an action at the analysis board while the arrows move along the moves.
fn at_the_analysis(screen: &mut Screen, game: &Match, act: Action) -> Option<Effect> {
    match act {
        Action::Cursor if game.shown().outcome().is_some() => screen.remark = StatusMessage::Invitation,
        Action::Cursor => {
            screen.cursor.focus = Focus::Cursor;
            screen.remark = StatusMessage::Invitation;
        }
        Action::Hide => return ask(Command::Edit(Edit::Hide)),
        Action::Mark => open_field(screen, "mark "),
        Action::Comment => {
            let (command, text) = (COMMENT.to_owned(), format!("{COMMENT}{}", comment_of(game)));
            screen.open(Layer::Prompt(Prompt { text, command, next: None }));
        }
        Action::SetUp => {
            screen.cursor.focus = Focus::SetUp;
            screen.remark = StatusMessage::Invitation;
        }
        Action::FewerLines | Action::MoreLines => line_keys::count_lines(screen, game, act),
        Action::Promote => return ask(Command::Promote),
        Action::Undo => return ask(Command::Undo(None)),
        Action::Redo => return ask(Command::Redo(None)),
        Action::Level => open_field(screen, "level "),
        Action::Escape if game.previous().is_none() && !game.is_advising() => {
            screen.open(Layer::Menu(Box::new(Menu::of(game.game()))));
        }
        Action::Escape if !game.is_advising() => return ask(Command::ReturnToGame),
        Action::Review | Action::TurningPoint => return review(screen, game, act),
        _ => return replay(screen, game, act),
    }
    None
}

/// Performs an action while your own mistakes are practised.
fn at_a_mistake(screen: &mut Screen, game: &Match, act: Action, key: &KeyEvent) -> Option<Effect> {
    let c = screen.with(Some(game));
    let is_answered = c.game.practice().is_some_and(Practice::is_answered);
    let (has_lesson, is_looking) = (game.game().lesson().is_some(), c.game.is_looking());
    let is_next = key.code == KeyCode::Char('N') || is_answered && act == Action::Play;
    match act {
        Action::NextTask | Action::New | Action::Play if is_next => return ask(Command::NextTask),
        Action::TurningPoint => return ask(Command::Solve),
        Action::Left | Action::Back if has_lesson => return step(game, -1),
        Action::Right | Action::Forward if has_lesson => return step(game, 1),
        Action::Escape | Action::Undo if has_lesson => return ask(Command::EndLesson),
        Action::Escape | Action::Undo | Action::Present | Action::Play if is_looking => {
            return ask(Command::Undo(None));
        }
        Action::Escape if screen.cursor.layer > 0 => cursor::change_layer(screen, game),
        Action::Escape | Action::Quit if game.previous().is_some() => return ask(Command::ReturnToGame),
        Action::Escape | Action::Quit if c.has_menu_behind() => screen.layers.open_behind(),
        Action::Quit => return Some(Effect::Quit),
        Action::Escape => screen.open(Layer::Menu(Box::new(Menu::of(game.game())))),
        Action::Undo
        | Action::Redo
        | Action::Resign
        | Action::Hint
        | Action::Panel
        | Action::Level
        | Action::Review
        | Action::PlayOn
        | Action::Save
        | Action::Again => screen.refuse(sentences::is_a_mistake()),
        _ => return at_the_board(screen, game, act, key),
    }
    None
}

/// Shows a message about the picture. A message about the position that the player needs stays
/// readable after it.
fn append_status(screen: &mut Screen, game: &Match, text: impl Into<Text>) {
    let (c, text) = (screen.with(Some(game)), text.into());
    let comment = c.game.shown().filter(|_| c.game.is_players_turn()).and_then(Position::comment);
    let both = comment.map(|comment| text!("{text} {comment}")).filter(|both| c.fits(both));
    screen.tell(both.unwrap_or(text));
}

/// Switches to the next overlay, or to none.
fn change_overlay(screen: &mut Screen, game: &Match) {
    let titles = screen.with(Some(game)).overlays();
    if game.shown().outcome().is_some() {
        screen.refuse(if titles.is_empty() { sentences::NO_OVERLAYS } else { sentences::NO_OVERLAYS_NOW });
        return;
    }
    let was_alone = screen.drawing.overlay == 0;
    let now = step_overlay(screen, game, titles.len());
    let next = if now == 0 { 0 } else { step_overlay(screen, game, titles.len()) };
    screen.drawing.overlay = now;
    let title = |overlay: usize| overlay.checked_sub(1).map(|index| &titles[index]);
    let said = match title(now) {
        Some(shown) => {
            let [long, short] = sentences::overlay(shown, title(next));
            if screen.with(Some(game)).fits(&long) { long } else { short }
        }
        None if titles.is_empty() => sentences::NO_OVERLAYS.into(),
        None if was_alone => sentences::no_overlays_yet(&titles),
        None => sentences::BOARD_ALONE.into(),
    };
    append_status(screen, game, &said);
    cursor::keep_preview(screen, game, &said);
}

/// Switches to the next of `all` overlays that has something to mark, or to none after the last
/// one; returns its number.
fn step_overlay(screen: &mut Screen, game: &Match, all: usize) -> usize {
    loop {
        let now = screen.drawing.overlay;
        screen.drawing.overlay = if now < all { now + 1 } else { 0 };
        let c = screen.with(Some(game));
        if screen.drawing.overlay == 0 || painting::has_ways(&c) || !c.marks().is_empty() {
            return screen.drawing.overlay;
        }
    }
}

/// Flips the board.
fn turn(screen: &mut Screen, game: &Match) {
    let turns = game.shown().drawn().turns();
    screen.drawing.is_turned ^= turns;
    if turns {
        append_status(screen, game, sentences::turned(screen.drawing.is_turned));
    } else {
        screen.refuse(sentences::NO_TURN);
    }
}

/// Turns the analysis of every position on the screen on or off, and starts it if the engine has
/// not run yet.
fn switch_panel(screen: &mut Screen, game: &Match) -> Option<Effect> {
    let c = screen.with(Some(game));
    let (is_over, layout) = (game.shown().outcome().is_some(), layout_of(&c));
    let hides_curve = layout.hides_engine || layout.hides_review();
    // Where no engine has to think only the panel is switched.
    let is_known = is_over || c.game.tells_itself() || !game.shown().values().is_empty();
    let has_room = layout.has_room_for_engine;
    let no_room = if has_room { String::new() } else { panels::no_room(&c, !is_known) };
    if !has_room && is_known {
        screen.refuse(if is_over { sentences::NO_THOUGHT_NOW } else { &no_room });
        return None;
    }
    let is_there = layout.has(PanelId::Engine) || !has_room;
    // At the end of a replay the panel is shown unrequested.
    let is_end_of_replay = is_over && c.game.is_replay();
    let has_studied = c.screen.drawing.studies && (is_there || is_end_of_replay);
    let is_on = !(has_studied || is_there && is_known && !is_end_of_replay);
    (screen.drawing.studies, screen.drawing.shows_engine) = (is_on, is_on);
    screen.drawing.prefers_review = !is_on;
    match is_known {
        true if is_end_of_replay => append_status(screen, game, sentences::studies(is_on, hides_curve)),
        true if is_over && is_on => {} // the result stays readable
        true => append_status(screen, game, sentences::panel(is_on)),
        false if is_on && !has_room => append_status(screen, game, &no_room),
        false => append_status(screen, game, sentences::studies(is_on, hides_curve)),
    }
    if screen.with(Some(game)).wants_study() { ask(Command::Advise(Advice::Study)) } else { None }
}

pub(super) fn refuse_now(screen: &mut Screen, game: &Match) {
    let c = screen.with(Some(game));
    screen.refuse(if c.game.is_looking() && !c.game.is_watched() {
        sentences::is_thinking_meanwhile()
    } else if c.game.is_match() {
        sentences::machines_play()
    } else {
        sentences::refuse_while_thinking(game.is_program_thinking())
    });
}

/// Plays the move of a place. At the first stone that is the swap, after a question.
pub(super) fn play_there(screen: &mut Screen, game: &Match, place: String) -> Option<Effect> {
    let c = screen.with(Some(game));
    if c.game.is_players_turn() && c.game.taking_over() == Some(&place) {
        confirm(screen, sentences::asks_to_swap(), Command::Place(place));
        return None;
    }
    play(screen, game, place)
}

/// Plays a move that was requested.
fn play(screen: &mut Screen, game: &Match, text: String) -> Option<Effect> {
    let c = screen.with(Some(game));
    match c.game.is_looking() {
        false if game.is_thinking() => refuse_now(screen, game),
        false if c.game.is_over() => screen.refuse(sentences::is_over()),
        _ => return ask(Command::Place(text)), // moves are possible only at the present position
    }
    None
}

/// Shows the position `step` moves later or earlier, as far as there are any.
pub(super) fn step(game: &Match, step: isize) -> Option<Effect> {
    if game.is_advising() {
        return None; // advice is about the position that is shown
    }
    if game.game().lesson().is_some() {
        return ask(Command::Show(if step < 0 { HistoryTarget::Back(1) } else { HistoryTarget::Next(1) }));
    }
    let here = game.shown().plies();
    let there = here.saturating_add_signed(step).min(game.last_ply());
    let count = there.abs_diff(here).max(1); // beyond the end the match says so
    ask(Command::Show(if step < 0 { HistoryTarget::Back(count) } else { HistoryTarget::Next(count) }))
}

// ---- other positions ----

/// Performs an action while another position than the present one is shown: no move can be played
/// there.
fn while_looking(screen: &mut Screen, game: &Match, act: Action, key: &KeyEvent) -> Option<Effect> {
    match act {
        Action::Present => ask(Command::Show(HistoryTarget::Present)),
        Action::Escape if !game.is_advising() => ask(Command::Show(HistoryTarget::Present)),
        Action::First
        | Action::Last
        | Action::OtherBack
        | Action::OtherOn
        | Action::TenBack
        | Action::TenForward => replay(screen, game, act),
        _ => at_the_board(screen, game, act, key),
    }
}

fn replay(screen: &mut Screen, game: &Match, act: Action) -> Option<Effect> {
    let c = screen.with(Some(game));
    match act {
        Action::TenBack => step(game, -10),
        Action::TenForward => step(game, 10),
        Action::First => ask(Command::Show(HistoryTarget::Ply(0))),
        Action::Last if c.game.is_watched() => ask(Command::Show(HistoryTarget::Present)),
        Action::Last => ask(Command::Show(HistoryTarget::Ply(game.last_ply()))),
        Action::OtherBack => ask(Command::Show(HistoryTarget::Other(Direction::Previous))),
        Action::OtherOn => ask(Command::Show(HistoryTarget::Other(Direction::Next))),
        Action::Auto => auto(screen, game),
        Action::Faster => set_pause(screen, game, -1),
        Action::Slower => set_pause(screen, game, 1),
        Action::Review | Action::TurningPoint => review(screen, game, act),
        Action::Escape if c.game.phase() == Phase::Asking && c.game.is_running() => auto(screen, game),
        Action::PlayOn | Action::Hint if game.is_thinking() => {
            refuse_now(screen, game);
            None
        }
        _ => at_any_board(screen, game, act),
    }
}

fn review(screen: &mut Screen, game: &Match, act: Action) -> Option<Effect> {
    let is_found = !game.game().mistakes().is_empty();
    match (act, is_found) {
        (Action::Review, _) if game.game().review_progress().is_some() => return ask(Command::StopReview),
        (Action::Review, _) if !game.is_thinking() => {
            screen.drawing.prefers_review = true;
            return ask(Command::Review);
        }
        (Action::Review, _) => refuse_now(screen, game),
        (_, true) => return ask(Command::ShowMistake),
        (_, false) => {
            let [judged, _, all] = game.game().reviewed();
            if game.game().review_progress().is_some() {
                screen.refuse(sentences::still_reviewed(judged, all, game.is_analysis()));
            } else {
                screen.refuse(if judged < all {
                    sentences::not_reviewed(game.is_analysis())
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
    ask(Command::Playback(PlaybackControl::Pause(pause)))
}

fn auto(screen: &mut Screen, game: &Match) -> Option<Effect> {
    let c = screen.with(Some(game));
    let (is_running, is_match) = (c.game.is_running(), c.game.is_match());
    let stops_soon = is_running && is_match && game.is_thinking();
    screen.tell(if stops_soon { sentences::stops_soon() } else { sentences::runs_by_itself(!is_running) });
    ask(Command::Playback(if is_running { PlaybackControl::Stop } else { PlaybackControl::Run }))
}
