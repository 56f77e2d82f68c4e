//! Games on disk and in memory: the one door for every file, each form of file with its reader and writer, the tree of a
//! game. Knows text and positions, no rules.

mod convert;
pub mod disk;
mod edits;
mod game_record;
mod header;
mod items;
mod link;
mod lists;
mod load;
mod open;
mod parse;
pub mod sgf;
mod source;
mod tree;
mod wire;
mod write;

pub use crate::board::names::without_number;
pub use convert::WrittenForm;
pub use edits::EditHistory;
pub(crate) use edits::TreePart;
pub use game_record::{GameRecord, Note, RecordFault, StatedResult};
pub(crate) use game_record::{RESULT, lasting_remarks};
pub use header::BadRecord;
pub(crate) use header::PRESENT;
use header::PRESENT_PROPERTY;
pub use items::{MoveList, RecordFormat, RecordItem, RecordedMove};
pub(crate) use link::is_link;
pub use link::{LinkSite, write_link};
pub(crate) use open::games;
pub(crate) use open::source;
pub use open::{Hint, Noise, NotAGame, Opened, Strictness, load, open};
pub use parse::words;
pub use tree::{GameTree, MoveSource, Node, NodeId, Property};
pub use write::write;
