//! Engines that offer several moves which are equal to them; chance draws one.

use std::time::Duration;

use rand::RngExt;

use crate::ai::{
    Choice, Engine, EngineConfig, GameHistory, Info, Limits, Proof, SearchBudget, SearchControl,
};
use crate::game::Game;
use crate::random::Generator;

/// Moves that a strategy offers before one of several equal moves is drawn.
#[derive(Clone, Debug)]
pub struct Candidates<M> {
    /// The moves, at least one.
    pub moves: Vec<M>,
    /// Proof about each of them, if the strategy proves things.
    pub proof: Option<Proof>,
    /// Their value for the mover, in the unit of the engine's scores.
    pub score: Option<i32>,
    /// Plies looked ahead.
    pub depth: u32,
    /// The line of play expected after the only move; empty if there is none.
    pub pv: Vec<M>,
}

impl<M: Copy> Candidates<M> {
    /// Offers moves about which nothing is known.
    pub(super) fn among(moves: Vec<M>) -> Self {
        Candidates { moves, proof: None, score: None, depth: 0, pv: Vec::new() }
    }

    /// Offers the first move of a line that a search has found.
    pub(super) fn line(pv: Vec<M>, score: Option<i32>, depth: u32) -> Self {
        Candidates { moves: vec![pv[0]], proof: None, score, depth, pv }
    }
}

/// A running game, and what may be used to think about it.
#[derive(Debug)]
pub struct MoveTask<'a, G: Game> {
    pub(super) at: &'a GameHistory<'a, G>,
    pub(super) generator: &'a mut Generator,
    pub(super) control: SearchControl<'a, G::Move>,
    pub(super) budget: SearchBudget<'a>,
}

/// Rule by which an engine comes to its moves. What it remembers belongs to one game.
pub trait Strategy<G: Game>: Send {
    /// Reports whether its moves are random: then each move of a game draws from its own seed. Else the seed only orders ties,
    /// the same way for every move.
    const IS_BY_CHANCE: bool = false;

    /// Returns the limits that hold where none are given.
    fn limits(&self, _game: &G) -> Limits {
        Limits::default()
    }

    /// Thinks about a running game.
    fn think(&mut self, task: &mut MoveTask<'_, G>) -> Candidates<G::Move>;

    /// Starts the clock and thinks about a running game. Gives what it offers, the positions searched and the time used.
    fn offer(
        &mut self,
        at: &GameHistory<'_, G>,
        generator: &mut Generator,
        control: &SearchControl<'_, G::Move>,
    ) -> (Candidates<G::Move>, u64, Duration) {
        let control = SearchControl { limits: control.limits.or(self.limits(at.now)), ..*control };
        let mut task = MoveTask { at, generator, budget: SearchBudget::start(&control), control };
        (self.think(&mut task), task.budget.nodes, task.budget.elapsed())
    }

    /// Forgets everything.
    fn forget(&mut self) {}
}

/// An engine: a strategy and its chance.
pub(super) struct StrategyEngine<S> {
    config: EngineConfig,
    strategy: S,
}

impl<S> StrategyEngine<S> {
    pub(super) fn new(config: &EngineConfig, strategy: S) -> Self {
        StrategyEngine { config: config.clone(), strategy }
    }
}

impl<G: Game, S: Strategy<G>> Engine<G> for StrategyEngine<S> {
    fn new_game(&mut self) {
        self.strategy.forget();
    }

    fn choose(&mut self, at: &GameHistory<'_, G>, control: &SearchControl<'_, G::Move>) -> Choice<G::Move> {
        let plies = if S::IS_BY_CHANCE { at.played.len() } else { 0 };
        let mut generator = self.config.generator_at(plies);
        let (offered, nodes, elapsed) = self.strategy.offer(at, &mut generator, control);
        let Candidates { moves, proof, score, depth, mut pv } = offered;
        let mv = moves[generator.random_range(0..moves.len())];
        if pv.first() != Some(&mv) {
            pv = vec![mv];
        }
        Choice { mv, info: Info { nodes, depth, elapsed, ..Info::of(pv, score) }, proof }
    }
}
