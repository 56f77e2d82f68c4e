//! The engine features of one game: levels, hints, solvers, inspection commands and overlays.

use crate::ai::{
    Engine, EngineBuildError, EngineConfig, EngineKind, GameHistory, Limits, MistakeConsequence, NoSuchLevel,
    ProofFailure, ScoreMeaning, ScoreUnit, SolveControl, SolveResult, WrittenProof,
};
use crate::game::{Game, Outcome};
use crate::text::{SideName, Text};
use std::sync::atomic::AtomicBool;

/// Function that builds an engine for a game that starts at the given position.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::minimax::MinimaxEngine;
/// use crosspath::ai::{BuildEngine, EngineConfig, GameHistory, Limits, SearchControl};
/// use crosspath::games::tictactoe::TicTacToe;
/// let build: BuildEngine<TicTacToe> = |_, config| Ok(Box::new(MinimaxEngine::new(2, config)));
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let mut engine = build(&game, &EngineConfig::new(1, 0))?;
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let choice = engine.choose(&at, &SearchControl::without_reports(Limits::default(), &stop));
/// assert_eq!(choice.info.depth, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type BuildEngine<G> = fn(&G, &EngineConfig) -> Result<Box<dyn Engine<G>>, EngineBuildError>;

/// One level of a game and the function that builds its engine.
///
/// ```
/// use std::time::Duration;
/// use crosspath::ai::{EngineKind, HasEngines};
/// use crosspath::games::hex::Hex;
/// let engines = Hex::game_engines();
/// let strongest = engines.find_level(EngineKind::Level(8))?;
/// assert_eq!(strongest.about, "Searches for two seconds: the strongest level.");
/// assert_eq!(strongest.limits.time, Some(Duration::from_secs(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LevelSpec<G: Game> {
    /// Kind of engine: a level or a named engine.
    pub level: EngineKind,
    /// Description of the level for players: one sentence.
    pub about: &'static str,
    /// Function that builds the engine for a game that starts at the given position.
    pub build: BuildEngine<G>,
    /// Default limits of the level's searches; none if the engine limits itself.
    pub limits: Limits,
    /// Unit of the engine's scores.
    pub scale: ScoreUnit,
}

impl<G: Game> LevelSpec<G> {
    /// Creates a level whose engine limits itself.
    pub(crate) fn new(
        level: EngineKind,
        about: &'static str,
        build: BuildEngine<G>,
        scale: ScoreUnit,
    ) -> Self {
        LevelSpec { level, about, build, limits: Limits::default(), scale }
    }
}

/// Function that computes the values of all legal moves. Moves whose value is not known when the flag is
/// set are left out.
pub(crate) type FindMoveValues<G> = fn(&G, &AtomicBool) -> Vec<(<G as Game>::Move, ScoreMeaning)>;
/// Function that computes the exact value of a position that is not over.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{HasEngines, Limits, SolveControl, SolvePosition};
/// use crosspath::game::Outcome;
/// use crosspath::games::tictactoe::TicTacToe;
/// let solve: SolvePosition<TicTacToe> = TicTacToe::game_engines().solve.ok_or("there is a solver")?;
/// let stop = AtomicBool::new(false);
/// let solved = solve(&TicTacToe::new(3)?, &SolveControl::without_reports(Limits::default(), &stop));
/// assert_eq!(solved.outcome, Some(Outcome::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SolvePosition<G> = fn(&G, &SolveControl<'_>) -> SolveResult<<G as Game>::Move>;
/// Function that computes the outcome of a position under best play and the moves that preserve it. The
/// game must not be over. Returns `None` if the board is too large or the search was stopped.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{FindOutcome, HasEngines};
/// use crosspath::game::{Notation, Outcome, Side};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let find: FindOutcome<Hex> = Hex::game_engines().exact.ok_or("small boards are solved")?;
/// let (game, stop) = (Hex::new(3, SwapRule::Off)?, AtomicBool::new(false));
/// assert_eq!(find(&game, &stop), Some((Outcome::Win(Side::First), vec![game.parse("b2")?])));
/// assert_eq!(find(&Hex::new(11, SwapRule::Off)?, &stop), None, "the board is too large");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type FindOutcome<G> = fn(&G, &AtomicBool) -> Option<(Outcome, Vec<<G as Game>::Move>)>;
/// Function that explains what the first of two legal moves loses compared with the second, better one;
/// `None` if nothing is certain. The number selects the wording: consecutive numbers give different
/// wordings.
///
/// ```
/// use crosspath::ai::{ExplainMistake, HasEngines};
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::tictactoe::TicTacToe;
/// let mut game = TicTacToe::new(3)?;
/// for text in ["a1", "b2", "b1", "c3"] {
///     game.try_make_move(game.parse(text)?)?;
/// }
/// let engines = TicTacToe::game_engines();
/// let explain: ExplainMistake<TicTacToe> = engines.consequence.ok_or("mistakes are explained")?;
/// let moves = [game.parse("a3")?, game.parse("c1")?];
/// let text = |wording| explain(&game, moves, wording).map(|found| found.text.as_str().to_owned());
/// assert_eq!(text(0).as_deref(), Some("a3 misses a win: c1 completes row 1."));
/// assert_eq!(text(1).as_deref(), Some("c1 wins at once: it completes row 1."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ExplainMistake<G> =
    fn(&G, [<G as Game>::Move; 2], usize) -> Option<MistakeConsequence<<G as Game>::Move>>;
