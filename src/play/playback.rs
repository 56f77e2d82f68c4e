//! Playback: a replay or a match of two engines that continues by itself.

use std::time::Duration;

use crate::play::{AfterEnd, Now, PlaybackControl};

/// Initial pause of replays and matches of engines, where they have one.
const PAUSE: Duration = Duration::from_secs(1);

/// State of a playback: running or stopped, and its speed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Playback {
    /// `true` if it is running.
    pub is_running: bool,
    /// Pause between two moves.
    pub pause: Duration,
    /// Time at which something new was last shown.
    pub(super) since: Now,
    /// `true` if one more move is wanted although it is stopped.
    pub(super) steps: bool,
}

impl Playback {
    /// Creates a stopped playback with the usual pause of the match.
    pub(super) fn new(after_end: AfterEnd) -> Self {
        let pause = if after_end == AfterEnd::Stay { PAUSE } else { Duration::ZERO };
        Playback { pause, ..Playback::default() }
    }

    /// Returns the time at which the next step is due.
    pub(super) fn due(&self) -> Now {
        self.since.saturating_add(self.pause)
    }

    /// Follows a control command.
    pub(super) fn walk(&mut self, walk: PlaybackControl) {
        match walk {
            PlaybackControl::Pause(pause) => self.pause = pause.max(Duration::from_millis(1)),
            PlaybackControl::Stop => self.is_running = false,
            PlaybackControl::Step => self.steps = true,
            PlaybackControl::Run => self.is_running = true,
        }
    }
}
