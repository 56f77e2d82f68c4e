//! From the bytes of a move file to a game with its side lines. What is wrong in the file is told, not lost.

use crate::game::{Numbers, Refusal, RefusalCode, clean};
use crate::record::header::{header_or, sgf};
use crate::record::parse::{as_text, cells, first_word, moves, translate};
use crate::record::{
    BadRecord, By, GameTree, Header, Item, MoveList, NodeId, PRESENT, RecordFormat, RecordedMove,
};
use crate::registry::{Entry, Variant};
use crate::session::Position;
use crate::text;
use crate::text::Text;

/// The deepest that side lines stand in side lines.
pub(super) const MAX_DEPTH: usize = 32;
/// The most positions of a file: far more than any game has, few enough for memory.
const MAX_POSITIONS: usize = 12_000;

/// The most pairs of digits whose faults are told one by one.
const MAX_DROPPED: usize = 20;

/// Whether what digit files may hold between their moves is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// An illegal pair of digits is dropped.
    Forgiving,
    /// An illegal pair of digits is a fault.
    Strict,
}

/// What was left out of a file.
#[derive(Clone, Debug)]
pub struct Dropped {
    /// The position before it.
    pub at: NodeId,
    /// Its line in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: Refusal,
}

/// Where a file cannot be followed any further.
#[derive(Clone, Debug)]
pub struct RecordFault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there, for those who look into the file.
    pub why: Refusal,
    /// The move that comes although the game is over.
    pub surplus: Option<String>,
}

impl RecordFault {
    /// What is wrong with the file, not with a move.
    fn of_file(line: usize, text: impl Into<Text>) -> Self {
        RecordFault { line, why: Refusal::new(RefusalCode::File, text), surplus: None }
    }
}

/// A game as a file tells it.
#[derive(Clone, Debug)]
pub struct LoadedRecord {
    /// The game.
    pub entry: &'static Entry,
    /// The board.
    pub variant: Variant,
    /// The moves.
    pub tree: GameTree,
    /// The last position of the main line, as far as it can be followed.
    pub end: NodeId,
    /// Where the game goes on; before the end if moves were taken back.
    pub present: NodeId,
    /// What the file says beside the game.
    pub remarks: Vec<(String, String)>,
    /// What was left out, in order.
    pub dropped: Vec<Dropped>,
    /// What cannot be followed.
    pub fault: Option<RecordFault>,
    /// The last line of the file, from 1.
    pub last_line: usize,
}

/// Said of a file that no game can fill.
const TOO_MUCH: &str = "the file has too many moves. At most 12,000 positions can be read.";

