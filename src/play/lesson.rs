//! Mistake lessons: the position before a mistake, with the played move and the better line.
//!
//! The positions of the better line are not part of the game and are never saved.

use std::sync::Arc;

use crate::ai::MistakeConsequence;
use crate::play::{MatchRefusal, MoveLoss};
use crate::record::NodeId;
use crate::session::Position;

/// Mistake that is shown with its better line.
#[derive(Debug)]
pub struct MistakeLesson {
    /// Mistake with its cost and the better move.
    pub loss: MoveLoss,
    /// Number of the mistake, from 1.
    pub number: usize,
    /// Number of mistakes in the game.
    pub count: usize,
    /// Explanation of the mistake, if it is certain.
    pub consequence: Option<MistakeConsequence<String>>,
    /// Positions after the moves of the better line.
    pub(super) line: Vec<Arc<dyn Position>>,
    /// Number of shown moves of the better line.
    pub(super) step: usize,
    /// Node shown before the lesson, and `true` if the player was stepping through the game.
    pub(super) before: (NodeId, bool),
}

impl MistakeLesson {
    /// Returns the number of shown moves of the better line.
    #[must_use]
    pub fn shown_move_count(&self) -> usize {
        self.step
    }

    /// Returns the number of moves of the better line.
    #[must_use]
    pub fn line_len(&self) -> usize {
        self.line.len()
    }

    /// Returns the shown position of the better line; `None` before its first move.
    pub(super) fn shown_position(&self) -> Option<&Arc<dyn Position>> {
        self.line.get(self.step.checked_sub(1)?)
    }

    /// Steps forward `count` moves in the better line, at most to its end.
    ///
    /// # Errors
    /// Refuses if the line is already at its end.
    pub(super) fn step_forward(&mut self, count: usize) -> Result<(), MatchRefusal> {
        let left = self.line.len() - self.step;
        self.step += count.min(left);
        if left == 0 { Err(MatchRefusal::EndOfLesson(true)) } else { Ok(()) }
    }

    /// Steps back `count` moves in the better line, at most to the position before the mistake.
    ///
    /// # Errors
    /// Refuses if that position is already shown.
    pub(super) fn step_back(&mut self, count: usize) -> Result<(), MatchRefusal> {
        let was_begun = self.step > 0;
        self.step = self.step.saturating_sub(count);
        if was_begun { Ok(()) } else { Err(MatchRefusal::EndOfLesson(false)) }
    }
}
