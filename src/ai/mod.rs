//! What every engine is given and what it answers. Knows no game, prints nothing, reads no clock but its limits'.

pub mod alphabeta;
pub mod exact;
pub mod hex;
mod host;
pub mod mcts;
pub mod minimax;
pub mod net;
pub mod quoridor;
mod score;
mod search_budget;
mod solved;
mod spec;
pub mod tictactoe;
pub mod transposition;

use std::fmt::{self, Debug, Display};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::game::{Game, Refusal};
use crate::text::{SideName, Text};

pub(crate) use host::best_first;
pub use host::{BuildError, EngineConfig, EngineHost, Resources, Tuning, Weights};
pub use score::{MATE_BOUND, Score, ScoreUnit, Value, WIN, Worth};
pub(crate) use score::{end_value, one_ply_earlier};
pub use search_budget::SearchBudget;
pub(crate) use search_budget::{Stopwatch, thread_time, while_stopped};
pub use solved::{Solved, Unproved, WrittenProof};
pub(crate) use spec::KINDS;
pub use spec::{EngineSpec, MAX_MIB, MAX_THREADS, SpecError, duration};

/// What the bench printed when the play of this version was committed: one number a game. A test holds it to that, so
/// versions with equal signatures play alike.
///
/// # Panics
/// Never: the file is the bench's own line.
#[must_use]
pub fn signature() -> &'static str {
    include_str!("../../tests/data/bench.txt")
        .strip_prefix("Bench: ")
        .expect("the bench prints so")
        .trim_end()
}

/// How strong an engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The algorithm of the program that the game was taken from.
    Classic,
    /// 1 (weakest) to 8.
    Number(u8),
    /// No level: looks some plies ahead, judging by shortest paths.
    Lookahead,
    /// No level: plays by a network.
    Net,
}

impl Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Classic => f.write_str("classic"),
            Level::Number(number) => Display::fmt(number, f),
            Level::Lookahead => f.write_str("lookahead"),
            Level::Net => f.write_str("net"),
        }
    }
}

impl FromStr for Level {
    type Err = ();

    /// Reads `classic`, a number, or the name of an engine; whether a game has that level is another question.
    fn from_str(text: &str) -> Result<Self, ()> {
        match text.to_ascii_lowercase().as_str() {
            "classic" => Ok(Level::Classic),
            "lookahead" => Ok(Level::Lookahead),
            "net" => Ok(Level::Net),
            text => text.parse().map(Level::Number).map_err(|_| ()),
        }
    }
}

impl Level {
    /// Whether it is one of the levels from which people choose, and not an engine that is only known by its name.
    #[must_use]
    pub fn is_level(self) -> bool {
        matches!(self, Level::Classic | Level::Number(_))
    }

    /// The one of these levels that a text names.
    ///
    /// # Errors
    /// Names the levels there are.
    ///
    /// ```
    /// use crosspath::ai::Level;
    /// let levels = [Level::Classic, Level::Number(1), Level::Number(2)];
    /// assert_eq!(Level::read("2", &levels), Ok(levels[2]));
    /// let error = Level::read("3", &levels).unwrap_err().to_string();
    /// assert_eq!(error, "there is no level 3; levels are classic, 1 to 2");
    /// ```
    pub fn read(text: &str, levels: &[Level]) -> Result<Level, NoSuchLevel> {
        match text.trim().parse::<Level>() {
            Ok(level) => level.among(levels),
            Err(()) => Err(NoSuchLevel { got: Refusal::shown(text), levels: levels.to_vec() }),
        }
    }

    /// This level, if it is one of these.
    ///
    /// # Errors
    /// Names the levels there are.
    pub fn among(self, levels: &[Level]) -> Result<Level, NoSuchLevel> {
        let error = || NoSuchLevel { got: self.to_string(), levels: levels.to_vec() };
        levels.contains(&self).then_some(self).ok_or_else(error)
    }

    /// Levels in words: `classic, 1 to 8`.
    #[must_use]
    pub fn in_words(levels: &[Level]) -> String {
        match levels {
            [Level::Classic, first, .., last] => format!("classic, {first} to {last}"),
            _ => levels.iter().map(Level::to_string).collect::<Vec<_>>().join(", "),
        }
    }
}

