//! Replay of the moves of a list or a text record into a game tree with variations. Problems in the file
//! become notes or a fault.

use crate::game::{NumberMeaning, Refusal, RefusalCode, sanitize_text};
use crate::record::edits::EditHistory;
use crate::record::game_record::{MAX_POSITIONS_PER_FILE, NoteCollector, TOO_MANY_POSITIONS_TEXT};
use crate::record::parse::{find_first_word, split_cells};
use crate::record::{
    GameRecord, GameTree, MoveList, MoveSource, NodeId, PRESENT_PROPERTY, PRESENT_REMARK, RecordFault,
    RecordFormat, RecordItem, RecordNote, RecordedMove, StatedResult,
};
use crate::registry::{GameStart, RegisteredGame};
use crate::session::{EarlyEnd, Position, RESIGN_WORD};
use crate::text;

/// Maximum nesting depth of variations.
pub(super) const MAX_VARIATION_DEPTH: usize = 32;

/// Parsed content of a file before its moves are replayed.
pub(super) struct ReplayScript {
    pub(super) start: GameStart,
    pub(super) moves: MoveList,
    pub(super) remarks: Vec<(String, String)>,
    pub(super) stated: Option<StatedResult>,
    pub(super) notes: NoteCollector,
    /// Fault found before the first move.
    pub(super) fault: Option<RecordFault>,
    /// `true` if illegal pairs of digits are dropped and everything after the end of the game is ignored.
    pub(super) drops: bool,
    /// `true` if everything after the end of the game is ignored.
    pub(super) ends_early: bool,
}

/// Replays the moves of a file from the start position.
pub(super) fn replay_script(script: ReplayScript, position: std::sync::Arc<dyn Position>) -> GameRecord {
    let ReplayScript { start, moves: script, mut remarks, stated, notes, mut fault, drops, ends_early } =
        script;
    sanitize_remarks(&mut remarks);
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
            break; // the rest is ignored
        }
        if let Err(why) = reader.read_item(item) {
            fault = Some(why);
            break;
        }
    }
    if script.has_more && fault.is_none() {
        fault = Some(RecordFault::without_move(script.last_line, TOO_MANY_POSITIONS_TEXT));
    }
    if let (None, Some(&(_, _, line))) = (&fault, reader.open.last()) {
        fault = Some(RecordFault::without_move(line, "this side line is not closed. Add a closing bracket."));
    }
    let end = reader.open.first().map_or(reader.here, |&(here, ..)| here);
    let RecordReader { mut tree, mut notes, present, .. } = reader;
    tree.reopen_ancestors(end); // a resignation in a variation does not end the main line
    let (last_line, present) =
        (script.last_line, present.unwrap_or_else(|| find_present_position(&remarks, &tree, end)));
    remarks.retain(|(key, plies)| key != PRESENT_REMARK || plies.parse::<usize>().is_err());
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
    record.notes = notes.into_notes(("pair is dropped", "pairs are dropped"));
    record
}

/// Returns the position on the line to `end` that a remark names as the current one, or `end` without such a
/// remark.
fn find_present_position(remarks: &[(String, String)], tree: &GameTree, end: NodeId) -> NodeId {
    let named = remarks.iter().filter(|(key, _)| key == PRESENT_REMARK);
    let plies = named.flat_map(|(_, plies)| plies.parse::<usize>()).next();
    plies.and_then(|plies| tree.ancestors(end).find(|&id| tree.ply(id) == plies)).unwrap_or(end)
}

/// Returns a note about the first cell name that a digit file skips. The note quotes the word because of
/// which the file is read as digits, and suggests how to have it read as moves.
pub(super) fn note_skipped_cell(
    text: &str,
    entry: &'static RegisteredGame,
    on: &dyn Position,
) -> Option<RecordNote> {
    let in_letters = |word: &str| {
        let mut parts = word.split(|c: char| !c.is_ascii_alphanumeric());
        parts.find(|part| split_cells(part).is_some_and(|cells| !cells.is_empty())).map(str::to_owned)
    };
    let word = find_first_word(text, |word| in_letters(word).is_some())?;
    let cell = in_letters(&word.text)?;
    let strange = find_first_word(text, |word| on.normalize_move(word).is_err())
        .map_or_else(|| cell.clone(), |word| word.text);
    let others = entry.game_list().iter().filter(|other| other.numbers != NumberMeaning::Digits);
    let flags: Vec<String> = others.map(|other| format!("--game {}", other.name)).collect();
    let more = if split_cells(&strange).is_some() && !flags.is_empty() {
        format!("; use {} to read it as moves", flags.join(" or "))
    } else {
        format!(", and {} is skipped; write moves one by one: a1 b2 c3", Refusal::sanitize_excerpt(&cell))
    };
    let (strange, board) = (Refusal::sanitize_excerpt(&strange), on.view().title());
    let why =
        format!("the file is read as digits (row, column), because {strange} is not a cell of {board}{more}");
    Some(RecordNote { at: NodeId::ROOT, line: word.line, why: Refusal::new(RefusalCode::NotUnderstood, why) })
}

