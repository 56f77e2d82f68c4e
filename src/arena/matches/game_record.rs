//! Record of one game of a match, and its JSON form.
//!
//! This module does not depend on the rules of the games.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::arena::matches::Opening;
use crate::game::{Outcome, Side, as_text};
use crate::session::Forfeit;

/// A finished game of a match, as stored in a games file or within a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::arena) struct ArenaGame {
    pub(in crate::arena) unit: u64,
    /// Index of the game in its pair: 0 or 1.
    pub(in crate::arena) game: u8,
    /// Indices of the engines that played First and Second.
    #[serde(skip)]
    pub(in crate::arena) engines: [usize; 2],
    /// Name of the engine that played First.
    pub(in crate::arena) first: String,
    pub(in crate::arena) second: String,
    /// Position before the opening, as one line of text. `None` for the standard start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::arena) position: Option<String>,
    /// Side that makes the first move of the opening.
    #[serde(default = "default_first_mover", skip_serializing_if = "is_first_side")]
    pub(in crate::arena) first_mover: Side,
    pub(in crate::arena) opening: Vec<String>,
    /// Moves after the opening.
    pub(in crate::arena) moves: Vec<String>,
    pub(in crate::arena) result: Outcome,
    /// Reason for the result as one word: the rule that decided the game, `resign`, or a fault.
    pub(in crate::arena) reason: String,
    /// Side that forfeited the game.
    pub(in crate::arena) forfeit: Option<Side>,
    pub(in crate::arena) plies: usize,
    pub(in crate::arena) nodes: [u64; 2],
    /// Elapsed time in milliseconds, by side, if recorded.
    ///
    /// The times differ from run to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::arena) ms: Option<[Option<f64>; 2]>,
    /// CPU time in milliseconds, by side, if the system reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::arena) cpu_ms: Option<[Option<f64>; 2]>,
    #[serde(with = "as_text")]
    pub(in crate::arena) seed: u64,
    /// Fault of the side that forfeited.
    #[serde(flatten)]
    pub(in crate::arena) fault: Option<Forfeit>,
}

/// Returns the default first mover, used if a record does not name one.
fn default_first_mover() -> Side {
    Side::First
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_first_side(side: &Side) -> bool {
    *side == Side::First
}

impl ArenaGame {
    /// Returns the number of half points that a side scored: 0, 1 or 2.
    pub(in crate::arena) fn half_points(&self, side: Side) -> u8 {
        match self.result {
            Outcome::Win(winner) if winner == side => 2,
            Outcome::Draw => 1,
            Outcome::Win(_) => 0,
        }
    }

    /// Returns the number of moves that a side played after the opening.
    pub(in crate::arena) fn move_count_of(&self, side: Side) -> u64 {
        let is_even = self.opening.len().is_multiple_of(2);
        let begins = if is_even { self.first_mover } else { self.first_mover.other() };
        (self.moves.len() + usize::from(side == begins)) as u64 / 2
    }

    /// Returns the opening of the game: its start position and opening moves.
    pub(in crate::arena) fn to_opening(&self) -> Opening {
        Opening { position: self.position.clone(), moves: self.opening.clone() }
    }

    /// Sets the engine indices by looking up the engine names in `names`. Returns `None` if a name is
    /// missing or the record is inconsistent.
    pub(super) fn with_engine_indices(self, names: &[String]) -> Option<Self> {
        let engine = |name: &String| names.iter().position(|known| known == name);
        let engines = [engine(&self.first)?, engine(&self.second)?];
        let is_possible =
            self.unit < u64::MAX && self.game < 2 && self.forfeit.is_some() == self.fault.is_some();
        is_possible.then_some(ArenaGame { engines, ..self })
    }
}

/// Games by unit number and index in the pair.
pub(in crate::arena) type GamesByUnit = BTreeMap<(u64, u8), ArenaGame>;

/// Removes and returns both games of a pair, if both are present.
pub(in crate::arena) fn take_game_pair(games: &mut GamesByUnit, unit: u64) -> Option<[ArenaGame; 2]> {
    if !(games.contains_key(&(unit, 0)) && games.contains_key(&(unit, 1))) {
        return None;
    }
    Some([games.remove(&(unit, 0))?, games.remove(&(unit, 1))?])
}
