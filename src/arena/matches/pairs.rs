//! Pairs of games between engines as the units of a job, and the report of those that are done. Knows sessions, levels and
//! programs, no particular game.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Map, Value};

use super::fields::MatchJob;
use super::game_record::ArenaGame;
use super::games_file::{PairLine, announced, read_pair};
use super::openings::Openings;
use super::plan::{Contestant, ContestantEngine, MatchPlan, board_of};
use super::run::{PairPlayer, Programs, RunError};
use crate::arena::jobs::shard::{MAX_UNITS, Shard};
use crate::arena::jobs::{self, JobError, JobKind, NameOrList, UnitWorker, WorkError};
use crate::arena::stats::sprt::Sprt;
use crate::external::Timeouts;
use crate::game::Millis;
use crate::registry::Entry;
use crate::session::EngineError;

/// The most plies of a game.
pub(in crate::arena) const MAX_PLIES: usize = 10_000;
/// The longest time that a program is waited for.
const MAX_WAIT: Duration = Duration::from_secs(24 * 60 * 60);
/// Upper limit of the bytes that the headers of shards need for the engines.
const MAX_ENGINE_BYTES: usize = 64 << 10;

/// Reads a job of this kind.
pub(in crate::arena) fn read(games: &'static [Entry], text: &[u8]) -> Result<Box<dyn JobKind>, JobError> {
    let job: MatchJob = jobs::read(text)?;
    let (entry, variant) = job.head.board(games)?;
    let start = entry.start(&variant).map_err(JobError::new)?;
    let engines = job.engines.into_iter().enumerate().map(|(place, engine)| {
        let engine = engine.contestant(&*start);
        engine.map_err(|why| JobError(format!("engines[{place}]: {why}")))
    });
    let engines: Vec<Contestant> = engines.collect::<Result<_, _>>()?;
    let variant = board_of(entry, &variant, &engines);
    let openings = job.openings.map(|openings| Openings::of_fields(&openings, entry, &variant));
    let plan = MatchPlan::between(entry, &variant, engines, openings.transpose()?).map_err(JobError::new)?;
    let patience = Timeouts {
        margin: wait("margin_ms", job.margin_ms)?.or(plan.patience.margin),
        hang: wait("hang_ms", job.hang_ms)?.unwrap_or(plan.patience.hang),
    };
    let no_test = || JobError::new("sprt must be two increasing numbers from -200 to 200, such as [0,20]");
    let plan = MatchPlan {
        is_gauntlet: job.gauntlet.unwrap_or_default(),
        sprt: job.sprt.map(|bounds| Sprt::of(&bounds).ok_or_else(no_test)).transpose()?,
        seed: job.head.seed,
        limits: job.limits.unwrap_or_default().into(),
        patience,
        max_plies: jobs::within("max_plies", job.max_plies, plan.max_plies, 1..=MAX_PLIES)?,
        ..plan
    };
    let (meetings, units) = (plan.meetings().len() as u64, u64::from(job.head.units));
    if !units.is_multiple_of(meetings) {
        return Err(JobError(format!(
            "units is {units}, but it must be a multiple of {meetings}, the number of pairings"
        )));
    }
    let plan = MatchPlan { pairs: units / meetings, ..plan };
    plan.check().map_err(JobError::new)?;
    if jobs::json(&MatchJob::of(&plan, 0, plan.openings.fields()).engines).len() > MAX_ENGINE_BYTES {
        let most = MAX_ENGINE_BYTES >> 10;
        return Err(JobError(format!("the list of engines is longer than {most} KiB; use shorter names")));
    }
    Ok(Box::new(plan))
}

/// Returns how long a program is waited for.
fn wait(key: &str, time: Option<Millis>) -> Result<Option<Duration>, JobError> {
    match time.map(|Millis(time)| time) {
        Some(time) if time > MAX_WAIT => {
            Err(JobError(format!("{key} must be at most {} (one day)", MAX_WAIT.as_millis())))
        }
        time => Ok(time),
    }
}

