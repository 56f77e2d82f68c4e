//! The engines behind a protocol: which level plays, within what limits, and who cuts it short. Knows no words and no
//! particular game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::ai::{
    BuildError, Choice, EngineConfig, EngineHost, EngineKind, EngineResources, GameHistory, LevelSpec,
    Limits, SearchControl, Tuning, Weights,
};
use crate::game::{BySide, Game, Side};
use crate::protocol::watch::watched;
use crate::random::{ADVICE, ENGINE_FIRST, ENGINE_SECOND};

/// Time by which a search that keeps its time by itself may exceed it.
const TIME_OVERRUN: Duration = Duration::from_millis(50);

/// Choice of an engine, if it could be built.
pub(super) type EngineChoice<G> = Result<Choice<<G as Game>::Move>, BuildError>;

/// Engines of both sides, and the limits of their searches.
#[derive(Debug)]
pub(super) struct Seats<G: Game> {
    /// The levels there are, weakest first.
    specs: Vec<LevelSpec<G>>,
    /// Level that plays. Another level, seed or number of threads is one for new engines: see [`Seats::forget`].
    pub(super) level: EngineKind,
    pub(super) seed: u64,
    pub(super) resources: EngineResources,
    /// The network it plays by, where that is not the program's own.
    weights: Option<Arc<Weights>>,
    tuning: Tuning,
    /// Limits that replace the clock.
    pub(super) limits: Limits,
    /// Raised when no more input will come.
    pub(super) eof: Option<Arc<AtomicBool>>,
    hosts: BySide<Option<EngineHost<G>>>,
}

impl<G: Game> Seats<G> {
    pub(super) fn new(specs: Vec<LevelSpec<G>>, level: EngineKind, seed: u64, limits: Limits) -> Self {
        Seats {
            specs,
            level,
            seed,
            resources: EngineResources::DEFAULT,
            weights: None,
            tuning: Tuning::NONE,
            limits,
            eof: None,
            hosts: BySide::default(),
        }
    }

    /// Returns the seats with these threads and this memory.
    pub(super) fn with_resources(self, resources: EngineResources) -> Self {
        Seats { resources, ..self }
    }

    /// Returns the seats with engines of this network and these constants.
    pub(super) fn with_net(self, weights: Option<Arc<Weights>>, tuning: Tuning) -> Self {
        Seats { weights, tuning, ..self }
    }

    /// The strongest level there is.
    pub(super) fn strongest(&self) -> EngineKind {
        let mut levels =
            self.specs.iter().map(|level_spec| level_spec.level).filter(|level| level.is_level());
        levels.next_back().expect("there are engines")
    }

    /// Reports whether the game has this level.
    pub(super) fn has(&self, level: EngineKind) -> bool {
        self.specs.iter().any(|level_spec| level_spec.level == level)
    }

    /// The level that plays.
    pub(super) fn spec(&self) -> &LevelSpec<G> {
        self.spec_of(self.level)
    }

    fn spec_of(&self, level: EngineKind) -> &LevelSpec<G> {
        let found = self.specs.iter().find(|level_spec| level_spec.level == level);
        found.expect("levels are checked when they are chosen")
    }

    /// Leaves what the engines remember: the next move is thought about as in a fresh process.
    pub(super) fn forget(&mut self) {
        self.hosts = BySide::default();
    }

    fn host(&self, level: EngineKind, stream: u64, start: &G) -> Result<EngineHost<G>, BuildError> {
        let (weights, tuning) = (self.weights.clone(), self.tuning.clone());
        let config = EngineConfig::new(self.seed, stream);
        let config = EngineConfig { resources: self.resources, weights, tuning, ..config };
        EngineHost::new(self.spec_of(level).clone(), config, start)
    }

    /// The move of a side, within this time if the clock gives it any.
    pub(super) fn choose(
        &mut self,
        side: Side,
        at: &GameHistory<'_, G>,
        budget: Option<Duration>,
    ) -> EngineChoice<G> {
        // 1. Limits that were asked for hold as they are. The clock is the strongest level's own limit; the others
        //    keep theirs, and the clock only cuts them short.
        let (limits, cut) = match self.limits {
            limits if limits != Limits::default() => (limits, None),
            // It ends by itself then, and is cut off only if it does not: a search that is cut off is forgotten.
            none if self.level == self.strongest() => {
                (Limits { time: budget, ..none }, budget.map(|time| time + TIME_OVERRUN))
            }
            none => (none, budget),
        };
        // 2. The engine that has played this game so far, or a new one.
        let stream = if side == Side::First { ENGINE_FIRST } else { ENGINE_SECOND };
        let host = self.hosts[side].take();
        let mut host = host.map_or_else(|| self.host(self.level, stream, at.start), Ok)?;
        // 3. A thought by positions or plies is never cut short: it would not be the same another time.
        let eof = self.eof.as_deref().filter(|_| limits.is_time_only());
        let choice = watched(cut, eof, |stop| host.choose(at, &SearchControl::quiet(limits, stop)));
        self.hosts[side] = Some(host);
        choice
    }

    /// Returns the choice of the strongest level, within these limits. No engine's game changes by it.
    pub(super) fn consult(&self, at: &GameHistory<'_, G>, limits: Limits) -> EngineChoice<G> {
        let mut host = self.adviser(self.strongest(), at.start)?;
        let eof = self.eof.as_deref().filter(|_| limits.is_time_only());
        watched(None, eof, |stop| host.choose(at, &SearchControl::quiet(limits, stop)))
    }

    /// An engine of this level beside the game.
    pub(super) fn adviser(&self, level: EngineKind, start: &G) -> Result<EngineHost<G>, BuildError> {
        self.host(level, ADVICE, start)
    }

    /// Reports whether no more input will come: then nothing by time may take long.
    pub(super) fn is_left_alone(&self) -> bool {
        self.limits.is_time_only() && self.eof.as_ref().is_some_and(|flag| flag.load(Ordering::SeqCst))
    }
}
