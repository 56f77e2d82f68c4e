//! View of a game for GTP: stones of two colours on a square board of cells.
//!
//! Either colour may move at any time.

use crate::ai::HasEngines;
use crate::board::hexgrid::Cell as HexCell;
use crate::game::Side;
use crate::games::hex::{Hex, Move as HexMove, SwapRule};
use crate::games::tictactoe::{Cell, TicTacToe};
use crate::protocol::history::FreeTurnGame;

/// Game of stones on a square board.
pub trait GtpBoard: HasEngines + FreeTurnGame {
    /// Name of the game.
    const GAME_NAME: &'static str;
    /// Default board size, in cells per side.
    const DEFAULT_SIZE: usize;
    /// Number of spaces by which each row is shifted relative to the row above.
    const ROW_SLANT: usize;

    /// Creates an empty board, or returns `None` if the size is invalid.
    fn with_size(size: usize) -> Option<Self>;

    /// Returns the number of cells per side.
    fn size(&self) -> usize;

    /// Returns the stone at a row and column of the board.
    fn stone_at(&self, place: (usize, usize)) -> Option<Side>;

    /// Returns the move that places a stone at a row and column of the board.
    fn move_at(&self, place: (usize, usize)) -> Self::Move;

    /// Returns the row and column of the stone that a move places, or `None` for a swap.
    fn row_and_column_of(&self, mv: Self::Move) -> Option<(usize, usize)>;

    /// Returns the swap move if it is legal now.
    fn legal_swap(&self) -> Option<Self::Move> {
        None
    }

    /// Returns the position with the swap rule on or off.
    #[must_use]
    fn with_swap_allowed(self, _is_allowed: bool) -> Self {
        self
    }

    /// Returns the cells of the winning chain or line, in order.
    fn winning_cells(&self) -> Vec<(usize, usize)>;
}

impl FreeTurnGame for Hex {
    fn set_side_to_move(&mut self, side: Side) {
        self.set_side_to_move(side);
    }
}

impl GtpBoard for Hex {
    const GAME_NAME: &'static str = "hex";
    const DEFAULT_SIZE: usize = 11;
    const ROW_SLANT: usize = 1;

    fn with_size(size: usize) -> Option<Self> {
        Hex::new(size, SwapRule::Off).ok()
    }

    fn size(&self) -> usize {
        self.size()
    }

    fn stone_at(&self, (row, col): (usize, usize)) -> Option<Side> {
        self.grid().cell_at(row, col).and_then(|cell| self.stone_at(cell))
    }

    fn move_at(&self, (row, col): (usize, usize)) -> HexMove {
        HexMove::Place(HexCell::new(row * self.size() + col))
    }

    fn row_and_column_of(&self, mv: HexMove) -> Option<(usize, usize)> {
        mv.cell().map(|cell| self.grid().coordinates(cell))
    }

    /// Returns the swap move if it is legal. Only a stone of First can be swapped.
    fn legal_swap(&self) -> Option<HexMove> {
        self.can_swap().then_some(HexMove::Swap)
    }

    fn with_swap_allowed(self, is_allowed: bool) -> Self {
        self.with_swap_rule(if is_allowed { SwapRule::On } else { SwapRule::Off })
    }

    fn winning_cells(&self) -> Vec<(usize, usize)> {
        self.winning_chain().into_iter().map(|cell| self.grid().coordinates(cell)).collect()
    }
}

impl FreeTurnGame for TicTacToe {
    fn set_side_to_move(&mut self, side: Side) {
        self.set_side_to_move(side);
    }
}

impl GtpBoard for TicTacToe {
    const GAME_NAME: &'static str = "tic-tac-toe";
    const DEFAULT_SIZE: usize = 3;
    const ROW_SLANT: usize = 0;

    fn with_size(size: usize) -> Option<Self> {
        TicTacToe::new(size).ok()
    }

    fn size(&self) -> usize {
        self.size()
    }

    fn stone_at(&self, (row, col): (usize, usize)) -> Option<Side> {
        let bit = Cell(cell_number(row * self.size() + col)).bit();
        Side::BOTH.into_iter().find(|&side| self.stones(side) & bit != 0)
    }

    fn move_at(&self, (row, col): (usize, usize)) -> Cell {
        Cell(cell_number(row * self.size() + col))
    }

    fn row_and_column_of(&self, cell: Cell) -> Option<(usize, usize)> {
        Some((cell.index() / self.size(), cell.index() % self.size()))
    }

    fn winning_cells(&self) -> Vec<(usize, usize)> {
        let line = self.winning_line().unwrap_or_default();
        crate::games::tictactoe::cells_in_mask(line).filter_map(|cell| self.row_and_column_of(cell)).collect()
    }
}

/// Converts the index of a cell to `u8`. The board has at most 100 cells.
fn cell_number(index: usize) -> u8 {
    u8::try_from(index).expect("at most 100 cells")
}
