//! Opening of one game of a match: moves, perhaps from a position. Knows sessions, no particular game.

use std::fmt;

use crate::record;
use crate::registry::{Entry, GameStart, Variant};
use crate::session::History;

/// The beginning of one game. In text, blanks separate the moves, and a position comes first, with a colon:
/// `b4 c3 / d2 / 1: e2 e4`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    /// The position before the moves, as one line of text; `None` for the usual one.
    pub position: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

impl Opening {
    /// An opening of moves alone.
    pub(in crate::arena) fn of_moves(moves: Vec<String>) -> Self {
        Opening { position: None, moves }
    }

    /// The opening of the game that leads here.
    pub(in crate::arena) fn of_game(game: &History) -> Self {
        let start = game.now().start();
        let position = start.setup().and_then(|_| start.position_text());
        Opening { position, moves: game.played() }
    }

    /// Reads the text of an opening after which the game goes on.
    ///
    /// # Errors
    /// Says what is no position of this board or no legal move.
    pub(in crate::arena) fn read(
        text: &str,
        entry: &'static Entry,
        variant: &Variant,
    ) -> Result<Self, String> {
        let (position, words) = match text.split_once(':') {
            Some((position, words)) => (Some(position.trim().to_owned()), words),
            None => (None, text),
        };
        let moves = record::words(words).into_iter().map(|noted| noted.text).collect();
        let game = Opening { position, moves }.game(entry, variant)?;
        let is_over = game.outcome().is_some();
        if is_over {
            Err("the game is over after this opening".to_owned())
        } else {
            Ok(Opening::of_game(&game))
        }
    }

    /// The game after the opening.
    ///
    /// # Errors
    /// Says what is no position of this board or no legal move.
    pub fn game(&self, entry: &'static Entry, variant: &Variant) -> Result<History, String> {
        let start = match &self.position {
            None => GameStart::new(entry, variant.clone()),
            Some(text) => {
                GameStart::of_text(entry, variant.clone(), text).map_err(|error| error.to_string())?
            }
        };
        let mut game = History::new(start.position().map_err(|error| error.to_string())?);
        for text in &self.moves {
            game.play(text).map_err(|illegal| illegal.reason().into_string())?;
        }
        Ok(game)
    }

    /// Reports whether there is neither a position nor a move.
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
