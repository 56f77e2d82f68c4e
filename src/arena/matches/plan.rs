//! Plan of a match: its engines, openings, number of pairs and limits.
//!
//! This module does not depend on any particular game.

use std::sync::Arc;
use std::time::Duration;

use super::opening::Opening;
use super::openings::{Openings, OpeningsError};
use crate::ai::{EngineSpec, EngineSpecError, Limits, NoSuchLevel};
use crate::arena::stats::sprt::Sprt;
use crate::external::EngineTimeouts;
use crate::game::{Refusal, Side};
use crate::record::disk;
use crate::registry::{BoardSetupError, RegisteredGame, Variant};
use crate::session::{EngineError, Position, PositionHistory};
use crate::thinking::{ExternalProgram, ExternalProgramError, ExternalProtocol};

/// Engine that takes part in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// Name of the engine in the report.
    pub name: String,
    /// The engine itself.
    pub player: ContestantEngine,
    /// Search limits of this engine, which override those of the match.
    pub limits: Limits,
}

/// Engine that plays in a match: a built-in level or an external program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContestantEngine {
    /// Built-in engine, which runs in this process.
    Level(EngineSpec),
    /// External program.
    Program(Arc<ExternalProgram>),
}

/// Reasons why a text does not describe an engine for a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    /// The name is too long.
    #[error("the name has {0} characters; use at most {max}", max = Refusal::MAX_EXCERPT_CHARS)]
    Name(usize),
    /// The text is not a valid engine specification.
    #[error(transparent)]
    Unreadable(EngineSpecError),
    /// The specification of the external program is invalid.
    #[error(transparent)]
    Program(#[from] ExternalProgramError),
    /// The network file cannot be loaded.
    #[error("{0}")]
    Network(EngineSpecError),
    /// The engine cannot be built: the game does not have its level, or a setting does not fit.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Contestant {
    /// Creates a contestant from its name and specification for the game of `start`. See [`EngineSpec`] and
    /// [`ExternalProgram`].
    ///
    /// # Errors
    /// Returns an error if the specification names no engine of this game, the engine cannot be built, or
    /// the name has more than 24 characters.
    pub fn new(name: &str, spec: &str, start: &dyn Position) -> Result<Self, ContestantError> {
        let length = name.chars().count();
        if length > Refusal::MAX_EXCERPT_CHARS {
            return Err(ContestantError::Name(length));
        }
        let (name, levels) = (Refusal::sanitize_excerpt(name), start.levels());
        if ExternalProgram::looks_like_program_name(spec) {
            let spec: ExternalProgram = spec.parse()?;
            spec.check_supports_game(start.game_name())?;
            let limits = spec.limits();
            return Ok(Contestant { name, player: ContestantEngine::Program(Arc::new(spec)), limits });
        }
        let spec = spec
            .parse()
            .and_then(|spec: EngineSpec| spec.load_weights(disk::load_network_weights))
            .map_err(|error| match error {
                EngineSpecError::Level(got) => EngineError::from(NoSuchLevel {
                    got: Refusal::sanitize_excerpt(&got),
                    levels: levels.clone(),
                })
                .into(),
                error @ EngineSpecError::Net(..) => ContestantError::Network(error),
                EngineSpecError::Kind(kind) => ExternalProgramError::NoEngine(kind).into(),
                error => ContestantError::Unreadable(error),
            })?;
        // Builds the engine once, so that a match with a broken network does not start.
        start.build_engine(spec.level, &spec.config_for_side(0, Side::First))?;
        let limits = spec.limits;
        Ok(Contestant { name, player: ContestantEngine::Level(spec), limits })
    }
}

impl ContestantEngine {
    /// Returns the search limits in the specification of the engine.
    pub(in crate::arena) fn limits(&self) -> Limits {
        match self {
            ContestantEngine::Level(spec) => spec.limits,
            ContestantEngine::Program(spec) => spec.limits(),
        }
    }

    /// Returns the specification of the engine, as on the command line and in records.
    #[must_use]
    pub fn spec(&self) -> String {
        match self {
            ContestantEngine::Level(spec) => spec.to_string(),
            ContestantEngine::Program(spec) => spec.to_string(),
        }
    }
}

