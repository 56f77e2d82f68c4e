//! A game with its side lines: a tree of positions. Knows positions, no files and no players.

use std::iter::successors;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::{BySide, Refusal, Side};
use crate::session::{Position, SearchReport};

/// Source of a move: a person, an engine, a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveSource {
    /// A person.
    Human,
    /// A machine.
    Machine,
    /// A move file.
    File,
}

/// A position in a [`GameTree`].
///
/// ```
/// use crosspath::record::{GameTree, MoveSource, NodeId};
/// use crosspath::registry::{Variant, find};
/// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
/// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
/// assert_eq!((NodeId::ROOT.index(), first.index()), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(usize);

impl NodeId {
    /// The position before the first move.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns its number: positions are numbered as they come, and each comes after the one that it follows.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

/// One position of a tree with what belongs to it.
#[derive(Clone, Debug)]
pub struct Node {
    parent: Option<NodeId>,
    /// The main move in front.
    children: Vec<NodeId>,
    /// The main move of the file that the game comes from: it stays in front where the game is written.
    authored: Option<NodeId>,
    position: Arc<dyn Position>,
    /// Source of the move that led here.
    pub by: MoveSource,
    /// `true` if a person made that move in the saved game that was loaded.
    pub is_from_own_game: bool,
    /// The search that chose the move that led here.
    pub search: Option<Arc<SearchReport>>,
    /// Findings about the position, and the side they are for: shown beside it.
    pub known: Option<(Side, Arc<SearchReport>)>,
    /// The move that was advised here.
    pub hint: Option<String>,
    /// Time that the move that led here took.
    pub took: Option<Duration>,
    /// The time that each side had left when the position came, where there are clocks.
    pub clocks: Option<BySide<Duration>>,
    /// Comments of a file about the position, a line each.
    pub comments: Vec<String>,
    /// Other properties of the position in an SGF file: marks on the board, and properties that crosspath does not
    /// know.
    pub properties: Vec<Property>,
}

/// A property of a position, as SGF has it: marks such as `TR[b2][c3]`, and whatever another program has noted. Cells of
/// marks are those of our board; the values of other properties are as they were written, with their escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name in capitals.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

impl Property {
    /// Returns the property for the end of a text record's head, behind which comments about the first position follow.
    pub(super) fn head_end() -> Self {
        Property { name: String::new(), values: Vec::new() }
    }
}

/// A game and what else was played in it. Nodes are only added, never removed.
///
/// ```
/// use crosspath::record::{MoveSource, GameTree, NodeId};
/// use crosspath::registry::{Variant, find};
/// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
/// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human).expect("free");
/// let other = tree.play(NodeId::ROOT, "a1", MoveSource::Human).expect("free");
/// assert_eq!(tree.children(NodeId::ROOT), [first, other]);
/// tree.make_main(other);
/// assert_eq!(tree.children(NodeId::ROOT), [other, first]);
/// # Ok::<(), crosspath::registry::OpenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<Node>,
}

