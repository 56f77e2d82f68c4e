//! Meanings of signs and pieces, and the colours that sides are named after.

use crate::game::Side;

/// The meaning of a character or a piece. Colour follows the role; the character alone already tells everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Nothing in particular.
    #[default]
    Plain,
    /// Coordinates.
    Label,
    /// Grid lines and borders.
    Frame,
    /// A piece of First.
    First,
    /// A piece of Second.
    Second,
    /// A mark around the last move.
    Last,
    /// A mark around the cursor.
    Cursor,
    /// A mark around the hint.
    Hint,
    /// A piece of First on its winning line.
    FirstWon,
    /// A piece of Second on its winning line.
    SecondWon,
    /// A proposed or possible move that may be played.
    Allowed,
    /// A proposed move that may not be played.
    Refused,
    /// A way or link shown on request.
    Path,
}

impl Role {
    /// The role of a side's piece.
    #[must_use]
    pub fn of(side: Side) -> Role {
        [Role::First, Role::Second][side.index()]
    }

    /// The side whose piece has this role.
    #[must_use]
    pub fn side(self) -> Option<Side> {
        match self {
            Role::First | Role::FirstWon => Some(Side::First),
            Role::Second | Role::SecondWon => Some(Side::Second),
            _ => None,
        }
    }

    /// The role of a side's piece that has won.
    #[must_use]
    pub fn won(side: Side) -> Role {
        [Role::FirstWon, Role::SecondWon][side.index()]
    }
}

/// The colour that a side is named after, or drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hue {
    /// Of First, unless a game says otherwise.
    Red,
    /// Of Second, unless a game says otherwise.
    Blue,
    /// Of a side that is called White.
    White,
    /// Of a side that is called Black.
    Black,
}

impl Hue {
    /// All of them.
    pub const ALL: [Hue; 4] = [Hue::Red, Hue::Blue, Hue::White, Hue::Black];
}
