//! Writes what is new about a game behind what its file holds already.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::{Timestamp, Unit};
use serde_json::{Value, json};

use super::lines::MAX_LINE;
use super::{FORMAT, Folder, Resumed, line};
use crate::game::{BySide, Side};
use crate::play::{Game, Match, Seat};
use crate::record::disk::in_words;
use crate::record::{By, NodeId, Property};
use crate::worker::EngineSeat;

/// The journals of a match: of the game that is played, and of the one before it, to which `undo` may return.
#[derive(Debug)]
pub struct Journal {
    folder: Option<Folder>,
    /// The game that is played last.
    files: Vec<GameFile>,
}

/// Why a game is not in its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotWritten {
    /// Why, in words.
    pub why: String,
    /// Whether the journal has the beginning of the game.
    pub is_partial: bool,
}

/// What the journal of a game holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// What it held before: there is nothing to write, or it still cannot be written.
    Nothing,
    /// The whole game.
    Whole,
}

/// The file of one game.
#[derive(Debug)]
struct GameFile {
    /// The number of the game in its match.
    number: u64,
    file: File,
    path: PathBuf,
    /// What the file says.
    content: Content,
    /// Whether the file ends in something that could not be cut off: nothing may be appended to it.
    is_torn: bool,
}

/// What a file says about its game.
#[derive(Clone, Debug)]
struct Content {
    /// The entries written, and the bytes they take.
    entries: u64,
    length: u64,
    /// By position: those that follow it, in order.
    children: Vec<Vec<NodeId>>,
    present: NodeId,
    seats: Value,
    result: Option<Value>,
}

impl Journal {
    /// Journals in this folder. Without one nothing can be kept.
    #[must_use]
    pub fn new(folder: Option<Folder>) -> Self {
        Journal { folder, files: Vec::new() }
    }

    /// Goes on with a file that tells the game that is played now.
    pub(crate) fn adopt(&mut self, game: &Match, of: Resumed) {
        let Resumed { file, path, entries, length } = of;
        // It is the game that was played last, from now on; where it cannot be dated so it goes on all the same.
        let _ = file.set_modified(SystemTime::now());
        let played = game.game();
        let (children, present, seats) = (children(played), played.present, seats(played));
        let content = Content { entries, length, children, present, seats, result: None };
        self.files.push(GameFile { number: played.number, file, path, content, is_torn: false });
    }

    /// The file of the game that is played, once it has a move.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.files.last().map(|file| &*file.path)
    }

    /// Writes down what is new. A game in which nothing has happened yet leaves no file, nor does one that is only shown. A
    /// game that could not be written is tried again every time, and then written whole.
    ///
    /// # Errors
    /// Says why it cannot be written; what was written before is kept.
    pub fn hear(&mut self, game: &Match) -> Result<Written, NotWritten> {
        let played = game.game();
        if played.is_record() || !played.is_begun() {
            return Ok(Written::Nothing);
        }
        let is_over = played.outcome().is_some();
        let left = game.clocks(game.now()).filter(|_| game.has_left() && !is_over);
        let written = self.write(game, played, left);
        if let Some(place) = self.files.iter().position(|file| file.number == played.number) {
            self.files[place..].rotate_left(1);
        }
        written.map(|()| Written::Whole).map_err(|error| {
            let is_partial = self.files.iter().any(|file| file.number == played.number);
            NotWritten { why: in_words(&error), is_partial }
        })
    }

    /// Tries the game before this one again where it could not be written; returns its number once the journal has it whole.
    pub(crate) fn retry_previous(&mut self, game: &Match) -> Option<u64> {
        let previous = game.previous().filter(|previous| previous.is_unkept)?;
        self.write(game, previous, None).ok().map(|()| previous.number)
    }

    /// Writes down what is new about a game of the match, with the time that is left on its clocks where that matters.
    fn write(&mut self, game: &Match, played: &Game, left: Option<BySide<Duration>>) -> io::Result<()> {
        self.files.retain(|file| game.remembers(file.number)); // another may go on with the others
        let number = played.number;
        // A file that somebody has deleted keeps nothing: the game is written anew.
        let known = self.files.iter().position(|file| file.number == number && !file.is_lost());
        let place = if let Some(place) = known {
            place
        } else {
            let none = || io::Error::other("there is no home folder to save it in");
            let (file, path) = self.folder.as_ref().ok_or_else(none)?.create()?;
            self.files.retain(|file| file.number != number);
            self.files.insert(0, GameFile::new(number, file, path));
            0
        };
        let written = self.files[place].catch_up(played, left);
        if written.is_err() && self.files[place].content.entries == 0 {
            // An empty file would be a game that nobody can name.
            let empty = self.files.remove(place);
            let _ = fs::remove_file(&empty.path); // it is passed over
        }
        written
    }
}

