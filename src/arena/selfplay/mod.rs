//! Self-play: an engine, or an evaluator on a pipe, plays games with itself, and what it thought is kept for learning.
//! Knows games by their numbers only.

mod batch;
pub mod evaluator;
mod play;
mod reader;
mod record;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ai::{EngineKind, EngineSpec, Limits, ScoreUnit};
use crate::arena::jobs::shard::RecordLayout;
use crate::arena::jobs::{self, JobError, JobHead, JobKind, LimitFields, UnitWorker, WorkError};
use crate::arena::matches::openings::Openings;
use crate::record::disk;
use crate::registry::{Entry, Variant};
use crate::session::Playout;

pub use reader::SelfplayReader;
pub(super) use reader::report;
pub use record::{Ending, SearchedPosition, SelfplayGame, WHOLE};

/// Positions that each search may look at unless other limits are given.
pub(crate) const NODES: u64 = 1_000;
/// Positions in a frame for an evaluator unless another number is given.
pub(crate) const BATCH: u32 = 256;
/// The most positions in a frame.
pub(crate) const MAX_BATCH: u32 = 65_536;
/// The most random plies at the start, and the most plies that chance has a part in.
const MAX_PLIES: usize = 10_000;

/// Player of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelfplayPlayer {
    /// An engine of this program.
    Engine(EngineSpec),
    /// A program on the standard streams, asked for the positions of a frame at a time.
    Stdio {
        /// Positions in a frame.
        batch: u32,
    },
}

/// Engine that judges some positions of the games better than the players do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Teacher {
    /// An engine of this program.
    pub spec: EngineSpec,
    /// Number of positions among which one is judged, drawn at random; at least 1.
    pub every: u32,
}

/// Positions among which the teacher judges one unless another number is given: about two a game of 11x11 Hex.
pub(crate) const TAUGHT_EVERY: u32 = 25;
/// Largest number of positions among which the teacher judges one.
pub(crate) const MAX_TAUGHT_EVERY: u32 = 10_000;

/// Games of self-play that are to be played.
#[derive(Debug)]
pub struct SelfplayPlan {
    /// The game.
    pub entry: &'static Entry,
    /// Its board.
    pub variant: Variant,
    /// Player of the games.
    pub player: SelfplayPlayer,
    /// Teacher that judges some positions; only games of engines can have one.
    pub teacher: Option<Teacher>,
    /// Limits of a search.
    pub limits: Limits,
    /// Openings of the games: random plies, or the entries of a list by turns.
    pub openings: Openings,
    /// Plies after those in which chance takes part.
    pub temperature_plies: usize,
    /// The random seed: the same seed, the same game.
    pub seed: u64,
}

impl SelfplayPlan {
    /// Creates a plan with the game's own number of random plies, and twice that number of plies in which chance takes
    /// part.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn new(entry: &'static Entry, variant: &Variant, player: SelfplayPlayer) -> Result<Self, JobError> {
        let chosen = entry.choose(variant).map_err(JobError::new)?;
        let opening_plies = (entry.opening_plies)(&chosen);
        let (variant, temperature_plies) = (variant.clone(), 2 * opening_plies);
        let openings = Openings::Random(opening_plies);
        // A network plays bare unless it is told to search.
        let is_bare = matches!(&player, SelfplayPlayer::Engine(spec) if spec.level == EngineKind::Net);
        let limits = Limits { nodes: (!is_bare).then_some(NODES), ..Limits::default() };
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

    /// Returns the job of `games` games of this plan, as it stands in its file.
    #[must_use]
    pub fn job(&self, games: u32) -> String {
        jobs::json(&self.fields(games)) + "\n"
    }

    /// Returns the fields of a job of `games` games, without those that it does not need.
    fn fields(&self, games: u32) -> Map<String, Value> {
        let opening_plies = if let Openings::Random(plies) = self.openings { Some(plies) } else { None };
        let (engine, limits, evaluator, batch) = match &self.player {
            SelfplayPlayer::Engine(spec) => (Some(spec.to_string()), Some(self.limits.into()), None, None),
            SelfplayPlayer::Stdio { batch } => (None, None, Some(EvaluatorName::Stdio), Some(*batch)),
        };
        let mut fields = jobs::fields(&SelfplayJob {
            head: JobHead::new("selfplay", self.seed, games, (self.entry, &self.variant)),
            engine,
            limits,
            evaluator,
            batch,
            teacher: self.teacher.as_ref().map(|teacher| teacher.spec.to_string()),
            taught_every: self.teacher.as_ref().map(|teacher| teacher.every),
            opening_plies,
            openings: self.openings.listed_texts(),
            temperature_plies: Some(self.temperature_plies),
        });
        fields.retain(|_, value| !value.is_null());
        fields
    }

    fn playout(&self) -> Box<dyn Playout> {
        self.entry.playout(&self.variant).expect("the plan has a board")
    }

    /// Reports whether the plan can be played at all.
    ///
    /// # Errors
    /// Says which part of it is impossible.
    pub fn check(&self) -> Result<(), JobError> {
        let mut playout = self.playout();
        match &self.player {
            SelfplayPlayer::Engine(spec) => {
                playout.set_engine(spec, 0).map_err(|error| JobError(format!("engine: {error}")))?;
            }
            SelfplayPlayer::Stdio { .. } if playout.move_texts().is_none() => {
                let name = self.entry.name;
                return Err(JobError(format!("an evaluator cannot play {name}")));
            }
            SelfplayPlayer::Stdio { .. } => {}
        }
        if let Some(teacher) = &self.teacher {
            let SelfplayPlayer::Engine(spec) = &self.player else {
                return Err(JobError::new("an evaluator cannot be combined with a teacher"));
            };
            playout.set_engine(&teacher.spec, 0).map_err(|error| JobError(format!("teacher: {error}")))?;
            if playout.scale(teacher.spec.level) != playout.scale(spec.level) {
                return Err(JobError(format!(
                    "the scores of {} and {} have different scales, so one cannot teach the other",
                    teacher.spec.level, spec.level
                )));
            }
        }
        play::opening(&mut *playout, self, 0, &mut SelfplayGame::default()).map_err(JobError::new)
    }
}