/// Reasons why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchPlanError {
    /// The board does not exist.
    #[error(transparent)]
    Board(#[from] BoardSetupError),
    /// The text is not of the form `NAME=SPEC`.
    #[error("engine {0:?} is not NAME=SPEC, such as a=level:5{1}")]
    Unreadable(String, String),
    /// The text names an engine that cannot play.
    #[error("engine {0}: {1}")]
    Contestant(String, ContestantError),
    /// The match does not have two engines with different names.
    #[error("a match needs at least two engines with different names")]
    NotTwo,
    /// Two engines of a tournament have the same name.
    #[error("two engines are called {0}; use different names")]
    SameName(String),
    /// There are more engines than a tournament may have.
    #[error("a tournament has at most {MAX_TOURNAMENT_ENGINES} engines, not {0}")]
    TooMany(usize),
    /// The openings are invalid.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An `ep5` engine cannot start from an opening.
    #[error("engine {0}: ep5 engines play whole games only, so the openings must be \"none\"")]
    NoOpenings(String),
    /// An external program does not support the board.
    #[error("engine {0}: {1}")]
    NoBoard(String, EngineError),
    /// An SPRT was requested for more than two engines.
    #[error("sprt compares two engines, not {0}")]
    TestOfMany(usize),
}

/// Error for an unknown engine name, with the names of the engines that play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine {0}; engines are {1}")]
pub struct NoSuchEngine(String, String);

impl NoSuchEngine {
    /// Finds the index of an engine by its name.
    pub(super) fn find_index(name: &str, names: &[String]) -> Result<usize, Self> {
        let number = names.iter().position(|known| known == name);
        number.ok_or_else(|| NoSuchEngine(Refusal::sanitize_excerpt(name), names.join(", ")))
    }
}

/// Plan of a match or tournament.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The game.
    pub entry: &'static RegisteredGame,
    /// Board of the game.
    pub variant: Variant,
    /// Engines of the match. In each pairing, the first one plays First in the first game of a pair.
    pub engines: Vec<Contestant>,
    /// `true` for a gauntlet, in which all games are between the first engine and one of the
    /// others.
    pub is_gauntlet: bool,
    /// Openings of the games.
    pub openings: Openings,
    /// Maximum number of pairs of games per pairing.
    pub pairs: u64,
    /// SPRT that may end the match early.
    pub sprt: Option<Sprt>,
    /// Random seed of openings and engines.
    pub seed: u64,
    /// Search limits, which override those of the levels.
    pub limits: Limits,
    /// Timeouts for answers of external programs.
    pub timeouts: EngineTimeouts,
    /// Number of plies after which a game is a draw.
    pub max_plies: usize,
    /// Number of pairs played at the same time.
    pub threads: usize,
}

/// Default number of plies after which a game is a draw.
const DEFAULT_MAX_PLIES: usize = 10_000;
/// Default time by which an answer may exceed its time limit.
const DEFAULT_ANSWER_MARGIN: Duration = Duration::from_millis(100);
/// Maximum number of engines in a tournament.
pub(in crate::arena) const MAX_TOURNAMENT_ENGINES: usize = 100;

impl MatchPlan {
    /// Creates a match of 100 pairs between engines given as `NAME=SPEC`. See [`EngineSpec`] and
    /// [`ExternalProgram`].
    ///
    /// # Errors
    /// Returns an error that names the invalid part.
    pub fn new(
        entry: &'static RegisteredGame,
        variant: &Variant,
        engines: &[String],
        openings: Option<&str>,
    ) -> Result<Self, MatchPlanError> {
        let start = entry.start_position(variant)?;
        let engines: Vec<Contestant> =
            engines.iter().map(|text| parse_contestant(text, &*start)).collect::<Result<_, _>>()?;
        let openings = openings
            .map(|text| Openings::parse_or_load(text, entry, &board_for_engines(entry, variant, &engines)))
            .transpose()?;
        MatchPlan::with_engines(entry, variant, engines, openings)
    }

