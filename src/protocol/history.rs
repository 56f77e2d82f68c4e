//! Game history for protocols: either side may play at any time, and moves can be undone and redone.

use crate::game::{Game, Side};

/// Game whose side to move can be set.
pub trait FreeTurnGame: Game + Clone {
    /// Sets the side to move.
    fn set_side_to_move(&mut self, side: Side);
}

/// Move with its side and the position before it.
#[derive(Clone, Debug)]
struct PlayedPly<G: Game> {
    side: Side,
    mv: G::Move,
    before: G,
}

/// Current position with the moves that led to it. Refused moves leave it unchanged.
#[derive(Clone, Debug)]
pub(super) struct MoveHistory<G: FreeTurnGame> {
    now: G,
    played: Vec<PlayedPly<G>>,
    undone: Vec<(Side, G::Move)>,
}

impl<G: FreeTurnGame> MoveHistory<G> {
    /// Creates a history that starts at this position.
    pub(super) fn new(start: G) -> Self {
        MoveHistory { now: start, played: Vec::new(), undone: Vec::new() }
    }

    /// Returns the position before the first move.
    pub(super) fn start_position(&self) -> &G {
        self.played.first().map_or(&self.now, |ply| &ply.before)
    }

    /// Returns the current position.
    pub(super) fn position(&self) -> &G {
        &self.now
    }

    /// Returns the current position with this side to move.
    pub(super) fn position_for(&self, side: Side) -> G {
        let mut game = self.now.clone();
        game.set_side_to_move(side);
        game
    }

    /// Returns the moves played, in order, with their sides.
    pub(super) fn moves(&self) -> impl DoubleEndedIterator<Item = (Side, G::Move)> + ExactSizeIterator {
        self.played.iter().map(|ply| (ply.side, ply.mv))
    }

    /// Plays a move of a side.
    pub(super) fn play(&mut self, side: Side, mv: G::Move) -> Result<(), G::Refusal> {
        self.play_in_position(self.position_for(side), side, mv)
    }

    /// Plays a move of a side in `game`, which is the current position with this side to move.
    pub(super) fn play_in_position(
        &mut self,
        mut game: G,
        side: Side,
        mv: G::Move,
    ) -> Result<(), G::Refusal> {
        game.try_make_move(mv)?;
        self.played.push(PlayedPly { side, mv, before: std::mem::replace(&mut self.now, game) });
        self.undone.clear();
        Ok(())
    }

    /// Undoes `count` moves. Returns `false` without changes if `count` is too large or there are no moves.
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

    /// Redoes `count` moves. Returns `false` without changes if that is not possible.
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

    /// Modifies all positions, from the current one back to the first. `change` also receives the move that
    /// was played from each.
    pub(super) fn revise_positions(&mut self, mut change: impl FnMut(&mut G, Option<(Side, G::Move)>)) {
        change(&mut self.now, None);
        for ply in self.played.iter_mut().rev() {
            change(&mut ply.before, Some((ply.side, ply.mv)));
        }
    }

    /// Returns the longest suffix of the game in which the sides alternate before a move of `side`: the
    /// position before it and its moves.
    pub(super) fn alternating_tail(&self, side: Side) -> (G, Vec<G::Move>) {
        let (mut start, mut moves, mut turn) = (&self.now, Vec::new(), side);
        for ply in self.played.iter().rev() {
            if ply.side == turn {
                break;
            }
            moves.push(ply.mv);
            (start, turn) = (&ply.before, ply.side);
        }
        let mut start = start.clone();
        start.set_side_to_move(turn);
        moves.reverse();
        (start, moves)
    }
}
