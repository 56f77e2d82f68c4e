//! The sentences about your own mistakes: in the list, and while they are practised.

use jiff::civil::Date;

use crate::messages::Wording;
use crate::messages::keys::{ESC, FORWARD_ARROW};
use crate::play::{Practice, TryNews};
use crate::text;
use crate::text::{Text, moves, of_move};

/// Shown in place of the list of mistakes before the first one.
pub const NO_MISTAKES: &str = "There are no mistakes yet. A review adds each of your moves that cost 40 points of win chance. crosspath mistakes --collect reviews your saved games.";
/// Says below the list how mistakes are practised without a terminal.
pub const PRACTISE: &str = "crosspath mistakes --plain asks them, and reads your answers from the input.";
/// Shown where no mistake is due.
pub const NONE_DUE: &str = "No mistake is due.";
/// Shown for a file of mistakes whose last line breaks off.
pub const CUT: &str = "The last line of the file of mistakes breaks off and is left out.";

/// Names damaged lines of the file of mistakes.
#[must_use]
pub fn damaged(path: &str, lines: &[usize]) -> String {
    let numbers = lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    match lines.len() {
        1 => format!("{path}:{numbers}: the line is damaged and is left out"),
        _ => format!("{path}: lines {numbers} are damaged and are left out"),
    }
}

/// Says when a mistake comes up again: `due now`, `due 2026-11-30`, `learnt`.
#[must_use]
pub fn when_due(due: Option<Date>, today: Date) -> String {
    match due {
        None => "learnt".to_owned(),
        Some(due) if due <= today => "due now".to_owned(),
        Some(due) => format!("due {due}"),
    }
}

/// Counts mistakes: `1 mistake`, `3 mistakes`.
#[must_use]
pub fn count(number: usize) -> String {
    if number == 1 { "1 mistake".to_owned() } else { format!("{number} mistakes") }
}

/// Counts mistakes that are added to the list: `no new mistakes`, `3 mistakes`.
#[must_use]
pub fn new(number: usize) -> String {
    if number == 0 { "no new mistakes".to_owned() } else { count(number) }
}

/// Says in the menu how many mistakes are due.
#[must_use]
pub fn in_menu(due: usize) -> String {
    format!("Your mistakes ({due} due)")
}

/// Says how much win chance a mistake cost.
#[must_use]
pub fn cost(chance: f64, left: f64) -> String {
    format!("cost {:.0} points", 100.0 * (chance - left))
}

/// Says how many mistakes a review of saved games has added.
#[must_use]
pub fn added(number: usize, games: usize) -> String {
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    format!("Reviewed {games} and added {}.", new(number))
}

/// Says how many mistakes are due, and when the next ones are.
#[must_use]
pub fn due(number: usize, next: Option<Date>) -> String {
    match (number, next) {
        (0, Some(next)) => format!("{NONE_DUE} The next one is due on {}.", day(next)),
        (0, None) => NONE_DUE.to_owned(),
        (1, _) => "1 mistake is due.".to_owned(),
        (number, _) => format!("{number} mistakes are due."),
    }
}

/// Formats a day: `30 November`.
#[must_use]
pub fn day(day: Date) -> String {
    day.strftime("%-d %B").to_string()
}

/// Asks for a better move.
#[must_use]
pub fn asks(practice: &Practice) -> Text {
    let (task, (number, count)) = (&practice.task, (practice.number, practice.count));
    let played = of_move(Some(task.side), &task.played);
    let which = if count > 1 { format!("Mistake {number} of {count}: ") } else { String::new() };
    let you = if count > 1 { "you" } else { "You" };
    text!("{which}{you} played {played} here. Find a better move.")
}

/// Says in the title which mistake is shown.
#[must_use]
pub fn in_title(practice: &Practice) -> String {
    let (number, count) = (practice.number, practice.count);
    format!("mistake {number} of {count}")
}

/// Reports the result of a try.
#[must_use]
pub fn tried(practice: &Practice, news: &TryNews, wording: Wording) -> Text {
    let task = &practice.task;
    let next = wording.next_mistake();
    match news {
        TryNews::Checking(text) => text!("Checking {}...", of_move(Some(task.side), text)),
        TryNews::Right { text, left } => {
            let mv = of_move(Some(task.side), text);
            text!("{mv} is right: it {}. {next} continues.", keeps(*left))
        }
        TryNews::Wrong { text, left, line } => {
            let mv = of_move(Some(task.side), text);
            let what = loses(*left, task.chance);
            let Some((reply, rest)) = line.split_first() else {
                return text!("{mv} {what}. Try again.");
            };
            let reply = of_move(Some(task.side.other()), reply);
            let to = if is_lost(*left) { "to" } else { "after" };
            let more = if rest.is_empty() {
                Text::new()
            } else {
                text!(", then {}", moves(None, rest.iter().take(LONGEST_LINE), " "))
            };
            text!("{mv} {what} {to} {reply}{more}. Try again.")
        }
    }
}

/// Says which move was better.
#[must_use]
pub fn solution(practice: &Practice, wording: Wording) -> Text {
    let (task, next) = (&practice.task, wording.next_mistake());
    let better = of_move(Some(task.side), &task.better);
    let line = match task.line.get(1..) {
        Some(rest) if !rest.is_empty() => {
            text!(", then {}", moves(None, rest.iter().take(LONGEST_LINE), " "))
        }
        _ => Text::new(),
    };
    let steps = if wording.names_keys { text!(" {FORWARD_ARROW} steps,") } else { Text::new() };
    text!("{better} {}{line}.{steps} {next} continues.", keeps(task.chance))
}

/// Says how many first tries were right, and when the next mistake is due.
#[must_use]
pub fn practised(right: usize, count: usize, due: Option<Date>, wording: Wording) -> Text {
    let next = due.map_or_else(
        || "Nothing is left to practise.".to_owned(),
        |due| format!("The next one is due on {}.", day(due)),
    );
    let leave = if wording.names_keys { text!(" {ESC} returns.") } else { Text::new() };
    text!("{right} of {count} right at the first try. {next}{leave}")
}

/// Most moves of a line that a sentence names.
const LONGEST_LINE: usize = 6;

/// Reports whether a chance is none at all.
fn is_lost(left: f64) -> bool {
    left < 1e-9
}

/// Says how much win chance a move keeps.
fn keeps(chance: f64) -> String {
    if chance > 1.0 - 1e-9 {
        "wins".to_owned()
    } else if (chance - 0.5).abs() < 1e-9 {
        "draws".to_owned()
    } else {
        format!("keeps {:.0}%", 100.0 * chance)
    }
}

/// Says how much win chance a wrong move costs.
fn loses(left: f64, chance: f64) -> String {
    if is_lost(left) {
        "loses".to_owned()
    } else if (left - 0.5).abs() < 1e-9 && chance > 1.0 - 1e-9 {
        "only draws".to_owned()
    } else {
        format!("keeps only {:.0}%, not {:.0}%,", 100.0 * left, 100.0 * chance)
    }
}
