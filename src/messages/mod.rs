//! The sentences that the program says about any game. The games bring their own names and reasons.

pub mod analysis;
pub mod ending;
mod keys;
pub mod lists;
pub mod mistakes;
mod refusals;
mod replies;
mod review;
pub mod screen;

use std::fmt::Display;

use crate::ai::{EngineKind, NoSuchLevel, Value};
use crate::canvas::Glyphs;
use crate::game::{Outcome, Refusal, Side};
use crate::messages::keys::{
    ENTER, NEXT_COMMAND, REDO, REDO_COMMAND, SIDE, SIDE_COMMAND, UNDO, UNDO_COMMAND,
};
use crate::play::{HelpTopic, Match, Unsaved, WORDS, WordEntry};
use crate::session::{CandidateMove, DRAW, EarlyEnd, Position, RESIGN, SearchReport, TIME};
use crate::text;
use crate::text::{KeyName, Text, join, of_move, of_side};

pub use refusals::refusal;
pub use replies::{
    brief_fault_of_file, fault, fault_of_file, incomplete_replay, looking_at, notice, reply, value_of,
};
pub use review::{better, better_line, marks_of_sides, reviewed_moves, verdict};

/// Shown on leaving an unsaved game that has moves.
const NOT_SAVED: &str = "This game was not saved. save FILE saves a game.";
/// Shown on leaving an unfinished game that the journal has saved.
const KEPT: &str = "Game saved. Resume it with: crosspath --continue";

/// Shown when a saved game is dated in the future.
pub const SET_BACK: &str = "A saved game is dated in the future. Check this computer's clock.";

/// Shown on leaving a finished game that the journal has saved.
const FINISHED: &str = "Game saved. See it with: crosspath games";

/// Says in the menu that saved games cannot be read: the first one, and the number of others.
pub(crate) fn unreadable_games(wrong: &[String]) -> Option<String> {
    let (first, others) = wrong.split_first()?;
    let more = if others.is_empty() { String::new() } else { format!(" (and {} more)", others.len()) };
    Some(format!("A saved game cannot be read{more}: {first}"))
}

/// Says that the input has ended while an external engine has not answered.
pub(crate) fn no_answer_after_the_input(name: &str) -> String {
    format!("{name} has not answered, and the input has ended; --response-timeout TIME waits longer")
}

/// Says that this move was typed while an external engine thinks.
pub(crate) fn move_waits(text: &str) -> String {
    format!("{text} waits for the engine. Use undo to take it back, or level N to replace the engine.")
}

/// Says that this number of moves was typed while an external engine thinks.
pub(crate) fn moves_wait(count: usize) -> String {
    format!("{count} moves wait for the engine. Use undo to take one back, or level N to replace the engine.")
}

/// Says that this move, which was typed while an engine thinks, will not be played.
pub(crate) fn move_waits_no_longer(text: &str) -> String {
    format!("The waiting move {text} was dropped.")
}

/// Says that this number of moves, which were typed while an engine thinks, will not be played.
pub(crate) fn moves_wait_no_longer(count: usize) -> String {
    format!("{count} waiting moves were dropped.")
}

/// Says that lines are ignored that were typed while an engine thinks.
pub(crate) fn too_many_lines(most: usize) -> String {
    format!("Only {most} lines can wait for the engine: the rest is ignored.")
}

/// Returns the sentences to show on leaving a match: about its game, and about earlier ones that are lost.
pub(crate) fn left_behind(game: &Match, unsaved: Unsaved) -> Vec<String> {
    let said = match unsaved {
        Unsaved::No => None,
        Unsaved::Yes => Some(NOT_SAVED),
        Unsaved::Kept => Some(KEPT),
        Unsaved::Finished => Some(FINISHED),
    };
    let earlier = match game.earlier_losses().as_slice() {
        [] => None,
        [one] => Some(format!("An earlier game was not saved: {one}.")),
        many => Some(format!("{} earlier games were not saved: {}.", many.len(), many.join(", "))),
    };
    said.map(str::to_owned).into_iter().chain(earlier).collect()
}

/// Shown when a new game replaces one that was not saved.
const LEFT_UNSAVED: &str = "The previous game was not saved.";
/// Shown when a new game replaces one that the journal has saved.
const LEFT_KEPT: &str = "The previous game is saved; undo returns to it.";

