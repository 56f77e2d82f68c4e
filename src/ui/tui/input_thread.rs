//! The threads beside the screen: one reads keys, one takes signals, one waits for the terminal to hang up.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::backlog::{Backlog, Gate};
use super::screen::Event;
use crate::interrupt::Interrupt;
use crate::ui::Incoming;

/// Source of the keys, clicks and window sizes that come from the terminal.
#[derive(Debug)]
pub(super) struct Keys {
    rest: Arc<AtomicBool>,
    reading: Arc<Mutex<()>>,
    /// Pipe whose byte makes the reader check whether it should pause.
    bell: PipeWriter,
}

impl Keys {
    /// Starts the threads: signals are taken from now on, and keys are read from the next
    /// [`Keys::resume`] on. `interrupt` is the handling of Ctrl-C in plain text.
    ///
    /// # Errors
    /// If the system gives no pipe.
    pub(super) fn start(
        sender: Sender<Incoming>,
        interrupt: Interrupt,
        backlog: Backlog,
    ) -> io::Result<Self> {
        let (rest, reading) = (Arc::new(AtomicBool::new(true)), Arc::new(Mutex::new(())));
        for_signals(sender.clone(), Arc::clone(&rest), interrupt);
        let (own_rest, own_reading) = (Arc::clone(&rest), Arc::clone(&reading));
        let (heard, bell) = io::pipe()?;
        thread::spawn(move || read(&sender, Gate::new(backlog), &own_rest, &own_reading, heard));
        Ok(Keys { rest, reading, bell })
    }

    fn set_rest(&self, rests: bool) {
        self.rest.store(rests, Ordering::SeqCst);
        let _ = (&self.bell).write_all(&[0]); // the reader may have ended
    }

    /// Leaves the input to another reader; the next call of [`Keys::resume`] takes it back.
    pub(super) fn rest(&self) {
        self.set_rest(true);
        drop(locked(&self.reading)); // the reader has seen it when it lets go
    }

    /// Reads again.
    pub(super) fn resume(&self) {
        self.set_rest(false);
    }
}

