//! The title in three parts: the game and its state, the players, and the keys for help and for
//! quitting. A narrow window leaves out parts, never words of one.

use std::path::Path;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use super::draw::{crossed, cut, piece_glyph, put_line, told, width_of};
use super::facts::Facts;
use super::frame::FrameContext;
use super::key_bar::help_and_quit;
use super::panels::layout_of;
use super::screen::Focus;
use super::theme::Part;
use crate::canvas::Glyphs;
use crate::game::{Outcome, Refusal, Side};
use crate::journal::Folder;
use crate::messages::{analysis, ending, mistakes, screen as sentences};
use crate::play::{Game, Match};
use crate::session::Position;
use crate::text;
use crate::text::columns::end;
use crate::text::{Text, of_side};

/// Columns between two parts.
const GAP: u16 = 3;

/// Parts of a title, each from the longest form to the shortest.
#[derive(Debug, Default)]
pub(super) struct Title {
    /// Left part.
    pub(super) lefts: Vec<Text>,
    /// Middle part.
    pub(super) middles: Vec<Text>,
    /// Middle part for when the keys have gone and there is still too little room.
    pub(super) shorts: Vec<Text>,
}

impl Title {
    /// Returns the parts that have room in `width` columns beside these keys: the middle becomes
    /// shorter first, then the keys go, then the rest of the middle, then the left part becomes
    /// shorter. A wider window shows everything that a narrower one shows.
    fn chosen(&self, keys: &str, width: u16) -> [Text; 3] {
        let none = Text::new();
        let middles = if self.middles.is_empty() { std::slice::from_ref(&none) } else { &self.middles };
        let with_keys = middles.iter().map(|middle| [middle.clone(), keys.into()]);
        let last = middles.last().into_iter().chain(&self.shorts).chain([&none]);
        let ways: Vec<_> = with_keys.chain(last.map(|middle| [middle.clone(), none.clone()])).collect();
        let mut all = self.lefts.iter().flat_map(|left| ways.iter().map(move |way| (left, way)));
        let columns = |part: &Text| if part.is_empty() { 0 } else { GAP + width_of(part) };
        let fits = |(left, [middle, right]): &(&Text, &[Text; 2])| {
            width_of(left) + columns(middle) + columns(right) + 2 <= width
        };
        let chosen =
            all.find(fits).map(|(left, [middle, right])| [left.clone(), middle.clone(), right.clone()]);
        chosen.unwrap_or_else(|| [self.lefts.last().cloned().unwrap_or_default(), none.clone(), none])
    }

    /// Draws the title into the first row, with the keys that work now.
    pub(super) fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) {
        let row = Rect { height: 1, ..buffer.area };
        let style = c.screen.looks.part(Part::Title);
        buffer.set_style(row, style);
        let [left, middle, right] = self.chosen(&help_and_quit(c), row.width);
        put_line(buffer, c, row, (u16::from(width_of(&left) < row.width), 0), &told(c, &left, style));
        let end = row.width.saturating_sub(width_of(&right) + 1);
        // In the middle of the window, or as near to it as the other parts leave room.
        let last = end.saturating_sub(width_of(&middle) + if right.is_empty() { 0 } else { GAP });
        let x = (row.width.saturating_sub(width_of(&middle)) / 2).min(last).max(width_of(&left) + 1 + GAP);
        if !middle.is_empty() {
            put_line(buffer, c, row, (x, 0), &told(c, &middle, style));
        }
        let faint = style.patch(Style { bg: None, ..c.screen.looks.part(Part::Faint) }).not_bold();
        if !right.is_empty() {
            put_line(buffer, c, row, (end, 0), &told(c, &right, faint));
        }
    }
}

