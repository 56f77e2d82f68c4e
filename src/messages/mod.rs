//! The sentences that the program says about any game. The games bring their own names and reasons.

mod refusals;
mod replies;
mod review;
pub mod screen;

use crate::ai::{Level, NoSuchLevel, Value};
use crate::canvas::Glyphs;
use crate::game::{Outcome, Refusal, Side};
use crate::play::{Match, Unsaved, WORDS, WordEntry, find};
use crate::session::{Candidate, DRAW, Position, RESIGN, Report, TIME};

pub use refusals::refusal;
pub use replies::{fault, fault_of_file, looking_at, notice, reply, stuck_in_words, value_of};
pub use review::better;

/// Said when a game with moves is left behind.
const NOT_SAVED: &str = "Not saved. save FILE keeps a game.";
/// Said when a game is left that its journal keeps.
const KEPT: &str = "Saved. crosspath --continue goes on from here.";

/// Said where a game that is kept is dated later than now.
pub const SET_BACK: &str = "The clock of this computer was set back: a game is dated later than now.";

/// Said when a game is left that is over and that its journal keeps.
const FINISHED: &str = "The game is kept; crosspath games shows it.";

/// Said when a game is left, where there is something to say.
pub fn left_behind(unsaved: Unsaved) -> Option<&'static str> {
    match unsaved {
        Unsaved::No => None,
        Unsaved::Yes => Some(NOT_SAVED),
        Unsaved::Kept => Some(KEPT),
        Unsaved::Finished => Some(FINISHED),
    }
}

/// Said when another game takes the place of one that was not saved.
const LEFT_UNSAVED: &str = "The game before was not saved.";
/// The same where its journal keeps it.
const LEFT_KEPT: &str = "The game before is kept: undo brings it back.";

/// Said when another game takes the place of one.
fn left_before(unsaved: Unsaved) -> Option<String> {
    let said = match unsaved {
        Unsaved::No | Unsaved::Finished => return None,
        Unsaved::Yes => LEFT_UNSAVED,
        Unsaved::Kept => LEFT_KEPT,
    };
    Some(said.to_owned())
}

/// What follows a fault that ends the mode that was asked for.
pub fn now_mode_1(why: &str) -> String {
    format!("{}. Now mode 1, on a fresh board.", why.trim_end_matches('.'))
}

/// Said when a position has come again; `None` where that means nothing yet.
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

/// Said when a position has come again in a game that a file tells; it goes on as the file says.
pub fn repeated_in_a_file(times: usize) -> Option<String> {
    (times > 1).then(|| format!("This position has come up {times} times."))
}

/// Said when somebody plays while an earlier position is shown.
pub const BACK_TO_PRESENT: &str = "Back at the present position.";

/// A side's name, and the character of its pieces where that is another: `Red (X)`.
pub fn signed(position: &dyn Position, side: Side, glyphs: Glyphs) -> String {
    let name = position.side_name(side);
    position
        .drawn()
        .piece_glyph(side, glyphs)
        .map_or_else(|| name.to_owned(), |sign| format!("{name} ({sign})"))
}

/// What people read when a game begins.
pub fn greeting(game: &Match, glyphs: Glyphs) -> String {
    let position = &**game.shown();
    let [first, second] = Side::each(|side| signed(position, side, glyphs));
    let (title, sample) = (position.view().title(), position.view().sample());
    let how = format!("Type a move such as {sample}, or help.");
    let watched = |what: &str| format!("{title}. {what}: {first} against {second}.");
    match game.game().only_human() {
        Some(you) => {
            let (name, aim) = (signed(position, you, glyphs), position.view().aim(you));
            format!("{title}. You are {name}, {you}, {aim}.\n{how}")
        }
        None if game.game().is_record() => watched("Replay"),
        None if !game.game().has_human() => watched("Machines play"),
        None => {
            let begins = position.side_name(Side::First);
            format!("{title}. {first} and {second} in turn, {begins} begins.\n{how}")
        }
    }
}