/// The game has no such level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no level {got}; levels are {}", Level::in_words(levels))]
pub struct NoSuchLevel {
    /// What was asked for.
    pub got: String,
    /// The levels there are.
    pub levels: Vec<Level>,
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
    /// Processor time of the thread that searches; none where the system does not tell.
    pub cpu_time: Option<Duration>,
}

impl Limits {
    /// These limits or, where none is given, others.
    #[must_use]
    pub fn or(self, others: Limits) -> Limits {
        if self == Limits::default() { others } else { self }
    }

    /// The same where 0 stands for no limit.
    pub(crate) fn without_zeros(self) -> Limits {
        let some = |time: Option<Duration>| time.filter(|time| !time.is_zero());
        let (depth, nodes) = (self.depth.filter(|&depth| depth > 0), self.nodes.filter(|&nodes| nodes > 0));
        Limits { depth, nodes, time: some(self.time), cpu_time: some(self.cpu_time) }
    }

    /// The same with a part of the time: one of so many equal ones.
    pub(crate) fn shared_by(self, parts: u32) -> Limits {
        let part = |time: Option<Duration>| time.map(|time| time / parts);
        Limits { time: part(self.time), cpu_time: part(self.cpu_time), ..self }
    }

    /// The part of the positions and of the processor time that each of so many threads may use.
    pub(crate) fn of_each(self, threads: usize) -> Limits {
        let parts = u32::try_from(threads.max(1)).unwrap_or(u32::MAX);
        let nodes = self.nodes.map(|nodes| nodes.div_ceil(parts.into()));
        Limits { nodes, cpu_time: self.cpu_time.map(|time| time / parts), ..self }
    }

    /// Whether time of any kind may end a search: then it is not the same another time.
    pub(crate) fn have_time(&self) -> bool {
        self.time.is_some() || self.cpu_time.is_some()
    }

    /// Whether only time ends a search: it comes as far as it comes, and not as far another time.
    pub(crate) fn are_of_time(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none()
    }
}

/// What a search asks about a game that the rules do not say. Values are the mover's; more is better.
///
/// Only [`Eval::value`], [`Eval::move_index_count`] and [`Eval::move_index`] are needed. What the others say has to be true: they may
/// spare work, never change a result. The one exception is an [`Eval::moves`] that leaves out what looks poor: such a
/// search is selective, and its results are estimates, wins and losses too.
///
/// ```
/// use crosspath::ai::Eval;
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
///
/// /// Sees nothing but the end of the game.
/// struct Flat;
///
/// impl Eval<TicTacToe> for Flat {
///     fn value(&mut self, _: &TicTacToe) -> i32 {
///         0
///     }
///     fn move_index_count(&self, game: &TicTacToe) -> usize {
///         game.size() * game.size()
///     }
///     fn move_index(&self, _: &TicTacToe, cell: Cell) -> u16 {
///         u16::from(cell.0)
///     }
/// }
/// ```
pub trait Eval<G: Game>: Send {
    /// The value of a position that is not over, by looking at it only; between `-MATE_BOUND` and `MATE_BOUND`.
    fn value(&mut self, game: &G) -> i32;

    /// How many move indices there are; at most 65,535.
    fn move_index_count(&self, game: &G) -> usize;

    /// A number below [`Eval::move_index_count`] for a move, the same wherever the move means the same. Moves that share a move index
    /// share what the search has learnt about them.
    fn move_index(&self, game: &G, mv: G::Move) -> u16;

    /// How promising a legal move looks before it is searched: the higher, the sooner.
    fn rank(&mut self, _game: &G, _mv: G::Move) -> i32 {
        0
    }

    /// Whether all legal moves but one lose at once. [`Eval::moves`] gives that one, and it is not counted as a ply.
    fn is_forced(&mut self, _game: &G) -> bool {
        false
    }

    /// By how many plies a move is searched less deep at first; `number` counts the moves before it.
    fn reduction(&self, _game: &G, _depth: u8, _number: usize) -> u8 {
        0
    }

    /// Whether moves that have refuted others come before those with a higher rank.
    fn learns(&self) -> bool {
        true
    }

