//! The same game seen by those for whom a swap exchanges the players and leaves the stone. Knows the rules only.

use super::{Cell, Hex};
use crate::game::Side;

/// How a surface sees the board: as it is, or with rows and columns exchanged and sides as well.
///
/// Here a swap mirrors the stone and nobody changes sides; elsewhere the stone stays and the players change sides.
/// After a swap the two are the same game seen in the other frame.
///
/// ```
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Cell, Frame, Hex, SwapRule};
/// let game = Hex::new(3, SwapRule::On)?;
/// let frame = Frame { transposed: true };
/// let seen = frame.cell_out(&game, Cell::new(1));
/// assert_eq!((game.name(seen), frame.side_out(Side::First)), ("a2".to_owned(), Side::Second));
/// assert_eq!(frame.cell_in(&game, seen), Cell::new(1));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Whether rows and columns, and the sides, are exchanged.
    pub transposed: bool,
}

impl Frame {
    /// Our cell for a cell of the surface.
    ///
    /// # Panics
    /// If the cell is off the board.
    #[must_use]
    pub fn cell_in(self, game: &Hex, cell: Cell) -> Cell {
        if self.transposed { game.grid().mirrored(cell) } else { cell }
    }

    /// The surface's cell for our cell.
    ///
    /// # Panics
    /// If the cell is off the board.
    #[must_use]
    pub fn cell_out(self, game: &Hex, cell: Cell) -> Cell {
        self.cell_in(game, cell) // The mirror is its own inverse.
    }

    /// Our side for a side of the surface.
    #[must_use]
    pub fn side_in(self, side: Side) -> Side {
        if self.transposed { side.other() } else { side }
    }

    /// The surface's side for our side.
    #[must_use]
    pub fn side_out(self, side: Side) -> Side {
        self.side_in(side)
    }
}