/// Function that describes a pattern in a line of play, such as a ladder, in one sentence.
///
/// ```
/// use crosspath::ai::{DescribePattern, HasEngines};
/// use crosspath::game::Notation;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let describe: DescribePattern<Hex> = Hex::game_engines().pattern.ok_or("Hex has ladders")?;
/// let game = Hex::new(7, SwapRule::Off)?;
/// let line = ["b6", "b7", "c6", "c7", "d6"].map(|text| game.parse(text).expect("a cell"));
/// let found = describe(&game, &line).ok_or("Red follows the bottom edge")?;
/// assert_eq!(found, "Red has a ladder along the bottom edge, from b6 to d6.");
/// assert_eq!(describe(&game, &line[..3]), None, "two stones are no ladder");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type DescribePattern<G> = fn(&G, &[<G as Game>::Move]) -> Option<Text>;
/// Function that proves who wins a position that is not over, and writes the proof as text.
pub(crate) type ProvePosition<G> = fn(&G, &SolveControl<'_>) -> Result<WrittenProof, ProofFailure>;

/// A game that has engines.
///
/// ```
/// use crosspath::ai::{EngineKind, HasEngines};
/// use crosspath::games::hex::Hex;
/// use crosspath::games::tictactoe::TicTacToe;
///
/// fn named_engines<G: HasEngines>() -> Vec<EngineKind> {
///     let kinds = G::game_engines().level_specs.into_iter().map(|level_spec| level_spec.level);
///     kinds.filter(|kind| !kind.is_level()).collect()
/// }
///
/// assert_eq!(named_engines::<Hex>(), [EngineKind::Lookahead, EngineKind::Net]);
/// assert_eq!(named_engines::<TicTacToe>(), [], "tic-tac-toe has only levels");
/// ```
pub trait HasEngines: Game {
    /// Returns the levels and other engine features of this game.
    fn game_engines() -> GameEngines<Self>;
}

/// Engine features of one game.
///
/// ```
/// use crosspath::ai::HasEngines;
/// use crosspath::games::hex::Hex;
/// let engines = Hex::game_engines();
/// assert!(engines.find_level(engines.default_level)?.level.is_level());
/// assert!(engines.solve.is_some(), "small boards of Hex are solved");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameEngines<G: Game> {
    /// Specifications of the levels and named engines, weakest first, starting with `classic`.
    pub level_specs: Vec<LevelSpec<G>>,
    /// Default level.
    pub default_level: EngineKind,
    /// Level that gives hints, and the default limits of its searches.
    pub adviser: (EngineKind, Limits),
    /// Level whose play never changes, used to judge whether openings are balanced.
    pub reference: EngineKind,
    /// Engines measured by the bench, each with its number of nodes per search.
    pub benched: Vec<(EngineKind, u64)>,
    /// Explains the purpose of a move: a phrase that follows the move, without a full stop.
    pub reason: Option<fn(&G, G::Move) -> Text>,
    /// Explains why a mistake is one.
    pub consequence: Option<ExplainMistake<G>>,
    /// Describes a pattern in a line of play, such as a ladder, in one sentence.
    pub pattern: Option<DescribePattern<G>>,
    /// Returns the common name of the opening on the board.
    pub opening: Option<fn(&G) -> Option<&'static str>>,
    /// Announces that the engine's last move is a proved win; see [`AnnounceWin`].
    pub announce: Option<AnnounceWin<G>>,
    /// Computes the values of all legal moves; empty if the board is too large for exact values.
    pub values: Option<FindMoveValues<G>>,
    /// Computes the exact value of a position that is not over, within the limits.
    pub solve: Option<SolvePosition<G>>,
    /// Computes the outcome of positions on small boards, where a search alone can miss it.
    pub exact: Option<FindOutcome<G>>,
    /// Proves who wins a position and writes the proof as text, if the game has a proof format.
    pub prove: Option<ProvePosition<G>>,
    /// Inspection commands of this game, which show the engines' view of a position.
    pub inspect_commands: &'static [InspectCommand<G>],
    /// Overlays that can be shown on the board.
    pub overlays: &'static [BoardOverlay<G>],
    /// Names of the tunable numeric constants of the engine `net`, as in
    /// [`TuningOverrides::CONSTANT_NAMES`](crate::ai::TuningOverrides::CONSTANT_NAMES).
    pub tunable: &'static [&'static str],
}

