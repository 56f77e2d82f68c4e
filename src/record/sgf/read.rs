//! From the text of an SGF file to a game of Hex with all its variations. Knows the habits of the programs that write such
//! files; whether a move is legal is for the position to say.

use super::parse::{BadSgf, Collection, SgfProperty as Written, plain};
use crate::board::hexgrid::Frame;
use crate::board::names::{cell_name, read_cell};
use crate::game::{BySide, Outcome, Refusal, Setup, Side, clean};
use crate::record::edits::EditHistory;
use crate::record::game_record::{MARKS, MAX_POSITIONS, Notes, RESULT, TOO_MUCH, choose};
use crate::record::load::in_pieces;
use crate::record::{
    GameRecord, GameTree, MoveSource, NodeId, PRESENT_PROPERTY, Property, RecordFault, RecordFormat,
    StatedResult,
};
use crate::registry::{Entry, GameStart, Variant, find_in};
use crate::session::{EarlyEnd, LossReason, PASS, Position, RESIGN};
use crate::text;
use crate::text::Text;

/// The size of the board if the file does not give it.
const DEFAULT_SIZE: usize = 11;
/// The game of these files.
const GAME: &str = "hex";
/// The name of crosspath in files that it writes.
pub(super) const OWN: &str = "crosspath";
/// Name of a swap in crosspath's own moves.
const SWAP: &str = "swap";
/// Name of a loss by the rules of a match in these files.
const FORFEIT: &str = LossReason::Forfeited.word();
/// Properties that are read into the game, or written anew.
const KNOWN: [&str; 22] = [
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
/// Properties that one player has and the other as well: rank, team, time and moves left.
const OF_PLAYERS: [[&str; 2]; 4] = [["BR", "WR"], ["BT", "WT"], ["BL", "WL"], ["OB", "OW"]];
/// Remarks of our records and the properties that hold them, each for White where the colours are exchanged.
pub(super) const REMARKS: [(&str, &str); 5] =
    [("PB", "first"), ("PW", "second"), ("EV", "event"), ("GN", "title"), ("DT", "date")];

/// Freedom with which moves may follow each other in a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Freedom {
    /// One side may move twice running: the other one is taken to have passed.
    pub any_turn: bool,
}

/// Reads the game of this number, from 1.
///
/// # Errors
/// Names the line that is wrong and what is. Wrong moves are no error: see [`GameRecord::fault`].
pub(in crate::record) fn read(
    text: &str,
    games: &'static [Entry],
    number: Option<usize>,
    freedom: Freedom,
) -> Result<(GameRecord, usize), BadSgf> {
    let file = Collection::read(text)?;
    let (index, mut notes) = choose(file.games.len(), number).map_err(|why| BadSgf { line: 1, why })?;
    let root = file.games[index];
    let begin = GameHead::of(&file, root, games, freedom, &mut notes)?;
    let end = file.games.get(index + 1).map_or(file.nodes.len(), |&next| next as usize);
    let mut record = SgfReader::new(&file, begin, freedom, notes)?.read(root, end);
    if let Some(cut) = file.cut.as_ref().filter(|_| end == file.nodes.len()) {
        if record.tree.len() == 1 {
            return Err(cut.clone());
        }
        record.fault.get_or_insert_with(|| RecordFault::of_file(cut.line, cut.why.clone()));
    }
    Ok((record, file.end))
}

/// Content of a game before its first move.
struct GameHead {
    start: GameStart,
    /// `true` if cells are two letters, as Little Golem writes them.
    has_letter_pairs: bool,
    /// `true` if White is the first player.
    is_exchanged: bool,
    /// `true` if crosspath wrote the file: it leaves passed turns out for programs that do not know them.
    is_own: bool,
    /// The nodes before the first move whose stones are part of the set-up.
    set_up_until: u32,
    line: usize,
}

