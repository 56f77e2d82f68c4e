//! Searches that end when a time comes or when there is no more input.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::stdin::{GRACE, STACK};

/// Time between two looks for the end of the input.
const TICK: Duration = Duration::from_millis(20);

/// Thinks with a stop flag that is raised after `cut`, or soon after the input has ended.
pub(crate) fn watched<R>(
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
        let watch = move || watch(&is_done, stop, cut, eof);
        // Without a watcher the engine's own limits have to do.
        let _ = thread::Builder::new().name("watch".to_owned()).stack_size(STACK).spawn_scoped(scope, watch);
        let result = think(stop);
        drop(thinking);
        result
    })
}

/// Raises `stop` when the time comes; returns when the other end of `is_done` goes.
fn watch(is_done: &Receiver<()>, stop: &AtomicBool, cut: Option<Duration>, eof: Option<&AtomicBool>) {
    let mut end = cut.and_then(|cut| Instant::now().checked_add(cut));
    let mut eof = eof;
    loop {
        let left = end.map_or(TICK, |end| end.saturating_duration_since(Instant::now()));
        let wait = if eof.is_some() || end.is_none() { left.min(TICK) } else { left };
        if is_done.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        if eof.is_some_and(|flag| flag.load(Ordering::SeqCst)) {
            let soon = Instant::now() + GRACE;
            end = Some(end.map_or(soon, |end| end.min(soon)));
            eof = None;
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            stop.store(true, Ordering::SeqCst);
            return;
        }
    }
}
