//! Saved games of the user: summaries of the journals, and an index that avoids reading all of them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Not;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::entry::{JournalEntry, MoveEntry, StartEntry};
use super::lines::read_journal_lines;
use super::load::{MAX_JOURNAL_BYTES, TOO_LONG_MESSAGE, describe_open_error};
use super::{ANALYSIS_SEAT, JournalError, JournalFolder};
use crate::game::{BySide, Outcome, Side, sanitize_text};
use crate::record::{MoveSource, disk};

/// Summary of a saved game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// ID of the saved game: 16 hexadecimal digits.
    pub id: String,
    /// Path of the journal.
    pub path: PathBuf,
    /// Name of the game, such as `hex`.
    pub game: String,
    /// Settings of the board, as records write them.
    pub settings: Vec<(String, String)>,
    /// Number of moves before the present position.
    pub plies: usize,
    /// Player of each side: `human`, `level 4`.
    pub seats: BySide<String>,
    /// Result; `None` while the game is unfinished.
    pub result: Option<Outcome>,
    /// `true` if some moves come from a move file; such games do not count in scores.
    pub is_loaded: bool,
    /// Start time of the game.
    pub started: Timestamp,
    /// Time of the last move.
    pub played: Timestamp,
}

impl GameSummary {
    /// Returns the side of the human player if there is exactly one.
    #[must_use]
    pub fn only_human_side(&self) -> Option<Side> {
        match Side::map_both(|side| self.seats[side] == HUMAN_SEAT) {
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            _ => None,
        }
    }

    /// Reports whether the journal is an analysis without players.
    #[must_use]
    pub fn is_analysis(&self) -> bool {
        self.seats[Side::First] == ANALYSIS_SEAT
    }

    /// Reports whether a human player takes part in the game.
    #[must_use]
    pub fn has_human_player(&self) -> bool {
        Side::BOTH.iter().any(|&side| self.seats[side] == HUMAN_SEAT)
    }

    /// Returns the opponent of the only human player.
    #[must_use]
    pub fn opponent_of_human(&self) -> Option<&str> {
        self.only_human_side().map(|you| &*self.seats[you.other()])
    }
}

/// Seat name of a human player.
const HUMAN_SEAT: &str = "human";

/// Results of the human player against one opponent, in one kind of game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeadToHead {
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
    /// Games drawn.
    pub drawn: u32,
}

impl HeadToHead {
    /// Returns the number of games.
    #[must_use]
    pub fn game_count(&self) -> u32 {
        self.won + self.lost + self.drawn
    }
}

/// All saved games of a folder.
#[derive(Clone, Debug, Default)]
pub struct GameArchive {
    /// Readable games, the one played last first.
    pub games: Vec<GameSummary>,
    /// Journals that cannot be read, each with its error.
    pub broken: Vec<(PathBuf, JournalError)>,
    /// Reason why the folder cannot be read; `None` if it can be read.
    pub unreadable: Option<String>,
}

/// File name of the index.
const INDEX_FILE_NAME: &str = "index.jsonl";
/// Maximum size of an index that is read, in bytes. It suffices for several hundred thousand games.
const MAX_INDEX_BYTES: u64 = 64 << 20;

impl GameArchive {
    /// Loads the games of a folder. Journals that are new or changed since the index was written are read
    /// again, and the index is rewritten.
    #[must_use]
    pub fn load(folder: &JournalFolder) -> Self {
        let known = read_index(folder);
        let unreadable = folder.check_readable().err();
        let (mut archive, mut is_stale, mut rows) =
            (GameArchive { unreadable, ..GameArchive::default() }, false, Vec::new());
        for path in folder.journal_paths() {
            let Some(stamp) = FileStamp::of_file(&path) else {
                // A file that has vanished since is skipped, but a broken link is reported.
                if path.is_symlink() {
                    archive.broken.push((path, unreadable_file_error(&io::ErrorKind::NotFound.into())));
                }
                continue;
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let row = known.get(&name).filter(|row| row.stamp == stamp);
            let row = row.cloned().map_or_else(
                || {
                    is_stale = true;
                    summarize_journal(&path, &name, stamp)
                },
                |row| Ok(Some(row)),
            );
            let row = match row {
                Ok(Some(row)) => row,
                Ok(None) => continue,
                Err(bad) => {
                    archive.broken.push((path, bad));
                    continue;
                }
            };
            archive.games.extend(summary_from_row(folder, &row));
            rows.push(row);
        }
        if is_stale || rows.len() != known.len() {
            let lines: Option<Vec<String>> = rows.iter().map(|row| serde_json::to_string(row).ok()).collect();
            // If the index cannot be written, the journals are read again next time.
            let _ = disk::save_file(
                &folder.path().join(INDEX_FILE_NAME),
                lines.unwrap_or_default().join("\n") + "\n",
            );
        }
        archive.games.sort_by(|a, b| b.played.cmp(&a.played).then_with(|| a.id.cmp(&b.id)));
        archive
    }

    /// Returns the damaged journal whose ID starts with `id`, if there is exactly one. `id` must have at
    /// least four characters.
    #[must_use]
    pub fn find_damaged_journal(&self, id: &str) -> Option<&(PathBuf, JournalError)> {
        let id = id.to_ascii_lowercase();
        let is_meant = |(path, _): &&(PathBuf, JournalError)| {
            id.len() >= 4 && JournalFolder::game_id(path).starts_with(&id)
        };
        let mut found = self.broken.iter().filter(is_meant);
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }

    /// Returns the games whose ID starts with `id`.
    pub fn games_with_id_prefix<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a GameSummary> {
        self.games.iter().filter(move |game| game.id.starts_with(&id.to_ascii_lowercase()))
    }

    /// Returns the human player's results, by game and opponent.
    #[must_use]
    pub fn head_to_head_scores<'a>(
        games: impl IntoIterator<Item = &'a GameSummary>,
    ) -> BTreeMap<(&'a str, &'a str), HeadToHead> {
        let mut scores: BTreeMap<(&str, &str), HeadToHead> = BTreeMap::new();
        for game in games.into_iter().filter(|game| !game.is_loaded) {
            let (Some(you), Some(opponent), Some(result)) =
                (game.only_human_side(), game.opponent_of_human(), game.result)
            else {
                continue;
            };
            let score = scores.entry((&game.game, opponent)).or_default();
            *match result {
                Outcome::Draw => &mut score.drawn,
                Outcome::Win(side) if side == you => &mut score.won,
                Outcome::Win(_) => &mut score.lost,
            } += 1;
        }
        scores
    }
}