/// Reads a game: that of the file's header, else the given one.
///
/// # Errors
/// If the header is wrong. Wrong moves are no error: see [`LoadedRecord::fault`].
pub fn load(
    bytes: &[u8],
    entry: &'static Entry,
    variant: &Variant,
    strictness: Strictness,
) -> Result<LoadedRecord, BadRecord> {
    let Header { game: entry, variant, line, notation, mut remarks } = header_or(bytes, entry, variant)?;
    let start = entry.start(&variant).map_err(|error| BadRecord { line, why: error.to_string() })?;
    clean_all(&mut remarks);
    let mut script = match sgf(bytes)? {
        Some(game) => MoveList::of_sgf(&game),
        None => moves(bytes, &*start, entry.numbers),
    };
    if let Some(notation) = notation {
        translate(&mut script, &notation, &*start).map_err(|why| BadRecord { line, why })?;
    }
    let passed_over = letters_passed_over(bytes, &script, (entry, &*start));
    // Strictly read, a list that is none of this board is no file of digits either.
    let is_strict = strictness == Strictness::Strict;
    let (refused, dropped) = if is_strict { (passed_over, None) } else { (None, passed_over) };
    let mut reader = Reader {
        tree: GameTree::new(start),
        here: NodeId::ROOT,
        before: None,
        open: Vec::new(),
        dropped: dropped.into_iter().collect(),
        drops: script.form == RecordFormat::Digits && !is_strict,
        more_dropped: 0,
    };
    let mut fault = refused.map(|Dropped { line, why, .. }| RecordFault { line, why, surplus: None });
    let items = if fault.is_some() { &[][..] } else { &script.items };
    for item in items {
        let is_over = reader.tree.position(reader.here).outcome().is_some();
        if script.form == RecordFormat::Digits && is_over {
            break; // all that follows is noise
        }
        if let Err(why) = reader.take(item) {
            fault = Some(why);
            break;
        }
    }
    if script.has_more && fault.is_none() {
        fault = Some(RecordFault::of_file(script.last_line, TOO_MUCH));
    }
    if let (None, Some(&(_, _, line))) = (&fault, reader.open.last()) {
        fault = Some(RecordFault::of_file(line, "this side line is not closed. Add a closing bracket."));
    }
    if script.form == RecordFormat::Digits && script.moves().next().is_none() {
        let none = || RecordFault::of_file(1, "the file has no moves for this game. Try --game NAME.");
        let skipped = reader.dropped.pop().map(|it| RecordFault::of_file(it.line, &it.why.text));
        fault = fault.or_else(|| Some(skipped.unwrap_or_else(none)));
    }
    let end = reader.open.first().map_or(reader.here, |&(here, ..)| here);
    let Reader { mut tree, dropped, .. } = reader.with_the_rest_counted();
    tree.reopen_before(end); // who gives up only in a side line goes on in the game
    let (last_line, present) = (script.last_line, present_of(&remarks, &tree, end));
    remarks.retain(|(key, plies)| key != PRESENT || plies.parse::<usize>().is_err());
    Ok(LoadedRecord { entry, variant, tree, end, present, remarks, dropped, fault, last_line })
}

/// Returns the position before `end` that a remark names as the present one, else the end.
fn present_of(remarks: &[(String, String)], tree: &GameTree, end: NodeId) -> NodeId {
    let named = remarks.iter().filter(|(key, _)| key == PRESENT);
    let plies = named.flat_map(|(_, plies)| plies.parse::<usize>()).next();
    plies.and_then(|plies| tree.way_back(end).find(|&id| tree.ply(id) == plies)).unwrap_or(end)
}

