//! Where journals lie: one folder a person, and their names in it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use etcetera::BaseStrategy;
use rand::TryRng;
use rand::rngs::SysRng;

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
    pub fn of_person() -> Option<Self> {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(Folder::at(base.state_dir().unwrap_or_else(|| base.data_dir()).join("crosspath")))
    }

    /// A new file of a running game, which nobody else can open while it is open here.
    pub(super) fn create(&self) -> io::Result<(File, PathBuf)> {
        make_private(&self.path)?;
        let id = SysRng.try_next_u64().map_err(io::Error::other)?;
        let path = self.path.join(format!("{LIVE}{id:016x}.{EXTENSION}"));
        let file = OpenOptions::new().append(true).create_new(true).open(&path)?;
        lock(&file)?;
        // The name itself is on the disk only after this; folders that cannot be synced are as good as it gets.
        let _ = File::open(&self.path).and_then(|folder| folder.sync_all());
        Ok((file, path))
    }

    /// The files of running games, the last one that was played in front.
    #[must_use]
    pub fn live(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let named = entries.filter_map(|entry| {
            let path = entry.path();
            let is_live = path.file_name()?.to_str()?.starts_with(LIVE) && path.extension()? == EXTENSION;
            let changed = entry.metadata().and_then(|kind| kind.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            is_live.then_some((changed, path))
        });
        let mut files: Vec<_> = named.collect();
        files.sort();
        files.into_iter().rev().map(|(_, path)| path).collect()
    }

    /// Opens a file of a running game that no other program plays.
    pub(super) fn open(path: &Path) -> io::Result<File> {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        lock(&file)?;
        Ok(file)
    }

    /// The path of the same journal, of a game that is over or goes on.
    pub(super) fn path_of(path: &Path, is_over: bool) -> PathBuf {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let id = name.trim_start_matches(LIVE).trim_start_matches(DONE);
        path.with_file_name(format!("{}{id}", if is_over { DONE } else { LIVE }))
    }
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(unix)]
fn lock(file: &File) -> io::Result<()> {
    Ok(rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive)?)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(not(unix))]
fn lock(_: &File) -> io::Result<()> {
    Ok(())
}
