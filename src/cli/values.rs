//! Values of the config file, parsed like those of the flags with the same names.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::ai::{MAX_ENGINE_MEMORY_MIB, MAX_ENGINE_THREADS, parse_duration};
use crate::game::Refusal;
use crate::play::TimeControl;

/// Value of a setting: `true` and `false` stand for the texts `on` and `off`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "must be a string or a number")]
pub(crate) enum ConfigValue {
    Switch(bool),
    Number(i64),
    Text(String),
}

impl Display for ConfigValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigValue::Switch(is_on) => f.write_str(if *is_on { "on" } else { "off" }),
            ConfigValue::Number(number) => number.fmt(f),
            ConfigValue::Text(text) => f.write_str(text),
        }
    }
}

/// Deserializes a value from text with the parser `read`, whose errors list the valid values.
fn deserialize_with_parser<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, D::Error> {
    read(&ConfigValue::deserialize(deserializer)?.to_string()).map(Some).map_err(D::Error::custom)
}

/// Deserializes a whole number from 1 to `most`.
fn deserialize_count<'de, D: Deserializer<'de>, T: FromStr + PartialOrd + Display + From<u8> + Copy>(
    deserializer: D,
    most: T,
) -> Result<Option<T>, D::Error> {
    deserialize_with_parser(deserializer, |text| {
        let number = text.parse().ok().filter(|number| *number >= T::from(1) && *number <= most);
        number.ok_or_else(|| format!("must be 1 to {most}, not {}", Refusal::sanitize_excerpt(text)))
    })
}

/// Deserializes a text.
pub(super) fn deserialize_text<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    deserialize_with_parser(deserializer, |text| Ok(text.to_owned()))
}

/// Deserializes `true` or `false`.
pub(crate) fn deserialize_switch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    bool::deserialize(deserializer).map_err(|_| D::Error::custom("must be true or false"))
}

/// Deserializes a number.
pub(super) fn deserialize_number<'de, D: Deserializer<'de>, T: FromStr>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    deserialize_with_parser(deserializer, |text| {
        text.parse().map_err(|_| format!("must be a number, not {}", Refusal::sanitize_excerpt(text)))
    })
}

/// Deserializes a number of threads.
pub(super) fn deserialize_threads<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u16>, D::Error> {
    deserialize_count(deserializer, MAX_ENGINE_THREADS)
}

/// Deserializes a memory size in MiB.
pub(super) fn deserialize_memory<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u32>, D::Error> {
    deserialize_count(deserializer, MAX_ENGINE_MEMORY_MIB)
}

/// Deserializes a time, such as `500ms`.
pub(super) fn deserialize_time<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    deserialize_with_parser(deserializer, |text| {
        parse_duration(text).map_err(|_| {
            format!("must be a time, such as 500ms or 2s, not {}", Refusal::sanitize_excerpt(text))
        })
    })
}

/// Deserializes a time control, such as `5m+3s`.
pub(super) fn deserialize_time_control<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<TimeControl>, D::Error> {
    deserialize_with_parser(deserializer, |text| {
        text.parse().map_err(|_| {
            format!("must be a time, such as 5m+3s or 90s, not {}", Refusal::sanitize_excerpt(text))
        })
    })
}

/// Deserializes one of the values of a clap enum.
pub(crate) fn deserialize_choice<'de, D: Deserializer<'de>, T: ValueEnum>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    deserialize_with_parser(deserializer, |text| {
        T::from_str(text, false).map_err(|_| {
            let values = T::value_variants().iter().filter_map(T::to_possible_value);
            let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("must be {}, not {}", super::join_names(&names, "or"), Refusal::sanitize_excerpt(text))
        })
    })
}
