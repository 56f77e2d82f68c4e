//! From a journal to the game it tells: a prefix of what was played, never anything else.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::entry::{End, JournalEntry, PlayedMove, Start};
use super::lines::read;
use super::{ANALYSIS, BadJournal, Folder};
use crate::ai::{Limits, NoSuchLevel};
use crate::game::{BySide, Millis, Outcome, Refusal, RefusalCode, Side, clean};
use crate::play::{Mode, NewGame, PlayAs, TimeControl, TimeOver};
use crate::record::disk::describe_io_error;
use crate::record::{
    EditHistory, GameRecord, GameTree, Hint, MoveSource, NodeId, Note, Opened, Property, RecordFormat,
    TreePart, open,
};
use crate::registry::{Entry, GameStart, Variant, find_in};
use crate::session::EarlyEnd;

/// The longest journal that is read, in bytes.
pub(crate) const MAX_BYTES: u64 = 8 << 20;

/// Said of a file that no journal can fill.
pub(super) const TOO_LONG: &str = "the file is too long to be a saved game";

/// A game that a journal tells, and its file, locked, to go on with.
#[derive(Debug)]
pub struct Continued {
    /// Settings with which it is played.
    pub spec: NewGame,
    /// The seed of its chance.
    pub seed: u64,
    /// Its moves.
    pub record: GameRecord,
    /// `true` if the end of the file was not whole, and was cut off.
    pub was_cut: bool,
    /// `true` if the file is dated later than now: then nothing tells whether it is the newest.
    pub is_of_the_future: bool,
    /// Newer journals that cannot be read, each with what is wrong.
    pub passed_over: Vec<String>,
    /// The program that played it; it is not started on the word of a file.
    pub program: Option<String>,
    /// File in which it goes on.
    pub file: Resumed,
}

/// The file of a game that goes on, locked.
#[derive(Debug)]
pub struct Resumed {
    pub(super) file: File,
    pub(super) path: PathBuf,
    pub(super) entries: u64,
    pub(super) length: u64,
}

impl Continued {
    /// The last game played in this folder that has a move, goes on and that no other program plays; `None` if there is
    /// none. One that was over when its program was killed gets the name of a finished game.
    ///
    /// # Errors
    /// Where there is no such game, says which files cannot be read, and why. They stay as they are.
    pub fn newest(folder: &Folder, games: &'static [Entry]) -> Result<Option<Self>, String> {
        let (mut held, mut passed_over) = (None, Vec::new());
        folder.check().map_err(|why| format!("cannot read {}: {why}", Refusal::shown_path(folder.path())))?;
        for path in folder.live() {
            let file = match Folder::open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    held = Some(path);
                    continue;
                }
                Err(error) => {
                    passed_over.push(format!("{}: {}", Refusal::shown_path(&path), why_closed(&error)));
                    continue;
                }
            };
            if is_unbegun(&path) {
                continue;
            }
            let found = match Self::of(file, path, games) {
                Ok(found) => Continued { passed_over: passed_over.clone(), ..found },
                Err(why) => {
                    passed_over.push(why);
                    continue;
                }
            };
            if found.is_bare() {
                continue; // all its moves were taken back
            }
            if found.is_over() {
                let _ = fs::rename(&found.file.path, Folder::path_of(&found.file.path, true)); // it is not lost
                continue;
            }
            return Ok(Some(found));
        }
        if let Some(path) = held {
            passed_over.push(format!("{} is open in another crosspath process", Refusal::shown_path(&path)));
        }
        if passed_over.is_empty() { Ok(None) } else { Err(passed_over.join("; ")) }
    }

    /// The game that this file tells.
    ///
    /// # Errors
    /// Says what is wrong with the file. It stays as it is.
    pub fn open(path: &Path, games: &'static [Entry]) -> Result<Self, String> {
        let file = Folder::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => {
                format!("{} is open in another crosspath process", Refusal::shown_path(path))
            }
            _ => format!("cannot read {}: {}", Refusal::shown_path(path), why_closed(&error)),
        })?;
        Self::of(file, path.to_owned(), games)
    }

    /// Reports whether the game is over where it stands.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.spec.mode != Mode::Analysis && self.record.tree.position(self.record.present).outcome().is_some()
    }

    /// Reports whether nothing is there to go on with.
    fn is_bare(&self) -> bool {
        let GameRecord { tree, present, start, .. } = &self.record;
        let root = tree.node(NodeId::ROOT);
        let has_notes = !root.comments.is_empty() || !root.properties.is_empty();
        let is_analysis = self.spec.mode == Mode::Analysis;
        let has_content = !tree.children(NodeId::ROOT).is_empty() || has_notes || start.setup.is_some();
        *present == NodeId::ROOT && !(is_analysis && has_content)
    }

    fn of(mut file: File, path: PathBuf, games: &'static [Entry]) -> Result<Self, String> {
        let wrong = |what: &str, error: io::Error| {
            format!("cannot {what} {}: {}", Refusal::shown_path(&path), error.to_string().to_lowercase())
        };
        let changed = file.metadata().and_then(|kind| kind.modified());
        let is_of_the_future = changed.is_ok_and(|changed| changed > SystemTime::now());
        let mut bytes = Vec::new();
        let whole = (&mut file).take(MAX_BYTES + 1).read_to_end(&mut bytes);
        whole.map_err(|error| wrong("read", error))?;
        let Loaded { spec, seed, record, program, entries, length, .. } =
            load(&bytes, games).map_err(|bad| format!("{}:{bad}", Refusal::shown_path(&path)))?;
        let was_cut = length < bytes.len() as u64;
        if was_cut {
            let cut = file.set_len(length).and_then(|()| file.sync_data());
            cut.map_err(|error| wrong("write", error))?;
        }
        let file = Resumed { file, path, entries, length };
        let passed_over = Vec::new();
        Ok(Continued { spec, seed, record, was_cut, is_of_the_future, passed_over, program, file })
    }
}

