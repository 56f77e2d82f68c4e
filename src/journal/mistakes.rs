//! Log of the player's mistakes, next to the saved games: one JSON object per line, append-only. This module
//! does not read the clock.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::JournalFolder;
use crate::game::{as_text, sanitize_text};
use crate::platform::make_private_folder;
use crate::play::{PracticeTask, ReviewFindings, TaskAttempt, TaskHistory};
use crate::record::disk::{describe_read_error, lock_file, open_regular_file, read_regular_file};

/// File name of the mistake log.
const MISTAKES_FILE_NAME: &str = "mistakes.jsonl";
/// Version of the format. Newer versions are not read.
const MISTAKES_FORMAT: u64 = 1;
/// Maximum size of a file that is read, in bytes. It suffices for several hundred thousand tasks.
const MAX_MISTAKES_FILE_BYTES: u64 = 64 << 20;
/// Maximum time to wait for another program to release the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// Mistake log of a folder; the file need not exist yet.
#[derive(Clone, Debug)]
pub struct MistakeStore {
    path: PathBuf,
}

/// Content of the mistake log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MistakeLog {
    /// Tasks in the order in which they were found, without deleted ones.
    pub known: Vec<TaskHistory>,
    /// Numbers of unreadable lines, from 1.
    pub damaged: Vec<usize>,
    /// `true` if the last line is incomplete. It is left out.
    pub is_cut: bool,
    /// IDs of deleted tasks, which a later review does not add again.
    forgotten: BTreeSet<String>,
    /// IDs of saved games that were fully reviewed.
    reviewed: BTreeSet<String>,
    /// Latest date in the file.
    latest: Option<Date>,
}

/// Entry of the log, one per line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum MistakeEntry {
    /// A mistake was found, or evaluated more thoroughly than before.
    Task(Box<PracticeTask>),
    /// First answer when a task was practised.
    Try(TaskAttempt),
    /// A task was deleted.
    Forgotten { task: String },
    /// A saved game was fully reviewed.
    Reviewed { journal: String },
    /// The date is earlier than in previous lines, because the clock was set back.
    Clock {
        #[serde(with = "as_text")]
        day: Date,
    },
}

/// Line of the file: an entry and the format version.
#[derive(Debug, Serialize, Deserialize)]
struct MistakeLine {
    #[serde(flatten)]
    entry: MistakeEntry,
    format: u64,
}

impl MistakeEntry {
    /// Returns a mutable reference to the date of the entry.
    fn day_mut(&mut self) -> Option<&mut Date> {
        match self {
            MistakeEntry::Task(task) => Some(&mut task.origin.day),
            MistakeEntry::Try(made) => Some(&mut made.day),
            MistakeEntry::Clock { day } => Some(day),
            MistakeEntry::Forgotten { .. } | MistakeEntry::Reviewed { .. } => None,
        }
    }

    fn into_line(self) -> String {
        let line = MistakeLine { entry: self, format: MISTAKES_FORMAT };
        serde_json::to_string(&line).expect("its keys are strings") + "\n"
    }
}

impl MistakeLog {
    /// Parses the bytes of the file. Unreadable lines are recorded and skipped.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let (mut entries, mut mistakes) = (Vec::new(), MistakeLog::default());
        for (row, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(1..) {
            match serde_json::from_slice::<MistakeLine>(row) {
                Ok(MistakeLine { entry, format: ..=MISTAKES_FORMAT }) => entries.push(entry),
                _ if row.iter().all(u8::is_ascii_whitespace) => {}
                Err(_) if !row.ends_with(b"\n") => mistakes.is_cut = true,
                _ => mistakes.damaged.push(number),
            }
        }
        mistakes.latest = entries.iter_mut().filter_map(MistakeEntry::day_mut).map(|day| *day).max();
        // Lines are in chronological order, so a line dated later than one below it was dated by a wrong
        // clock.
        let mut last = Date::MAX;
        for day in entries.iter_mut().rev().filter_map(MistakeEntry::day_mut) {
            last = last.min(*day);
            *day = last;
        }
        let mut places = BTreeMap::new();
        for entry in entries {
            mistakes.apply_entry(entry, &mut places);
        }
        let MistakeLog { known, forgotten, .. } = &mut mistakes;
        known.retain(|known| !forgotten.contains(&known.task.id));
        mistakes
    }

