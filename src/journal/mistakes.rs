//! The file of your mistakes beside the saved games: one JSON object a line, only ever appended to. Knows no clock.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::Folder;
use crate::game::{as_text, clean};
use crate::platform::make_private_folder;
use crate::play::{Findings, Known, Task, Try};
use crate::record::disk::{lock, open_regular, read_regular, why_unread};

/// The name of the file in its folder.
const FILE: &str = "mistakes.jsonl";
/// The format that is written, and the newest that is read.
const FORMAT: u64 = 1;
/// The longest file that is read, in bytes: some hundred thousand tasks.
const MAX_FILE: u64 = 64 << 20;
/// Time for which a program waits for another one to append its lines.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// The file of a folder, which need not be there yet.
#[derive(Clone, Debug)]
pub struct MistakeStore {
    path: PathBuf,
}

/// Content of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MistakeLog {
    /// The tasks in the order in which they were found; those deleted are left out.
    pub known: Vec<Known>,
    /// The numbers of lines that cannot be read, from 1.
    pub damaged: Vec<usize>,
    /// `true` if the last line breaks off. It is left out.
    pub is_cut: bool,
    /// Deleted tasks, which no review brings back.
    forgotten: BTreeSet<String>,
    /// Saved games that were reviewed whole.
    reviewed: BTreeSet<String>,
    /// The latest day in the file.
    latest: Option<Date>,
}

/// Content of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum MistakeEntry {
    /// A mistake was found, or is known better than before.
    Task(Box<Task>),
    /// It was asked, and this was the first answer.
    Try(Try),
    /// It was deleted.
    Forgotten { task: String },
    /// A saved game was reviewed whole.
    Reviewed { journal: String },
    /// The clock shows this day, earlier than lines above: it was set back since.
    Clock {
        #[serde(with = "as_text")]
        day: Date,
    },
}

/// A line.
#[derive(Debug, Serialize, Deserialize)]
struct MistakeLine {
    #[serde(flatten)]
    entry: MistakeEntry,
    format: u64,
}

impl MistakeEntry {
    /// The day that the line names, to be changed.
    fn day_mut(&mut self) -> Option<&mut Date> {
        match self {
            MistakeEntry::Task(task) => Some(&mut task.origin.day),
            MistakeEntry::Try(made) => Some(&mut made.day),
            MistakeEntry::Clock { day } => Some(day),
            MistakeEntry::Forgotten { .. } | MistakeEntry::Reviewed { .. } => None,
        }
    }

    fn into_line(self) -> String {
        let line = MistakeLine { entry: self, format: FORMAT };
        serde_json::to_string(&line).expect("its keys are strings") + "\n"
    }
}

impl MistakeLog {
    /// Reads the bytes of the file. Lines that cannot be read are named and passed over.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        let (mut entries, mut mistakes) = (Vec::new(), MistakeLog::default());
        for (row, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(1..) {
            match serde_json::from_slice::<MistakeLine>(row) {
                Ok(MistakeLine { entry, format: ..=FORMAT }) => entries.push(entry),
                _ if row.iter().all(u8::is_ascii_whitespace) => {}
                Err(_) if !row.ends_with(b"\n") => mistakes.is_cut = true,
                _ => mistakes.damaged.push(number),
            }
        }
        mistakes.latest = entries.iter_mut().filter_map(MistakeEntry::day_mut).map(|day| *day).max();
        // Lines are written in the order of time: one that is dated later than a line below it was dated by a wrong clock.
        let mut last = Date::MAX;
        for day in entries.iter_mut().rev().filter_map(MistakeEntry::day_mut) {
            last = last.min(*day);
            *day = last;
        }
        let mut places = BTreeMap::new();
        for entry in entries {
            mistakes.apply(entry, &mut places);
        }
        let MistakeLog { known, forgotten, .. } = &mut mistakes;
        known.retain(|known| !forgotten.contains(&known.task.id));
        mistakes
    }

