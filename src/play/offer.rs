//! Another level for the next game: the one below or above, and when it is offered unasked.

use crate::ai::EngineKind;
use crate::play::{Match, MatchRefusal, Strength};

/// Number of games with one result in a row after which another level is offered.
const GAMES_IN_A_ROW: usize = 3;

/// Offer of another level after several wins or losses in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Direction of the offer: lower after losses, higher after wins.
    pub strength: Strength,
    /// Number of games in a row.
    pub games: usize,
    /// Level that is offered.
    pub level: EngineKind,
}

impl Match {
    /// Returns the level beside the present one, where one person plays a built-in level and the
    /// game has another.
    #[must_use]
    pub fn level_beside(&self, strength: Strength) -> Option<EngineKind> {
        let game = self.game();
        let is_built_in = game.has_engine() && game.spec().program.is_none();
        let EngineKind::Level(now) = game.level() else { return None };
        let other = match strength {
            Strength::Lower => now.checked_sub(1)?,
            Strength::Higher => now.checked_add(1)?,
        };
        let level = EngineKind::Level(other);
        let is_there = self.present_position().levels().contains(&level);
        (game.only_human().is_some() && is_built_in && is_there).then_some(level)
    }

    /// Reports whether there is a level below or above.
    #[must_use]
    pub fn has_level_beside(&self) -> bool {
        [Strength::Lower, Strength::Higher].iter().any(|&strength| self.level_beside(strength).is_some())
    }

    /// Returns the offer at the end of a game, after three losses or three wins in a row.
    #[must_use]
    pub fn offer(&self) -> Option<Offer> {
        self.game().outcome()?;
        let (winner, games) = self.tally().streak().filter(|&(_, games)| games >= GAMES_IN_A_ROW)?;
        let strength = if winner == 0 { Strength::Higher } else { Strength::Lower };
        Some(Offer { strength, games, level: self.level_beside(strength)? })
    }

    /// Starts a rematch with sides swapped, at the level beside.
    pub(super) fn rematch_at(&mut self, strength: Strength) -> Result<(), MatchRefusal> {
        if self.game.outcome().is_none() {
            return Err(MatchRefusal::NotOver);
        }
        let level = self.level_beside(strength).ok_or(MatchRefusal::NoLevelBeside(strength))?;
        let mut spec = self.game.core.same_again();
        (spec.level, spec.own) = (Some(level), None);
        if let Some(you) = self.game.only_human() {
            spec.play_as = you.other().into();
        }
        self.begin(spec)
    }
}
