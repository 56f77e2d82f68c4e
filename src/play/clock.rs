//! The clocks of a game: how much time each side has, and what happens when it is used up.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use crate::game::{BySide, Side};
use crate::play::{Event, Fault, Game, Match, Now};
use crate::session::{EarlyEnd, TIME};
use crate::thinking::HostId;

/// The time that each side has for a game: `5m+3s` is five minutes, and three seconds more with every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// For the whole game.
    pub main: Duration,
    /// More with every move.
    pub increment: Duration,
    /// What happens when it is used up.
    pub over: TimeOver,
}

/// What happens to a side whose time is used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeOver {
    /// It loses.
    #[default]
    Loss,
    /// It is told, once, and the game goes on.
    Warning,
}

impl TimeOver {
    /// How journals and the command line call it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            TimeOver::Loss => "loss",
            TimeOver::Warning => "warning",
        }
    }
}

/// The longest time, a day: longer is a slip of the finger.
const MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// A text that is no time control.
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

/// The units of a time, the largest first, in milliseconds.
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

/// An engine plans with so many moves of its own to come.
const MOVES_TO_COME: u32 = 20;
/// What it keeps back for the way of its answer.
const RESERVE: Duration = Duration::from_millis(50);

impl Match {
    /// The time that each side has left now; `None` where there are no clocks.
    #[must_use]
    pub fn clocks(&self, now: Now) -> Option<BySide<Duration>> {
        let game = self.game();
        let mut left = game.clocks_at_present()?;
        if self.clocks_run() {
            let side = self.present_position().to_move();
            left[side] = left[side].saturating_sub(now.saturating_sub(game.charged_since));
        }
        if let Some(EarlyEnd::TimedOut(side)) = self.present_position().early() {
            left[side] = Duration::ZERO;
        }
        Some(left)
    }

    /// The time of the last command or news.
    #[must_use]
    pub fn now(&self) -> Now {
        self.now
    }

    /// Whether the clock of the side to move runs.
    #[must_use]
    pub fn clocks_run(&self) -> bool {
        let is_paused = self.game().is_match() && !self.is_thinking();
        let is_played = !self.game().is_record() && !is_paused;
        self.game().spec.time.is_some() && is_played && self.present_position().outcome().is_none()
    }

    /// When the clocks alone change something: time is used up, or an engine has thought long enough.
    pub(super) fn clock_due(&self) -> Option<Now> {
        let (game, side) = (self.game(), self.present_position().to_move());
        let left = game.clocks_at_present().filter(|_| self.clocks_run() && !self.has_left())?[side];
        let falls = Some(game.charged_since.saturating_add(left)).filter(|_| !game.is_told_of_time);
        let thinks = |job: &crate::thinking::Job| job.host == HostId::Seat(side) && !job.is_due;
        let share =
            left / MOVES_TO_COME + game.spec.time.map(|time| time.increment).unwrap_or_default() * 4 / 5;
        let enough = game.charged_since.saturating_add(share.min(left.saturating_sub(RESERVE)));
        let enough = self.jobs().iter().any(thinks).then_some(enough);
        falls.into_iter().chain(enough).min()
    }

    /// Does what the clocks ask for by now.
    pub(super) fn heed_clocks(&mut self) {
        if self.clock_due().is_none_or(|due| due > self.now) {
            return;
        }
        let side = self.present_position().to_move();
        let is_up = self.clocks(self.now).is_some_and(|left| left[side].is_zero());
        let Some(time) = self.game().spec.time.filter(|_| is_up && !self.game().is_told_of_time) else {
            return self.stop_thinking(side);
        };
        match time.over {
            TimeOver::Loss => {
                self.jobs.retain(|job| job.host == HostId::Study); // an answer that comes with the flag is late
                self.end_early(TIME);
                self.end();
            }
            TimeOver::Warning => {
                self.game.is_told_of_time = true;
                let name = self.present_position().side_name(side);
                self.events.push(Event::Fault(Fault::TimeIsUp(name)));
                self.stop_thinking(side);
            }
        }
    }

    /// The engine of a side is to answer with the best so far.
    fn stop_thinking(&mut self, side: Side) {
        for job in self.jobs.iter_mut().filter(|job| job.host == HostId::Seat(side)) {
            job.is_due = true;
        }
    }
}

impl Game {
    /// The time that each side had left when its present position came.
    pub(super) fn clocks_at_present(&self) -> Option<BySide<Duration>> {
        let time = self.spec.time?;
        let known = self.tree.node(self.present).clocks;
        Some(known.unwrap_or(BySide::new(time.main, time.main)))
    }

    /// The clocks after a move that took so long.
    pub(super) fn clocks_after(&self, side: Side, took: Duration) -> Option<BySide<Duration>> {
        let mut left = self.clocks_at_present()?;
        let more = self.spec.time.map(|time| time.increment).unwrap_or_default();
        left[side] = left[side].saturating_sub(took) + more;
        Some(left)
    }
}
