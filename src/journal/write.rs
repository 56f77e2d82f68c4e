//! Writing of journals. The changes of a game are appended to its file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::civil::Date;
use jiff::{Timestamp, Unit};
use serde::Serialize;

use super::entry::{EndEntry, JOURNAL_FORMAT, JournalEntry, MoveEntry, NumberedEntry, StartEntry};
use super::lines::MAX_LINE_BYTES;
use super::{ANALYSIS_SEAT, JournalFolder, MistakeStore, ResumedJournal, format_journal_line};
use crate::game::{BySide, JsonMillis, Side};
use crate::platform;
use crate::play::{LiveGame, Match, PlayerSeat, ReviewFindings, TaskAttempt, TaskOrigin};
use crate::record::disk::describe_io_error;
use crate::record::{MoveSource, NodeId, NodeProperty};
use crate::text::Text;
use crate::thinking::EnginePlayer;

/// Journals of a match: of the current game, and of the previous one, to which `undo` may return.
#[derive(Debug)]
pub struct MatchJournal {
    folder: Option<JournalFolder>,
    /// Journal files, the one of the current game last.
    files: Vec<GameJournalFile>,
}

/// Reason why a game is not fully in its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalWriteError {
    /// Description of the error.
    pub why: String,
    /// `true` if the journal has an earlier part of the game.
    pub is_partial: bool,
}

/// Result of a write to a game's journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalWriteOutcome {
    /// The content is unchanged: there was nothing to write.
    Nothing,
    /// The journal has the whole game.
    Whole,
}

/// Journal file of one game.
#[derive(Debug)]
struct GameJournalFile {
    /// Number of the game in its match.
    number: u64,
    file: File,
    path: PathBuf,
    /// Content of the file.
    content: JournalContent,
    /// `true` if the file ends in an incomplete line that could not be cut off, so that nothing may be
    /// appended.
    is_torn: bool,
}

/// Content of a journal file: the state of the game that it records.
#[derive(Clone, Debug)]
struct JournalContent {
    /// Number of entries written, and their size in bytes.
    entries: u64,
    length: u64,
    /// Children of each position, in order.
    children: Vec<Vec<NodeId>>,
    /// Comments and properties of each position.
    notes: Vec<(Vec<String>, Vec<NodeProperty>)>,
    /// Main move after each position in the imported file.
    authored: Vec<Option<NodeId>>,
    present: NodeId,
    seats: [String; 2],
    result: Option<EndEntry>,
    /// Text of the set-up from which the game begins.
    begins: Option<String>,
}

impl MatchJournal {
    /// Creates the journals of a match in this folder. Without a folder nothing can be saved.
    #[must_use]
    pub fn new(folder: Option<JournalFolder>) -> Self {
        MatchJournal { folder, files: Vec::new() }
    }

    /// Continues the journal of a loaded game, which is now the current one.
    pub(crate) fn resume(&mut self, game: &Match, of: ResumedJournal) {
        let ResumedJournal { file, path, entries, length } = of;
        // The file's date makes it the game played last. If it cannot be set, the game continues all the
        // same.
        let _ = file.set_modified(SystemTime::now());
        let played = game.game();
        let (children, notes, authored) =
            (children_by_node(played), notes_by_node(played), authored_moves_by_node(played));
        let (present, seats) = (played.present_node(), format_seats(played));
        let begins = initial_setup_text(played);
        let content = JournalContent {
            entries,
            length,
            children,
            notes,
            authored,
            present,
            seats,
            result: None,
            begins,
        };
        self.files.push(GameJournalFile { number: played.number, file, path, content, is_torn: false });
    }

    /// Returns the path of the current game's journal, once the game has a move.
    #[must_use]
    pub fn current_path(&self) -> Option<&Path> {
        self.files.last().map(|file| &*file.path)
    }

    /// Writes the changes of the current game. A game without moves and a replay get no file. If a write
    /// failed, each later call tries again to write everything that is missing.
    ///
    /// # Errors
    /// The error says why the game cannot be written. Earlier entries stay in the file.
    pub fn record_changes(&mut self, game: &Match) -> Result<JournalWriteOutcome, JournalWriteError> {
        let played = game.game();
        if played.is_replay() || !played.has_player_changes() {
            return Ok(JournalWriteOutcome::Nothing);
        }
        let is_over = played.outcome().is_some();
        let left = game.remaining_times(game.last_update_time()).filter(|_| game.has_ended() && !is_over);
        let written = self.write_game(game, played, left);
        if let Some(place) = self.files.iter().position(|file| file.number == played.number) {
            self.files[place..].rotate_left(1);
        }
        written.map(|()| JournalWriteOutcome::Whole).map_err(|error| {
            let is_partial = self.files.iter().any(|file| file.number == played.number);
            JournalWriteError { why: describe_io_error(&error), is_partial }
        })
    }

