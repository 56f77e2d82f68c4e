//! Tuning of engine constants by self-play (SPSA).
//!
//! An engine plays pairs of games against itself, with its constants perturbed in opposite
//! directions. A unit is one such probe. A job is one generation of probes from the same values,
//! and its results give the values of the next generation.

use std::fmt::Display;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ai::{EngineKind, EngineSpec, EngineSpecError, TuningOverrides};
use crate::arena::jobs::shard::{MAX_JOB_UNITS, Shard};
use crate::arena::jobs::{
    self, ArenaJobError, ArenaJobKind, JobHeader, JobReport, NameOrList, NextJobError, SearchLimitsJson,
    UnitError, UnitWorker,
};
use crate::arena::matches::{
    Contestant, ContestantEngine, ContestantError, MatchPlan, Openings, PairPlayer, ProgramLifetime, pairs,
};
use crate::arena::stats::PairCounts;
use crate::arena::stats::spsa::{Spsa, SpsaProbe, TunedParameter};
use crate::game::{Refusal, Side};
use crate::random::mix_seed;
use crate::registry::{RegisteredGame, Variant};
use crate::session::Position;

/// Maximum number of pairs of games per probe.
pub(crate) const MAX_PAIRS_PER_PROBE: u32 = 10_000;
/// Maximum value of a constant.
const MAX_PARAMETER_VALUE: f64 = 100.0;

/// Fields of a job of kind `tune`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TuneJob {
    #[serde(flatten)]
    head: JobHeader,
    engine: String,
    limits: Option<SearchLimitsJson>,
    openings: Option<NameOrList>,
    max_plies: Option<usize>,
    parameters: Vec<TunedParameter>,
    pairs: u32,
    iteration: u32,
    iterations: u32,
}

/// Fields of a shard header that a report needs.
#[derive(Deserialize)]
struct TuneHeader {
    #[serde(flatten)]
    head: JobHeader,
    parameters: Vec<TunedParameter>,
    pairs: u32,
    iteration: u32,
    iterations: u32,
}

/// Sets the grid of each constant, which depends on its name.
fn with_grids(mut parameters: Vec<TunedParameter>) -> Vec<TunedParameter> {
    for parameter in &mut parameters {
        parameter.grid = TuningOverrides::steps_per_unit(&parameter.name);
    }
    parameters
}

/// Result of a probe, as a line of a shard.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProbeLine {
    unit: u32,
    iteration: u32,
    #[serde(flatten)]
    probe: SpsaProbe,
    pairs: PairCounts,
    result: i64,
}

/// Report on a generation: the changes of its constants.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TuningReport {
    /// First iteration of the generation.
    from: u32,
    /// Last iteration of the generation.
    pub to: u32,
    /// Number of iterations after this generation.
    left: u32,
    /// Pentanomial counts of the `plus` version.
    pub pairs: [u64; 5],
    /// Changes of the constants.
    pub parameters: Vec<MovedParameter>,
}

/// Values of a constant before and after a generation.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MovedParameter {
    /// Name of the constant.
    pub name: String,
    /// Value before the generation.
    pub before: f64,
    /// Value after the generation.
    pub after: f64,
}

/// Generation of a tuning run: consecutive probes from the same values.
#[derive(Clone, Debug)]
pub(crate) struct TuningGeneration {
    /// Match plan of a probe: game, openings and limits. Each probe sets the constants of its two engines.
    pub plan: MatchPlan,
    /// Specification of the engine without the tuned constants.
    spec: EngineSpec,
    /// Tuned constants and total number of iterations.
    pub spsa: Spsa,
    /// Number of pairs of games per probe.
    pub pairs: u32,
    /// First iteration of the generation, counted from 1.
    pub iteration: u32,
    /// Number of iterations in the generation.
    pub units: u32,
}

/// Error text that lists the requirements for reproducible probes.
pub(crate) const DETERMINISM_REQUIREMENTS: &str =
    "tuning needs a limit of nodes or depth, no time limit, and one thread per engine";

/// Creates the error for an engine that cannot be tuned.
fn engine_error(spec: &str, why: impl Display) -> ArenaJobError {
    ArenaJobError(format!("engine {:?}: {why}", Refusal::sanitize_excerpt(spec)))
}

