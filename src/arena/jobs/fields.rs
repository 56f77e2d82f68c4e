//! The fields that the files of jobs, shards and matches share, and errors that name the wrong field.

use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;

use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::ai::Limits;
use crate::game::{Millis, Refusal, as_text};
use crate::registry::{self, Entry, Variant, settings_in_json};

/// The version of the job format.
pub(in crate::arena) const SCHEMA: u64 = 1;

/// An error in the file of a job or in a shard of it, which no other run can avoid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

impl JobError {
    pub(in crate::arena) fn new(why: impl Display) -> Self {
        JobError(why.to_string())
    }
}

/// Fields of every job in front of those of its kind. The header of a shard has them, too.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(expecting = "a JSON object")]
pub(in crate::arena) struct JobHead {
    pub(in crate::arena) crosspath: String,
    pub(in crate::arena) schema: u64,
    pub(in crate::arena) kind: String,
    #[serde(with = "as_text")]
    pub(in crate::arena) seed: u64,
    pub(in crate::arena) units: u32,
    pub(in crate::arena) game: String,
    settings: Option<Settings>,
}

impl JobHead {
    /// Returns the head of a job on a board that exists.
    pub(in crate::arena) fn new(
        kind: &str,
        seed: u64,
        units: u32,
        (entry, variant): (&Entry, &Variant),
    ) -> Self {
        let board = entry.choose(variant).expect("this board was opened before");
        JobHead {
            crosspath: "job".to_owned(),
            schema: SCHEMA,
            kind: kind.to_owned(),
            seed,
            units,
            game: entry.name.to_owned(),
            settings: Some(Settings(settings_in_json(&board.written()))),
        }
    }

    /// Finds the game and the board.
    pub(in crate::arena) fn board(
        &self,
        games: &'static [Entry],
    ) -> Result<(&'static Entry, Variant), JobError> {
        let entry = registry::find_in(games, &self.game).map_err(JobError::new)?;
        let mut variant = Variant::default();
        for (key, value) in self.settings.iter().flat_map(|Settings(all)| all) {
            if !set_from_json(&mut variant, key, value) {
                let key = Refusal::shown(key);
                return Err(JobError(format!(
                    "the setting {key:?} must be a string, a number, true or false"
                )));
            }
        }
        entry.choose(&variant).map_err(JobError::new)?;
        Ok((entry, variant))
    }
}

/// The settings of a board. None may be given twice, for readers of JSON silently keep the last one.
#[derive(Clone, Debug, Serialize)]
struct Settings(Map<String, Value>);

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Settings;

            fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str("settings such as {\"size\":11}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Settings, A::Error> {
                let mut settings = Map::new();
                while let Some((key, value)) = map.next_entry::<String, Value>()? {
                    if settings.insert(key.clone(), value).is_some() {
                        return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
                    }
                }
                Ok(Settings(settings))
            }
        }
        from.deserialize_map(Each)
    }
}

/// Reads an object of a job or a shard. The error says which field is wrong.
pub(in crate::arena) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, JobError> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let is_data = error.inner().is_data();
        if is_data { error.to_string() } else { format!("not a JSON object: {}", error.inner()) }
    });
    let whole = read.and_then(|read| json.end().map(|()| read).map_err(|error| error.to_string()));
    whole.map_err(|why| {
        // People know no types of numbers.
        let why = why
            .replace("expected u64", "expected a whole number")
            .replace("expected f64", "expected a number");
        JobError(Refusal::shown_path(why.replace("expected u32", "expected a whole number below 4294967296")))
    })
}

/// Returns the fields of an object in their order.
///
/// # Panics
/// If it is no object.
pub(in crate::arena) fn fields(object: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(object) {
        Ok(Value::Object(fields)) => fields,
        other => unreachable!("{other:?} is not an object"),
    }
}

/// Returns an object as JSON on one line, without its end.
///
/// # Panics
/// If it has keys that are no strings.
pub(in crate::arena) fn json(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("its keys are strings")
}

/// Returns the fields of a job without those that tell a job from other files.
pub(in crate::arena) fn job_fields(job: &impl Serialize) -> Map<String, Value> {
    let mut fields = fields(job);
    fields.retain(|key, _| !["crosspath", "schema", "kind", "units"].contains(&key.as_str()));
    fields
}

/// Returns what the header of a shard says beside the fields of every shard: whether its units are always the same, and
/// the fields of its job.
pub(in crate::arena) fn header(deterministic: bool, job: &impl Serialize) -> Map<String, Value> {
    let mut header = Map::from_iter([("deterministic".to_owned(), deterministic.into())]);
    header.extend(job_fields(job));
    header
}

/// A name of several things, or these things one by one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "must be a string or a list of strings")]
pub(in crate::arena) enum NameOrList {
    Name(String),
    List(Vec<String>),
}

/// Limits of searches, as jobs and records of matches write them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "limits such as {\"nodes\":1000}")]
pub(in crate::arena) struct LimitFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    movetime_ms: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_time_ms: Option<Millis>,
}

impl From<Limits> for LimitFields {
    fn from(Limits { depth, nodes, time, cpu_time }: Limits) -> Self {
        LimitFields { nodes, depth, movetime_ms: time.map(Millis), cpu_time_ms: cpu_time.map(Millis) }
    }
}

impl From<LimitFields> for Limits {
    fn from(LimitFields { nodes, depth, movetime_ms, cpu_time_ms }: LimitFields) -> Self {
        let [time, cpu_time] = [movetime_ms, cpu_time_ms].map(|time| time.map(|Millis(time)| time));
        Limits { depth, nodes, time, cpu_time }
    }
}

/// Takes over a setting in this form; returns `false` if the value has another form.
pub(in crate::arena) fn set_from_json(variant: &mut Variant, key: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => variant.set(key, text),
        Value::Number(number) => variant.set(key, number),
        Value::Bool(is_on) => variant.set(key, if *is_on { "on" } else { "off" }),
        _ => return false,
    }
    true
}

/// Returns the value of a field, or the usual one.
pub(in crate::arena) fn within<T: PartialOrd + Display>(
    key: &str,
    value: Option<T>,
    usual: T,
    allowed: RangeInclusive<T>,
) -> Result<T, JobError> {
    let (value, [least, most]) = (value.unwrap_or(usual), [allowed.start(), allowed.end()]);
    if allowed.contains(&value) {
        Ok(value)
    } else {
        Err(JobError(format!("{key} must be {least} to {most}")))
    }
}
