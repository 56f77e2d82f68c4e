//! The engines of Hex and the levels made of them. Know the rules, nothing of screens.

pub mod classic;
pub mod path_blocking;

use crate::ai::hex::classic::Classic;
use crate::ai::{Engine, Level, Setup, Tier};
use crate::games::hex::Hex;

/// The levels, weakest first, `classic` in front.
#[must_use]
pub fn engines() -> Vec<Tier<Hex>> {
    fn tier(level: Level, build: fn(&Hex, Setup) -> Box<dyn Engine<Hex>>) -> Tier<Hex> {
        Tier { level, build }
    }
    vec![tier(Level::Classic, |_, setup| Box::new(Classic::new(setup)))]
}
