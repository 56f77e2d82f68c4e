//! Plays a match, several pairs at a time, and counts the pairs in their order, so that neither speed nor the number of
//! threads changes the result. Knows no particular game.

use std::collections::BTreeSet;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::game::{AnsweredFlags, EnginePool};
use super::game_record::{ArenaGame, GamesByUnit, take_pair};
use super::games_file::Records;
use super::openings::OpeningsError;
use super::plan::MatchPlan;
use super::report::TournamentReport;
use crate::arena::jobs::{self, Sink};
use crate::game::Side;
use crate::session::{EngineError, Forfeit};

/// The number of consecutive forfeited games after which a match is stopped.
const MAX_FORFEITS: u32 = 10;

/// An event during a match.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A pair was counted.
    Pair {
        /// The pair as a line of text.
        line: String,
        /// The pairs counted so far, all pairs at most, and those played in an earlier run.
        counted: [u64; 3],
    },
    /// An engine has forfeited a game.
    Forfeit(&'a str, &'a Forfeit),
}

/// An error that ends a match early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No opening leaves a game to play.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An engine does not start, or fails before it has ever answered.
    #[error("engine {0}: {1}")]
    Engine(String, #[source] EngineError),
    /// Too many games in a row were lost by faults.
    #[error("{MAX_FORFEITS} games in a row were forfeited, so the match was stopped")]
    Forfeits,
    /// The games cannot be written into their file.
    #[error("{0}")]
    Records(#[source] io::Error),
    /// Progress cannot be reported.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Treatment of external programs between two pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arena) enum Programs {
    /// They stay for the next pair.
    Kept,
    /// They are started afresh, so that a pair does not depend on those before it.
    Restarted,
}

/// Plays pairs of games on one thread.
#[derive(Debug)]
pub(in crate::arena) struct PairPlayer<'a> {
    plan: &'a MatchPlan,
    meetings: Vec<[usize; 2]>,
    pool: EnginePool,
    programs: Programs,
}

impl<'a> PairPlayer<'a> {
    /// Makes a player that marks which engines have answered.
    pub(in crate::arena) fn new(
        plan: &'a MatchPlan,
        have_answered: AnsweredFlags,
        programs: Programs,
    ) -> Self {
        PairPlayer { plan, meetings: plan.meetings(), pool: EnginePool::new(have_answered), programs }
    }

    /// Plays both games of a pair. `None` if it was stopped.
    ///
    /// # Errors
    /// If there is no opening, or an engine does not play.
    pub(in crate::arena) fn pair(
        &mut self,
        unit: u64,
        stop: &AtomicBool,
    ) -> Result<Option<[ArenaGame; 2]>, RunError> {
        let mut games = Vec::new();
        self.games(unit, |_| true, stop, |game| games.push(game))?;
        Ok(games.try_into().ok())
    }

    /// Plays the missing games of a pair from one opening, the second one with the seats exchanged, and emits each as it
    /// ends. It ends early if it is stopped.
    fn games(
        &mut self,
        unit: u64,
        is_missing: impl Fn(u8) -> bool,
        stop: &AtomicBool,
        mut emit: impl FnMut(ArenaGame),
    ) -> Result<(), RunError> {
        let [a, b] = self.meetings[usize::try_from(unit % self.meetings.len() as u64).expect("one of them")];
        let opening = self.plan.opening(unit)?;
        for (game, seats) in [(0, [a, b]), (1, [b, a])].into_iter().filter(|(game, _)| is_missing(*game)) {
            let played = self.plan.game(&opening, (unit, game), seats, &mut self.pool, stop);
            let played = played
                .map_err(|(engine, why)| RunError::Engine(self.plan.engines[engine].name.clone(), why))?;
            let Some(record) = played else { break };
            emit(record);
        }
        if self.programs == Programs::Restarted {
            self.pool.idle.clear();
        }
        Ok(())
    }
}