impl MatchPlan {
    /// The job of these games, as it stands in its file. [`ArenaJob::read`](jobs::ArenaJob::read) refuses it where the plan has what a
    /// job cannot have, such as no pairs.
    ///
    /// # Errors
    /// If there are more pairs than a job can have.
    pub fn job(&self) -> Result<String, JobError> {
        let units = self.units();
        let within = u32::try_from(units).ok().filter(|units| *units <= MAX_UNITS);
        let too_many =
            || JobError(format!("{units} pairs of games are too many; a job has at most {MAX_UNITS}"));
        let job = MatchJob::of(self, within.ok_or_else(too_many)?, self.openings.fields());
        Ok(jobs::json(&job) + "\n")
    }

    /// Reports whether another run would play the same games: levels of our own that count what they search.
    pub(in crate::arena) fn is_deterministic(&self) -> bool {
        self.engines.iter().all(|engine| {
            let ContestantEngine::Level(spec) = &engine.player else { return false };
            let limits = engine.limits.or(self.limits).or(self.entry.limits_of(spec.level));
            !limits.have_time() && !limits.is_time_only()
        })
    }
}

impl JobKind for MatchPlan {
    fn header(&self) -> Map<String, Value> {
        // A list may be long, and the hash of the job tells it from others.
        let job = MatchJob::of(self, 0, NameOrList::Name(self.openings.spec()));
        jobs::header(self.is_deterministic(), &job)
    }

    fn worker(&self) -> Result<Box<dyn UnitWorker + '_>, WorkError> {
        // Programs are started afresh for each pair, so that earlier pairs do not matter.
        Ok(Box::new(PairPlayer::new(self, self.none_has_answered(), Programs::Restarted)))
    }

    fn program(&self) -> Option<String> {
        self.engines.iter().find_map(|Contestant { name, player, .. }| match player {
            ContestantEngine::Level(_) => None,
            ContestantEngine::Program(spec) => {
                Some(format!("the engine {name} is the external program {spec}"))
            }
        })
    }
}

impl UnitWorker for PairPlayer<'_> {
    fn unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, WorkError> {
        let failed = |error: RunError| {
            let why = format!("unit {unit}: {error}");
            match error {
                RunError::Engine(_, EngineError::Start(_) | EngineError::NeverAnswered(_)) => {
                    WorkError::Retry(why)
                }
                _ => WorkError::Failed(why),
            }
        };
        let games = self.pair(unit.into(), stop).map_err(failed)?;
        let games = games.ok_or_else(|| WorkError::Retry(format!("unit {unit} was stopped")))?;
        // Times differ from run to run.
        let games = games.map(|game| ArenaGame { ms: None, cpu_ms: None, ..game });
        Ok(jobs::json(&PairLine { unit, games }).into_bytes())
    }
}

/// Tells what the pairs say that are done, up to the first one that is missing.
pub(in crate::arena) fn report(_: &'static [Entry], shard: &Shard) -> Result<jobs::JobReport, JobError> {
    let mut report = announced(shard)?;
    let (mut prefix, mut done, mut forfeits) = (0, 0, 0u64);
    for (unit, body) in shard.units() {
        let pair = read_pair(unit, body, &report)?;
        done += 1;
        forfeits += pair.iter().filter(|game| game.forfeit.is_some()).count() as u64;
        if unit == prefix {
            prefix += 1;
            if !report.is_decided() {
                report.count(&pair);
            }
        }
    }
    let counted = format!("counts the first {prefix} of {done} pairs, up to the first missing one\n");
    let words = report.in_words() + if prefix < done { &counted } else { "" };
    let mut json = report.fields();
    json.insert("prefix".to_owned(), prefix.into());
    let fault = (forfeits > 0).then(|| format!("{forfeits} games were forfeited"));
    Ok(jobs::JobReport { words, json, fault })
}
