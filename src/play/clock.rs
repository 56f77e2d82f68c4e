//! Game clocks: the time control, and the time used by each side.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use crate::game::BySide;

/// Time since the start of the match, without the time for which the program was suspended.
pub type MatchTime = Duration;

/// Time control of a game: `5m+3s` gives each side five minutes, plus three seconds per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Main time of each side.
    pub main: Duration,
    /// Increment added after each move.
    pub increment: Duration,
    /// Consequence when a side runs out of time.
    pub over: TimeoutRule,
}

/// Consequence for a side that runs out of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeoutRule {
    /// The side loses on time.
    #[default]
    Loss,
    /// The side gets a single warning, and the game continues.
    Warning,
}

impl TimeoutRule {
    /// Returns the rule's name in journals and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            TimeoutRule::Loss => "loss",
            TimeoutRule::Warning => "warning",
        }
    }
}

/// Longest accepted main time or increment: 24 hours.
const MAX_CLOCK_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Error for a text that is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a valid time (examples: 5m, 90s, 5m+3s; at most 24h)")]
pub struct ParseTimeControlError;

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    /// Parses a time control such as `5m+3s`.
    ///
    /// ```
    /// use crosspath::play::TimeControl;
    /// for text in ["5m+3s", "1m30s+500ms", "2h"] {
    ///     assert_eq!(text.parse::<TimeControl>()?.to_string(), text);
    /// }
    /// assert!("5".parse::<TimeControl>().is_err() && "0s+1s".parse::<TimeControl>().is_err());
    /// # Ok::<(), crosspath::play::ParseTimeControlError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        let (main, increment) = text.split_once('+').map_or((text, None), |(main, more)| (main, Some(more)));
        let main = parse_duration(main)
            .filter(|main| !main.is_zero() && *main <= MAX_CLOCK_TIME)
            .ok_or(ParseTimeControlError)?;
        let increment = increment.map_or(Some(Duration::ZERO), parse_duration);
        let increment =
            increment.filter(|increment| *increment <= MAX_CLOCK_TIME).ok_or(ParseTimeControlError)?;
        Ok(TimeControl { main, increment, over: TimeoutRule::default() })
    }
}

/// Time units and their lengths in milliseconds, largest first.
const TIME_UNITS_IN_MS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

/// Parses a duration such as `1m30s`: whole numbers with units, largest unit first.
fn parse_duration(text: &str) -> Option<Duration> {
    let (mut rest, mut units, mut all) = (text.trim(), &TIME_UNITS_IN_MS[..], 0_u64);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|&digits| digits > 0)?;
        let end = rest[digits..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |unit| digits + unit);
        let place = units.iter().position(|(unit, _)| *unit == &rest[digits..end])?;
        all = all.checked_add(rest[..digits].parse::<u64>().ok()?.checked_mul(units[place].1)?)?;
        (rest, units) = (&rest[end..], &units[place + 1..]);
    }
    (!text.trim().is_empty()).then(|| Duration::from_millis(all))
}

impl Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_words = |time: Duration| {
            let mut rest = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            let mut part = |(unit, length): (&str, u64)| {
                let count = rest / length;
                rest %= length;
                if count > 0 { format!("{count}{unit}") } else { String::new() }
            };
            TIME_UNITS_IN_MS.map(&mut part).concat()
        };
        f.write_str(&in_words(self.main))?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", in_words(self.increment)) }
    }
}

/// Time used by each side, and the start of the current turn.
#[derive(Clone, Debug, Default)]
pub struct GameClocks {
    /// Time used, by side.
    pub used: BySide<Duration>,
    pub(super) charged_since: MatchTime,
    /// `true` if the side to move has been warned that it ran out of time.
    pub(super) has_warned: bool,
}

impl GameClocks {
    /// Starts the clock of the side to move, at the time `now`.
    pub(super) fn charge_from(&mut self, now: MatchTime) {
        (self.charged_since, self.has_warned) = (now, false);
    }
}
