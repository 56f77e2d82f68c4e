//! The Go Text Protocol as Hex programs speak it: one command a line, one answer each. Knows the rules and the engines of
//! the games on boards of stones.
//!
//! Black is First and begins. Either colour may move at any time.

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

use crate::ai::{Choice, EngineKind, EngineResources, GameHistory, Limits, NoSuchLevel, Tuning, Weights};
use crate::board::hexgrid::Frame;
use crate::game::{Outcome, Side};
use crate::games::hex::Hex;
use crate::games::tictactoe::TicTacToe;
use crate::protocol::seats::{EngineChoice, Seats};
use crate::protocol::shell::{Dialogue, Failure, LineProtocol, ProtocolCommand, Shell, StreamCommand};
use crate::random::fresh_seed;
use crate::record::GameRecord;
use crate::stdin::ReadAhead;
pub use board::GtpBoard;
use clock::GtpClock;
use history::GtpHistory;

/// The names of the games, the usual one in front.
pub const GAMES: [&str; 2] = [<Hex as GtpBoard>::NAME, <TicTacToe as GtpBoard>::NAME];

/// Settings with which a dialogue begins.
#[derive(Clone, Debug, Default)]
pub struct GtpOptions {
    /// Cells on a side; the game's usual number unless one is given.
    pub size: Option<usize>,
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
    /// Effect of a swap in Hex.
    pub swap_dialect: SwapDialect,
}

/// Effect of `swap-pieces`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SwapDialect {
    /// The stone is mirrored and changes its colour.
    #[default]
    Mirror,
    /// The stone stays, and the players exchange their colours.
    Benzene,
}

/// Why a dialogue cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GtpStartError {
    /// There is no such board.
    #[error("there is no board of size {0}")]
    Size(usize),
    /// There is no such level.
    #[error(transparent)]
    Level(#[from] NoSuchLevel),
}

/// A dialogue about a game of Hex.
///
/// ```
/// use crosspath::protocol::gtp::{HexGtp, GtpOptions};
/// let mut engine = HexGtp::new(&GtpOptions::default())?;
/// assert_eq!(engine.answer(b"1 play black f6").as_deref(), Some("=1\n\n"));
/// assert_eq!(engine.answer(b"2 play w F6").as_deref(), Some("?2 illegal move: white f6 (occupied)\n\n"));
/// assert_eq!(engine.answer(b"# not a command"), None);
/// # Ok::<(), crosspath::protocol::gtp::GtpStartError>(())
/// ```
pub type HexGtp = Shell<GtpState<Hex>>;

/// A dialogue about a game of tic-tac-toe.
pub type TicTacToeGtp = Shell<GtpState<TicTacToe>>;

/// A dialogue about the game of this name, which is one of [`GAMES`].
///
/// # Errors
/// Says which option is wrong and what would be right.
pub fn open(game: &str, options: &GtpOptions) -> Result<Box<dyn Dialogue>, GtpStartError> {
    Ok(if game == <TicTacToe as GtpBoard>::NAME {
        Box::new(TicTacToeGtp::new(options)?)
    } else {
        Box::new(HexGtp::new(options)?)
    })
}

/// The game and those who think about it.
#[derive(Debug)]
pub struct GtpState<G: GtpBoard> {
    history: GtpHistory<G>,
    seats: Seats<G>,
    clock: GtpClock,
    /// Settings of the clock at the start of each game: main time and period in seconds, moves in a period.
    time: [u32; 3],
    /// `true` if a lost game is given up.
    resigns: bool,
    /// `true` if a score that is not known is an error.
    is_strict: bool,
    /// The file that the game was loaded from.
    loaded: Option<Box<GameRecord>>,
    /// The files that this program has written, and what it wrote last: only these are replaced.
    saved: BTreeMap<PathBuf, Vec<u8>>,
}

impl LineProtocol for GtpState<Hex> {
    const COMMANDS: &'static [ProtocolCommand<Self>] = hex::COMMANDS;
    const HAS_IDS: bool = true;
    const STREAM: Option<StreamCommand<Self>> = Some(("lz-analyze", hex::analyze));

    fn look_ahead(&mut self, ahead: ReadAhead) {
        self.seats.eof = Some(ahead.end_flag());
    }

    fn unknown(name: &str) -> Failure {
        commands::unknown(name)
    }
}

