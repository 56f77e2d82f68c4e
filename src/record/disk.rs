//! Reading and writing of move files on disk, with checks of the file type. This module does not depend on
//! file formats.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::platform;

/// Maximum size of a move file, in bytes.
pub const MAX_MOVE_FILE_BYTES: u64 = 1 << 20;

/// Error when a file is read or written. The message is in lower case and does not contain the path.
///
/// ```
/// use crosspath::record::disk::{FileError, load_move_file};
/// let error = load_move_file(&std::env::temp_dir()).unwrap_err();
/// assert!(matches!(error, FileError::Directory));
/// assert_eq!(error.to_string(), "this is a directory, not a file");
/// ```
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file does not exist.
    #[error("no such file")]
    Missing,
    /// The path is a directory.
    #[error("this is a directory, not a file")]
    Directory,
    /// The path is a device or a socket.
    #[error("this is a device, not a file")]
    Device,
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file is larger than the maximum size of a move file.
    #[error("the file is too long; a move file has at most {} KiB", MAX_MOVE_FILE_BYTES / 1024)]
    TooLong,
    /// The file exists and must not be replaced.
    #[error("the file already exists")]
    Exists,
    /// The pipe sent no data for this number of seconds.
    #[error("the pipe sent no data within {0} s")]
    Silent(u64),
    /// The operating system returned an error.
    #[error("{}", describe_io_error(.0))]
    Io(#[from] io::Error),
}

/// Describes an I/O error in a message.
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

/// Describes an I/O error of reading a file in a message.
pub(crate) fn describe_read_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileError::Missing.to_string(),
        _ => describe_io_error(error),
    }
}

/// Opens a regular file with these options. Pipes and devices are errors because they could block or never
/// end.
pub(crate) fn open_regular_file(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = platform::set_nonblocking_open(options).open(path)?;
    let kind = file.metadata()?;
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(io::Error::other(FileError::Device));
    }
    Ok(file)
}

/// Reads a regular file, but at most `most` + 1 bytes of it. A result of that length means that the file is
/// too long.
pub(crate) fn read_regular_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular_file(OpenOptions::new().read(true), path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reports whether a file is a readable regular file that is not empty and does not end with a newline.
pub(crate) fn lacks_final_newline(path: &Path) -> bool {
    let last = || -> io::Result<u8> {
        let mut file = open_regular_file(OpenOptions::new().read(true), path)?;
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        Ok(last[0])
    };
    last().is_ok_and(|last| last != b'\n')
}

/// Locks a file until it is closed. Returns an error if another process holds the lock.
pub(crate) fn lock_file(file: &File) -> io::Result<()> {
    Ok(file.try_lock()?)
}

/// Returns the bytes of a move file, which is a regular file or a pipe of at most [`MAX_MOVE_FILE_BYTES`].
///
/// ```
/// use crosspath::record::disk::{FileError, load_move_file};
/// assert!(matches!(load_move_file("no/such/file.txt".as_ref()), Err(FileError::Missing)));
/// ```
///
/// # Errors
/// Returns an error if the path is not such a file. A pipe must be opened by a writer within one second, and
/// must not stay silent for ten seconds.
pub fn load_move_file(path: &Path) -> Result<Vec<u8>, FileError> {
    let kind = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileError::Missing,
        _ => FileError::Io(error),
    })?;
    if kind.is_dir() {
        return Err(FileError::Directory);
    }
    let bytes =
        if kind.is_file() { read_regular_file(path, MAX_MOVE_FILE_BYTES)? } else { read_pipe(path, &kind)? };
    match bytes.len() as u64 {
        0 => Err(FileError::Empty),
        length if length > MAX_MOVE_FILE_BYTES => Err(FileError::TooLong),
        _ => Ok(bytes),
    }
}

/// Maximum size of a file with network weights, in bytes.
const MAX_WEIGHTS_BYTES: u64 = 16 << 20;

/// Reads the weights of a network from a file.
pub(crate) fn load_network_weights(file: &str) -> Result<Vec<u8>, String> {
    let bytes =
        read_regular_file(Path::new(file), MAX_WEIGHTS_BYTES).map_err(|error| describe_read_error(&error))?;
    if bytes.len() as u64 > MAX_WEIGHTS_BYTES {
        Err("the file is larger than 16 MiB".to_owned())
    } else {
        Ok(bytes)
    }
}

