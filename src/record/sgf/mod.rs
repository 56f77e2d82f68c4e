//! Games of Hex in SGF (`FF[4]`, `GM[11]`): the whole tree with comments and marks, read and written.

mod parse;
mod read;
mod write;

pub(in crate::record) use parse::is_game;
pub use read::Freedom;
pub(in crate::record) use read::read;
pub use write::{SgfStyle, write};