/// A job of this kind.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SelfplayJob {
    #[serde(flatten)]
    head: JobHead,
    engine: Option<String>,
    limits: Option<LimitFields>,
    evaluator: Option<EvaluatorName>,
    batch: Option<u32>,
    teacher: Option<String>,
    taught_every: Option<u32>,
    opening_plies: Option<usize>,
    openings: Option<Vec<String>>,
    temperature_plies: Option<usize>,
}

/// The fields of the header of a shard: those of the job, and what its games mean.
#[derive(Serialize)]
struct ShardFields {
    #[serde(flatten)]
    own: Map<String, Value>,
    net: Option<String>,
    score: Option<ScoreFields>,
    moves: Option<Vec<String>>,
}

/// Meaning of the scores in a shard.
#[derive(Serialize)]
struct ScoreFields {
    unit: &'static str,
    one: i32,
    odds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bias: Option<f64>,
}

/// The evaluators that a job can name.
#[derive(Debug, Serialize, Deserialize)]
enum EvaluatorName {
    #[serde(rename = "stdio")]
    Stdio,
}

/// Reads a job of this kind.
pub(super) fn read(games: &'static [Entry], text: &[u8]) -> Result<Box<dyn JobKind>, JobError> {
    let job: SelfplayJob = jobs::read(text)?;
    let (entry, variant) = job.head.board(games)?;
    let load = |key: &str, text: String| {
        let spec = text.parse().and_then(|spec: EngineSpec| spec.load(disk::weights));
        spec.map_err(|error| JobError(format!("{key}: {error}")))
    };
    let player = match (job.engine, job.evaluator, job.batch) {
        (Some(engine), None, None) => SelfplayPlayer::Engine(load("engine", engine)?),
        (None, Some(EvaluatorName::Stdio), batch) => {
            SelfplayPlayer::Stdio { batch: jobs::within("batch", batch, BATCH, 1..=MAX_BATCH)? }
        }
        _ => return Err(JobError::new("a job of kind selfplay needs either an engine or an evaluator")),
    };
    let every = jobs::within("taught_every", job.taught_every, TAUGHT_EVERY, 1..=MAX_TAUGHT_EVERY)?;
    let teacher = job.teacher.map(|text| Ok(Teacher { spec: load("teacher", text)?, every })).transpose()?;
    let plan = SelfplayPlan::new(entry, &variant, player)?;
    let own_plies = (entry.opening_plies)(&entry.choose(&variant).map_err(JobError::new)?);
    let opening_plies = jobs::within("opening_plies", job.opening_plies, own_plies, 0..=MAX_PLIES)?;
    let temperature_plies =
        jobs::within("temperature_plies", job.temperature_plies, plan.temperature_plies, 0..=MAX_PLIES)?;
    let openings = match job.openings {
        None => Openings::Random(opening_plies),
        Some(texts) => Openings::listed(&texts, entry, &variant).map_err(JobError::new)?,
    };
    let limits = Limits::from(job.limits.unwrap_or_default()).or(plan.limits);
    let plan = SelfplayPlan { teacher, openings, temperature_plies, limits, seed: job.head.seed, ..plan };
    plan.check()?;
    Ok(Box::new(plan))
}

impl JobKind for SelfplayPlan {
    fn layout(&self) -> RecordLayout {
        RecordLayout::Frames
    }

    fn header(&self) -> Map<String, Value> {
        let (is_deterministic, score) = match &self.player {
            SelfplayPlayer::Engine(spec) => {
                let teacher = self.teacher.as_ref().map(|teacher| &teacher.spec);
                let own = |spec: &EngineSpec| self.entry.limits_of(spec.level);
                let has_time = |spec: &EngineSpec| spec.limits.or(self.limits).or(own(spec)).have_time();
                let score =
                    self.playout().scale(spec.level).map(|ScoreUnit { unit, one, odds, bias, .. }| {
                        ScoreFields { unit, one, odds, bias: Some(bias).filter(|bias| *bias != 0.0) }
                    });
                (!has_time(spec) && !teacher.is_some_and(has_time), score)
            }
            SelfplayPlayer::Stdio { .. } => {
                (false, Some(ScoreFields { unit: "result", one: batch::ONE, odds: None, bias: None }))
            }
        };
        let own = ShardFields { own: self.fields(0), net: None, score, moves: self.playout().move_texts() };
        jobs::header(is_deterministic, &own)
    }

    fn worker(&self) -> Result<Box<dyn UnitWorker + '_>, WorkError> {
        Ok(match &self.player {
            SelfplayPlayer::Engine(spec) => Box::new(play::EngineGames::new(self, spec)),
            SelfplayPlayer::Stdio { batch } => {
                Box::new(batch::EvaluatorGames { plan: self, batch: *batch as usize })
            }
        })
    }

    fn takes_streams(&self) -> bool {
        matches!(self.player, SelfplayPlayer::Stdio { .. })
    }
}
