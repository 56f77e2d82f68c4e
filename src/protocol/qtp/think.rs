//! The engines behind the protocol: which one plays, how long, and who cuts it short. Knows no words.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::ai::quoridor::engines;
use crate::ai::quoridor::eval::evaluate;
use crate::ai::{
    BuildError, Choice, EngineConfig, EngineHost, GameHistory, Info, Level, Limits, Score, SearchControl,
    WIN, best_first, legal_moves,
};
use crate::game::{BySide, Game, Side};
use crate::games::quoridor::{Move, Quoridor};
use crate::random::{ADVICE, ENGINE_FIRST, ENGINE_SECOND};

use super::clock::Clock;
use super::history::Table;
use crate::protocol::input::watched;

/// What advice takes when nobody says how long.
const ADVICE_TIME: Duration = Duration::from_secs(1);
/// What one of them may take when no more input will come.
const HURRIED: Duration = Duration::from_millis(80);
/// How many moves an analysis compares.
const COMPARED: usize = 5;

/// The strongest level there is.
pub(super) fn strongest() -> Level {
    engines().last().expect("there are engines").level
}

/// Every level, weakest first.
pub(super) fn levels() -> Vec<Level> {
    engines().iter().map(|level_spec| level_spec.level).collect()
}

/// What an engine has chosen, if it could be built.
type Chosen = Result<Choice<Move>, BuildError>;

/// Who thinks, and within what limits.
#[derive(Debug)]
pub(super) struct Engines {
    /// Who plays. Another level or seed is one for new engines: see [`Engines::forget`].
    pub(super) level: Level,
    pub(super) seed: u64,
    /// What replaces the clock.
    pub(super) limits: Limits,
    pub(super) clock: Clock,
    /// Raised when no more input will come.
    pub(super) eof: Option<Arc<AtomicBool>>,
    hosts: BySide<Option<EngineHost<Quoridor>>>,
}

impl Engines {
    pub(super) fn new(level: Level, seed: u64, limits: Limits, game: &Quoridor) -> Self {
        Engines { level, seed, limits, clock: Clock::start(game), eof: None, hosts: BySide::default() }
    }

    /// Leaves what the engines remember: the next move is thought about as in a fresh process.
    pub(super) fn forget(&mut self) {
        self.hosts = BySide::default();
    }

    fn host(&self, level: Level, stream: u64, start: &Quoridor) -> Result<EngineHost<Quoridor>, BuildError> {
        let level_spec = engines().into_iter().find(|level_spec| level_spec.level == level);
        let level_spec = level_spec.expect("levels are checked when they are chosen");
        EngineHost::new(level_spec, EngineConfig::new(self.seed, stream), start)
    }

    /// The move of a side that has one, whoever's turn it is.
    pub(super) fn choose(&mut self, side: Side, table: &Table) -> Chosen {
        let begun = Instant::now();
        let (start, played) = table.turns_before(side);
        let now = table.game_for(side);
        let at = GameHistory { start: &start, played: &played, now: &now };
        let stream = if side == Side::First { ENGINE_FIRST } else { ENGINE_SECOND };
        let budget = self.clock.budget(side, &now);
        // 1. Limits that were asked for hold as they are. The clock is the strongest level's own limit; the others
        //    keep theirs, and the clock only cuts them short.
        let (limits, cut) = match self.limits {
            limits if limits != Limits::default() => (limits, None),
            none if self.level == strongest() => (Limits { time: Some(budget), ..none }, Some(budget)),
            none => (none, Some(budget)),
        };
        // 2. The engine that has played this game so far, or a new one.
        let host = self.hosts[side].take();
        let mut host = host.map_or_else(|| self.host(self.level, stream, &start), Ok)?;
        // 3. A thought by positions or plies is never cut short: it would not be the same another time.
        let eof = self.eof.as_deref().filter(|_| limits.are_of_time());
        let choice = watched(cut, eof, |stop| host.choose(&at, &SearchControl::quiet(limits, stop)));
        self.hosts[side] = Some(host);
        self.clock.spend(side, begun.elapsed());
        choice
    }

    /// What the strongest level would play for a side. Nobody's game changes by it.
    pub(super) fn advise(&self, side: Side, table: &Table, time: Option<Duration>) -> Chosen {
        let (start, played) = table.turns_before(side);
        let now = table.game_for(side);
        self.consult(&GameHistory { start: &start, played: &played, now: &now }, time)
    }

    /// The moves that look best for a side, each in front of what the strongest level found after it; the best first.
    pub(super) fn analyze(
        &self,
        side: Side,
        table: &Table,
        time: Option<Duration>,
    ) -> Result<Vec<Info<Move>>, BuildError> {
        let shares = u32::try_from(COMPARED + 1).expect("a few");
        let is_free = time.is_some() || self.limits == Limits::default();
        let share = is_free.then(|| time.unwrap_or(ADVICE_TIME) / shares);
        // 1. The engine's own choice, then what looks best at a glance.
        let now = table.game_for(side);
        let chosen = self.advise(side, table, share)?.mv;
        let mut moves = legal_moves(&now);
        moves.sort_by_cached_key(|&mv| {
            let mut after = now.clone();
            after.make(mv);
            let value = if after.outcome().is_some() { i32::MIN } else { evaluate(&after) };
            (mv != chosen, value)
        });
        moves.truncate(COMPARED);
        // 2. Each of them, seen from the other side.
        let candidates = moves.into_iter().map(|mv| self.candidate(&now, mv, share));
        let mut candidates = candidates.collect::<Result<Vec<_>, _>>()?;
        best_first(&mut candidates);
        Ok(candidates)
    }

    fn candidate(&self, now: &Quoridor, mv: Move, time: Option<Duration>) -> Result<Info<Move>, BuildError> {
        let mut after = now.clone();
        after.make(mv);
        if after.outcome().is_some() {
            return Ok(Info { depth: 1, ..Info::of(vec![mv], Some(WIN - 1)) });
        }
        let time = if self.is_left_alone() { time.map(|time| time.min(HURRIED)) } else { time };
        let info = self.consult(&GameHistory { start: now, played: &[mv], now: &after }, time)?.info;
        let pv = [&[mv], info.pv.as_slice()].concat();
        let score = info.score.map(Score::one_ply_earlier);
        Ok(Info { depth: info.depth + 1, pv, score, ..info })
    }

    /// Whether no more input will come: then nothing may take long.
    fn is_left_alone(&self) -> bool {
        self.limits.are_of_time() && self.eof.as_ref().is_some_and(|flag| flag.load(Ordering::SeqCst))
    }

    fn consult(&self, at: &GameHistory<'_, Quoridor>, time: Option<Duration>) -> Chosen {
        let by_time = |time| Limits { time: Some(time), ..Limits::default() };
        let limits = time.map_or_else(|| self.limits.or(by_time(ADVICE_TIME)), by_time);
        let mut host = self.host(strongest(), ADVICE, at.start)?;
        let eof = self.eof.as_deref().filter(|_| limits.are_of_time());
        watched(None, eof, |stop| host.choose(at, &SearchControl::quiet(limits, stop)))
    }
}