/// Function that computes the marks of an overlay: a cell given as a move, and the character shown on it.
///
/// ```
/// use crosspath::ai::{ComputeOverlayMarks, GameHistory, HasEngines};
/// use crosspath::games::tictactoe::TicTacToe;
/// // The overlay of X comes first, then that of O.
/// let pairs_of_second: ComputeOverlayMarks<TicTacToe> = TicTacToe::game_engines().overlays[1].marks;
/// let [small, large] = [TicTacToe::new(3)?, TicTacToe::new(5)?];
/// let count = |game| pairs_of_second(&GameHistory { start: game, played: &[], now: game }).len();
/// assert_eq!(count(&large), 24, "one pair of cells for each of the 12 lines of 5x5");
/// assert_eq!(count(&small), 0, "3x3 has too few cells for its 8 lines");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ComputeOverlayMarks<G> = fn(&GameHistory<'_, G>) -> Vec<(<G as Game>::Move, char)>;

/// Function that announces a win proved by the engine's last move. Its arguments are the game, the number
/// of plies to the win (counted from before that move), and `true` if the win is newly proved. Returns
/// `None` if there is nothing new to announce.
///
/// ```
/// use crosspath::ai::{AnnounceWin, GameHistory, HasEngines};
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let announce: AnnounceWin<Hex> = Hex::game_engines().announce.ok_or("Hex announces wins")?;
/// let start = Hex::new(3, SwapRule::Off)?;
/// let (played, mut now) = ([start.parse("b2")?], start.clone());
/// now.try_make_move(played[0])?;
/// let at = GameHistory { start: &start, played: &played, now: &now };
/// let text = announce(&at, 5, true).ok_or("the win is newly proved")?;
/// assert!(text.starts_with("Red is certain to connect"), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type AnnounceWin<G> = fn(&GameHistory<'_, G>, u32, bool) -> Option<Text>;

