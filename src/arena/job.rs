//! A job: a file that says what is to be done, cut into numbered units. Knows the kinds of jobs by their names; what a
//! unit is, each kind says itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::ai::Limits;
use crate::arena::hash::fnv1a;
use crate::arena::shard::{self, Header, MAX_UNITS, RecordLayout, Shard, block};
use crate::arena::{pairs, selfplay, solving, tuning};
use crate::game::Refusal;
use crate::registry::{self, Entry, Variant};

/// The longest job, in bytes.
pub(crate) const MAX_BYTES: u64 = 64 << 20;
/// The version of the form of jobs.
const SCHEMA: u64 = 1;

/// Why a job cannot be done, ever.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

impl JobError {
    pub(super) fn new(why: impl Display) -> Self {
        JobError(why.to_string())
    }
}

/// Why a unit was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// It would not be done another time either.
    #[error("{0}")]
    Failed(String),
    /// It may be done another time or elsewhere.
    #[error("{0}")]
    Retry(String),
}

/// One of the kinds of jobs.
#[derive(Clone, Copy, Debug)]
pub struct KindSpec {
    /// Its name in jobs and shards.
    pub name: &'static str,
    /// Reads the members of a job that are its own.
    pub read: fn(&mut Members) -> Result<Box<dyn Kind>, JobError>,
    /// Tells about units that are done.
    pub report: fn(&'static [Entry], &Shard) -> Result<Report, String>,
}

/// Every kind of job.
pub const KINDS: &[KindSpec] = &[
    KindSpec { name: "selfplay", read: selfplay::read, report: selfplay::report },
    KindSpec { name: "solve", read: solving::read, report: solving::report },
    KindSpec { name: "arena", read: pairs::read, report: pairs::report },
    KindSpec { name: "tune", read: tuning::read, report: tuning::report },
];

/// The kind of this name.
///
/// # Errors
/// Names the kinds there are.
pub fn kind(name: &str) -> Result<&'static KindSpec, JobError> {
    KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        JobError(format!("there is no job kind {:?}; kinds are {}", Refusal::shown(name), names.join(", ")))
    })
}

/// What is told about units that are done.
#[derive(Clone, Debug)]
pub struct Report {
    /// In lines.
    pub words: String,
    /// The same as an object.
    pub json: Map<String, Value>,
    /// What is wrong although all is done, such as forfeits: the exit code is 1 then.
    pub fault: Option<String>,
}

/// What is to be done, as one kind of job has it. The content of a unit depends on the job and its number alone.
pub trait Kind: Debug + Sync {
    /// How its units are kept apart in a shard.
    fn layout(&self) -> RecordLayout;
    /// What stands in the header of a shard beside what all have. `deterministic` is among it.
    fn header(&self) -> Map<String, Value>;
    /// Somebody who does units one after the other.
    ///
    /// # Errors
    /// If that is not possible here and now.
    fn worker(&self) -> Result<Box<dyn Worker + '_>, WorkError>;
    /// The bodies of all these units.
    ///
    /// # Errors
    /// The first one that a worker meets.
    fn run(&self, units: Range<u32>, threads: usize) -> Result<Vec<Vec<u8>>, WorkError> {
        on_threads(&|| self.worker(), units, threads)
    }
    /// Whether it talks on the standard streams while it works, so that no shard can go there.
    fn takes_streams(&self) -> bool {
        false
    }
    /// The job that goes on where this one ends, made of all its units; `None` if nothing is left to do.
    ///
    /// # Errors
    /// If such a job has no next one, or the units are not its own.
    fn next(&self, _: &Shard) -> Result<Option<String>, String> {
        Err("only a job of kind tune has a next generation".to_owned())
    }
    /// A program that it starts, and who names it so; a job of others may name any.
    fn program(&self) -> Option<String> {
        None
    }
}

/// Does units.
pub trait Worker {
    /// Does one unit and appends its body: a line without its end, or the bytes of a frame with the number in front.
    ///
    /// # Errors
    /// If it cannot be done.
    fn unit(&mut self, unit: u32, body: &mut Vec<u8>) -> Result<(), WorkError>;
}

/// Who makes a worker for each thread.
pub(crate) type NewWorker<'a> = dyn Fn() -> Result<Box<dyn Worker + 'a>, WorkError> + Sync + 'a;

