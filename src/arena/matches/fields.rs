//! JSON fields of matches in jobs, in shard headers and in the headers of games files.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::plan::{Contestant, ContestantEngine, MatchPlan};
use crate::ai::{self, Limits};
use crate::arena::jobs::{self, ArenaJobError, JobHeader, NameOrList, SearchLimitsJson};
use crate::arena::stats::hash::fnv1a;
use crate::arena::stats::sprt::Sprt;
use crate::game::{JsonMillis, Refusal, as_text};
use crate::registry::settings_to_json;
use crate::session::Position;

/// Version of the games file format.
const GAMES_FILE_SCHEMA_VERSION: u64 = 1;

/// Engine of a match, as stored in a job file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an engine such as {\"name\":\"a\",\"spec\":\"level:4\"}")]
pub(super) struct JobEngineJson {
    name: String,
    spec: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<SearchLimitsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dir: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<Vec<String>>,
}

impl JobEngineJson {
    /// Converts a contestant to its fields in a job.
    fn from_contestant(Contestant { name, player, limits }: &Contestant) -> Self {
        let (name, spec) = (name.clone(), player.spec());
        let limits = (*limits != player.limits()).then(|| (*limits).into());
        let (mut dir, mut setup) = (None, None);
        if let ContestantEngine::Program(program) = player {
            dir = program.folder.as_ref().map(|folder| folder.to_string_lossy().into_owned());
            setup = Some(program.setup.clone()).filter(|setup| !setup.is_empty());
        }
        JobEngineJson { name, spec, limits, dir, setup }
    }

    /// Builds the contestant that these fields describe.
    ///
    /// # Errors
    /// Returns an error if the engine cannot play the game of this position.
    pub(super) fn into_contestant(self, start: &dyn Position) -> Result<Contestant, ArenaJobError> {
        let shown = Refusal::sanitize_excerpt(&self.name);
        if shown.is_empty() || shown != self.name {
            return Err(ArenaJobError(format!("the name {shown:?} must have 1 to 24 printable characters")));
        }
        let mut engine = Contestant::new(&self.name, &self.spec, start).map_err(ArenaJobError::new)?;
        engine.limits = Limits::from(self.limits.unwrap_or_default()).or_if_unlimited(engine.limits);
        match &mut engine.player {
            ContestantEngine::Level(_) if self.setup.is_some() || self.dir.is_some() => {
                let why = "dir and setup are for external engines, but this is a built-in one";
                return Err(ArenaJobError::new(why));
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

/// Fields of a job of kind `arena`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchJob {
    #[serde(flatten)]
    pub(super) head: JobHeader,
    pub(super) engines: Vec<JobEngineJson>,
    pub(super) gauntlet: Option<bool>,
    pub(super) limits: Option<SearchLimitsJson>,
    pub(super) openings: Option<NameOrList>,
    pub(super) sprt: Option<Vec<f64>>,
    pub(super) max_plies: Option<usize>,
    pub(super) margin_ms: Option<JsonMillis>,
    pub(super) hang_ms: Option<JsonMillis>,
}

impl MatchJob {
    /// Creates the job for `units` pairs of this match. `openings` are stored as given.
    pub(super) fn from_plan(plan: &MatchPlan, units: u32, openings: NameOrList) -> Self {
        MatchJob {
            head: JobHeader::new("arena", plan.seed, units, (plan.entry, &plan.variant)),
            engines: plan.engines.iter().map(JobEngineJson::from_contestant).collect(),
            gauntlet: Some(plan.is_gauntlet),
            limits: Some(plan.limits.into()),
            openings: Some(openings),
            sprt: plan.sprt.map(|sprt| vec![sprt.elo0, sprt.elo1]),
            max_plies: Some(plan.max_plies),
            margin_ms: plan.timeouts.margin.map(JsonMillis),
            hang_ms: Some(JsonMillis(plan.timeouts.hang)),
        }
    }
}

/// Engine in the header of a games file.
///
/// The limits stay untyped, because earlier versions named the time limits differently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::arena) struct HeaderEngineJson {
    pub(in crate::arena) name: String,
    pub(in crate::arena) spec: String,
    #[serde(default)]
    pub(in crate::arena) limits: Map<String, Value>,
}

/// Header of a games file, which is its first line.
///
/// The header of a match shard can be parsed into this type, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::arena) struct GamesFileHeader {
    crosspath: String,
    schema: u64,
    version: String,
    bench: String,
    pub(in crate::arena) game: String,
    /// Settings of the board.
    ///
    /// In a shard header they are nested under the key `settings`, next to other fields.
    #[serde(flatten)]
    settings: Map<String, Value>,
    #[serde(with = "as_text")]
    pub(in crate::arena) seed: u64,
    pub(in crate::arena) limits: Map<String, Value>,
    openings: NameOrList,
    pub(in crate::arena) engines: Vec<HeaderEngineJson>,
    #[serde(default)]
    pub(in crate::arena) gauntlet: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    openings_hash: Option<String>,
    sprt: Option<Vec<f64>>,
    max_plies: usize,
    /// Hash of the other header fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<String>,
}

impl GamesFileHeader {
    /// Creates the header for a match.
    pub(super) fn from_plan(plan: &MatchPlan) -> Self {
        let board = plan.entry.start_position(&plan.variant).expect("the plan has opened this board before");
        let limits = |limits: Limits| jobs::to_json_fields(&SearchLimitsJson::from(limits));
        let engines = plan.engines.iter().map(|engine| {
            let (name, spec) = (engine.name.clone(), engine.player.spec());
            HeaderEngineJson { name, spec, limits: limits(engine.limits) }
        });
        let mut header = GamesFileHeader {
            crosspath: "arena".to_owned(),
            schema: GAMES_FILE_SCHEMA_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bench: ai::bench_signature().to_owned(),
            game: plan.entry.name.to_owned(),
            settings: settings_to_json(board.settings()),
            seed: plan.seed,
            limits: limits(plan.limits),
            openings: NameOrList::Name(plan.openings.spec()),
            engines: engines.collect(),
            gauntlet: plan.is_gauntlet,
            openings_hash: plan.openings.list_hash().map(|hash| format!("{hash:016x}")),
            sprt: Some(plan.sprt.map_or(vec![], |sprt| vec![sprt.elo0, sprt.elo1])),
            max_plies: plan.max_plies,
            plan: None,
        };
        header.plan = Some(format!("{:016x}", fnv1a(jobs::to_json_line(&header).as_bytes())));
        header
    }

    /// Reports whether this is the header of a games file in the current format.
    pub(super) fn is_games_file_header(&self) -> bool {
        self.crosspath == "arena" && self.schema == GAMES_FILE_SCHEMA_VERSION
    }

    /// Returns the names of the engines, or `None` if a name contains control characters.
    pub(super) fn printable_engine_names(&self) -> Option<Vec<String>> {
        let names: Vec<String> = self.engines.iter().map(|engine| engine.name.clone()).collect();
        names.iter().all(|name| Refusal::sanitize_excerpt(name) == *name).then_some(names)
    }

    /// Returns the SPRT that may end the match.
    pub(in crate::arena) fn sprt(&self) -> Option<Sprt> {
        Sprt::from_bounds(self.sprt.as_deref()?)
    }

    /// Returns the game name or a board setting, or null if it is missing.
    pub(in crate::arena) fn board_setting(&self, key: &str) -> Value {
        if key == "game" {
            return self.game.as_str().into();
        }
        let own = self.settings.get("settings").and_then(Value::as_object);
        own.unwrap_or(&self.settings).get(key).cloned().unwrap_or_default()
    }
}
