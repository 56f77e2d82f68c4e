//! Game history for GTP, with resignations, and with swaps at any time.
//!
//! This module does not depend on the text of commands.

use super::GtpBoard;
use crate::board::hexgrid::SwapFrame;
use crate::game::Side;
use crate::protocol::history;

/// Turn of a side: a move or a resignation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GtpTurn<M> {
    Move(M),
    Resign,
}

/// Reason why a turn was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnRefusal {
    Occupied,
    Over,
    NoSwap,
}

/// Current position with its history. Refused turns leave it unchanged.
#[derive(Clone, Debug)]
pub(super) struct GtpHistory<G: GtpBoard> {
    moves: history::MoveHistory<G>,
    resigned: Option<Side>,
    pub(super) may_swap: bool,
    /// `true` if a swap exchanges the colours of the players and leaves the stone in place.
    pub(super) exchanges_players: bool,
}

impl<G: GtpBoard> GtpHistory<G> {
    /// Creates a history that starts at this position.
    pub(super) fn new(start: G, may_swap: bool) -> Self {
        let moves = history::MoveHistory::new(start);
        GtpHistory { moves, resigned: None, may_swap, exchanges_players: false }
    }

    /// Starts a new game from this position.
    pub(super) fn restart(&mut self, start: G) {
        (self.moves, self.resigned) = (history::MoveHistory::new(start), None);
    }

    /// Returns the position before the first move.
    pub(super) fn start_position(&self) -> &G {
        self.moves.start_position()
    }

    /// Returns the current position.
    pub(super) fn position(&self) -> &G {
        self.moves.position()
    }

    /// Returns the number of moves played.
    pub(super) fn move_count(&self) -> usize {
        self.moves.moves().len()
    }

    /// Returns the turns of both sides, in order.
    pub(super) fn turns(&self) -> impl Iterator<Item = (Side, GtpTurn<G::Move>)> {
        let moves = self.moves.moves().map(|(side, mv)| (side, GtpTurn::Move(mv)));
        moves.chain(self.resigned.map(|side| (side, GtpTurn::Resign)))
    }

    /// Reports whether a swap was played.
    fn has_swapped(&self) -> bool {
        self.moves.moves().any(|(_, mv)| self.position().row_and_column_of(mv).is_none())
    }

    /// Returns the conversion between the position and the coordinates and colours of the protocol.
    pub(super) fn wire_frame(&self) -> SwapFrame {
        SwapFrame { transposed: self.exchanges_players && self.has_swapped() }
    }

    /// Returns the side that resigned, if any.
    pub(super) fn resigned_side(&self) -> Option<Side> {
        self.resigned
    }

    /// Reports whether the game is over by its rules or by resignation.
    pub(super) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.position().outcome().is_some()
    }

    /// Returns the position with this side to move and the current swap rule.
    pub(super) fn position_for(&self, side: Side) -> G {
        self.moves.position_for(side).with_swap_allowed(self.may_swap)
    }

    /// Plays a move of a side.
    pub(super) fn play(&mut self, side: Side, mv: G::Move) -> Result<(), TurnRefusal> {
        let game = self.position_for(side);
        if self.is_over() {
            return Err(TurnRefusal::Over);
        }
        if game.row_and_column_of(mv).is_none() && game.legal_swap().is_none() {
            return Err(TurnRefusal::NoSwap);
        }
        self.moves.play_in_position(game, side, mv).map_err(|_| TurnRefusal::Occupied)
    }

    /// Records the resignation of a side.
    pub(super) fn resign(&mut self, side: Side) -> Result<(), TurnRefusal> {
        if self.is_over() {
            return Err(TurnRefusal::Over);
        }
        self.resigned = Some(side);
        Ok(())
    }

    /// Undoes a resignation or the last move. Returns `false` if there is nothing to undo.
    pub(super) fn undo(&mut self) -> bool {
        self.resigned.take().is_some() || self.moves.undo(1)
    }

    /// Returns the longest suffix of the game in which the sides alternate before a move of `side`: the
    /// position before it and its moves.
    pub(super) fn alternating_tail(&self, side: Side) -> (G, Vec<G::Move>) {
        let (start, moves) = self.moves.alternating_tail(side);
        (start.with_swap_allowed(self.may_swap || self.has_swapped()), moves)
    }
}
