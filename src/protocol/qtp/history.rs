//! Game history for QTP, in which the walls left can be set at any time.
//!
//! This module does not depend on the text of commands.

use std::ops::{Deref, DerefMut};

use crate::game::{BySide, Side};
use crate::games::quoridor::{MAX_WALLS_PER_SIDE, Quoridor, default_walls_per_side};
use crate::protocol::history::{self, FreeTurnGame};

impl FreeTurnGame for Quoridor {
    fn set_side_to_move(&mut self, side: Side) {
        self.set_side_to_move(side);
    }
}

/// Current position with its history. Refused moves leave it unchanged.
#[derive(Clone, Debug)]
pub(super) struct QtpHistory {
    moves: history::MoveHistory<Quoridor>,
    /// Walls per side in new games; the default of the board if `None`.
    walls: Option<u16>,
}

impl Deref for QtpHistory {
    type Target = history::MoveHistory<Quoridor>;

    fn deref(&self) -> &Self::Target {
        &self.moves
    }
}

impl DerefMut for QtpHistory {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.moves
    }
}

impl QtpHistory {
    /// Creates a game on a board of this size. `walls` overrides the default number of walls per side.
    pub(super) fn new(width: usize, height: usize, walls: Option<u16>) -> Self {
        let hand = walls.unwrap_or_else(|| default_walls_per_side(width));
        let game = Quoridor::with_walls(width, height, hand).expect("a size that was checked");
        // The protocol has no limit on the length of a game.
        QtpHistory { moves: history::MoveHistory::new(game.with_ply_limit(None)), walls }
    }

    /// Returns the walls per side in new games on a board with `width` columns.
    pub(super) fn walls_per_side(&self, width: usize) -> u16 {
        self.walls.unwrap_or_else(|| default_walls_per_side(width))
    }

    /// Starts a new game on the same board.
    pub(super) fn restart(&mut self) {
        *self = QtpHistory::new(self.position().width(), self.position().height(), self.walls);
    }

    /// Sets the walls left of both sides, now and in new games.
    ///
    /// Undoing a wall that was placed before adds it to this number for its side.
    pub(super) fn set_walls_left(&mut self, walls: u16) {
        self.walls = Some(walls);
        let mut hands = BySide::new(walls, walls);
        self.moves.revise_positions(|game, played| {
            if let Some((side, mv)) = played
                && mv.wall().is_some()
            {
                hands[side] = (hands[side] + 1).min(MAX_WALLS_PER_SIDE);
            }
            for side in Side::BOTH {
                game.set_walls_left(side, hands[side]);
            }
        });
    }

    /// Starts a game from this position.
    pub(super) fn set_position(&mut self, game: Quoridor) {
        self.moves = history::MoveHistory::new(game.with_ply_limit(None));
    }
}
