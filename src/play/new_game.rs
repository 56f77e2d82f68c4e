//! What is asked for before a match begins: which game, who plays, and what holds for all games of the match.

use std::sync::Arc;

use crate::ai::{EngineKind, EngineResources, EngineSpec, Limits, Weights};
use crate::game::Side;
use crate::play::TimeControl;
use crate::record::{GameRecord, Strictness};
use crate::registry::{Entry, GAMES, GameStart, Variant};
use crate::thinking::ExternalProgram;

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 1: human against machine.
    HumanMachine,
    /// 2: human against human.
    Humans,
    /// 3: a move file.
    Replay,
    /// 4: machine against machine.
    Machines,
    /// 5 in saved games: an analysis.
    Analysis,
}

impl Mode {
    /// The number on the command line, or in a saved game.
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

/// Which side the human takes against a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayAs {
    /// The human begins.
    First,
    /// The machine begins.
    Second,
    /// Drawn anew for each game.
    Random,
}

impl From<Side> for PlayAs {
    fn from(side: Side) -> Self {
        if side == Side::First { PlayAs::First } else { PlayAs::Second }
    }
}

/// What is to be played: the request of the command line, of the menu and of the word `new` alike.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The game, its board and the position from which it begins.
    pub start: GameStart,
    /// The settings that were chosen last: they hold where a file or the next board says nothing of its own.
    pub settings: Variant,
    /// Who plays.
    pub mode: Mode,
    /// The machines' strength; the game's own default if not given.
    pub level: Option<EngineKind>,
    /// The engine that was named in place of a level: its network and its constants.
    pub own: Option<EngineSpec>,
    /// The network of all levels that play by one, where that is not the program's own.
    pub net: Option<Arc<Weights>>,
    /// The program that plays in place of the machines.
    pub program: Option<Arc<ExternalProgram>>,
    /// The human's side in mode 1.
    pub play_as: PlayAs,
    /// Limits that replace those of the machines' level.
    pub limits: Limits,
    /// What the machines may use of the machine they run on.
    pub resources: EngineResources,
    /// The clocks, if there are any.
    pub time: Option<TimeControl>,
}

impl NewGame {
    /// The game as it is played where nothing more is said: mode 1 on the usual board.
    #[must_use]
    pub fn of(entry: &'static Entry) -> Self {
        NewGame::on(GameStart::new(entry, Variant::default()))
    }

    /// The same from this start.
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

    /// The machines' strength.
    #[must_use]
    pub fn level(&self) -> EngineKind {
        self.level.unwrap_or(self.start.entry.default_level())
    }

    /// Chooses what is played.
    pub fn choose(&mut self, start: GameStart) {
        self.settings = start.variant.clone();
        self.start = start;
    }
}

/// The usual game, for those who have nothing to say about it.
impl Default for NewGame {
    fn default() -> Self {
        NewGame::of(&GAMES[0])
    }
}

/// What becomes of a match when a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterEnd {
    /// People are asked for another game; where nobody plays the match is left.
    Ask,
    /// The match is left.
    Leave,
    /// The game stays, and nothing is asked. Replays and matches of engines have pauses and can be stopped.
    Stay,
}

/// What holds for all games of a match.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The random seed: the same seed, the same game.
    pub seed: u64,
    /// Whether the first refusal ends the match.
    pub strictness: Strictness,
    /// What becomes of a game that is over.
    pub after_end: AfterEnd,
    /// `true` if a journal keeps the games.
    pub is_journalled: bool,
    /// Who reviews games.
    pub reviewer: Reviewer,
}

/// Who reviews games: the adviser of the game, unless another engine or other limits are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reviewer {
    /// The engine; the adviser if not given.
    pub level: Option<EngineKind>,
    /// Limits that replace its own, for each position.
    pub limits: Limits,
}

impl Reviewer {
    /// The engine that reviews a game with this adviser, and its limits; none are those of its level.
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

/// A move file that is shown.
#[derive(Clone, Debug)]
pub struct MoveFile {
    /// Its path, safe to show.
    pub path: String,
    /// What it tells.
    pub record: Box<GameRecord>,
}
