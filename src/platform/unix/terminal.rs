//! Terminals of Unix: waiting, reading and writing without a library's buffers.

use std::io::{self, PipeReader};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Signal, getpgrp, getpid, kill_process};
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp};

use super::timespec;
use crate::platform::Waited;

/// True if a wait for input ends without reading it, and a terminal's keys are read as bytes.
pub(crate) const CAN_WAIT_FOR_INPUT: bool = true;

/// Waits so long for something to read from standard input and reports whether it has come.
pub(crate) fn has_input_within(wait: Duration) -> bool {
    let (stdin, start) = (io::stdin(), Instant::now());
    loop {
        let left = timespec(wait.saturating_sub(start.elapsed()));
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&left)) {
            Ok(0) => return false,
            Err(Errno::INTR) => {}
            _ => return true, // whoever reads finds out what it is
        }
    }
}

/// Reports whether this process may read its terminal now: one in the background would be stopped.
pub(crate) fn is_in_foreground() -> bool {
    tcgetpgrp(io::stdin()).map_or(true, |group| group == getpgrp())
}

/// Waits for keys, or for a byte in the pipe, so long or without an end. The wait looks whether something is there, not
/// whether something has come: nothing can be overlooked.
pub(crate) fn wait_for_keys(bell: &PipeReader, wait: Option<Duration>) -> io::Result<Waited> {
    let stdin = io::stdin();
    let wait = wait.map(timespec);
    let mut wanted =
        [stdin.as_fd(), bell.as_fd()].map(|source| PollFd::from_borrowed_fd(source, PollFlags::IN));
    match poll(&mut wanted, wait.as_ref()) {
        Ok(0) => Ok(Waited::TimeOut),
        Ok(_) if !wanted[1].revents().is_empty() => Ok(Waited::Bell),
        Ok(_) => Ok(Waited::Keys),
        Err(Errno::INTR) => Ok(Waited::Interrupted),
        Err(error) => Err(error.into()),
    }
}

/// Reads the bytes that the terminal has sent; 0 at its end.
pub(crate) fn read_input(buffer: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(io::stdin().as_fd(), buffer)?)
}

/// Writes to standard output as long as it is wanted, also where another program has left the terminal so that it does not
/// wait.
pub(crate) fn write_while(mut bytes: &[u8], is_wanted: impl Fn() -> bool) -> io::Result<()> {
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

/// Throws away what waits to be shown. Room alone wakes no writer; a signal does, and that of a new size harms nobody.
pub(crate) fn drop_output() {
    let _ = tcflush(io::stdout(), QueueSelector::OFlush);
    let _ = kill_process(getpid(), Signal::WINCH);
}

/// Terminals understand escape sequences already.
pub(crate) fn prepare_console() {}

/// The escape sequence alone turns the reports of the mouse on and off.
pub(crate) fn report_mouse(_: bool) {}
