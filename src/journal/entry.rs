//! The entries of a journal: what a line says, as it is written and read. Knows no files.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::game::{Millis, Outcome, Refusal, Side, as_text};
use crate::record::MoveSource;

/// The format that is written, and the only one that is read.
pub(super) const FORMAT: u64 = 1;

/// An entry with its number in front.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Numbered<E> {
    pub(super) seq: Option<u64>,
    #[serde(flatten)]
    pub(super) entry: E,
}

/// Content of a line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum JournalEntry {
    Start(Box<Start>),
    Move(PlayedMove),
    Clock {
        id: usize,
        left: [Millis; 2],
    },
    Present {
        id: usize,
        /// Number of edits of an analysis that can be undone there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edits: Option<usize>,
    },
    Main {
        id: usize,
        /// `true` if it is the main line of the file that the game comes from.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_of_file: bool,
    },
    Comment {
        id: usize,
        text: String,
    },
    Property {
        id: usize,
        name: String,
        values: Vec<String>,
    },
    /// The positions that follow one, in their order; others are hidden.
    Children {
        id: usize,
        children: Vec<usize>,
    },
    /// Whatever was noted at a position before is gone; what is noted now follows.
    Notes {
        id: usize,
    },
    /// An analysis begins anew, without moves, from this set-up; from the usual position if there is none.
    Setup {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<String>,
    },
    Seats {
        seats: [String; 2],
        level: String,
    },
    End(End),
}

/// The game, and how it is played.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Start {
    pub(super) format: u64,
    pub(super) game: String,
    #[serde(flatten)]
    pub(super) settings: Map<String, Value>,
    /// The set-up from which it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) position: Option<String>,
    pub(super) mode: u8,
    pub(super) seats: [String; 2],
    pub(super) level: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) movetime: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cpu_time: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time_over: Option<String>,
    #[serde(with = "as_text")]
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) version: String,
    #[serde(default)]
    pub(super) started: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<(String, String)>,
}

/// A move. Positions are numbered in the order in which they came.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PlayedMove {
    pub(super) id: usize,
    pub(super) parent: usize,
    pub(super) side: Side,
    #[serde(rename = "move")]
    pub(super) text: String,
    pub(super) by: MoveSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left: Option<[Millis; 2]>,
}

/// End of the game in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct End {
    pub(super) id: usize,
    pub(super) by: String,
    pub(super) result: Outcome,
    pub(super) reason: Option<String>,
    /// Written behind the rest, unlike the kinds of other entries.
    #[serde(skip_deserializing)]
    pub(super) kind: &'static str,
}

impl JournalEntry {
    /// Reads an entry.
    ///
    /// # Errors
    /// If it lacks a field or has another form.
    pub(super) fn read(object: Map<String, Value>) -> Result<Self, String> {
        let read = serde_json::from_value(Value::Object(object));
        read.map_err(|error: serde_json::Error| Refusal::shown_path(error.to_string()))
    }
}

impl Start {
    /// Reads the first entry of a journal.
    ///
    /// # Errors
    /// If it is something else, or another version has written it otherwise.
    pub(super) fn read(object: Map<String, Value>) -> Result<Self, String> {
        let has = |key: &str, value: Value| object.get(key) == Some(&value);
        if has("kind", "start".into()) && !has("format", FORMAT.into()) {
            return Err("the game was saved by a newer version of crosspath".to_owned());
        }
        match JournalEntry::read(object)? {
            JournalEntry::Start(start) => Ok(*start),
            _ => Err("the first line is not the start of a game".to_owned()),
        }
    }
}
