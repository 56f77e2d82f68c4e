//! The games of a person: what their journals tell in short, and an index that spares reading them all.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Not;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::entry::{JournalEntry, PlayedMove, Start};
use super::lines::read;
use super::load::{MAX_BYTES, TOO_LONG, why_closed};
use super::{ANALYSIS, BadJournal, Folder};
use crate::game::{BySide, Outcome, Side, clean};
use crate::record::{MoveSource, disk};

/// A game in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Name of the game: 16 hexadecimal digits.
    pub id: String,
    /// Its journal.
    pub path: PathBuf,
    /// The name of the game.
    pub game: String,
    /// The settings of its board, as records write them.
    pub settings: Vec<(String, String)>,
    /// The number of moves before its present position.
    pub plies: usize,
    /// Player of each side: `human`, `level 4`.
    pub seats: BySide<String>,
    /// The result; `None` while it goes on.
    pub result: Option<Outcome>,
    /// `true` if some of its moves come from a move file: then it counts for nothing.
    pub is_loaded: bool,
    /// Time at which it began.
    pub started: Timestamp,
    /// Time at which it was played last.
    pub played: Timestamp,
}

impl Summary {
    /// The side of the person, where exactly one plays.
    #[must_use]
    pub fn you(&self) -> Option<Side> {
        match Side::each(|side| self.seats[side] == HUMAN) {
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            _ => None,
        }
    }

    /// Reports whether nobody played: it is an analysis.
    #[must_use]
    pub fn is_analysis(&self) -> bool {
        self.seats[Side::First] == ANALYSIS
    }

    /// Reports whether a person plays.
    #[must_use]
    pub fn has_person(&self) -> bool {
        Side::BOTH.iter().any(|&side| self.seats[side] == HUMAN)
    }

    /// Returns the opponent of the only person.
    #[must_use]
    pub fn opponent(&self) -> Option<&str> {
        self.you().map(|you| &*self.seats[you.other()])
    }
}

/// The seat of a person.
const HUMAN: &str = "human";

/// Results of a person against one opponent in one game.
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
    /// All games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.won + self.lost + self.drawn
    }
}

/// All games of a folder.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// The game that was played last in front.
    pub games: Vec<Summary>,
    /// Journals that cannot be read, each with what is wrong.
    pub broken: Vec<(PathBuf, BadJournal)>,
    /// Why the folder itself cannot be read.
    pub unreadable: Option<String>,
}

/// The name of the index in its folder.
const INDEX: &str = "index.jsonl";
/// The longest index that is read, in bytes: some hundred thousand games.
const MAX_INDEX: u64 = 64 << 20;