impl TuningGeneration {
    /// Creates the first generation of a tuning run, without constants. The default openings are those of
    /// the game. See [`EngineSpec`] and [`MatchPlan::new`].
    ///
    /// # Errors
    /// Returns an error that says which setting is invalid.
    pub(crate) fn new(
        entry: &'static RegisteredGame,
        variant: &Variant,
        text: &str,
        openings: Option<Openings>,
    ) -> Result<Self, ArenaJobError> {
        if entry.tunable_constants().is_empty() {
            return Err(ArenaJobError(format!("the engines of {} have no tunable constants", entry.name)));
        }
        let start = entry.start_position(variant).map_err(ArenaJobError::new)?;
        let [plus, minus] = ["plus", "minus"].map(|name| parse_tuned_engine(name, text, &*start));
        let (plus, minus) = (plus?, minus?);
        let spec = match &plus.player {
            ContestantEngine::Level(spec) if spec.level == EngineKind::Net => spec.clone(),
            _ => return Err(engine_error(text, "only net and net:FILE have tunable constants")),
        };
        let plan = MatchPlan::with_engines(entry, variant, vec![plus, minus], openings)
            .map_err(ArenaJobError::new)?;
        let spsa = Spsa { seed: 1, iterations: 1, parameters: Vec::new() };
        Ok(TuningGeneration { plan, spec, spsa, pairs: 1, iteration: 1, units: 1 })
    }

    /// Checks that the generation can be played.
    ///
    /// # Errors
    /// Returns an error that says which setting is invalid.
    fn validate(&self) -> Result<(), ArenaJobError> {
        let TuningGeneration { spsa: Spsa { iterations, parameters, .. }, pairs, iteration, units, .. } =
            self;
        if !(1..=MAX_JOB_UNITS).contains(iterations) {
            return Err(ArenaJobError(format!("iterations must be a number from 1 to {MAX_JOB_UNITS}")));
        }
        if !(1..=*iterations).contains(iteration) || iterations - iteration + 1 < *units {
            return Err(ArenaJobError(format!(
                "there are {units} units from iteration {iteration}, but iterations are 1 to {iterations}"
            )));
        }
        if !(1..=MAX_PAIRS_PER_PROBE).contains(pairs) {
            return Err(ArenaJobError(format!(
                "pairs (of games per unit) must be 1 to {MAX_PAIRS_PER_PROBE}"
            )));
        }
        if !self.is_deterministic() {
            return Err(ArenaJobError(format!(
                "{DETERMINISM_REQUIREMENTS}, such as \"limits\":{{\"nodes\":100}}"
            )));
        }
        let known = self.plan.entry.tunable_constants();
        if parameters.is_empty() {
            return Err(ArenaJobError(format!(
                "no parameters are given; this engine has {}",
                known.join(", ")
            )));
        }
        for (i, parameter) in parameters.iter().enumerate() {
            let name = Refusal::sanitize_excerpt(&parameter.name);
            let wrong = |why: String| ArenaJobError(format!("parameter {name}: {why}"));
            if !known.contains(&&*parameter.name) {
                let game = self.plan.entry.name;
                return Err(wrong(format!(
                    "unknown constant for {game}; constants are {}",
                    known.join(", ")
                )));
            }
            if parameters[..i].iter().any(|other| other.name == parameter.name) {
                return Err(wrong("given twice".to_owned()));
            }
            parameter.validate().map_err(wrong)?;
        }
        self.probe_engines(&self.spsa.probe(*iteration))
            .map_err(|why| engine_error(&self.spec.to_string(), why))?;
        self.plan.validate().map_err(ArenaJobError::new)
    }

    /// Reports whether the games are the same on every computer.
    pub(crate) fn is_deterministic(&self) -> bool {
        self.plan.is_deterministic() && self.spec.resources.thread_count() == 1
    }

    /// Returns the two versions of the engine that play each other in a probe.
    fn probe_engines(&self, probe: &SpsaProbe) -> Result<[EngineSpec; 2], EngineSpecError> {
        let side = |values: &[f64]| {
            let mut all = self.spsa.parameters.iter().zip(values);
            all.try_fold(self.spec.clone(), |spec, (parameter, value)| {
                spec.with_constant(&parameter.name, *value)
            })
        };
        Ok([side(&probe.plus)?, side(&probe.minus)?])
    }

    /// Plays the games of a probe and returns the pentanomial counts of `plus`, or `None` if
    /// stopped.
    fn play_probe(
        &self,
        unit: u32,
        probe: &SpsaProbe,
        stop: &AtomicBool,
    ) -> Result<Option<PairCounts>, UnitError> {
        let failed = |why: String| UnitError::Failed(format!("unit {unit}: {why}"));
        let mut plan = self.plan.clone();
        plan.seed = mix_seed(self.spsa.seed, u64::from(self.iteration + unit));
        let specs = self.probe_engines(probe).map_err(|why| failed(why.to_string()))?;
        for (engine, spec) in plan.engines.iter_mut().zip(specs) {
            engine.player = ContestantEngine::Level(spec);
        }
        let mut player = PairPlayer::new(&plan, plan.new_answered_flags(), ProgramLifetime::Restarted);
        let mut counts = PairCounts::default();
        for number in 0..u64::from(self.pairs) {
            let pair = player.play_pair(number, stop).map_err(|error| failed(error.to_string()))?;
            let Some(games) = pair else { return Ok(None) };
            if let Some(forfeit) = games.iter().find_map(|game| game.fault.as_ref()) {
                return Err(failed(format!("{} ({})", forfeit.said, forfeit.reason.name())));
            }
            let halves: u8 = games.iter().zip(Side::BOTH).map(|(game, own)| game.half_points(own)).sum();
            counts.0[usize::from(halves)] += 1;
        }
        Ok(Some(counts))
    }