/// The first cell in letters that a file of digits passes over, if there is one: which word makes the file one of digits,
/// and how it would be read as moves.
fn letters_passed_over(
    bytes: &[u8],
    script: &MoveList,
    (entry, on): (&'static Entry, &dyn Position),
) -> Option<Dropped> {
    if script.form != RecordFormat::Digits {
        return None;
    }
    let text = as_text(bytes);
    let in_letters = |word: &str| {
        let mut parts = word.split(|c: char| !c.is_ascii_alphanumeric());
        parts.find(|part| cells(part).is_some_and(|cells| !cells.is_empty())).map(str::to_owned)
    };
    let word = first_word(&text, |word| in_letters(word).is_some())?;
    let cell = in_letters(&word.text)?;
    let strange =
        first_word(&text, |word| on.read(word).is_err()).map_or_else(|| cell.clone(), |word| word.text);
    let others = entry.games().iter().filter(|other| other.numbers != Numbers::Digits);
    let flags: Vec<String> = others.map(|other| format!("--game {}", other.name)).collect();
    let more = if cells(&strange).is_some() && !flags.is_empty() {
        format!("; use {} to read it as moves", flags.join(" or "))
    } else {
        format!(", and {} is skipped; write moves one by one: a1 b2 c3", Refusal::shown(&cell))
    };
    let (strange, board) = (Refusal::shown(&strange), on.view().title());
    let why =
        format!("the file is read as digits (row, column), because {strange} is not a cell of {board}{more}");
    Some(Dropped { at: NodeId::ROOT, line: word.line, why: Refusal::new(RefusalCode::NotUnderstood, why) })
}

/// A comment in pieces that are no longer than a person reads.
fn in_pieces(comment: &str) -> impl Iterator<Item = String> {
    /// In characters.
    const MAX: usize = 4000;
    let letters: Vec<char> = comment.chars().collect();
    letters.chunks(MAX).map(|piece| piece.iter().collect()).collect::<Vec<String>>().into_iter()
}

/// A tree in the making.
struct Reader {
    tree: GameTree,
    here: NodeId,
    /// The position before the last item, where a side line may begin.
    before: Option<NodeId>,
    /// Where each open side line goes back to, what stands before that, and the line of its bracket.
    open: Vec<(NodeId, Option<NodeId>, usize)>,
    dropped: Vec<Dropped>,
    /// How many pairs were dropped without a note of their own.
    more_dropped: usize,
    drops: bool,
}

impl Reader {
    fn take(&mut self, item: &Item) -> Result<(), RecordFault> {
        let wrong = RecordFault::of_file;
        match item {
            Item::Move(noted) => self.play(noted),
            Item::Comment(text) => {
                self.tree.node_mut(self.here).comments.extend(in_pieces(&clean(text)));
                Ok(())
            }
            &Item::Open(line) => {
                let Some(before) = self.before else {
                    return Err(wrong(line, "a side line has to follow the move that it replaces."));
                };
                if self.open.len() == MAX_DEPTH {
                    return Err(wrong(line, "side lines can be nested at most 32 deep."));
                }
                self.open.push((self.here, Some(before), line));
                (self.here, self.before) = (before, None);
                Ok(())
            }
            &Item::Close(line) if !self.open.is_empty() && self.before.is_none() => {
                Err(wrong(line, "this side line has no moves."))
            }
            &Item::Close(line) => {
                let back = self.open.pop();
                (self.here, self.before, _) =
                    back.ok_or_else(|| wrong(line, "this closing bracket has no opening bracket."))?;
                Ok(())
            }
        }
    }

    fn play(&mut self, noted: &RecordedMove) -> Result<(), RecordFault> {
        let mut position = self.tree.position(self.here).clone();
        if self.before.is_none() && position.early().is_some() {
            position = position.reopened(); // a side line in place of giving up
        }
        let (is_over, to_move) = (position.outcome().is_some(), position.to_move());
        let next = match position.end_by(&noted.text) {
            Ok(Some(ended)) => {
                self.tree.set_position(self.here, ended);
                self.before = Some(self.here);
                return Ok(());
            }
            Ok(None) => position.play(&noted.text),
            Err(why) => Err(why),
        };
        let line = noted.line;
        if let (Some(named), Ok(next)) = (noted.side.filter(|&side| side != to_move), &next) {
            let [named, turn] = [named, to_move].map(|side| next.side_name(side));
            let why = text!("the file gives {} to {named}, but it is {turn}'s turn.", noted.text);
            return Err(RecordFault::of_file(line, why));
        }
        match next {
            Ok(_) if self.tree.len() >= MAX_POSITIONS => Err(RecordFault::of_file(line, TOO_MUCH)),
            Ok(next) => {
                let there = self.tree.add(self.here, next, By::File);
                (self.before, self.here) = (Some(self.here), there);
                Ok(())
            }
            Err(why) => {
                let (code, text) = (why.code, noted.wrong(&why));
                if self.drops {
                    if self.dropped.len() < MAX_DROPPED {
                        let why = Refusal::new(code, text!("{text}; this pair is skipped"));
                        self.dropped.push(Dropped { at: self.here, line, why });
                    } else {
                        self.more_dropped += 1;
                    }
                    return Ok(());
                }
                let why = Refusal::new(code, text);
                Err(RecordFault { line, why, surplus: is_over.then(|| noted.text.clone()) })
            }
        }
    }

    /// Says in one note how many pairs were dropped after those that are told one by one.
    fn with_the_rest_counted(mut self) -> Self {
        if let Some(last) = self.dropped.last().cloned().filter(|_| self.more_dropped > 0) {
            let pairs = if self.more_dropped == 1 { "pair is" } else { "pairs are" };
            let why = Refusal::new(last.why.code, format!("{} more {pairs} dropped", self.more_dropped));
            self.dropped.push(Dropped { why, ..last });
        }
        self
    }
}

/// Cleans what a file says beside its game.
fn clean_all(remarks: &mut [(String, String)]) {
    remarks.iter_mut().flat_map(|(key, value)| [key, value]).for_each(|text| *text = clean(text));
}
