//! The results of a run of games between the same players on the same board.

use crate::ai::EngineKind;
use crate::game::{Outcome, Side};

/// Wins and draws, of First and Second or, where one person plays an engine, of the person and the
/// engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoreboard {
    /// Board and level that the results are about.
    series: (String, Option<EngineKind>),
    /// Winner of each game: 0 and 1 are the players, 2 is a draw.
    results: Vec<usize>,
}

impl Scoreboard {
    /// Takes note that a game on this board begins; another board or level begins at zero.
    pub(super) fn begin(&mut self, title: String, level: Option<EngineKind>) {
        let series = (title, level);
        if self.series != series {
            *self = Scoreboard { series, results: Vec::new() };
        }
    }

    /// Counts a result and returns its index, by which it can be removed.
    pub(super) fn count(&mut self, outcome: Outcome, you: Option<Side>) -> usize {
        // The players are counted, whichever side they have.
        let seat = |side: Side| you.map_or(side.index(), |you| usize::from(side != you));
        let place = outcome.winner().map_or(2, seat);
        self.results.push(place);
        place
    }

    /// Removes a result.
    pub(super) fn uncount(&mut self, place: usize) {
        if let Some(last) = self.results.iter().rposition(|&result| result == place) {
            self.results.remove(last);
        }
    }

    /// Returns the wins of the first player and of the second, and the draws.
    #[must_use]
    pub fn results(&self) -> [u32; 3] {
        let mut counts = [0; 3];
        self.results.iter().for_each(|&place| counts[place] += 1);
        counts
    }

    /// Returns the winner of the last games, 0 or 1, and how many they have won in a row; a draw
    /// ends such a run.
    pub(super) fn streak(&self) -> Option<(usize, usize)> {
        let winner = *self.results.last().filter(|&&place| place < 2)?;
        Some((winner, self.results.iter().rev().take_while(|&&place| place == winner).count()))
    }
}
