//! Plays what is planned, several pairs at a time, and counts the pairs in their order, so that neither speed nor the number of
//! threads decides anything. Knows no particular game.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use serde_json::Value;

use crate::arena::game::Chairs;
use crate::arena::openings::OpeningsError;
use crate::arena::plan::Plan;
use crate::arena::record::{ByNumber, GameRecord, Log, RecordsError, header};
use crate::arena::report::Report;
use crate::game::Side;
use crate::session::{EngineError, Forfeit};

/// So many games lost by faults, one after the other, show that there is no match.
const MAX_FORFEITS: u32 = 10;

/// What is told while a match is played.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A pair was counted.
    Pair {
        /// It in words.
        line: String,
        /// How many have been counted, how many there are at most, and how many of them were played before.
        counted: [u64; 3],
    },
    /// An engine has lost a game by what it did.
    Forfeit(&'a str, &'a Forfeit),
}

/// Why a match has not been played to its end.
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
    /// Progress cannot be told.
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
    /// Begins a file of games, or goes on with it.
    ///
    /// # Errors
    /// If the file is there and may not be, belongs to another match, or cannot be written.
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

impl Report {
    /// The report of the games of a file with this header; `None` if that announces none.
    pub(super) fn of_games(header: &Value, mut games: ByNumber) -> Option<Self> {
        let mut report = Report::announced(|key| &header[key])?;
        let units: BTreeSet<u64> = games.keys().map(|(unit, _)| *unit).collect();
        for unit in units {
            if let Some(pair) = taken(&mut games, unit) {
                report.count(&pair);
            }
            if report.is_decided() {
                break;
            }
        }
        Some(report)
    }
}

/// Takes both games of a pair out, if both are there.
fn taken(games: &mut ByNumber, unit: u64) -> Option<[GameRecord; 2]> {
    if !(games.contains_key(&(unit, 0)) && games.contains_key(&(unit, 1))) {
        return None;
    }
    Some([games.remove(&(unit, 0))?, games.remove(&(unit, 1))?])
}

/// A game, or why there is none.
type News = Result<GameRecord, RunError>;

impl Plan {
    /// Plays the match, several pairs at a time; `tell` hears of every counted pair, in their order. Neither what is told nor
    /// the report depends on the number of threads. Games that the file of records holds are not played again.
    ///
    /// The error stands beside the report of what has been played.
    pub fn run(
        &self,
        records: Option<Records>,
        tell: &mut dyn FnMut(Progress<'_>) -> io::Result<()>,
    ) -> (Report, Result<(), RunError>) {
        let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let (mut log, known) = records.map_or((None, ByNumber::new()), |all| (Some(all.log), all.games));
        let mut report = Report::new(self.names(), self.is_gauntlet, self.sprt, self.seed);
        let known_keys: Vec<(u64, u8)> = known.keys().copied().collect();
        let have_answered = self.none_has_answered();
        for game in known.values() {
            for side in Side::BOTH.into_iter().filter(|&side| game.moves_of(side) > 0) {
                have_answered[game.engines[side.index()]].store(true, Ordering::SeqCst);
            }
        }
        let done = thread::scope(|scope| {
            let (sender, queue) = mpsc::channel();
            for _ in 0..self.threads.max(1) {
                let (sender, next, stop, known) = (sender.clone(), &next, &stop, &known_keys);
                let have_answered = &have_answered;
                scope.spawn(move || self.work(next, stop, known, have_answered, &sender));
            }
            drop(sender);
            let done = self.counted(known, &queue, log.as_mut(), &mut report, tell);
            stop.store(true, Ordering::Relaxed);
            done
        });
        let synced = log.map_or(Ok(()), |mut log| log.sync());
        (report, done.and(synced.map_err(RunError::Records)))
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// Room to note which engines have answered.
    pub(super) fn none_has_answered(&self) -> Vec<AtomicBool> {
        self.engines.iter().map(|_| AtomicBool::new(false)).collect()
    }

    /// How many pairs there are at most.
    pub(super) fn units(&self) -> u64 {
        self.pairs.saturating_mul(self.meetings().len() as u64)
    }

    /// Plays pair after pair, as long as there are some, but for games that are known.
    fn work(
        &self,
        next: &AtomicU64,
        stop: &AtomicBool,
        known: &[(u64, u8)],
        have_answered: &[AtomicBool],
        sender: &Sender<News>,
    ) {
        let (mut chairs, meetings) = (Chairs::new(have_answered), self.meetings());
        while !stop.load(Ordering::Relaxed) {
            let unit = next.fetch_add(1, Ordering::Relaxed);
            if unit >= self.units() {
                return;
            }
            let meeting = meetings[usize::try_from(unit % meetings.len() as u64).expect("one of them")];
            let is_missing = |game: &u8| known.binary_search(&(unit, *game)).is_err();
            for game in [0, 1].into_iter().filter(is_missing) {
                let played = self.openings.of_unit(self, unit).map_err(RunError::from);
                let played = played.and_then(|opening| {
                    self.game_of_pair(&opening, (unit, game), meeting, &mut chairs, stop)
                });
                // Nothing comes of a game that was stopped, for then all is over.
                let Some(news) = played.transpose() else { return };
                if sender.send(news).is_err() {
                    return;
                }
            }
        }
    }

    /// One game of a pair: in the second one the seats are exchanged. `None` if it was stopped.
    pub(super) fn game_of_pair(
        &self,
        opening: &[String],
        (unit, game): (u64, u8),
        [a, b]: [usize; 2],
        chairs: &mut Chairs<'_>,
        stop: &AtomicBool,
    ) -> Result<Option<GameRecord>, RunError> {
        let seats = if game == 0 { [a, b] } else { [b, a] };
        let played = self.game(opening, (unit, game), seats, chairs, stop);
        played.map_err(|(engine, why)| RunError::Engine(self.engines[engine].name.clone(), why))
    }

    /// Counts the pairs in their order until the match is decided.
    fn counted(
        &self,
        known: ByNumber,
        queue: &Receiver<News>,
        mut log: Option<&mut Log>,
        report: &mut Report,
        tell: &mut dyn FnMut(Progress<'_>) -> io::Result<()>,
    ) -> Result<(), RunError> {
        let (mut games, names, units) = (known, self.names(), self.units());
        let known = games.len() as u64 / 2;
        let mut faults = 0;
        for unit in 0..units {
            let pair = loop {
                if let Some(pair) = taken(&mut games, unit) {
                    break pair;
                }
                let game = queue.recv().map_err(io::Error::other)??;
                if let Some(log) = &mut log {
                    log.write(&game).map_err(RunError::Records)?;
                }
                if let Some((side, forfeit)) = &game.forfeit {
                    tell(Progress::Forfeit(&names[game.engines[side.index()]], forfeit))?;
                }
                games.insert((game.unit, game.game), game);
            };
            for game in &pair {
                faults = if game.forfeit.is_some() { faults + 1 } else { 0 };
                if faults >= MAX_FORFEITS {
                    report.count(&pair);
                    return Err(RunError::Forfeits);
                }
            }
            if let Some(line) = report.count(&pair) {
                tell(Progress::Pair { line, counted: [unit + 1, units, known] })?;
            }
            if report.is_decided() {
                break;
            }
        }
        Ok(())
    }
}
