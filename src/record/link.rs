//! Games of Hex in links: those of `HexWorld` (`#11c1,a10:sb4`) and of trmph (`#13,a1b2c3`), read and written.

use crate::board::hexgrid::Frame;
use crate::board::names::{cell_name, read_cell};
use crate::game::{Outcome, Refusal, SIZE, Side};
use crate::record::edits::EditHistory;
use crate::record::game_record::{MARKS, MAX_POSITIONS, Notes};
use crate::record::{
    BadRecord, GameRecord, GameTree, MoveSource, NodeId, RecordFault, RecordFormat, RecordedMove,
    StatedResult,
};
use crate::registry::{Entry, GameStart, Variant, find_in};
use crate::session::{EarlyEnd, LossReason, PASS, Position};
use crate::text;

/// The game of these links.
const GAME: &str = "hex";
/// Name of a swap in crosspath's own moves.
const SWAP: &str = "swap";
/// Address at which `HexWorld` shows games.
const HEXWORLD: &str = "hexworld.org/board";
const TRMPH: &str = "trmph.com/hex/board";

/// A link in its parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GameLink {
    size: usize,
    /// The moves before the cursor, and those behind it, as they are written.
    played: String,
    ahead: String,
    /// `true` if it may be one of trmph: it says nothing that only a link of `HexWorld` has.
    is_of_trmph: bool,
    /// The line of the file, from 1.
    line: usize,
}

/// The links of a text that consists of links, one a line; `None` for another text.
///
/// # Errors
/// Names the line of a link that cannot be a board.
pub(super) fn links(text: &str) -> Result<Option<Vec<GameLink>>, BadRecord> {
    let mut links = Vec::new();
    for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty()) {
        match link(row, line)? {
            Some(link) => links.push(link),
            None => return Ok(None),
        }
    }
    Ok(Some(links).filter(|links| !links.is_empty()))
}

/// Reports whether a text is a link of `HexWorld` or trmph, as a person pastes it: an address, or what follows its `#`.
pub(crate) fn is_link(text: &str) -> bool {
    let is_signed =
        text.trim_start().starts_with('#') || [HEXWORLD, TRMPH].iter().any(|site| text.contains(site));
    is_signed && !text.trim().contains('\n') && !matches!(link(text, 1), Ok(None))
}

fn link(row: &str, line: usize) -> Result<Option<GameLink>, BadRecord> {
    let address = [HEXWORLD, TRMPH].iter().find_map(|&site| Some((site, row.split_once(site)?.1)));
    let is_address = address.is_some();
    let is_of_hexworld = address.is_some_and(|(site, _)| site == HEXWORLD);
    // An address ends where its text does; before and behind it anything may be said.
    let is_end = |c: char| c.is_whitespace() || "\"<>)]".contains(c);
    let row = match address {
        Some((_, rest)) => rest.split(is_end).next().unwrap_or_default().to_owned(),
        None => row.chars().filter(|c| !c.is_whitespace() && !"\\\"<>".contains(*c)).collect(),
    };
    let text = if is_address {
        let Some((_, text)) = row.split_once('#') else {
            let why = "the link has no moves: nothing follows #".to_owned();
            return Err(BadRecord { line, why });
        };
        text
    } else {
        row.strip_prefix('#').unwrap_or(&row)
    };
    if !is_address
        && !row.starts_with('#')
        && row.split(',').all(|part| part.bytes().all(|b| b.is_ascii_digit()))
    {
        return Ok(None); // numbers without a move
    }
    let text = decoded(text);
    let mut parts = text.split(',');
    let head = parts.next().unwrap_or_default();
    let digits = head.bytes().take_while(u8::is_ascii_digit).count();
    let (size, flags) = head.split_at(digits);
    let (height, flags) = match flags.strip_prefix('x') {
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        None => (size, flags),
    };
    let has_moves = text.contains(',');
    if size.is_empty() || !are_flags(flags) || !has_moves && !is_address {
        let why = "the link does not begin with the size of a board, such as #11c1,a10b4".to_owned();
        return if is_address { Err(BadRecord { line, why }) } else { Ok(None) };
    }
    let [played, ahead] = [parts.next(), parts.next()].map(|part| part.unwrap_or_default().to_owned());
    let is_rest = parts.next().is_some();
    if !is_address && (is_rest || tokens(&played).is_none() || tokens(&ahead).is_none()) {
        return Ok(None); // some other text with commas
    }
    let sizes = size.parse::<usize>().ok().zip(height.parse::<usize>().ok());
    let size =
        sizes.filter(|(width, height)| width == height && (1..=crate::board::MAX_SIZE).contains(width));
    let Some((size, _)) = size else {
        let why = format!("{} is not the size of a board; boards are square, 1 to 26", Refusal::shown(head));
        return Err(BadRecord { line, why });
    };
    let is_of_trmph = !is_of_hexworld && flags.is_empty() && ahead.is_empty() && !played.contains(':');
    Ok(Some(GameLink { size, played, ahead, is_of_trmph, line }))
}

