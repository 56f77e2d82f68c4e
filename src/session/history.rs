//! A straight line of positions: moves are played, taken back and played again. For protocols and matches of engines.

use std::ops::Deref;
use std::sync::Arc;

use super::Position;
use crate::game::Refusal;

/// A game without side lines; it stands for its position now. What is refused changes nothing.
///
/// ```
/// use crosspath::registry::{Variant, find};
/// let mut game = find("tic-tac-toe")?.history(&Variant::default())?;
/// assert_eq!(game.play("0 0").as_deref(), Ok("a1"));
/// assert_eq!((game.undo().as_deref(), game.plies()), (Some("a1"), 0));
/// assert_eq!((game.redo().as_deref(), game.plies()), (Some("a1"), 1));
/// # Ok::<(), crosspath::registry::OpenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    now: Arc<dyn Position>,
    undone: Vec<Arc<dyn Position>>,
}

impl History {
    /// A game at this position.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// use crosspath::session::History;
    /// let game = History::new(find("hex")?.start(&Variant::of_size(5))?);
    /// assert_eq!(game.legal_count(), 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(now: Arc<dyn Position>) -> Self {
        History { now, undone: Vec::new() }
    }

    /// The position now.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// let mut game = find("tic-tac-toe")?.history(&Variant::default())?;
    /// game.play("b2")?;
    /// let middle = game.now().clone();
    /// game.undo();
    /// assert_eq!((middle.plies(), game.plies()), (1, 0), "the position never changes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn now(&self) -> &Arc<dyn Position> {
        &self.now
    }

    /// Plays a move and gives it as records write it.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// let mut game = find("tic-tac-toe")?.history(&Variant::default())?;
    /// assert_eq!(game.play("B2")?, "b2");
    /// assert!(game.play("b2").is_err(), "the cell is taken");
    /// assert_eq!(game.played(), ["b2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Position::play`].
    #[expect(clippy::missing_panics_doc, reason = "a move that was played is the last one")]
    pub fn play(&mut self, text: &str) -> Result<String, Refusal> {
        self.now = Arc::clone(&self.now).play(text)?;
        self.undone.clear();
        Ok(self.now.last().expect("a move was played"))
    }

    /// Takes back one move and gives it; `None` if none has been played.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// let mut game = find("tic-tac-toe")?.history(&Variant::default())?;
    /// game.play("b2")?;
    /// assert_eq!(game.undo().as_deref(), Some("b2"));
    /// assert_eq!(game.undo(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&mut self) -> Option<String> {
        let before = self.now.parent()?;
        let after = std::mem::replace(&mut self.now, before);
        let text = after.last();
        self.undone.push(after);
        text
    }

    /// Plays again the move taken back last; `None` if there is none or another move has been played since.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// let mut game = find("tic-tac-toe")?.history(&Variant::default())?;
    /// game.play("b2")?;
    /// game.undo();
    /// assert_eq!(game.redo().as_deref(), Some("b2"));
    /// assert_eq!(game.redo(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn redo(&mut self) -> Option<String> {
        self.now = self.undone.pop()?;
        self.now.last()
    }

    /// Returns the number of moves that [`History::redo`] can play again.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// let mut game = find("tic-tac-toe")?.history(&Variant::default())?;
    /// game.play("b2")?;
    /// game.undo();
    /// assert_eq!(game.redoable(), 1);
    /// game.play("a1")?;
    /// assert_eq!(game.redoable(), 0, "another move was played");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn redoable(&self) -> usize {
        self.undone.len()
    }
}

impl Deref for History {
    type Target = dyn Position;

    fn deref(&self) -> &Self::Target {
        &*self.now
    }
}
