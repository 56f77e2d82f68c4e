//! Journals: every game is saved while it is played, in one file per game with one line per change, written
//! before the change is shown. This module observes a match and does not depend on screens.

mod archive;
mod entry;
mod folder;
mod lines;
mod load;
mod mistakes;
mod salvage;
mod write;

pub use archive::{GameArchive, GameSummary, HeadToHead};
pub use folder::JournalFolder;
pub use lines::{JournalError, format_journal_line, is_journal};
pub(crate) use load::MAX_JOURNAL_BYTES;
pub use load::{ContinuedGame, LoadedJournal, ResumedJournal, load_journal, open_game_record};
pub use mistakes::{MistakeLog, MistakeStore};
pub use salvage::{SalvagedGame, is_salvageable, salvage_journal};
pub use write::{JournalWriteError, JournalWriteOutcome, MatchJournal};

/// Seat name of both sides in the journal of an analysis.
const ANALYSIS_SEAT: &str = "analysis";
