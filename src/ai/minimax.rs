//! Plain full-width minimax for any game: no pruning, no table. The oracle of the faster searches, and the algorithm
//! of the two tic-tac-toe programs that stand behind this one. Knows only the rules it is given.

use rand::seq::IndexedRandom;

use crate::ai::{
    Choice, Engine, EngineConfig, GameHistory, SearchBudget, SearchControl, WIN, after_move, legal_moves,
    most_by,
};
use crate::game::{Game, Outcome};
use crate::random::Generator;

/// Values of wins: equal, or larger the sooner the win comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// A win at `d` plies is worth `bound - d`, a loss the opposite.
    Counted,
    /// Every win is worth `bound`.
    Ignored,
}

/// Choice among several equally good root moves.
#[derive(Debug)]
pub enum Ties {
    /// The first one in the order of [`Game::moves`].
    First,
    /// Each with the same chance.
    Random(Box<Generator>),
}

/// A plain minimax search with its two switches.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::minimax::{Distance, Minimax, Ties};
/// use crosspath::ai::{SearchControl, Limits, SearchBudget};
/// use crosspath::game::Notation;
/// use crosspath::games::tictactoe::TicTacToe;
/// let mut game = TicTacToe::new(3)?;
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(Limits::default(), &stop));
/// let mut minimax = Minimax { bound: 11, distance: Distance::Counted, ties: Ties::First };
/// let (mv, value) = minimax.choose(&mut game, u32::MAX, &mut budget).expect("a running game has a move");
/// assert_eq!((game.show(mv), value), ("a1".to_owned(), 0), "every first move draws");
/// assert_eq!(budget.nodes, 549_945);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug)]
pub struct Minimax {
    /// More than the longest game's plies.
    pub bound: i32,
    /// Values of wins at different distances.
    pub distance: Distance,
    /// Choice among several equally good moves.
    pub ties: Ties,
}

impl Minimax {
    /// Chooses among the moves of the highest value, looking `depth` plies ahead, and gives that value for the mover;
    /// `None` if the game is over or the budget was spent before the first move had its value.
    pub fn choose<G: Game>(
        &mut self,
        game: &mut G,
        depth: u32,
        budget: &mut SearchBudget<'_>,
    ) -> Option<(G::Move, i32)> {
        let values = self.root_values(game, depth, budget);
        let value = values.iter().map(|&(_, value)| value).max()?;
        self.ties.pick(&best_moves(&values)).map(|mv| (mv, value))
    }

    /// The value of every legal move for the mover, in the order of [`Game::moves`], looking `depth` plies ahead and
    /// calling what lies beyond 0. Every position reached by a move counts on the budget; when the budget is spent the
    /// moves that have no value yet are missing.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::minimax::{Distance, Minimax, Ties};
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// use crosspath::games::tictactoe::TicTacToe;
    /// let stop = AtomicBool::new(false);
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(Limits::default(), &stop));
    /// let minimax = Minimax { bound: 11, distance: Distance::Counted, ties: Ties::First };
    /// let values = minimax.root_values(&mut TicTacToe::new(3)?, 4, &mut budget);
    /// assert_eq!(values.len(), 9);
    /// assert!(values.iter().all(|&(_, value)| value == 0), "nobody wins within four plies");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn root_values<G: Game>(
        &self,
        game: &mut G,
        depth: u32,
        budget: &mut SearchBudget<'_>,
    ) -> Vec<(G::Move, i32)> {
        let (moves, mut stack) = (legal_moves(game), Vec::new());
        let value_of = |mv| {
            let value = after_move(game, mv, |game| -self.value(game, depth.max(1), 1, &mut stack, budget));
            (!budget.is_spent()).then_some((mv, value))
        };
        moves.into_iter().map_while(value_of).collect()
    }

    /// The mover's value of a position `ply` plies below the root.
    fn value<G: Game>(
        &self,
        game: &mut G,
        depth: u32,
        ply: u32,
        stack: &mut Vec<G::Move>,
        budget: &mut SearchBudget<'_>,
    ) -> i32 {
        if !budget.tick() {
            return 0;
        }
        if let Some(outcome) = game.outcome() {
            let win = match self.distance {
                Distance::Counted => self.bound - ply.cast_signed(),
                Distance::Ignored => self.bound,
            };
            return match outcome {
                Outcome::Draw => 0,
                Outcome::Win(side) if side == game.to_move() => win,
                Outcome::Win(_) => -win,
            };
        }
        if ply >= depth {
            return 0;
        }
        let base = stack.len();
        game.moves(stack);
        let mut best = i32::MIN;
        for i in base..stack.len() {
            let mv = stack[i];
            let value = after_move(game, mv, |game| -self.value(game, depth, ply + 1, stack, budget));
            best = best.max(value);
        }
        stack.truncate(base);
        best
    }
}