    /// Tries again to write the previous game if that had failed. Returns its number once the journal has all
    /// of it.
    pub(crate) fn retry_previous_game(&mut self, game: &Match) -> Option<u64> {
        let previous = game.previous_game().filter(|previous| previous.is_journal_incomplete())?;
        self.write_game(game, previous, None).ok().map(|()| previous.number)
    }

    /// Saves the findings of reviews about the moves of human players.
    ///
    /// # Errors
    /// The error says why they cannot be written.
    pub fn save_review_findings(&self, played: &LiveGame, today: Date) -> Result<(), String> {
        let own = self.files.iter().find(|file| file.number == played.number).map(|file| file.path.as_path());
        let shown = played.replayed_file().map(Path::new).filter(|path| JournalFolder::is_journal_path(path));
        let origin = TaskOrigin {
            journal: own.or(shown).map(JournalFolder::game_id),
            day: today,
            is_quick: false,
            nodes: 0,
        };
        let found = played.review_findings(&origin);
        if found == ReviewFindings::default() {
            return Ok(());
        }
        self.mistake_store()?.add_findings(&found).map(|_| ()).map_err(|error| describe_io_error(&error))
    }

    /// Saves a first attempt at a mistake.
    ///
    /// # Errors
    /// The error says why it cannot be written.
    pub fn save_mistake_attempt(&self, made: &TaskAttempt) -> Result<(), String> {
        self.mistake_store()?.add_attempt(made).map_err(|error| describe_io_error(&error))
    }

    fn mistake_store(&self) -> Result<MistakeStore, String> {
        self.folder.as_ref().map(MistakeStore::in_folder).ok_or_else(|| "there is no home folder".to_owned())
    }

    /// Writes the changes of a game of the match, and the time left on its clocks if `left` is given.
    fn write_game(
        &mut self,
        game: &Match,
        played: &LiveGame,
        left: Option<BySide<Duration>>,
    ) -> io::Result<()> {
        self.files.retain(|file| game.holds_game(file.number)); // forgotten games are free for other programs
        let number = played.number;
        // If somebody has deleted the file, the game is written to a new one.
        let known = self.files.iter().position(|file| file.number == number && !file.needs_new_file());
        let place = if let Some(place) = known {
            place
        } else {
            let none = || io::Error::other("there is no home folder to save it in");
            let (file, path) = self.folder.as_ref().ok_or_else(none)?.create_journal()?;
            self.files.retain(|file| file.number != number);
            self.files.insert(0, GameJournalFile::new(number, file, path));
            0
        };
        let written = self.files[place].write_or_roll_back(played, left);
        if written.is_err() && self.files[place].content.entries == 0 {
            // An empty file would be a saved game without content.
            let empty = self.files.remove(place);
            let _ = fs::remove_file(&empty.path); // a remaining empty file is ignored
        }
        written
    }
}

