//! Handles the keys at the board and returns the resulting match commands.

use crossterm::event::{KeyCode, KeyEvent};

use super::effect::ScreenEffect;
use super::facts::{MatchFacts, MatchPhase};
use super::frame::FrameContext;
use super::key_table::{KeyAction, KeyContext};
use super::layer::{COMMENT_COMMAND, ConfirmDialog, LinePrompt, ScreenLayer, comment_on_shown_position};
use super::layout::PanelId;
use super::list::{ListKind, SelectionList};
use super::menu::StartMenu;
use super::painting;
use super::panels::{self, cached_layout};
use super::screen::{AnalysisFocus, REPLAY_PAUSES, Screen, StatusMessage};
use super::{cursor, key_bar, line_keys, setup_keys};
use crate::messages::screen as sentences;
use crate::play::{
    AdviceKind, AnalysisEdit, Command, HistoryTarget, LevelChange, Match, PlaybackControl, PracticeItem,
    VariationDirection,
};
use crate::session::Position;
use crate::text;
use crate::text::Text;
use crate::ui::TypedLine;

#[expect(clippy::unnecessary_wraps, reason = "keys that ask nothing answer like the others")]
fn effect_of_command(command: Command) -> Option<ScreenEffect> {
    Some(ScreenEffect::Do(command))
}

/// Performs the action of a key at the board.
pub(super) fn perform_board_action(
    screen: &mut Screen,
    game: &Match,
    act: KeyAction,
    key: &KeyEvent,
) -> Option<ScreenEffect> {
    let c = screen.with_match(Some(game));
    let context = c.key_context();
    match act {
        KeyAction::Yes => return Some(ScreenEffect::Typed(TypedLine::parse(game, "y"))),
        KeyAction::No => return Some(ScreenEffect::Typed(TypedLine::parse(game, "n"))),
        KeyAction::Digit => return play_digit_cell(screen, game, key),
        KeyAction::Plain => return Some(ScreenEffect::Plain),
        _ if game.game().practice_item().is_some() => return perform_practice_action(screen, game, act, key),
        KeyAction::New if key.code == KeyCode::Char('N') && context.takes_moves() && !game.is_game_over() => {
            screen.set_refusal(sentences::game_not_over_message());
        }
        KeyAction::Escape | KeyAction::Present if game.game().shown_lesson().is_some() => {
            return effect_of_command(Command::EndLesson);
        }
        KeyAction::Quit if c.has_menu_behind_replay() => screen.layers.reopen_menu_behind_replay(),
        KeyAction::Quit if context == KeyContext::Replay && !game.has_no_human_player() => {
            return effect_of_command(Command::Show(HistoryTarget::Present));
        }
        KeyAction::Quit => return Some(ScreenEffect::Quit),
        KeyAction::Escape if game.is_reviewing() && !game.is_advising() => {
            return effect_of_command(Command::StopReview);
        }
        _ => match context {
            KeyContext::Replay => return perform_replay_action(screen, game, act),
            KeyContext::Looking => return perform_history_action(screen, game, act, key),
            KeyContext::Analysis => return perform_analysis_action(screen, game, act),
            KeyContext::Lines => {
                return line_keys::perform_line_action(screen, act)
                    .unwrap_or_else(|act| perform_analysis_action(screen, game, act));
            }
            KeyContext::SetUp => {
                return setup_keys::perform_setup_action(screen, game, act)
                    .unwrap_or_else(|act| perform_common_action(screen, game, act));
            }
            KeyContext::Board | KeyContext::Wall => return perform_playing_action(screen, game, act, key),
            _ => return perform_common_action(screen, game, act),
        },
    }
    None
}

/// Shows a refusal for a letter that has no action and begins no move.
pub(super) fn refuse_unknown_letter(screen: &mut Screen, game: Option<&Match>, letter: char) {
    match screen.with_match(game).key_context() {
        KeyContext::Replay => screen.set_refusal(sentences::is_replay_message()),
        KeyContext::Looking => screen.set_refusal(sentences::not_current_position_message()),
        KeyContext::Board | KeyContext::Wall | KeyContext::Analysis | KeyContext::Training => {
            screen.set_refusal(sentences::unknown_key_message(letter));
        }
        _ => {}
    }
}

