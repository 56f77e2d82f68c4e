//! The text record: header, remarks, numbered moves with their side lines in brackets.

use crate::record::load::MAX_DEPTH;
use crate::record::{FIRST_WORDS, GameTree, NodeId};
use crate::session::Position;

/// Rounds on a line of the file.
const ROUNDS: usize = 8;

/// The text record of a game up to the position `end`, with all side lines that leave it before. What was taken back
/// behind `end` belongs to no line of the record.
#[must_use]
pub fn write(tree: &GameTree, end: NodeId, remarks: &[(String, String)]) -> String {
    let mut rows = head(&**tree.position(end), remarks);
    let mut way: Vec<NodeId> = tree.way_back(end).collect();
    way.reverse();
    let mut row = Vec::new();
    for pair in way.windows(2) {
        break_row(&mut rows, &mut row, tree.ply(pair[0]));
        row.push(numbered(tree, pair[1], tree.ply(pair[0]).is_multiple_of(2)));
        add_side_lines(tree, pair[0], pair[1], 1, &mut row);
    }
    let last = tree.position(end);
    if let Some(early) = last.early() {
        let ply = last.plies();
        break_row(&mut rows, &mut row, ply);
        let number = if ply.is_multiple_of(2) { format!("{}. ", ply / 2 + 1) } else { String::new() };
        row.push(format!("{number}{}", early.word()));
        for &child in tree.children(end) {
            side_line(tree, child, 1, &mut row);
        }
    }
    if !row.is_empty() {
        rows.push(row.join(" "));
    }
    rows.push(String::new());
    rows.join("\n")
}

/// Ends a row of the file where its rounds are complete.
fn break_row(rows: &mut Vec<String>, row: &mut Vec<String>, ply: usize) {
    if ply > 0 && ply.is_multiple_of(2 * ROUNDS) {
        rows.push(std::mem::take(row).join(" "));
    }
}

fn head(position: &dyn Position, remarks: &[(String, String)]) -> Vec<String> {
    let mut first = vec![FIRST_WORDS.to_owned(), position.name().to_owned()];
    first.extend(position.settings().iter().map(|(key, value)| format!("{key}={value}")));
    let mut rows = vec![first.join(" ")];
    rows.extend(remarks.iter().map(|(key, value)| format!("# {key}: {value}")));
    rows
}

/// A move, with its number where it is First's, or Second's at the front of a line.
fn numbered(tree: &GameTree, id: NodeId, has_number: bool) -> String {
    let text = tree.position(id).last().unwrap_or_default();
    let ply = tree.ply(id) - 1;
    match (has_number, ply.is_multiple_of(2)) {
        (false, _) => text,
        (true, true) => format!("{}. {text}", ply / 2 + 1),
        (true, false) => format!("{}... {text}", ply / 2 + 1),
    }
}

/// All lines that leave `at` by another move than that to `main`.
fn add_side_lines(tree: &GameTree, at: NodeId, main: NodeId, depth: usize, words: &mut Vec<String>) {
    for &child in tree.children(at).iter().filter(|&&child| child != main) {
        side_line(tree, child, depth, words);
    }
}

/// A line in brackets from the move to `first` on, with the lines that leave it.
fn side_line(tree: &GameTree, first: NodeId, depth: usize, words: &mut Vec<String>) {
    if depth == MAX_DEPTH {
        // No bracket may stand in this one: every end has a line of its own.
        let mut waiting = vec![first];
        while let Some(id) = waiting.pop() {
            waiting.extend(tree.children(id).iter().rev());
            if tree.children(id).is_empty() || tree.position(id).early().is_some() {
                let mut way: Vec<NodeId> =
                    tree.way_back(id).take(tree.ply(id) - tree.ply(first) + 1).collect();
                way.reverse();
                words.push(bracketed(&line_words(tree, &way, None)));
            }
        }
        return;
    }
    let way: Vec<NodeId> = tree.way_on(first).collect();
    words.push(bracketed(&line_words(tree, &way, Some(depth + 1))));
}

/// The moves of a way, from the front of a bracket on; with the lines that leave it where they may have brackets.
fn line_words(tree: &GameTree, way: &[NodeId], depth: Option<usize>) -> Vec<String> {
    let mut words = Vec::new();
    for (i, &id) in way.iter().enumerate() {
        words.push(numbered(tree, id, i == 0 || (tree.ply(id) - 1).is_multiple_of(2)));
        if let (Some(depth), true, Some(parent)) = (depth, i > 0, tree.parent(id)) {
            add_side_lines(tree, parent, id, depth, &mut words);
        }
        let early = tree.position(id).early().filter(|_| depth.is_some() || i + 1 == way.len());
        if let Some(early) = early {
            words.push(early.word().to_owned());
            // What was played after that was taken back stands in its place.
            for &child in tree.children(id).iter().filter(|_| depth.is_some()) {
                side_line(tree, child, depth.unwrap_or(MAX_DEPTH), &mut words);
            }
            break;
        }
    }
    words
}

fn bracketed(words: &[String]) -> String {
    format!("({})", words.join(" "))
}