/// The bodies of units, in whatever order they come; together not longer than a shard may be.
#[derive(Debug)]
pub(super) struct Bodies {
    first: u32,
    /// The bodies of the first units, and those behind a gap.
    done: Vec<Vec<u8>>,
    early: BTreeMap<u32, Vec<u8>>,
    bytes: u64,
}

impl Bodies {
    /// None yet; `first` is the first unit.
    pub(super) fn from(first: u32) -> Self {
        Bodies { first, done: Vec::new(), early: BTreeMap::new(), bytes: 0 }
    }

    /// Adds one.
    ///
    /// # Errors
    /// If they are longer than a shard may be.
    pub(super) fn add(&mut self, unit: u32, body: Vec<u8>) -> Result<(), WorkError> {
        self.bytes += body.len() as u64;
        if self.bytes > shard::MAX_BYTES {
            let most = shard::MAX_BYTES >> 20;
            return Err(WorkError::Failed(format!(
                "the shard is longer than {most} MiB; split the job into more parts"
            )));
        }
        self.early.insert(unit, body);
        let next = |done: &Vec<Vec<u8>>| self.first + u32::try_from(done.len()).expect("units have numbers");
        while let Some(body) = self.early.remove(&next(&self.done)) {
            self.done.push(body);
        }
        Ok(())
    }

    /// All of them, in order.
    pub(super) fn all(self) -> Vec<Vec<u8>> {
        debug_assert!(self.early.is_empty(), "units are missing");
        self.done
    }
}

/// Shares units among threads; who does which one changes nothing.
pub(super) fn on_threads(
    worker: &NewWorker<'_>,
    units: Range<u32>,
    threads: usize,
) -> Result<Vec<Vec<u8>>, WorkError> {
    let (next, stop) = (AtomicU32::new(units.start), AtomicBool::new(false));
    let mut bodies = Bodies::from(units.start);
    thread::scope(|scope| {
        let (finished, queue) = mpsc::channel();
        for _ in 0..threads.clamp(1, units.len().max(1)) {
            let (finished, next, stop, end) = (finished.clone(), &next, &stop, units.end);
            scope.spawn(move || {
                let mut own = match worker() {
                    Ok(own) => own,
                    Err(error) => return finished.send(Err(error)).unwrap_or_default(),
                };
                while !stop.load(Ordering::Relaxed) {
                    let unit = next.fetch_add(1, Ordering::Relaxed);
                    let mut body = Vec::new();
                    if unit >= end {
                        break;
                    }
                    let done = own.unit(unit, &mut body).map(|()| (unit, body));
                    if finished.send(done).is_err() {
                        break;
                    }
                }
            });
        }
        drop(finished);
        for done in queue {
            let added = done.and_then(|(unit, body)| bodies.add(unit, body));
            added.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
        }
        Ok(bodies.all())
    })
}

/// A job that can be done.
#[derive(Debug)]
pub struct Job {
    /// Its hash: that of the bytes of its file.
    pub hash: u64,
    /// How many units it has.
    pub units: u32,
    /// The name of its kind.
    pub kind: &'static str,
    /// What is to be done.
    pub work: Box<dyn Kind>,
}

impl Job {
    /// Reads the file of a job for these games.
    ///
    /// # Errors
    /// Says what is wrong with it and what would be right.
    pub fn read(games: &'static [Entry], bytes: &[u8]) -> Result<Self, JobError> {
        let members: Map<String, Value> =
            serde_json::from_slice(bytes).map_err(|error| JobError(format!("not a JSON object: {error}")))?;
        if let Some(name) = given_twice(bytes) {
            let name = Refusal::shown(&name);
            return Err(JobError(format!("the member {name:?} is given twice; remove one of the two")));
        }
        let mut members = Members { games, seed: 0, units: 0, left: members };
        if members.text("crosspath")? != "job" {
            return Err(JobError::new("the member crosspath is not \"job\""));
        }
        let schema = members.number("schema")?;
        if schema != Some(SCHEMA) {
            let got = schema.map_or("none".to_owned(), |schema| schema.to_string());
            return Err(JobError(format!("the schema is {got}; this version reads schema {SCHEMA}")));
        }
        let kind = kind(&members.text("kind")?)?;
        let given = members.text("seed")?;
        members.seed = given
            .parse()
            .map_err(|_| JobError(format!("the seed {given:?} is not a whole number, such as \"42\"")))?;
        let units = members.number("units")?.and_then(|units| u32::try_from(units).ok());
        members.units = units
            .filter(|units| (1..=MAX_UNITS).contains(units))
            .ok_or_else(|| JobError(format!("units must be a number from 1 to {MAX_UNITS}")))?;
        let work = (kind.read)(&mut members)?;
        members.end(&format!("a job of kind {}", kind.name))?;
        Ok(Job { hash: fnv1a(bytes), units: members.units, kind: kind.name, work })
    }