/// Reports whether these are flags of a view: `r3`, `m`, `n`, `c1`, in any order.
fn are_flags(text: &str) -> bool {
    let mut rest = text;
    while let Some(flag) = rest.chars().next() {
        if !matches!(flag, 'r' | 'm' | 'n' | 'c') {
            return false;
        }
        rest = rest[1..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    true
}

/// The text without its `%` escapes.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.filter(|_| bytes[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The moves of a link one by one: cells, `:s`, `:rb` and their like; `None` if there is something else in it.
fn tokens(text: &str) -> Option<Vec<&str>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = if let Some(sign) = rest.strip_prefix(':') {
            if sign.starts_with(['r', 'f']) { 3 } else { 2 }
        } else if rest.get(..SWAP.len()).is_some_and(|word| word.eq_ignore_ascii_case(SWAP)) {
            SWAP.len()
        } else {
            let digits = rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
            if letters == 0 || digits == 0 || rest[letters..].starts_with('0') {
                return None;
            }
            letters + digits
        };
        let token = rest.get(..length)?;
        let known = [":s", ":S", ":p", ":rb", ":rw", ":fb", ":fw"];
        if token.starts_with(':') && !known.contains(&token) {
            return None;
        }
        tokens.push(token);
        rest = &rest[length..];
    }
    Some(tokens)
}

/// Reads the game of a link.
///
/// # Errors
/// If there is no such game in the list. Wrong moves are no error: see [`GameRecord::fault`].
pub(super) fn read(
    link: &GameLink,
    games: &'static [Entry],
    mut notes: Notes,
) -> Result<GameRecord, BadRecord> {
    let bad = |why: String| BadRecord { line: link.line, why };
    let entry = find_in(games, GAME).map_err(|error| bad(error.to_string()))?;
    let start = GameStart::new(entry, Variant::of_size(link.size));
    let tree = GameTree::new(start.position().map_err(|error| bad(error.to_string()))?);
    let is_of_trmph = link.is_of_trmph;
    let mut reader = LinkReader {
        tree,
        at: NodeId::ROOT,
        frame: Frame::default(),
        first: None,
        is_of_trmph,
        stated: None,
    };
    let mut fault = reader.all(&link.played, link.line).err();
    let present = reader.at;
    if fault.is_none() {
        fault = reader.all(&link.ahead, link.line).err();
    }
    let end = reader.at;
    let mut record = GameRecord {
        start,
        form: RecordFormat::Link,
        tree: reader.tree,
        end,
        present,
        remarks: Vec::new(),
        stated: reader.stated,
        notes: Vec::new(),
        fault,
        last_line: link.line,
        edits: EditHistory::default(),
    };
    record.apply_stated_result(&mut notes);
    record.notes = notes.finish(("note", "notes"));
    Ok(record)
}

struct LinkReader {
    tree: GameTree,
    at: NodeId,
    frame: Frame,
    /// The first cell.
    first: Option<String>,
    is_of_trmph: bool,
    stated: Option<StatedResult>,
}

