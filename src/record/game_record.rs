//! A game read from a file: the tree of its moves, remarks, notes and faults. This module does not depend on
//! file formats.

use std::fmt::Write as _;

use crate::game::{Outcome, Refusal, RefusalCode};
use crate::record::edits::EditHistory;
use crate::record::{GameTree, MoveSource, NodeId, RecordFormat};
use crate::registry::GameStart;
use crate::session::{EarlyEnd, LossReason};
use crate::text::Text;

/// Maximum number of positions in a file, more than any game has.
pub(super) const MAX_POSITIONS_PER_FILE: usize = 12_000;

/// Message about a file with too many positions.
pub(super) const TOO_MANY_POSITIONS_TEXT: &str =
    "the file has too many moves. At most 12,000 positions can be read.";

/// SGF properties that mark cells.
pub(super) const SGF_MARK_PROPERTIES: [&str; 5] = ["LB", "TR", "CR", "SQ", "MA"];

/// Key of the remark with the result, as a text record or an SGF file states it.
pub(crate) const RESULT_REMARK: &str = "result";

/// Maximum number of notes about one file.
const MAX_NOTES_PER_FILE: usize = 20;

/// Note about a problem in a file whose game can be read nevertheless.
///
/// ```
/// use crosspath::record::{RecordReadOptions, load_game};
/// let two_games = b"(;GM[11]SZ[5];B[c3])(;GM[11]SZ[5];B[b2])";
/// let game = load_game(two_games, &RecordReadOptions::default())?;
/// assert_eq!((game.notes.len(), game.notes[0].line), (1, 1));
/// assert!(game.notes[0].why.to_string().starts_with("the file has 2 games; this is the first"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordNote {
    /// Position to which the note belongs.
    pub at: NodeId,
    /// Line of the file, from 1.
    pub line: usize,
    /// Text of the note.
    pub why: Refusal,
}

/// Collector of notes. It keeps the first notes and counts the others.
#[derive(Debug, Default)]
pub(super) struct NoteCollector {
    kept: Vec<RecordNote>,
    others: usize,
}

impl NoteCollector {
    pub(super) fn add_text(&mut self, at: NodeId, line: usize, why: impl Into<Text>) {
        self.add_note(RecordNote { at, line, why: Refusal::new(RefusalCode::File, why) });
    }

    pub(super) fn add_note(&mut self, note: RecordNote) {
        if self.kept.len() < MAX_NOTES_PER_FILE {
            self.kept.push(note);
        } else {
            self.others += 1;
        }
    }

    /// Returns the notes. A last one counts the omitted notes, if there are any: `3 more pairs are dropped`.
    pub(super) fn into_notes(mut self, (one, many): (&str, &str)) -> Vec<RecordNote> {
        if let Some(last) = self.kept.last().cloned().filter(|_| self.others > 0) {
            let what = if self.others == 1 { one } else { many };
            let why = Refusal::new(last.why.code, format!("{} more {what}", self.others));
            self.kept.push(RecordNote { why, ..last });
        }
        self.kept
    }
}

/// Returns the index, from 0, of the requested game of a file with `count` games. Adds a note if there are
/// several games and no number was given.
///
/// # Errors
/// Returns an error if the file has no game with this number.
pub(super) fn select_game(count: usize, number: Option<usize>) -> Result<(usize, NoteCollector), String> {
    let mut notes = NoteCollector::default();
    if count > 1 && number.is_none() {
        let why = format!(
            "the file has {count} games; this is the first. Open another with --game-number N, or with load FILE N at the board"
        );
        notes.add_text(NodeId::ROOT, 1, why);
    }
    let number = number.unwrap_or(1);
    let index = number.checked_sub(1).filter(|&index| index < count);
    index.map(|index| (index, notes)).ok_or_else(|| no_such_game_text(count, number))
}

/// Returns the message about a game number that is 0 or greater than `count`.
pub(super) fn no_such_game_text(count: usize, number: usize) -> String {
    let games = if count == 1 { "1 game".to_owned() } else { format!("{count} games") };
    format!("the file has {games}; there is no game {number}")
}

/// Fault at which the reading of a file's moves stops.
///
/// ```
/// use crosspath::record::{RecordReadOptions, load_game};
/// let game = load_game(b"# crosspath tic-tac-toe size=3\n1. b2 b2\n", &RecordReadOptions::default())?;
/// let fault = game.fault.ok_or("the cell is taken")?;
/// assert_eq!(fault.line, 2);
/// assert_eq!(game.tree.position(game.end).played_moves(), ["b2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordFault {
    /// Line of the file, from 1.
    pub line: usize,
    /// Description of the fault.
    pub why: Refusal,
    /// Move that follows the end of the game, if that is the fault.
    pub surplus: Option<String>,
}

