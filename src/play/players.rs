//! The players of a game: humans and engines.
//!
//! This module does not depend on the moves.

use rand::RngExt;

use crate::ai::{EngineConfig, EngineKind};
use crate::game::{BySide, Side};
use crate::play::{GameMode, HumanSideChoice, NewGame};
use crate::random::{RandomGenerator, STARTING_SIDE_STREAM, mix_seed, random_stream};
use crate::thinking::{EnginePlayer, EngineSeat};

/// Player of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSeat {
    /// A human player.
    Human,
    /// An engine.
    Engine(EngineSeat),
}

/// Random numbers of a match: the human player's side, if it is drawn, and the engine seeds.
#[derive(Debug)]
pub(super) struct MatchRandomness {
    seed: u64,
    draws: Box<RandomGenerator>,
    /// Number of games with engines so far, so that each game gets its own engine seed.
    seatings: u64,
}

impl MatchRandomness {
    pub(super) fn new(seed: u64) -> Self {
        MatchRandomness { seed, draws: Box::new(random_stream(seed, STARTING_SIDE_STREAM)), seatings: 0 }
    }

    /// Returns the players of a new game and draws the human player's side if requested; `seed`
    /// overrides the seed of the engines.
    pub(super) fn draw_players(&mut self, spec: &NewGame, seed: Option<u64>) -> Players {
        if spec.mode != GameMode::Humans {
            self.seatings += 1;
        }
        let own = match self.seatings.saturating_sub(1) {
            0 => self.seed,
            game => mix_seed(self.seed, game),
        };
        let human = match spec.play_as {
            HumanSideChoice::Random if spec.mode == GameMode::HumanMachine => {
                Side::BOTH[self.draws.random_range(0..2)]
            }
            HumanSideChoice::First | HumanSideChoice::Random => Side::First,
            HumanSideChoice::Second => Side::Second,
        };
        Players::for_game(spec, seed.unwrap_or(own), human)
    }
}

/// Players of a game, by side.
#[derive(Clone, Debug)]
pub struct Players {
    seats: BySide<PlayerSeat>,
    /// Random seed of the engines.
    pub(super) seed: u64,
}

impl Players {
    /// Returns the players for a request. `human` is the side of a human player against an engine.
    #[must_use]
    pub fn for_game(spec: &NewGame, seed: u64, human: Side) -> Self {
        let level = spec.level();
        let seat = |side: Side| match spec.mode {
            GameMode::Humans => PlayerSeat::Human,
            GameMode::HumanMachine if side == human => PlayerSeat::Human,
            _ => {
                let own = spec.engine_spec.as_ref().filter(|own| own.level == level);
                let mut config = own.map_or_else(
                    || EngineConfig::for_side(seed, side),
                    |own| own.config_for_side(seed, side),
                );
                config.weights = config.weights.or_else(|| spec.net.clone());
                config.resources = config.resources.with_fallback(spec.resources);
                let player =
                    spec.program.clone().map_or(EnginePlayer::BuiltIn(level), EnginePlayer::External);
                PlayerSeat::Engine(EngineSeat { player, config, turn: 0 })
            }
        };
        Players { seats: BySide::new(seat(Side::First), seat(Side::Second)), seed }
    }

    /// Returns the player of a side.
    #[must_use]
    pub fn seat(&self, side: Side) -> &PlayerSeat {
        &self.seats[side]
    }

    /// Reports whether a human plays this side.
    #[must_use]
    pub fn is_human(&self, side: Side) -> bool {
        self.seats[side] == PlayerSeat::Human
    }

    /// Reports whether a human plays.
    #[must_use]
    pub fn has_human(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.is_human(side))
    }

    /// Reports whether an engine plays.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        !Side::BOTH.into_iter().all(|side| self.is_human(side))
    }

    /// Returns the human player's side if exactly one human plays.
    #[must_use]
    pub fn sole_human_side(&self) -> Option<Side> {
        let mut humans = Side::BOTH.into_iter().filter(|&side| self.is_human(side));
        humans.next().filter(|_| humans.next().is_none())
    }

    /// Replaces the engines by engines of this level.
    pub(super) fn set_engine_level(&mut self, level: EngineKind) {
        for side in Side::BOTH {
            if let PlayerSeat::Engine(engine) = &mut self.seats[side] {
                (engine.player, engine.turn) = (EnginePlayer::BuiltIn(level), engine.turn + 1);
            }
        }
    }
}