impl LinkReader {
    fn all(&mut self, text: &str, line: usize) -> Result<(), RecordFault> {
        let Some(tokens) = tokens(text) else {
            let why = text!("{} has moves that no link can have", Refusal::shown(text));
            return Err(RecordFault::of_file(line, why));
        };
        tokens.into_iter().try_for_each(|token| self.take(token, line))
    }

    fn take(&mut self, token: &str, line: usize) -> Result<(), RecordFault> {
        let position = self.tree.position(self.at).clone();
        let text = match token {
            ":rb" | ":rw" | ":fb" | ":fw" => {
                let color = if token.ends_with('b') { Side::First } else { Side::Second };
                let outcome = Outcome::Win(self.frame.side(color).other());
                let is_forfeit = token.starts_with(":f");
                let reason = if is_forfeit { LossReason::Forfeited } else { LossReason::Resigned };
                self.stated = Some(StatedResult { outcome, reason });
                return Ok(());
            }
            _ if self.stated.is_some() => {
                let why = text!("{} comes after the end of the game", Refusal::shown(token));
                let surplus = Some(token.to_owned());
                return Err(RecordFault { surplus, ..RecordFault::of_file(line, why) });
            }
            ":p" => PASS.to_owned(),
            ":s" | ":S" => SWAP.to_owned(),
            _ if token.eq_ignore_ascii_case(SWAP) => SWAP.to_owned(),
            // Links of trmph have no sign for it: the second move takes the first one over by its cell.
            cell if self.is_of_trmph && position.plies() == 1 && self.first.as_deref() == Some(cell) => {
                SWAP.to_owned()
            }
            cell => match read_cell(cell).filter(|&(col, _)| col < 26) {
                Some((col, row)) => {
                    let (row, col) = self.frame.place((row, col));
                    if col < 26 { cell_name(col, row) } else { cell.to_owned() }
                }
                None => cell.to_owned(),
            },
        };
        self.first.get_or_insert_with(|| token.to_ascii_lowercase());
        let is_over = position.outcome().is_some();
        let next = position.play(&text).map_err(|why| {
            let written = RecordedMove { written: token.to_owned(), ..RecordedMove::new(&text, line) };
            let surplus = is_over.then(|| token.to_owned());
            RecordFault { surplus, ..RecordFault::of_file(line, written.wrong(&why)) }
        })?;
        if self.tree.len() >= MAX_POSITIONS {
            return Err(RecordFault::of_file(line, crate::record::game_record::TOO_MUCH));
        }
        self.at = self.tree.add(self.at, next, MoveSource::File);
        self.frame.transposed |= token == ":S";
        Ok(())
    }
}

/// Site that a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkSite {
    /// `hexworld.org`.
    HexWorld,
    /// `trmph.com`.
    Trmph,
}

/// Writes the line of a game that leads to `present`, and the moves after it, as a link; returns what the link cannot hold.
///
/// ```
/// use crosspath::record::{GameTree, LinkSite, MoveSource, NodeId, write_link};
/// use crosspath::registry::{Variant, find};
/// let mut tree = GameTree::new(find("hex")?.start(&Variant::of_size(5))?);
/// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
/// let (link, _) = write_link(&tree, first, LinkSite::HexWorld)?;
/// assert_eq!(link, "https://hexworld.org/board/#5c1,b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Says why there is no link for the game.
pub fn write_link(
    tree: &GameTree,
    present: NodeId,
    target: LinkSite,
) -> Result<(String, Vec<String>), String> {
    let start = tree.position(NodeId::ROOT);
    if start.name() != GAME {
        return Err(format!("there are links for games of Hex only, not for {}", start.view().title()));
    }
    let end = tree.end_of(present);
    let path = tree.line_to(end);
    let setting =
        |key: &str| start.settings().iter().find(|(known, _)| *known == key).map(|(_, text)| &**text);
    let cells = setting(SIZE).unwrap_or("11").to_owned();
    let mut lost = Vec::new();
    if setting("swap") == Some("off") {
        lost.push("that the swap rule is off".to_owned());
    }
    let mut address = match target {
        LinkSite::HexWorld => format!("https://{HEXWORLD}/#{cells}c1,"),
        LinkSite::Trmph => format!("https://{TRMPH}#{cells},"),
    };
    if start.setup().is_some() {
        lost.push("that the first stones were set by hand: they are written as moves".to_owned());
        address += &set_up(&**start, target)?;
    }
    for &id in &path[1..] {
        if tree.parent(id) == Some(present) && target == LinkSite::HexWorld {
            address.push(',');
        }
        address += &token(tree, id, target)?;
    }
    match (tree.position(end).early(), target) {
        (None, _) => {}
        (Some(EarlyEnd::Lost(loser, LossReason::Resigned)), LinkSite::HexWorld) => {
            address += [":rb", ":rw"][loser.index()];
        }
        (Some(EarlyEnd::Lost(loser, reason)), LinkSite::HexWorld) => {
            address += [":fb", ":fw"][loser.index()];
            if reason != LossReason::Forfeited {
                lost.push("why the game ended: it is written as a forfeit".to_owned());
            }
        }
        _ => lost.push("how the game ended".to_owned()),
    }
    if target == LinkSite::Trmph && present != end {
        lost.push("which position is shown".to_owned());
    }
    lost.extend(lost_beside_moves(tree, path.len()));
    Ok((address, lost))
}

