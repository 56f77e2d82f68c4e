//! Pairs of games as the units of a job of kind `arena`, and the report on finished pairs.
//!
//! This module does not depend on any particular game.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Map, Value};

use super::fields::MatchJob;
use super::game_record::ArenaGame;
use super::games_file::{GamePairLine, empty_report_for_shard, parse_game_pair};
use super::openings::Openings;
use super::plan::{Contestant, ContestantEngine, MatchPlan, board_for_engines};
use super::run::{MatchError, PairPlayer, ProgramLifetime};
use crate::arena::jobs::shard::{MAX_JOB_UNITS, Shard};
use crate::arena::jobs::{self, ArenaJobError, ArenaJobKind, NameOrList, UnitError, UnitWorker};
use crate::arena::stats::sprt::Sprt;
use crate::external::EngineTimeouts;
use crate::game::JsonMillis;
use crate::registry::RegisteredGame;
use crate::session::EngineError;

/// Maximum number of plies of a game in a job.
pub(in crate::arena) const MAX_GAME_PLIES_IN_JOB: usize = 10_000;
/// Maximum timeout for an external program.
const MAX_ENGINE_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum size of the engine list in a shard header, in bytes.
const MAX_ENGINE_LIST_BYTES: usize = 64 << 10;

/// Parses a job of kind `arena`.
pub(in crate::arena) fn parse_match_job(
    games: &'static [RegisteredGame],
    text: &[u8],
) -> Result<Box<dyn ArenaJobKind>, ArenaJobError> {
    let job: MatchJob = jobs::parse_json_object(text)?;
    let (entry, variant) = job.head.find_board(games)?;
    let start = entry.start_position(&variant).map_err(ArenaJobError::new)?;
    let engines = job.engines.into_iter().enumerate().map(|(place, engine)| {
        let engine = engine.into_contestant(&*start);
        engine.map_err(|why| ArenaJobError(format!("engines[{place}]: {why}")))
    });
    let engines: Vec<Contestant> = engines.collect::<Result<_, _>>()?;
    let variant = board_for_engines(entry, &variant, &engines);
    let openings = job.openings.map(|openings| Openings::from_json(&openings, entry, &variant));
    let plan = MatchPlan::with_engines(entry, &variant, engines, openings.transpose()?)
        .map_err(ArenaJobError::new)?;
    let timeouts = EngineTimeouts {
        margin: check_timeout("margin_ms", job.margin_ms)?.or(plan.timeouts.margin),
        hang: check_timeout("hang_ms", job.hang_ms)?.unwrap_or(plan.timeouts.hang),
    };
    let no_test =
        || ArenaJobError::new("sprt must be two increasing numbers from -200 to 200, such as [0,20]");
    let plan = MatchPlan {
        is_gauntlet: job.gauntlet.unwrap_or_default(),
        sprt: job.sprt.map(|bounds| Sprt::from_bounds(&bounds).ok_or_else(no_test)).transpose()?,
        seed: job.head.seed,
        limits: job.limits.unwrap_or_default().into(),
        timeouts,
        max_plies: jobs::value_in_range(
            "max_plies",
            job.max_plies,
            plan.max_plies,
            1..=MAX_GAME_PLIES_IN_JOB,
        )?,
        ..plan
    };
    let (meetings, units) = (plan.pairings().len() as u64, u64::from(job.head.units));
    if !units.is_multiple_of(meetings) {
        return Err(ArenaJobError(format!(
            "units is {units}, but it must be a multiple of {meetings}, the number of pairings"
        )));
    }
    let plan = MatchPlan { pairs: units / meetings, ..plan };
    plan.validate().map_err(ArenaJobError::new)?;
    if jobs::to_json_line(&MatchJob::from_plan(&plan, 0, plan.openings.to_json()).engines).len()
        > MAX_ENGINE_LIST_BYTES
    {
        let most = MAX_ENGINE_LIST_BYTES >> 10;
        return Err(ArenaJobError(format!(
            "the list of engines is longer than {most} KiB; use shorter names"
        )));
    }
    Ok(Box::new(plan))
}

/// Checks that a timeout is at most one day.
fn check_timeout(key: &str, time: Option<JsonMillis>) -> Result<Option<Duration>, ArenaJobError> {
    match time.map(|JsonMillis(time)| time) {
        Some(time) if time > MAX_ENGINE_TIMEOUT => {
            Err(ArenaJobError(format!("{key} must be at most {} (one day)", MAX_ENGINE_TIMEOUT.as_millis())))
        }
        time => Ok(time),
    }
}

