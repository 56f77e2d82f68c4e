//! Messages in the lists of saved games and files.

use crate::messages::keys::{DELETE_KEY, ENTER_KEY, ESC_KEY, NO_KEY, SEARCH_KEY, YES_KEY};
use crate::text;
use crate::text::{SideName, Text};

/// Heading of the list of saved games.
pub const SAVED_GAMES_HEADING: &str = "Saved games";
/// Heading of the list of files.
pub const OPEN_FILE_HEADING: &str = "Open a file";
/// Heading of the description of a file.
pub const FILE_PREVIEW_HEADING: &str = "This file";
/// Message shown until a list has been read.
pub const READING_LIST_MESSAGE: &str = "Reading...";
/// Message shown in the list of saved games before the first game.
pub const NO_SAVED_GAMES_MESSAGE: &str = "There are no saved games yet. Games are saved from the first move.";
/// Returns the message shown in a list if no row contains the search text.
pub fn no_list_match_message() -> Text {
    text!("No matches. {ESC_KEY} shows all.")
}
/// Message shown if no file name starts with the typed text.
pub const NO_MATCHING_FILE_MESSAGE: &str = "No file here has a name that starts like this.";
/// Returns the message shown beside a folder.
pub fn folder_message() -> Text {
    text!("A folder. {ENTER_KEY} opens it.")
}
/// Message shown beside an empty file.
pub const EMPTY_FILE_MESSAGE: &str = "The file is empty.";
/// Message shown beside a file that is too long for a preview.
pub const LONG_FILE_MESSAGE: &str = "The file is too long for a preview.";
/// Message shown beside a file with an unfinished game.
pub const UNFINISHED_GAME_MESSAGE: &str = "The game is not over.";

/// Says that a file holds no game, and why.
pub fn not_a_game_message(why: &str) -> String {
    format!("Not a game: {}.", why.trim_start_matches([' ', ':']).trim_end_matches('.'))
}
/// Says in which line a game file becomes invalid, and why.
pub fn invalid_move_file_message(line: usize, why: &Text) -> Text {
    text!("It breaks off in line {line}: {}.", why.without_full_stop())
}
/// Says why a folder cannot be listed.
pub fn unreadable_folder_message(folder: &str, why: &str) -> String {
    let folder = if folder.is_empty() { "This folder" } else { folder };
    format!("{folder} cannot be read: {why}.")
}
/// Names the players of a game file, if both are named there.
pub fn format_file_players([first, second]: [(SideName, Option<&str>); 2]) -> Option<Text> {
    let (Some(one), Some(other)) = (first.1, second.1) else { return None };
    let [one, other] = [one, other].map(crate::game::Refusal::sanitize_excerpt);
    Some(text!("{}: {one}, {}: {other}", first.0, second.0))
}

/// Label of an analysis in place of its players.
pub const ANALYSIS_LABEL: &str = "analysis";

/// Names the opponent in the list of saved games.
pub fn format_opponent(opponent: Option<&str>, has_human: bool) -> String {
    match opponent {
        Some(opponent) => format!("vs {}", super::format_seat_with_level_name(opponent)),
        None if has_human => "two players".to_owned(),
        None => "two engines".to_owned(),
    }
}

/// Returns the footer of the list of saved games, longest wording first.
pub fn saved_games_footer(filter: &str, is_filtering: bool) -> [Text; 2] {
    match (is_filtering, filter.is_empty()) {
        (true, _) => [text!(" search: {filter} "), text!(" {filter} ")],
        (false, false) => [
            text!(" games containing \"{filter}\"; {ESC_KEY} shows all "),
            text!(" \"{filter}\"; {ESC_KEY} shows all "),
        ],
        (false, true) => [
            text!(
                " {ENTER_KEY} continue or replay   {SEARCH_KEY} search   {DELETE_KEY} delete   {ESC_KEY} close "
            ),
            text!(" {ENTER_KEY} open  {DELETE_KEY} delete "),
        ],
    }
}

/// Heading of a question that asks for confirmation.
pub const CONFIRMATION_HEADING: &str = "Are you sure?";
/// Asks whether a saved game is to be deleted.
pub fn confirm_delete_question(what: &str) -> Text {
    text!("Delete {what}? {YES_KEY} deletes it, {NO_KEY} keeps it.")
}
/// Says why a saved game could not be deleted.
pub fn delete_failed_message(why: &str) -> String {
    format!("It was not deleted: {why}.")
}
/// Message shown if a saved game cannot be continued because it is already open.
pub const GAME_IS_OPEN_MESSAGE: &str = "The game is open, here or in another crosspath process.";
/// Reason for an error: the saved game is already open.
pub const GAME_IS_OPEN_REASON: &str = "the game is open, here or in another crosspath process";
