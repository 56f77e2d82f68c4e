//! Games from and to files, as the words `load` and `save` want them. What is wrong with a file is told in a sentence.

use std::path::Path;

use crate::game::Refusal;
use crate::play::{Command, Match, Overwrite, Replay};
use crate::record;
use crate::record::disk::{self, FileError};

/// Reads a game.
///
/// # Errors
/// Says why it cannot be read, in a sentence.
pub(super) fn load(game: &Match, path: &Path) -> Result<Replay, String> {
    let (bytes, path) = (read(path)?, shown(path));
    let spec = &game.game().spec;
    let record = record::load(&bytes, spec.entry, &spec.variant, game.rules().strictness);
    let record = Box::new(record.map_err(|bad| format!("{path}:{bad}"))?);
    Ok(Replay { path, record })
}

/// Reads a file that holds something.
///
/// # Errors
/// Says why it cannot be read, in a sentence.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    disk::load(path).map_err(|error| format!("cannot read {}: {error}", shown(path)))
}

/// Writes the game for the word `save`.
///
/// # Errors
/// Says why it cannot be written, in a sentence.
pub(super) fn save(game: &Match, path: &Path) -> Result<Command, String> {
    let shown = shown(path);
    if is_something_else(game, path) {
        return Err(format!("{shown} exists and is no saved game; it stays as it is. Choose another name."));
    }
    let overwrite = if path.exists() { Overwrite::Yes } else { Overwrite::No };
    disk::save(path, &game.record()).map_err(|error| format!("cannot write {shown}: {error}"))?;
    Ok(Command::Saved(shown, overwrite))
}

/// A path as sentences name it.
fn shown(path: &Path) -> String {
    Refusal::shown_path(&path.to_string_lossy())
}

/// Whether a path holds something that is no saved game and must not be overwritten.
fn is_something_else(game: &Match, path: &Path) -> bool {
    match disk::load(path) {
        Ok(bytes) => !matches!(record::header(&bytes, game.game().spec.entry.games()), Ok(Some(_))),
        Err(FileError::Missing | FileError::Empty | FileError::Directory | FileError::Device) => false,
        Err(_) => true,
    }
}
