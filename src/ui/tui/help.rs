//! Help page for the current screen: keys, rules and marks.

use super::draw::with_times_sign;
use super::facts::MatchFacts;
use super::frame::FrameContext;
use super::key_bar;
use super::key_table::{
    KeyBinding, KeyContext, TYPING_HELP, bindings_in_context, help_section, help_synonyms,
};
use super::layer::TextPage;
use super::painting;
use crate::messages::screen as sentences;
use crate::text;
use crate::text::Text;

/// Inserts no-break spaces into signs with several parts, such as `< >`.
///
/// In a text with wide gaps, everything between two gaps is kept together.
fn insert_no_break_spaces(text: &str) -> String {
    if text.contains("   ") {
        return text.split("   ").map(|part| part.replace(' ', "\u{a0}")).collect::<Vec<_>>().join("   ");
    }
    text.replace("< >", "<\u{a0}>").replace("1 2 3", "1\u{a0}2\u{a0}3")
}

/// Returns the help lines about typing moves.
fn move_typing_help(c: &FrameContext<'_>, context: KeyContext) -> Vec<Text> {
    let mut lines = Vec::new();
    let habits = c.screen.looks.habits;
    if context.takes_moves() && habits.has_vi_keys {
        lines.extend(sentences::VI_KEYS_HELP.map(Text::from));
    } else if context.takes_moves() {
        let legal = c.game.shown_position().map(crate::session::Position::legal_moves).unwrap_or_default();
        let one = legal.first().map_or("a move", String::as_str);
        // A move of another kind, such as a wall, ends with a letter.
        let other = legal.iter().find(|mv| mv.ends_with(char::is_alphabetic));
        let examples: Vec<&str> = [one].into_iter().chain(other.map(String::as_str)).collect();
        lines.push(text!("{}\t{TYPING_HELP}", examples.join(" ")));
    }
    lines.extend(
        painting::typable_cell_numbers(c)
            .filter(|_| context == KeyContext::Board)
            .map(|all| sentences::cell_numbers_help(&all).into()),
    );
    if habits.has_digits && context == KeyContext::Board {
        lines.push(sentences::NUMBER_PAD_HELP.into());
    }
    lines
}

/// Maximum number of rules at the top of the help page.
const MAX_RULES_AT_HELP_TOP: usize = 3;

/// Returns the first rules of the game for the top of the help page, if its board is shown.
fn first_rules_for_help(c: &FrameContext<'_>, context: KeyContext) -> Vec<Text> {
    let is_board = context != KeyContext::Small && c.screen.menu().is_none();
    let Some(shown) = c.game.shown_position().filter(|_| is_board) else { return Vec::new() };
    let rules = shown.view().rules_text().into_iter().take(MAX_RULES_AT_HELP_TOP);
    rules.chain([sentences::rules_pictures_hint(), Text::new()]).collect()
}

/// Returns the other rules of the game, the legend of its board and the help on its panel.
fn remaining_rules_for_help(c: &FrameContext<'_>, context: KeyContext, on_top: usize) -> Vec<Text> {
    let start = c.screen.menu().and_then(|menu| menu.first_position());
    let Some(position) = start.or_else(|| c.game.shown_position()) else { return Vec::new() };
    // The heading of the page names the game at its board.
    let title = (context != KeyContext::Board).then(|| position.view().title().into());
    let rules = position.view().rules_text().into_iter().skip(on_top);
    let mut lines: Vec<Text> = [Text::new()].into_iter().chain(title).chain(rules).collect();
    if start.is_none() {
        // Text that stays visible below the page is not repeated.
        let typing =
            Some(position.view().typing_hint()).filter(|typing| !c.render_status_line().contains(typing));
        lines.extend(typing.map(Text::from));
        lines.extend(position.as_paint().legend(c.screen.looks.glyphs));
        lines.extend(position.as_paint().side_panel_help().map(Text::from));
    }
    lines
}

/// Builds the page that `?` opens.
pub(super) fn build_help_page(c: &FrameContext<'_>) -> TextPage {
    let context = c.key_context();
    let heading = KeyContext::ALL.iter().find(|(other, _)| *other == context).map_or("", |(_, name)| *name);
    let mut lines = Vec::new();
    let status = c.render_status_line();
    // Without a visible board the status line is left out.
    if context != KeyContext::Small && !c.fits_status_line(&status) {
        lines.extend([status, Text::new()]);
    }
    let on_top = first_rules_for_help(c, context);
    let has_rules = !on_top.is_empty();
    lines.extend(on_top);
    lines.extend(move_typing_help(c, context));
    let mut here: Vec<&KeyBinding> = bindings_in_context(context)
        .filter(|action| key_bar::action_applies_to_game(c, action.act))
        .collect();
    here.sort_by_key(|action| help_section(action.act)); // stable sort
    let parts: Vec<&[&KeyBinding]> =
        here.chunk_by(|one, other| help_section(one.act) == help_section(other.act)).collect();
    // Actions that concern the program come after the rules.
    let (last, parts) = parts.split_last().expect("help itself has a key");
    let mut terms = Vec::new();
    let mut add = |lines: &mut Vec<Text>, part: &[&KeyBinding]| {
        if lines.last().is_some_and(|line| !line.is_empty()) && help_section(part[0].act) > 0 {
            lines.push(Text::new());
        }
        for action in part {
            let words =
                action.bar.map(|(_, noun)| noun).into_iter().chain(help_synonyms(action.act).iter().copied());
            terms.extend(words.map(|word| (lines.len(), word)));
            lines.push(text!(
                "{}\t{}",
                c.screen.looks.render_key_names(action.shown),
                insert_no_break_spaces(&c.screen.looks.render_key_names(action.long))
            ));
        }
    };
    for part in parts {
        add(&mut lines, part);
    }
    lines.extend(remaining_rules_for_help(c, context, if has_rules { MAX_RULES_AT_HELP_TOP } else { 0 }));
    lines.extend(sentences::MARKS_HELP.iter().map(|line| insert_no_break_spaces(line).into()));
    add(&mut lines, last);
    let game = c.game.shown_position().filter(|_| context == KeyContext::Board);
    let heading = game.map_or_else(|| heading.to_owned(), |shown| with_times_sign(c, &shown.view().title()));
    TextPage { title: format!("Keys: {heading}"), lines, terms, ..TextPage::default() }
}
