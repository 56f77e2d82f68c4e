//! JSON fields shared by job files, shards and games files.
//!
//! Parse errors name the invalid field.

use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;

use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::ai::Limits;
use crate::game::{JsonMillis, Refusal, as_text};
use crate::registry::{self, RegisteredGame, Variant, settings_to_json};

/// Version of the job file format.
pub(in crate::arena) const JOB_SCHEMA_VERSION: u64 = 1;

/// A permanent error in a job file or in one of its shards. Retrying does not help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ArenaJobError(pub String);

impl ArenaJobError {
    /// Creates an error with this message.
    pub(in crate::arena) fn new(why: impl Display) -> Self {
        ArenaJobError(why.to_string())
    }
}

/// Fields common to all kinds of jobs.
///
/// They come first in a job file. Shard headers contain them too.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(expecting = "a JSON object")]
pub(in crate::arena) struct JobHeader {
    pub(in crate::arena) crosspath: String,
    pub(in crate::arena) schema: u64,
    pub(in crate::arena) kind: String,
    #[serde(with = "as_text")]
    pub(in crate::arena) seed: u64,
    pub(in crate::arena) units: u32,
    pub(in crate::arena) game: String,
    settings: Option<BoardSettingsJson>,
}

impl JobHeader {
    /// Creates the header of a job on this board, which must be valid.
    pub(in crate::arena) fn new(
        kind: &str,
        seed: u64,
        units: u32,
        (entry, variant): (&RegisteredGame, &Variant),
    ) -> Self {
        let board = entry.resolve_board(variant).expect("this board was opened before");
        JobHeader {
            crosspath: "job".to_owned(),
            schema: JOB_SCHEMA_VERSION,
            kind: kind.to_owned(),
            seed,
            units,
            game: entry.name.to_owned(),
            settings: Some(BoardSettingsJson(settings_to_json(&board.record_settings()))),
        }
    }

    /// Looks up the game and builds the variant of its board from the settings.
    pub(in crate::arena) fn find_board(
        &self,
        games: &'static [RegisteredGame],
    ) -> Result<(&'static RegisteredGame, Variant), ArenaJobError> {
        let entry = registry::find_game_in(games, &self.game).map_err(ArenaJobError::new)?;
        let mut variant = Variant::default();
        for (key, value) in self.settings.iter().flat_map(|BoardSettingsJson(all)| all) {
            if !set_variant_from_json(&mut variant, key, value) {
                let key = Refusal::sanitize_excerpt(key);
                return Err(ArenaJobError(format!(
                    "the setting {key:?} must be a string, a number, true or false"
                )));
            }
        }
        entry.resolve_board(&variant).map_err(ArenaJobError::new)?;
        Ok((entry, variant))
    }
}

/// Board settings in JSON.
///
/// Deserialization rejects duplicate keys, of which most JSON parsers silently keep only the last.
#[derive(Clone, Debug, Serialize)]
struct BoardSettingsJson(Map<String, Value>);

impl<'de> Deserialize<'de> for BoardSettingsJson {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct SettingsVisitor;
        impl<'de> Visitor<'de> for SettingsVisitor {
            type Value = BoardSettingsJson;

            fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str("settings such as {\"size\":11}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BoardSettingsJson, A::Error> {
                let mut settings = Map::new();
                while let Some((key, value)) = map.next_entry::<String, Value>()? {
                    if settings.insert(key.clone(), value).is_some() {
                        return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
                    }
                }
                Ok(BoardSettingsJson(settings))
            }
        }
        from.deserialize_map(SettingsVisitor)
    }
}