impl JournalContent {
    /// Creates the content of an empty file.
    fn empty() -> Self {
        JournalContent {
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

impl GameJournalFile {
    fn new(number: u64, file: File, path: PathBuf) -> Self {
        let content = JournalContent::empty();
        GameJournalFile { number, file, path, content, is_torn: false }
    }

    /// Reports whether the game must be written to a new file.
    fn needs_new_file(&self) -> bool {
        self.is_torn || platform::is_unlinked(&self.file)
    }

    /// Writes the changes to the disk. If that fails, restores the previous content.
    fn write_or_roll_back(&mut self, game: &LiveGame, left: Option<BySide<Duration>>) -> io::Result<()> {
        let before = self.content.clone();
        let written = self.write_changes(game, left);
        if written.is_err() {
            self.is_torn = self.file.set_len(before.length).is_err();
            self.content = before;
        }
        written
    }

    fn write_changes(&mut self, played: &LiveGame, left: Option<BySide<Duration>>) -> io::Result<()> {
        let before = self.content.entries;
        if before == 0 {
            self.content.seats = format_seats(played);
            self.content.begins = initial_setup_text(played);
            self.append_entry(&JournalEntry::Start(Box::new(create_start_entry(played))))?;
        }
        self.append_setup(played)?;
        self.append_moves(played)?;
        self.append_order(played)?;
        self.append_notes(played)?;
        let (present, seats) = (played.present_node().index(), format_seats(played));
        if seats != self.content.seats {
            self.append_entry(&JournalEntry::Seats {
                seats: seats.clone(),
                level: played.level().to_string(),
            })?;
            self.content.seats = seats;
        }
        let result = end_entry_at_present(played);
        let is_other_end = self.content.result.is_some() && self.content.result != result;
        // In an analysis a move to another position is recorded only together with an edit, whose end it
        // marks.
        let is_news = if played.is_analysis() {
            self.content.entries > before
        } else {
            self.content.present != played.present_node()
        };
        if is_news || is_other_end {
            self.append_entry(&JournalEntry::Present { id: present, edits: played.undoable_edit_count() })?;
            (self.content.present, self.content.result) = (played.present_node(), None);
        }
        if self.content.result != result {
            self.append_entry(&result)?;
            self.content.result = result;
        }
        if let Some(left) = left {
            self.append_entry(&JournalEntry::Clock {
                id: present,
                left: Side::map_both(|side| JsonMillis(left[side])),
            })?;
        }
        if self.content.entries > before {
            self.file.sync_data()?;
        }
        self.update_file_name()
    }

    /// Appends the new set-up of an analysis if it has changed.
    fn append_setup(&mut self, game: &LiveGame) -> io::Result<()> {
        let position = initial_setup_text(game);
        if position == self.content.begins {
            return Ok(());
        }
        self.append_entry(&JournalEntry::Setup { position: position.clone() })?;
        let JournalContent { entries, length, .. } = self.content;
        let seats = self.content.seats.clone();
        self.content = JournalContent { entries, length, seats, begins: position, ..JournalContent::empty() };
        Ok(())
    }

    fn append_moves(&mut self, game: &LiveGame) -> io::Result<()> {
        for id in game.tree().node_ids().skip(self.content.children.len()) {
            let (parent, position) = (game.tree().parent(id).unwrap_or(NodeId::ROOT), game.position(id));
            let node = game.tree().node(id);
            self.append_entry(&JournalEntry::Move(MoveEntry {
                id: id.index(),
                parent: parent.index(),
                side: position.to_move().other(),
                text: position.last_move().unwrap_or_default(),
                by: node.by,
                ms: node.took.map(JsonMillis),
                left: node.clocks.map(|clocks| Side::map_both(|side| JsonMillis(clocks[side]))),
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

    /// Appends an early end of a position in an analysis, which may be anywhere in the tree.
    fn append_early_end(&mut self, game: &LiveGame, id: NodeId) -> io::Result<()> {
        match end_entry_at(game, id).filter(|end| end.by != "rules" && game.is_analysis()) {
            Some(end) => self.append_entry(&end),
            None => Ok(()),
        }
    }

    /// Appends the comments and properties of the positions where they have changed.
    fn append_notes(&mut self, game: &LiveGame) -> io::Result<()> {
        for id in game.tree().node_ids() {
            let now = notes_of_node(game, id);
            let before = &self.content.notes[id.index()];
            if now == *before {
                continue;
            }
            if *before != Default::default() {
                self.append_entry(&JournalEntry::Notes { id: id.index() })?;
            }
            for NodeProperty { name, values } in now.1.clone() {
                self.append_entry(&JournalEntry::Property { id: id.index(), name, values })?;
            }
            for text in now.0.clone() {
                self.append_entry(&JournalEntry::Comment { id: id.index(), text })?;
            }
            self.content.notes[id.index()] = now;
        }
        Ok(())
    }

    /// Appends the children of the positions of an analysis where they or their order have changed.
    fn append_children(&mut self, game: &LiveGame) -> io::Result<()> {
        for id in game.tree().node_ids() {
            let now = game.tree().children(id);
            if self.content.children[id.index()] != now {
                let children = now.iter().map(|child| child.index()).collect();
                self.append_entry(&JournalEntry::Children { id: id.index(), children })?;
                self.content.children[id.index()] = now.to_vec();
            }
        }
        Ok(())
    }

    /// Appends the main line if it has changed.
    fn append_order(&mut self, game: &LiveGame) -> io::Result<()> {
        if game.is_analysis() {
            return self.append_children(game);
        }
        for end in [game.present_node(), game.shown_node()] {
            let is_new = |&id: &NodeId| self.content.children[id.index()] != game.tree().children(id);
            if game.tree().ancestors(end).any(|id| is_new(&id)) {
                self.append_entry(&JournalEntry::Main { id: end.index(), is_of_file: false })?;
                self.content.children = children_by_node(game);
            }
        }
        let line = game.tree().written_line(game.present_node());
        if line.iter().any(|&id| self.content.authored[id.index()] != game.tree().file_main_move(id)) {
            let id = line.last().map_or(0, |end| end.index());
            self.append_entry(&JournalEntry::Main { id, is_of_file: true })?;
            self.content.authored = authored_moves_by_node(game);
        }
        Ok(())
    }

    /// Appends an entry as one line.
    fn append_entry(&mut self, entry: &impl Serialize) -> io::Result<()> {
        let line = format_journal_line(&NumberedEntry { seq: Some(self.content.entries), entry });
        if line.len() > MAX_LINE_BYTES {
            return Err(io::Error::other("a line would be too long to read back"));
        }
        self.file.write_all(line.as_bytes())?;
        self.content.entries += 1;
        self.content.length += line.len() as u64;
        Ok(())
    }

    /// Renames the file when its game ends or resumes.
    fn update_file_name(&mut self) -> io::Result<()> {
        let path = JournalFolder::path_for_state(&self.path, self.content.result.is_some());
        if path != self.path {
            fs::rename(&self.path, &path)?;
            self.path = path;
        }
        Ok(())
    }
}

/// Returns the text of the set-up from which the game begins, if it has one.
fn initial_setup_text(played: &LiveGame) -> Option<String> {
    let first = played.position(NodeId::ROOT);
    first.initial_setup().and_then(|_| first.position_text())
}

/// Returns the children of each position.
fn children_by_node(game: &LiveGame) -> Vec<Vec<NodeId>> {
    game.tree().node_ids().map(|id| game.tree().children(id).to_vec()).collect()
}

/// Returns the main move after each position in the imported file.
fn authored_moves_by_node(game: &LiveGame) -> Vec<Option<NodeId>> {
    game.tree().node_ids().map(|id| game.tree().file_main_move(id)).collect()
}

fn format_seats(game: &LiveGame) -> [String; 2] {
    if game.is_analysis() {
        return Side::map_both(|_| ANALYSIS_SEAT.to_owned());
    }
    Side::map_both(|side| match game.seat(side) {
        Some(PlayerSeat::Human) => "human".to_owned(),
        Some(PlayerSeat::Engine(engine)) => match &engine.player {
            EnginePlayer::BuiltIn(kind) => format!("level {kind}"),
            EnginePlayer::External(program) => program.name(),
        },
        None => "file".to_owned(),
    })
}

/// Returns the comments and properties of a position.
fn notes_of_node(game: &LiveGame, id: NodeId) -> (Vec<String>, Vec<NodeProperty>) {
    let node = game.tree().node(id);
    (node.comments.clone(), node.properties.clone())
}

/// Returns the comments and properties of each position.
fn notes_by_node(game: &LiveGame) -> Vec<(Vec<String>, Vec<NodeProperty>)> {
    game.tree().node_ids().map(|id| notes_of_node(game, id)).collect()
}

/// Returns the end of the game in its present position. An analysis has none.
fn end_entry_at_present(game: &LiveGame) -> Option<EndEntry> {
    end_entry_at(game, game.present_node()).filter(|_| !game.is_analysis())
}

/// Returns the end of a game in a position.
fn end_entry_at(game: &LiveGame, id: NodeId) -> Option<EndEntry> {
    let position = game.position(id);
    let (result, reason) = (position.outcome()?, position.describe_ending().map(Text::into_string));
    let by = position.early_end().map_or("rules", |early| early.record_word()).to_owned();
    Some(EndEntry { id: id.index(), by, result, reason, kind: "end" })
}

/// Creates the first entry: the game, its players and its settings.
fn create_start_entry(played: &LiveGame) -> StartEntry {
    let position = played.position(played.present_node());
    let (limits, time) = (played.spec().limits, played.spec().time);
    let settings = position.settings().iter().map(|(key, value)| ((*key).to_owned(), value.clone().into()));
    let now = Timestamp::now();
    // Longer remarks are not about the game.
    let is_short = |(key, value): &&(String, String)| key.len() + value.len() < MAX_LINE_BYTES / 64;
    StartEntry {
        format: JOURNAL_FORMAT,
        game: position.game_name().to_owned(),
        settings: settings.collect(),
        position: initial_setup_text(played),
        mode: played.spec().mode.number(),
        seats: format_seats(played),
        level: played.level().to_string(),
        nodes: limits.nodes,
        depth: limits.depth,
        movetime: limits.time.map(JsonMillis),
        cpu_time: limits.cpu_time.map(JsonMillis),
        time: time.map(|time| time.to_string()),
        time_over: time.map(|time| time.over.as_str().to_owned()),
        seed: played.engine_seed(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started: now.round(Unit::Second).unwrap_or(now).to_string(),
        remarks: played.file_properties().iter().filter(is_short).take(32).cloned().collect(),
    }
}
