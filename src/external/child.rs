//! A program that runs beside this one and is spoken to in lines: started without a shell in a group of its own, ended with
//! all that it has started, whatever ends this program. Knows no protocol.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::platform::{LAST_NOTES, processes};
use crate::stdin::LONGEST_LINE;

/// Bytes of the last notes that are kept.
const MAX_TAIL_BYTES: usize = 64 * 1024;
/// Lines that may wait to be read before the program has to wait.
const WAITING_LINES: usize = 256;

/// Why no line has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadError {
    /// The time is up.
    TimeOut,
    /// The program has ended, or has closed its output.
    Ended,
    /// The line is longer than any that a program would write.
    TooLong,
}

/// Text that the program has written to its standard error.
#[derive(Debug, Default)]
struct StderrTail {
    tail: VecDeque<u8>,
    is_closed: bool,
}

/// A running program.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Result<String, ReadError>>,
    notes: Arc<Mutex<StderrTail>>,
    guard: Option<Child>,
}

impl Process {
    /// Starts a program, its name in front, in this folder.
    pub(super) fn start(words: &[String], folder: Option<&Path>) -> io::Result<Self> {
        let (name, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(name);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        // Whatever happens from here on, the program ends with us.
        let (mut child, guard) = processes::start(&mut command)?;
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is a pipe"));
        let errors = child.stderr.take().expect("it is a pipe");
        let (teller, lines) = sync_channel(WAITING_LINES);
        let notes = Arc::new(Mutex::new(StderrTail::default()));
        let mut process = Process { child, input, lines, notes: Arc::clone(&notes), guard };
        let spawn = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(work).map(drop);
        let listens = spawn(Box::new(move || listen(output, &teller)))
            .and_then(|()| spawn(Box::new(move || take_notes(errors, &notes))));
        listens.inspect_err(|_| process.stop(None))?;
        Ok(process)
    }

    /// Writes a line.
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// The next line that it writes until then.
    pub(super) fn line(&mut self, until: Instant) -> Result<String, ReadError> {
        let left = until.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Err(ReadError::TimeOut),
            Err(RecvTimeoutError::Disconnected) => Err(ReadError::Ended),
        }
    }

    /// The last that it has written to its standard error.
    pub(super) fn notes(&self) -> String {
        let until = Instant::now() + LAST_NOTES;
        loop {
            let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
            if notes.is_closed || Instant::now() >= until {
                return String::from_utf8_lossy(notes.tail.make_contiguous()).into_owned();
            }
            drop(notes);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns the way it has ended, as the end of a sentence: `ended with exit code 3`; `None` if it goes on.
    pub(super) fn ending(&self) -> Option<String> {
        processes::ending(&self.child)
    }

    /// Reports whether Ctrl-C has ended it.
    pub(super) fn is_interrupted(&self) -> bool {
        processes::is_interrupted(&self.child)
    }

    /// Returns the CPU time that it has used; `None` where the system does not tell.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        processes::cpu_time(self.child.id())
    }

    /// Ends the program and all that it has started: by its own word, by the end of its input, by signals.
    pub(super) fn stop(&mut self, farewell: Option<&str>) {
        if let Some(word) = farewell {
            let _ = self.send(word); // one that has ended needs no farewell
        }
        self.input = None;
        processes::stop(&mut self.child, self.guard.take());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.input.is_some() {
            self.stop(None);
        }
    }
}

/// Hands on lines until the output ends, a line has no end, or nobody wants them.
fn listen(output: impl Read, teller: &SyncSender<Result<String, ReadError>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = Read::take(&mut output, LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let is_long = line.pop_if(|byte| *byte == b'\n').is_none() && line.len() > LONGEST_LINE;
        let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
        if teller.send(if is_long { Err(ReadError::TooLong) } else { Ok(text) }).is_err() || is_long {
            return;
        }
    }
}

/// Keeps the end of what is written.
fn take_notes(mut errors: impl Read, notes: &Mutex<StderrTail>) {
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
                let surplus = notes.tail.len().saturating_sub(MAX_TAIL_BYTES);
                notes.tail.drain(..surplus);
            }
        }
    }
}
