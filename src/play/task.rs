//! Practice tasks made from the player's mistakes: the tries at a task, and its next due day.
//!
//! This module reads neither a clock nor a file. Callers pass the day.

use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::game::{Refusal, Side, as_text};
use crate::random::mix_seed;
use crate::record::{GameTree, MoveSource, NodeId};
use crate::registry::{GameStart, RegisteredGame, Variant, find_game_in};

/// Practice task: a blunder, with the position before it and the better move.
///
/// A task is one line in the file of mistakes, so its fields are part of that format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PracticeTask {
    /// ID: 16 hexadecimal digits, a hash of the position and the played move.
    pub id: String,
    /// Position before the mistake.
    #[serde(flatten)]
    pub before: TaskPosition,
    /// Side that made the mistake.
    pub side: Side,
    /// Played move, the mistake.
    pub played: String,
    /// Opponent's refutation of the mistake, as far as a review has found it.
    pub refutation: Vec<String>,
    /// Better move, the solution.
    pub better: String,
    /// Principal variation, starting with the better move.
    pub line: Vec<String>,
    /// Win chance with the better move, from 0 to 1.
    pub chance: f64,
    /// Win chance after the mistake, from 0 to 1.
    pub left: f64,
    /// Origin of the task.
    #[serde(flatten)]
    pub origin: TaskOrigin,
}

/// Position of a task, stored as a start position and the moves from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskPosition {
    /// Name of the game.
    pub game: String,
    /// Board settings, as in records.
    #[doc(hidden)] // read from files by the program, and made by its tests
    pub settings: Map<String, Value>,
    /// Start position; `None` for the standard start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves from the start position.
    pub moves: Vec<String>,
}

/// Origin of a task: the game and the review that found it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskOrigin {
    /// ID of the saved game, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    /// Day on which the mistake was found.
    #[serde(with = "as_text")]
    pub day: Date,
    /// `true` if the task comes from a quick review.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_quick: bool,
    /// Nodes searched for the evaluation; a review with fewer nodes does not replace the task.
    #[serde(default)]
    pub nodes: u64,
}

/// Player's first try at a task on a day when the task was due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskAttempt {
    /// ID of the task.
    pub task: String,
    /// Tried move; `None` if the solution was shown.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// `true` if the move was right.
    #[serde(rename = "right")]
    pub is_right: bool,
    /// Day of the try.
    #[serde(with = "as_text")]
    pub day: Date,
}

/// Task opened for display: a tree with the moves up to the mistake.
#[derive(Clone, Debug)]
pub struct OpenTask {
    /// Start position of the game.
    pub start: GameStart,
    /// Tree of the moves, which count as imported.
    pub tree: GameTree,
    /// Position before the mistake.
    pub base: NodeId,
    /// Position after the mistake.
    pub played: NodeId,
}

impl TaskPosition {
    /// Returns the ID of the task for this position and played move.
    #[must_use]
    pub fn task_id(&self, played: &str) -> String {
        let text = serde_json::to_string(&(self, played)).unwrap_or_default(); // all keys are strings
        format!("{:016x}", text.bytes().fold(0, |hash, byte| mix_seed(hash, byte.into())))
    }
}

impl PracticeTask {
    /// Returns the move number of the mistake, from 1.
    #[must_use]
    pub fn move_number(&self) -> usize {
        self.before.moves.len() + 1
    }

    /// Opens the task by playing its moves; `games` lists the known games.
    ///
    /// # Errors
    /// Fails with the reason if the game is unknown or a move is not legal.
    pub fn open(&self, games: &'static [RegisteredGame]) -> Result<OpenTask, String> {
        let TaskPosition { game, settings, position, moves } = &self.before;
        let entry = find_game_in(games, game).map_err(|error| error.to_string())?;
        let known = settings.iter().filter(|(key, _)| entry.find_setting(key).is_some());
        let variant = known.fold(Variant::default(), |all, (key, value)| {
            all.with_setting(key, value.as_str().unwrap_or_default())
        });
        let start = match position {
            Some(text) => GameStart::from_position_text(entry, variant, text),
            None => Ok(GameStart::new(entry, variant)),
        };
        let start = start.map_err(|error| error.to_string())?;
        let mut tree = GameTree::new(start.position().map_err(|error| error.to_string())?);
        let why = |refusal: Refusal| refusal.reason().into_string();
        let mut base = NodeId::ROOT;
        for text in moves {
            base = tree.play_move(base, text, MoveSource::File).map_err(why)?;
        }
        let played = tree.play_move(base, &self.played, MoveSource::File).map_err(why)?;
        Arc::clone(tree.position(base)).play(&self.better).map_err(why)?;
        Ok(OpenTask { start, tree, base, played })
    }

    /// Returns the day on which the task is next due; `None` once it is learnt. `tries` start with
    /// the oldest.
    ///
    /// A new task is due at once. After a right answer it is due again in a day, then a week, then a
    /// month; after the fourth in a row it is learnt. After a wrong answer it is due the next day. An
    /// early answer counts only if it is wrong.
    ///
    /// A try dated after `today`, as after a change of the system clock, counts as made today.
    #[must_use]
    pub fn due_date(&self, tries: &[TaskAttempt], today: Date) -> Option<Date> {
        let (mut rights, mut due) = (0, Some(self.origin.day.min(today)));
        for made in tries {
            let day = made.day.min(today);
            if made.is_right && due.is_none_or(|due| day < due) {
                continue;
            }
            rights = if made.is_right { rights + 1 } else { 0 };
            let wait = match rights {
                0 | 1 => 1.day(),
                2 => 1.week(),
                3 => 1.month(),
                _ => {
                    due = None;
                    continue;
                }
            };
            due = Some(day.saturating_add(wait));
        }
        due
    }
}

/// Task with the history of tries at it.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskHistory {
    /// Practice task.
    pub task: PracticeTask,
    /// First try on each day when the task was due, oldest first.
    pub tries: Vec<TaskAttempt>,
}

impl TaskHistory {
    /// Returns the day on which the task is next due; `None` once it is learnt.
    #[must_use]
    pub fn due_date(&self, today: Date) -> Option<Date> {
        self.task.due_date(&self.tries, today)
    }

    /// Reports whether the task is due on this day.
    #[must_use]
    pub fn is_due_on(&self, today: Date) -> bool {
        self.due_date(today).is_some_and(|due| due <= today)
    }
}