/// Names what a game has beside the moves of a line with `length` positions.
fn lost_beside_moves(tree: &GameTree, length: usize) -> Vec<String> {
    let mut lost = Vec::new();
    if tree.len() > length {
        lost.push("variations".to_owned());
    }
    if tree.ids().any(|id| !tree.node(id).comments.is_empty()) {
        lost.push("comments".to_owned());
    }
    let properties = || tree.ids().flat_map(|id| &tree.node(id).properties);
    let is_mark = |name: &str| MARKS.contains(&name);
    if properties().any(|property| is_mark(&property.name)) {
        lost.push("marks".to_owned());
    }
    let mut others: Vec<&str> =
        properties().map(|property| &*property.name).filter(|name| !is_mark(name)).collect();
    others.retain(|name| !name.is_empty());
    others.sort_unstable();
    others.dedup();
    if !others.is_empty() {
        lost.push(format!("the SGF properties {}", others.join(", ")));
    }
    lost
}

/// A move of the game as a link has it.
fn token(tree: &GameTree, id: NodeId, target: LinkSite) -> Result<String, String> {
    let text = tree.position(id).last().unwrap_or_default();
    match (text.as_str(), target) {
        (SWAP, LinkSite::HexWorld) => Ok(":s".to_owned()),
        (PASS, LinkSite::HexWorld) => Ok(":p".to_owned()),
        // The second move takes the first one over by its cell.
        (SWAP, LinkSite::Trmph) => {
            let first = tree.parent(id).and_then(|first| tree.position(first).last());
            first.ok_or_else(|| {
                "a link of trmph cannot hold a swap of a stone that was set by hand".to_owned()
            })
        }
        (PASS, LinkSite::Trmph) => Err("a link of trmph cannot hold a passed turn".to_owned()),
        _ => Ok(text),
    }
}

/// The stones of a set-up as moves, with passed turns between them where the sides have unequally many.
fn set_up(start: &dyn Position, target: LinkSite) -> Result<String, String> {
    let stones = Side::each(|side| start.view().pieces(side));
    let to_move = start.to_move().index();
    let mut text = String::new();
    let mut turn = 0;
    for round in 0..=stones[0].len().max(stones[1].len()) {
        for side in Side::BOTH {
            let is_rest = Side::BOTH.iter().any(|other| {
                let done = round + usize::from(other.index() < side.index());
                stones[other.index()].len() > done
            });
            if !is_rest && turn % 2 == to_move {
                return Ok(text);
            }
            match stones[side.index()].get(round) {
                Some(cell) => text += cell,
                None if target == LinkSite::HexWorld => text += ":p",
                None => {
                    return Err(
                        "a link of trmph cannot hold this set-up: one side has too many stones".into()
                    );
                }
            }
            turn += 1;
        }
    }
    Ok(text)
}
