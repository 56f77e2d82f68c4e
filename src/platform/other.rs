//! Systems other than Unix, Windows above all. It has no signals and no groups of processes; the console takes escape
//! sequences once it is told to.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, PipeReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Signal, Waited};

/// `false`: input is known to have come only after it has been read, and keys come as events.
pub(crate) const CAN_WAIT_FOR_INPUT: bool = false;

/// No clock of a thread is known.
pub(crate) fn thread_time() -> Option<Duration> {
    None
}

/// No clock of a process is known.
pub(crate) fn process_time() -> Option<Duration> {
    None
}

/// Folders of a user's profile are private already.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Opening waits for nobody.
pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Files inherit their permissions from the folder.
pub(crate) fn set_usual_permissions(_: &mut tempfile::Builder<'_, '_>) {}

/// An open file keeps its name.
pub(crate) fn is_unlinked(_: &File) -> bool {
    false
}

/// Returns the path of these bytes, which are UTF-8.
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// No path leads to a pipe.
pub(crate) fn open_pipe(_: &Path, _: &fs::Metadata) -> io::Result<Option<File>> {
    Ok(None)
}

/// No path leads to a pipe.
pub(crate) fn wait_for_pipe(_: &File, _: Duration) -> io::Result<bool> {
    Err(ErrorKind::Unsupported.into())
}

/// Nobody can tell whether another process has ended.
pub(crate) fn has_ended(_: i32) -> bool {
    false
}

/// Whoever reads waits.
pub(crate) fn has_input_within(_: Duration) -> bool {
    true
}

/// There is no background.
pub(crate) fn is_in_foreground() -> bool {
    true
}

/// Keys come as events.
pub(crate) fn wait_for_keys(_: &PipeReader, _: Option<Duration>) -> io::Result<Waited> {
    Err(ErrorKind::Unsupported.into())
}

/// Keys come as events.
pub(crate) fn read_input(_: &mut [u8]) -> io::Result<usize> {
    Err(ErrorKind::Unsupported.into())
}

/// Writes to standard output if it is wanted.
pub(crate) fn write_while(bytes: &[u8], is_wanted: impl Fn() -> bool) -> io::Result<()> {
    if !is_wanted() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// A console always takes what is written.
pub(crate) fn drop_output() {}

/// Tells the console of Windows that escape sequences come.
pub(crate) fn prepare_console() {
    #[cfg(windows)]
    let _ = crossterm::ansi_support::supports_ansi(); // an old console shows them as they are
}

/// Turns the console's events of the mouse on or off, for which Windows has no escape sequence.
pub(crate) fn report_mouse(is_on: bool) {
    #[cfg(windows)]
    {
        use crossterm::Command;
        use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
        // A console without a mouse has no events of it.
        let _ =
            if is_on { EnableMouseCapture.execute_winapi() } else { DisableMouseCapture.execute_winapi() };
    }
    #[cfg(not(windows))]
    let _ = is_on;
}

/// Ctrl-C ends the program.
pub(crate) fn on_interrupt(_: impl Fn() + Send + 'static) {}

/// A write beyond the largest file fails anyway.
pub(crate) fn ignore_sigxfsz() {}

/// The program ends as usual.
pub(crate) fn exit_on_signal_or_closed_stdout() {}

/// There are no signals.
pub(crate) fn on_signals(_: impl Fn(Signal) + Send + 'static) {}

/// The system ends the program when its console is closed.
pub(crate) fn on_hang_up(_: impl FnOnce() + Send + 'static) {}

/// There is nothing to stop for.
pub(crate) fn stop_process() {}

/// Programs that are started stand alone.
pub(crate) mod processes {
    use std::io;
    use std::process::{Child, Command};
    use std::thread;
    use std::time::{Duration, Instant};

    use crate::platform::FAREWELL;

    /// Starts a program.
    pub(crate) fn start(command: &mut Command) -> io::Result<(Child, Option<Child>)> {
        Ok((command.spawn()?, None))
    }

    /// Ends a program, by force if it does not leave.
    pub(crate) fn stop(child: &mut Child, _: Option<Child>) {
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill(); // it may have ended
        let _ = child.wait();
    }

    /// Only a wait that takes the process away would tell.
    pub(crate) fn ending(_: &Child) -> Option<String> {
        None
    }

    /// Ctrl-C does not tell whom it has ended.
    pub(crate) fn is_interrupted(_: &Child) -> bool {
        false
    }

    /// No list of processes tells it.
    pub(crate) fn cpu_time(_: u32) -> Option<Duration> {
        None
    }
}
