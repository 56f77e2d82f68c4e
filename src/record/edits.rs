//! Undo and redo of edits of a game tree.

use std::mem::{replace, take};

use super::tree::{GameTree, NodeId, NodeProperty};
use crate::registry::GameStart;

/// Undo and redo history of edits of a game tree.
///
/// ```
/// use crosspath::record::{EditHistory, RecordReadOptions, load_game};
/// let game = load_game(b"# crosspath hex size=5\n1. c3 b2\n", &RecordReadOptions::default())?;
/// let [read, empty] = [game.edits, EditHistory::default()].map(|edits| format!("{edits:?}"));
/// assert_eq!(read, empty, "a file of moves has nothing to undo");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EditHistory {
    done: Vec<TreeEdit>,
    undone: Vec<TreeEdit>,
}

/// An edit: the replaced parts of the tree, and the position to show after undoing it.
#[derive(Clone, Debug)]
struct TreeEdit {
    shown: NodeId,
    parts: Vec<TreePart>,
}

/// Part of a tree that an edit replaces.
#[derive(Clone, Debug)]
pub(crate) enum TreePart {
    /// Children of a position.
    Children(NodeId, Vec<NodeId>),
    /// Comments and properties of a position.
    Notes(NodeId, Vec<String>, Vec<NodeProperty>),
    /// Whole tree with its start position.
    Whole(Box<(GameStart, GameTree)>),
}

impl TreePart {
    /// Returns the current children of a position.
    pub(crate) fn current_children(tree: &GameTree, id: NodeId) -> Self {
        TreePart::Children(id, tree.children(id).to_vec())
    }

    /// Returns the current comments and properties of a position.
    pub(crate) fn current_annotations(tree: &GameTree, id: NodeId) -> Self {
        let node = tree.node(id);
        TreePart::Notes(id, node.comments.clone(), node.properties.clone())
    }

    /// Returns the current state of this part in the tree.
    fn current_state(&self, start: &GameStart, tree: &GameTree) -> Self {
        match *self {
            TreePart::Children(id, _) => TreePart::current_children(tree, id),
            TreePart::Notes(id, ..) => TreePart::current_annotations(tree, id),
            TreePart::Whole(_) => TreePart::Whole(Box::new((start.clone(), tree.clone()))),
        }
    }

    /// Puts this part into the tree and returns the part that it replaced.
    fn swap_into_tree(self, start: &mut GameStart, tree: &mut GameTree) -> Self {
        match self {
            TreePart::Children(id, children) => {
                let now = TreePart::current_children(tree, id);
                tree.set_visible_children(id, children);
                now
            }
            TreePart::Notes(id, comments, properties) => {
                let now = TreePart::current_annotations(tree, id);
                tree.set_annotations(id, comments, properties);
                now
            }
            TreePart::Whole(whole) => {
                let whole = *whole;
                TreePart::Whole(Box::new((replace(start, whole.0), replace(tree, whole.1))))
            }
        }
    }

    /// Reports whether this part of the tree contains another part, regardless of the content.
    pub(crate) fn covers_part(&self, other: &Self) -> bool {
        match (self, other) {
            (TreePart::Children(a, _), TreePart::Children(b, _))
            | (TreePart::Notes(a, ..), TreePart::Notes(b, ..)) => a == b,
            (TreePart::Whole(_), _) => true,
            _ => false,
        }
    }

    /// Reports whether another part is the same part of the tree with the same content. Two whole trees are
    /// equal if their start positions are.
    fn has_same_content(&self, other: &Self) -> bool {
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
    /// Records an edit that is about to replace these parts while the position `shown` is on screen.
    pub(crate) fn record_edit(&mut self, shown: NodeId, parts: Vec<TreePart>) {
        self.done.push(TreeEdit { shown, parts });
        self.undone.clear();
    }

    /// Undoes the last edit while the position `shown` is on screen. Returns the position to show and `true`
    /// if the whole tree was replaced, or `None` if there is no edit.
    pub(crate) fn undo_edit(
        &mut self,
        shown: NodeId,
        start: &mut GameStart,
        tree: &mut GameTree,
    ) -> Option<(NodeId, bool)> {
        let change = self.done.pop()?;
        let (there, reversed) = change.apply_to_tree(shown, start, tree);
        let is_whole = reversed.replaces_whole_tree();
        self.undone.push(reversed);
        Some((there, is_whole))
    }

    /// Redoes the last undone edit. Arguments and result are those of [`EditHistory::undo_edit`].
    pub(crate) fn redo_edit(
        &mut self,
        shown: NodeId,
        start: &mut GameStart,
        tree: &mut GameTree,
    ) -> Option<(NodeId, bool)> {
        std::mem::swap(&mut self.done, &mut self.undone);
        let there = self.undo_edit(shown, start, tree);
        std::mem::swap(&mut self.done, &mut self.undone);
        there
    }

    /// Returns the number of edits that can be undone.
    pub(crate) fn undo_count(&self) -> usize {
        self.done.len()
    }

    /// Adds an edit from a saved game, given the parts that it replaced. The tree already contains the new
    /// parts. `undoable` is the number of edits that could be undone afterwards; if it is lower than before,
    /// edits were undone.
    pub(crate) fn add_loaded_edit(
        &mut self,
        parts: Vec<TreePart>,
        undoable: Option<usize>,
        start: &GameStart,
        tree: &GameTree,
    ) {
        let parts: Vec<_> = parts
            .into_iter()
            .filter(|part| !part.has_same_content(&part.current_state(start, tree)))
            .collect();
        let Some(first) = parts.first() else { return };
        let shown = match first {
            TreePart::Children(id, before) => {
                let is_gone = |child: &&NodeId| !tree.children(*id).contains(child);
                before.iter().find(is_gone).copied().unwrap_or(*id)
            }
            TreePart::Notes(id, ..) => *id,
            TreePart::Whole(_) => NodeId::ROOT,
        };
        let leads_here = |change: &mut TreeEdit| {
            change.parts.iter().all(|part| part.has_same_content(&part.current_state(start, tree)))
        };
        let change = TreeEdit { shown, parts };
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

impl TreeEdit {
    /// Puts the parts into the tree. Returns the position to show and the reverse edit.
    fn apply_to_tree(mut self, shown: NodeId, start: &mut GameStart, tree: &mut GameTree) -> (NodeId, Self) {
        let parts = take(&mut self.parts).into_iter().map(|part| part.swap_into_tree(start, tree)).collect();
        (self.shown, TreeEdit { shown, parts })
    }

    fn replaces_whole_tree(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, TreePart::Whole(_)))
    }
}