impl GameHead {
    fn of(
        file: &Collection<'_>,
        root: u32,
        games: &'static [Entry],
        freedom: Freedom,
        notes: &mut Notes,
    ) -> Result<Self, BadSgf> {
        let line = file.nodes[root as usize].line as usize;
        let bad = |why: String| BadSgf { line, why };
        let first = |name: &str| file.first(root, name);
        if let Some(game) = first("GM").filter(|game| game != "11") {
            return Err(bad(format!("GM[{}] is another game; Hex is GM[11]", Refusal::shown(&game))));
        }
        let says_go = |rules: String| ["japanese", "chinese", "aga"].contains(&rules.to_lowercase().as_str());
        let is_of_go = first("KM").is_some() || first("HA").is_some() || first("RU").is_some_and(says_go);
        if first("GM").is_none() && is_of_go {
            return Err(bad("the file looks like a game of Go; Hex is GM[11]".to_owned()));
        }
        let size = match first("SZ") {
            None => DEFAULT_SIZE,
            Some(text) => size(&text).ok_or_else(|| {
                bad(format!("SZ[{}] is not a board size from 1 to 26", Refusal::shown(&text)))
            })?,
        };
        let entry = find_in(games, GAME).map_err(|error| bad(error.to_string()))?;
        let swap = if first("RU").is_some_and(|rules| rules.contains("no-swap")) { "off" } else { "on" };
        let variant = Variant::of_size(size).with(SWAP, swap);
        let mut begin = GameHead {
            start: GameStart::new(entry, variant),
            has_letter_pairs: has_letter_pairs(file),
            is_exchanged: false,
            is_own: false,
            set_up_until: root,
            line,
        };
        begin.is_own = first("AP").is_some_and(|program| program.starts_with(OWN));
        begin.set_up(file, root).map_err(bad)?;
        // A player that may move at any time keeps its colour; but a swap is the second move of the other one.
        let is_swapped = file.main_line(root).any(|node| has_swap(file, node));
        begin.is_exchanged &= !begin.is_own && (!freedom.any_turn || is_swapped);
        if begin.is_exchanged {
            let why = "White moves first in this file: White is the first player, and joins top and bottom";
            notes.take(NodeId::ROOT, line, why);
        }
        if begin.has_letter_pairs && first("GM").is_none() && !is_of_hex(file, root) {
            let why = "the file does not say which game it is (GM); it is read as Hex";
            notes.take(NodeId::ROOT, line, why);
        }
        Ok(begin)
    }

