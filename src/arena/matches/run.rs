//! Plays a match on several threads and counts its pairs in order.
//!
//! The report therefore does not depend on speed or the number of threads. This module does not
//! depend on any particular game.

use std::collections::BTreeSet;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::game::{EngineAnsweredFlags, EnginePool};
use super::game_record::{ArenaGame, GamesByUnit, take_game_pair};
use super::games_file::GamesFileWriter;
use super::openings::OpeningsError;
use super::plan::MatchPlan;
use super::report::TournamentReport;
use crate::arena::jobs::{self, ResultSink};
use crate::game::Side;
use crate::session::{EngineError, Forfeit};

/// Number of consecutive forfeited games after which a match is stopped.
const MAX_CONSECUTIVE_FORFEITS: u32 = 10;

/// Event during a match.
#[derive(Debug)]
pub enum MatchProgress<'a> {
    /// A pair of games was counted.
    Pair {
        /// Description of the pair as a line of text.
        line: String,
        /// Number of pairs counted so far, maximum number of pairs, and number of pairs played in an
        /// earlier run.
        counted: [u64; 3],
    },
    /// An engine forfeited a game: its name and the details.
    Forfeit(&'a str, &'a Forfeit),
}

/// Error that ends a match early.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An opening is invalid, or no random opening meets the requirements.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An engine did not start, or failed before it ever answered.
    #[error("engine {0}: {1}")]
    Engine(String, #[source] EngineError),
    /// Too many consecutive games were forfeited.
    #[error("{MAX_CONSECUTIVE_FORFEITS} games in a row were forfeited, so the match was stopped")]
    Forfeits,
    /// The games file cannot be written.
    #[error("{0}")]
    Records(#[source] io::Error),
    /// Progress cannot be reported.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Policy for external programs between two pairs of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arena) enum ProgramLifetime {
    /// Programs keep running for the next pair.
    Kept,
    /// Programs are restarted, so that a pair does not depend on earlier pairs.
    Restarted,
}

/// Plays pairs of games on one thread.
#[derive(Debug)]
pub(in crate::arena) struct PairPlayer<'a> {
    plan: &'a MatchPlan,
    meetings: Vec<[usize; 2]>,
    pool: EnginePool,
    programs: ProgramLifetime,
}

impl<'a> PairPlayer<'a> {
    /// Creates a player. It sets the flag of each engine that answers.
    pub(in crate::arena) fn new(
        plan: &'a MatchPlan,
        have_answered: EngineAnsweredFlags,
        programs: ProgramLifetime,
    ) -> Self {
        PairPlayer { plan, meetings: plan.pairings(), pool: EnginePool::new(have_answered), programs }
    }

    /// Plays both games of a pair. Returns `None` if stopped.
    ///
    /// # Errors
    /// Returns an error if there is no opening, or an engine fails.
    pub(in crate::arena) fn play_pair(
        &mut self,
        unit: u64,
        stop: &AtomicBool,
    ) -> Result<Option<[ArenaGame; 2]>, MatchError> {
        let mut games = Vec::new();
        self.play_missing_games(unit, |_| true, stop, |game| games.push(game))?;
        Ok(games.try_into().ok())
    }

    /// Plays the missing games of a pair from one opening, the second one with the sides swapped. Calls
    /// `emit` for each game as it ends. Ends early if stopped.
    fn play_missing_games(
        &mut self,
        unit: u64,
        is_missing: impl Fn(u8) -> bool,
        stop: &AtomicBool,
        mut emit: impl FnMut(ArenaGame),
    ) -> Result<(), MatchError> {
        let [a, b] = self.meetings[usize::try_from(unit % self.meetings.len() as u64).expect("one of them")];
        let opening = self.plan.opening_for_unit(unit)?;
        for (game, seats) in [(0, [a, b]), (1, [b, a])].into_iter().filter(|(game, _)| is_missing(*game)) {
            let played = self.plan.play_game(&opening, (unit, game), seats, &mut self.pool, stop);
            let played = played
                .map_err(|(engine, why)| MatchError::Engine(self.plan.engines[engine].name.clone(), why))?;
            let Some(record) = played else { break };
            emit(record);
        }
        if self.programs == ProgramLifetime::Restarted {
            self.pool.idle.clear();
        }
        Ok(())
    }
}

