//! The request for a match: the game, the players, and the rules for all games of the match.

use std::sync::Arc;

use crate::ai::{EngineKind, EngineResources, EngineSpec, Limits, Weights};
use crate::game::Side;
use crate::play::TimeControl;
use crate::record::{GameRecord, Strictness};
use crate::registry::{Entry, GAMES, GameStart, Variant};
use crate::thinking::ExternalProgram;

/// Kinds of players that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 1: human against engine.
    HumanMachine,
    /// 2: human against human.
    Humans,
    /// 3: a move file.
    Replay,
    /// 4: engine against engine.
    Machines,
    /// 5 in saved games: an analysis.
    Analysis,
}

impl Mode {
    /// Returns the number on the command line, or in a saved game.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Mode::HumanMachine => 1,
            Mode::Humans => 2,
            Mode::Replay => 3,
            Mode::Machines => 4,
            Mode::Analysis => 5,
        }
    }
}

/// Side that the human takes against an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayAs {
    /// The human begins.
    First,
    /// The engine begins.
    Second,
    /// Drawn anew for each game.
    Random,
}

impl From<Side> for PlayAs {
    fn from(side: Side) -> Self {
        if side == Side::First { PlayAs::First } else { PlayAs::Second }
    }
}

/// Request for a game, from the command line, the menu and the command `new` alike.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Game, board and starting position.
    pub start: GameStart,
    /// Settings that were chosen last: they hold where a file or the next board gives none of its
    /// own.
    pub settings: Variant,
    /// Kinds of players.
    pub mode: Mode,
    /// Level of the engines; the game's own default if not given.
    pub level: Option<EngineKind>,
    /// Engine that was named in place of a level: its network and its constants.
    pub own: Option<EngineSpec>,
    /// Network of all levels that play by one, if not the built-in one.
    pub net: Option<Arc<Weights>>,
    /// External engine that plays in place of the built-in one.
    pub program: Option<Arc<ExternalProgram>>,
    /// The human's side in mode 1.
    pub play_as: PlayAs,
    /// Limits that replace those of the engines' level.
    pub limits: Limits,
    /// Threads and memory that the engines may use.
    pub resources: EngineResources,
    /// Clocks, if there are any.
    pub time: Option<TimeControl>,
}

impl NewGame {
    /// Returns the request for the game without any wishes: mode 1 on the usual board.
    #[must_use]
    pub fn of(entry: &'static Entry) -> Self {
        NewGame::on(GameStart::new(entry, Variant::default()))
    }

    /// Returns the request for a game from this start.
    #[must_use]
    pub fn on(start: GameStart) -> Self {
        NewGame {
            settings: start.variant.clone(),
            start,
            mode: Mode::HumanMachine,
            level: None,
            own: None,
            net: None,
            program: None,
            play_as: PlayAs::First,
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

    /// Chooses the game, its board and its start.
    pub fn choose(&mut self, start: GameStart) {
        self.settings = start.variant.clone();
        self.start = start;
    }
}

/// Requests the usual game.
impl Default for NewGame {
    fn default() -> Self {
        NewGame::of(&GAMES[0])
    }
}

/// Course of a match once a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterEnd {
    /// People are asked about another game; without people the match is left.
    Ask,
    /// The match is left.
    Leave,
    /// The game stays, and nothing is asked. Replays and matches of engines have pauses and can be stopped.
    Stay,
}

/// Rules for all games of a match.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Random seed: the same seed gives the same game.
    pub seed: u64,
    /// Handling of refusals: the first one may end the match.
    pub strictness: Strictness,
    /// Course of the match once a game is over.
    pub after_end: AfterEnd,
    /// `true` if a journal saves the games.
    pub is_journalled: bool,
    /// Engine that reviews games.
    pub reviewer: Reviewer,
}

/// Engine that reviews games: the adviser of the game, unless another engine or other limits are
/// requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reviewer {
    /// The engine; the adviser if not given.
    pub level: Option<EngineKind>,
    /// Limits that replace its own, for each position.
    pub limits: Limits,
}

impl Reviewer {
    /// Returns the engine that reviews a game with this adviser, and its limits; none are those of
    /// its level.
    pub(super) fn of(self, (adviser, usual): (EngineKind, Limits)) -> (EngineKind, Limits) {
        match self.level {
            Some(level) => (level, self.limits),
            None => (adviser, self.limits.or(usual)),
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            seed: 1,
            strictness: Strictness::Forgiving,
            after_end: AfterEnd::Ask,
            is_journalled: false,
            reviewer: Reviewer::default(),
        }
    }
}

/// Move file that is shown.
#[derive(Clone, Debug)]
pub struct MoveFile {
    /// Its path, safe to show.
    pub path: String,
    /// Its contents.
    pub record: Box<GameRecord>,
}
