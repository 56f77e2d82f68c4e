//! The results of a run of games between the same players on the same board.

use crate::ai::EngineKind;
use crate::game::{Outcome, Side};

/// Wins and draws; of First and Second, or where one person plays an engine, of the person and the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The board and the level that the results are about.
    series: (String, Option<EngineKind>),
    results: [u32; 3],
}

impl Tally {
    /// A game on this board begins; another board or level begins at nought.
    pub(super) fn begin(&mut self, title: String, level: Option<EngineKind>) {
        let series = (title, level);
        if self.series != series {
            *self = Tally { series, results: [0; 3] };
        }
    }

    /// Counts a result; gives its place, by which it can be taken back.
    pub(super) fn count(&mut self, outcome: Outcome, you: Option<Side>) -> usize {
        // The players are counted, whichever side they have.
        let seat = |side: Side| you.map_or(side.index(), |you| usize::from(side != you));
        let place = outcome.winner().map_or(2, seat);
        self.results[place] += 1;
        place
    }

    /// Takes a result back.
    pub(super) fn uncount(&mut self, place: usize) {
        self.results[place] = self.results[place].saturating_sub(1);
    }

    /// Wins of the first player and of the second, and draws.
    #[must_use]
    pub fn results(&self) -> [u32; 3] {
        self.results
    }
}
