//! Engines of a protocol session, with their level, limits and cancellation.
//!
//! This module depends neither on commands nor on games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::ai::{
    EngineBuildError, EngineConfig, EngineHost, EngineKind, EngineResources, GameHistory, LevelSpec, Limits,
    MoveChoice, NetworkWeights, SearchControl, TuningOverrides,
};
use crate::game::{BySide, Game, Side};
use crate::protocol::watch::run_with_stop_flag;
use crate::random::{FIRST_ENGINE_STREAM, HINTS_STREAM, SECOND_ENGINE_STREAM};

/// Time by which a search may exceed its own time limit before it is stopped.
const MAX_TIME_OVERRUN: Duration = Duration::from_millis(50);

/// Move that an engine chose, or the error from building the engine.
pub(super) type EngineChoice<G> = Result<MoveChoice<<G as Game>::Move>, EngineBuildError>;

/// Engines of both sides and their settings.
#[derive(Debug)]
pub(super) struct ProtocolEngines<G: Game> {
    /// Available levels, weakest first.
    specs: Vec<LevelSpec<G>>,
    /// Level that plays.
    ///
    /// Changes of the level, seed or resources take effect with new engines: see
    /// [`ProtocolEngines::reset_engines`].
    pub(super) level: EngineKind,
    pub(super) seed: u64,
    pub(super) resources: EngineResources,
    /// Network of the engines, or `None` for the built-in one.
    weights: Option<Arc<NetworkWeights>>,
    tuning: TuningOverrides,
    /// Search limits, which override the clock.
    pub(super) limits: Limits,
    /// Flag that is set at the end of the input.
    pub(super) eof: Option<Arc<AtomicBool>>,
    hosts: BySide<Option<EngineHost<G>>>,
}

impl<G: Game> ProtocolEngines<G> {
    /// Creates the settings for these levels. Engines are built when they first move.
    pub(super) fn new(specs: Vec<LevelSpec<G>>, level: EngineKind, seed: u64, limits: Limits) -> Self {
        ProtocolEngines {
            specs,
            level,
            seed,
            resources: EngineResources::DEFAULT,
            weights: None,
            tuning: TuningOverrides::EMPTY,
            limits,
            eof: None,
            hosts: BySide::default(),
        }
    }

    /// Sets the threads and memory of the engines.
    pub(super) fn with_resources(self, resources: EngineResources) -> Self {
        ProtocolEngines { resources, ..self }
    }

    /// Sets the network and constants of the engines.
    pub(super) fn with_net(self, weights: Option<Arc<NetworkWeights>>, tuning: TuningOverrides) -> Self {
        ProtocolEngines { weights, tuning, ..self }
    }

    /// Returns the strongest level.
    pub(super) fn strongest_level(&self) -> EngineKind {
        let mut levels =
            self.specs.iter().map(|level_spec| level_spec.level).filter(|level| level.is_level());
        levels.next_back().expect("there are engines")
    }

    /// Reports whether the game has this level.
    pub(super) fn has_level(&self, level: EngineKind) -> bool {
        self.specs.iter().any(|level_spec| level_spec.level == level)
    }

    /// Returns the specification of the level that plays.
    pub(super) fn level_spec(&self) -> &LevelSpec<G> {
        self.level_spec_of(self.level)
    }

    /// Returns the specification of a level, which must exist.
    fn level_spec_of(&self, level: EngineKind) -> &LevelSpec<G> {
        let found = self.specs.iter().find(|level_spec| level_spec.level == level);
        found.expect("levels are checked when they are chosen")
    }

    /// Drops the engines, with all that they have stored. The next search starts with new ones.
    pub(super) fn reset_engines(&mut self) {
        self.hosts = BySide::default();
    }

    /// Builds an engine of a level. `stream` selects its random number stream.
    fn build_host(
        &self,
        level: EngineKind,
        stream: u64,
        start: &G,
    ) -> Result<EngineHost<G>, EngineBuildError> {
        let (weights, tuning) = (self.weights.clone(), self.tuning.clone());
        let config = EngineConfig::new(self.seed, stream);
        let config = EngineConfig { resources: self.resources, weights, tuning, ..config };
        EngineHost::new(self.level_spec_of(level).clone(), config, start)
    }

    /// Lets the engine of a side choose a move, within `budget` if the clock sets one.
    pub(super) fn choose_move(
        &mut self,
        side: Side,
        at: &GameHistory<'_, G>,
        budget: Option<Duration>,
    ) -> EngineChoice<G> {
        // 1. Explicit limits override the clock. Otherwise the clock limits the search of the strongest level. Other
        //    levels keep their own limits, and the clock only cuts them short.
        let (limits, cut) = match self.limits {
            limits if limits != Limits::default() => (limits, None),
            // The search normally ends by itself, because a search that is stopped loses its results.
            none if self.level == self.strongest_level() => {
                (Limits { time: budget, ..none }, budget.map(|time| time + MAX_TIME_OVERRUN))
            }
            none => (none, budget),
        };
        // 2. Takes the engine that has played this game so far, or builds one.
        let stream = if side == Side::First { FIRST_ENGINE_STREAM } else { SECOND_ENGINE_STREAM };
        let host = self.hosts[side].take();
        let mut host = host.map_or_else(|| self.build_host(self.level, stream, at.start), Ok)?;
        // 3. Searches limited by nodes or depth ignore the end of the input, so that they stay reproducible.
        let eof = self.eof.as_deref().filter(|_| limits.is_time_only());
        let choice = run_with_stop_flag(cut, eof, |stop| {
            host.choose(at, &SearchControl::without_reports(limits, stop))
        });
        self.hosts[side] = Some(host);
        choice
    }

    /// Returns the move that the strongest level would play, within these limits.
    ///
    /// The engines of the game are not affected.
    pub(super) fn choose_with_strongest(&self, at: &GameHistory<'_, G>, limits: Limits) -> EngineChoice<G> {
        let mut host = self.build_adviser(self.strongest_level(), at.start)?;
        let eof = self.eof.as_deref().filter(|_| limits.is_time_only());
        run_with_stop_flag(None, eof, |stop| host.choose(at, &SearchControl::without_reports(limits, stop)))
    }

    /// Builds an adviser: an engine of a level that does not play in the game.
    pub(super) fn build_adviser(
        &self,
        level: EngineKind,
        start: &G,
    ) -> Result<EngineHost<G>, EngineBuildError> {
        self.build_host(level, HINTS_STREAM, start)
    }

    /// Reports whether the input has ended and searches are limited only by time, so that they should end
    /// soon.
    pub(super) fn is_input_over(&self) -> bool {
        self.limits.is_time_only() && self.eof.as_ref().is_some_and(|flag| flag.load(Ordering::SeqCst))
    }
}
