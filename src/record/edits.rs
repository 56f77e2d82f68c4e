//! Edits of a game tree that can be undone and redone.

use std::mem::{replace, take};

use super::tree::{GameTree, NodeId, Property};
use crate::registry::GameStart;

/// Edits of a game tree: those that can be undone, and those that can be redone.
#[derive(Clone, Debug, Default)]
pub struct EditHistory {
    done: Vec<Change>,
    undone: Vec<Change>,
}

/// One edit: the parts of the tree as they are on its other side, and the position to show there.
#[derive(Clone, Debug)]
struct Change {
    shown: NodeId,
    parts: Vec<TreePart>,
}

/// A part of a tree that an edit replaces.
#[derive(Clone, Debug)]
pub(crate) enum TreePart {
    /// The positions that follow a position.
    Children(NodeId, Vec<NodeId>),
    /// Comments and properties of a position.
    Notes(NodeId, Vec<String>, Vec<Property>),
    /// The whole tree with the position that it begins from.
    Whole(Box<(GameStart, GameTree)>),
}

impl TreePart {
    /// Returns the positions that follow this position now.
    pub(crate) fn children(tree: &GameTree, id: NodeId) -> Self {
        TreePart::Children(id, tree.children(id).to_vec())
    }

    /// Returns the comments and properties of this position now.
    pub(crate) fn notes(tree: &GameTree, id: NodeId) -> Self {
        let node = tree.node(id);
        TreePart::Notes(id, node.comments.clone(), node.properties.clone())
    }

    /// Returns this part as it is in the tree now.
    fn now(&self, start: &GameStart, tree: &GameTree) -> Self {
        match *self {
            TreePart::Children(id, _) => TreePart::children(tree, id),
            TreePart::Notes(id, ..) => TreePart::notes(tree, id),
            TreePart::Whole(_) => TreePart::Whole(Box::new((start.clone(), tree.clone()))),
        }
    }

    /// Puts this part into the tree; returns what was there instead.
    fn swap(self, start: &mut GameStart, tree: &mut GameTree) -> Self {
        match self {
            TreePart::Children(id, children) => {
                let now = TreePart::children(tree, id);
                tree.show_children(id, children);
                now
            }
            TreePart::Notes(id, comments, properties) => {
                let now = TreePart::notes(tree, id);
                tree.annotate(id, comments, properties);
                now
            }
            TreePart::Whole(whole) => {
                let whole = *whole;
                TreePart::Whole(Box::new((replace(start, whole.0), replace(tree, whole.1))))
            }
        }
    }

    /// Reports whether this part holds another one, whatever its content.
    pub(crate) fn holds(&self, other: &Self) -> bool {
        match (self, other) {
            (TreePart::Children(a, _), TreePart::Children(b, _))
            | (TreePart::Notes(a, ..), TreePart::Notes(b, ..)) => a == b,
            (TreePart::Whole(_), _) => true,
            _ => false,
        }
    }

    /// Reports whether both are one part with one content. Two whole trees are equal if they begin from one position.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (TreePart::Children(a, children), TreePart::Children(b, others)) => a == b && children == others,
            (TreePart::Notes(a, comments, marks), TreePart::Notes(b, others, other_marks)) => {
                a == b && comments == others && marks == other_marks
            }
            (TreePart::Whole(a), TreePart::Whole(b)) => a.0.setup == b.0.setup,
            _ => false,
        }
    }
}

impl EditHistory {
    /// Adds an edit that is about to replace these parts while this position is shown.
    pub(crate) fn note(&mut self, shown: NodeId, parts: Vec<TreePart>) {
        self.done.push(Change { shown, parts });
        self.undone.clear();
    }

    /// Undoes the last edit while `shown` is shown; returns the position to show then, and whether another game tree takes the
    /// place of this one. `None` if there is no edit.
    pub(crate) fn undo(
        &mut self,
        shown: NodeId,
        start: &mut GameStart,
        tree: &mut GameTree,
    ) -> Option<(NodeId, bool)> {
        let change = self.done.pop()?;
        let (there, reversed) = change.apply(shown, start, tree);
        let is_whole = reversed.is_whole();
        self.undone.push(reversed);
        Some((there, is_whole))
    }

    /// Redoes the last edit that was undone, as [`EditHistory::undo`] undoes one.
    pub(crate) fn redo(
        &mut self,
        shown: NodeId,
        start: &mut GameStart,
        tree: &mut GameTree,
    ) -> Option<(NodeId, bool)> {
        std::mem::swap(&mut self.done, &mut self.undone);
        let there = self.undo(shown, start, tree);
        std::mem::swap(&mut self.done, &mut self.undone);
        there
    }

    /// Returns the number of edits that can be undone.
    pub(crate) fn count(&self) -> usize {
        self.done.len()
    }

    /// Adds what a saved game tells of one edit: the parts that it has replaced, in a tree that has the new ones already, and
    /// how many edits could be undone after it. If they were fewer than before, edits were undone.
    pub(crate) fn add_read(
        &mut self,
        parts: Vec<TreePart>,
        undoable: Option<usize>,
        start: &GameStart,
        tree: &GameTree,
    ) {
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_same(&part.now(start, tree))).collect();
        let Some(first) = parts.first() else { return };
        let shown = match first {
            TreePart::Children(id, before) => {
                let is_gone = |child: &&NodeId| !tree.children(*id).contains(child);
                before.iter().find(is_gone).copied().unwrap_or(*id)
            }
            TreePart::Notes(id, ..) => *id,
            TreePart::Whole(_) => NodeId::ROOT,
        };
        let leads_here =
            |change: &mut Change| change.parts.iter().all(|part| part.is_same(&part.now(start, tree)));
        let change = Change { shown, parts };
        let left = undoable.unwrap_or(self.done.len() + 1);
        if left < self.done.len() {
            self.done.truncate(left);
            self.undone.push(change);
        } else if self.undone.pop_if(leads_here).is_some() {
            self.done.push(change);
        } else {
            self.undone.clear();
            self.done.push(change);
        }
    }
}

impl Change {
    /// Puts the parts into the tree; returns the position to show, and the edit that reverses this one.
    fn apply(mut self, shown: NodeId, start: &mut GameStart, tree: &mut GameTree) -> (NodeId, Self) {
        let parts = take(&mut self.parts).into_iter().map(|part| part.swap(start, tree)).collect();
        (self.shown, Change { shown, parts })
    }

    fn is_whole(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, TreePart::Whole(_)))
    }
}
