//! Limits the waiting input, so that text typed or pasted by accident does not delay Ctrl-C. The
//! only state is in two counters that two threads share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::screen::{MAX_TYPED_CHARS, ScreenEvent};

/// Maximum number of waiting keys. They are handled within a few hundredths of a second.
const MAX_WAITING_KEYS: usize = 1000;
/// Number of waiting keys above which Ctrl-C and Esc drop them. Nobody types so far ahead.
const KEY_FLOOD_THRESHOLD: usize = 100;
/// Length of a pause in typing that ends a line that was too long.
pub(super) const LINE_END_PAUSE: Duration = Duration::from_millis(30);

/// Counters of waiting keys, shared by the thread that reads keys and the loop that handles them.
#[derive(Clone, Debug, Default)]
pub(super) struct InputBacklog(Arc<Mutex<WaitingKeys>>);

#[derive(Debug, Default)]
struct WaitingKeys {
    /// Number of keys that were sent to the loop and are not handled yet.
    count: usize,
    /// Number of times that the waiting keys were dropped.
    drops: u64,
}

impl InputBacklog {
    fn lock_waiting_keys(&self) -> MutexGuard<'_, WaitingKeys> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a key as received by the loop, or returns `false` if the key was dropped.
    ///
    /// `drops` is the number of drops when the key was sent. If it has grown since, the key is
    /// ignored.
    pub(super) fn accept_key(&self, drops: u64) -> bool {
        let mut waiting = self.lock_waiting_keys();
        let counts = drops == waiting.drops;
        waiting.count -= usize::from(counts);
        counts
    }
}

/// Gate between the thread that reads keys and the loop that handles them.
///
/// It limits the number of waiting keys and the length of a typed line.
#[derive(Debug, Default)]
pub(super) struct InputGate {
    backlog: InputBacklog,
    /// Number of characters typed without a pause or another key between them.
    line: usize,
    /// `true` while keys are dropped because too many are waiting.
    is_full: bool,
    /// The last key, if it was a dropped `q`.
    ///
    /// It is sent after a pause, because the player meant to quit.
    last_quit: Option<KeyEvent>,
}

impl InputGate {
    pub(super) fn new(backlog: InputBacklog) -> Self {
        InputGate { backlog, line: 0, is_full: false, last_quit: None }
    }

    /// Reports whether a line is being typed.
    pub(super) fn has_open_line(&self) -> bool {
        self.line > 0
    }

    /// Ends the typed line after a pause and returns the quit key to send, if one was held back.
    pub(super) fn on_pause(&mut self) -> Option<(ScreenEvent, u64)> {
        self.line = 0;
        self.last_quit.take().map(|key| self.count_as_sent(ScreenEvent::Key(key)))
    }

    /// Returns the event with the number of drops so far, or `None` if the event is dropped.
    pub(super) fn admit_event(&mut self, event: ScreenEvent) -> Option<(ScreenEvent, u64)> {
        let ScreenEvent::Key(key) = event else {
            let is_dropped = matches!(event, ScreenEvent::Paste(_))
                && self.backlog.lock_waiting_keys().count > MAX_WAITING_KEYS;
            return (!is_dropped).then(|| self.count_as_sent(event));
        };
        let is_last = key.code == KeyCode::Enter;
        let is_of_line =
            matches!(key.code, KeyCode::Char(_)) && !key.modifiers.contains(KeyModifiers::CONTROL);
        // One character beyond the limit is let through, so that the screen reports a line that is
        // too long.
        let is_too_long = self.line > MAX_TYPED_CHARS && (is_of_line || is_last);
        self.line = if is_of_line { self.line + 1 } else { 0 };
        self.last_quit = Some(key).filter(|key| key.code == KeyCode::Char('q') && is_of_line);
        if is_too_long {
            return None;
        }
        let waiting = self.backlog.lock_waiting_keys().count;
        if is_urgent_key(&key) && waiting > KEY_FLOOD_THRESHOLD {
            let mut waiting = self.backlog.lock_waiting_keys();
            waiting.drops += 1;
            waiting.count = 0;
        } else if waiting > MAX_WAITING_KEYS {
            let is_first = !std::mem::replace(&mut self.is_full, true);
            return is_first.then(|| self.count_as_sent(ScreenEvent::TooMuch));
        }
        (self.is_full, self.last_quit) = (false, None);
        Some(self.count_as_sent(ScreenEvent::Key(key)))
    }

    fn count_as_sent(&self, event: ScreenEvent) -> (ScreenEvent, u64) {
        let mut waiting = self.backlog.lock_waiting_keys();
        waiting.count += 1;
        (event, waiting.drops)
    }
}

/// Reports whether a key is Esc or Ctrl-C, which take precedence over text typed by accident.
fn is_urgent_key(key: &KeyEvent) -> bool {
    key.code == KeyCode::Esc
        || key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
