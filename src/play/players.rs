//! The players: the seats of a contest. Knows no moves.

use rand::RngExt;

use crate::ai::{EngineConfig, EngineKind};
use crate::game::{BySide, Side};
use crate::play::{Mode, NewGame, PlayAs};
use crate::random::{Generator, WHO_STARTS, mix, stream};
use crate::thinking::{EnginePlayer, EngineSeat};

/// Player of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person.
    Human,
    /// An engine.
    Engine(EngineSeat),
}

/// Random numbers of a match: the side that begins where that is drawn, and the seeds of engines.
#[derive(Debug)]
pub(super) struct Chance {
    seed: u64,
    draws: Box<Generator>,
    /// Number of times that engines were seated, so that each has random numbers of its own.
    seatings: u64,
}

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Chance { seed, draws: Box::new(stream(seed, WHO_STARTS)), seatings: 0 }
    }

    /// Returns the players of a game that begins, by its mode; its engines play by this seed, if it
    /// is given.
    pub(super) fn players(&mut self, spec: &NewGame, seed: Option<u64>) -> Players {
        if spec.mode != Mode::Humans {
            self.seatings += 1;
        }
        let own = match self.seatings.saturating_sub(1) {
            0 => self.seed,
            game => mix(self.seed, game),
        };
        let human = match spec.play_as {
            PlayAs::Random if spec.mode == Mode::HumanMachine => Side::BOTH[self.draws.random_range(0..2)],
            PlayAs::First | PlayAs::Random => Side::First,
            PlayAs::Second => Side::Second,
        };
        Players::of(spec, seed.unwrap_or(own), human)
    }
}

/// Players of both sides.
#[derive(Clone, Debug)]
pub struct Players {
    seats: BySide<Seat>,
    /// Random seed of the engines.
    pub(super) seed: u64,
}

impl Players {
    /// Returns the players that a game asks for; a person against an engine has the side `human`.
    #[must_use]
    pub fn of(spec: &NewGame, seed: u64, human: Side) -> Self {
        let level = spec.level();
        let seat = |side: Side| match spec.mode {
            Mode::Humans => Seat::Human,
            Mode::HumanMachine if side == human => Seat::Human,
            _ => {
                let own = spec.own.as_ref().filter(|own| own.level == level);
                let mut config =
                    own.map_or_else(|| EngineConfig::for_side(seed, side), |own| own.config(seed, side));
                config.weights = config.weights.or_else(|| spec.net.clone());
                config.resources = config.resources.or(spec.resources);
                let player = spec.program.clone().map_or(EnginePlayer::Own(level), EnginePlayer::External);
                Seat::Engine(EngineSeat { player, config, turn: 0 })
            }
        };
        Players { seats: BySide::new(seat(Side::First), seat(Side::Second)), seed }
    }

    /// Returns the player of a side.
    #[must_use]
    pub fn seat(&self, side: Side) -> &Seat {
        &self.seats[side]
    }

    /// Reports whether a person plays this side.
    #[must_use]
    pub fn is_human(&self, side: Side) -> bool {
        self.seats[side] == Seat::Human
    }

    /// Reports whether a person plays.
    #[must_use]
    pub fn has_human(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.is_human(side))
    }

    /// Reports whether an engine plays.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        !Side::BOTH.into_iter().all(|side| self.is_human(side))
    }

    /// Returns the side of the one person, where exactly one plays.
    #[must_use]
    pub fn only_human(&self) -> Option<Side> {
        let mut humans = Side::BOTH.into_iter().filter(|&side| self.is_human(side));
        humans.next().filter(|_| humans.next().is_none())
    }

    /// Gives the engines another level.
    pub(super) fn set_level(&mut self, level: EngineKind) {
        for side in Side::BOTH {
            if let Seat::Engine(engine) = &mut self.seats[side] {
                (engine.player, engine.turn) = (EnginePlayer::Own(level), engine.turn + 1);
            }
        }
    }
}
