//! Limits of the input that may wait: text typed or pasted by accident must not hold back Ctrl-C.
//! Pure but for two counters that two threads share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::screen::{Event, MAX_TYPED};

/// Maximum number of keys that may wait. They are handled within a few hundredths of a second.
const MAX_WAITING: usize = 1000;
/// Number of waiting keys that exceeds what anybody types ahead: Ctrl-C and Esc drop them.
const FLOOD: usize = 100;
/// Time without a key after which a line that was too long counts as ended.
pub(super) const PAUSE: Duration = Duration::from_millis(30);

/// Counters that the reader of keys and the loop that handles them share.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    /// Number of keys that wait and were not dropped.
    count: usize,
    /// Number of times that waiting keys were dropped.
    drops: u64,
}

impl Backlog {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes out a key that was sent after `drops` drops, and reports whether it counts.
    pub(super) fn receive(&self, drops: u64) -> bool {
        let mut waiting = self.waiting();
        let counts = drops == waiting.drops;
        waiting.count -= usize::from(counts);
        counts
    }
}

/// Gate that lets keys through as long as not too many wait, and of a line no more than a line may
/// have.
#[derive(Debug, Default)]
pub(super) struct Gate {
    backlog: Backlog,
    /// Number of characters that have come one after the other.
    line: usize,
    /// `true` if keys are being dropped because too many wait.
    is_full: bool,
    /// Last key, if it was dropped and is the quit key: pressed after many other keys it is meant.
    last_quit: Option<KeyEvent>,
}

impl Gate {
    pub(super) fn new(backlog: Backlog) -> Self {
        Gate { backlog, line: 0, is_full: false, last_quit: None }
    }

    /// Reports whether a pause changes what comes next.
    pub(super) fn is_counting(&self) -> bool {
        self.line > 0
    }

    /// Takes note of a pause and returns the event that is to be sent after all.
    pub(super) fn pause(&mut self) -> Option<(Event, u64)> {
        self.line = 0;
        self.last_quit.take().map(|key| self.sent(Event::Key(key)))
    }

    /// Returns the event to send for one that has come, and the number of drops before it; `None`
    /// if it is dropped.
    pub(super) fn pass(&mut self, event: Event) -> Option<(Event, u64)> {
        let Event::Key(key) = event else {
            let is_dropped = matches!(event, Event::Paste(_)) && self.backlog.waiting().count > MAX_WAITING;
            return (!is_dropped).then(|| self.sent(event));
        };
        let is_last = key.code == KeyCode::Enter;
        let is_of_line =
            matches!(key.code, KeyCode::Char(_)) && !key.modifiers.contains(KeyModifiers::CONTROL);
        // The first character too many notifies the screen that the line is too long.
        let is_too_long = self.line > MAX_TYPED && (is_of_line || is_last);
        self.line = if is_of_line { self.line + 1 } else { 0 };
        self.last_quit = Some(key).filter(|key| key.code == KeyCode::Char('q') && is_of_line);
        if is_too_long {
            return None;
        }
        let waiting = self.backlog.waiting().count;
        if is_urgent(&key) && waiting > FLOOD {
            let mut waiting = self.backlog.waiting();
            waiting.drops += 1;
            waiting.count = 0;
        } else if waiting > MAX_WAITING {
            let is_first = !std::mem::replace(&mut self.is_full, true);
            return is_first.then(|| self.sent(Event::TooMuch));
        }
        (self.is_full, self.last_quit) = (false, None);
        Some(self.sent(Event::Key(key)))
    }

    fn sent(&self, event: Event) -> (Event, u64) {
        let mut waiting = self.backlog.waiting();
        waiting.count += 1;
        (event, waiting.drops)
    }
}

/// Reports whether a key must not wait behind text that was typed by accident.
fn is_urgent(key: &KeyEvent) -> bool {
    key.code == KeyCode::Esc
        || key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
