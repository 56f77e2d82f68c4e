//! Plan of a match: its engines, its openings, its number of pairs, its limits. Knows sessions, levels and programs, no
//! particular game.

use std::sync::Arc;
use std::time::Duration;

use super::opening::Opening;
use super::openings::{Openings, OpeningsError};
use crate::ai::{EngineSpec, Limits, NoSuchLevel, SpecError};
use crate::arena::stats::sprt::Sprt;
use crate::external::Timeouts;
use crate::game::{Refusal, Side};
use crate::record::disk;
use crate::registry::{Entry, OpenError, Variant};
use crate::session::{EngineError, History, Position};
use crate::thinking::{ExternalProgram, ExternalProgramError, Language};

/// One of the engines of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// Its name in the report.
    pub name: String,
    /// The engine.
    pub player: ContestantEngine,
    /// Limits of its own, which replace those of the match.
    pub limits: Limits,
}

/// Engine that plays: a level or another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContestantEngine {
    /// A level of this program, on a thread of it.
    Level(EngineSpec),
    /// Another program.
    Program(Arc<ExternalProgram>),
}

/// Why a text names no player of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    /// Its name would be cut.
    #[error("the name has {0} characters; use at most {max}", max = Refusal::MAX_SHOWN)]
    Name(usize),
    /// It is not written as a player is.
    #[error(transparent)]
    Unreadable(SpecError),
    /// A program is not written as it must be.
    #[error(transparent)]
    Program(#[from] ExternalProgramError),
    /// Its network cannot be read.
    #[error("{0}")]
    Network(SpecError),
    /// The game has no such level, or none that can be built so.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Contestant {
    /// A contestant from its name and its spec, in the game of this position; see [`EngineSpec`] and [`ExternalProgram`].
    ///
    /// # Errors
    /// If the spec names no player of this game, or one that cannot be built, or the name has more than 24 characters.
    pub fn new(name: &str, spec: &str, start: &dyn Position) -> Result<Self, ContestantError> {
        let length = name.chars().count();
        if length > Refusal::MAX_SHOWN {
            return Err(ContestantError::Name(length));
        }
        let (name, levels) = (Refusal::shown(name), start.levels());
        if ExternalProgram::is_meant_by(spec) {
            let spec: ExternalProgram = spec.parse()?;
            spec.check_game(start.name())?;
            let limits = spec.limits();
            return Ok(Contestant { name, player: ContestantEngine::Program(Arc::new(spec)), limits });
        }
        let spec =
            spec.parse().and_then(|spec: EngineSpec| spec.load(disk::weights)).map_err(
                |error| match error {
                    SpecError::Level(got) => {
                        EngineError::from(NoSuchLevel { got: Refusal::shown(&got), levels: levels.clone() })
                            .into()
                    }
                    error @ SpecError::Net(..) => ContestantError::Network(error),
                    SpecError::Kind(kind) => ExternalProgramError::NoEngine(kind).into(),
                    error => ContestantError::Unreadable(error),
                },
            )?;
        // One is built on trial, so that a match with a broken network does not begin.
        start.machine(spec.level, &spec.config(0, Side::First))?;
        let limits = spec.limits;
        Ok(Contestant { name, player: ContestantEngine::Level(spec), limits })
    }
}

impl ContestantEngine {
    /// The limits that its spec names.
    pub(in crate::arena) fn limits(&self) -> Limits {
        match self {
            ContestantEngine::Level(spec) => spec.limits,
            ContestantEngine::Program(spec) => spec.limits(),
        }
    }