impl Archive {
    /// The games of this folder. What the index does not know, or knows otherwise than the disk, is read anew, and the
    /// index is written again.
    #[must_use]
    pub fn of(folder: &Folder) -> Self {
        let known = index(folder);
        let unreadable = folder.check().err();
        let (mut archive, mut is_stale, mut rows) =
            (Archive { unreadable, ..Archive::default() }, false, Vec::new());
        for path in folder.journals() {
            let Some(stamp) = Stamp::of(&path) else {
                // One that has vanished meanwhile is none; a link is still there.
                if path.is_symlink() {
                    archive.broken.push((path, of_file(&io::ErrorKind::NotFound.into())));
                }
                continue;
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let row = known.get(&name).filter(|row| row.stamp == stamp);
            let row = row.cloned().map_or_else(
                || {
                    is_stale = true;
                    summarise(&path, &name, stamp)
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
            archive.games.extend(summary(folder, &row));
            rows.push(row);
        }
        if is_stale || rows.len() != known.len() {
            let lines: Option<Vec<String>> = rows.iter().map(|row| serde_json::to_string(row).ok()).collect();
            // Whoever cannot write an index reads the journals again.
            let _ = disk::save(&folder.path().join(INDEX), lines.unwrap_or_default().join("\n") + "\n");
        }
        archive.games.sort_by(|a, b| b.played.cmp(&a.played).then_with(|| a.id.cmp(&b.id)));
        archive
    }

    /// The damaged journal that the beginning of a name means, four signs at least, if it is one alone.
    #[must_use]
    pub fn damaged(&self, id: &str) -> Option<&(PathBuf, BadJournal)> {
        let id = id.to_ascii_lowercase();
        let is_meant =
            |(path, _): &&(PathBuf, BadJournal)| id.len() >= 4 && Folder::id_of(path).starts_with(&id);
        let mut found = self.broken.iter().filter(is_meant);
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }

    /// The games that a beginning of a name means.
    pub fn named<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Summary> {
        self.games.iter().filter(move |game| game.id.starts_with(&id.to_ascii_lowercase()))
    }

    /// Returns the person's results, by game and opponent.
    #[must_use]
    pub fn scores<'a>(
        games: impl IntoIterator<Item = &'a Summary>,
    ) -> BTreeMap<(&'a str, &'a str), HeadToHead> {
        let mut scores: BTreeMap<(&str, &str), HeadToHead> = BTreeMap::new();
        for game in games.into_iter().filter(|game| !game.is_loaded) {
            let (Some(you), Some(opponent), Some(result)) = (game.you(), game.opponent(), game.result) else {
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

/// Stamp that shows whether a file has changed: its length and the time of its last change, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    length: u64,
    changed: u64,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let kind = fs::metadata(path).ok()?;
        let changed = kind.modified().unwrap_or(UNIX_EPOCH).duration_since(UNIX_EPOCH).unwrap_or_default();
        Some(Stamp { length: kind.len(), changed: u64::try_from(changed.as_nanos()).unwrap_or(u64::MAX) })
    }
}

/// A line of the index: what a journal tells in short.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    file: String,
    #[serde(flatten)]
    stamp: Stamp,
    game: String,
    settings: Map<String, Value>,
    started: String,
    #[serde(default, skip_serializing_if = "Not::not")]
    is_loaded: bool,
    result: Option<Outcome>,
    plies: usize,
    seats: [String; 2],
}

/// The rows of the index, by the name of the journal. A row that cannot be read is none.
fn index(folder: &Folder) -> BTreeMap<String, Row> {
    let bytes = disk::read_regular(&folder.path().join(INDEX), MAX_INDEX).unwrap_or_default();
    let text = String::from_utf8(bytes).unwrap_or_default();
    let rows = text.lines().filter_map(|line| serde_json::from_str::<Row>(line).ok());
    rows.map(|row| (row.file.clone(), row)).collect()
}

/// A row of the index as a game.
fn summary(folder: &Folder, row: &Row) -> Option<Summary> {
    let [first, second] = row.seats.each_ref().map(|seat| clean(seat));
    let settings = row.settings.iter().filter_map(|(key, value)| Some((clean(key), clean(value.as_str()?))));
    Some(Summary {
        id: Folder::id_of(Path::new(&row.file)),
        path: folder.path().join(&row.file),
        game: clean(&row.game),
        settings: settings.collect(),
        plies: row.plies,
        seats: BySide::new(first, second),
        result: row.result,
        is_loaded: row.is_loaded,
        started: row.started.parse().ok()?,
        played: Timestamp::from_nanosecond(row.stamp.changed.into()).ok()?,
    })
}

/// Returns the fault of a file that cannot be opened or read.
fn of_file(error: &io::Error) -> BadJournal {
    BadJournal { line: 0, why: why_closed(error) }
}

/// The row of a journal: what it tells, without playing its moves. `None` for one that vanished or has no whole line.
fn summarise(path: &Path, name: &str, stamp: Stamp) -> Result<Option<Row>, BadJournal> {
    let bytes = match disk::read_regular(path, MAX_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|error| of_file(&error))?,
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(BadJournal { line: 0, why: TOO_LONG.to_owned() });
    }
    let lines = read(&bytes)?;
    let mut entries = lines.entries.into_iter().zip(1..);
    let Some((first, _)) = entries.next() else { return Ok(None) };
    let bad = |line: usize| move |why: String| BadJournal { line, why };
    let Start { game, mut settings, started, seats, .. } = Start::read(first).map_err(bad(1))?;
    settings.retain(|_, value| value.is_string());
    let (file, result) = (name.to_owned(), None);
    let mut row = Row { file, stamp, game, settings, started, is_loaded: false, result, plies: 0, seats };
    let (mut plies, mut present) = (vec![0], 0);
    for (entry, line) in entries {
        match JournalEntry::read(entry).map_err(bad(line))? {
            JournalEntry::Move(PlayedMove { parent, by, .. }) => {
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
