//! Lines that were typed: some concern the screen or the menu alone, the others go to the match.

use super::board_keys;
use super::effect::{Effect, Start};
use super::facts::Game;
use super::help::help;
use super::layer::{Layer, Rank, RulesPages};
use super::screen::Screen;
use super::theme::{ColorDepth, Theme};
use crate::messages::screen as sentences;
use crate::play::{Command, Request, Word, find};
use crate::record::is_link;
use crate::ui::Typed;

/// Carries out a line.
pub(super) fn submit(screen: &mut Screen, game: Game<'_>, text: &str) -> Option<Effect> {
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
    if screen.menu().is_some() {
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
            board_keys::refuse_now(screen, game);
            screen.put_cursor_back();
            None
        }
        Ok(Request::Do(command)) => Some(Effect::Do(command)),
        _ => Some(Effect::Typed(typed)), // the loop handles files and refusals
    }
}

/// Returns the setting that `mouse`, `mouse on` or `mouse off` asks for.
fn mouse_word(text: &str, is_on: bool) -> Option<bool> {
    match text.to_lowercase().split_whitespace().collect::<Vec<_>>()[..] {
        ["mouse"] => Some(!is_on),
        ["mouse", "on"] => Some(true),
        ["mouse", "off"] => Some(false),
        _ => None,
    }
}

/// Returns the name after the command `theme`; empty if there is none.
fn theme_word(text: &str) -> Option<&str> {
    let (word, name) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    word.eq_ignore_ascii_case("theme").then(|| name.trim())
}

/// Carries out a command in the start menu, which has only a few. A game that continues behind it
/// takes all others.
fn submit_in_the_menu(screen: &mut Screen, game: Game<'_>, text: &str) -> Option<Effect> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let page = help(&screen.with(game));
    let menu = screen.menu_mut()?;
    let done = match find(word) {
        Some(Word::Help) => {
            screen.open(Layer::Page(page));
            return None;
        }
        Some(Word::Rules) => {
            if let Some(rules) = menu.start().map(|start| RulesPages::of(menu.entry(), start)) {
                screen.open(Layer::Rules(rules));
            }
            return None;
        }
        Some(Word::Quit) => return Some(Effect::Quit),
        Some(Word::Load | Word::Replay) if !rest.is_empty() => {
            return Some(Effect::Start(Start::File(rest.into())));
        }
        _ if is_link(text) => return Some(Effect::Start(Start::File(text.trim().into()))),
        Some(Word::New) => match menu.choose_named(rest) {
            Ok(()) => return Some(menu.started()),
            Err(why) => Err(why),
        },
        Some(Word::Level) if rest.is_empty() => Err(menu.level_in_words()),
        Some(Word::Level) => menu.set_level(rest),
        _ if game.is_some() => {
            screen.close(Rank::Menu);
            return submit(screen, game, text);
        }
        _ => Err(sentences::WORDS_OF_THE_MENU.to_owned()),
    };
    menu.notice = done.err();
    None
}

/// Changes the theme and shows its name.
pub(super) fn take_theme(screen: &mut Screen, theme: Theme) {
    screen.looks.theme = theme;
    let looks = screen.looks;
    let brings_colours = theme.palette(looks.ground.seen()).is_some();
    let why = match looks.depth {
        ColorDepth::None => Some(sentences::NO_COLOURS),
        ColorDepth::Sixteen if brings_colours => Some(sentences::OWN_COLOURS),
        _ => None,
    };
    screen.announce(sentences::theme(theme.name(), why));
}