/// Returns the sentence about the game that a new one replaces, if any.
fn left_before(unsaved: Unsaved) -> Option<Text> {
    let said = match unsaved {
        Unsaved::No | Unsaved::Finished => return None,
        Unsaved::Yes => LEFT_UNSAVED,
        Unsaved::Kept => LEFT_KEPT,
    };
    Some(said.into())
}

/// Says that mode 1 starts because the requested mode could not.
pub fn now_mode_1(why: impl Into<Text>) -> Text {
    text!("{}. Starting mode 1 on an empty board instead.", why.into().without_full_stop())
}

/// Describes a repeated position; `None` on its first occurrence.
pub fn repeated(times: usize) -> Option<&'static str> {
    match times {
        2 => Some(
            "This position has come up before. If it comes up a third time, either side may claim a draw.",
        ),
        3 => Some("This position has come up three times. Type draw to claim a draw."),
        4 => Some(
            "This position has come up four times. Type draw to claim a draw; a fifth repetition is an automatic draw.",
        ),
        _ => None,
    }
}

/// Describes a repeated position in a game that is read from a file.
pub fn repeated_in_a_file(times: usize) -> Option<Text> {
    (times > 1).then(|| text!("This position has come up {times} times."))
}

/// Shown when a move made at an earlier position returns to the current one.
pub const BACK_TO_PRESENT: &str = "Back at the current position.";

/// Returns a side's name with the character of its pieces if that differs: `Red (X)`.
pub fn signed(position: &dyn Position, side: Side, glyphs: Glyphs) -> Text {
    let name = position.side_name(side);
    position
        .drawn()
        .piece_glyph(side, glyphs)
        .map_or_else(|| text!("{name}"), |sign| text!("{name} ({})", of_side(side, sign)))
}

/// Wording of sentences for a front end.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// Characters of the pieces.
    pub(crate) glyphs: Glyphs,
    /// `true` if a key does what a command does, so that sentences name the key.
    pub(crate) names_keys: bool,
}

impl Wording {
    /// Returns the key or the command that redoes moves.
    fn redo(self) -> KeyName {
        if self.names_keys { REDO } else { REDO_COMMAND }
    }

    /// Returns the key or the command that undoes moves and edits.
    fn undo(self) -> KeyName {
        if self.names_keys { UNDO } else { UNDO_COMMAND }
    }

    /// Returns the key or the command that goes to the next mistake.
    fn next_mistake(self) -> KeyName {
        if self.names_keys { ENTER } else { NEXT_COMMAND }
    }

    /// Returns the command that gives the player a side and an engine the other one.
    fn side(self) -> KeyName {
        if self.names_keys { SIDE } else { SIDE_COMMAND }
    }
}

/// Returns the greeting at the start of a game.
pub fn greeting(game: &Match, glyphs: Glyphs) -> Text {
    let position = &**game.shown();
    let [first, second] = Side::each(|side| signed(position, side, glyphs));
    let (title, sample) = (position.view().title(), position.view().sample());
    let how = text!("Type a move such as {sample}, or help.");
    let watched = |what: &str| text!("{title}. {what}: {first} vs {second}.");
    match game.game().only_human() {
        Some(you) => {
            let (name, aim) = (signed(position, you, glyphs), position.view().aim(you));
            let engine = engine_in_greeting(game);
            text!("{title}. You are {name} and move {you}. You win by {aim}.\n{engine}{how}")
        }
        None if game.game().is_record() => watched("Replay"),
        None if game.game().practice().is_some() => text!("{title}. {how}"),
        None if game.game().is_analysis() => text!("{title}. Analysis: you move for both sides.\n{how}"),
        None if !game.game().has_human() => watched("Engine match"),
        None => {
            let begins = position.side_name(Side::First);
            text!("{title}. {first} and {second} take turns; {begins} goes first.\n{how}")
        }
    }
}

/// Says which level plays against the only person, if a level does.
fn engine_in_greeting(game: &Match) -> String {
    let is_program = game.game().spec().program.is_some();
    if is_program { String::new() } else { format!("The engine plays {}.\n", at_level(game.game().level())) }
}

/// Says that the engine of a game that has just begun is the original's and cannot be beaten, if that is proved.
pub(crate) fn unbeatable(game: &Match) -> Option<&'static str> {
    let (position, played) = (&**game.shown(), game.game());
    let entry = played.spec().start.entry;
    let is_usual = played.level() == entry.strongest() && entry.default_level() == entry.strongest();
    let is_drawn = || position.values().iter().all(|(_, value)| *value == Value::Draw);
    let has_values = || !position.values().is_empty();
    (played.only_human().is_some()
        && played.spec().program.is_none()
        && is_usual
        && has_values()
        && is_drawn())
    .then_some("This is the unbeatable opponent of the original program; level 2 is easier.")
}