    /// Proved bounds of the value of a position that is not over, a win counted from here: `(0, WIN)` says that the
    /// mover cannot lose.
    fn bounds(&mut self, _game: &G) -> (i32, i32) {
        (-WIN, WIN)
    }

    /// Appends the moves worth searching, at least one: the legal ones without those that provably change nothing, or,
    /// in a selective search, those that look best. The root looks at every legal move all the same.
    fn moves(&mut self, game: &G, out: &mut Vec<G::Move>) {
        game.moves(out);
    }

    /// The key under which results are kept, and how the board was turned to get it. Positions with equal keys have
    /// equal values.
    fn key(&mut self, game: &G) -> (u64, u8) {
        (game.key(), 0)
    }

    /// The move index of a move on the board turned that way.
    fn turned(&self, move_index: u16, _turn: u8) -> u16 {
        move_index
    }

    /// The move index of a move before the board was turned that way: undoes [`Eval::turned`].
    fn turned_back(&self, move_index: u16, _turn: u8) -> u16 {
        move_index
    }
}

/// A move that an engine compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate<M> {
    /// The line of play expected, the move in front.
    pub line: Vec<M>,
    /// What it is worth, if the engine says so.
    pub score: Option<Score>,
    /// How often the search looked at it; 0 where none counts that.
    pub visits: u32,
}

impl<M: Copy> Candidate<M> {
    /// A move of which only the value is known.
    #[must_use]
    pub fn of(mv: M, score: Option<Score>) -> Self {
        Candidate { line: vec![mv], score, visits: 0 }
    }

    /// The move.
    ///
    /// # Panics
    /// If the line is empty.
    #[must_use]
    pub fn mv(&self) -> M {
        self.line[0]
    }
}

/// What is known about a search, while it runs and at its end.
#[derive(Clone, Debug)]
pub struct Info<M> {
    /// Positions searched.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The value found for the mover: positive is good; its unit is the engine's.
    pub score: Option<Score>,
    /// The line of play expected, the chosen move in front.
    pub pv: Vec<M>,
    /// The moves that were compared; the chosen move at least, in front.
    pub candidates: Vec<Candidate<M>>,
    /// Time used.
    pub elapsed: Duration,
    /// Whether the move stands in a book of openings.
    pub is_from_book: bool,
}

impl<M: Copy> Info<M> {
    /// A line of play and what its first move is worth, found without a search.
    #[must_use]
    pub fn of(pv: Vec<M>, score: Option<i32>) -> Self {
        let score = score.map(Score);
        let candidates = pv.first().map(|&mv| Candidate::of(mv, score)).into_iter().collect();
        Info { nodes: 0, depth: 0, score, pv, candidates, elapsed: Duration::ZERO, is_from_book: false }
    }

    /// The same, found by a search of this depth, in plies.
    fn found(pv: Vec<M>, score: Option<i32>, depth: u32, budget: &SearchBudget<'_>) -> Self {
        Info { nodes: budget.nodes, depth, elapsed: budget.elapsed(), ..Info::of(pv, score) }
    }

    /// The answer of an engine that proves nothing: the first move of the line.
    fn choice(self) -> Choice<M> {
        Choice { mv: self.pv[0], info: self, proof: None }
    }
}

/// The game that an engine is asked about.
#[derive(Debug)]
pub struct GameHistory<'a, G: Game> {
    /// The position before the first move.
    pub start: &'a G,
    /// The moves played.
    pub played: &'a [G::Move],
    /// The position now; not over.
    pub now: &'a G,
}

/// What bounds a search from outside, and who hears how it goes.
#[derive(Clone, Copy)]
pub struct SearchControl<'a, M> {
    /// Limits that replace the engine's own, as far as they are given.
    pub limits: Limits,
    /// Raised when the best move so far is wanted at once.
    pub stop: &'a AtomicBool,
    /// Called when the search knows more than before, at most a few dozen times a move.
    pub report: &'a (dyn Fn(&Info<M>) + Sync),
}

impl<'a, M> SearchControl<'a, M> {
    /// These limits, and nobody who listens.
    #[must_use]
    pub fn quiet(limits: Limits, stop: &'a AtomicBool) -> Self {
        SearchControl { limits, stop, report: &|_| () }
    }
}

