//! Conversion of an SGF file to a game of Hex with all its variations. This module handles the conventions of
//! the programs that write such files. Positions check the legality of moves.

use super::parse::{BadSgf, SgfCollection, SgfProperty as Written, unescape_value};
use crate::board::hexgrid::SwapFrame;
use crate::board::names::{cell_name, parse_cell_name};
use crate::game::{BySide, Outcome, PositionSetup, Refusal, Side, sanitize_text};
use crate::record::edits::EditHistory;
use crate::record::game_record::{
    MAX_POSITIONS_PER_FILE, NoteCollector, RESULT_REMARK, SGF_MARK_PROPERTIES, TOO_MANY_POSITIONS_TEXT,
    select_game,
};
use crate::record::load::split_long_comment;
use crate::record::{
    GameRecord, GameTree, MoveSource, NodeId, NodeProperty, PRESENT_PROPERTY, RecordFault, RecordFormat,
    RecordedMove, StatedResult,
};
use crate::registry::{GameStart, RegisteredGame, Variant, find_game_in};
use crate::session::{EarlyEnd, LossReason, PASS_WORD, Position, RESIGN_WORD};
use crate::text;
use crate::text::Text;

/// Board size if the file does not state it.
const DEFAULT_SGF_BOARD_SIZE: usize = 11;
/// Name of the game Hex in SGF files.
const SGF_GAME_NAME: &str = "hex";
/// Name of crosspath in the `AP` property.
pub(super) const SGF_PROGRAM_NAME: &str = "crosspath";
/// Text of a swap in crosspath's notation.
const SWAP_MOVE_TEXT: &str = "swap";
/// Text of a forfeit that an SGF file contains as a move.
const FORFEIT_MOVE_TEXT: &str = LossReason::Forfeited.record_word();
/// Properties that are interpreted or written anew, so that they are not copied.
const INTERPRETED_PROPERTIES: [&str; 22] = [
    "FF",
    "CA",
    "AP",
    "GM",
    "SZ",
    "AB",
    "AW",
    "AE",
    "PL",
    "PB",
    "PW",
    "EV",
    "DT",
    "RE",
    "RU",
    "B",
    "W",
    "C",
    "N",
    "GN",
    "GC",
    PRESENT_PROPERTY,
];
/// Pairs of properties for black and white: rank, team, time left and moves left.
const PLAYER_PROPERTIES: [[&str; 2]; 4] = [["BR", "WR"], ["BT", "WT"], ["BL", "WL"], ["OB", "OW"]];
/// Properties and the keys of the remarks that hold them. The players' names are exchanged if White moves
/// first.
pub(super) const REMARK_PROPERTIES: [(&str, &str); 5] =
    [("PB", "first"), ("PW", "second"), ("EV", "event"), ("GN", "title"), ("DT", "date")];

/// Turn order of the moves in a file.
///
/// ```
/// use crosspath::record::{RecordReadOptions, load_game, sgf::SgfTurnOrder};
/// let black_twice = b"(;GM[11]SZ[5];B[c3];B[b2])";
/// let freedom = SgfTurnOrder { any_turn: true };
/// let any_turn = RecordReadOptions { freedom, ..RecordReadOptions::default() };
/// assert!(load_game(black_twice, &RecordReadOptions::default())?.fault.is_some());
/// assert!(load_game(black_twice, &any_turn)?.fault.is_none(), "White is assumed to have passed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SgfTurnOrder {
    /// `true` if one side may move twice in a row, so that the other one is assumed to have passed.
    pub any_turn: bool,
}

