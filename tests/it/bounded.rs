//! The program where it might hang: it ends within seconds, or the test fails.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Run, crosspath, end_within, finished};

/// Time that these runs never take, however busy the computer is.
const LIMIT: Duration = Duration::from_secs(20);

/// Runs the program with its games and config file in this folder.
pub(crate) fn at_home(home: &std::path::Path, arguments: &[&str], input: &str) -> Run {
    let mut command = crosspath(arguments);
    command.env("XDG_STATE_HOME", home).env("XDG_CONFIG_HOME", home);
    ends(command, input)
}

/// Runs a program to its end.
#[track_caller]
pub(crate) fn ends(mut command: Command, input: &str) -> Run {
    // Files take any amount of output while nobody reads.
    let (out, err) = (tempfile::NamedTempFile::new().unwrap(), tempfile::NamedTempFile::new().unwrap());
    command.stdin(Stdio::piped());
    command.stdout(out.reopen().unwrap()).stderr(err.reopen().unwrap());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(input.as_bytes()); // the program may leave before it has read everything
    drop(stdin);
    let status = end_within(LIMIT, child);
    let [stdout, stderr] = [out, err].map(|file| std::fs::read(file.path()).unwrap());
    finished(&std::process::Output { status, stdout, stderr })
}