impl GameTree {
    /// A game before its first move.
    ///
    /// ```
    /// use crosspath::record::GameTree;
    /// use crosspath::registry::{Variant, find};
    /// let tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// assert_eq!(tree.len(), 1, "the position before the first move");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(start: Arc<dyn Position>) -> Self {
        GameTree { nodes: vec![Node::new(None, start, MoveSource::Human)] }
    }

    /// Returns the number of positions.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always the first position")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Reports whether a move was made by one of these.
    pub(crate) fn has_moves_of(&self, is_one: impl Fn(MoveSource) -> bool) -> bool {
        self.nodes[1..].iter().any(|node| is_one(node.by))
    }

    /// Remembers which moves people made, before all count as those of a move file.
    pub(crate) fn remember_people(&mut self) {
        for node in &mut self.nodes {
            node.is_from_own_game |= node.by == MoveSource::Human;
        }
    }

    /// All moves count as those of a move file, in their present order.
    pub(crate) fn mark_as_imported(&mut self) {
        for node in &mut self.nodes {
            (node.by, node.authored) = (MoveSource::File, node.children.first().copied());
        }
    }

    /// Every position, as they came.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// Returns the node of a position.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// assert_eq!(tree.node(first).by, MoveSource::Human);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the node is one of another tree; so for all that follow.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// Returns the node of a position, to be changed.
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// Puts comments and marks at a position, in place of those that are there.
    ///
    /// ```
    /// use crosspath::record::{GameTree, NodeId};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// tree.annotate(NodeId::ROOT, vec!["The start.".to_owned()], Vec::new());
    /// assert_eq!(tree.node(NodeId::ROOT).comments, ["The start."]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn annotate(&mut self, id: NodeId, comments: Vec<String>, properties: Vec<Property>) {
        let node = self.node_mut(id);
        (node.comments, node.properties) = (comments, properties);
    }

    /// The position itself.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// assert_eq!(tree.position(first).last().as_deref(), Some("b2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn position(&self, id: NodeId) -> &Arc<dyn Position> {
        &self.node(id).position
    }

    /// Replaces a position by itself, ended early or open again.
    pub fn set_position(&mut self, id: NodeId, position: Arc<dyn Position>) {
        debug_assert_eq!(position.key(), self.position(id).key());
        self.node_mut(id).position = position;
    }

    /// The position before; `None` before the first move.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// assert_eq!((tree.parent(first), tree.parent(NodeId::ROOT)), (Some(NodeId::ROOT), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// The positions after each move that was played here, the main one in front.
    #[must_use]
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    /// The number of moves before a position.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let second = tree.play(first, "a1", MoveSource::Human)?;
    /// assert_eq!((tree.ply(NodeId::ROOT), tree.ply(second)), (0, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ply(&self, id: NodeId) -> usize {
        self.position(id).plies()
    }

    /// Plays a move: gives the position after it, which may have been there before.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// assert_eq!(tree.play(NodeId::ROOT, "B2", MoveSource::Human)?, first, "it is there already");
    /// assert!(tree.play(first, "b2", MoveSource::Human).is_err());
    /// assert_eq!(tree.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Position::play`]; nothing is changed.
    pub fn play(&mut self, at: NodeId, text: &str, by: MoveSource) -> Result<NodeId, Refusal> {
        let position = Arc::clone(self.position(at)).play(text)?;
        Ok(self.add(at, position, by))
    }

    /// Adds a position after another and returns its number, or that of the position that is there if the same move was
    /// played before.
    pub(super) fn add(&mut self, at: NodeId, position: Arc<dyn Position>, by: MoveSource) -> NodeId {
        let text = position.last();
        let same = |&&id: &&NodeId| self.position(id).last() == text;
        if let Some(&known) = self.children(at).iter().find(same) {
            return known;
        }
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node::new(Some(at), position, by));
        let before = self.node_mut(at);
        before.children.push(id);
        if by == MoveSource::File {
            before.authored.get_or_insert(id);
        }
        id
    }

    /// Shows these of the positions behind another one, in this order. Those left out are hidden with all that follows them:
    /// they keep their numbers, and nothing walks there until they are shown again.
    ///
    /// # Panics
    /// If one of them does not follow that position.
    pub(crate) fn show_children(&mut self, id: NodeId, children: Vec<NodeId>) {
        assert!(children.iter().all(|&child| self.parent(child) == Some(id)), "they follow it");
        let node = self.node_mut(id);
        node.authored = node.authored.and(children.first().copied());
        node.children = children;
    }

    /// Puts the line of a file in front at every position; from now on the order alone says which line is the main one.
    pub(crate) fn forget_author(&mut self) {
        for id in 0..self.nodes.len() {
            if let Some(main) = self.nodes[id].authored.take() {
                let children = &mut self.nodes[id].children;
                let place = children.iter().position(|&child| child == main).expect("it follows");
                children[..=place].rotate_right(1);
            }
        }
    }

    /// Reports whether no position on the way to this one is hidden.
    pub(crate) fn is_visible(&self, id: NodeId) -> bool {
        self.ancestors(id).all(|id| self.parent(id).is_none_or(|parent| self.children(parent).contains(&id)))
    }

    /// Puts the whole way to a position in front of all side lines, those of a file included.
    ///
    /// # Panics
    /// If the node is one of another tree.
    pub fn make_main(&mut self, id: NodeId) {
        self.follow(id);
        self.promote_in_file(id);
    }

    /// Makes the way to a position that of the main line of the file, as far as the game comes from one.
    pub(crate) fn promote_in_file(&mut self, id: NodeId) {
        for pair in self.line_to(id).windows(2) {
            let authored = &mut self.node_mut(pair[0]).authored;
            *authored = authored.map(|_| pair[1]);
        }
    }

    /// Puts the way to a position in front of the moves that can be played again. The main line of a file stays the main
    /// line that is written.
    pub(crate) fn follow(&mut self, id: NodeId) {
        let mut here = id;
        while let Some(parent) = self.parent(here) {
            let children = &mut self.node_mut(parent).children;
            let place = children.iter().position(|&child| child == here).expect("a child of its parent");
            children[..=place].rotate_right(1);
            here = parent;
        }
    }

    /// Lets the game go on in all positions before this one: who gave up there has thought better of it.
    pub(crate) fn reopen_before(&mut self, id: NodeId) {
        let way: Vec<NodeId> = self.ancestors(id).skip(1).collect();
        for before in way {
            if self.position(before).early().is_some() {
                self.set_position(before, self.position(before).reopened());
            }
        }
    }

    /// A position and those before it, the last one first.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let second = tree.play(first, "a1", MoveSource::Human)?;
    /// assert!(tree.ancestors(second).eq([second, first, NodeId::ROOT]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        successors(Some(id), |&id| self.parent(id))
    }

    /// A position and those that follow on the main way.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let second = tree.play(first, "a1", MoveSource::Human)?;
    /// tree.play(first, "c3", MoveSource::Human)?;
    /// assert!(tree.main_line_from(NodeId::ROOT).eq([NodeId::ROOT, first, second]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn main_line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let goes_on = |id: &NodeId| self.position(*id).early().is_none();
        successors(Some(id), move |id| self.children(*id).first().copied().filter(|_| goes_on(id)))
    }

    /// Reports whether a position is on the way to another, or is that one.
    pub(crate) fn is_ancestor_of(&self, id: NodeId, there: NodeId) -> bool {
        self.ancestors(there).any(|node| node == id)
    }

    /// The main move that the file of the game has after a position.
    pub(crate) fn authored(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).authored
    }

    /// The positions after each move that was played here, as they are written: the main move of a file, its other moves
    /// and those that were played beside them; without a file, the main one in front.
    pub(super) fn written_children(&self, id: NodeId) -> Vec<NodeId> {
        let mut children = self.children(id).to_vec();
        if let Some(main) = self.authored(id) {
            children.sort_by_key(|&child| (child != main, child));
        }
        children
    }

    /// Returns the line that is written as the main one, from the first position to its end: the line of a file, else
    /// the line that leads to `present`.
    pub(crate) fn written_line(&self, present: NodeId) -> Vec<NodeId> {
        let mut line = self.line_to(present);
        let leaves =
            line.windows(2).position(|pair| self.authored(pair[0]).is_some_and(|main| main != pair[1]));
        if let Some(place) = leaves {
            line.truncate(place + 1);
            line.extend(self.authored(line[place]));
        }
        let last = *line.last().expect("there is the first position");
        line.extend(self.written_from(last).skip(1));
        line
    }

    /// A position and those that follow it where the game is written.
    pub(super) fn written_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let goes_on = |id: &NodeId| self.position(*id).early().is_none();
        let next = move |id: &NodeId| self.authored(*id).or(self.children(*id).first().copied());
        successors(Some(id), move |id| next(id).filter(|_| goes_on(id)))
    }

    /// The positions on the way to another, the first one in front and that one last.
    pub(crate) fn line_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut line: Vec<NodeId> = self.ancestors(id).collect();
        line.reverse();
        line
    }

    /// The last position of the main way from here.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
    /// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let second = tree.play(first, "a1", MoveSource::Human)?;
    /// assert_eq!(tree.end_of(NodeId::ROOT), second);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn end_of(&self, id: NodeId) -> NodeId {
        self.main_line_from(id).last().unwrap_or(id)
    }
}

impl Node {
    fn new(parent: Option<NodeId>, position: Arc<dyn Position>, by: MoveSource) -> Self {
        Node {
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
