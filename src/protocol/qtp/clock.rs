//! QTP clock: time management for sessions without time settings.
//!
//! This module uses positions, but does not depend on engines.

use std::time::Duration;

use crate::game::{BySide, Side};
use crate::games::quoridor::Quoridor;

/// Time of each side for a game, per file of the board: 90% of the 20 seconds that a referee allows.
const TIME_PER_BOARD_FILE: Duration = Duration::from_secs(18);
/// Maximum time for a move. A referee allows 30 seconds.
const MAX_MOVE_TIME: Duration = Duration::from_secs(24);
/// Minimum time for a move, even if no time is left.
const MIN_MOVE_TIME: Duration = Duration::from_millis(20);
/// Minimum number of remaining moves that the time is divided by.
const MIN_EXPECTED_MOVES: u32 = 8;

/// Time left of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QtpClock {
    left: BySide<Duration>,
}

impl QtpClock {
    /// Creates the clocks for a new game on this board.
    #[expect(clippy::missing_panics_doc, reason = "boards are small")]
    #[must_use]
    pub fn new(game: &Quoridor) -> Self {
        let size = game.width().max(game.height());
        let all = TIME_PER_BOARD_FILE * u32::try_from(size).expect("boards are small");
        QtpClock { left: BySide::new(all, all) }
    }

    /// Sets the time left of a side.
    pub fn set_time_left(&mut self, side: Side, left: Duration) {
        self.left[side] = left;
    }

    /// Subtracts the time of a move.
    pub fn spend_time(&mut self, side: Side, time: Duration) {
        self.left[side] = self.left[side].saturating_sub(time);
    }

    /// Returns the time for the next move of a side.
    ///
    /// The expected number of its remaining moves is the mean over both sides of the steps to the
    /// goal plus the walls left.
    #[must_use]
    pub fn move_budget(&self, side: Side, game: &Quoridor) -> Duration {
        let work = |side: Side| game.distance_to_goal(side) + u32::from(game.walls_left(side));
        let moves = u32::midpoint(work(Side::First), work(Side::Second)).max(MIN_EXPECTED_MOVES);
        (self.left[side] / moves).clamp(MIN_MOVE_TIME, MAX_MOVE_TIME)
    }
}
