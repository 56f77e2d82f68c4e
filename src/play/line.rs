//! The line of play: the tree of moves, with the present and the shown position.
//!
//! This module depends neither on players nor on clocks.

use std::sync::Arc;

use crate::game::{Outcome, Refusal};
use crate::play::{HistoryTarget, MatchRefusal, VariationDirection};
use crate::record::{GameTree, MoveSource, NodeId};
use crate::session::Position;

/// Tree of a game with the nodes of the present and the shown position.
#[derive(Debug)]
pub struct LineOfPlay {
    pub(super) tree: GameTree,
    pub(super) present: NodeId,
    pub(super) shown: NodeId,
    /// `true` while the player steps through the game from its start.
    ///
    /// No shown position then counts as the present one.
    pub(super) is_stepped_through: bool,
    /// `true` if the end of the game was announced.
    pub(super) has_ended: bool,
    /// End of the current line of an analysis; `None` for other activities.
    ///
    /// In an analysis the shown position is always the present one.
    pub(super) tip: Option<NodeId>,
}

impl LineOfPlay {
    /// Creates a line of play with the given present and shown nodes.
    pub(super) fn new(tree: GameTree, present: NodeId, shown: NodeId) -> Self {
        LineOfPlay { tree, present, shown, is_stepped_through: false, has_ended: false, tip: None }
    }

    /// Creates a line of play for an analysis that starts at this node.
    pub(super) fn for_analysis(mut tree: GameTree, at: NodeId) -> Self {
        tree.move_file_line_to_front();
        let tip = Some(tree.main_line_end(at));
        LineOfPlay { tip, ..LineOfPlay::new(tree, at, at) }
    }

    /// Goes to a node of an analysis. The end of the current line is kept if it comes after that
    /// node.
    pub(super) fn go_to_analysis_node(&mut self, there: NodeId) {
        (self.present, self.shown) = (there, there);
        let leads_on = |&tip: &NodeId| self.tree.is_visible(tip) && self.tree.is_ancestor_of(there, tip);
        self.tip = Some(self.tree.main_line_end(self.tip.filter(leads_on).unwrap_or(there)));
    }

    /// Returns the present position.
    #[must_use]
    pub fn present_position(&self) -> &Arc<dyn Position> {
        self.tree.position(self.present)
    }

    /// Returns the shown position.
    #[must_use]
    pub fn shown_position(&self) -> &Arc<dyn Position> {
        self.tree.position(self.shown)
    }

    /// Returns the outcome of the game; `None` while it continues.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.present_position().outcome()
    }

    /// Reports whether the player is looking at a position other than the present one or is stepping
    /// through the game.
    #[must_use]
    pub fn is_browsing(&self) -> bool {
        self.is_stepped_through || self.shown != self.present
    }

    /// Returns the last node of the shown line.
    ///
    /// It is the present node, or the end of the current line of an analysis, if the shown position
    /// leads to it.
    pub(super) fn shown_line_end(&self) -> NodeId {
        let end = self.tip.unwrap_or(self.present);
        if self.tree.is_ancestor_of(self.shown, end) { end } else { self.tree.main_line_end(self.shown) }
    }

    /// Returns the nodes of the shown line, from the root.
    pub(super) fn shown_line(&self) -> Vec<NodeId> {
        self.tree.line_to(self.shown_line_end())
    }

    /// Returns the node after the shown one on the shown line.
    pub(super) fn next_node(&self) -> Option<NodeId> {
        self.shown_line().get(self.tree.ply(self.shown) + 1).copied()
    }

    /// Returns the variations at the shown position: alternatives to the last shown move, then moves
    /// after it that are not on the shown line.
    pub(super) fn variations(&self) -> Vec<NodeId> {
        let (tree, here, next) = (&self.tree, self.shown, self.next_node());
        let siblings = tree.parent(here).map_or(&[][..], |parent| tree.children(parent));
        let others = siblings.iter().copied().filter(|&id| id != here);
        others.chain(tree.children(here).iter().copied().filter(|&id| Some(id) != next)).collect()
    }

    /// Returns the name of the command and the node for a history target.
    ///
    /// # Errors
    /// Refuses if the target does not exist.
    pub(super) fn find_target(&self, place: HistoryTarget) -> Result<(&'static str, NodeId), MatchRefusal> {
        let (tree, here) = (&self.tree, self.shown);
        Ok(match place {
            HistoryTarget::Present => ("goto", self.tip.unwrap_or(self.present)),
            HistoryTarget::Node(node) => ("goto", node),
            HistoryTarget::Ply(ply) => {
                let last = tree.ply(self.shown_line_end());
                let wrong = || MatchRefusal::NoSuchMove { last, read: ply.to_string() };
                ("goto", self.shown_line().get(ply).copied().ok_or_else(wrong)?)
            }
            HistoryTarget::Next(count) => {
                let line = self.shown_line();
                let there = tree.ply(here).checked_add(count).and_then(|ply| line.get(ply));
                let is_there = here == self.shown_line_end();
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
            HistoryTarget::Sibling(turn) => {
                let lines = tree.parent(here).map_or(&[][..], |parent| tree.children(parent));
                let place = lines.iter().position(|&id| id == here).unwrap_or(0);
                let step = if turn == VariationDirection::Next { 1 } else { lines.len().saturating_sub(1) };
                let other = lines.get((place + step) % lines.len().max(1)).filter(|&&other| other != here);
                // Without siblings, the first variation after the shown position is used.
                let there = other.copied().or_else(|| self.variations().first().copied());
                ("variations", there.ok_or(MatchRefusal::NoSuchVariation(0))?)
            }
        })
    }

    /// Shows the present position again; returns `true` if another one was shown.
    pub(super) fn return_to_present(&mut self) -> bool {
        let was_looking = self.is_browsing();
        (self.is_stepped_through, self.shown) = (false, self.present);
        was_looking
    }

    /// Plays a move at the present position and returns the node after it, which
    /// [`LineOfPlay::advance_to`] makes the present one.
    ///
    /// # Errors
    /// Fails if the text is not a move or the move is not legal.
    pub(super) fn play_move(&mut self, text: &str, by: MoveSource) -> Result<NodeId, Refusal> {
        self.tree.play_move(self.present, text, by)
    }

    /// Makes a node after the present one the present one.
    pub(super) fn advance_to(&mut self, node: NodeId) {
        self.tree.move_line_to_front(node);
        if self.shown == self.present && !self.is_stepped_through {
            self.shown = node;
        }
        (self.present, self.has_ended) = (node, false);
    }

    /// Makes a node the present one and clears early ends before it.
    pub(super) fn set_present(&mut self, node: NodeId) {
        self.tree.reopen_ancestors(node);
        self.present = node;
    }

    /// Ends the game early at the present position, by resignation, time or draw.
    pub(super) fn end_early(&mut self, word: &str) {
        let ended = self.present_position().end_by_word(word).ok().flatten();
        self.tree.set_position(self.present, ended.expect("the game goes on and may end so"));
    }

    /// Clears the early end of the game at a node, so that the game can continue there.
    pub(super) fn reopen(&mut self, node: NodeId) {
        let position = self.tree.position(node);
        if position.early_end().is_some() {
            let open = position.without_early_end();
            self.tree.set_position(node, open);
        }
    }
}
