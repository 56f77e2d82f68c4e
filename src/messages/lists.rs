//! The sentences of lists: saved games and files.

use crate::messages::keys::{DELETE, ENTER, ESC, NO, SEARCH, YES};
use crate::text;
use crate::text::{SideName, Text};

/// Heading of the list of saved games.
pub const SAVED: &str = "Saved games";
/// Heading of the list of files.
pub const FILES: &str = "Open a file";
/// Heading of the description of a file.
pub const PREVIEW: &str = "This file";
/// Shown until a list is there.
pub const READING: &str = "Reading...";
/// Shown in the list of saved games before the first game.
pub const NO_SAVED: &str = "There are no saved games yet. Games are saved from the first move.";
/// Shown in a list if no row contains the text.
pub fn no_match() -> Text {
    text!("No matches. {ESC} shows all.")
}
/// Shown where no file has a name like the typed one.
pub const NO_FILE: &str = "No file here has a name that starts like this.";
/// Shown beside a folder.
pub fn folder() -> Text {
    text!("A folder. {ENTER} opens it.")
}
/// Shown beside a file without content.
pub const EMPTY_FILE: &str = "The file is empty.";
/// Shown beside a file that is too long for a preview.
pub const LONG_FILE: &str = "The file is too long for a preview.";
/// Shown beside a game file of an unfinished game.
pub const UNFINISHED: &str = "The game is not over.";

/// Describes a file that holds no game.
pub fn no_game(why: &str) -> String {
    format!("Not a game: {}.", why.trim_start_matches([' ', ':']).trim_end_matches('.'))
}
/// Says where a game file cannot be followed.
pub fn breaks_off(line: usize, why: &Text) -> Text {
    text!("It breaks off in line {line}: {}.", why.without_full_stop())
}
/// Says why a folder cannot be listed.
pub fn unreadable_folder(folder: &str, why: &str) -> String {
    let folder = if folder.is_empty() { "This folder" } else { folder };
    format!("{folder} cannot be read: {why}.")
}
/// Names the players of a game file, if it names them.
pub fn players([first, second]: [(SideName, Option<&str>); 2]) -> Option<Text> {
    let (Some(one), Some(other)) = (first.1, second.1) else { return None };
    let [one, other] = [one, other].map(crate::game::Refusal::shown);
    Some(text!("{}: {one}, {}: {other}", first.0, second.0))
}

/// Stands in place of the players of an analysis.
pub const ANALYSIS: &str = "analysis";

/// Names the opponent in the list of saved games.
pub fn opponent(opponent: Option<&str>, has_human: bool) -> String {
    match opponent {
        Some(opponent) => format!("vs {}", super::seat_with_name(opponent)),
        None if has_human => "two players".to_owned(),
        None => "two engines".to_owned(),
    }
}

/// Returns the foot of the list of saved games, longest form first.
pub fn foot(filter: &str, is_filtering: bool) -> [Text; 2] {
    match (is_filtering, filter.is_empty()) {
        (true, _) => [text!(" search: {filter} "), text!(" {filter} ")],
        (false, false) => [
            text!(" games containing \"{filter}\"; {ESC} shows all "),
            text!(" \"{filter}\"; {ESC} shows all "),
        ],
        (false, true) => [
            text!(" {ENTER} continue or replay   {SEARCH} search   {DELETE} delete   {ESC} close "),
            text!(" {ENTER} open  {DELETE} delete "),
        ],
    }
}

/// Heading of a question.
pub const CONFIRM: &str = "Are you sure?";
/// Asks whether a saved game is to be deleted.
pub fn delete(what: &str) -> Text {
    text!("Delete {what}? {YES} deletes it, {NO} keeps it.")
}
/// Says that a saved game cannot be deleted.
pub fn not_deleted(why: &str) -> String {
    format!("It was not deleted: {why}.")
}
/// Says that a saved game cannot be continued because it is being played.
pub const IS_OPEN: &str = "The game is open, here or in another crosspath process.";
/// Says that a saved game is being played.
pub const IS_PLAYED: &str = "the game is open, here or in another crosspath process";
