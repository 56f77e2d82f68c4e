//! A game as a file tells it: the tree of its moves, what is said about it, and what could not be read. Knows no form of
//! file.

use std::fmt::Write as _;

use crate::game::{Outcome, Refusal, RefusalCode};
use crate::record::edits::EditHistory;
use crate::record::{GameTree, MoveSource, NodeId, RecordFormat};
use crate::registry::GameStart;
use crate::session::{EarlyEnd, LossReason};
use crate::text::Text;

/// The most positions of a file: far more than any game has, few enough for memory.
pub(super) const MAX_POSITIONS: usize = 12_000;

/// Said of a file that no game can fill.
pub(super) const TOO_MUCH: &str = "the file has too many moves. At most 12,000 positions can be read.";

/// Properties of SGF that mark cells.
pub(super) const MARKS: [&str; 5] = ["LB", "TR", "CR", "SQ", "MA"];

/// The remark that holds the result, as a text record or an SGF file states it.
pub(crate) const RESULT: &str = "result";

/// The most notes about one file.
const MAX_NOTES: usize = 20;

/// Something about a file that a reader should know, although its game can be read.
#[derive(Clone, Debug)]
pub struct Note {
    /// The position at which it matters.
    pub at: NodeId,
    /// Its line in the file, from 1.
    pub line: usize,
    /// Content of the note.
    pub why: Refusal,
}

/// Notes as they are taken: the first ones are kept, the others counted.
#[derive(Debug, Default)]
pub(super) struct Notes {
    kept: Vec<Note>,
    others: usize,
}

impl Notes {
    pub(super) fn take(&mut self, at: NodeId, line: usize, why: impl Into<Text>) {
        self.push(Note { at, line, why: Refusal::new(RefusalCode::File, why) });
    }

    pub(super) fn push(&mut self, note: Note) {
        if self.kept.len() < MAX_NOTES {
            self.kept.push(note);
        } else {
            self.others += 1;
        }
    }

    /// The notes, and one that counts those that were not kept, as `MORE pairs are dropped`.
    pub(super) fn finish(mut self, (one, many): (&str, &str)) -> Vec<Note> {
        if let Some(last) = self.kept.last().cloned().filter(|_| self.others > 0) {
            let what = if self.others == 1 { one } else { many };
            let why = Refusal::new(last.why.code, format!("{} more {what}", self.others));
            self.kept.push(Note { why, ..last });
        }
        self.kept
    }
}

/// Returns the index, from 0, of the wanted game of a file with `count` games, with a note where there are several and
/// none was named.
///
/// # Errors
/// If the file has no game of this number.
pub(super) fn choose(count: usize, number: Option<usize>) -> Result<(usize, Notes), String> {
    let mut notes = Notes::default();
    if count > 1 && number.is_none() {
        let why = format!(
            "the file has {count} games; this is the first. Open another with --game-number N, or with load FILE N at the board"
        );
        notes.take(NodeId::ROOT, 1, why);
    }
    let number = number.unwrap_or(1);
    let index = number.checked_sub(1).filter(|&index| index < count);
    index.map(|index| (index, notes)).ok_or_else(|| no_game(count, number))
}

/// Returns why there is no game of this number, which is 0 or greater than `count`.
pub(super) fn no_game(count: usize, number: usize) -> String {
    let games = if count == 1 { "1 game".to_owned() } else { format!("{count} games") };
    format!("the file has {games}; there is no game {number}")
}

/// Fault that ends the reading of a file's moves.
///
/// ```
/// use crosspath::record::{Hint, load};
/// let game = load(b"# crosspath tic-tac-toe size=3\n1. b2 b2\n", &Hint::default())?;
/// let fault = game.fault.ok_or("the cell is taken")?;
/// assert_eq!(fault.line, 2);
/// assert_eq!(game.tree.position(game.end).played(), ["b2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordFault {
    /// The line, from 1.
    pub line: usize,
    /// Reason of the fault, for those who look into the file.
    pub why: Refusal,
    /// The move that comes although the game is over.
    pub surplus: Option<String>,
}

