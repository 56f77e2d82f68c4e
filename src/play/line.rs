//! The line of play: all moves played, the present position, and the position that is shown. Knows
//! no players and no clocks.

use std::sync::Arc;

use crate::game::{Outcome, Refusal};
use crate::play::{Direction, HistoryTarget, MatchRefusal};
use crate::record::{GameTree, MoveSource, NodeId};
use crate::session::Position;

/// Tree of a game with two positions in it: the present one, and the one that is shown.
#[derive(Debug)]
pub struct LineOfPlay {
    pub(super) tree: GameTree,
    pub(super) present: NodeId,
    pub(super) shown: NodeId,
    /// `true` if the game is stepped through from its start: then its last position is looked at
    /// like the others.
    pub(super) is_gone_through: bool,
    /// `true` if the end has been announced.
    pub(super) has_ended: bool,
    /// End of the line in which an analysis moves freely: there the position that is shown is
    /// always the present one.
    pub(super) tip: Option<NodeId>,
}

impl LineOfPlay {
    /// Creates a line of play with this present position, which shows another one.
    pub(super) fn new(tree: GameTree, present: NodeId, shown: NodeId) -> Self {
        LineOfPlay { tree, present, shown, is_gone_through: false, has_ended: false, tip: None }
    }

    /// Creates a line of play that moves freely in a tree, from this position on.
    pub(super) fn free(mut tree: GameTree, at: NodeId) -> Self {
        tree.forget_author();
        let tip = Some(tree.end_of(at));
        LineOfPlay { tip, ..LineOfPlay::new(tree, at, at) }
    }

    /// Goes to a position of an analysis. The line stays as long as it continues from there.
    pub(super) fn go_freely(&mut self, there: NodeId) {
        (self.present, self.shown) = (there, there);
        let leads_on = |&tip: &NodeId| self.tree.is_visible(tip) && self.tree.is_ancestor_of(there, tip);
        self.tip = Some(self.tree.end_of(self.tip.filter(leads_on).unwrap_or(there)));
    }

    /// Returns the present position.
    #[must_use]
    pub fn present_position(&self) -> &Arc<dyn Position> {
        self.tree.position(self.present)
    }

    /// Returns the position that is shown.
    #[must_use]
    pub fn shown_position(&self) -> &Arc<dyn Position> {
        self.tree.position(self.shown)
    }

    /// Returns the outcome of the game; `None` while it continues.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.present_position().outcome()
    }

    /// Reports whether another position than the present one is shown, or the present one as one of
    /// many.
    #[must_use]
    pub fn is_looking(&self) -> bool {
        self.is_gone_through || self.shown != self.present
    }

    /// Returns the end of the line that is shown: the present position, or the end of an analysis,
    /// where that lies on it.
    pub(super) fn end(&self) -> NodeId {
        let end = self.tip.unwrap_or(self.present);
        if self.tree.is_ancestor_of(self.shown, end) { end } else { self.tree.end_of(self.shown) }
    }

    /// Returns the positions of the line that is shown, the first one first.
    pub(super) fn nodes(&self) -> Vec<NodeId> {
        self.tree.line_to(self.end())
    }

    /// Returns the position after the one that is shown, on the line that is shown.
    pub(super) fn next(&self) -> Option<NodeId> {
        self.nodes().get(self.tree.ply(self.shown) + 1).copied()
    }

    /// Returns the variations at this position: other moves in place of the last one shown, and at
    /// the end of the line, the moves played after it.
    pub(super) fn variations(&self) -> Vec<NodeId> {
        let (tree, here, next) = (&self.tree, self.shown, self.next());
        let siblings = tree.parent(here).map_or(&[][..], |parent| tree.children(parent));
        let others = siblings.iter().copied().filter(|&id| id != here);
        others.chain(tree.children(here).iter().copied().filter(|&id| Some(id) != next)).collect()
    }

    /// Returns the position that a place names, and the command that shows it.
    pub(super) fn find(&self, place: HistoryTarget) -> Result<(&'static str, NodeId), MatchRefusal> {
        let (tree, here) = (&self.tree, self.shown);
        Ok(match place {
            HistoryTarget::Present => ("goto", self.tip.unwrap_or(self.present)),
            HistoryTarget::Node(node) => ("goto", node),
            HistoryTarget::Ply(ply) => {
                let last = tree.ply(self.end());
                let wrong = || MatchRefusal::NoSuchMove { last, read: ply.to_string() };
                ("goto", self.nodes().get(ply).copied().ok_or_else(wrong)?)
            }
            HistoryTarget::Next(count) => {
                let line = self.nodes();
                let there = tree.ply(here).checked_add(count).and_then(|ply| line.get(ply));
                let is_there = here == self.end();
                ("next", *there.ok_or(MatchRefusal::NoStep { is_forward: true, is_there })?)
            }
            HistoryTarget::Back(count) => {
                let there = tree.ancestors(here).nth(count);
                let is_there = here == NodeId::ROOT;
                ("back", there.ok_or(MatchRefusal::NoStep { is_forward: false, is_there })?)
            }
            HistoryTarget::Variation(number) => {
                let others = self.variations();
                let there = number.checked_sub(1).and_then(|index| others.get(index));
                ("variations", *there.ok_or(MatchRefusal::NoSuchVariation(others.len()))?)
            }
            HistoryTarget::Other(turn) => {
                let lines = tree.parent(here).map_or(&[][..], |parent| tree.children(parent));
                let place = lines.iter().position(|&id| id == here).unwrap_or(0);
                let step = if turn == Direction::Next { 1 } else { lines.len().saturating_sub(1) };
                let other = lines.get((place + step) % lines.len().max(1)).filter(|&&other| other != here);
                // Where no other move was played, those that follow are shown.
                let there = other.copied().or_else(|| self.variations().first().copied());
                ("variations", there.ok_or(MatchRefusal::NoSuchVariation(0))?)
            }
        })
    }

    /// Returns to the present position; returns `true` if another one was shown.
    pub(super) fn return_to_present(&mut self) -> bool {
        let was_looking = self.is_looking();
        (self.is_gone_through, self.shown) = (false, self.present);
        was_looking
    }

    /// Plays a move at the present position; returns the position after it, which becomes the
    /// present one by [`LineOfPlay::advance`].
    ///
    /// # Errors
    /// Says why the text is no move, or why the move is not legal.
    pub(super) fn play(&mut self, text: &str, by: MoveSource) -> Result<NodeId, Refusal> {
        self.tree.play(self.present, text, by)
    }

    /// Moves the game on to a position after the present one.
    pub(super) fn advance(&mut self, node: NodeId) {
        self.tree.follow(node);
        if self.shown == self.present && !self.is_gone_through {
            self.shown = node;
        }
        (self.present, self.has_ended) = (node, false);
    }

    /// Makes a position the present one and clears resignations before it.
    pub(super) fn set_present(&mut self, node: NodeId) {
        self.tree.reopen_before(node);
        self.present = node;
    }

    /// Ends the game at the present position: a player has resigned, or it is a draw.
    pub(super) fn end_early(&mut self, word: &str) {
        let ended = self.present_position().end_by(word).ok().flatten();
        self.tree.set_position(self.present, ended.expect("the game goes on and may end so"));
    }

    /// Lets the game continue in a position in which a player resigned.
    pub(super) fn reopen(&mut self, node: NodeId) {
        let position = self.tree.position(node);
        if position.early().is_some() {
            let open = position.reopened();
            self.tree.set_position(node, open);
        }
    }
}
