//! Handles typed lines. Some concern the screen or the menu, all others go to the match.

use super::board_keys;
use super::effect::{ScreenEffect, StartChoice};
use super::facts::OptionalMatch;
use super::help::build_help_page;
use super::layer::{LayerRank, RulesPages, ScreenLayer};
use super::screen::Screen;
use super::theme::{ColorDepth, Theme};
use crate::messages::screen as sentences;
use crate::play::{Command, CommandWord, InputRequest, find_command_word};
use crate::record::is_game_link;
use crate::ui::TypedLine;

/// Handles a typed line. Returns an effect outside the screen, if there is one.
pub(super) fn submit_line(screen: &mut Screen, game: OptionalMatch<'_>, text: &str) -> Option<ScreenEffect> {
    if text.is_empty() {
        return None;
    }
    if let Some(is_on) = parse_mouse_command(text, screen.looks.has_mouse) {
        screen.looks.has_mouse = is_on;
        screen.show_message(sentences::mouse_message(screen.looks.has_mouse).to_owned());
        return Some(ScreenEffect::Mouse(screen.looks.has_mouse));
    }
    if let Some(name) = parse_theme_command(text) {
        let themes = screen.looks.own_themes;
        // Names of custom themes may have capitals.
        let found = Theme::find_by_name(name, themes);
        match found.or_else(|why| Theme::find_by_name(&name.to_lowercase(), themes).map_err(|_| why)) {
            Ok(theme) => set_theme(screen, theme),
            Err(_) if name.is_empty() => set_theme(screen, screen.looks.theme),
            Err(why) => screen.show_message(why.replacen("there is", "There is", 1) + "."),
        }
        return None;
    }
    if screen.menu().is_some() {
        return submit_menu_line(screen, game, text);
    }
    if text.eq_ignore_ascii_case("tui") {
        screen.set_status(sentences::ALREADY_FULL_SCREEN_MESSAGE);
        return None;
    }
    let game = game?;
    let typed = TypedLine::parse(game, text);
    match typed.read {
        Ok(InputRequest::Do(Command::Move(_))) if game.is_thinking() && !game.game().is_browsing() => {
            board_keys::refuse_while_engine_thinks(screen, game);
            screen.restore_cursor();
            None
        }
        Ok(InputRequest::Do(command)) => Some(ScreenEffect::Do(command)),
        _ => Some(ScreenEffect::Typed(typed)), // the loop handles files and refusals
    }
}

/// Parses `mouse`, `mouse on` or `mouse off`. Returns whether the mouse should be on.
fn parse_mouse_command(text: &str, is_on: bool) -> Option<bool> {
    match text.to_lowercase().split_whitespace().collect::<Vec<_>>()[..] {
        ["mouse"] => Some(!is_on),
        ["mouse", "on"] => Some(true),
        ["mouse", "off"] => Some(false),
        _ => None,
    }
}

/// Parses `theme NAME` and returns the name, which is empty if it is missing.
fn parse_theme_command(text: &str) -> Option<&str> {
    let (word, name) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    word.eq_ignore_ascii_case("theme").then(|| name.trim())
}

/// Handles a command in the start menu, or passes it to a game behind the menu.
///
/// The menu has few commands of its own.
fn submit_menu_line(screen: &mut Screen, game: OptionalMatch<'_>, text: &str) -> Option<ScreenEffect> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let page = build_help_page(&screen.with_match(game));
    let menu = screen.menu_mut()?;
    let done = match find_command_word(word) {
        Some(CommandWord::Help) => {
            screen.open_layer(ScreenLayer::Page(page));
            return None;
        }
        Some(CommandWord::Rules) => {
            if let Some(rules) =
                menu.first_position().map(|start| RulesPages::for_position(menu.chosen_entry(), start))
            {
                screen.open_layer(ScreenLayer::Rules(rules));
            }
            return None;
        }
        Some(CommandWord::Quit) => return Some(ScreenEffect::Quit),
        Some(CommandWord::Load | CommandWord::Replay) if !rest.is_empty() => {
            return Some(ScreenEffect::Start(StartChoice::File(rest.into())));
        }
        _ if is_game_link(text) => return Some(ScreenEffect::Start(StartChoice::File(text.trim().into()))),
        Some(CommandWord::New) => match menu.choose_by_text(rest) {
            Ok(()) => return Some(menu.start_effect()),
            Err(why) => Err(why),
        },
        Some(CommandWord::Level) if rest.is_empty() => Err(menu.render_level_message()),
        Some(CommandWord::Level) => menu.set_level(rest),
        _ if game.is_some() => {
            screen.close_layer(LayerRank::Menu);
            return submit_line(screen, game, text);
        }
        _ => Err(sentences::MENU_COMMANDS_MESSAGE.to_owned()),
    };
    menu.notice = done.err();
    None
}

/// Sets the theme and shows its name.
pub(super) fn set_theme(screen: &mut Screen, theme: Theme) {
    screen.looks.theme = theme;
    let looks = screen.looks;
    let brings_colours = theme.palette(looks.ground.background_for_theme()).is_some();
    let why = match looks.depth {
        ColorDepth::None => Some(sentences::WITHOUT_COLOURS),
        ColorDepth::Sixteen if brings_colours => Some(sentences::IN_TERMINAL_COLOURS),
        _ => None,
    };
    screen.show_message(sentences::theme_message(theme.name(), why));
}