/// Writes the games of a match as they end, and counts its pairs in their order until it is decided.
struct Counter<'a> {
    plan: &'a MatchPlan,
    /// The games that are not counted yet.
    games: GamesByUnit,
    /// The number of pairs played in an earlier run.
    known: u64,
    records: Option<Records>,
    /// The games lost by faults, one after the other.
    faults: u32,
    report: TournamentReport,
    tell: &'a mut dyn FnMut(Progress<'_>) -> io::Result<()>,
}

impl Sink<ArenaGame, RunError> for Counter<'_> {
    fn receive(&mut self, unit: u64, game: ArenaGame) -> Result<(), RunError> {
        if let Some(records) = &mut self.records {
            records.write(&game).map_err(RunError::Records)?;
        }
        if let (Some(side), Some(fault)) = (game.forfeit, &game.fault) {
            (self.tell)(Progress::Forfeit(&self.report.names[game.engines[side.index()]], fault))?;
        }
        self.games.insert((unit, game.game), game);
        Ok(())
    }

    fn count(&mut self, unit: u64) -> Result<ControlFlow<()>, RunError> {
        let pair = take_pair(&mut self.games, unit).expect("both games of a unit are known or played");
        for game in &pair {
            self.faults = if game.forfeit.is_some() { self.faults + 1 } else { 0 };
            if self.faults >= MAX_FORFEITS {
                self.report.count(&pair);
                return Err(RunError::Forfeits);
            }
        }
        if let Some(line) = self.report.count(&pair) {
            (self.tell)(Progress::Pair { line, counted: [unit + 1, self.plan.units(), self.known] })?;
        }
        Ok(if self.report.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

impl MatchPlan {
    /// Plays the match, several pairs at a time; `tell` receives every counted pair, in order. Neither the events nor
    /// the report depends on the number of threads. Games that the file of records holds are not played again.
    ///
    /// The error stands beside the report of what has been played.
    pub fn run(
        &self,
        mut records: Option<Records>,
        tell: &mut dyn FnMut(Progress<'_>) -> io::Result<()>,
    ) -> (TournamentReport, Result<(), RunError>) {
        let games = records.as_mut().map(|records| mem::take(&mut records.games)).unwrap_or_default();
        let have_answered = self.none_has_answered();
        for game in games.values() {
            for side in Side::BOTH.into_iter().filter(|&side| game.moves_of(side) > 0) {
                have_answered[game.engines[side.index()]].store(true, Ordering::SeqCst);
            }
        }
        let in_file: BTreeSet<(u64, u8)> = games.keys().copied().collect();
        let pairs = in_file.iter().filter(|(unit, game)| *game == 0 && in_file.contains(&(*unit, 1)));
        let pairs = pairs.map(|(unit, _)| *unit).collect();
        let report = TournamentReport::new(self.names(), self.is_gauntlet, self.sprt, self.seed);
        let known = games.len() as u64 / 2;
        let mut counter = Counter { plan: self, games, known, records, faults: 0, report, tell };
        let work = |desk: &jobs::Desk<'_, ArenaGame, RunError>| {
            let mut player = PairPlayer::new(self, have_answered.clone(), Programs::Kept);
            while let Some(unit) = desk.next_unit() {
                let is_missing = |game| !in_file.contains(&(unit, game));
                player.games(unit, is_missing, desk.stop(), |game| desk.hand_in(unit, game))?;
                desk.finish(unit);
            }
            Ok(())
        };
        let done = jobs::run(0..self.units(), &pairs, self.threads, &work, &mut counter);
        let synced = counter.records.map_or(Ok(()), |mut records| records.sync());
        (counter.report, done.and(synced.map_err(RunError::Records)))
    }

    /// Returns flags that say which engines have answered; none has.
    pub(in crate::arena) fn none_has_answered(&self) -> AnsweredFlags {
        self.engines.iter().map(|_| AtomicBool::new(false)).collect()
    }
}
