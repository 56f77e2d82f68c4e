//! Writing of the text record: header, remarks, and numbered moves with variations in brackets.

use crate::record::header::POSITION_REMARK;
use crate::record::load::MAX_VARIATION_DEPTH;
use crate::record::parse::RECORD_FIRST_WORDS;
use crate::record::{GameTree, NodeId, NodeProperty, PRESENT_PROPERTY, PRESENT_REMARK};
use crate::session::{EarlyEnd, Position};

/// Number of rounds (moves of both sides) per line of the file.
const ROUNDS_PER_LINE: usize = 8;

/// Returns the text record of a game with all its variations. If moves follow the position `present`, the
/// remark `present` gives its number of moves; in a variation, the property `IP` marks it.
///
/// ```
/// use crosspath::record::{GameTree, MoveSource, NodeId, write_record};
/// use crosspath::registry::{Variant, find_game};
/// let mut tree = GameTree::new(find_game("tic-tac-toe")?.start_position(&Variant::default())?);
/// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
/// let second = tree.play_move(first, "a1", MoveSource::Human)?;
/// let text = write_record(&tree, second, &[]);
/// assert_eq!(text, "# crosspath tic-tac-toe size=3\n1. b2 a1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write_record(tree: &GameTree, present: NodeId, remarks: &[(String, String)]) -> String {
    let (mut remarks, way) = (remarks.to_vec(), tree.written_line(present));
    let is_main = way.contains(&present);
    // The first of several equal remarks counts, and comments come later.
    let is_named = tree.node(NodeId::ROOT).comments.iter().any(|comment| comment.contains(PRESENT_REMARK));
    if is_main && (way.last() != Some(&present) || is_named) {
        remarks.push((PRESENT_REMARK.to_owned(), tree.ply(present).to_string()));
    }
    let mut text = format_header(&**tree.position(present), &remarks);
    // A comment that looks like a remark is written after an explicit end of the header.
    let root = tree.node(NodeId::ROOT);
    let is_remark = root.properties.is_empty() && root.comments.iter().any(|comment| comment.contains(':'));
    text += if is_remark { "#:\n" } else { "" };
    let lines = RecordLineWriter { tree, marked: Some(present).filter(|_| !is_main) };
    let words: Vec<String> =
        lines.format_annotations(NodeId::ROOT).chain(lines.format_line(&way, 0)).collect();
    text += words.join(" ").replace("\n \n", "\n").replace(" \n", "\n").replace("\n ", "\n").trim_end();
    if words.is_empty() { text } else { text + "\n" }
}

fn format_header(position: &dyn Position, remarks: &[(String, String)]) -> String {
    let settings = position.settings().iter().map(|(key, value)| format!(" {key}={value}"));
    // Remarks of other programs may contain line ends and the separator of remarks.
    let value = |text: &str| text.replace(['\n', '\r', '·'], " ");
    let remarks = remarks.iter().map(|(key, text)| format!("\n# {key}: {}", value(text)));
    let start = position.start_position();
    let begins = start
        .initial_setup()
        .and_then(|_| Some(format!("\n# {POSITION_REMARK}: {}", start.position_text()?)));
    [format!("{RECORD_FIRST_WORDS} {}", position.game_name())]
        .into_iter()
        .chain(settings)
        .chain(begins)
        .chain(remarks)
        .chain(["\n".to_owned()])
        .collect()
}

/// Returns the text of an early end: `resign`, or `Blue: resign` if the loser was not to move.
fn format_early_end(position: &dyn Position, early: EarlyEnd) -> String {
    match early.loser().filter(|&side| side != position.to_move()) {
        Some(side) => format!("{}: {}", position.side_name(side), early.record_word()),
        None => early.record_word().to_owned(),
    }
}

/// Returns the move number that is written before a move, such as `12.` for First or `12...` for Second.
fn format_move_number(ply: usize, is_written: bool) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    if is_written { format!("{}{dots} ", ply / 2 + 1) } else { String::new() }
}

