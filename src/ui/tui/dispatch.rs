//! Dispatches keys, clicks and pasted text to the highest layer, otherwise to the board. This
//! module also applies the effects that layers return.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::board_keys;
use super::component::{LayerAnswer, LayerComponent, LayerEffect};
use super::cursor;
use super::effect::ScreenEffect;
use super::facts::{MatchFacts, OptionalMatch};
use super::frame::FrameContext;
use super::help::build_help_page;
use super::key_table::{self, KeyAction, KeyContext, LAST_MOVE_LETTER};
use super::layer::{LayerRank, LinePrompt, ScreenLayer};
use super::layers::layer_component_mut;
use super::screen::Screen;
use super::words::{set_theme, submit_line};

/// Handles a key.
///
/// The decoder reports Esc and a key that arrive together as Alt with that key. No binding uses
/// Alt, so it is split into two keys.
pub(super) fn handle_key(
    screen: &mut Screen,
    game: OptionalMatch<'_>,
    key: &KeyEvent,
) -> Option<ScreenEffect> {
    if !key.modifiers.contains(KeyModifiers::ALT) {
        return handle_single_key(screen, game, key);
    }
    let plain = KeyEvent { modifiers: key.modifiers - KeyModifiers::ALT, ..*key };
    handle_single_key(screen, game, &KeyCode::Esc.into()).or_else(|| handle_single_key(screen, game, &plain))
}

fn handle_single_key(screen: &mut Screen, game: OptionalMatch<'_>, key: &KeyEvent) -> Option<ScreenEffect> {
    let key = &translate_vi_key(&screen.with_match(game), *key);
    let act = find_key_action(&screen.with_match(game), key);
    let always = match act {
        Some(KeyAction::Interrupt) => Some(ScreenEffect::Interrupt),
        Some(KeyAction::Suspend) => Some(ScreenEffect::Suspend),
        Some(KeyAction::Redraw) => Some(ScreenEffect::Redraw),
        _ => None,
    };
    if always.is_some() {
        return always;
    }
    let letter = key.code.as_char().filter(|_| !key.modifiers.contains(KeyModifiers::CONTROL));
    match (act, letter) {
        (Some(KeyAction::Type), Some(letter)) => {
            open_prompt_and_type(screen, game, letter.encode_utf8(&mut [0; 4]))
        }
        (Some(act), _) => perform_action(screen, game, act, key),
        (None, Some(letter)) if screen.with_match(game).top_layer().is_some() => {
            let text = letter.to_string();
            offer_to_top_layer(screen, game, |_| true, |layer, c| layer.insert_text(&text, c)).into_effect()
        }
        (None, letter) => {
            if let Some(letter) = letter.filter(char::is_ascii_alphanumeric) {
                board_keys::refuse_unknown_letter(screen, game, letter);
            }
            None
        }
    }
}

impl FrameContext<'_> {
    /// Returns the action of a key on this screen, if the key has one.
    ///
    /// A letter that is typed into a line has no other action.
    pub fn action_for_key(&self, key: &KeyEvent) -> Option<KeyAction> {
        find_key_action(self, &translate_vi_key(self, *key))
    }
}

/// Finds the action of a key after vi keys have been translated.
fn find_key_action(c: &FrameContext<'_>, key: &KeyEvent) -> Option<KeyAction> {
    let typed = || {
        let is_digit = board_keys::is_cell_digit_key(c, key);
        if is_digit { Some(KeyAction::Digit) } else { key_starts_typing(c, key).then_some(KeyAction::Type) }
    };
    typed().or_else(|| key_table::find_action(c.key_context(), key))
}

/// Reports whether a key begins a typed line.
fn key_starts_typing(c: &FrameContext<'_>, event: &KeyEvent) -> bool {
    if !c.key_context().takes_moves() || c.screen.looks.habits.has_vi_keys {
        return false;
    }
    let is_running = c.game.is_some_and(|game| game.game().outcome().is_none());
    // In these contexts capitals are keys.
    let has_capitals = matches!(c.key_context(), KeyContext::Analysis | KeyContext::Training);
    match event.code.as_char().filter(|_| !event.modifiers.contains(KeyModifiers::CONTROL)) {
        Some('a' | 'j') => is_running, // they are keys once no move can be played
        Some('a'..=LAST_MOVE_LETTER | '0'..='9') => true,
        // A capital letter may begin a move. One that begins none is a key, or a typing mistake.
        Some(capital @ 'A'..='Z') if capital.to_ascii_lowercase() <= LAST_MOVE_LETTER => {
            is_running && !has_capitals && letter_begins_legal_move(c, capital)
        }
        _ => false,
    }
}

/// Reports whether a legal move begins with this letter, in upper or lower case.
fn letter_begins_legal_move(c: &FrameContext<'_>, letter: char) -> bool {
    let begins = |mv: &String| mv.starts_with(letter.to_ascii_lowercase());
    c.game.present_position().is_some_and(|present| present.legal_moves().iter().any(begins))
}

/// Translates a vi key such as `h` or `j` to the key that it stands for, if vi keys are on.
fn translate_vi_key(c: &FrameContext<'_>, key: KeyEvent) -> KeyEvent {
    let context = c.key_context();
    let is_letter = !c.screen.looks.habits.has_vi_keys || context.takes_text();
    if is_letter || key.modifiers.contains(KeyModifiers::CONTROL) {
        return key;
    }
    let is_board = matches!(context, KeyContext::Board | KeyContext::Wall);
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
    KeyEvent { code, ..key }
}

