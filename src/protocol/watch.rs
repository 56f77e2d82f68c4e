//! Runs searches that stop at a deadline or at the end of the input.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::stdin::{SEARCH_GRACE_AFTER_EOF, SMALL_STACK_BYTES};

/// Interval between checks for the end of the input.
const EOF_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs a search with a stop flag. The flag is set after `cut`, or shortly after the end of the
/// input.
pub(crate) fn run_with_stop_flag<R>(
    cut: Option<Duration>,
    eof: Option<&AtomicBool>,
    think: impl FnOnce(&AtomicBool) -> R,
) -> R {
    let stop = AtomicBool::new(false);
    if cut.is_none() && eof.is_none() {
        return think(&stop);
    }
    thread::scope(|scope| {
        let (thinking, is_done) = channel::<()>();
        let stop = &stop;
        let watch = move || set_stop_at_deadline(&is_done, stop, cut, eof);
        // If the thread cannot be started, only the limits of the engine apply.
        let _ = thread::Builder::new()
            .name("watch".to_owned())
            .stack_size(SMALL_STACK_BYTES)
            .spawn_scoped(scope, watch);
        let result = think(stop);
        drop(thinking);
        result
    })
}

/// Sets `stop` at the deadline. Returns once the sender of `is_done` is dropped.
fn set_stop_at_deadline(
    is_done: &Receiver<()>,
    stop: &AtomicBool,
    cut: Option<Duration>,
    eof: Option<&AtomicBool>,
) {
    let mut end = cut.and_then(|cut| Instant::now().checked_add(cut));
    let mut eof = eof;
    loop {
        let left = end.map_or(EOF_POLL_INTERVAL, |end| end.saturating_duration_since(Instant::now()));
        let wait = if eof.is_some() || end.is_none() { left.min(EOF_POLL_INTERVAL) } else { left };
        if is_done.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        if eof.is_some_and(|flag| flag.load(Ordering::SeqCst)) {
            let soon = Instant::now() + SEARCH_GRACE_AFTER_EOF;
            end = Some(end.map_or(soon, |end| end.min(soon)));
            eof = None;
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            stop.store(true, Ordering::SeqCst);
            return;
        }
    }
}