/// Writer of the main line and the variations of a game.
struct RecordLineWriter<'a> {
    tree: &'a GameTree,
    /// Current position, if it is in a variation.
    marked: Option<NodeId>,
}

impl RecordLineWriter<'_> {
    /// Returns the comments and properties of a position, each with a line end.
    fn format_annotations(&self, id: NodeId) -> impl Iterator<Item = String> {
        let node = self.tree.node(id);
        let properties = node.properties.iter().map(|NodeProperty { name, values }| {
            let values: Vec<String> = values.iter().map(|value| value.replace('\n', "\\n")).collect();
            format!("#: {name}[{}]\n", values.join("]["))
        });
        let here = self.marked.filter(|&marked| marked == id).map(|_| format!("#: {PRESENT_PROPERTY}[]\n"));
        let comments =
            node.comments.iter().map(|comment| format!("# {}\n", comment.replace(['\n', '\r'], " ")));
        properties.chain(here).chain(comments)
    }

    /// Returns the moves of a line with the variations that branch off. `depth` is the number of enclosing
    /// brackets. The main line has depth 0 and is broken into rows.
    fn format_line(&self, way: &[NodeId], depth: usize) -> Vec<String> {
        let tree = self.tree;
        let mut words = Vec::new();
        let (is_main, has_brackets) = (depth == 0, depth < MAX_VARIATION_DEPTH);
        // If Second moves first, its move has the number 1 as well.
        let offset = tree.position(NodeId::ROOT).first_mover().index();
        let row = |ply: usize| {
            if is_main && ply > 0 && ply.is_multiple_of(2 * ROUNDS_PER_LINE) { "\n" } else { "" }
        };
        for (i, &id) in way.iter().enumerate() {
            let position = tree.position(id);
            let mut write = |text: &str, ply: usize, is_numbered: bool, lines: &[NodeId], is_early: bool| {
                words.push(format!("{}{}{text}", row(ply), format_move_number(ply + offset, is_numbered)));
                if !is_early {
                    words.extend(self.format_annotations(id));
                }
                for &line in lines.iter().filter(|&&line| line != id && has_brackets) {
                    self.push_variation(line, depth + 1, &mut words);
                }
            };
            if let (Some(parent), Some(text)) = (tree.parent(id), position.last_move()) {
                let ply = tree.ply(parent);
                let lines = if i > 0 { tree.written_children(parent) } else { Vec::new() };
                let is_numbered = i == 0 || ply == 0 || (ply + offset).is_multiple_of(2);
                write(&text, ply, is_numbered, &lines, false);
            }
            if let Some(early) = position.early_end().filter(|_| i + 1 == way.len()) {
                let ply = position.plies();
                // Moves played after undoing the early end are variations in its place.
                let word = format_early_end(&**position, early);
                let is_numbered = is_main && (ply + offset).is_multiple_of(2);
                write(&word, ply, is_numbered, &tree.written_children(id), true);
            }
        }
        words
    }

    /// Appends a variation in brackets, from the move to `first` on, with the variations that branch off.
    fn push_variation(&self, first: NodeId, depth: usize, words: &mut Vec<String>) {
        let tree = self.tree;
        let mut bracketed =
            |way: &[NodeId]| words.push(format!("({})", self.format_line(way, depth).join(" ")));
        if depth < MAX_VARIATION_DEPTH {
            return bracketed(&tree.written_line_from(first).collect::<Vec<_>>());
        }
        // Variations cannot be nested deeper: each leaf gets a variation of its own.
        let mut waiting = vec![first];
        while let Some(id) = waiting.pop() {
            let children = tree.written_children(id);
            waiting.extend(children.iter().rev());
            if children.is_empty() || tree.position(id).early_end().is_some() {
                bracketed(&tree.line_to(id)[tree.ply(first)..]);
            }
        }
    }
}
