//! The help for the current screen: keys, rules, marks.

use super::draw::crossed;
use super::facts::Facts;
use super::frame::FrameContext;
use super::key_bar;
use super::key_table::{Context, KeyBinding, TYPING, keys, part_of_help, synonyms};
use super::layer::Page;
use super::painting;
use crate::messages::screen as sentences;
use crate::text;
use crate::text::Text;

/// Keeps signs of two or three parts in one row; in a text with wide gaps, everything between two
/// gaps.
fn in_one_piece(text: &str) -> String {
    if text.contains("   ") {
        return text.split("   ").map(|part| part.replace(' ', "\u{a0}")).collect::<Vec<_>>().join("   ");
    }
    text.replace("< >", "<\u{a0}>").replace("1 2 3", "1\u{a0}2\u{a0}3")
}

/// Returns the help on typing moves.
fn typing(c: &FrameContext<'_>, context: Context) -> Vec<Text> {
    let mut lines = Vec::new();
    let habits = c.screen.looks.habits;
    if context.takes_moves() && habits.has_vi_keys {
        lines.extend(sentences::VI_KEYS.map(Text::from));
    } else if context.takes_moves() {
        let legal = c.game.shown().map(crate::session::Position::legal).unwrap_or_default();
        let one = legal.first().map_or("a move", String::as_str);
        // A move of another kind, such as a wall, ends with a letter.
        let other = legal.iter().find(|mv| mv.ends_with(char::is_alphabetic));
        let examples: Vec<&str> = [one].into_iter().chain(other.map(String::as_str)).collect();
        lines.push(text!("{}\t{TYPING}", examples.join(" ")));
    }
    lines.extend(
        painting::numbers(c).filter(|_| context == Context::Board).map(|all| sentences::numbers(&all).into()),
    );
    if habits.has_digits && context == Context::Board {
        lines.push(sentences::DIGITS.into());
    }
    lines
}

/// Number of lines of the rules that are on top.
const RULES_ON_TOP: usize = 3;

/// Returns the first rules, which come before everything else while a game is on the board.
fn rules_on_top(c: &FrameContext<'_>, context: Context) -> Vec<Text> {
    let is_board = context != Context::Small && c.screen.menu().is_none();
    let Some(shown) = c.game.shown().filter(|_| is_board) else { return Vec::new() };
    let rules = shown.view().rules().into_iter().take(RULES_ON_TOP);
    rules.chain([sentences::rules_with_pictures(), Text::new()]).collect()
}

/// Returns the other rules of the game, and the meaning of its board and its panel.
fn about_the_game(c: &FrameContext<'_>, context: Context, on_top: usize) -> Vec<Text> {
    let start = c.screen.menu().and_then(|menu| menu.start());
    let Some(position) = start.or_else(|| c.game.shown()) else { return Vec::new() };
    // The heading of the page names the game at its board.
    let title = (context != Context::Board).then(|| position.view().title().into());
    let rules = position.view().rules().into_iter().skip(on_top);
    let mut lines: Vec<Text> = [Text::new()].into_iter().chain(title).chain(rules).collect();
    if start.is_none() {
        // Text still visible below the page is not repeated.
        let typing = Some(position.view().typing()).filter(|typing| !c.status_line().contains(typing));
        lines.extend(typing.map(Text::from));
        lines.extend(position.drawn().legend(c.screen.looks.glyphs));
        lines.extend(position.drawn().side_panel_help().map(Text::from));
    }
    lines
}

/// Returns the page that `?` opens.
pub(super) fn help(c: &FrameContext<'_>) -> Page {
    let context = c.context();
    let heading = Context::ALL.iter().find(|(other, _)| *other == context).map_or("", |(_, name)| *name);
    let mut lines = Vec::new();
    let status = c.status_line();
    // Without a visible board its keys are left out.
    if context != Context::Small && !c.fits(&status) {
        lines.extend([status, Text::new()]);
    }
    let on_top = rules_on_top(c, context);
    let has_rules = !on_top.is_empty();
    lines.extend(on_top);
    lines.extend(typing(c, context));
    let mut here: Vec<&KeyBinding> = keys(context).filter(|action| key_bar::belongs(c, action.act)).collect();
    here.sort_by_key(|action| part_of_help(action.act)); // stable
    let parts: Vec<&[&KeyBinding]> =
        here.chunk_by(|one, other| part_of_help(one.act) == part_of_help(other.act)).collect();
    // Actions of the program apart from the game come after the rules.
    let (last, parts) = parts.split_last().expect("help itself has a key");
    let mut terms = Vec::new();
    let mut add = |lines: &mut Vec<Text>, part: &[&KeyBinding]| {
        if lines.last().is_some_and(|line| !line.is_empty()) && part_of_help(part[0].act) > 0 {
            lines.push(Text::new());
        }
        for action in part {
            let words =
                action.bar.map(|(_, noun)| noun).into_iter().chain(synonyms(action.act).iter().copied());
            terms.extend(words.map(|word| (lines.len(), word)));
            lines.push(text!(
                "{}\t{}",
                c.screen.looks.keys(action.shown),
                in_one_piece(&c.screen.looks.keys(action.long))
            ));
        }
    };
    for part in parts {
        add(&mut lines, part);
    }
    lines.extend(about_the_game(c, context, if has_rules { RULES_ON_TOP } else { 0 }));
    lines.extend(sentences::HELP_ON_MARKS.iter().map(|line| in_one_piece(line).into()));
    add(&mut lines, last);
    let game = c.game.shown().filter(|_| context == Context::Board);
    let heading = game.map_or_else(|| heading.to_owned(), |shown| crossed(c, &shown.view().title()));
    Page { title: format!("Keys: {heading}"), lines, terms, ..Page::default() }
}
