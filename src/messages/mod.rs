//! Messages of the program about any game. Names and reasons that belong to one game come from that game.

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

use crate::ai::{EngineKind, NoSuchLevel, ScoreMeaning};
use crate::canvas::GlyphSet;
use crate::game::{Outcome, Refusal, Side};
use crate::messages::keys::{
    ENTER_KEY, LINE_MODE_SIDE_COMMAND, NEXT_MISTAKE_COMMAND, REDO_COMMAND, REDO_KEY, SCREEN_SIDE_COMMAND,
    UNDO_COMMAND, UNDO_KEY,
};
use crate::play::{COMMAND_WORDS, CommandEntry, HelpTopic, Match, UnsavedStatus};
use crate::session::{CandidateMove, DRAW_WORD, EarlyEnd, Position, RESIGN_WORD, SearchReport, TIMEOUT_WORD};
use crate::text;
use crate::text::{KeyName, Text, join_texts, mark_move, mark_side};

pub use refusals::describe_refusal;
pub use replies::{
    describe_fault, describe_file_fault, describe_file_fault_briefly, describe_incomplete_replay,
    describe_move_effects, format_exact_value, reply_lines, shown_position_message,
};
pub use review::{
    describe_better_line, describe_better_move, format_mark_counts, list_reviewed_moves, summarize_review,
};

/// Message shown when the player leaves an unsaved game that has moves.
const GAME_NOT_SAVED_MESSAGE: &str = "This game was not saved. save FILE saves a game.";
/// Message shown when the player leaves an unfinished game that the journal has saved.
const GAME_SAVED_MESSAGE: &str = "Game saved. Resume it with: crosspath --continue";

/// Message shown if a saved game is dated in the future.
pub const FUTURE_DATE_WARNING: &str = "A saved game is dated in the future. Check this computer's clock.";

/// Message shown when the player leaves a finished game that the journal has saved.
const FINISHED_GAME_SAVED_MESSAGE: &str = "Game saved. See it with: crosspath games";

/// Says in the menu that saved games cannot be read. The message names the first one and counts the others.
pub(crate) fn unreadable_games_warning(wrong: &[String]) -> Option<String> {
    let (first, others) = wrong.split_first()?;
    let more = if others.is_empty() { String::new() } else { format!(" (and {} more)", others.len()) };
    Some(format!("A saved game cannot be read{more}: {first}"))
}

/// Says that the input has ended before an external engine has answered.
pub(crate) fn no_answer_after_eof_message(name: &str) -> String {
    format!("{name} has not answered, and the input has ended; --response-timeout TIME waits longer")
}

/// Says that a typed move waits for an external engine.
pub(crate) fn queued_move_message(text: &str) -> String {
    format!("{text} waits for the engine. Use undo to take it back, or level N to replace the engine.")
}

/// Says how many typed moves wait for an external engine.
pub(crate) fn queued_moves_message(count: usize) -> String {
    format!("{count} moves wait for the engine. Use undo to take one back, or level N to replace the engine.")
}

/// Says that a move typed while an engine was thinking was dropped.
pub(crate) fn queued_move_dropped_message(text: &str) -> String {
    format!("The waiting move {text} was dropped.")
}

/// Says that several moves typed while an engine was thinking were dropped.
pub(crate) fn queued_moves_dropped_message(count: usize) -> String {
    format!("{count} waiting moves were dropped.")
}

/// Says that lines typed while an engine thinks are ignored because too many are waiting.
pub(crate) fn too_many_queued_lines_message(most: usize) -> String {
    format!("Only {most} lines can wait for the engine: the rest is ignored.")
}

/// Returns the messages shown when the player leaves a match: about its game, and about earlier games that
/// were not saved.
pub(crate) fn messages_on_leaving(game: &Match, unsaved: UnsavedStatus) -> Vec<String> {
    let said = match unsaved {
        UnsavedStatus::No => None,
        UnsavedStatus::Yes => Some(GAME_NOT_SAVED_MESSAGE),
        UnsavedStatus::Kept => Some(GAME_SAVED_MESSAGE),
        UnsavedStatus::Finished => Some(FINISHED_GAME_SAVED_MESSAGE),
    };
    let earlier = match game.titles_of_lost_games().as_slice() {
        [] => None,
        [one] => Some(format!("An earlier game was not saved: {one}.")),
        many => Some(format!("{} earlier games were not saved: {}.", many.len(), many.join(", "))),
    };
    said.map(str::to_owned).into_iter().chain(earlier).collect()
}

