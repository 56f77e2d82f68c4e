//! The sentences about your own mistakes: in the list, and while they are repaired.

use jiff::civil::Date;

/// Shown in place of the list of mistakes before the first one.
pub const NO_MISTAKES: &str = "There are no mistakes yet. A review adds each of your moves that cost 40 points of win chance. crosspath mistakes --collect reviews your saved games.";
/// Said of the file of mistakes whose last line breaks off.
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

/// Says when a mistake is asked again: `due now`, `due 2026-11-30`, `learnt`.
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

/// Says what a mistake cost.
#[must_use]
pub fn cost(chance: f64, left: f64) -> String {
    format!("cost {:.0} points", 100.0 * (chance - left))
}

/// Says how many mistakes a review of saved games has added.
#[must_use]
pub fn added(number: usize, games: usize) -> String {
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    format!("Reviewed {games} and added {}.", count(number))
}

/// Says how many mistakes are due, and when the next ones are.
#[must_use]
pub fn due(number: usize, next: Option<Date>) -> String {
    match (number, next) {
        (0, Some(next)) => format!("No mistake is due. The next one is due on {}.", day(next)),
        (0, None) => "No mistake is due.".to_owned(),
        (1, _) => "1 mistake is due.".to_owned(),
        (number, _) => format!("{number} mistakes are due."),
    }
}

/// Formats a day: `30 November`.
#[must_use]
pub fn day(day: Date) -> String {
    day.strftime("%-d %B").to_string()
}
