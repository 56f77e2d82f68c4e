//! Writing of a Hex game as an SGF file: the whole tree with comments and marks. This module does not depend
//! on rules.

use std::fmt::Write as _;

use super::parse::escape_value;
use super::read::{REMARK_PROPERTIES, SGF_PROGRAM_NAME};
use crate::board::hexgrid::SwapFrame;
use crate::board::names::{cell_name, parse_cell_name};
use crate::game::{Outcome, SIZE_KEY, Side};
use crate::record::convert::describe_lost_remark;
use crate::record::game_record::SGF_MARK_PROPERTIES;
use crate::record::{GameTree, NodeId, NodeProperty, PRESENT_PROPERTY, PRESENT_REMARK, RESULT_REMARK};
use crate::session::{EarlyEnd, LossReason, PASS_WORD, RESIGN_WORD};

/// Column after which a new line is started.
const MAX_NODE_COLUMN: usize = 72;
/// Name of the game Hex in SGF files.
const SGF_GAME_NAME: &str = "hex";
/// Text of a swap in crosspath's notation.
const SWAP_MOVE_TEXT: &str = "swap";

/// Options for SGF files that another program reads.
///
/// ```
/// use crosspath::record::sgf::{SgfStyle, write_sgf};
/// use crosspath::record::{RecordReadOptions, load_game};
/// let game = load_game(b"# crosspath hex size=5\n1. b2 swap\n", &RecordReadOptions::default())?;
/// let style = SgfStyle { exchanges_players: true, ..SgfStyle::default() };
/// assert!(write_sgf(&game.tree, game.end, &[], style)?.0.contains("W[swap-sides]"));
/// assert!(write_sgf(&game.tree, game.end, &[], SgfStyle::default())?.0.contains("W[swap-pieces]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SgfStyle {
    /// `true` if a swap is written as `swap-sides`: the players exchange colours and the stone stays.
    pub exchanges_players: bool,
    /// `true` if a pass is omitted where the colour of the next move implies it.
    pub omits_passes: bool,
}

/// Writes a game of Hex with all its variations. Returns the text and a list of the features that it cannot
/// represent.
///
/// ```
/// use crosspath::record::sgf::{SgfStyle, write_sgf};
/// use crosspath::record::{GameTree, MoveSource, NodeId};
/// use crosspath::registry::{Variant, find_game};
/// let mut tree = GameTree::new(find_game("hex")?.start_position(&Variant::of_size(5))?);
/// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
/// let (text, lost) = write_sgf(&tree, first, &[], SgfStyle::default())?;
/// assert!(text.contains(";B[b2]") && lost.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error for a game other than Hex.
pub fn write_sgf(
    tree: &GameTree,
    present: NodeId,
    remarks: &[(String, String)],
    style: SgfStyle,
) -> Result<(String, Vec<String>), String> {
    let start = tree.position(NodeId::ROOT);
    if start.game_name() != SGF_GAME_NAME {
        return Err(format!("SGF files hold games of Hex only, not of {}", start.view().title()));
    }
    let main = tree.written_line(present);
    let end = main.last().copied().unwrap_or(present);
    let mut writer =
        SgfWriter { tree, present, end, main, style, text: String::new(), column: 0, lost: Vec::new() };
    writer.write_header(remarks);
    writer.write_moves();
    writer.text.push_str(")\n");
    writer.lost.sort();
    writer.lost.dedup();
    Ok((writer.text, writer.lost))
}

/// Part of the file that is still to be written.
enum WriteTask {
    /// Move that leads to a position, and the rest of its line. The frame is that of the position before.
    Move(NodeId, SwapFrame),
    /// Move and rest of its line as a variation, in brackets.
    Variation(NodeId, SwapFrame),
    /// Resignation or forfeit as a move, in brackets if other moves follow as well.
    GiveUp { letter: char, word: &'static str, is_variation: bool },
    /// End of a variation.
    Close,
}

struct SgfWriter<'a> {
    tree: &'a GameTree,
    present: NodeId,
    end: NodeId,
    /// Positions of the main line.
    main: Vec<NodeId>,
    style: SgfStyle,
    text: String,
    column: usize,
    lost: Vec<String>,
}

