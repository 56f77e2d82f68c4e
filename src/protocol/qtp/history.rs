//! A game as the protocol plays it: hands are given anew at any time. Knows no words.

use std::ops::{Deref, DerefMut};

use crate::game::{BySide, Side};
use crate::games::quoridor::{MAX_WALLS, Quoridor, default_walls};
use crate::protocol::history::{self, EitherSide};

impl EitherSide for Quoridor {
    fn turn_to(&mut self, side: Side) {
        self.set_to_move(side);
    }
}

/// The position with its history. What is refused changes nothing.
#[derive(Clone, Debug)]
pub(super) struct QtpHistory {
    moves: history::MoveHistory<Quoridor>,
    /// Walls that both sides are given with each new game, if that is not the usual number.
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
    /// The start on a board of this size, with the usual walls unless others are given.
    pub(super) fn new(width: usize, height: usize, walls: Option<u16>) -> Self {
        let hand = walls.unwrap_or_else(|| default_walls(width));
        let game = Quoridor::with_walls(width, height, hand).expect("a size that was checked");
        // The protocol knows no last ply.
        QtpHistory { moves: history::MoveHistory::new(game.with_cap(None)), walls }
    }

    /// Returns the walls of each side on a board with `width` columns.
    pub(super) fn walls_each(&self, width: usize) -> u16 {
        self.walls.unwrap_or_else(|| default_walls(width))
    }

    /// Begins again on the same board.
    pub(super) fn clear(&mut self) {
        *self = QtpHistory::new(self.game().width(), self.game().height(), self.walls);
    }

    /// Both hands, now and for the games to come. A wall that is taken back goes to its builder's hand as it is then.
    pub(super) fn give_walls(&mut self, walls: u16) {
        self.walls = Some(walls);
        let mut hands = BySide::new(walls, walls);
        self.moves.revise(|game, played| {
            if let Some((side, mv)) = played
                && mv.wall().is_some()
            {
                hands[side] = (hands[side] + 1).min(MAX_WALLS);
            }
            for side in Side::BOTH {
                game.set_walls_left(side, hands[side]);
            }
        });
    }

    /// Goes on from another position.
    pub(super) fn set_up(&mut self, game: Quoridor) {
        self.moves = history::MoveHistory::new(game.with_cap(None));
    }
}
