//! Pairs of games between engines as the units of a job, and the report of those that are done. Knows sessions, levels and
//! programs, no particular game.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::game_record::Times;
use super::games_file::{announced, read_pair};
use super::openings::Openings;
use super::plan::{Contestant, Plan, Player, board_of};
use super::run::{PairPlayer, Programs, RunError};
use crate::arena::jobs::shard::{MAX_UNITS, Shard};
use crate::arena::jobs::{
    self, JobError, Kind, Members, UnitsError, WorkError, Worker, limits_in_json, settings_in_json,
};
use crate::arena::stats::sprt::Sprt;
use crate::game::Refusal;
use crate::protocol::process::Patience;
use crate::registry::{Entry, Variant};
use crate::session::{EngineError, Position};

/// The most random plies of an opening, and the most plies of a game.
const MAX_PLIES: u64 = 10_000;
/// The longest time that a program is waited for, in milliseconds.
const MAX_WAIT_MS: u64 = 24 * 60 * 60 * 1000;
/// What the headers of shards say about the engines is shorter than that, in bytes.
const MAX_ENGINE_BYTES: usize = 64 << 10;

/// Reads the members of a job of this kind.
pub(in crate::arena) fn read(members: &mut Members) -> Result<Box<dyn Kind>, JobError> {
    let (entry, variant) = members.board()?;
    let start = entry.start(&variant).map_err(JobError::new)?;
    let engines = engines(members, &*start)?;
    let variant = board_of(entry, &variant, &engines);
    let openings = openings(members, entry, &variant)?;
    let plan = Plan::between(entry, &variant, engines, openings).map_err(JobError::new)?;
    let patience = Patience {
        margin: wait(members, "margin_ms")?.or(plan.patience.margin),
        hang: wait(members, "hang_ms")?.unwrap_or(plan.patience.hang),
    };
    let plan = Plan {
        is_gauntlet: members.flag("gauntlet")?,
        sprt: sprt(members)?,
        seed: members.seed,
        limits: members.limits()?,
        patience,
        max_plies: max_plies(members, plan.max_plies)?,
        ..plan
    };
    let meetings = plan.meetings().len() as u64;
    let units = u64::from(members.units);
    if !units.is_multiple_of(meetings) {
        return Err(JobError(format!(
            "the member units is {units}, but it must be a multiple of {meetings}, the number of pairings"
        )));
    }
    let plan = Plan { pairs: units / meetings, ..plan };
    plan.check().map_err(JobError::new)?;
    if engines_in_json(&plan).collect::<Value>().to_string().len() > MAX_ENGINE_BYTES {
        let most = MAX_ENGINE_BYTES >> 10;
        return Err(JobError(format!("the list of engines is longer than {most} KiB; use shorter names")));
    }
    Ok(Box::new(plan))
}

/// Takes the engines: `"engines":[{"name":"a","spec":"level:4"},{"name":"b","spec":"level:3","limits":{"nodes":100}}]`.
fn engines(members: &mut Members, start: &dyn Position) -> Result<Vec<Contestant>, JobError> {
    let wrong = || {
        JobError::new(
            "engines must be a list of at least two objects such as {\"name\":\"a\",\"spec\":\"level:4\"}",
        )
    };
    let Some(Value::Array(list)) = members.take("engines") else { return Err(wrong()) };
    let mut engines = Vec::new();
    for (value, number) in list.into_iter().zip(1..) {
        let Value::Object(object) = value else { return Err(wrong()) };
        let engine = engine(members.within(object), start);
        engines.push(engine.map_err(|JobError(why)| JobError(format!("engine {number}: {why}")))?);
    }
    if engines.len() < 2 { Err(wrong()) } else { Ok(engines) }
}