/// Records the games of a match as they end, and counts its pairs in order until the match is decided.
struct MatchCounter<'a> {
    plan: &'a MatchPlan,
    /// Games that are not counted yet.
    games: GamesByUnit,
    /// Number of pairs played in an earlier run.
    known: u64,
    records: Option<GamesFileWriter>,
    /// Number of consecutive forfeited games.
    faults: u32,
    report: TournamentReport,
    tell: &'a mut dyn FnMut(MatchProgress<'_>) -> io::Result<()>,
}

impl ResultSink<ArenaGame, MatchError> for MatchCounter<'_> {
    fn receive(&mut self, unit: u64, game: ArenaGame) -> Result<(), MatchError> {
        if let Some(records) = &mut self.records {
            records.write_game(&game).map_err(MatchError::Records)?;
        }
        if let (Some(side), Some(fault)) = (game.forfeit, &game.fault) {
            (self.tell)(MatchProgress::Forfeit(&self.report.names[game.engines[side.index()]], fault))?;
        }
        self.games.insert((unit, game.game), game);
        Ok(())
    }

    fn count_unit(&mut self, unit: u64) -> Result<ControlFlow<()>, MatchError> {
        let pair = take_game_pair(&mut self.games, unit).expect("both games of a unit are known or played");
        for game in &pair {
            self.faults = if game.forfeit.is_some() { self.faults + 1 } else { 0 };
            if self.faults >= MAX_CONSECUTIVE_FORFEITS {
                self.report.count_pair(&pair);
                return Err(MatchError::Forfeits);
            }
        }
        if let Some(line) = self.report.count_pair(&pair) {
            (self.tell)(MatchProgress::Pair {
                line,
                counted: [unit + 1, self.plan.total_pairs(), self.known],
            })?;
        }
        Ok(if self.report.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

impl MatchPlan {
    /// Plays the match, several pairs at a time. `tell` receives every counted pair, in order. Neither the
    /// events nor the report depend on the number of threads. Games already in `records` are not played
    /// again.
    ///
    /// If an error ends the match, the report still covers the games played before.
    pub fn run(
        &self,
        mut records: Option<GamesFileWriter>,
        tell: &mut dyn FnMut(MatchProgress<'_>) -> io::Result<()>,
    ) -> (TournamentReport, Result<(), MatchError>) {
        let games = records.as_mut().map(|records| mem::take(&mut records.games)).unwrap_or_default();
        let have_answered = self.new_answered_flags();
        for game in games.values() {
            for side in Side::BOTH.into_iter().filter(|&side| game.move_count_of(side) > 0) {
                have_answered[game.engines[side.index()]].store(true, Ordering::SeqCst);
            }
        }
        let in_file: BTreeSet<(u64, u8)> = games.keys().copied().collect();
        let pairs = in_file.iter().filter(|(unit, game)| *game == 0 && in_file.contains(&(*unit, 1)));
        let pairs = pairs.map(|(unit, _)| *unit).collect();
        let report = TournamentReport::new(self.engine_names(), self.is_gauntlet, self.sprt, self.seed);
        let known = games.len() as u64 / 2;
        let mut counter = MatchCounter { plan: self, games, known, records, faults: 0, report, tell };
        let work = |desk: &jobs::UnitDispatcher<'_, ArenaGame, MatchError>| {
            let mut player = PairPlayer::new(self, have_answered.clone(), ProgramLifetime::Kept);
            while let Some(unit) = desk.next_unit() {
                let is_missing = |game| !in_file.contains(&(unit, game));
                player.play_missing_games(unit, is_missing, desk.stop_flag(), |game| {
                    desk.send_result(unit, game);
                })?;
                desk.finish_unit(unit);
            }
            Ok(())
        };
        let done = jobs::run_units(0..self.total_pairs(), &pairs, self.threads, &work, &mut counter);
        let synced = counter.records.map_or(Ok(()), |mut records| records.sync());
        (counter.report, done.and(synced.map_err(MatchError::Records)))
    }

    /// Creates flags that record which engines have answered, all unset.
    pub(in crate::arena) fn new_answered_flags(&self) -> EngineAnsweredFlags {
        self.engines.iter().map(|_| AtomicBool::new(false)).collect()
    }
}