/// Performs an action in the highest layer, or else at the board.
///
/// A key or a click on the key bar has triggered the action.
pub(super) fn perform_action(
    screen: &mut Screen,
    game: OptionalMatch<'_>,
    act: KeyAction,
    key: &KeyEvent,
) -> Option<ScreenEffect> {
    let is_at_the_board = screen.with_match(game).top_layer().is_none();
    if screen.layers.is_empty() {
        screen.cursor.before = None; // the earlier line is done
    }
    if let LayerOfferResult::Taken(effect) =
        offer_to_top_layer(screen, game, |_| true, |layer, c| layer.perform(act, key, c))
    {
        return effect;
    }
    match (act, game) {
        (KeyAction::Theme, _) => set_theme(screen, screen.looks.theme.step_from(1, screen.looks.own_themes)),
        (KeyAction::Help, _) => {
            screen.open_layer(ScreenLayer::Page(build_help_page(&screen.with_match(game))));
        }
        (_, Some(game)) if is_at_the_board => {
            return board_keys::perform_board_action(screen, game, act, key);
        }
        _ => {}
    }
    None
}

/// Result of offering an event to a layer.
pub(super) enum LayerOfferResult {
    /// No layer is open, or the event is not for the layer.
    PassedOn,
    /// The layer has handled the event, which may have an effect outside the screen.
    Taken(Option<ScreenEffect>),
}

impl LayerOfferResult {
    /// Returns the effect outside the screen, if there is one.
    pub(super) fn into_effect(self) -> Option<ScreenEffect> {
        if let LayerOfferResult::Taken(effect) = self { effect } else { None }
    }
}

/// Offers an event to the highest layer that `is_wanted` accepts.
pub(super) fn offer_to_top_layer(
    screen: &mut Screen,
    game: OptionalMatch<'_>,
    is_wanted: impl Fn(&ScreenLayer) -> bool,
    take: impl FnOnce(&mut dyn LayerComponent, &FrameContext<'_>) -> LayerAnswer,
) -> LayerOfferResult {
    let hides_line = screen.with_match(game).hides_prompt();
    let is_meant =
        |layer: &ScreenLayer| is_wanted(layer) && !(hides_line && layer.rank() == LayerRank::Prompt);
    let Some(mut layer) = screen.layers.take_highest(is_meant) else { return LayerOfferResult::PassedOn };
    let answer = take(layer_component_mut(&mut layer), &screen.with_match(game));
    let rank = layer.rank();
    screen.layers.open(layer);
    match answer {
        LayerAnswer::PassOn => LayerOfferResult::PassedOn,
        LayerAnswer::Handled(effects) => {
            LayerOfferResult::Taken(apply_layer_effects(screen, game, rank, effects))
        }
    }
}

/// Applies the effects that a layer returned. Returns the effect outside the screen, if there is
/// one.
fn apply_layer_effects(
    screen: &mut Screen,
    game: OptionalMatch<'_>,
    rank: LayerRank,
    effects: Vec<LayerEffect>,
) -> Option<ScreenEffect> {
    let mut asked = None;
    for effect in effects {
        match effect {
            LayerEffect::Open(layer) => screen.open_layer(*layer),
            LayerEffect::Close => screen.close_layer(rank),
            LayerEffect::Say(text) => screen.show_message(text),
            LayerEffect::Focus(place) => {
                if let Some(game) = game {
                    cursor::move_cursor_to(screen, game, &place);
                }
            }
            LayerEffect::PutCursorBack => {
                screen.restore_cursor();
                if let (Some(place), Some(game), None) = (screen.cursor.place.clone(), game, screen.menu()) {
                    cursor::move_cursor_to(screen, game, &place);
                }
            }
            LayerEffect::ChangeTheme(step) => {
                screen.looks.theme = screen.looks.theme.step_from(step, screen.looks.own_themes);
            }
            LayerEffect::Submit(line) => asked = submit_line(screen, game, &line),
            LayerEffect::Ask(effect) => asked = Some(effect),
        }
    }
    asked
}

/// Opens the command prompt and types this text into it.
fn open_prompt_and_type(screen: &mut Screen, game: OptionalMatch<'_>, text: &str) -> Option<ScreenEffect> {
    screen.open_layer(ScreenLayer::Prompt(LinePrompt::default()));
    offer_to_top_layer(screen, game, |_| true, |layer, c| layer.insert_text(text, c)).into_effect()
}

/// Inserts pasted text without triggering keys. If no line is being typed, a prompt opens.
pub(super) fn handle_paste(screen: &mut Screen, game: OptionalMatch<'_>, text: &str) {
    let text = flatten_to_one_line(text);
    if text.is_empty() {
        return;
    }
    let offered = offer_to_top_layer(screen, game, |_| true, |layer, c| layer.insert_text(&text, c));
    if matches!(offered, LayerOfferResult::PassedOn) && !screen.with_match(game).is_window_too_small() {
        open_prompt_and_type(screen, game, &text);
    }
}

/// Flattens a text to one line. Line breaks become spaces, and control characters are dropped.
fn flatten_to_one_line(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let spaced = text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter });
    let letters: String = spaced.filter(|letter| !letter.is_control()).collect();
    letters.trim().to_owned()
}
