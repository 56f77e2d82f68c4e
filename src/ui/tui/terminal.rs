//! Ownership of the terminal, which is always restored: at a normal end, an error, a panic, a
//! signal or a hang-up. One function enters the full screen and one leaves it, and all output holds
//! one lock.

use std::io;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use crossterm::cursor::{SetCursorStyle, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::queue;
use crossterm::style::ResetColor;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use crate::platform;

/// `true` while the program owns the terminal.
static OWNS_TERMINAL: AtomicBool = AtomicBool::new(false);
/// Exit code of the program after the terminal has hung up.
pub(super) const HANG_UP_EXIT_CODE: i32 = 129;
/// Lock that is held while the terminal is written to.
static OUTPUT_LOCK: Mutex<()> = Mutex::new(());
/// Time to wait after a hang-up for a signal that may have arrived before it.
///
/// Both may be noticed at once, and the first one determines the exit code.
const PENDING_SIGNAL_WAIT: Duration = Duration::from_millis(20);
/// Text that is printed when a signal ends the program.
static FAREWELL_TEXT: Mutex<String> = Mutex::new(String::new());
/// Maximum time to wait for an unfinished frame before leaving the full screen.
const OUTPUT_LOCK_TIMEOUT: Duration = Duration::from_millis(100);
/// Maximum number of times that pending terminal output is discarded.
///
/// A frame refills the freed buffer once or twice.
const MAX_OUTPUT_DISCARDS: usize = 3;
/// Time after which the process ends in any case, once it has decided to end.
const FORCED_EXIT_DELAY: Duration = Duration::from_millis(500);

/// Enters the full screen: raw mode, the alternate screen, bracketed paste, and mouse reporting if
/// wanted.
///
/// # Errors
/// Fails if the terminal cannot be set up. The terminal is then restored.
pub(super) fn enter_full_screen(has_mouse: bool) -> io::Result<()> {
    static PANIC_HOOK: Once = Once::new();
    PANIC_HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |about| {
            leave_full_screen();
            before(about);
        }));
    });
    set_up_terminal(has_mouse).inspect_err(|_| leave_full_screen())
}

fn set_up_terminal(has_mouse: bool) -> io::Result<()> {
    let _output = lock_output();
    OWNS_TERMINAL.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    let mut bytes = Vec::new();
    // Without bracketed paste, pasted text would act as keys.
    queue!(bytes, EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste)?;
    // A block cursor would invert the colours of a piece, which could look like the other side's.
    queue!(bytes, SetCursorStyle::SteadyUnderScore)?;
    if has_mouse {
        queue!(bytes, EnableMouseCapture)?;
        platform::set_mouse_reporting(true);
    }
    write_bytes(&bytes)
}

/// Query for the background colour, followed by a query that every terminal answers.
///
/// A terminal that does not know its background therefore also answers at once.
pub(super) const BACKGROUND_QUERY: &[u8] = b"\x1b]11;?\x1b\\\x1b[c";

/// Queries for the terminal's support of all colours.
///
/// One asks for the background after setting it (DECRQSS), the other for the terminfo entry `RGB`
/// (XTGETTCAP).
pub(super) const TRUECOLOR_QUERY: &[u8] = b"\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m\x1bP+q524742\x1b\\";

/// Copies a text to the clipboard with an escape sequence. Terminals without this feature ignore
/// it.
pub(super) fn copy_to_clipboard(text: &str) {
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = queue!(bytes, CopyToClipboard::to_clipboard_from(text));
    write_if_owned(&bytes);
}

/// Turns mouse reporting on or off.
///
/// # Errors
/// Fails if mouse reporting cannot be changed.
pub(super) fn set_mouse_reporting(is_on: bool) -> io::Result<()> {
    let mut bytes = Vec::new();
    if is_on { queue!(bytes, EnableMouseCapture) } else { queue!(bytes, DisableMouseCapture) }?;
    write_if_owned(&bytes);
    platform::set_mouse_reporting(is_on);
    Ok(())
}

/// Writes to the terminal if the program owns it, otherwise drops the output.
///
/// If the terminal accepts no output, the process ends as after a hang-up.
pub(super) fn write_if_owned(bytes: &[u8]) {
    let done = {
        let _output = lock_output();
        platform::write_stdout_while(bytes, || OWNS_TERMINAL.load(Ordering::SeqCst))
    };
    if done.is_err() {
        restore_and_exit(HANG_UP_EXIT_CODE);
    }
}

/// Leaves the full screen and restores the terminal.
///
/// Any thread can call it, any number of times.
pub(super) fn leave_full_screen() {
    let output = try_lock_output();
    if !OWNS_TERMINAL.swap(false, Ordering::SeqCst) {
        return;
    }
    if output.is_none() {
        // Another thread is writing to a terminal that accepts no output. Discarding the pending
        // output wakes that thread. It sees that the terminal is no longer owned and releases the
        // lock.
        let _ = disable_raw_mode();
        for _ in 0..MAX_OUTPUT_DISCARDS {
            platform::discard_terminal_output();
            if try_lock_output().is_some() {
                break;
            }
        }
        platform::discard_terminal_output();
    }
    let mut bytes = Vec::new();
    // Writing to memory cannot fail. The terminal may be gone; then nothing has to be restored.
    let _ = queue!(bytes, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen);
    let _ = write_bytes(&bytes);
    platform::set_mouse_reporting(false);
    let _ = disable_raw_mode();
    bytes.clear();
    let _ = queue!(bytes, SetCursorStyle::DefaultUserShape, Show, ResetColor);
    let _ = write_bytes(&bytes);
}

/// Restores the terminal and ends the process, even if the terminal accepts no output.
///
/// The first caller determines the exit code, because other threads see a restored terminal as one
/// that has hung up.
pub(super) fn restore_and_exit(code: i32) -> ! {
    static EXIT_CODE: OnceLock<i32> = OnceLock::new();
    if code == HANG_UP_EXIT_CODE {
        thread::sleep(PENDING_SIGNAL_WAIT);
    }
    if EXIT_CODE.set(code).is_err() {
        thread::sleep(FORCED_EXIT_DELAY);
        std::process::exit(EXIT_CODE.get().copied().unwrap_or(code));
    }
    thread::spawn(move || {
        thread::sleep(FORCED_EXIT_DELAY);
        std::process::exit(code);
    });
    let was_ours = OWNS_TERMINAL.load(Ordering::SeqCst);
    leave_full_screen();
    if was_ours {
        let farewell = FAREWELL_TEXT.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = write_bytes(farewell.as_bytes()); // the terminal may be gone
    }
    std::process::exit(code)
}

/// Sets the text that is printed on the normal screen when a signal ends the program.
pub(super) fn set_farewell_text(text: String) {
    *FAREWELL_TEXT.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// Writes all bytes to the terminal, even if the program does not own it.
fn write_bytes(bytes: &[u8]) -> io::Result<()> {
    platform::write_stdout_while(bytes, || true)
}

fn lock_output() -> MutexGuard<'static, ()> {
    OUTPUT_LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tries to lock the output. Returns `None` if the lock is held for too long.
fn try_lock_output() -> Option<MutexGuard<'static, ()>> {
    let deadline = Instant::now() + OUTPUT_LOCK_TIMEOUT;
    loop {
        match OUTPUT_LOCK.try_lock() {
            Ok(output) => return Some(output),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() > deadline => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    }
}
