//! Short animation of a move on the board. A key ends it, and nothing waits for it.

use std::time::Duration;

use super::facts::MatchFacts;
use super::frame::FrameContext;
use super::panels::cached_layout;
use super::screen::{MoveAnimation, Screen};
use crate::canvas::PaintOptions;
use crate::drawing::{Scene, move_animation_frame};
use crate::play::{Match, MatchEvent, MatchTime};

/// Time for which each frame of an animation is shown.
const ANIMATION_FRAME_TIME: Duration = Duration::from_millis(40);

impl Screen {
    /// Starts the animation of a move, if one is among these events. It begins with the next frame.
    pub(super) fn start_move_animation(&mut self, game: &Match, events: &[MatchEvent]) {
        let has_motion = self.looks.draws_tiles() && !self.looks.habits.is_still;
        for event in events.iter().filter(|_| has_motion) {
            match event {
                MatchEvent::Moved(moved) if moved.node == game.game().shown_node() => {
                    self.motion = Some(MoveAnimation { node: moved.node, from: None });
                }
                MatchEvent::Started => self.motion = None,
                _ => {}
            }
        }
    }

    /// Advances or begins the animation. Returns the time at which its next frame is due.
    pub(super) fn advance_animation(&mut self, game: &Match, now: MatchTime) -> Option<MatchTime> {
        let motion = self.motion.as_mut()?;
        let from = *motion.from.get_or_insert(now);
        if self.with_match(Some(game)).current_animation_scene().is_none() {
            self.motion = None;
            return None;
        }
        let shown = now.saturating_sub(from).as_millis() / ANIMATION_FRAME_TIME.as_millis();
        Some(from + ANIMATION_FRAME_TIME * (u32::try_from(shown).unwrap_or(u32::MAX - 1) + 1))
    }
}

impl FrameContext<'_> {
    /// Returns the current frame of the last move's animation, while the animation runs.
    fn current_animation_scene(&self) -> Option<Scene> {
        cached_layout(self).frame.scale?;
        self.animate_scene(&self.board_scene_at_rest()?)
    }

    /// Returns the current frame of the last move's animation on a board, or `None` if nothing
    /// moves.
    pub(super) fn animate_scene(&self, scene: &Scene) -> Option<Scene> {
        let MoveAnimation { node, from } = self.screen.motion?;
        self.game.filter(|game| game.game().shown_node() == node && self.screen.menu().is_none())?;
        let step = from.map_or(0, |from| {
            self.screen.now.saturating_sub(from).as_millis() / ANIMATION_FRAME_TIME.as_millis()
        });
        let before = self.game.shown_position()?.parent()?;
        let turned = self.screen.drawing.is_turned && before.as_paint().can_flip();
        let look = PaintOptions { turned, ..PaintOptions::default() };
        move_animation_frame(&before.as_paint().scene(&look), scene, usize::try_from(step).ok()?)
    }
}
