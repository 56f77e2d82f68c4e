//! The games that speak GTP, as the protocol sees them: cells in rows and columns, stones of two colours, either of which
//! may move at any time.

use crate::ai::Engines;
use crate::board::hexgrid::Cell as HexCell;
use crate::game::Side;
use crate::games::hex::{Hex, Move as HexMove, SwapRule};
use crate::games::tictactoe::{Cell, TicTacToe};
use crate::protocol::history::EitherSide;

/// A game of stones on a square board.
pub trait GtpBoard: Engines + EitherSide {
    /// The name of the game.
    const NAME: &'static str;
    /// Size of the board until one is set.
    const SIZE: usize;
    /// Blanks by which each row of the picture begins further right.
    const SLANT: usize;

    /// The empty board; `None` if there is no such size.
    fn of_size(size: usize) -> Option<Self>;

    /// Cells on a side.
    fn size(&self) -> usize;

    /// The stone in a row and a column of the board.
    fn stone_at(&self, place: (usize, usize)) -> Option<Side>;

    /// The move to a row and a column of the board.
    fn move_to(&self, place: (usize, usize)) -> Self::Move;

    /// Returns the row and the column of a move's stone; `None` for the swap.
    fn place_of(&self, mv: Self::Move) -> Option<(usize, usize)>;

    /// The swap, where the game has one and it is legal now.
    fn swap(&self) -> Option<Self::Move> {
        None
    }

    /// Returns the position in which swapping is possible or not.
    #[must_use]
    fn with_swap(self, _is_allowed: bool) -> Self {
        self
    }

    /// The cells that join the winner's edges or fill its line, in order.
    fn winning(&self) -> Vec<(usize, usize)>;
}

impl EitherSide for Hex {
    fn turn_to(&mut self, side: Side) {
        self.turn_to(side);
    }
}

impl GtpBoard for Hex {
    const NAME: &'static str = "hex";
    const SIZE: usize = 11;
    const SLANT: usize = 1;

    fn of_size(size: usize) -> Option<Self> {
        Hex::new(size, SwapRule::Off).ok()
    }

    fn size(&self) -> usize {
        self.size()
    }

    fn stone_at(&self, (row, col): (usize, usize)) -> Option<Side> {
        self.grid().cell(row, col).and_then(|cell| self.stone(cell))
    }

    fn move_to(&self, (row, col): (usize, usize)) -> HexMove {
        HexMove::Place(HexCell::new(row * self.size() + col))
    }

    fn place_of(&self, mv: HexMove) -> Option<(usize, usize)> {
        mv.cell().map(|cell| self.grid().place(cell))
    }

    /// Only a stone of First is taken over.
    fn swap(&self) -> Option<HexMove> {
        self.can_swap().then_some(HexMove::Swap)
    }

    fn with_swap(self, is_allowed: bool) -> Self {
        self.with_swap_rule(if is_allowed { SwapRule::On } else { SwapRule::Off })
    }

    fn winning(&self) -> Vec<(usize, usize)> {
        self.winning_chain().into_iter().map(|cell| self.grid().place(cell)).collect()
    }
}

impl EitherSide for TicTacToe {
    fn turn_to(&mut self, side: Side) {
        self.turn_to(side);
    }
}

impl GtpBoard for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";
    const SIZE: usize = 3;
    const SLANT: usize = 0;

    fn of_size(size: usize) -> Option<Self> {
        TicTacToe::new(size).ok()
    }

    fn size(&self) -> usize {
        self.size()
    }

    fn stone_at(&self, (row, col): (usize, usize)) -> Option<Side> {
        let bit = Cell(number(row * self.size() + col)).bit();
        Side::BOTH.into_iter().find(|&side| self.stones(side) & bit != 0)
    }

    fn move_to(&self, (row, col): (usize, usize)) -> Cell {
        Cell(number(row * self.size() + col))
    }

    fn place_of(&self, cell: Cell) -> Option<(usize, usize)> {
        Some((cell.index() / self.size(), cell.index() % self.size()))
    }

    fn winning(&self) -> Vec<(usize, usize)> {
        let line = self.won_line().unwrap_or_default();
        crate::games::tictactoe::cells(line).filter_map(|cell| self.place_of(cell)).collect()
    }
}

/// The number of a cell of a board that has at most 100 of them.
fn number(index: usize) -> u8 {
    u8::try_from(index).expect("at most 100 cells")
}
