//! Unix.

mod files;
pub(crate) mod processes;
mod signals;
mod terminal;

use std::time::Duration;

use rustix::event::Timespec;
use rustix::time::{ClockId, clock_gettime};

pub(crate) use files::{
    has_ended, is_unlinked, make_private_folder, open_pipe, path_of, set_usual_permissions, wait_for_pipe,
    without_waiting,
};
pub(crate) use signals::{
    exit_on_signal_or_closed_stdout, ignore_sigxfsz, on_hang_up, on_interrupt, on_signals, stop_process,
};
pub(crate) use terminal::{
    CAN_WAIT_FOR_INPUT, drop_output, has_input_within, is_in_foreground, prepare_console, read_input,
    report_mouse, wait_for_keys, write_while,
};

/// The processor time that this thread has used; `None` where the system does not tell.
pub(crate) fn thread_time() -> Option<Duration> {
    time_of(ClockId::ThreadCPUTime)
}

/// The processor time that all threads of this process have used; `None` where the system does not tell.
pub(crate) fn process_time() -> Option<Duration> {
    time_of(ClockId::ProcessCPUTime)
}

fn time_of(clock: ClockId) -> Option<Duration> {
    let now = clock_gettime(clock);
    Some(Duration::new(u64::try_from(now.tv_sec).ok()?, u32::try_from(now.tv_nsec).ok()?))
}

/// A time as the system takes it.
fn timespec(wait: Duration) -> Timespec {
    Timespec { tv_sec: wait.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: wait.subsec_nanos().into() }
}
