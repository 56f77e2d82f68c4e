//! A mistake that is shown: the position before it, with the move played and the better one, and how the better line
//! goes on. Its positions belong to no game: nothing of them is saved.

use std::sync::Arc;

use crate::ai::Consequence;
use crate::play::{Loss, MatchRefusal};
use crate::record::NodeId;
use crate::session::Position;

/// A mistake with the better line.
#[derive(Debug)]
pub struct Lesson {
    /// The mistake.
    pub loss: Loss,
    /// Which of the mistakes it is, from 1, and how many there are.
    pub number: usize,
    /// The number of mistakes.
    pub count: usize,
    /// Why the mistake is one, where that is certain.
    pub consequence: Option<Consequence<String>>,
    /// The positions after the moves of the better line.
    pub(super) line: Vec<Arc<dyn Position>>,
    /// How many of those moves are shown.
    pub(super) step: usize,
    /// What was shown before.
    pub(super) before: (NodeId, bool),
}

impl Lesson {
    /// How many moves of the better line are shown.
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// The number of moves of the better line.
    #[must_use]
    pub fn length(&self) -> usize {
        self.line.len()
    }

    /// The position of the better line that is shown; none before its first move.
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
