//! Copies what is good of a damaged journal into a new one. The damaged one stays.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::Folder;
use super::load::{MAX_BYTES, good_prefix, why_closed};
use crate::record::disk::{in_words, read_regular};
use crate::registry::Entry;

/// What was saved of a damaged journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvaged {
    /// What names the new game.
    pub id: String,
    /// The moves before its present position.
    pub plies: usize,
}

/// Writes the game that a damaged journal tells before its first wrong line into a new journal of the folder.
///
/// # Errors
/// Says why there is no such game, or why it cannot be written.
pub fn salvage(path: &Path, folder: &Folder, games: &'static [Entry]) -> Result<Salvaged, String> {
    let bytes = read_regular(path, MAX_BYTES).map_err(|error| why_closed(&error))?;
    let (end, loaded) = good_prefix(&bytes, games).ok_or("it has no intact lines before the damage")?;
    let position = loaded.record.tree.position(loaded.record.present);
    let (mut file, live) = folder.create().map_err(|error| in_words(&error))?;
    let written = file.write_all(&bytes[..end]).and_then(|()| file.sync_all());
    let named = written.and_then(|()| {
        let named = Folder::path_of(&live, position.outcome().is_some());
        if named == live { Ok(()) } else { fs::rename(&live, named) }
    });
    if let Err(error) = named {
        let _ = fs::remove_file(&live); // the error is what matters
        return Err(in_words(&error));
    }
    Ok(Salvaged { id: Folder::id_of(&live), plies: position.plies() })
}