    /// Applies an entry; `places` maps task IDs to indices in `known`.
    fn apply_entry(&mut self, entry: MistakeEntry, places: &mut BTreeMap<String, usize>) {
        match entry {
            MistakeEntry::Task(task) => {
                let task = clean_task(*task);
                if let Some(&place) = places.get(&task.id) {
                    let day = self.known[place].task.origin.day;
                    self.known[place].task = task;
                    self.known[place].task.origin.day = day;
                } else {
                    places.insert(task.id.clone(), self.known.len());
                    self.known.push(TaskHistory { task, tries: Vec::new() });
                }
            }
            MistakeEntry::Try(made) => {
                if let Some(&place) = places.get(&made.task) {
                    self.known[place].tries.push(made);
                }
            }
            MistakeEntry::Forgotten { task } => _ = self.forgotten.insert(task),
            MistakeEntry::Reviewed { journal } => _ = self.reviewed.insert(journal),
            MistakeEntry::Clock { .. } => {}
        }
    }

    /// Returns the tasks due on this day, the oldest first.
    pub fn due_tasks(&self, today: Date) -> impl Iterator<Item = &TaskHistory> {
        self.known.iter().filter(move |known| known.is_due_on(today))
    }

    /// Reports whether the saved game with this ID was fully reviewed.
    #[must_use]
    pub fn is_fully_reviewed(&self, journal: &str) -> bool {
        self.reviewed.contains(journal)
    }

    /// Returns the entries that a review adds: new tasks, better evaluated tasks, and deletions of
    /// quick-review tasks that it refutes.
    fn new_entries(&self, found: &ReviewFindings) -> Vec<MistakeEntry> {
        let known = |id: &String| self.known.iter().find(|known| known.task.id == *id);
        let is_news = |task: &&PracticeTask| match known(&task.id) {
            None => !self.forgotten.contains(&task.id),
            // A quick review adds nothing to a full one.
            Some(old) if task.origin.is_quick => old.task.origin.is_quick && !is_same_task(&old.task, task),
            Some(old) => {
                let is_better = old.task.origin.is_quick || task.origin.nodes >= old.task.origin.nodes;
                is_better && !is_same_task(&old.task, task)
            }
        };
        let tasks = found.tasks.iter().filter(is_news).map(|task| MistakeEntry::Task(Box::new(task.clone())));
        let is_cleared = |id: &&String| known(id).is_some_and(|old| old.task.origin.is_quick);
        let cleared = found.cleared.iter().filter(is_cleared);
        let whole = found.whole_review.iter().filter(|journal| !self.is_fully_reviewed(journal));
        tasks
            .chain(cleared.map(|id| MistakeEntry::Forgotten { task: id.clone() }))
            .chain(whole.map(|journal| MistakeEntry::Reviewed { journal: journal.clone() }))
            .collect()
    }
}

/// Reports whether two tasks are equal apart from their dates and node counts.
fn is_same_task(one: &PracticeTask, other: &PracticeTask) -> bool {
    let mut other = other.clone();
    (other.origin.day, other.origin.nodes) = (one.origin.day, one.origin.nodes);
    *one == other
}

/// Cleans the texts of a task for display, because anyone may have written the file.
fn clean_task(mut task: PracticeTask) -> PracticeTask {
    let PracticeTask { id, before, played, refutation, better, line, origin, .. } = &mut task;
    let texts = [id, &mut before.game, played, better].into_iter().chain(&mut before.position);
    let texts = texts.chain(&mut origin.journal).chain(&mut before.moves).chain(refutation).chain(line);
    texts.for_each(|text| *text = sanitize_text(text));
    task
}

