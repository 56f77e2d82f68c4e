//! The fields of matches in jobs, in the headers of shards and in those of files of games.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::plan::{Contestant, ContestantEngine, MatchPlan};
use crate::ai::{self, Limits};
use crate::arena::jobs::{self, JobError, JobHead, LimitFields, NameOrList};
use crate::arena::stats::hash::fnv1a;
use crate::arena::stats::sprt::Sprt;
use crate::game::{Millis, Refusal, as_text};
use crate::registry::settings_in_json;
use crate::session::Position;

/// The version of the format of files of games.
const SCHEMA: u64 = 1;

/// An engine in a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an engine such as {\"name\":\"a\",\"spec\":\"level:4\"}")]
pub(super) struct EngineFields {
    name: String,
    spec: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<LimitFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dir: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<Vec<String>>,
}

impl EngineFields {
    /// Returns the fields of an engine in a job.
    fn of(Contestant { name, player, limits }: &Contestant) -> Self {
        let (name, spec) = (name.clone(), player.spec());
        let limits = (*limits != player.limits()).then(|| (*limits).into());
        let (mut dir, mut setup) = (None, None);
        if let ContestantEngine::Program(program) = player {
            dir = program.folder.as_ref().map(|folder| folder.to_string_lossy().into_owned());
            setup = Some(program.setup.clone()).filter(|setup| !setup.is_empty());
        }
        EngineFields { name, spec, limits, dir, setup }
    }

    /// Returns the engine that a job names.
    ///
    /// # Errors
    /// If it cannot play the game of this position.
    pub(super) fn contestant(self, start: &dyn Position) -> Result<Contestant, JobError> {
        let shown = Refusal::shown(&self.name);
        if shown.is_empty() || shown != self.name {
            return Err(JobError(format!("the name {shown:?} must have 1 to 24 printable characters")));
        }
        let mut engine = Contestant::new(&self.name, &self.spec, start).map_err(JobError::new)?;
        engine.limits = Limits::from(self.limits.unwrap_or_default()).or(engine.limits);
        match &mut engine.player {
            ContestantEngine::Level(_) if self.setup.is_some() || self.dir.is_some() => {
                let why = "dir and setup are for external engines, but this is a built-in one";
                return Err(JobError::new(why));
            }
            ContestantEngine::Level(_) => {}
            ContestantEngine::Program(spec) => {
                let spec = Arc::make_mut(spec);
                (spec.setup, spec.folder) = (self.setup.unwrap_or_default(), self.dir.map(Into::into));
            }
        }
        Ok(engine)
    }
}

/// A job of matches.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchJob {
    #[serde(flatten)]
    pub(super) head: JobHead,
    pub(super) engines: Vec<EngineFields>,
    pub(super) gauntlet: Option<bool>,
    pub(super) limits: Option<LimitFields>,
    pub(super) openings: Option<NameOrList>,
    pub(super) sprt: Option<Vec<f64>>,
    pub(super) max_plies: Option<usize>,
    pub(super) margin_ms: Option<Millis>,
    pub(super) hang_ms: Option<Millis>,
}

impl MatchJob {
    /// Returns the job of `units` pairs of this match, with the openings in the form that is given.
    pub(super) fn of(plan: &MatchPlan, units: u32, openings: NameOrList) -> Self {
        MatchJob {
            head: JobHead::new("arena", plan.seed, units, (plan.entry, &plan.variant)),
            engines: plan.engines.iter().map(EngineFields::of).collect(),
            gauntlet: Some(plan.is_gauntlet),
            limits: Some(plan.limits.into()),
            openings: Some(openings),
            sprt: plan.sprt.map(|sprt| vec![sprt.elo0, sprt.elo1]),
            max_plies: Some(plan.max_plies),
            margin_ms: plan.patience.margin.map(Millis),
            hang_ms: Some(Millis(plan.patience.hang)),
        }
    }
}

/// An engine in the header of a file of games. Files of earlier versions have other names for limits of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::arena) struct EngineHeader {
    pub(in crate::arena) name: String,
    pub(in crate::arena) spec: String,
    #[serde(default)]
    pub(in crate::arena) limits: Map<String, Value>,
}

/// The first line of a file of games. The header of a shard of matches is read so, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::arena) struct GamesHeader {
    crosspath: String,
    schema: u64,
    version: String,
    bench: String,
    pub(in crate::arena) game: String,
    /// The settings of the board. A shard has them under a key of their own, and other fields here.
    #[serde(flatten)]
    settings: Map<String, Value>,
    #[serde(with = "as_text")]
    pub(in crate::arena) seed: u64,
    pub(in crate::arena) limits: Map<String, Value>,
    openings: NameOrList,
    pub(in crate::arena) engines: Vec<EngineHeader>,
    #[serde(default)]
    pub(in crate::arena) gauntlet: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    openings_hash: Option<String>,
    sprt: Option<Vec<f64>>,
    max_plies: usize,
    /// The hash of the rest of the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<String>,
}

impl GamesHeader {
    /// Returns the header of a match.
    pub(super) fn of(plan: &MatchPlan) -> Self {
        let board = plan.entry.start(&plan.variant).expect("the plan has opened this board before");
        let limits = |limits: Limits| jobs::fields(&LimitFields::from(limits));
        let engines = plan.engines.iter().map(|engine| {
            let (name, spec) = (engine.name.clone(), engine.player.spec());
            EngineHeader { name, spec, limits: limits(engine.limits) }
        });
        let mut header = GamesHeader {
            crosspath: "arena".to_owned(),
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bench: ai::signature().to_owned(),
            game: plan.entry.name.to_owned(),
            settings: settings_in_json(board.settings()),
            seed: plan.seed,
            limits: limits(plan.limits),
            openings: NameOrList::Name(plan.openings.spec()),
            engines: engines.collect(),
            gauntlet: plan.is_gauntlet,
            openings_hash: plan.openings.hash().map(|hash| format!("{hash:016x}")),
            sprt: Some(plan.sprt.map_or(vec![], |sprt| vec![sprt.elo0, sprt.elo1])),
            max_plies: plan.max_plies,
            plan: None,
        };
        header.plan = Some(format!("{:016x}", fnv1a(jobs::json(&header).as_bytes())));
        header
    }

    /// Reports whether a file of games begins with it.
    pub(super) fn is_of_file(&self) -> bool {
        self.crosspath == "arena" && self.schema == SCHEMA
    }

    /// Returns the names of the engines; `None` if one has characters that control a terminal.
    pub(super) fn names(&self) -> Option<Vec<String>> {
        let names: Vec<String> = self.engines.iter().map(|engine| engine.name.clone()).collect();
        names.iter().all(|name| Refusal::shown(name) == *name).then_some(names)
    }

    /// Returns the test that may end the match.
    pub(in crate::arena) fn sprt(&self) -> Option<Sprt> {
        Sprt::of(self.sprt.as_deref()?)
    }

    /// Returns the game or a setting of its board, null if it is not named.
    pub(in crate::arena) fn setting(&self, key: &str) -> Value {
        if key == "game" {
            return self.game.as_str().into();
        }
        let own = self.settings.get("settings").and_then(Value::as_object);
        own.unwrap_or(&self.settings).get(key).cloned().unwrap_or_default()
    }
}
