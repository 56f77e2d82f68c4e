//! Go Text Protocol (GTP) as Hex programs use it: one command per line, one answer each.
//!
//! Black is First, the side that moves first. Either colour may move at any time.

mod arguments;
mod board;
pub mod clock;
mod commands;
mod hex;
mod history;
mod params;
mod referees;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::ai::{
    EngineKind, EngineResources, GameHistory, Limits, MoveChoice, NetworkWeights, NoSuchLevel,
    TuningOverrides,
};
use crate::board::hexgrid::SwapFrame;
use crate::game::{Outcome, Side};
use crate::games::hex::Hex;
use crate::games::tictactoe::TicTacToe;
use crate::protocol::seats::{EngineChoice, ProtocolEngines};
use crate::protocol::shell::{
    CommandFailure, LineProtocol, ProtocolCommand, ProtocolSession, ProtocolShell, StreamCommand,
};
use crate::random::seed_from_os;
use crate::record::GameRecord;
use crate::stdin::ReadAhead;
pub use board::GtpBoard;
use clock::GtpClock;
use history::GtpHistory;

/// Names of the supported games, starting with the default.
pub const GTP_GAME_NAMES: [&str; 2] = [<Hex as GtpBoard>::GAME_NAME, <TicTacToe as GtpBoard>::GAME_NAME];

/// Initial settings of a GTP session.
#[derive(Clone, Debug, Default)]
pub struct GtpOptions {
    /// Number of cells per side; the default of the game if `None`.
    pub size: Option<usize>,
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
    /// Effect of a swap in Hex.
    pub swap_dialect: GtpSwapDialect,
}

/// Effect of `swap-pieces`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GtpSwapDialect {
    /// The stone is mirrored and changes its colour.
    #[default]
    Mirror,
    /// The stone stays and the players exchange their colours.
    Benzene,
}

/// Reasons why a session cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GtpStartError {
    /// The board size is invalid.
    #[error("there is no board of size {0}")]
    Size(usize),
    /// The level does not exist.
    #[error(transparent)]
    Level(#[from] NoSuchLevel),
}

/// GTP session with a game of Hex.
///
/// ```
/// use crosspath::protocol::gtp::{HexGtpSession, GtpOptions};
/// let mut engine = HexGtpSession::new(&GtpOptions::default())?;
/// assert_eq!(engine.answer(b"1 play black f6").as_deref(), Some("=1\n\n"));
/// assert_eq!(engine.answer(b"2 play w F6").as_deref(), Some("?2 illegal move: white f6 (occupied)\n\n"));
/// assert_eq!(engine.answer(b"# not a command"), None);
/// # Ok::<(), crosspath::protocol::gtp::GtpStartError>(())
/// ```
pub type HexGtpSession = ProtocolShell<GtpState<Hex>>;

/// GTP session with a game of tic-tac-toe.
pub type TicTacToeGtpSession = ProtocolShell<GtpState<TicTacToe>>;

/// Starts a GTP session with the game of this name, which is one of [`GTP_GAME_NAMES`].
///
/// # Errors
/// Returns an error that says which option is invalid.
pub fn open_gtp_session(game: &str, options: &GtpOptions) -> Result<Box<dyn ProtocolSession>, GtpStartError> {
    Ok(if game == <TicTacToe as GtpBoard>::GAME_NAME {
        Box::new(TicTacToeGtpSession::new(options)?)
    } else {
        Box::new(HexGtpSession::new(options)?)
    })
}

/// State of a GTP session: the game, its engines and its settings.
#[derive(Debug)]
pub struct GtpState<G: GtpBoard> {
    history: GtpHistory<G>,
    seats: ProtocolEngines<G>,
    clock: GtpClock,
    /// Clock settings for new games: main time and period in seconds, moves per period.
    time: [u32; 3],
    /// `true` if the engine resigns lost games.
    resigns: bool,
    /// `true` if `final_score` fails before the end of the game.
    is_strict: bool,
    /// Record that the game was loaded from.
    loaded: Option<Box<GameRecord>>,
    /// Files that this program wrote, with their contents. Only these files are replaced.
    saved: BTreeMap<PathBuf, Vec<u8>>,
}

impl LineProtocol for GtpState<Hex> {
    const COMMANDS: &'static [ProtocolCommand<Self>] = hex::HEX_COMMANDS;
    const HAS_COMMAND_IDS: bool = true;
    const STREAM_COMMAND: Option<StreamCommand<Self>> = Some(("lz-analyze", hex::handle_lz_analyze));

    fn set_read_ahead(&mut self, ahead: ReadAhead) {
        self.seats.eof = Some(ahead.eof_flag());
    }

    fn unknown_command_failure(name: &str) -> CommandFailure {
        commands::unknown_command_failure(name)
    }
}

impl LineProtocol for GtpState<TicTacToe> {
    const COMMANDS: &'static [ProtocolCommand<Self>] = commands::TIC_TAC_TOE_COMMANDS;
    const HAS_COMMAND_IDS: bool = true;