/// Returns the prompt of line mode: whose move it is, or a question.
pub fn prompt(game: &Match) -> String {
    let position = game.present_position();
    if game.has_question() {
        "Play again? (y or n) ".to_owned()
    } else if game.asks_to_replace() {
        "y or n> ".to_owned()
    } else if position.outcome().is_some() || !game.game().is_humans_turn() {
        "> ".to_owned()
    } else {
        let left = game.clocks(game.now()).map(|left| format!(" ({})", screen::times(left)));
        let name = position.side_name(position.to_move()).to_lowercase();
        format!("{name} {}{}> ", position.plies() + 1, left.unwrap_or_default())
    }
}

/// Formats the remarks of a record's header: `first: Ann · second: Ben`.
pub fn remarks(remarks: &[(String, String)]) -> String {
    let words = remarks.iter().map(|(key, value)| [key, value].map(|text| Refusal::shown(text)).join(": "));
    words.collect::<Vec<_>>().join(" · ")
}

/// Says how a game ended; `None` while it continues. `you` is the side of the only human player.
pub fn result(position: &dyn Position, you: Option<Side>) -> Option<Text> {
    if position.early().is_some() {
        return early_result(position, you);
    }
    let (reason, plies) = (position.ending()?, position.plies());
    let Outcome::Win(side) = position.outcome()? else {
        return Some(text!("Game over: {reason} after move {plies}. The game is a draw."));
    };
    let name = position.side_name(side);
    Some(text!("Game over: {name} ({side}) {reason} on move {plies}. {}", who_won(position, side, you)))
}

/// Says in one clause how a game ended, with the character of the winner's pieces.
pub fn short_result(position: &dyn Position, you: Option<Side>, glyphs: Glyphs) -> Option<Text> {
    let Outcome::Win(side) = position.outcome()? else { return result(position, you) };
    if position.early().is_some() {
        return early_result(position, you);
    }
    let (name, reason) = (signed(position, side, glyphs), position.ending()?);
    let end = match you {
        Some(you) if you == side => "You won",
        Some(_) => "You lost",
        None => "Game over",
    };
    Some(text!("{end}: {name} {reason} on move {}.", position.plies()))
}

/// Says how a game ended that was ended early, not by the rules.
fn early_result(position: &dyn Position, you: Option<Side>) -> Option<Text> {
    let EarlyEnd::Lost(loser, reason) = position.early()? else {
        return Some(text!("Draw by repetition after move {}.", position.plies()));
    };
    let winner = loser.other();
    let name = if you == Some(loser) { "You".into() } else { text!("{}", position.side_name(loser)) };
    let won =
        if you == Some(winner) { "You won.".into() } else { text!("{} wins.", position.side_name(winner)) };
    Some(text!("{}. {won}", reason.clause(name)))
}

/// Says who won a game that was played to its end.
fn who_won(position: &dyn Position, winner: Side, you: Option<Side>) -> Text {
    match you {
        Some(you) if you == winner => "You won.".into(),
        Some(_) => "You lost.".into(),
        None => text!("{} wins.", position.side_name(winner)),
    }
}

/// Formats a number of moves: `1 move`, `5 moves`.
pub fn moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// Says whose turn it is, or that the game is over.
pub fn turn(position: &dyn Position) -> Text {
    if position.outcome().is_some() {
        return "The game is over.".into();
    }
    text!("{} to move, move {}.", position.side_name(position.to_move()), position.plies() + 1)
}

/// Says what undo did. `is_engines_turn` means that an engine moves next, which makes redo impossible.
pub fn undid(position: &dyn Position, moves: &[String], is_engines_turn: bool, wording: Wording) -> Text {
    let is_move = |text: &&String| ![RESIGN, DRAW, TIME].contains(&text.as_str());
    let undone: Vec<String> = moves.iter().filter(is_move).cloned().collect();
    let continues = if undone.len() < moves.len() { "The game continues. " } else { "" };
    let (moves, them) = (list(&undone), if undone.len() == 1 { "it" } else { "them" });
    if undone.is_empty() {
        text!("{continues}{}", turn(position))
    } else if is_engines_turn {
        text!("{continues}Undid {moves}. The engine moves again.")
    } else if wording.names_keys {
        text!("{continues}Undid {moves}. {REDO} redoes {them}. {}", turn(position))
    } else {
        text!("{continues}Undid {moves}. {REDO_COMMAND} restores {them}. {}", turn(position))
    }
}