/// Returns the cell that a digit key plays on a nine-cell board.
///
/// The digits are arranged as on a number pad.
fn cell_of_digit_key(c: &FrameContext<'_>, key: &KeyEvent) -> Option<String> {
    let digit = key.code.as_char()?.to_digit(10).filter(|&digit| digit > 0)? as usize - 1;
    if !c.screen.looks.habits.has_digits || c.key_context() != KeyContext::Board || !c.game.is_players_turn()
    {
        return None;
    }
    let canvas = c.paint_board(0)?;
    let mut cells: Vec<_> = canvas.spots().iter().filter(|spot| spot.layer == 0).collect();
    cells.sort_by_key(|spot| (spot.y, spot.x));
    Some(cells.get(3 * (2 - digit / 3) + digit % 3).filter(|_| cells.len() == 9)?.text.clone())
}

/// Reports whether a digit key plays a cell in the present state.
pub(super) fn is_cell_digit_key(c: &FrameContext<'_>, key: &KeyEvent) -> bool {
    cell_of_digit_key(c, key).is_some()
}

fn play_digit_cell(screen: &mut Screen, game: &Match, key: &KeyEvent) -> Option<ScreenEffect> {
    let place = cell_of_digit_key(&screen.with_match(Some(game)), key)?;
    cursor::move_cursor_to(screen, game, &place);
    play_or_confirm_swap(screen, game, place)
}

/// Opens the command prompt with this text.
fn open_prompt_with(screen: &mut Screen, text: &str) {
    screen.open_layer(ScreenLayer::Prompt(LinePrompt {
        text: text.to_owned(),
        command: text.to_owned(),
        next: None,
    }));
}

/// Asks for confirmation before an action that cannot be undone.
fn ask_for_confirmation(screen: &mut Screen, question: Text, command: Command) {
    screen.open_layer(ScreenLayer::Confirm(ConfirmDialog {
        question,
        effect: ScreenEffect::Do(command),
        refusal: None,
    }));
}

// ---- the board ----

/// Performs an action that works wherever a position is shown.
fn perform_common_action(screen: &mut Screen, game: &Match, act: KeyAction) -> Option<ScreenEffect> {
    match act {
        KeyAction::Back => return step_through_moves(game, -1),
        KeyAction::Forward => return step_through_moves(game, 1),
        KeyAction::Path => switch_to_next_overlay(screen, game),
        KeyAction::Flip => flip_board(screen, game),
        KeyAction::Panel => return toggle_engine_panel(screen, game),
        KeyAction::Escape if Some(game).phase() != MatchPhase::Asking => {
            return effect_of_command(Command::MoveNow);
        }
        KeyAction::Command => open_prompt_with(screen, ""),
        KeyAction::Save => open_prompt_with(screen, "save "),
        KeyAction::Open => screen.open_layer(ScreenLayer::List(SelectionList::new(ListKind::Files("load")))),
        KeyAction::New => screen.open_layer(ScreenLayer::Menu(Box::new(StartMenu::from_game(game.game())))),
        KeyAction::PlayOn => return effect_of_command(Command::PlayHere),
        KeyAction::Analyze => return effect_of_command(Command::Analyze),
        KeyAction::Hint => return effect_of_command(Command::Advise(AdviceKind::Hint)),
        _ => cursor::step_cursor(screen, game, act), // keys that move the cursor
    }
    None
}

