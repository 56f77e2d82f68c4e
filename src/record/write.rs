//! The text record: header, remarks, numbered moves with their side lines in brackets.

use crate::record::header::POSITION;
use crate::record::load::MAX_DEPTH;
use crate::record::parse::FIRST_WORDS;
use crate::record::{GameTree, NodeId, PRESENT, PRESENT_PROPERTY, Property};
use crate::session::{EarlyEnd, Position};

/// Rounds on a line of the file.
const ROUNDS_PER_LINE: usize = 8;

/// The text record of a game with all its lines. Where moves come after the position `present`, the remark
/// `present` says after which move the game goes on; in a side line, the property `IP` does.
///
/// ```
/// use crosspath::record::{GameTree, MoveSource, NodeId, write};
/// use crosspath::registry::{Variant, find};
/// let mut tree = GameTree::new(find("tic-tac-toe")?.start(&Variant::default())?);
/// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
/// let second = tree.play(first, "a1", MoveSource::Human)?;
/// let text = write(&tree, second, &[]);
/// assert_eq!(text, "# crosspath tic-tac-toe size=3\n1. b2 a1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write(tree: &GameTree, present: NodeId, remarks: &[(String, String)]) -> String {
    let (mut remarks, way) = (remarks.to_vec(), tree.written_line(present));
    let is_main = way.contains(&present);
    // Of several remarks the first one counts, and comments stand behind it.
    let is_named = tree.node(NodeId::ROOT).comments.iter().any(|comment| comment.contains(PRESENT));
    if is_main && (way.last() != Some(&present) || is_named) {
        remarks.push((PRESENT.to_owned(), tree.ply(present).to_string()));
    }
    let mut text = head(&**tree.position(present), &remarks);
    // A comment that looks like a remark of the head stands behind its end.
    let root = tree.node(NodeId::ROOT);
    let is_remark = root.properties.is_empty() && root.comments.iter().any(|comment| comment.contains(':'));
    text += if is_remark { "#:\n" } else { "" };
    let lines = Lines { tree, marked: Some(present).filter(|_| !is_main) };
    let words: Vec<String> = lines.comments(NodeId::ROOT).chain(lines.words(&way, 0)).collect();
    text += words.join(" ").replace("\n \n", "\n").replace(" \n", "\n").replace("\n ", "\n").trim_end();
    if words.is_empty() { text } else { text + "\n" }
}

fn head(position: &dyn Position, remarks: &[(String, String)]) -> String {
    let settings = position.settings().iter().map(|(key, value)| format!(" {key}={value}"));
    // What another program wrote may have line ends, and the sign that stands between remarks.
    let value = |text: &str| text.replace(['\n', '\r', '·'], " ");
    let remarks = remarks.iter().map(|(key, text)| format!("\n# {key}: {}", value(text)));
    let start = position.start();
    let begins = start.setup().and_then(|_| Some(format!("\n# {POSITION}: {}", start.position_text()?)));
    [format!("{FIRST_WORDS} {}", position.name())]
        .into_iter()
        .chain(settings)
        .chain(begins)
        .chain(remarks)
        .chain(["\n".to_owned()])
        .collect()
}

/// The word for an early end; of a side that was not to move, with its name in front.
fn early_word(position: &dyn Position, early: EarlyEnd) -> String {
    match early.loser().filter(|&side| side != position.to_move()) {
        Some(side) => format!("{}: {}", position.side_name(side), early.word()),
        None => early.word().to_owned(),
    }
}

/// Returns the number in front of the move after `ply` plies, with dots for Second's.
fn number(ply: usize, is_written: bool) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    if is_written { format!("{}{dots} ", ply / 2 + 1) } else { String::new() }
}

/// The lines of a game as they are written.
struct Lines<'a> {
    tree: &'a GameTree,
    /// The position in a side line at which the game goes on.
    marked: Option<NodeId>,
}

impl Lines<'_> {
    /// Returns the comments about a position, each up to the end of a line.
    fn comments(&self, id: NodeId) -> impl Iterator<Item = String> {
        let node = self.tree.node(id);
        let properties = node.properties.iter().map(|Property { name, values }| {
            let values: Vec<String> = values.iter().map(|value| value.replace('\n', "\\n")).collect();
            format!("#: {name}[{}]\n", values.join("]["))
        });
        let here = self.marked.filter(|&marked| marked == id).map(|_| format!("#: {PRESENT_PROPERTY}[]\n"));
        let comments =
            node.comments.iter().map(|comment| format!("# {}\n", comment.replace(['\n', '\r'], " ")));
        properties.chain(here).chain(comments)
    }

    /// The moves of a way with the lines that leave it. `depth` is how many brackets it stands in; rows of the line that
    /// stands in none begin with a line break.
    fn words(&self, way: &[NodeId], depth: usize) -> Vec<String> {
        let tree = self.tree;
        let mut words = Vec::new();
        let (is_main, has_brackets) = (depth == 0, depth < MAX_DEPTH);
        // Where the second player begins, its move has the number 1 as well.
        let offset = tree.position(NodeId::ROOT).first_mover().index();
        let row = |ply: usize| {
            if is_main && ply > 0 && ply.is_multiple_of(2 * ROUNDS_PER_LINE) { "\n" } else { "" }
        };
        for (i, &id) in way.iter().enumerate() {
            let position = tree.position(id);
            let mut write = |text: &str, ply: usize, is_numbered: bool, lines: &[NodeId], is_early: bool| {
                words.push(format!("{}{}{text}", row(ply), number(ply + offset, is_numbered)));
                if !is_early {
                    words.extend(self.comments(id));
                }
                for &line in lines.iter().filter(|&&line| line != id && has_brackets) {
                    self.side_line(line, depth + 1, &mut words);
                }
            };
            if let (Some(parent), Some(text)) = (tree.parent(id), position.last()) {
                let ply = tree.ply(parent);
                let lines = if i > 0 { tree.written_children(parent) } else { Vec::new() };
                let is_numbered = i == 0 || ply == 0 || (ply + offset).is_multiple_of(2);
                write(&text, ply, is_numbered, &lines, false);
            }
            if let Some(early) = position.early().filter(|_| i + 1 == way.len()) {
                let ply = position.plies();
                // What was played after that was taken back stands in its place.
                let word = early_word(&**position, early);
                let is_numbered = is_main && (ply + offset).is_multiple_of(2);
                write(&word, ply, is_numbered, &tree.written_children(id), true);
            }
        }
        words
    }

    /// A line in brackets from the move to `first` on, with the lines that leave it.
    fn side_line(&self, first: NodeId, depth: usize, words: &mut Vec<String>) {
        let tree = self.tree;
        let mut bracketed = |way: &[NodeId]| words.push(format!("({})", self.words(way, depth).join(" ")));
        if depth < MAX_DEPTH {
            return bracketed(&tree.written_from(first).collect::<Vec<_>>());
        }
        // No bracket may stand in this one: every end has a line of its own.
        let mut waiting = vec![first];
        while let Some(id) = waiting.pop() {
            let children = tree.written_children(id);
            waiting.extend(children.iter().rev());
            if children.is_empty() || tree.position(id).early().is_some() {
                bracketed(&tree.line_to(id)[tree.ply(first)..]);
            }
        }
    }
}