/// Says why a journal cannot be opened, for people.
pub(super) fn why_closed(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "the link points to a file that does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission to read and write it".to_owned(),
        _ => describe_io_error(error),
    }
}

/// Reports whether nothing was written into a file before its program was killed. After a while a file of this kind is
/// deleted: it holds no game.
fn is_unbegun(path: &Path) -> bool {
    /// A program that has made a file writes into it long before.
    const UNFINISHED_WRITE_TIMEOUT: Duration = Duration::from_secs(60);
    let Ok(kind) = fs::metadata(path) else { return false };
    let is_empty = kind.is_file() && kind.len() == 0;
    let age = kind.modified().map(|changed| changed.elapsed());
    if is_empty && age.is_ok_and(|age| age.is_ok_and(|age| age > UNFINISHED_WRITE_TIMEOUT)) {
        let _ = fs::remove_file(path); // it stays, and is passed over again
    }
    is_empty
}

/// Content of a journal.
#[derive(Debug)]
pub struct Loaded {
    /// Settings with which the game is played.
    pub spec: NewGame,
    /// The seed of its chance.
    pub seed: u64,
    /// Its moves.
    pub record: GameRecord,
    /// Time at which it began.
    pub started: Option<Timestamp>,
    /// The program that played it last.
    pub program: Option<String>,
    /// Player of each side in the end, as the journal has it: `human`, `level 4`.
    pub seats: [String; 2],
    /// The number of whole lines.
    pub entries: u64,
    /// Number of bytes that they take.
    pub length: u64,
}

