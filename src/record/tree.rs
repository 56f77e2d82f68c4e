//! Tree of the positions of a game and its variations. This module does not depend on files or players.

use std::iter::successors;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::{BySide, Refusal, Side};
use crate::session::{Position, SearchReport};

/// Source of a move.
///
/// ```
/// use crosspath::record::{MoveSource, RecordReadOptions, load_game};
/// let mut game = load_game(b"# crosspath tic-tac-toe size=3\n1. b2\n", &RecordReadOptions::default())?;
/// let reply = game.tree.play_move(game.end, "a1", MoveSource::Human)?;
/// let sources = [game.end, reply].map(|id| game.tree.node(id).by);
/// assert_eq!(sources, [MoveSource::File, MoveSource::Human]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveSource {
    /// A human player.
    Human,
    /// An engine.
    Machine,
    /// A move file.
    File,
}

/// Identifier of a position in a [`GameTree`].
///
/// ```
/// use crosspath::record::{GameTree, MoveSource, NodeId};
/// use crosspath::registry::{Variant, find_game};
/// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
/// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
/// assert_eq!((NodeId::ROOT.index(), first.index()), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(usize);

impl NodeId {
    /// Identifier of the position before the first move.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the number of the position. Positions are numbered in the order in which they are added, so a
    /// parent has a lower number than its children.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

/// A position of a tree with its data.
///
/// ```
/// use crosspath::record::{MoveSource, RecordReadOptions, load_game};
/// let game = load_game(b"(;GM[11]SZ[5];B[c3]C[The centre.])", &RecordReadOptions::default())?;
/// let node = game.tree.node(game.end);
/// assert_eq!((node.by, node.comments[0].as_str()), (MoveSource::File, "The centre."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTreeNode {
    parent: Option<NodeId>,
    /// Positions after each move, the main move first.
    children: Vec<NodeId>,
    /// Main move in the file that the game was loaded from. It remains the main move when the game is
    /// written.
    authored: Option<NodeId>,
    position: Arc<dyn Position>,
    /// Source of the move that led to this position.
    pub by: MoveSource,
    /// `true` if a human player made the move in the saved game that was loaded.
    pub is_from_own_game: bool,
    /// Search that chose the move that led to this position.
    pub search: Option<Arc<SearchReport>>,
    /// Evaluation shown beside the position, with the side that it is for.
    pub known: Option<(Side, Arc<SearchReport>)>,
    /// Suggested move in this position.
    pub hint: Option<String>,
    /// Thinking time of the move that led to this position.
    pub took: Option<Duration>,
    /// Time left of each side when the position was reached, in games with clocks.
    pub clocks: Option<BySide<Duration>>,
    /// Comments about the position, one line each.
    pub comments: Vec<String>,
    /// Other SGF properties of the position: marks on the board, and properties that crosspath does not
    /// interpret.
    pub properties: Vec<NodeProperty>,
}

/// An SGF property of a position: a mark such as `TR[b2][c3]`, or data of another program. Cells of marks are
/// in crosspath's notation; values of other properties are kept as written, with their escapes.
///
/// ```
/// use crosspath::record::{NodeProperty, RecordReadOptions, load_game};
/// let game = load_game(b"(;GM[11]SZ[5];B[c3]TR[b2][d4])", &RecordReadOptions::default())?;
/// let triangles = NodeProperty { name: "TR".to_owned(), values: vec!["b2".to_owned(), "d4".to_owned()] };
/// assert_eq!(game.tree.node(game.end).properties, [triangles]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeProperty {
    /// Name in capitals.
    pub name: String,
    /// Values of the property.
    pub values: Vec<String>,
}

impl NodeProperty {
    /// Returns the property that marks the end of a text record's header. Comments about the first position
    /// follow it.
    pub(super) fn header_end() -> Self {
        NodeProperty { name: String::new(), values: Vec::new() }
    }
}

/// A game with its variations. Nodes are only added, never removed.
///
/// ```
/// use crosspath::record::{MoveSource, GameTree, NodeId};
/// use crosspath::registry::{Variant, find_game};
/// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
/// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human).expect("free");
/// let other = tree.play_move(NodeId::ROOT, "a1", MoveSource::Human).expect("free");
/// assert_eq!(tree.children(NodeId::ROOT), [first, other]);
/// tree.make_main_line(other);
/// assert_eq!(tree.children(NodeId::ROOT), [other, first]);
/// # Ok::<(), crosspath::registry::BoardSetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<GameTreeNode>,
}

