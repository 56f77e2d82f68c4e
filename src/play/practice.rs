//! Practice sessions: the mistakes due on a day, and the progress with the shown mistake.
//!
//! This module does not depend on the board.

use std::collections::VecDeque;

use jiff::civil::Date;

use crate::play::{OpenTask, PracticeTask, TaskHistory};
use crate::registry::RegisteredGame;

/// Practice session: the mistakes due on a day.
#[derive(Clone, Debug)]
pub struct PracticeSession {
    /// Due mistakes with their opened positions.
    pub(super) due: VecDeque<(PracticeTask, OpenTask)>,
    /// All tasks with their tries, due or not.
    pub(super) known: Vec<TaskHistory>,
    pub(super) today: Date,
}

impl PracticeSession {
    /// Opens the due mistakes of the given games; `None` if there are none.
    #[must_use]
    pub fn from_due_mistakes(
        known: Vec<TaskHistory>,
        today: Date,
        games: &'static [RegisteredGame],
    ) -> Option<Self> {
        let is_due = known.iter().filter(|known| known.is_due_on(today));
        let opened = is_due.filter_map(|known| Some((known.task.clone(), known.task.open(games).ok()?)));
        let due: VecDeque<_> = opened.collect();
        (!due.is_empty()).then_some(PracticeSession { due, known, today })
    }
}

/// Progress with the shown mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PracticeStage {
    /// The player has not tried a move yet.
    Fresh,
    /// The player has tried a wrong move.
    Missed,
    /// The player has found a right move, or the solution was shown.
    Answered,
}

/// Mistake that is being practised, with the progress.
#[derive(Clone, Debug)]
pub struct PracticeItem {
    /// Task for the mistake.
    pub task: PracticeTask,
    /// Number of the mistake in the session, from 1.
    pub number: usize,
    /// Number of mistakes in the session.
    pub count: usize,
    pub(super) stage: PracticeStage,
}

impl PracticeItem {
    /// Reports whether a right move was played or the solution was shown.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.stage == PracticeStage::Answered
    }
}