/// Joins moves for a sentence: `f6`, `f6 and e8`, `f6, e8 and g7`.
fn list(moves: &[String]) -> Text {
    match moves {
        [] => Text::new(),
        [one] => text!("{}", of_move(None, one)),
        [front @ .., last] => text!("{} and {}", text::moves(None, front, ", "), of_move(None, last)),
    }
}

/// Lists the best moves in one line; `None` if the engine did not compare them.
pub fn best_moves(report: &SearchReport) -> Option<Text> {
    let told = |candidate: &CandidateMove| {
        Some(text!("{} {}", of_move(None, &candidate.text), candidate.worth.as_ref()?))
    };
    let texts: Vec<Text> = report.candidates.iter().filter_map(told).collect();
    (texts.len() > 1).then(|| text!("Best moves: {}.", join(&texts, ", ")))
}

/// Groups moves by value, one line per value, in order of first appearance.
pub fn by_value<'t>(moves: impl Iterator<Item = (&'t str, String)>) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (text, value) in moves {
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, moves)) => moves.push(text),
            None => groups.push((value, vec![text])),
        }
    }
    groups.iter().map(|(value, moves)| format!("{value}: {}", moves.join(" "))).collect()
}

/// Formats the statistics of a search in one line.
pub fn stats(report: &SearchReport) -> String {
    let seconds = report.elapsed.as_secs_f64();
    let mut parts = vec![format!("nodes {}", report.nodes), format!("depth {}", report.depth)];
    parts.extend(report.worth.as_ref().map(|worth| format!("score {worth}")));
    let status = report.proof.map(|status| status.to_string());
    parts.extend(status.filter(|status| report.worth.as_ref().is_none_or(|worth| worth.value != *status)));
    parts.push(format!("time {seconds:.3} s"));
    parts.push(format!("line {}", report.pv.join(" ")));
    parts.join(", ")
}

/// Returns the lines of `help` or `help COMMAND`: a command (or nothing) and its text.
pub fn help(position: &dyn Position, topic: HelpTopic) -> Vec<(Text, Text)> {
    let line = |text: Text| (Text::new(), text);
    let usage = |entry: &WordEntry| format!("{} {}", entry.name, entry.arguments).trim_end().to_owned();
    let own = position.own_words();
    match topic {
        HelpTopic::All => {}
        HelpTopic::Own(word) => {
            let about = own.iter().find(|(name, _)| *name == word);
            return about.map(|(name, short)| line(text!("{name}: {short}."))).into_iter().collect();
        }
        HelpTopic::Word(word) => {
            let entry = &WORDS[word as usize];
            return [text!("{}: {}.", usage(entry), entry.short), entry.long.into()].map(line).into();
        }
    }
    let rules = position.view().rules().into_iter().chain([position.view().typing().into()]).map(line);
    let words = WORDS.iter().map(|entry| (usage(entry).into(), entry.short.into()));
    let own = own.into_iter().map(|(word, short)| (word.into(), short.into()));
    rules.chain(words).chain(own).collect()
}

/// Returns the rules in sentences, each line after its heading: `Goal  Red connects top to bottom.`
pub fn rules(position: &dyn Position) -> Vec<(&'static str, Text)> {
    let headings = position.view().rule_headings().iter().copied().chain(std::iter::repeat(""));
    headings.zip(position.view().rules()).collect()
}

/// Says at which level the engines play, and which levels exist.
pub fn level_of(position: &dyn Position, level: EngineKind, are_two: bool) -> Text {
    let who = if are_two { "Both engines play" } else { "The engine plays" };
    text!("{who} {}. Levels: {}.", at_level(level), levels_with_names(&position.levels()))
}

/// Says how an engine plays, to follow a verb: `at level 2 (novice)`, `as the original program (classic)`.
pub(super) fn at_level(level: EngineKind) -> String {
    match (level, level.strength()) {
        (EngineKind::Classic, Some(name)) => format!("{name} ({level})"),
        (_, Some(name)) => format!("at level {level} ({name})"),
        (EngineKind::Level(_), None) => format!("at level {level}"),
        (_, None) => format!("by the engine {level}"),
    }
}