/// Reads the game with this number, from 1. Also returns the number of bytes read.
///
/// # Errors
/// The error names the line and the problem. Illegal moves are not an error: see [`GameRecord::fault`].
pub(in crate::record) fn read_sgf(
    text: &str,
    games: &'static [RegisteredGame],
    number: Option<usize>,
    freedom: SgfTurnOrder,
) -> Result<(GameRecord, usize), BadSgf> {
    let file = SgfCollection::parse(text)?;
    let (index, mut notes) = select_game(file.games.len(), number).map_err(|why| BadSgf { line: 1, why })?;
    let root = file.games[index];
    let begin = SgfGameHead::from_root(&file, root, games, freedom, &mut notes)?;
    let end = file.games.get(index + 1).map_or(file.nodes.len(), |&next| next as usize);
    let mut record = SgfReader::new(&file, begin, freedom, notes)?.read_nodes(root, end);
    if let Some(cut) = file.cut.as_ref().filter(|_| end == file.nodes.len()) {
        if record.tree.len() == 1 {
            return Err(cut.clone());
        }
        record.fault.get_or_insert_with(|| RecordFault::without_move(cut.line, cut.why.clone()));
    }
    Ok((record, file.end))
}

/// Properties of a game before its first move.
struct SgfGameHead {
    start: GameStart,
    /// `true` if cells are written as two letters, as Little Golem does.
    has_letter_pairs: bool,
    /// `true` if White is the first player.
    is_exchanged: bool,
    /// `true` if crosspath wrote the file. It omits passes for programs that do not support them.
    is_own: bool,
    /// Last node whose stones are part of the set-up.
    set_up_until: u32,
    line: usize,
}

impl SgfGameHead {
    fn from_root(
        file: &SgfCollection<'_>,
        root: u32,
        games: &'static [RegisteredGame],
        freedom: SgfTurnOrder,
        notes: &mut NoteCollector,
    ) -> Result<Self, BadSgf> {
        let line = file.nodes[root as usize].line as usize;
        let bad = |why: String| BadSgf { line, why };
        let first = |name: &str| file.first_value(root, name);
        if let Some(game) = first("GM").filter(|game| game != "11") {
            return Err(bad(format!(
                "GM[{}] is another game; Hex is GM[11]",
                Refusal::sanitize_excerpt(&game)
            )));
        }
        let says_go = |rules: String| ["japanese", "chinese", "aga"].contains(&rules.to_lowercase().as_str());
        let is_of_go = first("KM").is_some() || first("HA").is_some() || first("RU").is_some_and(says_go);
        if first("GM").is_none() && is_of_go {
            return Err(bad("the file looks like a game of Go; Hex is GM[11]".to_owned()));
        }
        let size = match first("SZ") {
            None => DEFAULT_SGF_BOARD_SIZE,
            Some(text) => parse_sgf_size(&text).ok_or_else(|| {
                bad(format!("SZ[{}] is not a board size from 1 to 26", Refusal::sanitize_excerpt(&text)))
            })?,
        };
        let entry = find_game_in(games, SGF_GAME_NAME).map_err(|error| bad(error.to_string()))?;
        let swap = if first("RU").is_some_and(|rules| rules.contains("no-swap")) { "off" } else { "on" };
        let variant = Variant::of_size(size).with_setting(SWAP_MOVE_TEXT, swap);
        let mut begin = SgfGameHead {
            start: GameStart::new(entry, variant),
            has_letter_pairs: has_letter_pairs(file),
            is_exchanged: false,
            is_own: false,
            set_up_until: root,
            line,
        };
        begin.is_own = first("AP").is_some_and(|program| program.starts_with(SGF_PROGRAM_NAME));
        begin.read_setup(file, root).map_err(bad)?;
        // With free turn order colours are not exchanged, unless a swap shows who was second.
        let is_swapped = file.main_line(root).any(|node| is_swap_node(file, node));
        begin.is_exchanged &= !begin.is_own && (!freedom.any_turn || is_swapped);
        if begin.is_exchanged {
            let why = "White moves first in this file: White is the first player, and joins top and bottom";
            notes.add_text(NodeId::ROOT, line, why);
        }
        if begin.has_letter_pairs && first("GM").is_none() && !states_hex(file, root) {
            let why = "the file does not say which game it is (GM); it is read as Hex";
            notes.add_text(NodeId::ROOT, line, why);
        }
        Ok(begin)
    }

