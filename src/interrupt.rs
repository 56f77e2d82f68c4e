//! Handling of Ctrl-C in line mode. While a built-in engine thinks, Ctrl-C makes it move. At the prompt, and
//! while an external engine thinks, a second Ctrl-C in a row quits.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::platform;

/// State of the program, which decides what Ctrl-C does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InterruptMode {
    /// The program waits for a line.
    Prompt = 0,
    /// A built-in engine thinks.
    Thinking = 1,
    /// A game without a human player is shown.
    Watching = 2,
    /// An external engine thinks; it cannot be interrupted.
    External = 3,
}

/// Handler of Ctrl-C; clones share their state.
#[derive(Clone, Default)]
pub(crate) struct InterruptHandler {
    attention: Arc<AtomicU8>,
    /// `true` if the last event was a Ctrl-C, so that the next one quits.
    is_warned: Arc<AtomicBool>,
    /// Function that makes the thinking engine move.
    wake: Arc<Mutex<Option<WakeEngineFn>>>,
}

/// Function that makes the engine move at once.
type WakeEngineFn = Box<dyn Fn() + Send>;

impl std::fmt::Debug for InterruptHandler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interrupt").field("attention", &self.attention).finish_non_exhaustive()
    }
}

impl InterruptHandler {
    /// Sets the state that decides what Ctrl-C does. When a human player's turn begins, an earlier Ctrl-C no
    /// longer counts.
    pub(crate) fn set_mode(&self, attention: InterruptMode) {
        let before = self.attention.swap(attention as u8, Ordering::SeqCst);
        let is_unplayed = |attention: u8| {
            attention == InterruptMode::External as u8 || attention == InterruptMode::Watching as u8
        };
        if is_unplayed(before) && !is_unplayed(attention as u8) {
            self.clear_warning();
        }
    }

    /// Clears the warning after input was read: the next Ctrl-C counts as the first one again.
    pub(crate) fn clear_warning(&self) {
        self.is_warned.store(false, Ordering::SeqCst);
    }

    /// Sets the function that makes the engine move at once.
    pub(crate) fn set_wake_function(&self, wake: impl Fn() + Send + 'static) {
        *self.wake.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(wake));
    }

    /// Starts to handle Ctrl-C. If that is not possible, Ctrl-C ends the program as usual.
    pub(crate) fn install_ctrl_c_handler(&self) {
        let own = self.clone();
        platform::on_ctrl_c(move || own.handle_ctrl_c());
    }

    /// Handles one Ctrl-C according to the current mode.
    pub(crate) fn handle_ctrl_c(&self) {
        let attention = self.attention.load(Ordering::SeqCst);
        if attention == InterruptMode::Watching as u8 {
            std::process::exit(130);
        } else if attention == InterruptMode::Thinking as u8 {
            if let Some(wake) = &*self.wake.lock().unwrap_or_else(PoisonError::into_inner) {
                wake();
            }
        } else if self.is_warned.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        } else {
            // If the terminal is gone, the program ends anyway.
            let _ = writeln!(io::stderr(), "\n(press Ctrl-C again, or type quit, to leave)");
        }
    }
}
