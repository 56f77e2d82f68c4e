//! Playback: the automatic continuation of a replay or a match between engines.

use std::time::Duration;

use crate::play::{AfterGameEnd, MatchTime, PlaybackControl};

/// Initial pause between moves of replays and matches between engines on the full screen.
const DEFAULT_MOVE_PAUSE: Duration = Duration::from_secs(1);

/// State of a playback: whether it is running, and its speed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Playback {
    /// `true` if the playback is running.
    pub is_running: bool,
    /// Pause between two moves.
    pub pause: Duration,
    /// Time of the last shown change, from which the pause counts.
    pub(super) since: MatchTime,
    /// `true` if a single step was requested while the playback is stopped.
    pub(super) pending_step: bool,
}

impl Playback {
    /// Creates a stopped playback with the default pause for this kind of match.
    pub(super) fn new(after_end: AfterGameEnd) -> Self {
        let pause = if after_end == AfterGameEnd::Stay { DEFAULT_MOVE_PAUSE } else { Duration::ZERO };
        Playback { pause, ..Playback::default() }
    }

    /// Returns the time of the next step.
    pub(super) fn next_step_time(&self) -> MatchTime {
        self.since.saturating_add(self.pause)
    }

    /// Applies a control command.
    pub(super) fn apply_control(&mut self, walk: PlaybackControl) {
        match walk {
            PlaybackControl::Pause(pause) => self.pause = pause.max(Duration::from_millis(1)),
            PlaybackControl::Stop => self.is_running = false,
            PlaybackControl::Step => self.pending_step = true,
            PlaybackControl::Run => self.is_running = true,
        }
    }
}