fn engine(mut members: Members, start: &dyn Position) -> Result<Contestant, JobError> {
    let name = members.text("name")?;
    if name.is_empty() || Refusal::shown(&name) != name {
        return Err(JobError(format!(
            "the name {:?} must have 1 to 24 printable characters",
            Refusal::shown(&name)
        )));
    }
    let mut engine = Contestant::new(&name, &members.text("spec")?, start).map_err(JobError::new)?;
    engine.limits = members.limits()?.or(engine.limits);
    let setup = members.texts("setup")?;
    let folder = members.take("dir");
    match &mut engine.player {
        Player::Level(_) if setup.is_some() || folder.is_some() => {
            return Err(JobError::new("dir and setup are for external engines, but this is a built-in one"));
        }
        Player::Level(_) => {}
        Player::Program(spec) => {
            let spec = Arc::make_mut(spec);
            spec.setup = setup.unwrap_or_default();
            spec.folder = match folder {
                None => None,
                Some(Value::String(folder)) => Some(folder.into()),
                Some(_) => return Err(JobError::new("the member dir must be a string")),
            };
        }
    }
    members.end("an engine")?;
    Ok(engine)
}

/// Takes the openings: a kind that is drawn, or the list itself.
pub(in crate::arena) fn openings(
    members: &mut Members,
    entry: &'static Entry,
    variant: &Variant,
) -> Result<Option<Openings>, JobError> {
    let wrong =
        || JobError::new("openings must be \"none\", \"random:K\", \"balanced:K\" or a list of strings");
    match members.take("openings") {
        None => Ok(None),
        Some(Value::String(text)) => match Openings::drawn(&text).ok_or_else(wrong)? {
            Openings::Random(plies) | Openings::Balanced(plies) if plies as u64 > MAX_PLIES => {
                Err(JobError(format!("an opening has more than {MAX_PLIES} plies")))
            }
            drawn => Ok(Some(drawn)),
        },
        Some(Value::Array(list)) => {
            let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            let listed = Openings::listed(&texts.ok_or_else(wrong)?, entry, variant);
            Ok(Some(listed.map_err(JobError::new)?))
        }
        Some(_) => Err(wrong()),
    }
}

/// Takes the test: `"sprt":[0,20]`.
fn sprt(members: &mut Members) -> Result<Option<Sprt>, JobError> {
    let Some(bounds) = members.take("sprt") else { return Ok(None) };
    let wrong = || JobError::new("sprt must be two increasing numbers from -200 to 200, such as [0,20]");
    Sprt::announced(&bounds).map(Some).ok_or_else(wrong)
}

/// Takes how long a program is waited for.
fn wait(members: &mut Members, key: &str) -> Result<Option<Duration>, JobError> {
    match members.number(key)? {
        Some(ms) if ms > MAX_WAIT_MS => {
            Err(JobError(format!("{key} must be at most {MAX_WAIT_MS} (one day)")))
        }
        ms => Ok(ms.map(Duration::from_millis)),
    }
}

/// Takes after how many plies a game is a draw.
pub(in crate::arena) fn max_plies(members: &mut Members, other: usize) -> Result<usize, JobError> {
    let Some(plies) = members.number("max_plies")? else { return Ok(other) };
    let plies = Some(plies).filter(|plies| (1..=MAX_PLIES).contains(plies));
    let plies = plies.and_then(|plies| usize::try_from(plies).ok());
    plies.ok_or_else(|| JobError(format!("max_plies must be 1 to {MAX_PLIES}")))
}

/// The engines as a job has them.
fn engines_in_json(plan: &Plan) -> impl Iterator<Item = Value> {
    plan.engines.iter().map(|Contestant { name, player, limits }| {
        let mut engine = json!({"name": name, "spec": player.spec()});
        if *limits != player.limits() {
            engine["limits"] = limits_in_json(*limits);
        }
        if let Player::Program(spec) = player {
            if let Some(folder) = &spec.folder {
                engine["dir"] = folder.to_string_lossy().into();
            }
            if !spec.setup.is_empty() {
                engine["setup"] = spec.setup.clone().into();
            }
        }
        engine
    })
}