    /// Returns its name on the command line and in records.
    #[must_use]
    pub fn spec(&self) -> String {
        match self {
            ContestantEngine::Level(spec) => spec.to_string(),
            ContestantEngine::Program(spec) => spec.to_string(),
        }
    }
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The board does not exist.
    #[error(transparent)]
    Board(#[from] OpenError),
    /// An engine is not written as it must be.
    #[error("engine {0:?} is not NAME=SPEC, such as a=level:5{1}")]
    Unreadable(String, String),
    /// It names a program or a level, but none that can play.
    #[error("engine {0}: {1}")]
    Contestant(String, ContestantError),
    /// Two engines have one name, or there are not two.
    #[error("a match needs at least two engines with different names")]
    NotTwo,
    /// Two of many engines have one name.
    #[error("two engines are called {0}; use different names")]
    SameName(String),
    /// More engines than a report can tell about.
    #[error("a tournament has at most {MAX_ENGINES} engines, not {0}")]
    TooMany(usize),
    /// The openings are wrong.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// Programs that take only moves cannot be given an opening.
    #[error("engine {0}: ep5 engines play whole games only, so the openings must be \"none\"")]
    NoOpenings(String),
    /// A program cannot be told of the board.
    #[error("engine {0}: {1}")]
    NoBoard(String, EngineError),
    /// A test is for two.
    #[error("sprt compares two engines, not {0}")]
    TestOfMany(usize),
}

/// The name of an engine that does not play, and the names of those that do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine {0}; engines are {1}")]
pub struct NoSuchEngine(String, String);

impl NoSuchEngine {
    /// Finds the number of an engine among these.
    pub(super) fn find(name: &str, names: &[String]) -> Result<usize, Self> {
        let number = names.iter().position(|known| known == name);
        number.ok_or_else(|| NoSuchEngine(Refusal::shown(name), names.join(", ")))
    }
}

/// A match to be played, or a tournament.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The game.
    pub entry: &'static Entry,
    /// Its board.
    pub variant: Variant,
    /// The engines; of two that meet the first has First in the first game of each pair.
    pub engines: Vec<Contestant>,
    /// `true` if the first engine meets each other one, and these do not meet.
    pub is_gauntlet: bool,
    /// Openings of the games.
    pub openings: Openings,
    /// Pairs of games of each meeting, at most.
    pub pairs: u64,
    /// The test that may end the match earlier.
    pub sprt: Option<Sprt>,
    /// The seed of openings and engines.
    pub seed: u64,
    /// Limits that replace the levels' own.
    pub limits: Limits,
    /// Time for which programs are waited for.
    pub patience: Timeouts,
    /// Number of plies that makes a draw; the game's own longest length unless one is given.
    pub max_plies: usize,
    /// Number of pairs that are played at a time.
    pub threads: usize,
}

/// A game longer than any is a draw.
const MAX_PLIES: usize = 10_000;
/// Time by which an answer may be late.
const MARGIN: Duration = Duration::from_millis(100);
/// The most engines of a tournament.
pub(in crate::arena) const MAX_ENGINES: usize = 100;

impl MatchPlan {
    /// A match of 100 pairs between engines written `NAME=SPEC`; see [`EngineSpec`] and [`ExternalProgram`].
    ///
    /// # Errors
    /// Says which part is wrong.
    pub fn new(
        entry: &'static Entry,
        variant: &Variant,
        engines: &[String],
        openings: Option<&str>,
    ) -> Result<Self, PlanError> {
        let start = entry.start(variant)?;
        let engines: Vec<Contestant> =
            engines.iter().map(|text| contestant(text, &*start)).collect::<Result<_, _>>()?;
        let openings = openings
            .map(|text| Openings::read(text, entry, &board_of(entry, variant, &engines)))
            .transpose()?;
        MatchPlan::between(entry, variant, engines, openings)
    }