impl RecordFault {
    /// Returns a fault of the file itself, not of a move.
    pub(super) fn without_move(line: usize, text: impl Into<Text>) -> Self {
        RecordFault { line, why: Refusal::new(RefusalCode::File, text), surplus: None }
    }
}

/// Result that a file states in addition to its moves.
///
/// ```
/// use crosspath::game::{Outcome, Side};
/// use crosspath::record::{RecordReadOptions, StatedResult, load_game};
/// use crosspath::session::LossReason;
/// let game = load_game(b"(;GM[11]SZ[5]RE[B+R];B[c3])", &RecordReadOptions::default())?;
/// let stated = StatedResult { outcome: Outcome::Win(Side::First), reason: LossReason::Resigned };
/// assert_eq!(game.stated, Some(stated), "Black, who moves first, won by resignation");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedResult {
    /// Outcome of the game.
    pub outcome: Outcome,
    /// Reason for the loss, if the board does not show it.
    pub reason: LossReason,
}

impl StatedResult {
    /// Returns a result without a reason.
    pub(super) fn without_reason(outcome: Outcome) -> Self {
        StatedResult { outcome, reason: LossReason::Unstated }
    }
}

/// Returns the remarks of a file that still hold for the current game. A remark about the result of an
/// unfinished game holds as long as its main line ends at the same position.
pub(crate) fn still_valid_remarks(
    tree: &GameTree,
    present: NodeId,
    remarks: &[(String, String)],
) -> Vec<(String, String)> {
    let end = tree.written_line(present).last().copied().unwrap_or(NodeId::ROOT);
    let is_open = tree.position(end).outcome().is_none() && tree.children(end).is_empty();
    let is_of_file = end == NodeId::ROOT || tree.node(end).by == MoveSource::File;
    remarks.iter().filter(|(key, _)| key != RESULT_REMARK || is_open && is_of_file).cloned().collect()
}

/// A game read from a file.
///
/// ```
/// use crosspath::record::{RecordReadOptions, load_game};
/// let game = load_game(b"# crosspath tic-tac-toe size=3\n1. b2 a1\n", &RecordReadOptions::default())?;
/// assert!(game.fault.is_none() && game.notes.is_empty());
/// assert_eq!(game.tree.len(), 3, "the start and two moves");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Game, board and start position.
    pub start: GameStart,
    /// Format of the file.
    pub form: RecordFormat,
    /// Tree of the moves.
    pub tree: GameTree,
    /// Last position of the main line that could be replayed.
    pub end: NodeId,
    /// Current position. It is before the end if moves were undone.
    pub present: NodeId,
    /// Remarks of the file as keys and values, such as the players' names.
    pub remarks: Vec<(String, String)>,
    /// Result that the file states.
    pub stated: Option<StatedResult>,
    /// Notes about problems in the file, in the order of the file.
    pub notes: Vec<RecordNote>,
    /// Fault that stopped the reading, if there is one.
    pub fault: Option<RecordFault>,
    /// Number of the last line of the file, from 1.
    pub last_line: usize,
    /// Undo history of a saved analysis.
    pub edits: EditHistory,
}

impl GameRecord {
    /// Applies the stated result to an unfinished main line.
    pub(crate) fn restate_result(&mut self) {
        self.apply_stated_result(&mut NoteCollector::default());
    }

    /// Applies the stated result to an unfinished main line, and adds a note if the moves contradict the
    /// result.
    pub(super) fn apply_stated_result(&mut self, notes: &mut NoteCollector) {
        let (Some(stated), None) = (self.stated, &self.fault) else { return };
        let position = self.tree.position(self.end).clone();
        let winner = stated.outcome.winner();
        match (position.outcome(), winner) {
            (None, Some(winner)) => {
                let early = EarlyEnd::Lost(winner.other(), stated.reason);
                self.tree.set_position(self.end, position.with_early_end(early));
            }
            (Some(there), Some(winner)) if there == stated.outcome => {
                // Some programs write every early end as a resignation and give the reason in the result.
                let resigned = EarlyEnd::Lost(winner.other(), LossReason::Resigned);
                if position.early_end() == Some(resigned) && stated.reason != LossReason::Unstated {
                    let early = EarlyEnd::Lost(winner.other(), stated.reason);
                    self.tree.set_position(self.end, position.with_early_end(early));
                }
            }
            (Some(there), _) if there != stated.outcome => {
                let mut why = "the result stated in the file differs from that of its moves; ".to_owned();
                let _ = match there.winner() {
                    Some(side) => write!(why, "{} wins", position.side_name(side)),
                    None => write!(why, "the game is a draw"),
                };
                notes.add_text(self.end, self.last_line, why);
            }
            (None, None) => {
                notes.add_text(
                    self.end,
                    self.last_line,
                    "the file says that the game was drawn before its end",
                );
            }
            _ => {}
        }
    }
}
