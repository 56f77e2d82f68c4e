//! Game files: reading and writing in every supported format, and the tree of a game in memory. This module
//! depends on text and positions, not on rules.

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

pub use crate::board::names::strip_move_number;
pub use convert::GameFileFormat;
pub use edits::EditHistory;
pub(crate) use edits::TreePart;
pub use game_record::{GameRecord, RecordFault, RecordNote, StatedResult};
pub(crate) use game_record::{RESULT_REMARK, still_valid_remarks};
pub use header::BadRecord;
use header::PRESENT_PROPERTY;
pub(crate) use header::PRESENT_REMARK;
pub use items::{MoveList, RecordFormat, RecordItem, RecordedMove};
pub(crate) use link::is_game_link;
pub use link::{LinkSite, write_link};
pub(crate) use open::load_all_games;
pub(crate) use open::read_game_source;
pub use open::{
    DigitPairStrictness, NonDigitTextPolicy, NotAGame, OpenedFile, RecordReadOptions, load_game,
    open_game_file,
};
pub use parse::split_list_moves;
pub use tree::{GameTree, GameTreeNode, MoveSource, NodeId, NodeProperty};
pub use write::write_record;