    /// A match of 100 pairs between these engines; with the game's own openings unless others are given, which have to fit
    /// the board of [`board_of`].
    pub(in crate::arena) fn between(
        entry: &'static Entry,
        variant: &Variant,
        engines: Vec<Contestant>,
        openings: Option<Openings>,
    ) -> Result<Self, PlanError> {
        if engines.len() < 2 || engines.len() == 2 && engines[0].name == engines[1].name {
            return Err(PlanError::NotTwo);
        }
        let is_known = |i: usize| engines[..i].iter().any(|other| other.name == engines[i].name);
        if let Some(i) = (0..engines.len()).find(|&i| is_known(i)) {
            return Err(PlanError::SameName(engines[i].name.clone()));
        }
        if engines.len() > MAX_ENGINES {
            return Err(PlanError::TooMany(engines.len()));
        }
        let variant = board_of(entry, variant, &engines);
        let own = Openings::Random((entry.opening_plies)(&entry.choose(&variant)?));
        let openings = openings.unwrap_or(own);
        let takes_none = |engine: &&Contestant| match &engine.player {
            ContestantEngine::Program(spec) => spec.language() == Some(Language::Ep5),
            ContestantEngine::Level(_) => false,
        };
        if let Some(engine) = engines.iter().find(takes_none).filter(|_| !openings.are_none()) {
            return Err(PlanError::NoOpenings(engine.name.clone()));
        }
        Ok(MatchPlan {
            entry,
            variant,
            engines,
            is_gauntlet: false,
            openings,
            pairs: 100,
            sprt: None,
            seed: 1,
            limits: Limits::default(),
            patience: Timeouts { margin: Some(MARGIN), ..Timeouts::default() },
            max_plies: MAX_PLIES,
            threads: 1,
        })
    }

    /// The pairs of engines that meet, in the order in which they do.
    #[must_use]
    pub fn meetings(&self) -> Vec<[usize; 2]> {
        meetings(self.engines.len(), self.is_gauntlet)
    }

    /// Returns the largest number of pairs.
    pub(super) fn units(&self) -> u64 {
        self.pairs.saturating_mul(self.meetings().len() as u64)
    }

    /// Returns the opening of a unit.
    pub(super) fn opening(&self, unit: u64) -> Result<Opening, OpeningsError> {
        let pair = unit / self.meetings().len().max(1) as u64;
        self.openings.of_unit(|| self.history(), self.entry.reference(), self.seed, (unit, pair))
    }

    /// Returns the names of the engines.
    pub(super) fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// The engine of this name.
    ///
    /// # Errors
    /// Names the engines there are.
    pub(crate) fn engine_mut(&mut self, name: &str) -> Result<&mut Contestant, NoSuchEngine> {
        let engine = NoSuchEngine::find(name, &self.names())?;
        Ok(&mut self.engines[engine])
    }

    /// Looks for the first opening, and at what does not go together.
    ///
    /// # Errors
    /// If there is none.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.sprt.is_some() && self.engines.len() > 2 {
            return Err(PlanError::TestOfMany(self.engines.len()));
        }
        for Contestant { name, player, .. } in &self.engines {
            if let ContestantEngine::Program(spec) = player {
                let checked = spec.check_board(&**self.history().now());
                checked.map_err(|why| PlanError::NoBoard(name.clone(), why))?;
            }
        }
        Ok(self.opening(0).map(|_| ())?)
    }

    /// A game before its first move.
    pub(in crate::arena) fn history(&self) -> History {
        self.entry.history(&self.variant).expect("the plan has opened this board before")
    }
}

/// Lists the pairs of engines that meet, in the order in which they do.
pub(super) fn meetings(engines: usize, is_gauntlet: bool) -> Vec<[usize; 2]> {
    let all = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
    all.filter(|[a, _]| !is_gauntlet || *a == 0).collect()
}

/// Reads `NAME=SPEC`.
fn contestant(text: &str, start: &dyn Position) -> Result<Contestant, PlanError> {
    let unreadable = |why: String| PlanError::Unreadable(text.to_owned(), why);
    let named = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, spec) = named.ok_or_else(|| unreadable(String::new()))?;
    Contestant::new(name, spec, start).map_err(|why| match why {
        ContestantError::Unreadable(_) | ContestantError::Program(ExternalProgramError::NoEngine(_)) => {
            unreadable(format!(": {why}"))
        }
        why => PlanError::Contestant(Refusal::shown(name), why),
    })
}

/// The board on which these engines play. Programs rarely know the swap; seats are exchanged in any case.
pub(in crate::arena) fn board_of(
    entry: &'static Entry,
    variant: &Variant,
    engines: &[Contestant],
) -> Variant {
    let has_programs = engines.iter().any(|engine| matches!(engine.player, ContestantEngine::Program(_)));
    let mut variant = variant.clone();
    if has_programs && variant.value("swap").is_none() && entry.setting(&variant, "swap").is_some() {
        variant.set("swap", "off");
    }
    variant
}
