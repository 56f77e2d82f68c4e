//! Rematches at the next lower or higher level, offered after several wins or losses in a row.

use crate::ai::EngineKind;
use crate::play::{LevelChange, Match, MatchRefusal};

/// Number of wins or losses in a row after which another level is offered.
const MIN_STREAK_FOR_LEVEL_OFFER: usize = 3;

/// Offer of a rematch at another level after several wins or losses in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelOffer {
    /// Direction of the offer: lower after losses, higher after wins.
    pub strength: LevelChange,
    /// Number of wins or losses in a row.
    pub games: usize,
    /// Offered level.
    pub level: EngineKind,
}

impl Match {
    /// Returns the next lower or higher level, if it exists and one human plays a built-in level.
    #[must_use]
    pub fn adjacent_level(&self, strength: LevelChange) -> Option<EngineKind> {
        let game = self.game();
        let is_built_in = game.has_engine() && game.spec().program.is_none();
        let EngineKind::Level(now) = game.level() else { return None };
        let other = match strength {
            LevelChange::Lower => now.checked_sub(1)?,
            LevelChange::Higher => now.checked_add(1)?,
        };
        let level = EngineKind::Level(other);
        let is_there = self.present_position().levels().contains(&level);
        (game.sole_human_side().is_some() && is_built_in && is_there).then_some(level)
    }

    /// Reports whether there is a next lower or higher level.
    #[must_use]
    pub fn has_adjacent_level(&self) -> bool {
        [LevelChange::Lower, LevelChange::Higher]
            .iter()
            .any(|&strength| self.adjacent_level(strength).is_some())
    }

    /// Returns the level offer at the end of a game, after three losses or three wins in a row.
    #[must_use]
    pub fn level_offer(&self) -> Option<LevelOffer> {
        self.game().outcome()?;
        let (winner, games) =
            self.scoreboard().win_streak().filter(|&(_, games)| games >= MIN_STREAK_FOR_LEVEL_OFFER)?;
        let strength = if winner == 0 { LevelChange::Higher } else { LevelChange::Lower };
        Some(LevelOffer { strength, games, level: self.adjacent_level(strength)? })
    }

    /// Starts a rematch with sides swapped, at the next lower or higher level.
    ///
    /// # Errors
    /// Refuses if the game is not over or there is no such level.
    pub(super) fn start_rematch_at(&mut self, strength: LevelChange) -> Result<(), MatchRefusal> {
        if self.game.outcome().is_none() {
            return Err(MatchRefusal::NotOver);
        }
        let level = self.adjacent_level(strength).ok_or(MatchRefusal::NoLevelBeside(strength))?;
        let mut spec = self.game.core.rematch_spec();
        (spec.level, spec.engine_spec) = (Some(level), None);
        if let Some(you) = self.game.sole_human_side() {
            spec.play_as = you.other().into();
        }
        self.start_contest(spec)
    }
}