/// Lists levels with their names: `classic (as the original program), 1 beginner, 2 novice`.
pub(crate) fn levels_with_names(levels: &[EngineKind]) -> String {
    let level = |level: &EngineKind| match (level, level.strength()) {
        (EngineKind::Level(_), Some(name)) => format!("{level} {name}"),
        (_, Some(name)) => format!("{level} ({name})"),
        (_, None) => level.to_string(),
    };
    levels.iter().map(level).collect::<Vec<_>>().join(", ")
}

/// Formats who plays a side, as journals have it, with the name of its level: `level 4 (improver)`.
pub(crate) fn seat_with_name(seat: &str) -> String {
    let kind = seat.strip_prefix("level ").and_then(|level| level.parse::<EngineKind>().ok());
    match kind.and_then(EngineKind::strength) {
        Some(name) => format!("{seat} ({name})"),
        None => seat.to_owned(),
    }
}

/// Shown when a saved game that an external engine played is resumed without it.
pub fn without_its_program(name: &str) -> String {
    format!(
        "{name} played here before; a built-in level takes its place. Use --continue --engine SPEC to bring {name} back."
    )
}

/// Shown when an external engine's protocol does not support the game.
pub fn program_does_not_fit(spec: &str, title: &str) -> String {
    let language = spec.split(':').next().unwrap_or_default();
    let spec = Refusal::shown_path(spec);
    format!(
        "The engine {spec} cannot play {title}: {language} does not support this game. A built-in level plays instead."
    )
}

/// Shown when the game cannot use the network given with `--net`, and why.
pub fn network_does_not_fit(why: &str) -> String {
    format!("--net: {why}. The option is ignored.")
}

/// Says that no engine of a game uses a network.
pub fn no_networks(title: &str) -> String {
    format!("no {title} engine uses a network")
}

/// Shown when a level is set in the menu where no engine is to play.
pub const NO_ENGINE_IN_THE_MENU: &str = "No engine plays in this mode, so there is no level to set.";

/// Shown when a level is set in a game without engines.
const NO_ENGINE_FOR_THE_LEVEL: &str =
    "No engine plays here, so there is no level to set. side first or side second asks one to play.";

/// Says that a game has no such level.
pub fn no_such_level(position: &dyn Position, read: &str) -> Text {
    as_sentence(NoSuchLevel { got: Refusal::shown(read), levels: position.levels() }).into()
}

/// Returns an error as a sentence: with a capital letter and a full stop.
fn as_sentence(error: impl Display) -> String {
    let text = error.to_string();
    let mut rest = text.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).chain(['.']).collect()
}

/// Reports whether every move is proved to lose.
pub fn every_move_loses(position: &dyn Position) -> bool {
    let values = position.values();
    !values.is_empty() && values.iter().all(|(_, value)| matches!(value, Value::Loss(_)))
}

/// Lists the moves played with their numbers, those of both sides per line: First's in the first column.
pub fn moves_played(position: &dyn Position) -> Vec<Text> {
    let played = position.played();
    if played.is_empty() {
        return vec!["No moves yet.".into()];
    }
    let numbered: Vec<(usize, &String)> = (1..).zip(&played).collect();
    // Where Second began, its first move stands alone in its column.
    let (alone, pairs) = numbered.split_at(position.first_mover().index());
    let text = |&(number, mv): &(usize, &String)| text!("{number:>3} {}", of_move(None, mv));
    let row = |moves: &[(usize, &String)]| {
        let gap = " ".repeat(5_usize.saturating_sub(moves[0].1.len()).max(1));
        join(moves.iter().map(text), &gap)
    };
    alone.iter().map(|one| text!("         {}", text(one))).chain(pairs.chunks(2).map(row)).collect()
}

/// Lists the legal moves.
pub fn legal(position: &dyn Position) -> Vec<Text> {
    let moves = position.legal();
    if moves.is_empty() {
        vec!["No moves: the game is over.".into()]
    } else {
        vec![text::moves(None, &moves, " ")]
    }
}

/// Describes the position in sentences.
pub fn where_is_what(position: &dyn Position) -> Vec<Text> {
    let mut lines = position.view().facts();
    let last = position
        .last()
        .map_or_else(|| "No moves yet.".into(), |last| text!("Last move: {}.", of_move(None, last)));
    let now = result(position, None).unwrap_or_else(|| turn(position));
    lines.push(text!("{last} {now}"));
    lines
}