/// Returns the title of the board that is shown.
pub(super) fn of_board(c: &FrameContext<'_>, shown: &dyn Position) -> Title {
    let forms = players(c, shown);
    // A running clock takes precedence over the players.
    let clocks = c.game.and_then(|game| game.clocks(c.screen.now)).filter(|_| !c.game.is_replay());
    let clocks: Option<Text> = clocks.map(|left| sentences::times(left).into());
    let beside = |fact: &Text| forms.iter().map(|form| text!("{form}   {fact}")).collect::<Vec<_>>();
    let (mut middles, mut shorts) = (Vec::new(), Vec::new());
    if let Some(clocks) = clocks {
        middles = beside(&clocks);
        shorts = vec![clocks];
    } else if layout_of(c).frame.panel.is_none() {
        // Text that is beside the board elsewhere takes precedence over the players.
        let facts = shown.drawn().facts(c.screen.looks.glyphs);
        middles = facts.iter().flat_map(beside).collect();
        shorts.extend(facts);
    }
    if shorts.is_empty() {
        middles = time_used(c, shown).iter().flat_map(beside).collect();
        middles.extend(forms);
    }
    shorts.extend(short_players(c, shown));
    Title { lefts: lefts(c, shown), middles, shorts }
}

/// Returns the game and its state; without the game where there is little room.
fn lefts(c: &FrameContext<'_>, shown: &dyn Position) -> Vec<Text> {
    let game = crossed(c, &shown.view().title());
    let dot = if c.screen.looks.glyphs == Glyphs::Unicode { " · " } else { " - " };
    let is_over = shown.outcome().is_some();
    let is_past = if c.game.is_replay() { !c.game.is_watched() } else { c.game.is_looking() };
    let at = place(c, shown, is_past);
    let is_live = !c.game.is_replay() || c.game.is_match() && !c.game.is_stopped();
    let has_turn = is_live && !is_past && !is_over;
    let mover = shown.to_move();
    let now = if has_turn { sentences::moves_now(&at, shown.side_name(mover)) } else { at.into() };
    let ended = shown.outcome().filter(|_| c.game.is_replay());
    let winner = ended.and_then(Outcome::winner).map(|winner| shown.side_name(winner));
    let result = ended.map(|_| text!("{dot}{}", sentences::ended(winner))).unwrap_or_default();
    let turn = (!is_over).then(|| sentences::turn_in_title(&side(c, shown, mover)));
    let all = [text!("{game}{dot}{now}{result}"), text!("{game}{dot}{now}"), now];
    all.into_iter().chain(turn).collect()
}

/// Returns the state of the game, or of the better line that is shown.
fn place(c: &FrameContext<'_>, shown: &dyn Position, is_past: bool) -> String {
    let (plies, all) = (shown.plies(), c.game.last_ply());
    if let Some(lesson) = c.game.map(Match::game).and_then(Game::lesson) {
        ending::in_better_line(lesson.step(), lesson.length())
    } else if let Some(practice) = c.game.practice() {
        mistakes::in_title(practice)
    } else if c.screen.cursor.focus == Focus::SetUp && c.game.is_analysis() {
        analysis::SETTING_UP.to_owned()
    } else if c.game.is_analysis() {
        analysis::analysis_at(plies, all)
    } else if c.game.is_stopped() {
        sentences::stopped_at(plies, all)
    } else {
        sentences::place(plies, all, is_past, c.game.is_replay(), shown.outcome().is_some())
    }
}

/// Returns a side as titles name it: sign and name.
pub(super) fn side(c: &FrameContext<'_>, position: &dyn Position, side: Side) -> Text {
    let (name, sign) = (position.side_name(side), position.drawn().piece_glyph(side, c.screen.looks.glyphs));
    let named = sign.map_or_else(|| name.to_string(), |sign| format!("{sign} {name}"));
    text!("{}", of_side(side, named))
}

/// Returns the name of the file that is shown; of a saved game the day on which it was played.
fn source(c: &FrameContext<'_>) -> Option<String> {
    let game = c.game?.game();
    let path = game.source()?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let day = game.remarks().iter().find(|(key, _)| key == "date").map(|(_, day)| Refusal::shown(day));
    let day = day.filter(|_| Folder::is_saved_game(Path::new(name))).map(|day| sentences::played_on(&day));
    let name = cut(name, 20, c);
    let told = || if c.game.is_analysis() { name.to_string() } else { sentences::replay_of(&name) };
    Some(day.unwrap_or_else(told))
}

/// Returns the players in long and short forms: you, a level, or the names in the file of a game
/// that nobody plays here.
fn seats(c: &FrameContext<'_>) -> Vec<[Option<String>; 2]> {
    let game = c.game.map(Match::game);
    if let Some(level) = game.and_then(Game::engine_name) {
        let seat = |level: &String, side| {
            let is_you = c.game.you() == Some(side);
            Some(if is_you { sentences::YOU.to_owned() } else { level.clone() })
        };
        return sentences::level_in_title(&level)
            .iter()
            .map(|level| Side::each(|side| seat(level, side)))
            .collect();
    }
    [u16::MAX, 20, 10].map(|most| shortened(c, &named_players(c), most)).into()
}

