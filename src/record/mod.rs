//! Games on disk and in memory: recognising the form of a move file, reading it, the tree of a game, writing the text
//! record. Knows text and positions, no rules.

pub mod disk;
mod header;
mod load;
mod parse;
pub mod sgf;
mod tree;
mod write;

pub use crate::board::names::without_number;
pub(crate) use header::PRESENT;
pub use header::{BadRecord, Header, header, is_game};
pub use load::{Dropped, LoadedRecord, RecordFault, Strictness, load};
pub use parse::{Item, MoveList, RecordFormat, RecordedMove, moves, words};
pub use tree::{By, GameTree, Node, NodeId};
pub use write::write;
