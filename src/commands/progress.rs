//! Progress of long tasks: a bar in the last line of a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Progress bar on standard error.
pub(super) struct ProgressBar {
    began: Instant,
    shown: Option<Instant>,
}

impl ProgressBar {
    /// Minimum time between two updates.
    const MIN_REDRAW_INTERVAL: Duration = Duration::from_millis(200);
    /// Width of the bar in columns.
    const BAR_COLUMNS: u64 = 30;

    /// Creates a bar that starts now; nothing is shown yet.
    pub(super) fn new() -> Self {
        ProgressBar { began: Instant::now(), shown: None }
    }

    /// Reports whether standard error is a terminal.
    pub(super) fn is_visible() -> bool {
        io::stderr().is_terminal()
    }

    /// Shows `[####......]  40 of 100 pairs, at most 0:12 to go`. Of `all` items `done` are done, `known` of
    /// them before the bar started. Updates that follow too quickly are skipped.
    pub(super) fn show(&mut self, [done, all, known]: [u64; 3], said: &str) -> io::Result<()> {
        if self.shown.is_some_and(|shown| shown.elapsed() < Self::MIN_REDRAW_INTERVAL) && done < all {
            return Ok(());
        }
        self.shown = Some(Instant::now());
        let filled = Self::BAR_COLUMNS * done / all.max(1);
        let bar: String = (0..Self::BAR_COLUMNS).map(|i| if i < filled { '#' } else { '.' }).collect();
        let here = u32::try_from(done.saturating_sub(known)).unwrap_or(u32::MAX).max(1);
        let left = u32::try_from(all - done).unwrap_or(u32::MAX);
        let left = format_duration((self.began.elapsed() / here).saturating_mul(left));
        write!(io::stderr(), "\r[{bar}] {said}, at most {left} to go\x1b[K")
    }

    /// Removes the bar.
    pub(super) fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// Formats a time: `0:12`, `1:02:03`.
fn format_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
