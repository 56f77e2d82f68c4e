//! The sentences that the program says about any game. The games bring their own names and reasons.

pub(crate) mod answers;
pub(crate) mod screen;

use crate::ai::Status;
use crate::canvas::Glyphs;
use crate::command::{self, Command, WORDS, Word};
use crate::game::{Illegal, Outcome, Side};
use crate::session::{Candidate, DRAW, RESIGN, Report, Session};

/// Said when a game with moves is left behind.
pub(crate) const NOT_SAVED: &str = "Not saved. save FILE keeps a game.";

/// Said when another game takes the place of one that was not saved.
pub(crate) const LEFT_UNSAVED: &str = "The game before was not saved.";

/// What follows a fault that ends the mode that was asked for.
pub(crate) fn now_mode_1(why: &str) -> String {
    format!("{why}. Now mode 1, on a fresh board.")
}

/// Said when a position has come again; `None` where that means nothing yet.
pub(crate) fn repeated(times: usize) -> Option<&'static str> {
    match times {
        2 => Some("This position has been there before. Once more, and either side may claim a draw."),
        3 => Some("This position stands for the third time. The word draw claims a draw."),
        4 => Some("This position stands for the fourth time. The word draw claims a draw; once more is one."),
        _ => None,
    }
}

/// Said when a position has come again in a game that a file tells; it goes on as the file says.
pub(crate) fn repeated_in_a_file(times: usize) -> Option<String> {
    (times > 1).then(|| format!("This position stands for time {times}."))
}

/// Said when somebody plays while an earlier position is shown.
pub(crate) const BACK_TO_NOW: &str = "Back at the present position.";

/// The question after the end.
pub(crate) const ANOTHER_GAME: &str = "Another game? ";

/// The levels of a game in words: `classic, 1 to 8`.
pub(crate) fn levels(session: &dyn Session) -> String {
    let levels: Vec<String> = session.levels().iter().map(ToString::to_string).collect();
    match levels.as_slice() {
        [classic, first, .., last] if classic == "classic" => format!("classic, {first} to {last}"),
        _ => levels.join(", "),
    }
}

/// A side's name, and the character of its pieces where that is another: `Red (X)`.
fn signed(session: &dyn Session, side: Side, glyphs: Glyphs) -> String {
    let name = session.side_name(side);
    session.sign(side, glyphs).map_or_else(|| name.to_owned(), |sign| format!("{name} ({sign})"))
}

/// The greeting for one person and a machine.
pub(crate) fn greeting(session: &dyn Session, you: Side, glyphs: Glyphs) -> String {
    let (title, name, aim) = (session.title(), signed(session, you, glyphs), session.aim(you));
    format!("{title}. You are {name}, {you}, {aim}.\nType a move such as {}, or help.", session.sample())
}

/// The greeting for two people.
pub(crate) fn greeting_for_two(session: &dyn Session, glyphs: Glyphs) -> String {
    let [first, second] = Side::BOTH.map(|side| signed(session, side, glyphs));
    format!(
        "{}. {first} and {second} in turn, {} begins.\nType a move such as {}, or help.",
        session.title(),
        session.side_name(Side::First),
        session.sample()
    )
}

/// The greeting where nobody plays.
pub(crate) fn greeting_for_watchers(session: &dyn Session, source: &str, glyphs: Glyphs) -> String {
    let [first, second] = Side::BOTH.map(|side| signed(session, side, glyphs));
    format!("{}. {source}: {first} against {second}.", session.title())
}

/// Remarks as they stand in a record's head: `first: Ann · second: Ben`.
pub(crate) fn remarks(remarks: &[(String, String)]) -> String {
    let words: Vec<String> = remarks
        .iter()
        .map(|(key, value)| format!("{}: {}", Illegal::shown(key), Illegal::shown(value)))
        .collect();
    words.join(" · ")
}

/// Said at the first answer about which nothing is proved.
pub(crate) const UNPROVED: &str = "Nothing is proved here: the machine plays what looks best.";

/// Said when something is proved again.
pub(crate) fn proved(status: Status) -> String {
    format!("This position is proved now: {status}.")
}

/// How a game ended: `reason` follows the winner's name.
pub(crate) fn result(session: &dyn Session, outcome: Outcome, reason: &str, plies: usize) -> String {
    match outcome {
        Outcome::Win(side) if session.early().is_some() => {
            let name = session.side_name(side);
            format!("Game over: {name} ({side}) {reason}. {name} wins.")
        }
        Outcome::Win(side) => {
            let name = session.side_name(side);
            format!("Game over: {name} ({side}) {reason} on move {plies}. {name} wins.")
        }
        Outcome::Draw => format!("Game over: {reason} after move {plies}. It is a draw."),
    }
}

/// How a game ended, in a few words: each side is named once.
pub(crate) fn short_result(
    session: &dyn Session,
    outcome: Outcome,
    reason: &str,
    plies: usize,
    glyphs: Glyphs,
) -> String {
    match outcome {
        Outcome::Win(side) if session.early().is_some() => {
            format!("Game over: {} {reason}.", signed(session, side, glyphs))
        }
        Outcome::Win(side) => {
            format!("Game over: {} {reason} on move {plies}.", signed(session, side, glyphs))
        }
        Outcome::Draw => result(session, outcome, reason, plies),
    }
}

/// So many moves in words.
pub(crate) fn moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// Whose turn it is, or that the game is over.
pub(crate) fn turn(session: &dyn Session) -> String {
    if session.outcome().is_some() {
        return "The game is over.".to_owned();
    }
    format!("{} to move, move {}.", session.side_name(session.to_move()), session.plies() + 1)
}