/// Message shown when a new game replaces one that was not saved.
const PREVIOUS_GAME_LOST_MESSAGE: &str = "The previous game was not saved.";
/// Message shown when a new game replaces one that the journal has saved.
const PREVIOUS_GAME_SAVED_MESSAGE: &str = "The previous game is saved; undo returns to it.";

/// Returns the message about the game that a new one replaces, if any.
fn previous_game_message(unsaved: UnsavedStatus) -> Option<Text> {
    let said = match unsaved {
        UnsavedStatus::No | UnsavedStatus::Finished => return None,
        UnsavedStatus::Yes => PREVIOUS_GAME_LOST_MESSAGE,
        UnsavedStatus::Kept => PREVIOUS_GAME_SAVED_MESSAGE,
    };
    Some(said.into())
}

/// Says that mode 1 starts because the requested mode could not.
pub fn fallback_to_mode_1_message(why: impl Into<Text>) -> Text {
    text!("{}. Starting mode 1 on an empty board instead.", why.into().without_full_stop())
}

/// Describes a repeated position; `None` on its first occurrence.
pub fn repetition_message(times: usize) -> Option<&'static str> {
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
pub fn file_repetition_message(times: usize) -> Option<Text> {
    (times > 1).then(|| text!("This position has come up {times} times."))
}

/// Message shown if a move made at an earlier position leads back to the current one.
pub const BACK_AT_CURRENT_MESSAGE: &str = "Back at the current position.";

/// Returns a side's name with the character of its pieces if that differs: `Red (X)`.
pub fn side_name_with_glyph(position: &dyn Position, side: Side, glyphs: GlyphSet) -> Text {
    let name = position.side_name(side);
    position
        .as_paint()
        .piece_glyph(side, glyphs)
        .map_or_else(|| text!("{name}"), |sign| text!("{name} ({})", mark_side(side, sign)))
}

/// Style of messages for a front end.
#[derive(Clone, Copy, Debug)]
pub struct MessageWording {
    /// Characters of the pieces.
    pub(crate) glyphs: GlyphSet,
    /// `true` if messages name keys, `false` if they name commands.
    pub(crate) names_keys: bool,
}

impl MessageWording {
    /// Returns the key or command that redoes moves.
    fn redo_key(self) -> KeyName {
        if self.names_keys { REDO_KEY } else { REDO_COMMAND }
    }

    /// Returns the key or command that undoes moves and edits.
    fn undo_key(self) -> KeyName {
        if self.names_keys { UNDO_KEY } else { UNDO_COMMAND }
    }

    /// Returns the key or command that goes to the next mistake.
    fn next_mistake_key(self) -> KeyName {
        if self.names_keys { ENTER_KEY } else { NEXT_MISTAKE_COMMAND }
    }

    /// Returns the command that gives the player one side and an engine the other.
    fn side_command(self) -> KeyName {
        if self.names_keys { SCREEN_SIDE_COMMAND } else { LINE_MODE_SIDE_COMMAND }
    }
}

/// Returns the greeting at the start of a game.
pub fn format_greeting(game: &Match, glyphs: GlyphSet) -> Text {
    let position = &**game.shown_position();
    let [first, second] = Side::map_both(|side| side_name_with_glyph(position, side, glyphs));
    let (title, sample) = (position.view().title(), position.view().sample_move());
    let how = text!("Type a move such as {sample}, or help.");
    let watched = |what: &str| text!("{title}. {what}: {first} vs {second}.");
    match game.game().sole_human_side() {
        Some(you) => {
            let (name, aim) =
                (side_name_with_glyph(position, you, glyphs), position.view().describe_goal(you));
            let engine = format_greeting_level(game);
            text!("{title}. You are {name} and move {you}. You win by {aim}.\n{engine}{how}")
        }
        None if game.game().is_replay() => watched("Replay"),
        None if game.game().practice_item().is_some() => text!("{title}. {how}"),
        None if game.game().is_analysis() => text!("{title}. Analysis: you move for both sides.\n{how}"),
        None if !game.game().has_human() => watched("Engine match"),
        None => {
            let begins = position.side_name(Side::First);
            text!("{title}. {first} and {second} take turns; {begins} goes first.\n{how}")
        }
    }
}

/// Says which level plays against the only human player, if a level does.
fn format_greeting_level(game: &Match) -> String {
    let is_program = game.game().spec().program.is_some();
    if is_program {
        String::new()
    } else {
        format!("The engine plays {}.\n", format_at_level(game.game().level()))
    }
}