    /// The header of one of its shards.
    #[must_use]
    pub fn header(&self, index: u32, count: u32) -> Header {
        let of_block = (index, count, self.units);
        Header::new((self.hash, self.kind), self.work.layout(), of_block, &self.work.header())
    }

    /// Does one block of the units. Neither threads nor blocks change what is done in a unit.
    ///
    /// # Errors
    /// If one of them cannot be done.
    pub fn shard(&self, index: u32, count: u32, threads: usize) -> Result<Shard, WorkError> {
        let bodies = self.work.run(block(index, count, self.units), threads)?;
        Ok(self.shard_of(index, count, &bodies))
    }

    /// All units, each done by one of these workers.
    ///
    /// # Errors
    /// The first one that a worker meets.
    pub fn whole(&self, worker: &NewWorker<'_>, threads: usize) -> Result<Shard, WorkError> {
        Ok(self.shard_of(0, 1, &on_threads(worker, 0..self.units, threads)?))
    }

    /// A block of units with these bodies.
    #[must_use]
    pub fn shard_of(&self, index: u32, count: u32, bodies: &[Vec<u8>]) -> Shard {
        let units = block(index, count, self.units);
        Shard::new(self.header(index, count), units.zip(bodies.iter().map(Vec::as_slice)))
    }
}

