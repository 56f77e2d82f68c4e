//! Folder of the journals: one a person, and their names in it.

use std::cmp::Reverse;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::game::clean;
use crate::platform::make_private_folder;
use crate::record::disk::{describe_io_error, lock, open_regular};

/// A folder of journals: `live-ID.journal` for a game that goes on, `done-ID.journal` for one that is over.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

const LIVE: &str = "live-";
const DONE: &str = "done-";
const EXTENSION: &str = "journal";

impl Folder {
    /// This folder, which need not be there yet.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        Folder { path }
    }

    /// The folder of the person who runs the program: `crosspath` in `$XDG_STATE_HOME`, else in `~/.local/state`.
    /// `None` where there is no home.
    #[must_use]
    pub(crate) fn of_person() -> Option<Self> {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(Folder::at(base.state_dir().unwrap_or_else(|| base.data_dir()).join("crosspath")))
    }

    /// A new file of a running game, which nobody else can open while it is open here.
    pub(super) fn create(&self) -> io::Result<(File, PathBuf)> {
        make_private_folder(&self.path)?;
        let id = SysRng.try_next_u64().map_err(io::Error::other)?;
        let path = self.path.join(format!("{LIVE}{id:016x}.{EXTENSION}"));
        let file = OpenOptions::new().append(true).create_new(true).open(&path)?;
        lock(&file)?;
        // The name itself is on the disk only after this; folders that cannot be synced are as good as it gets.
        let _ = File::open(&self.path).and_then(|folder| folder.sync_all());
        Ok((file, path))
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that the games of the folder can be listed. One that is not there has none.
    ///
    /// # Errors
    /// Says why they cannot.
    pub(crate) fn check(&self) -> Result<(), String> {
        match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                Err("it is not a folder".to_owned())
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(describe_io_error(&error)),
            _ => Ok(()),
        }
    }

    /// The files of all games, in no order.
    pub(super) fn journals(&self) -> impl Iterator<Item = PathBuf> {
        let paths = fs::read_dir(&self.path).into_iter().flatten().flatten().map(|entry| entry.path());
        paths.filter(|path| Self::is_saved_game(path))
    }

    /// Reports whether a file has a name as saved games have.
    pub(crate) fn is_saved_game(path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_game = name.starts_with(LIVE) || name.starts_with(DONE);
        is_game && path.extension().is_some_and(|extension| extension == EXTENSION)
    }

    /// The files of running games, the last one that was played in front.
    #[must_use]
    pub fn live(&self) -> Vec<PathBuf> {
        let is_live =
            |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().starts_with(LIVE);
        let mut files: Vec<PathBuf> = self.journals().filter(is_live).collect();
        let changed = |path: &PathBuf| fs::metadata(path).and_then(|kind| kind.modified()).ok();
        files.sort_by_cached_key(|path| Reverse((changed(path), path.clone())));
        files
    }

    /// Returns the name of a game: the part of its file's name that does not change.
    pub(super) fn id_of(path: &Path) -> String {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        clean(name.trim_start_matches(LIVE).trim_start_matches(DONE))
    }

    /// Opens a file of a running game that no other program plays.
    pub(super) fn open(path: &Path) -> io::Result<File> {
        let file = open_regular(OpenOptions::new().read(true).append(true), path)?;
        lock(&file)?;
        Ok(file)
    }

    /// Reports whether no program plays this game now.
    #[must_use]
    pub fn is_free(path: &Path) -> bool {
        Self::open(path).is_ok()
    }

    /// Reports whether a program plays this game now, perhaps this one.
    #[must_use]
    pub fn is_held(path: &Path) -> bool {
        Self::open(path).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Deletes a game that no other program plays.
    ///
    /// # Errors
    /// If another program plays it, or the system says no.
    pub fn delete(path: &Path) -> io::Result<()> {
        let _held = Self::open(path)?;
        fs::remove_file(path)
    }

    /// The path of the same journal, of a game that is over or goes on.
    pub(super) fn path_of(path: &Path, is_over: bool) -> PathBuf {
        let (start, id) = (if is_over { DONE } else { LIVE }, Self::id_of(path));
        path.with_file_name(format!("{start}{id}.{EXTENSION}"))
    }
}
