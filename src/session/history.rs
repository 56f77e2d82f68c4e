//! A single line of positions with undo and redo, for protocols and engine matches.

use std::ops::Deref;
use std::sync::Arc;

use super::Position;
use crate::game::Refusal;

/// A game without variations that dereferences to its current position. A refused move changes nothing.
///
/// ```
/// use crosspath::registry::{Variant, find_game};
/// let mut game = find_game("tic-tac-toe")?.new_history(&Variant::default())?;
/// assert_eq!(game.play("0 0").as_deref(), Ok("a1"));
/// assert_eq!((game.undo().as_deref(), game.plies()), (Some("a1"), 0));
/// assert_eq!((game.redo().as_deref(), game.plies()), (Some("a1"), 1));
/// # Ok::<(), crosspath::registry::BoardSetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionHistory {
    now: Arc<dyn Position>,
    undone: Vec<Arc<dyn Position>>,
}

impl PositionHistory {
    /// Creates a history that starts at this position.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// use crosspath::session::PositionHistory;
    /// let game = PositionHistory::new(find_game("hex")?.start_position(&Variant::of_size(5))?);
    /// assert_eq!(game.legal_move_count(), 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(now: Arc<dyn Position>) -> Self {
        PositionHistory { now, undone: Vec::new() }
    }

    /// Returns the current position.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// let mut game = find_game("tic-tac-toe")?.new_history(&Variant::default())?;
    /// game.play("b2")?;
    /// let middle = game.current().clone();
    /// game.undo();
    /// assert_eq!((middle.plies(), game.plies()), (1, 0), "the position never changes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn current(&self) -> &Arc<dyn Position> {
        &self.now
    }

    /// Plays a move and returns it in the notation of records.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// let mut game = find_game("tic-tac-toe")?.new_history(&Variant::default())?;
    /// assert_eq!(game.play("B2")?, "b2");
    /// assert!(game.play("b2").is_err(), "the cell is taken");
    /// assert_eq!(game.played_moves(), ["b2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Position::play`].
    #[expect(clippy::missing_panics_doc, reason = "a move that was played is the last one")]
    pub fn play(&mut self, text: &str) -> Result<String, Refusal> {
        self.now = Arc::clone(&self.now).play(text)?;
        self.undone.clear();
        Ok(self.now.last_move().expect("a move was played"))
    }

    /// Undoes one move and returns it; `None` if no move has been played.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// let mut game = find_game("tic-tac-toe")?.new_history(&Variant::default())?;
    /// game.play("b2")?;
    /// assert_eq!(game.undo().as_deref(), Some("b2"));
    /// assert_eq!(game.undo(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&mut self) -> Option<String> {
        let before = self.now.parent()?;
        let after = std::mem::replace(&mut self.now, before);
        let text = after.last_move();
        self.undone.push(after);
        text
    }

    /// Redoes the move undone last and returns it; `None` if there is none, or another move has been played
    /// since.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// let mut game = find_game("tic-tac-toe")?.new_history(&Variant::default())?;
    /// game.play("b2")?;
    /// game.undo();
    /// assert_eq!(game.redo().as_deref(), Some("b2"));
    /// assert_eq!(game.redo(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn redo(&mut self) -> Option<String> {
        self.now = self.undone.pop()?;
        self.now.last_move()
    }

    /// Returns the number of moves that [`PositionHistory::redo`] can play again.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// let mut game = find_game("tic-tac-toe")?.new_history(&Variant::default())?;
    /// game.play("b2")?;
    /// game.undo();
    /// assert_eq!(game.redo_count(), 1);
    /// game.play("a1")?;
    /// assert_eq!(game.redo_count(), 0, "another move was played");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn redo_count(&self) -> usize {
        self.undone.len()
    }
}

impl Deref for PositionHistory {
    type Target = dyn Position;

    fn deref(&self) -> &Self::Target {
        &*self.now
    }
}
