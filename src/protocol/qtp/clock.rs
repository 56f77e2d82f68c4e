//! The clock of an engine for which no time is set. Knows positions, no engines.

use std::time::Duration;

use crate::game::{BySide, Side};
use crate::games::quoridor::Quoridor;

/// Time of each side for a game, per file of the board: nine tenths of the 20 seconds a file that a referee allows.
const TIME_PER_FILE: Duration = Duration::from_secs(18);
/// The longest thought; a referee allows 30 seconds.
const MAX_MOVE_TIME: Duration = Duration::from_secs(24);
/// The shortest thought, even when the time is up.
const MIN_MOVE_TIME: Duration = Duration::from_millis(20);
/// The fewest moves that are always expected to come.
const MIN_EXPECTED_MOVES: u32 = 8;

/// The time that is left to each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QtpClock {
    left: BySide<Duration>,
}

impl QtpClock {
    /// At the beginning of a game.
    #[expect(clippy::missing_panics_doc, reason = "boards are small")]
    #[must_use]
    pub fn start(game: &Quoridor) -> Self {
        let size = game.width().max(game.height());
        let all = TIME_PER_FILE * u32::try_from(size).expect("boards are small");
        QtpClock { left: BySide::new(all, all) }
    }

    /// Sets the time that a side has left.
    pub fn set(&mut self, side: Side, left: Duration) {
        self.left[side] = left;
    }

    /// Counts a thought.
    pub fn spend(&mut self, side: Side, time: Duration) {
        self.left[side] = self.left[side].saturating_sub(time);
    }

    /// Returns the time for which a side may think now. It expects to make half as many moves as there are steps to go
    /// and walls to build.
    #[must_use]
    pub fn budget(&self, side: Side, game: &Quoridor) -> Duration {
        let work = |side: Side| game.distance(side) + u32::from(game.walls_left(side));
        let moves = u32::midpoint(work(Side::First), work(Side::Second)).max(MIN_EXPECTED_MOVES);
        (self.left[side] / moves).clamp(MIN_MOVE_TIME, MAX_MOVE_TIME)
    }
}
