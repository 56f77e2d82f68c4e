//! Title row with three parts: the game and its state, the players, and the keys for help and for
//! quitting. A narrow window omits whole parts, never words of a part.

use std::path::Path;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use super::draw::{
    line_with_side_colours, piece_glyph, put_line, text_columns, truncate_text, with_times_sign,
};
use super::facts::MatchFacts;
use super::frame::FrameContext;
use super::key_bar::render_help_and_quit_keys;
use super::panels::cached_layout;
use super::screen::AnalysisFocus;
use super::theme::ScreenPart;
use crate::canvas::GlyphSet;
use crate::game::{Outcome, Refusal, Side};
use crate::journal::JournalFolder;
use crate::messages::{analysis, ending, mistakes, screen as sentences};
use crate::play::{LiveGame, Match};
use crate::session::Position;
use crate::text;
use crate::text::columns::suffix_within_width;
use crate::text::{Text, mark_side};

/// Number of columns between two parts of the title.
const TITLE_GAP_COLUMNS: u16 = 3;

/// Parts of the title, each in several forms, the longest first.
#[derive(Debug, Default)]
pub(super) struct TitleBar {
    /// Forms of the left part, the longest first.
    pub(super) lefts: Vec<Text>,
    /// Forms of the middle part, the longest first.
    pub(super) middles: Vec<Text>,
    /// Shorter forms of the middle part, used only if the keys on the right are omitted.
    pub(super) shorts: Vec<Text>,
}

impl TitleBar {
    /// Chooses the forms that fit into `width` columns beside `keys`.
    ///
    /// The middle part is shortened first, then the keys are omitted, then the middle part is
    /// shortened further, and the left part is shortened last. A wider window shows everything that
    /// a narrower one shows.
    fn choose_parts(&self, keys: &str, width: u16) -> [Text; 3] {
        let none = Text::new();
        let middles = if self.middles.is_empty() { std::slice::from_ref(&none) } else { &self.middles };
        let with_keys = middles.iter().map(|middle| [middle.clone(), keys.into()]);
        let last = middles.last().into_iter().chain(&self.shorts).chain([&none]);
        let ways: Vec<_> = with_keys.chain(last.map(|middle| [middle.clone(), none.clone()])).collect();
        let mut all = self.lefts.iter().flat_map(|left| ways.iter().map(move |way| (left, way)));
        let columns = |part: &Text| if part.is_empty() { 0 } else { TITLE_GAP_COLUMNS + text_columns(part) };
        let fits = |(left, [middle, right]): &(&Text, &[Text; 2])| {
            text_columns(left) + columns(middle) + columns(right) + 2 <= width
        };
        let chosen =
            all.find(fits).map(|(left, [middle, right])| [left.clone(), middle.clone(), right.clone()]);
        chosen.unwrap_or_else(|| [self.lefts.last().cloned().unwrap_or_default(), none.clone(), none])
    }

    /// Draws the title into the first row, with the keys that work now.
    pub(super) fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) {
        let row = Rect { height: 1, ..buffer.area };
        let style = c.screen.looks.part_style(ScreenPart::Title);
        buffer.set_style(row, style);
        let [left, middle, right] = self.choose_parts(&render_help_and_quit_keys(c), row.width);
        put_line(
            buffer,
            c,
            row,
            (u16::from(text_columns(&left) < row.width), 0),
            &line_with_side_colours(c, &left, style),
        );
        let end = row.width.saturating_sub(text_columns(&right) + 1);
        // The middle part is centred in the window, as far as the other parts leave room.
        let last =
            end.saturating_sub(text_columns(&middle) + if right.is_empty() { 0 } else { TITLE_GAP_COLUMNS });
        let x = (row.width.saturating_sub(text_columns(&middle)) / 2)
            .min(last)
            .max(text_columns(&left) + 1 + TITLE_GAP_COLUMNS);
        if !middle.is_empty() {
            put_line(buffer, c, row, (x, 0), &line_with_side_colours(c, &middle, style));
        }
        let faint =
            style.patch(Style { bg: None, ..c.screen.looks.part_style(ScreenPart::Faint) }).not_bold();
        if !right.is_empty() {
            put_line(buffer, c, row, (end, 0), &line_with_side_colours(c, &right, faint));
        }
    }
}

