//! Durations in JSON.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A duration that JSON stores as whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub(crate) struct JsonMillis(pub(crate) Duration);

impl From<u64> for JsonMillis {
    fn from(millis: u64) -> Self {
        JsonMillis(Duration::from_millis(millis))
    }
}

impl From<JsonMillis> for u64 {
    fn from(JsonMillis(time): JsonMillis) -> Self {
        u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
    }
}
