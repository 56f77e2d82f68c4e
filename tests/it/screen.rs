//! The program on a terminal of its own, whose screen can be read.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtyPair, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

/// The program on a terminal of 80 columns and 24 rows, killed when dropped.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    writer: Option<Box<dyn Write + Send>>,
    chunks: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
    pair: Option<PtyPair>,
    before: String,
    is_closing: Arc<AtomicBool>,
    is_deaf: Arc<AtomicBool>,
    reading: Option<JoinHandle<()>>,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// A script of the shell that runs the program as `"$0" "$@"`.
pub(crate) fn shell(script: &str, arguments: &[&str]) -> Builder {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_crosspath")]);
    command.args(arguments);
    command.cwd(env!("CARGO_MANIFEST_DIR"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "LC_CTYPE", "LANG", "COLORTERM"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm");
    command.env("LC_ALL", "C.UTF-8");
    command.env("RUST_BACKTRACE", "0");
    Builder(command)
}

/// A command in the making.
pub(crate) struct Builder(CommandBuilder);

impl Builder {
    pub(crate) fn env(&mut self, name: &str, value: &str) -> &mut Self {
        self.0.env(name, value);
        self
    }
}

/// The program itself.
pub(crate) fn crosspath(arguments: &[&str]) -> Terminal {
    Terminal::start(&mut shell("exec \"$0\" \"$@\"", arguments))
}

fn settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios())
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    pub(crate) fn start(command: &mut Builder) -> Self {
        let pair = native_pty_system().openpty(size(80, 24)).unwrap();
        let before = settings(&*pair.master);
        let child = pair.slave.spawn_command(command.0.clone()).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let (sender, chunks) = channel();
        let is_closing = Arc::new(AtomicBool::new(false));
        let closes = Arc::clone(&is_closing);
        let is_deaf = Arc::new(AtomicBool::new(false));
        let waits = Arc::clone(&is_deaf);
        let reading = std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(count) = reader.read(&mut buffer) {
                let is_over = count == 0 || closes.load(Ordering::SeqCst);
                if is_over || sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
                while waits.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
        });
        let screen = vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 0);
        Terminal {
            child,
            writer: Some(writer),
            chunks,
            screen,
            raw: Vec::new(),
            pair: Some(pair),
            before,
            is_closing,
            is_deaf,
            reading: Some(reading),
        }
    }

    fn read(&mut self, chunk: &[u8]) {
        self.screen.process(chunk);
        self.raw.extend_from_slice(chunk);
    }

    /// Reads what comes within this time; gives the number of bytes.
    pub(crate) fn read_for(&mut self, time: Duration) -> usize {
        let (until, mut count) = (Instant::now() + time, 0);
        while let Ok(chunk) = self.chunks.recv_timeout(until.saturating_duration_since(Instant::now())) {
            count += chunk.len();
            self.read(&chunk);
        }
        count
    }

    /// The terminal reads nothing, or reads again.
    pub(crate) fn set_deaf(&self, is_deaf: bool) {
        self.is_deaf.store(is_deaf, Ordering::SeqCst);
    }

    /// The rows of the screen without the blanks at their ends.
    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Everything that was sent, but for a character that has come in part only.
    pub(crate) fn raw(&self) -> &str {
        std::str::from_utf8(&self.raw).unwrap_or_else(|error| {
            assert_eq!(error.error_len(), None, "only UTF-8 is sent");
            std::str::from_utf8(&self.raw[..error.valid_up_to()]).unwrap()
        })
    }

    /// Waits until the text stands on the screen.
    #[track_caller]
    pub(crate) fn expect(&mut self, text: &str) {
        let until = Instant::now() + Duration::from_secs(20);
        while !self.text().contains(text) {
            match self.chunks.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(chunk) => self.read(&chunk),
                Err(RecvTimeoutError::Timeout) => panic!("no {text:?} on\n{}", self.text()),
                Err(RecvTimeoutError::Disconnected) => panic!("ended before {text:?} on\n{}", self.text()),
            }
        }
    }

    pub(crate) fn send(&mut self, keys: &str) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// Presses and releases the left button.
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

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.read_for(Duration::from_millis(20));
        self.screen.screen_mut().set_size(rows.try_into().unwrap(), columns.try_into().unwrap());
        self.pair.as_ref().unwrap().master.resize(size(columns, rows)).unwrap();
        self.read_for(Duration::from_millis(100));
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.process_id().unwrap()).unwrap();
        kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// The terminal goes away.
    pub(crate) fn close(&mut self) {
        // The reader holds the terminal open too, until something is drawn.
        self.is_closing.store(true, Ordering::SeqCst);
        let reading = self.reading.take().unwrap();
        let until = Instant::now() + Duration::from_secs(5);
        for width in (60..).take_while(|_| !reading.is_finished()) {
            assert!(Instant::now() < until, "nothing is drawn any more");
            self.pair.as_ref().unwrap().master.resize(size(60 + width % 20, 20)).unwrap();
            std::thread::sleep(Duration::from_millis(20));
        }
        reading.join().unwrap();
        self.writer = None;
        self.pair = None;
    }

    /// Waits until the system says that the process is in this state, such as `T` for stopped.
    pub(crate) fn wait_for_state(&mut self, state: char) {
        let until = Instant::now() + Duration::from_secs(5);
        while self.stat().split_whitespace().next() != Some(&state.to_string()) {
            assert!(Instant::now() < until, "{}", self.stat());
            self.read_for(Duration::from_millis(10));
        }
    }

    /// What the system says of the process, from its state on.
    fn stat(&self) -> String {
        let path = format!("/proc/{}/stat", self.child.process_id().unwrap());
        let stat = std::fs::read_to_string(path).unwrap_or_default();
        stat.rsplit(") ").next().unwrap_or_default().to_owned()
    }

    /// Hundredths of a second that the process has computed.
    pub(crate) fn cpu_ticks(&self) -> u64 {
        let stat = self.stat();
        let fields: Vec<&str> = stat.split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    /// Waits for the end; gives the exit code.
    pub(crate) fn end(&mut self) -> u32 {
        let until = Instant::now() + Duration::from_secs(10);
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.exit_code();
            }
            assert!(Instant::now() < until, "still there:\n{}", self.text());
            self.read_for(Duration::from_millis(5));
        };
        self.read_for(Duration::from_millis(60));
        code
    }

    /// The terminal is as it was: settings, screen, cursor, mouse.
    #[track_caller]
    pub(crate) fn is_as_before(&self) {
        let pair = self.pair.as_ref().unwrap();
        assert_eq!(settings(&*pair.master), self.before, "the terminal's settings");
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is free");
        assert!(!screen.bracketed_paste());
    }
}