/// Builds the title for the shown board.
pub(super) fn build_board_title(c: &FrameContext<'_>, shown: &dyn Position) -> TitleBar {
    let forms = long_player_forms(c, shown);
    // A running clock takes precedence over the players.
    let clocks = c.game.and_then(|game| game.remaining_times(c.screen.now)).filter(|_| !c.game.is_replay());
    let clocks: Option<Text> = clocks.map(|left| sentences::format_clocks(left).into());
    let beside = |fact: &Text| forms.iter().map(|form| text!("{form}   {fact}")).collect::<Vec<_>>();
    let (mut middles, mut shorts) = (Vec::new(), Vec::new());
    if let Some(clocks) = clocks {
        middles = beside(&clocks);
        shorts = vec![clocks];
    } else if cached_layout(c).frame.panel.is_none() {
        // Facts that have no panel take precedence over the players.
        let facts = shown.as_paint().title_facts(c.screen.looks.glyphs);
        middles = facts.iter().flat_map(beside).collect();
        shorts.extend(facts);
    }
    if shorts.is_empty() {
        middles = time_used_by_sides(c, shown).iter().flat_map(beside).collect();
        middles.extend(forms);
    }
    shorts.extend(short_player_forms(c, shown));
    TitleBar { lefts: left_title_forms(c, shown), middles, shorts }
}

/// Returns the forms of the left part: the game and its state, down to the state alone.
fn left_title_forms(c: &FrameContext<'_>, shown: &dyn Position) -> Vec<Text> {
    let game = with_times_sign(c, &shown.view().title());
    let dot = if c.screen.looks.glyphs == GlyphSet::Unicode { " · " } else { " - " };
    let is_over = shown.outcome().is_some();
    let is_past =
        if c.game.is_replay() { !c.game.has_no_human_player() } else { c.game.shows_other_position() };
    let at = describe_game_state(c, shown, is_past);
    let is_live = !c.game.is_replay() || c.game.is_engine_match() && !c.game.is_engine_match_stopped();
    let has_turn = is_live && !is_past && !is_over;
    let mover = shown.to_move();
    let now = if has_turn { sentences::format_turn_title(&at, shown.side_name(mover)) } else { at.into() };
    let ended = shown.outcome().filter(|_| c.game.is_replay());
    let winner = ended.and_then(Outcome::winner).map(|winner| shown.side_name(winner));
    let result = ended.map(|_| text!("{dot}{}", sentences::replay_result_title(winner))).unwrap_or_default();
    let turn = (!is_over).then(|| sentences::side_to_move_title(&sign_and_name_of_side(c, shown, mover)));
    let all = [text!("{game}{dot}{now}{result}"), text!("{game}{dot}{now}"), now];
    all.into_iter().chain(turn).collect()
}

/// Describes the state of the game, or of the better line if it is shown.
fn describe_game_state(c: &FrameContext<'_>, shown: &dyn Position, is_past: bool) -> String {
    let (plies, all) = (shown.plies(), c.game.last_ply());
    if let Some(lesson) = c.game.map(Match::game).and_then(LiveGame::shown_lesson) {
        ending::format_better_line_title(lesson.shown_move_count(), lesson.line_len())
    } else if let Some(practice) = c.game.practice() {
        mistakes::format_practice_title(practice)
    } else if c.screen.cursor.focus == AnalysisFocus::SetUp && c.game.is_analysis() {
        analysis::SETTING_UP_TITLE.to_owned()
    } else if c.game.is_analysis() {
        analysis::format_analysis_title(plies, all)
    } else if c.game.is_engine_match_stopped() {
        sentences::stopped_match_title(plies, all)
    } else {
        sentences::format_place_in_game(plies, all, is_past, c.game.is_replay(), shown.outcome().is_some())
    }
}

/// Returns the sign and the name of a side, in the form used in titles.
pub(super) fn sign_and_name_of_side(c: &FrameContext<'_>, position: &dyn Position, side: Side) -> Text {
    let (name, sign) =
        (position.side_name(side), position.as_paint().piece_glyph(side, c.screen.looks.glyphs));
    let named = sign.map_or_else(|| name.to_string(), |sign| format!("{sign} {name}"));
    text!("{}", mark_side(side, named))
}

/// Returns the name of the shown file, or the date of a saved game.
fn source_file_label(c: &FrameContext<'_>) -> Option<String> {
    let game = c.game?.game();
    let path = game.replayed_file()?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let day = game
        .file_properties()
        .iter()
        .find(|(key, _)| key == "date")
        .map(|(_, day)| Refusal::sanitize_excerpt(day));
    let day = day
        .filter(|_| JournalFolder::is_journal_path(Path::new(name)))
        .map(|format_day| sentences::format_day_played(&format_day));
    let name = truncate_text(name, 20, c);
    let told = || if c.game.is_analysis() { name.to_string() } else { sentences::replay_title(&name) };
    Some(day.unwrap_or_else(told))
}

/// Returns the labels of both players in long and short forms.
///
/// A label is "you", a level, or a name from a file.
fn player_label_forms(c: &FrameContext<'_>) -> Vec<[Option<String>; 2]> {
    let game = c.game.map(Match::game);
    if let Some(level) = game.and_then(LiveGame::engine_name) {
        let seat = |level: &String, side| {
            let is_you = c.game.human_side() == Some(side);
            Some(if is_you { sentences::YOU_LABEL.to_owned() } else { level.clone() })
        };
        return sentences::format_title_level(&level)
            .iter()
            .map(|level| Side::map_both(|side| seat(level, side)))
            .collect();
    }
    [u16::MAX, 20, 10].map(|most| shorten_names(c, &player_names_from_file(c), most)).into()
}

