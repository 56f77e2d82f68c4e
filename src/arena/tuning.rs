//! Tuning by self-play: an engine plays pairs of games against itself, its constants moved to both sides of where they are.
//! A unit is one such probe; a job is one generation of probes from the same values, which makes the next one. Knows
//! sessions and levels, no particular game.

use std::fmt::Display;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ai::{EngineKind, EngineSpec, SpecError, Tuning};
use crate::arena::jobs::shard::{MAX_UNITS, Shard};
use crate::arena::jobs::{
    self, JobError, JobHead, JobKind, JobReport, LimitFields, NameOrList, NextError, UnitWorker, WorkError,
};
use crate::arena::matches::{
    Contestant, ContestantEngine, ContestantError, MatchPlan, Openings, PairPlayer, Programs, pairs,
};
use crate::arena::stats::PairCounts;
use crate::arena::stats::spsa::{Parameter, Probe, Spsa};
use crate::game::{Refusal, Side};
use crate::random::mix;
use crate::registry::{Entry, Variant};
use crate::session::Position;

/// The most pairs of games of a probe.
pub(crate) const MAX_PAIRS: u32 = 10_000;
/// The largest constant.
const MAX_VALUE: f64 = 100.0;

/// A job of this kind.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TuneJob {
    #[serde(flatten)]
    head: JobHead,
    engine: String,
    limits: Option<LimitFields>,
    openings: Option<NameOrList>,
    max_plies: Option<usize>,
    parameters: Vec<Parameter>,
    pairs: u32,
    iteration: u32,
    iterations: u32,
}

/// The header of a shard, as far as a report needs it.
#[derive(Deserialize)]
struct TuneHeader {
    #[serde(flatten)]
    head: JobHead,
    parameters: Vec<Parameter>,
    pairs: u32,
    iteration: u32,
    iterations: u32,
}

/// Returns constants of a file with what their names tell about them.
fn on_grid(mut parameters: Vec<Parameter>) -> Vec<Parameter> {
    for parameter in &mut parameters {
        parameter.grid = Tuning::grid(&parameter.name);
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
    probe: Probe,
    pairs: PairCounts,
    result: i64,
}

/// The report on a generation: where its probes move the constants.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Moves {
    from: u32,
    /// The last iteration.
    pub to: u32,
    left: u32,
    /// The pairs by the points of the constants that were moved up.
    pub pairs: [u64; 5],
    /// The constants.
    pub parameters: Vec<MovedParameter>,
}

/// A constant before and after a generation.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MovedParameter {
    /// Its name.
    pub name: String,
    /// Its value before.
    pub before: f64,
    /// Its value after.
    pub after: f64,
}

/// The probes of some iterations of a tuning, all from the same values.
#[derive(Clone, Debug)]
pub(crate) struct Generation {
    /// The game, the openings and the limits; in each probe its two engines have the constants of that.
    pub plan: MatchPlan,
    /// The engine without the constants that are tuned.
    spec: EngineSpec,
    /// The constants, and how many iterations there are.
    pub spsa: Spsa,
    /// Pairs of games of a probe.
    pub pairs: u32,
    /// The first iteration, from 1 on.
    pub iteration: u32,
    /// Number of iterations.
    pub units: u32,
}

/// Requirements of every probe, so that all machines play the same games.
pub(crate) const NEEDS: &str =
    "tuning needs a limit of nodes or depth, no time limit, and one thread per engine";

/// Returns the error for an engine that cannot be tuned.
fn refused(spec: &str, why: impl Display) -> JobError {
    JobError(format!("engine {:?}: {why}", Refusal::shown(spec)))
}

impl Generation {
    /// The first generation of a tuning without constants, by the game's own openings unless others are given; see
    /// [`EngineSpec`] and [`MatchPlan::new`].
    ///
    /// # Errors
    /// Says which part is wrong.
    pub(crate) fn new(
        entry: &'static Entry,
        variant: &Variant,
        text: &str,
        openings: Option<Openings>,
    ) -> Result<Self, JobError> {
        if entry.tunable().is_empty() {
            return Err(JobError(format!("the engines of {} have no tunable constants", entry.name)));
        }
        let start = entry.start(variant).map_err(JobError::new)?;
        let [plus, minus] = ["plus", "minus"].map(|name| engine(name, text, &*start));
        let (plus, minus) = (plus?, minus?);
        let spec = match &plus.player {
            ContestantEngine::Level(spec) if spec.level == EngineKind::Net => spec.clone(),
            _ => return Err(refused(text, "only net and net:FILE have tunable constants")),
        };
        let plan = MatchPlan::between(entry, variant, vec![plus, minus], openings).map_err(JobError::new)?;
        let spsa = Spsa { seed: 1, iterations: 1, parameters: Vec::new() };
        Ok(Generation { plan, spec, spsa, pairs: 1, iteration: 1, units: 1 })
    }

