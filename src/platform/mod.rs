//! Everything that depends on the system: signals, process groups, terminals, CPU clocks, kinds of files. The only room that
//! asks which system this is; all others are the same code everywhere.

#[cfg(not(unix))]
#[path = "other.rs"]
#[allow(clippy::unnecessary_wraps, reason = "the same functions fail elsewhere")]
mod system;
#[cfg(unix)]
#[path = "unix/mod.rs"]
mod system;

use std::time::Duration;

pub(crate) use system::{
    CAN_WAIT_FOR_INPUT, drop_output, exit_on_signal_or_closed_stdout, has_ended, has_input_within,
    ignore_sigxfsz, is_in_foreground, is_unlinked, make_private_folder, on_hang_up, on_interrupt, on_signals,
    open_pipe, path_of, prepare_console, process_time, processes, read_input, report_mouse,
    set_usual_permissions, stop_process, thread_time, wait_for_keys, wait_for_pipe, without_waiting,
    write_while,
};

/// A signal to this program, by what it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code, reason = "elsewhere none comes"))]
pub(crate) enum Signal {
    /// The window has another size.
    Resized,
    /// Stop until continued.
    Stop,
    /// Go on.
    Continue,
    /// Ctrl-C.
    Interrupt,
    /// The terminal has gone.
    HangUp,
    /// End with this number.
    End(i32),
}

/// Why a wait for keys has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code, reason = "elsewhere none comes"))]
pub(crate) enum Waited {
    /// The time is up.
    TimeOut,
    /// Something is in the pipe beside the terminal.
    Bell,
    /// The terminal has sent something, or its end.
    Keys,
    /// A signal came.
    Interrupted,
}

/// Number of times that a program which Ctrl-C has ended at once is started again. Until it stands in a group of its
/// own, which takes a moment, a Ctrl-C that is meant for us reaches it, and its guard, too.
pub(crate) const RESTARTS: usize = 3;
/// Time in which a program has to end when it is told to, and again when it is asked by a signal.
pub(crate) const FAREWELL: Duration = Duration::from_secs(1);
/// Time in which the last notes of a program that has ended have to arrive, and it itself has to be gone.
pub(crate) const LAST_NOTES: Duration = Duration::from_millis(200);
