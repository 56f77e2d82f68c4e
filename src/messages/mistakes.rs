//! Messages about the player's mistakes: in the list, and in practice.

use jiff::civil::Date;

use crate::messages::MessageWording;
use crate::messages::keys::{ESC_KEY, FORWARD_ARROW_KEY};
use crate::play::{PracticeItem, TryOutcome};
use crate::text;
use crate::text::{Text, join_moves, mark_move};

/// Message shown in place of the list of mistakes if it is empty.
pub const NO_MISTAKES_MESSAGE: &str = "There are no mistakes yet. A review adds each of your moves that cost 40 points of win chance. crosspath mistakes --collect reviews your saved games.";
/// Message shown below the list: how to practise mistakes without a terminal.
pub const PLAIN_PRACTICE_MESSAGE: &str =
    "crosspath mistakes --plain asks them, and reads your answers from the input.";
/// Message shown if no mistake is due.
pub const NO_MISTAKE_DUE_MESSAGE: &str = "No mistake is due.";
/// Message shown if the last line of the file of mistakes is incomplete.
pub const TRUNCATED_FILE_WARNING: &str = "The last line of the file of mistakes breaks off and is left out.";

/// Names the damaged lines of the file of mistakes.
#[must_use]
pub fn damaged_lines_warning(path: &str, lines: &[usize]) -> String {
    let numbers = lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    match lines.len() {
        1 => format!("{path}:{numbers}: the line is damaged and is left out"),
        _ => format!("{path}: lines {numbers} are damaged and are left out"),
    }
}

/// Formats the date on which a mistake is due again: `due now`, `due 2026-11-30`, `learnt`.
#[must_use]
pub fn format_due_date(due: Option<Date>, today: Date) -> String {
    match due {
        None => "learnt".to_owned(),
        Some(due) if due <= today => "due now".to_owned(),
        Some(due) => format!("due {due}"),
    }
}

/// Formats a number of mistakes: `1 mistake`, `3 mistakes`.
#[must_use]
pub fn format_mistake_count(number: usize) -> String {
    if number == 1 { "1 mistake".to_owned() } else { format!("{number} mistakes") }
}

/// Formats the number of mistakes added to the list: `no new mistakes`, `3 mistakes`.
#[must_use]
pub fn format_new_mistake_count(number: usize) -> String {
    if number == 0 { "no new mistakes".to_owned() } else { format_mistake_count(number) }
}

/// Formats the menu entry with the number of due mistakes.
#[must_use]
pub fn format_mistakes_menu_entry(due: usize) -> String {
    format!("Your mistakes ({due} due)")
}

/// Formats the win chance that a mistake cost, in percentage points.
#[must_use]
pub fn format_mistake_cost(chance: f64, left: f64) -> String {
    format!("cost {:.0} points", 100.0 * (chance - left))
}

/// Says how many mistakes a review of saved games has added.
#[must_use]
pub fn format_collection_summary(number: usize, games: usize) -> String {
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    format!("Reviewed {games} and added {}.", format_new_mistake_count(number))
}

/// Says how many mistakes are due, or when the next one is.
#[must_use]
pub fn due_mistakes_message(number: usize, next: Option<Date>) -> String {
    match (number, next) {
        (0, Some(next)) => format!("{NO_MISTAKE_DUE_MESSAGE} The next one is due on {}.", format_day(next)),
        (0, None) => NO_MISTAKE_DUE_MESSAGE.to_owned(),
        (1, _) => "1 mistake is due.".to_owned(),
        (number, _) => format!("{number} mistakes are due."),
    }
}

/// Formats a day: `30 November`.
#[must_use]
pub fn format_day(day: Date) -> String {
    day.strftime("%-d %B").to_string()
}

/// Asks for a better move.
#[must_use]
pub fn find_better_move_prompt(practice: &PracticeItem) -> Text {
    let (task, (number, count)) = (&practice.task, (practice.number, practice.count));
    let played = mark_move(Some(task.side), &task.played);
    let which = if count > 1 { format!("Mistake {number} of {count}: ") } else { String::new() };
    let you = if count > 1 { "you" } else { "You" };
    text!("{which}{you} played {played} here. Find a better move.")
}