/// Says that the engine of a new game is the unbeatable opponent of the original program, if this is proved.
pub(crate) fn unbeatable_engine_note(game: &Match) -> Option<&'static str> {
    let (position, played) = (&**game.shown_position(), game.game());
    let entry = played.spec().start.entry;
    let is_usual =
        played.level() == entry.strongest_level() && entry.default_level() == entry.strongest_level();
    let is_drawn = || position.exact_move_values().iter().all(|(_, value)| *value == ScoreMeaning::Draw);
    let has_values = || !position.exact_move_values().is_empty();
    (played.sole_human_side().is_some()
        && played.spec().program.is_none()
        && is_usual
        && has_values()
        && is_drawn())
    .then_some("This is the unbeatable opponent of the original program; level 2 is easier.")
}

/// Returns the prompt of line mode: the side to move, or a question.
pub fn format_prompt(game: &Match) -> String {
    let position = game.present_position();
    if game.asks_for_rematch() {
        "Play again? (y or n) ".to_owned()
    } else if game.asks_to_overwrite() {
        "y or n> ".to_owned()
    } else if position.outcome().is_some() || !game.game().is_humans_turn() {
        "> ".to_owned()
    } else {
        let left = game
            .remaining_times(game.last_update_time())
            .map(|left| format!(" ({})", screen::format_clocks(left)));
        let name = position.side_name(position.to_move()).to_lowercase();
        format!("{name} {}{}> ", position.plies() + 1, left.unwrap_or_default())
    }
}

/// Formats the remarks of a record's header: `first: Ann · second: Ben`.
pub fn format_header_remarks(remarks: &[(String, String)]) -> String {
    let words = remarks
        .iter()
        .map(|(key, value)| [key, value].map(|text| Refusal::sanitize_excerpt(text)).join(": "));
    words.collect::<Vec<_>>().join(" · ")
}

/// Describes the end of a game; `None` while it continues. `you` is the side of the only human player.
pub fn describe_result(position: &dyn Position, you: Option<Side>) -> Option<Text> {
    if position.early_end().is_some() {
        return describe_early_end(position, you);
    }
    let (reason, plies) = (position.describe_ending()?, position.plies());
    let Outcome::Win(side) = position.outcome()? else {
        return Some(text!("Game over: {reason} after move {plies}. The game is a draw."));
    };
    let name = position.side_name(side);
    Some(text!(
        "Game over: {name} ({side}) {reason} on move {plies}. {}",
        winner_sentence(position, side, you)
    ))
}

/// Describes the end of a game in one clause, with the character of the winner's pieces.
pub fn describe_result_briefly(position: &dyn Position, you: Option<Side>, glyphs: GlyphSet) -> Option<Text> {
    let Outcome::Win(side) = position.outcome()? else { return describe_result(position, you) };
    if position.early_end().is_some() {
        return describe_early_end(position, you);
    }
    let (name, reason) = (side_name_with_glyph(position, side, glyphs), position.describe_ending()?);
    let end = match you {
        Some(you) if you == side => "You won",
        Some(_) => "You lost",
        None => "Game over",
    };
    Some(text!("{end}: {name} {reason} on move {}.", position.plies()))
}

/// Describes a game that was ended early, not by the rules.
fn describe_early_end(position: &dyn Position, you: Option<Side>) -> Option<Text> {
    let EarlyEnd::Lost(loser, reason) = position.early_end()? else {
        return Some(text!("Draw by repetition after move {}.", position.plies()));
    };
    let winner = loser.other();
    let name = if you == Some(loser) { "You".into() } else { text!("{}", position.side_name(loser)) };
    let won =
        if you == Some(winner) { "You won.".into() } else { text!("{} wins.", position.side_name(winner)) };
    Some(text!("{}. {won}", reason.describe_loss(name)))
}

/// Names the winner of a game that was played to its end.
fn winner_sentence(position: &dyn Position, winner: Side, you: Option<Side>) -> Text {
    match you {
        Some(you) if you == winner => "You won.".into(),
        Some(_) => "You lost.".into(),
        None => text!("{} wins.", position.side_name(winner)),
    }
}

