//! Self-play: an engine, or an evaluator on a pipe, plays games with itself, and what it thought is kept for learning.
//! Knows games by their numbers only.

mod batch;
pub mod evaluator;
mod play;
mod reader;
mod record;

use serde_json::{Map, Value, json};

use crate::ai::{EngineSpec, Level, Limits, ScoreUnit};
use crate::arena::jobs::shard::RecordLayout;
use crate::arena::jobs::{JobError, Kind, Members, WorkError, Worker, limits_in_json, settings_in_json};
use crate::arena::matches::openings::Openings;
use crate::record::disk;
use crate::registry::{Entry, Variant};
use crate::session::Playout;

pub use reader::Reader;
pub(super) use reader::report;
pub use record::{Ending, GameRecord, Searched, WHOLE};

/// Positions that each search may look at unless other limits are given.
pub(crate) const NODES: u64 = 1_000;
/// Positions in a frame for an evaluator unless another number is given.
pub(crate) const BATCH: u32 = 256;
/// The most positions in a frame.
pub(crate) const MAX_BATCH: u32 = 65_536;
/// The most random plies at the start, and the most plies that chance has a part in.
const MAX_PLIES: u64 = 10_000;

/// Who chooses the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// An engine of this program.
    Engine(EngineSpec),
    /// A program on the standard streams, asked for so many positions at a time.
    Stdio {
        /// Positions in a frame.
        batch: u32,
    },
}

/// Who judges some positions of the games better than those who play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Teacher {
    /// An engine of this program.
    pub spec: EngineSpec,
    /// One of so many positions is judged, drawn by chance; at least 1.
    pub every: u32,
}

/// Positions of which one is judged by the teacher unless another number is given: about two a game of 11x11 Hex.
pub(crate) const TAUGHT_EVERY: u32 = 25;
/// The most positions of which one is judged by the teacher.
pub(crate) const MAX_TAUGHT_EVERY: u32 = 10_000;

/// Games of self-play that are to be played.
#[derive(Debug)]
pub struct Plan {
    /// The game.
    pub entry: &'static Entry,
    /// Its board.
    pub variant: Variant,
    /// Who plays.
    pub player: Player,
    /// Whose judgement is kept for some positions; only engines can have one.
    pub teacher: Option<Teacher>,
    /// When a search ends.
    pub limits: Limits,
    /// How games begin: with random plies, or with the entries of a list by turns.
    pub openings: Openings,
    /// Plies after those in which chance takes part.
    pub temperature_plies: usize,
    /// The random seed: the same seed, the same game.
    pub seed: u64,
}