/// Reads a pipe to its end. A writer must open it within one second, and may then pause for at most ten
/// seconds.
fn read_pipe(path: &Path, kind: &fs::Metadata) -> Result<Vec<u8>, FileError> {
    /// Maximum time between two bytes from a pipe, in seconds.
    const PIPE_TIMEOUT_SECONDS: u64 = 10;
    let mut pipe = platform::open_named_pipe(path, kind)?.ok_or(FileError::Device)?;
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    let mut seconds = 1;
    while bytes.len() as u64 <= MAX_MOVE_FILE_BYTES {
        let is_ready = platform::wait_for_pipe_input(&pipe, Duration::from_secs(seconds))?;
        match pipe.read(&mut chunk) {
            // No writer has opened the pipe.
            Ok(0) if !is_ready => return Err(FileError::Silent(seconds)),
            Err(error) if !is_ready && error.kind() == io::ErrorKind::WouldBlock => {
                // A writer has opened the pipe but sent nothing.
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

/// Policy for a file that already exists at the path.
///
/// ```
/// use crosspath::record::disk::{ReplacePolicy, load_move_file, write_file};
/// let path = std::env::temp_dir().join(format!("crosspath-replace-{}.txt", std::process::id()));
/// write_file(&path, b"b2 a1\n", ReplacePolicy::Never)?;
/// assert!(write_file(&path, b"b2 c3\n", ReplacePolicy::Never).is_err());
/// write_file(&path, b"b2 c3\n", ReplacePolicy::Allowed)?;
/// assert_eq!(load_move_file(&path)?, b"b2 c3\n");
/// std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplacePolicy {
    /// The existing file stays, and nothing is written.
    Never,
    /// The existing file is replaced.
    Allowed,
}

/// Writes a file atomically: the content goes to a temporary file in the same folder, which then replaces the
/// target.
///
/// ```
/// use crosspath::record::disk::{load_move_file, save_file};
/// let path = std::env::temp_dir().join(format!("crosspath-save-{}.txt", std::process::id()));
/// save_file(&path, "# crosspath tic-tac-toe size=3\n")?;
/// assert!(load_move_file(&path)?.starts_with(b"# crosspath"));
/// std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the reason if nothing was written. The old file is then unchanged.
pub fn save_file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), FileError> {
    write_file(path, content.as_ref(), ReplacePolicy::Allowed)
}

/// Writes a file atomically, as [`save_file`] does. An existing file is replaced only if the policy allows
/// it.
///
/// ```
/// use crosspath::record::disk::{FileError, ReplacePolicy, write_file};
/// let path = std::env::temp_dir().join(format!("crosspath-write-{}.txt", std::process::id()));
/// write_file(&path, b"b2 a1\n", ReplacePolicy::Never)?;
/// assert!(matches!(write_file(&path, b"", ReplacePolicy::Never), Err(FileError::Exists)));
/// std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the reason if nothing was written. The old file is then unchanged.
pub fn write_file(path: &Path, content: &[u8], replace: ReplacePolicy) -> Result<(), FileError> {
    let target = resolve_symlinks(path)?;
    let old = fs::metadata(&target).ok();
    match &old {
        Some(kind) if kind.is_dir() => return Err(FileError::Directory),
        Some(kind) if !kind.is_file() => return Err(FileError::Device),
        Some(_) if replace == ReplacePolicy::Never => return Err(FileError::Exists),
        Some(kind) if kind.permissions().readonly() => {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
        }
        _ => {}
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    remove_stale_temporaries(folder);
    // Dropping the temporary file on an error removes it.
    let mut temporary = create_temporary_file(folder)?;
    let _ = lock_file(temporary.as_file()); // some file systems have no locks
    temporary.write_all(content)?;
    if let Some(old) = old {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    let named = match replace {
        ReplacePolicy::Allowed => temporary.persist(&target),
        ReplacePolicy::Never => temporary.persist_noclobber(&target),
    };
    named.map_err(|why| match why.error.kind() {
        io::ErrorKind::AlreadyExists => FileError::Exists,
        _ => FileError::Io(why.error),
    })?;
    // Syncing the folder makes the rename durable. Errors are ignored because some folders cannot be synced.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Resolves the symbolic links of a path, even if the target does not exist yet.
fn resolve_symlinks(path: &Path) -> io::Result<PathBuf> {
    /// Maximum number of symbolic links that are followed, as in common systems.
    const MAX_SYMLINKS_FOLLOWED: usize = 40;
    let mut here = path.to_path_buf();
    for _ in 0..MAX_SYMLINKS_FOLLOWED {
        match fs::read_link(&here) {
            // The target of a link is relative to the link's folder.
            Ok(next) => here = here.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(here),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Prefix of the names of temporary files. The process ID and a random number follow.
const TEMPORARY_FILE_PREFIX: &str = ".crosspath.";

/// Removes the temporary files of processes that were killed while saving. No process holds a lock on such a
/// file.
fn remove_stale_temporaries(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number =
            name.to_str().and_then(|name| name.strip_prefix(TEMPORARY_FILE_PREFIX)?.strip_suffix(".tmp"));
        let process = number.and_then(|number| number.split_once('.')).map(|(process, _)| process);
        let is_gone =
            process.and_then(|process| process.parse().ok()).is_some_and(platform::has_process_ended);
        let is_free = |file: File| lock_file(&file).is_ok();
        if is_gone && open_regular_file(OpenOptions::new().read(true), &entry.path()).is_ok_and(is_free) {
            let _ = fs::remove_file(entry.path()); // a failure leaves the file
        }
    }
}

/// Creates a temporary file with an unpredictable name and the usual permissions of new files.
fn create_temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let prefix = format!("{TEMPORARY_FILE_PREFIX}{}.", std::process::id());
    builder.prefix(&prefix).suffix(".tmp");
    platform::set_default_permissions(&mut builder);
    builder.tempfile_in(folder)
}
