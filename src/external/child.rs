//! A child process with line-based input and output.
//!
//! The process is started without a shell, in its own process group. It is ended with all its
//! descendants, however this program ends. This module does not depend on the protocols.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::platform::{FINAL_STDERR_TIMEOUT, processes};
use crate::stdin::MAX_LINE_BYTES;

/// Maximum number of bytes kept from the end of a program's standard error.
const MAX_STDERR_TAIL_BYTES: usize = 64 * 1024;
/// Maximum number of unread lines. A program that writes more lines has to wait.
const MAX_UNREAD_LINES: usize = 256;

/// Reason why no line was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadError {
    /// No line arrived in time.
    TimeOut,
    /// The program has ended or has closed its output.
    Ended,
    /// The line is longer than the limit.
    TooLong,
}

/// End of the text that the program wrote to its standard error.
#[derive(Debug, Default)]
struct StderrTail {
    tail: VecDeque<u8>,
    is_closed: bool,
}

/// A running engine program.
#[derive(Debug)]
pub(super) struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Result<String, ReadError>>,
    notes: Arc<Mutex<StderrTail>>,
    guard: Option<Child>,
}

impl EngineProcess {
    /// Starts a program in a folder. The first word is the name of the program.
    pub(super) fn start(words: &[String], folder: Option<&Path>) -> io::Result<Self> {
        let (name, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(name);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        // From here on the program ends with this one, whatever happens.
        let (mut child, guard) = processes::start_in_group(&mut command)?;
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is a pipe"));
        let errors = child.stderr.take().expect("it is a pipe");
        let (teller, lines) = sync_channel(MAX_UNREAD_LINES);
        let notes = Arc::new(Mutex::new(StderrTail::default()));
        let mut process = EngineProcess { child, input, lines, notes: Arc::clone(&notes), guard };
        let spawn = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(work).map(drop);
        let listens = spawn(Box::new(move || forward_lines(output, &teller)))
            .and_then(|()| spawn(Box::new(move || collect_stderr_tail(errors, &notes))));
        listens.inspect_err(|_| process.stop(None))?;
        Ok(process)
    }

    /// Writes a line to the program.
    pub(super) fn send_line(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// Reads the next line, and waits for it no longer than `until`.
    pub(super) fn read_line(&mut self, until: Instant) -> Result<String, ReadError> {
        let left = until.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Err(ReadError::TimeOut),
            Err(RecvTimeoutError::Disconnected) => Err(ReadError::Ended),
        }
    }

    /// Returns the end of the program's standard error.
    pub(super) fn stderr_tail(&self) -> String {
        let until = Instant::now() + FINAL_STDERR_TIMEOUT;
        loop {
            let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
            if notes.is_closed || Instant::now() >= until {
                return String::from_utf8_lossy(notes.tail.make_contiguous()).into_owned();
            }
            drop(notes);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Describes how the program ended, such as `ended with exit code 3`. Returns `None` if it is
    /// running.
    pub(super) fn describe_ending(&self) -> Option<String> {
        processes::describe_exit(&self.child)
    }

    /// Reports whether Ctrl-C has ended the program.
    pub(super) fn is_interrupted(&self) -> bool {
        processes::was_ended_by_ctrl_c(&self.child)
    }

    /// Returns the CPU time that the program has used; `None` if the system does not report it.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        processes::cpu_time_of_process(self.child.id())
    }

    /// Terminates the process group: quit command, end of input, then signals.
    pub(super) fn stop(&mut self, farewell: Option<&str>) {
        if let Some(word) = farewell {
            let _ = self.send_line(word); // the program may have ended already
        }
        self.input = None;
        processes::stop_group(&mut self.child, self.guard.take());
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        if self.input.is_some() {
            self.stop(None);
        }
    }
}

/// Forwards lines until the output ends, a line is too long or the receiver is gone.
fn forward_lines(output: impl Read, teller: &SyncSender<Result<String, ReadError>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = Read::take(&mut output, MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let is_long = line.pop_if(|byte| *byte == b'\n').is_none() && line.len() > MAX_LINE_BYTES;
        let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
        if teller.send(if is_long { Err(ReadError::TooLong) } else { Ok(text) }).is_err() || is_long {
            return;
        }
    }
}

/// Reads a program's standard error and keeps the end of it.
fn collect_stderr_tail(mut errors: impl Read, notes: &Mutex<StderrTail>) {
    let mut piece = [0; 4096];
    loop {
        let read = errors.read(&mut piece);
        let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
        match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => {
                notes.is_closed = true;
                return;
            }
            Ok(count) => {
                notes.tail.extend(&piece[..count]);
                let surplus = notes.tail.len().saturating_sub(MAX_STDERR_TAIL_BYTES);
                notes.tail.drain(..surplus);
            }
        }
    }
}