    /// Reads the stones that are set before the first move of the main line, and the side to move.
    fn read_setup(&mut self, file: &SgfCollection<'_>, root: u32) -> Result<(), String> {
        let mut stones: Vec<(Side, String)> = Vec::new();
        let (mut to_move, mut first_mover) = (None, None);
        for node in file.main_line(root) {
            let mover = file.properties(node).iter().find_map(|property| move_color(&property.name));
            if mover.is_some() && node != root {
                first_mover = mover;
                break;
            }
            self.set_up_until = node;
            for property in file.properties(node) {
                let cells = || file.values(property).iter().map(|value| self.normalize_cell(value));
                match &*property.name {
                    "AB" => stones.extend(cells().map(|cell| (Side::First, cell))),
                    "AW" => stones.extend(cells().map(|cell| (Side::Second, cell))),
                    "AE" => stones.retain(|(_, stone)| cells().all(|cell| cell != *stone)),
                    "PL" => {
                        let text = unescape_value(file.values(property).first().copied().unwrap_or_default());
                        to_move = Some(match text.trim().to_lowercase().as_str() {
                            "b" | "black" => Side::First,
                            "w" | "white" => Side::Second,
                            _ => {
                                return Err(format!(
                                    "PL[{}] is neither B nor W",
                                    Refusal::sanitize_excerpt(&text)
                                ));
                            }
                        });
                    }
                    _ => {}
                }
            }
            if mover.is_some() {
                first_mover = mover;
                break;
            }
        }
        // Files of crosspath begin like this if Second is to move on an empty board.
        let last = stones.last().map(|(side, _)| *side);
        if last.is_none() && !(self.is_own && to_move == Some(Side::Second)) {
            self.is_exchanged = first_mover.or(to_move) == Some(Side::Second);
            return Ok(());
        }
        let to_move = to_move.or(first_mover).unwrap_or_else(|| last.map_or(Side::First, Side::other));
        let of_side = |side: Side| -> Vec<String> {
            stones.iter().filter(|(owner, _)| *owner == side).map(|(_, cell)| cell.clone()).collect()
        };
        let pieces = BySide::new(of_side(Side::First), of_side(Side::Second));
        self.start.setup = Some(PositionSetup { pieces, to_move, left: None });
        Ok(())
    }

    /// Returns a cell in crosspath's notation. Other text is returned unchanged.
    fn normalize_cell(&self, written: &str) -> String {
        let text = unescape_value(written).trim().to_lowercase();
        self.parse_cell(&text).map_or(text, |(col, row)| cell_name(col, row))
    }

    /// Parses a cell and returns its column and row.
    fn parse_cell(&self, text: &str) -> Option<(usize, usize)> {
        if !self.has_letter_pairs {
            return parse_cell_name(text).filter(|&(col, _)| col < 26);
        }
        let &[col, row] = text.as_bytes() else { return None };
        let index = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
        index(col).zip(index(row))
    }

    /// Returns the name of a property, with black and white exchanged if White moves first.
    fn map_property_name<'n>(&self, name: &'n str) -> &'n str {
        let pair = PLAYER_PROPERTIES.iter().find(|pair| self.is_exchanged && pair.contains(&name));
        pair.map_or(name, |&[black, white]| if name == black { white } else { black })
    }

    /// Returns the side of a colour, before any swap.
    fn side_of_color(&self, color: Side) -> Side {
        if self.is_exchanged { color.other() } else { color }
    }
}

/// Reports whether a file with cells in Go notation states in another way that it is a game of Hex.
fn states_hex(file: &SgfCollection<'_>, root: u32) -> bool {
    let says_so = |name: &&str| {
        let text = file.first_value(root, name).unwrap_or_default().to_lowercase();
        ["hex", "golem"].iter().any(|word| text.contains(word))
    };
    ["AP", "SO", "EV", "GN"].iter().any(says_so) || file.main_line(root).any(|node| is_swap_node(file, node))
}

/// Reports whether the move of a node is a swap.
fn is_swap_node(file: &SgfCollection<'_>, node: u32) -> bool {
    let moves = file.properties(node).iter().filter(|property| move_color(&property.name).is_some());
    moves
        .flat_map(|property| file.values(property))
        .any(|value| value.trim().to_lowercase().starts_with(SWAP_MOVE_TEXT))
}