/// Formats a number of moves: `1 move`, `5 moves`.
pub fn format_move_count(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// Says which side is to move, or that the game is over.
pub fn describe_turn(position: &dyn Position) -> Text {
    if position.outcome().is_some() {
        return "The game is over.".into();
    }
    text!("{} to move, move {}.", position.side_name(position.to_move()), position.plies() + 1)
}

/// Describes an undo. `is_engines_turn` means that an engine moves next, which makes redo impossible.
pub fn undo_message(
    position: &dyn Position,
    moves: &[String],
    is_engines_turn: bool,
    wording: MessageWording,
) -> Text {
    let is_move = |text: &&String| ![RESIGN_WORD, DRAW_WORD, TIMEOUT_WORD].contains(&text.as_str());
    let undone: Vec<String> = moves.iter().filter(is_move).cloned().collect();
    let continues = if undone.len() < moves.len() { "The game continues. " } else { "" };
    let (moves, them) = (format_move_list(&undone), if undone.len() == 1 { "it" } else { "them" });
    if undone.is_empty() {
        text!("{continues}{}", describe_turn(position))
    } else if is_engines_turn {
        text!("{continues}Undid {moves}. The engine moves again.")
    } else if wording.names_keys {
        text!("{continues}Undid {moves}. {REDO_KEY} redoes {them}. {}", describe_turn(position))
    } else {
        text!("{continues}Undid {moves}. {REDO_COMMAND} restores {them}. {}", describe_turn(position))
    }
}

/// Joins moves for a sentence: `f6`, `f6 and e8`, `f6, e8 and g7`.
fn format_move_list(moves: &[String]) -> Text {
    match moves {
        [] => Text::new(),
        [one] => text!("{}", mark_move(None, one)),
        [front @ .., last] => text!("{} and {}", text::join_moves(None, front, ", "), mark_move(None, last)),
    }
}

/// Lists the best moves in one line; `None` if the engine did not compare them.
pub fn format_best_moves(report: &SearchReport) -> Option<Text> {
    let told = |candidate: &CandidateMove| {
        Some(text!("{} {}", mark_move(None, &candidate.text), candidate.worth.as_ref()?))
    };
    let texts: Vec<Text> = report.candidates.iter().filter_map(told).collect();
    (texts.len() > 1).then(|| text!("Best moves: {}.", join_texts(&texts, ", ")))
}

/// Groups moves by value, one line per value, in order of first appearance.
pub fn group_moves_by_value<'t>(moves: impl Iterator<Item = (&'t str, String)>) -> Vec<String> {
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
pub fn format_search_stats(report: &SearchReport) -> String {
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
pub fn help_lines(position: &dyn Position, topic: HelpTopic) -> Vec<(Text, Text)> {
    let line = |text: Text| (Text::new(), text);
    let usage = |entry: &CommandEntry| format!("{} {}", entry.name, entry.arguments).trim_end().to_owned();
    let own = position.game_commands();
    match topic {
        HelpTopic::All => {}
        HelpTopic::GameCommand(word) => {
            let about = own.iter().find(|(name, _)| *name == word);
            return about.map(|(name, short)| line(text!("{name}: {short}."))).into_iter().collect();
        }
        HelpTopic::Word(word) => {
            let entry = &COMMAND_WORDS[word as usize];
            return [text!("{}: {}.", usage(entry), entry.short), entry.long.into()].map(line).into();
        }
    }
    let rules =
        position.view().rules_text().into_iter().chain([position.view().typing_hint().into()]).map(line);
    let words = COMMAND_WORDS.iter().map(|entry| (usage(entry).into(), entry.short.into()));
    let own = own.into_iter().map(|(word, short)| (word.into(), short.into()));
    rules.chain(words).chain(own).collect()
}

/// Returns the rules in sentences, each line after its heading: `Goal  Red connects top to bottom.`
pub fn rule_lines(position: &dyn Position) -> Vec<(&'static str, Text)> {
    let headings = position.view().rule_headings().iter().copied().chain(std::iter::repeat(""));
    headings.zip(position.view().rules_text()).collect()
}

/// Says at which level the engines play, and which levels exist.
pub fn describe_engine_level(position: &dyn Position, level: EngineKind, are_two: bool) -> Text {
    let who = if are_two { "Both engines play" } else { "The engine plays" };
    text!("{who} {}. Levels: {}.", format_at_level(level), list_levels_with_names(&position.levels()))
}

/// Formats the level of an engine to follow a verb: `at level 2 (novice)`, `as the original program
/// (classic)`.
pub(super) fn format_at_level(level: EngineKind) -> String {
    match (level, level.strength_name()) {
        (EngineKind::Classic, Some(name)) => format!("{name} ({level})"),
        (_, Some(name)) => format!("at level {level} ({name})"),
        (EngineKind::Level(_), None) => format!("at level {level}"),
        (_, None) => format!("by the engine {level}"),
    }
}

/// Lists levels with their names: `classic (as the original program), 1 beginner, 2 novice`.
pub(crate) fn list_levels_with_names(levels: &[EngineKind]) -> String {
    let level = |level: &EngineKind| match (level, level.strength_name()) {
        (EngineKind::Level(_), Some(name)) => format!("{level} {name}"),
        (_, Some(name)) => format!("{level} ({name})"),
        (_, None) => level.to_string(),
    };
    levels.iter().map(level).collect::<Vec<_>>().join(", ")
}

/// Formats the player of a side, as stored in journals, with the name of its level: `level 4 (improver)`.
pub(crate) fn format_seat_with_level_name(seat: &str) -> String {
    let kind = seat.strip_prefix("level ").and_then(|level| level.parse::<EngineKind>().ok());
    match kind.and_then(EngineKind::strength_name) {
        Some(name) => format!("{seat} ({name})"),
        None => seat.to_owned(),
    }
}

/// Returns the message shown if a saved game of an external engine is resumed without that engine.
pub fn missing_engine_message(name: &str) -> String {
    format!(
        "{name} played here before; a built-in level takes its place. Use --continue --engine SPEC to bring {name} back."
    )
}

/// Returns the message shown if an external engine's protocol does not support the game.
pub fn unsupported_game_message(spec: &str, title: &str) -> String {
    let language = spec.split(':').next().unwrap_or_default();
    let spec = Refusal::sanitize_path(spec);
    format!(
        "The engine {spec} cannot play {title}: {language} does not support this game. A built-in level plays instead."
    )
}

/// Says why the game cannot use the network given with `--net`.
pub fn network_ignored_message(why: &str) -> String {
    format!("--net: {why}. The option is ignored.")
}

/// Says that no engine of a game uses a network.
pub fn no_networks_message(title: &str) -> String {
    format!("no {title} engine uses a network")
}

/// Message shown if a level is set in the menu for a mode without engines.
pub const NO_ENGINE_IN_MENU_MESSAGE: &str = "No engine plays in this mode, so there is no level to set.";

/// Message shown if a level is set in a game without engines.
const NO_ENGINE_FOR_LEVEL_MESSAGE: &str =
    "No engine plays here, so there is no level to set. side first or side second asks one to play.";

/// Says that a game has no such level.
pub fn unknown_level_message(position: &dyn Position, read: &str) -> Text {
    error_to_sentence(NoSuchLevel { got: Refusal::sanitize_excerpt(read), levels: position.levels() }).into()
}

/// Formats an error as a sentence: with a capital letter and a full stop.
fn error_to_sentence(error: impl Display) -> String {
    let text = error.to_string();
    let mut rest = text.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).chain(['.']).collect()
}

/// Reports whether every move is proved to lose.
pub fn is_every_move_losing(position: &dyn Position) -> bool {
    let values = position.exact_move_values();
    !values.is_empty() && values.iter().all(|(_, value)| matches!(value, ScoreMeaning::Loss(_)))
}

/// Lists the moves played with their numbers, one round per line, First's move in the first column.
pub fn list_moves_played(position: &dyn Position) -> Vec<Text> {
    let played = position.played_moves();
    if played.is_empty() {
        return vec!["No moves yet.".into()];
    }
    let numbered: Vec<(usize, &String)> = (1..).zip(&played).collect();
    // If Second moved first, its first move is alone in the second column.
    let (alone, pairs) = numbered.split_at(position.first_mover().index());
    let text = |&(number, mv): &(usize, &String)| text!("{number:>3} {}", mark_move(None, mv));
    let row = |moves: &[(usize, &String)]| {
        let gap = " ".repeat(5_usize.saturating_sub(moves[0].1.len()).max(1));
        join_texts(moves.iter().map(text), &gap)
    };
    alone.iter().map(|one| text!("         {}", text(one))).chain(pairs.chunks(2).map(row)).collect()
}

/// Lists the legal moves.
pub fn list_legal_moves(position: &dyn Position) -> Vec<Text> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        vec!["No moves: the game is over.".into()]
    } else {
        vec![text::join_moves(None, &moves, " ")]
    }
}

/// Describes the position in sentences.
pub fn describe_position(position: &dyn Position) -> Vec<Text> {
    let mut lines = position.view().describe_position();
    let last = position
        .last_move()
        .map_or_else(|| "No moves yet.".into(), |last| text!("Last move: {}.", mark_move(None, last)));
    let now = describe_result(position, None).unwrap_or_else(|| describe_turn(position));
    lines.push(text!("{last} {now}"));
    lines
}
