//! Loads the contents of list views: saved games, the files of a folder, or a preview of a file.
//! This module reads the disk and draws nothing.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::files::{FileReadRules, expand_home};
use super::kept;
use crate::game::{Refusal, Side, sanitize_text};
use crate::journal::{GameArchive, JournalFolder};
use crate::messages::{self, lists};
use crate::record::{GameRecord, disk};
use crate::registry::RegisteredGame;
use crate::text::Text;

/// Kind of the entry in a list row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRowKind {
    /// Folder.
    Folder,
    /// File.
    File,
    /// Unfinished saved game.
    Unfinished,
    /// Finished saved game.
    Over,
}

/// Row of a list view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow {
    /// Texts of the columns.
    pub cells: Vec<String>,
    /// Path of the file, folder or journal.
    pub path: PathBuf,
    /// Kind of the entry.
    pub kind: ListRowKind,
}

/// Request for the contents of a list view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListRequest {
    /// All saved games.
    Saved,
    /// Entries of a folder, whose path is given as typed.
    Folder(String),
    /// Preview of a file.
    File(PathBuf),
}

/// Contents loaded for a list view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListContents {
    /// Request that was answered with these contents.
    pub request: ListRequest,
    /// Rows of the list.
    pub rows: Vec<ListRow>,
    /// Lines of text: a preview of the file, or the problems found.
    pub messages: Vec<Text>,
}

/// Maximum size of a file with a preview, in bytes.
const MAX_PREVIEW_BYTES: u64 = 1 << 20;
/// Maximum number of listed entries of a folder.
const MAX_LISTED_FILES: usize = 10_000;

/// Loads the contents of a list view.
///
/// `folder` holds the saved games, and `reading` has the rules for reading files.
pub fn load_list_contents(
    request: ListRequest,
    folder: Option<&JournalFolder>,
    reading: &FileReadRules,
) -> ListContents {
    let (rows, messages) = match &request {
        ListRequest::Saved => {
            folder.map_or_else(Default::default, |folder| saved_game_rows(folder, reading.games()))
        }
        ListRequest::Folder(typed) => folder_rows(typed).unwrap_or_else(|why| (Vec::new(), vec![why.into()])),
        ListRequest::File(path) => (Vec::new(), preview_file(path, reading)),
    };
    ListContents { request, rows, messages }
}

/// Returns rows for the saved games, last played first, and a message about unreadable ones.
fn saved_game_rows(folder: &JournalFolder, games: &'static [RegisteredGame]) -> (Vec<ListRow>, Vec<Text>) {
    let (archive, now, zone) = (GameArchive::load(folder), Timestamp::now(), TimeZone::system());
    let rows = archive.games.iter().map(|game| ListRow {
        cells: vec![
            kept::board_title(game, games),
            kept::format_opponent(game),
            messages::format_move_count(game.plies),
            kept::format_relative_time(game.played, now, &zone),
            kept::format_result(game, games),
        ],
        path: game.path.clone(),
        kind: if game.result.is_some() { ListRowKind::Over } else { ListRowKind::Unfinished },
    });
    let name = |path: &Path| Refusal::sanitize_path(path.file_name().unwrap_or_default());
    let wrong = archive.broken.iter().map(|(path, why)| format!("{}:{why}", name(path)));
    let wrong: Vec<String> = archive.unreadable.iter().cloned().chain(wrong).collect();
    (rows.collect(), messages::unreadable_games_warning(&wrong).map(Text::from).into_iter().collect())
}

/// Returns rows for the entries of a folder: the parent folder, the subfolders, then the files.
///
/// Subfolders and files are sorted by name.
fn folder_rows(typed: &str) -> Result<(Vec<ListRow>, Vec<Text>), String> {
    let folder = if typed.is_empty() { PathBuf::from(".") } else { expand_home(PathBuf::from(typed)) };
    let read = fs::read_dir(&folder)
        .map_err(|error| lists::unreadable_folder_message(typed, &disk::describe_io_error(&error)))?;
    let row = |entry: fs::DirEntry| {
        let path = entry.path();
        let kind = fs::metadata(&path).ok()?; // skips dangling links
        let name = sanitize_text(&entry.file_name().to_string_lossy());
        let kind = if kind.is_dir() { ListRowKind::Folder } else { ListRowKind::File };
        Some(ListRow { cells: vec![if kind == ListRowKind::Folder { name + "/" } else { name }], path, kind })
    };
    let mut rows: Vec<ListRow> = read.flatten().filter_map(row).take(MAX_LISTED_FILES).collect();
    rows.sort_by_cached_key(|row| {
        (row.kind == ListRowKind::File, row.cells[0].to_lowercase(), row.path.clone())
    });
    if folder.parent().is_some() {
        let above =
            ListRow { cells: vec!["../".to_owned()], path: folder.join(".."), kind: ListRowKind::Folder };
        rows.insert(0, above);
    }
    Ok((rows, Vec::new()))
}

/// Describes the contents of a file in a few lines.
fn preview_file(path: &Path, reading: &FileReadRules) -> Vec<Text> {
    let bytes = match disk::read_regular_file(path, MAX_PREVIEW_BYTES) {
        Ok(bytes) if bytes.is_empty() => return vec![lists::EMPTY_FILE_MESSAGE.into()],
        Ok(bytes) if bytes.len() as u64 > MAX_PREVIEW_BYTES => return vec![lists::LONG_FILE_MESSAGE.into()],
        Ok(bytes) => bytes,
        Err(error) => return vec![disk::describe_io_error(&error).into()],
    };
    match reading.parse_record(&bytes, None) {
        Ok(record) => describe_record(&record),
        Err(why) => vec![lists::not_a_game_message(&why).into()],
    }
}

/// Describes a record in a few lines: the board, the players, the date, the moves and the result.
fn describe_record(record: &GameRecord) -> Vec<Text> {
    let (start, end) = (record.tree.position(record.end), record.tree.position(record.end));
    let remark = |key: &str| record.remarks.iter().find(|(known, _)| known == key).map(|(_, said)| &**said);
    let players = Side::map_both(|side| (start.side_name(side), remark(&side.to_string())));
    let mut lines = vec![Text::from(start.view().title())];
    lines.extend(lists::format_file_players(players));
    lines.extend(remark("date").map(|date| Text::from(Refusal::sanitize_excerpt(date))));
    lines.push(messages::format_move_count(end.plies()).into());
    lines.push(
        messages::describe_result(&**end, None).unwrap_or_else(|| lists::UNFINISHED_GAME_MESSAGE.into()),
    );
    lines.extend(
        record.fault.as_ref().map(|fault| lists::invalid_move_file_message(fault.line, &fault.why.text)),
    );
    lines
}