    /// Reports whether it can be played at all.
    ///
    /// # Errors
    /// Says which part of it is impossible.
    fn check(&self) -> Result<(), JobError> {
        let Generation { spsa: Spsa { iterations, parameters, .. }, pairs, iteration, units, .. } = self;
        if !(1..=MAX_UNITS).contains(iterations) {
            return Err(JobError(format!("iterations must be a number from 1 to {MAX_UNITS}")));
        }
        if !(1..=*iterations).contains(iteration) || iterations - iteration + 1 < *units {
            return Err(JobError(format!(
                "there are {units} units from iteration {iteration}, but iterations are 1 to {iterations}"
            )));
        }
        if !(1..=MAX_PAIRS).contains(pairs) {
            return Err(JobError(format!("pairs (of games per unit) must be 1 to {MAX_PAIRS}")));
        }
        if !self.is_deterministic() {
            return Err(JobError(format!("{NEEDS}, such as \"limits\":{{\"nodes\":100}}")));
        }
        let known = self.plan.entry.tunable();
        if parameters.is_empty() {
            return Err(JobError(format!("no parameters are given; this engine has {}", known.join(", "))));
        }
        for (i, parameter) in parameters.iter().enumerate() {
            let name = Refusal::shown(&parameter.name);
            let wrong = |why: String| JobError(format!("parameter {name}: {why}"));
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
            parameter.check().map_err(wrong)?;
        }
        self.contestants_of(&self.spsa.probe(*iteration))
            .map_err(|why| refused(&self.spec.to_string(), why))?;
        self.plan.check().map_err(JobError::new)
    }

    /// Reports whether all machines play the same games.
    pub(crate) fn is_deterministic(&self) -> bool {
        self.plan.is_deterministic() && self.spec.resources.thread_count() == 1
    }

    /// Returns the opponents in a probe: the engine on one side of its constants, and on the other.
    fn contestants_of(&self, probe: &Probe) -> Result<[EngineSpec; 2], SpecError> {
        let side = |values: &[f64]| {
            let mut all = self.spsa.parameters.iter().zip(values);
            all.try_fold(self.spec.clone(), |spec, (parameter, value)| {
                spec.with_constant(&parameter.name, *value)
            })
        };
        Ok([side(&probe.plus)?, side(&probe.minus)?])
    }

    /// Plays the games of a probe: the pairs by the points of `plus`; `None` if it was stopped.
    fn play(&self, unit: u32, probe: &Probe, stop: &AtomicBool) -> Result<Option<PairCounts>, WorkError> {
        let failed = |why: String| WorkError::Failed(format!("unit {unit}: {why}"));
        let mut plan = self.plan.clone();
        plan.seed = mix(self.spsa.seed, u64::from(self.iteration + unit));
        let specs = self.contestants_of(probe).map_err(|why| failed(why.to_string()))?;
        for (engine, spec) in plan.engines.iter_mut().zip(specs) {
            engine.player = ContestantEngine::Level(spec);
        }
        let mut player = PairPlayer::new(&plan, plan.none_has_answered(), Programs::Restarted);
        let mut counts = PairCounts::default();
        for number in 0..u64::from(self.pairs) {
            let pair = player.pair(number, stop).map_err(|error| failed(error.to_string()))?;
            let Some(games) = pair else { return Ok(None) };
            if let Some(forfeit) = games.iter().find_map(|game| game.fault.as_ref()) {
                return Err(failed(format!("{} ({})", forfeit.said, forfeit.reason.name())));
            }
            let halves: u8 = games.iter().zip(Side::BOTH).map(|(game, own)| game.halves(own)).sum();
            counts.0[usize::from(halves)] += 1;
        }
        Ok(Some(counts))
    }

    /// The job of these probes, as it stands in its file. [`ArenaJob::read`](crate::arena::jobs::ArenaJob::read) refuses it where the
    /// generation has what a job cannot have, such as no constants.
    #[must_use]
    pub(crate) fn job(&self) -> String {
        jobs::json(&self.job_with(self.plan.openings.fields())) + "\n"
    }

