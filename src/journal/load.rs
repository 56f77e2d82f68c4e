//! Loading of the game in a journal. If the journal is incomplete, the result is a prefix of the game played.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::entry::{EndEntry, JournalEntry, MoveEntry, StartEntry};
use super::lines::read_journal_lines;
use super::{ANALYSIS_SEAT, JournalError, JournalFolder};
use crate::ai::{Limits, NoSuchLevel};
use crate::game::{BySide, JsonMillis, Outcome, Refusal, RefusalCode, Side, sanitize_text};
use crate::play::{GameMode, HumanSideChoice, NewGame, TimeControl, TimeoutRule};
use crate::record::disk::describe_io_error;
use crate::record::{
    EditHistory, GameRecord, GameTree, MoveSource, NodeId, NodeProperty, OpenedFile, RecordFormat,
    RecordNote, RecordReadOptions, TreePart, open_game_file,
};
use crate::registry::{GameStart, RegisteredGame, Variant, find_game_in};
use crate::session::EarlyEnd;

/// Maximum size of a journal that is read, in bytes.
pub(crate) const MAX_JOURNAL_BYTES: u64 = 8 << 20;

/// Error text for a file that is too long for a journal.
pub(super) const TOO_LONG_MESSAGE: &str = "the file is too long to be a saved game";

/// An unfinished game that can be continued, and its locked journal.
#[derive(Debug)]
pub struct ContinuedGame {
    /// Settings of the game.
    pub spec: NewGame,
    /// Random seed of the game.
    pub seed: u64,
    /// Moves of the game.
    pub record: GameRecord,
    /// `true` if an incomplete last line was cut off.
    pub was_cut: bool,
    /// `true` if the file's date is in the future, so that it may not be the newest game.
    pub is_of_the_future: bool,
    /// Newer journals that cannot be read, each with its error.
    pub passed_over: Vec<String>,
    /// Name of the external engine that played the game. Loading the file does not start the engine.
    pub program: Option<String>,
    /// Journal in which the game continues.
    pub file: ResumedJournal,
}

/// Locked journal of a continued game.
#[derive(Debug)]
pub struct ResumedJournal {
    pub(super) file: File,
    pub(super) path: PathBuf,
    pub(super) entries: u64,
    pub(super) length: u64,
}

