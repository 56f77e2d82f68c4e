//! The interface that every engine implements, with its input and output types.

use std::fmt::{self, Debug};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::{Limits, ProofStatus, Score};
use crate::game::Game;

/// A move that an engine compared with others, with its value.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineHost, EngineKind, GameHistory, HasEngines};
/// use crosspath::ai::{Limits, Score, ScoreMeaning, SearchControl};
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::tictactoe::TicTacToe;
/// let mut game = TicTacToe::new(3)?;
/// for text in ["a1", "c3", "a2"] {
///     game.try_make_move(game.parse(text)?)?;
/// }
/// let level = TicTacToe::game_engines().find_level(EngineKind::Level(8))?.clone();
/// let host = EngineHost::new(level, EngineConfig::new(1, 0), &game)?;
/// let (at, stop) = (GameHistory { start: &game, played: &[], now: &game }, AtomicBool::new(false));
/// let control = SearchControl::without_reports(Limits::default(), &stop);
/// let candidates = host.rank_moves(2, &at, &control)?.info.candidates;
/// assert_eq!(game.format_move(candidates[0].line[0]), "a3", "it blocks the column");
/// assert_eq!(candidates[1].score.map(Score::meaning), Some(ScoreMeaning::Loss(2)), "X completes it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedMove<M> {
    /// Expected line of play; it starts with the move.
    pub line: Vec<M>,
    /// Value of the move, if the engine reports one.
    pub score: Option<Score>,
    /// Number of visits of the move in the search; 0 if the engine does not count visits.
    pub visits: u32,
}

impl<M: Copy> ComparedMove<M> {
    /// Creates a compared move with a line of one move and no visits.
    ///
    /// ```
    /// use crosspath::ai::{ComparedMove, Score};
    /// let candidate = ComparedMove::new("b2", Some(Score(7)));
    /// assert_eq!((candidate.first_move(), candidate.visits), ("b2", 0));
    /// ```
    #[must_use]
    pub fn new(mv: M, score: Option<Score>) -> Self {
        ComparedMove { line: vec![mv], score, visits: 0 }
    }

    /// Returns the move itself: the first one of its line.
    ///
    /// # Panics
    /// If the line is empty.
    #[must_use]
    pub fn first_move(&self) -> M {
        self.line[0]
    }
}

/// Progress or final result of a search.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::minimax::MinimaxEngine;
/// use crosspath::ai::{Engine, EngineConfig, GameHistory, Limits, Score, SearchControl};
/// use crosspath::games::tictactoe::TicTacToe;
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let control = SearchControl::without_reports(Limits::default(), &stop);
/// let info = MinimaxEngine::new(2, &EngineConfig::new(1, 0)).choose(&at, &control).info;
/// assert_eq!((info.depth, info.nodes), (2, 9 + 9 * 8), "all positions after one and two plies");
/// assert_eq!(info.score, Some(Score(0)), "nobody wins so soon");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchInfo<M> {
    /// Positions searched.
    pub nodes: u64,
    /// Search depth in plies.
    pub depth: u32,
    /// Value for the side to move; positive is good. Its unit is the engine's.
    pub score: Option<Score>,
    /// Principal variation; it starts with the chosen move.
    pub pv: Vec<M>,
    /// Moves that were compared, best first; at least the chosen one.
    pub candidates: Vec<ComparedMove<M>>,
    /// Time used.
    pub elapsed: Duration,
    /// `true` if the move comes from an opening book.
    pub is_from_book: bool,
}

impl<M: Copy> SearchInfo<M> {
    /// Creates search information from a line of play and the value of its first move, without search
    /// statistics.
    ///
    /// ```
    /// use crosspath::ai::{SearchInfo, Score};
    /// let info = SearchInfo::from_pv(vec!["b2", "a1"], Some(7));
    /// assert_eq!((info.candidates[0].first_move(), info.score, info.nodes), ("b2", Some(Score(7)), 0));
    /// ```
    #[must_use]
    pub fn from_pv(pv: Vec<M>, score: Option<i32>) -> Self {
        let score = score.map(Score);
        let candidates = pv.first().map(|&mv| ComparedMove::new(mv, score)).into_iter().collect();
        SearchInfo { nodes: 0, depth: 0, score, pv, candidates, elapsed: Duration::ZERO, is_from_book: false }
    }

    /// Converts the search result into the choice of its first move, without a proof.
    pub(super) fn into_choice(self) -> MoveChoice<M> {
        MoveChoice { mv: self.pv[0], info: self, proof: None }
    }
}

