//! Interface of every engine: its input and its answers.

use std::fmt::{self, Debug};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::{Limits, Proof, Score};
use crate::game::Game;

/// A move that an engine compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate<M> {
    /// The line of play expected, the move in front.
    pub line: Vec<M>,
    /// Value of the move, if the engine reports one.
    pub score: Option<Score>,
    /// Visits of the search to the move; 0 where the engine counts none.
    pub visits: u32,
}

impl<M: Copy> Candidate<M> {
    /// Returns a candidate for which only the value is known.
    ///
    /// ```
    /// use crosspath::ai::{Candidate, Score};
    /// let candidate = Candidate::of("b2", Some(Score(7)));
    /// assert_eq!((candidate.mv(), candidate.visits), ("b2", 0));
    /// ```
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

/// Findings of a search, while it runs and at its end.
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
    /// `true` if the move stands in a book of openings.
    pub is_from_book: bool,
}

impl<M: Copy> Info<M> {
    /// A line of play and what its first move is worth, found without a search.
    ///
    /// ```
    /// use crosspath::ai::{Info, Score};
    /// let info = Info::of(vec!["b2", "a1"], Some(7));
    /// assert_eq!((info.candidates[0].mv(), info.score, info.nodes), ("b2", Some(Score(7)), 0));
    /// ```
    #[must_use]
    pub fn of(pv: Vec<M>, score: Option<i32>) -> Self {
        let score = score.map(Score);
        let candidates = pv.first().map(|&mv| Candidate::of(mv, score)).into_iter().collect();
        Info { nodes: 0, depth: 0, score, pv, candidates, elapsed: Duration::ZERO, is_from_book: false }
    }

    /// The answer of an engine that proves nothing: the first move of the line.
    pub(super) fn choice(self) -> Choice<M> {
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

/// Limits that bound a search from outside, and the receiver of its reports.
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
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{Limits, SearchControl};
    /// let stop = AtomicBool::new(false);
    /// let limits = Limits { nodes: Some(100), ..Limits::default() };
    /// assert_eq!(SearchControl::<u8>::quiet(limits, &stop).limits, limits);
    /// ```
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

/// An engine's answer.
#[derive(Clone, Debug)]
pub struct Choice<M> {
    /// The move, always legal.
    pub mv: M,
    /// Findings of the search.
    pub info: Info<M>,
    /// Proof of the result, if the engine proves things.
    pub proof: Option<Proof>,
}

/// A machine player of one game. It may keep tables from move to move of one game; its [`EngineHost`](crate::ai::EngineHost) says when another
/// begins.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Choice, Engine, GameHistory, Info, Limits, SearchControl};
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::TicTacToe;
///
/// /// Plays the first legal move.
/// struct FirstMove;
///
/// impl<G: Game> Engine<G> for FirstMove {
///     fn choose(&mut self, at: &GameHistory<'_, G>, _: &SearchControl<'_, G::Move>) -> Choice<G::Move> {
///         let mut moves = Vec::new();
///         at.now.moves(&mut moves);
///         Choice { mv: moves[0], info: Info::of(vec![moves[0]], None), proof: None }
///     }
///     fn new_game(&mut self) {}
/// }
///
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let choice = FirstMove.choose(&at, &SearchControl::quiet(Limits::default(), &stop));
/// assert_eq!(choice.mv.index(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
