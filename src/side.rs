//! The two sides of a game, and pairs with one value per side. This module does not depend on games.

use std::fmt::{self, Display};
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// Side of a two-player game. First always moves first.
///
/// ```
/// use crosspath::game::Side;
/// assert_eq!(Side::First.other(), Side::Second);
/// assert_eq!(Side::Second.to_string(), "second");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// X, Red or White.
    First,
    /// O, Blue or Black.
    Second,
}

impl Side {
    /// Both sides, First at index 0.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// Calls `of` for First, then for Second, and returns both results.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// assert_eq!(Side::map_both(Side::index), [0, 1]);
    /// ```
    pub fn map_both<T>(mut of: impl FnMut(Side) -> T) -> [T; 2] {
        [of(Side::First), of(Side::Second)]
    }

    /// Returns the opponent.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// assert_eq!(Side::First.other(), Side::Second);
    /// ```
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// Returns 0 for First and 1 for Second.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// assert_eq!(Side::BOTH.map(Side::index), [0, 1]);
    /// ```
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::First => "first",
            Side::Second => "second",
        })
    }
}

/// Pair with one value for each side.
///
/// ```
/// use crosspath::game::{BySide, Side};
/// let mut walls = BySide::new(10, 10);
/// walls[Side::Second] -= 1;
/// assert_eq!((walls.first, walls.second), (10, 9));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySide<T> {
    /// Value of First.
    pub first: T,
    /// Value of Second.
    pub second: T,
}

impl<T> BySide<T> {
    /// Creates a pair from First's and Second's value.
    ///
    /// ```
    /// use crosspath::game::{BySide, Side};
    /// assert_eq!(BySide::new("X", "O")[Side::Second], "O");
    /// ```
    pub const fn new(first: T, second: T) -> Self {
        BySide { first, second }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
