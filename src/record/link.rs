//! Reading and writing of Hex games as links of `HexWorld` (`#11c1,a10:sb4`) and trmph (`#13,a1b2c3`).

use crate::board::hexgrid::SwapFrame;
use crate::board::names::{cell_name, parse_cell_name};
use crate::game::{Outcome, Refusal, SIZE_KEY, Side};
use crate::record::edits::EditHistory;
use crate::record::game_record::{MAX_POSITIONS_PER_FILE, NoteCollector, SGF_MARK_PROPERTIES};
use crate::record::{
    BadRecord, GameRecord, GameTree, MoveSource, NodeId, RecordFault, RecordFormat, RecordedMove,
    StatedResult,
};
use crate::registry::{GameStart, RegisteredGame, Variant, find_game_in};
use crate::session::{EarlyEnd, LossReason, PASS_WORD, Position};
use crate::text;

/// Name of the game in links.
const LINK_GAME_NAME: &str = "hex";
/// Text of a swap in crosspath's notation.
const SWAP_MOVE_TEXT: &str = "swap";
/// Address of the board page of `HexWorld`.
const HEXWORLD_ADDRESS: &str = "hexworld.org/board";
const TRMPH_ADDRESS: &str = "trmph.com/hex/board";

/// Parsed parts of a link.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GameLink {
    size: usize,
    /// Moves before the cursor, as written.
    played: String,
    ahead: String,
    /// `true` if the link may be from trmph, because it uses nothing that only `HexWorld` supports.
    is_of_trmph: bool,
    /// Line of the file, from 1.
    line: usize,
}

/// Parses a text that consists of links, one per line; returns `None` for another text.
///
/// # Errors
/// The error names the line of a link without a valid board.
pub(super) fn parse_links(text: &str) -> Result<Option<Vec<GameLink>>, BadRecord> {
    let mut links = Vec::new();
    for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty()) {
        match parse_link(row, line)? {
            Some(link) => links.push(link),
            None => return Ok(None),
        }
    }
    Ok(Some(links).filter(|links| !links.is_empty()))
}

/// Reports whether a text is a link of `HexWorld` or trmph: an address, or the part from `#` on.
pub(crate) fn is_game_link(text: &str) -> bool {
    let is_signed = text.trim_start().starts_with('#')
        || [HEXWORLD_ADDRESS, TRMPH_ADDRESS].iter().any(|site| text.contains(site));
    is_signed && !text.trim().contains('\n') && !matches!(parse_link(text, 1), Ok(None))
}

fn parse_link(row: &str, line: usize) -> Result<Option<GameLink>, BadRecord> {
    let address =
        [HEXWORLD_ADDRESS, TRMPH_ADDRESS].iter().find_map(|&site| Some((site, row.split_once(site)?.1)));
    let is_address = address.is_some();
    let is_of_hexworld = address.is_some_and(|(site, _)| site == HEXWORLD_ADDRESS);
    // An address may be surrounded by other text.
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
    let text = decode_percent_escapes(text);
    let mut parts = text.split(',');
    let head = parts.next().unwrap_or_default();
    let digits = head.bytes().take_while(u8::is_ascii_digit).count();
    let (size, flags) = head.split_at(digits);
    let (height, flags) = match flags.strip_prefix('x') {
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        None => (size, flags),
    };
    let has_moves = text.contains(',');
    if size.is_empty() || !are_view_flags(flags) || !has_moves && !is_address {
        let why = "the link does not begin with the size of a board, such as #11c1,a10b4".to_owned();
        return if is_address { Err(BadRecord { line, why }) } else { Ok(None) };
    }
    let [played, ahead] = [parts.next(), parts.next()].map(|part| part.unwrap_or_default().to_owned());
    let is_rest = parts.next().is_some();
    if !is_address && (is_rest || split_link_moves(&played).is_none() || split_link_moves(&ahead).is_none()) {
        return Ok(None); // some other text with commas
    }
    let sizes = size.parse::<usize>().ok().zip(height.parse::<usize>().ok());
    let size =
        sizes.filter(|(width, height)| width == height && (1..=crate::board::MAX_BOARD_SIZE).contains(width));
    let Some((size, _)) = size else {
        let why = format!(
            "{} is not the size of a board; boards are square, 1 to 26",
            Refusal::sanitize_excerpt(head)
        );
        return Err(BadRecord { line, why });
    };
    let is_of_trmph = !is_of_hexworld && flags.is_empty() && ahead.is_empty() && !played.contains(':');
    Ok(Some(GameLink { size, played, ahead, is_of_trmph, line }))
}

