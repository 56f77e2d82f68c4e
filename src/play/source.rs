//! The source of a game and its file: the file that is shown, the file that has the game, and the
//! properties in it.

use std::collections::VecDeque;
use std::path::PathBuf;

use crate::game::RefusalCode;
use crate::play::MoveFile;
use crate::record::{GameRecord, NodeId, Note, RecordFault, RecordFormat};
use crate::session::EarlyEnd;
use crate::text::Text;

/// Source of a game, and the file that has it.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// File that is shown.
    pub(super) shown: Option<String>,
    /// Properties that the file of the game has beside its moves.
    pub(super) remarks: Vec<(String, String)>,
    /// Early end of the main line of its file, and the position of that end.
    pub(super) ended: Option<(NodeId, EarlyEnd)>,
    /// Notes on what was left out of the file that is shown.
    dropped: VecDeque<Note>,
    /// Reason why the file that is shown cannot be followed beyond its last position.
    pub(super) stuck: Option<IncompleteReplay>,
    /// File that the game was last saved to or loaded from, and the position that it has.
    pub(super) file: Option<PathBuf>,
    pub(super) kept: Option<NodeId>,
    /// Number of edits of an analysis, and the number when it was last saved.
    pub(super) edits: u64,
    pub(super) kept_edits: u64,
    /// `true` if the game comes from a file: then it does not count as one that would be missed.
    pub(super) is_loaded: bool,
    /// `true` if its journal could not be written, so that it lacks moves of the game.
    pub(super) is_unkept: bool,
}

impl Source {
    /// Returns the source of a file that is shown.
    pub(super) fn of(file: &MoveFile) -> Self {
        let MoveFile { path, record } = file;
        Source {
            stuck: IncompleteReplay::of(record, path),
            shown: Some(path.clone()),
            dropped: record.notes.clone().into(),
            ..Source::of_game(record)
        }
    }

    /// Returns the source of a game that continues from the position of a record.
    pub(super) fn of_game(record: &GameRecord) -> Self {
        let early = record.tree.position(record.end).early();
        Source {
            remarks: record.remarks.clone(),
            ended: early.map(|early| (record.end, early)),
            ..Source::default()
        }
    }

    /// Returns the part that an analysis keeps: the name and the properties of its file.
    pub(super) fn copied(&self) -> Self {
        let (shown, remarks) = (self.shown.clone(), self.remarks.clone());
        Source { shown, remarks, is_loaded: true, ..Source::default() }
    }

    /// Separates the game from its file; the names of its players stay, unless somebody has taken
    /// their seats.
    pub(super) fn leave_file(&mut self, keeps_names: bool) {
        (self.shown, self.stuck) = (None, None);
        self.is_loaded |= keeps_names;
        self.remarks.retain(|_| keeps_names);
    }

    /// Takes out the notes on what was left out of the file, as far as they are wanted now.
    pub(super) fn take_dropped(&mut self, is_wanted: impl Fn(&Note) -> bool) -> VecDeque<Note> {
        let (wanted, left) = std::mem::take(&mut self.dropped).into_iter().partition(is_wanted);
        self.dropped = left;
        wanted
    }
}

/// Place where a file cannot be followed to the end of a game, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncompleteReplay {
    /// Path of the file.
    pub path: String,
    /// Line in it.
    pub line: usize,
    /// Reason.
    pub why: ReplayStop,
}

/// Reason why a file cannot be followed further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayStop {
    /// A move is wrong.
    Wrong {
        /// Reason.
        why: Text,
        /// `true` if a larger board would have the cell.
        is_off_board: bool,
    },
    /// This move comes after the end of the game.
    Surplus(String),
    /// The file ends after this number of moves, before the game is over.
    TooShort(usize),
}

impl IncompleteReplay {
    pub(super) fn of(record: &GameRecord, path: &str) -> Option<IncompleteReplay> {
        let position = record.tree.position(record.end);
        let (line, why) = match &record.fault {
            // A game that is merely unfinished stays where it ends; files of digits are read as their program read them.
            None if position.outcome().is_some() || record.form != RecordFormat::Digits => return None,
            None => (record.last_line, ReplayStop::TooShort(position.plies())),
            Some(RecordFault { line, surplus: Some(text), .. }) => (*line, ReplayStop::Surplus(text.clone())),
            Some(RecordFault { line, why, .. }) => (
                *line,
                ReplayStop::Wrong { why: why.text.clone(), is_off_board: why.code == RefusalCode::OffBoard },
            ),
        };
        Some(IncompleteReplay { path: path.to_owned(), line, why })
    }
}
