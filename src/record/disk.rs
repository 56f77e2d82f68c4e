//! Getting a move file's bytes from and to the disk, whatever stands at its path. Knows no format.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::platform;

/// The longest move file, in bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// Why a file was not read or written, in lower case, without the path.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Nothing is there.
    #[error("no such file")]
    Missing,
    /// It is a directory.
    #[error("this is a directory, not a file")]
    Directory,
    /// It is a device or a socket.
    #[error("this is a device, not a file")]
    Device,
    /// It holds nothing.
    #[error("the file is empty")]
    Empty,
    /// It is longer than any game.
    #[error("the file is too long; a move file has at most {} KiB", MAX_BYTES / 1024)]
    TooLong,
    /// A file is there that may not be replaced.
    #[error("the file already exists")]
    Exists,
    /// Nobody has filled the pipe for this number of seconds.
    #[error("the pipe sent no data within {0} s")]
    Silent(u64),
    /// The operating system said no.
    #[error("{}", describe_io_error(.0))]
    Io(#[from] io::Error),
}

/// Why the system says no, for people.
pub(crate) fn describe_io_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotFound => "no such folder".to_owned(),
        io::ErrorKind::StorageFull => "no space left on the device".to_owned(),
        io::ErrorKind::FileTooLarge => "the file would exceed the size limit".to_owned(),
        io::ErrorKind::IsADirectory => FileError::Directory.to_string(),
        io::ErrorKind::ReadOnlyFilesystem => "the device is read-only".to_owned(),
        _ => {
            let text = error.to_string().to_lowercase();
            text.split(" (os error").next().unwrap_or_default().to_owned()
        }
    }
}

/// Why the system does not let a file be read, for people.
pub(crate) fn why_unread(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileError::Missing.to_string(),
        _ => describe_io_error(error),
    }
}

/// Opens a regular file with these options. Nothing else is opened: a pipe would wait for its other end for ever, a device
/// may never end.
pub(crate) fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = platform::without_waiting(options).open(path)?;
    let kind = file.metadata()?;
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(io::Error::other(FileError::Device));
    }
    Ok(file)
}

/// Reads a regular file. Of one that is longer than `most` bytes one byte more is read, never all of it.
pub(crate) fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(OpenOptions::new().read(true), path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reports whether a regular file that can be read holds something and does not end with a newline.
pub(crate) fn ends_within_a_line(path: &Path) -> bool {
    let last = || -> io::Result<u8> {
        let mut file = open_regular(OpenOptions::new().read(true), path)?;
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        Ok(last[0])
    };
    last().is_ok_and(|last| last != b'\n')
}

/// Keeps a file for this program as long as it is open; one that another program keeps is an error.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    Ok(file.try_lock()?)
}

/// The bytes of a move file: a plain file or a pipe with at most [`MAX_BYTES`].
///
/// ```
/// use crosspath::record::disk::{FileError, load};
/// assert!(matches!(load("no/such/file.txt".as_ref()), Err(FileError::Missing)));
/// ```
///
/// # Errors
/// Says what stands at the path instead. A pipe that nobody opens for a second, or that stays silent for ten, is an error.
pub fn load(path: &Path) -> Result<Vec<u8>, FileError> {
    let kind = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileError::Missing,
        _ => FileError::Io(error),
    })?;
    if kind.is_dir() {
        return Err(FileError::Directory);
    }
    let bytes = if kind.is_file() { read_regular(path, MAX_BYTES)? } else { read_pipe(path, &kind)? };
    match bytes.len() as u64 {
        0 => Err(FileError::Empty),
        length if length > MAX_BYTES => Err(FileError::TooLong),
        _ => Ok(bytes),
    }
}

/// The largest file of weights.
const MAX_WEIGHTS: u64 = 16 << 20;

/// Reads the weights of a network.
pub(crate) fn weights(file: &str) -> Result<Vec<u8>, String> {
    let bytes = read_regular(Path::new(file), MAX_WEIGHTS).map_err(|error| why_unread(&error))?;
    if bytes.len() as u64 > MAX_WEIGHTS {
        Err("the file is larger than 16 MiB".to_owned())
    } else {
        Ok(bytes)
    }
}

