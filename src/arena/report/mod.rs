//! Reports on games from disk, merged from several files, and rendered as HTML pages.

mod files;
pub mod page;

pub use files::PlayedGames;
