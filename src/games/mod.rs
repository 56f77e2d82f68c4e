//! The rules of each game. Knows nothing of engines, protocols or screens.

pub mod hex;
pub mod quoridor;
pub mod tictactoe;
