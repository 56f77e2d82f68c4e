//! Practice of mistakes: those of a day, and the one that is shown. Knows no board.

use std::collections::VecDeque;

use jiff::civil::Date;

use crate::play::{Known, OpenTask, Task};
use crate::registry::Entry;

/// Mistakes to be practised on a day.
#[derive(Clone, Debug)]
pub struct Session {
    /// Mistakes that are due, opened.
    pub(super) due: VecDeque<(Task, OpenTask)>,
    /// All mistakes.
    pub(super) known: Vec<Known>,
    pub(super) today: Date,
}

impl Session {
    /// Opens the mistakes of these games that are due; `None` if there are none.
    #[must_use]
    pub fn of(known: Vec<Known>, today: Date, games: &'static [Entry]) -> Option<Self> {
        let is_due = known.iter().filter(|known| known.is_due(today));
        let opened = is_due.filter_map(|known| Some((known.task.clone(), known.task.open(games).ok()?)));
        let due: VecDeque<_> = opened.collect();
        (!due.is_empty()).then_some(Session { due, known, today })
    }
}

/// Progress with the mistake that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing was tried yet.
    Fresh,
    /// A wrong move was tried.
    Missed,
    /// The answer was found, or the solution was shown.
    Answered,
}

/// Mistake that is shown for practice.
#[derive(Clone, Debug)]
pub struct Practice {
    /// The mistake.
    pub task: Task,
    /// Number of the mistake, from 1.
    pub number: usize,
    /// Number of mistakes.
    pub count: usize,
    pub(super) stage: Stage,
}

impl Practice {
    /// Reports whether the answer was found or shown.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.stage == Stage::Answered
    }
}
