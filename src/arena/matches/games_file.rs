//! The games of a match on disk, one line of JSON each, so that a match can go on after a kill and be counted again. Knows
//! results and moves, no rules.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::game_record::{ByNumber, GameRecord, Times};
use super::plan::Plan;
use super::shard_reader;
use crate::ai;
use crate::arena::jobs::shard::{self, Shard, ShardError};
use crate::arena::jobs::{limits_in_json, settings_in_json};
use crate::arena::stats::hash::fnv1a;
use crate::game::Refusal;
use crate::record::disk;

/// So many games may be lost by a failure of the whole machine.
const SYNC_EVERY: u32 = 20;

/// Why records cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// There is a file already.
    #[error(
        "--out {0}: the file already exists; add --resume to continue it, choose another name, or add --force to replace it"
    )]
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
    #[error("cannot write {0}: {why}", why = disk::in_words(.1))]
    Unwritable(String, #[source] io::Error),
    /// It is no file of games of the arena.
    #[error("{0}: this is not a file of arena games")]
    NoHeader(String),
    /// It belongs to another match.
    #[error("{0}: the games are from another match: {1} is {2} there and {3} here")]
    Other(String, String, String, String),
    /// A game stands in another file as well.
    #[error(
        "{0}: pair {1} has the same games as in {2}; give each file once, and use another --seed for more games"
    )]
    Again(String, u64, String),
    /// It is a part of a job, and not whole.
    #[error("{0}: {1}")]
    Shard(String, #[source] ShardError),
    /// It is a part of a job that has no matches.
    #[error("{0}: the job is of kind {1}; only jobs of kind arena have match games")]
    Kind(String, String),
    /// It is such a part, and does not hold what it should.
    #[error("{0}: {1}")]
    Units(String, String),
    /// A line in the middle is wrong.
    #[error("{0}:{1}: this line is not a game from this match")]
    Line(String, usize),
}

impl RecordsError {
    pub(in crate::arena) fn no_header(path: &Path) -> Self {
        RecordsError::NoHeader(Refusal::shown_path(path))
    }
}

/// The first line of the records of a match.
pub(in crate::arena) fn header(plan: &Plan) -> Value {
    let engines = plan.engines.iter().map(
        |engine| json!({"name": engine.name, "spec": engine.player.spec(), "limits": limits_in_json(engine.limits)}),
    );
    let board = plan.entry.start(&plan.variant).expect("the plan has opened this board before");
    let mut header = json!({
        "crosspath": "arena", "schema": 1, "version": env!("CARGO_PKG_VERSION"), "bench": ai::signature(),
        "game": plan.entry.name,
    });
    header.as_object_mut().expect("it is one").extend(settings_in_json(board.settings()));
    header["seed"] = plan.seed.to_string().into();
    header["limits"] = limits_in_json(plan.limits);
    header["openings"] = plan.openings.spec().into();
    header["engines"] = engines.collect();
    header["gauntlet"] = plan.is_gauntlet.into();
    header.as_object_mut().expect("it is one").extend(
        plan.openings.hash().map(|hash| ("openings_hash".to_owned(), Value::from(format!("{hash:016x}")))),
    );
    header["sprt"] = plan.sprt.map(|sprt| [sprt.elo0, sprt.elo1]).into_iter().flatten().collect();
    header["max_plies"] = plan.max_plies.into();
    let plan = fnv1a(header.to_string().as_bytes());
    header["plan"] = format!("{plan:016x}").into();
    header
}

/// The names of the engines in a header. A match has none with what a terminal obeys in it.
fn names(header: &Value) -> Option<Vec<String>> {
    let name = |engine: &Value| {
        engine["name"].as_str().filter(|name| Refusal::shown(name) == **name).map(str::to_owned)
    };
    header["engines"].as_array()?.iter().map(name).collect()
}

