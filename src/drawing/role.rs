//! Roles of characters and pieces, and the colours that sides are named after.

use crate::game::Side;

/// Role of a character or piece. The role only determines the colour, because the character alone carries the
/// meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PaintRole {
    /// Plain text without a special role.
    #[default]
    Plain,
    /// Coordinate label.
    Label,
    /// Grid line or border.
    Frame,
    /// Piece of First.
    First,
    /// Piece of Second.
    Second,
    /// Mark around the last move.
    Last,
    /// Mark around the cursor.
    Cursor,
    /// Mark around the hint.
    Hint,
    /// Piece of First on its winning line.
    FirstWon,
    /// Piece of Second on its winning line.
    SecondWon,
    /// Suggested or possible move that is legal.
    Allowed,
    /// Suggested move that is illegal.
    Refused,
    /// Path or connection of an overlay.
    Path,
}

impl PaintRole {
    /// Returns the role of a side's piece.
    #[must_use]
    pub fn for_piece(side: Side) -> PaintRole {
        [PaintRole::First, PaintRole::Second][side.index()]
    }

    /// Returns the side whose piece has this role.
    #[must_use]
    pub fn side(self) -> Option<Side> {
        match self {
            PaintRole::First | PaintRole::FirstWon => Some(Side::First),
            PaintRole::Second | PaintRole::SecondWon => Some(Side::Second),
            _ => None,
        }
    }

    /// Returns the role of a side's piece on its winning line.
    #[must_use]
    pub fn for_winning_piece(side: Side) -> PaintRole {
        [PaintRole::FirstWon, PaintRole::SecondWon][side.index()]
    }
}

/// Colour that a side is named after, or drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hue {
    /// Default colour of First.
    Red,
    /// Default colour of Second.
    Blue,
    /// Colour of a side called White.
    White,
    /// Colour of a side called Black.
    Black,
}

impl Hue {
    /// All colours of sides.
    pub const ALL: [Hue; 4] = [Hue::Red, Hue::Blue, Hue::White, Hue::Black];
}