/// Board overlay: characters on empty cells that show an engine's view of the position.
///
/// ```
/// use crosspath::ai::{GameHistory, HasEngines};
/// use crosspath::game::{PositionDescription, Side};
/// use crosspath::games::tictactoe::TicTacToe;
/// let overlay = &TicTacToe::game_engines().overlays[1]; // that of O; that of X comes first
/// let game = TicTacToe::new(5)?;
/// let title = (overlay.title)(Side::BOTH.map(|side| game.side_name(side)));
/// assert_eq!(title, "O's pairing strategy: reply on the same letter and O never loses");
/// let marks = (overlay.marks)(&GameHistory { start: &game, played: &[], now: &game });
/// assert_eq!(marks.iter().filter(|(_, letter)| *letter == 'A').count(), 2, "a pair of cells");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BoardOverlay<G: Game> {
    /// Title of the overlay, made from the names of First and Second: a sentence without a full stop.
    pub title: fn([SideName; 2]) -> Text,
    /// Function that computes the marks of the overlay.
    pub marks: ComputeOverlayMarks<G>,
}

/// Command of one game that shows an engine's view of a position.
///
/// ```
/// use crosspath::ai::{GameHistory, HasEngines};
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let commands = Hex::game_engines().inspect_commands;
/// let command = commands.iter().find(|command| command.word == "must-play").ok_or("a command of Hex")?;
/// let start = Hex::new(3, SwapRule::Off)?;
/// let (played, mut now) = ([start.parse("b2")?], start.clone());
/// now.try_make_move(played[0])?;
/// let lines = (command.describe)(&GameHistory { start: &start, played: &played, now: &now });
/// assert_eq!(lines[0], "Blue has lost: Red has an answer to every move.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct InspectCommand<G: Game> {
    /// Name of the command.
    pub word: &'static str,
    /// Description of the command for the help.
    pub short: &'static str,
    /// Returns the output lines; empty if there is nothing to show.
    pub describe: fn(&GameHistory<'_, G>) -> Vec<Text>,
}

/// Node limit per search of the bench, for engines without a network.
pub(super) const BENCH_NODES_PER_SEARCH: u64 = 5_000;

impl<G: Game> GameEngines<G> {
    /// Creates the features of a game whose engines only play. The strongest, last level is also the
    /// default, the adviser, the reference and the benched engine.
    ///
    /// # Panics
    /// If `level_specs` is empty.
    #[must_use]
    pub fn from_levels(level_specs: Vec<LevelSpec<G>>) -> Self {
        let strongest = level_specs.last().expect("every game has a level").level;
        let (default_level, reference) = (strongest, strongest);
        let adviser = (strongest, Limits::default());
        let benched = vec![(strongest, BENCH_NODES_PER_SEARCH)];
        GameEngines {
            level_specs,
            default_level,
            adviser,
            reference,
            benched,
            reason: None,
            consequence: None,
            pattern: None,
            opening: None,
            announce: None,
            values: None,
            solve: None,
            exact: None,
            prove: None,
            inspect_commands: &[],
            overlays: &[],
            tunable: &[],
        }
    }

    /// Returns the specification of a level or a named engine.
    ///
    /// ```
    /// use crosspath::ai::{EngineKind, HasEngines};
    /// use crosspath::games::quoridor::Quoridor;
    /// let engines = Quoridor::game_engines();
    /// assert_eq!(engines.find_level(EngineKind::Level(3))?.level, EngineKind::Level(3));
    /// assert!(engines.find_level(EngineKind::Level(9)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the game has no such engine; the error lists the available levels.
    pub fn find_level(&self, level: EngineKind) -> Result<&LevelSpec<G>, NoSuchLevel> {
        let error = || NoSuchLevel { got: level.to_string(), levels: self.levels() };
        self.level_specs.iter().find(|level_spec| level_spec.level == level).ok_or_else(error)
    }

    /// Returns the levels, weakest first, starting with `classic`.
    ///
    /// ```
    /// use crosspath::ai::{EngineKind, HasEngines};
    /// use crosspath::games::hex::Hex;
    /// let levels = Hex::game_engines().levels();
    /// assert_eq!((levels[0], levels.len()), (EngineKind::Classic, 9));
    /// ```
    #[must_use]
    pub fn levels(&self) -> Vec<EngineKind> {
        self.level_specs.iter().map(|level_spec| level_spec.level).filter(|level| level.is_level()).collect()
    }
}
