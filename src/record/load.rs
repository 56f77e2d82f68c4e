//! From the moves of a list or a text record to a game with its variations. What is wrong in the file is said, not lost.

use crate::game::{Numbers, Refusal, RefusalCode, clean};
use crate::record::edits::EditHistory;
use crate::record::game_record::{MAX_POSITIONS, Notes, TOO_MUCH};
use crate::record::parse::{cells, first_word};
use crate::record::{
    GameRecord, GameTree, MoveList, MoveSource, NodeId, Note, PRESENT, PRESENT_PROPERTY, RecordFault,
    RecordFormat, RecordItem, RecordedMove, StatedResult,
};
use crate::registry::{Entry, GameStart};
use crate::session::{EarlyEnd, Position, RESIGN};
use crate::text;

/// The deepest that side lines stand in side lines.
pub(super) const MAX_DEPTH: usize = 32;

/// Content of a file before its moves are followed.
pub(super) struct Script {
    pub(super) start: GameStart,
    pub(super) moves: MoveList,
    pub(super) remarks: Vec<(String, String)>,
    pub(super) stated: Option<StatedResult>,
    pub(super) notes: Notes,
    /// Why the file is refused before its first move.
    pub(super) fault: Option<RecordFault>,
    /// `true` if an illegal pair of digits is dropped, and all after the end of the game is noise.
    pub(super) drops: bool,
    /// `true` if all that stands behind the end of the game is noise.
    pub(super) ends_early: bool,
}

/// Follows the moves of a file from its first position.
pub(super) fn follow(script: Script, position: std::sync::Arc<dyn Position>) -> GameRecord {
    let Script { start, moves: script, mut remarks, stated, notes, mut fault, drops, ends_early } = script;
    clean_all(&mut remarks);
    let mut reader = RecordReader {
        tree: GameTree::new(position),
        here: NodeId::ROOT,
        before: None,
        present: None,
        open: Vec::new(),
        notes,
        drops,
        is_list: script.form == RecordFormat::List,
    };
    let items = if fault.is_some() { &[][..] } else { &script.items };
    for item in items {
        let is_over = reader.tree.position(reader.here).outcome().is_some();
        if ends_early && is_over {
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
    let end = reader.open.first().map_or(reader.here, |&(here, ..)| here);
    let RecordReader { mut tree, mut notes, present, .. } = reader;
    tree.reopen_before(end); // who gives up only in a side line goes on in the game
    let (last_line, present) =
        (script.last_line, present.unwrap_or_else(|| present_of(&remarks, &tree, end)));
    remarks.retain(|(key, plies)| key != PRESENT || plies.parse::<usize>().is_err());
    let form = script.form;
    let (notes_of_file, edits) = (Vec::new(), EditHistory::default());
    let mut record = GameRecord {
        start,
        form,
        tree,
        end,
        present,
        remarks,
        stated,
        notes: notes_of_file,
        fault,
        last_line,
        edits,
    };
    record.apply_stated_result(&mut notes);
    record.notes = notes.finish(("pair is dropped", "pairs are dropped"));
    record
}

/// Returns the position before `end` that a remark names as the present one, else the end.
fn present_of(remarks: &[(String, String)], tree: &GameTree, end: NodeId) -> NodeId {
    let named = remarks.iter().filter(|(key, _)| key == PRESENT);
    let plies = named.flat_map(|(_, plies)| plies.parse::<usize>()).next();
    plies.and_then(|plies| tree.ancestors(end).find(|&id| tree.ply(id) == plies)).unwrap_or(end)
}

/// The first cell in letters that a file of digits passes over, if there is one: which word makes the file one of digits,
/// and how it would be read as moves.
pub(super) fn letters_passed_over(text: &str, entry: &'static Entry, on: &dyn Position) -> Option<Note> {
    let in_letters = |word: &str| {
        let mut parts = word.split(|c: char| !c.is_ascii_alphanumeric());
        parts.find(|part| cells(part).is_some_and(|cells| !cells.is_empty())).map(str::to_owned)
    };
    let word = first_word(text, |word| in_letters(word).is_some())?;
    let cell = in_letters(&word.text)?;
    let strange =
        first_word(text, |word| on.read(word).is_err()).map_or_else(|| cell.clone(), |word| word.text);
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
    Some(Note { at: NodeId::ROOT, line: word.line, why: Refusal::new(RefusalCode::NotUnderstood, why) })
}

/// A comment in pieces that are no longer than a person reads.
pub(super) fn in_pieces(comment: &str) -> impl Iterator<Item = String> {
    /// In characters.
    const MAX: usize = 4000;
    let letters: Vec<char> = comment.chars().collect();
    letters.chunks(MAX).map(|piece| piece.iter().collect()).collect::<Vec<String>>().into_iter()
}

/// A tree in the making.
struct RecordReader {
    tree: GameTree,
    here: NodeId,
    /// The position before the last item, where a side line may begin.
    before: Option<NodeId>,
    /// The position at which the game goes on, where a property says so.
    present: Option<NodeId>,
    /// The position to which each open side line goes back, the position before that, and the line of its bracket.
    open: Vec<(NodeId, Option<NodeId>, usize)>,
    notes: Notes,
    drops: bool,
    /// `true` if the moves are a list of another program.
    is_list: bool,
}

impl RecordReader {
    fn take(&mut self, item: &RecordItem) -> Result<(), RecordFault> {
        let wrong = RecordFault::of_file;
        match item {
            RecordItem::Move(noted) => self.play(noted),
            RecordItem::Comment(text) => {
                self.tree.node_mut(self.here).comments.extend(in_pieces(&clean(text)));
                Ok(())
            }
            RecordItem::Property(property) if property.name.is_empty() => Ok(()),
            RecordItem::Property(property) if property.name == PRESENT_PROPERTY => {
                self.present = Some(self.here);
                Ok(())
            }
            RecordItem::Property(property) => {
                let mut property = property.clone();
                property.values.iter_mut().for_each(|value| *value = clean(value));
                self.tree.node_mut(self.here).properties.push(property);
                Ok(())
            }
            &RecordItem::Open(line) => {
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
            &RecordItem::Close(line) if !self.open.is_empty() && self.before.is_none() => {
                Err(wrong(line, "this side line has no moves."))
            }
            &RecordItem::Close(line) => {
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
        let loser = noted.side.filter(|&side| side != to_move && !is_over);
        let early = loser.and_then(|side| EarlyEnd::of_word(&noted.text, side));
        let out_of_turn = early.filter(|early| early.loser().is_some()).map(|early| position.ended(early));
        let next = match out_of_turn.map_or_else(|| position.end_by(&noted.text), |ended| Ok(Some(ended))) {
            // Behind the last move of a game it says nothing new.
            Err(_) if noted.text == RESIGN && is_over && self.is_list => return Ok(()),
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
                let there = self.tree.add(self.here, next, MoveSource::File);
                (self.before, self.here) = (Some(self.here), there);
                Ok(())
            }
            Err(why) => {
                let (code, text) = (why.code, noted.wrong(&why));
                if self.drops {
                    let why = Refusal::new(code, text!("{text}; this pair is skipped"));
                    self.notes.push(Note { at: self.here, line, why });
                    return Ok(());
                }
                let why = Refusal::new(code, text);
                Err(RecordFault { line, why, surplus: is_over.then(|| noted.text.clone()) })
            }
        }
    }
}

/// Cleans what a file says beside its game.
fn clean_all(remarks: &mut [(String, String)]) {
    remarks.iter_mut().flat_map(|(key, value)| [key, value]).for_each(|text| *text = clean(text));
}
