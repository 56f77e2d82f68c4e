//! The record of one game of a match, and its form in JSON. Knows results and moves, no rules.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::arena::matches::Opening;
use crate::game::{Outcome, Side, as_text};
use crate::session::Forfeit;

/// A game that was played, as a line of a file or a part of a unit has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::arena) struct ArenaGame {
    pub(in crate::arena) unit: u64,
    /// 0 for the first game of a pair, 1 for the second.
    pub(in crate::arena) game: u8,
    /// The numbers of the engines that had First and Second.
    #[serde(skip)]
    pub(in crate::arena) engines: [usize; 2],
    /// Their names.
    pub(in crate::arena) first: String,
    pub(in crate::arena) second: String,
    /// The position before the opening, as one line of text, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::arena) position: Option<String>,
    /// The side that makes the first move of the opening.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub(in crate::arena) first_mover: Side,
    pub(in crate::arena) opening: Vec<String>,
    /// The moves after the opening.
    pub(in crate::arena) moves: Vec<String>,
    pub(in crate::arena) result: Outcome,
    /// One word: what the rules say, `resign`, or a fault.
    pub(in crate::arena) reason: String,
    /// The side at fault.
    pub(in crate::arena) forfeit: Option<Side>,
    pub(in crate::arena) plies: usize,
    pub(in crate::arena) nodes: [u64; 2],
    /// Milliseconds, if the record of the game has them. They differ from run to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::arena) ms: Option<[Option<f64>; 2]>,
    /// Milliseconds of CPU time, if the system reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::arena) cpu_ms: Option<[Option<f64>; 2]>,
    #[serde(with = "as_text")]
    pub(in crate::arena) seed: u64,
    /// Fault of the side that forfeited.
    #[serde(flatten)]
    pub(in crate::arena) fault: Option<Forfeit>,
}

/// The side that makes the first move where a record does not say it.
fn first() -> Side {
    Side::First
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_first(side: &Side) -> bool {
    *side == Side::First
}

impl ArenaGame {
    /// Returns twice the points of a side.
    pub(in crate::arena) fn halves(&self, side: Side) -> u8 {
        match self.result {
            Outcome::Win(winner) if winner == side => 2,
            Outcome::Draw => 1,
            Outcome::Win(_) => 0,
        }
    }

    /// Returns the number of moves that a side played after the opening.
    pub(in crate::arena) fn moves_of(&self, side: Side) -> u64 {
        let is_even = self.opening.len().is_multiple_of(2);
        let begins = if is_even { self.first_mover } else { self.first_mover.other() };
        (self.moves.len() + usize::from(side == begins)) as u64 / 2
    }

    /// Returns how the game began.
    pub(in crate::arena) fn beginning(&self) -> Opening {
        Opening { position: self.position.clone(), moves: self.opening.clone() }
    }

    /// Returns the same game with the numbers of its engines among these; `None` if it is not a complete record of them.
    pub(super) fn between(self, names: &[String]) -> Option<Self> {
        let engine = |name: &String| names.iter().position(|known| known == name);
        let engines = [engine(&self.first)?, engine(&self.second)?];
        let is_possible =
            self.unit < u64::MAX && self.game < 2 && self.forfeit.is_some() == self.fault.is_some();
        is_possible.then_some(ArenaGame { engines, ..self })
    }
}

/// Games by the number of their pair and their place in it.
pub(in crate::arena) type GamesByUnit = BTreeMap<(u64, u8), ArenaGame>;

/// Takes both games of a pair out, if both are there.
pub(in crate::arena) fn take_pair(games: &mut GamesByUnit, unit: u64) -> Option<[ArenaGame; 2]> {
    if !(games.contains_key(&(unit, 0)) && games.contains_key(&(unit, 1))) {
        return None;
    }
    Some([games.remove(&(unit, 0))?, games.remove(&(unit, 1))?])
}
