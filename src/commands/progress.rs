//! Progress of long work: a bar in the last line of a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Bar on standard error, where somebody can see it.
pub(super) struct Bar {
    began: Instant,
    shown: Option<Instant>,
}

impl Bar {
    /// Shortest time between two pictures.
    const PAUSE: Duration = Duration::from_millis(200);
    const WIDTH: u64 = 30;

    /// Creates a bar that begins now; nothing is shown yet.
    pub(super) fn new() -> Self {
        Bar { began: Instant::now(), shown: None }
    }

    /// Reports whether somebody can see it.
    pub(super) fn is_seen() -> bool {
        io::stderr().is_terminal()
    }

    /// Shows `[####......]  40 of 100 pairs, at most 0:12 to go`: `done` of `all` are done, `known`
    /// of them before the bar began. It is drawn again only a moment after the last time.
    pub(super) fn show(&mut self, [done, all, known]: [u64; 3], said: &str) -> io::Result<()> {
        if self.shown.is_some_and(|shown| shown.elapsed() < Self::PAUSE) && done < all {
            return Ok(());
        }
        self.shown = Some(Instant::now());
        let filled = Self::WIDTH * done / all.max(1);
        let bar: String = (0..Self::WIDTH).map(|i| if i < filled { '#' } else { '.' }).collect();
        let here = u32::try_from(done.saturating_sub(known)).unwrap_or(u32::MAX).max(1);
        let left = u32::try_from(all - done).unwrap_or(u32::MAX);
        let left = clock((self.began.elapsed() / here).saturating_mul(left));
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
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
