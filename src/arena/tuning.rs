//! Tuning by self-play: an engine plays pairs of games against itself, its constants moved to both sides of where they are.
//! A unit is one such probe; a job is one generation of probes from the same values, which makes the next one. Knows
//! sessions and levels, no particular game.

use std::fmt::Display;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};

use crate::ai::{EngineSpec, Level, SpecError, Tuning};
use crate::arena::jobs::shard::{MAX_UNITS, Shard};
use crate::arena::jobs::{
    JobError, Kind, Members, NextError, Report, UnitsError, WorkError, Worker, limits_in_json,
    settings_in_json,
};
use crate::arena::matches::{
    Contestant, ContestantError, Openings, PairPlayer, Plan, Player, Programs, pairs,
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

/// The probes of some iterations of a tuning, all from the same values.
#[derive(Clone, Debug)]
pub(crate) struct Generation {
    /// The game, the openings and the limits; in each probe its two engines have the constants of that.
    pub plan: Plan,
    /// The engine without the constants that are tuned.
    spec: EngineSpec,
    /// The constants, and how many iterations there are.
    pub spsa: Spsa,
    /// Pairs of games of a probe.
    pub pairs: u32,
    /// The first iteration, from 1 on.
    pub iteration: u32,
    /// How many there are.
    pub units: u32,
}

/// What every probe must have, so that all machines play the same games.
pub(crate) const NEEDS: &str =
    "tuning needs a limit of nodes or depth, no time limit, and one thread per engine";

/// What is said about an engine that cannot be tuned.
fn refused(spec: &str, why: impl Display) -> JobError {
    JobError(format!("engine {:?}: {why}", Refusal::shown(spec)))
}

impl Generation {
    /// The first generation of a tuning without constants, by the game's own openings unless others are given; see
    /// [`EngineSpec`] and [`Plan::new`].
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
            Player::Level(spec) if spec.level == Level::Net => spec.clone(),
            _ => return Err(refused(text, "only net and net:FILE have tunable constants")),
        };
        let plan = Plan::between(entry, variant, vec![plus, minus], openings).map_err(JobError::new)?;
        let spsa = Spsa { seed: 1, iterations: 1, parameters: Vec::new() };
        Ok(Generation { plan, spec, spsa, pairs: 1, iteration: 1, units: 1 })
    }

    /// Whether it can be played at all.
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
        self.played(&self.spsa.probe(*iteration)).map_err(|why| refused(&self.spec.to_string(), why))?;
        self.plan.check().map_err(JobError::new)
    }

    /// Reports whether all machines play the same games.
    pub(crate) fn is_deterministic(&self) -> bool {
        self.plan.is_deterministic() && self.spec.resources.thread_count() == 1
    }

    /// What is played in a probe: the engine on one side of its constants against the same on the other.
    fn played(&self, probe: &Probe) -> Result<[EngineSpec; 2], SpecError> {
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
        let specs = self.played(probe).map_err(|why| failed(why.to_string()))?;
        for (engine, spec) in plan.engines.iter_mut().zip(specs) {
            engine.player = Player::Level(spec);
        }
        let mut player = PairPlayer::new(&plan, plan.none_has_answered(), Programs::Restarted);
        let mut counts = PairCounts::default();
        for number in 0..u64::from(self.pairs) {
            let pair = player.pair(number, stop).map_err(|error| failed(error.to_string()))?;
            let Some(games) = pair else { return Ok(None) };
            if let Some((_, forfeit)) = games.iter().find_map(|game| game.forfeit.as_ref()) {
                return Err(failed(format!("{} ({})", forfeit.said, forfeit.reason.name())));
            }
            let halves: u8 = games.iter().zip(Side::BOTH).map(|(game, own)| game.halves(own)).sum();
            counts.0[usize::from(halves)] += 1;
        }
        Ok(Some(counts))
    }

    /// The job of these probes, as it stands in its file. [`Job::read`](crate::arena::jobs::Job::read) refuses it where the
    /// generation has what a job cannot have, such as no constants.
    ///
    /// # Panics
    /// Never: it is an object.
    #[must_use]
    pub(crate) fn job(&self) -> String {
        let mut job = json!({
            "crosspath": "job", "schema": 1, "kind": "tune", "seed": self.spsa.seed.to_string(), "units": self.units,
        });
        job.as_object_mut().expect("it is an object").extend(self.members(self.plan.openings.in_json()));
        format!("{job}\n")
    }

    /// What jobs and the headers of shards say about it.
    fn members(&self, openings: Value) -> Map<String, Value> {
        let Plan { entry, variant, limits, max_plies, .. } = &self.plan;
        let chosen = entry.choose(variant).expect("the plan has opened this board before");
        let mut members = Map::new();
        let mut set = |key: &str, value: Value| members.insert(key.to_owned(), value);
        set("game", entry.name.into());
        set("settings", settings_in_json(&chosen.written()).into());
        set("engine", self.spec.to_string().into());
        set("limits", limits_in_json(*limits));
        set("openings", openings);
        set("max_plies", (*max_plies).into());
        set("parameters", self.spsa.parameters.iter().map(Parameter::in_json).collect());
        set("pairs", self.pairs.into());
        set("iteration", self.iteration.into());
        set("iterations", self.spsa.iterations.into());
        members
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
    /// Reads a constant of a job: `{"name":"prior","value":1.5,"min":0.5,"max":4,"c_end":0.1,"r_end":0.02}`.
    fn read(mut members: Members) -> Result<Self, JobError> {
        let name = members.text("name")?;
        let mut number = |key| members.real(key);
        let (value, min, max) = (number("value")?, number("min")?, number("max")?);
        let (c_end, r_end) = (number("c_end")?, number("r_end")?);
        members.end("a parameter")?;
        let grid = Tuning::grid(&name);
        Ok(Parameter { name, value, min, max, c_end, r_end, grid })
    }

    fn in_json(&self) -> Value {
        let Parameter { name, value, min, max, c_end, r_end, .. } = self;
        json!({"name": name, "value": value, "min": min, "max": max, "c_end": c_end, "r_end": r_end})
    }

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

/// Takes the constants of a job.
fn parameters(members: &Members, list: Option<Value>) -> Result<Vec<Parameter>, JobError> {
    let wrong = || {
        JobError::new(
            "parameters must be a list of objects such as {\"name\":\"exploration\",\"value\":1,\"min\":0.2,\"max\":4,\"c_end\":0.1,\"r_end\":0.02}",
        )
    };
    let Some(Value::Array(list)) = list else { return Err(wrong()) };
    let parameter = |(value, number): (Value, usize)| match value {
        Value::Object(object) => Parameter::read(members.within(object))
            .map_err(|JobError(why)| JobError(format!("parameter {number}: {why}"))),
        _ => Err(wrong()),
    };
    list.into_iter().zip(1..).map(parameter).collect()
}

/// Reads the members of a job of this kind.
pub(super) fn read(members: &mut Members) -> Result<Box<dyn Kind>, JobError> {
    let (entry, variant) = members.board()?;
    let openings = pairs::openings(members, entry, &variant)?;
    let mut generation = Generation::new(entry, &variant, &members.text("engine")?, openings)?;
    generation.plan.limits = members.limits()?;
    generation.plan.max_plies = pairs::max_plies(members, generation.plan.max_plies)?;
    let list = members.take("parameters");
    let parameters = parameters(members, list)?;
    let mut whole = |key| {
        let number = members.number(key)?.and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| JobError(format!("the member {key} is missing or too large")))
    };
    let (pairs, iteration, iterations) = (whole("pairs")?, whole("iteration")?, whole("iterations")?);
    let (seed, units) = (members.seed, members.units);
    let spsa = Spsa { seed, iterations, parameters };
    let generation = Generation { spsa, pairs, iteration, units, ..generation };
    generation.check()?;
    Ok(Box::new(generation))
}

