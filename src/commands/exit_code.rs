//! The end of the program: errors with an exit code of their own, and the last message.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Error with its own exit code.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
struct Failure {
    code: u8,
    why: String,
}

pub(super) fn failure(code: u8, why: impl Display) -> anyhow::Error {
    Failure { code, why: why.to_string() }.into()
}

pub(super) fn usage(why: impl Display) -> anyhow::Error {
    failure(2, why)
}

pub(super) fn bad_file(why: impl Display) -> anyhow::Error {
    failure(65, why)
}

/// Reports whether the terminal is gone, as after a hang-up that is ignored.
pub(super) fn is_hang_up(error: &anyhow::Error) -> bool {
    /// EIO, which Rust has no name for.
    const INPUT_OUTPUT: i32 = 5;
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.raw_os_error() == Some(INPUT_OUTPUT))
}

/// Prints what went wrong, unless the reader of the output simply left; returns the exit code.
pub(super) fn exit_code(error: &anyhow::Error) -> u8 {
    let is_broken_pipe = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(is_broken_pipe) {
        return 0;
    }
    let (code, why) = match error.downcast_ref::<Failure>() {
        Some(Failure { code, why }) => (*code, why.clone()),
        None => (1, error.chain().map(uncapitalized).collect::<Vec<_>>().join(": ")),
    };
    if !why.is_empty() {
        // Without standard error the exit code still shows it.
        let _ = writeln!(io::stderr(), "error: {why}");
    }
    code
}

/// Returns the message of an error with its first letter in lower case, for the inside of a
/// sentence.
fn uncapitalized(cause: &(dyn Error + 'static)) -> String {
    let text = cause.to_string();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
