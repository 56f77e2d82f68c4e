//! Values of the config file, read as those of the flags with the same names.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::ai::{MAX_MIB, MAX_THREADS, duration};
use crate::game::Refusal;
use crate::play::TimeControl;

/// Value of a line: `true` and `false` stand for the texts `on` and `off`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "must be a string or a number")]
pub(crate) enum Value {
    Switch(bool),
    Number(i64),
    Text(String),
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(is_on) => f.write_str(if *is_on { "on" } else { "off" }),
            Value::Number(number) => number.fmt(f),
            Value::Text(text) => f.write_str(text),
        }
    }
}

/// Reads a value from its text; `read` says which values are valid.
fn read<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, D::Error> {
    read(&Value::deserialize(deserializer)?.to_string()).map(Some).map_err(D::Error::custom)
}

/// Reads a whole number from 1 to `most`.
fn count<'de, D: Deserializer<'de>, T: FromStr + PartialOrd + Display + From<u8> + Copy>(
    deserializer: D,
    most: T,
) -> Result<Option<T>, D::Error> {
    read(deserializer, |text| {
        let number = text.parse().ok().filter(|number| *number >= T::from(1) && *number <= most);
        number.ok_or_else(|| format!("must be 1 to {most}, not {}", Refusal::shown(text)))
    })
}

pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    read(deserializer, |text| Ok(text.to_owned()))
}

pub(crate) fn switch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    bool::deserialize(deserializer).map_err(|_| D::Error::custom("must be true or false"))
}

pub(super) fn number<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<Option<T>, D::Error> {
    read(deserializer, |text| {
        text.parse().map_err(|_| format!("must be a number, not {}", Refusal::shown(text)))
    })
}

pub(super) fn threads<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    count(deserializer, MAX_THREADS)
}

pub(super) fn memory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    count(deserializer, MAX_MIB)
}

pub(super) fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    read(deserializer, |text| {
        duration(text)
            .map_err(|_| format!("must be a time, such as 500ms or 2s, not {}", Refusal::shown(text)))
    })
}

pub(super) fn time_control<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<TimeControl>, D::Error> {
    read(deserializer, |text| {
        text.parse()
            .map_err(|_| format!("must be a time, such as 5m+3s or 90s, not {}", Refusal::shown(text)))
    })
}

pub(crate) fn choice<'de, D: Deserializer<'de>, T: ValueEnum>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    read(deserializer, |text| {
        T::from_str(text, false).map_err(|_| {
            let values = T::value_variants().iter().filter_map(T::to_possible_value);
            let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("must be {}, not {}", super::listed(&names, "or"), Refusal::shown(text))
        })
    })
}