impl Loaded {
    /// Has the record say who played and on which day, as a file does, unless it says so already.
    pub fn add_remarks(&mut self) {
        let seats = Side::BOTH.into_iter().zip(&self.seats).filter(|(_, seat)| *seat != ANALYSIS);
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

/// Opens a file that a person names: whatever form of a game it is, or a journal.
///
/// # Errors
/// Says what the file is instead, to follow its name.
pub fn open_game(bytes: &[u8], hint: &Hint) -> Result<GameRecord, String> {
    match open(bytes, hint) {
        Opened::Game(record) => Ok(*record),
        Opened::NotAGame(why) => Err(why.to_string()),
        Opened::Journal => {
            let mut loaded = load(bytes, hint.games).map_err(|bad| bad.to_string())?;
            loaded.add_remarks();
            if loaded.length < bytes.len() as u64 {
                let line = loaded.entries.try_into().unwrap_or(usize::MAX).saturating_add(1);
                let why = Refusal::new(RefusalCode::File, "the last line breaks off and is left out");
                loaded.record.notes.push(Note { at: loaded.record.end, line, why });
            }
            if loaded.spec.mode != Mode::Analysis {
                loaded.record.tree.remember_people();
            }
            loaded.record.tree.mark_as_imported(); // whoever plays on from here has not won it
            Ok(loaded.record)
        }
    }
}

/// Reads a journal of one of these games. A last line that is not whole is left out.
///
/// # Errors
/// Says in which line the file is wrong, and how.
pub fn load(bytes: &[u8], games: &'static [Entry]) -> Result<Loaded, BadJournal> {
    let bad = |line: usize, why: String| BadJournal { line, why };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(bad(0, TOO_LONG.to_owned()));
    }
    let lines = read(bytes)?;
    let (count, length) = (lines.entries.len(), lines.length as u64);
    let mut entries = lines.entries.into_iter().zip(1..);
    let Some((first, _)) = entries.next() else {
        return Err(bad(1, "the first line is missing".to_owned()));
    };
    let start = Start::read(first).and_then(|start| LoadingGame::start(&start, games));
    let mut game = start.map_err(|why| bad(1, why))?;
    for (entry, line) in entries {
        JournalEntry::read(entry).and_then(|entry| game.take(entry)).map_err(|why| bad(line, why))?;
    }
    game.end_edit(None);
    let LoadingGame { spec, program, seats, seed, started, tree, present, remarks, edits, .. } = game;
    let end = tree.end_of(NodeId::ROOT);
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
    Ok(Loaded { spec, seed, record, started, program, seats, entries: count as u64, length })
}

/// Returns how many bytes at the start of a damaged journal tell a game of these, with the moves that it has then; `None` if
/// there are no such bytes or they are all.
pub(super) fn good_prefix(bytes: &[u8], games: &'static [Entry]) -> Option<(usize, Loaded)> {
    let rows = bytes.split_inclusive(|&byte| byte == b'\n');
    let ends = rows.scan(0, |end, row| {
        *end += row.len();
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    // The more lines, the later something may be wrong: the first wrong one parts the good ones from all others.
    let is_good = |end: &usize| load(&bytes[..*end], games).is_ok_and(|loaded| loaded.length == *end as u64);
    let good = ends.partition_point(is_good);
    let end = *ends.get(good.checked_sub(1)?)?;
    let loaded = load(&bytes[..end], games).ok()?;
    (end < bytes.len()).then_some((end, loaded))
}

/// A game in the making.
struct LoadingGame {
    spec: NewGame,
    program: Option<String>,
    seats: [String; 2],
    seed: u64,
    started: Option<Timestamp>,
    tree: GameTree,
    present: NodeId,
    remarks: Vec<(String, String)>,
    /// Edits of an analysis, and the parts that the one that is read has changed so far.
    edits: EditHistory,
    changed: Vec<TreePart>,
    is_first_edit: bool,
}

impl LoadingGame {
    fn start(start: &Start, games: &'static [Entry]) -> Result<Self, String> {
        let entry = find_in(games, &start.game).map_err(|error| error.to_string())?;
        let mut variant = Variant::default();
        for (key, value) in start.settings.iter().filter(|(key, _)| entry.setting_of(key).is_some()) {
            variant.set(key, value.as_str().unwrap_or_default());
        }
        let begins = match &start.position {
            Some(text) => GameStart::of_text(entry, variant, text),
            None => Ok(GameStart::new(entry, variant)),
        };
        let begins = begins.map_err(|error| error.to_string())?;
        let position = begins.position().map_err(|error| error.to_string())?;
        let mode = match start.mode {
            2 => Mode::Humans,
            4 => Mode::Machines,
            5 => Mode::Analysis,
            _ => Mode::HumanMachine,
        };
        let [time, cpu_time] = [start.movetime, start.cpu_time].map(|time| time.map(|Millis(time)| time));
        let limits = Limits { nodes: start.nodes, depth: start.depth, time, cpu_time };
        let over = start.time_over.as_deref();
        let time = start.time.as_deref().map(|time| time_control(time, over)).transpose()?;
        let mut spec = NewGame { mode, limits, time, ..NewGame::on(begins) };
        let program = read_seats(&mut spec, &start.seats, &start.level)?;
        let remarks = start.remarks.iter().map(|(key, value)| (clean(key), clean(value))).collect();
        let (tree, present) = (GameTree::new(position), NodeId::ROOT);
        let seats = start.seats.each_ref().map(|seat| clean(seat));
        let started = start.started.parse().ok();
        Ok(LoadingGame {
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

    fn take(&mut self, entry: JournalEntry) -> Result<(), String> {
        match entry {
            JournalEntry::Start(_) => return Err("a game starts in the first line only".to_owned()),
            JournalEntry::Move(PlayedMove { id, parent, text, by, ms, left, .. }) => {
                let (parent, count) = (self.node(parent)?, self.tree.len());
                self.reopen(parent);
                if by != MoveSource::File {
                    self.note(TreePart::children(&self.tree, parent));
                }
                let played = self.tree.play(parent, &text, by);
                self.present = played.map_err(|why| why.reason().into_string())?;
                if id != count || self.present.index() != count {
                    return Err("the move number is wrong".to_owned());
                }
                let node = self.tree.node_mut(self.present);
                (node.took, node.clocks) = (ms.map(|Millis(time)| time), left.map(clocks));
            }
            JournalEntry::Clock { id, left } => {
                let id = self.node(id)?;
                self.tree.node_mut(id).clocks = Some(clocks(left));
            }
            JournalEntry::Present { id, edits } => {
                self.present = self.node(id)?;
                self.end_edit(edits);
                if self.spec.mode != Mode::Analysis {
                    self.tree.reopen_before(self.present);
                    self.reopen(self.present);
                }
            }
            JournalEntry::Main { id, is_of_file } => {
                let id = self.node(id)?;
                if is_of_file { self.tree.promote_in_file(id) } else { self.tree.follow(id) }
            }
            entry @ (JournalEntry::Comment { .. }
            | JournalEntry::Property { .. }
            | JournalEntry::Children { .. }
            | JournalEntry::Notes { .. }
            | JournalEntry::Setup { .. }) => self.edit(entry)?,
            JournalEntry::Seats { seats, level } => {
                self.program = read_seats(&mut self.spec, &seats, &level)?;
                self.seats = seats.each_ref().map(|seat| clean(seat));
            }
            JournalEntry::End(End { id, by, result, .. }) if by != "rules" => self.end(id, &by, result)?,
            JournalEntry::End(End { id, .. }) => _ = self.node(id)?,
        }
        Ok(())
    }

    /// Ends the game early at a position.
    fn end(&mut self, id: usize, by: &str, result: Outcome) -> Result<(), String> {
        let id = self.node(id)?;
        let position = self.tree.position(id).clone();
        let loser = result.winner().map_or(position.to_move(), Side::other);
        // Only the position can tell whether a draw can be claimed.
        let ended = match EarlyEnd::of_word(by, loser).ok_or("unknown way to end a game")? {
            EarlyEnd::Repeated => position.end_by(by).map_err(|why| why.reason().into_string())?,
            early @ EarlyEnd::Lost(..) => Some(position.ended(early)),
        };
        self.tree.set_position(id, ended.expect("it is such a word"));
        Ok(())
    }

    /// Takes what is noted at a position, and which others follow it.
    fn edit(&mut self, entry: JournalEntry) -> Result<(), String> {
        match entry {
            JournalEntry::Comment { id, text } => {
                let id = self.node(id)?;
                self.note(TreePart::notes(&self.tree, id));
                self.tree.node_mut(id).comments.push(clean(&text));
            }
            JournalEntry::Property { id, name, values } => {
                let id = self.node(id)?;
                self.note(TreePart::notes(&self.tree, id));
                let values = values.iter().map(|value| clean(value)).collect();
                self.tree.node_mut(id).properties.push(Property { name: clean(&name), values });
            }
            JournalEntry::Children { id, children } => {
                let id = self.node(id)?;
                let children = children.into_iter().map(|child| self.node(child));
                let children = children.collect::<Result<Vec<_>, _>>()?;
                if children.iter().any(|&child| self.tree.parent(child) != Some(id)) {
                    return Err("a position does not follow the one that is named".to_owned());
                }
                self.note(TreePart::children(&self.tree, id));
                self.tree.show_children(id, children);
            }
            JournalEntry::Notes { id } => {
                let id = self.node(id)?;
                self.note(TreePart::notes(&self.tree, id));
                self.tree.annotate(id, Vec::new(), Vec::new());
            }
            JournalEntry::Setup { position } => {
                let (entry, variant) = (self.spec.start.entry, self.spec.start.variant.clone());
                let start = match position {
                    Some(text) => GameStart::of_text(entry, variant, &text),
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

    /// Takes note of a part that an edit of an analysis is about to change. Comments of a file come with its moves, before the
    /// first edit is complete.
    fn note(&mut self, part: TreePart) {
        let is_of_file = self.is_first_edit
            && matches!(part, TreePart::Notes(..))
            && self.tree.has_moves_of(|by| by == MoveSource::File);
        if self.spec.mode == Mode::Analysis
            && !is_of_file
            && !self.changed.iter().any(|known| known.holds(&part))
        {
            self.changed.push(part);
        }
    }

    /// One edit is complete.
    fn end_edit(&mut self, undoable: Option<usize>) {
        let changed = std::mem::take(&mut self.changed);
        self.edits.add_read(changed, undoable, &self.spec.start, &self.tree);
        self.is_first_edit = false;
    }

    /// Lets the game go on in a position in which somebody gave up.
    fn reopen(&mut self, id: NodeId) {
        let position = self.tree.position(id);
        if position.early().is_some() {
            let open = position.reopened();
            self.tree.set_position(id, open);
        }
    }

    fn node(&self, index: usize) -> Result<NodeId, String> {
        self.tree.ids().nth(index).ok_or_else(|| format!("there is no position {index}"))
    }
}

/// The time that each side had left.
fn clocks([Millis(first), Millis(second)]: [Millis; 2]) -> BySide<Duration> {
    BySide::new(first, second)
}

fn time_control(time: &str, over: Option<&str>) -> Result<TimeControl, String> {
    let time: TimeControl = time.parse().map_err(|_| "the time control is not valid".to_owned())?;
    let is_warning = over == Some(TimeOver::Warning.word());
    Ok(TimeControl { over: if is_warning { TimeOver::Warning } else { TimeOver::Loss }, ..time })
}

/// Reads the players and their strength; returns the name of an external program that plays.
fn read_seats(spec: &mut NewGame, seats: &[String; 2], level: &str) -> Result<Option<String>, String> {
    let [first, second] = seats.each_ref().map(|seat| seat == "human");
    spec.mode = match (first, second) {
        _ if seats[0] == ANALYSIS => Mode::Analysis,
        (true, true) => Mode::Humans,
        (false, false) => Mode::Machines,
        _ => Mode::HumanMachine,
    };
    spec.play_as = if second && !first { PlayAs::Second } else { PlayAs::First };
    let no_level =
        |()| NoSuchLevel { got: Refusal::shown(level), levels: spec.start.entry.levels().to_vec() };
    let level = level.parse().map_err(no_level).and_then(|level| spec.start.entry.check_level(level));
    let level = level.map_err(|error| error.to_string())?;
    // An analysis asks the engine that gives hints, however the game was played before.
    spec.level = Some(level).filter(|_| spec.mode != Mode::Analysis);
    let is_program =
        |seat: &&String| !["human", "file", ANALYSIS].contains(&seat.as_str()) && !seat.starts_with("level ");
    Ok(seats.iter().find(is_program).map(|seat| Refusal::shown(seat)))
}
