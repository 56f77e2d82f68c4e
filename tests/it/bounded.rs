//! Runs of the program that might hang: a test fails unless it ends within seconds.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Run, crosspath, end_within, finished};

/// Time limit of a run, generous enough for a busy computer.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Runs the program with its saved games and config file in a folder.
pub(crate) fn run_at_home(home: &std::path::Path, arguments: &[&str], input: &str) -> Run {
    let mut command = crosspath(arguments);
    command.env("XDG_STATE_HOME", home).env("XDG_CONFIG_HOME", home);
    run_to_end(command, input)
}

/// Runs a program to its end. Panics if it takes longer than [`TIME_LIMIT`].
#[track_caller]
pub(crate) fn run_to_end(mut command: Command, input: &str) -> Run {
    // Files accept any amount of output without a reader.
    let (out, err) = (tempfile::NamedTempFile::new().unwrap(), tempfile::NamedTempFile::new().unwrap());
    command.stdin(Stdio::piped());
    command.stdout(out.reopen().unwrap()).stderr(err.reopen().unwrap());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(input.as_bytes()); // the program may exit before it has read everything
    drop(stdin);
    let status = end_within(TIME_LIMIT, child);
    let [stdout, stderr] = [out, err].map(|file| std::fs::read(file.path()).unwrap());
    finished(&std::process::Output { status, stdout, stderr })
}
