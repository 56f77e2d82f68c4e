//! Files of a game: the replayed file, the file that the game is saved in, and its properties.

use std::collections::VecDeque;
use std::path::PathBuf;

use crate::game::RefusalCode;
use crate::play::MoveFile;
use crate::record::{GameRecord, NodeId, RecordFault, RecordFormat, RecordNote};
use crate::session::EarlyEnd;
use crate::text::Text;

/// Files of a game: its source and its saved copy.
#[derive(Debug, Default)]
pub(super) struct GameSource {
    /// Path of the replayed file.
    pub(super) shown: Option<String>,
    /// Header properties of the game's file.
    pub(super) remarks: Vec<(String, String)>,
    /// Node and kind of the early end of the file's main line, if it has one.
    pub(super) ended: Option<(NodeId, EarlyEnd)>,
    /// Notes on omitted parts of the replayed file.
    dropped: VecDeque<RecordNote>,
    /// Reason why the file cannot be replayed beyond its last position.
    pub(super) stuck: Option<IncompleteReplay>,
    /// Path that the game was last saved to or loaded from.
    pub(super) file: Option<PathBuf>,
    /// Present node at the last save.
    pub(super) saved_node: Option<NodeId>,
    /// Number of edits of an analysis.
    pub(super) edits: u64,
    /// Number of edits at the last save.
    pub(super) saved_edits: u64,
    /// `true` if the game comes from a file, so that its result does not count as unsaved.
    pub(super) is_loaded: bool,
    /// `true` if the journal lacks moves of the game because it could not be written.
    pub(super) is_journal_incomplete: bool,
}

impl GameSource {
    /// Returns the source of a replayed file.
    pub(super) fn from_move_file(file: &MoveFile) -> Self {
        let MoveFile { path, record } = file;
        GameSource {
            stuck: IncompleteReplay::from_record(record, path),
            shown: Some(path.clone()),
            dropped: record.notes.clone().into(),
            ..GameSource::from_record(record)
        }
    }

    /// Returns the source of a game that continues from a record.
    pub(super) fn from_record(record: &GameRecord) -> Self {
        let early = record.tree.position(record.end).early_end();
        GameSource {
            remarks: record.remarks.clone(),
            ended: early.map(|early| (record.end, early)),
            ..GameSource::default()
        }
    }

    /// Returns the source for an analysis of the game: the name and properties of its file.
    pub(super) fn for_analysis(&self) -> Self {
        let (shown, remarks) = (self.shown.clone(), self.remarks.clone());
        GameSource { shown, remarks, is_loaded: true, ..GameSource::default() }
    }

    /// Detaches the game from its replayed file; `keeps_names` keeps the header properties.
    pub(super) fn detach_file(&mut self, keeps_names: bool) {
        (self.shown, self.stuck) = (None, None);
        self.is_loaded |= keeps_names;
        self.remarks.retain(|_| keeps_names);
    }

    /// Removes and returns the selected notes on omitted parts of the file.
    pub(super) fn take_dropped_notes(
        &mut self,
        is_wanted: impl Fn(&RecordNote) -> bool,
    ) -> VecDeque<RecordNote> {
        let (wanted, left) = std::mem::take(&mut self.dropped).into_iter().partition(is_wanted);
        self.dropped = left;
        wanted
    }
}

/// Replay that stops before the end of the game, with the line number and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncompleteReplay {
    /// Path of the file.
    pub path: String,
    /// Line number in the file, from 1.
    pub line: usize,
    /// Reason why the replay stops.
    pub why: ReplayStop,
}

/// Reason why a replay cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayStop {
    /// A move is invalid.
    Wrong {
        /// Reason why the move is invalid.
        why: Text,
        /// `true` if the cell would exist on a larger board.
        is_off_board: bool,
    },
    /// This move comes after the end of the game.
    Surplus(String),
    /// The file ends after this number of moves, before the game is over.
    TooShort(usize),
}

impl IncompleteReplay {
    pub(super) fn from_record(record: &GameRecord, path: &str) -> Option<IncompleteReplay> {
        let position = record.tree.position(record.end);
        let (line, why) = match &record.fault {
            // Unfinished games may end anywhere; files of digits must be complete.
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
