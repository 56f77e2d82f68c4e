//! Systems other than Unix, above all Windows. They have no signals and no process groups; the console
//! accepts escape sequences once they are enabled.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, PipeReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{KeyWaitResult, ProcessSignal};

/// `false`: input can only be detected by reading it, and keys arrive as events.
pub(crate) const CAN_WAIT_FOR_INPUT: bool = false;

/// Returns `None`: the CPU clock of a thread is not available.
pub(crate) fn thread_cpu_time() -> Option<Duration> {
    None
}

/// Returns `None`: the CPU clock of this process is not available.
pub(crate) fn process_cpu_time() -> Option<Duration> {
    None
}

/// Creates a folder; those in a user's profile are private already.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Returns the options unchanged: opening a file never blocks.
pub(crate) fn set_nonblocking_open(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Does nothing: files inherit their permissions from the folder.
pub(crate) fn set_default_permissions(_: &mut tempfile::Builder<'_, '_>) {}

/// Returns `false`: an open file keeps its name.
pub(crate) fn is_unlinked(_: &File) -> bool {
    false
}

/// Returns the path of these bytes, which are UTF-8.
pub(crate) fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// Returns `None`: no path is a named pipe.
pub(crate) fn open_named_pipe(_: &Path, _: &fs::Metadata) -> io::Result<Option<File>> {
    Ok(None)
}

/// Fails: there are no named pipes.
pub(crate) fn wait_for_pipe_input(_: &File, _: Duration) -> io::Result<bool> {
    Err(ErrorKind::Unsupported.into())
}

/// Returns `false`: the end of another process cannot be detected.
pub(crate) fn has_process_ended(_: i32) -> bool {
    false
}

/// Returns `true`: input can only be read by blocking.
pub(crate) fn has_stdin_input_within(_: Duration) -> bool {
    true
}

/// Returns `true`: there are no background processes.
pub(crate) fn is_in_foreground() -> bool {
    true
}

/// Fails: keys arrive as events.
pub(crate) fn wait_for_keys(_: &PipeReader, _: Option<Duration>) -> io::Result<KeyWaitResult> {
    Err(ErrorKind::Unsupported.into())
}

/// Fails: keys arrive as events.
pub(crate) fn read_terminal_bytes(_: &mut [u8]) -> io::Result<usize> {
    Err(ErrorKind::Unsupported.into())
}

/// Writes to standard output if `is_wanted` returns `true`.
pub(crate) fn write_stdout_while(bytes: &[u8], is_wanted: impl Fn() -> bool) -> io::Result<()> {
    if !is_wanted() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Does nothing: a console always accepts output.
pub(crate) fn discard_terminal_output() {}

/// Enables escape sequences in the Windows console.
pub(crate) fn enable_console_escapes() {
    #[cfg(windows)]
    let _ = crossterm::ansi_support::supports_ansi(); // an old console shows them as they are
}

/// Turns mouse events of the Windows console on or off; it has no escape sequence for them.
pub(crate) fn set_mouse_reporting(is_on: bool) {
    #[cfg(windows)]
    {
        use crossterm::Command;
        use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
        // A console without a mouse has no mouse events.
        let _ =
            if is_on { EnableMouseCapture.execute_winapi() } else { DisableMouseCapture.execute_winapi() };
    }
    #[cfg(not(windows))]
    let _ = is_on;
}

/// Does nothing: Ctrl-C ends the program.
pub(crate) fn on_ctrl_c(_: impl Fn() + Send + 'static) {}

/// Does nothing: a write beyond the maximum file size already returns an error.
pub(crate) fn ignore_sigxfsz() {}

/// Does nothing: the program ends as usual.
pub(crate) fn exit_on_signal_or_closed_stdout() {}

/// Does nothing: there are no signals.
pub(crate) fn on_signals(_: impl Fn(ProcessSignal) + Send + 'static) {}

/// Does nothing: the system ends the program when its console is closed.
pub(crate) fn on_terminal_hang_up(_: impl FnOnce() + Send + 'static) {}

/// Does nothing: a process cannot be suspended.
pub(crate) fn suspend_process() {}

/// Child programs, without process groups.
pub(crate) mod processes {
    use std::io;
    use std::process::{Child, Command};
    use std::thread;
    use std::time::{Duration, Instant};

    use crate::platform::PROGRAM_EXIT_TIMEOUT;

    /// Starts a program.
    pub(crate) fn start_in_group(command: &mut Command) -> io::Result<(Child, Option<Child>)> {
        Ok((command.spawn()?, None))
    }

    /// Waits for a program to exit, and kills it after the timeout.
    pub(crate) fn stop_group(child: &mut Child, _: Option<Child>) {
        let until = Instant::now() + PROGRAM_EXIT_TIMEOUT;
        while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill(); // it may have ended
        let _ = child.wait();
    }

    /// Returns `None`: the exit status is available only by reaping the process.
    pub(crate) fn describe_exit(_: &Child) -> Option<String> {
        None
    }

    /// Returns `false`: a program ended by Ctrl-C is not recognizable.
    pub(crate) fn was_ended_by_ctrl_c(_: &Child) -> bool {
        false
    }

    /// Returns `None`: the CPU time of other processes is not available.
    pub(crate) fn cpu_time_of_process(_: u32) -> Option<Duration> {
        None
    }
}
