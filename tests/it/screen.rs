//! The program on a pseudo-terminal whose screen can be read.

use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pts, Pty};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::tcgetattr;
use tempfile::TempDir;

/// Maximum time of a wait, even on a busy computer.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// Longer than the program waits for the rest of an incomplete sequence or for a key after Esc.
const SEQUENCE_TIMEOUT: Duration = Duration::from_millis(60);

/// The program on an 80x24 terminal. It is killed when dropped.
pub(crate) struct Terminal {
    child: Child,
    /// The two ends of the terminal: ours and the program's.
    ends: Option<(Arc<Pty>, Pts)>,
    chunks: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
    /// Number of bytes that `expect_output` has returned.
    returned: usize,
    before: String,
    is_closing: Arc<AtomicBool>,
    is_deaf: Arc<AtomicBool>,
    reading: Option<JoinHandle<()>>,
    _home: TempDir,
    /// Locked while output is on its way from the terminal to `chunks`.
    underway: Arc<Mutex<()>>,
    /// `true` if the program may wait for the rest of the last input, as after Esc.
    is_part_sent: bool,
    has_ended: bool,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill().and_then(|()| self.child.wait());
        self.is_closing.store(true, Ordering::SeqCst);
        self.wake_reader();
    }
}

/// Prepares a shell script that runs the program as `"$0" "$@"`.
pub(crate) fn shell(script: &str, arguments: &[&str]) -> Builder {
    let mut command = Command::new("/bin/sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_crosspath")])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "LC_CTYPE", "LANG", "COLORTERM"] {
        command = command.env_remove(name);
    }
    let home = tempfile::tempdir().unwrap();
    let command = command.env("XDG_STATE_HOME", home.path()).env("XDG_CONFIG_HOME", home.path());
    Builder(command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8").env("RUST_BACKTRACE", "0"), home)
}

/// Command in preparation, with a folder for its journals.
pub(crate) struct Builder(Command, TempDir);

impl Builder {
    pub(crate) fn env(self, name: &str, value: &str) -> Self {
        Builder(self.0.env(name, value), self.1)
    }
}

/// Starts the program directly.
pub(crate) fn crosspath(arguments: &[&str]) -> Terminal {
    Terminal::start(shell("exec \"$0\" \"$@\"", arguments))
}

fn settings(program: &Pts) -> String {
    format!("{:?}", tcgetattr(program).unwrap())
}

/// Waits until bytes can be read or the end is closed, at most this long; reports whether that
/// happened.
fn has_input(end: &impl AsFd, wait: Duration) -> bool {
    let wait = Timespec::try_from(wait).unwrap();
    poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&wait)).is_ok_and(|count| count > 0)
}

/// Reports whether further bytes could belong to the last key.
fn ends_in_part(keys: &str) -> bool {
    let is_whole =
        |rest: &str| rest.len() > 1 && rest != "[M" && rest.ends_with(|c: char| c.is_ascii_alphabetic());
    keys.rsplit_once('\u{1b}').is_some_and(|(_, rest)| !is_whole(rest))
}

/// State of a thread as the system reports it.
#[derive(Debug, PartialEq, Eq)]
struct Thread {
    is_running: bool,
    has_ended: bool,
    /// Thread id, and the numbers of its voluntary and other context switches.
    numbers: Vec<String>,
}

impl Thread {
    fn of(status: &str) -> Self {
        let fields =
            |name: &str| status.lines().filter(|line| line.starts_with(name)).map(str::to_owned).collect();
        let state: Vec<String> = fields("State:");
        let letter = state.first().and_then(|line| line.split_whitespace().nth(1).map(str::to_owned));
        let names = ["Pid:", "voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"];
        Thread {
            is_running: !matches!(letter.as_deref(), Some("S" | "T")),
            has_ended: matches!(letter.as_deref(), Some("Z" | "X")),
            numbers: names.into_iter().flat_map(fields).collect::<Vec<String>>(),
        }
    }
}