impl<M> Debug for SearchControl<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("limits", &self.limits)
            .field("stop", self.stop)
            .finish_non_exhaustive()
    }
}

/// What is proved about the position after the engine's move. Never claimed without its proof; numbers are plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The mover wins within this number of plies, counted from before the move.
    WinIn(u32),
    /// The mover cannot lose: the certificate names the cells that hold every line.
    Certified,
    /// Best play from both sides draws.
    Draw,
    /// The mover loses within this number of plies against best play.
    LostIn(u32),
    /// Nothing is proved.
    Unproved,
}

impl Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::WinIn(plies) => write!(f, "win in {plies}"),
            Proof::Certified => f.write_str("certified"),
            Proof::Draw => f.write_str("draw"),
            Proof::LostIn(plies) => write!(f, "lost in {plies}"),
            Proof::Unproved => f.write_str("unproved"),
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
    pub proof: Option<Proof>,
}

/// A machine player of one game. It may keep tables from move to move of one game; its [`EngineHost`] says when another
/// begins.
pub trait Engine<G: Game>: Send {
    /// Chooses a legal move. `at.now` is not over. Every limit, 0 included, yields a move.
    fn choose(&mut self, at: &GameHistory<'_, G>, control: &SearchControl<'_, G::Move>) -> Choice<G::Move>;

    /// Forgets everything, chance included: answers from now on as it did when it was built.
    fn new_game(&mut self);

    /// Makes ready for the next of several positions that are compared. Nothing of the one before may be remembered, but
    /// chance may go on.
    fn next_candidate(&mut self) {
        self.new_game();
    }
}

/// Makes an engine for a game that starts at the given position.
pub type Build<G> = fn(&G, &EngineConfig) -> Result<Box<dyn Engine<G>>, BuildError>;

/// One level of a game and how its engine is made.
#[derive(Clone, Debug)]
pub struct LevelSpec<G: Game> {
    /// The level.
    pub level: Level,
    /// How it plays, for people who look for an opponent: a sentence.
    pub about: &'static str,
    /// Makes the engine for a game that starts at the given position.
    pub build: Build<G>,
    /// Where its searches end, unless limits are asked for. Levels that know their own measure have none.
    pub limits: Limits,
    /// What its scores mean.
    pub scale: ScoreUnit,
}

