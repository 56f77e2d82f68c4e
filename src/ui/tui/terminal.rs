//! The terminal is borrowed and always given back: by a normal end, an error, a panic, a signal, a hang-up.
//! One place enters the full screen, one leaves it; whoever writes holds the lock.

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
static IS_OURS: AtomicBool = AtomicBool::new(false);
/// Exit code when the terminal is gone.
pub(super) const HANG_UP: i32 = 129;
/// Lock that is held while the terminal is written to.
static OUTPUT_LOCK: Mutex<()> = Mutex::new(());
/// Time that the end of the program waits, when the terminal is gone, for a signal that came
/// before: both may be noticed at once.
const SIGNAL_FIRST: Duration = Duration::from_millis(20);
/// Text to print when a signal ends the program.
static FAREWELL: Mutex<String> = Mutex::new(String::new());
/// Time for which leaving waits for a frame that is being written.
const FRAME_TIMEOUT: Duration = Duration::from_millis(100);
/// Number of times that pending output is discarded; a frame fills the room that this makes once or
/// twice.
const ATTEMPTS: usize = 3;
/// Time after the decision to end at which the process ends, whatever the terminal does.
const LAST_MOMENT: Duration = Duration::from_millis(500);

/// Takes the terminal: raw mode, the alternate screen, marked pastes, the mouse if wanted.
///
/// # Errors
/// If the terminal cannot be set up; it is then given back.
pub(super) fn enter(has_mouse: bool) -> io::Result<()> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |about| {
            leave();
            before(about);
        }));
    });
    take(has_mouse).inspect_err(|_| leave())
}

fn take(has_mouse: bool) -> io::Result<()> {
    let _output = output();
    IS_OURS.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    let mut bytes = Vec::new();
    // A paste that is not marked as one would be keys.
    queue!(bytes, EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste)?;
    // A block cursor would invert the colours of a piece, so that it looks like one of the other side.
    queue!(bytes, SetCursorStyle::SteadyUnderScore)?;
    if has_mouse {
        queue!(bytes, EnableMouseCapture)?;
        platform::report_mouse(true);
    }
    put(&bytes)
}

/// Query for the background colour, and then for something that every terminal answers, so that a
/// terminal which does not know its background answers at once, too.
pub(super) const ASK_FOR_GROUND: &[u8] = b"\x1b]11;?\x1b\\\x1b[c";

/// Two queries whether all colours are shown: for the background that is set after one of them was
/// (DECRQSS), and for the terminal's own entry `RGB` (XTGETTCAP).
pub(super) const ASK_FOR_COLOURS: &[u8] = b"\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m\x1bP+q524742\x1b\\";

/// Asks the terminal to put a text into the clipboard; a terminal that cannot do this ignores it.
pub(super) fn copy(text: &str) {
    let mut bytes = Vec::new();
    // Writing to memory succeeds.
    let _ = queue!(bytes, CopyToClipboard::to_clipboard_from(text));
    write(&bytes);
}

/// Turns the reports of the mouse on or off.
///
/// # Errors
/// If the terminal has no mouse reports.
pub(super) fn set_mouse(is_on: bool) -> io::Result<()> {
    let mut bytes = Vec::new();
    if is_on { queue!(bytes, EnableMouseCapture) } else { queue!(bytes, DisableMouseCapture) }?;
    write(&bytes);
    platform::report_mouse(is_on);
    Ok(())
}

/// Writes, as long as the program owns the terminal; afterwards everything is dropped. A terminal
/// that takes nothing counts as gone, and the process ends as after a hang-up.
pub(super) fn write(bytes: &[u8]) {
    let done = {
        let _output = output();
        platform::write_while(bytes, || IS_OURS.load(Ordering::SeqCst))
    };
    if done.is_err() {
        end_process(HANG_UP);
    }
}

/// Gives the terminal back as it was. Can be called from any thread, any number of times.
pub(super) fn leave() {
    let output = output_soon();
    if !IS_OURS.swap(false, Ordering::SeqCst) {
        return;
    }
    if output.is_none() {
        // Somebody writes to a terminal that takes nothing: what waits there is thrown away, and the writer is woken. It
        // sees that the terminal is no longer ours and releases the lock; then we can write.
        let _ = disable_raw_mode();
        for _ in 0..ATTEMPTS {
            platform::drop_output();
            if output_soon().is_some() {
                break;
            }
        }
        platform::drop_output();
    }
    let mut bytes = Vec::new();
    // Writing to memory succeeds; the terminal itself may be gone, and then there is nothing to give back.
    let _ = queue!(bytes, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen);
    let _ = put(&bytes);
    platform::report_mouse(false);
    let _ = disable_raw_mode();
    bytes.clear();
    let _ = queue!(bytes, SetCursorStyle::DefaultUserShape, Show, ResetColor);
    let _ = put(&bytes);
}

/// Gives the terminal back and ends the process, even if the terminal no longer takes anything. The first reason to end
/// gives the code: a terminal that is given back looks like one that has gone to those who still read it.
pub(super) fn end_process(code: i32) -> ! {
    static CODE: OnceLock<i32> = OnceLock::new();
    if code == HANG_UP {
        thread::sleep(SIGNAL_FIRST);
    }
    if CODE.set(code).is_err() {
        thread::sleep(LAST_MOMENT);
        std::process::exit(CODE.get().copied().unwrap_or(code));
    }
    thread::spawn(move || {
        thread::sleep(LAST_MOMENT);
        std::process::exit(code);
    });
    let was_ours = IS_OURS.load(Ordering::SeqCst);
    leave();
    if was_ours {
        let farewell = FAREWELL.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = put(farewell.as_bytes()); // the terminal may be gone
    }
    std::process::exit(code)
}

/// Sets the text to print on the normal screen when a signal ends the program: the current game.
pub(super) fn set_farewell(text: String) {
    *FAREWELL.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// Writes everything.
fn put(bytes: &[u8]) -> io::Result<()> {
    platform::write_while(bytes, || true)
}

fn output() -> MutexGuard<'static, ()> {
    OUTPUT_LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the lock, or `None` if it is held for too long.
fn output_soon() -> Option<MutexGuard<'static, ()>> {
    let deadline = Instant::now() + FRAME_TIMEOUT;
    loop {
        match OUTPUT_LOCK.try_lock() {
            Ok(output) => return Some(output),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() > deadline => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    }
}
