//! Ctrl-C in line mode: it asks a thinking engine for its move; at the prompt, and while an external engine thinks,
//! the second one in a row leaves.
//! An engine for another program leaves when it is told to, or when nobody listens any more.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::platform;

/// State of the program, which decides what Ctrl-C does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InterruptMode {
    /// It waits for a line.
    Prompt = 0,
    /// An engine thinks.
    Thinking = 1,
    /// It shows a game that nobody plays.
    Watching = 2,
    /// An external engine thinks, which nothing can hurry.
    External = 3,
}

/// State that the handler of Ctrl-C reads.
#[derive(Clone, Default)]
pub(crate) struct Interrupt {
    attention: Arc<AtomicU8>,
    /// The last thing that came was a Ctrl-C.
    is_warned: Arc<AtomicBool>,
    /// Asks the engine that thinks for its move.
    wake: Arc<Mutex<Option<Wake>>>,
}

/// Function that asks the engine to move at once.
type Wake = Box<dyn Fn() + Send>;

impl std::fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interrupt").field("attention", &self.attention).finish_non_exhaustive()
    }
}

impl Interrupt {
    /// Says what a Ctrl-C would interrupt from now on. A Ctrl-C that was warned of while an external engine was
    /// thinking counts no longer once a person is to move.
    pub(crate) fn set_mode(&self, attention: InterruptMode) {
        let before = self.attention.swap(attention as u8, Ordering::SeqCst);
        let is_unplayed = |attention: u8| {
            attention == InterruptMode::External as u8 || attention == InterruptMode::Watching as u8
        };
        if is_unplayed(before) && !is_unplayed(attention as u8) {
            self.forget();
        }
    }

    /// Something was read: the next Ctrl-C is the first one again.
    pub(crate) fn forget(&self) {
        self.is_warned.store(false, Ordering::SeqCst);
    }

    /// Sets the function that asks the engine to move at once.
    pub(crate) fn wake_by(&self, wake: impl Fn() + Send + 'static) {
        *self.wake.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(wake));
    }

    /// Takes Ctrl-C from now on. Where that is not possible it ends the program as usual.
    pub(crate) fn watch(&self) {
        let own = self.clone();
        platform::on_interrupt(move || own.interrupt());
    }

    /// Handles Ctrl-C in the present mode.
    pub(crate) fn interrupt(&self) {
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
            // A terminal that cannot be written to will end the program by itself.
            let _ = writeln!(io::stderr(), "\n(press Ctrl-C again, or type quit, to leave)");
        }
    }
}