/// What every legal move comes to; the moves that are not known when the flag is raised are missing.
pub(crate) type Values<G> = fn(&G, &AtomicBool) -> Vec<(<G as Game>::Move, Value)>;
/// Finds the exact value of a position that is not over.
pub type Solve<G> = fn(&G, &SolveControl<'_>) -> Solved<<G as Game>::Move>;
/// Proves who wins a position that is not over, and writes the proof down.
pub(crate) type Prove<G> = fn(&G, &SolveControl<'_>) -> Result<WrittenProof, Unproved>;

/// A game that machines can play.
pub trait Engines: Game {
    /// Its levels, and what else its engines can do.
    fn game_engines() -> GameEngines<Self>;
}

/// Everything that the engines of one game can do.
#[derive(Clone, Debug)]
pub struct GameEngines<G: Game> {
    /// The levels, weakest first, `classic` in front.
    pub level_specs: Vec<LevelSpec<G>>,
    /// Who plays unless another is asked for.
    pub default_level: Level,
    /// Who gives hints, and where its searches end unless limits are asked for.
    pub adviser: (Level, Limits),
    /// Whose play never changes: it says which openings are balanced.
    pub reference: Level,
    /// Whom the bench measures, with how many positions a search.
    pub benched: Vec<(Level, u64)>,
    /// What a move is good for: a phrase to follow the move, without a full stop.
    pub reason: Option<fn(&G, G::Move) -> Text>,
    /// The name that players have for the opening on the board.
    pub opening: Option<fn(&G) -> Option<&'static str>>,
    /// How it is told that the engine which has just moved has proved its win; see [`Announcement`].
    pub announce: Option<Announcement<G>>,
    /// What every legal move comes to, in words; empty where the board is too large to tell exactly.
    pub values: Option<Values<G>>,
    /// Finds the exact value of a position that is not over, within the limits.
    pub solve: Option<Solve<G>>,
    /// Writes down a proof of who wins, where the game has a form for that.
    pub prove: Option<Prove<G>>,
    /// What its engines see in a position, under words of its own.
    pub inspect_commands: &'static [InspectCommand<G>],
    /// What can be laid over the board.
    pub overlays: &'static [Overlay<G>],
    /// The constants of the engine `net` that are numbers and can be given, as in [`Tuning::KEYS`].
    pub tunable: &'static [&'static str],
}

/// Places, as moves, each with a character.
pub type Marks<G> = fn(&GameHistory<'_, G>) -> Vec<(<G as Game>::Move, char)>;

/// What is told of a position that an engine has proved to have won by its last move: within so many plies from before
/// that move, and whether it is new that it wins. `None` where there is nothing new to tell.
pub type Announcement<G> = fn(&GameHistory<'_, G>, u32, bool) -> Option<Text>;

/// Characters on empty places of the board that tell something about them.
#[derive(Debug)]
pub struct Overlay<G: Game> {
    /// What they tell, in a sentence without its full stop, with the names of the sides.
    pub title: fn([SideName; 2]) -> Text,
    /// The places, as moves, each with its character.
    pub marks: Marks<G>,
}

/// A word of one game and what it tells about a position.
#[derive(Debug)]
pub struct InspectCommand<G: Game> {
    /// The word.
    pub word: &'static str,
    /// What it tells, for the help.
    pub short: &'static str,
    /// The answer in lines; empty where there is nothing to tell.
    pub tell: fn(&GameHistory<'_, G>) -> Vec<Text>,
}

/// Positions that each search of the bench may look at where no network judges them.
const BENCH_NODES: u64 = 5_000;

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
            opening: None,
            announce: None,
            values: None,
            solve: None,
            prove: None,
            inspect_commands: &[],
            overlays: &[],
            tunable: &[],
        }
    }

    /// The engine of a level, or of a name.
    ///
    /// # Errors
    /// Names the levels there are.
    pub fn find(&self, level: Level) -> Result<&LevelSpec<G>, NoSuchLevel> {
        let error = || NoSuchLevel { got: level.to_string(), levels: self.levels() };
        self.level_specs.iter().find(|level_spec| level_spec.level == level).ok_or_else(error)
    }

    /// The levels, weakest first, `classic` in front.
    #[must_use]
    pub fn levels(&self) -> Vec<Level> {
        self.level_specs.iter().map(|level_spec| level_spec.level).filter(|level| level.is_level()).collect()
    }
}

/// What a solver may use, and whom it tells how far it is.
#[derive(Clone, Copy)]
pub struct SolveControl<'a> {
    /// Where it gives up; the depth means nothing.
    pub limits: Limits,
    /// Threads that may work at once, if it can use them.
    pub threads: usize,
    /// The most that its tables may take, in MiB; what the solver finds right where nothing is said.
    pub memory_mib: Option<usize>,
    /// Raised when it is to give up.
    pub stop: &'a AtomicBool,
    /// Told now and then which part of the work is done, from 0 to 1, where that is known; by any thread.
    pub report: &'a (dyn Fn(f64) + Sync),
}

impl Debug for SolveControl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveControl").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a> SolveControl<'a> {
    /// One thread, that reports nothing.
    #[must_use]
    pub fn quiet(limits: Limits, stop: &'a AtomicBool) -> Self {
        SolveControl { limits, threads: 1, memory_mib: None, stop, report: &|_| () }
    }

    /// The same for a search.
    #[must_use]
    pub fn search<M>(&self) -> SearchControl<'a, M> {
        SearchControl::quiet(self.limits, self.stop)
    }
}

/// The legal moves in the order of [`Game::moves`].
pub(crate) fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves
}

/// What a look at the position after a legal move shows. The move is taken back.
pub(crate) fn after_move<G: Game, T>(game: &mut G, mv: G::Move, look: impl FnOnce(&mut G) -> T) -> T {
    let undo = game.make(mv);
    let seen = look(game);
    game.unmake(mv, undo);
    seen
}

/// The elements with the highest key, in their order.
fn most_by<T, K: Ord>(all: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let most = all.iter().map(&key).max();
    all.into_iter().filter(|element| Some(key(element)) == most).collect()
}
