//! The clocks of a game: the time that each side has, and the time that it has used.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use crate::game::BySide;

/// Point in time, measured from the start of the match, without the time for which the program was
/// stopped.
pub type Now = Duration;

/// Time that each side has for a game: `5m+3s` is five minutes, and three more seconds with every
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time for the whole game.
    pub main: Duration,
    /// Time added with every move.
    pub increment: Duration,
    /// Consequence of using it up.
    pub over: TimeOver,
}

/// Consequence for a side that runs out of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeOver {
    /// The side loses.
    #[default]
    Loss,
    /// The side is warned, once, and the game continues.
    Warning,
}

impl TimeOver {
    /// Returns the name that journals and the command line use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            TimeOver::Loss => "loss",
            TimeOver::Warning => "warning",
        }
    }
}

/// Longest time, a day: longer is a typing mistake.
const MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Error for a text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a valid time (examples: 5m, 90s, 5m+3s; at most 24h)")]
pub struct NoTimeControl;

impl FromStr for TimeControl {
    type Err = NoTimeControl;

    /// Reads `5m+3s`.
    ///
    /// ```
    /// use crosspath::play::TimeControl;
    /// for text in ["5m+3s", "1m30s+500ms", "2h"] {
    ///     assert_eq!(text.parse::<TimeControl>()?.to_string(), text);
    /// }
    /// assert!("5".parse::<TimeControl>().is_err() && "0s+1s".parse::<TimeControl>().is_err());
    /// # Ok::<(), crosspath::play::NoTimeControl>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, NoTimeControl> {
        let (main, increment) = text.split_once('+').map_or((text, None), |(main, more)| (main, Some(more)));
        let main = duration(main).filter(|main| !main.is_zero() && *main <= MAX).ok_or(NoTimeControl)?;
        let increment = increment.map_or(Some(Duration::ZERO), duration);
        let increment = increment.filter(|increment| *increment <= MAX).ok_or(NoTimeControl)?;
        Ok(TimeControl { main, increment, over: TimeOver::default() })
    }
}

/// Units of time, the largest first, in milliseconds.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

/// Reads `1m30s`: whole numbers, each with its unit, the largest unit first.
fn duration(text: &str) -> Option<Duration> {
    let (mut rest, mut units, mut all) = (text.trim(), &UNITS[..], 0_u64);
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
            UNITS.map(&mut part).concat()
        };
        f.write_str(&in_words(self.main))?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", in_words(self.increment)) }
    }
}

/// Time that each side has used, and the point from which the side to move is charged.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    /// Time that each side has used.
    pub used: BySide<Duration>,
    pub(super) charged_since: Now,
    /// `true` if the side to move has been warned that its time is used up.
    pub(super) is_told: bool,
}

impl Clocks {
    /// Charges the side to move from now on.
    pub(super) fn charge(&mut self, now: Now) {
        (self.charged_since, self.is_told) = (now, false);
    }
}