    /// Takes over what a line says; `places` says where the task of each ID stands.
    fn apply(&mut self, entry: MistakeEntry, places: &mut BTreeMap<String, usize>) {
        match entry {
            MistakeEntry::Task(task) => {
                let task = safe(*task);
                if let Some(&place) = places.get(&task.id) {
                    let day = self.known[place].task.origin.day;
                    self.known[place].task = task;
                    self.known[place].task.origin.day = day;
                } else {
                    places.insert(task.id.clone(), self.known.len());
                    self.known.push(Known { task, tries: Vec::new() });
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

    /// The tasks to be asked on this day, the oldest first.
    pub fn due(&self, today: Date) -> impl Iterator<Item = &Known> {
        self.known.iter().filter(move |known| known.is_due(today))
    }

    /// Reports whether the saved game of this ID was reviewed whole.
    #[must_use]
    pub fn is_reviewed(&self, journal: &str) -> bool {
        self.reviewed.contains(journal)
    }

    /// Returns the entries that a review adds: new tasks, tasks known better, and quick ones that it clears.
    fn news(&self, found: &Findings) -> Vec<MistakeEntry> {
        let known = |id: &String| self.known.iter().find(|known| known.task.id == *id);
        let is_news = |task: &&Task| match known(&task.id) {
            None => !self.forgotten.contains(&task.id),
            // A quick review adds nothing to a whole one.
            Some(old) if task.origin.is_quick => old.task.origin.is_quick && !is_same(&old.task, task),
            Some(old) => {
                let is_better = old.task.origin.is_quick || task.origin.nodes >= old.task.origin.nodes;
                is_better && !is_same(&old.task, task)
            }
        };
        let tasks = found.tasks.iter().filter(is_news).map(|task| MistakeEntry::Task(Box::new(task.clone())));
        let is_cleared = |id: &&String| known(id).is_some_and(|old| old.task.origin.is_quick);
        let cleared = found.cleared.iter().filter(is_cleared);
        let whole = found.whole_review.iter().filter(|journal| !self.is_reviewed(journal));
        tasks
            .chain(cleared.map(|id| MistakeEntry::Forgotten { task: id.clone() }))
            .chain(whole.map(|journal| MistakeEntry::Reviewed { journal: journal.clone() }))
            .collect()
    }
}

/// Reports whether two tasks say the same, whenever they were found.
fn is_same(one: &Task, other: &Task) -> bool {
    let mut other = other.clone();
    (other.origin.day, other.origin.nodes) = (one.origin.day, one.origin.nodes);
    *one == other
}

/// Returns the task with texts that are safe to show, whoever wrote the file.
fn safe(mut task: Task) -> Task {
    let Task { id, before, played, refutation, better, line, origin, .. } = &mut task;
    let texts = [id, &mut before.game, played, better].into_iter().chain(&mut before.position);
    let texts = texts.chain(&mut origin.journal).chain(&mut before.moves).chain(refutation).chain(line);
    texts.for_each(|text| *text = clean(text));
    task
}

impl MistakeStore {
    /// The file of this folder.
    #[must_use]
    pub fn of(folder: &Folder) -> Self {
        MistakeStore { path: folder.path().join(FILE) }
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file. One that is not there holds nothing.
    ///
    /// # Errors
    /// Says why it cannot be read.
    pub fn read(&self) -> Result<MistakeLog, String> {
        let bytes = match read_regular(&self.path, MAX_FILE) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(MistakeLog::default()),
            bytes => bytes.map_err(|error| why_unread(&error))?,
        };
        if bytes.len() as u64 > MAX_FILE {
            return Err("the file is too long".to_owned());
        }
        Ok(MistakeLog::read(&bytes))
    }

    /// Reads the file on this day. Where the clock was set back since the last line, that is written down, so that what is
    /// dated later counts as made today from now on.
    ///
    /// # Errors
    /// Says why it cannot be read.
    pub fn read_on(&self, today: Date) -> Result<MistakeLog, String> {
        let mistakes = self.read()?;
        let is_ahead = |known: &Known| {
            let tries = known.tries.iter().map(|made| made.day);
            tries.chain([known.task.origin.day]).any(|day| day > today)
        };
        if !mistakes.known.iter().any(is_ahead) {
            return Ok(mistakes);
        }
        // A file that cannot be written says the same in memory.
        if self.append(|_| vec![MistakeEntry::Clock { day: today }]).is_ok() {
            self.read()
        } else {
            Ok(mistakes)
        }
    }

    /// Writes down what a review has found, as far as it is new; returns the number of new tasks.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn add(&self, found: &Findings) -> io::Result<usize> {
        let mut added = 0;
        self.append(|mistakes| {
            let is_new = |entry: &MistakeEntry| match entry {
                MistakeEntry::Task(task) => mistakes.known.iter().all(|known| known.task.id != task.id),
                _ => false,
            };
            let news = mistakes.news(found);
            added = news.iter().filter(|entry| is_new(entry)).count();
            news
        })?;
        Ok(added)
    }

    /// Writes down a first try.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note(&self, made: &Try) -> io::Result<()> {
        self.append(|_| vec![MistakeEntry::Try(made.clone())])
    }

    /// Deletes a task for good: no review brings it back.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn forget(&self, id: &str) -> io::Result<()> {
        self.append(|_| vec![MistakeEntry::Forgotten { task: id.to_owned() }])
    }

    /// Appends lines while no other program does; what is said in them may depend on what the file says by then. Where that
    /// fails the file says what it said before.
    fn append(&self, entries: impl FnOnce(&MistakeLog) -> Vec<MistakeEntry>) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            make_private_folder(folder)?;
        }
        let mut file = open_regular(OpenOptions::new().read(true).append(true).create(true), &self.path)?;
        wait_for(&file)?;
        let mut bytes = Vec::new();
        (&mut file).take(MAX_FILE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(io::Error::other("the file is too long"));
        }
        let mistakes = MistakeLog::read(&bytes);
        let lines: String = entries(&mistakes).into_iter().map(MistakeEntry::into_line).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let mut length = bytes.len();
        if mistakes.is_cut {
            // Nobody can read what was not written to its end.
            length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
            file.set_len(length as u64)?;
        }
        let is_open = length > 0 && bytes[length - 1] != b'\n';
        let text = if is_open { format!("\n{lines}") } else { lines };
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        written.inspect_err(|_| {
            let _ = file.set_len(length as u64); // the error is what matters
        })
    }
}

/// Keeps the file for this program, as soon as no other one has it.
fn wait_for(file: &File) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        match lock(file) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && begun.elapsed() < LOCK_TIMEOUT => {
                std::thread::sleep(Duration::from_millis(5));
            }
            locked => return locked,
        }
    }
}