impl GameTree {
    /// Returns a game before its first move.
    ///
    /// ```
    /// use crosspath::record::GameTree;
    /// use crosspath::registry::{Variant, find_game};
    /// let tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// assert_eq!(tree.len(), 1, "the position before the first move");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(start: Arc<dyn Position>) -> Self {
        GameTree { nodes: vec![GameTreeNode::new(None, start, MoveSource::Human)] }
    }

    /// Returns the number of positions.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always the first position")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Reports whether the tree has a move whose source satisfies `is_one`.
    pub(crate) fn has_moves_from(&self, is_one: impl Fn(MoveSource) -> bool) -> bool {
        self.nodes[1..].iter().any(|node| is_one(node.by))
    }

    /// Marks the moves of human players, before [`GameTree::mark_as_imported`] resets the sources.
    pub(crate) fn mark_human_moves(&mut self) {
        for node in &mut self.nodes {
            node.is_from_own_game |= node.by == MoveSource::Human;
        }
    }

    /// Marks all moves as loaded from a file, with their present order as the order of the file.
    pub(crate) fn mark_as_imported(&mut self) {
        for node in &mut self.nodes {
            (node.by, node.authored) = (MoveSource::File, node.children.first().copied());
        }
    }

    /// Returns every position in the order in which they were added.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// Returns the node of a position.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// assert_eq!(tree.node(first).by, MoveSource::Human);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the node belongs to another tree. This holds for all following methods.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &GameTreeNode {
        &self.nodes[id.0]
    }

    /// Returns the mutable node of a position.
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut GameTreeNode {
        &mut self.nodes[id.0]
    }

    /// Replaces the comments and properties of a position.
    ///
    /// ```
    /// use crosspath::record::{GameTree, NodeId};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// tree.set_annotations(NodeId::ROOT, vec!["The start.".to_owned()], Vec::new());
    /// assert_eq!(tree.node(NodeId::ROOT).comments, ["The start."]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_annotations(&mut self, id: NodeId, comments: Vec<String>, properties: Vec<NodeProperty>) {
        let node = self.node_mut(id);
        (node.comments, node.properties) = (comments, properties);
    }

    /// Returns the position of a node.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// assert_eq!(tree.position(first).last_move().as_deref(), Some("b2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn position(&self, id: NodeId) -> &Arc<dyn Position> {
        &self.node(id).position
    }

    /// Replaces a node's position by one on the same board that has or lacks an early end, such as a
    /// resignation.
    pub fn set_position(&mut self, id: NodeId, position: Arc<dyn Position>) {
        debug_assert_eq!(position.position_key(), self.position(id).position_key());
        self.node_mut(id).position = position;
    }

    /// Returns the position before the last move, or `None` for the root.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// assert_eq!((tree.parent(first), tree.parent(NodeId::ROOT)), (Some(NodeId::ROOT), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// Returns the positions after each move played in this position, the main move first.
    #[must_use]
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    /// Returns the number of moves before a position.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let second = tree.play_move(first, "a1", MoveSource::Human)?;
    /// assert_eq!((tree.ply(NodeId::ROOT), tree.ply(second)), (0, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ply(&self, id: NodeId) -> usize {
        self.position(id).plies()
    }

    /// Plays a move and returns the position after it, which may already exist.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// assert_eq!(tree.play_move(NodeId::ROOT, "B2", MoveSource::Human)?, first, "it is there already");
    /// assert!(tree.play_move(first, "b2", MoveSource::Human).is_err());
    /// assert_eq!(tree.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the error of [`Position::play`]. The tree is then unchanged.
    pub fn play_move(&mut self, at: NodeId, text: &str, by: MoveSource) -> Result<NodeId, Refusal> {
        let position = Arc::clone(self.position(at)).play(text)?;
        Ok(self.add_child(at, position, by))
    }

    /// Adds a child to a position and returns its identifier. If the same move was played before, returns the
    /// existing child.
    pub(super) fn add_child(&mut self, at: NodeId, position: Arc<dyn Position>, by: MoveSource) -> NodeId {
        let text = position.last_move();
        let same = |&&id: &&NodeId| self.position(id).last_move() == text;
        if let Some(&known) = self.children(at).iter().find(same) {
            return known;
        }
        let id = NodeId(self.nodes.len());
        self.nodes.push(GameTreeNode::new(Some(at), position, by));
        let before = self.node_mut(at);
        before.children.push(id);
        if by == MoveSource::File {
            before.authored.get_or_insert(id);
        }
        id
    }

    /// Sets the visible children of a position and their order. The other children are hidden with their
    /// subtrees: they keep their identifiers, but no traversal visits them until they are shown again.
    ///
    /// # Panics
    /// Panics if one of `children` is not a child of the position.
    pub(crate) fn set_visible_children(&mut self, id: NodeId, children: Vec<NodeId>) {
        assert!(children.iter().all(|&child| self.parent(child) == Some(id)), "they follow it");
        let node = self.node_mut(id);
        node.authored = node.authored.and(children.first().copied());
        node.children = children;
    }

    /// Moves the main move of the file to the front at every position. From then on only the order determines
    /// the main line.
    pub(crate) fn move_file_line_to_front(&mut self) {
        for id in 0..self.nodes.len() {
            if let Some(main) = self.nodes[id].authored.take() {
                let children = &mut self.nodes[id].children;
                let place = children.iter().position(|&child| child == main).expect("it follows");
                children[..=place].rotate_right(1);
            }
        }
    }

    /// Reports whether a position and all its ancestors are visible.
    pub(crate) fn is_visible(&self, id: NodeId) -> bool {
        self.ancestors(id).all(|id| self.parent(id).is_none_or(|parent| self.children(parent).contains(&id)))
    }

    /// Makes the line to a position the main line, also in place of a file's main line.
    ///
    /// # Panics
    /// Panics if the node belongs to another tree.
    pub fn make_main_line(&mut self, id: NodeId) {
        self.move_line_to_front(id);
        self.make_file_main_line(id);
    }

    /// Makes the line to a position the main line of the file, as far as its moves were loaded from the file.
    pub(crate) fn make_file_main_line(&mut self, id: NodeId) {
        for pair in self.line_to(id).windows(2) {
            let authored = &mut self.node_mut(pair[0]).authored;
            *authored = authored.map(|_| pair[1]);
        }
    }

    /// Moves the line to a position to the front, so that redo follows it. The main line that is written to a
    /// file stays the same.
    pub(crate) fn move_line_to_front(&mut self, id: NodeId) {
        let mut here = id;
        while let Some(parent) = self.parent(here) {
            let children = &mut self.node_mut(parent).children;
            let place = children.iter().position(|&child| child == here).expect("a child of its parent");
            children[..=place].rotate_right(1);
            here = parent;
        }
    }

    /// Clears early ends (resignations, draws) of all ancestors of `id`.
    pub(crate) fn reopen_ancestors(&mut self, id: NodeId) {
        let way: Vec<NodeId> = self.ancestors(id).skip(1).collect();
        for before in way {
            if self.position(before).early_end().is_some() {
                self.set_position(before, self.position(before).without_early_end());
            }
        }
    }

    /// Returns a position and its ancestors, from the position back to the root.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let second = tree.play_move(first, "a1", MoveSource::Human)?;
    /// assert!(tree.ancestors(second).eq([second, first, NodeId::ROOT]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        successors(Some(id), |&id| self.parent(id))
    }

    /// Returns a position and the positions that follow it on the main line.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let second = tree.play_move(first, "a1", MoveSource::Human)?;
    /// tree.play_move(first, "c3", MoveSource::Human)?;
    /// assert!(tree.main_line_from(NodeId::ROOT).eq([NodeId::ROOT, first, second]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn main_line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let goes_on = |id: &NodeId| self.position(*id).early_end().is_none();
        successors(Some(id), move |id| self.children(*id).first().copied().filter(|_| goes_on(id)))
    }

    /// Reports whether a position is equal to `there` or one of its ancestors.
    pub(crate) fn is_ancestor_of(&self, id: NodeId, there: NodeId) -> bool {
        self.ancestors(there).any(|node| node == id)
    }

    /// Returns the main move after a position in the file that the game was loaded from.
    pub(crate) fn file_main_move(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).authored
    }

    /// Returns the children of a position in the order in which they are written: the main move of the file
    /// first, then the others in the order in which they were added. Without a file the main move is first.
    pub(super) fn written_children(&self, id: NodeId) -> Vec<NodeId> {
        let mut children = self.children(id).to_vec();
        if let Some(main) = self.file_main_move(id) {
            children.sort_by_key(|&child| (child != main, child));
        }
        children
    }

    /// Returns the line that is written as the main line, from the root to its end: the main line of a file,
    /// else the line through `present`.
    pub(crate) fn written_line(&self, present: NodeId) -> Vec<NodeId> {
        let mut line = self.line_to(present);
        let leaves =
            line.windows(2).position(|pair| self.file_main_move(pair[0]).is_some_and(|main| main != pair[1]));
        if let Some(place) = leaves {
            line.truncate(place + 1);
            line.extend(self.file_main_move(line[place]));
        }
        let last = *line.last().expect("there is the first position");
        line.extend(self.written_line_from(last).skip(1));
        line
    }

    /// Returns a position and the positions that follow it in the written main line.
    pub(super) fn written_line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let goes_on = |id: &NodeId| self.position(*id).early_end().is_none();
        let next = move |id: &NodeId| self.file_main_move(*id).or(self.children(*id).first().copied());
        successors(Some(id), move |id| next(id).filter(|_| goes_on(id)))
    }

    /// Returns the line from the root to a position, both included.
    pub(crate) fn line_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut line: Vec<NodeId> = self.ancestors(id).collect();
        line.reverse();
        line
    }

    /// Returns the last position of the main line from a position on.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
    /// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let second = tree.play_move(first, "a1", MoveSource::Human)?;
    /// assert_eq!(tree.main_line_end(NodeId::ROOT), second);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn main_line_end(&self, id: NodeId) -> NodeId {
        self.main_line_from(id).last().unwrap_or(id)
    }
}

impl GameTreeNode {
    fn new(parent: Option<NodeId>, position: Arc<dyn Position>, by: MoveSource) -> Self {
        GameTreeNode {
            parent,
            children: Vec::new(),
            authored: None,
            position,
            by,
            is_from_own_game: false,
            search: None,
            known: None,
            hint: None,
            took: None,
            clocks: None,
            comments: Vec::new(),
            properties: Vec::new(),
        }
    }
}
