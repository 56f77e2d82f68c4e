//! A game as the protocol plays it: either colour at any time, moves taken back and played again, hands given anew.
//! Knows no words.

use crate::game::Side;
use crate::games::quoridor::{IllegalMove, Move, Quoridor, Undo, default_walls};

#[derive(Clone, Copy, Debug)]
struct Ply {
    side: Side,
    mv: Move,
    undo: Undo,
}

/// The position with its history. What is refused changes nothing.
#[derive(Clone, Debug)]
pub(super) struct History {
    game: Quoridor,
    played: Vec<Ply>,
    undone: Vec<(Side, Move)>,
    /// What both hands are given with each new game, if that is not the usual number.
    walls: Option<u16>,
}

impl History {
    /// The start on a board of this size, with the usual walls unless others are given.
    pub(super) fn new(width: usize, height: usize, walls: Option<u16>) -> Self {
        let hand = walls.unwrap_or_else(|| default_walls(width));
        // The protocol knows no last ply.
        let game = Quoridor::with_walls(width, height, hand).expect("a size that was checked").with_cap(None);
        History { game, played: Vec::new(), undone: Vec::new(), walls }
    }

    pub(super) fn game(&self) -> &Quoridor {
        &self.game
    }

    /// The position with this side to move.
    pub(super) fn game_for(&self, side: Side) -> Quoridor {
        let mut game = self.game.clone();
        game.set_to_move(side);
        game
    }

    /// The moves that have been played.
    pub(super) fn played(&self) -> impl Iterator<Item = (Side, Move)> {
        self.played.iter().map(|ply| (ply.side, ply.mv))
    }

    /// Begins again on the same board.
    pub(super) fn clear(&mut self) {
        *self = History::new(self.game.width(), self.game.height(), self.walls);
    }

    /// Both hands, now and for the games to come.
    pub(super) fn give_walls(&mut self, walls: u16) {
        self.walls = Some(walls);
        for side in Side::BOTH {
            self.game.set_walls_left(side, walls);
        }
    }

    /// Goes on from another position.
    pub(super) fn set_up(&mut self, game: Quoridor) {
        *self =
            History { game: game.with_cap(None), played: Vec::new(), undone: Vec::new(), walls: self.walls };
    }

    /// Plays a move for a side.
    pub(super) fn play(&mut self, side: Side, mv: Move) -> Result<(), IllegalMove> {
        let undo = self.game.try_make_for(side, mv)?;
        self.played.push(Ply { side, mv, undo });
        self.undone.clear();
        Ok(())
    }

    /// Takes back so many moves; false, and nothing is changed, if there are not so many or none at all.
    pub(super) fn undo(&mut self, count: usize) -> bool {
        if self.played.is_empty() || count > self.played.len() {
            return false;
        }
        for ply in self.played.drain(self.played.len() - count..).rev() {
            self.game.take_back(ply.mv, ply.undo);
            self.undone.push((ply.side, ply.mv));
        }
        true
    }

    /// Plays so many moves again; false, and nothing is changed, if that is not possible. Hands that were given anew
    /// may be too small.
    pub(super) fn redo(&mut self, count: usize) -> bool {
        if self.undone.is_empty() || count > self.undone.len() {
            return false;
        }
        let mut after = self.clone();
        for _ in 0..count {
            let Some((side, mv)) = after.undone.pop() else { return false };
            let Ok(undo) = after.game.try_make_for(side, mv) else { return false };
            after.played.push(Ply { side, mv, undo });
        }
        *self = after;
        true
    }

    /// For an engine that plays `side` now: the longest end of the game in which the sides took turns, as the position
    /// before it and its moves.
    pub(super) fn turns_before(&self, side: Side) -> (Quoridor, Vec<Move>) {
        let (mut start, mut moves, mut turn) = (self.game.clone(), Vec::new(), side);
        for ply in self.played.iter().rev() {
            if ply.side == turn {
                break;
            }
            start.take_back(ply.mv, ply.undo);
            moves.push(ply.mv);
            turn = ply.side;
        }
        start.set_to_move(turn);
        moves.reverse();
        (start, moves)
    }
}
