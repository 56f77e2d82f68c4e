//! What every engine is given and what it answers. Knows no game, prints nothing, reads no clock but its limits'.

pub mod minimax;
pub mod quoridor;
pub mod tictactoe;

use std::fmt::{self, Debug, Display};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::game::{Game, Outcome};
use crate::random::{Generator, stream};

/// How strong an engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The algorithm of the program that the game was taken from.
    Classic,
    /// 1 (weakest) to 8.
    Number(u8),
}

impl Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Classic => f.write_str("classic"),
            Level::Number(number) => Display::fmt(number, f),
        }
    }
}

impl FromStr for Level {
    type Err = ();

    /// Reads `classic` or a number; whether a game has that level is another question.
    fn from_str(text: &str) -> Result<Self, ()> {
        if text.eq_ignore_ascii_case("classic") {
            return Ok(Level::Classic);
        }
        text.parse().map(Level::Number).map_err(|_| ())
    }
}

/// When a search has to end. What is `None` does not limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub time: Option<Duration>,
}

/// What is known about a search, while it runs and at its end.
#[derive(Clone, Debug)]
pub struct Info<M> {
    /// Positions searched.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The value found for the mover: positive is good; its unit is the engine's.
    pub score: Option<i32>,
    /// The line of play expected, the chosen move in front.
    pub pv: Vec<M>,
    /// Time used.
    pub elapsed: Duration,
}

impl<M> Info<M> {
    /// The report of an engine that did not search.
    #[must_use]
    pub fn none() -> Self {
        Info { nodes: 0, depth: 0, score: None, pv: Vec::new(), elapsed: Duration::ZERO }
    }
}

/// The game that an engine is asked about.
#[derive(Debug)]
pub struct Situation<'a, G: Game> {
    /// The position before the first move.
    pub start: &'a G,
    /// The moves played.
    pub played: &'a [G::Move],
    /// The position now; not over.
    pub now: &'a G,
}

/// What bounds a search from outside, and who hears how it goes.
#[derive(Clone, Copy)]
pub struct Control<'a, M> {
    /// Limits that replace the engine's own, as far as they are given.
    pub limits: Limits,
    /// Raised when the best move so far is wanted at once.
    pub stop: &'a AtomicBool,
    /// Called when the search knows more than before, at most a few dozen times a move.
    pub report: &'a dyn Fn(&Info<M>),
}

impl<'a, M> Control<'a, M> {
    /// These limits, and nobody who listens.
    #[must_use]
    pub fn quiet(limits: Limits, stop: &'a AtomicBool) -> Self {
        Control { limits, stop, report: &|_| () }
    }
}

impl<M> Debug for Control<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("limits", &self.limits)
            .field("stop", self.stop)
            .finish_non_exhaustive()
    }
}

/// What is proved about the position after the engine's move. Never claimed without its proof; numbers are plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The mover wins within so many plies, counted from before the move.
    WinIn(u32),
    /// The mover cannot lose: the certificate names the cells that hold every line.
    Certified,
    /// Best play from both sides draws.
    Draw,
    /// The mover loses within so many plies against best play.
    LostIn(u32),
    /// Nothing is proved.
    Unproved,
}

impl Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::WinIn(plies) => write!(f, "win in {plies}"),
            Status::Certified => f.write_str("certified"),
            Status::Draw => f.write_str("draw"),
            Status::LostIn(plies) => write!(f, "lost in {plies}"),
            Status::Unproved => f.write_str("unproved"),
        }
    }
}

/// An engine's answer.
#[derive(Clone, Debug)]
pub struct Choice<M> {
    /// The move, always legal.
    pub mv: M,
    /// What the search found.
    pub info: Info<M>,
    /// What is proved, if the engine proves things.
    pub status: Option<Status>,
}

/// A machine player of one game. It may keep tables from move to move, but a game never depends on an earlier game.
pub trait Engine<G: Game>: Send {
    /// Chooses a legal move. `at.now` is not over. Every limit, 0 included, yields a move.
    fn choose(&mut self, at: &Situation<'_, G>, control: &Control<'_, G::Move>) -> Choice<G::Move>;
}

/// What an engine is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The seed of the run.
    pub seed: u64,
    /// The stream of the seed that is this engine's own.
    pub stream: u64,
}

impl Setup {
    /// The generator of all the engine's chance.
    #[must_use]
    pub fn generator(self) -> Generator {
        stream(self.seed, self.stream)
    }
}

/// One level of a game and how its engine is made.
#[derive(Clone, Copy)]
pub struct Tier<G: Game> {
    /// The level.
    pub level: Level,
    /// Makes the engine for a game that starts at the given position.
    pub build: fn(&G, Setup) -> Box<dyn Engine<G>>,
}

impl<G: Game> Debug for Tier<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tier({})", self.level)
    }
}

/// Counts positions against the limits and looks at the clock and the stop flag every 1,024 of them.
#[derive(Debug)]
pub struct Meter<'a> {
    /// Positions counted.
    pub nodes: u64,
    most_nodes: u64,
    deadline: Option<Instant>,
    started: Instant,
    stop: &'a AtomicBool,
    spent: bool,
}

impl<'a> Meter<'a> {
    /// Starts the clock. Of the limits, the depth is left to the search.
    #[must_use]
    pub fn start<M>(control: &Control<'a, M>) -> Self {
        let started = Instant::now();
        Meter {
            nodes: 0,
            most_nodes: control.limits.nodes.unwrap_or(u64::MAX),
            deadline: control.limits.time.and_then(|time| started.checked_add(time)),
            started,
            stop: control.stop,
            spent: false,
        }
    }

    /// Counts one position; false when the search has to end.
    pub fn tick(&mut self) -> bool {
        if self.nodes >= self.most_nodes {
            self.spent = true;
        }
        if self.nodes.is_multiple_of(1024) && self.interrupted() {
            self.spent = true;
        }
        self.nodes += u64::from(!self.spent);
        !self.spent
    }

    /// Whether the search has had to end.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The legal moves that end the game in the mover's favour at once.
pub fn winning_moves<G: Game>(game: &mut G) -> Vec<G::Move> {
    let side = game.to_move();
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves.retain(|&mv| {
        let undo = game.make(mv);
        let wins = game.outcome().and_then(Outcome::winner) == Some(side);
        game.unmake(mv, undo);
        wins
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_they_are_shown() {
        for level in [Level::Classic, Level::Number(1), Level::Number(8)] {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert!("strong".parse::<Level>().is_err());
    }

    #[test]
    fn a_meter_ends_at_its_limit_and_when_told_to() {
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: Some(3), ..Limits::default() };
        let mut meter = Meter::start::<()>(&Control::quiet(limits, &stop));
        assert_eq!((0..5).map(|_| meter.tick()).collect::<Vec<_>>(), [true, true, true, false, false]);
        assert_eq!(meter.nodes, 3);
        let mut meter = Meter::start::<()>(&Control::quiet(Limits::default(), &stop));
        assert!(meter.tick());
        stop.store(true, Ordering::Relaxed);
        assert_eq!((0..5000).filter(|_| meter.tick()).count(), 1023);
    }
}
