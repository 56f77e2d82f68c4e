//! A game in which either side may play at any time, and moves are taken back and played again, as protocols have it.

use crate::game::{Game, Side};

/// A game whose turn can be given to either side.
pub trait EitherSide: Game + Clone {
    /// Gives the turn to a side.
    fn turn_to(&mut self, side: Side);
}

/// A move with its side and the position before it.
#[derive(Clone, Debug)]
struct Ply<G: Game> {
    side: Side,
    mv: G::Move,
    before: G,
}

/// A position with the moves that led to it. What is refused changes nothing.
#[derive(Clone, Debug)]
pub(super) struct MoveHistory<G: EitherSide> {
    now: G,
    played: Vec<Ply<G>>,
    undone: Vec<(Side, G::Move)>,
}

impl<G: EitherSide> MoveHistory<G> {
    /// Begins at this position.
    pub(super) fn new(start: G) -> Self {
        MoveHistory { now: start, played: Vec::new(), undone: Vec::new() }
    }

    /// The position before the first move.
    pub(super) fn first(&self) -> &G {
        self.played.first().map_or(&self.now, |ply| &ply.before)
    }

    /// The position.
    pub(super) fn game(&self) -> &G {
        &self.now
    }

    /// The position with this side to move.
    pub(super) fn game_for(&self, side: Side) -> G {
        let mut game = self.now.clone();
        game.turn_to(side);
        game
    }

    /// The moves played, in order.
    pub(super) fn played(&self) -> impl DoubleEndedIterator<Item = (Side, G::Move)> + ExactSizeIterator {
        self.played.iter().map(|ply| (ply.side, ply.mv))
    }

    /// Plays a move for a side.
    pub(super) fn play(&mut self, side: Side, mv: G::Move) -> Result<(), G::Refusal> {
        self.play_in(self.game_for(side), side, mv)
    }

    /// Plays a move for a side in `game`, which is the position as this side sees it.
    pub(super) fn play_in(&mut self, mut game: G, side: Side, mv: G::Move) -> Result<(), G::Refusal> {
        game.try_make(mv)?;
        self.played.push(Ply { side, mv, before: std::mem::replace(&mut self.now, game) });
        self.undone.clear();
        Ok(())
    }

    /// Takes back `count` moves; returns `false`, and changes nothing, if there are fewer or none at all.
    pub(super) fn undo(&mut self, count: usize) -> bool {
        if self.played.is_empty() || count > self.played.len() {
            return false;
        }
        for ply in self.played.drain(self.played.len() - count..).rev() {
            self.now = ply.before;
            self.undone.push((ply.side, ply.mv));
        }
        true
    }

    /// Plays `count` moves again; returns `false`, and changes nothing, if that is not possible.
    pub(super) fn redo(&mut self, count: usize) -> bool {
        if self.undone.is_empty() || count > self.undone.len() {
            return false;
        }
        let mut after = self.clone();
        let mut undone = std::mem::take(&mut after.undone);
        for (side, mv) in undone.split_off(undone.len() - count).into_iter().rev() {
            if after.play(side, mv).is_err() {
                return false;
            }
        }
        after.undone = undone;
        *self = after;
        true
    }

    /// Changes all positions, from this one back to the first; each is given with the move that was played from it.
    pub(super) fn revise(&mut self, mut change: impl FnMut(&mut G, Option<(Side, G::Move)>)) {
        change(&mut self.now, None);
        for ply in self.played.iter_mut().rev() {
            change(&mut ply.before, Some((ply.side, ply.mv)));
        }
    }

    /// For an engine that plays `side` now: the longest end of the game in which the sides took turns, as the position
    /// before it and its moves.
    pub(super) fn turns_before(&self, side: Side) -> (G, Vec<G::Move>) {
        let (mut start, mut moves, mut turn) = (&self.now, Vec::new(), side);
        for ply in self.played.iter().rev() {
            if ply.side == turn {
                break;
            }
            moves.push(ply.mv);
            (start, turn) = (&ply.before, ply.side);
        }
        let mut start = start.clone();
        start.turn_to(turn);
        moves.reverse();
        (start, moves)
    }
}