impl GameFile {
    fn new(number: u64, file: File, path: PathBuf) -> Self {
        let content = Content {
            entries: 0,
            length: 0,
            children: vec![Vec::new()],
            present: NodeId::ROOT,
            seats: Value::Null,
            result: None,
        };
        GameFile { number, file, path, content, is_torn: false }
    }

    /// Reports whether the game has to be written anew, into another file.
    fn is_lost(&self) -> bool {
        self.is_torn || self.is_gone()
    }

    /// Whether the file has no name any more.
    #[cfg(unix)]
    fn is_gone(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        self.file.metadata().is_ok_and(|kind| kind.nlink() == 0)
    }

    /// Elsewhere an open file keeps its name.
    #[cfg(not(unix))]
    fn is_gone(&self) -> bool {
        false
    }

    /// Writes what the file does not say yet, to the disk. Where that fails the file says what it said before.
    fn catch_up(&mut self, game: &Game, left: Option<BySide<Duration>>) -> io::Result<()> {
        let before = self.content.clone();
        let written = self.write(game, left);
        if written.is_err() {
            self.is_torn = self.file.set_len(before.length).is_err();
            self.content = before;
        }
        written
    }

    fn write(&mut self, played: &Game, left: Option<BySide<Duration>>) -> io::Result<()> {
        let before = self.content.entries;
        if before == 0 {
            self.content.seats = seats(played);
            self.append(start(played))?;
            self.append_comments(played, NodeId::ROOT)?;
        }
        self.append_moves(played)?;
        self.append_order(played)?;
        let seats = seats(played);
        if seats != self.content.seats {
            self.append(json!({"kind": "seats", "seats": seats, "level": played.level.to_string()}))?;
            self.content.seats = seats;
        }
        let result = result(played);
        let is_other_end = self.content.result.is_some() && self.content.result != result;
        if self.content.present != played.present || is_other_end {
            self.append(json!({"kind": "present", "id": played.present.index()}))?;
            (self.content.present, self.content.result) = (played.present, None);
        }
        if self.content.result != result {
            let mut end = result.clone().unwrap_or_default();
            end["kind"] = "end".into();
            self.append(end)?;
            self.content.result = result;
        }
        if let Some(left) = left {
            let left = Side::each(|side| in_ms(left[side])).to_vec();
            self.append(json!({"kind": "clock", "id": played.present.index(), "left": left}))?;
        }
        if self.content.entries > before {
            self.file.sync_data()?;
        }
        self.name()
    }

    fn append_moves(&mut self, game: &Game) -> io::Result<()> {
        for id in game.tree.ids().skip(self.content.children.len()) {
            let (parent, position) = (game.tree.parent(id).unwrap_or(NodeId::ROOT), game.position(id));
            let by = match game.tree.node(id).by {
                By::Human => "human",
                By::Machine => "machine",
                By::File => "file",
            };
            let side = position.to_move().other().to_string();
            let mut entry = json!({
                "kind": "move", "id": id.index(), "parent": parent.index(), "side": side,
                "move": position.last(), "by": by,
            });
            let node = game.tree.node(id);
            if let Some(took) = node.took {
                entry["ms"] = in_ms(took);
            }
            if let Some(clocks) = node.clocks {
                entry["left"] = Side::each(|side| in_ms(clocks[side])).to_vec().into();
            }
            self.append(entry)?;
            self.append_comments(game, id)?;
            self.content.children[parent.index()].push(id);
            self.content.children.push(Vec::new());
            self.content.present = id;
        }
        Ok(())
    }

    fn append_comments(&mut self, game: &Game, id: NodeId) -> io::Result<()> {
        for Property { name, values } in &game.tree.node(id).properties {
            self.append(json!({"kind": "property", "id": id.index(), "name": name, "values": values}))?;
        }
        let comments = game.tree.node(id).comments.iter();
        comments
            .map(|text| json!({"kind": "comment", "id": id.index(), "text": text}))
            .try_for_each(|it| self.append(it))
    }