impl SgfWriter<'_> {
    fn write_header(&mut self, remarks: &[(String, String)]) {
        let start = self.tree.position(NodeId::ROOT).clone();
        let setting =
            |key: &str| start.settings().iter().find(|(known, _)| *known == key).map(|(_, text)| &**text);
        let size = setting(SIZE_KEY).unwrap_or("11");
        let mut text =
            format!("(;FF[4]CA[UTF-8]AP[{SGF_PROGRAM_NAME}:{}]GM[11]SZ[{size}]", env!("CARGO_PKG_VERSION"));
        for (name, key) in REMARK_PROPERTIES {
            if let Some((_, value)) = remarks.iter().find(|(known, _)| known == key) {
                let _ = write!(text, "{name}[{}]", escape_value(value));
            }
        }
        let is_known = |key: &str| {
            key == RESULT_REMARK
                || key == PRESENT_REMARK
                || REMARK_PROPERTIES.iter().any(|(_, known)| *known == key)
        };
        let others = remarks.iter().filter(|(key, _)| !is_known(key));
        self.lost.extend(others.map(|(key, _)| describe_lost_remark(key)));
        let kept = remarks.iter().find(|(key, value)| key == RESULT_REMARK && !names_winner(value));
        if let Some(result) = self.format_result().or(kept.map(|(_, value)| escape_value(value))) {
            let _ = write!(text, "RE[{result}]");
        }
        if setting("swap") == Some("off") {
            text += "RU[no-swap]";
        }
        if start.initial_setup().is_some() {
            for (name, side) in [("AB", Side::First), ("AW", Side::Second)] {
                let cells = start.view().list_pieces(side);
                text += if cells.is_empty() { "" } else { name };
                for cell in cells {
                    let _ = write!(text, "[{}]", escape_value(&cell));
                }
            }
            let _ = write!(text, "PL[{}]", color_letter(start.to_move()));
        }
        self.text = text;
        self.column = self.text.chars().count();
        let about = self.format_annotations(NodeId::ROOT, SwapFrame::default());
        self.push_text(&about);
    }

    /// Returns the value of the `RE` property, or `None` if there is no winner.
    fn format_result(&self) -> Option<String> {
        let position = self.tree.position(self.end);
        let winner = position.outcome()?.winner()?;
        let frame = self.main.iter().fold(SwapFrame::default(), |frame, &id| self.frame_after(id, frame));
        let how = match position.early_end() {
            Some(EarlyEnd::Lost(_, LossReason::Resigned)) => "R",
            Some(EarlyEnd::Lost(_, LossReason::TimedOut)) => "T",
            Some(EarlyEnd::Lost(_, LossReason::Forfeited)) => "F",
            _ => "",
        };
        Some(format!("{}+{how}", color_letter(frame.map_side(winner))))
    }

    fn frame_after(&self, id: NodeId, frame: SwapFrame) -> SwapFrame {
        let is_swap = self.tree.position(id).last_move().as_deref() == Some(SWAP_MOVE_TEXT);
        SwapFrame { transposed: frame.transposed ^ (is_swap && self.style.exchanges_players) }
    }

    fn write_moves(&mut self) {
        let mut tasks = Vec::new();
        self.push_child_tasks(NodeId::ROOT, SwapFrame::default(), &mut tasks);
        while let Some(task) = tasks.pop() {
            match task {
                WriteTask::Close => self.push_text(")"),
                WriteTask::GiveUp { letter, word, is_variation } => {
                    let node = format!(";{letter}[{word}]");
                    let (open, close) = if is_variation { ("(", ")") } else { ("", "") };
                    self.begin_node(&format!("{open}{node}"));
                    self.push_text(close);
                }
                WriteTask::Move(id, frame) => self.write_node("", id, frame, &mut tasks),
                WriteTask::Variation(id, frame) => {
                    tasks.push(WriteTask::Close);
                    self.write_node("(", id, frame, &mut tasks);
                }
            }
        }
    }

    /// Pushes the tasks for the children of a position, the main move first.
    fn push_child_tasks(&mut self, id: NodeId, frame: SwapFrame, tasks: &mut Vec<WriteTask>) {
        let mut children = self.tree.written_children(id);
        if let Some(place) = children.iter().position(|child| self.main.contains(child)) {
            children[..=place].rotate_right(1);
        }
        let given_up = self.early_end_to_write(id, !children.is_empty());
        let forks = children.len() + usize::from(given_up.is_some()) > 1;
        let own = children.into_iter().rev();
        tasks.extend(own.map(|child| {
            if forks { WriteTask::Variation(child, frame) } else { WriteTask::Move(child, frame) }
        }));
        tasks.extend(given_up.map(|(side, word)| WriteTask::GiveUp {
            letter: color_letter(frame.map_side(side)),
            word,
            is_variation: forks,
        }));
    }

    /// Returns the loser and the word of an early end that must be written as a move.
    fn early_end_to_write(&mut self, id: NodeId, is_followed: bool) -> Option<(Side, &'static str)> {
        let Some(EarlyEnd::Lost(side, reason)) = self.tree.position(id).early_end() else { return None };
        let is_a_word = matches!(reason, LossReason::Resigned | LossReason::Forfeited);
        let is_told = id == self.end && !is_followed;
        // The header states the end of the main line. A resignation of the side that is not to move would
        // look like a move.
        if is_told && !(is_a_word && side == self.tree.position(id).to_move()) {
            return None;
        }
        if !is_a_word && id != self.end {
            self.lost.push("why a variation ended early: it is written as resign".to_owned());
        }
        Some((side, if is_a_word { reason.record_word() } else { RESIGN_WORD }))
    }

    fn write_node(&mut self, open: &str, id: NodeId, frame: SwapFrame, tasks: &mut Vec<WriteTask>) {
        let position = self.tree.position(id);
        let parent = self.tree.parent(id).expect("it follows a position");
        let before = self.tree.position(parent);
        let written = position.last_move().unwrap_or_default();
        let frame_now = self.frame_after(id, frame);
        let about = self.format_annotations(id, frame_now);
        let is_left_out =
            written == PASS_WORD && self.style.omits_passes && about.is_empty() && open.is_empty() && {
                let after_swap = before.last_move().as_deref() == Some(SWAP_MOVE_TEXT);
                let followers = self.tree.children(id);
                !after_swap
                    && followers.len() == 1
                    && position.early_end().is_none()
                    && self.is_stone_move(followers[0])
            };
        if !is_left_out {
            let text = match written.as_str() {
                SWAP_MOVE_TEXT if self.style.exchanges_players => "swap-sides".to_owned(),
                SWAP_MOVE_TEXT => "swap-pieces".to_owned(),
                text => map_cell_text(text, frame),
            };
            self.begin_node(&format!(
                "{open};{}[{}]",
                color_letter(frame.map_side(before.to_move())),
                escape_value(&text)
            ));
            self.push_text(&about);
        }
        self.push_child_tasks(id, frame_now, tasks);
    }

    fn is_stone_move(&self, id: NodeId) -> bool {
        self.tree
            .position(id)
            .last_move()
            .is_some_and(|deserialize_text| parse_cell_name(&deserialize_text).is_some())
    }

    /// Returns the properties and comments of a node, without its move.
    fn format_annotations(&self, id: NodeId, frame: SwapFrame) -> String {
        let node = self.tree.node(id);
        let mut text = String::new();
        for NodeProperty { name, values } in &node.properties {
            text += name;
            for value in values {
                let is_mark = SGF_MARK_PROPERTIES.contains(&&**name);
                let value = if is_mark { map_marked_cell(value, frame) } else { value.clone() };
                let _ = write!(text, "[{value}]");
            }
        }
        if id == self.present && id != self.end {
            let _ = write!(text, "{PRESENT_PROPERTY}[]");
        }
        if !node.comments.is_empty() {
            let _ = write!(text, "C[{}]", escape_value(&node.comments.join("\n")));
        }
        text
    }

    /// Writes the beginning of a node, on a new line if the current one is full.
    fn begin_node(&mut self, node: &str) {
        if self.column + node.len() > MAX_NODE_COLUMN {
            self.text.push('\n');
            self.column = 0;
        }
        self.push_text(node);
    }

    fn push_text(&mut self, text: &str) {
        self.text += text;
        match text.rsplit_once('\n') {
            Some((_, last)) => self.column = last.chars().count(),
            None => self.column += text.chars().count(),
        }
    }
}

/// Returns a cell in the file's orientation of the board. Other text is returned unchanged.
fn map_cell_text(text: &str, frame: SwapFrame) -> String {
    let Some((col, row)) = parse_cell_name(text) else { return text.to_owned() };
    let (row, col) = frame.map_coordinates((row, col));
    cell_name(col, row)
}

/// Reports whether a remark about the result names a winner, as records of crosspath do. In an unfinished
/// game such a remark is out of date.
fn names_winner(text: &str) -> bool {
    Side::BOTH.iter().any(|side| text == Outcome::Win(*side).to_string())
}

fn map_marked_cell(value: &str, frame: SwapFrame) -> String {
    let (cell, label) = value.split_once(':').map_or((value, None), |(cell, label)| (cell, Some(label)));
    let cell = map_cell_text(cell, frame);
    label.map_or_else(|| cell.clone(), |label| format!("{cell}:{label}"))
}

fn color_letter(side: Side) -> char {
    if side == Side::First { 'B' } else { 'W' }
}