    /// Returns the job with the openings in this form.
    fn job_with(&self, openings: NameOrList) -> TuneJob {
        let MatchPlan { entry, variant, limits, max_plies, .. } = &self.plan;
        TuneJob {
            head: JobHead::new("tune", self.spsa.seed, self.units, (entry, variant)),
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

fn engine(name: &str, spec: &str, start: &dyn Position) -> Result<Contestant, JobError> {
    Contestant::new(name, spec, start).map_err(|why| match why {
        ContestantError::Unreadable(_) => {
            refused(spec, format!("{why}; net also takes {}", Tuning::KEYS.join(", ")))
        }
        why => refused(spec, why),
    })
}

impl Parameter {
    /// Says what is wrong with it.
    fn check(&self) -> Result<(), String> {
        let Parameter { value, min, max, c_end, r_end, grid, .. } = *self;
        let grid = f64::from(grid);
        let is_on_grid = |value: f64| ((value * grid).round() / grid - value).abs() < 1e-12;
        if !(0.0..=MAX_VALUE).contains(&min) || max > MAX_VALUE || min >= max {
            return Err(format!("min and max must be two increasing numbers from 0 to {MAX_VALUE}"));
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

/// Reads a job of this kind.
pub(super) fn read(games: &'static [Entry], text: &[u8]) -> Result<Box<dyn JobKind>, JobError> {
    let job: TuneJob = jobs::read(text)?;
    let (entry, variant) = job.head.board(games)?;
    let openings =
        job.openings.map(|openings| Openings::of_fields(&openings, entry, &variant)).transpose()?;
    let mut generation = Generation::new(entry, &variant, &job.engine, openings)?;
    generation.plan.limits = job.limits.unwrap_or_default().into();
    generation.plan.max_plies =
        jobs::within("max_plies", job.max_plies, generation.plan.max_plies, 1..=pairs::MAX_PLIES)?;
    let TuneJob { head: JobHead { seed, units, .. }, pairs, iteration, iterations, .. } = job;
    let spsa = Spsa { seed, iterations, parameters: on_grid(job.parameters) };
    let generation = Generation { spsa, pairs, iteration, units, ..generation };
    generation.check()?;
    Ok(Box::new(generation))
}

impl JobKind for Generation {
    fn header(&self) -> Map<String, Value> {
        // A list may be long, and the hash of the job tells it from others.
        jobs::header(true, &self.job_with(NameOrList::Name(self.plan.openings.spec())))
    }

    fn worker(&self) -> Result<Box<dyn UnitWorker + '_>, WorkError> {
        Ok(Box::new(Prober(self)))
    }

    fn next(&self, done: &Shard) -> Result<Option<String>, NextError> {
        if !done.is_complete() || done.header.count > 1 {
            return Err(NextError::Missing(done.units().count(), self.units));
        }
        let mut next = self.clone();
        moved(&mut next.spsa, (self.iteration, self.pairs), done)?;
        next.iteration += self.units;
        next.units = self.units.min((self.spsa.iterations + 1).saturating_sub(next.iteration));
        Ok((next.units > 0).then(|| next.job()))
    }
}

/// Plays the probes of a generation.
struct Prober<'a>(&'a Generation);

impl UnitWorker for Prober<'_> {
    fn unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, WorkError> {
        let iteration = self.0.iteration + unit;
        let probe = self.0.spsa.probe(iteration);
        let pairs = self.0.play(unit, &probe, stop)?.unwrap_or_default();
        Ok(jobs::json(&ProbeLine { unit, iteration, probe, pairs, result: result(&pairs) }).into_bytes())
    }
}

/// The games won less those lost: draws, and a game each, come to nothing.
fn result(counts: &PairCounts) -> i64 {
    counts
        .0
        .iter()
        .zip(-2..)
        .map(|(&count, result)| i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(result))
        .fold(0, i64::saturating_add)
}

/// Moves the constants by the probes in the shard, the first of iteration `first`, of `pairs` pairs each; returns all
/// pairs.
fn moved(spsa: &mut Spsa, (first, pairs): (u32, u32), shard: &Shard) -> Result<PairCounts, JobError> {
    let (from, mut all) = (spsa.clone(), PairCounts::default());
    for (unit, body) in shard.units() {
        let iteration = first.saturating_add(unit);
        let read = || {
            let found: ProbeLine = serde_json::from_slice(body).ok()?;
            let (played, probe) = (found.pairs, from.probe(iteration));
            let sum = played.0.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
            let wanted = ProbeLine { unit, iteration, probe, pairs: played, result: result(&played) };
            (sum == Some(pairs.into()) && found == wanted).then_some(played)
        };
        let counts = read().ok_or_else(|| JobError(format!("unit {unit} is not from this generation")))?;
        spsa.update(iteration, i32::try_from(result(&counts)).expect("a probe has far fewer games"));
        for (sum, count) in all.0.iter_mut().zip(counts.0) {
            *sum += count;
        }
    }
    Ok(all)
}

/// Tells where the probes that are done move the constants.
pub(super) fn report(_: &'static [Entry], shard: &Shard) -> Result<JobReport, JobError> {
    let TuneHeader { head, parameters, pairs, iteration: first, iterations } = shard.header.read_as()?;
    if pairs > MAX_PAIRS {
        return Err(JobError::new("the header is not from a tuning generation"));
    }
    let parameters = on_grid(parameters);
    parameters.iter().try_for_each(Parameter::check).map_err(JobError)?;
    let before = Spsa { seed: head.seed, iterations, parameters };
    let mut after = before.clone();
    let counts = moved(&mut after, (first, pairs), shard)?;
    let last = first.saturating_add(shard.header.units) - 1;
    let (left, game, played) = (iterations.saturating_sub(last), head.game, counts.pairs());
    let both = before.parameters.into_iter().zip(after.parameters);
    let parameters = both.map(|(Parameter { name, value: before, .. }, Parameter { value: after, .. })| {
        MovedParameter { name, before, after }
    });
    let moves = Moves { from: first, to: last, left, pairs: counts.0, parameters: parameters.collect() };
    let mut words =
        vec![format!("{game}: iterations {first} to {last}, {left} to go; {played} pairs of games\n")];
    words.extend(
        moves
            .parameters
            .iter()
            .map(|MovedParameter { name, before, after }| format!("{name} {before:.3} -> {after:.3}\n")),
    );
    Ok(JobReport { words: words.concat(), json: jobs::fields(&moves), fault: None })
}
