//! Movement on the board for a moment after a move. The first key ends it, and nothing waits for
//! it.

use std::time::Duration;

use super::facts::Facts;
use super::frame::FrameContext;
use super::panels::layout_of;
use super::screen::{Motion, Screen};
use crate::canvas::PaintOptions;
use crate::drawing::{Scene, between};
use crate::play::{Event, Match, Now};

/// Time for which each picture is shown.
const PICTURE: Duration = Duration::from_millis(40);

impl Screen {
    /// Starts the movement of the last of these events, if it is a move, from the next frame on.
    pub(super) fn set_in_motion(&mut self, game: &Match, events: &[Event]) {
        let has_motion = self.looks.has_tiles() && !self.looks.habits.is_still;
        for event in events.iter().filter(|_| has_motion) {
            match event {
                Event::Moved(moved) if moved.node == game.game().shown() => {
                    self.motion = Some(Motion { node: moved.node, from: None });
                }
                Event::Started => self.motion = None,
                _ => {}
            }
        }
    }

    /// Continues the movement, or begins it if it has not begun yet; returns the time at which its
    /// next picture is due.
    pub(super) fn move_on(&mut self, game: &Match, now: Now) -> Option<Now> {
        let motion = self.motion.as_mut()?;
        let from = *motion.from.get_or_insert(now);
        if self.with(Some(game)).motion_picture().is_none() {
            self.motion = None;
            return None;
        }
        let shown = now.saturating_sub(from).as_millis() / PICTURE.as_millis();
        Some(from + PICTURE * (u32::try_from(shown).unwrap_or(u32::MAX - 1) + 1))
    }
}

impl FrameContext<'_> {
    /// Returns the board while the movement of its last move is running.
    fn motion_picture(&self) -> Option<Scene> {
        layout_of(self).frame.scale?;
        self.in_motion(&self.resting_scene()?)
    }

    /// Returns this board as it looks while its last move is made; `None` if nothing moves on it.
    pub(super) fn in_motion(&self, scene: &Scene) -> Option<Scene> {
        let Motion { node, from } = self.screen.motion?;
        self.game.filter(|game| game.game().shown() == node && self.screen.menu().is_none())?;
        let step =
            from.map_or(0, |from| self.screen.now.saturating_sub(from).as_millis() / PICTURE.as_millis());
        let before = self.game.shown()?.parent()?;
        let turned = self.screen.drawing.is_turned && before.drawn().turns();
        let look = PaintOptions { turned, ..PaintOptions::default() };
        between(&before.drawn().scene(&look), scene, usize::try_from(step).ok()?)
    }
}
