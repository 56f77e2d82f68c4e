//! The engines behind the protocol: which one plays, how long, and who cuts it short. Knows no words.

use std::time::{Duration, Instant};

use crate::ai::quoridor::engines;
use crate::ai::quoridor::net::at_a_glance;
use crate::ai::{BuildError, EngineKind, GameHistory, Info, Limits, Score, WIN, best_first, legal_moves};
use crate::game::{Game, Side};
use crate::games::quoridor::{Move, Quoridor};
use crate::protocol::seats::{EngineChoice, Seats};

use super::clock::QtpClock;
use super::history::QtpHistory;

/// Time for advice where none is given.
const ADVICE_TIME: Duration = Duration::from_secs(1);
/// Time for a question when no more input will come.
const TIME_AFTER_LAST_LINE: Duration = Duration::from_millis(80);
/// Number of moves that an analysis compares.
const COMPARED_MOVES: usize = 5;

/// The strongest of the levels.
pub(super) fn strongest() -> EngineKind {
    let mut levels = levels().into_iter().filter(|level| level.is_level());
    levels.next_back().expect("there are engines")
}

/// Every level, weakest first.
pub(super) fn levels() -> Vec<EngineKind> {
    engines().iter().map(|level_spec| level_spec.level).collect()
}

/// Engines of both sides, and the clock that bounds them.
#[derive(Debug)]
pub(super) struct SeatedEngines {
    pub(super) seats: Seats<Quoridor>,
    pub(super) clock: QtpClock,
}

impl SeatedEngines {
    pub(super) fn new(seats: Seats<Quoridor>, game: &Quoridor) -> Self {
        SeatedEngines { seats, clock: QtpClock::start(game) }
    }

    /// The move of a side that has one, whoever's turn it is.
    pub(super) fn choose(&mut self, side: Side, history: &QtpHistory) -> EngineChoice<Quoridor> {
        let begun = Instant::now();
        let (start, played) = history.turns_before(side);
        let now = history.game_for(side);
        let at = GameHistory { start: &start, played: &played, now: &now };
        let choice = self.seats.choose(side, &at, Some(self.clock.budget(side, &now)));
        self.clock.spend(side, begun.elapsed());
        choice
    }

    /// Returns the choice of the strongest level for a side. No engine's game changes by it.
    pub(super) fn advise(
        &self,
        side: Side,
        history: &QtpHistory,
        time: Option<Duration>,
    ) -> EngineChoice<Quoridor> {
        let (start, played) = history.turns_before(side);
        let now = history.game_for(side);
        self.consult(&GameHistory { start: &start, played: &played, now: &now }, time)
    }

    /// The moves that look best for a side, each in front of what the strongest level found after it; the best first.
    pub(super) fn analyze(
        &self,
        side: Side,
        history: &QtpHistory,
        time: Option<Duration>,
    ) -> Result<Vec<Info<Move>>, BuildError> {
        let shares = u32::try_from(COMPARED_MOVES + 1).expect("a few");
        let is_free = time.is_some() || self.seats.limits == Limits::default();
        let share = is_free.then(|| time.unwrap_or(ADVICE_TIME) / shares);
        // 1. The engine's own choice, then what looks best at a glance.
        let now = history.game_for(side);
        let chosen = self.advise(side, history, share)?.mv;
        let mut moves = legal_moves(&now);
        moves.sort_by_cached_key(|&mv| {
            let mut after = now.clone();
            after.make(mv);
            let value = if after.outcome().is_some() { i32::MIN } else { at_a_glance(&after) };
            (mv != chosen, value)
        });
        moves.truncate(COMPARED_MOVES);
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
        let time =
            if self.seats.is_left_alone() { time.map(|time| time.min(TIME_AFTER_LAST_LINE)) } else { time };
        let info = self.consult(&GameHistory { start: now, played: &[mv], now: &after }, time)?.info;
        let pv = [&[mv], info.pv.as_slice()].concat();
        let score = info.score.map(Score::one_ply_earlier);
        Ok(Info { depth: info.depth + 1, pv, score, ..info })
    }

    fn consult(&self, at: &GameHistory<'_, Quoridor>, time: Option<Duration>) -> EngineChoice<Quoridor> {
        let by_time = |time| Limits { time: Some(time), ..Limits::default() };
        let limits = time.map_or_else(|| self.seats.limits.or(by_time(ADVICE_TIME)), by_time);
        self.seats.consult(at, limits)
    }
}