impl MistakeStore {
    /// Creates a handle for the mistake log of a folder.
    #[must_use]
    pub fn in_folder(folder: &JournalFolder) -> Self {
        MistakeStore { path: folder.path().join(MISTAKES_FILE_NAME) }
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file. A missing file has no entries.
    ///
    /// # Errors
    /// The error says why the file cannot be read.
    pub fn read(&self) -> Result<MistakeLog, String> {
        let bytes = match read_regular_file(&self.path, MAX_MISTAKES_FILE_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(MistakeLog::default()),
            bytes => bytes.map_err(|error| describe_read_error(&error))?,
        };
        if bytes.len() as u64 > MAX_MISTAKES_FILE_BYTES {
            return Err("the file is too long".to_owned());
        }
        Ok(MistakeLog::parse(&bytes))
    }

    /// Reads the file on this day. If the clock was set back since the last line, an entry records that, and
    /// dates after today count as today from then on.
    ///
    /// # Errors
    /// The error says why the file cannot be read.
    pub fn read_on_day(&self, today: Date) -> Result<MistakeLog, String> {
        let mistakes = self.read()?;
        let is_ahead = |known: &TaskHistory| {
            let tries = known.tries.iter().map(|made| made.day);
            tries.chain([known.task.origin.day]).any(|day| day > today)
        };
        if !mistakes.known.iter().any(is_ahead) {
            return Ok(mistakes);
        }
        // If the file cannot be written, the log in memory has the same content.
        if self.append_entries(|_| vec![MistakeEntry::Clock { day: today }]).is_ok() {
            self.read()
        } else {
            Ok(mistakes)
        }
    }

    /// Adds the new findings of a review and returns the number of new tasks.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written.
    pub fn add_findings(&self, found: &ReviewFindings) -> io::Result<usize> {
        let mut added = 0;
        self.append_entries(|mistakes| {
            let is_new = |entry: &MistakeEntry| match entry {
                MistakeEntry::Task(task) => mistakes.known.iter().all(|known| known.task.id != task.id),
                _ => false,
            };
            let news = mistakes.new_entries(found);
            added = news.iter().filter(|entry| is_new(entry)).count();
            news
        })?;
        Ok(added)
    }

    /// Adds a first attempt at a task.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn add_attempt(&self, made: &TaskAttempt) -> io::Result<()> {
        self.append_entries(|_| vec![MistakeEntry::Try(made.clone())])
    }

    /// Deletes a task permanently: a later review does not add it again.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn delete_task(&self, id: &str) -> io::Result<()> {
        self.append_entries(|_| vec![MistakeEntry::Forgotten { task: id.to_owned() }])
    }

    /// Appends entries while the file is locked; they may depend on its content at that time. If writing
    /// fails, the file is restored.
    fn append_entries(&self, entries: impl FnOnce(&MistakeLog) -> Vec<MistakeEntry>) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            make_private_folder(folder)?;
        }
        let mut file =
            open_regular_file(OpenOptions::new().read(true).append(true).create(true), &self.path)?;
        lock_when_free(&file)?;
        let mut bytes = Vec::new();
        (&mut file).take(MAX_MISTAKES_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_MISTAKES_FILE_BYTES {
            return Err(io::Error::other("the file is too long"));
        }
        let mistakes = MistakeLog::parse(&bytes);
        let lines: String = entries(&mistakes).into_iter().map(MistakeEntry::into_line).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let mut length = bytes.len();
        if mistakes.is_cut {
            // An incomplete last line cannot be read, so it is overwritten.
            length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
            file.set_len(length as u64)?;
        }
        let is_open = length > 0 && bytes[length - 1] != b'\n';
        let text = if is_open { format!("\n{lines}") } else { lines };
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        written.inspect_err(|_| {
            let _ = file.set_len(length as u64); // the first error is the one to report
        })
    }
}

/// Waits until no other program has the file locked, and locks it.
fn lock_when_free(file: &File) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        match lock_file(file) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && begun.elapsed() < LOCK_TIMEOUT => {
                std::thread::sleep(Duration::from_millis(5));
            }
            locked => return locked,
        }
    }
}
