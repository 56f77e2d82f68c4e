//! Self-play: generates training data from games of an engine against itself.
//!
//! The player is a built-in engine or an external evaluator. The searched positions are stored.
//! This module handles moves only as numbers.

mod batch;
pub mod evaluator;
mod play;
mod reader;
mod record;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ai::{EngineKind, EngineSpec, Limits, ScoreUnit};
use crate::arena::jobs::shard::RecordLayout;
use crate::arena::jobs::{
    self, ArenaJobError, ArenaJobKind, JobHeader, SearchLimitsJson, UnitError, UnitWorker,
};
use crate::arena::matches::openings::Openings;
use crate::record::disk;
use crate::registry::{RegisteredGame, Variant};
use crate::session::Playout;

pub use reader::SelfplayReader;
pub(super) use reader::report_selfplay_shard;
pub use record::{GameEnding, SHARE_SCALE, SearchedPosition, SelfplayGame};

/// Default node limit of a search.
pub(crate) const DEFAULT_SELFPLAY_NODES: u64 = 1_000;
/// Default number of positions per evaluator request.
pub(crate) const DEFAULT_EVALUATOR_BATCH: u32 = 256;
/// Maximum number of positions per evaluator request.
pub(crate) const MAX_EVALUATOR_BATCH: u32 = 65_536;
/// Maximum number of random opening plies, and of plies played with temperature.
const MAX_RANDOM_PLIES: usize = 10_000;

/// Player of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelfplayPlayer {
    /// Built-in engine.
    Engine(EngineSpec),
    /// External evaluator on standard input and output.
    Stdio {
        /// Number of positions per request.
        batch: u32,
    },
}

/// Stronger engine that evaluates some positions of the games again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeacherEngine {
    /// Specification of the built-in engine.
    pub spec: EngineSpec,
    /// Average number of positions per position that the teacher evaluates, at least 1.
    ///
    /// The teacher's positions are drawn at random.
    pub every: u32,
}

/// Default of [`TeacherEngine::every`]: about two positions per game of 11x11 Hex are evaluated.
pub(crate) const DEFAULT_TEACHER_INTERVAL: u32 = 25;
/// Maximum of [`TeacherEngine::every`].
pub(crate) const MAX_TEACHER_INTERVAL: u32 = 10_000;

/// Settings of self-play games.
#[derive(Debug)]
pub struct SelfplayPlan {
    /// The game.
    pub entry: &'static RegisteredGame,
    /// Board of the game.
    pub variant: Variant,
    /// Player of the games.
    pub player: SelfplayPlayer,
    /// Teacher that evaluates some positions. Only engine games can have one.
    pub teacher: Option<TeacherEngine>,
    /// Limits of one search.
    pub limits: Limits,
    /// Openings of the games: random plies, or the entries of a list in turn.
    pub openings: Openings,
    /// Number of plies after the opening whose moves are drawn at random by their weights.
    pub temperature_plies: usize,
    /// Random seed. Equal seeds give equal games.
    pub seed: u64,
}

impl SelfplayPlan {
    /// Creates a plan with the default number of random plies of the game, and twice that number of
    /// temperature plies.
    ///
    /// # Errors
    /// Returns an error if the board does not exist.
    pub fn new(
        entry: &'static RegisteredGame,
        variant: &Variant,
        player: SelfplayPlayer,
    ) -> Result<Self, ArenaJobError> {
        let chosen = entry.resolve_board(variant).map_err(ArenaJobError::new)?;
        let opening_plies = (entry.opening_plies)(&chosen);
        let (variant, temperature_plies) = (variant.clone(), 2 * opening_plies);
        let openings = Openings::Random(opening_plies);
        // A network plays by its policy alone unless a search limit is given.
        let is_bare = matches!(&player, SelfplayPlayer::Engine(spec) if spec.level == EngineKind::Net);
        let limits = Limits { nodes: (!is_bare).then_some(DEFAULT_SELFPLAY_NODES), ..Limits::default() };
        Ok(SelfplayPlan {
            entry,
            variant,
            player,
            teacher: None,
            limits,
            openings,
            temperature_plies,
            seed: 1,
        })
    }

    /// Returns the contents of the job file for `games` games of this plan.
    #[must_use]
    pub fn to_job_json(&self, games: u32) -> String {
        jobs::to_json_line(&self.job_fields(games)) + "\n"
    }

