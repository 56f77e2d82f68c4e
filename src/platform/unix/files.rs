//! Files of Unix: rights, pipes with names, names as bytes.

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

use super::timespec;

/// Makes a folder that nobody else reads.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Adds that opening a pipe must not wait for its other end, and that a terminal does not become that of this process.
pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed())
}

/// Makes a temporary file as readable as other new files are.
pub(crate) fn set_usual_permissions(file: &mut tempfile::Builder<'_, '_>) {
    file.permissions(Permissions::from_mode(0o666));
}

/// Reports whether an open file has no name any more.
pub(crate) fn is_unlinked(file: &File) -> bool {
    file.metadata().is_ok_and(|kind| kind.nlink() == 0)
}

/// Returns the path of these bytes.
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

/// Opens a pipe with a name for reading, without waiting for who writes; `None` if something else is at the path.
pub(crate) fn open_pipe(path: &Path, kind: &fs::Metadata) -> io::Result<Option<File>> {
    if !kind.file_type().is_fifo() {
        return Ok(None);
    }
    let pipe = open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
    Ok(Some(File::from(pipe)))
}

/// Waits so long for something in a pipe and reports whether it has come.
pub(crate) fn wait_for_pipe(pipe: &File, wait: Duration) -> io::Result<bool> {
    Ok(poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&timespec(wait)))? > 0)
}

/// Reports whether there is certainly no process with this number.
pub(crate) fn has_ended(process: i32) -> bool {
    Pid::from_raw(process).is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH))
}