impl LineProtocol for GtpState<TicTacToe> {
    const COMMANDS: &'static [ProtocolCommand<Self>] = commands::TIC_TAC_TOE;
    const HAS_IDS: bool = true;

    fn look_ahead(&mut self, ahead: ReadAhead) {
        self.seats.eof = Some(ahead.end_flag());
    }

    fn unknown(name: &str) -> Failure {
        commands::unknown(name)
    }
}

impl<G: GtpBoard> Shell<GtpState<G>>
where
    GtpState<G>: LineProtocol,
{
    /// Begins on an empty board.
    ///
    /// # Errors
    /// Says which option is wrong and what would be right.
    #[expect(clippy::missing_panics_doc, reason = "every game has engines")]
    pub fn new(options: &GtpOptions) -> Result<Self, GtpStartError> {
        let &GtpOptions { size, level, limits, seed, resources, ref weights, ref tuning, swap_dialect } =
            options;
        let size = size.unwrap_or(G::SIZE);
        let empty = G::of_size(size).ok_or(GtpStartError::Size(size))?;
        let engines = G::game_engines();
        let strongest = *engines.levels().last().expect("there are engines");
        let level = engines.find(level.unwrap_or(strongest))?.level;
        // As in the parameters of these names, 0 is no limit.
        let limits = limits.zero_as_unlimited();
        let seats = Seats::new(engines.level_specs, level, seed.unwrap_or_else(fresh_seed), limits)
            .with_resources(resources)
            .with_net(weights.clone(), tuning.clone());
        let mut history = GtpHistory::new(empty, false);
        history.exchanges_players = swap_dialect == SwapDialect::Benzene;
        let (clock, saved) = (GtpClock::default(), BTreeMap::new());
        Ok(Shell::with(GtpState {
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
    /// Returns the frame in which colours and cells are told: as they are, or exchanged where a swap has exchanged the
    /// players.
    fn frame(&self) -> Frame {
        self.history.frame()
    }

    /// Begins a game on this board.
    fn start(&mut self, size: usize) -> bool {
        let Some(empty) = G::of_size(size) else { return false };
        self.history.start(empty);
        self.loaded = None;
        self.begin();
        true
    }

    /// Another position stands on the board: whoever thought about the one before begins anew.
    fn begin(&mut self) {
        self.seats.forget();
        self.set_time(self.time);
    }

    /// Sets both clocks: main time and period in seconds, moves in a period.
    fn set_time(&mut self, time: [u32; 3]) {
        let [main, period] = [time[0], time[1]].map(|seconds| Duration::from_secs(seconds.into()));
        (self.time, self.clock) = (time, GtpClock::new(main, period, time[2]));
    }

    /// The move of a colour, which the board is to take or only to be told of; the game goes on.
    fn choose(&mut self, color: Side) -> EngineChoice<G> {
        let begun = Instant::now();
        let side = self.frame().side(color); // who has swapped keeps its clock
        let (start, played) = self.history.turns_before(side);
        let now = self.history.game_for(side);
        let cells = now.size() * now.size();
        // A game of Hex takes less than half of its cells, each side the half of them.
        let moves = u32::try_from(cells.saturating_sub(self.history.count()) / 4).unwrap_or(u32::MAX).max(4);
        let at = GameHistory { start: &start, played: &played, now: &now };
        let choice = self.seats.choose(side, &at, self.clock.budget(side, moves));
        self.clock.spend(side, begun.elapsed());
        choice
    }

    /// Returns the result of the game, by the colour that has won.
    fn result(&self) -> Option<Outcome> {
        let resigned = self.history.resigned().map(|side| Outcome::Win(side.other()));
        let outcome = resigned.or(self.history.game().outcome())?;
        Some(outcome.winner().map_or(outcome, |side| Outcome::Win(self.frame().side(side))))
    }

    /// The empty cells in the order in which the wire reads them.
    fn empty_cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let (game, frame) = (self.history.game(), self.frame());
        let size = game.size();
        let cells = (0..size * size).map(move |cell| (cell / size, cell % size));
        cells.filter(move |&place| game.stone_at(frame.place(place)).is_none())
    }

    /// Reports whether an answer of an engine means that the game is lost for it.
    fn is_lost(choice: &Choice<G::Move>) -> bool {
        use crate::ai::{Proof, Value};
        let is_scored = choice.info.score.is_some_and(|score| matches!(score.value(), Value::Loss(_)));
        is_scored || matches!(choice.proof, Some(Proof::LostIn(_)))
    }
}
