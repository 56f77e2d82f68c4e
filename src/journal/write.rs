//! Writes what is new about a game behind what its file holds already.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::civil::Date;
use jiff::{Timestamp, Unit};
use serde::Serialize;

use super::entry::{End, FORMAT, JournalEntry, Numbered, PlayedMove, Start};
use super::lines::MAX_LINE;
use super::{ANALYSIS, Folder, MistakeStore, Resumed, line};
use crate::game::{BySide, Millis, Side};
use crate::platform;
use crate::play::{Findings, Game, Match, Origin, Seat, Try};
use crate::record::disk::describe_io_error;
use crate::record::{MoveSource, NodeId, Property};
use crate::text::Text;
use crate::thinking::EnginePlayer;

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
    /// `true` if the journal has the beginning of the game.
    pub is_partial: bool,
}

/// Content of a game's journal after writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Its old content: there is nothing to write, or it still cannot be written.
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
    /// Content of the file.
    content: Content,
    /// `true` if the file ends in something that could not be cut off: nothing may be appended to it.
    is_torn: bool,
}

/// Content of a file, by what it says about its game.
#[derive(Clone, Debug)]
struct Content {
    /// The entries written, and the bytes they take.
    entries: u64,
    length: u64,
    /// By position: those that follow it, in order.
    children: Vec<Vec<NodeId>>,
    /// By position: its comments and properties.
    notes: Vec<(Vec<String>, Vec<Property>)>,
    /// By position: the main move of the file that the game comes from.
    authored: Vec<Option<NodeId>>,
    present: NodeId,
    seats: [String; 2],
    result: Option<End>,
    /// Text of the set-up from which the game begins.
    begins: Option<String>,
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
        let (children, notes, authored) = (children(played), notes(played), authored(played));
        let (present, seats) = (played.present(), seats(played));
        let begins = setup_text(played);
        let content =
            Content { entries, length, children, notes, authored, present, seats, result: None, begins };
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
            NotWritten { why: describe_io_error(&error), is_partial }
        })
    }

    /// Tries the game before this one again where it could not be written; returns its number once the journal has it whole.
    pub(crate) fn retry_previous(&mut self, game: &Match) -> Option<u64> {
        let previous = game.previous().filter(|previous| previous.is_unkept())?;
        self.write(game, previous, None).ok().map(|()| previous.number)
    }

    /// Keeps what reviews of the game have found of the moves that people made in it, if anything.
    ///
    /// # Errors
    /// Says why it cannot be written.
    pub fn keep_findings(&self, played: &Game, today: Date) -> Result<(), String> {
        let own = self.files.iter().find(|file| file.number == played.number).map(|file| file.path.as_path());
        let shown = played.source().map(Path::new).filter(|path| Folder::is_saved_game(path));
        let origin =
            Origin { journal: own.or(shown).map(Folder::id_of), day: today, is_quick: false, nodes: 0 };
        let found = played.findings(&origin);
        if found == Findings::default() {
            return Ok(());
        }
        self.store()?.add(&found).map(|_| ()).map_err(|error| describe_io_error(&error))
    }

    /// Keeps a first try at a mistake.
    ///
    /// # Errors
    /// Says why it cannot be written.
    pub fn keep_try(&self, made: &Try) -> Result<(), String> {
        self.store()?.note(made).map_err(|error| describe_io_error(&error))
    }

    fn store(&self) -> Result<MistakeStore, String> {
        self.folder.as_ref().map(MistakeStore::of).ok_or_else(|| "there is no home folder".to_owned())
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

impl Content {
    /// That of a file with nothing in it.
    fn new() -> Self {
        Content {
            entries: 0,
            length: 0,
            children: vec![Vec::new()],
            notes: vec![Default::default()],
            authored: vec![None],
            present: NodeId::ROOT,
            seats: Default::default(),
            result: None,
            begins: None,
        }
    }
}

impl GameFile {
    fn new(number: u64, file: File, path: PathBuf) -> Self {
        let content = Content::new();
        GameFile { number, file, path, content, is_torn: false }
    }

    /// Reports whether the game has to be written anew, into another file.
    fn is_lost(&self) -> bool {
        self.is_torn || platform::is_unlinked(&self.file)
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
            self.content.begins = setup_text(played);
            self.append(&JournalEntry::Start(Box::new(start(played))))?;
        }
        self.append_setup(played)?;
        self.append_moves(played)?;
        self.append_order(played)?;
        self.append_notes(played)?;
        let (present, seats) = (played.present().index(), seats(played));
        if seats != self.content.seats {
            self.append(&JournalEntry::Seats { seats: seats.clone(), level: played.level().to_string() })?;
            self.content.seats = seats;
        }
        let result = result(played);
        let is_other_end = self.content.result.is_some() && self.content.result != result;
        // Where an analysis stands is no news, but where it stood at an edit is: it ends what the edit has changed.
        let is_news = if played.is_analysis() {
            self.content.entries > before
        } else {
            self.content.present != played.present()
        };
        if is_news || is_other_end {
            self.append(&JournalEntry::Present { id: present, edits: played.undoable_edits() })?;
            (self.content.present, self.content.result) = (played.present(), None);
        }
        if self.content.result != result {
            self.append(&result)?;
            self.content.result = result;
        }
        if let Some(left) = left {
            self.append(&JournalEntry::Clock { id: present, left: Side::each(|side| Millis(left[side])) })?;
        }
        if self.content.entries > before {
            self.file.sync_data()?;
        }
        self.name()
    }

    /// Says that an analysis begins from another set-up than before.
    fn append_setup(&mut self, game: &Game) -> io::Result<()> {
        let position = setup_text(game);
        if position == self.content.begins {
            return Ok(());
        }
        self.append(&JournalEntry::Setup { position: position.clone() })?;
        let Content { entries, length, .. } = self.content;
        let seats = self.content.seats.clone();
        self.content = Content { entries, length, seats, begins: position, ..Content::new() };
        Ok(())
    }

    fn append_moves(&mut self, game: &Game) -> io::Result<()> {
        for id in game.tree().ids().skip(self.content.children.len()) {
            let (parent, position) = (game.tree().parent(id).unwrap_or(NodeId::ROOT), game.position(id));
            let node = game.tree().node(id);
            self.append(&JournalEntry::Move(PlayedMove {
                id: id.index(),
                parent: parent.index(),
                side: position.to_move().other(),
                text: position.last().unwrap_or_default(),
                by: node.by,
                ms: node.took.map(Millis),
                left: node.clocks.map(|clocks| Side::each(|side| Millis(clocks[side]))),
            }))?;
            self.append_early_end(game, id)?;
            self.content.children[parent.index()].push(id);
            self.content.children.push(Vec::new());
            self.content.notes.push(Default::default());
            if node.by == MoveSource::File {
                self.content.authored[parent.index()].get_or_insert(id);
            }
            self.content.authored.push(None);
            self.content.present = id;
        }
        Ok(())
    }

    /// Says that somebody gave up in a position of an analysis, which stands anywhere.
    fn append_early_end(&mut self, game: &Game, id: NodeId) -> io::Result<()> {
        match end_of(game, id).filter(|end| end.by != "rules" && game.is_analysis()) {
            Some(end) => self.append(&end),
            None => Ok(()),
        }
    }

    /// Says what is noted at each position, where something else was before.
    fn append_notes(&mut self, game: &Game) -> io::Result<()> {
        for id in game.tree().ids() {
            let now = noted(game, id);
            let before = &self.content.notes[id.index()];
            if now == *before {
                continue;
            }
            if *before != Default::default() {
                self.append(&JournalEntry::Notes { id: id.index() })?;
            }
            for Property { name, values } in now.1.clone() {
                self.append(&JournalEntry::Property { id: id.index(), name, values })?;
            }
            for text in now.0.clone() {
                self.append(&JournalEntry::Comment { id: id.index(), text })?;
            }
            self.content.notes[id.index()] = now;
        }
        Ok(())
    }

    /// Says which positions follow each of an analysis, where others did before, or in another order.
    fn append_children(&mut self, game: &Game) -> io::Result<()> {
        for id in game.tree().ids() {
            let now = game.tree().children(id);
            if self.content.children[id.index()] != now {
                let children = now.iter().map(|child| child.index()).collect();
                self.append(&JournalEntry::Children { id: id.index(), children })?;
                self.content.children[id.index()] = now.to_vec();
            }
        }
        Ok(())
    }

    /// Says which line is the main one, where another was before.
    fn append_order(&mut self, game: &Game) -> io::Result<()> {
        if game.is_analysis() {
            return self.append_children(game);
        }
        for end in [game.present(), game.shown()] {
            let is_new = |&id: &NodeId| self.content.children[id.index()] != game.tree().children(id);
            if game.tree().ancestors(end).any(|id| is_new(&id)) {
                self.append(&JournalEntry::Main { id: end.index(), is_of_file: false })?;
                self.content.children = children(game);
            }
        }
        let line = game.tree().written_line(game.present());
        if line.iter().any(|&id| self.content.authored[id.index()] != game.tree().authored(id)) {
            let id = line.last().map_or(0, |end| end.index());
            self.append(&JournalEntry::Main { id, is_of_file: true })?;
            self.content.authored = authored(game);
        }
        Ok(())
    }

    /// Appends a line.
    fn append(&mut self, entry: &impl Serialize) -> io::Result<()> {
        let line = line(&Numbered { seq: Some(self.content.entries), entry });
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

/// Returns the text of the set-up from which the game begins, if it does.
fn setup_text(played: &Game) -> Option<String> {
    let first = played.position(NodeId::ROOT);
    first.setup().and_then(|_| first.position_text())
}

/// Returns the positions that follow each position.
fn children(game: &Game) -> Vec<Vec<NodeId>> {
    game.tree().ids().map(|id| game.tree().children(id).to_vec()).collect()
}

/// The main move of the file after each position.
fn authored(game: &Game) -> Vec<Option<NodeId>> {
    game.tree().ids().map(|id| game.tree().authored(id)).collect()
}

fn seats(game: &Game) -> [String; 2] {
    if game.is_analysis() {
        return Side::each(|_| ANALYSIS.to_owned());
    }
    Side::each(|side| match game.seat(side) {
        Some(Seat::Human) => "human".to_owned(),
        Some(Seat::Engine(engine)) => match &engine.player {
            EnginePlayer::Own(kind) => format!("level {kind}"),
            EnginePlayer::External(program) => program.name(),
        },
        None => "file".to_owned(),
    })
}

/// The comments and properties of a position.
fn noted(game: &Game, id: NodeId) -> (Vec<String>, Vec<Property>) {
    let node = game.tree().node(id);
    (node.comments.clone(), node.properties.clone())
}

/// Returns the comments and properties of each position.
fn notes(game: &Game) -> Vec<(Vec<String>, Vec<Property>)> {
    game.tree().ids().map(|id| noted(game, id)).collect()
}

/// Returns the end of the game in its present position. An analysis never ends.
fn result(game: &Game) -> Option<End> {
    end_of(game, game.present()).filter(|_| !game.is_analysis())
}

/// Returns the end of a game in a position.
fn end_of(game: &Game, id: NodeId) -> Option<End> {
    let position = game.position(id);
    let (result, reason) = (position.outcome()?, position.ending().map(Text::into_string));
    let by = position.early().map_or("rules", |early| early.word()).to_owned();
    Some(End { id: id.index(), by, result, reason, kind: "end" })
}

/// The first entry: the game, and how it is played.
fn start(played: &Game) -> Start {
    let position = played.position(played.present());
    let (limits, time) = (played.spec().limits, played.spec().time);
    let settings = position.settings().iter().map(|(key, value)| ((*key).to_owned(), value.clone().into()));
    let now = Timestamp::now();
    // A remark of this length says nothing about a game.
    let is_short = |(key, value): &&(String, String)| key.len() + value.len() < MAX_LINE / 64;
    Start {
        format: FORMAT,
        game: position.name().to_owned(),
        settings: settings.collect(),
        position: setup_text(played),
        mode: played.spec().mode.number(),
        seats: seats(played),
        level: played.level().to_string(),
        nodes: limits.nodes,
        depth: limits.depth,
        movetime: limits.time.map(Millis),
        cpu_time: limits.cpu_time.map(Millis),
        time: time.map(|time| time.to_string()),
        time_over: time.map(|time| time.over.word().to_owned()),
        seed: played.seed(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started: now.round(Unit::Second).unwrap_or(now).to_string(),
        remarks: played.remarks().iter().filter(is_short).take(32).cloned().collect(),
    }
}
