//! Plays a match, several pairs at a time, and counts the pairs in their order, so that neither speed nor the number of
//! threads changes the result. Knows no particular game.

use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::game::EnginePool;
use super::game_record::{ByNumber, GameRecord};
use super::games_file::{Log, RecordsError, header};
use super::openings::OpeningsError;
use super::plan::Plan;
use super::report::{Report, taken};
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

/// The file of a match's games.
#[derive(Debug)]
pub struct Records {
    log: Log,
    games: ByNumber,
}

impl Records {
    /// Creates a file of games, or continues it.
    ///
    /// # Errors
    /// If the file exists and must not, belongs to another match, or cannot be written.
    pub fn open(path: &Path, plan: &Plan, resumes: bool) -> Result<Self, RecordsError> {
        let (log, games) = Log::open(path, plan, &header(plan), resumes)?;
        Ok(Records { log, games })
    }

    /// Empties a file, so that another match can begin in it.
    ///
    /// # Errors
    /// If it is no regular file, another program writes it, or it cannot be written.
    pub(crate) fn clear(path: &Path) -> Result<(), RecordsError> {
        Log::clear(path)
    }
}

/// What happens to external programs between two pairs.
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
    plan: &'a Plan,
    meetings: Vec<[usize; 2]>,
    pool: EnginePool,
    programs: Programs,
}

impl<'a> PairPlayer<'a> {
    pub(in crate::arena) fn new(
        plan: &'a Plan,
        have_answered: Arc<[AtomicBool]>,
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
    ) -> Result<Option<[GameRecord; 2]>, RunError> {
        let mut games = Vec::new();
        self.games(unit, &[0, 1], stop, &mut |game| games.push(game))?;
        Ok(games.try_into().ok())
    }

    /// Plays these games of a pair and emits each; in the second one the seats are exchanged. It ends early if it is
    /// stopped.
    fn games(
        &mut self,
        unit: u64,
        missing: &[u8],
        stop: &AtomicBool,
        emit: &mut dyn FnMut(GameRecord),
    ) -> Result<(), RunError> {
        if missing.is_empty() {
            return Ok(());
        }
        let [a, b] = self.meetings[usize::try_from(unit % self.meetings.len() as u64).expect("one of them")];
        let opening = self.plan.openings.of_unit(self.plan, unit)?;
        for &game in missing {
            let seats = if game == 0 { [a, b] } else { [b, a] };
            let played = self.plan.game(&opening, (unit, game), seats, &mut self.pool, stop);
            let played = played
                .map_err(|(engine, why)| RunError::Engine(self.plan.engines[engine].name.clone(), why))?;
            let Some(record) = played else { break };
            emit(record);
        }
        if self.programs == Programs::Restarted {
            self.pool.clear();
        }
        Ok(())
    }
}

/// Writes the games of a match as they end, and counts its pairs in their order.
struct Counter<'a> {
    known: ByNumber,
    log: Option<&'a mut Log>,
    names: Vec<String>,
    units: u64,
    known_pairs: u64,
    /// The games lost by faults, one after the other.
    faults: u32,
    report: &'a mut Report,
    tell: &'a mut dyn FnMut(Progress<'_>) -> io::Result<()>,
}

impl Sink<GameRecord, RunError> for Counter<'_> {
    fn arrived(&mut self, game: &GameRecord) -> Result<(), RunError> {
        if let Some(log) = &mut self.log {
            log.write(game).map_err(RunError::Records)?;
        }
        if let Some((side, forfeit)) = &game.forfeit {
            (self.tell)(Progress::Forfeit(&self.names[game.engines[side.index()]], forfeit))?;
        }
        Ok(())
    }

    fn unit(&mut self, unit: u64, games: Vec<GameRecord>) -> Result<ControlFlow<()>, RunError> {
        self.known.extend(games.into_iter().map(|game| ((unit, game.game), game)));
        let pair = taken(&mut self.known, unit).expect("both games of a unit are known or played");
        for game in &pair {
            self.faults = if game.forfeit.is_some() { self.faults + 1 } else { 0 };
            if self.faults >= MAX_FORFEITS {
                self.report.count(&pair);
                return Err(RunError::Forfeits);
            }
        }
        if let Some(line) = self.report.count(&pair) {
            (self.tell)(Progress::Pair { line, counted: [unit + 1, self.units, self.known_pairs] })?;
        }
        Ok(if self.report.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

impl Plan {
    /// Plays the match, several pairs at a time; `tell` receives every counted pair, in order. Neither the events nor
    /// the report depends on the number of threads. Games that the file of records holds are not played again.
    ///
    /// The error stands beside the report of what has been played.
    pub fn run(
        &self,
        records: Option<Records>,
        tell: &mut dyn FnMut(Progress<'_>) -> io::Result<()>,
    ) -> (Report, Result<(), RunError>) {
        let (mut log, known) = records.map_or((None, ByNumber::new()), |all| (Some(all.log), all.games));
        let mut report = Report::new(self.names(), self.is_gauntlet, self.sprt, self.seed);
        let played: BTreeSet<(u64, u8)> = known.keys().copied().collect();
        let have_answered = self.none_has_answered();
        for game in known.values() {
            for side in Side::BOTH.into_iter().filter(|&side| game.moves_of(side) > 0) {
                have_answered[game.engines[side.index()]].store(true, Ordering::SeqCst);
            }
        }
        let new_worker = || {
            let mut worker = PairPlayer::new(self, have_answered.clone(), Programs::Kept);
            let played = &played;
            Ok(move |unit: u64, stop: &AtomicBool, emit: &mut dyn FnMut(GameRecord)| {
                let missing: Vec<u8> =
                    [0, 1].into_iter().filter(|game| !played.contains(&(unit, *game))).collect();
                worker.games(unit, &missing, stop, emit)
            })
        };
        let (known_pairs, units) = (known.len() as u64 / 2, self.units());
        let mut counter = Counter {
            known,
            log: log.as_mut(),
            names: self.names(),
            units,
            known_pairs,
            faults: 0,
            report: &mut report,
            tell,
        };
        let done = jobs::run(0..units, self.threads, new_worker, &mut counter);
        let synced = log.map_or(Ok(()), |mut log| log.sync());
        (report, done.and(synced.map_err(RunError::Records)))
    }

    pub(in crate::arena) fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// Returns flags that say which engines have answered; none has.
    pub(in crate::arena) fn none_has_answered(&self) -> Arc<[AtomicBool]> {
        self.engines.iter().map(|_| AtomicBool::new(false)).collect()
    }

    /// Returns the largest number of pairs.
    pub(in crate::arena) fn units(&self) -> u64 {
        self.pairs.saturating_mul(self.meetings().len() as u64)
    }
}