/// Player name that means a human in game files written by this program.
const HUMAN_NAME_IN_FILES: &str = "human";

/// Returns the player names from the game's file, unless an engine has replaced a player.
fn player_names_from_file(c: &FrameContext<'_>) -> [Option<String>; 2] {
    let names = c.game.filter(|game| c.game.has_no_human_player() || !game.game().has_engine());
    let remarks = names.map_or(&[][..], |game| game.game().file_properties());
    let said = Side::map_both(|side| {
        let said = remarks.iter().find(|(key, _)| *key == side.to_string());
        // The program's name is omitted from a built-in level.
        said.map(|(_, name)| Refusal::sanitize_excerpt(name.strip_prefix("crosspath ").unwrap_or(name)))
    });
    let is_human = said.each_ref().map(|name| name.as_deref() == Some(HUMAN_NAME_IN_FILES));
    match is_human {
        // In a game of the program with one human, that human is you.
        [true, false] | [false, true] if c.game.has_no_human_player() => {
            let you = || sentences::YOU_LABEL.to_owned();
            said.map(|name| name.map(|name| if name == HUMAN_NAME_IN_FILES { you() } else { name }))
        }
        _ if c.game.has_no_human_player() => said,
        _ => said.map(|name| name.filter(|name| name != HUMAN_NAME_IN_FILES)),
    }
}

/// Shortens player names to at most `most` columns.
///
/// If both become equal, their ends are kept instead of their starts.
fn shorten_names(c: &FrameContext<'_>, names: &[Option<String>; 2], most: u16) -> [Option<String>; 2] {
    let short =
        names.each_ref().map(|name| name.as_ref().map(|name| truncate_text(name, most, c).into_string()));
    let is_clear = short[0].is_none() || short[0] != short[1] || names[0] == names[1];
    let end = |name: &String| {
        format!("{}{}", c.screen.looks.ellipsis(), suffix_within_width(name, usize::from(most) - 1))
    };
    if is_clear { short } else { names.each_ref().map(|name| name.as_ref().map(end)) }
}

/// Returns the long forms of the players, preceded by the name of their file.
fn long_player_forms(c: &FrameContext<'_>, shown: &dyn Position) -> Vec<Text> {
    let [names, signs] = side_names_and_signs(c, shown);
    let seats = player_label_forms(c);
    let long = &seats[0];
    let mut forms =
        vec![sentences::format_players(&names, long, "   "), sentences::format_players(&names, long, "  ")];
    let is_known = long.iter().any(Option::is_some);
    // Signs identify the sides only if a player is known.
    forms.extend(is_known.then(|| sentences::format_players(&signs, long, " ")));
    let Some(file) = source_file_label(c) else { return forms };
    let file = Text::from(file);
    if !is_known {
        return vec![file];
    }
    forms.iter().map(|form| text!("{file}   {form}")).collect()
}

/// Returns the short forms of the players.
///
/// The file is omitted first, then names and levels are shortened, and at last only your side is
/// left.
fn short_player_forms(c: &FrameContext<'_>, shown: &dyn Position) -> Vec<Text> {
    let [names, signs] = side_names_and_signs(c, shown);
    let short = player_label_forms(c)
        .into_iter()
        .skip(usize::from(source_file_label(c).is_none()))
        .filter(|seats| seats.iter().any(Option::is_some));
    let you = c.game.human_side().map(|you| text!("{} {}", sentences::YOU_LABEL, names[you.index()]));
    short.map(|seats| sentences::format_players(&signs, &seats, " ")).chain(you).collect()
}

fn side_names_and_signs(c: &FrameContext<'_>, shown: &dyn Position) -> [[Text; 2]; 2] {
    let sign = |side| text!("{}", mark_side(side, piece_glyph(c, shown, side)));
    [Side::map_both(|one| sign_and_name_of_side(c, shown, one)), Side::map_both(sign)]
}

/// Returns the time used by each side, if the window is wide enough for it.
fn time_used_by_sides(c: &FrameContext<'_>, shown: &dyn Position) -> Option<Text> {
    let game = c.game.map(Match::game).filter(|game| !game.is_replay() && !game.is_analysis());
    let game = game.filter(|game| game.practice_item().is_none());
    let game = game.filter(|_| c.screen.size.0 >= 100 && c.screen.has_clocks)?;
    let [_, signs] = side_names_and_signs(c, shown);
    Some(sentences::format_time_used(&signs, game.used_time()))
}
