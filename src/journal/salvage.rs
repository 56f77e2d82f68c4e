//! Recovery of the readable part of a damaged journal into a new one. The damaged file is kept.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::JournalFolder;
use super::load::{LoadedJournal, MAX_JOURNAL_BYTES, describe_open_error, find_intact_prefix};
use crate::record::disk::{describe_io_error, read_regular_file};
use crate::registry::RegisteredGame;

/// A game recovered from a damaged journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SalvagedGame {
    /// ID of the new game.
    pub id: String,
    /// Number of moves before the present position.
    pub plies: usize,
}

/// Reports whether [`salvage_journal`] can recover a game from a damaged journal.
#[must_use]
pub fn is_salvageable(path: &Path, games: &'static [RegisteredGame]) -> bool {
    read_intact_prefix(path, games).is_ok()
}

/// Returns the lines before the first damaged one, and the game in them.
fn read_intact_prefix(
    path: &Path,
    games: &'static [RegisteredGame],
) -> Result<(Vec<u8>, LoadedJournal), String> {
    let mut bytes =
        read_regular_file(path, MAX_JOURNAL_BYTES).map_err(|error| describe_open_error(&error))?;
    let (end, loaded) =
        find_intact_prefix(&bytes, games).ok_or("it has no intact lines before the damage")?;
    if loaded.record.tree.len() <= 1 {
        return Err("it has no intact moves before the damage".to_owned());
    }
    bytes.truncate(end);
    Ok((bytes, loaded))
}

/// Copies the game up to the first damaged line of a journal to a new journal in the folder.
///
/// # Errors
/// The error says why there is no such game, or why it cannot be written.
pub fn salvage_journal(
    path: &Path,
    folder: &JournalFolder,
    games: &'static [RegisteredGame],
) -> Result<SalvagedGame, String> {
    let (bytes, loaded) = read_intact_prefix(path, games)?;
    let position = loaded.record.tree.position(loaded.record.present);
    let (mut file, live) = folder.create_journal().map_err(|error| describe_io_error(&error))?;
    let written = file.write_all(&bytes).and_then(|()| file.sync_all());
    let named = written.and_then(|()| {
        let named = JournalFolder::path_for_state(&live, position.outcome().is_some());
        if named == live { Ok(()) } else { fs::rename(&live, named) }
    });
    if let Err(error) = named {
        let _ = fs::remove_file(&live); // the first error is the one to report
        return Err(describe_io_error(&error));
    }
    Ok(SalvagedGame { id: JournalFolder::game_id(&live), plies: position.plies() })
}