/// Reports whether cells are written as two letters in this file: some are, and none has a number.
fn has_letter_pairs(file: &SgfCollection<'_>) -> bool {
    let mut has_pairs = false;
    for node in 0..file.nodes.len() {
        for property in file.properties(u32::try_from(node).expect("a node has a number")) {
            if !matches!(&*property.name, "B" | "W" | "AB" | "AW" | "AE") {
                continue;
            }
            for value in file.values(property) {
                let value = value.trim();
                if value.bytes().any(|byte| byte.is_ascii_digit()) {
                    return false;
                }
                has_pairs |= value.len() == 2 && value.bytes().all(|byte| byte.is_ascii_alphabetic());
            }
        }
    }
    has_pairs
}

/// Returns the side of the colour whose moves a property holds.
fn move_color(name: &str) -> Option<Side> {
    match name {
        "B" => Some(Side::First),
        "W" => Some(Side::Second),
        _ => None,
    }
}

/// Parses a board size such as `11` or `11:11`.
fn parse_sgf_size(text: &str) -> Option<usize> {
    let (columns, rows) = text.trim().split_once(':').unwrap_or((text.trim(), text.trim()));
    let [columns, rows] = [columns, rows].map(|number| number.trim().parse::<usize>().ok());
    columns.filter(|&size| rows == Some(size) && (1..=crate::board::MAX_BOARD_SIZE).contains(&size))
}

/// Position in the game that corresponds to a node of the file.
#[derive(Clone, Copy, Debug)]
struct NodePlace {
    at: NodeId,
    frame: SwapFrame,
    /// `true` if the node is on the main line of the file.
    is_main: bool,
    /// `true` if the node cannot be replayed.
    is_dead: bool,
    /// `true` if a player resigned on the line to the node.
    is_given_up: bool,
}

/// Builder of a game from an SGF file.
struct SgfReader<'a> {
    file: &'a SgfCollection<'a>,
    begin: SgfGameHead,
    freedom: SgfTurnOrder,
    tree: GameTree,
    places: Vec<NodePlace>,
    end: NodePlace,
    present: Option<NodeId>,
    notes: NoteCollector,
    fault: Option<RecordFault>,
    last_line: usize,
}

impl<'a> SgfReader<'a> {
    fn new(
        file: &'a SgfCollection<'a>,
        begin: SgfGameHead,
        freedom: SgfTurnOrder,
        notes: NoteCollector,
    ) -> Result<Self, BadSgf> {
        let line = begin.line;
        let start = begin.start.position().map_err(|error| BadSgf { line, why: error.to_string() })?;
        let frame = SwapFrame::default();
        let place = NodePlace { at: NodeId::ROOT, frame, is_main: true, is_dead: false, is_given_up: false };
        Ok(SgfReader {
            file,
            begin,
            freedom,
            tree: GameTree::new(start),
            places: Vec::new(),
            end: place,
            present: None,
            notes,
            fault: None,
            last_line: line,
        })
    }

    fn read_nodes(mut self, root: u32, end: usize) -> GameRecord {
        for node in root..u32::try_from(end).expect("a node has a number") {
            let mut place = self.place_before_node(node, root);
            if !place.is_dead {
                let done = self.read_node(node, &mut place);
                if let Err(fault) = done {
                    place.is_dead = true;
                    self.stop_line(fault, place);
                }
            }
            if place.is_main {
                self.last_line = self.file.nodes[node as usize].line as usize;
                if !place.is_dead {
                    self.end = place;
                }
            }
            self.places.push(place);
        }
        self.into_record(root)
    }

    /// Returns the place before a node, which is the place of its parent.
    fn place_before_node(&self, node: u32, root: u32) -> NodePlace {
        let Some(parent) = self.file.nodes[node as usize].parent else { return self.end };
        let place = self.places[(parent - root) as usize];
        let is_first = self.file.nodes[parent as usize].first_child == Some(node);
        NodePlace { is_main: place.is_main && is_first, ..place }
    }

    /// Stops a line at a fault. The main line ends there; the rest of a variation is omitted with a note.
    fn stop_line(&mut self, fault: RecordFault, place: NodePlace) {
        if place.is_main {
            self.fault.get_or_insert(fault);
        } else {
            let why = text!("a variation is left out from here on: {}", fault.why.text);
            self.notes.add_text(NodeId::ROOT, fault.line, why);
        }
    }

