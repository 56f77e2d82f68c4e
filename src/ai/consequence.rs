//! Concrete consequences of a mistake: a sentence with marks on the board. This module is independent of any
//! game.

use crate::text::Text;

/// Concrete consequence of a mistake, found by comparing the played move with a better one.
///
/// ```
/// use crosspath::ai::HasEngines;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::tictactoe::TicTacToe;
/// let mut game = TicTacToe::new(3)?;
/// for text in ["a1", "b2", "c3"] {
///     game.try_make_move(game.parse(text)?)?;
/// }
/// let explain = TicTacToe::game_engines().consequence.ok_or("mistakes are explained")?;
/// let found = explain(&game, [game.parse("a3")?, game.parse("b1")?], 0).ok_or("a3 allows a fork")?;
/// assert_eq!(found.text, "After a3 X makes two threats at once with c1: row 1 and column c.");
/// assert_eq!(found.marks, [(game.parse("c1")?, 'w'), (game.parse("c2")?, '=')]);
/// assert_eq!(found.legend, "w forks  = wins");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MistakeConsequence<M> {
    /// Explanation for the player: one sentence, or two if a pattern is named.
    pub text: Text,
    /// Marks on the board: a cell given as a move, and the character shown on it. The better move has no mark.
    pub marks: Vec<(M, char)>,
    /// Legend of the marks; empty if there are none.
    pub legend: Text,
}

impl<M> MistakeConsequence<M> {
    /// Creates a consequence without marks.
    pub(crate) fn from_text(text: Text) -> Self {
        MistakeConsequence { text, marks: Vec::new(), legend: Text::new() }
    }

    /// Converts the moves in `marks` to another move type with `place`.
    pub(crate) fn map_moves<N>(self, place: impl Fn(M) -> N) -> MistakeConsequence<N> {
        let marks = self.marks.into_iter().map(|(mv, sign)| (place(mv), sign)).collect();
        MistakeConsequence { text: self.text, marks, legend: self.legend }
    }
}