/// Name of a person in the program's own files.
const HUMAN: &str = "human";

/// Returns the players named by the file of a game, unless an engine has taken the place of one of
/// them.
fn named_players(c: &FrameContext<'_>) -> [Option<String>; 2] {
    let names = c.game.filter(|game| c.game.is_watched() || !game.game().has_engine());
    let remarks = names.map_or(&[][..], |game| game.game().remarks());
    let said = Side::each(|side| {
        let said = remarks.iter().find(|(key, _)| *key == side.to_string());
        // A built-in level needs no name before it.
        said.map(|(_, name)| Refusal::shown(name.strip_prefix("crosspath ").unwrap_or(name)))
    });
    let is_human = said.each_ref().map(|name| name.as_deref() == Some(HUMAN));
    match is_human {
        // The one person of the program's own game is you.
        [true, false] | [false, true] if c.game.is_watched() => {
            let you = || sentences::YOU.to_owned();
            said.map(|name| name.map(|name| if name == HUMAN { you() } else { name }))
        }
        _ if c.game.is_watched() => said,
        _ => said.map(|name| name.filter(|name| name != HUMAN)),
    }
}

/// Returns names of at most `most` columns. Two that begin alike are distinguished by their ends.
fn shortened(c: &FrameContext<'_>, names: &[Option<String>; 2], most: u16) -> [Option<String>; 2] {
    let short = names.each_ref().map(|name| name.as_ref().map(|name| cut(name, most, c).into_string()));
    let is_clear = short[0].is_none() || short[0] != short[1] || names[0] == names[1];
    let end = |name: &String| format!("{}{}", c.screen.looks.dots(), end(name, usize::from(most) - 1));
    if is_clear { short } else { names.each_ref().map(|name| name.as_ref().map(end)) }
}

/// Returns the players in forms that identify them, with the file that they come from.
fn players(c: &FrameContext<'_>, shown: &dyn Position) -> Vec<Text> {
    let [names, signs] = names_and_signs(c, shown);
    let seats = seats(c);
    let long = &seats[0];
    let mut forms = vec![sentences::players(&names, long, "   "), sentences::players(&names, long, "  ")];
    let is_known = long.iter().any(Option::is_some);
    // The signs tell the sides apart where somebody plays them.
    forms.extend(is_known.then(|| sentences::players(&signs, long, " ")));
    let Some(file) = source(c) else { return forms };
    let file = Text::from(file);
    if !is_known {
        return vec![file];
    }
    forms.iter().map(|form| text!("{file}   {form}")).collect()
}

/// Returns the players in fewer words: without the file, then the number of a level or the
/// beginnings of names, then only your own side.
fn short_players(c: &FrameContext<'_>, shown: &dyn Position) -> Vec<Text> {
    let [names, signs] = names_and_signs(c, shown);
    let short = seats(c)
        .into_iter()
        .skip(usize::from(source(c).is_none()))
        .filter(|seats| seats.iter().any(Option::is_some));
    let you = c.game.you().map(|you| text!("{} {}", sentences::YOU, names[you.index()]));
    short.map(|seats| sentences::players(&signs, &seats, " ")).chain(you).collect()
}

fn names_and_signs(c: &FrameContext<'_>, shown: &dyn Position) -> [[Text; 2]; 2] {
    let sign = |side| text!("{}", of_side(side, piece_glyph(c, shown, side)));
    [Side::each(|one| side(c, shown, one)), Side::each(sign)]
}

/// Returns the time that both sides have used, where a wide title shows it.
fn time_used(c: &FrameContext<'_>, shown: &dyn Position) -> Option<Text> {
    let game = c.game.map(Match::game).filter(|game| !game.is_record() && !game.is_analysis());
    let game = game.filter(|game| game.practice().is_none());
    let game = game.filter(|_| c.screen.size.0 >= 100 && c.screen.has_clocks)?;
    let [_, signs] = names_and_signs(c, shown);
    Some(sentences::time_used(&signs, game.used()))
}