fn perform_playing_action(
    screen: &mut Screen,
    game: &Match,
    act: KeyAction,
    key: &KeyEvent,
) -> Option<ScreenEffect> {
    let c = screen.with_match(Some(game));
    let is_asking = c.game.phase() == MatchPhase::Asking;
    match act {
        KeyAction::Walls if c.game.is_analysis() && key.code == KeyCode::Tab => {
            line_keys::focus_engine_lines(screen, game);
        }
        KeyAction::Walls => cursor::toggle_cursor_layer(screen, game),
        KeyAction::Rotate => cursor::rotate_wall(screen, game, None),
        KeyAction::Across => cursor::rotate_wall(screen, game, Some(1)),
        KeyAction::Upright => cursor::rotate_wall(screen, game, Some(2)),
        KeyAction::Escape if is_asking && screen.cursor.layer > 0 => {
            cursor::toggle_cursor_layer(screen, game);
        }
        KeyAction::Escape if game.game().is_quick_review_running() => {
            return effect_of_command(Command::StopReview);
        }
        KeyAction::Escape if c.game.is_analysis() => screen.cursor.focus = AnalysisFocus::Moves,
        KeyAction::Escape if is_asking => screen.remark = StatusMessage::Invitation,
        KeyAction::Level => open_prompt_with(screen, "level "),
        KeyAction::Undo => return effect_of_command(Command::Undo(None)),
        KeyAction::Redo => return effect_of_command(Command::Redo(None)),
        KeyAction::Play => return play_or_confirm_swap(screen, game, screen.cursor.place.clone()?),
        KeyAction::Swap if !key_bar::action_applies_to_game(&c, KeyAction::Swap) => {
            screen.set_refusal(sentences::NO_SWAP_MESSAGE);
        }
        KeyAction::Swap => {
            return play_move_if_allowed(
                screen,
                game,
                c.game.present_position()?.named_moves().first()?.0.to_owned(),
            );
        }
        KeyAction::Again => return effect_of_command(Command::Again),
        KeyAction::Easier => return effect_of_command(Command::AgainAt(LevelChange::Lower)),
        KeyAction::Harder => return effect_of_command(Command::AgainAt(LevelChange::Higher)),
        KeyAction::Review | KeyAction::TurningPoint => return perform_review_action(screen, game, act),
        KeyAction::Resign if c.game.is_game_over() => screen.set_refusal(sentences::game_over_message()),
        KeyAction::Resign if game.is_thinking() => refuse_while_engine_thinks(screen, game),
        KeyAction::Resign => {
            ask_for_confirmation(screen, sentences::confirm_resign_question(), Command::Resign);
        }
        _ => return perform_common_action(screen, game, act),
    }
    None
}

/// Performs an action at the analysis board while the arrow keys step through the moves.
fn perform_analysis_action(screen: &mut Screen, game: &Match, act: KeyAction) -> Option<ScreenEffect> {
    match act {
        KeyAction::Cursor if game.shown_position().outcome().is_some() => {
            screen.remark = StatusMessage::Invitation;
        }
        KeyAction::Cursor => {
            screen.cursor.focus = AnalysisFocus::Cursor;
            screen.remark = StatusMessage::Invitation;
        }
        KeyAction::Hide => return effect_of_command(Command::Edit(AnalysisEdit::Hide)),
        KeyAction::Mark => open_prompt_with(screen, "mark "),
        KeyAction::Comment => {
            let (command, text) =
                (COMMENT_COMMAND.to_owned(), format!("{COMMENT_COMMAND}{}", comment_on_shown_position(game)));
            screen.open_layer(ScreenLayer::Prompt(LinePrompt { text, command, next: None }));
        }
        KeyAction::SetUp => {
            screen.cursor.focus = AnalysisFocus::SetUp;
            screen.remark = StatusMessage::Invitation;
        }
        KeyAction::FewerLines | KeyAction::MoreLines => line_keys::change_line_count(screen, game, act),
        KeyAction::Promote => return effect_of_command(Command::Promote),
        KeyAction::Undo => return effect_of_command(Command::Undo(None)),
        KeyAction::Redo => return effect_of_command(Command::Redo(None)),
        KeyAction::Level => open_prompt_with(screen, "level "),
        KeyAction::Escape if game.previous_game().is_none() && !game.is_advising() => {
            screen.open_layer(ScreenLayer::Menu(Box::new(StartMenu::from_game(game.game()))));
        }
        KeyAction::Escape if !game.is_advising() => return effect_of_command(Command::ReturnToGame),
        KeyAction::Review | KeyAction::TurningPoint => return perform_review_action(screen, game, act),
        _ => return perform_replay_action(screen, game, act),
    }
    None
}

