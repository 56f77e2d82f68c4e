//! Dispatch of keys, clicks and pasted text: to the highest layer, then to the board. The effects
//! of layers are carried out here.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::board_keys;
use super::component::{Answer, Component, LayerEffect};
use super::cursor;
use super::effect::Effect;
use super::facts::{Facts, Game};
use super::frame::FrameContext;
use super::help::help;
use super::key_table::{self, Action, Context, LAST_LETTER};
use super::layer::{Layer, Prompt, Rank};
use super::layers::component;
use super::screen::Screen;
use super::words::{submit, take_theme};

/// Handles a key. The decoder reports Esc and a key in one piece as Alt and the key; no binding
/// uses Alt, so it is split back.
pub(super) fn press(screen: &mut Screen, game: Game<'_>, key: &KeyEvent) -> Option<Effect> {
    if !key.modifiers.contains(KeyModifiers::ALT) {
        return press_one(screen, game, key);
    }
    let plain = KeyEvent { modifiers: key.modifiers - KeyModifiers::ALT, ..*key };
    press_one(screen, game, &KeyCode::Esc.into()).or_else(|| press_one(screen, game, &plain))
}

fn press_one(screen: &mut Screen, game: Game<'_>, key: &KeyEvent) -> Option<Effect> {
    let key = &translated(&screen.with(game), *key);
    let act = action(&screen.with(game), key);
    let always = match act {
        Some(Action::Interrupt) => Some(Effect::Interrupt),
        Some(Action::Suspend) => Some(Effect::Suspend),
        Some(Action::Redraw) => Some(Effect::Redraw),
        _ => None,
    };
    if always.is_some() {
        return always;
    }
    let letter = key.code.as_char().filter(|_| !key.modifiers.contains(KeyModifiers::CONTROL));
    match (act, letter) {
        (Some(Action::Type), Some(letter)) => {
            type_at_the_board(screen, game, letter.encode_utf8(&mut [0; 4]))
        }
        (Some(act), _) => perform(screen, game, act, key),
        (None, Some(letter)) if screen.with(game).top().is_some() => {
            let text = letter.to_string();
            offer(screen, game, |_| true, |layer, c| layer.text(&text, c)).effect()
        }
        (None, letter) => {
            if let Some(letter) = letter.filter(char::is_ascii_alphanumeric) {
                board_keys::refuse_letter(screen, game, letter);
            }
            None
        }
    }
}

impl FrameContext<'_> {
    /// Returns the action of a key here, if it has one. A letter that is typed into a line has no
    /// other action.
    pub fn action(&self, key: &KeyEvent) -> Option<Action> {
        action(self, &translated(self, *key))
    }
}

/// Returns the action of a key here.
fn action(c: &FrameContext<'_>, key: &KeyEvent) -> Option<Action> {
    let typed = || {
        let is_digit = board_keys::means_cell(c, key);
        if is_digit { Some(Action::Digit) } else { starts_typing(c, key).then_some(Action::Type) }
    };
    typed().or_else(|| key_table::find(c.context(), key))
}

/// Reports whether the key would be typed into the field.
fn starts_typing(c: &FrameContext<'_>, event: &KeyEvent) -> bool {
    if !c.context().takes_moves() || c.screen.looks.habits.has_vi_keys {
        return false;
    }
    let is_running = c.game.is_some_and(|game| game.game().outcome().is_none());
    let has_capitals = matches!(c.context(), Context::Analysis | Context::Training); // they are keys
    match event.code.as_char().filter(|_| !event.modifiers.contains(KeyModifiers::CONTROL)) {
        Some('a' | 'j') => is_running, // where nothing can be played they are keys
        Some('a'..=LAST_LETTER | '0'..='9') => true,
        // A capital may begin a move; one that begins none is a key, or a typing mistake.
        Some(capital @ 'A'..='Z') if capital.to_ascii_lowercase() <= LAST_LETTER => {
            is_running && !has_capitals && begins_move(c, capital)
        }
        _ => false,
    }
}

/// Reports whether a legal move begins with this letter, in whatever case.
fn begins_move(c: &FrameContext<'_>, letter: char) -> bool {
    let begins = |mv: &String| mv.starts_with(letter.to_ascii_lowercase());
    c.game.present().is_some_and(|present| present.legal().iter().any(begins))
}

/// Returns the key that a letter stands for where `h j k l` move the cursor.
fn translated(c: &FrameContext<'_>, key: KeyEvent) -> KeyEvent {
    let context = c.context();
    let is_letter = !c.screen.looks.habits.has_vi_keys || context.takes_text();
    if is_letter || key.modifiers.contains(KeyModifiers::CONTROL) {
        return key;
    }
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
    KeyEvent { code, ..key }
}

