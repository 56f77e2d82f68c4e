//! The Quoridor Text Protocol: one line a command, one answer each. Knows the rules and the engines of Quoridor.
//!
//! Black is First and the picture upside down: see [`Dialect::Qtp`](crate::games::quoridor::notation::Dialect::Qtp).

pub mod clock;
mod commands;
mod engines;
mod history;
mod names;
mod showboard;

use std::sync::Arc;

use crate::ai::quoridor::engines;
use crate::ai::{EngineKind, EngineResources, Limits, NoSuchLevel, Tuning, Weights};
use crate::games::quoridor::Quoridor;
use crate::protocol::seats::Seats;
use crate::protocol::shell::{LineProtocol, ProtocolCommand, Shell};
use crate::random::fresh_seed;
use crate::registry::{self, OpenError, Variant};
use crate::stdin::ReadAhead;
use clock::QtpClock;
use engines::SeatedEngines;
use history::QtpHistory;

/// Settings with which a dialogue begins.
#[derive(Clone, Debug, Default)]
pub struct QtpOptions {
    /// The board and the walls; what is not given has the game's default.
    pub variant: Variant,
    /// Level that plays; the strongest one there is unless one is given.
    pub level: Option<EngineKind>,
    /// Limits of each thought; they replace the clock.
    pub limits: Limits,
    /// The random seed: the same seed, the same game; fresh unless one is given.
    pub seed: Option<u64>,
    /// Threads and memory that its engines may use.
    pub resources: EngineResources,
    /// The network by which its engines play; the program's own unless one is given.
    pub weights: Option<Arc<Weights>>,
    /// Constants of their play that are not their own.
    pub tuning: Tuning,
    /// `true` if a line `# ...` in front of each move says what it cost.
    pub has_stats: bool,
}

/// Why a dialogue cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QtpStartError {
    /// The board is none of the game's.
    #[error("{0}")]
    Board(#[from] OpenError),
    /// There is no such level.
    #[error(transparent)]
    Level(#[from] NoSuchLevel),
}

/// A dialogue: takes lines, gives answers.
///
/// ```
/// use crosspath::protocol::qtp::{QtpOptions, Qtp};
/// let mut engine = Qtp::new(&QtpOptions::default())?;
/// assert_eq!(engine.answer(b"playmove black E8").as_deref(), Some("=\n\n"));
/// assert_eq!(engine.answer(b"playmove white E8").as_deref(), Some("? illegal move\n\n"));
/// assert_eq!(engine.answer(b"# not a command"), None);
/// # Ok::<(), crosspath::protocol::qtp::QtpStartError>(())
/// ```
pub type Qtp = Shell<QtpState>;

/// The game and those who think about it.
#[derive(Debug)]
pub struct QtpState {
    history: QtpHistory,
    engines: SeatedEngines,
    /// Findings of the last search, in words.
    last: Option<String>,
    has_stats: bool,
}

impl LineProtocol for QtpState {
    const COMMANDS: &'static [ProtocolCommand<Self>] = commands::COMMANDS;
    const HAS_IDS: bool = false;

    fn look_ahead(&mut self, ahead: ReadAhead) {
        self.engines.seats.eof = Some(ahead.end_flag());
    }

    /// The numbers of a thought stand before its answer.
    fn note(&self, name: &str) -> String {
        let thought = self.last.as_ref().filter(|_| self.has_stats && name == "genmove");
        thought.map(|thought| format!("# {thought}\n")).unwrap_or_default()
    }
}

impl QtpState {
    fn position(&self) -> &Quoridor {
        self.history.game()
    }

    /// Begins a game on the board that stands ready.
    fn start(&mut self) {
        self.engines.seats.forget();
        self.engines.clock = QtpClock::start(self.history.game());
        self.last = None;
    }
}

impl Qtp {
    /// Begins on a fresh board.
    ///
    /// ```
    /// use crosspath::protocol::qtp::{QtpOptions, Qtp};
    /// let mut answers = Vec::new();
    /// let dialogue = b"boardsize 5\nplaymove black c4\nwinner\n";
    /// Qtp::new(&QtpOptions::default())?.serve(&dialogue[..], &mut answers)?;
    /// assert_eq!(answers, b"=\n\n=\n\n= false\n\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Says which option is wrong and what would be right.
    pub fn new(options: &QtpOptions) -> Result<Self, QtpStartError> {
        let QtpOptions { variant, level, limits, seed, resources, weights, tuning, has_stats } = options;
        let board = registry::find(GAME).and_then(|entry| entry.choose(variant))?;
        let level = level.unwrap_or_else(engines::strongest).among(&engines::levels())?;
        let walls = variant.value("walls").and_then(|_| u16::try_from(board.number("walls")).ok());
        let history = QtpHistory::new(board.width, board.height, walls);
        // As in the commands of these names, 0 is no limit.
        let limits = limits.zero_as_unlimited();
        let seats = Seats::new(engines(), level, seed.unwrap_or_else(fresh_seed), limits);
        let engines = SeatedEngines::new(
            seats.with_resources(*resources).with_net(weights.clone(), tuning.clone()),
            history.game(),
        );
        Ok(Shell::with(QtpState { history, engines, last: None, has_stats: *has_stats }))
    }

    /// The position, black being First.
    #[must_use]
    pub fn position(&self) -> &Quoridor {
        self.engine.position()
    }
}

/// The game that is played.
pub const GAME: &str = "quoridor";