    /// Returns the fields of a job for `games` games, without unused optional fields.
    fn job_fields(&self, games: u32) -> Map<String, Value> {
        let opening_plies = if let Openings::Random(plies) = self.openings { Some(plies) } else { None };
        let (engine, limits, evaluator, batch) = match &self.player {
            SelfplayPlayer::Engine(spec) => (Some(spec.to_string()), Some(self.limits.into()), None, None),
            SelfplayPlayer::Stdio { batch } => (None, None, Some(EvaluatorName::Stdio), Some(*batch)),
        };
        let mut fields = jobs::to_json_fields(&SelfplayJob {
            head: JobHeader::new("selfplay", self.seed, games, (self.entry, &self.variant)),
            engine,
            limits,
            evaluator,
            batch,
            teacher: self.teacher.as_ref().map(|teacher| teacher.spec.to_string()),
            taught_every: self.teacher.as_ref().map(|teacher| teacher.every),
            opening_plies,
            openings: self.openings.entry_texts(),
            temperature_plies: Some(self.temperature_plies),
        });
        fields.retain(|_, value| !value.is_null());
        fields
    }

    /// Creates a game on the board of the plan.
    fn new_playout(&self) -> Box<dyn Playout> {
        self.entry.new_playout(&self.variant).expect("the plan has a board")
    }

    /// Checks that the plan can be played.
    ///
    /// # Errors
    /// Returns an error that says which setting is invalid.
    pub fn validate(&self) -> Result<(), ArenaJobError> {
        let mut playout = self.new_playout();
        match &self.player {
            SelfplayPlayer::Engine(spec) => {
                playout.seat_engines(spec, 0).map_err(|error| ArenaJobError(format!("engine: {error}")))?;
            }
            SelfplayPlayer::Stdio { .. } if playout.move_texts().is_none() => {
                let name = self.entry.name;
                return Err(ArenaJobError(format!("an evaluator cannot play {name}")));
            }
            SelfplayPlayer::Stdio { .. } => {}
        }
        if let Some(teacher) = &self.teacher {
            let SelfplayPlayer::Engine(spec) = &self.player else {
                return Err(ArenaJobError::new("an evaluator cannot be combined with a teacher"));
            };
            playout
                .seat_engines(&teacher.spec, 0)
                .map_err(|error| ArenaJobError(format!("teacher: {error}")))?;
            if playout.score_unit(teacher.spec.level) != playout.score_unit(spec.level) {
                return Err(ArenaJobError(format!(
                    "the scores of {} and {} have different scales, so one cannot teach the other",
                    teacher.spec.level, spec.level
                )));
            }
        }
        play::play_opening(&mut *playout, self, 0, &mut SelfplayGame::default()).map_err(ArenaJobError::new)
    }
}

/// Fields of a job of kind `selfplay`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SelfplayJob {
    #[serde(flatten)]
    head: JobHeader,
    engine: Option<String>,
    limits: Option<SearchLimitsJson>,
    evaluator: Option<EvaluatorName>,
    batch: Option<u32>,
    teacher: Option<String>,
    taught_every: Option<u32>,
    opening_plies: Option<usize>,
    openings: Option<Vec<String>>,
    temperature_plies: Option<usize>,
}

/// Kind-specific fields of a shard header: the fields of the job, and the meaning of scores and move
/// numbers.
#[derive(Serialize)]
struct SelfplayHeaderJson {
    #[serde(flatten)]
    own: Map<String, Value>,
    net: Option<String>,
    score: Option<ScoreScaleJson>,
    moves: Option<Vec<String>>,
}

/// Scale of the scores in a shard.
#[derive(Serialize)]
struct ScoreScaleJson {
    unit: &'static str,
    one: i32,
    odds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bias: Option<f64>,
}

/// Evaluators that a job can name.
#[derive(Debug, Serialize, Deserialize)]
enum EvaluatorName {
    #[serde(rename = "stdio")]
    Stdio,
}

