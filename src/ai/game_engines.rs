//! Everything that the engines of one game can do: levels, advice, solvers, words and overlays.

use crate::ai::{
    BuildError, Consequence, Engine, EngineConfig, EngineKind, GameHistory, Limits, NoSuchLevel, ScoreUnit,
    SolveControl, Solved, Unproved, Value, WrittenProof,
};
use crate::game::{Game, Outcome};
use crate::text::{SideName, Text};
use std::sync::atomic::AtomicBool;

/// Makes an engine for a game that starts at the given position.
pub type BuildEngine<G> = fn(&G, &EngineConfig) -> Result<Box<dyn Engine<G>>, BuildError>;

/// One level of a game and how its engine is made.
#[derive(Clone, Debug)]
pub struct LevelSpec<G: Game> {
    /// The level.
    pub level: EngineKind,
    /// Description of its play, for people who look for an opponent: a sentence.
    pub about: &'static str,
    /// Makes the engine for a game that starts at the given position.
    pub build: BuildEngine<G>,
    /// Limits of its searches, unless others are asked for. Levels that know their own measure have none.
    pub limits: Limits,
    /// Unit of its scores.
    pub scale: ScoreUnit,
}

/// Values of all legal moves; moves that are not known when the flag is raised are missing.
pub(crate) type MoveValues<G> = fn(&G, &AtomicBool) -> Vec<(<G as Game>::Move, Value)>;
/// Finds the exact value of a position that is not over.
pub type SolvePosition<G> = fn(&G, &SolveControl<'_>) -> Solved<<G as Game>::Move>;
/// Finds the result of a position under best play, with moves that keep it. The game goes on there. `None` if the board is
/// too large for that, or the search was stopped.
pub type FindOutcome<G> = fn(&G, &AtomicBool) -> Option<(Outcome, Vec<<G as Game>::Move>)>;
/// Says what the first of two legal moves gives away beside the second, a better one; `None` where nothing is certain. The
/// number chooses the wording: no two consecutive numbers give the same one.
pub type CompareMoves<G> = fn(&G, [<G as Game>::Move; 2], usize) -> Option<Consequence<<G as Game>::Move>>;
/// Names a pattern in a line of play from a position, such as a ladder, as a sentence.
pub type NamePattern<G> = fn(&G, &[<G as Game>::Move]) -> Option<Text>;
/// Proves who wins a position that is not over, and writes the proof down.
pub(crate) type ProvePosition<G> = fn(&G, &SolveControl<'_>) -> Result<WrittenProof, Unproved>;

/// A game that machines can play.
pub trait Engines: Game {
    /// Its levels, and what else its engines can do.
    fn game_engines() -> GameEngines<Self>;
}

/// Everything that the engines of one game can do.
///
/// ```
/// use crosspath::ai::Engines;
/// use crosspath::games::hex::Hex;
/// let engines = Hex::game_engines();
/// assert!(engines.find(engines.default_level)?.level.is_level());
/// assert!(engines.solve.is_some(), "small boards of Hex are solved");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameEngines<G: Game> {
    /// The levels, weakest first, `classic` in front.
    pub level_specs: Vec<LevelSpec<G>>,
    /// Level that plays unless another is asked for.
    pub default_level: EngineKind,
    /// Level that gives hints, and the limits of its searches unless others are asked for.
    pub adviser: (EngineKind, Limits),
    /// Level whose play never changes: it says which openings are balanced.
    pub reference: EngineKind,
    /// Whom the bench measures, with how many positions a search.
    pub benched: Vec<(EngineKind, u64)>,
    /// Purpose of a move: a phrase to follow the move, without a full stop.
    pub reason: Option<fn(&G, G::Move) -> Text>,
    /// Says why a mistake is one.
    pub consequence: Option<CompareMoves<G>>,
    /// Names a pattern in a line of play, such as a ladder, as a sentence.
    pub pattern: Option<NamePattern<G>>,
    /// The name that players have for the opening on the board.
    pub opening: Option<fn(&G) -> Option<&'static str>>,
    /// Announcement that the engine which has just moved has proved its win; see [`Announcement`].
    pub announce: Option<Announcement<G>>,
    /// Values of all legal moves; empty where the board is too large to tell exactly.
    pub values: Option<MoveValues<G>>,
    /// Finds the exact value of a position that is not over, within the limits.
    pub solve: Option<SolvePosition<G>>,
    /// Finds the value of positions on small boards, where a search alone can miss it.
    pub exact: Option<FindOutcome<G>>,
    /// Writes down a proof of who wins, where the game has a form for that.
    pub prove: Option<ProvePosition<G>>,
    /// Commands that show the engines' view of a position, under words of the game's own.
    pub inspect_commands: &'static [InspectCommand<G>],
    /// Overlays for the board.
    pub overlays: &'static [Overlay<G>],
    /// The constants of the engine `net` that are numbers and can be given, as in [`Tuning::KEYS`](crate::ai::Tuning::KEYS).
    pub tunable: &'static [&'static str],
}

