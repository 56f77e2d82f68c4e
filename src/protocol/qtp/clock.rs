//! How long the engine may think where nobody has said so. Knows positions, no engines.

use std::time::Duration;

use crate::game::{BySide, Side};
use crate::games::quoridor::Quoridor;

/// What each side has for a game: nine tenths of the 20 seconds a file that a referee allows.
const PER_FILE: Duration = Duration::from_secs(18);
/// The longest thought; a referee allows 30 seconds.
const LONGEST: Duration = Duration::from_secs(24);
/// The shortest thought, even when the time is up.
const SHORTEST: Duration = Duration::from_millis(20);
/// The fewest moves that are always expected to come.
const FEWEST_MOVES: u32 = 8;

/// The time that is left to each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    left: BySide<Duration>,
}

impl Clock {
    /// At the beginning of a game.
    pub(super) fn start(game: &Quoridor) -> Self {
        let size = game.width().max(game.height());
        let all = PER_FILE * u32::try_from(size).expect("boards are small");
        Clock { left: BySide::new(all, all) }
    }

    /// Is told what a side has left.
    pub(super) fn set(&mut self, side: Side, left: Duration) {
        self.left[side] = left;
    }

    /// Counts a thought.
    pub(super) fn spend(&mut self, side: Side, time: Duration) {
        self.left[side] = self.left[side].saturating_sub(time);
    }

    /// What a side may think now. It expects to make half as many moves as there are steps to go and walls to build.
    pub(super) fn budget(&self, side: Side, game: &Quoridor) -> Duration {
        let work = |side: Side| game.distance(side) + u32::from(game.walls_left(side));
        let moves = u32::midpoint(work(Side::First), work(Side::Second)).max(FEWEST_MOVES);
        (self.left[side] / moves).clamp(SHORTEST, LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thought_of_a_usual_game_is_an_eighteenth_of_the_time() {
        let game = Quoridor::new(9).unwrap();
        let mut clock = Clock::start(&game);
        assert_eq!(clock.budget(Side::First, &game), Duration::from_secs(162) / 18);
        clock.spend(Side::First, Duration::from_secs(72));
        assert_eq!(clock.budget(Side::First, &game), Duration::from_secs(5));
        assert_eq!(clock.budget(Side::Second, &game), Duration::from_secs(9), "each side has its own");
    }

    #[test]
    fn no_thought_is_longer_than_24_seconds_or_shorter_than_20_milliseconds() {
        let game = Quoridor::with_walls(25, 25, 0).unwrap();
        let mut clock = Clock::start(&game);
        assert_eq!(clock.budget(Side::First, &game), Duration::from_millis(450_000 / 24));
        clock.set(Side::First, Duration::from_secs(1_000_000));
        assert_eq!(clock.budget(Side::First, &game), LONGEST);
        clock.spend(Side::First, Duration::from_secs(2_000_000));
        assert_eq!(clock.budget(Side::First, &game), SHORTEST);
    }

    #[test]
    fn eight_moves_are_always_expected() {
        let game = Quoridor::with_walls(3, 3, 0).unwrap();
        let clock = Clock::start(&game);
        assert_eq!(clock.budget(Side::Second, &game), Duration::from_millis(54_000 / 8));
    }
}