/// Parses a job of kind `selfplay`.
pub(super) fn parse_selfplay_job(
    games: &'static [RegisteredGame],
    text: &[u8],
) -> Result<Box<dyn ArenaJobKind>, ArenaJobError> {
    let job: SelfplayJob = jobs::parse_json_object(text)?;
    let (entry, variant) = job.head.find_board(games)?;
    let load = |key: &str, text: String| {
        let spec = text.parse().and_then(|spec: EngineSpec| spec.load_weights(disk::load_network_weights));
        spec.map_err(|error| ArenaJobError(format!("{key}: {error}")))
    };
    let player = match (job.engine, job.evaluator, job.batch) {
        (Some(engine), None, None) => SelfplayPlayer::Engine(load("engine", engine)?),
        (None, Some(EvaluatorName::Stdio), batch) => SelfplayPlayer::Stdio {
            batch: jobs::value_in_range("batch", batch, DEFAULT_EVALUATOR_BATCH, 1..=MAX_EVALUATOR_BATCH)?,
        },
        _ => return Err(ArenaJobError::new("a job of kind selfplay needs either an engine or an evaluator")),
    };
    let every = jobs::value_in_range(
        "taught_every",
        job.taught_every,
        DEFAULT_TEACHER_INTERVAL,
        1..=MAX_TEACHER_INTERVAL,
    )?;
    let teacher =
        job.teacher.map(|text| Ok(TeacherEngine { spec: load("teacher", text)?, every })).transpose()?;
    let plan = SelfplayPlan::new(entry, &variant, player)?;
    let own_plies = (entry.opening_plies)(&entry.resolve_board(&variant).map_err(ArenaJobError::new)?);
    let opening_plies =
        jobs::value_in_range("opening_plies", job.opening_plies, own_plies, 0..=MAX_RANDOM_PLIES)?;
    let temperature_plies = jobs::value_in_range(
        "temperature_plies",
        job.temperature_plies,
        plan.temperature_plies,
        0..=MAX_RANDOM_PLIES,
    )?;
    let openings = match job.openings {
        None => Openings::Random(opening_plies),
        Some(texts) => Openings::parse_list(&texts, entry, &variant).map_err(ArenaJobError::new)?,
    };
    let limits = Limits::from(job.limits.unwrap_or_default()).or_if_unlimited(plan.limits);
    let plan = SelfplayPlan { teacher, openings, temperature_plies, limits, seed: job.head.seed, ..plan };
    plan.validate()?;
    Ok(Box::new(plan))
}

impl ArenaJobKind for SelfplayPlan {
    fn record_layout(&self) -> RecordLayout {
        RecordLayout::Frames
    }

    fn header_fields(&self) -> Map<String, Value> {
        let (is_deterministic, score) = match &self.player {
            SelfplayPlayer::Engine(spec) => {
                let teacher = self.teacher.as_ref().map(|teacher| &teacher.spec);
                let own = |spec: &EngineSpec| self.entry.default_limits(spec.level);
                let has_time = |spec: &EngineSpec| {
                    spec.limits.or_if_unlimited(self.limits).or_if_unlimited(own(spec)).has_time_limit()
                };
                let score = self.new_playout().score_unit(spec.level).map(
                    |ScoreUnit { unit, one, odds, bias, .. }| ScoreScaleJson {
                        unit,
                        one,
                        odds,
                        bias: Some(bias).filter(|bias| *bias != 0.0),
                    },
                );
                (!has_time(spec) && !teacher.is_some_and(has_time), score)
            }
            SelfplayPlayer::Stdio { .. } => (
                false,
                Some(ScoreScaleJson {
                    unit: "result",
                    one: batch::WON_VALUE_MILLIONTHS,
                    odds: None,
                    bias: None,
                }),
            ),
        };
        let own = SelfplayHeaderJson {
            own: self.job_fields(0),
            net: None,
            score,
            moves: self.new_playout().move_texts(),
        };
        jobs::shard_header_fields(is_deterministic, &own)
    }

    fn create_worker(&self) -> Result<Box<dyn UnitWorker + '_>, UnitError> {
        Ok(match &self.player {
            SelfplayPlayer::Engine(spec) => Box::new(play::EngineUnitWorker::new(self, spec)),
            SelfplayPlayer::Stdio { batch } => {
                Box::new(batch::EvaluatorUnitWorker { plan: self, batch: *batch as usize })
            }
        })
    }

    fn uses_standard_streams(&self) -> bool {
        matches!(self.player, SelfplayPlayer::Stdio { .. })
    }
}