/// Parses a JSON object of a job or shard. The error names the invalid field.
pub(in crate::arena) fn parse_json_object<T: DeserializeOwned>(text: &[u8]) -> Result<T, ArenaJobError> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let is_data = error.inner().is_data();
        if is_data { error.to_string() } else { format!("not a JSON object: {}", error.inner()) }
    });
    let whole = read.and_then(|read| json.end().map(|()| read).map_err(|error| error.to_string()));
    whole.map_err(|why| {
        // Rust type names mean nothing to users.
        let why = why
            .replace("expected u64", "expected a whole number")
            .replace("expected f64", "expected a number");
        ArenaJobError(Refusal::sanitize_path(
            why.replace("expected u32", "expected a whole number below 4294967296"),
        ))
    })
}

/// Serializes a value to a JSON object and returns its fields in declaration order.
///
/// # Panics
/// Panics if the value does not serialize to an object.
pub(in crate::arena) fn to_json_fields(object: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(object) {
        Ok(Value::Object(fields)) => fields,
        other => unreachable!("{other:?} is not an object"),
    }
}

/// Serializes a value to JSON on one line, without a trailing newline.
///
/// # Panics
/// Panics if a map in the value has keys that are not strings.
pub(in crate::arena) fn to_json_line(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("its keys are strings")
}

/// Returns the fields of a job without those that identify a job file (`crosspath`, `schema`, `kind`,
/// `units`).
pub(in crate::arena) fn kind_specific_fields(job: &impl Serialize) -> Map<String, Value> {
    let mut fields = to_json_fields(job);
    fields.retain(|key, _| !["crosspath", "schema", "kind", "units"].contains(&key.as_str()));
    fields
}

/// Returns the fields that a kind of job adds to its shard header: the `deterministic` flag and the fields
/// of the job.
pub(in crate::arena) fn shard_header_fields(deterministic: bool, job: &impl Serialize) -> Map<String, Value> {
    let mut header = Map::from_iter([("deterministic".to_owned(), deterministic.into())]);
    header.extend(kind_specific_fields(job));
    header
}

/// A JSON value that is either one name or a list of strings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "must be a string or a list of strings")]
pub(in crate::arena) enum NameOrList {
    Name(String),
    List(Vec<String>),
}

/// Search limits as jobs and match records store them in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "limits such as {\"nodes\":1000}")]
pub(in crate::arena) struct SearchLimitsJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    movetime_ms: Option<JsonMillis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_time_ms: Option<JsonMillis>,
}

impl From<Limits> for SearchLimitsJson {
    fn from(Limits { depth, nodes, time, cpu_time }: Limits) -> Self {
        SearchLimitsJson {
            nodes,
            depth,
            movetime_ms: time.map(JsonMillis),
            cpu_time_ms: cpu_time.map(JsonMillis),
        }
    }
}

impl From<SearchLimitsJson> for Limits {
    fn from(SearchLimitsJson { nodes, depth, movetime_ms, cpu_time_ms }: SearchLimitsJson) -> Self {
        let [time, cpu_time] = [movetime_ms, cpu_time_ms].map(|time| time.map(|JsonMillis(time)| time));
        Limits { depth, nodes, time, cpu_time }
    }
}

/// Sets a board setting from a JSON value. Returns `false` if the value is not a string, number or boolean.
pub(in crate::arena) fn set_variant_from_json(variant: &mut Variant, key: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => variant.set_setting(key, text),
        Value::Number(number) => variant.set_setting(key, number),
        Value::Bool(is_on) => variant.set_setting(key, if *is_on { "on" } else { "off" }),
        _ => return false,
    }
    true
}

/// Returns a value, or the default if it is missing, and checks that it is in the allowed range.
pub(in crate::arena) fn value_in_range<T: PartialOrd + Display>(
    key: &str,
    value: Option<T>,
    usual: T,
    allowed: RangeInclusive<T>,
) -> Result<T, ArenaJobError> {
    let (value, [least, most]) = (value.unwrap_or(usual), [allowed.start(), allowed.end()]);
    if allowed.contains(&value) {
        Ok(value)
    } else {
        Err(ArenaJobError(format!("{key} must be {least} to {most}")))
    }
}