fn locked(lock: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the terminal's input. The wait checks whether there is input, not whether some has
/// arrived: none can be overlooked.
#[cfg(unix)]
fn read(
    sender: &Sender<Incoming>,
    mut gate: Gate,
    rest: &AtomicBool,
    reading: &Mutex<()>,
    mut bell: PipeReader,
) {
    use std::os::fd::AsFd;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    use super::backlog::PAUSE;

    let stdin = std::io::stdin();
    let (mut decoder, mut found) = (super::input::Decoder::default(), Vec::new());
    let mut buffer = [0; 4096];
    loop {
        let reads = locked(reading);
        if rest.load(Ordering::SeqCst) {
            drop(reads);
            if bell.read(&mut buffer).unwrap_or(0) == 0 {
                return; // nobody will read again
            }
            continue;
        }
        let patience = decoder.patience().or_else(|| gate.is_counting().then_some(PAUSE));
        let patience = patience.map(|wait| Timespec {
            tv_sec: wait.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: wait.subsec_nanos().into(),
        });
        let mut wanted =
            [stdin.as_fd(), bell.as_fd()].map(|source| PollFd::from_borrowed_fd(source, PollFlags::IN));
        let polled = poll(&mut wanted, patience.as_ref());
        let mut late = None;
        let has_rung = !wanted[1].revents().is_empty();
        match polled {
            Ok(0) => {
                decoder.give_up(&mut found);
                late = gate.pause();
            }
            Ok(_) if has_rung && bell.read(&mut buffer).unwrap_or(0) == 0 => return,
            Ok(_) if has_rung => {}
            Ok(_) => match rustix::io::read(stdin.as_fd(), &mut buffer) {
                Ok(count) if count > 0 => decoder.take(&buffer[..count], &mut found),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Ok(_) | Err(_) => super::terminal::end_process(super::terminal::HANG_UP), // nothing more will come
            },
            Err(Errno::INTR) => {}
            Err(_) => super::terminal::end_process(super::terminal::HANG_UP),
        }
        drop(reads);
        for (event, drops) in late.into_iter().chain(found.drain(..).filter_map(|event| gate.pass(event))) {
            if sender.send(Incoming::Typed(event, drops)).is_err() {
                return;
            }
        }
    }
}

/// Reads the terminal's input.
#[cfg(not(unix))]
fn read(sender: &Sender<Incoming>, mut gate: Gate, rest: &AtomicBool, reading: &Mutex<()>, _: PipeReader) {
    use crossterm::event;
    /// Interval at which the reader checks whether it should pause.
    const LOOK: std::time::Duration = std::time::Duration::from_millis(200);
    loop {
        let reads = locked(reading);
        if rest.load(Ordering::SeqCst) {
            drop(reads);
            thread::sleep(LOOK / 10);
            continue;
        }
        let event = match event::poll(LOOK) {
            Ok(false) => {
                let late = gate.pause();
                if late.is_some_and(|(event, drops)| sender.send(Incoming::Typed(event, drops)).is_err()) {
                    return;
                }
                continue;
            }
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        drop(reads);
        let event = match event {
            Ok(event::Event::Key(key)) if key.kind != event::KeyEventKind::Release => Event::Key(key),
            Ok(event::Event::Mouse(mouse)) => Event::Mouse(mouse),
            Ok(event::Event::Paste(text)) => Event::Paste(text),
            Ok(event::Event::Resize(width, height)) => Event::Resize(width, height),
            Ok(_) => continue,
            Err(_) => return, // nothing more will come: the channel closes
        };
        let Some((event, drops)) = gate.pass(event) else { continue };
        if sender.send(Incoming::Typed(event, drops)).is_err() {
            return;
        }
    }
}

/// Handles the signals that end, stop and continue programs or report a new window size, and
/// notices a terminal that is gone. Before the program ends the terminal is given back.
#[cfg(unix)]
pub(super) fn for_signals(sender: Sender<Incoming>, rest: Arc<AtomicBool>, interrupt: Interrupt) {
    use signal_hook::consts::{
        SIGABRT, SIGALRM, SIGBUS, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
        SIGTSTP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU,
    };
    use signal_hook::iterator::Signals;

    /// Numbers of Linux signals that have no names here.
    const PWR: i32 = 30;
    const STKFLT: i32 = 16;
    const REAL_TIME: std::ops::RangeInclusive<i32> = 34..=64;

    // The crate takes no ILL, FPE and SEGV: if the CPU raises them nothing can continue.
    let mut wanted = vec![
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGTSTP, SIGCONT,
        SIGWINCH, SIGVTALRM, SIGPROF, SIGTRAP, SIGSYS, SIGBUS,
    ];
    if cfg!(target_os = "linux") {
        // Elsewhere these are other signals, some of them without harm.
        wanted.extend([SIGIO, PWR, STKFLT]);
        wanted.extend(REAL_TIME);
    }
    if let Ok(mut signals) = Signals::new(wanted) {
        thread::spawn(move || {
            for signal in signals.forever() {
                // Nobody listens any more: the program is about to end by itself.
                let tell = |event| _ = sender.send(Incoming::Terminal(event));
                // In plain text the program does not own the terminal.
                let is_plain = rest.load(Ordering::SeqCst);
                match signal {
                    SIGWINCH => {
                        let (width, height) = super::size();
                        tell(Event::Resize(width, height));
                    }
                    SIGTSTP if is_plain => stop_process(),
                    SIGINT if is_plain => interrupt.interrupt(),
                    SIGCONT if is_plain => {}
                    SIGTSTP => tell(Event::Stop),
                    SIGCONT => tell(Event::Continue),
                    SIGHUP => drop(thread::spawn(|| super::terminal::end_process(super::terminal::HANG_UP))),
                    _ => super::terminal::end_process(128 + signal),
                }
            }
        });
    }
    thread::spawn(end_with_the_terminal);
}

/// Waits until the terminal hangs up, and ends the program.
#[cfg(unix)]
fn end_with_the_terminal() {
    use std::os::fd::AsFd;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::retry_on_intr;

    let stdin = std::io::stdin();
    // No event is asked for: only a hang-up or a fault ends the wait.
    let mut wanted = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::empty())];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    let is_seen = poll(&mut wanted, Some(&at_once)).is_ok();
    if is_seen && wanted[0].revents().contains(PollFlags::NVAL) {
        return; // this system cannot wait for terminals; whoever reads will notice
    }
    while retry_on_intr(|| poll(&mut wanted, None)) == Ok(0) {}
    super::terminal::end_process(super::terminal::HANG_UP);
}

/// Elsewhere the system ends the program.
#[cfg(not(unix))]
pub(super) fn for_signals(_: Sender<Incoming>, _: Arc<AtomicBool>, _: Interrupt) {}

/// Stops this process until it is continued.
#[cfg(unix)]
pub(super) fn stop_process() {
    use rustix::process::{Signal, getpid, kill_process};
    // SIGTSTP would be dropped in an orphaned process group.
    let _ = kill_process(getpid(), Signal::STOP);
}

/// Elsewhere there is nothing to stop for.
#[cfg(not(unix))]
pub(super) fn stop_process() {}
