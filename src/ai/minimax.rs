//! Plain full-width minimax for any game, without pruning or tables. It is the reference for the faster
//! searches, and the algorithm of the two tic-tac-toe programs that this program is based on. It depends
//! only on the rules.

use rand::seq::IndexedRandom;

use crate::ai::{
    Engine, EngineConfig, GameHistory, MoveChoice, SearchBudget, SearchControl, WIN_VALUE, all_with_max_key,
    legal_moves, with_move_made,
};
use crate::game::{Game, Outcome};
use crate::random::RandomGenerator;

/// Treatment of the distance to a win: ignored, or shorter wins are worth more.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::minimax::{Minimax, TieBreak, WinDistance};
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::tictactoe::TicTacToe;
/// let mut game = TicTacToe::new(3)?;
/// for text in ["a1", "c1", "a2", "c2"] {
///     game.try_make_move(game.parse(text)?)?;
/// }
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
/// let mut value = |distance| {
///     let mut minimax = Minimax { bound: 11, distance, ties: TieBreak::First };
///     minimax.choose_move(&mut game, 9, &mut budget).map(|(_, value)| value)
/// };
/// assert_eq!(value(WinDistance::Counted), Some(10), "X wins with its next move");
/// assert_eq!(value(WinDistance::Ignored), Some(11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinDistance {
    /// A win in `d` plies is worth `bound - d`, a loss the negative of that.
    Counted,
    /// Every win is worth `bound`.
    Ignored,
}

/// Rule that chooses among equally good root moves.
///
/// ```
/// use crosspath::ai::EngineConfig;
/// use crosspath::ai::minimax::TieBreak;
/// let corners = ["a1", "c1", "a3", "c3"];
/// assert_eq!(TieBreak::First.pick(&corners), Some("a1"));
/// let mut random = TieBreak::Random(Box::new(EngineConfig::new(1, 0).random_generator()));
/// let drawn: Vec<&str> = (0..100).filter_map(|_| random.pick(&corners)).collect();
/// assert!(corners.iter().all(|corner| drawn.contains(corner)), "each corner is drawn sooner or later");
/// ```
#[derive(Debug)]
pub enum TieBreak {
    /// The first move in the order of [`Game::push_legal_moves`].
    First,
    /// A random move, all equally likely.
    Random(Box<RandomGenerator>),
}

/// A plain minimax search with its options.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::minimax::{WinDistance, Minimax, TieBreak};
/// use crosspath::ai::{SearchControl, Limits, SearchBudget};
/// use crosspath::game::Notation;
/// use crosspath::games::tictactoe::TicTacToe;
/// let mut game = TicTacToe::new(3)?;
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
/// let mut minimax = Minimax { bound: 11, distance: WinDistance::Counted, ties: TieBreak::First };
/// let (mv, value) = minimax.choose_move(&mut game, u32::MAX, &mut budget).expect("a running game has a move");
/// assert_eq!((game.format_move(mv), value), ("a1".to_owned(), 0), "every first move draws");
/// assert_eq!(budget.nodes, 549_945);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug)]
pub struct Minimax {
    /// Value of an immediate win; larger than the number of plies of the longest game.
    pub bound: i32,
    /// Treatment of the distance to a win.
    pub distance: WinDistance,
    /// Choice among equally good moves.
    pub ties: TieBreak,
}

impl Minimax {
    /// Chooses a move with the highest value, searched `depth` plies deep, and returns it with its value
    /// for the mover. Returns `None` if the game is over or the budget ran out before the first move had a
    /// value.
    pub fn choose_move<G: Game>(
        &mut self,
        game: &mut G,
        depth: u32,
        budget: &mut SearchBudget<'_>,
    ) -> Option<(G::Move, i32)> {
        let values = self.root_move_values(game, depth, budget);
        let value = values.iter().map(|&(_, value)| value).max()?;
        self.ties.pick(&moves_with_best_value(&values)).map(|mv| (mv, value))
    }