impl Kind for Generation {
    fn header(&self) -> Map<String, Value> {
        let mut header = Map::new();
        header.insert("deterministic".to_owned(), true.into());
        header.insert("seed".to_owned(), self.spsa.seed.to_string().into());
        // A list may be long, and the hash of the job tells it from others.
        header.extend(self.members(self.plan.openings.spec().into()));
        header
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, WorkError> {
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

impl Worker for Prober<'_> {
    fn unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, WorkError> {
        let iteration = self.0.iteration + unit;
        let probe = self.0.spsa.probe(iteration);
        let counts = self.0.play(unit, &probe, stop)?.unwrap_or_default();
        Ok(line(unit, iteration, &probe, &counts).to_string().into_bytes())
    }
}

/// What came of a probe, as a line says it.
fn line(unit: u32, iteration: u32, probe: &Probe, counts: &PairCounts) -> Value {
    let Probe { signs, plus, minus } = probe;
    let (pairs, result) = (counts.0, result(counts));
    json!({"unit": unit, "iteration": iteration, "signs": signs, "plus": plus, "minus": minus, "pairs": pairs, "result": result})
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

/// Moves the constants by the probes that are there, from this iteration on, of so many pairs each; gives all pairs.
fn moved(spsa: &mut Spsa, (first, pairs): (u32, u32), shard: &Shard) -> Result<PairCounts, UnitsError> {
    let (from, mut all) = (spsa.clone(), PairCounts::default());
    for (unit, body) in shard.units() {
        let iteration = first.saturating_add(unit);
        let read = || {
            let found: Value = serde_json::from_slice(body).ok()?;
            let list: Vec<u64> =
                found["pairs"].as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?;
            let counts = PairCounts(list.try_into().ok()?);
            let sum = counts.0.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
            let is_whole = sum == Some(pairs.into());
            (is_whole && found == line(unit, iteration, &from.probe(iteration), &counts)).then_some(counts)
        };
        let counts = read().ok_or_else(|| UnitsError(format!("unit {unit} is not from this generation")))?;
        spsa.update(iteration, i32::try_from(result(&counts)).expect("a probe has far fewer games"));
        for (sum, count) in all.0.iter_mut().zip(counts.0) {
            *sum += count;
        }
    }
    Ok(all)
}

/// Tells where the probes that are done move the constants.
pub(super) fn report(games: &'static [Entry], shard: &Shard) -> Result<Report, UnitsError> {
    let header = &shard.header;
    let number = |key: &str| header.get(key).as_u64().and_then(|number| u32::try_from(number).ok());
    let is_few = |pairs: &u32| *pairs <= MAX_PAIRS;
    let (Some(pairs), Some(first), Some(iterations), Ok(seed)) = (
        number("pairs").filter(is_few),
        number("iteration"),
        number("iterations"),
        header.text("seed").parse(),
    ) else {
        return Err(UnitsError("the header is not from a tuning generation".to_owned()));
    };
    let parameters = parameters(&Members::of(games, Map::new()), Some(header.get("parameters").clone()))
        .map_err(|JobError(why)| UnitsError(why))?;
    parameters.iter().try_for_each(Parameter::check).map_err(UnitsError)?;
    let before = Spsa { seed, iterations, parameters };
    let mut after = before.clone();
    let counts = moved(&mut after, (first, pairs), shard)?;
    let last = first.saturating_add(header.units) - 1;
    let (left, games, played) = (iterations.saturating_sub(last), header.text("game"), counts.pairs());
    let mut lines =
        vec![format!("{games}: iterations {first} to {last}, {left} to go; {played} pairs of games\n")];
    let mut values = Vec::new();
    for (Parameter { name, value: before, .. }, Parameter { value: after, .. }) in
        before.parameters.iter().zip(&after.parameters)
    {
        lines.push(format!("{name} {before:.3} -> {after:.3}\n"));
        values.push(json!({"name": name, "before": before, "after": after}));
    }
    let json = json!({"from": first, "to": last, "left": left, "pairs": counts.0, "parameters": values});
    let Value::Object(json) = json else { unreachable!("it is an object") };
    Ok(Report { words: lines.concat(), json, fault: None })
}