    fn read_node(&mut self, node: u32, place: &mut NodePlace) -> Result<(), RecordFault> {
        let properties = self.file.properties(node);
        let moves = || properties.iter().filter(|property| move_color(&property.name).is_some());
        if moves().count() > 1 {
            let line = moves().next_back().map_or(1, |property| property.line);
            return Err(RecordFault::without_move(line, "a node has more than one move"));
        }
        if node > self.begin.set_up_until || !place.is_main {
            self.refuse_late_setup(node, place)?;
        }
        if let Some(property) = moves().next() {
            self.play_move_property(node, property, place)?;
        }
        for property in properties {
            self.read_property(node, property, place);
        }
        Ok(())
    }

    /// Stops a line at stones that are set by hand after the first move.
    fn refuse_late_setup(&mut self, node: u32, place: &mut NodePlace) -> Result<(), RecordFault> {
        for property in self.file.properties(node) {
            match &*property.name {
                "SZ" => {
                    return Err(RecordFault::without_move(
                        property.line,
                        "SZ is allowed only in the first node",
                    ));
                }
                "AB" | "AW" | "AE" | "PL" => {
                    if property.name == "PL" && self.agrees_with_turn(node, property, place) {
                        continue;
                    }
                    let why = "stones are set by hand in the middle of the game; this line ends before them";
                    if self.freedom.any_turn {
                        return Err(RecordFault::without_move(property.line, why));
                    }
                    self.notes.add_text(place.at, property.line, why);
                    place.is_dead = true;
                    return Ok(());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reports whether `PL` names the side whose turn it already is.
    fn agrees_with_turn(&self, node: u32, property: &Written<'_>, place: &NodePlace) -> bool {
        let color = match lowercase_first_value(property, self.file).as_str() {
            "b" | "black" => Side::First,
            "w" | "white" => Side::Second,
            _ => return false,
        };
        let moves = self.file.properties(node).iter().any(|own| move_color(&own.name).is_some());
        let to_move = self.tree.position(place.at).to_move();
        let next = if moves { to_move.other() } else { to_move };
        place.frame.map_side(self.begin.side_of_color(color)) == next
    }

    fn play_move_property(
        &mut self,
        node: u32,
        property: &Written<'_>,
        place: &mut NodePlace,
    ) -> Result<(), RecordFault> {
        if place.is_dead {
            return Ok(());
        }
        let line = property.line;
        let fault = |why: Text| RecordFault::without_move(line, why);
        let values = self.file.values(property);
        if values.len() > 1 {
            return Err(fault(format!("{} has more than one move", property.name).into()));
        }
        let color = move_color(&property.name).expect("it is a move");
        let written = unescape_value(values.first().copied().unwrap_or_default()).trim().to_lowercase();
        let word = special_move_word(&written);
        let mut position = self.tree.position(place.at).clone();
        let side = place.frame.map_side(self.begin.side_of_color(color));
        if let Some(early) = EarlyEnd::from_record_word(word, side) {
            if position.outcome().is_none() {
                self.tree.set_position(place.at, position.with_early_end(early));
            }
            place.is_given_up = true;
            return Ok(()); // after the end of the game it is ignored
        }
        if position.outcome().is_some() {
            // A game that ended by resignation in one line may continue in another.
            if position.early_end().is_none() || place.is_given_up {
                let excerpt = Refusal::sanitize_excerpt(&written);
                let fault = fault(text!("{excerpt} comes after the end of the game"));
                return Err(RecordFault { surplus: Some(written), ..fault });
            }
            position = position.without_early_end();
        }
        if side != position.to_move() && (self.freedom.any_turn || self.begin.is_own) {
            position = position.play(PASS_WORD).map_err(|why| fault(why.reason()))?;
            place.at = self.add_position(place.at, position.clone(), line)?;
        }
        if side != position.to_move() {
            let [named, turn] = [side, position.to_move()].map(|side| position.side_name(side));
            let excerpt = Refusal::sanitize_excerpt(&written);
            return Err(fault(text!("the file gives {excerpt} to {named}, but it is {turn}'s turn.")));
        }
        let text = self.move_text(word, &written, *place);
        let next = position.clone().play(&text).map_err(|why| {
            let recorded = RecordedMove { written, ..RecordedMove::new(&text, line) };
            RecordFault { line, why: Refusal::new(why.code, recorded.describe_refusal(&why)), surplus: None }
        })?;
        place.at = self.add_position(place.at, next, line)?;
        if word == SWAP_MOVE_TEXT {
            let value = lowercase_first_value(property, self.file);
            place.frame.transposed ^= self.is_player_exchange(node, color, &value);
        }
        Ok(())
    }

    fn add_position(
        &mut self,
        at: NodeId,
        next: std::sync::Arc<dyn Position>,
        line: usize,
    ) -> Result<NodeId, RecordFault> {
        if self.tree.len() >= MAX_POSITIONS_PER_FILE {
            return Err(RecordFault::without_move(line, TOO_MANY_POSITIONS_TEXT));
        }
        Ok(self.tree.add_child(at, next, MoveSource::File))
    }

    /// Returns the move in crosspath's notation.
    fn move_text(&self, word: &str, written: &str, place: NodePlace) -> String {
        if !word.is_empty() {
            return word.to_owned();
        }
        let Some((col, row)) = self.begin.parse_cell(written) else { return written.to_owned() };
        let (row, col) = place.frame.map_coordinates((row, col));
        if col < 26 { cell_name(col, row) } else { written.to_owned() }
    }

    /// Reports whether a swap exchanged the players' colours and left the stone. Then the same colour moves
    /// next.
    fn is_player_exchange(&self, node: u32, color: Side, word: &str) -> bool {
        let mover =
            |node: u32| self.file.properties(node).iter().find_map(|property| move_color(&property.name));
        match self.file.main_line(node).skip(1).find_map(mover) {
            Some(next) => next == color,
            None if word == "swap-sides" => true,
            None => {
                let program =
                    self.file.first_value(self.root_of(node), "AP").unwrap_or_default().to_lowercase();
                ["hexgui:0.", "hexgui:1.", "hex-benzene", "mohex"].iter().any(|old| program.starts_with(old))
            }
        }
    }

    fn root_of(&self, node: u32) -> u32 {
        let parents = std::iter::successors(Some(node), |&node| self.file.nodes[node as usize].parent);
        parents.last().unwrap_or(node)
    }

    /// Reads comments, marks and unknown properties.
    fn read_property(&mut self, node: u32, property: &Written<'_>, place: &NodePlace) {
        if place.is_dead {
            return;
        }
        let is_root = self.file.nodes[node as usize].parent.is_none();
        let values = self.file.values(property);
        let name = sanitize_text(&property.name);
        match &*name {
            "" => {} // a name of lower-case letters, which no known program writes
            "C" | "N" | "GC" => {
                for value in values {
                    let text = sanitize_text(&unescape_value(value).replace('\t', " "));
                    let lines: Vec<&str> = text.trim_end().split('\n').map(str::trim).collect();
                    let lines = lines.iter().flat_map(|line| {
                        if line.is_empty() { vec![String::new()] } else { split_long_comment(line).collect() }
                    });
                    self.tree.node_mut(place.at).comments.extend(lines);
                }
            }
            PRESENT_PROPERTY => self.present = Some(place.at),
            "GN" if is_root => {}
            name if INTERPRETED_PROPERTIES.contains(&name) => {}
            name => {
                let is_mark = SGF_MARK_PROPERTIES.contains(&name);
                let kept = |value: &&str| {
                    let value = if is_mark { self.map_mark(value, *place) } else { (*value).to_owned() };
                    sanitize_text(&value)
                };
                let values = values.iter().map(kept).collect();
                let property = NodeProperty { name: self.begin.map_property_name(name).to_owned(), values };
                self.tree.node_mut(place.at).properties.push(property);
            }
        }
    }

    /// Returns the value of a mark with its cell in crosspath's notation.
    fn map_mark(&self, value: &str, place: NodePlace) -> String {
        let (cell, label) = value.split_once(':').map_or((value, None), |(cell, label)| (cell, Some(label)));
        let cell = cell.trim().to_lowercase();
        let Some((col, row)) = self.begin.parse_cell(&cell) else { return value.to_owned() };
        let (row, col) = place.frame.map_coordinates((row, col));
        let cell = if col < 26 { cell_name(col, row) } else { cell };
        label.map_or_else(|| cell.clone(), |label| format!("{cell}:{label}"))
    }

    fn into_record(mut self, root: u32) -> GameRecord {
        self.tree.reopen_ancestors(self.end.at);
        let exchanged = self.begin.is_exchanged;
        let remarks = REMARK_PROPERTIES.into_iter().filter_map(|(name, key)| {
            let text = self.file.first_value(root, name).filter(|text| !text.is_empty())?;
            let key = match key {
                "first" if exchanged => "second",
                "second" if exchanged => "first",
                key => key,
            };
            Some((key.to_owned(), sanitize_text(&text.replace(['\n', '\t'], " "))))
        });
        let mut remarks: Vec<(String, String)> = remarks.collect();
        let result = self.file.first_value(root, "RE");
        let stated = result.as_deref().and_then(|text| self.parse_result(text));
        // Results without a winner such as `Void`, `?` and `0` are kept as a remark.
        let unclear = result
            .filter(|text| stated.and_then(|stated| stated.outcome.winner()).is_none() && !text.is_empty());
        remarks.extend(
            unclear.map(|text| (RESULT_REMARK.to_owned(), sanitize_text(&text.replace(['\n', '\t'], " ")))),
        );
        // Other programs may use the property for something else.
        let is_own = |id: &NodeId| self.begin.is_own || self.tree.is_ancestor_of(*id, self.end.at);
        let present = self.present.filter(is_own).unwrap_or(self.end.at);
        let mut record = GameRecord {
            start: self.begin.start,
            form: RecordFormat::Sgf,
            tree: self.tree,
            end: self.end.at,
            present,
            remarks,
            stated,
            notes: Vec::new(),
            fault: self.fault,
            last_line: self.last_line,
            edits: EditHistory::default(),
        };
        // A program with free turn order shows the end of a game by moves.
        if !self.freedom.any_turn {
            record.apply_stated_result(&mut self.notes);
        }
        record.notes = self.notes.into_notes(("note", "notes"));
        record
    }

    /// Parses the result of `RE`: `B+`, `W+R`, `B+Time`, `W`, `Draw`. Returns `None` for other text.
    fn parse_result(&self, text: &str) -> Option<StatedResult> {
        let (winner, how) = text.split_once('+').unwrap_or((text, ""));
        if ["draw", "0"].contains(&winner.trim().to_lowercase().as_str()) {
            return Some(StatedResult::without_reason(Outcome::Draw));
        }
        let color = match winner.trim().to_lowercase().as_str() {
            "b" | "black" => Side::First,
            "w" | "white" => Side::Second,
            _ => return None,
        };
        let side = self.end.frame.map_side(self.begin.side_of_color(color));
        let reason = match how.trim().to_lowercase().chars().next() {
            Some('r') => LossReason::Resigned,
            Some('t') => LossReason::TimedOut,
            Some('f') => LossReason::Forfeited,
            _ => LossReason::Unstated,
        };
        Some(StatedResult { outcome: Outcome::Win(side), reason })
    }
}

/// Returns the first value of a property in lower case.
fn lowercase_first_value(property: &Written<'_>, file: &SgfCollection<'_>) -> String {
    unescape_value(file.values(property).first().copied().unwrap_or_default()).trim().to_lowercase()
}

/// Returns the word that records use for a move that is not a cell, or an empty text for a cell.
fn special_move_word(written: &str) -> &'static str {
    match written {
        "swap" | "swap-pieces" | "swap-sides" => SWAP_MOVE_TEXT,
        "resign" => RESIGN_WORD,
        "forfeit" => FORFEIT_MOVE_TEXT,
        "pass" | "" => PASS_WORD,
        _ => "",
    }
}