    /// Says which line is the main one, where another was before.
    fn append_order(&mut self, game: &Game) -> io::Result<()> {
        for end in [game.present, game.shown] {
            let is_new = |&id: &NodeId| self.content.children[id.index()] != game.tree.children(id);
            if game.tree.way_back(end).any(|id| is_new(&id)) {
                self.append(json!({"kind": "main", "id": end.index()}))?;
                self.content.children = children(game);
            }
        }
        Ok(())
    }

    /// Appends a line.
    fn append(&mut self, mut entry: Value) -> io::Result<()> {
        let mut numbered = json!({"seq": self.content.entries});
        if let (Some(to), Some(from)) = (numbered.as_object_mut(), entry.as_object_mut()) {
            to.append(from);
        }
        let line = line(&numbered);
        if line.len() > MAX_LINE {
            return Err(io::Error::other("a line would be too long to read back"));
        }
        self.file.write_all(line.as_bytes())?;
        self.content.entries += 1;
        self.content.length += line.len() as u64;
        Ok(())
    }

    /// Gives the file the name of a finished game, or of one that goes on.
    fn name(&mut self) -> io::Result<()> {
        let path = Folder::path_of(&self.path, self.content.result.is_some());
        if path != self.path {
            fs::rename(&self.path, &path)?;
            self.path = path;
        }
        Ok(())
    }
}

/// A time in whole milliseconds.
fn in_ms(time: Duration) -> Value {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).into()
}

/// What follows each position.
fn children(game: &Game) -> Vec<Vec<NodeId>> {
    game.tree.ids().map(|id| game.tree.children(id).to_vec()).collect()
}

fn seats(game: &Game) -> Value {
    let seat = |side| match game.seat(side) {
        Seat::Human => "human".to_owned(),
        Seat::Engine(EngineSeat { program: Some(program), .. }) => program.name.clone(),
        Seat::Engine(engine) => format!("level {}", engine.level),
        Seat::Record => "file".to_owned(),
    };
    Side::each(seat).to_vec().into()
}

/// How the game has ended in its present position.
fn result(game: &Game) -> Option<Value> {
    let (outcome, position) = (game.outcome()?, game.position(game.present));
    let by = position.early().map_or("rules", |early| early.word());
    Some(
        json!({"id": game.present.index(), "by": by, "result": outcome.to_string(), "reason": position.ending().as_deref()}),
    )
}

/// The first entry: the game, and how it is played.
fn start(played: &Game) -> Value {
    let position = played.position(played.present);
    let mut entry = json!({"kind": "start", "format": FORMAT, "game": position.name()});
    for (key, value) in position.settings() {
        entry[key] = value.as_str().into();
    }
    let first = played.position(NodeId::ROOT);
    if let Some(text) = first.setup().and_then(|_| first.position_text()) {
        entry["position"] = text.into();
    }
    let limits = played.spec.limits;
    entry["mode"] = played.spec.mode.number().into();
    entry["seats"] = seats(played);
    entry["level"] = played.level.to_string().into();
    for (key, limit) in [("nodes", limits.nodes), ("depth", limits.depth.map(u64::from))] {
        if let Some(limit) = limit {
            entry[key] = limit.into();
        }
    }
    for (key, limit) in [("movetime", limits.time), ("cpu-time", limits.cpu_time)] {
        if let Some(time) = limit {
            entry[key] = in_ms(time);
        }
    }
    if let Some(time) = played.spec.time {
        entry["time"] = time.to_string().into();
        entry["time-over"] = time.over.word().into();
    }
    entry["seed"] = played.seed.to_string().into();
    entry["version"] = env!("CARGO_PKG_VERSION").into();
    let now = Timestamp::now();
    entry["started"] = now.round(Unit::Second).unwrap_or(now).to_string().into();
    if !played.remarks.is_empty() {
        // A remark of this length says nothing about a game.
        let is_short = |(key, value): &&(String, String)| key.len() + value.len() < MAX_LINE / 64;
        let remarks = played.remarks.iter().filter(is_short).take(32);
        entry["remarks"] = remarks.map(|(key, value)| json!([key, value])).collect();
    }
    entry
}