/// The games of a file: its header, and the last record of each game.
#[derive(Debug)]
pub(in crate::arena) struct Games {
    pub(in crate::arena) header: Value,
    pub(in crate::arena) by_number: ByNumber,
    /// How many bytes are whole lines.
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
        let kind = shard.header.text("kind");
        if kind != "arena" {
            return Err(RecordsError::Kind(file, Refusal::shown(kind)));
        }
        let header = shard.header.flattened("settings");
        names(&header).ok_or_else(|| RecordsError::NoHeader(file.clone()))?;
        let by_number = shard_reader::games(&shard).map_err(|why| RecordsError::Units(file, why))?;
        Ok(Games { header, by_number, whole })
    }

    fn of(bytes: &[u8], path: &Path) -> Result<Self, RecordsError> {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines();
        let header = lines.next().and_then(|line| serde_json::from_str::<Value>(line).ok());
        let header = header.filter(|header| header["crosspath"] == "arena" && header["schema"] == 1);
        let header = header.ok_or_else(|| RecordsError::NoHeader(Refusal::shown_path(path)))?;
        let names = names(&header).ok_or_else(|| RecordsError::NoHeader(Refusal::shown_path(path)))?;
        let mut games = BTreeMap::new();
        for (line, number) in lines.zip(2..) {
            let value = serde_json::from_str::<Value>(line).ok();
            let game = value.and_then(|value| GameRecord::read(&value, &names));
            let game = game.ok_or_else(|| RecordsError::Line(Refusal::shown_path(path), number))?;
            match games.entry((game.unit, game.game)) {
                Entry::Vacant(place) => _ = place.insert(game),
                Entry::Occupied(known) if *known.get() == game => {}
                Entry::Occupied(_) => return Err(RecordsError::Twice(Refusal::shown_path(path), number)),
            }
        }
        Ok(Games { header, by_number: games, whole: whole as u64 })
    }

    /// What differs between this header and another one, if anything does.
    fn check(&self, other: &Value, path: &Path) -> Result<(), RecordsError> {
        let empty = Map::new();
        let [there, here] = [&self.header, other].map(|header| header.as_object().unwrap_or(&empty));
        let keys = there.keys().chain(here.keys());
        let differs = keys.filter(|key| *key != "plan").find(|key| there.get(*key) != here.get(*key));
        let shown_value = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
        differs.map_or(Ok(()), |key| {
            let (there, here) = (shown_value(there.get(key)), shown_value(here.get(key)));
            Err(RecordsError::Other(Refusal::shown_path(path), key.clone(), there, here))
        })
    }
}

/// The file to which games are written as they end.
#[derive(Debug)]
pub(in crate::arena) struct Log {
    file: File,
    names: Vec<String>,
    unsynced: u32,
}

impl Log {
    /// Empties a file that no other arena writes.
    pub(in crate::arena) fn clear(path: &Path) -> Result<(), RecordsError> {
        let cleared = disk::open_regular(OpenOptions::new().append(true), path)
            .and_then(|file| disk::lock(&file).and_then(|()| file.set_len(0)));
        cleared.map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => RecordsError::Busy(Refusal::shown_path(path)),
            _ => RecordsError::Unwritable(Refusal::shown_path(path), error),
        })
    }

    /// Begins a file, or goes on with one; gives the games that are there.
    pub(in crate::arena) fn open(
        path: &Path,
        plan: &Plan,
        header: &Value,
        resumes: bool,
    ) -> Result<(Self, ByNumber), RecordsError> {
        let io = |error| RecordsError::Unwritable(Refusal::shown_path(path), error);
        let busy = |error: io::Error| match error.kind() {
            io::ErrorKind::WouldBlock => RecordsError::Busy(Refusal::shown_path(path)),
            _ => io(error),
        };
        let names = plan.engines.iter().map(|engine| engine.name.clone()).collect();
        let opened = disk::open_regular(OpenOptions::new().read(true).append(true), path);
        let (mut file, games) = match opened {
            Ok(_) if !resumes => return Err(RecordsError::Exists(Refusal::shown_path(path))),
            Ok(mut file) => {
                disk::lock(&file).map_err(busy)?;
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).map_err(io)?;
                // A kill may have come before even the header was whole. What holds anything else is not emptied.
                if !format!("{header}\n").as_bytes().starts_with(&bytes) || bytes.ends_with(b"\n") {
                    let found = Games::of(&bytes, path)?;
                    found.check(header, path)?;
                    file.set_len(found.whole).map_err(io)?;
                    file.seek(SeekFrom::End(0)).map_err(io)?;
                    return Ok((Log { file, names, unsynced: 0 }, found.by_number));
                }
                file.set_len(0).map_err(io)?;
                (file, BTreeMap::new())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let file = OpenOptions::new().append(true).create_new(true).open(path).map_err(io)?;
                disk::lock(&file).map_err(busy)?;
                (file, BTreeMap::new())
            }
            Err(error) => return Err(io(error)),
        };
        file.write_all(format!("{header}\n").as_bytes()).and_then(|()| file.sync_data()).map_err(io)?;
        Ok((Log { file, names, unsynced: 0 }, games))
    }

    /// Writes a game.
    pub(in crate::arena) fn write(&mut self, game: &GameRecord) -> io::Result<()> {
        let line = format!("{}\n", game.to_json(&self.names, Times::Kept));
        self.file.write_all(line.as_bytes())?;
        self.unsynced += 1;
        if self.unsynced < SYNC_EVERY {
            return Ok(());
        }
        self.sync()
    }

    pub(in crate::arena) fn sync(&mut self) -> io::Result<()> {
        self.unsynced = 0;
        self.file.sync_data()
    }
}