    /// Creates a match of 100 pairs between these engines. The openings must fit the board of
    /// [`board_for_engines`]; the default is the random openings of the game.
    pub(in crate::arena) fn with_engines(
        entry: &'static RegisteredGame,
        variant: &Variant,
        engines: Vec<Contestant>,
        openings: Option<Openings>,
    ) -> Result<Self, MatchPlanError> {
        if engines.len() < 2 || engines.len() == 2 && engines[0].name == engines[1].name {
            return Err(MatchPlanError::NotTwo);
        }
        let is_known = |i: usize| engines[..i].iter().any(|other| other.name == engines[i].name);
        if let Some(i) = (0..engines.len()).find(|&i| is_known(i)) {
            return Err(MatchPlanError::SameName(engines[i].name.clone()));
        }
        if engines.len() > MAX_TOURNAMENT_ENGINES {
            return Err(MatchPlanError::TooMany(engines.len()));
        }
        let variant = board_for_engines(entry, variant, &engines);
        let own = Openings::Random((entry.opening_plies)(&entry.resolve_board(&variant)?));
        let openings = openings.unwrap_or(own);
        let takes_none = |engine: &&Contestant| match &engine.player {
            ContestantEngine::Program(spec) => spec.protocol() == Some(ExternalProtocol::Ep5),
            ContestantEngine::Level(_) => false,
        };
        if let Some(engine) = engines.iter().find(takes_none).filter(|_| !openings.start_from_empty_board()) {
            return Err(MatchPlanError::NoOpenings(engine.name.clone()));
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
            timeouts: EngineTimeouts { margin: Some(DEFAULT_ANSWER_MARGIN), ..EngineTimeouts::default() },
            max_plies: DEFAULT_MAX_PLIES,
            threads: 1,
        })
    }

    /// Returns the pairings of the match as pairs of engine indices, in order.
    #[must_use]
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        list_pairings(self.engines.len(), self.is_gauntlet)
    }

    /// Returns the total number of pairs of games of all pairings, if no test ends the match early.
    pub(super) fn total_pairs(&self) -> u64 {
        self.pairs.saturating_mul(self.pairings().len() as u64)
    }

    /// Returns the opening of a unit.
    pub(super) fn opening_for_unit(&self, unit: u64) -> Result<Opening, OpeningsError> {
        let pair = unit / self.pairings().len().max(1) as u64;
        self.openings.opening_for_unit(
            || self.new_game(),
            self.entry.reference_engine(),
            self.seed,
            (unit, pair),
        )
    }

    /// Returns the names of the engines.
    pub(super) fn engine_names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// Returns a mutable reference to the engine with this name.
    ///
    /// # Errors
    /// Returns an error that lists the engine names if there is none with this name.
    pub(crate) fn engine_mut(&mut self, name: &str) -> Result<&mut Contestant, NoSuchEngine> {
        let engine = NoSuchEngine::find_index(name, &self.engine_names())?;
        Ok(&mut self.engines[engine])
    }

    /// Checks that the settings are compatible and that there is an opening for the first pair.
    ///
    /// # Errors
    /// Returns an error if the settings are incompatible or there is no opening.
    pub fn validate(&self) -> Result<(), MatchPlanError> {
        if self.sprt.is_some() && self.engines.len() > 2 {
            return Err(MatchPlanError::TestOfMany(self.engines.len()));
        }
        for Contestant { name, player, .. } in &self.engines {
            if let ContestantEngine::Program(spec) = player {
                let checked = spec.check_board(&**self.new_game().current());
                checked.map_err(|why| MatchPlanError::NoBoard(name.clone(), why))?;
            }
        }
        Ok(self.opening_for_unit(0).map(|_| ())?)
    }

    /// Creates a game on the board of the match, before its first move.
    pub(in crate::arena) fn new_game(&self) -> PositionHistory {
        self.entry.new_history(&self.variant).expect("the plan has opened this board before")
    }
}

/// Lists the pairings of a match as pairs of engine indices, in order.
pub(super) fn list_pairings(engines: usize, is_gauntlet: bool) -> Vec<[usize; 2]> {
    let all = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
    all.filter(|[a, _]| !is_gauntlet || *a == 0).collect()
}

/// Parses `NAME=SPEC`.
fn parse_contestant(text: &str, start: &dyn Position) -> Result<Contestant, MatchPlanError> {
    let unreadable = |why: String| MatchPlanError::Unreadable(text.to_owned(), why);
    let named = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, spec) = named.ok_or_else(|| unreadable(String::new()))?;
    Contestant::new(name, spec, start).map_err(|why| match why {
        ContestantError::Unreadable(_) | ContestantError::Program(ExternalProgramError::NoEngine(_)) => {
            unreadable(format!(": {why}"))
        }
        why => MatchPlanError::Contestant(Refusal::sanitize_excerpt(name), why),
    })
}

/// Returns the board for these engines. The swap rule is off by default if an external program plays,
/// because few programs support it and the sides are swapped within each pair anyway.
pub(in crate::arena) fn board_for_engines(
    entry: &'static RegisteredGame,
    variant: &Variant,
    engines: &[Contestant],
) -> Variant {
    let has_programs = engines.iter().any(|engine| matches!(engine.player, ContestantEngine::Program(_)));
    let mut variant = variant.clone();
    if has_programs && variant.value("swap").is_none() && entry.resolved_setting(&variant, "swap").is_some() {
        variant.set_setting("swap", "off");
    }
    variant
}