/// Performs an action while you practise your own mistakes.
fn perform_practice_action(
    screen: &mut Screen,
    game: &Match,
    act: KeyAction,
    key: &KeyEvent,
) -> Option<ScreenEffect> {
    let c = screen.with_match(Some(game));
    let is_answered = c.game.practice().is_some_and(PracticeItem::is_answered);
    let (has_lesson, is_looking) = (game.game().shown_lesson().is_some(), c.game.shows_other_position());
    let is_next = key.code == KeyCode::Char('N') || is_answered && act == KeyAction::Play;
    match act {
        KeyAction::NextTask | KeyAction::New | KeyAction::Play if is_next => {
            return effect_of_command(Command::NextTask);
        }
        KeyAction::TurningPoint => return effect_of_command(Command::Solve),
        KeyAction::Left | KeyAction::Back if has_lesson => return step_through_moves(game, -1),
        KeyAction::Right | KeyAction::Forward if has_lesson => return step_through_moves(game, 1),
        KeyAction::Escape | KeyAction::Undo if has_lesson => return effect_of_command(Command::EndLesson),
        KeyAction::Escape | KeyAction::Undo | KeyAction::Present | KeyAction::Play if is_looking => {
            return effect_of_command(Command::Undo(None));
        }
        KeyAction::Escape if screen.cursor.layer > 0 => cursor::toggle_cursor_layer(screen, game),
        KeyAction::Escape | KeyAction::Quit if game.previous_game().is_some() => {
            return effect_of_command(Command::ReturnToGame);
        }
        KeyAction::Escape | KeyAction::Quit if c.has_menu_behind_replay() => {
            screen.layers.reopen_menu_behind_replay();
        }
        KeyAction::Quit => return Some(ScreenEffect::Quit),
        KeyAction::Escape => {
            screen.open_layer(ScreenLayer::Menu(Box::new(StartMenu::from_game(game.game()))));
        }
        KeyAction::Undo
        | KeyAction::Redo
        | KeyAction::Resign
        | KeyAction::Hint
        | KeyAction::Panel
        | KeyAction::Level
        | KeyAction::Review
        | KeyAction::PlayOn
        | KeyAction::Save
        | KeyAction::Again => screen.set_refusal(sentences::practising_message()),
        _ => return perform_playing_action(screen, game, act, key),
    }
    None
}

/// Shows a status message, followed by the position's own message.
///
/// The position's message is omitted if it is not the player's turn or if it does not fit.
fn append_status(screen: &mut Screen, game: &Match, text: impl Into<Text>) {
    let (c, text) = (screen.with_match(Some(game)), text.into());
    let comment =
        c.game.shown_position().filter(|_| c.game.is_players_turn()).and_then(Position::last_move_comment);
    let both = comment.map(|comment| text!("{text} {comment}")).filter(|both| c.fits_status_line(both));
    screen.set_status(both.unwrap_or(text));
}

/// Switches to the next overlay, or turns overlays off after the last one.
fn switch_to_next_overlay(screen: &mut Screen, game: &Match) {
    let titles = screen.with_match(Some(game)).overlay_titles();
    if game.shown_position().outcome().is_some() {
        screen.set_refusal(if titles.is_empty() {
            sentences::NO_OVERLAYS_MESSAGE
        } else {
            sentences::NO_OVERLAYS_AT_END_MESSAGE
        });
        return;
    }
    let was_alone = screen.drawing.overlay == 0;
    let now = advance_overlay(screen, game, titles.len());
    let next = if now == 0 { 0 } else { advance_overlay(screen, game, titles.len()) };
    screen.drawing.overlay = now;
    let title = |overlay: usize| overlay.checked_sub(1).map(|index| &titles[index]);
    let said = match title(now) {
        Some(shown) => {
            let [long, short] = sentences::overlay_title(shown, title(next));
            if screen.with_match(Some(game)).fits_status_line(&long) { long } else { short }
        }
        None if titles.is_empty() => sentences::NO_OVERLAYS_MESSAGE.into(),
        None if was_alone => sentences::empty_overlays_message(&titles),
        None => sentences::OVERLAYS_OFF_MESSAGE.into(),
    };
    append_status(screen, game, &said);
    cursor::append_to_wall_preview(screen, game, &said);
}

/// Advances to the next of `all` overlays that marks anything.
///
/// Returns its number, or 0 after the last one.
fn advance_overlay(screen: &mut Screen, game: &Match, all: usize) -> usize {
    loop {
        let now = screen.drawing.overlay;
        screen.drawing.overlay = if now < all { now + 1 } else { 0 };
        let c = screen.with_match(Some(game));
        if screen.drawing.overlay == 0 || painting::shows_path_overlay(&c) || !c.board_marks().is_empty() {
            return screen.drawing.overlay;
        }
    }
}

/// Flips the board, if it can be flipped.
fn flip_board(screen: &mut Screen, game: &Match) {
    let turns = game.shown_position().as_paint().can_flip();
    screen.drawing.is_turned ^= turns;
    if turns {
        append_status(screen, game, sentences::flipped_board_message(screen.drawing.is_turned));
    } else {
        screen.set_refusal(sentences::CANNOT_FLIP_MESSAGE);
    }
}