impl Plan {
    /// Games by the game's own number of random plies, and twice as many in which chance takes part.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn new(entry: &'static Entry, variant: &Variant, player: Player) -> Result<Self, JobError> {
        let chosen = entry.choose(variant).map_err(JobError::new)?;
        let opening_plies = (entry.opening_plies)(&chosen);
        let (variant, temperature_plies) = (variant.clone(), 2 * opening_plies);
        let openings = Openings::Random(opening_plies);
        // A network plays bare unless it is told to search.
        let is_bare = matches!(&player, Player::Engine(spec) if spec.level == Level::Net);
        let limits = Limits { nodes: (!is_bare).then_some(NODES), ..Limits::default() };
        Ok(Plan { entry, variant, player, teacher: None, limits, openings, temperature_plies, seed: 1 })
    }

    /// The job of so many such games, as it stands in its file.
    ///
    /// # Panics
    /// Never: the plan has a board.
    #[must_use]
    pub fn job(&self, games: u32) -> String {
        let mut job = json!({
            "crosspath": "job", "schema": 1, "kind": "selfplay", "seed": self.seed.to_string(), "units": games,
        });
        job.as_object_mut().expect("it is an object").extend(self.members());
        format!("{job}\n")
    }

    /// What jobs and shards say about it.
    fn members(&self) -> Map<String, Value> {
        let chosen = self.entry.choose(&self.variant).expect("the plan has a board");
        let mut members = Map::new();
        let mut set = |key: &str, value: Value| members.insert(key.to_owned(), value);
        set("game", self.entry.name.into());
        set("settings", settings_in_json(&chosen.written()).into());
        match &self.player {
            Player::Engine(spec) => {
                set("engine", spec.to_string().into());
                set("limits", limits_in_json(self.limits));
            }
            Player::Stdio { batch } => {
                set("evaluator", "stdio".into());
                set("batch", (*batch).into());
            }
        }
        if let Some(Teacher { spec, every }) = &self.teacher {
            set("teacher", spec.to_string().into());
            set("taught_every", (*every).into());
        }
        match &self.openings {
            Openings::Random(plies) => set("opening_plies", (*plies).into()),
            listed => set("openings", listed.in_json()),
        };
        set("temperature_plies", self.temperature_plies.into());
        members
    }

    fn playout(&self) -> Box<dyn Playout> {
        self.entry.playout(&self.variant).expect("the plan has a board")
    }

    /// Whether the plan can be played at all.
    ///
    /// # Errors
    /// Says which part of it is impossible.
    pub fn check(&self) -> Result<(), JobError> {
        let mut playout = self.playout();
        match &self.player {
            Player::Engine(spec) => {
                playout.set_engine(spec, 0).map_err(|error| JobError(format!("engine: {error}")))?;
            }
            Player::Stdio { .. } if playout.move_texts().is_none() => {
                let name = self.entry.name;
                return Err(JobError(format!("an evaluator cannot play {name}")));
            }
            Player::Stdio { .. } => {}
        }
        if let Some(teacher) = &self.teacher {
            let Player::Engine(spec) = &self.player else {
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
        play::opening(&mut *playout, self, 0, &mut GameRecord::default()).map_err(JobError::new)
    }
}

/// Reads the members of a job of this kind.
pub(super) fn read(members: &mut Members) -> Result<Box<dyn Kind>, JobError> {
    let (entry, variant) = members.board()?;
    let limits = members.limits()?;
    let load = |key: &str, text: &str| {
        let spec = text.parse().and_then(|spec: EngineSpec| spec.load(disk::weights));
        spec.map_err(|error| JobError(format!("{key}: {error}")))
    };
    let evaluator = members.take("evaluator");
    let player = match evaluator.as_ref().map(Value::as_str) {
        None => Player::Engine(load("engine", &members.text("engine")?)?),
        Some(Some("stdio")) => {
            let batch = members.number("batch")?.unwrap_or(BATCH.into());
            let batch = u32::try_from(batch).ok().filter(|batch| (1..=MAX_BATCH).contains(batch));
            Player::Stdio { batch: batch.ok_or_else(|| JobError(format!("batch must be 1 to {MAX_BATCH}")))? }
        }
        Some(_) => return Err(JobError::new("unknown evaluator; the only one is \"stdio\"")),
    };
    let teacher = members.take("teacher").map(|spec| load("teacher", spec.as_str().unwrap_or_default()));
    let teacher = teacher.transpose()?;
    let every = members.number("taught_every")?.unwrap_or(TAUGHT_EVERY.into());
    let every = u32::try_from(every).ok().filter(|every| (1..=MAX_TAUGHT_EVERY).contains(every));
    let every = every.ok_or_else(|| JobError(format!("taught_every must be 1 to {MAX_TAUGHT_EVERY}")))?;
    let teacher = teacher.map(|spec| Teacher { spec, every });
    let plan = Plan::new(entry, &variant, player)?;
    let mut plies = |key, default: usize| {
        let plies = members
            .number(key)?
            .map_or(Some(default), |plies| usize::try_from(plies).ok().filter(|_| plies <= MAX_PLIES));
        plies.ok_or_else(|| JobError(format!("{key} must be 0 to {MAX_PLIES}")))
    };
    let own_plies = (entry.opening_plies)(&entry.choose(&variant).map_err(JobError::new)?);
    let opening_plies = plies("opening_plies", own_plies)?;
    let temperature_plies = plies("temperature_plies", plan.temperature_plies)?;
    let openings = match members.texts("openings")? {
        None => Openings::Random(opening_plies),
        Some(texts) => Openings::listed(&texts, entry, &variant).map_err(JobError::new)?,
    };
    let limits = limits.or(plan.limits);
    let plan = Plan { teacher, openings, temperature_plies, limits, seed: members.seed, ..plan };
    plan.check()?;
    Ok(Box::new(plan))
}

impl Kind for Plan {
    fn layout(&self) -> RecordLayout {
        RecordLayout::Frames
    }

    fn header(&self) -> Map<String, Value> {
        let mut header = Map::new();
        let (is_deterministic, score) = match &self.player {
            Player::Engine(spec) => {
                let scale = self.playout().scale(spec.level);
                let score = scale.map(|ScoreUnit { unit, one, odds, bias, .. }| {
                    let mut score = json!({"unit": unit, "one": one, "odds": odds});
                    if bias != 0.0 {
                        score["bias"] = bias.into();
                    }
                    score
                });
                let teacher = self.teacher.as_ref().map(|teacher| &teacher.spec);
                let own = |spec: &EngineSpec| self.entry.limits_of(spec.level);
                let has_time = |spec: &EngineSpec| spec.limits.or(self.limits).or(own(spec)).have_time();
                (!has_time(spec) && !teacher.is_some_and(has_time), score)
            }
            Player::Stdio { .. } => (false, Some(json!({"unit": "result", "one": batch::ONE, "odds": null}))),
        };
        header.insert("deterministic".to_owned(), is_deterministic.into());
        header.insert("seed".to_owned(), self.seed.to_string().into());
        header.extend(self.members());
        header.insert("net".to_owned(), Value::Null);
        header.insert("score".to_owned(), score.unwrap_or_default());
        header.insert("moves".to_owned(), self.playout().move_texts().into());
        header
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, WorkError> {
        Ok(match &self.player {
            Player::Engine(spec) => Box::new(play::EngineGames::new(self, spec)),
            Player::Stdio { batch } => Box::new(batch::EvaluatorGames { plan: self, batch: *batch as usize }),
        })
    }

    fn takes_streams(&self) -> bool {
        matches!(self.player, Player::Stdio { .. })
    }
}
