//! The request for a match: the game, the players, and the rules of the match.

use std::sync::Arc;

use crate::ai::{EngineKind, EngineResources, EngineSpec, Limits, NetworkWeights};
use crate::game::Side;
use crate::play::TimeControl;
use crate::record::{DigitPairStrictness, GameRecord};
use crate::registry::{GAMES, GameStart, RegisteredGame, Variant};
use crate::thinking::ExternalProgram;

/// Mode of a game: the kinds of players, a replay or an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameMode {
    /// Mode 1: human against engine.
    HumanMachine,
    /// Mode 2: human against human.
    Humans,
    /// Mode 3: replay of a move file.
    Replay,
    /// Mode 4: engine against engine.
    Machines,
    /// Mode 5, in saved games only: analysis.
    Analysis,
}

impl GameMode {
    /// Returns the number of the mode on the command line and in saved games.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            GameMode::HumanMachine => 1,
            GameMode::Humans => 2,
            GameMode::Replay => 3,
            GameMode::Machines => 4,
            GameMode::Analysis => 5,
        }
    }
}

/// Side that the human takes against an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HumanSideChoice {
    /// The human moves first.
    First,
    /// The engine moves first.
    Second,
    /// The side is drawn at random for each game.
    Random,
}

impl From<Side> for HumanSideChoice {
    fn from(side: Side) -> Self {
        if side == Side::First { HumanSideChoice::First } else { HumanSideChoice::Second }
    }
}

/// Request for a game, from the command line, the menu or the command `new`.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Game, board and starting position.
    pub start: GameStart,
    /// Board settings chosen last, used if a file or the next board does not specify its own.
    pub settings: Variant,
    /// Mode of the game.
    pub mode: GameMode,
    /// Level of the engines; the default level of the game if `None`.
    pub level: Option<EngineKind>,
    /// Engine specification given in place of a level, with its network and constants.
    pub engine_spec: Option<EngineSpec>,
    /// Network for all levels that use one; the built-in network if `None`.
    pub net: Option<Arc<NetworkWeights>>,
    /// External engine that plays in place of a built-in level.
    pub program: Option<Arc<ExternalProgram>>,
    /// Side of the human in mode 1.
    pub play_as: HumanSideChoice,
    /// Search limits that override those of the level.
    pub limits: Limits,
    /// Threads and memory for the engines.
    pub resources: EngineResources,
    /// Time control; no clocks if `None`.
    pub time: Option<TimeControl>,
}

impl NewGame {
    /// Returns the default request for a game: mode 1 on the default board.
    #[must_use]
    pub fn for_game(entry: &'static RegisteredGame) -> Self {
        NewGame::from_start(GameStart::new(entry, Variant::default()))
    }

    /// Returns the default request for a game from this start position.
    #[must_use]
    pub fn from_start(start: GameStart) -> Self {
        NewGame {
            settings: start.variant.clone(),
            start,
            mode: GameMode::HumanMachine,
            level: None,
            engine_spec: None,
            net: None,
            program: None,
            play_as: HumanSideChoice::First,
            limits: Limits::default(),
            resources: EngineResources::DEFAULT,
            time: None,
        }
    }

    /// Returns the level of the engines.
    #[must_use]
    pub fn level(&self) -> EngineKind {
        self.level.unwrap_or(self.start.entry.default_level())
    }

    /// Sets the game, its board and its start position.
    pub fn set_start(&mut self, start: GameStart) {
        self.settings = start.variant.clone();
        self.start = start;
    }
}

/// Requests the first registered game in mode 1.
impl Default for NewGame {
    fn default() -> Self {
        NewGame::for_game(&GAMES[0])
    }
}

/// Behaviour of a match after the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterGameEnd {
    /// Offers human players a rematch. Without human players the match ends.
    Ask,
    /// Ends the match.
    Leave,
    /// Keeps the finished game on screen. Playback then has pauses and can be stopped.
    Stay,
}

/// Rules that apply to all games of a match.
#[derive(Clone, Copy, Debug)]
pub struct MatchRules {
    /// Random seed of the match; the same seed gives the same games.
    pub seed: u64,
    /// In strict mode, the first refused input ends the match.
    pub strictness: DigitPairStrictness,
    /// Behaviour after the end of a game.
    pub after_end: AfterGameEnd,
    /// `true` if the games are saved in journals.
    pub is_journalled: bool,
    /// Engine that reviews games.
    pub reviewer: ReviewEngine,
}

/// Engine for reviews: the adviser of the game, unless another level or limits are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReviewEngine {
    /// Level of the review engine; the adviser if `None`.
    pub level: Option<EngineKind>,
    /// Limits per position that override those of the engine.
    pub limits: Limits,
}

impl ReviewEngine {
    /// Returns the level and limits for reviews, given those of the game's adviser.
    ///
    /// If no limits are set, a requested level has its own limits, and the adviser has the limits
    /// `usual`.
    pub(super) fn resolve_engine(self, (adviser, usual): (EngineKind, Limits)) -> (EngineKind, Limits) {
        match self.level {
            Some(level) => (level, self.limits),
            None => (adviser, self.limits.or_if_unlimited(usual)),
        }
    }
}

impl Default for MatchRules {
    fn default() -> Self {
        MatchRules {
            seed: 1,
            strictness: DigitPairStrictness::Forgiving,
            after_end: AfterGameEnd::Ask,
            is_journalled: false,
            reviewer: ReviewEngine::default(),
        }
    }
}

/// Contents of a move file, with its path.
#[derive(Clone, Debug)]
pub struct MoveFile {
    /// Path of the file, escaped for display.
    pub path: String,
    /// Contents of the file.
    pub record: Box<GameRecord>,
}
