//! Engines of a QTP session, with their clocks and time limits.
//!
//! This module does not depend on the text of commands.

use std::time::{Duration, Instant};

use crate::ai::quoridor::level_specs;
use crate::ai::quoridor::net::evaluate_statically;
use crate::ai::{
    EngineBuildError, EngineKind, GameHistory, Limits, Score, SearchInfo, WIN_VALUE, legal_moves,
    sort_best_first,
};
use crate::game::{Game, Side};
use crate::games::quoridor::{Move, Quoridor};
use crate::protocol::seats::{EngineChoice, ProtocolEngines};

use super::clock::QtpClock;
use super::history::QtpHistory;

/// Default time for a hint or analysis.
const DEFAULT_ADVICE_TIME: Duration = Duration::from_secs(1);
/// Maximum time per analysed move once the input has ended.
const MAX_TIME_AFTER_INPUT_END: Duration = Duration::from_millis(80);
/// Number of moves that an analysis compares.
const MAX_ANALYSIS_MOVES: usize = 5;

/// Returns the strongest level.
pub(super) fn strongest_level() -> EngineKind {
    let mut levels = list_levels().into_iter().filter(|level| level.is_level());
    levels.next_back().expect("there are engines")
}

/// Returns all levels, weakest first.
pub(super) fn list_levels() -> Vec<EngineKind> {
    level_specs().iter().map(|level_spec| level_spec.level).collect()
}

/// Engines of both sides and their clocks.
#[derive(Debug)]
pub(super) struct QtpEngines {
    pub(super) seats: ProtocolEngines<Quoridor>,
    pub(super) clock: QtpClock,
}

impl QtpEngines {
    /// Creates the engines with clocks for a new game.
    pub(super) fn new(seats: ProtocolEngines<Quoridor>, game: &Quoridor) -> Self {
        QtpEngines { seats, clock: QtpClock::new(game) }
    }

    /// Lets the engine of a side choose a move, even out of turn. The side must have a legal move.
    pub(super) fn choose_move(&mut self, side: Side, history: &QtpHistory) -> EngineChoice<Quoridor> {
        let begun = Instant::now();
        let (start, played) = history.alternating_tail(side);
        let now = history.position_for(side);
        let at = GameHistory { start: &start, played: &played, now: &now };
        let choice = self.seats.choose_move(side, &at, Some(self.clock.move_budget(side, &now)));
        self.clock.spend_time(side, begun.elapsed());
        choice
    }

    /// Returns the move that the strongest level would play for a side.
    ///
    /// The engines of the game are not affected.
    pub(super) fn suggest_move(
        &self,
        side: Side,
        history: &QtpHistory,
        time: Option<Duration>,
    ) -> EngineChoice<Quoridor> {
        let (start, played) = history.alternating_tail(side);
        let now = history.position_for(side);
        self.choose_with_strongest(&GameHistory { start: &start, played: &played, now: &now }, time)
    }

    /// Analyses the most promising moves of a side with the strongest level, best first.
    ///
    /// Each variation starts with the analysed move.
    pub(super) fn analyze_best_moves(
        &self,
        side: Side,
        history: &QtpHistory,
        time: Option<Duration>,
    ) -> Result<Vec<SearchInfo<Move>>, EngineBuildError> {
        let shares = u32::try_from(MAX_ANALYSIS_MOVES + 1).expect("a few");
        let is_free = time.is_some() || self.seats.limits == Limits::default();
        let share = is_free.then(|| time.unwrap_or(DEFAULT_ADVICE_TIME) / shares);
        // 1. Selects the choice of the engine, then the moves with the best static values.
        let now = history.position_for(side);
        let chosen = self.suggest_move(side, history, share)?.mv;
        let mut moves = legal_moves(&now);
        moves.sort_by_cached_key(|&mv| {
            let mut after = now.clone();
            after.make_move(mv);
            let value = if after.outcome().is_some() { i32::MIN } else { evaluate_statically(&after) };
            (mv != chosen, value)
        });
        moves.truncate(MAX_ANALYSIS_MOVES);
        // 2. Searches each of them from the opponent's point of view.
        let candidates = moves.into_iter().map(|mv| self.analyze_move(&now, mv, share));
        let mut candidates = candidates.collect::<Result<Vec<_>, _>>()?;
        sort_best_first(&mut candidates);
        Ok(candidates)
    }

    /// Searches the position after a move and returns its evaluation for the side that moved.
    fn analyze_move(
        &self,
        now: &Quoridor,
        mv: Move,
        time: Option<Duration>,
    ) -> Result<SearchInfo<Move>, EngineBuildError> {
        let mut after = now.clone();
        after.make_move(mv);
        if after.outcome().is_some() {
            return Ok(SearchInfo { depth: 1, ..SearchInfo::from_pv(vec![mv], Some(WIN_VALUE - 1)) });
        }
        let time = if self.seats.is_input_over() {
            time.map(|time| time.min(MAX_TIME_AFTER_INPUT_END))
        } else {
            time
        };
        let info =
            self.choose_with_strongest(&GameHistory { start: now, played: &[mv], now: &after }, time)?.info;
        let pv = [&[mv], info.pv.as_slice()].concat();
        let score = info.score.map(Score::for_parent);
        Ok(SearchInfo { depth: info.depth + 1, pv, score, ..info })
    }

    /// Returns the move that the strongest level would play, within a time or the session's limits.
    fn choose_with_strongest(
        &self,
        at: &GameHistory<'_, Quoridor>,
        time: Option<Duration>,
    ) -> EngineChoice<Quoridor> {
        let by_time = |time| Limits { time: Some(time), ..Limits::default() };
        let limits =
            time.map_or_else(|| self.seats.limits.or_if_unlimited(by_time(DEFAULT_ADVICE_TIME)), by_time);
        self.seats.choose_with_strongest(at, limits)
    }
}
