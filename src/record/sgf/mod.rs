//! Reading and writing of Hex games in SGF (`FF[4]`, `GM[11]`): the whole tree with comments and marks.

mod parse;
mod read;
mod write;

pub(in crate::record) use parse::is_sgf_game;
pub use read::SgfTurnOrder;
pub(in crate::record) use read::read_sgf;
pub use write::{SgfStyle, write_sgf};
