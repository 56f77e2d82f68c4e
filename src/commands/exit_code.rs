//! Exit codes: errors with their own exit code, and the error message printed at exit.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Error with its own exit code.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
struct ExitCodeError {
    code: u8,
    why: String,
}

/// Creates an error with an exit code.
pub(super) fn failure_with_code(code: u8, why: impl Display) -> anyhow::Error {
    ExitCodeError { code, why: why.to_string() }.into()
}

/// Creates a usage error, with exit code 2.
pub(super) fn usage_error(why: impl Display) -> anyhow::Error {
    failure_with_code(2, why)
}

/// Creates an error for a bad move file, with exit code 65.
pub(super) fn bad_file_error(why: impl Display) -> anyhow::Error {
    failure_with_code(65, why)
}

/// Reports whether an error shows that the terminal is gone, as after an ignored hang-up signal.
pub(super) fn is_terminal_hang_up(error: &anyhow::Error) -> bool {
    /// Error code EIO, which has no name in Rust.
    const EIO_CODE: i32 = 5;
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.raw_os_error() == Some(EIO_CODE))
}

/// Prints an error and returns its exit code. A closed output pipe is not an error.
pub(super) fn print_error(error: &anyhow::Error) -> u8 {
    let is_broken_pipe = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(is_broken_pipe) {
        return 0;
    }
    let (code, why) = match error.downcast_ref::<ExitCodeError>() {
        Some(ExitCodeError { code, why }) => (*code, why.clone()),
        None => (1, error.chain().map(uncapitalize_error).collect::<Vec<_>>().join(": ")),
    };
    if !why.is_empty() {
        // A failed write to standard error is ignored; the exit code remains.
        let _ = writeln!(io::stderr(), "error: {why}");
    }
    code
}

/// Returns the message of an error with a lower-case first letter, for use within a sentence.
fn uncapitalize_error(cause: &(dyn Error + 'static)) -> String {
    let text = cause.to_string();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
