//! Folder with the journals of the user, and the file names in it.

use std::cmp::Reverse;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::game::sanitize_text;
use crate::platform::make_private_folder;
use crate::record::disk::{describe_io_error, lock_file, open_regular_file};

/// A folder of journals: `live-ID.journal` for unfinished games, `done-ID.journal` for finished ones.
#[derive(Clone, Debug)]
pub struct JournalFolder {
    path: PathBuf,
}

const LIVE_PREFIX: &str = "live-";
const FINISHED_PREFIX: &str = "done-";
const JOURNAL_EXTENSION: &str = "journal";

impl JournalFolder {
    /// Creates a handle for a folder that need not exist yet.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        JournalFolder { path }
    }

    /// Returns the folder of the current user: `crosspath` in `$XDG_STATE_HOME`, else in `~/.local/state`.
    /// Returns `None` without a home folder.
    #[must_use]
    pub(crate) fn of_current_user() -> Option<Self> {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(JournalFolder::new(base.state_dir().unwrap_or_else(|| base.data_dir()).join("crosspath")))
    }

    /// Creates and locks the journal of a new game.
    pub(super) fn create_journal(&self) -> io::Result<(File, PathBuf)> {
        make_private_folder(&self.path)?;
        let id = SysRng.try_next_u64().map_err(io::Error::other)?;
        let path = self.path.join(format!("{LIVE_PREFIX}{id:016x}.{JOURNAL_EXTENSION}"));
        let file = OpenOptions::new().append(true).create_new(true).open(&path)?;
        lock_file(&file)?;
        // Only this puts the file name on the disk. If the folder cannot be synced, nothing more can be done.
        let _ = File::open(&self.path).and_then(|folder| folder.sync_all());
        Ok((file, path))
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the games of the folder can be listed. A missing folder has no games and is fine.
    ///
    /// # Errors
    /// The error says why the folder cannot be read.
    pub(crate) fn check_readable(&self) -> Result<(), String> {
        match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                Err("it is not a folder".to_owned())
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(describe_io_error(&error)),
            _ => Ok(()),
        }
    }

    /// Returns the paths of all journals, in no particular order.
    pub(super) fn journal_paths(&self) -> impl Iterator<Item = PathBuf> {
        let paths = fs::read_dir(&self.path).into_iter().flatten().flatten().map(|entry| entry.path());
        paths.filter(|path| Self::is_journal_path(path))
    }

    /// Reports whether a file name has the form of a saved game.
    pub(crate) fn is_journal_path(path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_game = name.starts_with(LIVE_PREFIX) || name.starts_with(FINISHED_PREFIX);
        is_game && path.extension().is_some_and(|extension| extension == JOURNAL_EXTENSION)
    }

    /// Returns the paths of unfinished games, the one played last first.
    #[must_use]
    pub fn unfinished_game_paths(&self) -> Vec<PathBuf> {
        let is_live =
            |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().starts_with(LIVE_PREFIX);
        let mut files: Vec<PathBuf> = self.journal_paths().filter(is_live).collect();
        let changed = |path: &PathBuf| fs::metadata(path).and_then(|kind| kind.modified()).ok();
        files.sort_by_cached_key(|path| Reverse((changed(path), path.clone())));
        files
    }

    /// Returns the ID of a game from its file name.
    pub(super) fn game_id(path: &Path) -> String {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        sanitize_text(name.trim_start_matches(LIVE_PREFIX).trim_start_matches(FINISHED_PREFIX))
    }

    /// Opens and locks the journal of a game.
    pub(super) fn open_journal(path: &Path) -> io::Result<File> {
        let file = open_regular_file(OpenOptions::new().read(true).append(true), path)?;
        lock_file(&file)?;
        Ok(file)
    }

    /// Reports whether no program has this journal open.
    #[must_use]
    pub fn is_unlocked(path: &Path) -> bool {
        Self::open_journal(path).is_ok()
    }

    /// Reports whether a program has this journal open, possibly this one.
    #[must_use]
    pub fn is_locked(path: &Path) -> bool {
        Self::open_journal(path).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Deletes a game that no other program has open.
    ///
    /// # Errors
    /// Returns an error if another program has the journal open, or it cannot be deleted.
    pub fn delete_journal(path: &Path) -> io::Result<()> {
        let _held = Self::open_journal(path)?;
        fs::remove_file(path)
    }

    /// Returns the path of a journal after its game has ended or resumed.
    pub(super) fn path_for_state(path: &Path, is_over: bool) -> PathBuf {
        let (start, id) = (if is_over { FINISHED_PREFIX } else { LIVE_PREFIX }, Self::game_id(path));
        path.with_file_name(format!("{start}{id}.{JOURNAL_EXTENSION}"))
    }
}
