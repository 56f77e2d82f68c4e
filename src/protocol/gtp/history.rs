//! A game as the protocol plays it: either colour at any time, every ply taken back if wanted. Knows no words.

use super::Board;
use crate::board::hexgrid::Frame;
use crate::game::Side;

/// What a side did in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn<M> {
    Move(M),
    Resign,
}

#[derive(Clone, Debug)]
struct Ply<G: Board> {
    side: Side,
    turn: Turn<G::Move>,
    before: G,
}

/// Why a move is not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotPlayed {
    Occupied,
    Over,
    NoSwap,
}

/// The position with its history. What is refused changes nothing.
#[derive(Clone, Debug)]
pub(super) struct History<G: Board> {
    /// The board before the first ply.
    start: G,
    now: G,
    played: Vec<Ply<G>>,
    pub(super) may_swap: bool,
    /// Whether the players exchange their colours when a stone is taken over, and the stone stays.
    pub(super) exchanges_players: bool,
}

impl<G: Board> History<G> {
    pub(super) fn new(start: G, may_swap: bool) -> Self {
        History { start: start.clone(), now: start, played: Vec::new(), may_swap, exchanges_players: false }
    }

    /// Begins a game from this board.
    pub(super) fn start(&mut self, start: G) {
        (self.start, self.now) = (start.clone(), start);
        self.played.clear();
    }

    /// The board before the first ply.
    pub(super) fn first(&self) -> &G {
        &self.start
    }

    /// The board.
    pub(super) fn game(&self) -> &G {
        &self.now
    }

    /// How many plies have been played.
    pub(super) fn count(&self) -> usize {
        self.played.len()
    }

    /// What each side has done, in order.
    pub(super) fn turns(&self) -> impl Iterator<Item = (Side, Turn<G::Move>)> {
        self.played.iter().map(|ply| (ply.side, ply.turn))
    }

    fn has_swapped(&self) -> bool {
        self.played.iter().any(|ply| matches!(ply.turn, Turn::Move(mv) if self.now.place_of(mv).is_none()))
    }

    pub(super) fn frame(&self) -> Frame {
        Frame { transposed: self.exchanges_players && self.has_swapped() }
    }

    /// Who has given up.
    pub(super) fn resigned(&self) -> Option<Side> {
        self.played.last().filter(|ply| ply.turn == Turn::Resign).map(|ply| ply.side)
    }

    pub(super) fn is_over(&self) -> bool {
        self.resigned().is_some() || self.now.outcome().is_some()
    }

    /// The position with this side to move, and with the swap if it may be played now.
    pub(super) fn game_for(&self, side: Side) -> G {
        let mut game = self.now.clone();
        game.turn_to(side);
        game.with_swap(self.may_swap)
    }

    /// Plays a move for a side.
    pub(super) fn play(&mut self, side: Side, mv: G::Move) -> Result<(), NotPlayed> {
        self.check(side, mv)?;
        let mut after = self.game_for(side);
        after.try_make(mv).map_err(|_| NotPlayed::Occupied)?;
        let before = std::mem::replace(&mut self.now, after);
        self.played.push(Ply { side, turn: Turn::Move(mv), before });
        Ok(())
    }

    /// Whether a side may play a move.
    fn check(&self, side: Side, mv: G::Move) -> Result<(), NotPlayed> {
        let is_swap = self.now.place_of(mv).is_none();
        if self.is_over() {
            Err(NotPlayed::Over)
        } else if is_swap && self.game_for(side).swap().is_none() {
            Err(NotPlayed::NoSwap)
        } else {
            Ok(())
        }
    }

    /// A side gives up.
    pub(super) fn resign(&mut self, side: Side) -> Result<(), NotPlayed> {
        if self.is_over() {
            return Err(NotPlayed::Over);
        }
        let (turn, before) = (Turn::Resign, self.now.clone());
        self.played.push(Ply { side, turn, before });
        Ok(())
    }

    /// Takes back a ply; false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(ply) = self.played.pop() else { return false };
        self.now = ply.before;
        true
    }

    /// For an engine that plays `side` now: the longest end of the game in which the sides took turns, as the position
    /// before it and its moves.
    pub(super) fn turns_before(&self, side: Side) -> (G, Vec<G::Move>) {
        let (mut start, mut moves, mut turn) = (&self.now, Vec::new(), side);
        for ply in self.played.iter().rev() {
            let Turn::Move(mv) = ply.turn else { break };
            if ply.side == turn {
                break;
            }
            moves.push(mv);
            (start, turn) = (&ply.before, ply.side);
        }
        let mut start = start.clone().with_swap(self.may_swap || self.has_swapped());
        start.turn_to(turn);
        moves.reverse();
        (start, moves)
    }
}
