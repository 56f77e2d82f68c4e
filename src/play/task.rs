//! A mistake of yours to practise, the tries at it, and the day on which it comes up again. Reads
//! no clock and no file: the day comes from outside.

use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::game::{Refusal, Side, as_text};
use crate::random::mix;
use crate::record::{GameTree, MoveSource, NodeId};
use crate::registry::{Entry, GameStart, Variant, find_in};

/// Blunder, with the position before it and the better move.
///
/// A task is one line in the file of mistakes, so its fields are part of that format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// ID: a hash of the position before the move and of the move, in 16 hexadecimal digits.
    pub id: String,
    /// Start of the game, and the moves before the mistake.
    #[serde(flatten)]
    pub before: Before,
    /// Side that moved.
    pub side: Side,
    /// Move that was played.
    pub played: String,
    /// Line with which the opponent punishes it, as far as a review knows.
    pub refutation: Vec<String>,
    /// The better move.
    pub better: String,
    /// Main line of the better move, which it begins.
    pub line: Vec<String>,
    /// Win chance with the better move, from 0 to 1.
    pub chance: f64,
    /// Win chance that was left, from 0 to 1.
    pub left: f64,
    /// Source of the task.
    #[serde(flatten)]
    pub origin: Origin,
}

/// Position as the moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// Name of the game.
    pub game: String,
    /// Settings of its board, as records write them.
    #[doc(hidden)] // read from files by the program, and made by its tests
    pub settings: Map<String, Value>,
    /// Position from which it began, if that was set up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// Source of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// ID of the saved game, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    /// Day on which the mistake was found.
    #[serde(with = "as_text")]
    pub day: Date,
    /// `true` if only the quick review at the end of a game has judged it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_quick: bool,
    /// Positions searched for the judgement; a review that searched fewer does not replace it.
    #[serde(default)]
    pub nodes: u64,
}

/// First try at a task when it came up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Try {
    /// ID of the task.
    pub task: String,
    /// The move; `None` where the solution was shown.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// `true` if the move was right.
    #[serde(rename = "right")]
    pub is_right: bool,
    /// Day of the try.
    #[serde(with = "as_text")]
    pub day: Date,
}

/// Task that can be shown: the moves before it in a tree, and the played one after them.
#[derive(Clone, Debug)]
pub struct OpenTask {
    /// Start of the game.
    pub start: GameStart,
    /// Tree of the moves, which count as those of a file.
    pub tree: GameTree,
    /// Position before the mistake.
    pub base: NodeId,
    /// Position after the move that was played.
    pub played: NodeId,
}

impl Before {
    /// Returns the hash that names the task of this move in this position.
    #[must_use]
    pub fn id(&self, played: &str) -> String {
        let text = serde_json::to_string(&(self, played)).unwrap_or_default(); // it has no other keys than strings
        format!("{:016x}", text.bytes().fold(0, |hash, byte| mix(hash, byte.into())))
    }
}

impl Task {
    /// Returns the number of the move in its game, from 1.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.before.moves.len() + 1
    }

    /// Plays the moves of the task, of one of these games.
    ///
    /// # Errors
    /// Says why the game cannot be opened or a move is not legal.
    pub fn open(&self, games: &'static [Entry]) -> Result<OpenTask, String> {
        let Before { game, settings, position, moves } = &self.before;
        let entry = find_in(games, game).map_err(|error| error.to_string())?;
        let known = settings.iter().filter(|(key, _)| entry.setting_of(key).is_some());
        let variant = known
            .fold(Variant::default(), |all, (key, value)| all.with(key, value.as_str().unwrap_or_default()));
        let start = match position {
            Some(text) => GameStart::of_text(entry, variant, text),
            None => Ok(GameStart::new(entry, variant)),
        };
        let start = start.map_err(|error| error.to_string())?;
        let mut tree = GameTree::new(start.position().map_err(|error| error.to_string())?);
        let why = |refusal: Refusal| refusal.reason().into_string();
        let mut base = NodeId::ROOT;
        for text in moves {
            base = tree.play(base, text, MoveSource::File).map_err(why)?;
        }
        let played = tree.play(base, &self.played, MoveSource::File).map_err(why)?;
        Arc::clone(tree.position(base)).play(&self.better).map_err(why)?;
        Ok(OpenTask { start, tree, base, played })
    }

    /// Returns the day on which the task comes up again after these tries, the oldest first; `None`
    /// once it is learnt.
    ///
    /// A new task comes up at once. After a right answer it waits a day, then a week, then a month,
    /// and after the fourth it is learnt. After a wrong answer it comes up the next day. An answer
    /// before the day counts only if it is wrong.
    ///
    /// A try on a day after `today` means that the clock was set back since: it counts as made
    /// today.
    #[must_use]
    pub fn due(&self, tries: &[Try], today: Date) -> Option<Date> {
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

/// Task with the tries at it.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The task.
    pub task: Task,
    /// First try each time it came up, the oldest first.
    pub tries: Vec<Try>,
}

impl Known {
    /// Returns the day on which it comes up again; `None` once it is learnt.
    #[must_use]
    pub fn due(&self, today: Date) -> Option<Date> {
        self.task.due(&self.tries, today)
    }

    /// Reports whether it comes up on this day.
    #[must_use]
    pub fn is_due(&self, today: Date) -> bool {
        self.due(today).is_some_and(|due| due <= today)
    }
}
