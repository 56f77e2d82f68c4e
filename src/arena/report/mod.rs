//! Reports of games that are on disk: of several files together, and as HTML pages.

mod files;
pub mod page;

pub use files::PlayedGames;
