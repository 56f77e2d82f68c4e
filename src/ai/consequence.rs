//! Concrete consequences of a mistake: a sentence with marks on the board. This module is independent of any
//! game.

use crate::text::Text;

/// Concrete consequence of a mistake, found by comparing the played move with a better one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MistakeConsequence<M> {
    /// Explanation for the player: one sentence, or two if a pattern is named.
    pub text: Text,
    /// Marks on the board: a cell given as a move, and the character shown on it.
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
