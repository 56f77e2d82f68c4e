//! Terminals on Unix: waiting, reading and writing without library buffers.

use std::io::{self, PipeReader};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Signal, getpgrp, getpid, kill_process};
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp};

use super::to_timespec;
use crate::platform::KeyWaitResult;

/// `true`: input can be awaited without reading it, and keys are read as bytes.
pub(crate) const CAN_WAIT_FOR_INPUT: bool = true;

/// Waits up to `wait` for data on standard input and reports whether there is any.
pub(crate) fn has_stdin_input_within(wait: Duration) -> bool {
    let (stdin, start) = (io::stdin(), Instant::now());
    loop {
        let left = to_timespec(wait.saturating_sub(start.elapsed()));
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&left)) {
            Ok(0) => return false,
            Err(Errno::INTR) => {}
            _ => return true, // the next read gets the error
        }
    }
}

/// Reports whether this process may read its terminal now; reading would stop a background process.
pub(crate) fn is_in_foreground() -> bool {
    tcgetpgrp(io::stdin()).map_or(true, |group| group == getpgrp())
}

/// Waits for keys or a byte in the wake-up pipe, up to `wait` or without a limit. Data that arrived earlier
/// ends the wait at once.
pub(crate) fn wait_for_keys(bell: &PipeReader, wait: Option<Duration>) -> io::Result<KeyWaitResult> {
    let stdin = io::stdin();
    let wait = wait.map(to_timespec);
    let mut wanted =
        [stdin.as_fd(), bell.as_fd()].map(|source| PollFd::from_borrowed_fd(source, PollFlags::IN));
    match poll(&mut wanted, wait.as_ref()) {
        Ok(0) => Ok(KeyWaitResult::TimeOut),
        Ok(_) if !wanted[1].revents().is_empty() => Ok(KeyWaitResult::Bell),
        Ok(_) => Ok(KeyWaitResult::Keys),
        Err(Errno::INTR) => Ok(KeyWaitResult::Interrupted),
        Err(error) => Err(error.into()),
    }
}

/// Reads bytes from the terminal; returns 0 at the end of its input.
pub(crate) fn read_terminal_bytes(buffer: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(io::stdin().as_fd(), buffer)?)
}

/// Writes to standard output while `is_wanted` returns `true`. Also works if another program has set the
/// terminal to non-blocking mode.
pub(crate) fn write_stdout_while(mut bytes: &[u8], is_wanted: impl Fn() -> bool) -> io::Result<()> {
    let out = io::stdout();
    while !bytes.is_empty() && is_wanted() {
        match rustix::io::write(&out, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let mut wanted = [PollFd::new(&out, PollFlags::OUT)];
                match poll(&mut wanted, None) {
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Discards pending terminal output. A signal then wakes a blocked writer; SIGWINCH is harmless.
pub(crate) fn discard_terminal_output() {
    let _ = tcflush(io::stdout(), QueueSelector::OFlush);
    let _ = kill_process(getpid(), Signal::WINCH);
}

/// Does nothing: terminals always accept escape sequences.
pub(crate) fn enable_console_escapes() {}

/// Does nothing: escape sequences turn mouse reports on and off.
pub(crate) fn set_mouse_reporting(_: bool) {}
