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

use crate::stdin::LONGEST_LINE;

/// Bytes of the last notes that are kept.
const MAX_TAIL_BYTES: usize = 64 * 1024;
/// Lines that may wait to be read before the program has to wait.
const WAITING_LINES: usize = 256;
/// Number of times that a program which Ctrl-C has ended at once is started again. Until it stands in a group of its
/// own, which takes a moment, a Ctrl-C that is meant for us reaches it, and its guard, too.
pub(super) const RESTARTS: usize = 3;
/// Time in which a program has to end when it is told to, and again when it is asked by a signal.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// Time in which the last notes of a program that has ended have to arrive, and it itself has to be gone.
const LAST_NOTES: Duration = Duration::from_millis(200);

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
        let (mut child, guard) = group::start(&mut command)?;
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
        group::ending(&self.child)
    }

    /// Reports whether Ctrl-C has ended it.
    pub(super) fn is_interrupted(&self) -> bool {
        group::is_interrupted(&self.child)
    }

    /// Returns the CPU time that it has used; `None` where the system does not tell.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        group::cpu_time(self.child.id())
    }

    /// Ends the program and all that it has started: by its own word, by the end of its input, by signals.
    pub(super) fn stop(&mut self, farewell: Option<&str>) {
        if let Some(word) = farewell {
            let _ = self.send(word); // one that has ended needs no farewell
        }
        self.input = None;
        group::stop(&mut self.child, self.guard.take());
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

/// Groups of processes, as Unix has them.
#[cfg(unix)]
mod group {
    use std::io::{self, Read};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};

    use super::{EXIT_TIMEOUT, LAST_NOTES, RESTARTS};

    /// Script of the guard: it says that it is there; when its input ends it asks its group to end, and then ends it
    /// and itself.
    const GUARD_SCRIPT: &str =
        "trap '' HUP INT TERM; echo; read -r _; kill -TERM -$$; sleep 1; kill -KILL -$$";

    /// Starts a program in the group of a guard. That ends the group as soon as we have gone, even where we were killed.
    pub(super) fn start(command: &mut Command) -> io::Result<(Child, Option<Child>)> {
        let Some(mut guard) = (0..=RESTARTS).find_map(|_| start_guard()) else {
            return Ok((command.process_group(0).spawn()?, None));
        };
        match command.process_group(number(&guard)).spawn() {
            Ok(child) => Ok((child, Some(guard))),
            Err(error) => {
                end(&mut guard);
                Err(error)
            }
        }
    }

    /// Starts a guard and waits until it is on guard.
    fn start_guard() -> Option<Child> {
        let mut guard = Command::new("/bin/sh");
        guard.args(["-c", GUARD_SCRIPT]).process_group(0);
        guard.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut guard = guard.spawn().ok()?;
        let is_there = guard.stdout.take().is_some_and(|mut said| said.read_exact(&mut [0]).is_ok());
        if !is_there {
            end(&mut guard);
        }
        is_there.then_some(guard)
    }

    fn number(child: &Child) -> i32 {
        i32::try_from(child.id()).expect("numbers of processes are positive")
    }

    fn end(child: &mut Child) {
        let _ = child.kill(); // it may have ended
        let _ = child.wait();
    }

    pub(super) fn stop(child: &mut Child, guard: Option<Child>) {
        // Nobody is waited for until all is done: so long their numbers are nobody else's.
        let group = Pid::from_raw(guard.as_ref().map_or(number(child), number));
        if let Some((pid, group)) = Pid::from_raw(number(child)).zip(group) {
            let _ = has_ended_within(pid, EXIT_TIMEOUT)
                || kill_process_group(group, Signal::TERM).is_ok() && has_ended_within(pid, EXIT_TIMEOUT);
            // Others of the group may be left.
            let _ = kill_process_group(group, Signal::KILL);
        }
        end(child);
        if let Some(mut guard) = guard {
            end(&mut guard);
        }
    }

    /// Returns the way a program has ended. It stays to be waited for.
    pub(super) fn ending(child: &Child) -> Option<String> {
        let status = status(child)?;
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(format!("ended with exit code {code}")),
            (None, Some(number)) => {
                let name = Signal::from_named_raw(number).map(|signal| format!("{signal:?}"));
                let name =
                    name.map(|name| format!(" ({})", name.trim_matches('"').replace("Signal::", "SIG")));
                Some(format!("was killed by signal {number}{}", name.unwrap_or_default()))
            }
            (None, None) => None,
        }
    }

    /// Reports whether Ctrl-C has ended a program. It stays to be waited for.
    pub(super) fn is_interrupted(child: &Child) -> bool {
        status(child).and_then(|status| status.terminating_signal()) == Some(Signal::INT.as_raw())
    }

    /// Returns the status with which a program has ended, if it has or soon does.
    fn status(child: &Child) -> Option<WaitIdStatus> {
        let pid = Pid::from_raw(number(child))?;
        if !has_ended_within(pid, LAST_NOTES) {
            return None;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(pid), options).ok()?
    }

    fn has_ended_within(pid: Pid, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let mut pause = Duration::from_micros(200);
        loop {
            // A child that cannot be asked about is none any more.
            if waitid(WaitId::Pid(pid), options).map_or(true, |status| status.is_some()) {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// User and system time, in hundredths of a second, from the list of processes.
    #[cfg(target_os = "linux")]
    pub(super) fn cpu_time(id: u32) -> Option<Duration> {
        let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name may hold blanks and parentheses; what follows does not.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
        let a_second = rustix::param::clock_ticks_per_second();
        Some(Duration::from_millis(ticks * 1000 / a_second.max(1)))
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn cpu_time(_: u32) -> Option<Duration> {
        None
    }
}

/// Elsewhere a child stands alone.
#[cfg(not(unix))]
mod group {
    use std::io;
    use std::process::{Child, Command};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::EXIT_TIMEOUT;

    pub(super) fn start(command: &mut Command) -> io::Result<(Child, Option<Child>)> {
        Ok((command.spawn()?, None))
    }

    pub(super) fn stop(child: &mut Child, _: Option<Child>) {
        let until = Instant::now() + EXIT_TIMEOUT;
        while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Only a wait that takes the process away would tell.
    pub(super) fn ending(_: &Child) -> Option<String> {
        None
    }

    pub(super) fn is_interrupted(_: &Child) -> bool {
        false
    }

    pub(super) fn cpu_time(_: u32) -> Option<Duration> {
        None
    }
}
