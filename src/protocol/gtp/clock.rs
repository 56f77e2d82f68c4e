//! The clock of GTP: a main time, then periods in which a number of moves must be made. Knows no words and no game.

use std::time::Duration;

use crate::game::{BySide, Side};

/// Time that is kept back for the way to the other program.
const MARGIN: Duration = Duration::from_millis(50);
/// The shortest thought, even when the time is up.
const MIN_MOVE_TIME: Duration = Duration::from_millis(20);

/// Time that a side has left for a number of moves, or for all of them where that number is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TimeLeft {
    time: Duration,
    stones: u32,
}

/// The time of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GtpClock {
    /// Time and moves of a period, once the main time is used up.
    period: TimeLeft,
    left: BySide<Option<TimeLeft>>,
}

impl GtpClock {
    /// A clock as `time_settings` asks for it. None where nothing is given, or a period without a number of moves.
    #[must_use]
    pub fn new(main: Duration, period: Duration, stones: u32) -> Self {
        let has_period = !period.is_zero() && stones > 0;
        let left = if !period.is_zero() && stones == 0 {
            None
        } else if !main.is_zero() {
            Some(TimeLeft { time: main, stones: 0 })
        } else {
            Some(TimeLeft { time: period, stones }).filter(|_| has_period)
        };
        let period = if has_period { TimeLeft { time: period, stones } } else { TimeLeft::default() };
        GtpClock { period, left: BySide::new(left, left) }
    }

    /// Sets the time that a side has left, and the moves that it is for.
    pub fn set(&mut self, side: Side, time: Duration, stones: u32) {
        self.left[side] = Some(TimeLeft { time, stones });
    }

    /// Returns the time that a side has left, and the number of moves that it is for, 0 for all of them; `None` without
    /// a limit.
    #[must_use]
    pub fn left(&self, side: Side) -> Option<(Duration, u32)> {
        self.left[side].map(|left| (left.time, left.stones))
    }

    /// Returns the time for which a side may think now, with `moves` own moves to come; `None` without a limit.
    #[must_use]
    pub fn budget(&self, side: Side, moves: u32) -> Option<Duration> {
        let TimeLeft { time, stones } = self.left[side]?;
        let share = if stones > 0 { time / stones } else { time / moves.max(1) };
        let is_followed = stones == 0 && self.period.stones > 0;
        let period = if is_followed { self.period.time / self.period.stones } else { Duration::ZERO };
        Some(share.max(period.min(time)).saturating_sub(MARGIN).max(MIN_MOVE_TIME))
    }

    /// Counts a thought.
    pub fn spend(&mut self, side: Side, thought: Duration) {
        let Some(left) = &mut self.left[side] else { return };
        left.time = left.time.saturating_sub(thought);
        let is_over = if left.stones > 0 {
            left.stones -= 1;
            left.stones == 0
        } else {
            left.time.is_zero()
        };
        if is_over && self.period.stones > 0 {
            *left = self.period;
        }
    }
}
