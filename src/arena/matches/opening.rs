//! Opening of one game of a match: moves, optionally from a given position.
//!
//! This module does not depend on any particular game.

use std::fmt;

use crate::record;
use crate::registry::{GameStart, RegisteredGame, Variant};
use crate::session::PositionHistory;

/// Opening of one game. As text, the moves are separated by spaces and follow an optional position and a
/// colon: `b4 c3 / d2 / 1: e2 e4`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    /// Position before the moves, as one line of text. `None` for the standard start.
    pub position: Option<String>,
    /// Moves of the opening.
    pub moves: Vec<String>,
}

impl Opening {
    /// Creates an opening of moves from the standard start.
    pub(in crate::arena) fn from_moves(moves: Vec<String>) -> Self {
        Opening { position: None, moves }
    }

    /// Creates the opening that leads to the current position of a game.
    pub(in crate::arena) fn from_history(game: &PositionHistory) -> Self {
        let start = game.current().start_position();
        let position = start.initial_setup().and_then(|_| start.position_text());
        Opening { position, moves: game.played_moves() }
    }

    /// Parses an opening, which must not end the game.
    ///
    /// # Errors
    /// Returns an error that names the invalid position or illegal move.
    pub(in crate::arena) fn parse(
        text: &str,
        entry: &'static RegisteredGame,
        variant: &Variant,
    ) -> Result<Self, String> {
        let (position, words) = match text.split_once(':') {
            Some((position, words)) => (Some(position.trim().to_owned()), words),
            None => (None, text),
        };
        let moves = record::split_list_moves(words).into_iter().map(|noted| noted.text).collect();
        let game = Opening { position, moves }.start_game(entry, variant)?;
        let is_over = game.outcome().is_some();
        if is_over {
            Err("the game is over after this opening".to_owned())
        } else {
            Ok(Opening::from_history(&game))
        }
    }

    /// Plays the opening and returns the resulting game.
    ///
    /// # Errors
    /// Returns an error that names the invalid position or illegal move.
    pub fn start_game(
        &self,
        entry: &'static RegisteredGame,
        variant: &Variant,
    ) -> Result<PositionHistory, String> {
        let start = match &self.position {
            None => GameStart::new(entry, variant.clone()),
            Some(text) => GameStart::from_position_text(entry, variant.clone(), text)
                .map_err(|error| error.to_string())?,
        };
        let mut game = PositionHistory::new(start.position().map_err(|error| error.to_string())?);
        for text in &self.moves {
            game.play(text).map_err(|illegal| illegal.reason().into_string())?;
        }
        Ok(game)
    }

    /// Reports whether the opening has neither a position nor moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position.is_none() && self.moves.is_empty()
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = &self.position {
            write!(f, "{position}:{}", if self.moves.is_empty() { "" } else { " " })?;
        }
        f.write_str(&self.moves.join(" "))
    }
}