/// The first member that an object in this JSON text has a second time: readers of JSON keep the last one without a word.
fn given_twice(text: &[u8]) -> Option<String> {
    // The names in each object that is open; a list has none.
    let mut open: Vec<BTreeSet<String>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => open.push(BTreeSet::new()),
            b'}' | b']' => drop(open.pop()),
            b'"' => {
                let begin = at - 1;
                while text.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                let behind = text.get(at..).unwrap_or_default();
                if behind.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':') {
                    let name: String = serde_json::from_slice(&text[begin..at]).ok()?;
                    if let Some(twice) = open.last_mut()?.replace(name) {
                        return Some(twice);
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// The members of a job that are not read yet.
#[derive(Debug)]
pub struct Members {
    /// The games there are.
    pub games: &'static [Entry],
    /// The random seed: the same seed, the same game.
    pub seed: u64,
    /// How many units the job has.
    pub units: u32,
    left: Map<String, Value>,
}

impl Members {
    /// The members of an object that is not in a job but in a shard.
    pub(super) fn of(games: &'static [Entry], left: Map<String, Value>) -> Self {
        Members { games, seed: 0, units: 0, left }
    }

    /// The members of an object within the job, such as one of its engines.
    #[must_use]
    pub fn within(&self, object: Map<String, Value>) -> Self {
        Members { left: object, ..*self }
    }

    /// Says that all that is known has been taken.
    ///
    /// # Errors
    /// If something is left; `what` has no such member.
    pub fn end(&self, what: &str) -> Result<(), JobError> {
        self.left
            .keys()
            .next()
            .map_or(Ok(()), |key| Err(JobError(format!("{what} has no member {:?}", Refusal::shown(key)))))
    }

    /// Takes a member out; `None` if it is missing or null.
    pub fn take(&mut self, key: &str) -> Option<Value> {
        self.left.shift_remove(key).filter(|value| !value.is_null())
    }

    /// Takes a text.
    ///
    /// # Errors
    /// If it is missing or something else.
    pub fn text(&mut self, key: &str) -> Result<String, JobError> {
        match self.take(key) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(JobError(format!("the member {key} must be a string"))),
            None => Err(JobError(format!("the member {key} is missing"))),
        }
    }

    /// Takes a number, if it is there.
    ///
    /// # Errors
    /// If it is something else.
    pub fn number(&mut self, key: &str) -> Result<Option<u64>, JobError> {
        let whole = |value: Value| {
            value.as_u64().ok_or_else(|| JobError(format!("the member {key} must be a whole number")))
        };
        self.take(key).map(whole).transpose()
    }

    /// Takes a number that need not be whole.
    ///
    /// # Errors
    /// If it is missing or something else.
    pub fn real(&mut self, key: &str) -> Result<f64, JobError> {
        let number = self.take(key).and_then(|value| value.as_f64());
        number.ok_or_else(|| JobError(format!("the member {key} must be a number")))
    }

    /// Takes what is true or false; false if it is missing.
    ///
    /// # Errors
    /// If it is something else.
    pub fn flag(&mut self, key: &str) -> Result<bool, JobError> {
        match self.take(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(JobError(format!("the member {key} must be true or false"))),
        }
    }

    /// Takes a list of strings, if it is there.
    ///
    /// # Errors
    /// If it is something else.
    pub fn texts(&mut self, key: &str) -> Result<Option<Vec<String>>, JobError> {
        let text = |value: Value| value.as_str().map(str::to_owned);
        let texts = match self.take(key) {
            None => return Ok(None),
            Some(Value::Array(list)) => list.into_iter().map(text).collect::<Option<Vec<_>>>(),
            Some(_) => None,
        };
        texts.map(Some).ok_or_else(|| JobError(format!("the member {key} must be a list of strings")))
    }

    /// Takes an object, empty if it is missing.
    fn object(&mut self, key: &str) -> Result<Map<String, Value>, JobError> {
        match self.take(key) {
            Some(Value::Object(object)) => Ok(object),
            None => Ok(Map::new()),
            Some(_) => Err(JobError(format!("the member {key} must be an object"))),
        }
    }

    /// Takes the game and the settings of its board: `"game":"hex","settings":{"size":11,"swap":true}`.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn board(&mut self) -> Result<(&'static Entry, Variant), JobError> {
        let entry = registry::find_in(self.games, &self.text("game")?).map_err(JobError::new)?;
        let mut variant = Variant::default();
        for (key, value) in self.object("settings")? {
            if !set_from_json(&mut variant, &key, &value) {
                return Err(JobError(format!(
                    "the setting {:?} must be a string, a number, true or false",
                    Refusal::shown(&key)
                )));
            }
        }
        entry.choose(&variant).map_err(JobError::new)?;
        Ok((entry, variant))
    }

    /// Takes the limits of searches: `"limits":{"nodes":1000}`; the keys are nodes, depth, `movetime_ms` and
    /// `cpu_time_ms`.
    ///
    /// # Errors
    /// If there is another key or a value is no number.
    pub fn limits(&mut self) -> Result<Limits, JobError> {
        let mut limits = Limits::default();
        for (key, value) in self.object("limits")? {
            let value = value.as_u64();
            let number = value.ok_or_else(|| {
                JobError(format!("the limit {:?} must be a whole number", Refusal::shown(&key)))
            })?;
            match key.as_str() {
                "nodes" => limits.nodes = Some(number),
                "depth" => limits.depth = Some(u32::try_from(number).unwrap_or(u32::MAX)),
                "movetime_ms" => limits.time = Some(Duration::from_millis(number)),
                "cpu_time_ms" => limits.cpu_time = Some(Duration::from_millis(number)),
                _ => {
                    return Err(JobError(format!(
                        "there is no limit {:?}; limits are nodes, depth, movetime_ms, cpu_time_ms",
                        Refusal::shown(&key)
                    )));
                }
            }
        }
        Ok(limits)
    }
}

/// Limits as jobs and the records of matches have them.
#[must_use]
pub(crate) fn limits_in_json(limits: Limits) -> Value {
    let Limits { depth, nodes, time, cpu_time } = limits;
    let ms = |time: Option<Duration>| time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    let all = [
        ("nodes", nodes),
        ("depth", depth.map(u64::from)),
        ("movetime_ms", ms(time)),
        ("cpu_time_ms", ms(cpu_time)),
    ];
    all.into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?.into())))
        .collect::<Map<_, _>>()
        .into()
}

/// The settings of a board as jobs and the records of matches have them: numbers, and true or false where they are on or off.
#[must_use]
pub(crate) fn settings_in_json(settings: &[(&'static str, String)]) -> Map<String, Value> {
    let value = |text: &str| match text {
        "on" => true.into(),
        "off" => false.into(),
        text => text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
    };
    settings.iter().map(|(key, text)| ((*key).to_owned(), value(text))).collect()
}

/// Takes a setting up that is so written; `false` if it is no such value.
pub(super) fn set_from_json(variant: &mut Variant, key: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => variant.set(key, text),
        Value::Number(number) => variant.set(key, number),
        Value::Bool(is_on) => variant.set(key, if *is_on { "on" } else { "off" }),
        _ => return false,
    }
    true
}