impl MatchPlan {
    /// Returns the contents of the job file for this match. [`ArenaJob::parse`](jobs::ArenaJob::parse)
    /// rejects it if the plan has values that a job cannot have, such as zero pairs.
    ///
    /// # Errors
    /// Returns an error if there are more pairs than a job can have.
    pub fn to_job_json(&self) -> Result<String, ArenaJobError> {
        let units = self.total_pairs();
        let within = u32::try_from(units).ok().filter(|units| *units <= MAX_JOB_UNITS);
        let too_many = || {
            ArenaJobError(format!("{units} pairs of games are too many; a job has at most {MAX_JOB_UNITS}"))
        };
        let job = MatchJob::from_plan(self, within.ok_or_else(too_many)?, self.openings.to_json());
        Ok(jobs::to_json_line(&job) + "\n")
    }

    /// Reports whether every run plays the same games: all engines are built-in and have no time limits.
    pub(in crate::arena) fn is_deterministic(&self) -> bool {
        self.engines.iter().all(|engine| {
            let ContestantEngine::Level(spec) = &engine.player else { return false };
            let limits = engine
                .limits
                .or_if_unlimited(self.limits)
                .or_if_unlimited(self.entry.default_limits(spec.level));
            !limits.has_time_limit() && !limits.is_time_only()
        })
    }
}

impl ArenaJobKind for MatchPlan {
    fn header_fields(&self) -> Map<String, Value> {
        // A list may be long, and the hash of the job already identifies it.
        let job = MatchJob::from_plan(self, 0, NameOrList::Name(self.openings.spec()));
        jobs::shard_header_fields(self.is_deterministic(), &job)
    }

    fn create_worker(&self) -> Result<Box<dyn UnitWorker + '_>, UnitError> {
        // Programs are restarted for each pair, so that earlier pairs have no influence.
        Ok(Box::new(PairPlayer::new(self, self.new_answered_flags(), ProgramLifetime::Restarted)))
    }

    fn external_program(&self) -> Option<String> {
        self.engines.iter().find_map(|Contestant { name, player, .. }| match player {
            ContestantEngine::Level(_) => None,
            ContestantEngine::Program(spec) => {
                Some(format!("the engine {name} is the external program {spec}"))
            }
        })
    }
}

impl UnitWorker for PairPlayer<'_> {
    fn run_unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, UnitError> {
        let failed = |error: MatchError| {
            let why = format!("unit {unit}: {error}");
            match error {
                MatchError::Engine(_, EngineError::Start(_) | EngineError::NeverAnswered(_)) => {
                    UnitError::Retry(why)
                }
                _ => UnitError::Failed(why),
            }
        };
        let games = self.play_pair(unit.into(), stop).map_err(failed)?;
        let games = games.ok_or_else(|| UnitError::Retry(format!("unit {unit} was stopped")))?;
        // Times differ from run to run.
        let games = games.map(|game| ArenaGame { ms: None, cpu_ms: None, ..game });
        Ok(jobs::to_json_line(&GamePairLine { unit, games }).into_bytes())
    }
}

/// Builds the report on the finished pairs up to the first missing one.
pub(in crate::arena) fn report_match_shard(
    _: &'static [RegisteredGame],
    shard: &Shard,
) -> Result<jobs::JobReport, ArenaJobError> {
    let mut report = empty_report_for_shard(shard)?;
    let (mut prefix, mut done, mut forfeits) = (0, 0, 0u64);
    for (unit, body) in shard.units() {
        let pair = parse_game_pair(unit, body, &report)?;
        done += 1;
        forfeits += pair.iter().filter(|game| game.forfeit.is_some()).count() as u64;
        if unit == prefix {
            prefix += 1;
            if !report.is_decided() {
                report.count_pair(&pair);
            }
        }
    }
    let counted = format!("counts the first {prefix} of {done} pairs, up to the first missing one\n");
    let words = report.to_text() + if prefix < done { &counted } else { "" };
    let mut json = report.to_json_fields();
    json.insert("prefix".to_owned(), prefix.into());
    let fault = (forfeits > 0).then(|| format!("{forfeits} games were forfeited"));
    Ok(jobs::JobReport { words, json, fault })
}
