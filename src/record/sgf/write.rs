//! From a game of Hex to the text of an SGF file: the whole tree, its comments and marks. Knows text, no rules.

use std::fmt::Write as _;

use super::parse::escaped;
use super::read::{OWN, REMARKS};
use crate::board::hexgrid::Frame;
use crate::board::names::{cell_name, read_cell};
use crate::game::{Outcome, SIZE, Side};
use crate::record::convert::lost_remark;
use crate::record::game_record::MARKS;
use crate::record::{GameTree, NodeId, PRESENT, PRESENT_PROPERTY, Property, RESULT};
use crate::session::{EarlyEnd, LossReason, PASS, RESIGN};

/// The column after which no node begins.
const LAST_COLUMN: usize = 72;
/// The game of these files.
const GAME: &str = "hex";
/// Name of a swap in crosspath's own moves.
const SWAP: &str = "swap";

/// Style in which another program wants its files.
#[derive(Clone, Copy, Debug, Default)]
pub struct SgfStyle {
    /// A swap is written as `swap-sides`: the players exchange colours and the stone stays.
    pub exchanges_players: bool,
    /// A passed turn is not written where the colour of the next move shows it.
    pub omits_passes: bool,
}

/// Writes a game of Hex with all its variations, and returns what the text cannot hold.
///
/// ```
/// use crosspath::record::sgf::{SgfStyle, write};
/// use crosspath::record::{GameTree, MoveSource, NodeId};
/// use crosspath::registry::{Variant, find};
/// let mut tree = GameTree::new(find("hex")?.start(&Variant::of_size(5))?);
/// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
/// let (text, lost) = write(&tree, first, &[], SgfStyle::default())?;
/// assert!(text.contains(";B[b2]") && lost.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it is another game.
pub fn write(
    tree: &GameTree,
    present: NodeId,
    remarks: &[(String, String)],
    style: SgfStyle,
) -> Result<(String, Vec<String>), String> {
    let start = tree.position(NodeId::ROOT);
    if start.name() != GAME {
        return Err(format!("SGF files hold games of Hex only, not of {}", start.view().title()));
    }
    let main = tree.written_line(present);
    let end = main.last().copied().unwrap_or(present);
    let mut writer =
        SgfWriter { tree, present, end, main, style, text: String::new(), column: 0, lost: Vec::new() };
    writer.head(remarks);
    writer.moves();
    writer.text.push_str(")\n");
    writer.lost.sort();
    writer.lost.dedup();
    Ok((writer.text, writer.lost))
}

/// Part of the file that is still to be written.
enum WriteTask {
    /// The move that leads to a position, and all that follows. The frame is that of the position before.
    Move(NodeId, Frame),
    /// The move and all that follows as a variation, in brackets.
    Variation(NodeId, Frame),
    /// A player gives up, in brackets where other moves follow as well.
    GiveUp { letter: char, word: &'static str, is_variation: bool },
    /// The end of a variation.
    Close,
}

struct SgfWriter<'a> {
    tree: &'a GameTree,
    present: NodeId,
    end: NodeId,
    /// The main line.
    main: Vec<NodeId>,
    style: SgfStyle,
    text: String,
    column: usize,
    lost: Vec<String>,
}