impl RecordFault {
    /// Returns a fault of the file itself, not of a move.
    pub(super) fn of_file(line: usize, text: impl Into<Text>) -> Self {
        RecordFault { line, why: Refusal::new(RefusalCode::File, text), surplus: None }
    }
}

/// The result that a file states beside its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedResult {
    /// The result.
    pub outcome: Outcome,
    /// Why the other side lost, if the board does not show it.
    pub reason: LossReason,
}

impl StatedResult {
    /// Returns a result of which the file gives no reason.
    pub(super) fn of(outcome: Outcome) -> Self {
        StatedResult { outcome, reason: LossReason::Untold }
    }
}

/// Returns the remarks of a file beside its moves that are still true where the game stands at `present`: a remark
/// about the result of an open game holds as long as its main line ends there.
pub(crate) fn lasting_remarks(
    tree: &GameTree,
    present: NodeId,
    remarks: &[(String, String)],
) -> Vec<(String, String)> {
    let end = tree.written_line(present).last().copied().unwrap_or(NodeId::ROOT);
    let is_open = tree.position(end).outcome().is_none() && tree.children(end).is_empty();
    let is_of_file = end == NodeId::ROOT || tree.node(end).by == MoveSource::File;
    remarks.iter().filter(|(key, _)| key != RESULT || is_open && is_of_file).cloned().collect()
}

/// A game as a file tells it.
///
/// ```
/// use crosspath::record::{Hint, load};
/// let game = load(b"# crosspath tic-tac-toe size=3\n1. b2 a1\n", &Hint::default())?;
/// assert!(game.fault.is_none() && game.notes.is_empty());
/// assert_eq!(game.tree.len(), 3, "the start and two moves");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The game, its board and the position from which it begins.
    pub start: GameStart,
    /// The form of the file.
    pub form: RecordFormat,
    /// The moves.
    pub tree: GameTree,
    /// The last position of the main line, as far as it can be followed.
    pub end: NodeId,
    /// Position at which the game goes on; before the end if moves were taken back.
    pub present: NodeId,
    /// Remarks of the file beside the game: the players' names and the like.
    pub remarks: Vec<(String, String)>,
    /// The result that the file states.
    pub stated: Option<StatedResult>,
    /// Notes about the file for those who open it, in the order of the file.
    pub notes: Vec<Note>,
    /// Fault that ends the moves, if there is one.
    pub fault: Option<RecordFault>,
    /// The last line of the file, from 1.
    pub last_line: usize,
    /// Edits that can be undone and redone, of a saved analysis.
    pub edits: EditHistory,
}

impl GameRecord {
    /// Ends the main line as the file states, where the board does not say it.
    pub(crate) fn restate_result(&mut self) {
        self.apply_stated_result(&mut Notes::default());
    }

    /// Ends the main line as the file states, where the board does not say it; notes a result that the moves contradict.
    pub(super) fn apply_stated_result(&mut self, notes: &mut Notes) {
        let (Some(stated), None) = (self.stated, &self.fault) else { return };
        let position = self.tree.position(self.end).clone();
        let winner = stated.outcome.winner();
        match (position.outcome(), winner) {
            (None, Some(winner)) => {
                let early = EarlyEnd::Lost(winner.other(), stated.reason);
                self.tree.set_position(self.end, position.ended(early));
            }
            (Some(there), Some(winner)) if there == stated.outcome => {
                // Some programs write every early end as a resignation, and the reason beside it.
                let resigned = EarlyEnd::Lost(winner.other(), LossReason::Resigned);
                if position.early() == Some(resigned) && stated.reason != LossReason::Untold {
                    let early = EarlyEnd::Lost(winner.other(), stated.reason);
                    self.tree.set_position(self.end, position.ended(early));
                }
            }
            (Some(there), _) if there != stated.outcome => {
                let mut why = "the result stated in the file differs from that of its moves; ".to_owned();
                let _ = match there.winner() {
                    Some(side) => write!(why, "{} wins", position.side_name(side)),
                    None => write!(why, "the game is a draw"),
                };
                notes.take(self.end, self.last_line, why);
            }
            (None, None) => {
                notes.take(self.end, self.last_line, "the file says that the game was drawn before its end");
            }
            _ => {}
        }
    }
}
