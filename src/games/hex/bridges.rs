//! Bridges that the last move has intruded on. This module depends only on the rules.

use super::{Cell, Hex, goal_edges};
use crate::game::Side;

impl Hex {
    /// Returns the empty cells that save the bridges on which the stone on `entered` intrudes. Such a bridge
    /// joins two chains of the other side, or a chain and a goal edge, and its carrier consists of the saving
    /// cell and `entered`. The cells are in the order of the neighbours of `entered`.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c2", "a5", "b4", "b3"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// let entered = game.parse("b3")?.cell().expect("a stone");
    /// let saving: Vec<String> = game.bridge_saving_cells(entered).map(|cell| game.format_cell(cell)).collect();
    /// assert_eq!(saving, ["c3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bridge_saving_cells(&self, entered: Cell) -> impl Iterator<Item = Cell> + '_ {
        self.find_intruded_bridges(entered).map(|(open, _)| open)
    }

    /// Returns the saving cell of each bridge that a stone intrudes on, with the two ends of the bridge. An
    /// end is `None` for an edge.
    pub(super) fn find_intruded_bridges(
        &self,
        entered: Cell,
    ) -> impl Iterator<Item = (Cell, [Option<Cell>; 2])> + '_ {
        let around = *self.grid().neighbours_by_direction(entered);
        let owner = self.stone_at(entered).map(Side::other);
        (0..6).filter_map(move |number| {
            let (owner, open) = (owner?, around[number]?);
            if self.stone_at(open).is_some() {
                return None;
            }
            let ends = [around[(number + 5) % 6], around[(number + 1) % 6]];
            self.was_bridge(owner, ends, [entered, open]).then_some((open, ends))
        })
    }

    /// Reports whether the two ends formed a bridge of `owner` and are not connected otherwise. An end of
    /// `None` stands for an edge.
    fn was_bridge(&self, owner: Side, ends: [Option<Cell>; 2], carrier: [Cell; 2]) -> bool {
        let is_own = |cell: Cell| self.stone_at(cell) == Some(owner);
        let grid = self.grid();
        match ends {
            [Some(one), Some(other)] => is_own(one) && is_own(other) && !self.are_connected(one, other),
            [Some(stone), None] | [None, Some(stone)] => {
                let is_between = |edge| carrier.iter().all(|&cell| grid.is_on_edge(cell, edge));
                let edge = goal_edges(owner).into_iter().find(|&edge| is_between(edge));
                is_own(stone) && edge.is_some_and(|edge| !self.is_connected_to_edge(stone, edge))
            }
            [None, None] => false,
        }
    }
}
