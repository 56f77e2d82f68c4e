//! The members of a job's file, and their forms in JSON.

use std::fmt::Display;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::ai::Limits;
use crate::game::Refusal;
use crate::registry::{self, Entry, Variant};

/// The version of the job format.
pub(in crate::arena) const SCHEMA: u64 = 1;

/// An error in a job that no other run can avoid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

impl JobError {
    pub(in crate::arena) fn new(why: impl Display) -> Self {
        JobError(why.to_string())
    }
}

/// The members of a job file that have not been read yet.
#[derive(Debug)]
pub struct Members {
    /// The games that a job can name.
    pub games: &'static [Entry],
    /// The random seed.
    pub seed: u64,
    /// The number of units.
    pub units: u32,
    left: Map<String, Value>,
}

impl Members {
    /// Wraps the members of an object, such as a job or the header of a shard.
    pub(in crate::arena) fn of(games: &'static [Entry], left: Map<String, Value>) -> Self {
        Members { games, seed: 0, units: 0, left }
    }

    /// Wraps the members of an object within the job, such as an engine.
    #[must_use]
    pub fn within(&self, object: Map<String, Value>) -> Self {
        Members { left: object, ..*self }
    }

    /// Checks that no member is left.
    ///
    /// # Errors
    /// If one is left: `what` has no such member.
    pub fn end(&self, what: &str) -> Result<(), JobError> {
        self.left
            .keys()
            .next()
            .map_or(Ok(()), |key| Err(JobError(format!("{what} has no member {:?}", Refusal::shown(key)))))
    }

    /// Takes a member out; `None` if it is missing or null.
    pub fn take(&mut self, key: &str) -> Option<Value> {
        self.left.shift_remove(key).filter(|value| !value.is_null())
    }

    /// Takes a text.
    ///
    /// # Errors
    /// If it is missing or something else.
    pub fn text(&mut self, key: &str) -> Result<String, JobError> {
        match self.take(key) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(JobError(format!("the member {key} must be a string"))),
            None => Err(JobError(format!("the member {key} is missing"))),
        }
    }

    /// Takes a number, if it is there.
    ///
    /// # Errors
    /// If it is something else.
    pub fn number(&mut self, key: &str) -> Result<Option<u64>, JobError> {
        let whole = |value: Value| {
            value.as_u64().ok_or_else(|| JobError(format!("the member {key} must be a whole number")))
        };
        self.take(key).map(whole).transpose()
    }

    /// Takes a number that need not be whole.
    ///
    /// # Errors
    /// If it is missing or something else.
    pub fn real(&mut self, key: &str) -> Result<f64, JobError> {
        let number = self.take(key).and_then(|value| value.as_f64());
        number.ok_or_else(|| JobError(format!("the member {key} must be a number")))
    }

    /// Takes what is true or false; false if it is missing.
    ///
    /// # Errors
    /// If it is something else.
    pub fn flag(&mut self, key: &str) -> Result<bool, JobError> {
        match self.take(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(JobError(format!("the member {key} must be true or false"))),
        }
    }

    /// Takes a list of strings, if it is there.
    ///
    /// # Errors
    /// If it is something else.
    pub fn texts(&mut self, key: &str) -> Result<Option<Vec<String>>, JobError> {
        let text = |value: Value| value.as_str().map(str::to_owned);
        let texts = match self.take(key) {
            None => return Ok(None),
            Some(Value::Array(list)) => list.into_iter().map(text).collect::<Option<Vec<_>>>(),
            Some(_) => None,
        };
        texts.map(Some).ok_or_else(|| JobError(format!("the member {key} must be a list of strings")))
    }

    /// Takes an object, empty if it is missing.
    fn object(&mut self, key: &str) -> Result<Map<String, Value>, JobError> {
        match self.take(key) {
            Some(Value::Object(object)) => Ok(object),
            None => Ok(Map::new()),
            Some(_) => Err(JobError(format!("the member {key} must be an object"))),
        }
    }

    /// Takes the game and the settings of its board: `"game":"hex","settings":{"size":11,"swap":true}`.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn board(&mut self) -> Result<(&'static Entry, Variant), JobError> {
        let entry = registry::find_in(self.games, &self.text("game")?).map_err(JobError::new)?;
        let mut variant = Variant::default();
        for (key, value) in self.object("settings")? {
            if !set_from_json(&mut variant, &key, &value) {
                return Err(JobError(format!(
                    "the setting {:?} must be a string, a number, true or false",
                    Refusal::shown(&key)
                )));
            }
        }
        entry.choose(&variant).map_err(JobError::new)?;
        Ok((entry, variant))
    }

    /// Takes the limits of searches: `"limits":{"nodes":1000}`; the keys are nodes, depth, `movetime_ms` and
    /// `cpu_time_ms`.
    ///
    /// # Errors
    /// If there is another key or a value is no number.
    pub fn limits(&mut self) -> Result<Limits, JobError> {
        let mut limits = Limits::default();
        for (key, value) in self.object("limits")? {
            let value = value.as_u64();
            let number = value.ok_or_else(|| {
                JobError(format!("the limit {:?} must be a whole number", Refusal::shown(&key)))
            })?;
            match key.as_str() {
                "nodes" => limits.nodes = Some(number),
                "depth" => limits.depth = Some(u32::try_from(number).unwrap_or(u32::MAX)),
                "movetime_ms" => limits.time = Some(Duration::from_millis(number)),
                "cpu_time_ms" => limits.cpu_time = Some(Duration::from_millis(number)),
                _ => {
                    return Err(JobError(format!(
                        "there is no limit {:?}; limits are nodes, depth, movetime_ms, cpu_time_ms",
                        Refusal::shown(&key)
                    )));
                }
            }
        }
        Ok(limits)
    }
}

/// Returns limits as jobs and records of matches write them.
#[must_use]
pub(in crate::arena) fn limits_in_json(limits: Limits) -> Value {
    let Limits { depth, nodes, time, cpu_time } = limits;
    let ms = |time: Option<Duration>| time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    let all = [
        ("nodes", nodes),
        ("depth", depth.map(u64::from)),
        ("movetime_ms", ms(time)),
        ("cpu_time_ms", ms(cpu_time)),
    ];
    all.into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?.into())))
        .collect::<Map<_, _>>()
        .into()
}

/// Returns the settings of a board as jobs and records of matches write them: numbers, and booleans for on and off.
#[must_use]
pub(in crate::arena) fn settings_in_json(settings: &[(&'static str, String)]) -> Map<String, Value> {
    let value = |text: &str| match text {
        "on" => true.into(),
        "off" => false.into(),
        text => text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
    };
    settings.iter().map(|(key, text)| ((*key).to_owned(), value(text))).collect()
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
