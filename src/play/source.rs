//! Where a game comes from and where it is kept: the file that is shown, the file that has it, what that says.

use std::collections::VecDeque;
use std::path::PathBuf;

use crate::game::RefusalCode;
use crate::play::MoveFile;
use crate::record::{GameRecord, NodeId, Note, RecordFault, RecordFormat};
use crate::session::EarlyEnd;
use crate::text::Text;

/// Where a game comes from, and which file has it.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// The file that is shown.
    pub(super) shown: Option<String>,
    /// What the file of the game says beside its moves.
    pub(super) remarks: Vec<(String, String)>,
    /// How the main line of its file ends before the board decides it, and where.
    pub(super) ended: Option<(NodeId, EarlyEnd)>,
    /// What was left out of the file that is shown.
    dropped: VecDeque<Note>,
    /// Why the file that is shown cannot be followed beyond its last position.
    pub(super) stuck: Option<Stuck>,
    /// The file that the game was saved in or loaded from last, and the position that it has.
    pub(super) file: Option<PathBuf>,
    pub(super) kept: Option<NodeId>,
    /// How often an analysis was edited, and how often before it was saved.
    pub(super) edits: u64,
    pub(super) kept_edits: u64,
    /// `true` if the game comes from a file: then it counts for nothing.
    pub(super) is_loaded: bool,
    /// `true` if its journal could not be written, so that it lacks moves of the game.
    pub(super) is_unkept: bool,
}

impl Source {
    /// That of a file that is shown.
    pub(super) fn of(file: &MoveFile) -> Self {
        let MoveFile { path, record } = file;
        Source {
            stuck: Stuck::of(record, path),
            shown: Some(path.clone()),
            dropped: record.notes.clone().into(),
            ..Source::of_game(record)
        }
    }

    /// That of a game that goes on where a record stands.
    pub(super) fn of_game(record: &GameRecord) -> Self {
        let early = record.tree.position(record.end).early();
        Source {
            remarks: record.remarks.clone(),
            ended: early.map(|early| (record.end, early)),
            ..Source::default()
        }
    }

    /// What an analysis keeps of it: the name and the remarks of its file.
    pub(super) fn copied(&self) -> Self {
        let (shown, remarks) = (self.shown.clone(), self.remarks.clone());
        Source { shown, remarks, is_loaded: true, ..Source::default() }
    }

    /// The game is no longer that of the file; who played it is still said, where nobody has taken their place.
    pub(super) fn leave_file(&mut self, keeps_names: bool) {
        (self.shown, self.stuck) = (None, None);
        self.is_loaded |= keeps_names;
        self.remarks.retain(|_| keeps_names);
    }

    /// Takes out what was left out of the file, as far as it is to be told now.
    pub(super) fn take_dropped(&mut self, is_wanted: impl Fn(&Note) -> bool) -> VecDeque<Note> {
        let (wanted, left) = std::mem::take(&mut self.dropped).into_iter().partition(is_wanted);
        self.dropped = left;
        wanted
    }
}

/// Where and why a file cannot be followed to the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The file.
    pub path: String,
    /// The line in it.
    pub line: usize,
    /// What is the matter there.
    pub why: DeadEnd,
}

/// Why a file leads no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeadEnd {
    /// A move is wrong.
    Wrong {
        /// What is wrong.
        why: Text,
        /// `true` if a larger board would have the place.
        is_off_board: bool,
    },
    /// This move comes after the end of the game.
    Surplus(String),
    /// The file ends after so many moves, before the game is over.
    TooShort(usize),
}

impl Stuck {
    pub(super) fn of(record: &GameRecord, path: &str) -> Option<Stuck> {
        let position = record.tree.position(record.end);
        let (line, why) = match &record.fault {
            // A game that is merely unfinished stays where it ends; files of digits are read as their program read them.
            None if position.outcome().is_some() || record.form != RecordFormat::Digits => return None,
            None => (record.last_line, DeadEnd::TooShort(position.plies())),
            Some(RecordFault { line, surplus: Some(text), .. }) => (*line, DeadEnd::Surplus(text.clone())),
            Some(RecordFault { line, why, .. }) => (
                *line,
                DeadEnd::Wrong { why: why.text.clone(), is_off_board: why.code == RefusalCode::OffBoard },
            ),
        };
        Some(Stuck { path: path.to_owned(), line, why })
    }
}
