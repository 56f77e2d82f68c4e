//! Signals and terminal hang-up.

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

use crate::platform::ProcessSignal;

/// Number of the Linux signal SIGPWR, which `signal_hook` does not define.
const SIGPWR_NUMBER: i32 = 30;
/// Number of the Linux signal SIGSTKFLT, which `signal_hook` does not define.
const SIGSTKFLT_NUMBER: i32 = 16;
/// Numbers of the real-time signals of Linux.
const REAL_TIME_SIGNAL_NUMBERS: RangeInclusive<i32> = 34..=64;

/// Calls `act` at each Ctrl-C. If Ctrl-C cannot be caught, it ends the program as usual.
pub(crate) fn on_ctrl_c(act: impl Fn() + Send + 'static) {
    let Ok(mut signals) = Signals::new([SIGINT]) else { return };
    thread::spawn(move || signals.forever().for_each(|_| act()));
}

/// Ignores SIGXFSZ, so that a write beyond the maximum file size returns an error.
pub(crate) fn ignore_sigxfsz() {
    // A signal with a handler does not end the program. If no handler can be set, it does.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Exits silently at a termination signal, or when the reader of standard output has gone. If that cannot be
/// detected, the default behaviour remains.
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
        // No events are requested: only errors and hang-ups are reported.
        let mut watched = [PollFd::new(&out, PollFlags::empty())];
        let is_told = retry_on_intr(|| poll(&mut watched, None)).is_ok();
        if is_told && watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            std::process::exit(0);
        }
    });
}

/// Calls `act`, on its own thread, at signals that end, stop or continue the program or report a new window
/// size.
pub(crate) fn on_signals(act: impl Fn(ProcessSignal) + Send + 'static) {
    // `signal_hook` does not catch ILL, FPE and SEGV: after a CPU fault the program cannot continue.
    let mut wanted = vec![
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGTSTP, SIGCONT,
        SIGWINCH, SIGVTALRM, SIGPROF, SIGTRAP, SIGSYS, SIGBUS,
    ];
    if cfg!(target_os = "linux") {
        // On other systems these numbers are other signals, some of them harmless.
        wanted.extend([SIGIO, SIGPWR_NUMBER, SIGSTKFLT_NUMBER]);
        wanted.extend(REAL_TIME_SIGNAL_NUMBERS);
    }
    let meaning = |signal| match signal {
        SIGWINCH => ProcessSignal::Resized,
        SIGTSTP => ProcessSignal::Stop,
        SIGCONT => ProcessSignal::Continue,
        SIGINT => ProcessSignal::Interrupt,
        SIGHUP => ProcessSignal::HangUp,
        _ => ProcessSignal::End(signal),
    };
    if let Ok(mut signals) = Signals::new(wanted) {
        thread::spawn(move || signals.forever().map(meaning).for_each(act));
    }
}

/// Calls `act`, on its own thread, when the terminal hangs up.
pub(crate) fn on_terminal_hang_up(act: impl FnOnce() + Send + 'static) {
    thread::spawn(|| {
        let stdin = io::stdin();
        // No events are requested: only a hang-up or an error ends the wait.
        let mut wanted = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::empty())];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        let is_seen = poll(&mut wanted, Some(&at_once)).is_ok();
        if is_seen && wanted[0].revents().contains(PollFlags::NVAL) {
            return; // this system cannot poll terminals; the next read detects the hang-up
        }
        while retry_on_intr(|| poll(&mut wanted, None)) == Ok(0) {}
        act();
    });
}

/// Stops this process until it is continued.
pub(crate) fn suspend_process() {
    // SIGTSTP would be dropped in an orphaned process group.
    let _ = kill_process(getpid(), rustix::process::Signal::STOP);
}