impl SgfWriter<'_> {
    fn head(&mut self, remarks: &[(String, String)]) {
        let start = self.tree.position(NodeId::ROOT).clone();
        let setting =
            |key: &str| start.settings().iter().find(|(known, _)| *known == key).map(|(_, text)| &**text);
        let size = setting(SIZE).unwrap_or("11");
        let mut text = format!("(;FF[4]CA[UTF-8]AP[{OWN}:{}]GM[11]SZ[{size}]", env!("CARGO_PKG_VERSION"));
        for (name, key) in REMARKS {
            if let Some((_, value)) = remarks.iter().find(|(known, _)| known == key) {
                let _ = write!(text, "{name}[{}]", escaped(value));
            }
        }
        let is_known =
            |key: &str| key == RESULT || key == PRESENT || REMARKS.iter().any(|(_, known)| *known == key);
        let others = remarks.iter().filter(|(key, _)| !is_known(key));
        self.lost.extend(others.map(|(key, _)| lost_remark(key)));
        let kept = remarks.iter().find(|(key, value)| key == RESULT && !is_of_winner(value));
        if let Some(result) = self.result().or(kept.map(|(_, value)| escaped(value))) {
            let _ = write!(text, "RE[{result}]");
        }
        if setting("swap") == Some("off") {
            text += "RU[no-swap]";
        }
        if start.setup().is_some() {
            for (name, side) in [("AB", Side::First), ("AW", Side::Second)] {
                let cells = start.view().pieces(side);
                text += if cells.is_empty() { "" } else { name };
                for cell in cells {
                    let _ = write!(text, "[{}]", escaped(&cell));
                }
            }
            let _ = write!(text, "PL[{}]", letter(start.to_move()));
        }
        self.text = text;
        self.column = self.text.chars().count();
        let about = self.about(NodeId::ROOT, Frame::default());
        self.put(&about);
    }

    /// The winner as the file shows it, and how it won; `None` while the game goes on.
    fn result(&self) -> Option<String> {
        let position = self.tree.position(self.end);
        let winner = position.outcome()?.winner()?;
        let frame = self.main.iter().fold(Frame::default(), |frame, &id| self.frame_after(id, frame));
        let how = match position.early() {
            Some(EarlyEnd::Lost(_, LossReason::Resigned)) => "R",
            Some(EarlyEnd::Lost(_, LossReason::TimedOut)) => "T",
            Some(EarlyEnd::Lost(_, LossReason::Forfeited)) => "F",
            _ => "",
        };
        Some(format!("{}+{how}", letter(frame.side(winner))))
    }

    fn frame_after(&self, id: NodeId, frame: Frame) -> Frame {
        let is_swap = self.tree.position(id).last().as_deref() == Some(SWAP);
        Frame { transposed: frame.transposed ^ (is_swap && self.style.exchanges_players) }
    }

    fn moves(&mut self) {
        let mut tasks = Vec::new();
        self.follow(NodeId::ROOT, Frame::default(), &mut tasks);
        while let Some(task) = tasks.pop() {
            match task {
                WriteTask::Close => self.put(")"),
                WriteTask::GiveUp { letter, word, is_variation } => {
                    let node = format!(";{letter}[{word}]");
                    let (open, close) = if is_variation { ("(", ")") } else { ("", "") };
                    self.begin(&format!("{open}{node}"));
                    self.put(close);
                }
                WriteTask::Move(id, frame) => self.node("", id, frame, &mut tasks),
                WriteTask::Variation(id, frame) => {
                    tasks.push(WriteTask::Close);
                    self.node("(", id, frame, &mut tasks);
                }
            }
        }
    }

    /// Notes what follows a position, the main move in front.
    fn follow(&mut self, id: NodeId, frame: Frame, tasks: &mut Vec<WriteTask>) {
        let mut children = self.tree.written_children(id);
        if let Some(place) = children.iter().position(|child| self.main.contains(child)) {
            children[..=place].rotate_right(1);
        }
        let given_up = self.given_up(id, !children.is_empty());
        let forks = children.len() + usize::from(given_up.is_some()) > 1;
        let own = children.into_iter().rev();
        tasks.extend(own.map(|child| {
            if forks { WriteTask::Variation(child, frame) } else { WriteTask::Move(child, frame) }
        }));
        tasks.extend(given_up.map(|(side, word)| WriteTask::GiveUp {
            letter: letter(frame.side(side)),
            word,
            is_variation: forks,
        }));
    }

    /// The side that gives up in a position where that has to be written as a move, and its word for that.
    fn given_up(&mut self, id: NodeId, is_followed: bool) -> Option<(Side, &'static str)> {
        let Some(EarlyEnd::Lost(side, reason)) = self.tree.position(id).early() else { return None };
        let is_a_word = matches!(reason, LossReason::Resigned | LossReason::Forfeited);
        let is_told = id == self.end && !is_followed;
        // The head of the file tells how the main line ended. A player who resigns while the other one is to move would
        // look like one who moves.
        if is_told && !(is_a_word && side == self.tree.position(id).to_move()) {
            return None;
        }
        if !is_a_word && id != self.end {
            self.lost.push("why a variation ended early: it is written as resign".to_owned());
        }
        Some((side, if is_a_word { reason.word() } else { RESIGN }))
    }

    fn node(&mut self, open: &str, id: NodeId, frame: Frame, tasks: &mut Vec<WriteTask>) {
        let position = self.tree.position(id);
        let parent = self.tree.parent(id).expect("it follows a position");
        let before = self.tree.position(parent);
        let written = position.last().unwrap_or_default();
        let frame_now = self.frame_after(id, frame);
        let about = self.about(id, frame_now);
        let is_left_out =
            written == PASS && self.style.omits_passes && about.is_empty() && open.is_empty() && {
                let after_swap = before.last().as_deref() == Some(SWAP);
                let followers = self.tree.children(id);
                !after_swap
                    && followers.len() == 1
                    && position.early().is_none()
                    && self.is_stone(followers[0])
            };
        if !is_left_out {
            let text = match written.as_str() {
                SWAP if self.style.exchanges_players => "swap-sides".to_owned(),
                SWAP => "swap-pieces".to_owned(),
                text => turned(text, frame),
            };
            self.begin(&format!("{open};{}[{}]", letter(frame.side(before.to_move())), escaped(&text)));
            self.put(&about);
        }
        self.follow(id, frame_now, tasks);
    }

    fn is_stone(&self, id: NodeId) -> bool {
        self.tree.position(id).last().is_some_and(|text| read_cell(&text).is_some())
    }

    /// Returns the properties and comments of a node, without its move.
    fn about(&self, id: NodeId, frame: Frame) -> String {
        let node = self.tree.node(id);
        let mut text = String::new();
        for Property { name, values } in &node.properties {
            text += name;
            for value in values {
                let is_mark = MARKS.contains(&&**name);
                let value = if is_mark { mark(value, frame) } else { value.clone() };
                let _ = write!(text, "[{value}]");
            }
        }
        if id == self.present && id != self.end {
            let _ = write!(text, "{PRESENT_PROPERTY}[]");
        }
        if !node.comments.is_empty() {
            let _ = write!(text, "C[{}]", escaped(&node.comments.join("\n")));
        }
        text
    }

    /// Writes the begin of a node, on a line of its own where the line is full.
    fn begin(&mut self, node: &str) {
        if self.column + node.len() > LAST_COLUMN {
            self.text.push('\n');
            self.column = 0;
        }
        self.put(node);
    }

    fn put(&mut self, text: &str) {
        self.text += text;
        match text.rsplit_once('\n') {
            Some((_, last)) => self.column = last.chars().count(),
            None => self.column += text.chars().count(),
        }
    }
}

/// A cell as the board of the file shows it; another word as it is.
fn turned(text: &str, frame: Frame) -> String {
    let Some((col, row)) = read_cell(text) else { return text.to_owned() };
    let (row, col) = frame.place((row, col));
    cell_name(col, row)
}

/// Reports whether a remark about the result names a winner, as our records do: in an open game that is out of date.
fn is_of_winner(text: &str) -> bool {
    Side::BOTH.iter().any(|side| text == Outcome::Win(*side).to_string())
}

fn mark(value: &str, frame: Frame) -> String {
    let (cell, label) = value.split_once(':').map_or((value, None), |(cell, label)| (cell, Some(label)));
    let cell = turned(cell, frame);
    label.map_or_else(|| cell.clone(), |label| format!("{cell}:{label}"))
}

fn letter(side: Side) -> char {
    if side == Side::First { 'B' } else { 'W' }
}
