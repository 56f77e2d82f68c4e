//! Rules of each game. This module does not depend on engines, protocols or screens.

pub mod hex;
pub mod quoridor;
pub mod tictactoe;