/// Formats the title with the number of the mistake that is shown.
#[must_use]
pub fn format_practice_title(practice: &PracticeItem) -> String {
    let (number, count) = (practice.number, practice.count);
    format!("mistake {number} of {count}")
}

/// Describes the result of an attempt to find the better move.
#[must_use]
pub fn describe_try_result(practice: &PracticeItem, news: &TryOutcome, wording: MessageWording) -> Text {
    let task = &practice.task;
    let next = wording.next_mistake_key();
    match news {
        TryOutcome::Checking(text) => text!("Checking {}...", mark_move(Some(task.side), text)),
        TryOutcome::Right { text, left } => {
            let mv = mark_move(Some(task.side), text);
            text!("{mv} is right: it {}. {next} continues.", describe_kept_chance(*left))
        }
        TryOutcome::Wrong { text, left, line } => {
            let mv = mark_move(Some(task.side), text);
            let what = describe_lost_chance(*left, task.chance);
            let Some((reply, rest)) = line.split_first() else {
                return text!("{mv} {what}. Try again.");
            };
            let reply = mark_move(Some(task.side.other()), reply);
            let to = if is_zero_chance(*left) { "to" } else { "after" };
            let more = if rest.is_empty() {
                Text::new()
            } else {
                text!(", then {}", join_moves(None, rest.iter().take(MAX_LINE_MOVES), " "))
            };
            text!("{mv} {what} {to} {reply}{more}. Try again.")
        }
    }
}

/// Describes the better move and the line after it.
#[must_use]
pub fn describe_solution(practice: &PracticeItem, wording: MessageWording) -> Text {
    let (task, next) = (&practice.task, wording.next_mistake_key());
    let better = mark_move(Some(task.side), &task.better);
    let line = match task.line.get(1..) {
        Some(rest) if !rest.is_empty() => {
            text!(", then {}", join_moves(None, rest.iter().take(MAX_LINE_MOVES), " "))
        }
        _ => Text::new(),
    };
    let steps = if wording.names_keys { text!(" {FORWARD_ARROW_KEY} steps,") } else { Text::new() };
    text!("{better} {}{line}.{steps} {next} continues.", describe_kept_chance(task.chance))
}

/// Says how many first tries were right, and when the next mistake is due.
#[must_use]
pub fn format_practice_summary(
    right: usize,
    count: usize,
    due: Option<Date>,
    wording: MessageWording,
) -> Text {
    let next = due.map_or_else(
        || "Nothing is left to practise.".to_owned(),
        |due| format!("The next one is due on {}.", format_day(due)),
    );
    let leave = if wording.names_keys { text!(" {ESC_KEY} returns.") } else { Text::new() };
    text!("{right} of {count} right at the first try. {next}{leave}")
}

/// Maximum number of moves of a line that a sentence names.
const MAX_LINE_MOVES: usize = 6;

/// Reports whether a win chance is zero.
fn is_zero_chance(left: f64) -> bool {
    left < 1e-9
}

/// Says how much win chance a move keeps.
fn describe_kept_chance(chance: f64) -> String {
    if chance > 1.0 - 1e-9 {
        "wins".to_owned()
    } else if (chance - 0.5).abs() < 1e-9 {
        "draws".to_owned()
    } else {
        format!("keeps {:.0}%", 100.0 * chance)
    }
}

/// Says how much win chance a wrong move keeps, compared with the best move.
fn describe_lost_chance(left: f64, chance: f64) -> String {
    if is_zero_chance(left) {
        "loses".to_owned()
    } else if (left - 0.5).abs() < 1e-9 && chance > 1.0 - 1e-9 {
        "only draws".to_owned()
    } else {
        format!("keeps only {:.0}%, not {:.0}%,", 100.0 * left, 100.0 * chance)
    }
}