/// Turns the analysis of the shown position on or off.
///
/// Turning it on starts the engine if there is no result yet.
fn toggle_engine_panel(screen: &mut Screen, game: &Match) -> Option<ScreenEffect> {
    let c = screen.with_match(Some(game));
    let (is_over, layout) = (game.shown_position().outcome().is_some(), cached_layout(&c));
    let hides_curve = layout.hides_engine || layout.hides_review();
    // If no engine has to run, only the panel is switched.
    let is_known =
        is_over || c.game.is_between_engines() || !game.shown_position().exact_move_values().is_empty();
    let has_room = layout.has_room_for_engine;
    let no_room = if has_room { String::new() } else { panels::explain_missing_panel(&c, !is_known) };
    if !has_room && is_known {
        screen.set_refusal(if is_over { sentences::NO_ANALYSIS_AT_END_MESSAGE } else { &no_room });
        return None;
    }
    let is_there = layout.shows_panel(PanelId::Engine) || !has_room;
    // At the end of a replay the panel is shown without a request.
    let is_end_of_replay = is_over && c.game.is_replay();
    let has_studied = c.screen.drawing.studies && (is_there || is_end_of_replay);
    let is_on = !(has_studied || is_there && is_known && !is_end_of_replay);
    (screen.drawing.studies, screen.drawing.shows_engine) = (is_on, is_on);
    screen.drawing.prefers_review = !is_on;
    match is_known {
        true if is_end_of_replay => {
            append_status(screen, game, sentences::analysis_message(is_on, hides_curve));
        }
        true if is_over && is_on => {} // the result stays readable
        true => append_status(screen, game, sentences::value_panel_message(is_on)),
        false if is_on && !has_room => append_status(screen, game, &no_room),
        false => append_status(screen, game, sentences::analysis_message(is_on, hides_curve)),
    }
    if screen.with_match(Some(game)).wants_engine_study() {
        effect_of_command(Command::Advise(AdviceKind::Study))
    } else {
        None
    }
}

pub(super) fn refuse_while_engine_thinks(screen: &mut Screen, game: &Match) {
    let c = screen.with_match(Some(game));
    screen.set_refusal(if c.game.shows_other_position() && !c.game.has_no_human_player() {
        sentences::still_thinking_message()
    } else if c.game.is_engine_match() {
        sentences::engine_match_running_message()
    } else {
        sentences::refused_while_thinking(game.is_external_engine_thinking())
    });
}

/// Plays the move of a cell or wall slot. The player must confirm a swap.
pub(super) fn play_or_confirm_swap(screen: &mut Screen, game: &Match, place: String) -> Option<ScreenEffect> {
    let c = screen.with_match(Some(game));
    if c.game.is_players_turn() && c.game.available_swap_command() == Some(&place) {
        ask_for_confirmation(screen, sentences::confirm_swap_question(), Command::Place(place));
        return None;
    }
    play_move_if_allowed(screen, game, place)
}

/// Plays a move, or shows the reason why no move can be played now.
fn play_move_if_allowed(screen: &mut Screen, game: &Match, text: String) -> Option<ScreenEffect> {
    let c = screen.with_match(Some(game));
    match c.game.shows_other_position() {
        false if game.is_thinking() => refuse_while_engine_thinks(screen, game),
        false if c.game.is_game_over() => screen.set_refusal(sentences::game_over_message()),
        _ => return effect_of_command(Command::Place(text)), // moves are possible only at the present position
    }
    None
}

/// Shows the position `step` moves later in the current line, or earlier if `step` is negative.
pub(super) fn step_through_moves(game: &Match, step: isize) -> Option<ScreenEffect> {
    if game.is_advising() {
        return None; // the advice is for the shown position
    }
    if game.game().shown_lesson().is_some() {
        return effect_of_command(Command::Show(if step < 0 {
            HistoryTarget::Back(1)
        } else {
            HistoryTarget::Next(1)
        }));
    }
    let here = game.shown_position().plies();
    let there = here.saturating_add_signed(step).min(game.last_ply());
    let count = there.abs_diff(here).max(1); // at the end, the match reports that there are no more moves
    effect_of_command(Command::Show(if step < 0 {
        HistoryTarget::Back(count)
    } else {
        HistoryTarget::Next(count)
    }))
}

// ---- other positions ----

