//! Games on the disk while they are played: one file a game, one line for every change, on the disk before it is shown.
//! One more reader of what a match is. Knows no screens.

mod archive;
mod entry;
mod folder;
mod lines;
mod load;
mod mistakes;
mod salvage;
mod write;

pub use archive::{Archive, HeadToHead, Summary};
pub use folder::Folder;
pub use lines::{BadJournal, is_journal, line};
pub(crate) use load::MAX_BYTES;
pub use load::{Continued, Loaded, Resumed, load, open_game};
pub use mistakes::{MistakeLog, MistakeStore};
pub use salvage::{Salvaged, is_salvageable, salvage};
pub use write::{Journal, NotWritten, Written};

/// Stands for both players where nobody plays: the journal is one of an analysis.
const ANALYSIS: &str = "analysis";
