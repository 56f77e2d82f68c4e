//! Times as JSON holds them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A time that JSON holds as whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub(crate) struct Millis(pub(crate) Duration);

impl From<u64> for Millis {
    fn from(millis: u64) -> Self {
        Millis(Duration::from_millis(millis))
    }
}

impl From<Millis> for u64 {
    fn from(Millis(time): Millis) -> Self {
        u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
    }
}
