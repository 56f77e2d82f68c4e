//! The threads beside the screen: one reads keys, one takes signals, one waits for the terminal to hang up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossterm::event;

use super::state::Event;

/// Between two looks whether the reader is to rest.
const LOOK: Duration = Duration::from_millis(200);

/// The keys, clicks and sizes that come from the terminal.
#[derive(Debug)]
pub(super) struct Keys {
    /// What has come.
    pub(super) events: Receiver<Event>,
    rest: Arc<AtomicBool>,
    reading: Arc<Mutex<()>>,
}

impl Keys {
    /// Starts to read.
    pub(super) fn start() -> Self {
        let (sender, events) = channel();
        let (rest, reading) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(())));
        let (own_rest, own_reading) = (Arc::clone(&rest), Arc::clone(&reading));
        thread::spawn(move || read(&sender, &own_rest, &own_reading));
        Keys { events, rest, reading }
    }

    /// Leaves the input to somebody else; the next call of [`Keys::resume`] takes it back.
    pub(super) fn rest(&self) {
        self.rest.store(true, Ordering::SeqCst);
        drop(hold(&self.reading)); // the reader has seen it when it lets go
    }

    /// Reads again.
    pub(super) fn resume(&self) {
        self.rest.store(false, Ordering::SeqCst);
    }
}

fn hold(lock: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(sender: &Sender<Event>, rest: &AtomicBool, reading: &Mutex<()>) {
    loop {
        let reads = hold(reading);
        if rest.load(Ordering::SeqCst) {
            drop(reads);
            thread::sleep(LOOK / 10);
            continue;
        }
        let event = match event::poll(LOOK) {
            Ok(false) => continue,
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        drop(reads);
        let event = match event {
            Ok(event::Event::Key(key)) if key.kind != event::KeyEventKind::Release => Event::Key(key),
            Ok(event::Event::Mouse(mouse)) => Event::Mouse(mouse),
            Ok(event::Event::Resize(width, height)) => Event::Resize(width, height),
            Ok(_) => continue,
            Err(_) => return, // nothing more will come: the channel closes
        };
        if sender.send(event).is_err() {
            return;
        }
    }
}

/// Takes the signals that end programs, and notices a terminal that has gone. Both give the terminal back first.
#[cfg(unix)]
pub(super) fn for_the_end() {
    use std::io;
    use std::os::fd::AsFd;

    use rustix::event::{PollFd, PollFlags};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;

    if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM]) {
        thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                super::guard::end_process(128 + signal);
            }
        });
    }
    thread::spawn(|| {
        let stdin = io::stdin();
        loop {
            // No event is asked for: only a hang-up or a fault ends the wait.
            let mut wanted = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::empty())];
            match rustix::event::poll(&mut wanted, None) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) | Err(_) => super::guard::end_process(super::guard::HANG_UP),
            }
        }
    });
}

/// Elsewhere the system ends the program.
#[cfg(not(unix))]
pub(super) fn for_the_end() {}

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