/// Performs the action of a key or of a click on the key bar: in the highest layer, else at the
/// board.
pub(super) fn perform(screen: &mut Screen, game: Game<'_>, act: Action, key: &KeyEvent) -> Option<Effect> {
    let is_at_the_board = screen.with(game).top().is_none();
    if screen.layers.is_empty() {
        screen.cursor.before = None; // the earlier line is done
    }
    if let Offered::Taken(effect) = offer(screen, game, |_| true, |layer, c| layer.act(act, key, c)) {
        return effect;
    }
    match (act, game) {
        (Action::Theme, _) => take_theme(screen, screen.looks.theme.beside(1, screen.looks.own_themes)),
        (Action::Help, _) => screen.open(Layer::Page(help(&screen.with(game)))),
        (_, Some(game)) if is_at_the_board => return board_keys::perform(screen, game, act, key),
        _ => {}
    }
    None
}

/// Result of an offer to a layer.
pub(super) enum Offered {
    /// There was no layer, or it was not for it.
    PassedOn,
    /// The layer has taken it, with this effect outside.
    Taken(Option<Effect>),
}

impl Offered {
    /// Returns the effect outside of the screen.
    pub(super) fn effect(self) -> Option<Effect> {
        if let Offered::Taken(effect) = self { effect } else { None }
    }
}

/// Offers something to the highest of these layers.
pub(super) fn offer(
    screen: &mut Screen,
    game: Game<'_>,
    is_wanted: impl Fn(&Layer) -> bool,
    take: impl FnOnce(&mut dyn Component, &FrameContext<'_>) -> Answer,
) -> Offered {
    let hides_line = screen.with(game).hides_line();
    let is_meant = |layer: &Layer| is_wanted(layer) && !(hides_line && layer.rank() == Rank::Prompt);
    let Some(mut layer) = screen.layers.take_highest(is_meant) else { return Offered::PassedOn };
    let answer = take(component(&mut layer), &screen.with(game));
    let rank = layer.rank();
    screen.layers.open(layer);
    match answer {
        Answer::PassOn => Offered::PassedOn,
        Answer::Handled(effects) => Offered::Taken(apply(screen, game, rank, effects)),
    }
}

/// Carries out the effects of a layer.
fn apply(screen: &mut Screen, game: Game<'_>, rank: Rank, effects: Vec<LayerEffect>) -> Option<Effect> {
    let mut asked = None;
    for effect in effects {
        match effect {
            LayerEffect::Open(layer) => screen.open(*layer),
            LayerEffect::Close => screen.close(rank),
            LayerEffect::Say(text) => screen.announce(text),
            LayerEffect::Focus(place) => {
                if let Some(game) = game {
                    cursor::focus_on(screen, game, &place);
                }
            }
            LayerEffect::PutCursorBack => {
                screen.put_cursor_back();
                if let (Some(place), Some(game), None) = (screen.cursor.place.clone(), game, screen.menu()) {
                    cursor::focus_on(screen, game, &place);
                }
            }
            LayerEffect::ChangeTheme(step) => {
                screen.looks.theme = screen.looks.theme.beside(step, screen.looks.own_themes);
            }
            LayerEffect::Submit(line) => asked = submit(screen, game, &line),
            LayerEffect::Ask(effect) => asked = Some(effect),
        }
    }
    asked
}

/// Opens a line with this text in it.
fn type_at_the_board(screen: &mut Screen, game: Game<'_>, text: &str) -> Option<Effect> {
    screen.open(Layer::Prompt(Prompt::default()));
    offer(screen, game, |_| true, |layer, c| layer.text(text, c)).effect()
}

/// Takes pasted text: it is typed and triggers no keys, whatever its letters are. If no line is
/// being typed one opens for it.
pub(super) fn paste(screen: &mut Screen, game: Game<'_>, text: &str) {
    let text = one_line(text);
    if text.is_empty() {
        return;
    }
    let offered = offer(screen, game, |_| true, |layer, c| layer.text(&text, c));
    if matches!(offered, Offered::PassedOn) && !screen.with(game).is_too_small() {
        type_at_the_board(screen, game, &text);
    }
}

/// Returns text in one line: breaks become spaces, and control characters are dropped.
fn one_line(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let spaced = text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter });
    let letters: String = spaced.filter(|letter| !letter.is_control()).collect();
    letters.trim().to_owned()
}