    /// Returns the contents of the job file for these probes.
    /// [`ArenaJob::parse`](crate::arena::jobs::ArenaJob::parse) rejects it if the generation has values
    /// that a job cannot have, such as no constants.
    #[must_use]
    pub(crate) fn to_job_json(&self) -> String {
        jobs::to_json_line(&self.job_with_openings(self.plan.openings.to_json())) + "\n"
    }

    /// Returns the fields of the job file, with these openings.
    fn job_with_openings(&self, openings: NameOrList) -> TuneJob {
        let MatchPlan { entry, variant, limits, max_plies, .. } = &self.plan;
        TuneJob {
            head: JobHeader::new("tune", self.spsa.seed, self.units, (entry, variant)),
            engine: self.spec.to_string(),
            limits: Some((*limits).into()),
            openings: Some(openings),
            max_plies: Some(*max_plies),
            parameters: self.spsa.parameters.clone(),
            pairs: self.pairs,
            iteration: self.iteration,
            iterations: self.spsa.iterations,
        }
    }
}

/// Parses the engine to be tuned.
fn parse_tuned_engine(name: &str, spec: &str, start: &dyn Position) -> Result<Contestant, ArenaJobError> {
    Contestant::new(name, spec, start).map_err(|why| match why {
        ContestantError::Unreadable(_) => engine_error(
            spec,
            format!("{why}; net also takes {}", TuningOverrides::CONSTANT_NAMES.join(", ")),
        ),
        why => engine_error(spec, why),
    })
}

impl TunedParameter {
    /// Checks the range, value and step sizes of the constant.
    fn validate(&self) -> Result<(), String> {
        let TunedParameter { value, min, max, c_end, r_end, grid, .. } = *self;
        let grid = f64::from(grid);
        let is_on_grid = |value: f64| ((value * grid).round() / grid - value).abs() < 1e-12;
        if !(0.0..=MAX_PARAMETER_VALUE).contains(&min) || max > MAX_PARAMETER_VALUE || min >= max {
            return Err(format!(
                "min and max must be two increasing numbers from 0 to {MAX_PARAMETER_VALUE}"
            ));
        }
        if !is_on_grid(min) || !is_on_grid(max) {
            let which = if grid > 1.0 { "have more than three decimals" } else { "are not whole numbers" };
            return Err(format!("min and max {which}"));
        }
        if !(min..=max).contains(&value) {
            return Err(format!("the value {value} is not between {min} and {max}"));
        }
        let (least, most) = (0.5 / grid, max - min);
        if !(least..=most).contains(&c_end) {
            return Err(format!("c_end must be from {least} to {most}"));
        }
        if !(r_end > 0.0 && r_end <= 1.0) {
            return Err("r_end must be above 0 and at most 1; 0.02 is usual".to_owned());
        }
        Ok(())
    }
}

/// Parses a job of kind `tune`.
pub(super) fn parse_tune_job(
    games: &'static [RegisteredGame],
    text: &[u8],
) -> Result<Box<dyn ArenaJobKind>, ArenaJobError> {
    let job: TuneJob = jobs::parse_json_object(text)?;
    let (entry, variant) = job.head.find_board(games)?;
    let openings =
        job.openings.map(|openings| Openings::from_json(&openings, entry, &variant)).transpose()?;
    let mut generation = TuningGeneration::new(entry, &variant, &job.engine, openings)?;
    generation.plan.limits = job.limits.unwrap_or_default().into();
    generation.plan.max_plies = jobs::value_in_range(
        "max_plies",
        job.max_plies,
        generation.plan.max_plies,
        1..=pairs::MAX_GAME_PLIES_IN_JOB,
    )?;
    let TuneJob { head: JobHeader { seed, units, .. }, pairs, iteration, iterations, .. } = job;
    let spsa = Spsa { seed, iterations, parameters: with_grids(job.parameters) };
    let generation = TuningGeneration { spsa, pairs, iteration, units, ..generation };
    generation.validate()?;
    Ok(Box::new(generation))
}

