//! A mistake that is shown: the position before it, with the move played and the better one, and
//! the better line. Its positions belong to no game: none of them is saved.

use std::sync::Arc;

use crate::ai::Consequence;
use crate::play::{Loss, MatchRefusal};
use crate::record::NodeId;
use crate::session::Position;

/// Mistake with the better line.
#[derive(Debug)]
pub struct Lesson {
    /// The mistake.
    pub loss: Loss,
    /// Number of the mistake, from 1.
    pub number: usize,
    /// Number of mistakes.
    pub count: usize,
    /// Reason why the mistake is one, where that is certain.
    pub consequence: Option<Consequence<String>>,
    /// Positions after the moves of the better line.
    pub(super) line: Vec<Arc<dyn Position>>,
    /// Number of those moves that are shown.
    pub(super) step: usize,
    /// Position that was shown before, and `true` if the game was stepped through.
    pub(super) before: (NodeId, bool),
}

impl Lesson {
    /// Returns the number of moves of the better line that are shown.
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the number of moves of the better line.
    #[must_use]
    pub fn length(&self) -> usize {
        self.line.len()
    }

    /// Returns the position of the better line that is shown; `None` before its first move.
    pub(super) fn position(&self) -> Option<&Arc<dyn Position>> {
        self.line.get(self.step.checked_sub(1)?)
    }

    /// Steps through the better line, as far as it goes.
    pub(super) fn forward(&mut self, count: usize) -> Result<(), MatchRefusal> {
        let left = self.line.len() - self.step;
        self.step += count.min(left);
        if left == 0 { Err(MatchRefusal::EndOfLesson(true)) } else { Ok(()) }
    }

    /// Steps back to the position before the mistake.
    pub(super) fn back(&mut self, count: usize) -> Result<(), MatchRefusal> {
        let was_begun = self.step > 0;
        self.step = self.step.saturating_sub(count);
        if was_begun { Ok(()) } else { Err(MatchRefusal::EndOfLesson(false)) }
    }
}
