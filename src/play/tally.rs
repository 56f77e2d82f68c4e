//! The results of a series of games between the same players on the same board.

use crate::ai::EngineKind;
use crate::game::{Outcome, Side};

/// Wins and draws of a series of games.
///
/// If exactly one human plays, the wins are those of the human and of the engine, otherwise those
/// of First and Second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoreboard {
    /// Board title and level of the series.
    series: (String, Option<EngineKind>),
    /// Result of each game: 0 or 1 for the winning player, 2 for a draw.
    results: Vec<usize>,
}

impl Scoreboard {
    /// Starts a game of a series; another board or level resets the results.
    pub(super) fn start_series(&mut self, title: String, level: Option<EngineKind>) {
        let series = (title, level);
        if self.series != series {
            *self = Scoreboard { series, results: Vec::new() };
        }
    }

    /// Adds a result and returns its code (0, 1 or 2), which [`Scoreboard::remove_result`] takes.
    pub(super) fn add_result(&mut self, outcome: Outcome, you: Option<Side>) -> usize {
        // With one person, results count for the players and not for the sides.
        let seat = |side: Side| you.map_or(side.index(), |you| usize::from(side != you));
        let place = outcome.winner().map_or(2, seat);
        self.results.push(place);
        place
    }

    /// Removes the last result with this code.
    pub(super) fn remove_result(&mut self, place: usize) {
        if let Some(last) = self.results.iter().rposition(|&result| result == place) {
            self.results.remove(last);
        }
    }

    /// Returns the wins of the first player, the wins of the second player, and the draws.
    #[must_use]
    pub fn results(&self) -> [u32; 3] {
        let mut counts = [0; 3];
        self.results.iter().for_each(|&place| counts[place] += 1);
        counts
    }

    /// Returns the winner of the last game (0 or 1) and the length of that player's winning streak;
    /// `None` after a draw.
    pub(super) fn win_streak(&self) -> Option<(usize, usize)> {
        let winner = *self.results.last().filter(|&&place| place < 2)?;
        Some((winner, self.results.iter().rev().take_while(|&&place| place == winner).count()))
    }
}
