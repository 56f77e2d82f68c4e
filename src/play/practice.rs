//! The mistakes that are practised: those of a day, and the one that is shown. Knows no board.

use std::collections::VecDeque;

use jiff::civil::Date;

use crate::play::{Known, OpenTask, Task};
use crate::registry::Entry;

/// The mistakes to be practised on a day.
#[derive(Clone, Debug)]
pub struct Session {
    /// Those that are due, opened.
    pub(super) due: VecDeque<(Task, OpenTask)>,
    /// All that are known.
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

/// How far a mistake is, that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing was tried yet.
    Fresh,
    /// A wrong move was tried.
    Missed,
    /// The answer was found, or the solution was shown.
    Answered,
}

/// The mistake that is shown.
#[derive(Clone, Debug)]
pub struct Practice {
    /// The mistake.
    pub task: Task,
    /// Which of the mistakes it is, from 1.
    pub number: usize,
    /// How many there are.
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