/// What undo did. `is_machines_turn` says that a machine moves next, which makes redo impossible.
pub(crate) fn took_back(session: &dyn Session, moves: &[String], is_machines_turn: bool) -> String {
    let is_move = |text: &&String| ![RESIGN, DRAW].contains(&text.as_str());
    let kept: Vec<String> = moves.iter().filter(is_move).cloned().collect();
    let goes_on = if kept.len() < moves.len() { "The game goes on. " } else { "" };
    let (moves, them) = (list(&kept), if kept.len() == 1 { "it" } else { "them" });
    if kept.is_empty() {
        format!("{goes_on}{}", turn(session))
    } else if is_machines_turn {
        format!("{goes_on}Took back {moves}. The machine moves again.")
    } else {
        format!("{goes_on}Took back {moves}. {} redo brings {them} back.", turn(session))
    }
}

/// What redo did.
pub(crate) fn played_again(session: &dyn Session, moves: &[String]) -> String {
    format!("Played again {}. {}", list(moves), turn(session))
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
pub(crate) fn best_moves(report: &Report) -> Option<String> {
    let told = |candidate: &Candidate| Some(format!("{} {}", candidate.text, candidate.worth.as_ref()?));
    let texts: Vec<String> = report.candidates.iter().filter_map(told).collect();
    (texts.len() > 1).then(|| format!("Best moves: {}.", texts.join(", ")))
}

/// What a search found, in one line.
pub(crate) fn stats(report: &Report) -> String {
    let seconds = report.elapsed.as_secs_f64();
    let mut parts = vec![format!("nodes {}", report.nodes), format!("depth {}", report.depth)];
    parts.extend(report.worth.as_ref().map(|worth| format!("score {worth}")));
    let status = report.status.map(|status| status.to_string());
    parts.extend(status.filter(|status| Some(status) != report.worth.as_ref()));
    parts.push(format!("time {seconds:.3} s"));
    parts.push(format!("line {}", report.pv.join(" ")));
    parts.join(", ")
}

/// What `help` says, or `help WORD`.
pub(crate) fn help(session: &dyn Session, rest: &str) -> Result<Vec<String>, Illegal> {
    let usage = |entry: &command::Entry| format!("{} {}", entry.name, entry.arguments).trim_end().to_owned();
    if !rest.is_empty() {
        let lower = rest.to_lowercase();
        let own = session.named_moves().iter().copied().chain(session.insights());
        if let Some((name, short)) = own.into_iter().find(|(name, _)| *name == lower) {
            return Ok(vec![format!("{name}: {short}.")]);
        }
        let Some(word) = command::find(rest) else {
            let text = format!("There is no word \"{}\". help lists all words.", Illegal::shown(rest));
            return Err(Illegal::new("not-understood", text));
        };
        let entry = WORDS.iter().find(|entry| entry.word == word).expect("every word stands in the list");
        return Ok(vec![format!("{}: {}.", usage(entry), entry.short), entry.long.to_owned()]);
    }
    let mut lines = session.rules();
    lines.push(session.typing());
    lines.extend(WORDS.iter().map(|entry| format!("{:<20} {}", usage(entry), entry.short)));
    let own = session.named_moves().iter().copied().chain(session.insights());
    lines.extend(own.map(|(word, short)| format!("{word:<20} {short}")));
    Ok(lines)
}

/// The moves played, a round a line.
pub(crate) fn moves_played(session: &dyn Session) -> Vec<String> {
    let played = session.played();
    if played.is_empty() {
        return vec!["No moves yet.".to_owned()];
    }
    played.chunks(2).zip(1..).map(|(round, number)| format!("{number:>3}. {}", round.join(" "))).collect()
}

/// The legal moves.
pub(crate) fn legal(session: &dyn Session) -> Vec<String> {
    let moves = session.legal();
    if moves.is_empty() { vec!["No moves: the game is over.".to_owned()] } else { vec![moves.join(" ")] }
}

/// The position in words.
pub(crate) fn where_is_what(session: &dyn Session) -> Vec<String> {
    let mut lines = session.facts();
    let last = session.last().map_or_else(|| "No move yet.".to_owned(), |last| format!("Last: {last}."));
    lines.push(match session.ending() {
        Some(reason) => {
            let winner = session.outcome().and_then(Outcome::winner);
            let winner = winner.map(|side| format!("{} ", session.side_name(side))).unwrap_or_default();
            format!("{last} The game is over: {winner}{reason}.")
        }
        None => format!("{last} {}", turn(session)),
    });
    lines
}

/// The answer to a word that asks about a game without changing anything, so that it can be given while a machine
/// thinks; `None` for all else. `now` is the game, `session` the position of it that is looked at.
pub(crate) fn aside(
    line: &str,
    session: &dyn Session,
    now: &dyn Session,
) -> Option<(&'static str, Vec<String>)> {
    let Ok(Command::Word(word, rest)) = command::read(line, session) else { return None };
    let lines = match (word, rest.as_str()) {
        (Word::Help, rest) => help(session, rest).ok()?,
        (Word::Moves, "") => moves_played(now),
        (Word::Legal, "") => legal(session),
        (Word::Where, "") => where_is_what(session),
        _ => return None,
    };
    let name = WORDS.iter().find(|entry| entry.word == word)?.name;
    Some((name, lines))
}