/// History of a game in progress: the input of an engine.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::minimax::MinimaxEngine;
/// use crosspath::ai::{Engine, EngineConfig, GameHistory, Limits, SearchControl};
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::tictactoe::TicTacToe;
/// let start = TicTacToe::new(3)?;
/// let (mut now, mut played) = (start.clone(), Vec::new());
/// for text in ["a1", "c3", "a2"] {
///     played.push(start.parse(text)?);
///     now.try_make_move(start.parse(text)?)?;
/// }
/// let at = GameHistory { start: &start, played: &played, now: &now };
/// let stop = AtomicBool::new(false);
/// let control = SearchControl::without_reports(Limits::default(), &stop);
/// let choice = MinimaxEngine::new(2, &EngineConfig::new(1, 0)).choose(&at, &control);
/// assert_eq!(now.format_move(choice.mv), "a3", "it blocks the column");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameHistory<'a, G: Game> {
    /// The position before the first move.
    pub start: &'a G,
    /// Moves played so far.
    pub played: &'a [G::Move],
    /// Current position; the game is not over.
    pub now: &'a G,
}

/// Limits and stop flag of a search, and the receiver of its reports.
///
/// ```
/// use std::sync::Mutex;
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::minimax::MinimaxEngine;
/// use crosspath::ai::{Engine, EngineConfig, GameHistory, Limits, SearchControl, SearchInfo};
/// use crosspath::games::tictactoe::TicTacToe;
/// let (game, stop, reports) = (TicTacToe::new(3)?, AtomicBool::new(false), Mutex::new(Vec::new()));
/// let limits = Limits { depth: Some(1), ..Limits::default() };
/// let report = |info: &SearchInfo<_>| reports.lock().unwrap().push((info.depth, info.nodes));
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let control = SearchControl { limits, stop: &stop, report: &report };
/// MinimaxEngine::new(4, &EngineConfig::new(1, 0)).choose(&at, &control);
/// assert_eq!(*reports.lock().unwrap(), [(1, 9)], "the limit replaces the engine's depth of four plies");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct SearchControl<'a, M> {
    /// Limits that replace the engine's default limits.
    pub limits: Limits,
    /// Stop flag: once it is set, the search returns its best move so far.
    pub stop: &'a AtomicBool,
    /// Callback for progress reports, called at most a few dozen times per move.
    pub report: &'a (dyn Fn(&SearchInfo<M>) + Sync),
}

impl<'a, M> SearchControl<'a, M> {
    /// Creates a control with these limits that discards all reports.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{Limits, SearchControl};
    /// let stop = AtomicBool::new(false);
    /// let limits = Limits { nodes: Some(100), ..Limits::default() };
    /// assert_eq!(SearchControl::<u8>::without_reports(limits, &stop).limits, limits);
    /// ```
    #[must_use]
    pub fn without_reports(limits: Limits, stop: &'a AtomicBool) -> Self {
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

/// Move chosen by an engine.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineHost, EngineKind, GameHistory, HasEngines};
/// use crosspath::ai::{Limits, ProofStatus, SearchControl};
/// use crosspath::games::tictactoe::TicTacToe;
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let level = TicTacToe::game_engines().find_level(EngineKind::Level(8))?.clone();
/// let mut host = EngineHost::new(level, EngineConfig::new(1, 0), &game)?;
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let choice = host.choose(&at, &SearchControl::without_reports(Limits::default(), &stop))?;
/// assert_eq!(choice.proof, Some(ProofStatus::Draw), "tic-tac-toe on 3x3 is a draw");
/// assert_eq!(choice.info.pv, [choice.mv]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MoveChoice<M> {
    /// The chosen move, always legal.
    pub mv: M,
    /// Result of the search.
    pub info: SearchInfo<M>,
    /// Proof of the result, if the engine gives proofs.
    pub proof: Option<ProofStatus>,
}

/// An engine that plays one game. It may keep tables from move to move; its
/// [`EngineHost`](crate::ai::EngineHost) announces a new game.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{MoveChoice, Engine, GameHistory, SearchInfo, Limits, SearchControl};
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::TicTacToe;
///
/// /// Plays the first legal move.
/// struct FirstMove;
///
/// impl<G: Game> Engine<G> for FirstMove {
///     fn choose(&mut self, at: &GameHistory<'_, G>, _: &SearchControl<'_, G::Move>) -> MoveChoice<G::Move> {
///         let mut moves = Vec::new();
///         at.now.push_legal_moves(&mut moves);
///         MoveChoice { mv: moves[0], info: SearchInfo::from_pv(vec![moves[0]], None), proof: None }
///     }
///     fn new_game(&mut self) {}
/// }
///
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let choice = FirstMove.choose(&at, &SearchControl::without_reports(Limits::default(), &stop));
/// assert_eq!(choice.mv.index(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Engine<G: Game>: Send {
    /// Chooses a legal move; `at.now` must not be over. The engine returns a move under any limits, even a
    /// node limit of 0.
    fn choose(
        &mut self,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> MoveChoice<G::Move>;

    /// Resets the engine, including its random state, to how it was built.
    fn new_game(&mut self);

    /// Prepares the engine to evaluate the next of several positions that are compared. The engine forgets
    /// the previous position, but may continue its random sequence.
    fn reset_for_next_candidate(&mut self) {
        self.new_game();
    }
}