/// Length of a file and its modification time in nanoseconds, to detect changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileStamp {
    length: u64,
    changed: u64,
}

impl FileStamp {
    fn of_file(path: &Path) -> Option<Self> {
        let kind = fs::metadata(path).ok()?;
        let changed = kind.modified().unwrap_or(UNIX_EPOCH).duration_since(UNIX_EPOCH).unwrap_or_default();
        Some(FileStamp { length: kind.len(), changed: u64::try_from(changed.as_nanos()).unwrap_or(u64::MAX) })
    }
}

/// Line of the index: the summary of one journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct IndexRow {
    file: String,
    #[serde(flatten)]
    stamp: FileStamp,
    game: String,
    settings: Map<String, Value>,
    started: String,
    #[serde(default, skip_serializing_if = "Not::not")]
    is_loaded: bool,
    result: Option<Outcome>,
    plies: usize,
    seats: [String; 2],
}

/// Reads the rows of the index, by file name of the journal. Unreadable rows are skipped.
fn read_index(folder: &JournalFolder) -> BTreeMap<String, IndexRow> {
    let bytes =
        disk::read_regular_file(&folder.path().join(INDEX_FILE_NAME), MAX_INDEX_BYTES).unwrap_or_default();
    let text = String::from_utf8(bytes).unwrap_or_default();
    let rows = text.lines().filter_map(|line| serde_json::from_str::<IndexRow>(line).ok());
    rows.map(|row| (row.file.clone(), row)).collect()
}

/// Converts a row of the index to a summary.
fn summary_from_row(folder: &JournalFolder, row: &IndexRow) -> Option<GameSummary> {
    let [first, second] = row.seats.each_ref().map(|seat| sanitize_text(seat));
    let settings = row
        .settings
        .iter()
        .filter_map(|(key, value)| Some((sanitize_text(key), sanitize_text(value.as_str()?))));
    Some(GameSummary {
        id: JournalFolder::game_id(Path::new(&row.file)),
        path: folder.path().join(&row.file),
        game: sanitize_text(&row.game),
        settings: settings.collect(),
        plies: row.plies,
        seats: BySide::new(first, second),
        result: row.result,
        is_loaded: row.is_loaded,
        started: row.started.parse().ok()?,
        played: Timestamp::from_nanosecond(row.stamp.changed.into()).ok()?,
    })
}

/// Creates the error for a file that cannot be opened or read.
fn unreadable_file_error(error: &io::Error) -> JournalError {
    JournalError { line: 0, why: describe_open_error(error) }
}

/// Summarizes a journal as an index row without playing its moves. Returns `None` if the file has vanished or
/// has no complete line.
fn summarize_journal(path: &Path, name: &str, stamp: FileStamp) -> Result<Option<IndexRow>, JournalError> {
    let bytes = match disk::read_regular_file(path, MAX_JOURNAL_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|error| unreadable_file_error(&error))?,
    };
    if bytes.len() as u64 > MAX_JOURNAL_BYTES {
        return Err(JournalError { line: 0, why: TOO_LONG_MESSAGE.to_owned() });
    }
    let lines = read_journal_lines(&bytes)?;
    let mut entries = lines.entries.into_iter().zip(1..);
    let Some((first, _)) = entries.next() else { return Ok(None) };
    let bad = |line: usize| move |why: String| JournalError { line, why };
    let StartEntry { game, mut settings, started, seats, .. } =
        StartEntry::from_object(first).map_err(bad(1))?;
    settings.retain(|_, value| value.is_string());
    let (file, result) = (name.to_owned(), None);
    let mut row =
        IndexRow { file, stamp, game, settings, started, is_loaded: false, result, plies: 0, seats };
    let (mut plies, mut present) = (vec![0], 0);
    for (entry, line) in entries {
        match JournalEntry::from_object(entry).map_err(bad(line))? {
            JournalEntry::Move(MoveEntry { parent, by, .. }) => {
                let before = plies.get(parent);
                let before = before.ok_or_else(|| bad(line)(format!("there is no position {parent}")))?;
                plies.push(before + 1);
                (present, row.result) = (plies.len() - 1, None);
                row.is_loaded |= by == MoveSource::File;
            }
            JournalEntry::Setup { .. } => (plies, present, row.result) = (vec![0], 0, None),
            JournalEntry::Present { id, .. } => (present, row.result) = (id, None),
            JournalEntry::Seats { seats, .. } => row.seats = seats,
            JournalEntry::End(end) => row.result = Some(end.result),
            _ => {}
        }
    }
    row.plies = plies.get(present).copied().unwrap_or_default();
    Ok(Some(row))
}