impl Plan {
    /// The job of these games, as it stands in its file. [`Job::read`](jobs::Job::read) refuses it where the plan has what a
    /// job cannot have, such as no pairs.
    ///
    /// # Errors
    /// If there are more pairs than a job can have.
    ///
    /// # Panics
    /// Never: the plan has a board.
    pub fn job(&self) -> Result<String, JobError> {
        let units = self.units();
        if units > u64::from(MAX_UNITS) {
            return Err(JobError(format!(
                "{units} pairs of games are too many; a job has at most {MAX_UNITS}"
            )));
        }
        let mut job = json!({
            "crosspath": "job", "schema": 1, "kind": "arena", "seed": self.seed.to_string(), "units": units,
        });
        job.as_object_mut().expect("it is an object").extend(self.members(self.openings.in_json()));
        Ok(format!("{job}\n"))
    }

    /// What jobs and the headers of shards say about it.
    fn members(&self, openings: Value) -> Map<String, Value> {
        let chosen = self.entry.choose(&self.variant).expect("the plan has opened this board before");
        let mut members = Map::new();
        let mut set = |key: &str, value: Value| members.insert(key.to_owned(), value);
        let ms = |time: Duration| Value::from(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        set("game", self.entry.name.into());
        set("settings", settings_in_json(&chosen.written()).into());
        set("engines", engines_in_json(self).collect());
        set("gauntlet", self.is_gauntlet.into());
        set("limits", limits_in_json(self.limits));
        set("openings", openings);
        set("sprt", self.sprt.map_or(Value::Null, |sprt| json!([sprt.elo0, sprt.elo1])));
        set("max_plies", self.max_plies.into());
        set("margin_ms", self.patience.margin.map_or(Value::Null, ms));
        set("hang_ms", ms(self.patience.hang));
        members
    }

    /// Whether another run would play the same games: levels of our own that count what they search.
    pub(in crate::arena) fn is_deterministic(&self) -> bool {
        self.engines.iter().all(|engine| {
            let Player::Level(spec) = &engine.player else { return false };
            let limits = engine.limits.or(self.limits).or(self.entry.limits_of(spec.level));
            !limits.have_time() && !limits.are_of_time()
        })
    }
}

impl Kind for Plan {
    fn header(&self) -> Map<String, Value> {
        let mut header = Map::new();
        header.insert("deterministic".to_owned(), self.is_deterministic().into());
        header.insert("seed".to_owned(), self.seed.to_string().into());
        // A list may be long, and the hash of the job tells it from others.
        header.extend(self.members(self.openings.spec().into()));
        header
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, WorkError> {
        let player = PairPlayer::new(self, self.none_has_answered(), Programs::Restarted);
        Ok(Box::new(PairWorker { player, names: self.names() }))
    }

    fn program(&self) -> Option<String> {
        self.engines.iter().find_map(|Contestant { name, player, .. }| match player {
            Player::Level(_) => None,
            Player::Program(spec) => Some(format!("the engine {name} is the external program {spec}")),
        })
    }
}

/// Plays the pairs of a job. Programs are started afresh for each, so that earlier pairs do not matter.
struct PairWorker<'a> {
    player: PairPlayer<'a>,
    names: Vec<String>,
}

impl Worker for PairWorker<'_> {
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
        let games = self.player.pair(unit.into(), stop).map_err(failed)?;
        let games = games.ok_or_else(|| WorkError::Retry(format!("unit {unit} was stopped")))?;
        let games = games.map(|game| game.to_json(&self.names, Times::LeftOut));
        Ok(json!({"unit": unit, "games": games}).to_string().into_bytes())
    }
}

/// Tells what the pairs say that are done, up to the first one that is missing.
pub(in crate::arena) fn report(_: &'static [Entry], shard: &Shard) -> Result<jobs::Report, UnitsError> {
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
    let mut json = report.to_json();
    json.insert("prefix".to_owned(), prefix.into());
    let fault = (forfeits > 0).then(|| format!("{forfeits} games were forfeited"));
    Ok(jobs::Report { words, json, fault })
}
