//! Games from and to files, as the words `load` and `save` want them. What is wrong with a file is a refusal.

use std::path::Path;

use crate::game::Illegal;
use crate::play::{Command, Match, Overwrite, Refusal, Replay};
use crate::record::file::{self, FileError};
use crate::record::{self};

/// Reads a game for the word `load`.
pub(super) fn load(game: &Match, path: &Path) -> Command {
    let shown = Illegal::shown_path(&path.to_string_lossy());
    let bytes = match file::load(path) {
        Ok(bytes) => bytes,
        Err(error) => return refuse(format!("cannot read {shown}: {error}")),
    };
    let spec = game.game().spec();
    match record::load(&bytes, spec.entry, &spec.variant, game.rules().strictness) {
        Ok(record) => Command::Load(shown, Box::new(record)),
        Err(bad) => refuse(format!("{shown}:{bad}")),
    }
}

/// Reads a game that is to be shown.
///
/// # Errors
/// Says why it cannot be shown, in a sentence.
pub(super) fn open(game: &Match, path: &Path) -> Result<Command, String> {
    match load(game, path) {
        Command::Load(path, record) => Ok(Command::Open(Replay { path, record })),
        Command::Refuse(Refusal::File(why)) => Err(why),
        _ => Err(String::new()),
    }
}

/// Whether something is in a file.
///
/// # Errors
/// Says why not, in a sentence.
pub(super) fn readable(path: &Path) -> Result<(), String> {
    let shown = Illegal::shown_path(&path.to_string_lossy());
    file::load(path).map(|_| ()).map_err(|error| format!("cannot read {shown}: {error}"))
}

/// Writes the game for the word `save`.
pub(super) fn save(game: &Match, path: &Path) -> Command {
    let shown = Illegal::shown_path(&path.to_string_lossy());
    if is_something_else(path) {
        let why = "exists and is no saved game; it stays as it is. Choose another name.";
        return refuse(format!("{shown} {why}"));
    }
    let overwrite = if path.exists() { Overwrite::Yes } else { Overwrite::No };
    match file::save(path, &game.record()) {
        Ok(()) => Command::Saved(shown, overwrite),
        Err(error) => refuse(format!("cannot write {shown}: {error}")),
    }
}

fn refuse(sentence: String) -> Command {
    Command::Refuse(Refusal::File(sentence))
}

/// Whether a path holds something that is no saved game and must not be overwritten.
fn is_something_else(path: &Path) -> bool {
    match file::load(path) {
        Ok(bytes) => !matches!(record::header(&bytes), Ok(Some(_))),
        Err(FileError::Missing | FileError::Empty | FileError::Directory | FileError::Device) => false,
        Err(_) => true,
    }
}
