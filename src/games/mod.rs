//! The rules of each game. Knows nothing of engines, protocols or screens.

pub mod hex;
pub mod tictactoe;