/// Splits a comment into pieces of readable length.
pub(super) fn split_long_comment(comment: &str) -> impl Iterator<Item = String> {
    /// Maximum length of a piece, in characters.
    const MAX_COMMENT_CHARS: usize = 4000;
    let letters: Vec<char> = comment.chars().collect();
    letters.chunks(MAX_COMMENT_CHARS).map(|piece| piece.iter().collect()).collect::<Vec<String>>().into_iter()
}

/// Builder of a game tree from items.
struct RecordReader {
    tree: GameTree,
    here: NodeId,
    /// Position before the last move, where a variation may begin.
    before: Option<NodeId>,
    /// Current position, if a property marks it.
    present: Option<NodeId>,
    /// Stack of open variations: the position to return to, the position before it, and the line of the
    /// bracket.
    open: Vec<(NodeId, Option<NodeId>, usize)>,
    notes: NoteCollector,
    drops: bool,
    /// `true` if the moves are a move list, not a text record.
    is_list: bool,
}

impl RecordReader {
    fn read_item(&mut self, item: &RecordItem) -> Result<(), RecordFault> {
        let wrong = RecordFault::without_move;
        match item {
            RecordItem::Move(noted) => self.play_recorded_move(noted),
            RecordItem::Comment(text) => {
                self.tree.node_mut(self.here).comments.extend(split_long_comment(&sanitize_text(text)));
                Ok(())
            }
            RecordItem::Property(property) if property.name.is_empty() => Ok(()),
            RecordItem::Property(property) if property.name == PRESENT_PROPERTY => {
                self.present = Some(self.here);
                Ok(())
            }
            RecordItem::Property(property) => {
                let mut property = property.clone();
                property.values.iter_mut().for_each(|value| *value = sanitize_text(value));
                self.tree.node_mut(self.here).properties.push(property);
                Ok(())
            }
            &RecordItem::Open(line) => {
                let Some(before) = self.before else {
                    return Err(wrong(line, "a side line has to follow the move that it replaces."));
                };
                if self.open.len() == MAX_VARIATION_DEPTH {
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

    fn play_recorded_move(&mut self, noted: &RecordedMove) -> Result<(), RecordFault> {
        let mut position = self.tree.position(self.here).clone();
        if self.before.is_none() && position.early_end().is_some() {
            position = position.without_early_end(); // a variation in place of the resignation
        }
        let (is_over, to_move) = (position.outcome().is_some(), position.to_move());
        let loser = noted.side.filter(|&side| side != to_move && !is_over);
        let early = loser.and_then(|side| EarlyEnd::from_record_word(&noted.text, side));
        let out_of_turn =
            early.filter(|early| early.loser().is_some()).map(|early| position.with_early_end(early));
        let next =
            match out_of_turn.map_or_else(|| position.end_by_word(&noted.text), |ended| Ok(Some(ended))) {
                // A resignation after the last move of a finished game is redundant.
                Err(_) if noted.text == RESIGN_WORD && is_over && self.is_list => return Ok(()),
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
            return Err(RecordFault::without_move(line, why));
        }
        match next {
            Ok(_) if self.tree.len() >= MAX_POSITIONS_PER_FILE => {
                Err(RecordFault::without_move(line, TOO_MANY_POSITIONS_TEXT))
            }
            Ok(next) => {
                let there = self.tree.add_child(self.here, next, MoveSource::File);
                (self.before, self.here) = (Some(self.here), there);
                Ok(())
            }
            Err(why) => {
                let (code, text) = (why.code, noted.describe_refusal(&why));
                if self.drops {
                    let why = Refusal::new(code, text!("{text}; this pair is skipped"));
                    self.notes.add_note(RecordNote { at: self.here, line, why });
                    return Ok(());
                }
                let why = Refusal::new(code, text);
                Err(RecordFault { line, why, surplus: is_over.then(|| noted.text.clone()) })
            }
        }
    }
}

/// Removes unsafe characters from the remarks.
fn sanitize_remarks(remarks: &mut [(String, String)]) {
    remarks.iter_mut().flat_map(|(key, value)| [key, value]).for_each(|text| *text = sanitize_text(text));
}
