//! Signals, and the end of the terminal.

use std::io;
use std::ops::RangeInclusive;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::thread;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{getpid, kill_process};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGBUS, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
    SIGTSTP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ,
};
use signal_hook::iterator::Signals;

use crate::platform::Signal;

/// The numbers of signals of Linux that have no names here.
const PWR: i32 = 30;
const STKFLT: i32 = 16;
const REAL_TIME: RangeInclusive<i32> = 34..=64;

/// Calls this at each Ctrl-C from now on. Where that is not possible it ends the program as usual.
pub(crate) fn on_interrupt(act: impl Fn() + Send + 'static) {
    let Ok(mut signals) = Signals::new([SIGINT]) else { return };
    thread::spawn(move || signals.forever().for_each(|_| act()));
}

/// Lets a write beyond the largest file fail with an error in place of ending the program.
pub(crate) fn ignore_sigxfsz() {
    // A signal that is taken no longer ends the program; where it cannot be taken it does.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Ends the program at once, without a word, at a signal to leave, or when the reader of standard output has gone. What
/// cannot be watched for ends it as usual.
pub(crate) fn exit_on_signal_or_closed_stdout() {
    if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM]) {
        thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                std::process::exit(128 + signal);
            }
        });
    }
    thread::spawn(|| {
        let out = io::stdout();
        // Nothing is asked for: only an end is reported.
        let mut watched = [PollFd::new(&out, PollFlags::empty())];
        let is_told = retry_on_intr(|| poll(&mut watched, None)).is_ok();
        if is_told && watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            std::process::exit(0);
        }
    });
}

/// Calls this, on a thread of its own, at the signals that end, stop and continue programs and tell of windows.
pub(crate) fn on_signals(act: impl Fn(Signal) + Send + 'static) {
    // The crate takes no ILL, FPE and SEGV: where the processor raises them nothing can go on.
    let mut wanted = vec![
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGTSTP, SIGCONT,
        SIGWINCH, SIGVTALRM, SIGPROF, SIGTRAP, SIGSYS, SIGBUS,
    ];
    if cfg!(target_os = "linux") {
        // Elsewhere these are other signals, some of them without harm.
        wanted.extend([SIGIO, PWR, STKFLT]);
        wanted.extend(REAL_TIME);
    }
    let meaning = |signal| match signal {
        SIGWINCH => Signal::Resized,
        SIGTSTP => Signal::Stop,
        SIGCONT => Signal::Continue,
        SIGINT => Signal::Interrupt,
        SIGHUP => Signal::HangUp,
        _ => Signal::End(signal),
    };
    if let Ok(mut signals) = Signals::new(wanted) {
        thread::spawn(move || signals.forever().map(meaning).for_each(act));
    }
}

/// Calls this, on a thread of its own, when the terminal hangs up.
pub(crate) fn on_hang_up(act: impl FnOnce() + Send + 'static) {
    thread::spawn(|| {
        let stdin = io::stdin();
        // No event is asked for: only a hang-up or a fault ends the wait.
        let mut wanted = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::empty())];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        let is_seen = poll(&mut wanted, Some(&at_once)).is_ok();
        if is_seen && wanted[0].revents().contains(PollFlags::NVAL) {
            return; // this system cannot wait for terminals; whoever reads will notice
        }
        while retry_on_intr(|| poll(&mut wanted, None)) == Ok(0) {}
        act();
    });
}

/// Stops this process until it is continued.
pub(crate) fn stop_process() {
    // SIGTSTP would be dropped in an orphaned process group.
    let _ = kill_process(getpid(), rustix::process::Signal::STOP);
}
