//! How a replay or a match of two engines goes on by itself.

use std::time::Duration;

use crate::play::{AfterEnd, Now, Walk};

/// The pause that replays and matches of engines begin with, where they have one.
const PAUSE: Duration = Duration::from_secs(1);

/// Whether something goes on by itself, and how fast.
#[derive(Clone, Copy, Debug, Default)]
pub struct Playback {
    /// `true` if it does.
    pub is_running: bool,
    /// The pause between two moves.
    pub pause: Duration,
    /// When there was last something new to see.
    pub(super) since: Now,
    /// `true` if one more move is wanted although it is stopped.
    pub(super) steps: bool,
}

impl Playback {
    /// One that stands, with the pause that such a match has.
    pub(super) fn new(after_end: AfterEnd) -> Self {
        let pause = if after_end == AfterEnd::Stay { PAUSE } else { Duration::ZERO };
        Playback { pause, ..Playback::default() }
    }

    /// When the next step is due.
    pub(super) fn due(&self) -> Now {
        self.since.saturating_add(self.pause)
    }

    /// Does what is asked of it.
    pub(super) fn walk(&mut self, walk: Walk) {
        match walk {
            Walk::Pause(pause) => self.pause = pause.max(Duration::from_millis(1)),
            Walk::Stop => self.is_running = false,
            Walk::Step => self.steps = true,
            Walk::Run => self.is_running = true,
        }
    }
}