impl Terminal {
    pub(crate) fn start(mut command: Builder) -> Self {
        let (person, program) = pty_process::blocking::open().unwrap();
        person.resize(Size::new(24, 80)).unwrap();
        let before = settings(&program);
        let child = command.0.spawn_borrowed(&program).unwrap();
        let person = Arc::new(person);
        let (sender, chunks) = channel();
        let is_closing = Arc::new(AtomicBool::new(false));
        let closes = Arc::clone(&is_closing);
        let is_deaf = Arc::new(AtomicBool::new(false));
        let waits = Arc::clone(&is_deaf);
        let underway = Arc::new(Mutex::new(()));
        let (own_underway, output) = (Arc::clone(&underway), Arc::clone(&person));
        let reading = std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while !closes.load(Ordering::SeqCst) {
                if waits.load(Ordering::SeqCst) {
                    std::thread::park_timeout(MAX_WAIT); // until the terminal is read again or closes
                    continue;
                }
                if !has_input(&*output, Duration::from_millis(20)) {
                    continue;
                }
                let _underway = own_underway.lock().unwrap();
                match (&*output).read(&mut buffer) {
                    Ok(count) if count > 0 && sender.send(buffer[..count].to_vec()).is_ok() => {}
                    _ => break,
                }
            }
        });
        let screen = vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 0);
        Terminal {
            child,
            ends: Some((person, program)),
            chunks,
            screen,
            raw: Vec::new(),
            returned: 0,
            before,
            is_closing,
            is_deaf,
            reading: Some(reading),
            _home: command.1,
            underway,
            is_part_sent: false,
            has_ended: false,
        }
    }

    fn read(&mut self, chunk: &[u8]) {
        self.screen.process(chunk);
        self.raw.extend_from_slice(chunk);
    }

    /// Reads output for this long; returns the number of bytes.
    pub(crate) fn read_for(&mut self, time: Duration) -> usize {
        let (until, mut count) = (Instant::now() + time, 0);
        while let Ok(chunk) = self.chunks.recv_timeout(until.saturating_duration_since(Instant::now())) {
            count += chunk.len();
            self.read(&chunk);
        }
        count
    }

    /// Stops or resumes reading from the terminal.
    pub(crate) fn set_deaf(&self, is_deaf: bool) {
        self.is_deaf.store(is_deaf, Ordering::SeqCst);
        self.wake_reader();
    }

    /// Wakes the reader thread after a change of `is_deaf` or at the end.
    fn wake_reader(&self) {
        if let Some(reading) = &self.reading {
            reading.thread().unpark();
        }
    }

    /// Returns the rows of the screen without trailing spaces.
    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Returns all output except an incomplete last character.
    pub(crate) fn raw(&self) -> &str {
        std::str::from_utf8(&self.raw).unwrap_or_else(|error| {
            assert_eq!(error.error_len(), None, "only UTF-8 is sent");
            std::str::from_utf8(&self.raw[..error.valid_up_to()]).unwrap()
        })
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub(crate) fn expect(&mut self, text: &str) {
        self.wait_until(text, |terminal| terminal.text().contains(text).then_some(()));
    }

    /// Waits until the title shows at least this many moves. On a busy computer several moves may
    /// appear at once.
    #[track_caller]
    pub(crate) fn expect_moves(&mut self, least: usize) {
        self.wait_until("number of moves", |terminal| {
            let text = terminal.text();
            let words: Vec<&str> = text.lines().next()?.split_whitespace().collect();
            let counts = words
                .windows(2)
                .filter(|two| two[0] == "of")
                .filter_map(|two| two[1].trim_end_matches([':', ',']).parse().ok());
            counts.max().filter(|&count: &usize| count >= least).map(drop)
        });
    }

    /// Waits for a text in the output since the last such wait; returns the output since then,
    /// which ends with the text.
    #[track_caller]
    pub(crate) fn expect_output(&mut self, text: &str) -> String {
        let end = self.wait_until(text, |terminal| {
            terminal.raw()[terminal.returned..].find(text).map(|start| terminal.returned + start + text.len())
        });
        let output = self.raw()[self.returned..end].to_owned();
        self.returned = end;
        output
    }

    /// Returns the output since the last such wait.
    pub(crate) fn rest_of_output(&self) -> &str {
        &self.raw()[self.returned..]
    }

    #[track_caller]
    fn wait_until<T>(&mut self, text: &str, look: impl Fn(&Self) -> Option<T>) -> T {
        let until = Instant::now() + MAX_WAIT;
        loop {
            if let Some(seen) = look(self) {
                return seen;
            }
            match self.chunks.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(chunk) => self.read(&chunk),
                Err(RecvTimeoutError::Timeout) => panic!("no {text:?} on\n{}", self.text()),
                Err(RecvTimeoutError::Disconnected) => panic!("ended before {text:?} on\n{}", self.text()),
            }
        }
    }

    /// Waits until the program has read all input, has drawn its effects, and waits for more. It
    /// never returns while an engine thinks.
    #[track_caller]
    pub(crate) fn settle(&mut self) {
        if !cfg!(target_os = "linux") {
            self.read_for(Duration::from_millis(150));
            return;
        }
        self.rest();
        if std::mem::take(&mut self.is_part_sent) {
            // The program sleeps only until it gives up waiting for the rest of a sequence.
            std::thread::sleep(SEQUENCE_TIMEOUT);
            self.rest();
        }
    }

    /// Waits until only time or input can change the state.
    #[track_caller]
    fn rest(&mut self) {
        let until = Instant::now() + MAX_WAIT;
        while !self.is_at_rest() {
            assert!(Instant::now() < until, "no rest: {:?}\n{}", self.threads(), self.text());
            self.read_for(Duration::from_millis(2));
        }
        self.read_for(Duration::ZERO);
    }

    /// Reports whether all threads sleep, all input is read and all output has been received.
    /// Between two equal observations all of that was true at once.
    fn is_at_rest(&self) -> bool {
        let _underway = self.underway.lock().unwrap();
        let before = self.threads();
        // These waits of zero length also flush bytes between the two ends of the terminal.
        let ends = self.ends.as_ref();
        let has_output = ends.is_some_and(|(person, _)| has_input(&**person, Duration::ZERO));
        let has_unread = ends.is_some_and(|(_, program)| has_input(program, Duration::ZERO));
        let is_drained = !has_output || self.is_deaf.load(Ordering::SeqCst);
        let has_read = before.is_empty() || !has_unread;
        let sleeps = !before.iter().any(|thread| thread.is_running);
        is_drained && has_read && sleeps && before == self.threads()
    }

    /// Returns the threads of the process, or none after its end.
    fn threads(&self) -> Vec<Thread> {
        let tasks = format!("/proc/{}/task", self.child.id());
        let Some(tasks) = std::fs::read_dir(tasks).ok().filter(|_| !self.has_ended) else {
            return Vec::new();
        };
        // A thread that has ended meanwhile was running.
        let status =
            |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
        let threads = tasks.flatten().map(|task| Thread::of(&status(task)));
        threads.filter(|thread| !thread.has_ended).collect()
    }

    fn person(&self) -> &Pty {
        &self.ends.as_ref().unwrap().0
    }

    pub(crate) fn send(&mut self, keys: &str) {
        self.person().write_all(keys.as_bytes()).unwrap();
        self.is_part_sent = ends_in_part(keys);
    }

    /// Presses and releases the left mouse button.
    pub(crate) fn click(&mut self, x: u16, y: u16) {
        let (x, y) = (x + 1, y + 1);
        self.send(&format!("\u{1b}[<0;{x};{y}M\u{1b}[<0;{x};{y}m"));
    }

    pub(crate) fn place_of_cursor(&self) -> (u16, u16) {
        let (y, x) = self.screen.screen().cursor_position();
        (x, y)
    }

    pub(crate) fn at(&self, x: u16, y: u16) -> String {
        self.screen.screen().cell(y, x).unwrap().contents().to_owned()
    }

    pub(crate) fn is_full_screen(&self) -> bool {
        self.screen.screen().alternate_screen()
    }

    /// Changes the size of the window and notifies the program.
    pub(crate) fn set_size(&mut self, columns: u16, rows: u16) {
        self.screen.screen_mut().set_size(rows.try_into().unwrap(), columns.try_into().unwrap());
        self.person().resize(Size::new(rows, columns)).unwrap();
    }

    /// Changes the size of the window when the program is idle, and waits until it is idle again.
    #[track_caller]
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.settle();
        self.set_size(columns, rows);
        self.settle();
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Sends the program a new window size, but keeps the size of the screen that is read.
    pub(crate) fn tell_size(&mut self, columns: u16, rows: u16) {
        self.person().resize(Size::new(rows, columns)).unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Closes the terminal.
    pub(crate) fn close(&mut self) {
        // The reader thread also keeps the terminal open.
        self.is_closing.store(true, Ordering::SeqCst);
        self.wake_reader();
        self.reading.take().unwrap().join().unwrap();
        self.ends = None;
    }

    /// Waits until the process is in a state, such as `T` for stopped.
    pub(crate) fn wait_for_state(&mut self, state: char) {
        let until = Instant::now() + MAX_WAIT;
        while self.stat().split_whitespace().next() != Some(&state.to_string()) {
            assert!(Instant::now() < until, "{}", self.stat());
            self.read_for(Duration::from_millis(10));
        }
    }

    /// Returns the `/proc` status line of the process, from the state on.
    fn stat(&self) -> String {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(path).unwrap_or_default();
        stat.rsplit(") ").next().unwrap_or_default().to_owned()
    }

    /// Returns the CPU time of the process in ticks, which are hundredths of a second.
    pub(crate) fn cpu_ticks(&self) -> u64 {
        let stat = self.stat();
        let fields: Vec<&str> = stat.split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    /// Waits for the end; returns the exit code, or 128 plus the signal that killed the program.
    pub(crate) fn end(&mut self) -> i32 {
        let until = Instant::now() + MAX_WAIT;
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                let killed_by = std::os::unix::process::ExitStatusExt::signal(&status);
                break status.code().or(killed_by.map(|signal| 128 + signal)).unwrap();
            }
            assert!(Instant::now() < until, "still there:\n{}", self.text());
            self.read_for(Duration::from_millis(5));
        };
        self.has_ended = true;
        self.settle();
        code
    }

    /// Checks that the terminal is restored: settings, screen, cursor and mouse.
    #[track_caller]
    pub(crate) fn assert_restored(&self) {
        let (_, program) = self.ends.as_ref().unwrap();
        assert_eq!(settings(program), self.before, "the terminal's settings");
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is free");
        assert!(!screen.bracketed_paste());
    }
}