/// What stands before a typed line: whose move it is, or the question for another game.
pub fn prompt(game: &Match) -> String {
    let position = game.present_position();
    if game.has_question() {
        "Another game? ".to_owned()
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

/// Remarks as they stand in a record's head: `first: Ann · second: Ben`.
pub fn remarks(remarks: &[(String, String)]) -> String {
    let words = remarks.iter().map(|(key, value)| [key, value].map(|text| Refusal::shown(text)).join(": "));
    words.collect::<Vec<_>>().join(" · ")
}

/// How a game ended; `None` while it goes on.
pub fn result(position: &dyn Position) -> Option<String> {
    let (reason, plies) = (position.ending()?, position.plies());
    let Outcome::Win(side) = position.outcome()? else {
        return Some(match position.early() {
            Some(_) => format!("Draw by repetition after move {plies}."),
            None => format!("Game over: {reason} after move {plies}. It is a draw."),
        });
    };
    let (name, when) = (position.side_name(side), on_move(position));
    Some(format!("Game over: {name} ({side}) {reason}{when}. {name} wins."))
}

/// The same in a few words: each side is named once.
pub fn short_result(position: &dyn Position, glyphs: Glyphs) -> Option<String> {
    let Outcome::Win(side) = position.outcome()? else { return result(position) };
    let (name, reason) = (signed(position, side, glyphs), position.ending()?);
    Some(format!("Game over: {name} {reason}{}.", on_move(position)))
}

/// When a game was won; nothing where the last move did not win it.
fn on_move(position: &dyn Position) -> String {
    if position.early().is_some() { String::new() } else { format!(" on move {}", position.plies()) }
}

/// So many moves in words.
pub fn moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// Whose turn it is, or that the game is over.
pub fn turn(position: &dyn Position) -> String {
    if position.outcome().is_some() {
        return "The game is over.".to_owned();
    }
    format!("{} to move, move {}.", position.side_name(position.to_move()), position.plies() + 1)
}

/// What undo did. `is_machines_turn` says that a machine moves next, which makes redo impossible.
pub fn took_back(position: &dyn Position, moves: &[String], is_machines_turn: bool) -> String {
    let is_move = |text: &&String| ![RESIGN, DRAW, TIME].contains(&text.as_str());
    let kept: Vec<String> = moves.iter().filter(is_move).cloned().collect();
    let goes_on = if kept.len() < moves.len() { "The game goes on. " } else { "" };
    let (moves, them) = (list(&kept), if kept.len() == 1 { "it" } else { "them" });
    if kept.is_empty() {
        format!("{goes_on}{}", turn(position))
    } else if is_machines_turn {
        format!("{goes_on}Took back {moves}. The machine moves again.")
    } else {
        format!("{goes_on}Took back {moves}. {} redo brings {them} back.", turn(position))
    }
}

/// Moves in a sentence: `f6`, `f6 and e8`, `f6, e8 and g7`.
fn list(moves: &[String]) -> String {
    match moves {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}

/// The best moves in one line; `None` where they were not compared.
pub fn best_moves(report: &Report) -> Option<String> {
    let told = |candidate: &Candidate| Some(format!("{} {}", candidate.text, candidate.worth.as_ref()?));
    let texts: Vec<String> = report.candidates.iter().filter_map(told).collect();
    (texts.len() > 1).then(|| format!("Best moves: {}.", texts.join(", ")))
}

/// What moves are worth, in lines: those of one value together, in the order in which the first of them comes.
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

/// What a search found, in one line.
pub fn stats(report: &Report) -> String {
    let seconds = report.elapsed.as_secs_f64();
    let mut parts = vec![format!("nodes {}", report.nodes), format!("depth {}", report.depth)];
    parts.extend(report.worth.as_ref().map(|worth| format!("score {worth}")));
    let status = report.proof.map(|status| status.to_string());
    parts.extend(status.filter(|status| report.worth.as_ref().is_none_or(|worth| worth.value != *status)));
    parts.push(format!("time {seconds:.3} s"));
    parts.push(format!("line {}", report.pv.join(" ")));
    parts.join(", ")
}

/// What `help` says, or `help WORD` for a word that exists: words, each with what it does, and lines without a word.
pub fn help(position: &dyn Position, rest: &str) -> Vec<(String, String)> {
    let line = |text: String| (String::new(), text);
    let usage = |entry: &WordEntry| format!("{} {}", entry.name, entry.arguments).trim_end().to_owned();
    let own = position.own_words();
    if !rest.is_empty() {
        let lower = rest.to_lowercase();
        if let Some((name, short)) = own.iter().find(|(name, _)| *name == lower) {
            return vec![line(format!("{name}: {short}."))];
        }
        let word = find(rest).and_then(|word| WORDS.iter().find(|entry| entry.word == word));
        let about =
            |entry: &WordEntry| [format!("{}: {}.", usage(entry), entry.short), entry.long.to_owned()];
        return word.map(about).into_iter().flatten().map(line).collect();
    }
    let rules = position.view().rules().into_iter().chain([position.view().typing()]).map(line);
    let words = WORDS.iter().map(|entry| (usage(entry), entry.short.to_owned()));
    let own = own.into_iter().map(|(word, short)| (word.to_owned(), short.to_owned()));
    rules.chain(words).chain(own).collect()
}

/// The engines' level, and which there are.
pub fn level_of(position: &dyn Position, level: Level, are_two: bool) -> String {
    let who = if are_two { "Both machines play" } else { "The machine plays" };
    format!("{who} level {level}. Levels: {}.", Level::in_words(&position.levels()))
}

/// Said where a game goes on that another program has played.
pub fn without_its_program(name: &str) -> String {
    format!("{name} played here. A level of crosspath goes on; --continue --engine SPEC brings {name} back.")
}

/// Said in the start menu where games cannot be read: the first one, and how many more.
pub(crate) fn unreadable_games(wrong: &[String]) -> Option<String> {
    let (first, others) = wrong.split_first()?;
    let more = if others.is_empty() { String::new() } else { format!(" (and {} more)", others.len()) };
    Some(format!("A game cannot be read{more}: {first}"))
}

/// Said where the input has ended and an external engine does not answer.
pub(crate) fn no_answer_after_the_input(name: &str) -> String {
    format!("{name} has not answered, and the input has ended; --response-timeout TIME waits longer")
}

/// Said where a program is wanted that does not speak the language of the game.
pub fn program_does_not_fit(spec: &str, title: &str) -> String {
    let language = spec.split(':').next().unwrap_or_default();
    let spec = Refusal::shown_path(spec);
    format!(
        "The engine {spec} cannot play {title}: {language} is not spoken there. A level of crosspath plays."
    )
}

/// Said where a network is named that the game cannot use, and why.
pub fn network_does_not_fit(why: &str) -> String {
    format!("--net: {why}. The machine plays as without --net.")
}

/// Why a network means nothing to a game.
pub fn no_networks(title: &str) -> String {
    format!("no engine of {title} plays by a network")
}

/// Said where a level is asked for and no engine plays.
pub const NO_ENGINE_FOR_THE_LEVEL: &str = "No machine plays here, so there is no level to set.";

/// Said where a game has no such level.
pub fn no_such_level(position: &dyn Position, read: &str) -> String {
    NoSuchLevel { got: Refusal::shown(read), levels: position.levels() }.to_string() + "."
}

/// Whether every move loses, where that is known exactly.
pub fn every_move_loses(position: &dyn Position) -> bool {
    let values = position.values();
    !values.is_empty() && values.iter().all(|(_, value)| matches!(value, Value::Loss(_)))
}

/// The moves played, a round a line.
pub fn moves_played(position: &dyn Position) -> Vec<String> {
    let played = position.played();
    if played.is_empty() {
        return vec!["No moves yet.".to_owned()];
    }
    played.chunks(2).zip(1..).map(|(round, number)| format!("{number:>3}. {}", round.join(" "))).collect()
}

/// The legal moves.
pub fn legal(position: &dyn Position) -> Vec<String> {
    let moves = position.legal();
    if moves.is_empty() { vec!["No moves: the game is over.".to_owned()] } else { vec![moves.join(" ")] }
}

/// The position in words.
pub fn where_is_what(position: &dyn Position) -> Vec<String> {
    let mut lines = position.view().facts();
    let last = position.last().map_or_else(|| "No move yet.".to_owned(), |last| format!("Last: {last}."));
    lines.push(match position.ending() {
        Some(reason) => {
            let winner = position.outcome().and_then(Outcome::winner);
            let winner = winner.map(|side| format!("{} ", position.side_name(side))).unwrap_or_default();
            format!("{last} The game is over: {winner}{reason}.")
        }
        None => format!("{last} {}", turn(position)),
    });
    lines
}