/// Places, as moves, each with a character.
pub type OverlayMarks<G> = fn(&GameHistory<'_, G>) -> Vec<(<G as Game>::Move, char)>;

/// Announcement of a win that an engine has proved by its last move: within this number of plies from before that move,
/// and `true` if it is new that it wins. `None` where there is nothing new to tell.
pub type Announcement<G> = fn(&GameHistory<'_, G>, u32, bool) -> Option<Text>;

/// Characters on empty places of the board that tell something about them.
#[derive(Debug)]
pub struct Overlay<G: Game> {
    /// Title of the overlay: a sentence without its full stop, made with the names of the sides.
    pub title: fn([SideName; 2]) -> Text,
    /// The places, as moves, each with its character.
    pub marks: OverlayMarks<G>,
}

/// A word of one game and what it tells about a position.
#[derive(Debug)]
pub struct InspectCommand<G: Game> {
    /// The word.
    pub word: &'static str,
    /// Description of the command for the help.
    pub short: &'static str,
    /// The answer in lines; empty where there is nothing to tell.
    pub tell: fn(&GameHistory<'_, G>) -> Vec<Text>,
}

/// Positions that each search of the bench may look at where no network judges them.
pub(super) const BENCH_NODES: u64 = 5_000;

impl<G: Game> GameEngines<G> {
    /// Machines that only play. The last is the strongest level and does all that one of them has to do.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn of(level_specs: Vec<LevelSpec<G>>) -> Self {
        let strongest = level_specs.last().expect("every game has a level").level;
        let (default_level, reference) = (strongest, strongest);
        let adviser = (strongest, Limits::default());
        let benched = vec![(strongest, BENCH_NODES)];
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

    /// The engine of a level, or of a name.
    ///
    /// ```
    /// use crosspath::ai::{EngineKind, Engines};
    /// use crosspath::games::quoridor::Quoridor;
    /// let engines = Quoridor::game_engines();
    /// assert_eq!(engines.find(EngineKind::Level(3))?.level, EngineKind::Level(3));
    /// assert!(engines.find(EngineKind::Level(9)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Names the levels there are.
    pub fn find(&self, level: EngineKind) -> Result<&LevelSpec<G>, NoSuchLevel> {
        let error = || NoSuchLevel { got: level.to_string(), levels: self.levels() };
        self.level_specs.iter().find(|level_spec| level_spec.level == level).ok_or_else(error)
    }

    /// The levels, weakest first, `classic` in front.
    ///
    /// ```
    /// use crosspath::ai::{EngineKind, Engines};
    /// use crosspath::games::hex::Hex;
    /// let levels = Hex::game_engines().levels();
    /// assert_eq!((levels[0], levels.len()), (EngineKind::Classic, 9));
    /// ```
    #[must_use]
    pub fn levels(&self) -> Vec<EngineKind> {
        self.level_specs.iter().map(|level_spec| level_spec.level).filter(|level| level.is_level()).collect()
    }
}