impl ArenaJobKind for TuningGeneration {
    fn header_fields(&self) -> Map<String, Value> {
        // A list may be long, and the hash of the job already identifies it.
        jobs::shard_header_fields(true, &self.job_with_openings(NameOrList::Name(self.plan.openings.spec())))
    }

    fn create_worker(&self) -> Result<Box<dyn UnitWorker + '_>, UnitError> {
        Ok(Box::new(ProbeWorker(self)))
    }

    fn next_job(&self, done: &Shard) -> Result<Option<String>, NextJobError> {
        if !done.is_complete() || done.header.count > 1 {
            return Err(NextJobError::Missing(done.units().count(), self.units));
        }
        let mut next = self.clone();
        apply_probes(&mut next.spsa, (self.iteration, self.pairs), done)?;
        next.iteration += self.units;
        next.units = self.units.min((self.spsa.iterations + 1).saturating_sub(next.iteration));
        Ok((next.units > 0).then(|| next.to_job_json()))
    }
}

/// Worker that plays the probes of a generation.
struct ProbeWorker<'a>(&'a TuningGeneration);

impl UnitWorker for ProbeWorker<'_> {
    fn run_unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, UnitError> {
        let iteration = self.0.iteration + unit;
        let probe = self.0.spsa.probe(iteration);
        let pairs = self.0.play_probe(unit, &probe, stop)?.unwrap_or_default();
        Ok(jobs::to_json_line(&ProbeLine { unit, iteration, probe, pairs, result: won_minus_lost(&pairs) })
            .into_bytes())
    }
}

/// Returns the wins minus the losses of the `plus` version.
fn won_minus_lost(counts: &PairCounts) -> i64 {
    counts
        .0
        .iter()
        .zip(-2..)
        .map(|(&count, result)| i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(result))
        .fold(0, i64::saturating_add)
}

/// Moves the constants by the results of the probes in a shard and returns the total pentanomial
/// counts.
///
/// The probes start at iteration `first` and have `pairs` pairs each.
fn apply_probes(
    spsa: &mut Spsa,
    (first, pairs): (u32, u32),
    shard: &Shard,
) -> Result<PairCounts, ArenaJobError> {
    let (from, mut all) = (spsa.clone(), PairCounts::default());
    for (unit, body) in shard.units() {
        let iteration = first.saturating_add(unit);
        let read = || {
            let found: ProbeLine = serde_json::from_slice(body).ok()?;
            let (played, probe) = (found.pairs, from.probe(iteration));
            let sum = played.0.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
            let wanted = ProbeLine { unit, iteration, probe, pairs: played, result: won_minus_lost(&played) };
            (sum == Some(pairs.into()) && found == wanted).then_some(played)
        };
        let counts =
            read().ok_or_else(|| ArenaJobError(format!("unit {unit} is not from this generation")))?;
        spsa.update(iteration, i32::try_from(won_minus_lost(&counts)).expect("a probe has far fewer games"));
        for (sum, count) in all.0.iter_mut().zip(counts.0) {
            *sum += count;
        }
    }
    Ok(all)
}

/// Builds the report on the finished probes, with the resulting changes of the constants.
pub(super) fn report_tune_shard(
    _: &'static [RegisteredGame],
    shard: &Shard,
) -> Result<JobReport, ArenaJobError> {
    let TuneHeader { head, parameters, pairs, iteration: first, iterations } =
        shard.header.parse_fields_as()?;
    if pairs > MAX_PAIRS_PER_PROBE {
        return Err(ArenaJobError::new("the header is not from a tuning generation"));
    }
    let parameters = with_grids(parameters);
    parameters.iter().try_for_each(TunedParameter::validate).map_err(ArenaJobError)?;
    let before = Spsa { seed: head.seed, iterations, parameters };
    let mut after = before.clone();
    let counts = apply_probes(&mut after, (first, pairs), shard)?;
    let last = first.saturating_add(shard.header.units) - 1;
    let (left, game, played) = (iterations.saturating_sub(last), head.game, counts.pairs());
    let both = before.parameters.into_iter().zip(after.parameters);
    let parameters =
        both.map(|(TunedParameter { name, value: before, .. }, TunedParameter { value: after, .. })| {
            MovedParameter { name, before, after }
        });
    let moves =
        TuningReport { from: first, to: last, left, pairs: counts.0, parameters: parameters.collect() };
    let mut words =
        vec![format!("{game}: iterations {first} to {last}, {left} to go; {played} pairs of games\n")];
    words.extend(
        moves
            .parameters
            .iter()
            .map(|MovedParameter { name, before, after }| format!("{name} {before:.3} -> {after:.3}\n")),
    );
    Ok(JobReport { words: words.concat(), json: jobs::to_json_fields(&moves), fault: None })
}
