//! Kinds of built-in engines: numbered levels and named engines.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::game::Refusal;

/// Kind of a built-in engine.
///
/// ```
/// use crosspath::ai::EngineKind;
/// assert_eq!("3".parse(), Ok(EngineKind::Level(3)));
/// assert_eq!(EngineKind::Classic.to_string(), "classic");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EngineKind {
    /// The algorithm of the original program that the game is based on.
    Classic,
    /// Level from 1 (weakest) to 8.
    Level(u8),
    /// Engine that searches a few plies ahead and evaluates by shortest paths; not a level.
    Lookahead,
    /// Engine that plays by a network; not a level.
    Net,
}

/// Names of the levels 1 to 8.
const LEVEL_NAMES: [&str; 8] =
    ["beginner", "novice", "casual", "improver", "club", "strong", "expert", "strongest"];

impl Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineKind::Classic => f.write_str("classic"),
            EngineKind::Level(number) => Display::fmt(number, f),
            EngineKind::Lookahead => f.write_str("lookahead"),
            EngineKind::Net => f.write_str("net"),
        }
    }
}

impl FromStr for EngineKind {
    type Err = ();

    /// Parses `classic`, a level number, or the name of an engine. Does not check that a game has it.
    fn from_str(text: &str) -> Result<Self, ()> {
        match text.to_ascii_lowercase().as_str() {
            "classic" => Ok(EngineKind::Classic),
            "lookahead" => Ok(EngineKind::Lookahead),
            "net" => Ok(EngineKind::Net),
            text => text.parse().map(EngineKind::Level).map_err(|_| ()),
        }
    }
}

impl EngineKind {
    /// Reports whether this is a level that players can choose, not an engine known only by name.
    ///
    /// ```
    /// use crosspath::ai::EngineKind;
    /// assert!(EngineKind::Level(3).is_level() && !EngineKind::Net.is_level());
    /// ```
    #[must_use]
    pub fn is_level(self) -> bool {
        matches!(self, EngineKind::Classic | EngineKind::Level(_))
    }

    /// Returns the name of a level's playing strength, for players; `None` for engines that are not levels.
    ///
    /// ```
    /// use crosspath::ai::EngineKind;
    /// assert_eq!(EngineKind::Level(2).strength_name(), Some("novice"));
    /// assert_eq!(EngineKind::Net.strength_name(), None);
    /// ```
    #[must_use]
    pub fn strength_name(self) -> Option<&'static str> {
        match self {
            EngineKind::Classic => Some("as the original program"),
            EngineKind::Level(number) => LEVEL_NAMES.get(usize::from(number).checked_sub(1)?).copied(),
            EngineKind::Lookahead | EngineKind::Net => None,
        }
    }

    /// Parses a level and checks that it is one of `levels`.
    ///
    /// # Errors
    /// If `text` is not one of `levels`; the error lists them.
    ///
    /// ```
    /// use crosspath::ai::EngineKind;
    /// let levels = [EngineKind::Classic, EngineKind::Level(1), EngineKind::Level(2)];
    /// assert_eq!(EngineKind::parse_level("2", &levels), Ok(levels[2]));
    /// let error = EngineKind::parse_level("3", &levels).unwrap_err().to_string();
    /// assert_eq!(error, "there is no level 3; levels are classic, 1 to 2");
    /// ```
    pub fn parse_level(text: &str, levels: &[EngineKind]) -> Result<EngineKind, NoSuchLevel> {
        match text.trim().parse::<EngineKind>() {
            Ok(level) => level.ensure_available(levels),
            Err(()) => Err(NoSuchLevel { got: Refusal::sanitize_excerpt(text), levels: levels.to_vec() }),
        }
    }

    /// Returns this level if it is one of `levels`.
    ///
    /// ```
    /// use crosspath::ai::EngineKind;
    /// let levels = [EngineKind::Classic, EngineKind::Level(1)];
    /// assert_eq!(EngineKind::Level(1).ensure_available(&levels), Ok(EngineKind::Level(1)));
    /// assert!(EngineKind::Level(2).ensure_available(&levels).is_err());
    /// ```
    ///
    /// # Errors
    /// If it is not; the error lists the available levels.
    pub fn ensure_available(self, levels: &[EngineKind]) -> Result<EngineKind, NoSuchLevel> {
        let error = || NoSuchLevel { got: self.to_string(), levels: levels.to_vec() };
        levels.contains(&self).then_some(self).ok_or_else(error)
    }

    /// Formats a list of levels, such as `classic, 1 to 8`.
    #[must_use]
    pub fn format_levels(levels: &[EngineKind]) -> String {
        match levels {
            [EngineKind::Classic, first, .., last] => format!("classic, {first} to {last}"),
            _ => levels.iter().map(EngineKind::to_string).collect::<Vec<_>>().join(", "),
        }
    }
}

/// Error: the game does not have the requested level.
///
/// ```
/// use crosspath::ai::{EngineKind, HasEngines};
/// use crosspath::games::tictactoe::TicTacToe;
/// let error = EngineKind::parse_level("9", &TicTacToe::game_engines().levels()).unwrap_err();
/// assert_eq!((error.got.as_str(), error.levels.len()), ("9", 9));
/// assert_eq!(error.to_string(), "there is no level 9; levels are classic, 1 to 8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no level {got}; levels are {}", EngineKind::format_levels(levels))]
pub struct NoSuchLevel {
    /// Text that was entered.
    pub got: String,
    /// Available levels.
    pub levels: Vec<EngineKind>,
}
