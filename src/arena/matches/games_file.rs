//! Games file: the finished games of a match, one JSON object per line.
//!
//! A match can be resumed from its games file, and its results can be counted again. This module
//! does not depend on the rules of the games.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::GamesFileHeader;
use super::game_record::{ArenaGame, GamesByUnit};
use super::plan::MatchPlan;
use super::report::TournamentReport;
use crate::arena::jobs::shard::{self, Shard, ShardError};
use crate::arena::jobs::{self, ArenaJobError};
use crate::game::Refusal;
use crate::record::disk;
use crate::registry::BoardSetupError;

/// Number of games between two syncs to disk. A power failure may lose this many games.
const GAMES_PER_SYNC: u32 = 20;

/// Reasons why a games file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GamesFileError {
    /// The file already exists.
    #[error("{0}: the file already exists")]
    Exists(String),
    /// Another arena process is writing the file.
    #[error("{0}: another arena process is writing this file; wait for it, or choose another name")]
    Busy(String),
    /// Two lines describe the same game with different moves.
    #[error("{0}:{1}: this game is already listed with different moves; one of the two lines is wrong")]
    ConflictingGames(String, usize),
    /// The file cannot be read.
    #[error("cannot read {0}: {why}", why = disk::describe_read_error(.1))]
    Unreadable(String, #[source] io::Error),
    /// The file cannot be written.
    #[error("cannot write {0}: {why}", why = disk::describe_io_error(.1))]
    Unwritable(String, #[source] io::Error),
    /// The file is not a games file of the arena.
    #[error("{0}: this is not a file of arena games")]
    NoHeader(String),
    /// The header names an unknown game or board.
    #[error("{0}: {1}")]
    Board(String, #[source] Box<BoardSetupError>),
    /// The file belongs to another match.
    #[error("{0}: the games are from another match: {1} is {2} there and {3} here")]
    DifferentMatch(String, String, String, String),
    /// Another file contains the same game.
    #[error("{0}: pair {1} has the same games as in {2}")]
    DuplicatePair(String, u64, String),
    /// The file is an incomplete or damaged shard.
    #[error("{0}: {1}")]
    Shard(String, #[source] ShardError),
    /// The file is a shard of a job that has no matches.
    #[error("{0}: the job is of kind {1}; only jobs of kind arena have match games")]
    Kind(String, String),
    /// The units of the shard are not games of its match.
    #[error("{0}: {1}")]
    Units(String, #[source] ArenaJobError),
    /// A line is not a valid game. An incomplete last line is ignored instead.
    #[error("{0}:{1}: this line is not a game from this match")]
    Line(String, usize),
}

impl GamesFileError {
    /// Creates the error for a file without a valid header.
    pub(in crate::arena) fn missing_header(path: &Path) -> Self {
        GamesFileError::NoHeader(Refusal::sanitize_path(path))
    }
}

/// Contents of a games file: its header and its games.
#[derive(Debug)]
pub(in crate::arena) struct LoadedGames {
    pub(in crate::arena) header: GamesFileHeader,
    pub(in crate::arena) by_number: GamesByUnit,
    /// Length of the complete lines, in bytes.
    whole: u64,
}

impl LoadedGames {
    /// Loads a games file or match shard. Ignores an incomplete last line of a games file.
    pub(in crate::arena) fn load(path: &Path) -> Result<Self, GamesFileError> {
        let mut text = Vec::new();
        let is_file = std::fs::metadata(path).map(|kind| kind.is_file());
        let no_file = || io::Error::other("not a regular file");
        let open = || disk::open_regular_file(OpenOptions::new().read(true), path);
        let read =
            is_file.and_then(|is_file| if is_file { open()?.read_to_end(&mut text) } else { Err(no_file()) });
        read.map_err(|error| GamesFileError::Unreadable(Refusal::sanitize_path(path), error))?;
        if shard::has_shard_prefix(&text) {
            LoadedGames::parse_shard(text, path)
        } else {
            LoadedGames::parse(&text, path)
        }
    }

    /// Parses the games of a match shard, which may be merged from several.
    fn parse_shard(bytes: Vec<u8>, path: &Path) -> Result<Self, GamesFileError> {
        let file = Refusal::sanitize_path(path);
        let whole = bytes.len() as u64;
        let shard = Shard::parse(bytes).map_err(|why| GamesFileError::Shard(file.clone(), why))?;
        let kind = &shard.header.kind;
        if kind != "arena" {
            return Err(GamesFileError::Kind(file, Refusal::sanitize_excerpt(kind)));
        }
        let header: Option<GamesFileHeader> = shard.header.parse_fields_as().ok();
        let header = header.filter(|header| header.printable_engine_names().is_some());
        let header = header.ok_or_else(|| GamesFileError::NoHeader(file.clone()))?;
        let by_number = parse_shard_games(&shard).map_err(|why| GamesFileError::Units(file, why))?;
        Ok(LoadedGames { header, by_number, whole })
    }

    /// Parses a games file. Ignores an incomplete last line.
    fn parse(bytes: &[u8], path: &Path) -> Result<Self, GamesFileError> {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines();
        let header = lines.next().and_then(|line| serde_json::from_str::<GamesFileHeader>(line).ok());
        let header = header.filter(GamesFileHeader::is_games_file_header);
        let announced = header.and_then(|header| Some((header.printable_engine_names()?, header)));
        let (names, header) = announced.ok_or_else(|| GamesFileError::missing_header(path))?;
        let mut games = BTreeMap::new();
        for (line, number) in lines.zip(2..) {
            let game =
                serde_json::from_str(line).ok().and_then(|game: ArenaGame| game.with_engine_indices(&names));
            let game = game.ok_or_else(|| GamesFileError::Line(Refusal::sanitize_path(path), number))?;
            match games.entry((game.unit, game.game)) {
                Entry::Vacant(place) => _ = place.insert(game),
                Entry::Occupied(known) if *known.get() == game => {}
                Entry::Occupied(_) => {
                    return Err(GamesFileError::ConflictingGames(Refusal::sanitize_path(path), number));
                }
            }
        }
        Ok(LoadedGames { header, by_number: games, whole: whole as u64 })
    }

    /// Checks that another header is equal to this one. The error names the first field that differs.
    fn check_header(&self, other: &GamesFileHeader, path: &Path) -> Result<(), GamesFileError> {
        let [there, here] = [&self.header, other].map(jobs::to_json_fields);
        let keys = there.keys().chain(here.keys());
        let differs = keys.filter(|key| *key != "plan").find(|key| there.get(*key) != here.get(*key));
        let shown_value = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
        differs.map_or(Ok(()), |key| {
            let (there, here) = (shown_value(there.get(key)), shown_value(here.get(key)));
            Err(GamesFileError::DifferentMatch(Refusal::sanitize_path(path), key.clone(), there, here))
        })
    }
}

/// Parses the games of a match shard.
fn parse_shard_games(shard: &Shard) -> Result<GamesByUnit, ArenaJobError> {
    let (report, mut games) = (empty_report_for_shard(shard)?, GamesByUnit::new());
    for (unit, body) in shard.units() {
        games.extend(parse_game_pair(unit, body, &report)?.map(|game| ((game.unit, game.game), game)));
    }
    Ok(games)
}

/// Creates an empty report for the engines that the header of a shard names.
pub(super) fn empty_report_for_shard(shard: &Shard) -> Result<TournamentReport, ArenaJobError> {
    let header: GamesFileHeader = shard.header.parse_fields_as()?;
    TournamentReport::from_header(&header)
        .ok_or_else(|| ArenaJobError("the header must name two engines".to_owned()))
}

/// Both games of a pair, as stored in a unit of a shard.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GamePairLine {
    pub(super) unit: u32,
    pub(super) games: [ArenaGame; 2],
}

/// Parses the games of a unit and checks that they are the pair the report expects.
pub(super) fn parse_game_pair(
    unit: u32,
    body: &[u8],
    report: &TournamentReport,
) -> Result<[ArenaGame; 2], ArenaJobError> {
    let [a, b] = report.pairing_of_unit(unit.into());
    let read = |game: ArenaGame, number: u8, seats: [usize; 2]| {
        let game = game.with_engine_indices(&report.names)?;
        let fits = (game.unit, game.game, game.engines) == (unit.into(), number, seats);
        fits.then_some(game)
    };
    let line = serde_json::from_slice(body).ok();
    let pair = line.and_then(|GamePairLine { games: [first, second], .. }| {
        Some([read(first, 0, [a, b])?, read(second, 1, [b, a])?])
    });
    pair.ok_or_else(|| ArenaJobError(format!("unit {unit} is not a pair of games from this match")))
}

/// Writer of a games file, which appends each game as it ends.
#[derive(Debug)]
pub struct GamesFileWriter {
    file: File,
    unsynced: u32,
    /// Games that the file already contained when it was opened.
    pub(super) games: GamesByUnit,
}

/// Returns a function that converts I/O errors from writing this file to [`GamesFileError`]s.
fn to_write_error(path: &Path) -> impl Fn(io::Error) -> GamesFileError {
    move |error| match error.kind() {
        io::ErrorKind::WouldBlock => GamesFileError::Busy(Refusal::sanitize_path(path)),
        _ => GamesFileError::Unwritable(Refusal::sanitize_path(path), error),
    }
}

impl GamesFileWriter {
    /// Empties a games file, so that another match can use it.
    ///
    /// # Errors
    /// Returns an error if it is not a regular file, is locked by another process, or cannot be written.
    pub(crate) fn clear(path: &Path) -> Result<(), GamesFileError> {
        let cleared = disk::open_regular_file(OpenOptions::new().append(true), path)
            .and_then(|file| disk::lock_file(&file).and_then(|()| file.set_len(0)));
        cleared.map_err(to_write_error(path))
    }

    /// Creates a games file, or opens an existing one to continue it if `resumes` is set.
    ///
    /// # Errors
    /// Returns an error if the file exists and `resumes` is not set, or if it belongs to another match or
    /// cannot be written.
    pub fn open(path: &Path, plan: &MatchPlan, resumes: bool) -> Result<Self, GamesFileError> {
        let (io, header) = (to_write_error(path), GamesFileHeader::from_plan(plan));
        let file = match disk::open_regular_file(OpenOptions::new().read(true).append(true), path) {
            Ok(_) if !resumes => return Err(GamesFileError::Exists(Refusal::sanitize_path(path))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                OpenOptions::new().read(true).append(true).create_new(true).open(path)
            }
            opened => opened,
        };
        let (mut file, mut bytes, first) =
            (file.map_err(&io)?, Vec::new(), jobs::to_json_line(&header) + "\n");
        disk::lock_file(&file).and_then(|()| file.read_to_end(&mut bytes)).map_err(&io)?;
        // The process may have been killed while it wrote the header. Files with other contents are never emptied.
        let games = if first.as_bytes().starts_with(&bytes) && !bytes.ends_with(b"\n") {
            let begun = file.set_len(0).and_then(|()| file.write_all(first.as_bytes()));
            begun.and_then(|()| file.sync_data()).map_err(&io)?;
            GamesByUnit::new()
        } else {
            let found = LoadedGames::parse(&bytes, path)?;
            found.check_header(&header, path)?;
            file.set_len(found.whole).map_err(&io)?;
            found.by_number
        };
        Ok(GamesFileWriter { file, unsynced: 0, games })
    }

    /// Appends a game to the file.
    pub(super) fn write_game(&mut self, game: &ArenaGame) -> io::Result<()> {
        let line = jobs::to_json_line(game) + "\n";
        self.file.write_all(line.as_bytes())?;
        self.unsynced += 1;
        if self.unsynced < GAMES_PER_SYNC { Ok(()) } else { self.sync() }
    }

    /// Syncs the file to disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.unsynced = 0;
        self.file.sync_data()
    }
}
