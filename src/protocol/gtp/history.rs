//! A game as the protocol plays it: a swap at any time, a side gives up. Knows no words.

use super::GtpBoard;
use crate::board::hexgrid::Frame;
use crate::game::Side;
use crate::protocol::history;

/// Action of a side in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GtpTurn<M> {
    Move(M),
    Resign,
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
pub(super) struct GtpHistory<G: GtpBoard> {
    moves: history::MoveHistory<G>,
    resigned: Option<Side>,
    pub(super) may_swap: bool,
    /// `true` if the players exchange their colours when a stone is taken over, and the stone stays.
    pub(super) exchanges_players: bool,
}

impl<G: GtpBoard> GtpHistory<G> {
    pub(super) fn new(start: G, may_swap: bool) -> Self {
        let moves = history::MoveHistory::new(start);
        GtpHistory { moves, resigned: None, may_swap, exchanges_players: false }
    }

    /// Begins a game from this board.
    pub(super) fn start(&mut self, start: G) {
        (self.moves, self.resigned) = (history::MoveHistory::new(start), None);
    }

    /// The board before the first ply.
    pub(super) fn first(&self) -> &G {
        self.moves.first()
    }

    /// The board.
    pub(super) fn game(&self) -> &G {
        self.moves.game()
    }

    /// Returns the number of moves that have been played.
    pub(super) fn count(&self) -> usize {
        self.moves.played().len()
    }

    /// Returns the turns of both sides, in order.
    pub(super) fn turns(&self) -> impl Iterator<Item = (Side, GtpTurn<G::Move>)> {
        let moves = self.moves.played().map(|(side, mv)| (side, GtpTurn::Move(mv)));
        moves.chain(self.resigned.map(|side| (side, GtpTurn::Resign)))
    }

    fn has_swapped(&self) -> bool {
        self.moves.played().any(|(_, mv)| self.game().place_of(mv).is_none())
    }

    pub(super) fn frame(&self) -> Frame {
        Frame { transposed: self.exchanges_players && self.has_swapped() }
    }

    /// Returns the side that has given up, if one has.
    pub(super) fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    pub(super) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game().outcome().is_some()
    }

    /// The position with this side to move, and with the swap if it may be played now.
    pub(super) fn game_for(&self, side: Side) -> G {
        self.moves.game_for(side).with_swap(self.may_swap)
    }

    /// Plays a move for a side.
    pub(super) fn play(&mut self, side: Side, mv: G::Move) -> Result<(), NotPlayed> {
        let game = self.game_for(side);
        if self.is_over() {
            return Err(NotPlayed::Over);
        }
        if game.place_of(mv).is_none() && game.swap().is_none() {
            return Err(NotPlayed::NoSwap);
        }
        self.moves.play_in(game, side, mv).map_err(|_| NotPlayed::Occupied)
    }

    /// A side gives up.
    pub(super) fn resign(&mut self, side: Side) -> Result<(), NotPlayed> {
        if self.is_over() {
            return Err(NotPlayed::Over);
        }
        self.resigned = Some(side);
        Ok(())
    }

    /// Takes back a ply; false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        self.resigned.take().is_some() || self.moves.undo(1)
    }

    /// For an engine that plays `side` now: the longest end of the game in which the sides took turns, as the position
    /// before it and its moves.
    pub(super) fn turns_before(&self, side: Side) -> (G, Vec<G::Move>) {
        let (start, moves) = self.moves.turns_before(side);
        (start.with_swap(self.may_swap || self.has_swapped()), moves)
    }
}
