//! Files on Unix: permissions, named pipes, paths as bytes.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::to_timespec;

/// Creates a folder that only its owner can read.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Sets flags so that opening a pipe does not wait for its other end, and opening a terminal does not make it
/// the controlling one.
pub(crate) fn set_nonblocking_open(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed())
}

/// Gives a temporary file the permissions of ordinary new files.
pub(crate) fn set_default_permissions(file: &mut tempfile::Builder<'_, '_>) {
    file.permissions(Permissions::from_mode(0o666));
}

/// Reports whether an open file has no name any more.
pub(crate) fn is_unlinked(file: &File) -> bool {
    file.metadata().is_ok_and(|kind| kind.nlink() == 0)
}

/// Converts bytes to a path.
pub(crate) fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

/// Opens a named pipe for reading, without waiting for a writer; `None` if the path is not a pipe.
pub(crate) fn open_named_pipe(path: &Path, kind: &fs::Metadata) -> io::Result<Option<File>> {
    if !kind.file_type().is_fifo() {
        return Ok(None);
    }
    let pipe = open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
    Ok(Some(File::from(pipe)))
}

/// Waits up to `wait` for data in a pipe and reports whether there is any.
pub(crate) fn wait_for_pipe_input(pipe: &File, wait: Duration) -> io::Result<bool> {
    Ok(poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&to_timespec(wait)))? > 0)
}

/// Reports whether a process ID certainly belongs to no process.
pub(crate) fn has_process_ended(process: i32) -> bool {
    Pid::from_raw(process).is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH))
}
