//! Quoridor Text Protocol (QTP): one command per line, one answer each.
//!
//! Black is First, and the rows are counted from its goal:
//! see [`NotationDialect::Qtp`](crate::games::quoridor::notation::NotationDialect::Qtp).

pub mod clock;
mod commands;
mod engines;
mod history;
mod names;
mod showboard;

use std::sync::Arc;

use crate::ai::quoridor::level_specs;
use crate::ai::{EngineKind, EngineResources, Limits, NetworkWeights, NoSuchLevel, TuningOverrides};
use crate::games::quoridor::Quoridor;
use crate::protocol::seats::ProtocolEngines;
use crate::protocol::shell::{LineProtocol, ProtocolCommand, ProtocolShell};
use crate::random::seed_from_os;
use crate::registry::{self, BoardSetupError, Variant};
use crate::stdin::ReadAhead;
use clock::QtpClock;
use engines::QtpEngines;
use history::QtpHistory;

/// Initial settings of a QTP session.
#[derive(Clone, Debug, Default)]
pub struct QtpOptions {
    /// Board and number of walls. Settings that are not given have the defaults of the game.
    pub variant: Variant,
    /// Level that plays; the strongest one if `None`.
    pub level: Option<EngineKind>,
    /// Search limits, which override the clock.
    pub limits: Limits,
    /// Random seed; chosen at random if `None`. Equal seeds give equal games.
    pub seed: Option<u64>,
    /// Threads and memory of the engines.
    pub resources: EngineResources,
    /// Network of the engines; the built-in network if `None`.
    pub weights: Option<Arc<NetworkWeights>>,
    /// Engine constants that override the defaults.
    pub tuning: TuningOverrides,
    /// `true` to print a line `# ...` with search statistics before each generated move.
    pub has_stats: bool,
}

/// Reasons why a session cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QtpStartError {
    /// The board does not exist.
    #[error("{0}")]
    Board(#[from] BoardSetupError),
    /// The level does not exist.
    #[error(transparent)]
    Level(#[from] NoSuchLevel),
}

/// QTP session: takes lines and returns answers.
///
/// ```
/// use crosspath::protocol::qtp::{QtpOptions, QtpSession};
/// let mut engine = QtpSession::new(&QtpOptions::default())?;
/// assert_eq!(engine.answer(b"playmove black E8").as_deref(), Some("=\n\n"));
/// assert_eq!(engine.answer(b"playmove white E8").as_deref(), Some("? illegal move\n\n"));
/// assert_eq!(engine.answer(b"# not a command"), None);
/// # Ok::<(), crosspath::protocol::qtp::QtpStartError>(())
/// ```
pub type QtpSession = ProtocolShell<QtpState>;

/// State of a QTP session: the game, its engines and its settings.
#[derive(Debug)]
pub struct QtpState {
    history: QtpHistory,
    engines: QtpEngines,
    /// Statistics of the last search, as text.
    last: Option<String>,
    has_stats: bool,
}

impl LineProtocol for QtpState {
    const COMMANDS: &'static [ProtocolCommand<Self>] = commands::QTP_COMMANDS;
    const HAS_COMMAND_IDS: bool = false;

    fn set_read_ahead(&mut self, ahead: ReadAhead) {
        self.engines.seats.eof = Some(ahead.eof_flag());
    }

    /// Returns the search statistics as a comment before the answer to `genmove`.
    fn comment_before_answer(&self, name: &str) -> String {
        let thought = self.last.as_ref().filter(|_| self.has_stats && name == "genmove");
        thought.map(|thought| format!("# {thought}\n")).unwrap_or_default()
    }
}

impl QtpState {
    /// Returns the current position.
    fn position(&self) -> &Quoridor {
        self.history.position()
    }

    /// Resets the engines, clocks and statistics for the current position.
    fn start_game(&mut self) {
        self.engines.seats.reset_engines();
        self.engines.clock = QtpClock::new(self.history.position());
        self.last = None;
    }
}

impl QtpSession {
    /// Starts a session on a new board.
    ///
    /// ```
    /// use crosspath::protocol::qtp::{QtpOptions, QtpSession};
    /// let mut answers = Vec::new();
    /// let dialogue = b"boardsize 5\nplaymove black c4\nwinner\n";
    /// QtpSession::new(&QtpOptions::default())?.serve(&dialogue[..], &mut answers)?;
    /// assert_eq!(answers, b"=\n\n=\n\n= false\n\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that says which option is invalid.
    pub fn new(options: &QtpOptions) -> Result<Self, QtpStartError> {
        let QtpOptions { variant, level, limits, seed, resources, weights, tuning, has_stats } = options;
        let board = registry::find_game(QTP_GAME_NAME).and_then(|entry| entry.resolve_board(variant))?;
        let level =
            level.unwrap_or_else(engines::strongest_level).ensure_available(&engines::list_levels())?;
        let walls = variant.value("walls").and_then(|_| u16::try_from(board.setting_value("walls")).ok());
        let history = QtpHistory::new(board.width, board.height, walls);
        // 0 means no limit, as in the commands with these names.
        let limits = limits.zero_as_unlimited();
        let seats = ProtocolEngines::new(level_specs(), level, seed.unwrap_or_else(seed_from_os), limits);
        let engines = QtpEngines::new(
            seats.with_resources(*resources).with_net(weights.clone(), tuning.clone()),
            history.position(),
        );
        Ok(ProtocolShell::with_state(QtpState { history, engines, last: None, has_stats: *has_stats }))
    }

    /// Returns the current position. Black is First.
    #[must_use]
    pub fn position(&self) -> &Quoridor {
        self.engine.position()
    }
}

/// Registry name of the game that the protocol plays.
pub const QTP_GAME_NAME: &str = "quoridor";