/// Performs an action while the shown position is not the present one.
///
/// No move can be played at such a position.
fn perform_history_action(
    screen: &mut Screen,
    game: &Match,
    act: KeyAction,
    key: &KeyEvent,
) -> Option<ScreenEffect> {
    match act {
        KeyAction::Present => effect_of_command(Command::Show(HistoryTarget::Present)),
        KeyAction::Escape if !game.is_advising() => effect_of_command(Command::Show(HistoryTarget::Present)),
        KeyAction::First
        | KeyAction::Last
        | KeyAction::OtherBack
        | KeyAction::OtherOn
        | KeyAction::TenBack
        | KeyAction::TenForward => perform_replay_action(screen, game, act),
        _ => perform_playing_action(screen, game, act, key),
    }
}

fn perform_replay_action(screen: &mut Screen, game: &Match, act: KeyAction) -> Option<ScreenEffect> {
    let c = screen.with_match(Some(game));
    match act {
        KeyAction::TenBack => step_through_moves(game, -10),
        KeyAction::TenForward => step_through_moves(game, 10),
        KeyAction::First => effect_of_command(Command::Show(HistoryTarget::Ply(0))),
        KeyAction::Last if c.game.has_no_human_player() => {
            effect_of_command(Command::Show(HistoryTarget::Present))
        }
        KeyAction::Last => effect_of_command(Command::Show(HistoryTarget::Ply(game.last_ply()))),
        KeyAction::OtherBack => {
            effect_of_command(Command::Show(HistoryTarget::Sibling(VariationDirection::Previous)))
        }
        KeyAction::OtherOn => {
            effect_of_command(Command::Show(HistoryTarget::Sibling(VariationDirection::Next)))
        }
        KeyAction::Auto => toggle_autoplay(screen, game),
        KeyAction::Faster => change_replay_pause(screen, game, -1),
        KeyAction::Slower => change_replay_pause(screen, game, 1),
        KeyAction::Review | KeyAction::TurningPoint => perform_review_action(screen, game, act),
        KeyAction::Escape if c.game.phase() == MatchPhase::Asking && c.game.is_autoplaying() => {
            toggle_autoplay(screen, game)
        }
        KeyAction::PlayOn | KeyAction::Hint if game.is_thinking() => {
            refuse_while_engine_thinks(screen, game);
            None
        }
        _ => perform_common_action(screen, game, act),
    }
}

fn perform_review_action(screen: &mut Screen, game: &Match, act: KeyAction) -> Option<ScreenEffect> {
    let is_found = !game.game().marked_mistakes().is_empty();
    match (act, is_found) {
        (KeyAction::Review, _) if game.game().review_progress().is_some() => {
            return effect_of_command(Command::StopReview);
        }
        (KeyAction::Review, _) if !game.is_thinking() => {
            screen.drawing.prefers_review = true;
            return effect_of_command(Command::Review);
        }
        (KeyAction::Review, _) => refuse_while_engine_thinks(screen, game),
        (_, true) => return effect_of_command(Command::ShowMistake),
        (_, false) => {
            let [judged, _, all] = game.game().review_counts();
            if game.game().review_progress().is_some() {
                screen.set_refusal(sentences::still_reviewing_message(judged, all, game.is_analysis()));
            } else {
                screen.set_refusal(if judged < all {
                    sentences::not_reviewed_message(game.is_analysis())
                } else {
                    sentences::NO_TURNING_POINT_MESSAGE.into()
                });
            }
        }
    }
    None
}

fn change_replay_pause(screen: &mut Screen, game: &Match, turn: isize) -> Option<ScreenEffect> {
    let now =
        REPLAY_PAUSES.iter().position(|pause| *pause >= game.game().playback_state().pause).unwrap_or(0);
    let pause = REPLAY_PAUSES[now.saturating_add_signed(turn).min(REPLAY_PAUSES.len() - 1)];
    screen.set_status(sentences::replay_speed_message(pause.as_secs_f64()));
    effect_of_command(Command::Playback(PlaybackControl::Pause(pause)))
}

fn toggle_autoplay(screen: &mut Screen, game: &Match) -> Option<ScreenEffect> {
    let c = screen.with_match(Some(game));
    let (is_running, is_match) = (c.game.is_autoplaying(), c.game.is_engine_match());
    let stops_soon = is_running && is_match && game.is_thinking();
    screen.set_status(if stops_soon {
        sentences::stopping_message()
    } else {
        sentences::auto_play_message(!is_running)
    });
    effect_of_command(Command::Playback(if is_running {
        PlaybackControl::Stop
    } else {
        PlaybackControl::Run
    }))
}
