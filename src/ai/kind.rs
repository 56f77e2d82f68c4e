//! Kinds of the built-in engines: a level, or an engine that has only a name.

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
    /// The algorithm of the program that the game was taken from.
    Classic,
    /// 1 (weakest) to 8.
    Level(u8),
    /// Looks some plies ahead, judging by shortest paths. No level.
    Lookahead,
    /// Plays by a network. No level.
    Net,
}

/// The names of the levels, from 1 on.
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

    /// Reads `classic`, a number, or the name of an engine; whether a game has that level is another question.
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
    /// Reports whether it is one of the levels from which people choose, and not an engine that is only known by its
    /// name.
    ///
    /// ```
    /// use crosspath::ai::EngineKind;
    /// assert!(EngineKind::Level(3).is_level() && !EngineKind::Net.is_level());
    /// ```
    #[must_use]
    pub fn is_level(self) -> bool {
        matches!(self, EngineKind::Classic | EngineKind::Level(_))
    }

    /// Returns how strong it plays, for people: the name of a level. Engines that are no levels have none.
    ///
    /// ```
    /// use crosspath::ai::EngineKind;
    /// assert_eq!(EngineKind::Level(2).strength(), Some("novice"));
    /// assert_eq!(EngineKind::Net.strength(), None);
    /// ```
    #[must_use]
    pub fn strength(self) -> Option<&'static str> {
        match self {
            EngineKind::Classic => Some("as the original program"),
            EngineKind::Level(number) => LEVEL_NAMES.get(usize::from(number).checked_sub(1)?).copied(),
            EngineKind::Lookahead | EngineKind::Net => None,
        }
    }

    /// The one of these levels that a text names.
    ///
    /// # Errors
    /// Names the levels there are.
    ///
    /// ```
    /// use crosspath::ai::EngineKind;
    /// let levels = [EngineKind::Classic, EngineKind::Level(1), EngineKind::Level(2)];
    /// assert_eq!(EngineKind::read("2", &levels), Ok(levels[2]));
    /// let error = EngineKind::read("3", &levels).unwrap_err().to_string();
    /// assert_eq!(error, "there is no level 3; levels are classic, 1 to 2");
    /// ```
    pub fn read(text: &str, levels: &[EngineKind]) -> Result<EngineKind, NoSuchLevel> {
        match text.trim().parse::<EngineKind>() {
            Ok(level) => level.among(levels),
            Err(()) => Err(NoSuchLevel { got: Refusal::shown(text), levels: levels.to_vec() }),
        }
    }

    /// This level, if it is one of these.
    ///
    /// ```
    /// use crosspath::ai::EngineKind;
    /// let levels = [EngineKind::Classic, EngineKind::Level(1)];
    /// assert_eq!(EngineKind::Level(1).among(&levels), Ok(EngineKind::Level(1)));
    /// assert!(EngineKind::Level(2).among(&levels).is_err());
    /// ```
    ///
    /// # Errors
    /// Names the levels there are.
    pub fn among(self, levels: &[EngineKind]) -> Result<EngineKind, NoSuchLevel> {
        let error = || NoSuchLevel { got: self.to_string(), levels: levels.to_vec() };
        levels.contains(&self).then_some(self).ok_or_else(error)
    }

    /// Levels in words: `classic, 1 to 8`.
    #[must_use]
    pub fn in_words(levels: &[EngineKind]) -> String {
        match levels {
            [EngineKind::Classic, first, .., last] => format!("classic, {first} to {last}"),
            _ => levels.iter().map(EngineKind::to_string).collect::<Vec<_>>().join(", "),
        }
    }
}

/// The game has no such level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no level {got}; levels are {}", EngineKind::in_words(levels))]
pub struct NoSuchLevel {
    /// Text that was given.
    pub got: String,
    /// The levels there are.
    pub levels: Vec<EngineKind>,
}
