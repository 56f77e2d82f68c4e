//! Bridges between stones that the last move has entered. Knows the rules only.

use super::{Cell, Hex, edges_of};
use crate::game::Side;

impl Hex {
    /// The empty cells that mend the links which the stone on `entered` has entered: each joins two chains of the
    /// other side, or a chain and an own edge of it, that had just this cell and `entered` between them. In the order
    /// of the neighbours' numbers.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c2", "a5", "b4", "b3"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// let entered = game.parse("b3")?.cell().expect("a stone");
    /// assert_eq!(game.cut_links(entered).map(|cell| game.name(cell)).collect::<Vec<_>>(), ["c3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cut_links(&self, entered: Cell) -> impl Iterator<Item = Cell> + '_ {
        self.entered_links(entered).map(|(open, _)| open)
    }

    /// Returns the links that a stone has entered, each with its two ends, `None` for an edge.
    pub(super) fn entered_links(
        &self,
        entered: Cell,
    ) -> impl Iterator<Item = (Cell, [Option<Cell>; 2])> + '_ {
        let around = *self.grid().around(entered);
        let owner = self.stone(entered).map(Side::other);
        (0..6).filter_map(move |number| {
            let (owner, open) = (owner?, around[number]?);
            if self.stone(open).is_some() {
                return None;
            }
            let ends = [around[(number + 5) % 6], around[(number + 1) % 6]];
            self.were_linked(owner, ends, [entered, open]).then_some((open, ends))
        })
    }

    /// Reports whether two ends of a link, `None` for what is off the board, are stones of `owner`, or one of them an
    /// edge of it, and are not joined by another way.
    fn were_linked(&self, owner: Side, ends: [Option<Cell>; 2], carrier: [Cell; 2]) -> bool {
        let is_own = |cell: Cell| self.stone(cell) == Some(owner);
        let grid = self.grid();
        match ends {
            [Some(one), Some(other)] => is_own(one) && is_own(other) && !self.are_joined(one, other),
            [Some(stone), None] | [None, Some(stone)] => {
                let is_between = |edge| carrier.iter().all(|&cell| grid.touches(cell, edge));
                let edge = edges_of(owner).into_iter().find(|&edge| is_between(edge));
                is_own(stone) && edge.is_some_and(|edge| !self.reaches(stone, edge))
            }
            [None, None] => false,
        }
    }
}