/// Reads a pipe to its end. Somebody is to open it within a second, and who has may take ten for the next byte.
fn read_pipe(path: &Path, kind: &fs::Metadata) -> Result<Vec<u8>, FileError> {
    /// Seconds that whoever fills a pipe may take for the next byte.
    const PIPE_TIMEOUT_SECONDS: u64 = 10;
    let mut pipe = platform::open_pipe(path, kind)?.ok_or(FileError::Device)?;
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    let mut seconds = 1;
    while bytes.len() as u64 <= MAX_BYTES {
        let is_ready = platform::wait_for_pipe(&pipe, Duration::from_secs(seconds))?;
        match pipe.read(&mut chunk) {
            // Nobody has it open who could write.
            Ok(0) if !is_ready => return Err(FileError::Silent(seconds)),
            Err(error) if !is_ready && error.kind() == io::ErrorKind::WouldBlock => {
                // Somebody has.
                if seconds == PIPE_TIMEOUT_SECONDS {
                    return Err(FileError::Silent(seconds));
                }
            }
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(error) => return Err(error.into()),
        }
        seconds = PIPE_TIMEOUT_SECONDS;
    }
    Ok(bytes)
}

/// Treatment of a file that already stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// It stays, and nothing is written.
    Never,
    /// It goes.
    Allowed,
}

/// Writes a file whole or not at all: into a temporary file beside it, which then takes its name.
///
/// ```
/// use crosspath::record::disk::{load, save};
/// let path = std::env::temp_dir().join(format!("crosspath-save-{}.txt", std::process::id()));
/// save(&path, "# crosspath tic-tac-toe size=3\n")?;
/// assert!(load(&path)?.starts_with(b"# crosspath"));
/// std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Says why nothing was written; what stood at the path is then as before.
pub fn save(path: &Path, content: impl AsRef<[u8]>) -> Result<(), FileError> {
    write(path, content.as_ref(), Replace::Allowed)
}

/// Writes a file whole or not at all, as [`save`] does; a file that is there is replaced only where that is allowed.
///
/// ```
/// use crosspath::record::disk::{FileError, Replace, write};
/// let path = std::env::temp_dir().join(format!("crosspath-write-{}.txt", std::process::id()));
/// write(&path, b"b2 a1\n", Replace::Never)?;
/// assert!(matches!(write(&path, b"", Replace::Never), Err(FileError::Exists)));
/// std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Says why nothing was written; what stood at the path is then as before.
pub fn write(path: &Path, content: &[u8], replace: Replace) -> Result<(), FileError> {
    let target = resolved(path)?;
    let old = fs::metadata(&target).ok();
    match &old {
        Some(kind) if kind.is_dir() => return Err(FileError::Directory),
        Some(kind) if !kind.is_file() => return Err(FileError::Device),
        Some(_) if replace == Replace::Never => return Err(FileError::Exists),
        Some(kind) if kind.permissions().readonly() => {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
        }
        _ => {}
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    remove_litter(folder);
    // An error removes the temporary file, too.
    let mut temporary = temporary_file(folder)?;
    let _ = lock(temporary.as_file()); // some disks have no locks
    temporary.write_all(content)?;
    if let Some(old) = old {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    let named = match replace {
        Replace::Allowed => temporary.persist(&target),
        Replace::Never => temporary.persist_noclobber(&target),
    };
    named.map_err(|why| match why.error.kind() {
        io::ErrorKind::AlreadyExists => FileError::Exists,
        _ => FileError::Io(why.error),
    })?;
    // The name itself is on the disk only after this; folders that cannot be synced are as good as it gets.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Follows the links at a path to its end, also where nothing is there yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    /// Largest number of links that are followed, as in common systems.
    const MAX_LINKS: usize = 40;
    let mut here = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&here) {
            // What a link says counts from where the link is.
            Ok(next) => here = here.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(here),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Beginning of the names of temporary files; the number of the process and a random number follow.
const TEMPORARY: &str = ".crosspath.";

/// Removes the temporary files of programs that were killed while they saved: nobody holds them.
fn remove_litter(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY)?.strip_suffix(".tmp"));
        let process = number.and_then(|number| number.split_once('.')).map(|(process, _)| process);
        let is_gone = process.and_then(|process| process.parse().ok()).is_some_and(platform::has_ended);
        let is_free = |file: File| lock(&file).is_ok();
        if is_gone && open_regular(OpenOptions::new().read(true), &entry.path()).is_ok_and(is_free) {
            let _ = fs::remove_file(entry.path()); // it stays litter
        }
    }
}

/// Makes a temporary file with a name that nobody can foresee, readable as other new files are.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let prefix = format!("{TEMPORARY}{}.", std::process::id());
    builder.prefix(&prefix).suffix(".tmp");
    platform::set_usual_permissions(&mut builder);
    builder.tempfile_in(folder)
}
