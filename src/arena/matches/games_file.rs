//! The games of a match on disk, one line of JSON each, so that a match can go on after a kill and be counted again. Knows
//! results and moves, no rules.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::GamesHeader;
use super::game_record::{ArenaGame, GamesByUnit};
use super::plan::MatchPlan;
use super::report::TournamentReport;
use crate::arena::jobs::shard::{self, Shard, ShardError};
use crate::arena::jobs::{self, JobError};
use crate::game::Refusal;
use crate::record::disk;
use crate::registry::OpenError;

/// Number of games that a failure of the computer may lose.
const SYNC_EVERY: u32 = 20;

/// Why records cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// There is a file already.
    #[error("{0}: the file already exists")]
    Exists(String),
    /// Another arena writes it now.
    #[error("{0}: another arena process is writing this file; wait for it, or choose another name")]
    Busy(String),
    /// Two lines tell one game in two ways.
    #[error("{0}:{1}: this game is already listed with different moves; one of the two lines is wrong")]
    Twice(String, usize),
    /// It cannot be read.
    #[error("cannot read {0}: {why}", why = disk::why_unread(.1))]
    Unreadable(String, #[source] io::Error),
    /// It cannot be written.
    #[error("cannot write {0}: {why}", why = disk::describe_io_error(.1))]
    Unwritable(String, #[source] io::Error),
    /// It is no file of games of the arena.
    #[error("{0}: this is not a file of arena games")]
    NoHeader(String),
    /// Its header names a game or a board that there is not.
    #[error("{0}: {1}")]
    Board(String, #[source] Box<OpenError>),
    /// It belongs to another match.
    #[error("{0}: the games are from another match: {1} is {2} there and {3} here")]
    Other(String, String, String, String),
    /// A game stands in another file as well.
    #[error("{0}: pair {1} has the same games as in {2}")]
    Again(String, u64, String),
    /// It is a part of a job, and not whole.
    #[error("{0}: {1}")]
    Shard(String, #[source] ShardError),
    /// It is a part of a job that has no matches.
    #[error("{0}: the job is of kind {1}; only jobs of kind arena have match games")]
    Kind(String, String),
    /// It is a part of a job with matches, and does not hold what it should.
    #[error("{0}: {1}")]
    Units(String, #[source] JobError),
    /// A line in the middle is wrong.
    #[error("{0}:{1}: this line is not a game from this match")]
    Line(String, usize),
}

impl RecordsError {
    pub(in crate::arena) fn no_header(path: &Path) -> Self {
        RecordsError::NoHeader(Refusal::shown_path(path))
    }
}

/// The games of a file: its header, and the last record of each game.
#[derive(Debug)]
pub(in crate::arena) struct Games {
    pub(in crate::arena) header: GamesHeader,
    pub(in crate::arena) by_number: GamesByUnit,
    /// Number of bytes in whole lines.
    whole: u64,
}

impl Games {
    /// Reads a file of records; a torn last line is left out.
    pub(in crate::arena) fn read(path: &Path) -> Result<Self, RecordsError> {
        let mut text = Vec::new();
        let is_file = std::fs::metadata(path).map(|kind| kind.is_file());
        let no_file = || io::Error::other("not a regular file");
        let open = || disk::open_regular(OpenOptions::new().read(true), path);
        let read =
            is_file.and_then(|is_file| if is_file { open()?.read_to_end(&mut text) } else { Err(no_file()) });
        read.map_err(|error| RecordsError::Unreadable(Refusal::shown_path(path), error))?;
        if shard::is_begun(&text) { Games::of_shard(text, path) } else { Games::of(&text, path) }
    }

    /// Reads a part of a job, or the parts that were put together.
    fn of_shard(bytes: Vec<u8>, path: &Path) -> Result<Self, RecordsError> {
        let file = Refusal::shown_path(path);
        let whole = bytes.len() as u64;
        let shard = Shard::read(bytes).map_err(|why| RecordsError::Shard(file.clone(), why))?;
        let kind = &shard.header.kind;
        if kind != "arena" {
            return Err(RecordsError::Kind(file, Refusal::shown(kind)));
        }
        let header: Option<GamesHeader> = shard.header.read_as().ok();
        let header = header.filter(|header| header.names().is_some());
        let header = header.ok_or_else(|| RecordsError::NoHeader(file.clone()))?;
        let by_number = games_of(&shard).map_err(|why| RecordsError::Units(file, why))?;
        Ok(Games { header, by_number, whole })
    }

    fn of(bytes: &[u8], path: &Path) -> Result<Self, RecordsError> {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines();
        let header = lines.next().and_then(|line| serde_json::from_str::<GamesHeader>(line).ok());
        let header = header.filter(GamesHeader::is_of_file);
        let announced = header.and_then(|header| Some((header.names()?, header)));
        let (names, header) = announced.ok_or_else(|| RecordsError::no_header(path))?;
        let mut games = BTreeMap::new();
        for (line, number) in lines.zip(2..) {
            let game = serde_json::from_str(line).ok().and_then(|game: ArenaGame| game.between(&names));
            let game = game.ok_or_else(|| RecordsError::Line(Refusal::shown_path(path), number))?;
            match games.entry((game.unit, game.game)) {
                Entry::Vacant(place) => _ = place.insert(game),
                Entry::Occupied(known) if *known.get() == game => {}
                Entry::Occupied(_) => return Err(RecordsError::Twice(Refusal::shown_path(path), number)),
            }
        }
        Ok(Games { header, by_number: games, whole: whole as u64 })
    }

    /// Checks that this header and another one are equal, and names the first member that differs.
    fn check(&self, other: &GamesHeader, path: &Path) -> Result<(), RecordsError> {
        let [there, here] = [&self.header, other].map(jobs::fields);
        let keys = there.keys().chain(here.keys());
        let differs = keys.filter(|key| *key != "plan").find(|key| there.get(*key) != here.get(*key));
        let shown_value = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
        differs.map_or(Ok(()), |key| {
            let (there, here) = (shown_value(there.get(key)), shown_value(here.get(key)));
            Err(RecordsError::Other(Refusal::shown_path(path), key.clone(), there, here))
        })
    }
}

/// Reads the games of a shard.
fn games_of(shard: &Shard) -> Result<GamesByUnit, JobError> {
    let (report, mut games) = (announced(shard)?, GamesByUnit::new());
    for (unit, body) in shard.units() {
        games.extend(read_pair(unit, body, &report)?.map(|game| ((game.unit, game.game), game)));
    }
    Ok(games)
}

/// Returns the report of no games that the header of a shard announces.
pub(super) fn announced(shard: &Shard) -> Result<TournamentReport, JobError> {
    let header: GamesHeader = shard.header.read_as()?;
    TournamentReport::announced(&header)
        .ok_or_else(|| JobError("the header must name two engines".to_owned()))
}

/// The games of a unit, as a line of a shard has them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PairLine {
    pub(super) unit: u32,
    pub(super) games: [ArenaGame; 2],
}

/// Reads the games of a unit.
pub(super) fn read_pair(
    unit: u32,
    body: &[u8],
    report: &TournamentReport,
) -> Result<[ArenaGame; 2], JobError> {
    let [a, b] = report.meeting_of(unit.into());
    let read = |game: ArenaGame, number: u8, seats: [usize; 2]| {
        let game = game.between(&report.names)?;
        let fits = (game.unit, game.game, game.engines) == (unit.into(), number, seats);
        fits.then_some(game)
    };
    let line = serde_json::from_slice(body).ok();
    let pair = line.and_then(|PairLine { games: [first, second], .. }| {
        Some([read(first, 0, [a, b])?, read(second, 1, [b, a])?])
    });
    pair.ok_or_else(|| JobError(format!("unit {unit} is not a pair of games from this match")))
}

/// The file to which the games of a match are written as they end.
#[derive(Debug)]
pub struct Records {
    file: File,
    unsynced: u32,
    /// The games that were there when it was opened.
    pub(super) games: GamesByUnit,
}

/// Returns the error of a file that cannot be written.
fn unwritable(path: &Path) -> impl Fn(io::Error) -> RecordsError {
    move |error| match error.kind() {
        io::ErrorKind::WouldBlock => RecordsError::Busy(Refusal::shown_path(path)),
        _ => RecordsError::Unwritable(Refusal::shown_path(path), error),
    }
}

impl Records {
    /// Empties a file, so that another match can begin in it.
    ///
    /// # Errors
    /// If it is no regular file, another program writes it, or it cannot be written.
    pub(crate) fn clear(path: &Path) -> Result<(), RecordsError> {
        let cleared = disk::open_regular(OpenOptions::new().append(true), path)
            .and_then(|file| disk::lock(&file).and_then(|()| file.set_len(0)));
        cleared.map_err(unwritable(path))
    }

    /// Creates a file of games, or continues it.
    ///
    /// # Errors
    /// If the file is there and may not be, belongs to another match, or cannot be written.
    pub fn open(path: &Path, plan: &MatchPlan, resumes: bool) -> Result<Self, RecordsError> {
        let (io, header) = (unwritable(path), GamesHeader::of(plan));
        let file = match disk::open_regular(OpenOptions::new().read(true).append(true), path) {
            Ok(_) if !resumes => return Err(RecordsError::Exists(Refusal::shown_path(path))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                OpenOptions::new().read(true).append(true).create_new(true).open(path)
            }
            opened => opened,
        };
        let (mut file, mut bytes, first) = (file.map_err(&io)?, Vec::new(), jobs::json(&header) + "\n");
        disk::lock(&file).and_then(|()| file.read_to_end(&mut bytes)).map_err(&io)?;
        // A kill may have come before even the header was whole. What holds anything else is not emptied.
        let games = if first.as_bytes().starts_with(&bytes) && !bytes.ends_with(b"\n") {
            let begun = file.set_len(0).and_then(|()| file.write_all(first.as_bytes()));
            begun.and_then(|()| file.sync_data()).map_err(&io)?;
            GamesByUnit::new()
        } else {
            let found = Games::of(&bytes, path)?;
            found.check(&header, path)?;
            file.set_len(found.whole).map_err(&io)?;
            found.by_number
        };
        Ok(Records { file, unsynced: 0, games })
    }

    /// Writes a game.
    pub(super) fn write(&mut self, game: &ArenaGame) -> io::Result<()> {
        let line = jobs::json(game) + "\n";
        self.file.write_all(line.as_bytes())?;
        self.unsynced += 1;
        if self.unsynced < SYNC_EVERY { Ok(()) } else { self.sync() }
    }

    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.unsynced = 0;
        self.file.sync_data()
    }
}