/// A machine for any game: plain minimax to a fixed depth, equal moves by chance. Enough for a small board.
///
/// ```
/// use crosspath::ai::minimax::FullWidth;
/// use crosspath::ai::{BuildEngine, EngineKind, LevelSpec, Limits, ScoreUnit};
/// use crosspath::games::tictactoe::TicTacToe;
/// let build: BuildEngine<TicTacToe> = |_, config| Ok(Box::new(FullWidth::new(4, config)));
/// let about = "Looks four moves ahead.";
/// let limits = Limits::default();
/// let level_spec = LevelSpec { level: EngineKind::Level(1), about, build, limits, scale: ScoreUnit::PLAIN };
/// ```
#[derive(Debug)]
pub struct FullWidth {
    depth: u32,
    config: EngineConfig,
    minimax: Minimax,
}

impl FullWidth {
    /// A machine that looks `depth` plies ahead, at least one.
    #[must_use]
    pub fn new(depth: u32, config: &EngineConfig) -> Self {
        let ties = Ties::Random(Box::new(config.generator()));
        let minimax = Minimax { bound: WIN, distance: Distance::Counted, ties };
        FullWidth { depth, config: config.clone(), minimax }
    }
}

impl<G: Game> Engine<G> for FullWidth {
    fn choose(&mut self, at: &GameHistory<'_, G>, control: &SearchControl<'_, G::Move>) -> Choice<G::Move> {
        let (depth, mut budget) = (control.limits.depth.unwrap_or(self.depth), SearchBudget::start(control));
        self.minimax.ties = Ties::Random(Box::new(self.config.generator_at(at.played.len())));
        let info = match self.minimax.choose(&mut at.now.clone(), depth, &mut budget) {
            Some((mv, value)) => budget.found(vec![mv], Some(value), depth),
            None => budget.found(vec![legal_moves(at.now)[0]], None, 0),
        };
        (control.report)(&info);
        info.choice()
    }

    fn new_game(&mut self) {
        *self = FullWidth::new(self.depth, &self.config);
    }
}

/// The moves that share the highest value, in their order.
///
/// ```
/// use crosspath::ai::minimax::best_moves;
/// assert_eq!(best_moves(&[("a1", 0), ("b2", 3), ("c3", 3)]), ["b2", "c3"]);
/// ```
#[must_use]
pub fn best_moves<M: Copy>(values: &[(M, i32)]) -> Vec<M> {
    most_by(values.to_vec(), |&(_, value)| value).into_iter().map(|(mv, _)| mv).collect()
}

impl Ties {
    /// Returns one of `equals`; `None` if there are none.
    ///
    /// ```
    /// use crosspath::ai::minimax::Ties;
    /// assert_eq!(Ties::First.pick(&["b2", "c3"]), Some("b2"));
    /// assert_eq!(Ties::First.pick::<u8>(&[]), None);
    /// ```
    pub fn pick<M: Copy>(&mut self, equals: &[M]) -> Option<M> {
        match self {
            Ties::First => equals.first().copied(),
            Ties::Random(generator) => equals.choose(generator).copied(),
        }
    }
}
