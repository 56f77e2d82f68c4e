//! Unix implementation of the platform functions.

mod files;
pub(crate) mod processes;
mod signals;
mod terminal;

use std::time::Duration;

use rustix::event::Timespec;
use rustix::time::{ClockId, clock_gettime};

pub(crate) use files::{
    has_process_ended, is_unlinked, make_private_folder, open_named_pipe, path_from_bytes,
    set_default_permissions, set_nonblocking_open, wait_for_pipe_input,
};
pub(crate) use signals::{
    exit_on_signal_or_closed_stdout, ignore_sigxfsz, on_ctrl_c, on_signals, on_terminal_hang_up,
    suspend_process,
};
pub(crate) use terminal::{
    CAN_WAIT_FOR_INPUT, discard_terminal_output, enable_console_escapes, has_stdin_input_within,
    is_in_foreground, read_terminal_bytes, set_mouse_reporting, wait_for_keys, write_stdout_while,
};

/// Returns the CPU time that this thread has used; `None` if the system does not report it.
pub(crate) fn thread_cpu_time() -> Option<Duration> {
    cpu_clock_time(ClockId::ThreadCPUTime)
}

/// Returns the CPU time that all threads of this process have used; `None` if the system does not report it.
pub(crate) fn process_cpu_time() -> Option<Duration> {
    cpu_clock_time(ClockId::ProcessCPUTime)
}

/// Returns the time of a CPU clock.
fn cpu_clock_time(clock: ClockId) -> Option<Duration> {
    let now = clock_gettime(clock);
    Some(Duration::new(u64::try_from(now.tv_sec).ok()?, u32::try_from(now.tv_nsec).ok()?))
}

/// Converts a duration for system calls.
fn to_timespec(wait: Duration) -> Timespec {
    Timespec { tv_sec: wait.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: wait.subsec_nanos().into() }
}
