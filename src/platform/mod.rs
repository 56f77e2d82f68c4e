//! Everything that depends on the operating system: signals, process groups, terminals, CPU clocks, file
//! types. Code in other modules is the same for all operating systems.

#[cfg(not(unix))]
#[path = "other.rs"]
#[allow(clippy::unnecessary_wraps, reason = "the same functions fail elsewhere")]
mod system;
#[cfg(unix)]
#[path = "unix/mod.rs"]
mod system;

use std::time::Duration;

pub(crate) use system::{
    CAN_WAIT_FOR_INPUT, discard_terminal_output, enable_console_escapes, exit_on_signal_or_closed_stdout,
    has_process_ended, has_stdin_input_within, ignore_sigxfsz, is_in_foreground, is_unlinked,
    make_private_folder, on_ctrl_c, on_signals, on_terminal_hang_up, open_named_pipe, path_from_bytes,
    process_cpu_time, processes, read_terminal_bytes, set_default_permissions, set_mouse_reporting,
    set_nonblocking_open, suspend_process, thread_cpu_time, wait_for_keys, wait_for_pipe_input,
    write_stdout_while,
};

/// Signal sent to this program, by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code, reason = "elsewhere none comes"))]
pub(crate) enum ProcessSignal {
    /// The window was resized.
    Resized,
    /// Request to stop until continued.
    Stop,
    /// The program was continued.
    Continue,
    /// Ctrl-C was pressed.
    Interrupt,
    /// The terminal was closed.
    HangUp,
    /// Request to exit because of the signal with this number.
    End(i32),
}

/// Reason why a wait for keys has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code, reason = "elsewhere none comes"))]
pub(crate) enum KeyWaitResult {
    /// The timeout has expired.
    TimeOut,
    /// The wake-up pipe has data.
    Bell,
    /// The terminal has input, or its input has ended.
    Keys,
    /// A signal has arrived.
    Interrupted,
}

/// Number of times that a program is restarted if Ctrl-C ends it right after its start. Until it is in its
/// own process group, a Ctrl-C for crosspath also reaches the program and its guard.
pub(crate) const MAX_PROGRAM_RESTARTS: usize = 3;
/// Time for a program to exit after its quit command, and again after SIGTERM.
pub(crate) const PROGRAM_EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// Time to wait for the last error output and the exit of a program that has ended.
pub(crate) const FINAL_STDERR_TIMEOUT: Duration = Duration::from_millis(200);