impl ContinuedGame {
    /// Returns the last unfinished game of a folder that has content and is not open in another program;
    /// `None` if there is none. If a finished game still has the file name of an unfinished one, its file is
    /// renamed.
    ///
    /// # Errors
    /// Returns an error if there is no such game but some files cannot be read. The error lists these files,
    /// which stay unchanged.
    pub fn newest_unfinished(
        folder: &JournalFolder,
        games: &'static [RegisteredGame],
    ) -> Result<Option<Self>, String> {
        let (mut held, mut passed_over) = (None, Vec::new());
        folder
            .check_readable()
            .map_err(|why| format!("cannot read {}: {why}", Refusal::sanitize_path(folder.path())))?;
        for path in folder.unfinished_game_paths() {
            let file = match JournalFolder::open_journal(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    held = Some(path);
                    continue;
                }
                Err(error) => {
                    passed_over.push(format!(
                        "{}: {}",
                        Refusal::sanitize_path(&path),
                        describe_open_error(&error)
                    ));
                    continue;
                }
            };
            if is_empty_journal_file(&path) {
                continue;
            }
            let found = match Self::read_locked_file(file, path, games) {
                Ok(found) => ContinuedGame { passed_over: passed_over.clone(), ..found },
                Err(why) => {
                    passed_over.push(why);
                    continue;
                }
            };
            if found.has_nothing_to_continue() {
                continue; // all moves were undone
            }
            if found.is_over() {
                // Nothing is lost if this fails.
                let _ = fs::rename(&found.file.path, JournalFolder::path_for_state(&found.file.path, true));
                continue;
            }
            return Ok(Some(found));
        }
        if let Some(path) = held {
            passed_over
                .push(format!("{} is open in another crosspath process", Refusal::sanitize_path(&path)));
        }
        if passed_over.is_empty() { Ok(None) } else { Err(passed_over.join("; ")) }
    }

    /// Opens the game of a journal.
    ///
    /// # Errors
    /// The error says what is wrong with the file, which stays unchanged.
    pub fn open(path: &Path, games: &'static [RegisteredGame]) -> Result<Self, String> {
        let file = JournalFolder::open_journal(path).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => {
                format!("{} is open in another crosspath process", Refusal::sanitize_path(path))
            }
            _ => format!("cannot read {}: {}", Refusal::sanitize_path(path), describe_open_error(&error)),
        })?;
        Self::read_locked_file(file, path.to_owned(), games)
    }

    /// Reports whether the game is over in its present position.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.spec.mode != GameMode::Analysis
            && self.record.tree.position(self.record.present).outcome().is_some()
    }

    /// Reports whether the game has neither moves nor other content to continue from.
    fn has_nothing_to_continue(&self) -> bool {
        let GameRecord { tree, present, start, .. } = &self.record;
        let root = tree.node(NodeId::ROOT);
        let has_notes = !root.comments.is_empty() || !root.properties.is_empty();
        let is_analysis = self.spec.mode == GameMode::Analysis;
        let has_content = !tree.children(NodeId::ROOT).is_empty() || has_notes || start.setup.is_some();
        *present == NodeId::ROOT && !(is_analysis && has_content)
    }

    fn read_locked_file(
        mut file: File,
        path: PathBuf,
        games: &'static [RegisteredGame],
    ) -> Result<Self, String> {
        let wrong = |what: &str, error: io::Error| {
            format!("cannot {what} {}: {}", Refusal::sanitize_path(&path), error.to_string().to_lowercase())
        };
        let changed = file.metadata().and_then(|kind| kind.modified());
        let is_of_the_future = changed.is_ok_and(|changed| changed > SystemTime::now());
        let mut bytes = Vec::new();
        let whole = (&mut file).take(MAX_JOURNAL_BYTES + 1).read_to_end(&mut bytes);
        whole.map_err(|error| wrong("read", error))?;
        let LoadedJournal { spec, seed, record, program, entries, length, .. } =
            load_journal(&bytes, games).map_err(|bad| format!("{}:{bad}", Refusal::sanitize_path(&path)))?;
        let was_cut = length < bytes.len() as u64;
        if was_cut {
            let cut = file.set_len(length).and_then(|()| file.sync_data());
            cut.map_err(|error| wrong("write", error))?;
        }
        let file = ResumedJournal { file, path, entries, length };
        let passed_over = Vec::new();
        Ok(ContinuedGame { spec, seed, record, was_cut, is_of_the_future, passed_over, program, file })
    }
}

/// Describes why a journal cannot be opened.
pub(super) fn describe_open_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "the link points to a file that does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission to read and write it".to_owned(),
        _ => describe_io_error(error),
    }
}

/// Reports whether a journal is empty because its program was killed before the first write. An old file of
/// this kind is deleted.
fn is_empty_journal_file(path: &Path) -> bool {
    /// Age at which an empty file can no longer be in use.
    const UNFINISHED_WRITE_TIMEOUT: Duration = Duration::from_secs(60);
    let Ok(kind) = fs::metadata(path) else { return false };
    let is_empty = kind.is_file() && kind.len() == 0;
    let age = kind.modified().map(|changed| changed.elapsed());
    if is_empty && age.is_ok_and(|age| age.is_ok_and(|age| age > UNFINISHED_WRITE_TIMEOUT)) {
        let _ = fs::remove_file(path); // a remaining empty file is ignored
    }
    is_empty
}

