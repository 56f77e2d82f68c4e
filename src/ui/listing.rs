//! Contents of lists: the saved games of a person, the files of a folder, the contents of a file.
//! Reads the disk and draws nothing.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::files::{Reading, with_home};
use super::kept;
use crate::game::{Refusal, Side, clean};
use crate::journal::{Archive, Folder};
use crate::messages::{self, lists};
use crate::record::{GameRecord, disk};
use crate::registry::Entry;
use crate::text::Text;

/// Kind of thing that a row of a list stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// A folder.
    Folder,
    /// A file.
    File,
    /// A saved game that is unfinished.
    Unfinished,
    /// A saved game that is over.
    Over,
}

/// Row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow {
    /// Texts of its columns.
    pub cells: Vec<String>,
    /// Its path.
    pub path: PathBuf,
    /// Its kind.
    pub kind: RowKind,
}

/// Request for the contents of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListRequest {
    /// The saved games.
    Saved,
    /// The contents of a folder, given as it was typed.
    Folder(String),
    /// The contents of a file.
    File(PathBuf),
}

/// Contents that were found for a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Request that is answered.
    pub wanted: ListRequest,
    /// Rows of the list.
    pub rows: Vec<ListRow>,
    /// Message: a description of the file's contents, or the problem with it.
    pub said: Vec<Text>,
}

/// Size of the largest file whose contents are described, in bytes.
const MAX_PREVIEW: u64 = 1 << 20;
/// Maximum number of files of a folder that are listed.
const MAX_FILES: usize = 10_000;

/// Finds the contents for a list; `folder` has the saved games, and files are read by the rules of
/// `reading`.
pub fn find(wanted: ListRequest, folder: Option<&Folder>, reading: &Reading) -> Found {
    let (rows, said) = match &wanted {
        ListRequest::Saved => folder.map_or_else(Default::default, |folder| saved(folder, reading.games())),
        ListRequest::Folder(typed) => files_in(typed).unwrap_or_else(|why| (Vec::new(), vec![why.into()])),
        ListRequest::File(path) => (Vec::new(), preview(path, reading)),
    };
    Found { wanted, rows, said }
}

/// Returns the saved games, the one played last first, and the problems with those that cannot be
/// read.
fn saved(folder: &Folder, games: &'static [Entry]) -> (Vec<ListRow>, Vec<Text>) {
    let (archive, now, zone) = (Archive::of(folder), Timestamp::now(), TimeZone::system());
    let rows = archive.games.iter().map(|game| ListRow {
        cells: vec![
            kept::board(game, games),
            kept::opponent(game),
            messages::moves(game.plies),
            kept::when(game.played, now, &zone),
            kept::end(game, games),
        ],
        path: game.path.clone(),
        kind: if game.result.is_some() { RowKind::Over } else { RowKind::Unfinished },
    });
    let name = |path: &Path| Refusal::shown_path(path.file_name().unwrap_or_default());
    let wrong = archive.broken.iter().map(|(path, why)| format!("{}:{why}", name(path)));
    let wrong: Vec<String> = archive.unreadable.iter().cloned().chain(wrong).collect();
    (rows.collect(), messages::unreadable_games(&wrong).map(Text::from).into_iter().collect())
}

/// Returns the folders and files of a folder, in the order of their names, after the parent folder.
fn files_in(typed: &str) -> Result<(Vec<ListRow>, Vec<Text>), String> {
    let folder = if typed.is_empty() { PathBuf::from(".") } else { with_home(PathBuf::from(typed)) };
    let read = fs::read_dir(&folder)
        .map_err(|error| lists::unreadable_folder(typed, &disk::describe_io_error(&error)))?;
    let row = |entry: fs::DirEntry| {
        let path = entry.path();
        let kind = fs::metadata(&path).ok()?; // a link that leads nowhere is nothing to open
        let name = clean(&entry.file_name().to_string_lossy());
        let kind = if kind.is_dir() { RowKind::Folder } else { RowKind::File };
        Some(ListRow { cells: vec![if kind == RowKind::Folder { name + "/" } else { name }], path, kind })
    };
    let mut rows: Vec<ListRow> = read.flatten().filter_map(row).take(MAX_FILES).collect();
    rows.sort_by_cached_key(|row| (row.kind == RowKind::File, row.cells[0].to_lowercase(), row.path.clone()));
    if folder.parent().is_some() {
        let above = ListRow { cells: vec!["../".to_owned()], path: folder.join(".."), kind: RowKind::Folder };
        rows.insert(0, above);
    }
    Ok((rows, Vec::new()))
}

/// Returns a description of a file's contents, in a few lines.
fn preview(path: &Path, reading: &Reading) -> Vec<Text> {
    let bytes = match disk::read_regular(path, MAX_PREVIEW) {
        Ok(bytes) if bytes.is_empty() => return vec![lists::EMPTY_FILE.into()],
        Ok(bytes) if bytes.len() as u64 > MAX_PREVIEW => return vec![lists::LONG_FILE.into()],
        Ok(bytes) => bytes,
        Err(error) => return vec![disk::describe_io_error(&error).into()],
    };
    match reading.read(&bytes, None) {
        Ok(record) => about(&record),
        Err(why) => vec![lists::no_game(&why).into()],
    }
}

/// Returns a description of a game in a few lines: the board, the players, the moves, the result.
fn about(record: &GameRecord) -> Vec<Text> {
    let (start, end) = (record.tree.position(record.end), record.tree.position(record.end));
    let remark = |key: &str| record.remarks.iter().find(|(known, _)| known == key).map(|(_, said)| &**said);
    let players = Side::each(|side| (start.side_name(side), remark(&side.to_string())));
    let mut lines = vec![Text::from(start.view().title())];
    lines.extend(lists::players(players));
    lines.extend(remark("date").map(|date| Text::from(Refusal::shown(date))));
    lines.push(messages::moves(end.plies()).into());
    lines.push(messages::result(&**end, None).unwrap_or_else(|| lists::UNFINISHED.into()));
    lines.extend(record.fault.as_ref().map(|fault| lists::breaks_off(fault.line, &fault.why.text)));
    lines
}
