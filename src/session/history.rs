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
    #[must_use]
    pub fn new(now: Arc<dyn Position>) -> Self {
        History { now, undone: Vec::new() }
    }

    /// The position now.
    #[must_use]
    pub fn now(&self) -> &Arc<dyn Position> {
        &self.now
    }

    /// Plays a move and gives it as records write it.
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
    pub fn undo(&mut self) -> Option<String> {
        let before = self.now.parent()?;
        let after = std::mem::replace(&mut self.now, before);
        let text = after.last();
        self.undone.push(after);
        text
    }

    /// Plays again the move taken back last; `None` if there is none or another move has been played since.
    pub fn redo(&mut self) -> Option<String> {
        self.now = self.undone.pop()?;
        self.now.last()
    }

    /// Returns the number of moves that [`History::redo`] can play again.
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