/// Content of a journal.
#[derive(Debug)]
pub struct LoadedJournal {
    /// Settings of the game.
    pub spec: NewGame,
    /// Random seed of the game.
    pub seed: u64,
    /// Moves of the game.
    pub record: GameRecord,
    /// Start time of the game.
    pub started: Option<Timestamp>,
    /// Name of the external engine that last played in the game.
    pub program: Option<String>,
    /// Last player of each side, as the journal names it: `human`, `level 4`.
    pub seats: [String; 2],
    /// Number of complete lines.
    pub entries: u64,
    /// Size of the complete lines in bytes.
    pub length: u64,
}

impl LoadedJournal {
    /// Adds remarks about the players and the date to the record, unless it has them already.
    pub fn add_player_and_date_remarks(&mut self) {
        let seats = Side::BOTH.into_iter().zip(&self.seats).filter(|(_, seat)| *seat != ANALYSIS_SEAT);
        let players = seats.map(|(side, seat)| (side.to_string(), seat.replace("level", "crosspath level")));
        let day = self.started.map(|started| started.to_zoned(TimeZone::system()).date().to_string());
        let all = players.chain(day.map(|day| ("date".to_owned(), day)));
        for (key, said) in all {
            if self.record.remarks.iter().all(|(known, _)| *known != key) {
                self.record.remarks.push((key, said));
            }
        }
    }
}

/// Opens a game file of any format, or a journal.
///
/// # Errors
/// The error says why the file is not a game, as text that follows the file name.
pub fn open_game_record(bytes: &[u8], hint: &RecordReadOptions) -> Result<GameRecord, String> {
    match open_game_file(bytes, hint) {
        OpenedFile::Game(record) => Ok(*record),
        OpenedFile::NotAGame(why) => Err(why.to_string()),
        OpenedFile::Journal => {
            let mut loaded = load_journal(bytes, hint.games).map_err(|bad| bad.to_string())?;
            loaded.add_player_and_date_remarks();
            if loaded.length < bytes.len() as u64 {
                let line = loaded.entries.try_into().unwrap_or(usize::MAX).saturating_add(1);
                let why = Refusal::new(RefusalCode::File, "the last line breaks off and is left out");
                loaded.record.notes.push(RecordNote { at: loaded.record.end, line, why });
            }
            if loaded.spec.mode != GameMode::Analysis {
                loaded.record.tree.mark_human_moves();
            }
            loaded.record.tree.mark_as_imported(); // continuing it does not count as a win
            Ok(loaded.record)
        }
    }
}

/// Loads a journal of one of these games. An incomplete last line is left out.
///
/// # Errors
/// The error says which line is invalid, and why.
pub fn load_journal(bytes: &[u8], games: &'static [RegisteredGame]) -> Result<LoadedJournal, JournalError> {
    let bad = |line: usize, why: String| JournalError { line, why };
    if bytes.len() as u64 > MAX_JOURNAL_BYTES {
        return Err(bad(0, TOO_LONG_MESSAGE.to_owned()));
    }
    let lines = read_journal_lines(bytes)?;
    let (count, length) = (lines.entries.len(), lines.length as u64);
    let mut entries = lines.entries.into_iter().zip(1..);
    let Some((first, _)) = entries.next() else {
        return Err(bad(1, "the first line is missing".to_owned()));
    };
    let start =
        StartEntry::from_object(first).and_then(|start| JournalLoader::from_start_entry(&start, games));
    let mut game = start.map_err(|why| bad(1, why))?;
    for (entry, line) in entries {
        JournalEntry::from_object(entry)
            .and_then(|entry| game.apply_entry(entry))
            .map_err(|why| bad(line, why))?;
    }
    game.complete_edit(None);
    let JournalLoader { spec, program, seats, seed, started, tree, present, remarks, edits, .. } = game;
    let end = tree.main_line_end(NodeId::ROOT);
    let record = GameRecord {
        start: spec.start.clone(),
        form: RecordFormat::Record,
        tree,
        end,
        present,
        remarks,
        stated: None,
        notes: Vec::new(),
        fault: None,
        last_line: count,
        edits,
    };
    Ok(LoadedJournal { spec, seed, record, started, program, seats, entries: count as u64, length })
}