/// Reports whether a text consists of view flags such as `r3`, `m`, `n`, `c1`, in any order.
fn are_view_flags(text: &str) -> bool {
    let mut rest = text;
    while let Some(flag) = rest.chars().next() {
        if !matches!(flag, 'r' | 'm' | 'n' | 'c') {
            return false;
        }
        rest = rest[1..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    true
}

/// Returns the text with its `%` escapes decoded.
fn decode_percent_escapes(text: &str) -> String {
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

/// Splits the moves of a link: cells, `:s`, `:rb` and similar ones. Returns `None` if the text contains
/// anything else.
fn split_link_moves(text: &str) -> Option<Vec<&str>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = if let Some(sign) = rest.strip_prefix(':') {
            if sign.starts_with(['r', 'f']) { 3 } else { 2 }
        } else if rest
            .get(..SWAP_MOVE_TEXT.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(SWAP_MOVE_TEXT))
        {
            SWAP_MOVE_TEXT.len()
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
/// Returns an error if the list of games lacks Hex. Illegal moves are not an error: see
/// [`GameRecord::fault`].
pub(super) fn read_link_game(
    link: &GameLink,
    games: &'static [RegisteredGame],
    mut notes: NoteCollector,
) -> Result<GameRecord, BadRecord> {
    let bad = |why: String| BadRecord { line: link.line, why };
    let entry = find_game_in(games, LINK_GAME_NAME).map_err(|error| bad(error.to_string()))?;
    let start = GameStart::new(entry, Variant::of_size(link.size));
    let tree = GameTree::new(start.position().map_err(|error| bad(error.to_string()))?);
    let is_of_trmph = link.is_of_trmph;
    let mut reader = LinkReader {
        tree,
        at: NodeId::ROOT,
        frame: SwapFrame::default(),
        first: None,
        is_of_trmph,
        stated: None,
    };
    let mut fault = reader.read_moves(&link.played, link.line).err();
    let present = reader.at;
    if fault.is_none() {
        fault = reader.read_moves(&link.ahead, link.line).err();
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
    record.notes = notes.into_notes(("note", "notes"));
    Ok(record)
}

struct LinkReader {
    tree: GameTree,
    at: NodeId,
    frame: SwapFrame,
    /// First cell, as written.
    first: Option<String>,
    is_of_trmph: bool,
    stated: Option<StatedResult>,
}

impl LinkReader {
    fn read_moves(&mut self, text: &str, line: usize) -> Result<(), RecordFault> {
        let Some(tokens) = split_link_moves(text) else {
            let why = text!("{} has moves that no link can have", Refusal::sanitize_excerpt(text));
            return Err(RecordFault::without_move(line, why));
        };
        tokens.into_iter().try_for_each(|token| self.read_move(token, line))
    }

    fn read_move(&mut self, token: &str, line: usize) -> Result<(), RecordFault> {
        let position = self.tree.position(self.at).clone();
        let text = match token {
            ":rb" | ":rw" | ":fb" | ":fw" => {
                let color = if token.ends_with('b') { Side::First } else { Side::Second };
                let outcome = Outcome::Win(self.frame.map_side(color).other());
                let is_forfeit = token.starts_with(":f");
                let reason = if is_forfeit { LossReason::Forfeited } else { LossReason::Resigned };
                self.stated = Some(StatedResult { outcome, reason });
                return Ok(());
            }
            _ if self.stated.is_some() => {
                let why = text!("{} comes after the end of the game", Refusal::sanitize_excerpt(token));
                let surplus = Some(token.to_owned());
                return Err(RecordFault { surplus, ..RecordFault::without_move(line, why) });
            }
            ":p" => PASS_WORD.to_owned(),
            ":s" | ":S" => SWAP_MOVE_TEXT.to_owned(),
            _ if token.eq_ignore_ascii_case(SWAP_MOVE_TEXT) => SWAP_MOVE_TEXT.to_owned(),
            // Links of trmph have no sign for a swap: the second move repeats the first cell.
            cell if self.is_of_trmph && position.plies() == 1 && self.first.as_deref() == Some(cell) => {
                SWAP_MOVE_TEXT.to_owned()
            }
            cell => match parse_cell_name(cell).filter(|&(col, _)| col < 26) {
                Some((col, row)) => {
                    let (row, col) = self.frame.map_coordinates((row, col));
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
            RecordFault { surplus, ..RecordFault::without_move(line, written.describe_refusal(&why)) }
        })?;
        if self.tree.len() >= MAX_POSITIONS_PER_FILE {
            return Err(RecordFault::without_move(line, crate::record::game_record::TOO_MANY_POSITIONS_TEXT));
        }
        self.at = self.tree.add_child(self.at, next, MoveSource::File);
        self.frame.transposed |= token == ":S";
        Ok(())
    }
}

/// Web site of a link.
///
/// ```
/// use crosspath::record::{GameTree, LinkSite, MoveSource, NodeId, write_link};
/// use crosspath::registry::{Variant, find_game};
/// let mut tree = GameTree::new(find_game("hex")?.start_position(&Variant::of_size(5))?);
/// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
/// let (link, _) = write_link(&tree, first, LinkSite::Trmph)?;
/// assert_eq!(link, "https://trmph.com/hex/board#5,b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkSite {
    /// The site `hexworld.org`.
    HexWorld,
    /// The site `trmph.com`.
    Trmph,
}

/// Writes the line through `present` as a link. Returns the link and a list of the features that it cannot
/// represent.
///
/// ```
/// use crosspath::record::{GameTree, LinkSite, MoveSource, NodeId, write_link};
/// use crosspath::registry::{Variant, find_game};
/// let mut tree = GameTree::new(find_game("hex")?.start_position(&Variant::of_size(5))?);
/// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
/// let (link, _) = write_link(&tree, first, LinkSite::HexWorld)?;
/// assert_eq!(link, "https://hexworld.org/board/#5c1,b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the reason if the game cannot be written as a link.
pub fn write_link(
    tree: &GameTree,
    present: NodeId,
    target: LinkSite,
) -> Result<(String, Vec<String>), String> {
    let start = tree.position(NodeId::ROOT);
    if start.game_name() != LINK_GAME_NAME {
        return Err(format!("there are links for games of Hex only, not for {}", start.view().title()));
    }
    let end = tree.main_line_end(present);
    let path = tree.line_to(end);
    let setting =
        |key: &str| start.settings().iter().find(|(known, _)| *known == key).map(|(_, text)| &**text);
    let cells = setting(SIZE_KEY).unwrap_or("11").to_owned();
    let mut lost = Vec::new();
    if setting("swap") == Some("off") {
        lost.push("that the swap rule is off".to_owned());
    }
    let mut address = match target {
        LinkSite::HexWorld => format!("https://{HEXWORLD_ADDRESS}/#{cells}c1,"),
        LinkSite::Trmph => format!("https://{TRMPH_ADDRESS}#{cells},"),
    };
    if start.initial_setup().is_some() {
        lost.push("that the first stones were set by hand: they are written as moves".to_owned());
        address += &format_setup_moves(&**start, target)?;
    }
    for &id in &path[1..] {
        if tree.parent(id) == Some(present) && target == LinkSite::HexWorld {
            address.push(',');
        }
        address += &format_link_move(tree, id, target)?;
    }
    match (tree.position(end).early_end(), target) {
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
    lost.extend(describe_lost_features(tree, path.len()));
    Ok((address, lost))
}

/// Describes the features of a game that a link of one line with `length` positions cannot represent.
fn describe_lost_features(tree: &GameTree, length: usize) -> Vec<String> {
    let mut lost = Vec::new();
    if tree.len() > length {
        lost.push("variations".to_owned());
    }
    if tree.node_ids().any(|id| !tree.node(id).comments.is_empty()) {
        lost.push("comments".to_owned());
    }
    let properties = || tree.node_ids().flat_map(|id| &tree.node(id).properties);
    let is_mark = |name: &str| SGF_MARK_PROPERTIES.contains(&name);
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

/// Returns a move in the notation of a link.
fn format_link_move(tree: &GameTree, id: NodeId, target: LinkSite) -> Result<String, String> {
    let text = tree.position(id).last_move().unwrap_or_default();
    match (text.as_str(), target) {
        (SWAP_MOVE_TEXT, LinkSite::HexWorld) => Ok(":s".to_owned()),
        (PASS_WORD, LinkSite::HexWorld) => Ok(":p".to_owned()),
        // A swap is written as the cell of the first move.
        (SWAP_MOVE_TEXT, LinkSite::Trmph) => {
            let first = tree.parent(id).and_then(|first| tree.position(first).last_move());
            first.ok_or_else(|| {
                "a link of trmph cannot hold a swap of a stone that was set by hand".to_owned()
            })
        }
        (PASS_WORD, LinkSite::Trmph) => Err("a link of trmph cannot hold a passed turn".to_owned()),
        _ => Ok(text),
    }
}

/// Returns the stones of a set-up as alternating moves, with passes where the sides have different numbers of
/// stones.
fn format_setup_moves(start: &dyn Position, target: LinkSite) -> Result<String, String> {
    let stones = Side::map_both(|side| start.view().list_pieces(side));
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
