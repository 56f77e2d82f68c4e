//! GTP clock: a main time, then periods with a number of moves each.
//!
//! This module depends neither on commands nor on games.

use std::time::Duration;

use crate::game::{BySide, Side};

/// Safety margin per move for the transmission to the other program.
const TRANSMISSION_MARGIN: Duration = Duration::from_millis(50);
/// Minimum time for a move, even if no time is left.
const MIN_MOVE_TIME: Duration = Duration::from_millis(20);

/// Time left for a number of moves; for the rest of the game if the number is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TimeLeft {
    time: Duration,
    stones: u32,
}

/// Clocks of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GtpClock {
    /// Time and number of moves of each period after the main time.
    period: TimeLeft,
    left: BySide<Option<TimeLeft>>,
}

impl GtpClock {
    /// Creates the clocks for `time_settings`. There is no limit if both times are 0, or if the period has
    /// time but no moves.
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

    /// Sets the time left of a side and the number of moves it is for.
    pub fn set_time_left(&mut self, side: Side, time: Duration, stones: u32) {
        self.left[side] = Some(TimeLeft { time, stones });
    }

    /// Returns the time left of a side and the number of moves it is for, or 0 for the rest of the game.
    /// Returns `None` if there is no limit.
    #[must_use]
    pub fn time_left(&self, side: Side) -> Option<(Duration, u32)> {
        self.left[side].map(|left| (left.time, left.stones))
    }

    /// Returns the time for the next move of a side that expects to make `moves` more moves. Returns `None`
    /// if there is no limit.
    #[must_use]
    pub fn move_budget(&self, side: Side, moves: u32) -> Option<Duration> {
        let TimeLeft { time, stones } = self.left[side]?;
        let share = if stones > 0 { time / stones } else { time / moves.max(1) };
        let is_followed = stones == 0 && self.period.stones > 0;
        let period = if is_followed { self.period.time / self.period.stones } else { Duration::ZERO };
        Some(share.max(period.min(time)).saturating_sub(TRANSMISSION_MARGIN).max(MIN_MOVE_TIME))
    }

    /// Subtracts the time of a move and starts the next period if necessary.
    pub fn spend_time(&mut self, side: Side, thought: Duration) {
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