    /// Takes the stones that lie there before the first move of the main line, and who moves first.
    fn set_up(&mut self, file: &Collection<'_>, root: u32) -> Result<(), String> {
        let mut stones: Vec<(Side, String)> = Vec::new();
        let (mut to_move, mut first_mover) = (None, None);
        for node in file.main_line(root) {
            let mover = file.properties(node).iter().find_map(|property| color_of_move(&property.name));
            if mover.is_some() && node != root {
                first_mover = mover;
                break;
            }
            self.set_up_until = node;
            for property in file.properties(node) {
                let cells = || file.values(property).iter().map(|value| self.cell_text(value));
                match &*property.name {
                    "AB" => stones.extend(cells().map(|cell| (Side::First, cell))),
                    "AW" => stones.extend(cells().map(|cell| (Side::Second, cell))),
                    "AE" => stones.retain(|(_, stone)| cells().all(|cell| cell != *stone)),
                    "PL" => {
                        let text = plain(file.values(property).first().copied().unwrap_or_default());
                        to_move = Some(match text.trim().to_lowercase().as_str() {
                            "b" | "black" => Side::First,
                            "w" | "white" => Side::Second,
                            _ => return Err(format!("PL[{}] is neither B nor W", Refusal::shown(&text))),
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
        // Our own files begin so where Second is to move on an empty board.
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
        self.start.setup = Some(Setup { pieces, to_move, left: None });
        Ok(())
    }

    /// A cell as our own files write it; what is none stays as it is.
    fn cell_text(&self, written: &str) -> String {
        let text = plain(written).trim().to_lowercase();
        self.place(&text).map_or(text, |(col, row)| cell_name(col, row))
    }

    /// Column and row of a cell.
    fn place(&self, text: &str) -> Option<(usize, usize)> {
        if !self.has_letter_pairs {
            return read_cell(text).filter(|&(col, _)| col < 26);
        }
        let &[col, row] = text.as_bytes() else { return None };
        let index = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
        index(col).zip(index(row))
    }

    /// The name of a property on our board: those of one player are those of the other where the colours are exchanged.
    fn name_now<'n>(&self, name: &'n str) -> &'n str {
        let pair = OF_PLAYERS.iter().find(|pair| self.is_exchanged && pair.contains(&name));
        pair.map_or(name, |&[black, white]| if name == black { white } else { black })
    }

    /// The side of a colour, before any swap.
    fn side(&self, color: Side) -> Side {
        if self.is_exchanged { color.other() } else { color }
    }
}

/// Reports whether a file whose cells are written as those of Go are says in other ways that it is one of Hex.
fn is_of_hex(file: &Collection<'_>, root: u32) -> bool {
    let says_so = |name: &&str| {
        let text = file.first(root, name).unwrap_or_default().to_lowercase();
        ["hex", "golem"].iter().any(|word| text.contains(word))
    };
    ["AP", "SO", "EV", "GN"].iter().any(says_so) || file.main_line(root).any(|node| has_swap(file, node))
}

/// Reports whether the move of a node is a swap.
fn has_swap(file: &Collection<'_>, node: u32) -> bool {
    let moves = file.properties(node).iter().filter(|property| color_of_move(&property.name).is_some());
    moves
        .flat_map(|property| file.values(property))
        .any(|value| value.trim().to_lowercase().starts_with(SWAP))
}

/// Reports whether cells are two letters in this file: some are, and none has a number.
fn has_letter_pairs(file: &Collection<'_>) -> bool {
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

/// The colour that moves by a property, as that of First or Second.
fn color_of_move(name: &str) -> Option<Side> {
    match name {
        "B" => Some(Side::First),
        "W" => Some(Side::Second),
        _ => None,
    }
}

/// The size that `11` and `11:11` name.
fn size(text: &str) -> Option<usize> {
    let (columns, rows) = text.trim().split_once(':').unwrap_or((text.trim(), text.trim()));
    let [columns, rows] = [columns, rows].map(|number| number.trim().parse::<usize>().ok());
    columns.filter(|&size| rows == Some(size) && (1..=crate::board::MAX_SIZE).contains(&size))
}

/// Place of a node of the file in the game.
#[derive(Clone, Copy, Debug)]
struct NodePlace {
    at: NodeId,
    frame: Frame,
    /// `true` if it is on the main line of the file.
    is_main: bool,
    /// `true` if the game cannot be followed to it.
    is_dead: bool,
    /// `true` if somebody has resigned on the way.
    is_given_up: bool,
}

/// A game in the making.
struct SgfReader<'a> {
    file: &'a Collection<'a>,
    begin: GameHead,
    freedom: Freedom,
    tree: GameTree,
    places: Vec<NodePlace>,
    end: NodePlace,
    present: Option<NodeId>,
    notes: Notes,
    fault: Option<RecordFault>,
    last_line: usize,
}

impl<'a> SgfReader<'a> {
    fn new(
        file: &'a Collection<'a>,
        begin: GameHead,
        freedom: Freedom,
        notes: Notes,
    ) -> Result<Self, BadSgf> {
        let line = begin.line;
        let start = begin.start.position().map_err(|error| BadSgf { line, why: error.to_string() })?;
        let frame = Frame::default();
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

    fn read(mut self, root: u32, end: usize) -> GameRecord {
        for node in root..u32::try_from(end).expect("a node has a number") {
            let mut place = self.place_before(node, root);
            if !place.is_dead {
                let done = self.node(node, &mut place);
                if let Err(fault) = done {
                    place.is_dead = true;
                    self.stop(fault, place);
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
        self.finish(root)
    }

    /// Returns the place where a node begins: at the end of the one before it.
    fn place_before(&self, node: u32, root: u32) -> NodePlace {
        let Some(parent) = self.file.nodes[node as usize].parent else { return self.end };
        let place = self.places[(parent - root) as usize];
        let is_first = self.file.nodes[parent as usize].first_child == Some(node);
        NodePlace { is_main: place.is_main && is_first, ..place }
    }

    /// A line cannot be followed: the main line ends there, another one is left out from there on.
    fn stop(&mut self, fault: RecordFault, place: NodePlace) {
        if place.is_main {
            self.fault.get_or_insert(fault);
        } else {
            let why = text!("a variation is left out from here on: {}", fault.why.text);
            self.notes.take(NodeId::ROOT, fault.line, why);
        }
    }

    fn node(&mut self, node: u32, place: &mut NodePlace) -> Result<(), RecordFault> {
        let properties = self.file.properties(node);
        let moves = || properties.iter().filter(|property| color_of_move(&property.name).is_some());
        if moves().count() > 1 {
            let line = moves().next_back().map_or(1, |property| property.line);
            return Err(RecordFault::of_file(line, "a node has more than one move"));
        }
        if node > self.begin.set_up_until || !place.is_main {
            self.refuse_set_up(node, place)?;
        }
        if let Some(property) = moves().next() {
            self.play(node, property, place)?;
        }
        for property in properties {
            self.remark(node, property, place);
        }
        Ok(())
    }

    /// Ends a line at stones that are set by hand after its first move.
    fn refuse_set_up(&mut self, node: u32, place: &mut NodePlace) -> Result<(), RecordFault> {
        for property in self.file.properties(node) {
            match &*property.name {
                "SZ" => {
                    return Err(RecordFault::of_file(property.line, "SZ is allowed only in the first node"));
                }
                "AB" | "AW" | "AE" | "PL" => {
                    if property.name == "PL" && self.agrees(node, property, place) {
                        continue;
                    }
                    let why = "stones are set by hand in the middle of the game; this line ends before them";
                    if self.freedom.any_turn {
                        return Err(RecordFault::of_file(property.line, why));
                    }
                    self.notes.take(place.at, property.line, why);
                    place.is_dead = true;
                    return Ok(());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reports whether `PL` names the side that moves next in any case.
    fn agrees(&self, node: u32, property: &Written<'_>, place: &NodePlace) -> bool {
        let color = match text_of(property, self.file).as_str() {
            "b" | "black" => Side::First,
            "w" | "white" => Side::Second,
            _ => return false,
        };
        let moves = self.file.properties(node).iter().any(|own| color_of_move(&own.name).is_some());
        let to_move = self.tree.position(place.at).to_move();
        let next = if moves { to_move.other() } else { to_move };
        place.frame.side(self.begin.side(color)) == next
    }

    fn play(&mut self, node: u32, property: &Written<'_>, place: &mut NodePlace) -> Result<(), RecordFault> {
        if place.is_dead {
            return Ok(());
        }
        let line = property.line;
        let fault = |why: Text| RecordFault::of_file(line, why);
        let values = self.file.values(property);
        if values.len() > 1 {
            return Err(fault(format!("{} has more than one move", property.name).into()));
        }
        let color = color_of_move(&property.name).expect("it is a move");
        let written = plain(values.first().copied().unwrap_or_default()).trim().to_lowercase();
        let word = match written.as_str() {
            "swap" | "swap-pieces" | "swap-sides" => SWAP,
            "resign" => RESIGN,
            "forfeit" => FORFEIT,
            "pass" | "" => PASS,
            _ => "",
        };
        let mut position = self.tree.position(place.at).clone();
        let side = place.frame.side(self.begin.side(color));
        if let Some(early) = EarlyEnd::of_word(word, side) {
            if position.outcome().is_none() {
                self.tree.set_position(place.at, position.ended(early));
            }
            place.is_given_up = true;
            return Ok(()); // behind the end it is a remark
        }
        if position.outcome().is_some() {
            // A game that was given up in one line goes on in another.
            if position.early().is_none() || place.is_given_up {
                let mut fault = fault(text!("{} comes after the end of the game", Refusal::shown(&written)));
                fault.surplus = Some(written);
                return Err(fault);
            }
            position = position.reopened();
        }
        if side != position.to_move() && (self.freedom.any_turn || self.begin.is_own) {
            position = position.play(PASS).map_err(|why| fault(why.reason()))?;
            place.at = self.add(place.at, position.clone(), line)?;
        }
        if side != position.to_move() {
            let [named, turn] = [side, position.to_move()].map(|side| position.side_name(side));
            let why =
                text!("the file gives {} to {named}, but it is {turn}'s turn.", Refusal::shown(&written));
            return Err(fault(why));
        }
        let text = self.move_text(word, &written, *place);
        let next = position.clone().play(&text).map_err(|why| {
            let reason =
                crate::record::RecordedMove { written, ..crate::record::RecordedMove::new(&text, line) };
            RecordFault { line, why: Refusal::new(why.code, reason.wrong(&why)), surplus: None }
        })?;
        place.at = self.add(place.at, next, line)?;
        if word == SWAP {
            place.frame.transposed ^= self.exchanges_players(node, color, &text_of(property, self.file));
        }
        Ok(())
    }

    fn add(
        &mut self,
        at: NodeId,
        next: std::sync::Arc<dyn Position>,
        line: usize,
    ) -> Result<NodeId, RecordFault> {
        if self.tree.len() >= MAX_POSITIONS {
            return Err(RecordFault::of_file(line, TOO_MUCH));
        }
        Ok(self.tree.add(at, next, MoveSource::File))
    }

    /// The move as we write it.
    fn move_text(&self, word: &str, written: &str, place: NodePlace) -> String {
        if !word.is_empty() {
            return word.to_owned();
        }
        let Some((col, row)) = self.begin.place(written) else { return written.to_owned() };
        let (row, col) = place.frame.place((row, col));
        if col < 26 { cell_name(col, row) } else { written.to_owned() }
    }

    /// Reports whether a swap exchanged the players and left the stone: then the same colour moves next.
    fn exchanges_players(&self, node: u32, color: Side, word: &str) -> bool {
        let mover =
            |node: u32| self.file.properties(node).iter().find_map(|property| color_of_move(&property.name));
        match self.file.main_line(node).skip(1).find_map(mover) {
            Some(next) => next == color,
            None if word == "swap-sides" => true,
            None => {
                let program = self.file.first(self.root(node), "AP").unwrap_or_default().to_lowercase();
                ["hexgui:0.", "hexgui:1.", "hex-benzene", "mohex"].iter().any(|old| program.starts_with(old))
            }
        }
    }

    fn root(&self, node: u32) -> u32 {
        let parents = std::iter::successors(Some(node), |&node| self.file.nodes[node as usize].parent);
        parents.last().unwrap_or(node)
    }

    /// Takes comments, marks, and what is not known.
    fn remark(&mut self, node: u32, property: &Written<'_>, place: &NodePlace) {
        if place.is_dead {
            return;
        }
        let is_root = self.file.nodes[node as usize].parent.is_none();
        let values = self.file.values(property);
        let name = clean(&property.name);
        match &*name {
            "" => {} // it had small letters only, and no known program writes such names
            "C" | "N" | "GC" => {
                for value in values {
                    let text = clean(&plain(value).replace('\t', " "));
                    let lines: Vec<&str> = text.trim_end().split('\n').map(str::trim).collect();
                    let lines = lines.iter().flat_map(|line| {
                        if line.is_empty() { vec![String::new()] } else { in_pieces(line).collect() }
                    });
                    self.tree.node_mut(place.at).comments.extend(lines);
                }
            }
            PRESENT_PROPERTY => self.present = Some(place.at),
            "GN" if is_root => {}
            name if KNOWN.contains(&name) => {}
            name => {
                let is_mark = MARKS.contains(&name);
                let kept = |value: &&str| {
                    let value = if is_mark { self.mark(value, *place) } else { (*value).to_owned() };
                    clean(&value)
                };
                let values = values.iter().map(kept).collect();
                let property = Property { name: self.begin.name_now(name).to_owned(), values };
                self.tree.node_mut(place.at).properties.push(property);
            }
        }
    }

    /// The value of a mark with its cells on our board.
    fn mark(&self, value: &str, place: NodePlace) -> String {
        let (cell, label) = value.split_once(':').map_or((value, None), |(cell, label)| (cell, Some(label)));
        let cell = cell.trim().to_lowercase();
        let Some((col, row)) = self.begin.place(&cell) else { return value.to_owned() };
        let (row, col) = place.frame.place((row, col));
        let cell = if col < 26 { cell_name(col, row) } else { cell };
        label.map_or_else(|| cell.clone(), |label| format!("{cell}:{label}"))
    }

    fn finish(mut self, root: u32) -> GameRecord {
        self.tree.reopen_before(self.end.at);
        let exchanged = self.begin.is_exchanged;
        let remarks = REMARKS.into_iter().filter_map(|(name, key)| {
            let text = self.file.first(root, name).filter(|text| !text.is_empty())?;
            let key = match key {
                "first" if exchanged => "second",
                "second" if exchanged => "first",
                key => key,
            };
            Some((key.to_owned(), clean(&text.replace(['\n', '\t'], " "))))
        });
        let mut remarks: Vec<(String, String)> = remarks.collect();
        let result = self.file.first(root, "RE");
        let stated = result.as_deref().and_then(|text| self.stated(text));
        // What says of nobody that it won is kept as it is: `Void`, `?`, `0`.
        let unclear = result
            .filter(|text| stated.and_then(|stated| stated.outcome.winner()).is_none() && !text.is_empty());
        remarks.extend(unclear.map(|text| (RESULT.to_owned(), clean(&text.replace(['\n', '\t'], " ")))));
        // Other programs may mean something else by the property.
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
        // A program that plays on is told by moves how a game ended.
        if !self.freedom.any_turn {
            record.apply_stated_result(&mut self.notes);
        }
        record.notes = self.notes.finish(("note", "notes"));
        record
    }

    /// The result that `RE` states: `B+`, `W+R`, `B+Time`, `W`, `Draw`. Anything else is no result.
    fn stated(&self, text: &str) -> Option<StatedResult> {
        let (winner, how) = text.split_once('+').unwrap_or((text, ""));
        if ["draw", "0"].contains(&winner.trim().to_lowercase().as_str()) {
            return Some(StatedResult::of(Outcome::Draw));
        }
        let color = match winner.trim().to_lowercase().as_str() {
            "b" | "black" => Side::First,
            "w" | "white" => Side::Second,
            _ => return None,
        };
        let side = self.end.frame.side(self.begin.side(color));
        let reason = match how.trim().to_lowercase().chars().next() {
            Some('r') => LossReason::Resigned,
            Some('t') => LossReason::TimedOut,
            Some('f') => LossReason::Forfeited,
            _ => LossReason::Untold,
        };
        Some(StatedResult { outcome: Outcome::Win(side), reason })
    }
}

/// The first value of a property in small letters.
fn text_of(property: &Written<'_>, file: &Collection<'_>) -> String {
    plain(file.values(property).first().copied().unwrap_or_default()).trim().to_lowercase()
}