/// Returns the length in bytes of the longest readable prefix of a damaged journal, and its game. Returns
/// `None` if nothing or everything is readable.
pub(super) fn find_intact_prefix(
    bytes: &[u8],
    games: &'static [RegisteredGame],
) -> Option<(usize, LoadedJournal)> {
    let rows = bytes.split_inclusive(|&byte| byte == b'\n');
    let ends = rows.scan(0, |end, row| {
        *end += row.len();
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    // A prefix is readable exactly if it ends before the first wrong line, so a binary search finds the
    // limit.
    let is_good =
        |end: &usize| load_journal(&bytes[..*end], games).is_ok_and(|loaded| loaded.length == *end as u64);
    let good = ends.partition_point(is_good);
    let end = *ends.get(good.checked_sub(1)?)?;
    let loaded = load_journal(&bytes[..end], games).ok()?;
    (end < bytes.len()).then_some((end, loaded))
}

/// State of a journal while it is loaded.
struct JournalLoader {
    spec: NewGame,
    program: Option<String>,
    seats: [String; 2],
    seed: u64,
    started: Option<Timestamp>,
    tree: GameTree,
    present: NodeId,
    remarks: Vec<(String, String)>,
    /// Edits of an analysis, and the parts that the current edit has changed so far.
    edits: EditHistory,
    changed: Vec<TreePart>,
    is_first_edit: bool,
}

impl JournalLoader {
    fn from_start_entry(start: &StartEntry, games: &'static [RegisteredGame]) -> Result<Self, String> {
        let entry = find_game_in(games, &start.game).map_err(|error| error.to_string())?;
        let mut variant = Variant::default();
        for (key, value) in start.settings.iter().filter(|(key, _)| entry.find_setting(key).is_some()) {
            variant.set_setting(key, value.as_str().unwrap_or_default());
        }
        let begins = match &start.position {
            Some(text) => GameStart::from_position_text(entry, variant, text),
            None => Ok(GameStart::new(entry, variant)),
        };
        let begins = begins.map_err(|error| error.to_string())?;
        let position = begins.position().map_err(|error| error.to_string())?;
        let mode = match start.mode {
            2 => GameMode::Humans,
            4 => GameMode::Machines,
            5 => GameMode::Analysis,
            _ => GameMode::HumanMachine,
        };
        let [time, cpu_time] = [start.movetime, start.cpu_time].map(|time| time.map(|JsonMillis(time)| time));
        let limits = Limits { nodes: start.nodes, depth: start.depth, time, cpu_time };
        let over = start.time_over.as_deref();
        let time = start.time.as_deref().map(|time| parse_time_control(time, over)).transpose()?;
        let mut spec = NewGame { mode, limits, time, ..NewGame::from_start(begins) };
        let program = read_seats(&mut spec, &start.seats, &start.level)?;
        let remarks =
            start.remarks.iter().map(|(key, value)| (sanitize_text(key), sanitize_text(value))).collect();
        let (tree, present) = (GameTree::new(position), NodeId::ROOT);
        let seats = start.seats.each_ref().map(|seat| sanitize_text(seat));
        let started = start.started.parse().ok();
        Ok(JournalLoader {
            spec,
            program,
            seats,
            seed: start.seed,
            started,
            tree,
            present,
            remarks,
            edits: EditHistory::default(),
            changed: Vec::new(),
            is_first_edit: true,
        })
    }

    fn apply_entry(&mut self, entry: JournalEntry) -> Result<(), String> {
        match entry {
            JournalEntry::Start(_) => return Err("a game starts in the first line only".to_owned()),
            JournalEntry::Move(MoveEntry { id, parent, text, by, ms, left, .. }) => {
                let (parent, count) = (self.node_id(parent)?, self.tree.len());
                self.reopen_node(parent);
                if by != MoveSource::File {
                    self.note_changed_part(TreePart::current_children(&self.tree, parent));
                }
                let played = self.tree.play_move(parent, &text, by);
                self.present = played.map_err(|why| why.reason().into_string())?;
                if id != count || self.present.index() != count {
                    return Err("the move number is wrong".to_owned());
                }
                let node = self.tree.node_mut(self.present);
                (node.took, node.clocks) = (ms.map(|JsonMillis(time)| time), left.map(clocks_from_millis));
            }
            JournalEntry::Clock { id, left } => {
                let id = self.node_id(id)?;
                self.tree.node_mut(id).clocks = Some(clocks_from_millis(left));
            }
            JournalEntry::Present { id, edits } => {
                self.present = self.node_id(id)?;
                self.complete_edit(edits);
                if self.spec.mode != GameMode::Analysis {
                    self.tree.reopen_ancestors(self.present);
                    self.reopen_node(self.present);
                }
            }
            JournalEntry::Main { id, is_of_file } => {
                let id = self.node_id(id)?;
                if is_of_file { self.tree.make_file_main_line(id) } else { self.tree.move_line_to_front(id) }
            }
            entry @ (JournalEntry::Comment { .. }
            | JournalEntry::Property { .. }
            | JournalEntry::Children { .. }
            | JournalEntry::Notes { .. }
            | JournalEntry::Setup { .. }) => self.apply_edit(entry)?,
            JournalEntry::Seats { seats, level } => {
                self.program = read_seats(&mut self.spec, &seats, &level)?;
                self.seats = seats.each_ref().map(|seat| sanitize_text(seat));
            }
            JournalEntry::End(EndEntry { id, by, result, .. }) if by != "rules" => {
                self.end_early(id, &by, result)?;
            }
            JournalEntry::End(EndEntry { id, .. }) => _ = self.node_id(id)?,
        }
        Ok(())
    }

    /// Ends the game early at a position.
    fn end_early(&mut self, id: usize, by: &str, result: Outcome) -> Result<(), String> {
        let id = self.node_id(id)?;
        let position = self.tree.position(id).clone();
        let loser = result.winner().map_or(position.to_move(), Side::other);
        // Only the position can decide whether a draw can be claimed.
        let ended = match EarlyEnd::from_record_word(by, loser).ok_or("unknown way to end a game")? {
            EarlyEnd::Repeated => position.end_by_word(by).map_err(|why| why.reason().into_string())?,
            early @ EarlyEnd::Lost(..) => Some(position.with_early_end(early)),
        };
        self.tree.set_position(id, ended.expect("it is such a word"));
        Ok(())
    }

    /// Applies an entry that changes notes, children or the set-up.
    fn apply_edit(&mut self, entry: JournalEntry) -> Result<(), String> {
        match entry {
            JournalEntry::Comment { id, text } => {
                let id = self.node_id(id)?;
                self.note_changed_part(TreePart::current_annotations(&self.tree, id));
                self.tree.node_mut(id).comments.push(sanitize_text(&text));
            }
            JournalEntry::Property { id, name, values } => {
                let id = self.node_id(id)?;
                self.note_changed_part(TreePart::current_annotations(&self.tree, id));
                let values = values.iter().map(|value| sanitize_text(value)).collect();
                self.tree.node_mut(id).properties.push(NodeProperty { name: sanitize_text(&name), values });
            }
            JournalEntry::Children { id, children } => {
                let id = self.node_id(id)?;
                let children = children.into_iter().map(|child| self.node_id(child));
                let children = children.collect::<Result<Vec<_>, _>>()?;
                if children.iter().any(|&child| self.tree.parent(child) != Some(id)) {
                    return Err("a position does not follow the one that is named".to_owned());
                }
                self.note_changed_part(TreePart::current_children(&self.tree, id));
                self.tree.set_visible_children(id, children);
            }
            JournalEntry::Notes { id } => {
                let id = self.node_id(id)?;
                self.note_changed_part(TreePart::current_annotations(&self.tree, id));
                self.tree.set_annotations(id, Vec::new(), Vec::new());
            }
            JournalEntry::Setup { position } => {
                let (entry, variant) = (self.spec.start.entry, self.spec.start.variant.clone());
                let start = match position {
                    Some(text) => GameStart::from_position_text(entry, variant, &text),
                    None => Ok(GameStart::new(entry, variant)),
                };
                let start = start.map_err(|error| error.to_string())?;
                let tree = GameTree::new(start.position().map_err(|error| error.to_string())?);
                let before = std::mem::replace(&mut self.spec.start, start);
                let before = (before, std::mem::replace(&mut self.tree, tree));
                (self.present, self.changed) = (NodeId::ROOT, vec![TreePart::Whole(Box::new(before))]);
            }
            _ => {}
        }
        Ok(())
    }

    /// Records a part that an edit of an analysis is about to change. Comments of an imported file come with
    /// its moves and are not part of the first edit.
    fn note_changed_part(&mut self, part: TreePart) {
        let is_of_file = self.is_first_edit
            && matches!(part, TreePart::Notes(..))
            && self.tree.has_moves_from(|by| by == MoveSource::File);
        if self.spec.mode == GameMode::Analysis
            && !is_of_file
            && !self.changed.iter().any(|known| known.covers_part(&part))
        {
            self.changed.push(part);
        }
    }

    /// Completes one edit.
    fn complete_edit(&mut self, undoable: Option<usize>) {
        let changed = std::mem::take(&mut self.changed);
        self.edits.add_loaded_edit(changed, undoable, &self.spec.start, &self.tree);
        self.is_first_edit = false;
    }

    /// Removes the early end of a position, so that the game can continue there.
    fn reopen_node(&mut self, id: NodeId) {
        let position = self.tree.position(id);
        if position.early_end().is_some() {
            let open = position.without_early_end();
            self.tree.set_position(id, open);
        }
    }

    fn node_id(&self, index: usize) -> Result<NodeId, String> {
        self.tree.node_ids().nth(index).ok_or_else(|| format!("there is no position {index}"))
    }
}

/// Converts the clocks of both sides.
fn clocks_from_millis([JsonMillis(first), JsonMillis(second)]: [JsonMillis; 2]) -> BySide<Duration> {
    BySide::new(first, second)
}

fn parse_time_control(time: &str, over: Option<&str>) -> Result<TimeControl, String> {
    let time: TimeControl = time.parse().map_err(|_| "the time control is not valid".to_owned())?;
    let is_warning = over == Some(TimeoutRule::Warning.as_str());
    Ok(TimeControl { over: if is_warning { TimeoutRule::Warning } else { TimeoutRule::Loss }, ..time })
}

/// Reads the players and the level. Returns the name of the external engine, if one plays.
fn read_seats(spec: &mut NewGame, seats: &[String; 2], level: &str) -> Result<Option<String>, String> {
    let [first, second] = seats.each_ref().map(|seat| seat == "human");
    spec.mode = match (first, second) {
        _ if seats[0] == ANALYSIS_SEAT => GameMode::Analysis,
        (true, true) => GameMode::Humans,
        (false, false) => GameMode::Machines,
        _ => GameMode::HumanMachine,
    };
    spec.play_as = if second && !first { HumanSideChoice::Second } else { HumanSideChoice::First };
    let no_level = |()| NoSuchLevel {
        got: Refusal::sanitize_excerpt(level),
        levels: spec.start.entry.levels().to_vec(),
    };
    let level = level.parse().map_err(no_level).and_then(|level| spec.start.entry.check_level(level));
    let level = level.map_err(|error| error.to_string())?;
    // An analysis uses the engine for hints, whatever the level of the game was.
    spec.level = Some(level).filter(|_| spec.mode != GameMode::Analysis);
    let is_program = |seat: &&String| {
        !["human", "file", ANALYSIS_SEAT].contains(&seat.as_str()) && !seat.starts_with("level ")
    };
    Ok(seats.iter().find(is_program).map(|seat| Refusal::sanitize_excerpt(seat)))
}