    /// Returns the value of every legal move for the mover, searched `depth` plies deep, in the order of
    /// [`Game::push_legal_moves`]. Positions at that depth count as 0 unless the game is over. Every position searched
    /// counts against the budget; if it runs out, the moves without a value are left out.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::minimax::{WinDistance, Minimax, TieBreak};
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// use crosspath::games::tictactoe::TicTacToe;
    /// let stop = AtomicBool::new(false);
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
    /// let minimax = Minimax { bound: 11, distance: WinDistance::Counted, ties: TieBreak::First };
    /// let values = minimax.root_move_values(&mut TicTacToe::new(3)?, 4, &mut budget);
    /// assert_eq!(values.len(), 9);
    /// assert!(values.iter().all(|&(_, value)| value == 0), "nobody wins within four plies");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn root_move_values<G: Game>(
        &self,
        game: &mut G,
        depth: u32,
        budget: &mut SearchBudget<'_>,
    ) -> Vec<(G::Move, i32)> {
        let (moves, mut stack) = (legal_moves(game), Vec::new());
        let value_of = |mv| {
            let value =
                with_move_made(game, mv, |game| -self.node_value(game, depth.max(1), 1, &mut stack, budget));
            (!budget.is_spent()).then_some((mv, value))
        };
        moves.into_iter().map_while(value_of).collect()
    }

    /// Returns the value of a position `ply` plies below the root for the side to move.
    fn node_value<G: Game>(
        &self,
        game: &mut G,
        depth: u32,
        ply: u32,
        stack: &mut Vec<G::Move>,
        budget: &mut SearchBudget<'_>,
    ) -> i32 {
        if !budget.count_node() {
            return 0;
        }
        if let Some(outcome) = game.outcome() {
            let win = match self.distance {
                WinDistance::Counted => self.bound - ply.cast_signed(),
                WinDistance::Ignored => self.bound,
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
        game.push_legal_moves(stack);
        let mut best = i32::MIN;
        for i in base..stack.len() {
            let mv = stack[i];
            let value =
                with_move_made(game, mv, |game| -self.node_value(game, depth, ply + 1, stack, budget));
            best = best.max(value);
        }
        stack.truncate(base);
        best
    }
}

/// An engine for any game on a small board: plain minimax to a fixed depth, with a random choice among
/// equal moves.
///
/// ```
/// use crosspath::ai::minimax::MinimaxEngine;
/// use crosspath::ai::{BuildEngine, EngineKind, LevelSpec, Limits, ScoreUnit};
/// use crosspath::games::tictactoe::TicTacToe;
/// let build: BuildEngine<TicTacToe> = |_, config| Ok(Box::new(MinimaxEngine::new(4, config)));
/// let about = "Looks four moves ahead.";
/// let limits = Limits::default();
/// let level_spec = LevelSpec { level: EngineKind::Level(1), about, build, limits, scale: ScoreUnit::UNITLESS };
/// ```
#[derive(Debug)]
pub struct MinimaxEngine {
    depth: u32,
    config: EngineConfig,
    minimax: Minimax,
}

impl MinimaxEngine {
    /// Creates an engine that searches `depth` plies deep, at least 1.
    #[must_use]
    pub fn new(depth: u32, config: &EngineConfig) -> Self {
        let ties = TieBreak::Random(Box::new(config.random_generator()));
        let minimax = Minimax { bound: WIN_VALUE, distance: WinDistance::Counted, ties };
        MinimaxEngine { depth, config: config.clone(), minimax }
    }
}

impl<G: Game> Engine<G> for MinimaxEngine {
    fn choose(
        &mut self,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> MoveChoice<G::Move> {
        let (depth, mut budget) = (control.limits.depth.unwrap_or(self.depth), SearchBudget::start(control));
        self.minimax.ties = TieBreak::Random(Box::new(self.config.random_generator_at_ply(at.played.len())));
        let info = match self.minimax.choose_move(&mut at.now.clone(), depth, &mut budget) {
            Some((mv, value)) => budget.make_info(vec![mv], Some(value), depth),
            None => budget.make_info(vec![legal_moves(at.now)[0]], None, 0),
        };
        (control.report)(&info);
        info.into_choice()
    }

    fn new_game(&mut self) {
        *self = MinimaxEngine::new(self.depth, &self.config);
    }
}

/// Returns the moves with the highest value, in their original order.
///
/// ```
/// use crosspath::ai::minimax::moves_with_best_value;
/// assert_eq!(moves_with_best_value(&[("a1", 0), ("b2", 3), ("c3", 3)]), ["b2", "c3"]);
/// ```
#[must_use]
pub fn moves_with_best_value<M: Copy>(values: &[(M, i32)]) -> Vec<M> {
    all_with_max_key(values.to_vec(), |&(_, value)| value).into_iter().map(|(mv, _)| mv).collect()
}

impl TieBreak {
    /// Picks one of `equals` by this rule; `None` if there are none.
    ///
    /// ```
    /// use crosspath::ai::minimax::TieBreak;
    /// assert_eq!(TieBreak::First.pick(&["b2", "c3"]), Some("b2"));
    /// assert_eq!(TieBreak::First.pick::<u8>(&[]), None);
    /// ```
    pub fn pick<M: Copy>(&mut self, equals: &[M]) -> Option<M> {
        match self {
            TieBreak::First => equals.first().copied(),
            TieBreak::Random(generator) => equals.choose(generator).copied(),
        }
    }
}
