//! Copies what is good of a damaged journal into a new one. The damaged one stays.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::Folder;
use super::load::{Loaded, MAX_BYTES, good_prefix, why_closed};
use crate::record::disk::{describe_io_error, read_regular};
use crate::registry::Entry;

/// Rest of a damaged journal that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvaged {
    /// Name of the new game.
    pub id: String,
    /// The moves before its present position.
    pub plies: usize,
}

/// Reports whether [`salvage`] would find a game in a damaged journal.
#[must_use]
pub fn is_salvageable(path: &Path, games: &'static [Entry]) -> bool {
    intact(path, games).is_ok()
}

/// Returns the lines before the first wrong one, and the game that they tell.
fn intact(path: &Path, games: &'static [Entry]) -> Result<(Vec<u8>, Loaded), String> {
    let mut bytes = read_regular(path, MAX_BYTES).map_err(|error| why_closed(&error))?;
    let (end, loaded) = good_prefix(&bytes, games).ok_or("it has no intact lines before the damage")?;
    if loaded.record.tree.len() <= 1 {
        return Err("it has no intact moves before the damage".to_owned());
    }
    bytes.truncate(end);
    Ok((bytes, loaded))
}

/// Writes the game that a damaged journal tells before its first wrong line into a new journal of the folder.
///
/// # Errors
/// Says why there is no such game, or why it cannot be written.
pub fn salvage(path: &Path, folder: &Folder, games: &'static [Entry]) -> Result<Salvaged, String> {
    let (bytes, loaded) = intact(path, games)?;
    let position = loaded.record.tree.position(loaded.record.present);
    let (mut file, live) = folder.create().map_err(|error| describe_io_error(&error))?;
    let written = file.write_all(&bytes).and_then(|()| file.sync_all());
    let named = written.and_then(|()| {
        let named = Folder::path_of(&live, position.outcome().is_some());
        if named == live { Ok(()) } else { fs::rename(&live, named) }
    });
    if let Err(error) = named {
        let _ = fs::remove_file(&live); // the error is what matters
        return Err(describe_io_error(&error));
    }
    Ok(Salvaged { id: Folder::id_of(&live), plies: position.plies() })
}