    fn set_read_ahead(&mut self, ahead: ReadAhead) {
        self.seats.eof = Some(ahead.eof_flag());
    }

    fn unknown_command_failure(name: &str) -> CommandFailure {
        commands::unknown_command_failure(name)
    }
}

impl<G: GtpBoard> ProtocolShell<GtpState<G>>
where
    GtpState<G>: LineProtocol,
{
    /// Starts a session on an empty board.
    ///
    /// # Errors
    /// Returns an error that says which option is invalid.
    #[expect(clippy::missing_panics_doc, reason = "every game has engines")]
    pub fn new(options: &GtpOptions) -> Result<Self, GtpStartError> {
        let &GtpOptions { size, level, limits, seed, resources, ref weights, ref tuning, swap_dialect } =
            options;
        let size = size.unwrap_or(G::DEFAULT_SIZE);
        let empty = G::with_size(size).ok_or(GtpStartError::Size(size))?;
        let engines = G::game_engines();
        let strongest = *engines.levels().last().expect("there are engines");
        let level = engines.find_level(level.unwrap_or(strongest))?.level;
        // 0 means no limit, as in the engine parameters with these names.
        let limits = limits.zero_as_unlimited();
        let seats =
            ProtocolEngines::new(engines.level_specs, level, seed.unwrap_or_else(seed_from_os), limits)
                .with_resources(resources)
                .with_net(weights.clone(), tuning.clone());
        let mut history = GtpHistory::new(empty, false);
        history.exchanges_players = swap_dialect == GtpSwapDialect::Benzene;
        let (clock, saved) = (GtpClock::default(), BTreeMap::new());
        Ok(ProtocolShell::with_state(GtpState {
            history,
            seats,
            clock,
            time: [0; 3],
            resigns: false,
            is_strict: false,
            loaded: None,
            saved,
        }))
    }
}

impl<G: GtpBoard> GtpState<G> {
    /// Returns the conversion between the position and the coordinates and colours of the protocol.
    ///
    /// A swap may have exchanged the colours in the protocol.
    fn wire_frame(&self) -> SwapFrame {
        self.history.wire_frame()
    }

    /// Starts a game on an empty board of this size. Returns `false` if the size is invalid.
    fn start_game(&mut self, size: usize) -> bool {
        let Some(empty) = G::with_size(size) else { return false };
        self.history.restart(empty);
        self.loaded = None;
        self.reset_engines_and_clocks();
        true
    }

    /// Resets the engines and clocks after a change of position.
    fn reset_engines_and_clocks(&mut self) {
        self.seats.reset_engines();
        self.set_clocks(self.time);
    }

    /// Sets both clocks: main time and period in seconds, moves per period.
    fn set_clocks(&mut self, time: [u32; 3]) {
        let [main, period] = [time[0], time[1]].map(|seconds| Duration::from_secs(seconds.into()));
        (self.time, self.clock) = (time, GtpClock::new(main, period, time[2]));
    }

    /// Lets the engine choose a move for a colour without playing it. The clock of that colour
    /// runs.
    fn choose_move(&mut self, color: Side) -> EngineChoice<G> {
        let begun = Instant::now();
        let side = self.wire_frame().map_side(color); // a player keeps its clock after a swap
        let (start, played) = self.history.alternating_tail(side);
        let now = self.history.position_for(side);
        let cells = now.size() * now.size();
        // Expects a game to fill less than half of the board, so each side less than a quarter.
        let moves =
            u32::try_from(cells.saturating_sub(self.history.move_count()) / 4).unwrap_or(u32::MAX).max(4);
        let at = GameHistory { start: &start, played: &played, now: &now };
        let choice = self.seats.choose_move(side, &at, self.clock.move_budget(side, moves));
        self.clock.spend_time(side, begun.elapsed());
        choice
    }

    /// Returns the result of the game, in the colours of the protocol.
    fn game_result(&self) -> Option<Outcome> {
        let resigned = self.history.resigned_side().map(|side| Outcome::Win(side.other()));
        let outcome = resigned.or(self.history.position().outcome())?;
        Some(outcome.winner().map_or(outcome, |side| Outcome::Win(self.wire_frame().map_side(side))))
    }

    /// Returns the empty cells, as rows and columns of the protocol.
    fn empty_cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let (game, frame) = (self.history.position(), self.wire_frame());
        let size = game.size();
        let cells = (0..size * size).map(move |cell| (cell / size, cell % size));
        cells.filter(move |&place| game.stone_at(frame.map_coordinates(place)).is_none())
    }

    /// Reports whether the engine's choice comes with a proof that the game is lost.
    fn is_proved_loss(choice: &MoveChoice<G::Move>) -> bool {
        use crate::ai::{ProofStatus, ScoreMeaning};
        let is_scored =
            choice.info.score.is_some_and(|score| matches!(score.meaning(), ScoreMeaning::Loss(_)));
        is_scored || matches!(choice.proof, Some(ProofStatus::LostIn(_)))
    }
}
