//! Entries of a journal, as they are written and read. This module does not access files.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::game::{JsonMillis, Outcome, Refusal, Side, as_text};
use crate::record::MoveSource;

/// Version of the journal format. Other versions are not read.
pub(super) const JOURNAL_FORMAT: u64 = 1;

/// An entry with its sequence number.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct NumberedEntry<E> {
    pub(super) seq: Option<u64>,
    #[serde(flatten)]
    pub(super) entry: E,
}

/// Entry of a journal, one per line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum JournalEntry {
    Start(Box<StartEntry>),
    Move(MoveEntry),
    Clock {
        id: usize,
        left: [JsonMillis; 2],
    },
    Present {
        id: usize,
        /// Number of edits of an analysis that can be undone in this position.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edits: Option<usize>,
    },
    Main {
        id: usize,
        /// `true` if this is the main line of the imported file.
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
    /// Visible children of a position, in order; its other children are hidden.
    Children {
        id: usize,
        children: Vec<usize>,
    },
    /// Removes all notes of a position; its new notes follow.
    Notes {
        id: usize,
    },
    /// Restarts an analysis without moves from a set-up, or from the usual start position.
    Setup {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<String>,
    },
    Seats {
        seats: [String; 2],
        level: String,
    },
    End(EndEntry),
}

/// First entry: the game, its players and its settings.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct StartEntry {
    pub(super) format: u64,
    pub(super) game: String,
    #[serde(flatten)]
    pub(super) settings: Map<String, Value>,
    /// Set-up position from which the game begins.
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
    pub(super) movetime: Option<JsonMillis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cpu_time: Option<JsonMillis>,
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

/// A move. Positions are numbered in the order in which they were reached.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MoveEntry {
    pub(super) id: usize,
    pub(super) parent: usize,
    pub(super) side: Side,
    #[serde(rename = "move")]
    pub(super) text: String,
    pub(super) by: MoveSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<JsonMillis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left: Option<[JsonMillis; 2]>,
}

/// End of the game in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EndEntry {
    pub(super) id: usize,
    pub(super) by: String,
    pub(super) result: Outcome,
    pub(super) reason: Option<String>,
    /// Kind of the entry; unlike in other entries, it is written last.
    #[serde(skip_deserializing)]
    pub(super) kind: &'static str,
}

impl JournalEntry {
    /// Reads an entry from a JSON object.
    ///
    /// # Errors
    /// Returns an error if a field is missing or has the wrong type.
    pub(super) fn from_object(object: Map<String, Value>) -> Result<Self, String> {
        let read = serde_json::from_value(Value::Object(object));
        read.map_err(|error: serde_json::Error| Refusal::sanitize_path(error.to_string()))
    }
}

impl StartEntry {
    /// Reads the first entry of a journal.
    ///
    /// # Errors
    /// Returns an error if the entry is of another kind, or was written by a newer version.
    pub(super) fn from_object(object: Map<String, Value>) -> Result<Self, String> {
        let has = |key: &str, value: Value| object.get(key) == Some(&value);
        if has("kind", "start".into()) && !has("format", JOURNAL_FORMAT.into()) {
            return Err("the game was saved by a newer version of crosspath".to_owned());
        }
        match JournalEntry::from_object(object)? {
            JournalEntry::Start(start) => Ok(*start),
            _ => Err("the first line is not the start of a game".to_owned()),
        }
    }
}
